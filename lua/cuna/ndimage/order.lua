--- order.lua: least, greatest and ranked values of windows.
--
-- A rank of few neighbours is found by a network: a sequence of exchanges that does not depend on values, so that
-- vectors of elements go through it together. It is Batcher's merge exchange (Knuth, The Art of Computer Programming 3,
-- 5.2.2, algorithm M) without the exchanges on which the rank does not depend.
local border = require "cuna.ndimage.border"
local check = require "cuna.base.check"
local core = require "cuna.core"
local fold = require "cuna.ndimage.fold"
local given = require "cuna.ndimage.given"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local windows = require "cuna.ndimage.window"

local M = {}

local fail = check.fail
local MOST_SORTED, MOST_RANKED = 64, 65536 -- neighbours of a network, of any window

-- ---- networks ----

--- Exchanges {i, j} that sort n values, in order.
local function exchanges(n)
  local list, top = {}, 1
  while top * 2 < n do top = top * 2 end
  local p = top
  while p >= 1 do
    local q, r, d = top, 0, p
    while true do
      for i = 0, n - d - 1 do
        if math.floor(i / p) % 2 * p == r then list[#list + 1] = {i, i + d} end
      end
      if q == p then break end
      d, q, r = q - p, q / 2, p
    end
    p = p / 2
  end
  return list
end

--- The exchanges {i, j, kind} by which value number `rank` (from 0) takes its place. Of kind 1 only the lesser value is
--- needed, which i gets, of kind 2 the greater one, which j gets.
local function network(n, rank)
  local list, needed, found = exchanges(n), {[rank] = true}, {}
  for k = #list, 1, -1 do
    local i, j = list[k][1], list[k][2]
    if needed[i] or needed[j] then
      table.insert(found, 1, {i, j, needed[i] and needed[j] and 0 or needed[i] and 1 or 2})
      needed[i], needed[j] = true, true
    end
  end
  return found
end

--- The same as statements of v0, v1, ...
local function statements(list)
  local texts = {}
  for k, one in ipairs(list) do
    local i, j, kind = unpack(one)
    texts[k] = kind == 0 and ("ndimage::exchange(v%d, v%d);"):format(i, j)
      or kind == 1 and ("v%d = lesser_of(v%d, v%d);"):format(i, i, j)
      or ("v%d = greater_of(v%d, v%d);"):format(j, i, j)
  end
  return table.concat(texts, " ")
end

-- ---- programs ----

--- The program of a network. If it has a list (lists), loops read the network from that.
local function draw_network(draft, dtype, neighbours, ndim, rank, result, lists)
  local values, reads, type = {draft:input(dtype, "address")}, {}, given.type_of(dtype)
  if lists then values[2] = draft:input("int64", "address") end
  local before = #values
  for axis = 1, ndim do values[before + axis] = draft:input("int64", "scalar") end
  for k, neighbour in ipairs(neighbours) do
    local away = {"0"}
    for axis, step in ipairs(neighbour.steps) do
      if step ~= 0 then away[#away + 1] = ("%d * %s"):format(step, string.char(96 + before + axis)) end
    end
    reads[k] = ("auto v%d = ndimage::tap<%s, %s>(a, %s);"):format(k - 1, type, type, table.concat(away, " + "))
  end
  local text = ("[=]() CUNA_PART { %s %s return v%d; }()"):format(table.concat(reads, " "),
    statements(network(#neighbours, rank)), rank)
  local value = draft:step("ranked", text, dtype, values, "int64",
    lists and ("ndimage::sorted_out<%s>(a, b)"):format(type))
  draft.gathers, draft.outputs = true, {}
  draft:give(value, result)
end

local function draw_selection(draft, dtype, most, result)
  local values = {draft:input(dtype, "address"), draft:input("int64", "address"), draft:input("int64", "scalar"),
    draft:input("int64", "scalar")}
  local value = draft:step("ranked", ("ndimage::ranked_at<%s, %d>(a, b, c, d)"):format(given.type_of(dtype), most),
    dtype, values, "int64", ("ndimage::ranked_at<%s, %d>(a, b, c, d)"):format(given.type_of(dtype), MOST_RANKED))
  draft.gathers, draft.outputs = true, {}
  draft:give(value, result)
end

--- Distances of neighbours in bytes.
local function distances(neighbours, strides)
  local list = {}
  for k, neighbour in ipairs(neighbours) do
    list[k] = 0
    for axis, step in ipairs(neighbour.steps) do list[k] = list[k] + step * strides[axis] end
  end
  return list
end

local function constant(list, src, name)
  return core.view(core.as_array(list, "int64", src.device, name), {}, {}, 0)
end

--- A network as loops read it (kernels/loop_images.hh).
local function listed(neighbours, strides, rank)
  local found = network(#neighbours, rank)
  local list = {#neighbours, rank, #found}
  for _, away in ipairs(distances(neighbours, strides)) do list[#list + 1] = away end
  for _, one in ipairs(found) do
    for k = 1, 3 do list[#list + 1] = one[k] end
  end
  return list
end

--- The value of a rank among the neighbours of each element of `src`, by a network.
local function sort(src, neighbours, rank, out, name)
  local used, list = fold.used(neighbours, src.ndim)
  local lists = core.is_host(src)
  local key, strides, all = {src.dtype, rank, #used, out.dtype, tostring(lists)}, {}, src.strides
  for i, axis in ipairs(used) do strides[i] = all[axis] end
  for _, neighbour in ipairs(list) do key[#key + 1] = table.concat(neighbour.steps, ",") end
  local made = program.get(table.concat(key, " "), draw_network, src.dtype, list, #used, rank, out.dtype, lists)
  if lists then table.insert(strides, 1, constant(listed(list, strides, rank), src, name)) end
  core.map(made, name, nil, out, src, unpack(strides))
end

--- The same of any number of neighbours, by selection.
local function select_rank(src, neighbours, rank, out, name)
  local count, most = #neighbours, 2 * MOST_SORTED
  while most < count do most = 2 * most end
  local key = table.concat({src.dtype, most, out.dtype}, " ")
  local made = program.get(key, draw_selection, src.dtype, most, out.dtype)
  core.map(made, name, nil, out, src, constant(distances(neighbours, src.strides), src, name), count, rank)
end

-- ---- least and greatest values ----

local SHORT = 16 -- neighbours of a window that is not worth two folds

local function neighbours_along(ndim, axis, places)
  local list = {}
  for i, place in ipairs(places) do
    list[i] = {steps = {}}
    for k = 1, ndim do list[i].steps[k] = k == axis and place or 0 end
  end
  return list
end

--- Folds windows from -before to after about each element of `src` along an axis. Long windows are windows of windows:
--- those of `part` elements, which overlap at the end.
local function fold_line(what, src, axis, before, after, out, name)
  local size, part, places = before + after + 1, 1, {}
  while part * part < size do part = part * 2 end
  if size <= SHORT then
    for k = 1, size do places[k] = k - 1 - before end
    return fold.fold(what, src, out, neighbours_along(src.ndim, axis, places), nil, name)
  end
  local starts = slices.part(src, axis, 1 - before, src.shape[axis] + size - part)
  local parts = core.empty(starts.shape, src.dtype, src.device, name)
  fold_line(what, starts, axis, 0, part - 1, parts, name)
  for place = 0, size - part - 1, part do places[#places + 1] = place end
  places[#places + 1] = size - part
  fold.fold(what, slices.part(parts, axis, 1, src.shape[axis]), out, neighbours_along(src.ndim, axis, places), nil,
    name)
end

--- Least or greatest values of windows along an axis, into `out`.
---@param which string "least" or "greatest"
local function extreme_line(which, x, axis, before, after, mode, cval, out, name)
  x = border.holding(x, {mode}, cval, name)
  local what = {fold = which, computed = x.dtype}
  border.along(x, axis, before, after, mode, cval, out, function(src, part)
    fold_line(what, src, axis, before, after, part, name)
  end)
end

--- minimum_filter1d and maximum_filter1d.
function M.extreme_along(which, x, size, axis, output, mode, cval, origin, name)
  x, size = given.image(x, name, true), given.sizes(size, 1, name)[1]
  axis, mode, cval = core.axis(axis == nil and -1 or axis, x.ndim, name), border.mode(mode, name),
    given.cval(cval, name)
  local before, after = given.reach(size, origin, name)
  return given.output(output, x, x.shape, x.dtype, name, function(out)
    extreme_line(which, x, axis, before, after, mode, cval, out, name)
  end)
end

--- Least or greatest values of windows, along one axis after the other where that is possible. `asked` describes the
--- window (windows.new) and what all filters take: output, mode, cval, axes. With a structure its heights are
--- subtracted before, or added.
function M.extreme(which, x, asked, name)
  x = given.image(x, name, true)
  local axes, ndim = given.axes(asked.axes, x, name), x.ndim
  local window, heights = windows.new(asked, axes, ndim, name)
  local modes, cval, used = M.modes(asked.mode, axes, ndim, name), given.cval(asked.cval, name), {}
  if not window.is_box then return M.extreme_window(which, x, window, heights, modes, cval, asked.output, name) end
  for axis = 1, ndim do
    if window.sizes[axis] > 1 then used[#used + 1] = axis end
  end
  return given.chain(asked.output, x, x.dtype, #used, name, function(src, out, k)
    local axis = used[k]
    extreme_line(which, src, axis, window.before[axis], window.after[axis], modes[axis], cval, out, name)
  end)
end

--- The modes of all axes, of which only `axes` have any.
function M.modes(mode, axes, ndim, name)
  local some, all = given.modes(mode, #axes, name), {}
  for axis = 1, ndim do all[axis] = "edge" end
  for k, axis in ipairs(axes) do all[axis] = some[k] end
  return all
end

--- Least or greatest values of the neighbours of a window with gaps or heights.
function M.extreme_window(which, x, window, heights, modes, cval, output, name)
  return given.output(output, x, x.shape, x.dtype, name, function(out)
    local src = border.around(border.holding(x, modes, cval, name), window.before, window.after, modes, cval)
    local what = {fold = which, computed = heights and "float64" or src.dtype, weighs = heights and "float64"}
    local weights = heights and fold.weights(heights, "float64", x.device, name)
    fold.fold(what, src, out, window.neighbours, weights, name)
  end)
end

-- ---- ranks ----

--- The value of a rank in each window. rank_of(count) gives it, from 0, for a number of neighbours.
function M.rank(x, asked, name, rank_of)
  x = given.image(x, name, true)
  local axes, ndim = given.axes(asked.axes, x, name), x.ndim
  local window = windows.new(asked, axes, ndim, name)
  local modes, cval, count = M.modes(asked.mode, axes, ndim, name), given.cval(asked.cval, name), #window.neighbours
  local rank = rank_of(count)
  if rank == 0 then return M.extreme("least", x, asked, name) end
  if rank == count - 1 then return M.extreme("greatest", x, asked, name) end
  if count > MOST_RANKED then fail("%s: a window has at most %d neighbours, got %d", name, MOST_RANKED, count) end
  return given.output(asked.output, x, x.shape, x.dtype, name, function(out)
    local src = border.around(border.holding(x, modes, cval, name), window.before, window.after, modes, cval)
    local run = count <= MOST_SORTED and sort or select_rank
    run(src, window.neighbours, rank, out, name)
  end)
end

return M

--- rearrange.lua: repeating, tiling and rolling elements.
--
-- Repeated elements are a broadcast view, copied in one pass; rolled ones are copied in slices. If each element has its
-- own count, the cumulative sum of the counts gives the end of each element's part of the result, and tiles of the
-- result look up the part in which they begin (kernels/gather.cuh).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local displace = require "cuna.displace"
local join = require "cuna.join"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local slices = require "cuna.base.slices"
local take = require "cuna.take"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- repeated arrays ----

local SHORT = 1024 -- minimum number of contiguous elements for an efficient copy

--- A new vector of `count` elements, which repeat those of x. A short vector is repeated to a longer one first.
function M.cycle(x, count, name)
  local size = x.size
  if size < SHORT and count > 8 * SHORT then
    size = size * math.ceil(SHORT / size)
    x = M.cycle(x, size, name)
  end
  local out, whole = core.empty(count, x.dtype, x.device, name), math.floor(count / size)
  if whole > 0 then core.copy(core.view(out, {whole, size}, {size, 1}, 0), x, name) end
  local done = whole * size
  if done < count then out[{{done + 1, count}}] = x[{{1, count - done}}] end
  return out
end

--- A list with leading ones, so that it has `count` entries.
local function led(list, count)
  local longer = {}
  for axis = 1, count do longer[axis] = axis > count - #list and list[axis - count + #list] or 1 end
  return longer
end

--- The shape of x and the repetitions, with leading ones so that both have one length.
local function paired(shape, times)
  local ndim = math.max(#shape, #times)
  return led(shape, ndim), led(times, ndim)
end

--- x with an axis of stride 0 before each axis that is repeated.
local function spread(x, lengths, times, name)
  local own, wide = {}, {}
  for axis, length in ipairs(lengths) do
    if times[axis] ~= 1 then own[#own + 1], wide[#wide + 1] = 1, times[axis] end
    if length ~= 1 or times[axis] == 1 then own[#own + 1], wide[#wide + 1] = length, length end
  end
  return core.broadcast_to(core.reshape(x, own, name), wide, name)
end

local read_tile = args.reader("tile", {"x", "reps"}, 2)

--- x repeated along each axis. Follows numpy.tile.
---@param x cuna.Operand
---@param reps integer|integer[] repetitions along the last axes; more than x has axes add leading axes
---@return cuna.Array a copy
---@usage cn.tile({1, 2}, 3) --> [1. 2. 1. 2. 1. 2.]
---@usage cn.tile({1, 2}, {2, 2}) --> [[1. 2. 1. 2.] [1. 2. 1. 2.]]
function F.tile(...)
  local x, reps = read_tile(...)
  x = check.array(x, "tile")
  if reps == nil then fail "tile: reps is missing" end
  local lengths, times = paired(x.shape, check.lengths(reps, "tile", "reps"))
  local shape, along, only = {}, 0, 0
  for axis, length in ipairs(lengths) do
    shape[axis] = length * times[axis]
    if times[axis] ~= 1 then along, only = along + 1, axis end
  end
  local size = 1
  for axis = 1, #shape do size = size * shape[axis] end
  local in_front = along == 1 and x.size > 0 and size > 0 -- the result is x repeated as a vector
  for axis = 1, only - 1 do in_front = in_front and lengths[axis] == 1 end
  local made = in_front and M.cycle(core.reshape(x, -1, "tile"), size, "tile")
    or core.cast(spread(x, lengths, times, "tile"), nil, "tile")
  return core.reshape(made, shape, "tile")
end

-- ---- repeated elements ----

local TILE = 128 -- results per search, which costs as much as 30 of them
local CARRIERS = {"uint8", "uint16", [4] = "uint32", [8] = "uint64", [16] = "complex128"} -- by bytes of an element

-- Maps counts to infinity, NaN and infinities to NaN; other numbers are unchanged.
local STRANGE = "a >= 0 && a <= 9007199254740992.0 && a == floor(a) ? limits<double>::infinity()"
  .. " : fabs(a) < limits<double>::infinity() ? a : not_a_number<double>()"

local function draw_strange(draft, dtype)
  draft:step("strange", STRANGE, "float64", {draft:input(dtype)})
  draft.reducer, draft.accumulator, draft.output = reducers.row("min", "float64"), "float64", "float64"
end

--- The cumulative sums of counts, and their total, for which it waits. Rejects values that are not counts.
local function summed(counts, name)
  local dtype = counts.dtype
  if dtype:find "^complex" then fail("%s: counts are whole numbers, got an array of %s", name, dtype) end
  core.check_waiting(name)
  local ends = core.scan(reducers.program("sum", dtype, "int64", "int64", "inclusive"), name, 0, {false}, counts)
  if counts.size == 0 then return ends, 0 end
  local strange = core.reduce(program.get(dtype, draw_strange, dtype), name, 1, false, 0, nil, counts)
  local both = join.functions.stack {strange, ends[{-1, core.ellipsis}]}
  if core.is_preparing() then return ends, 1 end -- cn.prepare computes nothing
  local least, total = unpack(core.elements(both, name))
  if least == math.huge then return ends, total end
  fail("%s: a count is a whole number of at least 0, got %s", name,
    least == least and ("%.17g"):format(least) or "a value that is not finite")
end

--- The cumulative sums and total of counts in a table.
local function listed(repeats, device, name)
  local total, ends = 0, {}
  for i, count in ipairs(check.list(repeats, name, "counts")) do
    if type(count) == "boolean" then count = count and 1 or 0 end
    total = total + check.count(count, name, "repeats")
    ends[i] = total
  end
  return core.as_array(ends, "int64", device, name), total
end

local function draw_repeater(draft, carrier)
  local ends, out = draft:input("int64", "address"), draft:input(carrier or "int64", "address")
  local count, x = draft:input("int64", "scalar"), carrier and draft:input(carrier, "address")
  draft.gathers, draft.outputs = true, {}
  if x then
    draft:step("repeated", ("repeated<%s, %d>(a, b, c, d, e)"):format(carrier, TILE), "bool",
      {ends, out, draft:position(), count, x}, "int64")
  else
    draft:step("repeated_places", ("repeated_places<%d>(a, b, c, d)"):format(TILE), "bool",
      {ends, out, draft:position(), count}, "int64")
  end
end

--- A program that writes tiles of positions, or of elements, which are copied as `carrier`.
local function repeater(carrier) return program.get(carrier or "", draw_repeater, carrier) end

local function draw_firsts(draft)
  local ends, elements = draft:input("int64", "address"), draft:input("int64", "scalar")
  draft.gathers, draft.output = true, "int64"
  draft:step("first_of_tile", ("first_of_tile<%d>(a, b, c)"):format(TILE), "int64", {ends, draft:position(), elements})
end

local function draw_each(draft, carrier)
  local ends, firsts = draft:input("int64", "address"), draft:input("int64", "address")
  local x = carrier and draft:input(carrier, "address")
  draft.gathers, draft.output = true, carrier or "int64"
  if x then
    draft:step("repeated", ("repeated_element<%s, %d>(a, b, c, d)"):format(carrier, TILE), carrier,
      {ends, firsts, x, draft:position()}, "int64")
  else
    draft:step("repeated", ("repeated_place<%d>(a, b, c) + 1"):format(TILE), "int64", {ends, firsts, draft:position()})
  end
end

--- What `repeated` writes, by a lane for each tile.
local function repeat_tiles(x, ends, out, carrier, name)
  local tiles = {math.ceil(out.size / TILE)}
  local function at_first(array, dtype) return core.view(array, tiles, {0}, 0, dtype) end
  core.map(repeater(carrier), name, tiles, {}, at_first(ends), at_first(out, carrier), ends.size,
    x and at_first(x, carrier))
end

--- And by a lane for each result.
local function repeat_each(x, ends, out, carrier, name)
  local function at_first(array, dtype) return core.view(array, {}, {}, 0, dtype) end
  local firsts = core.empty(math.ceil(out.size / TILE) + 1, "int64", out.device, name)
  core.map(program.get("", draw_firsts), name, nil, firsts, at_first(ends), ends.size)
  core.map(program.get(carrier or "", draw_each, carrier), name, nil, core.view(out, {out.size}, {1}, 0, carrier),
    at_first(ends), at_first(firsts), x and at_first(x, carrier))
end

--- The elements of a vector, or the positions from 1 if it is nil, repeated by counts whose cumulative sums and total
--- are given.
local function repeated(x, ends, total, name)
  local out = core.empty(total, x and x.dtype or "int64", ends.device, name)
  if total == 0 then return out end
  local by = core.lanes(out) == 1 and repeat_tiles or repeat_each
  by(x, ends, out, x and CARRIERS[x.itemsize], name)
  return out
end
M.repeated = repeated

local function check_fit(shape, length, name)
  if #shape <= 1 and (#shape == 0 or shape[1] == length) then return end
  fail("%s: %s for an axis of length %d; there is one for each element, or one for all", name,
    #shape == 1 and shape[1] .. " counts" or "counts of shape " .. tostring(shape), length)
end

--- x with each element along an axis repeated by its count.
local function repeat_by(x, counts, axis, name)
  local length = x.shape[axis]
  local ends, total
  if core.is_array(counts) then
    check.same_device(x, counts, name)
    if counts.size == 1 and counts.ndim <= 1 then
      counts = core.broadcast_to(core.reshape(counts, {}, name), {length}, name)
    end
    check_fit(counts.shape, length, name)
    ends, total = summed(counts, name)
  elseif length == 0 and next(counts) == nil then
    return core.cast(x, nil, name)
  else
    check_fit({#counts}, length, name)
    ends, total = listed(counts, x.device, name)
  end
  if x.ndim > 1 then return take.at_positions(name, x, repeated(nil, ends, total, name), axis) end
  return repeated(operands.row_major(x, name), ends, total, name)
end

local read_repeat = args.reader("repeat_interleave", {"x", "repeats", "axis"}, 2)

--- x with each element (or slice along an axis) repeated. Counts in an array are summed, which waits. Follows
--- numpy.repeat, whose name is a keyword of Lua.
---@param x cuna.Operand
---@param repeats integer|integer[]|cuna.Array number of repetitions: one for all, or one for each element
---@param axis integer|nil without one x is taken as a vector
---@return cuna.Array a copy
---@usage cn.repeat_interleave({1, 2}, 2) --> [1. 1. 2. 2.]
---@usage cn.repeat_interleave({{1, 2}, {3, 4}}, {0, 2}, 1) --> [[3. 4.] [3. 4.]]
function F.repeat_interleave(...)
  local name = "repeat_interleave"
  local x, repeats, axis = read_repeat(...)
  x = check.beside(x, name, repeats)
  if axis == nil then x = core.reshape(x, -1, name) end
  axis = core.axis(axis or 1, x.ndim, name)
  if type(repeats) == "table" then check.whole(repeats, name, "counts") end
  if type(repeats) == "table" and #repeats == 1 and type(repeats[1]) == "number" then repeats = repeats[1] end
  if type(repeats) == "table" or core.is_array(repeats) then return repeat_by(x, repeats, axis, name) end
  local times, lengths, own, wide = check.count(repeats, name, "repeats"), x.shape, {}, {}
  for k, length in ipairs(lengths) do
    own[#own + 1], wide[#wide + 1] = length, length
    if k == axis then own[#own + 1], wide[#wide + 1] = 1, times end
  end
  lengths[axis] = lengths[axis] * times
  local made = core.cast(core.broadcast_to(core.reshape(x, own, name), wide, name), nil, name)
  return core.reshape(made, lengths, name)
end

-- ---- roll ----

--- The total shift along each axis, from numbers or tables of them.
local function shifts_of(shift, axis, ndim)
  local shifts, axes = type(shift) == "table" and shift or {shift}, type(axis) == "table" and axis or {axis}
  local by_axis = {}
  if core.is_array(shift) then
    fail("roll: a shift is a number or a table of numbers, got %s", check.no_number(core.check_alive(shift, "roll")))
  end
  local count = math.max(#shifts, #axes)
  if #shifts ~= count and #shifts ~= 1 or #axes ~= count and #axes ~= 1 then
    fail("roll: %d shifts for %d axes", #shifts, #axes)
  end
  for k = 1, count do
    local own = core.axis(axes[k] or axes[1], ndim, "roll")
    by_axis[own] = (by_axis[own] or 0) + check.integer(shifts[k] or shifts[1], "roll", "a shift")
  end
  return by_axis
end

--- Copies the parts of x, which a shift cuts along axis `axis` and later ones, to their places in out. Along the last
--- axis with a shift they are joined, which takes one launch where blocks have many lanes.
local function roll_parts(out, x, shifts, axis, last)
  if axis > last then return core.copy(out, x, "roll") end
  local length = x.shape[axis]
  local shift = (shifts[axis] or 0) % length
  local behind, front = slices.part(x, axis, length - shift + 1, shift), slices.part(x, axis, 1, length - shift)
  if axis == last then return core.join({behind, front}, axis, false, out, nil, "roll") end
  if shift > 0 then roll_parts(slices.part(out, axis, 1, shift), behind, shifts, axis + 1, last) end
  roll_parts(slices.part(out, axis, shift + 1, length - shift), front, shifts, axis + 1, last)
end

--- The last axis with a shift; 0: none.
local function last_of(shifts)
  local last = 0
  for axis in pairs(shifts) do last = math.max(last, axis) end
  return last
end

local read_roll = args.reader("roll", {"x", "shift", "axis"}, 2)

--- x with its elements shifted along axes; elements beyond the end reappear at the front. Follows numpy.roll.
---@param x cuna.Operand
---@param shift integer|integer[] by how much, negative towards the front
---@param axis integer|integer[]|nil without it, x is shifted as a vector in row-major order
---@return cuna.Array a copy
---@usage cn.roll({1, 2, 3, 4}, 1) --> [4. 1. 2. 3.]
---@usage cn.roll({{1, 2}, {3, 4}}, {1, 1}, {1, 2}) --> [[4. 3.] [2. 1.]]
function F.roll(...)
  local x, shift, axis = read_roll(...)
  x = check.array(x, "roll")
  if shift == nil then fail "roll: the shift is missing" end
  local shape = x.shape
  if axis == nil then x = core.reshape(x, -1, "roll") end
  local shifts = shifts_of(shift, axis == nil and 1 or axis, x.ndim)
  local out = displace.rolled(x, shifts, "roll")
  if not out then
    out = core.empty_like(x, nil, "roll")
    if x.size > 0 then roll_parts(out, x, shifts, 1, last_of(shifts)) end
  end
  return axis == nil and core.reshape(out, shape, "roll") or out
end

return M

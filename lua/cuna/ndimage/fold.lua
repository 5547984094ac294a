--- fold.lua: folds of the elements that stand at fixed distances from each element of an image: weighted sums, least
--- and greatest values.
--
-- The text of a program has the distances, counted in strides, which are numbers of the call. So the loop over
-- neighbours is unrolled, and that over elements becomes vectors. What takes many neighbours is several programs, each
-- of which goes on from the result of the one before. Loops, which the cpu device has ahead, read the neighbours from a
-- list instead (kernels/loop_images.hh).
local core = require "cuna.core"
local given = require "cuna.ndimage.given"
local program = require "cuna.base.program"

local M = {}

local type_of = given.type_of
local MOST = 32 -- neighbours of one program

-- How a neighbour t, with its weight w where it has one, joins the result r, and the text of loops.
local FOLDS = {
  sum = {first = "%s", next = "%s + %s", on_loops = "ndimage::summed<%s, %s>(%s)"},
  least = {first = "%s", next = "minimum(%s, %s)", on_loops = "ndimage::extreme<%s, %s, ndimage::Least>(%s)"},
  greatest = {first = "%s", next = "maximum(%s, %s)", on_loops = "ndimage::extreme<%s, %s, ndimage::Greatest>(%s)"},
}

local function letter(k) return string.char(96 + k) end

--- The distance of a neighbour in bytes, as text: value number `base` is the distance of the program's first neighbour,
--- those after it are the strides.
local function distance(steps, sign, base)
  local terms = {sign .. letter(base)}
  for axis, step in ipairs(steps) do
    if step ~= 0 then terms[#terms + 1] = ("%s %d * %s"):format(sign == "-" and "-" or "+", step,
      letter(base + axis)) end
  end
  return table.concat(terms, " ")
end

--- The text of one neighbour; `base` and `weights` are the numbers of values.
local function term(what, neighbour, k, base, weights)
  local read = ("ndimage::tap<%s, %s>(a, %%s)"):format(type_of(what.dtype), type_of(what.computed))
  local text = read:format(distance(neighbour.steps, "", base))
  if neighbour.mirror then -- the same distance on the other side, added or subtracted
    text = ("(%s %s %s)"):format(text, neighbour.mirror, read:format(distance(neighbour.steps, "-", base)))
  end
  if not what.weighs then return text end
  local weight = ("ndimage::weight<%s>(%s, %d)"):format(what.weighs, letter(weights), k - 1)
  if what.fold == "sum" then return ("ndimage::scaled(%s, %s)"):format(text, weight) end
  return ("(%s %s %s)"):format(text, what.fold == "least" and "-" or "+", weight)
end

--- What a program folds: dtype of the image, computed dtype, fold, weighs (dtype of the weights or nil), divisor (of
--- the sum, or nil), rank (axes).
---@class cuna.WindowFold

--- The result of the last program: the quotient, as what the output holds.
local function draw_end(draft, what, value, divisor, result)
  if divisor then
    value = draft:step("mean", "ndimage::divided(a, b)", what.computed, {value, divisor}, {what.computed, "float64"})
  end
  if result ~= what.computed then
    value = draft:step("cut", ("ndimage::cut<%s>(a)"):format(type_of(result)), result, {value}, what.computed)
  end
  draft:give(value, result)
end

--- What loops read comes first: the address, the list (there is one if what.lists), the result so far.
local function draw(draft, what, neighbours, goes_on, is_last, result)
  local values, types = {draft:input(what.dtype, "address")}, {"int64"}
  local function add(dtype, kind, type) values[#values + 1], types[#types + 1] = draft:input(dtype, kind), type end
  if what.lists then add("float64", "address", "int64") end
  if goes_on then add(what.computed, nil, what.computed) end
  local read, base = #values, #values + 1
  for _ = 0, what.rank do add("int64", "scalar", "int64") end
  if what.weighs then add(what.weighs, "address", "int64") end
  local weights, divisor = #values, is_last and what.divisor and draft:input("float64", "scalar")
  local text, fold = goes_on and letter(read) or nil, FOLDS[what.fold]
  for k, neighbour in ipairs(neighbours) do
    local t = term(what, neighbour, k, base, weights)
    text = text and fold.next:format(text, t) or fold.first:format(t)
  end
  local on_loops = what.lists and fold.on_loops:format(type_of(what.dtype), type_of(what.computed),
    goes_on and "a, b, c" or "a, b")
  local value = draft:step("window", text, what.computed, values, types, on_loops)
  draft.gathers, draft.outputs = true, {}
  draw_end(draft, what, value, divisor, result)
end

local function key_of(what, neighbours, goes_on, is_last, result)
  local key = {what.dtype, what.computed, what.fold, tostring(what.weighs), what.rank, tostring(goes_on),
    tostring(is_last and what.divisor ~= nil), result, tostring(what.lists)}
  for _, neighbour in ipairs(neighbours) do
    key[#key + 1] = table.concat(neighbour.steps, ",") .. (neighbour.mirror or "")
  end
  return table.concat(key, " ")
end

--- The axes along which neighbours lie, and the neighbours with steps along these only.
function M.used(neighbours, ndim)
  local used, list = {}, {}
  for axis = 1, ndim do
    for _, neighbour in ipairs(neighbours) do
      if neighbour.steps[axis] ~= 0 then
        used[#used + 1] = axis
        break
      end
    end
  end
  for k, neighbour in ipairs(neighbours) do
    local steps = {}
    for i, axis in ipairs(used) do steps[i] = neighbour.steps[axis] end
    list[k] = {steps = steps, mirror = neighbour.mirror}
  end
  return used, list
end

--- Neighbours first..last, with their distances from the first of them, and its distance in bytes.
local function piece(neighbours, first, last, strides)
  local origin, list, base = neighbours[first].steps, {}, 0
  for axis, step in ipairs(origin) do base = base + step * strides[axis] end
  for k = first, last do
    local steps = {}
    for axis, step in ipairs(neighbours[k].steps) do steps[axis] = step - origin[axis] end
    list[#list + 1] = {steps = steps, mirror = neighbours[k].mirror}
  end
  return list, base
end

local HOW = {float64 = 1, complex128 = 2} -- neighbours are weighed, in lists

--- Neighbours first..last as loops read them.
local function listed(what, src, neighbours, first, last, strides, weights, name)
  local list = {last - first + 1, HOW[what.weighs] or 0}
  for k = first, last do
    local away, mirror = 0, neighbours[k].mirror
    for axis, step in ipairs(neighbours[k].steps) do away = away + step * strides[axis] end
    local weight, at = weights and weights.list[k] or 0, #list
    local is_real = type(weight) == "number"
    list[at + 1], list[at + 2] = away, mirror == "+" and 1 or mirror == "-" and -1 or 0
    list[at + 3], list[at + 4] = is_real and weight or weight.re, is_real and 0 or weight.im
  end
  return core.view(core.as_array(list, "float64", src.device, name), {}, {}, 0)
end

--- The first and the last neighbour of each program. Of many neighbours the first one, which may lie apart from the
--- others, has a program of its own, so that windows of all sizes have the same programs.
local function pieces(count)
  local last = 0
  return function()
    if last == count then return nil end
    local first = last + 1
    last = count > MOST and first == 1 and 1 or math.min(last + MOST, count)
    return first, last
  end
end

--- Weights on the host and on a device.
---@class cuna.WindowWeights
---@return cuna.WindowWeights
function M.weights(list, dtype, device, name)
  return {list = list, array = core.as_array(list, dtype, device, name)}
end

--- Folds the neighbours of each element of `src` into `out`.
---@param what cuna.WindowFold
---@param src cuna.Array a part of an image that contains the neighbours
---@param out cuna.Array
---@param neighbours table[] steps (along each axis), mirror ("+" or "-": with the opposite neighbour, or nil)
---@param weights cuna.WindowWeights|nil one for each neighbour, of dtype what.weighs
function M.fold(what, src, out, neighbours, weights, name)
  local count, all_strides, strides, partial = #neighbours, src.strides, {}, nil
  local used, used_neighbours = M.used(neighbours, src.ndim)
  for i, axis in ipairs(used) do strides[i] = all_strides[axis] end
  what.rank, what.dtype, what.lists = #used, src.dtype, core.is_host(src)
  for first, last in pieces(count) do
    local list, base = piece(used_neighbours, first, last, strides)
    local is_last, goes_on = last == count, partial ~= nil
    local to = is_last and out or core.empty_like(out, what.computed, name)
    local made = program.get(key_of(what, list, goes_on, is_last, to.dtype), draw, what, list, goes_on, is_last,
      to.dtype)
    local operands = {src}
    if what.lists then operands[2] = listed(what, src, used_neighbours, first, last, strides, weights, name) end
    operands[#operands + 1], operands[#operands + 2] = partial or base, partial and base or nil
    for _, stride in ipairs(strides) do operands[#operands + 1] = stride end
    if weights then operands[#operands + 1] = core.view(weights.array, {}, {}, first - 1) end
    operands[#operands + 1] = is_last and what.divisor or nil
    core.map(made, name, nil, to, unpack(operands))
    partial = to
  end
end

return M

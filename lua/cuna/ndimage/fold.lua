--- fold.lua: folds of the elements that stand at fixed distances from each element of an image: weighted sums, least
--- and greatest values.
--
-- The text of a program has the distances, counted in strides, which are numbers of the call. So the loop over
-- neighbours is unrolled, and that over elements becomes vectors. What takes many neighbours is several programs, each
-- of which goes on from the result of the one before.
local core = require "cuna.core"
local given = require "cuna.ndimage.given"
local program = require "cuna.base.program"

local M = {}

local type_of = given.type_of
local MOST = 32 -- neighbours of one program

-- How a neighbour t, with its weight w where it has one, joins the result r.
local FOLDS = {
  sum = {first = "%s", next = "%s + %s"},
  least = {first = "%s", next = "minimum(%s, %s)"},
  greatest = {first = "%s", next = "maximum(%s, %s)"},
}

--- The distance of a neighbour in bytes, as text: b is the distance of the program's first neighbour, c, d, ... are the
--- strides.
local function distance(steps, sign)
  local terms = {sign .. "b"}
  for axis, step in ipairs(steps) do
    if step ~= 0 then terms[#terms + 1] = ("%s %d * %s"):format(sign == "-" and "-" or "+", step,
      string.char(98 + axis)) end
  end
  return table.concat(terms, " ")
end

--- The text of one neighbour.
local function term(what, neighbour, k, letter)
  local read = ("ndimage::tap<%s, %s>(a, %%s)"):format(type_of(what.dtype), type_of(what.computed))
  local text = read:format(distance(neighbour.steps, ""))
  if neighbour.mirror then -- the same distance on the other side, added or subtracted
    text = ("(%s %s %s)"):format(text, neighbour.mirror, read:format(distance(neighbour.steps, "-")))
  end
  if not what.weighs then return text end
  local weight = ("ndimage::weight<%s>(%s, %d)"):format(what.weighs, letter, k - 1)
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

local function draw(draft, what, neighbours, goes_on, is_last, result)
  local values, types = {draft:input(what.dtype, "address")}, {"int64"}
  for _ = 0, what.rank do
    values[#values + 1], types[#types + 1] = draft:input("int64", "scalar"), "int64"
  end
  if what.weighs then values[#values + 1], types[#types + 1] = draft:input(what.weighs, "address"), "int64" end
  local weights = string.char(96 + #values)
  if goes_on then values[#values + 1], types[#types + 1] = draft:input(what.computed), what.computed end
  local divisor = is_last and what.divisor and draft:input("float64", "scalar")
  local text, fold = goes_on and string.char(96 + #values) or nil, FOLDS[what.fold]
  for k, neighbour in ipairs(neighbours) do
    local t = term(what, neighbour, k, weights)
    text = text and fold.next:format(text, t) or fold.first:format(t)
  end
  local value = draft:step("window", text, what.computed, values, types)
  draft.gathers, draft.outputs = true, {}
  draw_end(draft, what, value, divisor, result)
end

local function key_of(what, neighbours, goes_on, is_last, result)
  local key = {what.dtype, what.computed, what.fold, tostring(what.weighs), what.rank, tostring(goes_on),
    tostring(is_last and what.divisor ~= nil), result}
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

--- Folds the neighbours of each element of `src` into `out`.
---@param what cuna.WindowFold
---@param src cuna.Array a part of an image that contains the neighbours
---@param out cuna.Array
---@param neighbours table[] steps (along each axis), mirror ("+" or "-": with the opposite neighbour, or nil)
---@param weights cuna.Array|nil one for each neighbour, contiguous
function M.fold(what, src, out, neighbours, weights, name)
  local count, all_strides, strides, partial = #neighbours, src.strides, {}, nil
  local used, used_neighbours = M.used(neighbours, src.ndim)
  for i, axis in ipairs(used) do strides[i] = all_strides[axis] end
  what.rank, what.dtype = #used, src.dtype
  for first, last in pieces(count) do
    local list, base = piece(used_neighbours, first, last, strides)
    local is_last, goes_on = last == count, partial ~= nil
    local to = is_last and out or core.empty(out.shape, what.computed, out.device, name)
    local made = program.get(key_of(what, list, goes_on, is_last, to.dtype), draw, what, list, goes_on, is_last,
      to.dtype)
    local operands = {src, base, unpack(strides)}
    if weights then operands[#operands + 1] = core.view(weights, {}, {}, first - 1) end
    operands[#operands + 1] = partial
    operands[#operands + 1] = is_last and what.divisor or nil
    core.map(made, name, nil, to, unpack(operands))
    partial = to
  end
end

return M

--- displace.lua: arrays whose elements are another array's, at places that follow from their own: rolled, or with a
--- border of zeros.
--
-- Such an array is one program over its positions, which finds each place and reads there. It is recorded, so what
-- reads the array does so, too, without memory in between. That pays where blocks have many lanes; blocks of one lane
-- copy runs of elements.
local core = require "cuna.core"
local program = require "cuna.base.program"

local M = {}

local MOST_AXES = 3 -- that elements move along: a program has room for their numbers

--- How many elements have places of 32 bits, with which a GPU finds them in a third of the instructions.
M.narrow = 2 ^ 32

--- The dtype of places in an array of a size, and of numbers that are not greater.
local function place_dtype(size) return size < M.narrow and "uint32" or "int64" end

--- Whether this is the way for elements of x that move along `count` axes.
local function serves(x, count) return core.lanes(x) > 1 and x.size > 0 and count > 0 and count <= MOST_AXES end

--- An array of a shape, each of whose elements the program finds from x's first one and some numbers.
local function made_of(x, shape, made, name, numbers)
  return core.map(made, name, shape, nil, core.view(core.dense(x, nil, name), {}, {}, 0), unpack(numbers))
end

-- ---- rolled ----

-- Which element is at a place a, where rows of d elements were shifted by c along an axis of length b. An axis that is
-- the first or the last takes a division less.
local FROM = {
  both = "shifted(a, a, T(1), b, c)",
  first = "shifted(a, divided(a, d), d, b, c)",
  last = "shifted(a, a - divided(a, b) * b, T(1), b, c)",
  middle = "shifted(a, divided(a, d) - divided(divided(a, d), b) * b, d, b, c)",
}

local function draw_rolled(draft, dtype, kinds, places)
  local x, rows = draft:input(dtype, "address"), {}
  for kind in kinds:gmatch "%a+" do
    local function number() return draft:input(places, "scalar") end
    rows[#rows + 1] = {kind, number(), number(), number()}
  end
  local place = draft:position()
  for _, row in ipairs(rows) do
    place = draft:step("rolled", FROM[row[1]], places, {place, row[2], row[3], row[4]})
  end
  draft.fetches, draft.sure, draft.output = true, true, dtype
  draft:step("fetched", "element_at<D>(a + b * int64(sizeof(D)))", dtype, {x, place}, "int64")
end

--- x with its elements shifted along axes; those beyond the end reappear at the front. nil if this is not the way.
---@param x cuna.Array
---@param shifts table<integer, integer> by axis
---@return cuna.Array|nil
function M.rolled(x, shifts, name)
  local shape, numbers, kinds, inner, size = x.shape, {}, {}, 1, x.size
  for axis = #shape, 1, -1 do
    local length, at = shape[axis], #numbers
    if shifts[axis] then
      numbers[at + 1], numbers[at + 2], numbers[at + 3] = length, shifts[axis] % length, inner
      local is_first, is_last = inner * length == size, inner == 1
      kinds[#kinds + 1] = is_first and is_last and "both" or is_first and "first" or is_last and "last" or "middle"
    end
    inner = inner * length
  end
  if not serves(x, #kinds) then return nil end
  return made_of(x, shape, program.of(draw_rolled, x.dtype, table.concat(kinds, " "), place_dtype(size)), name, numbers)
end

-- ---- with a border ----

-- Before an axis begins, a number without a sign is greater than its length.
local function draw_bordered(draft, dtype, axes, places)
  local x, numbers = draft:input(dtype, "address"), {}
  for k = 1, 4 * axes do numbers[k] = draft:input(places, "scalar") end
  local rest, place, inside = draft:position(), nil, nil
  for k = 1, 4 * axes, 4 do
    local whole, before, length, inner = numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]
    local up = k < 4 * axes - 3 and draft:step("row", "divided(a, b)", places, {rest, whole})
    local at = up and draft:step("column", "a - b * c - d", places, {rest, up, whole, before})
      or draft:step("column", "a - b", places, {rest, before})
    inside = inside and draft:step("inside", "c && a < b", "bool", {at, length, inside}, {"uint64", "uint64", "bool"})
      or draft:step("inside", "a < b", "bool", {at, length}, "uint64")
    place = place and draft:step("place", "a + b * c", places, {place, at, inner}) or at
    rest = up
  end
  draft.fetches, draft.sure, draft.output = true, true, dtype
  draft:step("fetched", "fetched<D>(c ? a + b * int64(sizeof(D)) : int64(0))", dtype, {x, place, inside},
    {"int64", "int64", "bool"})
end

--- x with zeros around it. nil if this is not the way. Axes without zeros go with the one before them.
---@param x cuna.Array
---@param widths integer[][] how many zeros, by axis and side
---@return cuna.Array|nil
function M.bordered(x, widths, name)
  local shape, whole, axes, numbers, inner, size = x.shape, {}, {}, {}, 1, 1
  for axis, length in ipairs(shape) do
    local before, last = widths[axis][1], axes[#axes]
    whole[axis] = before + length + widths[axis][2]
    size = size * whole[axis]
    if last and whole[axis] == length then
      for k = 1, 3 do last[k] = last[k] * length end
    else
      axes[#axes + 1] = {whole[axis], before, length}
    end
  end
  if not serves(x, #axes) then return nil end
  for k = #axes, 1, -1 do
    local at, axis = #numbers, axes[k]
    numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4] = axis[1], axis[2], axis[3], inner
    inner = inner * axis[3]
  end
  return made_of(x, whole, program.of(draw_bordered, x.dtype, #axes, place_dtype(size)), name, numbers)
end

return M

--- edit.lua: appending, inserting, deleting and trimming slices, and resizing.
--
-- The result is joined from slices in one call, so that each element is copied once. delete turns an array of positions
-- into a mask of the elements to keep.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local gather = require "cuna.gather"
local join = require "cuna.join"
local nonzero = require "cuna.nonzero"
local reduce = require "cuna.reduce"
local shapes = require "cuna.base.shapes"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- arguments ----

--- x and an axis of it; without an axis, x is flattened.
local function along(x, axis, device, name)
  x = check.array(x, name, device)
  if axis == nil then return core.reshape(x, -1, name), 1 end
  return x, core.axis(axis, x.ndim, name)
end

--- The slice of x from one position to another along an axis.
local function slice(x, axis, first, last)
  local key = {core.ellipsis}
  for k = 1, x.ndim do key[k] = {} end
  key[axis] = {first, last}
  return x[key]
end

--- A position counted from 1, at most `most`, on an axis of this length.
local function place_of(position, length, most, name)
  position = check.integer(position, name, "a position")
  if position == 0 then fail("%s: positions count from 1, and there is a 0", name) end
  if position > most or position < -length then
    fail("%s: position %d is out of range for an axis of length %d", name, position, length)
  end
  return position > 0 and position or position + length + 1
end

local function is_truths(value) return type(value) == "table" and type(value[1]) == "boolean" end

--- Positions given as a number, a table or an array: an array (of positions, or a mask) or a list of Lua numbers.
local function listed(positions, x, name)
  if positions == nil then fail("%s: the positions are missing", name) end
  if is_truths(positions) then positions = core.as_array(positions, "bool", x.device, name) end
  if not core.is_array(positions) then
    return type(positions) == "table" and check.whole(positions, name, "positions") or {positions}
  end
  check.same_device(x, positions, name)
  if positions.ndim > 1 then fail("%s: positions have one axis, got shape %s", name, tostring(positions.shape)) end
  return core.reshape(positions, -1, name)
end

-- ---- append ----

local read_append = args.reader("append", {"x", "values", "axis"}, 2)

--- x with values appended along an axis, or both flattened. A Lua number takes the dtype of x if that can represent it.
--- Follows numpy.append.
---@param x cuna.Operand
---@param values cuna.Operand with an axis: x's shape except for that axis
---@param axis integer|nil
---@return cuna.Array a copy
---@usage cn.append({1, 2}, {3, 4}) --> [1. 2. 3. 4.]
---@usage cn.append({{1, 2}}, {{3, 4}}, 1) --> [[1. 2.] [3. 4.]]
function F.append(...)
  local x, values, axis = read_append(...)
  if values == nil then fail "append: the values are missing" end
  local is_vector = axis == nil
  x, axis = along(x, axis, core.device_of(values), "append")
  local kind = not core.is_array(values) and core.number_kind(values)
  if kind then
    local dtype = dtype_rules.common {x.dtype, dtype_rules.weak_type(kind)}
    values = core.fill(core.empty({1}, dtype, x.device, "append"), values, "append")
  else
    values = check.array(values, "append", x.device)
  end
  check.same_device(x, values, "append")
  if is_vector then values = core.reshape(values, -1, "append") end
  return join.join({x, values}, axis, nil, nil, "append")
end

-- ---- delete ----

--- x without the slices at positions in a list.
local function without(x, list, axis, name)
  local length, gone, kept, first = x.shape[axis], {}, {}, 1
  for i, position in ipairs(list) do gone[i] = place_of(position, length, length, name) end
  table.sort(gone)
  for _, place in ipairs(gone) do
    if place > first then kept[#kept + 1] = slice(x, axis, first, place - 1) end
    first = math.max(first, place + 1)
  end
  kept[#kept + 1] = slice(x, axis, first, length)
  return join.join(kept, axis, nil, nil, name)
end

--- The slices to keep, as a mask: those where a mask is false, or those not at the positions.
local function staying(x, positions, axis, name)
  local length = x.shape[axis]
  if positions.dtype == "bool" then
    if positions.size ~= length then
      fail("%s: a mask of shape %s for an axis of length %d", name, tostring(positions.shape), length)
    end
    return elementwise.functions.logical_not(positions)
  end
  local stays = core.fill(core.empty(length, "bool", x.device, name), true, name)
  gather.write(stays, gather.index(stays, {1}, {positions}, 1, name), gather.value_for(stays, false, name), name)
  return stays
end

local read_delete = args.reader("delete", {"x", "positions", "axis"}, 2)

--- x without the slices at positions along an axis, or flattened and without elements. Positions in an array, and
--- masks, wait for the number of elements to keep. Follows numpy.delete.
---@param x cuna.Operand
---@param positions integer|integer[]|cuna.Array from 1, or a mask; cn.range(2, 5) for a range
---@param axis integer|nil
---@return cuna.Array a copy
---@usage cn.delete({10, 20, 30, 40}, {1, -1}) --> [20. 30.]
---@usage cn.delete({{1, 2}, {3, 4}}, 1, 2) --> [[2.] [4.]]
function F.delete(...)
  local x, positions, axis = read_delete(...)
  x, axis = along(x, axis, core.device_of(positions), "delete")
  positions = listed(positions, x, "delete")
  if not core.is_array(positions) then return without(x, positions, axis, "delete") end
  local stays = staying(x, positions, axis, "delete")
  if x.ndim == 1 then return nonzero.compact(stays, x, "delete") end
  local take = require "cuna.take"
  return take.at_positions("delete", x, nonzero.compact(stays, nil, "delete"), axis)
end

-- ---- insert ----

--- Positions as a list of Lua numbers; those of arrays are fetched.
local function fetched(positions, name)
  if not core.is_array(positions) then return positions end
  if positions.dtype == "bool" then positions = nonzero.compact(positions, nil, name) end
  local list = core.elements(positions, name)
  for i = 1, core.is_preparing() and #list or 0 do list[i] = 1 end -- cn.prepare computes nothing
  return list
end

--- Values with x's axes and the length `count` along one of them (nil: their own), broadcast along the others.
local function values_for(x, values, axis, count, is_single, name)
  values = gather.value_for(x, values, name)
  local own, shape, ndim = values.shape, {}, x.ndim
  if #own > ndim then
    fail("%s: values of shape %s have more axes than the array of shape %s", name, tostring(own), tostring(x.shape))
  end
  for k = 1, ndim do shape[k] = k > ndim - #own and own[k - ndim + #own] or 1 end
  values = core.reshape(values, shape, name)
  if is_single and axis > 1 then -- NumPy: the values' first axis is the insertion axis
    local order = {}
    for k = 2, ndim do order[#order + 1] = k end
    table.insert(order, axis, 1)
    values = core.transpose(values, order, name)
  end
  local wide = x.shape
  wide[axis] = count or values.shape[axis]
  return core.broadcast_to(values, wide, name)
end

--- x with one value before each position of a list.
local function interleave(x, list, values, axis, name)
  local length, order, places, parts, first = x.shape[axis], {}, {}, {}, 1
  for i, position in ipairs(list) do
    order[i], places[i] = i, place_of(position, length, length + 1, name)
  end
  table.sort(order, function(a, b) return places[a] < places[b] or places[a] == places[b] and a < b end)
  for _, i in ipairs(order) do
    if places[i] > first then parts[#parts + 1] = slice(x, axis, first, places[i] - 1) end
    parts[#parts + 1], first = slice(values, axis, i, i), places[i]
  end
  parts[#parts + 1] = slice(x, axis, first, length)
  return join.join(parts, axis, nil, x.dtype, name)
end

local read_insert = args.reader("insert", {"x", "positions", "values", "axis"}, 3)

--- x with values before positions along an axis, or flattened with values before elements; the position after the last
--- one is the end. A single position takes all values, several positions take one each. Positions in an array are
--- fetched, which waits. Follows numpy.insert.
---@param x cuna.Operand
---@param positions integer|integer[]|cuna.Array from 1, in the array before the insertion; or a mask
---@param values cuna.Operand converted as by assignment; they broadcast
---@param axis integer|nil
---@return cuna.Array a copy, of x's dtype
---@usage cn.insert({1, 2, 3}, 2, {8, 9}) --> [1. 8. 9. 2. 3.]
---@usage cn.insert({1, 2, 3}, {1, 4}, 0) --> [0. 1. 2. 3. 0.]
---@usage cn.insert({{1, 2}, {3, 4}}, 2, 5, 2) --> [[1. 5. 2.] [3. 5. 4.]]
function F.insert(...)
  local name = "insert"
  local x, positions, values, axis = read_insert(...)
  if values == nil then fail "insert: the values are missing" end
  x, axis = along(x, axis, core.device_of(positions, values), name)
  local given = listed(positions, x, name)
  local is_single = type(positions) == "number" or core.is_array(positions) and positions.ndim == 0
  local list = fetched(given, name)
  if #list ~= 1 then
    return interleave(x, list, values_for(x, values, axis, #list, false, name), axis, name)
  end
  values = values_for(x, values, axis, nil, is_single, name)
  local place = place_of(list[1], x.shape[axis], x.shape[axis] + 1, name)
  return join.join({slice(x, axis, 1, place - 1), values, slice(x, axis, place, x.shape[axis])}, axis, nil, x.dtype,
    name)
end

-- ---- resize ----

local read_resize = args.reader("resize", {"x", "shape"}, 2)

--- The elements of x in another shape, in row-major order. They are repeated if the shape has more elements; if x has
--- none, the result has zeros. x:resize also returns a copy. Follows numpy.resize.
---@param x cuna.Operand
---@param shape cuna.Shape
---@return cuna.Array a copy
---@usage cn.resize({1, 2, 3}, {2, 4}) --> [[1. 2. 3. 1.] [2. 3. 1. 2.]]
function F.resize(...)
  local x, shape = read_resize(...)
  x = check.array(x, "resize")
  if shape == nil then fail "resize: the shape is missing" end
  shape = check.lengths(shape, "resize", "a length of the shape")
  if x.size == 0 then return core.fill(core.empty(shape, x.dtype, x.device, "resize"), 0, "resize") end
  local count = 1
  for _, length in ipairs(shape) do count = count * length end
  local cycle = require("cuna.rearrange").cycle
  return core.reshape(cycle(core.reshape(x, -1, "resize"), count, "resize"), shape, "resize")
end

-- ---- trim_zeros ----

--- Appends three values for an axis: the first position with a nonzero element, the last one counted from the end, and
--- the number of such positions.
local function add_bounds(found, x, axis)
  local others = {}
  for k = 1, x.ndim do
    if k ~= axis then others[#others + 1] = k end
  end
  local holds = elementwise.functions.not_equal(x, 0)
  if #others > 0 then holds = reduce.functions.any(holds, others) end
  found[#found + 1] = reduce.functions.argmax(holds)
  found[#found + 1] = reduce.functions.argmax(holds["::-1"])
  found[#found + 1] = reduce.functions.count_nonzero(holds)
end

--- The ranges of positions to keep on some axes; waits once for all.
local function ranges_of(x, axes, front, back)
  core.check_waiting "trim_zeros"
  local found, ranges, shape = {}, {}, x.shape
  for _, axis in ipairs(axes) do add_bounds(found, x, axis) end
  local values = core.elements(join.functions.stack(found), "trim_zeros")
  for i, axis in ipairs(axes) do
    local first, from_end, count = unpack(values, 3 * i - 2, 3 * i)
    ranges[axis] = {front and first or 1, shape[axis] + 1 - (back and from_end or 1)}
    if count == 0 or core.is_preparing() then ranges[axis] = {1, 0} end
  end
  return ranges
end

local read_trim = args.reader("trim_zeros", {"x", "trim", "axis"})

--- x without the zeros at its front and back, along all axes or some. Returns a view; waits for its bounds. Follows
--- numpy.trim_zeros.
---@param x cuna.Operand
---@param trim string|nil "f" for the front, "b" for the back, default "fb"
---@param axis cuna.Axes|nil
---@return cuna.Array
---@usage cn.trim_zeros {0, 0, 1, 0, 2, 0} --> [1. 0. 2.]
---@usage cn.trim_zeros({0, 0, 1, 0, 2, 0}, "f") --> [1. 0. 2. 0.]
function F.trim_zeros(...)
  local x, trim, axis = read_trim(...)
  x, trim = check.array(x, "trim_zeros"), trim == nil and "fb" or trim
  if type(trim) ~= "string" or not trim:find "^[fbFB]+$" then
    fail("trim_zeros: trim is made of \"f\" and \"b\", got %s", check.show(trim))
  end
  local mask, axes, key = core.axes(axis, x.ndim, "trim_zeros"), {}, {core.ellipsis}
  for k = 1, x.ndim do
    if shapes.is_named(mask, k) then axes[#axes + 1] = k end
  end
  if x.size == 0 or #axes == 0 then return x[core.ellipsis] end
  local ranges = ranges_of(x, axes, trim:find "[fF]", trim:find "[bB]")
  for k = 1, x.ndim do key[k] = ranges[k] or {} end
  return x[key]
end

return M

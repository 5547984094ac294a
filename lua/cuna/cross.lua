--- cross.lua: cross products of vectors with two or three components.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- All components of the product, or of two plane vectors the one that is not 0.
local function draw(draft, own, theirs, m, n, dtype)
  local a, b = {}, {}
  for k = 1, m do a[k] = draft:input(own) end
  for k = 1, n do b[k] = draft:input(theirs) end
  local function product(i, j)
    return a[i] and b[j] and draft:step("multiply", "wrap_mul(a, b)", dtype, {a[i], b[j]})
  end
  local function component(i, j)
    local p, q = product(i, j), product(j, i)
    if p and q then return draft:step("subtract", "wrap_sub(a, b)", dtype, {p, q}) end
    return p or draft:step("negative", "wrap_neg(a)", dtype, {q})
  end
  if m == 3 or n == 3 then
    draft:give(component(2, 3), dtype)
    draft:give(component(3, 1), dtype)
  end
  draft:give(component(1, 2), dtype)
end

--- The components of vectors along an axis, as arrays, and the shape of each.
local function components_of(x, axis, what)
  axis = core.axis(axis, x.ndim, "cross")
  local parts, shape = {}, x.shape
  local length = table.remove(shape, axis)
  if length ~= 2 and length ~= 3 then
    fail("cross: vectors have 2 or 3 components; %s has length %d along axis %d", what, length, axis)
  end
  for k = 1, length do parts[k] = slices.at(x, axis, k) end
  return parts, shape
end

local function draw_packed(draft, dtype)
  local a, b = draft:input(dtype, "address"), draft:input(dtype, "address")
  draft:step("crossed", "crossed<D>(a, b, c)", dtype, {a, b, draft:position()}, "int64")
  draft.gathers, draft.output = true, dtype
end

--- Whether vectors with three components lie one after the other in both arrays, and shall in the result. Blocks of
--- many lanes then compute component by component, since lanes that had a vector each would read parts of lines.
local function are_packed(a, b, axisa, axisb, axisc)
  local last = a.ndim
  local function is_last(axis) return axis == nil or axis == last or axis == -1 end
  return core.lanes(a) > 1 and a.dtype == b.dtype and core.same_shape(a, b) and last > 0 and a.shape[last] == 3
    and is_last(axisa) and is_last(axisb) and is_last(axisc) and a.flags.c_contiguous and b.flags.c_contiguous
end

local read = args.reader("cross", {"a", "b", "axisa", "axisb", "axisc", "axis"}, 2)

--- Cross products of vectors along an axis of two arrays, whose other axes broadcast; a missing third component is 0.
--- Of vectors with two components it is the third component alone, without the axis. Not for bool. Follows
--- numpy.cross.
---@param a cuna.Operand
---@param b cuna.Operand
---@param axisa integer|nil of a's vectors, default -1
---@param axisb integer|nil of b's vectors, default -1
---@param axisc integer|nil of the result's vectors, default -1
---@param axis integer|nil all three
---@return cuna.Array
---@usage cn.cross({1, 2, 3}, {4, 5, 6}), cn.cross({1, 2}, {3, 4}) --> [-3. 6. -3.], -2.0
function F.cross(...)
  local a, b, axisa, axisb, axisc, axis = read(...)
  local device = core.device_of(a, b)
  a, b = check.array(a, "cross", device), check.array(b, "cross", device)
  check.same_device(a, b, "cross")
  local dtype = core.promote(a.dtype, b.dtype)
  if dtype == "bool" then fail "cross: not defined for bool; use astype(\"int8\")" end
  if are_packed(a, b, axis or axisa, axis or axisb, axis or axisc) then
    return core.map(program.get(dtype, draw_packed, dtype), "cross", nil, nil, a, b)
  end
  local ours, shape = components_of(a, axis or axisa or -1, "the first array")
  local theirs, other = components_of(b, axis or axisb or -1, "the second array")
  shape = check.broadcast(shape, other)
    or fail("cross: vectors of shapes %s and %s do not broadcast", tostring(a.shape), tostring(b.shape))
  local outs, result = {false}, nil
  if #ours == 3 or #theirs == 3 then
    axisc = core.axis(axis or axisc or -1, #shape + 1, "cross")
    local whole = {unpack(shape)}
    table.insert(whole, axisc, 3)
    result = core.empty(whole, dtype, a.device, "cross")
    for k = 1, 3 do outs[k] = slices.at(result, axisc, k) end
  end
  local key = table.concat({"cross", a.dtype, b.dtype, #ours, #theirs}, " ")
  local operands = {unpack(ours)}
  for k = 1, #theirs do operands[#operands + 1] = theirs[k] end
  local made = core.map(program.get(key, draw, a.dtype, b.dtype, #ours, #theirs, dtype), "cross", shape, outs,
    unpack(operands))
  return result or made
end

return M

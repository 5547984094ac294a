--- tensordot.lua: products that sum over any axes of two arrays, or over none: dot, inner, outer, kron, tensordot.
--
-- The summed axes become the inner axis of a product of two matrices, which are views if the strides allow it. Without
-- summed axes, the result is one elementwise product of arrays that broadcast.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local products = require "cuna.linalg.products"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local two = products.two

-- ---- contraction ----

local function product_of(shape, axes)
  local count = 1
  for _, axis in ipairs(axes) do count = count * shape[axis] end
  return count
end

--- The axes of x that are not in a list.
local function others(x, axes)
  local named, rest = {}, {}
  for _, axis in ipairs(axes) do named[axis] = true end
  for axis = 1, x.ndim do
    if not named[axis] then rest[#rest + 1] = axis end
  end
  return rest
end

--- x as a matrix whose rows and columns are what two lists of axes make together.
local function as_matrix(x, rows, columns, name)
  local order = {unpack(rows)}
  for _, axis in ipairs(columns) do order[#order + 1] = axis end
  local shape = x.shape
  return core.reshape(core.transpose(x, order, name), {product_of(shape, rows), product_of(shape, columns)}, name)
end

--- Sums products over pairs of axes: axis `ours[i]` of a and `theirs[i]` of b. Of the others a's come first.
local function contract(a, ours, b, theirs, out, name)
  for i = 1, #ours do
    if a.shape[ours[i]] ~= b.shape[theirs[i]] then products.refuse_inner(a, b, ours[i], theirs[i], name) end
  end
  local rows, columns, shape = others(a, ours), others(b, theirs), {}
  for _, axis in ipairs(rows) do shape[#shape + 1] = a.shape[axis] end
  for _, axis in ipairs(columns) do shape[#shape + 1] = b.shape[axis] end
  check.output(out, nil, shape, a, name)
  local left, right = as_matrix(a, rows, ours, name), as_matrix(b, theirs, columns, name)
  if out == nil then return core.reshape(products.matmul(left, right, nil, name), shape, name) end
  if out.flags.c_contiguous then
    products.matmul(left, right, core.reshape(out, {left.shape[1], right.shape[2]}, name), name)
  else
    out[core.ellipsis] = core.reshape(products.matmul(left, right, nil, name), shape, name)
  end
  return out
end

-- ---- dot, inner, outer, kron ----

local read_dot = args.reader("dot", {"a", "b", "out"}, 2)

--- The dot product: of two vectors their inner product, of two matrices cn.matmul, of an array and a 0-d one or a
--- number the elementwise product. Of more axes: the sum over the last axis of a and the last but one of b, with a's
--- other axes before b's. Dtypes as cn.matmul's. Follows numpy.dot.
---@param a cuna.Operand
---@param b cuna.Operand
---@param out cuna.Array|nil written to; it may overlap the operands
---@return cuna.Array
---@usage cn.dot({1, 2, 3}, {4, 5, 6}) --> 32.0
---@usage cn.array({{1, 2}, {3, 4}}):dot {1, 10} --> [21. 43.]
function F.dot(...)
  local result = products.plain("dot", ...)
  if result then return result end
  local a, b, out = read_dot(...)
  a, b = two(a, b, "dot")
  local i, j = a.ndim, b.ndim
  if i == 0 or j == 0 then return products.elementwise(a, b, "dot", out) end
  if i <= 2 and j <= 2 then return products.matmul(a, b, out, "dot") end
  return contract(a, {i}, b, {math.max(j - 1, 1)}, out, "dot")
end

--- The inner product: the sum over the last axes of both, with a's other axes before b's; with a 0-d array or a number
--- the elementwise product. Follows numpy.inner.
---@param a cuna.Operand
---@param b cuna.Operand
---@return cuna.Array
---@usage cn.inner({{1, 2}, {3, 4}}, {{1, 1}, {0, 1}}) --> [[3. 2.] [7. 4.]]
function F.inner(a, b)
  a, b = two(a, b, "inner")
  local i, j = a.ndim, b.ndim
  if i == 0 or j == 0 then return products.elementwise(a, b, "inner") end
  if i == 1 or j == 1 then return products.sum_last(a, b, false, "inner") end
  return contract(a, {i}, b, {j}, nil, "inner")
end

--- The dot product of all elements of two arrays, in row-major order; of complex ones the first is conjugated. Follows
--- numpy.vdot.
---@param a cuna.Operand
---@param b cuna.Operand of as many elements
---@return cuna.Array product 0-d
---@usage cn.vdot({{1, 2}, {3, 4}}, {{1, 0}, {0, 1}}) --> 5.0
function F.vdot(a, b)
  a, b = two(a, b, "vdot")
  if a.size ~= b.size then
    fail("vdot: shapes %s and %s have %d and %d elements", tostring(a.shape), tostring(b.shape), a.size, b.size)
  end
  return products.sum(core.reshape(a, -1, "vdot"), core.reshape(b, -1, "vdot"), 1, true, "vdot")
end

local read_outer = args.reader("outer", {"a", "b", "out"}, 2)

--- The products of each element of one array with each of another. Follows numpy.outer.
---@param a cuna.Operand its elements in row-major order are rows
---@param b cuna.Operand its elements are columns
---@param out cuna.Array|nil
---@return cuna.Array product of shape (a.size, b.size)
---@usage cn.outer({1, 2}, {10, 20, 30}) --> [[10. 20. 30.] [20. 40. 60.]]
function F.outer(...)
  local a, b, out = read_outer(...)
  a, b = two(a, b, "outer")
  check.output(out, nil, {a.size, b.size}, a, "outer")
  local column, row = core.reshape(a, {a.size, 1}, "outer"), core.reshape(b, {1, b.size}, "outer")
  return products.elementwise(column, row, "outer", out)
end

--- A view with an axis of length 1 after, or before, every axis of x.
local function spread(x, ndim, in_front)
  local shape, missing = {}, ndim - x.ndim
  for axis = 1, ndim do
    local length = axis > missing and x.shape[axis - missing] or 1
    shape[2 * axis - 1], shape[2 * axis] = in_front and 1 or length, in_front and length or 1
  end
  return core.reshape(x, shape, "kron")
end

--- The Kronecker product: b in blocks, each multiplied by an element of a. The one with fewer axes gets leading ones.
--- Follows numpy.kron.
---@param a cuna.Operand
---@param b cuna.Operand
---@return cuna.Array
---@usage cn.kron({{1, 0}, {0, 2}}, {{1, 1}}) --> [[1. 1. 0. 0.] [0. 0. 2. 2.]]
function F.kron(a, b)
  a, b = two(a, b, "kron")
  local ndim, shape = math.max(a.ndim, b.ndim), {}
  local most = core.limits.ndim / 2
  if ndim > most then fail("kron: %d axes are more than the %d that it takes", ndim, most) end
  for k = 1, ndim do
    local first, second = k - ndim + a.ndim, k - ndim + b.ndim
    shape[k] = (first > 0 and a.shape[first] or 1) * (second > 0 and b.shape[second] or 1)
  end
  return core.reshape(products.elementwise(spread(a, ndim, false), spread(b, ndim, true), "kron"), shape, "kron")
end

-- ---- tensordot ----

--- Axes that came as a number or a list, from 1.
local function axis_list(axes, x, what)
  local list = {}
  for i, axis in ipairs(type(axes) == "table" and check.whole(axes, "tensordot", "axes") or {axes}) do
    list[i] = core.axis(axis, x.ndim, "tensordot")
    for j = 1, i - 1 do
      if list[j] == list[i] then fail("tensordot: axis %d of %s is named twice", list[i], what) end
    end
  end
  return list
end

local function last_and_first(count, a, b)
  local ours, theirs = {}, {}
  if count > math.min(a.ndim, b.ndim) then
    fail("tensordot: shapes %s and %s do not both have %d axes", tostring(a.shape), tostring(b.shape), count)
  end
  for i = 1, count do ours[i], theirs[i] = a.ndim - count + i, i end
  return ours, theirs
end

local function read_axes(axes, a, b)
  if type(axes) ~= "table" then
    return last_and_first(check.count(axes == nil and 2 or axes, "tensordot", "axes"), a, b)
  end
  if #axes ~= 2 then fail("tensordot: axes is a count, or {axes of a, axes of b}, got a table of %d", #axes) end
  local ours, theirs = axis_list(axes[1], a, "the first array"), axis_list(axes[2], b, "the second array")
  if #ours ~= #theirs then fail("tensordot: %d axes of the first array, and %d of the second", #ours, #theirs) end
  return ours, theirs
end

local read_tensordot = args.reader("tensordot", {"a", "b", "axes"}, 2)

--- Sums products over pairs of axes of two arrays; of the other axes a's come first. Follows numpy.tensordot.
---@param a cuna.Operand
---@param b cuna.Operand
---@param axes integer|table|nil a count n (default 2): the last n axes of a with the first n of b; or {axes of a, axes
--- of b}, numbers or lists, which count from 1
---@return cuna.Array
---@usage cn.tensordot(cn.ones({2, 3, 4}), cn.ones({3, 4, 5})).shape --> (2, 5)
---@usage cn.tensordot(cn.ones({2, 3, 4}), cn.ones({4, 2}), {{1, 3}, {2, 1}}) --> [8. 8. 8.]
function F.tensordot(...)
  local a, b, axes = read_tensordot(...)
  a, b = two(a, b, "tensordot")
  local ours, theirs = read_axes(axes, a, b)
  return contract(a, ours, b, theirs, nil, "tensordot")
end

args.bound(F, {inner = "a b", vdot = "a b", kron = "a b"})

return M

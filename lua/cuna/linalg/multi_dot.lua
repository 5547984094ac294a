--- multi_dot.lua: products of many matrices: chains of different ones, and powers of one.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local products = require "cuna.linalg.products"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- multi_dot ----

--- The arrays of a list, on one device.
local function arrays_of(list, name)
  check.list(list, name, "arrays")
  if core.is_array(list) or #list < 2 then fail("%s: expected a table of at least two arrays", name) end
  local device, arrays = check.device_of(list), {}
  for i, x in ipairs(list) do
    arrays[i] = check.array(x, name, device)
    check.same_device(arrays[1], arrays[i], name)
    local inside = i > 1 and i < #list
    if arrays[i].ndim ~= 2 and (inside or arrays[i].ndim ~= 1) then
      fail("%s: array %d has shape %s; expected a matrix%s", name, i, tostring(arrays[i].shape),
        inside and "" or " or a vector")
    end
  end
  return arrays
end

--- Where to split each part of a chain so that multiplying takes the fewest operations (Cormen, Leiserson, Rivest,
--- Stein, Introduction to Algorithms, 15.2). Matrix i is of lengths[i] rows and lengths[i + 1] columns.
local function find_splits(lengths)
  local count, cost, split = #lengths - 1, {}, {}
  for i = 1, count do cost[i], split[i] = {[i] = 0}, {} end
  for distance = 1, count - 1 do
    for i = 1, count - distance do
      local j = i + distance
      cost[i][j] = math.huge
      for k = i, j - 1 do
        local through = cost[i][k] + cost[k + 1][j] + lengths[i] * lengths[k + 1] * lengths[j + 1]
        if through < cost[i][j] then cost[i][j], split[i][j] = through, k end
      end
    end
  end
  return split
end

local function lengths_of(arrays, name)
  local lengths = {}
  for i, x in ipairs(arrays) do
    local rows = x.ndim == 1 and i == 1 and 1 or x.shape[1]
    local columns = x.ndim == 2 and x.shape[2] or i == 1 and x.shape[1] or 1
    if i > 1 and rows ~= lengths[i] then
      fail("%s: array %d of shape %s has %d rows, and the array before it %d columns", name, i, tostring(x.shape), rows,
        lengths[i])
    end
    lengths[i], lengths[i + 1] = rows, columns
  end
  return lengths
end

local read_multi_dot = args.reader("multi_dot", {"arrays", "out"})

--- The product of a chain of matrices, in the order that takes the fewest operations. The first one may be a vector,
--- which is a row, and the last one too, which is a column. Follows numpy.linalg.multi_dot.
---@param arrays cuna.Operand[] at least two
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.multi_dot({cn.ones({2, 3}), cn.ones({3, 4}), cn.ones({4})}) --> [12. 12.]
function F.multi_dot(...)
  local list, out = read_multi_dot(...)
  local arrays = arrays_of(list, "multi_dot")
  local splits = find_splits(lengths_of(arrays, "multi_dot"))
  local function part(i, j, target)
    if i == j then return arrays[i] end
    local k = splits[i][j]
    return products.matmul(part(i, k), part(k + 1, j), target, "multi_dot")
  end
  return part(1, #arrays, out)
end

-- ---- matrix_power ----

--- Identity matrices of x's shape and dtype.
local function identity_like(x, name)
  local made = core.fill(core.empty_like(x, nil, name), 0, name)
  local shape, steps, itemsize = made.shape, made.strides, made.itemsize
  for axis = 1, #steps do steps[axis] = steps[axis] / itemsize end
  local count = #shape
  shape[count], steps[count - 1], steps[count] = nil, steps[count - 1] + steps[count], nil
  core.fill(core.view(made, shape, steps, 0), 1, name)
  return made
end

--- a multiplied n > 0 times with itself: by squares.
local function power(a, n, name)
  local result
  while true do
    if n % 2 == 1 then result = result and products.matmul(result, a, nil, name) or a end
    n = math.floor(n / 2)
    if n == 0 then return result end
    a = products.matmul(a, a, nil, name)
  end
end

local read_matrix_power = args.reader("matrix_power", {"a", "n"}, 2)

--- A square matrix, or each one of a stack, multiplied n times with itself; 0 times: the identity; below 0: its
--- inverse. Integers are exact and wrap. Follows numpy.linalg.matrix_power.
---@param a cuna.Operand shape (..., m, m)
---@param n integer
---@return cuna.Array
---@usage cn.matrix_power({{1, 1}, {1, 0}}, 10) --> [[89. 55.] [55. 34.]]
function F.matrix_power(...)
  local a, n = read_matrix_power(...)
  a, n = check.array(a, "matrix_power"), check.integer(n, "matrix_power", "n")
  if a.ndim < 2 or a.shape[a.ndim] ~= a.shape[a.ndim - 1] then
    fail("matrix_power: expected square matrices, got shape %s", tostring(a.shape))
  end
  if n == 0 then return identity_like(a, "matrix_power") end
  if n == 1 then return core.cast(a, nil, "matrix_power") end
  if n > 0 then return power(a, n, "matrix_power") end
  return power(require("cuna.linalg.solve").inverse("matrix_power", a, true), -n, "matrix_power")
end

return M

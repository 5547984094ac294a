--- data.lua: operands of plots as columns of float64 in the host's memory, and columns as bytes for gnuplot.
--
-- gnuplot leaves gaps where a number is NaN; infinities become NaN, since it has no place for them.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {}

local fail = check.fail

local HOST = core.device "cpu"

--- An operand as an array of finite float64 and NaN on the host.
---@param x cuna.Operand
---@param name string the user's function
---@param what string of the argument
---@return cuna.Array
function M.numbers(x, name, what)
  if x == nil then fail("%s: %s is missing", name, what) end
  x = check.array(x, name)
  if x.dtype:find "^complex" then fail("%s: %s is complex; take x:abs(), x:angle() or x.real", name, what) end
  core.check_waiting(name)
  return HOST:with(function()
    local cn = args.namespace
    local host = core.cast(cn.asnumpy(x), "float64", name)
    return cn.where(cn.isfinite(host), host, cn.nan)
  end)
end

--- An operand as a vector.
function M.vector(x, name, what)
  x = M.numbers(x, name, what)
  if x.ndim ~= 1 then fail("%s: %s is a vector, got shape %s", name, what, tostring(x.shape)) end
  return x
end

--- The vectors of a curve; of one operand the positions, which count from 1, are the other.
---@return cuna.Array x
---@return cuna.Array y
function M.pair(x, y, name)
  if y == nil then x, y = nil, x end
  y = M.vector(y, name, x == nil and "the first argument" or "y")
  x = x == nil and args.namespace.arange(1, y.size + 1, 1, "float64", HOST) or M.vector(x, name, "x")
  if x.size ~= y.size then fail("%s: x has %d elements, and y has %d", name, x.size, y.size) end
  return x, y
end

--- A coordinate of a grid, given as a vector or as a matrix, as a matrix.
local function coordinate(x, shape, axis, name, what)
  x = M.numbers(x, name, what)
  local length = shape[axis]
  if x.ndim == 1 and x.size == length then
    return args.namespace.broadcast_to(axis == 1 and x:reshape(-1, 1) or x, shape)
  elseif x.ndim == 2 and x.shape[1] == shape[1] and x.shape[2] == shape[2] then
    return x
  end
  fail("%s: %s of shape %s does not belong to z of shape %s; it has %d elements or the shape of z", name, what,
    tostring(x.shape), tostring(shape), length)
end

--- The grid of a surface: x, y and z as matrices.
function M.grid(x, y, z, name)
  if y == nil and z == nil then x, z = nil, x end
  if z == nil then fail("%s: takes z, or x, y and z", name) end
  z = M.numbers(z, name, "z")
  if z.ndim ~= 2 or z.shape[1] < 2 or z.shape[2] < 2 then
    fail("%s: z is a matrix of at least 2 x 2, got shape %s", name, tostring(z.shape))
  end
  local cn, shape = args.namespace, z.shape
  x = x == nil and cn.arange(1, shape[2] + 1, 1, "float64", HOST) or x
  y = y == nil and cn.arange(1, shape[1] + 1, 1, "float64", HOST) or y
  return coordinate(x, shape, 2, name, "x"), coordinate(y, shape, 1, name, "y"), z
end

--- Columns of equal size, row by row, as the bytes of float64.
---@param columns cuna.Array[]
---@return string
function M.bytes(columns)
  return HOST:with(function()
    local flat = {}
    for k, column in ipairs(columns) do flat[k] = column:reshape(-1) end
    return args.namespace.stack(flat, 2):tobytes()
  end)
end

--- Whether some row has finite numbers only.
function M.has_points(columns)
  return HOST:with(function()
    local sum = 0
    for _, column in ipairs(columns) do sum = sum + column:reshape(-1) end
    return sum.size > 0 and args.namespace.isfinite(sum):any()
  end)
end

--- The smallest and greatest finite element; 0 and 1 if there is none.
function M.extremes(x)
  return HOST:with(function()
    local cn = args.namespace
    if not M.has_points {x} then return 0, 1 end
    return cn.nanmin(x):item(), cn.nanmax(x):item()
  end)
end

return M

--- spaces.lua: spaces of matrices, and polar factors, by their singular values.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local factor = require "cuna.linalg.factor"
local matrices = require "cuna.linalg.matrices"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.linalg

local fail = check.fail

local function adjoint(x)
  return matrices.transposed(matrices.is_complex(x.dtype) and args.namespace.conj(x) or x)
end

local read_polar = args.reader("linalg.polar", {"a", "side"})

--- Polar factors of matrices, a = u p, or a = p u: u has orthonormal columns or rows, and p is Hermitian with
--- eigenvalues that are not negative. Follows scipy.linalg.polar.
---@param a cuna.Operand shape (..., m, n)
---@param side string|nil where p is: "right" (default) or "left"
---@return cuna.Array u (..., m, n)
---@return cuna.Array p (..., n, n), of the left side (..., m, m)
---@usage cn.linalg.polar {{0, 2}, {3, 0}} --> [[0. 1.] [1. 0.]], [[3. 0.] [0. 2.]]
function F.polar(...)
  local name, a, side = "linalg.polar", read_polar(...)
  if side ~= nil and side ~= "right" and side ~= "left" then
    fail("%s: side is \"right\" or \"left\", got %s", name, check.show(side))
  end
  local cn = args.namespace
  a = matrices.matrix(check.array(a, name), name)
  local values, left, right = factor.svd(name, a, "reduced", true)
  local unitary = cn.matmul(left, right)
  if side == "left" then return unitary, cn.matmul(left * cn.expand_dims(values, -2), adjoint(left)) end
  return unitary, cn.matmul(adjoint(right), cn.expand_dims(values, -1) * right)
end

--- The number of singular values above a share of the greatest; it waits.
local function rank_of(name, values, shape, rcond)
  if rcond ~= nil then
    rcond = check.real(rcond, name, "rcond")
  else
    rcond = matrices.epsilon(values.dtype) * math.max(shape[1], shape[2])
  end
  core.check_waiting(name)
  if values.size == 0 then return 0 end
  if core.is_preparing() then return 1 end
  local most = slices.part(values, 1, 1, 1)
  return (values:gt(most * rcond)):sum():item()
end

local function open(name, a)
  a = check.array(a, name)
  if a.ndim ~= 2 then fail("%s: expected a matrix, got shape %s", name, tostring(a.shape)) end
  return a
end

local read_null = args.reader("linalg.null_space", {"a", "rcond"})

--- An orthonormal basis of the vectors v with a v = 0. Waits for their number. Follows scipy.linalg.null_space.
---@param a cuna.Operand shape (m, n)
---@param rcond number|nil the share of the greatest singular value up to which others count as 0; default: the dtype's
---  epsilon times max(m, n)
---@return cuna.Array shape (n, n - rank)
---@usage cn.linalg.null_space({{1, 1}, {1, 1}}):abs() --> [[0.70710678] [0.70710678]]
function F.null_space(...)
  local name, a, rcond = "linalg.null_space", read_null(...)
  a = open(name, a)
  local shape = a.shape
  local values, _, right = factor.svd(name, a, "full", true)
  local rank = rank_of(name, values, shape, rcond)
  return core.cast(adjoint(slices.part(right, 1, rank + 1, shape[2] - rank)), nil, name)
end

local read_orth = args.reader("linalg.orth", {"a", "rcond"})

--- An orthonormal basis of the space of a's columns. Waits for its dimension. Follows scipy.linalg.orth.
---@param a cuna.Operand shape (m, n)
---@param rcond number|nil as cn.linalg.null_space's
---@return cuna.Array shape (m, rank)
---@usage cn.linalg.orth({{2, 0}, {0, 0}}):abs() --> [[1.] [0.]]
function F.orth(...)
  local name, a, rcond = "linalg.orth", read_orth(...)
  a = open(name, a)
  local values, left = factor.svd(name, a, "reduced", true)
  return core.cast(slices.part(left, 2, 1, rank_of(name, values, a.shape, rcond)), nil, name)
end

return M

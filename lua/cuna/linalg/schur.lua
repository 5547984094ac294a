--- schur.lua: Schur's and Hessenberg's forms of matrices.
--
-- Where a device's library lacks their operations, as cuSOLVER does, the matrices are copied to the cpu device, LAPACK
-- computes there, and the results are copied back.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local factor = require "cuna.linalg.factor"
local lapack = require "cuna.linalg.lapack"
local matrices = require "cuna.linalg.matrices"
local slices = require "cuna.base.slices"
local triangle = require "cuna.linalg.triangle"

local M = {functions = {}}
local F = M.functions -- cn.linalg

local fail = check.fail
local HOST = core.device "cpu"

--- x on a device whose library has an operation: its own, or else the cpu device.
function M.at_home(name, x, operation)
  if not core.lapack_lacks(x.device, operation) then return x end
  core.check_waiting(name)
  return core.as_array(x, nil, HOST, name)
end

--- Arrays on a device.
function M.back(name, device, ...)
  local list = {...}
  for i = 1, #list do list[i] = core.as_array(list[i], nil, device, name) end
  return unpack(list)
end

--- Schur's form of square matrices, column by column.
---@param a cuna.Array (..., n, n) on a device that has it
---@param order string LAPACK's letter of the eigenvalues that come first
---@return cuna.Array t column by column
---@return cuna.Array z column by column
---@return cuna.Array values complex
function M.columns(name, a, dtype, order)
  local t = lapack.finite(name, matrices.transposed(a), dtype, true)
  local z, values, info = lapack.gees(name, t, order)
  lapack.check(name, info, "unconverged")
  return t, z, values
end

local ORDERS = {lhp = "L", rhp = "R", iuc = "I", ouc = "O"}

--- How many eigenvalues, at most all, come first.
local COUNTED = {
  L = function(w) return w.real:lt(0) end, R = function(w) return w.real:ge(0) end,
  I = function(w) return w:abs():le(1) end, O = function(w) return w:abs():gt(1) end,
}

local function is_complex_form(output, name)
  if output == nil or output == "real" or output == "r" then return false end
  if output == "complex" or output == "c" then return true end
  fail("%s: output is \"real\" or \"complex\", got %s", name, check.show(output))
end

local read_schur = args.reader("linalg.schur", {"a", "output", "sort"})

--- Schur's form t of square matrices, a = z t z^H: z is unitary, and t upper triangular. In the real form of real
--- matrices pairs of complex eigenvalues are blocks of 2 x 2 on t's diagonal. On GPUs matrices are copied to the host,
--- and this waits: cuSOLVER does not have it. Follows scipy.linalg.schur.
---@param a cuna.Operand shape (..., n, n)
---@param output string|nil "real" (default): t of real matrices is real; "complex"
---@param sort string|nil which eigenvalues come first: "lhp" those with negative real parts, "rhp" the others; "iuc"
---  those up to the unit circle, "ouc" the others
---@return cuna.Array t
---@return cuna.Array z
---@return cuna.Array|nil count with sort: how many come first, for each matrix
---@usage cn.linalg.schur {{2, 1}, {0, 3}} --> [[2. 1.] [0. 3.]], [[1. 0.] [0. 1.]]
---@usage select(3, cn.linalg.schur({{2, 1}, {0, -3}}, {sort = "lhp"})) --> 1
function F.schur(...)
  local name, a, output, sort = "linalg.schur", read_schur(...)
  local order = sort == nil and "N" or ORDERS[sort]
  if not order then
    fail("%s: sort is \"lhp\", \"rhp\", \"iuc\" or \"ouc\", got %s", name, check.show(sort))
  end
  local dtype
  a, dtype = factor.open(name, a)
  matrices.square(a, name)
  if is_complex_form(output, name) then dtype = matrices.complex(dtype) end
  local device = a.device
  local t, z, values = M.columns(name, M.at_home(name, a, "gees"), dtype, order)
  t, z = factor.rows_of(t, name), factor.rows_of(z, name)
  if order == "N" then return M.back(name, device, t, z) end
  return M.back(name, device, t, z, COUNTED[order](values):sum(-1))
end

--- The matrix of the reflectors below the subdiagonal, column by column.
local function reflected(name, columns, scales)
  local n = columns.shape[columns.ndim]
  local q = triangle.identity(name, matrices.stack(columns), n, columns)
  local axis = columns.ndim
  local inner = slices.part(slices.part(columns, axis - 1, 1, n - 1), axis, 2, n - 1)
  local made = lapack.orgqr(name, core.cast(inner, nil, name),
    core.cast(slices.part(scales, axis - 1, 1, n - 1), nil, name))
  core.copy(slices.part(slices.part(q, axis - 1, 2, n - 1), axis, 2, n - 1), made, name)
  return q
end

local read_hessenberg = args.reader("linalg.hessenberg", {"a", "calc_q"})

--- Hessenberg's form h of square matrices, a = q h q^H: q is unitary, and h has zeros below its first subdiagonal. On
--- GPUs matrices are copied to the host, and this waits. Follows scipy.linalg.hessenberg.
---@param a cuna.Operand shape (..., n, n)
---@param calc_q boolean|nil whether q is returned, default false
---@return cuna.Array h
---@return cuna.Array|nil q
---@usage cn.linalg.hessenberg {{1, 2}, {3, 4}} --> [[1. 2.] [3. 4.]]
---@usage select(2, cn.linalg.hessenberg({{1, 2}, {3, 4}}, true)) --> [[1. 0.] [0. 1.]]
function F.hessenberg(...)
  local name, a, calc_q = "linalg.hessenberg", read_hessenberg(...)
  calc_q = check.boolean(calc_q, false, name, "calc_q")
  local dtype
  a, dtype = factor.open(name, a)
  matrices.square(a, name)
  local device, n = a.device, a.shape[a.ndim]
  if n < 3 then
    local h = core.cast(a, dtype, name)
    if not calc_q then return h end
    return h, triangle.identity(name, matrices.stack(h), n, h)
  end
  local columns = factor.columns_of(M.at_home(name, a, "gehrd"), dtype, name)
  local scales = lapack.gehrd(name, columns)
  local h = args.namespace.triu(factor.rows_of(columns, name), -1)
  if not calc_q then return (M.back(name, device, h)) end
  return M.back(name, device, h, factor.rows_of(reflected(name, columns, scales), name))
end

return M

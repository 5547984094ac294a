--- lu.lua: LU factors of matrices.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local factor = require "cuna.linalg.factor"
local gather = require "cuna.gather"
local lapack = require "cuna.linalg.lapack"
local matrices = require "cuna.linalg.matrices"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local solve = require "cuna.linalg.solve"
local triangle = require "cuna.linalg.triangle"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local behind = matrices.behind

local read_lu_factor = args.reader("linalg.lu_factor", {"a", "check"})

--- LU factors of matrices, for cn.linalg.lu_solve: l without its diagonal of ones below u. A singular matrix is a
--- LinAlgError, unless check is false. Follows scipy.linalg.lu_factor.
---@param a cuna.Operand shape (..., m, n)
---@param check boolean|nil default true
---@return cuna.Array lu
---@return cuna.Array pivots int64 positions from 1: row k was exchanged with row pivots[k], for k = 1, 2, ...
---@usage cn.linalg.lu_factor {{1, 2}, {4, 4}} --> [[4. 4. ] [0.25 1. ]], [2 2]
function F.lu_factor(...)
  local name, a, checks = "linalg.lu_factor", read_lu_factor(...)
  local dtype
  a, dtype = factor.open(name, a)
  local factors = factor.columns_of(a, dtype, name)
  local pivots, info = lapack.getrf(name, factors)
  if check.boolean(checks, true, name, "check") then lapack.check(name, info, "singular") end
  return factor.rows_of(factors, name), pivots
end

--- Pivots that are none lead nowhere: they are reported, and taken for the first row.
local function pivots_of(name, pivots, lu, rows)
  if pivots.dtype == "bool" or matrices.is_complex(pivots.dtype) then
    fail("%s: pivots are positions, got an array of %s", name, pivots.dtype)
  elseif not core.has_shape(pivots, unpack(behind(matrices.stack(lu), rows))) then
    fail("%s: pivots of shape %s do not go with factors of shape %s", name, tostring(pivots.shape), tostring(lu.shape))
  end
  return elementwise.functions.maximum(gather.places(pivots, rows, nil, name), 1)
end

local read_lu_solve = args.reader("linalg.lu_solve", {"lu_and_pivots", "b", "trans"}, 2)

--- Solves a x = b by what cn.linalg.lu_factor gave of a. Follows scipy.linalg.lu_solve.
---@param lu_and_pivots cuna.Array[] {lu, pivots}
---@param b cuna.Operand shape (n,) or (..., n, k)
---@param trans integer|string|nil 0 or "N" (default); 1 or "T": the transpose of a; 2 or "C": its conjugate transpose
---@return cuna.Array
---@usage cn.linalg.lu_solve({cn.linalg.lu_factor {{3, 1}, {1, 2}}}, {9, 8}) --> [2. 3.]
function F.lu_solve(...)
  local name, given, b, trans = "linalg.lu_solve", read_lu_solve(...)
  local lu, pivots = solve.pair_of(given, name, "lu, pivots")
  lu, pivots, b = matrices.arrays(name, lu, pivots, b)
  local rows, letter = matrices.square(lu, name), solve.trans_of(trans, name)
  local dtype = matrices.dtype(name, lu.dtype, b.dtype)
  local stacked = core.reshape(pivots_of(name, pivots, lu, rows), behind(matrices.stack(lu), 1, rows), name)
  return solve.solve_all(name, lu, b, dtype, function(whole, columns)
    local stack = matrices.stack(whole)
    local spread = core.reshape(stacked, behind(#stack == 0 and {} or matrices.stack(stacked), 1, rows), name)
    spread = core.cast(matrices.spread(spread, stack, name), "int64", name)
    lapack.getrs(name, factor.columns_of(whole, dtype, name), core.reshape(spread, behind(stack, rows), name), columns,
      letter)
  end)
end

local read_lu = args.reader("linalg.lu", {"a", "permute_l", "p_indices"})

local function draw_matrix(draft, dtype)
  local place, row = draft:input "int64", draft:input "int32"
  draft:step("permutation", "T(a == b)", dtype, {place, row}, "int64")
  draft.output = dtype
end

--- The matrix that puts row k to places[k].
local function permutation_matrix(name, places, dtype)
  local stack = places.shape
  local rows = table.remove(stack)
  local line = with.on(places, require("cuna.create").functions.range, 1, rows)
  return core.map(program.get("permutation " .. dtype, draw_matrix, dtype), name, behind(stack, rows, rows), nil,
    core.reshape(places, behind(stack, 1, rows), name), core.reshape(core.cast(line, "int32", name), {rows, 1}, name))
end

--- Rows of l at the places of others.
local function permuted(name, l, places)
  local order = require("cuna.sort").functions.argsort(places)
  order = core.reshape(order, behind(order.shape, 1), name)
  return require("cuna.take").functions.take_along_axis(l, order, -2)
end

--- Factors matrices as a = p l u: a permutation, a lower triangle with ones on its diagonal, an upper triangle.
--- Singular matrices have factors, too. Follows scipy.linalg.lu.
---@param a cuna.Operand shape (..., m, n)
---@param permute_l boolean|nil true: returns p l and u
---@param p_indices boolean|nil true: in place of a matrix p is positions from 1, for which a[p] is l u
---@return cuna.Array p (..., m, m)
---@return cuna.Array l (..., m, k) with k = min(m, n)
---@return cuna.Array|nil u (..., k, n)
---@usage cn.linalg.lu {{1, 2}, {4, 4}} --> [[0. 1.] [1. 0.]], [[1. 0. ] [0.25 1. ]], [[4. 4.] [0. 1.]]
function F.lu(...)
  local name, a, permute_l, p_indices = "linalg.lu", read_lu(...)
  permute_l = check.boolean(permute_l, false, name, "permute_l")
  p_indices = check.boolean(p_indices, false, name, "p_indices")
  local dtype
  a, dtype = factor.open(name, a)
  local factors = factor.columns_of(a, dtype, name)
  local pivots = lapack.getrf(name, factors)
  local rows, axis = a.shape[a.ndim - 1], a.ndim
  local least, whole = math.min(rows, a.shape[axis]), matrices.transposed(factors)
  local places = lapack.permutation(name, pivots, rows)
  local l = triangle.of(name, slices.part(whole, axis, 1, least), "unit_lower")
  local u = triangle.of(name, slices.part(whole, axis - 1, 1, least), "upper")
  if permute_l then return permuted(name, l, places), u end
  return p_indices and places or permutation_matrix(name, places, matrices.real(dtype)), l, u
end

return M

--- linalg/init.lua: cn.linalg: the table of functions of linear algebra. Loaded on first use.
--
-- The functions are in the other files of this folder; some are functions of cuna, too. Failures that depend on the
-- values of elements raise a LinAlgError: at once on the cpu device, elsewhere at the next synchronisation.
local args = require "cuna.base.args"
local C = require("cuna.stand_in").functions
local check = require "cuna.base.check"
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"
local strides = require "cuna.strides"

local M = {namespace = {}}
local F = M.namespace -- cn.linalg

for _, file in ipairs {"expm", "factor", "lstsq", "lu", "named_matrices", "norm", "patterns", "roots", "schur", "solve",
  "spaces"} do
  for name, fn in pairs(require("cuna.linalg." .. file).functions) do F[name] = core.front("linalg." .. name, fn) end
end

F.cross, F.matmul, F.matrix_power, F.matrix_transpose = C.cross, C.matmul, C.matrix_power, C.matrix_transpose
F.kron, F.multi_dot, F.outer, F.tensordot, F.vecdot = C.kron, C.multi_dot, C.outer, C.tensordot, C.vecdot

local read_diagonal = args.reader("linalg.diagonal", {"x", "offset"})

--- Diagonals of matrices, as a last axis: of the last two axes, where cn.diagonal takes the first two. A view. Follows
--- numpy.linalg.diagonal.
---@param x cuna.Operand shape (..., m, n)
---@param offset integer|nil positive above the main diagonal, default 0
---@return cuna.Array
---@usage cn.linalg.diagonal(cn.arange(8):reshape(2, 2, 2)) --> [[0 3] [4 7]]
function F.diagonal(...)
  local x, offset = read_diagonal(...)
  return strides.diagonal("linalg.diagonal", check.array(x, "linalg.diagonal"), offset, -2, -1)
end

local read_trace = args.reader("linalg.trace", {"x", "offset", "dtype"})

--- Sums of the diagonals of matrices: of the last two axes, where cn.trace takes the first two. Follows
--- numpy.linalg.trace.
---@param x cuna.Operand shape (..., m, n)
---@param offset integer|nil positive above the main diagonal, default 0
---@param dtype string|nil default as cn.sum's
---@return cuna.Array
---@usage cn.linalg.trace(cn.arange(8):reshape(2, 2, 2)) --> [ 3 11]
function F.trace(...)
  local x, offset, dtype = read_trace(...)
  return strides.sum_diagonal("linalg.trace", check.array(x, "linalg.trace"), offset, -2, -1, dtype)
end

F.LinAlgError = "LinAlgError" -- the word in the messages of errors, to be looked for

namespace.make("linalg", F)

return M

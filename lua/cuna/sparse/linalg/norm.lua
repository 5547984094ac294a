--- norm.lua: norms of sparse matrices, of their rows and columns.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local convert = require "cuna.sparse.convert"
local core = require "cuna.core"
local later = require "cuna.base.later"
local object = require "cuna.sparse.object"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail = check.fail
local norms = later.functions "linalg.norm"
local NAME = "sparse.linalg.norm"

--- Sizes of the elements, in csr.
local function sizes_of(A)
  local made = convert.canonical(A, "csr"):abs()
  return made.is_array and made or object.new("csr", made.lengths, made, true, made.facts)
end

-- ---- of the matrix ----

local function frobenius(A) return norms.vector_norm(convert.canonical(A, "csr").data) end

--- The axis along which sizes are summed, and what is taken of the sums, by the order.
local OF_MATRIX = {[1] = {1, "max"}, [-1] = {1, "min"}, [math.huge] = {2, "max"}, [-math.huge] = {2, "min"}}

local function of_matrix(A, ord, axes)
  if ord == nil or ord == "fro" or ord == "f" then return frobenius(A) end
  local row = OF_MATRIX[ord]
  if not row then
    fail("%s: of a matrix ord is \"fro\", 1, -1, cn.inf or -cn.inf, got %s; cn.linalg.norm(A:toarray(), ord) has more",
      NAME, check.show(ord))
  end
  if A.lengths[1] * A.lengths[2] == 0 then
    fail("%s: a matrix without elements has no such norm; its shape is %s", NAME, tostring(A.shape))
  end
  local sums = sizes_of(A):sum(axes[row[1]])
  return row[2] == "max" and sums:max() or sums:min()
end

-- ---- of its lines ----

local function extreme_of(sizes, which, axis) return sizes[which](sizes, axis):toarray():reshape(-1) end

local function of_lines(A, ord, axis)
  local sizes = sizes_of(A)
  if ord == math.huge then return extreme_of(sizes, "max", axis) end
  if ord == -math.huge then return extreme_of(sizes, "min", axis) end
  if ord == 0 then return convert.with_data(sizes, sizes.data:ne(0)):sum(axis) end
  if ord == 1 then return sizes:sum(axis) end
  if ord == nil or ord == 2 then return sizes:power(2):sum(axis):sqrt() end
  if type(ord) ~= "number" then fail("%s: of rows and columns ord is a number, got %s", NAME, check.show(ord)) end
  return sizes:power(ord):sum(axis) ^ (1 / ord)
end

-- ---- what users call ----

--- One axis, or the two.
local function axes_of(axis)
  if axis == nil then return {1, 2} end
  if type(axis) ~= "table" then return {core.axis(axis, 2, NAME)} end
  if #axis ~= 1 and #axis ~= 2 then fail("%s: axis is one axis or two, got %d", NAME, #axis) end
  local list = {}
  for k, one in ipairs(axis) do list[k] = core.axis(one, 2, NAME) end
  if list[1] == list[2] then fail("%s: axis %d is there twice", NAME, list[1]) end
  return list
end

local read = args.reader(NAME, {"x", "ord", "axis"})

--- The norm of a sparse matrix, or those of its columns (axis 1) or rows (axis 2). Of a matrix: "fro" (default), 1 and
--- -1 (greatest and least sum of a column's sizes), cn.inf and -cn.inf (of a row's). Of columns and rows: as
--- cn.linalg.norm's of vectors, default 2. Follows scipy.sparse.linalg.norm.
---@param x cuna.SparseMatrix
---@param ord number|string|nil
---@param axis integer|integer[]|nil one axis, or both; default: both
---@return cuna.Array 0-d; with one axis a vector
---@usage cn.sparse.linalg.norm(cn.sparse.csr_matrix({{3, 0}, {0, -4}})) --> 5.0
---@usage cn.sparse.linalg.norm(cn.sparse.csr_matrix({{3, 0}, {1, -4}}), 1, 2) --> [3. 5.]
function F.norm(...)
  local A, ord, axis = read(...)
  if not object.is(A) then
    fail("%s: expected a sparse matrix, got %s; cn.linalg.norm takes arrays", NAME, check.show(A))
  end
  local axes = axes_of(axis)
  if #axes == 2 then return of_matrix(A, ord, axes) end
  return of_lines(A, ord, axes[1])
end

return M

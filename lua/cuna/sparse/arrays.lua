--- arrays.lua: sparse arrays, SciPy's newer class, by their own functions; which class a value has.
local args = require "cuna.base.args"
local blocks = require "cuna.sparse.blocks"
local build = require "cuna.sparse.build"
local check = require "cuna.base.check"
local given = require "cuna.sparse.given"
local object = require "cuna.sparse.object"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- A matrix as an array, which shares its parts.
local function as_array(A) return object.new(A.format, A.lengths, A, true, A.facts) end

local read_eye = args.reader("sparse.eye_array", {"m", "n", "k", "dtype", "format"}, 1)

--- A sparse array with ones on a diagonal. Follows scipy.sparse.eye_array.
---@param m integer rows
---@param n integer|nil columns; default m
---@param k integer|nil the diagonal; default 0
---@param dtype string|nil default: the default float
---@param format string|nil default "dia"
---@return cuna.SparseMatrix
---@usage (cn.sparse.eye_array(2) * 3):toarray() --> [[3. 0.] [0. 3.]]
function F.eye_array(...) return as_array(build.functions.eye(read_eye(...))) end

local read_diags = args.reader("sparse.diags_array", {"diagonals", "offsets", "shape", "format", "dtype"}, 1)

--- A sparse array of diagonals. Follows scipy.sparse.diags_array.
---@param diagonals table|cuna.Operand vectors or numbers, one for each offset
---@param offsets integer|integer[]|nil default 0
---@param shape integer[]|nil default: square, for the first diagonal
---@param format string|nil default "dia"
---@param dtype string|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.diags_array({{1, 2}, {3}}, {offsets = {0, 1}}):toarray() --> [[1. 3.] [0. 2.]]
function F.diags_array(...) return as_array(build.functions.diags(read_diags(...))) end

local read_block = args.reader("sparse.block_array", {"blocks", "format", "dtype"}, 1)

--- A sparse array out of rows of blocks; false stands for a block of zeros. Follows scipy.sparse.block_array.
---@param blocks table rows of sparse matrices or dense ones
---@param format string|nil default "coo", or that of csr and csc blocks in line
---@param dtype string|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.block_array({{cn.sparse.eye_array(1), false}, {false, {{5}}}}):toarray() --> [[1. 0.] [0. 5.]]
function F.block_array(...) return as_array(blocks.functions.bmat(read_block(...))) end

local read_random = args.reader("sparse.random_array", {"shape", "density", "format", "dtype", "rng", "data_sampler"},
  1)

--- A sparse array with uniform elements at random positions, those of cn.sparse.random. Follows
--- scipy.sparse.random_array.
---@param shape integer[] (rows, columns)
---@param density number|nil the part of the positions that have elements; default 0.01
---@param format string|nil default "coo"
---@param dtype string|nil default: the default float
---@param rng integer|cuna.Generator|nil a seed, or a generator
---@param data_sampler (fun(size: integer): cuna.Operand)|nil gives the elements
---@return cuna.SparseMatrix
---@usage cn.sparse.random_array({10, 20}, {density = 0.1, rng = 1}).nnz --> 20
function F.random_array(...)
  local name, shape, density, format, dtype, rng, sampler = "sparse.random_array", read_random(...)
  local lengths = given.shape(shape, name)
  if not lengths then fail "sparse.random_array: shape is missing" end
  return as_array(build.draw(name, {state = "rng", sampler = "data_sampler"}, lengths, density, format, dtype, rng,
    sampler))
end

-- ---- which class, which format ----

local function is_matrix(x) return object.is(x) and not x.is_array end

--- Whether a value is a sparse matrix, not a sparse array. Follows scipy.sparse.isspmatrix.
---@param x any
---@return boolean
---@usage cn.sparse.isspmatrix(cn.sparse.eye(2)), cn.sparse.isspmatrix(cn.sparse.eye_array(2)) --> true, false
function F.isspmatrix(x) return is_matrix(x) end

local function of_format(format)
  return function(x) return is_matrix(x) and x.format == format end
end

--- Whether a value is a sparse matrix in csr. Follows scipy.sparse.isspmatrix_csr.
---@param x any
---@return boolean
---@usage cn.sparse.isspmatrix_csr(cn.sparse.csr_matrix({{1}})) --> true
F.isspmatrix_csr = of_format "csr"

--- Whether a value is a sparse matrix in csc. Follows scipy.sparse.isspmatrix_csc.
---@param x any
---@return boolean
---@usage cn.sparse.isspmatrix_csc(cn.sparse.csr_matrix({{1}})) --> false
F.isspmatrix_csc = of_format "csc"

--- Whether a value is a sparse matrix in coo. Follows scipy.sparse.isspmatrix_coo.
---@param x any
---@return boolean
---@usage cn.sparse.isspmatrix_coo(cn.sparse.random(2, 2)) --> true
F.isspmatrix_coo = of_format "coo"

--- Whether a value is a sparse matrix in dia. Follows scipy.sparse.isspmatrix_dia.
---@param x any
---@return boolean
---@usage cn.sparse.isspmatrix_dia(cn.sparse.eye(2)) --> true
F.isspmatrix_dia = of_format "dia"

return M

--- formats.lua: the functions that make sparse matrices of what a user has.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local given = require "cuna.sparse.given"
local object = require "cuna.sparse.object"

local M = {functions = {}}
local F = M.functions

local function maker(format, is_array)
  local name = ("sparse.%s_%s"):format(format, is_array and "array" or "matrix")
  local read = args.reader(name, {"arg1", "shape", "dtype", "copy"}, 1)
  return function(...)
    local value, shape, dtype, copy = read(...)
    return given.made(value, format, shape, dtype, check.boolean(copy, false, name, "copy"), is_array, name)
  end
end

--- A matrix that has the elements row by row: the format for products, and for taking rows. `*` is the product of
--- matrices. Follows scipy.sparse.csr_matrix.
---
--- The first argument is one of
---
--- - a dense array or nested table of two axes; a vector is a row;
--- - {data, {row, col}} or {data =, row =, col =}: elements and their positions, which count from 1; those at one
---   position are summed;
--- - {data =, indices =, indptr =} or {data, indices, indptr} of three arrays: the elements row by row, their columns,
---   and where each row begins among them, from 1, with one entry more behind the last row;
--- - {shape = {rows, columns}}: no elements;
--- - another sparse matrix.
---
--- Arrays that fit are shared.
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil default: up to the greatest positions
---@param dtype string|nil of the elements; default: theirs
---@param copy boolean|nil whether arrays are copied; default false
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}).indices --> [1 3 3]
---@usage cn.sparse.csr_matrix({{4, 5}, {{1, 2}, {3, 1}}}):toarray() --> [[0. 0. 4.] [5. 0. 0.]]
---@usage cn.sparse.csr_matrix({data = {1, 2}, indices = {1, 3}, indptr = {1, 3}}):toarray() --> [[1. 0. 2.]]
---@usage cn.sparse.csr_matrix({shape = {2, 3}}, {dtype = "int32"}).nnz --> 0
F.csr_matrix = maker("csr", false)

--- A matrix that has the elements column by column, as csr_matrix has them row by row: `indices` are rows, `indptr` has
--- an entry for each column. Follows scipy.sparse.csc_matrix.
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype string|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.csc_matrix({{1, 0, 2}, {0, 0, 3}}).indices --> [1 1 2]
F.csc_matrix = maker("csc", false)

--- A matrix that has the elements with their rows and columns, in any order, also several at one position, which count
--- as their sum. Made of what csr_matrix takes but indptr. Follows scipy.sparse.coo_matrix.
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype string|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.coo_matrix({{4, 5}, {{1, 1}, {3, 3}}}).data --> [4. 5.]
F.coo_matrix = maker("coo", false)

--- A matrix that has whole diagonals: of data, a row for each offset, with the element of column j at position j. Made
--- of {data, offsets} or {data =, offsets =} and the shape, or of what coo_matrix takes. Follows
--- scipy.sparse.dia_matrix.
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype string|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.dia_matrix({{{1, 2}, {4, 5}}, {0, 1}}, {2, 2}):toarray() --> [[1. 5.] [0. 2.]]
F.dia_matrix = maker("dia", false)

--- As csr_matrix, but `*` and `^` go by elements. Follows scipy.sparse.csr_array.
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype string|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.csr_array({{1, 2}}).is_array --> true
F.csr_array = maker("csr", true)

--- As csc_matrix, but `*` and `^` go by elements. Follows scipy.sparse.csc_array.
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype string|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.csc_array({{1, 2}}).format --> csc
F.csc_array = maker("csc", true)

--- As coo_matrix, but `*` and `^` go by elements. Follows scipy.sparse.coo_array.
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype string|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.coo_array({{1, 0, 2}}).col --> [1 3]
F.coo_array = maker("coo", true)

--- As dia_matrix, but `*` and `^` go by elements. Follows scipy.sparse.dia_array.
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype string|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.dia_array({{1, 0}, {0, 2}}).data --> [[1. 2.]]
F.dia_array = maker("dia", true)

--- Whether a value is a sparse matrix or array. Follows scipy.sparse.issparse.
---@param x any
---@return boolean
---@usage cn.sparse.issparse(cn.sparse.eye(2)), cn.sparse.issparse(cn.eye(2)) --> true, false
function F.issparse(x) return object.is(x) end

return M

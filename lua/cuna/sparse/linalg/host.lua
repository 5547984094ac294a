--- host.lua: sparse matrices in the memory of the host, as the makers of factors read them.
local ffi = require "ffi"

local convert = require "cuna.sparse.convert"
local core = require "cuna.core"

local M = {}

local HOST = core.device "cpu"

--- A square matrix with positions from 0, sorted, without two elements in one place. `arrays` keeps the memory of the
--- pointers.
---@class cuna.HostMatrix
---@field dtype string "float64" or "complex128"
---@field size integer
---@field count integer elements
---@field starts ffi.cdata* where rows or columns start
---@field at ffi.cdata* positions in them
---@field elements ffi.cdata* doubles, one or two for a number

--- Reads a matrix that has rows.
---@param A cuna.SparseMatrix
---@param format string "csr" or "csc"
---@param starts_dtype string
---@param at_dtype string
---@return cuna.HostMatrix
function M.read(A, format, starts_dtype, at_dtype, name)
  local B = convert.canonical(A, format)
  local dtype = B.dtype:find "^complex" and "complex128" or "float64"
  local starts = core.cast(B.indptr:to(HOST), starts_dtype, name) - 1
  local at = core.cast(B.indices:to(HOST), at_dtype, name) - 1
  local data = core.cast(B.data:to(HOST), dtype, name)
  return {dtype = dtype, size = A.lengths[1], count = data.size, starts = starts:pointer(), at = at:pointer(),
    elements = ffi.cast("double *", data:pointer()), arrays = {starts, at, data}}
end

return M

--- files.lua: sparse matrices in SciPy's .npz files, whose positions count from 0.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.sparse.given"
local later = require "cuna.base.later"
local object = require "cuna.sparse.object"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local files, npz_files = later.functions "io.files", later.functions "io.npz"

-- The parts that count from 1 here, and from 0 there.
local COUNTED = {indices = true, indptr = true, row = true, col = true}

local read_save = args.reader("sparse.save_npz", {"file", "matrix", "compressed"}, 2)

--- Writes a sparse matrix as SciPy does. A path without the suffix .npz gets it. Follows scipy.sparse.save_npz.
---@param file string a path
---@param matrix cuna.SparseMatrix
---@param compressed boolean|nil whether the arrays are compressed; default true
---@usage cn.sparse.save_npz("/dev/null", cn.sparse.eye(3)) -->
function F.save_npz(...)
  local name = "sparse.save_npz"
  local path, A, compressed = read_save(...)
  object.check(A, name)
  local arrays = {format = A.format, shape = core.as_array(A.lengths, "int64", core.device "cpu", name)}
  for _, part in ipairs(object.PARTS[A.format]) do
    arrays[part] = COUNTED[part] and A.parts[part] - 1 or A.parts[part]
  end
  files.write_npz(path, arrays, check.boolean(compressed, true, name, "compressed"), name)
end

--- The parts of a matrix in a file.
local function read_parts(npz, format)
  local of = {}
  for _, part in ipairs(object.PARTS[format]) do
    of[part] = npz:read(part)
    if COUNTED[part] then of[part] = of[part] + 1 end
  end
  return of
end

--- Reads a sparse matrix that scipy.sparse.save_npz or cn.sparse.save_npz wrote; bsr is an error. Follows
--- scipy.sparse.load_npz.
---@param file string|table a path, or {text = the file's bytes}
---@return cuna.SparseMatrix
---@usage cn.sparse.load_npz("spec/golden/files/sparse_csr.npz"):toarray() --> [[1. 0. 2.] [0. 0. 3.]]
function F.load_npz(file)
  local name = "sparse.load_npz"
  local npz = files.load(file)
  if core.is_array(npz) or not npz:has "format" then fail("%s: this file has no sparse matrix", name) end
  local format = npz_files.read_text(npz, "format")
  if not object.PARTS[format] then fail("%s: the format is '%s', and cuna has csr, csc, coo and dia", name, format) end
  local shape = npz:read("shape"):totable()
  local is_array = npz:has "_is_array" and npz:read("_is_array"):item() or false
  local A = given.made(read_parts(npz, format), format, shape, nil, false, is_array, name)
  npz:close()
  return A
end

return M

--- object.lua: sparse matrices as objects: their parts, fields and methods, and how they print.
--
-- A matrix has a format, a shape, and arrays on one device. Positions in them count from 1, as do the entries of
-- indptr: row r of csr has the elements indptr[r] up to indptr[r + 1] - 1. So parts are indices of other arrays as they
-- are. The parts of a matrix never change by what cuna does with another one; matrices may share them.
--
-- `is_array` says which of SciPy's two classes it is: `*` and `^` of a matrix are products of matrices, of an array
-- they go by elements, and reductions of a matrix keep their axis.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local scopes = require "cuna.base.scope"
local suggest = require "cuna.base.suggest"
local with = require "cuna.base.with"

local M = {}

local fail = check.fail

--- A sparse matrix or array: what cn.sparse.csr_matrix and its kind make. Positions in its parts count from 1.
---
--- A[key] takes keys as arrays have, and gives a sparse matrix, of one row too; A[{i, j}] is a number, and of two
--- arrays of positions A[{rows, columns}] is a dense vector. A[key] = value gives elements.
---
---@class cuna.SparseMatrix
---@field format string "csr", "csc", "coo" or "dia"
---@field shape integer[] (rows, columns)
---@field dtype string of the elements
---@field nnz integer number of stored elements
---@field ndim integer 2
---@field size integer number of stored elements, as nnz
---@field is_array boolean whether `*` goes by elements
---@field device cuna.Device
---@field T cuna.SparseMatrix the transpose, which shares the parts of csr, csc and coo
---@field data cuna.Array the elements; of dia a row for each diagonal
---@field indices cuna.Array of csr the columns of the elements, of csc their rows, from 1
---@field indptr cuna.Array of csr and csc: where each row or column begins, from 1, and one position more
---@field row cuna.Array of coo: the rows of the elements, from 1
---@field col cuna.Array of coo: their columns, from 1
---@field offsets cuna.Array of dia: the diagonals, 0 for the main one, above it greater than 0
---@field has_sorted_indices boolean of csr and csc: whether positions rise in each row or column
---@field has_canonical_format boolean whether besides no position is there twice
local methods, fields, meta = {}, {}, {__metatable = "cuna sparse matrix"}
M.methods, M.fields, M.meta = methods, fields, meta

M.NAMES = {csr = "Compressed Sparse Row", csc = "Compressed Sparse Column", coo = "COOrdinate", dia = "DIAgonal"}
M.PARTS = {csr = {"data", "indices", "indptr"}, csc = {"data", "indices", "indptr"}, coo = {"data", "row", "col"},
  dia = {"data", "offsets"}}
-- The axis whose positions have the elements in line.
M.MAJOR = {csr = 1, csc = 2}
M.OTHER = {csr = "csc", csc = "csr", coo = "coo", dia = "dia"}

--- Whether a value is a sparse matrix.
function M.is(value) return type(value) == "table" and rawequal(debug.getmetatable(value), meta) end

--- A matrix of parts, which are right.
---@param like boolean|cuna.SparseMatrix|nil is_array, or a matrix of the same class
---@param facts table|nil is_sorted, is_canonical: what is known of the parts
function M.new(format, shape, parts, like, facts)
  local A = {format = format, lengths = {shape[1], shape[2]}, is_array = false, parts = {}, facts = facts or {}}
  if type(like) == "table" then A.is_array = like.is_array elseif like then A.is_array = true end
  for _, part in ipairs(M.PARTS[format]) do A.parts[part] = parts[part] end
  return setmetatable(A, meta)
end

--- Keeps what was found out of a matrix, also after the scope where this was, but not in a rehearsal, where elements
--- mean nothing; returns it.
---@param facts table of a matrix
function M.remember(facts, name, value)
  if core.is_preparing() then return value end
  scopes.disown(value)
  facts[name] = value
  return value
end

--- Gives a matrix the parts of another one of its format and shape, which stay as what is written to an array does.
function M.replace(A, B)
  A.parts, A.facts = B.parts, B.facts
  scopes.disown(B.parts)
end

--- The dtype of positions up to `most`.
function M.index_dtype(...)
  return math.max(...) < 2 ^ 31 - 1 and "int32" or "int64"
end

-- ---- fields ----

--- Two lengths as a shape, which prints as those of arrays.
function M.shape(lengths) return setmetatable({unpack(lengths)}, getmetatable(core.empty(0, "bool").shape)) end

function fields.shape(A) return M.shape(A.lengths) end
function fields.dtype(A) return A.data.dtype end
function fields.ndim() return 2 end
function fields.device(A) return A.data.device end

--- Elements on the diagonals of dia that are in the matrix, without the zeros beside them.
local function count_on_diagonals(A)
  local rows, columns, count = A.lengths[1], A.lengths[2], 0
  for _, k in ipairs(A.offsets:totable()) do
    count = count + math.max(0, k > 0 and math.min(rows, columns - k) or math.min(rows + k, columns))
  end
  return count
end

function fields.nnz(A) return A.format == "dia" and count_on_diagonals(A) or A.data.size end
fields.size = fields.nnz

function fields.T(A) return A:transpose() end

-- ---- reading, writing ----

local function self_of(A, name)
  if M.is(A) then return A end
  fail("%s: a sparse matrix's function is called with a colon: A:%s(...)", name, name)
end

local function on_device(A, fn, ...)
  local device = A.data.device
  if device == args.namespace.device() then return fn(A, ...) end
  return with.on(device, fn, A, ...)
end

--- Adds methods, which run on the device of their matrix.
---@param list table<string, function>
function M.add_methods(list)
  for name, fn in pairs(list) do
    methods[name] = function(A, ...) return on_device(self_of(A, name), fn, ...) end
  end
end

--- A function that runs on the device of a matrix, its first argument, or else its second one.
function M.on_device(fn)
  return function(a, ...)
    if M.is(a) then return on_device(a, fn, ...) end
    local b = (...)
    if not M.is(b) or b.device == args.namespace.device() then return fn(a, ...) end
    return with.on(b.device, fn, a, ...)
  end
end

local BUILT = {tolil = true, todok = true} -- SciPy's conversions to formats whose elements are set

local function refuse_field(A, key)
  for format, parts in pairs(M.PARTS) do
    for _, part in ipairs(parts) do
      if part == key then fail("a %s matrix has no %s; write A:to%s().%s", A.format, key, format, key) end
    end
  end
  if BUILT[key] then
    fail("a sparse matrix has no '%s': elements of all formats are set, as A[{row, column}] = value, many at once with "
      .. "arrays of positions", key)
  end
  fail("a sparse matrix has no field or method '%s'%s", tostring(key),
    suggest.hint(key, methods, fields))
end

function meta.__index(A, key)
  local part = A.parts[key]
  if part then return part end
  local field = fields[key]
  if field then return on_device(A, field) end
  if methods[key] then return methods[key] end
  if type(key) == "string" and not key:find "^%s*[%d:-]" then refuse_field(A, key) end
  return M.read_at(A, key)
end

--- Gives a matrix other elements at the same positions.
local function set_data(A, data)
  local old = A.parts.data
  if not (core.is_array(data) and data.device == old.device and core.same_shape(data, old)) then
    fail("A.data is an array of shape %s on %s, got %s", tostring(old.shape), old.device.name, check.show(data))
  end
  local parts = {}
  data = data.flags.c_contiguous and data or data:copy()
  for part, x in pairs(A.parts) do parts[part] = part == "data" and data or x end
  A.parts = parts
end

function meta.__newindex(A, key, value)
  if key == "data" then return set_data(A, value) end
  if type(key) == "string" and not key:find "^%s*[%d:-]" then
    fail("'%s' of a sparse matrix cannot be set; elements can: A[{row, column}] = value, and A.data",
      tostring(key))
  end
  M.write_at(A, key, value)
end

function meta.__len(A) return A.lengths[1] end

-- ---- text ----

local MOST = 50 -- elements that are printed

--- A line for each of the elements first..last of coordinates.
local function list_elements(lines, coo, first, last)
  for k = first, last do
    lines[#lines + 1] = ("  (%d, %d)\t%s"):format(coo.row[k], coo.col[k], tostring(coo.data[{{k, k}}]:reshape {}))
  end
end

function meta.__tostring(A)
  return on_device(A, function()
    local lines = {("<%s sparse %s of dtype '%s'\n\twith %d stored elements%s and shape %s>"):format(M.NAMES[A.format],
      A.is_array and "array" or "matrix", A.dtype, A.nnz,
      A.format == "dia" and (" (%d diagonals)"):format(A.offsets.size) or "", tostring(A.shape))}
    local coo = A:tocoo()
    local count = coo.data.size
    if count > 0 then lines[2] = "  Coords\tValues" end
    list_elements(lines, coo, 1, count > MOST and MOST / 2 or count)
    if count > MOST then
      lines[#lines + 1] = "  :\t:"
      list_elements(lines, coo, count - MOST / 2 + 1, count)
    end
    return table.concat(lines, "\n")
  end)
end

--- Rejects other values than sparse matrices.
function M.check(value, name)
  check.dot(value, name)
  if M.is(value) then return value end
  fail("%s: expected a sparse matrix, got %s", name, check.show(value))
end

--- Rejects arrays on another device.
function M.same_device(A, x, name)
  check.same_device(A.data, core.is_array(x) and x or x.data, name)
  return x
end

return M

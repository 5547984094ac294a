--- about.lua: facts about arrays and numbers as functions: sizes, layouts, the least dtypes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- The number of axes; of a number 0. Follows numpy.ndim.
---@param x cuna.Operand
---@return integer
---@usage cn.ndim({{1, 2}}), cn.ndim(3) --> 2, 0
function F.ndim(x) return check.array(x, "ndim").ndim end

--- The shape of an array, a number or nested tables. Follows numpy.shape.
---@param x cuna.Operand
---@return integer[]
---@usage cn.shape({{1, 2, 3}}) --> (1, 3)
function F.shape(x) return check.array(x, "shape").shape end

local read_size = args.reader("size", {"x", "axis"})

--- The number of elements, or the length of an axis. Follows numpy.size.
---@param x cuna.Operand
---@param axis integer|nil
---@return integer
---@usage cn.size({{1, 2, 3}}), cn.size({{1, 2, 3}}, 2) --> 3, 3
function F.size(...)
  local x, axis = read_size(...)
  x = check.array(x, "size")
  return axis == nil and x.size or x.shape[core.axis(axis, x.ndim, "size")]
end

--- Whether the array is column-major and not row-major as well. Follows numpy.isfortran.
---@param x cuna.Array
---@return boolean
---@usage cn.isfortran(cn.ones({2, 3}).T), cn.isfortran(cn.ones(3)) --> true, false
function F.isfortran(x)
  local flags = check.self(x, "isfortran").flags
  return flags.f_contiguous and not flags.c_contiguous
end

-- ---- layouts ----

local read_fortran = args.reader("asfortranarray", {"x", "dtype"})

--- x itself when it is column-major and has the dtype, else a column-major copy. Follows numpy.asfortranarray.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@return cuna.Array
---@usage cn.asfortranarray(cn.ones {2, 3}).strides[1] --> 8
function F.asfortranarray(...)
  local name = "asfortranarray"
  local x, dtype = read_fortran(...)
  x = core.as_array(check.array(x, name), check.dtype(dtype, name), nil, name)
  return x.flags.f_contiguous and x or core.cast(x.T, nil, name).T
end

-- What require may ask for, by the first letter of its names: a test, and an array that passes it.
local REQUIREMENTS = {
  C = {"c_contiguous", function(x) return core.cast(x, nil, "require") end},
  F = {"f_contiguous", function(x) return core.cast(x.T, nil, "require").T end},
  W = {"writeable", function(x) return core.cast(x, nil, "require") end},
  O = {"owndata", function(x) return core.cast(x, nil, "require") end},
  A = {"c_contiguous", function(x) return x end}, -- arrays are aligned
}

local read_require = args.reader("require", {"x", "dtype", "requirements"})

--- The array, or a copy of it that is laid out as required. Follows numpy.require.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@param requirements string|string[]|nil "C" (row-major), "F" (column-major), "W" (writeable), "O" (with memory of its
---  own), by their first letters, several in a table
---@return cuna.Array
---@usage cn.require(cn.ones({2, 3}).T, nil, "C").flags.c_contiguous --> true
function F.require(...)
  local x, dtype, wanted = read_require(...)
  x = core.as_array(check.array(x, "require"), check.dtype(dtype, "require"), nil, "require")
  for _, word in ipairs(type(wanted) == "table" and wanted or {wanted}) do
    local row = type(word) == "string" and REQUIREMENTS[word:sub(1, 1):upper()]
    if not row then fail('require: a requirement is "C", "F", "W" or "O", got %s', check.show(word)) end
    if not x.flags[row[1]] then x = row[2](x) end
  end
  return x
end

-- ---- dtypes ----

--- The least dtype that holds a number, or the dtype of an array. Follows numpy.min_scalar_type.
---@param value cuna.Number|cuna.Array
---@return string
---@usage cn.min_scalar_type(10), cn.min_scalar_type(-260), cn.min_scalar_type(1e50) --> uint8, int16, float64
function F.min_scalar_type(value)
  local name = "min_scalar_type"
  if core.is_array(value) and check.self(value, name).ndim > 0 then return value.dtype end
  value = core.is_array(value) and value:item() or value
  local kind = core.number_kind(check.number(value, name, "the value"))
  if kind == "complex" then
    return math.max(math.abs(value.re), math.abs(value.im)) <= 3.4028234663852886e38 and "complex64" or "complex128"
  elseif kind == "float" then
    local size = math.abs(value)
    if size ~= size or size == math.huge or size <= 65504 then return "float16" end
    return size <= 3.4028234663852886e38 and "float32" or "float64"
  end
  local is_negative = value < 0
  for bits = 8, 32, 8 do
    if bits ~= 24 and (is_negative and value >= -2 ^ (bits - 1) or not is_negative and value < 2 ^ bits) then
      return (is_negative and "int" or "uint") .. bits
    end
  end
  return is_negative and "int64" or "uint64"
end

--- The inexact dtype in which arrays are computed together: of integers float64. Follows numpy.common_type.
---@param ... cuna.Array
---@return string
---@usage cn.common_type(cn.zeros(2, "int8"), cn.zeros(2, "float32")) --> float64
function F.common_type(...)
  local dtype
  for i = 1, select("#", ...) do
    local own = check.self((select(i, ...)), "common_type").dtype
    local kind = dtype_facts.kind_of[own]
    if kind == "b" then fail("common_type: argument %d is an array of bools", i) end
    own = kind ~= "f" and kind ~= "c" and "float64" or own
    dtype = dtype and core.promote(dtype, own) or own
  end
  return dtype or fail "common_type: takes arrays, got nothing"
end

args.bound(F, {ndim = "x", shape = "x", isfortran = "x", min_scalar_type = "value"})

return M

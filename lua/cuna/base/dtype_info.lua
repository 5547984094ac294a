--- dtype_info.lua: public functions about dtypes, which return tables, dtypes and Lua booleans.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

local kind_of, size_of = dtype_facts.kind_of, dtype_facts.size_of

-- The bits of the fraction and of the exponent.
local FLOATS = {float16 = {10, 5}, bfloat16 = {7, 8}, float32 = {23, 8}, float64 = {52, 11}}
local PART = dtype_facts.part_of

--- The dtype of a name, an array, or a number.
local function dtype_of(value, name)
  if core.is_array(value) then return core.check_alive(value, name).dtype end
  if type(value) == "string" then return core.check_dtype(value, name) end
  check.dot(value, name)
  local kind = value ~= nil and core.number_kind(value)
  if not kind then fail("%s: expected a dtype, an array or a number, got %s", name, check.show(value)) end
  return dtype_rules.common {dtype_rules.weak_type(kind)}
end

--- Facts about a float dtype, or the parts of a complex one: bits, eps (from 1 to the next number), epsneg (to the one
--- before), max, min, smallest_normal (tiny), smallest_subnormal, precision (decimal digits), resolution, nmant, nexp,
--- iexp, maxexp, minexp, machep, negep, dtype. Follows numpy.finfo.
---@param dtype string|cuna.Array|number
---@return table
---@usage cn.finfo("float32").bits, cn.finfo("float64").eps == 2 ^ -52 --> 32, true
function F.finfo(dtype)
  dtype = dtype_of(dtype, "finfo")
  dtype = PART[dtype] or dtype
  if not FLOATS[dtype] then fail("finfo: expected a float or complex dtype, got %s; use cn.iinfo", dtype) end
  local fraction, exponent = unpack(FLOATS[dtype])
  local top = 2 ^ (exponent - 1)
  local most = (2 - 2 ^ -fraction) * 2 ^ (top - 1)
  local precision = math.floor(fraction * math.log10(2))
  return {
    dtype = dtype, bits = 1 + fraction + exponent, nmant = fraction, nexp = exponent, iexp = exponent,
    machep = -fraction, negep = -fraction - 1, eps = 2 ^ -fraction, epsneg = 2 ^ (-fraction - 1),
    maxexp = top, minexp = 2 - top, max = most, min = -most,
    tiny = 2 ^ (2 - top), smallest_normal = 2 ^ (2 - top), smallest_subnormal = 2 ^ (2 - top - fraction),
    precision = precision, resolution = 10 ^ -precision,
  }
end

--- Facts about an integer dtype: bits, min, max (int64_t and uint64_t beyond 2^53), kind ("i" or "u"), dtype. Follows
--- numpy.iinfo.
---@param dtype string|cuna.Array
---@return table
---@usage cn.iinfo("int8").min, cn.iinfo("uint64").max --> -128, 18446744073709551615ULL
function F.iinfo(dtype)
  dtype = dtype_of(dtype, "iinfo")
  local kind, bits = kind_of[dtype], 8 * size_of[dtype]
  if kind ~= "i" and kind ~= "u" then fail("iinfo: expected an integer dtype, got %s; use cn.finfo", dtype) end
  local least, most = -2 ^ (bits - 1), 2 ^ (bits - 1) - 1
  if kind == "u" then
    least, most = 0, bits < 64 and 2 ^ bits - 1 or 18446744073709551615ULL
  elseif bits == 64 then
    least, most = -9223372036854775807LL - 1, 9223372036854775807LL
  end
  return {dtype = dtype, kind = kind, bits = bits, min = least, max = most}
end

--- The common dtype of arrays, dtypes and Lua numbers, which are weak. Follows numpy.result_type.
---@param ... cuna.Array|string|number
---@return string
---@usage cn.result_type("int8", "uint8"), cn.result_type(cn.zeros(2, "float32"), 2.5) --> int16, float32
function F.result_type(...)
  local types, count = {}, select("#", ...)
  if count == 0 then fail "result_type: takes arrays, dtypes and numbers, got nothing" end
  for i = 1, count do
    local value = select(i, ...)
    local kind = not core.is_array(value) and type(value) ~= "string" and core.number_kind(value)
    types[i] = kind and dtype_rules.weak_type(kind) or dtype_of(value, "result_type")
  end
  return dtype_rules.common(types)
end

-- The kinds of dtypes in families: NumPy's classes, and the words of the array API.
local FAMILIES = {
  generic = "biufc", number = "iufc", integer = "iu", signedinteger = "i", unsignedinteger = "u", inexact = "fc",
  floating = "f", complexfloating = "c", bool_ = "b",
}
local KINDS = {
  bool = "b", ["signed integer"] = "i", ["unsigned integer"] = "u", integral = "iu", ["real floating"] = "f",
  ["complex floating"] = "c", numeric = "iufc",
}

--- The kinds that a name denotes, or nil and its dtype.
local function family_of(value, families, name)
  if type(value) == "string" and families[value] then return families[value] end
  return nil, dtype_of(value, name)
end

--- Whether a dtype, or a family of them, is within another: generic, number, integer, signedinteger, unsignedinteger,
--- inexact, floating, complexfloating. Follows numpy.issubdtype.
---@param dtype string|cuna.Array
---@param other string a family or a dtype
---@return boolean
---@usage cn.issubdtype("int8", "integer"), cn.issubdtype("float32", "float64") --> true, false
function F.issubdtype(dtype, other)
  local kinds, own = family_of(dtype, FAMILIES, "issubdtype")
  local within, exact = family_of(other, FAMILIES, "issubdtype")
  if exact then return own == exact end
  for kind in (kinds or kind_of[own]):gmatch "." do
    if not within:find(kind, 1, true) then return false end
  end
  return true
end

--- Whether a dtype is of a kind: "bool", "signed integer", "unsigned integer", "integral", "real floating",
--- "complex floating", "numeric", or a dtype; of any in a table. Follows numpy.isdtype.
---@param dtype string|cuna.Array
---@param kind string|string[]
---@return boolean
---@usage cn.isdtype("int8", "integral"), cn.isdtype("int8", {"bool", "real floating"}) --> true, false
function F.isdtype(dtype, kind)
  dtype = dtype_of(dtype, "isdtype")
  for _, one in ipairs(type(kind) == "table" and check.list(kind, "isdtype", "kinds") or {kind}) do
    local kinds, exact = family_of(one, KINDS, "isdtype")
    if exact == dtype or kinds and kinds:find(kind_of[dtype], 1, true) then return true end
  end
  if kind == nil then fail "isdtype: the kind is missing" end
  return false
end

args.bound(F, {finfo = "dtype", iinfo = "dtype", issubdtype = "dtype other", isdtype = "dtype kind"})

return M

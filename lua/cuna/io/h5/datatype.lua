--- datatype.lua: HDF5's types of elements, and the dtypes of cuna that stand for them, as h5py has them.
--
-- bool is an enumeration of FALSE and TRUE, a complex number a compound of r and i, float16 and bfloat16 are floats
-- with fields of these sizes. Types in memory are made once and stay.
local ffi = require "ffi"

local check = require "cuna.base.check"
local library = require "cuna.io.h5.library"

local M = {}

local fail = check.fail
local lib = library.lib

local INTEGER, FLOAT, STRING, COMPOUND, ENUM = 0, 1, 3, 6, 8
local OTHERS = {[2] = "times", [4] = "bits", [5] = "opaque bytes", [7] = "references", [9] = "lists of varying lengths",
  [10] = "arrays", [11] = "complex numbers of HDF5 2"}
local VARIABLE = 0xffffffffffffffffULL -- the size of strings of varying lengths
local UTF8 = 1
local BIASES = {[15] = "float16", [127] = "bfloat16"} -- of the exponents of floats of 2 bytes

-- ---- types in memory ----

--- A float of 2 bytes with a sign, an exponent and a mantissa.
local function make_half(exponent, bias)
  local type, mantissa = lib.H5Tcopy(lib.H5T_IEEE_F32LE_g), 15 - exponent
  lib.H5Tset_fields(type, 15, mantissa, exponent, 0, mantissa)
  lib.H5Tset_size(type, 2)
  lib.H5Tset_ebias(type, bias)
  return type
end

local function make_bool()
  local type = lib.H5Tenum_create(lib.H5T_STD_I8LE_g)
  for value, name in pairs {[0] = "FALSE", [1] = "TRUE"} do
    lib.H5Tenum_insert(type, name, ffi.new("int8_t[1]", value))
  end
  return type
end

local function make_complex(half, size)
  local type = lib.H5Tcreate(COMPOUND, 2 * size)
  lib.H5Tinsert(type, "r", 0, half)
  lib.H5Tinsert(type, "i", size, half)
  return type
end

local function make_string()
  local type = lib.H5Tcopy(lib.H5T_C_S1_g)
  lib.H5Tset_size(type, VARIABLE)
  lib.H5Tset_cset(type, UTF8)
  return type
end

local MAKERS = {
  bool = make_bool, string = make_string,
  float16 = function() return make_half(5, 15) end, bfloat16 = function() return make_half(8, 127) end,
  float32 = function() return lib.H5T_IEEE_F32LE_g end, float64 = function() return lib.H5T_IEEE_F64LE_g end,
  complex64 = function() return make_complex(lib.H5T_IEEE_F32LE_g, 4) end,
  complex128 = function() return make_complex(lib.H5T_IEEE_F64LE_g, 8) end,
}
for _, bits in ipairs {8, 16, 32, 64} do
  MAKERS["int" .. bits] = function() return lib["H5T_STD_I" .. bits .. "LE_g"] end
  MAKERS["uint" .. bits] = function() return lib["H5T_STD_U" .. bits .. "LE_g"] end
end

local made = {}

--- HDF5's type of a dtype's elements, or of strings ("string"); it stays open.
---@param dtype string
---@return ffi.cdata* int64
function M.of(dtype)
  made[dtype] = made[dtype] or MAKERS[dtype]()
  return made[dtype]
end

-- ---- types in files ----

--- The names of the members of a compound or an enumeration.
local function member_names(type)
  local names = {}
  for k = 1, lib.H5Tget_nmembers(type) do
    local name = lib.H5Tget_member_name(type, k - 1)
    names[k] = ffi.string(name)
    lib.H5free_memory(name)
  end
  return names
end

local describe

local DESCRIBE = {
  [INTEGER] = function(type)
    local bits = 8 * tonumber(lib.H5Tget_size(type))
    return (lib.H5Tget_sign(type) == 0 and "uint" or "int") .. bits
  end,
  [FLOAT] = function(type)
    local size = tonumber(lib.H5Tget_size(type))
    if size == 2 then return BIASES[tonumber(lib.H5Tget_ebias(type))] end
    return "float" .. 8 * size
  end,
  [STRING] = function() return "string" end,
  [COMPOUND] = function(type, label)
    local names = member_names(type)
    if table.concat(names, " ") ~= "r i" then
      fail("%s: its elements are structures of %s, and cuna has numbers and strings", label, table.concat(names, ", "))
    end
    local half = library.using(lib.H5Tget_member_type(type, 0), "H5Tclose", label, function(member)
      return describe(member, label)
    end)
    return half == "float32" and "complex64" or half == "float64" and "complex128" or nil
  end,
  [ENUM] = function(type, label)
    if table.concat(member_names(type), " "):upper() == "FALSE TRUE" then return "bool" end
    return library.using(lib.H5Tget_super(type), "H5Tclose", label, function(base) return describe(base, label) end)
  end,
}

--- The dtype of elements of a type in a file, or "string".
function describe(type, label)
  local kind = lib.H5Tget_class(type)
  local dtype = DESCRIBE[kind] and DESCRIBE[kind](type, label)
  if dtype and MAKERS[dtype] then return dtype end
  fail("%s: its elements are %s, which cuna does not have", label,
    OTHERS[kind] or dtype or ("numbers of %d bytes"):format(tonumber(lib.H5Tget_size(type))))
end

M.describe = describe

--- The bytes of a string of a type in a file; nil for strings of varying lengths.
function M.fixed_size(type)
  if lib.H5Tis_variable_str(type) > 0 then return nil end
  return tonumber(lib.H5Tget_size(type))
end

-- What ends a string of a fixed size: the first NUL, the last one that is not NUL, the last one that is not a blank.
local ENDS = {[0] = "%z.*$", [1] = "%z+$", [2] = " +$"}

--- The pattern of what follows the text of strings of a type.
function M.padding(type) return ENDS[lib.H5Tget_strpad(type)] or ENDS[0] end

return M

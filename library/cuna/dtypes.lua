---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Dtypes, numbers and settings.

---@class cuna
local cn = {}

--- A complex number, for parts that are variables: 1 + 2i is one too. Complex numbers, which elements of complex arrays
--- are, have + - * / ^ among themselves and with numbers and arrays, ==, and the fields re and im.
---
--- ```lua
--- cn.complex(1, 2) --> 1+2i
--- 2i * cn.complex(1, 2), cn.complex(1, 2).im --> -4+2i, 2
--- ```
---@param re number
---@param im number|nil # default 0
---@return ffi.cdata* # complex a boxed number that operations take like a Lua number
function cn.complex(re, im) end

--- Whether a value is an array.
---
--- ```lua
--- cn.is_array(cn.zeros(2)), cn.is_array({0, 0}) --> true, false
--- ```
---@param value any
---@return boolean
function cn.is_array(value) end

--- Whether a rule lets one dtype be cast to another. Follows numpy.can_cast.
---
--- ```lua
--- cn.can_cast("int16", "int8"), cn.can_cast("int16", "int8", "same_kind") --> false, true
--- ```
---@param from string
---@param to string
---@param casting string|nil # "no" and "equiv": to itself; "safe" (default): every value can be had in the other;  "same_kind": also with loss within a kind; "unsafe": any
---@return boolean
function cn.can_cast(from, to, casting) end

--- The dtype that holds the values of two. Follows numpy.promote_types.
---
--- ```lua
--- cn.promote_types("int8", "uint8") --> int16
--- ```
---@param a string
---@param b string
---@return string
function cn.promote_types(a, b) end

--- Sets the float dtype that stands where no operand forces one: of tables, creation, random numbers and int / int.
---
--- ```lua
--- cn.set_default_dtype "float64" --> float64
--- ```
---@param dtype cuna.Dtype # "float64" (at first) or "float32"
---@return string # before the dtype until now
function cn.set_default_dtype(dtype) end

--- Whether cuna has a function, a table or a constant of this name, for scripts that run with several versions. Asking
--- cn itself for a name that is not there is an error.
---
--- ```lua
--- cn.has "special.erf", cn.has "erf" --> true, false
--- ```
---@param name string # such as "topk" or "special.erf"
---@return boolean
function cn.has(name) end

--- Facts about a float dtype, or the parts of a complex one: bits, eps (from 1 to the next number), epsneg (to the one
--- before), max, min, smallest_normal (tiny), smallest_subnormal, precision (decimal digits), resolution, nmant, nexp,
--- iexp, maxexp, minexp, machep, negep, dtype. Follows numpy.finfo.
---
--- ```lua
--- cn.finfo("float32").bits, cn.finfo("float64").eps == 2 ^ -52 --> 32, true
--- ```
---@param dtype cuna.Dtype|cuna.Array|number
---@return table
function cn.finfo(dtype) end

--- Facts about an integer dtype: bits, min, max (int64_t and uint64_t beyond 2^53), kind ("i" or "u"), dtype. Follows
--- numpy.iinfo.
---
--- ```lua
--- cn.iinfo("int8").min, cn.iinfo("uint64").max --> -128, 18446744073709551615ULL
--- ```
---@param dtype cuna.Dtype|cuna.Array
---@return table
function cn.iinfo(dtype) end

--- The common dtype of arrays, dtypes and Lua numbers, which are weak. Follows numpy.result_type.
---
--- ```lua
--- cn.result_type("int8", "uint8"), cn.result_type(cn.zeros(2, "float32"), 2.5) --> int16, float32
--- ```
---@param ... cuna.Array|string|number
---@return string
function cn.result_type(...) end

--- Whether a dtype, or a family of them, is within another: generic, number, integer, signedinteger, unsignedinteger,
--- inexact, floating, complexfloating. Follows numpy.issubdtype.
---
--- ```lua
--- cn.issubdtype("int8", "integer"), cn.issubdtype("float32", "float64") --> true, false
--- ```
---@param dtype cuna.Dtype|cuna.Array
---@param other string # a family or a dtype
---@return boolean
function cn.issubdtype(dtype, other) end

--- Whether a dtype is of a kind: "bool", "signed integer", "unsigned integer", "integral", "real floating",
--- "complex floating", "numeric", or a dtype; of any in a table. Follows numpy.isdtype.
---
--- ```lua
--- cn.isdtype("int8", "integral"), cn.isdtype("int8", {"bool", "real floating"}) --> true, false
--- ```
---@param dtype cuna.Dtype|cuna.Array
---@param kind string|string[]
---@return boolean
function cn.isdtype(dtype, kind) end

--- The number of axes; of a number 0. Follows numpy.ndim.
---
--- ```lua
--- cn.ndim({{1, 2}}), cn.ndim(3) --> 2, 0
--- ```
---@param x cuna.Operand
---@return integer
function cn.ndim(x) end

--- The shape of an array, a number or nested tables. Follows numpy.shape.
---
--- ```lua
--- cn.shape({{1, 2, 3}}) --> (1, 3)
--- ```
---@param x cuna.Operand
---@return integer[]
function cn.shape(x) end

--- The number of elements, or the length of an axis. Follows numpy.size.
---
--- ```lua
--- cn.size({{1, 2, 3}}), cn.size({{1, 2, 3}}, 2) --> 3, 3
--- ```
---@param x cuna.Operand
---@param axis integer|nil
---@return integer
---@overload fun(x: cuna.Operand, options: {axis?: integer}): integer
function cn.size(x, axis) end

--- Whether the array is column-major and not row-major as well. Follows numpy.isfortran.
---
--- ```lua
--- cn.isfortran(cn.ones({2, 3}).T), cn.isfortran(cn.ones(3)) --> true, false
--- ```
---@param x cuna.Array
---@return boolean
function cn.isfortran(x) end

--- x itself when it is column-major and has the dtype, else a column-major copy. Follows numpy.asfortranarray.
---
--- ```lua
--- cn.asfortranarray(cn.ones {2, 3}).strides[1] --> 8
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.asfortranarray(x, dtype) end

--- The array, or a copy of it that is laid out as required. Follows numpy.require.
---
--- ```lua
--- cn.require(cn.ones({2, 3}).T, nil, "C").flags.c_contiguous --> true
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@param requirements string|string[]|nil # "C" (row-major), "F" (column-major), "W" (writeable), "O" (with memory of its  own), by their first letters, several in a table
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype, requirements?: string|string[]}): cuna.Array
function cn.require(x, dtype, requirements) end

--- The least dtype that holds a number, or the dtype of an array. Follows numpy.min_scalar_type.
---
--- ```lua
--- cn.min_scalar_type(10), cn.min_scalar_type(-260), cn.min_scalar_type(1e50) --> uint8, int16, float64
--- ```
---@param value cuna.Number|cuna.Array
---@return string
function cn.min_scalar_type(value) end

--- The inexact dtype in which arrays are computed together: of integers float64. Follows numpy.common_type.
---
--- ```lua
--- cn.common_type(cn.zeros(2, "int8"), cn.zeros(2, "float32")) --> float64
--- ```
---@param ... cuna.Array
---@return string
function cn.common_type(...) end

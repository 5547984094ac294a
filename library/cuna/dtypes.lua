---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Dtypes, numbers and settings.

---@class cuna
local cn = {}

--- A complex number, since 1+2i is no literal of LuaJIT's.
---
--- ```lua
--- cn.complex(1, 2) --> 1+2i
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

--- Whether every value of one dtype can be had in another. Follows numpy.can_cast.
---
--- ```lua
--- cn.can_cast("int16", "int8"), cn.can_cast("int16", "int8", "same_kind") --> false, true
--- ```
---@param from string
---@param to string
---@param casting string|nil # "safe" (default) or "same_kind", which also allows loss within a kind
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
---@param dtype string # "float64" (at first) or "float32"
---@return string # before the dtype until now
function cn.set_default_dtype(dtype) end

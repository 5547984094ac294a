---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Comparing arrays: allclose, isclose, array_equiv.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- Where |a - b| <= atol + rtol |b|; infinities are close to themselves. Arrays broadcast; integers are compared in the
--- default float dtype. Follows numpy.isclose.
---
--- ```lua
--- cn.isclose({1, 2, cn.inf}, {1 + 1e-9, 2.1, cn.inf}) --> [ True False True]
--- cn.isclose({100, cn.nan}, {101, cn.nan}, {rtol = 0.1, equal_nan = true}) --> [ True True]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 1e-8
---@param equal_nan boolean|nil # true lets NaN be close to NaN
---@param out cuna.Array|nil # of bool
---@return cuna.Array # bool
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {rtol?: number, atol?: number, equal_nan?: boolean, out?: cuna.Array}): cuna.Array
function cn.isclose(a, b, rtol, atol, equal_nan, out) end

--- Where |a - b| <= atol + rtol |b|; infinities are close to themselves. Arrays broadcast; integers are compared in the
--- default float dtype. Follows numpy.isclose.
---
--- ```lua
--- cn.isclose({1, 2, cn.inf}, {1 + 1e-9, 2.1, cn.inf}) --> [ True False True]
--- cn.isclose({100, cn.nan}, {101, cn.nan}, {rtol = 0.1, equal_nan = true}) --> [ True True]
--- ```
---@param b cuna.Operand
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 1e-8
---@param equal_nan boolean|nil # true lets NaN be close to NaN
---@param out cuna.Array|nil # of bool
---@return cuna.Array # bool
---@overload fun(self: cuna.Array, b: cuna.Operand, options: {rtol?: number, atol?: number, equal_nan?: boolean, out?: cuna.Array}): cuna.Array
function Array:isclose(b, rtol, atol, equal_nan, out) end

--- Whether all elements are close, by cn.isclose. The result is a Lua boolean, so the call synchronises. Follows
--- numpy.allclose.
---
--- ```lua
--- cn.allclose({1, 2}, {1, 2 + 1e-9}), cn.allclose({1, 2}, {1, 2.1}) --> true, false
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 1e-8
---@param equal_nan boolean|nil # true lets NaN be close to NaN
---@return boolean
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {rtol?: number, atol?: number, equal_nan?: boolean}): boolean
function cn.allclose(a, b, rtol, atol, equal_nan) end

--- Whether all elements are close, by cn.isclose. The result is a Lua boolean, so the call synchronises. Follows
--- numpy.allclose.
---
--- ```lua
--- cn.allclose({1, 2}, {1, 2 + 1e-9}), cn.allclose({1, 2}, {1, 2.1}) --> true, false
--- ```
---@param b cuna.Operand
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 1e-8
---@param equal_nan boolean|nil # true lets NaN be close to NaN
---@return boolean
---@overload fun(self: cuna.Array, b: cuna.Operand, options: {rtol?: number, atol?: number, equal_nan?: boolean}): boolean
function Array:allclose(b, rtol, atol, equal_nan) end

--- Whether two arrays have the same shape and elements; dtypes do not matter. Synchronises. Follows numpy.array_equal.
---
--- ```lua
--- cn.array_equal({1, cn.nan}, {1, cn.nan}, {equal_nan = true}) --> true
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param equal_nan boolean|nil # true lets NaN equal NaN
---@return boolean
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {equal_nan?: boolean}): boolean
function cn.array_equal(a, b, equal_nan) end

--- Whether two arrays have the same shape and elements; dtypes do not matter. Synchronises. Follows numpy.array_equal.
---
--- ```lua
--- cn.array_equal({1, cn.nan}, {1, cn.nan}, {equal_nan = true}) --> true
--- ```
---@param b cuna.Operand
---@param equal_nan boolean|nil # true lets NaN equal NaN
---@return boolean
---@overload fun(self: cuna.Array, b: cuna.Operand, options: {equal_nan?: boolean}): boolean
function Array:array_equal(b, equal_nan) end

--- Whether two arrays broadcast, and are equal then. It decides, hence a Lua boolean, and synchronises. Follows
--- numpy.array_equiv.
---
--- ```lua
--- cn.array_equiv({1, 2}, {{1, 2}, {1, 2}}), cn.array_equiv({1, 2}, {1, 2, 3}) --> true, false
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@return boolean
function cn.array_equiv(a, b) end

--- Whether two arrays broadcast, and are equal then. It decides, hence a Lua boolean, and synchronises. Follows
--- numpy.array_equiv.
---
--- ```lua
--- cn.array_equiv({1, 2}, {{1, 2}, {1, 2}}), cn.array_equiv({1, 2}, {1, 2, 3}) --> true, false
--- ```
---@param b cuna.Operand
---@return boolean
function Array:array_equiv(b) end

--- Whether x is not of a complex dtype; cn.isreal tests each element. Follows numpy.isrealobj.
---
--- ```lua
--- cn.isrealobj({1, 2}), cn.isrealobj(cn.zeros(2, "complex64")) --> true, false
--- ```
---@param x cuna.Operand
---@return boolean
function cn.isrealobj(x) end

--- Whether x is of a complex dtype; cn.iscomplex tests each element. Follows numpy.iscomplexobj.
---
--- ```lua
--- cn.iscomplexobj(cn.zeros(2, "complex64")) --> true
--- ```
---@param x cuna.Operand
---@return boolean
function cn.iscomplexobj(x) end

--- Whether a value is a number, a boolean or a string, and no array, not even a 0-d one. Follows numpy.isscalar.
---
--- ```lua
--- cn.isscalar(3.1), cn.isscalar(cn.scalar(3.1)) --> true, false
--- ```
---@param value any
---@return boolean
function cn.isscalar(value) end

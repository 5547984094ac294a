---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Testing.

---@class cuna.testing
local testing = {}

--- Why actual and expected are not close: nil when they are, else the message of assert_allclose.
---
--- ```lua
--- cn.testing.why_not_allclose({1, 2}, {1, 2 + 1e-9}) == nil --> true
--- ```
---@param actual cuna.Operand
---@param expected cuna.Operand
---@param options table|nil # {rtol = 1e-7, atol = 0, equal_nan = true}
---@return string|nil
function testing.why_not_allclose(actual, expected, options) end

--- Why actual and expected are not equal: nil when they are, else the message of assert_array_equal.
---
--- ```lua
--- cn.testing.why_not_array_equal({1, 2}, {1, 2}) == nil --> true
--- ```
---@param actual cuna.Operand
---@param expected cuna.Operand
---@return string|nil
function testing.why_not_array_equal(actual, expected) end

--- Why x does not have a shape: nil when it has, else the message of assert_shape.
---
--- ```lua
--- cn.testing.why_not_shape(cn.zeros {2, 3}, 2, 3) == nil --> true
--- ```
---@param x cuna.Operand
---@param ... integer|integer[] # the shape, as numbers or one table
---@return string|nil
function testing.why_not_shape(x, ...) end

--- Raises unless |actual - expected| <= atol + rtol * |expected| for every element. Shapes must be equal, unless one
--- operand is a single number; infinities must be equal; NaN equals NaN unless `equal_nan` is false.
--- Follows numpy.testing.assert_allclose.
---
--- ```lua
--- cn.testing.assert_allclose(cn.sqrt(cn.array{4, 9}), {2, 3}) -->
--- ```
---@param actual any # array on any device, nested table, number or boolean
---@param expected any # the same
---@param options { rtol?: number, atol?: number, equal_nan?: boolean }|nil # default 1e-7, 0, true
function testing.assert_allclose(actual, expected, options) end

--- Raises unless all elements are equal (NaN equals NaN, 64-bit integers compare exactly) and so are the shapes, unless
--- one operand is a single number. Follows numpy.testing.assert_array_equal.
---
--- ```lua
--- cn.testing.assert_array_equal(cn.arange(3), {0, 1, 2}) -->
--- ```
---@param actual any # array on any device, nested table, number or boolean
---@param expected any # the same
function testing.assert_array_equal(actual, expected) end

--- Raises unless x has the given shape.
---
--- ```lua
--- cn.testing.assert_shape(cn.zeros({3, 4}), 3, 4) -->
--- ```
---@param x any # array, nested table or number
---@param ... any # the lengths, or one table of them
function testing.assert_shape(x, ...) end

---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Functions of functions.

---@class cuna
local cn = {}

--- Calls fn(slice, ...) with each 1-d slice of x along an axis; what it returns, numbers or arrays of one shape, stands
--- where the slices stood. Follows numpy.apply_along_axis.
---
--- ```lua
--- cn.apply_along_axis(function(v) return v[1] * 10 + v[-1] end, 2, {{1, 2, 3}, {4, 5, 6}}) --> [13. 46.]
--- cn.apply_along_axis(cn.flip, 1, {{1, 2}, {3, 4}}) --> [[3. 4.] [1. 2.]]
--- ```
---@param fn fun(slice: cuna.Array, ...): cuna.Operand # slices are views
---@param axis integer
---@param x cuna.Operand
---@param ... any # further arguments of fn
---@return cuna.Array
function cn.apply_along_axis(fn, axis, x, ...) end

--- Calls fn(x, axis) for each axis in turn, with what it answered before; an axis that it drops is put back with length
--- 1. Follows numpy.apply_over_axes.
---
--- ```lua
--- cn.apply_over_axes(cn.sum, cn.ones({2, 3, 4}), {1, 3}).shape --> (1, 3, 1)
--- ```
---@param fn fun(x: cuna.Array, axis: integer): cuna.Array
---@param x cuna.Operand
---@param axes integer|integer[]
---@return cuna.Array
function cn.apply_over_axes(fn, x, axes) end

--- x by pieces: where a condition holds what its function makes of x, of several conditions that of the last. A
--- function is called once, with all of x, and what it makes of elements elsewhere is dropped: nothing waits. Follows
--- numpy.piecewise, but for that.
---
--- ```lua
--- (function(x) return cn.piecewise(x, {x:lt(0), x:ge(0)}, {-1, cn.sqrt}) end)(cn.array {-4, 4}) --> [-1. 2.]
--- ```
---@param x cuna.Operand
---@param condlist cuna.Operand[] # arrays of bools
---@param funclist table # a function or a number for each condition, and maybe one for what is left (default 0)
---@param ... any # further arguments of the functions
---@return cuna.Array # of x's dtype
function cn.piecewise(x, condlist, funclist, ...) end

--- What fn makes of the coordinates of a grid: of one array for each axis, which holds positions along it, from 1.
--- Follows numpy.fromfunction, with positions from 1.
---
--- ```lua
--- cn.fromfunction(function(i, j) return i * 10 + j end, {2, 3}, "int64") --> [[11 12 13] [21 22 23]]
--- ```
---@param fn fun(...): any
---@param shape cuna.Shape
---@param dtype cuna.Dtype|nil # of the coordinates, default: the default float
---@return any ... # fn's results
---@overload fun(fn: fun(...): any, shape: cuna.Shape, options: {dtype?: cuna.Dtype}): any, ...
function cn.fromfunction(fn, shape, dtype) end

---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Differences, integrals, convolution, interpolation, cross products.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

---@class cuna.linalg
local linalg = {}

--- How far samples are apart along an axis: coordinates along it (x, any number of axes that broadcast), or a number
--- or 0-d array (step).
---@class cuna.Spacing
local Spacing = {}

--- What is moved along what: short, long (vectors), dtype (of the result), conjugated ("short", "long" or "none").
---@class cuna.Sliding
local Sliding = {}

--- Differences of neighbours along an axis, n times over: x[2] - x[1], x[3] - x[2], ... Of bools whether neighbours
--- differ. Follows numpy.diff, but that Lua numbers beside x take its dtype.
---
--- ```lua
--- cn.diff {1, 2, 4, 7} --> [1. 2. 3.]
--- cn.diff({1, 2, 4, 7}, 2), cn.diff({1, 2, 4}, {prepend = 0}) --> [1. 1.], [1. 1. 2.]
--- cn.arange(6):reshape(2, 3):diff {axis = 1} --> [[3 3 3]]
--- ```
---@param x cuna.Operand # at least 1-d
---@param n integer|nil # how many times, default 1
---@param axis integer|nil # default -1
---@param prepend cuna.Operand|nil # what stands before x along the axis; a number or 0-d array for one slice of it
---@param append cuna.Operand|nil # what comes after x
---@return cuna.Array # n shorter along the axis than all that is given
---@overload fun(x: cuna.Operand, options: {n?: integer, axis?: integer, prepend?: cuna.Operand, append?: cuna.Operand}): cuna.Array
function cn.diff(x, n, axis, prepend, append) end

--- Differences of neighbours along an axis, n times over: x[2] - x[1], x[3] - x[2], ... Of bools whether neighbours
--- differ. Follows numpy.diff, but that Lua numbers beside x take its dtype.
---
--- ```lua
--- cn.diff {1, 2, 4, 7} --> [1. 2. 3.]
--- cn.diff({1, 2, 4, 7}, 2), cn.diff({1, 2, 4}, {prepend = 0}) --> [1. 1.], [1. 1. 2.]
--- cn.arange(6):reshape(2, 3):diff {axis = 1} --> [[3 3 3]]
--- ```
---@param n integer|nil # how many times, default 1
---@param axis integer|nil # default -1
---@param prepend cuna.Operand|nil # what stands before x along the axis; a number or 0-d array for one slice of it
---@param append cuna.Operand|nil # what comes after x
---@return cuna.Array # n shorter along the axis than all that is given
---@overload fun(self: cuna.Array, options: {n?: integer, axis?: integer, prepend?: cuna.Operand, append?: cuna.Operand}): cuna.Array
function Array:diff(n, axis, prepend, append) end

--- Differences of neighbours among all elements in row-major order, in x's dtype, between two arrays that are put at
--- the ends as they are. Not for bool. Follows numpy.ediff1d.
---
--- ```lua
--- cn.ediff1d({1, 2, 4, 7}, {to_begin = -99, to_end = {88, 99}}) --> [-99. 1. 2. 3. 88. 99.]
--- ```
---@param x cuna.Operand
---@param to_end cuna.Operand|nil
---@param to_begin cuna.Operand|nil
---@return cuna.Array # 1-d
---@overload fun(x: cuna.Operand, options: {to_end?: cuna.Operand, to_begin?: cuna.Operand}): cuna.Array
function cn.ediff1d(x, to_end, to_begin) end

--- Derivatives of f along axes: second-order differences inside, one-sided ones at the ends. Spacings are numbers, or
--- coordinates along their axis. Integers are computed as floats, not for bool. Follows numpy.gradient.
---
--- ```lua
--- cn.gradient {1, 2, 4, 7} --> [1. 1.5 2.5 3. ]
--- cn.gradient({1, 4, 16}, {0, 1, 3}, {edge_order = 2}) --> [2. 4. 8.]
--- cn.gradient({{1, 2}, {3, 5}}, 2, {axis = 1}) --> [[1. 1.5] [1. 1.5]]
--- ```
---@param f cuna.Operand # at least edge_order + 1 long along the axes
---@param ... cuna.Operand|table # spacings: none (1 each), one number for all axes, or one for each axis; then options: axis (a number or a list, default all), edge_order (1, default, or 2: of the differences at the ends)
---@return cuna.Array|cuna.Array[] # of f's shape; of several axes a table of them
function cn.gradient(f, ...) end

--- Integral along an axis by the trapezoid rule: of samples at coordinates x, or dx apart. Less than two samples give
--- 0. Follows numpy.trapezoid, but that integers are floats before neighbours are added.
---
--- ```lua
--- cn.trapezoid {1, 2, 3}, cn.trapezoid({1, 2, 3}, {4, 6, 8}) --> 4.0, 8.0
--- cn.trapezoid({{0, 1, 2}, {3, 4, 5}}, {axis = 1, dx = 2}) --> [3. 5. 7.]
--- ```
---@param y cuna.Operand # samples
---@param x cuna.Operand|nil # coordinates: 1-d, or an array that broadcasts against y
---@param dx number|cuna.Array|nil # distance of samples, default 1
---@param axis integer|nil # default -1
---@return cuna.Array # y's shape without the axis
---@overload fun(y: cuna.Operand, options: {x?: cuna.Operand, dx?: number|cuna.Array, axis?: integer}): cuna.Array
function cn.trapezoid(y, x, dx, axis) end

cn.trapz = cn.trapezoid

--- Double integral over the last two axes by the trapezoid rule: cn.trapz(cn.trapz(z, x), y) in one pass. x runs along
--- the last axis (columns), y along the one before (rows). Follows skcuda.integrate.trapz2d.
---
--- ```lua
--- cn.trapz2d {{1, 2}, {3, 4}}, cn.trapz2d({{1, 2}, {3, 4}}, {dx = 2, y = {0, 3}}) --> 2.5, 15.0
--- ```
---@param z cuna.Operand # samples, at least 2-d
---@param x cuna.Operand|nil # coordinates of the columns, 1-d or as z
---@param y cuna.Operand|nil # coordinates of the rows, 1-d or as z
---@param dx number|cuna.Array|nil # distance of columns, default 1
---@param dy number|cuna.Array|nil # distance of rows, default 1
---@return cuna.Array # z's shape without the last two axes
---@overload fun(z: cuna.Operand, options: {x?: cuna.Operand, y?: cuna.Operand, dx?: number|cuna.Array, dy?: number|cuna.Array}): cuna.Array
function cn.trapz2d(z, x, y, dx, dy) end

--- Integral along an axis by Simpson's rule: parabolas through three samples each. Of an even number of samples the
--- last interval is that of the parabola through the last three; of two, the trapezoid. Follows
--- scipy.integrate.simpson.
---
--- ```lua
--- cn.simpson {0, 1, 4, 9, 16} --> 21.333333333333332
--- cn.simpson({0, 1, 9, 16}, {0, 1, 3, 4}) --> 21.333333333333332
--- ```
---@param y cuna.Operand # samples
---@param x cuna.Operand|nil # coordinates: 1-d, or an array that broadcasts against y
---@param dx number|cuna.Array|nil # distance of samples, default 1
---@param axis integer|nil # default -1
---@return cuna.Array # y's shape without the axis
---@overload fun(y: cuna.Operand, options: {x?: cuna.Operand, dx?: number|cuna.Array, axis?: integer}): cuna.Array
function cn.simpson(y, x, dx, axis) end

--- Convolution of two vectors: sums of the products whose positions have the same sum. Integers and bools are exact
--- and wrap, in the common dtype; float16 and bfloat16 are summed in float32. Follows numpy.convolve.
---
--- ```lua
--- cn.convolve({1, 2, 3}, {0, 1, 0.5}) --> [0. 1. 2.5 4. 1.5]
--- cn.convolve({1, 2, 3}, {0, 1, 0.5}, "same") --> [1. 2.5 4. ]
--- cn.convolve({1, 2, 3}, {0, 1, 0.5}, "valid") --> [2.5]
--- ```
---@param a cuna.Operand # vector
---@param v cuna.Operand # vector
---@param mode string|nil # "full" (default): all results; "same": as many as the longer vector has, the middle ones; "valid": those for which the vectors overlap whole
---@return cuna.Array
---@overload fun(a: cuna.Operand, v: cuna.Operand, options: {mode?: string}): cuna.Array
function cn.convolve(a, v, mode) end

--- Cross-correlation of two vectors: sums of the products of a, moved against v, with v conjugated. Integers and bools
--- are exact and wrap, in the common dtype. Follows numpy.correlate.
---
--- ```lua
--- cn.correlate({1, 2, 3}, {0, 1, 0.5}) --> [3.5]
--- cn.correlate({1, 2, 3}, {0, 1, 0.5}, "full") --> [0.5 2. 3.5 3. 0. ]
--- ```
---@param a cuna.Operand # vector
---@param v cuna.Operand # vector
---@param mode string|nil # "valid" (default), "same" or "full", as cn.convolve's
---@return cuna.Array
---@overload fun(a: cuna.Operand, v: cuna.Operand, options: {mode?: string}): cuna.Array
function cn.correlate(a, v, mode) end

--- The values at x of the function that goes through points on straight lines. Points grow, unless there is a period:
--- then they may have any order, and x any place. Computed as float64 or complex128; NaN gives NaN. Follows
--- numpy.interp.
---
--- ```lua
--- cn.interp({0, 1, 1.5, 2.72, 3.14}, {1, 2, 3}, {3, 2, 0}) --> [3. 3. 2.5 0.56 0. ]
--- cn.interp({-180, 185, 370}, {190, -190, 350}, {5, 10, 3}, {period = 360}) --> [7.5 6.25 3.77777778]
--- ```
---@param x cuna.Operand # any shape
---@param xp cuna.Operand # the points, 1-d, real
---@param fp cuna.Operand # their values
---@param left cuna.Operand|nil # the value before the first point, default that of the first
---@param right cuna.Operand|nil # the value after the last point, default that of the last
---@param period number|nil # after which the function repeats; left and right do not matter then
---@return cuna.Array # x's shape, float64 or complex128
---@overload fun(x: cuna.Operand, xp: cuna.Operand, fp: cuna.Operand, options: {left?: cuna.Operand, right?: cuna.Operand, period?: number}): cuna.Array
function cn.interp(x, xp, fp, left, right, period) end

--- Cross products of vectors along an axis of two arrays, whose other axes broadcast; a missing third component is 0.
--- Of vectors with two components it is the third component alone, without the axis. Not for bool. Follows
--- numpy.cross.
---
--- ```lua
--- cn.cross({1, 2, 3}, {4, 5, 6}), cn.cross({1, 2}, {3, 4}) --> [-3. 6. -3.], -2.0
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param axisa integer|nil # of a's vectors, default -1
---@param axisb integer|nil # of b's vectors, default -1
---@param axisc integer|nil # of the result's vectors, default -1
---@param axis integer|nil # all three
---@return cuna.Array
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {axisa?: integer, axisb?: integer, axisc?: integer, axis?: integer}): cuna.Array
function cn.cross(a, b, axisa, axisb, axisc, axis) end

linalg.cross = cn.cross

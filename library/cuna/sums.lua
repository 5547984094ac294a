---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Sums, means, extremes and truth over axes.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- axes count from 1, negative from the end; {} folds over none
---@alias cuna.Axes integer|integer[]

--- an array, or what cn.array takes
---@alias cuna.Operand cuna.Array|number|table

--- Sum over axes. The sum of no elements is 0. Integers and bools are summed in 64 bits and wrap; float16 and
--- bfloat16 are summed in float32 and rounded once. Follows numpy.sum.
---
--- ```lua
--- cn.sum({{1, 2}, {3, 4}}, 1) --> [4. 6.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.sum(x, axis, dtype, out, keepdims) end

--- Sum over axes. The sum of no elements is 0. Integers and bools are summed in 64 bits and wrap; float16 and
--- bfloat16 are summed in float32 and rounded once. Follows numpy.sum.
---
--- ```lua
--- cn.sum({{1, 2}, {3, 4}}, 1) --> [4. 6.]
--- ```
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:sum(axis, dtype, out, keepdims) end

--- Product over axes, in the dtypes of `sum`. The product of no elements is 1. Follows numpy.prod.
---
--- ```lua
--- cn.prod({1, 2, 3, 4}) --> 24.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.prod(x, axis, dtype, out, keepdims) end

--- Product over axes, in the dtypes of `sum`. The product of no elements is 1. Follows numpy.prod.
---
--- ```lua
--- cn.prod({1, 2, 3, 4}) --> 24.0
--- ```
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:prod(axis, dtype, out, keepdims) end

--- Mean over axes: of integers and bools in the default float dtype. The mean of no elements is NaN. Follows
--- numpy.mean.
---
--- ```lua
--- cn.mean({{1, 2}, {3, 5}}, 2) --> [1.5 4. ]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give; an integer one cuts the mean
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.mean(x, axis, dtype, out, keepdims) end

--- Mean over axes: of integers and bools in the default float dtype. The mean of no elements is NaN. Follows
--- numpy.mean.
---
--- ```lua
--- cn.mean({{1, 2}, {3, 5}}, 2) --> [1.5 4. ]
--- ```
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give; an integer one cuts the mean
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:mean(axis, dtype, out, keepdims) end

--- Sum over axes in which NaN counts as 0. Follows numpy.nansum.
---
--- ```lua
--- cn.nansum({1, cn.nan, 3}) --> 4.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nansum(x, axis, dtype, out, keepdims) end

--- Product over axes in which NaN counts as 1. Follows numpy.nanprod.
---
--- ```lua
--- cn.nanprod({2, cn.nan, 3}) --> 6.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanprod(x, axis, dtype, out, keepdims) end

--- Mean over axes of the elements that are not NaN; NaN where there are none. Follows numpy.nanmean.
---
--- ```lua
--- cn.nanmean({1, cn.nan, 3}) --> 2.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanmean(x, axis, dtype, out, keepdims) end

--- Variance over axes: the mean squared distance from the mean, divided by count - ddof. The mean is computed first,
--- so a large mean costs no digits. Real also for complex x; infinite or NaN when ddof reaches the count. Follows
--- numpy.var.
---
--- ```lua
--- cn.var({1, 2, 3, 4}, {ddof = 1}) --> 1.6666666666666667
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function cn.var(x, axis, dtype, out, ddof, keepdims) end

--- Variance over axes: the mean squared distance from the mean, divided by count - ddof. The mean is computed first,
--- so a large mean costs no digits. Real also for complex x; infinite or NaN when ddof reaches the count. Follows
--- numpy.var.
---
--- ```lua
--- cn.var({1, 2, 3, 4}, {ddof = 1}) --> 1.6666666666666667
--- ```
---@param axis cuna.Axes|nil
---@param dtype string|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function Array:var(axis, dtype, out, ddof, keepdims) end

--- Standard deviation over axes: the square root of `var`. Follows numpy.std.
---
--- ```lua
--- cn.std({1, 3, 5, 7}) --> 2.23606797749979
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function cn.std(x, axis, dtype, out, ddof, keepdims) end

--- Standard deviation over axes: the square root of `var`. Follows numpy.std.
---
--- ```lua
--- cn.std({1, 3, 5, 7}) --> 2.23606797749979
--- ```
---@param axis cuna.Axes|nil
---@param dtype string|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function Array:std(axis, dtype, out, ddof, keepdims) end

--- Variance over axes of the elements that are not NaN; NaN where ddof reaches their count. Follows numpy.nanvar.
---
--- ```lua
--- cn.nanvar({1, cn.nan, 3}) --> 1.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function cn.nanvar(x, axis, dtype, out, ddof, keepdims) end

--- Standard deviation over axes of the elements that are not NaN: the square root of `nanvar`. Follows numpy.nanstd.
---
--- ```lua
--- cn.nanstd({1, cn.nan, 3}) --> 1.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype string|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # of a dtype that the result's casts to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: string, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function cn.nanstd(x, axis, dtype, out, ddof, keepdims) end

--- Least element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
--- Folding no elements is an error. Follows numpy.min.
---
--- ```lua
--- cn.min({{3, 1}, {2, 4}}, 1) --> [2. 1.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.min(x, axis, out, keepdims) end

cn.amin = cn.min

--- Least element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
--- Folding no elements is an error. Follows numpy.min.
---
--- ```lua
--- cn.min({{3, 1}, {2, 4}}, 1) --> [2. 1.]
--- ```
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:min(axis, out, keepdims) end

--- Greatest element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
--- Folding no elements is an error. Follows numpy.max.
---
--- ```lua
--- cn.max({{3, 1}, {2, 4}}, {axis = 2, keepdims = true}) --> [[3.] [4.]]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.max(x, axis, out, keepdims) end

cn.amax = cn.max

--- Greatest element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
--- Folding no elements is an error. Follows numpy.max.
---
--- ```lua
--- cn.max({{3, 1}, {2, 4}}, {axis = 2, keepdims = true}) --> [[3.] [4.]]
--- ```
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:max(axis, out, keepdims) end

--- Greatest less least element over axes (peak to peak), in x's dtype: integers wrap. Not for bool.
--- Folding no elements is an error. Follows numpy.ptp.
---
--- ```lua
--- cn.ptp({3, 9, 4}) --> 6.0
--- ```
---@param x cuna.Operand # any shape
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.ptp(x, axis, out, keepdims) end

--- Greatest less least element over axes (peak to peak), in x's dtype: integers wrap. Not for bool.
--- Folding no elements is an error. Follows numpy.ptp.
---
--- ```lua
--- cn.ptp({3, 9, 4}) --> 6.0
--- ```
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:ptp(axis, out, keepdims) end

--- Least element over axes that is not NaN; NaN where there is none. Folding no elements is an error. Follows
--- numpy.nanmin.
---
--- ```lua
--- cn.nanmin({cn.nan, 2, 1}) --> 1.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanmin(x, axis, out, keepdims) end

--- Greatest element over axes that is not NaN; NaN where there is none. Folding no elements is an error. Follows
--- numpy.nanmax.
---
--- ```lua
--- cn.nanmax({cn.nan, 2, 1}) --> 2.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # of a dtype that x's casts to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanmax(x, axis, out, keepdims) end

--- Position (from 1) of the least element along an axis, or of the first NaN; of equals the first. Without axis, the
--- position in row-major order. Folding no elements is an error. Follows numpy.argmin.
---
--- ```lua
--- cn.argmin({3, 1, 2}) --> 2
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil
---@param dtype string|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.argmin(x, axis, dtype, out, keepdims) end

--- Position (from 1) of the least element along an axis, or of the first NaN; of equals the first. Without axis, the
--- position in row-major order. Folding no elements is an error. Follows numpy.argmin.
---
--- ```lua
--- cn.argmin({3, 1, 2}) --> 2
--- ```
---@param axis integer|nil
---@param dtype string|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(self: cuna.Array, options: {axis?: integer, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:argmin(axis, dtype, out, keepdims) end

--- Position (from 1) of the greatest element along an axis, or of the first NaN; of equals the first. Without axis,
--- the position in row-major order. Folding no elements is an error. Follows numpy.argmax.
---
--- ```lua
--- cn.argmax({{3, 1}, {2, 4}}, 2) --> [1 2]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil
---@param dtype string|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.argmax(x, axis, dtype, out, keepdims) end

--- Position (from 1) of the greatest element along an axis, or of the first NaN; of equals the first. Without axis,
--- the position in row-major order. Folding no elements is an error. Follows numpy.argmax.
---
--- ```lua
--- cn.argmax({{3, 1}, {2, 4}}, 2) --> [1 2]
--- ```
---@param axis integer|nil
---@param dtype string|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(self: cuna.Array, options: {axis?: integer, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:argmax(axis, dtype, out, keepdims) end

--- Position (from 1) of the least element that is not NaN along an axis. A slice of NaN only is an error, which
--- synchronises float arrays. Follows numpy.nanargmin.
---
--- ```lua
--- cn.nanargmin({cn.nan, 2, 1}) --> 3
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil
---@param dtype string|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanargmin(x, axis, dtype, out, keepdims) end

--- Position (from 1) of the greatest element that is not NaN along an axis. A slice of NaN only is an error, which
--- synchronises float arrays. Follows numpy.nanargmax.
---
--- ```lua
--- cn.nanargmax({cn.nan, 2, 1}) --> 2
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil
---@param dtype string|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: string, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanargmax(x, axis, dtype, out, keepdims) end

--- Whether any element is not 0 (NaN is not). Over all axes it decides, hence a Lua boolean, and synchronises; with
--- axis, out or keepdims the result is an array. Of no elements it is false. Follows numpy.any.
---
--- ```lua
--- cn.any({{0, 1}, {0, 0}}, 2) --> [ True False]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): boolean|cuna.Array
function cn.any(x, axis, out, keepdims) end

--- Whether any element is not 0 (NaN is not). Over all axes it decides, hence a Lua boolean, and synchronises; with
--- axis, out or keepdims the result is an array. Of no elements it is false. Follows numpy.any.
---
--- ```lua
--- cn.any({{0, 1}, {0, 0}}, 2) --> [ True False]
--- ```
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): boolean|cuna.Array
function Array:any(axis, out, keepdims) end

--- Whether no element is 0. Over all axes it decides, hence a Lua boolean, and synchronises; with axis, out or
--- keepdims the result is an array. Of no elements it is true. Follows numpy.all.
---
--- ```lua
--- cn.all({1, 2, 3}) --> true
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): boolean|cuna.Array
function cn.all(x, axis, out, keepdims) end

--- Whether no element is 0. Over all axes it decides, hence a Lua boolean, and synchronises; with axis, out or
--- keepdims the result is an array. Of no elements it is true. Follows numpy.all.
---
--- ```lua
--- cn.all({1, 2, 3}) --> true
--- ```
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): boolean|cuna.Array
function Array:all(axis, out, keepdims) end

--- Count of the elements that are not 0 (NaN is not) over axes. Follows numpy.count_nonzero.
---
--- ```lua
--- cn.count_nonzero({{1, 0}, {2, 3}}, 1) --> [2 1]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, keepdims?: boolean}): cuna.Array
function cn.count_nonzero(x, axis, keepdims) end

--- Count of the elements that are not 0 (NaN is not) over axes. Follows numpy.count_nonzero.
---
--- ```lua
--- cn.count_nonzero({{1, 0}, {2, 3}}, 1) --> [2 1]
--- ```
---@param axis cuna.Axes|nil
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, keepdims?: boolean}): cuna.Array
function Array:count_nonzero(axis, keepdims) end

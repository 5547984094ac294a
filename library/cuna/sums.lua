---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Sums, means, extremes, truth and running results over axes.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- axes count from 1, negative from the end; {} folds over none
---@alias cuna.Axes integer|integer[]

--- an array, or what cn.array takes
---@alias cuna.Operand cuna.Array|number|table

--- The arguments of one call: x, axes (a bit mask), shape (of the result), out, result (dtype), keepdims, initial,
--- where.
---@class cuna.Combining
local Combining = {}

--- Sum over axes. The sum of no elements is 0. Integers and bools are summed in 64 bits and wrap; float16 and
--- bfloat16 are summed in float32 and rounded once. Follows numpy.sum.
---
--- ```lua
--- cn.sum({{1, 2}, {3, 4}}, 1) --> [4. 6.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.sum(x, axis, dtype, out, keepdims) end

--- Sum over axes. The sum of no elements is 0. Integers and bools are summed in 64 bits and wrap; float16 and
--- bfloat16 are summed in float32 and rounded once. Follows numpy.sum.
---
--- ```lua
--- cn.sum({{1, 2}, {3, 4}}, 1) --> [4. 6.]
--- ```
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:sum(axis, dtype, out, keepdims) end

--- Product over axes, in the dtypes of `sum`. The product of no elements is 1. Follows numpy.prod.
---
--- ```lua
--- cn.prod({1, 2, 3, 4}) --> 24.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.prod(x, axis, dtype, out, keepdims) end

--- Product over axes, in the dtypes of `sum`. The product of no elements is 1. Follows numpy.prod.
---
--- ```lua
--- cn.prod({1, 2, 3, 4}) --> 24.0
--- ```
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:prod(axis, dtype, out, keepdims) end

--- Mean over axes: of integers and bools in the default float dtype. The mean of no elements is NaN. An integer dtype
--- cuts the mean. Follows numpy.mean.
---
--- ```lua
--- cn.mean({{1, 2}, {3, 5}}, 2) --> [1.5 4. ]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.mean(x, axis, dtype, out, keepdims) end

--- Mean over axes: of integers and bools in the default float dtype. The mean of no elements is NaN. An integer dtype
--- cuts the mean. Follows numpy.mean.
---
--- ```lua
--- cn.mean({{1, 2}, {3, 5}}, 2) --> [1.5 4. ]
--- ```
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:mean(axis, dtype, out, keepdims) end

--- Sum over axes in which NaN counts as 0. Follows numpy.nansum.
---
--- ```lua
--- cn.nansum({1, cn.nan, 3}) --> 4.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nansum(x, axis, dtype, out, keepdims) end

--- Product over axes in which NaN counts as 1. Follows numpy.nanprod.
---
--- ```lua
--- cn.nanprod({2, cn.nan, 3}) --> 6.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanprod(x, axis, dtype, out, keepdims) end

--- Mean over axes of the elements that are not NaN; NaN where there are none. Follows numpy.nanmean.
---
--- ```lua
--- cn.nanmean({1, cn.nan, 3}) --> 2.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanmean(x, axis, dtype, out, keepdims) end

--- Variance over axes: the mean squared distance from the mean, divided by count - ddof. Distances are taken from the
--- mean, on GPUs from elements first, so a large mean costs no digits. Real also for complex x; infinite or NaN when
--- ddof reaches the count. Follows numpy.var.
---
--- ```lua
--- cn.var({1, 2, 3, 4}, {ddof = 1}) --> 1.6666666666666667
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function cn.var(x, axis, dtype, out, ddof, keepdims) end

--- Variance over axes: the mean squared distance from the mean, divided by count - ddof. Distances are taken from the
--- mean, on GPUs from elements first, so a large mean costs no digits. Real also for complex x; infinite or NaN when
--- ddof reaches the count. Follows numpy.var.
---
--- ```lua
--- cn.var({1, 2, 3, 4}, {ddof = 1}) --> 1.6666666666666667
--- ```
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function Array:var(axis, dtype, out, ddof, keepdims) end

--- Standard deviation over axes: the square root of `var`. Follows numpy.std.
---
--- ```lua
--- cn.std({1, 3, 5, 7}) --> 2.23606797749979
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function cn.std(x, axis, dtype, out, ddof, keepdims) end

--- Standard deviation over axes: the square root of `var`. Follows numpy.std.
---
--- ```lua
--- cn.std({1, 3, 5, 7}) --> 2.23606797749979
--- ```
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function Array:std(axis, dtype, out, ddof, keepdims) end

--- Variance over axes of the elements that are not NaN; NaN where ddof reaches their count. Follows numpy.nanvar.
---
--- ```lua
--- cn.nanvar({1, cn.nan, 3}) --> 1.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function cn.nanvar(x, axis, dtype, out, ddof, keepdims) end

--- Standard deviation over axes of the elements that are not NaN: the square root of `nanvar`. Follows numpy.nanstd.
---
--- ```lua
--- cn.nanstd({1, cn.nan, 3}) --> 1.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param dtype cuna.Dtype|nil # float or complex dtype to compute in
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param ddof number|nil # what is taken from the count before dividing by it, default 0
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, ddof?: number, keepdims?: boolean}): cuna.Array
function cn.nanstd(x, axis, dtype, out, ddof, keepdims) end

--- Least element over axes, or NaN if there is one; complex numbers compare by real, then imaginary part.
--- Folding no elements is an error. Follows numpy.min.
---
--- ```lua
--- cn.min({{3, 1}, {2, 4}}, 1) --> [2. 1.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that x's dtype can be cast to
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
---@param out cuna.Array|nil # its dtype must be one that x's dtype can be cast to
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
---@param out cuna.Array|nil # its dtype must be one that x's dtype can be cast to
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
---@param out cuna.Array|nil # its dtype must be one that x's dtype can be cast to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:max(axis, out, keepdims) end

--- Greatest less least element over axes (peak to peak), in x's dtype: integers wrap. Folding no elements is an
--- error. Follows numpy.ptp.
---
--- ```lua
--- cn.ptp({3, 9, 4}) --> 6.0
--- ```
---@param x cuna.Operand # any shape; not bool
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that x's dtype can be cast to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.ptp(x, axis, out, keepdims) end

--- Greatest less least element over axes (peak to peak), in x's dtype: integers wrap. Folding no elements is an
--- error. Follows numpy.ptp.
---
--- ```lua
--- cn.ptp({3, 9, 4}) --> 6.0
--- ```
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that x's dtype can be cast to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:ptp(axis, out, keepdims) end

--- Least element over axes that is not NaN; NaN where there is none. Folding no elements is an error.
--- Follows numpy.nanmin.
---
--- ```lua
--- cn.nanmin({cn.nan, 2, 1}) --> 1.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that x's dtype can be cast to
---@param keepdims boolean|nil
---@return cuna.Array # of x's dtype
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanmin(x, axis, out, keepdims) end

--- Greatest element over axes that is not NaN; NaN where there is none. Folding no elements is an error.
--- Follows numpy.nanmax.
---
--- ```lua
--- cn.nanmax({cn.nan, 2, 1}) --> 2.0
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that x's dtype can be cast to
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
---@param dtype cuna.Dtype|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.argmin(x, axis, dtype, out, keepdims) end

--- Position (from 1) of the least element along an axis, or of the first NaN; of equals the first. Without axis, the
--- position in row-major order. Folding no elements is an error. Follows numpy.argmin.
---
--- ```lua
--- cn.argmin({3, 1, 2}) --> 2
--- ```
---@param axis integer|nil
---@param dtype cuna.Dtype|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(self: cuna.Array, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:argmin(axis, dtype, out, keepdims) end

--- Position (from 1) of the greatest element along an axis, or of the first NaN; of equals the first. Without axis,
--- the position in row-major order. Folding no elements is an error. Follows numpy.argmax.
---
--- ```lua
--- cn.argmax({{3, 1}, {2, 4}}, 2) --> [1 2]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil
---@param dtype cuna.Dtype|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.argmax(x, axis, dtype, out, keepdims) end

--- Position (from 1) of the greatest element along an axis, or of the first NaN; of equals the first. Without axis,
--- the position in row-major order. Folding no elements is an error. Follows numpy.argmax.
---
--- ```lua
--- cn.argmax({{3, 1}, {2, 4}}, 2) --> [1 2]
--- ```
---@param axis integer|nil
---@param dtype cuna.Dtype|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(self: cuna.Array, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function Array:argmax(axis, dtype, out, keepdims) end

--- Position (from 1) of the least element that is not NaN along an axis. A slice of NaN only is an error, which
--- synchronises float arrays. Follows numpy.nanargmin.
---
--- ```lua
--- cn.nanargmin({cn.nan, 2, 1}) --> 3
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil
---@param dtype cuna.Dtype|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
function cn.nanargmin(x, axis, dtype, out, keepdims) end

--- Position (from 1) of the greatest element that is not NaN along an axis. A slice of NaN only is an error, which
--- synchronises float arrays. Follows numpy.nanargmax.
---
--- ```lua
--- cn.nanargmax({cn.nan, 2, 1}) --> 2
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil
---@param dtype cuna.Dtype|nil # "int64" or nil
---@param out cuna.Array|nil # of an integer or float dtype
---@param keepdims boolean|nil
---@return cuna.Array # int64
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean}): cuna.Array
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

--- Sum of every element with those before it along an axis. Integers and bools are summed in 64 bits and wrap; float16
--- and bfloat16 are summed in float32. Follows numpy.cumsum.
---
--- ```lua
--- cn.cumsum {1, 2, 3} --> [1. 3. 6.]
--- cn.array({{1, 2}, {3, 4}}, "int8"):cumsum(1) --> [[1 2] [4 6]]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.cumsum(x, axis, dtype, out) end

--- Sum of every element with those before it along an axis. Integers and bools are summed in 64 bits and wrap; float16
--- and bfloat16 are summed in float32. Follows numpy.cumsum.
---
--- ```lua
--- cn.cumsum {1, 2, 3} --> [1. 3. 6.]
--- cn.array({{1, 2}, {3, 4}}, "int8"):cumsum(1) --> [[1 2] [4 6]]
--- ```
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Array:cumsum(axis, dtype, out) end

--- Product of every element with those before it along an axis, in the dtypes of `cumsum`. Follows numpy.cumprod.
---
--- ```lua
--- cn.cumprod {1, 2, 3, 4} --> [ 1. 2. 6. 24.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.cumprod(x, axis, dtype, out) end

--- Product of every element with those before it along an axis, in the dtypes of `cumsum`. Follows numpy.cumprod.
---
--- ```lua
--- cn.cumprod {1, 2, 3, 4} --> [ 1. 2. 6. 24.]
--- ```
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Array:cumprod(axis, dtype, out) end

--- Greatest of every element and those before it along an axis, in x's dtype unless asked for another; from a NaN on it
--- is NaN. Complex numbers compare by real, then imaginary part.
--- Follows numpy.maximum.accumulate, but that without an axis all elements are one.
---
--- ```lua
--- cn.cummax {2, 1, 3, cn.nan, 4} --> [ 2. 2. 3. nan nan]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.cummax(x, axis, dtype, out) end

--- Greatest of every element and those before it along an axis, in x's dtype unless asked for another; from a NaN on it
--- is NaN. Complex numbers compare by real, then imaginary part.
--- Follows numpy.maximum.accumulate, but that without an axis all elements are one.
---
--- ```lua
--- cn.cummax {2, 1, 3, cn.nan, 4} --> [ 2. 2. 3. nan nan]
--- ```
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Array:cummax(axis, dtype, out) end

--- Least of every element and those before it along an axis, in x's dtype unless asked for another; from a NaN on it is
--- NaN. Complex numbers compare by real, then imaginary part.
--- Follows numpy.minimum.accumulate, but that without an axis all elements are one.
---
--- ```lua
--- cn.cummin {2, 3, 1, 4} --> [2. 2. 1. 1.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.cummin(x, axis, dtype, out) end

--- Least of every element and those before it along an axis, in x's dtype unless asked for another; from a NaN on it is
--- NaN. Complex numbers compare by real, then imaginary part.
--- Follows numpy.minimum.accumulate, but that without an axis all elements are one.
---
--- ```lua
--- cn.cummin {2, 3, 1, 4} --> [2. 2. 1. 1.]
--- ```
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Array:cummin(axis, dtype, out) end

--- Sum of every element with those before it along an axis, in which NaN counts as 0. Follows numpy.nancumsum.
---
--- ```lua
--- cn.nancumsum {1, cn.nan, 3} --> [1. 1. 4.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.nancumsum(x, axis, dtype, out) end

--- Product of every element with those before it along an axis, in which NaN counts as 1. Follows numpy.nancumprod.
---
--- ```lua
--- cn.nancumprod {2, cn.nan, 3} --> [2. 2. 6.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis integer|nil # default: all elements in row-major order, as one axis
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil # of the result's shape, and of a dtype that the result can be cast to; it may overlap x
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.nancumprod(x, axis, dtype, out) end

--- Sum of every element with those before it, in the dtypes of `cumsum`; with include_initial a 0 stands first.
--- Follows numpy.cumulative_sum.
---
--- ```lua
--- cn.cumulative_sum({1, 2, 3}, {include_initial = true}) --> [0. 1. 3. 6.]
--- ```
---@param x cuna.Operand # at least 1-d
---@param axis integer|nil # may be left out for a vector
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil
---@param include_initial boolean|nil # default false
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array, include_initial?: boolean}): cuna.Array
function cn.cumulative_sum(x, axis, dtype, out, include_initial) end

--- Product of every element with those before it, in the dtypes of `cumsum`; with include_initial a 1 stands first.
--- Follows numpy.cumulative_prod.
---
--- ```lua
--- cn.cumulative_prod({2, 3}, {include_initial = true}) --> [1. 2. 6.]
--- ```
---@param x cuna.Operand # at least 1-d
---@param axis integer|nil # may be left out for a vector
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@param out cuna.Array|nil
---@param include_initial boolean|nil # default false
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array, include_initial?: boolean}): cuna.Array
function cn.cumulative_prod(x, axis, dtype, out, include_initial) end

--- An operation between all elements along axes. Every operation of two operands has this form, by all its names:
--- cn.subtract_reduce, cn.maximum_reduce, cn.gcd_reduce, cn.bor_reduce, ... If the order of combining matters, as in
--- cn.divide_reduce, it begins with the first element and takes one axis. Sums and products of small integers have 64
--- bits; comparisons combine bools only. Without elements, an operation without identity raises an error. Follows
--- numpy.ufunc.reduce.
---
--- ```lua
--- cn.add_reduce({{1, 2}, {3, 4}}), cn.subtract_reduce {10, 2, 3} --> [4. 6.], 5.0
--- cn.maximum_reduce({1, 5, 9}, {where = cn.array {true, true, false}, initial = 0}) --> 5.0
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil # default 1, the first
---@param dtype cuna.Dtype|nil # dtype of the computation and the result
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@param initial cuna.Number|cuna.Array|nil # the initial value; a number or 0-d array
---@param where cuna.Operand|nil # bools that broadcast to x: the elements to include
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, dtype?: cuna.Dtype, out?: cuna.Array, keepdims?: boolean, initial?: cuna.Number|cuna.Array, where?: cuna.Operand}): cuna.Array
function cn.add_reduce(x, axis, dtype, out, keepdims, initial, where) end

cn.subtract_reduce = cn.add_reduce

cn.sub_reduce = cn.add_reduce

cn.multiply_reduce = cn.add_reduce

cn.mul_reduce = cn.add_reduce

cn.divide_reduce = cn.add_reduce

cn.true_divide_reduce = cn.add_reduce

cn.div_reduce = cn.add_reduce

cn.floor_divide_reduce = cn.add_reduce

cn.remainder_reduce = cn.add_reduce

cn.mod_reduce = cn.add_reduce

cn.fmod_reduce = cn.add_reduce

cn.power_reduce = cn.add_reduce

cn.pow_reduce = cn.add_reduce

cn.float_power_reduce = cn.add_reduce

cn.hypot_reduce = cn.add_reduce

cn.gcd_reduce = cn.add_reduce

cn.lcm_reduce = cn.add_reduce

cn.logaddexp_reduce = cn.add_reduce

cn.logaddexp2_reduce = cn.add_reduce

cn.arctan2_reduce = cn.add_reduce

cn.atan2_reduce = cn.add_reduce

cn.maximum_reduce = cn.add_reduce

cn.minimum_reduce = cn.add_reduce

cn.fmax_reduce = cn.add_reduce

cn.fmin_reduce = cn.add_reduce

cn.heaviside_reduce = cn.add_reduce

cn.equal_reduce = cn.add_reduce

cn.eq_reduce = cn.add_reduce

cn.not_equal_reduce = cn.add_reduce

cn.ne_reduce = cn.add_reduce

cn.less_reduce = cn.add_reduce

cn.lt_reduce = cn.add_reduce

cn.less_equal_reduce = cn.add_reduce

cn.le_reduce = cn.add_reduce

cn.greater_reduce = cn.add_reduce

cn.gt_reduce = cn.add_reduce

cn.greater_equal_reduce = cn.add_reduce

cn.ge_reduce = cn.add_reduce

cn.logical_and_reduce = cn.add_reduce

cn.logical_or_reduce = cn.add_reduce

cn.logical_xor_reduce = cn.add_reduce

cn.bitwise_and_reduce = cn.add_reduce

cn.band_reduce = cn.add_reduce

cn.bitwise_or_reduce = cn.add_reduce

cn.bor_reduce = cn.add_reduce

cn.bitwise_xor_reduce = cn.add_reduce

cn.bxor_reduce = cn.add_reduce

cn.left_shift_reduce = cn.add_reduce

cn.bitwise_left_shift_reduce = cn.add_reduce

cn.lshift_reduce = cn.add_reduce

cn.right_shift_reduce = cn.add_reduce

cn.bitwise_right_shift_reduce = cn.add_reduce

cn.rshift_reduce = cn.add_reduce

cn.isclose_reduce = cn.add_reduce

cn.copysign_reduce = cn.add_reduce

cn.nextafter_reduce = cn.add_reduce

cn.ldexp_reduce = cn.add_reduce

--- An operation between every element and those before it along an axis. Every operation of two operands has this
--- form, by all its names: cn.multiply_accumulate, cn.logaddexp_accumulate, ... The dtypes are those of cn.add_reduce.
--- Follows numpy.ufunc.accumulate.
---
--- ```lua
--- cn.add_accumulate {{1, 2}, {3, 4}} --> [[1. 2.] [4. 6.]]
--- cn.power_accumulate {2, 3, 2} --> [ 2. 8. 64.]
--- ```
---@param x cuna.Operand # at least 1-d
---@param axis integer|nil # default 1, the first
---@param dtype cuna.Dtype|nil # dtype of the computation and the result
---@param out cuna.Array|nil # of x's shape
---@return cuna.Array # of x's shape
---@overload fun(x: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.add_accumulate(x, axis, dtype, out) end

cn.subtract_accumulate = cn.add_accumulate

cn.sub_accumulate = cn.add_accumulate

cn.multiply_accumulate = cn.add_accumulate

cn.mul_accumulate = cn.add_accumulate

cn.divide_accumulate = cn.add_accumulate

cn.true_divide_accumulate = cn.add_accumulate

cn.div_accumulate = cn.add_accumulate

cn.floor_divide_accumulate = cn.add_accumulate

cn.remainder_accumulate = cn.add_accumulate

cn.mod_accumulate = cn.add_accumulate

cn.fmod_accumulate = cn.add_accumulate

cn.power_accumulate = cn.add_accumulate

cn.pow_accumulate = cn.add_accumulate

cn.float_power_accumulate = cn.add_accumulate

cn.hypot_accumulate = cn.add_accumulate

cn.gcd_accumulate = cn.add_accumulate

cn.lcm_accumulate = cn.add_accumulate

cn.logaddexp_accumulate = cn.add_accumulate

cn.logaddexp2_accumulate = cn.add_accumulate

cn.arctan2_accumulate = cn.add_accumulate

cn.atan2_accumulate = cn.add_accumulate

cn.maximum_accumulate = cn.add_accumulate

cn.minimum_accumulate = cn.add_accumulate

cn.fmax_accumulate = cn.add_accumulate

cn.fmin_accumulate = cn.add_accumulate

cn.heaviside_accumulate = cn.add_accumulate

cn.equal_accumulate = cn.add_accumulate

cn.eq_accumulate = cn.add_accumulate

cn.not_equal_accumulate = cn.add_accumulate

cn.ne_accumulate = cn.add_accumulate

cn.less_accumulate = cn.add_accumulate

cn.lt_accumulate = cn.add_accumulate

cn.less_equal_accumulate = cn.add_accumulate

cn.le_accumulate = cn.add_accumulate

cn.greater_accumulate = cn.add_accumulate

cn.gt_accumulate = cn.add_accumulate

cn.greater_equal_accumulate = cn.add_accumulate

cn.ge_accumulate = cn.add_accumulate

cn.logical_and_accumulate = cn.add_accumulate

cn.logical_or_accumulate = cn.add_accumulate

cn.logical_xor_accumulate = cn.add_accumulate

cn.bitwise_and_accumulate = cn.add_accumulate

cn.band_accumulate = cn.add_accumulate

cn.bitwise_or_accumulate = cn.add_accumulate

cn.bor_accumulate = cn.add_accumulate

cn.bitwise_xor_accumulate = cn.add_accumulate

cn.bxor_accumulate = cn.add_accumulate

cn.left_shift_accumulate = cn.add_accumulate

cn.bitwise_left_shift_accumulate = cn.add_accumulate

cn.lshift_accumulate = cn.add_accumulate

cn.right_shift_accumulate = cn.add_accumulate

cn.bitwise_right_shift_accumulate = cn.add_accumulate

cn.rshift_accumulate = cn.add_accumulate

cn.isclose_accumulate = cn.add_accumulate

cn.copysign_accumulate = cn.add_accumulate

cn.nextafter_accumulate = cn.add_accumulate

cn.ldexp_accumulate = cn.add_accumulate

--- An operation between the elements of each segment along an axis: those from one position up to the next position in
--- `indices`, or up to the end; a position that is not below the next one has a segment of one element. Every operation
--- of two operands has this form, by all its names: cn.maximum_reduceat, cn.logical_or_reduceat, ... The dtypes are
--- those of cn.add_reduce; elements are combined from left to right, or by parts if the order does not matter. Follows
--- numpy.ufunc.reduceat, with positions from 1.
---
--- ```lua
--- cn.add_reduceat({1, 2, 3, 4, 5}, {1, 3, 4}) --> [3. 3. 9.]
--- cn.maximum_reduceat({{1, 9, 3}, {7, 2, 5}}, {1, 3}, {axis = 2}) --> [[9. 3.] [7. 5.]]
--- ```
---@param x cuna.Operand # at least 1-d
---@param indices cuna.Operand # 1-d positions, from 1, or from the end below 0; in any order
---@param axis integer|nil # default 1, the first
---@param dtype cuna.Dtype|nil # dtype of the computation and the result
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@return cuna.Array # x's shape, with the number of positions in place of the axis' length
---@overload fun(x: cuna.Operand, indices: cuna.Operand, options: {axis?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.add_reduceat(x, indices, axis, dtype, out) end

cn.subtract_reduceat = cn.add_reduceat

cn.sub_reduceat = cn.add_reduceat

cn.multiply_reduceat = cn.add_reduceat

cn.mul_reduceat = cn.add_reduceat

cn.divide_reduceat = cn.add_reduceat

cn.true_divide_reduceat = cn.add_reduceat

cn.div_reduceat = cn.add_reduceat

cn.floor_divide_reduceat = cn.add_reduceat

cn.remainder_reduceat = cn.add_reduceat

cn.mod_reduceat = cn.add_reduceat

cn.fmod_reduceat = cn.add_reduceat

cn.power_reduceat = cn.add_reduceat

cn.pow_reduceat = cn.add_reduceat

cn.float_power_reduceat = cn.add_reduceat

cn.hypot_reduceat = cn.add_reduceat

cn.gcd_reduceat = cn.add_reduceat

cn.lcm_reduceat = cn.add_reduceat

cn.logaddexp_reduceat = cn.add_reduceat

cn.logaddexp2_reduceat = cn.add_reduceat

cn.arctan2_reduceat = cn.add_reduceat

cn.atan2_reduceat = cn.add_reduceat

cn.maximum_reduceat = cn.add_reduceat

cn.minimum_reduceat = cn.add_reduceat

cn.fmax_reduceat = cn.add_reduceat

cn.fmin_reduceat = cn.add_reduceat

cn.heaviside_reduceat = cn.add_reduceat

cn.equal_reduceat = cn.add_reduceat

cn.eq_reduceat = cn.add_reduceat

cn.not_equal_reduceat = cn.add_reduceat

cn.ne_reduceat = cn.add_reduceat

cn.less_reduceat = cn.add_reduceat

cn.lt_reduceat = cn.add_reduceat

cn.less_equal_reduceat = cn.add_reduceat

cn.le_reduceat = cn.add_reduceat

cn.greater_reduceat = cn.add_reduceat

cn.gt_reduceat = cn.add_reduceat

cn.greater_equal_reduceat = cn.add_reduceat

cn.ge_reduceat = cn.add_reduceat

cn.logical_and_reduceat = cn.add_reduceat

cn.logical_or_reduceat = cn.add_reduceat

cn.logical_xor_reduceat = cn.add_reduceat

cn.bitwise_and_reduceat = cn.add_reduceat

cn.band_reduceat = cn.add_reduceat

cn.bitwise_or_reduceat = cn.add_reduceat

cn.bor_reduceat = cn.add_reduceat

cn.bitwise_xor_reduceat = cn.add_reduceat

cn.bxor_reduceat = cn.add_reduceat

cn.left_shift_reduceat = cn.add_reduceat

cn.bitwise_left_shift_reduceat = cn.add_reduceat

cn.lshift_reduceat = cn.add_reduceat

cn.right_shift_reduceat = cn.add_reduceat

cn.bitwise_right_shift_reduceat = cn.add_reduceat

cn.rshift_reduceat = cn.add_reduceat

cn.isclose_reduceat = cn.add_reduceat

cn.copysign_reduceat = cn.add_reduceat

cn.nextafter_reduceat = cn.add_reduceat

cn.ldexp_reduceat = cn.add_reduceat

--- An operation between every element of a and every element of b. Every operation of two operands has this form, by
--- all its names: cn.multiply_outer, cn.less_outer, ... Follows numpy.ufunc.outer.
---
--- ```lua
--- cn.add_outer({1, 2}, {10, 20, 30}) --> [[11. 21. 31.] [12. 22. 32.]]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param ... cuna.Array|table # out, options, as for the operation
---@return cuna.Array # of a's shape followed by b's
function cn.add_outer(a, b, ...) end

cn.subtract_outer = cn.add_outer

cn.sub_outer = cn.add_outer

cn.multiply_outer = cn.add_outer

cn.mul_outer = cn.add_outer

cn.divide_outer = cn.add_outer

cn.true_divide_outer = cn.add_outer

cn.div_outer = cn.add_outer

cn.floor_divide_outer = cn.add_outer

cn.remainder_outer = cn.add_outer

cn.mod_outer = cn.add_outer

cn.fmod_outer = cn.add_outer

cn.divmod_outer = cn.add_outer

cn.power_outer = cn.add_outer

cn.pow_outer = cn.add_outer

cn.float_power_outer = cn.add_outer

cn.hypot_outer = cn.add_outer

cn.gcd_outer = cn.add_outer

cn.lcm_outer = cn.add_outer

cn.logaddexp_outer = cn.add_outer

cn.logaddexp2_outer = cn.add_outer

cn.arctan2_outer = cn.add_outer

cn.atan2_outer = cn.add_outer

cn.maximum_outer = cn.add_outer

cn.minimum_outer = cn.add_outer

cn.fmax_outer = cn.add_outer

cn.fmin_outer = cn.add_outer

cn.heaviside_outer = cn.add_outer

cn.equal_outer = cn.add_outer

cn.eq_outer = cn.add_outer

cn.not_equal_outer = cn.add_outer

cn.ne_outer = cn.add_outer

cn.less_outer = cn.add_outer

cn.lt_outer = cn.add_outer

cn.less_equal_outer = cn.add_outer

cn.le_outer = cn.add_outer

cn.greater_outer = cn.add_outer

cn.gt_outer = cn.add_outer

cn.greater_equal_outer = cn.add_outer

cn.ge_outer = cn.add_outer

cn.logical_and_outer = cn.add_outer

cn.logical_or_outer = cn.add_outer

cn.logical_xor_outer = cn.add_outer

cn.bitwise_and_outer = cn.add_outer

cn.band_outer = cn.add_outer

cn.bitwise_or_outer = cn.add_outer

cn.bor_outer = cn.add_outer

cn.bitwise_xor_outer = cn.add_outer

cn.bxor_outer = cn.add_outer

cn.left_shift_outer = cn.add_outer

cn.bitwise_left_shift_outer = cn.add_outer

cn.lshift_outer = cn.add_outer

cn.right_shift_outer = cn.add_outer

cn.bitwise_right_shift_outer = cn.add_outer

cn.rshift_outer = cn.add_outer

cn.isclose_outer = cn.add_outer

cn.copysign_outer = cn.add_outer

cn.nextafter_outer = cn.add_outer

cn.ldexp_outer = cn.add_outer

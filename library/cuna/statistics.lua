---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Averages, quantiles, covariances, histograms, searches.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- The properties of a program: method; dtype, loop, result (of elements, of interpolation, of results); q, the dtype
--- of probabilities, and given, their form: "number", "table", or "array", which the device checks; most, the greatest
--- probability (1 or 100); skips, whether NaN is ignored; slots, how many elements of a row were selected, or 0 if rows
--- are sorted. What was selected is followed by NaN if the row has NaN and is not to be ignored.
---@class cuna.Quantile
local Quantile = {}

--- Average over axes, with weights: sum(x * weights) / sum(weights). Follows numpy.average, but that weights which
--- sum to 0 give NaN or infinity.
---
--- ```lua
--- cn.average({1, 2, 4}, {weights = {1, 1, 2}}) --> 2.75
--- cn.average({{1, 2}, {3, 4}}, 2, {1, 3}, true) --> [1.75 3.75], [4. 4.]
--- ```
---@param x cuna.Operand # any shape and dtype
---@param axis cuna.Axes|nil
---@param weights cuna.Operand|nil # of x's shape, or 1-d along the one axis
---@param returned boolean|nil # true: also returns the sum of the weights, too
---@param keepdims boolean|nil
---@return cuna.Array
---@return cuna.Array|nil # sum_of_weights of the average's shape; without weights the count
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, weights?: cuna.Operand, returned?: boolean, keepdims?: boolean}): cuna.Array, cuna.Array|nil
function cn.average(x, axis, weights, returned, keepdims) end

--- Covariances of variables. Follows numpy.cov, but that the weights' signs are not looked at.
---
--- ```lua
--- cn.cov {{0, 1, 2}, {2, 1, 0}} --> [[ 1. -1.] [-1. 1.]]
--- cn.cov({1, 2, 4, 9}, {bias = true}) --> 9.5
--- ```
---@param x cuna.Operand # shape (variables, observations), or one variable
---@param y cuna.Operand|nil # more variables
---@param rowvar boolean|nil # false: shape (observations, variables)
---@param bias boolean|nil # true: divided by the count of observations, in place of one less
---@param ddof integer|nil # what is taken from the count in place of that
---@param fweights cuna.Operand|nil # how often each observation counts
---@param aweights cuna.Operand|nil # how much each observation weighs beside others
---@param dtype cuna.Dtype|nil # default: at least float64
---@return cuna.Array # shape (variables, variables); of one variable a 0-d array
---@overload fun(x: cuna.Operand, options: {y?: cuna.Operand, rowvar?: boolean, bias?: boolean, ddof?: integer, fweights?: cuna.Operand, aweights?: cuna.Operand, dtype?: cuna.Dtype}): cuna.Array
function cn.cov(x, y, rowvar, bias, ddof, fweights, aweights, dtype) end

--- Correlation coefficients of variables: covariances divided by the standard deviations. Follows numpy.corrcoef.
---
--- ```lua
--- cn.corrcoef({{0, 1, 2}, {2, 1, 0}}) --> [[ 1. -1.] [-1. 1.]]
--- ```
---@param x cuna.Operand # shape (variables, observations), or one variable
---@param y cuna.Operand|nil # more variables
---@param rowvar boolean|nil # false: shape (observations, variables)
---@param dtype cuna.Dtype|nil # default: at least float64
---@return cuna.Array # shape (variables, variables); of one variable a 0-d array
---@overload fun(x: cuna.Operand, options: {y?: cuna.Operand, rowvar?: boolean, dtype?: cuna.Dtype}): cuna.Array
function cn.corrcoef(x, y, rowvar, dtype) end

--- The middle of the sorted elements over axes, or the mean of the two in the middle. NaN makes the result NaN. Complex
--- numbers are ordered by their real parts, then by the imaginary ones. Follows numpy.median.
---
--- ```lua
--- cn.median({3, 1, 2, 10}) --> 2.5
--- cn.median({{3, 1, 2}, {6, 4, 5}}, {axis = 2, keepdims = true}) --> [[2.] [5.]]
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param keepdims boolean|nil
---@return cuna.Array # a float or complex dtype: x's, or the default one for integers and bools
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, keepdims?: boolean}): cuna.Array
function cn.median(x, axis, out, overwrite_input, keepdims) end

--- The middle of the sorted elements over axes, or the mean of the two in the middle. NaN makes the result NaN. Complex
--- numbers are ordered by their real parts, then by the imaginary ones. Follows numpy.median.
---
--- ```lua
--- cn.median({3, 1, 2, 10}) --> 2.5
--- cn.median({{3, 1, 2}, {6, 4, 5}}, {axis = 2, keepdims = true}) --> [[2.] [5.]]
--- ```
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param keepdims boolean|nil
---@return cuna.Array # a float or complex dtype: x's, or the default one for integers and bools
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, keepdims?: boolean}): cuna.Array
function Array:median(axis, out, overwrite_input, keepdims) end

--- The median over axes of the elements that are not NaN; NaN if there are none. Follows numpy.nanmedian.
---
--- ```lua
--- cn.nanmedian({3, cn.nan, 1, 2}) --> 2.0
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, keepdims?: boolean}): cuna.Array
function cn.nanmedian(x, axis, out, overwrite_input, keepdims) end

--- The value below which a share q of the elements over axes lies: an element, or a value between two. NaN makes the
--- result NaN. No call waits for a device: invalid probabilities in an array are reported as positions out of range
--- are. Methods "inverted_cdf", "closest_observation", "lower", "higher" and "nearest" return an element. "linear"
--- (default), "midpoint", "averaged_inverted_cdf", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased"
--- and "normal_unbiased" interpolate between two; the result is a float, of x's dtype for a number q, else of the
--- promoted dtype. Follows numpy.quantile, except that bools count as 0 and 1, and that infinity does not become NaN
--- between equal infinities.
---
--- ```lua
--- cn.quantile({1, 2, 3, 4}, {0, 0.5}) --> [1. 2.5]
--- cn.quantile({{1, 2, 3}, {4, 5, 7}}, 0.75, {axis = 2}) --> [2.5 6. ]
--- ```
---@param x cuna.Operand # real
---@param q cuna.Operand # from 0 to 1
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param method string|nil
---@param keepdims boolean|nil
---@return cuna.Array # q's shape, then x's without the axes
---@overload fun(x: cuna.Operand, q: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, method?: string, keepdims?: boolean}): cuna.Array
function cn.quantile(x, q, axis, out, overwrite_input, method, keepdims) end

--- The value below which a share q of the elements over axes lies: an element, or a value between two. NaN makes the
--- result NaN. No call waits for a device: invalid probabilities in an array are reported as positions out of range
--- are. Methods "inverted_cdf", "closest_observation", "lower", "higher" and "nearest" return an element. "linear"
--- (default), "midpoint", "averaged_inverted_cdf", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased"
--- and "normal_unbiased" interpolate between two; the result is a float, of x's dtype for a number q, else of the
--- promoted dtype. Follows numpy.quantile, except that bools count as 0 and 1, and that infinity does not become NaN
--- between equal infinities.
---
--- ```lua
--- cn.quantile({1, 2, 3, 4}, {0, 0.5}) --> [1. 2.5]
--- cn.quantile({{1, 2, 3}, {4, 5, 7}}, 0.75, {axis = 2}) --> [2.5 6. ]
--- ```
---@param q cuna.Operand # from 0 to 1
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param method string|nil
---@param keepdims boolean|nil
---@return cuna.Array # q's shape, then x's without the axes
---@overload fun(self: cuna.Array, q: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, method?: string, keepdims?: boolean}): cuna.Array
function Array:quantile(q, axis, out, overwrite_input, method, keepdims) end

--- The value below which q percent of the elements over axes lie: cn.quantile(x, q / 100). Follows numpy.percentile,
--- with the exceptions of cn.quantile.
---
--- ```lua
--- cn.percentile({1, 2, 3, 4, 5}, {25, 50}) --> [2. 3.]
--- cn.percentile({1, 2, 3, 4}, 50, {method = "lower"}) --> 2.0
--- ```
---@param x cuna.Operand # real
---@param q cuna.Operand # from 0 to 100
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param method string|nil # of cn.quantile
---@param keepdims boolean|nil
---@return cuna.Array # q's shape, then x's without the axes
---@overload fun(x: cuna.Operand, q: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, method?: string, keepdims?: boolean}): cuna.Array
function cn.percentile(x, q, axis, out, overwrite_input, method, keepdims) end

--- The value below which q percent of the elements over axes lie: cn.quantile(x, q / 100). Follows numpy.percentile,
--- with the exceptions of cn.quantile.
---
--- ```lua
--- cn.percentile({1, 2, 3, 4, 5}, {25, 50}) --> [2. 3.]
--- cn.percentile({1, 2, 3, 4}, 50, {method = "lower"}) --> 2.0
--- ```
---@param q cuna.Operand # from 0 to 100
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param method string|nil # of cn.quantile
---@param keepdims boolean|nil
---@return cuna.Array # q's shape, then x's without the axes
---@overload fun(self: cuna.Array, q: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, method?: string, keepdims?: boolean}): cuna.Array
function Array:percentile(q, axis, out, overwrite_input, method, keepdims) end

--- Like cn.quantile, of the elements that are not NaN; NaN if there are none. Follows numpy.nanquantile.
---
--- ```lua
--- cn.nanquantile({4, cn.nan, 1}, 0.5) --> 2.5
--- ```
---@param x cuna.Operand # real
---@param q cuna.Operand # from 0 to 1
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param method string|nil # of cn.quantile
---@param keepdims boolean|nil
---@return cuna.Array # q's shape, then x's without the axes
---@overload fun(x: cuna.Operand, q: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, method?: string, keepdims?: boolean}): cuna.Array
function cn.nanquantile(x, q, axis, out, overwrite_input, method, keepdims) end

--- Like cn.percentile, of the elements that are not NaN; NaN if there are none. Follows numpy.nanpercentile.
---
--- ```lua
--- cn.nanpercentile({{4, cn.nan, 1}, {1, 2, 3}}, 50, 2) --> [2.5 2. ]
--- ```
---@param x cuna.Operand # real
---@param q cuna.Operand # from 0 to 100
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil # its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil # accepted for NumPy compatibility and ignored
---@param method string|nil # of cn.quantile
---@param keepdims boolean|nil
---@return cuna.Array # q's shape, then x's without the axes
---@overload fun(x: cuna.Operand, q: cuna.Operand, options: {axis?: cuna.Axes, out?: cuna.Array, overwrite_input?: boolean, method?: string, keepdims?: boolean}): cuna.Array
function cn.nanpercentile(x, q, axis, out, overwrite_input, method, keepdims) end

--- The number of elements in each bin, and the bins' edges. A bin includes its lower edge, the last one both; elements
--- outside of all bins are not counted. Follows numpy.histogram.
---
--- ```lua
--- cn.histogram({1, 2, 1, 4}, 3) --> [2 1 1], [1. 2. 3. 4.]
--- cn.histogram({1, 2, 1}, {0, 1, 2, 3}, {density = true}) --> [0. 0.66666667 0.33333333], [0. 1. 2. 3.]
--- ```
---@param x cuna.Operand # real; all elements
---@param bins integer|cuna.Operand|string|nil # number of bins of equal width (default 10), 1-d edges in ascending order, or a rule: "auto", "fd", "sqrt", "sturges", "rice", "scott", "stone", "doane", which waits for the device
---@param range number[]|nil # {least, greatest} of bins of equal width, default: of the elements, which must be finite
---@param weights cuna.Operand|nil # of x's shape: added for each element in place of 1
---@param density boolean|nil # true: divides by the sum and by each bin's width, so that the integral is 1
---@return cuna.Array # hist int64; with weights their dtype; with density a float
---@return cuna.Array # edges one more than bins
---@overload fun(x: cuna.Operand, options: {bins?: integer|cuna.Operand|string, range?: number[], weights?: cuna.Operand, density?: boolean}): cuna.Array, cuna.Array
function cn.histogram(x, bins, range, weights, density) end

--- The edges of the bins of cn.histogram. Follows numpy.histogram_bin_edges.
---
--- ```lua
--- cn.histogram_bin_edges({0, 1, 2, 4}, 4) --> [0. 1. 2. 3. 4.]
--- cn.histogram_bin_edges({0, 1, 2, 4}, "sqrt") --> [0. 2. 4.]
--- ```
---@param x cuna.Operand
---@param bins integer|cuna.Operand|string|nil
---@param range number[]|nil
---@param weights cuna.Operand|nil # of x's shape; they have no effect, but rules reject them
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {bins?: integer|cuna.Operand|string, range?: number[], weights?: cuna.Operand}): cuna.Array
function cn.histogram_bin_edges(x, bins, range, weights) end

--- The number of points in each bin of a grid. Follows numpy.histogramdd, except that counts are int64.
---
--- ```lua
--- (cn.histogramdd({{1, 1}, {1, 2}, {2, 2}}, {bins = 2})) --> [[1 1] [0 1]]
--- unpack(select(2, cn.histogramdd({{1, 1}, {1, 2}, {2, 3}}, 2))) --> [1. 1.5 2. ], [1. 2. 3.]
--- ```
---@param sample cuna.Operand|cuna.Array[] # shape (n, d), or a table of d arrays of n coordinates each
---@param bins integer|table|nil # for all axes, or a table of one for each: a count (default 10), edges or a rule
---@param range table|nil # for each axis {least, greatest}, or false for that of the points
---@param weights cuna.Operand|nil # shape (n)
---@param density boolean|nil # true: divides by the sum and by each bin's volume
---@return cuna.Array # hist with d axes: int64; with weights their dtype; with density a float
---@return cuna.Array[] # edges
---@overload fun(sample: cuna.Operand|cuna.Array[], options: {bins?: integer|table, range?: table, weights?: cuna.Operand, density?: boolean}): cuna.Array, cuna.Array[]
function cn.histogramdd(sample, bins, range, weights, density) end

--- The number of points (x, y) in each bin of a grid. Follows numpy.histogram2d, except that counts are int64.
---
--- ```lua
--- cn.histogram2d({1, 1, 2}, {1, 3, 3}, 2) --> [[1 1] [0 1]], [1. 1.5 2. ], [1. 2. 3.]
--- ```
---@param x cuna.Operand # 1-d
---@param y cuna.Operand # of x's length
---@param bins integer|cuna.Operand|table|nil # for both axes a count (default 10) or edges; a table of two: one for each
---@param range table|nil # {{least x, greatest x}, {least y, greatest y}}
---@param weights cuna.Operand|nil # of x's length
---@param density boolean|nil # true: divides by the sum and by each bin's area
---@return cuna.Array # hist shape (bins of x, bins of y): int64; with weights their dtype; with density a float
---@return cuna.Array # x_edges
---@return cuna.Array # y_edges
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {bins?: integer|cuna.Operand|table, range?: table, weights?: cuna.Operand, density?: boolean}): cuna.Array, cuna.Array, cuna.Array
function cn.histogram2d(x, y, bins, range, weights, density) end

--- The number of occurrences of each value: slot k counts the value k, from 1, which is how cn.argmin, the inverse of
--- cn.unique and cn.digitize number their results. Waits for the greatest value. Where that is forbidden (cn.graph,
--- cn.no_sync) and minlength is given, there are minlength slots, and a greater value is an error of the next wait.
--- Follows numpy.bincount, except that the first slot of NumPy's counts the value 0: count labels from 0 as labels + 1.
--- NumPy's bincount(labels, minlength=K + 1)[1:], for labels from 1 to K, is cn.bincount(labels, {minlength = K}).
---
--- ```lua
--- cn.bincount({1, 3, 3, 4}) --> [1 0 2 1]
--- cn.bincount({1, 2, 2}, {0.5, 1, 2}, 3) --> [0.5 3. 0. ]
--- (function(labels) return cn.bincount(labels + 1, {minlength = 4}) end)(cn.array {0, 2, 2}) --> [1 0 2 0]
--- (function(labels) return cn.bincount(labels, {minlength = 4}) end)(cn.array {1, 3, 3}) --> [1 0 2 0]
--- ```
---@param x cuna.Operand # 1-d, whole numbers from 1
---@param weights cuna.Operand|nil # of x's length: added for each element in place of 1
---@param minlength integer|nil # minimum number of slots, default 0
---@return cuna.Array # 1-d: int64; with weights float64, or complex128 of complex ones
---@overload fun(x: cuna.Operand, options: {weights?: cuna.Operand, minlength?: integer}): cuna.Array
function cn.bincount(x, weights, minlength) end

--- The position of each value in a sorted array, from 1 to its length + 1: before equal elements, or after them. NaN is
--- sorted last. The order of the array is not checked. Follows numpy.searchsorted, with positions from 1.
---
--- ```lua
--- cn.searchsorted({1, 2, 2, 5}, {2, 9}), cn.searchsorted({1, 2, 2, 5}, 2, "right") --> [2 5], 4
--- cn.searchsorted({5, 1, 3}, {2}, {sorter = {2, 3, 1}}) --> [2]
--- ```
---@param a cuna.Operand # 1-d, in ascending order, or in the order of `sorter`
---@param v cuna.Operand # values
---@param side string|nil # "left" (default): before equal elements; "right": after them
---@param sorter cuna.Operand|nil # the positions that sort `a`, as returned by argsort
---@return cuna.Array # int64, of v's shape
---@overload fun(a: cuna.Operand, v: cuna.Operand, options: {side?: string, sorter?: cuna.Operand}): cuna.Array
function cn.searchsorted(a, v, side, sorter) end

--- The position of each value in a sorted array, from 1 to its length + 1: before equal elements, or after them. NaN is
--- sorted last. The order of the array is not checked. Follows numpy.searchsorted, with positions from 1.
---
--- ```lua
--- cn.searchsorted({1, 2, 2, 5}, {2, 9}), cn.searchsorted({1, 2, 2, 5}, 2, "right") --> [2 5], 4
--- cn.searchsorted({5, 1, 3}, {2}, {sorter = {2, 3, 1}}) --> [2]
--- ```
---@param v cuna.Operand # values
---@param side string|nil # "left" (default): before equal elements; "right": after them
---@param sorter cuna.Operand|nil # the positions that sort `a`, as returned by argsort
---@return cuna.Array # int64, of v's shape
---@overload fun(self: cuna.Array, v: cuna.Operand, options: {side?: string, sorter?: cuna.Operand}): cuna.Array
function Array:searchsorted(v, side, sorter) end

--- The number of the bin of each value: k if bins[k - 1] <= x < bins[k], 1 below the first edge, the number of edges +
--- 1 from the last edge on. Edges may also descend; unsorted edges raise an error. Follows numpy.digitize, with numbers
--- from 1.
---
--- ```lua
--- cn.digitize({0.5, 1, 7}, {0, 1, 2}) --> [2 3 4]
--- cn.digitize({0.5, 1, 7}, {2, 1, 0}, {right = true}) --> [3 3 1]
--- ```
---@param x cuna.Operand # real
---@param bins cuna.Operand # 1-d edges, in ascending or descending order
---@param right boolean|nil # true: bins include their upper edge instead of the lower one
---@return cuna.Array # int64, of x's shape
---@overload fun(x: cuna.Operand, bins: cuna.Operand, options: {right?: boolean}): cuna.Array
function cn.digitize(x, bins, right) end

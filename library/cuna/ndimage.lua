---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Images: filters, morphology, interpolation, measurements.

---@class cuna.ndimage
local ndimage = {}

--- how an image continues beyond its borders: "reflect" (d c b a | a b c d | d c b a, the default), "mirror" (d c b | a b c d | c b a), "nearest" (a a | a b c d | d d), "wrap" (c d | a b c d | a b), "constant" (cval); "grid-mirror", "grid-constant", "grid-wrap": other names of "reflect", "constant" and "wrap"
---@alias cuna.ImageMode string

--- how an image continues: as cuna.ImageMode says, but "constant" (the default) is cval wherever a coordinate is outside, without the transition of "grid-constant"; and "wrap" takes the first and the last element for one, which "grid-wrap" does not
---@alias cuna.SplineMode string

--- Sums of neighbours along an axis times weights: y[i] = sum of x[i + k] weights[k]. Sums are computed in float64, or
--- complex128; integers as output cut off fractions and wrap. Follows scipy.ndimage.correlate1d.
---
--- ```lua
--- cn.ndimage.correlate1d({2, 8, 0, 4, 1, 9, 9, 0}, {1, 3}) --> [ 8. 26.  8. 12.  7. 28. 36.  9.]
--- ```
---@param input cuna.Operand
---@param weights cuna.Operand # a vector; one on a GPU is fetched
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil # an array for the result, or its dtype; default: the input's
---@param mode cuna.ImageMode|nil
---@param cval number|nil # the value beyond the border in mode "constant", default 0
---@param origin integer|nil # moves the window: the weight of the element itself is number floor(n / 2) + 1 + origin
---@return cuna.Array
---@overload fun(input: cuna.Operand, weights: cuna.Operand, options: {axis?: integer, output?: cuna.Array|string, mode?: cuna.ImageMode, cval?: number, origin?: integer}): cuna.Array
function ndimage.correlate1d(input, weights, axis, output, mode, cval, origin) end

--- Convolution along an axis: correlate1d with the weights reversed. Follows scipy.ndimage.convolve1d.
---
--- ```lua
--- cn.ndimage.convolve1d({2, 8, 0, 4, 1, 9, 9, 0}, {1, 3}) --> [14. 24.  4. 13. 12. 36. 27.  0.]
--- ```
---@param input cuna.Operand
---@param weights cuna.Operand # a vector
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param origin integer|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, weights: cuna.Operand, options: {axis?: integer, output?: cuna.Array|string, mode?: cuna.ImageMode, cval?: number, origin?: integer}): cuna.Array
function ndimage.convolve1d(input, weights, axis, output, mode, cval, origin) end

--- Sums of all neighbours times weights, without those whose weight is 0. Computed as correlate1d. Follows
--- scipy.ndimage.correlate.
---
--- ```lua
--- cn.ndimage.correlate({{1, 2}, {3, 4}}, {{0, 0}, {1, 1}}, {mode = "constant"}) --> [[1. 3.] [3. 7.]]
--- ```
---@param input cuna.Operand
---@param weights cuna.Operand # with the input's number of axes; an array on a GPU is fetched
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil # one for all axes, or one for each
---@param cval number|nil
---@param origin integer|integer[]|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, weights: cuna.Operand, options: {output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[]}): cuna.Array
function ndimage.correlate(input, weights, output, mode, cval, origin) end

--- Convolution over all axes: correlate with the weights reversed. Follows scipy.ndimage.convolve.
---
--- ```lua
--- cn.ndimage.convolve({{1, 2}, {3, 4}}, {{0, 0}, {1, 1}}, {mode = "constant"}) --> [[3. 2.] [7. 4.]]
--- ```
---@param input cuna.Operand
---@param weights cuna.Operand # with the input's number of axes
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, weights: cuna.Operand, options: {output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[]}): cuna.Array
function ndimage.convolve(input, weights, output, mode, cval, origin) end

--- Correlation with a Gaussian along an axis, or with its derivative of an order. Follows
--- scipy.ndimage.gaussian_filter1d.
---
--- ```lua
--- cn.ndimage.gaussian_filter1d({1, 2, 3, 4, 5}, 1) --> [1.42704095 2.06782203 3.         3.93217797 4.57295905]
--- ```
---@param input cuna.Operand
---@param sigma number
---@param axis integer|nil # default -1
---@param order integer|nil # default 0
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param truncate number|nil # the window ends at so many sigma, default 4
---@param radius integer|nil # elements on either side, in place of truncate
---@return cuna.Array
---@overload fun(input: cuna.Operand, sigma: number, options: {axis?: integer, order?: integer, output?: cuna.Array|string, mode?: cuna.ImageMode, cval?: number, truncate?: number, radius?: integer}): cuna.Array
function ndimage.gaussian_filter1d(input, sigma, axis, order, output, mode, cval, truncate, radius) end

--- Gaussian filter over all axes, one after the other; results between have the output's dtype. Follows
--- scipy.ndimage.gaussian_filter.
---
--- ```lua
--- cn.ndimage.gaussian_filter({{0, 0, 0}, {0, 9, 0}, {0, 0, 0}}, 0.5):max() --> 5.568241561406464
--- ```
---@param input cuna.Operand
---@param sigma number|number[] # one for all axes, or one for each
---@param order integer|integer[]|nil # of derivatives, default 0
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param truncate number|nil # default 4
---@param radius integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, sigma: number|number[], options: {order?: integer|integer[], output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, truncate?: number, radius?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.gaussian_filter(input, sigma, order, output, mode, cval, truncate, radius, axes) end

--- Means of windows along an axis. Follows scipy.ndimage.uniform_filter1d.
---
--- ```lua
--- cn.ndimage.uniform_filter1d({2, 8, 0, 4, 1, 9, 9, 0}, 3):rint() --> [4. 3. 4. 2. 5. 6. 6. 3.]
--- ```
---@param input cuna.Operand
---@param size integer
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param origin integer|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, size: integer, options: {axis?: integer, output?: cuna.Array|string, mode?: cuna.ImageMode, cval?: number, origin?: integer}): cuna.Array
function ndimage.uniform_filter1d(input, size, axis, output, mode, cval, origin) end

--- Means of windows over all axes, one after the other. Follows scipy.ndimage.uniform_filter.
---
--- ```lua
--- cn.ndimage.uniform_filter({{0, 0, 0}, {0, 9, 0}, {0, 0, 0}}) --> [[1. 1. 1.] [1. 1. 1.] [1. 1. 1.]]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil # default 3
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.uniform_filter(input, size, output, mode, cval, origin, axes) end

--- Sobel's filter: differences {-1, 0, 1} along an axis, smoothed by {1, 2, 1} along the others. Follows
--- scipy.ndimage.sobel.
---
--- ```lua
--- cn.ndimage.sobel {{0, 1}, {0, 1}} --> [[4. 4.] [4. 4.]]
--- ```
---@param input cuna.Operand
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {axis?: integer, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number}): cuna.Array
function ndimage.sobel(input, axis, output, mode, cval) end

--- Prewitt's filter: differences {-1, 0, 1} along an axis, smoothed by {1, 1, 1} along the others. Follows
--- scipy.ndimage.prewitt.
---
--- ```lua
--- cn.ndimage.prewitt {{0, 1}, {0, 1}} --> [[3. 3.] [3. 3.]]
--- ```
---@param input cuna.Operand
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {axis?: integer, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number}): cuna.Array
function ndimage.prewitt(input, axis, output, mode, cval) end

--- Sum of second derivatives along all axes, each computed by a function. Follows scipy.ndimage.generic_laplace.
---
--- ```lua
--- cn.ndimage.generic_laplace({0, 1, 4}, function(x) return x:diff {append = 0} end) --> [ 1. 3. -4.]
--- ```
---@param input cuna.Operand
---@param derivative fun(input: cuna.Array, axis: integer, output: cuna.Array, mode: string, cval: number, ...: any) # writes to output, or returns its result
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param extra_arguments table|nil # more arguments for the function
---@return cuna.Array
---@overload fun(input: cuna.Operand, derivative: fun(input: cuna.Array, axis: integer, output: cuna.Array, mode: string, cval: number, ...: any), options: {output?: cuna.Array|string, mode?: cuna.ImageMode, cval?: number, extra_arguments?: table}): cuna.Array
function ndimage.generic_laplace(input, derivative, output, mode, cval, extra_arguments) end

--- Root of the sum of squares of derivatives along all axes, each computed by a function. Follows
--- scipy.ndimage.generic_gradient_magnitude.
---
--- ```lua
--- cn.ndimage.generic_gradient_magnitude({{0, 3}, {4, 7}}, cn.ndimage.sobel) --> [[20. 20.] [20. 20.]]
--- ```
---@param input cuna.Operand
---@param derivative fun(input: cuna.Array, axis: integer, output: cuna.Array, mode: string, cval: number, ...: any)
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param extra_arguments table|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, derivative: fun(input: cuna.Array, axis: integer, output: cuna.Array, mode: string, cval: number, ...: any), options: {output?: cuna.Array|string, mode?: cuna.ImageMode, cval?: number, extra_arguments?: table}): cuna.Array
function ndimage.generic_gradient_magnitude(input, derivative, output, mode, cval, extra_arguments) end

--- Sum of second differences {1, -2, 1} along all axes. Follows scipy.ndimage.laplace.
---
--- ```lua
--- cn.ndimage.laplace({0, 0, 1, 0, 0}) --> [ 0.  1. -2.  1.  0.]
--- ```
---@param input cuna.Operand
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number}): cuna.Array
function ndimage.laplace(input, output, mode, cval) end

--- Sum of Gaussian second derivatives along all axes. Follows scipy.ndimage.gaussian_laplace.
---
--- ```lua
--- cn.ndimage.gaussian_laplace({0, 0, 1, 0, 0}, 0.5):argmin() --> 3
--- ```
---@param input cuna.Operand
---@param sigma number|number[]
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param truncate number|nil # default 4
---@param radius integer|integer[]|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, sigma: number|number[], options: {output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, truncate?: number, radius?: integer|integer[]}): cuna.Array
function ndimage.gaussian_laplace(input, sigma, output, mode, cval, truncate, radius) end

--- Root of the sum of squares of Gaussian derivatives along all axes. Follows
--- scipy.ndimage.gaussian_gradient_magnitude.
---
--- ```lua
--- cn.ndimage.gaussian_gradient_magnitude({0, 1, 2, 3, 4, 5, 6, 7, 8}, 1)[5] --> 0.99992799982707
--- ```
---@param input cuna.Operand
---@param sigma number|number[]
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param truncate number|nil # default 4
---@param radius integer|integer[]|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, sigma: number|number[], options: {output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, truncate?: number, radius?: integer|integer[]}): cuna.Array
function ndimage.gaussian_gradient_magnitude(input, sigma, output, mode, cval, truncate, radius) end

--- Least values of windows along an axis, or NaN where a window has one. Follows scipy.ndimage.minimum_filter1d.
---
--- ```lua
--- cn.ndimage.minimum_filter1d({2, 8, 0, 4, 1, 9, 9, 0}, 3) --> [2. 0. 0. 0. 1. 1. 0. 0.]
--- ```
---@param input cuna.Operand
---@param size integer
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil # an array for the result, or its dtype; default: the input's
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param origin integer|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, size: integer, options: {axis?: integer, output?: cuna.Array|string, mode?: cuna.ImageMode, cval?: number, origin?: integer}): cuna.Array
function ndimage.minimum_filter1d(input, size, axis, output, mode, cval, origin) end

--- Greatest values of windows along an axis, or NaN where a window has one. Follows scipy.ndimage.maximum_filter1d.
---
--- ```lua
--- cn.ndimage.maximum_filter1d({2, 8, 0, 4, 1, 9, 9, 0}, 3) --> [8. 8. 8. 4. 9. 9. 9. 9.]
--- ```
---@param input cuna.Operand
---@param size integer
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param origin integer|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, size: integer, options: {axis?: integer, output?: cuna.Array|string, mode?: cuna.ImageMode, cval?: number, origin?: integer}): cuna.Array
function ndimage.maximum_filter1d(input, size, axis, output, mode, cval, origin) end

--- Least values of windows, or NaN where a window has one. Follows scipy.ndimage.minimum_filter.
---
--- ```lua
--- cn.ndimage.minimum_filter({{1, 2, 3}, {4, 0, 6}, {7, 8, 9}}, {1, 3}) --> [[1. 1. 2.] [0. 0. 0.] [7. 7. 8.]]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil # one for all axes, or one for each
---@param footprint cuna.Operand|nil # true where a neighbour counts, in place of a size
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.minimum_filter(input, size, footprint, output, mode, cval, origin, axes) end

--- Greatest values of windows, or NaN where a window has one. Follows scipy.ndimage.maximum_filter.
---
--- ```lua
--- cn.ndimage.maximum_filter({1, 5, 2, 0, 0}, {footprint = {1, 0, 1}}) --> [5. 2. 5. 2. 0.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.maximum_filter(input, size, footprint, output, mode, cval, origin, axes) end

--- Medians of windows; of an even number of values the greater one of the middle. Where a window has NaN, the result is
--- one of its values. Follows scipy.ndimage.median_filter.
---
--- ```lua
--- cn.ndimage.median_filter({2, 80, 6, 3}, 3) --> [2. 6. 6. 3.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.median_filter(input, size, footprint, output, mode, cval, origin, axes) end

--- The values of one rank in each window. Follows scipy.ndimage.rank_filter, where ranks count from 0.
---
--- ```lua
--- cn.ndimage.rank_filter({2, 80, 6, 3}, 2, 3) --> [2. 6. 6. 3.]
--- ```
---@param input cuna.Operand
---@param rank integer # 1 is the least value, -1 the greatest
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, rank: integer, options: {size?: integer|integer[], footprint?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.rank_filter(input, rank, size, footprint, output, mode, cval, origin, axes) end

--- The values in each window at a percentage of its ranks. Follows scipy.ndimage.percentile_filter.
---
--- ```lua
--- cn.ndimage.percentile_filter({2, 80, 6, 3}, 20, 3) --> [2. 2. 3. 3.]
--- ```
---@param input cuna.Operand
---@param percentile number # from -100 to 100; below 0 from the greatest value
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, percentile: number, options: {size?: integer|integer[], footprint?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.percentile_filter(input, percentile, size, footprint, output, mode, cval, origin, axes) end

--- Erosion of a gray image: least values of windows, of x minus the structure where one is given. Follows
--- scipy.ndimage.grey_erosion.
---
--- ```lua
--- cn.ndimage.grey_erosion({1, 5, 5, 5, 2}, 3) --> [1. 1. 5. 2. 2.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil # of a flat window
---@param footprint cuna.Operand|nil # true where a neighbour counts
---@param structure cuna.Operand|nil # heights of the neighbours
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, structure?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.grey_erosion(input, size, footprint, structure, output, mode, cval, origin, axes) end

--- Dilation of a gray image: greatest values of the reversed windows, of x plus the structure where one is given.
--- Follows scipy.ndimage.grey_dilation.
---
--- ```lua
--- cn.ndimage.grey_dilation({1, 5, 0, 0, 2}, 3) --> [5. 5. 5. 2. 2.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, structure?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.grey_dilation(input, size, footprint, structure, output, mode, cval, origin, axes) end

--- Erosion, then dilation of a gray image. Follows scipy.ndimage.grey_opening.
---
--- ```lua
--- cn.ndimage.grey_opening({1, 9, 1, 4, 4, 4, 1}, 3) --> [1. 1. 1. 4. 4. 4. 1.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, structure?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.grey_opening(input, size, footprint, structure, output, mode, cval, origin, axes) end

--- Dilation, then erosion of a gray image. Follows scipy.ndimage.grey_closing.
---
--- ```lua
--- cn.ndimage.grey_closing({5, 0, 5, 1, 1, 1, 5}, 3) --> [5. 5. 5. 1. 1. 1. 5.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, structure?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.grey_closing(input, size, footprint, structure, output, mode, cval, origin, axes) end

--- Dilation minus erosion of a gray image. Follows scipy.ndimage.morphological_gradient.
---
--- ```lua
--- cn.ndimage.morphological_gradient({0, 0, 1, 1, 1}, 3) --> [0. 1. 1. 0. 0.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, structure?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.morphological_gradient(input, size, footprint, structure, output, mode, cval, origin, axes) end

--- Dilation plus erosion minus twice the gray image. Follows scipy.ndimage.morphological_laplace.
---
--- ```lua
--- cn.ndimage.morphological_laplace({0, 0, 1, 1, 1}, 3) --> [ 0.  1. -1.  0.  0.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, structure?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.morphological_laplace(input, size, footprint, structure, output, mode, cval, origin, axes) end

--- A gray image minus its opening: bright details. Follows scipy.ndimage.white_tophat.
---
--- ```lua
--- cn.ndimage.white_tophat({1, 9, 1, 4, 4, 4, 1}, 3) --> [0. 8. 0. 0. 0. 0. 0.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, structure?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.white_tophat(input, size, footprint, structure, output, mode, cval, origin, axes) end

--- The closing of a gray image minus the image: dark details. Follows scipy.ndimage.black_tophat.
---
--- ```lua
--- cn.ndimage.black_tophat({5, 0, 5, 1, 1, 1, 5}, 3) --> [0. 5. 0. 0. 0. 0. 0.]
--- ```
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {size?: integer|integer[], footprint?: cuna.Operand, structure?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], axes?: cuna.Axes}): cuna.Array
function ndimage.black_tophat(input, size, footprint, structure, output, mode, cval, origin, axes) end

--- What a function gives for the neighbours of each element. Follows scipy.ndimage.generic_filter.
---
--- ```lua
--- cn.ndimage.generic_filter({1, 5, 2, 8}, "return x[n - 1] - x[0];", 3) --> [4. 1. 3. 6.]
--- cn.ndimage.generic_filter({1, 5, 2, 8}, function(w) return w:max(-1) - w:min(-1) end, 3) --> [4. 4. 6. 6.]
--- ```
---@param input cuna.Operand
---@param func string|fun(windows: cuna.Array, ...: any): cuna.Array # the body of a C++ function of `const double *x`, the neighbours, and `int n`, their number, that returns a double; or a function in Lua that gets all windows in one array, whose last axis has the neighbours, and folds this axis
---@param size integer|integer[]|nil # one for all axes, or one for each
---@param footprint cuna.Operand|nil # true where a neighbour counts, in place of a size
---@param output cuna.Array|string|nil # an array for the result, or its dtype; default: the input's
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param extra_arguments table|nil # more arguments of the function; numbers in a text are a1, a2, ...
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(input: cuna.Operand, func: string|fun(windows: cuna.Array, ...: any): cuna.Array, options: {size?: integer|integer[], footprint?: cuna.Operand, output?: cuna.Array|string, mode?: cuna.ImageMode|cuna.ImageMode[], cval?: number, origin?: integer|integer[], extra_arguments?: table, axes?: cuna.Axes}): cuna.Array
function ndimage.generic_filter(input, func, size, footprint, output, mode, cval, origin, extra_arguments, axes) end

--- Erosion of a binary image: true where all neighbours in the structure are. Elements other than 0 are true. Follows
--- scipy.ndimage.binary_erosion.
---
--- ```lua
--- cn.ndimage.binary_erosion {0, 1, 1, 1, 0} --> [False False True False False]
--- ```
---@param input cuna.Operand
---@param structure cuna.Operand|nil # true where a neighbour counts; default: the next neighbours along the axes
---@param iterations integer|nil # how often, default 1; below 1 until nothing changes, which waits for the device
---@param mask cuna.Operand|nil # elements where it is false stay as they are
---@param output cuna.Array|string|nil # an array for the result, or its dtype; default: bool
---@param border_value integer|boolean|nil # what is beyond the border, default 0
---@param origin integer|integer[]|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {structure?: cuna.Operand, iterations?: integer, mask?: cuna.Operand, output?: cuna.Array|string, border_value?: integer|boolean, origin?: integer|integer[]}): cuna.Array
function ndimage.binary_erosion(input, structure, iterations, mask, output, border_value, origin) end

--- Dilation of a binary image: true where an element or a neighbour in the reversed structure is. Follows
--- scipy.ndimage.binary_dilation.
---
--- ```lua
--- cn.ndimage.binary_dilation {0, 0, 1, 0, 0} --> [False True True True False]
--- ```
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param iterations integer|nil # default 1; below 1 until nothing changes
---@param mask cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param border_value integer|boolean|nil # default 0
---@param origin integer|integer[]|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {structure?: cuna.Operand, iterations?: integer, mask?: cuna.Operand, output?: cuna.Array|string, border_value?: integer|boolean, origin?: integer|integer[]}): cuna.Array
function ndimage.binary_dilation(input, structure, iterations, mask, output, border_value, origin) end

--- Erosions, then as many dilations of a binary image. Follows scipy.ndimage.binary_opening.
---
--- ```lua
--- cn.ndimage.binary_opening {0, 1, 0, 1, 1, 1, 0} --> [False False False True True True False]
--- ```
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param iterations integer|nil # default 1
---@param output cuna.Array|string|nil
---@param origin integer|integer[]|nil
---@param mask cuna.Operand|nil
---@param border_value integer|boolean|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {structure?: cuna.Operand, iterations?: integer, output?: cuna.Array|string, origin?: integer|integer[], mask?: cuna.Operand, border_value?: integer|boolean}): cuna.Array
function ndimage.binary_opening(input, structure, iterations, output, origin, mask, border_value) end

--- Dilations, then as many erosions of a binary image. Follows scipy.ndimage.binary_closing.
---
--- ```lua
--- cn.ndimage.binary_closing {0, 0, 1, 0, 1, 0, 0} --> [False False True True True False False]
--- ```
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param iterations integer|nil # default 1
---@param output cuna.Array|string|nil
---@param origin integer|integer[]|nil
---@param mask cuna.Operand|nil
---@param border_value integer|boolean|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {structure?: cuna.Operand, iterations?: integer, output?: cuna.Array|string, origin?: integer|integer[], mask?: cuna.Operand, border_value?: integer|boolean}): cuna.Array
function ndimage.binary_closing(input, structure, iterations, output, origin, mask, border_value) end

--- True where all neighbours in one structure are true and all in another are false. Follows
--- scipy.ndimage.binary_hit_or_miss.
---
--- ```lua
--- cn.ndimage.binary_hit_or_miss({0, 1, 1, 0, 1}, {0, 1, 1}) --> [False True False False False]
--- ```
---@param input cuna.Operand
---@param structure1 cuna.Operand|nil # default: the next neighbours along the axes
---@param structure2 cuna.Operand|nil # default: what structure1 does not have
---@param output cuna.Array|string|nil
---@param origin1 integer|integer[]|nil
---@param origin2 integer|integer[]|nil # default: origin1
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {structure1?: cuna.Operand, structure2?: cuna.Operand, output?: cuna.Array|string, origin1?: integer|integer[], origin2?: integer|integer[]}): cuna.Array
function ndimage.binary_hit_or_miss(input, structure1, structure2, output, origin1, origin2) end

--- Dilation within a mask, until nothing changes, for which it waits. Follows scipy.ndimage.binary_propagation.
---
--- ```lua
--- cn.ndimage.binary_propagation({0, 1, 0, 0, 0}, {mask = {0, 1, 1, 0, 1}}) --> [False True True False False]
--- ```
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param mask cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param border_value integer|boolean|nil
---@param origin integer|integer[]|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {structure?: cuna.Operand, mask?: cuna.Operand, output?: cuna.Array|string, border_value?: integer|boolean, origin?: integer|integer[]}): cuna.Array
function ndimage.binary_propagation(input, structure, mask, output, border_value, origin) end

--- A binary image in which what is false is true, unless it is connected with the border. Waits for the device. Follows
--- scipy.ndimage.binary_fill_holes.
---
--- ```lua
--- cn.ndimage.binary_fill_holes {0, 1, 0, 1, 0} --> [False True True True False]
--- ```
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param origin integer|integer[]|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {structure?: cuna.Operand, output?: cuna.Array|string, origin?: integer|integer[]}): cuna.Array
function ndimage.binary_fill_holes(input, structure, output, origin) end

--- A structure of length 3 along each axis: its middle, and the places that differ from it along at most `connectivity`
--- axes. Follows scipy.ndimage.generate_binary_structure.
---
--- ```lua
--- cn.ndimage.generate_binary_structure(2, 1):astype "int8" --> [[0 1 0] [1 1 1] [0 1 0]]
--- ```
---@param rank integer # number of axes
---@param connectivity integer
---@return cuna.Array
function ndimage.generate_binary_structure(rank, connectivity) end

--- A structure dilated by itself, so that one step with it does what `iterations` steps with the structure do; with an
--- origin also the origin of these steps. Follows scipy.ndimage.iterate_structure.
---
--- ```lua
--- cn.ndimage.iterate_structure({0, 1, 1}, 2):astype "int8" --> [0 0 1 1 1]
--- ```
---@param structure cuna.Operand
---@param iterations integer
---@param origin integer|integer[]|nil
---@return cuna.Array
---@return integer[]|nil # origin
---@overload fun(structure: cuna.Operand, iterations: integer, options: {origin?: integer|integer[]}): cuna.Array, integer[]|nil
function ndimage.iterate_structure(structure, iterations, origin) end

--- Coefficients of splines along an axis; for the orders 0 and 1 those are the elements. Follows
--- scipy.ndimage.spline_filter1d.
---
--- ```lua
--- cn.ndimage.spline_filter1d({0, 0, 6, 0, 0}, 2):argmax() --> 3
--- ```
---@param input cuna.Operand
---@param order integer|nil # 0 to 5, default 3
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil # default float64, or complex128
---@param mode cuna.SplineMode|nil # default "mirror"
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {order?: integer, axis?: integer, output?: cuna.Array|string, mode?: cuna.SplineMode}): cuna.Array
function ndimage.spline_filter1d(input, order, axis, output, mode) end

--- Coefficients of splines along all axes. Follows scipy.ndimage.spline_filter.
---
--- ```lua
--- cn.ndimage.spline_filter({{1, 1}, {1, 1}}):allclose(1) --> true
--- ```
---@param input cuna.Operand
---@param order integer|nil # 2 to 5, default 3
---@param output cuna.Array|string|nil
---@param mode cuna.SplineMode|nil # default "mirror"
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {order?: integer, output?: cuna.Array|string, mode?: cuna.SplineMode}): cuna.Array
function ndimage.spline_filter(input, order, output, mode) end

--- Values of an image at coordinates, by spline interpolation. Follows scipy.ndimage.map_coordinates, where coordinates
--- count from 0.
---
--- ```lua
--- cn.ndimage.map_coordinates({{0, 1}, {2, 3}}, {{1, 1.5}, {2, 1.5}}, {order = 1}) --> [1. 1.5]
--- ```
---@param input cuna.Operand
---@param coordinates cuna.Operand # a row for each axis; 1 is the first element, 1.5 the middle between it and the second
---@param output cuna.Array|string|nil # an array for the result, or its dtype; default: the input's. To integers values are rounded
---@param order integer|nil # of the spline, 0 to 5, default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil # default 0
---@param prefilter boolean|nil # whether the coefficients are yet to be computed, default true
---@return cuna.Array # of the shape of a row of coordinates
---@overload fun(input: cuna.Operand, coordinates: cuna.Operand, options: {output?: cuna.Array|string, order?: integer, mode?: cuna.SplineMode, cval?: cuna.Number, prefilter?: boolean}): cuna.Array
function ndimage.map_coordinates(input, coordinates, output, order, mode, cval, prefilter) end

--- An image moved by a number of elements, which may be a fraction. Follows scipy.ndimage.shift.
---
--- ```lua
--- cn.ndimage.shift({1, 2, 3, 4}, 1.5, {order = 1}) --> [0. 0. 1.5 2.5]
--- ```
---@param input cuna.Operand
---@param shift number|number[] # one for all axes, or one for each
---@param output cuna.Array|string|nil
---@param order integer|nil # default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil
---@param prefilter boolean|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, shift: number|number[], options: {output?: cuna.Array|string, order?: integer, mode?: cuna.SplineMode, cval?: cuna.Number, prefilter?: boolean}): cuna.Array
function ndimage.shift(input, shift, output, order, mode, cval, prefilter) end

--- An image scaled by factors. Follows scipy.ndimage.zoom.
---
--- ```lua
--- cn.ndimage.zoom({0, 3}, 2, {order = 1}) --> [0. 1. 2. 3.]
--- ```
---@param input cuna.Operand
---@param zoom number|number[] # one for all axes, or one for each
---@param output cuna.Array|string|nil
---@param order integer|nil # default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil
---@param prefilter boolean|nil
---@param grid_mode boolean|nil # whether an image begins and ends at the edges of its elements instead of their middles
---@return cuna.Array
---@overload fun(input: cuna.Operand, zoom: number|number[], options: {output?: cuna.Array|string, order?: integer, mode?: cuna.SplineMode, cval?: cuna.Number, prefilter?: boolean, grid_mode?: boolean}): cuna.Array
function ndimage.zoom(input, zoom, output, order, mode, cval, prefilter, grid_mode) end

--- The value of an image at matrix . o + offset for each place o of the result, where o and the place in the image are
--- distances from the first element, as in SciPy. Follows scipy.ndimage.affine_transform.
---
--- ```lua
--- cn.ndimage.affine_transform({{1, 2}, {3, 4}}, {{0, 1}, {1, 0}}, {order = 1}) --> [[1. 3.] [2. 4.]]
--- ```
---@param input cuna.Operand
---@param matrix cuna.Operand # (n, n) for n axes, (n,) for a diagonal, (n, n + 1) or (n + 1, n + 1) with the offset
---@param offset number|number[]|nil # default 0
---@param output_shape cuna.Shape|nil # default: the input's
---@param output cuna.Array|string|nil
---@param order integer|nil # default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil
---@param prefilter boolean|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, matrix: cuna.Operand, options: {offset?: number|number[], output_shape?: cuna.Shape, output?: cuna.Array|string, order?: integer, mode?: cuna.SplineMode, cval?: cuna.Number, prefilter?: boolean}): cuna.Array
function ndimage.affine_transform(input, matrix, offset, output_shape, output, order, mode, cval, prefilter) end

--- An image turned in the plane of two axes about its middle. Follows scipy.ndimage.rotate.
---
--- ```lua
--- cn.ndimage.rotate({{1, 2, 3}, {4, 5, 6}}, 90, {order = 1}) --> [[3. 6.] [2. 5.] [1. 4.]]
--- ```
---@param input cuna.Operand
---@param angle number # in degrees
---@param axes integer[]|nil # two axes, default {2, 1}
---@param reshape boolean|nil # whether the result has room for all of the image, default true
---@param output cuna.Array|string|nil
---@param order integer|nil # default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil
---@param prefilter boolean|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, angle: number, options: {axes?: integer[], reshape?: boolean, output?: cuna.Array|string, order?: integer, mode?: cuna.SplineMode, cval?: cuna.Number, prefilter?: boolean}): cuna.Array
function ndimage.rotate(input, angle, axes, reshape, output, order, mode, cval, prefilter) end

--- Numbers the connected elements other than 0: those of the first object in row-major order have label 1, and so on.
--- Waits for the count. By union and find. Follows scipy.ndimage.label.
---
--- ```lua
--- cn.ndimage.label {{1, 1, 0}, {0, 0, 0}, {1, 0, 1}} --> [[1 1 0] [0 0 0] [2 0 3]], 3
--- ```
---@param input cuna.Operand
---@param structure cuna.Operand|nil # of length 3 along each axis, symmetric: true for the neighbours that are connected; default: the next ones along the axes
---@param output cuna.Array|string|nil # an array for the labels, or their dtype; default int32
---@return cuna.Array # labels 0 where the input is 0
---@return integer # count
---@overload fun(input: cuna.Operand, options: {structure?: cuna.Operand, output?: cuna.Array|string}): cuna.Array, integer
function ndimage.label(input, structure, output) end

--- The box about the elements of each label, as a key: x[boxes[k]] is the part of x with label k. Waits for the device.
--- Follows scipy.ndimage.find_objects.
---
--- ```lua
--- (function(boxes) return #boxes, unpack(boxes[2][1]) end)(cn.ndimage.find_objects {1, 0, 2, 2}) --> 2, 3, 4
--- ```
---@param input cuna.Operand # labels: whole numbers
---@param max_label integer|nil # default: the greatest
---@return table # boxes for each label {{first, last}, ...}, or false if it has no elements
---@overload fun(input: cuna.Operand, options: {max_label?: integer}): table
function ndimage.find_objects(input, max_label) end

--- The positions of each value of an array of whole numbers: by value, what cn.nonzero gives. Waits for the device.
--- Follows scipy.ndimage.value_indices.
---
--- ```lua
--- cn.ndimage.value_indices(cn.array({{1, 2}, {2, 1}}, "int64"))[2][1] --> [1 2]
--- ```
---@param arr cuna.Operand
---@param ignore_value integer|nil # a value that is left out
---@return table<integer, cuna.Array[]>
---@overload fun(arr: cuna.Operand, options: {ignore_value?: integer}): table<integer, cuna.Array[]>
function ndimage.value_indices(arr, ignore_value) end

--- Sums of labeled elements, as float64 or complex128. Follows scipy.ndimage.sum_labels.
---
--- ```lua
--- cn.ndimage.sum_labels({1, 2, 3, 4}, {1, 1, 2, 0}, {1, 2}) --> [3. 3.]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil # broadcasts to the input; default: all elements are one group
---@param index integer|cuna.Operand|nil # labels to measure, one or a list; default: all elements with labels above 0
---@return cuna.Array # one result for each label in the index; without axes for one label
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.sum_labels(input, labels, index) end

--- Means of labeled elements, NaN without any. Follows scipy.ndimage.mean.
---
--- ```lua
--- cn.ndimage.mean({1, 2, 3, 4}, {1, 1, 2, 0}, {1, 2}) --> [1.5 3. ]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.mean(input, labels, index) end

--- Variances of labeled elements. Follows scipy.ndimage.variance.
---
--- ```lua
--- cn.ndimage.variance({1, 2, 3, 4}, {1, 1, 2, 0}, 1) --> 0.25
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.variance(input, labels, index) end

--- Standard deviations of labeled elements. Follows scipy.ndimage.standard_deviation.
---
--- ```lua
--- cn.ndimage.standard_deviation({1, 2, 3, 4}, {1, 1, 2, 0}, 1) --> 0.5
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.standard_deviation(input, labels, index) end

--- Least labeled elements, 0 without any. Follows scipy.ndimage.minimum.
---
--- ```lua
--- cn.ndimage.minimum({4, 2, 3, 1}, {1, 1, 2, 0}, {1, 2}) --> [2. 3.]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array # of the input's dtype
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.minimum(input, labels, index) end

--- Greatest labeled elements, 0 without any. Follows scipy.ndimage.maximum.
---
--- ```lua
--- cn.ndimage.maximum({4, 2, 3, 1}, {1, 1, 2, 0}, {1, 2}) --> [4. 3.]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array # of the input's dtype
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.maximum(input, labels, index) end

--- Medians of labeled elements, NaN without any. Follows scipy.ndimage.median.
---
--- ```lua
--- cn.ndimage.median({4, 2, 3, 1}, {1, 1, 1, 0}) --> 3.0
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.median(input, labels, index) end

--- The first positions of the least labeled elements. Follows scipy.ndimage.minimum_position, where positions count
--- from 0.
---
--- ```lua
--- cn.ndimage.minimum_position {{4, 2}, {1, 3}} --> [2 1]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array # int64: a position along each axis, or a row of these for each label
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.minimum_position(input, labels, index) end

--- The first positions of the greatest labeled elements. Follows scipy.ndimage.maximum_position, where positions count
--- from 0.
---
--- ```lua
--- cn.ndimage.maximum_position {{4, 2}, {1, 3}} --> [1 1]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array # int64: a position along each axis, or a row of these for each label
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.maximum_position(input, labels, index) end

--- Least and greatest labeled elements and their positions. Follows scipy.ndimage.extrema.
---
--- ```lua
--- cn.ndimage.extrema {{4, 2}, {1, 3}} --> 1.0, 4.0, [2 1], [1 1]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array # minimum
---@return cuna.Array # maximum
---@return cuna.Array # minimum_position
---@return cuna.Array # maximum_position
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array, cuna.Array, cuna.Array, cuna.Array
function ndimage.extrema(input, labels, index) end

--- Means of the positions of labeled elements, weighted by the elements. Follows scipy.ndimage.center_of_mass, where
--- positions count from 0.
---
--- ```lua
--- cn.ndimage.center_of_mass {{0, 0, 0}, {0, 1, 1}} --> [2. 2.5]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array # float64: a position along each axis, or a row of these for each label
---@overload fun(input: cuna.Operand, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.center_of_mass(input, labels, index) end

--- Counts of labeled elements in bins of equal width. Waits for the device. Follows scipy.ndimage.histogram.
---
--- ```lua
--- cn.ndimage.histogram({0, 0.4, 0.6, 1}, 0, 1, 2, {1, 1, 2, 2}, {1, 2}) --> [[2 0] [0 2]]
--- ```
---@param input cuna.Operand
---@param min number # lower end of the first bin
---@param max number # upper end of the last bin
---@param bins integer
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array # int64, with a row for each label in the index
---@overload fun(input: cuna.Operand, min: number, max: number, bins: integer, options: {labels?: cuna.Operand, index?: integer|cuna.Operand}): cuna.Array
function ndimage.histogram(input, min, max, bins, labels, index) end

--- What a function gives for the elements of each label. Waits for the device. Follows
--- scipy.ndimage.labeled_comprehension.
---
--- ```lua
--- cn.ndimage.labeled_comprehension({1, 2, 3}, {1, 1, 2}, {1, 2, 3}, cn.max, "float64", -1) --> [ 2. 3. -1.]
--- ```
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@param func fun(elements: cuna.Array, positions: cuna.Array|nil): cuna.Number|cuna.Array
---@param out_dtype string
---@param default cuna.Number # for labels without elements
---@param pass_positions boolean|nil # whether the function also gets positions from 1 in row-major order
---@return cuna.Array
---@overload fun(input: cuna.Operand, labels: cuna.Operand|nil, index: integer|cuna.Operand|nil, func: fun(elements: cuna.Array, positions: cuna.Array|nil): cuna.Number|cuna.Array, out_dtype: string, default: cuna.Number, options: {pass_positions?: boolean}): cuna.Array
function ndimage.labeled_comprehension(input, labels, index, func, out_dtype, default, pass_positions) end

--- Euclidean distance of each element to the next one that is 0; infinity if there is none. Exact, by Meijster,
--- Roerdink and Hesselink (2000). Follows scipy.ndimage.distance_transform_edt.
---
--- ```lua
--- cn.ndimage.distance_transform_edt {{0, 1, 1}, {1, 1, 1}} --> [[0. 1. 2. ] [1. 1.41421356 2.23606798]]
--- ```
---@param input cuna.Operand
---@param sampling number|number[]|nil # the distance of neighbours, for all axes or for each; default 1
---@param return_distances boolean|nil # default true
---@param return_indices boolean|nil # whether the positions of the nearest elements are wanted, default false
---@param distances cuna.Array|nil # an array for the distances
---@param indices cuna.Array|nil # an array for the positions
---@return cuna.Array # distances float64
---@return cuna.Array|nil # indices int32, with a first axis for the axes of the input
---@overload fun(input: cuna.Operand, options: {sampling?: number|number[], return_distances?: boolean, return_indices?: boolean, distances?: cuna.Array, indices?: cuna.Array}): cuna.Array, cuna.Array|nil
function ndimage.distance_transform_edt(input, sampling, return_distances, return_indices, distances, indices) end

--- Number of steps from each element to the next one that is 0; -1 if there is none. Follows
--- scipy.ndimage.distance_transform_cdt, without metrics that are structures.
---
--- ```lua
--- cn.ndimage.distance_transform_cdt {{0, 1, 1}, {1, 1, 1}} --> [[0 1 2] [1 1 2]]
--- ```
---@param input cuna.Operand
---@param metric string|nil # "chessboard" (default) or "taxicab": steps to any next neighbour, or along the axes
---@param return_distances boolean|nil # default true
---@param return_indices boolean|nil # default false
---@param distances cuna.Array|nil
---@param indices cuna.Array|nil
---@return cuna.Array # distances int32
---@return cuna.Array|nil # indices
---@overload fun(input: cuna.Operand, options: {metric?: string, return_distances?: boolean, return_indices?: boolean, distances?: cuna.Array, indices?: cuna.Array}): cuna.Array, cuna.Array|nil
function ndimage.distance_transform_cdt(input, metric, return_distances, return_indices, distances, indices) end

--- Distance of each element to the next one that is 0, in a metric. As the transformations by name, which are as exact
--- as SciPy's brute force. Follows scipy.ndimage.distance_transform_bf.
---
--- ```lua
--- cn.ndimage.distance_transform_bf({0, 1, 1}, "taxicab") --> [0 1 2]
--- ```
---@param input cuna.Operand
---@param metric string|nil # "euclidean" (default), "taxicab" or "chessboard"
---@param sampling number|number[]|nil # for "euclidean"
---@param return_distances boolean|nil # default true
---@param return_indices boolean|nil # default false
---@param distances cuna.Array|nil
---@param indices cuna.Array|nil
---@return cuna.Array # distances float64, or uint32
---@return cuna.Array|nil # indices
---@overload fun(input: cuna.Operand, options: {metric?: string, sampling?: number|number[], return_distances?: boolean, return_indices?: boolean, distances?: cuna.Array, indices?: cuna.Array}): cuna.Array, cuna.Array|nil
function ndimage.distance_transform_bf(input, metric, sampling, return_distances, return_indices, distances, indices) end

--- Multiplies a Fourier transform by that of a Gaussian. Follows scipy.ndimage.fourier_gaussian.
---
--- ```lua
--- cn.ndimage.fourier_gaussian({1, 1}, 0.5) --> [1. 0.29121293]
--- ```
---@param input cuna.Operand # a transform
---@param sigma number|number[] # one for all axes, or one for each
---@param n integer|nil # -1 (default): a complex transform; else the length of a real one along `axis`
---@param axis integer|nil # default -1
---@param output cuna.Array|string|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, sigma: number|number[], options: {n?: integer, axis?: integer, output?: cuna.Array|string}): cuna.Array
function ndimage.fourier_gaussian(input, sigma, n, axis, output) end

--- Multiplies a Fourier transform by that of a box. Follows scipy.ndimage.fourier_uniform.
---
--- ```lua
--- cn.ndimage.fourier_uniform({1, 1, 1}, 1.5):gt(0.6) --> [ True True True]
--- ```
---@param input cuna.Operand # a transform
---@param size number|number[]
---@param n integer|nil
---@param axis integer|nil
---@param output cuna.Array|string|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, size: number|number[], options: {n?: integer, axis?: integer, output?: cuna.Array|string}): cuna.Array
function ndimage.fourier_uniform(input, size, n, axis, output) end

--- Multiplies a Fourier transform so that its image is shifted. Follows scipy.ndimage.fourier_shift.
---
--- ```lua
--- cn.ndimage.fourier_shift({1, 1, 1}, 3):allclose(1) --> true
--- ```
---@param input cuna.Operand # a transform
---@param shift number|number[] # in elements
---@param n integer|nil
---@param axis integer|nil
---@param output cuna.Array|string|nil
---@return cuna.Array # complex
---@overload fun(input: cuna.Operand, shift: number|number[], options: {n?: integer, axis?: integer, output?: cuna.Array|string}): cuna.Array
function ndimage.fourier_shift(input, shift, n, axis, output) end

--- Multiplies a Fourier transform of one to three axes by that of an ellipsoid. Follows
--- scipy.ndimage.fourier_ellipsoid.
---
--- ```lua
--- cn.ndimage.fourier_ellipsoid({1, 1}, 1) --> [1. 0.63661977]
--- ```
---@param input cuna.Operand # a transform
---@param size number|number[] # the ellipsoid's diameters
---@param n integer|nil
---@param axis integer|nil
---@param output cuna.Array|string|nil
---@return cuna.Array
---@overload fun(input: cuna.Operand, size: number|number[], options: {n?: integer, axis?: integer, output?: cuna.Array|string}): cuna.Array
function ndimage.fourier_ellipsoid(input, size, n, axis, output) end

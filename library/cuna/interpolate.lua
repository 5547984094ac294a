---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Interpolation: splines, piecewise polynomials, grids, scattered points.

---@class cuna.interpolate
local interpolate = {}

--- A spline in terms of B-splines. It is called at points: s(x, nu, extrapolate) has its derivative of order nu.
---@class cuna.BSpline
---@field t cuna.Array knots, (n + k + 1,)
---@field c cuna.Array coefficients, (n, ...)
---@field k integer the degree
---@field extrapolate boolean|string what is beyond t[k + 1] and t[n + 1]: true: the first and the last piece, false: NaN; "periodic"
---@field axis integer of results, where the axes of points are
local BSpline = {}

--- A piecewise polynomial. It is called at points: p(x, nu, extrapolate) has its derivative of order nu (default 0).
---@class cuna.PPoly
---@field c cuna.Array coefficients (k + 1, intervals, ...), that of the highest power first, of x less the interval's left end
---@field x cuna.Array the ends of the intervals, (intervals + 1,)
---@field extrapolate boolean|string what is beyond them: true: the first and the last piece, false: NaN; "periodic"
---@field axis integer of results, where the axes of points are
local PPoly = {}

--- A function through data, which is called at points.
---@class cuna.Interpolator
local Interpolator = {}

--- A function through points, of a kind: lines (default), steps, or a spline. Splines are solved for on the host, so
--- that this waits for x; a call waits where points beyond the ends are an error. Follows scipy.interpolate.interp1d.
---
--- ```lua
--- cn.interpolate.interp1d({0, 1, 2}, {0, 10, 40})({0.5, 1.5}) --> [ 5. 25.]
--- cn.interpolate.interp1d({0, 1}, {0, 1}, {fill_value = {-1, 9}})({-2, 2}) --> [-1. 9.]
--- ```
---@param x cuna.Operand # a vector
---@param y cuna.Operand # real or complex
---@param kind string|integer|nil # "linear", "nearest" (halves round down), "nearest-up", "previous", "next", "zero"  (as "previous"), "slinear" (as "linear"), "quadratic", "cubic", or the degree of a spline
---@param axis integer|nil # along which y has the values of x, default: the last
---@param bounds_error boolean|nil # whether points beyond the ends are an error; default: without fill_value
---@param fill_value number|cuna.Operand|table|string|nil # the value beyond the ends, a table of those below and above,  or "extrapolate"; default NaN
---@param assume_sorted boolean|nil # default false: points are sorted first
---@return cuna.Interpolator
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {kind?: string|integer, axis?: integer, bounds_error?: boolean, fill_value?: number|cuna.Operand|table|string, assume_sorted?: boolean}): cuna.Interpolator
function interpolate.interp1d(x, y, kind, axis, bounds_error, fill_value, assume_sorted) end

--- The polynomial through points, by the barycentric formula (Berrut and Trefethen, 2004): good for Chebyshev's points,
--- and for few others. Follows scipy.interpolate.BarycentricInterpolator.
---
--- ```lua
--- cn.interpolate.BarycentricInterpolator({0, 1, 2}, {0, 1, 4})({0.5, 3}) --> [0.25 9. ]
--- ```
---@param xi cuna.Operand # a vector of different numbers
---@param yi cuna.Operand
---@param axis integer|nil # default 1
---@return cuna.Interpolator
---@overload fun(xi: cuna.Operand, yi: cuna.Operand, options: {axis?: integer}): cuna.Interpolator
function interpolate.BarycentricInterpolator(xi, yi, axis) end

--- The cubic spline through points, whose second derivative is continuous. The slopes are solved for on the host, so
--- that this waits. Follows scipy.interpolate.CubicSpline.
---
--- ```lua
--- cn.interpolate.CubicSpline({0, 1, 2, 3}, {0, 1, 8, 27})({0.5, 2.5}) --> [ 0.125 15.625]
--- cn.interpolate.CubicSpline({0, 1, 2}, {0, 1, 0}, {bc_type = "natural"})(0.5) --> 0.6875
--- ```
---@param x cuna.Operand # rising, at least 2 elements
---@param y cuna.Operand # real or complex
---@param axis integer|nil # along which y has the values of x, default 1
---@param bc_type string|table|nil # at both ends, or a table of the two: "not-a-knot" (default: the first two pieces are  one polynomial), "natural" (second derivatives are 0), "clamped" (first ones are 0), "periodic", {order, value}
---@param extrapolate boolean|string|nil # default true, of periodic functions "periodic"
---@return cuna.PPoly
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {axis?: integer, bc_type?: string|table, extrapolate?: boolean|string}): cuna.PPoly
function interpolate.CubicSpline(x, y, axis, bc_type, extrapolate) end

--- A cubic function through points that is monotonic where they are (Fritsch and Butland, 1984). Waits to see whether x
--- rises. Follows scipy.interpolate.PchipInterpolator.
---
--- ```lua
--- cn.interpolate.PchipInterpolator({0, 1, 2, 3}, {0, 0, 1, 1})({0.5, 1.5, 2.5}) --> [0. 0.5 1. ]
--- ```
---@param x cuna.Operand # rising, at least 2 elements
---@param y cuna.Operand # real
---@param axis integer|nil # default 1
---@param extrapolate boolean|nil # default true
---@return cuna.PPoly
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {axis?: integer, extrapolate?: boolean}): cuna.PPoly
function interpolate.PchipInterpolator(x, y, axis, extrapolate) end

--- A cubic function through points with slopes of few neighbours, without the overshoot of splines (Akima, 1970); NaN
--- beyond them. Waits to see whether x rises. Follows scipy.interpolate.Akima1DInterpolator.
---
--- ```lua
--- cn.interpolate.Akima1DInterpolator({0, 1, 2, 3}, {0, 1, 2, 3})({0.5, 4}) --> [0.5 nan]
--- ```
---@param x cuna.Operand # rising, at least 2 elements
---@param y cuna.Operand # real
---@param axis integer|nil # default 1
---@return cuna.PPoly
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {axis?: integer}): cuna.PPoly
function interpolate.Akima1DInterpolator(x, y, axis) end

--- The derivative. Follows scipy.interpolate.BSpline.derivative.
---
--- ```lua
--- cn.interpolate.make_interp_spline({0, 1, 2, 3}, {0, 1, 8, 27}):derivative()({1, 2}):round(6) --> [ 3. 12.]
--- ```
---@param nu integer|nil # its order, default 1
---@return cuna.BSpline
function BSpline:derivative(nu) end

--- An antiderivative. Follows scipy.interpolate.BSpline.antiderivative.
---
--- ```lua
--- cn.interpolate.make_interp_spline({0, 1, 2}, {0, 2, 4}, 1):antiderivative()(2) --> 4.0
--- ```
---@param nu integer|nil # its order, default 1
---@return cuna.BSpline
function BSpline:antiderivative(nu) end

--- The integral from a to b; without extrapolation of the part between the ends. Follows
--- scipy.interpolate.BSpline.integrate.
---
--- ```lua
--- cn.interpolate.make_interp_spline({0, 1, 2}, {0, 2, 4}, 1):integrate(0, 2) --> 4.0
--- ```
---@param a number
---@param b number
---@param extrapolate boolean|string|nil # default: the spline's
---@return cuna.Array
function BSpline:integrate(a, b, extrapolate) end

--- The points where the spline is 0; waits.
---
--- ```lua
--- cn.interpolate.make_interp_spline({0, 1, 2}, {-1, 0, 1}, 1):roots() --> [1.]
--- ```
---@param discontinuity boolean|nil # whether changes of sign at jumps count, default true
---@param extrapolate boolean|string|nil # default: the spline's
---@return cuna.Array|cuna.Array[] # rising; of several splines a table, in row-major order
function BSpline:roots(discontinuity, extrapolate) end

--- A spline of degree k in terms of B-splines. Waits for the knots. Follows scipy.interpolate.BSpline.
---
--- ```lua
--- cn.interpolate.BSpline({0, 1, 2, 3}, {1, 2}, 1)({1, 1.5, 2}) --> [1. 1.5 2. ]
--- ```
---@param t cuna.Operand # knots that do not fall, (n + k + 1,)
---@param c cuna.Operand # coefficients, n along an axis
---@param k integer
---@param extrapolate boolean|string|nil # default true
---@param axis integer|nil # of c, default 1
---@return cuna.BSpline
---@overload fun(t: cuna.Operand, c: cuna.Operand, k: integer, options: {extrapolate?: boolean|string, axis?: integer}): cuna.BSpline
function interpolate.BSpline(t, c, k, extrapolate, axis) end

--- The spline of degree k through points. Its coefficients are solved for on the host, so that this waits. Follows
--- scipy.interpolate.make_interp_spline.
---
--- ```lua
--- cn.interpolate.make_interp_spline({0, 1, 2, 3}, {0, 1, 8, 27})({0.5, 2.5}):round(6) --> [ 0.125 15.625]
--- ```
---@param x cuna.Operand # rising, at least k + 1 elements without conditions
---@param y cuna.Operand # real or complex
---@param k integer|nil # default 3; without t odd, or 0 or 2
---@param t cuna.Operand|nil # knots; default: the points without those near the ends
---@param bc_type string|table|nil # at both ends, or a table of the two: "not-a-knot" (default), "natural", "clamped", or  a table of {order, value}; "periodic": the last point is the first one again
---@param axis integer|nil # default 1
---@return cuna.BSpline
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {k?: integer, t?: cuna.Operand, bc_type?: string|table, axis?: integer}): cuna.BSpline
function interpolate.make_interp_spline(x, y, k, t, bc_type, axis) end

--- The derivative, with the same intervals. Follows scipy.interpolate.PPoly.derivative.
---
--- ```lua
--- cn.interpolate.PPoly({{1}, {0}, {0}}, {0, 1}):derivative()(3) --> 6.0
--- ```
---@param nu integer|nil # its order, default 1
---@return cuna.PPoly
function PPoly:derivative(nu) end

--- An antiderivative, which is 0 at the first end. Follows scipy.interpolate.PPoly.antiderivative.
---
--- ```lua
--- cn.interpolate.PPoly({{2}, {0}}, {0, 1}):antiderivative()(3) --> 9.0
--- ```
---@param nu integer|nil # its order, default 1
---@return cuna.PPoly
function PPoly:antiderivative(nu) end

--- The integral from a to b. Of periodic functions it waits for the ends. Follows
--- scipy.interpolate.PPoly.integrate.
---
--- ```lua
--- cn.interpolate.PPoly({{2}, {0}}, {0, 1}):integrate(0, 1) --> 1.0
--- ```
---@param a number
---@param b number
---@param extrapolate boolean|string|nil # default: the function's
---@return cuna.Array
function PPoly:integrate(a, b, extrapolate) end

--- The points where the function is y; waits. Follows scipy.interpolate.PPoly.solve, but that it does not report pieces
--- that are y throughout by NaN: their left end stands for them.
---
--- ```lua
--- cn.interpolate.PPoly({{1}, {0}, {-4}}, {0, 3}):solve(0, {extrapolate = false}) --> [2.]
--- ```
---@param y number|nil # default 0
---@param discontinuity boolean|nil # whether jumps over y count, default true
---@param extrapolate boolean|string|nil # whether points beyond the ends count; default: the function's
---@return cuna.Array|cuna.Array[] # rising; of several functions a table, in row-major order
function PPoly:solve(y, discontinuity, extrapolate) end

--- The points where the function is 0; waits. Follows scipy.interpolate.PPoly.roots.
---
--- ```lua
--- cn.interpolate.PPoly({{1}, {0}, {-4}}, {0, 3}):roots() --> [-2. 2.]
--- ```
---@param discontinuity boolean|nil # whether changes of sign at jumps count, default true
---@param extrapolate boolean|string|nil # whether points beyond the ends count; default: the function's
---@return cuna.Array|cuna.Array[] # rising; of several functions a table, in row-major order
function PPoly:roots(discontinuity, extrapolate) end

--- A piecewise polynomial of coefficients: from x[i] to x[i + 1] it is the sum of c[k] (x - x[i])^(n - k) over its n
--- coefficients. Waits to see whether x rises. Follows scipy.interpolate.PPoly.
---
--- ```lua
--- cn.interpolate.PPoly({{1, -1}, {0, 1}}, {0, 1, 2})({0.5, 1.5}) --> [0.5 0.5]
--- ```
---@param c cuna.Operand # (k + 1, intervals, ...)
---@param x cuna.Operand # (intervals + 1,), rising
---@param extrapolate boolean|string|nil # default true
---@param axis integer|nil # of results, where the axes of points are; default 1
---@return cuna.PPoly
---@overload fun(c: cuna.Operand, x: cuna.Operand, options: {extrapolate?: boolean|string, axis?: integer}): cuna.PPoly
function interpolate.PPoly(c, x, extrapolate, axis) end

--- A function on a grid with any spacing. It is called with points (..., axes), or a table of arrays by axis. Waits to
--- see whether the points rise; a call waits where points beyond the grid are an error. Follows
--- scipy.interpolate.RegularGridInterpolator.
---
--- ```lua
--- cn.interpolate.RegularGridInterpolator({{0, 1}, {0, 2}}, {{0, 2}, {10, 12}})({{0.5, 1}}) --> [6.]
--- ```
---@param points cuna.Operand[] # a vector for each axis, rising or falling
---@param values cuna.Operand # (lengths of the vectors..., ...)
---@param method string|nil # "linear" (default), "nearest", "slinear", "cubic", "quintic": splines of degree 1, 3, 5  along each axis, or "pchip": functions that keep shape
---@param bounds_error boolean|nil # whether points beyond the grid are an error, default true
---@param fill_value number|string|nil # without bounds_error the value there, default NaN; "extrapolate"
---@return cuna.Interpolator
---@overload fun(points: cuna.Operand[], values: cuna.Operand, options: {method?: string, bounds_error?: boolean, fill_value?: number|string}): cuna.Interpolator
function interpolate.RegularGridInterpolator(points, values, method, bounds_error, fill_value) end

--- Values at points of a function on a grid: cn.interpolate.RegularGridInterpolator, called once. Follows
--- scipy.interpolate.interpn.
---
--- ```lua
--- cn.interpolate.interpn({{0, 1}, {0, 2}}, {{0, 2}, {10, 12}}, {{1, 2}, {0, 0.5}}) --> [12. 0.5]
--- ```
---@param points cuna.Operand[] # a vector for each axis, rising or falling
---@param values cuna.Operand # (lengths of the vectors..., ...)
---@param xi cuna.Operand # points (..., axes)
---@param method string|nil # as of cn.interpolate.RegularGridInterpolator, default "linear"
---@param bounds_error boolean|nil # whether points beyond the grid are an error, default true
---@param fill_value number|string|nil # without bounds_error the value there, default NaN; "extrapolate"
---@return cuna.Array
---@overload fun(points: cuna.Operand[], values: cuna.Operand, xi: cuna.Operand, options: {method?: string, bounds_error?: boolean, fill_value?: number|string}): cuna.Array
function interpolate.interpn(points, values, xi, method, bounds_error, fill_value) end

--- A sum of radial functions about scattered points, and a polynomial, through their values; called with points
--- (..., coordinates). One system with an equation for each point is solved, so that memory grows with the square of
--- their number; with `neighbors` a call solves a small one for each point that it asks for. Follows
--- scipy.interpolate.RBFInterpolator.
---
--- ```lua
--- cn.interpolate.RBFInterpolator({0, 1, 2}, {0, 1, 4}, {kernel = "cubic"})({1, 1.5}):round(6) --> [1. 2.3125]
--- ```
---@param y cuna.Operand # (points, coordinates); a vector has one coordinate
---@param d cuna.Operand # values (points, ...)
---@param neighbors integer|nil # how many of the nearest points a value is made of, default: all
---@param smoothing number|cuna.Operand|nil # how far values may be missed, one for all or each point; default 0
---@param kernel string|nil # of r times epsilon: "linear" -r, "thin_plate_spline" r^2 log(r) (default), "cubic" r^3,  "quintic" -r^5, "multiquadric", "inverse_multiquadric", "inverse_quadratic", "gaussian"
---@param epsilon number|nil # default 1; the last four kernels need it
---@param degree integer|nil # of the polynomial, -1 for none; default: the least that the kernel needs, and 0
---@return cuna.Interpolator
---@overload fun(y: cuna.Operand, d: cuna.Operand, options: {neighbors?: integer, smoothing?: number|cuna.Operand, kernel?: string, epsilon?: number, degree?: integer}): cuna.Interpolator
function interpolate.RBFInterpolator(y, d, neighbors, smoothing, kernel, epsilon, degree) end

--- The value of the nearest of scattered points, by all distances; called with points (..., coordinates). Follows
--- scipy.interpolate.NearestNDInterpolator.
---
--- ```lua
--- cn.interpolate.NearestNDInterpolator({{0, 0}, {1, 1}}, {10, 20})({{0.2, 0.1}, {2, 1}}) --> [10. 20.]
--- ```
---@param x cuna.Operand # (points, coordinates); a vector has one coordinate
---@param y cuna.Operand # values (points, ...)
---@param rescale boolean|nil # whether coordinates are scaled to the range 1, default false
---@return cuna.Interpolator
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {rescale?: boolean}): cuna.Interpolator
function interpolate.NearestNDInterpolator(x, y, rescale) end

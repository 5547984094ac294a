---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Polynomials, windows, bits.

---@class cuna
local cn = {}

--- A polynomial in one variable.
---@class cuna.Poly1d
---@field coeffs cuna.Array 1-d, from the highest power down to the constant, at least one
---@field order integer the highest power
---@field roots cuna.Array what cn.roots returns
---@field variable string its name in print
local Poly1d = {}

--- The polynomial's values at the points. Follows numpy.polyval.
---
--- ```lua
--- cn.polyval({3, 0, 1}, 5) --> 76.0
--- cn.polyval({1, -1}, {{1, 2}, {3, 4}}) --> [[0. 1.] [2. 3.]]
--- ```
---@param p cuna.Operand # coefficients, from the highest power down
---@param x cuna.Operand # points, of any shape
---@return cuna.Array # of x's shape
function cn.polyval(p, x) end

--- The sum of two polynomials. Follows numpy.polyadd.
---
--- ```lua
--- cn.polyadd({1, 2}, {9, 5, 4}) --> [9. 6. 6.]
--- ```
---@param a cuna.Operand # coefficients, from the highest power down
---@param b cuna.Operand
---@return cuna.Array # as long as the longer one
function cn.polyadd(a, b) end

--- The difference of two polynomials. Follows numpy.polysub.
---
--- ```lua
--- cn.polysub({2, 10, -2}, {10, 4}) --> [ 2. 0. -6.]
--- ```
---@param a cuna.Operand # coefficients, from the highest power down
---@param b cuna.Operand
---@return cuna.Array # as long as the longer one
function cn.polysub(a, b) end

--- The product of two polynomials. Follows numpy.polymul, but that leading zeros stay.
---
--- ```lua
--- cn.polymul({1, 2, 3}, {9, 5, 1}) --> [ 9. 23. 38. 17. 3.]
--- ```
---@param a cuna.Operand # coefficients, from the highest power down
---@param b cuna.Operand
---@return cuna.Array # one shorter than both together
function cn.polymul(a, b) end

--- Long division of polynomials. Waits for the coefficients. Follows numpy.polydiv.
---
--- ```lua
--- cn.polydiv({3, 5, 2}, {2, 1}) --> [1.5  1.75], [0.25]
--- ```
---@param u cuna.Operand # coefficients of the dividend, from the highest power down
---@param v cuna.Operand # those of the divisor, of which the first one is not 0
---@return cuna.Array # quotient
---@return cuna.Array # remainder without leading zeros
function cn.polydiv(u, v) end

--- The polynomial's m-th derivative. Follows numpy.polyder.
---
--- ```lua
--- cn.polyder({1, 1, 1, 1}) --> [3. 2. 1.]
--- ```
---@param p cuna.Operand # coefficients, from the highest power down
---@param m integer|nil # default 1
---@return cuna.Array # m shorter; empty where nothing is left
---@overload fun(p: cuna.Operand, options: {m?: integer}): cuna.Array
function cn.polyder(p, m) end

--- The polynomial's m-th integral. Follows numpy.polyint.
---
--- ```lua
--- cn.polyint({6, 4, 2}, {k = 1}) --> [2. 2. 2. 1.]
--- ```
---@param p cuna.Operand # coefficients, from the highest power down
---@param m integer|nil # at most 1000, default 1
---@param k number|number[]|nil # constants of integration, in the order of the integrations; default 0
---@return cuna.Array # m longer
---@overload fun(p: cuna.Operand, options: {m?: integer, k?: number|number[]}): cuna.Array
function cn.polyint(p, m, k) end

--- The polynomial with given roots, whose highest power has the coefficient 1; of a square matrix the characteristic
--- one, whose roots are its eigenvalues. Complex roots in conjugate pairs give real coefficients, which waits for them,
--- and so does a matrix. Follows numpy.poly, but that float32 stays so.
---
--- ```lua
--- cn.poly {0, 1, -1} --> [ 1. 0. -1. 0.]
--- cn.poly {{2, 1}, {0, 3}} --> [ 1. -5. 6.]
--- ```
---@param roots cuna.Operand # 1-d, or a square matrix
---@return cuna.Array # one longer
function cn.poly(roots) end

--- Powers of numbers, a row for each: from the highest down to 0. Follows numpy.vander.
---
--- ```lua
--- cn.vander({1, 2, 3}, 3) --> [[1. 1. 1.] [4. 2. 1.] [9. 3. 1.]]
--- ```
---@param x cuna.Operand # 1-d
---@param n integer|nil # how many columns, default as many as numbers
---@param increasing boolean|nil # true: from 0 up
---@return cuna.Array # shape (#x, n)
---@overload fun(x: cuna.Operand, options: {n?: integer, increasing?: boolean}): cuna.Array
function cn.vander(x, n, increasing) end

--- The roots of a polynomial: eigenvalues of its companion matrix, and 0 for each trailing zero. Leading zeros count
--- for nothing; looking for both waits for the coefficients. Always complex. Follows numpy.roots.
---
--- ```lua
--- cn.roots {1, -3, 2} --> [2.+0.j 1.+0.j]
--- cn.roots {0, 2, 8, 0} --> [-4.+0.j 0.+0.j]
--- ```
---@param p cuna.Operand # coefficients, from the highest power down
---@return cuna.Array # complex, as many as the highest power
function cn.roots(p) end

--- The polynomial of a degree that is nearest to points, by least squares. Follows numpy.polyfit, but that nothing
--- warns if the points do not determine a coefficient: `full` returns the rank.
---
--- ```lua
--- cn.round(cn.polyfit({0, 1, 2, 3}, {1, 3, 7, 13}, 2), 6) --> [1. 1. 1.]
--- ```
---@param x cuna.Operand # points, 1-d
---@param y cuna.Operand # values: as many, or a row for each point, which are several fits
---@param deg integer
---@param rcond number|nil # singular values up to this share of the greatest count as 0; default: the count of points * epsilon of x's dtype
---@param full boolean|nil # true: also returns residuals, rank, singular values and rcond
---@param w cuna.Operand|nil # weights of the points
---@param cov boolean|string|nil # true: also returns the covariances of the coefficients, scaled by the residuals; "unscaled": as if the weights were right
---@return cuna.Array # coefficients from the highest power down, (deg + 1,) or (deg + 1, k)
---@return cuna.Array|nil # residuals with `full`; with `cov` the covariances
---@return cuna.Array|nil # rank
---@return cuna.Array|nil # s
---@return number|nil # rcond
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {deg?: integer, rcond?: number, full?: boolean, w?: cuna.Operand, cov?: boolean|string}): cuna.Array, cuna.Array|nil, cuna.Array|nil, cuna.Array|nil, number|nil
function cn.polyfit(x, y, deg, rcond, full, w, cov) end

--- A polynomial of its coefficients, or of its roots. It can be called at points, added to, subtracted from and
--- multiplied with polynomials, arrays of coefficients and numbers, raised to whole powers, compared, and printed; p[k]
--- is the coefficient of the k-th power. Leading zeros go, so that it waits for the coefficients. Follows numpy.poly1d,
--- but for division.
---
--- ```lua
--- cn.poly1d({1, 2, 3}) --> 1 x^2 + 2 x + 3
--- cn.poly1d({1, 2, 3})(10) --> 123.0
--- cn.poly1d({1, 2}, {r = true}) --> 1 x^2 - 3 x + 2
--- cn.poly1d({1, 1}) ^ 3, cn.poly1d({1, 2, 3})[2] --> 1 x^3 + 3 x^2 + 3 x + 1, 1
--- ```
---@param c_or_r cuna.Operand # coefficients, from the highest power down, or roots
---@param r boolean|nil # whether they are roots; default false
---@param variable string|nil # its name in print; default "x"
---@return cuna.Poly1d
---@overload fun(c_or_r: cuna.Operand, options: {r?: boolean, variable?: string}): cuna.Poly1d
function cn.poly1d(c_or_r, r, variable) end

--- The derivative, or the m-th one. Follows numpy.poly1d.deriv.
---
--- ```lua
--- cn.poly1d({1, 2, 3}):deriv() --> 2 x + 2
--- ```
---@param m integer|nil # default 1
---@return cuna.Poly1d
function Poly1d:deriv(m) end

--- The integral, or the m-th one. Follows numpy.poly1d.integ.
---
--- ```lua
--- cn.poly1d({2, 2}):integ(1, 5) --> 1 x^2 + 2 x + 5
--- ```
---@param m integer|nil # default 1
---@param k number|number[]|nil # its constants; default 0
---@return cuna.Poly1d
function Poly1d:integ(m, k) end

--- The Bartlett window, a triangle with zeros at its ends. Follows numpy.bartlett.
---
--- ```lua
--- cn.bartlett(5) --> [0. 0.5 1. 0.5 0. ]
--- ```
---@param m integer # how many numbers
---@return cuna.Array # 1-d, of the default float dtype
function cn.bartlett(m) end

--- The Blackman window, of three terms of cosines. Follows numpy.blackman.
---
--- ```lua
--- cn.blackman(5):round(4) --> [-0. 0.34 1. 0.34 -0. ]
--- ```
---@param m integer # how many numbers
---@return cuna.Array # 1-d, of the default float dtype
function cn.blackman(m) end

--- The Hamming window, a cosine above 0.08. Follows numpy.hamming.
---
--- ```lua
--- cn.hamming(3):round(4) --> [0.08 1. 0.08]
--- ```
---@param m integer # how many numbers
---@return cuna.Array # 1-d, of the default float dtype
function cn.hamming(m) end

--- The Hann window, a cosine above 0. Follows numpy.hanning.
---
--- ```lua
--- cn.hanning(5):round(4) --> [0. 0.5 1. 0.5 0. ]
--- ```
---@param m integer # how many numbers
---@return cuna.Array # 1-d, of the default float dtype
function cn.hanning(m) end

--- The Kaiser window, of Bessel functions. Follows numpy.kaiser.
---
--- ```lua
--- cn.kaiser(3, 0) --> [1. 1. 1.]
--- ```
---@param m integer # how many numbers
---@param beta number # its shape: 0 is a rectangle, 5 like hamming, 8.6 like blackman
---@return cuna.Array # 1-d, of the default float dtype
function cn.kaiser(m, beta) end

--- Truths as the bits of bytes, eight along an axis a byte; what is missing of the last byte is 0. Follows
--- numpy.packbits, but takes elements of any dtype.
---
--- ```lua
--- cn.packbits {1, 0, 1, 0, 0, 0, 0, 1, 1} --> [161 128]
--- cn.packbits({1, 0, 1}, {bitorder = "little"}) --> [5]
--- ```
---@param x cuna.Operand # an element that is not 0 is a 1
---@param axis integer|nil # without one all elements are one axis
---@param bitorder string|nil # "big" (default): the first element is the highest bit; "little": the lowest
---@return cuna.Array # uint8
---@overload fun(x: cuna.Operand, options: {axis?: integer, bitorder?: string}): cuna.Array
function cn.packbits(x, axis, bitorder) end

--- The bits of bytes as numbers 0 and 1, eight a byte along an axis. Follows numpy.unpackbits.
---
--- ```lua
--- cn.unpackbits(cn.array({161, 128}, "uint8"), {count = 9}) --> [1 0 1 0 0 0 0 1 1]
--- ```
---@param x cuna.Array # uint8
---@param axis integer|nil # without one all elements are one axis
---@param count integer|nil # how many bits there are along the axis: zeros follow, or, below 0, so many are left out
---@param bitorder string|nil # "big" (default): the highest bit comes first; "little": the lowest
---@return cuna.Array # uint8
---@overload fun(x: cuna.Array, options: {axis?: integer, count?: integer, bitorder?: string}): cuna.Array
function cn.unpackbits(x, axis, count, bitorder) end

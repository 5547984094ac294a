---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Fourier, cosine and sine transforms.

---@class cuna.fft
local fft = {}

--- which way divides by the points; "ortho": both by the root
---@alias cuna.FftNorm "backward"|"ortho"|"forward"

--- which cosine or sine transform: 1 of an extended line, 2 usual, 3 its inverse, 4 its own
---@alias cuna.FftType 1|2|3|4

--- The discrete Fourier transform along one axis. float32 and complex64 stay single, as in CuPy, and float16 and
--- bfloat16 become that; other real numbers become the default float first. Follows numpy.fft.fft.
---
--- ```lua
--- cn.fft.fft {1, 2, 3, 4} --> [10.+0.j -2.+2.j -2.+0.j -2.-2.j]
--- cn.fft.fft({1, 2, 3, 4}, 2) --> [ 3.+0.j -1.+0.j]
--- ```
---@param x cuna.Operand
---@param n integer|nil # points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.Array
function fft.fft(x, n, axis, norm) end

--- The inverse of cn.fft.fft. Follows numpy.fft.ifft.
---
--- ```lua
--- cn.fft.ifft(cn.fft.fft {1, 2, 3, 4}) --> [1.+0.j 2.+0.j 3.+0.j 4.+0.j]
--- cn.fft.ifft {1, 2, 3, 4} --> [ 2.5+0.j -0.5-0.5j -0.5+0.j -0.5+0.5j]
--- ```
---@param x cuna.Operand
---@param n integer|nil # points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.Array
function fft.ifft(x, n, axis, norm) end

--- The first half of cn.fft.fft of real numbers, of which the rest are conjugates: n / 2 + 1 numbers. Follows
--- numpy.fft.rfft.
---
--- ```lua
--- cn.fft.rfft {1, 2, 3, 4} --> [10.+0.j -2.+2.j -2.+0.j]
--- ```
---@param x cuna.Operand # real
---@param n integer|nil # points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.Array
function fft.rfft(x, n, axis, norm) end

--- The inverse of cn.fft.rfft. What it does not need, the imaginary parts of the first number and of the middle one,
--- it does not look at. Follows numpy.fft.irfft.
---
--- ```lua
--- cn.fft.irfft(cn.fft.rfft {1, 2, 3, 4}) --> [1. 2. 3. 4.]
--- ```
---@param x cuna.Operand # the first half of a spectrum
---@param n integer|nil # points of the result; default: 2 (length - 1). Of an odd number it cannot know
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # real
---@overload fun(x: cuna.Operand, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.Array
function fft.irfft(x, n, axis, norm) end

--- The transform of what has a real spectrum, of which x is the first half. Follows numpy.fft.hfft.
---
--- ```lua
--- cn.fft.hfft {1, 2, 3} --> [ 8. -2.  0. -2.]
--- ```
---@param x cuna.Operand # the first half of a signal whose other half are conjugates
---@param n integer|nil # points of the result; default: 2 (length - 1)
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # real
---@overload fun(x: cuna.Operand, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.Array
function fft.hfft(x, n, axis, norm) end

--- The inverse of cn.fft.hfft. Follows numpy.fft.ihfft.
---
--- ```lua
--- cn.fft.ihfft {8, -2, 0, -2} --> [1.-0.j 2.-0.j 3.-0.j]
--- ```
---@param x cuna.Operand # real
---@param n integer|nil # points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex, the first half
---@overload fun(x: cuna.Operand, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.Array
function fft.ihfft(x, n, axis, norm) end

--- The discrete Fourier transform along several axes. Follows numpy.fft.fftn.
---
--- ```lua
--- cn.fft.fftn {{1, 2}, {3, 4}} --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
--- ```
---@param x cuna.Operand
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.fftn(x, s, axes, norm) end

--- The inverse of cn.fft.fftn. Follows numpy.fft.ifftn.
---
--- ```lua
--- cn.fft.ifftn {{10, -2}, {-4, 0}} --> [[1.+0.j 2.+0.j] [3.+0.j 4.+0.j]]
--- ```
---@param x cuna.Operand
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.ifftn(x, s, axes, norm) end

--- The transform of real numbers along several axes; of the last one the first half. Follows numpy.fft.rfftn.
---
--- ```lua
--- cn.fft.rfftn({{1, 2}, {3, 4}}, {axes = {2, 1}}) --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
--- ```
---@param x cuna.Operand # real
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.rfftn(x, s, axes, norm) end

--- The inverse of cn.fft.rfftn. Follows numpy.fft.irfftn.
---
--- ```lua
--- cn.fft.irfftn {{10, -2}, {-4, 0}} --> [[1. 2.] [3. 4.]]
--- ```
---@param x cuna.Operand
---@param s integer[]|nil # points of the result by axis; default: the axes' lengths, of the last 2 (length - 1)
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # real
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.irfftn(x, s, axes, norm) end

--- The discrete Fourier transform along two axes. Follows numpy.fft.fft2.
---
--- ```lua
--- cn.fft.fft2 {{1, 2}, {3, 4}} --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
--- ```
---@param x cuna.Operand
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.fft2(x, s, axes, norm) end

--- The inverse of cn.fft.fft2. Follows numpy.fft.ifft2.
---
--- ```lua
--- cn.fft.ifft2 {{10, -2}, {-4, 0}} --> [[1.+0.j 2.+0.j] [3.+0.j 4.+0.j]]
--- ```
---@param x cuna.Operand
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.ifft2(x, s, axes, norm) end

--- The transform of real numbers along two axes; of the last one the first half. Follows numpy.fft.rfft2.
---
--- ```lua
--- cn.fft.rfft2({{1, 2, 3}, {4, 5, 6}}).shape --> (2, 2)
--- ```
---@param x cuna.Operand # real
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.rfft2(x, s, axes, norm) end

--- The inverse of cn.fft.rfft2. Follows numpy.fft.irfft2.
---
--- ```lua
--- cn.fft.irfft2 {{10, -2}, {-4, 0}} --> [[1. 2.] [3. 4.]]
--- ```
---@param x cuna.Operand
---@param s integer[]|nil # points of the result by axis; default: the axes' lengths, of the last 2 (length - 1)
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # real
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.irfft2(x, s, axes, norm) end

--- The transform along several axes of what has a real spectrum, of which x has the first half along the last one.
--- Follows scipy.fft.hfftn.
---
--- ```lua
--- cn.fft.hfftn {{10, -2}, {-4, 0}} --> [[ 4. 8.] [12. 16.]]
--- ```
---@param x cuna.Operand
---@param s integer[]|nil # points of the result by axis; default: the axes' lengths, of the last 2 (length - 1)
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # real
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.hfftn(x, s, axes, norm) end

--- The inverse of cn.fft.hfftn. Follows scipy.fft.ihfftn.
---
--- ```lua
--- cn.fft.ihfftn({{4, 8}, {12, 16}}).real --> [[10. -2.] [-4. 0.]]
--- ```
---@param x cuna.Operand # real
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex; of the last axis the first half
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.ihfftn(x, s, axes, norm) end

--- cn.fft.hfftn along two axes. Follows scipy.fft.hfft2.
---
--- ```lua
--- cn.fft.hfft2 {{10, -2}, {-4, 0}} --> [[ 4. 8.] [12. 16.]]
--- ```
---@param x cuna.Operand
---@param s integer[]|nil # points of the result by axis; default: the axes' lengths, of the last 2 (length - 1)
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # real
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.hfft2(x, s, axes, norm) end

--- The inverse of cn.fft.hfft2. Follows scipy.fft.ihfft2.
---
--- ```lua
--- cn.fft.ihfft2({{4, 8}, {12, 16}}).real --> [[10. -2.] [-4. 0.]]
--- ```
---@param x cuna.Operand # real
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.Array # complex; of the last axis the first half
---@overload fun(x: cuna.Operand, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.Array
function fft.ihfft2(x, s, axes, norm) end

--- The frequency of each number of a transform of n points: 0, 1, ..., then the negative ones, over n d. Follows
--- numpy.fft.fftfreq.
---
--- ```lua
--- cn.fft.fftfreq(4) --> [ 0. 0.25 -0.5 -0.25]
--- ```
---@param n integer
---@param d number|nil # the distance between points, default 1
---@param dtype cuna.Dtype|nil # default: the default float
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.Array
---@overload fun(n: integer, options: {d?: number, dtype?: cuna.Dtype, device?: cuna.Device|string}): cuna.Array
function fft.fftfreq(n, d, dtype, device) end

--- The frequency of each number of cn.fft.rfft of n points. Follows numpy.fft.rfftfreq.
---
--- ```lua
--- cn.fft.rfftfreq(4) --> [0. 0.25 0.5 ]
--- ```
---@param n integer
---@param d number|nil # the distance between points, default 1
---@param dtype cuna.Dtype|nil # default: the default float
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.Array # n / 2 + 1 elements
---@overload fun(n: integer, options: {d?: number, dtype?: cuna.Dtype, device?: cuna.Device|string}): cuna.Array
function fft.rfftfreq(n, d, dtype, device) end

--- x with the zero frequency in the middle of its axes. Follows numpy.fft.fftshift.
---
--- ```lua
--- cn.fft.fftshift(cn.fft.fftfreq(4)) --> [-0.5 -0.25 0. 0.25]
--- ```
---@param x cuna.Operand
---@param axes integer|integer[]|nil # default: all
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, options: {axes?: integer|integer[]}): cuna.Array
function fft.fftshift(x, axes) end

--- The inverse of cn.fft.fftshift. Follows numpy.fft.ifftshift.
---
--- ```lua
--- cn.fft.ifftshift {-0.5, -0.25, 0, 0.25} --> [ 0. 0.25 -0.5 -0.25]
--- ```
---@param x cuna.Operand
---@param axes integer|integer[]|nil # default: all
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, options: {axes?: integer|integer[]}): cuna.Array
function fft.ifftshift(x, axes) end

--- How many plans of transforms are kept, for those that come again: of the last 16. They hold no arrays.
---
--- ```lua
--- cn.fft.plan_cache_size() <= 16 --> true
--- ```
---@return integer
function fft.plan_cache_size() end

--- Gives back the plans that are kept, but those that a graph runs.
---
--- ```lua
--- cn.fft.clear_plan_cache() -->
--- ```
function fft.clear_plan_cache() end

--- The discrete cosine transform along one axis: with N points, of type 2 the sums of 2 x[n] cos(pi k (2 n + 1) / 2 N)
--- for k = 0, ..., N - 1. Of complex numbers both parts are transformed. float32 stays single. Follows scipy.fft.dct.
---
--- ```lua
--- cn.fft.dct {1, 2} --> [ 6. -1.41421356]
--- cn.fft.dct({4, 4, 4, 4}, {norm = "ortho"}) --> [8. 0. 0. 0.]
--- ```
---@param x cuna.Operand
---@param type cuna.FftType|nil # default 2
---@param n integer|nil # points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"; the points are 2 N, of type 1 2 (N - 1)
---@param orthogonalize boolean|nil # scales the first element (of type 1 the last one too) so that the transform is  orthogonal with norm "ortho"; default: whether norm is "ortho"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {type?: cuna.FftType, n?: integer, axis?: integer, norm?: cuna.FftNorm, orthogonalize?: boolean}): cuna.Array
function fft.dct(x, type, n, axis, norm, orthogonalize) end

--- The inverse of cn.fft.dct of a type. Follows scipy.fft.idct.
---
--- ```lua
--- cn.fft.idct(cn.fft.dct {1, 2, 3}) --> [1. 2. 3.]
--- ```
---@param x cuna.Operand
---@param type cuna.FftType|nil # default 2
---@param n integer|nil # points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@param orthogonalize boolean|nil # default: whether norm is "ortho"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {type?: cuna.FftType, n?: integer, axis?: integer, norm?: cuna.FftNorm, orthogonalize?: boolean}): cuna.Array
function fft.idct(x, type, n, axis, norm, orthogonalize) end

--- The discrete sine transform along one axis: with N points, of type 2 the sums of
--- 2 x[n] sin(pi (k + 1) (2 n + 1) / 2 N) for k = 0, ..., N - 1. Of complex numbers both parts are transformed. Follows
--- scipy.fft.dst, but for orthogonal transforms of the types 2 and 3: SciPy 1.10 scales the first element of a
--- transform of type 2, which is not orthogonal then; here the last one is scaled, as its documentation says.
---
--- ```lua
--- cn.fft.dst({1, 2, 3}, 1) --> [ 9.65685425 -4. 1.65685425]
--- ```
---@param x cuna.Operand
---@param type cuna.FftType|nil # default 2
---@param n integer|nil # points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"; the points are 2 N, of type 1 2 (N + 1)
---@param orthogonalize boolean|nil # scales the last element so that the transform is orthogonal with norm "ortho";  default: whether norm is "ortho"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {type?: cuna.FftType, n?: integer, axis?: integer, norm?: cuna.FftNorm, orthogonalize?: boolean}): cuna.Array
function fft.dst(x, type, n, axis, norm, orthogonalize) end

--- The inverse of cn.fft.dst of a type. Follows scipy.fft.idst.
---
--- ```lua
--- cn.fft.idst(cn.fft.dst {1, 2, 3}) --> [1. 2. 3.]
--- ```
---@param x cuna.Operand
---@param type cuna.FftType|nil # default 2
---@param n integer|nil # points: x is cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@param orthogonalize boolean|nil # default: whether norm is "ortho"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {type?: cuna.FftType, n?: integer, axis?: integer, norm?: cuna.FftNorm, orthogonalize?: boolean}): cuna.Array
function fft.idst(x, type, n, axis, norm, orthogonalize) end

--- The discrete cosine transform along several axes, one after the other. Follows scipy.fft.dctn.
---
--- ```lua
--- cn.fft.dctn({{1, 1}, {1, 1}}) --> [[16. 0.] [ 0. 0.]]
--- ```
---@param x cuna.Operand
---@param type cuna.FftType|nil # default 2
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@param orthogonalize boolean|nil # default: whether norm is "ortho"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {type?: cuna.FftType, s?: integer[], axes?: integer[], norm?: cuna.FftNorm, orthogonalize?: boolean}): cuna.Array
function fft.dctn(x, type, s, axes, norm, orthogonalize) end

--- The inverse of cn.fft.dctn of a type. Follows scipy.fft.idctn.
---
--- ```lua
--- cn.fft.idctn {{16, 0}, {0, 0}} --> [[1. 1.] [1. 1.]]
--- ```
---@param x cuna.Operand
---@param type cuna.FftType|nil # default 2
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@param orthogonalize boolean|nil # default: whether norm is "ortho"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {type?: cuna.FftType, s?: integer[], axes?: integer[], norm?: cuna.FftNorm, orthogonalize?: boolean}): cuna.Array
function fft.idctn(x, type, s, axes, norm, orthogonalize) end

--- The discrete sine transform along several axes, one after the other. Follows scipy.fft.dstn.
---
--- ```lua
--- cn.fft.dstn({{1, 2}, {3, 5}}, 1):round() --> [[ 33. -9.] [-15. 3.]]
--- ```
---@param x cuna.Operand
---@param type cuna.FftType|nil # default 2
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@param orthogonalize boolean|nil # default: whether norm is "ortho"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {type?: cuna.FftType, s?: integer[], axes?: integer[], norm?: cuna.FftNorm, orthogonalize?: boolean}): cuna.Array
function fft.dstn(x, type, s, axes, norm, orthogonalize) end

--- The inverse of cn.fft.dstn of a type. Follows scipy.fft.idstn.
---
--- ```lua
--- cn.fft.idstn(cn.fft.dstn {{1, 2}, {3, 4}}) --> [[1. 2.] [3. 4.]]
--- ```
---@param x cuna.Operand
---@param type cuna.FftType|nil # default 2
---@param s integer[]|nil # points by axis (-1: the axis' length): x is cut to them, or filled up with zeros
---@param axes integer[]|nil # default: all, or with s as many of the last
---@param norm cuna.FftNorm|nil # default "backward"
---@param orthogonalize boolean|nil # default: whether norm is "ortho"
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {type?: cuna.FftType, s?: integer[], axes?: integer[], norm?: cuna.FftNorm, orthogonalize?: boolean}): cuna.Array
function fft.idstn(x, type, s, axes, norm, orthogonalize) end

--- The least length from `target` on whose prime factors are at most 11, or 5 for transforms of real numbers: such
--- transforms are fast. Follows scipy.fft.next_fast_len.
---
--- ```lua
--- cn.fft.next_fast_len(91), cn.fft.next_fast_len(91, true) --> 96, 96
--- cn.fft.next_fast_len(7), cn.fft.next_fast_len(7, true) --> 7, 8
--- ```
---@param target integer
---@param real boolean|nil # default false
---@return integer
---@overload fun(target: integer, options: {real?: boolean}): integer
function fft.next_fast_len(target, real) end

---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Signals: filters, their design, convolutions, spectra, peaks.

---@class cuna.signal
local signal = {}

---@class cuna.signal.windows
local windows = {}

--- all results; those for which one operand lies within the other; the middle ones, as many as in1 has
---@alias cuna.ConvolutionMode "full"|"valid"|"same"

--- on with the slope at an end, or with that from end to end
---@alias cuna.SlopingMode "smooth"|"line"

--- mirrored with the sign, or the distance to the end, changed
---@alias cuna.TurningMode "antisymmetric"|"antireflect"

--- how a signal continues
---@alias cuna.ResamplingMode "constant"|"wrap"|"edge"|"symmetric"|"reflect"|cuna.TurningMode|cuna.SlopingMode

--- also "low", "lp", "high", "hp", "band", "pass", "bp", "stop", "bs", "bands"
---@alias cuna.BandType "lowpass"|"highpass"|"bandpass"|"bandstop"

--- a window as of cn.signal.get_window, or its numbers
---@alias cuna.WindowChoice string|number|table|cuna.Operand

--- what is taken from each segment: its mean, its trend, nothing, or what a function of the segments (along the last axis) returns
---@alias cuna.Detrending "constant"|"linear"|false|function

--- Transforms of a signal's slices, by a window that goes on by `hop` samples. Fields cannot be set: make another one.
---@class cuna.ShortTimeFFT
---@field win cuna.Array the window, after scaling
---@field dual_win cuna.Array the window of the inverse; an error if there is none
---@field invertible boolean whether there is one
---@field hop integer samples from slice to slice
---@field fs number sampling frequency
---@field T number 1 / fs
---@field fft_mode string
---@field onesided_fft boolean whether frequencies below 0 are left out
---@field mfft integer points of a transform
---@field scaling string|nil "magnitude", "psd", or nil
---@field phase_shift integer|nil
---@field m_num integer the window's length
---@field m_num_mid integer samples of the window before its centre
---@field f cuna.Array frequencies
---@field f_pts integer how many there are
---@field delta_f number the distance of two
---@field delta_t number the time from slice to slice
---@field p_min integer the first slice that reaches into a signal
---@field k_min integer the position of its first sample, which lies before 1
---@field fac_magnitude number what takes the window to scaling "magnitude"
---@field fac_psd number what takes the window to scaling "psd"
local ShortTimeFFT = {}

--- Peaks and their properties, of which conditions leave some.
---@class cuna.Peaks
local Peaks = {}

--- Convolution by Fourier transforms. Follows scipy.signal.fftconvolve.
---
--- ```lua
--- cn.signal.fftconvolve({1, 2, 3}, {0, 1, 0.5}):round(6) --> [0. 1. 2.5 4. 1.5]
--- ```
---@param in1 cuna.Operand
---@param in2 cuna.Operand # with as many axes
---@param mode cuna.ConvolutionMode|nil # default "full"
---@param axes cuna.Axes|nil # default: all; along others, shapes broadcast
---@return cuna.Array # floats or complex numbers
---@overload fun(in1: cuna.Operand, in2: cuna.Operand, options: {mode?: cuna.ConvolutionMode, axes?: cuna.Axes}): cuna.Array
function signal.fftconvolve(in1, in2, mode, axes) end

--- Convolution by Fourier transforms of blocks, whose ends overlap and are added: for operands of very different
--- lengths along one axis. Along several axes it is cn.signal.fftconvolve. Follows scipy.signal.oaconvolve.
---
--- ```lua
--- cn.signal.oaconvolve(cn.ones(100), {1, 1}, "valid"):allclose(2) --> true
--- ```
---@param in1 cuna.Operand
---@param in2 cuna.Operand # with as many axes
---@param mode cuna.ConvolutionMode|nil # default "full"
---@param axes cuna.Axes|nil # default: all
---@return cuna.Array
---@overload fun(in1: cuna.Operand, in2: cuna.Operand, options: {mode?: cuna.ConvolutionMode, axes?: cuna.Axes}): cuna.Array
function signal.oaconvolve(in1, in2, mode, axes) end

--- The method that cn.signal.convolve takes: "fft", or "direct" for few products and for integers whose sums floats do
--- not hold. SciPy's estimates decide; nothing is timed. Follows scipy.signal.choose_conv_method.
---
--- ```lua
--- cn.signal.choose_conv_method(cn.ones(10), cn.ones(3)) --> direct
--- ```
---@param in1 cuna.Operand
---@param in2 cuna.Operand
---@param mode cuna.ConvolutionMode|nil # default "full"
---@return "direct"|"fft"
---@overload fun(in1: cuna.Operand, in2: cuna.Operand, options: {mode?: cuna.ConvolutionMode}): "direct"|"fft"
function signal.choose_conv_method(in1, in2, mode) end

--- Convolution over all axes, in the operands' common dtype. Follows scipy.signal.convolve.
---
--- ```lua
--- cn.signal.convolve({1, 2, 3}, {0, 1, 0.5}) --> [0. 1. 2.5 4. 1.5]
--- cn.signal.convolve({{1, 2}, {3, 4}}, {{1, 1}}, "same") --> [[1. 3.] [3. 7.]]
--- ```
---@param in1 cuna.Operand
---@param in2 cuna.Operand # with as many axes
---@param mode cuna.ConvolutionMode|nil # default "full"
---@param method "auto"|"direct"|"fft"|nil # "auto" (default): the one that cn.signal.choose_conv_method names
---@return cuna.Array
---@overload fun(in1: cuna.Operand, in2: cuna.Operand, options: {mode?: cuna.ConvolutionMode, method?: "auto"|"direct"|"fft"}): cuna.Array
function signal.convolve(in1, in2, mode, method) end

--- Correlation over all axes: convolution with in2 reversed and conjugated. Follows scipy.signal.correlate.
---
--- ```lua
--- cn.signal.correlate({1, 2, 3}, {0, 1, 0.5}) --> [0.5 2. 3.5 3. 0. ]
--- ```
---@param in1 cuna.Operand
---@param in2 cuna.Operand # with as many axes
---@param mode cuna.ConvolutionMode|nil # default "full"
---@param method "auto"|"direct"|"fft"|nil # default "auto"
---@return cuna.Array
---@overload fun(in1: cuna.Operand, in2: cuna.Operand, options: {mode?: cuna.ConvolutionMode, method?: "auto"|"direct"|"fft"}): cuna.Array
function signal.correlate(in1, in2, mode, method) end

--- By how much in2 is moved for each result of cn.signal.correlate. Follows scipy.signal.correlation_lags.
---
--- ```lua
--- cn.signal.correlation_lags(3, 2) --> [-1 0 1 2]
--- ```
---@param in1_len integer
---@param in2_len integer
---@param mode cuna.ConvolutionMode|nil # default "full"
---@return cuna.Array # int64
---@overload fun(in1_len: integer, in2_len: integer, options: {mode?: cuna.ConvolutionMode}): cuna.Array
function signal.correlation_lags(in1_len, in2_len, mode) end

--- Convolution of matrices, with borders; computed as sums. Follows scipy.signal.convolve2d.
---
--- ```lua
--- cn.signal.convolve2d({{1, 2}, {3, 4}}, {{1, 1}}, "same") --> [[1. 3.] [3. 7.]]
--- ```
---@param in1 cuna.Operand # matrix
---@param in2 cuna.Operand # matrix
---@param mode cuna.ConvolutionMode|nil # default "full"
---@param boundary "fill"|"wrap"|"symm"|nil # beyond the border: fillvalue (default), the other side, a mirror image
---@param fillvalue number|nil # default 0
---@return cuna.Array
---@overload fun(in1: cuna.Operand, in2: cuna.Operand, options: {mode?: cuna.ConvolutionMode, boundary?: "fill"|"wrap"|"symm", fillvalue?: number}): cuna.Array
function signal.convolve2d(in1, in2, mode, boundary, fillvalue) end

--- Correlation of matrices, with borders; in2 is conjugated. Follows scipy.signal.correlate2d.
---
--- ```lua
--- cn.signal.correlate2d({{1, 2}, {3, 4}}, {{1, 1}}, "valid") --> [[3.] [7.]]
--- ```
---@param in1 cuna.Operand # matrix
---@param in2 cuna.Operand # matrix
---@param mode cuna.ConvolutionMode|nil # default "full"
---@param boundary "fill"|"wrap"|"symm"|nil
---@param fillvalue number|nil # default 0
---@return cuna.Array
---@overload fun(in1: cuna.Operand, in2: cuna.Operand, options: {mode?: cuna.ConvolutionMode, boundary?: "fill"|"wrap"|"symm", fillvalue?: number}): cuna.Array
function signal.correlate2d(in1, in2, mode, boundary, fillvalue) end

--- Filters a signal along an axis by a rational transfer function, in the transposed direct form II. Sums are computed
--- in float64 or complex128. Few long lines are filtered in parts side by side, if the filter is stable. Follows
--- scipy.signal.lfilter.
---
--- ```lua
--- cn.signal.lfilter({1}, {1, -0.5}, {1, 1, 1}) --> [1. 1.5 1.75]
--- cn.signal.lfilter({1}, {1, -0.5}, {1, 1}, {zi = {2}}) --> [3. 2.5], [1.25]
--- ```
---@param b cuna.Operand # numerator, a vector; b and a are fetched
---@param a cuna.Operand # denominator, a vector
---@param x cuna.Operand
---@param axis integer|nil # default -1
---@param zi cuna.Operand|nil # the filter's state at the beginning: along the axis max(#a, #b) - 1 numbers
---@return cuna.Array # y of the dtype that b, a and x have in common, float64 for whole numbers
---@return cuna.Array|nil # zf the state at the end, with zi
---@overload fun(b: cuna.Operand, a: cuna.Operand, x: cuna.Operand, options: {axis?: integer, zi?: cuna.Operand}): cuna.Array, cuna.Array|nil
function signal.lfilter(b, a, x, axis, zi) end

--- The state of a filter after a long input of ones. Follows scipy.signal.lfilter_zi.
---
--- ```lua
--- cn.signal.lfilter_zi({1}, {1, -0.5}) --> [1.]
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@return cuna.Array
function signal.lfilter_zi(b, a) end

--- The state of a filter after known outputs and inputs, the last ones first. Follows scipy.signal.lfiltic.
---
--- ```lua
--- cn.signal.lfiltic({1}, {1, -0.5}, {2}) --> [1.]
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@param y cuna.Operand # outputs: y(-1), y(-2), ...
---@param x cuna.Operand|nil # inputs, default zeros
---@return cuna.Array
---@overload fun(b: cuna.Operand, a: cuna.Operand, y: cuna.Operand, options: {x?: cuna.Operand}): cuna.Array
function signal.lfiltic(b, a, y, x) end

--- The quotient and the remainder of two polynomials: what was convolved with divisor. Follows
--- scipy.signal.deconvolve.
---
--- ```lua
--- cn.signal.deconvolve({0, 1, 2.5, 4, 1.5}, {1, 2, 3}) --> [0. 1. 0.5], [0. 0. 0. 0. 0.]
--- ```
---@param signal cuna.Operand # vector
---@param divisor cuna.Operand # vector
---@return cuna.Array # quotient
---@return cuna.Array # remainder
function signal.deconvolve(signal, divisor) end

--- Filters a signal forwards and back, which does not move it. Follows scipy.signal.filtfilt.
---
--- ```lua
--- cn.signal.filtfilt({0.5, 0.5}, {1}, cn.ones(9)):allclose(1) --> true
--- cn.signal.filtfilt({0.5, 0.5}, {1}, {1, 2, 3, 5}, {method = "gust"}) --> [1.25 2. 3.25 4.5 ]
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@param x cuna.Operand
---@param axis integer|nil # default -1
---@param padtype "odd"|"even"|"constant"|false|nil # how the signal continues at its ends, default "odd"
---@param padlen integer|nil # by how many elements, default 3 max(#a, #b)
---@param method "pad"|"gust"|nil # "gust": the signal does not continue; the states at its ends are those for which forwards and back is the same as back and forwards (Gustafsson); default "pad"
---@param irlen integer|nil # of "gust": after how many elements a state no longer counts, default: never
---@return cuna.Array
---@overload fun(b: cuna.Operand, a: cuna.Operand, x: cuna.Operand, options: {axis?: integer, padtype?: "odd"|"even"|"constant"|false, padlen?: integer, method?: "pad"|"gust", irlen?: integer}): cuna.Array
function signal.filtfilt(b, a, x, axis, padtype, padlen, method, irlen) end

--- Filters a signal along an axis by sections of second order. Computed as cn.signal.lfilter. Follows
--- scipy.signal.sosfilt.
---
--- ```lua
--- cn.signal.sosfilt({{1, 0, 0, 1, -0.5, 0}}, {1, 1, 1}) --> [1. 1.5 1.75]
--- ```
---@param sos cuna.Operand # shape (n, 6); it is fetched
---@param x cuna.Operand
---@param axis integer|nil # default -1
---@param zi cuna.Operand|nil # states at the beginning, shape (n, ...) with 2 numbers along the signal's axis
---@return cuna.Array # y
---@return cuna.Array|nil # zf the states at the end, with zi
---@overload fun(sos: cuna.Operand, x: cuna.Operand, options: {axis?: integer, zi?: cuna.Operand}): cuna.Array, cuna.Array|nil
function signal.sosfilt(sos, x, axis, zi) end

--- The states of sections after a long input of ones. Follows scipy.signal.sosfilt_zi.
---
--- ```lua
--- cn.signal.sosfilt_zi {{1, 0, 0, 1, -0.5, 0}} --> [[1. 0.]]
--- ```
---@param sos cuna.Operand # shape (n, 6)
---@return cuna.Array # shape (n, 2)
function signal.sosfilt_zi(sos) end

--- Filters a signal forwards and back by sections of second order. Follows scipy.signal.sosfiltfilt.
---
--- ```lua
--- cn.signal.sosfiltfilt(cn.signal.butter(2, 0.5, {output = "sos"}), cn.ones(20)):allclose(1) --> true
--- ```
---@param sos cuna.Operand # shape (n, 6)
---@param x cuna.Operand
---@param axis integer|nil # default -1
---@param padtype "odd"|"even"|"constant"|false|nil # default "odd"
---@param padlen integer|nil # default 3 times the filter's length
---@return cuna.Array
---@overload fun(sos: cuna.Operand, x: cuna.Operand, options: {axis?: integer, padtype?: "odd"|"even"|"constant"|false, padlen?: integer}): cuna.Array
function signal.sosfiltfilt(sos, x, axis, padtype, padlen) end

--- A signal without its mean or its trend along an axis. Follows scipy.signal.detrend.
---
--- ```lua
--- cn.signal.detrend({1, 2, 3, 5}):round(4) --> [ 0.2 -0.1 -0.4 0.3]
--- cn.signal.detrend({1, 2, 6}, {type = "constant"}) --> [-2. -1. 3.]
--- ```
---@param data cuna.Operand
---@param axis integer|nil # default -1
---@param type "linear"|"constant"|nil # default "linear"
---@param bp cuna.Operand|nil # positions where parts begin that have trends of their own
---@return cuna.Array
---@overload fun(data: cuna.Operand, options: {axis?: integer, type?: "linear"|"constant", bp?: cuna.Operand}): cuna.Array
function signal.detrend(data, axis, type, bp) end

--- The analytic signal of a real one: with its Hilbert transform as the imaginary part. Follows scipy.signal.hilbert.
---
--- ```lua
--- cn.signal.hilbert({1, 0, -1, 0}):round(6) --> [ 1.+0.j 0.+1.j -1.+0.j 0.-1.j]
--- ```
---@param x cuna.Operand # real
---@param N integer|nil # points of the transform, default: the axis' length
---@param axis integer|nil # default -1
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {N?: integer, axis?: integer}): cuna.Array
function signal.hilbert(x, N, axis) end

--- The analytic signal along two axes. Follows scipy.signal.hilbert2.
---
--- ```lua
--- cn.signal.hilbert2({{1, 0}, {0, 0}}):round(6) --> [[1.+0.j 0.+0.j] [0.+0.j 0.+0.j]]
--- ```
---@param x cuna.Operand # real matrix
---@param N integer|integer[]|nil # points of the transforms, default: the axes' lengths
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {N?: integer|integer[]}): cuna.Array
function signal.hilbert2(x, N) end

--- A signal at `num` points, by a Fourier transform: the signal is taken to be periodic. Follows scipy.signal.resample.
---
--- ```lua
--- cn.signal.resample({0, 1, 0, -1}, 8):round(4) --> [ 0. 0.7071 1. 0.7071 0. -0.7071 -1. -0.7071]
--- ```
---@param x cuna.Operand
---@param num integer
---@param t cuna.Operand|nil # equally spaced times of the points
---@param axis integer|nil # default 1
---@param window string|number|table|function|cuna.Array|nil # what the spectrum is multiplied with: a name, as of cn.signal.get_window, a function of frequencies, or an array in the transform's order
---@param domain "time"|"freq"|nil # whether x is a signal (default) or its transform
---@return cuna.Array # y
---@return cuna.Array|nil # t the new times, with t
---@overload fun(x: cuna.Operand, num: integer, options: {t?: cuna.Operand, axis?: integer, window?: string|number|table|function|cuna.Array, domain?: "time"|"freq"}): cuna.Array, cuna.Array|nil
function signal.resample(x, num, t, axis, window, domain) end

--- Upsamples a signal by zeros, filters it and downsamples it. Follows scipy.signal.upfirdn.
---
--- ```lua
--- cn.signal.upfirdn({1, 1, 1}, {1, 2, 3}, 3) --> [1. 1. 1. 2. 2. 2. 3. 3. 3.]
--- cn.signal.upfirdn({1}, cn.arange(6), 1, 2) --> [0. 2. 4.]
--- ```
---@param h cuna.Operand # taps, a vector
---@param x cuna.Operand
---@param up integer|nil # default 1
---@param down integer|nil # default 1
---@param axis integer|nil # default -1
---@param mode cuna.ResamplingMode|nil # how the signal continues at its ends, default "constant"
---@param cval number|nil # default 0
---@return cuna.Array
---@overload fun(h: cuna.Operand, x: cuna.Operand, options: {up?: integer, down?: integer, axis?: integer, mode?: cuna.ResamplingMode, cval?: number}): cuna.Array
function signal.upfirdn(h, x, up, down, axis, mode, cval) end

--- A signal at up / down of its rate, by a filter in phases. Follows scipy.signal.resample_poly.
---
--- ```lua
--- cn.signal.resample_poly(cn.ones(8), 2, 1, {padtype = "edge"}).shape --> (16,)
--- ```
---@param x cuna.Operand
---@param up integer
---@param down integer
---@param axis integer|nil # default 1
---@param window string|table|cuna.Array|nil # a window as of cn.signal.get_window, default {"kaiser", 5}, or taps
---@param padtype cuna.ResamplingMode|"mean"|"median"|"minimum"|"maximum"|nil # how the signal continues at its ends, default "constant"; "mean" and others: by that number
---@param cval number|nil # default 0
---@return cuna.Array
---@overload fun(x: cuna.Operand, up: integer, down: integer, options: {axis?: integer, window?: string|table|cuna.Array, padtype?: cuna.ResamplingMode|"mean"|"median"|"minimum"|"maximum", cval?: number}): cuna.Array
function signal.resample_poly(x, up, down, axis, window, padtype, cval) end

--- A signal at a q-th of its rate, after a lowpass filter. Follows scipy.signal.decimate.
---
--- ```lua
--- cn.signal.decimate(cn.arange(60), 4).shape --> (15,)
--- ```
---@param x cuna.Operand
---@param q integer
---@param n integer|nil # the filter's order, default 8, or 20 q for "fir"
---@param ftype "iir"|"fir"|nil # default "iir": a Chebyshev filter
---@param axis integer|nil # default -1
---@param zero_phase boolean|nil # whether the filter does not move the signal, default true
---@return cuna.Array
---@overload fun(x: cuna.Operand, q: integer, options: {n?: integer, ftype?: "iir"|"fir", axis?: integer, zero_phase?: boolean}): cuna.Array
function signal.decimate(x, q, n, ftype, axis, zero_phase) end

--- The median of each window, with zeros beyond the border. Follows scipy.signal.medfilt.
---
--- ```lua
--- cn.signal.medfilt {1, 9, 2, 3, 4} --> [1. 2. 3. 3. 3.]
--- ```
---@param volume cuna.Operand # real
---@param kernel_size integer|integer[]|nil # odd lengths, default 3
---@return cuna.Array
---@overload fun(volume: cuna.Operand, options: {kernel_size?: integer|integer[]}): cuna.Array
function signal.medfilt(volume, kernel_size) end

--- cn.signal.medfilt of a matrix. Follows scipy.signal.medfilt2d.
---
--- ```lua
--- cn.signal.medfilt2d({{1, 2}, {3, 4}}, 1) --> [[1. 2.] [3. 4.]]
--- ```
---@param input cuna.Operand # real matrix
---@param kernel_size integer|integer[]|nil # odd lengths, default 3
---@return cuna.Array
---@overload fun(input: cuna.Operand, options: {kernel_size?: integer|integer[]}): cuna.Array
function signal.medfilt2d(input, kernel_size) end

--- The value of a rank among the neighbours that a domain has, with zeros beyond the border. Follows
--- scipy.signal.order_filter.
---
--- ```lua
--- cn.signal.order_filter({1, 9, 2, 3, 4}, {1, 1, 1}, 3) --> [9. 9. 9. 4. 4.]
--- ```
---@param a cuna.Operand # real
---@param domain cuna.Operand # odd lengths, as many axes as a; not 0 where a neighbour counts
---@param rank integer # from 1, the least
---@return cuna.Array
function signal.order_filter(a, domain, rank) end

--- Wiener's filter: nearer to the mean of a window where its variance is small. Follows scipy.signal.wiener.
---
--- ```lua
--- cn.signal.wiener({0, 1, 0, 9, 0}):round(4) --> [0.3333 0.3333 2.1644 5.4889 1.7556]
--- ```
---@param im cuna.Operand # real
---@param mysize integer|integer[]|nil # odd lengths of the window, default 3
---@param noise number|nil # the noise's variance, default: the mean of the windows' variances
---@return cuna.Array
---@overload fun(im: cuna.Operand, options: {mysize?: integer|integer[], noise?: number}): cuna.Array
function signal.wiener(im, mysize, noise) end

--- The taps of a Savitzky-Golay filter. Follows scipy.signal.savgol_coeffs.
---
--- ```lua
--- cn.signal.savgol_coeffs(5, 2):round(6) --> [-0.085714 0.342857 0.485714 0.342857 -0.085714]
--- ```
---@param window_length integer
---@param polyorder integer
---@param deriv integer|nil # of which derivative, default 0
---@param delta number|nil # the distance of the points, default 1
---@param pos integer|nil # the position in the window at which the polynomial is evaluated, default: its middle
---@param use "conv"|"dot"|nil # whether taps are reversed for convolutions (default), or not
---@return cuna.Array
---@overload fun(window_length: integer, polyorder: integer, options: {deriv?: integer, delta?: number, pos?: integer, use?: "conv"|"dot"}): cuna.Array
function signal.savgol_coeffs(window_length, polyorder, deriv, delta, pos, use) end

--- A Savitzky-Golay filter: each value is that of the polynomial that fits a window best. Follows
--- scipy.signal.savgol_filter.
---
--- ```lua
--- cn.signal.savgol_filter({2, 2, 5, 2, 1, 0, 1}, 5, 2):round(2) --> [1.66 3.17 3.54 2.86 0.66 0.23 0.94]
--- ```
---@param x cuna.Operand # real
---@param window_length integer
---@param polyorder integer
---@param deriv integer|nil # default 0
---@param delta number|nil # default 1
---@param axis integer|nil # default -1
---@param mode "interp"|"mirror"|"constant"|"nearest"|"wrap"|nil # at the ends: the polynomials of the first and last windows (default), or how the signal continues, as in cn.ndimage
---@param cval number|nil # default 0
---@return cuna.Array
---@overload fun(x: cuna.Operand, window_length: integer, polyorder: integer, options: {deriv?: integer, delta?: number, axis?: integer, mode?: "interp"|"mirror"|"constant"|"nearest"|"wrap", cval?: number}): cuna.Array
function signal.savgol_filter(x, window_length, polyorder, deriv, delta, axis, mode, cval) end

--- Designs a recursive filter. Follows scipy.signal.iirfilter.
---
--- ```lua
--- cn.signal.iirfilter(1, 0.2, {btype = "lowpass"}) --> [0.24523728 0.24523728], [ 1. -0.50952545]
--- ```
---@param N integer # order
---@param Wn number|number[] # edges of the band; of digital filters in units of half the sampling frequency, or fs
---@param rp number|nil # ripples of the passband in dB ("cheby1", "ellip")
---@param rs number|nil # attenuation of the stopband in dB ("cheby2", "ellip")
---@param btype cuna.BandType|nil # default "bandpass"
---@param analog boolean|nil # default false
---@param ftype "butter"|"cheby1"|"cheby2"|"ellip"|"bessel"|nil # default "butter"
---@param output "ba"|"zpk"|"sos"|nil # coefficients (default); zeros, poles, gain; sections
---@param fs number|nil # sampling frequency
---@return cuna.Array # b, or z, or sos
---@return cuna.Array|nil # a, or p
---@return number|nil # k
---@overload fun(N: integer, Wn: number|number[], options: {rp?: number, rs?: number, btype?: cuna.BandType, analog?: boolean, ftype?: "butter"|"cheby1"|"cheby2"|"ellip"|"bessel", output?: "ba"|"zpk"|"sos", fs?: number}): cuna.Array, cuna.Array|nil, number|nil
function signal.iirfilter(N, Wn, rp, rs, btype, analog, ftype, output, fs) end

--- A Butterworth filter, as flat as can be in its passband. Follows scipy.signal.butter.
---
--- ```lua
--- cn.signal.butter(1, 0.2) --> [0.24523728 0.24523728], [ 1. -0.50952545]
--- ```
---@param N integer # order
---@param Wn number|number[] # edges of the band
---@param btype cuna.BandType|nil # default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param fs number|nil
---@return cuna.Array # b, or z, or sos
---@return cuna.Array|nil # a, or p
---@return number|nil # k
---@overload fun(N: integer, Wn: number|number[], options: {btype?: cuna.BandType, analog?: boolean, output?: "ba"|"zpk"|"sos", fs?: number}): cuna.Array, cuna.Array|nil, number|nil
function signal.butter(N, Wn, btype, analog, output, fs) end

--- A Chebyshev filter with ripples in its passband. Follows scipy.signal.cheby1.
---
--- ```lua
--- (cn.signal.cheby1(2, 1, 0.2)):round(4) --> [0.0704 0.1408 0.0704]
--- ```
---@param N integer # order
---@param rp number # ripples in dB
---@param Wn number|number[]
---@param btype cuna.BandType|nil # default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param fs number|nil
---@return cuna.Array # b, or z, or sos
---@return cuna.Array|nil # a, or p
---@return number|nil # k
---@overload fun(N: integer, rp: number, Wn: number|number[], options: {btype?: cuna.BandType, analog?: boolean, output?: "ba"|"zpk"|"sos", fs?: number}): cuna.Array, cuna.Array|nil, number|nil
function signal.cheby1(N, rp, Wn, btype, analog, output, fs) end

--- A Chebyshev filter with ripples in its stopband. Follows scipy.signal.cheby2.
---
--- ```lua
--- (cn.signal.cheby2(2, 40, 0.2)):round(4) --> [ 0.0114 -0.0148 0.0114]
--- ```
---@param N integer # order
---@param rs number # attenuation in dB
---@param Wn number|number[]
---@param btype cuna.BandType|nil # default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param fs number|nil
---@return cuna.Array # b, or z, or sos
---@return cuna.Array|nil # a, or p
---@return number|nil # k
---@overload fun(N: integer, rs: number, Wn: number|number[], options: {btype?: cuna.BandType, analog?: boolean, output?: "ba"|"zpk"|"sos", fs?: number}): cuna.Array, cuna.Array|nil, number|nil
function signal.cheby2(N, rs, Wn, btype, analog, output, fs) end

--- An elliptic filter, with ripples in both bands. Follows scipy.signal.ellip.
---
--- ```lua
--- (cn.signal.ellip(2, 1, 40, 0.2)):round(4) --> [0.0776 0.1281 0.0776]
--- ```
---@param N integer # order
---@param rp number # ripples of the passband in dB
---@param rs number # attenuation in dB
---@param Wn number|number[]
---@param btype cuna.BandType|nil # default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param fs number|nil
---@return cuna.Array # b, or z, or sos
---@return cuna.Array|nil # a, or p
---@return number|nil # k
---@overload fun(N: integer, rp: number, rs: number, Wn: number|number[], options: {btype?: cuna.BandType, analog?: boolean, output?: "ba"|"zpk"|"sos", fs?: number}): cuna.Array, cuna.Array|nil, number|nil
function signal.ellip(N, rp, rs, Wn, btype, analog, output, fs) end

--- A Bessel filter, whose delay hardly depends on the frequency. Follows scipy.signal.bessel.
---
--- ```lua
--- (cn.signal.bessel(2, 0.2)):round(4) --> [0.0633 0.1266 0.0633]
--- ```
---@param N integer # order, up to 25
---@param Wn number|number[]
---@param btype cuna.BandType|nil # default "lowpass"
---@param analog boolean|nil
---@param output "ba"|"zpk"|"sos"|nil
---@param norm "phase"|"delay"|"mag"|nil # what Wn is of, default "phase"
---@param fs number|nil
---@return cuna.Array # b, or z, or sos
---@return cuna.Array|nil # a, or p
---@return number|nil # k
---@overload fun(N: integer, Wn: number|number[], options: {btype?: cuna.BandType, analog?: boolean, output?: "ba"|"zpk"|"sos", norm?: "phase"|"delay"|"mag", fs?: number}): cuna.Array, cuna.Array|nil, number|nil
function signal.bessel(N, Wn, btype, analog, output, norm, fs) end

--- A filter that takes out one frequency. Follows scipy.signal.iirnotch.
---
--- ```lua
--- (cn.signal.iirnotch(0.5, 1)):round(4) --> [ 0.5 -0. 0.5]
--- ```
---@param w0 number # the frequency
---@param Q number # quality: w0 over the width at -3 dB
---@param fs number|nil # sampling frequency, default 2
---@return cuna.Array # b
---@return cuna.Array # a
---@overload fun(w0: number, Q: number, options: {fs?: number}): cuna.Array, cuna.Array
function signal.iirnotch(w0, Q, fs) end

--- A filter that leaves one frequency. Follows scipy.signal.iirpeak.
---
--- ```lua
--- (cn.signal.iirpeak(0.5, 1)):round(4) --> [ 0.5 0. -0.5]
--- ```
---@param w0 number # the frequency
---@param Q number # quality
---@param fs number|nil # default 2
---@return cuna.Array # b
---@return cuna.Array # a
---@overload fun(w0: number, Q: number, options: {fs?: number}): cuna.Array, cuna.Array
function signal.iirpeak(w0, Q, fs) end

--- A filter that takes out, or leaves, a frequency and its multiples. Follows scipy.signal.iircomb.
---
--- ```lua
--- (cn.signal.iircomb(0.5, 10, "notch")):round(4) --> [ 0.8633 0. 0. 0. -0.8633]
--- ```
---@param w0 number # the frequency; fs is a multiple of it
---@param Q number # quality
---@param ftype "notch"|"peak"|nil # default "notch"
---@param fs number|nil # default 2
---@param pass_zero boolean|nil # whether the notches, or peaks, begin between 0 and w0, default false
---@return cuna.Array # b
---@return cuna.Array # a
---@overload fun(w0: number, Q: number, options: {ftype?: "notch"|"peak", fs?: number, pass_zero?: boolean}): cuna.Array, cuna.Array
function signal.iircomb(w0, Q, ftype, fs, pass_zero) end

--- The least order of a Butterworth filter, and its edges. Follows scipy.signal.buttord.
---
--- ```lua
--- ("%d %.4f"):format(cn.signal.buttord(0.2, 0.3, 3, 40)) --> 11 0.2000
--- ```
---@param wp number|number[] # edges of the passband
---@param ws number|number[] # edges of the stopband
---@param gpass number # the most loss in the passband in dB
---@param gstop number # the least attenuation in the stopband in dB
---@param analog boolean|nil # default false
---@param fs number|nil # sampling frequency
---@return integer # N
---@return number|number[] # Wn
---@overload fun(wp: number|number[], ws: number|number[], gpass: number, gstop: number, options: {analog?: boolean, fs?: number}): integer, number|number[]
function signal.buttord(wp, ws, gpass, gstop, analog, fs) end

--- The least order of a Chebyshev filter with ripples in its passband, and its edges. Follows scipy.signal.cheb1ord.
---
--- ```lua
--- cn.signal.cheb1ord(0.2, 0.3, 3, 40) --> 6, 0.2
--- ```
---@param wp number|number[]
---@param ws number|number[]
---@param gpass number
---@param gstop number
---@param analog boolean|nil
---@param fs number|nil
---@return integer # N
---@return number|number[] # Wn
---@overload fun(wp: number|number[], ws: number|number[], gpass: number, gstop: number, options: {analog?: boolean, fs?: number}): integer, number|number[]
function signal.cheb1ord(wp, ws, gpass, gstop, analog, fs) end

--- The least order of a Chebyshev filter with ripples in its stopband, and its edges. Follows scipy.signal.cheb2ord.
---
--- ```lua
--- ("%d %.4f"):format(cn.signal.cheb2ord(0.2, 0.3, 3, 40)) --> 6 0.2746
--- ```
---@param wp number|number[]
---@param ws number|number[]
---@param gpass number
---@param gstop number
---@param analog boolean|nil
---@param fs number|nil
---@return integer # N
---@return number|number[] # Wn
---@overload fun(wp: number|number[], ws: number|number[], gpass: number, gstop: number, options: {analog?: boolean, fs?: number}): integer, number|number[]
function signal.cheb2ord(wp, ws, gpass, gstop, analog, fs) end

--- The least order of an elliptic filter, and its edges. Follows scipy.signal.ellipord.
---
--- ```lua
--- cn.signal.ellipord(0.2, 0.3, 3, 40) --> 4, 0.2
--- ```
---@param wp number|number[]
---@param ws number|number[]
---@param gpass number
---@param gstop number
---@param analog boolean|nil
---@param fs number|nil
---@return integer # N
---@return number|number[] # Wn
---@overload fun(wp: number|number[], ws: number|number[], gpass: number, gstop: number, options: {analog?: boolean, fs?: number}): integer, number|number[]
function signal.ellipord(wp, ws, gpass, gstop, analog, fs) end

--- Designs a recursive filter of the least order for what it may lose and has to attenuate. Follows
--- scipy.signal.iirdesign.
---
--- ```lua
--- cn.signal.iirdesign(0.2, 0.3, 1, 40, {output = "sos"}).shape --> (2, 6)
--- ```
---@param wp number|number[] # edges of the passband
---@param ws number|number[] # edges of the stopband
---@param gpass number # the most loss in the passband in dB
---@param gstop number # the least attenuation in the stopband in dB
---@param analog boolean|nil # default false
---@param ftype "butter"|"cheby1"|"cheby2"|"ellip"|nil # default "ellip"
---@param output "ba"|"zpk"|"sos"|nil # coefficients (default); zeros, poles, gain; sections
---@param fs number|nil # sampling frequency
---@return cuna.Array # b, or z, or sos
---@return cuna.Array|nil # a, or p
---@return number|nil # k
---@overload fun(wp: number|number[], ws: number|number[], gpass: number, gstop: number, options: {analog?: boolean, ftype?: "butter"|"cheby1"|"cheby2"|"ellip", output?: "ba"|"zpk"|"sos", fs?: number}): cuna.Array, cuna.Array|nil, number|nil
function signal.iirdesign(wp, ws, gpass, gstop, analog, ftype, output, fs) end

--- The parameter of a Kaiser window for an attenuation. Follows scipy.signal.kaiser_beta.
---
--- ```lua
--- ("%.4f"):format(cn.signal.kaiser_beta(65)) --> 6.2043
--- ```
---@param a number # dB
---@return number
function signal.kaiser_beta(a) end

--- The attenuation of a filter by a Kaiser window. Follows scipy.signal.kaiser_atten.
---
--- ```lua
--- ("%.4f"):format(cn.signal.kaiser_atten(211, 0.0375)) --> 64.4810
--- ```
---@param numtaps integer
---@param width number # of the transition, in units of half the sampling frequency
---@return number # dB
function signal.kaiser_atten(numtaps, width) end

--- How many taps, and which parameter, a Kaiser window takes for an attenuation. Follows scipy.signal.kaiserord.
---
--- ```lua
--- ("%d %.4f"):format(cn.signal.kaiserord(65, 0.0375)) --> 213 6.2043
--- ```
---@param ripple number # dB
---@param width number # of the transition, in units of half the sampling frequency
---@return integer # numtaps
---@return number # beta
function signal.kaiserord(ripple, width) end

--- Taps by a window of the ideal filter. Follows scipy.signal.firwin.
---
--- ```lua
--- cn.signal.firwin(3, 0.1):round(4) --> [0.068 0.864 0.068]
--- cn.signal.firwin(3, 0.5, {pass_zero = false}):round(4) --> [-0.0462 0.9076 -0.0462]
--- ```
---@param numtaps integer
---@param cutoff number|number[] # edges of the bands, in units of half the sampling frequency, or fs
---@param width number|nil # of the transition; a Kaiser window is taken
---@param window string|number|table|nil # as of cn.signal.get_window, default "hamming"
---@param pass_zero boolean|"lowpass"|"highpass"|"bandpass"|"bandstop"|nil # whether 0 is passed, default true
---@param scale boolean|nil # whether the first band's middle has the gain 1, default true
---@param fs number|nil # sampling frequency, default 2
---@return cuna.Array
---@overload fun(numtaps: integer, cutoff: number|number[], options: {width?: number, window?: string|number|table, pass_zero?: boolean|"lowpass"|"highpass"|"bandpass"|"bandstop", scale?: boolean, fs?: number}): cuna.Array
function signal.firwin(numtaps, cutoff, width, window, pass_zero, scale, fs) end

--- Taps by a window of a filter with any gain. Follows scipy.signal.firwin2.
---
--- ```lua
--- cn.signal.firwin2(3, {0, 0.5, 1}, {1, 1, 0}):round(4) --> [0.0171 0.75 0.0171]
--- ```
---@param numtaps integer
---@param freq cuna.Operand # rising frequencies, from 0 to fs / 2
---@param gain cuna.Operand # gains at these
---@param nfreqs integer|nil # points of the transform, default 1 + a power of two
---@param window string|number|table|false|nil # default "hamming"; false: none
---@param antisymmetric boolean|nil # default false
---@param fs number|nil # sampling frequency, default 2
---@return cuna.Array
---@overload fun(numtaps: integer, freq: cuna.Operand, gain: cuna.Operand, options: {nfreqs?: integer, window?: string|number|table|false, antisymmetric?: boolean, fs?: number}): cuna.Array
function signal.firwin2(numtaps, freq, gain, nfreqs, window, antisymmetric, fs) end

--- Taps of a symmetric filter with the least squared error. Follows scipy.signal.firls.
---
--- ```lua
--- cn.signal.firls(3, {0, 0.5, 0.7, 1}, {1, 1, 0, 0}):round(4) --> [0.2975 0.5798 0.2975]
--- ```
---@param numtaps integer # odd
---@param bands cuna.Operand # edges of the bands, two for each
---@param desired cuna.Operand # gains at the edges
---@param weight cuna.Operand|nil # one for each band
---@param fs number|nil # sampling frequency, default 2
---@return cuna.Array
---@overload fun(numtaps: integer, bands: cuna.Operand, desired: cuna.Operand, options: {weight?: cuna.Operand, fs?: number}): cuna.Array
function signal.firls(numtaps, bands, desired, weight, fs) end

--- Taps with the least phase from symmetric ones. Follows scipy.signal.minimum_phase.
---
--- ```lua
--- cn.signal.minimum_phase({1, 2, 3, 2, 1}):round(2) --> [1. 1. 1.]
--- cn.signal.minimum_phase({1, 2, 3, 2, 1}, {half = false}).size --> 5
--- ```
---@param h cuna.Operand # real vector of at least 3 taps
---@param method "homomorphic"|"hilbert"|nil # default "homomorphic", for filters of any gain; "hilbert" is for equal ripples, of firwin and remez
---@param n_fft integer|nil # points of the transforms, default: a power of two, 200 times the taps or more
---@param half boolean|nil # of "homomorphic": whether half as many taps have the root of the gain, default true
---@return cuna.Array
---@overload fun(h: cuna.Operand, options: {method?: "homomorphic"|"hilbert", n_fft?: integer, half?: boolean}): cuna.Array
function signal.minimum_phase(h, method, n_fft, half) end

--- Taps of a filter whose greatest error is least. Computed on the host. Follows scipy.signal.remez.
---
--- ```lua
--- cn.signal.remez(3, {0, 0.1, 0.3, 0.5}, {1, 0}):round(4) --> [0.2764 0.3618 0.2764]
--- ```
---@param numtaps integer
---@param bands cuna.Operand # rising edges of the bands, two for each
---@param desired cuna.Operand # a gain for each band
---@param weight cuna.Operand|nil # one for each band
---@param type "bandpass"|"differentiator"|"hilbert"|nil # default "bandpass"
---@param maxiter integer|nil # default 25
---@param grid_density integer|nil # points between extremes, default 16
---@param fs number|nil # sampling frequency, default 1
---@return cuna.Array
---@overload fun(numtaps: integer, bands: cuna.Operand, desired: cuna.Operand, options: {weight?: cuna.Operand, type?: "bandpass"|"differentiator"|"hilbert", maxiter?: integer, grid_density?: integer, fs?: number}): cuna.Array
function signal.remez(numtaps, bands, desired, weight, type, maxiter, grid_density, fs) end

--- The analog Butterworth filter. Follows scipy.signal.buttap.
---
--- ```lua
--- (select(2, cn.signal.buttap(2))):round(4) --> [-0.7071+0.7071j -0.7071-0.7071j]
--- ```
---@param N integer # order
---@return cuna.Array # z zeros, complex
---@return cuna.Array # p poles, complex
---@return number # k gain
function signal.buttap(N) end

--- The analog Chebyshev filter with ripples in its passband. Follows scipy.signal.cheb1ap.
---
--- ```lua
--- (select(2, cn.signal.cheb1ap(1, 3))):round(4) --> [-1.0024-0.j]
--- ```
---@param N integer
---@param rp number # ripples in dB
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
function signal.cheb1ap(N, rp) end

--- The analog Chebyshev filter with ripples in its stopband. Follows scipy.signal.cheb2ap.
---
--- ```lua
--- (cn.signal.cheb2ap(2, 40)).imag:round(4) --> [-1.4142 1.4142]
--- ```
---@param N integer
---@param rs number # attenuation in dB
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
function signal.cheb2ap(N, rs) end

--- The analog elliptic filter. Follows scipy.signal.ellipap.
---
--- ```lua
--- (cn.signal.ellipap(2, 1, 40)).imag:round(4) --> [ 9.9376 -9.9376]
--- ```
---@param N integer
---@param rp number # ripples of the passband in dB
---@param rs number # attenuation in dB
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
function signal.ellipap(N, rp, rs) end

--- The analog Bessel filter. Follows scipy.signal.besselap.
---
--- ```lua
--- (select(2, cn.signal.besselap(2))):round(4) --> [-0.866+0.5j -0.866-0.5j]
--- ```
---@param N integer # up to 25
---@param norm "phase"|"delay"|"mag"|nil # what is 1 at the edge: the phase's midpoint (default), the delay, the gain
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
---@overload fun(N: integer, options: {norm?: "phase"|"delay"|"mag"}): cuna.Array, cuna.Array, number
function signal.besselap(N, norm) end

--- A lowpass filter of another edge. Follows scipy.signal.lp2lp_zpk.
---
--- ```lua
--- cn.signal.lp2lp_zpk({}, {-1}, 1, 3) --> [], [-3.+0.j], 3
--- ```
---@param z cuna.Operand # zeros
---@param p cuna.Operand # poles
---@param k number # gain
---@param wo number|nil # default 1
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
---@overload fun(z: cuna.Operand, p: cuna.Operand, k: number, options: {wo?: number}): cuna.Array, cuna.Array, number
function signal.lp2lp_zpk(z, p, k, wo) end

--- A highpass filter from a lowpass one. Follows scipy.signal.lp2hp_zpk.
---
--- ```lua
--- (cn.signal.lp2hp_zpk({}, {-1}, 1, 3)) --> [0.+0.j]
--- ```
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@param wo number|nil # default 1
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
---@overload fun(z: cuna.Operand, p: cuna.Operand, k: number, options: {wo?: number}): cuna.Array, cuna.Array, number
function signal.lp2hp_zpk(z, p, k, wo) end

--- A bandpass filter from a lowpass one. Follows scipy.signal.lp2bp_zpk.
---
--- ```lua
--- select(3, cn.signal.lp2bp_zpk({}, {-1}, 1, 3, 2)) --> 2
--- ```
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@param wo number|nil # the middle, default 1
---@param bw number|nil # the width, default 1
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
---@overload fun(z: cuna.Operand, p: cuna.Operand, k: number, options: {wo?: number, bw?: number}): cuna.Array, cuna.Array, number
function signal.lp2bp_zpk(z, p, k, wo, bw) end

--- A bandstop filter from a lowpass one. Follows scipy.signal.lp2bs_zpk.
---
--- ```lua
--- (cn.signal.lp2bs_zpk({}, {-1}, 1, 3, 2)) --> [0.+3.j 0.-3.j]
--- ```
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@param wo number|nil # the middle, default 1
---@param bw number|nil # the width, default 1
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
---@overload fun(z: cuna.Operand, p: cuna.Operand, k: number, options: {wo?: number, bw?: number}): cuna.Array, cuna.Array, number
function signal.lp2bs_zpk(z, p, k, wo, bw) end

--- A digital filter from an analog one, by Tustin's method. Follows scipy.signal.bilinear_zpk.
---
--- ```lua
--- cn.signal.bilinear_zpk({}, {-1}, 1, 1) --> [-1.+0.j], [0.33333333+0.j], 0.33333333333333
--- ```
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@param fs number # sampling frequency
---@return cuna.Array # z
---@return cuna.Array # p
---@return number # k
---@overload fun(z: cuna.Operand, p: cuna.Operand, k: number, options: {fs?: number}): cuna.Array, cuna.Array, number
function signal.bilinear_zpk(z, p, k, fs) end

--- A lowpass filter of another edge. Follows scipy.signal.lp2lp.
---
--- ```lua
--- cn.signal.lp2lp({1}, {1, 1}, 3) --> [3.], [1. 3.]
--- ```
---@param b cuna.Operand # numerator, highest power first
---@param a cuna.Operand # denominator
---@param wo number|nil # default 1
---@return cuna.Array # b
---@return cuna.Array # a
---@overload fun(b: cuna.Operand, a: cuna.Operand, options: {wo?: number}): cuna.Array, cuna.Array
function signal.lp2lp(b, a, wo) end

--- A highpass filter from a lowpass one. Follows scipy.signal.lp2hp.
---
--- ```lua
--- cn.signal.lp2hp({1}, {1, 1}, 3) --> [1. 0.], [1. 3.]
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@param wo number|nil # default 1
---@return cuna.Array # b
---@return cuna.Array # a
---@overload fun(b: cuna.Operand, a: cuna.Operand, options: {wo?: number}): cuna.Array, cuna.Array
function signal.lp2hp(b, a, wo) end

--- A bandpass filter from a lowpass one. Follows scipy.signal.lp2bp.
---
--- ```lua
--- cn.signal.lp2bp({1}, {1, 1}, 3, 2) --> [2. 0.], [1. 2. 9.]
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@param wo number|nil # the middle, default 1
---@param bw number|nil # the width, default 1
---@return cuna.Array # b
---@return cuna.Array # a
---@overload fun(b: cuna.Operand, a: cuna.Operand, options: {wo?: number, bw?: number}): cuna.Array, cuna.Array
function signal.lp2bp(b, a, wo, bw) end

--- A bandstop filter from a lowpass one. Follows scipy.signal.lp2bs.
---
--- ```lua
--- cn.signal.lp2bs({1}, {1, 1}, 3, 2) --> [1. 0. 9.], [1. 2. 9.]
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@param wo number|nil # the middle, default 1
---@param bw number|nil # the width, default 1
---@return cuna.Array # b
---@return cuna.Array # a
---@overload fun(b: cuna.Operand, a: cuna.Operand, options: {wo?: number, bw?: number}): cuna.Array, cuna.Array
function signal.lp2bs(b, a, wo, bw) end

--- A digital filter from an analog one, by Tustin's method. Follows scipy.signal.bilinear.
---
--- ```lua
--- cn.signal.bilinear({1}, {1, 1}, 1) --> [0.33333333 0.33333333], [ 1. -0.33333333]
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@param fs number|nil # sampling frequency, default 1
---@return cuna.Array # b
---@return cuna.Array # a
---@overload fun(b: cuna.Operand, a: cuna.Operand, options: {fs?: number}): cuna.Array, cuna.Array
function signal.bilinear(b, a, fs) end

--- Zeros, poles and gain of coefficients. Follows scipy.signal.tf2zpk.
---
--- ```lua
--- cn.signal.tf2zpk({1, 2}, {1, 0.5}) --> [-2.+0.j], [-0.5+0.j], 1
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@return cuna.Array # z complex
---@return cuna.Array # p complex
---@return number # k
function signal.tf2zpk(b, a) end

--- Coefficients of zeros, poles and a gain. Follows scipy.signal.zpk2tf.
---
--- ```lua
--- cn.signal.zpk2tf({-1}, {0.5}, 2) --> [2. 2.], [ 1. -0.5]
--- ```
---@param z cuna.Operand
---@param p cuna.Operand
---@param k number
---@return cuna.Array # b real where the zeros are in conjugate pairs
---@return cuna.Array # a
function signal.zpk2tf(z, p, k) end

--- Sections of second order of zeros, poles and a gain. Follows scipy.signal.zpk2sos.
---
--- ```lua
--- cn.signal.zpk2sos({-1}, {0.5}, 2) --> [[ 2. 2. 0. 1. -0.5 0. ]]
--- ```
---@param z cuna.Operand # in conjugate pairs
---@param p cuna.Operand # in conjugate pairs
---@param k number
---@param pairing "nearest"|"keep_odd"|"minimal"|nil # default "nearest", of analog filters "minimal"
---@param analog boolean|nil # default false
---@return cuna.Array # sos shape (n, 6)
---@overload fun(z: cuna.Operand, p: cuna.Operand, k: number, options: {pairing?: "nearest"|"keep_odd"|"minimal", analog?: boolean}): cuna.Array
function signal.zpk2sos(z, p, k, pairing, analog) end

--- Sections of second order of coefficients. Follows scipy.signal.tf2sos.
---
--- ```lua
--- cn.signal.tf2sos({2, 2}, {1, -0.5}) --> [[ 2. 2. 0. 1. -0.5 0. ]]
--- ```
---@param b cuna.Operand
---@param a cuna.Operand
---@param pairing "nearest"|"keep_odd"|"minimal"|nil
---@param analog boolean|nil # default false
---@return cuna.Array # sos shape (n, 6)
---@overload fun(b: cuna.Operand, a: cuna.Operand, options: {pairing?: "nearest"|"keep_odd"|"minimal", analog?: boolean}): cuna.Array
function signal.tf2sos(b, a, pairing, analog) end

--- Coefficients of sections of second order. Follows scipy.signal.sos2tf.
---
--- ```lua
--- cn.signal.sos2tf {{1, 2, 1, 1, 0, 0}, {1, 0, 0, 1, 0.5, 0}} --> [1. 2. 1. 0. 0.], [1. 0.5 0. 0. 0. ]
--- ```
---@param sos cuna.Operand # shape (n, 6)
---@return cuna.Array # b
---@return cuna.Array # a
function signal.sos2tf(sos) end

--- Zeros, poles and gain of sections of second order. Follows scipy.signal.sos2zpk.
---
--- ```lua
--- (cn.signal.sos2zpk {{1, 2, 1, 1, 0, 0}}):round(6) --> [-1.+0.j -1.+0.j]
--- ```
---@param sos cuna.Operand # shape (n, 6)
---@return cuna.Array # z complex, two for each section
---@return cuna.Array # p complex
---@return number # k
function signal.sos2zpk(sos) end

--- The gain of a digital filter. Follows scipy.signal.freqz.
---
--- ```lua
--- (select(2, cn.signal.freqz({0.5, 0.5}, 1, 2))):round(6) --> [1. +0.j 0.5-0.5j]
--- ```
---@param b cuna.Operand # numerator, a vector
---@param a cuna.Operand|nil # denominator, default 1
---@param worN integer|cuna.Operand|nil # how many frequencies, or which; default 512
---@param whole boolean|nil # whether frequencies go up to fs, not to half of it
---@param fs number|nil # sampling frequency, default 2 pi
---@param include_nyquist boolean|nil # whether half of fs is the last frequency
---@return cuna.Array # w frequencies
---@return cuna.Array # h complex gains
---@overload fun(b: cuna.Operand, options: {a?: cuna.Operand, worN?: integer|cuna.Operand, whole?: boolean, fs?: number, include_nyquist?: boolean}): cuna.Array, cuna.Array
function signal.freqz(b, a, worN, whole, fs, include_nyquist) end

--- The gain of a filter in sections of second order. Follows scipy.signal.sosfreqz.
---
--- ```lua
--- (select(2, cn.signal.sosfreqz({{1, 1, 0, 2 / 2, 0, 0}}, 2))):round(6) --> [2.+0.j 1.-1.j]
--- ```
---@param sos cuna.Operand # shape (n, 6)
---@param worN integer|cuna.Operand|nil # how many frequencies, or which; default 512
---@param whole boolean|nil
---@param fs number|nil # default 2 pi
---@return cuna.Array # w
---@return cuna.Array # h
---@overload fun(sos: cuna.Operand, options: {worN?: integer|cuna.Operand, whole?: boolean, fs?: number}): cuna.Array, cuna.Array
function signal.sosfreqz(sos, worN, whole, fs) end

--- The gain of a filter of zeros and poles. Follows scipy.signal.freqz_zpk.
---
--- ```lua
--- (select(2, cn.signal.freqz_zpk({-1}, {}, 1, 2))):round(6) --> [2.+0.j 1.+1.j]
--- ```
---@param z cuna.Operand # zeros
---@param p cuna.Operand # poles
---@param k number # gain
---@param worN integer|cuna.Operand|nil # default 512
---@param whole boolean|nil
---@param fs number|nil # default 2 pi
---@return cuna.Array # w
---@return cuna.Array # h
---@overload fun(z: cuna.Operand, p: cuna.Operand, k: number, options: {worN?: integer|cuna.Operand, whole?: boolean, fs?: number}): cuna.Array, cuna.Array
function signal.freqz_zpk(z, p, k, worN, whole, fs) end

--- The group delay of a digital filter in samples; 0 where the filter's gain is 0. Follows scipy.signal.group_delay.
---
--- ```lua
--- (select(2, cn.signal.group_delay({{1, 2, 1}, {1}}, 3))):round(6) --> [1. 1. 1.]
--- ```
---@param system table # {b, a}
---@param w integer|cuna.Operand|nil # how many frequencies, or which; default 512
---@param whole boolean|nil
---@param fs number|nil # default 2 pi
---@return cuna.Array # w
---@return cuna.Array # gd
---@overload fun(system: table, options: {w?: integer|cuna.Operand, whole?: boolean, fs?: number}): cuna.Array, cuna.Array
function signal.group_delay(system, w, whole, fs) end

--- The power spectral density: mean squares of the transforms of segments. Follows scipy.signal.welch.
---
--- ```lua
--- (select(2, cn.signal.welch({1, -1, 1, -1}, {window = "boxcar", nperseg = 4, detrend = false}))) --> [0. 0. 4.]
--- ```
---@param x cuna.Operand
---@param fs number|nil # sampling frequency, default 1
---@param window cuna.WindowChoice|nil # default "hann"
---@param nperseg integer|nil # length of a segment, default 256, at most the axis' length
---@param noverlap integer|nil # points that neighbouring segments share, default half of nperseg
---@param nfft integer|nil # points of a transform, default nperseg
---@param detrend cuna.Detrending|nil # default "constant"
---@param return_onesided boolean|nil # whether real signals have half a spectrum, default true
---@param scaling "density"|"spectrum"|nil # squares over frequencies (default), or squares
---@param axis integer|nil # default -1
---@param average "mean"|"median"|nil # default "mean"
---@return cuna.Array # f frequencies
---@return cuna.Array # Pxx
---@overload fun(x: cuna.Operand, options: {fs?: number, window?: cuna.WindowChoice, nperseg?: integer, noverlap?: integer, nfft?: integer, detrend?: cuna.Detrending, return_onesided?: boolean, scaling?: "density"|"spectrum", axis?: integer, average?: "mean"|"median"}): cuna.Array, cuna.Array
function signal.welch(x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average) end

--- The cross spectral density of two signals. Follows scipy.signal.csd.
---
--- ```lua
--- (select(2, cn.signal.csd({1, 0, 0, 0}, {0, 1, 0, 0}, {window = "boxcar", detrend = false}))).shape --> (3,)
--- ```
---@param x cuna.Operand
---@param y cuna.Operand # with as many axes; the shorter one is filled up with zeros
---@param fs number|nil
---@param window cuna.WindowChoice|nil # default "hann"
---@param nperseg integer|nil # default 256
---@param noverlap integer|nil
---@param nfft integer|nil
---@param detrend cuna.Detrending|nil # default "constant"
---@param return_onesided boolean|nil
---@param scaling "density"|"spectrum"|nil
---@param axis integer|nil # default -1
---@param average "mean"|"median"|nil
---@return cuna.Array # f
---@return cuna.Array # Pxy complex
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {fs?: number, window?: cuna.WindowChoice, nperseg?: integer, noverlap?: integer, nfft?: integer, detrend?: cuna.Detrending, return_onesided?: boolean, scaling?: "density"|"spectrum", axis?: integer, average?: "mean"|"median"}): cuna.Array, cuna.Array
function signal.csd(x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average) end

--- The power spectral density by one transform. Follows scipy.signal.periodogram.
---
--- ```lua
--- cn.signal.periodogram {1, -1, 1, -1} --> [0. 0.25 0.5 ], [0. 0. 4.]
--- ```
---@param x cuna.Operand
---@param fs number|nil
---@param window cuna.WindowChoice|nil # default "boxcar"
---@param nfft integer|nil # points; the signal is cut to them, or filled up with zeros
---@param detrend cuna.Detrending|nil # default "constant"
---@param return_onesided boolean|nil
---@param scaling "density"|"spectrum"|nil
---@param axis integer|nil # default -1
---@return cuna.Array # f
---@return cuna.Array # Pxx
---@overload fun(x: cuna.Operand, options: {fs?: number, window?: cuna.WindowChoice, nfft?: integer, detrend?: cuna.Detrending, return_onesided?: boolean, scaling?: "density"|"spectrum", axis?: integer}): cuna.Array, cuna.Array
function signal.periodogram(x, fs, window, nfft, detrend, return_onesided, scaling, axis) end

--- The coherence of two signals: the square of their cross spectral density over both densities. Follows
--- scipy.signal.coherence.
---
--- ```lua
--- (select(2, cn.signal.coherence({1, 2, 4, 1}, {1, 2, 4, 1}, {nperseg = 2}))):round(6) --> [1. 1.]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand # with as many axes
---@param fs number|nil
---@param window cuna.WindowChoice|nil # default "hann"
---@param nperseg integer|nil # default 256
---@param noverlap integer|nil
---@param nfft integer|nil
---@param detrend cuna.Detrending|nil # default "constant"
---@param axis integer|nil # default -1
---@return cuna.Array # f
---@return cuna.Array # Cxy from 0 to 1
---@overload fun(x: cuna.Operand, y: cuna.Operand, options: {fs?: number, window?: cuna.WindowChoice, nperseg?: integer, noverlap?: integer, nfft?: integer, detrend?: cuna.Detrending, axis?: integer}): cuna.Array, cuna.Array
function signal.coherence(x, y, fs, window, nperseg, noverlap, nfft, detrend, axis) end

--- Spectra of a signal's segments one after the other. Follows scipy.signal.spectrogram.
---
--- ```lua
--- select(3, cn.signal.spectrogram(cn.ones(1000))).shape --> (129, 4)
--- ```
---@param x cuna.Operand
---@param fs number|nil # sampling frequency, default 1
---@param window cuna.WindowChoice|nil # default {"tukey", 0.25}
---@param nperseg integer|nil # default 256
---@param noverlap integer|nil # default an eighth of nperseg
---@param nfft integer|nil
---@param detrend cuna.Detrending|nil # default "constant"
---@param return_onesided boolean|nil
---@param scaling "density"|"spectrum"|nil
---@param axis integer|nil # default -1
---@param mode "psd"|"complex"|"magnitude"|"angle"|"phase"|nil # densities (default); transforms, their absolute values, angles, or angles without jumps
---@return cuna.Array # f frequencies
---@return cuna.Array # t times
---@return cuna.Array # Sxx frequencies in place of the signal's axis, times last
---@overload fun(x: cuna.Operand, options: {fs?: number, window?: cuna.WindowChoice, nperseg?: integer, noverlap?: integer, nfft?: integer, detrend?: cuna.Detrending, return_onesided?: boolean, scaling?: "density"|"spectrum", axis?: integer, mode?: "psd"|"complex"|"magnitude"|"angle"|"phase"}): cuna.Array, cuna.Array, cuna.Array
function signal.spectrogram(x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, mode) end

--- Transforms of a signal's segments one after the other, from which cn.signal.istft computes the signal. Follows
--- scipy.signal.stft.
---
--- ```lua
--- select(3, cn.signal.stft(cn.ones(8), {nperseg = 4})).shape --> (3, 5)
--- ```
---@param x cuna.Operand
---@param fs number|nil
---@param window cuna.WindowChoice|nil # default "hann"
---@param nperseg integer|nil # default 256
---@param noverlap integer|nil # default half of nperseg
---@param nfft integer|nil
---@param detrend cuna.Detrending|nil # default false
---@param return_onesided boolean|nil
---@param boundary "zeros"|"even"|"odd"|"constant"|false|nil # how the signal continues at its ends, default "zeros"
---@param padded boolean|nil # whether zeros at the end complete the last segment, default true
---@param axis integer|nil # default -1
---@param scaling "spectrum"|"psd"|nil # default "spectrum"
---@return cuna.Array # f
---@return cuna.Array # t
---@return cuna.Array # Zxx complex, frequencies in place of the signal's axis, times last
---@overload fun(x: cuna.Operand, options: {fs?: number, window?: cuna.WindowChoice, nperseg?: integer, noverlap?: integer, nfft?: integer, detrend?: cuna.Detrending, return_onesided?: boolean, boundary?: "zeros"|"even"|"odd"|"constant"|false, padded?: boolean, axis?: integer, scaling?: "spectrum"|"psd"}): cuna.Array, cuna.Array, cuna.Array
function signal.stft(x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, boundary, padded, axis, scaling) end

--- The signal of transforms of segments. Follows scipy.signal.istft.
---
--- ```lua
--- (select(2, cn.signal.istft(select(3, cn.signal.stft({1, 2, 3}, {nperseg = 2}))))):round(6) --> [1. 2. 3.]
--- ```
---@param Zxx cuna.Operand # transforms
---@param fs number|nil
---@param window cuna.WindowChoice|nil # default "hann": the transforms' window
---@param nperseg integer|nil # default: as many points as the transforms have
---@param noverlap integer|nil # default half of nperseg
---@param nfft integer|nil
---@param input_onesided boolean|nil # whether the transforms are halves, default true
---@param boundary boolean|nil # whether the signal was continued at its ends, default true
---@param time_axis integer|nil # default -1
---@param freq_axis integer|nil # default -2
---@param scaling "spectrum"|"psd"|nil # default "spectrum"
---@return cuna.Array # t
---@return cuna.Array # x
---@overload fun(Zxx: cuna.Operand, options: {fs?: number, window?: cuna.WindowChoice, nperseg?: integer, noverlap?: integer, nfft?: integer, input_onesided?: boolean, boundary?: boolean, time_axis?: integer, freq_axis?: integer, scaling?: "spectrum"|"psd"}): cuna.Array, cuna.Array
function signal.istft(Zxx, fs, window, nperseg, noverlap, nfft, input_onesided, boundary, time_axis, freq_axis, scaling) end

--- Whether overlapping windows add up to a constant. Follows scipy.signal.check_COLA.
---
--- ```lua
--- cn.signal.check_COLA("hann", 8, 4), cn.signal.check_COLA("hann", 8, 3) --> true, false
--- ```
---@param window cuna.WindowChoice
---@param nperseg integer
---@param noverlap integer
---@param tol number|nil # default 1e-10
---@return boolean
---@overload fun(window: cuna.WindowChoice, nperseg: integer, noverlap: integer, options: {tol?: number}): boolean
function signal.check_COLA(window, nperseg, noverlap, tol) end

--- Whether no place is without an overlapping window, so that cn.signal.istft is the inverse. Follows
--- scipy.signal.check_NOLA.
---
--- ```lua
--- cn.signal.check_NOLA("hann", 8, 4), cn.signal.check_NOLA("hann", 8, 0) --> true, false
--- ```
---@param window cuna.WindowChoice
---@param nperseg integer
---@param noverlap integer
---@param tol number|nil # default 1e-10
---@return boolean
---@overload fun(window: cuna.WindowChoice, nperseg: integer, noverlap: integer, options: {tol?: number}): boolean
function signal.check_NOLA(window, nperseg, noverlap, tol) end

--- The position of the last sample that slices of a signal of n samples reach. Follows
--- scipy.signal.ShortTimeFFT.k_max.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):k_max(8) --> 10
--- ```
---@param n integer
---@return integer
function ShortTimeFFT:k_max(n) end

--- The last slice that reaches into a signal of n samples; SciPy's is one more. Follows
--- scipy.signal.ShortTimeFFT.p_max.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):p_max(8) --> 4
--- ```
---@param n integer
---@return integer
function ShortTimeFFT:p_max(n) end

--- How many slices a signal of n samples has. Follows scipy.signal.ShortTimeFFT.p_num.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):p_num(8) --> 5
--- ```
---@param n integer
---@return integer
function ShortTimeFFT:p_num(n) end

--- The first and the last slice of a signal of n samples, with p0 and p1 in their place. Follows
--- scipy.signal.ShortTimeFFT.p_range, whose second result is one more.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):p_range(8) --> 0, 4
--- ```
---@param n integer
---@param p0 integer|nil
---@param p1 integer|nil
---@return integer # p0
---@return integer # p1
function ShortTimeFFT:p_range(n, p0, p1) end

--- The first sample and the first slice that do not depend on what precedes the signal. Follows
--- scipy.signal.ShortTimeFFT.lower_border_end.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):lower_border_end() --> 3, 1
--- ```
---@return integer # k position of the sample
---@return integer # p
function ShortTimeFFT:lower_border_end() end

--- The first sample and the first slice that depend on what follows a signal of n samples. Follows
--- scipy.signal.ShortTimeFFT.upper_border_begin.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):upper_border_begin(8) --> 7, 4
--- ```
---@param n integer
---@return integer # k position of the sample
---@return integer # p
function ShortTimeFFT:upper_border_begin(n) end

--- The position of the sample nearest to one on which a slice is centred. Follows
--- scipy.signal.ShortTimeFFT.nearest_k_p.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 3, 1):nearest_k_p(3) --> 1
--- ```
---@param k integer # position
---@param left boolean|nil # whether it lies to the left, default true
---@return integer
function ShortTimeFFT:nearest_k_p(k, left) end

--- The times of the slices of a signal of n samples. Follows scipy.signal.ShortTimeFFT.t.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 10):t(8) --> [0. 0.2 0.4 0.6 0.8]
--- ```
---@param n integer
---@param p0 integer|nil # the first slice
---@param p1 integer|nil # the last slice
---@param k_offset integer|nil # by how many samples slices are moved, default 0
---@return cuna.Array
function ShortTimeFFT:t(n, p0, p1, k_offset) end

--- The edges of a picture of the slices of a signal of n samples. Follows scipy.signal.ShortTimeFFT.extent.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):extent(8) --> 0, 10, 0, 0.75
--- ```
---@param n integer
---@param axes_seq "tf"|"ft"|nil # which axis comes first, default "tf"
---@param center_bins boolean|nil # whether edges lie half a step before the points, default false
---@return number # t0 for "ft" f0, f1, t0, t1
---@return number # t1
---@return number # f0
---@return number # f1
function ShortTimeFFT:extent(n, axes_seq, center_bins) end

--- The transforms of the slices of a signal. Follows scipy.signal.ShortTimeFFT.stft.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1, 1, 1}, 2, 1):stft(cn.ones(8)).shape --> (3, 5)
--- ```
---@param x cuna.Operand # real unless fft_mode is "twosided" or "centered"
---@param p0 integer|nil # the first slice, default p_min
---@param p1 integer|nil # the last slice, default p_max(n)
---@param k_offset integer|nil # by how many samples slices are moved, default 0
---@param padding "zeros"|"edge"|"even"|"odd"|nil # how the signal continues at its ends, default "zeros"
---@param axis integer|nil # default -1
---@return cuna.Array # complex, frequencies in place of the signal's axis, slices last
function ShortTimeFFT:stft(x, p0, p1, k_offset, padding, axis) end

--- The transforms of slices without their trends. Follows scipy.signal.ShortTimeFFT.stft_detrend.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1}, 2, 1):stft_detrend({1, 1, 2, 2}, "constant", 1, 1):abs() --> [[0.] [1.]]
--- ```
---@param x cuna.Operand
---@param detr cuna.Detrending|nil # default false
---@param p0 integer|nil
---@param p1 integer|nil
---@param k_offset integer|nil
---@param padding "zeros"|"edge"|"even"|"odd"|nil
---@param axis integer|nil
---@return cuna.Array
function ShortTimeFFT:stft_detrend(x, detr, p0, p1, k_offset, padding, axis) end

--- Squared absolute values of transforms; with y, products of those of x and the conjugate ones of y. Follows
--- scipy.signal.ShortTimeFFT.spectrogram.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1, 1}, 2, 1):spectrogram({1, 1, 2, 2}, {p0 = 1, p1 = 1}) --> [[9.] [1.]]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand|nil
---@param detr cuna.Detrending|nil # default false
---@param p0 integer|nil
---@param p1 integer|nil
---@param k_offset integer|nil
---@param padding "zeros"|"edge"|"even"|"odd"|nil
---@param axis integer|nil
---@return cuna.Array
function ShortTimeFFT:spectrogram(x, y, detr, p0, p1, k_offset, padding, axis) end

--- The signal of transforms of slices from p_min on. Follows scipy.signal.ShortTimeFFT.istft.
---
--- ```lua
--- cn.signal.ShortTimeFFT({1}, 1, 1):istft({{1, 2, 3}}) --> [1. 2. 3.]
--- ```
---@param S cuna.Operand # transforms
---@param k0 integer|nil # position of the first sample, default 1
---@param k1 integer|nil # position of the last one, default: of the last that slices reach
---@param f_axis integer|nil # default -2
---@param t_axis integer|nil # default -1
---@return cuna.Array # real if frequencies below 0 are left out
function ShortTimeFFT:istft(S, k0, k1, f_axis, t_axis) end

--- An object that transforms the slices of signals, and slices back to signals: a window goes on by `hop` samples. Its
--- fields and methods know the slices' times, frequencies and borders. Follows scipy.signal.ShortTimeFFT, its
--- from_window where the window is named, and its from_dual where only dual_win is given. Slice p has the time
--- p hop / fs; ranges include both ends.
---
--- ```lua
--- cn.signal.ShortTimeFFT("hann", 4, 100, {nperseg = 8}) --> ShortTimeFFT(window of 8, hop 4, fs 100, onesided)
--- cn.signal.ShortTimeFFT(nil, 2, 100, {dual_win = {1, 1, 1, 1}}).win --> [0.5 0.5 0.5 0.5]
--- cn.signal.ShortTimeFFT("hann", 4, 100, {nperseg = 8}).f --> [ 0. 12.5 25. 37.5 50. ]
--- ```
---@param win cuna.Operand|cuna.WindowChoice|nil # numbers, which are fetched and may be complex, or as of  cn.signal.get_window, with nperseg; nil: the canonical dual window of dual_win
---@param hop integer # samples from slice to slice; nperseg - noverlap of from_window
---@param fs number # sampling frequency
---@param fft_mode "onesided"|"onesided2X"|"twosided"|"centered"|nil # which frequencies, in which order; "onesided2X"  doubles those that stand for two; default "onesided"
---@param mfft integer|nil # points of a transform, default: the window's length
---@param dual_win cuna.Operand|nil # the window of the inverse, default: the canonical dual window
---@param scale_to "magnitude"|"psd"|nil # what sizes of transforms are: amplitudes of sines, or roots of densities
---@param phase_shift integer|false|nil # the sample of a slice, from its centre, whose phase is 0; false: the first one;  default 0
---@param nperseg integer|nil # the length of a window that is named
---@param symmetric_win boolean|nil # whether a window that is named is symmetric, default false
---@return cuna.ShortTimeFFT
---@overload fun(win: cuna.Operand|cuna.WindowChoice|nil, options: {hop?: integer, fs?: number, fft_mode?: "onesided"|"onesided2X"|"twosided"|"centered", mfft?: integer, dual_win?: cuna.Operand, scale_to?: "magnitude"|"psd", phase_shift?: integer|false, nperseg?: integer, symmetric_win?: boolean}): cuna.ShortTimeFFT
function signal.ShortTimeFFT(win, hop, fs, fft_mode, mfft, dual_win, scale_to, phase_shift, nperseg, symmetric_win) end

--- The chirp-z transform: the z-transform at the points a w ^ -k. Follows scipy.signal.czt.
---
--- ```lua
--- cn.signal.czt({1, 2, 3, 4}):round(6) --> [10.+0.j -2.+2.j -2.+0.j -2.-2.j]
--- ```
---@param x cuna.Operand
---@param m integer|nil # how many points, default: the axis' length
---@param w number|ffi.cdata*|nil # the ratio of points, default exp(-2 pi i / m)
---@param a number|ffi.cdata*|nil # the first point, default 1
---@param axis integer|nil # default -1
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, options: {m?: integer, w?: number|ffi.cdata*, a?: number|ffi.cdata*, axis?: integer}): cuna.Array
function signal.czt(x, m, w, a, axis) end

--- The points of a chirp-z transform. Follows scipy.signal.czt_points.
---
--- ```lua
--- cn.signal.czt_points(4):round(6) --> [ 1.+0.j 0.+1.j -1.+0.j -0.-1.j]
--- ```
---@param m integer
---@param w number|ffi.cdata*|nil # default exp(-2 pi i / m)
---@param a number|ffi.cdata*|nil # default 1
---@return cuna.Array # complex
---@overload fun(m: integer, options: {w?: number|ffi.cdata*, a?: number|ffi.cdata*}): cuna.Array
function signal.czt_points(m, w, a) end

--- The Fourier transform at m frequencies of a band. Follows scipy.signal.zoom_fft.
---
--- ```lua
--- cn.signal.zoom_fft({1, 2, 3, 4}, 2):allclose(cn.fft.fft {1, 2, 3, 4}) --> true
--- ```
---@param x cuna.Operand
---@param fn number|number[] # the band: {first, last}, or its end
---@param m integer|nil # how many frequencies, default: the axis' length
---@param fs number|nil # sampling frequency, default 2
---@param endpoint boolean|nil # whether the last frequency is in it, default false
---@param axis integer|nil # default -1
---@return cuna.Array # complex
---@overload fun(x: cuna.Operand, fn: number|number[], options: {m?: integer, fs?: number, endpoint?: boolean, axis?: integer}): cuna.Array
function signal.zoom_fft(x, fn, m, fs, endpoint, axis) end

--- The periodogram of values at unequal times. Follows scipy.signal.lombscargle.
---
--- ```lua
--- cn.signal.lombscargle({0, 1, 2.5}, {1, -1, 1}, {2}):round(4) --> [1.4976]
--- ```
---@param x cuna.Operand # times
---@param y cuna.Operand # values
---@param freqs cuna.Operand # angular frequencies, not 0
---@param precenter boolean|nil # whether the values' mean is taken away, default false
---@param normalize boolean|nil # whether the result is a part of the values' energy, default false
---@return cuna.Array
---@overload fun(x: cuna.Operand, y: cuna.Operand, freqs: cuna.Operand, options: {precenter?: boolean, normalize?: boolean}): cuna.Array
function signal.lombscargle(x, y, freqs, precenter, normalize) end

--- Ricker's wavelet ("Mexican hat"), a second derivative of a Gaussian. Follows scipy.signal.ricker.
---
--- ```lua
--- cn.signal.ricker(3, 1):round(4) --> [0. 0.8673 0. ]
--- ```
---@param points integer
---@param a number # its width
---@return cuna.Array
function signal.ricker(points, a) end

--- Morlet's wavelet for cn.signal.cwt. Follows scipy.signal.morlet2.
---
--- ```lua
--- cn.signal.morlet2(3, 1):abs():round(4) --> [0.4556 0.7511 0.4556]
--- ```
---@param M integer # how many points
---@param s number # width
---@param w number|nil # its frequency, default 5
---@return cuna.Array # complex
---@overload fun(M: integer, s: number, options: {w?: number}): cuna.Array
function signal.morlet2(M, s, w) end

--- Morlet's wavelet from -2 pi s to 2 pi s. Follows scipy.signal.morlet.
---
--- ```lua
--- cn.signal.morlet(3):abs():round(4) --> [0. 0.7511 0. ]
--- ```
---@param M integer # how many points
---@param w number|nil # its frequency, default 5
---@param s number|nil # default 1
---@param complete boolean|nil # whether its mean is 0, default true
---@return cuna.Array # complex
---@overload fun(M: integer, options: {w?: number, s?: number, complete?: boolean}): cuna.Array
function signal.morlet(M, w, s, complete) end

--- The continuous wavelet transform: convolutions with wavelets of several widths. Follows scipy.signal.cwt.
---
--- ```lua
--- cn.signal.cwt(cn.ones(8), cn.signal.ricker, {1, 2}).shape --> (2, 8)
--- ```
---@param data cuna.Operand # vector
---@param wavelet fun(points: integer, width: number): cuna.Array # such as cn.signal.ricker or cn.signal.morlet2
---@param widths number[]|cuna.Array # from 1 on; an array is fetched
---@param dtype cuna.Dtype|nil # default float64, or complex128 for complex wavelets
---@return cuna.Array # shape (widths, elements)
---@overload fun(data: cuna.Operand, wavelet: fun(points: integer, width: number): cuna.Array, widths: number[]|cuna.Array, options: {dtype?: cuna.Dtype}): cuna.Array
function signal.cwt(data, wavelet, widths, dtype) end

--- How far peaks rise above the higher of their bases: the lowest values between a peak and a higher one, on either
--- side. Follows scipy.signal.peak_prominences.
---
--- ```lua
--- cn.signal.peak_prominences({0, 3, 1, 5, 2}, {2, 4}) --> [2. 3.], [1 1], [3 5]
--- ```
---@param x cuna.Operand # vector
---@param peaks cuna.Operand # positions
---@param wlen number|nil # elements of a window about a peak that are looked at, default: all
---@return cuna.Array # prominences
---@return cuna.Array # left_bases positions
---@return cuna.Array # right_bases positions
---@overload fun(x: cuna.Operand, peaks: cuna.Operand, options: {wlen?: number}): cuna.Array, cuna.Array, cuna.Array
function signal.peak_prominences(x, peaks, wlen) end

--- The widths of peaks at a height. Follows scipy.signal.peak_widths.
---
--- ```lua
--- cn.signal.peak_widths({0, 3, 0, 5, 0}, {2, 4}) --> [1. 1.], [1.5 2.5], [1.5 3.5], [2.5 4.5]
--- ```
---@param x cuna.Operand # vector
---@param peaks cuna.Operand # positions
---@param rel_height number|nil # how far below the top, as a part of the prominence, default 0.5
---@param prominence_data table|nil # what cn.signal.peak_prominences returned, in a table
---@param wlen number|nil # as of cn.signal.peak_prominences
---@return cuna.Array # widths
---@return cuna.Array # width_heights
---@return cuna.Array # left_ips positions between elements
---@return cuna.Array # right_ips
---@overload fun(x: cuna.Operand, peaks: cuna.Operand, options: {rel_height?: number, prominence_data?: table, wlen?: number}): cuna.Array, cuna.Array, cuna.Array, cuna.Array
function signal.peak_widths(x, peaks, rel_height, prominence_data, wlen) end

--- Peaks of a vector: elements higher than their neighbours, or the middles of plateaus. A condition is a least value,
--- a table of least and greatest, or arrays with a value for each element of x. Each condition adds properties. Follows
--- scipy.signal.find_peaks.
---
--- ```lua
--- (cn.signal.find_peaks({0, 3, 1, 5, 5, 2, 2.5, 0}, {height = 2.8})) --> [2 4]
--- select(2, cn.signal.find_peaks({0, 3, 1, 5, 2}, {prominence = 1})).prominences --> [2. 3.]
--- ```
---@param x cuna.Operand # vector
---@param height number|table|cuna.Array|nil # of peaks; adds peak_heights
---@param threshold number|table|cuna.Array|nil # above both neighbours; adds left_thresholds, right_thresholds
---@param distance number|nil # least distance of two peaks; of near ones the highest stay. Computed on the host
---@param prominence number|table|cuna.Array|nil # adds prominences, left_bases, right_bases
---@param width number|table|cuna.Array|nil # adds widths, width_heights, left_ips, right_ips
---@param wlen number|nil # window of prominences
---@param rel_height number|nil # of widths, default 0.5
---@param plateau_size number|table|cuna.Array|nil # adds plateau_sizes, left_edges, right_edges
---@return cuna.Array # peaks positions
---@return table # properties arrays by name
---@overload fun(x: cuna.Operand, options: {height?: number|table|cuna.Array, threshold?: number|table|cuna.Array, distance?: number, prominence?: number|table|cuna.Array, width?: number|table|cuna.Array, wlen?: number, rel_height?: number, plateau_size?: number|table|cuna.Array}): cuna.Array, table
function signal.find_peaks(x, height, threshold, distance, prominence, width, wlen, rel_height, plateau_size) end

--- Positions where a comparison with neighbours is true. Follows scipy.signal.argrelextrema.
---
--- ```lua
--- cn.signal.argrelextrema({2, 1, 2, 3, 2, 0, 1, 0}, cn.greater)[1] --> [4 7]
--- ```
---@param data cuna.Operand
---@param comparator fun(a: cuna.Array, b: cuna.Array): cuna.Array # such as cn.greater
---@param axis integer|nil # default 1
---@param order integer|nil # neighbours on either side, default 1
---@param mode "clip"|"wrap"|nil # beyond the ends: the last element (default), or the other end
---@return cuna.Array[] # positions along each axis, as cn.nonzero returns them
---@overload fun(data: cuna.Operand, comparator: fun(a: cuna.Array, b: cuna.Array): cuna.Array, options: {axis?: integer, order?: integer, mode?: "clip"|"wrap"}): cuna.Array[]
function signal.argrelextrema(data, comparator, axis, order, mode) end

--- Positions of elements greater than their neighbours. Follows scipy.signal.argrelmax.
---
--- ```lua
--- cn.signal.argrelmax({2, 1, 2, 3, 2, 0, 1, 0})[1] --> [4 7]
--- ```
---@param data cuna.Operand
---@param axis integer|nil # default 1
---@param order integer|nil # neighbours on either side, default 1
---@param mode "clip"|"wrap"|nil
---@return cuna.Array[] # positions along each axis
---@overload fun(data: cuna.Operand, options: {axis?: integer, order?: integer, mode?: "clip"|"wrap"}): cuna.Array[]
function signal.argrelmax(data, axis, order, mode) end

--- Positions of elements less than their neighbours. Follows scipy.signal.argrelmin.
---
--- ```lua
--- cn.signal.argrelmin({2, 1, 2, 3, 2, 0, 1, 0})[1] --> [2 6]
--- ```
---@param data cuna.Operand
---@param axis integer|nil # default 1
---@param order integer|nil # neighbours on either side, default 1
---@param mode "clip"|"wrap"|nil
---@return cuna.Array[] # positions along each axis
---@overload fun(data: cuna.Operand, options: {axis?: integer, order?: integer, mode?: "clip"|"wrap"}): cuna.Array[]
function signal.argrelmin(data, axis, order, mode) end

--- Peaks of a vector as ridges of its wavelet transform, which several widths show. The transform stays on the device,
--- ridges are followed on the host. Follows scipy.signal.find_peaks_cwt.
---
--- ```lua
--- cn.signal.find_peaks_cwt(cn.exp(-((cn.arange(50) - 20) / 4) ^ 2), cn.arange(1, 8)) --> [22]
--- ```
---@param vector cuna.Operand # real
---@param widths cuna.Operand # rising widths of peaks, from 1 on; they are fetched
---@param wavelet (fun(points: integer, width: number): cuna.Array)|nil # real, default cn.signal.ricker
---@param max_distances cuna.Operand|nil # how far a ridge may move from one width to the next, default widths / 4
---@param gap_thresh number|nil # rows that a ridge may miss, default: the first width
---@param min_length number|nil # rows that a ridge has, default a quarter of the widths
---@param min_snr number|nil # how far a peak rises above the noise, default 1
---@param noise_perc number|nil # which percentile about a peak is the noise, default 10
---@param window_size integer|nil # elements about a peak that give the noise, default a twentieth of the vector
---@return cuna.Array # int64 positions, rising
---@overload fun(vector: cuna.Operand, widths: cuna.Operand, options: {wavelet?: (fun(points: integer, width: number): cuna.Array), max_distances?: cuna.Operand, gap_thresh?: number, min_length?: number, min_snr?: number, noise_perc?: number, window_size?: integer}): cuna.Array
function signal.find_peaks_cwt(vector, widths, wavelet, max_distances, gap_thresh, min_length, min_snr, noise_perc, window_size) end

--- The envelope of a band of a signal's frequencies, and what is left without the band. Follows scipy.signal.envelope,
--- whose bp_in ends before its second number.
---
--- ```lua
--- cn.signal.envelope({3, 1, -1, 1}, {residual = false}) --> [2. 2. 2. 2.]
--- cn.signal.envelope({3, 1, -1, 1})[2] --> [1. 1. 1. 1.]
--- ```
---@param z cuna.Operand
---@param bp_in integer[]|nil # {first, last}: the band's frequencies, in periods along the axis; false for the least; default {1}: all above 0
---@param n_out integer|nil # points of the result, default: the axis' length
---@param squared boolean|nil # whether the envelope is squared, default false
---@param residual "lowpass"|"all"|false|nil # what is left below the band (default), or all without the band; false: only the envelope is returned
---@param axis integer|nil # default -1
---@return cuna.Array # (2, ...): the envelope, and what is left; without residual of z's shape
---@overload fun(z: cuna.Operand, options: {bp_in?: integer[], n_out?: integer, squared?: boolean, residual?: "lowpass"|"all"|false, axis?: integer}): cuna.Array
function signal.envelope(z, bp_in, n_out, squared, residual, axis) end

--- A sawtooth of period 2 pi that rises from -1 to 1, then falls. Follows scipy.signal.sawtooth.
---
--- ```lua
--- cn.signal.sawtooth({0, cn.pi / 2, cn.pi}) --> [-1. -0.5 0. ]
--- cn.signal.sawtooth({0, cn.pi / 2, cn.pi}, 0.5) --> [-1. 0. 1.]
--- ```
---@param t cuna.Operand
---@param width cuna.Operand|nil # the part of a period that rises, from 0 to 1, default 1; elsewhere the result is NaN
---@return cuna.Array
---@overload fun(t: cuna.Operand, options: {width?: cuna.Operand}): cuna.Array
function signal.sawtooth(t, width) end

--- A square wave of period 2 pi: 1, then -1. Follows scipy.signal.square.
---
--- ```lua
--- cn.signal.square({0, 1, 4, 6}, 0.5) --> [ 1. 1. -1. -1.]
--- ```
---@param t cuna.Operand
---@param duty cuna.Operand|nil # the part of a period that is 1, from 0 to 1, default 0.5; elsewhere the result is NaN
---@return cuna.Array
---@overload fun(t: cuna.Operand, options: {duty?: cuna.Operand}): cuna.Array
function signal.square(t, duty) end

--- A sinusoid in a Gaussian envelope. Follows scipy.signal.gausspulse.
---
--- ```lua
--- cn.signal.gausspulse({0, 0.001}, {fc = 1000}):round(4) --> [1. 0.4094]
--- ("%.6f"):format(cn.signal.gausspulse("cutoff", 100)) --> 0.027813
--- ```
---@param t cuna.Operand|"cutoff" # "cutoff": the time at which the envelope falls to tpr, as a number
---@param fc number|nil # center frequency, default 1000
---@param bw number|nil # bandwidth as a part of fc, default 0.5
---@param bwr number|nil # the level in dB at which bw is measured, default -6
---@param tpr number|nil # the level in dB for "cutoff", default -60
---@param retquad boolean|nil # whether the quadrature is returned too
---@param retenv boolean|nil # whether the envelope is returned too
---@return cuna.Array|number
---@return cuna.Array|nil # quadrature or envelope
---@return cuna.Array|nil # envelope
---@overload fun(t: cuna.Operand|"cutoff", options: {fc?: number, bw?: number, bwr?: number, tpr?: number, retquad?: boolean, retenv?: boolean}): cuna.Array|number, cuna.Array|nil, cuna.Array|nil
function signal.gausspulse(t, fc, bw, bwr, tpr, retquad, retenv) end

--- A cosine whose frequency changes. Follows scipy.signal.chirp.
---
--- ```lua
--- cn.signal.chirp({0, 0.5, 1}, 1, 1, 2):round(4) --> [ 1. -0.7071 -1. ]
--- ```
---@param t cuna.Operand # times
---@param f0 number # frequency at time 0
---@param t1 number
---@param f1 number # frequency at time t1
---@param method "linear"|"quadratic"|"logarithmic"|"hyperbolic"|nil # default "linear"
---@param phi number|nil # phase in degrees, default 0
---@param vertex_zero boolean|nil # of a quadratic chirp, whether the parabola's vertex is at time 0 (default) or t1
---@return cuna.Array
---@overload fun(t: cuna.Operand, f0: number, t1: number, f1: number, options: {method?: "linear"|"quadratic"|"logarithmic"|"hyperbolic", phi?: number, vertex_zero?: boolean}): cuna.Array
function signal.chirp(t, f0, t1, f1, method, phi, vertex_zero) end

--- A cosine whose frequency is a polynomial of the time. Follows scipy.signal.sweep_poly.
---
--- ```lua
--- cn.signal.sweep_poly({0, 0.5, 1}, {1, 1}):round(4) --> [ 1. -0.7071 -1. ]
--- ```
---@param t cuna.Operand # times
---@param poly cuna.Operand # coefficients, highest power first
---@param phi number|nil # phase in degrees, default 0
---@return cuna.Array
---@overload fun(t: cuna.Operand, poly: cuna.Operand, options: {phi?: number}): cuna.Array
function signal.sweep_poly(t, poly, phi) end

--- Zeros with a one. Follows scipy.signal.unit_impulse.
---
--- ```lua
--- cn.signal.unit_impulse(4, 2) --> [0. 1. 0. 0.]
--- cn.signal.unit_impulse({3, 3}, "mid") --> [[0. 0. 0.] [0. 1. 0.] [0. 0. 0.]]
--- ```
---@param shape cuna.Shape
---@param idx integer|integer[]|"mid"|nil # the position of the one along all axes, or each; default 1
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array
---@overload fun(shape: cuna.Shape, options: {idx?: integer|integer[]|"mid", dtype?: cuna.Dtype}): cuna.Array
function signal.unit_impulse(shape, idx, dtype) end

--- A sequence of bits of maximum length, from a shift register. Computed on the host. Follows
--- scipy.signal.max_len_seq.
---
--- ```lua
--- cn.signal.max_len_seq(3) --> [1 1 1 0 1 0 0], [1 1 1]
--- ```
---@param nbits integer # the length of the register
---@param state cuna.Operand|nil # the register's bits, default ones
---@param length integer|nil # how many bits, default 2 ^ nbits - 1
---@param taps cuna.Operand|nil # distances of the bits that are added, from 0 on; default: ones of maximum length
---@return cuna.Array # seq int8
---@return cuna.Array # state int8, to continue from
---@overload fun(nbits: integer, options: {state?: cuna.Operand, length?: integer, taps?: cuna.Operand}): cuna.Array, cuna.Array
function signal.max_len_seq(nbits, state, length, taps) end

--- A rectangle of ones. Follows scipy.signal.windows.boxcar.
---
--- ```lua
--- cn.signal.windows.boxcar(3) --> [1. 1. 1.]
--- ```
---@param m integer # how many numbers
---@param sym boolean|nil # default true; false: one period, for spectra
---@return cuna.Array # 1-d, of the default float dtype, as all windows
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.boxcar(m, sym) end

--- A triangle without zeros at its ends. Follows scipy.signal.windows.triang.
---
--- ```lua
--- cn.signal.windows.triang(4) --> [0.25 0.75 0.75 0.25]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.triang(m, sym) end

--- The Parzen window, a piecewise cubic. Follows scipy.signal.windows.parzen.
---
--- ```lua
--- cn.signal.windows.parzen(3):round(4) --> [0.0741 1. 0.0741]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.parzen(m, sym) end

--- The Bohman window. Follows scipy.signal.windows.bohman.
---
--- ```lua
--- cn.signal.windows.bohman(5):round(4) --> [0. 0.3183 1. 0.3183 0. ]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.bohman(m, sym) end

--- The Blackman window. Follows scipy.signal.windows.blackman.
---
--- ```lua
--- cn.signal.windows.blackman(4, false):round(4) --> [-0. 0.34 1. 0.34]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.blackman(m, sym) end

--- The Nuttall window of four terms. Follows scipy.signal.windows.nuttall.
---
--- ```lua
--- cn.signal.windows.nuttall(3):round(4) --> [4.e-04 1.e+00 4.e-04]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.nuttall(m, sym) end

--- The Blackman-Harris window of four terms. Follows scipy.signal.windows.blackmanharris.
---
--- ```lua
--- cn.signal.windows.blackmanharris(3):round(4) --> [1.e-04 1.e+00 1.e-04]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.blackmanharris(m, sym) end

--- A window whose spectrum has a flat top. Follows scipy.signal.windows.flattop.
---
--- ```lua
--- cn.signal.windows.flattop(3):round(4) --> [-4.e-04 1.e+00 -4.e-04]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.flattop(m, sym) end

--- A triangle with zeros at its ends. Follows scipy.signal.windows.bartlett.
---
--- ```lua
--- cn.signal.windows.bartlett(5) --> [0. 0.5 1. 0.5 0. ]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.bartlett(m, sym) end

--- The Hann window, a raised cosine. Follows scipy.signal.windows.hann.
---
--- ```lua
--- cn.signal.windows.hann(4, false):round(4) --> [0. 0.5 1. 0.5]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.hann(m, sym) end

--- The Hamming window, a cosine above 0.08. Follows scipy.signal.windows.hamming.
---
--- ```lua
--- cn.signal.windows.hamming(3):round(4) --> [0.08 1. 0.08]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.hamming(m, sym) end

--- Half a period of a sine. Follows scipy.signal.windows.cosine.
---
--- ```lua
--- cn.signal.windows.cosine(3):round(4) --> [0.5 1. 0.5]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.cosine(m, sym) end

--- The Bartlett-Hann window. Follows scipy.signal.windows.barthann.
---
--- ```lua
--- cn.signal.windows.barthann(5):round(4) --> [0. 0.5 1. 0.5 0. ]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.barthann(m, sym) end

--- The Lanczos window, the middle of a sinc. Follows scipy.signal.windows.lanczos.
---
--- ```lua
--- cn.signal.windows.lanczos(5):round(4) --> [0. 0.6366 1. 0.6366 0. ]
--- ```
---@param m integer
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {sym?: boolean}): cuna.Array
function windows.lanczos(m, sym) end

--- A cosine above 1 - 2 alpha. Follows scipy.signal.windows.general_hamming.
---
--- ```lua
--- cn.signal.windows.general_hamming(3, 0.75):round(4) --> [0.5 1. 0.5]
--- ```
---@param m integer
---@param alpha number
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {alpha?: number, sym?: boolean}): cuna.Array
function windows.general_hamming(m, alpha, sym) end

--- The Kaiser window, of Bessel functions. Follows scipy.signal.windows.kaiser.
---
--- ```lua
--- cn.signal.windows.kaiser(3, 0) --> [1. 1. 1.]
--- ```
---@param m integer
---@param beta number # its shape: 0 is a rectangle, 5 like hamming, 8.6 like blackman
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {beta?: number, sym?: boolean}): cuna.Array
function windows.kaiser(m, beta, sym) end

--- A Gaussian. Follows scipy.signal.windows.gaussian.
---
--- ```lua
--- cn.signal.windows.gaussian(3, 1):round(4) --> [0.6065 1. 0.6065]
--- ```
---@param m integer
---@param std number # its standard deviation in positions
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {std?: number, sym?: boolean}): cuna.Array
function windows.gaussian(m, std, sym) end

--- exp(-|n / sig| ^ (2 p) / 2). Follows scipy.signal.windows.general_gaussian.
---
--- ```lua
--- cn.signal.windows.general_gaussian(3, 1, 1):round(4) --> [0.6065 1. 0.6065]
--- ```
---@param m integer
---@param p number # 1 is a Gaussian, 0.5 a Laplace distribution's shape
---@param sig number
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {p?: number, sig?: number, sym?: boolean}): cuna.Array
function windows.general_gaussian(m, p, sig, sym) end

--- The Tukey window: ones between two halves of a Hann window. Follows scipy.signal.windows.tukey.
---
--- ```lua
--- cn.signal.windows.tukey(5) --> [0. 1. 1. 1. 0.]
--- ```
---@param m integer
---@param alpha number|nil # the part that is not 1, default 0.5
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {alpha?: number, sym?: boolean}): cuna.Array
function windows.tukey(m, alpha, sym) end

--- An exponential decay to both sides. Follows scipy.signal.windows.exponential.
---
--- ```lua
--- cn.signal.windows.exponential(3):round(4) --> [0.3679 1. 0.3679]
--- ```
---@param m integer
---@param center number|nil # a distance from the first number, only with sym = false; default: the middle
---@param tau number|nil # default 1
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {center?: number, tau?: number, sym?: boolean}): cuna.Array
function windows.exponential(m, center, tau, sym) end

--- A sum of cosines: a[1] + a[2] cos(x) + a[3] cos(2 x) + ..., x from -pi to pi. Follows
--- scipy.signal.windows.general_cosine.
---
--- ```lua
--- cn.signal.windows.general_cosine(3, {0.5, 0.5}) --> [0. 1. 0.]
--- ```
---@param m integer
---@param a cuna.Operand # a vector; one on a GPU is fetched
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, a: cuna.Operand, options: {sym?: boolean}): cuna.Array
function windows.general_cosine(m, a, sym) end

--- The Kaiser-Bessel derived window: roots of running sums of a Kaiser window. Follows
--- scipy.signal.windows.kaiser_bessel_derived.
---
--- ```lua
--- cn.signal.windows.kaiser_bessel_derived(4, 2):round(4) --> [0.4834 0.8754 0.8754 0.4834]
--- ```
---@param m integer # even
---@param beta number
---@param sym boolean|nil # true
---@return cuna.Array
---@overload fun(m: integer, beta: number, options: {sym?: boolean}): cuna.Array
function windows.kaiser_bessel_derived(m, beta, sym) end

--- The Dolph-Chebyshev window, whose side lobes have one height. Follows scipy.signal.windows.chebwin.
---
--- ```lua
--- cn.signal.windows.chebwin(3, 100):round(4) --> [0.5 1. 0.5]
--- ```
---@param m integer
---@param at number # the attenuation of the side lobes in dB, from 45 on for spectra
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, at: number, options: {sym?: boolean}): cuna.Array
function windows.chebwin(m, at, sym) end

--- The Taylor window of radar. Follows scipy.signal.windows.taylor.
---
--- ```lua
--- cn.signal.windows.taylor(5):round(4) --> [0.3325 0.772 1. 0.772 0.3325]
--- ```
---@param m integer
---@param nbar integer|nil # side lobes of nearly one height, default 4
---@param sll number|nil # their suppression in dB, default 30
---@param norm boolean|nil # whether the middle is 1, default true
---@param sym boolean|nil # default true
---@return cuna.Array
---@overload fun(m: integer, options: {nbar?: integer, sll?: number, norm?: boolean, sym?: boolean}): cuna.Array
function windows.taylor(m, nbar, sll, norm, sym) end

--- The Slepian sequences (discrete prolate spheroidal ones), which have the greatest part of their energy within a
--- bandwidth. Follows scipy.signal.windows.dpss.
---
--- ```lua
--- cn.signal.windows.dpss(5, 1):round(4) --> [0.4432 0.831 1. 0.831 0.4432]
--- ```
---@param m integer # at most 2^24
---@param NW number # half of the bandwidth times m, below m / 2
---@param Kmax integer|nil # how many sequences; nil: one window
---@param sym boolean|nil # default true
---@param norm "approximate"|"subsample"|2|nil # 2 (default with Kmax): of norm 1; else the greatest value is 1
---@param return_ratios boolean|nil # whether the parts of the energy within the band are returned too
---@return cuna.Array # shape (m,), or (Kmax, m)
---@return cuna.Array|nil # ratios
---@overload fun(m: integer, NW: number, options: {Kmax?: integer, sym?: boolean, norm?: "approximate"|"subsample"|2, return_ratios?: boolean}): cuna.Array, cuna.Array|nil
function windows.dpss(m, NW, Kmax, sym, norm, return_ratios) end

--- A window by name. Follows scipy.signal.get_window.
---
--- ```lua
--- cn.signal.get_window("hann", 4):round(4) --> [0. 0.5 1. 0.5]
--- cn.signal.get_window({"kaiser", 0}, 3) --> [1. 1. 1.]
--- ```
---@param window string|number|table # a name; a number: beta of a Kaiser window; with parameters: {"tukey", 0.25}
---@param Nx integer # how many numbers
---@param fftbins boolean|nil # true (default): one period, for spectra; false: symmetric
---@return cuna.Array
---@overload fun(window: string|number|table, Nx: integer, options: {fftbins?: boolean}): cuna.Array
function signal.get_window(window, Nx, fftbins) end

windows.get_window = signal.get_window

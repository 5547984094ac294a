"""Writes signals.lua: what scipy.signal gives, for spec/signal/.

    /usr/bin/python3 spec/golden/signals.py > spec/golden/signals.lua

Written with SciPy 1.10. cases.py says how a case is written.
"""
import numpy as np
import scipy.signal as ss

import cases


def find(name):
    found = ss
    for part in name.split("."):
        found = getattr(found, part)
    return found


def tupled(value):
    """SciPy has tuples where cuna has tables."""
    return tuple(tupled(v) for v in value) if isinstance(value, list) and value and isinstance(value[0], str) else value


def add(group, name, *args, call=None, **options):
    """A case whose result SciPy gives, or `out`."""
    cases.add(group, name, *args, call=call or (lambda *a, **k: find(name)(*map(tupled, a), **k)), **options)


def noise(shape, dtype="float64", seed=0):
    r = np.random.RandomState(seed)
    if dtype.startswith("complex"):
        return np.round(r.randn(*shape) + 1j * r.randn(*shape), 3).astype(dtype)
    if dtype.startswith("float"):
        return np.round(r.randn(*shape), 3).astype(dtype)
    if dtype == "bool":
        return r.rand(*shape) < 0.5
    return r.randint(0 if dtype[0] == "u" else -9, 10, shape).astype(dtype)


# ---- windows and waveforms ----

PARAMETERS = {"chebwin": [60], "gaussian": [2.5], "general_gaussian": [1.5, 2], "general_hamming": [0.7],
              "general_cosine": [[0.4, 0.3, 0.2, 0.1]], "kaiser": [6], "dpss": [2]}
PLAIN = ["barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "cosine", "exponential", "flattop",
         "hamming", "hann", "lanczos", "nuttall", "parzen", "taylor", "triang", "tukey"]


def windows():
    for name in PLAIN + list(PARAMETERS):
        parameters = PARAMETERS.get(name, [])
        for m in [0, 1, 2, 3, 7, 8, 33] if name not in ("dpss", "lanczos") else [1, 8, 33, 64]:
            for sym in [True, False]:
                if not (m == 2 and not sym and name == "bohman") and not (name == "taylor" and m == 0):
                    add("windows", "windows." + name, m, *parameters, sym=sym, tolerance=1e-12)
    for alpha in [0, 0.1, 0.77, 1, 2]:
        add("windows", "windows.tukey", 21, alpha, tolerance=1e-12)
    add("windows", "windows.exponential", 9, 2, 3, sym=False)
    add("windows", "windows.taylor", 12, 6, 40, False, tolerance=1e-12)
    for m, at in [(5, 20), (64, 100), (101, 80)]:
        add("windows", "windows.chebwin", m, at, tolerance=1e-11)
    for m in [2, 6, 32]:
        add("windows", "windows.kaiser_bessel_derived", m, 4, tolerance=1e-12)
    for m, nw, kmax in [(32, 2.5, 4), (51, 4, 7), (16, 1.5, 1)]:
        add("windows", "windows.dpss", m, nw, kmax, tolerance=1e-11)
        add("windows", "windows.dpss", m, nw, kmax, norm="subsample", tolerance=1e-11)
    add("windows", "windows.dpss", 40, 3, 5, return_ratios=True, tolerance=1e-11)
    for window in ["hann", "boxcar", "bkh", "tri", ["tukey", 0.25], ["gaussian", 3], 5.0, ["general_gaussian", 1.5, 2],
                   ["kaiser", 8]]:
        add("windows", "get_window", window, 10, tolerance=1e-12)
        add("windows", "get_window", window, 11, False, tolerance=1e-12)


def waveforms():
    t = np.linspace(-8, 20, 57)
    for dtype in ["float32", "float64"]:
        x, near = t.astype(dtype), 1e-4 if dtype == "float32" else 1e-12
        for width in [0, 0.3, 1]:
            for name in ["sawtooth", "square"]:  # SciPy 1.10 has float64 for both
                add("waveforms", name, x, width, tolerance=near, out=find(name)(x, width).astype(dtype))
    add("waveforms", "sawtooth", t[:6], np.array([-0.5, 0, 0.5, 1, 1.5, 0.25]), tolerance=1e-12)
    add("waveforms", "square", t[:6], np.array([-0.5, 0, 0.5, 1, 1.5, 0.25]), tolerance=1e-12)
    add("waveforms", "sawtooth", np.arange(8), tolerance=1e-12)
    t = np.linspace(0, 3, 31)
    for method in ["linear", "quadratic", "logarithmic", "hyperbolic", "lin", "q", "lo", "hyp"]:
        add("waveforms", "chirp", t, 1, 2, 7, method, 30, tolerance=1e-11)
        add("waveforms", "chirp", t, 3, 2, 3, method, tolerance=1e-11)
    add("waveforms", "chirp", t, 1, 2, 7, "quadratic", vertex_zero=False, tolerance=1e-11)
    add("waveforms", "sweep_poly", t, [0.3, -1, 2], 15, tolerance=1e-11)
    t = np.linspace(-0.01, 0.01, 21)
    add("waveforms", "gausspulse", t, 250, 0.6, -5, tolerance=1e-12)
    add("waveforms", "gausspulse", t, 250, retquad=True, retenv=True, tolerance=1e-12)
    add("waveforms", "gausspulse", t, 250, retenv=True, tolerance=1e-12)
    add("waveforms", "unit_impulse", [4, 5], "mid")
    add("waveforms", "unit_impulse", [7], dtype="int32", call=lambda s, dtype: ss.unit_impulse(s, dtype=dtype))
    for nbits in [2, 3, 5, 8]:
        add("waveforms", "max_len_seq", nbits)
    add("waveforms", "max_len_seq", 6, [1, 0, 0, 1, 0, 1], 20, [5, 3], call=lambda n, s, c, t: ss.max_len_seq(n, s, c, t))


# ---- convolution ----


def convolution():
    for dtype, other in [("float64", "float64"), ("float32", "float32"), ("int32", "int8"), ("uint8", "uint8"),
                         ("complex64", "float32"), ("complex128", "complex128"), ("float32", "int64"), ("bool", "bool")]:
        near = 1e-5 if dtype in ("float32", "complex64") else 1e-12
        a, b = noise([9], dtype, 1), noise([4], other, 2)
        m, n = noise([6, 7], dtype, 3), noise([3, 2], other, 4)
        for mode in ["full", "same", "valid"]:
            for method in ["direct", "fft", "auto"] if dtype != "bool" else ["direct"]:
                add("convolution", "convolve", a, b, mode, method, tolerance=near)
                if dtype == other != "bool":  # SciPy 1.10 has in1's dtype for others
                    add("convolution", "convolve", m, n, mode, method, tolerance=near)
                    add("convolution", "correlate", m, n, mode, method, tolerance=near)
                if dtype != "bool":
                    add("convolution", "correlate", a, b, mode, method, tolerance=near)
            if dtype != "bool":
                add("convolution", "convolve2d", m, n, mode, tolerance=near)
                add("convolution", "correlate2d", m, n, mode, tolerance=near)
    for mode in ["full", "same", "valid"]:
        for ka, kb in [(1, 1), (5, 5), (3, 8), (8, 3), (1, 4), (12, 6)]:
            a, b = noise([ka], seed=5), noise([kb], seed=6)
            add("convolution", "convolve", a, b, mode, "direct", tolerance=1e-12)
            add("convolution", "correlate", a, b, mode, tolerance=1e-12)
            add("convolution", "fftconvolve", a, b, mode, tolerance=1e-12)
            add("convolution", "oaconvolve", a, b, mode, tolerance=1e-12)
            add("convolution", "correlation_lags", ka, kb, mode)
        for sa, sb in [((4, 5, 6), (2, 1, 3)), ((2, 1, 3), (4, 5, 6)), ((3, 3), (3, 3))]:
            a, b = noise(sa, seed=7), noise(sb, seed=8)
            add("convolution", "convolve", a, b, mode, "direct", tolerance=1e-12)
            add("convolution", "correlate", a, b, mode, "direct", tolerance=1e-12)
            add("convolution", "fftconvolve", a, b, mode, tolerance=1e-12)
        add("convolution", "fftconvolve", noise([4, 50], seed=9), noise([1, 5], seed=10), mode, axes=[-1], tolerance=1e-12)
        add("convolution", "fftconvolve", noise([50, 4], seed=9), noise([5, 4], seed=10), mode, axes=[0], tolerance=1e-12)
        for n, k in [(500, 7), (1000, 33), (40, 400), (301, 2)]:
            add("convolution", "oaconvolve", noise([n], seed=11), noise([k], seed=12), mode, tolerance=1e-11)
        add("convolution", "oaconvolve", noise([2, 300], seed=13), noise([1, 9], seed=14), mode, axes=[1], tolerance=1e-11)
        add("convolution", "oaconvolve", noise([300, 2], "complex128", 13), noise([9, 2], seed=14), mode, axes=[0],
            tolerance=1e-11)
        for boundary in ["fill", "wrap", "symm"]:
            for sb in [(3, 3), (2, 4), (1, 1)]:
                a, b = noise([6, 7], seed=15), noise(sb, seed=16)
                add("convolution", "convolve2d", a, b, mode, boundary, 1.5, tolerance=1e-12)
                add("convolution", "correlate2d", a, b, mode, boundary, -2, tolerance=1e-12)
    add("convolution", "correlate2d", noise([2, 3], seed=17), noise([4, 5], seed=18), "valid", tolerance=1e-12)
    add("convolution", "convolve", noise([6], "complex128", 19), noise([3], "complex128", 20), tolerance=1e-12)
    add("convolution", "convolve", np.array([1, np.nan, 2.0]), np.array([1, np.inf]), "full", "direct")


# ---- design of filters ----


def designed(name, *args, tolerance=1e-9, **options):
    """Zeros and poles are complex."""
    out = find(name)(*args, **options)
    if isinstance(out, tuple):
        is_zpk = len(out) == 3
        out = tuple(np.atleast_1d(o).astype("complex128") if is_zpk and k < 2 else np.asarray(o)
                    for k, o in enumerate(out))
        out = out[:2] + (out[2].astype("float64"),) if is_zpk else out
    add("design", name, *args, out=out, tolerance=tolerance, **options)


def design():
    for n in [0, 1, 2, 3, 4, 7, 10]:
        designed("buttap", n)
        designed("cheb1ap", n, 1.5)
        designed("cheb2ap", n, 35)
        designed("ellipap", n, 0.5, 50)
    for n in [0, 1, 2, 3, 8, 15, 25]:
        for norm in ["phase", "delay", "mag"]:
            designed("besselap", n, norm)
    for btype, wn in [("lowpass", 0.3), ("highpass", 0.6), ("bandpass", [0.2, 0.45]), ("bandstop", [0.3, 0.65])]:
        for n in [1, 2, 3, 5]:
            for output in ["ba", "zpk", "sos"]:
                if n % 2 == 1 and output == "zpk" and isinstance(wn, list):
                    continue  # the order of a pair depends on the sign of a 0
                designed("butter", n, wn, btype, output=output)
                designed("cheby1", n, 1, wn, btype, output=output)
                designed("bessel", n, wn, btype, output=output, norm="mag")
                if output != "zpk" or isinstance(wn, float):
                    designed("cheby2", n, 40, wn, btype, output=output)
                    designed("ellip", n, 1, 40, wn, btype, output=output)
            designed("butter", n, wn if isinstance(wn, float) else [2.0, 5.0], btype, analog=True)
            designed("butter", n, [100 * w for w in wn] if isinstance(wn, list) else 100 * wn, btype, fs=250)
    designed("iirfilter", 4, [0.2, 0.5], rs=60, rp=1, ftype="ellip", output="zpk")
    designed("iirfilter", 17, 0.1, btype="lowpass", output="sos")
    designed("iirnotch", 60.0, 30.0, 200)
    designed("iirpeak", 0.3, 5)
    designed("iircomb", 20, 25, "peak", 200)
    designed("iircomb", 20, 25, "notch", 200, pass_zero=True)
    for wp, ws in [(0.2, 0.3), (0.4, 0.25), ([0.2, 0.5], [0.1, 0.6]), ([0.1, 0.6], [0.2, 0.5])]:
        for name in ["buttord", "cheb1ord", "cheb2ord", "ellipord"]:
            n, w = find(name)(wp, ws, 1, 40)
            add("design", name, wp, ws, 1, 40, out=(np.asarray(n), np.asarray(w)), tolerance=1e-6)
    b, a = ss.butter(3, 0.4, analog=True)
    for name, values in [("lp2lp", [2.5]), ("lp2hp", [2.5]), ("lp2bp", [3, 1.5]), ("lp2bs", [3, 1.5]),
                         ("bilinear", [2])]:
        designed(name, b, a, *values)
        designed(name, np.array([1.0, 0, 2]), np.array([1, 3.0, 2, 1]), *values)
        z, p, k = ss.ellip(3, 1, 40, 1.0, analog=True, output="zpk")
        designed(name + "_zpk", z, p, k, *values)
    for z, p, k in [ss.butter(5, 0.3, output="zpk"), ss.ellip(4, 1, 40, [0.2, 0.5], "bandpass", output="zpk"),
                    ss.cheby2(6, 40, 0.5, output="zpk")]:
        for pairing in ["nearest", "keep_odd", "minimal"]:
            designed("zpk2sos", z, p, k, pairing=pairing)
        sos = ss.zpk2sos(z, p, k)
        designed("zpk2tf", z, p, k)
        designed("sos2tf", sos)
        w = np.linspace(0, 3, 7)
        designed("sosfreqz", sos, w)
        designed("freqz_zpk", z, p, k, 6)
        b, a = ss.zpk2tf(z, p, k)
        for options in [{}, {"whole": True}, {"fs": 100.0}, {"include_nyquist": True}]:
            designed("freqz", b, a, 9, **options)
        designed("freqz", b, a, w)
        designed("group_delay", [b.tolist(), a.tolist()], 8)
    designed("tf2sos", np.array([1, 0.5, 0.25]), np.array([1, -0.3, 0.2]))
    designed("tf2zpk", np.array([2.0, 1]), np.array([1, -0.5]))
    designed("sos2zpk", ss.butter(2, 0.3, output="sos"))
    designed("freqz", np.arange(1.0, 31), 1, 64)
    for numtaps, cutoff, options in [(11, 0.3, {}), (12, 0.3, {}), (21, [0.2, 0.5], {"pass_zero": False}),
                                     (21, [0.2, 0.5], {"pass_zero": "bandstop"}), (15, 0.4, {"pass_zero": "highpass"}),
                                     (31, 10.0, {"fs": 100, "width": 8.0}), (9, 0.5, {"window": "boxcar"}),
                                     (9, 0.5, {"scale": False}), (33, [0.1, 0.2, 0.6], {"window": "hann"}), (1, 0.5, {})]:
        designed("firwin", numtaps, cutoff, **options)
    for numtaps, gain, options in [(15, [1, 1, 0, 0], {}), (16, [1, 0.5, 0.2, 0], {"window": "hann"}),
                                   (15, [0, 1, 1, 0], {"antisymmetric": True}), (16, [0, 1, 1, 1], {"antisymmetric": True}),
                                   (65, [1, 1, 0, 0], {"nfreqs": 129})]:
        designed("firwin2", numtaps, [0, 0.3, 0.5, 1], gain, **options)
    designed("firwin2", 33, [0, 0.5, 0.5, 1], [1, 1, 0, 0])
    designed("firls", 15, [0, 0.3, 0.5, 1], [1, 1, 0, 0])
    designed("firls", 31, [0, 10, 20, 30, 40, 50], [0, 1, 1, 1, 0, 0], weight=[1, 5, 2], fs=100)
    for numtaps in [20, 21]:
        designed("remez", numtaps, [0, 0.1, 0.2, 0.5], [1, 0], tolerance=1e-6)
        designed("remez", numtaps, [0, 10, 15, 30, 35, 50], [0, 1, 0], weight=[1, 2, 3], fs=100, tolerance=1e-6)
        designed("remez", numtaps, [0.05, 0.45], [1], type="hilbert", tolerance=1e-6)
        designed("remez", numtaps, [0, 0.4], [1], type="differentiator", tolerance=1e-6)


# ---- filters ----


def filters():
    b, a = ss.butter(3, 0.2)
    sos = ss.ellip(5, 1, 40, [0.2, 0.5], "bandpass", output="sos")
    for dtype in ["float32", "float64", "int32", "complex64", "complex128"]:
        near = 1e-5 if dtype in ("float32", "complex64") else 1e-11
        x = noise([3, 40], dtype, 21)
        add("filters", "lfilter", b, a, x, tolerance=near)
        add("filters", "lfilter", b.astype("float32"), a.astype("float32"), x, axis=0, tolerance=1e-5)
        add("filters", "lfilter", np.array([1, 0.5, -0.25, 2]), np.array([2.0]), x, axis=0, tolerance=near)
        add("filters", "lfilter", np.array([1.0, 0.5]), np.array([1, -0.9]), x, zi=noise([3, 1], seed=22),
            tolerance=near)
        add("filters", "lfilter", b, np.array([2.0]), x, axis=0, zi=noise([3, 40], seed=23), tolerance=near)
        add("filters", "sosfilt", sos, x, tolerance=near)
        add("filters", "sosfilt", sos, x, axis=0, zi=noise([5, 2, 40], seed=24), tolerance=near)
        add("filters", "filtfilt", b, a, x, tolerance=near)
        add("filters", "sosfiltfilt", sos, noise([2, 60], dtype, 25), tolerance=near * 10)
    x = noise([2, 3, 30], seed=26)
    for axis in [0, 1, 2, -1]:
        add("filters", "lfilter", b, a, x, axis=axis, tolerance=1e-11)
        add("filters", "sosfilt", sos, x, axis=axis, tolerance=1e-11)
    for padtype in ["odd", "even", "constant"]:
        add("filters", "filtfilt", b, a, x, axis=2, padtype=padtype, padlen=7, tolerance=1e-11)
        add("filters", "sosfiltfilt", sos, x, axis=2, padtype=padtype, padlen=20, tolerance=1e-10)
    add("filters", "filtfilt", b, a, x, padlen=0, tolerance=1e-11)
    add("filters", "filtfilt", np.array([0.5, 0.5, 0.25]), np.array([1.0]), x, tolerance=1e-11)
    add("filters", "lfilter", np.array([1 + 1j, 2]), np.array([1, 0.5j]), noise([20], seed=27), tolerance=1e-12)
    add("filters", "lfilter", np.array([1.0]), np.concatenate([[1.0], np.zeros(19), [0.5]]), noise([2, 70], seed=28),
        tolerance=1e-11)
    add("filters", "lfilter", np.array([1.0, 2]), np.array([1, 0.5]), np.array([1.0, np.nan, 2, 3]))
    for n in [0, 1, 2]:
        add("filters", "lfilter", b, a, noise([n], seed=29), tolerance=1e-12)
        add("filters", "lfilter", b, np.array([1.0]), noise([n + 1], seed=29), tolerance=1e-12)
        if n > 0:
            add("filters", "sosfilt", sos, noise([n], seed=29), tolerance=1e-12)
    add("filters", "lfilter", noise([300], seed=30), np.array([1.0]), noise([2, 700], seed=31), tolerance=1e-10)
    for n in [2, 5, 19]:
        wide = ss.butter(n, [0.2, 0.5], "bandpass", output="sos")
        add("filters", "sosfilt", wide, noise([2, 50], seed=32), tolerance=1e-10)
        add("filters", "sosfilt_zi", wide, tolerance=1e-8)
    add("filters", "lfilter_zi", b, a, tolerance=1e-10)
    add("filters", "lfilter_zi", np.array([1.0, 2, 3]), np.array([2, 0.5]), tolerance=1e-12)
    add("filters", "lfiltic", b, a, np.array([1.0, 2, 3]), np.array([0.5, 1]), tolerance=1e-11)
    add("filters", "lfiltic", b, a, np.array([1.0, 2]), tolerance=1e-11)
    add("filters", "deconvolve", np.array([0, 1, 2.5, 4, 1.5]), np.array([1.0, 2, 3]), tolerance=1e-12)


# ---- other rates, smoothing ----


def resampling():
    for dtype in ["float32", "float64", "int32", "complex128"]:
        near = 2e-5 if dtype == "float32" else 1e-11
        x = noise([3, 20], dtype, 41)
        for up, down in [(2, 1), (1, 2), (3, 2), (2, 5)]:
            add("resampling", "upfirdn", np.array([1, 2.0, 0.5, -1, 0.25]), x, up, down, tolerance=near)
            if dtype != "int32":  # SciPy 1.10 has no taps for whole numbers
                add("resampling", "resample_poly", x, up, down, axis=1, tolerance=near)
        for num in [10, 13, 20, 27, 40]:
            add("resampling", "resample", x, num, axis=1, tolerance=near)
        add("resampling", "detrend", x, tolerance=near)
        add("resampling", "detrend", x, axis=0, type="constant", tolerance=near)
        if dtype != "complex128":
            add("resampling", "hilbert", x, tolerance=near)
            add("resampling", "hilbert", x, 7, axis=0, tolerance=near)
    x = noise([2, 50], seed=42)
    add("resampling", "detrend", x, bp=[11, 31], out=ss.detrend(x, bp=[10, 30]), tolerance=1e-11)
    for mode in ["wrap", "edge", "symmetric", "reflect"]:
        add("resampling", "upfirdn", np.arange(1.0, 8), x, 3, 2, mode=mode, tolerance=1e-11)
    for padtype in ["mean", "median", "minimum", "maximum", "edge"]:
        add("resampling", "resample_poly", x, 3, 4, axis=1, padtype=padtype, tolerance=1e-11)
    add("resampling", "resample_poly", x, 3, 4, axis=1, window="hann", tolerance=1e-11)
    add("resampling", "resample_poly", x, 3, 4, axis=1, cval=2.5, tolerance=1e-11)
    add("resampling", "resample_poly", x, 5, 3, axis=1, window=noise([31], seed=43), tolerance=1e-11)
    add("resampling", "resample", x, 30, axis=1, window="hann", tolerance=1e-11)
    add("resampling", "resample", x.astype(complex), 30, axis=1, window=noise([50], seed=44), tolerance=1e-11)
    add("resampling", "resample", x[0], 20, np.arange(50) * 0.5 + 3, tolerance=1e-11)
    add("resampling", "hilbert2", noise([5, 6], seed=45), tolerance=1e-12)
    x = noise([2, 90], seed=46)
    for q in [2, 3, 10]:
        for options in [{}, {"zero_phase": False}, {"ftype": "fir"}, {"ftype": "fir", "zero_phase": False}, {"n": 4}]:
            add("resampling", "decimate", x, q, tolerance=1e-9, **options)


def smoothing():
    for dtype in ["float32", "float64", "int32", "uint8"]:
        x = noise([7, 9], dtype, 51)
        near = 1e-5 if dtype == "float32" else 1e-11
        add("smoothing", "medfilt", x)
        add("smoothing", "medfilt", x, [3, 5])
        add("smoothing", "medfilt2d", x, 5)
        add("smoothing", "medfilt", x[0], 7)
        add("smoothing", "savgol_filter", x, 5, 2, tolerance=near)
        add("smoothing", "savgol_filter", x, 4, 1, axis=0, tolerance=near)
        if dtype != "uint8":
            out = ss.wiener(x.astype("float64"), [3, 5])
            add("smoothing", "wiener", x, [3, 5], out=out.astype("float32") if dtype == "float32" else out, tolerance=near)
    x = noise([40], seed=52)
    add("smoothing", "wiener", x, 5, 0.3, tolerance=1e-11)
    add("smoothing", "order_filter", x, np.array([1, 0, 1, 1, 1]), 3, out=ss.order_filter(x, np.array([1, 0, 1, 1, 1]), 2))
    for mode in ["mirror", "constant", "nearest", "wrap", "interp"]:
        for window, order, deriv in [(5, 2, 0), (7, 3, 1), (9, 4, 2), (6, 2, 0), (1, 0, 0), (5, 1, 3)]:
            add("smoothing", "savgol_filter", x, window, order, deriv=deriv, delta=0.5, mode=mode, tolerance=1e-10)
    # SciPy solves equations of powers, which loses digits: see fitted() of signals_newer.py
    for window, order, deriv in [(5, 2, 0), (11, 4, 1), (21, 7, 2), (8, 3, 1), (51, 5, 0), (3, 1, 2)]:
        for use in ["conv", "dot"]:
            add("smoothing", "savgol_coeffs", window, order, deriv=deriv, use=use, tolerance=1e-10)
    add("smoothing", "savgol_coeffs", 7, 2, pos=2, use="dot", out=ss.savgol_coeffs(7, 2, pos=1, use="dot"), tolerance=1e-11)


# ---- spectra ----


def spectra():
    for dtype in ["float32", "float64", "complex128", "int64"]:
        near = 1e-4 if dtype == "float32" else 1e-11
        x, y = noise([2, 70], dtype, 61), noise([2, 70], dtype, 62)
        add("spectra", "welch", x, nperseg=16, tolerance=near)
        add("spectra", "csd", x, y, nperseg=16, tolerance=near)
        add("spectra", "periodogram", x, tolerance=near)
        add("spectra", "spectrogram", x, nperseg=16, tolerance=near)
        add("spectra", "stft", x, nperseg=16, tolerance=near)
    x, y = noise([3, 100], seed=63), noise([3, 100], seed=64)
    for options in [{"fs": 8.0}, {"window": "boxcar"}, {"noverlap": 5}, {"nfft": 33}, {"detrend": "linear"},
                    {"detrend": False}, {"return_onesided": False}, {"scaling": "spectrum"}, {"average": "median"}]:
        add("spectra", "welch", x, nperseg=21, tolerance=1e-11, **options)
        add("spectra", "csd", x, y, nperseg=20, tolerance=1e-11, **options)
        if "average" not in options:
            add("spectra", "spectrogram", x, nperseg=20, tolerance=1e-11, **options)
    add("spectra", "welch", x, nperseg=3, axis=0, tolerance=1e-11)
    add("spectra", "welch", x[0], window=np.array([1.0, 2, 3, 2, 1]), tolerance=1e-11)
    add("spectra", "welch", x[0], tolerance=1e-11)
    add("spectra", "csd", x[0], y[0, :60], nperseg=16, tolerance=1e-11)
    add("spectra", "periodogram", x[0], nfft=64, tolerance=1e-11)
    add("spectra", "periodogram", x[0], nfft=128, window="hann", tolerance=1e-11)
    add("spectra", "coherence", x, y, nperseg=16, tolerance=1e-10)
    for mode in ["complex", "magnitude", "angle", "phase"]:
        add("spectra", "spectrogram", x[0], nperseg=16, mode=mode, tolerance=1e-10)
    add("spectra", "spectrogram", x.T, nperseg=16, axis=0, tolerance=1e-11)
    for options in [{"boundary": "even"}, {"boundary": "odd"}, {"boundary": "constant"}, {"padded": False},
                    {"scaling": "psd"}, {"noverlap": 12}, {"detrend": "constant"}, {"nfft": 20}, {"axis": 0}]:
        add("spectra", "stft", x.T.copy() if "axis" in options else x, nperseg=16, tolerance=1e-11, **options)
    for options in [{}, {"noverlap": 12}, {"window": "boxcar", "noverlap": 0}, {"scaling": "psd"}]:
        z = ss.stft(x[:2, :40], nperseg=16, **options)[2]
        t, back = ss.istft(z, nperseg=16, **options)
        t = np.arange(back.shape[-1]) / 1.0  # SciPy 1.10 counts the first axis
        add("spectra", "istft", z, nperseg=16, tolerance=1e-11, out=(t, back), **options)
    z = ss.stft(x[0].astype(complex), nperseg=16, return_onesided=False)[2]
    add("spectra", "istft", z, nperseg=16, input_onesided=False, tolerance=1e-11)
    for window, n, o in [("hann", 16, 8), ("hann", 16, 7), ("boxcar", 10, 5), ("hann", 16, 0)]:
        for name in ["check_COLA", "check_NOLA"]:
            add("spectra", name, window, n, o)


def zoom():
    for dtype in ["float32", "float64", "complex128", "int32"]:
        near = 1e-4 if dtype == "float32" else 1e-11
        x = noise([3, 12], dtype, 71)
        result = "complex64" if dtype == "float32" else "complex128"  # SciPy 1.10 has complex128 for both
        add("zoom", "czt", x, tolerance=near, out=ss.czt(x).astype(result))
        add("zoom", "czt", x, 7, axis=0, tolerance=near, out=ss.czt(x, 7, axis=0).astype(result))
        add("zoom", "zoom_fft", x, [0.2, 0.7], tolerance=near, out=ss.zoom_fft(x, [0.2, 0.7]).astype(result))
    x = noise([25], seed=72)
    add("zoom", "czt", x, 9, complex(0.99, -0.1), complex(0.8, 0.5), tolerance=1e-9)
    add("zoom", "czt_points", 6, tolerance=1e-12)
    add("zoom", "czt_points", 6, complex(0.9, -0.2), 0.5, tolerance=1e-12)
    add("zoom", "zoom_fft", x, 0.5, 13, fs=4, endpoint=True, tolerance=1e-11)
    add("zoom", "zoom_fft", x, [1, 1.5], 40, fs=4, tolerance=1e-11)
    t, y = np.sort(np.random.RandomState(73).rand(40)) * 10, noise([40], seed=74)
    add("zoom", "lombscargle", t, y, np.linspace(0.5, 9, 15), tolerance=1e-10)
    add("zoom", "lombscargle", t, y, np.linspace(0.5, 9, 15), precenter=True, normalize=True, tolerance=1e-10)
    for n, a in [(1, 2), (8, 1.5), (21, 4)]:
        add("zoom", "ricker", n, a, tolerance=1e-12)
        add("zoom", "morlet2", n, a, 6, tolerance=1e-12)
        add("zoom", "morlet", n, 4, a, tolerance=1e-12)


# ---- peaks ----


def counted(name, x, *args, **options):
    """Positions from 1 on."""
    out = find(name)(x, *args, **options)
    return [np.asarray(o) + 1 for o in out]


def peaks():
    r = np.random.RandomState(81)
    for x in [np.array([0.0, 3, 1, 5, 5, 5, 2, 2.5, 0, 0, 1, 0]), noise([200], seed=82), r.randint(0, 5, 150) * 1.0,
              np.array([1, np.nan, 3, 1, 4, np.nan, 2, 5, 1]), noise([60], "float32", 83)]:
        at = ss.find_peaks(x)[0]
        for wlen in [None, 7, 3.2]:
            p, left, right = ss.peak_prominences(x, at, wlen)
            add("peaks", "peak_prominences", x, at + 1, wlen=wlen, out=(p, left + 1, right + 1))
            for height in [0.0, 0.5, 1.0]:
                w, h, first, last = ss.peak_widths(x, at, height, wlen=wlen)
                add("peaks", "peak_widths", x, at + 1, height, wlen=wlen, out=(w, h, first + 1, last + 1))
        for options in [{}, {"height": 0.5}, {"height": [0, 2]}, {"threshold": 0.2}, {"threshold": [0.1, 1.5]},
                        {"distance": 4}, {"distance": 2.5}, {"prominence": 1}, {"prominence": [0.5, 2]}, {"width": 1.2},
                        {"width": [1, 3]}, {"plateau_size": 1}, {"plateau_size": [2, 5]},
                        {"height": 0, "threshold": 0.1, "distance": 3, "prominence": 0.4, "width": 0.5, "wlen": 15,
                         "rel_height": 0.7, "plateau_size": 1}]:
            if "distance" in options and len(set(x)) != len(x):
                continue  # of equal peaks SciPy's order is not defined
            at, properties = ss.find_peaks(x, **options)
            names = sorted(properties)
            out = tuple([at + 1] + [properties[k] + (1 if k.endswith(("bases", "edges", "ips")) else 0) for k in names])
            add("peaks", "find_peaks", x, out=out, **options)
    x = noise([40], seed=84)
    for name in ["argrelmax", "argrelmin"]:
        for mode in ["clip", "wrap"]:
            for order in [1, 3]:
                add("peaks", name, x, order=order, mode=mode, out=np.stack(counted(name, x, order=order, mode=mode)))
                m = x.reshape(5, 8)
                add("peaks", name, m, axis=1, order=order, mode=mode,
                    out=np.stack(counted(name, m, axis=1, order=order, mode=mode)))


GROUPS = [windows, waveforms, convolution, design, filters, resampling, smoothing, spectra, zoom,
          peaks]

if __name__ == "__main__":
    cases.write("signals.py", GROUPS)

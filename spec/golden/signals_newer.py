"""Writes signals_newer.lua: what newer versions of scipy.signal give, for spec/signal/.

    python3 spec/golden/signals_newer.py > spec/golden/signals_newer.lua

Written with SciPy 1.17. cases.py says how a case is written.
"""
from fractions import Fraction

import numpy as np
import scipy.signal as ss

import cases


def noise(shape, dtype="float64", seed=0):
    r = np.random.RandomState(seed)
    if dtype.startswith("complex"):
        return np.round(r.randn(*shape) + 1j * r.randn(*shape), 3).astype(dtype)
    return np.round(r.randn(*shape), 3).astype(dtype)


# ---- ShortTimeFFT: a list of its own ----

SHORT = []
PADDINGS = ["zeros", "edge", "even", "odd"]


def short_time(win, hop, fs, n, padding="zeros", dtype="float64", is_dual=False, **options):
    given = np.array(win) + 0.0
    s = (ss.ShortTimeFFT.from_dual if is_dual else ss.ShortTimeFFT)(given, hop, fs, **options)
    x = noise([2, n], dtype, len(SHORT))
    z = s.stft(x, padding=padding)
    case = {"win": list(map(float, given.real)), "win_im": list(map(float, given.imag)) if given.dtype == complex else None,
            "is_dual": is_dual, "hop": hop, "fs": fs, "n": n, "padding": padding, "x": cases.array(x),
            "fft_mode": options.get("fft_mode"), "mfft": options.get("mfft"), "scale_to": options.get("scale_to"),
            "phase_shift": options.get("phase_shift", 0), "f": cases.array(s.f, 13), "t": cases.array(s.t(n), 13),
            "facts": [s.p_min, s.k_min + 1, s.p_max(n) - 1, s.k_max(n), s.p_num(n), s.lower_border_end[0] + 1,
                      s.lower_border_end[1], s.upper_border_begin(n)[0] + 1, s.upper_border_begin(n)[1]],
            "factors": [s.fac_magnitude, s.fac_psd, s.delta_f, s.delta_t], "stft": cases.result(z, 10),
            "spectrogram": cases.result(s.spectrogram(x.T, detr="linear", axis=0), 10)}
    if case["phase_shift"] is None:
        case["phase_shift"] = False
    if s.fft_mode != "twosided":
        case["extent"] = list(s.extent(n, "ft", True))
    if s.invertible:
        case["dual_win"], case["istft"] = cases.array(s.dual_win, 13), cases.result(s.istft(z, 1, n - 1), 10)
    SHORT.append(case)


def short_times():
    hann = ss.get_window("hann", 8)
    short_time(hann, 2, 4.0, 19)
    short_time(hann, 3, 1.0, 20, "edge", fft_mode="onesided2X", scale_to="psd", mfft=11)
    short_time([1, 2, 3, 2.5, 1], 2, 2.0, 17, "even", fft_mode="onesided2X", scale_to="magnitude", phase_shift=None)
    short_time([1, 2, 3, 2.5, 1, 0, 0], 1, 2.0, 15, "odd", fft_mode="centered", phase_shift=2)
    short_time([0, 0, 1, 2, 3, 2], 3, 2.0, 16, "zeros", "complex128", fft_mode="twosided", mfft=8, phase_shift=-1)
    short_time([1, 1, 1], 4, 1.0, 14, fft_mode="centered", scale_to="magnitude")
    short_time([2.0], 1, 1.0, 5)
    spin = [1, 1 + 1j, 2j, -1 + 1j, -1]
    short_time(spin, 2, 2.0, 14, fft_mode="centered", scale_to="magnitude")
    short_time(spin, 3, 1.0, 14, "even", "complex128", fft_mode="twosided", mfft=7, scale_to="psd", is_dual=True)
    short_time([1, 2, 3, 2.5, 1], 2, 2.0, 14, is_dual=True, scale_to="magnitude")


# ---- cases ----


def add(group, name, *args, **options):
    cases.add(group, name, *args, call=getattr(ss, name), **options)


def envelopes():
    """SciPy's band ends before its second number. Where it begins with 0, SciPy clears all of the residual."""
    for n in [8, 9]:
        for dtype in ["float64", "complex128"]:
            x = noise([2, n], dtype, n)
            for first, last in [(1, None), (2, 4), (-3, -1), (None, 3), (0, 3)]:
                band = [False if first is None else first, last and last - 1]
                for residual, n_out in [("lowpass", None), ("all", 6), ("lowpass", 11)] if first != 0 else [(None, None)]:
                    out = ss.envelope(x, (first, last), n_out=n_out, residual=residual)
                    cases.add("envelope", "envelope", x, band if last else band[:1], call=None, out=out, n_out=n_out,
                              residual=residual or False, tolerance=1e-10)
    x = noise([9, 3], "float32", 3)
    cases.add("envelope", "envelope", x, call=None, out=ss.envelope(x, axis=0, squared=True, residual=None), axis=0,
              squared=True, residual=False, tolerance=1e-5)


def designs():
    for ftype in ["butter", "cheby1", "cheby2", "ellip"]:
        for wp, ws in [(0.2, 0.3), (0.5, 0.35), ([0.2, 0.5], [0.1, 0.6]), ([0.1, 0.6], [0.2, 0.5])]:
            add("design", "iirdesign", wp, ws, 1, 40, ftype=ftype, output="sos", tolerance=1e-6)
    add("design", "iirdesign", [1.0, 3.0], [0.5, 4.5], 2, 30, analog=True, ftype="ellip", tolerance=1e-6)
    z, p, k = ss.iirdesign(100, 150, 1, 60, ftype="cheby1", output="zpk", fs=1000)
    cases.add("design", "iirdesign", 100, 150, 1, 60, call=None, out=(z.astype(complex), p, np.asarray(k)),
              ftype="cheby1", output="zpk", fs=1000, tolerance=1e-6)
    for h in [ss.firwin(21, 0.3), ss.remez(32, [0, 0.2, 0.3, 0.5], [1, 0]), np.array([1.0, 2, 3, 2, 1])]:
        for options in [{}, {"half": False}, {"n_fft": 1001}, {"method": "hilbert"}]:
            if "method" not in options or len(h) > 5:  # "hilbert" takes the logarithm of what rounding leaves
                add("design", "minimum_phase", h, tolerance=2e-3 if "method" in options else 1e-8, **options)


def gusts():
    b, a = ss.butter(3, 0.2)
    for dtype in ["float32", "float64", "complex128"]:
        x, near = noise([2, 40], dtype, 5), 1e-5 if dtype == "float32" else 1e-10
        add("gust", "filtfilt", b, a, x, method="gust", tolerance=near)
        add("gust", "filtfilt", b, a, x.T.copy(), axis=0, method="gust", irlen=12, tolerance=near)
    add("gust", "filtfilt", np.array([1, 0.5j]), np.array([1, -0.3]), noise([20], seed=6), method="gust", tolerance=1e-10)
    add("gust", "filtfilt", np.array([1, 0.5, 0.2]), np.array([2.0]), noise([3, 20], seed=7), method="gust",
        tolerance=1e-10)
    add("gust", "filtfilt", np.array([3.0]), np.array([2.0]), noise([20], seed=8), method="gust")


def modes():
    for mode in ["antisymmetric", "antireflect", "smooth", "line"]:
        add("mode", "upfirdn", np.arange(1.0, 8), noise([2, 9], seed=9), 3, 2, mode=mode, tolerance=1e-11)
        add("mode", "upfirdn", np.arange(1.0, 31), noise([2, 3], "complex128", 10), 2, 3, mode=mode, tolerance=1e-11)
        add("mode", "resample_poly", noise([2, 20], seed=11), 3, 4, axis=1, padtype=mode, tolerance=1e-11)


def fitted():
    """savgol_coeffs by rational numbers. SciPy's savgol_coeffs(101, 9) has no right digit, whose equations of powers are
    nearly singular; cuna's orthonormal polynomials have all."""
    for window, order in [(101, 9), (41, 12)]:
        half = window // 2
        rows = [[Fraction(sum(x ** (i + j) for x in range(-half, half + 1))) for j in range(order + 1)]
                + [Fraction(int(i == 0))] for i in range(order + 1)]
        for i in range(order + 1):
            at = next(r for r in range(i, order + 1) if rows[r][i] != 0)
            rows[i], rows[at] = rows[at], rows[i]
            rows[i] = [v / rows[i][i] for v in rows[i]]
            for r in range(order + 1):
                if r != i:
                    rows[r] = [v - rows[r][i] * w for v, w in zip(rows[r], rows[i])]
        out = [float(sum(rows[k][-1] * x ** k for k in range(order + 1))) for x in range(-half, half + 1)]
        cases.add("fitted", "savgol_coeffs", window, order, call=None, out=np.array(out), tolerance=1e-14)


def ridges():
    t = np.arange(200)
    x = sum(h * np.exp(-((t - at) / w) ** 2) for at, w, h in [(30, 4, 1), (60, 8, 2), (110, 3, 1.5), (118, 3, 1)])
    x = np.round(x + 0.05 * noise([200], seed=12), 3)
    widths = np.arange(1.0, 12)
    for options in [{}, {"min_snr": 2}, {"noise_perc": 40, "window_size": 31}, {"gap_thresh": 0}, {"min_length": 9},
                    {"max_distances": widths / 2}]:
        cases.add("ridges", "find_peaks_cwt", x, widths, call=None,
                  out=ss.find_peaks_cwt(x, widths, **options).astype("int64") + 1, **options)


if __name__ == "__main__":
    short_times()
    cases.write("signals_newer.py", [envelopes, designs, gusts, modes, fitted, ridges], short_times=SHORT)

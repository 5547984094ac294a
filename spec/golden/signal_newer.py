"""Writes signal_newer.lua: what newer versions of scipy.signal give, for spec/signal/.

    python3 spec/golden/signal_newer.py > spec/golden/signal_newer.lua

Written with SciPy 1.17. cases.py says how a case is written.
"""
import sys

HERE = sys.path.pop(0)  # signal.py here would take the place of Python's own
import numpy as np
import scipy.signal as ss

sys.path.insert(0, HERE)
import cases


def noise(shape, dtype="float64", seed=0):
    r = np.random.RandomState(seed)
    if dtype.startswith("complex"):
        return np.round(r.randn(*shape) + 1j * r.randn(*shape), 3).astype(dtype)
    return np.round(r.randn(*shape), 3).astype(dtype)


# ---- ShortTimeFFT: a list of its own ----

SHORT = []
PADDINGS = ["zeros", "edge", "even", "odd"]


def short_time(win, hop, fs, n, padding="zeros", dtype="float64", **options):
    s = ss.ShortTimeFFT(np.array(win, "float64"), hop, fs, **options)
    x = noise([2, n], dtype, len(SHORT))
    z = s.stft(x, padding=padding)
    case = {"win": list(map(float, win)), "hop": hop, "fs": fs, "n": n, "padding": padding, "x": cases.array(x),
            "fft_mode": options.get("fft_mode"), "mfft": options.get("mfft"), "scale_to": options.get("scale_to"),
            "phase_shift": options.get("phase_shift", 0), "f": cases.array(s.f, 13), "t": cases.array(s.t(n), 13),
            "facts": [s.p_min, s.k_min + 1, s.p_max(n) - 1, s.k_max(n), s.p_num(n), s.lower_border_end[0] + 1,
                      s.lower_border_end[1], s.upper_border_begin(n)[0] + 1, s.upper_border_begin(n)[1]],
            "factors": [s.fac_magnitude, s.fac_psd, s.delta_f, s.delta_t], "stft": cases.array(z, 10),
            "spectrogram": cases.array(s.spectrogram(x.T, detr="linear", axis=0), 10)}
    if case["phase_shift"] is None:
        case["phase_shift"] = False
    if s.fft_mode != "twosided":
        case["extent"] = list(s.extent(n, "ft", True))
    if s.invertible:
        case["dual_win"], case["istft"] = cases.array(s.dual_win, 13), cases.array(s.istft(z, 1, n - 1), 10)
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


if __name__ == "__main__":
    short_times()
    cases.write("signal_newer.py", [], short_times=SHORT)

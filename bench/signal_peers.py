"""The equivalents of signal.lua for other libraries, for subject_peers.py."""
import importlib


def makers(length):
    """Inputs by name, as functions of a peer."""
    n, lines = length(1000000), length(1000)

    def noise(p):
        x = p.xp.arange(n) * 12.9898
        return p.xp.sin(x * x)

    return {
        "signal": lambda p: p.spread(n).astype("float64"),
        "signals": lambda p: p.spread(lines, 10000).astype("float64"),
        "taps": lambda p: module(p.xp).firwin(1001, 0.2),
        "sections": lambda p: module(p.xp).butter(6, 0.2, output="sos"),
        "picture_f64": lambda p: p.spread(length(1024), length(1024)).astype("float64"),
        "noise_n": noise,
    }


def module(xp):
    return importlib.import_module("scipy.signal" if xp.__name__ == "numpy" else "cupyx.scipy.signal")


def workloads(length):
    """name, bytes, inputs"""
    long, many, picture = 8 * length(1000000), 80000 * length(1000), 8 * length(1024) ** 2
    return [
        ("signal_fftconvolve_1e6_1001", 2 * long, "signal taps"),
        ("signal_oaconvolve_1e6_1001", 2 * long, "signal taps"),
        ("signal_convolve2d_1024_7", 2 * picture, "picture_f64"),
        ("signal_lfilter_1e6", 2 * long, "signal"),
        ("signal_lfilter_1000_1e4", 2 * many, "signals"),
        ("signal_sosfilt_1e6", 2 * long, "signal sections"),
        ("signal_sosfilt_1000_1e4", 2 * many, "signals sections"),
        ("signal_welch_1e6", long, "signal"),
        ("signal_find_peaks_1e6", long * 5 // 4, "noise_n"),
        ("signal_resample_poly_1e6", long * 5 // 2, "signal"),
    ]


def array_functions(xp):
    """SciPy's and CuPy's; none without SciPy."""
    try:
        ss = module(xp)
    except ImportError:
        return {}
    b, a = xp.asarray([0.1, 0.2, 0.1, 0.05, 0.01]), xp.asarray([1, -0.5, 0.2, -0.1, 0.05])
    return {
        "signal_fftconvolve_1e6_1001": lambda x, h: ss.fftconvolve(x, h, "same"),
        "signal_oaconvolve_1e6_1001": lambda x, h: ss.oaconvolve(x, h, "same"),
        "signal_convolve2d_1024_7": lambda x: ss.convolve2d(x, xp.ones((7, 7)), "same"),
        "signal_lfilter_1e6": lambda x: ss.lfilter(b, a, x),
        "signal_lfilter_1000_1e4": lambda x: ss.lfilter(b, a, x),
        "signal_sosfilt_1e6": lambda x, sos: ss.sosfilt(sos, x),
        "signal_sosfilt_1000_1e4": lambda x, sos: ss.sosfilt(sos, x),
        "signal_welch_1e6": lambda x: ss.welch(x)[1],
        "signal_find_peaks_1e6": lambda x: ss.find_peaks(x, height=0.5, prominence=0.5)[0],
        "signal_resample_poly_1e6": lambda x: ss.resample_poly(x, 3, 2),
    }


def torch_functions(torch):
    return {}

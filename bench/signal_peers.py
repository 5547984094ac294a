"""The equivalents of signal.lua for other libraries, for subject_peers.py."""
import importlib


def makers(length):
    """Inputs by name, as functions of a peer."""
    n, lines = length(1000000), length(1000)

    def noise(p):
        x = p.xp.arange(n) * 12.9898
        return p.xp.sin(x * x)

    return {
        "samples": lambda p: p.spread(n).astype("float64"),
        "signals": lambda p: p.spread(lines, 10000).astype("float64"),
        "filter_taps": lambda p: module(p.xp).firwin(1001, 0.2),
        "sections": lambda p: module(p.xp).butter(6, 0.2, output="sos"),
        "samples_1e7": lambda p: p.spread(length(10000000)).astype("float64"),
        "picture_f64": lambda p: p.spread(length(1024), length(1024)).astype("float64"),
        "noise_n": noise,
    }


def sibling(xp, name):
    return importlib.import_module(("scipy." if xp.__name__ == "numpy" else "cupyx.scipy.") + name)


def module(xp):
    return sibling(xp, "signal")


def workloads(length):
    """name, bytes, inputs"""
    long, many, picture = 8 * length(1000000), 80000 * length(1000), 8 * length(1024) ** 2
    return [
        ("signal_fftconvolve_1e6_1001", 2 * long, "samples filter_taps"),
        ("signal_oaconvolve_1e6_1001", 2 * long, "samples filter_taps"),
        ("signal_convolve2d_1024_7", 2 * picture, "picture_f64"),
        ("signal_lfilter_1e6", 2 * long, "samples"),
        ("signal_lfilter_1e7", 16 * length(10000000), "samples_1e7"),
        ("signal_lfilter_1000_1e4", 2 * many, "signals"),
        ("signal_sosfilt_1e6", 2 * long, "samples sections"),
        ("signal_sosfilt_1000_1e4", 2 * many, "signals sections"),
        ("signal_filtfilt_1e6", 2 * long, "samples"),
        ("signal_savgol_1e6", 2 * long, "samples"),
        ("signal_hilbert_1e6", 3 * long, "samples"),
        ("signal_dct_1000_1e4", 2 * many, "signals"),
        ("signal_spline_filter_1024", 2 * picture, "picture_f64"),
        ("signal_short_time_1e6", 3 * long, "samples"),
        ("signal_welch_1e6", long, "samples"),
        ("signal_find_peaks_1e6", long * 5 // 4, "noise_n"),
        ("signal_resample_poly_1e6", long * 5 // 2, "samples"),
    ]


def array_functions(xp):
    """SciPy's and CuPy's; none without SciPy."""
    try:
        ss = module(xp)
    except ImportError:
        return {}
    b, a = xp.asarray([0.1, 0.2, 0.1, 0.05, 0.01]), xp.asarray([1, -0.5, 0.2, -0.1, 0.05])
    fft, nd = sibling(xp, "fft"), sibling(xp, "ndimage")
    short = {}
    if hasattr(ss, "ShortTimeFFT"):  # SciPy from 1.12 on
        made = ss.ShortTimeFFT(ss.get_window("hann", 1024), 512, 1)
        short["signal_short_time_1e6"] = made.stft
    return {
        **short,
        "signal_lfilter_1e7": lambda x: ss.lfilter(b, a, x),
        "signal_filtfilt_1e6": lambda x: ss.filtfilt(b, a, x),
        "signal_savgol_1e6": lambda x: ss.savgol_filter(x, 31, 3),
        "signal_hilbert_1e6": ss.hilbert,
        "signal_dct_1000_1e4": fft.dct,
        "signal_spline_filter_1024": nd.spline_filter,
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

"""The equivalents of special.lua for other libraries, for subject_peers.py."""
import importlib

OF_SHARES = ("erfinv", "ndtri", "expit")
OF_POINTS = ("erf", "gamma", "gammaln", "digamma", "rgamma", "j0", "i0")
OF_PAIRS = ("beta", "betaln", "binom", "gammainc", "gammaincinv", "jv", "yv", "iv", "kv", "ellipkinc")
OF_TRIPLES = ("betainc", "betaincinv")


def makers(length):
    """Inputs by name, as functions of a peer."""
    many, some = length(1e7), length(1e6)
    return {
        "special_singles": lambda p: p.spread(length(1e8)) * 4 - 2,
        "special_shares": lambda p: p.astype(p.spread(many), "float64") * 0.8 + 0.1,
        "special_points": lambda p: p.astype(p.spread(many), "float64") * 20 + 1,
        "special_orders": lambda p: p.astype(p.spread(some), "float64") * 20 + 0.1,
        "special_parts": lambda p: p.astype(p.spread(some), "float64") * 0.8 + 0.1,
    }


def workloads(length):
    """name, bytes, inputs"""
    many, some = 8 * length(1e7), 8 * length(1e6)
    return ([("special_erf_f32_1e8", 8 * length(1e8), "special_singles")]
            + [(f"special_{name}_1e7", 2 * many, "special_shares") for name in OF_SHARES]
            + [(f"special_{name}_1e7", 2 * many, "special_points") for name in OF_POINTS]
            + [(f"special_{name}_1e6", 3 * some, "special_orders special_parts") for name in OF_PAIRS + OF_TRIPLES])


def array_functions(xp):
    """SciPy's and CuPy's; none without SciPy."""
    try:
        special = importlib.import_module("scipy.special" if xp.__name__ == "numpy" else "cupyx.scipy.special")
    except ImportError:
        return {}
    known = {"special_erf_f32_1e8": special.erf}
    known.update({f"special_{name}_1e7": getattr(special, name, None) for name in OF_SHARES + OF_POINTS})
    known.update({f"special_{name}_1e6": getattr(special, name, None) for name in OF_PAIRS})
    for name in OF_TRIPLES:
        known[f"special_{name}_1e6"] = lambda a, x, fn=getattr(special, name): fn(a, a, x)
    return {name: fn for name, fn in known.items() if fn}


def torch_functions(torch):
    return {}

"""The equivalents of interpolate.lua for other libraries, for subject_peers.py. Objects are made once."""
import importlib

KNOTS, SIDE, POINTS = 1000, 256, 2000


def makers(length):
    """Inputs by name, as functions of a peer."""
    n = length(1000000)
    return {
        "asked": lambda p: p.spread(n).astype("float64") * 1e3 % 1 * (KNOTS - 1),
        "asked_2d": lambda p: p.spread(n, 2).astype("float64") * 1e3 % 1 * (SIDE - 1),
        "at_knots": lambda p: p.xp.arange(KNOTS) * 1.0,
        "of_knots": lambda p: p.xp.sin(p.xp.arange(KNOTS) * 0.05),
        "at_side": lambda p: p.xp.arange(SIDE) * 1.0,
        "of_side": lambda p: p.xp.sin(p.xp.arange(SIDE) * 0.05)[:, None] * p.xp.cos(p.xp.arange(SIDE) * 0.07),
        "sites": lambda p: p.spread(POINTS, 2).astype("float64") * 1e3 % 1,
        "of_sites": lambda p: p.xp.sin(p.xp.arange(POINTS) * 0.3),
        "asked_few": lambda p: p.spread(length(100000), 2).astype("float64") * 1e5 % 1,
    }


def workloads(length):
    """name, bytes, inputs"""
    n, few = 8 * length(1000000), 16 * length(100000)
    line, grid = "at_knots of_knots asked", "at_side of_side asked_2d"
    return [
        ("interpolate_interp1d_1e6", 2 * n, line),
        ("interpolate_cubic_1e6", 2 * n, line),
        ("interpolate_pchip_1e6", 2 * n, line),
        ("interpolate_bspline_1e6", 2 * n, line),
        ("interpolate_grid_linear_1e6", 3 * n, grid),
        ("interpolate_grid_cubic_1e6", 3 * n, grid),
        ("interpolate_rbf_make_2000", 32 * POINTS, "sites of_sites"),
        ("interpolate_rbf_1e5_2000", few * 3 // 2, "sites of_sites asked_few"),
        ("interpolate_rbf_near16_1e5", few * 3 // 2, "sites of_sites asked_few"),
    ]


def array_functions(xp):
    """SciPy's and, where it has them, CuPy's; none without SciPy."""
    try:
        ip = importlib.import_module("scipy.interpolate" if xp.__name__ == "numpy" else "cupyx.scipy.interpolate")
    except ImportError:
        return {}

    def evaluated(name, **options):
        """A function that makes the object at its first call and calls it at each."""
        made = []

        def call(x, y, at):
            if not made:
                made.append(getattr(ip, name)(x, y, **options))
            return made[0](at)
        return call

    def on_grid(method):
        made = []

        def call(x, y, at):
            if not made:
                made.append(ip.RegularGridInterpolator((x, x), y, method))
            return made[0](at)
        return call

    functions = {
        "interpolate_interp1d_1e6": ("interp1d", evaluated("interp1d")),
        "interpolate_cubic_1e6": ("CubicSpline", evaluated("CubicSpline")),
        "interpolate_pchip_1e6": ("PchipInterpolator", evaluated("PchipInterpolator")),
        "interpolate_bspline_1e6": ("make_interp_spline", evaluated("make_interp_spline")),
        "interpolate_grid_linear_1e6": ("RegularGridInterpolator", on_grid("linear")),
        "interpolate_grid_cubic_1e6": ("RegularGridInterpolator", on_grid("cubic")),
        "interpolate_rbf_make_2000": ("RBFInterpolator", lambda x, y: ip.RBFInterpolator(x, y)(x)),
        "interpolate_rbf_1e5_2000": ("RBFInterpolator", evaluated("RBFInterpolator")),
        "interpolate_rbf_near16_1e5": ("RBFInterpolator", evaluated("RBFInterpolator", neighbors=16)),
    }
    return {row: fn for row, (name, fn) in functions.items() if hasattr(ip, name)}


def torch_functions(torch):
    return {}

"""Writes interpolate.lua: what scipy.interpolate gives.

Axes count from 1. A case is a function, its arguments and options, points, and values at them, with those of derivatives and
integrals.
Run: /usr/bin/python3 spec/golden/interpolate.py > spec/golden/interpolate.lua
"""
import numpy as np
import scipy.interpolate as ip

from listing import array, lua

rng = np.random.default_rng(9)
NAN = np.nan


def points(n):
    return np.round(np.cumsum(rng.uniform(0.2, 1.5, n)), 3)


def values(shape, dtype="float64"):
    y = np.round(rng.normal(0, 2, shape), 3)
    if dtype == "complex128":
        y = y + 1j * np.round(rng.normal(0, 2, shape), 3)
    return (y * 2).astype(dtype)


def about(x, count=9):
    """Points inside, at the ends and at points, outside, and NaN."""
    inner = np.round(rng.uniform(x[0], x[-1], count), 3)
    return np.concatenate([inner, [x[0], x[-1], x[len(x) // 2], x[0] - 0.7, x[-1] + 1.3, NAN]])


def shown(value):
    return array(value) if isinstance(value, np.ndarray) else [shown(v) for v in value] \
        if isinstance(value, (list, tuple)) else value


CASES = []


def add(name, args, at, tolerance=1e-11, derivatives=0, limits=None, roots=False, made=None, **options):
    f = made or getattr(ip, name)(*args, **options)
    case = {"name": name, "args": [shown(a) for a in args],
            "options": {k: shown(v + 1 if k == "axis" and v >= 0 else v) for k, v in options.items() if v is not None},
            "at": shown(at), "tolerance": tolerance, "result": array(f(at))}
    if derivatives:
        case["derivatives"] = [array(f(at, nu)) for nu in range(1, derivatives + 1)]
        case["antiderivative"] = array(f.antiderivative()(at))
    if limits:
        case["limits"], case["integral"] = limits, array(f.integrate(*limits))
    if roots:
        case["roots"] = array(np.sort(f.roots()))
    CASES.append(case)


def cubics():
    for n in (2, 3, 4, 9):
        x = points(n)
        for bc in ("not-a-knot", "natural", "clamped"):
            add("CubicSpline", [x, values([n])], about(x), bc_type=bc, derivatives=3, limits=[x[0] + 0.1, x[-1] - 0.05])
        add("CubicSpline", [x, values([n])], about(x), bc_type=[[1, 0.5], [2, -1.25]])
        add("CubicSpline", [x, values([n])], about(x), bc_type=["natural", [1, 2.0]], extrapolate=False)
        y = values([n])
        y[-1] = y[0]
        add("CubicSpline", [x, y], about(x)[:-1], bc_type="periodic", derivatives=2,
            limits=[x[0] - 1, x[-1] + 2 * (x[-1] - x[0]) + 0.3])
        for name in ("PchipInterpolator", "Akima1DInterpolator"):
            if name[0] == "A" and n == 2:
                continue
            add(name, [x, values([n])], about(x), derivatives=2)
            add(name, [x, np.round(values([n]))], about(x))
    x = points(5)
    for dtype in ("float32", "complex128", "int64"):
        at = about(x)[:-1 if dtype == "complex128" else None]  # of NaN SciPy's imaginary part is 0
        add("CubicSpline", [x, values([5], dtype)], at, tolerance=1e-5 if dtype == "float32" else 1e-11)
        if dtype == "float32":  # of which SciPy makes float64
            CASES[-1]["result"]["dtype"] = dtype
    for shape, axis in (([5, 2], 0), ([3, 5], 1), ([2, 5, 3], 1)):
        at = about(x).reshape(3, 5)
        add("CubicSpline", [x, values(shape)], at, axis=axis)
        add("PchipInterpolator", [x, values(shape)], at, axis=axis)
        add("Akima1DInterpolator", [x, values(shape)], at, axis=axis)
    for n in (6, 12):
        x = points(n)
        add("CubicSpline", [x, values([n])], about(x), roots=True)
        add("PchipInterpolator", [x, values([n]) + 0.01], about(x), extrapolate=False)


def polynomials():
    x = points(5)
    for degree in (0, 1, 2, 5):
        c = values([degree + 1, 4])
        add("PPoly", [c, x], about(x), derivatives=2, limits=[x[0], x[-1]], roots=degree > 0, tolerance=1e-9)
        add("PPoly", [values([degree + 1, 4, 2]), x], about(x), extrapolate=False)
    add("PPoly", [values([3, 4]), x], about(x)[:-1], extrapolate="periodic")


def splines():
    for k in (0, 1, 2, 3, 5):
        for n in (k + 1, k + 2, 11):
            if k == 0 and n == 1:
                continue
            x = points(n)
            add("make_interp_spline", [x, values([n]), k], about(x), tolerance=1e-9)
    x = points(8)
    y = values([8, 2])
    add("make_interp_spline", [x, y], about(x).reshape(5, 3), axis=0, derivatives=3, limits=[x[0], x[-1]], tolerance=1e-9)
    add("make_interp_spline", [x, y.T.copy()], about(x), axis=1, tolerance=1e-9)
    for bc in ("natural", "clamped"):
        add("make_interp_spline", [x, values([8])], about(x), bc_type=bc, tolerance=1e-9)
    add("make_interp_spline", [x, values([8])], about(x), bc_type=[[[1, 0.5]], [[2, 1.0]]], tolerance=1e-9)
    add("make_interp_spline", [x, values([8]), 5], about(x), bc_type=[[[1, 0.5], [2, 0.0]], [[1, 1.0], [2, 1.0]]],
        tolerance=1e-8)
    add("make_interp_spline", [x, values([8], "complex128")], about(x)[:-1], tolerance=1e-9)
    add("make_interp_spline", [x, values([8]), 2, np.r_[[x[0]] * 3, (x[1:-2] + x[2:-1]) / 2, [x[-1]] * 3]], about(x),
        tolerance=1e-9)
    for k in (0, 1, 2, 3, 4):
        t = points(8 + 2 * k)
        t = np.sort(np.r_[t, [t[k + 3]] * min(k, 2)])
        c = values([len(t) - k - 1])
        at = about(t[k:len(c) + 1])
        add("BSpline", [t, c, k], at, derivatives=0 if k == 0 else 2, limits=[t[k] + 0.1, t[k] + 2.3], tolerance=1e-9)
        add("BSpline", [t, values([len(c), 3]), k], at, extrapolate=False, tolerance=1e-9)
    add("BSpline", [t, values([2, len(c)]), 4], at, axis=1, tolerance=1e-9)


def lines():
    x = points(7)
    for kind in ("linear", "nearest", "nearest-up", "zero", "slinear", "quadratic", "cubic", "previous", "next", 0, 1, 3):
        y = values([7])
        at = about(x, 10)[:-1]  # SciPy has a value for NaN where a kind only searches
        add("interp1d", [x, y], at, kind=kind, bounds_error=False, tolerance=1e-9)
        add("interp1d", [x, y], at, kind=kind, fill_value="extrapolate", tolerance=1e-9)
        add("interp1d", [x, values([2, 7, 3])], at.reshape(5, 3), kind=kind, axis=1, bounds_error=False,
            fill_value=-1.5, tolerance=1e-9)
    halves = np.arange(6) + 0.5
    for kind in ("nearest", "nearest-up"):
        add("interp1d", [np.arange(7.0), values([7])], halves, kind=kind)
    add("interp1d", [x, values([7])], about(x), bounds_error=False, fill_value=(-1.0, 7.0))
    add("interp1d", [x[::-1].copy(), values([7])], x[2:4] + 0.01)
    add("interp1d", [x, values([7], "complex128")], about(x), bounds_error=False)
    add("interp1d", [x, values([7], "int64")], x[:-1] + 0.1)
    for n in (1, 2, 6):
        x = points(n)
        add("BarycentricInterpolator", [x, values([n])], about(x)[:-1] if n > 1 else np.array([x[0], 3.0]), tolerance=1e-8)
    add("BarycentricInterpolator", [x, values([3, 6, 2])], about(x)[:-1].reshape(7, 2), axis=1, tolerance=1e-8)


def grids():
    for lengths in ([5], [4, 6], [3, 4, 5], [2, 3, 2, 3]):
        axes = [points(n) for n in lengths]
        for method in ("linear", "nearest"):
            at = np.stack([np.round(rng.uniform(a[0], a[-1], 12), 3) for a in axes], -1)
            ends = np.stack([np.array([a[0], a[-1], a[1]]) for a in axes], -1)
            out = np.stack([np.array([a[0] - 1, a[-1] + 0.5, a[1]]) for a in axes], -1)
            inside = np.concatenate([at, ends])
            add("RegularGridInterpolator", [axes, values(lengths)], inside.reshape(3, 5, -1), method=method)
            add("RegularGridInterpolator", [axes, values(lengths + [2])], np.concatenate([inside, out]), method=method,
                bounds_error=False)
            f = ip.RegularGridInterpolator(axes, y := values(lengths), method=method, bounds_error=False, fill_value=None)
            add("RegularGridInterpolator", [axes, y], out, method=method, bounds_error=False, made=f,
                fill_value="extrapolate")
    axes = [points(4)[::-1].copy(), points(5)]
    at = np.stack([np.round(rng.uniform(min(a), max(a), 6), 3) for a in axes], -1)
    add("RegularGridInterpolator", [axes, values([4, 5])], at)


def products():
    """Splines along each axis; newer versions of SciPy solve for cubic and quintic ones only to six digits."""
    for lengths in ([7], [6, 7], [6, 6, 7]):
        axes = [points(n) for n in lengths]
        at = np.stack([np.round(rng.uniform(a[0], a[-1], 6), 3) for a in axes], -1)
        at = np.concatenate([at, np.stack([np.array([a[0] - 0.5, a[-1] + 0.5, a[0], a[-1], a[2]]) for a in axes], -1)])
        for method in ("slinear", "cubic", "quintic", "pchip"):
            y = values(lengths + [2] if method == "cubic" else lengths)
            f = ip.RegularGridInterpolator(axes, y, method=method, bounds_error=False, fill_value=None)
            add("RegularGridInterpolator", [axes, y], at, method=method, bounds_error=False, made=f,
                fill_value="extrapolate", tolerance=1e-9)


def periodic():
    for k in (2, 3, 4, 5):
        for n in (4, 9):
            x, y = points(n), values([n, 2])
            y[-1] = y[0]
            at = np.concatenate([about(x)[:-1], x[:1] + 3.3 * (x[-1] - x[0])])
            add("make_interp_spline", [x, y, k], at, bc_type="periodic", tolerance=1e-9)


def neighbors():
    for d, n in ((1, 8), (2, 15)):
        y, at = values([n, d]), values([4, d])
        for kernel, degree in (("thin_plate_spline", None), ("linear", 1), ("gaussian", -1)):
            add("RBFInterpolator", [y, values([n, 2])], at, neighbors=7, kernel=kernel, degree=degree, epsilon=0.7,
                smoothing=np.arange(n) / 4.0 if d == 1 else 0.0, tolerance=1e-6)
        add("RBFInterpolator", [y, values([n])], at, neighbors=40, tolerance=1e-6)


def scattered():
    for d, n in ((1, 6), (2, 12), (3, 25)):
        y, at = values([n, d]), values([7, d])
        for kernel in ("linear", "thin_plate_spline", "cubic", "quintic", "multiquadric", "inverse_multiquadric",
                       "inverse_quadratic", "gaussian"):
            options = {"epsilon": 0.7} if kernel[:3] in ("mul", "inv", "gau") else {}
            if kernel == "quintic" and d == 3:
                options["epsilon"] = 0.5
            add("RBFInterpolator", [y, values([n])], at, kernel=kernel, tolerance=1e-6, **options)
        add("RBFInterpolator", [y, values([n, 2])], at, smoothing=0.5, tolerance=1e-8)
        add("RBFInterpolator", [y, values([n])], at, kernel="linear", degree=1, tolerance=1e-8)
        add("RBFInterpolator", [y, values([n])], at, kernel="gaussian", epsilon=2.0, degree=-1, tolerance=1e-6)
        if d == 1:
            continue
        add("NearestNDInterpolator", [y, values([n])], at)
        add("NearestNDInterpolator", [y * np.arange(1, d + 1) ** 2, values([n, 2])], at, rescale=True)


for group in (cubics, polynomials, splines, lines, grids, scattered, products, periodic, neighbors):
    start = len(CASES)
    group()
    for each in CASES[start:]:
        each["group"] = group.__name__

print("-- Written by interpolate.py.")
print("return {")
for each in CASES:
    print("  " + lua(each) + ",")
print("}")

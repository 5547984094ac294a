"""Writes sums.lua: what NumPy answers to cumulative sums, differences, integrals, convolutions and interpolation.

A case is a call: name, args, options (axes count from 1) and the result. Simpson's rule and the double trapezoid are not
in NumPy: simpson() below is SciPy 1.11's formula.
Run: python3 spec/golden/sums.py > spec/golden/sums.lua
"""
import numpy as np
from calls import ALL, NUMBERS, case, draw, one_based, rng, write

SHAPES = [([7], None), ([7], 0), ([3, 5], None), ([3, 5], 0), ([3, 5], 1), ([2, 3, 4], 1), ([2, 3, 4], -1), ([0], None),
          ([2, 0], 1), ([], None), ([40, 3], 0)]


def cumulatives():
    functions = {"cumsum": np.cumsum, "cumprod": np.cumprod, "nancumsum": np.nancumsum, "nancumprod": np.nancumprod}
    for name, ufunc in ("cummax", np.maximum), ("cummin", np.minimum):
        functions[name] = lambda x, axis, ufunc=ufunc: ufunc.accumulate(x.reshape(-1) if axis is None else x, axis or 0)
    for number, (name, function) in enumerate(functions.items()):
        for k in range(5):
            dtype = ALL[(3 * number + 5 * k) % len(ALL)]
            shape, axis = SHAPES[(5 * number + k) % len(SHAPES)]
            x = draw(shape, dtype, -2, 3) if name.endswith("prod") else draw(shape, dtype)
            if x.size > 10 and dtype.startswith(("float", "complex")) and name != "cumprod":
                x.reshape(-1)[[3, 8]] = np.nan
            if name.endswith("prod"):
                x = x[..., :4] if x.ndim else x
            yield case(name, [x], function(x, axis), axis=one_based(axis))
    x = draw([4], "int8")
    yield case("cumsum", [x], np.cumsum(x, dtype="int8"), dtype="int8")
    yield case("cumprod", [x.astype("float32")], np.cumprod(x.astype("float32"), dtype="float64"), dtype="float64")
    yield from with_initials()


def with_initials():
    """NumPy 2's cumulative_sum and cumulative_prod, of which NumPy 1.24 has the part without the initial value."""
    for name, function, initial in ("cumulative_sum", np.cumsum, 0), ("cumulative_prod", np.cumprod, 1):
        for dtype, axis in (("int8", 0), ("uint16", 1), ("float64", -1), ("complex64", 0), ("bool", 1)):
            x = (np.arange(12) * 7 % 5 - (dtype[0] != "u") * 2).reshape(3, 4).astype(dtype)
            result = function(x, axis)
            first = np.full_like(result.take([0], axis), initial)
            yield case(name, [x], result, axis=one_based(axis))
            yield case(name, [x], np.concatenate([first, result], axis), axis=one_based(axis), include_initial=True)


def differences():
    for k in range(14):
        dtype, n = ALL[k % len(ALL)], [1, 2, 1, 3, 10][k % 5]
        shape, axis = [([14], -1), ([4, 13], 1), ([12, 3], 0), ([2, 11, 2], 1)][k % 4]
        x = draw(shape, dtype)
        yield case("diff", [x], np.diff(x, n, axis), n=n, axis=one_based(axis))
    for k in range(9):
        dtype, n = NUMBERS[(4 * k) % len(NUMBERS)], 1 + k % 3
        shape, axis = [([5], 0), ([3, 4], 1), ([2, 3], 0)][k % 3]
        x, beside = draw(shape, dtype), list(shape)
        beside[axis] = k % 4
        prepend = draw(beside, dtype) if k != 4 else None
        append = draw(shape, "int8" if dtype.startswith("int") else dtype) if k % 2 else None
        kept = {name: v for name, v in (("prepend", prepend), ("append", append)) if v is not None}
        yield case("diff", [x], np.diff(x, n, axis, **kept), n=n, axis=one_based(axis), **kept)
    for k in range(8):
        x = draw([[6], [2, 3], [1], [0]][k % 4], NUMBERS[5 * k % len(NUMBERS)])
        ends = [draw([k % 3], str(x.dtype)), draw([2], str(x.dtype))]
        yield case("ediff1d", [x], np.ediff1d(x, ends[0], ends[1]), to_end=ends[0], to_begin=ends[1])
        yield case("ediff1d", [x], np.ediff1d(x))


def gradients():
    for k in range(6):
        dtype = ["float64", "int16", "complex64", "float32", "float16", "uint8"][k]
        f = draw([[9], [4, 5], [5, 3, 4]][k // 2], dtype)
        order = 1 + k % 2
        spacing = [[], [2.5]][k // 3 % 2]
        axes = None if k % 4 else -1
        result = np.gradient(f, *spacing, axis=axes, edge_order=order)
        yield case("gradient", [f] + spacing, result, axis=one_based(axes), edge_order=order)
    for k in range(2):
        f = draw([4, 6], ["float64", "complex64"][k])
        x = np.cumsum(rng.integers(1, 4, 6)).astype(["float64", "int32", "int8"][k % 3])
        y = np.cumsum(rng.integers(1, 4, 4)) * 0.5
        order = 1 + k % 2
        yield case("gradient", [f, y, x], np.gradient(f, y, x, edge_order=order), edge_order=order)
        yield case("gradient", [f, 0.5, y], np.gradient(f, 0.5, y, axis=(1, 0), edge_order=order), axis=[2, 1],
                   edge_order=order)
    f = draw([2, 3], "float64")
    yield case("gradient", [f], np.gradient(f))


def crosses():
    for k in range(16):
        dtype, other = NUMBERS[k % len(NUMBERS)], NUMBERS[(k * 7) % len(NUMBERS)]
        m, n = [(3, 3), (2, 3), (3, 2), (2, 2)][k % 4]
        a, b = draw([[m], [4, m], [2, 1, m]][k % 3], dtype), draw([[n], [4, n]][k % 2], other)
        yield case("cross", [a, b], np.cross(a, b))
    a, b = draw([3, 5], "float64"), draw([5, 3], "float64")
    yield case("cross", [a, b], np.cross(a, b, 0, 1, 0), axisa=1, axisb=2, axisc=1)
    yield case("cross", [a, a[:, ::-1]], np.cross(a, a[:, ::-1], axis=0), axis=1)


def quotient(over, under):
    return np.true_divide(over, under, out=np.zeros_like(under), where=under != 0)


def stripes(y, h0, h1):
    total, product, ratio = h0 + h1, h0 * h1, quotient(h0, h1)
    return (total / 6 * (y[:-2:2] * (2 - quotient(np.ones_like(ratio), ratio))
                         + y[1:-1:2] * total * quotient(total, product) + y[2::2] * (2 - ratio))).sum(0)


def simpson(y, x=None, dx=1.0, axis=-1):
    """scipy.integrate.simpson of 1.11: Cartwright's correction for the last interval of an even number of points."""
    y = np.moveaxis(np.asarray(y, np.result_type(y, 1.0)), axis, 0)
    n = len(y)
    if x is None:
        x = np.arange(n) * dx
    x = np.asarray(x, float)
    x = np.moveaxis(x, axis, 0) if x.ndim > 1 else x.reshape([-1] + [1] * (y.ndim - 1))
    h = np.broadcast_to(np.diff(x, axis=0), (max(n - 1, 0),) + y.shape[1:]).astype(float)
    if n == 2:
        return 0.5 * h[0] * (y[0] + y[1])
    if n % 2:
        return stripes(y, h[:-1:2], h[1::2]) if n > 1 else y[0] * 0
    a, b = h[-2], h[-1]
    alpha, beta = quotient(2 * b ** 2 + 3 * a * b, 6 * (b + a)), quotient(b ** 2 + 3.0 * a * b, 6 * a)
    eta = quotient(b ** 3, 6 * a * (a + b))
    return stripes(y[:-1], h[:-2:2], h[1:-1:2]) + alpha * y[-1] + beta * y[-2] - eta * y[-3]


def integrals():
    for k in range(7):
        dtype = ["float64", "float32", "int16", "complex128", "float16", "bool", "float64"][k]
        shape, axis = [([9], -1), ([4, 6], 1), ([5, 3], 0), ([2], 0), ([1, 3], 1), ([8], 0), ([0, 3], 0)][k]
        y, count = draw(shape, dtype), shape[axis]
        x = np.cumsum(rng.integers(1, 4, count)).astype(["float64", "float32", "int64"][k % 3])
        floats = y.astype("float64") if dtype in ("int16", "bool", "uint8") else y
        for name, function in ("trapezoid", np.trapz), ("simpson", simpson):
            if name == "simpson" and count < 1:
                continue
            kind = np.trapz(y).dtype
            yield case(name, [y], np.asarray(function(floats, dx=0.5, axis=axis)).astype(kind), dx=0.5,
                       axis=one_based(axis))
            kind = np.trapz(draw([2], dtype), x.dtype.type([1, 2])).dtype
            yield case(name, [y, x], np.asarray(function(floats.astype(kind), x, axis=axis)).astype(kind),
                       axis=one_based(axis))
    y = draw([3, 4, 5], "float64")
    x = np.cumsum(rng.integers(1, 4, [3, 1, 5]), -1) * 1.0
    yield case("trapezoid", [y, x], np.trapz(y, np.broadcast_to(x, y.shape)))
    yield case("simpson", [y, x], simpson(y, np.broadcast_to(x, y.shape)))
    y = np.array([0.0, 1, 1, 4, 9])
    yield case("simpson", [y, np.array([0.0, 1, 1, 2, 3])], simpson(y, np.array([0.0, 1, 1, 2, 3])))
    for k in range(4):
        z = draw([[4, 5], [2, 3, 4], [6, 2], [3, 3]][k], ["float64", "int32", "float32", "complex64"][k])
        x, y = np.cumsum(rng.integers(1, 4, z.shape[-1])) * 0.5, np.cumsum(rng.integers(1, 4, z.shape[-2])) * 0.25
        kind = z.dtype if z.dtype.kind in "fc" else np.dtype("float64")
        yield case("trapz2d", [z], np.asarray(np.trapz(np.trapz(z, dx=0.5), dx=0.25)).astype(kind), dx=0.5, dy=0.25)
        yield case("trapz2d", [z, x, y], np.trapz(np.trapz(z, x), y))


def convolutions():
    for k in range(14):
        dtype, mode = ALL[k], ["full", "same", "valid"][k % 3]
        m, n = [(9, 3), (3, 8), (6, 6), (1, 5), (7, 2), (4, 1)][k % 6]
        a, v = draw([m], dtype), draw([n], dtype)
        yield case("convolve", [a, v], np.convolve(a, v, mode), mode=mode)
        yield case("correlate", [a, v], np.correlate(a, v, mode), mode=mode)
    a, v = draw([6], "int8"), draw([3], "uint16")
    yield case("convolve", [a, v], np.convolve(a, v))
    a, v = np.array([1.0, np.inf, 2, 3, np.nan, 1]), np.array([1.0, 0, np.inf])
    yield case("convolve", [a, v], np.convolve(a, v))


def interpolations():
    for k in range(12):
        count = [1, 2, 5, 9, 40][k % 5]
        xp = np.cumsum(rng.integers(1, 5, count) * (1 if k % 2 else 0.25 ** rng.integers(0, 4, count)))
        xp = xp.astype(["float64", "float32", "int64", "int16"][k % 4])
        fp = draw([count], ["float64", "int32", "complex128", "float32"][k % 4])
        x = np.concatenate([rng.random(40) * (xp[-1] + 2) - 1, xp, [np.nan, np.inf, -np.inf]])
        if k % 3:
            x = np.sort(x)
        if k % 4 == 1:
            x = x[:40].reshape(4, 10).astype("float32")
        for ends in {}, {"left": -7, "right": 8}:
            result = np.interp(x, xp, fp, **ends)
            yield case("interp", [x, xp, fp], np.where(np.isnan(x), np.nan, result), **ends)  # of one point NumPy's is fp
    for k in range(4):
        xp, fp = rng.random([1, 3, 17, 64][k]) * 20, draw([[1, 3, 17, 64][k]], ["float64", "complex64"][k % 2])
        x = rng.random(30) * 60 - 30
        yield case("interp", [x, xp, fp], np.interp(x, xp, fp, period=7), period=7)
    xp, fp = np.array([1.0, 2, 2, 3]), np.array([0.0, np.inf, 5, 5])
    x = np.array([1, 1.5, 2, 2.5, 3, 0, 4])
    yield case("interp", [x, xp, fp], np.interp(x, xp, fp))


write("sums.py", [cumulatives, differences, gradients, crosses, integrals, convolutions, interpolations])

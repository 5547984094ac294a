"""Writes logic.lua: what NumPy answers to isclose, nan_to_num and unwrap.

Run: python3 spec/golden/logic.py > spec/golden/logic.lua
"""
import os
os.environ["NPY_PROMOTION_STATE"] = "weak"
import numpy as np  # noqa: E402

from listing import array, write  # noqa: E402

rng = np.random.default_rng(43)
DTYPES = "float64 float32 int32 complex128 float16 complex64 uint8 bool".split()
ODD = [np.nan, np.inf, -np.inf, 0.0]


def draw(shape, dtype, odd=True):
    x = rng.normal(0, 5, shape)
    if dtype[0] in "iub":
        return np.abs(x).astype(dtype)
    if odd:
        x = np.where(rng.random(shape) < 0.4, rng.choice(ODD, shape), x)
    if dtype[0] == "c":
        y = np.where(rng.random(shape) < 0.2, rng.choice(ODD, shape), rng.normal(0, 1, shape))
        z = np.empty(shape, dtype)
        z.real, z.imag = x, y
        return z
    return x.astype(dtype)


def closeness():
    for case in range(24):
        a = draw([4, 6], DTYPES[case % 8])
        b = (a[0:1] if case % 3 == 0 else a).copy()
        if b.dtype.kind in "fc":
            b = b * b.dtype.type(1 + [1e-9, 1e-3, 0.05][case % 3])
        b = np.where(rng.random(b.shape) < 0.3, b.dtype.type(1), b)
        given = {"rtol": [1e-5, 0.01, 0.02][case // 2 % 3], "atol": [1e-8, 0.0, 0.5][case // 3 % 3],
                 "equal_nan": case % 2 == 0}
        with np.errstate(all="ignore"):
            found = np.isclose(a, b, **given)
        yield {"a": array(a), "b": array(b), **given, "result": array(found)}


def replacements():
    for case in range(16):
        x = draw([3, 5], DTYPES[case % 8])
        given = {"nan": [None, 2.5][case // 8], "posinf": [None, 100.0][case % 3 % 2], "neginf": [None, -7.0][case % 2]}
        found = np.nan_to_num(x, **{k: v for k, v in given.items() if v is not None})
        yield {"x": array(x), **given, "result": array(found)}


def phases():
    for case in range(16):
        x = draw([[9], [4, 5], [3, 4, 5], [1, 3]][case % 4], DTYPES[[0, 1, 2, 4][case // 4]], False) * 3
        x = x.astype(DTYPES[[0, 1, 2, 4][case // 4]])
        axis = [-1, 0, 1, 0][case % 4]
        given = {"period": [None, 6, 7, 2.5][(case + case // 4) % 4], "discont": [None, None, 4.0][case % 3]}
        found = np.unwrap(x, axis=axis, **{k: v for k, v in given.items() if v is not None})
        yield {"x": array(x), "axis": axis + 1 if axis >= 0 else axis, **given, "result": array(found)}


write("logic", closeness=closeness(), replacements=replacements(), phases=phases())

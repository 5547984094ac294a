"""Writes polynomial.lua: what NumPy answers to functions of polynomials.

Run: python3 spec/golden/polynomial.py > spec/golden/polynomial.lua
"""
import os
os.environ["NPY_PROMOTION_STATE"] = "weak"
import numpy as np  # noqa: E402

from listing import array, write  # noqa: E402

rng = np.random.default_rng(45)
DTYPES = "float64 int64 complex128 float32 uint8 int32".split()


def draw(shape, dtype):
    if dtype[0] == "c":
        return (rng.normal(0, 2, shape) + 1j * rng.normal(0, 2, shape)).astype(dtype)
    return np.abs(rng.normal(4, 2, shape)).astype(dtype) + np.array(1, dtype)


def pairs():
    for case in range(18):
        a = draw([1, 4, 7, 2][case % 4], DTYPES[case % 6])
        b = draw([3, 1, 7, 5][case // 3 % 4], DTYPES[case // 2 % 6])
        yield {"a": array(a), "b": array(b), "sum": array(np.polyadd(a, b)), "difference": array(np.polysub(a, b)),
               "product": array(np.polymul(a, b))}


def values():
    for case in range(18):
        p, x = draw([1, 4, 13, 14, 30][case % 5], DTYPES[case % 6]), draw([[], [5], [2, 3]][case % 3], DTYPES[case // 3])
        x = x / 8 if x.dtype.kind in "fc" else x
        x = x.astype(DTYPES[case // 3])
        yield {"p": array(p), "x": array(x), "result": array(np.polyval(p, x))}


def calculus():
    for case in range(12):
        p, m = draw([1, 4, 6][case % 3], DTYPES[case % 6]), case % 4
        k = [None, 3.0][case % 2]
        yield {"p": array(p), "m": m, "k": k, "derivative": array(np.polyder(p, m)),
               "integral": array(np.polyint(p, m, k))}


def roots():
    pair = draw(2, "complex128")
    for r in (draw(4, "float64"), draw(3, "int32"), draw(3, "complex128"), np.concatenate([pair, pair.conj()]),
              np.array([2.0])):
        yield {"roots": array(r), "result": array(np.poly(r))}


def powers():
    for case in range(10):
        x, n = draw([3, 5, 1][case % 3], DTYPES[case % 6]), [None, 4, 0, 1][case % 4]
        yield {"x": array(x), "n": n, "increasing": case % 2 == 0, "result": array(np.vander(x, n, case % 2 == 0))}


write("polynomial", pairs=pairs(), values=values(), calculus=calculus(), roots=roots(), powers=powers())

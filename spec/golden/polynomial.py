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


def solved():
    for k, p in enumerate([[1, -6, 11, -6], [0, 0, 2, 1, 0, 0], [3, 0, 3], [5], [1, 2, 3, 4, 5], [1, 1j, 2]]):
        p = np.array(p, dtype="complex128" if k == 5 else ["float64", "int64", "float32"][k % 3])
        roots = np.roots(p)
        yield {"p": array(p), "roots": array(np.sort_complex(roots).astype(np.result_type(roots, "complex64")))}


def characteristic():
    for dtype in DTYPES[:3]:
        a = draw([4, 4], dtype)
        yield {"a": array(a), "result": array(np.poly(a))}
    yield {"a": array(np.array([[0., 1], [-1, 0]])), "result": array(np.poly(np.array([[0., 1], [-1, 0]])))}


def fits():
    for case in range(6):
        x, y = np.linspace(-1, 2, 7), draw([[7], [7, 2]][case % 2], ["float64", "int32", "complex128"][case % 3])
        w, deg = [None, np.arange(1.0, 8)][case // 3], case % 4
        if case == 4:
            x = np.arange(7)
        c, residuals, rank, s, _ = np.polyfit(x, y, deg, full=True, w=w)
        real = lambda a: a.real if np.iscomplexobj(a) else a  # noqa: E731
        yield {"x": array(x), "y": array(y), "deg": deg, "w": None if w is None else array(w), "c": array(c),
               "residuals": array(residuals), "rank": array(np.asarray(rank, "int64")), "s": array(s),
               "scaled": array(real(np.polyfit(x, y, deg, w=w, cov=True)[1])),
               "unscaled": array(real(np.polyfit(x, y, deg, w=w, cov="unscaled")[1]))}


write("polynomial", pairs=pairs(), values=values(), calculus=calculus(), roots=roots(), powers=powers(),
      solved=solved(), characteristic=characteristic(), fits=fits())

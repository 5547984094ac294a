"""Writes histogram.lua: what NumPy answers to histograms and bincount.

bincount's slots begin with 1: x is NumPy's plus one. Counts of several axes are int64 here, float64 in NumPy. The rules'
numbers of bins are NumPy 2's; it differs from 1.24 for integers, which are left out.
Run: python3 spec/golden/histogram.py > spec/golden/histogram.lua
"""
import warnings

import numpy as np

from listing import array, write

warnings.simplefilter("ignore")
rng = np.random.default_rng(31)
DTYPES = "float64 float32 int64 uint8 float16 bool".split()
WEIGHTS = [None, "float64", "int32", None, "complex128", "float32"]
RULES = "sqrt sturges rice scott stone doane fd auto".split()


def draw(n, dtype):
    if dtype == "bool":
        return rng.integers(0, 2, n).astype(bool)
    if dtype[0] == "f":
        return (rng.normal(0, 2, n)).astype(dtype)
    return rng.integers(0 if dtype[0] == "u" else -20, 50, n).astype(dtype)


def weight(n, dtype):
    if dtype is None:
        return None
    w = rng.integers(1, 9, n)
    return (w + 1j * rng.integers(1, 9, n)).astype(dtype) if dtype[0] == "c" else w.astype(dtype)


def described(w):
    return None if w is None else array(w)


def ones():
    for case in range(42):
        dtype, shape = DTYPES[case % 6], [[50], [3, 20], [1], [0], [90], [2, 3, 4], [45]][case % 7]
        x = draw(shape, dtype)
        w = weight(shape, WEIGHTS[case // 7])
        bins = [10, 1, 7, [-3, -1, 0, 0.5, 4], [0, 10, 20], 40][case // 3 % 6]
        span = None if case % 2 or isinstance(bins, list) else (-1.5, 3)
        of = x.astype(np.uint8) if dtype == "bool" else x
        density = case % 5 == 4 and WEIGHTS[case // 7] != "complex128" and len(x.reshape(-1)) > 40
        hist, edges = np.histogram(of, bins, span, weights=w, density=density)
        tie = np.isin(of.astype(float), edges[1:-1].astype(float)).any() and not isinstance(bins, list)
        if dtype[0] == "f" and tie:
            continue
        yield {"x": array(x), "weights": described(w), "bins": bins, "range": span, "density": density,
               "hist": array(hist), "edges": array(edges)}


def rules():
    for case in range(24):
        x = draw([5, 40, 150, 1][(case + case // 8) % 4], "float64") if case != 3 else np.ones(9)
        span = (-1, 2.5) if case % 3 == 0 else None
        yield {"x": array(x), "rule": RULES[case % len(RULES)], "range": span,
               "edges": array(np.histogram_bin_edges(x, RULES[case % len(RULES)], span))}


def grids():
    for case in range(15):
        d, n = [2, 3, 1, 4, 5][case % 5], [40, 7, 60][case % 3]
        x = draw([n, d], ["float64", "float32", "int32"][case % 3])
        w = weight(n, [None, "float64", "int64"][case % 3])
        bins = [3, [2 + k for k in range(d)], [[-2, 0, 1, 30]] * d][case % 3]
        span = [(-3, 4)] * d if case % 4 == 1 else None
        density = case % 4 == 2
        hist, edges = np.histogramdd(x, bins, span, weights=w, density=density)
        yield {"x": array(x), "weights": described(w), "bins": bins, "range": span, "density": density,
               "hist": array(hist), "edges": [array(e) for e in edges]}


def counts():
    for case in range(18):
        dtype, n = "int64 uint8 float64 int32 uint64 float32".split()[case % 6], [30, 0, 90, 1][case % 4]
        x = rng.integers(0, 12, n)
        w = weight(n, [None, "float64", "int16"][case % 3])
        least = [0, 20, 3][case // 3 % 3]
        yield {"x": array((x + 1).astype(dtype)), "weights": described(w), "minlength": least,
               "result": array(np.bincount(x, w, least))}


write("histogram", ones=ones(), rules=rules(), grids=grids(), counts=counts())

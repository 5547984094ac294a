"""Writes statistics.lua: what NumPy answers to average, cov and corrcoef.

Run: python3 spec/golden/statistics.py > spec/golden/statistics.lua
"""
import warnings

import numpy as np

from listing import array, write

warnings.simplefilter("ignore")
rng = np.random.default_rng(41)
DTYPES = "float64 int32 float32 complex128 uint8 bool complex64 float16".split()


def draw(shape, dtype):
    if dtype[0] == "c":
        return (rng.normal(0, 2, shape) + 1j * rng.normal(0, 2, shape)).astype(dtype)
    return rng.integers(0, 2, shape).astype(bool) if dtype == "bool" else \
        (np.abs(rng.normal(5, 2, shape)) if dtype[0] == "u" else rng.normal(0, 5, shape)).astype(dtype)


def averages():
    for case in range(32):
        dtype, shape = DTYPES[case % 8], [[6], [3, 4], [2, 3, 4], [], [30, 5]][case % 5]
        x, axis, w = draw(shape, dtype), None, None
        if shape and case % 3:
            axis = int(rng.integers(0, len(shape)))
        if case % 2:
            w = rng.integers(1, 6, [shape[axis]] if axis is not None and case % 4 == 1 else shape)
            w = w.astype(["float64", "int64", "float32"][case // 2 % 3])
        found, total = np.average(x, axis, w, returned=True)
        yield {"x": array(x), "axis": None if axis is None else axis + 1, "weights": None if w is None else array(w),
               "result": array(found), "sum": array(total)}


def covariances():
    for case in range(24):
        dtype, shape = DTYPES[case % 7], [[3, 8], [5, 3], [7], [1, 6], [4, 1]][case % 5]
        x = draw(shape, dtype)
        columns = case % 4 == 3 and len(shape) == 2
        y = draw(shape, dtype) if case % 3 == 1 else None
        count = shape[0] if columns and shape[0] != 1 else shape[-1]
        given = {"rowvar": not columns, "bias": case % 5 == 0, "ddof": [None, None, 0, 2][case % 4]}
        if case % 2:
            given["fweights"] = rng.integers(1, 4, count)
        if case % 6 > 2:
            given["aweights"] = rng.integers(1, 5, count) / 2
        weights = {k: array(given[k]) for k in ("fweights", "aweights") if k in given}
        found = np.cov(x, y, **given)
        yield {"x": array(x), "y": None if y is None else array(y), "rowvar": given["rowvar"], "bias": given["bias"],
               "ddof": given["ddof"], "weights": weights, "result": array(found),
               "correlations": array(np.corrcoef(x, y, given["rowvar"]))}


write("statistics", averages=averages(), covariances=covariances())

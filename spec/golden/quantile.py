"""Writes quantile.lua: NumPy's medians, quantiles and percentiles, with and without NaN.

NumPy 2.1's closest_observation, which 1.24 gives other elements for, is written by hand; so is the dtype of results: a
number q leaves float32 and float16 as they are, as in NumPy 2.

Run: python3 spec/golden/quantile.py > spec/golden/quantile.lua
"""
import warnings

import numpy as np
from numpy.lib import function_base

from listing import array, write

warnings.simplefilter("ignore")
rng = np.random.default_rng(5)
METHODS = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen",
           "weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"]
ELEMENTS = ["inverted_cdf", "closest_observation", "lower", "higher", "nearest"]
DTYPES = ["float64", "float32", "int64", "uint8", "float16", "int8", "uint64"]
SHAPES = [([7], None), ([4, 5], None), ([4, 5], 1), ([4, 5], 0), ([2, 3, 4], (0, 2)), ([3, 2, 6], -1), ([], None),
          ([10], 0), ([1], None), ([2, 3, 4], (0, 1, 2)), ([0, 3], -1), ([2, 2], ())]
CHOICES = [0.5, [0.0, 0.25, 1.0], 0.3, [[0.1, 0.9], [0.5, 0.75]], 0.0, [0.2], 1.0, []]

function_base._closest_observation = lambda n, q: np.maximum(np.rint(n * q) - 1, 0).astype(np.intp)


def draw(shape, dtype, nans):
    values = rng.integers(0, 60, shape) if dtype[0] == "u" else rng.integers(-60, 60, shape)
    values = np.asarray(values / 4 if dtype[0] == "f" else values).astype(dtype)
    if nans and dtype[0] == "f" and values.size > 1:
        flat = values.reshape(-1)
        flat[rng.integers(0, values.size, max(values.size // 4, 1))] = np.nan
    return values


def places(axis):
    if axis is None:
        return None
    return [k + 1 if k >= 0 else k for k in axis] if isinstance(axis, tuple) else axis + 1 if axis >= 0 else axis


def quantiles():
    number = 0
    for method in METHODS:
        for repeat in range(6):
            dtype, (shape, axis) = DTYPES[number % len(DTYPES)], SHAPES[number % len(SHAPES)]
            q, keepdims = CHOICES[(number + repeat) % len(CHOICES)], number % 3 == 0
            x = draw(shape, dtype, number % 2 == 0)
            wide = x if method in ELEMENTS else x.astype("float64")  # NumPy's differences of uint8 wrap
            result = np.asarray(np.quantile(wide, q, axis=axis, method=method, keepdims=keepdims))
            without = np.asarray(np.nanquantile(wide, q, axis=axis, method=method, keepdims=keepdims))
            if method in ELEMENTS or dtype[0] == "f" and not isinstance(q, list):
                result, without = result.astype(dtype), without.astype(dtype)
            yield {"x": array(x), "q": q, "axis": places(axis), "method": method, "keepdims": keepdims,
                   "result": array(result), "without": array(without)}
            number += 1


def medians():
    for number, dtype in enumerate((DTYPES + ["bool", "complex128", "complex64"]) * 3):
        shape, axis = SHAPES[number % len(SHAPES)]
        if shape == [0, 3]:
            shape = [3, 0]
        x = draw(shape, "float64", number % 2 == 0 and dtype[0] == "f")
        if dtype[0] == "c":
            x = x + 1j * draw(shape, "int8", False)
        x = np.abs(x).astype(dtype) if dtype[0] == "u" else x.astype(dtype)
        keepdims = number % 2 == 0
        yield {"x": array(x), "axis": places(axis), "keepdims": keepdims,
               "result": array(np.median(x, axis=axis, keepdims=keepdims)),
               "without": array(np.nanmedian(x, axis=axis, keepdims=keepdims))}


write("quantile", quantiles=quantiles(), medians=medians())

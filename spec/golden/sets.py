"""Writes sets.lua: what NumPy answers about arrays as sets; a position is NumPy's plus one, an inverse has x's shape.

Run: python3 spec/golden/sets.py > spec/golden/sets.lua
"""
import numpy as np

from listing import array, write

rng = np.random.default_rng(8)
PAIRS = [("float64", "float64"), ("int64", "int64"), ("float32", "float32"), ("int8", "uint8"), ("float16", "float32"),
         ("int32", "float64"), ("uint64", "uint64"), ("bool", "int16"), ("complex128", "complex128"),
         ("complex64", "float32"), ("bool", "bool")]
SHAPES = [[7], [0], [3, 40], [1], [200], [2, 3, 5], []]


def draw(shape, dtype):
    values = rng.integers(0, 2, shape) if dtype == "bool" else rng.integers(0 if dtype[0] == "u" else -9, 10, shape)
    if dtype[0] == "c":
        values = values // 4 + 1j * rng.integers(-1, 2, shape)
    values = np.asarray(values / 2 if dtype[0] in "fc" else values).astype(dtype)
    if dtype[0] in "fc" and values.size > 2:
        values.reshape(-1)[:4] = [np.nan, np.inf, -0.0, np.nan][:min(values.size, 4)]
    return values


def pairs():
    for case in range(33):
        first, second = PAIRS[case % len(PAIRS)]
        a, b = draw(SHAPES[case % len(SHAPES)], first), draw(SHAPES[(case // 2 + 3) % len(SHAPES)], second)
        common, in_a, in_b = np.intersect1d(a, b, return_indices=True)
        different = rng.permutation(np.unique(a))
        yield {"different": array(different), "a": array(a), "b": array(b), "isin": array(np.isin(a, b)), "isnot": array(np.isin(a, b, invert=True)),
               "in1d": array(np.in1d(a, b)), "common": array(common), "in_a": array(in_a + 1), "in_b": array(in_b + 1),
               "difference": array(np.setdiff1d(a, b)), "left": array(np.setdiff1d(different, b, assume_unique=True)),
               "either": array(np.setxor1d(a, b)), "union": array(np.union1d(a, b))}


def uniques():
    for case, dtype in enumerate(["float64", "complex128", "bool", "int8", "float32", "uint16", "complex64"] * 2):
        x = draw([[12], [3, 4], [0], [5, 2], [2, 3, 2], []][case % 6], dtype)
        equal_nan = case % 3 > 0
        values, index, inverse, counts = np.unique(x, True, True, True, equal_nan=equal_nan)
        yield {"x": array(x), "equal_nan": equal_nan, "values": array(values), "index": array(index + 1),
               "inverse": array(inverse.reshape(x.shape) + 1), "counts": array(counts)}
    for case, dtype in enumerate(["float64", "int64", "bool", "uint8"]):
        x, axis = rng.integers(0, 2, [4, 2, 3]).astype(dtype), case % 3
        values, index, inverse, counts = np.unique(x, True, True, True, axis=axis)
        yield {"x": array(x), "axis": axis + 1, "values": array(values), "index": array(index + 1),
               "inverse": array(inverse + 1), "counts": array(counts)}


write("sets", pairs=pairs(), uniques=uniques())

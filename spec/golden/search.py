"""Writes search.lua: what NumPy answers to searchsorted and digitize; a position is NumPy's plus one.

Run: python3 spec/golden/search.py > spec/golden/search.lua
"""
import numpy as np

from listing import array, write

rng = np.random.default_rng(21)
PAIRS = [("float64", "float64"), ("float32", "float32"), ("int64", "int64"), ("int8", "uint8"), ("float16", "float32"),
         ("int32", "float64"), ("uint64", "int64"), ("bool", "int16"), ("complex128", "complex128"),
         ("complex64", "float32")]
SHAPES = [[0], [], [1], [7], [33], [3, 40], [2, 3, 5]]


def draw(shape, dtype):
    values = rng.integers(0, 2, shape) if dtype == "bool" else rng.integers(0 if dtype[0] == "u" else -9, 10, shape)
    if dtype[0] == "c":
        values = values + 1j * rng.integers(-1, 2, shape)
    values = np.asarray(values / 2 if dtype[0] in "fc" else values).astype(dtype)
    if dtype[0] in "fc" and values.size > 2:
        values.reshape(-1)[:3] = [np.nan, np.inf, -np.inf]
    return values


def sorts():
    for case in range(40):
        a_dtype, v_dtype = PAIRS[case % len(PAIRS)]
        a = draw([[1], [0], [2], [5], [20], [200]][case % 6], a_dtype)
        v, side = draw(SHAPES[case % len(SHAPES)], v_dtype), ["left", "right"][case % 2]
        order = np.argsort(a, kind="stable")
        yield {"a": array(np.sort(a)), "v": array(v), "side": side,
               "result": array(np.searchsorted(np.sort(a), v, side) + 1), "unsorted": array(a),
               "sorter": array(order + 1), "by_sorter": array(np.searchsorted(a, v, side, sorter=order) + 1)}


def bins():
    for case in range(30):
        x_dtype, b_dtype = PAIRS[case % 8]
        edges = np.sort(draw([[1], [2], [5], [20], [0], [6]][case % 6], b_dtype))
        edges = edges[~np.isnan(edges)] if b_dtype[0] == "f" else edges
        edges = edges[::-1] if case % 4 > 1 else edges
        x = draw(SHAPES[case % len(SHAPES)], x_dtype)
        yield {"x": array(x), "bins": array(edges), "right": case % 3 == 0,
               "result": array(np.digitize(x, edges, case % 3 == 0) + 1)}


write("search", sorts=sorts(), bins=bins())

"""Writes sort.lua: orders, groups and set operations as NumPy has them.

    python3 spec/golden/sort.py > spec/golden/sort.lua

The values of a case are listed once, element i of an array of any shape is values[i % len]. Positions count from 1. By
hand: descending orders are stable and have NaN last, which NumPy lacks; NumPy has no bfloat16, but its order is that of
the same values in float32; the inverse of unique has the array's shape, as in NumPy 2.
"""
import math

import numpy as np

from listing import listing

nan, inf = float("nan"), float("inf")
SIGNED = [3, -2, 0, 5, 1, -7, 4, 4, -1, 6, 2, -128, 127, 0, -7]
UNSIGNED = [3, 2, 0, 255, 1, 7, 4, 4, 9, 6, 2, 128, 127]
FLOATS = [1.5, -2, 0.25, nan, -0.0, 7, -inf, 0.0, inf, -6, nan, 2, 1.5, -0.0]
COMPLEX = [1 + 2j, complex(nan, 1), 3 - 1j, complex(1, nan), 1 - 2j, complex(nan, nan), 1j, complex(nan, -1), 1 + 2j,
           complex(0, nan), -2 + 0j]
VALUES = {"b": [True, False, False, True, True, False, True], "i": SIGNED, "u": UNSIGNED, "f": FLOATS, "c": COMPLEX}
DTYPES = {"bool": "b", "int8": "i", "int16": "i", "int32": "i", "int64": "i", "uint8": "u", "uint16": "u",
          "uint32": "u", "uint64": "u", "float16": "f", "bfloat16": "f", "float32": "f", "float64": "f",
          "complex64": "c", "complex128": "c"}
SHAPES = [([7], 1), ([1], -1), ([0], 1), ([3, 40], 2), ([40, 3], 1), ([4, 0, 3], 3), ([2, 5, 6], 2), ([2, 3, 300], -1)]


def lua(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, (complex, np.complexfloating)):
        return "{%s, %s}" % (lua(value.real), lua(value.imag))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if math.isnan(value):
            return "nan"
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return "-0.0" if value == 0 and math.copysign(1, value) < 0 else repr(float(value))
    if isinstance(value, dict):
        return "{" + ", ".join("%s = %s" % (k, lua(v)) for k, v in value.items() if v is not None) + "}"
    return "{" + ", ".join(lua(v) for v in value) + "}"


def make(dtype, shape):
    values = VALUES[DTYPES[dtype]]
    size = int(np.prod(shape))
    flat = np.array([values[i % len(values)] for i in range(size)], "float32" if dtype == "bfloat16" else dtype)
    return flat.reshape(shape)


def descending(row):
    def key(i):
        v = row[i]
        if np.iscomplexobj(row):
            kind = 2 * math.isnan(v.real) + math.isnan(v.imag)
            return (kind, 0 if math.isnan(v.real) else -v.real, 0 if math.isnan(v.imag) else -v.imag)
        return (1, 0) if v != v else (0, -float(v))
    return np.array(sorted(range(len(row)), key=key), "int64")


def orders():
    for number, dtype in enumerate(DTYPES):
        for k, (shape, axis) in enumerate(SHAPES):
            x, at = make(dtype, shape), axis - 1 if axis > 0 else axis
            if x.size > 500 and number % 3:
                continue
            up = np.argsort(x, at, kind="stable")
            down = np.apply_along_axis(descending, at, x) if x.size else up
            yield {"dtype": dtype, "shape": shape, "axis": axis, "up": (up + 1).reshape(-1).tolist(),
                   "down": (down + 1).reshape(-1).tolist() if x.size <= 500 else None}


def lexsorts():
    for dtypes, shape, axis in [(["int32", "float32"], [30], -1), (["bool", "int8", "complex64"], [5, 12], 2),
                                (["float64", "bool"], [12, 5], 1), (["int16"], [9], 1)]:
        keys = [make(dtype, shape) for dtype in dtypes]
        at = axis - 1 if axis > 0 else axis
        yield {"dtypes": dtypes, "shape": shape, "axis": axis, "order": (np.lexsort(keys, at) + 1).reshape(-1).tolist()}


def uniques():
    for dtype in DTYPES:
        for shape in [[25], [0], [5, 6], [1]]:
            x = make(dtype, shape)
            if DTYPES[dtype] == "c" and np.isnan(x).any():
                x = np.where(np.isnan(x), 0, x).astype(x.dtype)
            values, index, inverse, counts = np.unique(x, True, True, True)
            yield {"dtype": dtype, "shape": shape, "values": values.tolist(), "index": (index + 1).tolist(),
                   "inverse": (inverse + 1).tolist(), "counts": counts.tolist()}


def unique_slices():
    for dtype, shape, axis in [("int32", [20, 2], 1), ("uint8", [3, 26], 2), ("bool", [12, 2, 2], 1),
                               ("float32", [2, 9, 3], 2), ("int64", [1, 4], 1)]:
        x = make(dtype, shape)
        x = np.where(np.isfinite(x), x, 1).astype(x.dtype) % (2 if dtype != "bool" else 1.5)
        x = x.astype(dtype)
        values, index, inverse, counts = np.unique(x, True, True, True, axis=axis - 1)
        yield {"dtype": dtype, "shape": shape, "axis": axis, "x": x.reshape(-1).tolist(),
               "result": list(values.shape), "values": values.reshape(-1).tolist(), "index": (index + 1).tolist(),
               "inverse": (inverse + 1).tolist(), "counts": counts.tolist()}


print("-- Written by sort.py.\nlocal nan, inf = 0 / 0, math.huge\nreturn {")
listing("values", [VALUES], lua)
listing("kinds", [DTYPES], lua)
listing("orders", orders(), lua)
listing("lexsorts", lexsorts(), lua)
listing("uniques", uniques(), lua)
listing("unique_slices", unique_slices(), lua)
print("}")

"""Writes view.lua: the views in other dtypes that NumPy makes of parts of arrays, and those that it refuses.

The bytes of an array are 0, 1, 2, ... NumPy also makes views whose elements are not aligned, which cuna refuses: such
cases say so. Run: python3 spec/golden/view.py >spec/golden/view.lua
"""
import numpy as np

from listing import write

DTYPES = ["int8", "uint16", "float16", "int32", "float32", "uint64", "float64", "complex64", "complex128"]

# Shapes, and keys of their parts in cuna's words.
PARTS = [
    ((4,), "..."), ((8,), "3:6"), ((8,), "::-1"), ((8,), "5:4"), ((0,), "..."), ((), "..."),
    ((2, 4), "..."), ((4, 4), "::2, :"), ((4, 4), "::-1, 1:2"), ((3, 4), ":, 3:4"), ((4, 3), ":, 2:2"), ((3, 5), "..."),
    ((4, 4), ":, ::2"), ((3, 4), ":, ::4"), ((4, 2), "2, :"), ((2, 0), "..."), ((0, 3), "..."),
    ((2, 3, 4), ":, 2, :"), ((2, 3, 4), "-1"),
]


def parts(text):
    """A key of NumPy's for one of cuna's."""
    def entry(word):
        if word == "...":
            return Ellipsis
        if ":" not in word:
            return int(word) if int(word) < 0 else int(word) - 1
        first, last, *step = word.split(":")
        return slice(int(first) - 1 if first else None, int(last) if last else None, int(step[0]) if step else None)

    return tuple(entry(word.strip()) for word in text.split(","))


def is_aligned(x, begin):
    if x.size == 0:
        return True
    address = x.__array_interface__["data"][0] - begin
    steps = [stride for stride, length in zip(x.strides, x.shape) if length > 1]
    return all(way % x.itemsize == 0 for way in steps + [address])


def view_case(dtype, shape, key, to):
    size = int(np.prod(shape))
    memory = np.arange(max(size, 1) * np.dtype(dtype).itemsize, dtype="uint8")
    x = memory.view(dtype)[:size].reshape(shape)[parts(key)]
    case = {"dtype": dtype, "shape": list(shape), "key": key, "to": to}
    try:
        y = x.view(to)
    except (ValueError, TypeError):
        return {**case, "refused": True}
    if not is_aligned(y, memory.__array_interface__["data"][0]):
        return {**case, "unaligned": True}
    strides = list(y.strides) if y.size > 0 else None
    return {**case, "result": list(y.shape), "strides": strides, "bytes": y.tobytes().hex()}


write("view", views=[view_case(dtype, *part, to) for part in PARTS for dtype in DTYPES for to in DTYPES
                     if (DTYPES.index(dtype) + 3 * DTYPES.index(to) + PARTS.index(part)) % 9 == 0])

"""Writes corners.lua: what NumPy answers to windows, packbits, unpackbits, finfo and iinfo.

Run: python3 spec/golden/corners.py > spec/golden/corners.lua
"""
import numpy as np

from listing import array, write

rng = np.random.default_rng(44)
FIELDS = "bits eps epsneg max min tiny smallest_subnormal nmant nexp iexp maxexp minexp machep negep precision " \
    "resolution".split()


def windows():
    for name in "bartlett blackman hamming hanning".split():
        for m in (0, 1, 2, 7, 40):
            yield {"name": name, "m": m, "result": array(getattr(np, name)(m))}
    for m, beta in ((0, 1.0), (1, 2.0), (6, 0.0), (9, 8.6), (30, 14.0)):
        yield {"name": "kaiser", "m": m, "beta": beta, "result": array(np.kaiser(m, beta))}


def packings():
    for case in range(20):
        shape = [[5], [16], [19], [3, 9], [2, 5, 8], [9, 0]][case % 6]
        x = rng.integers(0, 3, shape).astype(["bool", "uint8", "int64", "bool"][case % 4])
        axis = None if case % 3 == 0 else int(rng.integers(-len(shape), len(shape)))
        order = ["big", "little"][case % 2]
        yield {"x": array(x), "axis": axis + 1 if axis is not None and axis >= 0 else axis, "order": order,
               "result": array(np.packbits(x, axis, order))}


def unpackings():
    for case in range(20):
        x = rng.integers(0, 256, [[3], [2, 3], [2, 2, 2], []][case % 4]).astype("uint8")
        axis = None if case % 3 == 0 or x.ndim == 0 else int(rng.integers(-x.ndim, x.ndim))
        order, count = ["big", "little"][case % 2], [None, 5, -3, 30, 0][case % 5]
        yield {"x": array(x), "axis": axis + 1 if axis is not None and axis >= 0 else axis, "order": order,
               "count": count, "result": array(np.unpackbits(x, axis, count, order))}


def floats():
    for dtype in ("float16", "float32", "float64"):
        info = np.finfo(dtype)
        yield {"dtype": dtype, **{k: getattr(info, k) for k in FIELDS}}


def integers():
    for dtype in "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split():
        info = np.iinfo(dtype)
        yield {"dtype": dtype, "bits": info.bits, "min": info.min, "max": info.max}


write("corners", windows=windows(), packings=packings(), unpackings=unpackings(), floats=floats(), integers=integers())

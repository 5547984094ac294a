"""Writes ufunc.lua: what NumPy answers to the forms of operations of two operands: reduce, accumulate, reduceat, outer.

Run: python3 spec/golden/ufunc.py > spec/golden/ufunc.lua
"""
import os

os.environ["NPY_PROMOTION_STATE"] = "weak"

import numpy as np  # noqa: E402
from calls import case, draw, one_based, write  # noqa: E402

ARITHMETIC = "add subtract multiply power maximum minimum fmax fmin"
OPERATIONS = {
    "int8 uint16 float32 complex64": ARITHMETIC,
    "float64 int32 float16": "divide floor_divide remainder fmod arctan2 hypot logaddexp logaddexp2 heaviside copysign",
    "int8 uint64": "gcd lcm bitwise_and bitwise_or bitwise_xor left_shift right_shift",
    "bool float32": "logical_and logical_or logical_xor",
    "bool": "equal not_equal less less_equal greater greater_equal bitwise_and bitwise_xor maximum add multiply",
    "float64": "float_power nextafter",
}
SHAPES = [([6], 0, False), ([3, 4], 0, False), ([3, 4], 1, True), ([2, 3, 4], 1, False), ([1, 3], 0, False), ([0, 2], 1, True)]


def operations():
    number = 0
    for dtypes, names in OPERATIONS.items():
        for name in names.split():
            number += 1
            yield number, name, getattr(np, name), dtypes.split()[number % len(dtypes.split())]


def operand(name, shape, dtype):
    if name in ("power", "float_power", "left_shift", "right_shift"):
        return draw(shape, dtype, 1, 4)
    if name in ("floor_divide", "remainder", "fmod", "divide"):
        return (draw(shape, dtype, 1, 9) + 1).astype(dtype)
    return draw(shape, dtype)


def reductions():
    for number, name, ufunc, dtype in operations():
        shape, axis, keepdims = SHAPES[number % len(SHAPES)]
        if shape == [0, 2] and ufunc.identity is None and axis == 0:
            continue
        x = operand(name, shape, dtype)
        yield case(name + "_reduce", [x], ufunc.reduce(x, axis, keepdims=keepdims), axis=one_based(axis),
                   keepdims=keepdims)
    for name in "add multiply maximum fmin logical_or bitwise_and gcd hypot".split():
        x = draw([3, 4], "int16")
        yield case(name + "_reduce", [x], getattr(np, name).reduce(x.reshape(-1)), axis=[1, 2])


def accumulations():
    for number, name, ufunc, dtype in operations():
        shape, axis, _ = SHAPES[(number + 1) % len(SHAPES)]
        x = operand(name, shape, dtype)
        yield case(name + "_accumulate", [x], ufunc.accumulate(x, axis), axis=one_based(axis))


def starts():
    for name, dtype in ("add", "float64"), ("maximum", "int8"), ("subtract", "float32"), ("gcd", "int32"), \
            ("divide", "float64"), ("logical_and", "float32"), ("power", "int64"), ("multiply", "float16"):
        ufunc, x, where = getattr(np, name), operand(name, [3, 4], dtype), draw([3, 4], "bool")
        yield case(name + "_reduce", [x], ufunc.reduce(x, 1, initial=7), axis=2, initial=7)
        yield case(name + "_reduce", [x], ufunc.reduce(x, 0, initial=2, where=where), initial=2, where=where)
        yield case(name + "_reduce", [x], ufunc.reduce(x, 1, initial=3, where=where[0]), axis=2, initial=3,
                   where=where[0])
        empty = x[:0]
        yield case(name + "_reduce", [empty], ufunc.reduce(empty, 0, initial=3), initial=3)
        if ufunc.identity is not None:
            yield case(name + "_reduce", [empty], ufunc.reduce(empty, 0))
            yield case(name + "_reduce", [x], ufunc.reduce(x, 1, where=where), axis=2, where=where)


def outers():
    for k, name in enumerate("add subtract multiply less logical_and maximum power".split()):
        a, b = operand(name, [[2], [2, 3], []][k % 3], "int32"), operand(name, [[3], [], [2, 2]][k // 2 % 3], "int8")
        yield case(name + "_outer", [a, b], getattr(np, name).outer(a, b))


def segments():
    for number, name, ufunc, dtype in operations():
        shape, axis, _ = SHAPES[number % 4]
        x = operand(name, shape, dtype)
        for indices in [0, 2], [shape[axis] - 1, 0, 0, 1], [1]:
            yield case(name + "_reduceat", [x, np.array(indices) + 1], ufunc.reduceat(x, indices, axis),
                       axis=one_based(axis))


write("ufunc.py", [reductions, accumulations, starts, outers, segments])

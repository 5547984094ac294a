"""Writes gather.lua: what NumPy answers to random keys with arrays among their entries, reading and assigning.

    /usr/bin/python3 spec/golden/gather.py >spec/golden/gather.lua

An array of a case has the elements 0, 1, 2, ... of its shape. Its key is a list of entries, written with positions from
1 and translated to NumPy's here, apart from the translation in the library: a number; {range = {first, last, step}};
"newaxis"; "ellipsis"; {dtype =, shape =, values =} for an index array, or for a mask where the dtype is bool. An
assignment stores 100, 101, ... in the shape `value`, or 100 where there is none; it never names an element twice, but
in the cases `repeated`, where NumPy keeps the last value too. Index arrays have int64, and in one of seven cases
another dtype: each is a kernel to compile.

Written with NumPy 1.24, whose answers here are those of NumPy 2.
"""
import warnings

import numpy as np

from listing import listing, lua

warnings.simplefilter("error")  # positions out of range in results without elements, which NumPy 1 lets pass
rng = np.random.default_rng(11)
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]  # integral values are positions; NumPy takes integers alone


def draw_shape(most=5):
    ndim = int(rng.integers(1, most + 1))
    return rng.choice([0, 1, 2, 3, 4], ndim, p=[0.04, 0.16, 0.3, 0.3, 0.2]).tolist()


def draw_positions(n, shape, distinct):
    """Positions from 1 or below 0, and the same from 0."""
    count = int(np.prod(shape))
    if n == 0:
        return np.zeros(shape, int), np.zeros(shape, int)
    if distinct and count <= n:
        offsets = rng.permutation(n)[:count].reshape(shape)
    else:
        offsets = rng.integers(0, n, shape)
    written = np.where(rng.random(shape) < 0.3, offsets - n, offsets + 1)
    return written, offsets


def draw_index(n, spread, distinct, dtype):
    """An index array that broadcasts to `spread`: cuna's entry and NumPy's array."""
    shape = list(spread)[int(rng.integers(0, len(spread) + 1)) if rng.random() < 0.3 else 0:]
    shape = [1 if rng.random() < 0.2 else length for length in shape]
    if n == 0 and np.prod(shape) > 0:
        shape = [0]
    written, offsets = draw_positions(n, shape, distinct)
    if dtype.startswith("u"):
        written = offsets + 1
    return {"dtype": dtype, "shape": shape, "values": written.reshape(-1).tolist()}, offsets


def draw_dtype():
    return str(rng.choice(INTEGERS + FLOATS)) if rng.random() < 0.15 else "int64"


def draw_mask(shape):
    mask = rng.random(shape) < rng.choice([0, 0.4, 0.7, 1], p=[0.1, 0.4, 0.4, 0.1])
    return {"dtype": "bool", "shape": list(shape), "values": mask.reshape(-1).tolist()}, mask


def draw_range(n):
    if n == 0 or rng.random() < 0.4:
        return {"range": []}, slice(None)
    first, last = int(rng.integers(1, n + 1)), int(rng.integers(1, n + 1))
    step = int(rng.choice([1, 2, -1]))
    if step > 0:
        return {"range": [first, last, step]}, slice(first - 1, last, step)
    return {"range": [first, last, step]}, slice(first - 1, last - 2 if last >= 2 else None, step)


def draw_key(shape, distinct=False):
    """A list of entries for cuna and a tuple for NumPy, with at least one array."""
    entries, key, axis = [], [], 0
    dtype = draw_dtype()
    spread = [int(k) for k in rng.integers(1, 4, int(rng.integers(0, 3)))]
    if rng.random() < 0.05:
        spread = [0]
    hidden = sorted(rng.integers(0, len(shape) + 1, 2).tolist()) if rng.random() < 0.35 else None
    while axis < len(shape) or hidden and axis == hidden[0]:
        if hidden and axis == hidden[0]:
            entries.append("ellipsis"), key.append(Ellipsis)
            axis, hidden = hidden[1], None
            continue
        n, kind = shape[axis], rng.random()
        if rng.random() < 0.08:
            entries.append("newaxis"), key.append(None)
        if kind < 0.4:
            entry, piece = draw_index(n, spread, distinct, dtype)
        elif kind < 0.55:
            until = int(rng.integers(axis, (hidden[0] if hidden else len(shape)) + 1))
            entry, piece = draw_mask(shape[axis:until])
            axis = until - 1
        elif kind < 0.75 and n > 0:
            offset = int(rng.integers(0, n))
            entry, piece = (offset - n if rng.random() < 0.3 else offset + 1), offset
        else:
            entry, piece = draw_range(n)
        entries.append(entry), key.append(piece)
        axis += 1
    return entries, tuple(key)


def is_array(entry):
    return isinstance(entry, dict) and "dtype" in entry


def cases_of(count, make):
    """`count` cases of random keys that NumPy accepts and that do not grow too large."""
    cases = []
    while len(cases) < count:
        shape = draw_shape()
        entries, key = draw_key(shape, make is assignment)
        if not any(is_array(entry) for entry in entries):
            continue
        a = np.arange(np.prod(shape), dtype="int64").reshape(shape)
        try:
            taken = a[key]
        except (IndexError, DeprecationWarning):
            continue  # shapes that do not broadcast
        if taken.size <= 60:
            case = make(a, key, taken)
            if case:
                cases.append({"shape": shape, "key": entries, **case})
    return cases


def reading(a, key, taken):
    return {"result": list(taken.shape), "values": taken.reshape(-1).tolist()}


def assignment(a, key, taken):
    if taken.size != np.unique(taken).size:
        return None
    first = int(rng.integers(0, taken.ndim + 1)) if rng.random() < 0.3 else 0
    shape = [1 if rng.random() < 0.2 else n for n in taken.shape][first:]
    if rng.random() < 0.3:
        a[key], shape = 100, None
    else:
        a[key] = np.arange(100, 100 + np.prod(shape, dtype=int)).reshape(shape)
    return {"value": shape, "values": a.reshape(-1).tolist()}


def repeated(count):
    cases = []
    for _ in range(count):
        n, m = (int(k) for k in rng.integers(2, 6, 2))
        a = np.arange(n * m, dtype="int64").reshape(n, m)
        rows, columns = draw_index(n, [2, 7], False, "int64"), draw_index(m, [2, 7], False, "int64")
        entries, key = [rows[0], columns[0]], (rows[1], columns[1])
        shape = np.broadcast_shapes(rows[1].shape, columns[1].shape)
        a[key] = np.arange(100, 100 + np.prod(shape, dtype=int)).reshape(shape)
        cases.append({"shape": [n, m], "key": entries, "value": list(shape), "values": a.reshape(-1).tolist()})
    return cases


print("-- Written by gather.py.\nreturn {")
listing("reading", cases_of(120, reading))
listing("assignment", cases_of(50, assignment))
listing("repeated", repeated(10))
print("}")

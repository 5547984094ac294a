"""Writes positions.lua: what NumPy answers for positions, triangles, diagonals and windows, counted from 1 where they
are positions. Arrays are 0, 1, 2, ... in a shape, masks lists of 0 and 1.

Run: python3 spec/golden/positions.py >spec/golden/positions.lua
"""
import itertools

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from listing import listing, lua

rng = np.random.default_rng(11)


def flat(a):
    return np.asarray(a).reshape(-1).tolist()


def from_one(arrays):
    return [flat(a + 1) for a in arrays]


def counting(shape):
    return np.arange(int(np.prod(shape))).reshape(shape)


def shaped(a):
    return {"result": list(a.shape), "values": flat(a)}


def nonzero():
    for shape in [(0,), (1,), (31,), (32,), (33,), (100,), (3, 0), (3, 4), (1, 70), (5, 7, 3), (2, 0, 3), (2, 1, 3, 5)]:
        for share in (0, 0.1, 0.6, 1):
            m = (rng.random(shape) < share).astype(int)
            yield {"shape": list(shape), "mask": flat(m), "axes": from_one(np.nonzero(m)),
                   "flat": flat(np.flatnonzero(m) + 1), "where": flat(np.argwhere(m) + 1)}


def signed(p, lengths):
    """Some positions from 1 counted from the end instead."""
    return np.where(rng.random(p.shape) < 0.3, p - lengths - 1, p)


def unravel():
    for shape, order in itertools.product([(5,), (2, 3), (4, 1, 3), (2, 3, 2, 2, 3)], "CF"):
        size = int(np.prod(shape))
        p = rng.integers(0, size, 6)
        yield {"shape": list(shape), "order": order, "indices": flat(signed(p + 1, size)),
               "axes": from_one(np.unravel_index(p, shape, order))}


def ravel():
    for shape, order in itertools.product([(5,), (2, 3), (4, 1, 3)], "CF"):
        p = [rng.integers(0, n, 6) for n in shape]
        yield {"shape": list(shape), "order": order, "axes": [flat(signed(a + 1, n)) for a, n in zip(p, shape)],
               "mode": "raise", "flat": flat(np.ravel_multi_index(p, shape, order=order) + 1)}
        for mode in ("wrap", "clip"):  # NumPy's -1 is the last position in cuna's terms, too; a 0 cuna refuses
            p = [rng.integers(-3 * n, 3 * n, 9) for n in shape]
            yield {"shape": list(shape), "order": order, "axes": [flat(np.where(a < 0, a, a + 1)) for a in p],
                   "mode": mode, "flat": flat(np.ravel_multi_index(p, shape, mode, order) + 1)}


def triangles():
    for n, m, k in itertools.product((0, 1, 3), (None, 0, 2, 5), (-2, 0, 1, 9)):
        yield {"n": n, "m": m, "k": k, "lower": from_one(np.tril_indices(n, k, m)),
               "upper": from_one(np.triu_indices(n, k, m))}


def indices():
    for shape in [(), (0,), (3,), (2, 3), (2, 0, 3), (2, 1, 3)]:
        yield {"shape": list(shape), **shaped(np.indices(shape) + 1),
               "sparse": from_one(np.indices(shape, sparse=True))}


def diagonals():
    for shape in [(3, 4), (4, 3), (0, 3), (1, 1), (2, 3, 4), (3, 2, 2, 3)]:
        for offset, pair in itertools.product((-5, -1, 0, 1, 2), itertools.permutations(range(len(shape)), 2)):
            x = counting(shape)
            yield {"shape": list(shape), "offset": offset, "axis1": pair[0] + 1, "axis2": pair[1] + 1,
                   **shaped(x.diagonal(offset, *pair)), "trace": flat(x.trace(offset, *pair))}


def fills():
    shapes = [(3, 3), (2, 5), (5, 2), (7, 2), (8, 3), (3, 1), (4, 3), (3, 3, 3), (2, 2, 2, 2)]
    for shape, wrap in itertools.product(shapes, (False, True)):
        for value in ([-1], [-1, -2, -3], list(range(-12, 0))):
            x = counting(shape)
            np.fill_diagonal(x, value, wrap)
            yield {"shape": list(shape), "value": value, "wrap": wrap, "values": flat(x)}


def strided():
    x = counting((4, 6))
    for shape, strides in [((24,), (8,)), ((3, 2), (8, 8)), ((2, 2), (48, 16)), ((4,), (56,)), ((), ()),
                           ((0, 3), (99 * 8, 8)), ((2, 3), (0, 8)), ((6, 4), (8, 48))]:
        yield {"shape": list(shape), "strides": list(strides), "values": flat(as_strided(x, shape, strides))}


def windows():
    for shape, window, axis in [((5,), 2, None), ((5,), 5, None), ((5,), 1, 0), ((4, 5), (2, 3), None), ((4, 5), 3, 1),
                                ((4, 5), (2, 2), (1, 0)), ((4, 5), (2, 3), (1, 1)), ((3, 0), 2, 0),
                                ((3, 4, 2), (2,), -2)]:
        given = axis if isinstance(axis, tuple) else (axis,)
        axes = None if axis is None else [a + 1 if a >= 0 else a for a in given]
        yield {"shape": list(shape), "window": [window] if isinstance(window, int) else list(window), "axis": axes,
               **shaped(sliding_window_view(counting(shape), window, axis))}


print("return { -- made by positions.py")
for name in ("nonzero", "unravel", "ravel", "triangles", "indices", "diagonals", "fills", "strided", "windows"):
    listing(name, globals()[name]())
print("}")

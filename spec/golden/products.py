"""Writes products.lua: products of vectors and matrices by NumPy. Run: python3 spec/golden/products.py > spec/golden/products.lua

NumPy 1.24 with NPY_PROMOTION_STATE=weak. It lacks vecdot, matvec and vecmat, which are written by einsum here, and adds
float16 in float16: those are computed in float32 and rounded once.
"""
import numpy as np

from listing import array, write

COUNT = [0]


def filled(shape, dtype):
    """Small numbers, of which sums of products are exact in every dtype."""
    COUNT[0] += 1
    size = int(np.prod(shape, dtype=int))
    values = (np.arange(size) * 7 + COUNT[0] * 3) % 5 - (0 if np.dtype(dtype).kind in "bu" else 2)
    x = values.reshape(shape).astype(dtype)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * ((np.arange(size) * 3 + COUNT[0]) % 4 - 1).reshape(shape).astype(dtype)
    return x.astype(dtype)


def vecdot(a, b):
    return np.einsum("...i,...i->...", np.conj(a), b)


def matvec(a, b):
    return np.einsum("...ij,...j->...i", a, b)


def vecmat(a, b):
    return np.einsum("...i,...ij->...j", np.conj(a), b)


FUNCTIONS = {"matmul": np.matmul, "dot": np.dot, "inner": np.inner, "outer": np.outer, "kron": np.kron, "vdot": np.vdot,
             "vecdot": vecdot, "matvec": matvec, "vecmat": vecmat}


def case(name, first, second, own="float64", theirs=None):
    a, b = filled(first, own), filled(second, theirs or own)
    fn = FUNCTIONS[name]
    if "float16" in (own, theirs):
        common = np.result_type(a, b)
        result = fn(a.astype("float32"), b.astype("float32")).astype(common)
    else:
        result = fn(a, b)
    return {"name": name, "a": array(a), "b": array(b), "result": array(result)}


DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64", "complex64", "complex128"]
SHAPES = {
    "matmul": [((2, 3), (3, 4)), ((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((4, 2, 3), (3, 2)), ((4, 2, 3), (4, 3, 2)),
               ((2, 3), (4, 3, 2)), ((2, 1, 2, 3), (3, 3, 2)), ((3,), (2, 3, 2)), ((2, 2, 3), (3,)), ((5, 1, 3), (3, 4)),
               ((2, 3), (4, 3, 1)), ((1, 3), (4, 3, 2)), ((1, 1), (1, 1)), ((7, 1), (1, 5)), ((20, 17), (17, 33)),
               ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((3, 0, 2), (2, 4)), ((0,), (0,)), ((2, 3, 0), (0,)),
               ((2, 3, 1, 2, 3), (2, 1, 4, 3, 2))],
    "dot": [((3,), (3,)), ((2, 3), (3, 4)), ((2, 3), ()), ((), (3,)), ((2, 3), (3,)), ((3,), (2, 3, 4)), ((2, 3, 4), (5, 4, 2)),
            ((2, 0), (0, 2)), ((2, 3, 4), (4,)), ((0, 3), (4, 3, 2))],
    "inner": [((3,), (3,)), ((2, 3), (4, 3)), ((2, 3), ()), ((2, 3, 4), (5, 4)), ((2, 0), (3, 0))],
    "outer": [((3,), (4,)), ((2, 2), (3,)), ((), (2,)), ((0,), (3,))],
    "kron": [((2, 2), (2, 3)), ((3,), (2,)), ((2,), (2, 2)), ((2, 1, 2), (3, 2)), ((), (2, 2)), ((0, 2), (2, 2))],
    "vdot": [((3,), (3,)), ((2, 3), (3, 2)), ((), ()), ((0,), (0,))],
    "vecdot": [((3,), (3,)), ((2, 3), (3,)), ((2, 1, 3), (4, 3)), ((2, 0), (2, 0))],
    "matvec": [((2, 3), (3,)), ((2, 3), (4, 3)), ((4, 2, 3), (4, 3)), ((2, 0), (0,))],
    "vecmat": [((3,), (3, 2)), ((4, 3), (3, 2)), ((4, 3), (4, 3, 2)), ((0,), (0, 2))],
}

shapes = [case(name, *pair, *("complex128",) * (name[:3] == "vec" or name == "vdot")) for name in SHAPES for pair in SHAPES[name]]
dtypes = [case(name, *pair, dtype) for dtype in DTYPES
          for name, pair in (("matmul", ((3, 5), (5, 4))), ("matmul", ((5,), (5, 2))), ("dot", ((40,), (40,))),
                             ("vdot", ((4,), (4,))), ("kron", ((2,), (1, 3))))]
dtypes += [case("matmul", (2, 3), (3, 2), own, theirs)
           for own, theirs in (("int8", "uint8"), ("int32", "float32"), ("bool", "int16"), ("float16", "float32"),
                               ("float32", "complex64"), ("int64", "uint64"), ("uint8", "float16"), ("float64", "complex64"))]


def wrapped(dtype):
    """Products that overflow."""
    top = np.iinfo(dtype).max
    a = np.array([[top, top - 1, 3], [top // 2, 7, top]], dtype)
    b = np.array([[top, 2], [top - 5, top], [9, top // 3]], dtype)
    return {"name": "matmul", "a": array(a), "b": array(b), "result": array(np.matmul(a, b))}


wraps = [wrapped(d) for d in ("int8", "int16", "int32", "uint8", "uint16", "uint32")]


def tensordot(first, second, axes):
    a, b = filled(first, "float64"), filled(second, "float64")
    from_one = axes if isinstance(axes, int) else [
        [x + 1 if x >= 0 else x for x in part] if isinstance(part, list) else part + 1 if part >= 0 else part for part in axes]
    return {"a": array(a), "b": array(b), "axes": from_one, "result": array(np.tensordot(a, b, axes))}


tensordots = [tensordot(*c) for c in (
    ((2, 3, 4), (3, 4, 5), 2), ((2, 3), (3, 2), 1), ((2, 3), (4,), 0), ((2, 3, 4), (4, 2), [[0, 2], [1, 0]]),
    ((2, 3, 4), (3, 5), [1, 0]), ((2, 3, 4), (4, 3, 2), [[0, 1, 2], [2, 1, 0]]), ((2, 3), (3, 2), [-1, -2]),
    ((2, 3, 4), (5, 3, 2), [[1], [1]]), ((0, 3), (3, 4), 1), ((2, 0), (0, 4), 1))]


def chain(*list_of_shapes):
    arrays = [filled(s, "float64") for s in list_of_shapes]
    return {"arrays": [array(x) for x in arrays], "result": array(np.linalg.multi_dot(arrays))}


chains = [chain(*c) for c in (((2, 3), (3, 4)), ((2, 3), (3, 4), (4, 2)), ((3,), (3, 4), (4, 2)), ((2, 3), (3, 4), (4,)),
                              ((2, 5), (5, 1), (1, 6), (6, 2)), ((3,), (3,)), ((2, 3), (3,)))]


def power(shape, n, dtype="float64"):
    a = filled(shape, dtype)
    return {"a": array(a), "n": n, "result": array(np.linalg.matrix_power(a, n))}


powers = [power(*c) for c in (((2, 2), 0), ((2, 2), 1), ((2, 2), 2), ((3, 3), 5, "int64"), ((2, 2, 2), 3), ((2, 2), 7, "int8"),
                              ((0, 0), 3), ((3, 2, 2), 0, "int32"), ((2, 2), 4, "complex64"))]

write("products", shapes=shapes, dtypes=dtypes, wraps=wraps, tensordots=tensordots, chains=chains, powers=powers)

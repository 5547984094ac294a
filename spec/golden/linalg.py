"""Writes linalg.lua: what NumPy and SciPy answer to linear algebra.

Factors are no golden values, since their signs and phases are free: the spec multiplies them out. Eigenvalues without
order are sorted there. float32 is computed by NumPy in float32. Condition numbers are real, which NumPy forgets.

Run: python3 spec/golden/linalg.py > spec/golden/linalg.lua
"""
import os
os.environ["NPY_PROMOTION_STATE"] = "weak"
import numpy as np  # noqa: E402
import scipy.linalg  # noqa: E402

from listing import array, write  # noqa: E402

rng = np.random.default_rng(46)
FLOATS = "float64 float32 complex128 complex64".split()
DTYPES = FLOATS + "int64 int32 uint8 bool".split()
LA = np.linalg


def draw(shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return (rng.normal(0, 2, shape) + 1j * rng.normal(0, 2, shape)).astype(dtype)
    if dtype.kind == "f":
        return rng.normal(0, 2, shape).astype(dtype)
    return rng.integers(0, 2 if dtype.kind == "b" else 9, shape).astype(dtype)


def square(stack, n, dtype):
    """Matrices that are far from singular."""
    a = draw(tuple(stack) + (n, n), dtype)
    return a if a.dtype.kind == "b" else (a + 5 * np.eye(n, dtype=a.dtype)).astype(a.dtype)


def definite(stack, n, dtype):
    a = draw(tuple(stack) + (n, n), dtype)
    return (a @ np.swapaxes(a, -1, -2).conj() + 3 * np.eye(n)).astype(dtype)


def solutions():
    cases = [([], 3, [3]), ([2], 4, [4, 2]), ([], 2, [3, 2, 5]), ([3, 1], 2, [2, 2, 1]), ([], 1, [1]), ([0], 2, [2]),
             ([2], 0, [0, 3]), ([], 6, [6, 1])]
    for k, (stack, n, shape) in enumerate(cases * 2):
        own, other = DTYPES[k % 7], DTYPES[(k * 3) % 7]
        a, b = square(stack, n, own), draw(shape, other)
        # NumPy 1.24 takes b for vectors where it has an axis less than a; NumPy 2 where it has one.
        whole = b[:, None] if b.ndim == 1 else b
        x = LA.solve(a, whole[(None,) * (a.ndim - whole.ndim)])
        x = x[..., 0] if b.ndim == 1 else x
        yield {"a": array(a), "b": array(b), "x": array(x)}


def inverses():
    for k, (stack, n) in enumerate([([], 3), ([2, 2], 2), ([], 1), ([3], 5), ([0], 2), ([2], 0), ([], 12)]):
        a = square(stack, n, (FLOATS + ["int64"])[k % 5])
        sign, log = LA.slogdet(a)
        yield {"a": array(a), "inverse": array(LA.inv(a)), "det": array(LA.det(a)), "sign": array(sign),
               "log": array(log)}


def norms():
    orders = [None, 2, 1, -1, 0, np.inf, -np.inf, 3, 0.5, -2.5]
    for k, order in enumerate(orders * 2):
        x = draw([[5], [3, 4], [2, 3, 2]][k % 3], (FLOATS + ["int32", "bool"])[k % 6])
        axis = [None, -1, 0][k % 3]
        yield {"x": array(x), "ord": order, "axis": None if axis is None else axis if axis < 0 else axis + 1,
               "keepdims": k % 2 == 1, "norm": array(LA.norm(x, order, axis, keepdims=k % 2 == 1))}
    for k, order in enumerate([None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf] * 2):
        x = draw([[3, 4], [2, 3, 4], [4, 2, 3]][k % 3], (FLOATS + ["uint8"])[k % 5])
        axis = [None, (1, 2), (-1, 0)][k % 3]
        yield {"x": array(x), "ord": order, "axis": None if axis is None else [n if n < 0 else n + 1 for n in axis],
               "keepdims": k % 2 == 1, "norm": array(LA.norm(x, order, axis, keepdims=k % 2 == 1))}


def conditions():
    singular = np.array([[1., 2], [2, 4]])
    for k, p in enumerate([None, 1, -1, 2, -2, np.inf, "fro", "nuc"]):
        a = square([[], [3]][k % 2], 3, DTYPES[k % 7])
        yield {"a": array(a), "p": p, "cond": array(LA.cond(a, p).real)}
    for p in (1, np.inf, "fro"):
        yield {"a": array(singular), "p": p, "cond": array(LA.cond(singular, p))}


def ranks():
    low = draw([4, 2], "float64") @ draw([2, 5], "float64")
    hermitian = low[:, :4] @ low[:, :4].T
    for a, tol, is_hermitian in ((low, None, False), (hermitian, None, True), (np.zeros((3, 3)), None, False),
                                 (np.stack([np.eye(3), np.diag([1, 1e-3, 0])]), None, False),
                                 (np.stack([np.eye(3), np.diag([1, 1e-3, 0])]), 1e-2, False),
                                 (draw([3, 4], "complex64"), None, False), (np.arange(3), None, False),
                                 (np.array(0.0), None, False), (draw([2, 3], "int32"), None, False)):
        yield {"a": array(a), "tol": tol, "hermitian": is_hermitian,
               "rank": array(np.asarray(LA.matrix_rank(a, tol, is_hermitian), "int64"))}


def pseudo_inverses():
    for k, shape in enumerate([[4, 3], [3, 4], [2, 3, 3], [5, 1], [0, 3]]):
        a = draw(shape, FLOATS[k % 4])
        yield {"a": array(a), "hermitian": False, "inverse": array(LA.pinv(a))}
    low = draw([4, 2], "complex128")
    low = low @ low.T.conj()
    yield {"a": array(low), "hermitian": False, "rcond": 1e-10, "inverse": array(LA.pinv(low, 1e-10))}
    yield {"a": array(low), "hermitian": True, "rcond": 1e-10, "inverse": array(LA.pinv(low, 1e-10, True))}


def least_squares():
    low = draw([6, 2], "float64") @ draw([2, 4], "float64")
    for k, (a, shape) in enumerate([(draw([5, 3], "float64"), [5]), (draw([3, 5], "float64"), [3, 2]),
                                    (draw([6, 2], "complex128"), [6, 3]), (square([], 4, "float32"), [4, 1]),
                                    (draw([7, 3], "float32"), [7]), (draw([5, 2], "int32"), [5]), (low, [6, 2])]):
        b = draw(shape, [a.dtype, "float64"][a.dtype.kind in "iu"])
        x, _, rank, s = LA.lstsq(a, b, rcond=None)
        rest = b - a @ x
        residuals = np.sum(np.abs(rest) ** 2, axis=0).reshape(-1) if a.shape[0] > a.shape[1] else np.zeros(0)
        yield {"a": array(a), "b": array(b), "x": array(x), "residuals": array(residuals.astype(s.dtype)),
               "rank": array(np.asarray(rank, "int64")), "s": array(s)}


def exponentials():
    for k, (shape, scale) in enumerate([([3, 3], 1), ([2, 2], 1e-3), ([4, 4], 20), ([2, 3, 3], 0.1), ([1, 1], 3),
                                        ([5, 5], 0.3), ([3, 2, 2], 4), ([3, 3], 0.02)]):
        a = draw(shape, FLOATS[k % 4])
        a = (a * a.dtype.type(scale / 8)).astype(a.dtype)
        yield {"a": array(a), "exponential": array(np.stack([scipy.linalg.expm(m) for m in a.reshape(-1, *shape[-2:])])
                                                   .reshape(shape).astype(a.dtype))}


def hermitians():
    for k, (stack, n) in enumerate([([], 3), ([2], 4), ([], 1), ([2, 2], 2), ([0], 3), ([2], 0), ([], 12)]):
        a = definite(stack, n, FLOATS[k % 4])
        yield {"a": array(a), "values": array(LA.eigvalsh(a)), "factor": array(LA.cholesky(a))}


def singulars():
    for k, shape in enumerate([[3, 3], [5, 2], [2, 5], [2, 3, 4], [2, 4, 3], [1, 1], [0, 3], [3, 0], [2, 0, 0], [12, 7]]):
        a = draw(shape, FLOATS[k % 4])
        yield {"a": array(a), "values": array(LA.svd(a, compute_uv=False)), "r": array(np.abs(LA.qr(a.reshape(shape), "r")
               if len(shape) == 2 else np.stack([LA.qr(m, "r") for m in a]) if 0 not in shape
               else np.zeros(shape[:-2] + [min(shape[-2:]), shape[-1]], LA.svd(a, compute_uv=False).dtype)))}


def generals():
    for k, (stack, n) in enumerate([([], 3), ([2], 4), ([], 1), ([], 7), ([0], 3), ([2], 0)]):
        a = draw(tuple(stack) + (n, n), FLOATS[k % 4])
        a = a if a.dtype.kind == "c" or k != 1 else a + np.swapaxes(a, -1, -2)
        values = LA.eigvals(a).astype(np.result_type(a, "complex64"))
        yield {"a": array(a), "values": array(np.sort_complex(values).astype(values.dtype))}


def factors():
    for k, shape in enumerate([[3, 3], [4, 2], [2, 4], [1, 1], [6, 6]]):
        a = draw(shape, FLOATS[k % 4])
        p, l, u = scipy.linalg.lu(a)
        case = {"a": array(a), "p": array(p), "l": array(l), "u": array(u)}
        if shape[0] == shape[1]:
            lu, pivots = scipy.linalg.lu_factor(a)
            case.update(lu=array(lu), pivots=array(np.asarray(pivots, "int64") + 1))
        yield case


def triangles():
    for k, trans in enumerate([0, 1, 2] * 4):
        lower, unit = k % 2 == 1, k // 6 == 1
        a, b = square([], 4, FLOATS[k % 4]), draw([[4], [4, 3]][k // 3 % 2], FLOATS[k % 4])
        if unit:
            a = (a / 8).astype(a.dtype)
        yield {"a": array(a), "b": array(b), "trans": trans, "lower": lower, "unit": unit,
               "x": array(scipy.linalg.solve_triangular(a, b, trans, lower, unit))}


write("linalg", solutions=solutions(), inverses=inverses(), norms=norms(), conditions=conditions(), ranks=ranks(),
      pseudo_inverses=pseudo_inverses(), least_squares=least_squares(), exponentials=exponentials(),
      hermitians=hermitians(), singulars=singulars(), generals=generals(), factors=factors(), triangles=triangles())

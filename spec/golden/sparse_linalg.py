"""Writes sparse_linalg.lua: what scipy.sparse.linalg gives, for spec/sparse/linalg_spec.lua.

    python3 spec/golden/sparse_linalg.py > spec/golden/sparse_linalg.lua

Written with SciPy 1.17, whose solvers have rtol and atol. A case has a solver, its matrix and right side by name, its
options as Lua text, and SciPy's results with the number of calls of the callback.
"""
import warnings

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from listing import array, lua

warnings.simplefilter("ignore")
r = np.random.RandomState(11)
n = 20


def scattered(rows, columns, density, dtype="float64"):
    x = r.randint(-5, 6, (rows, columns)) * (r.rand(rows, columns) < density)
    if dtype.startswith("complex"):
        x = x + 1j * r.randint(-5, 6, x.shape) * (x != 0)
    return x.astype(dtype)


S, C = scattered(n, n, 0.2), scattered(n, n, 0.2, "complex128")
MATRICES = {
    "P": S @ S.T / 4 + np.diag(np.arange(3.0, n + 3)),                 # positive definite
    "H": C @ C.conj().T / 4 + np.diag(np.arange(3.0, n + 3)),          # the same, complex
    "G": S + np.diag(np.arange(9.0, n + 9)),                           # general
    "K": C + np.diag(np.arange(9.0, n + 9)) + 2j * np.eye(n),
    "I": (S + S.T) / 2 + np.diag(np.where(np.arange(n) % 2, 8.0, -8)),  # symmetric, indefinite
    "R": scattered(24, 9, 0.4) + np.eye(24, 9) * 3,                    # tall
    "W": scattered(6, 13, 0.5) + np.eye(6, 13) * 3,                    # wide
    "Q": scattered(14, 7, 0.5, "complex128") + 3 * np.eye(14, 7),
    "D": np.diag([4.0, 3, 2, 1, 0]),                                   # singular
    "O": np.array([[5.0]]),
    "E": np.zeros((0, 0)),
}
VECTORS = {
    "b": r.randint(-9, 10, n).astype(float), "x": r.randint(-3, 4, n).astype(float), "zero": np.zeros(n),
    "c": r.randint(-9, 10, n) + 1j * r.randint(-9, 10, n), "b24": r.randint(-9, 10, 24).astype(float),
    "b6": r.randint(-9, 10, 6).astype(float), "c14": r.randint(-9, 10, 14) + 1j * r.randint(-9, 10, 14),
    "x9": r.randint(-3, 4, 9).astype(float), "b5": np.array([4.0, 3, 2, 1, 0]), "i5": np.ones(5), "b1": np.array([10.0]),
    "b0": np.zeros(0),
}
CASES = []
SQUARE = {"cg": sl.cg, "cgs": sl.cgs, "bicgstab": sl.bicgstab, "gmres": sl.gmres, "minres": sl.minres}


def spelled(options):
    def spell(key, v):
        return v if key in ("M", "x0") else "'%s'" % v if isinstance(v, str) else lua(v)
    return ", ".join("%s = %s" % (key, spell(key, v)) for key, v in options.items())


def jacobi(A):
    return sp.diags(1 / A.diagonal())


def square(solver, name, b, dtype="float64", **options):
    """A case of a solver of square systems. M = "J" is the inverse of the diagonal."""
    A, right, given = sp.csr_matrix(MATRICES[name].astype(dtype)), VECTORS[b].astype(dtype), dict(options)
    if "M" in options:
        given["M"] = jacobi(A).astype(dtype)
    if "x0" in options:
        given["x0"] = VECTORS[options["x0"]].astype(dtype)
    seen = []
    x, info = SQUARE[solver](A, right, callback=lambda v: seen.append(np.linalg.norm(v)), **given)
    CASES.append({"solver": solver, "A": name, "b": b, "dtype": dtype, "options": spelled(options), "x": array(x),
                  "info": info, "calls": len(seen), "last": float(seen[-1]) if seen else None})


def rectangular(solver, name, b, dtype="float64", **options):
    A, right, given = sp.csr_matrix(MATRICES[name].astype(dtype)), VECTORS[b].astype(dtype), dict(options)
    if "x0" in options:
        given["x0"] = VECTORS[options["x0"]].astype(dtype)
    x, *more = getattr(sl, solver)(A, right, **given)
    var = more.pop() if solver == "lsqr" else None
    CASES.append({"solver": solver, "A": name, "b": b, "dtype": dtype, "options": spelled(options),
                  "x": array(x.astype(dtype)), "numbers": [float(v) for v in more],
                  "var": None if var is None else array(var)})


KINDS = {"cg": "PH", "cgs": "GK", "bicgstab": "GK", "gmres": "GK", "minres": "I"}
for solver, names in KINDS.items():
    own = names[0]
    for dtype in ("float32", "float64"):
        square(solver, own, "b", dtype, rtol=1e-3)
    for dtype in ("complex64", "complex128") if len(names) > 1 else ():
        square(solver, names[1], "c", dtype, rtol=1e-3)
    square(solver, own, "b", rtol=1e-9)
    square(solver, own, "b", rtol=1e-6, x0="x")
    square(solver, own, "zero", rtol=1e-6, x0="x")
    square(solver, own, "zero", rtol=1e-6)
    square(solver, own, "b", rtol=1e-6, maxiter=3)
    square(solver, own, "b", rtol=1e-6, maxiter=1)
    square(solver, "O", "b1")
    square(solver, "E", "b0")
    if solver != "minres":
        square(solver, own, "b", rtol=1e-8, M="J")
        square(solver, own, "b", rtol=0, atol=0.5)
        square(solver, own, "b", atol=1e4)
        square(solver, "D", "b5", rtol=1e-10)
square("minres", "P", "b", rtol=1e-8, M="J")
square("minres", "I", "b", rtol=1e-8, shift=0.25)
square("minres", "D", "b5", rtol=1e-8)
square("gmres", "G", "b", rtol=1e-9, restart=3, maxiter=200)
square("gmres", "G", "b", rtol=1e-9, restart=4, callback_type="pr_norm")
square("gmres", "G", "b", rtol=1e-9, restart=5, callback_type="x")
square("gmres", "G", "b", rtol=1e-9, restart=5, callback_type="x", maxiter=2)
square("gmres", "K", "c", "complex128", rtol=1e-9, restart=4, callback_type="x", M="J")
for solver in ("lsqr", "lsmr"):
    most = "iter_lim" if solver == "lsqr" else "maxiter"
    for dtype in ("float32", "float64"):
        rectangular(solver, "R", "b24", dtype, atol=1e-3, btol=1e-3)
    for dtype in ("complex64", "complex128"):
        rectangular(solver, "Q", "c14", dtype, atol=1e-3, btol=1e-3)
    rectangular(solver, "R", "b24", atol=1e-9, btol=1e-9)
    rectangular(solver, "R", "b24", atol=1e-9, btol=1e-9, damp=1.5)
    rectangular(solver, "R", "b24", atol=1e-9, btol=1e-9, x0="x9")
    rectangular(solver, "R", "b24", **{most: 3})
    rectangular(solver, "R", "b24", conlim=1.5)
    rectangular(solver, "W", "b6", atol=1e-9, btol=1e-9)
    rectangular(solver, "D", "i5")
    rectangular(solver, "G", "zero")
rectangular("lsqr", "R", "b24", calc_var=True, damp=0.5)

NORMS = []
for name in "RQOD":
    A = sp.csr_matrix(MATRICES[name])
    for spell, ord in (("nil", None), ("'fro'", "fro"), ("1", 1), ("-1", -1), ("cn.inf", np.inf), ("-cn.inf", -np.inf)):
        NORMS.append({"text": "norm(%s, %s)" % (name, spell), "value": array(sl.norm(A, ord))})
    for spell, ord in (("nil", None), ("0", 0), ("1", 1), ("2", 2), ("3", 3), ("cn.inf", np.inf), ("-cn.inf", -np.inf)):
        for axis in (0, 1):
            NORMS.append({"text": "norm(%s, %s, %d)" % (name, spell, axis + 1), "value": array(sl.norm(A, ord, axis))})


def write():
    print("-- Written by sparse_linalg.py.")
    print("return {")
    for title, of in (("matrices", MATRICES), ("vectors", VECTORS)):
        print("  %s = {" % title)
        for name, x in of.items():
            print("    %s = %s," % (name, lua(array(x))))
        print("  },")
    for title, cases in (("cases", CASES), ("norms", NORMS)):
        print("  %s = {" % title)
        for case in cases:
            print("    %s," % lua(case))
        print("  },")
    print("}")


write()

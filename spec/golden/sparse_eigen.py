"""Writes sparse_eigen.lua: what factors, eigenvalues and exponentials of sparse matrices give, for
spec/sparse/eigen_spec.lua.

    python3 spec/golden/sparse_eigen.py > spec/golden/sparse_eigen.lua

All values are those of dense matrices (NumPy's solve, eigvalsh, svd, SciPy's eigh and expm), which methods for sparse
ones approach. Written with NumPy 1.24 and SciPy 1.10.
"""
import numpy as np
import scipy.linalg

import listing
from listing import array

r = np.random.RandomState(5)
n = 24


def scattered(rows, columns, density, is_complex=False):
    mask = r.rand(rows, columns) < density
    x = r.randint(-5, 6, (rows, columns)) * mask
    return x + 1j * r.randint(-5, 6, x.shape) * mask if is_complex else x.astype(float)


S, C = scattered(n, n, 0.15), scattered(n, n, 0.15, True)
MATRICES = {
    "G": S + np.diag(np.arange(4.0, n + 4)),             # general
    "K": C + np.diag(np.arange(4.0, n + 4) - 3j),
    "I": S + S.T + np.diag(np.arange(n) - 11.5),         # symmetric
    "H": C + C.conj().T + np.diag(np.arange(n) - 11.5),  # Hermitian
    "P": np.diag(np.arange(1.0, n + 1)),
    "R": scattered(20, 12, 0.4) + np.eye(20, 12),
    "W": scattered(9, 30, 0.3, True) + np.eye(9, 30),
}
VECTORS = {"b": r.randint(-9, 10, n).astype(float), "c": r.randint(-9, 10, n) + 1j * r.randint(-9, 10, n),
           "B": r.randint(-9, 10, (n, 3)).astype(float)}

SYSTEMS = []
for A, b in (("G", "b"), ("G", "B"), ("G", "c"), ("K", "b"), ("K", "c"), ("K", "B")):
    M = MATRICES[A]
    for trans, of in (("N", M), ("T", M.T), ("H", M.conj().T)):
        SYSTEMS.append({"A": A, "b": b, "trans": trans, "x": array(np.linalg.solve(of, VECTORS[b]))})


def chosen(w, k, which):
    """The k eigenvalues of ascending w that eigsh should find."""
    if which == "BE":
        return np.sort(np.concatenate([w[:k // 2], w[len(w) - (k - k // 2):]]))
    key = {"LM": -abs(w), "SM": abs(w), "LA": -w, "SA": w}[which]
    return np.sort(w[np.argsort(key, kind="stable")[:k]])


EIGEN = []
for A in "IHP":
    w = np.linalg.eigvalsh(MATRICES[A])
    for which in ("LM", "SM", "LA", "SA", "BE"):
        for k in (1, 4, 7):
            EIGEN.append({"A": A, "k": k, "which": which, "w": array(chosen(w, k, which))})
    for sigma in (0.3, 100):
        near = np.sort(w[np.argsort(abs(w - sigma))[:5]])
        EIGEN.append({"A": A, "k": 5, "which": "LM", "sigma": sigma, "w": array(near)})

SINGULAR = []
for A in ("R", "W", "G"):
    s = np.linalg.svd(MATRICES[A], compute_uv=False)[::-1]
    for k in (1, 5):
        SINGULAR.append({"A": A, "k": k, "which": "LM", "s": array(s[-k:])})
        SINGULAR.append({"A": A, "k": k, "which": "SM", "s": array(s[:k])})

PAIRS = []
for A in ("I", "H"):
    for largest in (True, False):
        for B in (None, "P"):
            w = scipy.linalg.eigh(MATRICES[A], None if B is None else MATRICES[B], eigvals_only=True)
            PAIRS.append({"A": A, "B": B, "largest": largest, "w": array(w[::-1][:4] if largest else w[:4])})

EXPONENTIALS = []
for A in ("G", "K", "I"):
    for b in ("b", "B", "c"):
        for factor in (0.01, -0.5):
            value = scipy.linalg.expm(MATRICES[A] * factor) @ VECTORS[b]
            EXPONENTIALS.append({"A": A, "b": b, "factor": factor, "y": array(value)})
TIMES = [{"A": "I", "b": b, "start": 0.1, "stop": -0.2, "num": num, "endpoint": endpoint, "y": array(np.stack(
    [scipy.linalg.expm(MATRICES["I"] * t) @ VECTORS[b] for t in np.linspace(0.1, -0.2, num, endpoint=endpoint)]))}
    for b in ("b", "B") for num, endpoint in ((1, True), (4, True), (4, False))]

listing.write("sparse_eigen", matrices=[{"name": k, "of": array(v)} for k, v in MATRICES.items()],
              vectors=[{"name": k, "of": array(v)} for k, v in VECTORS.items()], systems=SYSTEMS, eigen=EIGEN,
              singular=SINGULAR, pairs=PAIRS, exponentials=EXPONENTIALS, times=TIMES)

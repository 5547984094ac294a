"""Writes linalg_forms.lua: what scipy.linalg gives of matrices with a pattern, roots, logarithms, polar factors, spaces.

Bases of spaces are free, so their projections are golden. Of schur and hessenberg the spec multiplies the factors out,
and compares eigenvalues; of negative eigenvalues it multiplies roots out. By hand: square roots and logarithms of real
matrices without negative eigenvalues are real, which SciPy 1.10 leaves complex for some; it sorts eigenvalues of real
forms by their real parts alone, so they are counted here.
Run: /usr/bin/python3 spec/golden/linalg_forms.py > spec/golden/linalg_forms.lua
"""
import numpy as np
import scipy.linalg as la

from listing import array, write

rng = np.random.default_rng(22)
FLOATS = "float64 float32 complex128 complex64".split()


def draw(shape, dtype):
    x = rng.integers(-8, 9, shape) / 4
    if dtype.startswith("complex"):
        x = x + 1j * rng.integers(-8, 9, shape) / 4
    return (np.abs(x * 4) if dtype[0] in "ub" else x * 4 if dtype[0] == "i" else x).astype(dtype)


def case(name, arrays, *rest, **options):
    result = getattr(la, name)(*arrays, *rest, **options)
    return {"name": name, "arrays": [array(a) for a in arrays], "rest": list(rest), "options": options,
            "result": array(result)}


def patterns():
    for i, dtype in enumerate("float64 float32 int32 complex128 complex64 bool uint8".split()):
        c, r = draw([3 + i % 2], dtype), draw([2 + i % 3], dtype)
        yield case("toeplitz", [c])
        yield case("toeplitz", [c, r])
        if dtype != "bool":
            yield case("toeplitz", [c, draw([4], "float64")])
        yield case("hankel", [c])
        yield case("hankel", [c, r])
        yield case("circulant", [c])
        yield case("khatri_rao", [draw([2, 3], dtype), draw([4, 3], dtype)])
        yield case("block_diag", [draw([2, 3], dtype), draw([2], "float64"), draw([0, 2], dtype), draw([], dtype)])
    yield case("toeplitz", [draw([2, 2], "float64"), draw([1], "float64")])
    yield case("circulant", [draw([1], "float64")])
    for dtype in FLOATS:
        yield case("companion", [np.append(2, draw([3], dtype)).astype(dtype)])
    yield case("companion", [np.array([2, 5])])


def sizes():
    for n in (1, 2, 5, 9):
        yield case("hilbert", [], n)
        yield case("invhilbert", [], n)
        yield case("invhilbert", [], n, exact=True)
        for kind in ("symmetric", "lower", "upper"):
            yield case("pascal", [], n, kind=kind)
            yield case("pascal", [], n, kind=kind, exact=False)
    yield case("invhilbert", [], 14, exact=True)
    yield case("pascal", [], 34)
    for n in (1, 2, 8):
        yield case("hadamard", [], n)
        yield case("hadamard", [], n, dtype="float32")
    for n in (1, 2, 5):
        for scale in ({}, {"scale": "sqrtn"}, {"scale": "n"}):
            yield case("dft", [], n, **scale)
        yield case("helmert", [], n)
        yield case("helmert", [], n, full=True)


def vectors():
    for i, dtype in enumerate(["float64", "float32", "int32", "complex64", "uint8"]):
        for n in (1, 2, 5):
            a = draw([3 - i % 2], dtype)
            for mode in ("full", "same", "valid"):
                yield case("convolution_matrix", [a], n, mode=mode)
        yield case("fiedler", [draw([4], dtype)])
        yield case("leslie", [draw([3], dtype), draw([2], "float64")])
        for n in (2, 3, 6, 7):
            if dtype != "uint8":
                yield case("fiedler_companion", [np.append(2, draw([n - 1], dtype)).astype(dtype)])


def single(result, dtype):
    kind = {"c": "complex64", "f": "float32"}[np.asarray(result).dtype.kind]
    return np.asarray(result).astype(kind) if dtype in ("float32", "complex64") else result


def short(a):
    """Single precision in as few digits as it takes."""
    if a.dtype not in ("float32", "complex64"):
        return array(a)
    digits = [float(str(v)) for v in np.ascontiguousarray(a).view("float32").reshape(-1)]
    values = digits if a.dtype == "float32" else [complex(*pair) for pair in zip(digits[::2], digits[1::2])]
    return {"shape": list(a.shape), "dtype": str(a.dtype), "values": values}


def functions():
    for i, dtype in enumerate(FLOATS * 2):
        for n in (1, 2, 5, 18):
            a = draw([n, n] if n < 18 else [30, 30], dtype)[:n, :n]
            if i < 4:
                a = (a @ a.conj().T + np.eye(n)).astype(dtype)
            wide = a.astype("complex128" if a.dtype.kind == "c" else "float64")
            w = la.eigvals(wide)
            if np.abs(w).min() < 1e-2:
                continue
            if wide.dtype.kind == "f" and ((w.real < 0) & (np.abs(w.imag) < 1e-12)).any():
                yield {"a": array(a), "dtype": "complex64" if dtype == "float32" else "complex128"}
                continue
            root, log = la.sqrtm(wide), la.logm(wide)
            if wide.dtype.kind == "f":
                root, log = np.real(root), np.real(log)
            else:
                root = root.astype("complex128")
            yield {"a": array(a), "root": short(single(root, dtype)), "log": short(single(log, dtype))}
    a = np.array([[4.0, 5.0], [0.0, 4.0]])
    yield {"a": array(a), "root": array(la.sqrtm(a)), "log": array(la.logm(a))}


def polars():
    for i, shape in enumerate([(3, 3), (4, 2), (2, 4), (1, 1)] * 2):
        dtype = FLOATS[i % 4 if i < 4 else (i + 1) % 4]
        a = draw(shape, dtype)
        for side in ("right", "left"):
            u, p = la.polar(a, side)
            yield {"a": array(a), "side": side, "u": array(u), "p": array(p)}


def spaces():
    for i, (m, n, rank) in enumerate([(3, 3, 2), (4, 6, 3), (6, 4, 2), (2, 3, 0), (3, 3, 3), (1, 5, 1)] * 2):
        dtype = FLOATS[i % 4]
        a = (draw([m, rank], dtype) @ draw([rank, n], dtype)).astype(dtype) if rank else np.zeros((m, n), dtype)
        null, orth = la.null_space(a), la.orth(a)
        yield {"a": array(a), "null": array(null @ null.conj().T), "orth": array(orth @ orth.conj().T),
               "rank": orth.shape[1]}


def schurs():
    for i, dtype in enumerate(FLOATS):
        for n in (1, 2, 6):
            a = draw([n, n], dtype)
            h = la.hessenberg(a)
            w = la.eigvals(a.astype("complex128"))
            counts = {"lhp": int((w.real < 0).sum()), "rhp": int((w.real >= 0).sum()),
                      "iuc": int((np.abs(w) <= 1).sum()), "ouc": int((np.abs(w) > 1).sum())}
            yield {"a": array(a), "counts": counts, "h": array(np.abs(np.diag(h, -1)) if n > 1 else np.zeros(0)),
                   "trace": array(np.trace(a)), "products": array(np.sort(np.abs(la.eigvals(a))))}


write("linalg_forms", patterns=list(patterns()), sizes=list(sizes()), functions=list(functions()),
      polars=list(polars()), spaces=list(spaces()), schurs=list(schurs()), vectors=list(vectors()))

"""Writes sparse.lua: what scipy.sparse gives, for spec/sparse/.

    /usr/bin/python3 spec/golden/sparse.py > spec/golden/sparse.lua

Written with SciPy 1.10. A case is an expression in Lua over the matrices of `MATRICES` and its value. Positions in parts
of matrices count from 1 there.
"""
import os

import numpy as np
import scipy.sparse as sp

from listing import lua

r = np.random.RandomState(7)


def whole(shape, density, dtype="float64"):
    """A dense array of small whole numbers, most of them 0."""
    x = r.randint(-5, 6, shape) * (r.rand(*shape) < density)
    if dtype.startswith("complex"):
        x = x + 1j * r.randint(-5, 6, shape) * (x != 0)
    return x.astype(dtype)


def dense(x):
    x = np.asarray(x)
    return {"shape": list(x.shape), "dtype": str(x.dtype), "values": x.reshape(-1).tolist()}


def index(x):
    return (np.asarray(x).astype("int64") + 1).tolist()


def sparse(A):
    of = {"format": A.format, "shape": list(A.shape), "dtype": str(A.dtype)}
    if A.format in ("csr", "csc"):
        return dict(of, data=A.data.tolist(), indices=index(A.indices), indptr=index(A.indptr))
    if A.format == "coo":
        return dict(of, data=A.data.tolist(), row=index(A.row), col=index(A.col))
    if A.format == "dia":
        return dict(of, data=A.data.reshape(-1).tolist(), width=A.data.shape[1], offsets=A.offsets.tolist())
    raise ValueError(A.format)


def value(v):
    if sp.issparse(v):
        return {"sparse": sparse(v)}
    if isinstance(v, np.ndarray):
        return {"array": dense(v)}
    if isinstance(v, tuple):
        return {"list": [value(x) for x in v]}
    return {"number": v.item() if isinstance(v, np.generic) else v}


A = sp.csr_matrix(whole((5, 7), 0.4))
B = sp.csr_matrix(whole((5, 7), 0.4))
S = sp.csr_matrix(whole((6, 6), 0.35))
Z = sp.csr_matrix(whole((4, 6), 0.5, "complex128"))
F = sp.csr_matrix(whole((5, 7), 0.3, "float32"))
E = sp.csr_matrix((3, 4))
C = sp.coo_matrix((np.arange(1., 9), ([0, 2, 1, 0, 2, 2, 3, 0], [1, 0, 3, 1, 0, 2, 0, 0])), shape=(4, 5))
D = sp.dia_matrix((np.arange(1., 13).reshape(3, 4), [-2, 0, 1]), shape=(5, 4))
U = sp.csr_matrix((np.array([3., 0, 2, 5, 1, 4, 7]), [2, 0, 2, 1, 3, 0, 0], [0, 3, 3, 6, 7]), shape=(4, 4))
x5, x6, x7 = (r.randint(-4, 5, n).astype(float) for n in (5, 6, 7))
X7, X5 = r.randint(-4, 5, (7, 3)).astype(float), r.randint(-4, 5, (5, 7)).astype(float)

MATRICES = {"A": A, "B": B, "S": S, "Z": Z, "F": F, "E": E, "C": C, "D": D, "U": U}
ARRAYS = {"x5": x5, "x6": x6, "x7": x7, "X7": X7, "X5": X5}
WRITTEN = {name: sparse(M) for name, M in MATRICES.items()}  # before SciPy sums what some have twice
GROUPS = {}


def group(name, *cases):
    GROUPS.setdefault(name, []).extend({"text": text, "value": value(v)} for text, v in cases)


def changed(M, change):
    M = M.copy()
    change(M)
    return M


def formats():
    for name, of in MATRICES.items():
        M = of.copy()  # todia sums elements of coo in place
        for to in ("csr", "csc", "coo", "dia"):
            made = getattr(of.copy(), "to" + to)()
            yield "%s:to%s()" % (name, to), made.sorted_indices() if name == "D" and to == "csc" else made
        yield "%s:toarray()" % name, M.toarray()
        if name != "D":  # SciPy leaves something beside the matrix
            yield "%s.T" % name, M.T
        yield "%s.nnz" % name, M.nnz
    yield "D.T:toarray()", D.T.toarray()
    yield "D.T.offsets", D.T.offsets
    yield "A:tocsc():tocsr()", A.tocsc().tocsr()
    yield "A:tocsc().T", A.tocsc().T
    yield "Z:getH():tocsr()", Z.getH().tocsr()
    yield "A:astype 'complex128'", A.astype("complex128")
    yield "sp.csr_matrix(x7)", sp.csr_matrix(x7)
    yield "sp.coo_matrix(X5)", sp.coo_matrix(X5)
    yield "sp.csc_matrix(C)", sp.csc_matrix(C)
    yield "sp.dia_matrix(S)", sp.dia_matrix(S)


def elements():
    yield "changed(C, 'sum_duplicates')", changed(C, lambda M: M.sum_duplicates())
    yield "changed(U, 'sum_duplicates')", changed(U, lambda M: M.sum_duplicates())
    yield "U:sorted_indices()", U.sorted_indices()
    yield "changed(U, 'eliminate_zeros')", changed(U, lambda M: M.eliminate_zeros())
    yield "changed(C, 'eliminate_zeros')", changed(C, lambda M: M.eliminate_zeros())
    yield "U.has_sorted_indices", U.has_sorted_indices
    yield "U.has_canonical_format", U.has_canonical_format
    yield "U:sorted_indices().has_sorted_indices", True
    yield "A.has_canonical_format", True
    for name in "ACDUZE":
        M = MATRICES[name].copy()
        yield "%s:count_nonzero()" % name, M.copy().count_nonzero()
        for k in (0, 1, -2, 9):
            yield "%s:diagonal(%d)" % (name, k), M.diagonal(k)
        row, col, v = sp.find(M)
        yield "sp.find(%s)" % name, (row.astype("int64") + 1, col.astype("int64") + 1, v)
    for name in "ACU":
        yield "%s:getnnz(1)" % name, MATRICES[name].getnnz(0).astype("int64")
        yield "%s:getnnz(2)" % name, MATRICES[name].getnnz(1).astype("int64")
    for name in "ASU":
        M = MATRICES[name].copy()
        yield "changed(%s, 'setdiag', 9)" % name, changed(M.copy().tolil(), lambda L: L.setdiag(9)).tocsr()
        yield "changed(%s, 'setdiag', {1, 2}, -1)" % name, changed(M.copy().tolil(), lambda L: L.setdiag([1, 2], -1)).tocsr()
    yield "sp.eye(3, 5, 1)", sp.eye(3, 5, 1)
    yield "sp.eye(4, 3, -2, 'float32', 'csr')", sp.eye(4, 3, -2, "float32", "csr")
    yield "sp.identity(3)", sp.identity(3)


def sums(M):
    """SciPy's products with their columns in order."""
    return M.tocsr().sorted_indices() if M.format == "csr" else M.sorted_indices()


def arithmetic():
    for name in "ASZFECDU":
        M = MATRICES[name].copy()
        x, X = x7[:M.shape[1]], X7[:M.shape[1]]
        n = M.shape[1]
        yield "%s:dot(x7[{{1, %d}}])" % (name, n), M @ x
        yield "%s:matmul(X7[{{1, %d}, {}}])" % (name, n), M @ X
        yield "%s.T:dot(x7[{{1, %d}}])" % (name, M.shape[0]), M.T @ x7[:M.shape[0]]
        yield "%s:tocsc():dot(x7[{{1, %d}}])" % (name, n), M.tocsc() @ x
        yield "(-%s):toarray()" % name, (-M).toarray()
        yield "(%s * 3):toarray()" % name, (M * 3).toarray()
        if name != "F":  # a Lua number is weak beside float32
            yield "(2.5 * %s / 2):toarray()" % name, (2.5 * M / 2).toarray()
    yield "x5 * A", x5 @ A
    yield "X5 * A.T", X5 @ A.T
    yield "A * B.T", sums(A @ B.T)
    yield "A.T:dot(B)", (A.T @ B).sorted_indices()
    yield "Z * S", sums(Z @ S)
    yield "A:tocoo() * B.T", sums(A.tocoo() @ B.T)
    yield "S:tocsc() * S:tocsc()", (S.tocsc() @ S.tocsc()).sorted_indices()
    yield "S ^ 3", sums(S ** 3)
    yield "S ^ 0", (S ** 0).tocsr()
    yield "sp.csr_array(S) ^ 2", sp.csr_array(S) ** 2
    yield "S:power(3)", S.power(3)
    yield "F:matmul(x7).dtype", str((F @ x7).dtype)
    for name, fn in (("+", lambda a, b: a + b), ("-", lambda a, b: a - b)):
        yield "A %s B" % name, fn(A, B)
        yield "A:tocsc() %s B" % name, fn(A.tocsc(), B)
        yield "A %s F" % name, fn(A, F)
        yield "A %s X5" % name, np.asarray(fn(A, X5))
        yield "X5 %s A" % name, np.asarray(fn(X5, A))
    yield "(D + D).format", (D + D).format
    yield "(D + D):toarray()", (D + D).toarray()
    yield "sp.csr_array(A) * B", sp.csr_array(A) * B
    yield "A:multiply(B)", A.multiply(B)
    yield "A:multiply(X5)", A.multiply(X5)
    yield "A:multiply(x7)", A.multiply(x7)
    yield "A:multiply(x5:reshape {-1, 1}):tocsr()", A.multiply(x5.reshape(-1, 1)).tocsr()
    yield "A:multiply(sp.csr_matrix(x7)):toarray()", A.multiply(sp.csr_matrix(x7)).toarray()
    yield "(A / (X5 + 10)):toarray()", np.asarray(A / (X5 + 10))
    yield "A:multiply(0.5)", A.multiply(0.5)
    yield "A:maximum(B)", A.maximum(B)
    yield "A:minimum(B)", A.minimum(B)
    yield "A:maximum(0)", A.maximum(0)
    yield "A:minimum(-1):toarray()", A.minimum(-1).toarray()
    yield "A:minimum(1):toarray()", A.minimum(1).toarray()
    yield "A:maximum(X5)", np.asarray(A.maximum(X5))
    for name, fn in (("ne", lambda a, b: a != b), ("lt", lambda a, b: a < b), ("gt", lambda a, b: a > b)):
        yield "A:%s(B):toarray()" % name, fn(A, B).toarray()


def build():
    yield "sp.diags({{1, 2, 3}, {4, 5}}, {0, 1})", sp.diags([[1.0, 2, 3], [4.0, 5]], [0, 1])
    yield "sp.diags({1, -2, 1}, {-1, 0, 1}, {4, 5}):toarray()", sp.diags([1.0, -2, 1], [-1, 0, 1], shape=(4, 5)).toarray()
    yield "sp.diags({1, 2}, -1, nil, 'csr')", sp.diags([1.0, 2], -1, format="csr")
    yield "sp.spdiags({{1, 2, 3}, {4, 5, 6}}, {0, -1}, 3, 3)", sp.spdiags([[1.0, 2, 3], [4, 5, 6]], [0, -1], 3, 3)
    yield "sp.kron(S, A):toarray()", sp.kron(S, A).toarray()
    yield "sp.kronsum(S, U):toarray()", sp.kronsum(S, U).toarray()
    yield "sp.hstack {A, B}:tocsr()", sp.hstack([A, B]).tocsr()
    yield "sp.vstack {A, F}", sp.vstack([A, F])
    yield "sp.vstack({A, Z:dot(S):dot(sp.eye(6, 7)), x7}, 'csc'):toarray()", sp.vstack(
        [A, Z @ S @ sp.eye(6, 7), sp.csr_matrix(x7)], "csc").toarray()
    yield "sp.bmat({{A, false}, {false, S}, {B, nil}}):toarray()", sp.bmat([[A, None], [None, S], [B, None]]).toarray()
    yield "sp.block_diag({A, {{1, 2}}, D}):toarray()", sp.block_diag([A, [[1.0, 2]], D]).toarray()
    for k in (0, 1, -2):
        for name in "AUD":
            yield "sp.tril(%s, %d):toarray()" % (name, k), sp.tril(MATRICES[name].copy(), k).toarray()
            yield "sp.triu(%s, %d):toarray()" % (name, k), sp.triu(MATRICES[name].copy(), k).toarray()
    yield "sp.tril(A).format", "coo"


def keys():
    for name in ("A", "A:tocsc()"):
        M = A if name == "A" else A.tocsc()
        yield "(%s)[2]" % name, M[1]
        yield "(%s)[{2, 3}]" % name, M[1, 2]
        yield "(%s)[{-1, 1}]" % name, M[-1, 0]
        yield "(%s)[{{2, 4}, {}}]" % name, M[1:4]
        yield "(%s)[{{}, {2, 7, 2}}]" % name, M[:, 1::2]
        yield "(%s)['2:3, 4:6']" % name, M[1:3, 3:6]
        yield "(%s)[{{}, 3}]" % name, M[:, 2]
        yield "(%s)[{{5, 1, -1}, {3, 4}}]:toarray()" % name, M[::-1, 2:4].toarray()
        yield "(%s)[cn.array({3, 1, 3}, 'int64')]:toarray()" % name, M[[2, 0, 2]].toarray()
        yield "(%s)[{{}, cn.array({5, 1, 5}, 'int64')}]:toarray()" % name, M[:, [4, 0, 4]].toarray()
        yield "(%s)[x5:gt(0)]:toarray()" % name, M[x5 > 0].toarray()
        yield "(%s)[{cn.array({1, 2, 5}, 'int64'), cn.array({1, 4, 7}, 'int64')}]" % name, np.asarray(
            M[[0, 1, 4], [0, 3, 6]]).reshape(-1)
    yield "A:getrow(2)", A.getrow(1)
    yield "A:getcol(3)", A.getcol(2)

    def put(M, key, v):
        M = M.tolil()
        M[key] = v
        return M.toarray()
    for name in "AC":
        M = MATRICES[name].copy()
        yield "set(%s, {2, 3}, 9):toarray()" % name, put(M, (1, 2), 9)
        yield "set(%s, {{2, 3}, {}}, 0):toarray()" % name, put(M, (slice(1, 3), slice(None)), 0)
        yield "set(%s, {{}, 2}, cn.arange(%d)):toarray()" % (name, M.shape[0]), put(
            M, (slice(None), slice(1, 2)), np.arange(M.shape[0]).reshape(-1, 1))
        yield "set(%s, {cn.array({1, 2}, 'int64'), cn.array({4, 5}, 'int64')}, {7, 8}):toarray()" % name, put(
            M, ([0, 1], [3, 4]), [7, 8])


def folds():
    for name in "ACDUEF":
        M = MATRICES[name].copy()
        yield "%s:sum():item()" % name, M.sum()
        yield "%s:mean():item()" % name, float(M.mean())
        yield "%s:max():item()" % name, float(M.tocsr().max())
        yield "%s:min():item()" % name, float(M.tocsr().min())
        for axis in (0, 1):
            yield "%s:sum(%d)" % (name, axis + 1), np.asarray(M.sum(axis))
            yield "%s:mean(%d)" % (name, axis + 1), np.asarray(M.mean(axis))
            yield "%s:max(%d):toarray()" % (name, axis + 1), M.tocsr().max(axis).toarray()
            yield "%s:min(%d):toarray()" % (name, axis + 1), M.tocsr().min(axis).toarray()
            X = M.toarray()
            shape = (1, -1) if axis == 0 else (-1, 1)
            yield "%s:argmax(%d)" % (name, axis + 1), (X.argmax(axis) + 1).reshape(shape)
            yield "%s:argmin(%d)" % (name, axis + 1), (X.argmin(axis) + 1).reshape(shape)
        yield "%s:argmax()" % name, int(M.toarray().argmax() + 1)
        yield "%s:argmin()" % name, int(M.toarray().argmin() + 1)
    yield "sp.csr_array(A):sum(2)", sp.csr_array(A).sum(1)
    yield "Z:sum(1)", np.asarray(Z.sum(0))
    yield "A:astype('int32'):sum(1)", np.asarray(A.astype("int32").sum(0))
    for name in "sqrt sin tanh expm1 floor sign abs log1p".split():
        M = abs(A)
        yield "A:abs():%s()" % name, M if name == "abs" else getattr(M, name)()
    yield "C:abs():toarray()", abs(C.copy()).toarray()
    yield "(-A):sign()", (-A).sign()


group("formats", *formats())
group("build", *build())
group("keys", *keys())
group("folds", *folds())
group("arithmetic", *arithmetic())
group("elements", *elements())


def files():
    """Files that SciPy wrote."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")
    M = sp.csr_matrix([[1.0, 0, 2], [0, 0, 3]])
    for name in ("csr", "csc", "coo", "dia"):
        sp.save_npz(os.path.join(folder, "sparse_%s.npz" % name), M.asformat(name), compressed=name != "coo")
    sp.save_npz(os.path.join(folder, "sparse_bsr.npz"), M.asformat("bsr"))


def write():
    print("-- Written by sparse.py.")
    print("return {")
    print("  matrices = {")
    for name, of in WRITTEN.items():
        print("    %s = %s," % (name, lua(of)))
    print("  },\n  arrays = {")
    for name, x in ARRAYS.items():
        print("    %s = %s," % (name, lua(dense(x))))
    print("  },\n  groups = {")
    for name, cases in GROUPS.items():
        print("    %s = {" % name)
        for case in cases:
            print("      %s," % lua(case))
        print("    },")
    print("  },\n}")


files()
write()

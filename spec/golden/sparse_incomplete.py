"""Writes sparse_incomplete.lua: how far SciPy's spilu takes solvers, for spec/sparse/incomplete_spec.lua.

    python3 spec/golden/sparse_incomplete.py > spec/golden/sparse_incomplete.lua

Written with SciPy 1.17. The matrix is that of a convection with diffusion on a square, upwind differences; a case has
drop_tol and fill_factor, how many elements both factors have for each of the matrix's, and how many iterations solvers
take with them.
"""
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from listing import lua

SIDE, RTOL = 24, 1e-8


def matrix():
    h = 1 / (SIDE + 1)
    second = sp.diags([-1.0, 2, -1], [-1, 0, 1], shape=(SIDE, SIDE)) / h ** 2
    first = sp.diags([-1.0, 1], [-1, 0], shape=(SIDE, SIDE)) / h
    one = sp.eye(SIDE)
    return (sp.kronsum(second, second) + 200 * sp.kron(one, first) + 50 * sp.kron(first, one)).tocsc()


def iterations(A, solver, **options):
    count = [0]

    def count_one(_):
        count[0] += 1
    _, info = solver(A, np.ones(SIDE ** 2), rtol=RTOL, callback=count_one, **options)
    assert info == 0
    return count[0]


A = matrix()
print("-- Written by sparse_incomplete.py.")
print("return {side = %d, rtol = %g, cases = {" % (SIDE, RTOL))
for drop_tol, fill_factor in [(1e-4, 10), (1e-2, 10), (1e-3, 3), (1e-1, 2), (None, None)]:
    case, options = {}, {}
    if drop_tol:
        factors = sl.spilu(A, drop_tol, fill_factor)
        options["M"] = sl.LinearOperator(A.shape, factors.solve)
        case = {"drop_tol": drop_tol, "fill_factor": fill_factor, "fill": (factors.L.nnz + factors.U.nnz) / A.nnz}
    case["gmres"] = iterations(A, sl.gmres, restart=20, callback_type="pr_norm", **options)
    case["bicgstab"] = iterations(A, sl.bicgstab, **options)
    print("  %s," % lua(case))
print("}}")

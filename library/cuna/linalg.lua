---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Linear algebra.

---@class cuna.linalg
local linalg = {}

--- which norm: see cn.linalg.norm
---@alias cuna.NormOrder number|"fro"|"nuc"

--- Diagonals of matrices, as a last axis: of the last two axes, where cn.diagonal takes the first two. A view. Follows
--- numpy.linalg.diagonal.
---
--- ```lua
--- cn.linalg.diagonal(cn.arange(8):reshape(2, 2, 2)) --> [[0 3] [4 7]]
--- ```
---@param x cuna.Operand # shape (..., m, n)
---@param offset integer|nil # positive above the main diagonal, default 0
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {offset?: integer}): cuna.Array
function linalg.diagonal(x, offset) end

--- Sums of the diagonals of matrices: of the last two axes, where cn.trace takes the first two. Follows
--- numpy.linalg.trace.
---
--- ```lua
--- cn.linalg.trace(cn.arange(8):reshape(2, 2, 2)) --> [ 3 11]
--- ```
---@param x cuna.Operand # shape (..., m, n)
---@param offset integer|nil # positive above the main diagonal, default 0
---@param dtype cuna.Dtype|nil # default as cn.sum's
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {offset?: integer, dtype?: cuna.Dtype}): cuna.Array
function linalg.trace(x, offset, dtype) end

--- Solves a x = b. b is a vector where it has one axis, else a stack of matrices. A singular matrix is a LinAlgError,
--- unless check is false: then its solutions are NaN. Follows numpy.linalg.solve.
---
--- ```lua
--- cn.linalg.solve({{3, 1}, {1, 2}}, {9, 8}) --> [2. 3.]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param b cuna.Operand # shape (n,) or (..., n, k); stacks broadcast
---@param check boolean|nil # default true
---@return cuna.Array # x of shape (..., n) or (..., n, k)
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {check?: boolean}): cuna.Array
function linalg.solve(a, b, check) end

--- Inverses of matrices. A singular one is a LinAlgError, unless check is false: then its inverse is NaN. Follows
--- numpy.linalg.inv.
---
--- ```lua
--- cn.linalg.inv {{1, 2}, {3, 4}} --> [[-2. 1. ] [ 1.5 -0.5]]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param check boolean|nil # default true
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {check?: boolean}): cuna.Array
function linalg.inv(a, check) end

--- Determinants: products of the diagonals of LU factors. Follows numpy.linalg.det, but that products are exact where
--- they can be.
---
--- ```lua
--- cn.linalg.det {{1, 2}, {3, 4}}, cn.linalg.det(2 * cn.eye(3)) --> -2.0, 8.0
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@return cuna.Array # of the stack's shape
function linalg.det(a) end

--- Signs and logarithms of the sizes of determinants, which may be too large or small themselves; 0 and -inf for
--- singular matrices. Follows numpy.linalg.slogdet.
---
--- ```lua
--- cn.linalg.slogdet {{1, 2}, {2, 4}} --> 0.0, -inf
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@return cuna.Array # sign of the stack's shape; complex ones have size 1
---@return cuna.Array # logabsdet real
function linalg.slogdet(a) end

--- Solves a x = b for triangles a; their other halves are not read. A 0 on a diagonal is a LinAlgError, unless check is
--- false: then solutions hold infinities and NaN. Follows scipy.linalg.solve_triangular.
---
--- ```lua
--- cn.linalg.solve_triangular({{2, 1}, {0, 4}}, {4, 8}) --> [1. 2.]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param b cuna.Operand # shape (n,) or (..., n, k)
---@param trans integer|string|nil # 0 or "N" (default); 1 or "T": the transpose of a; 2 or "C": its conjugate transpose
---@param lower boolean|nil # true: the lower triangle; default the upper one
---@param unit_diagonal boolean|nil # true: the diagonal is taken for ones, and not read
---@param check boolean|nil # default true
---@return cuna.Array
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {trans?: integer|string, lower?: boolean, unit_diagonal?: boolean, check?: boolean}): cuna.Array
function linalg.solve_triangular(a, b, trans, lower, unit_diagonal, check) end

--- A Cholesky factor for cn.linalg.cho_solve: in its other triangle anything may stand. Follows
--- scipy.linalg.cho_factor.
---
--- ```lua
--- cn.linalg.cho_factor(4 * cn.eye(1)) --> [[2.]], false
--- ```
---@param a cuna.Operand # shape (..., n, n): Hermitian and positive definite, else it is a LinAlgError
---@param lower boolean|nil # which triangle of a is read and becomes the factor; default the upper one
---@param check boolean|nil # false: no LinAlgError, and other matrices' factors are NaN
---@return cuna.Array # factor
---@return boolean # lower
---@overload fun(a: cuna.Operand, options: {lower?: boolean, check?: boolean}): cuna.Array, boolean
function linalg.cho_factor(a, lower, check) end

--- Solves a x = b by what cn.linalg.cho_factor gave of a. Follows scipy.linalg.cho_solve.
---
--- ```lua
--- cn.linalg.cho_solve({cn.linalg.cho_factor {{4, 2}, {2, 10}}}, {6, 12}) --> [1. 1.]
--- ```
---@param factor_and_lower (cuna.Array|boolean)[] # {factor, lower}
---@param b cuna.Operand # shape (n,) or (..., n, k)
---@return cuna.Array
function linalg.cho_solve(factor_and_lower, b) end

--- The inverse of an array for cn.tensordot over its first axes. Follows numpy.linalg.tensorinv.
---
--- ```lua
--- cn.linalg.tensorinv(cn.eye(24):reshape(4, 6, 8, 3)).shape --> (8, 3, 4, 6)
--- ```
---@param a cuna.Operand
---@param ind integer|nil # how many axes come first; their lengths' product is that of the others'. Default 2
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {ind?: integer}): cuna.Array
function linalg.tensorinv(a, ind) end

--- Solves cn.tensordot(a, x, x.ndim) = b. Follows numpy.linalg.tensorsolve.
---
--- ```lua
--- cn.linalg.tensorsolve(cn.eye(6):reshape(2, 3, 6), cn.ones {2, 3}) --> [1. 1. 1. 1. 1. 1.]
--- ```
---@param a cuna.Operand # of b's shape, then x's
---@param b cuna.Operand
---@param axes integer|integer[]|nil # axes of a that go to its end first
---@return cuna.Array # x
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {axes?: integer|integer[]}): cuna.Array
function linalg.tensorsolve(a, b, axes) end

--- LU factors of matrices, for cn.linalg.lu_solve: l without its diagonal of ones below u. A singular matrix is a
--- LinAlgError, unless check is false. Follows scipy.linalg.lu_factor.
---
--- ```lua
--- cn.linalg.lu_factor {{1, 2}, {4, 4}} --> [[4. 4. ] [0.25 1. ]], [2 2]
--- ```
---@param a cuna.Operand # shape (..., m, n)
---@param check boolean|nil # default true
---@return cuna.Array # lu
---@return cuna.Array # pivots int64 positions from 1: row k was exchanged with row pivots[k], for k = 1, 2, ...
---@overload fun(a: cuna.Operand, options: {check?: boolean}): cuna.Array, cuna.Array
function linalg.lu_factor(a, check) end

--- Solves a x = b by what cn.linalg.lu_factor gave of a. Follows scipy.linalg.lu_solve.
---
--- ```lua
--- cn.linalg.lu_solve({cn.linalg.lu_factor {{3, 1}, {1, 2}}}, {9, 8}) --> [2. 3.]
--- ```
---@param lu_and_pivots cuna.Array[] # {lu, pivots}
---@param b cuna.Operand # shape (n,) or (..., n, k)
---@param trans integer|string|nil # 0 or "N" (default); 1 or "T": the transpose of a; 2 or "C": its conjugate transpose
---@return cuna.Array
---@overload fun(lu_and_pivots: cuna.Array[], b: cuna.Operand, options: {trans?: integer|string}): cuna.Array
function linalg.lu_solve(lu_and_pivots, b, trans) end

--- Factors matrices as a = p l u: a permutation, a lower triangle with ones on its diagonal, an upper triangle.
--- Singular matrices have factors, too. Follows scipy.linalg.lu.
---
--- ```lua
--- cn.linalg.lu {{1, 2}, {4, 4}} --> [[0. 1.] [1. 0.]], [[1. 0. ] [0.25 1. ]], [[4. 4.] [0. 1.]]
--- ```
---@param a cuna.Operand # shape (..., m, n)
---@param permute_l boolean|nil # true: returns p l and u
---@param p_indices boolean|nil # true: in place of a matrix p is positions from 1, for which a[p] is l u
---@return cuna.Array # p (..., m, m)
---@return cuna.Array # l (..., m, k) with k = min(m, n)
---@return cuna.Array|nil # u (..., k, n)
---@overload fun(a: cuna.Operand, options: {permute_l?: boolean, p_indices?: boolean}): cuna.Array, cuna.Array, cuna.Array|nil
function linalg.lu(a, permute_l, p_indices) end

--- Factors matrices as q r: q has orthonormal columns, r is upper triangular. Follows numpy.linalg.qr.
---
--- ```lua
--- cn.linalg.qr({{0, 2}, {3, 4}}, "r"):abs() --> [[3. 4.] [0. 2.]]
--- cn.linalg.qr(cn.ones {3, 2}, "complete").shape --> (3, 3)
--- ```
---@param a cuna.Operand # shape (..., m, n)
---@param mode string|nil # with k = min(m, n): "reduced" (default): q is (..., m, k), r (..., k, n); "complete": (..., m, m) and (..., m, n); "r": r alone; "raw": LAPACK's reflectors (..., n, m) and their scales (..., k)
---@return cuna.Array
---@return cuna.Array|nil
---@overload fun(a: cuna.Operand, options: {mode?: string}): cuna.Array, cuna.Array|nil
function linalg.qr(a, mode) end

--- The Cholesky factor l, lower triangular with a = l l^H, of Hermitian positive definite matrices; with `upper` u with
--- a = u^H u. Only this triangle of a is read. Another matrix is a LinAlgError, unless check is false: then its factor
--- is NaN. Follows numpy.linalg.cholesky.
---
--- ```lua
--- cn.linalg.cholesky {{4, 2}, {2, 10}} --> [[2. 0.] [1. 3.]]
--- cn.linalg.cholesky({{4, 2}, {2, 10}}, {upper = true}) --> [[2. 1.] [0. 3.]]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param upper boolean|nil # default false
---@param check boolean|nil # default true
---@return cuna.Array
---@overload fun(a: cuna.Operand, options: {upper?: boolean, check?: boolean}): cuna.Array
function linalg.cholesky(a, upper, check) end

--- Eigenvalues, ascending, and eigenvectors, as columns, of real symmetric or complex Hermitian matrices, of which one
--- triangle is read. Follows numpy.linalg.eigh.
---
--- ```lua
--- cn.linalg.eigh {{2, 0}, {0, 1}} --> [1. 2.], [[0. 1.] [1. 0.]]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param uplo string|nil # the triangle: "L" (default) or "U", in any case, as is the option's name
---@param check boolean|nil # false: matrices whose values are not found raise no LinAlgError, and give NaN
---@return cuna.Array # values real, (..., n)
---@return cuna.Array # vectors (..., n, n)
---@overload fun(a: cuna.Operand, options: {uplo?: string, check?: boolean}): cuna.Array, cuna.Array
function linalg.eigh(a, uplo, check) end

--- Eigenvalues, ascending, of real symmetric or complex Hermitian matrices. Follows numpy.linalg.eigvalsh.
---
--- ```lua
--- cn.linalg.eigvalsh {{2, 0}, {0, 1}} --> [1. 2.]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param uplo string|nil # the triangle that is read, as cn.linalg.eigh's
---@param check boolean|nil # as cn.linalg.eigh's
---@return cuna.Array # values real, (..., n)
---@overload fun(a: cuna.Operand, options: {uplo?: string, check?: boolean}): cuna.Array
function linalg.eigvalsh(a, uplo, check) end

--- Eigenvalues and right eigenvectors, as columns of length 1, of square matrices. Both are always complex, since only
--- the device knows whether all of them are real. Infinite elements and NaN are a LinAlgError. Follows
--- numpy.linalg.eig, but for the dtype of real results.
---
--- ```lua
--- cn.linalg.eig {{2, 0}, {0, 3}} --> [2.+0.j 3.+0.j], [[1.+0.j 0.+0.j] [0.+0.j 1.+0.j]]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param check boolean|nil # false: matrices whose values are not found raise no LinAlgError, and give NaN
---@return cuna.Array # values complex, (..., n), in no order
---@return cuna.Array # vectors complex, (..., n, n)
---@overload fun(a: cuna.Operand, options: {check?: boolean}): cuna.Array, cuna.Array
function linalg.eig(a, check) end

--- Eigenvalues of square matrices: always complex. Follows numpy.linalg.eigvals, but for the dtype of real results.
---
--- ```lua
--- cn.linalg.eigvals {{2, 1}, {0, 3}} --> [2.+0.j 3.+0.j]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param check boolean|nil # as cn.linalg.eig's
---@return cuna.Array # values complex, (..., n), in no order
---@overload fun(a: cuna.Operand, options: {check?: boolean}): cuna.Array
function linalg.eigvals(a, check) end

--- Singular value decomposition a = u s v^H. Follows numpy.linalg.svd.
---
--- ```lua
--- cn.linalg.svd({{3, 0}, {0, 4}}, {compute_uv = false}) --> [4. 3.]
--- cn.linalg.svd(cn.ones {3, 2}).shape, cn.linalg.svd(cn.ones {3, 2}, false).shape --> (3, 3), (3, 2)
--- ```
---@param a cuna.Operand # shape (..., m, n)
---@param full_matrices boolean|nil # true (default): u is (..., m, m) and v^H (..., n, n); false: they have k = min(m, n) columns and rows
---@param compute_uv boolean|nil # false: the singular values alone
---@param hermitian boolean|nil # true: a is Hermitian, and only its lower triangle is read
---@param check boolean|nil # false: matrices whose values are not found raise no LinAlgError, and give NaN
---@return cuna.Array # u
---@return cuna.Array|nil # s real, (..., k), the greatest first
---@return cuna.Array|nil # vh
---@overload fun(a: cuna.Operand, options: {full_matrices?: boolean, compute_uv?: boolean, hermitian?: boolean, check?: boolean}): cuna.Array, cuna.Array|nil, cuna.Array|nil
function linalg.svd(a, full_matrices, compute_uv, hermitian, check) end

--- Singular values of matrices. Follows numpy.linalg.svdvals.
---
--- ```lua
--- cn.linalg.svdvals {{3, 0}, {0, 4}} --> [4. 3.]
--- ```
---@param x cuna.Operand # shape (..., m, n)
---@return cuna.Array # real, (..., min(m, n)), the greatest first
function linalg.svdvals(x) end

--- Norm of vectors along one axis, or of matrices along two. Without axis and ord it is the 2-norm of all elements.
--- Vectors: ord is any number; sum(abs(x)^ord)^(1/ord), the greatest size for cn.inf, the least for -cn.inf, the count
--- of what is not 0 for 0. Matrices: "fro" (default), "nuc" (sum of singular values), 1 and -1 (greatest and least sum
--- of a column's sizes), cn.inf and -cn.inf (of a row's), 2 and -2 (greatest and least singular value). Integers and
--- bools are computed in the default float; the result is real. Follows numpy.linalg.norm.
---
--- ```lua
--- cn.linalg.norm {3, 4} --> 5.0
--- cn.linalg.norm({{1, 2}, {3, 4}}, 1), cn.linalg.norm({{1, 2}, {3, 4}}, cn.inf, 2) --> 6.0, [2. 4.]
--- ```
---@param x cuna.Operand
---@param ord cuna.NormOrder|nil
---@param axis integer|integer[]|nil # one axis, or a pair: rows and columns
---@param keepdims boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {ord?: cuna.NormOrder, axis?: integer|integer[], keepdims?: boolean}): cuna.Array
function linalg.norm(x, ord, axis, keepdims) end

--- Norm of vectors along any axes, by default all of them, whose elements are one vector. Follows
--- numpy.linalg.vector_norm.
---
--- ```lua
--- cn.linalg.vector_norm {{1, 2}, {2, 4}} --> 5.0
--- cn.linalg.vector_norm({{1, 2}, {2, 4}}, 1, {ord = 1}) --> [3. 6.]
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil
---@param keepdims boolean|nil
---@param ord number|nil # default 2; as cn.linalg.norm's for vectors
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, keepdims?: boolean, ord?: number}): cuna.Array
function linalg.vector_norm(x, axis, keepdims, ord) end

--- Norm of the matrices along the last two axes. Follows numpy.linalg.matrix_norm.
---
--- ```lua
--- cn.linalg.matrix_norm({{3, 0}, {0, 4}}), cn.linalg.matrix_norm({{3, 0}, {0, 4}}, {ord = 2}) --> 5.0, 4.0
--- ```
---@param x cuna.Operand # shape (..., m, n)
---@param keepdims boolean|nil
---@param ord cuna.NormOrder|nil # default "fro"; as cn.linalg.norm's for matrices
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {keepdims?: boolean, ord?: cuna.NormOrder}): cuna.Array
function linalg.matrix_norm(x, keepdims, ord) end

--- Condition numbers of matrices: the norm times that of the inverse, for p = 2 and -2 the ratio of the greatest and
--- least singular value. Infinite for singular matrices. Follows numpy.linalg.cond.
---
--- ```lua
--- cn.linalg.cond {{2, 0}, {0, 4}}, cn.linalg.cond({{1, 2}, {2, 4}}, 1) --> 2.0, inf
--- ```
---@param x cuna.Operand # shape (..., m, n); square but for p = 2 and -2
---@param p cuna.NormOrder|nil # default 2; as ord of cn.linalg.norm for matrices
---@return cuna.Array # real, of the stack's shape
---@overload fun(x: cuna.Operand, options: {p?: cuna.NormOrder}): cuna.Array
function linalg.cond(x, p) end

--- Ranks of matrices: how many singular values are greater than tol. An array with less than two axes has rank 0 where
--- all of it is 0, else 1. Follows numpy.linalg.matrix_rank.
---
--- ```lua
--- cn.linalg.matrix_rank {{1, 2}, {2, 4}} --> 1
--- ```
---@param a cuna.Operand # shape (..., m, n)
---@param tol cuna.Operand|nil # a number, or one for each matrix; default: the greatest singular value * max(m, n) * epsilon of the dtype
---@param hermitian boolean|nil # true: a is Hermitian, which is faster
---@return cuna.Array # int64, of the stack's shape
---@overload fun(a: cuna.Operand, options: {tol?: cuna.Operand, hermitian?: boolean}): cuna.Array
function linalg.matrix_rank(a, tol, hermitian) end

--- Moore-Penrose pseudo-inverses of matrices, by singular values. Follows numpy.linalg.pinv.
---
--- ```lua
--- cn.linalg.pinv {{2, 0}, {0, 0}} --> [[0.5 0. ] [0. 0. ]]
--- ```
---@param a cuna.Operand # shape (..., m, n)
---@param rcond cuna.Operand|nil # singular values up to this share of the greatest count as 0: a number, or one for each matrix; default 1e-15
---@param hermitian boolean|nil # true: a is Hermitian, which is faster
---@return cuna.Array # shape (..., n, m)
---@overload fun(a: cuna.Operand, options: {rcond?: cuna.Operand, hermitian?: boolean}): cuna.Array
function linalg.pinv(a, rcond, hermitian) end

--- Least squares: the x of least length among those for which b - a x is shortest. Follows numpy.linalg.lstsq, but that
--- tall matrices of any rank have residuals, since only the device knows it, and that stacks of matrices are welcome.
---
--- ```lua
--- cn.linalg.lstsq({{1, 0}, {0, 2}, {0, 0}}, {1, 4, 3}) --> [1. 2.], [9.], 2, [2. 1.]
--- ```
---@param a cuna.Operand # shape (..., m, n)
---@param b cuna.Operand # shape (m,) or (..., m, k)
---@param rcond number|nil # singular values up to this share of the greatest count as 0; default max(m, n) * epsilon of the dtype
---@return cuna.Array # x (..., n) or (..., n, k)
---@return cuna.Array # residuals the squared lengths of b - a x, (..., k); with m <= n of length 0
---@return cuna.Array # rank int64, of the stack's shape
---@return cuna.Array # s singular values of a
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {rcond?: number}): cuna.Array, cuna.Array, cuna.Array, cuna.Array
function linalg.lstsq(a, b, rcond) end

--- Exponentials of square matrices, by Pade approximants of scaled matrices that are squared again. How often is asked
--- of the device, so it waits. Follows scipy.linalg.expm.
---
--- ```lua
--- cn.linalg.expm(cn.zeros {2, 2}) --> [[1. 0.] [0. 1.]]
--- cn.linalg.expm {{0, 1}, {0, 0}} --> [[1. 1.] [0. 1.]]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@return cuna.Array
function linalg.expm(a) end

--- Principal square roots x of square matrices, x x = a. Of real matrices they are real unless an eigenvalue is
--- negative. Computed on the host; this waits. A singular matrix without a root is a LinAlgError. By Schur's form
--- (Bjorck and Hammarling, 1983). Follows scipy.linalg.sqrtm, which returns complex numbers for some real roots.
---
--- ```lua
--- cn.linalg.sqrtm {{4, 5}, {0, 9}} --> [[2. 1.] [0. 3.]]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@return cuna.Array
function linalg.sqrtm(a) end

--- Principal logarithms x of square matrices, expm(x) = a. Of real matrices they are real unless an eigenvalue is
--- negative. Computed on the host; this waits. A singular matrix is a LinAlgError. By scaling and Schur's form (Higham,
--- 2008). Follows scipy.linalg.logm.
---
--- ```lua
--- cn.linalg.logm {{1, 2}, {0, 1}} --> [[0. 2.] [0. 0.]]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@return cuna.Array
function linalg.logm(a) end

--- Schur's form t of square matrices, a = z t z^H: z is unitary, and t upper triangular. In the real form of real
--- matrices pairs of complex eigenvalues are blocks of 2 x 2 on t's diagonal. On GPUs matrices are copied to the host,
--- and this waits: cuSOLVER does not have it. Follows scipy.linalg.schur.
---
--- ```lua
--- cn.linalg.schur {{2, 1}, {0, 3}} --> [[2. 1.] [0. 3.]], [[1. 0.] [0. 1.]]
--- select(3, cn.linalg.schur({{2, 1}, {0, -3}}, {sort = "lhp"})) --> 1
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param output string|nil # "real" (default): t of real matrices is real; "complex"
---@param sort string|nil # which eigenvalues come first: "lhp" those with negative real parts, "rhp" the others; "iuc"  those up to the unit circle, "ouc" the others
---@return cuna.Array # t
---@return cuna.Array # z
---@return cuna.Array|nil # count with sort: how many come first, for each matrix
---@overload fun(a: cuna.Operand, options: {output?: string, sort?: string}): cuna.Array, cuna.Array, cuna.Array|nil
function linalg.schur(a, output, sort) end

--- Hessenberg's form h of square matrices, a = q h q^H: q is unitary, and h has zeros below its first subdiagonal. On
--- GPUs matrices are copied to the host, and this waits. Follows scipy.linalg.hessenberg.
---
--- ```lua
--- cn.linalg.hessenberg {{1, 2}, {3, 4}} --> [[1. 2.] [3. 4.]]
--- select(2, cn.linalg.hessenberg({{1, 2}, {3, 4}}, true)) --> [[1. 0.] [0. 1.]]
--- ```
---@param a cuna.Operand # shape (..., n, n)
---@param calc_q boolean|nil # whether q is returned, default false
---@return cuna.Array # h
---@return cuna.Array|nil # q
---@overload fun(a: cuna.Operand, options: {calc_q?: boolean}): cuna.Array, cuna.Array|nil
function linalg.hessenberg(a, calc_q) end

--- Polar factors of matrices, a = u p, or a = p u: u has orthonormal columns or rows, and p is Hermitian with
--- eigenvalues that are not negative. Follows scipy.linalg.polar.
---
--- ```lua
--- cn.linalg.polar {{0, 2}, {3, 0}} --> [[0. 1.] [1. 0.]], [[3. 0.] [0. 2.]]
--- ```
---@param a cuna.Operand # shape (..., m, n)
---@param side string|nil # where p is: "right" (default) or "left"
---@return cuna.Array # u (..., m, n)
---@return cuna.Array # p (..., n, n), of the left side (..., m, m)
---@overload fun(a: cuna.Operand, options: {side?: string}): cuna.Array, cuna.Array
function linalg.polar(a, side) end

--- An orthonormal basis of the vectors v with a v = 0. Waits for their number. Follows scipy.linalg.null_space.
---
--- ```lua
--- cn.linalg.null_space({{1, 1}, {1, 1}}):abs() --> [[0.70710678] [0.70710678]]
--- ```
---@param a cuna.Operand # shape (m, n)
---@param rcond number|nil # the share of the greatest singular value up to which others count as 0; default: the dtype's  epsilon times max(m, n)
---@return cuna.Array # shape (n, n - rank)
---@overload fun(a: cuna.Operand, options: {rcond?: number}): cuna.Array
function linalg.null_space(a, rcond) end

--- An orthonormal basis of the space of a's columns. Waits for its dimension. Follows scipy.linalg.orth.
---
--- ```lua
--- cn.linalg.orth({{2, 0}, {0, 0}}):abs() --> [[1.] [0.]]
--- ```
---@param a cuna.Operand # shape (m, n)
---@param rcond number|nil # as cn.linalg.null_space's
---@return cuna.Array # shape (m, rank)
---@overload fun(a: cuna.Operand, options: {rcond?: number}): cuna.Array
function linalg.orth(a, rcond) end

--- The matrix with equal elements along each diagonal, whose first column is c and whose first row is r. Follows
--- scipy.linalg.toeplitz.
---
--- ```lua
--- cn.linalg.toeplitz({1, 2}, {1, 5, 6}) --> [[1. 5. 6.] [2. 1. 5.]]
--- cn.linalg.toeplitz {1, 2} --> [[1. 2.] [2. 1.]]
--- ```
---@param c cuna.Operand # of any shape, whose elements are taken in row-major order
---@param r cuna.Operand|nil # default: the conjugates of c; its first element is not used
---@return cuna.Array # shape (size of c, size of r)
function linalg.toeplitz(c, r) end

--- The matrix with equal elements along each diagonal from the lower left to the upper right, whose first column is c
--- and whose last row is r. Follows scipy.linalg.hankel.
---
--- ```lua
--- cn.linalg.hankel({1, 2}, {2, 3, 4}) --> [[1. 2. 3.] [2. 3. 4.]]
--- cn.linalg.hankel {1, 2} --> [[1. 2.] [2. 0.]]
--- ```
---@param c cuna.Operand # of any shape, whose elements are taken in row-major order
---@param r cuna.Operand|nil # default: zeros; its first element is not used
---@return cuna.Array # shape (size of c, size of r)
function linalg.hankel(c, r) end

--- The matrix whose first column is c, and each further one the one before it, rolled by 1. Follows
--- scipy.linalg.circulant.
---
--- ```lua
--- cn.linalg.circulant {1, 2, 3} --> [[1. 3. 2.] [2. 1. 3.] [3. 2. 1.]]
--- ```
---@param c cuna.Operand # of any shape, whose elements are taken in row-major order
---@return cuna.Array # shape (size of c, size of c)
function linalg.circulant(c) end

--- The matrix whose product with a vector of n elements is what cn.convolve gives of a and the vector. Follows
--- scipy.linalg.convolution_matrix.
---
--- ```lua
--- cn.linalg.convolution_matrix({1, 2}, 3) --> [[1. 0. 0.] [2. 1. 0.] [0. 2. 1.] [0. 0. 2.]]
--- cn.linalg.convolution_matrix({1, 2}, 3, "same") --> [[1. 0. 0.] [2. 1. 0.] [0. 2. 1.]]
--- ```
---@param a cuna.Operand # a vector, not empty
---@param n integer # columns, at least 1
---@param mode string|nil # "full" (default), "same" or "valid", as in cn.convolve
---@return cuna.Array # shape (m, n), where m is what the mode makes of a's size and n
---@overload fun(a: cuna.Operand, n: integer, options: {mode?: string}): cuna.Array
function linalg.convolution_matrix(a, n, mode) end

--- The companion matrix of a polynomial, whose eigenvalues are its roots. Waits for the first coefficient. Follows
--- scipy.linalg.companion.
---
--- ```lua
--- cn.linalg.companion {1, -10, 31} --> [[ 10. -31.] [ 1. 0.]]
--- ```
---@param a cuna.Operand # coefficients, at least two, that of the highest power first and not 0
---@return cuna.Array # shape (n - 1, n - 1)
function linalg.companion(a) end

--- The matrix with blocks along its diagonal, and zeros elsewhere. Follows scipy.linalg.block_diag.
---
--- ```lua
--- cn.linalg.block_diag({{1, 2}}, {{3}, {4}}) --> [[1. 2. 0.] [0. 0. 3.] [0. 0. 4.]]
--- ```
---@param ... cuna.Operand # matrices; a vector is a row, a number one element
---@return cuna.Array
function linalg.block_diag(...) end

--- Kronecker products of the columns of two matrices, column by column. Follows scipy.linalg.khatri_rao.
---
--- ```lua
--- cn.linalg.khatri_rao({{1, 2}}, {{3, 4}, {5, 6}}) --> [[ 3. 8.] [ 5. 12.]]
--- ```
---@param a cuna.Operand # shape (m, n)
---@param b cuna.Operand # shape (k, n)
---@return cuna.Array # shape (m k, n)
function linalg.khatri_rao(a, b) end

--- Hilbert's matrix, with the elements 1 / (i + j - 1). Follows scipy.linalg.hilbert.
---
--- ```lua
--- cn.linalg.hilbert(2) --> [[1. 0.5 ] [0.5 0.33333333]]
--- ```
---@param n integer # rows
---@return cuna.Array # float64, shape (n, n)
function linalg.hilbert(n) end

--- The inverse of Hilbert's matrix, whose elements are whole numbers. Follows scipy.linalg.invhilbert.
---
--- ```lua
--- cn.linalg.invhilbert(2, true) --> [[ 4 -6] [-6 12]]
--- ```
---@param n integer # rows
---@param exact boolean|nil # true: int64, for n up to 14; false (default): float64
---@return cuna.Array # shape (n, n)
---@overload fun(n: integer, options: {exact?: boolean}): cuna.Array
function linalg.invhilbert(n, exact) end

--- Pascal's matrix, with the binomial coefficients as elements. Follows scipy.linalg.pascal, which overflows from 35
--- rows on.
---
--- ```lua
--- cn.linalg.pascal(3) --> [[1 1 1] [1 2 3] [1 3 6]]
--- cn.linalg.pascal(3, "lower") --> [[1 0 0] [1 1 0] [1 2 1]]
--- ```
---@param n integer # rows
---@param kind string|nil # "symmetric" (default), "lower" or "upper": a triangle
---@param exact boolean|nil # true (default): uint64, for n up to 34; false: float64
---@return cuna.Array # shape (n, n)
---@overload fun(n: integer, options: {kind?: string, exact?: boolean}): cuna.Array
function linalg.pascal(n, kind, exact) end

--- Hadamard's matrix by Sylvester's construction: of 1 and -1, with orthogonal rows. Follows scipy.linalg.hadamard.
---
--- ```lua
--- cn.linalg.hadamard(2) --> [[ 1 1] [ 1 -1]]
--- ```
---@param n integer # rows: a power of 2
---@param dtype cuna.Dtype|nil # default int64
---@return cuna.Array # shape (n, n)
---@overload fun(n: integer, options: {dtype?: cuna.Dtype}): cuna.Array
function linalg.hadamard(n, dtype) end

--- The matrix of the discrete Fourier transform: its product with x is cn.fft.fft(x). Follows scipy.linalg.dft.
---
--- ```lua
--- cn.linalg.dft(2, "n").real --> [[ 0.5 0.5] [ 0.5 -0.5]]
--- ```
---@param n integer # rows
---@param scale string|nil # "sqrtn" divides by the square root of n, so that the matrix is unitary, "n" by n; default:  neither
---@return cuna.Array # complex128, shape (n, n)
---@overload fun(n: integer, options: {scale?: string}): cuna.Array
function linalg.dft(n, scale) end

--- Helmert's matrix, with orthonormal rows: row i compares element i + 1 with the mean of those before it. Follows
--- scipy.linalg.helmert.
---
--- ```lua
--- cn.linalg.helmert(2, true) --> [[ 0.70710678 0.70710678] [ 0.70710678 -0.70710678]]
--- ```
---@param n integer # columns, at least 1
---@param full boolean|nil # true: with a first row of equal elements; default false
---@return cuna.Array # float64, shape (n - 1, n), or (n, n)
---@overload fun(n: integer, options: {full?: boolean}): cuna.Array
function linalg.helmert(n, full) end

--- Leslie's matrix of a population in age groups. Follows scipy.linalg.leslie.
---
--- ```lua
--- cn.linalg.leslie({0.5, 2}, {0.25}) --> [[0.5 2. ] [0.25 0. ]]
--- ```
---@param f cuna.Operand # shape (n,): how many offspring each group has, the first row
---@param s cuna.Operand # shape (n - 1,): the part of each group that reaches the next one, below the diagonal
---@return cuna.Array # shape (n, n)
function linalg.leslie(f, s) end

--- Fiedler's matrix, with the elements abs(a[i] - a[j]). Follows scipy.linalg.fiedler.
---
--- ```lua
--- cn.linalg.fiedler {1, 4, 9} --> [[0. 3. 8.] [3. 0. 5.] [8. 5. 0.]]
--- ```
---@param a cuna.Operand # shape (n,)
---@return cuna.Array # shape (n, n)
function linalg.fiedler(a) end

--- Fiedler's companion matrix of a polynomial: with five diagonals, its eigenvalues are the roots. Waits for the first
--- coefficient. Follows scipy.linalg.fiedler_companion.
---
--- ```lua
--- cn.linalg.fiedler_companion {1, -10, 31} --> [[ 10. -31.] [ 1. 0.]]
--- ```
---@param a cuna.Operand # coefficients, at least two, that of the highest power first and not 0
---@return cuna.Array # shape (n - 1, n - 1)
function linalg.fiedler_companion(a) end

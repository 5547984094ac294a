---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Linear algebra of sparse matrices.

---@class cuna.sparse.linalg
local linalg = {}

--- A matrix that is known by its products with vectors. Operators add (`A + B`), subtract, multiply (`A * B` is the
--- product of both, `A * 2` a multiple), and have powers; `A * x` and `A(x)` multiply a vector or a dense matrix.
---@class cuna.LinearOperator
---@field shape integer[] (rows, columns)
---@field ndim integer 2
---@field dtype cuna.Dtype of its products with numbers of few bits
---@field device cuna.Device|nil of the matrix that it is made of; nil: the device of its functions' arrays
---@field T cuna.LinearOperator the transpose
---@field H cuna.LinearOperator the conjugate of the transpose
local LinearOperator = {}

--- The factors of a sparse matrix, which cn.sparse.linalg.splu and spilu make: P A Q = L U, where P and Q change the
--- order of rows and columns. Those of spilu give about A.
---@class cuna.SparseLU
---@field shape integer[] (n, n)
---@field nnz integer stored elements of L and U together
---@field L cuna.SparseMatrix csc, 1 on its diagonal
---@field U cuna.SparseMatrix csc
---@field perm_r cuna.Array int64: row i of the matrix is row perm_r[i] of L U
---@field perm_c cuna.Array int64: column j is column perm_c[j] of L U
---@field device cuna.Device
local SparseLU = {}

--- The product with a vector, of n elements or of shape (n, 1). Follows scipy.sparse.linalg.LinearOperator.matvec.
---
--- ```lua
--- cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):matvec({1, 1}) --> [3. 7.]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function LinearOperator:matvec(x) end

--- The product of the conjugate transpose with a vector. Follows scipy.sparse.linalg.LinearOperator.rmatvec.
---
--- ```lua
--- cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):rmatvec({1, 1}) --> [4. 6.]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function LinearOperator:rmatvec(x) end

--- The product with a dense matrix. Follows scipy.sparse.linalg.LinearOperator.matmat.
---
--- ```lua
--- cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):matmat({{1}, {1}}) --> [[3.] [7.]]
--- ```
---@param X cuna.Operand
---@return cuna.Array
function LinearOperator:matmat(X) end

--- The product of the conjugate transpose with a dense matrix. Follows scipy.sparse.linalg.LinearOperator.rmatmat.
---
--- ```lua
--- cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):rmatmat({{1}, {1}}) --> [[4.] [6.]]
--- ```
---@param X cuna.Operand
---@return cuna.Array
function LinearOperator:rmatmat(X) end

--- The conjugate of the transpose, as A.H. Follows scipy.sparse.linalg.LinearOperator.adjoint.
---
--- ```lua
--- cn.sparse.linalg.aslinearoperator({{1, 2, 3}}):adjoint().shape --> (3, 1)
--- ```
---@return cuna.LinearOperator
function LinearOperator:adjoint() end

--- The transpose, as A.T. Follows scipy.sparse.linalg.LinearOperator.transpose.
---
--- ```lua
--- cn.sparse.linalg.aslinearoperator({{1, 2, 3}}):transpose():matvec({2}) --> [2. 4. 6.]
--- ```
---@return cuna.LinearOperator
function LinearOperator:transpose() end

--- The product with an operator, a number, a vector or a dense matrix. Follows scipy.sparse.linalg.LinearOperator.dot.
---
--- ```lua
--- cn.sparse.linalg.aslinearoperator({{1, 2}, {3, 4}}):dot({{1, 0}, {0, 1}}) --> [[1. 2.] [3. 4.]]
--- ```
---@param x cuna.LinearOperator|cuna.SparseMatrix|cuna.Operand
---@return cuna.LinearOperator|cuna.Array
function LinearOperator:dot(x) end

--- An operator of functions, each of which gets an array and gives one. They stay on the device of what they get, and
--- may be called more often than a result needs (a solver looks at it now and then). Follows
--- scipy.sparse.linalg.LinearOperator.
---
--- ```lua
--- cn.sparse.linalg.LinearOperator({2, 2}, function(x) return 2 * x end):matvec({1, 2}) --> [2. 4.]
--- cn.sparse.linalg.LinearOperator({2, 2}, function(x) return x end, {dtype = "float32"}).dtype --> float32
--- ```
---@param shape integer[] # (rows, columns)
---@param matvec fun(x: cuna.Array): cuna.Array # the product with a vector
---@param rmatvec (fun(x: cuna.Array): cuna.Array)|nil # that of the conjugate transpose
---@param matmat (fun(X: cuna.Array): cuna.Array)|nil # the product with a matrix; default: by columns
---@param dtype cuna.Dtype|nil # default: that of a product with int8
---@param rmatmat (fun(X: cuna.Array): cuna.Array)|nil
---@return cuna.LinearOperator
---@overload fun(shape: integer[], options: {matvec?: fun(x: cuna.Array): cuna.Array, rmatvec?: (fun(x: cuna.Array): cuna.Array), matmat?: (fun(X: cuna.Array): cuna.Array), dtype?: cuna.Dtype, rmatmat?: (fun(X: cuna.Array): cuna.Array)}): cuna.LinearOperator
function linalg.LinearOperator(shape, matvec, rmatvec, matmat, dtype, rmatmat) end

--- An operator of a matrix: sparse, or dense (a vector is a row); itself if it is one. Follows
--- scipy.sparse.linalg.aslinearoperator.
---
--- ```lua
--- cn.sparse.linalg.aslinearoperator(cn.sparse.eye(3)) --> <3x3 LinearOperator with dtype=float64>
--- ```
---@param A cuna.LinearOperator|cuna.SparseMatrix|cuna.Operand
---@return cuna.LinearOperator
function linalg.aslinearoperator(A) end

--- Solves the system for b.
---
--- ```lua
--- cn.sparse.linalg.splu({{4, 1}, {1, 3}}):solve({5, 4}) --> [1. 1.]
--- cn.sparse.linalg.splu({{4, 1}, {0, 3}}):solve({4, 4}, "T") --> [1. 1.]
--- ```
---@param b cuna.Operand # shape (n,) or (n, k)
---@param trans string|nil # "N": A x = b; "T": of the transpose; "H": of the conjugate transpose; default "N"
---@return cuna.Array # x the shape of b, in the dtype that A and b have in common, at least float32
function SparseLU:solve(b, trans) end

--- Factors of a square sparse matrix, by UMFPACK of SuiteSparse, in the host's memory. A singular matrix is a
--- LinAlgError. Follows scipy.sparse.linalg.splu.
---
--- ```lua
--- cn.sparse.linalg.splu({{4, 1}, {1, 3}}):solve({5, 4}) --> [1. 1.]
--- cn.sparse.linalg.splu(cn.sparse.eye(3)).U:toarray():diagonal() --> [1. 1. 1.]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand # shape (n, n)
---@return cuna.SparseLU
function linalg.splu(A) end

--- Incomplete factors of a square sparse matrix, whose L U is about A, by rows in the host's memory; `solve` of them is
--- a preconditioner of iterations. Rows and columns first get an order in which factors have few elements: AMD's where
--- the pattern is about symmetric, else COLAMD's. These libraries of SuiteSparse come with UMFPACK; without them lines
--- keep their order. Pivots then change that of columns. Factors that are singular are a LinAlgError. Follows
--- scipy.sparse.linalg.spilu, which drops by SuperLU's rules; the method is ILUTP (Saad, "Iterative Methods for Sparse
--- Linear Systems", 2003).
---
--- ```lua
--- cn.sparse.linalg.spilu({{4, 1}, {1, 3}}):solve({5, 4}) --> [1. 1.]
--- cn.sparse.linalg.spilu({{4, 1}, {1, 3}}, {drop_tol = 0.5}).L:toarray() --> [[1. 0.] [0. 1.]]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand # shape (n, n)
---@param drop_tol number|nil # what changes a row less, relative to its greatest element, is dropped; default 1e-4
---@param fill_factor number|nil # how many elements L and U have together for each of A's, at most; default 10
---@param diag_pivot_thresh number|nil # from 0 to 1: the element on the diagonal is the pivot if it is at least this part  of the row's greatest one; default 0.1
---@param permc_spec string|nil # "NATURAL": lines keep their order; "MMD_AT_PLUS_A": by AMD; "COLAMD", "MMD_ATA": by  COLAMD; default: by what serves the pattern
---@return cuna.SparseLU
---@overload fun(A: cuna.SparseMatrix|cuna.Operand, options: {drop_tol?: number, fill_factor?: number, diag_pivot_thresh?: number, permc_spec?: string}): cuna.SparseLU
function linalg.spilu(A, drop_tol, fill_factor, diag_pivot_thresh, permc_spec) end

--- A function that solves A x = b for each b that it gets, by factors of A that are made once. Follows
--- scipy.sparse.linalg.factorized.
---
--- ```lua
--- cn.sparse.linalg.factorized({{4, 1}, {1, 3}})({5, 4}) --> [1. 1.]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand # shape (n, n); singular: a LinAlgError
---@return fun(b: cuna.Operand): cuna.Array # b and x have shape (n,) or (n, k)
function linalg.factorized(A) end

--- Solves A x = b for a square sparse matrix, by factors that UMFPACK of SuiteSparse makes in the host's memory, in
--- float64 or complex128. Follows scipy.sparse.linalg.spsolve.
---
--- ```lua
--- cn.sparse.linalg.spsolve(cn.sparse.csr_matrix {{4, 1}, {1, 3}}, {5, 4}) --> [1. 1.]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand # shape (n, n); singular: a LinAlgError
---@param b cuna.SparseMatrix|cuna.Operand # shape (n,) or (n, k)
---@return cuna.Array|cuna.SparseMatrix # x the shape of b, in the dtype that both have in common, at least float32; csc  where b is sparse
function linalg.spsolve(A, b) end

--- The inverse of a square sparse matrix, by factors as spsolve's. It has elements nearly everywhere: for A x = b write
--- spsolve or factorized. Follows scipy.sparse.linalg.inv.
---
--- ```lua
--- cn.sparse.linalg.inv({{2, 0}, {0, 4}}):toarray() --> [[0.5  0.  ] [0.   0.25]]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand # shape (n, n); singular: a LinAlgError
---@return cuna.SparseMatrix # csc, of A's dtype, at least float32
function linalg.inv(A) end

--- Solves A x = b for a sparse triangular matrix, row by row in the host's memory. Follows
--- scipy.sparse.linalg.spsolve_triangular.
---
--- ```lua
--- cn.sparse.linalg.spsolve_triangular({{2, 0}, {1, 4}}, {2, 9}) --> [1. 2.]
--- cn.sparse.linalg.spsolve_triangular({{1, 2}, {0, 1}}, {5, 1}, false) --> [3. 1.]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand # shape (n, n), without elements in the other triangle
---@param b cuna.Operand # shape (n,) or (n, k)
---@param lower boolean|nil # true (default): A is lower triangular; false: upper
---@param overwrite_A boolean|nil # as SciPy's; A is never overwritten
---@param overwrite_b boolean|nil # as SciPy's; b is never overwritten
---@param unit_diagonal boolean|nil # true: 1 is taken for each element on the diagonal, whatever A has there. Default:  false; then a 0 there is a LinAlgError
---@return cuna.Array # x the shape of b, in the dtype that both have in common, at least float32
---@overload fun(A: cuna.SparseMatrix|cuna.Operand, b: cuna.Operand, options: {lower?: boolean, overwrite_A?: boolean, overwrite_b?: boolean, unit_diagonal?: boolean}): cuna.Array
function linalg.spsolve_triangular(A, b, lower, overwrite_A, overwrite_b, unit_diagonal) end

--- Solves A x = b by conjugate gradients, for A that is symmetric (Hermitian) and positive definite.
---
--- x is in the dtype that A and b have in common, at least float32. It is found when the norm of b - A x, as computed
--- at the end, is less than `atol` or `rtol` times the norm of b. Follows scipy.sparse.linalg.cg.
---
--- ```lua
--- cn.sparse.linalg.cg({{4, 1}, {1, 3}}, {1, 2}, {rtol = 1e-12}) --> [0.09090909 0.63636364], 0
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (n, n)
---@param b cuna.Operand # shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil # where to begin; default: zeros
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 0
---@param maxiter integer|nil # default 10 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil # an approximate inverse of A
---@param callback fun(x: cuna.Array)|nil # called after each iteration with x, which the next one changes
---@return cuna.Array # x shape (n,)
---@return integer # info 0: found; above 0: the number of iterations after which it was not, because they were maxiter or  the dtype's precision allows no less; below 0: a breakdown, where a product is 0 by which the method divides
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, b: cuna.Operand, options: {x0?: cuna.Operand, rtol?: number, atol?: number, maxiter?: integer, M?: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, callback?: fun(x: cuna.Array)}): cuna.Array, integer
function linalg.cg(A, b, x0, rtol, atol, maxiter, M, callback) end

--- Solves A x = b by conjugate gradients squared, for any square A. Arguments and results as cg's. Follows
--- scipy.sparse.linalg.cgs.
---
--- ```lua
--- cn.sparse.linalg.cgs({{4, 1}, {0, 2}}, {5, 2}, {rtol = 1e-12}) --> [1. 1.], 0
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (n, n)
---@param b cuna.Operand # shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 0
---@param maxiter integer|nil # default 10 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil
---@param callback fun(x: cuna.Array)|nil
---@return cuna.Array # x shape (n,)
---@return integer # info -10, -11: a breakdown
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, b: cuna.Operand, options: {x0?: cuna.Operand, rtol?: number, atol?: number, maxiter?: integer, M?: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, callback?: fun(x: cuna.Array)}): cuna.Array, integer
function linalg.cgs(A, b, x0, rtol, atol, maxiter, M, callback) end

--- Solves A x = b by stabilised biconjugate gradients, for any square A. Arguments and results as cg's. Follows
--- scipy.sparse.linalg.bicgstab.
---
--- ```lua
--- cn.sparse.linalg.bicgstab({{4, 1}, {0, 2}}, {5, 2}, {rtol = 1e-12}) --> [1. 1.], 0
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (n, n)
---@param b cuna.Operand # shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 0
---@param maxiter integer|nil # default 10 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil
---@param callback fun(x: cuna.Array)|nil
---@return cuna.Array # x shape (n,)
---@return integer # info -10, -11: a breakdown
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, b: cuna.Operand, options: {x0?: cuna.Operand, rtol?: number, atol?: number, maxiter?: integer, M?: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, callback?: fun(x: cuna.Array)}): cuna.Array, integer
function linalg.bicgstab(A, b, x0, rtol, atol, maxiter, M, callback) end

--- Solves A x = b by generalised minimal residuals, for any square A. Arguments and results as cg's, but that `maxiter`
--- counts cycles of `restart` vectors. Follows scipy.sparse.linalg.gmres.
---
--- ```lua
--- cn.sparse.linalg.gmres({{4, 1}, {0, 2}}, {5, 2}, {rtol = 1e-12}) --> [1. 1.], 0
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (n, n)
---@param b cuna.Operand # shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 0
---@param restart integer|nil # vectors of a cycle, which are in memory together; default 20
---@param maxiter integer|nil # default 10 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil
---@param callback function|nil # what it gets, callback_type says
---@param callback_type string|nil # "x": x after each cycle; "pr_norm": for each vector the norm of the preconditioned  residual relative to that of b; "legacy" (default): the same, and maxiter counts vectors
---@return cuna.Array # x shape (n,)
---@return integer # info 0: found; else maxiter
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, b: cuna.Operand, options: {x0?: cuna.Operand, rtol?: number, atol?: number, restart?: integer, maxiter?: integer, M?: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, callback?: function, callback_type?: string}): cuna.Array, integer
function linalg.gmres(A, b, x0, rtol, atol, restart, maxiter, M, callback, callback_type) end

--- Solves A x = b, or (A - shift) x = b, by minimal residuals, for A that is symmetric (Hermitian); it may be
--- indefinite, or singular if b is in its range. M is positive definite. Follows scipy.sparse.linalg.minres.
---
--- ```lua
--- cn.sparse.linalg.minres({{1, 2}, {2, -3}}, {3, -1}, {rtol = 1e-12}) --> [1. 1.], 0
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (n, n)
---@param b cuna.Operand # shape (n,) or (n, 1)
---@param x0 cuna.Operand|nil
---@param rtol number|nil # relative to the norms of A and x; default 1e-5
---@param shift number|nil # default 0
---@param maxiter integer|nil # default 5 n
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil # an approximate inverse of A
---@param callback fun(x: cuna.Array)|nil # called after each iteration with x, which the next one changes
---@param check boolean|nil # whether A and M are tested to be symmetric; default false
---@return cuna.Array # x shape (n,)
---@return integer # info 0: found, the norm of b - A x is at most `rtol` times those of A, as estimated, and x; else the  number of iterations after which it was not
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, b: cuna.Operand, options: {x0?: cuna.Operand, rtol?: number, shift?: number, maxiter?: integer, M?: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, callback?: fun(x: cuna.Array), check?: boolean}): cuna.Array, integer
function linalg.minres(A, b, x0, rtol, shift, maxiter, M, callback, check) end

--- The least squares solution of A x = b, or of A x = b with damp x = 0, of least norm if there are several. A need not
--- be square. x is in the dtype that A and b have in common, at least float32. Follows scipy.sparse.linalg.lsqr.
---
--- ```lua
--- cn.around(cn.sparse.linalg.lsqr({{1, 0}, {1, 1}, {1, 2}}, {1, 2, 4}), 4) --> [0.8333 1.5   ]
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (m, n)
---@param b cuna.Operand # shape (m,) or (m, 1)
---@param damp number|nil # default 0
---@param atol number|nil # accuracy of A; default 1e-6
---@param btol number|nil # accuracy of b; default 1e-6
---@param conlim number|nil # the solver stops where the condition of A seems greater; 0: it does not; default 1e8
---@param iter_lim integer|nil # default 2 n
---@param calc_var boolean|nil # whether var is computed; default false
---@param x0 cuna.Operand|nil
---@return cuna.Array # x shape (n,)
---@return integer # istop why it stopped: 0 x = 0 or x0 is exact, 1 A x = b is solved, 2 in the least squares sense,  3 conlim, 4 to 6 as 1 to 3 to the last digits, 7 iter_lim
---@return integer # itn the number of iterations
---@return number # r1norm the norm of b - A x
---@return number # r2norm with damping
---@return number # anorm an estimate of the norm of A
---@return number # acond of its condition
---@return number # arnorm of the norm of A' r
---@return number # xnorm of the norm of x
---@return cuna.Array # var the diagonal of the inverse of A' A + damp^2, estimated; zeros without calc_var
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, b: cuna.Operand, options: {damp?: number, atol?: number, btol?: number, conlim?: number, iter_lim?: integer, calc_var?: boolean, x0?: cuna.Operand}): cuna.Array, integer, integer, number, number, number, number, number, number, cuna.Array
function linalg.lsqr(A, b, damp, atol, btol, conlim, iter_lim, calc_var, x0) end

--- The least squares solution of A x = b, or of A x = b with damp x = 0, as lsqr, which may need more iterations to the
--- same accuracy. Follows scipy.sparse.linalg.lsmr.
---
--- ```lua
--- cn.around(cn.sparse.linalg.lsmr({{1, 0}, {1, 1}, {1, 2}}, {1, 2, 4}), 4) --> [0.8333 1.5   ]
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (m, n)
---@param b cuna.Operand # shape (m,) or (m, 1)
---@param damp number|nil # default 0
---@param atol number|nil # accuracy of A; default 1e-6
---@param btol number|nil # accuracy of b; default 1e-6
---@param conlim number|nil # as lsqr's; default 1e8
---@param maxiter integer|nil # default: the lesser one of m and n
---@param x0 cuna.Operand|nil
---@return cuna.Array # x shape (n,)
---@return integer # istop why it stopped, as lsqr's
---@return integer # itn the number of iterations
---@return number # normr the norm of b - A x
---@return number # normar of A' r
---@return number # norma an estimate of the norm of A
---@return number # conda of its condition
---@return number # normx the norm of x
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, b: cuna.Operand, options: {damp?: number, atol?: number, btol?: number, conlim?: number, maxiter?: integer, x0?: cuna.Operand}): cuna.Array, integer, integer, number, number, number, number, number
function linalg.lsmr(A, b, damp, atol, btol, conlim, maxiter, x0) end

--- k eigenvalues of a Hermitian matrix, and their vectors, by the Lanczos method. A value that is there several times
--- is found as often. Only products with A are needed; nothing checks that it is Hermitian. With sigma the values
--- nearest to it are found, by the factors of A - sigma I (see cn.sparse.linalg.splu). The vector to begin with is the
--- same at every call. Waits for the device in each step. Follows scipy.sparse.linalg.eigsh.
---
--- ```lua
--- cn.sparse.linalg.eigsh(cn.sparse.diags {1, 2, 3, 4}, 2, {return_eigenvectors = false}) --> [3. 4.]
--- cn.sparse.linalg.eigsh(cn.sparse.diags {1, 2, 3}, 1, {sigma = 1.9, return_eigenvectors = false}) --> [2.]
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (n, n)
---@param k integer|nil # 1 to n - 1; default 6
---@param sigma number|nil
---@param which string|nil # "LM", "SM": of greatest or least size; "LA", "SA": the greatest, the least; "BE": from both  ends; with sigma of the values 1 / (w - sigma); default "LM"
---@param v0 cuna.Operand|nil # the vector to begin with, shape (n,)
---@param ncv integer|nil # vectors that are kept, k + 1 to n; default max(2 k + 1, 20), and twice as many where three  restarts do not find the values; at least k + 8 while copies are looked for
---@param maxiter integer|nil # restarts; default 10 n; if they are not enough it is a LinAlgError with what is missing
---@param tol number|nil # of the residual, relative to a value; default 0: the dtype's precision
---@param return_eigenvectors boolean|nil # default true
---@param M cuna.SparseMatrix|cuna.Operand|nil # shape (n, n), positive definite: of A v = w M v; the vectors are  orthonormal in its metric. Its factors are made, or with sigma those of A - sigma M
---@return cuna.Array # w shape (k,), ascending
---@return cuna.Array|nil # v shape (n, k): a column for each value
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, options: {k?: integer, sigma?: number, which?: string, v0?: cuna.Operand, ncv?: integer, maxiter?: integer, tol?: number, return_eigenvectors?: boolean, M?: cuna.SparseMatrix|cuna.Operand}): cuna.Array, cuna.Array|nil
function linalg.eigsh(A, k, sigma, which, v0, ncv, maxiter, tol, return_eigenvectors, M) end

--- k singular values of a matrix and their vectors, by eigsh of A^H A or of A A^H, whichever is smaller; so the least
--- ones are exact to half of the digits. Follows scipy.sparse.linalg.svds.
---
--- ```lua
--- cn.sparse.linalg.svds(cn.sparse.diags {1, 2, 3}, 2, {return_singular_vectors = false}) --> [2. 3.]
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (m, n)
---@param k integer|nil # less than m and n; default 6
---@param ncv integer|nil # as eigsh's, and so are tol, v0, of min(m, n) elements, and maxiter
---@param tol number|nil
---@param which string|nil # "LM": the greatest, "SM": the least; default "LM"
---@param v0 cuna.Operand|nil
---@param maxiter integer|nil
---@param return_singular_vectors boolean|nil # default true
---@return cuna.Array # u shape (m, k); without vectors the values are the only result
---@return cuna.Array|nil # s shape (k,), ascending
---@return cuna.Array|nil # vh shape (k, n)
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, options: {k?: integer, ncv?: integer, tol?: number, which?: string, v0?: cuna.Operand, maxiter?: integer, return_singular_vectors?: boolean}): cuna.Array, cuna.Array|nil, cuna.Array|nil
function linalg.svds(A, k, ncv, tol, which, v0, maxiter, return_singular_vectors) end

--- k eigenvalues of a square matrix, and their vectors, by the method of Arnoldi with restarts. Only products with A
--- are needed. With sigma the values nearest to it are found, by the factors of A - sigma I (see
--- cn.sparse.linalg.splu). Of values that are there several times some copies may be missing, as with ARPACK. The
--- vector to begin with is the same at every call. Waits for the device in each step. Follows
--- scipy.sparse.linalg.eigs.
---
--- ```lua
--- cn.sparse.linalg.eigs(cn.sparse.diags {1, 2, 3, 4}, 2, {return_eigenvectors = false}).real --> [4. 3.]
--- cn.sparse.linalg.eigs({{0, 1}, {-1, 0}}, 1, {return_eigenvectors = false}).real:round(6):abs() --> [0.]
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (n, n)
---@param k integer|nil # 1 to n - 1; default 6
---@param sigma cuna.Number|nil
---@param which string|nil # "LM", "SM": of greatest or least size; "LR", "SR": of greatest or least real part; "LI",  "SI": of greatest or least imaginary part, of real matrices by its size; with sigma of the values 1 / (w - sigma);  default "LM"
---@param v0 cuna.Operand|nil # the vector to begin with, shape (n,)
---@param ncv integer|nil # vectors that are kept, k + 1 to n; default max(2 k + 1, 20)
---@param maxiter integer|nil # restarts; default 10 n; if they are not enough it is a LinAlgError with what is missing
---@param tol number|nil # of the residual, relative to a value; default 0: the dtype's precision
---@param return_eigenvectors boolean|nil # default true
---@return cuna.Array # w shape (k,), complex, the wanted ones first
---@return cuna.Array|nil # v shape (n, k), complex: a column for each value
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, options: {k?: integer, sigma?: cuna.Number, which?: string, v0?: cuna.Operand, ncv?: integer, maxiter?: integer, tol?: number, return_eigenvectors?: boolean}): cuna.Array, cuna.Array|nil
function linalg.eigs(A, k, sigma, which, v0, ncv, maxiter, tol, return_eigenvectors) end

--- Eigenvalues and vectors of A v = w B v, for Hermitian A and B, B positive definite, from approximate vectors on.
--- Waits for the device in each iteration. Follows scipy.sparse.linalg.lobpcg, whose third result is an option there.
---
--- ```lua
--- (cn.sparse.linalg.lobpcg(cn.sparse.diags(cn.arange(1, 10)), cn.eye(9, 2))) --> [2. 1.]
--- ```
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand # shape (n, n)
---@param X cuna.Operand # shape (n, k): independent columns; 3 k is at most n
---@param B cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil # default: the identity
---@param M cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand|nil # an approximate inverse of A
---@param Y cuna.Operand|nil # shape (n, l): the vectors are orthogonal to its columns in the metric of B
---@param tol number|nil # greatest norm of A v - w B v; default: n times the root of the dtype's precision
---@param maxiter integer|nil # default 20
---@param largest boolean|nil # whether the greatest values are wanted, or the least; default true
---@return cuna.Array # w shape (k,), the best first
---@return cuna.Array # v shape (n, k)
---@return number # residual the greatest norm, above tol where maxiter iterations were not enough
---@overload fun(A: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, X: cuna.Operand, options: {B?: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, M?: cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand, Y?: cuna.Operand, tol?: number, maxiter?: integer, largest?: boolean}): cuna.Array, cuna.Array, number
function linalg.lobpcg(A, X, B, M, Y, tol, maxiter, largest) end

--- The exponential of a matrix times a vector or a matrix, exp(A) B, without exp(A) itself; with `start` and `stop`,
--- exp(t A) B for times t between them. Waits for the device after each product. Follows
--- scipy.sparse.linalg.expm_multiply.
---
--- ```lua
--- cn.sparse.linalg.expm_multiply(cn.sparse.diags {0, 1}, {1, 1}) --> [1.         2.71828183]
--- cn.sparse.linalg.expm_multiply(cn.sparse.eye(1), {1}, 0, 1, 2):reshape(-1) --> [1.         2.71828183]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand # shape (n, n)
---@param B cuna.Operand # shape (n,) or (n, k)
---@param start number|nil # the first time
---@param stop number|nil # the last time
---@param num integer|nil # number of times; default 50
---@param endpoint boolean|nil # whether `stop` is one of the times; default true
---@param traceA cuna.Number|nil # the sum of A's diagonal, if it is known
---@return cuna.Array # the shape of B, with times an axis for them before it
---@overload fun(A: cuna.SparseMatrix|cuna.Operand, B: cuna.Operand, options: {start?: number, stop?: number, num?: integer, endpoint?: boolean, traceA?: cuna.Number}): cuna.Array
function linalg.expm_multiply(A, B, start, stop, num, endpoint, traceA) end

--- A square sparse matrix, multiplied `power` times with itself; 0 times: the identity. Follows
--- scipy.sparse.linalg.matrix_power.
---
--- ```lua
--- cn.sparse.linalg.matrix_power(cn.sparse.csr_matrix {{1, 1}, {1, 0}}, 5):toarray() --> [[8. 5.] [5. 3.]]
--- ```
---@param A cuna.SparseMatrix # shape (n, n)
---@param power integer # at least 0
---@return cuna.SparseMatrix
function linalg.matrix_power(A, power) end

--- The norm of a sparse matrix, or those of its columns (axis 1) or rows (axis 2). Of a matrix: "fro" (default), 1 and
--- -1 (greatest and least sum of a column's sizes), cn.inf and -cn.inf (of a row's). Of columns and rows: as
--- cn.linalg.norm's of vectors, default 2. Follows scipy.sparse.linalg.norm.
---
--- ```lua
--- cn.sparse.linalg.norm(cn.sparse.csr_matrix({{3, 0}, {0, -4}})) --> 5.0
--- cn.sparse.linalg.norm(cn.sparse.csr_matrix({{3, 0}, {1, -4}}), 1, 2) --> [3. 5.]
--- ```
---@param x cuna.SparseMatrix
---@param ord number|string|nil
---@param axis integer|integer[]|nil # one axis, or both; default: both
---@return cuna.Array # 0-d; with one axis a vector
---@overload fun(x: cuna.SparseMatrix, options: {ord?: number|string, axis?: integer|integer[]}): cuna.Array
function linalg.norm(x, ord, axis) end

---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Sparse matrices.

---@class cuna.sparse
local sparse = {}

--- A sparse matrix or array: what cn.sparse.csr_matrix and its kind make. Positions in its parts count from 1.
---
--- A[key] takes keys as arrays have, and gives a sparse matrix, of one row too; A[{i, j}] is a number, and of two
--- arrays of positions A[{rows, columns}] is a dense vector. A[key] = value gives elements.
---
---@class cuna.SparseMatrix
---@field format string "csr", "csc", "coo" or "dia"
---@field shape integer[] (rows, columns)
---@field dtype cuna.Dtype of the elements
---@field nnz integer number of stored elements
---@field ndim integer 2
---@field size integer number of stored elements, as nnz
---@field is_array boolean whether `*` goes by elements
---@field device cuna.Device
---@field T cuna.SparseMatrix the transpose, which shares the parts of csr, csc and coo
---@field data cuna.Array the elements; of dia a row for each diagonal
---@field indices cuna.Array of csr the columns of the elements, of csc their rows, from 1
---@field indptr cuna.Array of csr and csc: where each row or column begins, from 1, and one position more
---@field row cuna.Array of coo: the rows of the elements, from 1
---@field col cuna.Array of coo: their columns, from 1
---@field offsets cuna.Array of dia: the diagonals, 0 for the main one, above it greater than 0
---@field has_sorted_indices boolean of csr and csc: whether positions rise in each row or column
---@field has_canonical_format boolean whether besides no position is there twice
local SparseMatrix = {}

--- A matrix that has the elements row by row: the format for products, and for taking rows. `*` is the product of
--- matrices. Follows scipy.sparse.csr_matrix.
---
--- The first argument is one of
---
--- - a dense array or nested table of two axes; a vector is a row;
--- - {data, {row, col}} or {data =, row =, col =}: elements and their positions, which count from 1; those at one
---   position are summed;
--- - {data =, indices =, indptr =} or {data, indices, indptr} of three arrays: the elements row by row, their columns,
---   and where each row begins among them, from 1, with one entry more behind the last row;
--- - {shape = {rows, columns}}: no elements;
--- - another sparse matrix.
---
--- Arrays that fit are shared.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}).indices --> [1 3 3]
--- cn.sparse.csr_matrix({{4, 5}, {{1, 2}, {3, 1}}}):toarray() --> [[0. 0. 4.] [5. 0. 0.]]
--- cn.sparse.csr_matrix({data = {1, 2}, indices = {1, 3}, indptr = {1, 3}}):toarray() --> [[1. 0. 2.]]
--- cn.sparse.csr_matrix({shape = {2, 3}}, {dtype = "int32"}).nnz --> 0
--- ```
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil # default: up to the greatest positions
---@param dtype cuna.Dtype|nil # of the elements; default: theirs
---@param copy boolean|nil # whether arrays are copied; default false
---@return cuna.SparseMatrix
---@overload fun(arg1: cuna.Operand|table|cuna.SparseMatrix, options: {shape?: integer[], dtype?: cuna.Dtype, copy?: boolean}): cuna.SparseMatrix
function sparse.csr_matrix(arg1, shape, dtype, copy) end

--- A matrix that has the elements column by column, as csr_matrix has them row by row: `indices` are rows, `indptr` has
--- an entry for each column. Follows scipy.sparse.csc_matrix.
---
--- ```lua
--- cn.sparse.csc_matrix({{1, 0, 2}, {0, 0, 3}}).indices --> [1 1 2]
--- ```
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype cuna.Dtype|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@overload fun(arg1: cuna.Operand|table|cuna.SparseMatrix, options: {shape?: integer[], dtype?: cuna.Dtype, copy?: boolean}): cuna.SparseMatrix
function sparse.csc_matrix(arg1, shape, dtype, copy) end

--- A matrix that has the elements with their rows and columns, in any order, also several at one position, which count
--- as their sum. Made of what csr_matrix takes but indptr. Follows scipy.sparse.coo_matrix.
---
--- ```lua
--- cn.sparse.coo_matrix({{4, 5}, {{1, 1}, {3, 3}}}).data --> [4. 5.]
--- ```
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype cuna.Dtype|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@overload fun(arg1: cuna.Operand|table|cuna.SparseMatrix, options: {shape?: integer[], dtype?: cuna.Dtype, copy?: boolean}): cuna.SparseMatrix
function sparse.coo_matrix(arg1, shape, dtype, copy) end

--- A matrix that has whole diagonals: of data, a row for each offset, with the element of column j at position j. Made
--- of {data, offsets} or {data =, offsets =} and the shape, or of what coo_matrix takes. Follows
--- scipy.sparse.dia_matrix.
---
--- ```lua
--- cn.sparse.dia_matrix({{{1, 2}, {4, 5}}, {0, 1}}, {2, 2}):toarray() --> [[1. 5.] [0. 2.]]
--- ```
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype cuna.Dtype|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@overload fun(arg1: cuna.Operand|table|cuna.SparseMatrix, options: {shape?: integer[], dtype?: cuna.Dtype, copy?: boolean}): cuna.SparseMatrix
function sparse.dia_matrix(arg1, shape, dtype, copy) end

--- As csr_matrix, but `*` and `^` go by elements. Follows scipy.sparse.csr_array.
---
--- ```lua
--- cn.sparse.csr_array({{1, 2}}).is_array --> true
--- ```
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype cuna.Dtype|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@overload fun(arg1: cuna.Operand|table|cuna.SparseMatrix, options: {shape?: integer[], dtype?: cuna.Dtype, copy?: boolean}): cuna.SparseMatrix
function sparse.csr_array(arg1, shape, dtype, copy) end

--- As csc_matrix, but `*` and `^` go by elements. Follows scipy.sparse.csc_array.
---
--- ```lua
--- cn.sparse.csc_array({{1, 2}}).format --> csc
--- ```
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype cuna.Dtype|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@overload fun(arg1: cuna.Operand|table|cuna.SparseMatrix, options: {shape?: integer[], dtype?: cuna.Dtype, copy?: boolean}): cuna.SparseMatrix
function sparse.csc_array(arg1, shape, dtype, copy) end

--- As coo_matrix, but `*` and `^` go by elements. Follows scipy.sparse.coo_array.
---
--- ```lua
--- cn.sparse.coo_array({{1, 0, 2}}).col --> [1 3]
--- ```
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype cuna.Dtype|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@overload fun(arg1: cuna.Operand|table|cuna.SparseMatrix, options: {shape?: integer[], dtype?: cuna.Dtype, copy?: boolean}): cuna.SparseMatrix
function sparse.coo_array(arg1, shape, dtype, copy) end

--- As dia_matrix, but `*` and `^` go by elements. Follows scipy.sparse.dia_array.
---
--- ```lua
--- cn.sparse.dia_array({{1, 0}, {0, 2}}).data --> [[1. 2.]]
--- ```
---@param arg1 cuna.Operand|table|cuna.SparseMatrix
---@param shape integer[]|nil
---@param dtype cuna.Dtype|nil
---@param copy boolean|nil
---@return cuna.SparseMatrix
---@overload fun(arg1: cuna.Operand|table|cuna.SparseMatrix, options: {shape?: integer[], dtype?: cuna.Dtype, copy?: boolean}): cuna.SparseMatrix
function sparse.dia_array(arg1, shape, dtype, copy) end

--- Whether a value is a sparse matrix or array. Follows scipy.sparse.issparse.
---
--- ```lua
--- cn.sparse.issparse(cn.sparse.eye(2)), cn.sparse.issparse(cn.eye(2)) --> true, false
--- ```
---@param x any
---@return boolean
function sparse.issparse(x) end

--- A matrix with ones on a diagonal. Follows scipy.sparse.eye.
---
--- ```lua
--- cn.sparse.eye(2, 3, 1):toarray() --> [[0. 1. 0.] [0. 0. 1.]]
--- ```
---@param m integer # rows
---@param n integer|nil # columns; default m
---@param k integer|nil # the diagonal; default 0
---@param dtype cuna.Dtype|nil # default: the default float
---@param format string|nil # "csr", "csc", "coo" or "dia" (default)
---@return cuna.SparseMatrix
---@overload fun(m: integer, options: {n?: integer, k?: integer, dtype?: cuna.Dtype, format?: string}): cuna.SparseMatrix
function sparse.eye(m, n, k, dtype, format) end

--- The identity. Follows scipy.sparse.identity.
---
--- ```lua
--- cn.sparse.identity(2):toarray() --> [[1. 0.] [0. 1.]]
--- ```
---@param n integer # rows and columns
---@param dtype cuna.Dtype|nil
---@param format string|nil
---@return cuna.SparseMatrix
---@overload fun(n: integer, options: {dtype?: cuna.Dtype, format?: string}): cuna.SparseMatrix
function sparse.identity(n, dtype, format) end

--- A matrix of diagonals. Follows scipy.sparse.diags.
---
--- ```lua
--- cn.sparse.diags({{1, 2}, {3}}, {0, 1}):toarray() --> [[1. 3.] [0. 2.]]
--- cn.sparse.diags({-1, 2}, {1, 0}, {2, 2}):toarray() --> [[ 2. -1.] [ 0.  2.]]
--- ```
---@param diagonals table|cuna.Operand # vectors or numbers, one for each offset; of length 1: repeated
---@param offsets integer|integer[]|nil # the diagonals; default 0
---@param shape integer[]|nil # default: square, for the first diagonal
---@param format string|nil # "csr", "csc", "coo" or "dia" (default)
---@param dtype cuna.Dtype|nil
---@return cuna.SparseMatrix
---@overload fun(diagonals: table|cuna.Operand, options: {offsets?: integer|integer[], shape?: integer[], format?: string, dtype?: cuna.Dtype}): cuna.SparseMatrix
function sparse.diags(diagonals, offsets, shape, format, dtype) end

--- A matrix of diagonals that are rows of an array, as dia has them. Follows scipy.sparse.spdiags.
---
--- ```lua
--- cn.sparse.spdiags({{1, 2}, {3, 4}}, {0, 1}, 2, 2):toarray() --> [[1. 4.] [0. 2.]]
--- ```
---@param data cuna.Operand # shape (diagonals, columns)
---@param diags integer|integer[] # offsets
---@param m integer|integer[] # rows, or the shape
---@param n integer|nil # columns
---@param format string|nil # default "dia"
---@return cuna.SparseMatrix
---@overload fun(data: cuna.Operand, diags: integer|integer[], options: {m?: integer|integer[], n?: integer, format?: string}): cuna.SparseMatrix
function sparse.spdiags(data, diags, m, n, format) end

--- The Kronecker product. Follows scipy.sparse.kron.
---
--- ```lua
--- cn.sparse.kron({{1, 2}}, {{1}, {3}}):toarray() --> [[1. 2.] [3. 6.]]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand
---@param B cuna.SparseMatrix|cuna.Operand
---@param format string|nil # default "coo"
---@return cuna.SparseMatrix
---@overload fun(A: cuna.SparseMatrix|cuna.Operand, B: cuna.SparseMatrix|cuna.Operand, options: {format?: string}): cuna.SparseMatrix
function sparse.kron(A, B, format) end

--- The Kronecker sum of square matrices: kron(I, A) + kron(B, I). Follows scipy.sparse.kronsum.
---
--- ```lua
--- cn.sparse.kronsum({{1}}, {{2}}):toarray() --> [[3.]]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand
---@param B cuna.SparseMatrix|cuna.Operand
---@param format string|nil # default "csr"
---@return cuna.SparseMatrix
---@overload fun(A: cuna.SparseMatrix|cuna.Operand, B: cuna.SparseMatrix|cuna.Operand, options: {format?: string}): cuna.SparseMatrix
function sparse.kronsum(A, B, format) end

--- A matrix with uniform elements, or others, at random positions: floats and the parts of complex numbers in [0, 1),
--- integers from a dtype's whole range. Follows scipy.sparse.random.
---
--- ```lua
--- cn.sparse.random(10, 20, 0.1, {random_state = 1}).nnz --> 20
--- cn.sparse.random(2, 2, 0.5, {data_rvs = cn.ones}).data --> [1. 1.]
--- cn.sparse.random(10, 20, 0.1, {dtype = "complex64"}).dtype --> complex64
--- ```
---@param m integer # rows
---@param n integer # columns
---@param density number|nil # the part of the positions that have elements; default 0.01
---@param format string|nil # default "coo"
---@param dtype cuna.Dtype|nil # default: the default float
---@param random_state integer|cuna.Generator|nil # a seed, or a generator; default: that of cn.random
---@param data_rvs (fun(size: integer): cuna.Operand)|nil # gives the elements
---@param rng integer|cuna.Generator|nil # SciPy's newer name of random_state
---@return cuna.SparseMatrix
---@overload fun(m: integer, n: integer, options: {density?: number, format?: string, dtype?: cuna.Dtype, random_state?: integer|cuna.Generator, data_rvs?: (fun(size: integer): cuna.Operand), rng?: integer|cuna.Generator}): cuna.SparseMatrix
function sparse.random(m, n, density, format, dtype, random_state, data_rvs, rng) end

--- The same as cn.sparse.random. Follows scipy.sparse.rand.
---
--- ```lua
--- cn.sparse.rand(10, 20, 0.1).nnz --> 20
--- ```
---@param m integer # rows
---@param n integer # columns
---@param density number|nil # default 0.01
---@param format string|nil # default "coo"
---@param dtype cuna.Dtype|nil
---@param random_state integer|cuna.Generator|nil
---@param rng integer|cuna.Generator|nil # SciPy's newer name of random_state
---@return cuna.SparseMatrix
function sparse.rand(m, n, density, format, dtype, random_state, rng) end

--- The elements on and below a diagonal. Follows scipy.sparse.tril.
---
--- ```lua
--- cn.sparse.tril({{1, 2}, {3, 4}}):toarray() --> [[1. 0.] [3. 4.]]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand
---@param k integer|nil # the diagonal; default 0
---@param format string|nil # default "coo"
---@return cuna.SparseMatrix
---@overload fun(A: cuna.SparseMatrix|cuna.Operand, options: {k?: integer, format?: string}): cuna.SparseMatrix
function sparse.tril(A, k, format) end

--- The elements on and above a diagonal. Follows scipy.sparse.triu.
---
--- ```lua
--- cn.sparse.triu({{1, 2}, {3, 4}}, 1):toarray() --> [[0. 2.] [0. 0.]]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand
---@param k integer|nil # the diagonal; default 0
---@param format string|nil # default "coo"
---@return cuna.SparseMatrix
---@overload fun(A: cuna.SparseMatrix|cuna.Operand, options: {k?: integer, format?: string}): cuna.SparseMatrix
function sparse.triu(A, k, format) end

--- A matrix out of rows of blocks; false stands for a block of zeros. Follows scipy.sparse.bmat.
---
--- ```lua
--- cn.sparse.bmat({{cn.sparse.eye(1), false}, {false, {{5}}}}):toarray() --> [[1. 0.] [0. 5.]]
--- ```
---@param blocks table # rows of sparse matrices or dense ones
---@param format string|nil # default "coo", or that of csr and csc blocks in line
---@param dtype cuna.Dtype|nil
---@return cuna.SparseMatrix
---@overload fun(blocks: table, options: {format?: string, dtype?: cuna.Dtype}): cuna.SparseMatrix
function sparse.bmat(blocks, format, dtype) end

--- Matrices side by side. Follows scipy.sparse.hstack.
---
--- ```lua
--- cn.sparse.hstack({cn.sparse.eye(2), {{5}, {6}}}):toarray() --> [[1. 0. 5.] [0. 1. 6.]]
--- ```
---@param blocks (cuna.SparseMatrix|cuna.Operand)[]
---@param format string|nil
---@param dtype cuna.Dtype|nil
---@return cuna.SparseMatrix
---@overload fun(blocks: (cuna.SparseMatrix|cuna.Operand)[], options: {format?: string, dtype?: cuna.Dtype}): cuna.SparseMatrix
function sparse.hstack(blocks, format, dtype) end

--- Matrices one below the other. Follows scipy.sparse.vstack.
---
--- ```lua
--- cn.sparse.vstack({cn.sparse.eye(2), {{5, 6}}}):toarray() --> [[1. 0.] [0. 1.] [5. 6.]]
--- ```
---@param blocks (cuna.SparseMatrix|cuna.Operand)[]
---@param format string|nil
---@param dtype cuna.Dtype|nil
---@return cuna.SparseMatrix
---@overload fun(blocks: (cuna.SparseMatrix|cuna.Operand)[], options: {format?: string, dtype?: cuna.Dtype}): cuna.SparseMatrix
function sparse.vstack(blocks, format, dtype) end

--- Matrices along the diagonal. Follows scipy.sparse.block_diag.
---
--- ```lua
--- cn.sparse.block_diag({{{1, 2}}, {{3}}}):toarray() --> [[1. 2. 0.] [0. 0. 3.]]
--- ```
---@param mats (cuna.SparseMatrix|cuna.Operand)[]
---@param format string|nil
---@param dtype cuna.Dtype|nil
---@return cuna.SparseMatrix
---@overload fun(mats: (cuna.SparseMatrix|cuna.Operand)[], options: {format?: string, dtype?: cuna.Dtype}): cuna.SparseMatrix
function sparse.block_diag(mats, format, dtype) end

--- A sparse array with ones on a diagonal. Follows scipy.sparse.eye_array.
---
--- ```lua
--- (cn.sparse.eye_array(2) * 3):toarray() --> [[3. 0.] [0. 3.]]
--- ```
---@param m integer # rows
---@param n integer|nil # columns; default m
---@param k integer|nil # the diagonal; default 0
---@param dtype cuna.Dtype|nil # default: the default float
---@param format string|nil # default "dia"
---@return cuna.SparseMatrix
---@overload fun(m: integer, options: {n?: integer, k?: integer, dtype?: cuna.Dtype, format?: string}): cuna.SparseMatrix
function sparse.eye_array(m, n, k, dtype, format) end

--- A sparse array of diagonals. Follows scipy.sparse.diags_array.
---
--- ```lua
--- cn.sparse.diags_array({{1, 2}, {3}}, {offsets = {0, 1}}):toarray() --> [[1. 3.] [0. 2.]]
--- ```
---@param diagonals table|cuna.Operand # vectors or numbers, one for each offset
---@param offsets integer|integer[]|nil # default 0
---@param shape integer[]|nil # default: square, for the first diagonal
---@param format string|nil # default "dia"
---@param dtype cuna.Dtype|nil
---@return cuna.SparseMatrix
---@overload fun(diagonals: table|cuna.Operand, options: {offsets?: integer|integer[], shape?: integer[], format?: string, dtype?: cuna.Dtype}): cuna.SparseMatrix
function sparse.diags_array(diagonals, offsets, shape, format, dtype) end

--- A sparse array out of rows of blocks; false stands for a block of zeros. Follows scipy.sparse.block_array.
---
--- ```lua
--- cn.sparse.block_array({{cn.sparse.eye_array(1), false}, {false, {{5}}}}):toarray() --> [[1. 0.] [0. 5.]]
--- ```
---@param blocks table # rows of sparse matrices or dense ones
---@param format string|nil # default "coo", or that of csr and csc blocks in line
---@param dtype cuna.Dtype|nil
---@return cuna.SparseMatrix
---@overload fun(blocks: table, options: {format?: string, dtype?: cuna.Dtype}): cuna.SparseMatrix
function sparse.block_array(blocks, format, dtype) end

--- A sparse array with uniform elements at random positions, those of cn.sparse.random. Follows
--- scipy.sparse.random_array.
---
--- ```lua
--- cn.sparse.random_array({10, 20}, {density = 0.1, rng = 1}).nnz --> 20
--- ```
---@param shape integer[] # (rows, columns)
---@param density number|nil # the part of the positions that have elements; default 0.01
---@param format string|nil # default "coo"
---@param dtype cuna.Dtype|nil # default: the default float
---@param rng integer|cuna.Generator|nil # a seed, or a generator
---@param data_sampler (fun(size: integer): cuna.Operand)|nil # gives the elements
---@return cuna.SparseMatrix
---@overload fun(shape: integer[], options: {density?: number, format?: string, dtype?: cuna.Dtype, rng?: integer|cuna.Generator, data_sampler?: (fun(size: integer): cuna.Operand)}): cuna.SparseMatrix
function sparse.random_array(shape, density, format, dtype, rng, data_sampler) end

--- Whether a value is a sparse matrix, not a sparse array. Follows scipy.sparse.isspmatrix.
---
--- ```lua
--- cn.sparse.isspmatrix(cn.sparse.eye(2)), cn.sparse.isspmatrix(cn.sparse.eye_array(2)) --> true, false
--- ```
---@param x any
---@return boolean
function sparse.isspmatrix(x) end

--- Whether a value is a sparse matrix in csr. Follows scipy.sparse.isspmatrix_csr.
---
--- ```lua
--- cn.sparse.isspmatrix_csr(cn.sparse.csr_matrix({{1}})) --> true
--- ```
---@param x any
---@return boolean
function sparse.isspmatrix_csr(x) end

--- Whether a value is a sparse matrix in csc. Follows scipy.sparse.isspmatrix_csc.
---
--- ```lua
--- cn.sparse.isspmatrix_csc(cn.sparse.csr_matrix({{1}})) --> false
--- ```
---@param x any
---@return boolean
function sparse.isspmatrix_csc(x) end

--- Whether a value is a sparse matrix in coo. Follows scipy.sparse.isspmatrix_coo.
---
--- ```lua
--- cn.sparse.isspmatrix_coo(cn.sparse.random(2, 2)) --> true
--- ```
---@param x any
---@return boolean
function sparse.isspmatrix_coo(x) end

--- Whether a value is a sparse matrix in dia. Follows scipy.sparse.isspmatrix_dia.
---
--- ```lua
--- cn.sparse.isspmatrix_dia(cn.sparse.eye(2)) --> true
--- ```
---@param x any
---@return boolean
function sparse.isspmatrix_dia(x) end

--- Writes a sparse matrix as SciPy does. A path without the suffix .npz gets it. Follows scipy.sparse.save_npz.
---
--- ```lua
--- cn.sparse.save_npz("/dev/null", cn.sparse.eye(3)) -->
--- ```
---@param file string # a path
---@param matrix cuna.SparseMatrix
---@param compressed boolean|nil # whether the arrays are compressed; default true
---@overload fun(file: string, matrix: cuna.SparseMatrix, options: {compressed?: boolean})
function sparse.save_npz(file, matrix, compressed) end

--- Reads a sparse matrix that scipy.sparse.save_npz or cn.sparse.save_npz wrote; bsr is an error. Follows
--- scipy.sparse.load_npz.
---
--- ```lua
--- cn.sparse.load_npz("spec/golden/files/sparse_csr.npz"):toarray() --> [[1. 0. 2.] [0. 0. 3.]]
--- ```
---@param file string|table # a path, or {text = the file's bytes}
---@return cuna.SparseMatrix
function sparse.load_npz(file) end

--- The matrix as csr; itself if it is. Elements of coo at one position are summed. Follows
--- scipy.sparse.csr_matrix.tocsr.
---
--- ```lua
--- cn.sparse.coo_matrix({{1, 2, 3}, {{1, 1, 2}, {2, 2, 1}}}):tocsr():toarray() --> [[0. 3.] [3. 0.]]
--- ```
---@param copy boolean|nil # whether a matrix that is csr is copied; default false
---@return cuna.SparseMatrix
function SparseMatrix:tocsr(copy) end

--- The matrix as csc; itself if it is. Elements of coo at one position are summed. Follows
--- scipy.sparse.csr_matrix.tocsc.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):tocsc().indptr --> [1 3 4]
--- ```
---@param copy boolean|nil
---@return cuna.SparseMatrix
function SparseMatrix:tocsc(copy) end

--- The matrix as coo; itself if it is. Follows scipy.sparse.csr_matrix.tocoo.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):tocoo().row --> [1 2 2]
--- ```
---@param copy boolean|nil
---@return cuna.SparseMatrix
function SparseMatrix:tocoo(copy) end

--- The matrix as dia; itself if it is. Follows scipy.sparse.csr_matrix.todia.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 4}, {0, 3}}):todia().offsets --> [0 1]
--- ```
---@param copy boolean|nil
---@return cuna.SparseMatrix
function SparseMatrix:todia(copy) end

--- The matrix in a format by its name. Follows scipy.sparse.csr_matrix.asformat.
---
--- ```lua
--- cn.sparse.eye(2):asformat("csc").format --> csc
--- ```
---@param format string|nil # "csr", "csc", "coo" or "dia"; nil: as it is
---@param copy boolean|nil
---@return cuna.SparseMatrix
function SparseMatrix:asformat(format, copy) end

--- The matrix as a dense array; elements at one position are summed. Follows scipy.sparse.csr_matrix.toarray, without
--- order and out.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):toarray() --> [[1. 0.] [2. 3.]]
--- ```
---@return cuna.Array # shape (rows, columns)
function SparseMatrix:toarray() end

--- The same: cuna has no matrices beside arrays. Follows scipy.sparse.csr_matrix.todense.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):todense() --> [[1. 0.] [2. 3.]]
--- ```
---@return cuna.Array # shape (rows, columns)
function SparseMatrix:todense() end

--- A copy, which shares nothing. Follows scipy.sparse.csr_matrix.copy.
---
--- ```lua
--- cn.sparse.eye(2):copy().nnz --> 2
--- ```
---@return cuna.SparseMatrix
function SparseMatrix:copy() end

--- The matrix with elements of another dtype; its positions are shared. Follows scipy.sparse.csr_matrix.astype.
---
--- ```lua
--- cn.sparse.eye(2):astype("complex64").dtype --> complex64
--- ```
---@param dtype cuna.Dtype
---@return cuna.SparseMatrix
function SparseMatrix:astype(dtype) end

--- The conjugates; the matrix itself if it is real. Follows scipy.sparse.csr_matrix.conj.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):conj().nnz --> 3
--- ```
---@return cuna.SparseMatrix
function SparseMatrix:conj() end

SparseMatrix.conjugate = SparseMatrix.conj

--- The transpose. That of csr is csc and shares its parts, and the other way round; that of coo shares them too; A.T is
--- the same. Follows scipy.sparse.csr_matrix.transpose, without axes.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}).T.format --> csc
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):transpose():toarray() --> [[1. 2.] [0. 3.]]
--- ```
---@param copy boolean|nil # whether the parts are copied; default false
---@return cuna.SparseMatrix
function SparseMatrix:transpose(copy) end

--- The conjugate of the transpose. Follows scipy.sparse.csr_matrix.getH.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):getH():toarray() --> [[1. 2.] [0. 3.]]
--- ```
---@return cuna.SparseMatrix
function SparseMatrix:getH() end

--- Adds up the elements at one position, in place. Those of coo are then in order of columns, and of rows in each.
--- Follows scipy.sparse.csr_matrix.sum_duplicates.
---
--- ```lua
--- (function(A) A:sum_duplicates() return A.data end)(cn.sparse.coo_matrix({{1, 2}, {{1, 1}, {1, 1}}})) --> [3.]
--- ```
function SparseMatrix:sum_duplicates() end

--- Puts the elements of each row of csr, or column of csc, in order, in place. Follows
--- scipy.sparse.csr_matrix.sort_indices.
---
--- ```lua
--- (function(A) A:sort_indices() return A.indices end)(cn.sparse.csr_matrix({{1, 2}})) --> [1 2]
--- ```
function SparseMatrix:sort_indices() end

--- A copy of csr or csc whose elements are in order. Follows scipy.sparse.csr_matrix.sorted_indices.
---
--- ```lua
--- cn.sparse.csr_matrix({data = {1, 2}, indices = {2, 1}, indptr = {1, 3}}):sorted_indices().data --> [2. 1.]
--- ```
---@return cuna.SparseMatrix
function SparseMatrix:sorted_indices() end

--- Drops stored zeros, in place. Follows scipy.sparse.csr_matrix.eliminate_zeros.
---
--- ```lua
--- (function(A) A.data[1] = 0 A:eliminate_zeros() return A.nnz end)(cn.sparse.eye(3):tocsr()) --> 2
--- ```
function SparseMatrix:eliminate_zeros() end

--- The number of elements that are not 0. Follows scipy.sparse.csr_matrix.count_nonzero.
---
--- ```lua
--- cn.sparse.coo_matrix({{1, -1, 2}, {{1, 1, 2}, {1, 1, 1}}}):count_nonzero() --> 1
--- ```
---@return integer
function SparseMatrix:count_nonzero() end

--- The number of stored elements, of all or along an axis. Follows scipy.sparse.csr_matrix.getnnz.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):getnnz(1) --> [1 0 2]
--- ```
---@param axis integer|nil # 1: of each column, 2: of each row
---@return integer|cuna.Array
function SparseMatrix:getnnz(axis) end

--- The k-th diagonal as a dense array. Follows scipy.sparse.csr_matrix.diagonal.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 4}, {0, 3}}):diagonal() --> [1. 3.]
--- cn.sparse.csr_matrix({{1, 4}, {0, 3}}):diagonal(1) --> [4.]
--- ```
---@param k integer|nil # default 0, the main one; above it greater than 0
---@return cuna.Array # 1-d
function SparseMatrix:diagonal(k) end

--- The sum of the k-th diagonal. Follows scipy.sparse.csr_matrix.trace.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 4}, {0, 3}}):trace() --> 4.0
--- ```
---@param offset integer|nil # default 0
---@return cuna.Array # 0-d
function SparseMatrix:trace(offset) end

--- Gives the k-th diagonal elements, in place: a number for all, or an array for as many as it has. Follows
--- scipy.sparse.csr_matrix.setdiag.
---
--- ```lua
--- (function(A) A:setdiag({5, 6}) return A:toarray() end)(cn.sparse.eye(2)) --> [[5. 0.] [0. 6.]]
--- ```
---@param values cuna.Operand
---@param k integer|nil # default 0
function SparseMatrix:setdiag(values, k) end

--- Rows, columns and values of the elements that are not 0, column by column. Follows scipy.sparse.find.
---
--- ```lua
--- cn.sparse.find({{1, 0, 2}, {0, 0, 3}}) --> [1 1 2], [1 3 3], [1. 2. 3.]
--- ```
---@param A cuna.SparseMatrix|cuna.Operand
---@return cuna.Array # row from 1
---@return cuna.Array # col from 1
---@return cuna.Array # values
function sparse.find(A) end

--- Rows and columns of the elements that are not 0, row by row. Follows scipy.sparse.csr_matrix.nonzero.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):nonzero()[2] --> [1 3 3]
--- ```
---@return cuna.Array[] # {rows, columns}, from 1
function SparseMatrix:nonzero() end

--- The matrix in another shape, row by row, in its format. Follows scipy.sparse.csr_matrix.reshape.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):reshape(3, 2):toarray() --> [[1. 0.] [2. 0.] [0. 3.]]
--- ```
---@param ... integer|integer[] # (rows, columns), one of which may be -1
---@return cuna.SparseMatrix
function SparseMatrix:reshape(...) end

--- The product with a vector, a dense matrix or a sparse matrix; with a sparse one it is sparse, csr or csc. csr is the
--- format for products; csc, coo and dia are put in rows first. Follows numpy.matmul, scipy's `A @ B`.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):matmul({1, 2, 3}) --> [7. 9.]
--- cn.sparse.csr_matrix({{1, 2}}):matmul(cn.sparse.eye(2)):toarray() --> [[1. 2.]]
--- ```
---@param B cuna.SparseMatrix|cuna.Operand # shape (n,), (n, k)
---@return cuna.Array|cuna.SparseMatrix
function SparseMatrix:matmul(B) end

--- The product of matrices, as matmul, or with a number. Follows scipy.sparse.csr_matrix.dot.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 2}, {0, 0, 3}}):dot({{1}, {2}, {3}}) --> [[7.] [9.]]
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.Array|cuna.SparseMatrix
function SparseMatrix:dot(B) end

--- The product by elements: with a number, a sparse matrix (shapes (1, n) and (m, 1) broadcast) or a dense array, which
--- broadcasts. With a dense array it is coo. Follows scipy.sparse.csr_matrix.multiply.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):multiply({{5, 6}, {7, 8}}):toarray() --> [[ 5. 0.] [14. 24.]]
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix
function SparseMatrix:multiply(B) end

--- A divided by elements by a number or a dense array; by a sparse matrix the result is dense, NaN where both are 0.
--- Follows scipy.sparse.csr_matrix's `A / B`.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):divide(2):toarray() --> [[0.5 0. ] [1.  1.5]]
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
function SparseMatrix:divide(B) end

--- The sum with a sparse matrix, which is sparse, or with a dense array, which is dense. Follows
--- scipy.sparse.csr_matrix's `A + B`.
---
--- ```lua
--- cn.sparse.eye(2):add(cn.sparse.eye(2)):toarray() --> [[2. 0.] [0. 2.]]
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
function SparseMatrix:add(B) end

--- The difference, as add.
---
--- ```lua
--- cn.sparse.eye(2):subtract(cn.sparse.eye(2)).nnz --> 0
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
function SparseMatrix:subtract(B) end

--- The greater ones of two elements: with a sparse matrix or number sparse, with a dense array dense. Follows
--- scipy.sparse.csr_matrix.maximum.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, -2}}):maximum(cn.sparse.csr_matrix({{0, -1}})):toarray() --> [[ 1. -1.]]
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
function SparseMatrix:maximum(B) end

--- The less ones of two elements, as maximum. Follows scipy.sparse.csr_matrix.minimum.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, -2}}):minimum(0):toarray() --> [[ 0. -2.]]
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array
function SparseMatrix:minimum(B) end

--- Where two sparse matrices differ, or one and a number. With a dense array the result is dense. Follows
--- scipy.sparse.csr_matrix's `A != B`.
---
--- ```lua
--- cn.sparse.eye(2):ne(cn.sparse.eye(2)).nnz --> 0
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array # of bool
function SparseMatrix:ne(B) end

--- Where the first of two sparse matrices is less, or elements are less than a number. Follows
--- scipy.sparse.csr_matrix's `A < B`.
---
--- ```lua
--- cn.sparse.eye(2):lt(cn.sparse.eye(2) * 3).nnz --> 2
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array # of bool
function SparseMatrix:lt(B) end

--- Where the first of two sparse matrices is greater, or elements are greater than a number. Follows
--- scipy.sparse.csr_matrix's `A > B`.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 4}}):gt(3).nnz --> 1
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array # of bool
function SparseMatrix:gt(B) end

--- Where two sparse matrices are equal, or elements are a number: also where neither has elements. Follows
--- scipy.sparse.csr_matrix's `A == B`.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 4}}):eq(4).nnz --> 1
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array # of bool
function SparseMatrix:eq(B) end

--- Where the first of two sparse matrices is not greater, as eq. Follows scipy.sparse.csr_matrix's `A <= B`.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, -4}}):le(-1).nnz --> 1
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array # of bool
function SparseMatrix:le(B) end

--- Where the first of two sparse matrices is not less, as eq. Follows scipy.sparse.csr_matrix's `A >= B`.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 4}}):ge(4).nnz --> 1
--- ```
---@param B cuna.SparseMatrix|cuna.Operand
---@return cuna.SparseMatrix|cuna.Array # of bool
function SparseMatrix:ge(B) end

--- Each element raised to a number other than 0. Follows scipy.sparse.csr_matrix.power.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0, 3}}):power(2):toarray() --> [[1. 0. 9.]]
--- ```
---@param n number
---@param dtype cuna.Dtype|nil # of the elements
---@return cuna.SparseMatrix
function SparseMatrix:power(n, dtype) end

--- Row i, as a matrix of one row. Follows scipy.sparse.csr_matrix.getrow.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):getrow(2):toarray() --> [[2. 3.]]
--- ```
---@param i integer
---@return cuna.SparseMatrix # csr
function SparseMatrix:getrow(i) end

--- Column i, as a matrix of one column. Follows scipy.sparse.csr_matrix.getcol.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):getcol(2):toarray() --> [[0.] [3.]]
--- ```
---@param i integer
---@return cuna.SparseMatrix # csr
function SparseMatrix:getcol(i) end

--- The sum of the elements, or sums over an axis: a dense array, for csr_matrix and its kind of two axes. Follows
--- scipy.sparse.csr_matrix.sum.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):sum() --> 6.0
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):sum(1) --> [[3. 3.]]
--- ```
---@param axis integer|nil # 1: of each column, 2: of each row; default: of all
---@param dtype cuna.Dtype|nil
---@return cuna.Array
---@overload fun(self: cuna.SparseMatrix, options: {axis?: integer, dtype?: cuna.Dtype}): cuna.Array
function SparseMatrix:sum(axis, dtype) end

--- The mean of all elements, or means over an axis, as sum. Follows scipy.sparse.csr_matrix.mean.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):mean(2) --> [[0.5] [2.5]]
--- ```
---@param axis integer|nil
---@param dtype cuna.Dtype|nil
---@return cuna.Array
---@overload fun(self: cuna.SparseMatrix, options: {axis?: integer, dtype?: cuna.Dtype}): cuna.Array
function SparseMatrix:mean(axis, dtype) end

--- The greatest element, or those over an axis as a coo matrix; elements that are not stored are 0. Follows
--- scipy.sparse.csr_matrix.max.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):max(), cn.sparse.csr_matrix({{1, 0}}):max(1).data --> 3.0, [1.]
--- ```
---@param axis integer|nil
---@return cuna.Array|cuna.SparseMatrix
---@overload fun(self: cuna.SparseMatrix, options: {axis?: integer}): cuna.Array|cuna.SparseMatrix
function SparseMatrix:max(axis) end

--- The least element, or those over an axis as a coo matrix, as max. Follows scipy.sparse.csr_matrix.min.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):min() --> 0.0
--- ```
---@param axis integer|nil
---@return cuna.Array|cuna.SparseMatrix
---@overload fun(self: cuna.SparseMatrix, options: {axis?: integer}): cuna.Array|cuna.SparseMatrix
function SparseMatrix:min(axis) end

--- The position of the greatest element, from 1: of all in row-major order, or in each line over an axis. Follows
--- scipy.sparse.csr_matrix.argmax.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):argmax() --> 4
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):argmax(2) --> [[1] [2]]
--- ```
---@param axis integer|nil
---@return integer|cuna.Array
---@overload fun(self: cuna.SparseMatrix, options: {axis?: integer}): integer|cuna.Array
function SparseMatrix:argmax(axis) end

--- The position of the least element, as argmax. Follows scipy.sparse.csr_matrix.argmin.
---
--- ```lua
--- cn.sparse.csr_matrix({{1, 0}, {2, 3}}):argmin() --> 2
--- ```
---@param axis integer|nil
---@return integer|cuna.Array
---@overload fun(self: cuna.SparseMatrix, options: {axis?: integer}): integer|cuna.Array
function SparseMatrix:argmin(axis) end

--- The square root of each element; also sin tan arcsin arctan sinh tanh arcsinh arctanh expm1 log1p ceil floor rint
--- trunc sign deg2rad rad2deg abs: functions that keep zeros. Follows scipy.sparse.csr_matrix.sqrt.
---
--- ```lua
--- cn.sparse.csr_matrix({{4, 0}, {9, 16}}):sqrt():toarray() --> [[2. 0.] [3. 4.]]
--- ```
---@return cuna.SparseMatrix
function SparseMatrix:sqrt() end

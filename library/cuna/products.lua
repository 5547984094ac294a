---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Products of vectors and matrices.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

---@class cuna.linalg
local linalg = {}

--- The product of two matrices, or of stacks of them: the last two axes are rows and columns, the others broadcast. A
--- vector is a row on the left and a column on the right, and its axis is not in the result. In the common dtype:
--- integers are exact and wrap, of bools it is whether any pair is true; float16 and bfloat16 are summed in float32. No
--- array is 0-d. Follows numpy.matmul.
---
--- ```lua
--- cn.matmul({{1, 2}, {3, 4}}, {{1, 0}, {0, 2}}) --> [[1. 4.] [3. 8.]]
--- cn.matmul({{1, 2}, {3, 4}}, {1, 1}) --> [3. 7.]
--- cn.ones({5, 2, 3}):matmul(cn.ones({3, 4})).shape --> (5, 2, 4)
--- ```
---@param x1 cuna.Operand # shape (..., m, k) or (k,)
---@param x2 cuna.Operand # shape (..., k, n) or (k,)
---@param out cuna.Array|nil # written to; it may overlap the operands
---@return cuna.Array # product of shape (..., m, n)
---@overload fun(x1: cuna.Operand, x2: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function cn.matmul(x1, x2, out) end

linalg.matmul = cn.matmul

--- The product of two matrices, or of stacks of them: the last two axes are rows and columns, the others broadcast. A
--- vector is a row on the left and a column on the right, and its axis is not in the result. In the common dtype:
--- integers are exact and wrap, of bools it is whether any pair is true; float16 and bfloat16 are summed in float32. No
--- array is 0-d. Follows numpy.matmul.
---
--- ```lua
--- cn.matmul({{1, 2}, {3, 4}}, {{1, 0}, {0, 2}}) --> [[1. 4.] [3. 8.]]
--- cn.matmul({{1, 2}, {3, 4}}, {1, 1}) --> [3. 7.]
--- cn.ones({5, 2, 3}):matmul(cn.ones({3, 4})).shape --> (5, 2, 4)
--- ```
---@param x2 cuna.Operand # shape (..., k, n) or (k,)
---@param out cuna.Array|nil # written to; it may overlap the operands
---@return cuna.Array # product of shape (..., m, n)
---@overload fun(self: cuna.Array, x2: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function Array:matmul(x2, out) end

--- Dot products of the vectors along an axis of two arrays, whose other axes broadcast; of complex ones the first is
--- conjugated. Follows numpy.vecdot.
---
--- ```lua
--- cn.vecdot({{1, 2}, {3, 4}}, {10, 1}) --> [12. 34.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param axis integer|nil # default -1
---@param out cuna.Array|nil
---@return cuna.Array # product without the axis
---@overload fun(x1: cuna.Operand, x2: cuna.Operand, options: {axis?: integer, out?: cuna.Array}): cuna.Array
function cn.vecdot(x1, x2, axis, out) end

linalg.vecdot = cn.vecdot

--- Dot products of the vectors along an axis of two arrays, whose other axes broadcast; of complex ones the first is
--- conjugated. Follows numpy.vecdot.
---
--- ```lua
--- cn.vecdot({{1, 2}, {3, 4}}, {10, 1}) --> [12. 34.]
--- ```
---@param x2 cuna.Operand
---@param axis integer|nil # default -1
---@param out cuna.Array|nil
---@return cuna.Array # product without the axis
---@overload fun(self: cuna.Array, x2: cuna.Operand, options: {axis?: integer, out?: cuna.Array}): cuna.Array
function Array:vecdot(x2, axis, out) end

--- Products of matrices and vectors: the last two axes of the first, the last one of the second; the others broadcast.
--- Follows numpy.matvec.
---
--- ```lua
--- cn.matvec({{1, 2}, {3, 4}}, {{1, 0}, {0, 1}}) --> [[1. 3.] [2. 4.]]
--- ```
---@param x1 cuna.Operand # shape (..., m, n)
---@param x2 cuna.Operand # shape (..., n)
---@param out cuna.Array|nil
---@return cuna.Array # product of shape (..., m)
---@overload fun(x1: cuna.Operand, x2: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function cn.matvec(x1, x2, out) end

--- Products of matrices and vectors: the last two axes of the first, the last one of the second; the others broadcast.
--- Follows numpy.matvec.
---
--- ```lua
--- cn.matvec({{1, 2}, {3, 4}}, {{1, 0}, {0, 1}}) --> [[1. 3.] [2. 4.]]
--- ```
---@param x2 cuna.Operand # shape (..., n)
---@param out cuna.Array|nil
---@return cuna.Array # product of shape (..., m)
---@overload fun(self: cuna.Array, x2: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function Array:matvec(x2, out) end

--- Products of vectors, which are conjugated, and matrices: the last axis of the first, the last two of the second; the
--- others broadcast. Follows numpy.vecmat.
---
--- ```lua
--- cn.vecmat({1, 1}, {{1, 2}, {3, 4}}) --> [4. 6.]
--- ```
---@param x1 cuna.Operand # shape (..., n)
---@param x2 cuna.Operand # shape (..., n, m)
---@param out cuna.Array|nil
---@return cuna.Array # product of shape (..., m)
---@overload fun(x1: cuna.Operand, x2: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function cn.vecmat(x1, x2, out) end

--- Products of vectors, which are conjugated, and matrices: the last axis of the first, the last two of the second; the
--- others broadcast. Follows numpy.vecmat.
---
--- ```lua
--- cn.vecmat({1, 1}, {{1, 2}, {3, 4}}) --> [4. 6.]
--- ```
---@param x2 cuna.Operand # shape (..., n, m)
---@param out cuna.Array|nil
---@return cuna.Array # product of shape (..., m)
---@overload fun(self: cuna.Array, x2: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function Array:vecmat(x2, out) end

--- Lets products of float32 and complex64 matrices use TensorFloat-32 on GPUs that have it: several times as fast, with
--- 10 bits of the fraction instead of 23. It is off at first.
---
--- ```lua
--- cn.set_tf32(false) --> false
--- ```
---@param on boolean
---@return boolean # before what it was until now
function cn.set_tf32(on) end

--- The dot product: of two vectors their inner product, of two matrices cn.matmul, of an array and a 0-d one or a
--- number the elementwise product. Of more axes: the sum over the last axis of a and the last but one of b, with a's
--- other axes before b's. Dtypes as cn.matmul's. Follows numpy.dot.
---
--- ```lua
--- cn.dot({1, 2, 3}, {4, 5, 6}) --> 32.0
--- cn.array({{1, 2}, {3, 4}}):dot {1, 10} --> [21. 43.]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param out cuna.Array|nil # written to; it may overlap the operands
---@return cuna.Array
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function cn.dot(a, b, out) end

--- The dot product: of two vectors their inner product, of two matrices cn.matmul, of an array and a 0-d one or a
--- number the elementwise product. Of more axes: the sum over the last axis of a and the last but one of b, with a's
--- other axes before b's. Dtypes as cn.matmul's. Follows numpy.dot.
---
--- ```lua
--- cn.dot({1, 2, 3}, {4, 5, 6}) --> 32.0
--- cn.array({{1, 2}, {3, 4}}):dot {1, 10} --> [21. 43.]
--- ```
---@param b cuna.Operand
---@param out cuna.Array|nil # written to; it may overlap the operands
---@return cuna.Array
---@overload fun(self: cuna.Array, b: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function Array:dot(b, out) end

--- The inner product: the sum over the last axes of both, with a's other axes before b's; with a 0-d array or a number
--- the elementwise product. Follows numpy.inner.
---
--- ```lua
--- cn.inner({{1, 2}, {3, 4}}, {{1, 1}, {0, 1}}) --> [[3. 2.] [7. 4.]]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@return cuna.Array
function cn.inner(a, b) end

--- The inner product: the sum over the last axes of both, with a's other axes before b's; with a 0-d array or a number
--- the elementwise product. Follows numpy.inner.
---
--- ```lua
--- cn.inner({{1, 2}, {3, 4}}, {{1, 1}, {0, 1}}) --> [[3. 2.] [7. 4.]]
--- ```
---@param b cuna.Operand
---@return cuna.Array
function Array:inner(b) end

--- The dot product of all elements of two arrays, in row-major order; of complex ones the first is conjugated. Follows
--- numpy.vdot.
---
--- ```lua
--- cn.vdot({{1, 2}, {3, 4}}, {{1, 0}, {0, 1}}) --> 5.0
--- ```
---@param a cuna.Operand
---@param b cuna.Operand # of as many elements
---@return cuna.Array # product 0-d
function cn.vdot(a, b) end

--- The dot product of all elements of two arrays, in row-major order; of complex ones the first is conjugated. Follows
--- numpy.vdot.
---
--- ```lua
--- cn.vdot({{1, 2}, {3, 4}}, {{1, 0}, {0, 1}}) --> 5.0
--- ```
---@param b cuna.Operand # of as many elements
---@return cuna.Array # product 0-d
function Array:vdot(b) end

--- The products of each element of one array with each of another. Follows numpy.outer.
---
--- ```lua
--- cn.outer({1, 2}, {10, 20, 30}) --> [[10. 20. 30.] [20. 40. 60.]]
--- ```
---@param a cuna.Operand # its elements in row-major order are rows
---@param b cuna.Operand # its elements are columns
---@param out cuna.Array|nil
---@return cuna.Array # product of shape (a.size, b.size)
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function cn.outer(a, b, out) end

linalg.outer = cn.outer

--- The products of each element of one array with each of another. Follows numpy.outer.
---
--- ```lua
--- cn.outer({1, 2}, {10, 20, 30}) --> [[10. 20. 30.] [20. 40. 60.]]
--- ```
---@param b cuna.Operand # its elements are columns
---@param out cuna.Array|nil
---@return cuna.Array # product of shape (a.size, b.size)
---@overload fun(self: cuna.Array, b: cuna.Operand, options: {out?: cuna.Array}): cuna.Array
function Array:outer(b, out) end

--- The Kronecker product: b in blocks, each multiplied by an element of a. The one with fewer axes gets leading ones.
--- Follows numpy.kron.
---
--- ```lua
--- cn.kron({{1, 0}, {0, 2}}, {{1, 1}}) --> [[1. 1. 0. 0.] [0. 0. 2. 2.]]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@return cuna.Array
function cn.kron(a, b) end

linalg.kron = cn.kron

--- The Kronecker product: b in blocks, each multiplied by an element of a. The one with fewer axes gets leading ones.
--- Follows numpy.kron.
---
--- ```lua
--- cn.kron({{1, 0}, {0, 2}}, {{1, 1}}) --> [[1. 1. 0. 0.] [0. 0. 2. 2.]]
--- ```
---@param b cuna.Operand
---@return cuna.Array
function Array:kron(b) end

--- Sums products over pairs of axes of two arrays; of the other axes a's come first. Follows numpy.tensordot.
---
--- ```lua
--- cn.tensordot(cn.ones({2, 3, 4}), cn.ones({3, 4, 5})).shape --> (2, 5)
--- cn.tensordot(cn.ones({2, 3, 4}), cn.ones({4, 2}), {{1, 3}, {2, 1}}) --> [8. 8. 8.]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param axes integer|table|nil # a count n (default 2): the last n axes of a with the first n of b; or {axes of a, axes of b}, numbers or lists, which count from 1
---@return cuna.Array
---@overload fun(a: cuna.Operand, b: cuna.Operand, options: {axes?: integer|table}): cuna.Array
function cn.tensordot(a, b, axes) end

linalg.tensordot = cn.tensordot

--- Sums products over pairs of axes of two arrays; of the other axes a's come first. Follows numpy.tensordot.
---
--- ```lua
--- cn.tensordot(cn.ones({2, 3, 4}), cn.ones({3, 4, 5})).shape --> (2, 5)
--- cn.tensordot(cn.ones({2, 3, 4}), cn.ones({4, 2}), {{1, 3}, {2, 1}}) --> [8. 8. 8.]
--- ```
---@param b cuna.Operand
---@param axes integer|table|nil # a count n (default 2): the last n axes of a with the first n of b; or {axes of a, axes of b}, numbers or lists, which count from 1
---@return cuna.Array
---@overload fun(self: cuna.Array, b: cuna.Operand, options: {axes?: integer|table}): cuna.Array
function Array:tensordot(b, axes) end

--- The product of a chain of matrices, in the order that takes the fewest operations. The first one may be a vector,
--- which is a row, and the last one too, which is a column. Follows numpy.linalg.multi_dot.
---
--- ```lua
--- cn.multi_dot({cn.ones({2, 3}), cn.ones({3, 4}), cn.ones({4})}) --> [12. 12.]
--- ```
---@param arrays cuna.Operand[] # at least two
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(arrays: cuna.Operand[], options: {out?: cuna.Array}): cuna.Array
function cn.multi_dot(arrays, out) end

linalg.multi_dot = cn.multi_dot

--- A square matrix, or each one of a stack, multiplied n times with itself; 0 times: the identity; below 0: its
--- inverse. Integers are exact and wrap. Follows numpy.linalg.matrix_power.
---
--- ```lua
--- cn.matrix_power({{1, 1}, {1, 0}}, 10) --> [[89. 55.] [55. 34.]]
--- ```
---@param a cuna.Operand # shape (..., m, m)
---@param n integer
---@return cuna.Array
function cn.matrix_power(a, n) end

linalg.matrix_power = cn.matrix_power

--- Sums of products of arrays over labels of their axes: "ij,jk->ik" is the matrix product, "ii" the trace, "ij->ji"
--- the transpose, "i,j" the outer product, "bij,bjk->bik" a stack of products. A label that the output omits is summed
--- over; without "->" the output has the labels that occur once, sorted. "..." stands for any axes, which broadcast; an
--- axis of length 1 broadcasts. Instead of text, lists of numbers may follow the arrays: einsum(x, {1, 2}, y, {2, 3},
--- {1, 3}). Products are computed by matmul, in the order with the fewest multiplications (exact for up to six arrays,
--- heuristic for more). If one array needs no arithmetic, the result is a view. Integers and bool keep their dtype.
--- Follows numpy.einsum, where `optimize` is false by default.
---
--- ```lua
--- cn.einsum("ij,jk->ik", {{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}) --> [[19. 22.] [43. 50.]]
--- cn.einsum("ii", {{1, 2}, {3, 4}}) --> 5.0
--- ```
---@param subscripts string
---@param ... cuna.Operand # one per term; last, options: out; dtype; optimize: true (default), false: from left to right, "optimal", "greedy", or a path of cn.einsum_path
---@return cuna.Array
function cn.einsum(subscripts, ...) end

--- The order in which cn.einsum contracts, and its cost. The path is a list of pairs of positions, from 1, in the list
--- of arrays; both arrays are removed from it, and their contraction is appended. It can be passed as `optimize`.
--- Follows numpy.einsum_path.
---
--- ```lua
--- #cn.einsum_path("ij,jk,kl->il", cn.ones{9, 2}, cn.ones{2, 8}, cn.ones{8, 3}) --> 2
--- ```
---@param subscripts string
---@param ... cuna.Operand # one per term; last, options: optimize as in cn.einsum; dtype
---@return integer[][] # path
---@return string # report multiplications of each step, of all steps, and of one loop over all labels
function cn.einsum_path(subscripts, ...) end

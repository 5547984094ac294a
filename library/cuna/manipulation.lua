---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Shapes, axes and joining.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

---@class cuna.linalg
local linalg = {}

--- The border of one side of an axis: out, axis, side (1 or 2), width; first and last, the range on the axis that is
--- filled already; key, that of the middle on the other axes; both, a table that the axis' two sides share.
---@class cuna.Border
local Border = {}

--- x with the same elements in row-major order under another shape: a view where its strides allow that, else a copy.
--- Follows numpy.reshape.
---
--- ```lua
--- cn.arange(6):reshape(2, -1) --> [[0 1 2] [3 4 5]]
--- ```
---@param x cuna.Operand
---@param ... integer|integer[] # the shape, as numbers or one table; one length may be -1
---@return cuna.Array
function cn.reshape(x, ...) end

--- x with the same elements in row-major order under another shape: a view where its strides allow that, else a copy.
--- Follows numpy.reshape.
---
--- ```lua
--- cn.arange(6):reshape(2, -1) --> [[0 1 2] [3 4 5]]
--- ```
---@param ... integer|integer[] # the shape, as numbers or one table; one length may be -1
---@return cuna.Array
function Array:reshape(...) end

--- x as one axis, in row-major order: a view where possible, else a copy. Follows numpy.ravel.
---
--- ```lua
--- cn.ravel({{1, 2}, {3, 4}}) --> [1. 2. 3. 4.]
--- ```
---@param x cuna.Operand
---@return cuna.Array # 1-d
function cn.ravel(x) end

--- x as one axis, in row-major order: a view where possible, else a copy. Follows numpy.ravel.
---
--- ```lua
--- cn.ravel({{1, 2}, {3, 4}}) --> [1. 2. 3. 4.]
--- ```
---@return cuna.Array # 1-d
function Array:ravel() end

--- x as one axis, in row-major order: always a copy. Follows numpy.ndarray.flatten.
---
--- ```lua
--- cn.arange(4):reshape(2, 2):flatten() --> [0 1 2 3]
--- ```
---@param x cuna.Operand
---@return cuna.Array # 1-d
function cn.flatten(x) end

--- x as one axis, in row-major order: always a copy. Follows numpy.ndarray.flatten.
---
--- ```lua
--- cn.arange(4):reshape(2, 2):flatten() --> [0 1 2 3]
--- ```
---@return cuna.Array # 1-d
function Array:flatten() end

--- x with its axes in another order; without one, reversed. A view. Follows numpy.transpose.
---
--- ```lua
--- cn.zeros({2, 3, 4}):transpose(2, 1, 3).shape --> (3, 2, 4)
--- ```
---@param x cuna.Operand
---@param ... integer|integer[] # every axis once, as numbers or one table
---@return cuna.Array
function cn.transpose(x, ...) end

--- x with its axes in another order; without one, reversed. A view. Follows numpy.transpose.
---
--- ```lua
--- cn.zeros({2, 3, 4}):transpose(2, 1, 3).shape --> (3, 2, 4)
--- ```
---@param ... integer|integer[] # every axis once, as numbers or one table
---@return cuna.Array
function Array:transpose(...) end

--- x with two axes exchanged. A view. Follows numpy.swapaxes.
---
--- ```lua
--- cn.zeros({2, 3, 4}):swapaxes(1, 3).shape --> (4, 3, 2)
--- ```
---@param x cuna.Operand
---@param axis1 integer
---@param axis2 integer
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis1?: integer, axis2?: integer}): cuna.Array
function cn.swapaxes(x, axis1, axis2) end

--- x with two axes exchanged. A view. Follows numpy.swapaxes.
---
--- ```lua
--- cn.zeros({2, 3, 4}):swapaxes(1, 3).shape --> (4, 3, 2)
--- ```
---@param axis1 integer
---@param axis2 integer
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis1?: integer, axis2?: integer}): cuna.Array
function Array:swapaxes(axis1, axis2) end

--- x with axes moved to other places; the rest keep their order. A view. Follows numpy.moveaxis.
---
--- ```lua
--- cn.zeros({2, 3, 4}):moveaxis(1, 3).shape --> (3, 4, 2)
--- ```
---@param x cuna.Operand
---@param source integer|integer[]
---@param destination integer|integer[] # as many places in the result
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {source?: integer|integer[], destination?: integer|integer[]}): cuna.Array
function cn.moveaxis(x, source, destination) end

--- x with axes moved to other places; the rest keep their order. A view. Follows numpy.moveaxis.
---
--- ```lua
--- cn.zeros({2, 3, 4}):moveaxis(1, 3).shape --> (3, 4, 2)
--- ```
---@param source integer|integer[]
---@param destination integer|integer[] # as many places in the result
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {source?: integer|integer[], destination?: integer|integer[]}): cuna.Array
function Array:moveaxis(source, destination) end

--- x without axes of length 1: all of them, or those given. A view. Follows numpy.squeeze.
---
--- ```lua
--- cn.zeros({1, 3, 1}):squeeze(1).shape --> (3, 1)
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil # axes of length 1
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes}): cuna.Array
function cn.squeeze(x, axis) end

--- x without axes of length 1: all of them, or those given. A view. Follows numpy.squeeze.
---
--- ```lua
--- cn.zeros({1, 3, 1}):squeeze(1).shape --> (3, 1)
--- ```
---@param axis cuna.Axes|nil # axes of length 1
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes}): cuna.Array
function Array:squeeze(axis) end

--- x with new axes of length 1 at the given places of the result. A view. Follows numpy.expand_dims.
---
--- ```lua
--- cn.arange(3):expand_dims(2) --> [[0] [1] [2]]
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes}): cuna.Array
function cn.expand_dims(x, axis) end

--- x with new axes of length 1 at the given places of the result. A view. Follows numpy.expand_dims.
---
--- ```lua
--- cn.arange(3):expand_dims(2) --> [[0] [1] [2]]
--- ```
---@param axis cuna.Axes
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes}): cuna.Array
function Array:expand_dims(axis) end

--- x repeated along axes of length 1 and new leading axes, up to a larger shape. A read-only view. Follows
--- numpy.broadcast_to.
---
--- ```lua
--- cn.broadcast_to({1, 2}, {2, 2}) --> [[1. 2.] [1. 2.]]
--- ```
---@param x cuna.Operand
---@param ... integer|integer[] # the shape, as numbers or one table
---@return cuna.Array
function cn.broadcast_to(x, ...) end

--- x repeated along axes of length 1 and new leading axes, up to a larger shape. A read-only view. Follows
--- numpy.broadcast_to.
---
--- ```lua
--- cn.broadcast_to({1, 2}, {2, 2}) --> [[1. 2.] [1. 2.]]
--- ```
---@param ... integer|integer[] # the shape, as numbers or one table
---@return cuna.Array
function Array:broadcast_to(...) end

--- x with the order of elements reversed along axes (default: all). A view. Follows numpy.flip.
---
--- ```lua
--- cn.arange(3):flip() --> [2 1 0]
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes}): cuna.Array
function cn.flip(x, axis) end

--- x with the order of elements reversed along axes (default: all). A view. Follows numpy.flip.
---
--- ```lua
--- cn.arange(3):flip() --> [2 1 0]
--- ```
---@param axis cuna.Axes|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: cuna.Axes}): cuna.Array
function Array:flip(axis) end

--- A copy of x, row-major. Follows numpy.copy.
---
--- ```lua
--- cn.arange(3):copy() --> [0 1 2]
--- ```
---@param x cuna.Operand
---@param order string|nil # "C", "A" or "K", which all mean row-major here
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {order?: string}): cuna.Array
function cn.copy(x, order) end

--- A copy of x, row-major. Follows numpy.copy.
---
--- ```lua
--- cn.arange(3):copy() --> [0 1 2]
--- ```
---@param order string|nil # "C", "A" or "K", which all mean row-major here
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {order?: string}): cuna.Array
function Array:copy(order) end

--- x in another dtype. Floats to integers are cut to whole numbers and saturate, NaN becomes 0; integers wrap; complex
--- to real drops the imaginary part. Follows numpy.ndarray.astype.
---
--- ```lua
--- cn.array({1.7, -300, cn.nan}):astype "int8" --> [ 1 -128 0]
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype
---@param copy boolean|nil # false gives x itself when it has the dtype
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype, copy?: boolean}): cuna.Array
function cn.astype(x, dtype, copy) end

--- x in another dtype. Floats to integers are cut to whole numbers and saturate, NaN becomes 0; integers wrap; complex
--- to real drops the imaginary part. Follows numpy.ndarray.astype.
---
--- ```lua
--- cn.array({1.7, -300, cn.nan}):astype "int8" --> [ 1 -128 0]
--- ```
---@param dtype cuna.Dtype
---@param copy boolean|nil # false gives x itself when it has the dtype
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {dtype?: cuna.Dtype, copy?: boolean}): cuna.Array
function Array:astype(dtype, copy) end

--- x itself when it is row-major and has the dtype, else a row-major copy. Follows numpy.ascontiguousarray.
---
--- ```lua
--- cn.ascontiguousarray(cn.ones({2, 3}).T).strides[1] --> 16
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.ascontiguousarray(x, dtype) end

--- x itself when it is row-major and has the dtype, else a row-major copy. Follows numpy.ascontiguousarray.
---
--- ```lua
--- cn.ascontiguousarray(cn.ones({2, 3}).T).strides[1] --> 16
--- ```
---@param dtype cuna.Dtype|nil # default: x's
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {dtype?: cuna.Dtype}): cuna.Array
function Array:ascontiguousarray(dtype) end

--- Whether two arrays may share memory: whether the ranges of bytes that they span overlap. Follows
--- numpy.may_share_memory.
---
--- ```lua
--- (function(x) return x:shares_memory(x.T) end)(cn.ones {2, 3}) --> true
--- ```
---@param a cuna.Array
---@param b cuna.Array
---@return boolean
function cn.shares_memory(a, b) end

--- Whether two arrays may share memory: whether the ranges of bytes that they span overlap. Follows
--- numpy.may_share_memory.
---
--- ```lua
--- (function(x) return x:shares_memory(x.T) end)(cn.ones {2, 3}) --> true
--- ```
---@param b cuna.Array
---@return boolean
function Array:shares_memory(b) end

--- The memory of x as elements of another dtype; without one, another view of x. With a dtype of another size the last
--- axis becomes longer or shorter, and must be contiguous. Bytes are not converted (cn.astype does that); as bools, all
--- but 0 are true. Follows numpy.ndarray.view; PyTorch's view of a shape is cn.reshape.
---
--- ```lua
--- cn.array({1, -2}, "float32"):view "uint32" --> [1065353216 3221225472]
--- cn.array({1, 256}, "uint16"):view "uint8" --> [1 0 0 1]
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.view(x, dtype) end

--- The memory of x as elements of another dtype; without one, another view of x. With a dtype of another size the last
--- axis becomes longer or shorter, and must be contiguous. Bytes are not converted (cn.astype does that); as bools, all
--- but 0 are true. Follows numpy.ndarray.view; PyTorch's view of a shape is cn.reshape.
---
--- ```lua
--- cn.array({1, -2}, "float32"):view "uint32" --> [1065353216 3221225472]
--- cn.array({1, 256}, "uint16"):view "uint8" --> [1 0 0 1]
--- ```
---@param dtype cuna.Dtype|nil # default: x's
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {dtype?: cuna.Dtype}): cuna.Array
function Array:view(dtype) end

--- The real parts: a view of a complex array, which may be written to; a real array itself. Follows numpy.real.
---
--- ```lua
--- cn.real({cn.complex(1, 2)}) --> [1.]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function cn.real(x) end

--- The imaginary parts: a view of a complex array, which may be written to; new zeros for a real one. Follows
--- numpy.imag.
---
--- ```lua
--- cn.imag({cn.complex(1, 2)}) --> [2.]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function cn.imag(x) end

--- x with its axes in another order; without one, reversed. A view. Follows numpy.permute_dims, another name of
--- cn.transpose.
---
--- ```lua
--- cn.permute_dims(cn.zeros {2, 3, 4}, {2, 1, 3}).shape --> (3, 2, 4)
--- ```
---@param x cuna.Operand
---@param ... integer|integer[] # every axis once, as numbers or one table
---@return cuna.Array
function cn.permute_dims(x, ...) end

--- x with its axes in another order; without one, reversed. A view. Follows numpy.permute_dims, another name of
--- cn.transpose.
---
--- ```lua
--- cn.permute_dims(cn.zeros {2, 3, 4}, {2, 1, 3}).shape --> (3, 2, 4)
--- ```
---@param ... integer|integer[] # every axis once, as numbers or one table
---@return cuna.Array
function Array:permute_dims(...) end

--- x with its last two axes exchanged. A view. Follows numpy.matrix_transpose.
---
--- ```lua
--- cn.matrix_transpose(cn.zeros {2, 3, 4}).shape --> (2, 4, 3)
--- ```
---@param x cuna.Operand # at least 2-d
---@return cuna.Array
function cn.matrix_transpose(x) end

linalg.matrix_transpose = cn.matrix_transpose

--- x with its last two axes exchanged. A view. Follows numpy.matrix_transpose.
---
--- ```lua
--- cn.matrix_transpose(cn.zeros {2, 3, 4}).shape --> (2, 4, 3)
--- ```
---@return cuna.Array
function Array:matrix_transpose() end

--- x with an axis moved in front of another one; cn.moveaxis says where it goes. A view. Follows numpy.rollaxis.
---
--- ```lua
--- cn.zeros({2, 3, 4}):rollaxis(3).shape --> (4, 2, 3)
--- cn.zeros({2, 3, 4}):rollaxis(1, 4).shape --> (3, 4, 2)
--- ```
---@param x cuna.Operand
---@param axis integer
---@param start integer|nil # the axis that it comes in front of, x.ndim + 1 for the end, default 1
---@return cuna.Array
---@overload fun(x: cuna.Operand, axis: integer, options: {start?: integer}): cuna.Array
function cn.rollaxis(x, axis, start) end

--- x with an axis moved in front of another one; cn.moveaxis says where it goes. A view. Follows numpy.rollaxis.
---
--- ```lua
--- cn.zeros({2, 3, 4}):rollaxis(3).shape --> (4, 2, 3)
--- cn.zeros({2, 3, 4}):rollaxis(1, 4).shape --> (3, 4, 2)
--- ```
---@param axis integer
---@param start integer|nil # the axis that it comes in front of, x.ndim + 1 for the end, default 1
---@return cuna.Array
---@overload fun(self: cuna.Array, axis: integer, options: {start?: integer}): cuna.Array
function Array:rollaxis(axis, start) end

--- x with its rows in reverse order. A view. Follows numpy.flipud.
---
--- ```lua
--- cn.flipud {{1, 2}, {3, 4}} --> [[3. 4.] [1. 2.]]
--- ```
---@param x cuna.Operand # at least 1-d
---@return cuna.Array
function cn.flipud(x) end

--- x with its rows in reverse order. A view. Follows numpy.flipud.
---
--- ```lua
--- cn.flipud {{1, 2}, {3, 4}} --> [[3. 4.] [1. 2.]]
--- ```
---@return cuna.Array
function Array:flipud() end

--- x with its columns in reverse order. A view. Follows numpy.fliplr.
---
--- ```lua
--- cn.fliplr {{1, 2}, {3, 4}} --> [[2. 1.] [4. 3.]]
--- ```
---@param x cuna.Operand # at least 2-d
---@return cuna.Array
function cn.fliplr(x) end

--- x with its columns in reverse order. A view. Follows numpy.fliplr.
---
--- ```lua
--- cn.fliplr {{1, 2}, {3, 4}} --> [[2. 1.] [4. 3.]]
--- ```
---@return cuna.Array
function Array:fliplr() end

--- x turned by right angles in the plane of two axes, from the first towards the second. A view. Follows numpy.rot90.
---
--- ```lua
--- cn.rot90 {{1, 2}, {3, 4}} --> [[2. 4.] [1. 3.]]
--- ```
---@param x cuna.Operand # at least 2-d
---@param k integer|nil # how many right angles, default 1
---@param axes integer[]|nil # default {1, 2}
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {k?: integer, axes?: integer[]}): cuna.Array
function cn.rot90(x, k, axes) end

--- x turned by right angles in the plane of two axes, from the first towards the second. A view. Follows numpy.rot90.
---
--- ```lua
--- cn.rot90 {{1, 2}, {3, 4}} --> [[2. 4.] [1. 3.]]
--- ```
---@param k integer|nil # how many right angles, default 1
---@param axes integer[]|nil # default {1, 2}
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {k?: integer, axes?: integer[]}): cuna.Array
function Array:rot90(k, axes) end

--- Each array with at least 1 axis. A view, or the array itself. Follows numpy.atleast_1d.
---
--- ```lua
--- cn.atleast_1d(5, {1, 2}) --> [5.], [1. 2.]
--- ```
---@param ... cuna.Operand
---@return cuna.Array ...
function cn.atleast_1d(...) end

--- Each array with at least 2 axes: vectors become rows. A view, or the array itself. Follows numpy.atleast_2d.
---
--- ```lua
--- cn.atleast_2d {1, 2} --> [[1. 2.]]
--- ```
---@param ... cuna.Operand
---@return cuna.Array ...
function cn.atleast_2d(...) end

--- Each array with at least 3 axes: a vector of length n gets shape (1, n, 1), a matrix a last axis. A view, or the
--- array itself. Follows numpy.atleast_3d.
---
--- ```lua
--- cn.atleast_3d({1, 2}).shape --> (1, 2, 1)
--- ```
---@param ... cuna.Operand
---@return cuna.Array ...
function cn.atleast_3d(...) end

--- Arrays as views of the shape that they broadcast to, which are read-only. Follows numpy.broadcast_arrays.
---
--- ```lua
--- cn.broadcast_arrays({1, 2}, {{3}, {4}}) --> [[1. 2.] [1. 2.]], [[3. 3.] [4. 4.]]
--- ```
---@param ... cuna.Operand
---@return cuna.Array ...
function cn.broadcast_arrays(...) end

--- The shape that shapes broadcast to. Follows numpy.broadcast_shapes.
---
--- ```lua
--- cn.broadcast_shapes({2, 1}, 3, {1, 3}) --> (2, 3)
--- ```
---@param ... cuna.Shape
---@return integer[]
function cn.broadcast_shapes(...) end

--- Arrays joined along an axis that they have; the other axes must agree. `x .. y` does so along the first axis.
--- Follows numpy.concatenate.
---
--- ```lua
--- cn.concatenate({{{1, 2}}, {{3, 4}}}, 2) --> [[1. 2. 3. 4.]]
--- ```
---@param arrays cuna.Operand[]|cuna.Array
---@param axis integer|nil # default 1
---@param out cuna.Array|nil # of the result's shape; it may overlap the arrays
---@param dtype cuna.Dtype|nil # default: the arrays' common one
---@return cuna.Array
---@overload fun(arrays: cuna.Operand[]|cuna.Array, options: {axis?: integer, out?: cuna.Array, dtype?: cuna.Dtype}): cuna.Array
function cn.concatenate(arrays, axis, out, dtype) end

cn.concat = cn.concatenate

--- Arrays of one shape joined along a new axis. Follows numpy.stack.
---
--- ```lua
--- cn.stack({{1, 2}, {3, 4}}, 2) --> [[1. 3.] [2. 4.]]
--- ```
---@param arrays cuna.Operand[]|cuna.Array
---@param axis integer|nil # place of the new axis in the result, default 1
---@param out cuna.Array|nil # of the result's shape; it may overlap the arrays
---@param dtype cuna.Dtype|nil # default: the arrays' common one
---@return cuna.Array
---@overload fun(arrays: cuna.Operand[]|cuna.Array, options: {axis?: integer, out?: cuna.Array, dtype?: cuna.Dtype}): cuna.Array
function cn.stack(arrays, axis, out, dtype) end

--- Arrays joined along the first axis; vectors become rows before. Follows numpy.vstack.
---
--- ```lua
--- cn.vstack {{1, 2}, {3, 4}} --> [[1. 2.] [3. 4.]]
--- ```
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype cuna.Dtype|nil # default: the arrays' common one
---@return cuna.Array
---@overload fun(arrays: cuna.Operand[]|cuna.Array, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.vstack(arrays, dtype) end

--- Another name of cn.vstack. Follows numpy.row_stack.
---
--- ```lua
--- cn.row_stack {{1, 2}, {3, 4}} --> [[1. 2.] [3. 4.]]
--- ```
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype cuna.Dtype|nil # default: the arrays' common one
---@return cuna.Array
---@overload fun(arrays: cuna.Operand[]|cuna.Array, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.row_stack(arrays, dtype) end

--- Arrays joined along the second axis; vectors and numbers along the first. Follows numpy.hstack.
---
--- ```lua
--- cn.hstack {{1, 2}, {3}} --> [1. 2. 3.]
--- ```
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype cuna.Dtype|nil # default: the arrays' common one
---@return cuna.Array
---@overload fun(arrays: cuna.Operand[]|cuna.Array, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.hstack(arrays, dtype) end

--- Arrays joined along the third axis: vectors are taken as matrices of one row, matrices as layers. Follows
--- numpy.dstack.
---
--- ```lua
--- cn.dstack {{1, 2}, {3, 4}} --> [[[1. 3.] [2. 4.]]]
--- ```
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype cuna.Dtype|nil # default: the arrays' common one
---@return cuna.Array # at least 3-d
---@overload fun(arrays: cuna.Operand[]|cuna.Array, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.dstack(arrays, dtype) end

--- Arrays joined along the second axis; vectors become columns before. Follows numpy.column_stack.
---
--- ```lua
--- cn.column_stack {{1, 2}, {3, 4}} --> [[1. 3.] [2. 4.]]
--- ```
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype cuna.Dtype|nil # default: the arrays' common one
---@return cuna.Array # at least 2-d
---@overload fun(arrays: cuna.Operand[]|cuna.Array, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.column_stack(arrays, dtype) end

--- An array put together of blocks: the innermost tables are joined along the last axis, those around them along the
--- one before, and so on. Lua numbers take the dtype of the arrays. Follows numpy.block.
---
--- ```lua
--- cn.block {{cn.ones {2, 2}, cn.zeros {2, 1}}, {cn.ones {1, 2}, 5}} --> [[1. 1. 0.] [1. 1. 0.] [1. 1. 5.]]
--- ```
---@param arrays cuna.Operand[]|cuna.Operand[][] # nested tables of arrays and numbers, all at one depth; or one array
---@return cuna.Array
function cn.block(arrays) end

--- Cuts x along an axis into equal parts, or at positions: each is that of the first element of the next part.
--- Positions in an array are fetched, which waits. Follows numpy.split.
---
--- ```lua
--- unpack(cn.split(cn.arange(6), 3)) --> [0 1], [2 3], [4 5]
--- unpack(cn.split(cn.arange(6), {2, -1})) --> [0], [1 2 3 4], [5]
--- ```
---@param x cuna.Operand
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@param axis integer|nil # default 1
---@return cuna.Array[] # views
---@overload fun(x: cuna.Operand, sections: integer|integer[]|cuna.Array, options: {axis?: integer}): cuna.Array[]
function cn.split(x, sections, axis) end

--- Cuts x along an axis into equal parts, or at positions: each is that of the first element of the next part.
--- Positions in an array are fetched, which waits. Follows numpy.split.
---
--- ```lua
--- unpack(cn.split(cn.arange(6), 3)) --> [0 1], [2 3], [4 5]
--- unpack(cn.split(cn.arange(6), {2, -1})) --> [0], [1 2 3 4], [5]
--- ```
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@param axis integer|nil # default 1
---@return cuna.Array[] # views
---@overload fun(self: cuna.Array, sections: integer|integer[]|cuna.Array, options: {axis?: integer}): cuna.Array[]
function Array:split(sections, axis) end

--- As cn.split, but parts may differ in length: the first ones are longer by one. Follows numpy.array_split.
---
--- ```lua
--- unpack(cn.array_split(cn.arange(5), 2)) --> [0 1 2], [3 4]
--- ```
---@param x cuna.Operand
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@param axis integer|nil # default 1
---@return cuna.Array[] # views
---@overload fun(x: cuna.Operand, sections: integer|integer[]|cuna.Array, options: {axis?: integer}): cuna.Array[]
function cn.array_split(x, sections, axis) end

--- As cn.split, but parts may differ in length: the first ones are longer by one. Follows numpy.array_split.
---
--- ```lua
--- unpack(cn.array_split(cn.arange(5), 2)) --> [0 1 2], [3 4]
--- ```
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@param axis integer|nil # default 1
---@return cuna.Array[] # views
---@overload fun(self: cuna.Array, sections: integer|integer[]|cuna.Array, options: {axis?: integer}): cuna.Array[]
function Array:array_split(sections, axis) end

--- Cuts x along the second axis, a vector along its first. Follows numpy.hsplit.
---
--- ```lua
--- unpack(cn.hsplit({{1, 2}, {3, 4}}, 2)) --> [[1.] [3.]], [[2.] [4.]]
--- ```
---@param x cuna.Operand # at least 1-d
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@return cuna.Array[] # views
function cn.hsplit(x, sections) end

--- Cuts x along the second axis, a vector along its first. Follows numpy.hsplit.
---
--- ```lua
--- unpack(cn.hsplit({{1, 2}, {3, 4}}, 2)) --> [[1.] [3.]], [[2.] [4.]]
--- ```
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@return cuna.Array[] # views
function Array:hsplit(sections) end

--- Cuts x along the first axis. Follows numpy.vsplit.
---
--- ```lua
--- unpack(cn.vsplit({{1, 2}, {3, 4}}, 2)) --> [[1. 2.]], [[3. 4.]]
--- ```
---@param x cuna.Operand # at least 2-d
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@return cuna.Array[] # views
function cn.vsplit(x, sections) end

--- Cuts x along the first axis. Follows numpy.vsplit.
---
--- ```lua
--- unpack(cn.vsplit({{1, 2}, {3, 4}}, 2)) --> [[1. 2.]], [[3. 4.]]
--- ```
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@return cuna.Array[] # views
function Array:vsplit(sections) end

--- Cuts x along the third axis. Follows numpy.dsplit.
---
--- ```lua
--- #cn.dsplit(cn.zeros {2, 3, 4}, {2, 4}) --> 3
--- ```
---@param x cuna.Operand # at least 3-d
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@return cuna.Array[] # views
function cn.dsplit(x, sections) end

--- Cuts x along the third axis. Follows numpy.dsplit.
---
--- ```lua
--- #cn.dsplit(cn.zeros {2, 3, 4}, {2, 4}) --> 3
--- ```
---@param sections integer|integer[]|cuna.Array # how many parts, or split points
---@return cuna.Array[] # views
function Array:dsplit(sections) end

--- x repeated along each axis. Follows numpy.tile.
---
--- ```lua
--- cn.tile({1, 2}, 3) --> [1. 2. 1. 2. 1. 2.]
--- cn.tile({1, 2}, {2, 2}) --> [[1. 2. 1. 2.] [1. 2. 1. 2.]]
--- ```
---@param x cuna.Operand
---@param reps integer|integer[] # repetitions along the last axes; more than x has axes add leading axes
---@return cuna.Array # a copy
function cn.tile(x, reps) end

--- x repeated along each axis. Follows numpy.tile.
---
--- ```lua
--- cn.tile({1, 2}, 3) --> [1. 2. 1. 2. 1. 2.]
--- cn.tile({1, 2}, {2, 2}) --> [[1. 2. 1. 2.] [1. 2. 1. 2.]]
--- ```
---@param reps integer|integer[] # repetitions along the last axes; more than x has axes add leading axes
---@return cuna.Array # a copy
function Array:tile(reps) end

--- x with each element (or slice along an axis) repeated. Counts in an array are summed, which waits. Follows
--- numpy.repeat, whose name is a keyword of Lua.
---
--- ```lua
--- cn.repeat_interleave({1, 2}, 2) --> [1. 1. 2. 2.]
--- cn.repeat_interleave({{1, 2}, {3, 4}}, {0, 2}, 1) --> [[3. 4.] [3. 4.]]
--- ```
---@param x cuna.Operand
---@param repeats integer|integer[]|cuna.Array # number of repetitions: one for all, or one for each element
---@param axis integer|nil # without one x is taken as a vector
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, repeats: integer|integer[]|cuna.Array, options: {axis?: integer}): cuna.Array
function cn.repeat_interleave(x, repeats, axis) end

--- x with each element (or slice along an axis) repeated. Counts in an array are summed, which waits. Follows
--- numpy.repeat, whose name is a keyword of Lua.
---
--- ```lua
--- cn.repeat_interleave({1, 2}, 2) --> [1. 1. 2. 2.]
--- cn.repeat_interleave({{1, 2}, {3, 4}}, {0, 2}, 1) --> [[3. 4.] [3. 4.]]
--- ```
---@param repeats integer|integer[]|cuna.Array # number of repetitions: one for all, or one for each element
---@param axis integer|nil # without one x is taken as a vector
---@return cuna.Array # a copy
---@overload fun(self: cuna.Array, repeats: integer|integer[]|cuna.Array, options: {axis?: integer}): cuna.Array
function Array:repeat_interleave(repeats, axis) end

--- x with its elements shifted along axes; elements beyond the end reappear at the front. Follows numpy.roll.
---
--- ```lua
--- cn.roll({1, 2, 3, 4}, 1) --> [4. 1. 2. 3.]
--- cn.roll({{1, 2}, {3, 4}}, {1, 1}, {1, 2}) --> [[4. 3.] [2. 1.]]
--- ```
---@param x cuna.Operand
---@param shift integer|integer[] # by how much, negative towards the front
---@param axis integer|integer[]|nil # without it, x is shifted as a vector in row-major order
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, shift: integer|integer[], options: {axis?: integer|integer[]}): cuna.Array
function cn.roll(x, shift, axis) end

--- x with its elements shifted along axes; elements beyond the end reappear at the front. Follows numpy.roll.
---
--- ```lua
--- cn.roll({1, 2, 3, 4}, 1) --> [4. 1. 2. 3.]
--- cn.roll({{1, 2}, {3, 4}}, {1, 1}, {1, 2}) --> [[4. 3.] [2. 1.]]
--- ```
---@param shift integer|integer[] # by how much, negative towards the front
---@param axis integer|integer[]|nil # without it, x is shifted as a vector in row-major order
---@return cuna.Array # a copy
---@overload fun(self: cuna.Array, shift: integer|integer[], options: {axis?: integer|integer[]}): cuna.Array
function Array:roll(shift, axis) end

--- x with values appended along an axis, or both flattened. A Lua number takes the dtype of x if that can represent it.
--- Follows numpy.append.
---
--- ```lua
--- cn.append({1, 2}, {3, 4}) --> [1. 2. 3. 4.]
--- cn.append({{1, 2}}, {{3, 4}}, 1) --> [[1. 2.] [3. 4.]]
--- ```
---@param x cuna.Operand
---@param values cuna.Operand # with an axis: x's shape except for that axis
---@param axis integer|nil
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, values: cuna.Operand, options: {axis?: integer}): cuna.Array
function cn.append(x, values, axis) end

--- x with values appended along an axis, or both flattened. A Lua number takes the dtype of x if that can represent it.
--- Follows numpy.append.
---
--- ```lua
--- cn.append({1, 2}, {3, 4}) --> [1. 2. 3. 4.]
--- cn.append({{1, 2}}, {{3, 4}}, 1) --> [[1. 2.] [3. 4.]]
--- ```
---@param values cuna.Operand # with an axis: x's shape except for that axis
---@param axis integer|nil
---@return cuna.Array # a copy
---@overload fun(self: cuna.Array, values: cuna.Operand, options: {axis?: integer}): cuna.Array
function Array:append(values, axis) end

--- x without the slices at positions along an axis, or flattened and without elements. Positions in an array, and
--- masks, wait for the number of elements to keep. Follows numpy.delete.
---
--- ```lua
--- cn.delete({10, 20, 30, 40}, {1, -1}) --> [20. 30.]
--- cn.delete({{1, 2}, {3, 4}}, 1, 2) --> [[2.] [4.]]
--- ```
---@param x cuna.Operand
---@param positions integer|integer[]|cuna.Array # from 1, or a mask; cn.range(2, 5) for a range
---@param axis integer|nil
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, positions: integer|integer[]|cuna.Array, options: {axis?: integer}): cuna.Array
function cn.delete(x, positions, axis) end

--- x without the slices at positions along an axis, or flattened and without elements. Positions in an array, and
--- masks, wait for the number of elements to keep. Follows numpy.delete.
---
--- ```lua
--- cn.delete({10, 20, 30, 40}, {1, -1}) --> [20. 30.]
--- cn.delete({{1, 2}, {3, 4}}, 1, 2) --> [[2.] [4.]]
--- ```
---@param positions integer|integer[]|cuna.Array # from 1, or a mask; cn.range(2, 5) for a range
---@param axis integer|nil
---@return cuna.Array # a copy
---@overload fun(self: cuna.Array, positions: integer|integer[]|cuna.Array, options: {axis?: integer}): cuna.Array
function Array:delete(positions, axis) end

--- x with values before positions along an axis, or flattened with values before elements; the position after the last
--- one is the end. A single position takes all values, several positions take one each. Positions in an array are
--- fetched, which waits. Follows numpy.insert.
---
--- ```lua
--- cn.insert({1, 2, 3}, 2, {8, 9}) --> [1. 8. 9. 2. 3.]
--- cn.insert({1, 2, 3}, {1, 4}, 0) --> [0. 1. 2. 3. 0.]
--- cn.insert({{1, 2}, {3, 4}}, 2, 5, 2) --> [[1. 5. 2.] [3. 5. 4.]]
--- ```
---@param x cuna.Operand
---@param positions integer|integer[]|cuna.Array # from 1, in the array before the insertion; or a mask
---@param values cuna.Operand # converted as by assignment; they broadcast
---@param axis integer|nil
---@return cuna.Array # a copy, of x's dtype
---@overload fun(x: cuna.Operand, positions: integer|integer[]|cuna.Array, values: cuna.Operand, options: {axis?: integer}): cuna.Array
function cn.insert(x, positions, values, axis) end

--- x with values before positions along an axis, or flattened with values before elements; the position after the last
--- one is the end. A single position takes all values, several positions take one each. Positions in an array are
--- fetched, which waits. Follows numpy.insert.
---
--- ```lua
--- cn.insert({1, 2, 3}, 2, {8, 9}) --> [1. 8. 9. 2. 3.]
--- cn.insert({1, 2, 3}, {1, 4}, 0) --> [0. 1. 2. 3. 0.]
--- cn.insert({{1, 2}, {3, 4}}, 2, 5, 2) --> [[1. 5. 2.] [3. 5. 4.]]
--- ```
---@param positions integer|integer[]|cuna.Array # from 1, in the array before the insertion; or a mask
---@param values cuna.Operand # converted as by assignment; they broadcast
---@param axis integer|nil
---@return cuna.Array # a copy, of x's dtype
---@overload fun(self: cuna.Array, positions: integer|integer[]|cuna.Array, values: cuna.Operand, options: {axis?: integer}): cuna.Array
function Array:insert(positions, values, axis) end

--- The elements of x in another shape, in row-major order. They are repeated if the shape has more elements; if x has
--- none, the result has zeros. x:resize also returns a copy. Follows numpy.resize.
---
--- ```lua
--- cn.resize({1, 2, 3}, {2, 4}) --> [[1. 2. 3. 1.] [2. 3. 1. 2.]]
--- ```
---@param x cuna.Operand
---@param shape cuna.Shape
---@return cuna.Array # a copy
function cn.resize(x, shape) end

--- The elements of x in another shape, in row-major order. They are repeated if the shape has more elements; if x has
--- none, the result has zeros. x:resize also returns a copy. Follows numpy.resize.
---
--- ```lua
--- cn.resize({1, 2, 3}, {2, 4}) --> [[1. 2. 3. 1.] [2. 3. 1. 2.]]
--- ```
---@param shape cuna.Shape
---@return cuna.Array # a copy
function Array:resize(shape) end

--- x without the zeros at its front and back, along all axes or some. Returns a view; waits for its bounds. Follows
--- numpy.trim_zeros.
---
--- ```lua
--- cn.trim_zeros {0, 0, 1, 0, 2, 0} --> [1. 0. 2.]
--- cn.trim_zeros({0, 0, 1, 0, 2, 0}, "f") --> [1. 0. 2. 0.]
--- ```
---@param x cuna.Operand
---@param trim string|nil # "f" for the front, "b" for the back, default "fb"
---@param axis cuna.Axes|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {trim?: string, axis?: cuna.Axes}): cuna.Array
function cn.trim_zeros(x, trim, axis) end

--- x without the zeros at its front and back, along all axes or some. Returns a view; waits for its bounds. Follows
--- numpy.trim_zeros.
---
--- ```lua
--- cn.trim_zeros {0, 0, 1, 0, 2, 0} --> [1. 0. 2.]
--- cn.trim_zeros({0, 0, 1, 0, 2, 0}, "f") --> [1. 0. 2. 0.]
--- ```
---@param trim string|nil # "f" for the front, "b" for the back, default "fb"
---@param axis cuna.Axes|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {trim?: string, axis?: cuna.Axes}): cuna.Array
function Array:trim_zeros(trim, axis) end

--- x with borders. Modes: "constant" (constant_values), "edge", "linear_ramp" (from end_values), "maximum", "minimum",
--- "mean" and "median" (of the stat_length elements next to the border), "reflect", "symmetric" (which repeats the
--- edge; with reflect_type "odd", both modes subtract the reflection from twice the edge's value), "wrap", "empty". A
--- function gets each vector along each axis, with zeros as borders, the two widths and the axis, and writes into the
--- vector. If an axis has one element, "reflect" equals "edge". Follows numpy.pad.
---
--- ```lua
--- cn.pad({1, 2}, {1, 2}) --> [0. 1. 2. 0. 0.]
--- cn.pad({{1, 2}}, {{1, 0}, {0, 1}}, "edge") --> [[1. 2. 2.] [1. 2. 2.]]
--- cn.pad({1, 2, 3}, 2, "reflect", {reflect_type = "odd"}) --> [-1. 0. 1. 2. 3. 4. 5.]
--- ```
---@param x cuna.Operand
---@param pad_width integer|integer[]|integer[][] # one number, {before, after}, or one of these for each axis
---@param mode string|fun(vector: cuna.Array, widths: integer[], axis: integer)|nil # default "constant"
---@param stat_length integer|table|nil # as pad_width; default all
---@param constant_values cuna.Number|table|nil # as pad_width, default 0
---@param end_values cuna.Number|table|nil # as pad_width, default 0
---@param reflect_type string|nil # "even" (default) or "odd"
---@return cuna.Array # a copy, of x's dtype
---@overload fun(x: cuna.Operand, pad_width: integer|integer[]|integer[][], options: {mode?: string|fun(vector: cuna.Array, widths: integer[], axis: integer), stat_length?: integer|table, constant_values?: cuna.Number|table, end_values?: cuna.Number|table, reflect_type?: string}): cuna.Array
function cn.pad(x, pad_width, mode, stat_length, constant_values, end_values, reflect_type) end

--- x with borders. Modes: "constant" (constant_values), "edge", "linear_ramp" (from end_values), "maximum", "minimum",
--- "mean" and "median" (of the stat_length elements next to the border), "reflect", "symmetric" (which repeats the
--- edge; with reflect_type "odd", both modes subtract the reflection from twice the edge's value), "wrap", "empty". A
--- function gets each vector along each axis, with zeros as borders, the two widths and the axis, and writes into the
--- vector. If an axis has one element, "reflect" equals "edge". Follows numpy.pad.
---
--- ```lua
--- cn.pad({1, 2}, {1, 2}) --> [0. 1. 2. 0. 0.]
--- cn.pad({{1, 2}}, {{1, 0}, {0, 1}}, "edge") --> [[1. 2. 2.] [1. 2. 2.]]
--- cn.pad({1, 2, 3}, 2, "reflect", {reflect_type = "odd"}) --> [-1. 0. 1. 2. 3. 4. 5.]
--- ```
---@param pad_width integer|integer[]|integer[][] # one number, {before, after}, or one of these for each axis
---@param mode string|fun(vector: cuna.Array, widths: integer[], axis: integer)|nil # default "constant"
---@param stat_length integer|table|nil # as pad_width; default all
---@param constant_values cuna.Number|table|nil # as pad_width, default 0
---@param end_values cuna.Number|table|nil # as pad_width, default 0
---@param reflect_type string|nil # "even" (default) or "odd"
---@return cuna.Array # a copy, of x's dtype
---@overload fun(self: cuna.Array, pad_width: integer|integer[]|integer[][], options: {mode?: string|fun(vector: cuna.Array, widths: integer[], axis: integer), stat_length?: integer|table, constant_values?: cuna.Number|table, end_values?: cuna.Number|table, reflect_type?: string}): cuna.Array
function Array:pad(pad_width, mode, stat_length, constant_values, end_values, reflect_type) end

---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Positions, masks, diagonals and views by strides.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- treatment of positions out of range: see cn.take
---@alias cuna.PositionMode "raise"|"wrap"|"clip"

--- The elements of x at positions, along an axis or in row-major order over all of x. Follows numpy.take.
---
--- ```lua
--- cn.take({10, 20, 30}, {3, 1, -1}) --> [30. 10. 30.]
--- cn.take({{1, 2}, {3, 4}}, {2}, 2) --> [[2.] [4.]]
--- cn.take({10, 20, 30}, {4, 5}, {mode = "wrap"}) --> [10. 20.]
--- ```
---@param x cuna.Operand
---@param indices cuna.Operand # whole numbers from 1, or from the end below 0
---@param axis integer|nil
---@param out cuna.Array|nil # of the result's shape; it may overlap x
---@param mode cuna.PositionMode|nil # default "raise"; "clip" takes the first element for all positions below 1
---@return cuna.Array # x's shape with the axis replaced by the shape of indices
---@overload fun(x: cuna.Operand, indices: cuna.Operand, options: {axis?: integer, out?: cuna.Array, mode?: cuna.PositionMode}): cuna.Array
function cn.take(x, indices, axis, out, mode) end

--- The elements of x at positions, along an axis or in row-major order over all of x. Follows numpy.take.
---
--- ```lua
--- cn.take({10, 20, 30}, {3, 1, -1}) --> [30. 10. 30.]
--- cn.take({{1, 2}, {3, 4}}, {2}, 2) --> [[2.] [4.]]
--- cn.take({10, 20, 30}, {4, 5}, {mode = "wrap"}) --> [10. 20.]
--- ```
---@param indices cuna.Operand # whole numbers from 1, or from the end below 0
---@param axis integer|nil
---@param out cuna.Array|nil # of the result's shape; it may overlap x
---@param mode cuna.PositionMode|nil # default "raise"; "clip" takes the first element for all positions below 1
---@return cuna.Array # x's shape with the axis replaced by the shape of indices
---@overload fun(self: cuna.Array, indices: cuna.Operand, options: {axis?: integer, out?: cuna.Array, mode?: cuna.PositionMode}): cuna.Array
function Array:take(indices, axis, out, mode) end

--- Writes values to positions in row-major order over all of x. If there are fewer values than positions, they repeat.
--- If a position occurs twice on CUDA, either value may be stored. Follows numpy.put.
---
--- ```lua
--- cn.zeros(5):put({1, -1}, {7, 8}) --> [7. 0. 0. 0. 8.]
--- ```
---@param x cuna.Array
---@param indices cuna.Operand # whole numbers from 1, or from the end below 0
---@param values cuna.Operand # converted as by assignment
---@param mode cuna.PositionMode|nil # default "raise"
---@return cuna.Array # x
---@overload fun(x: cuna.Array, indices: cuna.Operand, values: cuna.Operand, options: {mode?: cuna.PositionMode}): cuna.Array
function cn.put(x, indices, values, mode) end

--- Writes values to positions in row-major order over all of x. If there are fewer values than positions, they repeat.
--- If a position occurs twice on CUDA, either value may be stored. Follows numpy.put.
---
--- ```lua
--- cn.zeros(5):put({1, -1}, {7, 8}) --> [7. 0. 0. 0. 8.]
--- ```
---@param indices cuna.Operand # whole numbers from 1, or from the end below 0
---@param values cuna.Operand # converted as by assignment
---@param mode cuna.PositionMode|nil # default "raise"
---@return cuna.Array # x
---@overload fun(self: cuna.Array, indices: cuna.Operand, values: cuna.Operand, options: {mode?: cuna.PositionMode}): cuna.Array
function Array:put(indices, values, mode) end

--- The elements of x at positions along an axis, which may differ for every element: for example those of argsort.
--- Follows numpy.take_along_axis.
---
--- ```lua
--- cn.take_along_axis({{10, 20}, {30, 40}}, {{2}, {1}}, 2) --> [[20.] [30.]]
--- ```
---@param x cuna.Operand
---@param indices cuna.Operand # as many axes as x; the other axes broadcast against x's
---@param axis integer|nil # without it, x is taken as a vector and indices is 1-d
---@return cuna.Array
---@overload fun(x: cuna.Operand, indices: cuna.Operand, options: {axis?: integer}): cuna.Array
function cn.take_along_axis(x, indices, axis) end

--- The elements of x at positions along an axis, which may differ for every element: for example those of argsort.
--- Follows numpy.take_along_axis.
---
--- ```lua
--- cn.take_along_axis({{10, 20}, {30, 40}}, {{2}, {1}}, 2) --> [[20.] [30.]]
--- ```
---@param indices cuna.Operand # as many axes as x; the other axes broadcast against x's
---@param axis integer|nil # without it, x is taken as a vector and indices is 1-d
---@return cuna.Array
---@overload fun(self: cuna.Array, indices: cuna.Operand, options: {axis?: integer}): cuna.Array
function Array:take_along_axis(indices, axis) end

--- Writes values to positions along an axis, which may differ for every element. Follows numpy.put_along_axis.
---
--- ```lua
--- cn.zeros({2, 2}):put_along_axis({{2}, {1}}, 5, 2) --> [[0. 5.] [5. 0.]]
--- ```
---@param x cuna.Array
---@param indices cuna.Operand # as many axes as x; the other axes broadcast against x's
---@param values cuna.Operand # broadcasts, and is converted, as by assignment
---@param axis integer|nil # without it, x is taken as a vector and indices is 1-d
---@return cuna.Array # x
---@overload fun(x: cuna.Array, indices: cuna.Operand, values: cuna.Operand, options: {axis?: integer}): cuna.Array
function cn.put_along_axis(x, indices, values, axis) end

--- Writes values to positions along an axis, which may differ for every element. Follows numpy.put_along_axis.
---
--- ```lua
--- cn.zeros({2, 2}):put_along_axis({{2}, {1}}, 5, 2) --> [[0. 5.] [5. 0.]]
--- ```
---@param indices cuna.Operand # as many axes as x; the other axes broadcast against x's
---@param values cuna.Operand # broadcasts, and is converted, as by assignment
---@param axis integer|nil # without it, x is taken as a vector and indices is 1-d
---@return cuna.Array # x
---@overload fun(self: cuna.Array, indices: cuna.Operand, values: cuna.Operand, options: {axis?: integer}): cuna.Array
function Array:put_along_axis(indices, values, axis) end

--- For each position the element of that choice; positions and choices broadcast. Follows numpy.choose, except that
--- positions may also count from the end.
---
--- ```lua
--- cn.choose({1, 2, 1}, {{10, 20, 30}, {-1, -2, -3}}) --> [10. -2. 30.]
--- ```
---@param indices cuna.Operand # the numbers of choices: whole numbers from 1, or from the end below 0
---@param choices cuna.Operand[]|cuna.Array # a table of arrays, or an array whose slices along the first axis are choices
---@param out cuna.Array|nil
---@param mode cuna.PositionMode|nil # default "raise"
---@return cuna.Array
---@overload fun(indices: cuna.Operand, choices: cuna.Operand[]|cuna.Array, options: {out?: cuna.Array, mode?: cuna.PositionMode}): cuna.Array
function cn.choose(indices, choices, out, mode) end

--- For each position the element of that choice; positions and choices broadcast. Follows numpy.choose, except that
--- positions may also count from the end.
---
--- ```lua
--- cn.choose({1, 2, 1}, {{10, 20, 30}, {-1, -2, -3}}) --> [10. -2. 30.]
--- ```
---@param choices cuna.Operand[]|cuna.Array # a table of arrays, or an array whose slices along the first axis are choices
---@param out cuna.Array|nil
---@param mode cuna.PositionMode|nil # default "raise"
---@return cuna.Array
---@overload fun(self: cuna.Array, choices: cuna.Operand[]|cuna.Array, options: {out?: cuna.Array, mode?: cuna.PositionMode}): cuna.Array
function Array:choose(choices, out, mode) end

--- For each element the first choice whose condition is true; all broadcast. Follows numpy.select.
---
--- ```lua
--- (function(x) return cn.select({x:lt(2), x:gt(2)}, {x, x * 10}, -1) end)(cn.arange(5)) --> [ 0 1 -1 30 40]
--- ```
---@param condlist cuna.Operand[] # arrays of bools
---@param choicelist cuna.Operand[] # as many
---@param default cuna.Operand|nil # if no condition is true, default 0
---@return cuna.Array
---@overload fun(condlist: cuna.Operand[], choicelist: cuna.Operand[], options: {default?: cuna.Operand}): cuna.Array
function cn.select(condlist, choicelist, default) end

--- The slices of x along an axis, or its elements in row-major order, where a vector is true; none beyond the vector's
--- end. Waits for their count. Follows numpy.compress.
---
--- ```lua
--- cn.compress({true, false, true}, {10, 20, 30}) --> [10. 30.]
--- cn.compress({false, true}, {{1, 2}, {3, 4}}, 2) --> [[2.] [4.]]
--- ```
---@param condition cuna.Operand # 1-d
---@param x cuna.Operand
---@param axis integer|nil
---@param out cuna.Array|nil # of the result's shape
---@return cuna.Array
---@overload fun(condition: cuna.Operand, x: cuna.Operand, options: {axis?: integer, out?: cuna.Array}): cuna.Array
function cn.compress(condition, x, axis, out) end

--- The slices of x along an axis, or its elements in row-major order, where a vector is true. Waits for their count.
--- Follows numpy.ndarray.compress.
---
--- ```lua
--- cn.array({10, 20, 30}):compress {true, false, true} --> [10. 30.]
--- ```
---@param condition cuna.Operand # 1-d
---@param axis integer|nil
---@param out cuna.Array|nil # of the result's shape
---@return cuna.Array
---@overload fun(self: cuna.Array, condition: cuna.Operand, options: {axis?: integer, out?: cuna.Array}): cuna.Array
function Array:compress(condition, axis, out) end

--- The elements of x, in row-major order, where a mask of as many elements is true. Waits for their count. Follows
--- numpy.extract.
---
--- ```lua
--- (function(x) return cn.extract(x:gt(2), x) end)(cn.arange(5)) --> [3 4]
--- ```
---@param condition cuna.Operand # as many elements as x
---@param x cuna.Operand
---@return cuna.Array # 1-d
function cn.extract(condition, x) end

--- Writes values where a mask is true: value n to element n, in row-major order. If there are fewer values than
--- elements, they repeat. Follows numpy.putmask.
---
--- ```lua
--- cn.arange(6):putmask({false, true, true, false, true, true}, {-1, -2, -3}) --> [ 0 -2 -3 3 -2 -3]
--- ```
---@param x cuna.Array
---@param mask cuna.Operand # as many elements as x
---@param values cuna.Operand # converted as by assignment; without values, x is unchanged
---@return cuna.Array # x
function cn.putmask(x, mask, values) end

--- Writes values where a mask is true: value n to element n, in row-major order. If there are fewer values than
--- elements, they repeat. Follows numpy.putmask.
---
--- ```lua
--- cn.arange(6):putmask({false, true, true, false, true, true}, {-1, -2, -3}) --> [ 0 -2 -3 3 -2 -3]
--- ```
---@param mask cuna.Operand # as many elements as x
---@param values cuna.Operand # converted as by assignment; without values, x is unchanged
---@return cuna.Array # x
function Array:putmask(mask, values) end

--- Writes values one after the other to the elements where a mask is true. If there are fewer values than such
--- elements, they repeat. Follows numpy.place.
---
--- ```lua
--- cn.arange(6):place({false, true, true, false, true, true}, {-1, -2, -3}) --> [ 0 -1 -2 3 -3 -1]
--- ```
---@param x cuna.Array
---@param mask cuna.Operand # as many elements as x
---@param values cuna.Operand # at least one; converted as by assignment
---@return cuna.Array # x
function cn.place(x, mask, values) end

--- Writes values one after the other to the elements where a mask is true. If there are fewer values than such
--- elements, they repeat. Follows numpy.place.
---
--- ```lua
--- cn.arange(6):place({false, true, true, false, true, true}, {-1, -2, -3}) --> [ 0 -1 -2 3 -3 -1]
--- ```
---@param mask cuna.Operand # as many elements as x
---@param values cuna.Operand # at least one; converted as by assignment
---@return cuna.Array # x
function Array:place(mask, values) end

--- Copies src into dst, to which it broadcasts: all of it, or where a mask is true. Follows numpy.copyto.
---
--- ```lua
--- cn.copyto(cn.zeros(3), {1, 2, 3}, {where = {true, false, true}}) --> [1. 0. 3.]
--- ```
---@param dst cuna.Array
---@param src cuna.Operand # may be on another device if there is no mask
---@param casting string|nil # allowed conversions: "no", "equiv", "safe", "same_kind" (default) or "unsafe"
---@param where cuna.Operand|nil # a mask that broadcasts to dst
---@return cuna.Array # dst
---@overload fun(dst: cuna.Array, src: cuna.Operand, options: {casting?: string, where?: cuna.Operand}): cuna.Array
function cn.copyto(dst, src, casting, where) end

--- Copies src into dst, to which it broadcasts: all of it, or where a mask is true. Follows numpy.copyto.
---
--- ```lua
--- cn.copyto(cn.zeros(3), {1, 2, 3}, {where = {true, false, true}}) --> [1. 0. 3.]
--- ```
---@param src cuna.Operand # may be on another device if there is no mask
---@param casting string|nil # allowed conversions: "no", "equiv", "safe", "same_kind" (default) or "unsafe"
---@param where cuna.Operand|nil # a mask that broadcasts to dst
---@return cuna.Array # dst
---@overload fun(self: cuna.Array, src: cuna.Operand, options: {casting?: string, where?: cuna.Operand}): cuna.Array
function Array:copyto(src, casting, where) end

--- The positions of the elements of x that are not 0 (or false): for each axis an array, in row-major order, in one
--- table. The table is a key: x[cn.nonzero(m)] reads and writes these elements. NaN is not 0. Waits for the count.
--- Follows numpy.nonzero.
---
--- ```lua
--- cn.nonzero({0, 3, 0, 4})[1] --> [2 4]
--- unpack(cn.nonzero {{0, 3}, {4, 0}}) --> [1 2], [2 1]
--- ```
---@param x cuna.Operand # at least 1-d
---@return cuna.Array[] # 1-d, int64, counting from 1
function cn.nonzero(x) end

--- The positions of the elements of x that are not 0 (or false): for each axis an array, in row-major order, in one
--- table. The table is a key: x[cn.nonzero(m)] reads and writes these elements. NaN is not 0. Waits for the count.
--- Follows numpy.nonzero.
---
--- ```lua
--- cn.nonzero({0, 3, 0, 4})[1] --> [2 4]
--- unpack(cn.nonzero {{0, 3}, {4, 0}}) --> [1 2], [2 1]
--- ```
---@return cuna.Array[] # 1-d, int64, counting from 1
function Array:nonzero() end

--- The row-major positions, over all axes, of elements of x that are not 0. Waits for the count. Follows
--- numpy.flatnonzero.
---
--- ```lua
--- cn.flatnonzero {{0, 3}, {4, 0}} --> [2 3]
--- ```
---@param x cuna.Operand
---@return cuna.Array # 1-d, int64, counting from 1
function cn.flatnonzero(x) end

--- The row-major positions, over all axes, of elements of x that are not 0. Waits for the count. Follows
--- numpy.flatnonzero.
---
--- ```lua
--- cn.flatnonzero {{0, 3}, {4, 0}} --> [2 3]
--- ```
---@return cuna.Array # 1-d, int64, counting from 1
function Array:flatnonzero() end

--- The positions of the elements of x that are not 0, one row each. Waits for the count. Follows numpy.argwhere.
---
--- ```lua
--- cn.argwhere {{0, 3}, {4, 0}} --> [[1 2] [2 1]]
--- ```
---@param x cuna.Operand
---@return cuna.Array # shape (count, x.ndim), int64, counting from 1
function cn.argwhere(x) end

--- The positions of the elements of x that are not 0, one row each. Waits for the count. Follows numpy.argwhere.
---
--- ```lua
--- cn.argwhere {{0, 3}, {4, 0}} --> [[1 2] [2 1]]
--- ```
---@return cuna.Array # shape (count, x.ndim), int64, counting from 1
function Array:argwhere() end

--- x where the condition is true, else y. With the condition alone, the positions where it is true: cn.nonzero. Follows
--- numpy.where.
---
--- ```lua
--- cn.where(cn.array {true, false}, {1, 2}, 0) --> [1. 0.]
--- cn.where(cn.array {true, false, true})[1] --> [1 3]
--- ```
---@param condition cuna.Operand
---@param x cuna.Operand|nil
---@param y cuna.Operand|nil
---@param ... cuna.Array|table # out, options
---@return cuna.Array|cuna.Array[]
function cn.where(condition, x, y, ...) end

--- Converts flat positions to positions along each axis of a shape: for each axis an array, in one table. Raises an
--- error for positions out of range. Follows numpy.unravel_index.
---
--- ```lua
--- unpack(cn.unravel_index({1, 6, -1}, {2, 3})) --> [1 2 2], [1 3 3]
--- ```
---@param indices cuna.Operand # whole numbers from 1, or negative from the end
---@param shape cuna.Shape
---@param order string|nil # "C" (row-major, default) or "F"
---@return cuna.Array[] # int64, of the shape of `indices`, counting from 1
---@overload fun(indices: cuna.Operand, shape: cuna.Shape, options: {order?: string}): cuna.Array[]
function cn.unravel_index(indices, shape, order) end

--- Converts flat positions to positions along each axis of a shape: for each axis an array, in one table. Raises an
--- error for positions out of range. Follows numpy.unravel_index.
---
--- ```lua
--- unpack(cn.unravel_index({1, 6, -1}, {2, 3})) --> [1 2 2], [1 3 3]
--- ```
---@param shape cuna.Shape
---@param order string|nil # "C" (row-major, default) or "F"
---@return cuna.Array[] # int64, of the shape of `indices`, counting from 1
---@overload fun(self: cuna.Array, shape: cuna.Shape, options: {order?: string}): cuna.Array[]
function Array:unravel_index(shape, order) end

--- Converts positions along axes, which broadcast, to flat positions. Follows numpy.ravel_multi_index.
---
--- ```lua
--- cn.ravel_multi_index({{1, 2, -1}, {1, 3, 3}}, {2, 3}) --> [1 6 6]
--- cn.ravel_multi_index({{2}, {7}}, {2, 3}, "wrap") --> [4]
--- ```
---@param multi_index cuna.Operand[]|cuna.Array # positions for each axis: a table, or an array's first axis
---@param dims cuna.Shape
---@param mode string|string[]|nil # treatment of positions out of range, for all axes or each: "raise" (default) raises an error, "wrap" counts around, "clip" takes the first or the last; 0 is an error in any case
---@param order string|nil # "C" (row-major, default) or "F"
---@return cuna.Array # int64, counting from 1
---@overload fun(multi_index: cuna.Operand[]|cuna.Array, dims: cuna.Shape, options: {mode?: string|string[], order?: string}): cuna.Array
function cn.ravel_multi_index(multi_index, dims, mode, order) end

--- Lists of positions as a key of a grid: x[cn.ix_({1, 3}, {2, 4})] is rows 1, 3 of columns 2, 4. Bool arrays
--- are converted to the positions where they are true. Follows numpy.ix_.
---
--- ```lua
--- cn.arange(6):reshape(2, 3)[cn.ix_({1, 2}, {1, 3})] --> [[0 2] [3 5]]
--- ```
---@param ... cuna.Operand # 1-d
---@return cuna.Array[] # the lists, each along a separate axis
function cn.ix_(...) end

--- The positions of a grid's elements: element {axis, i, j, ...} is its position along that axis. Follows
--- numpy.indices, with positions from 1.
---
--- ```lua
--- cn.indices {2, 2} --> [[[1 1] [2 2]] [[1 2] [1 2]]]
--- cn.indices({2, 3}, {sparse = true})[2] --> [[1 2 3]]
--- ```
---@param shape cuna.Shape
---@param dtype cuna.Dtype|nil # default int64
---@param sparse boolean|nil # true: returns a table of arrays that broadcast, each of length 1 along the other axes
---@return cuna.Array|cuna.Array[] # shape (#shape, ...)
---@overload fun(shape: cuna.Shape, options: {dtype?: cuna.Dtype, sparse?: boolean}): cuna.Array|cuna.Array[]
function cn.indices(shape, dtype, sparse) end

--- The positions at and below the k-th diagonal of an (n, m) matrix: rows and columns in one table, a key. Follows
--- numpy.tril_indices.
---
--- ```lua
--- unpack(cn.tril_indices(2)) --> [1 2 2], [1 1 2]
--- ```
---@param n integer # rows
---@param k integer|nil # default 0, the main diagonal
---@param m integer|nil # columns, default n
---@return cuna.Array[] # 1-d, int64, counting from 1
---@overload fun(options: {n?: integer, k?: integer, m?: integer}): cuna.Array[]
function cn.tril_indices(n, k, m) end

--- The positions at and above the k-th diagonal of an (n, m) matrix: rows and columns in one table, a key. Follows
--- numpy.triu_indices.
---
--- ```lua
--- unpack(cn.triu_indices(2)) --> [1 1 2], [1 2 2]
--- ```
---@param n integer # rows
---@param k integer|nil # default 0, the main diagonal
---@param m integer|nil # columns, default n
---@return cuna.Array[] # 1-d, int64, counting from 1
---@overload fun(options: {n?: integer, k?: integer, m?: integer}): cuna.Array[]
function cn.triu_indices(n, k, m) end

--- The positions at and below the k-th diagonal of x, as cn.tril_indices. Follows numpy.tril_indices_from.
---
--- ```lua
--- cn.array({{1, 2}, {3, 4}})[cn.tril_indices_from {{1, 2}, {3, 4}}] --> [1. 3. 4.]
--- ```
---@param x cuna.Operand # shape (n, m)
---@param k integer|nil # default 0
---@return cuna.Array[]
---@overload fun(x: cuna.Operand, options: {k?: integer}): cuna.Array[]
function cn.tril_indices_from(x, k) end

--- The positions at and below the k-th diagonal of x, as cn.tril_indices. Follows numpy.tril_indices_from.
---
--- ```lua
--- cn.array({{1, 2}, {3, 4}})[cn.tril_indices_from {{1, 2}, {3, 4}}] --> [1. 3. 4.]
--- ```
---@param k integer|nil # default 0
---@return cuna.Array[]
---@overload fun(self: cuna.Array, options: {k?: integer}): cuna.Array[]
function Array:tril_indices_from(k) end

--- The positions at and above the k-th diagonal of x, as cn.triu_indices. Follows numpy.triu_indices_from.
---
--- ```lua
--- cn.array({{1, 2}, {3, 4}})[cn.triu_indices_from {{1, 2}, {3, 4}}] --> [1. 2. 4.]
--- ```
---@param x cuna.Operand # shape (n, m)
---@param k integer|nil # default 0
---@return cuna.Array[]
---@overload fun(x: cuna.Operand, options: {k?: integer}): cuna.Array[]
function cn.triu_indices_from(x, k) end

--- The positions at and above the k-th diagonal of x, as cn.triu_indices. Follows numpy.triu_indices_from.
---
--- ```lua
--- cn.array({{1, 2}, {3, 4}})[cn.triu_indices_from {{1, 2}, {3, 4}}] --> [1. 2. 4.]
--- ```
---@param k integer|nil # default 0
---@return cuna.Array[]
---@overload fun(self: cuna.Array, options: {k?: integer}): cuna.Array[]
function Array:triu_indices_from(k) end

--- The positions of the main diagonal of an array with `ndim` axes of length n: a key. Follows numpy.diag_indices.
---
--- ```lua
--- unpack(cn.diag_indices(3)) --> [1 2 3], [1 2 3]
--- ```
---@param n integer
---@param ndim integer|nil # default 2
---@return cuna.Array[] # the same 1-d int64 array for each axis, counting from 1
---@overload fun(options: {n?: integer, ndim?: integer}): cuna.Array[]
function cn.diag_indices(n, ndim) end

--- The positions of the main diagonal of x, as cn.diag_indices. Follows numpy.diag_indices_from.
---
--- ```lua
--- cn.diag_indices_from(cn.eye(2))[1] --> [1 2]
--- ```
---@param x cuna.Operand # at least 2 axes, all of one length
---@return cuna.Array[]
function cn.diag_indices_from(x) end

--- The positions of the main diagonal of x, as cn.diag_indices. Follows numpy.diag_indices_from.
---
--- ```lua
--- cn.diag_indices_from(cn.eye(2))[1] --> [1 2]
--- ```
---@return cuna.Array[]
function Array:diag_indices_from() end

--- Adds values to x[key], in place. Unlike x[key] = x[key] + v it adds to an element as often as the key has it; on
--- CUDA in any order. Every operation of two operands with an in-place form has this one: x:subtract_at,
--- x:multiply_at, x:maximum_at, x:bitwise_or_at, x:bor_at, ...; complex128 has add_at and subtract_at only. Follows
--- numpy.ufunc.at.
---
--- ```lua
--- cn.zeros(3):add_at(cn.array {1, 3, 1}, 1) --> [2. 0. 1.]
--- cn.zeros(3):maximum_at(cn.array {1, 3, 1}, {5, 7, 4}) --> [5. 0. 7.]
--- ```
---@param x cuna.Array
---@param key any # what x[key] takes: arrays of positions, masks, ranges, a table of them
---@param value cuna.Operand # broadcasts to x[key]; the result's dtype must cast to x's within its kind
---@return cuna.Array # x
function cn.add_at(x, key, value) end

cn.subtract_at = cn.add_at

cn.sub_at = cn.add_at

cn.multiply_at = cn.add_at

cn.mul_at = cn.add_at

cn.divide_at = cn.add_at

cn.true_divide_at = cn.add_at

cn.div_at = cn.add_at

cn.floor_divide_at = cn.add_at

cn.remainder_at = cn.add_at

cn.mod_at = cn.add_at

cn.fmod_at = cn.add_at

cn.power_at = cn.add_at

cn.pow_at = cn.add_at

cn.float_power_at = cn.add_at

cn.hypot_at = cn.add_at

cn.gcd_at = cn.add_at

cn.lcm_at = cn.add_at

cn.logaddexp_at = cn.add_at

cn.logaddexp2_at = cn.add_at

cn.arctan2_at = cn.add_at

cn.atan2_at = cn.add_at

cn.maximum_at = cn.add_at

cn.minimum_at = cn.add_at

cn.fmax_at = cn.add_at

cn.fmin_at = cn.add_at

cn.heaviside_at = cn.add_at

cn.bitwise_and_at = cn.add_at

cn.band_at = cn.add_at

cn.bitwise_or_at = cn.add_at

cn.bor_at = cn.add_at

cn.bitwise_xor_at = cn.add_at

cn.bxor_at = cn.add_at

cn.left_shift_at = cn.add_at

cn.bitwise_left_shift_at = cn.add_at

cn.lshift_at = cn.add_at

cn.right_shift_at = cn.add_at

cn.bitwise_right_shift_at = cn.add_at

cn.rshift_at = cn.add_at

cn.copysign_at = cn.add_at

cn.nextafter_at = cn.add_at

cn.ldexp_at = cn.add_at

--- Adds values to x[key], in place. Unlike x[key] = x[key] + v it adds to an element as often as the key has it; on
--- CUDA in any order. Every operation of two operands with an in-place form has this one: x:subtract_at,
--- x:multiply_at, x:maximum_at, x:bitwise_or_at, x:bor_at, ...; complex128 has add_at and subtract_at only. Follows
--- numpy.ufunc.at.
---
--- ```lua
--- cn.zeros(3):add_at(cn.array {1, 3, 1}, 1) --> [2. 0. 1.]
--- cn.zeros(3):maximum_at(cn.array {1, 3, 1}, {5, 7, 4}) --> [5. 0. 7.]
--- ```
---@param key any # what x[key] takes: arrays of positions, masks, ranges, a table of them
---@param value cuna.Operand # broadcasts to x[key]; the result's dtype must cast to x's within its kind
---@return cuna.Array # x
function Array:add_at(key, value) end

Array.subtract_at = Array.add_at

Array.sub_at = Array.add_at

Array.multiply_at = Array.add_at

Array.mul_at = Array.add_at

Array.divide_at = Array.add_at

Array.true_divide_at = Array.add_at

Array.div_at = Array.add_at

Array.floor_divide_at = Array.add_at

Array.remainder_at = Array.add_at

Array.mod_at = Array.add_at

Array.fmod_at = Array.add_at

Array.power_at = Array.add_at

Array.pow_at = Array.add_at

Array.float_power_at = Array.add_at

Array.hypot_at = Array.add_at

Array.gcd_at = Array.add_at

Array.lcm_at = Array.add_at

Array.logaddexp_at = Array.add_at

Array.logaddexp2_at = Array.add_at

Array.arctan2_at = Array.add_at

Array.atan2_at = Array.add_at

Array.maximum_at = Array.add_at

Array.minimum_at = Array.add_at

Array.fmax_at = Array.add_at

Array.fmin_at = Array.add_at

Array.heaviside_at = Array.add_at

Array.bitwise_and_at = Array.add_at

Array.band_at = Array.add_at

Array.bitwise_or_at = Array.add_at

Array.bor_at = Array.add_at

Array.bitwise_xor_at = Array.add_at

Array.bxor_at = Array.add_at

Array.left_shift_at = Array.add_at

Array.bitwise_left_shift_at = Array.add_at

Array.lshift_at = Array.add_at

Array.right_shift_at = Array.add_at

Array.bitwise_right_shift_at = Array.add_at

Array.rshift_at = Array.add_at

Array.copysign_at = Array.add_at

Array.nextafter_at = Array.add_at

Array.ldexp_at = Array.add_at

--- The diagonals of the matrices along two axes, as a last axis. A view. Follows numpy.diagonal.
---
--- ```lua
--- cn.arange(6):reshape(2, 3):diagonal(1) --> [1 5]
--- ```
---@param x cuna.Operand # at least 2-d
---@param offset integer|nil # positive above the main diagonal, default 0
---@param axis1 integer|nil # the rows, default 1
---@param axis2 integer|nil # the columns, default 2
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {offset?: integer, axis1?: integer, axis2?: integer}): cuna.Array
function cn.diagonal(x, offset, axis1, axis2) end

--- The diagonals of the matrices along two axes, as a last axis. A view. Follows numpy.diagonal.
---
--- ```lua
--- cn.arange(6):reshape(2, 3):diagonal(1) --> [1 5]
--- ```
---@param offset integer|nil # positive above the main diagonal, default 0
---@param axis1 integer|nil # the rows, default 1
---@param axis2 integer|nil # the columns, default 2
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {offset?: integer, axis1?: integer, axis2?: integer}): cuna.Array
function Array:diagonal(offset, axis1, axis2) end

--- The sums of the diagonals that cn.diagonal returns. Follows numpy.trace.
---
--- ```lua
--- cn.trace {{1, 2}, {3, 4}} --> 5.0
--- ```
---@param x cuna.Operand # at least 2-d
---@param offset integer|nil # positive above the main diagonal, default 0
---@param axis1 integer|nil # the rows, default 1
---@param axis2 integer|nil # the columns, default 2
---@param dtype cuna.Dtype|nil # default as cn.sum's
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {offset?: integer, axis1?: integer, axis2?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function cn.trace(x, offset, axis1, axis2, dtype, out) end

--- The sums of the diagonals that cn.diagonal returns. Follows numpy.trace.
---
--- ```lua
--- cn.trace {{1, 2}, {3, 4}} --> 5.0
--- ```
---@param offset integer|nil # positive above the main diagonal, default 0
---@param axis1 integer|nil # the rows, default 1
---@param axis2 integer|nil # the columns, default 2
---@param dtype cuna.Dtype|nil # default as cn.sum's
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {offset?: integer, axis1?: integer, axis2?: integer, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Array:trace(offset, axis1, axis2, dtype, out) end

--- Writes a value to the main diagonal of x, in place; the elements of an array are repeated. Follows
--- numpy.fill_diagonal.
---
--- ```lua
--- cn.zeros({2, 3}):fill_diagonal {5, 6} --> [[5. 0. 0.] [0. 6. 0.]]
--- ```
---@param x cuna.Array # 2-d, or with more axes of one length
---@param value cuna.Operand
---@param wrap boolean|nil # true: in a tall matrix the diagonal starts again one row below each end
---@return cuna.Array # x
---@overload fun(x: cuna.Array, value: cuna.Operand, options: {wrap?: boolean}): cuna.Array
function cn.fill_diagonal(x, value, wrap) end

--- Writes a value to the main diagonal of x, in place; the elements of an array are repeated. Follows
--- numpy.fill_diagonal.
---
--- ```lua
--- cn.zeros({2, 3}):fill_diagonal {5, 6} --> [[5. 0. 0.] [0. 6. 0.]]
--- ```
---@param value cuna.Operand
---@param wrap boolean|nil # true: in a tall matrix the diagonal starts again one row below each end
---@return cuna.Array # x
---@overload fun(self: cuna.Array, value: cuna.Operand, options: {wrap?: boolean}): cuna.Array
function Array:fill_diagonal(value, wrap) end

--- A view of x's memory, from x's first element on, with any shape and strides in bytes. It stays inside of what x
--- spans, and is read-only where its elements may share memory. Follows numpy.lib.stride_tricks.as_strided.
---
--- ```lua
--- cn.arange(4):as_strided({3, 2}, {8, 8}) --> [[0 1] [1 2] [2 3]]
--- ```
---@param x cuna.Operand
---@param shape cuna.Shape|nil # default x's
---@param strides integer|integer[]|nil # bytes, default x's
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {shape?: cuna.Shape, strides?: integer|integer[]}): cuna.Array
function cn.as_strided(x, shape, strides) end

--- A view of x's memory, from x's first element on, with any shape and strides in bytes. It stays inside of what x
--- spans, and is read-only where its elements may share memory. Follows numpy.lib.stride_tricks.as_strided.
---
--- ```lua
--- cn.arange(4):as_strided({3, 2}, {8, 8}) --> [[0 1] [1 2] [2 3]]
--- ```
---@param shape cuna.Shape|nil # default x's
---@param strides integer|integer[]|nil # bytes, default x's
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {shape?: cuna.Shape, strides?: integer|integer[]}): cuna.Array
function Array:as_strided(shape, strides) end

--- All windows of a shape that lie in x: axes of where they begin, then the axes of a window. A read-only view. Follows
--- numpy.lib.stride_tricks.sliding_window_view.
---
--- ```lua
--- cn.sliding_window_view(cn.arange(4), 2) --> [[0 1] [1 2] [2 3]]
--- cn.arange(5):sliding_window_view(3):sum(2) --> [3 6 9]
--- ```
---@param x cuna.Operand
---@param window_shape cuna.Shape
---@param axis integer|integer[]|nil # the axes that windows have lengths along, default all
---@return cuna.Array
---@overload fun(x: cuna.Operand, window_shape: cuna.Shape, options: {axis?: integer|integer[]}): cuna.Array
function cn.sliding_window_view(x, window_shape, axis) end

--- All windows of a shape that lie in x: axes of where they begin, then the axes of a window. A read-only view. Follows
--- numpy.lib.stride_tricks.sliding_window_view.
---
--- ```lua
--- cn.sliding_window_view(cn.arange(4), 2) --> [[0 1] [1 2] [2 3]]
--- cn.arange(5):sliding_window_view(3):sum(2) --> [3 6 9]
--- ```
---@param window_shape cuna.Shape
---@param axis integer|integer[]|nil # the axes that windows have lengths along, default all
---@return cuna.Array
---@overload fun(self: cuna.Array, window_shape: cuna.Shape, options: {axis?: integer|integer[]}): cuna.Array
function Array:sliding_window_view(window_shape, axis) end

---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Sorting, unique elements, sets.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- A sorted copy of x along an axis. NaN comes last, in descending order too. Complex numbers are ordered by their real
--- parts, then by their imaginary parts. Always stable. Follows numpy.sort.
---
--- ```lua
--- cn.sort({3, 1, 2}) --> [1. 2. 3.]
--- cn.sort({{3, 1}, {2, 4}}, 1, {descending = true}) --> [[3. 4.] [2. 1.]]
--- ```
---@param x cuna.Operand
---@param axis integer|nil # default -1
---@param kind string|nil # "quicksort", "mergesort", "heapsort" or "stable", which are all the same sort
---@param descending boolean|nil
---@param stable boolean|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {axis?: integer, kind?: string, descending?: boolean, stable?: boolean}): cuna.Array
function cn.sort(x, axis, kind, descending, stable) end

--- A sorted copy of x along an axis. NaN comes last, in descending order too. Complex numbers are ordered by their real
--- parts, then by their imaginary parts. Always stable. Follows numpy.sort.
---
--- ```lua
--- cn.sort({3, 1, 2}) --> [1. 2. 3.]
--- cn.sort({{3, 1}, {2, 4}}, 1, {descending = true}) --> [[3. 4.] [2. 1.]]
--- ```
---@param axis integer|nil # default -1
---@param kind string|nil # "quicksort", "mergesort", "heapsort" or "stable", which are all the same sort
---@param descending boolean|nil
---@param stable boolean|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {axis?: integer, kind?: string, descending?: boolean, stable?: boolean}): cuna.Array
function Array:sort(axis, kind, descending, stable) end

--- Sorts x in place, as cn.sort. Follows numpy.ndarray.sort.
---
--- ```lua
--- cn.array({3, 1, 2}):sort_() --> [1. 2. 3.]
--- ```
---@param axis integer|nil # default -1
---@param kind string|nil
---@param descending boolean|nil
---@param stable boolean|nil
---@return cuna.Array # x
---@overload fun(self: cuna.Array, options: {axis?: integer, kind?: string, descending?: boolean, stable?: boolean}): cuna.Array
function Array:sort_(axis, kind, descending, stable) end

--- The positions along an axis that sort x: cn.take_along_axis(x, p, axis) is sorted. Equal elements keep their order,
--- in descending order too. Follows numpy.argsort.
---
--- ```lua
--- cn.argsort({30, 10, 20}) --> [2 3 1]
--- cn.argsort({1, 2, 1}, {descending = true}) --> [2 1 3]
--- ```
---@param x cuna.Operand
---@param axis integer|nil # default -1
---@param kind string|nil # as for cn.sort
---@param descending boolean|nil
---@param stable boolean|nil
---@return cuna.Array # int64, from 1
---@overload fun(x: cuna.Operand, options: {axis?: integer, kind?: string, descending?: boolean, stable?: boolean}): cuna.Array
function cn.argsort(x, axis, kind, descending, stable) end

--- The positions along an axis that sort x: cn.take_along_axis(x, p, axis) is sorted. Equal elements keep their order,
--- in descending order too. Follows numpy.argsort.
---
--- ```lua
--- cn.argsort({30, 10, 20}) --> [2 3 1]
--- cn.argsort({1, 2, 1}, {descending = true}) --> [2 1 3]
--- ```
---@param axis integer|nil # default -1
---@param kind string|nil # as for cn.sort
---@param descending boolean|nil
---@param stable boolean|nil
---@return cuna.Array # int64, from 1
---@overload fun(self: cuna.Array, options: {axis?: integer, kind?: string, descending?: boolean, stable?: boolean}): cuna.Array
function Array:argsort(axis, kind, descending, stable) end

--- A sorted copy of x along its first axis. Follows numpy.msort.
---
--- ```lua
--- cn.msort({{3, 1}, {2, 4}}) --> [[2. 1.] [3. 4.]]
--- ```
---@param x cuna.Operand
---@return cuna.Array
function cn.msort(x) end

--- A sorted copy of x along its last axis, as complex numbers. Follows numpy.sort_complex.
---
--- ```lua
--- cn.sort_complex({2, cn.complex(1, 2), cn.complex(1, 1)}) --> [1.+1.j 1.+2.j 2.+0.j]
--- ```
---@param x cuna.Operand
---@return cuna.Array # complex64 for float32 and smaller dtypes, else complex128
function cn.sort_complex(x) end

--- The positions along an axis that sort by several keys: by the last one, equal ones by the key before it, and so on.
--- Follows numpy.lexsort.
---
--- ```lua
--- cn.lexsort {{1, 2, 1, 2}, {20, 10, 10, 10}} --> [3 2 4 1]
--- ```
---@param keys cuna.Operand[]|cuna.Array # keys of one shape, or an array whose slices along the first axis are the keys
---@param axis integer|nil # of the keys, default -1
---@return cuna.Array # int64, from 1
---@overload fun(keys: cuna.Operand[]|cuna.Array, options: {axis?: integer}): cuna.Array
function cn.lexsort(keys, axis) end

--- A copy of x whose elements at positions kth along an axis are those of the sorted array, with smaller or equal
--- elements before and greater or equal ones after them, in an order that is not specified. Follows numpy.partition.
---
--- ```lua
--- cn.partition({3, 1, 2}, 2) --> [1. 2. 3.]
--- ```
---@param x cuna.Operand
---@param kth integer|integer[] # positions, from 1, or from the end below 0
---@param axis integer|nil # default -1
---@param kind string|nil # "introselect"
---@return cuna.Array
---@overload fun(x: cuna.Operand, kth: integer|integer[], options: {axis?: integer, kind?: string}): cuna.Array
function cn.partition(x, kth, axis, kind) end

--- A copy of x whose elements at positions kth along an axis are those of the sorted array, with smaller or equal
--- elements before and greater or equal ones after them, in an order that is not specified. Follows numpy.partition.
---
--- ```lua
--- cn.partition({3, 1, 2}, 2) --> [1. 2. 3.]
--- ```
---@param kth integer|integer[] # positions, from 1, or from the end below 0
---@param axis integer|nil # default -1
---@param kind string|nil # "introselect"
---@return cuna.Array
---@overload fun(self: cuna.Array, kth: integer|integer[], options: {axis?: integer, kind?: string}): cuna.Array
function Array:partition(kth, axis, kind) end

--- The positions along an axis that partition x: see cn.partition. Follows numpy.argpartition.
---
--- ```lua
--- cn.argpartition({3, 1, 2}, 2) --> [2 3 1]
--- ```
---@param x cuna.Operand
---@param kth integer|integer[] # positions, from 1, or from the end below 0
---@param axis integer|nil # default -1
---@param kind string|nil # "introselect"
---@return cuna.Array # int64, from 1
---@overload fun(x: cuna.Operand, kth: integer|integer[], options: {axis?: integer, kind?: string}): cuna.Array
function cn.argpartition(x, kth, axis, kind) end

--- The positions along an axis that partition x: see cn.partition. Follows numpy.argpartition.
---
--- ```lua
--- cn.argpartition({3, 1, 2}, 2) --> [2 3 1]
--- ```
---@param kth integer|integer[] # positions, from 1, or from the end below 0
---@param axis integer|nil # default -1
---@param kind string|nil # "introselect"
---@return cuna.Array # int64, from 1
---@overload fun(self: cuna.Array, kth: integer|integer[], options: {axis?: integer, kind?: string}): cuna.Array
function Array:argpartition(kth, axis, kind) end

--- The k greatest elements of x along an axis, the greatest first, and their positions. NaN counts as the least, and
--- equal elements keep their order: of equals at the end of the k, the first ones count. Complex numbers are ordered as
--- by cn.sort. Follows torch.topk, in which NaN counts as the greatest and equal elements have no order.
---
--- ```lua
--- cn.topk({3, 9, 7, 8}, 2) --> [9. 8.], [2 4]
--- cn.topk({{3, 1, 2}, {6, 4, 5}}, 1, {largest = false}) --> [[1.] [4.]], [[2] [2]]
--- ```
---@param x cuna.Operand
---@param k integer # number of elements, at most the axis' length
---@param axis integer|nil # default -1
---@param largest boolean|nil # false: returns the least elements, the least first; NaN counts as the greatest
---@param sorted boolean|nil # false: the k elements may have any order, which takes less time
---@return cuna.Array
---@return cuna.Array # positions int64, from 1
---@overload fun(x: cuna.Operand, k: integer, options: {axis?: integer, largest?: boolean, sorted?: boolean}): cuna.Array, cuna.Array
function cn.topk(x, k, axis, largest, sorted) end

--- The k greatest elements of x along an axis, the greatest first, and their positions. NaN counts as the least, and
--- equal elements keep their order: of equals at the end of the k, the first ones count. Complex numbers are ordered as
--- by cn.sort. Follows torch.topk, in which NaN counts as the greatest and equal elements have no order.
---
--- ```lua
--- cn.topk({3, 9, 7, 8}, 2) --> [9. 8.], [2 4]
--- cn.topk({{3, 1, 2}, {6, 4, 5}}, 1, {largest = false}) --> [[1.] [4.]], [[2] [2]]
--- ```
---@param k integer # number of elements, at most the axis' length
---@param axis integer|nil # default -1
---@param largest boolean|nil # false: returns the least elements, the least first; NaN counts as the greatest
---@param sorted boolean|nil # false: the k elements may have any order, which takes less time
---@return cuna.Array
---@return cuna.Array # positions int64, from 1
---@overload fun(self: cuna.Array, k: integer, options: {axis?: integer, largest?: boolean, sorted?: boolean}): cuna.Array, cuna.Array
function Array:topk(k, axis, largest, sorted) end

--- The unique elements of x, sorted; or its unique slices along an axis. Options also return the first position of each
--- value in x (in row-major order), the number of each element's value, and how often each value occurs. Waits for the
--- number of values. Follows numpy.unique; the inverse has x's shape, as in NumPy 2.
---
--- ```lua
--- cn.unique({3, 1, 3, 2}) --> [1. 2. 3.]
--- cn.unique({3, 1, 3}, {return_index = true, return_counts = true}) --> [1. 3.], [2 1], [1 2]
--- cn.unique({{1, 2}, {0, 1}, {1, 2}}, {axis = 1}) --> [[0. 1.] [1. 2.]]
--- ```
---@param x cuna.Operand
---@param return_index boolean|nil
---@param return_inverse boolean|nil
---@param return_counts boolean|nil
---@param axis integer|nil # without it, x is taken as a vector
---@param equal_nan boolean|nil # whether all NaN count as one value, default true
---@return cuna.Array
---@return cuna.Array|nil ... # int64, if requested: positions, numbers of values, counts
---@overload fun(x: cuna.Operand, options: {return_index?: boolean, return_inverse?: boolean, return_counts?: boolean, axis?: integer, equal_nan?: boolean}): cuna.Array, cuna.Array|nil, ...
function cn.unique(x, return_index, return_inverse, return_counts, axis, equal_nan) end

--- The unique elements of x, sorted; or its unique slices along an axis. Options also return the first position of each
--- value in x (in row-major order), the number of each element's value, and how often each value occurs. Waits for the
--- number of values. Follows numpy.unique; the inverse has x's shape, as in NumPy 2.
---
--- ```lua
--- cn.unique({3, 1, 3, 2}) --> [1. 2. 3.]
--- cn.unique({3, 1, 3}, {return_index = true, return_counts = true}) --> [1. 3.], [2 1], [1 2]
--- cn.unique({{1, 2}, {0, 1}, {1, 2}}, {axis = 1}) --> [[0. 1.] [1. 2.]]
--- ```
---@param return_index boolean|nil
---@param return_inverse boolean|nil
---@param return_counts boolean|nil
---@param axis integer|nil # without it, x is taken as a vector
---@param equal_nan boolean|nil # whether all NaN count as one value, default true
---@return cuna.Array
---@return cuna.Array|nil ... # int64, if requested: positions, numbers of values, counts
---@overload fun(self: cuna.Array, options: {return_index?: boolean, return_inverse?: boolean, return_counts?: boolean, axis?: integer, equal_nan?: boolean}): cuna.Array, cuna.Array|nil, ...
function Array:unique(return_index, return_inverse, return_counts, axis, equal_nan) end

--- The unique elements of x, sorted; every NaN counts for itself. Follows numpy.unique_values.
---
--- ```lua
--- cn.unique_values({3, 1, 3}) --> [1. 3.]
--- ```
---@param x cuna.Operand
---@return cuna.Array # 1-d
function cn.unique_values(x) end

--- The unique elements of x, and how often each occurs. Follows numpy.unique_counts.
---
--- ```lua
--- cn.unique_counts({3, 1, 3}) --> [1. 3.], [1 2]
--- ```
---@param x cuna.Operand
---@return cuna.Array # values
---@return cuna.Array # counts int64
function cn.unique_counts(x) end

--- The unique elements of x, and the number of each element's value. Follows numpy.unique_inverse.
---
--- ```lua
--- cn.unique_inverse({3, 1, 3}) --> [1. 3.], [2 1 2]
--- ```
---@param x cuna.Operand
---@return cuna.Array # values
---@return cuna.Array # inverse int64, of x's shape: positions in values
function cn.unique_inverse(x) end

--- All that unique returns: values, first positions, numbers of values, counts. Follows numpy.unique_all.
---
--- ```lua
--- cn.unique_all({3, 1, 3}) --> [1. 3.], [2 1], [2 1 2], [1 2]
--- ```
---@param x cuna.Operand
---@return cuna.Array # values
---@return cuna.Array # indices int64: first positions in x, in row-major order
---@return cuna.Array # inverse int64, of x's shape
---@return cuna.Array # counts int64
function cn.unique_all(x) end

--- Whether each element is among some others; NaN never is. Follows numpy.isin.
---
--- ```lua
--- cn.isin({{1, 2}, {3, 4}}, {4, 1, 9}) --> [[ True False] [False True]]
--- cn.isin({1, 2, 3}, 2, {invert = true}) --> [ True False True]
--- ```
---@param element cuna.Operand
---@param test_elements cuna.Operand # of any shape
---@param assume_unique boolean|nil # changes nothing here
---@param invert boolean|nil # true: whether it is not among them
---@param kind string|nil # "sort" or "table", which are one here
---@return cuna.Array # bool, of element's shape
---@overload fun(element: cuna.Operand, test_elements: cuna.Operand, options: {assume_unique?: boolean, invert?: boolean, kind?: string}): cuna.Array
function cn.isin(element, test_elements, assume_unique, invert, kind) end

--- Whether each element is among some others; NaN never is. Follows numpy.isin.
---
--- ```lua
--- cn.isin({{1, 2}, {3, 4}}, {4, 1, 9}) --> [[ True False] [False True]]
--- cn.isin({1, 2, 3}, 2, {invert = true}) --> [ True False True]
--- ```
---@param test_elements cuna.Operand # of any shape
---@param assume_unique boolean|nil # changes nothing here
---@param invert boolean|nil # true: whether it is not among them
---@param kind string|nil # "sort" or "table", which are one here
---@return cuna.Array # bool, of element's shape
---@overload fun(self: cuna.Array, test_elements: cuna.Operand, options: {assume_unique?: boolean, invert?: boolean, kind?: string}): cuna.Array
function Array:isin(test_elements, assume_unique, invert, kind) end

--- cn.isin of all elements along one axis. Follows numpy.in1d.
---
--- ```lua
--- cn.in1d({{1, 2}, {3, 4}}, {4, 1}) --> [ True False False True]
--- ```
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@param assume_unique boolean|nil # changes nothing here
---@param invert boolean|nil
---@param kind string|nil # "sort" or "table", which are one here
---@return cuna.Array # bool, 1-d
---@overload fun(ar1: cuna.Operand, ar2: cuna.Operand, options: {assume_unique?: boolean, invert?: boolean, kind?: string}): cuna.Array
function cn.in1d(ar1, ar2, assume_unique, invert, kind) end

--- What two arrays have in common, sorted, each element once; NaN is in none. With return_indices also where each comes
--- first in ar1 and in ar2, in row-major order. Waits for how many there are. Follows numpy.intersect1d.
---
--- ```lua
--- cn.intersect1d({3, 1, 3, 2}, {5, 3, 2}) --> [2. 3.]
--- cn.intersect1d({3, 1, 3, 2}, {5, 3, 2}, {return_indices = true}) --> [2. 3.], [4 1], [3 2]
--- ```
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@param assume_unique boolean|nil # true: each array has each element once, which saves looking
---@param return_indices boolean|nil
---@return cuna.Array # 1-d, of the dtype that both meet in
---@return cuna.Array|nil # positions in ar1 int64, from 1
---@return cuna.Array|nil # positions in ar2
---@overload fun(ar1: cuna.Operand, ar2: cuna.Operand, options: {assume_unique?: boolean, return_indices?: boolean}): cuna.Array, cuna.Array|nil, cuna.Array|nil
function cn.intersect1d(ar1, ar2, assume_unique, return_indices) end

--- What ar1 has and ar2 has not, sorted, each element once. NaN in ar1 stays, once. Waits for how many there are.
--- Follows numpy.setdiff1d.
---
--- ```lua
--- cn.setdiff1d({3, 1, 3, 2, 4}, {2, 9}) --> [1. 3. 4.]
--- ```
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@param assume_unique boolean|nil # true: elements of ar1 stay in their order, and as often as they come
---@return cuna.Array # 1-d, of ar1's dtype
---@overload fun(ar1: cuna.Operand, ar2: cuna.Operand, options: {assume_unique?: boolean}): cuna.Array
function cn.setdiff1d(ar1, ar2, assume_unique) end

--- What one of two arrays has and the other has not, sorted, each element once; NaN once of each array. Waits for how
--- many there are. Follows numpy.setxor1d.
---
--- ```lua
--- cn.setxor1d({3, 1, 3, 2}, {5, 3}) --> [1. 2. 5.]
--- ```
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@param assume_unique boolean|nil # true: each array has each element once, which saves looking
---@return cuna.Array # 1-d, of the dtype that both meet in
---@overload fun(ar1: cuna.Operand, ar2: cuna.Operand, options: {assume_unique?: boolean}): cuna.Array
function cn.setxor1d(ar1, ar2, assume_unique) end

--- What two arrays have together, sorted, each element once. Waits for how many there are. Follows numpy.union1d.
---
--- ```lua
--- cn.union1d({3, 1, 3}, {5, 3}) --> [1. 3. 5.]
--- ```
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@return cuna.Array # 1-d, of the dtype that both meet in
function cn.union1d(ar1, ar2) end

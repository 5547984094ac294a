---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Making arrays.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- a Lua number, boolean, int64_t, uint64_t or complex
---@alias cuna.Number number|boolean|ffi.cdata*

--- a length, or a list of them; {} is the shape of a 0-d array
---@alias cuna.Shape integer|integer[]

--- A new array of a number, a nested table (whose leaves may be arrays) or another array. Without a dtype numbers make
--- the default float, booleans bool, int64_t and uint64_t int64 or uint64; beside arrays numbers are weak. A plain
--- table of arrays on one device is stacked there; from other tables arrays are fetched, which waits. Raises for ragged
--- tables, holes and integers that do not fit. Follows numpy.array.
---
--- ```lua
--- cn.array({{1, 2}, {3, 4}}, "int32") --> [[1 2] [3 4]]
--- ```
---@param value cuna.Number|table|cuna.Array
---@param dtype cuna.Dtype|nil
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.Array # always a copy
---@overload fun(value: cuna.Number|table|cuna.Array, options: {dtype?: cuna.Dtype, device?: cuna.Device|string}): cuna.Array
function cn.array(value, dtype, device) end

--- The value as an array on the current device: itself when it is one there with the dtype. With a stream of the
--- device, or with blocking = false, the script does not wait until a pinned array was copied. Follows cupy.asarray.
---
--- ```lua
--- cn.asarray {1, 2} --> [1. 2.]
--- cn.asarray(cn.zeros_pinned(2), {blocking = false}) --> [0. 0.]
--- ```
---@param value cuna.Number|table|cuna.Array
---@param dtype cuna.Dtype|nil
---@param stream cuna.Stream|nil # default: the current one
---@param blocking boolean|nil # default: whether no stream is given
---@return cuna.Array
---@overload fun(value: cuna.Number|table|cuna.Array, options: {dtype?: cuna.Dtype, stream?: cuna.Stream, blocking?: boolean}): cuna.Array
function cn.asarray(value, dtype, stream, blocking) end

--- A 0-d array of one number. Its dtype is strong: it takes part in promotion, as that of a plain Lua number does not.
---
--- ```lua
--- (cn.zeros(2, "int8") + cn.scalar(1, "int32")).dtype --> int32
--- ```
---@param value cuna.Number
---@param dtype cuna.Dtype|nil # default: as cn.array's
---@return cuna.Array # shape ()
---@overload fun(value: cuna.Number, options: {dtype?: cuna.Dtype}): cuna.Array
function cn.scalar(value, dtype) end

--- A new array of unspecified values. Follows numpy.empty.
---
--- ```lua
--- cn.empty({2, 3}, "int8").shape --> (2, 3)
--- ```
---@param shape cuna.Shape
---@param dtype cuna.Dtype|nil # default: the default float
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.Array
---@overload fun(shape: cuna.Shape, options: {dtype?: cuna.Dtype, device?: cuna.Device|string}): cuna.Array
function cn.empty(shape, dtype, device) end

--- A new array of zeros. Follows numpy.zeros.
---
--- ```lua
--- cn.zeros(3) --> [0. 0. 0.]
--- ```
---@param shape cuna.Shape
---@param dtype cuna.Dtype|nil # default: the default float
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.Array
---@overload fun(shape: cuna.Shape, options: {dtype?: cuna.Dtype, device?: cuna.Device|string}): cuna.Array
function cn.zeros(shape, dtype, device) end

--- A new array of ones. Follows numpy.ones.
---
--- ```lua
--- cn.ones({2, 2}, "int8") --> [[1 1] [1 1]]
--- ```
---@param shape cuna.Shape
---@param dtype cuna.Dtype|nil # default: the default float
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.Array
---@overload fun(shape: cuna.Shape, options: {dtype?: cuna.Dtype, device?: cuna.Device|string}): cuna.Array
function cn.ones(shape, dtype, device) end

--- A new array with every element `value`; an array is broadcast. Follows numpy.full.
---
--- ```lua
--- cn.full(3, 7, "int8") --> [7 7 7]
--- ```
---@param shape cuna.Shape
---@param value cuna.Number|cuna.Array
---@param dtype cuna.Dtype|nil # default: the array's, or as cn.array's of the number
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.Array
---@overload fun(shape: cuna.Shape, options: {value?: cuna.Number|cuna.Array, dtype?: cuna.Dtype, device?: cuna.Device|string}): cuna.Array
function cn.full(shape, value, dtype, device) end

--- An array of unspecified values like x. Follows numpy.empty_like.
---
--- ```lua
--- cn.empty_like(cn.zeros({2, 3})).shape --> (2, 3)
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array # on x's device
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function cn.empty_like(x, dtype, shape) end

--- An array of unspecified values like x. Follows numpy.empty_like.
---
--- ```lua
--- cn.empty_like(cn.zeros({2, 3})).shape --> (2, 3)
--- ```
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array # on x's device
---@overload fun(self: cuna.Array, options: {dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function Array:empty_like(dtype, shape) end

--- An array of zeros like x. Follows numpy.zeros_like.
---
--- ```lua
--- cn.zeros_like(cn.arange(3)) --> [0 0 0]
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array # on x's device
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function cn.zeros_like(x, dtype, shape) end

--- An array of zeros like x. Follows numpy.zeros_like.
---
--- ```lua
--- cn.zeros_like(cn.arange(3)) --> [0 0 0]
--- ```
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array # on x's device
---@overload fun(self: cuna.Array, options: {dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function Array:zeros_like(dtype, shape) end

--- An array of ones like x. Follows numpy.ones_like.
---
--- ```lua
--- cn.ones_like(cn.arange(3), "float32") --> [1. 1. 1.]
--- ```
---@param x cuna.Operand
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array # on x's device
---@overload fun(x: cuna.Operand, options: {dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function cn.ones_like(x, dtype, shape) end

--- An array of ones like x. Follows numpy.ones_like.
---
--- ```lua
--- cn.ones_like(cn.arange(3), "float32") --> [1. 1. 1.]
--- ```
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array # on x's device
---@overload fun(self: cuna.Array, options: {dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function Array:ones_like(dtype, shape) end

--- An array like x with every element `value`; an array is broadcast. Follows numpy.full_like.
---
--- ```lua
--- cn.full_like(cn.arange(3), 7) --> [7 7 7]
--- ```
---@param x cuna.Operand
---@param value cuna.Number|cuna.Array
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array # on x's device
---@overload fun(x: cuna.Operand, options: {value?: cuna.Number|cuna.Array, dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function cn.full_like(x, value, dtype, shape) end

--- An array like x with every element `value`; an array is broadcast. Follows numpy.full_like.
---
--- ```lua
--- cn.full_like(cn.arange(3), 7) --> [7 7 7]
--- ```
---@param value cuna.Number|cuna.Array
---@param dtype cuna.Dtype|nil # default: x's
---@param shape cuna.Shape|nil # default: x's
---@return cuna.Array # on x's device
---@overload fun(self: cuna.Array, options: {value?: cuna.Number|cuna.Array, dtype?: cuna.Dtype, shape?: cuna.Shape}): cuna.Array
function Array:full_like(value, dtype, shape) end

--- Numbers from start (default 0) up to but without stop, `step` (default 1) apart. Element k is start + k * step.
--- Follows numpy.arange.
---
--- ```lua
--- cn.arange(5) --> [0 1 2 3 4]
--- cn.arange(1, 2, 0.25) --> [1. 1.25 1.5 1.75]
--- ```
---@param start number|nil
---@param stop number
---@param step number|nil # not 0
---@param dtype cuna.Dtype|nil # default: int64 when start, stop and step are whole, else the default float
---@param device cuna.Device|string|nil # default: the current one
---@return cuna.Array # 1-d
---@overload fun(options: {start?: number, stop?: number, step?: number, dtype?: cuna.Dtype, device?: cuna.Device|string}): cuna.Array
---@overload fun(stop: number, dtype?: cuna.Dtype): cuna.Array
---@overload fun(start: number, stop: number, dtype?: cuna.Dtype): cuna.Array
function cn.arange(start, stop, step, dtype, device) end

--- Positions first, first + step, ... up to last, both ends included, for indexing: what Lua's `for` counts.
---
--- ```lua
--- cn.range(2, 5) --> [2 3 4 5]
--- cn.range(5, 1, -2) --> [5 3 1]
--- ```
---@param first integer
---@param last integer
---@param step integer|nil # default 1
---@return cuna.Array # 1-d, int64
---@overload fun(options: {first?: integer, last?: integer, step?: integer}): cuna.Array
function cn.range(first, last, step) end

--- `num` numbers from start to stop, evenly spaced; integer dtypes round down. Follows numpy.linspace.
---
--- ```lua
--- cn.linspace(0, 1, 5) --> [0. 0.25 0.5 0.75 1. ]
--- cn.linspace(0, 1, 2, {endpoint = false, retstep = true}) --> [0. 0.5], 0.5
--- ```
---@param start number
---@param stop number
---@param num integer|nil # default 50
---@param endpoint boolean|nil # false leaves stop out
---@param retstep boolean|nil # true: also returns the step too
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array # 1-d
---@return number|nil # step NaN where there is one number or none
---@overload fun(options: {start?: number, stop?: number, num?: integer, endpoint?: boolean, retstep?: boolean, dtype?: cuna.Dtype}): cuna.Array, number|nil
function cn.linspace(start, stop, num, endpoint, retstep, dtype) end

--- `base` (default 10) to the powers of linspace(start, stop, num, endpoint). Follows numpy.logspace.
---
--- ```lua
--- cn.logspace(0, 2, 3) --> [ 1. 10. 100.]
--- ```
---@param start number # exponent of the first number
---@param stop number # exponent of the last number
---@param num integer|nil # default 50
---@param endpoint boolean|nil # false leaves stop out
---@param base number|nil
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array # 1-d
---@overload fun(options: {start?: number, stop?: number, num?: integer, endpoint?: boolean, base?: number, dtype?: cuna.Dtype}): cuna.Array
function cn.logspace(start, stop, num, endpoint, base, dtype) end

--- `num` numbers from start to stop, each the same multiple of the one before. Follows numpy.geomspace.
---
--- ```lua
--- cn.geomspace(1, 1000, 4) --> [   1.   10.  100. 1000.]
--- ```
---@param start number # not 0
---@param stop number # of start's sign
---@param num integer|nil # default 50
---@param endpoint boolean|nil # false leaves stop out
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array # 1-d
---@overload fun(options: {start?: number, stop?: number, num?: integer, endpoint?: boolean, dtype?: cuna.Dtype}): cuna.Array
function cn.geomspace(start, stop, num, endpoint, dtype) end

--- Ones on the k-th diagonal (0 the main one, positive above it), zeros elsewhere. Follows numpy.eye.
---
--- ```lua
--- cn.eye(2, 3, 1) --> [[0. 1. 0.] [0. 0. 1.]]
--- ```
---@param n integer # rows
---@param m integer|nil # columns, default n
---@param k integer|nil # default 0
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array # shape (n, m)
---@overload fun(options: {n?: integer, m?: integer, k?: integer, dtype?: cuna.Dtype}): cuna.Array
function cn.eye(n, m, k, dtype) end

--- The identity matrix. Follows numpy.identity.
---
--- ```lua
--- cn.identity(2) --> [[1. 0.] [0. 1.]]
--- ```
---@param n integer
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array # shape (n, n)
---@overload fun(options: {n?: integer, dtype?: cuna.Dtype}): cuna.Array
function cn.identity(n, dtype) end

--- Ones at and below the k-th diagonal, zeros above. Follows numpy.tri.
---
--- ```lua
--- cn.tri(3) --> [[1. 0. 0.] [1. 1. 0.] [1. 1. 1.]]
--- ```
---@param n integer # rows
---@param m integer|nil # columns, default n
---@param k integer|nil # default 0
---@param dtype cuna.Dtype|nil # default: the default float
---@return cuna.Array # shape (n, m)
---@overload fun(options: {n?: integer, m?: integer, k?: integer, dtype?: cuna.Dtype}): cuna.Array
function cn.tri(n, m, k, dtype) end

--- x with zeros above its k-th diagonal. Follows numpy.tril.
---
--- ```lua
--- cn.tril({{1, 2}, {3, 4}}) --> [[1. 0.] [3. 4.]]
--- ```
---@param x cuna.Operand # shape (..., n, m)
---@param k integer|nil # default 0
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, options: {k?: integer}): cuna.Array
function cn.tril(x, k) end

--- x with zeros above its k-th diagonal. Follows numpy.tril.
---
--- ```lua
--- cn.tril({{1, 2}, {3, 4}}) --> [[1. 0.] [3. 4.]]
--- ```
---@param k integer|nil # default 0
---@return cuna.Array # a copy
---@overload fun(self: cuna.Array, options: {k?: integer}): cuna.Array
function Array:tril(k) end

--- x with zeros below its k-th diagonal. Follows numpy.triu.
---
--- ```lua
--- cn.triu({{1, 2}, {3, 4}}) --> [[1. 2.] [0. 4.]]
--- ```
---@param x cuna.Operand # shape (..., n, m)
---@param k integer|nil # default 0
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, options: {k?: integer}): cuna.Array
function cn.triu(x, k) end

--- x with zeros below its k-th diagonal. Follows numpy.triu.
---
--- ```lua
--- cn.triu({{1, 2}, {3, 4}}) --> [[1. 2.] [0. 4.]]
--- ```
---@param k integer|nil # default 0
---@return cuna.Array # a copy
---@overload fun(self: cuna.Array, options: {k?: integer}): cuna.Array
function Array:triu(k) end

--- The k-th diagonal of a matrix, or the square matrix with a vector on its k-th diagonal. Follows numpy.diag.
---
--- ```lua
--- cn.diag({{1, 2}, {3, 4}}) --> [1. 4.]
--- cn.diag({1, 2}) --> [[1. 0.] [0. 2.]]
--- ```
---@param x cuna.Operand # shape (n, m) or (n,)
---@param k integer|nil # default 0
---@return cuna.Array # a copy
---@overload fun(x: cuna.Operand, options: {k?: integer}): cuna.Array
function cn.diag(x, k) end

--- The k-th diagonal of a matrix, or the square matrix with a vector on its k-th diagonal. Follows numpy.diag.
---
--- ```lua
--- cn.diag({{1, 2}, {3, 4}}) --> [1. 4.]
--- cn.diag({1, 2}) --> [[1. 0.] [0. 2.]]
--- ```
---@param k integer|nil # default 0
---@return cuna.Array # a copy
---@overload fun(self: cuna.Array, options: {k?: integer}): cuna.Array
function Array:diag(k) end

--- The square matrix with all elements of x, in row-major order, on its k-th diagonal. Follows numpy.diagflat.
---
--- ```lua
--- cn.diagflat({{1, 2}}) --> [[1. 0.] [0. 2.]]
--- ```
---@param x cuna.Operand
---@param k integer|nil # default 0
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {k?: integer}): cuna.Array
function cn.diagflat(x, k) end

--- Coordinate arrays of a grid: one result per given vector, with its elements along its own axis. Follows
--- numpy.meshgrid.
---
--- ```lua
--- cn.meshgrid({1, 2}, {3, 4}) --> [[1. 2.] [1. 2.]], [[3. 3.] [4. 4.]]
--- ```
---@param ... cuna.Operand # vectors; then options: indexing = "xy" (default: the first two axes change places) or "ij", sparse = true for results of length 1 along the other axes
---@return cuna.Array ... # copies
function cn.meshgrid(...) end

--- Coordinates of a grid: for each range an array of the grid's shape. Ranges hold values: "0:3" is
--- 0, 1, 2, and "0:1:5j" are 5 numbers from 0 to 1. Follows numpy.mgrid, which joins the arrays in one.
---
--- ```lua
--- cn.mgrid("0:2", "0:3") --> [[0 0 0] [1 1 1]], [[0 1 2] [0 1 2]]
--- cn.mgrid {0, 1, 5i} --> [0. 0.25 0.5 0.75 1. ]
--- ```
---@param ... string|number[]|number # "first:last:step", {first, last, step}, or the last alone; {0, 1, 5i} as "0:1:5j"
---@return cuna.Array ... # as many as there are ranges
function cn.mgrid(...) end

--- As mgrid, with lines that broadcast to the grid in place of the whole. Follows numpy.ogrid.
---
--- ```lua
--- cn.ogrid("0:2", "0:3") --> [[0] [1]], [[0 1 2]]
--- ```
---@param ... string|number[]|number
---@return cuna.Array ... # as many as there are ranges
function cn.ogrid(...) end

--- Ranges, numbers and arrays joined along the first axis. Follows numpy.r_.
---
--- ```lua
--- cn.r_("0:3", 7, {8, 9}) --> [0. 1. 2. 7. 8. 9.]
--- cn.flatnonzero(cn.r_(true, cn.diff({5, 5, 6}):ne(0))) --> [1 3]
--- ```
---@param ... string|boolean|cuna.Operand # "first:last:step"; other values are data
---@return cuna.Array
function cn.r_(...) end

--- Vectors as the columns of a matrix, and matrices, joined along the last axis. Follows numpy.c_.
---
--- ```lua
--- cn.c_({1, 2}, "5:7") --> [[1. 5.] [2. 6.]]
--- ```
---@param ... string|boolean|cuna.Operand # as r_'s
---@return cuna.Array
function cn.c_(...) end

--- A key of arrays that is kept in a variable: the table of the entries, as x[{...}] takes it. Follows numpy.s_ and
--- numpy.index_exp.
---
--- ```lua
--- cn.array({{1, 2, 3}, {4, 5, 6}})[cn.s_(2, {1, 2})] --> [4. 5.]
--- ```
---@param ... any # entries: numbers, ranges {first, last, step}, arrays, cn.newaxis, cn.ellipsis
---@return table
function cn.s_(...) end

--- A loop over all positions of a shape in row-major order, one number for each axis, from 1. Follows numpy.ndindex.
---
--- ```lua
--- (function(sum) for i, j in cn.ndindex(2, 3) do sum = sum + i * j end return sum end)(0) --> 18
--- ```
---@param ... integer|integer[] # lengths, or a shape
---@return function
function cn.ndindex(...) end

--- A loop over the elements of an array and their positions: the element first, then a position for each axis, from 1.
--- Elements are fetched at once, which waits for the device. Follows numpy.ndenumerate.
---
--- ```lua
--- (function(sum) for v, i in cn.ndenumerate {5, 7} do sum = sum + v * i end return sum end)(0) --> 19
--- ```
---@param x cuna.Operand # at least 1-d
---@return function
function cn.ndenumerate(x) end

--- A vector of what an iterator gives, until it gives nil. Follows numpy.fromiter.
---
--- ```lua
--- cn.fromiter(("3 1 4"):gmatch "%d") --> [3. 1. 4.]
--- ```
---@param loop function # an iterator that needs no state, such as string.gmatch's; its first results are numbers
---@param dtype cuna.Dtype|nil # default: the default float
---@param count integer|nil # how many numbers are taken; fewer are an error; -1, the default: all
---@return cuna.Array # 1-d
---@overload fun(loop: function, options: {dtype?: cuna.Dtype, count?: integer}): cuna.Array
function cn.fromiter(loop, dtype, count) end

--- A 1-d array of the bytes of a Lua string, an FFI array or struct, or a pointer. It is a copy, unless copy = false
--- shares the memory of an FFI object on the cpu device: the array and its views then keep that object alive, and are
--- read-only where it is const. What a pointer points to must stay alive by itself. Follows numpy.frombuffer.
---
--- ```lua
--- cn.frombuffer("\1\2\3\4", "uint8") --> [1 2 3 4]
--- cn.frombuffer(require "ffi".new("float[2]", 1, 2)) --> [1. 2.]
--- ```
---@param source string|ffi.cdata*
---@param dtype cuna.Dtype|nil # default: the FFI array's own, else the default float
---@param count integer|nil # elements; nil or -1: all
---@param offset integer|nil # bytes to skip
---@param copy boolean|nil
---@return cuna.Array # 1-d
---@overload fun(source: string|ffi.cdata*, options: {dtype?: cuna.Dtype, count?: integer, offset?: integer, copy?: boolean}): cuna.Array
function cn.frombuffer(source, dtype, count, offset, copy) end

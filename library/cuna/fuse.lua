---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Fused functions.

---@class cuna
local cn = {}

--- A fused function.
---@class cuna.Fused
---@field name string the name in error messages
---@field source fun(...: any): string the text of the kernels that a call with these arguments launches
---@field cache_info fun(): table {traces = number of traces kept, traced = how often the closure was traced}
---@overload fun(...: any): ...
local Fused = {}

--- Compiles a function of arrays to as few kernels as possible, usually one. Follows cupy.fuse.
---
--- The first call traces fn: it runs with symbols in place of arrays, and its operations become a program, which this
--- and later calls launch. Every operation of cuna's table fuses, as function, method, operator and in place, with
--- numbers, cn.where, astype, copy, copyto, clip, round, zeros_like, ones_like, full_like, fill and x[":"] = y, and
--- reductions with axis and keepdims. A value in another shape (reshape, T, expand_dims) is first stored. Results have
--- the dtypes, and steps the roundings, of the unfused expression.
--- Arrays are written (x:add_(y), out = x) after all reads; if that would show, because two arrays of a call share
--- memory, the operations of this call run one by one. any and all need axis, out or keepdims here, and return
--- arrays.
---
--- fn is traced again when something that it read has changed: dtypes, the number of arguments, which of them are the
--- same array, shapes and sizes that the closure read, globals, upvalues (also of Lua functions that it captures). A
--- number may change without a new trace, unless the closure tests it: `if k > 2`, `for i = 1, k`. Captured arrays are
--- read at every call, and so are captured tables of constants and arrays, up to 32 entries. A closure is traced at
--- every call if it captures another table, an iterator or a function written in C, catches errors, calls math.random
--- or writes to a table; its kernels are still compiled once. Other effects, such as print, occur only when fn is
--- traced. Numbers that a generator of cn.random draws are part of the expression, with new numbers in every call.
---
--- Lua cannot branch on elements: x < y, x == 0 and x == y raise an error that points to cn.where. `if x`, `not x` and
--- `x and y` cannot be detected: every array is a true value. Sorting, indexing and joining raise an error, and so does
--- everything that needs values: item, tostring, print. With numbers only, the closure runs normally.
---
--- A call may end with a table of options: out is an array for the first result, or a table of arrays for several, and
--- is returned in place of the result. A function that takes `...` gets the table itself.
---
--- The object has the fields `name`, `source` and `cache_info`: source(...) returns the text of the kernels that a call
--- with these arguments launches, cache_info() returns how many traces are kept and how often fn was traced.
---
--- ```lua
--- cn.fuse(function(x, y) return (x - y) * (x - y) end)(cn.array {1, 2}, cn.array {3, 5}) --> [4. 9.]
--- cn.fuse(function(x) return x / cn.sum(x, 2, {keepdims = true}) end)(cn.array {{1, 3}}) --> [[0.25 0.75]]
--- cn.fuse(function(x) return cn.where(x:gt(0), x, 0), x:max() end)(cn.array {-1, 2}) --> [0. 2.], 2.0
--- cn.fuse(function(x) return x + 1 end, {name = "next"}) --> <fuse next>
--- cn.fuse(function(x) return x + 1 end)(cn.array {1, 2}, {out = cn.zeros(2, "float32")}).dtype --> float32
--- cn.fuse(function(x) return x + 1 end).source(cn.ones(3)):match "struct %w+" --> struct Program
--- ```
---@param fn function # of arrays, numbers, booleans, nil and tables of options; returns arrays and numbers
---@param name string|nil # for messages, default "fused"; as an option: {name = "loss"}
---@return cuna.Fused
---@overload fun(fn: function, options: {name?: string}): cuna.Fused
function cn.fuse(fn, name) end

--- A function of numbers, applied to every element of arrays, which broadcast. It is fused: its operators and the
--- functions of `math` and cn that it calls become one kernel. Choose between values with cn.where, since a Lua
--- condition cannot differ from element to element. Follows numpy.vectorize.
---
--- ```lua
--- cn.vectorize(function(a, b) return math.max(a, b) ^ 2 end)({1, 5, 3}, 4) --> [16. 25. 16.]
--- cn.vectorize(function(a) return 2 * a + 1 end)(3) --> 7
--- ```
---@param fn function # of numbers, which returns one or several
---@param name string|nil # for messages, default "vectorized"; as an option: {name = "loss"}
---@return cuna.Fused
---@overload fun(fn: function, options: {name?: string}): cuna.Fused
function cn.vectorize(fn, name) end

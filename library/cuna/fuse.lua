---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Fused functions.

---@class cuna
local cn = {}

--- A fused function.
---@class cuna.Fused
---@field name string the name in error messages
---@field source fun(...: any): string the text of the kernels that a call with these arguments launches
---@field cache_info fun(): table {traces = number of replays kept, traced = how often one was tried}
---@overload fun(...: any): ...
local Fused = {}

--- Makes a function of arrays run as few kernels, usually one. Follows cupy.fuse.
---
--- fn may do anything, and does what it does by itself, with the same values and errors. Its operations are recorded,
--- as those of plain operators are, even in a state that runs all at once (cn.set_eager). If recorded operations are
--- all that it does, later calls replay them without running fn: elementwise operations, folds, views, slices, writes
--- to whole arrays, with out or in place. Otherwise fn runs at every call: it reads values (item, tostring, x[1], if
--- x:any()), prints, draws random numbers, sorts, multiplies matrices.
---
--- A replay serves calls in which nothing that fn reads has changed: dtypes, shapes, strides and device of arrays,
--- which of them share memory, numbers, strings, upvalues and globals, also of Lua functions that it calls, and the
--- entries of captured tables of constants and arrays, up to 32. Arrays are read at every call. A function runs at
--- every call if it captures another table, an object or a function written in C, or writes to upvalues, globals or
--- captured tables. For calls that bring other numbers each time, pass these as arrays without axes: cn.scalar(k,
--- dtype).
---
--- While fn runs, the functions of Lua's `math` take arrays, too. Lua cannot branch on elements: `if x` and `x and y`
--- do not look at them, since every array is a true value, and `x == 0` is false for every array x, without a question
--- to cuna: of values of two types Lua asks neither. So `x == 0 and 1 or x` is x; cn.where(x:eq(0), 1, x) and
--- cn.vectorize look at elements.
---
--- A call may end with a table of options: out is an array for the first result, or a table of arrays for several, and
--- is returned in place of the result. A function that takes `...` gets the table itself.
---
--- The object has the fields `name`, `source` and `cache_info`: source(...) returns the text of the kernels that a
--- call with these arguments launches, cache_info() returns how many replays are kept and how often one was tried.
---
--- ```lua
--- cn.fuse(function(x, y) return (x - y) * (x - y) end)(cn.array {1, 2}, cn.array {3, 5}) --> [4. 9.]
--- cn.fuse(function(x) return x / cn.sum(x, 2, {keepdims = true}) end)(cn.array {{1, 3}}) --> [[0.25 0.75]]
--- cn.fuse(function(x) return cn.where(x:gt(0), x, 0), x:max() end)(cn.array {-1, 2}) --> [0. 2.], 2.0
--- cn.fuse(function(x) return x + 1 end, {name = "next"}) --> <fuse next>
--- cn.fuse(function(x) return x + 1 end, {kernel_name = "next"}).name --> next
--- cn.fuse(function(x) return x + 1 end)(cn.array {1, 2}, {out = cn.zeros(2, "float32")}).dtype --> float32
--- cn.fuse(function(x) return x + 1 end).source(cn.ones(3)):match "struct %w+" --> struct Program
--- ```
---@param fn function
---@param name string|nil # for messages, default "fused"; as an option: {name = "loss"}
---@param kernel_name string|nil # CuPy's word for the name
---@return cuna.Fused
---@overload fun(fn: function, options: {name?: string, kernel_name?: string}): cuna.Fused
function cn.fuse(fn, name, kernel_name) end

--- A function of numbers, applied to every element of arrays, which broadcast. Without conditions and loops it is
--- fused: its operators and the functions of `math` and cn that it calls become one kernel. With them, it is translated
--- as functions of cn.jit.rawkernel are, and each element takes its own way; so it calls functions of `math`, but none
--- of cn, and its dtypes are those of such kernels. Follows numpy.vectorize.
---
--- ```lua
--- cn.vectorize(function(a, b) return math.max(a, b) ^ 2 end)({1, 5, 3}, 4) --> [16. 25. 16.]
--- cn.vectorize(function(a) return 2 * a + 1 end)(3) --> 7
--- cn.vectorize(function(a) if a > 1 then return a else return -a end end)({0.5, 2}) --> [-0.5  2. ]
--- ```
---@param fn function # of numbers, which returns one or several
---@param name string|nil # for messages, default "vectorized"; as an option: {name = "loss"}
---@return cuna.Fused
---@overload fun(fn: function, options: {name?: string}): cuna.Fused
function cn.vectorize(fn, name) end

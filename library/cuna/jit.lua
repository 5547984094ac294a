---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Kernels of your own in Lua.

---@class cuna
local cn = {}

--- A kernel created by cn.jit.rawkernel, called k(grid, block, {arguments}, options).
---@class cuna.jit.Kernel
---@field name string
---@overload fun(grid: integer|integer[], block: integer|integer[], arguments: any[]|nil, options: table|nil)
local Kernel = {}

--- cn.jit: thread indices, synchronisation, shared memory and other functions of CUDA for kernels written in Lua. All
--- except rawkernel can be used in kernels only.
---@class cuna.jit
---@field threadIdx {x: integer, y: integer, z: integer} from 0
---@field blockIdx {x: integer, y: integer, z: integer} from 0
---@field blockDim {x: integer, y: integer, z: integer}
---@field gridDim {x: integer, y: integer, z: integer}
---@field warpsize integer 32
---@field grid fun(ndim: 1|2|3): integer, ... position of the thread among all, from 1, along each axis
---@field gridsize fun(ndim: 1|2|3): integer, ... number of threads along each axis
---@field laneid fun(): integer position of the thread in its warp, from 0
---@field syncthreads fun() waits for all threads of the block
---@field syncwarp fun(mask: integer|nil) waits for the threads of the warp
---@field shared_memory fun(dtype: string, shape: cuna.Shape|nil): cuna.Array of a block; default: shared_mem bytes
---@field cast fun(value: number|boolean, dtype: string): number
---@field atomic_add fun(x: cuna.Array, position: integer|integer[], value: number): number returns the old element
---@field atomic_sub fun(x: cuna.Array, position: integer|integer[], value: number): number
---@field atomic_exch fun(x: cuna.Array, position: integer|integer[], value: number): number
---@field atomic_min fun(x: cuna.Array, position: integer|integer[], value: number): number
---@field atomic_max fun(x: cuna.Array, position: integer|integer[], value: number): number
---@field atomic_and fun(x: cuna.Array, position: integer|integer[], value: integer): integer
---@field atomic_or fun(x: cuna.Array, position: integer|integer[], value: integer): integer
---@field atomic_xor fun(x: cuna.Array, position: integer|integer[], value: integer): integer
---@field atomic_inc fun(x: cuna.Array, position: integer|integer[], limit: integer): integer
---@field atomic_dec fun(x: cuna.Array, position: integer|integer[], limit: integer): integer
---@field atomic_cas fun(x: cuna.Array, position: integer|integer[], expected: integer, value: integer): integer
---@field shfl_sync fun(mask: integer, value: number, lane: integer, width: integer|nil): number
---@field shfl_up_sync fun(mask: integer, value: number, delta: integer, width: integer|nil): number
---@field shfl_down_sync fun(mask: integer, value: number, delta: integer, width: integer|nil): number
---@field shfl_xor_sync fun(mask: integer, value: number, lane_mask: integer, width: integer|nil): number
---@field all_sync fun(mask: integer, value: boolean): boolean
---@field any_sync fun(mask: integer, value: boolean): boolean
---@field ballot_sync fun(mask: integer, value: boolean): integer
local jit = {}

--- Whether a value is an array.
---
--- ```lua
--- cn.is_array(cn.zeros(2)), cn.is_array({0, 0}) --> true, false
--- ```
---@param value any
---@return boolean
function cn.is_array(value) end

--- Whether a rule lets one dtype be cast to another. Follows numpy.can_cast.
---
--- ```lua
--- cn.can_cast("int16", "int8"), cn.can_cast("int16", "int8", "same_kind") --> false, true
--- ```
---@param from string
---@param to string
---@param casting string|nil # "no" and "equiv": to itself; "safe" (default): every value can be had in the other;  "same_kind": also with loss within a kind; "unsafe": any
---@return boolean
function cn.can_cast(from, to, casting) end

--- The dtype that holds the values of two. Follows numpy.promote_types.
---
--- ```lua
--- cn.promote_types("int8", "uint8") --> int16
--- ```
---@param a string
---@param b string
---@return string
function cn.promote_types(a, b) end

--- Sets the float dtype that stands where no operand forces one: of tables, creation, random numbers and int / int.
---
--- ```lua
--- cn.set_default_dtype "float64" --> float64
--- ```
---@param dtype string # "float64" (at first) or "float32"
---@return string # before the dtype until now
function cn.set_default_dtype(dtype) end

--- The CUDA C++ translation of a kernel for certain arguments, without the fixed text before it.
---
--- ```lua
--- cn.jit.rawkernel("function(x) x[1] = 2 end"):source(cn.zeros(1)):match "2.*;" --> 2.0, 1ll);
--- ```
---@param ... cuna.Array|number|boolean # the arguments
---@return string
function Kernel:source(...) end

--- Creates a kernel from a function written in Lua, whose text is translated to CUDA C++ for the types of a call's
--- arguments. Follows cupyx.jit.rawkernel. It runs on the cpu device too.
---
--- It is called k(grid, block, {arguments}, {boundscheck = boolean, shared_mem = bytes, stream = s}). grid and block
--- are the number of blocks, and of threads per block: a number or a table of up to three. The stream is for this call
--- only. Arguments are arrays of any layout (x[i], x[{i, j}] or x[i][j], positions from 1, #x, x.size, x.ndim,
--- x.shape[d], x.dtype), numbers and booleans; a 0-d array, such as cn.scalar(v, dtype), is a number of its dtype. A
--- position outside of an array reads 0, writes nothing and raises an error: on the cpu device in the call, elsewhere
--- at cn.synchronize() or in a later call; with CUNA_SYNC=1 always in the call itself.
---
--- The function may use locals, arithmetic, comparisons, and or not, if, numeric for, while, repeat, break, inner
--- functions and captured ones; captured numbers, strings and booleans are constants. A variable has the type of its
--- first value. An integer combined with a float takes the float's dtype; so do a literal, a Lua number with a fraction
--- and int / int. `/` is a division of floats, `%` is Lua's. The results of math.floor and math.ceil can be stored in
--- integers and used as positions; those of int / int are exact. Available are math.*, bit.* (in the width of the
--- operand), and the other functions of cn.jit.
---
--- ```lua
--- cn.jit.rawkernel [[function(x, y) local i = cn.jit.grid(1) y[i] = x[i] end]] --> <jit.rawkernel kernel(x, y)>
--- ```
---@param fn function|string # the kernel, or its text: "function(x) ... end"
---@param name string|nil # for messages; default: the variable that the kernel is assigned to
---@param boundscheck boolean|nil # default of the option of calls: whether positions are checked; default true
---@return cuna.jit.Kernel
---@overload fun(fn: function|string, options: {name?: string, boundscheck?: boolean}): cuna.jit.Kernel
function jit.rawkernel(fn, name, boundscheck) end

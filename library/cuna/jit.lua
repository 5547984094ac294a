---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Kernels of your own in Lua.

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
---@field cg cuna.jit.cg cooperative groups
---@field cub cuna.jit.cub reductions and scans of warps and blocks
---@field thrust cuna.jit.thrust algorithms of single threads
local jit = {}

--- cn.jit.cg: cooperative groups, for kernels only. Follows cupyx.jit.cg, with methods called by a colon, and adds
--- tiles and coalesced threads. Ranks and indices count from 0, as CUDA's; positions in arrays count from 1. A kernel
--- that synchronises a grid is launched cooperatively: all its blocks must fit on the device at once. GPUs need the
--- headers of CUDA's toolkit for that; for other groups they are used if there are any.
---@class cuna.jit.cg
---@field this_thread_block fun(): cuna.jit.ThreadBlock
---@field this_grid fun(): cuna.jit.GridGroup
---@field coalesced_threads fun(): cuna.jit.Tile the threads of a warp that are here together
---@field tiled_partition fun(group: table, size: integer): cuna.jit.Tile of 1 to 32 threads, a constant power of two
---@field sync fun(group: table) waits for all threads of the group
---@field reduce fun(tile: cuna.jit.Tile, value: number, operation: function): number in all threads
---@field inclusive_scan fun(tile: cuna.jit.Tile, value: number, operation: function|nil): number default: plus
---@field exclusive_scan fun(tile: cuna.jit.Tile, value: number, operation: function|nil): number default: plus
---@field plus function an operation, as the next ones
---@field less function the lesser of two
---@field greater function the greater of two
---@field bit_and function
---@field bit_or function
---@field bit_xor function
---@field memcpy_async fun(group: table, to: cuna.Array, at: integer, from: cuna.Array, at2: integer, nbytes: integer)
---@field wait fun(group: table) until all copies of the group are done
---@field wait_prior fun(group: table, count: integer) until all but the last ones (a constant) are done
local cg = {}

--- A block of threads, in kernels.
---@class cuna.jit.ThreadBlock
---@field sync fun(self)
---@field thread_rank fun(self): integer in [0, size)
---@field num_threads fun(self): integer
---@field size fun(self): integer
---@field group_index fun(self): {x: integer, y: integer, z: integer} of the block in the grid
---@field thread_index fun(self): {x: integer, y: integer, z: integer}
---@field group_dim fun(self): {x: integer, y: integer, z: integer}
---@field dim_threads fun(self): {x: integer, y: integer, z: integer}
local ThreadBlock = {}

--- All blocks of a launch, in kernels.
---@class cuna.jit.GridGroup
---@field sync fun(self) makes the launch cooperative
---@field is_valid fun(self): boolean whether the launch is cooperative
---@field thread_rank fun(self): integer in [0, size)
---@field block_rank fun(self): integer
---@field num_threads fun(self): integer
---@field num_blocks fun(self): integer
---@field size fun(self): integer of threads
---@field block_index fun(self): {x: integer, y: integer, z: integer}
---@field group_dim fun(self): {x: integer, y: integer, z: integer}
---@field dim_blocks fun(self): {x: integer, y: integer, z: integer}
local GridGroup = {}

--- Some threads of a warp, in kernels.
---@class cuna.jit.Tile
---@field sync fun(self)
---@field thread_rank fun(self): integer in [0, size)
---@field num_threads fun(self): integer
---@field size fun(self): integer
---@field meta_group_rank fun(self): integer of the tile among those of its parent
---@field meta_group_size fun(self): integer how many tiles its parent has
---@field shfl fun(self, value: number, rank: integer): number that thread's value
---@field shfl_up fun(self, value: number, distance: integer): number
---@field shfl_down fun(self, value: number, distance: integer): number
---@field shfl_xor fun(self, value: number, mask: integer): number not of coalesced threads
---@field any fun(self, value: boolean): boolean
---@field all fun(self, value: boolean): boolean
---@field ballot fun(self, value: boolean): integer a bit for each thread that says true
local Tile = {}

--- cn.jit.cub: CUB's reductions and scans of the threads of a warp or block, for kernels only. Follows cupyx.jit.cub,
--- and adds scans. A class is made of constants: `local C = cn.jit.cub.BlockReduce("float32", 256)`; its storage is
--- `local room = cn.jit.shared_memory(C.TempStorage, 1)`; all threads call a method, as in `C(room[1]):Sum(v)`. The
--- first thread gets the result of a reduction. Before the storage is used again come cn.jit.syncthreads() or, for
--- warps, cn.jit.syncwarp(). GPUs need CUB's headers, which CUDA's toolkit has.
---@class cuna.jit.cub
---@field WarpReduce fun(dtype: string, threads: integer|nil): cuna.jit.Reduce of a warp, or of 1, 2, 4, 8 or 16 threads
---@field BlockReduce fun(dtype: string, x: integer, y: integer|nil, z: integer|nil): cuna.jit.Reduce of all its threads
---@field WarpScan fun(dtype: string, threads: integer|nil): cuna.jit.Scan
---@field BlockScan fun(dtype: string, x: integer, y: integer|nil, z: integer|nil): cuna.jit.Scan
---@field Sum function an operation, as the next ones
---@field Max function
---@field Min function
local cub = {}

--- A reduction of a warp or block, in kernels: a class, or what it makes of an element of its storage.
---@class cuna.jit.Reduce
---@field TempStorage any for cn.jit.shared_memory
---@field Sum fun(self, value: number, count: integer|nil): number of the first `count` threads, default all
---@field Reduce fun(self, value: number, operation: function, count: integer|nil): number
local Reduce = {}

--- A scan of a warp or block, in kernels. The second result is what all values make together.
---@class cuna.jit.Scan
---@field TempStorage any for cn.jit.shared_memory
---@field InclusiveSum fun(self, value: number): number, number
---@field ExclusiveSum fun(self, value: number): number, number
---@field InclusiveScan fun(self, value: number, operation: function): number, number
---@field ExclusiveScan fun(self, value: number, initial: number, operation: function): number, number
local Scan = {}

--- cn.jit.thrust: algorithms that each thread of a kernel runs by itself, for kernels only, on every device without
--- Thrust. Follows cupyx.jit.thrust, with arrays of one axis, such as rows x[i], instead of iterators and policies.
--- Positions count from 1; one behind the last is "none". An array that is written to is at least as long as what is
--- written. Sorting and searching need elements in an order, so no NaN; a sort is not stable. Sums are added in order.
---@class cuna.jit.thrust
---@field adjacent_difference fun(x: cuna.Array, y: cuna.Array) the first element, then the differences
---@field binary_search fun(x: cuna.Array, value: number): boolean in a sorted array
---@field copy fun(x: cuna.Array, y: cuna.Array)
---@field count fun(x: cuna.Array, value: number): integer
---@field equal fun(x: cuna.Array, x2: cuna.Array): boolean
---@field equal_range fun(x: cuna.Array, value: number): integer, integer both bounds
---@field exclusive_scan fun(x: cuna.Array, y: cuna.Array, initial: number|nil) default: 0
---@field exclusive_scan_by_key fun(keys: cuna.Array, x: cuna.Array, y: cuna.Array, initial: number|nil)
---@field fill fun(x: cuna.Array, value: number)
---@field find fun(x: cuna.Array, value: number): integer
---@field gather fun(positions: cuna.Array, x: cuna.Array, y: cuna.Array)
---@field inclusive_scan fun(x: cuna.Array, y: cuna.Array)
---@field inclusive_scan_by_key fun(keys: cuna.Array, x: cuna.Array, y: cuna.Array) begins again where the key changes
---@field inner_product fun(x: cuna.Array, x2: cuna.Array, initial: number|nil): number
---@field is_sorted fun(x: cuna.Array): boolean
---@field is_sorted_until fun(x: cuna.Array): integer the first element that is out of order
---@field lower_bound fun(x: cuna.Array, value: number): integer the first element that is not below
---@field mismatch fun(x: cuna.Array, x2: cuna.Array): integer the first elements that differ
---@field reduce fun(x: cuna.Array, initial: number|nil): number the sum, in the dtype of the elements
---@field reduce_by_key fun(keys: cuna.Array, x: cuna.Array, keys_out: cuna.Array, y: cuna.Array): integer how many
---@field remove fun(x: cuna.Array, value: number): integer how many are left, at the front
---@field remove_copy fun(x: cuna.Array, y: cuna.Array, value: number): integer
---@field replace fun(x: cuna.Array, old: number, new: number)
---@field replace_copy fun(x: cuna.Array, y: cuna.Array, old: number, new: number)
---@field reverse fun(x: cuna.Array)
---@field reverse_copy fun(x: cuna.Array, y: cuna.Array)
---@field scatter fun(x: cuna.Array, positions: cuna.Array, y: cuna.Array)
---@field sequence fun(x: cuna.Array, first: number|nil, step: number|nil) default: 0, 1
---@field sort fun(x: cuna.Array)
---@field sort_by_key fun(keys: cuna.Array, x: cuna.Array) moves elements with their keys
---@field swap_ranges fun(x: cuna.Array, y: cuna.Array)
---@field unique fun(x: cuna.Array): integer how many are left without equal neighbours, at the front
---@field unique_copy fun(x: cuna.Array, y: cuna.Array): integer
---@field upper_bound fun(x: cuna.Array, value: number): integer the first element that is above
local thrust = {}

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
--- It is called k(grid, block, {arguments}, {boundscheck = boolean, shared_mem = bytes, stream = s}), or in Numba's
--- form k[{grid, block}](x, y). grid and block are the number of blocks, and of threads per block: a number or a table
--- of up to three. The stream is for this call only. Arguments are arrays of any layout (x[i], x[{i, j}] or x[i][j],
--- positions from 1, #x, x.size, x.ndim, x.shape[d], x.strides[d] in bytes, x.dtype), numbers and booleans; a 0-d
--- array, such as cn.scalar(v, dtype), is a number of its dtype. Fewer positions than axes give a row, which is an
--- array. A position outside of an array reads 0, writes nothing and raises an error: on the cpu device in the call,
--- elsewhere at cn.synchronize() or in a later call; with CUNA_SYNC=1 always in the call itself.
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

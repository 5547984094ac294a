---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Several processes: MPI.

---@class cuna.distributed
local distributed = {}

--- The ranks of a job, or a part of them: the same script in several processes, each with its own data. All ranks of a
--- communicator make the same calls in the same order; before data move cuna compares what they call, and if it differs
--- all of them raise the same error. cn.distributed.init returns the communicator of all ranks.
---@class cuna.Communicator
---@field rank integer this process's number, from 0
---@field size integer how many ranks there are
---@field local_rank integer its number among the ranks on this machine
---@field local_size integer how many of them are on this machine
---@field device cuna.Device the current device of this rank when the communicator was made
---@field backend string "mpi": CUDA arrays pass through pinned memory of the host; "alone": one rank without MPI
---@field checks boolean whether calls are compared
---@field version string the MPI library, its ABI and its file
local Communicator = {}

--- A call of a communicator that was started with blocking = false. It moves on whenever this rank is inside a function
--- of a communicator, `comm:poll()` too. Until it is done, its arrays must not be used. Follows mpi4py.MPI.Request.
---@class cuna.Request
---@field done boolean whether the call is done: wait returns at once
local Request = {}

--- The communicator of all ranks: those that mpirun, srun or `cuna -n 4 script.lua` started. Where nothing of that kind
--- started the script, there is one rank, and MPI is not needed. Later calls return the same object.
---
--- Each rank gets a device: CUNA_DEVICE, else a GPU of its machine, one rank each, else the cpu device; ranks of a
--- machine share its processors. From then on an error of one rank, or an end with a status other than 0, ends all of
--- them; so does a call that waits for longer than the timeout.
---
--- ```lua
--- cn.distributed.init().rank, cn.distributed.init().size --> 0, 1
--- ```
---@param options table|nil # {timeout = seconds: default CUNA_DISTRIBUTED_TIMEOUT, else 300}
---@return cuna.Communicator
function distributed.init(options) end

--- Waits until all ranks have come here.
---
--- ```lua
--- cn.distributed.init():barrier() -->
--- ```
function Communicator:barrier() end

--- The communicator of the ranks that give the same color. Follows mpi4py.MPI.Comm.Split.
---
--- ```lua
--- cn.distributed.init():split(0).size --> 1
--- ```
---@param color integer|nil # from 0; nil: this rank is in none
---@param key integer|nil # ranks are numbered in the order of their keys; default: of their ranks here
---@return cuna.Communicator|nil
function Communicator:split(color, key) end

--- The communicator of the ranks on this machine.
---
--- ```lua
--- cn.distributed.init():node().size --> 1
--- ```
---@return cuna.Communicator
function Communicator:node() end

--- Frees a communicator that split or node made, by all its ranks. Communicators are not garbage: one that is not freed
--- lives as long as the process.
---
--- ```lua
--- cn.distributed.init():split(0):free() -->
--- ```
function Communicator:free() end

--- Moves on what was started with blocking = false, as far as it goes now.
---
--- ```lua
--- cn.distributed.init():poll() -->
--- ```
function Communicator:poll() end

--- The Lua value of rank `root`, on all ranks.
---
--- ```lua
--- cn.distributed.init():share({rate = 0.5}).rate --> 0.5
--- ```
---@param value any # nil, booleans, numbers, strings, 64-bit integers, tables of them
---@param root integer|nil # default 0
---@return any
function Communicator:share(value, root) end

--- The Lua values of all ranks, on all ranks: rank r's is at position r + 1.
---
--- ```lua
--- cn.distributed.init():collect("here")[1] --> here
--- ```
---@param value any # as of share
---@return any[]
function Communicator:collect(value) end

--- A generator of random numbers of this rank's own: its draws are independent of those of other ranks, and the same
--- for the same seed and rank. The functions of cn.random draw the same numbers on all ranks.
---
--- ```lua
--- cn.distributed.init():rng(7):random(2) == cn.random.default_rng(7):spawn(1)[1]:random(2) --> true
--- ```
---@param seed integer|ffi.cdata*|integer[]|nil # the same on all ranks; default: random numbers of rank 0's system
---@return cuna.Generator
function Communicator:rng(seed) end

--- Prints the values of all ranks, in the order of ranks, by rank 0. Each line begins with rank and size.
---
--- ```lua
--- cn.distributed.init():print("here") -->
--- ```
---@param ... any # as of print
function Communicator:print(...) end

--- Prints the values of this rank, without waiting for others: one write, whose lines begin with rank and size.
---
--- ```lua
--- cn.distributed.init():log("here") -->
--- ```
---@param ... any # as of print
function Communicator:log(...) end

--- The reduction of x over all ranks, element by element, on all ranks. Shape and dtype are the same everywhere.
--- In max and min NaN wins; sum and max of bools are any, prod and min are all; any and all of other dtypes ask for
--- elements that are not 0; the mean of integers is in the default float dtype. All ranks get the same bits; a sum of
--- floats may differ in its last bits for another number of ranks. Follows cupyx.distributed.NCCLBackend.all_reduce.
---
--- ```lua
--- cn.distributed.init():all_reduce({1, 2}) --> [1. 2.]
--- cn.distributed.init():all_reduce(cn.arange(3), "mean") --> [0. 1. 2.]
--- ```
---@param x cuna.Operand|cuna.Array[] # a list is one call; it returns a list
---@param op string|nil # "sum" (default), "prod", "max", "min", "mean", "any", "all"
---@param blocking boolean|nil # false: returns a cuna.Request at once
---@return cuna.Array|cuna.Array[]|cuna.Request
---@overload fun(self: cuna.Communicator, x: cuna.Operand|cuna.Array[], options: {op?: string, blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request
function Communicator:all_reduce(x, op, blocking) end

--- Replaces x by its reduction over all ranks, as all_reduce.
---
--- ```lua
--- cn.distributed.init():all_reduce_(cn.ones(2), "max") --> [1. 1.]
--- ```
---@param x cuna.Array|cuna.Array[]
---@param op string|nil # as of all_reduce; the result must have x's dtype
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request # x
---@overload fun(self: cuna.Communicator, x: cuna.Array|cuna.Array[], options: {op?: string, blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request
function Communicator:all_reduce_(x, op, blocking) end

--- The reduction of x over all ranks, as all_reduce, on one rank only. Follows
--- cupyx.distributed.NCCLBackend.reduce.
---
--- ```lua
--- cn.distributed.init():reduce({1, 2}, "sum", 0) --> [1. 2.]
--- ```
---@param x cuna.Operand|cuna.Array[]
---@param op string|nil # as of all_reduce
---@param root integer|nil # the rank that gets the result, default 0
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request|nil # nil on other ranks
---@overload fun(self: cuna.Communicator, x: cuna.Operand|cuna.Array[], options: {op?: string, root?: integer, blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request|nil
function Communicator:reduce(x, op, root, blocking) end

--- Replaces x by its reduction on the rank `root`; on others x remains.
---
--- ```lua
--- cn.distributed.init():reduce_(cn.ones(2)) --> [1. 1.]
--- ```
---@param x cuna.Array|cuna.Array[]
---@param op string|nil
---@param root integer|nil # default 0
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request # x
---@overload fun(self: cuna.Communicator, x: cuna.Array|cuna.Array[], options: {op?: string, root?: integer, blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request
function Communicator:reduce_(x, op, root, blocking) end

--- The reduction of x over this rank and those before it. Follows mpi4py.MPI.Intracomm.Scan.
---
--- ```lua
--- cn.distributed.init():scan({1, 2}) --> [1. 2.]
--- ```
---@param x cuna.Operand|cuna.Array[]
---@param op string|nil # "sum" (default), "prod", "max", "min", "any", "all"
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request
---@overload fun(self: cuna.Communicator, x: cuna.Operand|cuna.Array[], options: {op?: string, blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request
function Communicator:scan(x, op, blocking) end

--- Replaces x by its reduction over this rank and those before it.
---
--- ```lua
--- cn.distributed.init():scan_(cn.ones(2)) --> [1. 1.]
--- ```
---@param x cuna.Array|cuna.Array[]
---@param op string|nil
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request # x
---@overload fun(self: cuna.Communicator, x: cuna.Array|cuna.Array[], options: {op?: string, blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request
function Communicator:scan_(x, op, blocking) end

--- The reduction of x over the ranks before this one. Rank 0 gets what changes nothing: 0, 1, the least or greatest
--- value of the dtype, false or true. Follows mpi4py.MPI.Intracomm.Exscan.
---
--- ```lua
--- cn.distributed.init():exscan({1, 2}) --> [0. 0.]
--- ```
---@param x cuna.Operand|cuna.Array[]
---@param op string|nil # as of scan
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request
---@overload fun(self: cuna.Communicator, x: cuna.Operand|cuna.Array[], options: {op?: string, blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request
function Communicator:exscan(x, op, blocking) end

--- This rank's part of the reduction of x over all ranks. Parts are those of cn.array_split along the first axis.
--- Follows cupyx.distributed.NCCLBackend.reduce_scatter, which joins the parts' axis.
---
--- ```lua
--- cn.distributed.init():reduce_scatter({1, 2, 3}) --> [1. 2. 3.]
--- ```
---@param x cuna.Operand # of one shape on all ranks
---@param op string|nil # as of all_reduce
---@param blocking boolean|nil
---@return cuna.Array|cuna.Request
---@overload fun(self: cuna.Communicator, x: cuna.Operand, options: {op?: string, blocking?: boolean}): cuna.Array|cuna.Request
function Communicator:reduce_scatter(x, op, blocking) end

--- The array of rank `root`, on all ranks: there x itself, on the others a new array on the current device. What they
--- give is not read.
---
--- ```lua
--- cn.distributed.init():broadcast({1, 2}) --> [1. 2.]
--- ```
---@param x cuna.Operand|nil
---@param root integer|nil # default 0
---@return cuna.Array
---@overload fun(self: cuna.Communicator, x: cuna.Operand|nil, options: {root?: integer}): cuna.Array
function Communicator:broadcast(x, root) end

--- Replaces x by the array of rank `root`, which has the same shape and dtype. Follows
--- cupyx.distributed.NCCLBackend.broadcast.
---
--- ```lua
--- cn.distributed.init():broadcast_(cn.ones(2)) --> [1. 1.]
--- ```
---@param x cuna.Array|cuna.Array[]
---@param root integer|nil # default 0
---@param blocking boolean|nil # false: returns a cuna.Request at once
---@return cuna.Array|cuna.Array[]|cuna.Request # x
---@overload fun(self: cuna.Communicator, x: cuna.Array|cuna.Array[], options: {root?: integer, blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request
function Communicator:broadcast_(x, root, blocking) end

--- The arrays of all ranks joined along the first axis, on all ranks. The lengths of that axis may differ, unless
--- blocking is false; a 0-d array counts as one of length 1. Follows cupyx.distributed.NCCLBackend.all_gather, which
--- has a new axis.
---
--- ```lua
--- cn.distributed.init():all_gather({{1, 2}}).shape --> (1, 2)
--- ```
---@param x cuna.Operand
---@param blocking boolean|nil # false: returns a cuna.Request at once
---@return cuna.Array|cuna.Request
---@overload fun(self: cuna.Communicator, x: cuna.Operand, options: {blocking?: boolean}): cuna.Array|cuna.Request
function Communicator:all_gather(x, blocking) end

--- The arrays of all ranks joined along the first axis, as all_gather, on one rank only.
---
--- ```lua
--- cn.distributed.init():gather(5) --> [5.]
--- ```
---@param x cuna.Operand
---@param root integer|nil # default 0
---@param blocking boolean|nil
---@return cuna.Array|cuna.Request|nil # nil on other ranks
---@overload fun(self: cuna.Communicator, x: cuna.Operand, options: {root?: integer, blocking?: boolean}): cuna.Array|cuna.Request|nil
function Communicator:gather(x, root, blocking) end

--- This rank's part of the array of rank `root`. Parts are those of cn.array_split along the first axis.
---
--- ```lua
--- cn.distributed.init():scatter({1, 2, 3}) --> [1. 2. 3.]
--- ```
---@param x cuna.Operand|nil # on `root`; what others give is not read
---@param root integer|nil # default 0
---@return cuna.Array # on the device of x there, on the current device elsewhere
---@overload fun(self: cuna.Communicator, x: cuna.Operand|nil, options: {root?: integer}): cuna.Array
function Communicator:scatter(x, root) end

--- Sends position r + 1 along the first axis of x to rank r; the result has at position r + 1 what rank r sent. x may
--- be a list with an array for each rank instead, whose first axes may have any lengths; then the result is a list.
--- Follows cupyx.distributed.NCCLBackend.all_to_all.
---
--- ```lua
--- cn.distributed.init():all_to_all({{1, 2}}) --> [[1. 2.]]
--- ```
---@param x cuna.Operand|cuna.Array[] # the first axis is as long as there are ranks
---@param blocking boolean|nil # false, not for lists: returns a cuna.Request at once
---@return cuna.Array|cuna.Array[]|cuna.Request
---@overload fun(self: cuna.Communicator, x: cuna.Operand|cuna.Array[], options: {blocking?: boolean}): cuna.Array|cuna.Array[]|cuna.Request
function Communicator:all_to_all(x, blocking) end

--- Sends x to another rank, which receives it by recv. Returns when x may be used again. Follows
--- cupyx.distributed.NCCLBackend.send.
---
--- ```lua
--- cn.distributed.init().size > 1 and cn.distributed.init():send(cn.ones(3), 1) --> false
--- ```
---@param x cuna.Operand
---@param to integer
---@param blocking boolean|nil # false: returns a cuna.Request at once
---@return cuna.Request|nil
---@overload fun(self: cuna.Communicator, x: cuna.Operand, options: {to?: integer, blocking?: boolean}): cuna.Request|nil
function Communicator:send(x, to, blocking) end

--- The array that another rank sends. Follows cupyx.distributed.NCCLBackend.recv.
---
--- ```lua
--- cn.distributed.init().size > 1 and cn.distributed.init():recv(nil, 0) --> false
--- ```
---@param like cuna.Operand|nil # an array of the shape and dtype of the result, or nil for any; its elements are not read
---@param from integer
---@param blocking boolean|nil # false, with `like`: returns a cuna.Request at once
---@return cuna.Array|cuna.Request # on the device of `like`, else the current one
---@overload fun(self: cuna.Communicator, like: cuna.Operand|nil, options: {from?: integer, blocking?: boolean}): cuna.Array|cuna.Request
function Communicator:recv(like, from, blocking) end

--- Receives into x, whose shape and dtype are the message's.
---
--- ```lua
--- cn.distributed.init().size > 1 and cn.distributed.init():recv_(cn.zeros(3), 0) --> false
--- ```
---@param x cuna.Array
---@param from integer
---@param blocking boolean|nil
---@return cuna.Array|cuna.Request # x
---@overload fun(self: cuna.Communicator, x: cuna.Array, options: {from?: integer, blocking?: boolean}): cuna.Array|cuna.Request
function Communicator:recv_(x, from, blocking) end

--- Sends x to one rank and receives from another at the same time, so that all ranks may do so in a circle. At an edge
--- one of the ranks is nil. Follows cupyx.distributed.NCCLBackend.send_recv.
---
--- ```lua
--- cn.distributed.init():send_recv(cn.ones(2), 0, cn.ones(2), 0) --> [1. 1.]
--- ```
---@param x cuna.Operand|nil # nil without `to`
---@param to integer|nil
---@param like cuna.Operand|nil # an array of the shape and dtype of the result; default: x
---@param from integer|nil
---@return cuna.Array|nil # nil without `from`
function Communicator:send_recv(x, to, like, from) end

--- Fills the edges of a block with copies of its neighbours' elements. Blocks lie one after the other along an axis, in
--- the order of ranks; each has `width` positions more on either side, which belong to the ranks before and after it.
--- At the ends of the whole these remain, unless it is periodic.
---
--- ```lua
--- cn.distributed.init():halo_(cn.array {0, 1, 2, 0}, {periodic = true}) --> [2. 1. 2. 1.]
--- ```
---@param x cuna.Array # blocks may have other lengths along the axis
---@param axis integer|nil # default 1
---@param width integer|nil # default 1
---@param periodic boolean|nil # whether the last rank's neighbour is the first; default false
---@return cuna.Array # x
---@overload fun(self: cuna.Communicator, x: cuna.Array, options: {axis?: integer, width?: integer, periodic?: boolean}): cuna.Array
function Communicator:halo_(x, axis, width, periodic) end

--- A block with copies of its neighbours' elements on either side: a new array, longer by twice the width along the
--- axis. At the ends of the whole these elements are `value`, unless it is periodic.
---
--- ```lua
--- cn.distributed.init():halo({1, 2}) --> [0. 1. 2. 0.]
--- cn.distributed.init():halo({1, 2}, {periodic = true}) --> [2. 1. 2. 1.]
--- ```
---@param x cuna.Operand # blocks may have other lengths along the axis
---@param axis integer|nil # default 1
---@param width integer|nil # default 1
---@param periodic boolean|nil # default false
---@param value number|nil # default 0
---@return cuna.Array
---@overload fun(self: cuna.Communicator, x: cuna.Operand, options: {axis?: integer, width?: integer, periodic?: boolean, value?: number}): cuna.Array
function Communicator:halo(x, axis, width, periodic, value) end

--- Waits until the call is done. Every call returns the same result; an error is raised each time.
---
--- ```lua
--- cn.distributed.init():all_reduce(cn.ones(2), {blocking = false}):wait() --> [1. 1.]
--- ```
---@return any ... # what the call would have returned
function Request:wait() end

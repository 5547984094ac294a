---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Several processes and GPUs: MPI and NCCL.

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
---@field device cuna.Device the current device of this rank when cn.distributed.init was first called
---@field backend string "nccl": NCCL moves arrays of the ranks' GPUs, MPI those of the host; "mpi": arrays of GPUs pass  through pinned memory of the host; "alone": one rank without MPI
---@field checks boolean whether calls are compared
---@field version string the MPI library, its ABI and its file, and NCCL's version
local Communicator = {}

--- A call of a communicator that was started with blocking = false. It moves on whenever this rank is inside a function
--- of a communicator, `comm:poll()` too. Until it is done, its arrays must not be used. Follows mpi4py.MPI.Request.
---@class cuna.Request
---@field done boolean whether the call is done: wait returns at once
local Request = {}

--- Several devices of this process, with the collective calls of a communicator for lists of arrays, one on each
--- device. cn.distributed.group makes it.
---@class cuna.DeviceGroup
---@field size integer how many devices there are
---@field devices cuna.Device[]
---@field backend string "nccl", or "copies" between devices
local DeviceGroup = {}

--- The ranks of a communicator in rows and columns, or in more dimensions, from comm:mesh. Each dimension is a field:
--- the communicator of the ranks that differ from this one in that coordinate only. Layouts such as
--- {x = 1, y = 2, mesh = mesh} split axes of arrays over its dimensions.
---@class cuna.Mesh
---@field comm cuna.Communicator of all its ranks
---@field names string[] of the dimensions, sorted
---@field sizes table<string, integer> how many ranks each dimension has
local Mesh = {}

--- An array over ranks: each has a block, a plain array on its device. Blocks are those of cn.array_split along one
--- axis, or along axes of a mesh. cn.distributed.array, zeros, load and draws of cn.distributed.default_rng make one.
---
--- Elementwise functions of cn and their methods take arrays over ranks, and operators work (`A * 2 + cn.sin(A)`):
--- they compute blocks, without communication. Other operands have the same layout, or are numbers and plain arrays
--- that are the same on all ranks and do not lie along a split axis. Another function of cn, such as cn.sum, is the
--- method of that name of its first argument. In cn.fuse operations on blocks run as few kernels.
---@class cuna.DistributedArray
---@field block cuna.Array this rank's elements
---@field range integer[] {first, last}: its positions along the split axis; of a mesh, the first split one
---@field ranges integer[][] the same for every axis
---@field shape integer[] of the whole
---@field dtype cuna.Dtype
---@field ndim integer
---@field size integer
---@field layout table {axis = the split axis}, or {x = 1, y = 2} over a mesh
---@field comm cuna.Communicator
---@field mesh cuna.Mesh|nil
---@field device cuna.Device
---@field T cuna.DistributedArray the transpose: its blocks are views
local DistributedArray = {}

--- A generator of random numbers over ranks, from cn.distributed.default_rng. Its methods are the distributions of
--- cn.random.default_rng that draw element by element (random, normal, uniform, exponential, gamma, beta, poisson,
--- binomial, ...) and integers, with the same parameters, then size, dtype and layout:
--- rng:normal(0, 1, {1000, 64}, {layout = {axis = 1}}). Without communication; the numbers are, bit for bit, those of
--- cn.random.default_rng with the same seed, for every number of ranks. Parameters are numbers, and arrays as operands
--- of elementwise functions. Every rank makes the same draws.
---@class cuna.DistributedGenerator
local DistributedGenerator = {}

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

--- Several devices of this process, with collective calls for lists of arrays, one on each device: NCCL's, and without
--- it copies between the devices. Follows cupy.cuda.nccl.NcclCommunicator.initAll.
---
--- ```lua
--- cn.distributed.group({"cpu"}).size, cn.distributed.group({"cpu"}).backend --> 1, copies
--- ```
---@param devices (cuna.Device|string)[] # each once
---@return cuna.DeviceGroup
function distributed.group(devices) end

--- x over all ranks: each keeps its block along an axis, of the lengths of cn.array_split.
---
--- ```lua
--- cn.distributed.array({1, 2, 3}, {axis = 1}).range[2] --> 3
--- ```
---@param x cuna.Operand # of one shape and dtype on all ranks, with the same elements
---@param layout table # {axis = the axis that is split, comm = default: all ranks}
---@return cuna.DistributedArray
function distributed.array(x, layout) end

--- A generator of random numbers over ranks. Its draws are, bit for bit, those of cn.random.default_rng with the same
--- seed, for every number of ranks, and each rank makes its block only. One share: the seed is rank 0's.
---
--- ```lua
--- cn.distributed.default_rng(1):random(3, {layout = {axis = 1}}):get() --> [0.7299931 0.08327684 0.63314053]
--- cn.distributed.default_rng(7):normal(0, 1, {6, 2}, {layout = {axis = 1}}).shape --> (6, 2)
--- ```
---@param seed integer|ffi.cdata*|integer[]|nil # as of cn.random.default_rng
---@return cuna.DistributedGenerator
function distributed.default_rng(seed) end

--- The array over ranks of which each rank gives its block: arrays that differ in their lengths along split axes only,
--- which are those of cn.array_split. One small all_gather, of the lengths. The block is not copied.
---
--- ```lua
--- cn.distributed.from_block({1, 2}, {axis = 1}).shape --> (2,)
--- ```
---@param block cuna.Operand
---@param layout table # as of array
---@return cuna.DistributedArray
function distributed.from_block(block, layout) end

--- An array over ranks of one value, without communication.
---
--- ```lua
--- cn.distributed.full({2}, 3, nil, {axis = 1}).block --> [3. 3.]
--- ```
---@param shape integer[] # of the whole
---@param value number|boolean
---@param dtype cuna.Dtype|nil # default: cn.get_default_dtype()
---@param layout table # as of array
---@return cuna.DistributedArray
function distributed.full(shape, value, dtype, layout) end

--- An array over ranks of zeros, without communication.
---
--- ```lua
--- cn.distributed.zeros({2, 3}, "int8", {axis = 2}).shape --> (2, 3)
--- ```
---@param shape integer[] # of the whole
---@param dtype cuna.Dtype|nil
---@param layout table # as of array
---@return cuna.DistributedArray
function distributed.zeros(shape, dtype, layout) end

--- An array over ranks of ones, without communication.
---
--- ```lua
--- cn.distributed.ones({2}, nil, {axis = 1}):sum() --> 2.0
--- ```
---@param shape integer[] # of the whole
---@param dtype cuna.Dtype|nil
---@param layout table # as of array
---@return cuna.DistributedArray
function distributed.ones(shape, dtype, layout) end

--- The array of an .npy file, of which each rank reads its block. One comparison of what the headers say. Follows
--- numpy.load.
---
--- ```lua
--- cn.distributed.load("spec/golden/files/c.npy", {axis = 1}):get() --> [[0. 1. 2.] [3. 4. 5.]]
--- ```
---@param path string # of a plain file that all ranks can read; either order of rows and bytes
---@param layout table # as of array
---@return cuna.DistributedArray # on the current device
function distributed.load(path, layout) end

--- Writes an array over ranks as one .npy file, of which each rank writes its block, in a folder that all ranks share.
--- One share of the file's temporary name, and two barriers. The file appears, or is replaced, when it is whole; an
--- error before that keeps an existing one. Follows numpy.save.
---
--- ```lua
--- cn.distributed.save("/dev/null", cn.distributed.ones({2}, nil, {axis = 1})) -->
--- ```
---@param path string; # the suffix .npy is added if it is missing
---@param A cuna.DistributedArray
function distributed.save(path, A) end

--- Writes the state of a job into a folder that all ranks share: arrays over ranks, each rank its block, plain arrays
--- and Lua values, which are the same on all ranks, by rank 0. The new checkpoint is a folder inside with the number of
--- the step, which appears when it is whole; then older ones are removed. A job that ends before keeps the last one. A
--- few shares and barriers for each array.
---
--- ```lua
--- cn.distributed.save_checkpoint("/tmp/cuna_run", 10, {u = cn.ones(2), loss = 0.5}) -->
--- select(2, cn.distributed.load_checkpoint "/tmp/cuna_run") --> 10
--- ```
---@param folder string # is made if it is not there
---@param step integer # from 0
---@param state table<string, cuna.DistributedArray|cuna.Array|any> # by names of letters, digits and _; values as of comm:share, such as rng:get_state()
function distributed.save_checkpoint(folder, step, state) end

--- The last checkpoint in a folder, which save_checkpoint wrote, also on another number of ranks. Arrays that were
--- split along an axis are so again; those over a mesh need a layout, else they are plain.
---
--- ```lua
--- cn.distributed.load_checkpoint "/tmp/no such folder" == nil --> true
--- ```
---@param folder string
---@param layouts table<string, table>|nil # of arrays by name, where they are to have another layout
---@return table<string, any>|nil # state nil where there is no checkpoint
---@return integer|nil # step
function distributed.load_checkpoint(folder, layouts) end

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

--- The ranks in rows and columns, or more dimensions: a communicator for each. Ranks are numbered in row-major order,
--- over dimensions in the order of their names. One split for each dimension. Follows
--- torch.distributed.device_mesh.init_device_mesh.
---
--- ```lua
--- cn.distributed.init():mesh({x = 1, y = 1}).x.size --> 1
--- ```
---@param sizes table<string, integer> # how many ranks each dimension has, as {x = 2, y = 2}; in all as many as there are
---@return cuna.Mesh
function Communicator:mesh(sizes) end

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

--- The reduction of the arrays over all devices, element by element, on each of them. Follows
--- cn.distributed's Communicator:all_reduce.
---
--- ```lua
--- cn.distributed.group({"cpu"}):all_reduce({cn.array({1, 2}, nil, "cpu")})[1] --> [1. 2.]
--- ```
---@param list cuna.Array[] # one on each device, of one shape and dtype
---@param op string|nil # "sum" (default), "prod", "max", "min", "mean", "any", "all"
---@return cuna.Array[]
---@overload fun(self: cuna.DeviceGroup, list: cuna.Array[], options: {op?: string}): cuna.Array[]
function DeviceGroup:all_reduce(list, op) end

--- Replaces the arrays by their reduction.
---
--- ```lua
--- cn.distributed.group({"cpu"}):all_reduce_({cn.ones(2, "float64", "cpu")}, "max")[1] --> [1. 1.]
--- ```
---@param list cuna.Array[]
---@param op string|nil # as of all_reduce; the result must have the arrays' dtype
---@return cuna.Array[] # list
---@overload fun(self: cuna.DeviceGroup, list: cuna.Array[], options: {op?: string}): cuna.Array[]
function DeviceGroup:all_reduce_(list, op) end

--- The reduction of the arrays over all devices, on one of them.
---
--- ```lua
--- cn.distributed.group({"cpu"}):reduce({cn.ones(2, "float64", "cpu")}, "sum", 0) --> [1. 1.]
--- ```
---@param list cuna.Array[]
---@param op string|nil # as of all_reduce
---@param root integer|nil # the device's number, from 0; default 0
---@return cuna.Array
---@overload fun(self: cuna.DeviceGroup, list: cuna.Array[], options: {op?: string, root?: integer}): cuna.Array
function DeviceGroup:reduce(list, op, root) end

--- The parts of the reduction of the arrays, one on each device: those of cn.array_split along the first axis.
---
--- ```lua
--- cn.distributed.group({"cpu"}):reduce_scatter({cn.ones(2, "float64", "cpu")})[1] --> [1. 1.]
--- ```
---@param list cuna.Array[]
---@param op string|nil # as of all_reduce
---@return cuna.Array[]
---@overload fun(self: cuna.DeviceGroup, list: cuna.Array[], options: {op?: string}): cuna.Array[]
function DeviceGroup:reduce_scatter(list, op) end

--- A copy of x on each device; on its own x itself.
---
--- ```lua
--- cn.distributed.group({"cpu"}):broadcast({1, 2})[1] --> [1. 2.]
--- ```
---@param x cuna.Operand
---@return cuna.Array[]
function DeviceGroup:broadcast(x) end

--- The parts of x, one on each device: those of cn.array_split along the first axis.
---
--- ```lua
--- cn.distributed.group({"cpu"}):scatter({1, 2})[1] --> [1. 2.]
--- ```
---@param x cuna.Operand
---@return cuna.Array[]
function DeviceGroup:scatter(x) end

--- The arrays joined along the first axis, whose lengths may differ, on one device.
---
--- ```lua
--- cn.distributed.group({"cpu"}):gather({cn.ones(2, "float64", "cpu")}) --> [1. 1.]
--- ```
---@param list cuna.Array[]
---@param root integer|nil # the device's number, from 0; default 0
---@return cuna.Array
---@overload fun(self: cuna.DeviceGroup, list: cuna.Array[], options: {root?: integer}): cuna.Array
function DeviceGroup:gather(list, root) end

--- The arrays joined along the first axis, whose lengths may differ, on each device.
---
--- ```lua
--- cn.distributed.group({"cpu"}):all_gather({cn.ones(2, "float64", "cpu")})[1] --> [1. 1.]
--- ```
---@param list cuna.Array[]
---@return cuna.Array[]
function DeviceGroup:all_gather(list) end

--- Position k along the first axis of each array goes to device k; a result has at position k what was the k-th
--- array's.
---
--- ```lua
--- cn.distributed.group({"cpu"}):all_to_all({cn.ones({1, 2}, "float64", "cpu")})[1] --> [[1. 1.]]
--- ```
---@param list cuna.Array[] # the first axes are as long as there are devices
---@return cuna.Array[]
function DeviceGroup:all_to_all(list) end

--- The same values in another dtype, block by block.
---
--- ```lua
--- cn.distributed.ones({2}, nil, {axis = 1}):astype("int8").dtype --> int8
--- ```
---@param dtype cuna.Dtype
---@return cuna.DistributedArray
function DistributedArray:astype(dtype) end

--- The same values in blocks of their own.
---
--- ```lua
--- cn.distributed.ones({2}, nil, {axis = 1}):copy():add_(1):get() --> [2. 2.]
--- ```
---@return cuna.DistributedArray
function DistributedArray:copy() end

--- The array in another layout. {axis = k}: split along axis k; one all_to_all. {}: everywhere, as a plain array; one
--- all_gather. Over a mesh, {x = 1, y = 2}: each dimension that changes is one all_to_all, or one all_gather where it
--- is left out.
---
--- ```lua
--- cn.distributed.ones({2, 3}, nil, {axis = 1}):reshard({axis = 2}).layout.axis --> 2
--- cn.distributed.ones({2}, nil, {axis = 1}):reshard({}) --> [1. 1.]
--- ```
---@param layout table
---@return cuna.DistributedArray|cuna.Array
function DistributedArray:reshard(layout) end

--- The whole in the host's memory, on every rank: one all_gather, over a mesh one for each split axis.
---
--- ```lua
--- cn.distributed.ones({2}, nil, {axis = 1}):get() --> [1. 1.]
--- ```
---@return cuna.Array
function DistributedArray:get() end

--- Moves elements along an axis; those that leave at an end come in at the other. Along the split axis one all_to_all,
--- whose parts go to the ranks that get them; along others blocks alone. Follows numpy.roll, with one axis.
---
--- ```lua
--- cn.distributed.array({1, 2, 3}, {axis = 1}):roll(1):get() --> [3. 1. 2.]
--- ```
---@param shift integer # positions; below 0: to the front
---@param axis integer # default 1 where there is one axis
---@return cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, shift: integer, options: {axis?: integer}): cuna.DistributedArray
function DistributedArray:roll(shift, axis) end

--- This rank's block with `width` positions of its neighbours' on either side of the split axis: a plain array. At the
--- ends of the whole these are `value`, unless it is periodic. One exchange with each neighbour; over a mesh along one
--- split axis after the other, so that corners are filled too. cn.distributed.from_block makes an array of blocks.
---
--- ```lua
--- cn.distributed.array({1, 2}, {axis = 1}):halo() --> [0. 1. 2. 0.]
--- cn.distributed.array({1, 2}, {axis = 1}):halo(1, {periodic = true}) --> [2. 1. 2. 1.]
--- ```
---@param width integer|nil # default 1; at most the length of the shortest block
---@param periodic boolean|nil # default false
---@param value number|nil # default 0
---@return cuna.Array
---@overload fun(self: cuna.DistributedArray, options: {width?: integer, periodic?: boolean, value?: number}): cuna.Array
function DistributedArray:halo(width, periodic, value) end

--- The sum over axes. Over the split axis: blocks, then one all_reduce, and a plain array on all ranks; over others
--- only blocks. Over a mesh, one all_reduce for each split axis among them; the result is plain when none is left. So
--- do prod, max, min, any, all and mean.
---
--- ```lua
--- cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):sum(1) --> [4. 6.]
--- ```
---@param axis integer|integer[]|nil # default: all
---@param keepdims boolean|nil # default false
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:sum(axis, keepdims) end

--- The product over axes, as sum.
---
--- ```lua
--- cn.distributed.array({1, 2, 3}, {axis = 1}):prod() --> 6.0
--- ```
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:prod(axis, keepdims) end

--- The greatest elements over axes, as sum; NaN wins.
---
--- ```lua
--- cn.distributed.array({1, 3, 2}, {axis = 1}):max() --> 3.0
--- ```
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:max(axis, keepdims) end

--- The least elements over axes, as sum; NaN wins.
---
--- ```lua
--- cn.distributed.array({1, 3, 2}, {axis = 1}):min() --> 1.0
--- ```
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:min(axis, keepdims) end

--- Whether any element over axes is not 0, as sum. Over all axes it decides, hence a Lua boolean.
---
--- ```lua
--- cn.distributed.array({0, 1}, {axis = 1}):any() --> true
--- ```
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], keepdims?: boolean}): boolean|cuna.Array|cuna.DistributedArray
function DistributedArray:any(axis, keepdims) end

--- Whether all elements over axes are not 0, as sum. Over all axes it decides, hence a Lua boolean.
---
--- ```lua
--- cn.distributed.array({0, 1}, {axis = 1}):all() --> false
--- ```
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return boolean|cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], keepdims?: boolean}): boolean|cuna.Array|cuna.DistributedArray
function DistributedArray:all(axis, keepdims) end

--- The mean over axes: the sum, divided. Integers have the default float dtype.
---
--- ```lua
--- cn.distributed.array({1, 2}, {axis = 1}):mean() --> 1.5
--- ```
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:mean(axis, keepdims) end

--- The variance over axes, of the distances from the mean. Over the split axis two all_reduces: of the mean, and of
--- the squares.
---
--- ```lua
--- cn.distributed.array({1, 2, 3, 4}, {axis = 1}):var() --> 1.25
--- ```
---@param axis integer|integer[]|nil # default: all
---@param ddof number|nil # subtracted from the count, default 0
---@param keepdims boolean|nil # default false
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], ddof?: number, keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:var(axis, ddof, keepdims) end

--- The standard deviation over axes, the square root of var.
---
--- ```lua
--- cn.distributed.array({1, 3}, {axis = 1}):std() --> 1.0
--- ```
---@param axis integer|integer[]|nil
---@param ddof number|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], ddof?: number, keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:std(axis, ddof, keepdims) end

--- How many elements over axes are not 0, as sum.
---
--- ```lua
--- cn.distributed.array({0, 2, 3}, {axis = 1}):count_nonzero() --> 2
--- ```
---@param axis integer|integer[]|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer|integer[], keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:count_nonzero(axis, keepdims) end

--- The norm of the vectors along an axis, of any order, or of all elements: 2. Over the split axis blocks, then one
--- all_reduce for each split axis; along others blocks alone. Follows numpy.linalg.norm.
---
--- ```lua
--- cn.distributed.array({3, 4}, {axis = 1}):norm() --> 5.0
--- cn.distributed.array({{3, 4}, {1, -2}}, {axis = 1}):norm(cn.inf, 1) --> [3. 4.]
--- ```
---@param ord number|"fro"|nil # as of cn.linalg.norm for vectors; default 2
---@param axis integer|integer[]|nil # default: all
---@param keepdims boolean|nil # default false
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {ord?: number|"fro", axis?: integer|integer[], keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:norm(ord, axis, keepdims) end

--- Sums of each element with those before it along an axis. Along the split axis blocks, then one exscan of their
--- totals; along others blocks alone. So do cumprod, cummax and cummin. Sums of floats along the split axis may differ
--- in the last bits for another number of ranks.
---
--- ```lua
--- cn.distributed.array({1, 2, 3}, {axis = 1}):cumsum():get() --> [1. 3. 6.]
--- ```
---@param axis integer|nil # may be left out for a vector
---@param dtype cuna.Dtype|nil # dtype to compute in and to give
---@return cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer, dtype?: cuna.Dtype}): cuna.DistributedArray
function DistributedArray:cumsum(axis, dtype) end

--- Products of each element with those before it along an axis, as cumsum.
---
--- ```lua
--- cn.distributed.array({1, 2, 3}, {axis = 1}):cumprod():get() --> [1. 2. 6.]
--- ```
---@param axis integer|nil
---@param dtype cuna.Dtype|nil
---@return cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer, dtype?: cuna.Dtype}): cuna.DistributedArray
function DistributedArray:cumprod(axis, dtype) end

--- The greatest of each element and those before it along an axis, as cumsum; NaN wins.
---
--- ```lua
--- cn.distributed.array({1, 3, 2}, {axis = 1}):cummax():get() --> [1. 3. 3.]
--- ```
---@param axis integer|nil
---@param dtype cuna.Dtype|nil
---@return cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer, dtype?: cuna.Dtype}): cuna.DistributedArray
function DistributedArray:cummax(axis, dtype) end

--- The least of each element and those before it along an axis, as cumsum; NaN wins.
---
--- ```lua
--- cn.distributed.array({2, 1, 3}, {axis = 1}):cummin():get() --> [2. 1. 1.]
--- ```
---@param axis integer|nil
---@param dtype cuna.Dtype|nil
---@return cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer, dtype?: cuna.Dtype}): cuna.DistributedArray
function DistributedArray:cummin(axis, dtype) end

--- The positions of the greatest elements along an axis, or of the greatest of all in row-major order; of equal ones
--- the first, and NaN wins. Over the split axis two all_reduces: of the elements, and of their positions.
---
--- ```lua
--- cn.distributed.array({1, 3, 2}, {axis = 1}):argmax() --> 2
--- ```
---@param axis integer|nil # default: all elements
---@param keepdims boolean|nil # default false
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer, keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:argmax(axis, keepdims) end

--- The positions of the least elements, as argmax.
---
--- ```lua
--- cn.distributed.array({3, 1, 2}, {axis = 1}):argmin() --> 2
--- ```
---@param axis integer|nil
---@param keepdims boolean|nil
---@return cuna.Array|cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer, keepdims?: boolean}): cuna.Array|cuna.DistributedArray
function DistributedArray:argmin(axis, keepdims) end

--- Whether two arrays have the same shape and elements; dtypes do not matter. Lua's `A == B` asks it too. Other shapes
--- need no communication, else one all_reduce. Follows numpy.array_equal.
---
--- ```lua
--- cn.distributed.ones({3}, nil, {axis = 1}):array_equal(cn.distributed.ones({3}, "int8", {axis = 1})) --> true
--- ```
---@param B cuna.DistributedArray|cuna.Array # of the same layout, or a plain array whose axes are not split
---@param equal_nan boolean|nil # true lets NaN equal NaN
---@return boolean # the same on all ranks
---@overload fun(self: cuna.DistributedArray, B: cuna.DistributedArray|cuna.Array, options: {equal_nan?: boolean}): boolean
function DistributedArray:array_equal(B, equal_nan) end

--- Whether |A - B| <= atol + rtol |B| for all elements: blocks, then one all_reduce. Follows numpy.allclose.
---
--- ```lua
--- cn.distributed.ones({3}, nil, {axis = 1}):allclose(1 + 1e-9) --> true
--- ```
---@param B cuna.DistributedArray|cuna.Operand # lies as an operand of A + B does
---@param rtol number|nil # default 1e-5
---@param atol number|nil # default 1e-8
---@param equal_nan boolean|nil # true lets NaN be close to NaN
---@return boolean # the same on all ranks
---@overload fun(self: cuna.DistributedArray, B: cuna.DistributedArray|cuna.Operand, options: {rtol?: number, atol?: number, equal_nan?: boolean}): boolean
function DistributedArray:allclose(B, rtol, atol, equal_nan) end

--- The elements in ascending order: along an axis that is not split blocks alone; of a vector an all_gather of samples,
--- an all_to_all to ranges of values, an all_gather of lengths, and an all_to_all to the blocks. Equal elements keep
--- their order; NaN is last. Follows numpy.sort.
---
--- ```lua
--- cn.distributed.array({{3, 1, 2}}, {axis = 1}):sort():get() --> [[1. 2. 3.]]
--- cn.distributed.array({3, 1, 2}, {axis = 1}):sort():get() --> [1. 2. 3.]
--- ```
---@param axis integer|nil # default: the last
---@return cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer}): cuna.DistributedArray
function DistributedArray:sort(axis) end

--- The positions of the elements in ascending order, as sort; of a vector positions travel too, by two more
--- all_to_alls. Follows numpy.argsort.
---
--- ```lua
--- cn.distributed.array({{3, 1, 2}}, {axis = 1}):argsort():get() --> [[2 3 1]]
--- cn.distributed.array({3, 1, 2}, {axis = 1}):argsort():get() --> [2 3 1]
--- ```
---@param axis integer|nil # default: the last
---@return cuna.DistributedArray
---@overload fun(self: cuna.DistributedArray, options: {axis?: integer}): cuna.DistributedArray
function DistributedArray:argsort(axis) end

--- The product of matrices, of a matrix and a vector, or of vectors. Rows by a plain matrix: blocks alone; rows by
--- rows: one all_gather of B; columns by rows, where the contraction is split: one all_reduce, and a plain array on
--- all ranks, or with {layout = {axis = 1}} one reduce_scatter, and rows. Stacks split along an axis before the
--- matrices: blocks alone. Over a mesh {x = 1} by {y = 2}: blocks alone; {x = 1, y = 2} by the same: two broadcasts for
--- each block of the contraction (SUMMA). For a plain matrix x and columns B write B.T:matmul(x.T).T.
---
--- ```lua
--- cn.distributed.ones({2, 2}, nil, {axis = 1}):matmul(cn.ones {2, 2}):get() --> [[2. 2.] [2. 2.]]
--- cn.distributed.ones({3}, nil, {axis = 1}):matmul(cn.distributed.ones({3}, nil, {axis = 1})) --> 3.0
--- ```
---@param B cuna.DistributedArray|cuna.Array # a plain one is the same on all ranks
---@param layout table|nil # of the product where the contraction is split; default {}
---@return cuna.DistributedArray|cuna.Array
---@overload fun(self: cuna.DistributedArray, B: cuna.DistributedArray|cuna.Array, options: {layout?: table}): cuna.DistributedArray|cuna.Array
function DistributedArray:matmul(B, layout) end

--- The product of two vectors, or of matrices, as matmul; with a number or a 0-d array, of each element. Follows
--- numpy.dot.
---
--- ```lua
--- cn.distributed.array({1, 2}, {axis = 1}):dot(cn.distributed.array({3, 4}, {axis = 1})) --> 11.0
--- ```
---@param B cuna.DistributedArray|cuna.Operand
---@return cuna.DistributedArray|cuna.Array
function DistributedArray:dot(B) end

--- The transform along one axis. Along the split axis one all_to_all, and the last of the other axes is split then;
--- along others blocks alone. So do ifft, rfft and irfft. Follows numpy.fft.fft.
---
--- ```lua
--- cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):fft():get() --> [[ 3.+0.j -1.+0.j] [ 7.+0.j -1.+0.j]]
--- cn.distributed.ones({2, 3}, nil, {axis = 1}):fft({axis = 1}).layout.axis --> 2
--- ```
---@param n integer|nil # points: cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:fft(n, axis, norm) end

--- The inverse of fft. Follows numpy.fft.ifft.
---
--- ```lua
--- cn.distributed.array({{3, -1}}, {axis = 1}):ifft():get() --> [[1.+0.j 2.+0.j]]
--- ```
---@param n integer|nil
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:ifft(n, axis, norm) end

--- The first half of fft of real numbers. Follows numpy.fft.rfft.
---
--- ```lua
--- cn.distributed.array({{1, 2, 3, 4}}, {axis = 1}):rfft():get() --> [[10.+0.j -2.+2.j -2.+0.j]]
--- ```
---@param n integer|nil
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:rfft(n, axis, norm) end

--- The inverse of rfft. Follows numpy.fft.irfft.
---
--- ```lua
--- cn.distributed.array({{10, -2, -2}}, {axis = 1}):irfft():get() --> [[1. 3. 3. 3.]]
--- ```
---@param n integer|nil # points of the result; default: 2 (length - 1)
---@param axis integer|nil # default: the last
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # real
---@overload fun(self: cuna.DistributedArray, options: {n?: integer, axis?: integer, norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:irfft(n, axis, norm) end

--- The transform along several axes, whole ones first. One all_to_all where the split axis is among them; then another
--- axis is split. Follows numpy.fft.fftn.
---
--- ```lua
--- cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):fftn():get() --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
--- ```
---@param s integer[]|nil # points by axis
---@param axes integer[]|nil # default: all
---@param norm cuna.FftNorm|nil # default "backward"
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:fftn(s, axes, norm) end

--- The inverse of fftn. Follows numpy.fft.ifftn.
---
--- ```lua
--- cn.distributed.array({{10, -2}, {-4, 0}}, {axis = 1}):ifftn():get() --> [[1.+0.j 2.+0.j] [3.+0.j 4.+0.j]]
--- ```
---@param s integer[]|nil
---@param axes integer[]|nil # default: all
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:ifftn(s, axes, norm) end

--- The transform along two axes, as fftn. Follows numpy.fft.fft2.
---
--- ```lua
--- cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):fft2().layout.axis --> 2
--- ```
---@param s integer[]|nil
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:fft2(s, axes, norm) end

--- The inverse of fft2. Follows numpy.fft.ifft2.
---
--- ```lua
--- cn.distributed.array({{10, -2}, {-4, 0}}, {axis = 1}):ifft2():get() --> [[1.+0.j 2.+0.j] [3.+0.j 4.+0.j]]
--- ```
---@param s integer[]|nil
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:ifft2(s, axes, norm) end

--- The first half of fftn of real numbers: the last axis first, which is not split. One all_to_all where the split axis
--- is among the others. Follows numpy.fft.rfftn.
---
--- ```lua
--- cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):rfftn():get() --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
--- ```
---@param s integer[]|nil
---@param axes integer[]|nil # default: all
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:rfftn(s, axes, norm) end

--- The inverse of rfftn: the last axis last. It may be split, others not; then one all_to_all. Follows
--- numpy.fft.irfftn.
---
--- ```lua
--- cn.distributed.array({{10, -2}, {-4, 0}}, {axis = 2}):irfftn():get() --> [[1. 2.] [3. 4.]]
--- ```
---@param s integer[]|nil # points of the result by axis
---@param axes integer[]|nil # default: all
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # real
---@overload fun(self: cuna.DistributedArray, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:irfftn(s, axes, norm) end

--- The first half of fft2 of real numbers, as rfftn. Follows numpy.fft.rfft2.
---
--- ```lua
--- cn.distributed.ones({2, 4}, nil, {axis = 1}):rfft2().shape --> (2, 3)
--- ```
---@param s integer[]|nil
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # complex
---@overload fun(self: cuna.DistributedArray, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:rfft2(s, axes, norm) end

--- The inverse of rfft2, as irfftn. Follows numpy.fft.irfft2.
---
--- ```lua
--- cn.distributed.array({{10, -2}, {-4, 0}}, {axis = 2}):irfft2():get() --> [[1. 2.] [3. 4.]]
--- ```
---@param s integer[]|nil
---@param axes integer[]|nil # default: the last two
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray # real
---@overload fun(self: cuna.DistributedArray, options: {s?: integer[], axes?: integer[], norm?: cuna.FftNorm}): cuna.DistributedArray
function DistributedArray:irfft2(s, axes, norm) end

--- The text that tostring has of the whole, on every rank. One all_gather (over a mesh, one for each split axis), of
--- the elements that are shown: above cn.get_printoptions().threshold elements those near the corners. tostring(A)
--- itself sends nothing, and says dtype, shape and layout.
---
--- ```lua
--- cn.distributed.array({1, 2, 3}, {axis = 1}):text() --> [1. 2. 3.]
--- ```
---@return string
function DistributedArray:text() end

--- Prints text() by rank 0.
---
--- ```lua
--- cn.distributed.array({1, 2, 3}, {axis = 1}):print() -->
--- ```
function DistributedArray:print() end

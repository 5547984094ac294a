--- distributed/init.lua: cn.distributed: one script in several processes, each with its own data.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local communicator = require "cuna.distributed.communicator"
local core = require "cuna.core"
local group = require "cuna.distributed.group"
local later = require "cuna.base.later"
local namespace = require "cuna.base.namespace"
local seeds = require "cuna.random.seed"

local M = {}

local arrays = later.functions "distributed.array"

local F = namespace.make("distributed", nil, {init_process_group = "init", get_rank = "init().rank",
  get_world_size = "init().size", MPI = "init", init_array = "init"})
M.namespace = F

local fail = check.fail
local NAME = "distributed.init"
local world

--- Rejects ranks of a machine that have the same GPU. All ranks come here.
local function check_gpus(raw, rank, device)
  core.comm_begin(raw, NAME)
  local node = core.comm_node(raw)
  core.comm_begin(node, NAME)
  local id = core.is_host(device) and "none" or device.pci_bus_id
  local users, problem = {}, nil
  for _, text in ipairs(core.comm_collect(node, ("%d %s"):format(rank, id))) do
    local number, other = text:match "^(%d+) (.*)$"
    if other ~= "none" and users[other] and not problem then
      problem = ("ranks %s and %s are on the same GPU, %s"):format(users[other], number, other)
    end
    users[other] = users[other] or number
  end
  core.comm_begin(node, NAME)
  core.comm_free(node)
  if problem then fail("%s: %s; start no more ranks than GPUs, or set CUNA_DEVICE=cpu", NAME, problem) end
end

--- Lets NCCL move the arrays of GPUs, if all ranks have a GPU and the same NCCL. All ranks come here.
local function choose_nccl(raw, device)
  local version, words = 0, ""
  if not core.is_host(device) then version, words = core.comm_nccl() end
  core.comm_begin(raw, NAME)
  local all = core.comm_collect(raw, ("%d %s"):format(version, words))
  local has_all, first = true, all[1]:match "^%d+"
  for _, text in ipairs(all) do has_all = has_all and text:match "^%d+" ~= "0" end
  for rank = 1, has_all and #all - 1 or 0 do
    if all[rank + 1]:match "^%d+" ~= first then
      fail("%s: the ranks have different libraries: rank 0: %s, rank %d: %s; name one in CUNA_NCCL, or write "
        .. "CUNA_NCCL=off", NAME, all[1]:match " (.*)", rank, all[rank + 1]:match " (.*)")
    end
  end
  if has_all then core.comm_use_nccl(device) end
end

--- Gives the rank a device: CUNA_DEVICE, else one of the machine's GPUs, else the cpu device.
local function choose_device(raw)
  local rank, _, local_rank, _, engine = core.comm_facts(raw)
  if engine == "alone" then return end
  local named = os.getenv "CUNA_DEVICE"
  local count = (named == nil or named == "") and core.check_cuda() and core.device_count "cuda" or 0
  if count > 0 then core.use_device(core.device("cuda:" .. local_rank % count)) end
  local device = core.current_device()
  core.comm_begin(raw, NAME)
  local kinds = table.concat(core.comm_collect(raw, core.is_host(device) and "host" or "gpu"), " ")
  if not kinds:find "gpu" then return end
  check_gpus(raw, rank, device)
  choose_nccl(raw, device)
end

--- Lets cn.random draw the same numbers on all ranks: those of rank 0.
local function share_random(comm)
  local loaded = package.loaded["cuna.random"]
  local state = loaded and loaded.shared():get_state()
  local first = comm:share(state or {entropy = seeds.new(seeds.first(), NAME).entropy})
  if first.key then
    require("cuna.random").shared():set_state(first)
  elseif loaded then
    loaded.namespace.seed(first.entropy)
  else
    seeds.set_first(first.entropy)
  end
end

local KNOWN = {timeout = true}

--- The communicator of all ranks: those that mpirun, srun or `cuna -n 4 script.lua` started. Where nothing of that kind
--- started the script, there is one rank, and MPI is not needed. Later calls return the same object.
---
--- Each rank gets a device: CUNA_DEVICE, else a GPU of its machine, one rank each, else the cpu device; ranks of a
--- machine share its processors. From then on an error of one rank, or an end with a status other than 0, ends all of
--- them; so does a call that waits for longer than the timeout.
---@param options table|nil {timeout = seconds: default CUNA_DISTRIBUTED_TIMEOUT, else 300}
---@return cuna.Communicator
---@usage cn.distributed.init().rank, cn.distributed.init().size --> 0, 1
function F.init(...)
  args.check_dot(NAME, (...))
  local options = args.options(NAME, KNOWN, "{timeout = 60}", ...)
  local timeout = options.timeout
  if timeout ~= nil and check.count(timeout, NAME, "timeout") < 1 then fail("%s: timeout is at least 1", NAME) end
  if world then return world end
  local raw = core.comm_init(timeout)
  communicator.world = raw
  choose_device(raw)
  world = communicator.new(raw, core.current_device())
  share_random(world)
  return world
end

--- Several devices of this process, with collective calls for lists of arrays, one on each device: NCCL's, and without
--- it copies between the devices. Follows cupy.cuda.nccl.NcclCommunicator.initAll.
---@param devices (cuna.Device|string)[] each once
---@return cuna.DeviceGroup
---@usage cn.distributed.group({"cpu"}).size, cn.distributed.group({"cpu"}).backend --> 1, copies
function F.group(devices, ...)
  if select("#", ...) > 0 then args.check_dot("distributed.group", devices) end
  return group.new(devices, "distributed.group")
end

-- ---- arrays over ranks ----

local read_array = args.reader("distributed.array", {"x", "layout"}, 2)

--- x over all ranks: each keeps its block along an axis, of the lengths of cn.array_split.
---@param x cuna.Operand of one shape and dtype on all ranks, with the same elements
---@param layout table {axis = the axis that is split, comm = default: all ranks}
---@return cuna.DistributedArray
---@usage cn.distributed.array({1, 2, 3}, {axis = 1}).range[2] --> 3
function F.array(...)
  local x, layout = read_array(...)
  return arrays.array(x, layout, F.init())
end

local read_full = args.reader("distributed.full", {"shape", "value", "dtype", "layout"}, 4)

local read_rng = args.reader("distributed.default_rng", {"seed"}, 1)

--- A generator of random numbers over ranks. Its draws are, bit for bit, those of cn.random.default_rng with the same
--- seed, for every number of ranks, and each rank makes its block only. One share: the seed is rank 0's.
---@param seed integer|ffi.cdata*|integer[]|nil as of cn.random.default_rng
---@return cuna.DistributedGenerator
---@usage cn.distributed.default_rng(1):random(3, {layout = {axis = 1}}):get() --> [0.7299931 0.08327684 0.63314053]
---@usage cn.distributed.default_rng(7):normal(0, 1, {6, 2}, {layout = {axis = 1}}).shape --> (6, 2)
function F.default_rng(...)
  return arrays.default_rng(read_rng(...), F.init())
end

local read_block = args.reader("distributed.from_block", {"block", "layout"}, 2)

--- The array over ranks of which each rank gives its block: arrays that differ in their lengths along split axes only,
--- which are those of cn.array_split. One small all_gather, of the lengths. The block is not copied.
---@param block cuna.Operand
---@param layout table as of array
---@return cuna.DistributedArray
---@usage cn.distributed.from_block({1, 2}, {axis = 1}).shape --> (2,)
function F.from_block(...)
  local block, layout = read_block(...)
  return arrays.from_block(block, layout, F.init())
end

--- An array over ranks of one value, without communication.
---@param shape integer[] of the whole
---@param value number|boolean
---@param dtype string|nil default: cn.get_default_dtype()
---@param layout table as of array
---@return cuna.DistributedArray
---@usage cn.distributed.full({2}, 3, nil, {axis = 1}).block --> [3. 3.]
function F.full(...)
  local shape, value, dtype, layout = read_full(...)
  return arrays.full(shape, value, dtype, layout, F.init(), "distributed.full")
end

--- Makes zeros or ones.
local function filler(name, value)
  local read = args.reader("distributed." .. name, {"shape", "dtype", "layout"}, 3)
  return function(...)
    local shape, dtype, layout = read(...)
    return arrays.full(shape, value, dtype, layout, F.init(), "distributed." .. name)
  end
end

--- An array over ranks of zeros, without communication.
---@param shape integer[] of the whole
---@param dtype string|nil
---@param layout table as of array
---@return cuna.DistributedArray
---@usage cn.distributed.zeros({2, 3}, "int8", {axis = 2}).shape --> (2, 3)
F.zeros = filler("zeros", 0)

--- An array over ranks of ones, without communication.
---@param shape integer[] of the whole
---@param dtype string|nil
---@param layout table as of array
---@return cuna.DistributedArray
---@usage cn.distributed.ones({2}, nil, {axis = 1}):sum() --> 2.0
F.ones = filler("ones", 1)

-- ---- files ----

local read_load = args.reader("distributed.load", {"path", "layout"}, 2)

--- The array of an .npy file, of which each rank reads its block. One comparison of what the headers say. Follows
--- numpy.load.
---@param path string of a plain file that all ranks can read; either order of rows and bytes
---@param layout table as of array
---@return cuna.DistributedArray on the current device
---@usage cn.distributed.load("spec/golden/files/c.npy", {axis = 1}):get() --> [[0. 1. 2.] [3. 4. 5.]]
function F.load(...)
  local path, layout = read_load(...)
  return arrays.load(path, layout, F.init())
end

local read_save = args.reader("distributed.save", {"path", "A"}, 2)

--- Writes an array over ranks as one .npy file, of which each rank writes its block, in a folder that all ranks share.
--- One share of the file's temporary name, and two barriers. The file appears, or is replaced, when it is whole; an
--- error before that keeps an existing one. Follows numpy.save.
---@param path string; the suffix .npy is added if it is missing
---@param A cuna.DistributedArray
---@usage cn.distributed.save("/dev/null", cn.distributed.ones({2}, nil, {axis = 1})) -->
function F.save(...)
  local path, A = read_save(...)
  F.init()
  arrays.save(path, A)
end

-- ---- checkpoints ----

--- Writes the state of a job into a folder that all ranks share: arrays over ranks, each rank its block, plain arrays
--- and Lua values, which are the same on all ranks, by rank 0. The new checkpoint is a folder inside with the number of
--- the step, which appears when it is whole; then older ones are removed. A job that ends before keeps the last one. A
--- few shares and barriers for each array.
---@param folder string is made if it is not there
---@param step integer from 0
---@param state table<string, cuna.DistributedArray|cuna.Array|any> by names of letters, digits and _; values as of
--- comm:share, such as rng:get_state()
---@usage cn.distributed.save_checkpoint("/tmp/cuna_run", 10, {u = cn.ones(2), loss = 0.5}) -->
---@usage select(2, cn.distributed.load_checkpoint "/tmp/cuna_run") --> 10
function F.save_checkpoint(folder, step, state, ...)
  if select("#", ...) > 0 then args.check_dot("distributed.save_checkpoint", folder) end
  arrays.save_checkpoint(folder, step, state, F.init())
end

--- The last checkpoint in a folder, which save_checkpoint wrote, also on another number of ranks. Arrays that were
--- split along an axis are so again; those over a mesh need a layout, else they are plain.
---@param folder string
---@param layouts table<string, table>|nil of arrays by name, where they are to have another layout
---@return table<string, any>|nil state nil where there is no checkpoint
---@return integer|nil step
---@usage cn.distributed.load_checkpoint "/tmp/no such folder" == nil --> true
function F.load_checkpoint(folder, layouts, ...)
  if select("#", ...) > 0 then args.check_dot("distributed.load_checkpoint", folder) end
  return arrays.load_checkpoint(folder, layouts, F.init())
end

return M

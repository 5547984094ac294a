--- communicator.lua: communicators as objects: their facts, parts of them, values and lines of text of all ranks.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local later = require "cuna.base.later"
local move = require "cuna.distributed.move"
local message = require "cuna.distributed.message"
local fold = require "cuna.distributed.fold"
local suggest = require "cuna.base.suggest"
local transfer = require "cuna.distributed.transfer"
local values = require "cuna.distributed.value"

local M = {}

local fail = check.fail
local meshes = later.functions "distributed.mesh"
local random = later.functions "random.generator"

--- The ranks of a job, or a part of them: the same script in several processes, each with its own data. All ranks of a
--- communicator make the same calls in the same order; before data move cuna compares what they call, and if it differs
--- all of them raise the same error. cn.distributed.init returns the communicator of all ranks.
---@class cuna.Communicator
---@field rank integer this process's number, from 0
---@field size integer how many ranks there are
---@field local_rank integer its number among the ranks on this machine
---@field local_size integer how many of them are on this machine
---@field device cuna.Device the current device of this rank when cn.distributed.init was first called
---@field backend string "nccl": NCCL moves arrays of the ranks' GPUs, MPI those of the host; "mpi": arrays of GPUs pass
---  through pinned memory of the host; "alone": one rank without MPI
---@field checks boolean whether calls are compared
---@field version string the MPI library, its ABI and its file, and NCCL's version
local methods = {}

for _, part in ipairs {fold, move, message} do
  for name, method in pairs(part.methods) do methods[name] = method end
end

local HINTS = {allreduce = "all_reduce", Allreduce = "all_reduce", psum = "all_reduce", allgather = "all_gather",
  Allgather = "all_gather", bcast = "broadcast", Bcast = "broadcast", alltoall = "all_to_all", Alltoall = "all_to_all",
  sendrecv = "send_recv", Sendrecv = "send_recv", Get_rank = "rank", Get_size = "size", Barrier = "barrier",
  Reduce = "reduce", Send = "send", Recv = "recv", Gather = "gather", Scatter = "scatter", Split = "split",
  reducescatter = "reduce_scatter", isend = "send(x, to, {blocking = false})",
  irecv = "recv(x, from, {blocking = false})"}

local meta = transfer.meta
meta.__metatable = nil

function meta.__index(comm, name)
  local method = methods[name]
  if method then return method end
  if name == "version" then return core.comm_version(comm.raw) end
  local near = HINTS[name] or suggest.find(tostring(name), methods)
  fail("a communicator has no field '%s'%s", tostring(name), suggest.phrase(near))
end

function meta.__newindex(_, name) fail("a communicator's field '%s' cannot be assigned", tostring(name)) end

function meta.__tostring(comm) return ("<communicator: rank %d of %d>"):format(comm.rank, comm.size) end

--- A communicator of C as an object; `device` is the rank's.
function M.new(raw, device)
  local rank, size, local_rank, local_size, engine, checks = core.comm_facts(raw)
  return setmetatable({raw = raw, rank = rank, size = size, local_rank = local_rank, local_size = local_size,
    device = device, backend = engine, checks = checks}, meta)
end

-- ---- parts ----

--- Waits until all ranks have come here.
---@usage cn.distributed.init():barrier() -->
function methods.barrier(comm)
  transfer.self(comm, "barrier")
  transfer.begin(comm, "barrier")
  transfer.run(comm, "barrier")
end

local read_split = args.reader("split", {"comm", "color", "key"}, 3)

--- The communicator of the ranks that give the same color. Follows mpi4py.MPI.Comm.Split.
---@param color integer|nil from 0; nil: this rank is in none
---@param key integer|nil ranks are numbered in the order of their keys; default: of their ranks here
---@return cuna.Communicator|nil
---@usage cn.distributed.init():split(0).size --> 1
function methods.split(...)
  local comm, color, key = read_split(...)
  transfer.self(comm, "split")
  color = color == nil and -1 or check.few(color, 2 ^ 30, "split", "color")
  key = key == nil and comm.rank or check.integer(key, "split", "key")
  if math.abs(key) >= 2 ^ 31 then fail("split: key is less than 2^31, got %s", check.show(key)) end
  core.comm_begin(comm.raw, "split")
  local raw = core.comm_split(comm.raw, color, key)
  return raw and M.new(raw, comm.device)
end

--- The communicator of the ranks on this machine.
---@return cuna.Communicator
---@usage cn.distributed.init():node().size --> 1
function methods.node(comm)
  transfer.self(comm, "node")
  core.comm_begin(comm.raw, "node")
  return M.new(core.comm_node(comm.raw), comm.device)
end

--- The ranks in rows and columns, or more dimensions: a communicator for each. Ranks are numbered in row-major order,
--- over dimensions in the order of their names. One split for each dimension. Follows
--- torch.distributed.device_mesh.init_device_mesh.
---@param sizes table<string, integer> how many ranks each dimension has, as {x = 2, y = 2}; in all as many as there are
---@return cuna.Mesh
---@usage cn.distributed.init():mesh({x = 1, y = 1}).x.size --> 1
function methods.mesh(...) return meshes.of(...) end

--- Frees a communicator that split or node made, by all its ranks. Communicators are not garbage: one that is not freed
--- lives as long as the process.
---@usage cn.distributed.init():split(0):free() -->
function methods.free(comm)
  transfer.self(comm, "free")
  if comm.raw == M.world then fail "free: the communicator of all ranks lives as long as the process" end
  core.comm_begin(comm.raw, "free")
  core.comm_free(comm.raw)
end

--- Moves on what was started with blocking = false, as far as it goes now.
---@usage cn.distributed.init():poll() -->
function methods.poll(comm)
  transfer.self(comm, "poll")
  core.comm_poll(comm.raw)
end

-- ---- values ----

local read_share = args.reader("share", {"comm", "value", "root"}, 3, true)

--- The Lua value of rank `root`, on all ranks.
---@param value any nil, booleans, numbers, strings, 64-bit integers, tables of them
---@param root integer|nil default 0
---@return any
---@usage cn.distributed.init():share({rate = 0.5}).rate --> 0.5
function methods.share(...)
  local comm, value, root = read_share(...)
  transfer.self(comm, "share")
  root = transfer.rank(root, 0, comm, "share", "root")
  local text = comm.rank == root and values.pack(value, "share") or nil
  core.comm_begin(comm.raw, "share", nil, nil, root)
  return values.unpack(core.comm_share(comm.raw, text, root))
end

--- The Lua values of all ranks, on all ranks: rank r's is at position r + 1.
---@param value any as of share
---@return any[]
---@usage cn.distributed.init():collect("here")[1] --> here
function methods.collect(comm, value)
  transfer.self(comm, "collect")
  local text = values.pack(value, "collect")
  core.comm_begin(comm.raw, "collect")
  local all = core.comm_collect(comm.raw, text)
  for i = 1, comm.size do all[i] = values.unpack(all[i]) end
  return all
end

local read_rng = args.reader("rng", {"comm", "seed"}, 2)

--- A generator of random numbers of this rank's own: its draws are independent of those of other ranks, and the same
--- for the same seed and rank. The functions of cn.random draw the same numbers on all ranks.
---@param seed integer|ffi.cdata*|integer[]|nil the same on all ranks; default: random numbers of rank 0's system
---@return cuna.Generator
---@usage cn.distributed.init():rng(7):random(2) == cn.random.default_rng(7):spawn(1)[1]:random(2) --> true
function methods.rng(...)
  local comm, seed = read_rng(...)
  transfer.self(comm, "rng")
  local parent = random.new(seed, "rng")
  local state = parent:get_state()
  if seed == nil then
    state.entropy = methods.share(comm, state.entropy)
  end
  state.children = comm.rank
  return parent:set_state(state):spawn(1)[1]
end

-- ---- lines ----

local function line_of(comm, ...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
  local prefix = ("[%d/%d] "):format(comm.rank, comm.size)
  return prefix .. table.concat(parts, "\t"):gsub("\n", "\n" .. prefix) .. "\n"
end

--- Prints the values of all ranks, in the order of ranks, by rank 0. Each line begins with rank and size.
---@param ... any as of print
---@usage cn.distributed.init():print("here") -->
function methods.print(comm, ...)
  transfer.self(comm, "print")
  local line = line_of(comm, ...)
  core.comm_begin(comm.raw, "print")
  local lines = core.comm_collect(comm.raw, line)
  if comm.rank == 0 then
    io.stdout:write(table.concat(lines))
    io.stdout:flush()
  end
end

--- Prints the values of this rank, without waiting for others: one write, whose lines begin with rank and size.
---@param ... any as of print
---@usage cn.distributed.init():log("here") -->
function methods.log(comm, ...)
  transfer.self(comm, "log")
  io.stdout:write(line_of(comm, ...))
  io.stdout:flush()
end

return M

--- distributed/init.lua: cn.distributed: one script in several processes, each with its own data.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local communicator = require "cuna.distributed.communicator"
local core = require "cuna.core"
local namespace = require "cuna.base.namespace"
local seeds = require "cuna.random.seed"

local M = {}

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

--- Gives the rank a device: CUNA_DEVICE, else one of the machine's GPUs, else the cpu device.
local function choose_device(raw)
  local rank, size, local_rank = core.comm_facts(raw)
  if size == 1 then return end
  local named = os.getenv "CUNA_DEVICE"
  local count = (named == nil or named == "") and core.check_cuda() and core.device_count "cuda" or 0
  if count > 0 then core.use_device(core.device("cuda:" .. local_rank % count)) end
  local device = core.current_device()
  core.comm_begin(raw, NAME)
  for _, kind in ipairs(core.comm_collect(raw, core.is_host(device) and "host" or "gpu")) do
    if kind == "gpu" then return check_gpus(raw, rank, device) end
  end
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
  world = communicator.new(raw)
  share_random(world)
  return world
end

return M

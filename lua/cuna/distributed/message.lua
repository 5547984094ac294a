--- message.lua: messages between two ranks, and the exchange of edges of blocks.
--
-- A message carries shape and dtype, which the receiver compares with what it expects. Messages pass through the host:
-- a GPU that sends waits for the receiver's, and what comes after it in its stream waits too. Edges are exchanged by
-- all ranks at once, on GPUs where NCCL can.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local requests = require "cuna.distributed.request"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"

local M = {methods = {}}
local methods = M.methods

local fail = check.fail
local HOST = transfer.HOST -- where messages travel

--- The other rank of a message.
local function other(value, comm, name, what)
  if value == nil then fail("%s: the rank is missing; ranks count from 0", name) end
  if transfer.rank(value, nil, comm, name, what) == comm.rank then
    fail("%s: %s is this rank itself, %d; write comm:send_recv(x, rank, x, rank)", name, what, value)
  end
  return value
end

--- Starts sending: a request of C.
local function start_sending(comm, x, to, name)
  local input = transfer.staged(x, HOST, name)
  return transfer.send(comm, false, {kind = "send", input = input, peer = to, name = name, signed = x, root = to})
end

--- Receives into the array x.
local function receive_into(comm, x, from, name)
  local host = transfer.room(x.shape, x.dtype, x.device, HOST, name)
  transfer.begin(comm, name, nil, x, from)
  if not core.is_preparing() then
    core.comm_hear(comm.raw, from, x)
    core.comm_run(comm.raw, "recv", nil, nil, host, from)
  end
  core.copy(x, host, name)
  return x
end

--- Receives a new array on a device, of any shape.
local function receive_new(comm, from, device, name)
  transfer.begin(comm, name, nil, nil, from)
  local dtype, shape = core.comm_hear(comm.raw, from, nil)
  local host = transfer.room(shape, dtype, device, HOST, name)
  core.comm_run(comm.raw, "recv", nil, nil, host, from)
  return transfer.delivered(host, device, name)
end

--- A new array like `like`; the array itself is not read.
local function empty_like(like, name)
  like = transfer.operand(like, name)
  return core.empty_like(like, nil, name)
end

local read_send = args.reader("send", {"comm", "x", "to", "blocking"}, 2)

--- Sends x to another rank, which receives it by recv. Returns when x may be used again. Follows
--- cupyx.distributed.NCCLBackend.send.
---@param x cuna.Operand
---@param to integer
---@param blocking boolean|nil false: returns a cuna.Request at once
---@return cuna.Request|nil
---@usage cn.distributed.init().size > 1 and cn.distributed.init():send(cn.ones(3), 1) --> false
function methods.send(...)
  local comm, x, to, blocking = read_send(...)
  transfer.self(comm, "send")
  x, to = transfer.operand(x, "send"), other(to, comm, "send", "the receiver")
  blocking = check.boolean(blocking, true, "send", "blocking")
  if not blocking then return requests.new("send", {start_sending(comm, x, to, "send")}) end
  transfer.send(comm, true, {kind = "send", input = transfer.staged(x, HOST, "send"), peer = to, name = "send",
    signed = x, root = to})
end

local read_recv = args.reader("recv", {"comm", "like", "from", "blocking"}, 2)

--- The array that another rank sends. Follows cupyx.distributed.NCCLBackend.recv.
---@param like cuna.Operand|nil an array of the shape and dtype of the result, or nil for any; its elements are not read
---@param from integer
---@param blocking boolean|nil false, with `like`: returns a cuna.Request at once
---@return cuna.Array|cuna.Request on the device of `like`, else the current one
---@usage cn.distributed.init().size > 1 and cn.distributed.init():recv(nil, 0) --> false
function methods.recv(...)
  local name = "recv"
  local comm, like, from, blocking = read_recv(...)
  transfer.self(comm, name)
  from = other(from, comm, name, "the sender")
  if check.boolean(blocking, true, name, "blocking") then
    if like == nil then return receive_new(comm, from, core.current_device(), name) end
    return receive_into(comm, empty_like(like, name), from, name)
  end
  if like == nil then fail "recv: blocking = false needs an array of the shape and dtype of the message" end
  return M.start_receiving(comm, empty_like(like, name), from, name)
end

--- Starts receiving into x: a request.
function M.start_receiving(comm, x, from, name)
  local host = transfer.room(x.shape, x.dtype, x.device, HOST, name)
  local raw = transfer.send(comm, false, {kind = "recv", output = host, peer = from, name = name, signed = x,
    root = from})
  return requests.new(name, {raw}, function()
    core.copy(x, host, name)
    return x
  end)
end

local read_recv_in = args.reader("recv_", {"comm", "x", "from", "blocking"}, 2)

--- Receives into x, whose shape and dtype are the message's.
---@param x cuna.Array
---@param from integer
---@param blocking boolean|nil
---@return cuna.Array|cuna.Request x
---@usage cn.distributed.init().size > 1 and cn.distributed.init():recv_(cn.zeros(3), 0) --> false
function methods.recv_(...)
  local name = "recv_"
  local comm, x, from, blocking = read_recv_in(...)
  transfer.self(comm, name)
  x, from = transfer.target(x, name), other(from, comm, name, "the sender")
  if check.boolean(blocking, true, name, "blocking") then return receive_into(comm, x, from, name) end
  return M.start_receiving(comm, x, from, name)
end

--- Sends and receives at once; what is nil is left out.
local function exchange(comm, x, to, like, from, name)
  local raw = to and start_sending(comm, x, to, name)
  local got = from and receive_into(comm, like, from, name)
  if raw then core.comm_wait(raw) end
  return got
end

local read_exchange = args.reader("send_recv", {"comm", "x", "to", "like", "from"}, 5)

--- Sends x to one rank and receives from another at the same time, so that all ranks may do so in a circle. At an edge
--- one of the ranks is nil. Follows cupyx.distributed.NCCLBackend.send_recv.
---@param x cuna.Operand|nil nil without `to`
---@param to integer|nil
---@param like cuna.Operand|nil an array of the shape and dtype of the result; default: x
---@param from integer|nil
---@return cuna.Array|nil nil without `from`
---@usage cn.distributed.init():send_recv(cn.ones(2), 0, cn.ones(2), 0) --> [1. 1.]
function methods.send_recv(...)
  local name = "send_recv"
  local comm, x, to, like, from = read_exchange(...)
  transfer.self(comm, name)
  to, from = transfer.rank(to, nil, comm, name, "the receiver"), transfer.rank(from, nil, comm, name, "the sender")
  if to ~= nil or like == nil and from ~= nil then x = transfer.operand(x, name) end
  if (to == comm.rank) ~= (from == comm.rank) then
    fail("%s: this rank sends to itself, and receives from another; both are needed", name)
  elseif to == comm.rank then
    return core.cast(x, nil, name)
  end
  like = from and empty_like(like == nil and x or like, name)
  return exchange(comm, x, to, like, from, name)
end

-- ---- edges ----

--- The ranks before and after this one; nil at an end.
local function neighbours(comm, periodic)
  local before, after = comm.rank - 1, comm.rank + 1
  if periodic then return before % comm.size, after % comm.size end
  return before >= 0 and before or nil, after < comm.size and after or nil
end

--- Compares what all ranks exchange: blocks may differ in length along the axis.
local function begin_halo(comm, x, axis, width, periodic, place, name)
  local lengths = {unpack(x.shape)}
  lengths[axis] = "..."
  transfer.begin(comm, name, nil, nil, nil, false, ("%s (%s), width %d%s%s"):format(x.dtype,
    table.concat(lengths, ", "), width, periodic and ", periodic" or "", place ~= HOST and ", on a GPU" or ""), place)
end

--- Exchanges contiguous copies of edges on the device.
local function exchange_there(comm, inner, outer, to, from, name)
  local input = to and core.cast(inner, nil, name)
  local output = from and core.empty_like(outer, nil, name)
  core.comm_exchange(comm.raw, input, to, output, from)
  if output then core.copy(outer, output, name) end
end

--- Copies the edge to the neighbour in one direction, into its outer part. A single rank is its own neighbour.
local function exchange_edge(comm, inner, outer, to, from, place, name)
  if to == comm.rank then
    core.copy(outer, core.cast(inner, nil, name), name)
  elseif core.is_preparing() then
    return
  elseif place ~= HOST then
    exchange_there(comm, inner, outer, to, from, name)
  else
    exchange(comm, to and core.cast(inner, nil, name), to, outer, from, "send_recv")
  end
end

--- Fills the outer parts of x from its neighbours' inner ones.
local function fill_edges(comm, x, axis, width, periodic, name)
  local before, after = neighbours(comm, periodic)
  local length, place = x.shape[axis], transfer.place(comm, x.device, "send", x.dtype)
  local function part(first) return slices.part(x, axis, first, width) end
  begin_halo(comm, x, axis, width, periodic, place, name)
  exchange_edge(comm, part(width + 1), part(length - width + 1), before, after, place, name)
  exchange_edge(comm, part(length - 2 * width + 1), part(1), after, before, place, name)
  if not core.is_preparing() then core.comm_end(comm.raw) end
  return x
end

local function check_halo(x, axis, width, least, name)
  axis, width = core.axis(axis == nil and 1 or axis, x.ndim, name), width == nil and 1 or width
  width = check.count(width, name, "width")
  if width < 1 or x.shape[axis] < least * width then
    fail("%s: width %s does not fit axis %d of shape %s: its length is at least %d times as much", name,
      tostring(width), axis, tostring(x.shape), least)
  end
  return axis, width
end

local read_halo_in = args.reader("halo_", {"comm", "x", "axis", "width", "periodic"}, 2)

--- Fills the edges of a block with copies of its neighbours' elements. Blocks lie one after the other along an axis, in
--- the order of ranks; each has `width` positions more on either side, which belong to the ranks before and after it.
--- At the ends of the whole these remain, unless it is periodic.
---@param x cuna.Array blocks may have other lengths along the axis
---@param axis integer|nil default 1
---@param width integer|nil default 1
---@param periodic boolean|nil whether the last rank's neighbour is the first; default false
---@return cuna.Array x
---@usage cn.distributed.init():halo_(cn.array {0, 1, 2, 0}, {periodic = true}) --> [2. 1. 2. 1.]
function methods.halo_(...)
  local name = "halo_"
  local comm, x, axis, width, periodic = read_halo_in(...)
  transfer.self(comm, name)
  x = transfer.target(x, name)
  axis, width = check_halo(x, axis, width, 3, name)
  return fill_edges(comm, x, axis, width, check.boolean(periodic, false, name, "periodic"), name)
end

local read_halo = args.reader("halo", {"comm", "x", "axis", "width", "periodic", "value"}, 2)

--- A block with copies of its neighbours' elements on either side: a new array, longer by twice the width along the
--- axis. At the ends of the whole these elements are `value`, unless it is periodic.
---@param x cuna.Operand blocks may have other lengths along the axis
---@param axis integer|nil default 1
---@param width integer|nil default 1
---@param periodic boolean|nil default false
---@param value number|nil default 0
---@return cuna.Array
---@usage cn.distributed.init():halo({1, 2}) --> [0. 1. 2. 0.]
---@usage cn.distributed.init():halo({1, 2}, {periodic = true}) --> [2. 1. 2. 1.]
function methods.halo(...)
  local name = "halo"
  local comm, x, axis, width, periodic, value = read_halo(...)
  transfer.self(comm, name)
  x = transfer.operand(x, name)
  axis, width = check_halo(x, axis, width, 1, name)
  value = check.number(value == nil and 0 or value, name, "value")
  local shape, length = x.shape, x.shape[axis]
  shape[axis] = length + 2 * width
  local out = core.fill(core.empty(shape, x.dtype, x.device, name), value)
  core.copy(slices.part(out, axis, width + 1, length), x, name)
  return fill_edges(comm, out, axis, width, check.boolean(periodic, false, name, "periodic"), name)
end

return M

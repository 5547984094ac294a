--- move.lua: what communicators move: broadcasts, gathers, scatters, exchanges.
--
-- Parts lie along the first axis, whose lengths may differ among ranks: these travel first.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local requests = require "cuna.distributed.request"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"

local M = {methods = {}}
local methods = M.methods

local fail = check.fail

--- x with at least one axis.
local function with_axis(x, name) return x.ndim > 0 and x or core.reshape(x, {1}, name) end

-- ---- broadcasts ----

--- Begins a call in which the root's array is known to the root only: there x as it travels; shape and dtype of x, the
--- device of the result, and where x travels.
local function received(comm, x, root, name)
  local place = x and transfer.place(comm, x.device, name, x.dtype) or transfer.HOST
  local staged = x and transfer.staged(x, place, name) or nil
  core.comm_begin(comm.raw, name, nil, nil, root)
  local dtype, shape, on_device = core.comm_header(comm.raw, staged, root)
  if on_device and not x then place = comm.device end
  return staged, shape, dtype, x and x.device or core.current_device(), place
end

local read_broadcast = args.reader("broadcast", {"comm", "x", "root"}, 2)

--- The array of rank `root`, on all ranks: there x itself, on the others a new array on the current device. What they
--- give is not read.
---@param x cuna.Operand|nil
---@param root integer|nil default 0
---@return cuna.Array
---@usage cn.distributed.init():broadcast({1, 2}) --> [1. 2.]
function methods.broadcast(...)
  local name = "broadcast"
  local comm, x, root = read_broadcast(...)
  transfer.self(comm, name)
  root = transfer.rank(root, 0, comm, name, "root")
  local is_root = comm.rank == root
  if is_root then x = transfer.operand(x, name) end
  if core.is_preparing() then return transfer.operand(x, name) end
  local staged, shape, dtype, device, place = received(comm, is_root and x or nil, root, name)
  local got = staged or transfer.room(shape, dtype, device, place, name)
  core.comm_run(comm.raw, name, nil, staged, got, root)
  return is_root and x or transfer.delivered(got, device, name)
end

--- Broadcasts into x; a request of C if it was started, and what ends it.
local function fill_from(comm, x, root, blocking, detail)
  local name = "broadcast_"
  local place = transfer.place(comm, x.device, "broadcast", x.dtype)
  local host = transfer.staged(x, place, name)
  local raw = transfer.send(comm, blocking, {kind = "broadcast", output = host,
    input = comm.rank == root and host or nil, peer = root, name = name, signed = x, root = root, detail = detail,
    place = place})
  return raw, function()
    if comm.rank ~= root and not rawequal(host, x) then core.copy(x, host, name) end
  end
end

local read_fill = args.reader("broadcast_", {"comm", "x", "root", "blocking"}, 2)

--- Replaces x by the array of rank `root`, which has the same shape and dtype. Follows
--- cupyx.distributed.NCCLBackend.broadcast.
---@param x cuna.Array|cuna.Array[]
---@param root integer|nil default 0
---@param blocking boolean|nil false: returns a cuna.Request at once
---@return cuna.Array|cuna.Array[]|cuna.Request x
---@usage cn.distributed.init():broadcast_(cn.ones(2)) --> [1. 1.]
function methods.broadcast_(...)
  local name = "broadcast_"
  local comm, x, root, blocking = read_fill(...)
  transfer.self(comm, name)
  root, blocking = transfer.rank(root, 0, comm, name, "root"), check.boolean(blocking, true, name, "blocking")
  local list, raws, ends = transfer.list(x, name) or {transfer.target(x, name)}, {}, {}
  for i, one in ipairs(list) do
    local detail = #list > 1 and ("%d of %d"):format(i, #list) or nil
    raws[#raws + 1], ends[i] = fill_from(comm, transfer.target(one, name), root, blocking, detail)
  end
  local function finish()
    for _, done in ipairs(ends) do done() end
    return x
  end
  if blocking then return finish() end
  return requests.new(name, raws, finish)
end

-- ---- gathers ----

--- Gathers to rank `root`, or to all.
local function gather(comm, x, root, blocking, kind)
  transfer.self(comm, kind)
  x = with_axis(transfer.operand(x, kind), kind)
  local shape, row, place = x.shape, transfer.row_size(x.shape), transfer.place(comm, x.device, kind, x.dtype)
  local is_receiver, lengths, input = root == nil or root == comm.rank, {}, transfer.staged(x, place, kind)
  if blocking then
    transfer.begin(comm, kind, nil, x, root, true, nil, place)
    lengths = transfer.numbers(comm, {shape[1]})
  else
    for i = 1, comm.size do lengths[i] = shape[1] end
  end
  local counts = transfer.times(lengths, row)
  shape[1] = 0
  for _, length in ipairs(lengths) do shape[1] = shape[1] + length end
  local host = is_receiver and transfer.room(shape, x.dtype, x.device, place, kind) or nil
  local function finish() return host and transfer.delivered(host, x.device, kind) end
  if blocking then
    transfer.run(comm, kind, nil, input, host, root, nil, counts)
    return finish()
  end
  return requests.new(kind, {transfer.send(comm, false, {kind = kind, input = input, output = host, peer = root,
    out_counts = counts, name = kind, signed = x, root = root, place = place,
    detail = "without waiting"})}, finish)
end

local read_all_gather = args.reader("all_gather", {"comm", "x", "blocking"}, 2)

--- The arrays of all ranks joined along the first axis, on all ranks. The lengths of that axis may differ, unless
--- blocking is false; a 0-d array counts as one of length 1. Follows cupyx.distributed.NCCLBackend.all_gather, which
--- has a new axis.
---@param x cuna.Operand
---@param blocking boolean|nil false: returns a cuna.Request at once
---@return cuna.Array|cuna.Request
---@usage cn.distributed.init():all_gather({{1, 2}}).shape --> (1, 2)
function methods.all_gather(...)
  local comm, x, blocking = read_all_gather(...)
  return gather(comm, x, nil, check.boolean(blocking, true, "all_gather", "blocking"), "all_gather")
end

local read_gather = args.reader("gather", {"comm", "x", "root", "blocking"}, 2)

--- The arrays of all ranks joined along the first axis, as all_gather, on one rank only.
---@param x cuna.Operand
---@param root integer|nil default 0
---@param blocking boolean|nil
---@return cuna.Array|cuna.Request|nil nil on other ranks
---@usage cn.distributed.init():gather(5) --> [5.]
function methods.gather(...)
  local comm, x, root, blocking = read_gather(...)
  root = transfer.rank(root, 0, transfer.self(comm, "gather"), "gather", "root")
  return gather(comm, x, root, check.boolean(blocking, true, "gather", "blocking"), "gather")
end

local read_scatter = args.reader("scatter", {"comm", "x", "root"}, 2)

--- This rank's part of the array of rank `root`. Parts are those of cn.array_split along the first axis.
---@param x cuna.Operand|nil on `root`; what others give is not read
---@param root integer|nil default 0
---@return cuna.Array on the device of x there, on the current device elsewhere
---@usage cn.distributed.init():scatter({1, 2, 3}) --> [1. 2. 3.]
function methods.scatter(...)
  local name = "scatter"
  local comm, x, root = read_scatter(...)
  transfer.self(comm, name)
  root = transfer.rank(root, 0, comm, name, "root")
  local is_root = comm.rank == root
  if is_root then x = with_axis(transfer.operand(x, name), name) end
  if core.is_preparing() then return transfer.operand(x, name) end
  local staged, shape, dtype, device, place = received(comm, is_root and x or nil, root, name)
  local lengths = transfer.lengths(shape[1], comm.size)
  local counts = transfer.times(lengths, transfer.row_size(shape))
  shape[1] = lengths[comm.rank + 1]
  local host = transfer.room(shape, dtype, device, place, name)
  core.comm_run(comm.raw, name, nil, staged, host, root, counts)
  return transfer.delivered(host, device, name)
end

-- ---- exchanges ----

--- Each rank's list of parts, by counts that all ranks learn.
local function exchange_lists(comm, list, name)
  local first = list[1]
  local place = transfer.place(comm, first.device, name, first.dtype)
  local shape = first.shape
  shape[1] = 0
  local rows, parts = {}, {}
  for i, x in ipairs(list) do
    local own = x.shape
    rows[i], own[1] = own[1], 0
    if x.dtype ~= first.dtype or tostring(own) ~= tostring(shape) or x.device ~= first.device then
      fail("%s: the arrays of the list differ in more than the length of their first axis: 1 and %d", name, i)
    end
    parts[i] = transfer.staged(x, place, name)
  end
  transfer.begin(comm, name, nil, first, nil, true, "of " .. #list, place)
  local all, got, row, total = transfer.numbers(comm, rows), {}, transfer.row_size(first.shape), 0
  for rank = 0, comm.size - 1 do
    got[rank + 1] = all[rank * comm.size + comm.rank + 1]
    total = total + got[rank + 1]
  end
  shape[1] = total
  local host = transfer.room(shape, first.dtype, first.device, place, name)
  transfer.run(comm, name, nil, core.join(parts, 1, false, nil, nil, name), host, nil, transfer.times(rows, row),
    transfer.times(got, row), true)
  local whole, out, at = transfer.delivered(host, first.device, name), {}, 1
  for i, length in ipairs(got) do
    out[i] = slices.part(whole, 1, at, length)
    at = at + length
  end
  return out
end

local read_exchange = args.reader("all_to_all", {"comm", "x", "blocking"}, 2)

--- Sends position r + 1 along the first axis of x to rank r; the result has at position r + 1 what rank r sent. x may
--- be a list with an array for each rank instead, whose first axes may have any lengths; then the result is a list.
--- Follows cupyx.distributed.NCCLBackend.all_to_all.
---@param x cuna.Operand|cuna.Array[] the first axis is as long as there are ranks
---@param blocking boolean|nil false, not for lists: returns a cuna.Request at once
---@return cuna.Array|cuna.Array[]|cuna.Request
---@usage cn.distributed.init():all_to_all({{1, 2}}) --> [[1. 2.]]
function methods.all_to_all(...)
  local name = "all_to_all"
  local comm, x, blocking = read_exchange(...)
  transfer.self(comm, name)
  blocking = check.boolean(blocking, true, name, "blocking")
  local list = transfer.list(x, name)
  if not list then x = transfer.operand(x, name) end
  local length = list and #list or x.ndim > 0 and x.shape[1] or 0
  if length ~= comm.size then
    fail("%s: expected %s for each of %d ranks, got %s", name, list and "an array" or "a position of the first axis",
      comm.size, list and #list .. " arrays" or "shape " .. tostring(x.shape))
  elseif list then
    if not blocking then fail("%s: a list waits for the other ranks; leave out blocking = false", name) end
    for i, part in ipairs(list) do list[i] = with_axis(part, name) end
    return exchange_lists(comm, list, name)
  end
  local place = transfer.place(comm, x.device, name, x.dtype)
  local counts, host = {}, transfer.room(x.shape, x.dtype, x.device, place, name)
  for i = 1, comm.size do counts[i] = x.size / comm.size end
  local raw = transfer.send(comm, blocking, {kind = name, input = transfer.staged(x, place, name), output = host,
    in_counts = counts, out_counts = counts, name = name, signed = x, place = place})
  local function finish() return transfer.delivered(host, x.device, name) end
  if blocking then return finish() end
  return requests.new(name, {raw}, finish)
end

return M

--- transfer.lua: what all calls of communicators share: arrays in the host's memory, ranks as arguments, transfers.
--
-- C takes contiguous arrays of the host, and of the rank's GPU where NCCL moves them; others pass through pinned memory
-- of the host. In a rehearsal (cn.prepare) nothing is sent, and results have the shapes that they will have.
local check = require "cuna.base.check"
local core = require "cuna.core"
local operands = require "cuna.base.operands"

local M = {}

local fail = check.fail
local HOST = core.device "cpu"
M.HOST = HOST

M.meta = {} -- of communicators; communicator.lua fills it in
M.mesh_meta = {} -- of meshes: mesh.lua

--- Rejects values other than communicators: a method is called with a colon.
function M.self(comm, name)
  if type(comm) == "table" and getmetatable(comm) == M.meta then return comm end
  fail("%s: a communicator's function is called with a colon: comm:%s(...)", name, name)
end

--- A rank of the communicator; `default` for nil.
function M.rank(value, default, comm, name, what)
  if value == nil then return default end
  if type(value) ~= "number" or value ~= math.floor(value) or value < 0 or value >= comm.size then
    fail("%s: %s is a rank from 0 to %d, got %s", name, what, comm.size - 1, check.no_number(value))
  end
  return value
end

--- Where arrays of a device travel: there, or in the host's memory.
function M.place(comm, device, kind, dtype)
  return device ~= HOST and core.comm_carries(comm.raw, device, kind, nil, dtype) and device or HOST
end

--- The elements of x in contiguous memory of a place: x itself where it is that.
function M.staged(x, place, name)
  if x.device == place then return operands.row_major(x, name) end
  core.check_waiting(name)
  local made = core.empty_pinned(x.shape, x.dtype, name)
  core.copy(made, x, name)
  return made
end

--- A new array of a place for what arrives for a device.
function M.room(shape, dtype, device, place, name)
  if device == place or place ~= HOST then return core.empty(shape, dtype, place, name) end
  return core.empty_pinned(shape, dtype, name)
end

--- What arrived, on its device.
function M.delivered(got, device, name)
  if got.device == device then return got end
  return core.as_array(got, nil, device, name)
end

--- An array for a call; numbers and nested tables are converted.
function M.operand(x, name) return core.is_alive(x) and x or check.array(x, name) end

--- An array that a call writes to.
function M.target(x, name) return check.writable(check.self(x, name), name) end

--- The numbers of all ranks in a list: `own` numbers of rank 0 first. After core.comm_begin.
function M.numbers(comm, own)
  if not core.is_preparing() then return core.comm_numbers(comm.raw, own) end
  local all = {}
  for rank = 0, comm.size - 1 do
    for i, number in ipairs(own) do all[rank * #own + i] = number end
  end
  return all
end

--- Begins a call: compares what the ranks call. `place`: where the array travels, by default in the host's memory.
function M.begin(comm, name, op, array, peer, uneven, detail, place)
  if core.is_preparing() then return end
  core.comm_begin(comm.raw, name, op, array, peer, uneven, detail, (place or HOST) ~= HOST)
end

--- Runs a transfer of a call that has begun.
function M.run(comm, ...)
  if not core.is_preparing() then core.comm_run(comm.raw, ...) end
end

--- Begins and runs a transfer, or starts it; then it returns a request. What stays on a device never waits: it runs.
---@param call table kind, op, input, output, peer, in_counts, out_counts, place; name, title of the op, signed, root,
---  detail
function M.send(comm, blocking, call)
  if core.is_preparing() then return nil end
  local on_device = (call.place or HOST) ~= HOST
  if not (blocking or on_device) then
    return core.comm_start(comm.raw, call.kind, call.op, call.input, call.output, call.peer, call.in_counts,
      call.out_counts, false, call.name, call.title, call.signed, call.root, false, call.detail)
  end
  core.comm_begin(comm.raw, call.name, call.title, call.signed, call.root, false, call.detail, on_device)
  core.comm_run(comm.raw, call.kind, call.op, call.input, call.output, call.peer, call.in_counts, call.out_counts)
end

--- The lengths of `count` parts of a first axis, as array_split's: the first ones are longer by one.
function M.lengths(length, count)
  local lengths, least = {}, math.floor(length / count)
  for i = 1, count do lengths[i] = least + (i <= length % count and 1 or 0) end
  return lengths
end

--- Elements of a row of x: of one position of its first axis.
function M.row_size(shape)
  local size = 1
  for axis = 2, #shape do size = size * shape[axis] end
  return size
end

--- Each number times `factor`.
function M.times(list, factor)
  local out = {}
  for i, value in ipairs(list) do out[i] = value * factor end
  return out
end

--- A list of at least one array, which stands for several calls; nil for other values.
function M.list(x, name)
  if type(x) ~= "table" or not core.is_array(x[1]) then return nil end
  for i, value in ipairs(check.list(x, name, "arrays")) do
    if not core.is_array(value) then fail("%s: the list has an entry other than arrays, %d", name, i) end
    core.check_alive(value, name)
  end
  return x
end

return M

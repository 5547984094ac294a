--- transfer.lua: what all calls of communicators share: arrays in the host's memory, ranks as arguments, transfers.
--
-- C takes contiguous arrays of the host. Arrays of other devices pass through pinned memory. In a rehearsal
-- (cn.prepare) nothing is sent, and results have the shapes that they will have.
local check = require "cuna.base.check"
local core = require "cuna.core"
local operands = require "cuna.base.operands"

local M = {}

local fail = check.fail
local HOST = core.device "cpu"

M.meta = {} -- of communicators; communicator.lua fills it in

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

--- The elements of x in contiguous memory of the host: x itself where it is that.
function M.staged(x, name)
  if x.device == HOST then return operands.row_major(x, name) end
  core.check_waiting(name)
  local made = core.empty_pinned(x.shape, x.dtype, name)
  core.copy(made, x, name)
  return made
end

--- A new array of the host for what arrives for x's device.
function M.room(shape, dtype, device, name)
  if device == HOST then return core.empty(shape, dtype, HOST, name) end
  return core.empty_pinned(shape, dtype, name)
end

--- What arrived, on its device.
function M.delivered(host, device, name)
  if device == HOST then return host end
  return core.as_array(host, nil, device, name)
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

--- Begins a call: compares what the ranks call.
function M.begin(comm, name, op, array, peer, uneven, detail)
  if not core.is_preparing() then core.comm_begin(comm.raw, name, op, array, peer, uneven, detail) end
end

--- Runs a transfer of a call that has begun.
function M.run(comm, ...)
  if not core.is_preparing() then core.comm_run(comm.raw, ...) end
end

--- Begins and runs a transfer, or starts it; then it returns a request.
---@param call table kind, op, input, output, peer, in_counts, out_counts; name, title of the op, signed, root, detail
function M.send(comm, blocking, call)
  if core.is_preparing() then return nil end
  if not blocking then
    return core.comm_start(comm.raw, call.kind, call.op, call.input, call.output, call.peer, call.in_counts,
      call.out_counts, false, call.name, call.title, call.signed, call.root, false, call.detail)
  end
  core.comm_begin(comm.raw, call.name, call.title, call.signed, call.root, false, call.detail)
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

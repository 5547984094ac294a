--- window.lua: exchanges through windows: memory of each rank's GPU that the GPUs of the others write to.
--
-- One axis of an array is split, and another one is to be. Each rank writes its part of every other rank's block where
-- it belongs, row by row, while it still computes the next rows. All ranks meet twice, in the order of their streams:
-- when nobody reads a window any more, and when all is written. Where there are no windows, move.lua exchanges.
local core = require "cuna.core"
local later = require "cuna.base.later"
local layouts = require "cuna.distributed.array.layout"
local slices = require "cuna.base.slices"
local streams = require "cuna.device.stream"
local transfer = require "cuna.distributed.transfer"

local manipulate = later.functions "manipulate"

local M = {}

local KIND, ALIGNMENT = "all_to_all", 256
M.least = 2 ^ 20 -- bytes of a rank's block, below which one message to each rank is as fast
M.piece_nbytes = 2 ^ 26 -- what is computed goes in pieces of at least so many bytes, and arrives in groups of as many
M.pieces, M.groups = 3, 3 -- at most
local GROWTH = 1.5 -- of a piece beside the one before it, which travels longer than it is computed
local LINE = 64 -- elements: where rows begin elsewhere, copy engines are slower

--- What a communicator has for its exchanges: streams beside the current one, on which rows go and ranks meet, a number
--- that the ranks add, and the last plan, as programs repeat an exchange.
local function tools_of(comm, device)
  local tools = rawget(comm, "exchange_tools")
  if not tools then
    local Stream, how = streams.functions.Stream, {non_blocking = true, device = device}
    tools = {going = Stream(how), meeting = Stream(how), signal = core.empty({1}, "float32", device, "distributed")}
    core.fill(tools.signal, 0, "distributed")
    rawset(comm, "exchange_tools", tools)
  end
  return tools
end

--- Whether windows may serve an exchange of A along a split. The same on all ranks.
function M.serves(A, split)
  local comm, device = split.comm, A.block.device
  return core.comm_has_windows(comm.raw) and transfer.place(comm, device, KIND, A.dtype) ~= transfer.HOST
    and A.size > 0 and A.size * A.block.itemsize / comm.size >= M.least and not core.is_preparing()
    and not core.stream_info(core.current_stream(device), "is_capturing")
end

-- ---- plans ----

--- Axes as they lie in windows: with the axis that was split innermost where it is transformed there.
local function laid(x, plan) return plan.innermost and manipulate.moveaxis(x, plan.innermost, -1) or x end

--- What the windows will hold, by the first piece: shape, axis and old_axis as things lie there.
local function plan_of(first, split, axis, how)
  local shape, size = first.shape, split.comm.size
  local plan = {comm = split.comm, dtype = first.dtype, itemsize = first.itemsize, shape = shape,
    axis = axis, length = shape[axis], lengths = transfer.lengths(shape[axis], size),
    begins = layouts.begins(shape[axis], size), old_axis = split.axis, old_length = split.length,
    old_lengths = transfer.lengths(split.length, size), first = layouts.place(split),
    innermost = how.innermost and split.axis, is_packed = how.before or how.innermost, groups = 1}
  shape[split.axis] = split.length
  if how.innermost then
    table.insert(shape, table.remove(shape, split.axis))
    plan.axis, plan.old_axis = axis > split.axis and axis - 1 or axis, #shape
  end
  return plan
end

--- An array over a window's memory, with these lengths of the two axes.
local function over(plan, address, length, old_length, device, name)
  local shape, size = {unpack(plan.shape)}, plan.itemsize
  shape[plan.axis], shape[plan.old_axis] = length, old_length
  for _, along in ipairs(shape) do size = size * along end
  return core.array_at(core.adopt(device, address, size, plan.comm), 0, shape, plan.dtype, name)
end

--- Opens windows with room for what a plan sends and gets: their addresses, and where in one its rank packs.
local function open(plan, can_group)
  local comm, row = plan.comm, plan.itemsize
  for _, along in ipairs(plan.shape) do row = row * along end
  if can_group then -- the same on all ranks
    plan.groups = math.max(1, math.min(M.groups, plan.length, math.floor(row / comm.size / M.piece_nbytes)))
  end
  row = row / plan.length / plan.old_length
  local room = math.ceil(row * plan.lengths[1] * plan.old_length / ALIGNMENT) * ALIGNMENT
  local more = plan.is_packed and row * plan.old_lengths[1] * plan.length or 0
  return core.comm_window(comm.raw, room + more), room
end

--- Begins and lengths of the pieces that a block is computed, or packed, in.
local function pieces_of(block, axis, how)
  local length = block.shape[axis]
  if not (how.before or how.innermost) then return {{begin = 1, count = length}} end
  local most = math.max(1, math.min(M.pieces, length, math.floor(block.size * block.itemsize / M.piece_nbytes)))
  local unit = length >= 2 * most * LINE and LINE or 1
  local pieces, at = {}, 1
  for i = 1, most do
    local share = (GROWTH ^ i - 1) / (GROWTH ^ most - 1)
    local stop = i == most and length or math.max(at, math.floor(length * share / unit + 0.5) * unit)
    pieces[i] = {begin = at, count = stop + 1 - at}
    at = stop + 1
  end
  return pieces
end

--- The part of an array like rank r's block that belongs to a group: a range of the axis that is split now.
local function group_of(plan, r, group, groups, x)
  local begins = layouts.begins(plan.lengths[r], groups)
  return slices.part(x, plan.axis, begins[group], begins[group + 1] - begins[group])
end

--- How a piece goes to rank r: a list with the place and, where parts are packed, the source of each group.
local function put_of(plan, r, place, packed, groups)
  local put = {rank = r, packed = packed}
  for group = 1, groups do
    put[group] = {to = group_of(plan, r, group, groups, place),
      from = packed and group_of(plan, r, group, groups, packed)}
  end
  return put
end

--- Fills in what goes where: plan[i] has how a piece goes, to the next rank first, so that no two ranks write to one at
--- a time, and to this rank last. Parts are packed for others in the window, too: the pool's memory would let streams
--- wait for each other where it changes hands. The last piece goes in groups: with the first one computing begins.
local function arrange(plan, pieces, addresses, room, device, name)
  local size, own = plan.comm.size, plan.comm.rank + 1
  local at, places = addresses[own] + room, {}
  for r = 1, size do places[r] = over(plan, addresses[r], plan.lengths[r], plan.old_length, device, name) end
  plan.whole = places[own]
  for i, piece in ipairs(pieces) do
    plan[i] = {}
    for k = 1, size do
      local r, packed = (plan.comm.rank + k) % size + 1, nil
      local place = slices.part(places[r], plan.old_axis, plan.first + piece.begin - 1, piece.count)
      if plan.is_packed and r ~= own then
        packed = over(plan, at, plan.lengths[r], piece.count, device, name)
        at = at + packed.size * plan.itemsize
      end
      plan[i][k] = put_of(plan, r, place, packed, i == #pieces and r ~= own and plan.groups or 1)
    end
  end
end

--- The same plan, or the last one if that is the same and windows have not grown; nil where there are no windows.
local function ready(plan, pieces, can_group, tools, device, name)
  local addresses, room = open(plan, can_group)
  if not addresses then return nil end
  local key = table.concat({plan.dtype, plan.groups, plan.axis, plan.old_axis, plan.innermost or 0, #pieces,
    tostring(plan.is_packed ~= nil), addresses[plan.comm.rank + 1], unpack(plan.shape)}, " ")
  if tools.key ~= key then
    arrange(plan, pieces, addresses, room, device, name)
    tools.key, tools.plan = key, plan
  end
  return tools.plan
end

-- ---- sending ----

--- Lets a stream wait for what another one has been given so far.
local function wait(stream, other) stream:wait_event(other:record(core.event_create(false, true, false))) end

--- Calls fn with a stream current.
local function beside(stream, fn, ...)
  local before = core.use_stream(stream, "distributed")
  local ok, message = pcall(fn, ...)
  core.restore_stream(before)
  if not ok then error(message, 0) end
end

--- Has the ranks meet when each has come to where `stream` is now; tools.meeting is there when all have.
local function meet(comm, tools, stream)
  wait(tools.meeting, stream)
  beside(tools.meeting, transfer.run, comm, "all_reduce", "sum", nil, tools.signal)
end

--- Writes a piece's parts to their places: in the others' windows beside what is computed next, of the last piece the
--- first group; in this rank's at once.
local function send(plan, going, puts, piece, main, name)
  for _, put in ipairs(puts) do
    local part = slices.part(piece, plan.axis, plan.begins[put.rank], plan.lengths[put.rank])
    if put.packed then core.copy(put.packed, part, name) end
    if put.rank == plan.comm.rank + 1 then
      core.copy(put[1].to, part, name)
    else
      wait(going, main)
      beside(going, core.comm_put, put[1].to, put[1].from or part)
    end
  end
end

--- Writes another group of the last piece.
local function send_group(puts, group)
  for k = 1, #puts - 1 do core.comm_put(puts[k][group].to, puts[k][group].from) end
end

--- This rank's block, of what arrives: at once, or group by group.
local function received(plan, tools, main, how, name)
  local own, whole, groups = plan.comm.rank + 1, plan.whole, plan.groups
  local out = groups > 1 and core.empty(whole.shape, plan.dtype, whole.device, name)
  for group = 1, groups do
    meet(plan.comm, tools, tools.going)
    wait(main, tools.meeting)
    if not out then return how.after(whole) end
    if group < groups then beside(tools.going, send_group, plan[#plan], group + 1) end
    how.into(group_of(plan, own, group, groups, out), group_of(plan, own, group, groups, whole))
  end
  return out
end

--- The block of this rank with `axis` split instead of the split one, and that axis' length; nil where there are no
--- windows after all. It lies as in the window.
---@param how table before(part): what is computed of a part along the split axis, along others, or nil; after(x): the
---  block, of what arrived; into(out, x): the same of a part along `axis` for `out`, or nil; innermost: whether what
---  arrives lies with the axis that was split at its end
function M.exchange(block, split, axis, how, name)
  local comm, device = split.comm, block.device
  local pieces = pieces_of(block, split.axis, how)
  local function computed(piece)
    local part = slices.part(block, split.axis, piece.begin, piece.count)
    return how.before and how.before(part) or part
  end
  local first, tools, main = computed(pieces[1]), tools_of(comm, device), core.current_stream(device)
  local plan = plan_of(first, split, axis, how)
  transfer.begin(comm, KIND, nil, nil, nil, true, ("of %d, %s, by windows"):format(comm.size, plan.dtype), device)
  plan = ready(plan, pieces, how.into, tools, device, name)
  if not plan then return nil end
  meet(comm, tools, main)
  wait(tools.going, tools.meeting)
  for i, piece in ipairs(pieces) do
    local made = core.evaluate(laid(i == 1 and first or computed(piece), plan))
    send(plan, tools.going, plan[i], made, main, name)
  end
  return received(plan, tools, main, how, name), plan.length
end

return M

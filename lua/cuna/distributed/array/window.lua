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
M.piece_nbytes = 2 ^ 26 -- of what is computed before its rows go, in at most
M.pieces = 8
M.groups = 2 -- that a rank transforms while the next ones arrive

-- What a communicator has for its exchanges: a stream beside the current one, and a number that the ranks add.
local kept = setmetatable({}, {__mode = "k"})

local function tools_of(comm, device)
  local tools = kept[comm]
  if not tools then
    tools = {side = streams.functions.Stream {non_blocking = true, device = device},
      signal = core.empty({1}, "float32", device, "distributed")}
    core.fill(tools.signal, 0, "distributed")
    kept[comm] = tools
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

--- Begins and lengths of the pieces that a block is computed, or packed, in.
local function pieces_of(block, axis, how)
  local length = block.shape[axis]
  if not (how.before or how.innermost) then return {{begin = 1, count = length}} end
  local most = math.max(1, math.min(M.pieces, length, math.floor(block.size * block.itemsize / M.piece_nbytes)))
  local pieces, at = {}, 1
  for i, count in ipairs(transfer.lengths(length, most)) do
    pieces[i] = {begin = at, count = count}
    at = at + count
  end
  return pieces
end

-- ---- the plan of an exchange ----

--- Axes as they lie in windows: with the axis that was split innermost where it is transformed there.
local function laid(x, plan) return plan.innermost and manipulate.moveaxis(x, plan.innermost, -1) or x end

--- What the windows will hold, by the first piece: shape, axis and old_axis as things lie there.
local function plan_of(first, split, axis, how)
  local shape, size = first.shape, split.comm.size
  local plan = {comm = split.comm, dtype = first.dtype, itemsize = first.itemsize, shape = shape,
    axis = axis, length = shape[axis], lengths = transfer.lengths(shape[axis], size),
    begins = layouts.begins(shape[axis], size), old_axis = split.axis, old_length = split.length,
    old_lengths = transfer.lengths(split.length, size), innermost = how.innermost and split.axis,
    is_packed = how.before or how.innermost}
  shape[split.axis] = split.length
  if how.innermost then
    table.insert(shape, table.remove(shape, split.axis))
    plan.axis, plan.old_axis = axis > split.axis and axis - 1 or axis, #shape
  end
  return plan
end

--- An array over a window's bytes from `at` on, with these lengths of the two axes.
local function over(plan, address, at, length, old_length, device, name)
  local shape, size = {unpack(plan.shape)}, plan.itemsize
  shape[plan.axis], shape[plan.old_axis] = length, old_length
  for _, along in ipairs(shape) do size = size * along end
  return core.array_at(core.adopt(device, address + at, size, plan.comm), 0, shape, plan.dtype, name)
end

--- Opens windows with room for what a plan sends and gets: fills in `places`, all ranks' blocks, each in its
--- window, and `packs`, for what goes there, in this rank's. They are not the pool's, whose memory lets streams wait for
--- each other where it changes hands. False where there are no windows.
local function open(plan, device, name)
  local comm, row, at = plan.comm, plan.itemsize, 0
  for _, along in ipairs(plan.shape) do row = row * along end
  row = row / plan.length / plan.old_length
  plan.nbytes = row * plan.length * plan.old_length / comm.size
  local room = math.ceil(row * plan.lengths[1] * plan.old_length / ALIGNMENT) * ALIGNMENT
  local more = plan.is_packed and row * plan.old_lengths[1] * plan.length or 0
  local addresses = core.comm_window(comm.raw, room + more)
  if not addresses then return false end
  local own, count = addresses[comm.rank + 1] + room, plan.old_lengths[comm.rank + 1]
  plan.places, plan.packs = {}, plan.is_packed and {}
  for r = 1, comm.size do
    plan.places[r] = over(plan, addresses[r], 0, plan.lengths[r], plan.old_length, device, name)
    if plan.is_packed then plan.packs[r] = over(plan, own, at, plan.lengths[r], count, device, name) end
    at = at + row * plan.lengths[r] * count
  end
  return true
end

-- ---- sending ----

--- Lets a stream wait for what another one has been given so far.
local function wait(stream, other) stream:wait_event(other:record(core.event_create(false, true, false))) end

--- Waits, in the order of the current stream, until all ranks have come here.
local function meet(comm, signal) transfer.run(comm, "all_reduce", "sum", nil, signal) end

--- The other ranks, counted from 1, from the next one on: so no two ranks write to one at a time.
local function others(comm)
  local list = {}
  for k = 1, comm.size - 1 do list[k] = (comm.rank + k) % comm.size + 1 end
  return list
end

--- The part of an array like rank r's block that belongs to a group: a range of the axis that is split now.
local function group_of(plan, r, group, x)
  local begins = layouts.begins(plan.lengths[r], plan.groups)
  return slices.part(x, plan.axis, begins[group], begins[group + 1] - begins[group])
end

--- Gives a group of rank r's block to the side stream: the rows of `source`, from row `at` on of this rank's.
local function put(plan, side, r, group, source, at)
  local place = slices.part(plan.places[r], plan.old_axis, plan.first + at - 1, source.shape[plan.old_axis])
  side:with(core.comm_put, group_of(plan, r, group, place), group_of(plan, r, group, source))
end

--- Writes the first group of a piece, which begins with row `at` of this rank's, to the windows of the others, and its
--- part of this rank's own block.
local function send_piece(plan, tools, piece, at, name)
  local count, own, main = piece.shape[plan.old_axis], plan.comm.rank + 1, core.current_stream(piece.device)
  for _, r in ipairs(others(plan.comm)) do
    local part = slices.part(piece, plan.axis, plan.begins[r], plan.lengths[r])
    if plan.packs then
      local packed = slices.part(plan.packs[r], plan.old_axis, at, count)
      core.copy(packed, part, name)
      part = packed
    end
    wait(tools.side, main)
    put(plan, tools.side, r, 1, part, at)
  end
  core.copy(slices.part(plan.places[own], plan.old_axis, plan.first + at - 1, count),
    slices.part(piece, plan.axis, plan.begins[own], plan.lengths[own]), name)
end

--- Writes all rows of a later group to the windows of the others.
local function send_group(plan, tools, group)
  for _, r in ipairs(others(plan.comm)) do put(plan, tools.side, r, group, plan.packs[r], 1) end
end

--- This rank's block, of what arrives group by group.
local function received(plan, tools, main, how, name)
  local own, place = plan.comm.rank + 1, plan.places[plan.comm.rank + 1]
  local out = plan.groups > 1 and core.empty(place.shape, plan.dtype, place.device, name)
  for group = 1, plan.groups do
    if group > 1 then send_group(plan, tools, group) end
    tools.side:with(meet, plan.comm, tools.signal)
    wait(main, tools.side)
    if out then how.into(group_of(plan, own, group, out), group_of(plan, own, group, place)) end
  end
  return out or how.after(place)
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
  local first = computed(pieces[1])
  local plan = plan_of(first, split, axis, how)
  transfer.begin(comm, KIND, nil, nil, nil, true, ("of %d, %s, by windows"):format(comm.size, plan.dtype), device)
  if not open(plan, device, name) then return nil end
  local tools, main = tools_of(comm, device), core.current_stream(device)
  plan.first = layouts.place(split)
  plan.groups = how.into and plan.nbytes >= 2 * M.piece_nbytes and M.groups or 1 -- the same on all ranks
  meet(comm, tools.signal)
  for i, piece in ipairs(pieces) do
    send_piece(plan, tools, core.evaluate(laid(i == 1 and first or computed(piece), plan)), piece.begin, name)
  end
  return received(plan, tools, main, how, name), plan.length
end

return M

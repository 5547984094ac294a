--- move.lua: elements of arrays over ranks that go to other ranks: other layouts, the whole, rolls, edges.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local later = require "cuna.base.later"
local layouts = require "cuna.distributed.array.layout"
local make = require "cuna.distributed.array.make"
local object = require "cuna.distributed.array.object"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"
local windows = require "cuna.distributed.array.window"

local join, manipulate, rearrange = later.functions "join", later.functions "manipulate", later.functions "rearrange"

local M = {}

local fail = check.fail
local methods = object.methods

-- ---- the whole ----

--- A block with all positions along a split axis: one all_gather.
local function gathered(block, split)
  local axis = split.axis
  return manipulate.moveaxis(split.comm:all_gather(manipulate.moveaxis(block, axis, 1)), 1, axis)
end

--- The whole on this rank's device.
function M.whole(A)
  local block = A.block
  for _, split in ipairs(A.splits) do block = gathered(block, split) end
  return block
end

-- ---- layouts ----

local function product(shape)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return size
end

--- The elements of all parts in one line, and their counts.
local function packed(parts, name)
  local counts, total, at = {}, 0, 1
  for r, part in ipairs(parts) do
    counts[r] = part.size
    total = total + part.size
  end
  local line = core.empty({total}, parts[1].dtype, parts[1].device, name)
  for r, part in ipairs(parts) do
    core.copy(core.reshape(slices.part(line, 1, at, counts[r]), part.shape, name), part, name)
    at = at + counts[r]
  end
  return line, counts
end

--- Sends parts[r] to rank r - 1, and returns the line of elements that arrived, of which `counts` came from each: one
--- all_to_all. A rank knows its own counts only, so they travel apart.
local function exchange_line(comm, parts, counts, total, name)
  local line, given = packed(parts, name)
  local kind = "all_to_all"
  local place = transfer.place(comm, line.device, kind, line.dtype)
  local input, got = transfer.staged(line, place, name), transfer.room({total}, line.dtype, line.device, place, name)
  transfer.begin(comm, kind, nil, line, nil, true, "of " .. comm.size, place)
  transfer.run(comm, kind, nil, input, got, nil, given, counts, true)
  return transfer.delivered(got, line.device, name)
end

--- The same as parts, of the shapes that `shape_of(r)` says, and as one line.
local function exchange_parts(comm, parts, shape_of, name)
  local counts, total, got, at = {}, 0, {}, 1
  for r = 1, comm.size do
    counts[r] = product(shape_of(r))
    total = total + counts[r]
  end
  local line = exchange_line(comm, parts, counts, total, name)
  for r = 1, comm.size do
    got[r] = core.reshape(slices.part(line, 1, at, counts[r]), shape_of(r), name)
    at = at + counts[r]
  end
  return got, line
end

--- A block whose axis `axis` is split as `split` was, which is whole now: one all_to_all.
local function exchanged(block, split, axis, name)
  local comm, shape = split.comm, block.shape
  local before, after = transfer.lengths(split.length, comm.size), transfer.lengths(shape[axis], comm.size)
  local parts, begins = {}, layouts.begins(shape[axis], comm.size)
  for r = 1, comm.size do parts[r] = slices.part(block, axis, begins[r], after[r]) end
  shape[axis] = after[comm.rank + 1]
  local got, line = exchange_parts(comm, parts, function(r)
    shape[split.axis] = before[r]
    return shape
  end, name)
  if split.axis > 1 then return join.concatenate(got, split.axis) end
  shape[1] = split.length -- parts of the first axis arrive where they lie
  return core.reshape(line, shape, name)
end

--- An array of blocks like A's but that `axis`, of that length, is split instead of another one.
function M.over(A, block, split, axis, length)
  local splits = {layouts.moved(split, axis, length)}
  for _, other in ipairs(A.splits) do
    if other ~= split then splits[#splits + 1] = other end
  end
  return object.over(A, block, layouts.sorted(splits))
end

local AS_IT_IS = {after = function(x) return core.cast(x, nil, "reshard") end}

--- The array with a split along another axis, which is whole.
function M.exchange(A, split, axis, name)
  local block = windows.serves(A, split) and windows.exchange(A.block, split, axis, AS_IT_IS, name)
    or exchanged(A.block, split, axis, name)
  return M.over(A, block, split, axis, A.shape[axis])
end

local function of_name(splits, name)
  for _, split in ipairs(splits) do
    if split.name == name then return split end
  end
end

local function without(splits, gone)
  local left = {}
  for _, split in ipairs(splits) do
    if split ~= gone then left[#left + 1] = split end
  end
  return left
end

--- One step towards the splits that are wanted, for one dimension; nil where there is none.
local function step(A, wanted)
  for _, old in ipairs(A.splits) do
    local new = of_name(wanted, old.name)
    if not new then return object.over(A, gathered(A.block, old), without(A.splits, old)) end
    if new.axis ~= old.axis and not layouts.at(A.splits, new.axis) then
      return M.exchange(A, old, new.axis, "reshard")
    end
  end
  for _, new in ipairs(wanted) do
    if not of_name(A.splits, new.name) and not layouts.at(A.splits, new.axis) then
      local splits = {new, unpack(A.splits)}
      return object.over(A, core.cast(make.cut(A.block, {new}), nil, "reshard"), layouts.sorted(splits))
    end
  end
end

local function is_done(A, wanted)
  for _, new in ipairs(wanted) do
    local old = of_name(A.splits, new.name)
    if not old or old.axis ~= new.axis then return false end
  end
  return #wanted == #A.splits
end

--- The array in another layout. {axis = k}: split along axis k; one all_to_all. {}: everywhere, as a plain array; one
--- all_gather. Over a mesh, {x = 1, y = 2}: each dimension that changes is one all_to_all, or one all_gather where it
--- is left out.
---@param layout table
---@return cuna.DistributedArray|cuna.Array
---@usage cn.distributed.ones({2, 3}, nil, {axis = 1}):reshard({axis = 2}).layout.axis --> 2
---@usage cn.distributed.ones({2}, nil, {axis = 1}):reshard({}) --> [1. 1.]
function methods.reshard(A, layout)
  object.self(A, "reshard")
  local wanted, over = layouts.read(layout, A.shape, A, "reshard")
  if over.comm ~= A.comm or over.mesh ~= A.mesh then
    fail "reshard: an array stays with its communicator, or its mesh"
  end
  while not is_done(A, wanted) do
    local next_one = step(A, wanted)
    if not next_one then
      fail("reshard: %s to %s changes two dimensions for each other; leave one out first, as A:reshard {%s = %d}",
        layouts.text(A.splits), layouts.text(wanted), A.splits[1].name, A.splits[1].axis)
    end
    A = next_one
  end
  return #wanted == 0 and A.block or A
end

--- The whole in the host's memory, on every rank: one all_gather, over a mesh one for each split axis.
---@return cuna.Array
---@usage cn.distributed.ones({2}, nil, {axis = 1}):get() --> [1. 1.]
function methods.get(A) return transfer.delivered(M.whole(object.self(A, "get")), transfer.HOST, "get") end

-- ---- rolls ----

--- What one rank's block gives to the blocks of others, when positions move by `shift`: {rank, first in the block,
--- length} in the order of the block. The shift is not negative, and less than the length.
local function moves_of(split, shift, rank)
  local begins, moves = layouts.begins(split.length, split.comm.size), {}
  local at, last = begins[rank + 1], begins[rank + 2] - 1
  while at <= last do
    local to = (at - 1 + shift) % split.length + 1
    local owner = 0
    while begins[owner + 2] <= to do owner = owner + 1 end
    local length = math.min(last - at + 1, begins[owner + 2] - to)
    moves[#moves + 1] = {rank = owner, first = at - begins[rank + 1] + 1, length = length, to = to}
    at = at + length
  end
  return moves
end

--- The parts that this rank sends to each, joined where a block goes there in two parts.
local function parts_for(block, split, moves, name)
  local lists, parts = {}, {}
  for r = 1, split.comm.size do lists[r] = {} end
  for _, move in ipairs(moves) do
    local list = lists[move.rank + 1]
    list[#list + 1] = slices.part(block, split.axis, move.first, move.length)
  end
  for r, list in ipairs(lists) do
    parts[r] = #list > 1 and core.join(list, split.axis, false, nil, nil, name) or list[1]
      or slices.part(block, split.axis, 1, 0)
  end
  return parts
end

--- What arrived from all ranks, in the order of positions.
local function placed(got, split, moves_from, rank)
  local pieces = {}
  for r, part in ipairs(got) do
    local at = 1
    for _, move in ipairs(moves_from[r]) do
      if move.rank == rank then
        pieces[#pieces + 1] = {to = move.to, slices.part(part, split.axis, at, move.length)}
        at = at + move.length
      end
    end
  end
  table.sort(pieces, function(a, b) return a.to < b.to end)
  for i, piece in ipairs(pieces) do pieces[i] = piece[1] end
  return pieces
end

local function roll_split(A, shift, split)
  local comm, axis, block = split.comm, split.axis, A.block
  local moves_from = {}
  for r = 1, comm.size do moves_from[r] = moves_of(split, shift, r - 1) end
  local got = exchange_parts(comm, parts_for(block, split, moves_from[comm.rank + 1], "roll"), function(r)
    local shape = block.shape
    shape[axis] = 0
    for _, move in ipairs(moves_from[r]) do
      if move.rank == comm.rank then shape[axis] = shape[axis] + move.length end
    end
    return shape
  end, "roll")
  local pieces = placed(got, split, moves_from, comm.rank)
  return object.like(A, #pieces > 0 and join.concatenate(pieces, axis) or block)
end

local read_roll = args.reader("roll", {"A", "shift", "axis"}, 1)

--- Moves elements along an axis; those that leave at an end come in at the other. Along the split axis one all_to_all,
--- whose parts go to the ranks that get them; along others blocks alone. Follows numpy.roll, with one axis.
---@param shift integer positions; below 0: to the front
---@param axis integer default 1 where there is one axis
---@return cuna.DistributedArray
---@usage cn.distributed.array({1, 2, 3}, {axis = 1}):roll(1):get() --> [3. 1. 2.]
function methods.roll(...)
  local A, shift, axis = read_roll(...)
  object.self(A, "roll")
  shift = check.integer(shift, "roll", "shift")
  if axis == nil and A.ndim > 1 then fail "roll: an array over ranks is rolled along an axis; write A:roll(1, 2)" end
  axis = core.axis(axis == nil and 1 or axis, A.ndim, "roll")
  local split = layouts.at(A.splits, axis)
  if not split then return object.like(A, rearrange.roll(A.block, shift, axis)) end
  return split.length == 0 and A or roll_split(A, shift % split.length, split)
end

-- ---- edges ----

local read_halo = args.reader("halo", {"A", "width", "periodic", "value"}, 1)

--- This rank's block with `width` positions of its neighbours' on either side of the split axis: a plain array. At the
--- ends of the whole these are `value`, unless it is periodic. One exchange with each neighbour; over a mesh along one
--- split axis after the other, so that corners are filled too. cn.distributed.from_block makes an array of blocks.
---@param width integer|nil default 1; at most the length of the shortest block
---@param periodic boolean|nil default false
---@param value number|nil default 0
---@return cuna.Array
---@usage cn.distributed.array({1, 2}, {axis = 1}):halo() --> [0. 1. 2. 0.]
---@usage cn.distributed.array({1, 2}, {axis = 1}):halo(1, {periodic = true}) --> [2. 1. 2. 1.]
function methods.halo(...)
  local A, width, periodic, value = read_halo(...)
  object.self(A, "halo")
  width = check.count(width == nil and 1 or width, "halo", "width")
  local block = A.block
  for _, split in ipairs(A.splits) do
    local least = math.floor(split.length / split.comm.size)
    if width < 1 or width > least then
      fail("halo: width is from 1 to %d, the length of the shortest block, got %d", least, width)
    end
    block = split.comm:halo(block, split.axis, width, {periodic = periodic, value = value})
  end
  return block
end

return M

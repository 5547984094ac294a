--- sort.lua: orders of arrays over ranks: blocks along whole axes, and vectors over ranks.
--
-- A vector is sorted by regular samples (Shi and Schaeffer, Parallel sorting by regular sampling, 1992): blocks are
-- sorted, samples of all of them divide the values into as many ranges as there are ranks, each rank gets the elements
-- of its range and sorts them; then blocks get their lengths back. Equal elements go to one rank, in the order of
-- ranks, and all sorts are stable, so the result does not depend on the number of ranks.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local later = require "cuna.base.later"
local layouts = require "cuna.distributed.array.layout"
local object = require "cuna.distributed.array.object"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"

local create, search, sort = later.functions "create", later.functions "search", later.functions "sort"

local M = {}

local fail = check.fail
local methods = object.methods

-- ---- one rank's elements: values, and positions where these are asked for ----

--- Values in order, with their positions.
local function ordered(values, positions)
  if not positions then return sort.sort(values) end
  local order = sort.argsort(values)
  return values[order], positions[order]
end

--- Joins lists of parts.
local function joined(parts) return core.join(parts, 1, false, nil, nil, "sort") end

--- Sends parts of a vector to all ranks, which begin at `begins`: one all_to_all.
local function sent(comm, x, begins)
  local parts = {}
  for r = 1, comm.size do parts[r] = slices.part(x, 1, begins[r], begins[r + 1] - begins[r]) end
  return joined(comm:all_to_all(parts))
end

-- ---- ranges ----

--- The values that divide all ranks' elements into ranges: one all_gather of samples.
local function splitters(comm, values)
  local length, count, own = values.size, comm.size, {}
  for k = 0, math.min(count, length) - 1 do own[k + 1] = math.floor(k * length / math.min(count, length)) + 1 end
  local mine = length > 0 and values[core.as_array(own, "int64", values.device, "sort")] or values
  local all = sort.sort(comm:all_gather(mine))
  local places = {}
  for r = 1, count - 1 do places[r] = math.floor(r * all.size / count) + 1 end
  return all[core.as_array(places, "int64", values.device, "sort")]
end

--- Where the ranges begin in a block that is sorted, and one beyond its end.
local function range_begins(values, limits)
  local begins = {1}
  for r, begin in ipairs(search.searchsorted(values, limits):tolist()) do begins[r + 1] = tonumber(begin) end
  begins[#begins + 1] = values.size + 1
  return begins
end

-- ---- lengths ----

--- Where the blocks of the layout begin in what this rank has after `before` elements of others.
local function block_begins(split, before, length)
  local begins = layouts.begins(split.length, split.comm.size)
  for r, begin in ipairs(begins) do begins[r] = math.min(math.max(begin - before, 1), length + 1) end
  return begins
end

--- How many elements the ranks before this one have: one small all_gather.
local function count_before(comm, length)
  transfer.begin(comm, "sort", nil, nil, nil, true, "lengths")
  local before = 0
  for r, count in ipairs(transfer.numbers(comm, {length})) do before = before + (r <= comm.rank and count or 0) end
  return before
end

-- ---- the sort ----

local function sort_vector(A, split, positions)
  local comm = split.comm
  if split.length == 0 or comm.size == 1 then return ordered(A.block, positions) end
  local values
  values, positions = ordered(A.block, positions)
  local begins = range_begins(values, splitters(comm, values))
  positions = positions and sent(comm, positions, begins)
  values, positions = ordered(sent(comm, values, begins), positions)
  begins = block_begins(split, count_before(comm, values.size), values.size)
  return sent(comm, values, begins), positions and sent(comm, positions, begins)
end

--- The positions of a block's elements in the whole.
local function own_positions(A, split)
  local first, length = layouts.place(split)
  return create.arange(first, first + length, {dtype = "int64", device = A.device})
end

--- What is asked for along a split axis.
local function along_split(A, split, name)
  if A.ndim > 1 then
    fail("%s: axis %d is split; write A:reshard {axis = %d}, or A:reshard {}", name, split.axis,
      split.axis == 1 and 2 or 1)
  elseif name == "sort" then
    return object.like(A, (sort_vector(A, split)))
  end
  return object.like(A, (select(2, sort_vector(A, split, own_positions(A, split)))))
end

local function sorter(name)
  local read = args.reader(name, {"A", "axis"}, 1)
  return function(...)
    local A, axis = read(...)
    axis = core.axis(axis == nil and -1 or axis, object.self(A, name).ndim, name)
    local split = layouts.at(A.splits, axis)
    if split then return along_split(A, split, name) end
    return object.like(A, sort[name](A.block, axis))
  end
end

--- The elements in ascending order: along an axis that is not split blocks alone; of a vector an all_gather of samples,
--- an all_to_all to ranges of values, an all_gather of lengths, and an all_to_all to the blocks. Equal elements keep
--- their order; NaN is last. Follows numpy.sort.
---@param axis integer|nil default: the last
---@return cuna.DistributedArray
---@usage cn.distributed.array({{3, 1, 2}}, {axis = 1}):sort():get() --> [[1. 2. 3.]]
---@usage cn.distributed.array({3, 1, 2}, {axis = 1}):sort():get() --> [1. 2. 3.]
methods.sort = sorter "sort"

--- The positions of the elements in ascending order, as sort; of a vector positions travel too, by two more
--- all_to_alls. Follows numpy.argsort.
---@param axis integer|nil default: the last
---@return cuna.DistributedArray
---@usage cn.distributed.array({{3, 1, 2}}, {axis = 1}):argsort():get() --> [[2 3 1]]
---@usage cn.distributed.array({3, 1, 2}, {axis = 1}):argsort():get() --> [2 3 1]
methods.argsort = sorter "argsort"

return M

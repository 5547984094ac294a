--- near.lua: other lines of a sparse matrix where neighbouring lines have positions near each other.
--
-- The new lines come in parts, and a part reads the old lines that reach it (kernels/sparse_near.cuh). Which these
-- are is known from the least and the greatest position of a few hundred chunks. A small matrix is one part. Where
-- positions are far from each other, so that parts would read much, lines.lua takes elements through buckets.
local args = require "cuna.base.args"
local core = require "cuna.core"
local parts_of = require "cuna.sparse.parts"

local M = {}

local address, in_dtype = parts_of.address, parts_of.in_dtype
local CHUNKS, PARTS = 256, 16
local SMALL = 2 ^ 17 -- elements of a matrix that is one part if its positions are far from each other
local MOST_READ = 1.5 -- as many elements as there are

local function run(what, ...) return parts_of.run("lines::" .. what, ...) end

--- Bounds of parts as an array, and their number.
local function plan_of(bounds, device, name)
  return {bounds = core.as_array(bounds, "int64", device, name), parts = #bounds / 2}
end

--- The least and the greatest position of each chunk, as lists.
function M.reaches(keys, name)
  local least = core.empty(CHUNKS, "int64", keys.device, name)
  local greatest = core.empty(CHUNKS, "int64", keys.device, name)
  run("reach_of_part", "inll", nil, keys.dtype, CHUNKS, name, address(keys), keys.size, address(least),
    address(greatest), CHUNKS)
  return least:totable(), greatest:totable()
end

--- As part_begin of the kernels.
local function begin_of(total, part, parts)
  local whole, rest = math.floor(total / parts), total % parts
  return whole * part + math.floor(rest * part / parts)
end

--- The elements that each part reads, and how many all of them read.
local function bounds_of(keys, length, name)
  local least, greatest = M.reaches(keys, name)
  local bounds, read, count = {}, 0, keys.size
  for part = 0, PARTS - 1 do
    local first, last, low, high = 1, CHUNKS, begin_of(length, part, PARTS), begin_of(length, part + 1, PARTS)
    while first <= CHUNKS and greatest[first] <= low do first = first + 1 end
    while last >= first and least[last] > high do last = last - 1 end
    local begin, stop = begin_of(count, first - 1, CHUNKS), begin_of(count, last, CHUNKS)
    bounds[2 * part + 1], bounds[2 * part + 2] = begin, math.max(begin, stop)
    read = read + math.max(0, stop - begin)
  end
  return bounds, read
end

--- The parts of elements that go to `length` lines; nil if these would read too much.
function M.plan(keys, length, name)
  local count = keys.size
  if count > SMALL / 8 and count >= CHUNKS then
    local bounds, read = bounds_of(keys, length, name)
    if read <= MOST_READ * count then return plan_of(bounds, keys.device, name) end
  end
  return count <= SMALL and plan_of({0, count}, keys.device, name) or nil
end

--- Elements of lines at `indptr` with `keys`, their new lines.
---@param plan table of the keys
---@param length integer how many lines the result has
---@param index string a dtype that has room for all positions
---@return cuna.Array data
---@return cuna.Array indices
---@return cuna.Array indptr
function M.turned(plan, keys, indptr, data, length, index, name)
  local device, bounds, parts = data.device, address(plan.bounds), plan.parts
  local ends, totals = core.empty(length + 1, index, device, name), core.empty(parts, "int64", device, name)
  local indices, made = core.empty(data.size, index, device, name), core.empty(data.shape, data.dtype, device, name)
  keys, indptr = in_dtype(keys, index, name), in_dtype(indptr, index, name)
  run("count_near", "ilnil", nil, index, parts, name, address(keys), bounds, length, address(ends), address(totals),
    parts)
  if parts > 1 then totals = args.namespace.cumsum(totals) - totals else totals:fill(0) end
  run("place_near", "iindlnliid", parts_of.moved_dtype(data), index, parts, name, address(keys), address(indptr),
    indptr.size - 1, parts_of.moved(data), bounds, length, address(totals), address(ends), address(indices),
    parts_of.moved(made), parts)
  return made, indices, ends
end

--- The product of the transpose of lines and a vector, as lines.summed_across has it.
function M.summed(plan, keys, indptr, data, x, length, name)
  local dtype = data.dtype
  local sums = core.empty(length, parts_of.sum_dtype(dtype), data.device, name)
  local seen, floors = parts_of.results_for(sums, name)
  run("sum_near", "iinddlnvbl", dtype, keys.dtype, plan.parts, name, address(keys),
    address(in_dtype(indptr, keys.dtype, name)), indptr.size - 1, address(data), address(x), address(plan.bounds),
    length, address(sums), address(seen), address(floors), plan.parts)
  return sums.dtype == dtype and sums or core.cast(sums, dtype, name)
end

return M

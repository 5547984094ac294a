--- bin_counts.lua: counts, or sums of weights, of bins that elements fall into, in one pass over the elements.
--
-- Memory has several copies of the counts. Each copy counts its share of the elements, and the copies are summed at the
-- end. If a block is one lane, each block has a copy, so that blocks run in parallel and elements are added in order.
-- Elsewhere copies spread the atomic additions, which would contend for few bins. The number of copies depends only on
-- the numbers of elements and bins, so if a block is one lane, sums of floats do not depend on the number of threads;
-- elsewhere weigh.lua sums them as integers.
local core = require "cuna.core"
local reduce = require "cuna.reduce"

local M = {}

local LINE = 16   -- counts of 8 bytes that a copy is padded to
local CHUNK = 1024 -- neighbours that share a copy, elsewhere
local ELEMENTS_PER_BIN = 8 -- and copy, at least
local ALONE, BESIDE = 16, 256 -- copies at most

--- How many copies there are for `size` elements, and how many elements each gets in one round.
local function share(size, bins, device)
  local alone = core.lanes(device) == 1
  local copies = math.min(alone and ALONE or BESIDE, math.floor(size / (ELEMENTS_PER_BIN * bins)))
  if not alone then copies = math.min(copies, math.floor(size / CHUNK)) end
  copies = math.max(copies, 1)
  if alone or copies == 1 then return copies, math.floor(size / copies), 1 end
  return copies, CHUNK, math.floor(size / (CHUNK * copies))
end

local function viewed(list, shape, steps, first)
  local views = {}
  for k, x in ipairs(list) do
    local stride, strides = x.strides[1] / x.itemsize, {}
    for axis = 1, #shape do strides[axis] = steps[axis] * stride end
    views[k] = core.view(x, shape, strides, first * stride)
  end
  return views
end

local function launch(program, name, shape, counts, walked, fixed)
  local operands = {counts, unpack(walked)}
  for _, operand in ipairs(fixed) do operands[#operands + 1] = operand end
  core.map(program, name, shape, {}, unpack(operands))
end

--- Runs a program that tallies: its inputs are the address of the counts, the elements, and what is the same for all.
---@param program userdata with order = "row"
---@param bins integer
---@param dtype string of the counts: int64, float64 or complex128
---@param elements cuna.Array[] 1-d, of one length
---@param fixed table operands
---@return cuna.Array 1-d, the counts
function M.tally(program, bins, dtype, elements, fixed, name)
  local size, device = elements[1].size, elements[1].device
  local copies, length, rounds = share(size, math.max(bins, 1), device)
  local pitch = copies > 1 and math.ceil(bins / LINE) * LINE or bins
  local counts = core.fill(core.empty({copies, pitch}, dtype, device, name), 0, name)
  if size == 0 or bins == 0 then return core.view(counts, {bins}, {1}, 0) end
  local shape, steps = {rounds, copies, length}, {copies * length, length, 1}
  launch(program, name, shape, core.view(counts, shape, {0, pitch, 0}, 0), viewed(elements, shape, steps, 0), fixed)
  local done = rounds * copies * length
  if done < size then
    local rest = {size - done}
    launch(program, name, rest, core.view(counts, rest, {0}, 0), viewed(elements, rest, {1}, done), fixed)
  end
  if copies == 1 then return core.view(counts, {bins}, {1}, 0) end
  return reduce.functions.sum(core.view(counts, {copies, bins}, {pitch, 1}, 0), 1)
end

return M

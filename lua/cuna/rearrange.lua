--- rearrange.lua: elements that come more than once, or go round.
--
-- What repeats is a broadcast view, copied in one pass; what rolls is copied in slices. Only counts that differ from
-- element to element take positions: their running sum says where each element's part of the result ends, and tiles of
-- the result look up whose part they begin in (kernels/gather.cuh).
local args = require "cuna.args"
local check = require "cuna.check"
local core = require "cuna.core"
local reducers = require "cuna.reducers"
local take = require "cuna.take"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- whole arrays, over and over ----

local SHORT = 1024 -- elements that a run of a copy should have at least

--- A vector's elements over and over, up to a count: a new vector. Short ones are repeated to longer ones first.
function M.cycle(x, count, name)
  local size = x.size
  if size < SHORT and count > 8 * SHORT then
    size = size * math.ceil(SHORT / size)
    x = M.cycle(x, size, name)
  end
  local out, whole = core.empty(count, x.dtype, x.device, name), math.floor(count / size)
  if whole > 0 then core.copy(core.view(out, {whole, size}, {size, 1}, 0), x, name) end
  local done = whole * size
  if done < count then out[{{done + 1, count}}] = x[{{1, count - done}}] end
  return out
end

--- The lengths of x and how often each comes, with leading ones so that there are as many of both.
local function paired(shape, times)
  local lengths, repeats = {}, {}
  local ndim = math.max(#shape, #times)
  for axis = 1, ndim do
    lengths[axis], repeats[axis] = shape[axis - ndim + #shape] or 1, times[axis - ndim + #times] or 1
  end
  return lengths, repeats
end

--- x with an axis of stride 0 in front of each axis that is repeated.
local function spread(x, lengths, times, name)
  local own, wide = {}, {}
  for axis, length in ipairs(lengths) do
    if times[axis] ~= 1 then own[#own + 1], wide[#wide + 1] = 1, times[axis] end
    if length ~= 1 or times[axis] == 1 then own[#own + 1], wide[#wide + 1] = length, length end
  end
  return core.broadcast_to(core.reshape(x, own, name), wide, name)
end

local read_tile = args.reader("tile", {"x", "reps"}, 2)

--- x over and over along each axis. Follows numpy.tile.
---@param x cuna.Operand
---@param reps integer|integer[] how often, of the last axes; more than x has axes make new ones in front
---@return cuna.Array a copy
---@usage cn.tile({1, 2}, 3) --> [1. 2. 1. 2. 1. 2.]
---@usage cn.tile({1, 2}, {2, 2}) --> [[1. 2. 1. 2.] [1. 2. 1. 2.]]
function F.tile(...)
  local x, reps = read_tile(...)
  x = check.array(x, "tile")
  if reps == nil then fail "tile: how often is missing" end
  local lengths, times = paired(x.shape, check.lengths(reps, "tile", "how often"))
  local shape, along, only = {}, 0, 0
  for axis, length in ipairs(lengths) do
    shape[axis] = length * times[axis]
    if times[axis] ~= 1 then along, only = along + 1, axis end
  end
  local size = 1
  for axis = 1, #shape do size = size * shape[axis] end
  local in_front = along == 1 and x.size > 0 and size > 0 -- so that x is repeated as it is
  for axis = 1, only - 1 do in_front = in_front and lengths[axis] == 1 end
  local made = in_front and M.cycle(core.reshape(x, -1, "tile"), size, "tile")
    or core.cast(spread(x, lengths, times, "tile"), nil, "tile")
  return core.reshape(made, shape, "tile")
end

-- ---- each element, again and again ----

local TILE = 32 -- results that one search serves
local checkers, summer, placer = {}, nil, nil -- programs

--- Counts as int64; what is none is reported.
local function counts_of(repeats, name)
  local dtype = repeats.dtype
  if dtype:find "^complex" then fail("%s: counts are whole numbers, got an array of %s", name, dtype) end
  checkers[dtype] = checkers[dtype] or core.program {gathers = true, output = "int64",
    inputs = {{dtype = dtype}, {dtype = "int64", scalar = true}},
    steps = {{name = "counted", expr = "counted(a, b)", dtype = "int64", args = {1, 2},
      arg_dtypes = {"float64", "int64"}}}}
  return core.map(checkers[dtype], name, nil, nil, repeats, core.report_slot(repeats.device, name))
end

--- Positions from 1 of elements that come as often as their counts say. `total` is the counts' sum where it is known;
--- else this waits for it.
local function positions_of(counts, total, name)
  summer = summer or core.program {inputs = {{dtype = "int64"}}, scan = "inclusive",
    reducer = reducers.row("sum", "int64"), accumulator = "int64", steps = {}, output = "int64"}
  placer = placer or core.program {
    inputs = {{dtype = "int64", address = true}, {dtype = "int64", address = true}, {dtype = "int64", scalar = true},
      {dtype = "int64", scalar = true}}, index = true, outputs = {}, gathers = true,
    steps = {{name = "repeated", expr = ("repeated<%d>(a, b, c, d, e)"):format(TILE), dtype = "bool",
      args = {1, 2, 5, 3, 4}, arg_dtypes = {"int64", "int64", "int64", "int64", "int64"}}}}
  local ends = core.scan(summer, name, 0, {false}, counts)
  if not total then total = core.is_preparing() and 1 or ends[-1] end
  local out = core.empty(total, "int64", counts.device, name)
  if total == 0 then return out end
  local tiles = math.ceil(total / TILE)
  local function at_first(x) return core.view(x, {tiles}, {0}, 0) end
  core.run(placer, name, {tiles}, {}, at_first(ends), at_first(out), counts.size, total)
  return out
end

--- Counts in a table of Lua numbers: an array, and their sum.
local function listed(repeats, device, name)
  local total, list = 0, {}
  for i, count in ipairs(check.list(repeats, name, "counts")) do
    if type(count) == "boolean" then count = count and 1 or 0 end
    list[i] = check.count(count, name, "how often")
    total = total + count
  end
  return core.as_array(list, "int64", device, name), total
end

--- x with each element of an axis as often as counts say.
local function repeat_by(x, repeats, axis, name)
  local length, total, counts = x.shape[axis], nil, repeats
  if not core.is_array(repeats) then
    if length == 0 and next(repeats) == nil then return core.cast(x, nil, name) end
    counts, total = listed(repeats, x.device, name)
  end
  check.same_device(x, counts, name)
  if counts.ndim > 1 or counts.size ~= 1 and counts.size ~= length then
    fail("%s: counts of shape %s for an axis of length %d; there is one for each element, or one for all", name,
      tostring(counts.shape), length)
  end
  if total == nil then
    core.check_waiting(name)
    counts = counts_of(counts, name)
  end
  if counts.size ~= length then
    counts, total = core.broadcast_to(core.reshape(counts, {}, name), {length}, name), total and total * length
  end
  if length == 0 then return core.cast(x, nil, name) end
  return take.at_positions(name, x, positions_of(counts, total, name), axis)
end

local read_repeat = args.reader("repeat_interleave", {"x", "repeats", "axis"}, 2)

--- x with each element (or slice along an axis) several times. Counts in an array are summed, which waits. Follows
--- numpy.repeat, whose name is a word of Lua's.
---@param x cuna.Operand
---@param repeats integer|integer[]|cuna.Array how often: a number, or one for each element
---@param axis integer|nil without one x is taken as a vector
---@return cuna.Array a copy
---@usage cn.repeat_interleave({1, 2}, 2) --> [1. 1. 2. 2.]
---@usage cn.repeat_interleave({{1, 2}, {3, 4}}, {0, 2}, 1) --> [[3. 4.] [3. 4.]]
function F.repeat_interleave(...)
  local name = "repeat_interleave"
  local x, repeats, axis = read_repeat(...)
  x = check.array(x, name, check.device_of {repeats})
  if axis == nil then x = core.reshape(x, -1, name) end
  axis = core.axis(axis or 1, x.ndim, name)
  if type(repeats) == "table" or core.is_array(repeats) then return repeat_by(x, repeats, axis, name) end
  local times, lengths, own, wide = check.count(repeats, name, "how often"), x.shape, {}, {}
  for k, length in ipairs(lengths) do
    own[#own + 1], wide[#wide + 1] = length, length
    if k == axis then own[#own + 1], wide[#wide + 1] = 1, times end
  end
  lengths[axis] = lengths[axis] * times
  local made = core.cast(core.broadcast_to(core.reshape(x, own, name), wide, name), nil, name)
  return core.reshape(made, lengths, name)
end

-- ---- round ----

--- Shifts by axis, added up, of numbers or tables of them.
local function shifts_of(shift, axis, ndim)
  local shifts, axes = type(shift) == "table" and shift or {shift}, type(axis) == "table" and axis or {axis}
  local by_axis = {}
  if core.is_array(shift) then fail "roll: a shift is a number or a table of numbers, got an array" end
  local count = math.max(#shifts, #axes)
  if #shifts ~= count and #shifts ~= 1 or #axes ~= count and #axes ~= 1 then
    fail("roll: %d shifts for %d axes", #shifts, #axes)
  end
  for k = 1, count do
    local own = core.axis(axes[k] or axes[1], ndim, "roll")
    by_axis[own] = (by_axis[own] or 0) + check.integer(shifts[k] or shifts[1], "roll", "a shift")
  end
  return by_axis
end

--- Copies the slices of x from axis `axis` on to where they come in out.
local function roll_slices(out, x, shifts, axis, from, to)
  if axis > x.ndim then
    out[to] = x[from]
    return
  end
  local length = x.shape[axis]
  local shift = (shifts[axis] or 0) % length
  from[axis], to[axis] = {1, length - shift}, {shift + 1, length}
  roll_slices(out, x, shifts, axis + 1, from, to)
  if shift == 0 then return end
  from[axis], to[axis] = {length - shift + 1, length}, {1, shift}
  roll_slices(out, x, shifts, axis + 1, from, to)
end

local read_roll = args.reader("roll", {"x", "shift", "axis"}, 2)

--- x with its elements moved along axes; what leaves at the end comes in at the front. Follows numpy.roll.
---@param x cuna.Operand
---@param shift integer|integer[] by how many places, negative towards the front
---@param axis integer|integer[]|nil without one x is taken as a vector and gets its shape back
---@return cuna.Array a copy
---@usage cn.roll({1, 2, 3, 4}, 1) --> [4. 1. 2. 3.]
---@usage cn.roll({{1, 2}, {3, 4}}, {1, 1}, {1, 2}) --> [[4. 3.] [2. 1.]]
function F.roll(...)
  local x, shift, axis = read_roll(...)
  x = check.array(x, "roll")
  if shift == nil then fail "roll: the shift is missing" end
  local shape = x.shape
  if axis == nil then x = core.reshape(x, -1, "roll") end
  local shifts = shifts_of(shift, axis == nil and 1 or axis, x.ndim)
  local out = core.empty(x.shape, x.dtype, x.device, "roll")
  if x.size > 0 then roll_slices(out, x, shifts, 1, {core.ellipsis}, {core.ellipsis}) end
  return axis == nil and core.reshape(out, shape, "roll") or out
end

return M

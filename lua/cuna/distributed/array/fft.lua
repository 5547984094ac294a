--- fft.lua: Fourier transforms of arrays over ranks.
--
-- Transforms along several axes are those along each of them, one after the other. An axis that is split is transformed
-- last, after an exchange by which another axis is split; so the result is split along that one. To and from real
-- numbers the order of axes is not free: which of them may be split depends on it.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local later = require "cuna.base.later"
local layouts = require "cuna.distributed.array.layout"
local moves = require "cuna.distributed.array.move"
local object = require "cuna.distributed.array.object"
local windows = require "cuna.distributed.array.window"

local manipulate = later.functions "manipulate"

local function fft(name)
  return require("cuna.fft").namespace[name]
end

local M = {}

local fail = check.fail
local methods = object.methods

--- The transform of a step, {name, n, axis, norm}, of an array whose elements along the axis lie one after the other if
--- those along the last one do not.
local function transformed(x, step)
  local lines = x.flags.c_contiguous and x or manipulate.moveaxis(x, step.axis, -1)
  if x.flags.c_contiguous or not lines.flags.c_contiguous then
    return fft(step.name)(x, step.n, step.axis, step.norm)
  end
  return manipulate.moveaxis(fft(step.name)(lines, step.n, -1, step.norm), -1, step.axis)
end

--- The blocks' transform along an axis that is whole.
local function along_whole(A, step) return object.like(A, transformed(A.block, step)) end

--- The axis that is split instead: the last one that is whole.
local function other_axis(A, axis, name)
  for other = A.ndim, 1, -1 do
    if other ~= axis and not layouts.at(A.splits, other) then return other end
  end
  fail("%s: axis %d is split, and no other is there to be split instead; write cn.fft.%s(A:reshard {})", name, axis,
    name)
end

--- Whether a step along a split axis makes complex numbers of as many: then it may write to parts of the result.
---@param first table|nil a step before it, which makes complex numbers
local function keeps_length(A, step, split, first)
  return (step.name == "fft" or step.name == "ifft") and (step.n == nil or step.n == split.length)
    and (first ~= nil or A.dtype == "complex64" or A.dtype == "complex128")
end

local function into(out, lines, step)
  require("cuna.fft").along_last(lines, step.name == "ifft", step.norm, out, step.name)
end

--- The transform along the split axis, after which another one is split: `first`, a step along a whole axis that comes
--- before, or nil, is done while its results travel.
local function along_split(A, split, step, first)
  local axis = other_axis(A, step.axis, step.name)
  if windows.serves(A, split) then
    local block, length = windows.exchange(A.block, split, axis, {
      before = first and function(part) return transformed(part, first) end,
      after = function(lines) return fft(step.name)(lines, step.n, -1, step.norm) end,
      into = keeps_length(A, step, split, first) and function(out, lines) into(out, lines, step) end,
      innermost = true}, step.name)
    if block then return moves.over(A, manipulate.moveaxis(block, -1, step.axis), split, axis, length) end
  end
  if first then A = along_whole(A, first) end
  return along_whole(moves.exchange(A, split, axis, step.name), step)
end

--- The transforms of some steps, one after the other.
local function along(A, steps)
  local waits
  for _, step in ipairs(steps) do
    local split = layouts.at(A.splits, step.axis)
    if split then
      A, waits = along_split(A, split, step, waits), nil
    else
      A, waits = waits and along_whole(A, waits) or A, step
    end
  end
  return waits and along_whole(A, waits) or A
end

local function along_one(name)
  local read = args.reader(name, {"A", "n", "axis", "norm"}, 1)
  return function(...)
    local A, n, axis, norm = read(...)
    axis = core.axis(axis == nil and -1 or axis, object.self(A, name).ndim, name)
    return along(A, {{name = name, n = n, axis = axis, norm = norm}})
  end
end

--- The transform along one axis. Along the split axis one all_to_all, and the last of the other axes is split then;
--- along others blocks alone. So do ifft, rfft and irfft. Follows numpy.fft.fft.
---@param n integer|nil points: cut to them, or filled up with zeros; default: the axis' length
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.DistributedArray complex
---@usage cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):fft():get() --> [[ 3.+0.j -1.+0.j] [ 7.+0.j -1.+0.j]]
---@usage cn.distributed.ones({2, 3}, nil, {axis = 1}):fft({axis = 1}).layout.axis --> 2
methods.fft = along_one "fft"

--- The inverse of fft. Follows numpy.fft.ifft.
---@param n integer|nil
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray complex
---@usage cn.distributed.array({{3, -1}}, {axis = 1}):ifft():get() --> [[1.+0.j 2.+0.j]]
methods.ifft = along_one "ifft"

--- The first half of fft of real numbers. Follows numpy.fft.rfft.
---@param n integer|nil
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray complex
---@usage cn.distributed.array({{1, 2, 3, 4}}, {axis = 1}):rfft():get() --> [[10.+0.j -2.+2.j -2.+0.j]]
methods.rfft = along_one "rfft"

--- The inverse of rfft. Follows numpy.fft.irfft.
---@param n integer|nil points of the result; default: 2 (length - 1)
---@param axis integer|nil default: the last
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray real
---@usage cn.distributed.array({{10, -2, -2}}, {axis = 1}):irfft():get() --> [[1. 3. 3. 3.]]
methods.irfft = along_one "irfft"

-- ---- several axes ----

--- The axes that are asked for, each once.
local function read_axes(A, axes, default, name)
  local list, seen = {}, {}
  if axes == nil then
    for axis = default and math.max(A.ndim - 1, 1) or 1, A.ndim do list[#list + 1] = axis end
  end
  for i, axis in ipairs(type(axes) == "table" and axes or {axes}) do
    list[i] = core.axis(axis, A.ndim, name)
    if seen[list[i]] then fail("%s: axis %d comes twice", name, list[i]) end
    seen[list[i]] = true
  end
  return list
end

--- Whole axes before split ones, in the order of the list.
local function whole_first(A, list)
  local ordered = {}
  for pass = 1, 2 do
    for i, axis in ipairs(list) do
      if (layouts.at(A.splits, axis) ~= nil) == (pass == 2) then ordered[#ordered + 1] = i end
    end
  end
  return ordered
end

--- Adds the steps along the axes numbered `order` to some.
local function add_steps(steps, one, call, order)
  for _, i in ipairs(order) do
    steps[#steps + 1] = {name = one, n = call.s and call.s[i], axis = call.list[i], norm = call.norm}
  end
  return steps
end

--- A function along several axes, by run(A, {list, s, norm}, name).
local function along_many(name, run, default)
  local read = args.reader(name, {"A", "s", "axes", "norm"}, 1)
  return function(...)
    local A, s, axes, norm = read(...)
    local list = read_axes(object.self(A, name), axes, default, name)
    if s ~= nil and (type(s) ~= "table" or #s ~= #list) then
      fail("%s: expected %d lengths, one for each axis, got %s", name, #list, check.show(s))
    end
    return run(A, {list = list, s = s, norm = norm}, name)
  end
end

local function complex(one)
  return function(A, call) return along(A, add_steps({}, one, call, whole_first(A, call.list))) end
end

--- The axes but the last, of which the transform to or from real numbers is along the half.
local function but_last(A, list) return whole_first(A, {unpack(list, 1, #list - 1)}) end

local function to_half(A, call, name)
  local count = #call.list
  if layouts.at(A.splits, call.list[count]) then
    fail("%s: the last axis is transformed first, and is split; reshard along another one", name)
  end
  return along(A, add_steps(add_steps({}, "rfft", call, {count}), "fft", call, but_last(A, call.list)))
end

local function from_half(A, call, name)
  local count = #call.list
  for i = 1, count - 1 do
    if layouts.at(A.splits, call.list[i]) then
      fail("%s: axis %d is transformed before the last one, and is split; write A:reshard {axis = %d}", name,
        call.list[i], call.list[count])
    end
  end
  return along(A, add_steps(add_steps({}, "ifft", call, but_last(A, call.list)), "irfft", call, {count}))
end

--- The transform along several axes, whole ones first. One all_to_all where the split axis is among them; then another
--- axis is split. Follows numpy.fft.fftn.
---@param s integer[]|nil points by axis
---@param axes integer[]|nil default: all
---@param norm cuna.FftNorm|nil default "backward"
---@return cuna.DistributedArray complex
---@usage cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):fftn():get() --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
methods.fftn = along_many("fftn", complex "fft")

--- The inverse of fftn. Follows numpy.fft.ifftn.
---@param s integer[]|nil
---@param axes integer[]|nil default: all
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray complex
---@usage cn.distributed.array({{10, -2}, {-4, 0}}, {axis = 1}):ifftn():get() --> [[1.+0.j 2.+0.j] [3.+0.j 4.+0.j]]
methods.ifftn = along_many("ifftn", complex "ifft")

--- The transform along two axes, as fftn. Follows numpy.fft.fft2.
---@param s integer[]|nil
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray complex
---@usage cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):fft2().layout.axis --> 2
methods.fft2 = along_many("fft2", complex "fft", true)

--- The inverse of fft2. Follows numpy.fft.ifft2.
---@param s integer[]|nil
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray complex
---@usage cn.distributed.array({{10, -2}, {-4, 0}}, {axis = 1}):ifft2():get() --> [[1.+0.j 2.+0.j] [3.+0.j 4.+0.j]]
methods.ifft2 = along_many("ifft2", complex "ifft", true)

--- The first half of fftn of real numbers: the last axis first, which is not split. One all_to_all where the split axis
--- is among the others. Follows numpy.fft.rfftn.
---@param s integer[]|nil
---@param axes integer[]|nil default: all
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray complex
---@usage cn.distributed.array({{1, 2}, {3, 4}}, {axis = 1}):rfftn():get() --> [[10.+0.j -2.+0.j] [-4.+0.j 0.+0.j]]
methods.rfftn = along_many("rfftn", to_half)

--- The inverse of rfftn: the last axis last. It may be split, others not; then one all_to_all. Follows
--- numpy.fft.irfftn.
---@param s integer[]|nil points of the result by axis
---@param axes integer[]|nil default: all
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray real
---@usage cn.distributed.array({{10, -2}, {-4, 0}}, {axis = 2}):irfftn():get() --> [[1. 2.] [3. 4.]]
methods.irfftn = along_many("irfftn", from_half)

--- The first half of fft2 of real numbers, as rfftn. Follows numpy.fft.rfft2.
---@param s integer[]|nil
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray complex
---@usage cn.distributed.ones({2, 4}, nil, {axis = 1}):rfft2().shape --> (2, 3)
methods.rfft2 = along_many("rfft2", to_half, true)

--- The inverse of rfft2, as irfftn. Follows numpy.fft.irfft2.
---@param s integer[]|nil
---@param axes integer[]|nil default: the last two
---@param norm cuna.FftNorm|nil
---@return cuna.DistributedArray real
---@usage cn.distributed.array({{10, -2}, {-4, 0}}, {axis = 2}):irfft2():get() --> [[1. 2.] [3. 4.]]
methods.irfft2 = along_many("irfft2", from_half, true)

return M

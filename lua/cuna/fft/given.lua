--- given.lua: the arguments that Fourier transforms share: norms, lengths, axes, and arrays cut or filled to lengths.
local check = require "cuna.base.check"
local core = require "cuna.core"
local slices = require "cuna.base.slices"

local M = {}

local fail = check.fail

local NORMS = {backward = true, ortho = true, forward = true}

--- The norm of the inverse.
M.swapped = {backward = "forward", ortho = "ortho", forward = "backward"}

--- A norm, by default "backward".
function M.norm(norm, name)
  if norm == nil then return "backward" end
  if NORMS[norm] then return norm end
  fail("%s: norm is \"backward\", \"ortho\" or \"forward\", got %s", name, check.show(norm))
end

--- The factor of a transform of so many points.
function M.factor(norm, inverse, points)
  if norm == "ortho" then return 1 / math.sqrt(points) end
  return (norm == "forward") ~= inverse and 1 / points or 1
end

--- A number of points.
function M.length(n, name, what)
  if type(n) == "number" and n >= 1 and n == math.floor(n) and n <= 2 ^ 53 then return n end
  fail("%s: %s is a number of points from 1 on, got %s", name, what, check.no_number(n))
end

--- The length of an axis that is transformed.
function M.points(length, axis, name)
  if length > 0 then return length end
  fail("%s: axis %d has no elements, and a transform at least one point", name, axis)
end

--- x in a dtype; and whether it is a copy.
function M.cast(x, dtype, name)
  if core.dtype_of(x) == dtype then return x, false end
  return core.cast(x, dtype, name), true
end

--- x with axes cut or filled up with zeros to lengths, in a dtype; and whether it is a copy.
function M.fitted(x, axes, lengths, dtype, name)
  local shape, pads, cut = x.shape, false, x
  for i, axis in ipairs(axes) do
    pads = pads or lengths[i] > shape[axis]
    if lengths[i] < shape[axis] then cut = slices.part(cut, axis, 1, lengths[i]) end
    shape[axis] = lengths[i]
  end
  if not pads then return M.cast(cut, dtype, name) end
  local wide = core.fill(core.empty(shape, dtype, x.device, name), 0, name)
  local inside, own = wide, cut.shape
  for _, axis in ipairs(axes) do
    if own[axis] < shape[axis] then inside = slices.part(inside, axis, 1, own[axis]) end
  end
  core.copy(inside, cut, name)
  return wide, true
end

--- The axes and lengths that a transform of several axes is asked for; nil lengths are the array's.
function M.axes(x, s, axes, name)
  local list, lengths = {}, {}
  if s ~= nil then lengths = type(s) == "table" and check.whole(s, name, "lengths") or {s} end
  if core.is_array(axes) then fail("%s: axes is a table of axes, got an array", name) end
  if axes == nil then
    for i = 1, s and #lengths or x.ndim do list[i] = x.ndim - (s and #lengths or x.ndim) + i end
    if s and #lengths > x.ndim then
      fail("%s: %d lengths for an array of shape %s", name, #lengths, tostring(x.shape))
    end
  else
    for i, axis in ipairs(type(axes) == "table" and axes or {axes}) do list[i] = core.axis(axis, x.ndim, name) end
  end
  if s and #lengths ~= #list then fail("%s: %d lengths for %d axes", name, #lengths, #list) end
  for _, length in ipairs(lengths) do
    if length ~= -1 then M.length(length, name, "a length") end
  end
  return list, lengths
end

return M

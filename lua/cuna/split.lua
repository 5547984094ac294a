--- split.lua: arrays cut along an axis. Parts are views: they share memory with the array.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

local MOST_PARTS = 1e6 -- each is an object of Lua's

--- Where each of `count` parts of an axis begins, and where a next one would: longer parts come first.
local function even_points(length, count, name, must_be_even)
  if check.few(count, MOST_PARTS, name, "the number of parts") == 0 then fail("%s: the number of parts is 0", name) end
  if must_be_even and length % count ~= 0 then
    fail("%s: an axis of length %d does not divide into %d equal parts; use cn.array_split", name, length, count)
  end
  local points, at, long, short = {1}, 1, length % count, math.floor(length / count)
  for part = 1, count do
    at = at + short + (part <= long and 1 or 0)
    points[part + 1] = at
  end
  return points
end

--- Split points as a list of Lua numbers; an array's are fetched.
local function listed(given, name)
  if not core.is_array(given) then return given end
  if given.ndim ~= 1 then fail("%s: split points have one axis, got shape %s", name, tostring(given.shape)) end
  local points = core.elements(given, name)
  for i = 1, core.is_preparing() and #points or 0 do points[i] = 1 end -- cn.prepare computes nothing
  return points
end

--- Where the parts begin, from the given positions. A position beyond the end means the end.
local function given_points(length, given, name)
  if type(given) ~= "table" and not core.is_array(given) then
    fail("%s: expected how many parts, or a table of split points, got %s", name, check.show(given))
  end
  local points = {1}
  for _, point in ipairs(listed(given, name)) do
    if check.integer(point, name, "a split point") == 0 then
      fail("%s: split points count from 1, and there is a 0", name)
    end
    points[#points + 1] = point > 0 and math.min(point, length + 1) or math.max(point + length + 1, 1)
  end
  points[#points + 1] = length + 1
  return points
end

local function cut(x, sections, axis, name, must_be_even)
  local length, key, parts = x.shape[axis], {core.ellipsis}, {}
  for k = 1, x.ndim do key[k] = {} end
  local points = type(sections) == "number" and even_points(length, sections, name, must_be_even)
    or given_points(length, sections, name)
  for i = 1, #points - 1 do
    key[axis] = {points[i], math.max(points[i + 1], points[i]) - 1}
    parts[i] = x[key]
  end
  return parts
end

local function splitter(name, must_be_even)
  local read = args.reader(name, {"x", "sections", "axis"}, 2)
  return function(...)
    local x, sections, axis = read(...)
    x = check.array(x, name)
    return cut(x, sections, core.axis(axis == nil and 1 or axis, x.ndim, name), name, must_be_even)
  end
end

--- Cuts x along an axis into equal parts, or at positions: each is that of the first element of the next part.
--- Positions in an array are fetched, which waits. Follows numpy.split.
---@param x cuna.Operand
---@param sections integer|integer[]|cuna.Array how many parts, or split points
---@param axis integer|nil default 1
---@return cuna.Array[] views
---@usage unpack(cn.split(cn.arange(6), 3)) --> [0 1], [2 3], [4 5]
---@usage unpack(cn.split(cn.arange(6), {2, -1})) --> [0], [1 2 3 4], [5]
F.split = splitter("split", true)

--- As cn.split, but parts may differ in length: the first ones are longer by one. Follows numpy.array_split.
---@param x cuna.Operand
---@param sections integer|integer[]|cuna.Array how many parts, or split points
---@param axis integer|nil default 1
---@return cuna.Array[] views
---@usage unpack(cn.array_split(cn.arange(5), 2)) --> [0 1 2], [3 4]
F.array_split = splitter("array_split", false)

--- Makes a function that splits along an axis; a vector along its only one where that is allowed.
local function splitter_along(name, axis, least)
  return function(x, sections)
    x = check.array(x, name)
    if x.ndim < least then
      fail("%s: expected at least %d %s, got shape %s", name, least, least == 1 and "axis" or "axes", tostring(x.shape))
    end
    return cut(x, sections, math.min(axis, x.ndim), name, true)
  end
end

--- Cuts x along the second axis, a vector along its first. Follows numpy.hsplit.
---@param x cuna.Operand at least 1-d
---@param sections integer|integer[]|cuna.Array how many parts, or split points
---@return cuna.Array[] views
---@usage unpack(cn.hsplit({{1, 2}, {3, 4}}, 2)) --> [[1.] [3.]], [[2.] [4.]]
F.hsplit = splitter_along("hsplit", 2, 1)

--- Cuts x along the first axis. Follows numpy.vsplit.
---@param x cuna.Operand at least 2-d
---@param sections integer|integer[]|cuna.Array how many parts, or split points
---@return cuna.Array[] views
---@usage unpack(cn.vsplit({{1, 2}, {3, 4}}, 2)) --> [[1. 2.]], [[3. 4.]]
F.vsplit = splitter_along("vsplit", 1, 2)

--- Cuts x along the third axis. Follows numpy.dsplit.
---@param x cuna.Operand at least 3-d
---@param sections integer|integer[]|cuna.Array how many parts, or split points
---@return cuna.Array[] views
---@usage #cn.dsplit(cn.zeros {2, 3, 4}, {2, 4}) --> 3
F.dsplit = splitter_along("dsplit", 3, 3)

args.bound(F, {hsplit = "x sections", vsplit = "x sections", dsplit = "x sections"})

return M

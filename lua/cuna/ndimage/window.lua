--- window.lua: windows of neighbours, given by sizes or by a footprint: an array that is true where a neighbour counts.
local check = require "cuna.base.check"
local given = require "cuna.ndimage.given"

local M = {}

local fail = check.fail

--- A window: neighbours (with steps along all axes), before and after (its reach along each axis), sizes, is_box (all
--- neighbours count).
---@class cuna.Window

--- Row-major visits to the places of a box: visit(number, steps), with the steps counted from -before.
local function each_place(sizes, before, visit)
  local at, count = {}, 1
  for axis = 1, #sizes do at[axis], count = -before[axis], count * sizes[axis] end
  for number = 1, count do
    visit(number, at)
    for axis = #at, 1, -1 do
      at[axis] = at[axis] + 1
      if at[axis] < sizes[axis] - before[axis] then break end
      at[axis] = -before[axis]
    end
  end
end

--- Values for all axes from those for some; the others have `default`.
local function spread(list, axes, ndim, default)
  local all = {}
  for axis = 1, ndim do all[axis] = default end
  for k, axis in ipairs(axes) do all[axis] = list[k] end
  return all
end

--- A footprint or structure on the host: its shape, with length 1 along axes that are left out, and its elements.
local function read(array, axes, ndim, name, what)
  local list, shape = given.elements(array, name)
  if #shape ~= #axes then fail("%s: %s of shape %s for %d axes", name, what, tostring(shape), #axes) end
  return spread(shape, axes, ndim, 1), list
end

local function is_true(value) return value ~= false and value ~= 0 end

--- The sizes and elements of what was given, for all axes: sizes, counts (nil for a box), heights (nil if flat).
local function shape_of(asked, axes, ndim, name)
  local sizes, counts, heights
  if asked.structure ~= nil then sizes, heights = read(asked.structure, axes, ndim, name, "a structure") end
  if asked.footprint ~= nil then
    local own
    own, counts = read(asked.footprint, axes, ndim, name, "a footprint")
    for axis = 1, ndim do
      if sizes and own[axis] ~= sizes[axis] then fail("%s: structure and footprint have different shapes", name) end
    end
    sizes = own
  end
  if sizes then return sizes, counts, heights end
  if asked.size == nil then fail("%s: give a size or a footprint", name) end
  return spread(given.sizes(asked.size, #axes, name), axes, ndim, 1)
end

--- The window that `asked` (size, footprint, structure, origin, reversed) describes, and the heights of its neighbours,
--- if it has a structure.
---@return cuna.Window
---@return number[]|nil heights
function M.new(asked, axes, ndim, name)
  local sizes, counts, heights = shape_of(asked, axes, ndim, name)
  local origins = given.origins(asked.origin, #axes, name)
  local window = {neighbours = {}, before = {}, after = {}, sizes = sizes, is_box = heights == nil}
  origins = spread(origins, axes, ndim, 0)
  local count = 1
  for axis = 1, ndim do
    local origin, size = origins[axis], sizes[axis]
    if size == 0 then fail("%s: the window is empty", name) end
    if asked.reversed then origin = -origin - (size % 2 == 0 and 1 or 0) end
    window.before[axis], window.after[axis] = given.reach(size, origin, name)
    count = count * size
  end
  local used = heights and {}
  each_place(sizes, window.before, function(number, at)
    local from = asked.reversed and count + 1 - number or number
    if counts and not is_true(counts[from]) then
      window.is_box = false
      return
    end
    window.neighbours[#window.neighbours + 1] = {steps = {unpack(at)}}
    if used then used[#used + 1] = tonumber(heights[from]) or (heights[from] and 1 or 0) end
  end)
  if #window.neighbours == 0 then fail("%s: the footprint has no elements", name) end
  return window, used
end

return M

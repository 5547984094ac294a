--- iterate.lua: erosion and dilation of binary images, repeated a number of times or until nothing changes.
local args = require "cuna.base.args"
local border = require "cuna.ndimage.border"
local check = require "cuna.base.check"
local core = require "cuna.core"
local fold = require "cuna.ndimage.fold"
local given = require "cuna.ndimage.given"
local windows = require "cuna.ndimage.window"

local M = {}

local CHECKED = 8 -- steps between two looks at what changes, each of which waits for the device
local COUNTED = 64 -- the same where steps are counted

--- What is repeated: which ("least": erosion, "greatest": dilation), window, outside (the value beyond the border),
--- mask (bools, or nil).
---@class cuna.BinaryStep

local function modes_of(ndim)
  local modes = {}
  for axis = 1, ndim do modes[axis] = "constant" end
  return modes
end

--- One step from one image to another; both are parts of images that have the window's neighbours.
local function step(what, src, out, name)
  fold.fold({fold = what.which, computed = "bool"}, src, out, what.window.neighbours, nil, name)
  if what.mask then args.namespace.where(what.mask, out, src, {out = out}) end
end

--- A continued image with the elements of x.
local function continued(what, x)
  return border.around(x, what.window.before, what.window.after, modes_of(x.ndim), what.outside and 1 or 0)
end

local function differ(x, y) return args.namespace.not_equal(x, y):any() end

--- The number of steps that are left to do of a great one: where two steps change nothing the rest of pairs does not.
local function shortened(state, here, done, count)
  if done % COUNTED == 0 then state.image = here:copy() end
  if done % COUNTED ~= 2 or not state.image or differ(here, state.image) then return count end
  return done + (count - done) % 2
end

--- Repeats a step `count` times, or until nothing changes if count is below 1; returns the last image.
local function repeat_step(what, x, count, name)
  if count == 1 then
    local out = core.empty_like(x, "bool", name)
    step(what, continued(what, x:copy()), out, name)
    return out
  end
  local here, there, done, state = continued(what, x:copy()), continued(what, x:copy()), 0, {}
  while count < 1 or done < count do
    step(what, here, there, name)
    here, there, done = there, here, done + 1
    if count >= 1 then
      count = shortened(state, here, done, count)
    elseif done % CHECKED == 0 and not differ(here, there) then
      break
    end
  end
  return here
end

--- Erosion or dilation as `asked`: structure, iterations, mask, output, border_value, origin, reversed.
---@param which string "least" or "greatest"
function M.run(which, x, asked, name)
  x = core.cast(given.image(x, name, true), "bool", name)
  local ndim = x.ndim
  local structure = asked.structure == nil and M.cross(ndim, 1, x.device) or asked.structure
  local count = check.integer(asked.iterations == nil and 1 or asked.iterations, name, "iterations")
  local mask = asked.mask
  if mask ~= nil then
    mask = core.cast(check.array(mask, name, x.device), "bool", name)
    if mask.shape ~= x.shape then
      check.fail("%s: a mask of shape %s for an image of shape %s", name, tostring(mask.shape), tostring(x.shape))
    end
  end
  local window = windows.new({footprint = structure, origin = asked.origin, reversed = asked.reversed},
    given.axes(nil, x, name), ndim, name)
  local outside = asked.border_value ~= nil and asked.border_value ~= 0 and asked.border_value ~= false
  local what = {which = which, window = window, outside = outside, mask = mask}
  return given.output(asked.output, x, x.shape, "bool", name, function(out)
    core.copy(out, repeat_step(what, x, count, name), name)
  end)
end

--- The places whose steps from the middle of a box of length 3 along `ndim` axes are at most `connectivity`, as nested
--- tables on the host.
function M.cross(ndim, connectivity)
  local function level(axes, left)
    if axes == 0 then return left >= 0 end
    return {level(axes - 1, left - 1), level(axes - 1, left), level(axes - 1, left - 1)}
  end
  return level(ndim, connectivity)
end

return M

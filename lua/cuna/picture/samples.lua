--- samples.lua: arrays of numbers as samples of pictures: uint8 or uint16, on the device of the array.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local cm = require("cuna.base.later").functions "picture.cm"
local core = require "cuna.core"

local M = {}

local fail = check.fail

--- Rejects arrays that are not of a picture's shape, and complex numbers.
---@param x cuna.Array
---@param name string the user's function
function M.check(x, name)
  local shape = x.shape
  if x.ndim < 2 or x.ndim > 3 or x.size == 0 or x.ndim == 3 and shape[3] > 4 then
    fail("%s: a picture has shape (height, width) or (height, width, 1 to 4 channels) and at least one pixel, got %s",
      name, tostring(shape))
  end
  if x.dtype:find "^complex" then
    fail("%s: complex numbers have no brightness; take x:abs(), x:angle() or x.real", name)
  end
end

--- Real numbers from 0 to 1 as uint8; numbers beyond are clipped, NaN becomes 0.
local function as_bytes(x)
  local cn = args.namespace
  return cn.rint(cn.nan_to_num(x):clip(0, 1) * 255):astype "uint8"
end

local GREATEST = 1.5 -- of floats from 0 to 1 that a filter made: other ranges would be white

--- Rejects floats of another range than 0 to 1, such as bytes that were converted.
local function check_range(x, name)
  local _, greatest = cm.limits(x, nil, nil, name)
  if greatest > GREATEST then
    fail("%s: floats are from 0 to 1, and the greatest is %g; write x:astype(\"uint8\"), x / 255, or give vmin and "
      .. "vmax", name, greatest)
  end
end

--- Samples without limits and map: bytes and words as they are, floats and bools from 0 to 1.
---@return cuna.Array
function M.given(x, name)
  if x.dtype == "uint8" or x.dtype == "uint16" then return x end
  if x.dtype == "bool" or x.dtype:find "float" then
    local is_float = x.dtype ~= "bool"
    x = core.cast(x, x.dtype == "float64" and "float64" or "float32", name)
    if is_float then check_range(x, name) end
    return as_bytes(x)
  end
  fail("%s: elements of %s have no range of their own; give vmin and vmax, or x:astype(\"uint8\")", name, x.dtype)
end

--- Samples by limits, and by a map if there is one.
---@param has_opacity boolean|nil whether a map's colours have an opacity
---@return cuna.Array
function M.scaled(x, vmin, vmax, cmap, has_opacity)
  if x.ndim == 3 then
    fail("imsave: vmin, vmax and cmap are for pictures of shape (height, width), got %s", tostring(x.shape))
  end
  x = cm.floats(x, "imsave")
  vmin, vmax = cm.limits(x, vmin, vmax, "imsave")
  if cmap ~= nil then return cm.map(x, cmap, vmin, vmax, has_opacity and 255 or nil, "imsave") end
  return as_bytes((x:clip(vmin, vmax) - vmin) * (vmax > vmin and 1 / (vmax - vmin) or 0))
end

return M

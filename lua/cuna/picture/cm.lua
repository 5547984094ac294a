--- cm.lua: cn.cm: colour maps, which turn numbers into colours. Loaded when it is first named.
--
-- A map is a table of 256 colours (of a list, as many as it has), made from the points of maps.lua when it is first
-- used, and one more for NaN, which is transparent. Numbers become positions in the table, and the colours are taken.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local maps = require "cuna.picture.maps"
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.cm

local fail = check.fail

-- ---- tables ----

local function bytes_of(hex)
  local number = tonumber(hex, 16)
  return bit.rshift(number, 16), bit.band(bit.rshift(number, 8), 255), bit.band(number, 255)
end

--- The table of a map's points: {{red, green, blue}, ...}.
local function interpolate(points)
  local at, colors = {}, {}
  for place, hex in points:gmatch "([%d.]+):(%x+)" do at[#at + 1] = {tonumber(place), bytes_of(hex)} end
  local k = 1
  for entry = 0, 255 do
    while at[k + 1][1] < entry do k = k + 1 end
    local low, high = at[k], at[k + 1]
    local part, color = (entry - low[1]) / (high[1] - low[1]), {}
    for c = 2, 4 do color[c - 1] = math.floor(low[c] + (high[c] - low[c]) * part + 0.5) end
    colors[entry + 1] = color
  end
  return colors
end

local function listed(list)
  local colors = {}
  for hex in list:gmatch "%x+" do colors[#colors + 1] = {bytes_of(hex)} end
  return colors
end

local tables = {} -- by name

--- The colours of a map, {{red, green, blue}, ...}; those of name_r are in reverse order.
---@param map string
---@param name string the user's function
---@return integer[][]
function M.colors(map, name)
  if tables[map] then return tables[map] end
  local plain = type(map) == "string" and map:gsub("_r$", "")
  local points, list = maps.points[plain], maps.lists[plain]
  if not points and not list then
    fail("%s: cmap is one of %s, %s, got %s", name, args.names(maps.points), args.names(maps.lists), check.show(map))
  end
  local colors = points and interpolate(points) or listed(list)
  if map ~= plain then
    for k = 1, math.floor(#colors / 2) do colors[k], colors[#colors + 1 - k] = colors[#colors + 1 - k], colors[k] end
  end
  tables[map] = colors
  return colors
end

--- The table as an array on a device: a colour a row, and transparent black last.
local function as_array(colors, alpha, device)
  local rows = {}
  for k, color in ipairs(colors) do rows[k] = {color[1], color[2], color[3], alpha} end
  rows[#rows + 1] = alpha and {0, 0, 0, 0} or {0, 0, 0}
  return args.namespace.array(rows, "uint8", device)
end

-- ---- numbers ----

--- The smallest and the greatest finite element.
local function extremes(x, name)
  local cn = args.namespace
  core.check_waiting(name)
  local is_finite = cn.isfinite(x)
  if core.is_preparing() or x.size == 0 or not is_finite:any() then return 0, 1 end
  return cn.where(is_finite, x, cn.inf):min():item(), cn.where(is_finite, x, -cn.inf):max():item()
end

--- Limits that are given, and for others the smallest and the greatest finite element.
---@param x cuna.Array of floats
---@return number vmin
---@return number vmax
function M.limits(x, vmin, vmax, name)
  if vmin == nil or vmax == nil then
    local low, high = extremes(x, name)
    vmin, vmax = vmin == nil and low or vmin, vmax == nil and high or vmax
  end
  vmin, vmax = check.real(vmin, name, "vmin"), check.real(vmax, name, "vmax")
  if not (vmin <= vmax and vmin > -math.huge and vmax < math.huge) then
    fail("%s: vmin and vmax are finite, and vmin is not greater, got %g and %g", name, vmin, vmax)
  end
  return vmin, vmax
end

--- The elements as float32 or float64.
---@return cuna.Array
function M.floats(x, name)
  if x.dtype:find "^complex" then
    fail("%s: complex numbers have no order; take x:abs(), x:angle() or x.real", name)
  end
  if x.dtype == "float32" or x.dtype == "float64" then return x end
  return core.cast(x, x.itemsize <= 2 and "float32" or "float64", name)
end

--- Positions in a table of `count` colours, of which the one after them is for NaN.
local function positions_of(x, vmin, vmax, count)
  local cn = args.namespace
  local scale = vmax > vmin and count / (vmax - vmin) or 0
  local place = cn.floor((x:clip(vmin, vmax) - vmin) * scale):clip(0, count - 1)
  return cn.where(cn.isnan(x), count, place):astype "int32" + 1
end

--- The colours of numbers: an array of uint8 with one more axis, of 3 channels, or with `alpha` (0 to 255) of 4.
---@param x cuna.Array of floats
---@param map string
---@param alpha integer|nil
---@return cuna.Array
function M.map(x, map, vmin, vmax, alpha, name)
  local colors = M.colors(map, name)
  local lut = as_array(colors, alpha, x.device)
  return args.namespace.take(lut, positions_of(x, vmin, vmax, #colors), 1)
end

-- ---- cn.cm ----

--- The limits of a call: 0 and 1 for floats and bools, as matplotlib's maps have them.
local function limits_of(x, vmin, vmax, name)
  local has_range = x.dtype:find "float" or x.dtype == "bool"
  if not has_range and (vmin == nil or vmax == nil) then
    fail("%s: %s elements have no range of their own; give vmin and vmax", name, x.dtype)
  end
  return vmin == nil and 0 or vmin, vmax == nil and 1 or vmax
end

local function opacity_of(alpha, name)
  if alpha == false then return nil end
  if alpha == nil then return 255 end
  local value = check.real(alpha, name, "alpha")
  if not (value >= 0 and value <= 1) then fail("%s: alpha is false, or of 0 to 1, got %g", name, value) end
  return math.floor(value * 255 + 0.5)
end

local function of_map(map)
  local name = "cm." .. map
  local read = args.reader(name, {"x", "vmin", "vmax", "alpha"})
  return function(...)
    local x, vmin, vmax, alpha = read(...)
    x = check.array(x, name)
    vmin, vmax = limits_of(x, vmin, vmax, name)
    local floats = M.floats(x, name)
    vmin, vmax = M.limits(floats, vmin, vmax, name)
    return M.map(floats, map, vmin, vmax, opacity_of(alpha, name), name)
  end
end

local function of_maps(names)
  local functions = {}
  for map in names:gmatch "%w+" do functions[#functions + 1] = of_map(map) end
  return unpack(functions)
end

local LIGHTER, OTHERS = "viridis magma inferno plasma cividis gray hot", "jet turbo coolwarm RdBu twilight tab10"

--- The colours of numbers by a map that becomes lighter: viridis, magma, inferno, plasma, cividis, gray, hot. vmin has
--- the first colour and vmax the last, and so have the numbers beyond them; NaN is transparent, and black. A map's name
--- and _r is the map in reverse order, wherever a name is given (cmap = "gray_r"). Each colour is within 2 of 255 of
--- matplotlib's. Follows matplotlib.colormaps, with bytes=True.
---@param x cuna.Operand any shape
---@param vmin number|nil default 0, of floats and bools; integers need it
---@param vmax number|nil default 1, of floats and bools; integers need it
---@param alpha number|boolean|nil the opacity, 0 to 1 (default); false leaves it out
---@return cuna.Array uint8, of the shape of x and 4 channels, or 3 without opacity
---@usage cn.cm.gray({0, 0.5, 2}, {alpha = false}) --> [[  0   0   0] [128 128 128] [255 255 255]]
---@usage cn.cm.hot({3, cn.nan, 7}, 3, 7) --> [[ 11   0   0 255] [  0   0   0   0] [255 255 255 255]]
F.viridis, F.magma, F.inferno, F.plasma, F.cividis, F.gray, F.hot = of_maps(LIGHTER)

--- The colours of numbers by another map: jet and turbo are rainbows, coolwarm and RdBu have two colours and white
--- between them, twilight ends as it begins, tab10 has ten colours without others between them. Otherwise as
--- cn.cm.viridis. Follows matplotlib.colormaps, with bytes=True.
---@param x cuna.Operand any shape
---@param vmin number|nil default 0, of floats and bools; integers need it
---@param vmax number|nil default 1, of floats and bools; integers need it
---@param alpha number|boolean|nil the opacity, 0 to 1 (default); false leaves it out
---@return cuna.Array uint8, of the shape of x and 4 channels, or 3 without opacity
---@usage cn.cm.tab10({1, 2, 10}, 1, 10, false) --> [[ 31 119 180] [255 127  14] [ 23 190 207]]
F.jet, F.turbo, F.coolwarm, F.RdBu, F.twilight, F.tab10 = of_maps(OTHERS)

namespace.make("cm", F)

return M

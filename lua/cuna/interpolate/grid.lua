--- grid.lua: functions of several variables on regular grids.
--
-- A point lies in a box of 2^d grid points; its value is the sum of theirs with products of shares. The values are read
-- at flat positions, one of each corner for all points at a time.
local args = require "cuna.base.args"
local banded = require "cuna.interpolate.banded"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.interpolate.given"
local line = require "cuna.interpolate.line"
local object = require "cuna.interpolate.object"
local tensor = require "cuna.interpolate.tensor"

local M = {functions = {}}
local F = M.functions -- cn.interpolate

local fail = check.fail

-- ---- grids ----

--- Axes of a grid that rise; values along those that fall are turned.
local function axes_of(points, values, name)
  if type(points) ~= "table" or core.is_array(points) then
    fail("%s: points is a table of vectors, one for each axis, got %s", name, check.show(points))
  end
  if #points > values.ndim then
    fail("%s: %d vectors of points for values of shape %s", name, #points, tostring(values.shape))
  end
  local cn, list = args.namespace, {}
  for k, x in ipairs(points) do
    x = given.real(x, name, "points", values.device):astype "float64"
    check.same_device(values, x, name)
    if x.ndim ~= 1 or x.size ~= values.shape[k] then
      fail("%s: the points of axis %d have shape %s, and values have %d there", name, k, tostring(x.shape),
        values.shape[k])
    end
    if x.size > 1 and banded.numbers(given.rows(x, 1, 2), name)[1] > banded.numbers(given.rows(x, 1, 2), name)[2] then
      x, values = cn.flip(x), cn.flip(values, k)
    end
    given.check_rising(x, name, ("the vector of axis %d"):format(k), true)
    list[k] = x
  end
  if #list == 0 then fail("%s: points has no vectors", name) end
  return list, values
end

--- Points (..., d) as vectors by axis, and the shape without the last axis.
local function coordinates(xi, count, device, name)
  local cn = args.namespace
  if type(xi) == "table" and not core.is_array(xi) and core.is_array(xi[1]) then
    local list = {}
    for k, x in ipairs(xi) do list[k] = given.asked(x, name, device) end
    xi = cn.stack({cn.broadcast_arrays(unpack(list))}, -1)
  end
  xi = given.asked(xi, name, device):astype "float64"
  if count == 1 and (xi.ndim == 0 or xi.shape[xi.ndim] ~= 1) then xi = cn.expand_dims(xi, -1) end
  local shape = xi.shape
  if xi.ndim == 0 or shape[#shape] ~= count then
    fail("%s: points have %d coordinates, got shape %s", name, count, tostring(shape))
  end
  shape[#shape] = nil
  local flat, list = xi:reshape(-1, count), {}
  for k = 1, count do list[k] = flat[{{}, k}] end
  return list, {unpack(shape)}
end

-- ---- values ----

--- For each axis the interval of each coordinate, from 1, and the share of its right end.
local function places_of(axes, list)
  local cn, places, shares = args.namespace, {}, {}
  for k, x in ipairs(list) do
    local points = axes[k]
    if points.size == 1 then
      places[k], shares[k] = cn.ones_like(x):astype "int64", x * 0
    else
      places[k] = given.intervals(points, x)
      local left = cn.take(points, places[k])
      shares[k] = (x - left) / (cn.take(points, places[k] + 1) - left)
    end
  end
  return places, shares
end

--- Positions of grid points in flat values, from positions by axis.
local function flat_positions(places, lengths)
  local at
  for k, place in ipairs(places) do at = at and at * lengths[k] + (place - 1) or place - 1 end
  return at + 1
end

--- A sum over the corners of the boxes.
local function linear(values, lengths, places, shares)
  local cn, count, sum = args.namespace, #places, nil
  for corner = 0, 2 ^ count - 1 do
    local at, weight, bits = {}, nil, corner
    for k = count, 1, -1 do
      local far = bits % 2 == 1
      bits = math.floor(bits / 2)
      at[k] = cn.clip(far and places[k] + 1 or places[k], 1, lengths[k])
      local share = far and shares[k] or 1 - shares[k]
      weight = weight and weight * share or share
    end
    local part = cn.take(values, flat_positions(at, lengths), 1)
      * given.column(weight, values.ndim):astype(core.dtype_of(values.real))
    sum = sum and sum + part or part
  end
  return sum
end

local function nearest(values, lengths, places, shares)
  local cn, at = args.namespace, {}
  for k, share in ipairs(shares) do
    at[k] = cn.clip(cn.where(cn.less_equal(share, 0.5), places[k], places[k] + 1), 1, lengths[k])
  end
  return cn.take(values, flat_positions(at, lengths), 1)
end

--- A maker of functions of points by the boxes in which they lie.
local function by_boxes(call)
  return function(axes, values)
    local lengths = {}
    for k, x in ipairs(axes) do lengths[k] = x.size end
    local flat = values:reshape(-1, unpack(values.shape, #axes + 1))
    return function(list) return call(flat, lengths, places_of(axes, list)) end
  end
end

-- By method: a function of the axes and values, which gives one of coordinates by axis.
local METHODS = {linear = by_boxes(linear), slinear = by_boxes(linear), nearest = by_boxes(nearest),
  cubic = tensor.splines(3, "cubic"), quintic = tensor.splines(5, "quintic"), pchip = tensor.shape_keeping}

local function method_of(method, name)
  if method == nil then method = "linear" end
  return METHODS[method] or fail("%s: method is one of %s, got %s", name, args.names(METHODS), check.show(method))
end

local function fill_of(fill, name)
  if fill == "extrapolate" then return nil end
  if fill == nil then return 0 / 0 end
  return check.number(fill, name, "fill_value")
end

--- Where a coordinate is beyond its axis.
local function outside_of(axes, list)
  local cn, outside = args.namespace, nil
  for k, x in ipairs(list) do
    local points = axes[k]
    local own = cn.less(x, points[{1, cn.ellipsis}]):bor(cn.greater(x, points[{points.size, cn.ellipsis}]))
    outside = outside and outside:bor(own) or own
  end
  return outside
end

--- An object over a grid.
local function new(title, name, points, values, method, bounds_error, fill_value)
  local axes
  values = given.floats(values, name)
  axes, values = axes_of(points, values, name)
  local evaluate, fill = method_of(method, name)(axes, values, name), fill_of(fill_value, name)
  bounds_error = check.boolean(bounds_error, true, name, "bounds_error")
  local cn = args.namespace
  return object.new(title, values.device, function(xi, ...)
    if select("#", ...) > 0 then fail("%s: takes one argument, got %d", title, 1 + select("#", ...)) end
    local list, shape = coordinates(xi, #axes, values.device, title)
    for k = 1, bounds_error and #axes or 0 do
      line.check_bounds(list[k], axes[k][{1, cn.ellipsis}], axes[k][{axes[k].size, cn.ellipsis}], title)
    end
    local value = evaluate(list)
    if not bounds_error and fill ~= nil then value = given.masked(value, outside_of(axes, list), fill) end
    local nan
    for _, x in ipairs(list) do nan = nan and nan:bor(cn.isnan(x)) or cn.isnan(x) end
    return given.placed(given.masked(value, nan, 0 / 0), shape, 1):astype(values.dtype)
  end)
end

local read_grid = args.reader("interpolate.RegularGridInterpolator",
  {"points", "values", "method", "bounds_error", "fill_value"}, 2)

--- A function on a grid with any spacing. It is called with points (..., axes), or a table of arrays by axis. Waits to
--- see whether the points rise; a call waits where points beyond the grid are an error. Follows
--- scipy.interpolate.RegularGridInterpolator.
---@param points cuna.Operand[] a vector for each axis, rising or falling
---@param values cuna.Operand (lengths of the vectors..., ...)
---@param method string|nil "linear" (default), "nearest", "slinear", "cubic", "quintic": splines of degree 1, 3, 5
---  along each axis, or "pchip": functions that keep shape
---@param bounds_error boolean|nil whether points beyond the grid are an error, default true
---@param fill_value number|string|nil without bounds_error the value there, default NaN; "extrapolate"
---@return cuna.Interpolator
---@usage cn.interpolate.RegularGridInterpolator({{0, 1}, {0, 2}}, {{0, 2}, {10, 12}})({{0.5, 1}}) --> [6.]
function F.RegularGridInterpolator(...)
  local name, points, values, method, bounds_error, fill_value = "interpolate.RegularGridInterpolator", read_grid(...)
  return new("RegularGridInterpolator", name, points, values, method, bounds_error, fill_value)
end

local read_interpn = args.reader("interpolate.interpn",
  {"points", "values", "xi", "method", "bounds_error", "fill_value"}, 3)

--- Values at points of a function on a grid: cn.interpolate.RegularGridInterpolator, called once. Follows
--- scipy.interpolate.interpn.
---@param points cuna.Operand[] a vector for each axis, rising or falling
---@param values cuna.Operand (lengths of the vectors..., ...)
---@param xi cuna.Operand points (..., axes)
---@param method string|nil as of cn.interpolate.RegularGridInterpolator, default "linear"
---@param bounds_error boolean|nil whether points beyond the grid are an error, default true
---@param fill_value number|string|nil without bounds_error the value there, default NaN; "extrapolate"
---@return cuna.Array
---@usage cn.interpolate.interpn({{0, 1}, {0, 2}}, {{0, 2}, {10, 12}}, {{1, 2}, {0, 0.5}}) --> [12. 0.5]
function F.interpn(...)
  local name, points, values, xi, method, bounds_error, fill_value = "interpolate.interpn", read_interpn(...)
  local value = new("interpn", name, points, values, method, bounds_error, fill_value)(xi)
  return value
end

return M

--- tensor.lua: functions on grids by splines along each axis: products of B-splines, and functions that keep shape.
--
-- The coefficients of a product of B-splines are made along one axis after the other, once. A point's value is a sum
-- over the (k + 1)^d coefficients whose functions are not 0 there. Functions that keep shape depend on the values in a
-- way that is not linear: the last axis is taken first, for all points, then the others with each point's own values.
local args = require "cuna.base.args"
local bspline = require "cuna.interpolate.bspline"
local check = require "cuna.base.check"
local core = require "cuna.core"
local cubic = require "cuna.interpolate.cubic"
local given = require "cuna.interpolate.given"
local program = require "cuna.base.program"

local M = {}

local fail = check.fail

local function check_points(axes, least, method, name)
  for k, x in ipairs(axes) do
    if x.size < least then
      fail("%s: method %q takes at least %d points along each axis, and axis %d has %d", name, method, least, k, x.size)
    end
  end
end

-- ---- products of B-splines ----

--- The k + 1 basis functions that are not 0 at each x, and the first one's number.
local function basis(t, count, k, x)
  local cn, at, value = args.namespace, {}, {x * 0 + 1}
  local l = cn.clip(cn.searchsorted(t, x, "right") - 1, k + 1, count)
  for offset = 1 - k, k do at[offset] = cn.take(t, l + offset) end
  for degree = 1, k do
    local saved
    for r = 1, degree do
      local share = value[r] / (at[r] - at[r - degree])
      local left = (at[r] - x) * share
      value[r], saved = saved and saved + left or left, (x - at[r - degree]) * share
    end
    value[degree + 1] = saved
  end
  return value, l - k
end

--- A sum over the coefficients about each point.
local function summed(c, lengths, values, places)
  local cn, count, k, sum = args.namespace, #places, #values[1] - 1, nil
  for corner = 0, (k + 1) ^ count - 1 do
    local at, weight, digits = nil, nil, corner
    for axis = count, 1, -1 do
      local r = digits % (k + 1)
      digits = math.floor(digits / (k + 1))
      local share = values[axis][r + 1]
      weight = weight and weight * share or share
      local step = 1
      for later = axis + 1, count do step = step * lengths[later] end
      local own = (places[axis] + (r - 1)) * step
      at = at and at + own or own
    end
    local part = cn.take(c, at + 1, 1) * given.column(weight, c.ndim):astype(core.dtype_of(c.real))
    sum = sum and sum + part or part
  end
  return sum
end

--- A program's inputs: the address of coefficients, and for each axis the address of knots, the count of coefficients
--- and x. Its text (kernels/interpolate.cuh) adds products in the order of `summed`.
local function draw_summed(draft, count, k)
  local list, dtypes, axes = {draft:input("float64", "address")}, {"int64"}, {}
  for axis = 1, count do
    for _, kind in ipairs {"address", "scalar", false} do
      dtypes[#dtypes + 1] = kind and "int64" or "float64"
      list[#list + 1] = draft:input(kind == "scalar" and "int64" or "float64", kind or nil)
    end
    local first = 96 + #list - 2
    axes[axis] = ("interpolate::Basis<%d>((const double *)%c, %c, %c)"):format(k, first, first + 1, first + 2)
  end
  draft.gathers, draft.output = true, "float64"
  draft:step("splines", ("interpolate::sum((const double *)a, %s)"):format(table.concat(axes, ", ")), "float64", list,
    dtypes)
end

local MOST_AXES = 3 -- of interpolate::sum

--- The same sum in one kernel, where blocks have many lanes; nil where there is none.
local function in_one_kernel(c, knots, lengths, k, list, name)
  local count = #list
  if core.lanes(c) == 1 or c.ndim > 1 or c.dtype ~= "float64" or count > MOST_AXES then return nil end
  local inputs = {core.view(c, {}, {}, 0)}
  for axis, x in ipairs(list) do
    for _, input in ipairs {core.view(knots[axis], {}, {}, 0), lengths[axis], x} do inputs[#inputs + 1] = input end
  end
  return core.map(program.get(count .. " " .. k, draw_summed, count, k), name, nil, nil, unpack(inputs))
end

--- A maker of functions of points on a grid, by splines of a degree: of coordinates by axis.
function M.splines(k, method)
  return function(axes, values, name)
    check_points(axes, k + 1, method, name)
    local cn, c, knots, lengths, rest = args.namespace, values, {}, {}, {}
    for axis, x in ipairs(axes) do
      local s = bspline.functions.make_interp_spline(x, c, {k = k, axis = axis})
      c, knots[axis], lengths[axis] = cn.moveaxis(s.c, 1, axis), s.t, x.size
    end
    for axis = #axes + 1, c.ndim do rest[#rest + 1] = c.shape[axis] end
    c = c:reshape(-1, unpack(rest))
    return function(list)
      local whole = in_one_kernel(c, knots, lengths, k, list, name)
      if whole then return whole end
      local bases, places = {}, {}
      for axis, x in ipairs(list) do bases[axis], places[axis] = basis(knots[axis], lengths[axis], k, x) end
      return summed(c, lengths, bases, places)
    end
  end
end

-- ---- functions that keep shape ----

--- Values at x, one for each of y's rows or one for each of its second axis: y is (points, ...) or (points, x, ...).
local function along(points, y, x, has_own)
  local cn, slopes = args.namespace, cubic.pchip_slopes(points, y)
  local places = given.intervals(points, x)
  local left = cn.take(points, places)
  local width = cn.take(points, places + 1) - left
  local ndim = has_own and y.ndim - 1 or y.ndim
  local function rows_of(values, at)
    if not has_own then return cn.take(values, at, 1) end
    local shape, own = values.shape, cn.range(1, x.size)
    return cn.take(values:reshape(-1, unpack(shape, 3)), (at - 1) * x.size + own, 1)
  end
  local s, h = given.column((x - left) / width, ndim), given.column(width, ndim)
  local a, b = rows_of(y, places), rows_of(y, places + 1)
  local da, db = rows_of(slopes, places) * h, rows_of(slopes, places + 1) * h
  local rise = b - a
  return a + s * (da + s * (rise * 3 - da * 2 - db + s * (da + db - rise * 2)))
end

--- A maker of functions of points on a grid, by PchipInterpolator's functions along each axis.
function M.shape_keeping(axes, values, name)
  check_points(axes, 2, "pchip", name)
  if values.dtype:find "^complex" then fail("%s: method \"pchip\" takes real values, got %s", name, values.dtype) end
  local cn = args.namespace
  return function(list)
    local y = along(axes[#axes], cn.moveaxis(values, #axes, 1), list[#axes], false)
    for axis = #axes - 1, 1, -1 do y = along(axes[axis], cn.moveaxis(y, axis + 1, 1), list[axis], true) end
    return y
  end
end

return M

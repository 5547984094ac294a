--- interpolation.lua: cn.ndimage's functions that move, scale and turn images.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.ndimage.given"
local spline = require "cuna.ndimage.spline"

local M = {functions = {}}
local F = M.functions -- cn.ndimage

local fail = check.fail

---@alias cuna.SplineMode string how an image continues: as cuna.ImageMode says, but "constant" (the default) is cval
--- wherever a coordinate is outside, without the transition of "grid-constant"; and "wrap" takes the first and the
--- last element for one, which "grid-wrap" does not

-- ---- splines ----

local read_spline_filter1d = args.reader("ndimage.spline_filter1d", {"input", "order", "axis", "output", "mode"})

--- Coefficients of splines along an axis; for the orders 0 and 1 those are the elements. Follows
--- scipy.ndimage.spline_filter1d.
---@param input cuna.Operand
---@param order integer|nil 0 to 5, default 3
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil default float64, or complex128
---@param mode cuna.SplineMode|nil default "mirror"
---@return cuna.Array
---@usage cn.ndimage.spline_filter1d({0, 0, 6, 0, 0}, 2):argmax() --> 3
function F.spline_filter1d(...)
  local x, order, axis, output, mode = read_spline_filter1d(...)
  x, order, mode = given.image(x, "ndimage.spline_filter1d"), spline.order(order, 0, "ndimage.spline_filter1d"),
    spline.mode(mode, "mirror", "ndimage.spline_filter1d")
  axis = core.axis(axis == nil and -1 or axis, x.ndim, "ndimage.spline_filter1d")
  return spline.filter(x, order, {axis}, output, mode, "ndimage.spline_filter1d")
end

local read_spline_filter = args.reader("ndimage.spline_filter", {"input", "order", "output", "mode"})

--- Coefficients of splines along all axes. Follows scipy.ndimage.spline_filter.
---@param input cuna.Operand
---@param order integer|nil 2 to 5, default 3
---@param output cuna.Array|string|nil
---@param mode cuna.SplineMode|nil default "mirror"
---@return cuna.Array
---@usage cn.ndimage.spline_filter({{1, 1}, {1, 1}}):allclose(1) --> true
function F.spline_filter(...)
  local x, order, output, mode = read_spline_filter(...)
  x, order, mode = given.image(x, "ndimage.spline_filter"), spline.order(order, 2, "ndimage.spline_filter"),
    spline.mode(mode, "mirror", "ndimage.spline_filter")
  return spline.filter(x, order, given.axes(nil, x, "ndimage.spline_filter"), output, mode, "ndimage.spline_filter")
end

-- ---- values at coordinates ----

local function check_cval(cval, name)
  return check.number(cval == nil and 0 or cval, name, "cval")
end

local function check_prefilter(prefilter, name) return check.boolean(prefilter, true, name, "prefilter") end

local read_map_coordinates = args.reader("ndimage.map_coordinates", {"input", "coordinates", "output", "order",
  "mode", "cval",
  "prefilter"}, 2)

--- Values of an image at coordinates, by spline interpolation. Follows scipy.ndimage.map_coordinates, where coordinates
--- count from 0.
---@param input cuna.Operand
---@param coordinates cuna.Operand a row for each axis; 1 is the first element, 1.5 the middle between it and the second
---@param output cuna.Array|string|nil an array for the result, or its dtype; default: the input's. To integers values
--- are rounded
---@param order integer|nil of the spline, 0 to 5, default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil default 0
---@param prefilter boolean|nil whether the coefficients are yet to be computed, default true
---@return cuna.Array of the shape of a row of coordinates
---@usage cn.ndimage.map_coordinates({{0, 1}, {2, 3}}, {{1, 1.5}, {2, 1.5}}, {order = 1}) --> [1. 1.5]
function F.map_coordinates(...)
  local x, coordinates, output, order, mode, cval, prefilter = read_map_coordinates(...)
  local name = "ndimage.map_coordinates"
  x = given.image(x, name)
  coordinates = check.array(coordinates, name, x.device)
  check.same_device(x, coordinates, name)
  local shape = coordinates.shape
  if #shape == 0 or table.remove(shape, 1) ~= x.ndim then
    fail("%s: an image of %d axes takes %d rows of coordinates, got shape %s", name, x.ndim, x.ndim,
      tostring(coordinates.shape))
  end
  if dtype_facts.kind_of[coordinates.dtype] == "c" then fail("%s: coordinates are real numbers", name) end
  local what = spline.new(x, given.axes(nil, x, name), order, mode, name)
  cval, prefilter, coordinates = check_cval(cval, name), check_prefilter(prefilter, name),
    core.cast(coordinates, "float64", name)
  return given.output(output, x, shape, x.dtype, name, function(out)
    local rows = {}
    for k = 1, x.ndim do rows[k] = coordinates[{k, core.ellipsis}] end
    if x.size == 0 then return core.fill(out, cval, name) end
    spline.values(x, what, rows, -1, out, prefilter, cval, name)
  end)
end

--- Values at coordinates of which each depends on one position of the result: line(k) gives those along axis k.
local function along_axes(x, shape, output, order, mode, cval, prefilter, line, name)
  local axes = given.axes(nil, x, name)
  local what = spline.new(x, axes, order, mode, name)
  cval, prefilter = check_cval(cval, name), check_prefilter(prefilter, name)
  return given.output(output, x, shape, x.dtype, name, function(out)
    local lines = {}
    for k = 1, x.ndim do lines[k] = line(k, spline.positions(shape[k], k, x.ndim, x.device)) end
    if x.size == 0 then return core.fill(out, cval, name) end
    spline.values(x, what, lines, 0, out, prefilter, cval, name)
  end)
end

local read_shift = args.reader("ndimage.shift", {"input", "shift", "output", "order", "mode", "cval", "prefilter"}, 2)

--- An image moved by a number of elements, which may be a fraction. Follows scipy.ndimage.shift.
---@param input cuna.Operand
---@param shift number|number[] one for all axes, or one for each
---@param output cuna.Array|string|nil
---@param order integer|nil default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil
---@param prefilter boolean|nil
---@return cuna.Array
---@usage cn.ndimage.shift({1, 2, 3, 4}, 1.5, {order = 1}) --> [0. 0. 1.5 2.5]
function F.shift(...)
  local x, shift, output, order, mode, cval, prefilter = read_shift(...)
  local name = "ndimage.shift"
  x = given.image(x, name)
  local shifts = given.numbers(shift, nil, x.ndim, name, "shift")
  return along_axes(x, x.shape, output, order, mode, cval, prefilter, function(k, line)
    return args.namespace.subtract(line, shifts[k])
  end, name)
end

local read_zoom = args.reader("ndimage.zoom", {"input", "zoom", "output", "order", "mode", "cval", "prefilter",
  "grid_mode"}, 2)

--- To the nearest whole number, of two the even one.
local function rint(v)
  local low = math.floor(v)
  local beyond = v - low
  return (beyond > 0.5 or beyond == 0.5 and low % 2 == 1) and low + 1 or low
end

--- An image scaled by factors. Follows scipy.ndimage.zoom.
---@param input cuna.Operand
---@param zoom number|number[] one for all axes, or one for each
---@param output cuna.Array|string|nil
---@param order integer|nil default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil
---@param prefilter boolean|nil
---@param grid_mode boolean|nil whether an image begins and ends at the edges of its elements instead of their middles
---@return cuna.Array
---@usage cn.ndimage.zoom({0, 3}, 2, {order = 1}) --> [0. 1. 2. 3.]
function F.zoom(...)
  local x, zoom, output, order, mode, cval, prefilter, grid = read_zoom(...)
  local name = "ndimage.zoom"
  x, grid = given.image(x, name), check.boolean(grid, false, name, "grid_mode")
  local factors, shape, scales = given.numbers(zoom, nil, x.ndim, name, "zoom"), x.shape, {}
  for k, n in ipairs(x.shape) do
    if not (factors[k] >= 0 and factors[k] < math.huge) then
      fail("%s: a factor is at least 0, got %s", name, tostring(factors[k]))
    end
    shape[k] = rint(n * factors[k])
    local from, to = grid and n or n - 1, grid and shape[k] or shape[k] - 1
    scales[k] = to ~= 0 and from / to or 1
  end
  return along_axes(x, shape, output, order, mode, cval, prefilter, function(k, line)
    local cn = args.namespace
    if not grid then return cn.multiply(line, scales[k]) end
    return cn.subtract(cn.multiply(cn.add(line, 0.5), scales[k]), 0.5)
  end, name)
end

-- ---- affine transformations ----

--- Rows of a matrix with the offset as last number, for `count` axes; nil for a diagonal, which comes second.
local function rows_of(matrix, offset, count, name)
  local list, shape = given.elements(matrix, name)
  for k, v in ipairs(list) do list[k] = tonumber(v) or fail("%s: the matrix has real numbers", name) end
  local offsets, rows = given.numbers(offset, 0, count, name, "offset"), {}
  if #shape == 1 and shape[1] == count then return nil, list, offsets end
  local is_homogeneous = #shape == 2 and shape[2] == count + 1 and (shape[1] == count or shape[1] == count + 1)
  if not is_homogeneous and not (#shape == 2 and shape[1] == count and shape[2] == count) then
    fail("%s: a matrix of shape %s for an image of %d axes", name, tostring(shape), count)
  end
  for row = 1, count do
    for k = 1, shape[2] do rows[#rows + 1] = list[(row - 1) * shape[2] + k] end
    if not is_homogeneous then rows[#rows + 1] = offsets[row] end
  end
  for k = 1, shape[1] > count and count + 1 or 0 do
    if list[count * (count + 1) + k] ~= (k > count and 1 or 0) then
      fail("%s: the last row of a homogeneous matrix is 0, ..., 0, 1", name)
    end
  end
  return rows
end

--- Values where a matrix leads from the positions of the result along some axes; other axes stay as they are.
local function turn(x, rows, axes, shape, output, order, mode, cval, prefilter, name)
  local what = spline.new(x, axes, order, mode, name)
  what.matrix, what.keeps = rows, #axes < x.ndim
  cval, prefilter = check_cval(cval, name), check_prefilter(prefilter, name)
  return given.output(output, x, shape, x.dtype, name, function(out)
    local positions = {}
    for k, axis in ipairs(axes) do positions[k] = spline.positions(shape[axis], axis, x.ndim, x.device) end
    if x.size == 0 then return core.fill(out, cval, name) end
    spline.values(x, what, positions, 0, out, prefilter, cval, name)
  end)
end

local read_affine = args.reader("ndimage.affine_transform", {"input", "matrix", "offset", "output_shape", "output",
  "order",
  "mode", "cval", "prefilter"}, 2)

--- The value of an image at matrix . o + offset for each place o of the result, where o and the place in the image are
--- distances from the first element, as in SciPy. Follows scipy.ndimage.affine_transform.
---@param input cuna.Operand
---@param matrix cuna.Operand (n, n) for n axes, (n,) for a diagonal, (n, n + 1) or (n + 1, n + 1) with the offset
---@param offset number|number[]|nil default 0
---@param output_shape cuna.Shape|nil default: the input's
---@param output cuna.Array|string|nil
---@param order integer|nil default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil
---@param prefilter boolean|nil
---@return cuna.Array
---@usage cn.ndimage.affine_transform({{1, 2}, {3, 4}}, {{0, 1}, {1, 0}}, {order = 1}) --> [[1. 3.] [2. 4.]]
function F.affine_transform(...)
  local x, matrix, offset, output_shape, output, order, mode, cval, prefilter = read_affine(...)
  local name, cn = "ndimage.affine_transform", args.namespace
  x = given.image(x, name)
  local rows, diagonal, offsets = rows_of(matrix, offset, x.ndim, name)
  local shape = output_shape and check.lengths(output_shape, name, "output_shape") or
    core.is_array(output) and output.shape or x.shape
  if #shape ~= x.ndim then fail("%s: output_shape has %d axes, the image %d", name, #shape, x.ndim) end
  if rows then
    return turn(x, rows, given.axes(nil, x, name), shape, output, order, mode, cval, prefilter, name)
  end
  return along_axes(x, shape, output, order, mode, cval, prefilter, function(k, line)
    if offsets[k] ~= 0 then line = cn.add(line, offsets[k] / diagonal[k]) end
    return cn.multiply(line, diagonal[k])
  end, name)
end

local read_rotate = args.reader("ndimage.rotate", {"input", "angle", "axes", "reshape", "output", "order", "mode",
  "cval",
  "prefilter"}, 2)

--- Cosine and sine of an angle in degrees, exact at multiples of 90.
local function turned(angle)
  local quarter = angle % 360 / 90
  if quarter % 1 == 0 then return ({[0] = 1, 0, -1, 0})[quarter], ({[0] = 0, 1, 0, -1})[quarter] end
  return math.cos(math.rad(angle)), math.sin(math.rad(angle))
end

--- Lengths of the box about a turned one.
local function box_of(height, width, c, s)
  local function extent(a, b) return math.floor(math.max(0, a, b, a + b) - math.min(0, a, b, a + b) + 0.5) end
  return extent(c * height, s * width), extent(-s * height, c * width)
end

--- An image turned in the plane of two axes about its middle. Follows scipy.ndimage.rotate.
---@param input cuna.Operand
---@param angle number in degrees
---@param axes integer[]|nil two axes, default {2, 1}
---@param reshape boolean|nil whether the result has room for all of the image, default true
---@param output cuna.Array|string|nil
---@param order integer|nil default 3
---@param mode cuna.SplineMode|nil
---@param cval cuna.Number|nil
---@param prefilter boolean|nil
---@return cuna.Array
---@usage cn.ndimage.rotate({{1, 2, 3}, {4, 5, 6}}, 90, {order = 1}) --> [[3. 6.] [2. 5.] [1. 4.]]
function F.rotate(...)
  local x, angle, axes, reshape, output, order, mode, cval, prefilter = read_rotate(...)
  local name = "ndimage.rotate"
  x = given.image(x, name)
  if x.ndim < 2 then fail("%s: an image to turn has at least 2 axes, got shape %s", name, tostring(x.shape)) end
  angle = check.real(angle, name, "angle")
  if axes ~= nil and (type(axes) ~= "table" or #axes ~= 2) then fail("%s: axes are two", name) end
  axes = given.axes(axes == nil and {2, 1} or axes, x, name)
  local c, s = turned(angle)
  local shape, height, width = x.shape, x.shape[axes[1]], x.shape[axes[2]]
  if check.boolean(reshape, true, name, "reshape") then
    shape[axes[1]], shape[axes[2]] = box_of(height, width, c, s)
  end
  local y, z = (shape[axes[1]] - 1) / 2, (shape[axes[2]] - 1) / 2
  local rows = {c, s, (height - 1) / 2 - (c * y + s * z), -s, c, (width - 1) / 2 - (-s * y + c * z)}
  return turn(x, rows, axes, shape, output, order, mode, cval, prefilter, name)
end

return M

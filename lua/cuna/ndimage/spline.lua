--- spline.lua: images between their elements: coefficients of splines, and their values at coordinates.
--
-- A value is computed by a program over the result, whose inputs are the address of the image and, for each axis, the
-- coordinate: an array, a vector along that axis, or a sum of the result's positions times a row of a matrix.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.ndimage.given"
local pad = require "cuna.pad"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local with = require "cuna.base.with"

local M = {}

local fail, kind_of = check.fail, dtype_facts.kind_of

-- Names in kernels/ndimage_spline.cuh.
local MODES = {reflect = "REFLECT", ["grid-mirror"] = "REFLECT", constant = "CONSTANT", nearest = "NEAREST",
  mirror = "MIRROR", wrap = "WRAP_AROUND", ["grid-constant"] = "GRID_CONSTANT", ["grid-wrap"] = "GRID_WRAP"}
-- How lines of coefficients continue, by mode.
local LINES = {REFLECT = "REFLECT", NEAREST = "REFLECT", GRID_WRAP = "GRID_WRAP"}
-- Their numbers there, and those of dtypes in kernels/loop_images.hh.
local ORDINALS = {REFLECT = 0, CONSTANT = 1, NEAREST = 2, MIRROR = 3, WRAP_AROUND = 4, GRID_CONSTANT = 5, GRID_WRAP = 6,
  bool = 1, int8 = 2, int16 = 3, int32 = 4, int64 = 5, uint8 = 6, uint16 = 7, uint32 = 8, uint64 = 9, float16 = 10,
  bfloat16 = 11, float32 = 12, float64 = 13, complex64 = 14, complex128 = 15}
local PADDING = 12 -- elements beyond the border, for modes whose splines have no recursion of their own

function M.mode(mode, default, name)
  local found = MODES[mode == nil and default or mode]
  if not found then
    fail("%s: mode is reflect, constant, nearest, mirror, wrap, grid-mirror, grid-constant or grid-wrap, got %s", name,
      check.show(mode))
  end
  return found
end

function M.order(order, least, name)
  order = order == nil and 3 or order
  if type(order) ~= "number" or order % 1 ~= 0 or order < least or order > 5 then
    fail("%s: order is a whole number from %d to 5, got %s", name, least, check.show(order))
  end
  return order
end

-- ---- coefficients ----

local root = math.sqrt
local POLES = {
  [2] = {root(8) - 3, 0},
  [3] = {root(3) - 2, 0},
  [4] = {root(664 - root(438976)) + root(304) - 19, root(664 + root(438976)) - root(304) - 19},
  [5] = {root(67.5 - root(4436.25)) + root(26.25) - 6.5, root(67.5 + root(4436.25)) - root(26.25) - 6.5},
}

local function draw_line(draft, dtype, value, mode)
  local values = {draft:input(dtype, "address"), draft:input("int64", "scalar"), draft:input("int64", "scalar"),
    draft:input("float64", "scalar"), draft:input("float64", "scalar"), draft:input("float64", "scalar")}
  draft.gathers, draft.outputs = true, {}
  draft:step("spline_line", ("ndimage::spline_line<%s, ndimage::%s>(a, b, c, d, e, f)"):format(value, mode), "bool",
    values, {"int64", "int64", "int64", "float64", "float64", "float64"})
end

local VALUES = {float64 = "double", complex128 = "complex<double>"}

--- Replaces lines along an axis by the coefficients of splines; x is float64 or complex128.
local function filter_lines(x, order, axis, mode, name)
  local n, poles, gain = x.shape[axis], POLES[order], 1
  if order < 2 or n < 2 or x.size == 0 then return end
  if x.size > n and x.strides[axis] == x.itemsize and core.lanes(x) > 1 then
    local turned = args.namespace.moveaxis(x, axis, 1):copy() -- neighbouring lanes have neighbouring elements
    filter_lines(turned, order, 1, mode, name)
    core.copy(x, args.namespace.moveaxis(turned, 1, axis), name)
    return
  end
  for _, z in ipairs(poles) do gain = z ~= 0 and gain * ((1 - z) * (1 - 1 / z)) or gain end
  local lines = LINES[mode] or "MIRROR"
  local made = program.get(x.dtype .. lines, draw_line, x.dtype, VALUES[x.dtype], lines)
  local first = slices.at(x, axis, 1)
  core.map(made, name, first.shape, {}, first, x.strides[axis], n, gain, poles[1], poles[2])
end

--- The coefficients of x along `axes`, as float64 or complex128.
function M.coefficients(x, order, axes, mode, name)
  local made = core.cast(x, kind_of[x.dtype] == "c" and "complex128" or "float64", name)
  if core.shares_memory(made, x) then made = made:copy() end
  for _, axis in ipairs(axes) do filter_lines(made, order, axis, mode, name) end
  return made
end

--- spline_filter1d and spline_filter.
function M.filter(x, order, axes, output, mode, name)
  x = given.image(x, name)
  local dtype = kind_of[x.dtype] == "c" and "complex128" or "float64"
  return given.output(output, x, x.shape, dtype, name, function(out)
    core.copy(out, M.coefficients(x, order, axes, mode, name), name)
  end)
end

-- ---- values ----

--- What a transformation computes: order, mode, axes (of the image, which have coordinates), computed dtype, matrix (in
--- place of coordinates, a list of rows with the offset as their last number, or nil).
---@class cuna.Transformation

local function letter(k) return string.char(96 + k) end

--- The coordinates of a matrix as text, of the values from number `first` on: row by row, offset first as SciPy does.
local function rows_of(count, table_letter, first)
  local rows = {}
  for row = 1, count do
    local terms = {("((const double *)%s)[%d]"):format(table_letter, row * (count + 1) - 1)}
    for k = 1, count do
      terms[k + 1] = ("%s * ((const double *)%s)[%d]"):format(letter(first + k - 1), table_letter,
        (row - 1) * (count + 1) + k - 1)
    end
    rows[row] = ("(%s) + %%s"):format(table.concat(terms, " + "))
  end
  return rows
end

local function draw_values(draft, what, dtype, result)
  local count, computed = #what.axes, what.computed
  local values = {draft:input(dtype, "address"), draft:input("int64", "address"), draft:input(computed, "scalar"),
    draft:input("float64", "scalar")}
  local types, coordinates = {"int64", "int64", computed, "float64"}, {}
  if what.matrix then values[5], types[5] = draft:input("float64", "address"), "int64" end
  local first = #values + 1
  for k = 1, count do
    values[first + k - 1], types[first + k - 1] = draft:input "float64", "float64"
    coordinates[k] = letter(first + k - 1) .. " + %s"
  end
  if what.matrix then coordinates = rows_of(count, "e", first) end
  local point = table.concat(coordinates, ", "):gsub("%%s", "d")
  local text = ("ndimage::interpolated<%s, %s, %d, ndimage::%s>(a, b, c, ndimage::point<%d>{{%s}})"):format(
    given.type_of(dtype), computed, what.order, what.mode, count, point)
  local value = draft:step("interpolated", text, computed, values, types,
    ("ndimage::interpolated<%s>(a, b, c, ndimage::point<%d>{{%s}})"):format(computed, count, point))
  draft.gathers, draft.outputs = true, {}
  if result ~= computed then
    value = draft:step("rounded", ("ndimage::rounded<%s>(a)"):format(given.type_of(result)), result, {value}, computed)
  end
  draft:give(value, result)
end

--- The image at all places of the result at once: no step along the axes that have coordinates.
local function base_of(x, what, shape)
  local strides, itemsize = x.strides, x.itemsize
  for axis = 1, #strides do strides[axis] = strides[axis] / itemsize end
  if not what.keeps then return core.view(x, {}, {}, 0) end
  for _, axis in ipairs(what.axes) do strides[axis] = 0 end
  return core.view(x, shape, strides, 0)
end

--- The image that values are read from, and by how much its elements moved: its coefficients, in some modes of a
--- larger image.
local function prepare(x, what, prefilter, cval, name)
  if not prefilter or what.order < 2 then return x, 0 end
  local moved, widths = 0, {}
  if what.mode == "NEAREST" or what.mode == "GRID_CONSTANT" then
    for axis = 1, x.ndim do widths[axis] = {0, 0} end
    for _, axis in ipairs(what.axes) do widths[axis] = {PADDING, PADDING} end
    local is_constant = what.mode == "GRID_CONSTANT"
    if is_constant then x = core.cast(x, what.computed, name) end
    x, moved = pad.functions.pad(x, widths, is_constant and "constant" or "edge", is_constant and
      {constant_values = cval} or {}), PADDING
  end
  return M.coefficients(x, what.order, what.axes, what.mode, name), moved
end

--- Writes values of x to `out`. Without what.keeps, all axes of x have coordinates, and out has any shape.
---@param what cuna.Transformation
---@param coordinates cuna.Array[] of float64, that broadcast to out: one for each axis, or the positions that a matrix
--- multiplies
---@param from number what is added to each coordinate so that they count from 0
function M.values(x, what, coordinates, from, out, prefilter, cval, name)
  local src, moved = prepare(x, what, prefilter, cval, name)
  local facts, shape, strides = {}, src.shape, src.strides
  for _, axis in ipairs(what.axes) do
    facts[#facts + 1], facts[#facts + 2] = shape[axis], strides[axis]
  end
  -- What loops read (kernels/loop_images.hh).
  for _, fact in ipairs {what.order, ORDINALS[what.mode], ORDINALS[src.dtype]} do facts[#facts + 1] = fact end
  local function constant(list, dtype) return core.view(core.as_array(list, dtype, x.device, name), {}, {}, 0) end
  local key = table.concat({src.dtype, what.computed, what.order, what.mode, #what.axes, tostring(what.matrix ~= nil),
    out.dtype}, " ")
  local made = program.get(key, draw_values, what, src.dtype, out.dtype)
  local operands = {base_of(src, what, out.shape), constant(facts, "int64"), cval, from + moved}
  if what.matrix then operands[5] = constant(what.matrix, "float64") end
  for _, one in ipairs(coordinates) do operands[#operands + 1] = one end
  core.map(made, name, nil, out, unpack(operands))
end

--- A transformation of an image: what M.values takes, with its arguments checked.
function M.new(x, axes, order, mode, name)
  return {axes = axes, order = M.order(order, 0, name), mode = M.mode(mode, "constant", name),
    computed = kind_of[x.dtype] == "c" and "complex128" or "float64"}
end

--- Positions 0, 1, ... along an axis of results with `ndim` axes.
function M.positions(count, axis, ndim, device)
  local line = with.on(device, args.namespace.arange, 0, count, 1, "float64")
  return slices.along(line, axis, ndim)
end

return M

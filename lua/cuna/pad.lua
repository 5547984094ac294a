--- pad.lua: padding arrays with borders.
--
-- The array is copied once into the middle of the result. Then both borders of each axis are filled from the elements
-- between them. Along axes that are already filled, a border has their whole length; along later axes, only the length
-- of the middle. Each element is therefore written once, and corners are copies of borders.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local create = require "cuna.create"
local displace = require "cuna.displace"
local dtype_facts = require "cuna.base.dtype_facts"
local elementwise = require "cuna.elementwise"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- arguments ----

--- A value for each axis and side, from a number, {number}, {before, after}, or a table with one of these for each axis
--- (or one for all).
local function pairs_of(value, ndim, what, check_one)
  local function pair(given)
    if type(given) ~= "table" then given = {given} end
    if #given ~= 1 and #given ~= 2 then fail("pad: %s of an axis is one number or two, got %d", what, #given) end
    local before, after = given[1], given[2]
    if after == nil then after = before end
    return {check_one(before, "pad", what), check_one(after, "pad", what)}
  end
  local per_axis, list = type(value) == "table" and type(value[1]) == "table", {}
  if per_axis and #value ~= ndim and #value ~= 1 then
    fail("pad: %s for %d axes, and the array has %d", what, #value, ndim)
  end
  for axis = 1, ndim do list[axis] = pair(per_axis and (value[axis] or value[1]) or value) end
  return list
end

--- The border of one side of an axis: out, axis, side (1 or 2), width; first and last, the range on the axis that is
--- filled already; key, that of the middle on the other axes; both, a table that the axis' two sides share.
---@class cuna.Border

--- The slice of the padded array from one position of the border's axis to another.
local function slice(border, first, last)
  border.key[border.axis] = {first, last}
  return border.out[border.key]
end

--- The `count` elements inside of the border, at a distance of `skip` from it.
local function inner(border, skip, count)
  if border.side == 1 then return slice(border, border.first + skip, border.first + skip + count - 1) end
  return slice(border, border.last - skip - count + 1, border.last - skip)
end

--- The `count` elements of the border next to the middle.
local function outer(border, count)
  if border.side == 1 then return slice(border, border.first - count, border.first - 1) end
  return slice(border, border.last + 1, border.last + count)
end

--- x reversed along the border's axis.
local function reversed(border, x)
  local key = {core.ellipsis}
  for k = 1, x.ndim do key[k] = {} end
  key[border.axis] = {-1, 1, -1}
  return x[key]
end

-- ---- one value for each line of a border ----

local function fill_border(border, value)
  local whole = outer(border, border.width)
  if core.is_array(value) then core.copy(whole, value, "pad") else core.fill(whole, value, "pad") end
end

local is_inexact = dtype_facts.is_inexact

local function draw(draft, name, expr, loop, dtype, inputs)
  local values = {}
  for k = 1, #inputs do values[k] = k end
  draft.inputs, draft.output = inputs, dtype
  draft:step(name, expr, loop, values)
end

--- A program of one step with an array of a dtype among its inputs, which are {dtype = ..., scalar = ...}.
local function program_of(name, expr, loop, dtype, inputs)
  return program.get(name .. " " .. dtype, draw, name, expr, loop, dtype, inputs)
end

--- Edge a, b steps from the end value c, of d steps in all.
local RAMP, WHOLE_RAMP = "wrap_add(wrap_mul(wrap_sub(a, c) / d, b), c)", "floor(wrap_add(wrap_mul((a - c) / d, b), c))"

--- Fills a border with a linear ramp from the end value, which is outermost, to the edge, which is not part of it.
local function fill_ramp(border, end_value)
  local whole, line, dtype = outer(border, border.width), {}, border.out.dtype
  local loop = dtype:find "complex" and "complex128" or "float64"
  if loop == "float64" and core.number_kind(end_value) == "complex" then
    fail("pad: end value %s is complex and %s is not", tostring(end_value), dtype)
  end
  for axis = 1, whole.ndim do line[axis] = axis == border.axis and border.width or 1 end
  local steps = core.reshape(with.on(whole, create.functions.arange, border.width), line, "pad")
  if border.side == 2 then steps = reversed(border, steps) end
  local made = program_of("ramp", is_inexact(dtype) and RAMP or WHOLE_RAMP, loop, dtype,
    {{dtype = dtype}, {dtype = "int64"}, {dtype = loop, scalar = true}, {dtype = loop, scalar = true}})
  core.map(made, "pad", whole.shape, whole, inner(border, 0, 1), steps, end_value, border.width)
end

--- Fills a border with a statistic of the `count` elements next to it.
local function fill_statistic(name)
  return function(border, count)
    local most = border.last - border.first + 1
    count = math.min(count or most, most)
    if count == 0 and (name == "max" or name == "min") then
      fail("pad: stat_length is 0, but the %s of no elements is undefined", name)
    end
    local value = count == most and border.both.value -- the whole middle has one value for both sides
    if not value then
      local fold = reduce.functions[name] or require("cuna.quantile").functions[name]
      value = fold(inner(border, 0, count), border.axis, {keepdims = true})
      if not is_inexact(border.out.dtype) then value = elementwise.functions.rint(value) end
    end
    if count == most then border.both.value = value end
    fill_border(border, value)
  end
end

-- ---- repeated middle ----

--- Fills a border from the middle outwards, in pieces of at most `period` elements. fill(part, count) fills a piece;
--- border.first or border.last then moves past it.
local function fill_pieces(border, period, fill)
  local left = border.width
  while left > 0 do
    local count = math.min(left, period)
    fill(outer(border, count), count)
    left = left - count
    if border.side == 1 then border.first = border.first - count else border.last = border.last + count end
  end
end

--- Fills a border with the middle mirrored at its edge, which is repeated (skip 0) or not (1).
local function fill_mirrored(skip)
  return function(border, is_odd)
    local length, dtype = border.last - border.first + 1, border.out.dtype
    if skip == 1 and length == 1 then return fill_border(border, inner(border, 0, 1)) end -- only the edge exists
    fill_pieces(border, length - skip, function(part, count)
      local mirrored = reversed(border, inner(border, skip, count))
      if not is_odd then return core.copy(part, mirrored, "pad") end
      local made = program_of("turned", "wrap_sub(wrap_add(a, a), b)", dtype, dtype,
        {{dtype = dtype}, {dtype = dtype}})
      core.map(made, "pad", part.shape, part, inner(border, 0, 1), mirrored)
    end)
  end
end

local function fill_wrapped(border)
  local length = border.last - border.first + 1
  fill_pieces(border, length, function(part, count) core.copy(part, inner(border, length - count, count), "pad") end)
end

-- ---- modes ----

local function any_number(value, name, what)
  if type(value) == "boolean" then return value end
  return check.number(value, name, what)
end

local REFLECT_TYPES = {even = false, odd = true}

local function as_is_odd(value)
  local is_odd = REFLECT_TYPES[value == nil and "even" or value]
  if is_odd == nil then fail("pad: reflect_type is \"even\" or \"odd\", got %s", check.show(value)) end
  return is_odd
end

--- Reads an option with a value for each axis and side.
local function by_side(what, check_one, default)
  return function(value, ndim) return pairs_of(value == nil and default or value, ndim, what, check_one) end
end

local function by_count(value, ndim)
  if value == nil then return nil end
  return pairs_of(value, ndim, "stat_length", check.count)
end

-- For each mode: the function that fills a border, given the border and the option's value for it; the option; and the
-- function that reads the option, for each axis and side or for all. `needs`: the mode needs elements to repeat.
local MODES = {
  empty = {fill = function() end},
  constant = {fill = fill_border, option = "constant_values", read = by_side("constant_values", any_number, 0)},
  edge = {fill = function(border) fill_border(border, inner(border, 0, 1)) end, needs = true},
  linear_ramp = {fill = fill_ramp, option = "end_values", read = by_side("end_values", check.number, 0), needs = true},
  maximum = {fill = fill_statistic "max", option = "stat_length", read = by_count, needs = true},
  minimum = {fill = fill_statistic "min", option = "stat_length", read = by_count, needs = true},
  mean = {fill = fill_statistic "mean", option = "stat_length", read = by_count, needs = true},
  median = {fill = fill_statistic "median", option = "stat_length", read = by_count, needs = true},
  reflect = {fill = fill_mirrored(1), option = "reflect_type", read = as_is_odd, needs = true},
  symmetric = {fill = fill_mirrored(0), option = "reflect_type", read = as_is_odd, needs = true},
  wrap = {fill = fill_wrapped, needs = true},
}

local OPTIONS = {"stat_length", "constant_values", "end_values", "reflect_type"}

local function mode_of(mode, given)
  mode = mode == nil and "constant" or mode
  local row = MODES[mode]
  if not row then
    local names = {}
    for name in pairs(MODES) do names[#names + 1] = ("%q"):format(name) end
    table.sort(names)
    fail("pad: mode is one of %s, or a function, got %s", table.concat(names, ", "), check.show(mode))
  end
  for i, option in ipairs(OPTIONS) do
    if given[i] ~= nil and option ~= row.option then
      fail("pad: mode %q does not take %s%s", mode, option, row.option and ("; it takes " .. row.option) or "")
    end
  end
  return row
end

--- Copies the array into the middle of a larger one whose borders are uninitialised.
local function framed(x, widths)
  local shape, key = x.shape, {core.ellipsis}
  for axis, width in ipairs(widths) do
    key[axis] = {width[1] + 1, width[1] + shape[axis]}
    shape[axis] = shape[axis] + width[1] + width[2]
  end
  local out = core.empty(shape, x.dtype, x.device, "pad")
  if x.size > 0 then out[key] = x end
  return out, key
end

--- Calls fill(border) for the borders that are not empty, in the order of axes; `key` is the middle's.
local function each_border(out, key, widths, fill)
  for axis, width in ipairs(widths) do
    local first, last = unpack(key[axis])
    local both = {}
    for side = 1, 2 do
      if width[side] > 0 then
        fill {out = out, axis = axis, side = side, width = width[side], first = first, last = last, key = key,
          both = both}
      end
    end
    key[axis] = {}
  end
end

--- Calls fn for every vector along an axis, in row-major order of the other axes.
local function each_vector(out, axis, fn)
  local shape, key = out.shape, {core.ellipsis}
  for k = 1, out.ndim do
    if shape[k] == 0 then return end
    key[k] = k == axis and {} or 1
  end
  repeat
    fn(out[key])
    local k = out.ndim
    while k > 0 and (k == axis or key[k] == shape[k]) do
      if k ~= axis then key[k] = 1 end
      k = k - 1
    end
    if k > 0 then key[k] = key[k] + 1 end
  until k == 0
end

--- x with borders of zeros, which the user's function replaces.
local function pad_by_function(x, widths, fn)
  local out, key = framed(x, widths)
  each_border(out, key, widths, function(border) fill_border(border, 0) end)
  for axis, width in ipairs(widths) do
    each_vector(out, axis, function(vector) fn(vector, {width[1], width[2]}, axis) end)
  end
  return out
end

--- Whether all borders are zeros.
local function is_zero(values)
  for _, pair in ipairs(values) do
    if pair[1] ~= 0 or pair[2] ~= 0 then return false end
  end
  return true
end

local read_pad = args.reader("pad", {"x", "pad_width", "mode", unpack(OPTIONS)}, 2)

--- x with borders. Modes: "constant" (constant_values), "edge", "linear_ramp" (from end_values), "maximum", "minimum",
--- "mean" and "median" (of the stat_length elements next to the border), "reflect", "symmetric" (which repeats the
--- edge; with reflect_type "odd", both modes subtract the reflection from twice the edge's value), "wrap", "empty". A
--- function gets each vector along each axis, with zeros as borders, the two widths and the axis, and writes into the
--- vector. If an axis has one element, "reflect" equals "edge". Follows numpy.pad.
---@param x cuna.Operand
---@param pad_width integer|integer[]|integer[][] one number, {before, after}, or one of these for each axis
---@param mode string|fun(vector: cuna.Array, widths: integer[], axis: integer)|nil default "constant"
---@param stat_length integer|table|nil as pad_width; default all
---@param constant_values cuna.Number|table|nil as pad_width, default 0
---@param end_values cuna.Number|table|nil as pad_width, default 0
---@param reflect_type string|nil "even" (default) or "odd"
---@return cuna.Array a copy, of x's dtype
---@usage cn.pad({1, 2}, {1, 2}) --> [0. 1. 2. 0. 0.]
---@usage cn.pad({{1, 2}}, {{1, 0}, {0, 1}}, "edge") --> [[1. 2. 2.] [1. 2. 2.]]
---@usage cn.pad({1, 2, 3}, 2, "reflect", {reflect_type = "odd"}) --> [-1. 0. 1. 2. 3. 4. 5.]
function F.pad(...)
  local x, pad_width, mode, stat_length, constant_values, end_values, reflect_type = read_pad(...)
  x = check.array(x, "pad")
  if pad_width == nil then fail "pad: the widths are missing" end
  local widths = pairs_of(pad_width, x.ndim, "pad_width", check.count)
  if type(mode) == "function" then return pad_by_function(x, widths, mode) end
  local given = {stat_length, constant_values, end_values, reflect_type}
  local row = mode_of(mode, given)
  local value
  for i, option in ipairs(OPTIONS) do
    if option == row.option then value = row.read(given[i], x.ndim) end
  end
  for axis, length in ipairs(row.needs and x.shape or {}) do
    if length == 0 and widths[axis][1] + widths[axis][2] > 0 then
      fail("pad: axis %d has no elements to fill its borders from; modes \"constant\" and \"empty\" need none", axis)
    end
  end
  local bordered = row.fill == fill_border and is_zero(value) and displace.bordered(x, widths, "pad")
  if bordered then return bordered end
  local out, key = framed(x, widths)
  each_border(out, key, widths, function(border)
    local own = value
    if type(value) == "table" then own = value[border.axis][border.side] end
    row.fill(border, own)
  end)
  return out
end

return M

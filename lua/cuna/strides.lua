--- strides.lua: views of an array's memory with other strides: diagonals, windows.
--
-- A view never leaves the memory that its array spans. Where elements of a view may share memory, it is read-only.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local reduce = require "cuna.reduce"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- diagonals ----

--- Strides in elements.
local function steps_of(x)
  local steps, itemsize = x.strides, x.itemsize
  for axis = 1, #steps do steps[axis] = steps[axis] / itemsize end
  return steps
end

--- The diagonals of x, a view; for functions of this name.
local function diagonal(name, x, offset, axis1, axis2)
  x, offset = check.array(x, name), check.integer(offset or 0, name, "offset")
  if x.ndim < 2 then fail("%s: expected at least 2 axes, got shape %s", name, tostring(x.shape)) end
  axis1, axis2 = core.axis(axis1 or 1, x.ndim, name), core.axis(axis2 or 2, x.ndim, name)
  if axis1 == axis2 then fail("%s: axis1 and axis2 are both %d", name, axis1) end
  return core.diagonal(x, offset, axis1, axis2)
end

M.diagonal = diagonal

local read_diagonal = args.reader("diagonal", {"x", "offset", "axis1", "axis2"})

--- The diagonals of the matrices along two axes, as a last axis. A view. Follows numpy.diagonal.
---@param x cuna.Operand at least 2-d
---@param offset integer|nil positive above the main diagonal, default 0
---@param axis1 integer|nil the rows, default 1
---@param axis2 integer|nil the columns, default 2
---@return cuna.Array
---@usage cn.arange(6):reshape(2, 3):diagonal(1) --> [1 5]
function F.diagonal(...) return diagonal("diagonal", read_diagonal(...)) end

local sums = {} -- by the name of the function that asks

--- Sums of the diagonals of x, for functions of this name.
function M.sum_diagonal(name, x, offset, axis1, axis2, dtype, out)
  sums[name] = sums[name] or reduce.renamed(name, "sum")
  return sums[name](diagonal(name, x, offset, axis1, axis2), {axis = -1, dtype = dtype, out = out})
end

local read_trace = args.reader("trace", {"x", "offset", "axis1", "axis2", "dtype", "out"})

--- The sums of the diagonals that cn.diagonal returns. Follows numpy.trace.
---@param x cuna.Operand at least 2-d
---@param offset integer|nil positive above the main diagonal, default 0
---@param axis1 integer|nil the rows, default 1
---@param axis2 integer|nil the columns, default 2
---@param dtype string|nil default as cn.sum's
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.trace {{1, 2}, {3, 4}} --> 5.0
function F.trace(...)
  local x, offset, axis1, axis2, dtype, out = read_trace(...)
  return M.sum_diagonal("trace", x, offset, axis1, axis2, dtype, out)
end

--- A value's elements, repeated up to a count.
local function cycle(x, value, count)
  if not core.is_array(value) then value = core.as_array(value, x.dtype, x.device, "fill_diagonal") end
  check.same_device(x, value, "fill_diagonal")
  if value.size == 0 then fail "fill_diagonal: the value has no elements" end
  if core.shares_memory(x, value) then value = core.cast(value, nil, "fill_diagonal") end
  local flat = core.reshape(value, -1, "fill_diagonal")
  local times = math.ceil(count / flat.size)
  return core.reshape(core.broadcast_to(flat, {times, flat.size}), -1, "fill_diagonal")[{{1, count}}]
end

local read_fill_diagonal = args.reader("fill_diagonal", {"x", "value", "wrap"}, 2)

--- Writes a value to the main diagonal of x, in place; the elements of an array are repeated. Follows
--- numpy.fill_diagonal.
---@param x cuna.Array 2-d, or with more axes of one length
---@param value cuna.Operand
---@param wrap boolean|nil true: in a tall matrix the diagonal starts again one row below each end
---@return cuna.Array x
---@usage cn.zeros({2, 3}):fill_diagonal {5, 6} --> [[5. 0. 0.] [0. 6. 0.]]
function F.fill_diagonal(...)
  local x, value, wrap = read_fill_diagonal(...)
  wrap = check.boolean(wrap, false, "fill_diagonal", "wrap")
  if check.self(x, "fill_diagonal").ndim ~= 2 then check.cube(x, "fill_diagonal") end
  if x.size == 0 then return x end
  local shape, steps, step, length = x.shape, steps_of(x), 0, math.huge
  for axis = 1, #shape do step, length = step + steps[axis], math.min(length, shape[axis]) end
  if wrap and x.ndim == 2 then length = math.ceil(x.size / (shape[2] + 1)) end
  local whole = x.ndim == 2 and math.floor(length / shape[2]) or 0 -- diagonals of full width
  local done = whole * (whole > 0 and shape[2] or 0)
  local values = not core.number_kind(value) and cycle(x, value, length)
  if whole > 0 then
    core.view(x, {whole, shape[2]}, {(shape[2] + 1) * steps[1], step}, 0)[core.ellipsis] =
      values and core.reshape(values[{{1, done}}], {whole, shape[2]}, "fill_diagonal") or value
  end
  if length > done then
    core.view(x, {length - done}, {step}, whole > 0 and whole * (shape[2] + 1) * steps[1] or 0)[core.ellipsis] =
      values and values[{{done + 1, length}}] or value
  end
  return x
end

-- ---- any strides ----

--- The number of bytes before and after an array's first byte that shape and strides (bytes) reach.
local function reach(shape, strides, itemsize)
  local low, high = 0, itemsize
  for axis, length in ipairs(shape) do
    if length == 0 then return 0, 0 end
    local way = (length - 1) * strides[axis]
    low, high = low + math.min(way, 0), high + math.max(way, 0)
  end
  return low, high
end

--- Whether elements may share memory: unless some order of the axes lets each stride pass what the ones before it span.
local function may_overlap(shape, strides)
  local axes, spanned = {}, 1
  for axis, length in ipairs(shape) do
    if length > 1 then axes[#axes + 1] = axis end
  end
  table.sort(axes, function(a, b) return math.abs(strides[a]) < math.abs(strides[b]) end)
  for _, axis in ipairs(axes) do
    local step = math.abs(strides[axis])
    if step < spanned then return true end
    spanned = spanned + step * (shape[axis] - 1)
  end
  return false
end

--- A view with strides in elements, read-only where its elements may share memory.
local function view_at(x, shape, strides, name)
  local view = core.view(x, shape, strides, 0)
  return may_overlap(shape, strides) and core.broadcast_to(view, shape, name) or view
end

--- Strides in elements of those in bytes.
local function in_elements(strides, itemsize)
  local steps = {}
  for axis, stride in ipairs(strides) do
    if check.integer(stride, "as_strided", "a stride") % itemsize ~= 0 then
      fail("as_strided: a stride of %d bytes is not a multiple of the element size, %d bytes", stride, itemsize)
    end
    steps[axis] = stride / itemsize
  end
  return steps
end

local read_as_strided = args.reader("as_strided", {"x", "shape", "strides"})

--- A view of x's memory, from x's first element on, with any shape and strides in bytes. It stays inside of what x
--- spans, and is read-only where its elements may share memory. Follows numpy.lib.stride_tricks.as_strided.
---@param x cuna.Operand
---@param shape cuna.Shape|nil default x's
---@param strides integer|integer[]|nil bytes, default x's
---@return cuna.Array
---@usage cn.arange(4):as_strided({3, 2}, {8, 8}) --> [[0 1] [1 2] [2 3]]
function F.as_strided(...)
  local x, shape, strides = read_as_strided(...)
  x = check.array(x, "as_strided")
  shape = check.lengths(shape == nil and x.shape or shape, "as_strided", "a length of the shape")
  if strides == nil then strides = #shape == 0 and {} or x.strides end
  if type(strides) ~= "table" then strides = {strides} end
  if #strides ~= #shape then fail("as_strided: %d strides for %d axes", #strides, #shape) end
  local steps = in_elements(strides, x.itemsize)
  local low, high = reach(shape, strides, x.itemsize)
  local first, last = reach(x.shape, x.strides, x.itemsize)
  if low < first or high > last then
    fail("as_strided: the view reaches from byte %d to byte %d, and the array from byte %d to byte %d; take a view of "
      .. "more of the memory, such as x.base", low, high, first, last)
  end
  return view_at(x, shape, steps, "as_strided")
end

--- The axes that windows move along: one for each of their lengths.
local function window_axes(x, window, axis)
  local axes = {}
  if axis == nil then
    for k = 1, x.ndim do axes[k] = k end
  else
    for k, given in ipairs(type(axis) == "table" and axis or {axis}) do
      axes[k] = core.axis(given, x.ndim, "sliding_window_view")
    end
  end
  if #axes ~= #window then
    fail("sliding_window_view: %d lengths of a window for %d axes", #window, #axes)
  end
  return axes
end

local read_sliding = args.reader("sliding_window_view", {"x", "window_shape", "axis"}, 2)

--- All windows of a shape that lie in x: axes of where they begin, then the axes of a window. A read-only view. Follows
--- numpy.lib.stride_tricks.sliding_window_view.
---@param x cuna.Operand
---@param window_shape cuna.Shape
---@param axis integer|integer[]|nil the axes that windows have lengths along, default all
---@return cuna.Array
---@usage cn.sliding_window_view(cn.arange(4), 2) --> [[0 1] [1 2] [2 3]]
---@usage cn.arange(5):sliding_window_view(3):sum(2) --> [3 6 9]
function F.sliding_window_view(...)
  local x, window, axis = read_sliding(...)
  x = check.array(x, "sliding_window_view")
  window = check.lengths(window, "sliding_window_view", "a length of the window")
  local shape, steps = x.shape, steps_of(x)
  for k, along in ipairs(window_axes(x, window, axis)) do
    shape[along] = shape[along] - window[k] + 1
    if shape[along] < 0 then
      fail("sliding_window_view: a window of length %d does not fit on axis %d of shape %s", window[k], along,
        tostring(x.shape))
    end
    steps[#steps + 1] = steps[along]
  end
  for _, length in ipairs(window) do shape[#shape + 1] = length end
  return core.broadcast_to(core.view(x, shape, steps, 0), shape, "sliding_window_view")
end

return M

--- generic.lua: filters of cn.ndimage that call a user's function, in Lua or as kernel text.
--
-- A function in Lua gets all windows as one array, whose last axis has the neighbours, and folds that axis. Kernel text
-- is the body of a C++ function of one window, which an elementwise kernel calls.
local args = require "cuna.base.args"
local border = require "cuna.ndimage.border"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.ndimage.given"
local order = require "cuna.ndimage.order"
local windows = require "cuna.ndimage.window"

local M = {functions = {}}
local F = M.functions -- cn.ndimage

local fail = check.fail

-- ---- kernel text ----

local kernels = {} -- by text and shape of the call

local PREAMBLE = [[
__device__ double cuna_window(const double *x, int n%s)
{
%s
}
]]

local BODY = [==[
double values[%d];
const double *at = &src[0];
for (int axis = 0; axis < %d; ++axis) at += _ind.get()[axis] * (src.strides()[axis] / (long long)sizeof(double));
for (int k = 0; k < %d; ++k) values[k] = at[away[k]];
out = cuna_window(values, %d%s);
]==]

--- The kernel that computes `text` of windows with `count` neighbours; `extra` numbers are its a1, a2, ...
local function kernel_of(text, count, ndim, extra)
  local key = table.concat({count, ndim, extra, text}, " ")
  if kernels[key] then return kernels[key] end
  local inputs, parameters, arguments = {"raw float64 src", "raw int64 away"}, "", ""
  for k = 1, extra do
    inputs[k + 2] = ("float64 a%d"):format(k)
    parameters, arguments = parameters .. (", double a%d"):format(k), arguments .. (", a%d"):format(k)
  end
  local made = args.namespace.ElementwiseKernel(table.concat(inputs, ", "), "float64 out",
    BODY:format(count, ndim, count, count, arguments), "generic_filter", {preamble = PREAMBLE:format(parameters, text)})
  kernels[key] = made
  return made
end

--- Writes what the text computes of each window to `out`.
local function run_text(text, x, window, modes, cval, extra, out, name)
  local src = border.around(core.cast(x, "float64", name), window.before, window.after, modes, cval)
  local away, strides = {}, src.strides
  for k, neighbour in ipairs(window.neighbours) do
    away[k] = 0
    for axis, step in ipairs(neighbour.steps) do away[k] = away[k] + step * strides[axis] / 8 end
  end
  local result = core.empty_like(x, "float64", name)
  local operands = {src, core.as_array(away, "int64", x.device, name)}
  for k, value in ipairs(extra) do operands[k + 2] = check.number(value, name, "an extra argument") end
  operands[#operands + 1] = result
  kernel_of(text, #away, x.ndim, #extra)(unpack(operands))
  core.copy(out, result, name)
end

-- ---- functions in Lua ----

--- All windows of x: a view with one more axis for each axis, if all neighbours count, else a copy with one more.
local function windows_of(x, window, modes, cval)
  local src, list = border.around(x, window.before, window.after, modes, cval), {}
  local shape, strides, itemsize = src.shape, src.strides, src.itemsize
  for axis = 1, #strides do strides[axis] = strides[axis] / itemsize end
  for k, neighbour in ipairs(window.neighbours) do
    local offset = 0
    for axis, step in ipairs(neighbour.steps) do offset = offset + step * strides[axis] end
    list[k] = core.view(src, shape, strides, offset)
  end
  return args.namespace.stack(list, -1)
end

local function run_function(fn, x, window, modes, cval, extra, out, name)
  local made = fn(windows_of(x, window, modes, cval), unpack(extra))
  if not core.is_array(made) or made.shape ~= x.shape then
    fail("%s: the function returns an array of shape %s: it folds the last axis; it returned %s", name,
      tostring(x.shape), core.is_array(made) and "shape " .. tostring(made.shape) or check.show(made))
  end
  args.namespace.copyto(out, made, {casting = "unsafe"})
end

local read_generic_filter = args.reader("ndimage.generic_filter", {"input", "func", "size", "footprint", "output",
  "mode",
  "cval", "origin", "extra_arguments", "axes"}, 2)

--- What a function gives for the neighbours of each element. Follows scipy.ndimage.generic_filter.
---@param input cuna.Operand
---@param func string|fun(windows: cuna.Array, ...: any): cuna.Array the body of a C++ function of `const double *x`,
--- the neighbours, and `int n`, their number, that returns a double; or a function in Lua that gets all windows in one
--- array, whose last axis has the neighbours, and folds this axis
---@param size integer|integer[]|nil one for all axes, or one for each
---@param footprint cuna.Operand|nil true where a neighbour counts, in place of a size
---@param output cuna.Array|string|nil an array for the result, or its dtype; default: the input's
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param extra_arguments table|nil more arguments of the function; numbers in a text are a1, a2, ...
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.generic_filter({1, 5, 2, 8}, "return x[n - 1] - x[0];", 3) --> [4. 1. 3. 6.]
---@usage cn.ndimage.generic_filter({1, 5, 2, 8}, function(w) return w:max(-1) - w:min(-1) end, 3) --> [4. 4. 6. 6.]
function F.generic_filter(...)
  local x, func, size, footprint, output, mode, cval, origin, extra, axes = read_generic_filter(...)
  local name = "ndimage.generic_filter"
  x, cval = given.image(x, name, true), given.cval(cval, name)
  if type(func) ~= "string" then check.callable(func, name) end
  axes = given.axes(axes, x, name)
  local window = windows.new({size = size, footprint = footprint, origin = origin}, axes, x.ndim, name)
  local modes = order.modes(mode, axes, x.ndim, name)
  return given.output(output, x, x.shape, x.dtype, name, function(out)
    local run, src = run_function, border.holding(x, modes, cval, name)
    if type(func) == "string" then run = run_text end
    run(func, src, window, modes, cval, given.extra(extra, name), out, name)
  end)
end

return M

--- scan_kernel.lua: user kernels that scan along an axis: each result is folded from the element and those before it.
--
-- A scan from the end runs over views with negative strides, of inputs and outputs alike.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local fold = require "cuna.kernel.fold_kernel"
local manipulate = require "cuna.manipulate"
local params = require "cuna.kernel.params"
local user = require "cuna.kernel.user_kernel"

local M = {functions = {}}
local F = M.functions

local fail, flip = check.fail, manipulate.functions.flip
local find_plan = fold.find_plan

-- ---- scans from the end ----

--- The shape that all inputs broadcast to. The scan reports shapes that do not broadcast.
local function shape_of_inputs(state, values, ndim)
  local shape = {}
  for axis = 1, ndim do shape[axis] = 1 end
  for _, k in ipairs(state.inputs) do
    if core.is_array(values[k]) then
      for axis, length in ipairs(values[k].shape) do
        local at = ndim - values[k].ndim + axis
        if length ~= 1 then shape[at] = length end
      end
    end
  end
  return shape
end

--- The outputs of a call; creates those that it does not pass.
local function make_outputs(state, plan, values, count, axis, ndim)
  if count > state.ninputs then return user.list_outputs(state, values, count) end
  local outs, shape, size = {}, shape_of_inputs(state, values, ndim), 1
  for _, length in ipairs(shape) do size = size * length end
  for j, k in ipairs(state.outputs) do
    outs[j] = core.empty(axis > 0 and shape or size, plan.dtypes[k], check.device_of(values), state.name)
  end
  return outs
end

--- The arguments with the order along the axis reversed, or along all axes if the scan runs over all elements.
local function flip_inputs(state, values, axis, ndim)
  local flipped = {}
  for k, value in pairs(values) do flipped[k] = value end
  for _, k in ipairs(state.inputs) do
    local x = values[k]
    local own = core.is_array(x) and axis - (ndim - x.ndim) -- broadcasting may add axes to x
    if own and axis == 0 then
      flipped[k] = flip(x)
    elseif own and own > 0 then
      flipped[k] = flip(x, own)
    end
  end
  return flipped
end

local function flip_outputs(outs, axis)
  local flipped = {}
  for j, out in ipairs(outs) do
    local has_axis = out.ndim >= math.max(axis, 1) -- the scan rejects other shapes
    flipped[j] = has_axis and flip(out, axis > 0 and axis or nil) or out
  end
  return flipped
end

local function run_reversed(state, plan, values, count, axis, ndim)
  local outs = make_outputs(state, plan, values, count, axis, ndim)
  core.scan(plan.program, state.name, axis, flip_outputs(outs, axis),
    unpack(user.list_operands(state, flip_inputs(state, values, axis, ndim))))
  return user.arrange(state, values, unpack(outs))
end

-- ---- calls ----

--- The axis of a call, from 1; 0 for all elements in row-major order.
local function read_axis(state, axis, ndim)
  if axis == nil then return 0 end
  if type(axis) ~= "number" then fail("%s: axis is one number, got %s", state.name, check.no_number(axis)) end
  return core.axis(axis, ndim, state.name)
end

--- Rejects a call without its raw outputs, whose sizes are unknown.
local function check_raw_outputs(state, count)
  for _, k in ipairs(state.raws) do
    if k > count then
      fail("%s: output '%s' is raw and its size is open; pass an array for it", state.name, state.params[k].name)
    end
  end
end

local NONE = {}

local function run(state, values, count, options)
  options = options or NONE
  local is_exclusive = check.boolean(options.exclusive, state.exclusive, state.name, "exclusive")
  local is_reversed = check.boolean(options.reverse, state.reverse, state.name, "reverse")
  if state.has_raw_output then check_raw_outputs(state, count) end
  local plan = find_plan(state, values, count, is_exclusive and "exclusive" or "inclusive")
  local ndim = fold.count_axes(state, values)
  local axis = read_axis(state, options.axis, ndim)
  if is_reversed then return run_reversed(state, plan, values, count, axis, ndim) end
  return user.arrange(state, values, core.scan(plan.program, state.name, axis, user.list_outputs(state, values, count),
    unpack(user.list_operands(state, values))))
end

local call = user.caller(run)

--- A kernel created by cn.ScanKernel; a call takes its inputs, outputs and options.
---@class cuna.ScanKernel
---@field name string
---@field in_params string
---@field out_params string
---@field map_expr string
---@field scan_expr string
---@field post_map_expr string
---@field identity string
---@field exclusive boolean
---@overload fun(...: any): cuna.Array, ...

local class = {word = "ScanKernel",
  known = {axis = true, exclusive = true, out = true, reverse = true, stream = true},
  fields = {"name", "in_params", "out_params", "map_expr", "scan_expr", "post_map_expr", "identity", "exclusive",
    "reverse"}}
user.define_class(class, call)

function class.describe(state, program, types, variant)
  program.scan = variant
  return fold.describe(state, program, types)
end

local WORDS = {combine = "scan_expr", state_type = "scan_type", is_scan = true}

local read_arguments = args.reader("ScanKernel", {"in_params", "out_params", "map_expr", "scan_expr", "post_map_expr",
  "identity", "name", "scan_type", "preamble", "options", "exclusive", "reverse"}, 5)

--- Creates a scan kernel from C++ text: each result is folded from the element and those before it. Its parameters
--- resemble ReductionKernel's, its functions those of PyCUDA's GenericScanKernel.
---
--- `map_expr` converts an element to a state, `scan_expr` combines two states, `a` and `b`, into one, where b comes
--- later: it must be associative. `post_map_expr` are statements that set the element's outputs from its state `a`;
--- they may also use the inputs' values, `i` (the position along the axis, from 0) and `n` (its length), and write to
--- raw outputs: `if (x > 0) y[a - 1] = x`. The state has the first output's type, or `scan_type`, as ReductionKernel's
--- reduce_type. The state of an inclusive scan includes the element; that of an exclusive scan has only those before
--- it, and begins with the identity.
---
--- The kernel is called k(x), k(x, z) or k(x, {axis = 1, out = z, exclusive = true, reverse = true, stream = s}).
--- Without an axis, the scan runs over all elements in row-major order, and its result is 1-d; otherwise it has the
--- inputs' shape. With `reverse`, it begins with the last element, from which i counts then. The stream is for this
--- call only.
---@param in_params string "T x, raw U y"
---@param out_params string "T z, raw T w"
---@param map_expr string C++ expression
---@param scan_expr string C++ expression of a and b
---@param post_map_expr string C++ statements
---@param identity string|number the state that combined with another leaves it unchanged, as C++ text or as a number
---@param name string|nil an identifier, default "scan_kernel"
---@param scan_type string|nil
---@param preamble string|nil C++ text in front of the kernel: functions, types, constants; #include of CUDA's headers
---@param options string[]|nil {"-DNAME=VALUE", ...}; "--std=c++17" and "--use_fast_math" are accepted and ignored
---@param exclusive boolean|nil default false; calls can override it
---@param reverse boolean|nil default false; calls can override it
---@return cuna.ScanKernel
---@usage cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0)({1, 2, 3}) --> [1. 3. 6.]
---@usage cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0)({1, 2, 3}, {exclusive = true}) --> [0. 1. 3.]
---@usage cn.ScanKernel("T x", "T y", "x", "a * b", "y = a", 1)({{3, 1}, {2, 4}}, {axis = 1}) --> [[3. 1.] [6. 4.]]
function F.ScanKernel(...)
  local in_params, out_params, map_expr, scan_expr, post_map_expr, identity, name, scan_type, preamble, options,
    exclusive, reverse = read_arguments(...)
  name = params.kernel_name(name == nil and "scan_kernel" or name, "ScanKernel")
  local state = fold.new_state(class, {name = name, in_params = in_params, out_params = out_params,
    map_expr = map_expr, scan_expr = scan_expr, post_map_expr = post_map_expr, identity = identity,
    state_type = scan_type, preamble = preamble, options = options}, WORDS)
  state.exclusive = check.boolean(exclusive, false, name, "exclusive")
  state.reverse = check.boolean(reverse, false, name, "reverse")
  return user.new(state)
end

return M

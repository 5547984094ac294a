--- reduction_kernel.lua: user kernels that reduce over axes, as CuPy's ReductionKernel.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local fold = require "cuna.kernel.fold_kernel"
local params = require "cuna.kernel.params"
local user = require "cuna.kernel.user_kernel"

local M = {functions = {}}
local F = M.functions

local find_plan = fold.find_plan

--- Reduces into contiguous outputs, whose addresses tell a text where it is, and copies them.
local function reduce_apart(state, program, axes, keepdims, outs, operands)
  local own = {}
  for k, out in ipairs(outs) do own[k] = core.dense(out, nil, state.name) end
  core.reduce(program, state.name, axes, keepdims, 0, own, unpack(operands))
  for k, out in ipairs(outs) do
    if own[k] ~= out then core.copy(out, own[k], state.name) end
  end
  return unpack(outs)
end

local function run(state, values, count, options)
  local plan = find_plan(state, values, count, state.uses_axes and fold.count_axes(state, values) or nil)
  local axes, keepdims = core.axes(options and options.axis, fold.count_axes(state, values), state.name), false
  if options then keepdims = check.boolean(options.keepdims, false, state.name, "keepdims") end
  local outs, operands = user.list_outputs(state, values, count), user.list_operands(state, values)
  if state.uses_axes and outs[1] then return reduce_apart(state, plan.program, axes, keepdims, outs, operands) end
  return core.reduce(plan.program, state.name, axes, keepdims, 0, outs, unpack(operands))
end

local call = user.caller(run)

--- A kernel created by cn.ReductionKernel; a call takes its inputs, outputs and options.
---@class cuna.ReductionKernel
---@field name string
---@field in_params string
---@field out_params string
---@field map_expr string
---@field reduce_expr string
---@field post_map_expr string
---@field identity string
---@overload fun(...: any): cuna.Array, ...

local class = {word = "ReductionKernel", known = {axis = true, keepdims = true, out = true, stream = true},
  describe = fold.describe,
  fields = {"name", "in_params", "out_params", "map_expr", "reduce_expr", "post_map_expr", "identity"}}
user.define_class(class, call)

local WORDS = {combine = "reduce_expr", state_type = "reduce_type", is_scan = false}

local read_arguments = args.reader("ReductionKernel", {"in_params", "out_params", "map_expr", "reduce_expr",
  "post_map_expr", "identity", "name", "reduce_type", "reduce_dims", "preamble", "options"}, 5)

--- Creates a reduction kernel from C++ text. Follows cupy.ReductionKernel.
---
--- Parameters are those of ElementwiseKernel; inputs broadcast. `map_expr` is an expression that converts an element to
--- a state: it may use the inputs' values, `i` (the position among the elements that are folded together, from 0; also
--- `_J`), `n` (their number), `_i` (the output's position) and `_in_ind.get()[d]` (the position along an axis, reduced
--- axes first). `reduce_expr` combines two states, `a` and `b`, into one; it must be associative and commutative, since
--- the order in which elements are folded depends on the device. `post_map_expr` are statements that set the outputs
--- from the last state `a`, `n`, `_i` and `_out_ind.get()[d]` (the output's position along an axis). The state has the
--- first output's type, or `reduce_type`: a dtype, a C type, a placeholder, or a type of at most 32 bytes that
--- `preamble` declares; its name in the texts is `_type_reduce`. float16 and bfloat16 are computed in float.
---
--- The kernel is called k(x, y), k(x, y, z) or k(x, y, {axis = 1, keepdims = true, out = z, stream = s}). Axes count
--- from 1, negative ones from the end; the default is all axes. The stream is for this call only. Without elements, the
--- last state is the identity.
---@param in_params string "T x, raw U y"
---@param out_params string "T z"; raw ones are not allowed
---@param map_expr string C++ expression
---@param reduce_expr string C++ expression of a and b
---@param post_map_expr string C++ statements
---@param identity string|number the state that combined with another leaves it unchanged, as C++ text or as a number
---@param name string|nil an identifier, default "reduce_kernel"
---@param reduce_type string|nil
---@param reduce_dims boolean|nil accepted for compatibility with CuPy and ignored: axes are always joined if possible
---@param preamble string|nil C++ text in front of the kernel: functions, types, constants; #include of CUDA's headers
---@param options string[]|nil {"-DNAME=VALUE", ...}; "--std=c++17" and "--use_fast_math" are accepted and ignored
---@return cuna.ReductionKernel
---@usage cn.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0)({{3, 4}}, {axis = 2}) --> [5.]
---@usage cn.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", 0, "dot")({1, 2, 3}, {4, 5, 6}) --> 32.0
---@usage cn.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, "add") --> <ReductionKernel add(T x) -> (T y)>
function F.ReductionKernel(...)
  local in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name, reduce_type, reduce_dims, preamble,
    options = read_arguments(...)
  name = params.kernel_name(name == nil and "reduce_kernel" or name, "ReductionKernel")
  check.boolean(reduce_dims, true, name, "reduce_dims")
  return user.new(fold.new_state(class, {name = name, in_params = in_params, out_params = out_params,
    map_expr = map_expr, reduce_expr = reduce_expr, post_map_expr = post_map_expr, identity = identity,
    state_type = reduce_type, preamble = preamble, options = options}, WORDS))
end

return M

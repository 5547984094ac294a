--- elementwise_kernel.lua: elementwise user kernels, as CuPy's ElementwiseKernel.
--
-- user_kernel.lua reads the arguments and finds the plan of a call; this file determines the shape of the loop.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local params = require "cuna.kernel.params"
local user = require "cuna.kernel.user_kernel"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local metatable_of, ARRAY = debug.getmetatable, core.metatable()
local find_plan, check_numbers = user.find_plan, user.check_numbers
local list_outputs, list_operands = user.list_outputs, user.list_operands

-- ---- the loop ----

--- The first output array that is not raw; nil if the call has none.
local function first_output(state, values, count)
  return count > state.ninputs and values[state.outputs[1]] or nil
end

--- The loop's size given by the arrays of pointer parameters; nil without such arrays.
local function size_of_pointers(state, values)
  local size, teller
  for _, k in ipairs(state.pointers) do
    local x = values[k]
    if x and not size then
      size, teller = x.size, state.params[k].name
    elseif x and x.size ~= size then
      fail("%s: '%s' has %d elements and '%s' has %d; pass the loop's size: {size = n}", state.name, teller, size,
        state.params[k].name, x.size)
    end
  end
  return size
end

local function has_walked_array(state, values)
  for _, k in ipairs(state.inputs) do
    if metatable_of(values[k]) == ARRAY then return true end
  end
  return false
end

--- The size of a loop without elementwise arrays; nil for one element in a call with numbers only.
local function count_elements(state, values, size)
  size = size or size_of_pointers(state, values)
  if not size and (#state.raws > 0 or #state.inputs == 0) then
    fail("%s: the loop's size is unknown; pass {size = n}", state.name)
  end
  return size
end

--- The loop's shape if the inputs do not determine it by broadcasting, else nil.
local function shape_of_loop(state, values, count, size)
  local output, is_walking = first_output(state, values, count), has_walked_array(state, values)
  if size and (output or is_walking) then
    fail("%s: size is for calls in which all arrays are raw; here arrays decide it", state.name)
  end
  if is_walking then return nil end -- core.map broadcasts them to a larger output
  return output and output.shape or {count_elements(state, values, size)}
end

--- The number of axes of the loop.
local function count_axes(state, values, count, size)
  local shape, output = shape_of_loop(state, values, count, size), first_output(state, values, count)
  if shape then return #shape end
  local ndim = output and output.ndim or 0
  for _, k in ipairs(state.inputs) do
    if metatable_of(values[k]) == ARRAY then ndim = math.max(ndim, values[k].ndim) end
  end
  return ndim
end

-- ---- calls ----

--- Creates arrays for raw outputs that were not given: 1-d, with the loop's size.
local function make_raw_outputs(state, plan, values, count, shape)
  for _, k in ipairs(state.raws) do
    if k > count then
      if not shape or #shape ~= 1 then
        fail("%s: output '%s' is raw and its size is open; pass an array for it", state.name, state.params[k].name)
      end
      values[k] = core.empty(shape[1], plan.dtypes[k], check.device_of(values), state.name)
    end
  end
end

--- Runs a call that has raw arrays, a size, or numbers only.
local function run_arranged(state, plan, values, count, size)
  local shape = shape_of_loop(state, values, count, size)
  make_raw_outputs(state, plan, values, count, shape)
  local outs, operands = list_outputs(state, values, count), list_operands(state, values)
  if not state.has_raw_output then return core.map(plan.program, state.name, shape, outs, unpack(operands)) end
  return user.arrange(state, values, core.map(plan.program, state.name, shape, outs, unpack(operands)))
end

--- The option `size`.
local function size_of(state, options)
  local size = options.size
  return size ~= nil and check.count(size, state.name, "size") or nil
end

local function run(state, values, count, options)
  local size = options and size_of(state, options)
  local loop_ndim = state.uses_axes and count_axes(state, values, count, size) or nil
  local plan, ninputs = find_plan(state, values, count, loop_ndim), state.ninputs
  if #plan.checks > 0 then check_numbers(state, plan, values) end
  if size or not state.is_plain then return run_arranged(state, plan, values, count, size) end
  if count > ninputs then -- core.map broadcasts inputs to a larger output
    local shape = not plan.has_array and values[count].shape or nil
    return core.map(plan.program, state.name, shape, {unpack(values, ninputs + 1, count)}, unpack(values, 1, ninputs))
  elseif plan.has_array then
    return core.map(plan.program, state.name, nil, state.no_outs, unpack(values, 1, ninputs))
  end
  return run_arranged(state, plan, values, count)
end

local function run_checked(state, values, count, options)
  if options and options.block_size ~= nil then check.count(options.block_size, state.name, "block_size") end
  if not state.no_return then return run(state, values, count, options) end
  run(state, values, count, options)
end

local call = user.caller(run_checked)

-- ---- the class ----

--- A kernel created by cn.ElementwiseKernel; a call takes its inputs, outputs and options.
---@class cuna.ElementwiseKernel
---@field name string
---@field in_params string
---@field out_params string
---@field operation string
---@overload fun(...: any): cuna.Array, ...

local class = {word = "ElementwiseKernel", known = {out = true, size = true, block_size = true, stream = true},
  fields = {"name", "in_params", "out_params", "operation"}}
user.define_class(class, call)

--- Adds the number of axes that the statement reads.
function class.describe(_, program, _, loop_ndim)
  program.indexer = loop_ndim
  return program
end

local function add_texts(state, preamble, before, after, options)
  before, after = params.statements(before), params.statements(after)
  local text = table.concat({state.operation, before, after}, "\n")
  local macros, tokens = user.add_preamble(state, preamble, options, text), params.tokens(text)
  params.check_brackets(state.name, tokens, "the operation")
  user.check_outputs(state, tokens, macros, "the operation")
  local names = user.names_of(tokens, macros)
  state.uses_axes = names._ind or false
  state.uses_index = names.i or names._ind or false
  -- If the last line is a comment, it must not hide the text that follows it.
  state.text = state.operation:find "//" and state.operation .. "\n" or state.operation
  state.before = params.with_place(before, "loop_prep", state.name)
  state.after = params.with_place(after, "after_loop", state.name) .. state.after
end

local read_arguments = args.reader("ElementwiseKernel", {"in_params", "out_params", "operation", "name", "reduce_dims",
  "preamble", "no_return", "return_tuple", "loop_prep", "after_loop", "options"}, 3)

--- Creates an elementwise kernel from C++ text. Follows cupy.ElementwiseKernel.
---
--- Parameters are "type name", separated by commas. A type is a dtype (float32), a C type (unsigned int), or one letter
--- that stands for any dtype: the arrays of a call determine it, outputs first, or else its numbers. Inputs broadcast.
--- In the text, an input is the element's value, an output is a variable (with the old value if the call passes the
--- array), `i` is the element's position from 0, `n` the number of elements, `_ind.get()[d]` the position along axis d,
--- from 0. A `raw` parameter is a whole array: x[i], x[_ind.get()], x.size(), x.shape()[d], x.strides()[d] (bytes);
--- positions are not checked. `T *x` is raw too; it determines the loop's size if no other array does, and is writable
--- unless it is const. `continue` and `return` leave the element. The text may call CUDA's functions, intrinsics and
--- atomics.
---
--- The kernel is called k(x, y), k(x, y, z) or k(x, y, {out = z, size = n, stream = s}): size if all arrays are raw,
--- the stream for this call only; CuPy's block_size is accepted and ignored, since cuna chooses the blocks. Numbers,
--- boxed numbers and nested tables are accepted in place of input arrays; outputs are arrays.
---@param in_params string "T x, raw U y, float32 z, const float *p"
---@param out_params string
---@param operation string C++ statements
---@param name string|nil an identifier, default "kernel"
---@param reduce_dims boolean|nil accepted for compatibility with CuPy and ignored: axes are always joined if possible
---@param preamble string|nil C++ text in front of the kernel: functions, types, constants; #include of CUDA's headers
---@param no_return boolean|nil calls return nothing
---@param return_tuple boolean|nil accepted for compatibility with CuPy and ignored: several outputs are several results
---@param loop_prep string|nil statements before the operation
---@param after_loop string|nil statements after it
---@param options string[]|nil {"-DNAME=VALUE", ...}; "--std=c++17" and "--use_fast_math" are accepted and ignored
---@return cuna.ElementwiseKernel
---@usage cn.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")({1, 2}, {3, 5}) --> [4. 9.]
---@usage cn.ElementwiseKernel("raw T x", "T z", "z = x[n - i - 1]")({1, 2, 3}, {size = 3}) --> [3. 2. 1.]
---@usage cn.ElementwiseKernel("T x", "T y", "y = x", "same") --> <ElementwiseKernel same(T x) -> (T y)>
function F.ElementwiseKernel(...)
  local in_params, out_params, operation, name, reduce_dims, preamble, no_return, return_tuple, before, after, options =
    read_arguments(...)
  local text = user.check_text
  name = params.kernel_name(name == nil and "kernel" or name, "ElementwiseKernel")
  check.boolean(reduce_dims, true, name, "reduce_dims")
  check.boolean(return_tuple, false, name, "return_tuple")
  operation = text(operation, name, "operation")
  if not operation:find "%S" then fail("%s: the operation is empty", name) end
  local state = user.new_state(class, name, in_params, out_params)
  state.operation, state.no_return = operation, check.boolean(no_return, false, name, "no_return")
  state.is_plain = #state.raws == 0 and #state.inputs > 0
  add_texts(state, text(preamble, name, "preamble", ""), text(before, name, "loop_prep", ""),
    text(after, name, "after_loop", ""), options)
  return user.new(state)
end

return M

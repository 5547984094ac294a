--- elementwise_kernel.lua: kernels of the user's own text, element by element, as CuPy's ElementwiseKernel.
--
-- A call walks a tree by what its arguments are (dtype of an array, kind of a number, axes of a raw array) and finds a
-- plan there: the program for these dtypes and the numbers to check. A walk that finds none makes it.
local args = require "cuna.args"
local check = require "cuna.check"
local core = require "cuna.core"
local ffi = require "ffi"
local nearest = require "cuna.nearest"
local params = require "cuna.kernel_params"
local resolve = require "cuna.resolve"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local metatable_of, ARRAY = debug.getmetatable, core.metatable() -- cheaper to compare than to ask core.is_array
local MAX_OPERANDS, MAX_RAWS = 16, 8 -- of a program: CUNA_MAX_OPERANDS, CUNA_MAX_RAWS

-- ---- what an argument is ----

-- Keys of the tree for numbers; those for arrays are their dtypes.
local NUMBER_OF = {float32 = "number float32", float64 = "number float64"}
local DTYPE_OF_NUMBER = {["number float32"] = "float32", ["number float64"] = "float64", ["number bool"] = "bool",
  ["number int64"] = "int64", ["number uint64"] = "uint64", ["number complex128"] = "complex128"}

local uint64 = ffi.typeof "uint64_t"

local function key_of_cdata(value)
  local kind = core.number_kind(value)
  if kind == "complex" then return "number complex128" end
  return kind and (ffi.istype(uint64, value) and "number uint64" or "number int64")
end

--- The key of an argument that is no array; nil for what no parameter takes.
local function key_of_number(value)
  local kind = type(value)
  if kind == "number" then return NUMBER_OF[resolve.default_dtype()] end
  if kind == "boolean" then return "number bool" end
  return kind == "cdata" and key_of_cdata(value) or nil
end

local function signature(state) return ("(%s)"):format(params.describe(state.params)) end

--- Refuses an argument for a parameter.
local function refuse(state, k, value)
  local param, got = state.params[k], check.show(value)
  if k > state.ninputs then
    fail("%s: output '%s' must be an array, got %s", state.name, param.name, got)
  elseif param.raw then
    fail("%s: parameter '%s' is raw: it takes an array, got %s", state.name, param.name, got)
  end
  fail("%s: parameter '%s' takes an array, a number or a nested table, got %s", state.name, param.name, got)
end

-- ---- plans ----

--- Dtypes of the arrays and of the numbers given, by parameter.
local function survey(values, count)
  local arrays, numbers = {}, {}
  for k = 1, count do
    if core.is_array(values[k]) then
      arrays[k] = values[k].dtype
    else
      numbers[k] = DTYPE_OF_NUMBER[key_of_number(values[k])]
    end
  end
  return arrays, numbers
end

--- Inputs, outputs and raw arrays of a program, and their names.
local function describe_operands(state, dtypes, numbers, values)
  local inputs, outputs, raws, names = {}, {}, {}, {}
  for _, k in ipairs(state.inputs) do inputs[#inputs + 1] = {dtype = dtypes[k], scalar = numbers[k] and true or nil} end
  for _, k in ipairs(state.outputs) do outputs[#outputs + 1] = {dtype = dtypes[k]} end
  for _, k in ipairs(state.raws) do
    local ndim = core.is_array(values[k]) and values[k].ndim or 1
    raws[#raws + 1] = {dtype = dtypes[k], ndim = ndim, writable = state.params[k].writable or false}
  end
  for _, list in ipairs {state.inputs, state.outputs, state.raws} do
    for _, k in ipairs(list) do names[#names + 1] = state.params[k].name end
  end
  return inputs, outputs, raws, names
end

local function check_numbers(state, dtypes, numbers)
  local checks = {}
  for _, k in ipairs(state.inputs) do
    local param = state.params[k]
    if numbers[k] == "complex128" and params.kind_of[dtypes[k]] ~= "c" then
      fail("%s: parameter '%s' is %s, and a complex number was given", state.name, param.name, dtypes[k])
    elseif numbers[k] and numbers[k] ~= "bool" and params.has_range(dtypes[k]) then
      checks[#checks + 1] = k
    end
  end
  return checks
end

--- The plan for the dtypes of arguments: {program, dtypes by parameter, checks = numbers to look at}.
local function make_plan(state, values, count, loop_ndim)
  local arrays, numbers = survey(values, count)
  local types, dtypes = params.bind(state.name, state.params, state.ninputs, arrays, numbers), {}
  for k, param in ipairs(state.params) do dtypes[k] = param.dtype or types[param.letter] end
  local checks = check_numbers(state, dtypes, numbers)
  for _, k in ipairs(checks) do params.check_number(state.name, state.params[k], dtypes[k], values[k]) end
  local inputs, outputs, raws, names = describe_operands(state, dtypes, numbers, values)
  local has_array = false
  for _, k in ipairs(state.inputs) do has_array = has_array or arrays[k] ~= nil end
  local program = core.program {
    inputs = inputs, outputs = outputs, raws = raws, index = state.uses_index, indexer = loop_ndim,
    reads_outputs = count > state.ninputs and state.reads or false,
    statement = {name = state.name, text = state.text, before = state.before, after = state.after,
      preamble = state.preamble, types = params.typedefs(types), names = names},
  }
  return {program = program, dtypes = dtypes, checks = checks, has_array = has_array}
end

local function branch(node, key)
  local next_node = node[key]
  if not next_node then
    next_node = {}
    node[key] = next_node
  end
  return next_node
end

local function find_plan(state, values, count, loop_ndim)
  local node, list = state.plans, state.params
  if loop_ndim then node = branch(node, loop_ndim) end
  for k = 1, count do
    local value, is_raw = values[k], list[k].raw
    if metatable_of(value) == ARRAY then
      node = branch(node, value.dtype)
      if is_raw then node = branch(node, value.ndim) end
    else
      local key = not is_raw and k <= state.ninputs and key_of_number(value)
      if not key then refuse(state, k, value) end
      node = branch(node, key)
    end
  end
  local plan = node[true]
  if not plan then
    plan = make_plan(state, values, count, loop_ndim)
    node[true] = plan
  end
  return plan
end

-- ---- arguments ----

local KNOWN = {out = true, size = true}

--- Puts the arrays of the option `out` behind the inputs.
local function add_outputs(state, values, count, out)
  if out == nil then return count end
  if count > state.ninputs then fail("%s: out is given by position and by option", state.name) end
  local list = core.is_array(out) and {out} or out
  if type(list) ~= "table" then fail("%s: out must be an array, got %s", state.name, check.show(out)) end
  local expected, given = #state.params - state.ninputs, 0
  for key in pairs(list) do
    if type(key) ~= "number" then fail("%s: out is an array or a table of arrays", state.name) end
    given = given + 1
  end
  if given ~= expected or #list ~= expected then
    fail("%s: out has %d arrays, and the kernel has %d outputs (%s)", state.name, given, expected, state.out_params)
  end
  for k = 1, expected do values[count + k] = list[k] end
  return count + expected
end

local function read_options(state, values, count, options)
  for key in pairs(options) do
    if not KNOWN[key] then fail("%s: unknown option '%s'; known are out, size", state.name, tostring(key)) end
  end
  values[count] = nil
  if options.size ~= nil then check.count(options.size, state.name, "size") end
  return add_outputs(state, values, count - 1, options.out), options.size
end

--- The device of the first array, and the dtypes that arrays give to placeholders.
local function survey_arrays(state, values, count)
  local device, known = check.device_of(values), {}
  for j = 1, count do
    local k = j <= count - state.ninputs and state.ninputs + j or j - (count - state.ninputs) -- outputs, then inputs
    local letter = state.params[k].letter
    if letter and not known[letter] and core.is_array(values[k]) then known[letter] = values[k].dtype end
  end
  return device, known
end

--- Makes arrays of nested tables, in the dtype that the parameter has already, on the device of the arrays.
local function convert_tables(state, values, count)
  local device, known = survey_arrays(state, values, count)
  for k = 1, state.ninputs do
    local param, value = state.params[k], values[k]
    if type(value) == "table" then
      local letter = param.letter or "" -- a fixed dtype has none
      values[k] = core.as_array(value, param.dtype or known[letter], device, state.name)
      known[letter] = known[letter] or values[k].dtype
    end
  end
end

local function check_count(state, values, count)
  local ninputs, all = state.ninputs, #state.params
  while count > ninputs and values[count] == nil do count = count - 1 end
  if count == ninputs or count == all then return count end
  if count < ninputs then
    fail("%s: takes %d arguments %s, got %d", state.name, ninputs, signature(state), count)
  end
  fail("%s: takes %d arguments, or %d with outputs, %s, got %d", state.name, ninputs, all, signature(state), count)
end

--- Arguments, their count and the option size.
local function read(state, ...)
  local values, count, size = {...}, select("#", ...), nil
  local last = values[count]
  if type(last) == "table" and (count > state.ninputs and next(last) == nil or core.is_options(last, state.name)) then
    count, size = read_options(state, values, count, last)
  end
  if count ~= state.ninputs then count = check_count(state, values, count) end
  for k = 1, count do
    if type(values[k]) == "table" then
      convert_tables(state, values, count)
      break
    end
  end
  return values, count, size
end

-- ---- the loop ----

--- The first array of outputs, nil when the call brings none that the loop walks.
local function first_output(state, values, count)
  return count > state.ninputs and values[state.outputs[1]] or nil
end

--- The loop's size that pointers say; nil without one.
local function size_of_pointers(state, values)
  local size, teller
  for _, k in ipairs(state.pointers) do
    local x = values[k]
    if x and not size then
      size, teller = x.size, state.params[k].name
    elseif x and x.size ~= size then
      fail("%s: '%s' has %d elements and '%s' has %d; say how many the loop has: {size = n}", state.name, teller, size,
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

--- The elements of a loop without arrays to walk; nil for one element of a call with numbers only.
local function count_elements(state, values, size)
  size = size or size_of_pointers(state, values)
  if not size and (#state.raws > 0 or #state.inputs == 0) then
    fail("%s: nothing tells how many elements the loop has; say {size = n}", state.name)
  end
  return size
end

--- The loop's shape where inputs do not decide it by broadcasting, else nil.
local function shape_of_loop(state, values, count, size)
  local output, is_walking = first_output(state, values, count), has_walked_array(state, values)
  if size and (output or is_walking) then
    fail("%s: size is for calls in which all arrays are raw; here arrays decide it", state.name)
  end
  if is_walking then return nil end -- and they broadcast to a larger output by themselves
  return output and output.shape or {count_elements(state, values, size)}
end

--- Axes of the loop.
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

--- New arrays for raw outputs that were not given: one axis, as long as the loop.
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

--- The results in the order of the parameters, of what the run returned and the raw outputs.
local function arrange(state, values, ...)
  local results, made, taken = {}, {...}, 0
  for k = state.ninputs + 1, #state.params do
    if state.params[k].raw then
      results[#results + 1] = values[k]
    else
      taken = taken + 1
      results[#results + 1] = made[taken]
    end
  end
  return unpack(results)
end

--- Runs a call that has raw arrays, a size, or numbers only.
local function run_arranged(state, plan, values, count, size)
  local outs, operands, shape = state.no_outs, {}, shape_of_loop(state, values, count, size)
  make_raw_outputs(state, plan, values, count, shape)
  if count > state.ninputs then
    outs = {}
    for j, k in ipairs(state.outputs) do outs[j] = values[k] end
  end
  for j, k in ipairs(state.order) do operands[j] = values[k] end
  if not state.has_raw_output then return core.run(plan.program, state.name, shape, outs, unpack(operands)) end
  return arrange(state, values, core.run(plan.program, state.name, shape, outs, unpack(operands)))
end

local STATE = {} -- the key of a kernel's inside

local function call(self, ...)
  local state = self[STATE]
  local values, count, size = read(state, ...)
  local loop_ndim = state.uses_axes and count_axes(state, values, count, size) or nil
  local plan, ninputs = find_plan(state, values, count, loop_ndim), state.ninputs
  for j = 1, #plan.checks do
    local k = plan.checks[j]
    params.check_number(state.name, state.params[k], plan.dtypes[k], values[k])
  end
  if size or not state.is_plain then return run_arranged(state, plan, values, count, size) end
  if count > ninputs then -- inputs broadcast to a larger output by themselves
    local shape = not plan.has_array and values[count].shape or nil
    return core.run(plan.program, state.name, shape, {unpack(values, ninputs + 1, count)}, unpack(values, 1, ninputs))
  elseif plan.has_array then
    return core.run(plan.program, state.name, nil, state.no_outs, unpack(values, 1, ninputs))
  end
  return run_arranged(state, plan, values, count)
end

-- ---- objects ----

local FIELDS = {name = true, in_params = true, out_params = true, operation = true}

local function field(self, key)
  if FIELDS[key] then return rawget(self, STATE)[key] end
  local near = nearest.find(tostring(key), FIELDS)
  fail("a kernel has no field '%s'%s", tostring(key), near and ("; did you mean '%s'?"):format(near)
    or "; known are in_params, name, operation, out_params")
end

local function refuse_field(_, key) fail("a kernel's fields cannot be changed: '%s'", tostring(key)) end

local function to_text(self)
  local state = rawget(self, STATE)
  return ("<ElementwiseKernel %s(%s) -> (%s)>"):format(state.name, state.in_params, state.out_params)
end

local metatable = {__call = call, __index = field, __newindex = refuse_field, __tostring = to_text}

-- ---- construction ----

local function check_text(value, name, what, default)
  if value == nil and default then return default end
  if type(value) ~= "string" then fail("%s: %s is a string, got %s", name, what, check.show(value)) end
  if value:find("\0", 1, true) then fail("%s: %s has a byte 0, which ends a text in C", name, what) end
  return value
end

--- Sorts parameters into those that the loop walks and raw ones, by their numbers.
local function sort_params(state)
  state.inputs, state.outputs, state.raws, state.pointers, state.no_outs = {}, {}, {}, {}, {}
  for k, param in ipairs(state.params) do
    local list = param.raw and state.raws or k <= state.ninputs and state.inputs or state.outputs
    list[#list + 1] = k
    if param.raw and k > state.ninputs then state.has_raw_output = true end
    if param.pointer then state.pointers[#state.pointers + 1] = k end
  end
  for j = 1, #state.outputs do state.no_outs[j] = false end
  state.order = {unpack(state.inputs)}
  for _, k in ipairs(state.raws) do state.order[#state.order + 1] = k end
  state.is_plain = #state.raws == 0 and #state.inputs > 0
end

local function check_operands(state)
  local name, writes = state.name, #state.outputs > 0
  for _, k in ipairs(state.raws) do writes = writes or state.params[k].writable end
  if not writes then fail("%s: the kernel writes nothing; name an output in out_params, such as \"T z\"", name) end
  if #state.inputs + #state.outputs >= MAX_OPERANDS then
    fail("%s: at most %d parameters that are not raw, got %d", name, MAX_OPERANDS - 1, #state.inputs + #state.outputs)
  elseif #state.raws > MAX_RAWS then
    fail("%s: at most %d raw parameters, got %d", name, MAX_RAWS, #state.raws)
  end
end

--- Finds what the texts name: the position, the axes, every output; and whether old values of outputs matter.
local function scan(state, text, preamble)
  local tokens, names, macros = params.tokens(text), {}, params.macro_names(preamble)
  params.check_brackets(state.name, tokens)
  for _, token in ipairs(tokens) do names[token] = true end
  for token in pairs(macros) do names[token] = true end
  for k = state.ninputs + 1, #state.params do
    local param = state.params[k]
    if not names[param.name] then
      fail("%s: the operation does not name the output '%s'", state.name, param.name)
    end
    local is_open = macros[param.name] or macros["return"] or not params.surely_assigns(tokens, param.name)
    state.reads = state.reads or (is_open and not param.raw)
  end
  state.uses_axes = names._ind or false
  state.uses_index = names.i or names._ind or false
end

local function read_params(state, in_params, out_params)
  local name = state.name
  local list, outputs = params.read(name, in_params, "in_params"), params.read(name, out_params, "out_params")
  state.in_params, state.out_params, state.ninputs = params.describe(list), params.describe(outputs), #list
  for _, param in ipairs(outputs) do list[#list + 1] = param end
  params.check_names(name, list)
  state.params = list
  sort_params(state)
  check_operands(state)
end

local function add_texts(state, preamble, before, after, options)
  local defined = params.read_defines(state.name, options)
  before, after = params.statements(before), params.statements(after)
  local text = table.concat({state.operation, before, after}, "\n")
  scan(state, text, defined .. preamble)
  -- A last line that is a comment must not hide what the kernel puts behind it.
  state.text = state.operation:find "//" and state.operation .. "\n" or state.operation
  state.before = params.with_place(before, "loop_prep", state.name)
  state.after = params.with_place(after, "after_loop", state.name)
    .. params.end_macros(table.concat({defined, preamble, text}, "\n"))
  state.preamble = defined .. (defined ~= "" and params.with_place(preamble, "preamble", state.name) or preamble)
end

local read_arguments = args.reader("ElementwiseKernel", {"in_params", "out_params", "operation", "name", "reduce_dims",
  "preamble", "loop_prep", "after_loop", "options"}, 3)

--- A kernel of your own for each element, from C++ text. Follows cupy.ElementwiseKernel.
---
--- Parameters are "type name", separated by commas. A type is a dtype (float32), a C type (unsigned int), or one letter
--- that stands for any dtype: arrays given decide it, outputs first, else numbers. Inputs broadcast. In the text an
--- input is the element's value, an output a variable (with the old value where the call brings the array), `i` the
--- element's position from 0, `n` how many there are, `_ind.get()[d]` its position along axis d, from 0. A `raw`
--- parameter is a whole array: x[i], x[_ind.get()], x.size(), x.shape()[d], x.strides()[d] (bytes); positions are not
--- checked. `T *x` is raw too, gives the loop its size where no other array does, and can be written to unless const.
---
--- The kernel is called k(x, y), k(x, y, z) or k(x, y, {out = z, size = n}): size where all arrays are raw. Numbers,
--- boxed numbers and nested tables stand for arrays; outputs are arrays.
---@param in_params string "T x, raw U y, float32 z, const float *p"
---@param out_params string
---@param operation string C++ statements
---@param name string|nil an identifier, default "kernel"
---@param reduce_dims boolean|nil taken for CuPy's sake: axes are always joined where they can be
---@param preamble string|nil C++ text in front of the kernel: functions, types
---@param loop_prep string|nil statements before the operation
---@param after_loop string|nil statements after it
---@param options string[]|nil {"-DNAME=VALUE", ...}
---@return cuna.ElementwiseKernel
---@usage cn.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")({1, 2}, {3, 5}) --> [4. 9.]
---@usage cn.ElementwiseKernel("raw T x", "T z", "z = x[n - i - 1]")({1, 2, 3}, {size = 3}) --> [3. 2. 1.]
---@usage cn.ElementwiseKernel("T x", "T y", "y = x", "same") --> <ElementwiseKernel same(T x) -> (T y)>
function F.ElementwiseKernel(...)
  local in_params, out_params, operation, name, reduce_dims, preamble, before, after, options = read_arguments(...)
  name = params.kernel_name(name == nil and "kernel" or name, "ElementwiseKernel")
  check.boolean(reduce_dims, true, name, "reduce_dims")
  local state = {name = name, plans = {}, operation = check_text(operation, name, "operation")}
  if not operation:find "%S" then fail("%s: the operation is empty", name) end
  read_params(state, in_params, out_params)
  add_texts(state, check_text(preamble, name, "preamble", ""), check_text(before, name, "loop_prep", ""),
    check_text(after, name, "after_loop", ""), options)
  return setmetatable({[STATE] = state}, metatable)
end

return M

--- user_kernel.lua: the common part of user kernels: parameters, arguments of a call, plans, objects.
--
-- A call descends a tree by the types of its arguments (dtype of an array, kind of a number, axes of a raw array) to a
-- plan: the program for these dtypes, and the numbers to check. A missing plan is created. Arguments have the numbers
-- of parameters: inputs first, then outputs.
--
-- A class of kernels is {word, known = options of a call, fields, describe, metatable}; `describe` completes the
-- description of a program.
local branch = require("cuna.base.program").branch
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local ffi = require "ffi"
local params = require "cuna.kernel.params"
local streams = require "cuna.device.stream"
local suggest = require "cuna.base.suggest"
local text_names = require "cuna.kernel.text_names"

local M = {}

local fail = check.fail
local dtype_of = core.dtype_of
local MAX_OPERANDS, MAX_RAWS = core.limits.operands, core.limits.raws

-- ---- types of arguments ----

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

--- The key of an argument other than an array; nil for values that no parameter accepts.
local function key_of_number(value)
  local kind = type(value)
  if kind == "number" then return NUMBER_OF[dtype_rules.default_dtype()] end
  if kind == "boolean" then return "number bool" end
  return kind == "cdata" and key_of_cdata(value) or nil
end

--- The dtype of an array made from a number; nil for other values.
local function dtype_of_number(value) return DTYPE_OF_NUMBER[key_of_number(value)] end

local function signature(state) return ("(%s)"):format(params.describe(state.params)) end

--- Rejects an argument for a parameter.
local function refuse(state, k, value)
  local param, got = state.params[k], check.show(value)
  if core.is_array(value) then core.check_alive(value, ("%s: parameter '%s'"):format(state.name, param.name)) end
  if k > state.ninputs then
    fail("%s: output '%s' must be an array, got %s", state.name, param.name, got)
  elseif param.raw then
    fail("%s: parameter '%s' is raw: it takes an array, got %s", state.name, param.name, got)
  end
  fail("%s: parameter '%s' takes an array, a number or a nested table, got %s", state.name, param.name, got)
end

-- ---- plans ----

--- Dtypes of the arrays and of the numbers of a call, by parameter.
local function survey(values, count)
  local arrays, numbers = {}, {}
  for k = 1, count do
    if core.is_array(values[k]) then
      arrays[k] = values[k].dtype
    else
      numbers[k] = dtype_of_number(values[k])
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

--- The numbers that every call must check.
local function find_checks(state, dtypes, numbers)
  local checks = {}
  for _, k in ipairs(state.inputs) do
    local param = state.params[k]
    if numbers[k] == "complex128" and dtype_facts.kind_of[dtypes[k]] ~= "c" then
      fail("%s: parameter '%s' is %s, and a complex number was given", state.name, param.name, dtypes[k])
    elseif numbers[k] and numbers[k] ~= "bool" and params.has_range(dtypes[k]) then
      checks[#checks + 1] = k
    end
  end
  return checks
end

--- Rejects numbers that do not fit the dtypes of a plan.
function M.check_numbers(state, plan, values)
  for j = 1, #plan.checks do
    local k = plan.checks[j]
    params.check_number(state.name, state.params[k], plan.dtypes[k], values[k])
  end
end

--- The plan for the dtypes of arguments: {program, dtypes by parameter, checks = numbers to check, has_array: whether
--- an input that is not raw is an array}.
local function make_plan(state, values, count, variant)
  local arrays, numbers = survey(values, count)
  local types, dtypes = params.bind(state.name, state.params, state.ninputs, arrays, numbers), {}
  for k, param in ipairs(state.params) do dtypes[k] = param.dtype or types[param.letter] end
  local plan = {dtypes = dtypes, checks = find_checks(state, dtypes, numbers), has_array = false}
  M.check_numbers(state, plan, values)
  for _, k in ipairs(state.inputs) do plan.has_array = plan.has_array or arrays[k] ~= nil end
  local inputs, outputs, raws, names = describe_operands(state, dtypes, numbers, values)
  plan.program = core.program(state.class.describe(state, {
    inputs = inputs, outputs = outputs, raws = raws, index = state.uses_index,
    reads_outputs = count > state.ninputs and state.reads or false,
    statement = {name = state.name, names = names, types = state.overloads .. params.typedefs(types),
      includes = state.includes, preamble = state.preamble,
      before = state.before, after = state.after, text = state.text},
  }, types, variant))
  return plan
end

--- The plan of a call. Calls that differ in `variant`, which may be nil, have separate plans.
function M.find_plan(state, values, count, variant)
  local node, list = state.plans, state.params
  if variant then node = branch(node, variant) end
  for k = 1, count do
    local value, is_raw = values[k], list[k].raw
    local dtype = dtype_of(value)
    if dtype then
      node = branch(node, dtype)
      if is_raw then node = branch(node, value.ndim) end
    else
      local key = not is_raw and k <= state.ninputs and key_of_number(value)
      if not key then refuse(state, k, value) end
      node = branch(node, key)
    end
  end
  local plan = node[true]
  if not plan then
    plan = make_plan(state, values, count, variant)
    node[true] = plan
  end
  return plan
end

-- ---- arguments ----

--- Appends the arrays of the option `out` to the inputs.
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

local function sorted_keys(set)
  local list = {}
  for key in pairs(set) do list[#list + 1] = key end
  table.sort(list)
  return table.concat(list, ", ")
end

local function read_options(state, values, count, options)
  local known = state.class.known
  for key in pairs(options) do
    if not known[key] then
      fail("%s: unknown option '%s'; known are %s", state.name, tostring(key), sorted_keys(known))
    end
  end
  values[count] = nil
  return add_outputs(state, values, count - 1, options.out)
end

--- The device of the first array, and the dtypes of placeholders that arrays determine.
local function survey_arrays(state, values, count)
  local device, known = check.device_of(values), {}
  for j = 1, count do
    local k = j <= count - state.ninputs and state.ninputs + j or j - (count - state.ninputs) -- outputs, then inputs
    local letter = state.params[k].letter
    if letter and not known[letter] then known[letter] = dtype_of(values[k]) or nil end
  end
  return device, known
end

--- Converts nested tables to arrays on the device of the other arrays, in a dtype that is known already if there is
--- one.
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

--- Calls fn(...) with the user's option `stream` current on the device of a call's arrays.
local function on_stream(state, values, stream, fn, ...)
  return streams.run(stream, check.device_of(values) or core.current_device(), state.name, fn, ...)
end

--- Replaces textures and surfaces by their handles; returns the runtime's objects, or nil if there are none.
local function take_objects(state, values, count)
  local objects
  for k = 1, count do
    local metatable = type(values[k]) == "table" and getmetatable(values[k])
    if type(metatable) == "table" and metatable.object_of then
      objects = objects or {}
      objects[#objects + 1] = metatable.object_of(values[k], state.name)
      values[k] = ffi.cast(uint64, core.texture_handle(objects[#objects]) or 0) -- a freed one is found by its use
    end
  end
  return objects
end

--- Calls run(...) for arguments with objects, which the launch uses.
local function run_with(objects, run, state, values, ...)
  local device = check.device_of(values) or core.current_device()
  for _, object in ipairs(objects) do core.texture_use(object, device, state.name) end
  return run(state, values, ...)
end

--- Replaces all tables: objects by their handles, lists by arrays, made on `stream` if it is given.
local function take_tables(state, values, count, stream)
  local objects = take_objects(state, values, count)
  for k = 1, count do
    if type(values[k]) == "table" then
      if stream == nil then
        convert_tables(state, values, count)
      else
        on_stream(state, values, stream, convert_tables, state, values, count)
      end
      break
    end
  end
  return objects
end

--- Arguments by parameter, their count, the options and the objects if there are any.
local function read(state, ...)
  local values, count, options = {...}, select("#", ...), nil
  local last = values[count]
  if type(last) == "table" and (count > state.ninputs and next(last) == nil or core.is_options(last, state.name)) then
    options = last
    count = read_options(state, values, count, options)
  end
  if count ~= state.ninputs then count = check_count(state, values, count) end
  local objects
  for k = 1, count do
    if type(values[k]) == "table" then
      objects = take_tables(state, values, count, options and options.stream)
      break
    end
  end
  return values, count, options, objects
end

--- The function that calls a kernel: reads the arguments and returns run(state, values, count, options or nil).
function M.caller(run)
  return function(self, ...)
    local state = self[M.STATE]
    local values, count, options, objects = read(state, ...)
    if options and options.stream ~= nil then
      if objects then
        return on_stream(state, values, options.stream, run_with, objects, run, state, values, count, options)
      end
      return on_stream(state, values, options.stream, run, state, values, count, options)
    elseif objects then
      return run_with(objects, run, state, values, count, options)
    end
    return run(state, values, count, options)
  end
end

--- The outputs of a call in the order of the program's, or placeholders for new arrays.
function M.list_outputs(state, values, count)
  if count == state.ninputs then return state.no_outs end
  local outs = {}
  for j, k in ipairs(state.outputs) do outs[j] = values[k] end
  return outs
end

--- A program's arguments after its outputs: inputs, then raw arrays.
function M.list_operands(state, values)
  local operands = {}
  for j, k in ipairs(state.order) do operands[j] = values[k] end
  return operands
end

--- The results in the order of the parameters, from those of the run and the raw outputs.
function M.arrange(state, values, ...)
  if not state.has_raw_output then return ... end
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

-- ---- parameters ----

--- Checks a text that the user gave.
function M.check_text(value, name, what, default)
  if value == nil and default then return default end
  if type(value) ~= "string" then fail("%s: %s is a string, got %s", name, what, check.show(value)) end
  if value:find("\0", 1, true) then fail("%s: %s contains a NUL byte", name, what) end
  return value
end

--- Groups the numbers of parameters by kind: inputs, outputs, raw ones, pointers.
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

--- Creates the state of a kernel: its name and its parameters, grouped by kind.
---@param class table
---@param name string
---@param in_params string
---@param out_params string
---@return table
function M.new_state(class, name, in_params, out_params)
  local list, outputs = params.read(name, in_params, "in_params"), params.read(name, out_params, "out_params")
  local state = {class = class, name = name, plans = {}, ninputs = #list, in_params = params.describe(list),
    out_params = params.describe(outputs), params = list}
  for _, param in ipairs(outputs) do list[#list + 1] = param end
  params.check_names(name, list)
  sort_params(state)
  check_operands(state)
  return state
end

-- ---- texts ----

--- Whether a text names CUDA's types of 16 bits, whose header CuPy includes in every kernel.
local function names_half(text) return text:find("half", 1, true) or text:find("nv_bfloat16", 1, true) end

--- Stores the text before the kernel's texts: the options' macros, the preamble and `more`, which the kernel adds.
--- Also stores the text after them, which undefines these macros and those of `texts`.
---@param state table
---@param preamble string
---@param options string[]|nil
---@param texts string
---@param more string|nil
---@return table<string, boolean> the identifiers in the macros
function M.add_preamble(state, preamble, options, texts, more)
  local defined, includes = params.read_defines(state.name, options), {}
  preamble = params.take_includes(state.name, preamble, includes)
  if names_half(preamble .. texts) then includes[#includes + 1] = "cuda_fp16.h" end
  state.includes, state.overloads = table.concat(includes, " "), text_names.declarations(preamble)
  state.preamble = defined .. (defined ~= "" and params.with_place(preamble, "preamble", state.name) or preamble)
    .. (more or "")
  state.after = params.end_macros(table.concat({defined, preamble, texts}, "\n"))
  return params.macro_names(defined .. preamble)
end

--- The identifiers of a text and of the macros that it may use, as a set.
function M.names_of(tokens, macros)
  local names = {}
  for _, token in ipairs(tokens) do names[token] = true end
  for token in pairs(macros) do names[token] = true end
  return names
end

--- Rejects text that does not name an output; records whether old values of outputs may be read.
---@param state table
---@param tokens string[]
---@param macros table<string, boolean>
---@param what string the text's name, for messages
function M.check_outputs(state, tokens, macros, what)
  local names = M.names_of(tokens, macros)
  for k = state.ninputs + 1, #state.params do
    local param = state.params[k]
    if not names[param.name] then fail("%s: %s does not name the output '%s'", state.name, what, param.name) end
    local is_open = macros[param.name] or macros["return"] or not params.surely_assigns(tokens, param.name)
    state.reads = state.reads or (is_open and not param.raw)
  end
end

-- ---- objects ----

M.STATE = {} -- the key of a kernel's state
local STATE = M.STATE

local function refuse_field(_, key) fail("a kernel's fields cannot be changed: '%s'", tostring(key)) end

local function to_text(self)
  local state = rawget(self, STATE)
  return ("<%s %s(%s) -> (%s)>"):format(state.class.word, state.name, state.in_params, state.out_params)
end

--- Creates a class's metatable: `call` calls an object, and class.fields names the fields of its state that are
--- visible.
function M.define_class(class, call)
  local fields = {}
  for _, field in ipairs(class.fields) do fields[field] = true end
  local function read_field(self, key)
    if fields[key] then return rawget(self, STATE)[key] end
    local near = suggest.find(tostring(key), fields)
    fail("a kernel has no field '%s'%s", tostring(key), near and ("; did you mean '%s'?"):format(near)
      or "; known are " .. sorted_keys(fields))
  end
  class.metatable = {__call = call, __index = read_field, __newindex = refuse_field, __tostring = to_text}
end

--- The kernel of a complete state.
function M.new(state) return setmetatable({[STATE] = state}, state.class.metatable) end

return M

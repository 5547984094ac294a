--- raw_unit.lua: the implementation of RawKernel, RawModule and SourceModule: units of source or images, and launches.
--
-- A unit is compiled or loaded once for each device that needs it. A kernel is {name, unit, expression, params,
-- functions by device}. The arrays of a call determine its device. Sizes and values are checked in C
-- (runtime/work/raw.c).
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"
local signature = require "cuna.kernel.raw_signature"
local streams = require "cuna.device.stream"

local M = {}

local fail = check.fail
local metatable_of, ARRAY = debug.getmetatable, core.metatable() -- a comparison is cheaper than core.is_array

-- ---- units ----

--- Whether bytes are an image that a device can load: a cubin, a fatbin or PTX text.
local function is_image(bytes)
  if bytes:find "^\127ELF" or bytes:find("^\80\237\85\186") then return true end
  return bytes:find("%f[^\n%z]%s*%.version%s") ~= nil and bytes:find("%f[^\n%z]%s*%.target%s") ~= nil
end

local function check_options(options, what)
  if options == nil then return {} end
  if type(options) ~= "table" then
    fail("%s: options is a table of strings such as {\"-DN=4\"}, got %s", what, check.show(options))
  end
  local list, count = {}, 0
  for key, option in pairs(options) do
    if type(key) ~= "number" or type(option) ~= "string" then
      fail("%s: options is a table of strings such as {\"-DN=4\"}, got %s as [%s]", what, check.show(option),
        tostring(key))
    elseif option:find("\0", 1, true) then
      fail("%s: option %d contains a NUL byte", what, key)
    end
    count = count + 1
    list[key] = option
  end
  if count ~= #list then fail("%s: options is a table of strings with keys 1 to %d", what, count) end
  return list
end

local DEFINES = {"^%-D%s*([^=]+)=?(.*)$", "^%-%-define%-macro[= ]([^=]+)=?(.*)$"}

--- The line for an option such as "-DN=4"; nil for other options.
local function define_of(option)
  for _, pattern in ipairs(DEFINES) do
    local macro, value = option:match(pattern)
    if macro then return ("#define %s %s\n"):format(macro, option:find("=", #macro, true) and value or "1") end
  end
end

--- Sets the text for the compiler. Macros of options precede the user's text but not cuna's own, which may use their
--- names; so do macros that give the user's own uint64_t another name than cuna's. Lines are counted from the user's
--- first.
local function add_text(unit)
  local lines, rest = {}, {}
  for _, name in ipairs(signature.own_types(unit.source)) do
    lines[#lines + 1] = ("#define %s own_%s\n"):format(name, name)
  end
  for _, option in ipairs(unit.options) do
    local line = define_of(option)
    if line and option:find "\n" then fail("%s: the option %q contains a newline", unit.what, option) end
    if line then lines[#lines + 1] = line else rest[#rest + 1] = option end
  end
  if unit.folder and unit.code:find "#%s*include%s*\"" then rest[#rest + 1] = "-I" .. unit.folder end
  unit.text, unit.compiler_options = unit.code, rest
  if #lines > 0 then
    table.insert(lines, 1, "#line 1 \"options\"\n")
    lines[#lines + 1] = ("#line 1 \"%s\"\n"):format((unit.name:gsub("[\"\\%c]", "_")))
    unit.text = table.concat(lines) .. unit.code
  end
end

--- A unit of source text, or of an image.
---@param what string the beginning of messages: "RawModule"
---@param code string
---@param options string[]|nil
---@param name string|nil the name of the text in compiler messages; default: `what`
---@param folder string|nil the folder of the text's own headers
---@return table
function M.new(what, code, options, name, folder)
  if type(code) ~= "string" then
    fail("%s: code is a string of CUDA C++, got %s", what, check.show(code))
  end
  local unit = {what = what, name = name or what, code = code, options = check_options(options, what), modules = {},
    expressions = {}, has = {}, fixed = 0, folder = folder}
  unit.is_image = is_image(code)
  if unit.is_image then
    if #unit.options > 0 then fail("%s: options are for source, and the code is an image", what) end
    return unit
  end
  if not code:find "%S" then fail("%s: the code is empty", what) end
  if code:find "^[^%s;{}]+%.[%a]+$" then
    fail("%s: the code is the name of a file; write cn.RawModule {path = %q}", what, code)
  end
  if code:find("\0", 1, true) then fail("%s: the code contains a NUL byte", what) end
  unit.source = signature.read(code, unit.options, folder)
  signature.check(unit.source, what)
  add_text(unit)
  return unit
end

--- Adds an expression to those that a unit instantiates.
function M.add_expression(unit, expression)
  if not unit.has[expression] then
    unit.has[expression] = true
    unit.expressions[#unit.expressions + 1] = expression
  end
end

--- Makes the present expressions of a unit permanent.
function M.fix(unit) unit.fixed = #unit.expressions end

--- Removes the expressions that were added later, so that one wrong name does not break the others.
local function drop_late(unit)
  for k = #unit.expressions, unit.fixed + 1, -1 do
    unit.has[unit.expressions[k]], unit.expressions[k] = nil, nil
  end
end

--- A separate unit for an expression added after its unit was compiled. Its variables would exist twice.
local function split_off(unit, expression)
  local variable = next(unit.source.variables)
  if variable then
    fail("%s: '%s' is requested after the code was compiled, and would have another copy of the variable '%s'; get it "
      .. "before the first call%s", unit.what, expression, variable, unit.what == "RawModule"
      and (", or list it: name_expressions = {%q}"):format(expression) or "")
  end
  return setmetatable({modules = {}, expressions = {expression}, has = {[expression] = true}, fixed = 1},
    {__index = unit})
end

local function compile(unit, device)
  local ok, module = pcall(core.raw_compile, device, unit.name, unit.text, unit.compiler_options,
    unit.expressions)
  if not ok then
    drop_late(unit)
    error(module, 0)
  end
  return module
end

--- The unit's module on a device.
function M.module(unit, device)
  local module = unit.modules[device]
  if not module then
    module = unit.is_image and core.raw_load(device, unit.name, unit.code) or compile(unit, device)
    unit.modules[device] = module
  end
  return module
end

-- ---- kernels ----

--- Adds a kernel to its unit, or creates a separate unit if that is compiled already.
local function ask(kernel)
  local unit, expression = kernel.unit, kernel.expression
  if unit.is_image or unit.has[expression] then return end
  if next(unit.modules) then
    kernel.unit = split_off(unit, expression)
  else
    M.add_expression(unit, expression)
  end
end

--- A kernel of a unit.
---@param unit table
---@param expression string
---@param is_cooperative boolean|nil default for its launches
---@return table
function M.kernel(unit, expression, is_cooperative)
  if type(expression) ~= "string" then
    fail("%s: the name of a kernel is a string such as \"scale\", got %s", unit.what, check.show(expression))
  end
  local kernel = {name = expression:match "^%s*&?%s*(.-)%s*$", unit = unit, functions = {}, settings = {},
    expression = expression, is_cooperative = is_cooperative or false}
  if kernel.name == "" then fail("%s: the name of a kernel is empty", unit.what) end
  if unit.is_image then return kernel end
  local found = signature.bind(unit.source, kernel.name, unit.what)
  kernel.expression, kernel.params = found.expression, found.params
  kernel.count = found.params and #found.params
  ask(kernel)
  return kernel
end

--- The same kernel with parameters from another declaration.
function M.with_params(kernel, params)
  return setmetatable({params = params, count = #params, functions = {}}, {__index = kernel})
end

--- Parameters as text, or "..." if they are unknown.
function M.describe(kernel) return kernel.params and signature.describe(kernel.params) or "..." end

--- The function of a kernel on a device.
local function function_on(kernel, device)
  local made = kernel.functions[device]
  if not made then
    ask(kernel)
    made = core.raw_function(M.module(kernel.unit, device), kernel.expression, kernel.name, kernel.params)
    for attribute, value in pairs(kernel.settings) do core.raw_set_attribute(made, attribute, value) end
    kernel.functions[device] = made
  end
  return made
end
M.function_on = function_on

-- ---- launches ----

local function fail_length(kernel, what, value)
  if core.is_array(value) then
    fail("%s: %s is a cuna array; a call is %s(grid, block, {arguments})", kernel.name, what, kernel.name)
  elseif value == nil then
    fail("%s: %s is missing; a call is %s(grid, block, {arguments})", kernel.name, what, kernel.name)
  elseif type(value) ~= "number" then
    fail("%s: %s is a number or a table of up to 3 numbers, got %s", kernel.name, what, check.no_number(value))
  elseif value < 1 then
    fail("%s: %s is %.17g; it is 1 at least%s", kernel.name, what, value, what:find "grid"
      and " (leave the call out when there is nothing to do)" or "")
  end
  fail("%s: %s is a whole number, got %.17g; math.ceil(n / block) covers n", kernel.name, what, value)
end

local function check_length(kernel, what, value)
  if type(value) ~= "number" or value < 1 or value % 1 ~= 0 then fail_length(kernel, what, value) end
  return value
end

--- The three lengths in a table, with messages about invalid ones.
local function read_lengths(kernel, what, list)
  local count = 0
  for key, value in pairs(list) do
    if core.is_array(value) or type(value) == "table" then
      fail("%s: %s holds %s; a call is %s(grid, block, {arguments})", kernel.name, what, check.show(value), kernel.name)
    elseif type(key) ~= "number" or key % 1 ~= 0 or key < 1 or key > 3 then
      fail("%s: %s has up to 3 numbers, as in {16, 16}, and no key '%s'", kernel.name, what, tostring(key))
    end
    count = count + 1
  end
  if count == 0 then fail("%s: %s is empty; write a number, or up to 3 of them", kernel.name, what) end
  for k = 1, count do
    if list[k] == nil then fail("%s: %s has no number %d", kernel.name, what, k) end
    check_length(kernel, ("%s's %s"):format(what, ("xyz"):sub(k, k)), list[k])
  end
  return list[1], list[2] or 1, list[3] or 1
end

local function is_length(value) return type(value) == "number" and value >= 1 and value % 1 == 0 end

--- Whether a value is an object whose bytes or address a kernel gets: a table, or FFI data other than a boxed number.
local function is_object(value)
  local kind = type(value)
  return kind == "table" or kind == "cdata" and not core.number_kind(value)
end

--- The number of a table's entries, and whether one of them is an object. Not by `for`: LuaJIT of 2022 compiles it so
--- that it makes no round at all where a function that is called in a loop has called C before.
local function count_entries(list)
  local count, has_object, key, value = 0, false, next(list)
  while key ~= nil do
    count = count + 1
    has_object = has_object or is_object(value)
    key, value = next(list, key)
  end
  return count, has_object
end

--- x, y and z of a grid or block, given as a number or a table.
local function lengths(kernel, what, value)
  if is_length(value) then return value, 1, 1 end
  if type(value) ~= "table" then fail_length(kernel, what, value) end
  local x, y, z = value[1], value[2] or 1, value[3] or 1
  local count = count_entries(value)
  if count <= 3 and value[count] ~= nil and is_length(x) and is_length(y) and is_length(z) then return x, y, z end
  return read_lengths(kernel, what, value)
end
M.lengths = lengths

local function ordinal(kernel, k)
  local param = kernel.params and kernel.params[k]
  return param and ("%d '%s'"):format(k, param.name) or tostring(k)
end

--- Rejects a table of arguments that does not match the kernel's parameters.
local function fail_arguments(kernel, list, count)
  for key in pairs(list) do
    if type(key) ~= "number" then
      fail("%s: the table of arguments has the key '%s'; pass arguments in the kernel's order (%s), then a table "
        .. "of options", kernel.name, tostring(key), M.describe(kernel))
    end
  end
  for k = 1, count do
    if list[k] == nil then fail("%s: missing argument %s", kernel.name, ordinal(kernel, k)) end
  end
  local given = 0
  for key in pairs(list) do given = math.max(given, key) end
  fail("%s: takes %d arguments (%s), got %d", kernel.name, count, M.describe(kernel), given)
end

--- The number of arguments in a table, for a kernel whose parameters are unknown.
local function count_arguments(kernel, list)
  local count, greatest = 0, 0
  for key in pairs(list) do
    if type(key) ~= "number" then fail_arguments(kernel, list, 0) end
    count, greatest = count + 1, math.max(greatest, key)
  end
  if count ~= greatest or list[0] ~= nil then fail_arguments(kernel, list, greatest) end
  return count
end

--- What an object of device memory or a texture is for the runtime, and its device. Its metatable has
--- pointer_of(object, kernel's name, stream), which returns an array, or object_of(object, kernel's name).
local function read_object(kernel, value, stream)
  local metatable = getmetatable(value)
  if type(metatable) ~= "table" then return nil end
  if metatable.object_of then return metatable.object_of(value, kernel.name) end
  local array = metatable.pointer_of and metatable.pointer_of(value, kernel.name, stream)
  if array then return core.raw_address(array), array.device end
end

--- What FFI data is as an argument: the bytes of a struct, the address in a pointer, or a number.
local function read_cdata(kernel, k, value)
  local text = tostring(ffi.typeof(value)):match "^ctype<(.*)>$"
  if text:find "%]$" then
    fail("%s: parameter %s is an FFI array, which is memory of the host; make an array: cn.frombuffer(x, dtype)",
      kernel.name, ordinal(kernel, k))
  elseif text:find "%*$" or text:find("(*)", 1, true) then
    return core.raw_address(tonumber(ffi.cast("uintptr_t", value)))
  end
  return tonumber(value) or ffi.string(ffi.cast("const char *", value), ffi.sizeof(value))
end

--- The arguments with objects replaced by addresses, bytes and the runtime's objects, and the device of the first that
--- is device memory.
local function convert(kernel, list, count, device, stream)
  local made = {}
  for k = 1, count do
    local value = list[k]
    local object, home
    if type(value) == "table" then object, home = read_object(kernel, value, stream) end
    if type(value) == "cdata" and is_object(value) then value = read_cdata(kernel, k, value) end
    device = device or home
    if home ~= device and home then
      fail("%s: parameter %s is memory on %s, and the kernel runs on %s", kernel.name, ordinal(kernel, k), home.name,
        device.name)
    end
    made[k] = object or value
  end
  return made, device
end

local function device_of(array) return array.device end

--- The device of the first array among the arguments. The error about a freed array names the kernel.
local function find_device(kernel, k, array)
  local ok, device = pcall(device_of, array)
  if ok then return device end
  error((device:gsub("cuna: device: ", function() return ("cuna: %s: argument %s: "):format(kernel.name,
    ordinal(kernel, k)) end, 1)), 0)
end

--- Launches a kernel on the device of its arrays, or on the current device.
---@param kernel table
---@param gx integer blocks along x, y and z, then threads of a block
---@param list table arguments 1..n
---@param shared integer bytes of dynamic shared memory
---@param cooperative boolean
---@param stream cuna.Stream|nil default: the current one
function M.launch(kernel, gx, gy, gz, bx, by, bz, list, shared, cooperative, stream)
  local count, device = kernel.count or count_arguments(kernel, list), nil
  local seen, has_object = count_entries(list)
  if seen ~= count then fail_arguments(kernel, list, count) end
  for k = 1, count do
    local value = list[k]
    if type(value) == "nil" then fail_arguments(kernel, list, count) end -- FFI's NULL equals nil
    if not device and metatable_of(value) == ARRAY then device = find_device(kernel, k, value) end
  end
  if has_object then list, device = convert(kernel, list, count, device, stream) end
  device = device or core.current_device()
  local made = kernel.functions[device] or function_on(kernel, device)
  if stream ~= nil then
    return streams.run(stream, device, kernel.name, core.raw_launch, made, gx, gy, gz, bx, by, bz, shared, cooperative,
      list, count)
  end
  core.raw_launch(made, gx, gy, gz, bx, by, bz, shared, cooperative, list, count)
end

-- ---- attributes ----

-- Their numbers in CUfunction_attribute.
M.ATTRIBUTES = {max_threads_per_block = 0, shared_size_bytes = 1, const_size_bytes = 2, local_size_bytes = 3,
  num_regs = 4, ptx_version = 5, binary_version = 6, cache_mode_ca = 7, max_dynamic_shared_size_bytes = 8,
  preferred_shared_memory_carveout = 9}
M.SETTABLE = {max_dynamic_shared_size_bytes = true, preferred_shared_memory_carveout = true}

--- An attribute of the kernel on the current device.
function M.attribute(kernel, name)
  return core.raw_attribute(function_on(kernel, core.current_device()), M.ATTRIBUTES[name])
end

--- Sets an attribute on the current device, and on all others that have or will have the kernel.
function M.set_attribute(kernel, name, value)
  local attribute = M.ATTRIBUTES[name]
  if not M.SETTABLE[name] then fail("%s: %s is determined by the compiler and cannot be set", kernel.name, name) end
  value = check.integer(value, kernel.name, name)
  function_on(kernel, core.current_device())
  for _, made in pairs(kernel.functions) do core.raw_set_attribute(made, attribute, value) end
  kernel.settings[attribute] = value
end

return M

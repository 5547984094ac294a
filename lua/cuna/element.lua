--- element.lua: x[key] and x[key] = value, where LuaJIT compiles them.
--
-- A function of Lua's C API ends what is compiled, and in a metamethod it keeps the loop around it from being compiled.
-- So the metamethods of arrays are Lua functions: by the FFI they ask C for elements at plain numbers and for fields
-- that are numbers (bindings/element.c), find methods, and hand all else to C's own metamethods (bindings/index.c),
-- which know every rule and raise every error. An interpreted FFI call is slow: without the compiler C's own are used.
local core = require "cuna.core"
local ffi = require "ffi"

local next, type = next, type
local c_index, c_newindex = core.accessors()
local methods = core.methods()

local state, read, write = core.touching()
state = ffi.cast("void *", state)
read = ffi.cast("int (*)(void *, void *, int, double, double, double, double *)", read)
write = ffi.cast("int (*)(void *, void *, int, double, double, double, double)", write)
local out = ffi.new "double[1]"

local numbers = core.numbers() -- field -> its function in C
for field, address in pairs(numbers) do numbers[field] = ffi.cast("double (*)(void *)", address) end
local dtypes = {}
for k, dtype in ipairs(core.dtypes) do dtypes[k] = dtype.name end

local NUMBER, BOOLEAN = 1, 2 -- what read returns
local NONE = -1 -- axes: no array has so many

--- How many positions a table has, up to 3, and the positions; NONE where it has anything else. One traversal sees each
--- entry and that there is no other.
local function places(key)
  local axis, first = next(key)
  if axis ~= 1 or type(first) ~= "number" then return NONE, 0, 0, 0 end
  local second, third
  axis, second = next(key, 1)
  if axis == nil then return 1, first, 0, 0 end
  if axis ~= 2 or type(second) ~= "number" then return NONE, 0, 0, 0 end
  axis, third = next(key, 2)
  if axis == nil then return 2, first, second, 0 end
  if axis ~= 3 or type(third) ~= "number" or next(key, 3) ~= nil then return NONE, 0, 0, 0 end
  return 3, first, second, third
end

--- The element; nil where C has to look. No call here is a tail call: the compiler goes on behind calls of C functions
--- only where they return to Lua.
local function element(x, count, first, second, third)
  local kind = read(state, x, count, first, second, third, out)
  if kind == NUMBER then return out[0] end
  if kind == BOOLEAN then return out[0] ~= 0 end
end

--- A field that is a number, or the dtype; nil where C has to look.
local function field(x, name)
  local number = numbers[name]
  if number == nil then return nil end
  local value = number(x)
  if name == "dtype" then return dtypes[value] end
  if value >= 0 then return value end
end

local function index(x, key)
  local value
  if type(key) == "number" then
    value = element(x, 1, key, 0, 0)
  elseif type(key) == "table" then
    value = element(x, places(key))
  else
    value = methods[key]
    if value == nil then value = field(x, key) end
  end
  if value == nil then value = c_index(x, key) end
  return value
end

local function newindex(x, key, value)
  local number = value
  if type(value) == "boolean" then number = value and 1 or 0 end -- as every dtype has it
  if type(number) == "number" then
    if type(key) == "number" then
      if write(state, x, 1, key, 0, 0, number) ~= 0 then return end
    elseif type(key) == "table" then
      local count, first, second, third = places(key)
      if write(state, x, count, first, second, third, number) ~= 0 then return end
    end
  end
  c_newindex(x, key, value)
end

local metatable = core.metatable()
if jit.status() then
  metatable.__index, metatable.__newindex = index, newindex
else
  metatable.__index, metatable.__newindex = c_index, c_newindex
end

return {}

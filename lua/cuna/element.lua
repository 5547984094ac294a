--- element.lua: x[key] and x[key] = value in code that LuaJIT compiles.
--
-- A call of a function of Lua's C API ends a JIT trace, and one in a metamethod prevents the loop around it from being
-- compiled. So the metamethods of arrays are Lua functions. Through the FFI they read and write elements at plain
-- numbers and read numeric fields (bindings/element.c); they find methods; all other keys go to C's metamethods
-- (bindings/index.c), which implement every rule and raise all errors. An interpreted FFI call is slow: without the JIT
-- compiler, C's metamethods are used directly.
local core = require "cuna.core"
local ffi = require "ffi"

local next, rawget, type = next, rawget, type
local c_index, c_newindex = core.accessors()
local methods = core.methods()

local state, read, write = core.touching()
state = ffi.cast("void *", state)
read = ffi.cast("double (*)(void *, void *, int, double, double, double, int *)", read)
write = ffi.cast("int (*)(void *, void *, int, double, double, double, double)", write)
local other = ffi.new "int[1]"

local numbers = core.numbers() -- field -> its function in C
for field, address in pairs(numbers) do numbers[field] = ffi.cast("double (*)(void *)", address) end
local dtypes = {}
for k, dtype in ipairs(core.dtypes) do dtypes[k] = dtype.name end

local NOT_A_NUMBER, IS_FALSE, IS_TRUE = 1, 2, 3 -- what other[0] is after NaN
local NONE = -1 -- a number of axes that no array has

--- The number of positions in a table, up to 3, and the positions; NONE if it has other entries. One traversal checks
--- each entry and that there are no others.
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

--- The element; nil if C must handle the key. This and the following calls are not tail calls: after a C function, the
--- compiler continues only if it returns to Lua code.
local function element(x, count, first, second, third)
  local value = read(state, x, count, first, second, third, other)
  if value == value then return value end
  local kind = other[0]
  if kind == IS_TRUE then return true end
  if kind == IS_FALSE then return false end
  if kind == NOT_A_NUMBER then return value end
end

--- A numeric field, or the dtype; nil if C must handle the key.
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
    value = rawget(methods, key)
    if value == nil then value = field(x, key) end
  end
  if value == nil then value = c_index(x, key) end
  return value
end

local function newindex(x, key, value)
  local number = value
  if type(value) == "boolean" then number = value and 1 or 0 end -- as in every dtype
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

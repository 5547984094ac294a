--- integers.lua: uniform random integers between bounds.
--
-- Bounds that are numbers are checked here, exactly, as pairs of a sign and 64 bits; those in arrays where they are
-- used.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local draw = require "cuna.random.draw"
local dtype_facts = require "cuna.base.dtype_facts"
local ffi = require "ffi"
local generator = require "cuna.random.generator"
local program = require "cuna.base.program"

local M = {}

local methods = generator.methods
local fail = check.fail
local uint64, int64 = ffi.typeof "uint64_t", ffi.typeof "int64_t"

local kind_of, size_of = dtype_facts.kind_of, dtype_facts.size_of
local DTYPES = {bool = true}
for name in pairs(kind_of) do DTYPES[name] = dtype_facts.is_integer(name) or DTYPES[name] end

-- ---- bounds that are numbers: {negative, bits, is_beyond (2^64)} ----

local function read_bound(value, name, what)
  value = check.number(value, name, what)
  if type(value) == "cdata" and ffi.istype(uint64, value) then return {negative = false, bits = value} end
  if type(value) == "cdata" and ffi.istype(int64, value) then return {negative = value < 0, bits = uint64(value)} end
  if type(value) ~= "number" or value ~= math.floor(value) or value < -2 ^ 63 or value > 2 ^ 64 then
    fail("%s: %s is a whole number from -2^63 to 2^64, got %s", name, what, tostring(value))
  end
  if value < 0 then return {negative = true, bits = uint64(int64(value))} end
  return {negative = false, bits = value == 2 ^ 64 and 0ULL or uint64(value), is_beyond = value == 2 ^ 64}
end

local function one_less(bound)
  return {negative = bound.negative or bound.bits == 0 and not bound.is_beyond, bits = bound.bits - 1ULL}
end

local function is_ordered(a, b)
  if a.is_beyond or b.is_beyond then return not a.is_beyond end
  if a.negative ~= b.negative then return a.negative end
  return a.bits <= b.bits
end

local function range_of(dtype)
  local bits = dtype == "bool" and 1 or 8 * size_of[dtype]
  if kind_of[dtype] ~= "i" then
    return {negative = false, bits = 0ULL}, {negative = false, bits = bits == 64 and -1ULL or 2ULL ^ bits - 1ULL}
  end
  local top = 2ULL ^ (bits - 1)
  return {negative = true, bits = -top}, {negative = false, bits = top - 1ULL}
end

--- The least number and how many others there are, of bounds that have some in a dtype.
local function checked_bounds(low, high, endpoint, dtype, name)
  local first, last = read_bound(low, name, "low"), read_bound(high, name, "high")
  if not endpoint then last = one_less(last) end
  local least, most = range_of(dtype)
  if not is_ordered(first, last) then
    fail("%s: low %s is %s high %s", name, tostring(low), endpoint and "above" or "not below", tostring(high))
  elseif not is_ordered(least, first) then
    fail("%s: low %s is below what %s holds", name, tostring(low), dtype)
  elseif not is_ordered(last, most) then
    fail("%s: high %s is above what %s holds", name, tostring(high), dtype)
  end
  return first.bits, last.bits - first.bits
end

-- ---- rows ----

local NUMBERS = {{name = "low", dtype = "uint64"}, {name = "most", dtype = "uint64"}}

local ROWS = {} -- by bits, then by name

--- The row of a name for words of so many bits: of the least number, and how many others there are.
function M.row(name, bits)
  local rows = program.branch(ROWS, bits)
  rows[name] = rows[name] or {name = name, parameters = NUMBERS, words = bits / 32, units = 2,
    sampler = ("random::Integers<D, uint%d>(low, most)"):format(bits)}
  return rows[name]
end

--- The row of bounds in arrays, of dtypes `kinds` where they are some.
local function checked_row(name, dtype, kinds)
  local bounds = dtype == "uint64" and "uint64" or "int64"
  local function as_given(k) return kinds[k] and kind_of[kinds[k]] == "f" and "float64" or bounds end
  return {name = name, parameters = {{name = "low", dtype = as_given(1)}, {name = "high", dtype = as_given(2)},
    {name = "beyond", dtype = "bool"}}, reports = true,
    expr = ("random::between<D, %s>(a, b, c, random::whole_bound(low, mark), random::whole_bound(high, mark), beyond, "
      .. "mark)"):format(bounds)}
end

--- Integers of arrays of bounds.
local function draw_checked(name, own, low, high, endpoint, size, dtype, out, window)
  local values, kinds, device = {low, high, endpoint and 0 or 1}, {}, core.device_of(low, high)
  for k = 1, 2 do
    local value = values[k]
    if core.is_array(value) or type(value) == "table" then
      values[k] = check.array(value, name, device)
      kinds[k], device = values[k].dtype, device or values[k].device
      if kind_of[kinds[k]] == "c" then fail("%s: bounds are whole numbers, got %s", name, kinds[k]) end
    else
      local bound = read_bound(value, name, k == 1 and "low" or "high")
      values[k] = dtype == "uint64" and bound.bits or int64(bound.bits)
    end
  end
  return draw.run(checked_row(name, dtype, kinds), own, values, kinds, draw.result_shape(size, out, kinds, name), dtype,
    out, device, window)
end

local function is_array_like(x) return core.is_array(x) or type(x) == "table" end

--- Draws whole numbers from `low` up to `high`.
---@param own cuna.Generator
---@param name string
---@param device cuna.Device|nil where neither bounds nor out are arrays
---@param window integer[]|nil of a part of a larger array (draw.lua)
function M.draw(own, name, low, high, size, dtype, endpoint, out, device, window)
  if low == nil then fail("%s: low is missing", name) end
  if high == nil then low, high = 0, low end
  dtype = draw.result_dtype({name = name, dtypes = DTYPES, dtype = "int64"}, dtype, out)
  if is_array_like(low) or is_array_like(high) then
    return draw_checked(name, own, low, high, endpoint, size, dtype, out, window)
  end
  local first, most = checked_bounds(low, high, endpoint, dtype, name)
  local row = M.row(name, most < 2ULL ^ 32 and 32 or 64)
  device = device or out ~= nil and out.device or core.current_device()
  return draw.run(row, own, {first, most}, {}, draw.result_shape(size, out, {}, name), dtype, out, device, window)
end

local read = args.reader("integers", {"generator", "low", "high", "size", "dtype", "endpoint", "out"}, 1)

--- Uniform random integers in [low, high); with one bound, in [0, low). Bounds in arrays without a number of the dtype
--- between them are an error, on CUDA at the next synchronisation. Follows numpy.random.Generator.integers.
---@param low integer|ffi.cdata*|cuna.Array
---@param high integer|ffi.cdata*|cuna.Array|nil
---@param size cuna.Shape|nil default: what low and high broadcast to
---@param dtype string|nil an integer dtype or bool, default int64
---@param endpoint boolean|nil true takes high in
---@param out cuna.Array|nil
---@return cuna.Array
---@usage cn.random.default_rng(1):integers(10, {size = 5}) --> [3 5 3 5 4]
---@usage cn.random.default_rng(1):integers(1, 6, 5, {dtype = "int8", endpoint = true}) --> [3 4 3 4 3]
function methods.integers(...)
  local own, low, high, size, dtype, endpoint, out = read(...)
  draw.check_generator(own, "integers")
  endpoint = check.boolean(endpoint, false, "integers", "endpoint")
  return M.draw(own, "integers", low, high, size, dtype, endpoint, out)
end

--- A function of a generator, low, high and a shape behind a front in C, which draws int64 between few bounds.
function M.fronted(name, method)
  return core.integers_front(name, method, function(words)
    return draw.plain_mapper(M.row(name, words == "uint32" and 32 or 64), "int64")
  end)
end

methods.integers = M.fronted("integers", methods.integers)

return M

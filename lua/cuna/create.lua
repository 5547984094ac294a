--- create.lua: arrays out of numbers, tables and ranges.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local ffi = require "ffi"
local formula = require "cuna.base.formula"
local transfer = require("cuna.base.later").functions "device.transfer"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

---@alias cuna.Number number|boolean|ffi.cdata* a Lua number, boolean, int64_t, uint64_t or complex
---@alias cuna.Shape integer|integer[] a length, or a list of them; {} is the shape of a 0-d array

local kind_of, size_of, is_integer = dtype_facts.kind_of, dtype_facts.size_of, dtype_facts.is_integer

-- ---- from values ----

--- The arrays of a table, of one shape and on one device, stacked there; nil for any other value.
local function stacked(value, dtype)
  if type(value) ~= "table" or not core.is_array(value[1]) or not core.are_arrays(value, "array") then return nil end
  for i = 2, #value do
    if not core.same_shape(value[1], value[i]) then return nil end
  end
  return core.join(value, 1, true, nil, dtype, "array")
end

local read_array = args.reader("array", {"value", "dtype", "device"})

--- A new array of a number, a nested table (whose leaves may be arrays) or another array. Without a dtype numbers make
--- the default float, booleans bool, int64_t and uint64_t int64 or uint64; beside arrays numbers are weak. A plain
--- table of arrays on one device is stacked there; from other tables arrays are fetched, which waits. Raises for ragged
--- tables, holes and integers that do not fit. Follows numpy.array.
---@param value cuna.Number|table|cuna.Array
---@param dtype string|nil
---@param device cuna.Device|string|nil default: the current one
---@return cuna.Array always a copy
---@usage cn.array({{1, 2}, {3, 4}}, "int32") --> [[1 2] [3 4]]
function F.array(...)
  local first, second = ...
  if type(first) == "number" and type(second) == "number" then
    fail("array: several numbers come in one table: cn.array {%g, %g, ...}", first, second)
  end
  local value, dtype, device = read_array(...)
  dtype = check.dtype(dtype, "array")
  local arrays = stacked(value, dtype)
  device = device or core.current_device()
  if arrays then return core.as_array(arrays, nil, device, "array") end
  local made = core.as_array(value, dtype, device, "array")
  return rawequal(made, value) and core.cast(value, nil, "array") or made
end

local read_asarray = args.reader("asarray", {"value", "dtype", "stream", "blocking"})

--- The value as an array on the current device: itself when it is one there with the dtype. With a stream of the
--- device, or with blocking = false, the script does not wait until a pinned array was copied. Follows cupy.asarray.
---@param value cuna.Number|table|cuna.Array
---@param dtype string|nil
---@param stream cuna.Stream|nil default: the current one
---@param blocking boolean|nil default: whether no stream is given
---@return cuna.Array
---@usage cn.asarray {1, 2} --> [1. 2.]
---@usage cn.asarray(cn.zeros_pinned(2), {blocking = false}) --> [0. 0.]
function F.asarray(...)
  local value, dtype, stream, blocking = read_asarray(...)
  return transfer.bring(value, check.dtype(dtype, "asarray"), core.current_device(), stream, blocking, "asarray")
end

local read_scalar = args.reader("scalar", {"value", "dtype"})

--- A 0-d array of one number. Its dtype is strong: it takes part in promotion, as that of a plain Lua number does not.
---@param value cuna.Number
---@param dtype string|nil default: as cn.array's
---@return cuna.Array shape ()
---@usage (cn.zeros(2, "int8") + cn.scalar(1, "int32")).dtype --> int32
function F.scalar(...)
  local value, dtype = read_scalar(...)
  if not core.number_kind(value) then fail("scalar: expected a number or boolean, got %s", check.show(value)) end
  return core.as_array(value, check.dtype(dtype, "scalar"), nil, "scalar")
end

-- ---- of a shape ----

local function with_shape(name, value)
  local read = args.reader(name, {"shape", "dtype", "device"})
  return core.front(name, function(...)
    local shape, dtype, device = read(...)
    if type(shape) == "number" and type(dtype) == "number" then
      fail("%s: a shape is one table: cn.%s({%s, %s, ...})", name, name, tostring(shape), tostring(dtype))
    end
    dtype = check.dtype(dtype, name)
    return value and core.full(shape, dtype, device, name, value) or core.empty(shape, dtype, device, name)
  end)
end

--- A new array of unspecified values. Follows numpy.empty.
---@param shape cuna.Shape
---@param dtype string|nil default: the default float
---@param device cuna.Device|string|nil default: the current one
---@return cuna.Array
---@usage cn.empty({2, 3}, "int8").shape --> (2, 3)
F.empty = with_shape("empty")

--- A new array of zeros. Follows numpy.zeros.
---@param shape cuna.Shape
---@param dtype string|nil default: the default float
---@param device cuna.Device|string|nil default: the current one
---@return cuna.Array
---@usage cn.zeros(3) --> [0. 0. 0.]
F.zeros = with_shape("zeros", 0)

--- A new array of ones. Follows numpy.ones.
---@param shape cuna.Shape
---@param dtype string|nil default: the default float
---@param device cuna.Device|string|nil default: the current one
---@return cuna.Array
---@usage cn.ones({2, 2}, "int8") --> [[1 1] [1 1]]
F.ones = with_shape("ones", 1)

--- The dtype of an array filled with a value.
local function dtype_of(value, name)
  if core.is_array(value) then return core.check_alive(value, name).dtype end
  local kind = core.number_kind(value)
  if not kind then fail("%s: the value is a number, boolean or array, got %s", name, check.show(value)) end
  if kind == "bool" then return "bool" end
  if kind == "complex" then return core.default_dtype() == "float32" and "complex64" or "complex128" end
  return type(value) == "number" and core.default_dtype() or kind == "uint" and "uint64" or "int64"
end

local function filled(shape, dtype, device, name, value)
  if not core.is_array(value) then return core.full(shape, dtype, device, name, value) end
  local out = core.empty(shape, dtype, device, name)
  check.same_device(out, value, name)
  out[core.ellipsis] = value
  return out
end

local read_full = args.reader("full", {"shape", "value", "dtype", "device"})

--- A new array with every element `value`; an array is broadcast. Follows numpy.full.
---@param shape cuna.Shape
---@param value cuna.Number|cuna.Array
---@param dtype string|nil default: the array's, or as cn.array's of the number
---@param device cuna.Device|string|nil default: the current one
---@return cuna.Array
---@usage cn.full(3, 7, "int8") --> [7 7 7]
function F.full(...)
  local shape, value, dtype, device = read_full(...)
  local own = dtype_of(value, "full")
  return filled(shape, check.dtype(dtype, "full") or own, device, "full", value)
end

local function like(name, value)
  local read = args.reader(name, {"x", "dtype", "shape"})
  return core.front(name, function(...)
    local x, dtype, shape = read(...)
    x = check.array(x, name)
    shape, dtype = shape or x.shape, check.dtype(dtype, name) or x.dtype
    return value and core.full(shape, dtype, x.device, name, value) or core.empty(shape, dtype, x.device, name)
  end)
end

--- An array of unspecified values like x. Follows numpy.empty_like.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@param shape cuna.Shape|nil default: x's
---@return cuna.Array on x's device
---@usage cn.empty_like(cn.zeros({2, 3})).shape --> (2, 3)
F.empty_like = like "empty_like"

--- An array of zeros like x. Follows numpy.zeros_like.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@param shape cuna.Shape|nil default: x's
---@return cuna.Array on x's device
---@usage cn.zeros_like(cn.arange(3)) --> [0 0 0]
F.zeros_like = like("zeros_like", 0)

--- An array of ones like x. Follows numpy.ones_like.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@param shape cuna.Shape|nil default: x's
---@return cuna.Array on x's device
---@usage cn.ones_like(cn.arange(3), "float32") --> [1. 1. 1.]
F.ones_like = like("ones_like", 1)

local read_full_like = args.reader("full_like", {"x", "value", "dtype", "shape"})

--- An array like x with every element `value`; an array is broadcast. Follows numpy.full_like.
---@param x cuna.Operand
---@param value cuna.Number|cuna.Array
---@param dtype string|nil default: x's
---@param shape cuna.Shape|nil default: x's
---@return cuna.Array on x's device
---@usage cn.full_like(cn.arange(3), 7) --> [7 7 7]
function F.full_like(...)
  local x, value, dtype, shape = read_full_like(...)
  x = check.array(x, "full_like")
  dtype_of(value, "full_like")
  dtype = check.dtype(dtype, "full_like") or x.dtype
  return filled(shape or x.shape, dtype, x.device, "full_like", value)
end

-- ---- ranges ----

--- A real number; int64_t and uint64_t stay exact.
local function check_real(value, name, what)
  value = check.plain(value, name)
  local number = check.real(value, name, what)
  if core.number_kind(value) == "uint" then return number end
  return type(value) == "cdata" and ffi.cast("int64_t", value) or value
end

local function is_whole(value)
  return type(value) == "cdata" or (value == math.floor(value) and math.abs(value) < 2 ^ 63)
end

--- How many numbers from start on lie before stop.
local function count_steps(start, stop, step, name)
  if step == 0 then fail("%s: the step must not be 0", name) end
  local count = (tonumber(stop) - tonumber(start)) / tonumber(step)
  if count ~= count or count == math.huge then
    fail("%s: from %s to %s there is no end", name, tostring(start), tostring(stop))
  end
  if count > 2 ^ 52 then fail("%s: %.3g elements are too many", name, count) end
  if type(start) == "cdata" or type(stop) == "cdata" then
    local span, whole = stop - start, ffi.cast("int64_t", step)
    count = tonumber(span / whole) + (span % whole == 0 and 0 or (count > 0 and 1 or 0))
  end
  return math.max(0, math.ceil(count))
end

--- Refuses whole numbers that an integer dtype cannot hold.
local function check_fits(value, dtype, name)
  local bits = 8 * size_of[dtype]
  local least = kind_of[dtype] == "u" and 0 or -2 ^ (bits - 1)
  value = tonumber(value)
  if value < least or value >= least + 2 ^ bits then fail("%s: %.17g does not fit %s", name, value, dtype) end
end

local WHOLE = "wrap_add(b, wrap_mul(a, c))" -- numbers, of the first one and the step

local function range(name, count, start, step, dtype, device)
  if kind_of[dtype] == "b" and count > 2 then fail("%s: %d numbers cannot be bools", name, count) end
  local whole = is_whole(start) and is_whole(step) and is_integer(dtype)
  if whole and count > 0 then
    check_fits(start, dtype, name)
    check_fits(start + (count - 1) * step, dtype, name)
    return formula.make(name, count, dtype, device, WHOLE, "int64", start, step)
  end
  return formula.make(name, count, dtype, device, "b + a * c", formula.loop_of(dtype), tonumber(start), tonumber(step))
end

local read_arange = args.reader("arange", {"start", "stop", "step", "dtype", "device"}, 0)

--- Numbers from start (default 0) up to but without stop, `step` (default 1) apart. Element k is start + k * step.
--- Follows numpy.arange.
---@param start number|nil
---@param stop number
---@param step number|nil not 0
---@param dtype string|nil default: int64 when start, stop and step are whole, else the default float
---@param device cuna.Device|string|nil default: the current one
---@return cuna.Array 1-d
---@overload fun(stop: number, dtype?: cuna.Dtype): cuna.Array
---@overload fun(start: number, stop: number, dtype?: cuna.Dtype): cuna.Array
---@usage cn.arange(5) --> [0 1 2 3 4]
---@usage cn.arange(1, 2, 0.25) --> [1. 1.25 1.5 1.75]
function F.arange(...)
  local start, stop, step, dtype, device = read_arange(...)
  if type(stop) == "string" then stop, dtype = nil, stop end
  if type(step) == "string" then step, dtype = nil, step end
  if stop == nil then start, stop = 0, start end
  start, stop = check_real(start or 0, "arange", "start"), check_real(stop, "arange", "stop")
  step = check_real(step or 1, "arange", "step")
  local whole = is_whole(start) and is_whole(stop) and is_whole(step)
  if not whole then start, stop, step = tonumber(start), tonumber(stop), tonumber(step) end
  dtype = check.dtype(dtype, "arange") or (whole and "int64" or dtype_rules.default_dtype())
  local count = count_steps(start, stop, step, "arange")
  return range("arange", count, start, step, dtype, device)
end

local read_range = args.reader("range", {"first", "last", "step"}, 0)

--- Positions first, first + step, ... up to last, both ends included, for indexing: what Lua's `for` counts.
---@param first integer
---@param last integer
---@param step integer|nil default 1
---@return cuna.Array 1-d, int64
---@usage cn.range(2, 5) --> [2 3 4 5]
---@usage cn.range(5, 1, -2) --> [5 3 1]
function F.range(...)
  local first, last, step = read_range(...)
  first = check.integer(check.plain(first, "range"), "range", "first")
  last = check.integer(check.plain(last, "range"), "range", "last")
  step = check.integer(check.plain(step or 1, "range"), "range", "the step")
  local count, steps = count_steps(first, last, step, "range"), (last - first) / step
  if steps >= 0 and steps % 1 == 0 then count = count + 1 end
  return range("range", count, first, step, "int64")
end

core.hook("progression", function() return formula.program(WHOLE, "int64", "int64", 2) end)
for _, name in ipairs {"arange", "range"} do F[name] = core.front(name, F[name]) end

--- Evenly spaced numbers, of which the one at position `last` is stop.
local function line(num, start, step, last, stop, dtype)
  local expr = "a == d ? e : b + a * c"
  if is_integer(dtype) and num > 0 then
    check_fits(math.floor(start), dtype, "linspace")
    check_fits(math.floor(stop), dtype, "linspace")
    expr = "floor(a == d ? e : b + a * c)"
  end
  return formula.make("linspace", num, dtype, nil, expr, formula.loop_of(dtype), start, step, last, stop)
end

local read_linspace = args.reader("linspace", {"start", "stop", "num", "endpoint", "retstep", "dtype"}, 0)

--- `num` numbers from start to stop, evenly spaced; integer dtypes round down. Follows numpy.linspace.
---@param start number
---@param stop number
---@param num integer|nil default 50
---@param endpoint boolean|nil false leaves stop out
---@param retstep boolean|nil true: also returns the step too
---@param dtype string|nil default: the default float
---@return cuna.Array 1-d
---@return number|nil step NaN where there is one number or none
---@usage cn.linspace(0, 1, 5) --> [0. 0.25 0.5 0.75 1. ]
---@usage cn.linspace(0, 1, 2, {endpoint = false, retstep = true}) --> [0. 0.5], 0.5
function F.linspace(...)
  local start, stop, num, endpoint, retstep, dtype = read_linspace(...)
  start = check.real(check.plain(start, "linspace"), "linspace", "start")
  stop = check.real(check.plain(stop, "linspace"), "linspace", "stop")
  num = check.count(num == nil and 50 or check.plain(num, "linspace"), "linspace", "num")
  endpoint = check.boolean(endpoint, true, "linspace", "endpoint")
  retstep = check.boolean(retstep, false, "linspace", "retstep")
  dtype = check.dtype(dtype, "linspace") or dtype_rules.default_dtype()
  local gaps = endpoint and num - 1 or num
  local step = gaps > 0 and (stop - start) / gaps or 0 / 0
  local result = line(num, start, gaps > 0 and step or 0, endpoint and num > 1 and num - 1 or -1, stop, dtype)
  if retstep then return result, step end
  return result
end

local read_logspace = args.reader("logspace", {"start", "stop", "num", "endpoint", "base", "dtype"}, 0)

--- `base` (default 10) to the powers of linspace(start, stop, num, endpoint). Follows numpy.logspace.
---@param start number exponent of the first number
---@param stop number exponent of the last number
---@param num integer|nil default 50
---@param endpoint boolean|nil false leaves stop out
---@param base number|nil
---@param dtype string|nil default: the default float
---@return cuna.Array 1-d
---@usage cn.logspace(0, 2, 3) --> [ 1. 10. 100.]
function F.logspace(...)
  local start, stop, num, endpoint, base, dtype = read_logspace(...)
  start = check.real(start, "logspace", "start")
  stop = check.real(stop, "logspace", "stop")
  check.count(num == nil and 50 or num, "logspace", "num")
  base, dtype = check_real(base or 10, "logspace", "base"), check.dtype(dtype, "logspace")
  local powers = F.linspace(start, stop, num, endpoint)
  local result = elementwise.functions.power(base, powers)
  return dtype and core.cast(result, dtype, "logspace") or result
end

local read_geomspace = args.reader("geomspace", {"start", "stop", "num", "endpoint", "dtype"}, 0)

--- `num` numbers from start to stop, each the same multiple of the one before. Follows numpy.geomspace.
---@param start number not 0
---@param stop number of start's sign
---@param num integer|nil default 50
---@param endpoint boolean|nil false leaves stop out
---@param dtype string|nil default: the default float
---@return cuna.Array 1-d
---@usage cn.geomspace(1, 1000, 4) --> [   1.   10.  100. 1000.]
function F.geomspace(...)
  local start, stop, num, endpoint, dtype = read_geomspace(...)
  local name = "geomspace"
  start, stop = check.real(start, name, "start"), check.real(stop, name, "stop")
  if start * stop <= 0 then
    fail("%s: start and stop have one sign and are not 0, got %s and %s", name, start, stop)
  end
  local powers = F.linspace(0, math.log10(stop / start), num, endpoint)
  local result = elementwise.functions.multiply(elementwise.functions.power(10, powers), start)
  local count = result.size
  if count > 0 then core.fill(result[{{1, 1}}], start, name) end
  if count > 1 and endpoint ~= false then core.fill(result[{{count, count}}], stop, name) end
  return dtype and core.cast(result, check.dtype(dtype, name), name) or result
end

local methods = core.methods()
for _, name in ipairs {"empty_like", "zeros_like", "ones_like", "full_like"} do methods[name] = F[name] end

return M

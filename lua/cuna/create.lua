--- create.lua: arrays out of numbers, tables, memory and formulas.
local args = require "cuna.args"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local ffi = require "ffi"
local resolve = require "cuna.resolve"

local M = {functions = {}}
local F = M.functions

local function fail(format, ...) core.fail(format:format(...)) end
local function array_of(x, name) return core.is_array(x) and x or core.as_array(x, nil, nil, name) end
local function check_dtype(dtype, name) return dtype and core.check_dtype(dtype, name) end

local kind_of = {}
for _, dtype in ipairs(core.dtypes) do kind_of[dtype.name] = dtype.kind end

-- ---- from values ----

--- A new array of a number, a nested table or another array; numbers become the default float, booleans bool.
---@param value any
---@param dtype string|nil
---@return cuna.Array always a copy
local read_array = args.reader("array", {"value", "dtype", "device"})
function F.array(...)
  local value, dtype, device = read_array(...)
  local made = core.as_array(value, check_dtype(dtype, "array"), device, "array")
  return made == value and rawequal(made, value) and core.cast(value, nil, "array") or made
end

--- The value as an array on the current device: itself when it is one there, with the dtype.
local read_asarray = args.reader("asarray", {"value", "dtype"})
function F.asarray(...)
  local value, dtype = read_asarray(...)
  return core.as_array(value, check_dtype(dtype, "asarray"), core.current_device(), "asarray")
end

--- A 0-d array of one number whose dtype is strong: it takes part in promotion, as a plain Lua number does not.
---@param value number|boolean|ffi.cdata*
---@param dtype string|nil default: the value's own (the default float for Lua numbers)
function F.scalar(value, dtype)
  if not core.number_kind(value) then fail("scalar: expected a number or boolean, got %s", type(value)) end
  return core.as_array(value, check_dtype(dtype, "scalar"), nil, "scalar")
end

-- ---- of a shape ----

local function with_shape(name, value)
  local read = args.reader(name, {"shape", "dtype", "device"})
  return function(...)
    local shape, dtype, device = read(...)
    local made = core.empty(shape, check_dtype(dtype, name), device, name)
    return value and core.fill(made, value) or made
  end
end

F.empty, F.zeros, F.ones = with_shape("empty"), with_shape("zeros", 0), with_shape("ones", 1)

local NUMBER_DTYPE = {bool = "bool", uint = "uint64"}

--- The dtype of an array filled with a number.
local function dtype_of_number(value, name)
  local kind = core.number_kind(value)
  if not kind then fail("%s: the value is a number or boolean, got %s", name, type(value)) end
  if kind == "complex" then return resolve.default_dtype() == "float32" and "complex64" or "complex128" end
  if type(value) == "cdata" then return NUMBER_DTYPE[kind] or "int64" end
  return kind == "bool" and "bool" or resolve.default_dtype()
end

--- An array of `shape` with every element `value`.
local read_full = args.reader("full", {"shape", "value", "dtype", "device"}, 2)
function F.full(...)
  local shape, value, dtype, device = read_full(...)
  local kind = dtype_of_number(value, "full")
  return core.fill(core.empty(shape, check_dtype(dtype, "full") or kind, device, "full"), value)
end

local function like(name, value)
  local read = args.reader(name, {"x", "dtype", "shape"})
  return function(...)
    local x, dtype, shape = read(...)
    x = array_of(x, name)
    local made = core.empty(shape or x.shape, check_dtype(dtype, name) or x.dtype, x.device, name)
    return value and core.fill(made, value) or made
  end
end

F.empty_like, F.zeros_like, F.ones_like = like "empty_like", like("zeros_like", 0), like("ones_like", 1)

local read_full_like = args.reader("full_like", {"x", "value", "dtype", "shape"}, 2)
function F.full_like(...)
  local x, value, dtype, shape = read_full_like(...)
  x = array_of(x, "full_like")
  dtype_of_number(value, "full_like")
  local made = core.empty(shape or x.shape, check_dtype(dtype, "full_like") or x.dtype, x.device, "full_like")
  return core.fill(made, value)
end

-- ---- by a formula of the position ----

local programs = {}

--- The program that computes `expr` of the position a (from 0) and two numbers b, c in dtype `loop`.
local function formula(name, expr, loop, dtype)
  local key = name .. loop .. dtype
  if not programs[key] then
    programs[key] = core.program {
      inputs = {{dtype = loop, scalar = true}, {dtype = loop, scalar = true}}, index = true, output = dtype,
      steps = {{name = name, expr = expr, dtype = dtype, args = {3, 1, 2}, arg_dtypes = {loop, loop, loop}}},
    }
  end
  return programs[key]
end

local LOOPS = {b = "int64", i = "int64", u = "uint64", f = "float64", c = "complex128"}

local function check_number(value, name, what)
  if type(value) == "boolean" or not core.number_kind(value) then
    fail("%s: %s is a number, got %s", name, what, type(value))
  end
  return value
end

local function all_integral(...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if type(value) == "number" and value ~= math.floor(value) then return false end
  end
  return true
end

local function count_steps(start, stop, step, name)
  local count = math.ceil(tonumber((stop - start) / step))
  if count ~= count or count == math.huge then fail("%s: the range has no end", name) end
  return math.max(0, count)
end

--- Numbers from start (default 0) up to but without stop, `step` (default 1) apart, as NumPy's arange.
--- The dtype is int64 when all three are whole, else the default float.
local read_arange = args.reader("arange", {"start", "stop", "step", "dtype", "device"})
function F.arange(...)
  local start, stop, step, dtype, device = read_arange(...)
  if type(stop) == "string" then stop, dtype = nil, stop end
  if type(step) == "string" then step, dtype = nil, step end
  if stop == nil then start, stop = 0, start end
  start, stop = check_number(start, "arange", "start"), check_number(stop, "arange", "stop")
  step = check_number(step or 1, "arange", "step")
  if step == 0 then fail "arange: step must not be 0" end
  dtype = check_dtype(dtype, "arange") or (all_integral(start, stop, step) and "int64" or resolve.default_dtype())
  local count = count_steps(start, stop, step, "arange")
  local whole = all_integral(start, step) and (kind_of[dtype] == "i" or kind_of[dtype] == "u")
  local loop = whole and "int64" or LOOPS[kind_of[dtype]]:gsub("u?int64", "float64")
  local program = formula("arange", "wrap_add(b, wrap_mul(a, c))", loop, dtype)
  return core.map(program, "arange", count, core.empty(count, dtype, device, "arange"), start, step)
end

--- Positions first, first + step, ... up to last (both ends included) as int64, for indexing.
function F.range(first, last, step)
  step = step or 1
  if not all_integral(check_number(first, "range", "first"), check_number(last, "range", "last"), step) then
    fail "range: positions are whole numbers"
  end
  return F.arange(first, last + (step > 0 and 1 or -1), step, "int64")
end

--- `num` numbers from start to stop, evenly spaced; with endpoint = false without stop. retstep = true adds the step.
local read_linspace = args.reader("linspace", {"start", "stop", "num", "endpoint", "retstep", "dtype"}, 2)
function F.linspace(...)
  local start, stop, num, endpoint, retstep, dtype = read_linspace(...)
  check_number(start, "linspace", "start")
  check_number(stop, "linspace", "stop")
  num = num == nil and 50 or num
  if type(num) ~= "number" or num < 0 or num ~= math.floor(num) then fail("linspace: num is a count, got %s", tostring(num)) end
  local gaps = endpoint == false and num or num - 1
  local step = gaps > 0 and (stop - start) / gaps or 0 / 0
  dtype = check_dtype(dtype, "linspace") or resolve.default_dtype()
  local loop = LOOPS[kind_of[dtype]]:gsub("u?int64", "float64")
  local whole = kind_of[dtype] == "i" or kind_of[dtype] == "u"
  local expr = whole and "floor(b + a * c)" or "b + a * c"
  local result = core.map(formula(whole and "linspace_whole" or "linspace", expr, loop, dtype), "linspace", num, nil, start,
    gaps > 0 and step or 0)
  if endpoint ~= false and num > 1 then result[num] = stop end
  if retstep then return result, step end
  return result
end

--- base to the powers of linspace(start, stop, num).
local read_logspace = args.reader("logspace", {"start", "stop", "num", "endpoint", "base", "dtype"}, 2)
function F.logspace(...)
  local start, stop, num, endpoint, base, dtype = read_logspace(...)
  local powers = F.linspace(start, stop, num, endpoint)
  local result = elementwise.functions.power(F.scalar(base or 10, powers.dtype), powers)
  return dtype and core.cast(result, check_dtype(dtype, "logspace"), "logspace") or result
end

-- ---- matrices ----

local function check_count(value, name, what)
  if type(value) ~= "number" or value < 0 or value ~= math.floor(value) then
    fail("%s: %s is a count, got %s", name, what, tostring(value))
  end
  return value
end

local function check_diagonal(k, name)
  if k == nil then return 0 end
  if type(k) ~= "number" or k ~= math.floor(k) then fail("%s: k is a whole number, got %s", name, tostring(k)) end
  return k
end

--- An (n, m) array whose element (i, j) is `test` of a = i * m + j, b = m, c = k.
local function by_row_and_column(name, test, n, m, k, dtype)
  if n == 0 or m == 0 then return core.empty({n, m}, dtype, nil, name) end
  return core.map(formula(name, test, "int64", dtype), name, {n, m}, nil, m, k)
end

--- An (n, m) array with ones on its k-th diagonal.
local read_eye = args.reader("eye", {"n", "m", "k", "dtype"})
function F.eye(...)
  local n, m, k, dtype = read_eye(...)
  check_count(n, "eye", "n")
  m = m == nil and n or check_count(m, "eye", "m")
  dtype = check_dtype(dtype, "eye") or resolve.default_dtype()
  return by_row_and_column("eye", "a % b - a / b == c", n, m, check_diagonal(k, "eye"), dtype)
end

--- The (n, n) identity matrix.
function F.identity(n, dtype)
  if type(dtype) == "table" then dtype = dtype.dtype end
  return F.eye(n, nil, nil, dtype)
end

--- An (n, m) array with ones at and below the k-th diagonal.
local read_tri = args.reader("tri", {"n", "m", "k", "dtype"})
function F.tri(...)
  local n, m, k, dtype = read_tri(...)
  check_count(n, "tri", "n")
  m = m == nil and n or check_count(m, "tri", "m")
  dtype = check_dtype(dtype, "tri") or resolve.default_dtype()
  return by_row_and_column("tri", "a % b - a / b <= c", n, m, check_diagonal(k, "tri"), dtype)
end

local function triangle(name, below)
  return function(x, k)
    x = array_of(x, name)
    if x.ndim < 2 then fail("%s: expected at least 2 axes, got %d", name, x.ndim) end
    local shape = x.shape
    local mask = F.tri(shape[#shape - 1], shape[#shape], check_diagonal(k, name) - (below and 0 or 1), "bool")
    local zero = F.scalar(0, x.dtype)
    if below then return elementwise.functions.where(mask, x, zero) end
    return elementwise.functions.where(mask, zero, x)
  end
end

--- x with zeros above (tril) or below (triu) its k-th diagonal; the last two axes are the matrix.
F.tril, F.triu = triangle("tril", true), triangle("triu", false)

--- The k-th diagonal of a 2-d array as a copy, or a square 2-d array with a 1-d one on its k-th diagonal.
function F.diag(x, k)
  x, k = array_of(x, "diag"), check_diagonal(k, "diag")
  if x.ndim == 1 then
    local n = x.size + math.abs(k)
    local made = F.zeros({n, n}, x.dtype)
    if x.size > 0 then core.view(made, {x.size}, {n + 1}, k >= 0 and k or -k * n)["..."] = x end
    return made
  elseif x.ndim ~= 2 then
    fail("diag: expected 1 or 2 axes, got %d", x.ndim)
  end
  local shape, strides, itemsize = x.shape, x.strides, x.itemsize
  local rows, columns = strides[1] / itemsize, strides[2] / itemsize
  local length = math.max(0, k >= 0 and math.min(shape[1], shape[2] - k) or math.min(shape[1] + k, shape[2]))
  local offset = length == 0 and 0 or (k >= 0 and k * columns or -k * rows)
  return core.cast(core.view(x, {length}, {rows + columns}, offset), nil, "diag")
end

--- Coordinate arrays of a grid: one result per given 1-d array. indexing = "xy" (default) or "ij".
function F.meshgrid(...)
  local arrays, indexing = {...}, "xy"
  local last = arrays[#arrays]
  if type(last) == "table" and core.is_options(last, "meshgrid") then
    for name in pairs(last) do
      if name ~= "indexing" then fail("meshgrid: unknown option '%s'; known is indexing", name) end
    end
    indexing, arrays[#arrays] = last.indexing, nil
  end
  if indexing ~= "xy" and indexing ~= "ij" then fail("meshgrid: indexing is \"xy\" or \"ij\", got %s", tostring(indexing)) end
  local shape, results, n = {}, {}, #arrays
  local function place(i) return (indexing == "xy" and i <= 2 and n >= 2) and 3 - i or i end
  for i = 1, n do
    arrays[i] = core.reshape(array_of(arrays[i], "meshgrid"), -1, "meshgrid")
    shape[place(i)] = arrays[i].size
  end
  for i = 1, n do
    local lengths = {}
    for axis = 1, n do lengths[axis] = axis == place(i) and arrays[i].size or 1 end
    results[i] = core.cast(core.broadcast_to(core.reshape(arrays[i], lengths), shape), nil, "meshgrid")
  end
  return unpack(results)
end

-- ---- from memory ----

local CTYPES = {
  {"bool", "bool"}, {"int8_t", "int8"}, {"int16_t", "int16"}, {"int32_t", "int32"}, {"int64_t", "int64"},
  {"uint8_t", "uint8"}, {"uint16_t", "uint16"}, {"uint32_t", "uint32"}, {"uint64_t", "uint64"}, {"char", "int8"},
  {"float", "float32"}, {"double", "float64"}, {"complex float", "complex64"}, {"complex double", "complex128"},
}

--- The dtype whose elements a cdata array or pointer holds, and how many there are (nil for a pointer).
local function describe_cdata(source)
  for _, pair in ipairs(CTYPES) do
    local element = pair[1]
    if ffi.istype(ffi.typeof(element .. " *"), source) or ffi.istype(ffi.typeof("const " .. element .. " *"), source) then
      return pair[2], nil
    end
  end
  local text = tostring(ffi.typeof(source)):match "^ctype<(.*)>$" or ""
  local element, count = text:match "^(.-)%s*%[(%d+)%]$"
  if not element then element = text:match "^(.-)%s*%[%?%]$" end
  for _, pair in ipairs(CTYPES) do
    if element and tostring(ffi.typeof(pair[1])) == "ctype<" .. element .. ">" then
      local nbytes = ffi.sizeof(source)
      return pair[2], tonumber(count) or nbytes / ffi.sizeof(pair[1]), nbytes
    end
  end
  return nil, nil, text:find("%[") and ffi.sizeof(source) or nil
end

local size_of = {}
for _, dtype in ipairs(core.dtypes) do size_of[dtype.name] = dtype.size end

local function address_of(source) return tonumber(ffi.cast("uintptr_t", ffi.cast("const void *", source))) end

--- How many elements to take from `nbytes` behind `offset`.
local function count_elements(count, nbytes, offset, dtype)
  if offset < 0 or offset ~= math.floor(offset) then fail("frombuffer: offset is a count of bytes, got %s", tostring(offset)) end
  local room = nbytes and nbytes - offset
  if room and room < 0 then fail("frombuffer: offset %d lies behind the buffer's %d bytes", offset, nbytes) end
  if count == nil or count == -1 then
    if not room then fail "frombuffer: a pointer has no length; give count" end
    if room % size_of[dtype] ~= 0 then
      fail("frombuffer: %d bytes are no whole number of %s elements", room, dtype)
    end
    return room / size_of[dtype]
  end
  check_count(count, "frombuffer", "count")
  if room and count * size_of[dtype] > room then
    fail("frombuffer: %d elements of %s need %d bytes, and there are %d", count, dtype, count * size_of[dtype], room)
  end
  return count
end

--- A 1-d array of the bytes of a Lua string, an FFI array or a pointer; a copy, unless {copy = false} shares an FFI
--- array's memory (cpu device), which the array then keeps alive.
---@param source string|ffi.cdata*
---@param dtype string|nil default: the FFI array's own, float64 for strings
---@param count integer|nil elements; default: all
---@param offset integer|nil bytes to skip
local read_frombuffer = args.reader("frombuffer", {"source", "dtype", "count", "offset", "copy"})
function F.frombuffer(...)
  local source, dtype, count, offset, copy = read_frombuffer(...)
  local own, nbytes
  if type(source) == "string" then
    nbytes = #source
  elseif type(source) == "cdata" then
    local elements
    own, elements, nbytes = describe_cdata(source)
    nbytes = nbytes or (own and elements and elements * size_of[own])
    if not own and dtype == nil then fail("frombuffer: %s has no dtype; give one", tostring(ffi.typeof(source))) end
  else
    fail("frombuffer: expected a string, an FFI array or a pointer, got %s", type(source))
  end
  dtype, offset = check_dtype(dtype, "frombuffer") or own or "float64", offset or 0
  count = count_elements(count, nbytes, offset, dtype)
  if copy == false then
    if type(source) == "string" then fail "frombuffer: a Lua string cannot be shared; leave copy out" end
    return core.wrap(address_of(source) + offset, count, dtype, source)
  end
  local made = core.empty(count, dtype, nil, "frombuffer")
  if count > 0 then
    core.set_bytes(made, type(source) == "string" and source or address_of(source) + offset, offset)
  end
  return made
end

return M

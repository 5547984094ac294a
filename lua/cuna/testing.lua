--- Assertions about arrays for tests, after numpy.testing.
--
-- Every operand becomes a flat list of Lua values with a shape and a name for its type; what differs is then found by
-- plain loops here, so that a fault of the library under test cannot hide itself. Each assertion has a twin named
-- `why_not_...` that returns nil or the message, for other test frameworks to build on.
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"
local shapes = require "cuna.base.shapes"

local M = {}

local fail = check.fail
local MOST_AXES = 32
local SHOWN = 5 -- differing positions that a message lists
local complex_float, complex_double = ffi.typeof "complex float", ffi.typeof "complex double"
local int64, uint64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"

local function is_complex(v)
  return ffi.istype(complex_double, v) or ffi.istype(complex_float, v)
end

local function is_integer_cdata(v)
  return ffi.istype(int64, v) or ffi.istype(uint64, v)
end

local function is_element(v)
  local kind = type(v)
  return kind == "number" or kind == "boolean" or kind == "cdata" and (is_complex(v) or is_integer_cdata(v))
end

local function position_text(position)
  return "[" .. table.concat(position, ", ") .. "]"
end

local function same_shape(a, b)
  if #a ~= #b then return false end
  for i = 1, #a do
    if a[i] ~= b[i] then return false end
  end
  return true
end

--- The shape that the first elements of a nested table suggest; flatten finds out whether the rest agrees.
local function table_shape(value)
  local shape = {}
  while type(value) == "table" do
    shape[#shape + 1] = #value
    value = value[1]
  end
  return shape
end

local function check_leaf(value, path, where)
  if is_element(value) then return end
  local got = value == nil and "nothing" or type(value) == "table" and "a table" or "a " .. type(value)
  fail("%s: got %s at %s, where a number or boolean belongs", where, got, position_text(path))
end

--- Appends the elements of a nested table to `flat`; `path` is the position of `value`. Ragged tables are errors.
local function flatten(flat, value, shape, path, where)
  local depth = #path + 1
  if depth > #shape then
    check_leaf(value, path, where)
    flat[#flat + 1] = value
    return
  end
  if type(value) ~= "table" or #value ~= shape[depth] then
    fail("%s: ragged table: %s has %s, its neighbours have length %d", where, position_text(path),
      type(value) == "table" and "length " .. #value or "no length", shape[depth])
  end
  for i = 1, shape[depth] do
    path[depth] = i
    flatten(flat, value[i], shape, path, where)
  end
  path[depth] = nil
end

--- A nested table with the arrays in it replaced by their elements.
local function without_arrays(value, where, depth)
  if core.is_array(value) then return value:totable() end
  if type(value) ~= "table" then return value end
  if depth == MOST_AXES then fail("%s: a table is nested deeper than an array has axes (%d)", where, MOST_AXES) end
  local plain = {}
  for k, v in pairs(value) do plain[k] = without_arrays(v, where, depth + 1) end
  return plain
end

--- An operand as { values, shape, kind }; `where` names it in errors.
local function read(x, where)
  if is_element(x) then
    return { values = { x }, shape = {}, kind = type(x) == "cdata" and tostring(ffi.typeof(x)) or type(x) }
  end
  local array = core.is_array(x)
  if not array and type(x) ~= "table" then
    fail("%s: expected an array, a table or a number, got a %s", where, type(x))
  end
  local plain = without_arrays(x, where, 0)
  local shape = array and x.shape or table_shape(plain)
  local values = {}
  flatten(values, plain, shape, {}, where)
  return { values = values, shape = shape, kind = array and x.dtype or "table" }
end

local function unsigned_equal(u, v)
  if ffi.istype(uint64, v) then return u == v end
  if ffi.istype(int64, v) then return v >= 0 and u == ffi.cast(uint64, v) end
  return v >= 0 and v < 2 ^ 64 and v % 1 == 0 and u == ffi.cast(uint64, v)
end

--- int64 beside a number or another int64; LuaJIT's own == would cut the number to an integer first.
local function signed_equal(i, v)
  if ffi.istype(int64, v) then return i == v end
  return v >= -2 ^ 63 and v < 2 ^ 63 and v % 1 == 0 and i == ffi.cast(int64, v)
end

local function real_equal(a, b)
  if ffi.istype(uint64, a) then return unsigned_equal(a, b) end
  if ffi.istype(uint64, b) then return unsigned_equal(b, a) end
  if ffi.istype(int64, a) then return signed_equal(a, b) end
  if ffi.istype(int64, b) then return signed_equal(b, a) end
  return a == b
end

local function as_number(v)
  if v == true then return 1 end
  if v == false then return 0 end
  return v
end

local function parts(v)
  if is_complex(v) then return tonumber(v.re), tonumber(v.im) end
  return tonumber(v), 0
end

local function equal(a, b)
  if is_complex(a) or is_complex(b) then
    local a_re, a_im = parts(a)
    local b_re, b_im = parts(b)
    return a_re == b_re and a_im == b_im
  end
  return real_equal(a, b)
end

local function is_nan(v)
  local re, im = parts(v)
  return re ~= re or im ~= im
end

local function magnitude(re, im)
  if im == 0 then return math.abs(re) end
  local large, small = math.max(math.abs(re), math.abs(im)), math.min(math.abs(re), math.abs(im))
  if large == math.huge then return large end
  return large * math.sqrt(1 + (small / large) ^ 2)
end

--- |a - b|, exact for 64-bit integers where a double would round both to the same value.
local function distance(a, b)
  if is_integer_cdata(a) and is_integer_cdata(b) and ffi.typeof(a) == ffi.typeof(b) then
    return tonumber(ffi.cast(uint64, a > b and a - b or b - a))
  end
  local a_re, a_im = parts(a)
  local b_re, b_im = parts(b)
  return magnitude(a_re - b_re, a_im - b_im)
end

local function element_text(v)
  if type(v) ~= "number" then return tostring(v) end
  for digits = 6, 17 do
    local text = ("%%.%dg"):format(digits):format(v)
    if tonumber(text) == v then return text end
  end
  return tostring(v)
end

--- The position, counted from 1, of the k-th (from 0) element in row-major order.
local function position(k, shape)
  local result = {}
  for i = #shape, 1, -1 do
    local length = tonumber(shape[i])
    result[i] = k % length + 1
    k = math.floor(k / length)
  end
  return result
end

--- Records the greatest value and its position. NaN (of inf - inf, for example) is not a difference.
local function keep_greatest(greatest, value, k)
  if value == value and (not greatest.value or value > greatest.value) then greatest.value, greatest.k = value, k end
end

--- Compares element by element; returns the differing places (the first few), their count and the greatest differences.
local function differences(actual, expected, is_close)
  local result = { count = 0, first = {}, absolute = {}, relative = {} }
  local a_step, e_step = #actual.shape > 0 and 1 or 0, #expected.shape > 0 and 1 or 0
  result.shape = a_step == 1 and actual.shape or expected.shape
  result.size = math.max(#actual.values * a_step, #expected.values * e_step, 1 - a_step - e_step)
  for k = 0, result.size - 1 do
    local a, e = actual.values[k * a_step + 1], expected.values[k * e_step + 1]
    local a_value, e_value = as_number(a), as_number(e)
    if not is_close(a_value, e_value) then
      result.count = result.count + 1
      if result.count <= SHOWN then result.first[result.count] = { k = k, actual = a, expected = e } end
      local apart, size = distance(a_value, e_value), magnitude(parts(e_value))
      keep_greatest(result.absolute, apart, k)
      if size > 0 then keep_greatest(result.relative, apart / size, k) end
    end
  end
  return result
end

local function greatest_text(what, greatest, shape)
  if not greatest.value then return what .. " none" end
  return ("%s %.6g at %s"):format(what, greatest.value, position_text(position(greatest.k, shape)))
end

local function difference_message(name, detail, actual, expected, found)
  local lines = {
    ("%s: %d of %d elements differ (%.3g%%)%s"):format(name, found.count, found.size,
      100 * found.count / found.size, detail),
    ("  actual is %s %s, expected is %s %s"):format(actual.kind, shapes.text(actual.shape), expected.kind,
      shapes.text(expected.shape)),
    "  " .. greatest_text("greatest absolute difference", found.absolute, found.shape),
    "  " .. greatest_text("greatest relative difference", found.relative, found.shape),
  }
  for _, place in ipairs(found.first) do
    lines[#lines + 1] = ("  at %s actual %s, expected %s"):format(position_text(position(place.k, found.shape)),
      element_text(place.actual), element_text(place.expected))
  end
  if found.count > SHOWN then lines[#lines + 1] = ("  ... and %d more"):format(found.count - SHOWN) end
  return table.concat(lines, "\n")
end

local function compare(name, detail, actual, expected, is_close)
  actual, expected = read(actual, name .. ": actual"), read(expected, name .. ": expected")
  if #actual.shape > 0 and #expected.shape > 0 and not same_shape(actual.shape, expected.shape) then
    return ("%s: shapes differ: actual is %s %s, expected is %s %s"):format(name, actual.kind,
      shapes.text(actual.shape), expected.kind, shapes.text(expected.shape))
  end
  local found = differences(actual, expected, is_close)
  if found.count > 0 then return difference_message(name, detail, actual, expected, found) end
end

local OPTIONS = { rtol = 1e-7, atol = 0, equal_nan = true }

local function check_options(options)
  local result = {}
  if options ~= nil and type(options) ~= "table" then
    fail("assert_allclose: options are a table such as {rtol = 1e-5}, got %s", check.show(options))
  end
  for key, value in pairs(OPTIONS) do result[key] = value end
  for key, value in pairs(options or {}) do
    if OPTIONS[key] == nil then
      fail("assert_allclose: unknown option '%s'; known are rtol, atol, equal_nan", tostring(key))
    elseif type(value) ~= type(OPTIONS[key]) then
      fail("assert_allclose: %s is a %s, got %s", key, type(OPTIONS[key]), check.show(value))
    end
    result[key] = value
  end
  return result
end

--- Why actual and expected are not close: nil when they are, else the message of assert_allclose.
---@param actual cuna.Operand
---@param expected cuna.Operand
---@param options table|nil {rtol = 1e-7, atol = 0, equal_nan = true}
---@return string|nil
---@usage cn.testing.why_not_allclose({1, 2}, {1, 2 + 1e-9}) == nil --> true
function M.why_not_allclose(actual, expected, options)
  local o = check_options(options)
  local detail = (", rtol=%g, atol=%g"):format(o.rtol, o.atol)
  return compare("assert_allclose", detail, actual, expected, function(a, e)
    if equal(a, e) then return true end
    if is_nan(a) or is_nan(e) then return o.equal_nan and is_nan(a) and is_nan(e) end
    local apart, size = distance(a, e), magnitude(parts(e))
    return apart < math.huge and size < math.huge and apart <= o.atol + o.rtol * size
  end)
end

--- Why actual and expected are not equal: nil when they are, else the message of assert_array_equal.
---@param actual cuna.Operand
---@param expected cuna.Operand
---@return string|nil
---@usage cn.testing.why_not_array_equal({1, 2}, {1, 2}) == nil --> true
function M.why_not_array_equal(actual, expected)
  return compare("assert_array_equal", "", actual, expected, function(a, e)
    return equal(a, e) or is_nan(a) and is_nan(e)
  end)
end

--- Why x does not have a shape: nil when it has, else the message of assert_shape.
---@param x cuna.Operand
---@param ... integer|integer[] the shape, as numbers or one table
---@return string|nil
---@usage cn.testing.why_not_shape(cn.zeros {2, 3}, 2, 3) == nil --> true
function M.why_not_shape(x, ...)
  local wanted = { ... }
  if type(wanted[1]) == "table" then wanted = wanted[1] end
  check.lengths(wanted, "assert_shape", "the shape")
  local got = core.is_array(x) and x.shape or read(x, "assert_shape").shape
  if not same_shape(got, wanted) then
    return ("assert_shape: shape is %s, expected %s"):format(shapes.text(got), shapes.text(wanted))
  end
end

--- Raises the message, or an error met on the way, at the line that called the assertion.
local function assert_with(explain, ...)
  local ok, message = pcall(explain, ...)
  local placed = not ok and type(message) == "string" and message:find "^[^\n]-:%d+: cuna: " -- cuna's own errors are
  if not ok or message then error(message, placed and 0 or 3) end
end

--- Raises unless |actual - expected| <= atol + rtol * |expected| for every element. Shapes must be equal, unless one
--- operand is a single number; infinities must be equal; NaN equals NaN unless `equal_nan` is false.
--- Follows numpy.testing.assert_allclose.
---@param actual any array on any device, nested table, number or boolean
---@param expected any the same
---@param options? { rtol?: number, atol?: number, equal_nan?: boolean } default 1e-7, 0, true
---@usage cn.testing.assert_allclose(cn.sqrt(cn.array{4, 9}), {2, 3}) -->
function M.assert_allclose(actual, expected, options)
  assert_with(M.why_not_allclose, actual, expected, options)
end

--- Raises unless all elements are equal (NaN equals NaN, 64-bit integers compare exactly) and so are the shapes, unless
--- one operand is a single number. Follows numpy.testing.assert_array_equal.
---@param actual any array on any device, nested table, number or boolean
---@param expected any the same
---@usage cn.testing.assert_array_equal(cn.arange(3), {0, 1, 2}) -->
function M.assert_array_equal(actual, expected)
  assert_with(M.why_not_array_equal, actual, expected)
end

--- Raises unless x has the given shape.
---@param x any array, nested table or number
---@param ... any the lengths, or one table of them
---@usage cn.testing.assert_shape(cn.zeros({3, 4}), 3, 4) -->
function M.assert_shape(x, ...)
  assert_with(M.why_not_shape, x, ...)
end

return M

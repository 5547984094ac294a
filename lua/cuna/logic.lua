--- logic.lua: comparing arrays: isclose, allclose, array_equal and similar functions.
--
-- Closeness is one program, mapped (isclose) or folded in the same pass (allclose), so allclose needs no temporary
-- array of the arrays' size.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local close_rows = elementwise.functions.isclose

-- ---- closeness ----

local CLOSE = "isclose(a, b, c, d)"
local CLOSE_OR_NAN = CLOSE .. " | (isnan(a) & isnan(b))"

local function draw_closeness(draft, a, b, dtype, expr, folds)
  local test = folds and "uint8" or "bool"
  local values = {draft:input(a), draft:input(b), draft:input("float64", "scalar"), draft:input("float64", "scalar")}
  draft:step("close", expr, test, values, {dtype, dtype, "float64", "float64"})
  draft.output = "bool"
  if folds then draft.reducer, draft.accumulator = reducers.row("all", test), test end
end

--- A program that tests in `dtype` whether elements are close; the last inputs are rtol and atol.
local function closeness(a, b, dtype, expr, folds)
  local key = table.concat({a, b, dtype, expr, folds and "all" or "each"}, " ")
  return program.get(key, draw_closeness, a, b, dtype, expr, folds)
end

--- Two arrays, the dtype in which they are compared, tolerances and the expression.
local function open(name, a, b, rtol, atol, equal_nan)
  local list, dtype = operands.common({a, b}, core.device_of(a, b), name)
  if #list < 2 then fail("%s: takes two arrays", name) end
  if type(a) == "boolean" or type(b) == "boolean" then check.array(type(a) == "boolean" and a or b, name) end
  if not reducers.is_inexact(dtype) then dtype = dtype_rules.default_dtype() end
  rtol = check.number(rtol == nil and 1e-5 or rtol, name, "rtol")
  atol = check.number(atol == nil and 1e-8 or atol, name, "atol")
  equal_nan = check.boolean(equal_nan, false, name, "equal_nan")
  return list[1], list[2], dtype, rtol, atol, equal_nan and CLOSE_OR_NAN or CLOSE
end

local read_isclose = args.reader("isclose", {"a", "b", "rtol", "atol", "equal_nan", "out"}, 2)

--- Where |a - b| <= atol + rtol |b|; infinities are close to themselves. Arrays broadcast; integers are compared in the
--- default float dtype. Follows numpy.isclose.
---@param a cuna.Operand
---@param b cuna.Operand
---@param rtol number|nil default 1e-5
---@param atol number|nil default 1e-8
---@param equal_nan boolean|nil true lets NaN be close to NaN
---@param out cuna.Array|nil of bool
---@return cuna.Array bool
---@usage cn.isclose({1, 2, cn.inf}, {1 + 1e-9, 2.1, cn.inf}) --> [ True False True]
---@usage cn.isclose({100, cn.nan}, {101, cn.nan}, {rtol = 0.1, equal_nan = true}) --> [ True True]
function F.isclose(...)
  local a, b, rtol, atol, equal_nan, out = read_isclose(...)
  if rtol == nil and atol == nil and equal_nan == nil then return close_rows(a, b, {out = out}) end
  local dtype, expr
  a, b, dtype, rtol, atol, expr = open("isclose", a, b, rtol, atol, equal_nan)
  if out ~= nil and not (core.is_array(out) and out.dtype == "bool") then
    fail("isclose: out: expected an array of bool, got %s", core.is_array(out) and out.dtype or check.show(out))
  end
  return core.map(closeness(a.dtype, b.dtype, dtype, expr), "isclose", nil, out, a, b, rtol, atol)
end

local read_allclose = args.reader("allclose", {"a", "b", "rtol", "atol", "equal_nan"}, 2)

--- Whether all elements are close, by cn.isclose. The result is a Lua boolean, so the call synchronises. Follows
--- numpy.allclose.
---@param a cuna.Operand
---@param b cuna.Operand
---@param rtol number|nil default 1e-5
---@param atol number|nil default 1e-8
---@param equal_nan boolean|nil true lets NaN be close to NaN
---@return boolean
---@usage cn.allclose({1, 2}, {1, 2 + 1e-9}), cn.allclose({1, 2}, {1, 2.1}) --> true, false
function F.allclose(...)
  local dtype, expr
  local a, b, rtol, atol, equal_nan = read_allclose(...)
  a, b, dtype, rtol, atol, expr = open("allclose", a, b, rtol, atol, equal_nan)
  if not check.broadcast(a.shape, b.shape) then
    fail("allclose: shapes %s and %s do not broadcast", tostring(a.shape), tostring(b.shape))
  end
  core.check_waiting "allclose"
  local made = closeness(a.dtype, b.dtype, dtype, expr, true)
  local axes = 2 ^ math.max(a.ndim, b.ndim) - 1
  return core.reduce(made, "allclose", axes, false, 0, nil, a, b, rtol, atol):item()
end

-- ---- arrays as wholes ----

--- Whether two arrays have the same shape and elements.
function M.is_equal(a, b, equal_nan, name)
  local device = core.device_of(a, b)
  a, b = check.array(a, name, device), check.array(b, name, device)
  check.same_device(a, b, name)
  if a.shape ~= b.shape then return false end
  core.check_waiting(name)
  local equal, isnan = elementwise.functions.equal(a, b), elementwise.functions.isnan
  if check.boolean(equal_nan, false, name, "equal_nan") then
    equal = equal:logical_or(isnan(a):logical_and(isnan(b)))
  end
  return reduce.functions.all(equal)
end

local read_array_equal = args.reader("array_equal", {"a", "b", "equal_nan"}, 2)

--- Whether two arrays have the same shape and elements; dtypes do not matter. Synchronises. Follows numpy.array_equal.
---@param a cuna.Operand
---@param b cuna.Operand
---@param equal_nan boolean|nil true lets NaN equal NaN
---@return boolean
---@usage cn.array_equal({1, cn.nan}, {1, cn.nan}, {equal_nan = true}) --> true
function F.array_equal(...)
  local a, b, equal_nan = read_array_equal(...)
  return M.is_equal(a, b, equal_nan, "array_equal")
end

--- Whether two arrays broadcast, and are equal then. It decides, hence a Lua boolean, and synchronises. Follows
--- numpy.array_equiv.
---@param a cuna.Operand
---@param b cuna.Operand
---@return boolean
---@usage cn.array_equiv({1, 2}, {{1, 2}, {1, 2}}), cn.array_equiv({1, 2}, {1, 2, 3}) --> true, false
function F.array_equiv(a, b)
  local device = core.device_of(a, b)
  a, b = check.array(a, "array_equiv", device), check.array(b, "array_equiv", device)
  check.same_device(a, b, "array_equiv")
  core.check_waiting "array_equiv"
  return check.broadcast(a.shape, b.shape) ~= nil and reduce.functions.all(elementwise.functions.equal(a, b))
end

local function is_complex(x, name) return check.array(x, name).dtype:find "^complex" ~= nil end

--- Whether x is not of a complex dtype; cn.isreal tests each element. Follows numpy.isrealobj.
---@param x cuna.Operand
---@return boolean
---@usage cn.isrealobj({1, 2}), cn.isrealobj(cn.zeros(2, "complex64")) --> true, false
function F.isrealobj(x) return not is_complex(x, "isrealobj") end

--- Whether x is of a complex dtype; cn.iscomplex tests each element. Follows numpy.iscomplexobj.
---@param x cuna.Operand
---@return boolean
---@usage cn.iscomplexobj(cn.zeros(2, "complex64")) --> true
function F.iscomplexobj(x) return is_complex(x, "iscomplexobj") end

--- Whether a value is a number, a boolean or a string, and no array, not even a 0-d one. Follows numpy.isscalar.
---@param value any
---@return boolean
---@usage cn.isscalar(3.1), cn.isscalar(cn.scalar(3.1)) --> true, false
function F.isscalar(value)
  return type(value) == "string" or not core.is_array(value) and core.number_kind(value) ~= nil
end

args.bound(F, {array_equiv = "a b", isrealobj = "x", iscomplexobj = "x"})

return M

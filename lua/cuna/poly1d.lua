--- poly1d.lua: polynomials as values that are called, added, multiplied and printed.
--
-- A polynomial holds its coefficients without leading zeros, so making one waits for them; what is computed of it is in
-- polynomial.lua.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local edit = require "cuna.edit"
local elementwise = require "cuna.elementwise"
local polynomial = require "cuna.polynomial"

local M = {functions = {}}
local F, methods = M.functions, {}

local fail = check.fail
local P = polynomial.functions
local meta = {}

--- A polynomial in one variable.
---@class cuna.Poly1d
---@field coeffs cuna.Array 1-d, from the highest power down to the constant, at least one
---@field order integer the highest power
---@field roots cuna.Array what cn.roots returns
---@field variable string its name in print

local function is_poly(value) return getmetatable(value) == meta end

--- A polynomial of coefficients, whose leading zeros go.
local function made(coefficients, variable, name)
  coefficients = check.array(coefficients, name)
  if coefficients.ndim == 0 then coefficients = core.reshape(coefficients, 1, name) end
  if coefficients.ndim ~= 1 then
    fail("%s: coefficients have one axis, got shape %s", name, tostring(coefficients.shape))
  end
  local kept = edit.functions.trim_zeros(coefficients, "f")
  if kept.size == 0 then kept = core.fill(core.empty({1}, kept.dtype, kept.device, name), 0, name) end
  return setmetatable({coeffs = kept, order = kept.size - 1, variable = variable}, meta)
end

local read = args.reader("poly1d", {"c_or_r", "r", "variable"})

--- A polynomial of its coefficients, or of its roots. It can be called at points, added to, subtracted from and
--- multiplied with polynomials, arrays of coefficients and numbers, raised to whole powers, compared, and printed; p[k]
--- is the coefficient of the k-th power. Leading zeros go, so that it waits for the coefficients. Follows numpy.poly1d,
--- but for division.
---@param c_or_r cuna.Operand coefficients, from the highest power down, or roots
---@param r boolean|nil whether they are roots; default false
---@param variable string|nil its name in print; default "x"
---@return cuna.Poly1d
---@usage cn.poly1d({1, 2, 3}) --> 1 x^2 + 2 x + 3
---@usage cn.poly1d({1, 2, 3})(10) --> 123.0
---@usage cn.poly1d({1, 2}, {r = true}) --> 1 x^2 - 3 x + 2
---@usage cn.poly1d({1, 1}) ^ 3, cn.poly1d({1, 2, 3})[2] --> 1 x^3 + 3 x^2 + 3 x + 1, 1
function F.poly1d(...)
  local coefficients, r, variable = read(...)
  variable = variable == nil and "x" or variable
  if type(variable) ~= "string" then fail("poly1d: variable is a string, got a %s", type(variable)) end
  if is_poly(coefficients) then coefficients = coefficients.coeffs end
  if check.boolean(r, false, "poly1d", "r") then coefficients = P.poly(coefficients) end
  return made(coefficients, variable, "poly1d")
end

-- ---- arithmetic ----

local function coefficients_of(value) return is_poly(value) and value.coeffs or value end

--- The operator that does fn with the coefficients of both operands.
local function operator(name, fn)
  return function(a, b)
    return made(fn(coefficients_of(a), coefficients_of(b)), (is_poly(a) and a or b).variable, name)
  end
end

meta.__add = operator("polyadd", P.polyadd)
meta.__sub = operator("polysub", P.polysub)
meta.__mul = operator("polymul", P.polymul)

function meta.__unm(p) return made(elementwise.functions.negative(p.coeffs), p.variable, "poly1d") end

function meta.__pow(p, power)
  if type(power) ~= "number" or power < 0 or power % 1 ~= 0 then
    fail("poly1d: powers are whole numbers from 0, got %s", tostring(power))
  end
  local result = made(1, p.variable, "poly1d")
  for _ = 1, power do result = result * p end
  return result
end

function meta.__eq(a, b) return a.coeffs:array_equal(b.coeffs) end

function meta.__call(p, x)
  if is_poly(x) then -- Horner's steps between polynomials
    local result = made(0, p.variable, "poly1d")
    for power = p.order, 0, -1 do result = result * x + p[power] end
    return result
  end
  return P.polyval(p.coeffs, x)
end

function meta.__index(p, key)
  if key == "roots" then return P.roots(p.coeffs) end
  if type(key) ~= "number" then
    return methods[key] or fail("poly1d: a polynomial has coeffs, order, roots, variable, deriv and integ, not '%s'",
      tostring(key))
  end
  if key % 1 ~= 0 or key < 0 then fail("poly1d: coefficients are those of powers from 0, got %s", tostring(key)) end
  return key > p.order and 0 or p.coeffs[p.order - key + 1]
end

function meta.__newindex(_, key) fail("poly1d: polynomials do not change; '%s' cannot be set", tostring(key)) end

-- ---- calculus ----

local function check_self(p, name)
  if not is_poly(p) then fail("%s: a polynomial's function is called with a colon: p:%s()", name, name) end
end

--- The derivative, or the m-th one. Follows numpy.poly1d.deriv.
---@param m integer|nil default 1
---@return cuna.Poly1d
---@usage cn.poly1d({1, 2, 3}):deriv() --> 2 x + 2
function methods.deriv(p, m)
  check_self(p, "deriv")
  return made(P.polyder(p.coeffs, m), p.variable, "deriv")
end

--- The integral, or the m-th one. Follows numpy.poly1d.integ.
---@param m integer|nil default 1
---@param k number|number[]|nil its constants; default 0
---@return cuna.Poly1d
---@usage cn.poly1d({2, 2}):integ(1, 5) --> 1 x^2 + 2 x + 5
function methods.integ(p, m, k)
  check_self(p, "integ")
  return made(P.polyint(p.coeffs, m, k), p.variable, "integ")
end

-- ---- text ----

local function power_text(variable, power)
  if power == 0 then return "" end
  return " " .. variable .. (power > 1 and "^" .. power or "")
end

--- The terms that are not 0, from the highest power; real ones with their signs between them.
function meta.__tostring(p)
  local parts = {}
  for k, value in ipairs(p.coeffs:totable()) do
    local is_real = type(value) == "number"
    local size = is_real and ("%.6g"):format(math.abs(value)) or "(" .. tostring(value) .. ")"
    if is_real and value ~= 0 or not is_real and (value.re ~= 0 or value.im ~= 0) then
      local sign = is_real and value < 0 and "-" or "+"
      parts[#parts + 1] = #parts == 0 and (sign == "-" and "-" or "") or " " .. sign .. " "
      parts[#parts + 1] = size .. power_text(p.variable, p.order - k + 1)
    end
  end
  return #parts > 0 and table.concat(parts) or "0"
end

return M

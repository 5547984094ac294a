--- polynomial.lua: polynomials as 1-d arrays of coefficients, from the highest power down to the constant.
--
-- Nothing here looks at coefficients: leading zeros stay. Evaluation runs Horner's steps in programs that take several
-- coefficients each, so that x is read once for a dozen of them; a product is a convolution.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local formula = require "cuna.base.formula"
local join = require "cuna.join"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local E = elementwise.functions

-- ---- coefficients ----

local function coefficients(p, name, device)
  p = check.array(p, name, device)
  if p.ndim == 0 then p = core.reshape(p, 1, name) end
  if p.ndim ~= 1 then fail("%s: coefficients have one axis, got shape %s", name, tostring(p.shape)) end
  return p
end

--- Two polynomials on one device.
local function pair(a, b, name)
  local device = core.device_of(a, b)
  a, b = coefficients(a, name, device), coefficients(b, name, device)
  check.same_device(a, b, name)
  return a, b
end

-- ---- values ----

local MOST = 13 -- coefficients that one program takes

local function draw(draft, x, p, dtype, count)
  local point, value = draft:input(x), draft:input(dtype)
  for _ = 1, count do draft:input(p) end
  local expr = dtype == "bool" and "(a & b) | c" or "wrap_add(wrap_mul(a, b), c)"
  for k = 1, count do value = draft:step("horner", expr, dtype, {value, point, 2 + k}) end
  draft.output = dtype
end

--- A program of Horner's steps: of the points, the value until now, and coefficients.
local function stepper(x, p, dtype, count)
  return program.get(table.concat({x, p, dtype, count}, " "), draw, x, p, dtype, count)
end

--- The polynomial's values at the points. Follows numpy.polyval.
---@param p cuna.Operand coefficients, from the highest power down
---@param x cuna.Operand points, of any shape
---@return cuna.Array of x's shape
---@usage cn.polyval({3, 0, 1}, 5) --> 76.0
---@usage cn.polyval({1, -1}, {{1, 2}, {3, 4}}) --> [[0. 1.] [2. 3.]]
function F.polyval(p, x)
  local name = "polyval"
  local device = core.device_of(p, x)
  p, x = coefficients(p, name, device), check.array(x, name, device)
  check.same_device(p, x, name)
  local dtype = core.promote(p.dtype, x.dtype)
  local value = core.fill(core.empty({}, dtype, x.device, name), 0, name)
  if p.size == 0 then return core.fill(core.empty_like(x, dtype, name), 0, name) end
  for first = 1, p.size, MOST do
    local last, views = math.min(first + MOST - 1, p.size), {}
    for k = first, last do views[#views + 1] = slices.at(p, 1, k) end
    value = core.map(stepper(x.dtype, p.dtype, dtype, #views), name, nil, nil, x, value, unpack(views))
  end
  return value
end

-- ---- arithmetic ----

--- a + b or a - b, the constants beside each other.
local function summed(name, a, b, operation)
  a, b = pair(a, b, name)
  local dtype = core.promote(a.dtype, b.dtype)
  local size, shared = math.max(a.size, b.size), math.min(a.size, b.size)
  if a.size == b.size then return operation(a, b) end
  local out = core.empty({size}, dtype, a.device, name)
  local zero = core.fill(core.empty({}, dtype, a.device, name), 0, name)
  local own = a.size == size and a or zero
  local other = b.size == size and b or zero
  local head = {{1, size - shared}}
  operation(a.size == size and own[head] or own, b.size == size and other[head] or other, {out = out[head]})
  if shared > 0 then operation(a[{{-shared, -1}}], b[{{-shared, -1}}], {out = out[{{-shared, -1}}]}) end
  return out
end

--- The sum of two polynomials. Follows numpy.polyadd.
---@param a cuna.Operand coefficients, from the highest power down
---@param b cuna.Operand
---@return cuna.Array as long as the longer one
---@usage cn.polyadd({1, 2}, {9, 5, 4}) --> [9. 6. 6.]
function F.polyadd(a, b) return summed("polyadd", a, b, E.add) end

--- The difference of two polynomials. Follows numpy.polysub.
---@param a cuna.Operand coefficients, from the highest power down
---@param b cuna.Operand
---@return cuna.Array as long as the longer one
---@usage cn.polysub({2, 10, -2}, {10, 4}) --> [ 2. 0. -6.]
function F.polysub(a, b) return summed("polysub", a, b, E.subtract) end

--- The product of two polynomials. Follows numpy.polymul, but that leading zeros stay.
---@param a cuna.Operand coefficients, from the highest power down
---@param b cuna.Operand
---@return cuna.Array one shorter than both together
---@usage cn.polymul({1, 2, 3}, {9, 5, 1}) --> [ 9. 23. 38. 17. 3.]
function F.polymul(a, b)
  local name = "polymul"
  a, b = pair(a, b, name)
  if a.size == 0 or b.size == 0 then fail("%s: a polynomial has at least one coefficient", name) end
  return require("cuna.convolve").functions.convolve(a, b)
end

--- A remainder without leading zeros.
local function trimmed(rest, name)
  local sizes, first = core.elements(E.absolute(rest), name), 1
  while first < #sizes and sizes[first] <= 1e-14 do first = first + 1 end
  return rest[{{first, -1}}]:copy()
end

--- Long division of polynomials. Waits for the coefficients. Follows numpy.polydiv.
---@param u cuna.Operand coefficients of the dividend, from the highest power down
---@param v cuna.Operand those of the divisor, of which the first one is not 0
---@return cuna.Array quotient
---@return cuna.Array remainder without leading zeros
---@usage cn.polydiv({3, 5, 2}, {2, 1}) --> [1.5  1.75], [0.25]
function F.polydiv(u, v)
  local name = "polydiv"
  u, v = pair(u, v, name)
  core.check_waiting(name)
  if u.size == 0 or v.size == 0 then fail("%s: a polynomial has at least one coefficient", name) end
  if core.elements(E.absolute(v[{{1, 1}}]), name)[1] == 0 then
    fail("%s: the first coefficient of the divisor is 0", name)
  end
  local dtype = E.divide(u[{{1, 0}}], v[{{1, 0}}]).dtype
  local rest, count, length = core.cast(u, dtype, name), u.size - v.size + 1, v.size
  if count < 1 then return core.fill(core.empty({1}, dtype, u.device, name), 0, name), trimmed(rest, name) end
  local quotient = core.empty({count}, dtype, u.device, name)
  for i = 1, count do
    local factor = E.divide(rest[{{i, i}}], v[{{1, 1}}])
    quotient[{{i, i}}] = factor
    rest[{{i, i + length - 1}}] = E.subtract(rest[{{i, i + length - 1}}], E.multiply(factor, v))
  end
  if length == 1 then return quotient, core.fill(core.empty({1}, dtype, u.device, name), 0, name) end
  return quotient, trimmed(rest[{{count + 1, -1}}], name)
end

-- ---- calculus ----

local MOST_INTEGRALS = 1000 -- far beyond where coefficients of floats are all 0

local function order_of(m, name) return m == nil and 1 or check.count(m, name, "m") end

--- The numbers first, first + step, ... in a dtype.
local function line(first, step, count, dtype, device, name)
  return formula.make(name, count, dtype, device, "b + c * a", "float64", first, step)
end

local read_polyder = args.reader("polyder", {"p", "m"})

--- The polynomial's m-th derivative. Follows numpy.polyder.
---@param p cuna.Operand coefficients, from the highest power down
---@param m integer|nil default 1
---@return cuna.Array m shorter; empty where nothing is left
---@usage cn.polyder({1, 1, 1, 1}) --> [3. 2. 1.]
function F.polyder(...)
  local p, m = read_polyder(...)
  p = coefficients(p, "polyder")
  for _ = 1, math.min(order_of(m, "polyder"), p.size) do
    local count = math.max(p.size - 1, 0)
    local upper = core.view(p, {count}, {p.strides[1] / p.itemsize}, 0)
    p = E.multiply(upper, line(count, -1, count, "int64", p.device, "polyder"))
  end
  return p
end

local read_polyint = args.reader("polyint", {"p", "m", "k"})

--- The constants of integration: one for each, or one for all.
local function constants(k, m, name)
  if k == nil then k = 0 end
  local list = {}
  for i = 1, m do
    list[i] = type(k) == "table" and (#k == 1 and k[1] or k[i]) or k
    if type(k) == "table" and #k ~= 1 and #k ~= m then
      fail("%s: %d constants for %d integrations; give one for all, or one for each", name, #k, m)
    end
    list[i] = check.number(list[i], name, "k")
  end
  return list
end

--- The polynomial's m-th integral. Follows numpy.polyint.
---@param p cuna.Operand coefficients, from the highest power down
---@param m integer|nil at most 1000, default 1
---@param k number|number[]|nil constants of integration, in the order of the integrations; default 0
---@return cuna.Array m longer
---@usage cn.polyint({6, 4, 2}, {k = 1}) --> [2. 2. 2. 1.]
function F.polyint(...)
  local p, m, k = read_polyint(...)
  local name = "polyint"
  p, m = coefficients(p, name), check.few(order_of(m, name), MOST_INTEGRALS, name, "m")
  for _, constant in ipairs(constants(k, m, name)) do
    local divided = E.divide(p, line(p.size, -1, p.size, "int64", p.device, name))
    local last = core.fill(core.empty({1}, divided.dtype, p.device, name), constant, name)
    p = join.functions.concatenate {divided, last}
  end
  return p
end

-- ---- from roots, and of powers ----

--- The coefficients without their imaginary parts, where the roots come in conjugate pairs.
local function real_if_paired(result, roots)
  core.check_waiting "poly"
  local sort = require("cuna.sort").functions.sort
  local paired = reduce.functions.all(E.equal(sort(roots), sort(E.conj(roots))))
  return paired and core.cast(result.real, nil, "poly") or result
end

--- The polynomial with given roots, whose highest power has the coefficient 1; of a square matrix the characteristic
--- one, whose roots are its eigenvalues. Complex roots in conjugate pairs give real coefficients, which waits for them,
--- and so does a matrix. Follows numpy.poly, but that float32 stays so.
---@param roots cuna.Operand 1-d, or a square matrix
---@return cuna.Array one longer
---@usage cn.poly {0, 1, -1} --> [ 1. 0. -1. 0.]
---@usage cn.poly {{2, 1}, {0, 3}} --> [ 1. -5. 6.]
function F.poly(roots)
  local name = "poly"
  roots = check.array(roots, name)
  if roots.ndim == 2 then roots = require("cuna.linalg.factor").eigenvalues(name, roots) end
  roots = coefficients(roots, name)
  local dtype = reducers.is_inexact(roots.dtype) and roots.dtype or dtype_rules.default_dtype()
  local result = core.fill(core.empty({roots.size + 1}, dtype, roots.device, name), 0, name)
  core.fill(result[{{1, 1}}], 1, name)
  for k = 1, roots.size do
    local behind = result[{{2, k + 1}}]
    E.subtract(behind, E.multiply(result[{{1, k}}], slices.at(roots, 1, k)), {out = behind})
  end
  return dtype:find "^complex" and real_if_paired(result, roots) or result
end

local read_vander = args.reader("vander", {"x", "n", "increasing"})

--- Powers of numbers, a row for each: from the highest down to 0. Follows numpy.vander.
---@param x cuna.Operand 1-d
---@param n integer|nil how many columns, default as many as numbers
---@param increasing boolean|nil true: from 0 up
---@return cuna.Array shape (#x, n)
---@usage cn.vander({1, 2, 3}, 3) --> [[1. 1. 1.] [4. 2. 1.] [9. 3. 1.]]
function F.vander(...)
  local x, n, increasing = read_vander(...)
  local name = "vander"
  x = check.array(x, name)
  if x.ndim ~= 1 then fail("%s: expected one axis, got shape %s", name, tostring(x.shape)) end
  n = n == nil and x.size or check.count(n, name, "n")
  local dtype = core.promote(x.dtype, "int64")
  increasing = check.boolean(increasing, false, name, "increasing")
  local powers = line(increasing and 0 or n - 1, increasing and 1 or -1, n, dtype, x.device, name)
  return E.power(core.cast(core.reshape(x, {x.size, 1}, name), dtype, name), powers)
end

--- The roots of a polynomial: eigenvalues of its companion matrix, and 0 for each trailing zero. Leading zeros count
--- for nothing; looking for both waits for the coefficients. Always complex. Follows numpy.roots.
---@param p cuna.Operand coefficients, from the highest power down
---@return cuna.Array complex, as many as the highest power
---@usage cn.roots {1, -3, 2} --> [2.+0.j 1.+0.j]
---@usage cn.roots {0, 2, 8, 0} --> [-4.+0.j 0.+0.j]
function F.roots(p)
  local name = "roots"
  p = coefficients(p, name)
  core.check_waiting(name)
  local trim = require("cuna.edit").functions.trim_zeros
  local led = trim(p, "f")
  local kept = trim(led, "b")
  local dtype = reducers.is_inexact(p.dtype) and p.dtype or dtype_rules.default_dtype()
  local order = math.max(kept.size - 1, 0)
  local matrix = core.fill(core.empty({order, order}, dtype, p.device, name), 0, name)
  if order > 1 then core.fill(core.view(matrix, {order - 1}, {order + 1}, order), 1, name) end
  if order > 0 then E.divide(E.negative(kept[{{2, -1}}]), kept[{{1, 1}}], {out = slices.at(matrix, 1, 1)}) end
  local roots = require("cuna.linalg.factor").eigenvalues(name, matrix)
  local zeros = core.fill(core.empty({led.size - kept.size}, roots.dtype, p.device, name), 0, name)
  return zeros.size == 0 and roots or join.functions.concatenate {roots, zeros}
end

args.bound(F, {roots = "p", poly = "roots", polyval = "p x", polyadd = "a b", polysub = "a b", polymul = "a b",
  polydiv = "u v"})

return M

--- forms.lua: functions of cn.special that are made of others, over arrays and over the symbols of fused functions
--- alike: each takes a table of the functions to use.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"

local M = {}

--- zeta(x, q): of one operand it is Riemann's function.
---@param rows table<string, function> the functions of rows
function M.zeta(rows)
  local hurwitz, riemann = rows.zeta, rows.riemann_zeta
  return function(x, q, ...)
    if q == nil then return riemann(x, ...) end
    if type(q) == "table" and core.is_options(q, "zeta") then return riemann(x, q, ...) end
    return hurwitz(x, q, ...)
  end
end

--- lambertw(z, k): k is 0 if it is left out.
---@param rows table<string, function> the functions of rows
function M.lambertw(rows)
  local of_branch = rows.lambertw
  return function(z, k, ...)
    if k == nil then return of_branch(z, 0, ...) end
    if type(k) == "table" and core.is_options(k, "lambertw") then return of_branch(z, 0, k, ...) end
    return of_branch(z, k, ...)
  end
end

--- spherical_jn(n, z, derivative) and its kind: the row `name`, or that of its derivative.
---@param rows table<string, function> the functions of rows
---@param name string
function M.spherical(rows, name)
  local plain, prime = rows[name], rows[name .. "_prime"]
  return function(n, z, derivative, ...)
    if type(derivative) == "table" and derivative.derivative ~= nil then
      local options = {}
      for key, value in pairs(derivative) do options[key] = value end
      options.derivative = nil
      local row = check.boolean(derivative.derivative, false, name, "derivative") and prime or plain
      if next(options) == nil then return row(n, z, ...) end
      return row(n, z, options, ...)
    end
    if type(derivative) == "boolean" then return (derivative and prime or plain)(n, z, ...) end
    return plain(n, z, derivative, ...)
  end
end

--- The most derivatives of Bessel functions, each of which has an operation more.
local MOST_DERIVATIVES = 64

--- jvp(v, z, n) and its kind: derivative n of the Bessel function of a row, by orders around v (DLMF 10.6.7, 10.29.5):
--- the sum over k of (n over k) sign^k f of v - n + 2 k, over 2^n, for kvp times (-1)^n.
---@param rows table<string, function> the functions of rows
---@param cn table<string, function> those of cuna
---@param name string
---@param of string the row
---@param sign number
function M.bessel_derivative(rows, cn, name, of, sign)
  local read = args.reader(name, {"v", "z", "n"}, 2)
  return function(...)
    local v, z, n = read(...)
    n = n == nil and 1 or check.count(n, name, "n")
    if n > MOST_DERIVATIVES then check.fail("%s: n is from 0 to %d, got %d", name, MOST_DERIVATIVES, n) end
    if n == 0 then return rows[of](v, z) end
    local factor = (of == "kv" and n % 2 == 1 and -1 or 1) / 2 ^ n
    local sum
    for k = 0, n do
      local order = type(v) == "number" and v - n + 2 * k or cn.add(v, 2 * k - n)
      local term = cn.multiply(rows[of](order, z), factor)
      sum = sum and cn.add(sum, term) or term
      factor = sign * factor * (n - k) / (k + 1)
    end
    return sum
  end
end

--- The most terms of multigammaln, each of which is an operation.
local MOST_TERMS = 65536

--- multigammaln(a, d).
---@param rows table<string, function> the functions of rows
---@param cn table<string, function> those of cuna
---@param array fun(x: any, name: string): any the operand as an array or symbol
function M.multigammaln(rows, cn, array)
  local read = args.reader("multigammaln", {"a", "d"}, 2)
  return function(...)
    local a, d = read(...)
    if type(d) ~= "number" or d < 1 or d > MOST_TERMS or d % 1 ~= 0 then
      check.fail("multigammaln: d is a whole number from 1 to %d, got %s", MOST_TERMS, check.show(d))
    end
    a = array(a, "multigammaln")
    local sum = rows.gammaln(a)
    for j = 2, d do sum = cn.add(sum, rows.gammaln(cn.subtract(a, (j - 1) / 2))) end
    sum = cn.add(sum, d * (d - 1) / 4 * math.log(math.pi))
    return cn.where(cn.greater(a, (d - 1) / 2), sum, 0 / 0)
  end
end

-- ---- exponentials over axes ----

--- The greatest element over axes, 0 where that is not finite.
local function most_of(cn, x, axis, keepdims)
  local most = cn.max(x, {axis = axis, keepdims = keepdims})
  return cn.where(cn.isfinite(most), most, 0)
end

--- x in floats, and its greatest element with the axes kept.
local function float_and_most(cn, x, axis)
  local kind = dtype_facts.kind_of[x.dtype]
  if kind ~= "f" and kind ~= "c" then x = cn.multiply(x, 1.0) end
  return x, most_of(cn, x, axis, true)
end

--- softmax(x, axis).
---@param cn table<string, function>
---@param array fun(x: any, name: string, axis: any): any the operand; checks the axes
function M.softmax(cn, array)
  local read = args.reader("softmax", {"x", "axis"})
  return function(...)
    local x, axis = read(...)
    local most
    x, most = float_and_most(cn, array(x, "softmax", axis), axis)
    local e = cn.exp(cn.subtract(x, most))
    return cn.divide(e, cn.sum(e, {axis = axis, keepdims = true}))
  end
end

--- log_softmax(x, axis); the parameters are those of M.softmax.
function M.log_softmax(cn, array)
  local read = args.reader("log_softmax", {"x", "axis"})
  return function(...)
    local x, axis = read(...)
    local most
    x, most = float_and_most(cn, array(x, "log_softmax", axis), axis)
    local beyond = cn.subtract(x, most)
    return cn.subtract(beyond, cn.log(cn.sum(cn.exp(beyond), {axis = axis, keepdims = true})))
  end
end

--- logsumexp(x, axis, b, keepdims, return_sign); the first parameters are those of M.softmax.
---@param drop (fun(x: any, axis: any): any)|nil removes axes that were kept; without it x is folded without them
function M.logsumexp(cn, array, drop)
  local read = args.reader("logsumexp", {"x", "axis", "b", "keepdims", "return_sign"})
  return function(...)
    local x, axis, b, keepdims, return_sign = read(...)
    keepdims = check.boolean(keepdims, false, "logsumexp", "keepdims")
    return_sign = check.boolean(return_sign, false, "logsumexp", "return_sign")
    x = array(x, "logsumexp", axis)
    if b ~= nil then x = cn.where(cn.equal(b, 0), -math.huge, x) end
    local most
    x, most = float_and_most(cn, x, axis)
    local e = cn.exp(cn.subtract(x, most))
    local kept = keepdims or drop ~= nil
    local sum = cn.sum(b ~= nil and cn.multiply(b, e) or e, {axis = axis, keepdims = kept})
    local base = kept and most or most_of(cn, x, axis)
    local result = cn.add(cn.log(return_sign and cn.absolute(sum) or sum), base)
    local finish = kept and not keepdims and drop or function(y) return y end
    if return_sign then return finish(result, axis), finish(cn.sign(sum), axis) end
    return finish(result, axis)
  end
end

return M

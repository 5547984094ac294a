--- special/init.lua: cn.special: the functions of the rows of special/ops.lua, and some of cuna. Loaded when it is
--- first named.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local forms = require "cuna.special.forms"
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.special

for _, row in ipairs(elementwise.special_rows()) do elementwise.declare(row, F) end

-- Operations of cuna that SciPy has in scipy.special.
for _, name in ipairs {"cbrt", "exp2", "expm1", "i0", "log1p", "sinc"} do F[name] = elementwise.functions[name] end

local zeta = forms.zeta(F)

--- The zeta function: of one operand Riemann's, for all real numbers (cn.special.riemann_zeta); of two Hurwitz', the
--- sum of (k + q)^-x over k = 0, 1, ..., for x > 1. By Euler's and Maclaurin's summation (DLMF 25.11). Follows
--- scipy.special.zeta.
---@param x cuna.Operand
---@param q cuna.Operand|nil
---@param out cuna.Array|nil
---@param options {out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
---@usage cn.special.zeta({2, 4}) --> [1.64493407 1.08232323]
---@usage cn.special.zeta({2, 3}, 2) --> [0.64493407 0.2020569 ]
function F.zeta(...) return zeta(...) end

local lambertw = forms.lambertw(F)

--- Lambert's function: the w with w exp(w) = z, on its branch k (DLMF 4.13). The result is complex, of real z too. By
--- Halley's iteration, after Corless and others (1996). Follows scipy.special.lambertw.
---@param z cuna.Operand
---@param k cuna.Operand|nil whole numbers [0]
---@param out cuna.Array|nil
---@param options {out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array complex64 or complex128
---@usage cn.special.lambertw({1}) --> [0.56714329+0.j]
---@usage cn.special.lambertw({1}, -1) --> [-1.53391332-4.37518515j]
function F.lambertw(...) return lambertw(...) end

local spherical_jn = forms.spherical(F, "spherical_jn")

--- Spherical Bessel function of the first kind, j_n(z) = sqrt(pi / (2 z)) J of the order n + 1/2 at z (DLMF 10.47),
--- for whole n from 0 on and real z; or its derivative, cn.special.spherical_jn_prime. Follows
--- scipy.special.spherical_jn.
---@param n cuna.Operand whole numbers
---@param z cuna.Operand
---@param derivative boolean|nil
---@param out cuna.Array|nil
---@param options {derivative?: boolean, out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
---@usage cn.special.spherical_jn(1, {1, 2}) --> [0.30116868 0.43539777]
---@usage cn.special.spherical_jn(1, {1, 2}, true) --> [0.23913363 0.01925094]
function F.spherical_jn(...) return spherical_jn(...) end

local spherical_yn = forms.spherical(F, "spherical_yn")

--- Spherical Bessel function of the second kind, y_n(z) = sqrt(pi / (2 z)) Y of the order n + 1/2 at z (DLMF 10.47),
--- for whole n from 0 on and real z; or its derivative, cn.special.spherical_yn_prime. Follows
--- scipy.special.spherical_yn.
---@param n cuna.Operand whole numbers
---@param z cuna.Operand
---@param derivative boolean|nil
---@param out cuna.Array|nil
---@param options {derivative?: boolean, out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
---@usage cn.special.spherical_yn(1, {1, 2}) --> [-1.38177329 -0.350612 ]
---@usage cn.special.spherical_yn(1, {1, 2}, true) --> [2.22324428 0.55868542]
function F.spherical_yn(...) return spherical_yn(...) end

local spherical_in = forms.spherical(F, "spherical_in")

--- Spherical Bessel function of the modified first kind, i_n(z) = sqrt(pi / (2 z)) I of the order n + 1/2 at z (DLMF
--- 10.47), for whole n from 0 on and real z; or its derivative, cn.special.spherical_in_prime. Follows
--- scipy.special.spherical_in.
---@param n cuna.Operand whole numbers
---@param z cuna.Operand
---@param derivative boolean|nil
---@param out cuna.Array|nil
---@param options {derivative?: boolean, out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
---@usage cn.special.spherical_in(1, {1, 2}) --> [0.36787944 0.97438274]
---@usage cn.special.spherical_in(1, {1, 2}, true) --> [0.43944231 0.83904746]
function F.spherical_in(...) return spherical_in(...) end

local spherical_kn = forms.spherical(F, "spherical_kn")

--- Spherical Bessel function of the modified second kind, k_n(z) = sqrt(pi / (2 z)) K of the order n + 1/2 at z (DLMF
--- 10.47), for whole n from 0 on and real z; NaN at negative z; or its derivative, cn.special.spherical_kn_prime.
--- Follows scipy.special.spherical_kn.
---@param n cuna.Operand whole numbers
---@param z cuna.Operand
---@param derivative boolean|nil
---@param out cuna.Array|nil
---@param options {derivative?: boolean, out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
---@usage cn.special.spherical_kn(1, {1, 2}) --> [1.15572735 0.15943812]
---@usage cn.special.spherical_kn(1, {1, 2}, true) --> [-2.88931837 -0.26573021]
function F.spherical_kn(...) return spherical_kn(...) end

local rint = elementwise.functions.rint

--- The nearest integer as a float, halves to even, as cn.rint. Follows scipy.special.round.
---@param x cuna.Operand
---@param out cuna.Array|nil
---@param options {out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
---@usage cn.special.round {0.5, 1.5, 2.4} --> [0. 2. 2.]
function F.round(...) return rint(...) end

local function array(x, name, axis)
  x = check.array(x, name)
  if axis ~= nil then core.axes(axis, x, name) end
  return x
end

local cn = args.namespace
local function drop(x, axis) return cn.squeeze(x, axis) end

local jvp = forms.bessel_derivative(F, cn, "jvp", "jv", -1)

--- Derivative n of the Bessel function of the first kind, cn.special.jv, for z. Follows scipy.special.jvp.
---@param v cuna.Operand orders
---@param z cuna.Operand
---@param n integer|nil from 0 on; default 1
---@return cuna.Array
---@usage cn.special.jvp(1, {1, 2}) --> [ 0.3251471 -0.06447162]
function F.jvp(...) return jvp(...) end

local yvp = forms.bessel_derivative(F, cn, "yvp", "yv", -1)

--- Derivative n of the Bessel function of the second kind, cn.special.yv, for z. Follows scipy.special.yvp.
---@param v cuna.Operand orders
---@param z cuna.Operand
---@param n integer|nil from 0 on; default 1
---@return cuna.Array
---@usage cn.special.yvp(1, {1, 2}) --> [0.86946979 0.56389189]
function F.yvp(...) return yvp(...) end

local ivp = forms.bessel_derivative(F, cn, "ivp", "iv", 1)

--- Derivative n of the modified Bessel function of the first kind, cn.special.iv, for z. Follows scipy.special.ivp.
---@param v cuna.Operand orders
---@param z cuna.Operand
---@param n integer|nil from 0 on; default 1
---@return cuna.Array
---@usage cn.special.ivp(1, {1, 2}) --> [0.70090677 1.48426688]
function F.ivp(...) return ivp(...) end

local kvp = forms.bessel_derivative(F, cn, "kvp", "kv", 1)

--- Derivative n of the modified Bessel function of the second kind, cn.special.kv, for z. Follows scipy.special.kvp.
---@param v cuna.Operand orders
---@param z cuna.Operand
---@param n integer|nil from 0 on; default 1
---@return cuna.Array
---@usage cn.special.kvp(1, {1, 2}) --> [-1.02293167 -0.18382681]
function F.kvp(...) return kvp(...) end

local h1vp = forms.bessel_derivative(F, cn, "h1vp", "hankel1", -1)

--- Derivative n of the Hankel function of the first kind, cn.special.hankel1, for z. Follows scipy.special.h1vp.
---@param v cuna.Operand orders
---@param z cuna.Operand
---@param n integer|nil from 0 on; default 1
---@return cuna.Array
---@usage cn.special.h1vp(1, {1}) --> [0.3251471+0.86946979j]
function F.h1vp(...) return h1vp(...) end

local h2vp = forms.bessel_derivative(F, cn, "h2vp", "hankel2", -1)

--- Derivative n of the Hankel function of the second kind, cn.special.hankel2, for z. Follows scipy.special.h2vp.
---@param v cuna.Operand orders
---@param z cuna.Operand
---@param n integer|nil from 0 on; default 1
---@return cuna.Array
---@usage cn.special.h2vp(1, {1}) --> [0.3251471-0.86946979j]
function F.h2vp(...) return h2vp(...) end

local multigammaln = forms.multigammaln(F, cn, array)
local softmax, log_softmax = forms.softmax(cn, array), forms.log_softmax(cn, array)
local logsumexp = forms.logsumexp(cn, array, drop)

--- Logarithm of the multivariate gamma function of dimension d; NaN where a is at most (d - 1) / 2. Follows
--- scipy.special.multigammaln.
---@param a cuna.Operand
---@param d integer from 1 on
---@return cuna.Array of a's shape
---@usage cn.special.multigammaln({2, 3}, 1) --> [0. 0.69314718]
function F.multigammaln(...) return multigammaln(...) end

--- exp(x) over its sum along axes, computed without overflow. Follows scipy.special.softmax.
---@param x cuna.Operand
---@param axis cuna.Axes|nil default: all
---@return cuna.Array of x's shape
---@usage cn.special.softmax({{0, 0}, {1, 1}}, 2) --> [[0.5 0.5] [0.5 0.5]]
function F.softmax(...) return softmax(...) end

--- Logarithm of softmax(x), also where that is 0. Follows scipy.special.log_softmax.
---@param x cuna.Operand
---@param axis cuna.Axes|nil default: all
---@return cuna.Array of x's shape
---@usage cn.special.log_softmax {0, 1000} --> [-1000. 0.]
function F.log_softmax(...) return log_softmax(...) end

--- Logarithm of the sum of exp(x), or of b exp(x), along axes, computed without overflow. Follows
--- scipy.special.logsumexp.
---@param x cuna.Operand
---@param axis cuna.Axes|nil default: all
---@param b cuna.Operand|nil factors that broadcast to x
---@param keepdims boolean|nil
---@param return_sign boolean|nil gives the logarithm of the sum's size, and its sign
---@return cuna.Array
---@return cuna.Array|nil sign
---@usage cn.special.logsumexp {1000, 1000} --> 1000.6931471805599
function F.logsumexp(...) return logsumexp(...) end

namespace.make("special", F)

return M

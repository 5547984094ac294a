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

local function array(x, name, axis)
  x = check.array(x, name)
  if axis ~= nil then core.axes(axis, x, name) end
  return x
end

local cn = args.namespace
local function drop(x, axis) return cn.squeeze(x, axis) end

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

---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Special functions.

---@class cuna.Array
local Array = {}

---@class cuna.special
local special = {}

--- The zeta function: of one operand Riemann's, for all real numbers (cn.special.riemann_zeta); of two Hurwitz', the
--- sum of (k + q)^-x over k = 0, 1, ..., for x > 1. By Euler's and Maclaurin's summation (DLMF 25.11). Follows
--- scipy.special.zeta.
---
--- ```lua
--- cn.special.zeta({2, 4}) --> [1.64493407 1.08232323]
--- cn.special.zeta({2, 3}, 2) --> [0.64493407 0.2020569 ]
--- ```
---@param x cuna.Operand
---@param q cuna.Operand|nil
---@param out cuna.Array|nil
---@param options {out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
function special.zeta(x, q, out, options) end

--- Lambert's function: the w with w exp(w) = z, on its branch k (DLMF 4.13). The result is complex, of real z too. By
--- Halley's iteration, after Corless and others (1996). Follows scipy.special.lambertw.
---
--- ```lua
--- cn.special.lambertw({1}) --> [0.56714329+0.j]
--- cn.special.lambertw({1}, -1) --> [-1.53391332-4.37518515j]
--- ```
---@param z cuna.Operand
---@param k cuna.Operand|nil # whole numbers [0]
---@param out cuna.Array|nil
---@param options {out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array # complex64 or complex128
function special.lambertw(z, k, out, options) end

--- Spherical Bessel function of the first kind, j_n(z) = sqrt(pi / (2 z)) J of the order n + 1/2 at z (DLMF 10.47),
--- for whole n from 0 on and real z; or its derivative, cn.special.spherical_jn_prime. Follows
--- scipy.special.spherical_jn.
---
--- ```lua
--- cn.special.spherical_jn(1, {1, 2}) --> [0.30116868 0.43539777]
--- cn.special.spherical_jn(1, {1, 2}, true) --> [0.23913363 0.01925094]
--- ```
---@param n cuna.Operand # whole numbers
---@param z cuna.Operand
---@param derivative boolean|nil
---@param out cuna.Array|nil
---@param options {derivative?: boolean, out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
function special.spherical_jn(n, z, derivative, out, options) end

--- Spherical Bessel function of the second kind, y_n(z) = sqrt(pi / (2 z)) Y of the order n + 1/2 at z (DLMF 10.47),
--- for whole n from 0 on and real z; or its derivative, cn.special.spherical_yn_prime. Follows
--- scipy.special.spherical_yn.
---
--- ```lua
--- cn.special.spherical_yn(1, {1, 2}) --> [-1.38177329 -0.350612 ]
--- cn.special.spherical_yn(1, {1, 2}, true) --> [2.22324428 0.55868542]
--- ```
---@param n cuna.Operand # whole numbers
---@param z cuna.Operand
---@param derivative boolean|nil
---@param out cuna.Array|nil
---@param options {derivative?: boolean, out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
function special.spherical_yn(n, z, derivative, out, options) end

--- Spherical Bessel function of the modified first kind, i_n(z) = sqrt(pi / (2 z)) I of the order n + 1/2 at z (DLMF
--- 10.47), for whole n from 0 on and real z; or its derivative, cn.special.spherical_in_prime. Follows
--- scipy.special.spherical_in.
---
--- ```lua
--- cn.special.spherical_in(1, {1, 2}) --> [0.36787944 0.97438274]
--- cn.special.spherical_in(1, {1, 2}, true) --> [0.43944231 0.83904746]
--- ```
---@param n cuna.Operand # whole numbers
---@param z cuna.Operand
---@param derivative boolean|nil
---@param out cuna.Array|nil
---@param options {derivative?: boolean, out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
function special.spherical_in(n, z, derivative, out, options) end

--- Spherical Bessel function of the modified second kind, k_n(z) = sqrt(pi / (2 z)) K of the order n + 1/2 at z (DLMF
--- 10.47), for whole n from 0 on and real z; NaN at negative z; or its derivative, cn.special.spherical_kn_prime.
--- Follows scipy.special.spherical_kn.
---
--- ```lua
--- cn.special.spherical_kn(1, {1, 2}) --> [1.15572735 0.15943812]
--- cn.special.spherical_kn(1, {1, 2}, true) --> [-2.88931837 -0.26573021]
--- ```
---@param n cuna.Operand # whole numbers
---@param z cuna.Operand
---@param derivative boolean|nil
---@param out cuna.Array|nil
---@param options {derivative?: boolean, out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
function special.spherical_kn(n, z, derivative, out, options) end

--- The nearest integer as a float, halves to even, as cn.rint. Follows scipy.special.round.
---
--- ```lua
--- cn.special.round {0.5, 1.5, 2.4} --> [0. 2. 2.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil
---@param options {out?: cuna.Array, dtype?: string}|nil
---@return cuna.Array
function special.round(x, out, options) end

--- Derivative n of the Bessel function of the first kind, cn.special.jv, for z. Follows scipy.special.jvp.
---
--- ```lua
--- cn.special.jvp(1, {1, 2}) --> [ 0.3251471 -0.06447162]
--- ```
---@param v cuna.Operand # orders
---@param z cuna.Operand
---@param n integer|nil # from 0 on; default 1
---@return cuna.Array
---@overload fun(v: cuna.Operand, z: cuna.Operand, options: {n?: integer}): cuna.Array
function special.jvp(v, z, n) end

--- Derivative n of the Bessel function of the second kind, cn.special.yv, for z. Follows scipy.special.yvp.
---
--- ```lua
--- cn.special.yvp(1, {1, 2}) --> [0.86946979 0.56389189]
--- ```
---@param v cuna.Operand # orders
---@param z cuna.Operand
---@param n integer|nil # from 0 on; default 1
---@return cuna.Array
---@overload fun(v: cuna.Operand, z: cuna.Operand, options: {n?: integer}): cuna.Array
function special.yvp(v, z, n) end

--- Derivative n of the modified Bessel function of the first kind, cn.special.iv, for z. Follows scipy.special.ivp.
---
--- ```lua
--- cn.special.ivp(1, {1, 2}) --> [0.70090677 1.48426688]
--- ```
---@param v cuna.Operand # orders
---@param z cuna.Operand
---@param n integer|nil # from 0 on; default 1
---@return cuna.Array
---@overload fun(v: cuna.Operand, z: cuna.Operand, options: {n?: integer}): cuna.Array
function special.ivp(v, z, n) end

--- Derivative n of the modified Bessel function of the second kind, cn.special.kv, for z. Follows scipy.special.kvp.
---
--- ```lua
--- cn.special.kvp(1, {1, 2}) --> [-1.02293167 -0.18382681]
--- ```
---@param v cuna.Operand # orders
---@param z cuna.Operand
---@param n integer|nil # from 0 on; default 1
---@return cuna.Array
---@overload fun(v: cuna.Operand, z: cuna.Operand, options: {n?: integer}): cuna.Array
function special.kvp(v, z, n) end

--- Derivative n of the Hankel function of the first kind, cn.special.hankel1, for z. Follows scipy.special.h1vp.
---
--- ```lua
--- cn.special.h1vp(1, {1}) --> [0.3251471+0.86946979j]
--- ```
---@param v cuna.Operand # orders
---@param z cuna.Operand
---@param n integer|nil # from 0 on; default 1
---@return cuna.Array
---@overload fun(v: cuna.Operand, z: cuna.Operand, options: {n?: integer}): cuna.Array
function special.h1vp(v, z, n) end

--- Derivative n of the Hankel function of the second kind, cn.special.hankel2, for z. Follows scipy.special.h2vp.
---
--- ```lua
--- cn.special.h2vp(1, {1}) --> [0.3251471-0.86946979j]
--- ```
---@param v cuna.Operand # orders
---@param z cuna.Operand
---@param n integer|nil # from 0 on; default 1
---@return cuna.Array
---@overload fun(v: cuna.Operand, z: cuna.Operand, options: {n?: integer}): cuna.Array
function special.h2vp(v, z, n) end

--- Logarithm of the multivariate gamma function of dimension d; NaN where a is at most (d - 1) / 2. Follows
--- scipy.special.multigammaln.
---
--- ```lua
--- cn.special.multigammaln({2, 3}, 1) --> [0. 0.69314718]
--- ```
---@param a cuna.Operand
---@param d integer # from 1 on
---@return cuna.Array # of a's shape
function special.multigammaln(a, d) end

--- exp(x) over its sum along axes, computed without overflow. Follows scipy.special.softmax.
---
--- ```lua
--- cn.special.softmax({{0, 0}, {1, 1}}, 2) --> [[0.5 0.5] [0.5 0.5]]
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil # default: all
---@return cuna.Array # of x's shape
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes}): cuna.Array
function special.softmax(x, axis) end

--- Logarithm of softmax(x), also where that is 0. Follows scipy.special.log_softmax.
---
--- ```lua
--- cn.special.log_softmax {0, 1000} --> [-1000. 0.]
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil # default: all
---@return cuna.Array # of x's shape
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes}): cuna.Array
function special.log_softmax(x, axis) end

--- Logarithm of the sum of exp(x), or of b exp(x), along axes, computed without overflow. Follows
--- scipy.special.logsumexp.
---
--- ```lua
--- cn.special.logsumexp {1000, 1000} --> 1000.6931471805599
--- ```
---@param x cuna.Operand
---@param axis cuna.Axes|nil # default: all
---@param b cuna.Operand|nil # factors that broadcast to x
---@param keepdims boolean|nil
---@param return_sign boolean|nil # gives the logarithm of the sum's size, and its sign
---@return cuna.Array
---@return cuna.Array|nil # sign
---@overload fun(x: cuna.Operand, options: {axis?: cuna.Axes, b?: cuna.Operand, keepdims?: boolean, return_sign?: boolean}): cuna.Array, cuna.Array|nil
function special.logsumexp(x, axis, b, keepdims, return_sign) end

--- Error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erf_().
--- Follows scipy.special.erf.
---
--- ```lua
--- cn.special.erf {0, 0.5, 3} --> [0. 0.52049988 0.99997791]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.erf(x, out, options) end

--- Error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erf_().
--- Follows scipy.special.erf.
---
--- ```lua
--- cn.special.erf {0, 0.5, 3} --> [0. 0.52049988 0.99997791]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:erf(out, options) end

--- Error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x. In place.
---@return cuna.Array
function Array:erf_() end

--- 1 - erf(x), also exact where erf is near 1; after Shepherd and Laframboise (1981).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfc_().
--- Follows scipy.special.erfc.
---
--- ```lua
--- cn.special.erfc {0, 5} --> [1.00000000e+00 1.53745979e-12]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.erfc(x, out, options) end

--- 1 - erf(x), also exact where erf is near 1; after Shepherd and Laframboise (1981).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfc_().
--- Follows scipy.special.erfc.
---
--- ```lua
--- cn.special.erfc {0, 5} --> [1.00000000e+00 1.53745979e-12]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:erfc(out, options) end

--- 1 - erf(x), also exact where erf is near 1; after Shepherd and Laframboise (1981). In place.
---@return cuna.Array
function Array:erfc_() end

--- exp(x^2) erfc(x), also where erfc is 0; after Shepherd and Laframboise (1981).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfcx_().
--- Follows scipy.special.erfcx.
---
--- ```lua
--- cn.special.erfcx {0, 30} --> [1. 0.01879589]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.erfcx(x, out, options) end

--- exp(x^2) erfc(x), also where erfc is 0; after Shepherd and Laframboise (1981).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfcx_().
--- Follows scipy.special.erfcx.
---
--- ```lua
--- cn.special.erfcx {0, 30} --> [1. 0.01879589]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:erfcx(out, options) end

--- exp(x^2) erfc(x), also where erfc is 0; after Shepherd and Laframboise (1981). In place.
---@return cuna.Array
function Array:erfcx_() end

--- The number whose erf is x, from -1 to 1; after Giles (2010).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfinv_().
--- Follows scipy.special.erfinv.
---
--- ```lua
--- cn.special.erfinv {0, 0.5} --> [0. 0.47693628]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.erfinv(x, out, options) end

--- The number whose erf is x, from -1 to 1; after Giles (2010).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfinv_().
--- Follows scipy.special.erfinv.
---
--- ```lua
--- cn.special.erfinv {0, 0.5} --> [0. 0.47693628]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:erfinv(out, options) end

--- The number whose erf is x, from -1 to 1; after Giles (2010). In place.
---@return cuna.Array
function Array:erfinv_() end

--- The number whose erfc is x, from 0 to 2; after Giles (2010).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfcinv_().
--- Follows scipy.special.erfcinv.
---
--- ```lua
--- cn.special.erfcinv {1, 0.5} --> [0. 0.47693628]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.erfcinv(x, out, options) end

--- The number whose erfc is x, from 0 to 2; after Giles (2010).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfcinv_().
--- Follows scipy.special.erfcinv.
---
--- ```lua
--- cn.special.erfcinv {1, 0.5} --> [0. 0.47693628]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:erfcinv(out, options) end

--- The number whose erfc is x, from 0 to 2; after Giles (2010). In place.
---@return cuna.Array
function Array:erfcinv_() end

--- Probability that a standard normal variable is at most x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ndtr_().
--- Follows scipy.special.ndtr.
---
--- ```lua
--- cn.special.ndtr {-1.96, 0, 1.96} --> [0.0249979 0.5 0.9750021]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ndtr(x, out, options) end

--- Probability that a standard normal variable is at most x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ndtr_().
--- Follows scipy.special.ndtr.
---
--- ```lua
--- cn.special.ndtr {-1.96, 0, 1.96} --> [0.0249979 0.5 0.9750021]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:ndtr(out, options) end

--- Probability that a standard normal variable is at most x. In place.
---@return cuna.Array
function Array:ndtr_() end

--- Logarithm of ndtr(x), also where ndtr is 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:log_ndtr_().
--- Follows scipy.special.log_ndtr.
---
--- ```lua
--- cn.special.log_ndtr {0, -40} --> [-6.93147181e-01 -8.04608442e+02]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.log_ndtr(x, out, options) end

--- Logarithm of ndtr(x), also where ndtr is 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:log_ndtr_().
--- Follows scipy.special.log_ndtr.
---
--- ```lua
--- cn.special.log_ndtr {0, -40} --> [-6.93147181e-01 -8.04608442e+02]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:log_ndtr(out, options) end

--- Logarithm of ndtr(x), also where ndtr is 0. In place.
---@return cuna.Array
function Array:log_ndtr_() end

--- The number whose ndtr is p.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ndtri_().
--- Follows scipy.special.ndtri.
---
--- ```lua
--- cn.special.ndtri {0.8, 0.975} --> [0.84162123 1.95996398]
--- ```
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ndtri(p, out, options) end

--- The number whose ndtr is p.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ndtri_().
--- Follows scipy.special.ndtri.
---
--- ```lua
--- cn.special.ndtri {0.8, 0.975} --> [0.84162123 1.95996398]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:ndtri(out, options) end

--- The number whose ndtr is p. In place.
---@return cuna.Array
function Array:ndtri_() end

--- The number whose log_ndtr is y; by Newton's method below -5.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ndtri_exp_().
--- Follows scipy.special.ndtri_exp.
---
--- ```lua
--- cn.special.ndtri_exp {-1, -800} --> [ -0.33747496 -39.88469484]
--- ```
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ndtri_exp(y, out, options) end

--- The number whose log_ndtr is y; by Newton's method below -5.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ndtri_exp_().
--- Follows scipy.special.ndtri_exp.
---
--- ```lua
--- cn.special.ndtri_exp {-1, -800} --> [ -0.33747496 -39.88469484]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:ndtri_exp(out, options) end

--- The number whose log_ndtr is y; by Newton's method below -5. In place.
---@return cuna.Array
function Array:ndtri_exp_() end

--- Owen's T function: exp(-h^2 (1 + x^2) / 2) / (1 + x^2) / (2 pi), integrated over x from 0 to a; by the rule of Gauss and Legendre.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.owens_t.
---
--- ```lua
--- cn.special.owens_t(1, {0.5, 2}) --> [0.04306469 0.07846819]
--- ```
---@param h cuna.Operand
---@param a cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.owens_t(h, a, out, options) end

--- Probability that a variable distributed as Tukey's lambda is at most x: the p with (p^lmbda - (1 - p)^lmbda) / lmbda = x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.tklmbda.
---
--- ```lua
--- cn.special.tklmbda(1, {-1, 0, 0.5}) --> [0.61803399 0.73105858 0.83071891]
--- ```
---@param x cuna.Operand
---@param lmbda cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.tklmbda(x, lmbda, out, options) end

--- Sine of x degrees; 0 beyond 1e14.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:sindg_().
--- Follows scipy.special.sindg.
---
--- ```lua
--- cn.special.sindg {30, 180} --> [0.5 0. ]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.sindg(x, out, options) end

--- Sine of x degrees; 0 beyond 1e14.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:sindg_().
--- Follows scipy.special.sindg.
---
--- ```lua
--- cn.special.sindg {30, 180} --> [0.5 0. ]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:sindg(out, options) end

--- Sine of x degrees; 0 beyond 1e14. In place.
---@return cuna.Array
function Array:sindg_() end

--- Cosine of x degrees; 0 beyond 1e14.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:cosdg_().
--- Follows scipy.special.cosdg.
---
--- ```lua
--- cn.special.cosdg {60, 90} --> [0.5 0. ]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.cosdg(x, out, options) end

--- Cosine of x degrees; 0 beyond 1e14.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:cosdg_().
--- Follows scipy.special.cosdg.
---
--- ```lua
--- cn.special.cosdg {60, 90} --> [0.5 0. ]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:cosdg(out, options) end

--- Cosine of x degrees; 0 beyond 1e14. In place.
---@return cuna.Array
function Array:cosdg_() end

--- Tangent of x degrees, infinity at its poles; 0 beyond 1e14.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:tandg_().
--- Follows scipy.special.tandg.
---
--- ```lua
--- cn.special.tandg {45, 180} --> [1. 0.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.tandg(x, out, options) end

--- Tangent of x degrees, infinity at its poles; 0 beyond 1e14.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:tandg_().
--- Follows scipy.special.tandg.
---
--- ```lua
--- cn.special.tandg {45, 180} --> [1. 0.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:tandg(out, options) end

--- Tangent of x degrees, infinity at its poles; 0 beyond 1e14. In place.
---@return cuna.Array
function Array:tandg_() end

--- Cotangent of x degrees, infinity at its poles; 0 beyond 1e14.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:cotdg_().
--- Follows scipy.special.cotdg.
---
--- ```lua
--- cn.special.cotdg {45, 90} --> [1. 0.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.cotdg(x, out, options) end

--- Cotangent of x degrees, infinity at its poles; 0 beyond 1e14.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:cotdg_().
--- Follows scipy.special.cotdg.
---
--- ```lua
--- cn.special.cotdg {45, 90} --> [1. 0.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:cotdg(out, options) end

--- Cotangent of x degrees, infinity at its poles; 0 beyond 1e14. In place.
---@return cuna.Array
function Array:cotdg_() end

--- Degrees, minutes and seconds in radians.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.radian.
---
--- ```lua
--- cn.special.radian({180, 1}, 30, 0) --> [3.1503193 0.02617994]
--- ```
---@param d cuna.Operand
---@param m cuna.Operand
---@param s cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.radian(d, m, s, out, options) end

--- Faddeeva's function exp(-z^2) erfc(-i z), complex of real z too; by modified trapezoidal rules, after Al Azah and Chandler-Wilde (2021).
--- Computes with complex numbers.
--- Also: in place x:wofz_().
--- Follows scipy.special.wofz.
---
--- ```lua
--- cn.special.wofz {0, 1} --> [1. +0.j 0.36787944+0.60715771j]
--- ```
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.wofz(z, out, options) end

--- Faddeeva's function exp(-z^2) erfc(-i z), complex of real z too; by modified trapezoidal rules, after Al Azah and Chandler-Wilde (2021).
--- Computes with complex numbers.
--- Also: in place x:wofz_().
--- Follows scipy.special.wofz.
---
--- ```lua
--- cn.special.wofz {0, 1} --> [1. +0.j 0.36787944+0.60715771j]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:wofz(out, options) end

--- Faddeeva's function exp(-z^2) erfc(-i z), complex of real z too; by modified trapezoidal rules, after Al Azah and Chandler-Wilde (2021). In place.
---@return cuna.Array
function Array:wofz_() end

--- Voigt's profile at x: the density of a normal variable of standard deviation sigma plus a Cauchy variable of scale gamma.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.voigt_profile.
---
--- ```lua
--- cn.special.voigt_profile({0, 2}, 1, 0.5) --> [0.27895547 0.08242408]
--- ```
---@param x cuna.Operand
---@param sigma cuna.Operand
---@param gamma cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.voigt_profile(x, sigma, gamma, out, options) end

--- Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:dawsn_().
--- Follows scipy.special.dawsn.
---
--- ```lua
--- cn.special.dawsn {0.5, 3} --> [0.42443638 0.17827103]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.dawsn(x, out, options) end

--- Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:dawsn_().
--- Follows scipy.special.dawsn.
---
--- ```lua
--- cn.special.dawsn {0.5, 3} --> [0.42443638 0.17827103]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:dawsn(out, options) end

--- Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x. In place.
---@return cuna.Array
function Array:dawsn_() end

--- Imaginary error function, 2/sqrt(pi) times the integral of exp(t^2) from 0 to x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfi_().
--- Follows scipy.special.erfi.
---
--- ```lua
--- cn.special.erfi {0.5, 3} --> [6.14952095e-01 1.62999462e+03]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.erfi(x, out, options) end

--- Imaginary error function, 2/sqrt(pi) times the integral of exp(t^2) from 0 to x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:erfi_().
--- Follows scipy.special.erfi.
---
--- ```lua
--- cn.special.erfi {0.5, 3} --> [6.14952095e-01 1.62999462e+03]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:erfi(out, options) end

--- Imaginary error function, 2/sqrt(pi) times the integral of exp(t^2) from 0 to x. In place.
---@return cuna.Array
function Array:erfi_() end

--- x^y - 1, also exact where it is small.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.powm1.
---
--- ```lua
--- cn.special.powm1(2, {0, 1e-10, 3}) --> [0.00000000e+00 6.93147181e-11 7.00000000e+00]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.powm1(x, y, out, options) end

--- Arithmetic-geometric mean; NaN where a and b have different signs.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.agm.
---
--- ```lua
--- cn.special.agm(1, {1, 4}) --> [1. 2.24302858]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.agm(a, b, out, options) end

--- Spence's integral of log(t) / (1 - t) from 1 to z, the dilogarithm of 1 - z.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:spence_().
--- Follows scipy.special.spence.
---
--- ```lua
--- cn.special.spence {0, 1, 2} --> [ 1.64493407 0. -0.82246703]
--- ```
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.spence(z, out, options) end

--- Spence's integral of log(t) / (1 - t) from 1 to z, the dilogarithm of 1 - z.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:spence_().
--- Follows scipy.special.spence.
---
--- ```lua
--- cn.special.spence {0, 1, 2} --> [ 1.64493407 0. -0.82246703]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:spence(out, options) end

--- Spence's integral of log(t) / (1 - t) from 1 to z, the dilogarithm of 1 - z. In place.
---@return cuna.Array
function Array:spence_() end

--- 1 / (1 + exp(-x)), the logistic function.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:expit_().
--- Follows scipy.special.expit.
---
--- ```lua
--- cn.special.expit {-1, 0, 1} --> [0.26894142 0.5 0.73105858]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.expit(x, out, options) end

special.sigmoid = special.expit

--- 1 / (1 + exp(-x)), the logistic function.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:expit_().
--- Follows scipy.special.expit.
---
--- ```lua
--- cn.special.expit {-1, 0, 1} --> [0.26894142 0.5 0.73105858]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:expit(out, options) end

--- 1 / (1 + exp(-x)), the logistic function. In place.
---@return cuna.Array
function Array:expit_() end

Array.sigmoid = Array.expit

--- 1 / (1 + exp(-x)), the logistic function. In place.
---@return cuna.Array
function Array:sigmoid_() end

--- log(p / (1 - p)), the inverse of expit.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:logit_().
--- Follows scipy.special.logit.
---
--- ```lua
--- cn.special.logit {0.5, 0.75} --> [0. 1.09861229]
--- ```
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.logit(p, out, options) end

--- log(p / (1 - p)), the inverse of expit.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:logit_().
--- Follows scipy.special.logit.
---
--- ```lua
--- cn.special.logit {0.5, 0.75} --> [0. 1.09861229]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:logit(out, options) end

--- log(p / (1 - p)), the inverse of expit. In place.
---@return cuna.Array
function Array:logit_() end

--- Logarithm of expit(x), also where expit is 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:log_expit_().
--- Follows scipy.special.log_expit.
---
--- ```lua
--- cn.special.log_expit {0, -1000} --> [-6.93147181e-01 -1.00000000e+03]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.log_expit(x, out, options) end

--- Logarithm of expit(x), also where expit is 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:log_expit_().
--- Follows scipy.special.log_expit.
---
--- ```lua
--- cn.special.log_expit {0, -1000} --> [-6.93147181e-01 -1.00000000e+03]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:log_expit(out, options) end

--- Logarithm of expit(x), also where expit is 0. In place.
---@return cuna.Array
function Array:log_expit_() end

--- log(1 + exp(x)), without overflow.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:softplus_().
--- Follows scipy.special.softplus.
---
--- ```lua
--- cn.special.softplus {-40, 0, 800} --> [4.24835426e-18 6.93147181e-01 8.00000000e+02]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.softplus(x, out, options) end

--- log(1 + exp(x)), without overflow.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:softplus_().
--- Follows scipy.special.softplus.
---
--- ```lua
--- cn.special.softplus {-40, 0, 800} --> [4.24835426e-18 6.93147181e-01 8.00000000e+02]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:softplus(out, options) end

--- log(1 + exp(x)), without overflow. In place.
---@return cuna.Array
function Array:softplus_() end

--- 10 to the power of x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:exp10_().
--- Follows scipy.special.exp10.
---
--- ```lua
--- cn.special.exp10 {0, 2} --> [ 1. 100.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.exp10(x, out, options) end

--- 10 to the power of x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:exp10_().
--- Follows scipy.special.exp10.
---
--- ```lua
--- cn.special.exp10 {0, 2} --> [ 1. 100.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:exp10(out, options) end

--- 10 to the power of x. In place.
---@return cuna.Array
function Array:exp10_() end

--- (exp(x) - 1) / x, and 1 at 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:exprel_().
--- Follows scipy.special.exprel.
---
--- ```lua
--- cn.special.exprel {0, 1} --> [1. 1.71828183]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.exprel(x, out, options) end

--- (exp(x) - 1) / x, and 1 at 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:exprel_().
--- Follows scipy.special.exprel.
---
--- ```lua
--- cn.special.exprel {0, 1} --> [1. 1.71828183]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:exprel(out, options) end

--- (exp(x) - 1) / x, and 1 at 0. In place.
---@return cuna.Array
function Array:exprel_() end

--- -x log(x), 0 at 0 and -infinity below: a term of an entropy.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:entr_().
--- Follows scipy.special.entr.
---
--- ```lua
--- cn.special.entr {0, 0.5} --> [0. 0.34657359]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.entr(x, out, options) end

--- -x log(x), 0 at 0 and -infinity below: a term of an entropy.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:entr_().
--- Follows scipy.special.entr.
---
--- ```lua
--- cn.special.entr {0, 0.5} --> [0. 0.34657359]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:entr(out, options) end

--- -x log(x), 0 at 0 and -infinity below: a term of an entropy. In place.
---@return cuna.Array
function Array:entr_() end

--- x log(y), and 0 where x is 0.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.xlogy.
---
--- ```lua
--- cn.special.xlogy({0, 2}, {0, 3}) --> [0. 2.19722458]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.xlogy(x, y, out, options) end

--- x log(1 + y), and 0 where x is 0.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.xlog1py.
---
--- ```lua
--- cn.special.xlog1py({0, 2}, {-1, 3}) --> [0. 2.77258872]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.xlog1py(x, y, out, options) end

--- x log(x / y), 0 where x is 0 and infinity where one is negative: a term of a relative entropy.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.rel_entr.
---
--- ```lua
--- cn.special.rel_entr({0.5, 0.5}, {0.25, 0.75}) --> [ 0.34657359 -0.20273255]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.rel_entr(x, y, out, options) end

--- x log(x / y) - x + y, y where x is 0 and infinity where one is negative; exact where x is near y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.kl_div.
---
--- ```lua
--- cn.special.kl_div({0.5, 0}, {0.25, 0.75}) --> [0.09657359 0.75 ]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.kl_div(x, y, out, options) end

--- Huber's loss: r^2 / 2 up to |r| = delta, then delta (|r| - delta / 2).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.huber.
---
--- ```lua
--- cn.special.huber(1, {0.5, 3}) --> [0.125 2.5 ]
--- ```
---@param delta cuna.Operand
---@param r cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.huber(delta, r, out, options) end

--- delta^2 (sqrt(1 + (r / delta)^2) - 1), a smooth form of Huber's loss.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.pseudo_huber.
---
--- ```lua
--- cn.special.pseudo_huber(1, {0.5, 3}) --> [0.11803399 2.16227766]
--- ```
---@param delta cuna.Operand
---@param r cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.pseudo_huber(delta, r, out, options) end

--- Transformation of Box and Cox: (x^lmbda - 1) / lmbda, and log(x) for lmbda = 0.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.boxcox.
---
--- ```lua
--- cn.special.boxcox({1, 4}, {{0.5}, {0}}) --> [[0. 2. ] [0. 1.38629436]]
--- ```
---@param x cuna.Operand
---@param lmbda cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.boxcox(x, lmbda, out, options) end

--- boxcox(1 + x, lmbda), also exact for small x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.boxcox1p.
---
--- ```lua
--- cn.special.boxcox1p({0, 3}, 0.5) --> [0. 2.]
--- ```
---@param x cuna.Operand
---@param lmbda cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.boxcox1p(x, lmbda, out, options) end

--- The number whose boxcox is y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.inv_boxcox.
---
--- ```lua
--- cn.special.inv_boxcox({0, 2}, 0.5) --> [1. 4.]
--- ```
---@param y cuna.Operand
---@param lmbda cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.inv_boxcox(y, lmbda, out, options) end

--- The number whose boxcox1p is y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.inv_boxcox1p.
---
--- ```lua
--- cn.special.inv_boxcox1p({0, 2}, 0.5) --> [0. 3.]
--- ```
---@param y cuna.Operand
---@param lmbda cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.inv_boxcox1p(y, lmbda, out, options) end

--- Gamma function, (x - 1)! of whole x, exact up to 18!; by Stirling's series (DLMF 5.11).
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: in place x:gamma_().
--- Follows scipy.special.gamma.
---
--- ```lua
--- cn.special.gamma {0.5, 5} --> [ 1.77245385 24. ]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gamma(x, out, options) end

--- Gamma function, (x - 1)! of whole x, exact up to 18!; by Stirling's series (DLMF 5.11).
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: in place x:gamma_().
--- Follows scipy.special.gamma.
---
--- ```lua
--- cn.special.gamma {0.5, 5} --> [ 1.77245385 24. ]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:gamma(out, options) end

--- Gamma function, (x - 1)! of whole x, exact up to 18!; by Stirling's series (DLMF 5.11). In place.
---@return cuna.Array
function Array:gamma_() end

--- Logarithm of |gamma(x)|.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:gammaln_().
--- Follows scipy.special.gammaln.
---
--- ```lua
--- cn.special.gammaln {0.5, 200} --> [5.72364943e-01 8.57933670e+02]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gammaln(x, out, options) end

special.lgamma = special.gammaln

--- Logarithm of |gamma(x)|.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:gammaln_().
--- Follows scipy.special.gammaln.
---
--- ```lua
--- cn.special.gammaln {0.5, 200} --> [5.72364943e-01 8.57933670e+02]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:gammaln(out, options) end

--- Logarithm of |gamma(x)|. In place.
---@return cuna.Array
function Array:gammaln_() end

Array.lgamma = Array.gammaln

--- Logarithm of |gamma(x)|. In place.
---@return cuna.Array
function Array:lgamma_() end

--- Logarithm of gamma(x), and NaN where x is negative; of complex numbers its principal branch (DLMF 5.2).
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: in place x:loggamma_().
--- Follows scipy.special.loggamma.
---
--- ```lua
--- cn.special.loggamma {0.5, 200} --> [5.72364943e-01 8.57933670e+02]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.loggamma(x, out, options) end

--- Logarithm of gamma(x), and NaN where x is negative; of complex numbers its principal branch (DLMF 5.2).
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: in place x:loggamma_().
--- Follows scipy.special.loggamma.
---
--- ```lua
--- cn.special.loggamma {0.5, 200} --> [5.72364943e-01 8.57933670e+02]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:loggamma(out, options) end

--- Logarithm of gamma(x), and NaN where x is negative; of complex numbers its principal branch (DLMF 5.2). In place.
---@return cuna.Array
function Array:loggamma_() end

--- Sign of gamma(x), 0 at its poles.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:gammasgn_().
--- Follows scipy.special.gammasgn.
---
--- ```lua
--- cn.special.gammasgn {0.5, -0.5} --> [ 1. -1.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gammasgn(x, out, options) end

--- Sign of gamma(x), 0 at its poles.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:gammasgn_().
--- Follows scipy.special.gammasgn.
---
--- ```lua
--- cn.special.gammasgn {0.5, -0.5} --> [ 1. -1.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:gammasgn(out, options) end

--- Sign of gamma(x), 0 at its poles. In place.
---@return cuna.Array
function Array:gammasgn_() end

--- 1 / gamma(x), and 0 at the poles.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:rgamma_().
--- Follows scipy.special.rgamma.
---
--- ```lua
--- cn.special.rgamma {0, 5} --> [0. 0.04166667]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.rgamma(x, out, options) end

--- 1 / gamma(x), and 0 at the poles.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:rgamma_().
--- Follows scipy.special.rgamma.
---
--- ```lua
--- cn.special.rgamma {0, 5} --> [0. 0.04166667]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:rgamma(out, options) end

--- 1 / gamma(x), and 0 at the poles. In place.
---@return cuna.Array
function Array:rgamma_() end

--- Derivative of the logarithm of gamma.
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: in place x:digamma_().
--- Follows scipy.special.digamma.
---
--- ```lua
--- cn.special.digamma {1, 10} --> [-0.57721566 2.25175259]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.digamma(x, out, options) end

special.psi = special.digamma

--- Derivative of the logarithm of gamma.
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: in place x:digamma_().
--- Follows scipy.special.digamma.
---
--- ```lua
--- cn.special.digamma {1, 10} --> [-0.57721566 2.25175259]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:digamma(out, options) end

--- Derivative of the logarithm of gamma. In place.
---@return cuna.Array
function Array:digamma_() end

Array.psi = Array.digamma

--- Derivative of the logarithm of gamma. In place.
---@return cuna.Array
function Array:psi_() end

--- The derivative of digamma of order n, a whole number (DLMF 5.15).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.polygamma.
---
--- ```lua
--- cn.special.polygamma(1, {1, 10}) --> [1.64493407 0.10516634]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.polygamma(n, x, out, options) end

--- Riemann's zeta function, for all real x; by Euler's and Maclaurin's summation (DLMF 25.11) and reflection.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:riemann_zeta_().
--- Follows scipy.special.zeta.
---
--- ```lua
--- cn.special.riemann_zeta {2, 4} --> [1.64493407 1.08232323]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.riemann_zeta(x, out, options) end

--- Riemann's zeta function, for all real x; by Euler's and Maclaurin's summation (DLMF 25.11) and reflection.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:riemann_zeta_().
--- Follows scipy.special.zeta.
---
--- ```lua
--- cn.special.riemann_zeta {2, 4} --> [1.64493407 1.08232323]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:riemann_zeta(out, options) end

--- Riemann's zeta function, for all real x; by Euler's and Maclaurin's summation (DLMF 25.11) and reflection. In place.
---@return cuna.Array
function Array:riemann_zeta_() end

--- riemann_zeta(x) - 1, also exact for great x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:zetac_().
--- Follows scipy.special.zetac.
---
--- ```lua
--- cn.special.zetac {2, 50} --> [6.44934067e-01 8.88178421e-16]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.zetac(x, out, options) end

--- riemann_zeta(x) - 1, also exact for great x.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:zetac_().
--- Follows scipy.special.zetac.
---
--- ```lua
--- cn.special.zetac {2, 50} --> [6.44934067e-01 8.88178421e-16]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:zetac(out, options) end

--- riemann_zeta(x) - 1, also exact for great x. In place.
---@return cuna.Array
function Array:zetac_() end

--- gamma(a) gamma(b) / gamma(a + b).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.beta.
---
--- ```lua
--- cn.special.beta({2}, {3}) --> [0.08333333]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.beta(a, b, out, options) end

--- Logarithm of |beta(a, b)|.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.betaln.
---
--- ```lua
--- cn.special.betaln({2}, {300}) --> [-11.41089274]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.betaln(a, b, out, options) end

--- gamma(x + m) / gamma(x), Pochhammer's symbol: x (x + 1) ... (x + m - 1).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.poch.
---
--- ```lua
--- cn.special.poch({5}, {3}) --> [210.]
--- ```
---@param x cuna.Operand
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.poch(x, m, out, options) end

--- Binomial coefficient of real numbers; of few whole ones exact.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.binom.
---
--- ```lua
--- cn.special.binom({5, 2.5}, {2, 1}) --> [10. 2.5]
--- ```
---@param n cuna.Operand
---@param k cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.binom(n, k, out, options) end

--- The number of ways to choose k of n, binom(n, k), and 0 unless k is from 0 to n.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.comb.
---
--- ```lua
--- cn.special.comb({5, 5, 5}, {2, 5, 6}) --> [10. 1. 0.]
--- ```
---@param n cuna.Operand
---@param k cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.comb(n, k, out, options) end

--- The number of ordered choices of k of n, n! / (n - k)!, and 0 unless k is from 0 to n.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.perm.
---
--- ```lua
--- cn.special.perm({5, 5, 5}, {2, 5, 6}) --> [ 20. 120. 0.]
--- ```
---@param n cuna.Operand
---@param k cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.perm(n, k, out, options) end

--- n!, gamma(n + 1) of real n, and 0 of n below 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:factorial_().
--- Follows scipy.special.factorial.
---
--- ```lua
--- cn.special.factorial {0, 5, -1} --> [ 1. 120. 0.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.factorial(x, out, options) end

--- n!, gamma(n + 1) of real n, and 0 of n below 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:factorial_().
--- Follows scipy.special.factorial.
---
--- ```lua
--- cn.special.factorial {0, 5, -1} --> [ 1. 120. 0.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:factorial(out, options) end

--- n!, gamma(n + 1) of real n, and 0 of n below 0. In place.
---@return cuna.Array
function Array:factorial_() end

--- Regularised lower incomplete gamma function; by series, continued fraction and Temme's expansion (1979).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gammainc.
---
--- ```lua
--- cn.special.gammainc(2, {0, 1, 5}) --> [0. 0.26424112 0.95957232]
--- ```
---@param a cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gammainc(a, x, out, options) end

--- 1 - gammainc(a, x), also exact where it is small.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gammaincc.
---
--- ```lua
--- cn.special.gammaincc(2, {0, 1, 5}) --> [1. 0.73575888 0.04042768]
--- ```
---@param a cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gammaincc(a, x, out, options) end

--- The x whose gammainc(a, x) is p; by Newton's method, where a is small in twice the digits.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gammaincinv.
---
--- ```lua
--- cn.special.gammaincinv(2, {0, 0.5}) --> [0. 1.67834699]
--- ```
---@param a cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gammaincinv(a, p, out, options) end

--- The x whose gammaincc(a, x) is q; by Newton's method.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gammainccinv.
---
--- ```lua
--- cn.special.gammainccinv(2, {1, 0.5}) --> [0. 1.67834699]
--- ```
---@param a cuna.Operand
---@param q cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gammainccinv(a, q, out, options) end

--- Regularised incomplete beta function; by series and the continued fraction of DiDonato and Morris (1992).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.betainc.
---
--- ```lua
--- cn.special.betainc(2, 3, {0, 0.5, 1}) --> [0. 0.6875 1. ]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.betainc(a, b, x, out, options) end

--- 1 - betainc(a, b, x), also exact where it is small.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.betaincc.
---
--- ```lua
--- cn.special.betaincc(2, 3, {0, 0.5, 1}) --> [1. 0.3125 0. ]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.betaincc(a, b, x, out, options) end

--- The x whose betainc(a, b, x) is y; by Newton's method, where a or b is small in twice the digits.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.betaincinv.
---
--- ```lua
--- cn.special.betaincinv(2, 3, {0.6875}) --> [0.5]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.betaincinv(a, b, y, out, options) end

--- The x whose betaincc(a, b, x) is y; by Newton's method.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.betainccinv.
---
--- ```lua
--- cn.special.betainccinv(2, 3, {0.3125}) --> [0.5]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.betainccinv(a, b, y, out, options) end

--- cos(x) - 1, also exact for small x; |x| < 1e15.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:cosm1_().
--- Follows scipy.special.cosm1.
---
--- ```lua
--- cn.special.cosm1 {0, 1} --> [ 0. -0.45969769]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.cosm1(x, out, options) end

--- cos(x) - 1, also exact for small x; |x| < 1e15.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:cosm1_().
--- Follows scipy.special.cosm1.
---
--- ```lua
--- cn.special.cosm1 {0, 1} --> [ 0. -0.45969769]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:cosm1(out, options) end

--- cos(x) - 1, also exact for small x; |x| < 1e15. In place.
---@return cuna.Array
function Array:cosm1_() end

--- Exponential integral E1 of x > 0 (DLMF 6.2); by series and continued fraction.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:exp1_().
--- Follows scipy.special.exp1.
---
--- ```lua
--- cn.special.exp1 {0.5, 1} --> [0.55977359 0.21938393]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.exp1(x, out, options) end

--- Exponential integral E1 of x > 0 (DLMF 6.2); by series and continued fraction.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:exp1_().
--- Follows scipy.special.exp1.
---
--- ```lua
--- cn.special.exp1 {0.5, 1} --> [0.55977359 0.21938393]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:exp1(out, options) end

--- Exponential integral E1 of x > 0 (DLMF 6.2); by series and continued fraction. In place.
---@return cuna.Array
function Array:exp1_() end

--- Exponential integral Ei (DLMF 6.2).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:expi_().
--- Follows scipy.special.expi.
---
--- ```lua
--- cn.special.expi {0.5, 1} --> [0.4542199 1.89511782]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.expi(x, out, options) end

--- Exponential integral Ei (DLMF 6.2).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:expi_().
--- Follows scipy.special.expi.
---
--- ```lua
--- cn.special.expi {0.5, 1} --> [0.4542199 1.89511782]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:expi(out, options) end

--- Exponential integral Ei (DLMF 6.2). In place.
---@return cuna.Array
function Array:expi_() end

--- Exponential integral of whole order n (DLMF 8.19).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.expn.
---
--- ```lua
--- cn.special.expn(2, {0.5, 1}) --> [0.32664386 0.14849551]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.expn(n, x, out, options) end

--- Sine integral Si(x) and cosine integral Ci(|x|) (DLMF 6.2); around the zeros of Ci from 6 on the error is relative to 1 / x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.sici.
---
--- ```lua
--- cn.special.sici {1} --> [0.94608307], [0.33740392]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function special.sici(x, out, options) end

--- Sine integral Si(x) and cosine integral Ci(|x|) (DLMF 6.2); around the zeros of Ci from 6 on the error is relative to 1 / x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.sici.
---
--- ```lua
--- cn.special.sici {1} --> [0.94608307], [0.33740392]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function Array:sici(out, options) end

--- Hyperbolic sine and cosine integrals Shi(x) and Chi(|x|) (DLMF 6.2).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.shichi.
---
--- ```lua
--- cn.special.shichi {1} --> [1.05725088], [0.83786694]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function special.shichi(x, out, options) end

--- Hyperbolic sine and cosine integrals Shi(x) and Chi(|x|) (DLMF 6.2).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.shichi.
---
--- ```lua
--- cn.special.shichi {1} --> [1.05725088], [0.83786694]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function Array:shichi(out, options) end

--- Bessel function of the first kind of order 0 (DLMF 10.2); 0 from 1e15 on.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:j0_().
--- Follows scipy.special.j0.
---
--- ```lua
--- cn.special.j0 {0, 1} --> [1. 0.76519769]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.j0(x, out, options) end

--- Bessel function of the first kind of order 0 (DLMF 10.2); 0 from 1e15 on.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:j0_().
--- Follows scipy.special.j0.
---
--- ```lua
--- cn.special.j0 {0, 1} --> [1. 0.76519769]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:j0(out, options) end

--- Bessel function of the first kind of order 0 (DLMF 10.2); 0 from 1e15 on. In place.
---@return cuna.Array
function Array:j0_() end

--- Bessel function of the first kind of order 1; 0 from 1e15 on.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:j1_().
--- Follows scipy.special.j1.
---
--- ```lua
--- cn.special.j1 {0, 1} --> [0. 0.44005059]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.j1(x, out, options) end

--- Bessel function of the first kind of order 1; 0 from 1e15 on.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:j1_().
--- Follows scipy.special.j1.
---
--- ```lua
--- cn.special.j1 {0, 1} --> [0. 0.44005059]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:j1(out, options) end

--- Bessel function of the first kind of order 1; 0 from 1e15 on. In place.
---@return cuna.Array
function Array:j1_() end

--- Bessel function of the second kind of order 0; 0 from 1e15 on.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:y0_().
--- Follows scipy.special.y0.
---
--- ```lua
--- cn.special.y0 {1, 2} --> [0.08825696 0.51037567]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.y0(x, out, options) end

--- Bessel function of the second kind of order 0; 0 from 1e15 on.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:y0_().
--- Follows scipy.special.y0.
---
--- ```lua
--- cn.special.y0 {1, 2} --> [0.08825696 0.51037567]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:y0(out, options) end

--- Bessel function of the second kind of order 0; 0 from 1e15 on. In place.
---@return cuna.Array
function Array:y0_() end

--- Bessel function of the second kind of order 1; 0 from 1e15 on.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:y1_().
--- Follows scipy.special.y1.
---
--- ```lua
--- cn.special.y1 {1, 2} --> [-0.78121282 -0.10703243]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.y1(x, out, options) end

--- Bessel function of the second kind of order 1; 0 from 1e15 on.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:y1_().
--- Follows scipy.special.y1.
---
--- ```lua
--- cn.special.y1 {1, 2} --> [-0.78121282 -0.10703243]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:y1(out, options) end

--- Bessel function of the second kind of order 1; 0 from 1e15 on. In place.
---@return cuna.Array
function Array:y1_() end

--- exp(-|x|) i0(x), of the modified Bessel function of order 0 (DLMF 10.25).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:i0e_().
--- Follows scipy.special.i0e.
---
--- ```lua
--- cn.special.i0e {0, 1} --> [1. 0.46575961]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.i0e(x, out, options) end

--- exp(-|x|) i0(x), of the modified Bessel function of order 0 (DLMF 10.25).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:i0e_().
--- Follows scipy.special.i0e.
---
--- ```lua
--- cn.special.i0e {0, 1} --> [1. 0.46575961]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:i0e(out, options) end

--- exp(-|x|) i0(x), of the modified Bessel function of order 0 (DLMF 10.25). In place.
---@return cuna.Array
function Array:i0e_() end

--- Modified Bessel function of the first kind of order 1 (DLMF 10.25).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:i1_().
--- Follows scipy.special.i1.
---
--- ```lua
--- cn.special.i1 {0, 1} --> [0. 0.5651591]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.i1(x, out, options) end

--- Modified Bessel function of the first kind of order 1 (DLMF 10.25).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:i1_().
--- Follows scipy.special.i1.
---
--- ```lua
--- cn.special.i1 {0, 1} --> [0. 0.5651591]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:i1(out, options) end

--- Modified Bessel function of the first kind of order 1 (DLMF 10.25). In place.
---@return cuna.Array
function Array:i1_() end

--- exp(-|x|) i1(x).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:i1e_().
--- Follows scipy.special.i1e.
---
--- ```lua
--- cn.special.i1e {0, 1} --> [0. 0.20791042]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.i1e(x, out, options) end

--- exp(-|x|) i1(x).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:i1e_().
--- Follows scipy.special.i1e.
---
--- ```lua
--- cn.special.i1e {0, 1} --> [0. 0.20791042]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:i1e(out, options) end

--- exp(-|x|) i1(x). In place.
---@return cuna.Array
function Array:i1e_() end

--- Modified Bessel function of the second kind of order 0 (DLMF 10.25).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:k0_().
--- Follows scipy.special.k0.
---
--- ```lua
--- cn.special.k0 {1, 2} --> [0.42102444 0.11389387]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.k0(x, out, options) end

--- Modified Bessel function of the second kind of order 0 (DLMF 10.25).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:k0_().
--- Follows scipy.special.k0.
---
--- ```lua
--- cn.special.k0 {1, 2} --> [0.42102444 0.11389387]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:k0(out, options) end

--- Modified Bessel function of the second kind of order 0 (DLMF 10.25). In place.
---@return cuna.Array
function Array:k0_() end

--- exp(x) k0(x).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:k0e_().
--- Follows scipy.special.k0e.
---
--- ```lua
--- cn.special.k0e {1, 2} --> [1.14446308 0.84156822]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.k0e(x, out, options) end

--- exp(x) k0(x).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:k0e_().
--- Follows scipy.special.k0e.
---
--- ```lua
--- cn.special.k0e {1, 2} --> [1.14446308 0.84156822]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:k0e(out, options) end

--- exp(x) k0(x). In place.
---@return cuna.Array
function Array:k0e_() end

--- Modified Bessel function of the second kind of order 1.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:k1_().
--- Follows scipy.special.k1.
---
--- ```lua
--- cn.special.k1 {1, 2} --> [0.60190723 0.13986588]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.k1(x, out, options) end

--- Modified Bessel function of the second kind of order 1.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:k1_().
--- Follows scipy.special.k1.
---
--- ```lua
--- cn.special.k1 {1, 2} --> [0.60190723 0.13986588]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:k1(out, options) end

--- Modified Bessel function of the second kind of order 1. In place.
---@return cuna.Array
function Array:k1_() end

--- exp(x) k1(x).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:k1e_().
--- Follows scipy.special.k1e.
---
--- ```lua
--- cn.special.k1e {1, 2} --> [1.63615349 1.03347685]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.k1e(x, out, options) end

--- exp(x) k1(x).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:k1e_().
--- Follows scipy.special.k1e.
---
--- ```lua
--- cn.special.k1e {1, 2} --> [1.63615349 1.03347685]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:k1e(out, options) end

--- exp(x) k1(x). In place.
---@return cuna.Array
function Array:k1e_() end

--- Bessel function of the first kind of real order v (DLMF 10.2); NaN of fractional orders at negative x, and of orders beyond 16384 unless x^2 < 16 v or v^2 < 32 x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.jv.
---
--- ```lua
--- cn.special.jv(0.5, {1, 2}) --> [0.67139671 0.51301614]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.jv(v, x, out, options) end

special.jn = special.jv

special.jve = special.jv

--- Bessel function of the second kind of real order v, x >= 0 (DLMF 10.2); of great orders as jv.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.yv.
---
--- ```lua
--- cn.special.yv(0.5, {1, 2}) --> [-0.43109887 0.23478571]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.yv(v, x, out, options) end

special.yve = special.yv

--- Modified Bessel function of the first kind of real order v (DLMF 10.25); NaN of fractional orders at negative x, and of orders beyond 16384 unless x^2 < 64 v or v^2 < 16 x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.iv.
---
--- ```lua
--- cn.special.iv(0.5, {1, 2}) --> [0.93767489 2.04623686]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.iv(v, x, out, options) end

--- exp(-|x|) iv(v, x).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ive.
---
--- ```lua
--- cn.special.ive(0.5, {1, 2}) --> [0.34495131 0.27692805]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ive(v, x, out, options) end

--- Modified Bessel function of the second kind of real order v, x >= 0 (DLMF 10.25).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.kv.
---
--- ```lua
--- cn.special.kv(0.5, {1, 2}) --> [0.4610685 0.11993777]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.kv(v, x, out, options) end

--- exp(x) kv(v, x).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.kve.
---
--- ```lua
--- cn.special.kve(0.5, {1, 2}) --> [1.25331414 0.88622693]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.kve(v, x, out, options) end

--- yv of whole order n; digits of n after the point do not count.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.yn.
---
--- ```lua
--- cn.special.yn(1, {1, 2}) --> [-0.78121282 -0.10703243]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.yn(n, x, out, options) end

--- kv of whole order n; digits of n after the point do not count.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.kn.
---
--- ```lua
--- cn.special.kn(1, {1, 2}) --> [0.60190723 0.13986588]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.kn(n, x, out, options) end

--- Hankel function of the first kind, jv(v, x) + i yv(v, x); complex.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.hankel1.
---
--- ```lua
--- cn.special.hankel1(0, {1}) --> [0.76519769+0.08825696j]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # complex
function special.hankel1(v, x, out, options) end

--- Hankel function of the second kind, jv(v, x) - i yv(v, x); complex.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.hankel2.
---
--- ```lua
--- cn.special.hankel2(0, {1}) --> [0.76519769-0.08825696j]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # complex
function special.hankel2(v, x, out, options) end

--- exp(-i x) hankel1(v, x).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.hankel1e.
---
--- ```lua
--- cn.special.hankel1e(0, {1}) --> [0.48770375-0.59620621j]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # complex
function special.hankel1e(v, x, out, options) end

--- exp(i x) hankel2(v, x).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.hankel2e.
---
--- ```lua
--- cn.special.hankel2e(0, {1}) --> [0.48770375+0.59620621j]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # complex
function special.hankel2e(v, x, out, options) end

--- Airy functions Ai, its derivative, Bi, and its derivative (DLMF 9.2); 0 below -1e10.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.airy.
---
--- ```lua
--- cn.special.airy {1} --> [0.13529242], [-0.15914744], [1.20742359], [0.93243593]
--- ```
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
function special.airy(z, out, options) end

--- Airy functions Ai, its derivative, Bi, and its derivative (DLMF 9.2); 0 below -1e10.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.airy.
---
--- ```lua
--- cn.special.airy {1} --> [0.13529242], [-0.15914744], [1.20742359], [0.93243593]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
function Array:airy(out, options) end

--- The four of airy: Ai and its derivative times exp(2/3 z^(3/2)), and NaN at negative z; Bi and its derivative times exp(-2/3 z^(3/2)) where z is positive.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.airye.
---
--- ```lua
--- cn.special.airye {1} --> [0.26351364], [-0.30997689], [0.61991194], [0.47872857]
--- ```
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
function special.airye(z, out, options) end

--- The four of airy: Ai and its derivative times exp(2/3 z^(3/2)), and NaN at negative z; Bi and its derivative times exp(-2/3 z^(3/2)) where z is positive.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.airye.
---
--- ```lua
--- cn.special.airye {1} --> [0.26351364], [-0.30997689], [0.61991194], [0.47872857]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
function Array:airye(out, options) end

--- Fresnel's integrals of sin(pi t^2 / 2) and cos(pi t^2 / 2) from 0 to z.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.fresnel.
---
--- ```lua
--- cn.special.fresnel {1} --> [0.43825915], [0.7798934]
--- ```
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function special.fresnel(z, out, options) end

--- Fresnel's integrals of sin(pi t^2 / 2) and cos(pi t^2 / 2) from 0 to z.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.fresnel.
---
--- ```lua
--- cn.special.fresnel {1} --> [0.43825915], [0.7798934]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function Array:fresnel(out, options) end

--- Derivative of spherical_jn.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.spherical_jn.
---
--- ```lua
--- cn.special.spherical_jn_prime(1, {1, 2}) --> [0.23913363 0.01925094]
--- ```
---@param n cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.spherical_jn_prime(n, z, out, options) end

--- Derivative of spherical_yn.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.spherical_yn.
---
--- ```lua
--- cn.special.spherical_yn_prime(1, {1, 2}) --> [2.22324428 0.55868542]
--- ```
---@param n cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.spherical_yn_prime(n, z, out, options) end

--- Derivative of spherical_in.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.spherical_in.
---
--- ```lua
--- cn.special.spherical_in_prime(1, {1, 2}) --> [0.43944231 0.83904746]
--- ```
---@param n cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.spherical_in_prime(n, z, out, options) end

--- Derivative of spherical_kn.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.spherical_kn.
---
--- ```lua
--- cn.special.spherical_kn_prime(1, {1, 2}) --> [-2.88931837 -0.26573021]
--- ```
---@param n cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.spherical_kn_prime(n, z, out, options) end

--- Wright's generalised Bessel function of a, b and x from 0 on: the sum over k of x^k / (k! gamma(a k + b)).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.wright_bessel.
---
--- ```lua
--- cn.special.wright_bessel(1, 1, {1, 4}) --> [ 2.2795853 11.30192195]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.wright_bessel(a, b, x, out, options) end

--- Confluent hypergeometric limit function 0F1: the sum of z^k / ((v)_k k!).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.hyp0f1.
---
--- ```lua
--- cn.special.hyp0f1(1.5, {-1, 2}) --> [0.45464871 2.9804061 ]
--- ```
---@param v cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.hyp0f1(v, z, out, options) end

--- Confluent hypergeometric function 1F1 (DLMF 13.2), in twice the digits; NaN where more of them cancel.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.hyp1f1.
---
--- ```lua
--- cn.special.hyp1f1(0.5, 1.5, {-1, 2}) --> [0.74682413 2.36445389]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.hyp1f1(a, b, x, out, options) end

--- Gauss' hypergeometric function 2F1 of z up to 1 (DLMF 15.2), in twice the digits; NaN where more of them cancel.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.hyp2f1.
---
--- ```lua
--- cn.special.hyp2f1(0.5, 1, 1.5, {-1, 0.5}) --> [0.78539816 1.24645048]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param c cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.hyp2f1(a, b, c, z, out, options) end

--- Complete elliptic integral of the first kind, by the arithmetic-geometric mean (DLMF 19.8).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ellipk_().
--- Follows scipy.special.ellipk.
---
--- ```lua
--- cn.special.ellipk {0, 0.5} --> [1.57079633 1.85407468]
--- ```
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ellipk(m, out, options) end

--- Complete elliptic integral of the first kind, by the arithmetic-geometric mean (DLMF 19.8).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ellipk_().
--- Follows scipy.special.ellipk.
---
--- ```lua
--- cn.special.ellipk {0, 0.5} --> [1.57079633 1.85407468]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:ellipk(out, options) end

--- Complete elliptic integral of the first kind, by the arithmetic-geometric mean (DLMF 19.8). In place.
---@return cuna.Array
function Array:ellipk_() end

--- ellipk(1 - p), also exact for small p.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ellipkm1_().
--- Follows scipy.special.ellipkm1.
---
--- ```lua
--- cn.special.ellipkm1 {1, 0.5} --> [1.57079633 1.85407468]
--- ```
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ellipkm1(p, out, options) end

--- ellipk(1 - p), also exact for small p.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ellipkm1_().
--- Follows scipy.special.ellipkm1.
---
--- ```lua
--- cn.special.ellipkm1 {1, 0.5} --> [1.57079633 1.85407468]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:ellipkm1(out, options) end

--- ellipk(1 - p), also exact for small p. In place.
---@return cuna.Array
function Array:ellipkm1_() end

--- Complete elliptic integral of the second kind (DLMF 19.8).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ellipe_().
--- Follows scipy.special.ellipe.
---
--- ```lua
--- cn.special.ellipe {0, 0.5} --> [1.57079633 1.35064388]
--- ```
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ellipe(m, out, options) end

--- Complete elliptic integral of the second kind (DLMF 19.8).
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:ellipe_().
--- Follows scipy.special.ellipe.
---
--- ```lua
--- cn.special.ellipe {0, 0.5} --> [1.57079633 1.35064388]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:ellipe(out, options) end

--- Complete elliptic integral of the second kind (DLMF 19.8). In place.
---@return cuna.Array
function Array:ellipe_() end

--- Incomplete elliptic integral of the first kind of amplitude phi and parameter m <= 1 (DLMF 19.2), by Carlson's duplication (19.36).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ellipkinc.
---
--- ```lua
--- cn.special.ellipkinc({1}, 0.5) --> [1.08321677]
--- ```
---@param phi cuna.Operand
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ellipkinc(phi, m, out, options) end

--- Incomplete elliptic integral of the second kind of amplitude phi and parameter m <= 1.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ellipeinc.
---
--- ```lua
--- cn.special.ellipeinc({1}, 0.5) --> [0.92732988]
--- ```
---@param phi cuna.Operand
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ellipeinc(phi, m, out, options) end

--- Jacobi's elliptic functions sn, cn and dn of a parameter m from 0 to 1, and the amplitude of u (DLMF 22).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ellipj.
---
--- ```lua
--- cn.special.ellipj({1}, 0.5) --> [0.80300182], [0.59597657], [0.823161], [0.93231508]
--- ```
---@param u cuna.Operand
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
---@return cuna.Array
function special.ellipj(u, m, out, options) end

--- Carlson's symmetric elliptic integral R_C, elliprf(x, y, y); Cauchy's principal value of negative y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.elliprc.
---
--- ```lua
--- cn.special.elliprc(1, {2, -2}) --> [0.78539816 0.380173 ]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.elliprc(x, y, out, options) end

--- Carlson's symmetric elliptic integral R_F, that of the first kind; no number may be negative.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.elliprf.
---
--- ```lua
--- cn.special.elliprf(0, 1, {2, 3}) --> [1.31102878 1.17142008]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.elliprf(x, y, z, out, options) end

--- Carlson's symmetric elliptic integral R_D, elliprj(x, y, z, z).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.elliprd.
---
--- ```lua
--- cn.special.elliprd(0, 1, {2, 3}) --> [1.06793799 0.66491105]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.elliprd(x, y, z, out, options) end

--- Carlson's symmetric elliptic integral R_G, that of the second kind.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.elliprg.
---
--- ```lua
--- cn.special.elliprg(0, 1, {2, 3}) --> [0.95504945 1.09221907]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param z cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.elliprg(x, y, z, out, options) end

--- Carlson's symmetric elliptic integral R_J, that of the third kind; Cauchy's principal value of negative p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.elliprj.
---
--- ```lua
--- cn.special.elliprj(0, 1, 2, {3, -3}) --> [ 0.77688624 -0.88796628]
--- ```
---@param x cuna.Operand
---@param y cuna.Operand
---@param z cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.elliprj(x, y, z, p, out, options) end

--- Associated Legendre function of whole order m and real degree v, |x| <= 1 (DLMF 14.3), with the phase (-1)^m; slow where x is near -1 and v a fraction.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.lpmv.
---
--- ```lua
--- cn.special.lpmv(0, 2, {0.5, 1}) --> [-0.125 1. ]
--- ```
---@param m cuna.Operand
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.lpmv(m, v, x, out, options) end

--- Spherical harmonic of degree n and order m at the polar angle theta and azimuth phi (DLMF 14.30); complex.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.sph_harm_y.
---
--- ```lua
--- cn.special.sph_harm_y(1, 0, {0}, 0) --> [0.48860251+0.j]
--- ```
---@param n cuna.Operand
---@param m cuna.Operand
---@param theta cuna.Operand
---@param phi cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # complex
function special.sph_harm_y(n, m, theta, phi, out, options) end

--- sph_harm_y(n, m, phi, theta): older SciPy's order, in which theta is the azimuth and phi the polar angle.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.sph_harm.
---
--- ```lua
--- cn.special.sph_harm(0, 1, {0}, 0) --> [0.48860251+0.j]
--- ```
---@param m cuna.Operand
---@param n cuna.Operand
---@param theta cuna.Operand
---@param phi cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # complex
function special.sph_harm(m, n, theta, phi, out, options) end

--- Probability that chi square with v degrees of freedom is at most x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.chdtr.
---
--- ```lua
--- cn.special.chdtr(1, {1, 3.84}) --> [0.68268949 0.94995648]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.chdtr(v, x, out, options) end

--- Probability that chi square with v degrees of freedom exceeds x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.chdtrc.
---
--- ```lua
--- cn.special.chdtrc(1, {1, 3.84}) --> [0.31731051 0.05004352]
--- ```
---@param v cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.chdtrc(v, x, out, options) end

--- The x whose chdtrc(v, x) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.chdtri.
---
--- ```lua
--- cn.special.chdtri(1, {0.05, 0.01}) --> [3.84145882 6.6348966 ]
--- ```
---@param v cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.chdtri(v, p, out, options) end

--- Probability that a gamma variable of rate a and shape b is at most x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gdtr.
---
--- ```lua
--- cn.special.gdtr(1, 2, {1, 5}) --> [0.26424112 0.95957232]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gdtr(a, b, x, out, options) end

--- Probability that a gamma variable of rate a and shape b exceeds x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gdtrc.
---
--- ```lua
--- cn.special.gdtrc(1, 2, {1, 5}) --> [0.73575888 0.04042768]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gdtrc(a, b, x, out, options) end

--- The x whose gdtr(a, b, x) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gdtrix.
---
--- ```lua
--- cn.special.gdtrix(1, 2, {0.5}) --> [1.67834699]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gdtrix(a, b, p, out, options) end

--- The a whose gdtr(a, b, x) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gdtria.
---
--- ```lua
--- cn.special.gdtria({0.5}, 2, 1) --> [1.67834699]
--- ```
---@param p cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gdtria(p, b, x, out, options) end

--- Probability of at most k events, Poisson distributed with mean m.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.pdtr.
---
--- ```lua
--- cn.special.pdtr({0, 2}, 1) --> [0.36787944 0.9196986 ]
--- ```
---@param k cuna.Operand
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.pdtr(k, m, out, options) end

--- Probability of more than k events, Poisson distributed with mean m.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.pdtrc.
---
--- ```lua
--- cn.special.pdtrc({0, 2}, 1) --> [0.63212056 0.0803014 ]
--- ```
---@param k cuna.Operand
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.pdtrc(k, m, out, options) end

--- The m whose pdtr(k, m) is y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.pdtri.
---
--- ```lua
--- cn.special.pdtri({0, 2}, 0.5) --> [0.69314718 2.67406031]
--- ```
---@param k cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.pdtri(k, y, out, options) end

--- Probability that a beta variable is at most x: betainc.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.btdtr.
---
--- ```lua
--- cn.special.btdtr(2, 3, {0.5}) --> [0.6875]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.btdtr(a, b, x, out, options) end

--- The x whose btdtr(a, b, x) is p: betaincinv.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.btdtri.
---
--- ```lua
--- cn.special.btdtri(2, 3, {0.6875}) --> [0.5]
--- ```
---@param a cuna.Operand
---@param b cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.btdtri(a, b, p, out, options) end

--- Probability of at most k successes in n trials of probability p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.bdtr.
---
--- ```lua
--- cn.special.bdtr({0, 2}, 4, 0.5) --> [0.0625 0.6875]
--- ```
---@param k cuna.Operand
---@param n cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.bdtr(k, n, p, out, options) end

--- Probability of more than k successes in n trials of probability p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.bdtrc.
---
--- ```lua
--- cn.special.bdtrc({0, 2}, 4, 0.5) --> [0.9375 0.3125]
--- ```
---@param k cuna.Operand
---@param n cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.bdtrc(k, n, p, out, options) end

--- The p whose bdtr(k, n, p) is y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.bdtri.
---
--- ```lua
--- cn.special.bdtri({0, 2}, 4, 0.5) --> [0.15910358 0.61427243]
--- ```
---@param k cuna.Operand
---@param n cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.bdtri(k, n, y, out, options) end

--- Probability of at most k failures before n successes of probability p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nbdtr.
---
--- ```lua
--- cn.special.nbdtr({0, 2}, 2, 0.5) --> [0.25 0.6875]
--- ```
---@param k cuna.Operand
---@param n cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nbdtr(k, n, p, out, options) end

--- Probability of more than k failures before n successes of probability p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nbdtrc.
---
--- ```lua
--- cn.special.nbdtrc({0, 2}, 2, 0.5) --> [0.75 0.3125]
--- ```
---@param k cuna.Operand
---@param n cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nbdtrc(k, n, p, out, options) end

--- The p whose nbdtr(k, n, p) is y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nbdtri.
---
--- ```lua
--- cn.special.nbdtri({0, 2}, 2, 0.5) --> [0.70710678 0.38572757]
--- ```
---@param k cuna.Operand
---@param n cuna.Operand
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nbdtri(k, n, y, out, options) end

--- Probability that an F ratio is at most x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.fdtr.
---
--- ```lua
--- cn.special.fdtr(2, 10, {1, 4.1}) --> [0.59812243 0.94992245]
--- ```
---@param dfn cuna.Operand
---@param dfd cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.fdtr(dfn, dfd, x, out, options) end

--- Probability that an F ratio exceeds x.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.fdtrc.
---
--- ```lua
--- cn.special.fdtrc(2, 10, {1, 4.1}) --> [0.40187757 0.05007755]
--- ```
---@param dfn cuna.Operand
---@param dfd cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.fdtrc(dfn, dfd, x, out, options) end

--- The x whose fdtr(dfn, dfd, x) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.fdtri.
---
--- ```lua
--- cn.special.fdtri(2, 10, {0.5, 0.95}) --> [0.74349177 4.10282102]
--- ```
---@param dfn cuna.Operand
---@param dfd cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.fdtri(dfn, dfd, p, out, options) end

--- Probability that Student's t with df degrees of freedom is at most t.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.stdtr.
---
--- ```lua
--- cn.special.stdtr(10, {0, 2.228}) --> [0.5 0.97499411]
--- ```
---@param df cuna.Operand
---@param t cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.stdtr(df, t, out, options) end

--- The t whose stdtr(df, t) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.stdtrit.
---
--- ```lua
--- cn.special.stdtrit(10, {0.8, 0.975}) --> [0.87905783 2.22813885]
--- ```
---@param df cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.stdtrit(df, p, out, options) end

--- Probability that Kolmogorov's statistic of a great sample, the greatest distance times the root of its size, exceeds y.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:kolmogorov_().
--- Follows scipy.special.kolmogorov.
---
--- ```lua
--- cn.special.kolmogorov {0.5, 1} --> [0.96394524 0.26999967]
--- ```
---@param y cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.kolmogorov(y, out, options) end

--- Probability that Kolmogorov's statistic of a great sample, the greatest distance times the root of its size, exceeds y.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:kolmogorov_().
--- Follows scipy.special.kolmogorov.
---
--- ```lua
--- cn.special.kolmogorov {0.5, 1} --> [0.96394524 0.26999967]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:kolmogorov(out, options) end

--- Probability that Kolmogorov's statistic of a great sample, the greatest distance times the root of its size, exceeds y. In place.
---@return cuna.Array
function Array:kolmogorov_() end

--- The y whose kolmogorov is p.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:kolmogi_().
--- Follows scipy.special.kolmogi.
---
--- ```lua
--- cn.special.kolmogi {0.5, 0.05} --> [0.82757356 1.35809864]
--- ```
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.kolmogi(p, out, options) end

--- The y whose kolmogorov is p.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:kolmogi_().
--- Follows scipy.special.kolmogi.
---
--- ```lua
--- cn.special.kolmogi {0.5, 0.05} --> [0.82757356 1.35809864]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:kolmogi(out, options) end

--- The y whose kolmogorov is p. In place.
---@return cuna.Array
function Array:kolmogi_() end

--- The b whose gdtr(a, b, x) is p; by Chandrupatla's method (1997).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.gdtrib.
---
--- ```lua
--- cn.special.gdtrib(1, {0.5}, 2) --> [2.32348868]
--- ```
---@param a cuna.Operand
---@param p cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.gdtrib(a, p, x, out, options) end

--- The v whose chdtr(v, x) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.chdtriv.
---
--- ```lua
--- cn.special.chdtriv({0.5}, 2) --> [2.62850002]
--- ```
---@param p cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.chdtriv(p, x, out, options) end

--- The k, not rounded to a count, at which the probability pdtr(k, m) of at most k events is p; 0 where p is less than that of none.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.pdtrik.
---
--- ```lua
--- cn.special.pdtrik({0.5}, 2) --> [1.32348868]
--- ```
---@param p cuna.Operand
---@param m cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.pdtrik(p, m, out, options) end

--- The a whose btdtr(a, b, x) is p; by Chandrupatla's method (1997).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.btdtria.
---
--- ```lua
--- cn.special.btdtria({0.5}, 2, 0.3) --> [1.02493069]
--- ```
---@param p cuna.Operand
---@param b cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.btdtria(p, b, x, out, options) end

--- The b whose btdtr(a, b, x) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.btdtrib.
---
--- ```lua
--- cn.special.btdtrib(2, {0.5}, 0.3) --> [4.24670218]
--- ```
---@param a cuna.Operand
---@param p cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.btdtrib(a, p, x, out, options) end

--- The k, not rounded to a count, at which the probability bdtr(k, n, p) of at most k successes is y; 0 where y is less than that of none.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.bdtrik.
---
--- ```lua
--- cn.special.bdtrik({0.5}, 10, 0.3) --> [2.42930796]
--- ```
---@param y cuna.Operand
---@param n cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.bdtrik(y, n, p, out, options) end

--- The n, not rounded to a count, whose bdtr(k, n, p) is y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.bdtrin.
---
--- ```lua
--- cn.special.bdtrin(2, {0.5}, 0.3) --> [8.57109773]
--- ```
---@param k cuna.Operand
---@param y cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.bdtrin(k, y, p, out, options) end

--- The k, not rounded to a count, at which the probability nbdtr(k, n, p) of at most k failures is y; 0 where y is less than that of none.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nbdtrik.
---
--- ```lua
--- cn.special.nbdtrik({0.5}, 3, 0.4) --> [3.34021357]
--- ```
---@param y cuna.Operand
---@param n cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nbdtrik(y, n, p, out, options) end

--- The n whose nbdtr(k, n, p) is y.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nbdtrin.
---
--- ```lua
--- cn.special.nbdtrin(3, {0.5}, 0.4) --> [2.77277524]
--- ```
---@param k cuna.Operand
---@param y cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nbdtrin(k, y, p, out, options) end

--- The df whose stdtr(df, t) is p: infinity where p is beyond the normal distribution's, near which p determines few digits of df; NaN where p and t are on different sides of the middle.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.stdtridf.
---
--- ```lua
--- cn.special.stdtridf({0.8}, 1.2) --> [1.34507129]
--- ```
---@param p cuna.Operand
---@param t cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.stdtridf(p, t, out, options) end

--- The mean of the normal distribution with standard deviation std whose probability of at most x is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nrdtrimn.
---
--- ```lua
--- cn.special.nrdtrimn({0.8}, 2, 3) --> [1.31675753]
--- ```
---@param p cuna.Operand
---@param std cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nrdtrimn(p, std, x, out, options) end

--- The standard deviation of the normal distribution with mean mn whose probability of at most x is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nrdtrisd.
---
--- ```lua
--- cn.special.nrdtrisd(2, {0.8}, 3) --> [1.18818295]
--- ```
---@param mn cuna.Operand
---@param p cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nrdtrisd(mn, p, x, out, options) end

--- The dfd whose fdtr(dfn, dfd, x) is p; where several have p, one near 5, and where none has, 0 or infinity.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.fdtridfd.
---
--- ```lua
--- cn.special.fdtridfd(2, {0.5}, 0.8) --> [4.94751155]
--- ```
---@param dfn cuna.Operand
---@param p cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.fdtridfd(dfn, p, x, out, options) end

--- Probability that noncentral chi square with df degrees of freedom and noncentrality nc is at most x; nc to 1e11, in a time that grows as its root.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.chndtr.
---
--- ```lua
--- cn.special.chndtr({1, 5}, 3, 2) --> [0.08787311 0.59340518]
--- ```
---@param x cuna.Operand
---@param df cuna.Operand
---@param nc cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.chndtr(x, df, nc, out, options) end

--- The x whose chndtr(x, df, nc) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.chndtrix.
---
--- ```lua
--- cn.special.chndtrix({0.5}, 3, 2) --> [4.13751512]
--- ```
---@param p cuna.Operand
---@param df cuna.Operand
---@param nc cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.chndtrix(p, df, nc, out, options) end

--- The df whose chndtr(x, df, nc) is p; 0 where p is more than all have.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.chndtridf.
---
--- ```lua
--- cn.special.chndtridf(5, {0.5}, 2) --> [3.83736199]
--- ```
---@param x cuna.Operand
---@param p cuna.Operand
---@param nc cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.chndtridf(x, p, nc, out, options) end

--- The nc whose chndtr(x, df, nc) is p; 0 where p is more than all have, x < 1e10.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.chndtrinc.
---
--- ```lua
--- cn.special.chndtrinc(5, 3, {0.5}) --> [2.89852999]
--- ```
---@param x cuna.Operand
---@param df cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.chndtrinc(x, df, p, out, options) end

--- Probability that a noncentral F ratio with dfn and dfd degrees of freedom and noncentrality nc is at most f; nc to 1e11, in a time that grows as its root.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ncfdtr.
---
--- ```lua
--- cn.special.ncfdtr(2, 10, 3, {1, 4}) --> [0.24990655 0.74321325]
--- ```
---@param dfn cuna.Operand
---@param dfd cuna.Operand
---@param nc cuna.Operand
---@param f cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ncfdtr(dfn, dfd, nc, f, out, options) end

--- The f whose ncfdtr(dfn, dfd, nc, f) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ncfdtri.
---
--- ```lua
--- cn.special.ncfdtri(2, 10, 3, {0.5}) --> [2.15357492]
--- ```
---@param dfn cuna.Operand
---@param dfd cuna.Operand
---@param nc cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ncfdtri(dfn, dfd, nc, p, out, options) end

--- The dfd whose ncfdtr(dfn, dfd, nc, f) is p; where several have p, one near 5, and where none has, 0 or infinity.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ncfdtridfd.
---
--- ```lua
--- cn.special.ncfdtridfd(2, {0.4}, 3, 2) --> [1.8781005]
--- ```
---@param dfn cuna.Operand
---@param p cuna.Operand
---@param nc cuna.Operand
---@param f cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ncfdtridfd(dfn, p, nc, f, out, options) end

--- The dfn whose ncfdtr(dfn, dfd, nc, f) is p; where several have p, one near 5, and where none has, 0 or infinity.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ncfdtridfn.
---
--- ```lua
--- cn.special.ncfdtridfn({0.5}, 10, 3, 2) --> [2.3502228]
--- ```
---@param p cuna.Operand
---@param dfd cuna.Operand
---@param nc cuna.Operand
---@param f cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ncfdtridfn(p, dfd, nc, f, out, options) end

--- The nc whose ncfdtr(dfn, dfd, nc, f) is p; 0 where p is more than all have.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.ncfdtrinc.
---
--- ```lua
--- cn.special.ncfdtrinc(2, 10, {0.5}, 2) --> [2.70077133]
--- ```
---@param dfn cuna.Operand
---@param dfd cuna.Operand
---@param p cuna.Operand
---@param f cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.ncfdtrinc(dfn, dfd, p, f, out, options) end

--- Probability that noncentral t with df degrees of freedom and noncentrality nc is at most t, also exact where it is small; by Lenth's sums (1989), on the other side of nc by an integral; |nc| to 3e5.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nctdtr.
---
--- ```lua
--- cn.special.nctdtr(10, 1, {-1, 2}) --> [0.02680186 0.80761156]
--- ```
---@param df cuna.Operand
---@param nc cuna.Operand
---@param t cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nctdtr(df, nc, t, out, options) end

--- The t whose nctdtr(df, nc, t) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nctdtrit.
---
--- ```lua
--- cn.special.nctdtrit(10, 1, {0.5}) --> [1.02572092]
--- ```
---@param df cuna.Operand
---@param nc cuna.Operand
---@param p cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nctdtrit(df, nc, p, out, options) end

--- The df whose nctdtr(df, nc, t) is p; where several have p, one near 5, and where none has, 0 or infinity.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nctdtridf.
---
--- ```lua
--- cn.special.nctdtridf({0.7}, 1, 2) --> [1.87612612]
--- ```
---@param p cuna.Operand
---@param nc cuna.Operand
---@param t cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nctdtridf(p, nc, t, out, options) end

--- The nc, of either sign, whose nctdtr(df, nc, t) is p.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.nctdtrinc.
---
--- ```lua
--- cn.special.nctdtrinc(10, {0.5}, 2) --> [1.94784208]
--- ```
---@param df cuna.Operand
---@param p cuna.Operand
---@param t cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.nctdtrinc(df, p, t, out, options) end

--- Legendre polynomial P_n of whole degree n; of a negative one that of -1 - n.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_legendre.
---
--- ```lua
--- cn.special.eval_legendre(3, {0.5, 2}) --> [-0.4375 17. ]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_legendre(n, x, out, options) end

--- Legendre polynomial shifted to the interval from 0 to 1: eval_legendre(n, 2 x - 1).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_sh_legendre.
---
--- ```lua
--- cn.special.eval_sh_legendre(3, {0.5, 2}) --> [ 0. 63.]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_sh_legendre(n, x, out, options) end

--- Chebyshev polynomial T_n of the first kind, of whole degree n; of a negative one that of -n.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_chebyt.
---
--- ```lua
--- cn.special.eval_chebyt(3, {0.5, 2}) --> [-1. 26.]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_chebyt(n, x, out, options) end

--- Chebyshev polynomial U_n of the second kind, of whole degree n from 0 on.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_chebyu.
---
--- ```lua
--- cn.special.eval_chebyu(3, {0.5, 2}) --> [-1. 56.]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_chebyu(n, x, out, options) end

--- Chebyshev polynomial C_n on the interval from -2 to 2: 2 eval_chebyt(n, x / 2).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_chebyc.
---
--- ```lua
--- cn.special.eval_chebyc(3, {0.5, 2}) --> [-1.375 2. ]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_chebyc(n, x, out, options) end

--- Chebyshev polynomial S_n on the interval from -2 to 2: eval_chebyu(n, x / 2).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_chebys.
---
--- ```lua
--- cn.special.eval_chebys(3, {0.5, 2}) --> [-0.875 4. ]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_chebys(n, x, out, options) end

--- Chebyshev polynomial shifted to the interval from 0 to 1: eval_chebyt(n, 2 x - 1).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_sh_chebyt.
---
--- ```lua
--- cn.special.eval_sh_chebyt(3, {0.5, 2}) --> [ 0. 99.]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_sh_chebyt(n, x, out, options) end

--- Chebyshev polynomial shifted to the interval from 0 to 1: eval_chebyu(n, 2 x - 1).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_sh_chebyu.
---
--- ```lua
--- cn.special.eval_sh_chebyu(3, {0.5, 2}) --> [ 0. 204.]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_sh_chebyu(n, x, out, options) end

--- Hermite polynomial H_n of whole degree n, of the weight exp(-x^2).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_hermite.
---
--- ```lua
--- cn.special.eval_hermite(3, {0.5, 2}) --> [-5. 40.]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_hermite(n, x, out, options) end

--- Hermite polynomial He_n of whole degree n, of the weight exp(-x^2 / 2).
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_hermitenorm.
---
--- ```lua
--- cn.special.eval_hermitenorm(3, {0.5, 2}) --> [-1.375 2. ]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_hermitenorm(n, x, out, options) end

--- Laguerre polynomial L_n of whole degree n.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_laguerre.
---
--- ```lua
--- cn.special.eval_laguerre(3, {0.5, 2}) --> [-0.14583333 -0.33333333]
--- ```
---@param n cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_laguerre(n, x, out, options) end

--- Laguerre polynomial of whole degree n and parameter alpha > -1.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_genlaguerre.
---
--- ```lua
--- cn.special.eval_genlaguerre(3, 0.5, {0.5, 2}) --> [ 0.41666667 -0.89583333]
--- ```
---@param n cuna.Operand
---@param alpha cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_genlaguerre(n, alpha, x, out, options) end

--- Gegenbauer polynomial of whole degree n and parameter alpha.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_gegenbauer.
---
--- ```lua
--- cn.special.eval_gegenbauer(3, 0.5, {0.5, 2}) --> [-0.4375 17. ]
--- ```
---@param n cuna.Operand
---@param alpha cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_gegenbauer(n, alpha, x, out, options) end

--- Jacobi polynomial of whole degree n and parameters alpha and beta.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_jacobi.
---
--- ```lua
--- cn.special.eval_jacobi(3, 1, 2, {0.5, 2}) --> [-0.8125 63.5 ]
--- ```
---@param n cuna.Operand
---@param alpha cuna.Operand
---@param beta cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_jacobi(n, alpha, beta, x, out, options) end

--- Jacobi polynomial shifted to the interval from 0 to 1, with the first coefficient 1.
--- Computes with floats. Integers and bools become the default float.
--- Follows scipy.special.eval_sh_jacobi.
---
--- ```lua
--- cn.special.eval_sh_jacobi(3, 1, 2, {0.5, 2}) --> [0.025 2.2 ]
--- ```
---@param n cuna.Operand
---@param p cuna.Operand
---@param q cuna.Operand
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function special.eval_sh_jacobi(n, p, q, x, out, options) end

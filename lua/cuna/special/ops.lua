--- ops.lua: the table of special functions, elementwise operations like those of cuna's ops.lua, which lists the fields
-- of rows. Loaded when cn.special is first named, or an unknown method of arrays.
--
-- Rows compute in floats, by the function special::<name> of kernels/special_*.cuh, and integers become the default
-- float. Those of one operand have methods. Fields more:
--   of             the namespace of the function ["special"]; a text of that name is in the units only that need it.
--                  All but "special" say that functions are called, which is why kernels of many lanes have them alone
--   operands       the names of the operands in documentation ["x", or x1 x2 ...]
local complete = require("cuna.base.rows").complete
local later = require "cuna.base.later"

local rows = {
  -- error functions and the normal distribution (kernels/special_error.cuh)
  {name = "erf", doc = "Error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.",
    usage = {"cn.special.erf {0, 0.5, 3} --> [0. 0.52049988 0.99997791]"}},
  {name = "erfc", doc = "1 - erf(x), also exact where erf is near 1; after Shepherd and Laframboise (1981).",
    usage = {"cn.special.erfc {0, 5} --> [1.00000000e+00 1.53745979e-12]"}},
  {name = "erfcx", doc = "exp(x^2) erfc(x), also where erfc is 0; after Shepherd and Laframboise (1981).",
    usage = {"cn.special.erfcx {0, 30} --> [1. 0.01879589]"}},
  {name = "erfinv", doc = "The number whose erf is x, from -1 to 1; after Giles (2010).",
    usage = {"cn.special.erfinv {0, 0.5} --> [0. 0.47693628]"}},
  {name = "erfcinv", doc = "The number whose erfc is x, from 0 to 2; after Giles (2010).",
    usage = {"cn.special.erfcinv {1, 0.5} --> [0. 0.47693628]"}},
  {name = "ndtr", doc = "Probability that a standard normal variable is at most x.",
    usage = {"cn.special.ndtr {-1.96, 0, 1.96} --> [0.0249979 0.5 0.9750021]"}},
  {name = "log_ndtr", doc = "Logarithm of ndtr(x), also where ndtr is 0.",
    usage = {"cn.special.log_ndtr {0, -40} --> [-6.93147181e-01 -8.04608442e+02]"}},
  {name = "ndtri", operands = "p", doc = "The number whose ndtr is p.",
    usage = {"cn.special.ndtri {0.8, 0.975} --> [0.84162123 1.95996398]"}},

  {name = "ndtri_exp", operands = "y", of = "calling",
    doc = "The number whose log_ndtr is y; by Newton's method below -5.",
    usage = {"cn.special.ndtri_exp {-1, -800} --> [ -0.33747496 -39.88469484]"}},
  {name = "owens_t", nargs = 2, operands = "h a", of = "calling",
    doc = "Owen's T function: exp(-h^2 (1 + x^2) / 2) / (1 + x^2) / (2 pi), integrated over x from 0 to a; by the rule "
      .. "of Gauss and Legendre.", usage = {"cn.special.owens_t(1, {0.5, 2}) --> [0.04306469 0.07846819]"}},
  {name = "tklmbda", nargs = 2, operands = "x lmbda", of = "calling",
    doc = "Probability that a variable distributed as Tukey's lambda is at most x: the p with "
      .. "(p^lmbda - (1 - p)^lmbda) / lmbda = x.",
    usage = {"cn.special.tklmbda(1, {-1, 0, 0.5}) --> [0.61803399 0.73105858 0.83071891]"}},

  -- angles in degrees (kernels/special_degrees.cuh)
  {name = "sindg", doc = "Sine of x degrees; 0 beyond 1e14.",
    usage = {"cn.special.sindg {30, 180} --> [0.5 0. ]"}},
  {name = "cosdg", doc = "Cosine of x degrees; 0 beyond 1e14.",
    usage = {"cn.special.cosdg {60, 90} --> [0.5 0. ]"}},
  {name = "tandg", doc = "Tangent of x degrees, infinity at its poles; 0 beyond 1e14.",
    usage = {"cn.special.tandg {45, 180} --> [1. 0.]"}},
  {name = "cotdg", doc = "Cotangent of x degrees, infinity at its poles; 0 beyond 1e14.",
    usage = {"cn.special.cotdg {45, 90} --> [1. 0.]"}},
  {name = "radian", nargs = 3, operands = "d m s", doc = "Degrees, minutes and seconds in radians.",
    usage = {"cn.special.radian({180, 1}, 30, 0) --> [3.1503193 0.02617994]"}},

  -- Faddeeva's function (kernels/special_faddeeva.cuh, special_wofz.cuh)
  {name = "wofz", operands = "z", of = "faddeeva", rule = "complex", kinds = "c",
    doc = "Faddeeva's function exp(-z^2) erfc(-i z), complex of real z too; by modified trapezoidal rules, after Al "
      .. "Azah and Chandler-Wilde (2021).", usage = {"cn.special.wofz {0, 1} --> [1. +0.j 0.36787944+0.60715771j]"}},
  {name = "voigt_profile", nargs = 3, operands = "x sigma gamma", of = "faddeeva",
    doc = "Voigt's profile at x: the density of a normal variable of standard deviation sigma plus a Cauchy variable "
      .. "of scale gamma.", usage = {"cn.special.voigt_profile({0, 2}, 1, 0.5) --> [0.27895547 0.08242408]"}},
  {name = "dawsn", of = "faddeeva", doc = "Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x.",
    usage = {"cn.special.dawsn {0.5, 3} --> [0.42443638 0.17827103]"}},
  {name = "erfi", of = "faddeeva",
    doc = "Imaginary error function, 2/sqrt(pi) times the integral of exp(t^2) from 0 to x.",
    usage = {"cn.special.erfi {0.5, 3} --> [6.14952095e-01 1.62999462e+03]"}},

  -- powers and logarithms (kernels/special_powers.cuh)
  {name = "powm1", nargs = 2, operands = "x y", of = "powers", doc = "x^y - 1, also exact where it is small.",
    usage = {"cn.special.powm1(2, {0, 1e-10, 3}) --> [0.00000000e+00 6.93147181e-11 7.00000000e+00]"}},
  {name = "agm", nargs = 2, operands = "a b", of = "powers",
    doc = "Arithmetic-geometric mean; NaN where a and b have different signs.",
    usage = {"cn.special.agm(1, {1, 4}) --> [1. 2.24302858]"}},
  {name = "spence", operands = "z", of = "powers",
    doc = "Spence's integral of log(t) / (1 - t) from 1 to z, the dilogarithm of 1 - z.",
    usage = {"cn.special.spence {0, 1, 2} --> [ 1.64493407 0. -0.82246703]"}},

  -- logistic functions, entropies, losses, Box-Cox transformations (kernels/special_logistic.cuh)
  {name = "expit", alias = {"sigmoid"}, doc = "1 / (1 + exp(-x)), the logistic function.",
    usage = {"cn.special.expit {-1, 0, 1} --> [0.26894142 0.5 0.73105858]"}},
  {name = "logit", operands = "p", doc = "log(p / (1 - p)), the inverse of expit.",
    usage = {"cn.special.logit {0.5, 0.75} --> [0. 1.09861229]"}},
  {name = "log_expit", doc = "Logarithm of expit(x), also where expit is 0.",
    usage = {"cn.special.log_expit {0, -1000} --> [-6.93147181e-01 -1.00000000e+03]"}},
  {name = "softplus", doc = "log(1 + exp(x)), without overflow.",
    usage = {"cn.special.softplus {-40, 0, 800} --> [4.24835426e-18 6.93147181e-01 8.00000000e+02]"}},
  {name = "exp10", doc = "10 to the power of x.", usage = {"cn.special.exp10 {0, 2} --> [ 1. 100.]"}},
  {name = "exprel", doc = "(exp(x) - 1) / x, and 1 at 0.", usage = {"cn.special.exprel {0, 1} --> [1. 1.71828183]"}},
  {name = "entr", doc = "-x log(x), 0 at 0 and -infinity below: a term of an entropy.",
    usage = {"cn.special.entr {0, 0.5} --> [0. 0.34657359]"}},
  {name = "xlogy", nargs = 2, operands = "x y", doc = "x log(y), and 0 where x is 0.",
    usage = {"cn.special.xlogy({0, 2}, {0, 3}) --> [0. 2.19722458]"}},
  {name = "xlog1py", nargs = 2, operands = "x y", doc = "x log(1 + y), and 0 where x is 0.",
    usage = {"cn.special.xlog1py({0, 2}, {-1, 3}) --> [0. 2.77258872]"}},
  {name = "rel_entr", nargs = 2, operands = "x y",
    doc = "x log(x / y), 0 where x is 0 and infinity where one is negative: a term of a relative entropy.",
    usage = {"cn.special.rel_entr({0.5, 0.5}, {0.25, 0.75}) --> [ 0.34657359 -0.20273255]"}},
  {name = "kl_div", nargs = 2, operands = "x y",
    doc = "x log(x / y) - x + y, y where x is 0 and infinity where one is negative; exact where x is near y.",
    usage = {"cn.special.kl_div({0.5, 0}, {0.25, 0.75}) --> [0.09657359 0.75 ]"}},
  {name = "huber", nargs = 2, operands = "delta r",
    doc = "Huber's loss: r^2 / 2 up to |r| = delta, then delta (|r| - delta / 2).",
    usage = {"cn.special.huber(1, {0.5, 3}) --> [0.125 2.5 ]"}},
  {name = "pseudo_huber", nargs = 2, operands = "delta r",
    doc = "delta^2 (sqrt(1 + (r / delta)^2) - 1), a smooth form of Huber's loss.",
    usage = {"cn.special.pseudo_huber(1, {0.5, 3}) --> [0.11803399 2.16227766]"}},
  {name = "boxcox", nargs = 2, operands = "x lmbda",
    doc = "Transformation of Box and Cox: (x^lmbda - 1) / lmbda, and log(x) for lmbda = 0.",
    usage = {"cn.special.boxcox({1, 4}, {{0.5}, {0}}) --> [[0. 2. ] [0. 1.38629436]]"}},
  {name = "boxcox1p", nargs = 2, operands = "x lmbda", doc = "boxcox(1 + x, lmbda), also exact for small x.",
    usage = {"cn.special.boxcox1p({0, 3}, 0.5) --> [0. 2.]"}},
  {name = "inv_boxcox", nargs = 2, operands = "y lmbda", doc = "The number whose boxcox is y.",
    usage = {"cn.special.inv_boxcox({0, 2}, 0.5) --> [1. 4.]"}},
  {name = "inv_boxcox1p", nargs = 2, operands = "y lmbda", doc = "The number whose boxcox1p is y.",
    usage = {"cn.special.inv_boxcox1p({0, 2}, 0.5) --> [0. 3.]"}},

  -- gamma functions (kernels/special_gamma.cuh, special_beta.cuh)
  {name = "gamma", kinds = "fc",
    doc = "Gamma function, (x - 1)! of whole x, exact up to 18!; by Stirling's series (DLMF 5.11).",
    usage = {"cn.special.gamma {0.5, 5} --> [ 1.77245385 24. ]"}},
  {name = "gammaln", alias = {"lgamma"}, doc = "Logarithm of |gamma(x)|.",
    usage = {"cn.special.gammaln {0.5, 200} --> [5.72364943e-01 8.57933670e+02]"}},
  {name = "loggamma", kinds = "fc",
    doc = "Logarithm of gamma(x), and NaN where x is negative; of complex numbers its principal branch (DLMF 5.2).",
    usage = {"cn.special.loggamma {0.5, 200} --> [5.72364943e-01 8.57933670e+02]"}},
  {name = "gammasgn", doc = "Sign of gamma(x), 0 at its poles.",
    usage = {"cn.special.gammasgn {0.5, -0.5} --> [ 1. -1.]"}},
  {name = "rgamma", doc = "1 / gamma(x), and 0 at the poles.",
    usage = {"cn.special.rgamma {0, 5} --> [0. 0.04166667]"}},
  {name = "digamma", kinds = "fc", alias = {"psi"}, doc = "Derivative of the logarithm of gamma.",
    usage = {"cn.special.digamma {1, 10} --> [-0.57721566 2.25175259]"}},
  {name = "polygamma", nargs = 2, operands = "n x", of = "calling",
    doc = "The derivative of digamma of order n, a whole number (DLMF 5.15).",
    usage = {"cn.special.polygamma(1, {1, 10}) --> [1.64493407 0.10516634]"}},
  {name = "riemann_zeta", of = "calling", source = "scipy.special.zeta",
    doc = "Riemann's zeta function, for all real x; by Euler's and Maclaurin's summation (DLMF 25.11) and reflection.",
    usage = {"cn.special.riemann_zeta {2, 4} --> [1.64493407 1.08232323]"}},
  {name = "zetac", of = "calling", doc = "riemann_zeta(x) - 1, also exact for great x.",
    usage = {"cn.special.zetac {2, 50} --> [6.44934067e-01 8.88178421e-16]"}},
  {name = "zeta", nargs = 2, operands = "x q", of = "calling", doc = "Hurwitz' zeta function.",
    usage = {"cn.special.zeta({2, 2}, {1, 3}) --> [1.64493407 0.39493407]"}},
  {name = "beta", nargs = 2, operands = "a b", of = "calling", doc = "gamma(a) gamma(b) / gamma(a + b).",
    usage = {"cn.special.beta({2}, {3}) --> [0.08333333]"}},
  {name = "betaln", nargs = 2, operands = "a b", of = "calling", doc = "Logarithm of |beta(a, b)|.",
    usage = {"cn.special.betaln({2}, {300}) --> [-11.41089274]"}},
  {name = "poch", nargs = 2, operands = "x m", of = "calling",
    doc = "gamma(x + m) / gamma(x), Pochhammer's symbol: x (x + 1) ... (x + m - 1).",
    usage = {"cn.special.poch({5}, {3}) --> [210.]"}},
  {name = "binom", nargs = 2, operands = "n k", of = "calling",
    doc = "Binomial coefficient of real numbers; of few whole ones exact.",
    usage = {"cn.special.binom({5, 2.5}, {2, 1}) --> [10. 2.5]"}},
  {name = "comb", nargs = 2, operands = "n k", of = "calling",
    doc = "The number of ways to choose k of n, binom(n, k), and 0 unless k is from 0 to n.",
    usage = {"cn.special.comb({5, 5, 5}, {2, 5, 6}) --> [10. 1. 0.]"}},
  {name = "perm", nargs = 2, operands = "n k", of = "calling",
    doc = "The number of ordered choices of k of n, n! / (n - k)!, and 0 unless k is from 0 to n.",
    usage = {"cn.special.perm({5, 5, 5}, {2, 5, 6}) --> [ 20. 120. 0.]"}},
  {name = "factorial", doc = "n!, gamma(n + 1) of real n, and 0 of n below 0.",
    usage = {"cn.special.factorial {0, 5, -1} --> [ 1. 120. 0.]"}},

  -- the incomplete gamma function (kernels/special_incomplete.cuh)
  {name = "gammainc", nargs = 2, operands = "a x", of = "calling",
    doc = "Regularised lower incomplete gamma function; by series, continued fraction and Temme's expansion (1979).",
    usage = {"cn.special.gammainc(2, {0, 1, 5}) --> [0. 0.26424112 0.95957232]"}},
  {name = "gammaincc", nargs = 2, operands = "a x", of = "calling",
    doc = "1 - gammainc(a, x), also exact where it is small.",
    usage = {"cn.special.gammaincc(2, {0, 1, 5}) --> [1. 0.73575888 0.04042768]"}},
  {name = "gammaincinv", nargs = 2, operands = "a p", of = "calling",
    doc = "The x whose gammainc(a, x) is p; by Newton's method, where a is small in twice the digits.",
    usage = {"cn.special.gammaincinv(2, {0, 0.5}) --> [0. 1.67834699]"}},
  {name = "gammainccinv", nargs = 2, operands = "a q", of = "calling",
    doc = "The x whose gammaincc(a, x) is q; by Newton's method.",
    usage = {"cn.special.gammainccinv(2, {1, 0.5}) --> [0. 1.67834699]"}},

  -- the incomplete beta function (kernels/special_betainc.cuh)
  {name = "betainc", nargs = 3, operands = "a b x", of = "calling",
    doc = "Regularised incomplete beta function; by series and the continued fraction of DiDonato and Morris (1992).",
    usage = {"cn.special.betainc(2, 3, {0, 0.5, 1}) --> [0. 0.6875 1. ]"}},
  {name = "betaincc", nargs = 3, operands = "a b x", of = "calling",
    doc = "1 - betainc(a, b, x), also exact where it is small.",
    usage = {"cn.special.betaincc(2, 3, {0, 0.5, 1}) --> [1. 0.3125 0. ]"}},
  {name = "betaincinv", nargs = 3, operands = "a b y", of = "calling",
    doc = "The x whose betainc(a, b, x) is y; by Newton's method, where a or b is small in twice the digits.",
    usage = {"cn.special.betaincinv(2, 3, {0.6875}) --> [0.5]"}},
  {name = "betainccinv", nargs = 3, operands = "a b y", of = "calling",
    doc = "The x whose betaincc(a, b, x) is y; by Newton's method.",
    usage = {"cn.special.betainccinv(2, 3, {0.3125}) --> [0.5]"}},

  -- integrals (kernels/special_integral.cuh)
  {name = "cosm1", doc = "cos(x) - 1, also exact for small x; |x| < 1e15.",
    usage = {"cn.special.cosm1 {0, 1} --> [ 0. -0.45969769]"}},
  {name = "exp1", of = "calling",
    doc = "Exponential integral E1 of x > 0 (DLMF 6.2); by series and continued fraction.",
    usage = {"cn.special.exp1 {0.5, 1} --> [0.55977359 0.21938393]"}},
  {name = "expi", of = "calling", doc = "Exponential integral Ei (DLMF 6.2).",
    usage = {"cn.special.expi {0.5, 1} --> [0.4542199 1.89511782]"}},
  {name = "expn", nargs = 2, operands = "n x", of = "calling",
    doc = "Exponential integral of whole order n (DLMF 8.19).",
    usage = {"cn.special.expn(2, {0.5, 1}) --> [0.32664386 0.14849551]"}},
  {name = "sici", expr = {"calling::sici_sine(a)", "calling::sici_cosine(a)"},
    doc = "Sine integral Si(x) and cosine integral Ci(|x|) (DLMF 6.2); around the zeros of Ci from 6 on the error is "
      .. "relative to 1 / x.",
    usage = {"cn.special.sici {1} --> [0.94608307], [0.33740392]"}},
  {name = "shichi", expr = {"calling::shichi_sine(a)", "calling::shichi_cosine(a)"},
    doc = "Hyperbolic sine and cosine integrals Shi(x) and Chi(|x|) (DLMF 6.2).",
    usage = {"cn.special.shichi {1} --> [1.05725088], [0.83786694]"}},

  -- Bessel functions (kernels/special_bessel.cuh, special_bessel_ik.cuh)
  {name = "j0", doc = "Bessel function of the first kind of order 0 (DLMF 10.2); 0 from 1e15 on.",
    usage = {"cn.special.j0 {0, 1} --> [1. 0.76519769]"}},
  {name = "j1", doc = "Bessel function of the first kind of order 1; 0 from 1e15 on.",
    usage = {"cn.special.j1 {0, 1} --> [0. 0.44005059]"}},
  {name = "y0", doc = "Bessel function of the second kind of order 0; 0 from 1e15 on.",
    usage = {"cn.special.y0 {1, 2} --> [0.08825696 0.51037567]"}},
  {name = "y1", doc = "Bessel function of the second kind of order 1; 0 from 1e15 on.",
    usage = {"cn.special.y1 {1, 2} --> [-0.78121282 -0.10703243]"}},
  {name = "i0e", doc = "exp(-|x|) i0(x), of the modified Bessel function of order 0 (DLMF 10.25).",
    usage = {"cn.special.i0e {0, 1} --> [1. 0.46575961]"}},
  {name = "i1", doc = "Modified Bessel function of the first kind of order 1 (DLMF 10.25).",
    usage = {"cn.special.i1 {0, 1} --> [0. 0.5651591]"}},
  {name = "i1e", doc = "exp(-|x|) i1(x).", usage = {"cn.special.i1e {0, 1} --> [0. 0.20791042]"}},
  {name = "k0", doc = "Modified Bessel function of the second kind of order 0 (DLMF 10.25).",
    usage = {"cn.special.k0 {1, 2} --> [0.42102444 0.11389387]"}},
  {name = "k0e", doc = "exp(x) k0(x).", usage = {"cn.special.k0e {1, 2} --> [1.14446308 0.84156822]"}},
  {name = "k1", doc = "Modified Bessel function of the second kind of order 1.",
    usage = {"cn.special.k1 {1, 2} --> [0.60190723 0.13986588]"}},
  {name = "k1e", doc = "exp(x) k1(x).", usage = {"cn.special.k1e {1, 2} --> [1.63615349 1.03347685]"}},

  -- Bessel functions of real order (kernels/special_order.cuh, special_order_ik.cuh)
  {name = "jv", nargs = 2, operands = "v x", of = "bessel", alias = {"jn", "jve"},
    doc = "Bessel function of the first kind of real order v (DLMF 10.2); NaN of fractional orders at negative x, and "
      .. "of orders beyond 16384 unless x^2 < 16 v or v^2 < 32 x.",
    usage = {"cn.special.jv(0.5, {1, 2}) --> [0.67139671 0.51301614]"}},
  {name = "yv", nargs = 2, operands = "v x", of = "bessel", alias = {"yve"},
    doc = "Bessel function of the second kind of real order v, x >= 0 (DLMF 10.2); of great orders as jv.",
    usage = {"cn.special.yv(0.5, {1, 2}) --> [-0.43109887 0.23478571]"}},
  {name = "iv", nargs = 2, operands = "v x", of = "modified",
    doc = "Modified Bessel function of the first kind of real order v (DLMF 10.25); NaN of fractional orders at "
      .. "negative x, and of orders beyond 16384 unless x^2 < 64 v or v^2 < 16 x.",
    usage = {"cn.special.iv(0.5, {1, 2}) --> [0.93767489 2.04623686]"}},
  {name = "ive", nargs = 2, operands = "v x", of = "modified", doc = "exp(-|x|) iv(v, x).",
    usage = {"cn.special.ive(0.5, {1, 2}) --> [0.34495131 0.27692805]"}},
  {name = "kv", nargs = 2, operands = "v x", of = "modified",
    doc = "Modified Bessel function of the second kind of real order v, x >= 0 (DLMF 10.25).",
    usage = {"cn.special.kv(0.5, {1, 2}) --> [0.4610685 0.11993777]"}},
  {name = "kve", nargs = 2, operands = "v x", of = "modified", doc = "exp(x) kv(v, x).",
    usage = {"cn.special.kve(0.5, {1, 2}) --> [1.25331414 0.88622693]"}},

  {name = "yn", nargs = 2, operands = "n x", expr = "bessel::yv(trunc(a), b)",
    doc = "yv of whole order n; digits of n after the point do not count.",
    usage = {"cn.special.yn(1, {1, 2}) --> [-0.78121282 -0.10703243]"}},

  {name = "kn", nargs = 2, operands = "n x", expr = "modified::kv(trunc(a), b)",
    doc = "kv of whole order n; digits of n after the point do not count.",
    usage = {"cn.special.kn(1, {1, 2}) --> [0.60190723 0.13986588]"}},
  {name = "hankel1", nargs = 2, operands = "v x", of = "bessel", results = {"complex"},
    doc = "Hankel function of the first kind, jv(v, x) + i yv(v, x); complex.",
    usage = {"cn.special.hankel1(0, {1}) --> [0.76519769+0.08825696j]"}},
  {name = "hankel2", nargs = 2, operands = "v x", of = "bessel", results = {"complex"},
    doc = "Hankel function of the second kind, jv(v, x) - i yv(v, x); complex.",
    usage = {"cn.special.hankel2(0, {1}) --> [0.76519769-0.08825696j]"}},
  {name = "hankel1e", nargs = 2, operands = "v x", of = "bessel", results = {"complex"},
    doc = "exp(-i x) hankel1(v, x).", usage = {"cn.special.hankel1e(0, {1}) --> [0.48770375-0.59620621j]"}},
  {name = "hankel2e", nargs = 2, operands = "v x", of = "bessel", results = {"complex"},
    doc = "exp(i x) hankel2(v, x).", usage = {"cn.special.hankel2e(0, {1}) --> [0.48770375+0.59620621j]"}},

  -- Airy functions, Fresnel's integrals (kernels/special_airy.cuh)
  {name = "airy", operands = "z", expr = {"airy::ai(a)", "airy::ai_prime(a)", "airy::bi(a)", "airy::bi_prime(a)"},
    doc = "Airy functions Ai, its derivative, Bi, and its derivative (DLMF 9.2); 0 below -1e10.",
    usage = {"cn.special.airy {1} --> [0.13529242], [-0.15914744], [1.20742359], [0.93243593]"}},
  {name = "airye", operands = "z",
    expr = {"airy::scaled_ai(a)", "airy::scaled_ai_prime(a)", "airy::scaled_bi(a)", "airy::scaled_bi_prime(a)"},
    doc = "The four of airy: Ai and its derivative times exp(2/3 z^(3/2)), and NaN at negative z; Bi and its "
      .. "derivative times exp(-2/3 z^(3/2)) where z is positive.",
    usage = {"cn.special.airye {1} --> [0.26351364], [-0.30997689], [0.61991194], [0.47872857]"}},
  {name = "fresnel", operands = "z", expr = {"airy::fresnel_sine(a)", "airy::fresnel_cosine(a)"},
    doc = "Fresnel's integrals of sin(pi t^2 / 2) and cos(pi t^2 / 2) from 0 to z.",
    usage = {"cn.special.fresnel {1} --> [0.43825915], [0.7798934]"}},

  -- spherical Bessel functions (kernels/special_spherical.cuh)
  {name = "spherical_jn", nargs = 2, operands = "n z", of = "spherical", doc = "j of the whole degree n.",
    usage = {"cn.special.spherical_jn(1, {1, 2}) --> [0.30116868 0.43539777]"}},
  {name = "spherical_jn_prime", nargs = 2, operands = "n z", of = "spherical", doc = "Derivative of spherical_jn.",
    source = "scipy.special.spherical_jn",
    usage = {"cn.special.spherical_jn_prime(1, {1, 2}) --> [0.23913363 0.01925094]"}},
  {name = "spherical_yn", nargs = 2, operands = "n z", of = "spherical", doc = "y of the whole degree n.",
    usage = {"cn.special.spherical_yn(1, {1, 2}) --> [-1.38177329 -0.350612 ]"}},
  {name = "spherical_yn_prime", nargs = 2, operands = "n z", of = "spherical", doc = "Derivative of spherical_yn.",
    source = "scipy.special.spherical_yn",
    usage = {"cn.special.spherical_yn_prime(1, {1, 2}) --> [2.22324428 0.55868542]"}},
  {name = "spherical_in", nargs = 2, operands = "n z", of = "spherical", doc = "i of the whole degree n.",
    usage = {"cn.special.spherical_in(1, {1, 2}) --> [0.36787944 0.97438274]"}},
  {name = "spherical_in_prime", nargs = 2, operands = "n z", of = "spherical", doc = "Derivative of spherical_in.",
    source = "scipy.special.spherical_in",
    usage = {"cn.special.spherical_in_prime(1, {1, 2}) --> [0.43944231 0.83904746]"}},
  {name = "spherical_kn", nargs = 2, operands = "n z", of = "spherical", doc = "k of the whole degree n.",
    usage = {"cn.special.spherical_kn(1, {1, 2}) --> [1.15572735 0.15943812]"}},
  {name = "spherical_kn_prime", nargs = 2, operands = "n z", of = "spherical", doc = "Derivative of spherical_kn.",
    source = "scipy.special.spherical_kn",
    usage = {"cn.special.spherical_kn_prime(1, {1, 2}) --> [-2.88931837 -0.26573021]"}},
  {name = "wright_bessel", nargs = 3, operands = "a b x", of = "parameter",
    doc = "Wright's generalised Bessel function of a, b and x from 0 on: the sum over k of x^k / (k! gamma(a k + b)).",
    usage = {"cn.special.wright_bessel(1, 1, {1, 4}) --> [ 2.2795853 11.30192195]"}},

  -- hypergeometric functions (kernels/special_hypergeometric.cuh)
  {name = "hyp0f1", nargs = 2, operands = "v z", of = "hypergeometric",
    doc = "Confluent hypergeometric limit function 0F1: the sum of z^k / ((v)_k k!).",
    usage = {"cn.special.hyp0f1(1.5, {-1, 2}) --> [0.45464871 2.9804061 ]"}},
  {name = "hyp1f1", nargs = 3, operands = "a b x", of = "hypergeometric",
    doc = "Confluent hypergeometric function 1F1 (DLMF 13.2), in twice the digits; NaN where more of them cancel.",
    usage = {"cn.special.hyp1f1(0.5, 1.5, {-1, 2}) --> [0.74682413 2.36445389]"}},
  {name = "hyp2f1", nargs = 4, operands = "a b c z", of = "hypergeometric",
    doc = "Gauss' hypergeometric function 2F1 of z up to 1 (DLMF 15.2), in twice the digits; NaN where more of them "
      .. "cancel.", usage = {"cn.special.hyp2f1(0.5, 1, 1.5, {-1, 0.5}) --> [0.78539816 1.24645048]"}},

  -- complete elliptic integrals (kernels/special_elliptic.cuh)
  {name = "ellipk", operands = "m",
    doc = "Complete elliptic integral of the first kind, by the arithmetic-geometric mean (DLMF 19.8).",
    usage = {"cn.special.ellipk {0, 0.5} --> [1.57079633 1.85407468]"}},
  {name = "ellipkm1", operands = "p", doc = "ellipk(1 - p), also exact for small p.",
    usage = {"cn.special.ellipkm1 {1, 0.5} --> [1.57079633 1.85407468]"}},
  {name = "ellipe", operands = "m", doc = "Complete elliptic integral of the second kind (DLMF 19.8).",
    usage = {"cn.special.ellipe {0, 0.5} --> [1.57079633 1.35064388]"}},

  -- incomplete elliptic integrals, Jacobi's functions (kernels/special_incomplete_elliptic.cuh)
  {name = "ellipkinc", nargs = 2, operands = "phi m", of = "elliptic",
    doc = "Incomplete elliptic integral of the first kind of amplitude phi and parameter m <= 1 (DLMF 19.2), by "
      .. "Carlson's duplication (19.36).", usage = {"cn.special.ellipkinc({1}, 0.5) --> [1.08321677]"}},
  {name = "ellipeinc", nargs = 2, operands = "phi m", of = "elliptic",
    doc = "Incomplete elliptic integral of the second kind of amplitude phi and parameter m <= 1.",
    usage = {"cn.special.ellipeinc({1}, 0.5) --> [0.92732988]"}},
  {name = "ellipj", nargs = 2, operands = "u m",
    expr = {"elliptic::sn(a, b)", "elliptic::cn(a, b)", "elliptic::dn(a, b)", "elliptic::ph(a, b)"},
    doc = "Jacobi's elliptic functions sn, cn and dn of a parameter m from 0 to 1, and the amplitude of u (DLMF 22).",
    usage = {"cn.special.ellipj({1}, 0.5) --> [0.80300182], [0.59597657], [0.823161], [0.93231508]"}},

  -- Carlson's elliptic integrals (kernels/special_carlson.cuh)
  {name = "elliprc", nargs = 2, operands = "x y", of = "carlson",
    doc = "Carlson's symmetric elliptic integral R_C, elliprf(x, y, y); Cauchy's principal value of negative y.",
    usage = {"cn.special.elliprc(1, {2, -2}) --> [0.78539816 0.380173 ]"}},
  {name = "elliprf", nargs = 3, operands = "x y z", of = "carlson",
    doc = "Carlson's symmetric elliptic integral R_F, that of the first kind; no number may be negative.",
    usage = {"cn.special.elliprf(0, 1, {2, 3}) --> [1.31102878 1.17142008]"}},
  {name = "elliprd", nargs = 3, operands = "x y z", of = "carlson",
    doc = "Carlson's symmetric elliptic integral R_D, elliprj(x, y, z, z).",
    usage = {"cn.special.elliprd(0, 1, {2, 3}) --> [1.06793799 0.66491105]"}},
  {name = "elliprg", nargs = 3, operands = "x y z", of = "carlson",
    doc = "Carlson's symmetric elliptic integral R_G, that of the second kind.",
    usage = {"cn.special.elliprg(0, 1, {2, 3}) --> [0.95504945 1.09221907]"}},
  {name = "elliprj", nargs = 4, operands = "x y z p", of = "carlson",
    doc = "Carlson's symmetric elliptic integral R_J, that of the third kind; Cauchy's principal value of negative p.",
    usage = {"cn.special.elliprj(0, 1, 2, {3, -3}) --> [ 0.77688624 -0.88796628]"}},

  -- others (kernels/special_lambert.cuh, special_legendre.cuh, special_harmonics.cuh)
  {name = "lambertw", nargs = 2, operands = "z k", of = "lambert", rule = "branch", kinds = "c",
    doc = "Lambert's function, the w with w exp(w) = z, on its branch k (DLMF 4.13); by Halley's iteration.",
    usage = {"cn.special.lambertw({1}, 0) --> [0.56714329+0.j]"}},
  {name = "lpmv", nargs = 3, operands = "m v x", of = "legendre",
    doc = "Associated Legendre function of whole order m and real degree v, |x| <= 1 (DLMF 14.3), with the phase "
      .. "(-1)^m; slow where x is near -1 and v a fraction.",
    usage = {"cn.special.lpmv(0, 2, {0.5, 1}) --> [-0.125 1. ]"}},
  {name = "sph_harm_y", nargs = 4, operands = "n m theta phi", of = "harmonics", results = {"complex"},
    doc = "Spherical harmonic of degree n and order m at the polar angle theta and azimuth phi (DLMF 14.30); complex.",
    usage = {"cn.special.sph_harm_y(1, 0, {0}, 0) --> [0.48860251+0.j]"}},
  {name = "sph_harm", nargs = 4, operands = "m n theta phi", expr = "harmonics::sph_harm_y(b, a, d, c)",
    results = {"complex"},
    doc = "sph_harm_y(n, m, phi, theta): older SciPy's order, in which theta is the azimuth and phi the polar angle.",
    usage = {"cn.special.sph_harm(0, 1, {0}, 0) --> [0.48860251+0.j]"}},
}

local CALLS = {"%s::%s(a)", "%s::%s(a, b)", "%s::%s(a, b, c)", "%s::%s(a, b, c, d)"}

for _, file in ipairs {"special.distributions", "special.polynomials"} do
  for _, row in ipairs(later.value(file)()) do
    row.of = row.of or "calling"
    rows[#rows + 1] = row
  end
end

for _, row in ipairs(rows) do
  row.nargs = row.nargs or 1
  row.rule, row.kinds = row.rule or "divide", row.kinds or "f"
  row.expr = row.expr or CALLS[row.nargs]:format(row.of or "special", row.name)
  if row.nargs > 1 then row.method = false end
end

return complete(rows, "scipy.special.")

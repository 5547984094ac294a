--- ops.lua: the table of special functions, elementwise operations like those of cuna's ops.lua, which lists the fields
-- of rows. Loaded when cn.special is first named, or an unknown method of arrays.
--
-- Rows compute in floats, by the function special::<name> of kernels/special_*.cuh, and integers become the default
-- float. Those of one operand have methods. Fields more:
--   of             the namespace of the function ["special"]; a text of that name is in the units only that need it
--   operands       the names of the operands in documentation ["x", or x1 x2 ...]
local complete = require("cuna.base.rows").complete

local rows = {
  -- error functions and the normal distribution (kernels/special_error.cuh)
  {name = "erf", doc = "Error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x."},
  {name = "erfc", doc = "1 - erf(x), also exact where erf is near 1; after Shepherd and Laframboise (1981)."},
  {name = "erfcx", doc = "exp(x^2) erfc(x), also where erfc is 0; after Shepherd and Laframboise (1981)."},
  {name = "erfinv", doc = "The number whose erf is x, from -1 to 1; after Giles (2010) and Halley."},
  {name = "erfcinv", doc = "The number whose erfc is x, from 0 to 2; after Giles (2010) and Halley."},
  {name = "ndtr", doc = "Probability that a standard normal variable is at most x."},
  {name = "log_ndtr", doc = "Logarithm of ndtr(x), also where ndtr is 0."},
  {name = "ndtri", operands = "p", doc = "The number whose ndtr is p."},

  -- logistic functions, entropies, losses, Box-Cox transformations (kernels/special_logistic.cuh)
  {name = "expit", alias = {"sigmoid"}, doc = "1 / (1 + exp(-x)), the logistic function."},
  {name = "logit", operands = "p", doc = "log(p / (1 - p)), the inverse of expit."},
  {name = "log_expit", doc = "Logarithm of expit(x), also where expit is 0."},
  {name = "exp10", doc = "10 to the power of x."},
  {name = "exprel", doc = "(exp(x) - 1) / x, and 1 at 0."},
  {name = "entr", doc = "-x log(x), 0 at 0 and -infinity below: a term of an entropy."},
  {name = "xlogy", nargs = 2, operands = "x y", doc = "x log(y), and 0 where x is 0."},
  {name = "xlog1py", nargs = 2, operands = "x y", doc = "x log(1 + y), and 0 where x is 0."},
  {name = "rel_entr", nargs = 2, operands = "x y",
    doc = "x log(x / y), 0 where x is 0 and infinity where one is negative: a term of a relative entropy."},
  {name = "kl_div", nargs = 2, operands = "x y",
    doc = "x log(x / y) - x + y, y where x is 0 and infinity where one is negative; exact where x is near y."},
  {name = "huber", nargs = 2, operands = "delta r",
    doc = "Huber's loss: r^2 / 2 up to |r| = delta, then delta (|r| - delta / 2)."},
  {name = "pseudo_huber", nargs = 2, operands = "delta r",
    doc = "delta^2 (sqrt(1 + (r / delta)^2) - 1), a smooth form of Huber's loss."},
  {name = "boxcox", nargs = 2, operands = "x lmbda",
    doc = "Transformation of Box and Cox: (x^lmbda - 1) / lmbda, and log(x) for lmbda = 0."},
  {name = "boxcox1p", nargs = 2, operands = "x lmbda", doc = "boxcox(1 + x, lmbda), also exact for small x."},
  {name = "inv_boxcox", nargs = 2, operands = "y lmbda", doc = "The number whose boxcox is y."},
  {name = "inv_boxcox1p", nargs = 2, operands = "y lmbda", doc = "The number whose boxcox1p is y."},

  -- gamma functions (kernels/special_gamma.cuh, special_beta.cuh)
  {name = "gamma", kinds = "fc",
    doc = "Gamma function, (x - 1)! of whole x, exact up to 18!; by Stirling's series (DLMF 5.11)."},
  {name = "gammaln", alias = {"lgamma"}, doc = "Logarithm of |gamma(x)|."},
  {name = "loggamma", kinds = "fc",
    doc = "Logarithm of gamma(x), and NaN where x is negative; of complex numbers its principal branch (DLMF 5.2)."},
  {name = "gammasgn", doc = "Sign of gamma(x), 0 at its poles."},
  {name = "rgamma", doc = "1 / gamma(x), and 0 at the poles."},
  {name = "digamma", kinds = "fc", alias = {"psi"}, doc = "Derivative of the logarithm of gamma."},
  {name = "polygamma", nargs = 2, operands = "n x",
    doc = "The derivative of digamma of order n, a whole number (DLMF 5.15)."},
  {name = "riemann_zeta", source = "scipy.special.zeta",
    doc = "Riemann's zeta function, for all real x; by Euler's and Maclaurin's summation (DLMF 25.11) and reflection."},
  {name = "zetac", doc = "riemann_zeta(x) - 1, also exact for great x."},
  {name = "zeta", nargs = 2, operands = "x q", doc = "Hurwitz' zeta function."},
  {name = "beta", nargs = 2, operands = "a b", doc = "gamma(a) gamma(b) / gamma(a + b)."},
  {name = "betaln", nargs = 2, operands = "a b", doc = "Logarithm of |beta(a, b)|."},
  {name = "poch", nargs = 2, operands = "x m",
    doc = "gamma(x + m) / gamma(x), Pochhammer's symbol: x (x + 1) ... (x + m - 1)."},
  {name = "binom", nargs = 2, operands = "n k",
    doc = "Binomial coefficient of real numbers; of few whole ones exact."},

  -- the incomplete gamma function and its distributions (kernels/special_incomplete.cuh)
  {name = "gammainc", nargs = 2, operands = "a x",
    doc = "Regularised lower incomplete gamma function; by series, continued fraction and Temme's expansion (1979)."},
  {name = "gammaincc", nargs = 2, operands = "a x", doc = "1 - gammainc(a, x), also exact where it is small."},
  {name = "gammaincinv", nargs = 2, operands = "a p", doc = "The x whose gammainc(a, x) is p; by Newton's method."},
  {name = "gammainccinv", nargs = 2, operands = "a q", doc = "The x whose gammaincc(a, x) is q; by Newton's method."},
  {name = "chdtr", nargs = 2, operands = "v x",
    doc = "Probability that chi square with v degrees of freedom is at most x."},
  {name = "chdtrc", nargs = 2, operands = "v x",
    doc = "Probability that chi square with v degrees of freedom exceeds x."},
  {name = "chdtri", nargs = 2, operands = "v p", doc = "The x whose chdtrc(v, x) is p."},
  {name = "gdtr", nargs = 3, operands = "a b x",
    doc = "Probability that a gamma variable of rate a and shape b is at most x."},
  {name = "gdtrc", nargs = 3, operands = "a b x",
    doc = "Probability that a gamma variable of rate a and shape b exceeds x."},
  {name = "gdtrix", nargs = 3, operands = "a b p", doc = "The x whose gdtr(a, b, x) is p."},
  {name = "gdtria", nargs = 3, operands = "p b x", doc = "The a whose gdtr(a, b, x) is p."},
  {name = "pdtr", nargs = 2, operands = "k m",
    doc = "Probability of at most k events, Poisson distributed with mean m."},
  {name = "pdtrc", nargs = 2, operands = "k m",
    doc = "Probability of more than k events, Poisson distributed with mean m."},
  {name = "pdtri", nargs = 2, operands = "k y", doc = "The m whose pdtr(k, m) is y."},

  -- the incomplete beta function and its distributions (kernels/special_betainc.cuh)
  {name = "betainc", nargs = 3, operands = "a b x",
    doc = "Regularised incomplete beta function; by series and the continued fraction of DiDonato and Morris (1992)."},
  {name = "betaincc", nargs = 3, operands = "a b x", doc = "1 - betainc(a, b, x), also exact where it is small."},
  {name = "betaincinv", nargs = 3, operands = "a b y", doc = "The x whose betainc(a, b, x) is y; by Newton's method."},
  {name = "betainccinv", nargs = 3, operands = "a b y",
    doc = "The x whose betaincc(a, b, x) is y; by Newton's method."},
  {name = "btdtr", nargs = 3, operands = "a b x", doc = "Probability that a beta variable is at most x: betainc."},
  {name = "btdtri", nargs = 3, operands = "a b p", doc = "The x whose btdtr(a, b, x) is p: betaincinv."},
  {name = "bdtr", nargs = 3, operands = "k n p",
    doc = "Probability of at most k successes in n trials of probability p."},
  {name = "bdtrc", nargs = 3, operands = "k n p",
    doc = "Probability of more than k successes in n trials of probability p."},
  {name = "bdtri", nargs = 3, operands = "k n y", doc = "The p whose bdtr(k, n, p) is y."},
  {name = "nbdtr", nargs = 3, operands = "k n p",
    doc = "Probability of at most k failures before n successes of probability p."},
  {name = "nbdtrc", nargs = 3, operands = "k n p",
    doc = "Probability of more than k failures before n successes of probability p."},
  {name = "nbdtri", nargs = 3, operands = "k n y", doc = "The p whose nbdtr(k, n, p) is y."},
  {name = "fdtr", nargs = 3, operands = "dfn dfd x", doc = "Probability that an F ratio is at most x."},
  {name = "fdtrc", nargs = 3, operands = "dfn dfd x", doc = "Probability that an F ratio exceeds x."},
  {name = "fdtri", nargs = 3, operands = "dfn dfd p", doc = "The x whose fdtr(dfn, dfd, x) is p."},
  {name = "stdtr", nargs = 2, operands = "df t",
    doc = "Probability that Student's t with df degrees of freedom is at most t."},
  {name = "stdtrit", nargs = 2, operands = "df p", doc = "The t whose stdtr(df, t) is p."},

  -- integrals (kernels/special_integral.cuh)
  {name = "cosm1", doc = "cos(x) - 1, also exact for small x; |x| < 1e15."},
  {name = "exp1", doc = "Exponential integral E1 of x > 0 (DLMF 6.2); by series and continued fraction."},
  {name = "expi", doc = "Exponential integral Ei (DLMF 6.2)."},
  {name = "expn", nargs = 2, operands = "n x", doc = "Exponential integral of whole order n (DLMF 8.19)."},
  {name = "sici", expr = {"special::sici_sine(a)", "special::sici_cosine(a)"},
    doc = "Sine integral Si(x) and cosine integral Ci(|x|) (DLMF 6.2)."},
  {name = "shichi", expr = {"special::shichi_sine(a)", "special::shichi_cosine(a)"},
    doc = "Hyperbolic sine and cosine integrals Shi(x) and Chi(|x|) (DLMF 6.2)."},

  -- Bessel functions (kernels/special_bessel.cuh, special_bessel_ik.cuh)
  {name = "j0", doc = "Bessel function of the first kind of order 0 (DLMF 10.2); 0 from 1e15 on."},
  {name = "j1", doc = "Bessel function of the first kind of order 1; 0 from 1e15 on."},
  {name = "y0", doc = "Bessel function of the second kind of order 0; 0 from 1e15 on."},
  {name = "y1", doc = "Bessel function of the second kind of order 1; 0 from 1e15 on."},
  {name = "i0e", doc = "exp(-|x|) i0(x), of the modified Bessel function of order 0 (DLMF 10.25)."},
  {name = "i1", doc = "Modified Bessel function of the first kind of order 1 (DLMF 10.25)."},
  {name = "i1e", doc = "exp(-|x|) i1(x)."},
  {name = "k0", doc = "Modified Bessel function of the second kind of order 0 (DLMF 10.25)."},
  {name = "k0e", doc = "exp(x) k0(x)."},
  {name = "k1", doc = "Modified Bessel function of the second kind of order 1."},
  {name = "k1e", doc = "exp(x) k1(x)."},

  -- Bessel functions of real order (kernels/special_order.cuh, special_order_ik.cuh)
  {name = "jv", nargs = 2, operands = "v x", of = "bessel",
    doc = "Bessel function of the first kind of real order v (DLMF 10.2); NaN of fractional orders at negative x, and "
      .. "of orders beyond 16384 unless x^2 < 16 v or v^2 < 32 x."},
  {name = "yv", nargs = 2, operands = "v x", of = "bessel",
    doc = "Bessel function of the second kind of real order v, x >= 0 (DLMF 10.2); of great orders as jv."},
  {name = "iv", nargs = 2, operands = "v x", of = "modified",
    doc = "Modified Bessel function of the first kind of real order v (DLMF 10.25); NaN of fractional orders at "
      .. "negative x, and of orders beyond 16384 unless x^2 < 64 v or v^2 < 16 x."},
  {name = "ive", nargs = 2, operands = "v x", of = "modified", doc = "exp(-|x|) iv(v, x)."},
  {name = "kv", nargs = 2, operands = "v x", of = "modified",
    doc = "Modified Bessel function of the second kind of real order v, x >= 0 (DLMF 10.25)."},
  {name = "kve", nargs = 2, operands = "v x", of = "modified", doc = "exp(x) kv(v, x)."},

  -- complete elliptic integrals (kernels/special_elliptic.cuh)
  {name = "ellipk", operands = "m",
    doc = "Complete elliptic integral of the first kind, by the arithmetic-geometric mean (DLMF 19.8)."},
  {name = "ellipkm1", operands = "p", doc = "ellipk(1 - p), also exact for small p."},
  {name = "ellipe", operands = "m", doc = "Complete elliptic integral of the second kind (DLMF 19.8)."},

  -- incomplete elliptic integrals, Jacobi's functions (kernels/special_incomplete_elliptic.cuh)
  {name = "ellipkinc", nargs = 2, operands = "phi m", of = "elliptic",
    doc = "Incomplete elliptic integral of the first kind of amplitude phi and parameter m <= 1 (DLMF 19.2), by "
      .. "Carlson's duplication (19.36)."},
  {name = "ellipeinc", nargs = 2, operands = "phi m", of = "elliptic",
    doc = "Incomplete elliptic integral of the second kind of amplitude phi and parameter m <= 1."},
  {name = "ellipj", nargs = 2, operands = "u m",
    expr = {"elliptic::sn(a, b)", "elliptic::cn(a, b)", "elliptic::dn(a, b)", "elliptic::ph(a, b)"},
    doc = "Jacobi's elliptic functions sn, cn and dn of a parameter m from 0 to 1, and the amplitude of u (DLMF 22)."},

  -- others (kernels/special_lambert.cuh, special_legendre.cuh, special_harmonics.cuh)
  {name = "lambertw", nargs = 2, operands = "z k", of = "lambert", rule = "branch", kinds = "c",
    doc = "Lambert's function, the w with w exp(w) = z, on its branch k (DLMF 4.13); by Halley's iteration."},
  {name = "lpmv", nargs = 3, operands = "m v x", of = "legendre",
    doc = "Associated Legendre function of whole order m and real degree v, |x| <= 1 (DLMF 14.3), with the phase "
      .. "(-1)^m; slow where x is near -1 and v a fraction."},
  {name = "sph_harm_y", nargs = 4, operands = "n m theta phi", of = "harmonics", results = {"complex"},
    doc = "Spherical harmonic of degree n and order m at the polar angle theta and azimuth phi (DLMF 14.30); complex."},
}

local CALLS = {"%s::%s(a)", "%s::%s(a, b)", "%s::%s(a, b, c)", "%s::%s(a, b, c, d)"}

for _, row in ipairs(rows) do
  row.nargs = row.nargs or 1
  row.rule, row.kinds = row.rule or "divide", row.kinds or "f"
  row.expr = row.expr or CALLS[row.nargs]:format(row.of or "special", row.name)
  if row.nargs > 1 then row.method = false end
end

return complete(rows, "scipy.special.")

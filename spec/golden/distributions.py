"""Writes spec/golden/distributions.lua: distributions of SciPy's, for what cuna draws.

A case has the method's name and arguments, the distribution's mean, variance and the fourth central moment over the squared
variance (0 / 0 where there is none), and its function at some values: at quantiles, or at whole numbers close to them.

    python3 spec/golden/distributions.py > spec/golden/distributions.lua"""
import numpy as np
from scipy import stats

from listing import write

SHARES = np.arange(1, 32) / 32

CONTINUOUS = [
    ("standard_gamma", (2.5,), stats.gamma(2.5)),
    ("standard_gamma", (0.3,), stats.gamma(0.3)),
    ("gamma", (1, 3), stats.gamma(1, scale=3)),
    ("gamma", (400, 0.5), stats.gamma(400, scale=0.5)),
    ("gamma", (0.05, 2), stats.gamma(0.05, scale=2)),
    ("beta", (2, 3), stats.beta(2, 3)),
    ("beta", (0.5, 0.5), stats.beta(0.5, 0.5)),
    ("beta", (0.2, 4), stats.beta(0.2, 4)),
    ("beta", (300, 500), stats.beta(300, 500)),
    ("chisquare", (3,), stats.chi2(3)),
    ("chisquare", (1,), stats.chi2(1)),
    ("noncentral_chisquare", (3, 20), stats.ncx2(3, 20)),
    ("noncentral_chisquare", (1.5, 2), stats.ncx2(1.5, 2)),
    ("noncentral_chisquare", (0.8, 2), stats.ncx2(0.8, 2)),
    ("noncentral_chisquare", (2.5, 0), stats.chi2(2.5)),
    ("f", (5, 10), stats.f(5, 10)),
    ("f", (1, 1), stats.f(1, 1)),
    ("noncentral_f", (5, 10, 2), stats.ncf(5, 10, 2)),
    ("standard_t", (10,), stats.t(10)),
    ("standard_t", (1,), stats.t(1)),
    ("lognormal", (1, 0.5), stats.lognorm(0.5, scale=np.e)),
    ("wald", (3, 2), stats.invgauss(1.5, scale=2)),
    ("wald", (0.1, 50), stats.invgauss(0.002, scale=50)),
    ("laplace", (1, 2), stats.laplace(1, 2)),
    ("logistic", (1, 2), stats.logistic(1, 2)),
    ("gumbel", (1, 2), stats.gumbel_r(1, 2)),
    ("standard_cauchy", (), stats.cauchy()),
    ("rayleigh", (2,), stats.rayleigh(scale=2)),
    ("weibull", (5,), stats.weibull_min(5)),
    ("weibull", (0.5,), stats.weibull_min(0.5)),
    ("pareto", (3,), stats.lomax(3)),
    ("pareto", (0.7,), stats.lomax(0.7)),
    ("power", (5,), stats.powerlaw(5)),
    ("power", (0.3,), stats.powerlaw(0.3)),
    ("triangular", (-1, 1, 4), stats.triang(0.4, -1, 5)),
    ("triangular", (0, 0, 2), stats.triang(0, 0, 2)),
    ("vonmises", (0, 4), stats.vonmises(4)),
    ("vonmises", (0, 0.5), stats.vonmises(0.5)),
    ("vonmises", (0, 900), stats.vonmises(900)),
    ("vonmises", (0, 1e8), stats.norm(0, 1e-4)),
]

COUNTS = [
    ("poisson", (0.01,), stats.poisson(0.01)),
    ("poisson", (4,), stats.poisson(4)),
    ("poisson", (9.99,), stats.poisson(9.99)),
    ("poisson", (10,), stats.poisson(10)),
    ("poisson", (57.5,), stats.poisson(57.5)),
    ("poisson", (1e6,), stats.poisson(1e6)),
    ("binomial", (10, 0.3), stats.binom(10, 0.3)),
    ("binomial", (20, 0.5), stats.binom(20, 0.5)),
    ("binomial", (100, 0.75), stats.binom(100, 0.75)),
    ("binomial", (1000, 0.002), stats.binom(1000, 0.002)),
    ("binomial", (3000000, 0.4), stats.binom(3000000, 0.4)),
    ("negative_binomial", (5, 0.5), stats.nbinom(5, 0.5)),
    ("negative_binomial", (2.5, 0.02), stats.nbinom(2.5, 0.02)),
    ("geometric", (0.25,), stats.geom(0.25)),
    ("geometric", (0.001,), stats.geom(0.001)),
    ("hypergeometric", (60, 40, 10), stats.hypergeom(100, 60, 10)),
    ("hypergeometric", (60, 40, 30), stats.hypergeom(100, 60, 30)),
    ("hypergeometric", (40, 60, 70), stats.hypergeom(100, 40, 70)),
    ("hypergeometric", (9000, 4000, 12000), stats.hypergeom(13000, 9000, 12000)),
    ("hypergeometric", (5, 100000, 20000), stats.hypergeom(100005, 5, 20000)),
    ("logseries", (0.6,), stats.logser(0.6)),
    ("logseries", (0.995,), stats.logser(0.995)),
    ("zipf", (4,), stats.zipf(4)),
    ("zipf", (1.6,), stats.zipf(1.6)),
]


def case(name, arguments, distribution, edges):
    mean, variance, excess = (float(v) for v in distribution.stats("mvk"))
    if not np.isfinite(mean) or not np.isfinite(variance):
        mean = variance = excess = np.nan
    if not np.isfinite(excess):
        excess = np.nan
    return {"name": name, "arguments": list(arguments), "mean": mean, "variance": variance, "kurtosis": excess + 3,
            "edges": [float(e) for e in edges], "shares": [float(s) for s in distribution.cdf(edges)]}


write("distributions",
      continuous=[case(n, a, d, d.ppf(SHARES)) for n, a, d in CONTINUOUS],
      counts=[case(n, a, d, np.unique(d.ppf(SHARES))) for n, a, d in COUNTS])

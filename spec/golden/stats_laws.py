"""Writes stats_laws.lua: what scipy.stats gives of distributions.

By hand: densities at infinity, where SciPy has inf - inf; quantiles of cauchy, of which it has 8 digits, and of what is
certain.

Run: /usr/bin/python3 spec/golden/stats_laws.py > spec/golden/stats_laws.lua
"""
import warnings

import numpy as np
import scipy.stats as st

from listing import lua

warnings.simplefilter("ignore")
NAN = np.nan

DISTRIBUTIONS = {
    "norm": [(), (1.5, 2.0), (0.0, -1.0)],
    "uniform": [(), (-1.0, 3.0)],
    "expon": [(), (0.5, 2.0)],
    "gamma": [(0.5,), (2.5,), (1.0, 1.0, 2.0), (-1.0,)],
    "beta": [(0.5, 0.5), (2.0, 3.0), (2.0, 1.0, -1.0, 4.0), (2.0, 0.0)],
    "t": [(1.0,), (2.5,), (30.0, 1.0, 2.0)],
    "chi2": [(1.0,), (2.0,), (7.5, 1.0, 2.0)],
    "f": [(2.0, 10.0), (5.0, 3.0), (1.0, 1.0), (3.0, 8.0, 0.5, 2.0)],
    "poisson": [(0.3,), (4.5,), (80.0, 2.0), (0.0,)],
    "chi": [(1.0,), (2.5,), (5.0, 1.0, 2.0)],
    "lognorm": [(0.5,), (1.5, 1.0, 2.0), (-1.0,)],
    "laplace": [(), (0.5, 2.0)],
    "logistic": [(), (0.5, 2.0)],
    "cauchy": [(), (0.5, 2.0)],
    "weibull_min": [(0.5,), (1.0,), (3.0, 1.0, 2.0)],
    "rayleigh": [(), (0.5, 2.0)],
    "pareto": [(0.5,), (1.5,), (3.0, -1.0, 2.0)],
    "gumbel_r": [(), (0.5, 2.0)],
    "bernoulli": [(0.3,), (0.0,), (1.0,)],
    "geom": [(0.3,), (1.0,), (0.01, 2.0)],
    "nbinom": [(5.0, 0.5), (0.4, 0.1), (40.0, 0.9, 1.0), (3.0, 1.0)],
    "binom": [(1.0, 0.5), (10.0, 0.3), (200.0, 0.02, 3.0), (5.0, 0.0), (5.0, 1.0)],
}
POINTS = np.array([-3, -1, -0.5, 0, 0.25, 0.5, 1, 1.5, 2, 3, 5, 8, 30, 90, NAN, np.inf, -np.inf])
CHANCES = np.array([0, 1e-10, 0.01, 0.3, 0.5, 0.9, 0.999, 1, -0.1, 1.1, NAN])


CERTAIN = ("binom", "bernoulli", "geom")


def distributions():
    for name, rows in DISTRIBUTIONS.items():
        d = getattr(st, name)
        discrete = hasattr(d, "pmf")
        for parameters in rows:
            words = ["pmf", "logpmf"] if discrete else ["pdf", "logpdf"]
            case = {"name": name, "parameters": list(parameters), "points": {}, "chances": {}}
            for word in words + ["cdf", "sf", "logcdf", "logsf"]:
                whole = [np.full(POINTS.shape, p) for p in parameters]  # SciPy 1.10's nbinom does not broadcast
                values = getattr(d, word)(POINTS, *whole)
                if word[-2:] in ("df", "mf") and word[-3:] != "cdf" and not np.isnan(values).all():
                    values[POINTS == np.inf] = -np.inf if word[:3] == "log" else 0
                case["points"][word] = values.tolist()
            for word in ("ppf", "isf"):
                values = getattr(d, word)(CHANCES, *parameters)
                inner = (CHANCES > 0) & (CHANCES < 1)
                if name in CERTAIN and parameters[-1] == 1:  # SciPy 1.10 gives 0
                    values = np.where(inner, {"binom": parameters[0]}.get(name, 1), values)
                if name == "cauchy":
                    loc, scale = parameters or (0, 1)
                    z = np.where(CHANCES < 0.5, -1, 1) / np.tan(np.pi * np.minimum(CHANCES, 1 - CHANCES))
                    values = np.where(inner & (CHANCES != 0.5), (z if word == "ppf" else -z) * scale + loc, values)
                case["chances"][word] = values.tolist()
            valid = d._argcheck(*parameters[:len((d.shapes or "").split(","))] if d.shapes else ()) and \
                (discrete or len(parameters) < 2 or parameters[-1] > 0)
            case["mean"], case["var"] = float(d.mean(*parameters)), float(d.var(*parameters))
            case["valid"] = bool(np.all(valid))
            yield case


print("-- Written by stats_laws.py.")
print("return {")
print("  distributions = {")
for each in distributions():
    print("    " + lua(each) + ",")
print("  },")
print("  points = %s," % lua(POINTS.tolist()))
print("  chances = %s," % lua(CHANCES.tolist()))
print("}")

"""Writes stats.lua: what scipy.stats gives of samples, tests and densities.

Axes count from 1. By hand: mode as from SciPy 1.11 on, without the axis; degrees of freedom of ttest_ind, which SciPy 1.10
does not return.
Run: /usr/bin/python3 spec/golden/stats.py > spec/golden/stats.lua
"""
import warnings

import numpy as np
import scipy.stats as st

from listing import array, lua

warnings.simplefilter("ignore")
rng = np.random.default_rng(5)
NAN = np.nan


def draw(shape, dtype="float64", ties=False):
    x = rng.integers(-6, 7, shape) if ties or dtype[0] in "iu" else np.round(rng.normal(0, 2, shape), 3)
    return np.asarray(np.abs(x) if dtype[0] == "u" else x).astype(dtype)


def holes(x):
    x = x.copy()
    x.reshape(-1)[::5] = NAN
    return x


def up(options):
    return {k: v + 1 if k == "axis" and v is not None and v >= 0 else v for k, v in options.items()}


CASES = []


def add(name, *args, results=None, tolerance=1e-12, **options):
    if results is None:
        results = getattr(st, name)(*args, **options)
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    shown = [array(a) if isinstance(a, np.ndarray) else a for a in args]
    CASES.append({"name": name, "args": shown, "options": up(options), "tolerance": tolerance,
                  "results": [array(np.asarray(r)) for r in results]})


def summaries():
    for shape, axis in [([9], 0), ([4, 5], 0), ([4, 5], 1), ([2, 3, 4], -1), ([1], 0)]:
        for dtype in ("float64", "int64"):
            x = draw(shape, dtype)
            for options in ({}, {"ddof": 1}):
                add("zscore", x, axis=axis, **options)
                add("zmap", draw(shape), x, axis=axis, **options)
            for options in ({}, {"bias": False}):
                add("skew", x, axis=axis, **options)
                add("kurtosis", x, axis=axis, **options)
                add("kurtosis", x, axis=axis, fisher=False, **options)
            add("trim_mean", x, 0.2, axis=axis)
            p = np.abs(draw(shape)) + 0.25
            add("entropy", p, axis=axis)
            add("entropy", p, np.abs(draw(shape)) + 0.5, axis=axis, base=2)
            t = draw(shape, dtype, ties=True)
            m = st.mode(t, axis=axis, keepdims=False)
            add("mode", t, axis=axis, results=[m.mode, m.count.astype("int64")])
    add("zscore", np.array([3.0, 3.0, 3.0]))
    add("zscore", np.array([[0.1, 1], [0.1, 2]]))
    add("skew", np.full(5, 0.1))
    add("kurtosis", np.full(5, 0.1))
    add("entropy", np.array([0.0, 2, 1, 1]))
    add("entropy", np.array([1.0, 1]), np.array([1.0, 0]))
    x = holes(draw([5, 6]))
    for axis in (0, 1):
        for name in ("zscore", "skew", "kurtosis"):
            add(name, x, axis=axis)
            add(name, x, axis=axis, nan_policy="omit")
        add("skew", x, axis=axis, bias=False, nan_policy="omit")
        add("kurtosis", x, axis=axis, bias=False, nan_policy="omit")
    add("mode", np.array([1, NAN, 2, NAN]), results=[np.array(NAN), np.array(2)])
    add("mode", np.array([1, NAN, 1, NAN, NAN]), nan_policy="omit", results=[np.array(1.0), np.array(2)])


def ranks():
    for method in ("average", "min", "max", "dense", "ordinal"):
        for dtype in ("float64", "int32", "bool"):
            x = (draw([9], "float64", ties=True) > 0) if dtype == "bool" else draw([9], dtype, ties=True)
            add("rankdata", x, method=method)
        add("rankdata", draw([4, 5], ties=True), method=method, axis=0)
        add("rankdata", draw([4, 5], ties=True), method=method, axis=1)
        add("rankdata", draw([2, 3], ties=True), method=method)
        x = holes(draw([3, 4], ties=True))
        add("rankdata", x, method=method, axis=1)
        add("rankdata", x, method=method, axis=0, nan_policy="omit")
    add("rankdata", np.zeros(0))


def correlations():
    for n in (2, 3, 10, 40):
        x, y = draw([n]), draw([n])
        for alternative in ("two-sided", "less", "greater"):
            add("pearsonr", x, y, alternative=alternative, tolerance=1e-10)
            line = st.linregress(x, y, alternative=alternative)
            add("linregress", x, y, alternative=alternative, tolerance=1e-9,
                results=[line.slope, line.intercept, line.rvalue, line.pvalue, line.stderr, line.intercept_stderr])
            if n > 2:
                add("spearmanr", draw([n], ties=True), y, alternative=alternative, tolerance=1e-10)
    add("pearsonr", np.arange(5.0), np.arange(5.0) * 2, tolerance=1e-9)
    add("spearmanr", draw([8, 3]), tolerance=1e-10)
    add("spearmanr", draw([3, 8]), axis=1, tolerance=1e-10)
    add("spearmanr", draw([8, 2]), draw([8, 1]), tolerance=1e-10)
    add("spearmanr", holes(draw([8])), draw([8]), tolerance=1e-10, results=[np.array(NAN), np.array(NAN)])


def means():
    for shape, axis in [([9], 0), ([4, 5], 0), ([4, 5], 1), ([2, 3, 4], -1)]:
        for alternative in ("two-sided", "less", "greater"):
            x, y = draw(shape), draw(shape) + 1
            one = st.ttest_1samp(x, 0.5, axis=axis, alternative=alternative)
            add("ttest_1samp", x, 0.5, axis=axis, alternative=alternative,
                results=[one.statistic, one.pvalue, np.zeros_like(one.statistic) + one.df], tolerance=1e-10)
            two = st.ttest_rel(x, y, axis=axis, alternative=alternative)
            add("ttest_rel", x, y, axis=axis, alternative=alternative,
                results=[two.statistic, two.pvalue, np.zeros_like(two.statistic) + two.df], tolerance=1e-10)
            for equal in (True, False):
                r = st.ttest_ind(x, y, axis=axis, equal_var=equal, alternative=alternative)
                n = x.shape[axis]
                va, vb = x.var(axis=axis, ddof=1) / n, y.var(axis=axis, ddof=1) / n
                df = np.zeros_like(r.statistic) + (2 * n - 2 if equal else
                                                   (va + vb) ** 2 / (va ** 2 / (n - 1) + vb ** 2 / (n - 1)))
                add("ttest_ind", x, y, axis=axis, equal_var=equal, alternative=alternative,
                    results=[r.statistic, r.pvalue, df], tolerance=1e-10)
    x, y = holes(draw([6, 4])), draw([6, 4])
    for policy in ("propagate", "omit"):
        r = st.ttest_1samp(x, 0.1, axis=0, nan_policy=policy)
        count = 5 if policy == "propagate" else (~np.isnan(x)).sum(0) - 1
        t = np.asarray(r.statistic, float)
        df = np.zeros(t.shape) + count
        add("ttest_1samp", x, 0.1, nan_policy=policy, results=[t, np.asarray(r.pvalue, float), df], tolerance=1e-10)
    add("chisquare", np.array([16.0, 18, 16, 14, 12, 12]))
    add("chisquare", np.array([16.0, 18, 16, 14, 12, 12]), np.array([16.0, 16, 16, 16, 16, 8]))
    add("chisquare", np.array([[16, 18, 16, 14, 12, 12], [32, 24, 16, 28, 20, 24]]).T)
    add("chisquare", np.array([[16, 18, 16, 14, 12, 12], [32, 24, 16, 28, 20, 24]]), axis=1, ddof=1)


def distances():
    for n, m in [(1, 1), (3, 3), (5, 8), (10, 15), (12, 12), (40, 7), (100, 101)]:
        for alternative in ("two-sided", "less", "greater"):
            x, y = draw([n]), draw([m]) + 0.7
            r = st.ks_2samp(x, y, alternative=alternative, method="exact")
            add("ks_2samp", x, y, alternative=alternative, tolerance=1e-9,
                results=[r.statistic, r.pvalue, r.statistic_location, r.statistic_sign])
    for shift in (0.02, 0.3, 1):
        x, y = np.round(rng.normal(0, 1, 400), 3), np.round(rng.normal(shift, 1, 500), 3)
        for alternative in ("two-sided", "less"):
            r = st.ks_2samp(x, y, alternative=alternative, method="asymp")
            add("ks_2samp", x, y, alternative=alternative, method="asymp", tolerance=1e-8,
                results=[r.statistic, r.pvalue, r.statistic_location, r.statistic_sign])


def densities():
    for i, shape in enumerate([(7,), (1, 12), (2, 15), (3, 20)]):
        x = draw(shape)
        for method in (None, "silverman", 0.4):
            weights = np.abs(draw([shape[-1]])) + 0.1 if i % 2 else None
            k = st.gaussian_kde(x, bw_method=method, weights=weights)
            points = draw((5,) if x.ndim == 1 else (shape[0], 5))
            yield {"x": array(x), "method": method, "weights": None if weights is None else array(weights),
                   "points": array(points), "pdf": array(k(points)), "logpdf": array(k.logpdf(points)),
                   "factor": float(k.factor), "neff": float(k.neff), "covariance": array(k.covariance),
                   "box": float(k.integrate_box_1d(-1, 2)) if k.d == 1 else None}


def write(name, groups, **more):
    for group in groups:
        start = len(CASES)
        group()
        for each in CASES[start:]:
            each["group"] = group.__name__
    print("-- Written by %s." % name)
    print("return {")
    for key, cases in {"cases": CASES, **more}.items():
        print("  %s = {" % key)
        for each in cases:
            print("    " + lua(each) + ",")
        print("  },")
    print("}")


if __name__ == "__main__":
    write("stats.py", (summaries, ranks, correlations, means, distances), densities=densities())

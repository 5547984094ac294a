"""Writes stats_averages.lua: what scipy.stats gives of averages, of spread, of places in samples, and Kendall's tau.

Axes count from 1. By hand: what is called method here, and interpolation or interpolation_method there.
Run: /usr/bin/python3 spec/golden/stats_averages.py > spec/golden/stats_averages.lua
"""
import numpy as np
import scipy.stats as st

from stats import add, draw, holes, rng, write


def averages():
    for shape, axis in [([9], 0), ([4, 5], 0), ([2, 3, 4], 2)]:
        for dtype in ("float64", "int64") if len(shape) == 1 else ("float64",):
            x = np.abs(draw(shape, dtype)) + np.asarray(1, dtype)
            for name in ("gmean", "hmean"):
                add(name, x, axis=axis)
                for weights in (np.abs(draw(shape)) + 0.5, np.arange(1.0, shape[axis] + 1)):
                    whole = np.broadcast_to(np.moveaxis(weights.reshape([-1] + [1] * (len(shape) - 1)), 0, axis)
                                            if weights.ndim == 1 else weights, shape)
                    add(name, x, axis + 1, weights, results=[getattr(st, name)(x, axis=axis, weights=whole)])
    add("gmean", np.array([0.0, 2]))
    add("hmean", np.array([0.0, 2]))
    x = np.abs(holes(draw([5, 6]))) + 0.5
    for policy in ("propagate", "omit"):
        for name in ("gmean", "hmean"):
            result = getattr(st, name)(x, axis=1) if policy == "propagate" else \
                [getattr(st, name)(row[~np.isnan(row)]) for row in x]
            add(name, x, axis=1, nan_policy=policy, results=[np.asarray(result)])


def spread():
    for shape, axis in [([9], 0), ([4, 5], 1), ([2, 3, 4], 1)]:
        for dtype in ("float64", "int32") if len(shape) == 1 else ("float64",):
            x = draw(shape, dtype) + np.asarray(3, dtype)
            add("sem", x, axis=axis)
            add("sem", x, axis=axis, ddof=0)
            add("variation", x, axis=axis)
            add("variation", x, axis=axis, ddof=1)
            for order in (0, 1, 2, 3, 4):
                add("moment", x, order, axis + 1, results=[np.asarray(st.moment(x, order, axis=axis), float)])
            add("iqr", x, axis=axis)
            add("iqr", x)
            add("iqr", x, axis=axis, method="lower", rng=[10, 80],
                results=[st.iqr(x, axis=axis, rng=(10, 80), interpolation="lower").astype(float)])
            add("iqr", x, axis=axis, scale="normal")
            add("median_abs_deviation", x, axis=axis)
            add("median_abs_deviation", x, axis=axis, scale="normal")
    x = holes(draw([5, 6])) + 2
    for name in ("sem", "variation", "median_abs_deviation"):
        for policy in ("propagate", "omit"):
            add(name, x, axis=1, nan_policy=policy, results=[np.asarray(getattr(st, name)(x, axis=1, nan_policy=policy))])


def places():
    x = draw([20], ties=True)
    for kind in ("rank", "weak", "strict", "mean"):
        for score in (np.array([-9.0, -1, 0, 0.5, 2, 9]), np.array([[1.0, np.nan]])):
            add("percentileofscore", x, score, kind=kind)
    for method, name in (("linear", "fraction"), ("lower", "lower"), ("higher", "higher")):
        x = draw([4, 5])
        for per in (np.array(50.0), np.array([0.0, 12, 99, 100])):
            add("scoreatpercentile", x, per, interpolation_method=name,
                results=[np.percentile(x, per, method=method)])
        add("scoreatpercentile", x, np.array([30.0]), axis=1, interpolation_method=name,
            results=[np.percentile(x, [30], axis=1, method=method)])
        add("scoreatpercentile", x, np.array(40.0), limit=[-1, 2], interpolation_method=name,
            results=[st.scoreatpercentile(x.reshape(-1), 40, (-1, 2), interpolation_method=name)])


def tau():
    for n in (2, 3, 7, 40):
        for ties in (False, True):
            x, y = (draw([n], ties=ties), draw([n], ties=ties)) if ties else (rng.permutation(n) * 1.5, rng.permutation(n))
            r = st.kendalltau(x, y)
            add("kendalltau", x, y, tolerance=1e-10, results=[r[0], r[1]])
            if n == 2:
                continue  # SciPy 1.10 gives NaN
            r = st.kendalltau(x, y, method="asymptotic")
            add("kendalltau", x, y, method="asymptotic", tolerance=1e-10, results=[r[0], r[1]])
    x = np.arange(50.0)
    for y in (x[::-1], np.concatenate([[1, 0], x[2:]])):
        r = st.kendalltau(x, y)
        add("kendalltau", x, y, tolerance=1e-10, results=[r[0], r[1]])
    r = st.kendalltau(x, x[::-1] % 7, method="asymptotic")
    add("kendalltau", x, x[::-1] % 7, tolerance=1e-10, results=[r[0], r[1]])
    y = rng.permutation(60)
    r = st.kendalltau(np.arange(60), y, method="exact")
    add("kendalltau", np.arange(60), y, method="exact", tolerance=1e-10, results=[r[0], r[1]])


write("stats_averages.py", (averages, spread, places, tau))

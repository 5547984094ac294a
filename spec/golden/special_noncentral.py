"""Golden values for spec/special/noncentral_spec.lua: noncentral distributions and their inverses.

    python3 spec/golden/special_noncentral.py > spec/golden/special_noncentral.lua

Written with mpmath 1.2 and SciPy 1.10. Values at finite points are mpmath's, rounded to the dtype: SciPy 1.10 sums until a
term is 1e-4 of the sum, and has another power of ten in the tail of t on the other side of its noncentrality. Inverses
solve for the parameter from which the probability was made. Edges: EDGES has the rules, SciPy's but for what it leaves
out: at both ends of probabilities inverses are limits, where SciPy has the end of its search or NaN; infinite degrees of
freedom of the denominator are a limit; t has no tail of NaN.
"""

import math
import zlib

import mpmath as mp
import numpy as np
import scipy.special as sc

mp.mp.dps = 50
INF, NAN = math.inf, math.nan


def uniform(low, high):
    return lambda r, n: r.uniform(low, high, n)


def spread(low, high):
    """Powers of e."""
    return lambda r, n: np.exp(r.uniform(low, high, n))


# ---- references ----


def beta_sum(a, b, x, mean, start):
    """The sum over k = start, start + 1, ... of Poisson's probabilities times I_x(a + k, b), from its last term down."""
    k = start + int(mean + mp.sqrt(mean * 5 * mp.mp.dps) + 2 * mp.mp.dps + 40)
    part = mp.betainc(a + k, b, 0, x, regularized=True)
    weight = mp.exp(k * mp.log(mean) - mean - mp.loggamma(k + 1))
    log_density = (a + k) * mp.log(x) + b * mp.log(1 - x) + mp.loggamma(a + b + k) - mp.loggamma(a + k + 1)
    density, total = mp.exp(log_density - mp.loggamma(b)), weight * part
    while k >= 1:
        density *= (a + k) / (x * (a + b + k - 1))
        part += density
        weight *= k / mean
        total += weight * part
        k -= 1
    return total


def gamma_sum(a, x, mean):
    k = int(mean + mp.sqrt(mean * 5 * mp.mp.dps) + 2 * mp.mp.dps + 40)
    part = mp.gammainc(a + k, 0, x, regularized=True)
    weight = mp.exp(k * mp.log(mean) - mean - mp.loggamma(k + 1))
    density, total = mp.exp((a + k) * mp.log(x) - x - mp.loggamma(a + k + 1)), weight * part
    for k in range(k, 0, -1):
        density *= (a + k) / x
        part += density
        weight *= k / mean
        total += weight * part
    return total


def chi(x, df, nc):
    return gamma_sum(df / 2, x / 2, nc / 2) if nc else mp.gammainc(df / 2, 0, x / 2, regularized=True)


def ratio(m, n, nc, x):
    split = m * x / (m * x + n)
    return beta_sum(m / 2, n / 2, split, nc / 2, mp.mpf(0)) if nc else mp.betainc(m / 2, n / 2, 0, split, regularized=True)


def student(df, nc, t):
    """With digits enough for what cancels."""
    if nc == 0:
        tail = mp.betainc(df / 2, mp.mpf("0.5"), 0, df / (df + t * t), regularized=True) / 2
        return 1 - tail if t > 0 else tail
    with mp.workdps(350 + int(nc * nc / 4)):
        if t < 0:
            return 1 - student(df, -nc, -t)
        half, mean, split = mp.mpf("0.5"), nc * nc / 2, t * t / (t * t + df)
        odd = beta_sum(half, df / 2, split, mean, half)
        return mp.ncdf(-nc) + half * (beta_sum(half, df / 2, split, mean, mp.mpf(0)) + mp.sign(nc) * odd)


def solved(fn, value, first):
    """The x with fn(x) = value, by secants from a number near it."""
    at, before = first, first * (1 + mp.mpf(10) ** -9)
    gap, gap_before = fn(at) - value, fn(before) - value
    for _ in range(25):
        if gap == gap_before or abs(at - before) < mp.mpf(10) ** -28 * abs(at):
            break
        at, before, gap_before = at - gap * (at - before) / (gap - gap_before), at, gap
        gap = fn(at) - value
    return at


# A function: its reference, its operands' points. An inverse: its function, the number of the operand it finds, and that
# of the probability among its own operands.
F_POINTS = (spread(-2, 5), spread(-2, 5), spread(-3, 5), spread(-3, 3))
FUNCTIONS = {
    "chndtr": (chi, (spread(-3, 6), spread(-3, 5), spread(-6, 6))),
    "ncfdtr": (ratio, F_POINTS),
    "nctdtr": (student, (spread(-2, 6), uniform(-9, 9), uniform(-12, 12))),
}
INVERSES = {
    "chndtrix": ("chndtr", 0, 0),
    "chndtridf": ("chndtr", 1, 1),
    "chndtrinc": ("chndtr", 2, 2),
    "ncfdtri": ("ncfdtr", 3, 3),
    "ncfdtridfd": ("ncfdtr", 1, 1),
    "ncfdtridfn": ("ncfdtr", 0, 0),
    "ncfdtrinc": ("ncfdtr", 2, 2),
    "nctdtrit": ("nctdtr", 2, 2),
    "nctdtridf": ("nctdtr", 0, 0),
    "nctdtrinc": ("nctdtr", 1, 1),
    "fdtridfd": ("fdtr", 1, 1),
}

# Points that are hard for one method or another: far tails, tiny and great parameters, either side of a change of method.
HARD = {
    "chndtr": [(1e-18, 1e-9, 1.0), (1e-40, 3.0, 1e-20), (900.0, 2.0, 400.0), (2e4, 3.0, 2e4), (5.0, 3.0, 1e-310)],
    "ncfdtr": [(2.0, 3.0, 1.0, 1e-19), (1e-9, 3.0, 1.0, 1e-18), (90.0, 1e8, 30.0, 1.2), (3.0, 40.0, 2e3, 500.0),
               (5.0, 0.01, 900.0, 1e9), (4.0, 8.0, 2.0, 1e30), (7.0, 9.0, 1e-305, 2.0)],
    "nctdtr": [(3.0, 5.0, -2.0), (133.3, 10.76, 5.8), (0.01, 2.0, -1e9), (8.0, 1.0, -3.0), (7.999, 1.0, -3.0),
               (40.0, 30.0, 9.0), (40.0, -30.0, -9.0), (21.0, -12.8, 1.93), (5.0, 1e-170, 2.0), (2.5, 3.0, -1e110),
               (500.0, 20.0, -30.0)],
}


# ---- edges ----


def chi_edge(x, df, nc):
    if not (x >= 0 and 0 < df < INF and 0 <= nc < INF):
        return NAN
    return 0.0 if x == 0 else 1.0 if x == INF else None


def ratio_edge(m, n, nc, x):
    if not (0 < m < INF and n > 0 and 0 <= nc < INF and x >= 0):
        return NAN
    return 0.0 if x == 0 else 1.0 if x == INF else chi(m * x, m, nc) if n == INF else None


def student_edge(df, nc, t):
    if not df > 0 or not math.isfinite(nc) or t != t:
        return NAN
    if math.isinf(t):
        return 1.0 if t > 0 else 0.0
    return mp.ncdf(-nc) if t == 0 else mp.ncdf(t - nc) if df == INF else None


EDGES = {"chndtr": chi_edge, "ncfdtr": ratio_edge, "nctdtr": student_edge}
BASES = {"chndtr": (2.0, 3.0, 1.5), "ncfdtr": (2.0, 3.0, 1.5, 2.5), "nctdtr": (2.0, 3.0, 1.5)}
# What inverses are where the probability is 0 and 1.
ENDS = {
    "chndtrix": (0.0, INF),
    "chndtridf": (INF, 0.0),
    "chndtrinc": (INF, 0.0),
    "ncfdtri": (0.0, INF),
    "ncfdtrinc": (INF, 0.0),
    "nctdtrit": (-INF, INF),
    "nctdtrinc": (INF, -INF),
    "fdtridfd": (0.0, INF),
}


def with_number(args, at, value):
    return (*args[:at], value, *args[at + 1 :])


def edges_of_function(name):
    base = BASES[name]
    for at in range(len(base)):
        for value in (NAN, INF, -INF, 0.0, -1.0):
            args = with_number(base, at, value)
            found = EDGES[name](*args)
            yield args, FUNCTIONS[name][0](*map(mp.mpf, args)) if found is None else found


def edges_of_inverse(name):
    """NaN for operands without meaning, and the ends."""
    function, found, at = INVERSES[name]
    base = BASES["ncfdtr" if function == "fdtr" else function]
    base = base[:2] + base[3:] if function == "fdtr" else base
    args = with_number(base, at, 0.4)
    for place in range(len(args)):
        is_shift = (name, place) in (("nctdtridf", 1), ("nctdtridf", 2), ("nctdtrit", 1), ("nctdtrinc", 2))
        for value in (NAN,) if is_shift else (NAN, -1.0):
            yield with_number(args, place, value), NAN
    for p, end in zip((0.0, 1.0), ENDS.get(name, ())):
        yield with_number(args, at, p), end


def check_edge(name, args, value):
    """SciPy is NaN where this is NaN, and not elsewhere but in infinite numbers."""
    theirs = float(getattr(sc, name)(*args))
    if (theirs == theirs) != (value == value) and not any(math.isinf(a) for a in args) and name in FUNCTIONS:
        raise SystemExit("%s%s: SciPy has %s, not %s" % (name, args, theirs, value))


# ---- cases ----


def reference_of(name):
    return (lambda m, n, x: ratio(m, n, mp.mpf(0), x)) if name == "fdtr" else FUNCTIONS[name][0]


def rounded(values, dtype):
    return tuple(float(dtype(v)) for v in values)


def is_normal(value, dtype):
    return float(np.finfo(dtype).tiny) <= abs(value) <= float(np.finfo(dtype).max)


def values_of_function(name, r, dtype):
    reference, points = FUNCTIONS[name]
    columns = [p(r, 24) for p in points]
    rows = list(zip(*columns)) + (HARD[name] if dtype is np.float64 else [])
    for args in (rounded(row, dtype) for row in rows):
        value = reference(*map(mp.mpf, args))
        if is_normal(value, dtype):
            yield args, value


def is_nearest(fn, p, found):
    """Whether no other number has p that is as near to 5, from where degrees of freedom are searched."""
    ratio = mp.mpf(found) / 5
    signs = {fn(5 * ratio**power) > p for power in (-0.95, -0.7, -0.4, 0, 0.4, 0.7, 0.95)}
    return len(signs) == 1


def values_of_inverse(name, r, dtype):
    """Where the result loses less than a digit to the rounding of the probability."""
    function, found, at = INVERSES[name]
    points = F_POINTS[:2] + F_POINTS[3:] if function == "fdtr" else FUNCTIONS[function][1]
    reference = reference_of(function)
    for args in (rounded(row, dtype) for row in zip(*[p(r, 24) for p in points])):
        exact = reference(*map(mp.mpf, args))
        p = float(dtype(exact))
        slope = (reference(*with_number(tuple(map(mp.mpf, args)), found, args[found] * mp.mpf("1.0001"))) - exact) / 1e-4
        fn = lambda z: reference(*with_number(tuple(map(mp.mpf, args)), found, z))  # noqa: E731, B023
        if not 1e-6 < p < 0.999 or abs(slope) < 0.1 * p or ("idf" in name and not is_nearest(fn, p, args[found])):
            continue
        yield with_number(args, at, p), solved(fn, mp.mpf(p), mp.mpf(args[found]))


def case(name, dtype):
    r = np.random.RandomState(zlib.crc32(name.encode()))
    is_function = name in FUNCTIONS
    edges = list(edges_of_function(name) if is_function else edges_of_inverse(name))
    for args, value in edges:
        check_edge(name, args, value)
    inner = list(values_of_function(name, r, dtype) if is_function else values_of_inverse(name, r, dtype))
    rows = [(rounded(args, dtype), float(value)) for args, value in edges] + [(args, float(v)) for args, v in inner]
    columns = [np.array([args[i] for args, _ in rows], dtype=dtype) for i in range(len(rows[0][0]))]
    return columns, np.array([value for _, value in rows], dtype=dtype)


def main():
    print("-- Made by spec/golden/special_noncentral.py; do not edit. Elements are bytes in hexadecimal, the lowest first.")
    pool = []
    print("local cases = {")
    for name in [*FUNCTIONS, *INVERSES]:
        for dtype in (np.float64, np.float32):
            columns, result = case(name, dtype)
            first = len(pool)
            pool += [a.tobytes().hex() for a in (*columns, result)]
            args = ", ".join(str(first + i + 1) for i in range(len(columns)))
            ulps = 1 if dtype is np.float32 else 100 if name in FUNCTIONS else 200
            print('  {row = "%s", family = "noncentral", dtype = "%s", args = {%s},' % (name, dtype.__name__, args))
            print("    results = {%d}, ulps = %d}," % (len(pool), ulps))
    print("}\nlocal pool = {")
    for text in pool:
        print('  "%s",' % text)
    print("}\nreturn {cases = cases, pool = pool}")


main()

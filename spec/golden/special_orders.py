"""Golden values for spec/special/: what rows of lua/cuna/special/ops.lua give that are computed in twice the digits.

    python3 spec/golden/special_orders.py > spec/golden/special_orders.lua

Written with mpmath 1.4 and SciPy 1.17. Values at finite points are mpmath's, rounded to the dtype, and SciPy's agree with
them to 1e-6 where SciPy has the function. At edges they are SciPy's, but for those in LIMITS, where SciPy has NaN in place
of a limit. The results are within one unit of the last place everywhere: also near
zeros of the functions.
"""

import math
import zlib

import mpmath as mp
import numpy as np
import scipy.special as sc

mp.mp.dps = 50
INF, NAN = math.inf, math.nan
COMPLEX = {np.float64: np.complex128, np.float32: np.complex64}


def uniform(low, high, n):
    return lambda r: r.uniform(low, high, n)


def whole(low, high, n):
    return lambda r: r.randint(low, high + 1, n).astype(float)


def spread(low, high, n):
    """Powers of ten."""
    return lambda r: 10.0 ** r.uniform(low, high, n)


def below(number, low, high, n):
    return lambda r: number - 10.0 ** r.uniform(low, high, n)


def near_whole(n):
    return lambda r: r.randint(-4, 5, n) + 10.0 ** r.uniform(-14, -2, n)


def joined(*parts):
    return lambda r: np.concatenate([part(r) for part in parts])


def plane(low, high, n):
    """Complex numbers of sizes from 10^low to 10^high."""
    return lambda r: 10.0 ** r.uniform(low, high, n) * np.exp(1j * r.uniform(-math.pi, math.pi, n))


def offset(center, points):
    return lambda r: center + points(r)


# ---- references ----


def legendre(m, v, x):
    """Ferrers' function by its hypergeometric series (DLMF 14.3.4)."""
    v = -1 - v if v < -0.5 else v
    a = abs(m)
    if v == int(v) and v < a:
        return mp.mpf(0)
    p = mp.hyp2f1(a - v, a + v + 1, a + 1, (1 - x) / 2) * (1 - x * x) ** (a / 2) / (2**a * mp.factorial(a))
    if m < 0:
        return p
    return (-1) ** int(m) * p * mp.gammaprod([v + m + 1], [v - m + 1])


def harmonic(n, m, theta, phi):
    a = abs(m)
    if a > n:
        return mp.mpc(0)
    p = legendre(a, n, mp.cos(theta))
    size = mp.sqrt((2 * n + 1) / (4 * mp.pi) * mp.factorial(n - a) / mp.factorial(n + a)) * p
    value = size * mp.expj(a * phi)
    return (-1) ** int(a) * mp.conj(value) if m < 0 else value


def amplitude(u, m):
    """The angle whose integral of the first kind is u."""
    angle = mp.mpf(float(sc.ellipj(float(u), float(m))[3]))
    for _ in range(8):
        step = (mp.ellipf(angle, m) - u) * mp.sqrt(1 - m * mp.sin(angle) ** 2)
        angle -= step
        if abs(step) < mp.mpf(10) ** -40:
            break
    return angle


def jacobi(u, m):
    if m == 1:
        return mp.tanh(u), mp.sech(u), mp.sech(u), 2 * mp.atan(mp.tanh(u / 2))
    angle = amplitude(u, m)
    return mp.sin(angle), mp.cos(angle), mp.sqrt(1 - m * mp.sin(angle) ** 2), angle


def scaled(fn, sign):
    return lambda v, x: fn(v, x) * mp.exp(sign * abs(x))


class Row:
    def __init__(self, family, reference, *points, edges=(), ints=(), is_complex=False, gives_complex=False, results=1,
                 ulps=1):
        self.family, self.reference, self.points, self.edges = family, reference, points, edges
        self.ints, self.is_complex, self.results, self.ulps = ints, is_complex, results, ulps
        self.gives_complex = is_complex or gives_complex


ORDERS = joined(uniform(-3, 3, 16), whole(-30, 30, 16), uniform(-40, 40, 16), uniform(0, 100, 16), near_whole(12))
ARGUMENTS = joined(uniform(0, 10, 16), uniform(0, 60, 16), spread(-3, 3, 16), uniform(0, 300, 16), spread(-4, 2, 12))
ORDER_EDGES = [(v, x) for v in (0.0, 0.5, 1.0, -0.5, -1.0, -2.5, NAN) for x in (0.0, 1.0, -1.0, -2.5, INF, NAN)]
ANGLE_EDGES = [(p, m) for p in (0.0, 1.0, -2.0, INF, NAN) for m in (0.0, -1.0, 1.0, 1.5, INF, -INF, NAN)]
ANGLES = joined(uniform(-1.57, 1.57, 24), uniform(-20, 20, 16), spread(-12, 0, 16), uniform(-3, 3, 8))
PARAMETERS = joined(uniform(0, 1, 24), uniform(-5, 1, 16), below(1, -12, 0, 16), below(0, 0, 10, 8))
ARGUMENTS_U = joined(uniform(-5, 5, 20), uniform(-40, 40, 12), spread(-12, 1, 12), uniform(-9, 9, 2))
PARAMETERS_U = joined(uniform(0, 1, 20), uniform(0, 1, 12), below(1, -7, 0, 12), lambda r: np.ones(2))
PLANE = joined(plane(0, 0.7, 20), plane(0.5, 1.6, 20), plane(-6, 0, 12), offset(2, plane(-6, -2, 6)))
BRANCH = joined(plane(-1, 1, 40), plane(-0.1, 0.1, 20), plane(-12, 12, 20), offset(-math.exp(-1), plane(-4, -1, 20)))
REALS = lambda r: np.concatenate([r.uniform(-1, 3, 20), -r.uniform(0, 0.36, 10)]).astype(complex)  # noqa: E731

ROWS = {
    "jv": Row("order", mp.besselj, ORDERS, ARGUMENTS, edges=ORDER_EDGES, ulps=4),
    "yv": Row("order", mp.bessely, ORDERS, ARGUMENTS, edges=ORDER_EDGES),
    "iv": Row("order", mp.besseli, ORDERS, ARGUMENTS, edges=ORDER_EDGES, ulps=4),
    "ive": Row("order", scaled(mp.besseli, -1), ORDERS, ARGUMENTS, edges=ORDER_EDGES, ulps=4),
    "kv": Row("order", mp.besselk, ORDERS, ARGUMENTS, edges=ORDER_EDGES),
    "kve": Row("order", scaled(mp.besselk, 1), ORDERS, ARGUMENTS, edges=ORDER_EDGES),
    "ellipkinc": Row("amplitude", mp.ellipf, ANGLES, PARAMETERS, edges=ANGLE_EDGES, ulps=6),
    "ellipeinc": Row("amplitude", mp.ellipe, ANGLES, PARAMETERS, edges=ANGLE_EDGES),
    "ellipj": Row(
        "amplitude",
        jacobi,
        ARGUMENTS_U,
        PARAMETERS_U,
        edges=[(u, m) for u in (0.0, 1.0, INF, NAN) for m in (0.0, 0.5, 1.0, -1.0, 1.5, NAN)],
        results=4,
    ),
    "lambertw": Row(
        "lambert",
        mp.lambertw,
        joined(BRANCH, REALS, BRANCH, REALS),
        joined(lambda r: np.zeros(110), whole(-3, 3, 110)),
        edges=[(z, k) for z in (0.0, INF, -INF, NAN) for k in (0, 1, -1)],
        ints=(1,),
        is_complex=True,
    ),
    "lpmv": Row(
        "legendre",
        legendre,
        joined(whole(0, 7, 40), whole(0, 7, 40), whole(-3, -1, 16)),
        joined(uniform(-10, 30, 40), whole(-20, 60, 40), whole(3, 20, 16)),
        uniform(-0.9, 1, 96),
        edges=[(m, v, x) for m in (0.0, 1.0, -1.0, 0.5) for v in (0.0, 1.0, 2.0, 0.5) for x in (0.0, 1.0, NAN)],
    ),
    "sph_harm_y": Row(
        "legendre",
        harmonic,
        joined(whole(8, 30, 24), whole(0, 8, 24)),
        whole(-8, 8, 48),
        uniform(-4, 4, 48),
        uniform(-7, 7, 48),
        gives_complex=True,
    ),
    "gamma": Row("complex", mp.gamma, PLANE, is_complex=True, edges=[(0.0,), (-1.0,), (NAN,)]),
    "loggamma": Row("complex", mp.loggamma, PLANE, is_complex=True, edges=[(0.0,), (-1.0,), (NAN,)]),
    "digamma": Row("complex", mp.digamma, PLANE, is_complex=True, edges=[(0.0,), (-1.0,), (NAN,)]),
}

# Limits, in place of what SciPy has at infinity and at 0.
LIMITS = {"jv": {INF: 0.0}, "yv": {INF: 0.0}, "iv": {INF: INF}, "ive": {INF: 0.0}, "kve": {INF: 0.0}}


def limit(name, args):
    if any(a != a for a in args):
        return NAN
    if name == "ive" and args[1] == 0 and args[0] < 0 and args[0] != int(args[0]):
        return INF
    return LIMITS.get(name, {}).get(args[1] if len(args) > 1 else None)


def edge(name, args):
    found = limit(name, args)
    if found is not None:
        row = ROWS[name]
        return (complex(NAN, NAN) if row.gives_complex else found,) * row.results
    found = getattr(sc, name)(*args)
    found = found if isinstance(found, tuple) else (found,)
    if not ROWS[name].is_complex and all(math.isfinite(a) for a in (*args, *found)) and all(f != 0 for f in found):
        exact = values(ROWS[name], [np.float64(a) for a in args])
        if all(abs(e - f) <= 1e-8 * abs(e) for e, f in zip(exact, found)):
            return exact
    return found


def exactly(a):
    return mp.mpc(complex(a)) if isinstance(a, np.complexfloating) else mp.mpf(float(a))


def values(row, args):
    numbers = [int(a) if i in row.ints else exactly(a) for i, a in enumerate(args)]
    found = row.reference(*numbers)
    return found if isinstance(found, tuple) else (found,)


def check(name, args, found):
    """Against a slip in a reference."""
    if name == "ellipj":
        return
    plain = [int(a) if name == "sph_harm_y" and i < 2 else a for i, a in enumerate(args)]
    theirs = complex(getattr(sc, name)(*plain))
    mine = complex(found[0])
    if math.isfinite(abs(theirs)) and abs(mine) > 1e-280 and not abs(mine - theirs) <= 1e-6 * abs(mine) + 1e-10:
        raise SystemExit("%s%s: SciPy has %s, mpmath %s" % (name, args, theirs, mine))


def fits(value, dtype):
    size, facts = abs(complex(value)), np.finfo(dtype)
    tiny, most = float(facts.tiny), float(facts.max)
    return size == 0 or tiny <= size <= most


def case(name, row, real):
    r = np.random.RandomState(zlib.crc32(name.encode()))
    own = COMPLEX[real] if row.is_complex else real
    dtypes = [np.int64 if i in row.ints else own for i in range(len(row.points))]
    given = COMPLEX[real] if row.gives_complex else real
    kept, results = [], []
    for args in row.edges:
        found = edge(name, [np.complex128(a) if row.is_complex and not i else a for i, a in enumerate(args)])
        if name != "lpmv" or found[0] != 0:  # the sign of SciPy's zeros there follows no rule
            kept.append(args)
            results.append([complex(v) if row.gives_complex else float(v) for v in found])
    columns = [np.asarray(p(r)).astype(d) for p, d in zip(row.points, dtypes)]
    for args in zip(*columns):
        found = values(row, args)
        if real is np.float64:
            check(name, args, found)
        if all(fits(v, real) for v in found):
            kept.append(args)
            results.append([complex(v) if row.gives_complex else float(v) for v in found])
    columns = [np.array([k[i] for k in kept]).astype(d) for i, d in enumerate(dtypes)]
    with np.errstate(all="ignore"):
        return columns, [np.array([v[k] for v in results]).astype(given) for k in range(row.results)]


pool, places = [], {}


def pooled(array):
    data = array.tobytes()
    if data not in places:
        pool.append(data.hex())
        places[data] = len(pool)
    return places[data]


def listed(arrays, show):
    return ", ".join(show(a) for a in arrays)


def main():
    print("-- Made by spec/golden/special_orders.py; do not edit. Elements are bytes in hexadecimal, the lowest first.")
    print("local cases = {")
    for name, row in ROWS.items():
        for real in (np.float64, np.float32):
            columns, results = case(name, row, real)
            ulps = row.ulps if not row.gives_complex else 4e-16 if real is np.float64 else 2e-7
            print('  {row = "%s", family = "%s", dtype = "%s",' % (name, row.family, columns[0].dtype))
            print("    dtypes = {%s}," % listed(columns, lambda a: '"%s"' % a.dtype))
            print("    args = {%s}," % listed(columns, lambda a: str(pooled(a))))
            print("    results = {%s}, ulps = %g}," % (listed(results, lambda a: str(pooled(a))), ulps))
    print("}\nlocal pool = {")
    for text in pool:
        print('  "%s",' % text)
    print("}\nreturn {cases = cases, pool = pool}")


main()

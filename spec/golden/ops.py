"""Golden values for spec/ops_spec.lua: what every row of lua/cuna/ops.lua gives.

    NPY_PROMOTION_STATE=weak python3 spec/golden/ops.py > spec/golden/ops.lua

Written with NumPy 1.24. Exact operations are computed in the dtype, transcendental ones in a wider one and then rounded.
By hand, because NumPy has none or another rule:
  bfloat16    NumPy has no such dtype; its operations are float32's, rounded
  power       an integer to a negative power is 0, unless it is 1 or -1 (NumPy raises); by squaring, wrapping
  reciprocal  of the integer 0 it is 0 (undefined in NumPy)
  gcd, lcm    of the least integer they wrap (undefined in NumPy)
  power       of the complex 0 to a power with positive real part is 0, as NumPy 2
  log1p       of complex numbers without NumPy's cancellation
  sign        of complex numbers as NumPy 2: x / |x|
  maximum, minimum, fmax, fmin, clip   of equals the first (NumPy leaves open which zero)
  floor, ceil, trunc, round            keep integers and bool, as NumPy 2
  round_decimals                       float16 is computed in float32; integers exactly, halves to even
  sinc        float16 is computed in float32; 1 at 0, where NumPy's 1e-20 is 0 in float16
  rsqrt       NumPy has none
  bitwise_count   NumPy 1.24 has none
  spacing     of float16 NumPy's has another sign, and another value at powers of 2, than of float32
  i0          infinity at infinity, where NumPy has NaN
"""
import os
os.environ["NPY_PROMOTION_STATE"] = "weak"

import math
import sys
import warnings
import zlib

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")

KIND = {"bool": "b", "int8": "i", "int16": "i", "int32": "i", "int64": "i", "uint8": "u", "uint16": "u", "uint32": "u",
        "uint64": "u", "float16": "f", "bfloat16": "f", "float32": "f", "float64": "f", "complex64": "c",
        "complex128": "c"}
FEW = "bool int8 uint16 int32 int64 uint64 float16 float32 float64 complex64 complex128".split()
ALL_OF = ("add subtract multiply divide floor_divide remainder power negative absolute maximum minimum equal less where "
          "isnan floor sqrt sin bitwise_and left_shift").split()
WIDER = {"float16": np.float64, "bfloat16": np.float64, "float32": np.float64, "float64": np.longdouble,
         "complex64": np.complex128, "complex128": np.clongdouble}
ULPS = {"float16": 1, "bfloat16": 1, "float32": 4, "float64": 4, "complex64": 1e-5, "complex128": 1e-12}


# ---- bfloat16: float32 values whose low 16 bits are 0 ----

def round_bfloat16(values):
    """To nearest even; a double first goes to float32 with all lost bits kept visible in the last one."""
    wide = np.asarray(values, np.float64)
    bits = wide.view(np.uint64)
    low = bits & np.uint64((1 << 29) - 1)
    sticky = (bits ^ low) | np.where(low != 0, np.uint64(1 << 29), np.uint64(0))
    single = sticky.view(np.float64).astype(np.float32)
    bits = single.view(np.uint32)
    rounded = (bits + np.uint32(0x7fff) + (bits >> np.uint32(16) & np.uint32(1))) & np.uint32(0xffff0000)
    return np.where(np.isnan(single), np.float32(np.nan), rounded.view(np.float32))


def held(values, dtype):
    """Values as the dtype holds them; bfloat16 in float32 arrays."""
    return round_bfloat16(values) if dtype == "bfloat16" else np.asarray(values).astype(dtype)


def as_bytes(values, dtype):
    if dtype == "bfloat16":
        return (values.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16).tobytes()
    return np.ascontiguousarray(values, dtype).tobytes()


# ---- operands ----

def float_specials(dtype):
    least = {"float16": 2.0 ** -24, "bfloat16": 2.0 ** -133, "float32": 2.0 ** -149, "float64": 5e-324}[dtype]
    most = {"float16": 65504.0, "bfloat16": 2.0 ** 128 - 2.0 ** 120, "float32": 2.0 ** 128 - 2.0 ** 104,
            "float64": sys.float_info.max}[dtype]
    return [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, least, -3 * least, most, 0.5, 2.5]


def specials(dtype):
    kind = KIND[dtype]
    if kind == "b":
        return [False, True]
    if kind == "f":
        return float_specials(dtype)
    if kind == "c":
        part = float_specials("float32" if dtype == "complex64" else "float64")[:8] + [1e-3]
        return [complex(a, b) for a in part for b in part]
    info = np.iinfo(dtype)
    return [0, 1, -1, info.min, info.max, info.min + 1, 2, 3] if kind == "i" else [0, 1, info.max, info.max - 1, 2, 3]


DRAWS = {
    "any": lambda r, n: np.where(np.arange(n) % 2, r.normal(0, 3, n), r.normal(0, 100, n)),
    "positive": lambda r, n: np.exp(r.uniform(-8, 8, n)),
    "unit": lambda r, n: r.uniform(-1, 1, n),
    "above_one": lambda r, n: 1 + np.exp(r.uniform(-6, 6, n)),
    "small": lambda r, n: r.uniform(-8, 8, n),
}
DRAWS["counts"] = DRAWS["divisor"] = DRAWS["any"]


def draw_integers(dtype, domain, random, n):
    info = np.iinfo(dtype)
    if domain == "small":
        return [int(v) for v in random.randint(-3 if info.min else 0, 13, n)]
    low = 0 if domain == "positive" else info.min
    wide = [int(v) % (info.max - low + 1) + low for v in random.randint(0, 2 ** 63, n, np.uint64)]
    near = [int(v) for v in random.randint(-20 if low else 0, 21, n)]
    return [wide[i] if i % 2 else near[i] for i in range(n)]


def draw(dtype, domain, random, n):
    kind = KIND[dtype]
    if kind == "b":
        return [bool(v) for v in random.randint(0, 2, n)]
    if kind in "iu":
        return draw_integers(dtype, domain, random, n)
    values = DRAWS[domain](random, n)
    if kind == "c":
        values = values + 1j * np.where(np.arange(n) % 3, DRAWS[domain](random, n), random.normal(0, 1, n))
    return list(values)


def operands(dtype, domain, nargs):
    """Combinations of special values (some where there are many), then drawn ones."""
    random = np.random.RandomState(zlib.crc32(("%s %s %d" % (dtype, domain, nargs)).encode()))
    special = specials(dtype)
    if nargs == 1:
        some = [special[i] for i in sorted(random.permutation(len(special))[:26])]
        columns = [some + draw(dtype, domain, random, 8)]
    else:
        combinations = len(special) ** nargs
        picked = sorted(random.permutation(combinations)[:30])
        drawn = 12 if domain == "counts" else 6
        columns = [[special[p // len(special) ** k % len(special)] for p in picked] + draw(dtype, domain, random, drawn)
                   for k in range(nargs)]
    if domain == "counts" and KIND[dtype] in "iu":
        width = np.iinfo(dtype).bits
        columns[1][-12:] = [max(v, np.iinfo(dtype).min) for v in (0, 1, 2, width - 1, width, width + 1, 3, 5, 7, 4, 6, 100)]
    return [held(np.array(column, dtype if KIND[dtype] in "iu" else None), dtype) for column in columns]


# ---- ways to compute ----

class Row:
    """How a row is computed: results(args, dtype) is a list of (dtype, values, tolerance)."""

    def __init__(self, kinds, results, domain="any", nargs=1):
        self.kinds, self.results, self.domain, self.nargs = kinds, results, domain, nargs


def result(values, dtype, tolerance=0):
    """Gives a float32 of bfloat16 operands its dtype."""
    values = np.asarray(values)
    name = values.dtype.name
    if dtype == "bfloat16" and name == "float32":
        return dtype, round_bfloat16(values), tolerance
    return name, values, tolerance


def exact(fn):
    def results(args, dtype):
        found = fn(*args)
        return [result(f, dtype) for f in (found if isinstance(found, tuple) else (found,))]
    return results


def to_real(dtype):
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def approximate(fn, real=False, times=1):
    """Computes in a wider dtype; `times` loosens the tolerance where a formula cancels."""
    def results(args, dtype):
        wide = fn(*[a.astype(WIDER[dtype]) for a in args])
        name = to_real(dtype) if real else dtype
        if name == "bfloat16":
            return [(name, round_bfloat16(wide), ULPS[name] * times)]
        return [(name, wide.astype(name), ULPS[name] * times)]
    return results


def by_kind(**ways):
    """ways: a function for each string of kinds."""
    def results(args, dtype):
        for kinds, way in ways.items():
            if KIND[dtype] in kinds:
                return way(args, dtype)
        raise KeyError(dtype)
    return results


def by_hand(fn):
    """Integers one at a time, as Python computes them, then wrapped."""
    def results(args, dtype):
        bits, signed = np.iinfo(dtype).bits, KIND[dtype] == "i"
        values = []
        for operands_at in zip(*args):
            v = fn(*[int(v) for v in operands_at]) % (1 << bits)
            values.append(v - (1 << bits) if signed and v >> bits - 1 else v)
        return [(dtype, np.array(values, dtype), 0)]
    return results


def in_float32(fn):
    """As exact, but float16 is computed in float32."""
    def results(args, dtype):
        if dtype != "float16":
            return exact(fn)(args, dtype)
        return [("float16", fn(*[a.astype(np.float32) if a.dtype == np.float16 else a for a in args]).astype(np.float16), 0)]
    return results


# ---- rows by hand ----

def integer_power(a, b):
    if b >= 0:
        return pow(a, b, 1 << 64)
    return 1 if a == 1 else (-1) ** (b % 2) if a == -1 else 0


def power(a, b):
    found = np.power(a, b)
    return np.where((a == 0) & (b.real > 0), 0, found) if a.dtype.kind == "c" else found


def complex_sign(z):
    size = np.hypot(z.real, z.imag)
    re, im = np.where(size == 0, 0, z.real / size), np.where(size == 0, 0, z.imag / size)
    far_re, far_im = np.isinf(z.real), np.isinf(z.imag)
    re = np.where(far_re & ~far_im, np.sign(z.real), np.where(far_im & ~far_re, 0, re))
    im = np.where(far_im & ~far_re, np.sign(z.imag), np.where(far_re & ~far_im, 0, im))
    nowhere = np.isnan(size) | (far_re & far_im)
    out = np.empty_like(z)
    out.real, out.imag = np.where(nowhere, np.nan, re), np.where(nowhere, np.nan, im)
    return out


def maximum(a, b):
    return np.where(np.isnan(a), a, np.where(np.isnan(b) | np.less(a, b), b, a))


def minimum(a, b):
    return np.where(np.isnan(a), a, np.where(np.isnan(b) | np.less(b, a), b, a))


def fmax(a, b):
    return np.where(np.isnan(b), a, np.where(np.isnan(a) | np.less(a, b), b, a))


def fmin(a, b):
    return np.where(np.isnan(b), a, np.where(np.isnan(a) | np.less(b, a), b, a))


def sinc(args, dtype):
    """NumPy's: the product with pi is rounded to the dtype (float32 for the halves), then sin(y) / y."""
    x = args[0].astype(np.float32) if dtype in ("float16", "bfloat16") else args[0]
    y = x.copy()
    for part in ((y.real, y.imag) if KIND[dtype] == "c" else (y,)):
        part *= part.dtype.type(math.pi)
    wide = y.astype(WIDER[dtype])
    found = np.where(x == 0, 1, np.sin(wide) / wide)
    return [(dtype, held(found, dtype), ULPS[dtype])]


def i0(x):
    """NumPy's, but infinity at infinity, where it has NaN."""
    return np.where(np.isinf(x), np.inf, np.i0(x))


def nan_to_num(args, dtype):
    most = {"bfloat16": (2 - 2 ** -7) * 2.0 ** 127, "float16": 65504}.get(dtype)
    found = np.nan_to_num(args[0], posinf=most, neginf=most and -most)
    return [(dtype, held(found, dtype), 0)]


def next_bfloat16(args, dtype):
    a, b = args
    bits = (a.view(np.uint32) >> np.uint32(16)).astype(np.int64)
    away = np.where(a == 0, np.where(np.signbit(b), 0x8001, 1), np.where((a < b) == (a > 0), bits + 1, bits - 1))
    moved = (away.astype(np.uint32) << np.uint32(16)).view(np.float32)
    found = np.where(np.isnan(a) | np.isnan(b), np.float32(np.nan), np.where(a == b, b, moved))
    return [(dtype, found, 0)]


def spacing_half(args, dtype):
    a, = args
    beyond = [a, np.where(a == 0, a.dtype.type(1), a + a)]
    found = next_bfloat16(beyond, dtype)[0][1] if dtype == "bfloat16" else np.nextafter(*beyond)
    return [(dtype, found - a, 0)]


def bitwise_count(args, dtype):
    a, = args
    counts = [bin(abs(int(x))).count("1") for x in a.ravel()]
    return [("uint8", np.array(counts, np.uint8).reshape(a.shape), 0)]


def round_integer(a, places):
    scale = 10 ** -places if places < 0 else 1
    whole, rest = divmod(abs(a), scale)
    whole += 2 * rest > scale or (2 * rest == scale and whole % 2 == 1)
    return whole * scale * (-1 if a < 0 else 1) if places < 0 else a


def round_float(a, places):
    real = a.real.dtype.type
    scale = np.array([real(10.0 ** abs(int(p))) for p in places], a.real.dtype)

    def part(x):
        return np.where(places < 0, np.rint(x / scale) * scale, np.rint(x * scale) / scale)
    if a.dtype.kind != "c":
        return part(a)
    out = np.empty_like(a)
    out.real, out.imag = part(a.real), part(a.imag)
    return out


def complex_log1p(z):
    """NumPy's loses what log|1 + z| cancels."""
    found = np.log(1 + z)
    near = (np.abs(z.real) < 0.25) & (np.abs(z.imag) < 0.25)
    found.real = np.where(near, np.log1p(z.real * (2 + z.real) + z.imag ** 2) / 2, found.real)
    return found


def truncated(a, b):
    """Integer fmod: the rest of a division rounded towards 0."""
    return 0 if b == 0 else int(math.copysign(1, a)) * (abs(a) % abs(b))


def keep(args, dtype):
    return [(dtype, args[0], 0)]


def complex_exact(fn):
    """Complex arithmetic is judged by the length of the difference."""
    def results(args, dtype):
        return [(dtype, fn(*args).astype(dtype), ULPS[dtype])]
    return results


# ---- the rows ----

def unary(fn, kinds="fc", domain="any"):
    return Row(kinds, approximate(fn), domain)


def parts_of(fn):
    return exact(lambda a: (fn(a)[0], fn(a)[1]))


def arithmetic(fn, kinds="biufc", domain="any", nargs=2):
    return Row(kinds, by_kind(biuf=exact(fn), c=complex_exact(fn)), domain, nargs)


ROWS = {
    "add": Row("biufc", exact(np.add), nargs=2),
    "subtract": Row("iufc", exact(np.subtract), nargs=2),
    "multiply": arithmetic(np.multiply),
    "divide": arithmetic(np.divide, "fc", "divisor"),
    "floor_divide": Row("iuf", exact(np.floor_divide), "divisor", 2),
    "remainder": Row("iuf", exact(np.remainder), "divisor", 2),
    "fmod": Row("iuf", by_kind(iu=by_hand(truncated), f=exact(np.fmod)), "divisor", 2),
    "divmod": Row("iuf", exact(np.divmod), "divisor", 2),
    "power": Row("iufc", by_kind(iu=by_hand(integer_power), fc=approximate(power)), "small", 2),
    "float_power": Row("fc", approximate(power), "small", 2),
    "negative": Row("iufc", exact(np.negative)),
    "positive": Row("iufc", exact(np.positive)),
    "absolute": Row("biufc", by_kind(biuf=exact(np.absolute), c=approximate(np.absolute, real=True))),
    "fabs": Row("f", exact(np.fabs)),
    "sign": Row("iufc", by_kind(iuf=exact(np.sign), c=complex_exact(complex_sign))),
    "square": arithmetic(np.square, "iufc", nargs=1),
    "sqrt": Row("fc", by_kind(f=exact(np.sqrt), c=approximate(np.sqrt)), "positive"),
    "cbrt": unary(np.cbrt, "f"),
    "rsqrt": unary(lambda x: 1 / np.sqrt(x), domain="positive"),
    "reciprocal": Row("iufc", by_kind(iu=by_hand(lambda a: a if a in (1, -1) else 0), f=exact(np.reciprocal),
                                      c=complex_exact(np.reciprocal)), "divisor"),
    "hypot": Row("f", approximate(np.hypot), nargs=2),
    "gcd": Row("iu", by_hand(math.gcd), nargs=2),
    "lcm": Row("iu", by_hand(math.lcm), nargs=2),
    "exp": unary(np.exp, domain="small"),
    "exp2": unary(np.exp2, domain="small"),
    "expm1": unary(np.expm1, domain="small"),
    "log": unary(np.log, domain="positive"),
    "log2": unary(np.log2, domain="positive"),
    "log10": unary(np.log10, domain="positive"),
    "log1p": Row("fc", by_kind(f=approximate(np.log1p), c=approximate(complex_log1p)), "positive"),
    "logaddexp": Row("f", approximate(np.logaddexp, times=16), nargs=2),
    "logaddexp2": Row("f", approximate(np.logaddexp2, times=16), nargs=2),
    "sin": unary(np.sin),
    "cos": unary(np.cos),
    "tan": unary(np.tan),
    "arcsin": unary(np.arcsin, domain="unit"),
    "arccos": unary(np.arccos, domain="unit"),
    "arctan": unary(np.arctan),
    "arctan2": Row("f", approximate(np.arctan2), nargs=2),
    "sinh": unary(np.sinh, domain="small"),
    "cosh": unary(np.cosh, domain="small"),
    "tanh": unary(np.tanh),
    "arcsinh": unary(np.arcsinh),
    "arccosh": unary(np.arccosh, domain="above_one"),
    "arctanh": unary(np.arctanh, domain="unit"),
    "deg2rad": unary(np.deg2rad, "f"),
    "rad2deg": unary(np.rad2deg, "f"),
    "sinc": Row("fc", sinc),
    "i0": Row("f", approximate(i0)),
    "floor": Row("biuf", by_kind(biu=keep, f=exact(np.floor))),
    "ceil": Row("biuf", by_kind(biu=keep, f=exact(np.ceil))),
    "trunc": Row("biuf", by_kind(biu=keep, f=exact(np.trunc))),
    "rint": Row("fc", exact(np.rint)),
    "round": Row("biufc", by_kind(biu=keep, fc=exact(np.rint))),
    "round_decimals": Row("biufc", by_kind(b=keep, iu=by_hand(round_integer), fc=in_float32(round_float)), nargs=2),
    "maximum": Row("biufc", exact(maximum), nargs=2),
    "minimum": Row("biufc", exact(minimum), nargs=2),
    "fmax": Row("biufc", exact(fmax), nargs=2),
    "fmin": Row("biufc", exact(fmin), nargs=2),
    "clip": Row("biufc", exact(lambda a, low, high: minimum(maximum(a, low), high)), nargs=3),
    "where": Row("biufc", exact(np.where), nargs=3),
    "heaviside": Row("f", exact(np.heaviside), nargs=2),
    "equal": Row("biufc", exact(np.equal), nargs=2),
    "not_equal": Row("biufc", exact(np.not_equal), nargs=2),
    "less": Row("biufc", exact(np.less), nargs=2),
    "less_equal": Row("biufc", exact(np.less_equal), nargs=2),
    "greater": Row("biufc", exact(np.greater), nargs=2),
    "greater_equal": Row("biufc", exact(np.greater_equal), nargs=2),
    "logical_and": Row("biufc", exact(np.logical_and), nargs=2),
    "logical_or": Row("biufc", exact(np.logical_or), nargs=2),
    "logical_xor": Row("biufc", exact(np.logical_xor), nargs=2),
    "logical_not": Row("biufc", exact(np.logical_not)),
    "bitwise_and": Row("biu", exact(np.bitwise_and), nargs=2),
    "bitwise_or": Row("biu", exact(np.bitwise_or), nargs=2),
    "bitwise_xor": Row("biu", exact(np.bitwise_xor), nargs=2),
    "bitwise_count": Row("biu", bitwise_count),
    "bitwise_invert": Row("biu", exact(np.invert)),
    "left_shift": Row("iu", exact(np.left_shift), "counts", 2),
    "right_shift": Row("iu", exact(np.right_shift), "counts", 2),
    "isnan": Row("biufc", exact(np.isnan)),
    "isinf": Row("biufc", exact(np.isinf)),
    "isposinf": Row("biuf", exact(lambda a: np.isinf(a) & np.greater(a, 0))),
    "isneginf": Row("biuf", exact(lambda a: np.isinf(a) & np.less(a, 0))),
    "isclose": Row("fc", exact(np.isclose), nargs=2),
    "nan_to_num": Row("biufc", nan_to_num),
    "isreal": Row("biufc", exact(np.isreal)),
    "iscomplex": Row("biufc", exact(np.iscomplex)),
    "isfinite": Row("biufc", exact(np.isfinite)),
    "signbit": Row("biuf", by_kind(biu=exact(lambda a: np.less(a, 0)), f=exact(np.signbit))),
    "copysign": Row("f", exact(np.copysign), nargs=2),
    "spacing": Row("f", lambda args, dtype: (exact(np.spacing) if dtype[:5] == "float" and dtype != "float16"
                                             else spacing_half)(args, dtype)),
    "nextafter": Row("f", lambda args, dtype: (next_bfloat16 if dtype == "bfloat16" else exact(np.nextafter))(args, dtype),
                     nargs=2),
    "ldexp": Row("f", exact(np.ldexp), "counts", 2),
    "frexp": Row("f", parts_of(np.frexp)),
    "modf": Row("f", parts_of(np.modf)),
    "real": Row("biufc", exact(np.real)),
    "imag": Row("biufc", exact(np.imag)),
    "conj": Row("biufc", by_kind(b=keep, iufc=exact(np.conjugate))),
    "angle": Row("fc", by_kind(f=approximate(lambda x: np.arctan2(np.zeros_like(x), x)),
                               c=approximate(np.angle, real=True))),
}


def adjusted(name, dtype, args):
    """Rows whose operands are not all of the loop's dtype: (dtypes, operands)."""
    n = len(args[0])
    if name in ("power", "float_power") and KIND[dtype] == "c":  # elsewhere C leaves cpow open
        usual = [np.where(np.isfinite(a) & ((np.abs(a) > 1e-30) | (a == 0)), a, 1 + 0 * a.real) for a in args]
        return [dtype] * 2, [np.where(np.isnan(a), 1, a) for a in usual]
    if name == "where":
        return ["bool", dtype, dtype], [np.arange(n) % 3 != 1] + args[1:]
    if name == "ldexp":
        counts = [0, 1, -1, 5, -5, 30, -30, 130, -150, 1000, -1074, 2000, -2100, 2 ** 40, -2 ** 40, -25, 14, -14]
        return [dtype, "int64"], [args[0], np.array([counts[i % len(counts)] for i in range(n)], np.int64)]
    if name == "round_decimals":
        places = [2, -1, 1, -2, 3, 0, -3] if KIND[dtype] in "fc" else [-1, 0, -2, 1, -3, -19, -25]
        return [dtype, "int32"], [args[0], np.array([places[i % 7] for i in range(n)], np.int32)]
    return [dtype] * len(args), args


pool, places = [], {}


def pooled(data):
    if data not in places:
        pool.append(data.hex())
        places[data] = len(pool)
    return places[data]


def listed(pairs):
    return "{" + ", ".join('{"%s", %s}' % (name, rest) for name, rest in pairs) + "}"


def write_case(name, row, dtype):
    dtypes, args = adjusted(name, dtype, operands(dtype, row.domain, row.nargs))
    inputs = [(d, pooled(as_bytes(a, d))) for d, a in zip(dtypes, args)]
    outputs = [(d, "%d, %g" % (pooled(as_bytes(v, d)), t)) for d, v, t in row.results(args, dtype)]
    print('  {row = "%s", loop = "%s", args = %s,\n    results = %s},' % (name, dtype, listed(inputs), listed(outputs)))


def main():
    print("-- Made by spec/golden/ops.py; do not edit. Elements are bytes in hexadecimal, the lowest first.")
    print("local cases = {")
    for name, row in ROWS.items():
        for dtype in (KIND if name in ALL_OF else FEW):
            if KIND[dtype] in row.kinds and not (name == "float_power" and dtype not in ("float64", "complex128")):
                write_case(name, row, dtype)
    print("}\nlocal pool = {")
    for text in pool:
        print('  "%s",' % text)
    print("}\nreturn {cases = cases, pool = pool}")


main()

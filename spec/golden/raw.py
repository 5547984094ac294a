"""Golden values for spec/kernel/raw_vocabulary_spec.lua: CUDA C++'s functions of numbers.

    python3 spec/golden/raw.py > spec/golden/raw.lua

Real functions by mpmath with 40 digits: an argument, the value there, the value at the float next to it. Intrinsics by Python's exact integers, and
directed roundings by its fractions.
"""
from fractions import Fraction
import math
import random
import struct

import mpmath as mp

mp.mp.dps = 40
random.seed(1)
REALS = [-30.5, -7.25, -2.0, -1.0, -0.75, -0.125, -0.0009765625, 0.0009765625, 0.25, 0.5, 0.9375, 1.0, 1.5, 2.5, 3.0,
         10.75, 33.5, 80.0]
POSITIVE = [x for x in REALS if x > 0] + [1e-30, 1e30]
INSIDE = [-0.9990234375, -0.75, -0.5, -0.125, -0.0009765625, 0.0009765625, 0.25, 0.5, 0.625, 0.9375, 0.9990234375]
SMALL = [x for x in REALS if abs(x) < 8]
ABOVE = [1.0, 1.25, 2.0, 10.75, 80.0]


def float_of(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def half_away(x):
    return math.copysign(math.floor(abs(x) + Fraction(1, 2)), x)


def erfcinv(x):
    if x >= 0.5:
        return mp.erfinv(1 - x)
    return mp.findroot(lambda y: mp.log(mp.erfc(y)) - mp.log(x), mp.sqrt(-mp.log(x)))


ONE = {
    "sin": (mp.sin, REALS), "cos": (mp.cos, REALS), "tan": (mp.tan, REALS), "asin": (mp.asin, INSIDE),
    "acos": (mp.acos, INSIDE), "atan": (mp.atan, REALS), "sinh": (mp.sinh, REALS), "cosh": (mp.cosh, REALS),
    "tanh": (mp.tanh, REALS), "asinh": (mp.asinh, REALS), "acosh": (mp.acosh, ABOVE), "atanh": (mp.atanh, INSIDE),
    "exp": (mp.exp, REALS), "exp2": (lambda x: mp.mpf(2) ** x, REALS), "exp10": (lambda x: mp.mpf(10) ** x, SMALL),
    "expm1": (mp.expm1, REALS), "log": (mp.log, POSITIVE), "log2": (lambda x: mp.log(x, 2), POSITIVE),
    "log10": (mp.log10, POSITIVE), "log1p": (mp.log1p, POSITIVE), "sqrt": (mp.sqrt, POSITIVE),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), POSITIVE),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), REALS), "rcbrt": (lambda x: mp.sign(x) / mp.cbrt(abs(x)), REALS),
    "erf": (mp.erf, REALS), "erfc": (mp.erfc, SMALL), "tgamma": (mp.gamma, [x for x in SMALL if x > 0] + [-0.75, -7.25]),
    "lgamma": (lambda x: mp.log(abs(mp.gamma(x))), [0.25, 0.5, 2.5, 10.75, 80.0, -0.75]),
    "sinpi": (mp.sinpi, REALS), "cospi": (mp.cospi, REALS), "erfinv": (mp.erfinv, INSIDE + [1 - 2.0 ** -20]),
    "erfcinv": (erfcinv, [1e-30, 1e-10, 0.125, 0.5, 0.75, 1.25, 1.5, 1.9375]),
    "erfcx": (lambda x: mp.exp(mp.mpf(x) ** 2) * mp.erfc(x), SMALL + [9.5, 10.75, 33.5, 1e15]),
    "normcdf": (mp.ncdf, SMALL), "normcdfinv": (lambda x: -mp.sqrt(2) * erfcinv(2 * x), [1e-30, 0.125, 0.25, 0.75]),
    "j0": (mp.j0, SMALL), "j1": (mp.j1, SMALL), "y0": (lambda x: mp.bessely(0, x), [0.25, 1.5, 10.75]),
    "y1": (lambda x: mp.bessely(1, x), [0.25, 1.5, 10.75]),
    "cyl_bessel_i0": (lambda x: mp.besseli(0, x), REALS), "cyl_bessel_i1": (lambda x: mp.besseli(1, x), REALS),
    "fabs": (abs, REALS), "floor": (math.floor, REALS), "ceil": (math.ceil, REALS), "trunc": (math.trunc, REALS),
    "round": (half_away, REALS), "rint": (round, REALS), "nearbyint": (round, REALS),
    "logb": (lambda x: math.frexp(x)[1] - 1, POSITIVE),
}
PAIRS = [(2.5, 3.0), (0.25, -1.5), (10.75, 0.5), (1.5, 7.25), (80.0, -0.125)]
SIGNED = PAIRS + [(-2.5, 3.0), (-0.75, -7.25), (5.0, -3.0)]
TWO = {
    "pow": (lambda x, y: mp.mpf(x) ** y, PAIRS), "atan2": (mp.atan2, SIGNED), "hypot": (mp.hypot, SIGNED),
    "fmod": (math.fmod, SIGNED), "remainder": (math.remainder, SIGNED), "copysign": (math.copysign, SIGNED),
    "fmax": (max, SIGNED), "fmin": (min, SIGNED), "fdim": (lambda x, y: max(x - y, 0), SIGNED),
    "nextafter": (None, SIGNED), "rhypot": (lambda x, y: 1 / mp.hypot(x, y), SIGNED),
}


def next_after(x, y, single):
    form, word = ("f", "i") if single else ("d", "q")
    bits = struct.unpack(word, struct.pack(form, x))[0]
    return struct.unpack(form, struct.pack(word, bits + (1 if (y > x) == (x > 0) else -1)))[0]


def text(x):
    x = float(x)
    return "1/0" if x == math.inf else "-1/0" if x == -math.inf else "%.17g" % x


def row(*values):
    return "{" + ", ".join(text(x) for x in values) + "}"


# ---- integers ----

M32, M64 = 2 ** 32 - 1, 2 ** 64 - 1


def s32(x):
    return (x + 2 ** 31 & M32) - 2 ** 31


def s64(x):
    return (x + 2 ** 63 & M64) - 2 ** 63


def byte_perm(x, y, s):
    both = y << 32 | x
    return sum((both >> 8 * (s >> 4 * i & 7) & 255) << 8 * i for i in range(4))


def dp4a(a, b, c, sign):
    def part(x, i):
        x = x >> 8 * i & 255
        return x - 256 if sign and x > 127 else x
    return c + sum(part(a, i) * part(b, i) for i in range(4))


def fns(mask, base, count):
    bits = [i for i in range(32) if mask >> i & 1 and (i >= base if count >= 0 else i <= base)]
    if count == 0:
        return base if mask >> base & 1 else M32
    bits = bits if count > 0 else bits[::-1]
    return bits[abs(count) - 1] if len(bits) >= abs(count) else M32


def s24(x):
    return (x + 2 ** 23 & 2 ** 24 - 1) - 2 ** 23


# Of 32-bit words a, b, c without sign; results modulo 2^32.
WORDS = {
    "__popc(a)": lambda a, b, c: bin(a).count("1"),
    "__clz((int)a)": lambda a, b, c: 32 - a.bit_length(),
    "__ffs((int)a)": lambda a, b, c: (a & -a).bit_length(),
    "__brev(a)": lambda a, b, c: int("{:032b}".format(a)[::-1], 2),
    "__byte_perm(a, b, c)": byte_perm,
    "__funnelshift_l(a, b, c)": lambda a, b, c: (b << 32 | a) << (c & 31) >> 32,
    "__funnelshift_lc(a, b, c)": lambda a, b, c: (b << 32 | a) << min(c, 32) >> 32,
    "__funnelshift_r(a, b, c)": lambda a, b, c: (b << 32 | a) >> (c & 31),
    "__funnelshift_rc(a, b, c)": lambda a, b, c: (b << 32 | a) >> min(c, 32),
    "__mul24((int)a, (int)b)": lambda a, b, c: s24(a) * s24(b),
    "__umul24(a, b)": lambda a, b, c: (a & 0xffffff) * (b & 0xffffff),
    "__mulhi((int)a, (int)b)": lambda a, b, c: s32(a) * s32(b) >> 32,
    "__umulhi(a, b)": lambda a, b, c: a * b >> 32,
    "__sad((int)a, (int)b, c)": lambda a, b, c: abs(s32(a) - s32(b)) + c,
    "__usad(a, b, c)": lambda a, b, c: abs(a - b) + c,
    "__hadd((int)a, (int)b)": lambda a, b, c: s32(a) + s32(b) >> 1,
    "__rhadd((int)a, (int)b)": lambda a, b, c: s32(a) + s32(b) + 1 >> 1,
    "__uhadd(a, b)": lambda a, b, c: a + b >> 1,
    "__urhadd(a, b)": lambda a, b, c: a + b + 1 >> 1,
    "__dp4a((int)a, (int)b, (int)c)": lambda a, b, c: dp4a(a, b, c, True),
    "__dp4a(a, b, c)": lambda a, b, c: dp4a(a, b, c, False),
    "__fns(a, b & 31, (int)(c & 7) - 3)": lambda a, b, c: fns(a, b & 31, (c & 7) - 3),
    "abs((int)a)": lambda a, b, c: abs(s32(a)),
    "max((int)a, (int)b)": lambda a, b, c: max(s32(a), s32(b)),
    "min(a, b)": lambda a, b, c: min(a, b),
    "max((int)a, b)": lambda a, b, c: max(a, b),
}
# The same of 64-bit words a, b.
LONGS = {
    "__popcll(a)": lambda a, b: bin(a).count("1"),
    "__clzll((long long)a)": lambda a, b: 64 - a.bit_length(),
    "__ffsll((long long)a)": lambda a, b: (a & -a).bit_length(),
    "__brevll(a)": lambda a, b: int("{:064b}".format(a)[::-1], 2),
    "__mul64hi((long long)a, (long long)b)": lambda a, b: s64(a) * s64(b) >> 64,
    "__umul64hi(a, b)": lambda a, b: a * b >> 64,
    "llabs((long long)a)": lambda a, b: abs(s64(a)),
    "max((long long)a, (long long)b)": lambda a, b: max(s64(a), s64(b)),
    "min(a, b)": lambda a, b: min(a, b),
}
EDGES = [0, 1, 2, 31, 32, 33, 255, 0x8000, 0xffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff]
TRIPLES = [(a, EDGES[(i * 7 + 3) % 13], EDGES[(i * 5 + 1) % 13]) for i, a in enumerate(EDGES)]
TRIPLES += [tuple(random.getrandbits(32) for _ in range(3)) for _ in range(19)]
COUPLES = [(a << 32 | b, c << 32 | a) for a, b, c in TRIPLES]

# ---- conversions and roundings ----

CONVERTED = [0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 1e9 + 64, 2147483520.0, 2147483648.0, -2147483648.0, -3e9, 4294967040.0,
             4294967296.0, 9.2e18, 1e19, 1.8e19, 2e19, -9.3e18, math.inf, -math.inf, math.nan]
ROUND = {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}


def to_integer(x, mode, nbits, sign, double):
    low, high = (-2 ** (nbits - 1), 2 ** (nbits - 1) - 1) if sign else (0, 2 ** nbits - 1)
    if x != x:
        return 2 ** (nbits - 1) if double or nbits == 64 else 0
    if math.isinf(x):
        return high if x > 0 else low
    return min(max(ROUND[mode](Fraction(x)), low), high)


def rounded(exact, mode, digits):
    """The number of so many binary digits next to a fraction."""
    if exact == 0:
        return 0.0
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length() - digits
    while size / Fraction(2) ** exponent >= 2 ** digits:
        exponent += 1
    while size / Fraction(2) ** exponent < 2 ** (digits - 1):
        exponent -= 1
    return float(ROUND[mode](exact / Fraction(2) ** exponent) * Fraction(2) ** exponent)


def root(x, mode, digits):
    """A root, exact enough that no mode can see the difference."""
    scaled = Fraction(math.isqrt(int(Fraction(x) * 2 ** 400)), 2 ** 200)
    exact = scaled * scaled == Fraction(x)
    return rounded(scaled if exact else scaled + Fraction(1, 2 ** 250), mode, digits)


ARITHMETIC = {
    "add": lambda x, y, z: x + y, "sub": lambda x, y, z: x - y, "mul": lambda x, y, z: x * y,
    "div": lambda x, y, z: x / y, "rcp": lambda x, y, z: 1 / x, "fma": lambda x, y, z: x * y + z,
}
OPERANDS = [tuple(float_of(random.uniform(0.1, 9) * random.choice([1, -1])) for _ in range(3)) for _ in range(6)]
OPERANDS += [(1.0, 2.0 ** -30, 1.0), (3.0, 7.0, -21.0), (1.0, -2.0 ** -40, 2.0 ** -60)]


def arithmetic(name, mode, digits, x, y, z):
    if name == "sqrt":
        return root(abs(x), mode, digits)
    return rounded(ARITHMETIC[name](Fraction(x), Fraction(y), Fraction(z)), mode, digits)


def main():
    out = ["-- Made by spec/golden/raw.py; do not edit. Words are hexadecimal.", "local M = {}", "", "M.one = {"]
    for name, (f, points) in ONE.items():
        rows = [row(x, f(x), f(float_of(x))) for x in points]
        out.append("  {name = \"%s\", %s}," % (name, ", ".join(rows)))
    out += ["}", "", "M.two = {"]
    for name, (f, points) in TWO.items():
        rows = []
        for x, y in points:
            both = (f(x, y), f(x, y)) if f else (next_after(x, y, False), next_after(x, y, True))
            rows.append(row(x, y, *both))
        out.append("  {name = \"%s\", %s}," % (name, ", ".join(rows)))
    out += ["}", ""]
    for key, rows, functions, mask in (("words", TRIPLES, WORDS, M32), ("longs", COUPLES, LONGS, M64)):
        width = 8 if mask == M32 else 16
        out.append("M.%s = {arguments = {" % key)
        for arguments in rows:
            out.append("  {%s}," % ", ".join('"%0*x"' % (width, a) for a in arguments))
        out.append("}, results = {")
        for name, f in functions.items():
            values = " ".join("%0*x" % (width, f(*arguments) & mask) for arguments in rows)
            out.append("  {\"%s\",\n   \"%s\"}," % (name, values))
        out.append("}}")
    out.append("\nM.converted = {arguments = {%s}, results = {" % ", ".join(
        "0/0" if x != x else text(x) for x in CONVERTED))
    for source, double in (("float", False), ("double", True)):
        for target, nbits, sign in (("int", 32, True), ("uint", 32, False), ("ll", 64, True), ("ull", 64, False)):
            for mode in ROUND:
                values = [to_integer(x if double or x != x else float_of(x), mode, nbits, sign, double) & 2 ** nbits - 1
                          for x in CONVERTED]
                out.append("  {\"__%s2%s_%s\", %d, \"%s\"}," % (source, target, mode, nbits, " ".join(
                    "%0*x" % (nbits // 4, v) for v in values)))
    out.append("}}\n\nM.directed = {arguments = {%s}, results = {" % ", ".join(row(*o) for o in OPERANDS))
    for letter, digits in (("f", 24), ("d", 53)):
        for name in list(ARITHMETIC) + ["sqrt"]:
            for mode in ROUND:
                full = "__fma%s" % ("f" if letter == "f" else "") if name == "fma" else "__" + letter + name
                values = [arithmetic(name, mode, digits, *o) for o in OPERANDS]
                out.append("  {\"%s_%s\", \"%s\", %s}," % (full, mode, name, row(*values)))
    out += ["}}", "", "return M"]
    print("\n".join(out))


main()

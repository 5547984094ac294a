"""Golden values for spec/io/format_spec.lua: texts of arrays as NumPy prints them.

    python3 spec/golden/format.py > spec/golden/format.lua

Written with NumPy 1.24 under NPY_PROMOTION_STATE=weak, so that limits compare as in NumPy 2. NumPy has no bfloat16: its
texts come from NumPy's own layout code over float32 arrays, with the digit generator replaced by `Dragon` below (the
algorithm of numpy/core/src/multiarray/dragon4.c over fractions, which is first checked against NumPy for float16).
"""
import os
os.environ["NPY_PROMOTION_STATE"] = "weak"

import contextlib
from fractions import Fraction
import math
import warnings

import numpy as np
from numpy.core import arrayprint

warnings.simplefilter("ignore")
random = np.random.RandomState(7)
rows = []


class Dragon:
    """Digits of floats with `bits` in the significand and least normal exponent `lowest` (as math.frexp counts)."""

    def __init__(self, bits, lowest):
        self.bits, self.lowest = bits, lowest

    def digits(self, x, unique, least, limit, fractional):
        """Digits, the exponent of the first; least and limit count digits after the first or after the point."""
        if x == 0:
            return "0", 0
        fraction, binary = math.frexp(x)
        ulp = Fraction(2) ** (max(binary, self.lowest) - self.bits)
        value, above = Fraction(x), ulp / 2
        below = ulp / 4 if fraction == 0.5 and binary > self.lowest else ulp / 2
        even = value / ulp % 2 == 0
        first = math.floor(math.log10(x))
        first += (Fraction(10) ** (first + 1) <= value) - (Fraction(10) ** first > value)
        origin = 0 if fractional else first
        if fractional and limit >= 0:
            first = max(first, -limit)
        stop = origin - limit if limit >= 0 else -10 ** 6
        enough = origin - least if least >= 0 else 10 ** 6
        text, place = "", first
        while True:
            unit = Fraction(10) ** place
            digit, value = divmod(value, unit)
            low = value <= below if even else value < below
            high = value + above >= unit if even else value + above > unit
            done = (low or high) and place <= enough if unique else value == 0
            if done or place == stop:
                break
            text, place = text + str(digit), place - 1
        down = low
        if low == high or not unique:
            down = value * 2 < unit or (value * 2 == unit and digit % 2 == 0)
        if down:
            return text + str(digit), first
        rounded = str(int(text + str(digit)) + 1).zfill(len(text) + 1)
        return rounded.rstrip("0"), first + len(rounded) - len(text) - 1

    def positional(self, x, precision=-1, unique=True, fractional=True, trim="k", sign=False, pad_left=-1, pad_right=-1,
                   min_digits=-1):
        least = -1 if min_digits is None else min_digits
        digits, first = self.digits(abs(float(x)), unique, least, precision, fractional)
        if first < 0:
            digits, first = "0" * -first + digits, 0
        digits = digits.ljust(first + 1, "0")
        whole, fraction = digits[:first + 1], digits[first + 1:]
        fraction = fraction.rstrip("0") if trim == "." else fraction.ljust(precision, "0")
        return sign_of(x, sign).rjust(pad_left - len(whole)) + whole + "." + fraction.ljust(max(pad_right, 0))

    def scientific(self, x, precision=-1, unique=True, trim="k", sign=False, pad_left=-1, exp_digits=-1, min_digits=-1):
        least = -1 if min_digits is None else min_digits
        digits, first = self.digits(abs(float(x)), unique, least, precision, False)
        fraction = digits[1:].rstrip("0") if trim == "." else digits[1:].ljust(precision, "0")
        return "%s%s.%se%s%s" % (sign_of(x, sign).rjust(pad_left - 1), digits[0], fraction, "-" if first < 0 else "+",
                                 str(abs(first)).zfill(max(exp_digits, 2)))

    def scalar(self, x):
        if not math.isfinite(x):
            return str(x)
        if x == 0 or 1e-4 <= abs(x) < 1e16:
            text = self.positional(x, trim=".")
            return text + "0" if text.endswith(".") else text
        return self.scientific(x, trim=".").replace(".e", "e")


def sign_of(x, plus):
    return "-" if math.copysign(1, x) < 0 else "+" if plus else ""


BFLOAT16 = Dragon(8, -125)


@contextlib.contextmanager
def digits_from(dragon, name):
    """Prints arrays with another digit generator and name of the dtype."""
    changes = {"dragon4_positional": dragon.positional, "dragon4_scientific": dragon.scientific,
               "dtype_short_repr": lambda dtype: name}
    kept = {key: getattr(arrayprint, key) for key in changes}
    vars(arrayprint).update(changes)
    try:
        yield
    finally:
        vars(arrayprint).update(kept)


def check_dragon():
    """The replacement digit generator prints float16 as NumPy does."""
    values = np.arange(0x7c00, dtype=np.uint16)[::3].view(np.float16)
    for mode in ("maxprec", "unique", "fixed", "maxprec_equal"):
        with np.printoptions(floatmode=mode, precision=int(random.randint(0, 9))):
            for block in np.array_split(random.permutation(values), 1500):
                expected = str(block)
                with digits_from(Dragon(11, -13), "float16"):
                    assert str(block) == expected, (mode, expected, str(block))


def lua_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def lua_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return lua_string(value) if isinstance(value, str) else "math.huge" if value == math.inf else str(value)


def lua_options(options):
    return "{ " + ", ".join("%s = %s" % (name, lua_value(value)) for name, value in options.items()) + " }"


def exact(x):
    """A float as text that reads back bit by bit."""
    if x == int(x) and abs(x) < 1e15 if math.isfinite(x) else False:
        return "-0" if x == 0 and math.copysign(1, x) < 0 else str(int(x))
    if not math.isfinite(x):
        return str(x)
    mantissa, exponent = float(x).hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent


def element(x):
    if isinstance(x, complex):
        return exact(x.real) + " " + exact(x.imag)
    return exact(x) if isinstance(x, float) else str(int(x))


def narrow(values):
    """float32 values rounded to bfloat16, halves to even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7fff + (bits >> np.uint64(16) & np.uint64(1))) & np.uint64(0xffff0000)
    return np.where(np.isfinite(values), rounded.astype(np.uint32).view(np.float32), np.asarray(values, np.float32))


def texts(x, brain, arguments):
    """str and repr of an array and, where arguments are given, array2string."""
    with digits_from(BFLOAT16, "bfloat16") if brain else contextlib.nullcontext():
        plain = BFLOAT16.scalar(float(x)) if brain and x.shape == () else str(x)
        full = repr(x)
        long = np.array2string(x, **arguments) if arguments is not None else None
    return plain, full, long


def case(x, options=None, arguments=None, ramp=None, brain=False, full=True):
    x = np.asarray(x)
    with np.printoptions(**(options or {})):
        plain, representation, long = texts(x, brain, arguments)
    fields = ["dtype = %s, shape = {%s}" % (lua_string("bfloat16" if brain else x.dtype.name),
                                            ", ".join(map(str, x.shape)))]
    if ramp:
        fields.append("ramp = {%s, %s}" % ramp)
    else:
        fields.append("data = " + lua_string(" ".join(map(element, x.ravel().tolist()))))
    if options:
        fields.append("options = " + lua_options(options))
    fields.append("str = " + lua_string(plain))
    if full:
        fields.append("repr = " + lua_string(representation))
    if long not in (None, plain):
        fields += ["arguments = " + lua_options(arguments), "array2string = " + lua_string(long)]
    rows.append("  { " + ",\n  ".join(fields) + " },")


def ramp(shape, first, step, dtype, options=None, arguments=None, full=True):
    """first, first + step, ...: data given by rule, each element exact."""
    count = int(np.prod(shape))
    case((first + step * np.arange(count)).astype(dtype).reshape(shape), options, arguments, (first, step), full=full)


FLOATS = ("float64", "float32", "float16")
COMPLEX = ("complex128", "complex64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
LISTS = [
    [1, 2, 3], [0.1], [0.1, 0.25, 100], [-0.0], [-0.0, 0.0], [math.nan], [math.inf], [-math.inf],
    [math.nan, -1.5, math.inf, -math.inf], [1, math.nan], [math.inf, 0.001], [1e-4, 1], [9.99e-5, 1], [1e-5],
    [0.001, 1], [0.001, 1.001], [1000.5, 1], [1001, 1], [1e4, 5e-4, math.nan, -math.inf], [0, 1e-7], [1 / 3, 2 / 3, 1],
    [0.5, 0.125, 2.5, 1.75, 1e3], [2.675, 1.005, 0.285], [6e-8, 1.2e-7], [65504, 40992, 9999], [1.5e-5, -2, 0],
]
WIDE = [
    [1e8], [99999999, 1], [99999990, 99999999.5], [1e15, 1e16], [123456789.123], [1e30, -1e-30], [16777217, 33554433],
    [1e20, math.nan, 1], [3.4e38, 1e-38], [1e-45, 1.4e-44], [math.pi, math.e * 100],
]
DOUBLE = [
    [1e100, 1e-100], [1e99, 1e-5, math.nan], [5e-324], [5e-324, 1.7976931348623157e308], [2.2250738585072014e-308],
    [2.0 ** -44, 9007199254740993.0], [0.1 + 0.2], [1e22, 1e23], [9.5367431640625e-07, 4.35e-3],
    [1.00000000049, 1.0000000051], [0.123456785, 0.5], [1 / 512, 3 / 512 + 2 ** -12],
    [2.0 ** -k for k in range(1, 9)],
]


def float_cases():
    for dtype in FLOATS:
        for values in LISTS + (WIDE if dtype != "float16" else []) + (DOUBLE if dtype == "float64" else []):
            case(np.array(values, dtype))
    for values in LISTS + WIDE:
        case(narrow(values), brain=True)
    for dtype in FLOATS:
        for scale in (1e-7, 1e-3, 1, 300, 10000):
            values = (random.standard_normal((6, 3)) * scale).astype(dtype)
            case(values, arguments={})
    for scale in (1e-20, 1, 1e5):
        case(narrow(random.standard_normal(15) * scale), brain=True)
    for _ in range(8):
        case(random.randint(0, 2 ** 62, 4).view(np.float64))
        case(random.randint(0, 2 ** 31 - 2 ** 23, 5).astype(np.uint32).view(np.float32))
        case(random.randint(0, 0x7c00, 5).astype(np.uint16).view(np.float16))
        case(narrow(random.randint(0, 2 ** 31 - 2 ** 24, 5).astype(np.uint32).view(np.float32)), brain=True)


def complex_cases():
    inf, nan = math.inf, math.nan
    lists = [
        [1 + 2j], [1j, -1j, 0], [complex(nan, 1), 2 - 3.5j], [complex(1, nan), complex(-inf, inf)],
        [complex(-0.0, -0.0)], [1e-5 + 1j, 2], [1 + 1e9j, 2 - 3j], [1e10 + 1e-10j, -1 - 1j], [0.1 + 0.25j, -100 + 3j],
        [complex(inf, -inf), 1.5], [complex(0, nan)], [1 / 3 - 2j / 3, 1],
    ]
    for dtype in COMPLEX:
        for values in lists:
            case(np.array(values, dtype), arguments={})
        case((random.standard_normal(16).view(complex) * 100).astype(dtype).reshape(2, 4))


def integer_cases():
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        case(np.array([info.min, info.max], dtype))
        case(np.array([[info.max, 0], [1, 2]], dtype))
        case(np.array([5, 100, 7], dtype))
    case(np.array([2 ** 53 + 1, -2 ** 60, 3]))
    case(np.arange(-20, 20).reshape(5, 8))
    for shape in ((3,), (2, 2), (1,), (40,)):
        case(random.rand(*shape) > 0.5)
    case(np.array([True, True]))


def scalar_cases():
    values = [0, -0.0, 1, 0.1, 1 / 3, 1e-4, 9.9e-5, 1e15, 1e16, 1.5e16, 123456.789, math.nan, math.inf, -math.inf, -2.5,
              65504, 1e8, 1e-7, 5e-324, 12345678.9]
    for dtype in FLOATS:
        for value in values:
            case(np.array(value, dtype), arguments={})
    for value in values:
        case(narrow(value), brain=True)
    parts = [(0, 1), (1, 0), (-0.0, 1), (1.5, -2), (math.nan, 1), (0, math.nan), (1, math.nan), (math.inf, -math.inf),
             (0, -math.inf), (1e20, 1e-20), (1 / 3, 0.1), (0, 0), (0, -0.0), (-math.inf, 0)]
    for dtype in COMPLEX:
        for real, imaginary in parts:
            case(np.array(complex(real, imaginary), dtype), arguments={})
    for dtype in INTEGERS:
        case(np.array(np.iinfo(dtype).max, dtype), arguments={})
    case(np.array(True), arguments={})
    case(np.array(False))


def shape_cases():
    for shape in ((0,), (0, 3), (3, 0), (2, 0, 2)):
        for dtype in ("float64", "float32", "int64", "uint8", "bool", "complex64"):
            case(np.zeros(shape, dtype), arguments={})
    for shape in ((30,), (100,), (5, 5), (2, 30), (2, 3, 4), (3, 1, 2), (2, 2, 2, 3), (1, 1), (1, 1, 1, 1, 1), (3, 1)):
        ramp(shape, -3, 0.25, "float64", arguments={"separator": ", "})
        ramp(shape, 0, 1, "float32")
        ramp(shape, 0, 7, "int32", arguments={"prefix": "x = ", "suffix": ";;", "separator": "|"})
    ramp((60,), 0, 1, "bool")
    ramp((12,), 1, 1, "complex64")
    for length in (18, 20, 22, 23, 24, 25, 27):
        ramp((length,), 0, 1, "float32")
        ramp((length,), 0, 1, "int64")
    ramp((1000,), 0, 1, "int32", full=False)
    for shape in ((1001,), (100, 100), (11, 10, 10), (1000, 2), (2, 1000), (7, 2, 7, 11), (1, 2000)):
        ramp(shape, 0, 0.5, "float64", full=len(shape) < 4)
        ramp(shape, 0, 1, "int64", full=len(shape) < 4)
    ramp((2, 6, 6), 0, 1, "int64", {"threshold": 70}, full=False)
    ramp((50, 50), -4, 3, "complex128")
    ramp((2, 700), 1, 1, "bool")


def option_cases():
    values = np.array([math.pi, -100 / 3, 0.5, 1e-3, 12345.678])
    mixed = np.array([math.nan, 1.5, -math.inf, math.inf, 2 / 3])
    small = np.array([1e-10, 1, 22 / 7, -1e-5, 0])
    pairs = np.array([1 / 3 + 2j, complex(math.nan, -1e-6)])
    tries = [{"precision": p} for p in (0, 1, 3, 12, 17)] + [{"sign": s} for s in "+ "] + [{"suppress": True}]
    modes = ("fixed", "unique", "maxprec", "maxprec_equal")
    tries += [{"floatmode": mode, "precision": places} for mode in modes for places in (2, 8, 20)]
    tries += [{"nanstr": "-", "infstr": "\u221e"}, {"nanstr": "not a number", "sign": "+"}, {"linewidth": 20},
              {"suppress": True, "precision": 3}, {"floatmode": "fixed", "suppress": True, "precision": 4}]
    tries += [{"sign": s, "floatmode": m} for s in "+ " for m in ("fixed", "maxprec_equal")]
    for options in tries:
        for x in (values, values.astype("float32"), mixed, mixed.astype("float16"), small, small[1:3], pairs):
            case(x, options, full=x is values)
        case(narrow(values), options, brain=True, full=False)
    exact_halves = np.array([0.5, 1.5, 2.5, 0.125, 0.375])
    for precision in (0, 2):
        case(exact_halves, {"precision": precision})
        case(exact_halves, {"precision": precision, "floatmode": "fixed"})
    case(np.array([0.1, 1e-110]), {"floatmode": "fixed", "precision": 120, "linewidth": 1000})
    case(np.array([5e-324, 1e-5]), {"floatmode": "unique", "suppress": True, "linewidth": 40})
    layouts = [{"threshold": 5}, {"threshold": 0, "edgeitems": 1}, {"edgeitems": 0, "threshold": 3}, {"linewidth": 10},
               {"linewidth": 1}, {"threshold": math.inf}, {"edgeitems": 2, "threshold": 5, "linewidth": 30}]
    for options in layouts:
        for shape in ((12,), (3, 8), (5, 3, 2), ()):
            ramp(shape, -8, 1.5, "float32", options, full=options.get("linewidth", 75) > 1)
            ramp(shape, 0, 101, "int64", options, arguments={"separator": ","}, full=False)
    case(small, arguments={"precision": 3, "suppress_small": True, "max_line_width": 15, "separator": ", "})
    case(small, arguments={"floatmode": "fixed", "sign": "+", "threshold": 2, "edgeitems": 1})


check_dragon()
for write in (float_cases, complex_cases, integer_cases, scalar_cases, shape_cases, option_cases):
    write()
print("-- Made by spec/golden/format.py; do not edit.\nreturn {\n%s\n}" % "\n".join(rows))

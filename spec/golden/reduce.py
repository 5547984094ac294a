"""Golden values for spec/reduce_spec.lua: results of reductions as NumPy has them.

    python3 spec/golden/reduce.py > spec/golden/reduce.lua

Written with NumPy 1.24 under NPY_PROMOTION_STATE=weak. The values of a case are listed once (`values`), element i of an
array of any shape is values[i % len]. They are chosen so that sums are exact in any order; variances are not, and
compared with a tolerance. By hand: axes and positions count from 1; NumPy has no bfloat16, so its results come from
float32 and are rounded here; float16 variances are taken in float32 and rounded once, not at every step; positions of
nothing but NaN are "error" wherever one slice is such.
"""
import os
os.environ["NPY_PROMOTION_STATE"] = "weak"

import itertools
import warnings

import numpy as np

warnings.simplefilter("ignore")
nan, inf = float("nan"), float("inf")

SIGNED = [3, -2, 0, 5, 1, -7, 4, 4, -1, 6, 2]
UNSIGNED = [3, 2, 0, 5, 1, 7, 4, 4, 9, 6, 2]
FLOATS = [1.5, -2, 0.25, 3, -0.5, 7, -4.25, 7, 1, -6, 2]
UNITS = [1, -2, 0.5, 1, -1, 4, 0.25, -1, 2, 0.5, 1]
SPECIAL = [1.5, nan, inf, -2, nan, -inf, -0.5, nan, 3, 7]
ALL_NAN = [nan, nan, 2, nan, 1]  # columns of shape (k, 5) have one value
COMPLEX = [1.5 + 2j, -2 + 0j, 1.5 - 1j, 3j, 7 + 1j, 7 - 3j, -2 - 5j, 0.5 + 0j, 1 + 1j, -6 + 2j, 2j]
COMPLEX_UNITS = [1 + 0j, 1j, -2 + 0j, 0.5 + 0j, complex(0, -1), 1 + 1j, 0.5 - 0.5j]
COMPLEX_SPECIAL = [1 + 2j, complex(nan, 0), 3 - 1j, -2 + 1j, 3 + 4j, complex(nan, 0), 1j, 5 - 2j, -2 - 3j]
BOOLS = [True, False, False, True, True, False, True]

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
          "float32", "float64", "complex64", "complex128"]
OPS = ["sum", "prod", "mean", "var", "std", "min", "max", "ptp", "argmin", "argmax", "any", "all", "count_nonzero"]
NAN_OPS = ["nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax", "nanargmin", "nanargmax"]
INEXACT = ("var", "std", "nanvar", "nanstd")
rows, lists = [], {}


def round_bfloat16(x):
    bits = np.atleast_1d(x).astype(np.float32).view(np.uint32).astype(np.uint64)
    low, last = np.uint64(0xffff0000), bits >> np.uint64(16) & np.uint64(1)
    rounded = (bits + np.uint64(0x7fff) + last & low).astype(np.uint32).view(np.float32)
    return np.where(np.isnan(x), np.float32(nan), rounded.reshape(np.shape(x)))


def numpy_dtype(name):
    return "float32" if name == "bfloat16" else name


def compute(op, x, dtype, axis, options):
    """The result and its dtype's name."""
    options = {k: numpy_dtype(v) if k == "dtype" else v for k, v in options.items()}
    half = op in INEXACT and dtype == "float16" and "dtype" not in options
    result = getattr(np, op)(x.astype("float32") if half else x, axis=axis, **options)
    if half:
        result = result.astype("float16")
    result = np.asarray(result)
    if "arg" in op:
        return result + 1, "int64"
    if dtype == "bfloat16" and result.dtype == np.float32:
        return round_bfloat16(result), "bfloat16"
    return result, result.dtype.name


def text(v):
    if isinstance(v, (complex, np.complexfloating)):
        return text(v.real) + " " + text(v.imag)
    if isinstance(v, (bool, np.bool_, int, np.integer)):
        return str(int(v))
    v = float(v)
    if v != v or abs(v) == inf:
        return repr(v)
    return "%.0f" % v if v == int(v) and abs(v) < 1e6 else v.hex()


def joined(values):
    return " ".join(text(v) for v in values)


def lua(v):
    if isinstance(v, (tuple, list)):
        return "{%s}" % ", ".join(str(n) for n in v)
    return str(v).lower() if isinstance(v, bool) else '"%s"' % v if isinstance(v, str) else str(v)


def from_one(axis):
    if isinstance(axis, tuple):
        return tuple(a + 1 if a >= 0 else a for a in axis)
    return axis + 1 if axis is not None and axis >= 0 else axis


def case(op, given, values, shape, axis=None, **options):
    size = int(np.prod(shape))
    x = np.array([values[i % len(values)] for i in range(size)], dtype=numpy_dtype(given)).reshape(shape)
    fields = ['op = "%s"' % op, 'dtype = "%s"' % given, "values = %d" % lists.setdefault(joined(values), len(lists) + 1),
              "shape = " + lua(shape)]
    if axis is not None:
        fields.append("axis = " + lua(from_one(axis)))
    fields += ["%s = %s" % ("asked" if k == "dtype" else k, lua(v)) for k, v in options.items()]
    try:
        result, name = compute(op, x, given, axis, options)
        fields += ['gives = "%s"' % name, "result_shape = " + lua(result.shape)]
        fields.append('result = "%s"' % joined(result.ravel()))
    except (ValueError, TypeError) as error:
        fields.append("error = true")
    rows.append("  {%s}," % ", ".join(fields))


def values_of(op, dtype):
    kind = np.dtype(numpy_dtype(dtype)).kind
    product = op.endswith("prod")
    return {"b": BOOLS, "i": SIGNED, "u": UNSIGNED, "f": UNITS if product else FLOATS,
            "c": COMPLEX_UNITS if product else COMPLEX}[kind]


def every_dtype():
    for dtype, op in itertools.product(DTYPES, OPS):
        case(op, dtype, values_of(op, dtype), (3, 4))
        if dtype in ("float32", "int8"):
            case(op, dtype, values_of(op, dtype), (3, 4), 0)
            case(op, dtype, values_of(op, dtype), (3, 4), -1)
    for dtype, op in itertools.product(["int16", "float16", "bfloat16", "float32", "float64", "complex64"], NAN_OPS):
        case(op, dtype, values_of(op, dtype), (7,))


def special_values():
    for dtype, op in itertools.product(["float16", "float32"], OPS + NAN_OPS):
        case(op, dtype, SPECIAL, (4, 7))
        if dtype == "float32":
            case(op, dtype, SPECIAL, (4, 7), 0)
            case(op, dtype, SPECIAL, (4, 7), 1)
    for op in NAN_OPS:
        case(op, "float32", ALL_NAN, (3, 5), 0)
        case(op, "float64", [nan], (6,))
        case(op, "complex64", COMPLEX_SPECIAL, (4, 5), 0)
    for op in ["sum", "mean", "var", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero"]:
        case(op, "complex64", COMPLEX_SPECIAL, (4, 5))
        case(op, "complex64", COMPLEX_SPECIAL, (4, 5), 1)
    for op in ["sum", "prod", "min", "max", "ptp", "argmin", "argmax"]:
        for dtype in DTYPES[1:9]:
            ends = np.iinfo(dtype)
            case(op, dtype, [1, ends.max, ends.min, ends.max, 3], (7,))


SHAPES = [(), (1,), (7,), (0,), (0, 3), (3, 0), (2, 3, 4), (4, 1, 5), (2, 3, 4, 5)]


def shapes_and_axes():
    ops = ["sum", "mean", "max", "argmin", "any", "nanvar", "nanmin", "count_nonzero"]
    for shape, op in itertools.product(SHAPES, ops):
        axes = [None] + list(range(-1, len(shape)))[: len(shape) + 1 if shape else 0]
        if "arg" not in op and len(shape) > 1:
            axes += [(), (0, -1), tuple(range(len(shape)))]
        for axis in axes:
            case(op, "float64", FLOATS, shape, axis)
        case(op, "float64", FLOATS, shape, None if not shape else -1, keepdims=True)
    for op in OPS + NAN_OPS:
        case(op, "float32", FLOATS, (0,))
    for op in ["prod", "std", "min", "argmax", "all", "nansum", "nanvar", "nanmax", "nanargmin"]:
        case(op, "float32", FLOATS, (3, 0), 1)
        case(op, "float32", FLOATS, (3, 0), 0)
        case(op, "float32", FLOATS, ())
        if "arg" not in op:
            case(op, "float32", FLOATS, (2, 5), ())


def options():
    for op in ["sum", "prod", "mean"]:
        for dtype, asked in [("int8", "int8"), ("int8", "float32"), ("uint8", "int16"), ("float32", "float64"),
                             ("float64", "float16"), ("float32", "int32"), ("bool", "bool"), ("bool", "uint8"),
                             ("int64", "complex64"), ("float16", "float16"), ("float32", "bfloat16")]:
            if asked != "bfloat16":
                case(op, dtype, values_of(op, dtype), (3, 4), dtype=asked)
    for op in INEXACT:
        for ddof in [1, 0.5, 3, 4, 5]:
            case(op, "float64", SPECIAL[:1] + FLOATS if "nan" in op else FLOATS, (4, 3), 0, ddof=ddof)
        for dtype, asked in [("int8", "float32"), ("float32", "float64"), ("float64", "float32")]:
            case(op, dtype, values_of(op, dtype), (3, 4), dtype=asked)


every_dtype()
special_values()
shapes_and_axes()
options()
print("-- Made by spec/golden/reduce.py; do not edit.")
print("return {")
print(" values = {")
print("\n".join('  "%s",' % name for name in lists))
print(" },")
print(" cases = {")
print("\n".join(rows))
print(" },")
print("}")

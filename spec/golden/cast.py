"""Golden values for spec/cast_spec.lua: astype between every two dtypes.

    python3 spec/golden/cast.py > spec/golden/cast.lua

Written with NumPy 1.24 where it defines the value. By hand: floats to integers saturate and NaN is 0 (undefined in C, so
in NumPy); bfloat16, which NumPy has not, is rounded from the exact value to nearest even.
"""
from fractions import Fraction
import math
import struct
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")

KIND = {"bool": "b", "int8": "i", "int16": "i", "int32": "i", "int64": "i", "uint8": "u", "uint16": "u", "uint32": "u",
        "uint64": "u", "float16": "f", "bfloat16": "f", "float32": "f", "float64": "f", "complex64": "c",
        "complex128": "c"}
REALS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, 127.0, 127.9, 128.0, -128.0, -128.9, -129.0, 255.0, 255.9,
         256.0, 32767.5, 32768.0, -32769.0, 65504.0, 65519.0, 65520.0, 65535.5, 65536.0, 2.0 ** 31 - 1, 2.0 ** 31,
         -2.0 ** 31, -2.0 ** 31 - 1, 2.0 ** 32 - 1, 2.0 ** 32, 2.0 ** 53 + 2, 2.0 ** 63, -2.0 ** 63, -2.0 ** 63 * 1.5,
         2.0 ** 64, 2.0 ** 64 - 2048, 2.0 ** 63 - 1024, 1e20, -1e20, 1e300, -1e300, 3.4028235677973366e38, 3.39e38,
         math.inf, -math.inf, math.nan, 2.0 ** -14, 2.0 ** -24, 2.0 ** -25, 1.5 * 2.0 ** -25, 2.0 ** -126, 2.0 ** -133,
         2.0 ** -134, 2.0 ** -149, 5e-324, 1.00390625, 1.01171875, 1.00390625 + 2.0 ** -40, 1.00048828125,
         1.00048828125 + 2.0 ** -40, 1.00146484375, 1 + 2.0 ** -24, 1 + 3 * 2.0 ** -24, 3.141592653589793]
INTEGERS = [0, 1, -1, 2, 127, 128, 255, 256, 257, -128, -129, 2049, 2051, 32767, 65535, 65536, 2 ** 24 + 1, 2 ** 24 + 3,
            2 ** 31 - 1, 2 ** 31, -2 ** 31, 2 ** 32 - 1, 2 ** 53 + 1, -2 ** 53 - 1, 2 ** 62 + 2 ** 54 + 1, 2 ** 63 - 1,
            -2 ** 63, 2 ** 63, 2 ** 64 - 1, 2 ** 63 + 2 ** 55 + 1, 0x0101000000000001, 0x0180000000000000]


def to_bfloat16(value):
    """The bits of the bfloat16 next to a real number, halves to even."""
    if isinstance(value, float) and not math.isfinite(value):
        return 0x7fc0 if value != value else 0x7f80 if value > 0 else 0xff80
    sign = 0x8000 if value < 0 or (value == 0 and math.copysign(1, value) < 0) else 0
    size = abs(Fraction(value))
    exponent = max(math.frexp(float(size))[1] - 8, -133) if size else -133
    count = round(size / Fraction(2) ** exponent)  # to even
    if count >= 256:
        count, exponent = count // 2, exponent + 1
    if exponent + 8 > 128:
        return sign | 0x7f80
    return sign | (count if count < 128 else (exponent + 134 << 7) + (count - 128))


def from_bfloat16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def operands(dtype):
    """Values as Python numbers, exactly as the dtype holds them."""
    kind = KIND[dtype]
    if kind == "b":
        return [False, True]
    if kind in "iu":
        info = np.iinfo(dtype)
        return [v for v in INTEGERS if info.min <= v <= info.max]
    if dtype == "bfloat16":
        return [from_bfloat16(to_bfloat16(v)) for v in REALS]
    if kind == "f":
        return [float(v) for v in np.array(REALS, dtype)]
    imaginary = [0.0, 2.0, -0.0, math.nan, math.inf, 1e-300]
    values = [complex(v, imaginary[i % 6]) for i, v in enumerate(REALS)]
    return [complex(v) for v in np.array(values, dtype)]


def as_bytes(values, dtype):
    if dtype == "bfloat16":
        return struct.pack("<%dH" % len(values), *[to_bfloat16(v) for v in values])
    return np.array(values, dtype).tobytes()


def to_integer(value, dtype):
    info = np.iinfo(dtype)
    if isinstance(value, int):
        return (int(value) - info.min) % (1 << info.bits) + info.min
    if value != value:
        return 0
    return int(min(max(value, info.min), info.max)) if math.isfinite(value) else info.max if value > 0 else info.min


def cast(value, source, target):
    kind = KIND[target]
    if kind == "b":
        return value != 0
    if kind == "c" and KIND[source] == "c":
        return value
    if KIND[source] == "c":
        value = value.real
    return to_integer(value, target) if kind in "iu" else value


def converted(values, source, target):
    """The bytes of values as the target holds them; integers go to floats by NumPy, which rounds once."""
    if KIND[source] in "iu" and KIND[target] in "fc" and target not in ("bfloat16", "float16"):
        return np.array(values, source).astype(target).tobytes()
    if target == "float16" and KIND[source] in "iu":
        return np.array([float(v) if abs(v) <= 2 ** 53 else math.inf * v for v in values]).astype(target).tobytes()
    return as_bytes([cast(v, source, target) for v in values], target)


def main():
    print("-- Made by spec/golden/cast.py; do not edit. Elements are bytes in hexadecimal, the lowest first.")
    print("local M = {source = {}, cast = {}}")
    for source in KIND:
        values = operands(source)
        print('M.source.%s = "%s"\nM.cast.%s = {' % (source, as_bytes(values, source).hex(), source))
        for target in KIND:
            print('  %s = "%s",' % (target, converted(values, source, target).hex()))
        print("}")
    print("return M")


main()

"""Writes spec/golden/generator.lua: keys of seeds, by NumPy's SeedSequence, and draws of a few generators.

Draws are computed here by an implementation of their own: Philox4x32-10 of counters (unit, block, number of the draw), the
places of elements among units (kernels/random.cuh), and for normal and exponential numbers Python's functions.

    python3 spec/golden/generator.py > spec/golden/generator.lua"""
import math

import numpy as np

from listing import write

LINE = 32
WORD = 2 ** 32


def key_of(seed, path=()):
    words = np.random.SeedSequence(seed, spawn_key=path).generate_state(2, np.uint32)
    return int(words[0]) | int(words[1]) << 32


def philox(counter, key):
    a, b, c, d = counter
    left, right = key
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = q >> 32 ^ b ^ left, q % WORD, p >> 32 ^ d ^ right, p % WORD
        left, right = (left + 0x9E3779B9) % WORD, (right + 0xBB67AE85) % WORD
    return a, b, c, d


def block(unit, number, key, call):
    return philox((unit % WORD, unit >> 32 | number << 8, call % WORD, call >> 32), (key % WORD, key >> 32))


def place(element, count):
    run, j = divmod(element, LINE)
    group, v = divmod(run, count)
    return group * LINE + j, v


def words(element, bits, key, call):
    unit, v = place(element, 128 // bits)
    made = block(unit, 0, key, call)
    return made[v] if bits == 32 else made[2 * v] | made[2 * v + 1] << 32


def source(element, bits, key, call):
    number = 1
    while True:
        made = block(element, number, key, call)
        yield from made if bits == 32 else (made[0] | made[1] << 32, made[2] | made[3] << 32)
        number += 1


def uniform(element, dtype, key, call):
    if dtype == "float64":
        return (words(element, 64, key, call) >> 11) / 2.0 ** 53
    digits = {"float32": 24, "float16": 11, "bfloat16": 8}[dtype]
    return (words(element, 32, key, call) >> (32 - digits)) / 2.0 ** digits


def above_zero(word, bits):
    return (word + 0.5) / 2.0 ** 32 if bits == 32 else ((word >> 11) + 0.5) / 2.0 ** 53


def signed(word, bits):
    return word - 2 ** bits if word >= 2 ** (bits - 1) else word


def normal(element, bits, key, call):
    unit, v = place(element, 128 // bits)
    made = block(unit, 0, key, call)
    if bits == 64:
        made = made[0] | made[1] << 32, made[2] | made[3] << 32
    first, second = made[v // 2 * 2], made[v // 2 * 2 + 1]
    angle = math.pi * (signed(second, 32) / 2.0 ** 31 if bits == 32 else (signed(second, 64) >> 11) / 2.0 ** 52)
    return math.sqrt(-2 * math.log(above_zero(first, bits))) * (math.sin(angle) if v % 2 else math.cos(angle))


def exponential(element, bits, key, call):
    return -math.log(above_zero(words(element, bits, key, call), bits))


def integer(element, low, most, key, call):
    bits = 32 if most < WORD else 64
    count, whole = most + 1, 2 ** bits
    word, more = words(element, bits, key, call), source(element, bits, key, call)
    while count < whole and word * count % whole < whole % count:
        word = next(more)
    return low + (word * count >> bits if count < whole else word)


SEEDS = [0, 1, 42, 2 ** 31, 2 ** 32, 2 ** 32 + 5, 2 ** 53, [1, 2], [1, 2, 3, 4, 5], [0], [2 ** 40, 7, 0, 0, 0, 9]]
PATHS = [(0,), (1,), (3, 0), (2, 1, 4)]


def seeds():
    return [{"seed": seed if isinstance(seed, list) else [seed], "path": list(path), "key": "%dULL" % key_of(seed, path)}
            for seed in SEEDS for path in [()] + PATHS[: 1 + len(str(seed)) % 4]]


def draws():
    cases, places = [], [0, 1, 31, 32, 63, 64, 127, 128, 200, 299]
    for seed, call in ((1, 0), (42, 3), (2 ** 32 + 5, 1)):
        key = key_of(seed)
        for dtype in ("float64", "float32", "float16", "bfloat16"):
            cases.append({"name": "random", "dtype": dtype, "values": [uniform(i, dtype, key, call) for i in places]})
        for dtype, bits in (("float64", 64), ("float32", 32)):
            for name, fn in (("standard_normal", normal), ("standard_exponential", exponential)):
                cases.append({"name": name, "dtype": dtype, "values": [fn(i, bits, key, call) for i in places]})
        for case in cases:
            case.setdefault("seed", seed)
            case.setdefault("call", call)
    return [dict(case, places=places) for case in cases]


def integers():
    cases, places = [], [0, 1, 31, 32, 63, 64, 127, 128, 200, 299]
    ranges = [("bool", 0, 1), ("int8", -128, 255), ("uint8", 3, 6), ("int16", -5, 1000), ("uint16", 0, 65535),
              ("int32", -2 ** 31, 2 ** 32 - 1), ("uint32", 0, 3 * 2 ** 30), ("int64", 0, 9), ("int64", -2 ** 62, 3 * 2 ** 61),
              ("int64", -2 ** 63, 2 ** 64 - 1), ("uint64", 2 ** 63, 2 ** 62 + 12345), ("uint64", 0, 2 ** 33)]
    for number, (dtype, low, most) in enumerate(ranges):
        key = key_of(number)
        values = ["%d%s" % (v, "ULL" if dtype == "uint64" else "LL") if "64" in dtype else bool(v) if dtype == "bool" else v
                  for v in (integer(i, low, most, key, 0) for i in places)]
        suffix = "ULL" if dtype == "uint64" else "LL"
        low_text = "-2LL ^ 63" if low == -2 ** 63 else "%d%s" % (low, suffix)
        cases.append({"seed": number, "dtype": dtype, "low": low_text, "high": "%d%s" % (low + most, suffix),
                      "values": values, "places": places})
    return cases


def main():
    write("generator", seeds=seeds(), draws=draws(), integers=integers())


main()

"""The equivalents of linalg.lua for other libraries, for subject_peers.py."""
import math

NAMES = ["solve", "inv", "cholesky", "det", "qr", "svd", "eigh", "eig"]
STACKED = ["inv", "cholesky", "eigh", "det", "svd"]


def sizes(length):
    return math.isqrt(int(length(1e6))), math.isqrt(int(length(2.5e5))), int(length(1e4))


def makers(length):
    """Inputs by name, as functions of something that has arange(count) and astype(x, dtype)."""
    n, half, count = sizes(length)

    def ones(p, shape, dtype):
        return p.astype((p.arange(math.prod(shape)) * 0 + 1).reshape(shape), dtype)

    def symmetric(stack, rows, dtype):
        def make(p):
            i = p.astype(p.arange(rows), "float64")
            a = i.reshape(rows, 1) * i * 37 % 101 / 101 + 2 * rows * p.astype(i.reshape(rows, 1) == i, "float64")
            if stack:
                a = a + p.astype(p.arange(stack), "float64").reshape(stack, 1, 1) % 7
            return p.astype(a, dtype)
        return make

    table = {"four_d": lambda p: ones(p, (count, 4, 1), "float64"), "thirty_d": lambda p: ones(p, (count, 32, 1), "float64")}
    for letter, dtype in (("d", "float64"), ("f", "float32")):
        table["whole_" + letter] = symmetric(None, n, dtype)
        table["half_" + letter] = symmetric(None, half, dtype)
        table["fours_" + letter] = symmetric(count, 4, dtype)
        table["thirties_" + letter] = symmetric(count, 32, dtype)
        table["sides_" + letter] = lambda p, dtype=dtype: ones(p, (n, 10), dtype)
    return table


def workloads(length):
    """name, bytes, inputs"""
    n, half, count = sizes(length)
    rows = [("solve_f64_1e4x4", 256 * count, "fours_d four_d"),
            ("solve_f64_1e4x32", 16384 * count, "thirties_d thirty_d")]
    for letter, dtype, nbytes in (("d", "f64", 16), ("f", "f32", 8)):
        for name in NAMES:
            size = 500 if name in ("svd", "eigh", "eig") else 1000
            inputs = ("half_" if size == 500 else "whole_") + letter
            rows.append(("%s_%s_%d" % (name, dtype, size), nbytes * (half if size == 500 else n) ** 2,
                         inputs + (" sides_" + letter if name == "solve" else "")))
        for name in STACKED:
            rows.append(("%s_%s_1e4x4" % (name, dtype), nbytes * 16 * count, "fours_" + letter))
            rows.append(("%s_%s_1e4x32" % (name, dtype), nbytes * 1024 * count, "thirties_" + letter))
    return rows


def array_functions(xp):
    """NumPy's and CuPy's, which lacks some."""
    return {row[0]: getattr(xp.linalg, row[0].split("_")[0]) for row in workloads(lambda count: count)
            if hasattr(xp.linalg, row[0].split("_")[0])}


def torch_functions(torch):
    return array_functions(torch)

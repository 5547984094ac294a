"""Prints spec/golden/shortest.lua: the shortest digits that NumPy finds for numbers, laid out as Python does.

Powers of two, whose neighbours lie at two distances, numbers below the normal ones, the ends of each dtype, and numbers
of no kind; a number is given by its bytes. bfloat16, which NumPy lacks, has no values here.
"""
import numpy as np

rng = np.random.default_rng(5)
INTEGERS = {"float16": "u2", "float32": "u4", "float64": "u8"}


def values(dtype):
    info = np.finfo(dtype)
    exponents = range(int(np.log2(float(info.smallest_subnormal))), info.maxexp, max(1, info.maxexp // 40))
    powers = [dtype(2) ** dtype(e) for e in exponents]
    some = [dtype(v) for v in (0, -0.0, 1, 0.1, 0.3, 2 / 3, 1e-4, 1e-5, 9.9999e-5, 12345.678, 1e15, 1e16, 1e17, 1e22,
                               1e23, 123456789012345680, 9007199254740993, 5e-324, np.inf, -np.inf, np.nan)]
    ends = [info.max, info.tiny, info.smallest_subnormal, np.nextafter(info.tiny, dtype(0)), info.eps]
    bits = rng.integers(0, 2 ** (8 * info.dtype.itemsize) - 1, 60, dtype=np.uint64).astype(INTEGERS[info.dtype.name])
    usual = (rng.random(60) * 10.0 ** rng.integers(-13, 19, 60)).astype(dtype)
    return np.concatenate([np.array(powers + some + ends, dtype), bits.view(dtype), usual])


def text(v):
    """Digits of the dtype; NumPy lays float32 out in another way, and writes it to files with a double's digits."""
    return repr(float(np.format_float_scientific(v))) if np.isfinite(v) else str(v)


def main():
    print("-- Written by shortest.py.\nreturn {")
    with np.errstate(all="ignore"):
        for dtype in (np.float16, np.float32, np.float64):
            x = values(dtype)
            x = np.where(np.isnan(x), dtype(np.nan), x)
            print('  {dtype = "%s",\n    bytes = "%s",\n    text = "%s"},' % (
                x.dtype.name, x.tobytes().hex(), " ".join(map(text, x))))
    print("}")


main()

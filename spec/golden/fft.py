"""Writes fft.lua: what NumPy answers to Fourier transforms.

NumPy 1.24 computes in double precision; the dtype of results is CuPy's: single for float16, float32 and complex64.
Axes count from 1, or from the end.
Run: python3 spec/golden/fft.py > spec/golden/fft.lua
"""
import numpy as np

from listing import array, write

rng = np.random.default_rng(8)
REAL = "float64 float32 int32 float16 bool int8 uint16 int64".split()
COMPLEX = "complex128 complex64".split()
SINGLE = ("float16", "float32", "complex64")
NORMS = [None, "ortho", "forward", "backward"]


def draw(shape, dtype):
    x = rng.integers(-4, 5, shape) / 2
    if dtype in COMPLEX:
        x = x + 1j * rng.integers(-4, 5, shape) / 2
    if dtype in ("bool", "uint16"):
        x = np.abs(x)
    return x.astype(dtype)


def case(name, x, **options):
    given = dict(options)
    wide = x.astype("complex128" if x.dtype.kind == "c" else "float64")
    result = array(getattr(np.fft, name)(wide, **options))
    if str(x.dtype) in SINGLE:
        result["dtype"] = {"complex128": "complex64", "float64": "float32"}[result["dtype"]]
    for key in ("axis", "axes"):
        if key in given:
            up = lambda a: int(a) + 1 if a >= 0 else int(a)
            given[key] = up(given[key]) if key == "axis" else [up(a) for a in given[key]]
    return {"name": name, "x": array(x), "options": given, "result": result}


def shape_of(least, most, length=6):
    return [int(rng.integers(1, length + 1)) for _ in range(int(rng.integers(least, most + 1)))]


def dtype_for(name, i):
    return REAL[i % len(REAL)] if name in ("rfft", "ihfft", "rfftn", "rfft2") else (COMPLEX + REAL)[i % 10]


def norm_of(i):
    return {} if NORMS[i % 4] is None else {"norm": NORMS[i % 4]}


def ones():
    for name in "fft ifft rfft irfft hfft ihfft".split():
        for i, n in enumerate([1, 2, 3, 4, 5, 6, 7, 9, 16, 17]):
            if name in ("irfft", "hfft") and n == 1:
                continue
            yield case(name, draw([n], dtype_for(name, i)), **norm_of(i))
        for i in range(12):
            shape = shape_of(1, 3, 4)
            axis = int(rng.integers(-len(shape), len(shape)))
            shape[axis] = max(shape[axis], 2)
            options = {"n": int(rng.integers(1, 10))} if i % 2 else {}
            yield case(name, draw(shape, dtype_for(name, i)), axis=axis, **options, **norm_of(i))


def many():
    for name in "fftn ifftn rfftn irfftn fft2 ifft2 rfft2 irfft2".split():
        for i in range(12):
            shape = shape_of(2, 4, 3)
            options = {}
            if i % 3:
                count = 2 if name.endswith("2") else int(rng.integers(1, len(shape) + 1))
                options["axes"] = [int(a) - (len(shape) if i % 2 else 0) for a in rng.permutation(len(shape))[:count]]
            axes = options.get("axes", [-2, -1] if name.endswith("2") else list(range(len(shape))))
            shape[axes[-1]] = max(shape[axes[-1]], 2)
            if i % 4 == 1 or (i % 4 == 3 and "axes" in options):
                options["s"] = [int(rng.integers(1, 5)) for _ in axes]
            yield case(name, draw(shape, dtype_for(name, i)), **options, **norm_of(i))


def shifts():
    for i in range(16):
        shape = shape_of(1, 3)
        axes = [int(a) for a in rng.permutation(len(shape))[:int(rng.integers(1, len(shape) + 1))]]
        x = draw(shape, (REAL + COMPLEX)[i % 10])
        result = getattr(np.fft, ["fftshift", "ifftshift"][i % 2])(x, axes if i % 4 < 2 else None)
        yield {"name": ["fftshift", "ifftshift"][i % 2], "x": array(x), "result": array(result),
               "axes": [a + 1 for a in axes] if i % 4 < 2 else None}


def frequencies():
    for name in ("fftfreq", "rfftfreq"):
        for n in (1, 2, 3, 4, 5, 10, 17):
            for d in (None, 0.25, 3.0, 0.1):
                yield {"name": name, "n": n, "d": d, "result": array(getattr(np.fft, name)(n, 1.0 if d is None else d))}


write("fft", ones=list(ones()), many=list(many()), shifts=list(shifts()), frequencies=list(frequencies()))

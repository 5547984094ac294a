"""Writes fft_cosine.lua: what scipy.fft gives of cosine and sine transforms, hfftn and ihfftn, and fast lengths.

Axes count from 1, or from the end. By hand: SciPy 1.10 scales the first element of an orthogonal sine transform of type
2 where its documentation says the last one, and drops `orthogonalize` of complex numbers.
Run: /usr/bin/python3 spec/golden/fft_cosine.py > spec/golden/fft_cosine.lua
"""
import numpy as np
import scipy.fft as fft

from listing import array, write

rng = np.random.default_rng(18)
DTYPES = "float64 float32 int32 bool complex128 complex64 uint8".split()
NORMS = ["backward", "ortho", "forward"]
ONE, MANY = "dct idct dst idst".split(), "dctn idctn dstn idstn".split()


def draw(shape, dtype):
    x = rng.integers(-8, 9, shape) / 4
    if dtype.startswith("complex"):
        x = x + 1j * rng.integers(-8, 9, shape) / 4
    return (np.abs(x) if dtype in ("bool", "uint8") else x).astype(dtype)


def up(axis):
    return int(axis) + 1 if axis >= 0 else int(axis)


def orthogonal_dst(x, inverse, type=2, n=None, axis=-1, norm=None, orthogonalize=None):
    """The sine transforms of type 2 and 3 that SciPy's documentation describes."""
    n = n or x.shape[axis]
    plain = getattr(fft, "idst" if inverse else "dst")
    forward_of = {(2, False): 2, (3, True): 2}.get((type, inverse), 3)
    ends = np.ones(n)
    ends[-1] = np.sqrt(0.5) if forward_of == 2 else np.sqrt(2)
    shape = [1] * x.ndim
    shape[axis] = n
    ends = ends.reshape(shape)
    if forward_of == 2:
        return plain(x, type=type, n=n, axis=axis, norm=norm, orthogonalize=False) * ends
    cut = np.take(x, range(min(n, x.shape[axis])), axis)
    pad = [(0, 0)] * x.ndim
    pad[axis] = (0, n - cut.shape[axis])
    return plain(np.pad(cut, pad) * ends, type=type, axis=axis, norm=norm, orthogonalize=False)


def compute(name, x, options):
    orthogonal = options.get("orthogonalize", options.get("norm") == "ortho")
    if "dst" not in name or not orthogonal or options.get("type", 2) not in (2, 3):
        return getattr(fft, name)(x, **options)
    inverse = name.startswith("i")
    if not name.endswith("n"):
        return orthogonal_dst(x, inverse, **options)
    options = dict(options)
    s, axes = options.pop("s", None), options.pop("axes", None)
    axes = list(range(x.ndim)) if axes is None else axes
    for i, axis in enumerate(axes):
        x = orthogonal_dst(x, inverse, n=s[i] if s else None, axis=axis, **options)
    return x


def case(name, x, **options):
    if x.dtype.kind == "c" and name in ONE + MANY:  # SciPy 1.10 drops orthogonalize here
        parts = [compute(name, part.astype("float64"), options) for part in (x.real, x.imag)]
        result = parts[0] + 1j * parts[1]
    else:
        result = compute(name, x.astype("complex128" if x.dtype.kind == "c" else "float64"), options)
    single = x.dtype in (np.float32, np.complex64)
    shown = array(result.astype({"c": "complex64", "f": "float32"}[result.dtype.kind]) if single else result)
    given = dict(options)
    if "axis" in given:
        given["axis"] = up(given["axis"])
    if "axes" in given:
        given["axes"] = [up(a) for a in given["axes"]]
    return {"name": name, "x": array(x), "options": given, "result": shown}


def ones():
    for name in ONE:
        for type in (1, 2, 3, 4):
            for n in range(2 if type == 1 else 1, 9):
                yield case(name, draw([n], "float64"), type=type)
            for i, norm in enumerate(NORMS):
                for j, orthogonal in enumerate((None, True, False)):
                    shape = [[5], [2, 6], [3, 4, 2]][(i + j) % 3]
                    axis = [-1, 0, 1][(i + j) % 3]
                    options = {} if orthogonal is None else {"orthogonalize": orthogonal}
                    if j == 1:
                        options["n"] = [3, 7, 4][i]
                    yield case(name, draw(shape, DTYPES[(3 * i + j + type) % 7]), type=type, axis=axis, norm=norm,
                               **options)
        yield case(name, draw([2, 5], "float64"))


def many():
    for name in MANY:
        for type in (1, 2, 3, 4):
            for i, norm in enumerate(NORMS):
                x = draw([3, 4, 2], DTYPES[(i + type) % 7])
                yield case(name, x, type=type, norm=norm)
                yield case(name, x, type=type, norm=norm, axes=[[1], [2, 0], [-1, -2]][i])
                yield case(name, x, type=type, norm=norm, axes=[1, 0], s=[3 + i, 2 + i])


def hermitian():
    for name in "hfftn ihfftn hfft2 ihfft2".split():
        for i in range(8):
            dtype = ["float64", "float32", "int32", "complex128"][i % 4]
            if name.startswith("i") and dtype == "complex128":
                dtype = "float64"
            options = {"norm": NORMS[i % 3]} if i % 2 else {}
            if i > 3:
                options["axes"] = [[0, 1], [1, 2], [2, 0], [-1, -3]][i - 4]
            if i % 3 == 2 and "axes" in options:
                options["s"] = [3, 5]
            yield case(name, draw([2, 3, 4], dtype), **options)


def lengths():
    for n in list(range(1, 40)) + [91, 97, 1000, 1025, 4097, 65537, 1234567]:
        yield {"n": n, "complex": fft.next_fast_len(n), "real": fft.next_fast_len(n, real=True)}


write("fft_cosine", ones=list(ones()), many=list(many()), hermitian=list(hermitian()), lengths=list(lengths()))

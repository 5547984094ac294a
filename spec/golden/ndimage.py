"""Writes ndimage.lua: what scipy.ndimage gives, for spec/ndimage/.

    /usr/bin/python3 spec/golden/ndimage.py > spec/golden/ndimage.lua

Written with SciPy 1.10. A case is a function, its arguments by position, its options, and its result. Positions and axes
count from 1, and nested lists are arrays. By hand: SciPy 1.10 has no `axes` for filters, so axes that are left out have
sigma 0 or size 1 there.
"""
import numpy as np
import scipy.ndimage as nd

import cases

INF, NAN = np.inf, np.nan
MODES = ["reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap"]


def image(shape, dtype="float64", seed=0):
    """Whole numbers, so that sums are exact; other ones for floats."""
    r = np.random.RandomState(seed)
    if dtype == "bool":
        return r.rand(*shape) < 0.5
    if dtype.startswith("complex"):
        return (r.randint(-9, 9, shape) + 1j * r.randint(-9, 9, shape)).astype(dtype)
    if dtype.startswith("float"):
        return np.round(r.randn(*shape) * 4, 3).astype(dtype)
    return r.randint(0 if dtype[0] == "u" else -40, 90, shape).astype(dtype)


def add(group, name, *args, call=None, **options):
    """A case whose result SciPy gives, or `out`."""
    cases.add(group, name, *args, call=call or getattr(nd, name), **options)


# ---- linear filters ----


def linear():
    line, plane = image([11]), image([6, 7], seed=1)
    for mode in MODES:
        for weights, origin in [([1, 2, -3], 0), ([1, 2, 3, 4.5], 1), ([2, 0, -2], -1), ([1, 5, 1], 1)]:
            add("linear", "correlate1d", line, weights, mode=mode, origin=origin, cval=1.5)
            add("linear", "convolve1d", line, weights, mode=mode, origin=origin, cval=1.5)
        add("linear", "correlate1d", image([3]), list(range(1, 10)), mode=mode)
        add("linear", "correlate1d", image([1]), [1, 2, 3], mode=mode)
        add("linear", "correlate", plane, [[1, 0, 2], [0, -3, 0.5]], mode=mode, origin=(0, -1), cval=-2)
        add("linear", "convolve", plane, [[1, 0, 2], [0, -3, 0.5]], mode=mode, origin=(-1, 1), cval=-2)
        add("linear", "gaussian_filter", plane, 1.2, mode=mode, cval=3)
        add("linear", "uniform_filter", plane, [3, 4], mode=mode, origin=(1, -1), cval=0.5)
        add("linear", "uniform_filter1d", plane, 4, axis=0, mode=mode, origin=-1)
        add("linear", "laplace", plane, mode=mode)
        add("linear", "sobel", plane, axis=0, mode=mode, cval=1)
    for dtype in ["bool", "uint8", "int16", "int32", "int64", "uint64", "float32", "float64", "complex64",
                  "complex128"]:
        x = image([5, 9], dtype, 2)
        near = 1e-6 if dtype in ("float32", "complex64") else 1e-13
        add("linear", "correlate1d", x, [1, -2, 4], axis=0, tolerance=near)
        add("linear", "correlate", x, [[1, 2], [-1, 3]], tolerance=near)
        add("linear", "gaussian_filter", x, [1, 0.7], tolerance=near)
        add("linear", "gaussian_filter1d", x, 1.5, axis=0, order=1, output=np.dtype("complex128" if "x" in dtype else
            "float64"), tolerance=near)
        if dtype != "bool":
            add("linear", "uniform_filter", x, 3, tolerance=near)
        if dtype not in ("bool", "uint64"):  # sums of wrapped numbers are undefined
            add("linear", "prewitt", x, tolerance=near)
        if "complex" not in dtype:
            add("linear", "sobel", x, output=np.dtype("float32"), tolerance=1e-6)
    x = image([4, 5, 6], seed=3)
    add("linear", "correlate1d", x, np.array([1, 2 + 1j, 3j, 1]))
    add("linear", "convolve", image([4, 5], "complex128"), np.array([[1, 2j], [0, 1 - 1j]]))
    add("linear", "correlate", image([4, 5], "complex128"), np.array([[1, 2j], [0, 1 - 1j]]))
    for order in [0, 1, 2, 3, (1, 0, 2)]:
        add("linear", "gaussian_filter", x, 1, order=order, tolerance=1e-12)
    add("linear", "gaussian_filter", x, [1, 0, 2], truncate=2.5)
    add("linear", "gaussian_filter1d", image([200], seed=5), 12.5, mode="mirror")
    add("linear", "gaussian_filter1d", image([70], seed=5), 12.5, axis=-1, order=2, mode="wrap", tolerance=1e-12)
    add("linear", "gaussian_filter", x, 1.5, radius=2, out=nd.gaussian_filter(x, 1.5, truncate=2 / 1.5))
    add("linear", "gaussian_filter", x, 1.5, axes=[0, 2], out=nd.gaussian_filter(x, [1.5, 0, 1.5]))
    add("linear", "uniform_filter", x, 3, axes=[1], out=nd.uniform_filter(x, [1, 3, 1]))
    add("linear", "uniform_filter1d", image([300], seed=6), 100)
    add("linear", "uniform_filter1d", image([300], "int32", seed=6), 77, mode="nearest")
    add("linear", "correlate", image([20, 20], seed=7), image([9, 8], seed=8), tolerance=1e-12)
    add("linear", "correlate", image([6, 6], "uint8", seed=7), [[1, 2], [3, 4]], mode="constant", cval=-1.5)
    add("linear", "gaussian_laplace", x, 1.1, tolerance=1e-12)
    add("linear", "gaussian_gradient_magnitude", x, [1, 2, 1.5], mode="nearest", tolerance=1e-12)
    add("linear", "gaussian_gradient_magnitude", image([6, 9], "int32"), 1)
    hole = image([9, 9])
    hole[4, 4], hole[1, 7] = NAN, INF
    for name, extra in [("gaussian_filter", [0.5]), ("uniform_filter", [3]), ("laplace", [])]:
        # SciPy's running sums carry NaN on to the end of the line.
        if name != "uniform_filter":
            add("linear", name, hole, *extra)
    add("linear", "correlate", hole, [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    for shape in [[0], [0, 3], [1, 1], [1, 5]]:
        add("linear", "gaussian_filter", image(shape), 1, out=nd.gaussian_filter(image(shape), 1) if 0 not in shape
            else image(shape))


# ---- order ----


CROSS = [[0, 1, 0], [1, 1, 1], [0, 1, 0]]


def ranked(name, *args, **options):
    """Ranks count from 1 in Lua, and from 0 in SciPy."""
    if name == "rank_filter":
        rank = args[1]
        add("order", name, args[0], rank + 1 if rank >= 0 else rank, *args[2:], **options,
            out=nd.rank_filter(*args, **{k: v for k, v in options.items()}))
    else:
        add("order", name, *args, **options)


def order():
    plane, line = image([7, 8], seed=11), image([40], seed=12)
    for mode in MODES:
        for name in ["minimum_filter", "maximum_filter", "median_filter"]:
            add("order", name, plane, [3, 4], mode=mode, origin=[1, -2], cval=0.5)
            add("order", name, plane, footprint=CROSS, mode=mode, cval=2)
        add("order", "minimum_filter1d", line, 5, mode=mode, origin=2, cval=-3)
        add("order", "maximum_filter1d", plane, 4, axis=0, mode=mode, origin=-2)
        ranked("rank_filter", plane, 2, [3, 3], mode=mode, cval=1)
        add("order", "percentile_filter", plane, 30, [3, 3], mode=mode, cval=1)
        for name in ["grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "white_tophat", "black_tophat",
                     "morphological_gradient", "morphological_laplace"]:
            add("order", name, plane, [2, 3], mode=mode, origin=0)
    for size in [16, 17, 31, 40, 100]:
        add("order", "minimum_filter1d", line, size)
        add("order", "maximum_filter1d", image([200], seed=1), size, mode="mirror", origin=size // 2 - 1)
    for size in [2, 5, 6, 7, 9, 12]:
        add("order", "median_filter", image([20, 21], seed=size), size)
        ranked("rank_filter", image([20, 21], "int16", seed=size), -2, size)
    for dtype in ["bool", "uint8", "int8", "uint16", "int32", "int64", "uint64", "float32", "float64"]:
        x = image([6, 9], dtype, 13)
        add("order", "median_filter", x, 3)
        add("order", "median_filter", x, 9)
        add("order", "minimum_filter", x, 3)
        add("order", "maximum_filter", x, footprint=[[1, 0, 1]])
        ranked("rank_filter", x, 1, footprint=np.array([[1, 0, 1, 1]]))
        add("order", "grey_closing", x, 3)
        add("order", "white_tophat", x, 3)
    heights = [[0, 1, 2], [1.5, 3, 1], [0, -1, 2]]
    for name in ["grey_erosion", "grey_dilation", "grey_opening", "black_tophat", "morphological_gradient"]:
        add("order", name, plane, structure=heights)
        add("order", name, plane, structure=heights, footprint=CROSS, mode="wrap")
    add("order", "grey_dilation", plane, footprint=[[1, 0], [1, 1]], origin=[0, -1])
    cube = image([4, 5, 6], seed=14)
    add("order", "median_filter", cube, 3)
    add("order", "maximum_filter", cube, [1, 2, 3])
    add("order", "minimum_filter", cube, 3, axes=[0, 2], out=nd.minimum_filter(cube, [3, 1, 3]))
    add("order", "median_filter", cube, 3, axes=[1], out=nd.median_filter(cube, [1, 3, 1]))
    add("order", "percentile_filter", cube, -20, 3)
    add("order", "percentile_filter", cube, 100, 3)
    add("order", "minimum_filter", cube, 3, output=np.dtype("float32"), tolerance=1e-6)
    hole = image([9, 9])
    hole[4, 4] = NAN
    window = np.array([hole[max(0, i - 1):i + 2, max(0, j - 1):j + 2].min() for i in range(9) for j in range(9)])
    add("order", "minimum_filter", hole, 3, mode="nearest", out=window.reshape(9, 9))  # NaN, where SciPy's depends on order
    for shape in [[0], [3, 0], [1, 1], [1, 5]]:
        for name in ["median_filter", "minimum_filter", "grey_opening"]:
            x = image(shape)
            add("order", name, x, 3, out=x if 0 in shape else getattr(nd, name)(x, 3))


# ---- binary images ----


def binary():
    r = np.random.RandomState(21)
    plane, line = r.rand(9, 11) < 0.75, r.rand(30) < 0.7
    corner, even = [[1, 1, 0], [1, 1, 1]], [[1, 1], [0, 1]]
    for name in ["binary_erosion", "binary_dilation"]:
        for structure in [None, CROSS, corner, even, [[1, 0, 1]]]:
            for border in [0, 1]:
                add("binary", name, plane, structure, border_value=border)
                add("binary", name, plane, structure, iterations=3, border_value=border)
        add("binary", name, plane, corner, origin=[0, -1])
        add("binary", name, plane, corner, origin=[-1, 1], iterations=2)
        add("binary", name, plane, iterations=2, mask=r.rand(9, 11) < 0.6)
        add("binary", name, plane, iterations=-1, mask=r.rand(9, 11) < 0.6)
        for dtype in ["uint8", "int64", "float32"]:
            add("binary", name, plane.astype(dtype) * 3)
        add("binary", name, line, iterations=0)
        add("binary", name, r.rand(4, 5, 6) < 0.8)
    for name in ["binary_opening", "binary_closing"]:
        for structure in [None, corner, even]:
            add("binary", name, plane, structure)
            add("binary", name, plane, structure, iterations=2, origin=0)
        add("binary", name, line, mask=r.rand(30) < 0.5, border_value=1)
    add("binary", "binary_hit_or_miss", plane)
    add("binary", "binary_hit_or_miss", plane, corner)
    add("binary", "binary_hit_or_miss", plane, corner, even, origin1=[0, 1], origin2=0)
    add("binary", "binary_hit_or_miss", plane, [[0, 1, 1]], [[1, 0, 0]], origin1=0, origin2=[0, 1])
    mask = r.rand(20, 30) < 0.7
    seed = np.zeros((20, 30), bool)
    seed[mask.nonzero()[0][0], mask.nonzero()[1][0]] = True
    add("binary", "binary_propagation", seed, mask=mask)
    add("binary", "binary_propagation", seed, [[1, 1, 1], [1, 1, 1], [1, 1, 1]], mask=mask)
    walls = r.rand(20, 30) < 0.55
    add("binary", "binary_fill_holes", walls)
    add("binary", "binary_fill_holes", walls, [[1, 1, 1], [1, 1, 1], [1, 1, 1]])
    add("binary", "binary_fill_holes", r.rand(6, 7, 8) < 0.5)
    for rank, connectivity in [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 5), (2, 0)]:
        add("binary", "generate_binary_structure", rank, connectivity)
    for structure in [CROSS, corner, [1, 0, 1, 1]]:
        for iterations in [1, 2, 3]:
            add("binary", "iterate_structure", np.array(structure, bool), iterations)
    for shape in [[0], [0, 3], [1, 1]]:
        x = image(shape, "bool")
        add("binary", "binary_erosion", x, out=x if 0 in shape else nd.binary_erosion(x))


# ---- interpolation ----


def interpolation():
    r = np.random.RandomState(31)
    plane, line = image([7, 9], seed=31), image([12], seed=32)
    points = np.concatenate([r.uniform(-14, 21, (2, 30)), [[0, 6, 0, 6, 3, 2.5, -1, 7], [0, 8, 8, 0, 4, 3.5, 0, 8]]], 1)

    def mapped(x, at, **options):
        add("spline", "map_coordinates", x, at + 1, out=nd.map_coordinates(x, at, **options), tolerance=1e-9, **options)

    for mode in MODES:
        for k in range(6):
            mapped(plane, points, order=k, mode=mode, cval=1.5)
            add("spline", "spline_filter1d", plane, k, axis=0, mode=mode, tolerance=1e-11)
            add("spline", "shift", plane, [1.3, -2.6], order=k, mode=mode, cval=2, tolerance=1e-9)
        add("spline", "zoom", plane, [1.7, 0.6], mode=mode, tolerance=1e-9)
        add("spline", "zoom", plane, 2, order=1, mode=mode, grid_mode=True, tolerance=1e-9)
        add("spline", "affine_transform", plane, [[0.9, -0.4], [0.3, 1.1]], [1.5, -0.5], order=3, mode=mode,
            tolerance=1e-9)
        add("spline", "rotate", plane, 33, mode=mode, order=1, tolerance=1e-9)
    for dtype in ["bool", "uint8", "int16", "int64", "uint64", "float32", "complex64", "complex128"]:
        x = image([6, 5], dtype, 33)
        near = 1e-5 if dtype in ("float32", "complex64") else 1e-9
        for k in [0, 1] if dtype == "bool" else [0, 1, 3]:
            options = dict(order=k, mode="nearest", tolerance=near)
            add("spline", "shift", x, 0.3, **options)
            add("spline", "zoom", x, 1.35, **options)
        add("spline", "rotate", x, 90, order=1, mode="constant", tolerance=near)
        add("spline", "shift", x, 0.3, order=1, output=np.dtype("complex128" if "x" in dtype else "float64"),
            tolerance=near)
    add("spline", "spline_filter", plane, 3, tolerance=1e-11)
    add("spline", "spline_filter", image([4, 5], "complex128"), 5, mode="grid-wrap", tolerance=1e-11)
    add("spline", "spline_filter1d", image([200], seed=2), 4, mode="reflect", tolerance=1e-11)
    add("spline", "affine_transform", line, [0.5], 2.25, tolerance=1e-9)
    add("spline", "affine_transform", plane, [0.5, 2], [1, 0.5], output_shape=[9, 3], order=1, tolerance=1e-9)
    add("spline", "affine_transform", plane, [[0, 1, 0.5], [1, 0, -1]], order=1, tolerance=1e-9)
    add("spline", "affine_transform", plane, [[0, 1, 0.5], [1, 0, -1], [0, 0, 1]], order=2, tolerance=1e-9)
    cube = image([3, 4, 5], seed=34)
    for axes in [[0, 1], [1, 2], [2, 0]]:
        add("spline", "rotate", cube, 25, axes=axes, tolerance=1e-9)
        add("spline", "rotate", cube, 180, axes=axes, reshape=False, order=2, tolerance=1e-9)
    add("spline", "zoom", cube, [1, 2, 0.5], order=2, tolerance=1e-9)
    add("spline", "shift", cube, [0, 1, -0.5], order=5, mode="mirror", tolerance=1e-9)
    mapped(cube, r.uniform(-1, 5, (3, 2, 4)), order=3, mode="reflect")
    mapped(plane, np.array([[NAN, 1], [2, INF]]), order=1, mode="constant")
    mapped(image([1, 4]), r.uniform(-3, 6, (2, 6)), order=3, mode="mirror")
    mapped(image([1, 4]), r.uniform(-3, 6, (2, 6)), order=1, mode="wrap")
    mapped(plane, points, order=3, prefilter=False, mode="grid-wrap")


# ---- measurements ----


def measured(name, x, labels=None, index=None, tolerance=1e-12):
    """A result as an array; positions count from 1."""
    def result(value):
        if name in ("minimum_position", "maximum_position", "center_of_mass"):
            return np.array(value, "float64" if name == "center_of_mass" else "int64") + 1
        return np.array(value)

    value = getattr(nd, name)(x, labels, index)
    if name in ("minimum", "maximum"):
        value = np.array(value).astype(x.dtype)
    elif name not in ("minimum_position", "maximum_position"):
        value = np.array(value, "float64")
    add("measure", name, x, labels, index, out=result(value), tolerance=tolerance)


def measurements():
    r = np.random.RandomState(41)
    full = [[1, 1, 1], [1, 1, 1], [1, 1, 1]]
    for share in [0.2, 0.45, 0.6, 0.8]:
        x = r.rand(23, 31) < share
        add("measure", "label", x)
        add("measure", "label", x, full)
        add("measure", "label", r.rand(5, 6, 7) < share)
        add("measure", "label", (r.rand(40) < share) * 2.5)
        add("measure", "label", r.rand(5, 6, 7) < share, nd.generate_binary_structure(3, 2).tolist())
    add("measure", "label", np.ones((64, 64), "uint8"))
    add("measure", "label", np.zeros((6, 5), "uint8"))
    add("measure", "label", x, output=np.dtype("int64"))
    add("measure", "label", x, [[0, 0, 0], [1, 1, 1], [0, 0, 0]])
    snake = np.zeros((21, 21), bool)
    snake[::2], snake[1::4, -1], snake[3::4, 0] = True, True, True
    add("measure", "label", snake)
    labels = nd.label(r.rand(9, 12) < 0.6)[0]
    for dtype in ["uint8", "int32", "float32", "float64"]:
        x = r.permutation(108).reshape(9, 12).astype(dtype)  # of equal ones, SciPy finds the last in some calls
        near = 1e-6 if dtype == "float32" else 1e-12
        for name in ["sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum", "median",
                     "minimum_position", "maximum_position", "center_of_mass"]:
            measured(name, x, tolerance=near)
            measured(name, x, labels, tolerance=near)
            measured(name, x, labels, 2, tolerance=near)
            measured(name, x, labels, [3, 1, 2, 1], tolerance=near)
    for name in ["sum_labels", "mean", "minimum", "maximum_position"]:
        measured(name, image([4, 6], seed=3), np.arange(6) % 3, [0, 2])
    values = image([9, 12], seed=43)
    add("measure", "histogram", values, -5, 5, 6)
    add("measure", "histogram", values, -5, 5, 6, labels, [1, 3], out=np.stack(nd.histogram(values, -5, 5, 6, labels,
                                                                                          [1, 3])))
    # ---- distances ----
    for shape in [[13], [9, 14], [5, 6, 7]]:
        x = r.rand(*shape) < 0.85
        add("distance", "distance_transform_edt", x, tolerance=1e-12)
        sampling = [1.5, 0.5, 2][:len(shape)]
        add("distance", "distance_transform_edt", x, sampling, tolerance=1e-12)
        for metric in ["chessboard", "taxicab"]:
            add("distance", "distance_transform_cdt", x, metric)
            add("distance", "distance_transform_bf", x, metric)
        add("distance", "distance_transform_bf", x, sampling=sampling, tolerance=1e-12)
    for count in [1, 2, 5]:
        x = np.ones((40, 50), bool)
        x[r.randint(0, 40, count), r.randint(0, 50, count)] = False
        add("distance", "distance_transform_edt", x, tolerance=1e-12)
        add("distance", "distance_transform_cdt", x, "taxicab")
        add("distance", "distance_transform_cdt", x)
    add("distance", "distance_transform_edt", np.zeros((3, 4)))


# ---- Fourier transforms ----


def fourier():
    for shape in [[7], [4, 5], [3, 2, 4]]:
        for dtype in ["float32", "complex128", "int32"] if len(shape) == 1 else ["float64", "complex64"]:
            x = image(shape, dtype, 51)
            near = 2e-6 if dtype in ("float32", "complex64") else 1e-12
            for name, values in [("fourier_gaussian", [1.5, 0.5, 0.7]), ("fourier_uniform", [2, 1.5, 3]),
                                 ("fourier_ellipsoid", [2, 1.5, 3]), ("fourier_shift", [1, -0.5, 2.25])]:
                add("fourier", name, x, values[:len(shape)], tolerance=near)
                add("fourier", name, x, 1.25, n=2 * shape[0] - 1, axis=0, tolerance=near)


GROUPS = [fourier, linear, order, binary, interpolation, measurements]

if __name__ == "__main__":
    cases.write("ndimage.py", GROUPS)

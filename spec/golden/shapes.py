"""Writes shapes.lua: what NumPy answers to functions that join, cut, repeat, move, edit and pad arrays.

x is (7 k + 1) % 11 for k = 0, 1, ... in its shape, cast to its dtype; bfloat16, which NumPy lacks, has float32's values.
Positions are NumPy's plus one where they are not negative. Padding by more than one period, and trim_zeros of several
axes, where NumPy 1.24 differs from NumPy 2 or lacks it, are written by hand here.
Run: python3 spec/golden/shapes.py > spec/golden/shapes.lua
"""
import numpy as np

from listing import listing

rng = np.random.default_rng(5)
DTYPES = ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128 "
          "bool").split()


def lua(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, (complex, np.complexfloating)):
        assert value.imag == 0
        return lua(value.real)
    if isinstance(value, (float, np.floating)) and value != int(value):
        return '"%s"' % float(value).hex()
    if isinstance(value, (int, float, np.integer, np.floating)):
        return str(int(value))
    if isinstance(value, dict):
        return "{" + ", ".join("%s = %s" % (k, lua(v)) for k, v in value.items() if v is not None) + "}"
    return "{" + ", ".join(lua(v) for v in value) + "}"


def array(a):
    return {"shape": list(a.shape), "values": a.reshape(-1).tolist()}


def counting(shape, dtype="int64"):
    x = (np.arange(int(np.prod(shape))) * 7 + 1) % 11
    return x.reshape(shape).astype("float32" if dtype == "bfloat16" else dtype)


def position(k):
    return k + 1 if k >= 0 else k


class Cases:
    """Calls of functions with one array in front; dtypes come in turn."""

    def __init__(self):
        self.cases = []

    def add(self, name, shape, arguments, function, dtype=None):
        dtype = dtype or DTYPES[len(self.cases) % len(DTYPES)]
        result = function(counting(shape, dtype))
        if not isinstance(result, list):
            result = [result]
        self.cases.append({"name": name, "shape": list(shape), "dtype": dtype, "arguments": arguments,
                           "results": [array(np.asarray(r)) for r in result]})


def joins():
    for number, (name, shapes) in enumerate((
            ("dstack", [(), ()]), ("dstack", [(3,), (3,)]), ("dstack", [(2, 3), (2, 3)]),
            ("dstack", [(2, 3), (2, 3, 4)]), ("column_stack", [(3,), (3,)]), ("column_stack", [(3,), (3, 2)]),
            ("column_stack", [(2, 3), (2, 1)]), ("column_stack", [(), ()]), ("vstack", [(3,), (2, 3), (1, 3)]),
            ("hstack", [(3,), (), (2,)]), ("hstack", [(2, 3), (2, 1)]), ("vstack", [(), ()]),
            ("hstack", [(2, 0), (2, 1)]), ("dstack", [(2, 3)] * 3), ("column_stack", [(4,)] * 5))):
        dtypes = [DTYPES[(3 * number + 4 * k) % len(DTYPES)] for k in range(len(shapes))]
        if "bfloat16" in dtypes:
            dtypes = ["bfloat16"] * len(dtypes)
        result = getattr(np, name)([counting(s, d) for s, d in zip(shapes, dtypes)])
        yield {"name": name, "shapes": [list(s) for s in shapes], "dtypes": dtypes,
               "dtype": "bfloat16" if "bfloat16" in dtypes else str(result.dtype), "result": array(result)}


def splits(c):
    for shape in ((6,), (7,), (4, 6), (2, 3, 6), (0,)):
        for axis in range(len(shape)):
            for count in (1, 2, 3):
                options = {"axis": axis + 1}
                if shape[axis] % count == 0:
                    c.add("split", shape, [count, options], lambda x: np.split(x, count, axis))
                c.add("array_split", shape, [count + 1, options], lambda x: np.array_split(x, count + 1, axis))
            for points in ([0, 2], [1, 1, 9], [3, 1], [-1], [-9, 2]):
                c.add("split", shape, [[position(k) for k in points], options], lambda x: np.split(x, points, axis))
    c.add("hsplit", (6,), [3], lambda x: np.hsplit(x, 3))
    c.add("hsplit", (2, 6), [[2, 5]], lambda x: np.hsplit(x, [1, 4]))
    c.add("vsplit", (4, 2), [2], lambda x: np.vsplit(x, 2))
    c.add("dsplit", (2, 2, 4), [[2]], lambda x: np.dsplit(x, [1]))


def repeats(c):
    for shape in ((), (3,), (2, 3), (2, 1, 3), (0, 2)):
        for reps in (1, 2, 0, (2,), (2, 1), (1, 3), (3, 1, 2), (2, 2, 1, 2)):
            c.add("tile", shape, [list(reps) if isinstance(reps, tuple) else reps], lambda x: np.tile(x, reps))
    c.add("tile", (3,), [3000], lambda x: np.tile(x, 3000), "int16")
    for shape in ((), (3,), (2, 3), (3, 0), (2, 3, 2)):
        for axis in [None] + list(range(len(shape))):
            length = int(np.prod(shape)) if axis is None else shape[axis]
            counts = rng.integers(0, 4, length).tolist()
            options = [] if axis is None else [{"axis": axis + 1}]
            for given in (3, 0, [2], counts):
                c.add("repeat_interleave", shape, [given] + options, lambda x: x.repeat(given, axis))
    for shape, shift, axis in (((), 1, None), ((5,), 2, None), ((5,), -7, 0), ((2, 3), 1, None), ((2, 3), 1, 1),
                               ((2, 3), (1, 4), (0, 1)), ((2, 3), 1, (0, 1)), ((2, 3), (1, 1), 1), ((0, 3), 1, 0),
                               ((2, 3, 4), (1, -1, 2), (0, 2, 1)), ((2, 3), 0, 0), ((2, 3), 6, None)):
        one = [k + 1 for k in axis] if isinstance(axis, tuple) else None if axis is None else axis + 1
        c.add("roll", shape, [list(shift) if isinstance(shift, tuple) else shift] + ([] if axis is None else [one]),
              lambda x: np.roll(x, shift, axis))


def turns(c):
    for shape in ((2, 3), (2, 3, 4)):
        for k in (-1, 0, 1, 2, 3, 6):
            for axes in ((0, 1), (1, 0), (-1, 0)):
                c.add("rot90", shape, [k, [position(a) for a in axes]], lambda x: np.rot90(x, k, axes))
    for axis in range(-3, 3):
        for start in range(-3, 4):
            c.add("rollaxis", (2, 3, 4), [position(axis), position(start)], lambda x: np.rollaxis(x, axis, start))
    for name in ("flipud", "fliplr"):
        c.add(name, (2, 3), [], getattr(np, name))
    c.add("matrix_transpose", (2, 3, 4), [], lambda x: x.swapaxes(-1, -2))
    for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
        for shape in ((), (3,), (2, 3), (2, 3, 4)):
            c.add(name, shape, [], getattr(np, name))


def edits(c):
    for shape in ((), (4,), (2, 3)):
        size = int(np.prod(shape))
        for positions in (0, -1, [0], [size - 1, 0, 0], []):
            given = [position(k) for k in positions] if isinstance(positions, list) else position(positions)
            c.add("delete", shape, [given], lambda x: np.delete(x, np.array(positions, int)))
        mask = (rng.random(size) < 0.5).tolist()
        c.add("delete", shape, [mask], lambda x: np.delete(x, np.array(mask)))
    for axis in range(3):
        for positions in (1, [1, -1], [0, 1]):
            given = [position(k) for k in positions] if isinstance(positions, list) else position(positions)
            c.add("delete", (2, 3, 4), [given, axis + 1], lambda x: np.delete(x, positions, axis))
    for positions in (0, 2, -1, 4, [1], [4, 0, 2], [2, 2, 1], [-1, -4, 3]):
        given = [position(k) for k in positions] if isinstance(positions, list) else position(positions)
        for values in (1, [1, 0] if np.ndim(positions) == 0 or len(positions) == 1 else [1, 0, 1]):
            c.add("insert", (4,), [given, values], lambda x: np.insert(x, positions, values))
            c.add("insert", (2, 2), [given, values], lambda x: np.insert(x, positions, values))
    for axis, positions, values in ((0, 1, 1), (0, 1, [1, 0, 1]), (1, 1, [1, 0]), (1, [1], [[1], [0]]),
                                    (1, [1], [[1, 0]]), (1, [0, 3], [[1, 0]]), (1, [3, 0], [1, 0]), (0, 2, [[1, 0, 1]] * 2),
                                    (1, 0, [[1, 0], [0, 1]]), (1, [0, 0, 1], 1)):
        given = [position(k) for k in positions] if isinstance(positions, list) else position(positions)
        c.add("insert", (2, 3), [given, values, axis + 1], lambda x: np.insert(x, positions, values, axis))
    for shape in (0, 2, 5, (2, 3), (3, 5), (2, 0), ()):
        for own in ((), (4,), (2, 3), (0, 2)):
            c.add("resize", own, [list(shape) if isinstance(shape, tuple) else shape], lambda x: np.resize(x, shape))


def trims():
    for values in ([0, 0, 1, 0, 2, 0], [0, 0], [1, 2], [], [0, 1], [3, 0]):
        for trim in ("fb", "f", "b", "F", "bf"):
            yield {"values": values, "shape": [len(values)], "trim": trim,
                   "result": array(np.trim_zeros(np.array(values, int), trim))}
    for shape in ((3, 4), (2, 3, 4)):
        for least in (5, 8, 10, 11):
            for axes in (None, 0, 1, (0, 1)):
                x = counting(shape)
                x[x < least] = 0
                found, key = np.nonzero(x), [slice(None)] * x.ndim
                for axis in range(x.ndim) if axes is None else np.atleast_1d(axes):
                    key[axis] = slice(found[axis].min(), found[axis].max() + 1) if x.any() else slice(0, 0)
                one = None if axes is None else axes + 1 if isinstance(axes, int) else [a + 1 for a in axes]
                yield {**array(x), "axis": one, "result": array(x[tuple(key)])}


def wide(x, widths, mode, odd=False):
    """Padding axis by axis from an index into the middle, for any width."""
    for axis, (before, after) in enumerate(widths):
        n = x.shape[axis]
        k = np.arange(-before, n + after)
        if mode == "wrap":
            x = x.take(k % n, axis)
        elif mode == "symmetric":
            x = x.take(np.where(k % (2 * n) < n, k % (2 * n), 2 * n - 1 - k % (2 * n)), axis)
        else:
            period = 2 * (n - 1)
            x = x.take(np.where(k % period < n, k % period, period - k % period), axis)
    return x


def pads(c):
    modes = [("constant", {}), ("constant", {"constant_values": 1}), ("constant", {"constant_values": (0, 1)}),
             ("edge", {}), ("maximum", {}), ("maximum", {"stat_length": 2}), ("minimum", {"stat_length": (1, 2)}),
             ("reflect", {}), ("symmetric", {}), ("wrap", {})]
    for shape, width in (((4,), 2), ((4,), (1, 3)), ((3, 4), 2), ((3, 4), ((1, 0), (2, 1))), ((2, 3, 2), 1),
                         ((3, 4), ((0, 2), (0, 0))), ((3, 4), ((2, ), (1, )))):
        for mode, options in modes:
            one = {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()}
            given = [list(w) for w in width] if np.ndim(width) == 2 else list(width) if np.ndim(width) else width
            dtype = "int32" if mode == "minimum" else "float32" if mode == "maximum" else None
            c.add("pad", shape, [given, mode, one], lambda x: np.pad(x, width, mode, **options), dtype)
    for dtype in ("uint8", "int32", "float32", "complex64"):  # computing takes kernels for each
        width = ((2, 1), (1, 2))
        given = [[2, 1], [1, 2]]
        for mode in ("reflect", "symmetric"):
            if dtype != "uint8":
                c.add("pad", (3, 4), [given, mode, {"reflect_type": "odd"}],
                      lambda x: np.pad(x, width, mode, reflect_type="odd"), dtype)
        end = [[2, 5], [0, 1]]
        c.add("pad", (3, 4), [given, "linear_ramp", {"end_values": end}],
              lambda x: np.pad(x, width, "linear_ramp", end_values=end), dtype)
        if dtype in ("int32", "float32"):
            c.add("pad", (4, 4), [given, "mean", {"stat_length": 2}], lambda x: np.pad(x, width, "mean", stat_length=2),
                  dtype)
            c.add("pad", (4, 2), [given, "mean", {}], lambda x: np.pad(x, width, "mean"), dtype)
            c.add("pad", (4, 4), [given, "median", {"stat_length": 2}],
                  lambda x: np.pad(x, width, "median", stat_length=2), dtype)
            c.add("pad", (3, 4), [given, "median", {}], lambda x: np.pad(x, width, "median"), dtype)
    for mode in ("reflect", "symmetric", "wrap"):
        for shape, width in (((3,), ((7, 8),)), ((2,), ((5, 4),)), ((2, 3), ((3, 5), (4, 7)))):
            c.add("pad", shape, [[list(w) for w in width], mode], lambda x: wide(x, width, mode))
    c.add("pad", (1, 2), [[[2, 1], [0, 1]], "reflect"], lambda x: np.pad(x, ((2, 1), (0, 1)), "reflect"))
    c.add("pad", (0, 2), [[[2, 1], [0, 1]]], lambda x: np.pad(x, ((2, 1), (0, 1))))
    c.add("pad", (), [1], lambda x: np.pad(x, 1))
    c.add("pad", (2, 0), [[[2, 1], [0, 0]], "edge"], lambda x: np.pad(x, ((2, 1), (0, 0)), "edge"))


print("-- Written by shapes.py; fractions are hexadecimal texts.\nreturn {")
listing("joins", joins(), lua)
for name, make in (("splits", splits), ("repeats", repeats), ("turns", turns), ("edits", edits), ("pads", pads)):
    cases = Cases()
    make(cases)
    listing(name, cases.cases, lua)
listing("trims", trims(), lua)
print("}")

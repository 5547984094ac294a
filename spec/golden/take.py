"""Writes take.lua: what NumPy answers to functions that take, put and choose by positions or masks.

x is 1, 2, 3, ... in its shape, cast to its dtype; a position is NumPy's plus one where it is not negative.
Run: python3 spec/golden/take.py > spec/golden/take.lua
"""
import numpy as np

from listing import listing

rng = np.random.default_rng(11)
DTYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 bool".split()


def lua(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, (complex, np.complexfloating)):
        assert value.imag == 0
        return lua(value.real)
    if isinstance(value, (int, float, np.integer, np.floating)):
        assert value == int(value)
        return str(int(value))
    if isinstance(value, dict):
        return "{" + ", ".join("%s = %s" % (k, lua(v)) for k, v in value.items() if v is not None) + "}"
    return "{" + ", ".join(lua(v) for v in value) + "}"


def array(a):
    a = np.asarray(a)
    return {"shape": list(a.shape), "values": a.reshape(-1).tolist()}


def positions(a):
    a = np.asarray(a)
    return array(np.where(a >= 0, a + 1, a))


def counting(shape, dtype="int64"):
    return np.asarray(np.arange(int(np.prod(shape))).reshape(shape) + 1).astype(dtype)


def shape_of(least, most, length=4):
    return [int(rng.integers(1, length + 1)) for _ in range(int(rng.integers(least, most + 1)))]


def draw(shape, n, mode="raise"):
    low, high = (-n, n) if mode == "raise" else (-3 * n, 3 * n)
    return rng.integers(low, high, shape)


def takes():
    for case in range(42):
        dtype, mode = DTYPES[case % len(DTYPES)], ["raise", "wrap", "clip"][case % 3]
        shape, axis = shape_of(1, 4), None
        x = counting(shape, dtype)
        if rng.random() < 0.7:
            axis = int(rng.integers(0, len(shape)))
        n = x.size if axis is None else shape[axis]
        indices = draw(shape_of(0, 2) if case % 7 else [0], n, mode)
        yield {"shape": shape, "dtype": dtype, "indices": positions(indices), "mode": mode,
               "axis": None if axis is None else axis + 1, "result": array(np.take(x, indices, axis, mode=mode))}


def puts():
    for case in range(28):
        dtype, mode = DTYPES[case % len(DTYPES)], ["raise", "wrap", "clip"][case % 3]
        shape = shape_of(0, 3)
        x = counting(shape, dtype)
        count = int(rng.integers(0, x.size + 1))
        indices = rng.permutation(x.size)[:count]
        if mode == "wrap":
            indices = indices + x.size * rng.integers(-2, 2, count)
        elif mode == "clip":
            indices = indices[:1] + x.size
        values = rng.integers(0, 2 if dtype == "bool" else 100, int(rng.integers(1, count + 3))).astype(dtype)
        np.put(x, indices, values, mode)
        yield {"shape": shape, "dtype": dtype, "indices": positions(indices), "mode": mode, "values": array(values),
               "result": array(x)}


def alongs():
    for case in range(24):
        shape = shape_of(1, 3)
        axis = int(rng.integers(0, len(shape)))
        wide = list(shape)
        wide[axis] = int(rng.integers(0, 5))
        if case % 3 == 1:
            wide = [1 if k != axis and rng.random() < 0.5 else n for k, n in enumerate(wide)]
        elif case % 3 == 2:
            shape = [1 if k != axis and rng.random() < 0.5 else n for k, n in enumerate(shape)]
        x, indices = counting(shape), draw(wide, shape[axis])
        taken = np.take_along_axis(x, indices, axis)
        put = x.copy()
        np.put_along_axis(put, indices, -7, axis)
        yield {"shape": shape, "indices": positions(indices), "axis": axis + 1, "taken": array(taken),
               "put": array(put)}


def chooses():
    for case in range(16):
        mode = ["raise", "wrap", "clip"][case % 3]
        shape, n = shape_of(0, 3), int(rng.integers(1, 30 if case > 10 else 5))
        dtypes = [DTYPES[int(rng.integers(0, 11))] for _ in range(n)]
        choices = [rng.integers(0, 100, [1 if rng.random() < 0.3 else k for k in shape]).astype(d) for d in dtypes]
        indices = rng.integers(0, n, shape) if mode == "raise" else draw(shape, n, mode)
        result = np.array(indices).choose(choices, mode=mode)
        yield {"indices": positions(indices), "mode": mode, "dtypes": dtypes, "choices": [array(c) for c in choices],
               "dtype": str(result.dtype), "result": array(result)}


def selects():
    for case in range(12):
        shape, n = shape_of(0, 3), int(rng.integers(1, 18 if case > 8 else 4))
        some = lambda: [1 if rng.random() < 0.3 else k for k in shape]
        conditions = [rng.random(some()) < 0.4 for _ in range(n)]
        dtypes = [DTYPES[int(rng.integers(0, 11))] for _ in range(n)]
        choices = [rng.integers(0, 100, some()).astype(d) for d in dtypes]
        result = np.select(conditions, choices, np.int8(5))
        yield {"conditions": [array(c) for c in conditions], "dtypes": dtypes, "choices": [array(c) for c in choices],
               "dtype": str(result.dtype), "result": array(result)}


def masks():
    for case in range(28):
        dtype = DTYPES[case % len(DTYPES)]
        shape = shape_of(0, 3, 6) if case % 9 else [0, 2]
        x = counting(shape, dtype)
        mask = rng.random(shape) < 0.5
        values = rng.integers(0, 2 if dtype == "bool" else 100, int(rng.integers(1, x.size + 3))).astype(dtype)
        putmask, place = x.copy(), x.copy()
        np.putmask(putmask, mask, values)
        np.place(place, mask, values)
        axis = int(rng.integers(0, len(shape))) if shape else None
        vector = rng.random(shape[axis] if shape else 1) < 0.5
        yield {"shape": shape, "dtype": dtype, "mask": array(mask), "values": array(values), "putmask": array(putmask),
               "place": array(place), "extract": array(np.extract(mask, x)), "vector": vector.tolist(),
               "axis": None if axis is None else axis + 1, "compress": array(np.compress(vector, x, axis))}


OPERATIONS = {"add": "add", "subtract": "subtract", "multiply": "multiply", "maximum": "maximum", "fmin": "fmin",
              "bitwise_xor": "bxor", "bitwise_or": "bor", "left_shift": "lshift", "floor_divide": "floor_divide",
              "remainder": "mod", "power": "power", "divide": "divide"}
WITHOUT = {"bool": "subtract floor_divide remainder power left_shift divide",
           "complex64": "floor_divide remainder left_shift bitwise_xor bitwise_or power divide",
           "complex128": "floor_divide remainder left_shift bitwise_xor bitwise_or power divide multiply maximum fmin"}


def ats():
    """Not the same result for every order: CUDA has none, so that is only asked where orders agree."""
    for case, dtype in enumerate(DTYPES):
        for number, (name, ours) in enumerate(OPERATIONS.items()):
            inexact = dtype.startswith(("float", "complex"))
            if name in WITHOUT.get(dtype, "") or name == "divide" and not inexact:
                continue
            if name.startswith(("bitwise", "left")) and inexact or (case + number) % 2 and number > 3:
                continue
            x = np.array([1, 0, 1, 1, 0, 1]).astype(dtype) if dtype == "bool" else counting([6], dtype) * 4
            if name == "power":
                x = (x // 4).astype(dtype)
            small = {"left_shift": 1, "floor_divide": 2, "remainder": 3, "power": 2, "divide": 2}.get(name)
            indices = rng.integers(-6, 6, 9 if name != "power" else 1)
            values = np.full(len(indices), small) if small else rng.integers(1, 4, len(indices))
            if dtype == "bool":
                values = rng.integers(0, 2, len(indices))
            if name == "divide":
                indices = rng.permutation(6)[:4]
            if name == "left_shift" or name == "multiply":
                indices = indices[:3]
            values = values[:len(indices)].astype(dtype)
            getattr(np, name).at(x, indices, values)
            yield {"name": ours, "dtype": dtype, "power": name == "power", "indices": positions(indices),
                   "values": array(values), "result": array(x)}


print("-- Written by take.py.")
print("return {")
for name in "takes puts alongs chooses selects masks ats".split():
    listing(name, globals()[name](), lua)
print("}")

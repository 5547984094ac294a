"""Writes manipulate.lua: what NumPy answers to random basic indices, reorderings of axes, ranges and patterns.

Indices are drawn in cuna's terms (positions from 1, ranges with both ends) and translated to NumPy's here, apart from
the translation in the library. Run: python3 spec/golden/manipulate.py >spec/golden/manipulate.lua
"""
import numpy as np

from listing import listing

rng = np.random.default_rng(7)


def lua(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return '"%s"' % float(value).hex()
    if isinstance(value, dict):
        return "{" + ", ".join("%s = %s" % (k, lua(v)) for k, v in value.items() if v is not None) + "}"
    return "{" + ", ".join(lua(v) for v in value) + "}"


def result(a):
    return {"result": list(a.shape), "values": a.reshape(-1).tolist()}


def draw_shape(least=1, most=4, length=5):
    return [int(rng.integers(1, length + 1)) for _ in range(int(rng.integers(least, most + 1)))]


def whole(n):
    """A position from -n to n without 0."""
    k = int(rng.integers(1, n + 1))
    return k if rng.random() < 0.6 else k - n - 1


def draw_range(n):
    """An end may lie beyond the axis; answers cuna's range and NumPy's slice."""
    step = int(rng.choice([1, 1, 1, 2, 3, -1, -1, -2]))
    first, last = (int(rng.choice([-n - 2, n + 2])) if rng.random() < 0.15 else whole(n) for _ in range(2))
    place = lambda k: k if k > 0 else k + n + 1  # position from 1; may be out of range
    start, stop = place(first), place(last)
    if step > 0:
        return [first, last, step], slice(max(start, 1) - 1, max(stop, 0), step)
    if start < 1:
        return [first, last, step], slice(0, 0)
    return [first, last, step], slice(start - 1, stop - 2 if stop >= 2 else None, step)


def draw_entries(shape):
    """Entries as cuna's table, cuna's text and NumPy's tuple."""
    table, text, key = [], [], []
    hidden = sorted(rng.integers(0, len(shape) + 1, 2).tolist()) if rng.random() < 0.3 else None
    for axis, n in enumerate(shape):
        if hidden and axis == hidden[0]:
            table.append("ellipsis"), text.append("..."), key.append(Ellipsis)
        if hidden and hidden[0] <= axis < hidden[1]:
            continue
        if rng.random() < 0.15:
            table.append("newaxis"), text.append("newaxis"), key.append(None)
        kind = rng.random()
        if kind < 0.3:
            k = whole(n)
            table.append(k), text.append(str(k)), key.append(k - 1 if k > 0 else k)
        elif kind < 0.45:
            table.append([]), text.append(":"), key.append(slice(None))
        else:
            entry, piece = draw_range(n)
            table.append(entry[:2] if entry[2] == 1 else entry), text.append(":".join(map(str, entry))), key.append(piece)
    if hidden and hidden[0] == len(shape):
        table.append("ellipsis"), text.append("..."), key.append(Ellipsis)
    return table, ", ".join(text), tuple(key)


def index_cases(count):
    cases = []
    while len(cases) < count:
        shape = draw_shape()
        table, text, key = draw_entries(shape)
        a = np.arange(np.prod(shape)).reshape(shape)[key]
        scalar = a.ndim == 0 and "ellipsis" not in table
        if a.size <= 40 and not (scalar and len(cases) % 10):
            case = {"shape": shape, "table": table, "text": text, "scalar": True if scalar else None}
            cases.append({**case, **result(a)})
    return cases


def move_cases(count):
    cases = []
    for _ in range(count):
        shape = draw_shape(2, 4, 3)
        a, n = np.arange(np.prod(shape)).reshape(shape), len(shape)
        order = rng.permutation(n).tolist()
        source, target = rng.permutation(n).tolist()[:2], rng.permutation(n).tolist()[:2]
        flipped = sorted(rng.permutation(n).tolist()[:2])
        one = lambda axes: [k + 1 for k in axes]
        for name, arguments, b in (
            ("transpose", [one(order)], a.transpose(order)),
            ("moveaxis", [one(source), one(target)], np.moveaxis(a, source, target)),
            ("swapaxes", one(source), a.swapaxes(*source)),
            ("flip", [one(flipped)], np.flip(a, flipped)),
            ("expand_dims", [one(flipped)], np.expand_dims(a, flipped)),
        ):
            cases.append({"name": name, "shape": shape, "arguments": arguments, **result(b)})
    return cases


def range_cases():
    cases = []
    for arguments in ((5,), (2, 5), (5, 2), (5, 2, -1), (0, 10, 3), (-3, 3), (10, -10, -7), (0, 1, 0.25), (1.5,),
                      (-2, 2, 0.5), (3, 0, -0.75), (0, 1, 0.125), (2, 2)):
        a = np.arange(*arguments)
        cases.append({"name": "arange", "arguments": list(map(float, arguments)), "dtype": str(a.dtype), **result(a)})
    for start, stop, num in ((0, 1, 7), (-3, 8, 12), (1, 2, 1), (0, 1, 0), (0.1, 0.9, 9), (5, -5, 11), (1e-3, 1e3, 13)):
        for endpoint in (True, False):
            for dtype in ("float64", "float32", "int32"):
                a = np.linspace(start, stop, num, endpoint, dtype=dtype)
                cases.append({"name": "linspace", "arguments": [float(start), float(stop), num, endpoint, False, dtype],
                              "dtype": dtype, **result(a)})
    return cases


def pattern_cases():
    cases = []
    for n, m in ((1, 1), (3, 3), (2, 4), (4, 2), (0, 3)):
        for k in (-3, -1, 0, 1, 2):
            cases.append({"name": "eye", "arguments": [n, m, k, "int64"], **result(np.eye(n, m, k, "int64"))})
            cases.append({"name": "tri", "arguments": [n, m, k, "int64"], **result(np.tri(n, m, k, "int64"))})
    return cases


def matrix_cases():
    cases = []
    for shape in ((3, 3), (2, 4), (4, 2), (2, 2, 3), (1, 1)):
        a = np.arange(1, np.prod(shape) + 1).reshape(shape)
        for k in (-2, -1, 0, 1, 2):
            for name in ("tril", "triu") + (("diag",) if len(shape) == 2 else ()):
                cases.append({"name": name, "shape": list(shape), "k": k, **result(getattr(np, name)(a, k))})
    for n, k in ((3, 0), (2, 1), (2, -2), (1, 0)):
        cases.append({"name": "diag", "shape": [n], "k": k, **result(np.diag(np.arange(1, n + 1), k))})
    return cases


print("-- Written by manipulate.py; floats are hexadecimal texts.\nreturn {")
listing("indices", index_cases(250), lua)
listing("moves", move_cases(12), lua)
listing("ranges", range_cases(), lua)
listing("patterns", pattern_cases(), lua)
listing("matrices", matrix_cases(), lua)
print("}")

"""How golden files of calls are written: spec/support/calls.lua reads them.

A case is a call: name, args, options (axes count from 1) and the result, or several.
"""
import numpy as np

rng = np.random.default_rng(5)
INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
FLOATS = "float16 float32 float64".split()
COMPLEX = "complex64 complex128".split()
NUMBERS = INTEGERS + FLOATS + COMPLEX
ALL = NUMBERS + ["bool"]


def number(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value)) + ("" if abs(int(value)) < 2 ** 53 else "LL" if value < 2 ** 63 else "ULL")
    if value != value:
        return "0/0"
    if value in (np.inf, -np.inf):
        return "1/0" if value > 0 else "-1/0"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else "%.17g" % value


def lua(value):
    if isinstance(value, np.ndarray):
        flat = value.reshape(-1)
        if value.dtype.kind == "c":
            flat = np.stack([flat.real, flat.imag], 1).reshape(-1)
        return '{dtype = "%s", shape = %s, values = {%s}}' % (
            value.dtype, lua(list(value.shape)), ", ".join(number(v) for v in flat))
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, dict):
        return "{" + ", ".join("%s = %s" % (k, lua(v)) for k, v in value.items() if v is not None) + "}"
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(lua(v) for v in value) + "}"
    return number(value)


def case(name, args, result, **options):
    """Arguments that are arrays, numbers or lists; options of cuna."""
    result = [np.asarray(r) for r in result] if isinstance(result, (list, tuple)) else np.asarray(result)
    key = "results" if isinstance(result, list) else "result"
    return {"name": name, "args": list(args), "options": options, key: result}


def draw(shape, dtype, low=-9, high=10):
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.startswith("uint"):
        low = 0
    x = rng.integers(low, high, shape)
    if dtype.startswith("complex"):
        x = x + 1j * rng.integers(low, high, shape)
    return np.asarray(x).astype(dtype)


def one_based(axis):
    return None if axis is None else axis + 1 if axis >= 0 else axis


def write(script, groups):
    """Each group, a function that yields cases, under its name."""
    print("-- Written by %s." % script)
    print("return {")
    for group in groups:
        print("  %s = {" % group.__name__)
        for each in group():
            print("    " + lua(each) + ",")
        print("  },")
    print("}")

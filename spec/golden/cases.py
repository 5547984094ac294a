"""What golden files of SciPy's functions share: ndimage.py and signals.py write cases, spec/support/cases.lua calls them.

A case is a function, its arguments by position, its options, and its result. Positions and axes count from 1, and
nested lists are arrays. Of large results some elements are written, and a weighted sum of all (spec/support/golden.lua).
"""
import math

import numpy as np

from listing import lua

INF = np.inf
CASES, POOL = [], []


def number(v, digits):
    if isinstance(v, complex):
        return "{re = %s, im = %s}" % (number(v.real, digits), number(v.imag, digits))
    if isinstance(v, int) or v != v or abs(v) == INF or v == int(v):
        return lua(v)
    return min(repr(v), "%.*g" % (digits, v), key=len)


def pooled(text):
    if text not in POOL:
        POOL.append(text)
    return POOL.index(text) + 1


def array(a, digits=17):
    """The number of an array in the pool, which has each once. Bools are text."""
    a = np.asarray(a)
    values = a.reshape(-1).tolist()
    listed = '"%s"' % "".join("01"[v] for v in values) if a.dtype == bool else \
        "{" + ", ".join(number(v, digits) for v in values) + "}"
    return pooled('{shape = {%s}, dtype = "%s", values = %s}' % (", ".join(map(str, a.shape)), a.dtype, listed))


LARGE, SAMPLES = 40, 16  # elements of results from which, and to which, they are thinned out


def result(a, digits=17):
    """A result as array() writes it; of a large one every so many elements, by a step that meets all rows and columns,
    and the sum of all with weights that differ."""
    a = np.asarray(a)
    if a.size <= LARGE or a.dtype == bool or not np.isfinite(a).all():
        return array(a, digits)
    step = a.size // SAMPLES
    while any(math.gcd(step, n) > 1 for n in a.shape):
        step += 1
    weights = 0.5 + np.arange(1, a.size + 1) * 7919 % 104729 / 104729 / 2
    total = complex((a.reshape(-1) * weights).sum())
    listed = ", ".join(number(v, digits) for v in a.reshape(-1)[::step].tolist())
    return pooled('{shape = {%s}, dtype = "%s", every = %d, sum = %s, values = {%s}}' % (
        ", ".join(map(str, a.shape)), a.dtype, step, number(total if a.dtype.kind == "c" else total.real, 17), listed))


def shifted(value):
    """Positions of options as Lua counts them."""
    return value + 1 if isinstance(value, int) and value >= 0 else value


def add(group, name, *args, call, tolerance=1e-13, out=None, **options):
    """A case whose result SciPy gives, or `out`."""
    if out is None:
        out = call(*args, **options)
    shown = {k: shifted(v) if k == "axis" else [shifted(a) for a in v] if k == "axes" else v
             for k, v in options.items()}
    for k, v in shown.items():
        if isinstance(v, np.dtype) or isinstance(v, type):
            shown[k] = np.dtype(v).name
        if isinstance(v, tuple):
            shown[k] = list(v)
    digits = 17 if tolerance < 1e-11 else 13 if tolerance < 1e-7 else 8
    results = [result(o, digits) for o in out] if isinstance(out, tuple) else [result(out, digits)]
    CASES.append({"group": group, "name": name, "tolerance": tolerance, "args": [spell(a) for a in args],
                  "options": {k.replace("-", "_"): spell(v) for k, v in shown.items()}, "results": results})


def spell(value):
    if isinstance(value, np.ndarray):
        return {"array": array(value)}
    return value


def lua_of(value):
    if isinstance(value, dict):
        inner = ", ".join("%s = %s" % (k if k.isidentifier() else '["%s"]' % k, lua_of(v)) for k, v in value.items()
                          if v is not None)
        return "{" + inner + "}"
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(lua_of(v) for v in value) + "}"
    return lua(value)


def write(script, groups, **lists):
    """The cases that the groups add, the pool of their arrays, and lists of other tables."""
    for group in groups:
        group()
    print("-- Written by %s." % script)
    print("return {\n  pool = {")
    for text in POOL:
        print("    " + text + ",")
    print("  },\n  cases = {")
    for case in CASES:
        print("    " + lua_of(case) + ",")
    for title, rows in lists.items():
        print("  },\n  %s = {" % title)
        for row in rows:
            print("    " + lua_of(row) + ",")
    print("  },\n}")

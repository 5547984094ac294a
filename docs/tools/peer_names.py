"""Prints the public names of NumPy, SciPy and CuPy by namespace: peer_names.py CUPY.whl > docs/tools/peer_names.txt

NumPy's and SciPy's are those of the installed modules: functions, ufuncs, classes, numbers and index objects, without
types of numbers, exceptions and modules, which mean nothing in Lua. CuPy's are those that the sources in its wheel
import (it cannot be loaded without a GPU), without the types that NumPy has too. A line is a namespace and its names.
"""
import ast
import importlib
import inspect
import sys
import zipfile

import numpy
import scipy

NUMPY = ["numpy", "numpy.linalg", "numpy.fft", "numpy.random"]
SCIPY = ["fft", "linalg", "special", "signal", "signal.windows", "ndimage", "sparse", "sparse.linalg", "stats",
         "interpolate", "integrate", "optimize", "spatial", "spatial.distance", "cluster.vq"]
CUPY = {"cupy": "cupy", "cupy.linalg": "cupy/linalg", "cupy.fft": "cupy/fft", "cupy.random": "cupy/random",
        "cupyx": "cupyx"}
CUPY.update({"cupyx.scipy." + name: "cupyx/scipy/" + name.replace(".", "/") for name in SCIPY
             if name not in ("integrate", "optimize", "spatial.distance", "cluster.vq")})


def means_something(value):
    """Whether a value may have a counterpart in Lua."""
    if inspect.ismodule(value) or isinstance(value, (str, list, dict, bool)):
        return False
    if inspect.isclass(value):
        kinds = (numpy.generic, BaseException, numpy.dtype, numpy.ndarray)
        return not issubclass(value, kinds) and not value.__module__.startswith("numpy.core")
    return callable(value) or isinstance(value, float) or value is None or "index" in type(value).__module__ \
        or type(value).__name__ in ("RClass", "CClass", "IndexExpression", "nd_grid", "MGridClass", "OGridClass")


def names_of(module):
    """The public names of an installed module, and those that are left out."""
    public = [name for name in getattr(module, "__all__", None) or dir(module) if not name.startswith("_")]
    kept = [name for name in public if means_something(getattr(module, name, module))]
    return sorted(set(kept)), set(public) - set(kept)


def imported(source):
    """The public names that the text of a module binds by imports, definitions and assignments."""
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom):
            names.update(item.asname or item.name for item in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
    return {name for name in names if not name.startswith("_") and name != "*"}


def main(wheel):
    """Prints all lists."""
    left_out = set()
    print("# NumPy %s, SciPy %s, CuPy %s" % (numpy.__version__, scipy.__version__, wheel.split("/")[-1].split("-")[1]))
    for name in NUMPY:
        names, others = names_of(importlib.import_module(name))
        left_out |= others
        print(name + ":", *names)
    print("numpy.ndarray:", *[name for name in dir(numpy.ndarray) if not name.startswith("_")])
    print("numpy.random.Generator:", *[name for name in dir(numpy.random.Generator) if not name.startswith("_")])
    for name in SCIPY:
        print("scipy.%s:" % name, *names_of(importlib.import_module("scipy." + name))[0])
    with zipfile.ZipFile(wheel) as files:
        for name, folder in CUPY.items():
            names = imported(files.read(folder + "/__init__.py")) - left_out
            print(name + ":", *sorted(name for name in names if name.islower() or not name.endswith("Warning")))


main(sys.argv[1])

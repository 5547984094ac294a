"""Golden values for spec/promotion_spec.lua: which dtypes results have.

    NPY_PROMOTION_STATE=weak python3 spec/golden/promotion.py > spec/golden/promotion.lua

Written with NumPy 1.24 under weak promotion (NEP 50). By hand: bfloat16, which NumPy has not. It is a float of 8 bits'
precision and float32's range: with bool, 8-bit integers and itself it stays, with float16 it meets in float32.
"""
import os
os.environ["NPY_PROMOTION_STATE"] = "weak"

import warnings

import numpy as np

warnings.simplefilter("ignore")

KIND = {"bool": "b", "int8": "i", "int16": "i", "int32": "i", "int64": "i", "uint8": "u", "uint16": "u", "uint32": "u",
        "uint64": "u", "float16": "f", "bfloat16": "f", "float32": "f", "float64": "f", "complex64": "c",
        "complex128": "c"}
WEAK = {"int": 2, "float": 2.5, "complex": 1 + 2j}
OPERATIONS = {"add": np.add, "divide": np.divide, "power": np.power, "equal": np.equal}


def promote(a, b):
    if "bfloat16" not in (a, b):
        return np.promote_types(a, b).name
    other = b if a == "bfloat16" else a
    if other in ("bfloat16", "bool", "int8", "uint8"):
        return "bfloat16"
    if other in ("float16", "int16", "uint16"):
        return "float32"
    return np.promote_types("float32" if KIND[other] == "c" else "float64" if KIND[other] in "iu" else other, other).name


def can_cast(a, b, casting):
    if "bfloat16" not in (a, b):
        return bool(np.can_cast(a, b, casting))
    if a == b:
        return True
    if casting == "safe":
        return promote(a, b) == b
    return KIND[b] == "c" or KIND[b] == "f" if a == "bfloat16" else KIND[a] in "biuf"


def weak_result(operation, dtype, kind):
    """The dtype of operation(array, Lua number)."""
    if dtype == "bfloat16":
        return "bool" if operation == "equal" else "complex64" if kind == "complex" else "bfloat16"
    return OPERATIONS[operation](np.ones(1, dtype), WEAK[kind]).dtype.name


def sine_result(dtype):
    return "bfloat16" if dtype == "bfloat16" else np.sin(np.ones(1, dtype)).dtype.name


def main():
    print("-- Made by spec/golden/promotion.py; do not edit.\nlocal M = {promote = {}, safe = {}, same_kind = {}, sine = {}, weak = {}}")
    for a in KIND:
        print('M.promote.%s = {%s}' % (a, ", ".join('%s = "%s"' % (b, promote(a, b)) for b in KIND)))
        for casting in ("safe", "same_kind"):
            print("M.%s.%s = {%s}" % (casting, a, ", ".join(
                "%s = %s" % (b, str(can_cast(a, b, casting)).lower()) for b in KIND)))
        print('M.sine.%s = "%s"' % (a, sine_result(a)))
        print("M.weak.%s = {" % a)
        for operation in OPERATIONS:
            print("  %s = {%s}," % (operation, ", ".join(
                "%s = \"%s\"" % (k, weak_result(operation, a, k)) for k in WEAK)))
        print("}")
    print("return M")


main()

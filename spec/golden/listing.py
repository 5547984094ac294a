"""What scripts that write golden values share: values as Lua text, arrays with shape and dtype."""
import numpy as np


def lua(value):
    if value is None:
        return "nil"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, (complex, np.complexfloating)):
        return "{re = %s, im = %s}" % (lua(value.real), lua(value.imag))
    if isinstance(value, (int, np.integer)):
        return str(int(value)) if abs(int(value)) <= 2 ** 53 else "%d%s" % (value, "LL" if value < 2 ** 63 else "ULL")
    if isinstance(value, (float, np.floating)):
        value = float(value)
        if value != value:
            return "0 / 0"
        if value in (np.inf, -np.inf):
            return "1 / 0" if value > 0 else "-1 / 0"
        return "-0.0" if value == 0 and np.signbit(value) else "%d" % value if value == int(value) else repr(value)
    if isinstance(value, dict):
        return "{" + ", ".join("%s = %s" % (k, lua(v)) for k, v in value.items() if v is not None) + "}"
    return "{" + ", ".join(lua(v) for v in value) + "}"


def array(a):
    """An array as {shape, dtype, values}."""
    a = np.asarray(a)
    return {"shape": list(a.shape), "dtype": str(a.dtype), "values": a.reshape(-1).tolist()}


def listing(name, cases, spell=lua):
    """One list of cases, which `spell` writes."""
    print("  %s = {" % name)
    for case in cases:
        print("    " + spell(case) + ",")
    print("  },")


def write(name, **lists):
    print("-- Written by %s.py." % name)
    print("return {")
    for key, cases in lists.items():
        listing(key, cases)
    print("}")

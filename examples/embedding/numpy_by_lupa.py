"""cuna in a Python process, by lupa: arrays go both ways by DLPack, without copies.

    pip install lupa numpy
    LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="build/lib/?.so;;" python3 examples/embedding/numpy_by_lupa.py

After `make install` no LUA_PATH is needed. Objects of lupa belong to the thread that made them.
"""
import ctypes

import lupa
import numpy as np

with lupa.allow_lua_module_loading():  # cuna's module finds LuaJIT's functions in lupa's
    from lupa import luajit21

lua = luajit21.LuaRuntime(unpack_returned_tuples=True)
cn = lua.require("cuna")

api = ctypes.pythonapi
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

import_pointer = lua.eval("""function(address)
    local ffi = require "ffi"
    return require("cuna").from_dlpack(ffi.cast("void *", address), {versioned = false})
end""")
export_pointer = lua.eval("""function(x)
    local ffi = require "ffi"
    return tonumber(ffi.cast("uintptr_t", x:to_dlpack():take()))
end""")


def from_numpy(array):
    """The array's memory as an array of cuna."""
    capsule = array.__dlpack__()
    x = import_pointer(api.PyCapsule_GetPointer(capsule, b"dltensor"))
    api.PyCapsule_SetName(capsule, b"used_dltensor")  # cuna releases it
    return x


class Exported:
    """An array of cuna for numpy.from_dlpack, torch.from_dlpack and others, once."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **_):
        return api.PyCapsule_New(export_pointer(self.x), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0) if self.x.device.name.startswith("cpu") else (2, self.x.device.id)


values = np.arange(6.0).reshape(2, 3)
x = from_numpy(values)
x.add_(x, 1)  # a method of Lua gets its array: x:add_(1)
cn.synchronize()
print(values.tolist())  # NumPy sees what cuna wrote

y = np.from_dlpack(Exported(x.matmul(x, x.T)))
print(y.tolist())

"""Exchanges arrays between NumPy and cuna in one process: dlpack_numpy.py <libluajit>. Prints what both sides saw.

Lua runs inside of Python by way of ctypes; tensors travel as addresses.
"""
import ctypes
import sys

import numpy as np

lua = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
lua.luaL_newstate.restype = ctypes.c_void_p
lua.lua_tolstring.restype = ctypes.c_char_p
lua.lua_tonumber.restype = ctypes.c_double
state = ctypes.c_void_p(lua.luaL_newstate())
lua.luaL_openlibs(state)


def run(text):
    """Runs Lua text; its first result as a number."""
    if lua.luaL_loadstring(state, text.encode()) or lua.lua_pcall(state, 0, 1, 0):
        sys.exit(lua.lua_tolstring(state, -1, None).decode())
    value = lua.lua_tonumber(state, -1)
    lua.lua_settop(state, 0)
    return value


api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = ctypes.c_char_p(b"used_dltensor")


class Exported:
    """What Lua exports under an expression."""

    def __init__(self, expression):
        self.address = int(run("return tonumber(ffi.cast('uintptr_t', (%s):to_dlpack():take()))" % expression))

    def __dlpack__(self, stream=None):
        return api.PyCapsule_New(self.address, b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


run("cn, ffi = require 'cuna', require 'ffi'; x = cn.arange(12):reshape(3, 4)")
for expression in ["x", "x.T", "x['::-1, 2:']", "x:astype('float16')", "cn.array({cn.complex(1, 2)}, 'complex64')"]:
    print(np.from_dlpack(Exported(expression)).tolist())
shared = np.from_dlpack(Exported("x"))
run("x:free(); x = nil; collectgarbage()")
print(int(shared.sum()))

for array in [np.arange(6).reshape(2, 3), np.arange(6.0).reshape(2, 3).T, np.arange(8, dtype="uint8")[::-2]]:
    made = array.__dlpack__()
    address = api.PyCapsule_GetPointer(made, b"dltensor")
    api.PyCapsule_SetName(made, USED)
    references = sys.getrefcount(array)
    run("y = cn.from_dlpack(ffi.cast('struct DLManagedTensor *', %dULL)); y:mul_(10)" % address)
    run("io.stdout:write(tostring(y):gsub('\\n', ''), ' ', y.dtype, '\\n'); io.stdout:flush()")
    run("y = nil; for _ = 1, 10 do collectgarbage() end")
    print(array.tolist(), references - sys.getrefcount(array), flush=True)

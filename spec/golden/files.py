"""Writes files.lua and the files in files/: arrays as NumPy saves them.

A case has the .npy file and the elements row by row in this machine's byte order, both as hex digits. Versions 2 and 3,
the other byte order and archives that NumPy itself does not write are made by hand here.
Run: python3 spec/golden/files.py > spec/golden/files.lua
"""
import io
import os
import struct
import zipfile

import numpy as np
from numpy.lib import format as npy

rng = np.random.default_rng(5)
DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
SHAPES = [(), (0,), (3,), (2, 3), (2, 0, 3), (2, 3, 2)]
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")


def draw(dtype, shape):
    size = int(np.prod(shape))
    if dtype == "bool":
        return (rng.random(shape) < 0.5)
    raw = np.frombuffer(rng.bytes(size * np.dtype(dtype).itemsize), dtype)
    if np.dtype(dtype).kind in "fc":  # what is no number, too, but only the usual NaN
        raw = np.where(np.isnan(raw), np.array(np.nan, dtype), raw).astype(dtype)
        raw[:3] = np.array([np.inf, -0.0, np.nan], dtype)[: raw[:3].size]
    return raw.reshape(shape)


def save(x, version=None):
    out = io.BytesIO()
    npy.write_array(out, x, version)
    return out.getvalue()


def show(**fields):
    def text(v):
        if isinstance(v, bytes):
            return '"%s"' % v.hex()
        if isinstance(v, bool):
            return "true" if v else "false"
        if isinstance(v, (tuple, list)):
            return "{%s}" % ", ".join(text(e) for e in v)
        return '"%s"' % v if isinstance(v, str) else str(v)
    print("    {%s}," % ", ".join("%s = %s" % (k, text(v)) for k, v in fields.items()))


def arrays():
    print("  arrays = {")
    for k, dtype in enumerate(DTYPES):
        for n, shape in enumerate(SHAPES):
            x = draw(dtype, shape)
            if (k + n) % 2 and x.ndim > 1:
                x = np.asfortranarray(x)
            own, version = True, None
            if n % 3 == 1 or n == 5:
                version = [(2, 0), (3, 0), (1, 0)][k % 3]
                own = version == (1, 0)
            show(dtype=dtype, shape=shape, fortran=bool(x.flags.f_contiguous and not x.flags.c_contiguous), own=own,
                 bytes=x.tobytes(), npy=save(x, version))
        x = draw(dtype, (2, 3))
        show(dtype=dtype, shape=(2, 3), fortran=False, own=False, bytes=x.tobytes(),
             npy=save(x.astype(np.dtype(dtype).newbyteorder(">"))))
    print("  },")


class Pipe(io.RawIOBase):
    """What can only be written in order."""

    def __init__(self):
        self.data = b""

    def writable(self):
        return True

    def write(self, b):
        self.data += bytes(b)
        return len(b)


def zipped(comment=b"", method=zipfile.ZIP_STORED, out=None, **members):
    out = out or io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy"), data, method)
        archive.comment = comment
    return out.data if isinstance(out, Pipe) else out.getvalue()


def with_zip64(data, name):
    """An archive of one stored member whose sizes and places all stand in fields of 64 bits."""
    crc = zipfile.crc32(data)
    name = name.encode()
    extra = struct.pack("<HHQQ", 1, 16, len(data), len(data))
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 45, 0, 0, 0, 33, crc, 2**32 - 1, 2**32 - 1, len(name), len(extra))
    local += name + extra + data
    extra = struct.pack("<HHQQQ", 1, 24, len(data), len(data), 0)
    central = struct.pack("<4s6H3L5H2L", b"PK\1\2", 45, 45, 0, 0, 0, 33, crc, 2**32 - 1, 2**32 - 1, len(name),
                          len(extra), 0, 0, 0, 0, 2**32 - 1) + name + extra
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(central), len(local))
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(local) + len(central), 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0)
    assert zipfile.ZipFile(io.BytesIO(local + central + end64 + locator + end)).testzip() is None
    return local + central + end64 + locator + end


def archives():
    x, y = np.arange(12, dtype="int16").reshape(3, 4), np.linspace(0, 1, 300)
    stored, deflated = io.BytesIO(), io.BytesIO()
    np.savez(stored, x, y=y)
    np.savez_compressed(deflated, x, y=y)
    print("  archives = {")
    for note, data in {
        "savez": stored.getvalue(), "savez_compressed": deflated.getvalue(),
        "comment": zipped(b"PK\5\6 and more", arr_0=save(x), y=save(y)),
        "pipe": zipped(b"", zipfile.ZIP_DEFLATED, Pipe(), arr_0=save(x), y=save(y)),
    }.items():
        show(note=note, npz=data)
    print("  },")
    print('  zip64 = "%s",' % with_zip64(save(x), "arr_0.npy").hex())


def examples():
    os.makedirs(FOLDER, exist_ok=True)
    np.save(os.path.join(FOLDER, "c.npy"), np.arange(6.0).reshape(2, 3))
    np.save(os.path.join(FOLDER, "fortran.npy"), np.asfortranarray(np.arange(24.0).reshape(4, 6)))
    np.save(os.path.join(FOLDER, "swapped.npy"), np.arange(24.0).reshape(4, 6).astype(">f8"))
    np.savez(os.path.join(FOLDER, "two.npz"), x=np.arange(3), y=np.array([0.5, 1.5]))


examples()
print("-- Written by files.py.\nreturn {")
arrays()
archives()
print("}")

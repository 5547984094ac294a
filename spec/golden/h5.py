"""Writes files/tree.h5 and files/every.h5 by h5py:

    pip install h5py; python3 spec/golden/h5.py

The committed files are of h5py 3.16. With the argument `check` and a file that cn.h5 wrote (spec/io/h5_spec.lua, in its
test about h5py) it reads that file instead, and prints what is in it.
"""
import os
import sys

import h5py
import numpy as np

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")


def write_tree():
    with h5py.File(os.path.join(FOLDER, "tree.h5"), "w") as f:
        f.attrs["version"] = 2
        x = f.create_dataset("runs/x", data=np.arange(6).reshape(2, 3), compression="gzip", shuffle=True)
        x.attrs["unit"] = "m"
        f["names"] = ["Bern", "Zürich"]
        f["title"] = "a tree"


def write_every():
    with h5py.File(os.path.join(FOLDER, "every.h5"), "w") as f:
        for dtype in ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 "
                      "complex128").split():
            f[dtype] = np.array([[0, 1], [2, 3]]).astype(dtype)
        f["big_endian"] = np.array([1, 2], dtype=">i4")
        f["fixed"] = np.array([b"ab", b"c"])
        f["grid"] = np.array([["a", "b"], ["c", "d"]], dtype=object)
        f["scalar"] = np.float32(2.5)
        f["empty"] = np.zeros((0, 3))
        f["null"] = h5py.Empty("f8")
        f["struct"] = np.array([(1, 2.5)], dtype=[("id", "i4"), ("value", "f8")])
        f["kinds"] = np.array([2, 1], dtype=h5py.enum_dtype({"a": 1, "b": 2}, "u1"))
        f["lists"] = np.array([np.array([1, 2]), np.array([3])], dtype=object).astype(h5py.vlen_dtype("i4"))
        f.attrs["flag"] = True
        f.attrs["number"] = 1.5
        f.attrs["text"] = "é"
        f.attrs["bytes"] = np.bytes_("abc")
        f.attrs["list"] = ["a", "bc"]
        f.attrs["array"] = np.arange(3, dtype="int32")
        f.attrs["z"] = 1 + 2j


def show(name, item):
    if isinstance(item, h5py.Dataset):
        value = item.asstr()[()] if h5py.check_string_dtype(item.dtype) else item[()]
        print(name, item.dtype, np.shape(value), np.asarray(value).tolist(), item.chunks, item.compression,
              item.shuffle, item.maxshape)
    for key in sorted(item.attrs):
        value = item.attrs[key]
        print(name, "@", key, type(value).__name__, np.asarray(value).tolist())


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        with h5py.File(sys.argv[2]) as given:
            show("/", given)
            given.visititems(show)
    else:
        write_tree()
        write_every()

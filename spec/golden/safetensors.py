"""Writes files/two.safetensors and files/every.safetensors by the format's reference implementation:

    pip install safetensors ml_dtypes; python3 spec/golden/safetensors.py

The committed files are of safetensors 0.8.0. The specs read them, and write the same bytes.
"""
import os
import sys

sys.path.pop(0)  # this folder, whose file has the library's name
import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")

save_file({"weight": np.arange(1, 7, dtype="float32").reshape(2, 3), "bias": np.array([0.5, 1.5])},
          os.path.join(FOLDER, "two.safetensors"), metadata={"format": "np"})

tensors = {dtype: np.array([0, 1, 2]).astype(dtype) for dtype in (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64").split()}
tensors["bfloat16"] = np.array([0, 1, 2]).astype(ml_dtypes.bfloat16)
tensors["scalar"] = np.array(7, dtype="int16")
tensors["empty"] = np.zeros((0, 3), dtype="float32")
tensors["a \"name\"\n\u00e9\x01"] = np.array([[1], [2]], dtype="uint8")
save_file(tensors, os.path.join(FOLDER, "every.safetensors"), metadata={"a\\b": "\u20ac\t"})

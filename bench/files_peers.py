"""The equivalents of files.lua for other libraries, for subject_peers.py."""
import os
import tempfile

import numpy as np


class NewFile:
    """A file that does not exist yet, to be removed with the object."""

    def __init__(self, suffix):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "x" + suffix)

    def without(self):
        """The path, at which there is no file."""
        if os.path.exists(self.path):
            os.remove(self.path)
        return self.path


def written_files(suffix, dtype, count, write):
    """Makes files that write(path, x) writes of an array."""
    def make(_):
        file = NewFile(suffix)
        write(file.path, np.sin(np.arange(count, dtype=dtype)) * 0.5 + 0.5)
        return file
    return make


def makers(length):
    """Inputs by name, as functions of something that has spread(*shape, dtype)."""
    n, compressed, numbers = length(1e8), length(1e7), length(1e6)
    return {
        "fx": lambda p: p.spread(n),
        "fz": lambda p: p.spread(compressed),
        "ft": lambda p: p.spread(numbers, dtype="float64"),
        "new_npy": lambda _: NewFile(".npy"),
        "new_npz": lambda _: NewFile(".npz"),
        "new_text": lambda _: NewFile(".txt"),
        "npy": written_files(".npy", "float32", n, np.save),
        "npz": written_files(".npz", "float32", compressed, lambda path, x: np.savez_compressed(path, x=x)),
        "text": written_files(".txt", "float64", numbers, lambda path, x: x.tofile(path, sep=",")),
    }


def workloads(length):
    """name, bytes, inputs"""
    n, compressed, numbers = length(1e8), length(1e7), length(1e6)
    return [
        ("save_f32_1e8", 8 * n, "fx new_npy"),
        ("load_f32_1e8", 8 * n, "npy"),
        ("load_map_f32_1e8", 0, "npy"),
        ("load_map_sum_f32_1e8", 4 * n, "npy"),
        ("savez_compressed_f32_1e7", 4 * compressed, "fz new_npz"),
        ("load_compressed_f32_1e7", 4 * compressed, "npz"),
        ("tofile_text_f64_1e6", 8 * numbers, "ft new_text"),
        ("fromfile_text_f64_1e6", 8 * numbers, "text"),
    ]


def array_functions(xp):
    """NumPy's and CuPy's; CuPy has no maps."""
    functions = {
        "save_f32_1e8": lambda x, file: xp.save(file.without(), x),
        "load_f32_1e8": lambda file: xp.load(file.path),
        "savez_compressed_f32_1e7": lambda x, file: xp.savez_compressed(file.path, x=x),
        "load_compressed_f32_1e7": lambda file: xp.load(file.path)["x"],
        "tofile_text_f64_1e6": lambda x, file: x.tofile(file.path, sep=","),
        "fromfile_text_f64_1e6": lambda file: xp.fromfile(file.path, sep=","),
    }
    if xp is np:
        functions["load_map_f32_1e8"] = lambda file: np.load(file.path, mmap_mode="r")
        functions["load_map_sum_f32_1e8"] = lambda file: np.load(file.path, mmap_mode="r").sum()
    return functions


def torch_functions(_):
    """PyTorch's files are of other formats."""
    return {}

"""Times NumPy on the workloads of cuna.lua; prints "name, median us" per line, separated by a tab.

  python3 bench/numpy_twin.py [--only sum,add_f32] [--scale 0.01]
"""
import os
import pathlib
import time

# OpenBLAS misidentifies new processors; like cuna, this script selects the right core type.
FLAGS = pathlib.Path("/proc/cpuinfo").read_text()
for feature, core in (("avx512bw", "SKYLAKEX"), ("avx2", "HASWELL")):
    if feature in FLAGS:
        os.environ.setdefault("OPENBLAS_CORETYPE", core)

T0 = time.perf_counter()
import numpy as np  # noqa: E402

IMPORT_S = time.perf_counter() - T0

import argparse  # noqa: E402
import functools  # noqa: E402
import statistics  # noqa: E402

import kernel_peers  # noqa: E402
import stream_peers  # noqa: E402
import subject_peers  # noqa: E402

BATCH_S, TOTAL_S, MAX_CALLS, MAX_BATCHES = 0.03, 0.6, 20000, 25

parser = argparse.ArgumentParser()
parser.add_argument("--only", default="")
parser.add_argument("--scale", type=float, default=1.0)
args = parser.parse_args()


def length(n):
    return max(16, int(n * args.scale))


def side(n):
    return max(16, int(n * args.scale ** 0.5))


f4 = np.float32
rng = np.random.default_rng(1)
n = length(1e8)
s10, s8, s16, tall = side(10000), side(8192), side(16384), length(1e6)


def spread(*shape, dtype=f4):
    return rng.random(shape, dtype=dtype)


def chain(a, b):
    c = a
    for _ in range(10):
        c = c + b
    return c


MAKERS = {
    "a16": lambda: spread(16),
    "b16": lambda: spread(16),
    "o16": lambda: np.zeros(16, f4),
    "x": lambda: spread(n),
    "y": lambda: spread(n),
    "o": lambda: np.zeros(n, f4),
    "mask": lambda: spread(n) > 0.5,
    "xd": lambda: spread(n, dtype=np.float64),
    "yd": lambda: spread(n, dtype=np.float64),
    "u": lambda: (spread(n) * 100).astype(np.uint8),
    "column": lambda: spread(s10, 1),
    "row": lambda: spread(1, s10),
    "vector": lambda: spread(s10),
    "m10": lambda: spread(s10, s10),
    "m8": lambda: spread(s8, s8),
    "t8": lambda: spread(s8, s8),
    "wide8": lambda: spread(s8, 2 * s8),
    "q4": lambda: spread(64, 128, 128, 64),
    "m16": lambda: spread(s16, s16),
    "tall": lambda: spread(tall, 32),
    "xhalf": lambda: spread(n // 2),
    "yhalf": lambda: spread(n // 2),
}

WORKLOADS = [
    ("launch_add16", "a16 b16", lambda a, b: a + b),
    ("launch_add16_out", "a16 b16 o16", lambda a, b, o: np.add(a, b, o)),
    ("launch_chain10_16", "a16 b16", chain),
    ("launch_sum16", "a16", lambda a: a.sum()),
    ("copy_f32_1e8", "x o", lambda x, o: np.copyto(o, x)),
    ("fill_f32_1e8", "o", lambda o: o.fill(1.5)),
    ("add_f32_1e8", "x y", lambda x, y: x + y),
    ("add_out_f32_1e8", "x y o", lambda x, y, o: np.add(x, y, out=o)),
    ("add_scalar_f32_1e8", "x", lambda x: x + f4(1.25)),
    ("mul_f32_1e8", "x y", lambda x, y: x * y),
    ("axpy_f32_1e8", "x y", lambda x, y: f4(2.5) * x + y),
    ("sin_f32_1e8", "x", np.sin),
    ("exp_f32_1e8", "x", np.exp),
    ("cast_f32_f64_1e8", "x", lambda x: x.astype(np.float64)),
    ("where_f32_1e8", "mask x y", np.where),
    ("sum_f32_1e8", "x", lambda x: x.sum()),
    ("max_f32_1e8", "x", lambda x: x.max()),
    ("argmax_f32_1e8", "x", lambda x: x.argmax()),
    ("var_f32_1e8", "x", lambda x: x.var()),
    ("add_u8_1e8", "u", lambda u: u + u),
    ("concat_f32_2x5e7", "xhalf yhalf", lambda x, y: np.concatenate([x, y])),
    ("add_f64_1e8", "xd yd", lambda x, y: x + y),
    ("axpy_f64_1e8", "xd yd", lambda x, y: 2.5 * x + y),
    ("copy_f64_1e8", "xd yd", lambda x, o: np.copyto(o, x)),
    ("sin_f64_1e8", "xd", np.sin),
    ("exp_f64_1e8", "xd", np.exp),
    ("tanh_f64_1e8", "xd", np.tanh),
    ("sum_f64_1e8", "xd", lambda x: x.sum()),
    ("broadcast_add_10000", "column row", lambda c, r: c + r),
    ("rowbias_add_10000", "m10 vector", lambda m, v: m + v),
    ("colbias_add_10000", "m10 column", lambda m, c: m + c),
    ("transpose_copy_8192", "m8", lambda m: np.ascontiguousarray(m.T)),
    ("transpose_add_8192", "m8 t8", lambda m, t: m.T + t),
    ("slice_step2_copy_8192", "wide8", lambda m: np.ascontiguousarray(m[:, ::2])),
    ("permute4d_copy_64x128x128x64", "q4", lambda q: np.ascontiguousarray(q.transpose(0, 2, 3, 1))),
    ("sum_axis0_16384", "m16", lambda m: m.sum(axis=0)),
    ("sum_axis1_16384", "m16", lambda m: m.sum(axis=1)),
    ("max_axis1_16384", "m16", lambda m: m.max(axis=1)),
    ("sum_axis1_1e6x32", "tall", lambda m: m.sum(axis=1)),
    ("sum_axis0_1e6x32", "tall", lambda m: m.sum(axis=0)),
]


class Host:
    """What kernel_peers and stream_peers make inputs with."""
    xp = np
    spread = host = staticmethod(spread)
    streams = stream_peers.NumpyStreams(np, length)

    arange = staticmethod(np.arange)
    astype = staticmethod(np.ndarray.astype)

    @staticmethod
    def zeros(*shape):
        return np.zeros(shape, f4)


for key, make in {**kernel_peers.makers(length, side), **stream_peers.makers(length),
                  **subject_peers.makers(length)}.items():
    MAKERS[key] = functools.partial(make, Host)
more_functions = dict(kernel_peers.array_functions(np), **Host.streams.functions(),
                      **subject_peers.array_functions(np))
WORKLOADS += [(name, inputs, more_functions[name])
              for name, _, inputs in (kernel_peers.workloads(length, side) + stream_peers.workloads(length)
                                      + subject_peers.workloads(length))
              if name in more_functions]


def batch(calls, fn, inputs):
    start = time.perf_counter()
    for _ in range(calls):
        fn(*inputs)
    return time.perf_counter() - start


def measure(fn, inputs):
    """Median seconds of one call."""
    batch(1, fn, inputs)
    one, calls = batch(1, fn, inputs), 1
    if one < BATCH_S:
        trial = max(1, min(50, int(BATCH_S / max(one, 1e-7) / 4)))
        one = batch(trial, fn, inputs) / trial
        calls = max(1, min(MAX_CALLS, int(BATCH_S / max(one, 1e-8))))
    batches = max(3, min(MAX_BATCHES, int(TOTAL_S / (calls * one))))
    return statistics.median(batch(calls, fn, inputs) / calls for _ in range(batches))


def main():
    prefixes = [p for p in args.only.split(",") if p]
    print("import\t%.3f" % (IMPORT_S * 1e6), flush=True)
    held = {}
    for name, inputs, fn in WORKLOADS:
        if prefixes and not any(name.startswith(p) for p in prefixes):
            continue
        needed = inputs.split()
        held = {key: held[key] for key in needed if key in held}
        for key in needed:
            if key not in held:
                held[key] = MAKERS[key]()
        print("%s\t%.3f" % (name, measure(fn, [held[key] for key in needed]) * 1e6), flush=True)


main()

"""Times CuPy, PyTorch, JAX or NumPy on the workloads of gpu.lua; prints one JSON object per line, as that does.

  python3 bench/gpu_peers.py [--peers cupy,torch,jax] [--only sum,add_f32] [--skip h2d] [--scale 0.01] [--jsonl FILE]
                             [--total 0.3]

Each peer runs in its own process, so that no two pools share the device's memory. A peer that cannot be imported gives
one line with an error. NumPy is there to try this file on a machine without a GPU.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time

import jax_peer
import kernel_peers
import stream_peers
import subject_peers

BATCH_S, MAX_CALLS, MAX_BATCHES = 0.03, 20000, 25

parser = argparse.ArgumentParser()
parser.add_argument("--peers", default="cupy,torch")
parser.add_argument("--only", default="")
parser.add_argument("--skip", default="")
parser.add_argument("--scale", type=float, default=1.0)
parser.add_argument("--total", type=float, default=0.3, help="seconds of all batches of a workload")
parser.add_argument("--jsonl", default="", help="a file to append the lines to")
args = parser.parse_args()


def length(n):
    return max(16, int(n * args.scale))


def side(n):
    return max(16, int(n * args.scale ** 0.5))


n = length(1e8)
half, s10, s8, s16, tall = n // 2, side(10000), side(8192), side(16384), length(1e6)


def plain_functions(xp):
    """Functions of new arrays that NumPy, CuPy and JAX have."""
    return {
        "axpy_f32_1e8": lambda x, y: 2.5 * x + y,
        "sin_f32_1e8": xp.sin,
        "exp_f32_1e8": xp.exp,
        "cast_f32_f64_1e8": lambda x: x.astype(xp.float64),
        "where_f32_1e8": xp.where,
        "concat_f32_2x5e7": lambda x, y: xp.concatenate([x, y]),
        "tanh_f64_1e8": xp.tanh,
        "transpose_copy_8192": lambda m: xp.ascontiguousarray(m.T),
        "slice_step2_copy_8192": lambda m: xp.ascontiguousarray(m[:, ::2]),
        "permute4d_copy_64x128x128x64": lambda q: xp.ascontiguousarray(q.transpose(0, 2, 3, 1)),
        "max_axis1_16384": lambda m: m.max(1),
    }


class ArrayPeer:
    """CuPy, or NumPy, whose functions have the same names."""

    def __init__(self, name):
        if name == "cupy":
            import cupy as xp
            self.synchronize = xp.cuda.Device().synchronize
            self.device = xp.cuda.runtime.getDeviceProperties(0)["name"].decode()
        else:
            import numpy as xp
            self.synchronize, self.device = lambda: None, "host"
        self.xp, self.name, self.version = xp, name, xp.__version__
        self.streams = (stream_peers.CupyStreams if name == "cupy" else stream_peers.NumpyStreams)(xp, length)
        self.generator = xp.random.default_rng(1)

    def spread(self, *shape, dtype="float32"):
        exact = dtype if dtype == "float64" else "float32"
        return self.generator.random(shape, dtype=self.xp.dtype(exact)).astype(dtype, copy=False)

    def zeros(self, *shape):
        return self.xp.zeros(shape, "float32")

    def arange(self, count):
        return self.xp.arange(count)

    def astype(self, x, dtype):
        return x.astype(dtype)

    def ints(self, *shape):
        return (self.spread(*shape) * 100).astype("uint8")

    def host(self, *shape):
        import numpy
        return numpy.random.default_rng(1).random(shape, dtype="float32")

    def functions(self):
        xp = self.xp
        of_kernels = kernel_peers.cupy_functions if self.name == "cupy" else kernel_peers.array_functions
        functions = dict(of_kernels(xp), **self.streams.functions(), **subject_peers.array_functions(xp))
        return dict(functions, **plain_functions(xp), **{
            "launch_add16_out": lambda a, b, o: xp.add(a, b, o),
            "copy_f32_1e8": lambda x, o: xp.copyto(o, x),
            "fill_f32_1e8": lambda o: o.fill(1.5),
            "add_out_f32_1e8": lambda x, y, o: xp.add(x, y, o),
            "h2d_f32_1e8": xp.asarray if self.name == "cupy" else xp.copy,
            "d2h_f32_1e8": xp.asnumpy if self.name == "cupy" else xp.copy,
        })


class TorchPeer:
    def __init__(self, name):
        import torch
        torch.manual_seed(1)
        self.torch, self.name, self.version = torch, name, torch.__version__
        self.streams = stream_peers.TorchStreams(torch, length)
        self.synchronize, self.device = torch.cuda.synchronize, torch.cuda.get_device_name()

    def spread(self, *shape, dtype="float32"):
        exact = dtype if dtype == "float64" else "float32"
        return self.torch.rand(shape, dtype=getattr(self.torch, exact), device="cuda").to(getattr(self.torch, dtype))

    def zeros(self, *shape):
        return self.torch.zeros(shape, device="cuda")

    def arange(self, count):
        return self.torch.arange(count, device="cuda")

    def astype(self, x, dtype):
        return x.to(getattr(self.torch, dtype))

    def ints(self, *shape):
        return (self.spread(*shape) * 100).to(self.torch.uint8)

    def host(self, *shape):
        return self.torch.rand(shape)

    def functions(self):
        torch = self.torch
        return dict(kernel_peers.torch_functions(torch), **self.streams.functions(),
                    **subject_peers.torch_functions(torch), **{
            "launch_add16_out": lambda a, b, o: torch.add(a, b, out=o),
            "copy_f32_1e8": lambda x, o: o.copy_(x),
            "fill_f32_1e8": lambda o: o.fill_(1.5),
            "add_out_f32_1e8": lambda x, y, o: torch.add(x, y, out=o),
            "axpy_f32_1e8": lambda x, y: torch.add(y, x, alpha=2.5),
            "sin_f32_1e8": torch.sin,
            "exp_f32_1e8": torch.exp,
            "cast_f32_f64_1e8": lambda x: x.to(torch.float64),
            "where_f32_1e8": torch.where,
            "concat_f32_2x5e7": lambda x, y: torch.cat([x, y]),
            "tanh_f64_1e8": torch.tanh,
            "transpose_copy_8192": lambda m: m.T.contiguous(),
            "slice_step2_copy_8192": lambda m: m[:, ::2].contiguous(),
            "permute4d_copy_64x128x128x64": lambda q: q.permute(0, 2, 3, 1).contiguous(),
            "max_axis1_16384": lambda m: m.amax(1),
            "h2d_f32_1e8": lambda h: h.to("cuda"),
            "d2h_f32_1e8": lambda x: x.cpu(),
        })


def chain(a, b):
    c = a
    for _ in range(10):
        c = c + b
    return c


def add(a, b):
    return a + b


def total(x):
    return x.sum()


# What all peers write alike; the others are in their functions().
COMMON = {
    "launch_add16": add,
    "launch_chain10_16": chain,
    "launch_sum16": total,
    "add_f32_1e8": add,
    "add_scalar_f32_1e8": lambda x: x + 1.25,
    "mul_f32_1e8": lambda x, y: x * y,
    "sum_f32_1e8": total,
    "max_f32_1e8": lambda x: x.max(),
    "argmax_f32_1e8": lambda x: x.argmax(),
    "var_f32_1e8": lambda x: x.var(),
    "add_f16_1e8": add,
    "sum_f16_1e8": total,
    "add_u8_1e8": add,
    "add_f64_1e8": add,
    "sum_f64_1e8": total,
    "broadcast_add_10000": add,
    "rowbias_add_10000": add,
    "colbias_add_10000": add,
    "transpose_add_8192": lambda m, t: m.T + t,
    "sum_axis0_16384": lambda m: m.sum(0),
    "sum_axis1_16384": lambda m: m.sum(1),
    "sum_axis1_1e6x32": lambda m: m.sum(1),
    "sum_axis0_1e6x32": lambda m: m.sum(0),
}

MAKERS = {
    "a16": lambda p: p.spread(16),
    "b16": lambda p: p.spread(16),
    "o16": lambda p: p.spread(16),
    "x": lambda p: p.spread(n),
    "y": lambda p: p.spread(n),
    "o": lambda p: p.spread(n),
    "mask": lambda p: p.spread(n) > 0.5,
    "host": lambda p: p.host(n),
    "xd": lambda p: p.spread(n, dtype="float64"),
    "yd": lambda p: p.spread(n, dtype="float64"),
    "xh": lambda p: p.spread(n, dtype="float16"),
    "yh": lambda p: p.spread(n, dtype="float16"),
    "xu": lambda p: p.ints(n),
    "yu": lambda p: p.ints(n),
    "xhalf": lambda p: p.spread(half),
    "yhalf": lambda p: p.spread(half),
    "column": lambda p: p.spread(s10, 1),
    "row": lambda p: p.spread(1, s10),
    "vector": lambda p: p.spread(s10),
    "m10": lambda p: p.spread(s10, s10),
    "m8": lambda p: p.spread(s8, s8),
    "t8": lambda p: p.spread(s8, s8),
    "wide8": lambda p: p.spread(s8, 2 * s8),
    "q4": lambda p: p.spread(64, 128, 128, 64),
    "m16": lambda p: p.spread(s16, s16),
    "tall": lambda p: p.spread(tall, 32),
    **kernel_peers.makers(length, side),
    **stream_peers.makers(length),
    **subject_peers.makers(length),
}

# name, bytes, inputs
WORKLOADS = [
    ("launch_add16", 0, "a16 b16"),
    ("launch_add16_out", 0, "a16 b16 o16"),
    ("launch_chain10_16", 0, "a16 b16"),
    ("launch_sum16", 0, "a16"),
    ("copy_f32_1e8", 8 * n, "x o"),
    ("fill_f32_1e8", 4 * n, "o"),
    ("add_f32_1e8", 12 * n, "x y"),
    ("add_out_f32_1e8", 12 * n, "x y o"),
    ("add_scalar_f32_1e8", 8 * n, "x"),
    ("mul_f32_1e8", 12 * n, "x y"),
    ("axpy_f32_1e8", 12 * n, "x y"),
    ("sin_f32_1e8", 8 * n, "x"),
    ("exp_f32_1e8", 8 * n, "x"),
    ("cast_f32_f64_1e8", 12 * n, "x"),
    ("where_f32_1e8", 13 * n, "mask x y"),
    ("sum_f32_1e8", 4 * n, "x"),
    ("max_f32_1e8", 4 * n, "x"),
    ("argmax_f32_1e8", 4 * n, "x"),
    ("var_f32_1e8", 4 * n, "x"),
    ("concat_f32_2x5e7", 16 * half, "xhalf yhalf"),
    ("add_f16_1e8", 6 * n, "xh yh"),
    ("sum_f16_1e8", 2 * n, "xh"),
    ("add_u8_1e8", 3 * n, "xu yu"),
    ("add_f64_1e8", 24 * n, "xd yd"),
    ("tanh_f64_1e8", 16 * n, "xd"),
    ("sum_f64_1e8", 8 * n, "xd"),
    ("broadcast_add_10000", 4 * s10 * s10 + 8 * s10, "column row"),
    ("rowbias_add_10000", 8 * s10 * s10 + 4 * s10, "m10 vector"),
    ("colbias_add_10000", 8 * s10 * s10 + 4 * s10, "m10 column"),
    ("transpose_copy_8192", 8 * s8 * s8, "m8"),
    ("transpose_add_8192", 12 * s8 * s8, "m8 t8"),
    ("slice_step2_copy_8192", 8 * s8 * s8, "wide8"),
    ("permute4d_copy_64x128x128x64", 8 * 2 ** 26, "q4"),
    ("sum_axis0_16384", 4 * s16 * s16, "m16"),
    ("sum_axis1_16384", 4 * s16 * s16, "m16"),
    ("max_axis1_16384", 4 * s16 * s16, "m16"),
    ("sum_axis1_1e6x32", 128 * tall, "tall"),
    ("sum_axis0_1e6x32", 128 * tall, "tall"),
    ("h2d_f32_1e8", 4 * n, "host"),
    ("d2h_f32_1e8", 4 * n, "x"),
] + kernel_peers.workloads(length, side) + stream_peers.workloads(length) + subject_peers.workloads(length)


def put(**fields):
    line = json.dumps(fields)
    print(line, flush=True)
    if args.jsonl:
        with open(args.jsonl, "a") as log:
            log.write(line + "\n")


def batch(calls, peer, fn, inputs):
    peer.synchronize()
    start = time.perf_counter()
    for _ in range(calls):
        fn(*inputs)
    peer.synchronize()
    return time.perf_counter() - start


def measure(peer, fn, inputs):
    """Seconds of one call, one for each batch, and the calls of a batch."""
    batch(1, peer, fn, inputs)
    one, calls = batch(1, peer, fn, inputs), 1
    if one < BATCH_S:
        trial = max(1, min(50, int(BATCH_S / max(one, 1e-7) / 4)))
        one = batch(trial, peer, fn, inputs) / trial
        calls = max(1, min(MAX_CALLS, int(BATCH_S / max(one, 1e-8))))
    batches = max(3, min(MAX_BATCHES, int(args.total / (calls * one))))
    return [batch(calls, peer, fn, inputs) / calls for _ in range(batches)], calls


def is_wanted(name):
    def has_prefix(prefixes):
        return any(name.startswith(prefix) for prefix in prefixes.split(",") if prefix)
    return (not args.only or has_prefix(args.only)) and not has_prefix(args.skip)


def take_inputs(peer, held, names):
    for key in [key for key in held if key not in names.split()]:
        del held[key]
    for key in names.split():
        if key not in held:
            held[key] = MAKERS[key](peer)
    return [held[key] for key in names.split()]


def run(peer, held, name, nbytes, names, fn):
    times, calls = measure(peer, fn, take_inputs(peer, held, names))
    median = statistics.median(times)
    put(name=name, peer=peer.name, median_us=round(median * 1e6, 3), min_us=round(min(times) * 1e6, 3), bytes=nbytes,
        gbps=round(nbytes / median / 1e9, 1), reps=len(times) * calls, batch=calls)


def run_ratio(peer, held, name, names, fn):
    def seconds(work):
        return statistics.median(measure(peer, work, [])[0])
    put(name=name, peer=peer.name, ratio=round(fn(peer, seconds, *take_inputs(peer, held, names)), 4))


def first_line(error):
    return ("%s: %s" % (type(error).__name__, error)).splitlines()[0][:300]


PEERS = {"torch": TorchPeer, "jax": lambda name: jax_peer.JaxPeer(name, plain_functions)}


def functions_of(peer):
    """What all peers write alike is compiled by one that compiles."""
    compiled = getattr(peer, "compiled", lambda fn: fn)
    return dict({name: compiled(fn) for name, fn in COMMON.items()}, **peer.functions())


def lacks(peer, error):
    return hasattr(peer, "lacks") and peer.lacks(error)


def run_peer(name):
    try:
        peer = PEERS.get(name, ArrayPeer)(name)
        functions = functions_of(peer)
    except Exception as error:
        put(name="peer", peer=name, error=first_line(error))
        return
    put(name="peer", peer=name, version=peer.version, device=peer.device)
    held = {}

    def try_by(runner, workload, *rest):
        if not is_wanted(workload):
            return
        try:
            runner(peer, held, workload, *rest)
        except Exception as error:
            if not lacks(peer, error):
                put(name=workload, peer=name, error=first_line(error))

    for workload, nbytes, names in WORKLOADS:
        if workload in functions:
            try_by(run, workload, nbytes, names, functions[workload])
    for ratio in stream_peers.ratios(length) if name in ("cupy", "torch") else []:
        try_by(run_ratio, *ratio)


peers = [name for name in args.peers.split(",") if name]
if len(peers) == 1:
    run_peer(peers[0])
else:
    for name in peers:
        subprocess.call([sys.executable] + sys.argv + ["--peers", name])

"""The rows of distributed_gpu.lua for PyTorch and CuPy: python3 -m torch.distributed.run --nproc-per-node 2 THIS"""
import os
import time

import cupy
import torch
import torch.distributed as dist
from cupyx.distributed import init_process_group

rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
torch.cuda.set_device(rank)
cupy.cuda.Device(rank).use()
dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
MIB = 2**20


def round_us(fn, calls):
    torch.cuda.synchronize()
    dist.barrier()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(calls):
        fn()
    queued = time.perf_counter()
    torch.cuda.synchronize()
    return 1e6 * (queued - start) / calls, 1e6 * (time.perf_counter() - start) / calls


def measure(fn, calls, rounds=10):
    fn()
    rows = [round_us(fn, calls) for _ in range(rounds)]
    least = torch.tensor([min(r[0] for r in rows), min(r[1] for r in rows)], device="cuda")
    dist.all_reduce(least, dist.ReduceOp.MAX)
    return least.tolist()


def say(*words):
    if rank == 0:
        print(*words, flush=True)


def bus(nbytes, us):
    return 2 * (size - 1) / size * nbytes / us / 1e3


def sums(name, make, reduce):
    for nbytes in (4, 1024, 2**16, MIB, 16 * MIB, 64 * MIB, 1024 * MIB):
        x = make(nbytes // 4)
        calls = 200 if nbytes < MIB else 40 if nbytes < 2**28 else 8
        host, done = measure(lambda: reduce(x), calls)
        say(f"{name} all_reduce {nbytes:11d} bytes: host {host:7.2f} us, done {done:9.2f} us, bus {bus(nbytes, done):6.1f} GB/s")


def lists():
    gradients = [torch.zeros(MIB // 4, device="cuda") for _ in range(100)]
    whole = torch.zeros(100 * MIB // 4, device="cuda")
    _, one = measure(lambda: dist.all_reduce(whole), 20)

    def group():
        with dist._coalescing_manager(device=torch.device("cuda", rank)):
            for g in gradients:
                dist.all_reduce(g)

    host, done = measure(group, 20)
    say(f"torch 100 arrays of 1 MiB: host {host:.1f} us, done {done:.1f} us; one of 100 MiB {one:.1f} us")


def training():
    torch.manual_seed(0)
    layers = torch.nn.Sequential(
        torch.nn.Linear(1024, 4096, bias=False), torch.nn.ReLU(), torch.nn.Linear(4096, 4096, bias=False),
        torch.nn.ReLU(), torch.nn.Linear(4096, 1000, bias=False)).cuda()
    x, target = torch.randn(4096, 1024, device="cuda"), torch.randn(4096, 1000, device="cuda")

    def step(model, optimiser):
        optimiser.zero_grad()
        torch.nn.functional.mse_loss(model(x), target).backward()
        optimiser.step()

    optimiser = torch.optim.SGD(layers.parameters(), 0.1)
    _, one = measure(lambda: step(layers, optimiser), 5, 5)
    model = torch.nn.parallel.DistributedDataParallel(layers, device_ids=[rank])
    _, several = measure(lambda: step(model, optimiser), 5, 5)
    say(f"torch training: alone {one / 1e3:.2f} ms, DDP on {size} {several / 1e3:.2f} ms: {one / several * size:.3f} of {size}")


sums("torch", lambda n: torch.zeros(n, device="cuda"), dist.all_reduce)
lists()
training()
os.environ.setdefault("CUPYX_DISTRIBUTED_PORT", "13499")
comm = init_process_group(size, rank)
sums("cupy", lambda n: cupy.zeros(n, "float32"), lambda x: comm.all_reduce(x, x))
dist.barrier()
comm.stop()
dist.destroy_process_group()

"""The rows of distributed.lua for mpi4py: mpirun -n 2 python3 bench/distributed_peers.py"""
import time

import mpi4py
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD


def seconds(x, calls):
    comm.Barrier()
    start = time.perf_counter()
    for _ in range(calls):
        comm.Allreduce(MPI.IN_PLACE, x)
    return (time.perf_counter() - start) / calls


lines = [f"mpi4py {mpi4py.__version__}", "| bytes | mpi4py |", "|---:|---:|"]
for nbytes in (4, 1024, 2**16, 2**20, 2**24):
    x = np.zeros(nbytes // 4, "float32")
    calls = max(4, min(200, 2**24 // nbytes))
    best = min(seconds(x, calls) for _ in range(60 if nbytes < 2**20 else 15))
    lines.append(f"| {nbytes} | {best * 1e6:.2f} |")
if comm.rank == 0:
    print("\n".join(lines))

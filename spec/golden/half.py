"""Writes half.lua: hashes of what functions of <cuda_fp16.h> and <cuda_bf16.h> give, of which a toolkit is needed. They
have functions for hosts.
Run: python3 spec/golden/half.py > spec/golden/half.lua
"""
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CUDA = os.environ.get("CUDA_HOME", "/usr/local/cuda")
PROGRAM = r"""
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#undef __device__
#define __device__ static
#include "half_functions.h"
#define NAME(name, expression) #name,
#define RUN(N)                                                  \
    {                                                           \
        const char *names[] = {HALF_ROWS(NAME, N)};             \
        unsigned hashes[NHASHES_##N];                           \
        hash_##N(hashes);                                       \
        printf("  " #N " = {\n");                               \
        for (int i = 0; i < NHASHES_##N; i++)                   \
            printf("    {\"%s\", 0x%08x},\n", names[i], hashes[i]); \
        printf("  },\n");                                       \
    }
int main()
{
    RUN(half)
    RUN(bfloat16)
}
"""

with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/half.cc", "w") as file:
        file.write(PROGRAM)
    subprocess.check_call(["g++", "-w", "-O1", "-ffp-contract=off", "-I" + HERE, "-I" + CUDA + "/include",
                           "-o", folder + "/half", folder + "/half.cc"])
    print("-- Written by half.py.\nreturn {")
    print(subprocess.check_output([folder + "/half"], text=True), end="")
    print("}")

"""Writes curand_kernel.lua: the numbers of cuRAND's <curand_kernel.h>, of which a toolkit is needed. It has functions
for hosts.
Run: python3 spec/golden/curand_kernel.py > spec/golden/curand_kernel.lua
"""
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CUDA = os.environ.get("CUDA_HOME", "/usr/local/cuda")
STATES = "curandStateXORWOW_t curandStateMRG32k3a_t curandStatePhilox4_32_10_t".split()
STARTS = [(0, 0, 0), (1234, 5, 7), (2**63 + 99, 2**33 + 1, 2**40 + 3), (42, 1023, 2), (2**32, 1, 2**63 + 2)]

PROGRAM = r"""
#define QUALIFIERS static inline
#include <cmath>
#include <cstdio>
#include <vector_types.h>
#include <vector_functions.h>
#undef __device__
#define __device__
#include <curand_kernel.h>
#include "random_draws.h"
template <class T> static void list(const char *name, int n, const T *values, const char *format)
{
    printf(" %s = {", name);
    for (int i = 0; i < n; i++) {
        printf(format, values[i]);
        printf(i + 1 < n ? ", " : "}");
    }
}
template <class S> static void run(const char *name, unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset)
{
    unsigned bits[NBITS] = {};
    double exact[NEXACT] = {}, reals[NREALS] = {};
    draw<S>(seed, sequence, offset, bits, exact, reals);
    printf("  {state = \"%s\", start = {\"%llu\", \"%llu\", \"%llu\"},\n   ", name, seed, sequence, offset);
    list("bits", NBITS, bits, "%u");
    printf(",\n   ");
    list("exact", NEXACT, exact, "%.17g");
    printf(",\n   ");
    list("reals", NREALS, reals, "%.17g");
    printf("},\n");
}
int main()
{
CALLS
}
"""

calls = ["    run<%s>(\"%s\", %dull, %dull, %dull);" % (state, state, *start) for state in STATES for start in STARTS]
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/draws.cc", "w") as file:
        file.write(PROGRAM.replace("CALLS", "\n".join(calls)))
    subprocess.check_call(["g++", "-w", "-O1", "-ffp-contract=off", "-I" + HERE, "-I" + CUDA + "/include",
                           "-o", folder + "/draws", folder + "/draws.cc"])
    print("-- Written by curand_kernel.py.\nreturn {")
    print(subprocess.check_output([folder + "/draws"], text=True), end="")
    print("}")

"""Writes curand_more.lua: numbers of <curand_kernel.h> that curand_kernel.py has not, of which a toolkit is needed.
Run: python3 spec/golden/curand_more.py > spec/golden/curand_more.lua
"""
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CUDA = os.environ.get("CUDA_HOME", "/usr/local/cuda")
STATES = """curandStateSobol32_t curandStateScrambledSobol32_t curandStateSobol64_t curandStateScrambledSobol64_t
curandStateXORWOW_t curandStateMRG32k3a_t curandStatePhilox4_32_10_t""".split()

PROGRAM = r"""
#define QUALIFIERS static inline
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector_types.h>
#include <vector_functions.h>
#undef __device__
#define __device__
extern const dim3 blockDim;
extern const uint3 threadIdx;
const dim3 blockDim(1, 1, 1);
const uint3 threadIdx = {0, 0, 0};
/* Hosts lack these functions: here Newton's method, from where erfc is nearly a line. */
#define HOST_HAVE_ERFCINVF 1
static double erfcinv(double y)
{
    double x = 0;
    for (int i = 0; i < 200; i++)
        x += (std::erfc(x) - y) * std::exp(x * x) * 0.88622692545275801;
    return x;
}
static float erfcinvf(float y) { return (float)erfcinv(y); }
#include <curand_kernel.h>
#include "random_more_draws.h"
static void list(const char *name, const unsigned long long *bits, const double *reals)
{
    printf("  {state = \"%s\",\n   bits = {", name);
    for (int i = 0; i < NBITS; i++)
        printf("\"%llu\"%s", bits[i], i + 1 < NBITS ? ", " : "},\n   reals = {");
    for (int i = 0; i < NREALS; i++)
        printf("%.17g%s", reals[i], i + 1 < NREALS ? ", " : "}},\n");
}
template <class S> static void run(const char *name)
{
    static S state;
    unsigned long long bits[NBITS] = {};
    double reals[NREALS] = {};
    draw_state(&state, bits, reals);
    list(name, bits, reals);
}
int main()
{
    static curandStateMtgp32_t state;
    static mtgp32_kernel_params_t params;
    unsigned long long bits[NBITS] = {};
    double reals[NREALS] = {};
CALLS
    draw_mtgp(&state, &params, bits, reals);
    list("curandStateMtgp32_t", bits, reals);
}
"""

calls = ["    run<%s>(\"%s\");" % (state, state) for state in STATES]
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/draws.cc", "w") as file:
        file.write(PROGRAM.replace("CALLS", "\n".join(calls)))
    subprocess.check_call(["g++", "-w", "-O1", "-ffp-contract=off", "-I" + HERE, "-I" + CUDA + "/include",
                           "-o", folder + "/draws", folder + "/draws.cc"])
    print("-- Written by curand_more.py.\nreturn {")
    print(subprocess.check_output([folder + "/draws"], text=True), end="")
    print("}")

/* loops.c: loops over the numbers of a line, compiled for each kind of number and of vectors. */
#include "cpu/fft/loops.h"

#define PASTE_(a, b, c) a##_##b##_##c
#define PASTE(a, b, c)  PASTE_(a, b, c)
#define OF(name)        PASTE(name, REAL, TARGET)

/* ---- what every processor has ---- */

#define TARGET       plain
#define VECTOR_BYTES 16
#define REAL         float
#include "cpu/fft/loops_text.h"
#undef REAL
#define REAL double
#include "cpu/fft/loops_text.h"
#undef REAL
#undef TARGET
#undef VECTOR_BYTES

/* Clang knows these pragmas by other names, and does with the above. */
#if defined(__x86_64__) && !defined(__clang__)

#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define TARGET       avx2
#define VECTOR_BYTES 32
#define REAL         float
#include "cpu/fft/loops_text.h"
#undef REAL
#define REAL double
#include "cpu/fft/loops_text.h"
#undef REAL
#undef TARGET
#undef VECTOR_BYTES
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512")
#define TARGET       avx512
#define VECTOR_BYTES 64
#define REAL         float
#include "cpu/fft/loops_text.h"
#undef REAL
#define REAL double
#include "cpu/fft/loops_text.h"
#undef REAL
#pragma GCC pop_options

const cuna_dft_loops *cuna__dft_loops(bool is_double)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return is_double ? &loops_double_avx512 : &loops_float_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return is_double ? &loops_double_avx2 : &loops_float_avx2;
    return is_double ? &loops_double_plain : &loops_float_plain;
}

#else

const cuna_dft_loops *cuna__dft_loops(bool is_double)
{
    return is_double ? &loops_double_plain : &loops_float_plain;
}

#endif

/* loops.h: loops over the numbers of a line, for float and double. */
#ifndef CUNA_CPU_FFT_LOOPS_H
#define CUNA_CPU_FFT_LOOPS_H

#include "cpu/fft/roots.h"

/* Lines are complex where nothing else is said. */
typedef struct cuna_dft_loops {
    /* values[i] *= factor, of real numbers */
    void (*scale)(void *values, int64_t count, double factor);
    /* line[k] times the root of step * k, or its conjugate (sign 1) */
    void (*turn)(void *line, int64_t n, const cuna_dft_roots *roots, int64_t step, int sign);
    /* out[k] = a[k] * b[k] * factor, for conjugates of `a` where asked for */
    void (*multiply)(void *out, const void *a, const void *b, int64_t n, bool conjugate, double factor);
    /* Between the transform of h complex numbers, whose parts are real numbers by turns, and the spectrum of these 2 h
     * numbers; for k from [first, last) of [0, h / 2] and h - k. Roots are those of 2 h. `untangle` works in place. */
    void (*untangle)(void *line, int64_t h, const cuna_dft_roots *roots, int64_t first, int64_t last);
    void (*tangle)(void *out, const void *in, int64_t h, const cuna_dft_roots *roots, int64_t first, int64_t last);
    void (*widen)(void *out, const void *real, int64_t n);                /* real numbers as complex ones */
    void (*narrow)(void *real, const void *in, int64_t n, double factor); /* real parts */
    void (*mirror)(void *out, const void *half, int64_t n);               /* the whole of a real line's spectrum */
    void (*put)(void *line, int64_t k, double re, double im);
} cuna_dft_loops;

const cuna_dft_loops *cuna__dft_loops(bool is_double);

#endif

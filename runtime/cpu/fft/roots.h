/* roots.h: the n-th roots of unity, exp(-2 pi i m / n), of large n from two short tables. */
#ifndef CUNA_CPU_FFT_ROOTS_H
#define CUNA_CPU_FFT_ROOTS_H

#include "base/base.h"

typedef struct cuna_dft_roots {
    int64_t n;
    int shift;
    double (*low)[2], (*high)[2]; /* of m below 1 << shift, and of multiples of that */
} cuna_dft_roots;

/* False where the host has no memory left. */
bool cuna__dft_roots_make(cuna_dft_roots *out, int64_t n);
void cuna__dft_roots_free(cuna_dft_roots *roots);

/* The root of m from [0, n). */
static inline void cuna__dft_root(double out[2], const cuna_dft_roots *roots, int64_t m)
{
    const double *high = roots->high[m >> roots->shift], *low = roots->low[m & (((int64_t)1 << roots->shift) - 1)];
    out[0] = high[0] * low[0] - high[1] * low[1];
    out[1] = high[0] * low[1] + high[1] * low[0];
}

#endif

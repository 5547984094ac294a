/* roots.c: the n-th roots of unity.
 *
 * An angle is brought into the first eighth of the circle by whole numbers, where sine and cosine are exact to the last
 * bit but one. Up to 4096 roots stand in one table; of more the product of two is the one that is asked for. */
#define _GNU_SOURCE 1
#include "cpu/fft/roots.h"

#include <math.h>
#include <stdlib.h>

#define WHOLE 4096

static void compute(double out[2], int64_t m, int64_t n)
{
    int64_t quarter = 4 * m / n;        /* n is far below 2^61 */
    int64_t rest = 4 * m - quarter * n; /* of a quarter, in 4 n-ths of the circle */
    bool swapped = 2 * rest > n;
    double angle = 1.57079632679489661923 * (double)(swapped ? n - rest : rest) / (double)n;
    double c = swapped ? sin(angle) : cos(angle), s = swapped ? cos(angle) : sin(angle);
    double re = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    double im = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    out[0] = re;
    out[1] = -im;
}

bool cuna__dft_roots_make(cuna_dft_roots *out, int64_t n)
{
    int log2 = cuna__ceil_log2(n);
    out->n = n;
    out->shift = n <= WHOLE ? log2 : (log2 + 1) / 2;
    int64_t nlow = (int64_t)1 << out->shift, nhigh = (n - 1) / nlow + 1;
    out->low = malloc((size_t)nlow * sizeof *out->low);
    out->high = malloc((size_t)nhigh * sizeof *out->high);
    if (out->low == NULL || out->high == NULL) {
        cuna__dft_roots_free(out);
        return false;
    }
    for (int64_t m = 0; m < nlow; m++)
        compute(out->low[m], m % n, n);
    for (int64_t m = 0; m < nhigh; m++)
        compute(out->high[m], m * nlow, n);
    return true;
}

void cuna__dft_roots_free(cuna_dft_roots *roots)
{
    free(roots->low);
    free(roots->high);
    roots->low = roots->high = NULL;
}

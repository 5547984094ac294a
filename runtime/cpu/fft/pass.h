/* pass.h: the lines of an array along one axis, transformed by all threads. */
#ifndef CUNA_CPU_FFT_PASS_H
#define CUNA_CPU_FFT_PASS_H

#include "cpu/fft/line.h"

/* Lines [0, count) of each repeat. Strides are in elements: along a line, from a line to the next, from repeat to repeat.
 * Lines of `out` may be those of `in` in the same places; else the two share no memory. Both begin at multiples of 16
 * bytes. */
typedef struct cuna_dft_pass {
    const cuna_dft_line *line;
    const char *in;
    char *out;
    int64_t in_stride, in_dist, in_repeat, out_stride, out_dist, out_repeat;
    int64_t count, repeats;
    double scale;
    const cuna_dft_roots *turns; /* result k of line j is turned by j k; NULL: it is not */
    char *work;                  /* as many bytes as below, aligned to 64 */
} cuna_dft_pass;

/* Addresses may be left open. */
int64_t cuna__dft_pass_nbytes(const cuna_dft_pass *pass);
void cuna__dft_pass_run(const cuna_dft_pass *pass);

#endif

/* line.h: transforms of lines: what the cpu device's Fourier transforms are made of.
 *
 * A line lies in memory without gaps. It has n complex numbers, or the n real numbers of a real transform on one side
 * and the first n / 2 + 1 complex ones of their spectrum on the other. line.c chooses the algorithm; all
 * algorithms give unscaled sums, times the factor of a block. */
#ifndef CUNA_CPU_FFT_LINE_H
#define CUNA_CPU_FFT_LINE_H

#include "cpu/fft/roots.h"
#include "seam/dft.h"

typedef enum cuna_dft_type { CUNA_DFT_COMPLEX, CUNA_DFT_TO_COMPLEX, CUNA_DFT_TO_REAL } cuna_dft_type;

/* What lines are asked for. */
typedef struct cuna_dft_want {
    cuna_dft_type type;
    bool is_double;
    int sign;  /* of the exponent: -1 forward, 1 back; of real transforms the type says it */
    bool lone; /* there are few of them, so that one should use all threads */
    int64_t n;
} cuna_dft_want;

/* A block: `count` lines, whose beginnings lie `dist` elements apart. Complex lines may be transformed in place. */
typedef struct cuna_dft_block {
    const char *in;
    char *out;
    int64_t in_dist, out_dist, count;
    double scale;
    char *scratch; /* of the line's scratch_nbytes, aligned to 64 */
} cuna_dft_block;

typedef struct cuna_dft_line cuna_dft_line;
struct cuna_dft_line {
    cuna_dft_want want;
    int64_t lines;    /* in a block, at most */
    int alignment;    /* of addresses and distances, in bytes */
    bool is_parallel; /* a block uses all threads; others leave that to their caller */
    int64_t scratch_nbytes;
    void (*run)(const cuna_dft_line *line, const cuna_dft_block *block);
    void (*release)(cuna_dft_line *line);
};

/* Elements of a line on either side, and their bytes. */
static inline int64_t cuna__dft_in_length(const cuna_dft_want *want)
{
    return want->type == CUNA_DFT_TO_REAL ? want->n / 2 + 1 : want->n;
}

static inline int64_t cuna__dft_out_length(const cuna_dft_want *want)
{
    return want->type == CUNA_DFT_TO_COMPLEX ? want->n / 2 + 1 : want->n;
}

static inline int cuna__dft_real_nbytes(const cuna_dft_want *want)
{
    return want->is_double ? 8 : 4;
}

static inline int cuna__dft_in_nbytes(const cuna_dft_want *want)
{
    return cuna__dft_real_nbytes(want) * (want->type == CUNA_DFT_TO_COMPLEX ? 1 : 2);
}

static inline int cuna__dft_out_nbytes(const cuna_dft_want *want)
{
    return cuna__dft_real_nbytes(want) * (want->type == CUNA_DFT_TO_REAL ? 1 : 2);
}

static inline int64_t cuna__dft_align(int64_t nbytes)
{
    return (nbytes + 63) / 64 * 64;
}

/* NULL where the host has no memory left. */
cuna_dft_line *cuna__dft_line_create(const cuna_dft_want *want);
void cuna__dft_line_release(cuna_dft_line *line); /* NULL: nothing */

/* Ways to do it, for the function above; `inner` are taken over, also by a failure. */
cuna_dft_line *cuna__dft_fftw_create(const cuna_dft_want *want); /* NULL also where FFTW declines */
cuna_dft_line *cuna__dft_chirp_create(const cuna_dft_want *want, cuna_dft_line *inner); /* complex; see its file */
cuna_dft_line *cuna__dft_split_create(const cuna_dft_want *want, cuna_dft_line *columns, cuna_dft_line *rows);
cuna_dft_line *cuna__dft_halved_create(const cuna_dft_want *want, cuna_dft_line *inner);  /* real, n even */
cuna_dft_line *cuna__dft_widened_create(const cuna_dft_want *want, cuna_dft_line *inner); /* real, any n */

/* Opens FFTW once; DEVICE in a line that says what to install. */
cuna_status cuna__dft_fftw_open(void);

/* Memory for one way's description with the line first, zeros but for what all have in common. */
void *cuna__dft_line_allocate(size_t nbytes, const cuna_dft_want *want);

#endif

/* chirp.c: complex lines of any length, by a convolution (Bluestein's algorithm).
 *
 * j k = (j^2 + k^2 - (k - j)^2) / 2, so that the transform is a convolution of chirped numbers with the chirp, which
 * transforms of a power of two m >= 2 n - 1 do. The chirp at k has the angle pi k^2 / n; k^2 is taken modulo 2 n, in
 * whole numbers. The transform back from m is the conjugate of one forward of conjugates, which the multiplications on
 * the way take along. */
#include <stdlib.h>
#include <string.h>

#include "cpu/fft/line.h"
#include "cpu/fft/loops.h"

typedef struct chirp {
    cuna_dft_line base;
    cuna_dft_line *inner;
    char *chirp,
        *spectrum; /* n numbers, and the m of the conjugate chirp's transform: their conjugates, divided by m */
} chirp;

static void run_lines(const chirp *line, const char *in, char *out, int64_t count, const cuna_dft_block *block)
{
    const cuna_dft_loops *loops = cuna__dft_loops(line->base.want.is_double);
    int64_t n = line->base.want.n, m = line->inner->want.n;
    int nbytes = cuna__dft_in_nbytes(&line->base.want);
    int64_t dist = cuna__dft_align(m * nbytes) / nbytes, room = line->inner->lines * dist * nbytes;
    char *a = block->scratch, *b = a + room, *scratch = b + room;
    for (int64_t j = 0; j < count; j++) {
        char *at = a + j * dist * nbytes;
        loops->multiply(at, in + j * block->in_dist * nbytes, line->chirp, n, false, 1);
        memset(at + n * nbytes, 0, (size_t)((m - n) * nbytes));
    }
    line->inner->run(line->inner, &(cuna_dft_block){a, b, dist, dist, count, 1, scratch});
    for (int64_t j = 0; j < count; j++)
        loops->multiply(b + j * dist * nbytes, b + j * dist * nbytes, line->spectrum, m, true, 1);
    line->inner->run(line->inner, &(cuna_dft_block){b, a, dist, dist, count, 1, scratch});
    for (int64_t j = 0; j < count; j++)
        loops->multiply(out + j * block->out_dist * nbytes, a + j * dist * nbytes, line->chirp, n, true, block->scale);
}

static void run(const cuna_dft_line *base, const cuna_dft_block *block)
{
    const chirp *line = (const chirp *)base;
    int nbytes = cuna__dft_in_nbytes(&base->want);
    for (int64_t j = 0; j < block->count; j += line->inner->lines)
        run_lines(line, block->in + j * block->in_dist * nbytes, block->out + j * block->out_dist * nbytes,
                  cuna__min(line->inner->lines, block->count - j), block);
}

static void release(cuna_dft_line *base)
{
    chirp *line = (chirp *)base;
    cuna__dft_line_release(line->inner);
    free(line->chirp);
    free(line->spectrum);
    free(line);
}

/* The chirp, and in `around` its conjugate, which goes round the end of m numbers. */
static bool make_chirp(const chirp *line, char *around)
{
    const cuna_dft_loops *loops = cuna__dft_loops(line->base.want.is_double);
    int64_t n = line->base.want.n, m = line->inner->want.n, square = 0;
    double root[2], flip = line->base.want.sign > 0 ? -1 : 1;
    cuna_dft_roots roots;
    if (!cuna__dft_roots_make(&roots, 2 * n))
        return false;
    for (int64_t k = 0; k < n; k++) {
        cuna__dft_root(root, &roots, square);
        loops->put(line->chirp, k, root[0], flip * root[1]);
        loops->put(around, k, root[0], -flip * root[1]);
        if (k > 0)
            loops->put(around, m - k, root[0], -flip * root[1]);
        square = (square + 2 * k + 1) % (2 * n);
    }
    cuna__dft_roots_free(&roots);
    return true;
}

static bool make_spectrum(const chirp *line)
{
    const cuna_dft_loops *loops = cuna__dft_loops(line->base.want.is_double);
    int64_t m = line->inner->want.n;
    size_t nbytes = (size_t)cuna__dft_align(m * cuna__dft_in_nbytes(&line->base.want));
    char *around = aligned_alloc(64, nbytes), *ones = aligned_alloc(64, nbytes);
    char *scratch = aligned_alloc(64, (size_t)cuna__dft_align(line->inner->scratch_nbytes) + 64);
    bool made = around != NULL && ones != NULL && scratch != NULL;
    if (made) {
        memset(around, 0, nbytes);
        made = make_chirp(line, around);
    }
    if (made) {
        line->inner->run(line->inner, &(cuna_dft_block){around, line->spectrum, m, m, 1, 1, scratch});
        /* Divided by m here, once, so that no line divides. */
        for (int64_t k = 0; k < m; k++)
            loops->put(ones, k, 1, 0);
        loops->multiply(line->spectrum, line->spectrum, ones, m, true, 1.0 / (double)m);
    }
    free(around);
    free(ones);
    free(scratch);
    return made;
}

cuna_dft_line *cuna__dft_chirp_create(const cuna_dft_want *want, cuna_dft_line *inner)
{
    chirp *line = inner != NULL ? cuna__dft_line_allocate(sizeof *line, want) : NULL;
    if (line == NULL) {
        cuna__dft_line_release(inner);
        return NULL;
    }
    int64_t nbytes = cuna__dft_in_nbytes(want), room = inner->lines * cuna__dft_align(inner->want.n * nbytes);
    /* From here on release() frees what was made, NULL or not. */
    line->inner = inner;
    line->chirp = aligned_alloc(64, (size_t)cuna__dft_align(want->n * nbytes));
    line->spectrum = aligned_alloc(64, (size_t)cuna__dft_align(inner->want.n * nbytes));
    line->base.is_parallel = inner->is_parallel;
    if (inner->is_parallel)
        line->base.lines = 1; /* inner uses all threads for one line */
    /* Two rooms: the inner transforms go from one to the other and back. */
    line->base.scratch_nbytes = 2 * room + cuna__dft_align(inner->scratch_nbytes);
    line->base.run = run;
    line->base.release = release;
    if (line->chirp != NULL && line->spectrum != NULL && make_spectrum(line))
        return &line->base;
    release(&line->base);
    return NULL;
}

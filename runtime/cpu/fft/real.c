/* real.c: real lines, by complex ones.
 *
 * Those of even length are read as complex lines of half of it, whose spectrum is that of the numbers in even places plus
 * i times that of those in odd ones; their symmetry separates these two. Others become complex lines. */
#include <stdlib.h>
#include <string.h>

#include "cpu/execute/threads.h"
#include "cpu/fft/line.h"
#include "cpu/fft/loops.h"

#define PIECE 65536 /* of a line, for each thread */

typedef struct real {
    cuna_dft_line base;
    cuna_dft_line *inner;
    cuna_dft_roots roots;
} real;

static void release(cuna_dft_line *base)
{
    real *line = (real *)base;
    cuna__dft_line_release(line->inner);
    cuna__dft_roots_free(&line->roots);
    free(line);
}

static real *create(const cuna_dft_want *want, cuna_dft_line *inner)
{
    real *line = inner != NULL ? cuna__dft_line_allocate(sizeof *line, want) : NULL;
    if (line == NULL || !cuna__dft_roots_make(&line->roots, want->n)) {
        cuna__dft_line_release(inner);
        free(line);
        return NULL;
    }
    line->inner = inner;
    line->base.lines = inner->lines;
    line->base.is_parallel = inner->is_parallel;
    line->base.release = release;
    return line;
}

/* ---- even lengths ---- */

struct piece {
    const real *line;
    const char *in; /* NULL: in place */
    char *out;
};

static void do_piece(void *data, int64_t first, int64_t last)
{
    const struct piece *piece = data;
    const cuna_dft_loops *loops = cuna__dft_loops(piece->line->base.want.is_double);
    int64_t half = piece->line->inner->want.n;
    if (piece->in == NULL)
        loops->untangle(piece->out, half, &piece->line->roots, first, last);
    else
        loops->tangle(piece->out, piece->in, half, &piece->line->roots, first, last);
}

static void do_line(const real *line, const char *in, char *out)
{
    struct piece piece = {line, in, out};
    int64_t count = line->inner->want.n / 2 + 1;
    if (line->base.is_parallel)
        cuna__cpu_threads_run(do_piece, &piece, count, PIECE);
    else
        do_piece(&piece, 0, count);
}

static void run_to_complex(const cuna_dft_line *base, const cuna_dft_block *block)
{
    const real *line = (const real *)base;
    cuna_dft_block inner = *block;
    inner.in_dist /= 2;
    line->inner->run(line->inner, &inner);
    for (int64_t j = 0; j < block->count; j++)
        do_line(line, NULL, block->out + j * block->out_dist * cuna__dft_out_nbytes(&base->want));
}

static int64_t tangled_nbytes(const real *line)
{
    return cuna__dft_align(line->inner->want.n * cuna__dft_in_nbytes(&line->inner->want));
}

static void run_to_real(const cuna_dft_line *base, const cuna_dft_block *block)
{
    const real *line = (const real *)base;
    int nbytes = cuna__dft_in_nbytes(&base->want);
    cuna_dft_block inner = *block;
    inner.in = block->scratch;
    inner.in_dist = tangled_nbytes(line) / nbytes;
    inner.out_dist /= 2;
    inner.scratch = block->scratch + base->lines * tangled_nbytes(line);
    for (int64_t j = 0; j < block->count; j++)
        do_line(line, block->in + j * block->in_dist * nbytes, block->scratch + j * tangled_nbytes(line));
    line->inner->run(line->inner, &inner);
}

cuna_dft_line *cuna__dft_halved_create(const cuna_dft_want *want, cuna_dft_line *inner)
{
    real *line = create(want, inner);
    if (line == NULL)
        return NULL;
    bool to_real = want->type == CUNA_DFT_TO_REAL;
    line->base.alignment = (int)cuna__max(inner->alignment, 2 * cuna__dft_real_nbytes(want));
    line->base.scratch_nbytes = (to_real ? line->base.lines * tangled_nbytes(line) : 0) + inner->scratch_nbytes;
    line->base.run = to_real ? run_to_real : run_to_complex;
    return &line->base;
}

/* ---- any length ---- */

static int64_t whole_nbytes(const real *line)
{
    return cuna__dft_align(line->base.want.n * cuna__dft_in_nbytes(&line->inner->want));
}

static void run_whole(const cuna_dft_line *base, const cuna_dft_block *block)
{
    const real *line = (const real *)base;
    const cuna_dft_loops *loops = cuna__dft_loops(base->want.is_double);
    int nbytes = cuna__dft_real_nbytes(&base->want) * 2;
    int64_t whole = whole_nbytes(line), n = base->want.n;
    bool to_real = base->want.type == CUNA_DFT_TO_REAL;
    char *from = block->scratch, *to = from + base->lines * whole;
    for (int64_t j = 0; j < block->count; j++) {
        const char *in = block->in + j * block->in_dist * cuna__dft_in_nbytes(&base->want);
        (to_real ? loops->mirror : loops->widen)(from + j * whole, in, n);
    }
    /* Scaled once: to real numbers by narrow(), otherwise by the inner transform. */
    line->inner->run(line->inner, &(cuna_dft_block){from, to, whole / nbytes, whole / nbytes, block->count,
                                                    to_real ? 1 : block->scale, to + base->lines * whole});
    for (int64_t j = 0; j < block->count; j++) {
        char *out = block->out + j * block->out_dist * cuna__dft_out_nbytes(&base->want);
        if (to_real)
            loops->narrow(out, to + j * whole, n, block->scale);
        else
            memcpy(out, to + j * whole, (size_t)((n / 2 + 1) * nbytes));
    }
}

cuna_dft_line *cuna__dft_widened_create(const cuna_dft_want *want, cuna_dft_line *inner)
{
    real *line = create(want, inner);
    if (line == NULL)
        return NULL;
    line->base.scratch_nbytes = 2 * line->base.lines * whole_nbytes(line) + inner->scratch_nbytes;
    line->base.run = run_whole;
    return &line->base;
}

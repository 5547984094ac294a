/* lanes.c: complex lines of small prime factors, as many side by side as a vector has numbers.
 *
 * The radices and the turns of all passes are made here; loops_text.h has the passes. Transforms back are those
 * forward with real and imaginary parts swapped on both sides. */
#include <stdlib.h>

#include "cpu/fft/line.h"
#include "cpu/fft/loops.h"

enum { LARGEST = 31, MOST_PASSES = 64 };

typedef struct lanes {
    cuna_dft_line base;
    int radices[MOST_PASSES]; /* 0 ends them */
    void *turns;
} lanes;

/* Takes as many factors 4 as there are, then the others; what is left of n. */
static int64_t factor(int *radices, int64_t n)
{
    int count = 0;
    for (int radix = 4; radix <= LARGEST; radix = radix == 4 ? 2 : radix == 2 ? 3 : radix + 2)
        for (; n % radix == 0; n /= radix)
            if (radices != NULL)
                radices[count++] = radix;
    return n;
}

bool cuna__dft_lanes_take(int64_t n)
{
    return factor(NULL, n) == 1;
}

static void put(const lanes *line, int64_t at, const cuna_dft_roots *roots, int64_t m)
{
    double root[2];
    cuna__dft_root(root, roots, m % roots->n);
    cuna__dft_loops(line->base.want.is_double)->put(line->turns, at, root[0], root[1]);
}

/* Fills in the turns, or only counts them while there is no room. */
static int64_t make_turns(const lanes *line, const cuna_dft_roots *roots)
{
    int64_t n = line->base.want.n, at = 0;
    for (int64_t m = n, pass = 0; line->radices[pass] != 0; pass++) {
        int r = line->radices[pass];
        int64_t step = n / m; /* from roots of m, which this pass is about, to those of n */
        for (int j = 0; r > 5 && j < r; j++, at++)
            if (line->turns != NULL)
                put(line, at, roots, n / r * j);
        m /= r;
        for (int64_t p = 0; p < m; p++)
            for (int k = 1; k < r; k++, at++)
                if (line->turns != NULL)
                    put(line, at, roots, step * p * k);
    }
    return at;
}

static void run(const cuna_dft_line *base, const cuna_dft_block *block)
{
    const lanes *line = (const lanes *)base;
    const cuna_dft_loops *loops = cuna__dft_loops(base->want.is_double);
    int nbytes = cuna__dft_in_nbytes(&base->want);
    for (int64_t j = 0; j < block->count; j += loops->lanes)
        loops->transform(block->in + j * block->in_dist * nbytes, block->in_dist,
                         block->out + j * block->out_dist * nbytes, block->out_dist,
                         (int)cuna__min(loops->lanes, block->count - j), base->want.n, line->radices, line->turns,
                         base->want.sign > 0, block->scale, block->scratch);
}

static void release(cuna_dft_line *base)
{
    free(((lanes *)base)->turns);
    free(base);
}

cuna_dft_line *cuna__dft_lanes_create(const cuna_dft_want *want)
{
    lanes *line = cuna__dft_line_allocate(sizeof *line, want);
    cuna_dft_roots roots;
    if (line == NULL || !cuna__dft_roots_make(&roots, want->n)) {
        free(line);
        return NULL;
    }
    const cuna_dft_loops *loops = cuna__dft_loops(want->is_double);
    factor(line->radices, want->n);
    line->base.scratch_nbytes = 4 * want->n * loops->lanes * cuna__dft_real_nbytes(want);
    line->base.run = run;
    line->base.release = release;
    line->turns = malloc((size_t)(make_turns(line, NULL) + 1) * 2 * (size_t)cuna__dft_real_nbytes(want));
    if (line->turns != NULL)
        make_turns(line, &roots);
    cuna__dft_roots_free(&roots);
    if (line->turns != NULL)
        return &line->base;
    free(line);
    return NULL;
}

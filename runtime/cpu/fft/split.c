/* split.c: long complex lines, as two axes.
 *
 * With n = a b, number a' b + b' of the line (a' < a, b' < b) and result a'' + a b'': the columns (all a' of one b') are
 * transformed, their results turned by b' a'', and then the rows of these are, whose results come a apart. Memory is read
 * and written twice. */
#include <stdlib.h>

#include "cpu/fft/pass.h"

typedef struct split {
    cuna_dft_line base;
    cuna_dft_line *columns, *rows;
    cuna_dft_roots roots;
} split;

static cuna_dft_pass columns_pass(const split *line)
{
    int64_t b = line->rows->want.n;
    return (cuna_dft_pass){.line = line->columns,
                           .in_stride = b,
                           .in_dist = 1,
                           .out_stride = b,
                           .out_dist = 1,
                           .count = b,
                           .runs = 1,
                           .scale = 1,
                           .turns = &line->roots};
}

static cuna_dft_pass rows_pass(const split *line)
{
    int64_t a = line->columns->want.n, b = line->rows->want.n;
    return (cuna_dft_pass){
        .line = line->rows, .in_stride = 1, .in_dist = b, .out_stride = a, .out_dist = 1, .count = a, .runs = 1};
}

static int64_t between_nbytes(const cuna_dft_want *want)
{
    return cuna__dft_align(want->n * cuna__dft_in_nbytes(want));
}

static void run_line(const split *line, const char *in, char *out, const cuna_dft_block *block)
{
    cuna_dft_pass columns = columns_pass(line), rows = rows_pass(line);
    char *between = block->scratch;
    columns.in = in;
    rows.in = columns.out = between;
    rows.out = out;
    rows.scale = block->scale;
    columns.work = rows.work = between + between_nbytes(&line->base.want);
    cuna__dft_pass_run(&columns);
    cuna__dft_pass_run(&rows);
}

static void run(const cuna_dft_line *base, const cuna_dft_block *block)
{
    int nbytes = cuna__dft_in_nbytes(&base->want);
    for (int64_t j = 0; j < block->count; j++)
        run_line((const split *)base, block->in + j * block->in_dist * nbytes,
                 block->out + j * block->out_dist * nbytes, block);
}

static void release(cuna_dft_line *base)
{
    split *line = (split *)base;
    cuna__dft_line_release(line->columns);
    cuna__dft_line_release(line->rows);
    cuna__dft_roots_free(&line->roots);
    free(line);
}

cuna_dft_line *cuna__dft_split_create(const cuna_dft_want *want, cuna_dft_line *columns, cuna_dft_line *rows)
{
    split *line = columns != NULL && rows != NULL ? cuna__dft_line_allocate(sizeof *line, want) : NULL;
    if (line == NULL || !cuna__dft_roots_make(&line->roots, want->n)) {
        cuna__dft_line_release(columns);
        cuna__dft_line_release(rows);
        free(line);
        return NULL;
    }
    line->columns = columns;
    line->rows = rows;
    /* Both passes use all threads for one line. They run one after the other and share their scratch. */
    line->base.lines = 1;
    line->base.is_parallel = true;
    cuna_dft_pass first = columns_pass(line), second = rows_pass(line);
    line->base.scratch_nbytes =
        between_nbytes(want) + cuna__max(cuna__dft_pass_nbytes(&first), cuna__dft_pass_nbytes(&second));
    line->base.run = run;
    line->base.release = release;
    return &line->base;
}

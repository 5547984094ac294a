/* pass.c: the lines of an array along one axis, transformed by all threads.
 *
 * Lines are taken in blocks, and threads take the next block that is left. Where numbers of a line do not lie side by side
 * (or the line's way wants its memory otherwise) the block's lines are first gathered into memory of the thread's own, which
 * stays in its cache: neighbouring lines together, so that what memory gives at once is used. Results go back the same
 * way. */
#include "cpu/fft/pass.h"

#include <stdatomic.h>
#include <string.h>

#include "cpu/execute/threads.h"
#include "cpu/fft/loops.h"

#define TILE        8     /* numbers of a line that are moved before the next line's */
#define FEW_NUMBERS 16384 /* that one thread does alone */

struct job {
    const cuna_dft_pass *pass;
    int64_t blocks; /* of a repeat */
    bool stages_in, stages_out;
    atomic_int_fast64_t next;
};

/* ---- between arrays and lines ---- */

struct wide {
    uint64_t at[2];
};

/* Where each line lies in the thread's memory: not a power of two apart, or lines would contend for the same places of
 * the cache. */
static int64_t staged_dist(int64_t length, int nbytes)
{
    return (cuna__dft_align(length * nbytes) + 64) / nbytes;
}

#define MOVE(name, type)                                                                                \
    static void name(const char *in, int64_t in_stride, int64_t in_dist, char *out, int64_t out_stride, \
                     int64_t out_dist, int64_t count, int64_t length)                                   \
    {                                                                                                   \
        const type *from = (const type *)in;                                                            \
        type *to = (type *)out;                                                                         \
        for (int64_t first = 0; first < length; first += TILE) {                                        \
            int64_t last = cuna__min(first + TILE, length);                                             \
            for (int64_t j = 0; j < count; j++)                                                         \
                for (int64_t i = first; i < last; i++)                                                  \
                    to[out_stride * i + out_dist * j] = from[in_stride * i + in_dist * j];              \
        }                                                                                               \
    }
MOVE(move_4, uint32_t)
MOVE(move_8, uint64_t)
MOVE(move_16, struct wide)

static void move(int nbytes, const char *in, int64_t in_stride, int64_t in_dist, char *out, int64_t out_stride,
                 int64_t out_dist, int64_t count, int64_t length)
{
    if (in_stride == 1 && out_stride == 1) {
        for (int64_t j = 0; j < count; j++)
            memcpy(out + nbytes * out_dist * j, in + nbytes * in_dist * j, (size_t)(nbytes * length));
        return;
    }
    switch (nbytes) {
    case 4:
        move_4(in, in_stride, in_dist, out, out_stride, out_dist, count, length);
        return;
    case 8:
        move_8(in, in_stride, in_dist, out, out_stride, out_dist, count, length);
        return;
    default:
        move_16(in, in_stride, in_dist, out, out_stride, out_dist, count, length);
    }
}

/* ---- memory of a thread ---- */

static bool is_direct(const cuna_dft_pass *pass, int64_t stride, int64_t dist, int64_t repeat, int nbytes)
{
    int alignment = pass->line->alignment;
    return stride == 1 && (pass->count == 1 || dist * nbytes % alignment == 0) &&
           (pass->repeats == 1 || repeat * nbytes % alignment == 0);
}

/* Whether lines are taken from where they lie, and results put to where they belong. */
static bool stays_in(const cuna_dft_pass *pass)
{
    return is_direct(pass, pass->in_stride, pass->in_dist, pass->in_repeat, cuna__dft_in_nbytes(&pass->line->want));
}

static bool stays_out(const cuna_dft_pass *pass)
{
    return is_direct(pass, pass->out_stride, pass->out_dist, pass->out_repeat, cuna__dft_out_nbytes(&pass->line->want));
}

static int64_t staged_in_nbytes(const cuna_dft_pass *pass)
{
    const cuna_dft_want *want = &pass->line->want;
    int nbytes = cuna__dft_in_nbytes(want);
    return stays_in(pass)
               ? 0
               : cuna__dft_align(pass->line->lines * staged_dist(cuna__dft_in_length(want), nbytes) * nbytes);
}

static int64_t staged_out_nbytes(const cuna_dft_pass *pass)
{
    const cuna_dft_want *want = &pass->line->want;
    int nbytes = cuna__dft_out_nbytes(want);
    return stays_out(pass)
               ? 0
               : cuna__dft_align(pass->line->lines * staged_dist(cuna__dft_out_length(want), nbytes) * nbytes);
}

static int64_t slot_nbytes(const cuna_dft_pass *pass)
{
    return staged_in_nbytes(pass) + staged_out_nbytes(pass) + cuna__dft_align(pass->line->scratch_nbytes);
}

int64_t cuna__dft_pass_nbytes(const cuna_dft_pass *pass)
{
    return slot_nbytes(pass) * (pass->line->is_parallel ? 1 : cuna__cpu_threads_count());
}

/* ---- blocks ---- */

static void turn(const cuna_dft_pass *pass, char *lines, int64_t dist, int64_t first, int64_t count)
{
    const cuna_dft_want *want = &pass->line->want;
    const cuna_dft_loops *loops = cuna__dft_loops(want->is_double);
    for (int64_t j = 0; j < count; j++)
        loops->turn(lines + j * dist * cuna__dft_out_nbytes(want), want->n, pass->turns, first + j, want->sign);
}

static void do_block(const struct job *job, int64_t number, char *slot)
{
    const cuna_dft_pass *pass = job->pass;
    const cuna_dft_line *line = pass->line;
    int64_t repeat = number / job->blocks, first = number % job->blocks * line->lines;
    int64_t count = cuna__min(line->lines, pass->count - first);
    int in_nbytes = cuna__dft_in_nbytes(&line->want), out_nbytes = cuna__dft_out_nbytes(&line->want);
    const char *in = pass->in + (repeat * pass->in_repeat + first * pass->in_dist) * in_nbytes;
    char *out = pass->out + (repeat * pass->out_repeat + first * pass->out_dist) * out_nbytes;
    char *staged_in = slot, *staged_out = slot + staged_in_nbytes(pass);
    cuna_dft_block block = {in, out, pass->in_dist, pass->out_dist, count, pass->scale, staged_out};
    block.scratch += staged_out_nbytes(pass);
    /* Lines whose elements lie apart are gathered into rows: a line of the cache serves all lines of the block. */
    if (job->stages_in) {
        block.in = staged_in;
        block.in_dist = staged_dist(cuna__dft_in_length(&line->want), in_nbytes);
        move(in_nbytes, in, pass->in_stride, pass->in_dist, staged_in, 1, block.in_dist, count,
             cuna__dft_in_length(&line->want));
    }
    if (job->stages_out) {
        block.out = staged_out;
        block.out_dist = staged_dist(cuna__dft_out_length(&line->want), out_nbytes);
    }
    line->run(line, &block);
    if (pass->turns != NULL)
        turn(pass, block.out, block.out_dist, first, count);
    if (job->stages_out)
        move(out_nbytes, staged_out, 1, block.out_dist, out, pass->out_stride, pass->out_dist, count,
             cuna__dft_out_length(&line->want));
}

/* Items are threads: each has a slot of the memory, and takes blocks while there are any. */
static void do_blocks(void *data, int64_t first, int64_t last)
{
    struct job *job = data;
    int64_t nblocks = job->blocks * job->pass->repeats, number;
    for (int64_t item = first; item < last; item++)
        while ((number = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < nblocks)
            do_block(job, number, job->pass->work + item * slot_nbytes(job->pass));
}

void cuna__dft_pass_run(const cuna_dft_pass *pass)
{
    const cuna_dft_line *line = pass->line;
    struct job job = {.pass = pass, .blocks = cuna__ceil_div(pass->count, line->lines)};
    job.stages_in = !stays_in(pass);
    job.stages_out = !stays_out(pass);
    bool alone = line->is_parallel || line->want.n * pass->count * pass->repeats < FEW_NUMBERS;
    int64_t threads = alone ? 1 : cuna__min(cuna__cpu_threads_count(), job.blocks * pass->repeats);
    cuna__cpu_threads_run(do_blocks, &job, threads, 1);
}

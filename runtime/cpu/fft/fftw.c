/* fftw.c: FFTW, opened when the cpu device is first asked for a Fourier transform, and lines by it.
 *
 * Its planner is one for all threads and works behind a lock; plans may run in any. Plans are estimated: to
 * measure one takes longer than most programs have (of 1000 numbers 64 ms, for 2.0 us a line instead of 3.2 in a batch of
 * complex64, 4.4 instead of 6.6 of complex128). All of a line's work is FFTW's but the factor. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "cpu/fft/line.h"
#include "cpu/fft/loops.h"
#include "seam/library.h"

enum { FFTW_PRESERVE_INPUT = 16, FFTW_ESTIMATE = 64, ALIGNMENT = 16 };

#define INSTALL                                                                                               \
    "install it (apt-get install libfftw3-double3 libfftw3-single3), or name the folder of its libraries in " \
    "CUNA_FFTW"

/* One precision's library. Numbers are void: all that is done with them here is to pass them on. */
typedef struct fftw {
    cuna_library library;
    void *(*plan_complex)(int n, void *in, void *out, int sign, unsigned flags);
    void *(*plan_to_complex)(int n, void *in, void *out, unsigned flags);
    void *(*plan_to_real)(int n, void *in, void *out, unsigned flags);
    void (*run[3])(void *plan, void *in, void *out); /* by type */
    void (*destroy)(void *plan);
} fftw;

static fftw libraries[2]; /* of float and double */

/* What the environment asks for: nothing ("off"), a folder, or what the loader finds. */
static void search(cuna_library *out, const char *stem)
{
    const char *asked = cuna__environment_text("CUNA_FFTW");
    char first[500], second[60];
    if (asked != NULL && strcmp(asked, "off") != 0) {
        snprintf(first, sizeof first, "%.400s/%s.so.3", asked, stem);
        cuna__library_search(out, "", (const char *const[]){first, NULL});
    } else {
        snprintf(first, sizeof first, "%s.so.3", stem);
        snprintf(second, sizeof second, "%s.so", stem);
        cuna__library_search(out, "CUNA_FFTW", (const char *const[]){first, second, NULL});
    }
}

static cuna_status open_library(fftw *out, const char *stem, const char *prefix)
{
    static const char *const suffixes[] = {"plan_dft_1d",     "plan_dft_r2c_1d", "plan_dft_c2r_1d", "execute_dft",
                                           "execute_dft_r2c", "execute_dft_c2r", "destroy_plan"};
    enum { COUNT = sizeof suffixes / sizeof *suffixes };
    void *const places[COUNT] = {&out->plan_complex, &out->plan_to_complex, &out->plan_to_real, &out->run[0],
                                 &out->run[1],       &out->run[2],          &out->destroy};
    char symbols[COUNT][40];
    cuna_symbol rows[COUNT];
    search(&out->library, stem);
    if (out->library.handle == NULL)
        return cuna_fail(CUNA_DEVICE, "no FFTW: %s; " INSTALL, out->library.words);
    for (int i = 0; i < COUNT; i++) {
        snprintf(symbols[i], sizeof symbols[i], "%s_%s", prefix, suffixes[i]);
        rows[i] = (cuna_symbol){symbols[i], places[i]};
    }
    const char *lacking = cuna__library_bind(&out->library, rows, COUNT);
    return lacking == NULL ? CUNA_OK
                           : cuna_fail(CUNA_DEVICE, "no FFTW: %s has no %s; " INSTALL, out->library.name, lacking);
}

static cuna_status open_libraries(void)
{
    CUNA_TRY(open_library(&libraries[1], "libfftw3", "fftw"));
    return open_library(&libraries[0], "libfftw3f", "fftwf");
}

cuna_status cuna__dft_fftw_open(void)
{
    static cuna_opening opening = CUNA_OPENING;
    return cuna__library_once(&opening, open_libraries);
}

const char *cuna__dft_fftw_describe(bool *found)
{
    static char words[1100];
    *found = cuna__dft_fftw_open() == CUNA_OK;
    if (!*found)
        return cuna_message();
    snprintf(words, sizeof words, "%s and %s", libraries[1].library.name, libraries[0].library.name);
    return words;
}

typedef struct planned {
    cuna_dft_line base;
    const fftw *library;
    void *plan, *in_place; /* the latter for complex lines alone */
} planned;

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static void run(const cuna_dft_line *base, const cuna_dft_block *block)
{
    const planned *line = (const planned *)base;
    const cuna_dft_want *want = &base->want;
    const cuna_dft_loops *loops = cuna__dft_loops(want->is_double);
    int64_t parts = cuna__dft_out_length(want) * cuna__dft_out_nbytes(want) / cuna__dft_real_nbytes(want);
    int64_t in_nbytes = block->in_dist * cuna__dft_in_nbytes(want);
    int64_t out_nbytes = block->out_dist * cuna__dft_out_nbytes(want);
    void *plan = block->in == block->out ? line->in_place : line->plan;
    for (int64_t j = 0; j < block->count; j++) {
        char *out = block->out + j * out_nbytes;
        line->library->run[want->type](plan, (char *)(uintptr_t)block->in + j * in_nbytes, out);
        if (block->scale != 1)
            loops->scale(out, parts, block->scale);
    }
}

static void release(cuna_dft_line *base)
{
    planned *line = (planned *)base;
    pthread_mutex_lock(&planner);
    if (line->plan != NULL)
        line->library->destroy(line->plan);
    if (line->in_place != NULL)
        line->library->destroy(line->in_place);
    pthread_mutex_unlock(&planner);
    free(line);
}

/* What is estimated does not look at memory, but at how it lies. */
static void *make_plan(const fftw *library, const cuna_dft_want *want, bool in_place)
{
    static _Alignas(64) char memory[2][64];
    unsigned flags = FFTW_ESTIMATE | FFTW_PRESERVE_INPUT;
    void *plan, *in = memory[0], *out = memory[in_place ? 0 : 1];
    pthread_mutex_lock(&planner);
    switch (want->type) {
    case CUNA_DFT_COMPLEX:
        plan = library->plan_complex((int)want->n, in, out, want->sign, FFTW_ESTIMATE);
        break;
    case CUNA_DFT_TO_COMPLEX:
        plan = library->plan_to_complex((int)want->n, in, out, flags);
        break;
    default:
        plan = library->plan_to_real((int)want->n, in, out, flags);
    }
    pthread_mutex_unlock(&planner);
    return plan;
}

cuna_dft_line *cuna__dft_fftw_create(const cuna_dft_want *want)
{
    const fftw *library = &libraries[want->is_double];
    planned *line = want->n <= INT32_MAX ? cuna__dft_line_allocate(sizeof *line, want) : NULL; /* FFTW counts in int */
    if (line == NULL)
        return NULL;
    bool is_complex = want->type == CUNA_DFT_COMPLEX;
    line->library = library;
    line->plan = make_plan(library, want, false);
    /* A plan of FFTW is either for one memory or for two, and complex lines come as both. */
    line->in_place = is_complex ? make_plan(library, want, true) : NULL;
    line->base.alignment = ALIGNMENT;
    line->base.run = run;
    line->base.release = release;
    if (line->plan != NULL && (line->in_place != NULL || !is_complex))
        return &line->base;
    release(&line->base);
    return NULL;
}

/* rand.c: the table of cuRAND, for CUDA devices and for the cpu device.
 *
 * cuRAND's host generators need neither a GPU nor a driver, so the cpu device uses them if the library is installed;
 * they run immediately, or when a captured stream's graph runs. */
#include "seam/rand.h"

#include <stdlib.h>

#include "base/environment.h"
#include "cpu/execute/enqueue.h"
#include "cuda/library.h"
#include "cuda/rand.h"

enum { NEWEST_MAJOR = 12, MAJOR_BELOW = -2 }; /* libcurand.so.10 is that of CUDA 12 and 13 alike */

static struct {
#define ROW(symbol, field, parameters) int(*field) parameters;
    CUNA_CURAND_ROWS(ROW)
#undef ROW
} curand;

static const cuna_symbol symbols[] = {
#define ROW(symbol, field, parameters) {symbol, &curand.field},
    CUNA_CURAND_ROWS(ROW)
#undef ROW
};

static cuna_status open_library(void)
{
    cuna_library library;
    const char *lacking = NULL;
    if (cuna__environment_text("CUNA_CURAND") != NULL)
        cuna__library_search(&library, "CUNA_CURAND", NULL);
    else
        cuna__library_toolkit(&library, "libcurand", MAJOR_BELOW, NEWEST_MAJOR);
    if (library.handle != NULL)
        lacking = cuna__library_bind(&library, symbols, sizeof symbols / sizeof *symbols);
    if (library.handle != NULL && lacking == NULL)
        return CUNA_OK;
    return cuna_fail(CUNA_DEVICE,
                     "RandomState: no cuRAND: %s%s%s; install the CUDA toolkit's libcurand, or take the method PHILOX",
                     lacking != NULL ? library.name : library.words, lacking != NULL ? " has no " : "",
                     lacking != NULL ? lacking : "");
}

static int fill(const cuna_rand_fill *f)
{
    switch (f->kind) {
    case CUNA_RAND_BITS32:
        return curand.curand_generate(f->generator, f->out, f->count);
    case CUNA_RAND_BITS64:
        return curand.curand_generate_long_long(f->generator, f->out, f->count);
    case CUNA_RAND_UNIFORM32:
        return curand.curand_generate_uniform(f->generator, f->out, f->count);
    case CUNA_RAND_UNIFORM64:
        return curand.curand_generate_uniform_double(f->generator, f->out, f->count);
    case CUNA_RAND_NORMAL32:
        return curand.curand_generate_normal(f->generator, f->out, f->count, 0, 1);
    case CUNA_RAND_NORMAL64:
        return curand.curand_generate_normal_double(f->generator, f->out, f->count, 0, 1);
    }
    return 0;
}

/* ---- CUDA devices ---- */

static int create(void **generator, int method)
{
    return curand.curand_create(generator, method);
}

static int destroy(void *generator)
{
    return curand.curand_destroy(generator);
}

static int set_stream(void *generator, cu_stream stream)
{
    return curand.curand_set_stream(generator, stream);
}

static int set_seed(void *generator, unsigned long long seed)
{
    return curand.curand_set_seed(generator, seed);
}

static int set_offset(void *generator, unsigned long long offset)
{
    return curand.curand_set_offset(generator, offset);
}

static int set_dimensions(void *generator, unsigned dimensions)
{
    return curand.curand_set_dimensions(generator, dimensions);
}

static int seed(void *generator)
{
    return curand.curand_generate_seeds(generator);
}

static int fill_on(cu_stream stream, const cuna_rand_fill *f)
{
    (void)stream; /* the generator's */
    return fill(f);
}

/* ---- the cpu device ---- */

static int create_host(void **generator, int method)
{
    return curand.curand_create_host(generator, method);
}

static int set_no_stream(void *generator, cu_stream stream)
{
    (void)generator, (void)stream;
    return 0;
}

static cu_result fill_later(const void *arguments)
{
    return fill(arguments);
}

static int fill_host(cu_stream stream, const cuna_rand_fill *f)
{
    return cuna__cpu_enqueue(stream, fill_later, f, sizeof *f);
}

static const cuna_rand tables[] = {
    {create, destroy, set_stream, set_seed, set_offset, set_dimensions, seed, fill_on},
    {create_host, destroy, set_no_stream, set_seed, set_offset, set_dimensions, seed, fill_host},
};

cuna_status cuna__rand_cuda(const cuna_rand **out, bool host_memory)
{
    static cuna_opening opening = CUNA_OPENING;
    *out = &tables[host_memory];
    return cuna__library_once(&opening, open_library);
}

bool cuna__rand_is_memory(int status)
{
    return status == CURAND_STATUS_ALLOCATION_FAILED;
}

bool cuna__rand_is_preexisting(int status)
{
    return status == CURAND_STATUS_PREEXISTING_FAILURE;
}

const char *cuna__rand_describe(int status)
{
    static const struct {
        int status;
        const char *name;
    } names[] = {{100, "CURAND_STATUS_VERSION_MISMATCH"},
                 {101, "CURAND_STATUS_NOT_INITIALIZED"},
                 {CURAND_STATUS_ALLOCATION_FAILED, "CURAND_STATUS_ALLOCATION_FAILED"},
                 {103, "CURAND_STATUS_TYPE_ERROR"},
                 {104, "CURAND_STATUS_OUT_OF_RANGE"},
                 {105, "CURAND_STATUS_LENGTH_NOT_MULTIPLE"},
                 {106, "CURAND_STATUS_DOUBLE_PRECISION_REQUIRED"},
                 {201, "CURAND_STATUS_LAUNCH_FAILURE"},
                 {CURAND_STATUS_PREEXISTING_FAILURE, "CURAND_STATUS_PREEXISTING_FAILURE"},
                 {203, "CURAND_STATUS_INITIALIZATION_FAILED"},
                 {204, "CURAND_STATUS_ARCH_MISMATCH"},
                 {999, "CURAND_STATUS_INTERNAL_ERROR"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    return "an unknown status";
}

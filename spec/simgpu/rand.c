/* rand.c: cuRAND simulated: all pseudo-random methods make Philox' numbers, all others a van der Corput sequence; what is
 * checked is how they are asked for.
 *
 * Numbers of a seed go on from call to call. A device's generator writes device memory on its stream, a host's at once. */
#include <math.h>
#include <string.h>

#include "cuda/rand.h"
#include "simgpu.h"

enum {
    NOT_INITIALIZED = 101,
    ALLOCATION_FAILED = 102,
    TYPE_ERROR = 103,
    OUT_OF_RANGE = 104,
    LENGTH_NOT_MULTIPLE = 105,
    LAUNCH_FAILURE = 201,
};

enum { SOBOL32 = 201, SOBOL64 = 203, LAST = 204, PHILOX = 161, MOST_DIMENSIONS = 20000 };

struct generator {
    struct simgpu_handle handle;
    int method;
    bool on_host;
    cu_stream stream;
    unsigned long long seed, offset;
    unsigned dimensions;
};

enum kind { BITS32, BITS64, UNIFORM32, UNIFORM64, NORMAL32, NORMAL64 };

/* A call's work; numbers are functions of all this. */
struct work {
    enum kind kind;
    bool is_quasi;
    unsigned long long seed, offset;
    unsigned dimensions;
    void *out;
    size_t count;
    double mean, deviation;
};

static const size_t sizes[] = {4, 8, 4, 8, 4, 8};

/* Element i of Philox4x32-10 in the order of cuRAND: 65536 sequences of counters, four words at a time. */
static uint32_t philox(unsigned long long seed, unsigned long long i)
{
    uint32_t c[4] = {(uint32_t)(i / 262144), 0, (uint32_t)(i % 262144 / 4), 0};
    uint32_t k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)0xD2511F53 * c[0], q = (uint64_t)0xCD9E8D57 * c[2];
        uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q, (uint32_t)(p >> 32) ^ c[3] ^ k[1],
                            (uint32_t)p};
        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    return c[i % 4];
}

/* The bits of a number's place, the last one first. */
static uint64_t reversed(unsigned long long i)
{
    uint64_t word = 0;
    for (int k = 0; k < 64; k++)
        word |= (uint64_t)(i >> k & 1) << (63 - k);
    return word;
}

static uint64_t word_of(const struct work *w, size_t i)
{
    size_t each = w->count / w->dimensions;
    if (w->is_quasi)
        return reversed(w->offset + i % each);
    unsigned long long at = w->offset + i;
    return (uint64_t)philox(w->seed, 2 * at) << 32 | philox(w->seed, at);
}

static double uniform(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53 + 0x1p-53;
}

/* Where the normal distribution reaches u: quasi-random numbers keep their order. */
static double quantile(double u)
{
    double low = -9, high = 9;
    for (int step = 0; step < 60; step++) {
        double middle = (low + high) / 2;
        if (erfc(-middle * 0.7071067811865476) / 2 < u)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double normal(const struct work *w, size_t i)
{
    if (w->is_quasi)
        return w->mean + w->deviation * quantile(uniform(word_of(w, i)));
    double u = uniform(word_of(w, i & ~(size_t)1)), v = uniform(word_of(w, i | 1)) * 6.283185307179586;
    return w->mean + w->deviation * sqrt(-2 * log(u)) * (i % 2 ? cos(v) : sin(v));
}

static cu_result make(const void *arguments)
{
    const struct work *w = arguments;
    for (size_t i = 0; i < w->count; i++) {
        void *at = (char *)w->out + i * sizes[w->kind];
        switch (w->kind) {
        case BITS32:
            *(uint32_t *)at = (uint32_t)(w->is_quasi ? word_of(w, i) >> 32 : word_of(w, i));
            break;
        case BITS64:
            *(uint64_t *)at = word_of(w, i);
            break;
        case UNIFORM32: /* as cuRAND rounds it: above 0 */
            *(float *)at = (float)(uint32_t)(w->is_quasi ? word_of(w, i) >> 32 : word_of(w, i)) * 0x1p-32f + 0x1p-33f;
            break;
        case UNIFORM64:
            *(double *)at = uniform(word_of(w, i));
            break;
        case NORMAL32:
            *(float *)at = (float)normal(w, i);
            break;
        case NORMAL64:
            *(double *)at = normal(w, i);
            break;
        }
    }
    return CU_SUCCESS;
}

static struct generator *find(const struct simgpu_call *call, void *handle)
{
    return simgpu__handle_here(SIMGPU_GENERATORS, handle, call->context);
}

static int create(struct simgpu_context *context, void **out, int method, bool on_host)
{
    static const int methods[] = {100, 101, 121, 141, 142, PHILOX, 200, SOBOL32, 202, SOBOL64, LAST};
    bool known = false;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        known = known || methods[i] == method;
    if (!known || out == NULL)
        return TYPE_ERROR;
    struct generator *made = simgpu__handle_create(SIMGPU_GENERATORS, context, sizeof *made);
    if (made == NULL)
        return ALLOCATION_FAILED;
    made->method = method;
    made->on_host = on_host;
    made->dimensions = 1;
    *out = made;
    return 0;
}

cu_result simgpu__row_curand_create(void **generator, int method)
{
    SIMGPU_ENTER_LIBRARY(curand_create, LAUNCH_FAILURE);
    return create(call.context, generator, method, false);
}

/* A generator of the host needs no device. */
cu_result simgpu__row_curand_create_host(void **generator, int method)
{
    SIMGPU_ENTER(curand_create_host, SIMGPU_NEED_NOTHING);
    return create(call.context, generator, method, true);
}

cu_result simgpu__row_curand_destroy(void *generator)
{
    SIMGPU_ENTER(curand_destroy, SIMGPU_NEED_NOTHING);
    if (find(&call, generator) == NULL)
        return NOT_INITIALIZED;
    simgpu__handle_destroy(generator);
    return 0;
}

cu_result simgpu__row_curand_set_stream(void *generator, cu_stream stream)
{
    SIMGPU_ENTER_LIBRARY(curand_set_stream, LAUNCH_FAILURE);
    struct generator *found = find(&call, generator);
    if (found == NULL || found->on_host)
        return NOT_INITIALIZED;
    found->stream = stream;
    return 0;
}

cu_result simgpu__row_curand_set_seed(void *generator, unsigned long long seed)
{
    SIMGPU_ENTER(curand_set_seed, SIMGPU_NEED_NOTHING);
    struct generator *found = find(&call, generator);
    if (found == NULL || found->method >= 200)
        return found == NULL ? NOT_INITIALIZED : TYPE_ERROR;
    found->seed = seed;
    found->offset = 0;
    return 0;
}

cu_result simgpu__row_curand_set_offset(void *generator, unsigned long long offset)
{
    SIMGPU_ENTER(curand_set_offset, SIMGPU_NEED_NOTHING);
    struct generator *found = find(&call, generator);
    if (found == NULL || found->method == 141 || found->method == 142)
        return found == NULL ? NOT_INITIALIZED : TYPE_ERROR;
    found->offset = offset;
    return 0;
}

cu_result simgpu__row_curand_set_dimensions(void *generator, unsigned dimensions)
{
    SIMGPU_ENTER(curand_set_dimensions, SIMGPU_NEED_NOTHING);
    struct generator *found = find(&call, generator);
    if (found == NULL || found->method < 200)
        return found == NULL ? NOT_INITIALIZED : TYPE_ERROR;
    if (dimensions < 1 || dimensions > MOST_DIMENSIONS)
        return OUT_OF_RANGE;
    found->dimensions = dimensions;
    return 0;
}

cu_result simgpu__row_curand_generate_seeds(void *generator)
{
    SIMGPU_ENTER(curand_generate_seeds, SIMGPU_NEED_NOTHING);
    return find(&call, generator) != NULL ? 0 : NOT_INITIALIZED;
}

/* Queues numbers, or makes them at once on the host. */
static int generate(const struct simgpu_call *call, struct generator *g, struct work work)
{
    bool is_quasi = g != NULL && g->method >= 200;
    bool pairs = (work.kind == NORMAL32 || work.kind == NORMAL64) && !is_quasi;
    if (g == NULL)
        return NOT_INITIALIZED;
    if (work.kind == BITS64 ? g->method < SOBOL64 : work.kind == BITS32 && g->method >= SOBOL64)
        return TYPE_ERROR;
    if (work.count % (pairs ? 2 : g->dimensions) != 0)
        return LENGTH_NOT_MULTIPLE;
    work.is_quasi = is_quasi;
    work.seed = g->seed;
    work.offset = g->offset;
    work.dimensions = g->dimensions;
    /* Now, not when the work runs: numbers go on in the order of the calls. */
    g->offset += work.count / g->dimensions;
    if (g->on_host)
        return make(&work);
    if (!simgpu__library_holds(call, work.out, work.count * sizes[work.kind]))
        return LAUNCH_FAILURE;
    return simgpu__library_work(call, g->stream, make, &work, sizeof work) == CU_SUCCESS ? 0 : LAUNCH_FAILURE;
}

/* A host generator's numbers need no context, a device's need one that lives. */
#define GENERATE(field, what)                                                             \
    SIMGPU_ENTER(field, SIMGPU_NEED_NOTHING);                                             \
    struct generator *found = find(&call, generator);                                     \
    if (found != NULL && !found->on_host && (call.context == NULL || call.context->dead)) \
        return LAUNCH_FAILURE;                                                            \
    return generate(&call, found, (struct work)what)
#define WORK(...)   \
    {               \
        __VA_ARGS__ \
    }

cu_result simgpu__row_curand_generate(void *generator, unsigned *out, size_t count)
{
    GENERATE(curand_generate, WORK(.kind = BITS32, .out = out, .count = count));
}

cu_result simgpu__row_curand_generate_long_long(void *generator, unsigned long long *out, size_t count)
{
    GENERATE(curand_generate_long_long, WORK(.kind = BITS64, .out = out, .count = count));
}

cu_result simgpu__row_curand_generate_uniform(void *generator, float *out, size_t count)
{
    GENERATE(curand_generate_uniform, WORK(.kind = UNIFORM32, .out = out, .count = count));
}

cu_result simgpu__row_curand_generate_uniform_double(void *generator, double *out, size_t count)
{
    GENERATE(curand_generate_uniform_double, WORK(.kind = UNIFORM64, .out = out, .count = count));
}

cu_result simgpu__row_curand_generate_normal(void *generator, float *out, size_t count, float mean, float deviation)
{
    GENERATE(curand_generate_normal,
             WORK(.kind = NORMAL32, .out = out, .count = count, .mean = mean, .deviation = deviation));
}

cu_result simgpu__row_curand_generate_normal_double(void *generator, double *out, size_t count, double mean,
                                                    double deviation)
{
    GENERATE(curand_generate_normal_double,
             WORK(.kind = NORMAL64, .out = out, .count = count, .mean = mean, .deviation = deviation));
}

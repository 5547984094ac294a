/* curand.c: cuRAND's generators, whose numbers fill arrays on streams. */
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "device/context.h"
#include "device/trace.h"
#include "seam/rand.h"

typedef struct method {
    const char *name;
    int number;
    bool is_quasi;
} method;

static const method methods[] = {
#define ROW(name, number, is_quasi) {name, number, is_quasi},
    CUNA_RAND_METHODS(ROW)
#undef ROW
};

struct cuna_curand {
    cuna_device *device;
    const cuna_rand *table;
    const method *method;
    void *handle;
};

static cuna_status judge(cuna_device *device, int status, const char *what)
{
    if (status == 0)
        return CUNA_OK;
    bool is_short = cuna__device_is_short(device, cuna__rand_is_memory, status);
    CUNA_TRY(cuna__stream_check_life(&device->streams.base, "RandomState"));
    return cuna_fail(is_short ? CUNA_MEMORY : CUNA_DEVICE, "RandomState: cuRAND's %s on %s returned %s (%d)", what,
                     device->name, cuna__rand_describe(status), status);
}

/* What failed for want of memory is found once more by the next call, which forgets it: then that call is made again. */
#define past_failures(call)                                  \
    __extension__({                                          \
        int found_ = (call);                                 \
        cuna__rand_is_preexisting(found_) ? (call) : found_; \
    })

/* Does a call, once more in room that was made; `what` names what it is for. */
#define check(device, call, what) \
    judge(device, CUNA_LIBRARY_CALL(device, cuna__rand_is_memory, past_failures(call)), what)

static const method *find_method(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

static cuna_status prepare(cuna_curand *generator, int dimensions)
{
    const cuna_rand *table = generator->table;
    CUNA_TRY(check(generator->device, table->create(&generator->handle, generator->method->number), "generator"));
    if (generator->method->is_quasi && dimensions != 1)
        CUNA_TRY(
            check(generator->device, table->set_dimensions(generator->handle, (unsigned)dimensions), "dimensions"));
    return CUNA_OK;
}

cuna_status cuna_curand_create(cuna_curand **out, cuna_device *device, const char *name, int dimensions)
{
    const method *found = find_method(name);
    const cuna_rand *table;
    if (found == NULL)
        return cuna_fail(CUNA_VALUE, "RandomState: there is no method \"%s\"", name);
    CUNA_TRY(cuna__rand_cuda(&table, device->driver->facts.host_memory));
    CUNA_TRY(cuna__device_enter(device));
    cuna_curand *generator = calloc(1, sizeof *generator);
    if (generator == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a generator");
    *generator = (cuna_curand){device, table, found, NULL};
    cuna_status status = prepare(generator, dimensions);
    if (status == CUNA_OK)
        *out = generator;
    else
        cuna_curand_destroy(generator);
    return status;
}

void cuna_curand_destroy(cuna_curand *generator)
{
    if (generator->handle != NULL && cuna__device_make_current(generator->device) == CUNA_OK)
        generator->table->destroy(generator->handle);
    free(generator);
}

cuna_status cuna_curand_seed(cuna_curand *generator, uint64_t seed, uint64_t offset)
{
    const cuna_rand *table = generator->table;
    CUNA_TRY(cuna__device_enter(generator->device));
    if (!generator->method->is_quasi)
        CUNA_TRY(check(generator->device, table->set_seed(generator->handle, seed), "seed"));
    if (offset != 0 || generator->method->is_quasi)
        CUNA_TRY(check(generator->device, table->set_offset(generator->handle, offset), "offset"));
    return check(generator->device, table->seed(generator->handle), "seeds");
}

/* What cuRAND calls numbers of an array's dtype. */
static cuna_status find_kind(cuna_rand_kind *kind, cuna_curand_draw draw, cuna_dtype dtype)
{
    static const struct {
        cuna_curand_draw draw;
        cuna_dtype dtype;
        cuna_rand_kind kind;
    } rows[] = {
        {CUNA_CURAND_BITS, CUNA_UINT32, CUNA_RAND_BITS32},
        {CUNA_CURAND_BITS, CUNA_UINT64, CUNA_RAND_BITS64},
        {CUNA_CURAND_UNIFORM, CUNA_FLOAT32, CUNA_RAND_UNIFORM32},
        {CUNA_CURAND_UNIFORM, CUNA_FLOAT64, CUNA_RAND_UNIFORM64},
        {CUNA_CURAND_NORMAL, CUNA_FLOAT32, CUNA_RAND_NORMAL32},
        {CUNA_CURAND_NORMAL, CUNA_FLOAT64, CUNA_RAND_NORMAL64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].draw == draw && rows[i].dtype == dtype) {
            *kind = rows[i].kind;
            return CUNA_OK;
        }
    return cuna_fail(CUNA_VALUE, "RandomState: cuRAND makes no such numbers of dtype %s", cuna_dtype_name(dtype));
}

cuna_status cuna_curand_fill(cuna_context *context, cuna_curand *generator, cuna_curand_draw draw,
                             const cuna_array *out)
{
    cuna_device *device = NULL;
    cuna_rand_kind kind = CUNA_RAND_BITS32;
    CUNA_TRY(cuna__array_use_device(&device, out, "RandomState"));
    CUNA_TRY(find_kind(&kind, draw, out->dtype));
    if (device != generator->device || (out->flags & CUNA_ARRAY_CONTIGUOUS) == 0)
        return cuna_fail(CUNA_VALUE, "RandomState: a generator fills contiguous arrays of its own device");
    /* A rehearsal must not advance the generator. */
    if (out->size == 0 || context->rehearsal != NULL)
        return CUNA_OK;
    cuna_stream *stream = cuna__context_stream(context, device);
    cuna_rand_fill fill = {generator->handle, kind, (void *)(uintptr_t)cuna__array_data(out), (size_t)out->size};
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__array_claim(context, stream, out));
    /* At each call, because the context's current stream may be another one now. */
    CUNA_TRY(check(device, generator->table->set_stream(generator->handle, stream->handle), "stream"));
    int64_t trace = cuna__trace_begin(CUNA_TRACE_LAUNCH, generator->method->name, stream, 0);
    cuna_status status = check(device, generator->table->fill(stream->handle, &fill), "numbers");
    cuna__trace_end(trace, stream);
    return status;
}

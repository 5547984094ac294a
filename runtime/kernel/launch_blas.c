/* launch_blas.c: calls of a device's BLAS: its handle, the context's stream, and a workspace if the call needs one. */
#include "kernel/launch_blas.h"

#include "device/trace.h"

/* A call under way. */
typedef struct calling {
    cuna_context *context;
    cuna_device *device;
    const char *name;
    const cuna_blas *blas;
    cuna_block *workspace; /* NULL: the library wants none */
    cuna_blas_call call;
    int64_t trace;
} calling;

static cuna_status get_table(const cuna_blas **out, cuna_device *device, const char *name)
{
    *out = device->driver->facts.blas;
    cuna_status status = (*out)->open();
    return status == CUNA_OK ? CUNA_OK : cuna_fail(status, "%s: %s", name, cuna_message());
}

static cuna_status check(const calling *c, int result, bool is_short)
{
    if (result == 0)
        return CUNA_OK;
    CUNA_TRY(cuna__stream_check_life(cuna__context_stream(c->context, c->device), c->name));
    return cuna_fail(is_short ? CUNA_MEMORY : CUNA_DEVICE, "%s: %s on %s returned %s", c->name, c->blas->name,
                     c->device->name, c->blas->describe(result));
}

/* Of a call that prepares. */
static cuna_status prepared(const calling *c, int result)
{
    return check(c, result, cuna__device_is_short(c->device, c->blas->is_memory, result));
}

/* A library takes memory for a handle, and no capture allows that. */
static cuna_status get_handle(calling *c)
{
    const cuna_stream *stream = cuna__context_stream(c->context, c->device);
    if (cuna__device_has_handle(&c->call.handle, c->device, CUNA_HANDLE_BLAS))
        return CUNA_OK;
    if (stream->capture != NULL && c->device->driver->facts.asynchronous)
        return cuna_fail(CUNA_VALUE,
                         "%s: the first product on %s starts %s, which no capture can; multiply any matrices before",
                         c->name, c->device->name, c->blas->name);
    int result =
        CUNA_LIBRARY_CALL(c->device, c->blas->is_memory,
                          cuna__device_make_handle(&c->call.handle, c->device, CUNA_HANDLE_BLAS, c->blas->create));
    return prepared(c, result);
}

static cuna_status check_sizes(const calling *c, const int64_t *sizes, int count)
{
    for (int i = 0; i < count; i++)
        if (sizes[i] > c->blas->largest)
            return cuna_fail(CUNA_VALUE, "%s: %s counts to %lld, and these matrices have a length of %lld", c->name,
                             c->blas->name, (long long)c->blas->largest, (long long)sizes[i]);
    return CUNA_OK;
}

/* What comes before the row is called, for sizes that the library must count to. */
static cuna_status begin(calling *c, const int64_t *sizes, int count)
{
    cuna_stream *stream = cuna__context_stream(c->context, c->device);
    CUNA_TRY(get_table(&c->blas, c->device, c->name));
    CUNA_TRY(check_sizes(c, sizes, count));
    CUNA_TRY(cuna__device_enter(c->device));
    CUNA_TRY(get_handle(c));
    c->call.stream = stream->handle;
    return CUNA_OK;
}

static cuna_status take_workspace(calling *c, int64_t nbytes)
{
    if (nbytes > 0) {
        CUNA_TRY(cuna__workspace_take(&c->workspace, c->context, c->device, nbytes));
        c->call.workspace = c->workspace->ptr;
    }
    c->trace = cuna__trace_begin(CUNA_TRACE_LAUNCH, c->name, cuna__context_stream(c->context, c->device), 0);
    return CUNA_OK;
}

/* And after it. */
static cuna_status end(const calling *c, int result)
{
    cuna_stream *stream = cuna__context_stream(c->context, c->device);
    cuna__trace_end(c->trace, stream);
    if (c->workspace != NULL)
        cuna__workspace_give_back(c->context, c->device, c->workspace);
    CUNA_TRY(check(c, result, result != 0 && c->blas->is_memory(result)));
    return cuna__device_note_launch(c->context, stream, c->name);
}

cuna_status cuna__blas_gemm(cuna_context *context, cuna_device *device, const char *name, const cuna_blas_gemm *product)
{
    const cuna_blas_gemm *p = product;
    const int64_t sizes[] = {p->m, p->n, p->k, p->lda, p->ldb, p->ldc};
    int64_t nbytes = 0;
    calling c = {.context = context, .device = device, .name = name};
    if (context->rehearsal != NULL)
        return CUNA_OK;
    CUNA_TRY(begin(&c, sizes, sizeof sizes / sizeof *sizes));
    CUNA_TRY(
        prepared(&c, CUNA_LIBRARY_CALL(device, c.blas->is_memory, c.blas->gemm_size(c.call.handle, product, &nbytes))));
    CUNA_TRY(take_workspace(&c, nbytes));
    return end(&c, CUNA_IN_PLACE_CALL(device, c.blas->is_memory, c.blas->gemm(&c.call, product)));
}

cuna_status cuna__blas_trsm(cuna_context *context, cuna_device *device, const char *name, const cuna_blas_trsm *system)
{
    const int64_t sizes[] = {system->m, system->n, system->lda, system->ldb};
    calling c = {.context = context, .device = device, .name = name};
    if (context->rehearsal != NULL)
        return CUNA_OK;
    CUNA_TRY(begin(&c, sizes, sizeof sizes / sizeof *sizes));
    CUNA_TRY(take_workspace(&c, c.blas->trsm_nbytes));
    return end(&c, CUNA_IN_PLACE_CALL(device, c.blas->is_memory, c.blas->trsm(&c.call, system)));
}

/* lapack_run.c: from an operation of LAPACK to calls of the device's library.
 *
 * A table does one matrix at a time, and of some operations a whole stack (its fact `longest`). Where it does neither,
 * operations are made of others here: the inverse of an identity that is solved for, Cholesky's solution of two triangles,
 * a stack of its matrices one by one. Small matrices of some devices have kernels of cuna's own. */
#include <stdio.h>
#include <stdlib.h>

#include "device/context.h"
#include "device/trace.h"
#include "kernel/launch.h"
#include "kernel/launch_blas.h"
#include "work/lapack.h"

#define MOST_SIDES 128 /* right sides of small matrices, which a team takes one after another */

/* ---- one call ---- */

static cuna_status fail_call(const cuna__lapack_request *r, int answer, bool is_short)
{
    const cuna_lapack *table = r->device->driver->facts.lapack;
    CUNA_TRY(cuna__stream_check_life(cuna__context_stream(r->context, r->device), r->name));
    return cuna_fail(is_short ? CUNA_MEMORY : CUNA_DEVICE, "%s: %s on %s returned %s (%s of %s)", r->name, table->name,
                     r->device->name, table->describe(answer), r->operation, cuna_dtype_name(r->call.dtype));
}

static cuna_status judge_preparation(const cuna__lapack_request *r, int answer)
{
    const cuna_lapack *table = r->device->driver->facts.lapack;
    return answer == 0 ? CUNA_OK : fail_call(r, answer, cuna__device_is_short(r->device, table->is_memory, answer));
}

/* A library takes memory for a handle, and no capture allows that. */
static cuna_status get_handle(void **out, const cuna__lapack_request *r)
{
    const cuna_lapack *table = r->device->driver->facts.lapack;
    const cuna_stream *stream = cuna__context_stream(r->context, r->device);
    if (cuna__device_has_handle(out, r->device, CUNA_HANDLE_LAPACK))
        return CUNA_OK;
    if (stream->capture != NULL && r->device->driver->facts.asynchronous)
        return cuna_fail(
            CUNA_VALUE,
            "%s: the first factorisation on %s starts %s, which no capture can; factorise any matrix before", r->name,
            r->device->name, table->name);
    CUNA_TRY(cuna__device_enter(r->device));
    int answer = CUNA_LIBRARY_CALL(r->device, table->is_memory,
                                   cuna__device_make_handle(out, r->device, CUNA_HANDLE_LAPACK, table->create));
    return judge_preparation(r, answer);
}

static cuna_status check_capture(const cuna__lapack_request *r, const cuna_lapack_call *call)
{
    const cuna_lapack *table = r->device->driver->facts.lapack;
    if (cuna__context_stream(r->context, r->device)->capture == NULL || !(table->waits >> call->op & 1))
        return CUNA_OK;
    return cuna_fail(CUNA_VALUE, "%s: %s waits for the device while it works, which no capture can; do it before",
                     r->name, table->name);
}

cuna_status cuna__lapack_claim(const cuna__lapack_request *r, int count, const cuna_array *more)
{
    cuna_stream *stream = cuna__context_stream(r->context, r->device);
    CUNA_TRY(cuna__device_enter(r->device));
    for (int i = 0; i < r->narrays; i++)
        CUNA_TRY(cuna__array_claim(r->context, stream, r->arrays[i]));
    for (int i = 0; i < count; i++)
        CUNA_TRY(cuna__array_claim(r->context, stream, &more[i]));
    return r->info != NULL ? cuna__array_claim(r->context, stream, r->info) : CUNA_OK;
}

/* Calls the table for each of some matrices, or once for all: `times` and what lies between them. */
static cuna_status call_table(const cuna__lapack_request *r, void *handle, const cuna_lapack_call *call, int64_t times)
{
    const cuna_lapack *table = r->device->driver->facts.lapack;
    cuna_stream *stream = cuna__context_stream(r->context, r->device);
    cuna_lapack_call each = *call;
    int answer = 0;
    int64_t trace = cuna__trace_begin(CUNA_TRACE_LAUNCH, r->name, stream, 0);
    for (int64_t i = 0; answer == 0 && i < times; i++) {
        answer = CUNA_IN_PLACE_CALL(r->device, table->is_memory, table->run(handle, stream->handle, &each));
        *r->began |= answer == 0;
        for (int k = 0; k < CUNA_LAPACK_OPERANDS; k++)
            each.at[k] += each.at[k] != 0 ? (uint64_t)each.nbytes[k] : 0;
        each.info += each.info != 0 ? sizeof(int32_t) : 0;
    }
    cuna__trace_end(trace, stream);
    return answer == 0 ? cuna__device_note_launch(r->context, stream, r->name)
                       : fail_call(r, answer, table->is_memory(answer));
}

/* `call` is of one matrix, and done `times` times, or of a stack. */
static cuna_status give(const cuna__lapack_request *r, cuna_lapack_call *call, int64_t times, int count,
                        const cuna_array *more)
{
    const cuna_lapack *table = r->device->driver->facts.lapack;
    void *handle;
    cuna_block *block = NULL;
    CUNA_TRY(get_handle(&handle, r));
    CUNA_TRY(check_capture(r, call));
    CUNA_TRY(cuna__device_enter(r->device));
    /* All memory is there before the library begins: a failure up to then leaves the operands as they were, and the caller
     * may collect garbage and try again. */
    int answer = CUNA_LIBRARY_CALL(r->device, table->is_memory, table->measure(handle, call));
    CUNA_TRY(judge_preparation(r, answer));
    if (call->workspace_nbytes > 0)
        CUNA_TRY(cuna__workspace_take(&block, r->context, r->device, call->workspace_nbytes));
    call->workspace = block != NULL ? block->ptr : 0;
    call->host = call->host_nbytes > 0 ? malloc((size_t)call->host_nbytes) : NULL;
    cuna_status status = call->host_nbytes > 0 && call->host == NULL
                             ? cuna_fail(CUNA_MEMORY, "%s: the host has no memory left for a workspace", r->name)
                             : cuna__lapack_claim(r, count, more);
    if (status == CUNA_OK)
        status = call_table(r, handle, call, times);
    free(call->host);
    if (block != NULL)
        cuna__workspace_give_back(r->context, r->device, block);
    return status;
}

static cuna_status open_table(const cuna__lapack_request *r)
{
    char words[1600];
    const cuna_lapack *table = r->device->driver->facts.lapack;
    cuna_status status = table->open();
    if (status == CUNA_OK)
        return CUNA_OK;
    snprintf(words, sizeof words, "%s", cuna_message());
    return cuna_fail(status, "%s: %s", r->name, words);
}

cuna_status cuna__lapack_give(const cuna__lapack_request *r, cuna_lapack_call *call, int count, const cuna_array *more)
{
    return r->context->rehearsal != NULL ? CUNA_OK : give(r, call, 1, count, more);
}

/* ---- operations made of others ---- */

/* The same request for another operation over some of its arrays. */
static cuna__lapack_request become(const cuna__lapack_request *r, cuna_lapack_op op, const char *options)
{
    cuna__lapack_request other = *r;
    other.call.op = op;
    for (size_t i = 0; i < sizeof other.call.options; i++)
        other.call.options[i] = i < 3 && options[i] != '\0' ? options[i] : '\0';
    return other;
}

static cuna_status invert(const cuna__lapack_request *r)
{
    cuna__lapack_request solving = become(r, CUNA_LAPACK_getrs, "N\0\0");
    solving.call.k = solving.call.n;
    CUNA_TRY(cuna__lapack_identity(r, r->arrays[2]));
    return cuna__lapack_run(&solving);
}

/* l l^H x = b, or u^H u x = b. */
static cuna_status solve_triangles(const cuna__lapack_request *r)
{
    bool lower = r->call.options[0] == 'L';
    cuna__lapack_request first = become(r, CUNA_LAPACK_trsm, lower ? "LNN" : "UCN");
    cuna__lapack_request second = become(r, CUNA_LAPACK_trsm, lower ? "LCN" : "UNN");
    CUNA_TRY(cuna__lapack_run(&first));
    return cuna__lapack_run(&second);
}

static cuna_status solve_by_blas(const cuna__lapack_request *r)
{
    const cuna_lapack_call *c = &r->call;
    cuna_blas_trsm system = {.dtype = c->dtype,
                             .side = CUNA_BLAS_LEFT,
                             .fill = c->options[0] == 'U' ? CUNA_BLAS_UPPER : CUNA_BLAS_LOWER,
                             .op = c->options[1] == 'N'   ? CUNA_BLAS_N
                                   : c->options[1] == 'T' ? CUNA_BLAS_T
                                                          : CUNA_BLAS_C,
                             .unit_diagonal = c->options[2] == 'U',
                             .m = c->n,
                             .n = c->k,
                             .a = c->at[0],
                             .b = c->at[1],
                             .lda = c->n,
                             .ldb = c->n,
                             .alpha = {1, 0}};
    CUNA_TRY(cuna__lapack_claim(r, 0, NULL));
    for (int64_t i = 0; i < c->batch; i++) {
        CUNA_TRY(cuna__blas_trsm(r->context, r->device, r->name, &system));
        *r->began = true; /* a solution overwrites its right side: the same call would solve it twice */
        system.a += (uint64_t)c->nbytes[0];
        system.b += (uint64_t)c->nbytes[1];
    }
    return CUNA_OK;
}

static cuna_status run_one_by_one(const cuna__lapack_request *r)
{
    cuna_lapack_call call = r->call;
    int64_t times = call.batch;
    if (r->context->rehearsal != NULL)
        return CUNA_OK;
    call.batch = 1;
    return give(r, &call, times, 0, NULL);
}

bool cuna__lapack_is_stacked(const cuna_lapack *table, cuna_lapack_op op, int64_t batch, int64_t m, int64_t n)
{
    bool suits = m == n || !(table->squares >> op & 1);
    return batch > 1 && suits && cuna__max(m, n) <= table->longest[op];
}

cuna_status cuna__lapack_run(const cuna__lapack_request *r)
{
    const cuna_lapack *table = r->device->driver->facts.lapack;
    cuna_lapack_op op = r->call.op;
    if (cuna__lapack_is_small(table, op, r->call.dtype, r->call.m, r->call.n) && r->call.k <= MOST_SIDES)
        return op == CUNA_LAPACK_potrs ? solve_triangles(r) : cuna__lapack_run_small(r);
    if (r->context->rehearsal == NULL)
        CUNA_TRY(open_table(r));
    int64_t length = cuna__max(r->call.m, r->call.n);
    bool lacks = table->lacks >> op & 1;
    /* One call for a stack is fastest; then come operations made of others, then matrices one by one. */
    if (cuna__lapack_is_stacked(table, op, r->call.batch, r->call.m, r->call.n))
        return cuna__lapack_run_stack(r);
    if (op == CUNA_LAPACK_getri && lacks)
        return invert(r);
    if (op == CUNA_LAPACK_potrs && r->call.batch > 1 && length <= table->longest[CUNA_LAPACK_trsm])
        return solve_triangles(r);
    if (op == CUNA_LAPACK_trsm && lacks)
        return solve_by_blas(r);
    if (lacks)
        return cuna_fail(CUNA_DEVICE, "%s: this %s has no %s; install that of CUDA 12.6 or newer", r->name, table->name,
                         r->operation);
    return run_one_by_one(r);
}

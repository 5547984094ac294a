/* comm.c: communicators: calls that are compared among ranks before data move.
 *
 * A call begins when its signature is on the board and has been compared, and ends when its transfer is done. One that
 * fails ends all communication: the ranks no longer know what the others have done. */
#include "comm/comm.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "array/array.h"
#include "base/interrupt.h"
#include "comm/board.h"
#include "comm/nccl.h"
#include "device/context.h"
#include "device/trace.h"

cuna_job cuna__job;

#define SPINS           200  /* before a waiting rank gives its processor to others */
#define YIELDS          8192 /* before one whose others are late sleeps: some milliseconds */
#define NAP_NS          50000
#define COMPARED_AT_ALL 64 /* calls with arrays of GPUs; then those whose number is a power of two */

/* ---- failures ---- */

cuna_status cuna__comm_judge(int code, const char *name)
{
    char words[600];
    if (code == CUNA_COMM_OK)
        return CUNA_OK;
    if (code == CUNA_COMM_NO_MEMORY)
        return cuna_fail(CUNA_MEMORY, "%s: the host has no memory left for requests", name);
    cuna__job.engine->describe(words, sizeof words, code);
    return cuna_fail(CUNA_DEVICE, "%s: %s", name, words);
}

cuna_status cuna__comm_fail(cuna_status status)
{
    if (!cuna__job.failed)
        snprintf(cuna__job.dead, sizeof cuna__job.dead, "%s", cuna_message());
    cuna__job.failed = true;
    cuna__board_leave();
    return status;
}

#define TRY(call)                                    \
    do {                                             \
        cuna_status status_ = (call);                \
        if (__builtin_expect(status_ != CUNA_OK, 0)) \
            return cuna__comm_fail(status_);         \
    } while (0)

/* Between two looks at what others do. */
static cuna_status wait_a_little(int spins)
{
    if (cuna_is_interrupted())
        return cuna_interrupt_fail();
    if (spins > SPINS)
        sched_yield();
    return CUNA_OK;
}

/* The same for ranks that may be late, as they compile: launchers bind a rank to a processor, and its compilers with it,
 * which get no time beside a thread that only yields. */
static cuna_status wait_for_others(int spins)
{
    if (spins > YIELDS)
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    return wait_a_little(spins);
}

cuna_status cuna__comm_complete(cuna_comm_pending *pending, const char *name)
{
    bool done = false;
    int code = cuna__job.engine->test(&done, pending);
    for (int spins = 0; !done; spins++) {
        CUNA_TRY(wait_a_little(spins));
        code = cuna__job.engine->test(&done, pending);
    }
    return cuna__comm_judge(code, name);
}

/* ---- calls ---- */

static cuna_status compare(cuna_comm *comm, const cuna_comm_signature *signature)
{
    cuna_comm_check check;
    bool done = false;
    check.pending = (cuna_comm_pending){.count = 0};
    int code = cuna__check_start(comm, signature, &check);
    for (int spins = 0; !done && code == CUNA_COMM_OK; spins++) {
        if (spins > 0)
            CUNA_TRY(wait_for_others(spins));
        code = cuna__check_test(comm, &done, &check);
    }
    CUNA_TRY(cuna__comm_judge(code, signature->name));
    return check.agrees ? CUNA_OK : cuna__check_explain(comm, signature);
}

void cuna_comm_end(cuna_comm *comm)
{
    (void)comm;
    cuna__board_leave();
}

/* All ranks that did the same so far come to the same answer. */
static bool is_compared(cuna_comm *comm, const cuna_comm_signature *signature)
{
    int64_t number = signature->on_device ? ++comm->device_calls : 0;
    return cuna__comm_compares(comm) &&
           (number <= COMPARED_AT_ALL || cuna__job.checks == CUNA_CHECKS_ALL || (number & (number - 1)) == 0);
}

cuna_status cuna_comm_begin(cuna_comm *comm, cuna_comm_signature *signature)
{
    CUNA_TRY(cuna__comm_check_alive());
    signature->number = ++comm->calls;
    memcpy(comm->name, signature->name, sizeof comm->name);
    if (signature->on_device)
        comm->signature = *signature;
    bool is_message = signature->is_message;
    cuna__board_enter(signature, is_message && signature->peer >= 0 ? comm->ranks[signature->peer] : -1);
    if (is_message) {
        TRY(cuna__request_hear(comm, signature->peer));
        return CUNA_OK;
    }
    TRY(cuna__request_begin_all(comm));
    if (is_compared(comm, signature))
        TRY(compare(comm, signature));
    return CUNA_OK;
}

cuna_status cuna_comm_numbers(cuna_comm *comm, int64_t *out, const int64_t *in, int count)
{
    int64_t *counts = calloc((size_t)comm->size, sizeof *counts);
    if (counts == NULL)
        TRY(cuna_fail(CUNA_MEMORY, "the host has no memory left"));
    for (int r = 0; r < comm->size; r++)
        counts[r] = count;
    const cuna_comm_work work = {
        .kind = CUNA_COMM_ALL_GATHER, .dtype = CUNA_INT64, .in = in, .out = out, .count = count, .out_counts = counts};
    int code = cuna__job.engine->run(comm->talk, &work);
    free(counts);
    TRY(cuna__comm_judge(code, comm->name));
    return CUNA_OK;
}

cuna_status cuna_comm_share_header(cuna_comm *comm, cuna_comm_header *header, int root)
{
    cuna_comm_work work = cuna__comm_header_work(CUNA_COMM_BROADCAST, header, root);
    TRY(cuna__comm_judge(cuna__job.engine->run(comm->talk, &work), comm->name));
    return CUNA_OK;
}

cuna_status cuna_comm_receive_header(cuna_comm *comm, cuna_comm_header *out, const cuna_array *expected, int from)
{
    cuna_comm_work work = cuna__comm_header_work(CUNA_COMM_RECV, out, from);
    cuna_comm_pending pending = {.count = 0};
    TRY(cuna__comm_judge(cuna__job.engine->start(comm->data, &work, &pending), comm->name));
    TRY(cuna__comm_complete(&pending, comm->name));
    if (expected != NULL)
        TRY(cuna__comm_check_header(comm, comm->name, out, expected, from));
    return CUNA_OK;
}

/* ---- transfers ---- */

static cuna_status address_of(void **out, cuna_context *context, const cuna_array *array)
{
    *out = NULL;
    if (array == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna_array_host(out, context, array));
    return *out != NULL || array->size == 0
               ? CUNA_OK
               : cuna_fail(CUNA_VALUE, "distributed: the array's memory is not the host's");
}

cuna_status cuna__comm_prepare(cuna_comm_work *out, cuna_context *context, const cuna_comm_call *call)
{
    const cuna_array *array = call->in != NULL ? call->in : call->out;
    void *in, *to;
    CUNA_TRY(address_of(&in, context, call->in));
    CUNA_TRY(address_of(&to, context, call->out));
    *out = (cuna_comm_work){.kind = call->kind,
                            .op = call->op,
                            .dtype = array != NULL ? (cuna_dtype)array->dtype : CUNA_UINT8,
                            .apart = call->apart,
                            .peer = call->peer,
                            .tag = CUNA_COMM_TAG_DATA,
                            .in = in,
                            .out = to,
                            .count = array != NULL ? array->size : 0,
                            .in_counts = call->in_counts,
                            .out_counts = call->out_counts};
    return CUNA_OK;
}

cuna_comm_work cuna__comm_header_work(cuna_comm_kind kind, cuna_comm_header *header, int peer)
{
    return (cuna_comm_work){.kind = kind,
                            .dtype = CUNA_INT64,
                            .peer = peer,
                            .tag = CUNA_COMM_TAG_HEADER,
                            .in = kind == CUNA_COMM_RECV ? NULL : header,
                            .out = header,
                            .count = sizeof *header / sizeof(int64_t)};
}

void cuna__comm_describe(cuna_comm_header *out, const cuna_array *array)
{
    memset(out, 0, sizeof *out);
    out->dtype = array->dtype;
    out->ndim = array->ndim;
    cuna__copy_lengths(out->shape, cuna_array_shape(array), array->ndim);
}

cuna_status cuna__comm_check_header(const cuna_comm *comm, const char *name, const cuna_comm_header *got,
                                    const cuna_array *out, int from)
{
    cuna_comm_header own;
    char sent[256], expected[256];
    cuna__comm_describe(&own, out);
    if (memcmp(&own, got, sizeof own) == 0)
        return CUNA_OK;
    cuna__shape_text(sent, sizeof sent, (int)got->ndim, got->shape);
    cuna__shape_text(expected, sizeof expected, (int)own.ndim, own.shape);
    return cuna_fail(CUNA_VALUE, "%s: rank %d sent %s %s, and rank %d expects %s %s", name, comm->ranks[from],
                     cuna_dtype_name((cuna_dtype)got->dtype), sent, comm->ranks[comm->rank],
                     cuna_dtype_name((cuna_dtype)own.dtype), expected);
}

/* Messages wait where the user can interrupt. */
static cuna_status run_message(cuna_comm *comm, const cuna_comm_call *call, const cuna_comm_work *work)
{
    cuna_comm_header header;
    cuna_comm_pending pending = {.count = 0};
    int code = 0;
    if (call->kind == CUNA_COMM_SEND) {
        cuna__comm_describe(&header, call->in);
        cuna_comm_work first = cuna__comm_header_work(CUNA_COMM_SEND, &header, call->peer);
        code = cuna__job.engine->start(comm->data, &first, &pending);
    }
    if (code == 0)
        code = cuna__job.engine->start(comm->data, work, &pending);
    CUNA_TRY(cuna__comm_judge(code, comm->name));
    return cuna__comm_complete(&pending, comm->name);
}

static cuna_status run_on_host(cuna_comm *comm, cuna_context *context, const cuna_comm_call *call)
{
    cuna_comm_work work;
    cuna_status status;
    CUNA_TRY(cuna__comm_prepare(&work, context, call));
    const cuna_array *array = call->in != NULL ? call->in : call->out;
    cuna_stream *stream = array != NULL ? cuna__context_stream(context, array->buffer->device) : NULL;
    int64_t trace = stream != NULL ? cuna__trace_begin(CUNA_TRACE_TRANSFER, comm->name, stream,
                                                       work.count * cuna_dtype_size(work.dtype))
                                   : -1;
    if (call->kind == CUNA_COMM_SEND || call->kind == CUNA_COMM_RECV)
        status = run_message(comm, call, &work);
    else
        status = cuna__comm_judge(cuna__job.engine->run(comm->data, &work), comm->name);
    cuna__trace_end(trace, stream);
    return status;
}

/* Whether the arrays of a call are of a GPU that the host does not reach. */
static bool is_on_device(const cuna_comm_call *call)
{
    const cuna_array *array = call->in != NULL ? call->in : call->out;
    return array != NULL && array->buffer != NULL && !array->buffer->device->driver->facts.host_memory;
}

cuna_status cuna_comm_run(cuna_comm *comm, cuna_context *context, const cuna_comm_call *call)
{
    TRY(is_on_device(call) ? cuna__nccl_run(comm, context, call, 1) : run_on_host(comm, context, call));
    cuna__board_leave();
    return CUNA_OK;
}

cuna_status cuna_comm_run_together(cuna_comm *comm, cuna_context *context, const cuna_comm_call *calls, int count)
{
    TRY(cuna__nccl_run(comm, context, calls, count));
    cuna__board_leave();
    return CUNA_OK;
}

cuna_status cuna_comm_run_bytes(cuna_comm *comm, const cuna_comm_call *call, void *out, const void *in, int64_t count)
{
    const cuna_comm_work work = {.kind = call->kind,
                                 .dtype = CUNA_UINT8,
                                 .peer = call->peer,
                                 .in = in,
                                 .out = out,
                                 .count = count,
                                 .out_counts = call->out_counts};
    TRY(cuna__comm_judge(cuna__job.engine->run(comm->data, &work), comm->name));
    cuna__board_leave();
    return CUNA_OK;
}

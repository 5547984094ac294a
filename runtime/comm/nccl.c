/* nccl.c: calls whose arrays are on this rank's GPU.
 *
 * NCCL's communicator is made at the first call that needs it, by all ranks: what they find each other by is broadcast by
 * the engine, with the status of the rank that made it. A call claims its arrays on the context's stream, and returns when
 * it was given to that: nothing waits for the GPU. */
#include "comm/nccl.h"

#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "device/context.h"
#include "device/trace.h"

cuna_status cuna__nccl_judge(int code, const cuna_nccl *nccl, void *comm, cuna_stream *stream, const char *name)
{
    if (code == 0)
        return CUNA_OK;
    CUNA_TRY(cuna__stream_check_life(stream, name));
    const char *words = nccl->get_last_error != NULL ? nccl->get_last_error(comm) : NULL;
    return cuna_fail(CUNA_DEVICE, "%s: %s%s%.500s", name, cuna__nccl_describe(code),
                     words != NULL && *words != '\0' ? ": " : "", words != NULL ? words : "");
}

/* ---- communicators ---- */

typedef struct invitation {
    int64_t code;
    cuna_nccl_id id;
} invitation;

static cuna_status invite(invitation *out, cuna_comm *comm)
{
    const cuna_comm_work share = {
        .kind = CUNA_COMM_BROADCAST, .dtype = CUNA_UINT8, .in = out, .out = out, .count = sizeof *out};
    memset(out, 0, sizeof *out);
    if (comm->rank == 0)
        out->code = cuna__job.nccl->nccl_get_unique_id(&out->id);
    return cuna__comm_judge(cuna__job.engine->run(comm->talk, &share), comm->name);
}

static cuna_status make(cuna_comm *comm, cuna_stream *stream)
{
    const cuna_nccl *nccl = cuna__job.nccl;
    invitation first;
    if (stream->capture != NULL)
        return cuna_fail(CUNA_VALUE,
                         "%s: the first call with arrays of a GPU starts NCCL, which no capture can; make one before",
                         comm->name);
    CUNA_TRY(invite(&first, comm));
    CUNA_TRY(cuna__nccl_judge((int)first.code, nccl, NULL, stream, comm->name));
    CUNA_TRY(cuna__nccl_judge(nccl->nccl_comm_init_rank(&comm->nccl, comm->size, first.id, comm->rank), nccl, NULL,
                              stream, comm->name));
    cuna__flight_watch(comm->nccl);
    return CUNA_OK;
}

/* Nothing of it is under way: the call that frees a communicator is compared, and its work waited for. */
void cuna__nccl_release(cuna_comm *comm)
{
    if (comm->nccl == NULL)
        return;
    cuna__flight_finish();
    cuna__flight_unwatch(comm->nccl);
    if (cuna__device_enter(cuna__job.device) == CUNA_OK)
        cuna__job.nccl->nccl_comm_destroy(comm->nccl);
    comm->nccl = NULL;
}

/* ---- calls ---- */

static cuna_status claim(void **out, cuna_context *context, cuna_stream *stream, const cuna_array *array,
                         const char *name)
{
    cuna_device *device = stream->device;
    *out = NULL;
    if (array == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__array_use_device(&device, array, name));
    if ((array->flags & CUNA_ARRAY_CONTIGUOUS) == 0)
        return cuna_fail(CUNA_VALUE, "%s: the array is not contiguous", name);
    CUNA_TRY(cuna__array_claim(context, stream, array));
    *out = (void *)(uintptr_t)cuna__array_data(array);
    return CUNA_OK;
}

cuna_status cuna__nccl_prepare(cuna_comm_work *out, cuna_context *context, cuna_stream *stream,
                               const cuna_comm_call *call)
{
    const cuna_array *array = call->in != NULL ? call->in : call->out;
    void *in, *to;
    CUNA_TRY(cuna__device_enter(stream->device));
    if (call->out != NULL)
        CUNA_TRY(cuna__array_change(call->out));
    CUNA_TRY(claim(&in, context, stream, call->in, "distributed"));
    CUNA_TRY(claim(&to, context, stream, call->out, "distributed"));
    *out = (cuna_comm_work){.kind = call->kind,
                            .op = call->op,
                            .dtype = (cuna_dtype)array->dtype,
                            .peer = call->peer,
                            .in = in,
                            .out = to,
                            .count = array->size,
                            .in_counts = call->in_counts,
                            .out_counts = call->out_counts};
    return CUNA_OK;
}

/* The only rank's results are its own elements. */
static cuna_status copy(cuna_context *context, const cuna_comm_call *calls, int count)
{
    for (int i = 0; i < count; i++) {
        const cuna_comm_call *call = &calls[i];
        if (call->in != NULL && call->out != NULL && call->in != call->out)
            CUNA_TRY(cuna_array_copy(context, call->out, call->in));
    }
    return CUNA_OK;
}

/* A status of NCCL's, which begins several transfers at the end of their group. */
static int give(const cuna_nccl_member *member, const cuna_comm_work *works, int count)
{
    const cuna_nccl *nccl = cuna__job.nccl;
    int code = count > 1 ? nccl->nccl_group_start() : 0;
    if (code != 0)
        return code;
    for (int i = 0; i < count && code == 0; i++)
        code = cuna__nccl_transfer(nccl, member, &works[i]);
    int ended = count > 1 ? nccl->nccl_group_end() : 0;
    return code != 0 ? code : ended;
}

static cuna_status run(cuna_comm *comm, cuna_context *context, cuna_stream *stream, cuna_comm_work *works,
                       const cuna_comm_call *calls, int count)
{
    int64_t nbytes = 0;
    for (int i = 0; i < count; i++) {
        CUNA_TRY(cuna__nccl_prepare(&works[i], context, stream, &calls[i]));
        nbytes += works[i].count * cuna_dtype_size(works[i].dtype);
    }
    if (comm->nccl == NULL)
        CUNA_TRY(make(comm, stream));
    const cuna_nccl_member member = {comm->nccl, comm->rank, comm->size, stream->handle};
    int64_t trace = cuna__trace_begin(CUNA_TRACE_TRANSFER, comm->name, stream, nbytes);
    int code = give(&member, works, count);
    cuna__trace_end(trace, stream);
    CUNA_TRY(cuna__nccl_judge(code, cuna__job.nccl, comm->nccl, stream, comm->name));
    CUNA_TRY(cuna__flight_add(stream, &comm->signature));
    return cuna__device_note_launch(context, stream, comm->name);
}

cuna_status cuna__nccl_run(cuna_comm *comm, cuna_context *context, const cuna_comm_call *calls, int count)
{
    cuna_comm_work few[4], *works = few;
    if (cuna__job.nccl == NULL)
        return copy(context, calls, count);
    if (count > (int)(sizeof few / sizeof *few))
        works = malloc((size_t)count * sizeof *works);
    if (works == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left");
    cuna_status status = run(comm, context, cuna__context_stream(context, cuna__job.device), works, calls, count);
    if (works != few)
        free(works);
    return status;
}

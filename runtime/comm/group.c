/* group.c: GPUs of one process that transfer to each other by NCCL.
 *
 * A call has a transfer for each GPU; all of them begin together, each in the context's stream there. */
#include <stdlib.h>

#include "array/array.h"
#include "comm/nccl.h"
#include "device/context.h"
#include "device/trace.h"

struct cuna_comm_group {
    const cuna_nccl *nccl;
    int size;
    cuna_device *devices[CUNA_MAX_DEVICES];
    void *comms[CUNA_MAX_DEVICES];
};

cuna_status cuna_comm_group_create(cuna_comm_group **out, cuna_device *const *devices, int count)
{
    const cuna_nccl *nccl;
    int ordinals[CUNA_MAX_DEVICES];
    CUNA_TRY(cuna__nccl_open(&nccl));
    for (int i = 0; i < count; i++) {
        CUNA_TRY(cuna__device_enter(devices[i]));
        ordinals[i] = devices[i]->handle;
    }
    cuna_comm_group *group = calloc(1, sizeof *group);
    if (group == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left");
    group->nccl = nccl;
    group->size = count;
    for (int i = 0; i < count; i++)
        group->devices[i] = devices[i];
    int code = nccl->nccl_comm_init_all(group->comms, count, ordinals);
    cuna_status status = cuna__nccl_judge(code, nccl, NULL, &devices[0]->streams.base, "distributed.group");
    if (status != CUNA_OK)
        free(group);
    else
        *out = group;
    return status;
}

/* Work that is under way is waited for. */
void cuna_comm_group_destroy(cuna_comm_group *group)
{
    for (int i = 0; i < group->size; i++)
        if (cuna__device_enter(group->devices[i]) == CUNA_OK)
            cuna__streams_wait(group->devices[i]);
    for (int i = 0; i < group->size; i++)
        if (cuna__device_enter(group->devices[i]) == CUNA_OK)
            group->nccl->nccl_comm_destroy(group->comms[i]);
    free(group);
}

bool cuna_comm_group_carries(cuna_comm_kind kind, cuna_comm_op op, cuna_dtype dtype)
{
    return cuna__nccl_has(kind, op, dtype);
}

/* Gives all transfers to NCCL; a status of NCCL's. */
static int give(const cuna_comm_group *group, cuna_stream *const *streams, const cuna_comm_work *works)
{
    int code = group->nccl->nccl_group_start();
    if (code != 0)
        return code;
    for (int i = 0; i < group->size && code == 0; i++) {
        const cuna_nccl_member member = {group->comms[i], i, group->size, streams[i]->handle};
        code = cuna__nccl_transfer(group->nccl, &member, &works[i]);
    }
    int ended = group->nccl->nccl_group_end();
    return code != 0 ? code : ended;
}

cuna_status cuna_comm_group_run(cuna_comm_group *group, cuna_context *context, const char *name,
                                const cuna_comm_call *calls)
{
    cuna_comm_work works[CUNA_MAX_DEVICES];
    cuna_stream *streams[CUNA_MAX_DEVICES];
    int64_t traces[CUNA_MAX_DEVICES];
    if (context->rehearsal != NULL)
        return CUNA_OK;
    for (int i = 0; i < group->size; i++) {
        streams[i] = cuna__context_stream(context, group->devices[i]);
        CUNA_TRY(cuna__nccl_prepare(&works[i], context, streams[i], &calls[i]));
    }
    for (int i = 0; i < group->size; i++) {
        CUNA_TRY(cuna__device_enter(group->devices[i]));
        traces[i] =
            cuna__trace_begin(CUNA_TRACE_TRANSFER, name, streams[i], works[i].count * cuna_dtype_size(works[i].dtype));
    }
    int code = give(group, streams, works);
    for (int i = 0; i < group->size; i++) {
        CUNA_TRY(cuna__device_enter(group->devices[i]));
        cuna__trace_end(traces[i], streams[i]);
        CUNA_TRY(cuna__nccl_judge(code, group->nccl, group->comms[i], streams[i], name));
        CUNA_TRY(cuna__device_note_launch(context, streams[i], name));
    }
    return CUNA_OK;
}

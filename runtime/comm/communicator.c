/* communicator.c: communicators as objects: how they are made of others, their facts, their end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/board.h"
#include "comm/nccl.h"
#include "comm/wall.h"

static void release(cuna_comm *comm)
{
    const cuna_comm_engine *engine = cuna__job.engine;
    void *const parts[] = {comm->data, comm->control, comm->talk};
    cuna__nccl_release(comm);
    cuna__window_release(comm);
    cuna__wall_free(comm);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i] != NULL)
            engine->free(parts[i]);
    free(comm->ranks);
    free(comm);
}

/* What its ranks are in the job, and which of them share this machine. */
static cuna_status learn_ranks(cuna_comm *comm)
{
    const cuna_comm *world = cuna__job.world;
    int64_t own = world != NULL ? world->rank : comm->rank, *all = calloc((size_t)comm->size, sizeof *all);
    void *node = NULL;
    comm->ranks = calloc((size_t)comm->size, sizeof *comm->ranks);
    cuna_status status = all != NULL && comm->ranks != NULL ? cuna_comm_numbers(comm, all, &own, 1)
                                                            : cuna_fail(CUNA_MEMORY, "the host has no memory left");
    for (int r = 0; r < comm->size && status == CUNA_OK; r++)
        comm->ranks[r] = (int)all[r];
    free(all);
    CUNA_TRY(status);
    CUNA_TRY(cuna__comm_judge(cuna__job.engine->split_node(&node, comm->talk), "split"));
    status = cuna__comm_judge(cuna__job.engine->size(node, &comm->local_rank, &comm->local_size), "split");
    cuna__job.engine->free(node);
    return status;
}

cuna_status cuna__comm_create(cuna_comm **out, void *raw)
{
    const cuna_comm_engine *engine = cuna__job.engine;
    cuna_comm *comm = calloc(1, sizeof *comm);
    if (comm == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left");
    comm->data = raw;
    int code = engine->size(raw, &comm->rank, &comm->size);
    code = code != 0 ? code : engine->copy(&comm->control, raw);
    code = code != 0 ? code : engine->copy(&comm->talk, raw);
    cuna_status status = cuna__comm_judge(code, "split");
    if (status == CUNA_OK)
        status = learn_ranks(comm);
    if (status == CUNA_OK && comm->size > 1 && comm->local_size == comm->size)
        status = cuna__wall_make(comm);
    if (status != CUNA_OK) {
        release(comm);
        return status;
    }
    comm->next = cuna__job.all;
    cuna__job.all = comm;
    *out = comm;
    return CUNA_OK;
}

/* Ends a call that made a part of the ranks. */
static cuna_status finish_split(cuna_comm **out, int code, void *raw)
{
    cuna_status status = cuna__comm_judge(code, "split");
    *out = NULL;
    if (status == CUNA_OK && raw != NULL)
        status = cuna__comm_create(out, raw);
    if (status != CUNA_OK)
        return cuna__comm_fail(status);
    cuna__board_leave();
    return CUNA_OK;
}

cuna_status cuna_comm_split(cuna_comm **out, cuna_comm *comm, int color, int key)
{
    void *raw = NULL;
    int code = cuna__job.engine->split(&raw, comm->talk, color, key);
    return finish_split(out, code, raw);
}

cuna_status cuna_comm_split_node(cuna_comm **out, cuna_comm *comm)
{
    void *raw = NULL;
    int code = cuna__job.engine->split_node(&raw, comm->talk);
    return finish_split(out, code, raw);
}

cuna_status cuna_comm_free(cuna_comm *comm)
{
    cuna__request_finish_all(comm);
    cuna__board_leave();
    for (cuna_comm **at = &cuna__job.all; *at != NULL; at = &(*at)->next) {
        if (*at == comm) {
            *at = comm->next;
            release(comm);
            break;
        }
    }
    return CUNA_OK;
}

void cuna_comm_get_facts(cuna_comm_facts *out, const cuna_comm *comm)
{
    *out = (cuna_comm_facts){.rank = comm->rank,
                             .size = comm->size,
                             .local_rank = comm->local_rank,
                             .local_size = comm->local_size,
                             .engine = cuna__job.nccl != NULL ? "nccl" : cuna__job.engine->name,
                             .checks = cuna__job.checks != CUNA_CHECKS_OFF};
}

cuna_status cuna_comm_find_library(char *text, size_t nbytes)
{
    return cuna__comm_mpi_describe(text, nbytes);
}

void cuna_comm_get_version(char *text, size_t nbytes)
{
    cuna__job.engine->version(text, nbytes);
    size_t length = strlen(text);
    if (cuna__job.nccl != NULL) {
        snprintf(text + length, nbytes - length, ", ");
        cuna_comm_find_nccl(text + length + 2, nbytes - length - 2);
    }
}

/* ---- NCCL ---- */

int cuna_comm_find_nccl(char *text, size_t nbytes)
{
    const cuna_nccl *nccl;
    if (cuna__nccl_open(&nccl) != CUNA_OK) {
        snprintf(text, nbytes, "%s", cuna_message());
        return 0;
    }
    snprintf(text, nbytes, "NCCL %d.%d.%d (%s)", nccl->version / 10000, nccl->version / 100 % 100, nccl->version % 100,
             nccl->file);
    return nccl->version;
}

void cuna_comm_use_nccl(cuna_device *device)
{
    const cuna_nccl *nccl;
    cuna__job.device = device;
    if (cuna__nccl_open(&nccl) == CUNA_OK)
        __atomic_store_n(&cuna__job.nccl, nccl, __ATOMIC_RELEASE); /* the watcher looks at it */
}

bool cuna_comm_carries(const cuna_comm *comm, const cuna_device *device, cuna_comm_kind kind, cuna_comm_op op,
                       cuna_dtype dtype)
{
    if (cuna__job.nccl != NULL)
        return device == cuna__job.device && cuna__nccl_has(kind, op, dtype);
    return comm->size == 1 && !device->driver->facts.host_memory && kind != CUNA_COMM_EXSCAN;
}

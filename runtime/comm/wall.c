/* wall.c: comparisons through memory that all ranks of a communicator share.
 *
 * A rank writes the hash of its n-th comparison beside its number, and reads those of the others when they have it too:
 * half a cache line of each, where a reduction takes messages to and fro. Comparisons may be started ahead of others'
 * (requests), but a place is written again only when all ranks have passed what it held. */
#include "comm/wall.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "comm/shared.h"

#define PLACES   64  /* of a rank, a power of two */
#define PATIENCE 200 /* looks before the engine is asked to send what it still has, which others may wait for */

typedef struct place {
    int64_t number; /* counts from 1; written after the hash */
    int64_t hash;
} place;

/* What one rank writes. */
typedef struct column {
    _Alignas(64) int64_t passed; /* comparisons that are done here */
    _Alignas(64) place places[PLACES];
} column;

struct cuna_comm_wall {
    column *columns;
    int64_t started, written; /* the last numbers of this rank */
};

static size_t nbytes_of(const cuna_comm *comm)
{
    return (size_t)comm->size * sizeof(column);
}

cuna_status cuna__wall_make(cuna_comm *comm)
{
    void *memory = NULL;
    cuna_comm_wall *wall = calloc(1, sizeof *wall);
    if (wall == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left");
    cuna_status status = cuna__shared_map(&memory, comm->talk, comm->rank, nbytes_of(comm));
    if (memory == NULL) {
        free(wall);
        return status;
    }
    wall->columns = memory;
    comm->wall = wall;
    return CUNA_OK;
}

void cuna__wall_free(cuna_comm *comm)
{
    if (comm->wall == NULL)
        return;
    munmap(comm->wall->columns, nbytes_of(comm));
    free(comm->wall);
}

/* Whether all ranks have passed what the place of a number holds now. */
static bool is_free(const cuna_comm *comm, int64_t number)
{
    const cuna_comm_wall *wall = comm->wall;
    for (int r = 0; r < comm->size && number > PLACES; r++)
        if (__atomic_load_n(&wall->columns[r].passed, __ATOMIC_ACQUIRE) < number - PLACES)
            return false;
    return true;
}

static void write_in_turn(cuna_comm *comm, const cuna_comm_check *check)
{
    cuna_comm_wall *wall = comm->wall;
    if (check->number != wall->written + 1 || !is_free(comm, check->number))
        return;
    place *own = &wall->columns[comm->rank].places[check->number % PLACES];
    own->hash = check->words[0];
    __atomic_store_n(&own->number, check->number, __ATOMIC_RELEASE);
    wall->written = check->number;
}

void cuna__wall_start(cuna_comm *comm, cuna_comm_check *check)
{
    check->number = ++comm->wall->started;
    check->others = 0;
    check->agrees = true;
    check->looks = 0;
    write_in_turn(comm, check);
}

int cuna__wall_test(cuna_comm *comm, bool *done, cuna_comm_check *check)
{
    cuna_comm_wall *wall = comm->wall;
    *done = false;
    if (wall->written < check->number)
        write_in_turn(comm, check);
    for (; check->others < comm->size; check->others++) {
        const place *theirs = &wall->columns[check->others].places[check->number % PLACES];
        if (__atomic_load_n(&theirs->number, __ATOMIC_ACQUIRE) != check->number)
            return ++check->looks > PATIENCE ? cuna__job.engine->progress(comm->control) : CUNA_COMM_OK;
        check->agrees &= theirs->hash == check->words[0];
    }
    __atomic_store_n(&wall->columns[comm->rank].passed, check->number, __ATOMIC_RELEASE);
    *done = true;
    return CUNA_COMM_OK;
}

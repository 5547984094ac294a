/* board.c: what the ranks of a machine say of themselves. */
#define _GNU_SOURCE 1
#include "comm/board.h"

#include <sched.h>
#include <time.h>

#include "comm/shared.h"

typedef struct board {
    uint32_t asked; /* whether a rank was the first to ask */
    uint32_t spare[15];
    cuna_board_slot slots[];
} board;

static cuna_board_slot alone = {.peer = -1};
static cuna_board_slot *own = &alone;
static board *shared; /* NULL: alone */
static int nslots;

int64_t cuna__board_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- writing ---- */

static void begin_write(void)
{
    __atomic_store_n(&own->version, own->version + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    own->since_ns = cuna__board_now();
}

static void end_write(cuna_board_state state)
{
    own->state = state;
    __atomic_store_n(&own->version, own->version + 1, __ATOMIC_RELEASE);
}

void cuna__board_enter(const cuna_comm_signature *signature, int peer)
{
    begin_write();
    own->signature = *signature;
    own->peer = peer;
    end_write(CUNA_BOARD_CALLS);
}

void cuna__board_leave(void)
{
    begin_write();
    own->peer = -1;
    end_write(CUNA_BOARD_COMPUTES);
}

void cuna__board_end(void)
{
    begin_write();
    own->peer = -1;
    end_write(CUNA_BOARD_ENDED);
}

/* ---- reading ---- */

/* A slot whose owner was stopped while it wrote is read as it is. */
static void read_slot(cuna_board_slot *out, const cuna_board_slot *slot)
{
    for (int tries = 0; tries < 1000; tries++) {
        uint32_t before = __atomic_load_n(&slot->version, __ATOMIC_ACQUIRE);
        *out = *slot;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (before % 2 == 0 && __atomic_load_n(&slot->version, __ATOMIC_RELAXED) == before)
            return;
    }
}

void cuna__board_own(cuna_board_slot *out)
{
    read_slot(out, __atomic_load_n(&own, __ATOMIC_ACQUIRE));
}

bool cuna__board_read(cuna_board_slot *out, int number)
{
    if (__atomic_load_n(&shared, __ATOMIC_ACQUIRE) == NULL || number >= nslots)
        return false;
    read_slot(out, &shared->slots[number]);
    return true;
}

bool cuna__board_is_first(void)
{
    return shared == NULL || __atomic_exchange_n(&shared->asked, 1, __ATOMIC_ACQ_REL) == 0;
}

/* ---- sharing ---- */

static void write_cpus(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int cpu = 0; cpu < (int)sizeof own->cpus * 8; cpu++)
        if (CPU_ISSET(cpu, &set))
            own->cpus[cpu / 64] |= (uint64_t)1 << cpu % 64;
}

static void move_in(board *memory, int rank, int node_rank)
{
    cuna_board_slot *slot = &memory->slots[node_rank];
    *slot = alone;
    slot->version = 0;
    slot->rank = rank;
    __atomic_store_n(&own, slot, __ATOMIC_RELEASE);
    write_cpus();
}

cuna_status cuna__board_share(void *node, int rank, int node_rank, int node_size)
{
    const cuna_comm_work wait = {.kind = CUNA_COMM_BARRIER};
    void *memory;
    CUNA_TRY(cuna__shared_map(&memory, node, node_rank, sizeof(board) + (size_t)node_size * sizeof(cuna_board_slot)));
    if (memory != NULL)
        move_in(memory, rank, node_rank);
    else
        alone.rank = rank;
    CUNA_TRY(cuna__comm_judge(cuna__job.engine->run(node, &wait), "distributed.init"));
    nslots = memory != NULL ? node_size : 0;
    __atomic_store_n(&shared, memory, __ATOMIC_RELEASE);
    return CUNA_OK;
}

/* ---- processors ---- */

static bool has_cpu(const cuna_board_slot *slot, int cpu)
{
    return (slot->cpus[cpu / 64] >> cpu % 64 & 1) != 0;
}

int cuna__board_all_cpus(void)
{
    int count = 0;
    for (size_t i = 0; i < sizeof own->cpus / sizeof *own->cpus; i++)
        count += __builtin_popcountll(own->cpus[i]);
    return count;
}

int cuna__board_cpus(void)
{
    double share = 0;
    for (int cpu = 0; shared != NULL && cpu < (int)sizeof own->cpus * 8; cpu++) {
        int users = 0;
        for (int i = 0; i < nslots; i++)
            users += has_cpu(&shared->slots[i], cpu);
        if (has_cpu(own, cpu))
            share += 1.0 / users;
    }
    return (int)(share + 1e-9);
}

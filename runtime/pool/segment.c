/* segment.c: how a pool grows by segments of the driver's, and gives them back.
 *
 * A request up to 1 MiB opens a slab, a larger one a large segment; a request crosses over only when the
 * limit or the driver leaves no other way, so that small arrays do not tear large blocks. A pool that grows although it
 * caches more than was ever in use at once returns all that it caches: sizes that become ever larger, or are new each
 * time, find nothing there that fits. What is returned was made since the last time, so that this at most doubles the
 * calls of the driver. `growth` is held throughout, the lock never around a call of the driver's. */
#include "pool/blocks.h"

#include <stdlib.h>

#define SLAB_NBYTES ((int64_t)2 << 20)

/* Among what streams that are gone have left. */
static block *find_left(const cuna_pool *pool, int64_t nbytes)
{
    block *found = NULL;
    uint64_t left = pool->occupied & ~__atomic_load_n(pool->live, __ATOMIC_RELAXED);
    for (; left && !found; left &= left - 1)
        found = find_fitting(pool->arenas[__builtin_ctzll(left)], nbytes);
    return found;
}

block *cuna__pool_take_beyond(cuna_pool *pool, int home, int64_t nbytes)
{
    block *found = find_left(pool, nbytes);
    if (!found && within_limit(pool, nbytes))
        found = bins_best(&pool->reserve[kind_of(nbytes)], nbytes);
    return found ? carve(pool, found, home, nbytes) : NULL;
}

/* Among all that one stream has cached. */
static block *find_any(const cuna_pool *pool, int home, int64_t nbytes)
{
    int kind = kind_of(nbytes);
    const arena *own = pool->arenas[home];
    block *found = bins_best(&own->bins[kind], nbytes);
    return found ? found : bins_best(&own->bins[!kind], nbytes);
}

/* A block that `take` had better left alone. */
static block *take_in_need(cuna_pool *pool, int home, int64_t nbytes)
{
    block *found = find_any(pool, home, nbytes);
    for (uint64_t left = pool->occupied; left && !found; left &= left - 1)
        found = find_any(pool, __builtin_ctzll(left), nbytes);
    if (!found && within_limit(pool, nbytes))
        found = bins_best(&pool->reserve[!kind_of(nbytes)], nbytes);
    return found ? carve(pool, found, home, nbytes) : NULL;
}

static void open_segment(cuna_pool *pool, segment *added, block *whole, cu_deviceptr ptr, int kind, int64_t nbytes)
{
    *whole = (block){.ptr = ptr, .nbytes = nbytes, .pool = pool, .state = RESERVE, .kind = (int8_t)kind};
    *added = (segment){pool->segments, whole};
    pool->segments = added;
    pool->held_nbytes += nbytes;
    enter_bin(pool, whole);
}

/* A block from a new segment, which is one slab for every small request. Called with the lock, which it lets go. */
static block *take_new(cuna_pool *pool, int home, int64_t nbytes, cu_result *result)
{
    int64_t segment_nbytes = cuna__ceil_div(nbytes, SLAB_NBYTES) * SLAB_NBYTES;
    /* Charged while the lock is away: others cannot pass the limit meanwhile. */
    block *whole = charge(pool, nbytes);
    if (!whole)
        return NULL;
    unlock(pool);
    cu_deviceptr ptr = 0;
    segment *added = malloc(sizeof *added);
    *result = added ? pool->source->make(pool->driver, &ptr, (size_t)segment_nbytes, NULL) : CU_ERROR_OUT_OF_MEMORY;
    lock(pool);
    uncharge(pool, nbytes);
    if (*result != CU_SUCCESS) {
        recycle(pool, whole);
        free(added);
        return NULL;
    }
    open_segment(pool, added, whole, ptr, kind_of(nbytes), segment_nbytes);
    return carve(pool, whole, home, nbytes);
}

static block *find_room(cuna_pool *pool, int home, int64_t nbytes, cu_result *result)
{
    *result = CU_SUCCESS;
    lock(pool);
    block *found = take(pool, home, nbytes);
    if (!found)
        found = take_new(pool, home, nbytes, result);
    if (!found)
        found = take_in_need(pool, home, nbytes);
    unlock(pool);
    return found;
}

/* Makes a segment's CACHED blocks RESERVE, of one home or all with -1; true when nothing of it is needed any more. */
static bool retire_cached(cuna_pool *pool, segment *each, int home)
{
    for (block *b = each->first; b; b = b->next) {
        if (b->state != CACHED || (home >= 0 && b->home != home))
            continue;
        leave_bin(pool, b);
        pool->total_nbytes -= b->nbytes;
        b->state = RESERVE;
        b->home = 0;
        b = settle(pool, b); /* which may have merged it with its neighbours */
    }
    return each->first->state == RESERVE && !each->first->next;
}

/* Takes the segments that hold nothing out of the pool and returns them. */
static segment *detach_empty(cuna_pool *pool, int home)
{
    segment *empty = NULL;
    for (segment **link = &pool->segments; *link;) {
        segment *each = *link;
        if (!retire_cached(pool, each, home)) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        each->next = empty;
        empty = each;
        pool->held_nbytes -= each->first->nbytes;
        leave_bin(pool, each->first);
    }
    return empty;
}

void cuna__pool_release_cached(cuna_pool *pool, int home)
{
    if (pool->sealed)
        return;
    lock(pool);
    cuna__pool_settle_quick(pool);
    segment *empty = detach_empty(pool, home);
    unlock(pool);
    /* The driver may wait for the device here: no other thread can reach these segments, so the lock is not needed. */
    while (empty) {
        segment *next = empty->next;
        pool->source->give_back(pool->driver, empty->first->ptr, NULL);
        lock(pool);
        recycle(pool, empty->first);
        unlock(pool);
        free(empty);
        empty = next;
    }
}

void cuna__pool_free_segments(cuna_pool *pool)
{
    for (segment *each = pool->segments, *next; each; each = next) {
        next = each->next;
        if (!pool->abandoned)
            pool->source->give_back(pool->driver, each->first->ptr, NULL);
        free(each);
    }
}

/* Whether a pool that lacks a block of this size keeps more beside what is in use than was ever in use. */
static bool hoards(cuna_pool *pool, int64_t nbytes)
{
    lock(pool);
    pool->peak_nbytes = cuna__max(pool->peak_nbytes, pool->used_nbytes + nbytes);
    bool hoards = pool->held_nbytes - pool->used_nbytes > pool->peak_nbytes + POOL_IDLE_NBYTES;
    unlock(pool);
    return hoards;
}

cuna_status cuna__pool_grow(block **out, cuna_pool *pool, int home, int64_t nbytes)
{
    cu_result result;
    pthread_mutex_lock(&pool->growth);
    if (hoards(pool, nbytes))
        cuna__pool_release_cached(pool, -1);
    block *found = find_room(pool, home, nbytes, &result);
    if (!found && is_memory(result)) { /* what the pool caches may be what the driver lacks */
        cuna__pool_release_cached(pool, -1);
        found = find_room(pool, home, nbytes, &result);
    }
    pthread_mutex_unlock(&pool->growth);
    *out = found;
    return found ? CUNA_OK : cuna__pool_fail(pool, nbytes, result);
}

/* pool.c: device memory in cached blocks.
 *
 * A segment is one allocation of the driver, tiled by a list of blocks in address order. A block is CACHED (taken back,
 * counted as free), RESERVE (never carved, or released by a trim while its segment was in use; not counted) or USED.
 * Neighbours are never both CACHED or both RESERVE, and every block that is not USED lies in a bin.
 *
 * Requests up to 1 MiB live in slabs, larger ones in segments of their own kind; a request crosses over only when the
 * limit or the driver leaves no other way, so that small arrays do not tear large blocks.
 *
 * Two locks: `locked` guards the structures and is never held around a driver call, because freeing device memory may
 * wait for host functions that give blocks back. It is held for nanoseconds and spins, which costs one atomic operation
 * where a mutex costs two (8 against 18 ns). `growth` serialises what calls the driver, so that nobody reports lack of
 * memory while another thread is about to release some. Order: growth, then locked. */
#include "pool.h"

#include "pool_bins.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define SLAB_NBYTES  ((int64_t)2 << 20)
#define SMALL_NBYTES ((int64_t)1 << 20) /* largest request that a slab serves */
#define MAX_NBYTES   ((int64_t)1 << 50) /* keeps bin indices and sums in range */
#define SPLIT_RATIO  8                  /* a large block this many times the request is split only in need */
#define BATCH_BLOCKS 64
#define SPINS        64

enum { CACHED, RESERVE, USED, SPARE }; /* block states; the first two index bins */
enum { SMALL, LARGE };                 /* kinds of segments */

typedef struct segment {
    struct segment *next;
    block *first;
} segment;

typedef struct batch {
    struct batch *next;
    block *blocks;
} batch;

struct cuna_pool {
    atomic_bool locked;
    bool abandoned; /* the driver is gone, and who held a lock may be too */
    pthread_mutex_t growth;
    const cuna_driver *driver;
    const char *device_name; /* for messages; outlives the pool */
    int64_t used_nbytes, total_nbytes, limit_nbytes, free_blocks;
    int64_t taken_nbytes; /* ever handed out */
    segment *segments;
    block *spare; /* bookkeeping not in use */
    batch *batches;
    bins bins[2][2]; /* by kind and state */
};

static void lock(cuna_pool *pool)
{
    for (int tries = 1; atomic_exchange_explicit(&pool->locked, true, memory_order_acquire); tries++)
        if (tries % SPINS == 0)
            sched_yield();
}

static void unlock(cuna_pool *pool)
{
    atomic_store_explicit(&pool->locked, false, memory_order_release);
}

static void enter_bin(cuna_pool *pool, block *b)
{
    bins_enter(&pool->bins[b->kind][b->state], b);
    pool->free_blocks += b->state == CACHED;
}

static void leave_bin(cuna_pool *pool, block *b)
{
    bins_leave(&pool->bins[b->kind][b->state], b);
    pool->free_blocks -= b->state == CACHED;
}

static void recycle(cuna_pool *pool, block *b)
{
    b->state = SPARE;
    b->next = pool->spare;
    pool->spare = b;
}

static bool refill_spare(cuna_pool *pool)
{
    batch *added = malloc(sizeof *added);
    block *blocks = aligned_alloc(64, BATCH_BLOCKS * sizeof *blocks);
    if (!added || !blocks) {
        free(added);
        free(blocks);
        return false;
    }
    *added = (batch){pool->batches, blocks};
    pool->batches = added;
    for (int i = BATCH_BLOCKS; i-- > 0;)
        recycle(pool, &blocks[i]);
    return true;
}

static block *make_block(cuna_pool *pool)
{
    if (!pool->spare && !refill_spare(pool))
        return NULL;
    block *b = pool->spare;
    pool->spare = b->next;
    return b;
}

/* Cuts what lies beyond nbytes off a block that is in no bin, and bins it. False when bookkeeping cannot grow. */
static bool split(cuna_pool *pool, block *b, int64_t nbytes)
{
    block *rest = make_block(pool);
    if (!rest)
        return false;
    *rest = (block){.head = {b->head.ptr + (uint64_t)nbytes, b->head.nbytes - nbytes},
                    .prev = b,
                    .next = b->next,
                    .state = b->state,
                    .kind = b->kind};
    if (b->next)
        b->next->prev = rest;
    b->next = rest;
    b->head.nbytes = nbytes;
    enter_bin(pool, rest);
    return true;
}

/* Turns the first nbytes of a binned block into a USED block. */
static block *carve(cuna_pool *pool, block *b, int64_t nbytes)
{
    leave_bin(pool, b);
    if (b->head.nbytes > nbytes && !split(pool, b, nbytes)) {
        enter_bin(pool, b);
        return NULL;
    }
    if (b->state == RESERVE)
        pool->total_nbytes += nbytes;
    pool->used_nbytes += nbytes;
    pool->taken_nbytes += nbytes;
    b->state = USED;
    return b;
}

/* Joins a block with the one after it; the lower one's bookkeeping stays, so a segment's first block never changes. */
static void absorb_next(cuna_pool *pool, block *b)
{
    block *next = b->next;
    b->head.nbytes += next->head.nbytes;
    b->next = next->next;
    if (b->next)
        b->next->prev = b;
    recycle(pool, next);
}

/* Bins a block that just became CACHED or RESERVE, merged with neighbours of its state; returns the merged block. */
static block *settle(cuna_pool *pool, block *b)
{
    if (b->next && b->next->state == b->state) {
        leave_bin(pool, b->next);
        absorb_next(pool, b);
    }
    if (b->prev && b->prev->state == b->state) {
        b = b->prev;
        leave_bin(pool, b);
        absorb_next(pool, b);
    }
    enter_bin(pool, b);
    return b;
}

static int kind_of(int64_t nbytes)
{
    return nbytes <= SMALL_NBYTES ? SMALL : LARGE;
}

static bool within_limit(const cuna_pool *pool, int64_t nbytes)
{
    return !pool->limit_nbytes || nbytes <= pool->limit_nbytes - pool->total_nbytes;
}

static bool is_wasteful(const block *b, int64_t nbytes)
{
    return b->kind == LARGE && b->head.nbytes / SPLIT_RATIO > nbytes;
}

/* A block of the request's own kind, without the driver. */
static block *take(cuna_pool *pool, int64_t nbytes)
{
    bins *own = pool->bins[kind_of(nbytes)];
    block *found = bins_best(&own[CACHED], nbytes);
    if (found && is_wasteful(found, nbytes))
        found = NULL;
    if (!found && within_limit(pool, nbytes))
        found = bins_best(&own[RESERVE], nbytes);
    return found ? carve(pool, found, nbytes) : NULL;
}

/* A block that `take` had better left alone. */
static block *take_in_need(cuna_pool *pool, int64_t nbytes)
{
    int kind = kind_of(nbytes);
    block *found = bins_best(&pool->bins[kind][CACHED], nbytes);
    if (!found)
        found = bins_best(&pool->bins[!kind][CACHED], nbytes);
    if (!found && within_limit(pool, nbytes))
        found = bins_best(&pool->bins[!kind][RESERVE], nbytes);
    return found ? carve(pool, found, nbytes) : NULL;
}

/* Counts a request as in use while the driver is asked without the lock, so that the limit holds. */
static block *charge(cuna_pool *pool, int64_t nbytes)
{
    if (!within_limit(pool, nbytes))
        return NULL;
    block *whole = make_block(pool);
    if (whole) {
        pool->used_nbytes += nbytes;
        pool->total_nbytes += nbytes;
    }
    return whole;
}

static void open_segment(cuna_pool *pool, segment *added, block *whole)
{
    *added = (segment){pool->segments, whole};
    pool->segments = added;
    enter_bin(pool, whole);
}

/* A block from a new segment, which is one slab for every small request. Called with the lock, which it lets go. */
static block *take_new(cuna_pool *pool, int64_t nbytes, cu_result *result)
{
    int64_t segment_nbytes = cuna__ceil_div(nbytes, SLAB_NBYTES) * SLAB_NBYTES;
    block *found = NULL;
    block *whole = charge(pool, nbytes);
    if (!whole)
        return NULL;
    unlock(pool);
    cu_deviceptr ptr = 0;
    segment *added = malloc(sizeof *added);
    *result = added ? pool->driver->mem_alloc(&ptr, (size_t)segment_nbytes) : CU_ERROR_OUT_OF_MEMORY;
    lock(pool);
    pool->used_nbytes -= nbytes;
    pool->total_nbytes -= nbytes;
    if (*result == CU_SUCCESS) {
        *whole = (block){.head = {ptr, segment_nbytes}, .state = RESERVE, .kind = kind_of(nbytes)};
        open_segment(pool, added, whole);
        found = carve(pool, whole, nbytes);
    } else {
        recycle(pool, whole);
        free(added);
    }
    return found;
}

static block *find_room(cuna_pool *pool, int64_t nbytes, cu_result *result)
{
    lock(pool);
    block *found = take(pool, nbytes);
    if (!found)
        found = take_new(pool, nbytes, result);
    if (!found)
        found = take_in_need(pool, nbytes);
    unlock(pool);
    return found;
}

/* Makes a segment's CACHED blocks RESERVE; true when nothing of it is in use. */
static bool retire_cached(cuna_pool *pool, segment *each)
{
    for (block *b = each->first; b; b = b->next) {
        if (b->state != CACHED)
            continue;
        leave_bin(pool, b);
        pool->total_nbytes -= b->head.nbytes;
        b->state = RESERVE;
        b = settle(pool, b);
    }
    return each->first->state == RESERVE && !each->first->next;
}

/* Takes the segments that hold nothing out of the pool and returns them. */
static segment *detach_empty(cuna_pool *pool)
{
    segment *empty = NULL;
    for (segment **link = &pool->segments; *link;) {
        segment *each = *link;
        if (!retire_cached(pool, each)) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        each->next = empty;
        empty = each;
        leave_bin(pool, each->first);
    }
    return empty;
}

static void release_cached(cuna_pool *pool)
{
    lock(pool);
    segment *empty = detach_empty(pool);
    unlock(pool);
    while (empty) {
        segment *next = empty->next;
        pool->driver->mem_free(empty->first->head.ptr);
        lock(pool);
        recycle(pool, empty->first);
        unlock(pool);
        free(empty);
        empty = next;
    }
}

static void describe_limit(char *text, size_t capacity, int64_t limit_nbytes)
{
    if (limit_nbytes)
        snprintf(text, capacity, "limit %lld", (long long)limit_nbytes);
    else
        snprintf(text, capacity, "no limit");
}

static cuna_status fail_memory(cuna_pool *pool, int64_t nbytes)
{
    cuna_pool_stats now;
    char limit[48];
    size_t free_nbytes = 0, total_nbytes = 0;
    cuna__pool_stats(&now, pool);
    describe_limit(limit, sizeof limit, now.limit_nbytes);
    if (pool->driver->mem_get_info(&free_nbytes, &total_nbytes) != CU_SUCCESS)
        free_nbytes = total_nbytes = 0;
    return cuna_fail(CUNA_MEMORY,
                     "cannot allocate %lld bytes on %s: %lld in use, %lld cached (largest block %lld), %s, "
                     "device has %zu free of %zu; free arrays (x:free(), cn.scope) or raise the limit",
                     (long long)nbytes, pool->device_name, (long long)now.used_nbytes, (long long)now.free_nbytes,
                     (long long)now.largest_free_nbytes, limit, free_nbytes, total_nbytes);
}

static bool is_memory(cu_result result)
{
    return result == CU_SUCCESS || result == CU_ERROR_OUT_OF_MEMORY;
}

static cuna_status fail_growth(cuna_pool *pool, int64_t nbytes, cu_result result)
{
    const char *name = NULL;
    if (is_memory(result))
        return fail_memory(pool, nbytes);
    if (pool->driver->get_error_name(result, &name) != CU_SUCCESS || !name)
        name = "unknown error";
    return cuna_fail(CUNA_DEVICE, "cannot allocate %lld bytes: the driver says %s (%d)", (long long)nbytes, name,
                     result);
}

static cuna_status grow(block **out, cuna_pool *pool, int64_t nbytes)
{
    cu_result result = CU_SUCCESS;
    pthread_mutex_lock(&pool->growth);
    block *found = find_room(pool, nbytes, &result);
    if (!found && is_memory(result)) {
        release_cached(pool);
        result = CU_SUCCESS;
        found = find_room(pool, nbytes, &result);
    }
    pthread_mutex_unlock(&pool->growth);
    *out = found;
    return found ? CUNA_OK : fail_growth(pool, nbytes, result);
}

cuna_status cuna__pool_create(cuna_pool **out, const cuna_driver *driver, const char *device_name)
{
    cuna_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return cuna_fail(CUNA_MEMORY, "cannot allocate %zu bytes of host memory for a pool", sizeof *pool);
    pthread_mutex_init(&pool->growth, NULL);
    pool->driver = driver;
    pool->device_name = device_name;
    *out = pool;
    return CUNA_OK;
}

void cuna__pool_destroy(cuna_pool *pool)
{
    if (!pool)
        return;
    for (segment *each = pool->segments, *next; each; each = next) {
        next = each->next;
        if (!pool->abandoned)
            pool->driver->mem_free(each->first->head.ptr);
        free(each);
    }
    for (batch *each = pool->batches, *next; each; each = next) {
        next = each->next;
        free(each->blocks);
        free(each);
    }
    pthread_mutex_destroy(&pool->growth);
    free(pool);
}

/* The locks are made anew: statistics are still asked for. */
void cuna__pool_abandon(cuna_pool *pool)
{
    pool->abandoned = true;
    unlock(pool);
    pthread_mutex_init(&pool->growth, NULL);
}

cuna_status cuna__pool_alloc(cuna_block **out, cuna_pool *pool, int64_t nbytes)
{
    if (nbytes > MAX_NBYTES)
        return fail_memory(pool, nbytes);
    if (pool->abandoned)
        return cuna_fail(CUNA_DEVICE, "cannot allocate %lld bytes: the device is not there any more",
                         (long long)nbytes);
    int64_t rounded = cuna__ceil_div(cuna__max(nbytes, 1), POOL_UNIT_NBYTES) * POOL_UNIT_NBYTES;
    lock(pool);
    block *found = take(pool, rounded);
    unlock(pool);
    if (__builtin_expect(!found, 0))
        CUNA_TRY(grow(&found, pool, rounded));
    *out = &found->head;
    return CUNA_OK;
}

void cuna__pool_free(cuna_pool *pool, cuna_block *head)
{
    block *b = (block *)head;
    if (!b || pool->abandoned)
        return;
    lock(pool);
    if (b->state == USED) {
        pool->used_nbytes -= b->head.nbytes;
        b->state = CACHED;
        settle(pool, b);
    }
    unlock(pool);
}

void cuna__pool_trim(cuna_pool *pool)
{
    if (pool->abandoned)
        return;
    pthread_mutex_lock(&pool->growth);
    release_cached(pool);
    pthread_mutex_unlock(&pool->growth);
}

void cuna__pool_set_limit(cuna_pool *pool, int64_t nbytes)
{
    lock(pool);
    pool->limit_nbytes = cuna__max(nbytes, 0);
    unlock(pool);
}

int64_t cuna__pool_taken_nbytes(const cuna_pool *pool)
{
    return __atomic_load_n(&pool->taken_nbytes, __ATOMIC_RELAXED);
}

void cuna__pool_stats(cuna_pool_stats *out, cuna_pool *pool)
{
    lock(pool);
    *out = (cuna_pool_stats){
        .used_nbytes = pool->used_nbytes,
        .free_nbytes = pool->total_nbytes - pool->used_nbytes,
        .total_nbytes = pool->total_nbytes,
        .free_blocks = pool->free_blocks,
        .limit_nbytes = pool->limit_nbytes,
        .largest_free_nbytes =
            cuna__max(bins_largest(&pool->bins[SMALL][CACHED]), bins_largest(&pool->bins[LARGE][CACHED])),
    };
    unlock(pool);
}

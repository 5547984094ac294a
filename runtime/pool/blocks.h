/* blocks.h: what a pool consists of, and the steps on its blocks, for pool*.c alone.
 *
 * A segment is one allocation of the driver, tiled by a list of blocks in address order. A block is CACHED (taken back,
 * counted as free), RESERVE (never carved, or released by a trim while its segment was in use; not counted) or USED.
 * CACHED blocks lie in the bins of their home's arena, RESERVE blocks in bins of their own. Neighbours are never both
 * RESERVE, nor both CACHED with one home. A split copies `earlier`, a merge joins it: no byte loses a stream. HELD
 * blocks are those of kinds without a cache, each a separate allocation.
 *
 * Small blocks that come back are QUICK first: as they are, in a list of their home and size, for the next request of
 * this size. They become CACHED, and are merged, all at once: when a request finds nothing else, or the figures are asked
 * for.
 *
 * Inline, because all of them together cost some 10 ns when a request is served from the cache. All are called with the
 * lock. */
#ifndef CUNA_POOL_BLOCKS_H
#define CUNA_POOL_BLOCKS_H

#include "pool/bins.h"
#include "pool/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define POOL_SMALL_NBYTES ((int64_t)1 << 20)   /* largest request that a slab serves */
#define POOL_IDLE_NBYTES  ((int64_t)256 << 20) /* that may be cached beside as much as was ever in use */
#define POOL_SPLIT_RATIO  8                    /* a large block this many times the request is split only in need */
#define POOL_SPINS        64
#define POOL_QUICK_UNITS  8  /* of the largest QUICK block */
#define POOL_ARENAS       64 /* as many as streams have numbers */

enum { CACHED, RESERVE, USED, HELD, SPARE, QUICK }; /* block states */
enum { SMALL, LARGE };                              /* kinds of segments; index bins */

/* What differs between kinds of pools; a row each in source.c. */
typedef struct pool_source {
    cu_result (*make)(const cuna_driver *driver, cu_deviceptr *ptr, size_t nbytes, cu_stream handle);
    cu_result (*give_back)(const cuna_driver *driver, cu_deviceptr ptr, cu_stream handle);
    bool caches;        /* segments are carved and kept; else every block is the driver's */
    bool driver_caches; /* it allocates from a pool of the driver's */
    bool of_host;       /* it is not the device's memory that it takes */
} pool_source;

typedef struct arena {
    bins bins[2];                       /* by kind */
    block *quick[POOL_QUICK_UNITS + 1]; /* lists by units */
} arena;

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
    bool abandoned; /* the driver is gone, and the holder of a lock may be too */
    bool released;  /* the owner is gone: the last block's return ends the pool */
    bool sealed;    /* nothing that is cached goes back to the driver */
    pthread_mutex_t growth;
    const pool_source *source;
    const cuna_driver *driver;
    cu_mem_pool driver_pool;
    const char *device_name; /* for messages; outlives the pool */
    const uint64_t *live;    /* streams that exist; others change it */
    int64_t used_nbytes, total_nbytes, limit_nbytes, free_blocks;
    int64_t held_nbytes, peak_nbytes; /* of all segments; the most that was in use when the pool grew */
    segment *segments;
    block *spare; /* bookkeeping not in use */
    batch *batches;
    uint64_t occupied;          /* bit h: arenas[h] has blocks in bins */
    uint64_t quick;             /* bit h: it may have QUICK ones */
    arena *arenas[POOL_ARENAS]; /* made when first needed, but for the first */
    arena first;
    bins reserve[2]; /* by kind */
};

static inline void lock(cuna_pool *pool)
{
    for (int tries = 1; atomic_exchange_explicit(&pool->locked, true, memory_order_acquire); tries++)
        if (tries % POOL_SPINS == 0)
            sched_yield();
}

static inline void unlock(cuna_pool *pool)
{
    atomic_store_explicit(&pool->locked, false, memory_order_release);
}

/* Finds room for more bookkeeping; false when the host has none. */
bool cuna__pool_refill(cuna_pool *pool);

/* Makes an arena; the home that serves instead when the host has no room for it. */
int cuna__pool_open_arena(cuna_pool *pool, int home);

/* The home where blocks of a stream are cached. */
static inline int find_home(cuna_pool *pool, int number)
{
    return __builtin_expect(pool->arenas[number] != NULL, 1) ? number : cuna__pool_open_arena(pool, number);
}

static inline void enter_bin(cuna_pool *pool, block *b)
{
    if (b->state == RESERVE) {
        bins_enter(&pool->reserve[b->kind], b);
        return;
    }
    bins_enter(&pool->arenas[b->home]->bins[b->kind], b);
    pool->occupied |= (uint64_t)1 << b->home;
    pool->free_blocks++;
}

static inline void leave_bin(cuna_pool *pool, block *b)
{
    if (b->state == RESERVE) {
        bins_leave(&pool->reserve[b->kind], b);
        return;
    }
    arena *home = pool->arenas[b->home];
    bins_leave(&home->bins[b->kind], b);
    if (!home->bins[SMALL].words && !home->bins[LARGE].words)
        pool->occupied &= ~((uint64_t)1 << b->home);
    pool->free_blocks--;
}

static inline void recycle(cuna_pool *pool, block *b)
{
    b->state = SPARE;
    b->next = pool->spare;
    pool->spare = b;
}

/* NULL when bookkeeping cannot grow. */
static inline block *make_block(cuna_pool *pool)
{
    if (!pool->spare && !cuna__pool_refill(pool))
        return NULL;
    block *b = pool->spare;
    pool->spare = b->next;
    return b;
}

/* Adds streams that may be at work on a block. */
static inline void mark(block *b, uint64_t streams)
{
    b->earlier = cuna__block_earlier(b) | streams;
    b->is_marked = true;
}

/* Joins a block with the one after it; the lower one's bookkeeping stays, so a segment's first block never changes. */
static inline void absorb_next(cuna_pool *pool, block *b)
{
    block *next = b->next;
    b->nbytes += next->nbytes;
    if (next->is_marked)
        mark(b, next->earlier);
    b->next = next->next;
    if (b->next)
        b->next->prev = b;
    recycle(pool, next);
}

static inline bool belong_together(const block *a, const block *b)
{
    return a->state == b->state && a->home == b->home;
}

/* Bins a block that just became CACHED or RESERVE, merged with neighbours of the same kind; returns the merged
 * block. */
static inline block *settle(cuna_pool *pool, block *b)
{
    if (b->next && belong_together(b, b->next)) {
        leave_bin(pool, b->next);
        absorb_next(pool, b);
    }
    if (b->prev && belong_together(b, b->prev)) {
        b = b->prev;
        leave_bin(pool, b);
        absorb_next(pool, b);
    }
    enter_bin(pool, b);
    return b;
}

/* Gives what lies beyond nbytes of a block to `rest`, which is like the block. */
static inline void cut(block *b, block *rest, int64_t nbytes)
{
    rest->ptr = b->ptr + (uint64_t)nbytes;
    rest->nbytes = b->nbytes - nbytes;
    rest->pool = b->pool;
    rest->state = b->state;
    rest->kind = b->kind;
    rest->home = b->home;
    if ((rest->is_marked = b->is_marked))
        rest->earlier = b->earlier;
    rest->prev = b;
    rest->next = b->next;
    if (b->next)
        b->next->prev = rest;
    b->next = rest;
    b->nbytes = nbytes;
}

static inline bool is_gone(const cuna_pool *pool, int home)
{
    return !(__atomic_load_n(pool->live, __ATOMIC_RELAXED) >> home & 1);
}

/* Called with the lock; the pacing of the collector reads the figure without it. */
static inline void use(cuna_pool *pool, int64_t nbytes)
{
    __atomic_store_n(&pool->used_nbytes, pool->used_nbytes + nbytes, __ATOMIC_RELAXED);
}

/* Turns the first nbytes of a binned block into a USED block for `home`. What a stream that is gone left moves there
 * whole. NULL when bookkeeping cannot grow. */
static inline block *carve(cuna_pool *pool, block *b, int home, int64_t nbytes)
{
    block *rest = NULL;
    if (b->nbytes > nbytes && !(rest = make_block(pool)))
        return NULL;
    leave_bin(pool, b);
    if (b->state == RESERVE)
        pool->total_nbytes += nbytes;
    else if (b->home != home && is_gone(pool, b->home))
        b->home = (int8_t)home;
    if (rest)
        cut(b, rest, nbytes);
    b->state = USED;
    b->home = (int8_t)home;
    if (rest)
        settle(pool, rest);
    use(pool, nbytes);
    return b;
}

static inline int kind_of(int64_t nbytes)
{
    return nbytes <= POOL_SMALL_NBYTES ? SMALL : LARGE;
}

static inline bool within_limit(const cuna_pool *pool, int64_t nbytes)
{
    return !pool->limit_nbytes || nbytes <= pool->limit_nbytes - pool->total_nbytes;
}

/* A cached block of the request's own kind that it does not tear up. */
static inline block *find_fitting(const arena *home, int64_t nbytes)
{
    int kind = kind_of(nbytes);
    block *found = bins_best(&home->bins[kind], nbytes);
    return found && kind == LARGE && found->nbytes / POOL_SPLIT_RATIO > nbytes ? NULL : found;
}

/* A block without the driver, if there is one that does not serve another request better; else NULL. */
block *cuna__pool_take_beyond(cuna_pool *pool, int home, int64_t nbytes);

/* Keeps a small block that came back as it is. */
static inline void keep_quick(cuna_pool *pool, block *b)
{
    block **list = &pool->arenas[b->home]->quick[b->nbytes / POOL_UNIT_NBYTES];
    b->state = QUICK;
    b->bin_next = *list;
    *list = b;
    pool->quick |= (uint64_t)1 << b->home;
}

/* A QUICK block of just this size, or NULL. The next one is fetched meanwhile: it was garbage, which is in no cache. */
static inline block *take_quick(cuna_pool *pool, int home, int64_t nbytes)
{
    if (nbytes > POOL_QUICK_UNITS * POOL_UNIT_NBYTES)
        return NULL;
    block **list = &pool->arenas[home]->quick[nbytes / POOL_UNIT_NBYTES], *b = *list;
    if (!b)
        return NULL;
    *list = b->bin_next;
    __builtin_prefetch(b->bin_next, 1);
    b->state = USED;
    use(pool, nbytes);
    return b;
}

/* Merges all QUICK blocks with their neighbours. */
void cuna__pool_settle_quick(cuna_pool *pool);

static inline block *take_cached(cuna_pool *pool, int home, int64_t nbytes)
{
    block *found = find_fitting(pool->arenas[home], nbytes);
    return found ? carve(pool, found, home, nbytes) : NULL;
}

static inline block *take(cuna_pool *pool, int home, int64_t nbytes)
{
    block *found = take_quick(pool, home, nbytes);
    if (!found)
        found = take_cached(pool, home, nbytes);
    if (!found && pool->quick) {
        cuna__pool_settle_quick(pool);
        found = take_cached(pool, home, nbytes);
    }
    return found ? found : cuna__pool_take_beyond(pool, home, nbytes);
}

/* Counts a request as in use while the driver is called without the lock, so that the limit holds. NULL beyond it. */
static inline block *charge(cuna_pool *pool, int64_t nbytes)
{
    block *b = within_limit(pool, nbytes) ? make_block(pool) : NULL;
    if (b) {
        use(pool, nbytes);
        pool->total_nbytes += nbytes;
    }
    return b;
}

static inline void uncharge(cuna_pool *pool, int64_t nbytes)
{
    use(pool, -nbytes);
    pool->total_nbytes -= nbytes;
}

/* pool.c: MEMORY with the figures, or DEVICE with the driver's word for another result. */
cuna_status cuna__pool_fail(cuna_pool *pool, int64_t nbytes, cu_result result);

static inline bool is_memory(cu_result result)
{
    return result == CU_SUCCESS || result == CU_ERROR_OUT_OF_MEMORY;
}

/* source.c: the row of a kind. */
const pool_source *cuna__pool_source(cuna_pool_kind kind);

/* segment.c. What calls the driver is called without the lock, release_cached with `growth`.
 * grow: a block by way of the driver. release_cached: what is cached for `home`, or all with -1, back to the driver.
 * free_segments: all of them back to the driver, unless that is gone, and the lists left as they are. */
cuna_status cuna__pool_grow(block **out, cuna_pool *pool, int home, int64_t nbytes);
void cuna__pool_release_cached(cuna_pool *pool, int home);
void cuna__pool_free_segments(cuna_pool *pool);

/* direct.c. hold: a block straight from the driver. let_go: back to the driver; called with the lock, which it lets go
 * meanwhile. The driver's own pool: opened, trimmed, and the bytes it has reserved; 0 when there is none. */
cuna_status cuna__pool_hold(block **out, cuna_pool *pool, int home, cu_stream handle, int64_t nbytes);
void cuna__pool_let_go(cuna_pool *pool, block *b);
cuna_status cuna__pool_open_driver_pool(cuna_pool *pool, cu_device device);
void cuna__pool_trim_driver(cuna_pool *pool);
int64_t cuna__pool_driver_nbytes(const cuna_pool *pool);

#endif

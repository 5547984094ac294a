/* pool.c: a pool from its making to its end: requests, returns, figures and messages.
 *
 * A request is served from the cache of its stream; from what streams left that are gone; from reserve or a new segment
 * within the limit; in need from any cache; and once more after all that is cached went back (segment.c). Blocks
 * go to the cache of the one stream that used them. The pool never waits for streams: `earlier` goes with the bytes,
 * and their next user waits.
 *
 * Two locks: `locked` guards the structures and is never held around a driver call, because freeing device memory may
 * wait for host functions that give blocks back. It is held for nanoseconds and spins, which costs one atomic operation
 * where a mutex costs two (8 against 18 ns). `growth` serialises what calls the driver, so that no thread reports lack
 * of memory while another thread is about to release some. Order: growth, then locked. */
#include "pool/blocks.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_NBYTES   ((int64_t)1 << 50) /* keeps bin indices and sums in range */
#define BATCH_BLOCKS 64

bool cuna__pool_refill(cuna_pool *pool)
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

int cuna__pool_open_arena(cuna_pool *pool, int home)
{
    pool->arenas[home] = calloc(1, sizeof *pool->arenas[home]);
    return pool->arenas[home] ? home : 0;
}

void cuna__pool_settle_quick(cuna_pool *pool)
{
    for (; pool->quick; pool->quick &= pool->quick - 1) {
        arena *home = pool->arenas[__builtin_ctzll(pool->quick)];
        for (int units = 1; units <= POOL_QUICK_UNITS; units++)
            for (block *b; (b = home->quick[units]);) {
                home->quick[units] = b->bin_next;
                b->state = CACHED;
                settle(pool, b);
            }
    }
}

static void describe_limit(char *text, size_t capacity, int64_t limit_nbytes)
{
    if (limit_nbytes)
        snprintf(text, capacity, "limit %lld", (long long)limit_nbytes);
    else
        snprintf(text, capacity, "no limit");
}

static void describe_device(char *text, size_t capacity, const cuna_pool *pool)
{
    size_t free_nbytes = 0, total_nbytes = 0;
    text[0] = '\0';
    if (pool->source->of_host)
        return;
    if (pool->driver->mem_get_info(&free_nbytes, &total_nbytes) != CU_SUCCESS)
        free_nbytes = total_nbytes = 0;
    snprintf(text, capacity, ", device has %zu free of %zu", free_nbytes, total_nbytes);
}

static cuna_status fail_memory(cuna_pool *pool, int64_t nbytes)
{
    cuna_pool_stats now;
    char limit[48], device[80];
    cuna__pool_stats(&now, pool);
    describe_limit(limit, sizeof limit, now.limit_nbytes);
    describe_device(device, sizeof device, pool);
    return cuna_fail(CUNA_MEMORY,
                     "cannot allocate %lld bytes%s on %s: %lld in use, %lld cached (largest block %lld), %s%s; "
                     "free arrays (x:free(), cn.scope) or raise the limit",
                     (long long)nbytes, pool->source->of_host ? " of pinned memory" : "", pool->device_name,
                     (long long)now.used_nbytes, (long long)now.free_nbytes, (long long)now.largest_free_nbytes, limit,
                     device);
}

cuna_status cuna__pool_fail(cuna_pool *pool, int64_t nbytes, cu_result result)
{
    const char *name = NULL;
    if (is_memory(result))
        return fail_memory(pool, nbytes);
    if (pool->driver->get_error_name(result, &name) != CU_SUCCESS || !name)
        name = "unknown error";
    return cuna_fail(CUNA_DEVICE, "cannot allocate %lld bytes: the driver says %s (%d)", (long long)nbytes, name,
                     result);
}

/* Nobody else knows the pool any more. */
static void destroy(cuna_pool *pool)
{
    cuna__pool_free_segments(pool);
    if (!pool->abandoned)
        cuna__pool_trim_driver(pool);
    for (batch *each = pool->batches, *next; each; each = next) {
        next = each->next;
        free(each->blocks);
        free(each);
    }
    for (int i = 1; i < POOL_ARENAS; i++)
        free(pool->arenas[i]);
    pthread_mutex_destroy(&pool->growth);
    free(pool);
}

cuna_status cuna__pool_create(cuna_pool **out, cuna_pool_kind kind, const cuna_driver *driver, cu_device device,
                              const char *device_name, const uint64_t *live)
{
    cuna_pool *pool = calloc(1, sizeof *pool);
    cuna_status status = CUNA_OK;
    if (!pool)
        return cuna_fail(CUNA_MEMORY, "cannot allocate %zu bytes of host memory for a pool", sizeof *pool);
    pthread_mutex_init(&pool->growth, NULL);
    pool->source = cuna__pool_source(kind);
    pool->driver = driver;
    pool->device_name = device_name;
    pool->live = live;
    pool->arenas[0] = &pool->first;
    if (pool->source->driver_caches)
        status = cuna__pool_open_driver_pool(pool, device);
    if (status == CUNA_OK)
        *out = pool;
    else
        destroy(pool);
    return status;
}

static bool is_over(const cuna_pool *pool)
{
    return pool->released && pool->used_nbytes == 0;
}

void cuna__pool_release(cuna_pool *pool)
{
    if (!pool)
        return;
    lock(pool);
    pool->released = true;
    bool over = is_over(pool);
    unlock(pool);
    if (over)
        destroy(pool);
}

/* Initialises the locks again: statistics are still read, and blocks still counted. */
void cuna__pool_abandon(cuna_pool *pool)
{
    if (pool->abandoned)
        return;
    pool->abandoned = true;
    unlock(pool);
    pthread_mutex_init(&pool->growth, NULL);
}

cuna_status cuna__pool_alloc(cuna_block **out, cuna_pool *pool, int home, cu_stream handle, int64_t nbytes)
{
    block *found = NULL;
    if (pool->abandoned)
        return cuna_fail(CUNA_DEVICE, "cannot allocate %lld bytes: the device is not there any more",
                         (long long)nbytes);
    if (nbytes > MAX_NBYTES)
        return fail_memory(pool, nbytes);
    /* An allocation of 0 bytes gets a unit too, so that addresses differ. */
    int64_t rounded = cuna__ceil_div(cuna__max(nbytes, 1), POOL_UNIT_NBYTES) * POOL_UNIT_NBYTES;
    if (pool->source->caches) {
        lock(pool);
        home = find_home(pool, home);
        found = take(pool, home, rounded);
        unlock(pool);
        if (__builtin_expect(!found, 0))
            CUNA_TRY(cuna__pool_grow(&found, pool, home, rounded));
    } else {
        CUNA_TRY(cuna__pool_hold(&found, pool, home, handle, rounded));
    }
    *out = found;
    return CUNA_OK;
}

/* Who used a block waited for those in `earlier`, which need not be waited for again. */
static void forget_earlier(cuna_pool *pool, block *b)
{
    uint64_t streams = b->streams;
    b->earlier = streams;
    b->is_marked = true;
    b->streams = 0;
    if ((streams & (streams - 1)) == 0)
        b->home = (int8_t)find_home(pool, __builtin_ctzll(streams));
}

static void take_back(cuna_pool *pool, block *b)
{
    if (pool->abandoned) { /* another thread may have been changing the lists when the process forked */
        uncharge(pool, b->nbytes);
        b->state = SPARE;
        return;
    }
    use(pool, -b->nbytes);
    if (b->streams)
        forget_earlier(pool, b);
    if (b->kind == SMALL && b->nbytes <= POOL_QUICK_UNITS * POOL_UNIT_NBYTES) {
        keep_quick(pool, b);
        return;
    }
    b->state = CACHED;
    settle(pool, b);
}

void cuna__pool_free(cuna_block *b)
{
    if (!b)
        return;
    cuna_pool *pool = b->pool;
    lock(pool);
    if (__builtin_expect(b->state == USED, 1))
        take_back(pool, b);
    else if (b->state == HELD)
        cuna__pool_let_go(pool, b);
    bool over = is_over(pool);
    unlock(pool);
    if (__builtin_expect(over, 0))
        destroy(pool);
}

bool cuna__pool_frees_by_driver(const cuna_pool *pool)
{
    return !pool->source->caches || pool->released;
}

bool cuna__pool_is_plain(const cuna_pool *pool)
{
    return pool->source == cuna__pool_source(CUNA_POOL_DEVICE);
}

bool cuna__pool_is_ordered(const cuna_pool *pool)
{
    return pool->source->driver_caches;
}

int cuna__pool_home(const cuna_block *b)
{
    return b->home;
}

void cuna__pool_free_on(cuna_block *b, cu_stream handle)
{
    b->handle = handle;
    cuna__pool_free(b);
}

void cuna__pool_seal(cuna_pool *pool)
{
    pool->sealed = true;
}

void cuna__pool_trim(cuna_pool *pool, int home)
{
    if (pool->abandoned)
        return;
    pthread_mutex_lock(&pool->growth);
    cuna__pool_release_cached(pool, home);
    cuna__pool_trim_driver(pool);
    pthread_mutex_unlock(&pool->growth);
}

int64_t cuna__pool_limit(const cuna_pool *pool)
{
    return __atomic_load_n(&pool->limit_nbytes, __ATOMIC_RELAXED);
}

void cuna__pool_set_limit(cuna_pool *pool, int64_t nbytes)
{
    lock(pool);
    pool->limit_nbytes = cuna__max(nbytes, 0);
    unlock(pool);
}

int64_t cuna__pool_used_nbytes(const cuna_pool *pool)
{
    return __atomic_load_n(&pool->used_nbytes, __ATOMIC_RELAXED);
}

static int64_t largest_cached(const cuna_pool *pool)
{
    int64_t largest = 0;
    for (uint64_t left = pool->occupied; left; left &= left - 1) {
        const arena *each = pool->arenas[__builtin_ctzll(left)];
        largest = cuna__max(largest, cuna__max(bins_largest(&each->bins[SMALL]), bins_largest(&each->bins[LARGE])));
    }
    return largest;
}

void cuna__pool_stats(cuna_pool_stats *out, cuna_pool *pool)
{
    int64_t driver_nbytes = cuna__pool_driver_nbytes(pool);
    lock(pool);
    if (!pool->abandoned)
        cuna__pool_settle_quick(pool);
    *out = (cuna_pool_stats){
        .used_nbytes = pool->used_nbytes,
        .total_nbytes = cuna__max(pool->total_nbytes, driver_nbytes),
        .free_blocks = pool->free_blocks,
        .limit_nbytes = pool->limit_nbytes,
        .largest_free_nbytes = largest_cached(pool),
    };
    unlock(pool);
    out->free_nbytes = out->total_nbytes - out->used_nbytes;
}

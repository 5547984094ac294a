/* pool.h: memory in cached blocks, from one of the sources that a driver has.
 *
 * Sizes are rounded up to 512 bytes. Segments come from the driver (2 MiB slabs for small requests, a separate segment
 * for a large one) and are carved into blocks; a freed block is cached, merged with cached neighbours and reused best
 * fit. Statistics count carved blocks only: used + free = total, and the uncarved rest of a slab counts nowhere.
 *
 * Blocks are cached by the stream that used them, its home, so that streams beside each other do not wait for each
 * other's memory. A block remembers which streams may still be at work on it; its next user waits for these
 * (cuna__stream_claim), the pool never does. */
#ifndef CUNA_POOL_POOL_H
#define CUNA_POOL_POOL_H

#include "base/base.h"
#include "base/status.h"
#include "seam/driver.h"

typedef struct cuna_pool cuna_pool;

/* A block handed out. Streams are bits by their numbers. The fields after `streams` are private to the pool, but for
 * `earlier`, which cuna__block_earlier reads. Requests and returns touch the first 64 bytes only, as long as there is
 * one stream: blocks that were garbage for long are in no cache. */
typedef struct cuna_block {
    _Alignas(64)
        cu_deviceptr ptr; /* at least 512-byte aligned relative to its segment, segments at least 64-byte aligned */
    int64_t nbytes;       /* rounded size */
    cuna_pool *pool;
    uint64_t
        streams; /* that used the block since it was handed out: each of them waited for those in `earlier`. Changes
                       * atomically; while the block lies in a bin, the address of the one before it there */
    struct cuna_block *bin_next;    /* the next one in the bin */
    struct cuna_block *prev, *next; /* neighbours in the segment; a SPARE block uses next */
    int8_t state, kind, home;       /* home: the stream whose cache it lies in or goes to; 0 when RESERVE */
    bool is_marked;                 /* `earlier` holds */
    uint64_t earlier;               /* streams that may still be at work on it from before. Changes atomically */
    cu_stream handle;               /* of a HELD block: the stream it goes back on */
} cuna_block;

/* Streams that may still be at work on a block from before it was handed out. */
static inline uint64_t cuna__block_earlier(const cuna_block *block)
{
    return block->is_marked ? __atomic_load_n(&block->earlier, __ATOMIC_RELAXED) : 0;
}

/* Begins another life of a block that is in use, for the sake of order: each stream that uses it next waits for those that
 * did, because no program knows when they did. */
static inline void cuna__block_begin_life(cuna_block *block)
{
    uint64_t users = __atomic_exchange_n(&block->streams, 0, __ATOMIC_RELAXED);
    if (users == 0)
        return;
    __atomic_store_n(&block->earlier, cuna__block_earlier(block) | users, __ATOMIC_RELAXED);
    block->is_marked = true;
}

/* Where a pool's memory comes from, and whether it is kept. */
typedef enum cuna_pool_kind {
    CUNA_POOL_DEVICE,  /* cuMemAlloc */
    CUNA_POOL_MANAGED, /* cuMemAllocManaged */
    CUNA_POOL_PINNED,  /* cuMemHostAlloc: `ptr` is the host's; a block that is given back is not in use any more */
    CUNA_POOL_DIRECT,  /* cuMemAlloc, and back to the driver at once: nothing is cached */
    CUNA_POOL_ASYNC,   /* cuMemAllocAsync and cuMemFreeAsync on the home stream: the driver's pool caches */
    CUNA_POOL_KINDS
} cuna_pool_kind;

typedef struct cuna_pool_stats {
    int64_t used_nbytes, free_nbytes, total_nbytes; /* used + free = total; free also counts the driver's pool's */
    int64_t free_blocks;                            /* cached blocks */
    int64_t limit_nbytes;                           /* 0: none */
    int64_t largest_free_nbytes;
} cuna_pool_stats;

/* `live` has the bits of streams that exist; it is read as long as the pool is there. What is cached for streams that
 * are gone serves all others. */
cuna_status cuna__pool_create(cuna_pool **out, cuna_pool_kind kind, const cuna_driver *driver, cu_device device,
                              const char *device_name, const uint64_t *live);

/* The owner has no use for the pool any more: it goes with the last of its blocks. Legal after the driver shut down. */
void cuna__pool_release(cuna_pool *pool);

/* From now on no call of the pool's touches the driver or waits for a thread: for the child of a fork, where neither is
 * there. Blocks that come back are forgotten, and none is handed out. */
void cuna__pool_abandon(cuna_pool *pool);

/* A block of at least nbytes (> 0) for work on stream `home` (its number; `handle` for the driver). Over the limit, or
 * when the driver has no more, cached blocks are released and the request tried once more; then MEMORY with asked, in
 * use, cached, largest cached block, limit and what the device has free. Thread-safe. */
cuna_status cuna__pool_alloc(cuna_block **out, cuna_pool *pool, int home, cu_stream handle, int64_t nbytes);

/* Takes a block back; NULL is fine. Cannot fail. Thread-safe. A block of a kind without a cache, and the last of a
 * released pool, go back to the driver at once: the device is current then, and the caller no host function. */
void cuna__pool_free(cuna_block *block);

/* Whether giving a block back may call the driver: the device must be current then. */
bool cuna__pool_frees_by_driver(const cuna_pool *pool);

/* Whether its memory is the device's alone (DEVICE). */
bool cuna__pool_is_plain(const cuna_pool *pool);

/* Whether all its memory is the device's, from cuMemAlloc, and is cached (DEVICE). */
bool cuna__pool_is_plain(const cuna_pool *pool);

/* A block of a pool of the driver's (ASYNC) is freed on a stream: its home's, after the others that use it. */
bool cuna__pool_is_ordered(const cuna_pool *pool);
int cuna__pool_home(const cuna_block *block);
void cuna__pool_free_on(cuna_block *block, cu_stream handle);

/* While a pool is sealed nothing that it caches goes back to the driver. */
void cuna__pool_seal(cuna_pool *pool);

/* Releases cached blocks, those of stream `home` only, or all with -1; whole segments go back to the driver. */
void cuna__pool_trim(cuna_pool *pool, int home);

int64_t cuna__pool_limit(const cuna_pool *pool); /* of total_nbytes; 0: none */

/* Limits total_nbytes; 0 removes the limit. Lowering it below what is in use only stops growth. */
void cuna__pool_set_limit(cuna_pool *pool, int64_t nbytes);

void cuna__pool_stats(cuna_pool_stats *out, cuna_pool *pool);

/* Bytes handed out now, which pace collectors. Read without the lock. */
int64_t cuna__pool_used_nbytes(const cuna_pool *pool);

#endif

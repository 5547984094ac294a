/* pool.h: device memory in cached blocks.
 *
 * Sizes are rounded up to 512 bytes. Segments come from the driver (2 MiB slabs for small requests, a segment of its own
 * for a large one) and are carved into blocks; a freed block is cached, merged with cached neighbours and reused best
 * fit. Statistics count carved blocks only: used + free = total, and the uncarved rest of a slab counts nowhere. */
#ifndef CUNA_POOL_H
#define CUNA_POOL_H

#include "base.h"
#include "driver.h"
#include "status.h"

typedef struct cuna_pool cuna_pool;

/* A block handed out: the pool's own bookkeeping lies behind these two fields. */
typedef struct cuna_block {
    cu_deviceptr ptr; /* at least 512-byte aligned relative to its segment, segments at least 64-byte aligned */
    int64_t nbytes;   /* rounded size */
} cuna_block;

typedef struct cuna_pool_stats {
    int64_t used_nbytes, free_nbytes, total_nbytes; /* used + free = total */
    int64_t free_blocks;                            /* cached blocks */
    int64_t limit_nbytes;                           /* 0: none */
    int64_t largest_free_nbytes;
} cuna_pool_stats;

cuna_status cuna__pool_create(cuna_pool **out, const cuna_driver *driver, const char *device_name);

/* Gives every segment back, also those in use; legal after the driver shut down. */
void cuna__pool_destroy(cuna_pool *pool);

/* From now on no call of the pool's touches the driver or waits for a thread: for the child of a fork, where neither is
 * there. Blocks that come back are forgotten, and none is handed out. */
void cuna__pool_abandon(cuna_pool *pool);

/* A block of at least nbytes (> 0). Over the limit, or when the driver has no more, cached blocks are released and the
 * request tried once more; then MEMORY with asked, in use, cached, limit and what the device has free. Thread-safe. */
cuna_status cuna__pool_alloc(cuna_block **out, cuna_pool *pool, int64_t nbytes);

/* Takes a block back. Cannot fail. Thread-safe. */
void cuna__pool_free(cuna_pool *pool, cuna_block *block);

/* Releases every cached block; whole segments go back to the driver. */
void cuna__pool_trim(cuna_pool *pool);

/* Limits total_nbytes; 0 removes the limit. Lowering it below what is in use only stops growth. */
void cuna__pool_set_limit(cuna_pool *pool, int64_t nbytes);

void cuna__pool_stats(cuna_pool_stats *out, cuna_pool *pool);

/* Bytes ever handed out; differences pace collectors. Read without the lock. */
int64_t cuna__pool_taken_nbytes(const cuna_pool *pool);

#endif

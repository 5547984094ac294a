/* allocator.c: memory pools on devices, of one kind each.
 *
 * The process has two of its own: of devices' memory, which are the devices' own pools, and of pinned memory. Others belong
 * to their maker; a pool outlives its allocator while blocks of it are in use.
 *
 * The driver's own pool (ASYNC) gets blocks back in the order of a stream, so that stream waits for the others first;
 * with all other kinds the next user of the block waits. */
#include "device/allocator.h"

#include <pthread.h>
#include <stdlib.h>

#include "device/staging.h"
#include "device/stream.h"
#include "device/trace.h"

static cuna_allocator device_allocator = {.kind = CUNA_ALLOCATE_DEVICE};
static cuna_allocator pinned_allocator = {.kind = CUNA_ALLOCATE_PINNED};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* making pools */

static const cuna_pool_kind pool_kinds[] = {
    [CUNA_ALLOCATE_DEVICE] = CUNA_POOL_DEVICE, [CUNA_ALLOCATE_MANAGED] = CUNA_POOL_MANAGED,
    [CUNA_ALLOCATE_PINNED] = CUNA_POOL_PINNED, [CUNA_ALLOCATE_DIRECT] = CUNA_POOL_DIRECT,
    [CUNA_ALLOCATE_ASYNC] = CUNA_POOL_ASYNC,
};

static bool is_own(const cuna_allocator *allocator)
{
    return allocator == &device_allocator || allocator == &pinned_allocator;
}

cuna_status cuna_allocator_create(cuna_allocator **out, cuna_allocator_kind kind)
{
    cuna_allocator *allocator = calloc(1, sizeof *allocator);
    if (allocator == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for an allocator");
    *allocator = (cuna_allocator){.references = 1, .kind = kind};
    *out = allocator;
    return CUNA_OK;
}

void cuna_allocator_retain(cuna_allocator *allocator)
{
    __atomic_add_fetch(&allocator->references, 1, __ATOMIC_RELAXED);
}

void cuna_allocator_release(cuna_allocator *allocator)
{
    if (__atomic_sub_fetch(&allocator->references, 1, __ATOMIC_ACQ_REL) != 0 || is_own(allocator))
        return;
    for (int number = 0; number < CUNA_MAX_DEVICES; number++) {
        cuna_pool *pool = allocator->pools[number];
        if (pool != NULL) {
            cuna_device *device = cuna__device_by_number(number);
            cuna__device_drop_pool(device, pool);
            cuna__device_enter(device);
            cuna__pool_release(pool);
        }
    }
    free(allocator);
}

cuna_allocator_kind cuna_allocator_get_kind(const cuna_allocator *allocator)
{
    return allocator->kind;
}

cuna_allocator *cuna_allocator_default(cuna_allocator_kind kind)
{
    return kind == CUNA_ALLOCATE_PINNED ? &pinned_allocator : &device_allocator;
}

static cuna_status make_pool(cuna_pool **out, const cuna_allocator *allocator, cuna_device *device)
{
    if (allocator == &device_allocator) {
        *out = device->pool;
        return CUNA_OK;
    }
    CUNA_TRY(cuna__device_make_pool(out, device, pool_kinds[allocator->kind]));
    cuna_status status = cuna__device_add_pool(device, *out);
    if (status != CUNA_OK)
        cuna__pool_release(*out);
    return status;
}

cuna_status cuna__allocator_pool(cuna_pool **out, cuna_allocator *allocator, cuna_device *device)
{
    cuna_pool **slot = &allocator->pools[device->number];
    cuna_status status = CUNA_OK;
    *out = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    pthread_mutex_lock(&lock);
    if (*slot == NULL)
        status = make_pool(out, allocator, device);
    if (status == CUNA_OK && *slot == NULL)
        __atomic_store_n(slot, *out, __ATOMIC_RELEASE);
    *out = *slot;
    pthread_mutex_unlock(&lock);
    return status;
}

cuna_status cuna_allocator_memory(cuna_memory_stats *out, cuna_allocator *allocator, cuna_device *device)
{
    cuna_pool *pool;
    cuna_pool_stats stats;
    size_t free_nbytes = 0, total_nbytes = 0;
    CUNA_TRY(cuna__allocator_pool(&pool, allocator, device));
    bool entered = cuna__device_enter(device) == CUNA_OK; /* what was recorded takes and gives memory first */
    cuna__pool_stats(&stats, pool);
    if (allocator == &pinned_allocator) {
        int64_t slots = 0, nbytes = cuna__staging_idle(&slots, device);
        stats.free_nbytes += nbytes;
        stats.total_nbytes += nbytes;
        stats.free_blocks += slots;
    }
    if (entered)
        device->driver->mem_get_info(&free_nbytes, &total_nbytes);
    *out = (cuna_memory_stats){stats.used_nbytes,  stats.free_nbytes,    stats.total_nbytes,   stats.free_blocks,
                               stats.limit_nbytes, (int64_t)free_nbytes, (int64_t)total_nbytes};
    return CUNA_OK;
}

cuna_status cuna_allocator_trim(cuna_allocator *allocator, cuna_device *device, const cuna_stream *stream)
{
    cuna_pool *pool;
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__allocator_pool(&pool, allocator, device));
    cuna__pool_trim(pool, stream != NULL ? stream->number : -1);
    return allocator == &pinned_allocator ? cuna__staging_release(device) : CUNA_OK;
}

cuna_status cuna_allocator_set_limit(cuna_allocator *allocator, cuna_device *device, int64_t nbytes)
{
    cuna_pool *pool;
    CUNA_TRY(cuna__allocator_pool(&pool, allocator, device));
    cuna__pool_set_limit(pool, nbytes);
    return CUNA_OK;
}

/* Where one stream cannot wait for the others the host waits; where that fails too the device is dead. */
static void free_in_order(cuna_device *device, cuna_block *block)
{
    cu_stream handle = NULL;
    cuna_stream *made;
    uint64_t users = block->streams | cuna__block_earlier(block);
    if (cuna__stream_follow(&handle, &made, device, cuna__pool_home(block), users) != CUNA_OK)
        cuna__streams_wait(device);
    cuna__pool_free_on(block, handle);
    if (made != NULL)
        cuna_stream_release(made);
}

static void free_by_driver(cuna_device *device, cuna_block *block)
{
    bool entered = cuna__device_enter(device) == CUNA_OK;
    if (device->lost) /* a pool that its allocator left before the fork was not abandoned yet */
        cuna__pool_abandon(block->pool);
    if (entered && cuna__pool_is_ordered(block->pool))
        free_in_order(device, block);
    else
        cuna__pool_free_on(block, NULL);
}

void cuna__block_free(cuna_device *device, cuna_block *block)
{
    if (block == NULL)
        return;
    cuna__trace_block(CUNA_TRACE_FREE, device, block->ptr, block->nbytes);
    if (__builtin_expect(cuna__pool_frees_by_driver(block->pool), 0))
        free_by_driver(device, block);
    else
        cuna__pool_free(block);
}

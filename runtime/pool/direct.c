/* direct.c: pools without a cache of their own: every block is one allocation of the driver.
 *
 * Blocks are counted and limited like those of a cache. The driver is called without the lock; what is taken counts
 * before the call, and what is given back counts until after it, so that the limit holds at every moment. */
#include "pool/blocks.h"

cuna_status cuna__pool_open_driver_pool(cuna_pool *pool, cu_device device)
{
    uint64_t keep_all = UINT64_MAX;
    const char *name = NULL;
    cu_result result = pool->driver->device_get_default_mem_pool(&pool->driver_pool, device);
    if (result == CU_SUCCESS)
        result = pool->driver->mem_pool_set_attribute(pool->driver_pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep_all);
    if (result == CU_SUCCESS)
        return CUNA_OK;
    if (pool->driver->get_error_name(result, &name) != CU_SUCCESS || !name)
        name = "unknown error";
    return cuna_fail(CUNA_DEVICE, "device %s has no asynchronous memory pool: the driver says %s (%d); use MemoryPool",
                     pool->device_name, name, result);
}

void cuna__pool_trim_driver(cuna_pool *pool)
{
    if (pool->driver_pool)
        pool->driver->mem_pool_trim_to(pool->driver_pool, 0);
}

int64_t cuna__pool_driver_nbytes(const cuna_pool *pool)
{
    uint64_t nbytes = 0;
    if (!pool->driver_pool || pool->abandoned)
        return 0;
    cu_result result =
        pool->driver->mem_pool_get_attribute(pool->driver_pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &nbytes);
    return result == CU_SUCCESS ? (int64_t)nbytes : 0;
}

/* The driver hands memory out in the order of the home stream's work: others wait for that. */
static block *enter_held(cuna_pool *pool, block *b, int home, cu_stream handle, cu_deviceptr ptr, int64_t nbytes)
{
    *b = (block){.ptr = ptr, .nbytes = nbytes, .pool = pool, .state = HELD, .home = (int8_t)home, .handle = handle};
    b->is_marked = pool->source->driver_caches;
    b->earlier = (uint64_t)1 << home;
    return b;
}

/* NULL on failure, with the driver's result if it was called. */
static block *try_hold(cuna_pool *pool, int home, cu_stream handle, int64_t nbytes, cu_result *result)
{
    cu_deviceptr ptr = 0;
    *result = CU_SUCCESS;
    lock(pool);
    block *b = charge(pool, nbytes);
    unlock(pool);
    if (!b)
        return NULL;
    /* The driver is called without the lock. The bytes are charged before, so that several threads together stay
     * within the limit. */
    *result = pool->source->make(pool->driver, &ptr, (size_t)nbytes, handle);
    lock(pool);
    if (*result == CU_SUCCESS) {
        enter_held(pool, b, home, handle, ptr, nbytes);
    } else {
        uncharge(pool, nbytes);
        recycle(pool, b);
        b = NULL;
    }
    unlock(pool);
    return b;
}

cuna_status cuna__pool_hold(block **out, cuna_pool *pool, int home, cu_stream handle, int64_t nbytes)
{
    cu_result result;
    block *found = try_hold(pool, home, handle, nbytes, &result);
    if (result == CU_ERROR_OUT_OF_MEMORY) {
        cuna__pool_trim_driver(pool);
        found = try_hold(pool, home, handle, nbytes, &result);
    }
    *out = found;
    return found ? CUNA_OK : cuna__pool_fail(pool, nbytes, result);
}

void cuna__pool_let_go(cuna_pool *pool, block *b)
{
    b->state = SPARE; /* a second return finds nothing to do */
    if (!pool->abandoned) {
        unlock(pool);
        pool->source->give_back(pool->driver, b->ptr, b->handle);
        lock(pool);
        recycle(pool, b);
    }
    uncharge(pool, b->nbytes);
}

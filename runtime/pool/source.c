/* source.c: where each kind of pool has its memory from: a row of driver calls per kind. */
#include "pool/blocks.h"

static cu_result make_device(const cuna_driver *driver, cu_deviceptr *ptr, size_t nbytes, cu_stream handle)
{
    (void)handle;
    return driver->mem_alloc(ptr, nbytes);
}

static cu_result free_device(const cuna_driver *driver, cu_deviceptr ptr, cu_stream handle)
{
    (void)handle;
    return driver->mem_free(ptr);
}

static cu_result make_managed(const cuna_driver *driver, cu_deviceptr *ptr, size_t nbytes, cu_stream handle)
{
    (void)handle;
    return driver->mem_alloc_managed(ptr, nbytes, CU_MEM_ATTACH_GLOBAL);
}

static cu_result make_pinned(const cuna_driver *driver, cu_deviceptr *ptr, size_t nbytes, cu_stream handle)
{
    void *host = NULL;
    cu_result result = driver->mem_host_alloc(&host, nbytes, CU_MEMHOSTALLOC_PORTABLE);
    (void)handle;
    *ptr = (cu_deviceptr)(uintptr_t)host;
    return result;
}

static cu_result free_pinned(const cuna_driver *driver, cu_deviceptr ptr, cu_stream handle)
{
    (void)handle;
    return driver->mem_free_host((void *)(uintptr_t)ptr);
}

static cu_result make_async(const cuna_driver *driver, cu_deviceptr *ptr, size_t nbytes, cu_stream handle)
{
    return driver->mem_alloc_async(ptr, nbytes, handle);
}

static cu_result free_async(const cuna_driver *driver, cu_deviceptr ptr, cu_stream handle)
{
    return driver->mem_free_async(ptr, handle);
}

static const pool_source sources[CUNA_POOL_KINDS] = {
    [CUNA_POOL_DEVICE] = {make_device, free_device, .caches = true},
    [CUNA_POOL_MANAGED] = {make_managed, free_device, .caches = true},
    [CUNA_POOL_PINNED] = {make_pinned, free_pinned, .caches = true, .of_host = true},
    [CUNA_POOL_DIRECT] = {make_device, free_device, .caches = false},
    [CUNA_POOL_ASYNC] = {make_async, free_async, .driver_caches = true},
};

const pool_source *cuna__pool_source(cuna_pool_kind kind)
{
    return &sources[kind];
}

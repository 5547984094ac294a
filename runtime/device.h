/* device.h: a device as the runtime sees it: a driver's table, an ordinal in it, a memory pool and a few facts. */
#ifndef CUNA_DEVICE_H
#define CUNA_DEVICE_H

#include "cuna.h"
#include "driver.h"
#include "pool.h"

#define CUNA_MAX_DEVICES 32

struct cuna_device {
    const cuna_driver *driver;
    cuna_pool *pool;
    cu_context primary;
    cu_device ordinal;
    int number;          /* process-wide, an index for per-device tables */
    int64_t index_limit; /* reach from which kernels count elements with 64 bits */
    char name[24];       /* "cpu", "cuda:0" */
    char model[128];     /* the maker's name */
    char target[8192];   /* the driver's part of an image's cache key */
};

/* Makes the device's context current in this thread. */
cuna_status cuna__device_enter(cuna_device *device);

/* Turns a driver's answer into a status; `call` names what was tried. */
cuna_status cuna__device_check(const cuna_device *device, cu_result result, const char *call);

/* The text that, besides source and options, an image depends on; asked from the driver once. */
cuna_status cuna__device_target(const char **text, cuna_device *device);

/* Takes and returns memory of the device's pool. */
cuna_status cuna__device_alloc(cuna_block **out, cuna_device *device, int64_t nbytes);

#endif

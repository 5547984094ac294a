/* allocator.h: where memory comes from: a pool on each device. */
#ifndef CUNA_DEVICE_ALLOCATOR_H
#define CUNA_DEVICE_ALLOCATOR_H

#include "cuna.h"
#include "device/device.h"

struct cuna_allocator {
    int32_t references; /* not counted for the process' own */
    cuna_allocator_kind kind;
    cuna_pool *pools[CUNA_MAX_DEVICES]; /* by devices' numbers; made when first used, and never changed */
};

/* Its pool on a device. MEMORY. */
cuna_status cuna__allocator_pool(cuna_pool **out, cuna_allocator *allocator, cuna_device *device);

/* Gives a block of any pool back. Cannot fail. */
void cuna__block_free(cuna_device *device, cuna_block *block);

#endif

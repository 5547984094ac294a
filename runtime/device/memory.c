/* memory.c: the pools on a device: their limits, what they have in common, and how they pace collectors.
 *
 * A device has a default pool, and remembers those of allocators: when it has no memory left, what any of them caches is
 * given back; in the child of a fork all are abandoned; what is taken from any of them counts for collectors. */
#include <pthread.h>
#include <stdlib.h>

#include "base/environment.h"
#include "device/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the lists of other pools */

static cuna_status set_first_limit(cuna_device *device, cuna_pool *pool)
{
    size_t free_nbytes = 0, total_nbytes = 0;
    CUNA_TRY(cuna__device_check(device, device->driver->mem_get_info(&free_nbytes, &total_nbytes), "cuMemGetInfo"));
    device->total_nbytes = (int64_t)total_nbytes;
    int64_t limit = device->driver->facts.default_memory_limit ? (int64_t)(free_nbytes / 5 * 4) : 0;
    cuna__pool_set_limit(pool, cuna__environment_nbytes("CUNA_MEMORY_LIMIT", (int64_t)total_nbytes, limit));
    return CUNA_OK;
}

cuna_status cuna__device_make_pool(cuna_pool **out, cuna_device *device, cuna_pool_kind kind)
{
    cuna_pool *pool;
    CUNA_TRY(cuna__device_make_current(device)); /* a flush would need the pool */
    CUNA_TRY(cuna__pool_create(&pool, kind, device->driver, device->handle, device->name, &device->streams.live));
    cuna_status status = kind == CUNA_POOL_PINNED ? CUNA_OK : set_first_limit(device, pool);
    if (status != CUNA_OK) {
        cuna__pool_release(pool);
        return status;
    }
    *out = pool;
    return CUNA_OK;
}

static cuna_status remember(cuna_device *device, cuna_pool *pool)
{
    for (int i = 0; i < CUNA_DEVICE_POOLS; i++) {
        if (device->others[i] == NULL) {
            device->others[i] = pool;
            return CUNA_OK;
        }
    }
    return cuna_fail(CUNA_MEMORY, "%s has %d memory pools, which is all it can have; drop some", device->name,
                     CUNA_DEVICE_POOLS);
}

cuna_status cuna__device_add_pool(cuna_device *device, cuna_pool *pool)
{
    pthread_mutex_lock(&lock);
    cuna_status status = remember(device, pool);
    pthread_mutex_unlock(&lock);
    return status;
}

void cuna__device_drop_pool(cuna_device *device, cuna_pool *pool)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < CUNA_DEVICE_POOLS; i++)
        if (device->others[i] == pool)
            device->others[i] = NULL;
    pthread_mutex_unlock(&lock);
}

bool cuna__device_trim(cuna_device *device, const cuna_pool *but)
{
    bool any = device->pool != but;
    pthread_mutex_lock(&lock);
    if (any)
        cuna__pool_trim(device->pool, -1);
    for (int i = 0; i < CUNA_DEVICE_POOLS; i++) {
        if (device->others[i] != NULL && device->others[i] != but) {
            cuna__pool_trim(device->others[i], -1);
            any = true;
        }
    }
    pthread_mutex_unlock(&lock);
    return any;
}

/* In the child of a fork, whose one thread is this one. */
void cuna__device_abandon_pools(cuna_device *device)
{
    pthread_mutex_init(&lock, NULL);
    cuna__pool_abandon(device->pool);
    for (int i = 0; i < CUNA_DEVICE_POOLS; i++)
        if (device->others[i] != NULL)
            cuna__pool_abandon(device->others[i]);
}

/* ---- in need ---- */

#define SHORT_NBYTES ((size_t)256 << 20) /* a device with less than that left may have too little for a library */

bool cuna__device_make_room(cuna_device *device)
{
    return cuna__device_make_current(device) == CUNA_OK && cuna__device_trim(device, NULL); /* callers may hold locks */
}

bool cuna__device_is_short(cuna_device *device, bool (*is_memory)(int answer), int answer)
{
    size_t free_nbytes = 0, total_nbytes = 0;
    if (answer == 0 || is_memory(answer))
        return answer != 0;
    return !device->driver->facts.host_memory &&
           device->driver->mem_get_info(&free_nbytes, &total_nbytes) == CU_SUCCESS && free_nbytes < SHORT_NBYTES;
}

/* ---- pacing ---- */

#define COST_SHARE    4 /* garbage costs this many times its collection, if that can wait */
#define GARBAGE_SHARE 8 /* part of a GPU's memory that garbage may take until its collection pays */

bool cuna__device_garbage_pays(const cuna_device *device, int64_t nbytes, double collection_s, bool can_wait)
{
    const cuna_driver_facts *facts = &device->driver->facts;
    double garbage_s = facts->garbage_s * (double)nbytes / (double)facts->garbage_nbytes;
    return collection_s * (can_wait && nbytes < CUNA_GARBAGE_MOST_NBYTES ? COST_SHARE : 1) <= garbage_s;
}

/* GiB of garbage beside as much as is alive that are collected at any cost. GPUs have memory for patience: where a
 * collection takes longer than computing 1 GiB, they would wait most of the time. */
static double allowed_gib(const cuna_device *device, double patience)
{
    double share = (double)device->total_nbytes / GARBAGE_SHARE / CUNA_GARBAGE_MOST_NBYTES;
    return device->driver->facts.host_memory || share < 1 ? 1 : patience < share ? patience : share;
}

/* In use of the default pool, and ever taken from others, which are rare: what is freed there is not seen. */
static int64_t count_used(const cuna_device *device)
{
    return cuna__pool_used_nbytes(device->pool) + __atomic_load_n(&device->taken_nbytes, __ATOMIC_RELAXED);
}

/* What `growth` bytes in use more than at the least call for. */
static cuna_garbage judge(const cuna_device *device, int64_t growth, double collection_s, double patience)
{
    const cuna_driver_facts *facts = &device->driver->facts;
    if (__builtin_expect(growth <= facts->garbage_nbytes, 1))
        return CUNA_GARBAGE_LITTLE;
    int64_t alive = cuna__pool_used_nbytes(device->pool) - growth;
    if (!facts->host_memory && growth <= alive)
        return CUNA_GARBAGE_LITTLE;
    double gib = allowed_gib(device, patience);
    bool too_big = growth > (int64_t)(gib * CUNA_GARBAGE_MOST_NBYTES) + cuna__max(alive, 0);
    return too_big || cuna__device_garbage_pays(device, growth, gib * collection_s, true) ? CUNA_GARBAGE_TOO_MUCH
                                                                                          : CUNA_GARBAGE_MUCH;
}

cuna_garbage cuna_device_judge_garbage(int64_t *marks, double collection_s, double patience)
{
    const cuna_device *device;
    cuna_garbage worst = CUNA_GARBAGE_LITTLE;
    for (int i = 0; i < CUNA_MAX_DEVICES && (device = cuna__device_by_number(i)) != NULL; i++) {
        int64_t used = count_used(device);
        marks[i] = cuna__min(marks[i], used);
        worst = cuna__max(worst, judge(device, used - marks[i], collection_s, patience));
    }
    return worst;
}

void cuna_device_mark_garbage(int64_t *marks)
{
    const cuna_device *device;
    for (int i = 0; i < CUNA_MAX_DEVICES && (device = cuna__device_by_number(i)) != NULL; i++)
        marks[i] = count_used(device);
}

int64_t cuna_device_in_use(void)
{
    int64_t sum = 0;
    const cuna_device *device;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < CUNA_MAX_DEVICES && (device = cuna__device_by_number(i)) != NULL; i++) {
        sum += cuna__pool_used_nbytes(device->pool);
        for (int k = 0; k < CUNA_DEVICE_POOLS; k++)
            sum += device->others[k] != NULL ? cuna__pool_used_nbytes(device->others[k]) : 0;
    }
    pthread_mutex_unlock(&lock);
    return sum;
}

void cuna_device_memory(cuna_memory_stats *out, cuna_device *device)
{
    cuna_pool_stats stats;
    size_t free_nbytes = 0, total_nbytes = 0;
    cuna__pool_stats(&stats, device->pool);
    if (cuna__device_enter(device) == CUNA_OK)
        device->driver->mem_get_info(&free_nbytes, &total_nbytes);
    *out = (cuna_memory_stats){stats.used_nbytes,  stats.free_nbytes,    stats.total_nbytes,   stats.free_blocks,
                               stats.limit_nbytes, (int64_t)free_nbytes, (int64_t)total_nbytes};
}

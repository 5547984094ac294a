/* pool_reference.h: a made-up driver, and a reference that keeps a state for every unit of 512 bytes which it has.
 *
 * Programs are linked with --wrap for calloc and aligned_alloc, so that the host's memory can be refused as well. */
#ifndef SPEC_POOL_REFERENCE_H
#define SPEC_POOL_REFERENCE_H

#include <pthread.h>
#include <string.h>

#include "check.h"
#include "pool/pool.h"

enum { UNIT = 512, UNITS = 65536, SLAB = 4096, EVERYBODY = -1 };
enum { NONE, RESERVE, CACHED, USED }; /* of a unit: the driver's, and as in runtime/pool/blocks.h */

static const cu_deviceptr base = (cu_deviceptr)1 << 40;
static uint64_t live = 1;

/* ---- the reference: what every unit is, whose cache it lies in, who may still be at work on it ---- */

static unsigned char state[UNITS], home_of[UNITS];
static uint64_t at_work[UNITS];
static int64_t used, cached; /* units */

static inline void hand_out(int64_t first, int64_t count, int home)
{
    int old_home = home_of[first];
    int64_t end = first + count;
    bool moves = state[first] == CACHED && !(live >> old_home & 1);
    for (int64_t u = first; u < end; u++) {
        cached -= state[u] == CACHED;
        state[u] = USED;
        home_of[u] = (unsigned char)home;
    }
    used += count;
    for (int64_t u = end; moves && state[u] == CACHED && home_of[u] == old_home; u++)
        home_of[u] = (unsigned char)home;
}

/* Each user of the units waited for the previous ones. */
static inline void take_back(int64_t first, int64_t count, uint64_t streams)
{
    bool one = streams && !(streams & (streams - 1));
    for (int64_t u = first; u < first + count; u++) {
        state[u] = CACHED;
        at_work[u] = streams ? streams : at_work[u];
        home_of[u] = one ? (unsigned char)__builtin_ctzll(streams) : home_of[u];
    }
    used -= count;
    cached += count;
}

static inline void retire(int home)
{
    for (int64_t u = 0; u < UNITS; u++) {
        bool goes = state[u] == CACHED && (home == EVERYBODY || home_of[u] == home);
        state[u] = goes ? RESERVE : state[u];
        cached -= goes;
    }
}

/* ---- the made-up driver: segments in address order, a unit between each two ---- */

typedef struct segment {
    int64_t first, count;
} segment;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static segment segments[UNITS / 8];
static int nsegments, refusals, trims;
static cu_result refuse_with = CU_ERROR_OUT_OF_MEMORY;
static bool refused; /* since this was set to false */
static uint64_t reserved_nbytes, threshold;
static cu_stream made_on, freed_on; /* by the last calls */
static bool host_refuses;

void *__real_calloc(size_t count, size_t nbytes);
void *__real_aligned_alloc(size_t alignment, size_t nbytes);
void *__wrap_calloc(size_t count, size_t nbytes);
void *__wrap_aligned_alloc(size_t alignment, size_t nbytes);

void *__wrap_calloc(size_t count, size_t nbytes)
{
    return host_refuses ? NULL : __real_calloc(count, nbytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t nbytes)
{
    return host_refuses ? NULL : __real_aligned_alloc(alignment, nbytes);
}

/* The place among the segments in front of which there is room; -1. */
static inline int find_gap(int64_t count, int64_t *first)
{
    int64_t at = 1;
    for (int i = 0; i < nsegments; i++) {
        if (segments[i].first - at > count) {
            *first = at;
            return i;
        }
        at = segments[i].first + segments[i].count + 1;
    }
    *first = at;
    return at + count < UNITS ? nsegments : -1;
}

static inline cu_result answer(cu_deviceptr *ptr, size_t nbytes)
{
    int64_t first = 0, count = (int64_t)nbytes / UNIT;
    int place = find_gap(count, &first);
    if (refusals > 0)
        refusals--, place = -2;
    if (place < 0) {
        refused = true;
        return place == -1 ? CU_ERROR_OUT_OF_MEMORY : refuse_with;
    }
    memmove(segments + place + 1, segments + place, (size_t)(nsegments++ - place) * sizeof *segments);
    segments[place] = (segment){first, count};
    memset(state + first, RESERVE, (size_t)count);
    *ptr = base + (cu_deviceptr)first * UNIT;
    return CU_SUCCESS;
}

static inline cu_result make(cu_deviceptr *ptr, size_t nbytes, cu_stream handle)
{
    pthread_mutex_lock(&mutex);
    cu_result result = answer(ptr, nbytes);
    made_on = handle;
    pthread_mutex_unlock(&mutex);
    return result;
}

/* Freeing waits for all work, so nobody is at work on the units any more. */
static inline cu_result give_back(cu_deviceptr ptr, cu_stream handle)
{
    int place = 0;
    int64_t first = (int64_t)(ptr - base) / UNIT;
    pthread_mutex_lock(&mutex);
    while (place < nsegments && segments[place].first != first)
        place++;
    CHECK(place < nsegments);
    freed_on = handle;
    for (int64_t u = first; u < first + segments[place].count; u++) {
        CHECK(state[u] == RESERVE || state[u] == CACHED);
        cached -= state[u] == CACHED;
        state[u] = NONE;
        at_work[u] = 0;
    }
    memmove(segments + place, segments + place + 1, (size_t)(--nsegments - place) * sizeof *segments);
    pthread_mutex_unlock(&mutex);
    return CU_SUCCESS;
}

static inline cu_result mem_alloc(cu_deviceptr *ptr, size_t nbytes)
{
    return make(ptr, nbytes, NULL);
}

static inline cu_result mem_alloc_managed(cu_deviceptr *ptr, size_t nbytes, unsigned flags)
{
    CHECK(flags == CU_MEM_ATTACH_GLOBAL);
    return make(ptr, nbytes, NULL);
}

static inline cu_result mem_free(cu_deviceptr ptr)
{
    return give_back(ptr, NULL);
}

static inline cu_result mem_host_alloc(void **ptr, size_t nbytes, unsigned flags)
{
    cu_deviceptr at = 0;
    CHECK(flags == CU_MEMHOSTALLOC_PORTABLE);
    cu_result result = make(&at, nbytes, NULL);
    *ptr = (void *)(uintptr_t)at;
    return result;
}

static inline cu_result mem_free_host(void *ptr)
{
    return give_back((cu_deviceptr)(uintptr_t)ptr, NULL);
}

static inline cu_result mem_get_info(size_t *free_nbytes, size_t *total_nbytes)
{
    *free_nbytes = 7;
    *total_nbytes = 77;
    return CU_SUCCESS;
}

static inline cu_result get_error_name(cu_result result, const char **name)
{
    *name = result == CU_ERROR_NOT_SUPPORTED ? "NOT_SUPPORTED" : "SOMETHING";
    return CU_SUCCESS;
}

static inline cu_result get_pool(cu_mem_pool *pool, cu_device device)
{
    *pool = (cu_mem_pool)&reserved_nbytes;
    return device == 3 ? CU_SUCCESS : CU_ERROR_NOT_SUPPORTED;
}

static inline cu_result get_attribute(cu_mem_pool pool, int attribute, void *value)
{
    CHECK(pool == (cu_mem_pool)&reserved_nbytes && attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
    *(uint64_t *)value = reserved_nbytes;
    return CU_SUCCESS;
}

static inline cu_result set_attribute(cu_mem_pool pool, int attribute, void *value)
{
    CHECK(pool == (cu_mem_pool)&reserved_nbytes && attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
    threshold = *(uint64_t *)value;
    return CU_SUCCESS;
}

static inline cu_result trim_to(cu_mem_pool pool, size_t keep_nbytes)
{
    CHECK(pool == (cu_mem_pool)&reserved_nbytes && keep_nbytes == 0);
    trims++;
    return CU_SUCCESS;
}

static const cuna_driver driver = {
    .mem_alloc = mem_alloc,
    .mem_free = mem_free,
    .mem_alloc_managed = mem_alloc_managed,
    .mem_host_alloc = mem_host_alloc,
    .mem_free_host = mem_free_host,
    .mem_alloc_async = make,
    .mem_free_async = give_back,
    .mem_get_info = mem_get_info,
    .get_error_name = get_error_name,
    .device_get_default_mem_pool = get_pool,
    .mem_pool_get_attribute = get_attribute,
    .mem_pool_set_attribute = set_attribute,
    .mem_pool_trim_to = trim_to,
};

static inline cuna_pool *open_pool(cuna_pool_kind kind)
{
    cuna_pool *pool = NULL;
    CHECK(cuna__pool_create(&pool, kind, &driver, 3, "cuda:3", &live) == CUNA_OK);
    return pool;
}

static inline cuna_pool_stats stats_of(cuna_pool *pool)
{
    cuna_pool_stats stats;
    cuna__pool_stats(&stats, pool);
    return stats;
}

static inline int64_t unit_of(const cuna_block *block)
{
    return (int64_t)(block->ptr - base) / UNIT;
}

/* A stream's handle for the driver: any unique address. */
static inline cu_stream handle_of(int number)
{
    return number == 0 ? NULL : (cu_stream)(void *)(state + number);
}

#endif

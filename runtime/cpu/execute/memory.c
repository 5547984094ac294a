/* memory.c: memory of the cpu device, its copies and sets.
 *
 * Large allocations are separate mappings, aligned for huge pages; small ones come from malloc. Each has a record in a
 * hash table, so that free finds the size and rejects foreign pointers.
 *
 * Large copies and sets are divided over the thread pool and bypass the caches, which would first read every line
 * before it is overwritten: a third of a copy's traffic. */
#define _GNU_SOURCE 1
#include "cpu/execute/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu/execute/threads.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define HUGE_PAGE       ((size_t)2 << 20)
#define READABLE        ((size_t)1 << 20) /* bytes behind a mapping */
#define SMALL_ALIGNMENT 512               /* the pool's unit, and CUDA's alignment */
#define LARGE_NBYTES    ((size_t)4 << 20)
#define PIECE_NBYTES    ((int64_t)1 << 20)
#define NBUCKETS        1024

struct record {
    struct record *next;
    void *ptr;
    size_t mapped_nbytes; /* 0: from malloc */
    size_t pool_nbytes;   /* 0: not of the pool */
};

/* The stream-ordered pool: what it counts. */
struct cu_mem_pool_s {
    uint64_t threshold, used, most; /* the maximum since the last reset */
};

static struct cu_mem_pool_s pool;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record *buckets[NBUCKETS];

static void lock_records(void)
{
    pthread_mutex_lock(&lock);
}

static void unlock_records(void)
{
    pthread_mutex_unlock(&lock);
}

/* A fork takes the lock first, so that the child finds consistent records and a free lock. */
static void watch_forks(void)
{
    pthread_atfork(lock_records, unlock_records, unlock_records);
}

static struct record **bucket_of(const void *ptr)
{
    uint64_t mixed = (uint64_t)(uintptr_t)ptr * 0x9e3779b97f4a7c15u;
    return &buckets[mixed >> 54];
}

static void keep_record(struct record *record)
{
    struct record **bucket = bucket_of(record->ptr);
    lock_records();
    record->next = *bucket;
    *bucket = record;
    pool.used += record->pool_nbytes;
    pool.most = pool.used > pool.most ? pool.used : pool.most;
    unlock_records();
}

static struct record *take_record(const void *ptr)
{
    lock_records();
    struct record **link = bucket_of(ptr);
    struct record *found;
    while ((found = *link) != NULL && found->ptr != ptr)
        link = &found->next;
    if (found != NULL) {
        *link = found->next;
        pool.used -= found->pool_nbytes;
    }
    unlock_records();
    return found;
}

/* Maps nbytes (whole pages) at a multiple of HUGE_PAGE: a longer mapping with its ends cut off. What follows may be read:
 * OpenBLAS's dot products of complex numbers with strides load one element too many, a row behind a matrix. */
static void *map_aligned(size_t nbytes)
{
    const size_t whole = nbytes + READABLE;
    char *raw = mmap(NULL, whole + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t)raw & (HUGE_PAGE - 1);
    if (before > 0)
        munmap(raw, before);
    if (before < HUGE_PAGE)
        munmap(raw + before + whole, HUGE_PAGE - before);
    mprotect(raw + before + nbytes, READABLE, PROT_READ);
    madvise(raw + before, nbytes, MADV_HUGEPAGE);
    return raw + before;
}

static bool fill_record(struct record *record, size_t nbytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (nbytes > SIZE_MAX / 2)
        return false;
    if (nbytes < HUGE_PAGE)
        return posix_memalign(&record->ptr, SMALL_ALIGNMENT, nbytes) == 0;
    record->mapped_nbytes = (nbytes + page - 1) & ~(page - 1);
    record->ptr = map_aligned(record->mapped_nbytes);
    return record->ptr != NULL;
}

static cu_result take(cu_deviceptr *ptr, size_t nbytes, bool of_pool)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    if (ptr == NULL || nbytes == 0)
        return CU_ERROR_INVALID_VALUE;
    pthread_once(&watched, watch_forks);
    struct record *record = calloc(1, sizeof *record);
    if (record == NULL || !fill_record(record, nbytes)) {
        free(record);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    *ptr = (cu_deviceptr)(uintptr_t)record->ptr;
    record->pool_nbytes = of_pool ? nbytes : 0;
    keep_record(record);
    return CU_SUCCESS;
}

cu_result cuna__cpu_memory_alloc(cu_deviceptr *ptr, size_t nbytes)
{
    return take(ptr, nbytes, false);
}

cu_result cuna__cpu_memory_pool_alloc(cu_deviceptr *ptr, size_t nbytes)
{
    return take(ptr, nbytes, true);
}

cu_mem_pool cuna__cpu_memory_pool(void)
{
    return &pool;
}

cu_result cuna__cpu_memory_pool_get_attribute(cu_mem_pool asked, int attribute, void *value)
{
    if (asked != &pool || value == NULL)
        return CU_ERROR_INVALID_VALUE;
    lock_records();
    /* Reads all values at one time. */
    struct cu_mem_pool_s now = pool;
    unlock_records();
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        *(uint64_t *)value = now.threshold;
        return CU_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        *(uint64_t *)value = now.used;
        return CU_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        *(uint64_t *)value = now.most;
        return CU_SUCCESS;
    default:
        return CU_ERROR_INVALID_VALUE;
    }
}

/* High-water marks can be reset with 0 only: they restart at the current use. */
cu_result cuna__cpu_memory_pool_set_attribute(cu_mem_pool asked, int attribute, void *value)
{
    bool is_mark = attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH || attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH;
    if (asked != &pool || value == NULL || (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD && !is_mark) ||
        (is_mark && *(uint64_t *)value != 0))
        return CU_ERROR_INVALID_VALUE;
    lock_records();
    if (is_mark)
        pool.most = pool.used;
    else
        pool.threshold = *(uint64_t *)value;
    unlock_records();
    return CU_SUCCESS;
}

cu_result cuna__cpu_memory_pool_trim(cu_mem_pool asked, size_t keep_nbytes)
{
    (void)keep_nbytes;
    return asked == &pool ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

cu_result cuna__cpu_memory_free(cu_deviceptr ptr)
{
    struct record *record = take_record((void *)(uintptr_t)ptr);
    if (record == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (record->mapped_nbytes > 0)
        munmap(record->ptr, record->mapped_nbytes + READABLE);
    else
        free(record->ptr);
    free(record);
    return CU_SUCCESS;
}

cu_result cuna__cpu_memory_host_alloc(void **ptr, size_t nbytes)
{
    if (ptr == NULL || nbytes == 0)
        return CU_ERROR_INVALID_VALUE;
    return posix_memalign(ptr, SMALL_ALIGNMENT, nbytes) == 0 ? CU_SUCCESS : CU_ERROR_OUT_OF_MEMORY;
}

cu_result cuna__cpu_memory_host_free(void *ptr)
{
    if (ptr == NULL)
        return CU_ERROR_INVALID_VALUE;
    free(ptr);
    return CU_SUCCESS;
}

struct copy_job {
    char *dst;
    const char *src;
};

struct set_job {
    char *dst;
    unsigned char value;
};

/* Pieces begin anywhere: bytes before the first and after the last whole line are written through the caches. */
#ifdef __SSE2__
/* Bytes up to the next multiple of 64, where whole lines begin. */
static size_t head_of(const char *dst, size_t nbytes)
{
    size_t head = -(uintptr_t)dst & 63;
    return head < nbytes ? head : nbytes;
}

static void stream_lines(char *dst, const char *src, size_t nlines)
{
    for (; nlines > 0; nlines--, dst += 64, src += 64) {
        __m128i a = _mm_loadu_si128((const __m128i *)src), b = _mm_loadu_si128((const __m128i *)(src + 16));
        __m128i c = _mm_loadu_si128((const __m128i *)(src + 32)), d = _mm_loadu_si128((const __m128i *)(src + 48));
        _mm_stream_si128((__m128i *)dst, a);
        _mm_stream_si128((__m128i *)(dst + 16), b);
        _mm_stream_si128((__m128i *)(dst + 32), c);
        _mm_stream_si128((__m128i *)(dst + 48), d);
    }
}

static void copy_piece(void *data, int64_t first, int64_t last)
{
    struct copy_job *job = data;
    char *dst = job->dst + first;
    const char *src = job->src + first;
    size_t nbytes = (size_t)(last - first), head = head_of(dst, nbytes), body = (nbytes - head) & ~(size_t)63;
    memcpy(dst, src, head);
    stream_lines(dst + head, src + head, body / 64);
    memcpy(dst + head + body, src + head + body, nbytes - head - body);
    _mm_sfence();
}

static void set_piece(void *data, int64_t first, int64_t last)
{
    struct set_job *job = data;
    char *dst = job->dst + first;
    size_t nbytes = (size_t)(last - first), head = head_of(dst, nbytes), body = (nbytes - head) & ~(size_t)63;
    __m128i value = _mm_set1_epi8((char)job->value);
    memset(dst, job->value, head);
    for (size_t i = 0; i < body; i += 16)
        _mm_stream_si128((__m128i *)(dst + head + i), value);
    memset(dst + head + body, job->value, nbytes - head - body);
    _mm_sfence();
}
#else
static void copy_piece(void *data, int64_t first, int64_t last)
{
    struct copy_job *job = data;
    memcpy(job->dst + first, job->src + first, (size_t)(last - first));
}

static void set_piece(void *data, int64_t first, int64_t last)
{
    struct set_job *job = data;
    memset(job->dst + first, job->value, (size_t)(last - first));
}
#endif

static bool overlaps(const char *a, const char *b, size_t nbytes)
{
    return (uintptr_t)a < (uintptr_t)b + nbytes && (uintptr_t)b < (uintptr_t)a + nbytes;
}

cu_result cuna__cpu_memory_copy(void *dst, const void *src, size_t nbytes)
{
    if (nbytes > 0 && (dst == NULL || src == NULL))
        return CU_ERROR_INVALID_VALUE;
    struct copy_job job = {dst, src};
    if (nbytes >= LARGE_NBYTES && !overlaps(dst, src, nbytes))
        cuna__cpu_threads_run(copy_piece, &job, (int64_t)nbytes, PIECE_NBYTES);
    else if (nbytes > 0)
        memmove(dst, src, nbytes);
    return CU_SUCCESS;
}

cu_result cuna__cpu_memory_set(void *dst, unsigned char value, size_t nbytes)
{
    if (nbytes > 0 && dst == NULL)
        return CU_ERROR_INVALID_VALUE;
    struct set_job job = {dst, value};
    if (nbytes >= LARGE_NBYTES)
        cuna__cpu_threads_run(set_piece, &job, (int64_t)nbytes, PIECE_NBYTES);
    else if (nbytes > 0)
        memset(dst, value, nbytes);
    return CU_SUCCESS;
}

cu_result cuna__cpu_memory_handle_get(cu_ipc_handle *handle, cu_deviceptr ptr)
{
    return handle == NULL || ptr == 0 ? CU_ERROR_INVALID_VALUE : CU_ERROR_NOT_SUPPORTED;
}

cu_result cuna__cpu_memory_handle_open(cu_deviceptr *ptr, cu_ipc_handle handle, unsigned flags)
{
    (void)handle;
    return ptr == NULL || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS ? CU_ERROR_INVALID_VALUE : CU_ERROR_NOT_SUPPORTED;
}

cu_result cuna__cpu_memory_handle_close(cu_deviceptr ptr)
{
    return ptr == 0 ? CU_ERROR_INVALID_VALUE : CU_ERROR_NOT_SUPPORTED;
}

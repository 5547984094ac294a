/* pool_facts.c: what runtime/pool/pool.h promises, one by one: ends with status 0 and prints nothing when all holds. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pool_reference.h"

static cuna_block *get(cuna_pool *pool, int home, int64_t units)
{
    cuna_block *block = NULL;
    CHECK(cuna__pool_alloc(&block, pool, home, handle_of(home), units * UNIT) == CUNA_OK);
    hand_out(unit_of(block), units, home);
    return block;
}

static void put(cuna_block *block)
{
    take_back(unit_of(block), block->nbytes / UNIT, block->streams);
    cuna__pool_free(block);
}

static bool refuses(cuna_pool *pool, int64_t units)
{
    cuna_block *block = NULL;
    return cuna__pool_alloc(&block, pool, 0, NULL, units * UNIT) == CUNA_MEMORY && !block;
}

static bool holds(cuna_pool *pool, int64_t used_units, int64_t free_units, int64_t free_blocks)
{
    cuna_pool_stats now = stats_of(pool);
    return now.used_nbytes == used_units * UNIT && now.free_nbytes == free_units * UNIT &&
           now.free_blocks == free_blocks && now.total_nbytes == now.used_nbytes + now.free_nbytes;
}

static void check_reuse(cuna_pool_kind kind)
{
    cuna_pool *pool = open_pool(kind);
    cuna_block *a = get(pool, 0, 4);
    cu_deviceptr first = a->ptr;
    put(a);
    CHECK(holds(pool, 0, 4, 1));
    a = get(pool, 0, 2);
    cuna_block *b = get(pool, 0, 2);
    CHECK(a->ptr == first && b->ptr == first + 2 * UNIT && holds(pool, 4, 0, 0));
    put(a);
    CHECK(stats_of(pool).largest_free_nbytes == 2 * UNIT);
    put(b);
    cuna__pool_free(b);
    cuna__pool_free(NULL);
    CHECK(holds(pool, 0, 4, 1));
    cuna__pool_trim(pool, EVERYBODY);
    CHECK(holds(pool, 0, 0, 0) && nsegments == 0);
    cuna__pool_release(pool);
}

static void check_limit(cuna_pool_kind kind)
{
    cuna_pool *pool = open_pool(kind);
    cuna__pool_set_limit(pool, 6 * UNIT);
    cuna_block *a = get(pool, 0, 5), *b = get(pool, 0, 1);
    CHECK(refuses(pool, 1) && holds(pool, 6, 0, 0));
    put(b);
    put(a);
    a = get(pool, 0, 5);
    put(a);
    a = get(pool, 0, 6);
    CHECK(holds(pool, 6, 0, 0));
    cuna__pool_set_limit(pool, -1);
    CHECK(stats_of(pool).limit_nbytes == 0);
    put(get(pool, 0, 1));
    put(a);
    cuna__pool_release(pool);
    CHECK(nsegments == 0);
}

/* Small blocks that came back serve requests of their sizes first, and others as soon as nothing else does. */
static void check_small(void)
{
    cuna_pool *pool = open_pool(CUNA_POOL_DEVICE);
    cuna_block *a = get(pool, 0, 2), *b = get(pool, 0, 2), *c = get(pool, 0, 1);
    cu_deviceptr first = a->ptr, second = b->ptr;
    put(a);
    put(b);
    a = get(pool, 0, 2);
    CHECK(a->ptr == second);
    put(a);
    a = get(pool, 0, 3);
    CHECK(a->ptr == first && holds(pool, 4, 1, 1));
    put(a);
    put(c);
    cuna__pool_trim(pool, 0);
    CHECK(holds(pool, 0, 0, 0) && nsegments == 0);
    cuna__pool_release(pool);
}

/* A large block is not torn up for a small request while there is another way. */
static void check_waste(void)
{
    cuna_pool *pool = open_pool(CUNA_POOL_DEVICE);
    put(get(pool, 0, 8 * SLAB));
    cuna_block *small = get(pool, 0, 1);
    put(get(pool, 0, SLAB - 1000));
    CHECK(holds(pool, 1, 9 * SLAB - 1000, 2) && nsegments == 3);
    cuna__pool_set_limit(pool, 8 * SLAB * UNIT + UNIT);
    cuna_block *whole = get(pool, 0, 8 * SLAB);
    CHECK(holds(pool, 8 * SLAB + 1, SLAB - 1000, 1));
    cuna__pool_trim(pool, EVERYBODY);
    CHECK(refuses(pool, 1) && nsegments == 2);
    put(small);
    put(whole);
    cuna__pool_release(pool);
    CHECK(nsegments == 0);
}

/* In need, a request that belongs in a segment of its own is served from slabs. */
static void check_crossing(void)
{
    cuna_pool *pool = open_pool(CUNA_POOL_DEVICE);
    cuna_block *a = get(pool, 0, SLAB / 2), *b = get(pool, 0, SLAB / 2);
    put(a);
    put(b);
    cuna__pool_set_limit(pool, SLAB * UNIT);
    put(get(pool, 0, 3000));
    CHECK(holds(pool, 0, SLAB, 1) && nsegments == 1);
    cuna__pool_release(pool);
}

static void check_streams(void)
{
    cuna_pool *pool = open_pool(CUNA_POOL_DEVICE);
    live = 1 | 1 << 5 | 1 << 9;
    cuna_block *a = get(pool, 0, 4);
    cu_deviceptr first = a->ptr;
    put(a);
    a = get(pool, 5, 4);
    CHECK(a->ptr != first && cuna__block_earlier(a) == 0);
    a->streams = 1 << 5 | 1 << 9; /* two users: it stays with the stream that asked for it */
    put(a);
    cuna_block *b = get(pool, 5, 4);
    CHECK(b == a && b->streams == 0 && cuna__block_earlier(b) == (1 << 5 | 1 << 9));
    b->streams = 1 << 9; /* one user, for whom it is kept */
    put(b);
    a = get(pool, 9, 2);
    b = get(pool, 9, 2);
    CHECK(a->ptr == first + 4 * UNIT && b->ptr == a->ptr + 2 * UNIT);
    CHECK(cuna__block_earlier(a) == 1 << 9 && cuna__block_earlier(b) == 1 << 9);
    a->streams = 1 << 5;
    put(a);
    CHECK(holds(pool, 2, 6, 2)); /* beside stream 0's, and apart from it */
    put(b);
    cuna__pool_trim(pool, 5);
    CHECK(holds(pool, 0, 6, 2));
    cuna__pool_trim(pool, 9);
    CHECK(holds(pool, 0, 4, 1));
    a = get(pool, 5, 4); /* from the reserve, whose last users are not forgotten */
    CHECK(a->ptr == first + 4 * UNIT && cuna__block_earlier(a) == (1 << 5 | 1 << 9));
    put(a);
    cuna__pool_release(pool);
    CHECK(nsegments == 0);
    live = 1;
}

/* What streams that are gone have cached serves others, and moves there; in need everything serves everybody. */
static void check_gone(void)
{
    cuna_pool *pool = open_pool(CUNA_POOL_DEVICE);
    live = 1 | 1 << 5;
    cuna_block *a = get(pool, 5, 6);
    cu_deviceptr first = a->ptr;
    a->streams = 1 << 5;
    put(a);
    cuna__pool_set_limit(pool, 6 * UNIT);
    a = get(pool, 0, 2);
    CHECK(a->ptr == first && cuna__block_earlier(a) == 1 << 5 && holds(pool, 2, 4, 1));
    cuna__pool_trim(pool, 0);
    CHECK(holds(pool, 2, 4, 1)); /* the rest is still stream 5's */
    cuna__pool_set_limit(pool, 0);
    live = 1;
    cuna_block *b = get(pool, 0, 2);
    CHECK(b->ptr == first + 2 * UNIT && cuna__block_earlier(b) == 1 << 5);
    cuna__pool_trim(pool, 5);
    CHECK(holds(pool, 4, 2, 1)); /* it moved with what was taken from it */
    cuna__pool_trim(pool, 0);
    CHECK(holds(pool, 4, 0, 0));
    put(a);
    put(b);
    cuna__pool_release(pool);
    CHECK(nsegments == 0);
}

static void check_seal(void)
{
    cuna_pool *pool = open_pool(CUNA_POOL_DEVICE);
    cuna__pool_set_limit(pool, 6 * UNIT);
    put(get(pool, 0, 5));
    cuna__pool_seal(pool);
    cuna__pool_trim(pool, EVERYBODY);
    CHECK(holds(pool, 0, 5, 1) && refuses(pool, 6) && holds(pool, 0, 5, 1));
    put(get(pool, 0, 5));
    cuna__pool_release(pool);
    CHECK(nsegments == 0);
}

static void check_release(cuna_pool_kind kind)
{
    cuna_pool *pool = open_pool(kind);
    cuna_block *a = get(pool, 0, 3), *b = get(pool, 0, 3 * SLAB);
    cuna__pool_release(pool);
    CHECK(nsegments == 2);
    put(b);
    cuna__pool_free(b);
    CHECK(nsegments >= 1);
    put(a);
    CHECK(nsegments == 0);
    cuna__pool_release(NULL);
}

/* In the child of a fork neither the driver nor a thread is there, and locks may be held by those who are not. */
static void check_abandon(cuna_pool_kind kind, bool release_first)
{
    cuna_pool *pool = open_pool(kind);
    cuna_block *a = get(pool, 0, 3), *b = get(pool, 0, 3), *none = NULL;
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        int before = nsegments;
        cuna__pool_abandon(pool);
        CHECK(cuna__pool_alloc(&none, pool, 0, NULL, 1) == CUNA_DEVICE && !none);
        cuna__pool_trim(pool, EVERYBODY);
        cuna__pool_free(a);
        cuna__pool_free(a);
        CHECK(holds(pool, 3, 0, 0));
        if (release_first)
            cuna__pool_release(pool);
        cuna__pool_free(b);
        if (!release_first)
            cuna__pool_release(pool);
        CHECK(nsegments == before);
        exit(failures);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    put(a);
    put(b);
    cuna__pool_release(pool);
}

static bool says(const char *text)
{
    if (strcmp(cuna_message(), text) == 0)
        return true;
    fprintf(stderr, "%s\n", cuna_message());
    return false;
}

static void check_messages(void)
{
    cuna_pool *pool = open_pool(CUNA_POOL_DEVICE), *pinned = open_pool(CUNA_POOL_PINNED);
    put(get(pool, 0, 2));
    cuna_block *a = get(pool, 0, 1), *none = NULL;
    refusals = 2;
    CHECK(cuna__pool_alloc(&none, pool, 0, NULL, SLAB * UNIT) == CUNA_MEMORY);
    CHECK(
        says("cannot allocate 2097152 bytes on cuda:3: 512 in use, 0 cached (largest block 0), no limit, device has 7 "
             "free of 77; free arrays (x:free(), cn.scope) or raise the limit"));
    cuna__pool_set_limit(pool, 5 * UNIT);
    CHECK(cuna__pool_alloc(&none, pool, 0, NULL, INT64_MAX) == CUNA_MEMORY && strstr(cuna_message(), "limit 2560,"));
    cuna__pool_set_limit(pinned, 5 * UNIT);
    CHECK(cuna__pool_alloc(&none, pinned, 0, NULL, SLAB * UNIT) == CUNA_MEMORY);
    CHECK(says("cannot allocate 2097152 bytes of pinned memory on cuda:3: 0 in use, 0 cached (largest block 0), limit "
               "2560; free arrays (x:free(), cn.scope) or raise the limit"));
    cuna__pool_set_limit(pool, 0);
    refusals = 1;
    refuse_with = CU_ERROR_LAUNCH_FAILED;
    CHECK(cuna__pool_alloc(&none, pool, 0, NULL, SLAB * UNIT) == CUNA_DEVICE);
    CHECK(says("cannot allocate 2097152 bytes: the driver says SOMETHING (719)"));
    refuse_with = CU_ERROR_OUT_OF_MEMORY;
    put(a);
    cuna__pool_release(pinned);
    cuna__pool_release(pool);
}

static void check_direct(cuna_pool_kind kind)
{
    cuna_pool *pool = open_pool(kind);
    cuna__pool_set_limit(pool, 6 * UNIT);
    cuna_block *a = get(pool, 5, 4), *b = get(pool, 0, 2);
    CHECK(nsegments == 2 && holds(pool, 6, 0, 0) && refuses(pool, 1));
    put(a);
    cuna__pool_free(a);
    CHECK(nsegments == 1 && holds(pool, 2, 0, 0) && cuna__pool_used_nbytes(pool) == 2 * UNIT);
    refusals = 1;
    a = get(pool, 5, 1);
    CHECK(refusals == 0);
    cuna__pool_trim(pool, EVERYBODY);
    cuna__pool_release(pool);
    put(b);
    put(a);
    CHECK(nsegments == 0);
}

static void check_async(void)
{
    cuna_pool *pool = NULL;
    CHECK(cuna__pool_create(&pool, CUNA_POOL_ASYNC, &driver, 4, "cuda:4", &live) == CUNA_DEVICE && !pool);
    CHECK(says("device cuda:4 has no asynchronous memory pool: the driver says NOT_SUPPORTED (801); use MemoryPool"));
    pool = open_pool(CUNA_POOL_ASYNC);
    CHECK(threshold == UINT64_MAX);
    cuna_block *a = get(pool, 5, 4);
    CHECK(cuna__block_earlier(a) == 1 << 5 && cuna__pool_home(a) == 5 && cuna__pool_is_ordered(pool));
    reserved_nbytes = 10 * UNIT;
    CHECK(holds(pool, 4, 6, 0));
    reserved_nbytes = 3 * UNIT;
    CHECK(holds(pool, 4, 0, 0));
    trims = 0;
    cuna__pool_trim(pool, EVERYBODY);
    CHECK(trims == 1);
    take_back(unit_of(a), 4, 0);
    cuna__pool_free_on(a, handle_of(9));
    CHECK(freed_on == handle_of(9) && nsegments == 0);
    cuna__pool_release(pool);
    reserved_nbytes = 0;
}

/* Without memory for bookkeeping there is none to be had; without memory for a stream's cache there is stream 0's. */
static void check_host_memory(void)
{
    cuna_pool *pool = NULL;
    host_refuses = true;
    CHECK(cuna__pool_create(&pool, CUNA_POOL_DEVICE, &driver, 3, "cuda:3", &live) == CUNA_MEMORY && !pool);
    host_refuses = false;
    pool = open_pool(CUNA_POOL_DEVICE);
    host_refuses = true;
    CHECK(refuses(pool, 1) && nsegments == 0);
    host_refuses = false;
    cuna_block *a = get(pool, 0, 4);
    host_refuses = true;
    cuna_block *b = get(pool, 5, 4);
    CHECK(b->ptr == a->ptr + 4 * UNIT);
    a->streams = 1 << 9;
    put(b);
    put(a);
    CHECK(holds(pool, 0, 8, 1));
    host_refuses = false;
    cuna__pool_release(pool);
}

int main(void)
{
    for (cuna_pool_kind kind = CUNA_POOL_DEVICE; kind <= CUNA_POOL_PINNED; kind++) {
        check_reuse(kind);
        check_limit(kind);
    }
    check_small();
    check_waste();
    check_crossing();
    check_streams();
    check_gone();
    check_seal();
    for (cuna_pool_kind kind = CUNA_POOL_DEVICE; kind < CUNA_POOL_KINDS; kind++) {
        check_release(kind);
        check_abandon(kind, true);
        check_abandon(kind, false);
    }
    check_messages();
    check_direct(CUNA_POOL_DIRECT);
    check_direct(CUNA_POOL_ASYNC);
    check_async();
    check_host_memory();
    return failures != 0;
}

/* pool_model.c: a million random operations on a pool of runtime/pool/pool.h, beside the reference of pool_reference.h.
 *
 * `random KIND SEED COUNT` or `threads SEED COUNT` ends with status 0 and prints nothing when all holds. */
#include <stdlib.h>

#include "pool_reference.h"

enum { STREAMS = 6, SLOTS = 256 };

static const int numbers[STREAMS] = {0, 1, 5, 17, 40, 63};

static uint64_t all_at_work(int64_t first, int64_t count)
{
    uint64_t all = 0;
    for (int64_t u = first; u < first + count; u++)
        all |= at_work[u];
    return all;
}

/* The longest run of units that could be one block: free ones, or cached ones of one home, which are counted. */
static int64_t longest_run(bool only_cached, int64_t *runs)
{
    int64_t longest = 0, length = 0;
    *runs = 0;
    for (int64_t u = 1; u < UNITS; u++) {
        bool in = only_cached ? state[u] == CACHED : state[u] == CACHED || state[u] == RESERVE;
        bool goes_on = in && length && (!only_cached || home_of[u] == home_of[u - 1]);
        *runs += in && !goes_on;
        length = !in ? 0 : goes_on ? length + 1 : 1;
        longest = cuna__max(longest, length);
    }
    return longest;
}

/* ---- random operations ---- */

static uint64_t draw(uint64_t *seed, uint64_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % below;
}

static int64_t draw_units(uint64_t *seed)
{
    uint64_t kind = draw(seed, 1000);
    uint64_t most = kind < 600 ? 32 : kind < 900 ? 256 : kind < 960 ? 2048 : kind < 998 ? 2 * SLAB : UNITS + SLAB;
    return 1 + (int64_t)draw(seed, most);
}

static int draw_live(uint64_t *seed)
{
    int number;
    do
        number = numbers[draw(seed, STREAMS)];
    while (!(live >> number & 1));
    return number;
}

/* The figures are the reference's, where it can know them: whether a request made the pool release what it had cached
 * shows in the figures, and needs a reason. To ask for them merges all that is cached: mostly nobody asks. */
static void check_stats(cuna_pool *pool, bool may_release)
{
    static unsigned calls;
    if (!may_release && ++calls % 16 != 0)
        return;
    cuna_pool_stats now = stats_of(pool);
    if (may_release && now.free_nbytes != cached * UNIT)
        retire(EVERYBODY);
    CHECK(now.used_nbytes == used * UNIT && now.free_nbytes == cached * UNIT);
    CHECK(now.total_nbytes == now.used_nbytes + now.free_nbytes);
}

static void check_blocks(cuna_pool *pool)
{
    int64_t runs;
    cuna_pool_stats now = stats_of(pool);
    CHECK(now.largest_free_nbytes == longest_run(true, &runs) * UNIT);
    CHECK(now.free_blocks == runs);
}

/* Nothing less than all of this is a reason to refuse. */
static void check_refusal(cuna_pool *pool, cuna_status status, int64_t count)
{
    int64_t runs, limit = stats_of(pool).limit_nbytes;
    bool beyond_limit = limit && (used + count) * UNIT > limit;
    if (status == CUNA_DEVICE)
        CHECK(refused && refuse_with != CU_ERROR_OUT_OF_MEMORY);
    else
        CHECK(status == CUNA_MEMORY && cached == 0 && (beyond_limit || (refused && longest_run(false, &runs) < count)));
}

static void check_handed(const cuna_block *block, int64_t count, int home, bool in_need)
{
    int64_t first = unit_of(block);
    CHECK(block->nbytes == count * UNIT && block->streams == 0 && first > 0 && first + count < UNITS);
    for (int64_t u = first; u < first + count; u++)
        CHECK(state[u] == RESERVE || state[u] == CACHED);
    CHECK((all_at_work(first, count) & ~cuna__block_earlier(block)) == 0);
    CHECK(in_need || state[first] == RESERVE || home_of[first] == home || !(live >> home_of[first] & 1));
}

static cuna_block *request(cuna_pool *pool, int home, int64_t count, int64_t nbytes)
{
    cuna_block *block = NULL;
    int64_t limit = cuna__pool_limit(pool), before = (used + cached) * UNIT;
    refused = false;
    cuna_status status = cuna__pool_alloc(&block, pool, home, handle_of(home), nbytes);
    bool in_need = refused || (limit && before + count * UNIT > limit);
    CHECK(status != CUNA_OK || !cuna__pool_is_ordered(pool) || made_on == handle_of(home));
    if (status == CUNA_OK) {
        check_handed(block, count, home, in_need);
        hand_out(unit_of(block), count, home);
    }
    check_stats(pool, in_need);
    if (status != CUNA_OK)
        check_refusal(pool, status, count);
    CHECK(!limit || (used + cached) * UNIT <= cuna__max(limit, before));
    return block;
}

static void give(cuna_pool *pool, cuna_block *block)
{
    int home = cuna__pool_home(block);
    take_back(unit_of(block), block->nbytes / UNIT, block->streams);
    cuna__pool_free(block);
    CHECK(!cuna__pool_is_ordered(pool) || freed_on == handle_of(home));
    check_stats(pool, false);
}

/* What happens beside requests and returns. */
static void disturb(cuna_pool *pool, uint64_t *seed)
{
    int home = numbers[draw(seed, STREAMS)];
    switch (draw(seed, 8)) {
    case 0:
        cuna__pool_set_limit(pool, (int64_t)draw(seed, 2) * (SLAB + (int64_t)draw(seed, UNITS)) * UNIT);
        break;
    case 1:
        home = EVERYBODY; /* fall through */
    case 2:
        retire(home);
        cuna__pool_trim(pool, home);
        check_stats(pool, false);
        break;
    case 3:
        refusals = 1 + (int)draw(seed, 3);
        refuse_with = draw(seed, 8) ? CU_ERROR_OUT_OF_MEMORY : CU_ERROR_LAUNCH_FAILED;
        break;
    default:
        live = (live ^ (uint64_t)1 << home) | 1;
    }
}

static void run_random(cuna_pool_kind kind, uint64_t seed, int64_t count)
{
    cuna_block *blocks[SLOTS] = {NULL};
    cuna_pool *pool = open_pool(kind);
    for (int64_t i = 0; i < count && !failures; i++) {
        cuna_block **slot = &blocks[draw(&seed, SLOTS)];
        if (draw(&seed, 100) == 0) {
            disturb(pool, &seed);
        } else if (*slot == NULL) {
            int64_t units = draw_units(&seed);
            *slot = request(pool, draw_live(&seed), units, units * UNIT - (int64_t)draw(&seed, UNIT));
        } else if (draw(&seed, 4) == 0) {
            (*slot)->streams |= (uint64_t)1 << draw_live(&seed);
        } else {
            give(pool, *slot);
            *slot = NULL;
        }
        if (i % 1024 == 0)
            check_blocks(pool);
    }
    cuna__pool_release(pool);
    for (int i = 0; i < SLOTS && !failures; i++) {
        if (blocks[i])
            take_back(unit_of(blocks[i]), blocks[i]->nbytes / UNIT, 0);
        cuna__pool_free(blocks[i]);
    }
    CHECK(nsegments == 0);
}

/* ---- threads, which share blocks and memory ---- */

enum { THREADS = 4, SHARED = 64, OWN = 24 };

static cuna_pool *shared_pool;
static cuna_block *shared[SHARED];
static int64_t thread_count;

static void give_shared(cuna_block *block)
{
    if (!block)
        return;
    int64_t first = unit_of(block), count = block->nbytes / UNIT;
    for (int64_t u = first; u < first + count; u++) {
        CHECK(state[u] == USED);
        state[u] = CACHED;
        at_work[u] = block->streams ? block->streams : at_work[u];
    }
    cuna__pool_free(block);
}

static cuna_block *request_shared(int home, int64_t count)
{
    cuna_block *block = NULL;
    if (cuna__pool_alloc(&block, shared_pool, home, NULL, count * UNIT) != CUNA_OK)
        return NULL;
    int64_t first = unit_of(block);
    CHECK((all_at_work(first, count) & ~cuna__block_earlier(block)) == 0);
    for (int64_t u = first; u < first + count; u++) {
        CHECK(state[u] == RESERVE || state[u] == CACHED);
        state[u] = USED;
    }
    block->streams = (uint64_t)1 << home;
    return block;
}

static void disturb_shared(uint64_t *seed)
{
    switch (draw(seed, 4)) {
    case 0:
        cuna__pool_trim(shared_pool, (int)draw(seed, THREADS + 1) - 1);
        break;
    case 1:
        cuna__pool_set_limit(shared_pool, (int64_t)draw(seed, 3) * UNITS / 3 * UNIT);
        break;
    default:
        __atomic_fetch_xor(&live, (uint64_t)1 << draw(seed, THREADS), __ATOMIC_RELAXED);
    }
}

static void *run_thread(void *data)
{
    cuna_block *own[OWN] = {NULL};
    int number = (int)(intptr_t)data % THREADS;
    uint64_t seed = (uint64_t)(intptr_t)data;
    for (int64_t i = 0; i < thread_count && !failures; i++) {
        cuna_block **slot = &own[draw(&seed, OWN)];
        if (draw(&seed, 8) == 0)
            *slot = __atomic_exchange_n(&shared[draw(&seed, SHARED)], *slot, __ATOMIC_ACQ_REL);
        give_shared(*slot);
        *slot = request_shared(number, 1 + (int64_t)draw(&seed, draw(&seed, 64) ? 48 : 2 * SLAB));
        if (draw(&seed, 256) == 0)
            disturb_shared(&seed);
    }
    for (int i = 0; i < OWN; i++)
        give_shared(own[i]);
    return NULL;
}

static void run_threads(uint64_t seed, int64_t count)
{
    pthread_t threads[THREADS];
    shared_pool = open_pool(CUNA_POOL_DEVICE);
    thread_count = count;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, run_thread, (void *)(intptr_t)(seed * THREADS + (uint64_t)i)) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SHARED; i++)
        give_shared(shared[i]);
    CHECK(stats_of(shared_pool).used_nbytes == 0);
    cuna__pool_trim(shared_pool, EVERYBODY);
    CHECK(stats_of(shared_pool).total_nbytes == 0 && nsegments == 0);
    cuna__pool_release(shared_pool);
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "random") == 0)
        run_random((cuna_pool_kind)atoi(argv[2]), (uint64_t)atoll(argv[3]), atoll(argv[4]));
    else if (argc == 4 && strcmp(argv[1], "threads") == 0)
        run_threads((uint64_t)atoll(argv[2]), atoll(argv[3]));
    else
        CHECK(!"a mode");
    return failures != 0;
}

/* memory.c: pacing Lua's collector by the bytes that arrays hold, which it does not know; and the lists of scopes.
 *
 * Garbage costs what its device says (cuna_device_judge_garbage): on the cpu device recently freed memory is cached and
 * mapped, while fresh memory costs more than most operations on it; GPU memory is shared with other users. A collection
 * runs when a device has more garbage than is cheap, and the collection costs less than the garbage, or a twentieth of
 * the thread's time. It always runs when garbage exceeds live memory by 1 GiB, or memory runs out. On a GPU that runs
 * out of work during most collections these bounds grow, up to an eighth of its memory. Memory allocated since the last
 * collection counts as garbage. If most of it was alive, the cost of the next collection is scaled up by the missing
 * share, at most four times: a program that builds live data may begin to make garbage at any time. The first
 * collection's result is ignored. Costs are thread times, which exclude other threads on the same core.
 *
 * A scope is a weak table of the arrays created in it: [1], [2], ... with holes where one was collected; [0] is their
 * count. */
#include <time.h>

#include "state.h"

#define COST_SHARE    20           /* thread time between collections is at least this many times their cost */
#define FREE_S        1e-6         /* to free an array that is not in the caches */
#define STEADY_S      0.1e-3       /* cost of a collection of a small heap */
#define DISTURBED     4            /* times the previous cost: a single slower collection is ignored */
#define PATIENCE      16           /* calls between two reads of the thread's clock, 0.3 us each */
#define LEAST_HELP    (1.0 / 4)    /* least share of the expected garbage that a collection is assumed to find */
#define HEAP_SHARE    4            /* a heap that takes a larger part of the thread's time may keep a GPU waiting */
#define PATIENCE_STEP 1.25         /* at each of these: a pool that grows costs time, too */
#define MOST_PATIENCE 64           /* GiB: so that steps down from there are few */
#define WHOLE_CYCLE   (1024 << 10) /* KiB of a collector step that runs a whole cycle for any heap size */

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double thread_s(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static int call_collector(lua_State *L)
{
    lua_gc(L, *(const int *)lua_touserdata(L, 1), WHOLE_CYCLE);
    return 0;
}

/* Also runs finalizers of the user's objects: their errors are unrelated to this call, and the collector continues
 * after them. */
static void run_collector(lua_State *L, int how)
{
    int top = lua_gettop(L);
    while (lua_cpcall(L, call_collector, &how) == LUA_ERRRUN)
        how = LUA_GCSTEP;
    lua_settop(L, top);
}

/* Records the cost of a collection that found `found` of `expected` bytes in `count` arrays. */
static void note_cost(cuna_lua_state *S, double start_s, int64_t count, int64_t found, int64_t expected)
{
    double share = expected > 0 && S->collections > 0 ? (double)found / (double)expected : 1;
    share = share < LEAST_HELP ? LEAST_HELP : share < 1 ? share : 1;
    S->collected_at_s = thread_s();
    S->collect_cost_s = S->collected_at_s - start_s;
    S->collecting_s += S->collect_cost_s;
    S->next_cost_s = S->collect_cost_s / share;
    double heap_s = (S->collect_cost_s - FREE_S * (double)count) / share;
    double most_s = 2 * (S->next_heap_s > STEADY_S ? S->next_heap_s : STEADY_S);
    S->next_heap_s = S->collections > 0 && heap_s > most_s ? most_s : heap_s; /* a disturbed collection is ignored */
}

/* Other threads create arrays meanwhile. */
static int64_t shrinkage(int64_t before, int64_t after)
{
    return before > after ? before - after : 0;
}

static void collect(lua_State *L, cuna_lua_state *S, int how)
{
    double start_s = thread_s();
    int64_t used = cuna_device_in_use(), held = used + cuna_record_unread_nbytes(S->context);
    int64_t count = cuna_lua_collected;
    S->collecting = true;
    run_collector(L, how);
    S->collecting = false;
    int64_t used_after = cuna_device_in_use(), alive = used_after + cuna_record_unread_nbytes(S->context);
    note_cost(S, start_s, cuna_lua_collected - count, shrinkage(held, alive), held - S->alive_nbytes);
    S->collected_nbytes += shrinkage(used, used_after);
    S->alive_nbytes = alive;
    S->collections++;
    cuna_device_mark_garbage(S->garbage_marks);
    cuna_record_mark_garbage(S->context);
}

void cuna_lua_collect(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    S->needed_collections++;
    collect(L, S, LUA_GCCOLLECT);
    cuna_context_settle();
}

void cuna_lua_collect_recorded(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    if (!S->collecting && cuna_context_has_recorded(S->context))
        collect(L, S, LUA_GCCOLLECT);
}

/* Whether collections would take at most a twentieth of the thread's time. A state may change threads. */
static bool is_long_ago(cuna_lua_state *S)
{
    if (S->patience-- > 0)
        return false;
    S->patience = PATIENCE;
    double passed_s = thread_s() - S->collected_at_s;
    return passed_s < 0 || passed_s > COST_SHARE * S->next_cost_s;
}

/* Whether collections take so much of the thread's time that a GPU may wait for them. */
static bool is_frequent(const cuna_lua_state *S)
{
    double passed_s = thread_s() - S->collected_at_s;
    return passed_s >= 0 && passed_s < HEAP_SHARE * S->next_heap_s;
}

/* After a collection that began while the GPU had work: what it may wait for is found by steps up and down. */
static void note_patience(cuna_lua_state *S, bool waited)
{
    double patience = waited ? S->garbage_patience * PATIENCE_STEP : S->garbage_patience / PATIENCE_STEP;
    S->garbage_patience = patience < 1 ? 1 : patience < MOST_PATIENCE ? patience : MOST_PATIENCE;
}

/* A step that is a whole cycle costs three quarters of LUA_GCCOLLECT, which sweeps the heap beforehand. If Lua was
 * inside a cycle, it is only the rest of that cycle; the next one frees the remaining garbage. */
void cuna_lua_pace(lua_State *L, cuna_lua_state *S)
{
    S->caller = L;
    cuna_garbage stored = cuna_device_judge_garbage(S->garbage_marks, S->next_heap_s, S->garbage_patience);
    cuna_garbage recorded = cuna_record_judge_garbage(S->context, S->next_heap_s);
    cuna_garbage garbage = stored > recorded ? stored : recorded;
    if (__builtin_expect(garbage == CUNA_GARBAGE_LITTLE, 1) || S->collecting)
        return;
    if (garbage == CUNA_GARBAGE_MUCH && !is_long_ago(S))
        return;
    bool had_work = is_frequent(S) && cuna_context_is_busy(S->context);
    collect(L, S, LUA_GCSTEP);
    if (had_work)
        note_patience(S, !cuna_context_is_busy(S->context));
}

/* clock() -> seconds of the wall clock */
static int core_clock(lua_State *L)
{
    lua_pushnumber(L, read_clock(CLOCK_MONOTONIC));
    return 1;
}

/* gc_stats() -> collections, those because memory had run out, seconds of all and of the last one, bytes of device memory
 * that they freed, bytes in use on the current device */
static int gc_stats(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_memory_stats stats;
    cuna_device_memory(&stats, cuna_context_device(S->context));
    lua_pushnumber(L, (lua_Number)S->collections);
    lua_pushnumber(L, (lua_Number)S->needed_collections);
    lua_pushnumber(L, S->collecting_s);
    lua_pushnumber(L, S->collect_cost_s);
    lua_pushnumber(L, (lua_Number)S->collected_nbytes);
    lua_pushnumber(L, (lua_Number)stats.used_nbytes);
    return 6;
}

/* open_scope(scope or nil) -> the previous scope; later arrays belong to `scope`. */
static int open_scope(lua_State *L)
{
    lua_settop(L, 1);
    cuna_lua_push_slot(L, CUNA_SLOT_SCOPE);
    lua_pushvalue(L, 1);
    cuna_lua_set_slot(L, CUNA_SLOT_SCOPE);
    cuna_lua_get_state(L)->scoped = !lua_isnil(L, 1);
    return 1;
}

/* scope() -> the open one, or nil */
static int core_scope(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_SCOPE);
    return 1;
}

void cuna_lua_enlist(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_SCOPE);
    lua_rawgeti(L, -1, 0);
    int count = (int)lua_tointeger(L, -1) + 1;
    lua_pop(L, 1);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, count);
    lua_pushinteger(L, count);
    lua_rawseti(L, -2, 0);
    lua_pop(L, 1);
}

/* enlist(array): adds it to the open scope, if any. */
static int core_enlist(lua_State *L)
{
    lua_settop(L, 1);
    if (cuna_lua_get_state(L)->scoped)
        cuna_lua_enlist(L);
    return 0;
}

/* close_scope(scope, kept): frees the arrays of a closed scope, except the keys of `kept`, which move to the open
 * one. */
static int close_scope(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    lua_settop(L, 2);
    cuna_lua_push_freeing(L, ", where a cn.scope ended; return it from the scope, or mark it with cn.keep");
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        cuna_array *array = cuna_lua_peek_array(S, L, -1);
        lua_pushvalue(L, -1);
        lua_rawget(L, 2);
        bool is_kept = lua_toboolean(L, -1);
        lua_pop(L, 1);
        if (is_kept && S->scoped)
            cuna_lua_enlist(L);
        else if (!is_kept && array != NULL)
            cuna_lua_free_array(L, lua_gettop(L), 3);
    }
    cuna_lua_check(L, CUNA_OK);
    return 0;
}

void cuna_lua_open_memory(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"gc_stats", gc_stats},       {"open_scope", open_scope}, {"scope", core_scope}, {"enlist", core_enlist},
        {"close_scope", close_scope}, {"clock", core_clock},      {NULL, NULL}};
    cuna_lua_register(L, functions);
}

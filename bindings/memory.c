/* memory.c: pacing Lua's collector by the bytes that arrays hold, which it cannot see; and the lists of scopes.
 *
 * Garbage costs what its device says (cuna_device_judge_garbage): on the cpu device memory that was just given back is in
 * the caches and has its pages, fresh memory costs more than most operations on it; of a GPU's memory others want some. A
 * collection runs when some device has more of it than costs little, and the collection costs less than the garbage, or
 * a twentieth of the thread's time; and in any case when garbage passes what is alive by 1 GiB, or memory runs out. What
 * came to be in use since the last collection counts as garbage. Where most of it was alive, a collection costs as much
 * more as it finds less, up to four times: a program that makes what it keeps goes over to making garbage any time. What
 * the first one finds says nothing. Costs are times of the thread, in which others that share its core do not count.
 *
 * A scope is a table of the arrays made in it, which it does not keep alive: [1], [2], ... with holes where one was
 * collected, and in [0] how many there were. */
#include <time.h>

#include "state.h"

#define COST_SHARE  20           /* thread time between collections is at least this many times their cost */
#define FREE_S      1e-6         /* to free an array that is in no cache, whenever that is done */
#define STEADY_S    0.1e-3       /* what a collection of a small heap costs */
#define DISTURBED   4            /* times the one before, or more: a single one so slow decides nothing */
#define PATIENCE    16           /* calls between two looks at the thread's clock, which take 0.3 us */
#define LEAST_HELP  (1.0 / 4)    /* share of the expected garbage that a collection is taken to find at least */
#define WHOLE_CYCLE (1024 << 10) /* KiB of a step of the collector that is a whole cycle, however large the heap */

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

/* Runs finalizers of the user's objects too: what one raises has nothing to do with the call at hand, and the collector
 * goes on behind it. */
static void run_collector(lua_State *L, int how)
{
    int top = lua_gettop(L);
    while (lua_cpcall(L, call_collector, &how) == LUA_ERRRUN)
        how = LUA_GCSTEP;
    lua_settop(L, top);
}

/* Notes what a collection cost that found `found` of `expected` bytes in `count` arrays. */
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
    S->next_heap_s =
        S->collections > 0 && heap_s > most_s ? most_s : heap_s; /* one that was disturbed decides nothing */
}

static void collect(lua_State *L, cuna_lua_state *S, int how)
{
    double start_s = thread_s();
    int64_t before = cuna_device_in_use(), count = cuna_lua_collected;
    S->collecting = true;
    run_collector(L, how);
    S->collecting = false;
    int64_t after = cuna_device_in_use();
    int64_t found = before > after ? before - after : 0; /* other threads make arrays meanwhile */
    note_cost(S, start_s, cuna_lua_collected - count, found, before - S->alive_nbytes);
    S->collected_nbytes += found;
    S->alive_nbytes = after;
    S->collections++;
    cuna_device_mark_garbage(S->garbage_marks);
}

void cuna_lua_collect(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    S->needed_collections++;
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

/* A step that is a whole cycle costs three quarters of LUA_GCCOLLECT, which sweeps the heap beforehand. When Lua was
 * amid a cycle of its own, it is only that cycle's rest: what it leaves goes with the next one. */
void cuna_lua_pace(lua_State *L, cuna_lua_state *S)
{
    cuna_garbage garbage = cuna_device_judge_garbage(S->garbage_marks, S->next_heap_s);
    if (__builtin_expect(garbage != CUNA_GARBAGE_LITTLE, 0) && !S->collecting &&
        (garbage == CUNA_GARBAGE_COSTLY || is_long_ago(S)))
        collect(L, S, LUA_GCSTEP);
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

/* open_scope(scope or nil) -> the one that was open: new arrays belong to it from now on. */
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

/* enlist(array): it belongs to the open scope, if there is one. */
static int core_enlist(lua_State *L)
{
    lua_settop(L, 1);
    if (cuna_lua_get_state(L)->scoped)
        cuna_lua_enlist(L);
    return 0;
}

/* close_scope(scope, kept): frees the arrays of a scope that was left; those that are keys of `kept` belong to the open
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

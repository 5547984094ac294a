/* memory.c: pacing Lua's collector by the bytes that arrays hold, which it cannot see.
 *
 * A full collection runs when the bytes taken from some device since the last one pass that device's limit, unless
 * collections would then cost more than a twentieth of the time; when memory runs out it runs in any case. The limits
 * are the devices' business (cuna_device_mark_garbage). The cpu device's is small and does not grow with what is alive:
 * memory that was just given back is in the caches and has its pages, fresh memory costs more than most operations on
 * it. A GPU's memory has no pages to come by: its limit is large, and at least what is alive. */
#include <time.h>

#include "state.h"

#define COST_SHARE 20 /* time between collections is at least this many times their cost */

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void cuna_lua_collect(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    double start = now_s();
    lua_gc(L, LUA_GCCOLLECT, 0);
    S->collected_at_s = now_s();
    S->collect_cost_s = S->collected_at_s - start;
    cuna_device_mark_garbage(S->garbage_marks);
    S->collections++;
}

void cuna_lua_pace(lua_State *L, cuna_lua_state *S)
{
    if (__builtin_expect(cuna_device_garbage_due(S->garbage_marks), 0) &&
        now_s() - S->collected_at_s > COST_SHARE * S->collect_cost_s)
        cuna_lua_collect(L);
}

/* clock() -> seconds of the wall clock */
static int core_clock(lua_State *L)
{
    lua_pushnumber(L, now_s());
    return 1;
}

/* gc_stats() -> collections, seconds that the last one took, bytes in use */
static int gc_stats(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_memory_stats stats;
    cuna_device_memory(&stats, cuna_context_device(S->context));
    lua_pushnumber(L, (lua_Number)S->collections);
    lua_pushnumber(L, S->collect_cost_s);
    lua_pushnumber(L, (lua_Number)stats.used_nbytes);
    return 3;
}

/* open_scope(list or nil) -> the list that was open: new arrays are appended to the list. */
static int open_scope(lua_State *L)
{
    lua_settop(L, 1);
    cuna_lua_push_slot(L, CUNA_SLOT_SCOPE);
    lua_pushvalue(L, 1);
    cuna_lua_set_slot(L, CUNA_SLOT_SCOPE);
    cuna_lua_get_state(L)->scoped = !lua_isnil(L, 1);
    return 1;
}

void cuna_lua_open_memory(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"gc_stats", gc_stats}, {"open_scope", open_scope}, {"clock", core_clock}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}

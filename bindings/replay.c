/* replay.c: calls of fused functions whose operations were recorded once (lua/cuna/fuse/). */
#include "state.h"

#define MAX_ARRAYS 100 /* of a replay, and as many results */

static const char REPLAY[] = "cuna.replay";

typedef struct box {
    cuna_replay *replay;
    int narrays, nresults;
} box;

/* Reads arrays from the stack; false if others are there, or freed ones. */
static bool read_arrays(lua_State *L, const cuna_array **arrays, int first, int count)
{
    const cuna_lua_state *S = cuna_lua_get_state(L);
    for (int i = 0; i < count; i++) {
        arrays[i] = cuna_lua_peek_array(S, L, first + i);
        if (arrays[i] == NULL || arrays[i]->buffer == NULL)
            return false;
    }
    return true;
}

/* A second try begins from the start. */
static cuna_status watch(box *b, cuna_context *context, const cuna_array *const *arrays)
{
    cuna_replay_free(b->replay);
    b->replay = NULL;
    return cuna_replay_watch(&b->replay, context, b->narrays, arrays);
}

/* replay_watch(array...) -> box, or nil if there are too many arrays, or one is freed */
static int core_replay_watch(lua_State *L)
{
    const cuna_array *arrays[MAX_ARRAYS];
    int narrays = lua_gettop(L);
    if (narrays > MAX_ARRAYS || !read_arrays(L, arrays, 1, narrays))
        return 0;
    box *b = lua_newuserdata(L, sizeof *b);
    *b = (box){.narrays = narrays};
    luaL_getmetatable(L, REPLAY);
    lua_setmetatable(L, -2);
    CUNA_LUA_TRY(L, watch(b, cuna_lua_context(L), arrays));
    return 1;
}

static int core_replay_unwatch(lua_State *L)
{
    CUNA_LUA_TRY(L, cuna_replay_unwatch(cuna_lua_context(L)));
    return 0;
}

static int core_is_watching(lua_State *L)
{
    lua_pushboolean(L, cuna_replay_is_watching(cuna_lua_context(L)));
    return 1;
}

/* The replay's function: f(array...) -> true, results; or false if it does not serve these arrays. */
static int call(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    const box *b = lua_touserdata(L, lua_upvalueindex(2));
    const cuna_array *arrays[MAX_ARRAYS];
    cuna_array *results[MAX_ARRAYS];
    cuna_lua_pace(L, S);
    bool serves = lua_gettop(L) == b->narrays && read_arrays(L, arrays, 1, b->narrays) &&
                  cuna_replay_serves(b->replay, S->context, arrays);
    lua_pushboolean(L, serves);
    if (!serves)
        return 1;
    if (b->nresults > 8)
        luaL_checkstack(L, b->nresults + LUA_MINSTACK, "fuse");
    for (int i = 0; i < b->nresults; i++)
        results[i] = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_replay_run(b->replay, S->context, arrays, results));
    return 1 + b->nresults;
}

/* replay_make(box, array..., result...) -> the replay's function, or nil if what happened cannot be replayed */
static int core_replay_make(lua_State *L)
{
    box *b = luaL_checkudata(L, 1, REPLAY);
    const cuna_array *arrays[2 * MAX_ARRAYS];
    int nresults = lua_gettop(L) - 1 - b->narrays;
    bool made = nresults <= MAX_ARRAYS && read_arrays(L, arrays, 2, b->narrays + nresults);
    if (!made)
        return core_replay_unwatch(L);
    b->nresults = nresults;
    CUNA_LUA_TRY(L, cuna_replay_make(&made, b->replay, cuna_lua_context(L), arrays, nresults, arrays + b->narrays));
    if (!made)
        return 0;
    lua_pushlightuserdata(L, cuna_lua_get_state(L));
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, call, 2);
    return 1;
}

static int collect(lua_State *L)
{
    box *b = luaL_checkudata(L, 1, REPLAY);
    cuna_replay_free(b->replay);
    b->replay = NULL;
    return 0;
}

void cuna_lua_open_replay(lua_State *L)
{
    luaL_newmetatable(L, REPLAY);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    cuna_lua_register(L, (const luaL_Reg[]){{"replay_watch", core_replay_watch},
                                            {"replay_unwatch", core_replay_unwatch},
                                            {"replay_make", core_replay_make},
                                            {"is_watching", core_is_watching},
                                            {NULL, NULL}});
}

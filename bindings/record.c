/* record.c: whether operations are recorded, and arrays that are evaluated. */
#include "state.h"

/* is_recording() -> whether operations of this state are recorded */
static int core_is_recording(lua_State *L)
{
    lua_pushboolean(L, cuna_context_is_recording(cuna_lua_context(L)));
    return 1;
}

/* set_recording(on) */
static int core_set_recording(lua_State *L)
{
    CUNA_LUA_TRY(L, cuna_context_set_recording(cuna_lua_context(L), lua_toboolean(L, 1)));
    return 0;
}

/* set_composing(on) -> what was set before: whether recorded operations are compiled together the first time already */
static int core_set_composing(lua_State *L)
{
    lua_pushboolean(L, cuna_context_set_composing(cuna_lua_context(L), lua_toboolean(L, 1)));
    return 1;
}

/* record_stats() -> recorded operations that ran, and the kernels that ran them */
static int core_record_stats(lua_State *L)
{
    int64_t operations, kernels;
    cuna_record_get_stats(&operations, &kernels, cuna_lua_context(L));
    lua_pushnumber(L, (lua_Number)operations);
    lua_pushnumber(L, (lua_Number)kernels);
    return 2;
}

/* set_record_limit(device, nbytes) -> the one before: bytes of a result from which its operation is recorded */
static int core_set_record_limit(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "set_record_limit");
    lua_Number before = (lua_Number)cuna_device_record_limit(device);
    cuna_device_set_record_limit(device, (int64_t)luaL_checknumber(L, 2));
    lua_pushnumber(L, before);
    return 1;
}

/* evaluate(x, ...) -> x, ...: arrays get their memory */
static int core_evaluate(lua_State *L)
{
    for (int k = 1; k <= lua_gettop(L); k++) {
        const cuna_array *array = cuna_lua_check_array(L, k, "evaluate");
        CUNA_LUA_TRY(L, cuna_array_evaluate(array));
    }
    return lua_gettop(L);
}

void cuna_lua_open_record(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"is_recording", core_is_recording},
                                            {"set_recording", core_set_recording},
                                            {"set_composing", core_set_composing},
                                            {"record_stats", core_record_stats},
                                            {"set_record_limit", core_set_record_limit},
                                            {"evaluate", core_evaluate},
                                            {NULL, NULL}});
}

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
                                            {"evaluate", core_evaluate},
                                            {NULL, NULL}});
}

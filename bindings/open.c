/* open.c: builds the Lua module cuna.core from its parts. */
#include "state.h"

__attribute__((visibility("default"))) int luaopen_cuna_core(lua_State *L)
{
    lua_newtable(L);
#define OPEN(part) cuna_lua_open_##part(L);
    CUNA_LUA_PARTS(OPEN)
#undef OPEN
    return 1;
}

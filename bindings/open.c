/* open.c: builds the Lua module cuna.core from its parts.
 *
 * A state may open the module again, after package.loaded was cleared. Metatables that exist then stay, so that objects
 * of all loads have the same ones. */
#include "state.h"

__attribute__((visibility("default"))) int luaopen_cuna_core(lua_State *L)
{
    lua_newtable(L);
#define OPEN(part) cuna_lua_open_##part(L);
    CUNA_LUA_PARTS(OPEN)
#undef OPEN
    return 1;
}

/* right.c: objects of Lua, as sparse matrices, that stand to the right of an array in an operator. */
#include "state.h"

bool cuna_lua_call_right(lua_State *L)
{
    lua_settop(L, 2);
    if (!luaL_getmetafield(L, 2, "__cuna_operator"))
        return false;
    const cuna_lua_row *row = lua_touserdata(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_pushstring(L, row->name);
    lua_insert(L, 2);
    lua_call(L, 3, 1);
    return true;
}

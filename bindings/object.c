/* object.c: objects of Lua, as sparse matrices, among the operands of an operation, which they compute themselves. */
#include "state.h"

int cuna_lua_call_object(lua_State *L, int index, const char *handler)
{
    if (!luaL_getmetafield(L, index, handler))
        return -1;
    const cuna_lua_row *row = lua_touserdata(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_pushstring(L, row->name);
    lua_insert(L, 2);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

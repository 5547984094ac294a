/* object.c: objects of Lua, as sparse matrices, among the operands of an operation, which they compute themselves. */
#include "state.h"

bool cuna_lua_is_object(lua_State *L, int index)
{
    bool has_handler = luaL_getmetafield(L, index, "__cuna_function") != 0;
    if (has_handler)
        lua_pop(L, 1);
    return has_handler;
}

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

int cuna_lua_refuse_object(lua_State *L, int index, const char *name)
{
    luaL_getmetafield(L, index, "__metatable");
    return cuna_lua_fail(L, "%s_: an array holds no %s; write x:%s(y)", name,
                         lua_isstring(L, -1) ? lua_tostring(L, -1) : "object", name);
}

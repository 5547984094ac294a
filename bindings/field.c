/* field.c: fields of the option tables that Lua code passes, which are of the right type there. */
#include "lua_cuna.h"

bool cuna_lua_field_flag(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    bool flag = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return flag;
}

int64_t cuna_lua_field_integer(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    int64_t value = (int64_t)lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

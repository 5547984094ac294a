/* field.c: tables of options: which tables these are, and fields of those that Lua code passes, which are of the right
 * type there. */
#include "state.h"

bool cuna_lua_field_flag(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    bool flag = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return flag;
}

double cuna_lua_field_number(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

int64_t cuna_lua_field_integer(lua_State *L, int index, const char *name)
{
    return (int64_t)cuna_lua_field_number(L, index, name);
}

bool cuna_lua_is_options(lua_State *L, int index, const char *what)
{
    bool strings = false, others = false;
    const char *name = NULL;
    if (lua_type(L, index) != LUA_TTABLE)
        return false;
    lua_pushvalue(L, index); /* so that a relative index works too */
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            strings = true;
            name = lua_tostring(L, -2);
        } else {
            others = true;
        }
    }
    lua_pop(L, 1);
    if (strings && others)
        cuna_lua_fail(L,
                      "%s: a table with the option '%s' and list elements; write data and options apart, as in "
                      "%s({1, 2}, {%s = ...})",
                      what, name, what, name);
    return strings;
}

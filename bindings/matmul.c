/* matmul.c: products of stacked matrices; lua/cuna/products.lua stands on this. */
#include "state.h"

/* matmul(program or nil, name, tf32, out or nil, a, b) -> array. Without a program the library multiplies. */
static int core_matmul(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    bool tf32 = lua_toboolean(L, 3);
    const cuna_array *a = cuna_lua_check_array(L, 5, name), *b = cuna_lua_check_array(L, 6, name);
    cuna_array *out;
    cuna_lua_pace(L, cuna_lua_get_state(L));
    if (!lua_isnil(L, 4)) {
        out = cuna_lua_check_array(L, 4, name);
        lua_pushvalue(L, 4);
    } else {
        out = cuna_lua_push_array(L);
    }
    CUNA_LUA_TRY(L, cuna_matmul(cuna_lua_context(L), name, program, a, b, out, tf32));
    return 1;
}

/* matmul_way(a, b) -> "vector", "pass" or "matrices"; nil where they do not multiply */
static int core_matmul_way(lua_State *L)
{
    static const char *const words[] = {NULL, "vector", "pass", "matrices"};
    const cuna_array *a = cuna_lua_check_array(L, 1, "matmul"), *b = cuna_lua_check_array(L, 2, "matmul");
    lua_pushstring(L, words[cuna_matmul_find_way(a, b)]);
    return 1;
}

void cuna_lua_open_matmul(lua_State *L)
{
    static const luaL_Reg functions[] = {{"matmul", core_matmul}, {"matmul_way", core_matmul_way}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}

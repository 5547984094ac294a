/* output.c: whether a result can be written where the user wants it; the words are those of runtime/operands/output.c. */
#include "state.h"

void cuna_lua_check_outs(lua_State *L, int nresults, const char *name)
{
    int table = lua_gettop(L), count = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
        if (key < 1 || key > 1e6 || key != (int)key)
            cuna_lua_fail(L, "%s: out is an array, or a table of them; it has the key '%s'", name,
                          lua_isstring(L, -2) ? lua_tostring(L, -2) : luaL_typename(L, -2));
        count = (int)key > count ? (int)key : count;
    }
    if (count == 0)
        cuna_lua_fail(L, "%s: out: expected an array, got an empty table", name);
    if (count > nresults)
        cuna_lua_fail(L, "%s: out has %d arrays, and there %s", name, count,
                      nresults == 1 ? "is 1 result" : "are 2 results");
}

/* Reads a dtype or nil. */
static cuna_dtype read_dtype(lua_State *L, int index, const char *name)
{
    return lua_isnil(L, index) ? CUNA_DTYPES : cuna_lua_check_dtype(L, index, name);
}

/* check_output(out, dtype or nil, shape or nil, x or nil, name): raises unless a result of a dtype and shape, on x's
 * device, can be written to an array. */
static int core_check_output(lua_State *L)
{
    int64_t shape[CUNA_MAX_NDIM];
    cuna_result result = {.name = luaL_checkstring(L, 5), .casts = true};
    const cuna_array *out = cuna_lua_check_array(L, 1, result.name);
    result.dtype = read_dtype(L, 2, result.name);
    if (!lua_isnil(L, 3)) {
        result.ndim = cuna_lua_check_shape(L, 3, shape, result.name);
        result.shape = shape;
    }
    if (!lua_isnil(L, 4))
        result.device = cuna_array_device(cuna_lua_check_array(L, 4, result.name));
    cuna_lua_check(L, cuna_result_check(&result, out));
    return 0;
}

/* check_result(dtype, out's dtype, shape or nil, out's shape or nil, name): the same for what is not an array yet, as a
 * fused function's values. */
static int core_check_result(lua_State *L)
{
    int64_t shape[CUNA_MAX_NDIM], own[CUNA_MAX_NDIM];
    cuna_result result = {.name = luaL_checkstring(L, 5), .casts = true};
    result.dtype = cuna_lua_check_dtype(L, 1, result.name);
    if (!lua_isnil(L, 3)) {
        result.ndim = cuna_lua_check_shape(L, 3, shape, result.name);
        result.shape = shape;
        int ndim = cuna_lua_check_shape(L, 4, own, result.name);
        cuna_lua_check(L, cuna_result_check_shape(&result, ndim, own));
    }
    cuna_lua_check(L, cuna_result_check_dtype(&result, cuna_lua_check_dtype(L, 2, result.name)));
    return 0;
}

void cuna_lua_open_output(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"check_output", core_check_output}, {"check_result", core_check_result}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}

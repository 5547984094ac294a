/* matmul.c: products of stacked matrices; lua/cuna/linalg/products.lua builds on this. */
#include <string.h>

#include "state.h"

/* matmul(program or nil, name, out or nil, a, b) -> array. Without a program the library multiplies. */
static int core_matmul(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    const cuna_array *a = cuna_lua_check_array(L, 4, name), *b = cuna_lua_check_array(L, 5, name);
    cuna_array *out;
    if (!lua_isnil(L, 3)) {
        out = cuna_lua_check_array(L, 3, name);
        lua_pushvalue(L, 3);
    } else {
        out = cuna_lua_push_array(L);
    }
    CUNA_LUA_TRY(L, cuna_record_matmul(cuna_lua_context(L), name, program, a, b, out));
    return 1;
}

/* matmul_way(a, b) -> "vector", "pass" or "matrices"; nil if they cannot be multiplied */
static int core_matmul_way(lua_State *L)
{
    static const char *const words[] = {NULL, "vector", "pass", "matrices"};
    const cuna_array *a = cuna_lua_check_array(L, 1, "matmul"), *b = cuna_lua_check_array(L, 2, "matmul");
    lua_pushstring(L, words[cuna_matmul_find_way(a, b)]);
    return 1;
}

/* Whether the values at 1 and 2 are arrays that multiply without conversion: of up to two axes, one float dtype, one
 * device. */
static bool are_plain(const cuna_array *a, const cuna_array *b)
{
    if (a == NULL || b == NULL || a->buffer == NULL || b->buffer == NULL || a->dtype != b->dtype)
        return false;
    char kind = cuna_dtype_kind((cuna_dtype)a->dtype);
    return a->ndim <= 2 && b->ndim <= 2 && (kind == 'f' || kind == 'c') && cuna_array_device(a) == cuna_array_device(b);
}

/* The output at 5, an array or the only option `out`, which takes the table's place; NULL if it is neither. */
static cuna_array *take_out(const cuna_lua_state *S, lua_State *L)
{
    if (lua_type(L, 5) == LUA_TTABLE) {
        lua_pushnil(L);
        if (lua_next(L, 5) == 0 || lua_type(L, -2) != LUA_TSTRING || strcmp(lua_tostring(L, -2), "out") != 0)
            return NULL;
        lua_pushvalue(L, -2);
        if (lua_next(L, 5) != 0)
            return NULL;
        lua_replace(L, 5);
        lua_settop(L, 5);
    }
    cuna_array *out = cuna_lua_peek_array(S, L, 5);
    return out != NULL && out->buffer != NULL ? out : NULL;
}

static int push_matmul(lua_State *L, const char *name, const cuna_array *a, const cuna_array *b, cuna_array *out)
{
    if (out == NULL)
        out = cuna_lua_push_array(L);
    CUNA_LUA_TRY(L, cuna_record_matmul(cuna_lua_context(L), name, NULL, a, b, out));
    return 1;
}

/* With the program at the dtype's index in the table at 2; if it is missing: nothing, the dtype's name and that
 * index. */
static int push_sum(lua_State *L, const char *name, const cuna_array *a, const cuna_array *b)
{
    const cuna_operand operands[] = {{.array = a}, {.array = b}};
    lua_rawgeti(L, 2, a->dtype + 1);
    const cuna_program *program = lua_touserdata(L, -1);
    if (program == NULL) {
        lua_pushstring(L, cuna_dtype_name((cuna_dtype)a->dtype));
        lua_pushinteger(L, a->dtype + 1);
        return 3;
    }
    cuna_array *out = cuna_lua_push_array(L);
    bool ran;
    CUNA_LUA_TRY(L, cuna_record_fold(&ran, cuna_lua_context(L), name, program, operands, &out,
                                     (uint32_t)1 << (a->ndim - 1), false, 0));
    return 1;
}

/* product(name, sums, a, b[, out]) -> the product of two arrays that multiply without conversion, the right one a
 * vector, or both matrices and `out` of their dtype; nothing for all other arguments. It is one call, because a small
 * product takes no longer than a call. */
static int core_product(lua_State *L)
{
    const cuna_lua_state *S = cuna_lua_get_state(L);
    int count = lua_gettop(L);
    const cuna_array *a = cuna_lua_peek_array(S, L, 3), *b = cuna_lua_peek_array(S, L, 4);
    cuna_array *out = count == 5 ? take_out(S, L) : NULL;
    bool plain = count == 4 || (out != NULL && a != NULL && out->dtype == a->dtype);
    cuna_matmul_way way = plain && are_plain(a, b) ? cuna_matmul_find_way(a, b) : CUNA_MATMUL_NONE;
    if (way == CUNA_MATMUL_MATRICES)
        return push_matmul(L, lua_tostring(L, 1), a, b, out);
    if (way == CUNA_MATMUL_VECTOR && b->ndim == 1 && out == NULL)
        return push_sum(L, lua_tostring(L, 1), a, b);
    return 0;
}

/* set_tf32(on) -> what it was until now */
static int core_set_tf32(lua_State *L)
{
    lua_pushboolean(L, cuna_context_set_tf32(cuna_lua_context(L), lua_toboolean(L, 1)));
    return 1;
}

void cuna_lua_open_matmul(lua_State *L)
{
    static const luaL_Reg functions[] = {{"matmul", core_matmul},
                                         {"matmul_way", core_matmul_way},
                                         {"product", core_product},
                                         {"set_tf32", core_set_tf32},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}

/* create.c: new arrays of a shape: unspecified, or filled with a number. */
#include "state.h"

/* Pushes a new array; a bad shape is an error of `what`. */
static cuna_array *push_new(lua_State *L, cuna_lua_state *S, cuna_device *device, cuna_dtype dtype, int ndim,
                            const int64_t *shape, const char *what)
{
    cuna_lua_pace(L, S);
    cuna_array *array = cuna_lua_push_empty(L, S);
    cuna_status status = cuna_array_create_on(array, S->context, device, dtype, ndim, shape);
    if (status == CUNA_VALUE) /* CUNA_LUA_TRY, but a bad shape names the caller */
        cuna_lua_fail(L, "%s: %s", what, cuna_message());
    if (status == CUNA_MEMORY) {
        cuna_lua_collect(L);
        status = cuna_array_create_on(array, S->context, device, dtype, ndim, shape);
    }
    cuna_lua_check(L, status);
    return array;
}

/* empty(shape, dtype or nil, device or nil, what) */
static int core_empty(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    int64_t shape[CUNA_MAX_NDIM];
    const char *what = luaL_optstring(L, 4, "empty");
    int ndim = cuna_lua_check_shape(L, 1, shape, what);
    cuna_dtype dtype = lua_isnoneornil(L, 2) ? S->default_dtype : cuna_lua_check_dtype(L, 2, what);
    cuna_device *device = lua_isnoneornil(L, 3) ? cuna_context_device(S->context) : cuna_lua_check_device(L, 3, what);
    push_new(L, S, device, dtype, ndim, shape, what);
    return 1;
}

/* The plain form of name(shape, dtype): pushes an array on the current device. NULL for other forms. */
static cuna_array *create(lua_State *L, cuna_lua_state *S, const char *name)
{
    int64_t shape[CUNA_MAX_NDIM];
    int ndim = lua_gettop(L) > 2 ? -1 : cuna_lua_peek_list(L, 1, 1, shape);
    cuna_dtype dtype = S->default_dtype;
    bool has_dtype = !lua_isnoneornil(L, 2);
    if (ndim < 0 || (has_dtype && lua_type(L, 2) != LUA_TSTRING))
        return NULL;
    if (has_dtype && cuna_dtype_find(&dtype, lua_tostring(L, 2)) != CUNA_OK)
        return NULL;
    return push_new(L, S, cuna_context_device(S->context), dtype, ndim, shape, name);
}

static int create_filled(lua_State *L, const char *name, int64_t value)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    const cuna_array *array = create(L, S, name);
    cuna_number number = {.kind = CUNA_NUMBER_INT, .i = value};
    if (array == NULL)
        return cuna_lua_pass_on(L);
    CUNA_LUA_TRY(L, cuna_array_fill(S->context, array, &number));
    return 1;
}

int cuna_lua_front_zeros(lua_State *L)
{
    return create_filled(L, "zeros", 0);
}

int cuna_lua_front_ones(lua_State *L)
{
    return create_filled(L, "ones", 1);
}

int cuna_lua_front_empty(lua_State *L)
{
    return create(L, lua_touserdata(L, lua_upvalueindex(1)), "empty") != NULL ? 1 : cuna_lua_pass_on(L);
}

void cuna_lua_open_create(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"empty", core_empty}, {NULL, NULL}});
}

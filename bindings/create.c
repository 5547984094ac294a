/* create.c: new arrays of a shape: unspecified, or filled with a number. */
#include <string.h>

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

/* The functions that have a front: name(shape, dtype), or name(x, dtype) for an array like x. */
static const struct cuna_lua_creation {
    const char *name;
    bool is_like, is_filled;
    int64_t value;
} creations[] = {{"empty", .is_filled = false},
                 {"zeros", .is_filled = true},
                 {"ones", .is_filled = true, .value = 1},
                 {"empty_like", .is_like = true},
                 {"zeros_like", .is_like = true, .is_filled = true},
                 {"ones_like", .is_like = true, .is_filled = true, .value = 1}};

/* What a plain call creates. */
typedef struct call {
    cuna_device *device;
    cuna_dtype dtype;
    int ndim;
    int64_t shape[CUNA_MAX_NDIM];
} call;

/* A copy of the shape: a finalizer may free the array meanwhile. */
static bool read_like(lua_State *L, const cuna_lua_state *S, call *c)
{
    const cuna_array *x = cuna_lua_peek_array(S, L, 1);
    if (x == NULL || x->buffer == NULL)
        return false;
    c->device = cuna_array_device(x);
    c->dtype = x->dtype;
    c->ndim = x->ndim;
    memcpy(c->shape, cuna_array_shape(x), (size_t)x->ndim * sizeof *c->shape);
    return true;
}

static bool read_shape(lua_State *L, const cuna_lua_state *S, call *c)
{
    c->device = cuna_context_device(S->context);
    c->dtype = S->default_dtype;
    c->ndim = cuna_lua_peek_list(L, 1, 1, c->shape);
    return c->ndim >= 0;
}

/* The dtype, argument 2, if there is one. */
static bool read_dtype(lua_State *L, call *c)
{
    if (lua_isnoneornil(L, 2))
        return true;
    return lua_type(L, 2) == LUA_TSTRING && cuna_dtype_find(&c->dtype, lua_tostring(L, 2)) == CUNA_OK;
}

int cuna_lua_front_create(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    const cuna_lua_creation *creation = lua_touserdata(L, lua_upvalueindex(3));
    call c;
    if (lua_gettop(L) > 2 || !(creation->is_like ? read_like : read_shape)(L, S, &c) || !read_dtype(L, &c))
        return cuna_lua_pass_on(L);
    const cuna_array *array = push_new(L, S, c.device, c.dtype, c.ndim, c.shape, creation->name);
    cuna_number value = {.kind = CUNA_NUMBER_INT, .i = creation->value};
    if (creation->is_filled)
        CUNA_LUA_TRY(L, cuna_array_fill(S->context, array, &value));
    return 1;
}

const cuna_lua_creation *cuna_lua_find_creation(const char *name)
{
    for (size_t i = 0; i < sizeof creations / sizeof *creations; i++)
        if (strcmp(creations[i].name, name) == 0)
            return &creations[i];
    return NULL;
}

void cuna_lua_open_create(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"empty", core_empty}, {NULL, NULL}});
}

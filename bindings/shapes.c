/* shapes.c: compares shapes of arrays, and creates no table for that. */
#include <string.h>

#include "state.h"

/* The array at a stack index; NULL for other values and freed ones. */
static const cuna_array *peek_alive(lua_State *L, int index)
{
    const cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, index);
    return array != NULL && array->buffer != NULL ? array : NULL;
}

static bool has_shape(lua_State *L, const cuna_array *array, int ndim)
{
    if (array == NULL || array->ndim != ndim)
        return false;
    for (int axis = 0; axis < ndim; axis++)
        if ((lua_Number)array->dims[axis] != lua_tonumber(L, axis + 2))
            return false;
    return true;
}

/* has_shape(array, length...) */
static int core_has_shape(lua_State *L)
{
    lua_pushboolean(L, has_shape(L, peek_alive(L, 1), lua_gettop(L) - 1));
    return 1;
}

/* same_shape(a, b) */
static int core_same_shape(lua_State *L)
{
    const cuna_array *a = peek_alive(L, 1), *b = peek_alive(L, 2);
    bool same = a != NULL && b != NULL && a->ndim == b->ndim;
    lua_pushboolean(L, same && memcmp(a->dims, b->dims, a->ndim * sizeof *a->dims) == 0);
    return 1;
}

void cuna_lua_open_shapes(lua_State *L)
{
    static const luaL_Reg functions[] = {{"has_shape", core_has_shape}, {"same_shape", core_same_shape}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}

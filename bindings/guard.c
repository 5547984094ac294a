/* guard.c: checks of a fused call's arrays before it uses a trace; lua/cuna/fuse/code.lua generates the calls.
 *
 * They run at every fused call, so each checks as many arrays as possible and creates no table. */
#include <string.h>

#include "state.h"

/* The array at a stack index; NULL for other values and freed ones. */
static const cuna_array *peek_alive(lua_State *L, int index)
{
    const cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, index);
    return array != NULL && array->buffer != NULL ? array : NULL;
}

static bool have_dtypes(lua_State *L, const char *dtypes, int count)
{
    for (int k = 0; k < count; k++) {
        const cuna_array *array = peek_alive(L, k + 2);
        if (array == NULL || array->dtype != dtypes[k] - 'a')
            return false;
    }
    return true;
}

/* have_dtypes(dtypes, array...): whether the values are arrays of these dtypes: one letter each, "a" for the first of
 * core.dtypes. */
static int core_have_dtypes(lua_State *L)
{
    size_t count;
    const char *dtypes = luaL_checklstring(L, 1, &count);
    lua_pushboolean(L, lua_gettop(L) == (int)count + 1 && have_dtypes(L, dtypes, (int)count));
    return 1;
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

void cuna_lua_open_guard(lua_State *L)
{
    static const luaL_Reg functions[] = {{"have_dtypes", core_have_dtypes},
                                         {"has_shape", core_has_shape},
                                         {"same_shape", core_same_shape},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}

/* shapes.c: asks arrays about their shapes and where they are, and creates no table for that. */
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

/* length(x, axis) -> the length of an axis, counted from 1, or from the end if negative; nil if there is none */
static int core_length(lua_State *L)
{
    const cuna_array *x = cuna_lua_check_array(L, 1, "shape");
    lua_Integer axis = lua_tointeger(L, 2), place = axis < 0 ? axis + x->ndim : axis - 1;
    if (place < 0 || place >= x->ndim)
        lua_pushnil(L);
    else
        lua_pushnumber(L, (lua_Number)x->dims[place]);
    return 1;
}

/* lengths(x, behind) -> a list of the lengths of all axes but the last `behind` */
static int core_lengths(lua_State *L)
{
    const cuna_array *x = cuna_lua_check_array(L, 1, "shape");
    int count = x->ndim - (int)lua_tointeger(L, 2);
    lua_createtable(L, count > 0 ? count : 0, 0);
    for (int axis = 0; axis < count; axis++) {
        lua_pushnumber(L, (lua_Number)x->dims[axis]);
        lua_rawseti(L, -2, axis + 1);
    }
    return 1;
}

/* is_row_major(x) */
static int core_is_row_major(lua_State *L)
{
    lua_pushboolean(L, (cuna_lua_check_array(L, 1, "flags")->flags & CUNA_ARRAY_CONTIGUOUS) != 0);
    return 1;
}

/* device_of(...) -> the device of the first array among any values; nil if there is none */
static int core_device_of(lua_State *L)
{
    const cuna_array *array = NULL;
    for (int index = 1, last = lua_gettop(L); array == NULL && index <= last; index++)
        array = peek_alive(L, index);
    if (array == NULL)
        lua_pushnil(L);
    else
        cuna_lua_push_device(L, cuna_array_device(array));
    return 1;
}

/* common_dtype(list) -> the dtype that all of a list have which are arrays on one device; nil if anything is otherwise */
static int core_common_dtype(lua_State *L)
{
    const cuna_array *first = NULL;
    for (int k = 1, count = (int)lua_objlen(L, 1); k <= count; k++) {
        lua_rawgeti(L, 1, k);
        const cuna_array *array = peek_alive(L, -1);
        first = k == 1 ? array : first;
        if (array == NULL || array->dtype != first->dtype || cuna_array_device(array) != cuna_array_device(first))
            return 0;
        lua_pop(L, 1);
    }
    if (first == NULL)
        return 0;
    lua_pushstring(L, cuna_dtype_name((cuna_dtype)first->dtype));
    return 1;
}

/* shapes_key(list, text...) -> a string that differs where the texts or the shapes of the arrays in a list do */
static int core_shapes_key(lua_State *L)
{
    luaL_Buffer key;
    int last = lua_gettop(L), count = (int)lua_objlen(L, 1);
    luaL_checkstack(L, count + 4, "shape");
    for (int k = 1; k <= count; k++) { /* below the buffer, which may use the stack */
        lua_rawgeti(L, 1, k);
        cuna_lua_check_array(L, -1, "shape");
    }
    luaL_buffinit(L, &key);
    for (int index = 2; index <= last; index++) {
        size_t nbytes;
        const char *text = luaL_checklstring(L, index, &nbytes);
        luaL_addlstring(&key, text, nbytes + 1);
    }
    for (int k = 1; k <= count; k++) {
        const cuna_array *array = lua_touserdata(L, last + k);
        luaL_addchar(&key, (char)array->ndim);
        luaL_addlstring(&key, (const char *)array->dims, (size_t)array->ndim * sizeof *array->dims);
    }
    luaL_pushresult(&key);
    return 1;
}

void cuna_lua_open_shapes(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"has_shape", core_has_shape},       {"same_shape", core_same_shape},     {"length", core_length},
        {"lengths", core_lengths},           {"is_row_major", core_is_row_major}, {"device_of", core_device_of},
        {"common_dtype", core_common_dtype}, {"shapes_key", core_shapes_key},     {NULL, NULL}};
    cuna_lua_register(L, functions);
}

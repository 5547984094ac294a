/* element.c: what x[key] names where that takes no parsing: one element, by a number for each axis, or a row.
 *
 * Positions count from 1. Whatever else a key may be, a position from the end or out of range among it, is left to
 * index.c, which knows the rules and says what is wrong. */
#include "state.h"

/* The number at an index is a position from 1 to length: answers it from 0, else -1. */
static inline int64_t find_place(lua_State *L, int index, int64_t length)
{
    if (lua_type(L, index) != LUA_TNUMBER)
        return -1;
    double position = lua_tonumber(L, index);
    return position >= 1 && position <= (double)length && position == (double)(int64_t)position ? (int64_t)position - 1
                                                                                                : -1;
}

/* One traversal sees each entry and that there is no other. */
static bool find_in_table(lua_State *L, const cuna_array *array, int64_t *offset)
{
    const int64_t *shape = cuna_array_shape(array), *strides = cuna_array_strides(array);
    int found = 0;
    *offset = 0;
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        int64_t axis = find_place(L, -2, array->ndim), place = axis < 0 ? -1 : find_place(L, -1, shape[axis]);
        if (place < 0) {
            lua_pop(L, 2);
            return false;
        }
        *offset += place * strides[axis];
        found++;
    }
    return found == array->ndim && found > 0;
}

bool cuna_lua_find_element(lua_State *L, const cuna_array *array, int64_t *offset)
{
    if (lua_type(L, 2) == LUA_TTABLE)
        return find_in_table(L, array, offset);
    int64_t place = array->ndim == 1 ? find_place(L, 2, cuna_array_shape(array)[0]) : -1;
    *offset = place < 0 ? 0 : place * cuna_array_strides(array)[0];
    return place >= 0;
}

bool cuna_lua_find_row(lua_State *L, const cuna_array *array, cuna_geometry *geometry)
{
    int64_t place = array->ndim > 1 ? find_place(L, 2, cuna_array_shape(array)[0]) : -1;
    if (place < 0)
        return false;
    const int64_t *shape = cuna_array_shape(array), *strides = cuna_array_strides(array);
    geometry->ndim = array->ndim - 1;
    geometry->offset = place * strides[0];
    for (int axis = 1; axis < array->ndim; axis++) {
        geometry->shape[axis - 1] = shape[axis];
        geometry->strides[axis - 1] = strides[axis];
    }
    return true;
}

void cuna_lua_read_element(lua_State *L, const cuna_lua_state *S, const cuna_array *array, int64_t offset)
{
    cuna_number number;
    cuna_lua_check(L, cuna_context_check_waiting(S->context, "index"));
    CUNA_LUA_TRY(L, cuna_array_read(&number, S->context, array, offset));
    cuna_lua_push_number(L, &number);
}

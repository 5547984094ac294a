/* view.c: views by geometry: reshape, transpose, broadcast and arbitrary shape, strides and offset.
 *
 * lua/cuna/manipulate.lua builds on these. Axes count from 1. */
#include <stdio.h>

#include "state.h"

/* The geometry of the array at stack index 1. */
static cuna_array *read_source(lua_State *L, cuna_geometry *whole, const char *what)
{
    cuna_array *array = cuna_lua_check_array(L, 1, what);
    cuna_array_geometry(whole, array);
    return array;
}

/* Pushes the array at stack index 1 in a wanted shape: a view if strides allow it, else a view of a copy. */
static int push_reshaped(lua_State *L, const cuna_array *array, int ndim, const int64_t *wanted, const char *what)
{
    cuna_geometry old, new = {.ndim = ndim};
    cuna_array_geometry(&old, array);
    if (cuna__shape_resolve(new.shape, ndim, wanted, old.ndim, old.shape) != CUNA_OK)
        return cuna_lua_fail(L, "%s: %s", what, cuna_message());
    if (!cuna__shape_reshape(new.strides, ndim, new.shape, &old)) {
        cuna_array *copy = cuna_lua_push_array(L);
        CUNA_LUA_TRY(L, cuna_array_cast(copy, cuna_lua_context(L), array, array->dtype));
        /* The view is one of the copy, and keeps that alive instead of the original. */
        lua_replace(L, 1);
        cuna__shape_strides(new.strides, ndim, new.shape);
    }
    cuna_lua_push_view(L, 1, array->dtype, &new);
    return 1;
}

/* reshape(x, shape, what) */
static int core_reshape(lua_State *L)
{
    int64_t wanted[CUNA_MAX_NDIM];
    const char *what = luaL_optstring(L, 3, "reshape");
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    int ndim = cuna_lua_check_shape(L, 2, wanted, what);
    return push_reshaped(L, array, ndim, wanted, what);
}

/* The array at stack index 1 if it is alive; else NULL. */
static const cuna_array *peek_source(lua_State *L)
{
    const cuna_array *array = cuna_lua_peek_array(lua_touserdata(L, lua_upvalueindex(1)), L, 1);
    return array != NULL && array->buffer != NULL ? array : NULL;
}

int cuna_lua_front_reshape(lua_State *L)
{
    int64_t wanted[CUNA_MAX_NDIM];
    const cuna_array *array = peek_source(L);
    int last = lua_gettop(L), ndim = array != NULL && last > 1 ? cuna_lua_peek_list(L, 2, last, wanted) : -1;
    return ndim < 0 ? cuna_lua_pass_on(L) : push_reshaped(L, array, ndim, wanted, "reshape");
}

/* The list of axes at stack index 2, every axis exactly once; nil reverses them. */
static void read_axes(lua_State *L, int *axes, int ndim, const char *what)
{
    uint32_t seen = 0;
    if (!lua_isnil(L, 2)) {
        luaL_checktype(L, 2, LUA_TTABLE);
        int count = cuna_lua_check_list(L, 2, what, "the list of axes");
        if (count != ndim)
            cuna_lua_fail(L, "%s: %d axes given for an array of %d", what, count, ndim);
    }
    for (int i = 0; i < ndim; i++) {
        axes[i] = ndim - 1 - i;
        if (lua_isnil(L, 2))
            continue;
        lua_rawgeti(L, 2, i + 1);
        axes[i] = cuna_lua_check_axis(L, lua_gettop(L), ndim, what);
        lua_pop(L, 1);
        if (seen >> axes[i] & 1)
            cuna_lua_fail(L, "%s: axis %d is named twice", what, axes[i] + 1);
        seen |= 1u << axes[i];
    }
}

/* Pushes a view of the array at stack index 1 with its axes in an order. */
static void push_transposed(lua_State *L, const cuna_array *array, const int *axes)
{
    cuna_geometry old, new = {.ndim = array->ndim};
    cuna_array_geometry(&old, array);
    for (int i = 0; i < old.ndim; i++) {
        new.shape[i] = old.shape[axes[i]];
        new.strides[i] = old.strides[axes[i]];
    }
    cuna_lua_push_view(L, 1, array->dtype, &new);
}

static void reverse(int *axes, int ndim)
{
    for (int i = 0; i < ndim; i++)
        axes[i] = ndim - 1 - i;
}

void cuna_lua_push_reversed(lua_State *L, const cuna_array *array)
{
    int axes[CUNA_MAX_NDIM];
    reverse(axes, array->ndim);
    push_transposed(L, array, axes);
}

/* transpose(x, {axis, ...} or nil, what) -> a view with its axes in this order */
static int core_transpose(lua_State *L)
{
    int axes[CUNA_MAX_NDIM];
    const char *what = luaL_optstring(L, 3, "transpose");
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    read_axes(L, axes, array->ndim, what);
    push_transposed(L, array, axes);
    return 1;
}

/* Axes counted from 0 for a list of positions that names every axis once. */
static bool are_axes(int *axes, int ndim, const int64_t *positions, int count)
{
    uint32_t seen = 0;
    for (int i = 0; i < count && i < ndim && cuna__shape_axis(&axes[i], positions[i], ndim) == CUNA_OK; i++)
        seen |= 1u << axes[i];
    return count == ndim && seen == (uint32_t)(((uint64_t)1 << ndim) - 1);
}

int cuna_lua_front_transpose(lua_State *L)
{
    int64_t positions[CUNA_MAX_NDIM];
    int axes[CUNA_MAX_NDIM], last = lua_gettop(L);
    const cuna_array *array = peek_source(L);
    int count = array != NULL ? cuna_lua_peek_list(L, 2, last, positions) : -1;
    if (count == 0)
        reverse(axes, array->ndim);
    else if (count < 0 || !are_axes(axes, array->ndim, positions, count))
        return cuna_lua_pass_on(L);
    push_transposed(L, array, axes);
    return 1;
}

/* broadcast_to(x, shape, what): a read-only view. */
static int core_broadcast_to(lua_State *L)
{
    cuna_geometry old, new = {.offset = 0};
    const char *what = luaL_optstring(L, 3, "broadcast_to");
    const cuna_array *array = read_source(L, &old, what);
    new.ndim = cuna_lua_check_shape(L, 2, new.shape, what);
    if (!cuna__shape_expand(new.strides, new.ndim, new.shape, old.ndim, old.shape, old.strides)) {
        char ours[256], theirs[256];
        return cuna_lua_fail(L, "%s: shape %s does not broadcast to %s", what,
                             cuna__shape_text(ours, sizeof ours, old.ndim, old.shape),
                             cuna__shape_text(theirs, sizeof theirs, new.ndim, new.shape));
    }
    cuna_array *view = cuna_lua_push_view(L, 1, array->dtype, &new);
    view->flags |= CUNA_ARRAY_READONLY;
    return 1;
}

static void read_list(lua_State *L, int index, int64_t *values, int count, const char *what)
{
    luaL_checktype(L, index, LUA_TTABLE);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, index, i + 1);
        values[i] = cuna_lua_check_integer(L, lua_gettop(L), what);
        lua_pop(L, 1);
    }
}

/* view(x, shape, strides (elements), offset (elements), dtype or nil): anything inside x's memory. */
static int core_view(lua_State *L)
{
    cuna_geometry new;
    const cuna_array *array = cuna_lua_check_array(L, 1, "view");
    cuna_dtype dtype = lua_isnoneornil(L, 5) ? (cuna_dtype)array->dtype : cuna_lua_check_dtype(L, 5, "view");
    new.ndim = cuna_lua_check_shape(L, 2, new.shape, "view");
    read_list(L, 3, new.strides, new.ndim, "view: a stride");
    new.offset = cuna_lua_check_integer(L, 4, "view: the offset");
    cuna_lua_push_view(L, 1, dtype, &new);
    return 1;
}

/* part(x, axis, first, length, step or nil) -> a view of the elements first, first + step, ... along an axis, `length` in
 * all */
static int core_part(lua_State *L)
{
    cuna_geometry new;
    const cuna_array *array = read_source(L, &new, "part");
    int axis = cuna_lua_check_axis(L, 2, new.ndim, "part");
    int64_t first = (int64_t)luaL_checknumber(L, 3), length = (int64_t)luaL_checknumber(L, 4);
    new.offset = length > 0 ? (first - 1) * new.strides[axis] : 0;
    new.shape[axis] = length > 0 ? length : 0;
    new.strides[axis] *= (int64_t)luaL_optnumber(L, 5, 1);
    cuna_lua_push_view(L, 1, array->dtype, &new);
    return 1;
}

/* along(line, axis, ndim) -> a vector along one axis of a view with `ndim` axes */
static int core_along(lua_State *L)
{
    cuna_geometry old, new = {.ndim = (int)luaL_checknumber(L, 3)};
    const cuna_array *array = read_source(L, &old, "along");
    int axis = cuna_lua_check_axis(L, 2, new.ndim, "along");
    for (int i = 0; i < new.ndim; i++)
        new.shape[i] = 1;
    new.shape[axis] = old.shape[0];
    new.strides[axis] = old.strides[0];
    cuna_lua_push_view(L, 1, array->dtype, &new);
    return 1;
}

/* with_axis(x, axis) -> a view with one more axis, of length 1, which becomes that axis */
static int core_with_axis(lua_State *L)
{
    cuna_geometry new;
    const cuna_array *array = read_source(L, &new, "with_axis");
    int axis = cuna_lua_check_axis(L, 2, ++new.ndim, "with_axis");
    if (new.ndim > CUNA_MAX_NDIM)
        return cuna_lua_fail(L, "an array has at most %d axes, and one more is needed", CUNA_MAX_NDIM);
    for (int i = new.ndim - 1; i > axis; i--) {
        new.shape[i] = new.shape[i - 1];
        new.strides[i] = new.strides[i - 1];
    }
    new.shape[axis] = 1;
    new.strides[axis] = 0;
    new.offset = 0;
    cuna_lua_push_view(L, 1, array->dtype, &new);
    return 1;
}

/* Takes an axis out of a geometry. */
static void drop_axis(cuna_geometry *geometry, int axis)
{
    for (int i = axis + 1; i < geometry->ndim; i++) {
        geometry->shape[i - 1] = geometry->shape[i];
        geometry->strides[i - 1] = geometry->strides[i];
    }
    geometry->ndim--;
}

/* without_axis(x, axis, position or nil) -> a view at a position of an axis, by default the first, without it */
static int core_without_axis(lua_State *L)
{
    cuna_geometry new;
    const cuna_array *array = read_source(L, &new, "without_axis");
    int axis = cuna_lua_check_axis(L, 2, new.ndim, "without_axis");
    new.offset = ((int64_t)luaL_optnumber(L, 3, 1) - 1) * new.strides[axis];
    drop_axis(&new, axis);
    cuna_lua_push_view(L, 1, array->dtype, &new);
    return 1;
}

/* swap_last(x) -> a view with the last two axes, which x has, exchanged */
static int core_swap_last(lua_State *L)
{
    int axes[CUNA_MAX_NDIM];
    const cuna_array *array = cuna_lua_check_array(L, 1, "swap_last");
    int last = array->ndim - 1;
    if (last < 1)
        return cuna_lua_fail(L, "swap_last: expected a matrix");
    for (int i = 0; i <= last; i++)
        axes[i] = i;
    axes[last] = last - 1;
    axes[last - 1] = last;
    push_transposed(L, array, axes);
    return 1;
}

/* diagonal(x, offset, axis1, axis2) -> a view of the diagonals of the matrices along two axes, which become the last axis */
static int core_diagonal(lua_State *L)
{
    cuna_geometry new;
    const cuna_array *array = read_source(L, &new, "diagonal");
    int64_t offset = (int64_t)luaL_checknumber(L, 2), right = offset > 0 ? offset : 0, down = offset < 0 ? -offset : 0;
    int rows = cuna_lua_check_axis(L, 3, new.ndim, "diagonal"),
        columns = cuna_lua_check_axis(L, 4, new.ndim, "diagonal");
    int64_t high = new.shape[rows] - down, wide = new.shape[columns] - right, length = high < wide ? high : wide;
    int64_t step = new.strides[rows] + new.strides[columns];
    new.offset = length > 0 ? right *new.strides[columns] + down *new.strides[rows] : 0;
    drop_axis(&new, rows > columns ? rows : columns);
    drop_axis(&new, rows > columns ? columns : rows);
    new.shape[new.ndim] = length > 0 ? length : 0;
    new.strides[new.ndim++] = step;
    cuna_lua_push_view(L, 1, array->dtype, &new);
    return 1;
}

/* windows(line, length) -> a view of all windows of a length in a vector, one per row */
static int core_windows(lua_State *L)
{
    cuna_geometry old, new = {.ndim = 2};
    const cuna_array *array = read_source(L, &old, "windows");
    new.shape[1] = (int64_t)luaL_checknumber(L, 2);
    new.shape[0] = old.shape[0] - new.shape[1] + 1;
    new.strides[0] = new.strides[1] = old.strides[0];
    cuna_lua_push_view(L, 1, array->dtype, &new);
    return 1;
}

/* squeeze(x, axes (bit mask), named) -> a view without those of these axes that have length 1; with `named`, all must */
static int core_squeeze(lua_State *L)
{
    cuna_geometry old, new = {.ndim = 0};
    const cuna_array *array = read_source(L, &old, "squeeze");
    uint32_t axes = (uint32_t)luaL_checknumber(L, 2);
    for (int i = 0; i < old.ndim; i++) {
        bool asked = axes >> i & 1;
        if (asked && lua_toboolean(L, 3) && old.shape[i] != 1)
            return cuna_lua_fail(L, "squeeze: axis %d has length %lld, not 1", i + 1, (long long)old.shape[i]);
        if (asked && old.shape[i] == 1)
            continue;
        new.shape[new.ndim] = old.shape[i];
        new.strides[new.ndim++] = old.strides[i];
    }
    cuna_lua_push_view(L, 1, array->dtype, &new);
    return 1;
}

int cuna_lua_check_axis(lua_State *L, int index, int ndim, const char *what)
{
    cuna_number number = {.kind = CUNA_NUMBER_BOOL};
    int axis;
    if (lua_type(L, index) != LUA_TNUMBER || !cuna_lua_to_number(L, index, &number) || number.kind != CUNA_NUMBER_INT) {
        char text[128];
        snprintf(text, sizeof text, "%s: an axis", what);
        number.i = cuna_lua_check_integer(L, index, text);
    }
    if (cuna__shape_axis(&axis, number.i, ndim) != CUNA_OK)
        cuna_lua_fail(L, "%s: %s", what, cuna_message());
    return axis;
}

/* axis(value, array or its ndim, what) -> the axis counted from 1; of an array its length, too */
static int core_axis(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    const cuna_array *array = lua_isnumber(L, 2) ? NULL : cuna_lua_check_array(L, 2, what);
    int axis = cuna_lua_check_axis(L, 1, array == NULL ? (int)lua_tointeger(L, 2) : array->ndim, what);
    lua_pushnumber(L, axis + 1);
    if (array == NULL)
        return 1;
    lua_pushnumber(L, (lua_Number)cuna_array_shape(array)[axis]);
    return 2;
}

/* axes(value, array or its ndim, what) -> bit mask of a number, a table of numbers or nil (all axes) */
static int core_axes(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    int ndim = lua_isnumber(L, 2) ? (int)lua_tointeger(L, 2) : cuna_lua_check_array(L, 2, what)->ndim;
    uint32_t mask = 0;
    if (lua_isnil(L, 1)) {
        mask = ndim == 32 ? UINT32_MAX : (1u << ndim) - 1; /* C does not define a shift by 32 */
    } else if (lua_type(L, 1) == LUA_TTABLE) {
        for (int i = 1, count = cuna_lua_check_list(L, 1, what, "the list of axes"); i <= count; i++) {
            lua_rawgeti(L, 1, i);
            int axis = cuna_lua_check_axis(L, lua_gettop(L), ndim, what);
            lua_pop(L, 1);
            if (mask >> axis & 1)
                return cuna_lua_fail(L, "%s: axis %d is named twice", what, axis + 1);
            mask |= 1u << axis;
        }
    } else {
        mask = 1u << cuna_lua_check_axis(L, 1, ndim, what);
    }
    lua_pushnumber(L, mask);
    return 1;
}

/* arranged(x, places, ndim) -> a view whose axes are those of x, each at the place given for it, from 1, and new ones of
 * length 1; axes at one place are a diagonal, those at 0, of length 1, are left out */
static int core_arranged(lua_State *L)
{
    cuna_geometry whole, made = {.ndim = (int)lua_tointeger(L, 3)};
    cuna_array *array = read_source(L, &whole, "view");
    for (int axis = 0; axis < made.ndim; axis++) {
        made.shape[axis] = 1;
        made.strides[axis] = 0;
    }
    for (int axis = 0; axis < whole.ndim; axis++) {
        lua_rawgeti(L, 2, axis + 1);
        lua_Integer place = lua_tointeger(L, -1);
        lua_pop(L, 1);
        if (place < 1 || place > made.ndim)
            continue;
        made.shape[place - 1] = whole.shape[axis];
        made.strides[place - 1] += whole.strides[axis];
    }
    cuna_lua_push_view(L, 1, array->dtype, &made);
    return 1;
}

void cuna_lua_open_view(lua_State *L)
{
    static const luaL_Reg functions[] = {{"reshape", core_reshape},
                                         {"arranged", core_arranged},
                                         {"transpose", core_transpose},
                                         {"broadcast_to", core_broadcast_to},
                                         {"view", core_view},
                                         {"with_axis", core_with_axis},
                                         {"without_axis", core_without_axis},
                                         {"part", core_part},
                                         {"along", core_along},
                                         {"swap_last", core_swap_last},
                                         {"squeeze", core_squeeze},
                                         {"diagonal", core_diagonal},
                                         {"windows", core_windows},
                                         {"axis", core_axis},
                                         {"axes", core_axes},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}

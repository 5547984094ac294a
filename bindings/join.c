/* join.c: a table of arrays joined in one call: compares shapes, creates the output and submits the copies.
 * lua/cuna/join.lua builds on this. Axes and arrays count from 1 in messages. */
#include <stdio.h>
#include <string.h>

#include "state.h"

static const char *axes_text(char *text, size_t nbytes, const cuna_array *x)
{
    snprintf(text, nbytes, x->ndim == 1 ? "%d axis" : "%d axes", x->ndim);
    return text;
}

/* Raises for array k (from 0), which does not match the first one. */
static int refuse_shape(lua_State *L, const cuna_joint *j, int k)
{
    char first[256], other[256];
    const cuna_array *a = j->arrays[0], *b = j->arrays[k];
    if (!j->stacked && a->ndim != b->ndim)
        return cuna_lua_fail(L, "%s: array 1 has %s and array %d has %s", j->name, axes_text(first, sizeof first, a),
                             k + 1, axes_text(other, sizeof other, b));
    cuna__shape_text(first, sizeof first, a->ndim, cuna_array_shape(a));
    cuna__shape_text(other, sizeof other, b->ndim, cuna_array_shape(b));
    if (j->stacked)
        return cuna_lua_fail(L, "%s: array 1 has shape %s and array %d has shape %s", j->name, first, k + 1, other);
    int axis = 0;
    while (axis == j->axis || cuna_array_shape(a)[axis] == cuna_array_shape(b)[axis])
        axis++;
    return cuna_lua_fail(L,
                         "%s: array 1 of shape %s and array %d of shape %s differ in axis %d, along which nothing is "
                         "joined",
                         j->name, first, k + 1, other, axis + 1);
}

/* Takes array k (from 0) into the result's shape and dtype. */
static void add_array(lua_State *L, cuna_joint *j, int k)
{
    const cuna_array *x = j->arrays[k];
    const int64_t *shape = cuna_array_shape(x), *first = cuna_array_shape(j->arrays[0]);
    bool fits = x->ndim == j->arrays[0]->ndim;
    for (int i = 0; fits && i < x->ndim; i++)
        fits = shape[i] == first[i] || (i == j->axis && !j->stacked);
    if (!fits)
        refuse_shape(L, j, k);
    if (__builtin_add_overflow(j->shape[j->axis], j->stacked ? 1 : shape[j->axis], &j->shape[j->axis]))
        cuna_lua_fail(L, "%s: the arrays together have more elements than 64 bits can count", j->name);
    j->dtype = cuna_dtype_promote(j->dtype, x->dtype);
}

/* Reads the arrays of the table at index 1, on one device, and the axis at index 2 (from 1; nil: the first). A list on
 * the stack keeps them alive. */
static void read_arrays(lua_State *L, cuna_joint *j)
{
    j->narrays = cuna_lua_push_list(L, 1);
    j->arrays = lua_newuserdata(L, (size_t)(j->narrays + 1) * sizeof *j->arrays);
    for (int k = 0; k < j->narrays; k++) {
        lua_rawgeti(L, -2, k + 1);
        j->arrays[k] = cuna_lua_check_array(L, -1, j->name);
        lua_pop(L, 1);
    }
    /* The caller has seen arrays in the table, but a finalizer may have run since. */
    if (j->narrays == 0)
        cuna_lua_fail(L, "%s: the table of arrays was emptied while it was read", j->name);
    const cuna_array *first = j->arrays[0];
    j->device = cuna_array_device(first);
    if (first->ndim == 0 && !j->stacked)
        cuna_lua_fail(L, "%s: 0-d arrays cannot be joined; stack them", j->name);
    j->ndim = first->ndim + j->stacked;
    if (j->ndim > CUNA_MAX_NDIM)
        cuna_lua_fail(L, "%s: %d axes are more than the %d that an array may have", j->name, j->ndim, CUNA_MAX_NDIM);
    j->axis = lua_isnil(L, 2) ? 0 : cuna_lua_check_axis(L, 2, j->ndim, j->name);
    j->dtype = first->dtype;
    /* add_array adds up the lengths along the axis. */
    for (int i = 0; i < j->ndim; i++)
        j->shape[i] = i == j->axis ? 0 : cuna_array_shape(first)[i - (j->stacked && i > j->axis)];
    for (int k = 0; k < j->narrays; k++)
        add_array(L, j, k);
}

/* Rejects an output that does not match; arrays that share its memory are copied, and the copies stay on the stack. */
static void check_out(lua_State *L, cuna_joint *j, const cuna_array *out)
{
    cuna_result result = {
        .name = j->name, .device = j->device, .dtype = j->dtype, .casts = true, .ndim = j->ndim, .shape = j->shape};
    cuna_lua_check(L, cuna_result_check(&result, out));
    for (int k = 0; k < j->narrays; k++) {
        const cuna_array *x = j->arrays[k];
        if (!cuna_array_overlaps(out, x))
            continue;
        luaL_checkstack(L, 2, j->name);
        cuna_array *copy = cuna_lua_push_array(L);
        CUNA_LUA_TRY(L, cuna_array_cast(copy, cuna_lua_context(L), x, x->dtype));
        j->arrays[k] = copy;
    }
}

/* join(arrays, axis or nil, stacked, out or nil, dtype or nil, name) -> array. The arrays, at least one, are on one
 * device, and out too. */
static int core_join(lua_State *L)
{
    cuna_joint j = {.name = luaL_checkstring(L, 6), .stacked = lua_toboolean(L, 3)};
    cuna_array *out;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 6);
    read_arrays(L, &j);
    if (!lua_isnil(L, 5))
        j.dtype = cuna_lua_check_dtype(L, 5, j.name);
    if (!lua_isnil(L, 4)) {
        check_out(L, &j, out = cuna_lua_check_array(L, 4, j.name));
        lua_pushvalue(L, 4);
        CUNA_LUA_TRY(L, cuna_array_join(cuna_lua_context(L), out, j.axis, j.stacked, j.narrays, j.arrays));
        return 1;
    }
    cuna_lua_pace(L, cuna_lua_get_state(L));
    out = cuna_lua_push_empty(L, cuna_lua_get_state(L));
    CUNA_LUA_TRY(L, cuna_record_join(out, cuna_lua_context(L), &j));
    return 1;
}

/* are_arrays(table, name): whether its keys are exactly 1..n, n at least 1, and its values arrays on one device. */
static int core_are_arrays(lua_State *L)
{
    const cuna_lua_state *S = cuna_lua_get_state(L);
    size_t count = 0;
    const cuna_device *device = NULL;
    if (lua_type(L, 1) != LUA_TTABLE)
        return 0;
    lua_settop(L, 2);
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        const cuna_array *x = cuna_lua_peek_array(S, L, 4);
        if (x == NULL || lua_type(L, 3) != LUA_TNUMBER)
            return 0;
        if (x->buffer == NULL)
            return cuna_lua_fail_freed(L, 4, luaL_checkstring(L, 2));
        /* Lua finds the two arrays and raises the error that names their devices. */
        if (device != NULL && device != cuna_array_device(x))
            return 0;
        device = cuna_array_device(x);
        count++;
    }
    lua_pushboolean(L, count > 0 && count == lua_objlen(L, 1));
    return 1;
}

/* Whether two arrays of as many axes are the parts of a view along one, x the latter one. */
static bool are_parts(const cuna_array *x, const cuna_array *y, int axis)
{
    const int64_t *latter = cuna_array_shape(x), *former = cuna_array_shape(y), *strides = cuna_array_strides(y);
    int64_t elements = former[axis] * strides[axis];
    bool are = x->buffer == y->buffer && x->dtype == y->dtype && former[axis] > 0 &&
               x->offset == y->offset + elements * (int64_t)cuna_dtype_size((cuna_dtype)y->dtype);
    for (int i = 0; are && i < y->ndim; i++)
        are = (i == axis || latter[i] == former[i]) && (latter[i] <= 1 || cuna_array_strides(x)[i] == strides[i]);
    return are;
}

/* rejoined(x, y, axis or nil, name) -> the row-major view whose last elements along an axis are x, and whose first ones
 * are y, and that axis, counted from 1; nil: there is none */
static int core_rejoined(lua_State *L)
{
    cuna_geometry whole;
    const char *name = luaL_checkstring(L, 4);
    const cuna_array *x = cuna_lua_check_array(L, 1, name), *y = cuna_lua_check_array(L, 2, name);
    cuna_array_geometry(&whole, y);
    if (whole.ndim == 0 || x->ndim != whole.ndim)
        return 0;
    int axis = lua_isnil(L, 3) ? 0 : cuna_lua_check_axis(L, 3, whole.ndim, name);
    if (!are_parts(x, y, axis))
        return 0;
    whole.shape[axis] += cuna_array_shape(x)[axis];
    if (!cuna__shape_is_contiguous(whole.ndim, whole.shape, whole.strides))
        return 0;
    cuna_lua_push_view(L, 2, (cuna_dtype)y->dtype, &whole);
    lua_pushinteger(L, axis + 1);
    return 2;
}

void cuna_lua_open_join(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"join", core_join}, {"are_arrays", core_are_arrays}, {"rejoined", core_rejoined}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}

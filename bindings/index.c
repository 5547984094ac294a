/* index.c: x[key] and x[key] = value, and fields and methods by name.
 *
 * Keys of numbers that select one element or a row are not parsed (element.c). Keys with arrays of positions are
 * served by fetch.c, all others with arrays by the Lua hook. */
#include "key.h"

#include <string.h>

/* Whether the key names one element, to be read as a Lua value. */
static bool names_element(const cuna_lua_key *k, const cuna_array *array)
{
    if (k->ellipsis || k->nselects != array->ndim || k->nselects == 0)
        return false;
    for (int i = 0; i < k->nentries; i++)
        if (k->entries[i].kind == CUNA_INDEX_NEWAXIS)
            return false;
    return true;
}

static void apply(lua_State *L, const cuna_array *array, const cuna_lua_key *k, cuna_geometry *geometry)
{
    cuna_geometry whole;
    cuna_array_geometry(&whole, array);
    cuna_status status = cuna__shape_index(geometry, &whole, k->nentries, k->entries);
    if (status != CUNA_OK)
        cuna_lua_raise(L, status);
}

/* A method, a field's value, or the hook's error. */
static int read_name(lua_State *L)
{
    /* Methods come first, and a freed array has them too: each checks its arguments itself. */
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    if (!lua_isnil(L, -1))
        return 1;
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(3));
    if (lua_islightuserdata(L, -1)) {
        const cuna_array *array = lua_touserdata(L, 1);
        const cuna_lua_getter *getter = lua_touserdata(L, -1);
        if (array->buffer == NULL)
            return cuna_lua_fail_freed(L, 1, getter->name);
        if (getter->number != NULL)
            lua_pushnumber(L, getter->number(array));
        else
            getter->get(L, array);
        return 1;
    }
    if (!lua_isnil(L, -1)) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        return 1;
    }
    cuna_lua_push_slot(L, CUNA_SLOT_MISSING);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

/* Calls the hook with the first values on the stack. */
static int hand_over(lua_State *L, int nvalues)
{
    lua_settop(L, nvalues);
    cuna_lua_push_slot(L, CUNA_SLOT_ASSIGN);
    lua_insert(L, 1);
    lua_call(L, nvalues, 1);
    return 1;
}

int cuna_lua_array_index(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    int type = lua_type(L, 2);
    if (type == LUA_TSTRING && !cuna_lua_is_index_text(lua_tostring(L, 2)))
        return read_name(L); /* before the check of freed arrays, which have methods */
    const cuna_array *array = lua_touserdata(L, 1);
    if (array->buffer == NULL)
        return cuna_lua_fail_freed(L, 1, "index");
    if (type == LUA_TNUMBER && cuna_lua_push_at(L, S, array, lua_tonumber(L, 2))) /* frequent keys, not parsed */
        return 1;
    cuna_geometry geometry;
    if (type == LUA_TTABLE && cuna_lua_find_element(L, array, &geometry.offset)) {
        cuna_lua_read_element(L, S, array, geometry.offset);
        return 1;
    }
    cuna_lua_key k;
    cuna_lua_parse_key(L, S, &k);
    if (k.narrays > 0)
        return cuna_lua_fetch(L, S, &k) ? 1 : hand_over(L, 2);
    apply(L, array, &k, &geometry);
    if (!names_element(&k, array)) {
        cuna_lua_push_view(L, 1, array->dtype, &geometry);
        return 1;
    }
    cuna_lua_read_element(L, S, array, geometry.offset);
    return 1;
}

/* Rejects numbers that the dtype cannot hold. */
static void check_suits(lua_State *L, const cuna_number *number, const cuna_array *array, const char *what)
{
    char problem[128];
    if (!cuna_lua_number_suits(number, array->dtype, problem, sizeof problem))
        cuna_lua_fail(L, "%s: %s", what, problem);
}

static void check_writable(lua_State *L, const cuna_array *array, const char *what)
{
    if (array->flags & CUNA_ARRAY_READONLY)
        cuna_lua_check(L, cuna_result_check(&(cuna_result){.name = what, .dtype = CUNA_DTYPES}, array));
}

/* Replaces an array on top of the stack by a view without the leading axes of length 1 that the target lacks. */
static const cuna_array *drop_leading(lua_State *L, const cuna_array *value, int ndim)
{
    cuna_geometry old, new = {.ndim = ndim};
    int extra = value->ndim - ndim;
    cuna_array_geometry(&old, value);
    for (int i = 0; i < extra; i++)
        if (old.shape[i] != 1)
            return value;
    for (int i = 0; i < ndim; i++) {
        new.shape[i] = old.shape[extra + i];
        new.strides[i] = old.strides[extra + i];
    }
    return cuna_lua_push_view(L, -1, value->dtype, &new);
}

static void check_broadcasts(lua_State *L, const cuna_array *view, const cuna_array *value)
{
    int64_t strides[CUNA_MAX_NDIM];
    char from[256], to[256];
    if (cuna__shape_expand(strides, view->ndim, cuna_array_shape(view), value->ndim, cuna_array_shape(value),
                           cuna_array_strides(value)))
        return;
    cuna_lua_fail(L, "assignment: a value of shape %s does not broadcast to shape %s",
                  cuna__shape_text(from, sizeof from, value->ndim, cuna_array_shape(value)),
                  cuna__shape_text(to, sizeof to, view->ndim, cuna_array_shape(view)));
}

/* Pushes the value at stack index 3 as an array on the view's device: a table in the view's dtype, an array
 * unchanged. */
static const cuna_array *push_value(lua_State *L, const cuna_array *view)
{
    cuna_device *device = cuna_array_device(view);
    const cuna_array *value = cuna_lua_peek_array(cuna_lua_get_state(L), L, 3);
    if (value == NULL)
        return cuna_lua_as_array(L, 3, view->dtype, device, "assignment");
    if (value->buffer == NULL)
        cuna_lua_fail_freed(L, 3, "assignment");
    if (cuna_array_device(value) != device)
        cuna_lua_fail(L, "assignment: the array is on %s and the value on %s; move it with value:to(\"%s\")",
                      cuna_device_name(device), cuna_device_name(cuna_array_device(value)), cuna_device_name(device));
    lua_pushvalue(L, 3);
    return value;
}

/* Stores the value at stack index 3 into the view at the top of the stack. */
static void store_into(lua_State *L, const cuna_array *view)
{
    cuna_context *context = cuna_lua_context(L);
    cuna_number number;
    check_writable(L, view, "assignment");
    if (cuna_lua_to_number(L, 3, &number)) {
        check_suits(L, &number, view, "assignment");
        CUNA_LUA_TRY(L, cuna_record_fill(context, view, &number));
        return;
    }
    const cuna_array *value = push_value(L, view);
    if (value->ndim > view->ndim)
        value = drop_leading(L, value, view->ndim);
    check_broadcasts(L, view, value);
    CUNA_LUA_TRY(L, cuna_record_copy(context, view, value));
}

static int refuse_name(lua_State *L, const char *name)
{
    if (strcmp(name, "shape") == 0)
        return cuna_lua_fail(L, "an array has no field 'shape' that can be assigned; write x = x:reshape(...)");
    if (strcmp(name, "real") == 0 || strcmp(name, "imag") == 0)
        return cuna_lua_fail(L, "an array has no field '%s' that can be assigned; write x.%s[\"...\"] = value", name,
                             name);
    return cuna_lua_fail(L, "an array has no field '%s' that can be assigned", name);
}

static void write_element(lua_State *L, const cuna_lua_state *S, const cuna_array *array, int64_t offset,
                          const cuna_number *number)
{
    check_suits(L, number, array, "assignment");
    CUNA_LUA_TRY(L, cuna_array_write(S->context, array, offset, number));
}

int cuna_lua_array_newindex(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    const cuna_array *array = lua_touserdata(L, 1);
    cuna_number number;
    cuna_geometry geometry;
    cuna_lua_key k;
    if (lua_type(L, 2) == LUA_TSTRING && !cuna_lua_is_index_text(lua_tostring(L, 2)))
        return refuse_name(L, lua_tostring(L, 2));
    if (array->buffer == NULL)
        return cuna_lua_fail_freed(L, 1, "index");
    /* Frequent keys, not parsed; the parsed ones below include positions from the end. */
    if (cuna_lua_find_element(L, array, &geometry.offset) && cuna_lua_to_number(L, 3, &number)) {
        write_element(L, S, array, geometry.offset, &number);
        return 0;
    }
    cuna_lua_parse_key(L, S, &k);
    if (k.narrays > 0)
        return cuna_lua_store(L, S, &k) ? 0 : hand_over(L, 3);
    apply(L, array, &k, &geometry);
    if (names_element(&k, array) && cuna_lua_to_number(L, 3, &number)) {
        write_element(L, S, array, geometry.offset, &number);
        return 0;
    }
    store_into(L, cuna_lua_push_view(L, 1, array->dtype, &geometry));
    return 0;
}

/* fill(x, value, what) -> x */
static int array_fill(lua_State *L)
{
    const char *what = luaL_optstring(L, 3, "fill");
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    cuna_number number;
    if (!cuna_lua_to_number(L, 2, &number))
        return cuna_lua_fail(L, "%s: the value is a number or boolean, got %s", what, cuna_lua_describe(L, 2));
    check_suits(L, &number, array, what);
    check_writable(L, array, what);
    CUNA_LUA_TRY(L, cuna_record_fill(cuna_lua_context(L), array, &number));
    lua_settop(L, 1);
    return 1;
}

void cuna_lua_open_index(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"fill", array_fill}, {NULL, NULL}});
}

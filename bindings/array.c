/* array.c: arrays as userdata: creating, checking and freeing them, and their fields. The userdata is the cuna_array
 * itself. An empty one (buffer NULL) was freed; a weak table records where. */
#include <stdio.h>
#include <string.h>

#include "state.h"

cuna_array *cuna_lua_push_empty(lua_State *L, cuna_lua_state *S)
{
    cuna_array *array = lua_newuserdata(L, sizeof *array);
    memset(array, 0, sizeof *array);
    array->mark = S->array_mark;
    lua_rawgeti(L, LUA_REGISTRYINDEX, S->array_meta_ref);
    lua_setmetatable(L, -2);
    if (__builtin_expect(S->scoped, 0))
        cuna_lua_enlist(L);
    return array;
}

bool cuna_lua_has_array_meta(const cuna_lua_state *S, lua_State *L, int index)
{
    if (!lua_getmetatable(L, index))
        return false;
    bool same = lua_topointer(L, -1) == S->array_meta;
    lua_pop(L, 1);
    return same;
}

cuna_array *cuna_lua_push_array(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_lua_pace(L, S);
    return cuna_lua_push_empty(L, S);
}

cuna_array *cuna_lua_new_array(lua_State *L, cuna_dtype dtype, int ndim, const int64_t *shape)
{
    cuna_array *array = cuna_lua_push_array(L);
    CUNA_LUA_TRY(L, cuna_array_create(array, cuna_lua_context(L), dtype, ndim, shape));
    return array;
}

/* The array's environment table keeps foreign memory alive; the view on top of the stack inherits it. */
static void keep_owner(lua_State *L, int index, const cuna_array *src)
{
    if ((src->flags & CUNA_ARRAY_FOREIGN) == 0)
        return;
    lua_getfenv(L, index);
    lua_setfenv(L, -2);
}

cuna_array *cuna_lua_push_view(lua_State *L, int index, cuna_dtype dtype, const cuna_geometry *geometry)
{
    const cuna_array *src = lua_touserdata(L, index);
    if (index < 0)
        index = lua_gettop(L) + index + 1;
    cuna_array *view = cuna_lua_push_empty(L, cuna_lua_get_state(L));
    cuna_lua_check(L, cuna_array_view(view, src, dtype, geometry));
    keep_owner(L, index, src);
    return view;
}

void cuna_lua_push_row(lua_State *L, cuna_lua_state *S, int index, const cuna_array *src, int64_t place)
{
    cuna_lua_check(L, cuna_array_row(cuna_lua_push_empty(L, S), src, place));
    keep_owner(L, index, src);
}

int cuna_lua_fail_freed(lua_State *L, int index, const char *what)
{
    lua_pushvalue(L, index);
    cuna_lua_push_slot(L, CUNA_SLOT_FREED);
    lua_insert(L, -2);
    lua_rawget(L, -2);
    const char *where = lua_tostring(L, -1);
    return cuna_lua_fail(L, "%s: the array was freed%s", what, where ? where : "");
}

cuna_array *cuna_lua_check_array(lua_State *L, int index, const char *what)
{
    cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, index);
    if (array == NULL)
        cuna_lua_fail(L, "%s: expected an array, got %s", what, luaL_typename(L, index));
    else if (array->buffer == NULL)
        cuna_lua_fail_freed(L, index, what);
    return array;
}

_Thread_local int64_t cuna_lua_collected;

static int array_gc(lua_State *L)
{
    cuna_array *array = lua_touserdata(L, 1);
    cuna_lua_collected++;
    array->mark = 0; /* the next userdata in this memory may leave there what it finds */
    cuna_array_release(array);
    if (__builtin_expect(cuna_lua_attention != 0, 0))
        cuna_lua_tell_quietly(L);
    return 0;
}

void cuna_lua_push_freeing(lua_State *L, const char *cause)
{
    int before = lua_gettop(L);
    lua_pushliteral(L, " at ");
    if (!cuna_lua_push_place(L)) { /* a coroutine's stack may have no user line */
        lua_settop(L, before);
        lua_pushliteral(L, "");
    }
    lua_pushstring(L, cause);
    lua_concat(L, lua_gettop(L) - before);
}

void cuna_lua_free_array(lua_State *L, int index, int place)
{
    cuna_array *array = lua_touserdata(L, index);
    if (array->buffer == NULL)
        return;
    cuna_array_free(array); /* a finalizer may call this while shape and strides are being read */
    cuna_lua_push_slot(L, CUNA_SLOT_FREED);
    lua_pushvalue(L, index);
    lua_pushvalue(L, place);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/* x:free(): frees the memory now; freeing twice is harmless. */
static int array_free(lua_State *L)
{
    if (cuna_lua_peek_array(cuna_lua_get_state(L), L, 1) == NULL)
        return cuna_lua_fail(L, "free: expected an array, got %s", luaL_typename(L, 1));
    lua_settop(L, 1);
    cuna_lua_push_freeing(L, "");
    cuna_lua_free_array(L, 1, 2);
    cuna_lua_check(L, CUNA_OK);
    return 0;
}

static int is_array(lua_State *L)
{
    lua_pushboolean(L, cuna_lua_peek_array(cuna_lua_get_state(L), L, 1) != NULL);
    return 1;
}

/* is_alive(x): whether x is an array that was not freed */
static int is_alive(lua_State *L)
{
    const cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, 1);
    lua_pushboolean(L, array != NULL && array->buffer != NULL);
    return 1;
}

/* dtype_of(x) -> its dtype; false for a freed array, nil for other values */
static int dtype_of(lua_State *L)
{
    const cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, 1);
    if (array == NULL)
        lua_pushnil(L);
    else if (array->buffer == NULL)
        lua_pushboolean(L, false);
    else
        lua_pushstring(L, cuna_dtype_name(array->dtype));
    return 1;
}

/* Products of lengths and sizes are made as Lua numbers: a broadcast view's may not fit 64 bits. */
static void push_lengths(lua_State *L, int ndim, const int64_t *values, int64_t scale)
{
    lua_createtable(L, ndim, 0);
    for (int i = 0; i < ndim; i++) {
        lua_pushnumber(L, (lua_Number)values[i] * (lua_Number)scale);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Fields: functions of an array, each of which pushes one value or returns a number. */

static void get_shape(lua_State *L, const cuna_array *array)
{
    push_lengths(L, array->ndim, cuna_array_shape(array), 1);
    cuna_lua_push_slot(L, CUNA_SLOT_SHAPE_META);
    lua_setmetatable(L, -2);
}

static void get_strides(lua_State *L, const cuna_array *array)
{
    push_lengths(L, array->ndim, cuna_array_strides(array), cuna_dtype_size(array->dtype));
}

static double get_ndim(const cuna_array *array)
{
    return array->buffer != NULL ? array->ndim : -1;
}

static double get_size(const cuna_array *array)
{
    return array->buffer != NULL ? (double)array->size : -1;
}

static void get_dtype(lua_State *L, const cuna_array *array)
{
    lua_pushstring(L, cuna_dtype_name(array->dtype));
}

static double get_itemsize(const cuna_array *array)
{
    return array->buffer != NULL ? (double)cuna_dtype_size(array->dtype) : -1;
}

static double get_nbytes(const cuna_array *array)
{
    return array->buffer != NULL ? (double)array->size * (double)cuna_dtype_size(array->dtype) : -1;
}

/* Position in core.dtypes, from 1. */
static double get_dtype_number(const cuna_array *array)
{
    return array->buffer != NULL ? array->dtype + 1 : -1;
}

static void get_device(lua_State *L, const cuna_array *array)
{
    cuna_lua_push_device(L, cuna_array_device(array));
}

static int refuse_flag(lua_State *L)
{
    return cuna_lua_fail(L, "an array's flags cannot be set; cn.broadcast_to(x, x.shape) is a read-only view of x");
}

/* Sets a metatable that holds the flag `writeable`, so that an assignment to it reaches refuse_flag. */
static void add_writeable(lua_State *L, bool is_writeable)
{
    if (luaL_newmetatable(L, is_writeable ? "cuna flags, writeable" : "cuna flags, read-only")) {
        lua_createtable(L, 0, 1);
        lua_pushboolean(L, is_writeable);
        lua_setfield(L, -2, "writeable");
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, refuse_flag);
        lua_setfield(L, -2, "__newindex");
    }
    lua_setmetatable(L, -2);
}

static void get_flags(lua_State *L, const cuna_array *array)
{
    lua_createtable(L, 0, 3);
    lua_pushboolean(L, cuna__shape_is_contiguous(array->ndim, cuna_array_shape(array), cuna_array_strides(array)));
    lua_setfield(L, -2, "c_contiguous");
    lua_pushboolean(L, cuna__shape_is_fortran(array->ndim, cuna_array_shape(array), cuna_array_strides(array)));
    lua_setfield(L, -2, "f_contiguous");
    lua_pushboolean(L, (array->flags & (CUNA_ARRAY_VIEW | CUNA_ARRAY_FOREIGN)) == 0);
    lua_setfield(L, -2, "owndata");
    add_writeable(L, (array->flags & CUNA_ARRAY_READONLY) == 0);
}

static void get_base(lua_State *L, const cuna_array *array)
{
    if ((array->flags & CUNA_ARRAY_VIEW) == 0) {
        lua_pushnil(L);
        return;
    }
    cuna_array *base = cuna_lua_push_empty(L, cuna_lua_get_state(L));
    cuna_lua_check(L, cuna_array_base(base, array));
    keep_owner(L, 1, array);
}

static const cuna_lua_getter fields[] = {
    {"shape", .get = get_shape},          {"strides", .get = get_strides}, {"dtype", .get = get_dtype},
    {"device", .get = get_device},        {"flags", .get = get_flags},     {"base", .get = get_base},
    {"T", .get = cuna_lua_push_reversed}, {"ndim", .number = get_ndim},    {"size", .number = get_size},
    {"itemsize", .number = get_itemsize}, {"nbytes", .number = get_nbytes}};

static void set_getters(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_GETTERS);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_pushlightuserdata(L, (void *)&fields[i]);
        lua_setfield(L, -2, fields[i].name);
    }
    lua_pop(L, 1);
}

static void set_address(lua_State *L, const char *name, double (*number)(const cuna_array *array))
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)number);
    lua_setfield(L, -2, name);
}

/* numbers() -> field -> address of its function, for fields that are numbers; "dtype" by its number */
static int core_numbers(lua_State *L)
{
    lua_newtable(L);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].number != NULL)
            set_address(L, fields[i].name, fields[i].number);
    set_address(L, "dtype", get_dtype_number);
    return 1;
}

static int array_len(lua_State *L)
{
    const cuna_array *array = cuna_lua_check_array(L, 1, "#");
    if (array->ndim == 0)
        return cuna_lua_fail(L, "#: a 0-d array has no length");
    lua_pushnumber(L, (lua_Number)cuna_array_shape(array)[0]);
    return 1;
}

static void check_host_pointer(lua_State *L, const cuna_array *array)
{
    if (!cuna_device_is_host(cuna_array_device(array)))
        cuna_lua_fail(L, "pointer: the array is on %s; copy it to the host with x:get()",
                      cuna_device_name(cuna_array_device(array)));
    if ((array->flags & CUNA_ARRAY_CONTIGUOUS) == 0)
        cuna_lua_fail(L, "pointer: the array is a strided view; copy it with x:copy()");
    cuna_lua_check_waiting(L, "pointer");
    CUNA_LUA_TRY(L, cuna_context_synchronize(cuna_lua_context(L), cuna_array_device(array)));
    CUNA_LUA_TRY(L, cuna_array_settle(cuna_lua_context(L), array));
}

/* address(x, for the host or nil) -> the address of the first element as two numbers (high and low 32 bits); with "for
 * the host", work on the memory is done first. */
static int array_address(lua_State *L)
{
    uint64_t address = 0;
    const cuna_array *array = cuna_lua_check_array(L, 1, "pointer");
    if (lua_toboolean(L, 2))
        check_host_pointer(L, array);
    CUNA_LUA_TRY(L, cuna_array_expose(&address, array, "pointer"));
    lua_pushnumber(L, (lua_Number)(address >> 32));
    lua_pushnumber(L, (lua_Number)(address & 0xffffffffu));
    return 2;
}

/* is_exposed(x): whether others may know the address of x's memory */
static int array_is_exposed(lua_State *L)
{
    lua_pushboolean(L, cuna_array_is_exposed(cuna_lua_check_array(L, 1, "is_exposed")));
    return 1;
}

static int array_overlaps(lua_State *L)
{
    const cuna_array *a = cuna_lua_check_array(L, 1, "shares_memory"), *b = cuna_lua_check_array(L, 2, "shares_memory");
    lua_pushboolean(L, cuna_array_overlaps(a, b));
    return 1;
}

/* why_readonly(x) -> the reason why x is read-only, as text; nil when it is writable */
static int array_why_readonly(lua_State *L)
{
    lua_pushstring(L, cuna_array_why_readonly(cuna_lua_check_array(L, 1, "why_readonly")));
    return 1;
}

/* copy(dst, src, what): writes the elements of an array, on any device, to another one. */
static int core_copy(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    const cuna_array *dst = cuna_lua_check_array(L, 1, what), *src = cuna_lua_check_array(L, 2, what);
    CUNA_LUA_TRY(L, cuna_record_copy(cuna_lua_context(L), dst, src));
    return 0;
}

/* metatable(): the arrays' metatable, for Lua to add __tostring, __eq etc. */
static int core_metatable(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_ARRAY_META);
    return 1;
}

static int core_methods(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_METHODS);
    return 1;
}

static int core_getters(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_GETTERS);
    return 1;
}

/* __index, given the state, the methods and the getters. */
static void push_index(lua_State *L, lua_CFunction function)
{
    lua_pushlightuserdata(L, cuna_lua_get_state(L));
    cuna_lua_push_slot(L, CUNA_SLOT_METHODS);
    cuna_lua_push_slot(L, CUNA_SLOT_GETTERS);
    lua_pushcclosure(L, function, 3);
}

/* accessors() -> the C functions __index and __newindex of arrays, which do not check their first argument */
static int core_accessors(lua_State *L)
{
    push_index(L, cuna_lua_array_index);
    push_index(L, cuna_lua_array_newindex);
    return 2;
}

static void make_metatable(lua_State *L)
{
    lua_newtable(L);
    cuna_lua_get_state(L)->array_meta = lua_topointer(L, -1);
    cuna_lua_get_state(L)->array_mark = (uint32_t)((uintptr_t)lua_topointer(L, -1) >> 3) | 1;
    lua_pushvalue(L, -1);
    cuna_lua_get_state(L)->array_meta_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    cuna_lua_register(L, (const luaL_Reg[]){{"__gc", array_gc}, {"__len", array_len}, {NULL, NULL}});
    push_index(L, cuna_lua_array_index);
    lua_setfield(L, -2, "__index");
    push_index(L, cuna_lua_array_newindex);
    lua_setfield(L, -2, "__newindex");
    lua_pushliteral(L, "cuna array");
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__name");
    lua_setfield(L, -2, "__metatable"); /* scripts cannot reach the metamethods, which do not check their arguments */
    cuna_lua_set_slot(L, CUNA_SLOT_ARRAY_META);
    set_getters(L);
}

void cuna_lua_open_array(lua_State *L)
{
    static const luaL_Reg functions[] = {{"free", array_free},
                                         {"is_array", is_array},
                                         {"is_alive", is_alive},
                                         {"dtype_of", dtype_of},
                                         {"address", array_address},
                                         {"is_exposed", array_is_exposed},
                                         {"shares_memory", array_overlaps},
                                         {"why_readonly", array_why_readonly},
                                         {"numbers", core_numbers},
                                         {"metatable", core_metatable},
                                         {"accessors", core_accessors},
                                         {"methods", core_methods},
                                         {"getters", core_getters},
                                         {"copy", core_copy},
                                         {NULL, NULL}};
    if (cuna_lua_get_state(L)->array_meta == NULL)
        make_metatable(L);
    cuna_lua_register(L, functions);
}

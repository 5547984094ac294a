/* convert.c: Lua values into arrays: numbers, booleans, nested tables and arrays inside them.
 *
 * A nested table is walked twice: once for shape and dtype (errors name ragged places, holes and invalid leaves), once
 * to write the elements into a host block, which one copy moves to the device. */
#include <stdio.h>
#include <string.h>

#include "state.h"

#ifndef LUA_TCDATA
#define LUA_TCDATA 10
#endif

/* LuaJIT's limits: LJ_MAX_MEM32 less the objects' headers, LJ_MAX_ASIZE. */
#define LUA_MOST_NBYTES   ((int64_t)0x7ffffe00)
#define LUA_MOST_ELEMENTS (((int64_t)1 << 27) - 1)

typedef struct nest {
    cuna_lua_state *S;
    const char *what;
    cuna_dtype dtype; /* CUNA_DTYPES before the first leaf */
    cuna_number_kind kind;
    bool numbers, arrays; /* leaves seen */
    bool boxed;           /* an int64_t or uint64_t leaf was seen */
    bool known;           /* whether shape[] below `depth` is known */
    int ndim;
    int64_t shape[CUNA_MAX_NDIM];
    int64_t place[CUNA_MAX_NDIM]; /* position of the walk, for messages */
    char *host;                   /* second walk: destination of the next element */
} nest;

/* "{2, 1}": the first `depth` numbers of the position. */
static const char *place_text(const nest *n, int depth, char *text, size_t nbytes)
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < depth && at < nbytes; i++)
        at += (size_t)snprintf(text + at, nbytes - at, "%s%lld", i ? ", " : "", (long long)n->place[i]);
    return text;
}

static int fail_at(lua_State *L, const nest *n, int depth, const char *problem)
{
    char place[128];
    if (depth == 0)
        return cuna_lua_fail(L, "%s: the data %s", n->what, problem);
    return cuna_lua_fail(L, "%s: position {%s} %s", n->what, place_text(n, depth, place, sizeof place), problem);
}

/* Whether the value on top of the stack is the table of cuna's functions. */
static bool is_namespace(lua_State *L)
{
    lua_pushliteral(L, "newaxis");
    lua_rawget(L, -2);
    bool found = lua_type(L, -1) == LUA_TLIGHTUSERDATA;
    lua_pop(L, 1);
    return found;
}

/* Raises for a key that is not a position; its table is below it. */
static int refuse_key(lua_State *L, const nest *n, int depth)
{
    char problem[200];
    if (lua_type(L, -1) == LUA_TNUMBER)
        return fail_at(L, n, depth,
                       lua_tonumber(L, -1) == 0 ? "has a key 0; positions count from 1"
                                                : "has a key that is not a position");
    if (lua_type(L, -1) != LUA_TSTRING)
        return fail_at(L, n, depth, "has a key that is not a number");
    const char *name = lua_tostring(L, -1);
    lua_pushvalue(L, -2);
    if (depth == 0 && is_namespace(L))
        return cuna_lua_fail(L, "%s: a function of cuna is called with a dot: cn.%s(...)", n->what, n->what);
    if (luaL_getmetafield(L, -1, "__metatable") && lua_isstring(L, -1)) {
        snprintf(problem, sizeof problem, "is a %.40s, which has methods of its own, and comes first in operators",
                 lua_tostring(L, -1));
        return fail_at(L, n, depth, problem);
    }
    snprintf(problem, sizeof problem,
             "has the key '%.40s'; write data and options apart, as in %.40s({1, 2}, {%.40s = ...})", name, n->what,
             name);
    return fail_at(L, n, depth, problem);
}

/* Raises for a table of length `count` with nil elements. */
static int refuse_hole(lua_State *L, nest *n, int depth, int64_t count)
{
    int64_t at = 1;
    for (; at <= count; at++, lua_pop(L, 1)) {
        lua_rawgeti(L, -1, (int)at);
        if (lua_isnil(L, -1))
            break;
    }
    if (depth >= CUNA_MAX_NDIM)
        return fail_at(L, n, depth, "is nested deeper than an array has axes");
    n->place[depth] = at;
    return fail_at(L, n, depth + 1, "is nil: the data has a hole");
}

/* Counts the keys of the table on top of the stack; refuses options, holes and a key 0. */
static int64_t check_list(lua_State *L, nest *n, int depth)
{
    int64_t count = (int64_t)lua_objlen(L, -1), keys = 0;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TNUMBER || lua_tonumber(L, -2) < 1) {
            lua_pop(L, 1);
            return refuse_key(L, n, depth);
        }
        keys++;
    }
    if (keys != count)
        return refuse_hole(L, n, depth, count);
    return count;
}

static void see_length(lua_State *L, nest *n, int depth, int64_t length)
{
    if (depth >= CUNA_MAX_NDIM)
        fail_at(L, n, depth, "is nested deeper than an array has axes");
    if (depth >= n->ndim && n->known)
        fail_at(L, n, depth, "is a table where others are single values: the data is ragged");
    if (depth >= n->ndim) {
        n->ndim = depth + 1;
        n->shape[depth] = length;
        return;
    }
    if (n->shape[depth] == length)
        return;
    char problem[120];
    snprintf(problem, sizeof problem, "has length %lld where the first of its level has %lld: the data is ragged",
             (long long)length, (long long)n->shape[depth]);
    fail_at(L, n, depth, problem);
}

static void see_leaf_end(lua_State *L, nest *n, int depth)
{
    if (n->known && depth != n->ndim)
        fail_at(L, n, depth, "is a single value where others are tables: the data is ragged");
    n->known = true;
}

static void see_number(nest *n, const cuna_number *number)
{
    if (!n->numbers || number->kind > n->kind)
        n->kind = number->kind;
    n->numbers = true;
}

static void see_array(lua_State *L, nest *n, const cuna_array *array, int depth)
{
    for (int i = 0; i < array->ndim; i++)
        see_length(L, n, depth + i, cuna_array_shape(array)[i]);
    see_leaf_end(L, n, depth + array->ndim);
    n->dtype = n->arrays ? cuna_dtype_promote(n->dtype, array->dtype) : (cuna_dtype)array->dtype;
    n->arrays = true;
}

/* First walk, over the value on top of the stack. */
static void survey(lua_State *L, nest *n, int depth)
{
    cuna_number number;
    const cuna_array *array = cuna_lua_peek_array(n->S, L, -1);
    if (array != NULL) {
        if (array->buffer == NULL)
            cuna_lua_fail_freed(L, lua_gettop(L), n->what);
        see_array(L, n, array, depth);
    } else if (lua_type(L, -1) == LUA_TTABLE) {
        luaL_checkstack(L, 6, "array");
        int64_t count = check_list(L, n, depth);
        see_length(L, n, depth, count);
        if (count == 0)
            n->known = true; /* an empty table ends the nesting as a leaf does */
        for (int64_t i = 1; i <= count; i++) {
            n->place[depth] = i;
            lua_rawgeti(L, -1, (int)i);
            survey(L, n, depth + 1);
            lua_pop(L, 1);
        }
    } else if (cuna_lua_to_number(L, -1, &number)) {
        see_leaf_end(L, n, depth);
        see_number(n, &number);
        bool whole = number.kind == CUNA_NUMBER_INT || number.kind == CUNA_NUMBER_UINT;
        n->boxed = n->boxed || (whole && lua_type(L, -1) != LUA_TNUMBER);
    } else {
        char problem[80];
        snprintf(problem, sizeof problem, "is a %s, not a number, boolean, table or array", luaL_typename(L, -1));
        fail_at(L, n, depth, problem);
    }
}

static int fail_number(lua_State *L, const nest *n, int depth, const char *problem)
{
    char place[128];
    if (depth == 0)
        return cuna_lua_fail(L, "%s: %s", n->what, problem);
    return cuna_lua_fail(L, "%s: position {%s}: %s", n->what, place_text(n, depth, place, sizeof place), problem);
}

/* A finalizer may have written to the tables since the first walk. */
static int fail_changed(lua_State *L, const nest *n, int depth)
{
    return fail_at(L, n, depth, "changed while it was read");
}

static void write_number(lua_State *L, nest *n, int depth)
{
    int64_t itemsize = cuna_dtype_size(n->dtype);
    cuna_number number;
    if (n->dtype == CUNA_FLOAT64 && lua_type(L, -1) == LUA_TNUMBER) {
        double value = lua_tonumber(L, -1);
        memcpy(n->host, &value, sizeof value);
    } else {
        char problem[128];
        if (!cuna_lua_to_number(L, -1, &number))
            fail_changed(L, n, depth);
        if (!cuna_lua_number_suits(&number, n->dtype, problem, sizeof problem))
            fail_number(L, n, depth, problem);
        cuna_number_store(n->host, n->dtype, &number); /* clears 16 bytes, of which the block has room */
    }
    n->host += itemsize;
}

static void write_array(lua_State *L, nest *n, int depth)
{
    const cuna_array *array = cuna_lua_as_array(L, lua_gettop(L), n->dtype, NULL, n->what);
    if (array->ndim != n->ndim - depth || !cuna__same_lengths(cuna_array_shape(array), n->shape + depth, array->ndim))
        fail_changed(L, n, depth);
    cuna_lua_check_waiting(L, n->what);
    CUNA_LUA_TRY(L, cuna_array_get(n->S->context, array, n->host));
    n->host += array->size * cuna_dtype_size(n->dtype);
    lua_pop(L, 1);
}

/* Second walk. */
static void write(lua_State *L, nest *n, int depth)
{
    if (lua_type(L, -1) == LUA_TTABLE) {
        int count = (int)lua_objlen(L, -1);
        if (depth >= n->ndim || count != n->shape[depth]) /* the block has room for the shape of the first walk */
            fail_changed(L, n, depth);
        for (int i = 1; i <= count; i++) {
            n->place[depth] = i;
            lua_rawgeti(L, -1, i);
            write(L, n, depth + 1);
            lua_pop(L, 1);
        }
    } else if (lua_type(L, -1) == LUA_TUSERDATA) {
        write_array(L, n, depth);
    } else if (depth != n->ndim) {
        fail_changed(L, n, depth);
    } else {
        write_number(L, n, depth);
    }
}

/* The dtype of all leaves together; numbers beside arrays are weak. Boxed integers alone stay integers. */
static cuna_dtype infer(const nest *n)
{
    static const cuna_dtype of_kind[] = {CUNA_BOOL, CUNA_FLOAT64, CUNA_FLOAT64, CUNA_FLOAT64, CUNA_COMPLEX128};
    cuna_dtype plain = n->S->default_dtype, number = of_kind[n->kind];
    if (n->boxed && n->kind <= CUNA_NUMBER_UINT)
        number = n->kind == CUNA_NUMBER_UINT ? CUNA_UINT64 : CUNA_INT64;
    if (number == CUNA_FLOAT64)
        number = plain;
    else if (number == CUNA_COMPLEX128 && plain == CUNA_FLOAT32)
        number = CUNA_COMPLEX64;
    if (!n->numbers)
        return n->arrays ? n->dtype : plain;
    if (!n->arrays)
        return number;
    bool weak = n->kind <= CUNA_NUMBER_UINT && cuna_dtype_kind(n->dtype) != 'b';
    weak = weak || (n->kind <= CUNA_NUMBER_FLOAT && strchr("fc", cuna_dtype_kind(n->dtype)) != NULL);
    return weak ? n->dtype : cuna_dtype_promote(n->dtype, number);
}

static cuna_array *nest_to_array(lua_State *L, int index, cuna_dtype dtype, cuna_device *device, const char *what)
{
    nest n = {.S = cuna_lua_get_state(L), .what = what, .dtype = CUNA_DTYPES};
    int64_t size;
    lua_pushvalue(L, index);
    survey(L, &n, 0);
    n.dtype = dtype == CUNA_DTYPES ? infer(&n) : dtype;
    cuna_lua_check(L, cuna__shape_size(&size, n.ndim, n.shape));
    if (size > LUA_MOST_NBYTES / cuna_dtype_size(n.dtype))
        cuna_lua_fail(L, "%s: %lld elements of %s are more bytes than LuaJIT holds at once; join arrays by cn.stack",
                      what, (long long)size, cuna_dtype_name(n.dtype));
    void *host = n.host = lua_newuserdata(L, (size_t)(size * cuna_dtype_size(n.dtype)) + 16);
    lua_insert(L, -2);
    write(L, &n, 0);
    cuna_lua_pace(L, n.S); /* device memory is taken last: the data is good by now */
    cuna_array *array = cuna_lua_push_empty(L, n.S);
    cuna_device *where = device != NULL ? device : cuna_context_device(n.S->context);
    CUNA_LUA_TRY(L, cuna_array_create_on(array, n.S->context, where, n.dtype, n.ndim, n.shape));
    CUNA_LUA_TRY(L, cuna_array_set(n.S->context, array, host));
    lua_replace(L, -3);
    lua_pop(L, 1);
    return array;
}

static cuna_array *move_array(lua_State *L, const cuna_array *src, cuna_device *device, const char *what)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    if (cuna_device_is_host(device))
        cuna_lua_check_waiting(L, what);
    cuna_lua_pace(L, S);
    cuna_array *array = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_array_to(array, S->context, src, device));
    return array;
}

static cuna_array *cast_array(lua_State *L, const cuna_array *src, cuna_dtype dtype)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_lua_pace(L, S);
    cuna_array *array = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_record_cast(array, S->context, src, dtype));
    return array;
}

cuna_array *cuna_lua_as_array(lua_State *L, int index, cuna_dtype dtype, cuna_device *device, const char *what)
{
    cuna_number number;
    if (index < 0)
        index = lua_gettop(L) + index + 1;
    cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, index);
    if (array != NULL && array->buffer == NULL)
        cuna_lua_fail_freed(L, index, what);
    if (array == NULL) {
        const char *hint = lua_type(L, index) == LUA_TCDATA ? " (for an FFI array or pointer write cn.frombuffer)" : "";
        if (lua_type(L, index) != LUA_TTABLE && !cuna_lua_to_number(L, index, &number))
            cuna_lua_fail(L, "%s: expected an array, a number or a nested table, got %s%s", what,
                          luaL_typename(L, index), hint);
        return nest_to_array(L, index, dtype, device, what);
    }
    if (dtype != CUNA_DTYPES && array->dtype != dtype)
        array = cast_array(L, array, dtype);
    else
        lua_pushvalue(L, index); /* in every case exactly one value is pushed */
    if (device != NULL && cuna_array_device(array) != device) {
        array = move_array(L, array, device, what);
        lua_remove(L, -2);
    }
    return array;
}

static cuna_dtype optional_dtype(lua_State *L, int index, const char *what)
{
    return lua_isnoneornil(L, index) ? CUNA_DTYPES : cuna_lua_check_dtype(L, index, what);
}

/* as_array(value, dtype or nil, device or nil, what): an array; the value itself when no conversion is needed. */
static int core_as_array(lua_State *L)
{
    const char *what = luaL_optstring(L, 4, "asarray");
    cuna_device *device = lua_isnoneornil(L, 3) ? NULL : cuna_lua_check_device(L, 3, what);
    cuna_lua_as_array(L, 1, optional_dtype(L, 2, what), device, what);
    return 1;
}

/* cast(x, dtype): always a new, contiguous array. */
static int core_cast(lua_State *L)
{
    const char *what = luaL_optstring(L, 3, "copy");
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    cuna_dtype dtype = optional_dtype(L, 2, what);
    cast_array(L, array, dtype == CUNA_DTYPES ? (cuna_dtype)array->dtype : dtype);
    return 1;
}

/* dense(x, dtype or nil, what) -> x if it is row-major and of the dtype (nil: its own), else a new array that is */
static int core_dense(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    cuna_dtype dtype = lua_isnil(L, 2) ? (cuna_dtype)array->dtype : cuna_lua_check_dtype(L, 2, what);
    if (array->dtype == dtype && (array->flags & CUNA_ARRAY_CONTIGUOUS) != 0)
        lua_pushvalue(L, 1);
    else
        cast_array(L, array, dtype);
    return 1;
}

/* default_dtype(name or nil) -> the previous default dtype */
static int core_default_dtype(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_dtype before = S->default_dtype;
    if (!lua_isnoneornil(L, 1)) {
        S->default_dtype = cuna_lua_check_dtype(L, 1, "set_default_dtype");
        cuna_lua_forget_plans(S);
        cuna_lua_forget_folds(S);
    }
    lua_pushstring(L, cuna_dtype_name(before));
    return 1;
}

/* is_options(value, what) */
static int core_is_options(lua_State *L)
{
    lua_pushboolean(L, cuna_lua_is_options(L, 1, luaL_optstring(L, 2, "options")));
    return 1;
}

/* set_bytes(x, string or address, offset): fills a contiguous array from host bytes. */
static int core_set_bytes(lua_State *L)
{
    const cuna_array *array = cuna_lua_check_array(L, 1, "frombuffer");
    const char *bytes;
    if (lua_type(L, 2) == LUA_TSTRING)
        bytes = lua_tostring(L, 2) + (size_t)lua_tonumber(L, 3);
    else
        bytes = (const char *)(uintptr_t)lua_tonumber(L, 2);
    CUNA_LUA_TRY(L, cuna_array_set(cuna_lua_context(L), array, bytes));
    return 0;
}

/* get_bytes(x) -> string of its elements in row-major order */
static int core_get_bytes(lua_State *L)
{
    const cuna_array *array = cuna_lua_check_array(L, 1, "tobytes");
    cuna_lua_check_waiting(L, "tobytes");
    int64_t itemsize = cuna_dtype_size(array->dtype);
    if (array->size > LUA_MOST_NBYTES / itemsize)
        return cuna_lua_fail(L,
                             "tobytes: %lld elements of %s are more bytes than a Lua string holds; write "
                             "x:tofile(path), or take parts",
                             (long long)array->size, cuna_dtype_name(array->dtype));
    size_t nbytes = (size_t)(array->size * itemsize);
    void *host = lua_newuserdata(L, nbytes + 1);
    CUNA_LUA_TRY(L, cuna_array_get(cuna_lua_context(L), array, host));
    lua_pushlstring(L, host, nbytes);
    cuna_lua_run_callbacks(L);
    return 1;
}

/* Pushes an element; float64, which most arrays have, without the steps that all need. */
static void push_element(lua_State *L, cuna_dtype dtype, const char *element)
{
    cuna_number number = {.kind = CUNA_NUMBER_INT};
    if (dtype == CUNA_FLOAT64) {
        lua_pushnumber(L, *(const double *)element);
        return;
    }
    if (dtype == CUNA_INT64)
        number.i = *(const int64_t *)element;
    else
        cuna_number_load(&number, dtype, element);
    cuna_lua_push_number(L, &number);
}

/* elements(x, what or nil) -> flat table of its elements as Lua values, in row-major order */
static int core_elements(lua_State *L)
{
    const char *what = luaL_optstring(L, 2, "totable");
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    cuna_lua_check_waiting(L, what);
    int64_t itemsize = cuna_dtype_size(array->dtype);
    if (array->size > LUA_MOST_ELEMENTS || array->size * itemsize > LUA_MOST_NBYTES)
        return cuna_lua_fail(L, "%s: %lld elements are more than a Lua table holds", what, (long long)array->size);
    char *host = lua_newuserdata(L, (size_t)(array->size * itemsize) + 16);
    CUNA_LUA_TRY(L, cuna_array_get(cuna_lua_context(L), array, host));
    lua_createtable(L, (int)array->size, 0);
    for (int64_t i = 0; i < array->size; i++) {
        push_element(L, array->dtype, host + i * itemsize);
        lua_rawseti(L, -2, (int)i + 1);
    }
    cuna_lua_run_callbacks(L); /* last: they may change or free the array */
    return 1;
}

void cuna_lua_open_convert(lua_State *L)
{
    static const luaL_Reg functions[] = {{"as_array", core_as_array},
                                         {"cast", core_cast},
                                         {"dense", core_dense},
                                         {"default_dtype", core_default_dtype},
                                         {"is_options", core_is_options},
                                         {"set_bytes", core_set_bytes},
                                         {"get_bytes", core_get_bytes},
                                         {"elements", core_elements},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}

/* number.c: host numbers, dtypes and shapes in Lua.
 *
 * A Lua number with an integral value is an integer, any other a float. Lua helpers (lua/cuna/base/cdata.lua) read and
 * create int64_t, uint64_t and complex cdata; their memory layout is not used. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

#ifndef LUA_TCDATA
#define LUA_TCDATA 10
#endif

void cuna_lua_from_double(cuna_number *out, double value)
{
    bool is_signed = value >= -9223372036854775808.0 && value < 9223372036854775808.0;
    if (is_signed && value == (double)(int64_t)value && !(value == 0 && signbit(value)))
        *out = (cuna_number){.kind = CUNA_NUMBER_INT, .i = (int64_t)value};
    else if (value >= 9223372036854775808.0 && value < 18446744073709551616.0) /* which are all integers */
        *out = (cuna_number){.kind = CUNA_NUMBER_UINT, .u = (uint64_t)value};
    else
        *out = (cuna_number){.kind = CUNA_NUMBER_FLOAT, .f = value};
}

/* The helper returns the kind, then two halves of an integer or two parts of a complex number; nil for other cdata. */
static bool read_cdata(lua_State *L, int index, cuna_number *out)
{
    lua_pushvalue(L, index);
    cuna_lua_push_slot(L, CUNA_SLOT_CDATA_READ);
    lua_insert(L, -2);
    lua_call(L, 1, 3);
    const char *kind = lua_tostring(L, -3);
    bool known = kind != NULL;
    if (known && kind[0] == 'c') {
        *out = (cuna_number){.kind = CUNA_NUMBER_COMPLEX, .f = lua_tonumber(L, -2), .imag = lua_tonumber(L, -1)};
    } else if (known) {
        uint64_t bits = (uint64_t)lua_tonumber(L, -2) << 32 | (uint64_t)lua_tonumber(L, -1);
        bool large = kind[0] == 'u' && bits > INT64_MAX;
        *out = (cuna_number){.kind = large ? CUNA_NUMBER_UINT : CUNA_NUMBER_INT, .u = bits};
    }
    lua_pop(L, 3);
    return known;
}

bool cuna_lua_to_number(lua_State *L, int index, cuna_number *out)
{
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        cuna_lua_from_double(out, lua_tonumber(L, index));
        return true;
    case LUA_TBOOLEAN:
        *out = (cuna_number){.kind = CUNA_NUMBER_BOOL, .b = lua_toboolean(L, index)};
        return true;
    case LUA_TCDATA:
        return read_cdata(L, index, out);
    default:
        return false;
    }
}

static void push_cdata(lua_State *L, const cuna_number *number)
{
    cuna_lua_push_slot(L, CUNA_SLOT_CDATA_MAKE);
    if (number->kind == CUNA_NUMBER_COMPLEX) {
        lua_pushliteral(L, "complex");
        lua_pushnumber(L, number->f);
        lua_pushnumber(L, number->imag);
        lua_call(L, 3, 1);
        return;
    }
    lua_pushstring(L, number->kind == CUNA_NUMBER_UINT ? "uint64" : "int64");
    lua_pushlstring(L, (const char *)&number->u, sizeof number->u);
    lua_call(L, 2, 1);
}

bool cuna_lua_is_double(double *out, const cuna_number *number)
{
    static const int64_t exact = (int64_t)1 << 53;
    if (number->kind == CUNA_NUMBER_FLOAT)
        *out = number->f;
    else if (number->kind == CUNA_NUMBER_INT && number->i >= -exact && number->i <= exact)
        *out = (double)number->i;
    else
        return false;
    return true;
}

void cuna_lua_push_number(lua_State *L, const cuna_number *number)
{
    double value;
    if (number->kind == CUNA_NUMBER_BOOL)
        lua_pushboolean(L, number->b);
    else if (cuna_lua_is_double(&value, number))
        lua_pushnumber(L, value);
    else
        push_cdata(L, number);
}

bool cuna_lua_number_suits(const cuna_number *number, cuna_dtype dtype, char *problem, size_t nbytes)
{
    char text[80];
    char kind = cuna_dtype_kind(dtype);
    bool whole = number->kind == CUNA_NUMBER_INT || number->kind == CUNA_NUMBER_UINT;
    if (whole && kind != 'b' && !cuna_number_fits(number, dtype))
        snprintf(problem, nbytes, "%s does not fit %s", cuna_number_text(text, sizeof text, number),
                 cuna_dtype_name(dtype));
    else if (number->kind == CUNA_NUMBER_COMPLEX && kind != 'c' && kind != 'b')
        snprintf(problem, nbytes, "%s is complex and %s is not", cuna_number_text(text, sizeof text, number),
                 cuna_dtype_name(dtype));
    else
        return true;
    return false;
}

cuna_dtype cuna_lua_check_dtype(lua_State *L, int index, const char *what)
{
    cuna_dtype dtype;
    if (lua_type(L, index) != LUA_TSTRING)
        cuna_lua_fail(L, "%s: a dtype is a string such as \"float32\", got %s%s", what, luaL_typename(L, index),
                      lua_type(L, index) == LUA_TNUMBER ? "; a shape is one table, as in {2, 3}" : "");
    if (cuna_dtype_find(&dtype, lua_tostring(L, index)) != CUNA_OK)
        cuna_lua_fail(L, "%s: %s", what, cuna_message());
    return dtype;
}

/* Whether a value is a 0-d array of real numbers, which stands for its number. */
static const cuna_array *peek_scalar(lua_State *L, int index)
{
    const cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, index);
    bool is_scalar = array != NULL && array->buffer != NULL && array->ndim == 0 &&
                     strchr("iuf", cuna_dtype_kind(array->dtype)) != NULL;
    return is_scalar ? array : NULL;
}

/* Its number, for which the device is waited. */
static bool fetch_number(lua_State *L, int index, cuna_number *number, const char *what)
{
    const cuna_array *array = peek_scalar(L, index);
    char element[16];
    if (array == NULL)
        return false;
    cuna_lua_check_waiting(L, what);
    CUNA_LUA_TRY(L, cuna_array_get(cuna_lua_context(L), array, element));
    cuna_number_load(number, array->dtype, element);
    if (number->kind == CUNA_NUMBER_FLOAT && number->f == floor(number->f) && fabs(number->f) < 0x1p63)
        *number = (cuna_number){.kind = CUNA_NUMBER_INT, .i = (int64_t)number->f};
    return true;
}

int64_t cuna_lua_check_integer(lua_State *L, int index, const char *what)
{
    cuna_number number;
    if (lua_type(L, index) != LUA_TBOOLEAN &&
        (cuna_lua_to_number(L, index, &number) || fetch_number(L, index, &number, what))) {
        if (number.kind == CUNA_NUMBER_INT)
            return number.i;
        if (number.kind == CUNA_NUMBER_FLOAT && number.f == 0)
            return 0;
        char text[80];
        return cuna_lua_fail(L, "%s must be an integer, got %s", what, cuna_number_text(text, sizeof text, &number));
    }
    return cuna_lua_fail(L, "%s must be an integer, got %s", what, cuna_lua_describe(L, index));
}

/* A Lua number that is a length. Names in messages are built only for what this declines: they cost more than the
 * read. */
static bool peek_length(lua_State *L, int index, int64_t *length)
{
    cuna_number number;
    if (lua_type(L, index) != LUA_TNUMBER || !cuna_lua_to_number(L, index, &number) || number.kind != CUNA_NUMBER_INT)
        return false;
    *length = number.i;
    return true;
}

/* The length on top of the stack, the `nth` of a shape. */
static int64_t check_length(lua_State *L, int nth, const char *what)
{
    int64_t length;
    char text[128];
    if (peek_length(L, -1, &length))
        return length;
    snprintf(text, sizeof text, "%s: length %d of the shape", what, nth);
    return cuna_lua_check_integer(L, lua_gettop(L), text);
}

/* Names the first extra or missing key of a list, whose keys must be 1..n. */
static int refuse_keys(lua_State *L, int index, const char *what, const char *list)
{
    lua_Number last = 0;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        lua_Number key = type == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
        if (type == LUA_TSTRING)
            return cuna_lua_fail(L, "%s: %s has the key '%s'; write %s and options apart, as in %s({3, 4}, {%s = ...})",
                                 what, list, lua_tostring(L, -2), list, what, lua_tostring(L, -2));
        if (type != LUA_TNUMBER)
            return cuna_lua_fail(L, "%s: %s has a %s for a key", what, list, lua_typename(L, type));
        if (key == 0)
            return cuna_lua_fail(L, "%s: %s has a key 0; positions count from 1", what, list);
        if (key < 1 || key != floor(key))
            return cuna_lua_fail(L, "%s: %s has the key %.14g; its keys are 1..n", what, list, key);
        last = key > last ? key : last;
    }
    /* All keys are positions, so one before the last is missing. */
    int hole = 1;
    for (lua_rawgeti(L, index, hole); !lua_isnil(L, -1); lua_rawgeti(L, index, ++hole))
        lua_pop(L, 1);
    return cuna_lua_fail(L, "%s: %s has no entry %d (nil), and has an entry %.14g", what, list, hole, last);
}

int cuna_lua_check_list(lua_State *L, int index, const char *what, const char *list)
{
    int count = (int)lua_objlen(L, index), keys = 0;
    if (index < 0)
        index = lua_gettop(L) + index + 1;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TNUMBER)
            refuse_keys(L, index, what, list);
        keys++;
    }
    if (keys != count)
        refuse_keys(L, index, what, list);
    return count;
}

const char *cuna_lua_describe(lua_State *L, int index)
{
    char text[256];
    const cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, index);
    if (array == NULL || array->buffer == NULL)
        return luaL_typename(L, index);
    cuna__shape_text(text, sizeof text, array->ndim, cuna_array_shape(array));
    return lua_pushfstring(L, "a cuna array of shape %s%s", text,
                           array->size == 1 ? "; write x:item() for its number" : "");
}

int cuna_lua_check_shape(lua_State *L, int index, int64_t *shape, const char *what)
{
    cuna_number length;
    if (lua_isnoneornil(L, index))
        cuna_lua_fail(L, "%s: the shape is missing", what);
    if (peek_length(L, index, shape))
        return 1;
    if (lua_type(L, index) != LUA_TTABLE) {
        char text[128];
        /* A boolean converts to a number, but is not a length. */
        if (lua_type(L, index) == LUA_TBOOLEAN ||
            (!cuna_lua_to_number(L, index, &length) && peek_scalar(L, index) == NULL))
            cuna_lua_fail(L, "%s: a shape is a number or a table of numbers%s, got %s", what,
                          lua_type(L, index) == LUA_TUSERDATA ? " such as x.shape or x:totable()" : "",
                          cuna_lua_describe(L, index));
        snprintf(text, sizeof text, "%s: a length", what);
        shape[0] = cuna_lua_check_integer(L, index, text);
        return 1;
    }
    int ndim = cuna_lua_check_list(L, index, what, "the shape");
    if (ndim > CUNA_MAX_NDIM)
        cuna_lua_fail(L, "%s: a shape has at most %d axes, got %d", what, CUNA_MAX_NDIM, ndim);
    for (int i = 0; i < ndim; i++) {
        lua_rawgeti(L, index, i + 1);
        shape[i] = check_length(L, i + 1, what);
        lua_pop(L, 1);
    }
    return ndim;
}

static cuna_dtype check_name(lua_State *L, int index)
{
    return cuna_lua_check_dtype(L, index, "dtype");
}

/* promote(a, b) -> dtype */
static int promote(lua_State *L)
{
    lua_pushstring(L, cuna_dtype_name(cuna_dtype_promote(check_name(L, 1), check_name(L, 2))));
    return 1;
}

/* can_cast(from, to, rule or nil, what or nil) -> boolean */
static int can_cast(lua_State *L)
{
    const char *rule = lua_isnoneornil(L, 3) ? "safe" : lua_type(L, 3) == LUA_TSTRING ? lua_tostring(L, 3) : "";
    cuna_dtype from = check_name(L, 1), to = check_name(L, 2);
    bool can;
    if (strcmp(rule, "no") == 0 || strcmp(rule, "equiv") == 0)
        can = from == to;
    else if (strcmp(rule, "safe") == 0 || strcmp(rule, "same_kind") == 0)
        can = cuna_dtype_casts(from, to, strcmp(rule, "same_kind") == 0);
    else if (strcmp(rule, "unsafe") == 0)
        can = true;
    else
        return cuna_lua_fail(L, "%s: casting is \"no\", \"equiv\", \"safe\", \"same_kind\" or \"unsafe\", got %s%s%s",
                             luaL_optstring(L, 4, "can_cast"), *rule ? "\"" : "", *rule ? rule : luaL_typename(L, 3),
                             *rule ? "\"" : "");
    lua_pushboolean(L, can);
    return 1;
}

/* check_dtype(value, what) -> the dtype's name; raises for anything else */
static int check_dtype(lua_State *L)
{
    lua_pushstring(L, cuna_dtype_name(cuna_lua_check_dtype(L, 1, luaL_optstring(L, 2, "dtype"))));
    return 1;
}

/* number_kind(value) -> "bool", "int", "uint", "float", "complex" or nil */
static int number_kind(lua_State *L)
{
    static const char *const names[] = {"bool", "int", "uint", "float", "complex"};
    cuna_number number;
    if (!cuna_lua_to_number(L, 1, &number))
        return 0;
    lua_pushstring(L, names[number.kind]);
    return 1;
}

/* check_number(number, dtype, name): raises where the dtype cannot hold the number. */
static int check_number(lua_State *L)
{
    const char *name = luaL_checkstring(L, 3);
    cuna_dtype dtype = cuna_lua_check_dtype(L, 2, name);
    cuna_number number;
    char problem[160];
    if (cuna_lua_to_number(L, 1, &number) && !cuna_lua_number_suits(&number, dtype, problem, sizeof problem))
        cuna_lua_fail(L, "%s: %s", name, problem);
    return 0;
}

static void push_dtypes(lua_State *L)
{
    lua_createtable(L, CUNA_DTYPES, 0);
    for (int i = 0; i < CUNA_DTYPES; i++) {
        char kind = cuna_dtype_kind(i);
        lua_createtable(L, 0, 3);
        lua_pushstring(L, cuna_dtype_name(i));
        lua_setfield(L, -2, "name");
        lua_pushlstring(L, &kind, 1);
        lua_setfield(L, -2, "kind");
        lua_pushnumber(L, (lua_Number)cuna_dtype_size(i));
        lua_setfield(L, -2, "size");
        lua_rawseti(L, -2, i + 1);
    }
}

void cuna_lua_open_number(lua_State *L)
{
    static const luaL_Reg functions[] = {{"promote", promote},         {"can_cast", can_cast},
                                         {"check_dtype", check_dtype}, {"check_number", check_number},
                                         {"number_kind", number_kind}, {NULL, NULL}};
    cuna_lua_register(L, functions);
    push_dtypes(L);
    lua_setfield(L, -2, "dtypes");
}

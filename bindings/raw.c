/* raw.c: raw kernels.
 *
 * Their public functions are in lua/cuna/kernel/raw_kernel.lua. A module is a userdata with a reference, a function a
 * userdata that owns it. Launches check their userdata against the metatable in their second upvalue. */
#include <stdio.h>
#include <string.h>

#include "state.h"

#define MODULE_META   "cuna raw module"
#define FUNCTION_META "cuna raw function"

/* While the Lua state closes, a finalizer may run after that of a module or function. */
static void *check_alive(lua_State *L, void *object)
{
    if (__builtin_expect(object == NULL, 0))
        cuna_lua_fail(L, "a kernel was finalized while it was in use: the Lua state closes");
    return object;
}

static const cuna_raw_module *check_module(lua_State *L, int index)
{
    return check_alive(L, *(void **)luaL_checkudata(L, index, MODULE_META));
}

static cuna_raw_function *check_function(lua_State *L, int index)
{
    return check_alive(L, *(cuna_raw_function **)luaL_checkudata(L, index, FUNCTION_META));
}

/* Pushes an empty userdata for a pointer. */
static void **push_pointer(lua_State *L, const char *meta)
{
    void **pointer = lua_newuserdata(L, sizeof *pointer);
    *pointer = NULL;
    luaL_getmetatable(L, meta);
    lua_setmetatable(L, -2);
    return pointer;
}

static int module_gc(lua_State *L)
{
    const cuna_raw_module **module = cuna_lua_to_userdata(L, 1, MODULE_META);
    if (module == NULL || *module == NULL)
        return 0;
    cuna_raw_module_release(*module);
    *module = NULL;
    return 0;
}

static int function_gc(lua_State *L)
{
    cuna_raw_function **function = cuna_lua_to_userdata(L, 1, FUNCTION_META);
    if (function == NULL)
        return 0;
    cuna_raw_function_destroy(*function);
    *function = NULL;
    return 0;
}

/* The strings of a list in a new userdata, pushed after a list that anchors them. */
static const char *const *push_strings(lua_State *L, int index, int *count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *count = cuna_lua_push_list(L, index);
    int list = lua_gettop(L);
    const char **strings = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *strings);
    for (int i = 0; i < *count; i++) {
        lua_rawgeti(L, list, i + 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            cuna_lua_fail(L, "%s: options and names are strings, got %s", lua_tostring(L, 2), luaL_typename(L, -1));
        strings[i] = lua_tostring(L, -1);
        if (strlen(strings[i]) != lua_objlen(L, -1))
            cuna_lua_fail(L, "%s: an option or name has a NUL in it", lua_tostring(L, 2));
        lua_pop(L, 1);
    }
    return strings;
}

/* raw_compile(device, name, text, options, expressions) -> module */
static int core_compile(lua_State *L)
{
    cuna_raw_source source = {.name = luaL_checkstring(L, 2), .text = luaL_checkstring(L, 3)};
    cuna_device *device = cuna_lua_check_device(L, 1, source.name);
    const cuna_raw_module *module = NULL;
    if (strlen(source.text) != lua_objlen(L, 3))
        return cuna_lua_fail(L, "%s: the source has a NUL in it", source.name);
    source.options = push_strings(L, 4, &source.noptions);
    source.expressions = push_strings(L, 5, &source.nexpressions);
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L));
    void **pointer = push_pointer(L, MODULE_META);
    CUNA_LUA_TRY(L, cuna_raw_compile(&module, device, &source));
    *pointer = (void *)module;
    return 1;
}

/* raw_load(device, name, image) -> module */
static int core_load(lua_State *L)
{
    size_t nbytes;
    const char *name = luaL_checkstring(L, 2), *image = luaL_checklstring(L, 3, &nbytes);
    cuna_device *device = cuna_lua_check_device(L, 1, name);
    const cuna_raw_module *module = NULL;
    void **pointer = push_pointer(L, MODULE_META);
    CUNA_LUA_TRY(L, cuna_raw_load(&module, device, name, image, nbytes));
    *pointer = (void *)module;
    return 1;
}

static cuna_raw_kind check_kind(lua_State *L, const char *text)
{
    static const char *const names[] = {"pointer", "number", "opaque", "texture", "surface", "carray"};
    for (int kind = 0; kind < 6 && text != NULL; kind++)
        if (strcmp(text, names[kind]) == 0)
            return kind;
    return cuna_lua_fail(L, "raw_function: a kind is pointer, number, opaque, texture, surface or carray, got %s",
                         text != NULL ? text : "nil");
}

/* {name =, kind =, dtype = string or nil, lanes = number or nil, const = boolean, axes = number or nil, contiguous =
 * boolean}, on top of the stack; the list anchors its strings. */
static void read_param(lua_State *L, cuna_raw_param *param)
{
    int table = lua_gettop(L);
    luaL_checktype(L, table, LUA_TTABLE);
    lua_getfield(L, table, "name");
    lua_getfield(L, table, "kind");
    lua_getfield(L, table, "dtype");
    lua_getfield(L, table, "lanes");
    lua_getfield(L, table, "const");
    lua_getfield(L, table, "axes");
    lua_getfield(L, table, "contiguous");
    param->name = luaL_checkstring(L, table + 1);
    param->kind = check_kind(L, lua_tostring(L, table + 2));
    bool any = lua_isnil(L, table + 3) && param->kind != CUNA_RAW_NUMBER && param->kind != CUNA_RAW_CARRAY;
    param->dtype = any ? CUNA_DTYPES : cuna_lua_check_dtype(L, table + 3, param->name);
    param->lanes = lua_isnil(L, table + 4) ? 1 : (int)luaL_checkinteger(L, table + 4);
    param->is_const = lua_toboolean(L, table + 5);
    param->axes = (int)lua_tointeger(L, table + 6);
    param->is_contiguous = lua_toboolean(L, table + 7);
    if (param->lanes < 1 || param->lanes > 16)
        cuna_lua_fail(L, "raw_function: parameter '%s' has 1 to 16 lanes", param->name);
    if (param->axes < 0 || param->axes > CUNA_MAX_NDIM)
        cuna_lua_fail(L, "raw_function: parameter '%s' has at most %d axes", param->name, CUNA_MAX_NDIM);
    lua_settop(L, table - 1);
}

/* raw_function(module, expression, name, params or nil) -> function */
static int core_function(lua_State *L)
{
    const cuna_raw_module *module = check_module(L, 1);
    const char *expression = luaL_checkstring(L, 2), *name = luaL_checkstring(L, 3);
    cuna_raw_param *params = NULL;
    int nparams = 0;
    if (!lua_isnoneornil(L, 4)) {
        luaL_checktype(L, 4, LUA_TTABLE);
        nparams = (int)lua_objlen(L, 4);
        params = lua_newuserdata(L, ((size_t)nparams + 1) * sizeof *params);
        for (int i = 0; i < nparams; i++) {
            lua_rawgeti(L, 4, i + 1);
            read_param(L, &params[i]);
        }
    }
    /* The userdata is created first, so that a Lua error cannot leak the function. */
    void **pointer = push_pointer(L, FUNCTION_META);
    cuna_raw_function *function = NULL;
    CUNA_LUA_TRY(L, cuna_raw_function_create(&function, module, expression, name, nparams, params));
    *pointer = function;
    return 1;
}

/* ---- launches ---- */

/* The argument on top of the stack, which stays there as long as the argument is used. */
static void read_argument(lua_State *L, cuna_lua_state *S, const cuna_raw_function *function, int index,
                          cuna_raw_argument *argument)
{
    int type = lua_type(L, -1);
    cuna_array *array = type == LUA_TUSERDATA ? cuna_lua_peek_array(S, L, -1) : NULL;
    if (array != NULL) {
        argument->kind = CUNA_RAW_ARRAY;
        argument->array = array;
        if (__builtin_expect(array->buffer == NULL, 0)) {
            const char *param =
                index < cuna_raw_nparams(function) ? cuna_raw_param_name(function, index) : "one too many";
            lua_pushfstring(L, "%s: parameter '%s'", cuna_raw_function_name(function), param);
            cuna_lua_fail_freed(L, -2, lua_tostring(L, -1));
        }
    } else if (type == LUA_TLIGHTUSERDATA) {
        argument->kind = CUNA_RAW_ADDRESS;
        argument->address = (uintptr_t)lua_touserdata(L, -1);
    } else if (type == LUA_TSTRING) {
        argument->kind = CUNA_RAW_BYTES;
        argument->bytes = lua_tolstring(L, -1, &argument->nbytes);
    } else if (cuna_lua_to_number(L, lua_gettop(L), &argument->number)) {
        argument->kind = CUNA_RAW_SCALAR;
    } else if ((argument->object = cuna_lua_to_texture(L, -1, cuna_raw_function_name(function))) != NULL) {
        argument->kind = CUNA_RAW_OBJECT;
    } else {
        argument->kind = CUNA_RAW_WORDS;
        argument->words = type == LUA_TNIL ? "nil" : lua_typename(L, type);
    }
}

static int64_t check_length(lua_State *L, int index, const cuna_raw_function *function, const char *what)
{
    double value = lua_tonumber(L, index);
    if (__builtin_expect(lua_type(L, index) == LUA_TNUMBER && value >= INT32_MIN && value <= UINT32_MAX, 1) &&
        value == (double)(int64_t)value)
        return (int64_t)value;
    char text[128];
    snprintf(text, sizeof text, "%s: %s", cuna_raw_function_name(function), what);
    return cuna_lua_check_integer(L, index, text);
}

static cuna_raw_function *check_launched(lua_State *L)
{
    if (lua_touserdata(L, 1) == NULL || !lua_getmetatable(L, 1) || !lua_rawequal(L, -1, lua_upvalueindex(2)))
        cuna_lua_fail(L, "raw_launch: expected a function, got %s", luaL_typename(L, 1));
    lua_pop(L, 1);
    return check_alive(L, *(cuna_raw_function **)lua_touserdata(L, 1));
}

/* raw_launch(function, gx, gy, gz, bx, by, bz, shared_nbytes, cooperative, args, nargs) */
static int core_launch(lua_State *L)
{
    static const char *const lengths[] = {"the grid's x",  "the grid's y",  "the grid's z",
                                          "the block's x", "the block's y", "the block's z"};
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_raw_function *function = check_launched(L);
    cuna_raw_launch_shape shape;
    cuna_raw_argument arguments[CUNA_RAW_MAX_PARAMS];
    for (int i = 0; i < 3; i++) {
        shape.grid[i] = check_length(L, 2 + i, function, lengths[i]);
        shape.block[i] = check_length(L, 5 + i, function, lengths[3 + i]);
    }
    shape.shared_nbytes = check_length(L, 8, function, "the size of shared memory");
    shape.cooperative = lua_toboolean(L, 9);
    luaL_checktype(L, 10, LUA_TTABLE);
    int count = (int)lua_tointeger(L, 11), given = count < CUNA_RAW_MAX_PARAMS ? count : CUNA_RAW_MAX_PARAMS;
    /* The arguments stay on the stack, which keeps arrays and strings alive until the values are copied. A count
     * that is too large is passed on, and raises the error that names it. */
    luaL_checkstack(L, given + 4, cuna_raw_function_name(function));
    for (int i = 0; i < given; i++) {
        lua_rawgeti(L, 10, i + 1);
        read_argument(L, S, function, i, &arguments[i]);
    }
    CUNA_LUA_TRY(L, cuna_raw_launch(S->context, function, &shape, count, arguments));
    return 0;
}

/* ---- attributes, variables, addresses ---- */

/* raw_attribute(function, attribute) -> integer */
static int core_attribute(lua_State *L)
{
    int value = 0;
    cuna_raw_function *function = check_function(L, 1);
    int attribute = (int)luaL_checkinteger(L, 2);
    CUNA_LUA_TRY(L, cuna_raw_attribute(&value, function, attribute));
    lua_pushnumber(L, value);
    return 1;
}

/* raw_set_attribute(function, attribute, value) */
static int core_set_attribute(lua_State *L)
{
    cuna_raw_function *function = check_function(L, 1);
    int64_t value = check_length(L, 3, function, "the attribute's value");
    if (value < INT32_MIN || value > INT32_MAX)
        return cuna_lua_fail(L, "%s: the attribute's value has more than 32 bits", cuna_raw_function_name(function));
    int attribute = (int)luaL_checkinteger(L, 2);
    CUNA_LUA_TRY(L, cuna_raw_set_attribute(function, attribute, (int)value));
    return 0;
}

/* raw_global(module, name, dtype or nil, count or nil) -> array, which holds a reference to the module. */
static int core_global(lua_State *L)
{
    const cuna_raw_module *module = check_module(L, 1);
    const char *name = luaL_checkstring(L, 2);
    cuna_dtype dtype = lua_isnoneornil(L, 3) ? CUNA_UINT8 : cuna_lua_check_dtype(L, 3, name);
    int64_t size = -1;
    if (!lua_isnoneornil(L, 4)) {
        size = cuna_lua_check_integer(L, 4, name);
        if (size < 0)
            return cuna_lua_fail(L, "%s: an array has 0 or more elements, got %d", name, (int)size);
    }
    cuna_array *out = cuna_lua_push_array(L);
    CUNA_LUA_TRY(L, cuna_raw_global(out, module, name, dtype, size));
    return 1;
}

/* raw_address(array or address) -> the address, of an array that of its first element, as a light userdata */
static int core_address(lua_State *L)
{
    uint64_t address = 0;
    if (lua_type(L, 1) == LUA_TNUMBER)
        address = (uint64_t)lua_tonumber(L, 1);
    else
        CUNA_LUA_TRY(L, cuna_array_expose(&address, cuna_lua_check_array(L, 1, "raw_address"), "raw_address"));
    lua_pushlightuserdata(L, (void *)(uintptr_t)address);
    return 1;
}

/* raw_layout(x) -> 64 * dtype + 2 * ndim + whether it is C-contiguous; nil for other values */
static int core_layout(lua_State *L)
{
    cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, 1);
    if (array == NULL)
        return 0;
    lua_pushnumber(L, 64 * array->dtype + 2 * array->ndim + ((array->flags & CUNA_ARRAY_CONTIGUOUS) != 0));
    return 1;
}

static void make_metatables(lua_State *L)
{
    luaL_newmetatable(L, MODULE_META);
    lua_pushcfunction(L, module_gc);
    lua_setfield(L, -2, "__gc");
    luaL_newmetatable(L, FUNCTION_META);
    lua_pushcfunction(L, function_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 2);
}

void cuna_lua_open_raw(lua_State *L)
{
    static const luaL_Reg functions[] = {{"raw_compile", core_compile},
                                         {"raw_load", core_load},
                                         {"raw_function", core_function},
                                         {"raw_attribute", core_attribute},
                                         {"raw_set_attribute", core_set_attribute},
                                         {"raw_global", core_global},
                                         {"raw_address", core_address},
                                         {"raw_layout", core_layout},
                                         {NULL, NULL}};
    make_metatables(L);
    cuna_lua_register(L, functions);
    lua_pushlightuserdata(L, cuna_lua_get_state(L));
    luaL_getmetatable(L, FUNCTION_META);
    lua_pushcclosure(L, core_launch, 2);
    lua_setfield(L, -2, "raw_launch");
}

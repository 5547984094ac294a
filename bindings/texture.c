/* texture.c: arrays of texels, textures and surfaces in Lua: userdata with one reference each.
 *
 * Their public objects are in lua/cuna/device/texture.lua. */
#include <string.h>

#include "state.h"

#define TEXELS_META  "cuna texels"
#define TEXTURE_META "cuna texture"

static void **push_pointer(lua_State *L, const char *meta)
{
    void **pointer = lua_newuserdata(L, sizeof *pointer);
    *pointer = NULL;
    luaL_getmetatable(L, meta);
    lua_setmetatable(L, -2);
    return pointer;
}

/* NULL when it was freed. */
static cuna_texels *to_texels(lua_State *L, int index)
{
    return *(cuna_texels **)luaL_checkudata(L, index, TEXELS_META);
}

static cuna_texels *check_texels(lua_State *L, int index, const char *what)
{
    cuna_texels *texels = to_texels(L, index);
    if (texels == NULL)
        cuna_lua_fail(L, "%s: the CUDAarray was freed", what);
    return texels;
}

static cuna_texture *check_texture(lua_State *L, int index, const char *what)
{
    cuna_texture *texture = *(cuna_texture **)luaL_checkudata(L, index, TEXTURE_META);
    if (texture == NULL)
        cuna_lua_fail(L, "%s: the texture or surface object was freed", what);
    return texture;
}

const cuna_texture *cuna_lua_to_texture(lua_State *L, int index, const char *what)
{
    return cuna_lua_to_userdata(L, index, TEXTURE_META) != NULL ? check_texture(L, index, what) : NULL;
}

/* ---- arrays of texels ---- */

static cuna_dtype read_dtype(lua_State *L, int index)
{
    lua_getfield(L, index, "dtype");
    cuna_dtype dtype = cuna_lua_check_dtype(L, -1, "CUDAarray");
    lua_pop(L, 1);
    return dtype;
}

/* texels_create(device, {dtype =, channels =, width =, height =, depth =, layered =, surface =, gather =}) */
static int texels_create(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "CUDAarray");
    luaL_checktype(L, 2, LUA_TTABLE);
    cuna_texels_shape shape = {
        .dtype = read_dtype(L, 2),
        .channels = (int)cuna_lua_field_integer(L, 2, "channels"),
        .width = cuna_lua_field_integer(L, 2, "width"),
        .height = cuna_lua_field_integer(L, 2, "height"),
        .depth = cuna_lua_field_integer(L, 2, "depth"),
        .layered = cuna_lua_field_flag(L, 2, "layered"),
        .surface = cuna_lua_field_flag(L, 2, "surface"),
        .gather = cuna_lua_field_flag(L, 2, "gather"),
    };
    cuna_texels *texels = NULL;
    void **pointer = push_pointer(L, TEXELS_META);
    CUNA_LUA_TRY(L, cuna_texels_create(&texels, device, &shape));
    *pointer = texels;
    return 1;
}

/* texels_copy(texels, array, out) */
static int texels_copy(lua_State *L)
{
    bool out = lua_toboolean(L, 3);
    const char *what = out ? "copy_to" : "copy_from";
    cuna_texels *texels = check_texels(L, 1, what);
    cuna_array *array = cuna_lua_check_array(L, 2, what);
    CUNA_LUA_TRY(L, cuna_texels_copy(cuna_lua_context(L), texels, array, out));
    return 0;
}

/* texels_handle(texels) -> number, nil of freed ones */
static int texels_handle(lua_State *L)
{
    cuna_texels *texels = to_texels(L, 1);
    if (texels == NULL)
        return 0;
    lua_pushnumber(L, (lua_Number)cuna_texels_handle(texels));
    return 1;
}

/* texels_free(texels): freeing twice is harmless. */
static int texels_free(lua_State *L)
{
    cuna_texels **texels = cuna_lua_to_userdata(L, 1, TEXELS_META);
    if (texels == NULL)
        return 0;
    cuna_texels *freed = *texels;
    *texels = NULL;
    cuna_texels_release(freed);
    return 0;
}

/* ---- objects ---- */

static void read_numbers(lua_State *L, int index, const char *name, int count, double *numbers)
{
    lua_getfield(L, index, name);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, -1, i + 1);
        numbers[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_sampler(lua_State *L, int index, cuna_sampler *sampler)
{
    double address[3];
    *sampler = (cuna_sampler){
        .max_anisotropy = (int)cuna_lua_field_integer(L, index, "max_anisotropy"),
        .filters = cuna_lua_field_flag(L, index, "filters"),
        .as_float = cuna_lua_field_flag(L, index, "as_float"),
        .normalized = cuna_lua_field_flag(L, index, "normalized"),
        .srgb = cuna_lua_field_flag(L, index, "srgb"),
    };
    read_numbers(L, index, "border", 4, sampler->border);
    read_numbers(L, index, "address", 3, address);
    for (int i = 0; i < 3; i++)
        sampler->address[i] = (int)address[i];
}

/* texture_create(name, texels or array, {dtype =, channels =, nbytes =, width =, height =, pitch =}, sampler or nil);
 * sampler: {address = {3 numbers}, border = {4 numbers}, filters =, as_float =, normalized =, srgb =, max_anisotropy =} */
static int texture_create(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    luaL_checktype(L, 3, LUA_TTABLE);
    bool has_texels = cuna_lua_to_userdata(L, 2, TEXELS_META) != NULL, has_sampler = !lua_isnoneornil(L, 4);
    cuna_sampler sampler;
    cuna_texture *texture = NULL;
    cuna_texture_source source = {
        .texels = has_texels ? check_texels(L, 2, name) : NULL,
        .array = has_texels ? NULL : cuna_lua_check_array(L, 2, name),
        .dtype = read_dtype(L, 3),
        .channels = (int)cuna_lua_field_integer(L, 3, "channels"),
        .nbytes = cuna_lua_field_integer(L, 3, "nbytes"),
        .width = cuna_lua_field_integer(L, 3, "width"),
        .height = cuna_lua_field_integer(L, 3, "height"),
        .pitch_nbytes = cuna_lua_field_integer(L, 3, "pitch"),
    };
    if (has_sampler)
        read_sampler(L, 4, &sampler);
    void **pointer = push_pointer(L, TEXTURE_META);
    CUNA_LUA_TRY(L, cuna_texture_create(&texture, name, &source, has_sampler ? &sampler : NULL));
    *pointer = texture;
    return 1;
}

/* texture_use(texture, device, name) -> its handle, for the next work on the device's current stream */
static int texture_use(lua_State *L)
{
    const char *name = luaL_checkstring(L, 3);
    cuna_texture *texture = check_texture(L, 1, name);
    cuna_device *device = cuna_lua_check_device(L, 2, name);
    CUNA_LUA_TRY(L, cuna_texture_use(cuna_lua_context(L), name, texture, device));
    lua_pushnumber(L, (lua_Number)cuna_texture_handle(texture));
    return 1;
}

/* texture_handle(texture) -> number, nil of freed ones */
static int texture_handle(lua_State *L)
{
    cuna_texture *texture = *(cuna_texture **)luaL_checkudata(L, 1, TEXTURE_META);
    if (texture == NULL)
        return 0;
    lua_pushnumber(L, (lua_Number)cuna_texture_handle(texture));
    return 1;
}

static int texture_free(lua_State *L)
{
    cuna_texture **texture = cuna_lua_to_userdata(L, 1, TEXTURE_META);
    if (texture == NULL)
        return 0;
    cuna_texture *freed = *texture;
    *texture = NULL;
    cuna_texture_release(freed);
    return 0;
}

static void make_metatable(lua_State *L, const char *name, lua_CFunction collect)
{
    luaL_newmetatable(L, name);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}

void cuna_lua_open_texture(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"texels_create", texels_create},   {"texels_copy", texels_copy},       {"texels_handle", texels_handle},
        {"texels_free", texels_free},       {"texture_create", texture_create}, {"texture_use", texture_use},
        {"texture_handle", texture_handle}, {"texture_free", texture_free},     {NULL, NULL}};
    make_metatable(L, TEXELS_META, texels_free);
    make_metatable(L, TEXTURE_META, texture_free);
    cuna_lua_register(L, functions);
}

/* device.c: devices as Lua sees them: interned objects with fields, and what is current. */
#include <string.h>

#include "state.h"

void cuna_lua_push_device(lua_State *L, cuna_device *device)
{
    cuna_lua_push_slot(L, CUNA_SLOT_DEVICES);
    lua_getfield(L, -1, cuna_device_name(device));
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        *(cuna_device **)lua_newuserdata(L, sizeof device) = device;
        cuna_lua_push_slot(L, CUNA_SLOT_DEVICE_META);
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, cuna_device_name(device));
    }
    lua_remove(L, -2);
}

static cuna_device *to_device(lua_State *L, int index)
{
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    cuna_lua_push_slot(L, CUNA_SLOT_DEVICE_META);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? *(cuna_device **)lua_touserdata(L, index) : NULL;
}

cuna_device *cuna_lua_check_device(lua_State *L, int index, const char *what)
{
    cuna_device *device = to_device(L, index);
    if (device == NULL && lua_type(L, index) == LUA_TSTRING)
        cuna_lua_check(L, cuna_device_find(&device, lua_tostring(L, index)));
    if (device == NULL)
        cuna_lua_fail(L, "%s: expected a device or its name, such as \"cpu\", got %s", what, luaL_typename(L, index));
    return device;
}

static int memory_field(lua_State *L, cuna_device *device)
{
    cuna_memory_stats stats;
    cuna_device_memory(&stats, device);
    const struct {
        const char *name;
        int64_t value;
    } rows[] = {{"used_bytes", stats.used_nbytes},
                {"free_bytes", stats.free_nbytes},
                {"total_bytes", stats.total_nbytes},
                {"n_free_blocks", stats.free_blocks},
                {"limit", stats.limit_nbytes},
                {"device_free", stats.device_free_nbytes},
                {"device_total", stats.device_total_nbytes}};
    lua_createtable(L, 0, 7);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lua_pushnumber(L, (lua_Number)rows[i].value);
        lua_setfield(L, -2, rows[i].name);
    }
    return 1;
}

/* device_info(device, name) -> the field's value, or nil for an unknown one */
static int device_info(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "device");
    const char *name = luaL_checkstring(L, 2);
    if (strcmp(name, "name") == 0)
        lua_pushstring(L, cuna_device_name(device));
    else if (strcmp(name, "kind") == 0)
        lua_pushstring(L, cuna_device_kind(device));
    else if (strcmp(name, "id") == 0)
        lua_pushnumber(L, cuna_device_id(device));
    else if (strcmp(name, "model") == 0)
        lua_pushstring(L, cuna_device_model(device));
    else if (strcmp(name, "memory") == 0)
        return memory_field(L, device);
    else
        lua_pushnil(L);
    return 1;
}

/* device(name or device) -> device */
static int find_device(lua_State *L)
{
    cuna_lua_push_device(L, cuna_lua_check_device(L, 1, "device"));
    return 1;
}

/* current_device(device or nil) -> the device that was current */
static int current_device(lua_State *L)
{
    cuna_context *context = cuna_lua_context(L);
    cuna_lua_push_device(L, cuna_context_device(context));
    if (!lua_isnoneornil(L, 1))
        cuna_context_set_device(context, cuna_lua_check_device(L, 1, "use"));
    return 1;
}

static int synchronize(lua_State *L)
{
    cuna_context *context = cuna_lua_context(L);
    cuna_device *device =
        lua_isnoneornil(L, 1) ? cuna_context_device(context) : cuna_lua_check_device(L, 1, "synchronize");
    cuna_lua_check(L, cuna_device_synchronize(device));
    return 0;
}

/* trim(device): releases cached blocks. */
static int trim(lua_State *L)
{
    cuna_device_trim(cuna_lua_check_device(L, 1, "free_all_blocks"));
    return 0;
}

/* set_limit(device, bytes) */
static int set_limit(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "set_limit");
    int64_t nbytes = cuna_lua_check_integer(L, 2, "set_limit: the number of bytes");
    if (nbytes < 0)
        return cuna_lua_fail(L, "set_limit: the number of bytes must not be negative; 0 removes the limit");
    cuna_device_set_limit(device, nbytes);
    return 0;
}

static int device_metatable(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_DEVICE_META);
    return 1;
}

void cuna_lua_open_device(lua_State *L)
{
    static const luaL_Reg functions[] = {{"device", find_device},
                                         {"device_info", device_info},
                                         {"current_device", current_device},
                                         {"synchronize", synchronize},
                                         {"trim", trim},
                                         {"set_limit", set_limit},
                                         {"device_metatable", device_metatable},
                                         {NULL, NULL}};
    cuna_lua_push_slot(L, CUNA_SLOT_DEVICE_META);
    if (lua_isnil(L, -1)) {
        lua_newtable(L);
        cuna_lua_set_slot(L, CUNA_SLOT_DEVICE_META);
    }
    lua_pop(L, 1);
    cuna_lua_register(L, functions);
}

/* device.c: devices in Lua: interned objects with fields, and the current device. */
#include <string.h>

#include "state.h"

void cuna_lua_push_device(lua_State *L, cuna_device *device)
{
    cuna_lua_push_slot(L, CUNA_SLOT_DEVICES);
    lua_pushlightuserdata(L, device);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        *(cuna_device **)lua_newuserdata(L, sizeof device) = device;
        cuna_lua_push_slot(L, CUNA_SLOT_DEVICE_META);
        lua_setmetatable(L, -2);
        lua_pushlightuserdata(L, device);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    lua_remove(L, -2);
}

static cuna_device *to_device(lua_State *L, int index)
{
    cuna_device **object = cuna_lua_to_object(L, index, CUNA_SLOT_DEVICE_META);
    return object != NULL ? *object : NULL;
}

cuna_device *cuna_lua_check_device(lua_State *L, int index, const char *what)
{
    cuna_device *device = to_device(L, index);
    if (device == NULL && lua_type(L, index) == LUA_TSTRING)
        CUNA_LUA_TRY(L, cuna_device_find(&device, lua_tostring(L, index)));
    if (device == NULL)
        cuna_lua_fail(L, "%s: expected a device or its name, such as \"cpu\" or \"cuda:0\", got %s", what,
                      luaL_typename(L, index));
    return device;
}

cuna_device *cuna_lua_place_at(lua_State *L, int index, const char *what)
{
    const cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, index);
    if (array == NULL)
        return cuna_lua_check_device(L, index, what);
    return cuna_array_device(cuna_lua_check_array(L, index, what));
}

/* Fields: each pushes its value. */

static void push_name(lua_State *L, cuna_device *device)
{
    lua_pushstring(L, cuna_device_name(device));
}

static void push_kind(lua_State *L, cuna_device *device)
{
    lua_pushstring(L, cuna_device_kind(device));
}

static void push_id(lua_State *L, cuna_device *device)
{
    lua_pushnumber(L, cuna_device_id(device));
}

static void push_model(lua_State *L, cuna_device *device)
{
    lua_pushstring(L, cuna_device_model(device));
}

/* As CuPy writes it: "90" for 9.0. */
static void push_compute_capability(lua_State *L, cuna_device *device)
{
    int major, minor;
    cuna_lua_check(L, cuna_device_compute_capability(&major, &minor, device));
    lua_pushfstring(L, "%d%d", major, minor);
}

static void push_total_memory(lua_State *L, cuna_device *device)
{
    int64_t nbytes;
    cuna_lua_check(L, cuna_device_total_memory(&nbytes, device));
    lua_pushnumber(L, (lua_Number)nbytes);
}

static void push_mem_info(lua_State *L, cuna_device *device)
{
    int64_t free_nbytes, total_nbytes;
    cuna_lua_check(L, cuna_device_memory_info(&free_nbytes, &total_nbytes, device));
    lua_createtable(L, 0, 2);
    lua_pushnumber(L, (lua_Number)free_nbytes);
    lua_setfield(L, -2, "free");
    lua_pushnumber(L, (lua_Number)total_nbytes);
    lua_setfield(L, -2, "total");
}

static void push_pci_bus_id(lua_State *L, cuna_device *device)
{
    char text[64];
    cuna_lua_check(L, cuna_device_pci_bus_id(text, sizeof text, device));
    lua_pushstring(L, text);
}

/* All attributes that the device knows, by name. */
static void push_attributes(lua_State *L, cuna_device *device)
{
    const char *name;
    lua_newtable(L);
    for (int i = 0; (name = cuna_device_attribute_name(i)) != NULL; i++) {
        int value;
        cuna_status status = cuna_device_attribute(&value, device, name);
        if (status == CUNA_VALUE)
            continue;
        cuna_lua_check(L, status);
        lua_pushnumber(L, value);
        lua_setfield(L, -2, name);
    }
}

void cuna_lua_push_memory(lua_State *L, const cuna_memory_stats *stats)
{
    const struct {
        const char *name;
        int64_t value;
    } rows[] = {{"used_bytes", stats->used_nbytes},
                {"free_bytes", stats->free_nbytes},
                {"total_bytes", stats->total_nbytes},
                {"n_free_blocks", stats->free_blocks},
                {"limit", stats->limit_nbytes},
                {"device_free", stats->device_free_nbytes},
                {"device_total", stats->device_total_nbytes}};
    lua_createtable(L, 0, 7);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lua_pushnumber(L, (lua_Number)rows[i].value);
        lua_setfield(L, -2, rows[i].name);
    }
}

static void push_memory(lua_State *L, cuna_device *device)
{
    cuna_memory_stats stats;
    cuna_device_memory(&stats, device);
    cuna_lua_push_memory(L, &stats);
}

static const struct {
    const char *name;
    void (*push)(lua_State *L, cuna_device *device);
} fields[] = {{"name", push_name},
              {"kind", push_kind},
              {"id", push_id},
              {"model", push_model},
              {"memory", push_memory},
              {"total_memory", push_total_memory},
              {"mem_info", push_mem_info},
              {"compute_capability", push_compute_capability},
              {"attributes", push_attributes},
              {"pci_bus_id", push_pci_bus_id}};

/* device_info(device, name) -> the field's value, or nil for an unknown one */
static int device_info(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "device");
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            fields[i].push(L, device);
            return 1;
        }
    }
    return 0;
}

/* is_asynchronous(device or an array on it) -> whether its work goes on while the host does */
static int is_asynchronous(lua_State *L)
{
    lua_pushboolean(L, cuna_device_is_asynchronous(cuna_lua_place_at(L, 1, "device")));
    return 1;
}

/* is_host(device or an array on it) -> whether the host may read and write its memory directly */
static int is_host(lua_State *L)
{
    lua_pushboolean(L, cuna_device_is_host(cuna_lua_place_at(L, 1, "device")));
    return 1;
}

/* lanes(device or an array on it) -> the number of lanes of a block in cuna's built-in kernels */
static int device_lanes(lua_State *L)
{
    lua_pushnumber(L, cuna_device_lanes(cuna_lua_place_at(L, 1, "device")));
    return 1;
}

/* device_fields() -> the names of all fields */
static int device_fields(lua_State *L)
{
    lua_newtable(L);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_pushstring(L, fields[i].name);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* device(name or device, what or nil) -> device */
static int find_device(lua_State *L)
{
    cuna_lua_push_device(L, cuna_lua_check_device(L, 1, luaL_optstring(L, 2, "device")));
    return 1;
}

/* current_device() -> the device that is current */
static int current_device(lua_State *L)
{
    cuna_lua_push_device(L, cuna_context_device(cuna_lua_context(L)));
    return 1;
}

/* is_current(device or an array on it) */
static int is_current(lua_State *L)
{
    lua_pushboolean(L, cuna_lua_place_at(L, 1, "device") == cuna_context_device(cuna_lua_context(L)));
    return 1;
}

/* use_device(device or nil) -> the previous device; nil is the default one, not yet chosen. */
static int use_device(lua_State *L)
{
    cuna_context *context = cuna_lua_context(L);
    cuna_device *before = cuna_context_peek_device(context);
    cuna_context_set_device(context, lua_isnoneornil(L, 1) ? NULL : cuna_lua_check_device(L, 1, "use"));
    if (before == NULL)
        return 0;
    cuna_lua_push_device(L, before);
    return 1;
}

/* device_count(kind) -> devices of a kind, 0 when they cannot be used */
static int device_count(lua_State *L)
{
    lua_pushnumber(L, cuna_device_count(luaL_checkstring(L, 1)));
    return 1;
}

/* check_cuda() -> whether CUDA devices can be used, why not */
static int check_cuda(lua_State *L)
{
    bool usable = cuna_device_check_cuda() == CUNA_OK;
    lua_pushboolean(L, usable);
    if (usable)
        return 1;
    lua_pushstring(L, cuna_message());
    return 2;
}

/* device_reason() -> why the default device was chosen, or nil */
static int device_reason(lua_State *L)
{
    lua_pushstring(L, cuna_context_reason(cuna_lua_context(L)));
    return 1;
}

/* device_options(device) -> the options of its compiler, or nil and an error message */
static int device_options(lua_State *L)
{
    char text[1024];
    bool found = cuna_device_options(text, sizeof text, cuna_lua_check_device(L, 1, "device")) == CUNA_OK;
    if (!found)
        lua_pushnil(L);
    lua_pushstring(L, found ? text : cuna_message());
    return found ? 1 : 2;
}

static void set_description(void *data, const char *name, const char *value)
{
    lua_State *L = data;
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

/* describe_driver(kind) -> facts about its libraries, by name */
static int describe_driver(lua_State *L)
{
    const char *kind = luaL_checkstring(L, 1);
    lua_newtable(L);
    cuna_device_describe_driver(set_description, L, kind);
    return 1;
}

/* cache_folder() -> the folder of compiled kernels, or nil and the reason */
static int cache_folder(lua_State *L)
{
    const char *reason = NULL;
    lua_pushstring(L, cuna_cache_folder(&reason));
    lua_pushstring(L, reason);
    return 2;
}

/* cache_usage() -> entries in this folder, their bytes, the limit of these */
static int cache_usage(lua_State *L)
{
    int64_t count, nbytes, limit_nbytes;
    cuna_cache_get_usage(&count, &nbytes, &limit_nbytes);
    lua_pushnumber(L, (lua_Number)count);
    lua_pushnumber(L, (lua_Number)nbytes);
    lua_pushnumber(L, (lua_Number)limit_nbytes);
    return 3;
}

/* cache_check() -> nil, or why the folder of compiled kernels cannot be used */
static int cache_check(lua_State *L)
{
    bool usable = cuna_cache_check() == CUNA_OK;
    lua_pushstring(L, usable ? NULL : cuna_message());
    return 1;
}

static int synchronize(lua_State *L)
{
    cuna_context *context = cuna_lua_context(L);
    cuna_device *device =
        lua_isnoneornil(L, 1) ? cuna_context_device(context) : cuna_lua_check_device(L, 1, "synchronize");
    cuna_lua_check_waiting(L, "synchronize");
    CUNA_LUA_TRY(L, cuna_context_synchronize(context, device));
    return 0;
}

uint64_t cuna_lua_report_mark(lua_State *L, cuna_device *device, const char *what)
{
    uint64_t address;
    bool placed = cuna_device_is_asynchronous(device) && cuna_lua_push_place(L);
    CUNA_LUA_TRY(
        L, cuna_device_report_mark(&address, cuna_lua_context(L), device, what, placed ? lua_tostring(L, -1) : ""));
    lua_pop(L, placed);
    return address;
}

/* report_mark(device or an array on it, name) -> its address as a number */
static int report_mark(lua_State *L)
{
    cuna_device *device = cuna_lua_place_at(L, 1, "report_mark");
    lua_pushnumber(L, (lua_Number)cuna_lua_report_mark(L, device, luaL_checkstring(L, 2)));
    return 1;
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
                                         {"device_fields", device_fields},
                                         {"lanes", device_lanes},
                                         {"is_asynchronous", is_asynchronous},
                                         {"is_host", is_host},
                                         {"device_count", device_count},
                                         {"device_reason", device_reason},
                                         {"device_options", device_options},
                                         {"describe_driver", describe_driver},
                                         {"cache_folder", cache_folder},
                                         {"cache_check", cache_check},
                                         {"cache_usage", cache_usage},
                                         {"check_cuda", check_cuda},
                                         {"current_device", current_device},
                                         {"is_current", is_current},
                                         {"use_device", use_device},
                                         {"synchronize", synchronize},
                                         {"report_mark", report_mark},
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

/* allocator.c: memory pools in Lua: userdata with functions from lua/cuna/device/pool.lua. A userdata owns one
 * reference to its allocator; its finalizer leaves NULL. A slot of the state keeps the current pool's object, so that
 * Lua gets the same object back. */
#include <string.h>

#include "state.h"

/* By cuna_allocator_kind. */
static const char *const kind_names[] = {"device", "managed", "pinned", "direct", "async", NULL};

static cuna_allocator **push_empty_pool(lua_State *L)
{
    cuna_allocator **pool = lua_newuserdata(L, sizeof *pool);
    *pool = NULL;
    cuna_lua_push_slot(L, CUNA_SLOT_ALLOCATOR_META);
    lua_setmetatable(L, -2);
    return pool;
}

/* Scripts cannot reach the metatable, so the argument is always a pool. */
static int pool_gc(lua_State *L)
{
    cuna_allocator **pool = cuna_lua_to_object(L, 1, CUNA_SLOT_ALLOCATOR_META);
    if (pool == NULL)
        return 0;
    if (*pool != NULL)
        cuna_allocator_release(*pool);
    *pool = NULL;
    return 0;
}

cuna_allocator *cuna_lua_check_pool(lua_State *L, int index, const char *what)
{
    cuna_allocator **pool = cuna_lua_to_object(L, index, CUNA_SLOT_ALLOCATOR_META);
    if (pool == NULL)
        cuna_lua_fail(L, "%s: expected a memory pool, got %s", what, luaL_typename(L, index));
    if (*pool == NULL)
        cuna_lua_fail(L, "%s: the memory pool was finalized: the Lua state closes", what);
    return *pool;
}

/* The device at an index, or the current one. */
static cuna_device *device_at(lua_State *L, int index, const char *what)
{
    if (lua_isnoneornil(L, index))
        return cuna_context_device(cuna_lua_context(L));
    return cuna_lua_check_device(L, index, what);
}

static cuna_allocator_kind check_kind(lua_State *L, int index)
{
    return (cuna_allocator_kind)luaL_checkoption(L, index, NULL, kind_names);
}

/* pool(kind) -> a new pool */
static int new_pool(lua_State *L)
{
    cuna_allocator_kind kind = check_kind(L, 1);
    cuna_allocator **pool = push_empty_pool(L);
    CUNA_LUA_TRY(L, cuna_allocator_create(pool, kind));
    return 1;
}

/* The process-wide allocator of a kind if there is one, else the state's. */
static cuna_status get_shared(cuna_allocator **out, cuna_allocator_kind kind)
{
    if (kind != CUNA_ALLOCATE_DEVICE && kind != CUNA_ALLOCATE_PINNED)
        return cuna_allocator_create(out, kind);
    *out = cuna_allocator_default(kind);
    cuna_allocator_retain(*out);
    return CUNA_OK;
}

/* shared_pool(kind) -> the shared pool of a kind: always the same object */
static int shared_pool(lua_State *L)
{
    cuna_allocator_kind kind = check_kind(L, 1);
    cuna_lua_push_slot(L, CUNA_SLOT_ALLOCATORS);
    lua_rawgeti(L, -1, kind + 1);
    if (lua_isnil(L, -1)) {
        cuna_allocator **pool = push_empty_pool(L);
        CUNA_LUA_TRY(L, get_shared(pool, kind));
        lua_pushvalue(L, -1);
        lua_rawseti(L, -4, kind + 1);
    }
    return 1;
}

/* current_pool() -> the pool that new arrays get their memory from, nil for the default one */
static int current_pool(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_ALLOCATOR);
    return 1;
}

/* use_pool(pool or nil) -> the previous pool; nil is the default one */
static int use_pool(lua_State *L)
{
    cuna_allocator *allocator = lua_isnoneornil(L, 1) ? NULL : cuna_lua_check_pool(L, 1, "set_allocator");
    lua_settop(L, 1);
    cuna_context_set_allocator(cuna_lua_context(L), allocator);
    cuna_lua_push_slot(L, CUNA_SLOT_ALLOCATOR);
    lua_pushvalue(L, 1);
    cuna_lua_set_slot(L, CUNA_SLOT_ALLOCATOR);
    return 1;
}

/* pool_kind(pool) -> "device", "managed", "pinned", "direct" or "async" */
static int pool_kind(lua_State *L)
{
    lua_pushstring(L, kind_names[cuna_allocator_get_kind(cuna_lua_check_pool(L, 1, "pool"))]);
    return 1;
}

/* pool_memory(pool, device or nil, what) -> memory statistics of the pool and the device, by name */
static int pool_memory(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    cuna_memory_stats stats;
    cuna_allocator *allocator = cuna_lua_check_pool(L, 1, what);
    cuna_device *device = device_at(L, 2, what);
    CUNA_LUA_TRY(L, cuna_allocator_memory(&stats, allocator, device));
    cuna_lua_push_memory(L, &stats);
    return 1;
}

/* pool_limit(pool, device or nil, bytes) */
static int pool_limit(lua_State *L)
{
    cuna_allocator *allocator = cuna_lua_check_pool(L, 1, "set_limit");
    cuna_device *device = device_at(L, 2, "set_limit");
    int64_t nbytes = cuna_lua_check_integer(L, 3, "set_limit: the number of bytes");
    if (nbytes < 0)
        return cuna_lua_fail(L, "set_limit: the number of bytes must not be negative; 0 removes the limit");
    CUNA_LUA_TRY(L, cuna_allocator_set_limit(allocator, device, nbytes));
    return 0;
}

/* Frees cached blocks, all or those of a stream. A stream knows its device. */
static cuna_status trim(cuna_allocator *allocator, cuna_device *device, const cuna_stream *stream)
{
    if (stream != NULL && cuna_stream_device(stream) != device)
        return cuna_fail(CUNA_VALUE, "free_all_blocks: the stream is of %s, not of %s",
                         cuna_device_name(cuna_stream_device(stream)), cuna_device_name(device));
    return cuna_allocator_trim(allocator, device, stream);
}

/* pool_trim(pool, device or nil, stream or nil) */
static int pool_trim(lua_State *L)
{
    cuna_allocator *allocator = cuna_lua_check_pool(L, 1, "free_all_blocks");
    cuna_stream *stream = lua_isnoneornil(L, 3) ? NULL : cuna_lua_check_stream(L, 3, "free_all_blocks");
    cuna_device *device =
        lua_isnoneornil(L, 2) && stream != NULL ? cuna_stream_device(stream) : device_at(L, 2, "free_all_blocks");
    CUNA_LUA_TRY(L, trim(allocator, device, stream));
    return 0;
}

/* The array of bytes is made while the allocator is the context's. While the Lua state closes, the context may be the
 * last owner of the previous one. */
static cuna_status create_from(cuna_array *out, cuna_context *context, cuna_allocator *allocator, int64_t nbytes)
{
    cuna_allocator *before = cuna_context_allocator(context);
    bool pinned = cuna_allocator_get_kind(allocator) == CUNA_ALLOCATE_PINNED;
    cuna_allocator_retain(before);
    cuna_context_set_allocator(context, allocator);
    cuna_status status = pinned ? cuna_array_create_pinned(out, context, CUNA_UINT8, 1, &nbytes)
                                : cuna_array_create(out, context, CUNA_UINT8, 1, &nbytes);
    cuna_context_set_allocator(context, before);
    cuna_allocator_release(before);
    return status;
}

/* pool_alloc(pool, bytes, what) -> array of bytes on the current device; a pinned one on the cpu device */
static int pool_alloc(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    cuna_allocator *allocator = cuna_lua_check_pool(L, 1, what);
    int64_t nbytes = cuna_lua_check_integer(L, 2, what);
    cuna_array *array = cuna_lua_push_array(L);
    CUNA_LUA_TRY(L, create_from(array, cuna_lua_context(L), allocator, nbytes));
    return 1;
}

/* pool_metatable(): for Lua to add __index, __tostring etc. */
static int pool_metatable(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_ALLOCATOR_META);
    return 1;
}

static void make_metatable(lua_State *L)
{
    lua_newtable(L);
    lua_pushcfunction(L, pool_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "cuna memory pool");
    lua_setfield(L, -2, "__metatable");
    cuna_lua_set_slot(L, CUNA_SLOT_ALLOCATOR_META);
    lua_newtable(L);
    cuna_lua_set_slot(L, CUNA_SLOT_ALLOCATORS);
}

void cuna_lua_open_allocator(lua_State *L)
{
    static const luaL_Reg functions[] = {{"pool", new_pool},
                                         {"shared_pool", shared_pool},
                                         {"current_pool", current_pool},
                                         {"use_pool", use_pool},
                                         {"pool_kind", pool_kind},
                                         {"pool_memory", pool_memory},
                                         {"pool_limit", pool_limit},
                                         {"pool_trim", pool_trim},
                                         {"pool_alloc", pool_alloc},
                                         {"pool_metatable", pool_metatable},
                                         {NULL, NULL}};
    cuna_lua_push_slot(L, CUNA_SLOT_ALLOCATOR_META);
    if (lua_isnil(L, -1))
        make_metatable(L);
    lua_pop(L, 1);
    cuna_lua_register(L, functions);
}

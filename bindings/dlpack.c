/* dlpack.c: DLPack tensors for Lua. A capsule is a userdata that owns a tensor until it is imported; its public
 * interface is lua/cuna/device/dlpack.lua. */
#include "state.h"

typedef struct capsule {
    void *managed; /* NULL: imported */
    unsigned flags;
} capsule;

static capsule *to_capsule(lua_State *L)
{
    return cuna_lua_to_object(L, 1, CUNA_SLOT_CAPSULE_META);
}

static capsule *check_capsule(lua_State *L, const char *what)
{
    capsule *c = to_capsule(L);
    if (c == NULL)
        cuna_lua_fail(L, "%s: expected a DLPack capsule, got %s", what, luaL_typename(L, 1));
    else if (c->managed == NULL)
        cuna_lua_fail(L, "%s: the DLPack capsule was taken already; export the array once more", what);
    return c;
}

static int capsule_gc(lua_State *L)
{
    capsule *c = to_capsule(L);
    if (c == NULL)
        return 0;
    void *managed = c->managed;
    c->managed = NULL;
    if (managed != NULL)
        cuna_dlpack_delete(managed, c->flags);
    return 0;
}

static int fail_value(lua_State *L, cuna_status status, const char *what)
{
    if (status == CUNA_VALUE)
        return cuna_lua_fail(L, "%s: %s", what, cuna_message());
    return cuna_lua_raise(L, status);
}

/* dlpack_export(x, versioned, copied, the consumer's stream or nil) -> capsule */
static int dlpack_export(lua_State *L)
{
    const cuna_array *array = cuna_lua_check_array(L, 1, "to_dlpack");
    unsigned versioned = lua_toboolean(L, 2) ? CUNA_DLPACK_VERSIONED : 0;
    unsigned copied = lua_toboolean(L, 3) ? CUNA_DLPACK_COPIED : 0;
    cuna_stream *consumer = lua_isnoneornil(L, 4) ? NULL : cuna_lua_check_stream(L, 4, "to_dlpack");
    CUNA_LUA_TRY(L, cuna_array_settle(cuna_lua_context(L), array));
    capsule *c = lua_newuserdata(L, sizeof *c);
    *c = (capsule){.flags = versioned | copied};
    cuna_lua_push_slot(L, CUNA_SLOT_CAPSULE_META);
    lua_setmetatable(L, -2);
    cuna_status status = cuna_dlpack_export(&c->managed, array, c->flags, consumer);
    if (status != CUNA_OK)
        return fail_value(L, status, "to_dlpack");
    return 1;
}

/* dlpack_take(capsule, what) -> address, versioned: transfers ownership of the tensor to the caller */
static int dlpack_take(lua_State *L)
{
    capsule *c = check_capsule(L, luaL_checkstring(L, 2));
    lua_pushnumber(L, (lua_Number)(uintptr_t)c->managed);
    lua_pushboolean(L, (c->flags & CUNA_DLPACK_VERSIONED) != 0);
    c->managed = NULL;
    return 2;
}

/* dlpack_peek(capsule) -> address or nil, versioned: the capsule keeps ownership; nothing for other values */
static int dlpack_peek(lua_State *L)
{
    const capsule *c = to_capsule(L);
    if (c == NULL)
        return 0;
    if (c->managed != NULL)
        lua_pushnumber(L, (lua_Number)(uintptr_t)c->managed);
    else
        lua_pushnil(L);
    lua_pushboolean(L, (c->flags & CUNA_DLPACK_VERSIONED) != 0);
    return 2;
}

static int import(lua_State *L, void *managed, unsigned flags)
{
    cuna_array *array = cuna_lua_push_array(L);
    cuna_status status = cuna_dlpack_import(array, managed, flags);
    if (status == CUNA_MEMORY) {
        cuna_lua_collect(L);
        status = cuna_dlpack_import(array, managed, flags);
    }
    if (status != CUNA_OK)
        return fail_value(L, status, "from_dlpack");
    return 1;
}

/* dlpack_import(capsule, or address and versioned) -> array, which owns the tensor */
static int dlpack_import(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TNUMBER)
        return import(L, (void *)(uintptr_t)lua_tonumber(L, 1), lua_toboolean(L, 2) ? CUNA_DLPACK_VERSIONED : 0);
    capsule *c = check_capsule(L, "from_dlpack");
    import(L, c->managed, c->flags);
    c->managed = NULL;
    return 1;
}

/* dlpack_metatable(): of capsules, for Lua to add functions. */
static int dlpack_metatable(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_CAPSULE_META);
    return 1;
}

void cuna_lua_open_dlpack(lua_State *L)
{
    static const luaL_Reg functions[] = {{"dlpack_export", dlpack_export},       {"dlpack_import", dlpack_import},
                                         {"dlpack_take", dlpack_take},           {"dlpack_peek", dlpack_peek},
                                         {"dlpack_metatable", dlpack_metatable}, {NULL, NULL}};
    cuna_lua_push_slot(L, CUNA_SLOT_CAPSULE_META);
    bool fresh = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (fresh) {
        lua_newtable(L);
        cuna_lua_register(L, (const luaL_Reg[]){{"__gc", capsule_gc}, {NULL, NULL}});
        cuna_lua_set_slot(L, CUNA_SLOT_CAPSULE_META);
    }
    cuna_lua_register(L, functions);
}

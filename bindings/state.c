/* state.c: data of one lua_State: its table in the registry, its context, its metatables.
 *
 * Everything lives in one registry table with the address of a static as key: loading the module again (busted does so
 * for every spec file) finds the same metatables, so existing arrays keep working. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

static const char registry_key;

static void push_table(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)&registry_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
}

void cuna_lua_push_slot(lua_State *L, cuna_lua_slot slot)
{
    push_table(L);
    lua_rawgeti(L, -1, slot);
    lua_remove(L, -2);
}

void cuna_lua_set_slot(lua_State *L, cuna_lua_slot slot)
{
    push_table(L);
    lua_insert(L, -2);
    lua_rawseti(L, -2, slot);
    lua_pop(L, 1);
}

cuna_lua_state *cuna_lua_get_state(lua_State *L)
{
    if (lua_islightuserdata(L, lua_upvalueindex(1)))
        return lua_touserdata(L, lua_upvalueindex(1));
    cuna_lua_push_slot(L, CUNA_SLOT_STATE);
    cuna_lua_state *S = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return S;
}

void cuna_lua_register(lua_State *L, const luaL_Reg *functions)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    for (; functions->name != NULL; functions++) {
        lua_pushlightuserdata(L, S);
        lua_pushcclosure(L, functions->func, 1);
        lua_setfield(L, -2, functions->name);
    }
}

cuna_context *cuna_lua_context(lua_State *L)
{
    return cuna_lua_get_state(L)->context;
}

static int free_state(lua_State *L)
{
    cuna_lua_state *S = *(cuna_lua_state **)lua_touserdata(L, 1);
    if (S->context != NULL && cuna_prepare_is_open(S->context))
        cuna_prepare_end(&(int){0}, S->context, false);
    cuna_context_destroy(S->context);
    S->context = NULL;
    cuna_lua_leave_callbacks(S);
    cuna_lua_leave_listening(S);
    while (S->rows != NULL) {
        cuna_lua_row *next = S->rows->next;
        free(S->rows);
        S->rows = next;
    }
    while (S->folds != NULL) {
        cuna_lua_fold *next = S->folds->next;
        free(S->folds);
        S->folds = next;
    }
    free(S->accesses);
    S->accesses = NULL;
    free(S->plans);
    S->plans = NULL;
    S->plan_slots = 0;
    return 0;
}

/* Pushes a userdata with a finalizer. */
static void *push_finalized(lua_State *L, size_t nbytes, lua_CFunction finalizer)
{
    void *data = lua_newuserdata(L, nbytes);
    lua_newtable(L);
    lua_pushcfunction(L, finalizer);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return data;
}

/* Runs while the Lua state closes, in any order with the finalizers of the user's objects, which may still compute: the
 * object created here is finalized after all of them. */
static int close_state(lua_State *L)
{
    cuna_lua_state **last = push_finalized(L, sizeof *last, free_state);
    *last = lua_touserdata(L, 1);
    cuna_lua_leave_interrupts(*last);
    return 0;
}

static void make_slot_table(lua_State *L, cuna_lua_slot slot)
{
    lua_newtable(L);
    cuna_lua_set_slot(L, slot);
}

void *cuna_lua_to_object(lua_State *L, int index, cuna_lua_slot metatable)
{
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    cuna_lua_push_slot(L, metatable);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? lua_touserdata(L, index) : NULL;
}

void *cuna_lua_to_userdata(lua_State *L, int index, const char *type)
{
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    luaL_getmetatable(L, type);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? lua_touserdata(L, index) : NULL;
}

void *cuna_lua_push_holder(lua_State *L, size_t nbytes, const char *type, lua_CFunction finalize)
{
    void *holder = memset(lua_newuserdata(L, nbytes), 0, nbytes);
    if (luaL_newmetatable(L, type)) {
        lua_pushcfunction(L, finalize);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return holder;
}

/* The list is allocated at full length before the elements are read, so that no finalizer runs between reads. */
int cuna_lua_push_list(lua_State *L, int index)
{
    int table = index > 0 ? index : lua_gettop(L) + index + 1;
    luaL_checkstack(L, 3, "list");
    lua_createtable(L, (int)lua_objlen(L, table), 0);
    int count = (int)lua_objlen(L, table);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, table, i);
        lua_rawseti(L, -2, i);
    }
    return count;
}

void cuna_lua_make_weak_table(lua_State *L, cuna_lua_slot slot, const char *mode)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    cuna_lua_set_slot(L, slot);
}

static void make_state(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)&registry_key);
    lua_newtable(L);
    lua_rawset(L, LUA_REGISTRYINDEX);
    cuna_lua_state *S = push_finalized(L, sizeof *S, close_state);
    memset(S, 0, sizeof *S);
    S->default_dtype = CUNA_FLOAT64;
    S->garbage_patience = 1;
    cuna_lua_set_slot(L, CUNA_SLOT_STATE);
    make_slot_table(L, CUNA_SLOT_METHODS);
    make_slot_table(L, CUNA_SLOT_GETTERS);
    make_slot_table(L, CUNA_SLOT_DEVICES);
    cuna_lua_make_weak_table(L, CUNA_SLOT_FREED, "k");
}

/* set_home(folder): error places skip Lua files in this folder. */
static int set_home(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    const char *home = luaL_checkstring(L, 1);
    snprintf(S->home, sizeof S->home, "%s", home);
    return 0;
}

static int core_fail(lua_State *L)
{
    return cuna_lua_fail(L, "%s", luaL_checkstring(L, 1));
}

/* hook(name, function): Lua functions that C calls. */
static int core_hook(lua_State *L)
{
    static const struct {
        const char *name;
        cuna_lua_slot slot;
    } hooks[] = {{"resolve", CUNA_SLOT_RESOLVE},
                 {"cdata_read", CUNA_SLOT_CDATA_READ},
                 {"cdata_make", CUNA_SLOT_CDATA_MAKE},
                 {"missing", CUNA_SLOT_MISSING},
                 {"shape", CUNA_SLOT_SHAPE_META},
                 {"assign", CUNA_SLOT_ASSIGN},
                 {"self", CUNA_SLOT_SELF},
                 {"fold", CUNA_SLOT_FOLD},
                 {"access", CUNA_SLOT_ACCESS},
                 {"progression", CUNA_SLOT_PROGRESSION}};
    const char *name = luaL_checkstring(L, 1);
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        if (strcmp(hooks[i].name, name) == 0) {
            lua_settop(L, 2);
            cuna_lua_set_slot(L, hooks[i].slot);
            return 0;
        }
    }
    return cuna_lua_fail(L, "there is no hook '%s'", name);
}

/* A cuna_locator: the user's line in the thread that makes an array. */
static void locate(void *data, char *out, size_t nbytes)
{
    lua_Debug frame;
    const cuna_lua_state *S = data;
    if (cuna_lua_find_place(S->caller, S, &frame))
        snprintf(out, nbytes, "%s:%d", frame.short_src, frame.currentline);
}

void cuna_lua_open_state(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"set_home", set_home}, {"fail", core_fail}, {"hook", core_hook}, {NULL, NULL}};
    push_table(L);
    bool fresh = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (fresh)
        make_state(L);
    cuna_lua_state *S = cuna_lua_get_state(L);
    if (S->context == NULL) {
        cuna_lua_check(L, cuna_context_create(&S->context));
        cuna_context_set_locator(S->context, locate, S);
        cuna_lua_check(L, cuna_context_set_recording(S->context, cuna_records_at_first()));
    }
    cuna_lua_register(L, functions);
}

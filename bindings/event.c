/* event.c: events in Lua: objects that hold one reference to a runtime event, and their fields. */
#include <stdio.h>
#include <string.h>

#include "state.h"

typedef struct event_box {
    cuna_event *event; /* NULL: freed */
} event_box;

static event_box *to_box(lua_State *L, int index)
{
    return cuna_lua_to_object(L, index, CUNA_SLOT_EVENT_META);
}

static event_box *check_box(lua_State *L, int index, const char *what)
{
    event_box *box = to_box(L, index);
    if (box == NULL)
        cuna_lua_fail(L, "%s: expected an event, such as cn.cuda.Event(), got %s", what, luaL_typename(L, index));
    return box;
}

cuna_event *cuna_lua_check_event(lua_State *L, int index, const char *what)
{
    const event_box *box = check_box(L, index, what);
    if (box->event == NULL)
        cuna_lua_fail(L, "%s: the event was freed", what);
    return box->event;
}

static void release(event_box *box)
{
    if (box->event != NULL)
        cuna_event_destroy(box->event);
    box->event = NULL;
}

static int event_gc(lua_State *L)
{
    event_box *box = to_box(L, 1);
    if (box != NULL)
        release(box);
    return 0;
}

/* event_create(blocking, disable_timing, interprocess) -> event */
static int event_create(lua_State *L)
{
    unsigned flags = (lua_toboolean(L, 1) ? CUNA_EVENT_BLOCKING : 0) |
                     (lua_toboolean(L, 2) ? CUNA_EVENT_DISABLE_TIMING : 0) |
                     (lua_toboolean(L, 3) ? CUNA_EVENT_INTERPROCESS : 0);
    event_box *box = lua_newuserdata(L, sizeof *box);
    box->event = NULL;
    cuna_lua_push_slot(L, CUNA_SLOT_EVENT_META);
    lua_setmetatable(L, -2);
    CUNA_LUA_TRY(L, cuna_event_create(&box->event, flags));
    return 1;
}

/* event_record(event, stream) */
static int event_record(lua_State *L)
{
    cuna_event *event = cuna_lua_check_event(L, 1, "record");
    cuna_stream *stream = cuna_lua_check_stream(L, 2, "record");
    CUNA_LUA_TRY(L, cuna_event_record(event, stream));
    return 0;
}

/* event_synchronize(event) */
static int event_synchronize(lua_State *L)
{
    cuna_event *event = cuna_lua_check_event(L, 1, "synchronize");
    cuna_lua_check_waiting(L, "synchronize");
    CUNA_LUA_TRY(L, cuna_event_synchronize(cuna_lua_context(L), event));
    return 0;
}

/* event_elapsed(start, end) -> milliseconds */
static int event_elapsed(lua_State *L)
{
    double ms;
    cuna_event *start = cuna_lua_check_event(L, 1, "get_elapsed_time");
    cuna_event *end = cuna_lua_check_event(L, 2, "get_elapsed_time");
    CUNA_LUA_TRY(L, cuna_event_elapsed(&ms, start, end));
    lua_pushnumber(L, ms);
    return 1;
}

/* event_free(event): freeing twice is harmless. */
static int event_free(lua_State *L)
{
    release(check_box(L, 1, "free"));
    return 0;
}

/* Fields: each pushes its value; the event is not freed. */

static void push_ptr(lua_State *L, cuna_event *event)
{
    lua_pushnumber(L, (lua_Number)cuna_event_handle(event));
}

/* Nil before the first record. */
static void push_device(lua_State *L, cuna_event *event)
{
    cuna_device *device = cuna_event_device(event);
    if (device == NULL)
        lua_pushnil(L);
    else
        cuna_lua_push_device(L, device);
}

static void push_done(lua_State *L, cuna_event *event)
{
    bool done;
    CUNA_LUA_TRY(L, cuna_event_query(&done, event));
    lua_pushboolean(L, done);
    cuna_lua_run_callbacks(L);
}

static const struct {
    const char *name;
    void (*push)(lua_State *L, cuna_event *event);
} fields[] = {{"done", push_done}, {"ptr", push_ptr}, {"device", push_device}};

/* event_info(event, name) -> whether there is such a field, its value */
static int event_info(lua_State *L)
{
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            lua_pushboolean(L, true);
            fields[i].push(L, cuna_lua_check_event(L, 1, name));
            return 2;
        }
    }
    lua_pushboolean(L, false);
    return 1;
}

static int event_tostring(lua_State *L)
{
    const event_box *box = check_box(L, 1, "tostring");
    cuna_device *device = box->event != NULL ? cuna_event_device(box->event) : NULL;
    char text[64] = "freed";
    if (box->event != NULL && device == NULL)
        snprintf(text, sizeof text, "not recorded");
    else if (device != NULL)
        snprintf(text, sizeof text, "0x%llx: %s", (unsigned long long)cuna_event_handle(box->event),
                 cuna_device_name(device));
    lua_pushfstring(L, "<event %s>", text);
    return 1;
}

static int event_metatable(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_EVENT_META);
    return 1;
}

void cuna_lua_open_event(lua_State *L)
{
    static const luaL_Reg metamethods[] = {{"__gc", event_gc}, {"__tostring", event_tostring}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"event_create", event_create},
                                         {"event_record", event_record},
                                         {"event_synchronize", event_synchronize},
                                         {"event_elapsed", event_elapsed},
                                         {"event_free", event_free},
                                         {"event_info", event_info},
                                         {"event_metatable", event_metatable},
                                         {NULL, NULL}};
    cuna_lua_push_slot(L, CUNA_SLOT_EVENT_META);
    if (lua_isnil(L, -1)) {
        lua_newtable(L);
        cuna_lua_register(L, metamethods);
        cuna_lua_set_slot(L, CUNA_SLOT_EVENT_META);
    }
    lua_pop(L, 1);
    cuna_lua_register(L, functions);
}

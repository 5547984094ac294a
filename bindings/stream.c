/* stream.c: streams in Lua: interned objects with fields, and the current stream of each device.
 *
 * An object holds one reference to its stream. The table in slot STREAMS maps a stream to its object; it is weak, so
 * objects being collected are not in it. */
#include <stdio.h>
#include <string.h>

#include "state.h"

typedef struct stream_box {
    cuna_stream *stream; /* NULL: freed */
    cuna_device *device;
} stream_box;

static stream_box *to_box(lua_State *L, int index)
{
    return cuna_lua_to_object(L, index, CUNA_SLOT_STREAM_META);
}

static stream_box *check_box(lua_State *L, int index, const char *what)
{
    stream_box *box = to_box(L, index);
    if (box == NULL)
        cuna_lua_fail(L, "%s: expected a stream, such as cn.cuda.Stream(), got %s", what, luaL_typename(L, index));
    return box;
}

cuna_stream *cuna_lua_check_stream(lua_State *L, int index, const char *what)
{
    const stream_box *box = check_box(L, index, what);
    if (box->stream == NULL)
        cuna_lua_fail(L, "%s: the stream of %s was freed", what, cuna_device_name(box->device));
    return box->stream;
}

static stream_box *push_box(lua_State *L, cuna_device *device)
{
    stream_box *box = lua_newuserdata(L, sizeof *box);
    *box = (stream_box){.device = device};
    cuna_lua_push_slot(L, CUNA_SLOT_STREAM_META);
    lua_setmetatable(L, -2);
    return box;
}

/* Sets the object of a stream to the value on top of the stack, or nil, and pops it. */
static void set_object(lua_State *L, cuna_stream *stream)
{
    cuna_lua_push_slot(L, CUNA_SLOT_STREAMS);
    lua_pushlightuserdata(L, stream);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 2);
}

/* Registers the object on top of the stack, whose stream was created, under its stream. */
static void intern(lua_State *L)
{
    lua_pushvalue(L, -1);
    set_object(L, ((stream_box *)lua_touserdata(L, -1))->stream);
}

/* Pushes the object of a stream. */
static void push_stream(lua_State *L, cuna_stream *stream)
{
    cuna_lua_push_slot(L, CUNA_SLOT_STREAMS);
    lua_pushlightuserdata(L, stream);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    if (!lua_isnil(L, -1))
        return;
    lua_pop(L, 1);
    stream_box *box = push_box(L, cuna_stream_device(stream));
    cuna_stream_retain(stream);
    box->stream = stream;
    intern(L);
}

static int stream_gc(lua_State *L)
{
    stream_box *box = to_box(L, 1);
    if (box != NULL && box->stream != NULL)
        cuna_stream_release(box->stream);
    if (box != NULL)
        box->stream = NULL;
    return 0;
}

/* stream_create(device, non_blocking, priority) -> stream */
static int stream_create(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "cuda.Stream");
    int priority = (int)luaL_checknumber(L, 3);
    stream_box *box = push_box(L, device);
    bool non_blocking = lua_toboolean(L, 2);
    cuna_status status = cuna_stream_create(&box->stream, device, non_blocking, priority);
    if (status == CUNA_VALUE || status == CUNA_MEMORY) { /* streams may be garbage */
        cuna_lua_collect(L);
        status = cuna_stream_create(&box->stream, device, non_blocking, priority);
    }
    cuna_lua_check(L, status);
    intern(L);
    return 1;
}

/* stream_adopt(device, handle) -> stream */
static int stream_adopt(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "cuda.ExternalStream");
    uint64_t handle = (uint64_t)luaL_checknumber(L, 2);
    stream_box *box = push_box(L, device);
    CUNA_LUA_TRY(L, cuna_stream_adopt(&box->stream, device, handle));
    intern(L);
    return 1;
}

/* default_stream(device) -> stream */
static int default_stream(lua_State *L)
{
    push_stream(L, cuna_stream_default(cuna_lua_check_device(L, 1, "cuda.Stream.null")));
    return 1;
}

/* current_stream(device) -> stream */
static int current_stream(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "cuda.get_current_stream");
    push_stream(L, cuna_context_stream(cuna_lua_context(L), device));
    return 1;
}

/* use_stream(stream, name) -> the previous stream of its device; `name` begins messages. */
static int use_stream(lua_State *L)
{
    cuna_context *context = cuna_lua_context(L);
    cuna_stream *stream = cuna_lua_check_stream(L, 1, luaL_checkstring(L, 2));
    cuna_device *device = cuna_stream_device(stream);
    push_stream(L, cuna_context_stream(context, device));
    cuna_context_set_stream(context, device, stream);
    return 1;
}

/* restore_stream(stream): makes it current again, or the default stream if it was freed meanwhile. */
static int restore_stream(lua_State *L)
{
    const stream_box *box = check_box(L, 1, "stream");
    cuna_context_set_stream(cuna_lua_context(L), box->device, box->stream);
    return 0;
}

/* stream_free(stream): freeing twice is harmless. */
static int stream_free(lua_State *L)
{
    cuna_context *context = cuna_lua_context(L);
    stream_box *box = check_box(L, 1, "free");
    cuna_stream *stream = box->stream;
    if (stream == NULL)
        return 0;
    if (stream == cuna_stream_default(box->device))
        return cuna_lua_fail(L, "free: the default stream of %s is never freed", cuna_device_name(box->device));
    if (cuna_stream_is_capturing(stream))
        return cuna_lua_fail(L, "free: the stream captures; call stream:end_capture() first");
    if (cuna_context_stream(context, box->device) == stream)
        cuna_context_set_stream(context, box->device, NULL);
    lua_pushnil(L);
    set_object(L, stream);
    box->stream = NULL;
    cuna_stream_release(stream);
    return 0;
}

/* stream_synchronize(stream) */
static int stream_synchronize(lua_State *L)
{
    cuna_stream *stream = cuna_lua_check_stream(L, 1, "synchronize");
    cuna_lua_check_waiting(L, "synchronize");
    CUNA_LUA_TRY(L, cuna_stream_synchronize(cuna_lua_context(L), stream));
    return 0;
}

/* stream_wait_event(stream, event) */
static int stream_wait_event(lua_State *L)
{
    cuna_stream *stream = cuna_lua_check_stream(L, 1, "wait_event");
    const cuna_event *event = cuna_lua_check_event(L, 2, "wait_event");
    const cuna_device *device = cuna_event_device(event);
    if (device != NULL && strcmp(cuna_device_kind(device), cuna_device_kind(cuna_stream_device(stream))) != 0)
        cuna_lua_check_waiting(L, "wait_event"); /* then the host waits */
    CUNA_LUA_TRY(L, cuna_stream_wait_event(stream, event));
    return 0;
}

/* Fields: each pushes its value; the stream is not freed. */

static void push_ptr(lua_State *L, cuna_stream *stream)
{
    lua_pushnumber(L, (lua_Number)cuna_stream_handle(stream));
}

static void push_device(lua_State *L, cuna_stream *stream)
{
    cuna_lua_push_device(L, cuna_stream_device(stream));
}

static void push_device_id(lua_State *L, cuna_stream *stream)
{
    lua_pushnumber(L, cuna_device_id(cuna_stream_device(stream)));
}

static void push_priority(lua_State *L, cuna_stream *stream)
{
    lua_pushnumber(L, cuna_stream_priority(stream));
}

static void push_is_non_blocking(lua_State *L, cuna_stream *stream)
{
    lua_pushboolean(L, cuna_stream_is_non_blocking(stream));
}

static void push_is_capturing(lua_State *L, cuna_stream *stream)
{
    lua_pushboolean(L, cuna_stream_is_capturing(stream));
}

static void push_null(lua_State *L, cuna_stream *stream)
{
    lua_pushboolean(L, stream == cuna_stream_default(cuna_stream_device(stream)));
}

static void push_done(lua_State *L, cuna_stream *stream)
{
    bool done;
    CUNA_LUA_TRY(L, cuna_stream_query(&done, stream));
    lua_pushboolean(L, done);
    cuna_lua_run_callbacks(L);
}

static const struct {
    const char *name;
    void (*push)(lua_State *L, cuna_stream *stream);
} fields[] = {{"done", push_done},
              {"ptr", push_ptr},
              {"device", push_device},
              {"device_id", push_device_id},
              {"priority", push_priority},
              {"is_non_blocking", push_is_non_blocking},
              {"is_capturing", push_is_capturing},
              {"null", push_null}};

/* stream_info(stream, name) -> the field's value, or nil for an unknown one */
static int stream_info(lua_State *L)
{
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            fields[i].push(L, cuna_lua_check_stream(L, 1, name));
            return 1;
        }
    }
    return 0;
}

/* stream_fields() -> the names of all fields */
static int stream_fields(lua_State *L)
{
    lua_newtable(L);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_pushstring(L, fields[i].name);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* "<stream 0x55d0c0ffee: cuda:0>" */
static int stream_tostring(lua_State *L)
{
    const stream_box *box = check_box(L, 1, "tostring");
    char text[64] = "freed";
    if (box->stream != NULL)
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)cuna_stream_handle(box->stream));
    lua_pushfstring(L, "<stream %s: %s>", text, cuna_device_name(box->device));
    return 1;
}

/* Two objects are equal when they have the same driver stream. */
static int stream_eq(lua_State *L)
{
    const stream_box *a = to_box(L, 1), *b = to_box(L, 2);
    bool alive = a != NULL && b != NULL && a->stream != NULL && b->stream != NULL;
    lua_pushboolean(L,
                    alive && a->device == b->device && cuna_stream_handle(a->stream) == cuna_stream_handle(b->stream));
    return 1;
}

static int stream_metatable(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_STREAM_META);
    return 1;
}

static void make_metatable(lua_State *L)
{
    static const luaL_Reg metamethods[] = {
        {"__gc", stream_gc}, {"__tostring", stream_tostring}, {"__eq", stream_eq}, {NULL, NULL}};
    lua_newtable(L);
    cuna_lua_register(L, metamethods);
    cuna_lua_set_slot(L, CUNA_SLOT_STREAM_META);
    cuna_lua_make_weak_table(L, CUNA_SLOT_STREAMS, "v");
}

void cuna_lua_open_stream(lua_State *L)
{
    static const luaL_Reg functions[] = {{"stream_create", stream_create},
                                         {"stream_adopt", stream_adopt},
                                         {"default_stream", default_stream},
                                         {"current_stream", current_stream},
                                         {"use_stream", use_stream},
                                         {"restore_stream", restore_stream},
                                         {"stream_free", stream_free},
                                         {"stream_synchronize", stream_synchronize},
                                         {"stream_wait_event", stream_wait_event},
                                         {"stream_info", stream_info},
                                         {"stream_fields", stream_fields},
                                         {"stream_metatable", stream_metatable},
                                         {NULL, NULL}};
    cuna_lua_push_slot(L, CUNA_SLOT_STREAM_META);
    bool fresh = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (fresh)
        make_metatable(L);
    cuna_lua_register(L, functions);
}

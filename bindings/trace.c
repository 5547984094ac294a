/* trace.c: traces of device work, and memory hooks: Lua functions called when memory is allocated or freed.
 *
 * The runtime reports memory in the middle of its work, where no Lua may run. Events are queued here, and
 * cuna_lua_check passes them to the hook after the runtime call, during the user's call: so debug.traceback() in a hook
 * shows who allocates, and a hook may do anything. Events during a hook are not reported. */
#include <stdlib.h>

#include "state.h"

#define HOLDER "cuna.trace"

/* ---- traces ---- */

/* An open trace, or its records. */
typedef struct holder {
    bool is_open, is_short; /* host memory was insufficient for all records */
    cuna_trace_record *records;
    int64_t count, capacity;
} holder;

static void keep_record(void *data, const cuna_trace_record *record)
{
    holder *h = data;
    if (h->count == h->capacity) {
        int64_t wanted = h->capacity * 2 + 256;
        cuna_trace_record *grown = realloc(h->records, (size_t)wanted * sizeof *grown);
        h->is_short = h->is_short || grown == NULL;
        if (grown == NULL)
            return;
        h->records = grown;
        h->capacity = wanted;
    }
    h->records[h->count++] = *record;
}

static void end_trace(holder *h)
{
    if (h->is_open)
        cuna_trace_end(keep_record, h);
    h->is_open = false;
}

static int free_holder(lua_State *L)
{
    holder *h = cuna_lua_to_userdata(L, 1, HOLDER);
    if (h == NULL)
        return 0;
    end_trace(h);
    free(h->records);
    *h = (holder){0};
    return 0;
}

/* trace_begin() -> the trace; collecting it ends it */
static int trace_begin(lua_State *L)
{
    holder *h = cuna_lua_push_holder(L, sizeof *h, HOLDER, free_holder);
    if (cuna_trace_begin() != CUNA_OK)
        return cuna_lua_fail(L, "profiler.trace: %s", cuna_message());
    h->is_open = true;
    return 1;
}

/* trace_end(trace) -> the number of its records, whether they are complete */
static int trace_end(lua_State *L)
{
    holder *h = luaL_checkudata(L, 1, HOLDER);
    end_trace(h);
    lua_pushnumber(L, (lua_Number)h->count);
    lua_pushboolean(L, !h->is_short);
    return 2;
}

/* trace_record(trace, index) -> kind, name, device, numbers of the stream and of the host's thread, bytes, and times in
 * seconds: begin and end on the host, begin and end on the device; with how many bits a kernel counts positions */
static int trace_record(lua_State *L)
{
    static const char *const kinds[] = {
        [CUNA_TRACE_LAUNCH] = "launch", [CUNA_TRACE_COPY] = "copy",         [CUNA_TRACE_SET] = "set",
        [CUNA_TRACE_GRAPH] = "graph",   [CUNA_TRACE_TRANSFER] = "transfer", [CUNA_TRACE_ALLOC] = "alloc",
        [CUNA_TRACE_FREE] = "free"};
    const holder *h = luaL_checkudata(L, 1, HOLDER);
    int64_t index = (int64_t)luaL_checknumber(L, 2) - 1;
    luaL_argcheck(L, index >= 0 && index < h->count, 2, "no such record");
    const cuna_trace_record *r = &h->records[index];
    lua_pushstring(L, kinds[r->kind]);
    lua_pushstring(L, r->name);
    cuna_lua_push_device(L, r->device);
    lua_pushnumber(L, r->stream);
    lua_pushnumber(L, r->thread);
    lua_pushnumber(L, (lua_Number)r->nbytes);
    lua_pushnumber(L, r->host_begin_s);
    lua_pushnumber(L, r->host_end_s);
    lua_pushnumber(L, r->device_begin_s);
    lua_pushnumber(L, r->device_end_s);
    lua_pushnumber(L, r->index_bits);
    return 11;
}

static int nvtx_push(lua_State *L)
{
    cuna_nvtx_push(luaL_checkstring(L, 1));
    return 0;
}

static int nvtx_pop(lua_State *L)
{
    (void)L;
    cuna_nvtx_pop();
    return 0;
}

/* ---- memory ---- */

typedef struct memory_event {
    cuna_trace_kind kind;
    cuna_device *device;
    uint64_t ptr;
    int64_t nbytes;
} memory_event;

struct cuna_lua_listening {
    bool is_on;
    bool is_telling; /* the hook runs */
    bool has_failed; /* with the error in CUNA_SLOT_MEMORY_ERROR, which was not raised yet */
    memory_event *notes;
    int64_t count, capacity;
};

/* Called by the runtime. Events are dropped if the host has no memory to queue them. */
static void note(void *data, cuna_trace_kind kind, cuna_device *device, uint64_t ptr, int64_t nbytes)
{
    struct cuna_lua_listening *l = data;
    if (l->is_telling)
        return;
    if (l->count == l->capacity) {
        int64_t wanted = l->capacity * 2 + 64;
        memory_event *grown = realloc(l->notes, (size_t)wanted * sizeof *grown);
        if (grown == NULL)
            return;
        l->notes = grown;
        l->capacity = wanted;
    }
    l->notes[l->count++] = (memory_event){kind, device, ptr, nbytes};
}

static void set_number(lua_State *L, const char *name, lua_Number value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

/* Pushes {kind =, device =, bytes =, ptr =}. */
static void push_event(lua_State *L, const memory_event *what)
{
    lua_createtable(L, 0, 4);
    lua_pushstring(L, what->kind == CUNA_TRACE_ALLOC ? "alloc" : "free");
    lua_setfield(L, -2, "kind");
    cuna_lua_push_device(L, what->device);
    lua_setfield(L, -2, "device");
    set_number(L, "bytes", (lua_Number)what->nbytes);
    set_number(L, "ptr", (lua_Number)what->ptr);
}

/* Calls the hook with the event in the light userdata on top of the stack. */
static int call_hook(lua_State *L)
{
    const memory_event what = *(const memory_event *)lua_touserdata(L, 1);
    cuna_lua_push_slot(L, CUNA_SLOT_MEMORY_HOOK);
    push_event(L, &what);
    lua_call(L, 1, 0);
    return 0;
}

/* The first error is kept until a call can raise it. */
static void pass_event(lua_State *L, struct cuna_lua_listening *l, memory_event *what)
{
    if (lua_cpcall(L, call_hook, what) == 0)
        return;
    if (l->has_failed) {
        lua_pop(L, 1);
        return;
    }
    l->has_failed = true;
    cuna_lua_set_slot(L, CUNA_SLOT_MEMORY_ERROR);
}

void cuna_lua_tell_quietly(lua_State *L)
{
    struct cuna_lua_listening *l = cuna_lua_get_state(L)->listening;
    if (l == NULL || l->is_telling || !lua_checkstack(L, 4))
        return;
    l->is_telling = true;
    for (int64_t i = 0; i < l->count; i++)
        pass_event(L, l, &l->notes[i]);
    l->count = 0;
    l->is_telling = false;
}

/* Takes the kept error and pushes it; false if there is none. */
static bool take_error(lua_State *L)
{
    struct cuna_lua_listening *l = cuna_lua_get_state(L)->listening;
    if (l == NULL || !l->has_failed)
        return false;
    l->has_failed = false;
    cuna_lua_push_slot(L, CUNA_SLOT_MEMORY_ERROR);
    return true;
}

void cuna_lua_tell(lua_State *L)
{
    const struct cuna_lua_listening *l = cuna_lua_get_state(L)->listening;
    if (l == NULL || l->is_telling)
        return;
    cuna_lua_tell_quietly(L);
    if (take_error(L))
        lua_error(L);
}

static void set_listening(struct cuna_lua_listening *l, bool is_on)
{
    if (l->is_on == is_on)
        return;
    l->is_on = is_on;
    cuna_trace_listen(is_on ? note : NULL, l);
    __atomic_add_fetch(&cuna_lua_attention, is_on ? 1 : -1, __ATOMIC_RELAXED);
}

/* memory_listen(function(event) or nil) -> the previous hook. What was recorded before a hook gets its memory first. */
static int memory_listen(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    lua_settop(L, 1);
    if (S->listening == NULL)
        S->listening = calloc(1, sizeof *S->listening);
    if (S->listening == NULL)
        return cuna_lua_fail(L, "cuda.memory_hook: the host has no memory left");
    if (!lua_isnil(L, 1) && !S->listening->is_on)
        CUNA_LUA_TRY(L, cuna_record_flush(cuna_lua_context(L)));
    cuna_lua_tell_quietly(L);
    cuna_lua_push_slot(L, CUNA_SLOT_MEMORY_HOOK);
    lua_pushvalue(L, 1);
    cuna_lua_set_slot(L, CUNA_SLOT_MEMORY_HOOK);
    set_listening(S->listening, !lua_isnil(L, 1));
    return 1;
}

/* memory_error() -> whether an error of a hook is pending that no call could raise, and the error */
static int memory_error(lua_State *L)
{
    bool is_there = take_error(L);
    lua_pushboolean(L, is_there);
    if (is_there)
        lua_insert(L, -2);
    return is_there ? 2 : 1;
}

void cuna_lua_leave_listening(cuna_lua_state *S)
{
    if (S->listening == NULL)
        return;
    set_listening(S->listening, false);
    free(S->listening->notes);
    free(S->listening);
    S->listening = NULL;
}

void cuna_lua_open_trace(lua_State *L)
{
    static const luaL_Reg functions[] = {{"trace_begin", trace_begin},   {"trace_end", trace_end},
                                         {"trace_record", trace_record}, {"nvtx_push", nvtx_push},
                                         {"nvtx_pop", nvtx_pop},         {"memory_listen", memory_listen},
                                         {"memory_error", memory_error}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}

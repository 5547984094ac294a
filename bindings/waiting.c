/* waiting.c: waiting for a device: Lua callbacks of streams run then, and cn.no_sync forbids it.
 *
 * A driver calls back in a separate thread or in the middle of a call, where no Lua may run. So it calls `arrive`,
 * which queues a note; the note's Lua function runs when its state next waits or polls. Every note held by the driver
 * holds a reference to the queue: notes that arrive after the Lua state closed stay unread, and the last one frees the
 * queue. */
#include <pthread.h>
#include <stdlib.h>

#include "state.h"

typedef struct note {
    struct note *next;
    struct cuna_lua_callbacks *queue;
    int function; /* a reference in the registry of the queue's state */
    bool calls;   /* the function */
    bool is_last; /* of the function, which is released */
} note;

struct cuna_lua_callbacks {
    pthread_mutex_t lock;
    note *first, **end;
    int count;      /* notes in the queue; read without the lock */
    bool is_short;  /* of memory: a note was lost */
    int references; /* of the state, and of the notes that the driver holds */
};

static struct cuna_lua_callbacks *make_queue(void)
{
    struct cuna_lua_callbacks *queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return NULL;
    pthread_mutex_init(&queue->lock, NULL);
    queue->end = &queue->first;
    queue->references = 1;
    return queue;
}

static void release(struct cuna_lua_callbacks *queue)
{
    if (__atomic_sub_fetch(&queue->references, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    while (queue->first != NULL) {
        note *next = queue->first->next;
        free(queue->first);
        queue->first = next;
    }
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

void cuna_lua_leave_callbacks(cuna_lua_state *S)
{
    if (S->callbacks != NULL)
        release(S->callbacks);
    S->callbacks = NULL;
}

static void add(note *arrived)
{
    struct cuna_lua_callbacks *queue = arrived->queue;
    pthread_mutex_lock(&queue->lock);
    *queue->end = arrived;
    queue->end = &arrived->next;
    __atomic_add_fetch(&queue->count, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&queue->lock);
}

/* Called by the driver, with a note that it holds no longer. */
static void arrive(void *data)
{
    struct cuna_lua_callbacks *queue = ((note *)data)->queue;
    add(data);
    release(queue);
}

/* Called by the driver at each launch of a graph, whose note becomes the last one when the graph is gone. */
static void arrive_again(void *data)
{
    const note *held = data;
    note *made = malloc(sizeof *made);
    if (made != NULL) {
        *made = (note){.queue = held->queue, .function = held->function, .calls = true};
        add(made);
    } else {
        __atomic_store_n(&held->queue->is_short, true, __ATOMIC_RELAXED);
    }
}

/* The oldest note of the queue, or NULL. */
static note *take(struct cuna_lua_callbacks *queue)
{
    pthread_mutex_lock(&queue->lock);
    note *taken = queue->first;
    if (taken != NULL) {
        queue->first = taken->next;
        if (queue->first == NULL)
            queue->end = &queue->first;
        __atomic_sub_fetch(&queue->count, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&queue->lock);
    return taken;
}

static bool lost_note(struct cuna_lua_callbacks *queue)
{
    return __atomic_load_n(&queue->is_short, __ATOMIC_RELAXED) &&
           __atomic_exchange_n(&queue->is_short, false, __ATOMIC_RELAXED);
}

/* Does what a note says, and frees it; returns how many functions it called. */
static int serve(lua_State *L, note *taken)
{
    note served = *taken;
    free(taken);
    luaL_checkstack(L, 4, "callback");
    lua_rawgeti(L, LUA_REGISTRYINDEX, served.function);
    if (served.is_last)
        luaL_unref(L, LUA_REGISTRYINDEX, served.function);
    if (served.calls)
        lua_call(L, 0, 0);
    else
        lua_pop(L, 1);
    return served.calls;
}

/* Notes queued while a function runs stay for the next wait. */
int cuna_lua_run_callbacks(lua_State *L)
{
    struct cuna_lua_callbacks *queue = cuna_lua_get_state(L)->callbacks;
    int count = queue == NULL ? 0 : __atomic_load_n(&queue->count, __ATOMIC_ACQUIRE), ran = 0;
    note *taken;
    for (int k = 0; k < count && (taken = take(queue)) != NULL; k++)
        ran += serve(L, taken);
    if (queue != NULL && lost_note(queue))
        cuna_lua_raise(L, cuna_fail(CUNA_MEMORY, "the host had no memory left for a callback of a graph"));
    return ran;
}

/* A stream that captures gives the note to its graph. */
static cuna_status call_back(cuna_lua_state *S, cuna_stream *stream, note *made, int function)
{
    if (S->callbacks == NULL)
        S->callbacks = make_queue();
    if (S->callbacks == NULL || made == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a callback");
    bool captures = cuna_stream_is_capturing(stream);
    *made = (note){.queue = S->callbacks, .function = function, .calls = !captures, .is_last = true};
    __atomic_add_fetch(&S->callbacks->references, 1, __ATOMIC_RELAXED);
    cuna_status status = captures ? cuna_stream_capture_call(stream, arrive_again, arrive, made)
                                  : cuna_stream_call(stream, arrive, made);
    if (status != CUNA_OK)
        release(S->callbacks);
    return status;
}

/* stream_call(stream, name, function): the function runs, without arguments, at the first wait after the stream's
 * current work is done; if that is captured, once for each launch of the graph. */
static int stream_call(lua_State *L)
{
    const char *name = luaL_checkstring(L, 2);
    cuna_stream *stream = cuna_lua_check_stream(L, 1, name);
    lua_settop(L, 3);
    int function = luaL_ref(L, LUA_REGISTRYINDEX);
    note *made = malloc(sizeof *made);
    cuna_status status = call_back(cuna_lua_get_state(L), stream, made, function);
    if (status == CUNA_OK)
        return 0;
    free(made);
    luaL_unref(L, LUA_REGISTRYINDEX, function);
    return cuna_lua_raise(L, status);
}

/* poll() -> how many functions ran */
static int poll(lua_State *L)
{
    lua_pushnumber(L, cuna_lua_run_callbacks(L));
    return 1;
}

void cuna_lua_end_lost_captures(lua_State *L)
{
    const cuna_context *context = cuna_lua_context(L); /* NULL while the module opens */
    if (context != NULL && cuna_context_is_capturing(context))
        cuna_lua_collect(L);
}

void cuna_lua_check_waiting(lua_State *L, const char *name)
{
    const cuna_context *context = cuna_lua_context(L);
    if (__builtin_expect(cuna_context_check_waiting(context, name) == CUNA_OK, 1))
        return;
    cuna_lua_end_lost_captures(L);
    cuna_lua_check(L, cuna_context_check_waiting(context, name));
}

/* forbid_waiting(a reason, or its previous result): forbids waiting, or restores the previous state. */
static int forbid_waiting(lua_State *L)
{
    static const char *const reasons[] = {"cn.no_sync", "a graph's capture", "", NULL};
    const char *reason = lua_touserdata(L, 1);
    if (lua_type(L, 1) == LUA_TSTRING)
        reason = reasons[luaL_checkoption(L, 1, NULL, reasons)];
    const char *before = cuna_context_forbid_waiting(cuna_lua_context(L), reason);
    if (before == NULL)
        return 0;
    lua_pushlightuserdata(L, (void *)before);
    return 1;
}

/* check_waiting(name): raises where waiting is forbidden; `name` is the function that would wait. */
static int check_waiting(lua_State *L)
{
    cuna_lua_check_waiting(L, luaL_checkstring(L, 1));
    return 0;
}

/* may_wait() -> whether waiting is allowed */
static int may_wait(lua_State *L)
{
    lua_pushboolean(L, cuna_context_check_waiting(cuna_lua_context(L), "") == CUNA_OK);
    return 1;
}

void cuna_lua_open_waiting(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"stream_call", stream_call},     {"poll", poll},         {"forbid_waiting", forbid_waiting},
        {"check_waiting", check_waiting}, {"may_wait", may_wait}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}

/* graph.c: graphs in Lua: captures of streams, and graph objects, which launch the captured work. */
#include "state.h"

static cuna_graph **to_graph(lua_State *L, int index)
{
    return cuna_lua_to_object(L, index, CUNA_SLOT_GRAPH_META);
}

static cuna_graph *check_graph(lua_State *L, int index, const char *what)
{
    cuna_graph **graph = to_graph(L, index);
    if (graph == NULL)
        cuna_lua_fail(L, "%s: expected a graph, got %s", what, luaL_typename(L, index));
    if (*graph == NULL)
        cuna_lua_fail(L, "%s: the graph was freed", what);
    return *graph;
}

static cuna_graph **push_empty(lua_State *L)
{
    cuna_graph **graph = lua_newuserdata(L, sizeof *graph);
    *graph = NULL;
    cuna_lua_push_slot(L, CUNA_SLOT_GRAPH_META);
    lua_setmetatable(L, -2);
    return graph;
}

/* graph_free(graph): freeing twice is harmless. Also the finalizer. */
static int graph_free(lua_State *L)
{
    cuna_graph **graph = to_graph(L, 1);
    if (graph == NULL)
        return cuna_lua_fail(L, "free: expected a graph, got %s", luaL_typename(L, 1));
    if (*graph != NULL)
        cuna_graph_destroy(*graph);
    *graph = NULL;
    return 0;
}

/* graph_begin(stream, pool or nil): begins a capture; the graph keeps the pool's memory. */
static int graph_begin(lua_State *L)
{
    cuna_stream *stream = cuna_lua_check_stream(L, 1, "begin_capture");
    cuna_allocator *allocator = lua_isnoneornil(L, 2) ? NULL : cuna_lua_check_pool(L, 2, "begin_capture");
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L));
    cuna_lua_check_waiting(L, "begin_capture");
    cuna_lua_collect_recorded(L);
    CUNA_LUA_TRY(L, cuna_stream_begin_capture(cuna_lua_context(L), stream, allocator));
    return 0;
}

/* Leaves slot numbers, or false, in a new table for the arrays of the list at `list`. */
static void push_slots(lua_State *L, cuna_graph *graph, int list, bool is_result)
{
    int count = (int)lua_objlen(L, list);
    lua_createtable(L, count, 0);
    for (int i = 1; i <= count; i++) {
        int slot;
        lua_rawgeti(L, list, i);
        CUNA_LUA_TRY(L, cuna_graph_expose(&slot, graph, cuna_lua_check_array(L, -1, "graph"), is_result));
        lua_pop(L, 1);
        if (slot >= 0)
            lua_pushinteger(L, slot + 1);
        else
            lua_pushboolean(L, false);
        lua_rawseti(L, -2, i);
    }
}

/* graph_end(stream, a list of arguments, a list of results) -> graph, the slots of the arguments, those of the results: by
 * place in the list, false for an array without one. */
static int graph_end(lua_State *L)
{
    cuna_stream *stream = cuna_lua_check_stream(L, 1, "end_capture");
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    cuna_lua_collect_recorded(L);
    cuna_graph **graph = push_empty(L);
    cuna_lua_check(L, cuna_stream_end_capture(graph, stream));
    push_slots(L, *graph, 2, false);
    push_slots(L, *graph, 3, true);
    CUNA_LUA_TRY(L, cuna_graph_instantiate(*graph));
    return 3;
}

/* graph_drop(stream): ends its capture, if any, without a graph. */
static int graph_drop(lua_State *L)
{
    cuna_stream_drop_capture(cuna_lua_check_stream(L, 1, "end_capture"));
    return 0;
}

/* graph_takes(graph, slot, array) -> whether the next launch may use the array there */
static int graph_takes(lua_State *L)
{
    bool takes = false;
    cuna_graph *graph = check_graph(L, 1, "graph");
    const cuna_array *array = cuna_lua_check_array(L, 3, "graph");
    CUNA_LUA_TRY(L, cuna_graph_takes(&takes, graph, (int)luaL_checkinteger(L, 2) - 1, array));
    lua_pushboolean(L, takes);
    return 1;
}

/* The stream at stack index 2, or the current one of the graph's device. */
static cuna_stream *stream_for(lua_State *L, const cuna_graph *graph, const char *what)
{
    return lua_isnoneornil(L, 2) ? cuna_context_stream(cuna_lua_context(L), cuna_graph_device(graph))
                                 : cuna_lua_check_stream(L, 2, what);
}

/* graph_upload(graph, stream or nil: the current one) */
static int graph_upload(lua_State *L)
{
    cuna_graph *graph = check_graph(L, 1, "upload");
    CUNA_LUA_TRY(L, cuna_graph_upload(graph, stream_for(L, graph, "upload")));
    return 0;
}

/* graph_launch(graph, stream or nil: the current one, by slot an array or false: the graph's own) */
static int graph_launch(lua_State *L)
{
    const cuna_array *arrays[CUNA_GRAPH_MAX_SLOTS];
    int count = 0;
    cuna_context *context = cuna_lua_context(L);
    cuna_graph *graph = check_graph(L, 1, "launch");
    cuna_stream *stream = stream_for(L, graph, "launch");
    int given = lua_type(L, 3) == LUA_TTABLE ? (int)lua_objlen(L, 3) : 0;
    for (; count < given && count < CUNA_GRAPH_MAX_SLOTS; count++) {
        lua_rawgeti(L, 3, count + 1);
        arrays[count] = lua_toboolean(L, -1) ? cuna_lua_check_array(L, -1, "graph") : NULL;
        lua_pop(L, 1); /* the list keeps it */
    }
    CUNA_LUA_TRY(L, cuna_graph_launch(context, graph, stream, count, arrays));
    return 0;
}

/* graph_device(graph) -> device */
static int graph_device(lua_State *L)
{
    cuna_lua_push_device(L, cuna_graph_device(check_graph(L, 1, "device")));
    return 1;
}

/* confine(device or nil) -> the previous device: work for other devices fails */
static int confine(lua_State *L)
{
    cuna_device *device = lua_isnoneornil(L, 1) ? NULL : cuna_lua_check_device(L, 1, "graph");
    cuna_device *before = cuna_context_confine(cuna_lua_context(L), device);
    if (before == NULL)
        return 0;
    cuna_lua_push_device(L, before);
    return 1;
}

static int graph_metatable(lua_State *L)
{
    cuna_lua_push_slot(L, CUNA_SLOT_GRAPH_META);
    return 1;
}

static void make_metatable(lua_State *L)
{
    static const luaL_Reg metamethods[] = {{"__gc", graph_free}, {NULL, NULL}};
    lua_newtable(L);
    cuna_lua_register(L, metamethods);
    cuna_lua_set_slot(L, CUNA_SLOT_GRAPH_META);
}

void cuna_lua_open_graph(lua_State *L)
{
    static const luaL_Reg functions[] = {{"graph_begin", graph_begin},
                                         {"graph_end", graph_end},
                                         {"graph_drop", graph_drop},
                                         {"graph_takes", graph_takes},
                                         {"graph_upload", graph_upload},
                                         {"graph_launch", graph_launch},
                                         {"graph_device", graph_device},
                                         {"graph_free", graph_free},
                                         {"confine", confine},
                                         {"graph_metatable", graph_metatable},
                                         {NULL, NULL}};
    cuna_lua_push_slot(L, CUNA_SLOT_GRAPH_META);
    bool fresh = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (fresh)
        make_metatable(L);
    cuna_lua_register(L, functions);
}

/* graph.c: work of a stream that is recorded instead of done, and replayed any number of times.
 *
 * A stream that captures hands its work to a graph: kernels with their arguments as they are, addresses too. So the graph
 * keeps all memory that its work uses: values of others by a use of its own, noted where work claims them; what comes from
 * the graph's own allocator stays in that allocator's pools, which give nothing back while the graph lives, and where it
 * changes hands between streams of the capture one waits for the other, in the graph. Workspaces are kept, too, and lent to
 * what the same stream is given next. Each launch claims the kept values for its stream. Modules of recorded kernels are
 * kept as well. In its own memory launches may use other arrays in place of some (graph_slot.c).
 *
 * A context knows the captures that it began, which forbid it to wait, and which end with it.
 *
 * Capturing begins when the device has done all it was given: recorded work depends on nothing that is not recorded. */
#include "array/graph.h"

#include <stdlib.h>

#include "array/array.h"
#include "array/graph_call.h"
#include "device/allocator.h"
#include "device/stream.h"
#include "device/trace.h"

typedef struct workspace {
    cuna_block *block;
    int stream; /* whose work uses it */
    bool lent;  /* to work that is being recorded */
} workspace;

struct cuna_graph {
    cuna_device *device;
    cuna_stream *origin;       /* the stream that captures; NULL: capturing is over */
    cuna_context *context;     /* that began it */
    cuna_allocator *allocator; /* whose memory the work may use without a share; NULL: none */
    cu_graph recorded;         /* NULL when it was made executable, and no nodes are set */
    cu_graph_exec exec;        /* NULL until then */
    cuna_value **kept;
    int nkept, capacity;
    workspace *workspaces; /* their values are among those that are kept */
    int nworkspaces;
    cuna_loaded **modules; /* of recorded launches */
    int nmodules, modules_capacity;
    cuna_graph_slots slots;
    cuna_graph_call *calls;
};

static cuna_status no_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for a graph");
}

/* ---- what it keeps ---- */

static bool is_own(const cuna_graph *graph, const cuna_block *block)
{
    return graph->allocator != NULL && block != NULL && block->pool == graph->allocator->pools[graph->device->number];
}

static bool has(const cuna_graph *graph, const cuna_value *value)
{
    for (int i = 0; i < graph->nkept; i++)
        if (graph->kept[i] == value)
            return true;
    return false;
}

static cuna_status keep(cuna_graph *graph, cuna_value *value)
{
    if (has(graph, value))
        return CUNA_OK;
    if (graph->nkept == graph->capacity) {
        int capacity = graph->capacity * 2 + 8;
        cuna_value **grown = realloc(graph->kept, (size_t)capacity * sizeof(cuna_value *));
        if (grown == NULL)
            return no_memory();
        graph->kept = grown;
        graph->capacity = capacity;
    }
    cuna__value_retain(value);
    graph->kept[graph->nkept++] = value;
    return CUNA_OK;
}

cuna_status cuna__graph_keep(bool *kept, cuna_graph *graph, cuna_value *value, cuna_use use)
{
    *kept = !is_own(graph, value->block);
    return *kept ? keep(graph, value) : cuna__graph_slots_use(&graph->slots, value, use);
}

cuna_status cuna__graph_note_launch(cuna_graph *graph, cuna_stream *stream, cu_function function, unsigned blocks,
                                    int nwords, const int64_t *words, int naddresses,
                                    const cuna_graph_address *addresses)
{
    if (graph->allocator == NULL)
        return CUNA_OK;
    return cuna__graph_slots_note(&graph->slots, stream, function, blocks, nwords, words, naddresses, addresses);
}

/* The smallest that is large enough. */
cuna_block *cuna__graph_lend(cuna_graph *graph, const cuna_stream *stream, int64_t nbytes)
{
    workspace *best = NULL;
    for (int i = 0; i < graph->nworkspaces; i++) {
        workspace *each = &graph->workspaces[i];
        bool fits = each->stream == stream->number && !each->lent && each->block->nbytes >= nbytes;
        if (fits && (best == NULL || each->block->nbytes < best->block->nbytes))
            best = each;
    }
    if (best == NULL)
        return NULL;
    best->lent = true;
    return best->block;
}

static cuna_status add_workspace(cuna_graph *graph, workspace added)
{
    workspace *grown = realloc(graph->workspaces, (size_t)(graph->nworkspaces + 1) * sizeof *grown);
    if (grown == NULL)
        return no_memory();
    graph->workspaces = grown;
    graph->workspaces[graph->nworkspaces++] = added;
    return CUNA_OK;
}

cuna_status cuna__graph_keep_block(bool *kept, cuna_graph *graph, const cuna_stream *stream, cuna_block *block)
{
    *kept = false;
    if (is_own(graph, block))
        return CUNA_OK;
    cuna_value *value = cuna__value_create(graph->device, block);
    if (value == NULL)
        return no_memory();
    cuna_status status = keep(graph, value);
    if (status == CUNA_OK)
        status = add_workspace(graph, (workspace){block, stream->number, true});
    cuna__value_release(value);
    *kept = true; /* on failure too: the block is the value's now */
    return status;
}

cuna_status cuna__graph_keep_module(cuna_graph *graph, cuna_loaded *module)
{
    for (int i = 0; i < graph->nmodules; i++)
        if (graph->modules[i] == module)
            return CUNA_OK;
    if (graph->nmodules == graph->modules_capacity) {
        int capacity = graph->modules_capacity * 2 + 8;
        cuna_loaded **grown = realloc(graph->modules, (size_t)capacity * sizeof(cuna_loaded *));
        if (grown == NULL)
            return no_memory();
        graph->modules = grown;
        graph->modules_capacity = capacity;
    }
    cuna__loaded_retain(module);
    graph->modules[graph->nmodules++] = module;
    return CUNA_OK;
}

bool cuna__graph_take_back(cuna_graph *graph, const cuna_block *block)
{
    for (int i = 0; i < graph->nworkspaces; i++) {
        if (graph->workspaces[i].block == block) {
            graph->workspaces[i].lent = false;
            return true;
        }
    }
    return false;
}

/* Work that is under way goes on: the driver frees the graph after it, and memory waits for the streams that use it. */
void cuna_graph_destroy(cuna_graph *graph)
{
    bool entered = cuna__device_make_current(graph->device) == CUNA_OK;
    if (entered && graph->recorded != NULL)
        graph->device->driver->graph_destroy(graph->recorded);
    if (entered && graph->exec != NULL)
        graph->device->driver->graph_exec_destroy(graph->exec);
    for (int i = 0; i < graph->nkept; i++)
        cuna__value_release(graph->kept[i]);
    for (int i = 0; i < graph->nmodules; i++)
        cuna__loaded_release(graph->modules[i]);
    if (graph->allocator != NULL)
        cuna_allocator_release(graph->allocator);
    cuna__graph_slots_free(&graph->slots);
    cuna__graph_calls_free(graph->calls);
    free(graph->workspaces);
    free(graph->kept);
    free(graph->modules);
    free(graph);
}

/* ---- capturing ---- */

static cuna_status check_free(const cuna_stream *stream)
{
    if (stream->number == 0)
        return cuna_fail(CUNA_VALUE, "begin_capture: the default stream cannot capture; make another one current");
    if (stream->capture != NULL)
        return cuna_fail(CUNA_VALUE, "begin_capture: the stream captures already");
    return CUNA_OK;
}

/* From now on its memory is the graph's. */
static cuna_status own(cuna_graph *graph, cuna_allocator *allocator)
{
    cuna_pool *pool;
    CUNA_TRY(cuna__allocator_pool(&pool, allocator, graph->device));
    cuna__pool_seal(pool);
    cuna_allocator_retain(allocator);
    graph->allocator = allocator;
    return CUNA_OK;
}

static cuna_status begin(cuna_stream *stream, cuna_graph *graph)
{
    CUNA_TRY(cuna__device_enter(stream->device));
    CUNA_TRY(cuna__stream_begin_capture(stream, graph));
    stream->next_capturing = graph->context->capturing;
    graph->context->capturing = stream;
    return CUNA_OK;
}

/* The capture is over for all its streams. */
static void leave(cuna_graph *graph)
{
    cuna_stream **link = &graph->context->capturing;
    while (*link != graph->origin)
        link = &(*link)->next_capturing;
    *link = graph->origin->next_capturing;
    cuna__streams_leave(graph->device, graph);
    graph->origin = NULL;
}

/* Runs what the context has recorded, and computes what it has passed. */
static cuna_status evaluate_recorded(const cuna_context *context)
{
    return context->queue != NULL ? context->recorder->evaluate_queue(context->queue) : CUNA_OK;
}

cuna_status cuna_stream_begin_capture(cuna_context *context, cuna_stream *stream, cuna_allocator *allocator)
{
    CUNA_TRY(check_free(stream));
    CUNA_TRY(cuna_context_check_waiting(context, "begin_capture"));
    CUNA_TRY(evaluate_recorded(context)); /* a graph shall not own the memory of what is older than it */
    cuna_graph *graph = calloc(1, sizeof *graph);
    if (graph == NULL)
        return no_memory();
    *graph = (cuna_graph){.device = stream->device, .origin = stream, .context = context};
    cuna_status status = allocator != NULL ? own(graph, allocator) : CUNA_OK;
    if (status == CUNA_OK)
        status = begin(stream, graph);
    if (status != CUNA_OK)
        cuna_graph_destroy(graph);
    return status;
}

bool cuna_stream_is_capturing(const cuna_stream *stream)
{
    return stream->capture != NULL;
}

cuna_status cuna_stream_capture_call(cuna_stream *stream, void (*fn)(void *data), void (*release)(void *data),
                                     void *data)
{
    if (stream->capture == NULL)
        return cuna_fail(CUNA_VALUE, "the stream does not capture");
    return cuna__graph_call_add(&stream->capture->calls, stream, fn, release, data);
}

static cuna_status take_recorded(cuna_graph *graph, cuna_stream *stream)
{
    cuna_device *device = graph->device;
    CUNA_TRY(cuna__device_enter(device));
    cu_result result = device->driver->stream_end_capture(stream->handle, &graph->recorded); /* once: it is over */
    if (result == CU_ERROR_STREAM_CAPTURE_UNJOINED)
        return cuna_fail(CUNA_VALUE, "end_capture: another stream joined the capture and was not waited for again");
    if (result == CU_ERROR_STREAM_CAPTURE_INVALIDATED)
        return cuna_fail(CUNA_VALUE, "end_capture: something that cannot be captured ended the capture");
    return result == CU_SUCCESS ? CUNA_OK : cuna__device_fail(device, result, "cuStreamEndCapture");
}

/* Ends a capture whose work nobody wants; where that has ended with an error, the driver says so once more. */
static void abandon(cuna_graph *graph, cuna_stream *stream)
{
    const cuna_driver *driver = graph->device->driver;
    if (graph->recorded == NULL && cuna__device_make_current(graph->device) == CUNA_OK)
        driver->stream_end_capture(stream->handle, &graph->recorded);
    leave(graph);
    cuna_graph_destroy(graph);
}

cuna_status cuna_stream_end_capture(cuna_graph **out, cuna_stream *stream)
{
    cuna_graph *graph = stream->capture;
    if (graph == NULL || graph->origin != stream)
        return cuna_fail(CUNA_VALUE, "end_capture: %s",
                         graph == NULL ? "the stream does not capture" : "another stream began the capture");
    cuna_status status = evaluate_recorded(graph->context);
    if (status == CUNA_OK)
        status = take_recorded(graph, stream);
    if (status != CUNA_OK) {
        abandon(graph, stream);
        return status;
    }
    leave(graph);
    *out = graph;
    return CUNA_OK;
}

void cuna_stream_drop_capture(cuna_stream *stream)
{
    cuna_graph *graph = stream->capture;
    if (graph != NULL && graph->origin == stream)
        abandon(graph, stream);
}

cuna_status cuna_graph_expose(int *slot, cuna_graph *graph, const cuna_array *array, bool is_result)
{
    *slot = -1;
    CUNA_TRY(cuna__array_use(array, "graph"));
    bool has_room = graph->exec == NULL && graph->slots.nslots < CUNA_GRAPH_MAX_SLOTS;
    return has_room && is_own(graph, array->buffer->value->block)
               ? cuna__graph_slots_add(slot, &graph->slots, array, is_result)
               : CUNA_OK;
}

/* Nodes are known by the graph that was recorded. */
cuna_status cuna_graph_instantiate(cuna_graph *graph)
{
    cuna_device *device = graph->device;
    const cuna_driver *driver = device->driver;
    if (graph->exec != NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(
        cuna__device_check(device, driver->graph_instantiate(&graph->exec, graph->recorded, 0), "cuGraphInstantiate"));
    if (graph->slots.nslots == 0) {
        driver->graph_destroy(graph->recorded);
        graph->recorded = NULL;
    }
    return CUNA_OK;
}

/* ---- launching ---- */

cuna_device *cuna_graph_device(const cuna_graph *graph)
{
    return graph->device;
}

static cuna_status claim_kept(const cuna_context *context, const cuna_graph *graph, cuna_stream *stream)
{
    for (int i = 0; i < graph->nkept; i++)
        CUNA_TRY(cuna__value_claim(context, stream, graph->kept[i]));
    return CUNA_OK;
}

/* Memory that recorded work uses by itself shall not be an argument, too: what is written there would be read in it. */
cuna_status cuna_graph_takes(bool *takes, cuna_graph *graph, int slot, const cuna_array *array)
{
    *takes = false;
    CUNA_TRY(cuna__array_use(array, "graph"));
    const cuna_value *value = array->buffer->value;
    if (value->block != NULL && value->device == graph->device && !value->is_kept && !is_own(graph, value->block))
        *takes = cuna__graph_slots_suit(&graph->slots, slot, array);
    return CUNA_OK;
}

static cuna_status claim_arrays(const cuna_context *context, cuna_stream *stream, int count,
                                const cuna_array *const *arrays)
{
    for (int i = 0; i < count; i++) {
        if (arrays[i] == NULL)
            continue;
        CUNA_TRY(cuna__array_use(arrays[i], "graph"));
        CUNA_TRY(cuna__array_claim(context, stream, arrays[i]));
    }
    return CUNA_OK;
}

/* A graph that can be launched, on a stream that can take it; their device is current. */
static cuna_status prepare(cuna_graph *graph, const cuna_stream *stream, const char *name)
{
    const cuna_device *device = graph->device;
    if (stream->device != device)
        return cuna_fail(CUNA_VALUE, "%s: the graph is of %s and the stream of %s", name, device->name,
                         stream->device->name);
    if (stream->capture != NULL)
        return cuna_fail(CUNA_VALUE, "%s: a stream that captures does not record the %s of another graph", name, name);
    CUNA_TRY(cuna_graph_instantiate(graph));
    return cuna__device_enter(graph->device);
}

cuna_status cuna_graph_upload(cuna_graph *graph, cuna_stream *stream)
{
    cuna_device *device = graph->device;
    CUNA_TRY(prepare(graph, stream, "upload"));
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->graph_upload(graph->exec, stream->handle));
    return cuna__device_check(device, result, "cuGraphUpload");
}

/* Gives the graph to the stream; a failed launch makes no calls any more. */
static cuna_status give(cuna_graph *graph, cuna_stream *stream)
{
    cuna_device *device = graph->device;
    int64_t trace = cuna__trace_begin(CUNA_TRACE_GRAPH, "graph", stream, 0);
    cuna__graph_calls_begin(graph->calls);
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->graph_launch(graph->exec, stream->handle));
    if (result != CU_SUCCESS)
        cuna__graph_calls_fail(graph->calls, !device->driver->facts.asynchronous);
    cuna__trace_end(trace, stream);
    return cuna__device_check(device, result, "cuGraphLaunch");
}

cuna_status cuna_graph_launch(cuna_context *context, cuna_graph *graph, cuna_stream *stream, int count,
                              const cuna_array *const *arrays)
{
    cuna_device *device = graph->device;
    CUNA_TRY(prepare(graph, stream, "launch"));
    CUNA_TRY(claim_kept(context, graph, stream)); /* the recorded work uses it now, on this stream */
    CUNA_TRY(claim_arrays(context, stream, count, arrays));
    CUNA_TRY(cuna__graph_slots_set(&graph->slots, device, graph->exec, count, arrays));
    CUNA_TRY(give(graph, stream));
    if (!device->driver->facts.asynchronous)
        CUNA_TRY(cuna__device_check_reports(context, device));
    return cuna__device_note_launch(context, stream, "graph");
}

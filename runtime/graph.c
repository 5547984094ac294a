/* graph.c: work of a stream recorded instead of done, to be done again and again.
 *
 * A stream that captures hands its work to a graph: kernels with their arguments as they are, addresses too. So the graph
 * keeps all memory that its work uses: buffers that others own by a share, noted where work claims them; what comes from
 * the graph's own allocator stays in that allocator's pools, which give nothing back while the graph lives, and where it
 * changes hands between streams of the capture one waits for the other, in the graph. Each launch claims the kept buffers
 * for its stream.
 *
 * Capturing begins when the device has done all it was given: recorded work depends on nothing that is not recorded. */
#include "graph.h"

#include <stdlib.h>

#include "allocator.h"
#include "stream.h"
#include "trace.h"

struct cuna_graph {
    int32_t references;
    cuna_device *device;
    cuna_stream *origin;       /* the stream that captures; NULL: capturing is over */
    cuna_allocator *allocator; /* whose memory the work may use without a share; NULL: none */
    cu_graph recorded;         /* NULL when it was made executable */
    cu_graph_exec exec;        /* NULL until then */
    cuna_buffer **kept;
    int nkept, capacity;
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

static bool has(const cuna_graph *graph, const cuna_buffer *buffer)
{
    for (int i = 0; i < graph->nkept; i++)
        if (graph->kept[i] == buffer)
            return true;
    return false;
}

cuna_status cuna__graph_keep(bool *kept, cuna_graph *graph, cuna_buffer *buffer)
{
    *kept = !is_own(graph, buffer->block);
    if (!*kept || has(graph, buffer))
        return CUNA_OK;
    if (graph->nkept == graph->capacity) {
        int capacity = graph->capacity * 2 + 8;
        cuna_buffer **grown = realloc(graph->kept, (size_t)capacity * sizeof(cuna_buffer *));
        if (grown == NULL)
            return no_memory();
        graph->kept = grown;
        graph->capacity = capacity;
    }
    __atomic_add_fetch(&buffer->references, 1, __ATOMIC_RELAXED);
    graph->kept[graph->nkept++] = buffer;
    return CUNA_OK;
}

cuna_status cuna__graph_keep_block(bool *kept, cuna_graph *graph, cuna_block *block)
{
    *kept = false;
    if (is_own(graph, block))
        return CUNA_OK;
    cuna_buffer *buffer = cuna__buffer_create(graph->device, block, block->ptr, block->nbytes);
    if (buffer == NULL)
        return no_memory();
    cuna_status status = cuna__graph_keep(kept, graph, buffer);
    cuna__buffer_release(buffer);
    *kept = true;
    return status;
}

bool cuna__graph_keeps_block(const cuna_graph *graph, const cuna_block *block)
{
    return !is_own(graph, block);
}

void cuna_graph_retain(cuna_graph *graph)
{
    __atomic_add_fetch(&graph->references, 1, __ATOMIC_RELAXED);
}

/* Work that is under way goes on: the driver frees its graph behind it, and memory waits for the streams that use it. */
void cuna_graph_release(cuna_graph *graph)
{
    if (__atomic_sub_fetch(&graph->references, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    bool entered = cuna__device_enter(graph->device) == CUNA_OK;
    if (entered && graph->recorded != NULL)
        graph->device->driver->graph_destroy(graph->recorded);
    if (entered && graph->exec != NULL)
        graph->device->driver->graph_exec_destroy(graph->exec);
    for (int i = 0; i < graph->nkept; i++)
        cuna__buffer_release(graph->kept[i]);
    if (graph->allocator != NULL)
        cuna_allocator_release(graph->allocator);
    free(graph->kept);
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
    return cuna__stream_begin_capture(stream, graph);
}

cuna_status cuna_stream_begin_capture(const cuna_context *context, cuna_stream *stream, cuna_allocator *allocator)
{
    CUNA_TRY(check_free(stream));
    CUNA_TRY(cuna_context_check_waiting(context, "begin_capture"));
    cuna_graph *graph = calloc(1, sizeof *graph);
    if (graph == NULL)
        return no_memory();
    *graph = (cuna_graph){.references = 1, .device = stream->device, .origin = stream};
    cuna_status status = allocator != NULL ? own(graph, allocator) : CUNA_OK;
    if (status == CUNA_OK)
        status = begin(stream, graph);
    if (status != CUNA_OK)
        cuna_graph_release(graph);
    return status;
}

bool cuna_stream_is_capturing(const cuna_stream *stream)
{
    return stream->capture != NULL;
}

static cuna_status take_recorded(cuna_graph *graph, cuna_stream *stream)
{
    cuna_device *device = graph->device;
    cu_result result = device->driver->stream_end_capture(stream->handle, &graph->recorded); /* once: it is over */
    if (result == CU_ERROR_STREAM_CAPTURE_UNJOINED)
        return cuna_fail(CUNA_VALUE, "end_capture: another stream joined the capture and was not waited for again");
    if (result == CU_ERROR_STREAM_CAPTURE_INVALIDATED)
        return cuna_fail(CUNA_VALUE, "end_capture: something that cannot be captured ended the capture");
    return result == CU_SUCCESS ? CUNA_OK : cuna__device_fail(device, result, "cuStreamEndCapture");
}

cuna_status cuna_stream_end_capture(cuna_graph **out, cuna_stream *stream)
{
    cuna_graph *graph = stream->capture;
    if (graph == NULL || graph->origin != stream)
        return cuna_fail(CUNA_VALUE, "end_capture: %s",
                         graph == NULL ? "the stream does not capture" : "another stream began the capture");
    cuna_status status = cuna__device_enter(graph->device);
    if (status == CUNA_OK)
        status = take_recorded(graph, stream);
    cuna__streams_leave(graph->device, graph);
    graph->origin = NULL;
    if (status != CUNA_OK) {
        cuna_graph_release(graph);
        return status;
    }
    *out = graph;
    return CUNA_OK;
}

cuna_status cuna_graph_instantiate(cuna_graph *graph)
{
    cuna_device *device = graph->device;
    const cuna_driver *driver = device->driver;
    if (graph->recorded == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(
        cuna__device_check(device, driver->graph_instantiate(&graph->exec, graph->recorded, 0), "cuGraphInstantiate"));
    driver->graph_destroy(graph->recorded);
    graph->recorded = NULL;
    return CUNA_OK;
}

/* ---- launching ---- */

cuna_device *cuna_graph_device(const cuna_graph *graph)
{
    return graph->device;
}

static cuna_status claim_kept(const cuna_context *context, const cuna_graph *graph, cuna_stream *stream)
{
    for (int i = 0; i < graph->nkept; i++) {
        const cuna_array whole = {.buffer = graph->kept[i]};
        CUNA_TRY(cuna__array_claim(context, stream, &whole));
    }
    return CUNA_OK;
}

cuna_status cuna_graph_launch(cuna_context *context, cuna_graph *graph, cuna_stream *stream)
{
    cuna_device *device = graph->device;
    if (stream->device != device)
        return cuna_fail(CUNA_VALUE, "launch: the graph is of %s and the stream of %s", device->name,
                         stream->device->name);
    if (stream->capture != NULL)
        return cuna_fail(CUNA_VALUE, "launch: a stream that captures does not record the launch of another graph");
    CUNA_TRY(cuna_graph_instantiate(graph));
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(claim_kept(context, graph, stream));
    int64_t trace = cuna__trace_begin(CUNA_TRACE_GRAPH, "graph", stream, 0);
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->graph_launch(graph->exec, stream->handle));
    cuna__trace_end(trace, stream);
    CUNA_TRY(cuna__device_check(device, result, "cuGraphLaunch"));
    if (device->reports != NULL && !device->driver->facts.asynchronous)
        CUNA_TRY(cuna__device_read_reports(device));
    return cuna__device_note_launch(device, stream, "graph");
}

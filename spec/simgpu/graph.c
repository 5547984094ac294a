/* graph.c: the rows of captures and graphs.
 *
 * The rules of legal captures are the cpu device's (cpu/execute/capture.h). A launch puts copies of the recorded
 * operations into its stream, in a random order of those that their dependencies allow. Launches of one instance wait
 * for each other. A node is the recorded operation; one that was set has another operation in its instance. */
#include <stdlib.h>
#include <string.h>

#include "simgpu.h"
#include "stream.h"

#define MAX_FLAGS       15u
#define INSTANCE_NBYTES ((size_t)2 << 20) /* of device memory, for a graph that can be launched */

struct simgpu_graph {
    struct simgpu_handle handle;
    cuna_tape *tape;
};

struct simgpu_instance {
    struct simgpu_handle handle;
    const struct simgpu_graph *graph; /* that it was made of */
    cuna_tape *tape;
    struct simgpu_op **own;   /* by step; NULL: the tape's */
    struct simgpu_event done; /* of the last launch; has no handle */
};

cu_result simgpu__row_stream_begin_capture(cu_stream handle, int mode)
{
    SIMGPU_ENTER(stream_begin_capture, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    return stream != NULL ? cuna__cpu_capture_begin(&stream->capture, mode, simgpu__queue_drop)
                          : CU_ERROR_INVALID_HANDLE;
}

static cu_result make_graph(cu_graph *graph, struct simgpu_context *context, cuna_tape *tape)
{
    struct simgpu_graph *created = simgpu__handle_create(SIMGPU_GRAPHS, context, sizeof *created);
    if (created == NULL) {
        cuna__cpu_tape_release(tape);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    created->tape = tape;
    *graph = (cu_graph)created;
    return CU_SUCCESS;
}

/* The capture is over whatever fails, a failure that a spec asked for included. */
cu_result simgpu__row_stream_end_capture(cu_stream handle, cu_graph *graph)
{
    struct simgpu_call call __attribute__((cleanup(simgpu__call_leave))) =
        simgpu__call_enter(SIMGPU_ROW_stream_end_capture, SIMGPU_NEED_CONTEXT);
    if (call.result != CU_SUCCESS && !call.injected)
        return call.result;
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    cuna_tape *tape;
    if (stream == NULL || graph == NULL)
        return stream == NULL ? CU_ERROR_INVALID_HANDLE : CU_ERROR_INVALID_VALUE;
    *graph = NULL;
    cu_result result = cuna__cpu_capture_end(&stream->capture, &tape);
    if (result != CU_SUCCESS)
        return result;
    if (!call.injected)
        return make_graph(graph, stream->handle.context, tape);
    cuna__cpu_tape_release(tape);
    return call.result;
}

cu_result simgpu__row_stream_is_capturing(cu_stream handle, int *status)
{
    SIMGPU_ENTER(stream_is_capturing, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    if (stream == NULL || status == NULL)
        return stream == NULL ? CU_ERROR_INVALID_HANDLE : CU_ERROR_INVALID_VALUE;
    return cuna__cpu_capture_status(status, &stream->capture);
}

cu_result simgpu__row_stream_get_capture_info(cu_stream handle, int *status, uint64_t *id, cu_graph *graph,
                                              const cu_graph_node **last, size_t *count)
{
    SIMGPU_ENTER(stream_get_capture_info, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    if (stream == NULL || status == NULL)
        return stream == NULL ? CU_ERROR_INVALID_HANDLE : CU_ERROR_INVALID_VALUE;
    if (graph != NULL) /* it has no handle before the capture's end */
        return CU_ERROR_NOT_SUPPORTED;
    return cuna__cpu_capture_info(status, id, (void *const **)last, count, &stream->capture);
}

cu_result simgpu__row_graph_destroy(cu_graph handle)
{
    SIMGPU_ENTER(graph_destroy, SIMGPU_NEED_INIT);
    struct simgpu_graph *graph = simgpu__handle_find(SIMGPU_GRAPHS, handle);
    if (graph == NULL)
        return CU_ERROR_INVALID_VALUE;
    cuna__cpu_tape_release(graph->tape);
    simgpu__handle_destroy(graph);
    return CU_SUCCESS;
}

cu_result simgpu__row_graph_instantiate(cu_graph_exec *exec, cu_graph handle, unsigned long long flags)
{
    SIMGPU_ENTER(graph_instantiate, SIMGPU_NEED_CONTEXT);
    struct simgpu_graph *graph = simgpu__handle_here(SIMGPU_GRAPHS, handle, call.context);
    if (exec == NULL || graph == NULL || flags > MAX_FLAGS)
        return CU_ERROR_INVALID_VALUE;
    if (!simgpu__memory_reserve(&graph->handle.context->arena, INSTANCE_NBYTES))
        return CU_ERROR_OUT_OF_MEMORY;
    struct simgpu_op **own = calloc((size_t)graph->tape->count + 1, sizeof *own);
    struct simgpu_instance *created =
        own != NULL ? simgpu__handle_create(SIMGPU_INSTANCES, graph->handle.context, sizeof *created) : NULL;
    if (created == NULL) {
        free(own);
        simgpu__memory_unreserve(&graph->handle.context->arena, INSTANCE_NBYTES);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    cuna__cpu_tape_retain(graph->tape);
    created->graph = graph;
    created->tape = graph->tape;
    created->own = own;
    *exec = (cu_graph_exec)created;
    return CU_SUCCESS;
}

/* What was launched goes on. */
cu_result simgpu__row_graph_exec_destroy(cu_graph_exec handle)
{
    SIMGPU_ENTER(graph_exec_destroy, SIMGPU_NEED_INIT);
    struct simgpu_instance *instance = simgpu__handle_find(SIMGPU_INSTANCES, handle);
    if (instance == NULL)
        return CU_ERROR_INVALID_VALUE;
    for (int i = 0; i < instance->tape->count; i++)
        if (instance->own[i] != NULL)
            simgpu__queue_drop(instance->own[i]);
    free(instance->own);
    cuna__cpu_tape_release(instance->tape);
    simgpu__memory_unreserve(&instance->handle.context->arena, INSTANCE_NBYTES);
    simgpu__handle_destroy(instance);
    return CU_SUCCESS;
}

/* The step of a node; -1: not one of the instance's, or its graph was destroyed. */
static int find_step(const struct simgpu_instance *instance, cu_graph_node node)
{
    if (simgpu__handle_find(SIMGPU_GRAPHS, instance->graph) == NULL)
        return -1;
    for (int i = 0; i < instance->tape->count && node != NULL; i++)
        if (instance->tape->steps[i].work == (const void *)node)
            return i;
    return -1;
}

/* What was launched before keeps its arguments. Raw kernels' nodes are not simulated. */
cu_result simgpu__row_graph_exec_kernel_node_set_params(cu_graph_exec handle, cu_graph_node node,
                                                        const cu_kernel_node_params *params)
{
    SIMGPU_ENTER(graph_exec_kernel_node_set_params, SIMGPU_NEED_CONTEXT);
    struct simgpu_instance *instance = simgpu__handle_here(SIMGPU_INSTANCES, handle, call.context);
    int step = instance != NULL ? find_step(instance, node) : -1;
    if (step < 0 || params == NULL)
        return CU_ERROR_INVALID_VALUE;
    const struct simgpu_op *recorded = instance->tape->steps[step].work;
    struct simgpu_op *op;
    if (recorded->kind != SIMGPU_LAUNCH ||
        recorded->function != simgpu__handle_find(SIMGPU_FUNCTIONS, params->function))
        return CU_ERROR_INVALID_VALUE;
    cu_result result = simgpu__launch_make(&op, &call, params);
    if (result != CU_SUCCESS)
        return result;
    op->context = recorded->context;
    op->recorded = simgpu__memory_number() + 1;
    if (instance->own[step] != NULL)
        simgpu__queue_drop(instance->own[step]);
    instance->own[step] = op;
    return CU_SUCCESS;
}

struct place {
    uint64_t time;
    int step;
};

static int compare(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : x->step - y->step;
}

/* Gives each step a time behind those of the steps that it comes after, by a random distance; NULL: no memory. */
static struct place *shuffle(const cuna_tape *tape)
{
    struct place *places = calloc((size_t)tape->count + 1, sizeof *places);
    for (int i = 0; i < tape->count && places != NULL; i++) {
        uint64_t earliest = 0;
        for (int k = 0; k < 2; k++) {
            int after = tape->steps[i].after[k];
            if (after != CUNA_TAPE_NONE && places[after].time > earliest)
                earliest = places[after].time;
        }
        places[i] = (struct place){earliest + ((uint64_t)1 << simgpu__random() % 8), i};
    }
    if (places != NULL)
        qsort(places, (size_t)tape->count, sizeof *places, compare);
    return places;
}

static cu_result push_copy(struct simgpu_stream *stream, const struct simgpu_op *recorded)
{
    struct simgpu_op *op = simgpu__queue_op(recorded->kind, recorded->arguments_nbytes);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    memcpy(op, recorded, sizeof *op + recorded->arguments_nbytes);
    op->next = NULL;
    simgpu__queue_push(stream, op);
    return CU_SUCCESS;
}

static cu_result push_tape(struct simgpu_stream *stream, const struct simgpu_instance *instance)
{
    const cuna_tape *tape = instance->tape;
    struct place *places = shuffle(tape);
    cu_result result = places != NULL ? CU_SUCCESS : CU_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < tape->count && result == CU_SUCCESS; i++) {
        const struct simgpu_op *own = instance->own[places[i].step];
        const struct simgpu_op *op = own != NULL ? own : tape->steps[places[i].step].work;
        if (op != NULL)
            result = push_copy(stream, op);
    }
    free(places);
    return result;
}

static cu_result launch(struct simgpu_instance *instance, struct simgpu_stream *stream)
{
    instance->done.handle = (struct simgpu_handle){SIMGPU_EVENTS, true, stream->handle.context};
    cu_result result = simgpu__pool_launch(instance->tape);
    if (result == CU_SUCCESS)
        result = simgpu__stream_wait(stream, &instance->done);
    if (result == CU_SUCCESS)
        result = push_tape(stream, instance);
    return result == CU_SUCCESS ? simgpu__stream_record(stream, &instance->done) : result;
}

/* Whether a stream may be given an instance, which neither it nor another stream records. */
static cu_result check_launch(const struct simgpu_instance *instance, struct simgpu_stream *stream)
{
    if (instance == NULL || stream == NULL)
        return stream == NULL ? CU_ERROR_INVALID_HANDLE : CU_ERROR_INVALID_VALUE;
    return simgpu__queue_is_captured(stream) ? cuna__cpu_capture_refuse(&stream->capture) : CU_SUCCESS;
}

cu_result simgpu__row_graph_upload(cu_graph_exec handle, cu_stream stream)
{
    SIMGPU_ENTER(graph_upload, SIMGPU_NEED_CONTEXT);
    return check_launch(simgpu__handle_here(SIMGPU_INSTANCES, handle, call.context),
                        simgpu__stream_find(call.context, stream));
}

cu_result simgpu__row_graph_launch(cu_graph_exec handle, cu_stream stream_handle)
{
    SIMGPU_ENTER(graph_launch, SIMGPU_NEED_CONTEXT);
    struct simgpu_instance *instance = simgpu__handle_here(SIMGPU_INSTANCES, handle, call.context);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, stream_handle);
    cu_result result = check_launch(instance, stream);
    return result == CU_SUCCESS ? launch(instance, stream) : result;
}

/* graph.c: captures of the cpu device's streams, and their graphs.
 *
 * A graph and its instances share one immutable tape: a launch runs its work in recorded order, and stops at a
 * failure. A node is the work of a step; an instance has work of its own in place of that of nodes that were set. */
#include "cpu/execute/graph.h"

#include <stdlib.h>

#include "cpu/execute/launch.h"
#include "cpu/execute/stream.h"

struct cu_graph_s {
    cuna_tape *tape;
};

struct cu_graph_exec_s {
    cuna_tape *tape;
    cuna_work **own; /* by step; NULL: the tape's */
};

cu_result cuna__cpu_graph_add(cu_stream stream, cuna_work *work)
{
    cu_result result =
        work != NULL ? cuna__cpu_capture_add(&cuna__stream_of(stream)->capture, work) : CU_ERROR_OUT_OF_MEMORY;
    if (result != CU_SUCCESS)
        free(work);
    return result;
}

cu_result cuna__cpu_graph_begin_capture(cu_stream stream, int mode)
{
    return cuna__cpu_capture_begin(&cuna__stream_of(stream)->capture, mode, free);
}

cu_result cuna__cpu_graph_end_capture(cu_stream stream, cu_graph *graph)
{
    cuna_tape *tape;
    if (graph == NULL)
        return CU_ERROR_INVALID_VALUE;
    *graph = NULL;
    cu_result result = cuna__cpu_capture_end(&cuna__stream_of(stream)->capture, &tape);
    if (result != CU_SUCCESS)
        return result;
    *graph = malloc(sizeof **graph);
    if (*graph == NULL) {
        cuna__cpu_tape_release(tape);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    (*graph)->tape = tape;
    return CU_SUCCESS;
}

cu_result cuna__cpu_graph_is_capturing(cu_stream stream, int *status)
{
    return status != NULL ? cuna__cpu_capture_status(status, &cuna__stream_of(stream)->capture)
                          : CU_ERROR_INVALID_VALUE;
}

/* The graph that is being captured has no handle yet. */
cu_result cuna__cpu_graph_capture_info(cu_stream stream, int *status, uint64_t *id, cu_graph *graph,
                                       const cu_graph_node **last, size_t *count)
{
    if (status == NULL || graph != NULL)
        return status == NULL ? CU_ERROR_INVALID_VALUE : CU_ERROR_NOT_SUPPORTED;
    return cuna__cpu_capture_info(status, id, (void *const **)last, count, &cuna__stream_of(stream)->capture);
}

cu_result cuna__cpu_graph_destroy(cu_graph graph)
{
    if (graph == NULL)
        return CU_ERROR_INVALID_VALUE;
    cuna__cpu_tape_release(graph->tape);
    free(graph);
    return CU_SUCCESS;
}

/* Flags for making and launching instances on a GPU have no effect here. */
cu_result cuna__cpu_graph_instantiate(cu_graph_exec *exec, cu_graph graph, unsigned long long flags)
{
    if (exec == NULL || graph == NULL || flags > 15)
        return CU_ERROR_INVALID_VALUE;
    *exec = malloc(sizeof **exec);
    cuna_work **own = calloc((size_t)graph->tape->count + 1, sizeof *own);
    if (*exec == NULL || own == NULL) {
        free(*exec);
        free(own);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    cuna__cpu_tape_retain(graph->tape);
    **exec = (struct cu_graph_exec_s){graph->tape, own};
    return CU_SUCCESS;
}

cu_result cuna__cpu_graph_exec_destroy(cu_graph_exec exec)
{
    if (exec == NULL)
        return CU_ERROR_INVALID_VALUE;
    for (int i = 0; i < exec->tape->count; i++)
        free(exec->own[i]);
    free(exec->own);
    cuna__cpu_tape_release(exec->tape);
    free(exec);
    return CU_SUCCESS;
}

cu_result cuna__cpu_graph_set_kernel(cu_graph_exec exec, cu_graph_node node, const cu_kernel_node_params *params)
{
    if (exec == NULL || node == NULL || params == NULL)
        return CU_ERROR_INVALID_VALUE;
    int step = 0;
    while (step < exec->tape->count && exec->tape->steps[step].work != node)
        step++;
    if (step == exec->tape->count)
        return CU_ERROR_INVALID_VALUE;
    cuna_work *work;
    cu_result result = cuna__cpu_launch_again(&work, (const cuna_work *)node, params);
    if (result != CU_SUCCESS)
        return result;
    free(exec->own[step]);
    exec->own[step] = work;
    return CU_SUCCESS;
}

/* There is nothing to bring to the device. Neither this nor launches are recorded. */
cu_result cuna__cpu_graph_upload(cu_graph_exec exec, cu_stream stream)
{
    if (exec == NULL)
        return CU_ERROR_INVALID_VALUE;
    return cuna__stream_is_held(stream) ? cuna__cpu_capture_refuse(&cuna__stream_of(stream)->capture) : CU_SUCCESS;
}

cu_result cuna__cpu_graph_launch(cu_graph_exec exec, cu_stream stream)
{
    cu_result result = CU_SUCCESS;
    if (exec == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (cuna__stream_is_held(stream))
        return cuna__cpu_capture_refuse(&cuna__stream_of(stream)->capture);
    cuna_tape *tape = exec->tape;
    cuna__cpu_tape_retain(tape);
    for (int i = 0; i < tape->count && result == CU_SUCCESS; i++) {
        const cuna_work *work = exec->own[i] != NULL ? exec->own[i] : tape->steps[i].work;
        if (work != NULL)
            result = work->run(work);
    }
    cuna__cpu_tape_release(tape);
    return result;
}

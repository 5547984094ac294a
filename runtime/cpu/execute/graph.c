/* graph.c: captures of the cpu device's streams, and their graphs.
 *
 * A graph and its instances share one immutable tape: a launch runs its work in recorded order, and stops at a
 * failure. */
#include "cpu/execute/graph.h"

#include <stdlib.h>

#include "cpu/execute/stream.h"

struct cu_graph_s {
    cuna_tape *tape;
};

struct cu_graph_exec_s {
    cuna_tape *tape;
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
    if (*exec == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    cuna__cpu_tape_retain(graph->tape);
    (*exec)->tape = graph->tape;
    return CU_SUCCESS;
}

cu_result cuna__cpu_graph_exec_destroy(cu_graph_exec exec)
{
    if (exec == NULL)
        return CU_ERROR_INVALID_VALUE;
    cuna__cpu_tape_release(exec->tape);
    free(exec);
    return CU_SUCCESS;
}

/* Launches are not recorded. */
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
        const cuna_work *work = tape->steps[i].work;
        if (work != NULL)
            result = work->run(work);
    }
    cuna__cpu_tape_release(tape);
    return result;
}

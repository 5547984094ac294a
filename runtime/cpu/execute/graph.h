/* graph.h: captures of the cpu device's streams, and their graphs; rows have parameters as in seam/driver.h. */
#ifndef CUNA_CPU_EXECUTE_GRAPH_H
#define CUNA_CPU_EXECUTE_GRAPH_H

#include "seam/driver.h"

/* The first field of recorded work: the function that runs it. */
typedef struct cuna_work cuna_work;
struct cuna_work {
    cu_result (*run)(const cuna_work *work);
};

/* Records work for a held stream (stream.h). Takes ownership of the block in any case; it came from malloc, or is NULL
 * when out of memory. */
cu_result cuna__cpu_graph_add(cu_stream stream, cuna_work *work);

cu_result cuna__cpu_graph_begin_capture(cu_stream stream, int mode);
cu_result cuna__cpu_graph_end_capture(cu_stream stream, cu_graph *graph);
cu_result cuna__cpu_graph_is_capturing(cu_stream stream, int *status);
cu_result cuna__cpu_graph_capture_info(cu_stream stream, int *status, uint64_t *id, cu_graph *graph,
                                       const cu_graph_node **last, size_t *count);
cu_result cuna__cpu_graph_set_kernel(cu_graph_exec exec, cu_graph_node node, const cu_kernel_node_params *params);
cu_result cuna__cpu_graph_instantiate(cu_graph_exec *exec, cu_graph graph, unsigned long long flags);
cu_result cuna__cpu_graph_upload(cu_graph_exec exec, cu_stream stream);
cu_result cuna__cpu_graph_launch(cu_graph_exec exec, cu_stream stream);
cu_result cuna__cpu_graph_exec_destroy(cu_graph_exec exec);
cu_result cuna__cpu_graph_destroy(cu_graph graph);

#endif

/* graph.h: captures of the cpu device's streams, and the graphs that come of them; rows have parameters as in
 * seam/driver.h. */
#ifndef CUNA_CPU_EXECUTE_GRAPH_H
#define CUNA_CPU_EXECUTE_GRAPH_H

#include "seam/driver.h"

/* The beginning of what is recorded: does it. */
typedef struct cuna_work cuna_work;
struct cuna_work {
    cu_result (*run)(const cuna_work *work);
};

/* Records work for a held stream (stream.h). The block, which came from malloc or is NULL for want of memory,
 * is taken over in any case. */
cu_result cuna__graph_add(cu_stream stream, cuna_work *work);

cu_result cuna__graph_begin_capture(cu_stream stream, int mode);
cu_result cuna__graph_end_capture(cu_stream stream, cu_graph *graph);
cu_result cuna__graph_is_capturing(cu_stream stream, int *status);
cu_result cuna__graph_instantiate(cu_graph_exec *exec, cu_graph graph, unsigned long long flags);
cu_result cuna__graph_launch(cu_graph_exec exec, cu_stream stream);
cu_result cuna__graph_exec_destroy(cu_graph_exec exec);
cu_result cuna__graph_destroy(cu_graph graph);

#endif

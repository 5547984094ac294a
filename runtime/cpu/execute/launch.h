/* launch.h: launches on the cpu device; rows have parameters as in seam/driver.h. */
#ifndef CUNA_CPU_EXECUTE_LAUNCH_H
#define CUNA_CPU_EXECUTE_LAUNCH_H

#include "cpu/execute/graph.h"

cu_result cuna__cpu_launch_kernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_nbytes,
                                  cu_stream stream, void **params, void **extra);
cu_result cuna__cpu_launch_cooperative(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_nbytes,
                                       cu_stream stream, void **params);
/* A recorded launch of the same built-in kernel with other arguments, for free. INVALID_VALUE for other work. */
cu_result cuna__cpu_launch_again(cuna_work **out, const cuna_work *recorded, const cu_kernel_node_params *params);
cu_result cuna__cpu_launch_host_func(cu_stream stream, cu_host_fn fn, void *data);

#endif

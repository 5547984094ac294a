/* enqueue.h: submits work of other tables to streams of the cpu device, as CUDA's libraries do with a stream
 * argument. */
#ifndef CUNA_CPU_EXECUTE_ENQUEUE_H
#define CUNA_CPU_EXECUTE_ENQUEUE_H

#include "seam/driver.h"

/* Work on a copy of its arguments. */
typedef cu_result (*cuna_cpu_work)(const void *arguments);

/* Runs the work immediately, or adds it to a capture. */
cu_result cuna__cpu_enqueue(cu_stream stream, cuna_cpu_work work, const void *arguments, size_t nbytes);

#endif

/* enqueue.h: work of other tables on streams of the cpu device, where CUDA's libraries take a stream. */
#ifndef CUNA_CPU_EXECUTE_ENQUEUE_H
#define CUNA_CPU_EXECUTE_ENQUEUE_H

#include "seam/driver.h"

/* Work on a copy of its arguments. */
typedef cu_result (*cuna_cpu_work)(const void *arguments);

/* Does the work at once, or lets a capture record it. */
cu_result cuna__cpu_enqueue(cu_stream stream, cuna_cpu_work work, const void *arguments, size_t nbytes);

#endif

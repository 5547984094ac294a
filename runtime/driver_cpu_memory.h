/* driver_cpu_memory.h: memory rows of the cpu device; parameters as in driver.h, without the stream. */
#ifndef CUNA_DRIVER_CPU_MEMORY_H
#define CUNA_DRIVER_CPU_MEMORY_H

#include "driver.h"

cu_result cuna__memory_alloc(cu_deviceptr *ptr, size_t nbytes);
cu_result cuna__memory_free(cu_deviceptr ptr);
cu_result cuna__memory_host_alloc(void **ptr, size_t nbytes);
cu_result cuna__memory_host_free(void *ptr);

/* Ranges may overlap. */
cu_result cuna__memory_copy(void *dst, const void *src, size_t nbytes);
cu_result cuna__memory_set(void *dst, unsigned char value, size_t nbytes);

#endif

/* memory.h: memory rows of the cpu device; parameters as in seam/driver.h, without the stream. */
#ifndef CUNA_CPU_EXECUTE_MEMORY_H
#define CUNA_CPU_EXECUTE_MEMORY_H

#include "seam/driver.h"

cu_result cuna__cpu_memory_alloc(cu_deviceptr *ptr, size_t nbytes);
cu_result cuna__cpu_memory_free(cu_deviceptr ptr);

/* Memory of the device's stream-ordered pool, freed by cuna__cpu_memory_free like all other. The pool caches nothing:
 * reserved memory equals used memory, and trimming has no effect. */
cu_mem_pool cuna__cpu_memory_pool(void);
cu_result cuna__cpu_memory_pool_alloc(cu_deviceptr *ptr, size_t nbytes);
cu_result cuna__cpu_memory_pool_get_attribute(cu_mem_pool pool, int attribute, void *value);
cu_result cuna__cpu_memory_pool_set_attribute(cu_mem_pool pool, int attribute, void *value);
cu_result cuna__cpu_memory_pool_trim(cu_mem_pool pool, size_t keep_nbytes);

/* Handles for other processes: there are none, as memory of the host is shared by means of its own. */
cu_result cuna__cpu_memory_handle_get(cu_ipc_handle *handle, cu_deviceptr ptr);
cu_result cuna__cpu_memory_handle_open(cu_deviceptr *ptr, cu_ipc_handle handle, unsigned flags);
cu_result cuna__cpu_memory_handle_close(cu_deviceptr ptr);

cu_result cuna__cpu_memory_host_alloc(void **ptr, size_t nbytes);
cu_result cuna__cpu_memory_host_free(void *ptr);

/* Ranges may overlap. */
cu_result cuna__cpu_memory_copy(void *dst, const void *src, size_t nbytes);
cu_result cuna__cpu_memory_set(void *dst, unsigned char value, size_t nbytes);

#endif

/* error.h: the rows that name results; parameters as in seam/driver.h. */
#ifndef CUNA_CPU_EXECUTE_ERROR_H
#define CUNA_CPU_EXECUTE_ERROR_H

#include "seam/driver.h"

/* A user's kernel failed and the device is still usable, for which CUDA has no result. Named
 * CUDA_ERROR_LAUNCH_FAILED. */
enum { CUNA_ERROR_KERNEL = 100719 };

/* Keeps the message of a result for this thread's next query of it, and returns the result. */
cu_result cuna__cpu_error_keep(cu_result result, const char *words);

/* Discards a kept message, before a failed operation is tried again. */
void cuna__cpu_error_forget(void);

cu_result cuna__cpu_error_name(cu_result code, const char **text);
cu_result cuna__cpu_error_string(cu_result code, const char **text);

#endif

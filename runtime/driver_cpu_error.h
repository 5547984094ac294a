/* driver_cpu_error.h: the rows that name results; parameters as in driver.h. */
#ifndef CUNA_DRIVER_CPU_ERROR_H
#define CUNA_DRIVER_CPU_ERROR_H

#include "driver.h"

cu_result cuna__error_name(cu_result code, const char **text);
cu_result cuna__error_string(cu_result code, const char **text);

#endif

/* raw.h: rows of the cpu device for raw kernels; parameters as in seam/driver.h. */
#ifndef CUNA_CPU_EXECUTE_RAW_H
#define CUNA_CPU_EXECUTE_RAW_H

#include <stdbool.h>

#include "kernels/raw_launch_cpu.h"
#include "seam/driver.h"

#define CUNA_RAW_MAX_THREADS 1024        /* of a block */
#define CUNA_RAW_PREFIX      "cuna_raw_" /* of the symbols of kernels and variables */

typedef struct uint3 cuna_raw_dim;
typedef struct Launch cuna_raw_launch;
typedef struct Block cuna_raw_block;
typedef struct Thread cuna_raw_thread;
typedef struct Services cuna_raw_services;
typedef struct Export cuna_raw_export;

extern const cuna_raw_services cuna__cpu_raw_services;

/* Texts that precede a raw kernel's source; NULL ends them. */
extern const char *const cuna__cpu_text_preludes[], *const cuna__cpu_raw_preludes[];

typedef struct cuna_raw_shape {
    cuna_raw_dim grid, block;
    unsigned shared_nbytes;
    bool cooperative; /* all blocks at once */
} cuna_raw_shape;

/* The reason why a launch is illegal, or CU_SUCCESS. */
cu_result cuna__cpu_raw_check(cu_function function, const cuna_raw_shape *shape, void **params);
cu_result cuna__cpu_raw_launch(cu_function function, const cuna_raw_shape *shape, void **params);
cu_result cuna__cpu_raw_get_attribute(int *value, int attribute, cu_function function);
cu_result cuna__cpu_raw_set_attribute(cu_function function, int attribute, int value);
cu_result cuna__cpu_raw_param_info(cu_function function, size_t index, size_t *offset, size_t *nbytes);

#endif

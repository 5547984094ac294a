/* raw.h: rows of the cpu device for raw kernels; parameters as in seam/driver.h. */
#ifndef CUNA_CPU_EXECUTE_RAW_H
#define CUNA_CPU_EXECUTE_RAW_H

#include "seam/driver.h"

#define CUNA_RAW_MAX_THREADS 1024        /* of a block */
#define CUNA_RAW_PREFIX      "cuna_raw_" /* of the symbols of kernels and variables */

/* kernels/raw_block_cpu.h has the same, from here ... */
typedef struct cuna_raw_dim {
    unsigned x, y, z;
} cuna_raw_dim;

typedef struct cuna_raw_launch {
    void **params;
    cuna_raw_dim grid, block;
} cuna_raw_launch;

typedef struct cuna_raw_block {
    const cuna_raw_launch *launch;
    cuna_raw_dim idx;
    void *shared;
} cuna_raw_block;

typedef struct cuna_raw_thread {
    cuna_raw_dim idx;
    unsigned lane;
    const cuna_raw_block *block;
} cuna_raw_thread;

/* Functions that kernels call; a kernel without a team calls only `trap`. */
typedef struct cuna_raw_services {
    void (*trap)(const char *words, const cuna_raw_dim *block, const cuna_raw_dim *thread);
    int (*sync)(cuna_raw_thread *thread, bool p);
    void (*gather)(cuna_raw_thread *thread, unsigned mask, const void *value, void *all, unsigned nbytes,
                   unsigned *lanes);
    unsigned (*active_lanes)(cuna_raw_thread *thread, const void *frame);
    void (*yield)(cuna_raw_thread *thread);
} cuna_raw_services;

typedef struct cuna_raw_export {
    void (*blocks)(cuna_raw_block *block, uint64_t first, uint64_t last); /* a kernel without teams */
    void (*thread)(const cuna_raw_block *block);                          /* a kernel with teams */
    unsigned nparams;
    const unsigned *nbytes, *aligns; /* of the parameters */
    void *variable;                  /* not a kernel */
    uint64_t variable_nbytes;
} cuna_raw_export;
/* ... to here. */

extern const cuna_raw_services cuna__raw_services;

/* Texts that precede a raw kernel's source; NULL ends them. */
extern const char *const cuna__raw_preludes[];

cu_result cuna__raw_launch(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                           unsigned block_y, unsigned block_z, unsigned shared_nbytes, void **params);
/* Whether a launch is legal. */
bool cuna__raw_accepts(cu_function function, cuna_raw_dim grid, cuna_raw_dim block, unsigned shared_nbytes,
                       void **params);
cu_result cuna__raw_get_attribute(int *value, int attribute, cu_function function);
cu_result cuna__raw_set_attribute(cu_function function, int attribute, int value);
cu_result cuna__raw_param_info(cu_function function, size_t index, size_t *offset, size_t *nbytes);

#endif

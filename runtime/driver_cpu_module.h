/* driver_cpu_module.h: module rows of the cpu device; parameters as in driver.h. An image is a shared object. */
#ifndef CUNA_DRIVER_CPU_MODULE_H
#define CUNA_DRIVER_CPU_MODULE_H

#include "driver.h"

/* What a compiled kernel exports: does the blocks [first_block, last_block). */
typedef void (*cuna__module_entry)(void **params, unsigned first_block, unsigned last_block);

/* A function of a module, owned by it. */
struct cu_function_s {
    cuna__module_entry entry;
    cu_function next;
};

cu_result cuna__module_load(cu_module *module, const void *image);
cu_result cuna__module_unload(cu_module module);
cu_result cuna__module_function(cu_function *function, cu_module module, const char *name);

#endif

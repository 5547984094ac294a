/* module.h: module rows of the cpu device; parameters as in seam/driver.h. An image is a shared object. */
#ifndef CUNA_CPU_EXECUTE_MODULE_H
#define CUNA_CPU_EXECUTE_MODULE_H

#include <stdatomic.h>

#include "cpu/execute/raw.h"
#include "seam/driver.h"

/* What a compiled kernel exports: does the blocks [first_block, last_block). */
typedef void (*cuna__module_entry)(void **params, unsigned first_block, unsigned last_block);

/* A function of a module, owned by it: cuna's own kernel, or one that a user wrote whole. */
struct cu_function_s {
    cuna__module_entry entry;
    unsigned nbytes;          /* of an own kernel's arguments; 0: the image does not say */
    _Atomic int64_t block_ns; /* what a block of an own kernel took last time; 0: none was shared out */
    const cuna_raw_export *raw;
    unsigned shared_nbytes;       /* static; 0 where the image does not say which kernel has it */
    atomic_int max_shared_nbytes; /* dynamic, of a user's kernel */
    cu_function next;
};

/* Whether images are loaded from memory; else from a private folder. */
bool cuna__module_uses_memory(void);

cu_result cuna__module_load(cu_module *module, const void *image);
cu_result cuna__module_unload(cu_module module);
cu_result cuna__module_function(cu_function *function, cu_module module, const char *name);
cu_result cuna__module_global(cu_deviceptr *ptr, size_t *nbytes, cu_module module, const char *name);

#endif

/* module.h: module rows of the cpu device; parameters as in seam/driver.h. An image is a shared object. */
#ifndef CUNA_CPU_EXECUTE_MODULE_H
#define CUNA_CPU_EXECUTE_MODULE_H

#include <stdatomic.h>

#include "cpu/execute/raw.h"
#include "seam/driver.h"

/* The exported function of a compiled kernel: runs the blocks [first_block, last_block). */
typedef void (*cuna__module_entry)(void **params, unsigned first_block, unsigned last_block);

/* A function of a module, owned by it: a built-in kernel, or a raw kernel. */
struct cu_function_s {
    cuna__module_entry entry;
    void *code;               /* that the entry interprets, as its second parameter; NULL: none */
    unsigned nbytes;          /* of a built-in kernel's arguments; 0: unknown */
    _Atomic int64_t block_ns; /* last duration of a block of a built-in kernel; 0: not yet distributed */
    const cuna_raw_export *raw;
    unsigned shared_nbytes;       /* static; 0 if the image does not show which kernel has it */
    atomic_int max_shared_nbytes; /* dynamic, of a user's kernel */
    cu_function next;
};

/* Whether images are loaded from memory, not from a private folder. */
bool cuna__cpu_module_uses_memory(void);

cu_result cuna__cpu_module_load(cu_module *module, const void *image);
/* A module of the functions CUNA_LOOP_ENTRY and, where `merge` is not NULL, CUNA_LOOP_MERGE, which interpret code, or do
 * without (NULL), with arguments of so many bytes. The module owns the code, a block of malloc, when this succeeds. */
cu_result cuna__cpu_module_adopt(cu_module *module, cuna__module_entry entry, cuna__module_entry merge, unsigned nbytes,
                                 void *code);

cu_result cuna__cpu_module_unload(cu_module module);
cu_result cuna__cpu_module_function(cu_function *function, cu_module module, const char *name);
cu_result cuna__cpu_module_global(cu_deviceptr *ptr, size_t *nbytes, cu_module module, const char *name);

#endif

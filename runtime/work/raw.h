/* raw.h: modules and functions of raw kernels, whose whole text is the user's. */
#ifndef CUNA_WORK_RAW_H
#define CUNA_WORK_RAW_H

#include "array/array.h"
#include "array/texture.h"
#include "device/loaded.h"

#define CUNA_RAW_MAX_NBYTES 32764 /* of the arguments of a launch; older compilers and GPUs take 4096, and say so */

struct cuna_raw_module {
    cuna_loaded loaded; /* first: it is the beginning of this */
    int nexpressions;
    const char *name; /* what messages call it */
    char names[];     /* of each expression: itself, its symbol, each ends with a NUL */
};

/* A parameter as a launch sees it. */
typedef struct cuna_raw_slot {
    const char *name;
    uint8_t kind, dtype, lanes, axes; /* cuna_raw_kind, cuna_dtype */
    bool is_const, is_contiguous;
    int nbytes, at; /* its place in the block of arguments, at a multiple of 16 */
} cuna_raw_slot;

struct cuna_raw_function {
    cuna_device *device;
    const cuna_raw_module *module; /* retained */
    cu_function function;
    int max_threads;    /* of a block */
    int static_nbytes;  /* of shared memory */
    int dynamic_nbytes; /* of shared memory that a launch may use without setting an attribute first */
    int nparams;
    char *names;
    const char *name; /* in `names`, as those of parameters */
    cuna_raw_slot slots[];
};

/* The symbol of an expression; one that the module does not have is a symbol itself. */
const char *cuna__raw_symbol(const cuna_raw_module *module, const char *expression);

/* Writes one argument as the device expects it; `bytes` has room for the slot. VALUE; DEVICE, MEMORY where an element
 * has to be fetched. */
cuna_status cuna__raw_argument_put(void *bytes, cuna_context *context, const cuna_raw_function *function, int index,
                                   const cuna_raw_argument *argument);

/* The type of a parameter in words: "pointer to float4", "int32", "24 bytes". */
const char *cuna__raw_slot_text(char *text, size_t nbytes, const cuna_raw_slot *slot);

#endif

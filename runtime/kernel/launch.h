/* launch.h: from a program and a variant to running blocks: kernels made on demand, arguments filled in, grids
 * started. */
#ifndef CUNA_KERNEL_LAUNCH_H
#define CUNA_KERNEL_LAUNCH_H

#include "array/array.h"
#include "array/graph_slot.h"
#include "device/allocator.h"
#include "kernel/program.h"

/* An argument block under construction; the order of words is that of kernels/walk.cuh and kernels/reduce.cuh. */
typedef struct cuna_words {
    int count, naddresses;
    /* Words that are addresses of operands; those of a product may be elements as well. */
    cuna_graph_address addresses[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS + 2 * CUNA_MAX_PRODUCTS];
    int64_t at[4 * CUNA_MAX_OPERANDS + 2 * CUNA_MAX_NDIM * (CUNA_MAX_OPERANDS + CUNA_MAX_RAWS + 3) + 64];
} cuna_words;

static inline void cuna__words_begin(cuna_words *words)
{
    words->count = words->naddresses = 0;
}

static inline void cuna__words_add(cuna_words *words, int64_t value)
{
    words->at[words->count++] = value;
}

/* Adds the address of an operand. */
static inline void cuna__words_add_address(cuna_words *words, const cuna_array *array)
{
    words->addresses[words->naddresses++] = (cuna_graph_address){words->count, array};
    cuna__words_add(words, (int64_t)cuna__array_data(array));
}

/* Adds words that no kernel reads. They are 0 all the same: leftovers of the stack would look like arguments to a
 * caller that records them. */
static inline void cuna__words_skip(cuna_words *words, int count)
{
    for (int i = 0; i < count; i++)
        cuna__words_add(words, 0);
}

/* Adds the scalars of a program's inputs, two words each (one empty pair when there are none). */
void cuna__words_add_numbers(cuna_words *words, const cuna_program *program, const cuna_operand *inputs);
static inline void cuna__words_add_scalars(cuna_words *words, const cuna_program *program, const cuna_operand *inputs)
{
    if (program->nscalars > 0)
        cuna__words_add_numbers(words, program, inputs);
    else
        cuna__words_skip(words, 2);
}

/* Adds the words of a program's table, if it has one. */
void cuna__words_copy_table(cuna_words *words, const cuna_program *program, const cuna_operand *inputs);
static inline void cuna__words_add_table(cuna_words *words, const cuna_program *program, const cuna_operand *inputs)
{
    if (program->text.table > 0)
        cuna__words_copy_table(words, program, inputs);
}

/* Adds a shape and each operand's strides over it (one empty word each when there are no axes). */
void cuna__words_add_layout(cuna_words *words, const cuna_layout *layout);

/* Adds what kernels divide by each axis' length with, without dividing (one word when there are no axes). */
void cuna__words_add_divisors(cuna_words *words, const cuna_layout *layout);

/* The same of one number, at least 1. */
void cuna__words_add_divisor(cuna_words *words, int64_t by);

/* Adds the raw arrays of a program, which follow its inputs, as kernels/statement.cuh lays them out. */
void cuna__words_add_raws(cuna_words *words, const cuna_program *program, const cuna_operand *inputs);

/* Whether operands [first, count) that are contiguous along the layout's axis `run` can be accessed 1 << vector_log2
 * elements at once, wherever along the other axes. A flat walk has no run axis: -1. */
bool cuna__operands_are_aligned(const cuna_array *const *operands, const cuna_variant *variant, int first, int count,
                                const cuna_layout *layout, int run);

/* What runs a variant over so many elements: its kernel, compiled when this is its first use, or code on loops where
 * the device interprets; NULL (and OK) when the context only rehearses, and
 * nothing is to be launched. COMPILE, MEMORY. */
cuna_status cuna__kernel_get(const cuna_kernel **out, const cuna_context *context, cuna_device *device,
                             const cuna_program *program, const cuna_variant *variant, int64_t elements);

#define CUNA_UNIT_KERNELS 24 /* in one translation unit at most */

/* Makes the kernels of up to CUNA_UNIT_KERNELS variants, all for one device, so that later calls find them: those that the disk cache does
 * not have in one translation unit. */
typedef struct cuna_kernel_request {
    cuna_device *device;
    const cuna_program *program;
    cuna_variant variant;
} cuna_kernel_request;
cuna_status cuna__kernel_find(bool *found, const cuna_kernel_request *request); /* on disk */
cuna_status cuna__kernel_prepare(int nrequests, const cuna_kernel_request *requests);

/* Memory for launches that come next on the context's stream; given back as soon as they were given to the stream. Where it
 * captures the memory stays the graph's, for the stream's next launches too. MEMORY, DEVICE. */
cuna_status cuna__workspace_take(cuna_block **out, cuna_context *context, cuna_device *device, int64_t nbytes);
void cuna__workspace_give_back(const cuna_context *context, cuna_device *device, cuna_block *workspace);

/* Notes that launches, which come next and whose words have their addresses (cuna__words_add_address), use a program's
 * operands and raw arrays (cuna__array_claim). */
cuna_status cuna__operands_claim_slowly(const cuna_context *context, cuna_device *device, int noperands,
                                        const cuna_array *const *operands, const cuna_program *program,
                                        const cuna_operand *inputs);
static inline cuna_status cuna__operands_claim(const cuna_context *context, cuna_device *device, int noperands,
                                               const cuna_array *const *operands, const cuna_program *program,
                                               const cuna_operand *inputs)
{
    return __builtin_expect(!cuna__context_claims(context, device), 1)
               ? CUNA_OK
               : cuna__operands_claim_slowly(context, device, noperands, operands, program, inputs);
}

/* The same of arrays whose addresses the words do not tell. */
cuna_status cuna__arrays_claim(const cuna_context *context, cuna_device *device, int count,
                               const cuna_array *const *arrays);

/* Starts `blocks` blocks of an entry of a kernel on the context's stream. */
cuna_status cuna__launch(const cuna_context *context, cuna_device *device, const char *name, cuna_kernel_entry entry,
                         int64_t blocks, cuna_words *words);

#endif

/* reduce_axes.h: what all folds check, make and lay out before they are cut: devices, shapes, outputs, axes. */
#ifndef CUNA_WORK_REDUCE_AXES_H
#define CUNA_WORK_REDUCE_AXES_H

#include "array/array.h"
#include "work/reduce_cut.h"

/* Fills in what the inputs decide: device, shape, and how many elements each result folds. */
cuna_status cuna__fold_open(cuna_fold *f, cuna_context *context, const char *name, const cuna_program *program,
                            const cuna_operand *inputs, uint32_t axes);

/* Makes the outputs that the caller left empty (`made` has a bit for each) and checks the others. Bit k of `keepdims`:
 * output k keeps the folded axes, with length 1. */
cuna_status cuna__fold_make_outputs(const cuna_fold *f, cuna_array *const *outputs, uint32_t keepdims, unsigned *made);

/* Gives back what make_outputs made. */
void cuna__fold_drop_outputs(const cuna_fold *f, cuna_array *const *outputs, unsigned made);

/* Copies of inputs that an output would overwrite while they are still being read. */
typedef struct cuna_fold_copies {
    int count;
    cuna_array at[CUNA_MAX_OPERANDS];
} cuna_fold_copies;
cuna_status cuna__fold_copy_conflicts(const cuna_fold *f, cuna_operand *safe, cuna_fold_copies *copies,
                                      const cuna_operand *inputs, cuna_array *const *outputs);
void cuna__fold_release_copies(cuna_fold_copies *copies);

/* Sorts the axes of the walk into kept and reduced ones and collapses both. */
void cuna__fold_split(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs);

/* Whether positions need 64 bits. */
bool cuna__fold_is_wide(const cuna_fold *f);

/* Fills in the argument block of a fold that was cut: struct Fold, and raw arrays behind it. */
void cuna__fold_pack(cuna_words *words, const cuna_fold *f, const cuna_operand *inputs, double extra,
                     cu_deviceptr workspace);

#endif

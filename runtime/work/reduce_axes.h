/* reduce_axes.h: checks, output arrays and layouts that all folds share. */
#ifndef CUNA_WORK_REDUCE_AXES_H
#define CUNA_WORK_REDUCE_AXES_H

#include "work/reduce_cut.h"

static inline bool cuna__fold_is_reduced(const cuna_fold *f, int axis)
{
    return (f->axes >> axis & 1) != 0;
}

/* Begins a fold and gathers its inputs, which decide the device and, with ndim < 0, the walk's shape. VALUE, as
 * cuna__call_gather. */
cuna_status cuna__fold_gather(cuna_fold *f, cuna_context *context, const char *name, const cuna_program *program,
                              const cuna_operand *inputs, int ndim, const int64_t *shape);

/* Says which axes of the walk are folded (bit k: axis k), and so how many elements each result folds. */
void cuna__fold_choose_axes(cuna_fold *f, uint32_t axes);

/* Checks the outputs that were given and makes the others. Bit k of `keepdims`: output k keeps the folded axes, with
 * length 1. */
cuna_status cuna__fold_make_outputs(cuna_fold *f, cuna_array *const *outputs, uint32_t keepdims);

/* Copies inputs that an output would overwrite while they are still being read. */
cuna_status cuna__fold_separate(cuna_fold *f);

/* Sorts the axes of the walk into kept and reduced ones and collapses both; the guide is what the fold reads. */
void cuna__fold_split(cuna_fold *f);

/* Sorts strides of `count` operands over the walk's axes into two layouts and collapses these. */
void cuna__fold_split_strides(cuna_layout *kept, cuna_layout *reduced, const cuna_fold *f, int count,
                              int64_t strides[][CUNA_MAX_NDIM]);

/* Whether positions need 64 bits. */
bool cuna__fold_is_wide(const cuna_fold *f);

/* Fills in the argument block of a fold that was cut: struct Fold, then the raw arrays. */
void cuna__fold_fill_words(cuna_words *words, const cuna_fold *f, double extra, cu_deviceptr workspace);

#endif

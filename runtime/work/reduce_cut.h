/* reduce_cut.h: divides a fold into blocks. */
#ifndef CUNA_WORK_REDUCE_CUT_H
#define CUNA_WORK_REDUCE_CUT_H

#include "operands/call.h"

/* Operands that a cut goes by, in layouts that have outputs before them. */
typedef struct cuna_guide {
    const cuna_layout *kept, *reduced;
    int first, count; /* the number of the first one; with what is before it */
    uint8_t itemsize[CUNA_MAX_OPERANDS];
    uint64_t address[CUNA_MAX_OPERANDS];
} cuna_guide;

/* One reduction on its way from check to launch. `guide` decides in which order elements are added; it is `own`, the
 * operands as they are, unless steps compute what a fold by itself would find stored (reduce_guide.c). */
typedef struct cuna_fold {
    cuna_call call; /* its walk has the shape of the broadcast inputs */
    uint32_t axes;
    int64_t outputs, count; /* results, and elements folded into each */
    cuna_layout kept, reduced, guide_kept, guide_reduced;
    cuna_guide own, stored;
    const cuna_guide *guide;
    cuna_variant variant;
    int64_t segments, blocks, merge_blocks;
    int64_t tile, pieces, rows, runs, length; /* blocks of one lane: as in struct Fold of kernels/reduce_runs.cuh */
    int64_t team, span, merge_team;           /* blocks of many lanes: as in kernels/reduce_lanes.cuh */
} cuna_fold;

/* Decides form, stride classes, segments and grids from kept and reduced axes. All of it depends on shapes and strides
 * (and, for the width of accesses, on alignment) only, so that the same call always adds in the same order. False if the
 * operands cannot be read in the guide's order, or lie across it. */
bool cuna__fold_cut(cuna_fold *fold);

/* For programs in stages: whether rows are many enough; whether a fold that was cut is one that a stage can do; and the
 * cut, once each stage was cut as a fold by itself. */
bool cuna__fold_has_stages(const cuna_fold *fold);
bool cuna__fold_is_stage(const cuna_fold *fold);
void cuna__fold_cut_stages(cuna_fold *fold);

/* Whether an operand that is contiguous along `runs` can be accessed 1 << vector_log2 elements at a time. */
bool cuna__guide_is_aligned(const cuna_guide *guide, int operand, int vector_log2, const cuna_layout *runs);

/* Fills in ranks, and how each operand moves along the last axis of `runs`. */
void cuna__fold_classify(cuna_fold *fold, const cuna_layout *runs);

/* Adds the words between the layouts' and `extra`. */
void cuna__fold_add_cut(cuna_words *words, const cuna_fold *fold);

#endif

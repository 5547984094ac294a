/* reduce.c: folds a program's values over axes.
 *
 * The walk is split into kept and reduced axes, each collapsed on its own. Runs lie along a reduced axis (FOLD_ROWS), or
 * along the innermost kept axis where that is the contiguous one (FOLD_COLUMNS). When outputs are few, the folded space
 * is cut into segments whose states a second kernel merges. All of this depends on shapes and strides only, so the same
 * call always adds in the same order. */
#include "work/reduce_axes.h"

static cuna_status start(cuna_fold *f, const cuna_operand *inputs, double extra)
{
    const cuna_kernel *kernel;
    CUNA_TRY(cuna__kernel_get(&kernel, f->context, f->device, f->program, &f->variant));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__operands_claim(f->context, f->device, f->kept.noperands, f->operands, f->program, inputs));
    cuna_block *workspace = NULL;
    if (f->segments > 1)
        CUNA_TRY(cuna__workspace_take(&workspace, f->context, f->device, f->outputs * f->segments * CUNA_STATE_NBYTES));
    cuna_words words;
    cuna__fold_pack(&words, f, inputs, extra, workspace ? workspace->ptr : 0);
    cuna_status status = cuna__launch(f->context, f->device, f->name, kernel->functions[0], f->blocks, &words);
    if (status == CUNA_OK && f->segments > 1)
        status = cuna__launch(f->context, f->device, f->name, kernel->functions[1], f->merge_blocks, &words);
    cuna__workspace_give_back(f->context, f->device, workspace);
    return status;
}

static cuna_status run(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs, double extra)
{
    cuna__fold_split(f, inputs, outputs);
    f->variant.wide = cuna__fold_is_wide(f);
    cuna__fold_cut(f);
    return start(f, inputs, extra);
}

/* Nothing to fold: every output is what finish makes of the identity. A fold over a single element of a scalar operand
 * cannot say so, hence the one-element run with a count of 0. */
static cuna_status run_empty(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs, double extra)
{
    cuna__fold_split(f, inputs, outputs);
    f->reduced.ndim = 0;
    cuna__fold_cut(f);
    return start(f, inputs, extra);
}

static cuna_status run_checked(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs, double extra)
{
    cuna_operand safe[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    cuna_fold_copies copies;
    cuna_status status = cuna__fold_copy_conflicts(f, safe, &copies, inputs, outputs);
    if (status == CUNA_OK && f->outputs > 0)
        status = f->count > 0 ? run(f, safe, outputs, extra) : run_empty(f, safe, outputs, extra);
    cuna__fold_release_copies(&copies);
    return status;
}

cuna_status cuna_reduce(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                        double extra)
{
    cuna_fold f;
    unsigned made = 0;
    CUNA_TRY(cuna__fold_open(&f, context, name, program, inputs, axes));
    cuna_status status = cuna__fold_make_outputs(&f, outputs, keepdims ? ~0u : 0, &made);
    if (status == CUNA_OK)
        status = run_checked(&f, inputs, outputs, extra);
    if (status != CUNA_OK)
        cuna__fold_drop_outputs(&f, outputs, made);
    return status;
}

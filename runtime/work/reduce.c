/* reduce.c: folds a program's values over axes.
 *
 * The walk is split into kept and reduced axes, each collapsed on its own. Runs lie along a reduced axis (FOLD_ROWS), or
 * along the innermost kept axis where that is the contiguous one (FOLD_COLUMNS). When outputs are few, the folded space
 * is cut into segments whose states a second kernel merges. All of this depends on shapes and strides only, so the same
 * call always adds in the same order. */
#include "work/reduce_guide.h"

static cuna_status start(cuna_fold *f, double extra)
{
    const cuna_call *c = &f->call;
    const cuna_kernel *kernel;
    CUNA_TRY(cuna__kernel_get(&kernel, c->context, c->device, c->program, &f->variant, f->outputs * f->count));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__call_claim(c));
    cuna_block *workspace = NULL;
    if (f->segments > 1)
        CUNA_TRY(cuna__workspace_take(&workspace, c->context, c->device, f->outputs * f->segments * CUNA_STATE_NBYTES));
    cuna_words words;
    cuna__fold_fill_words(&words, f, extra, workspace ? workspace->ptr : 0);
    cuna_status status = cuna__launch(c->context, c->device, c->name, kernel->functions[0], f->blocks, &words);
    /* The stream orders the two: all states are there when the second kernel merges them. */
    if (status == CUNA_OK && f->segments > 1)
        status = cuna__launch(c->context, c->device, c->name, kernel->functions[1], f->merge_blocks, &words);
    cuna__workspace_give_back(c->context, c->device, workspace);
    return status;
}

static cuna_status execute(bool *ran, cuna_fold *f, double extra)
{
    CUNA_TRY(cuna__call_check_axes(&f->call));
    CUNA_TRY(cuna__fold_separate(f));
    if (f->outputs == 0)
        return CUNA_OK;
    cuna__fold_split(f);
    if (f->count > 0)
        f->variant.wide = cuna__fold_is_wide(f);
    else /* every output is what finish makes of the identity: one run, which a count of 0 keeps from reading */
        f->reduced.ndim = 0;
    if (f->count > 0 && f->call.program->stores)
        cuna__fold_guide_by(f, f->call.program->text.output_value[0]);
    *ran = cuna__fold_cut(f);
    return *ran ? start(f, extra) : CUNA_OK;
}

cuna_status cuna_reduce(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                        double extra, int ndim, const int64_t *shape)
{
    cuna_fold f;
    *ran = true;
    CUNA_TRY(cuna__fold_gather(&f, context, name, program, inputs, ndim, shape));
    cuna__fold_choose_axes(&f, axes);
    cuna_status status = cuna__fold_make_outputs(&f, outputs, keepdims ? ~0u : 0);
    if (status == CUNA_OK)
        status = execute(ran, &f, extra);
    cuna__call_end(&f.call, outputs, status == CUNA_OK && *ran);
    return status;
}

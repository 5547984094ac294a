/* reduce_stages.c: runs programs in stages, which fold rows more than once or use the result of a fold, in one kernel.
 *
 * A row is read once per stage, but only the first stage reads it from memory; the others find it in a cache. */
#include "kernel/launch_loops.h"
#include "work/reduce_guide.h"

#define LONG_ROW_NBYTES 4096 /* rows whose ends do not matter */

/* As in elementwise_cut.c: large outputs of long rows, which are not an input as well, are written past the caches. */
static bool streams(const cuna_fold *f)
{
    int64_t threshold = f->call.device->driver->facts.streaming_nbytes;
    const cuna_array *out = f->call.arrays[0];
    int64_t itemsize = cuna_dtype_size(out->dtype);
    if (threshold == 0 || out->size * itemsize < threshold || f->count * itemsize < LONG_ROW_NBYTES)
        return false;
    for (int k = 1; k < f->kept.noperands; k++)
        if (cuna__array_data(f->call.arrays[k]) == cuna__array_data(out))
            return false;
    return true;
}

static cuna_status start(cuna_fold *f)
{
    const cuna_call *c = &f->call;
    const cuna_kernel *kernel;
    cuna_words words;
    CUNA_TRY(cuna__kernel_get(&kernel, c->context, c->device, c->program, &f->variant, f->outputs * f->count));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__call_claim(c));
    cuna__fold_fill_words(&words, f, 0, 0);
    cuna__words_add(&words, streams(f));
    return cuna__launch(c->context, c->device, c->name, kernel->functions[0], f->blocks, &words);
}

/* Nobody waits for a kernel where loops do what its stages do, one after another. */
static bool is_there(const cuna_fold *f)
{
    const cuna_call *c = &f->call;
    uint64_t key = cuna__variant_key(&f->variant, c->program->noperands);
    if (c->context->rehearsal != NULL || !cuna__loops_are_wanted(c->device, c->program) ||
        cuna__program_find_kernel(c->program, c->device->number, key) != NULL)
        return true;
    cuna__loops_stand_in(c->device, c->program, &f->variant, f->outputs * f->count);
    return false;
}

/* Cuts all stages as the folds that they are by themselves. False unless all add alike: results must not depend on
 * whether the kernel of the stages is there. */
static bool cut(cuna_fold *f)
{
    const cuna_program_text *text = &f->call.program->text;
    int64_t team = -1, span = 0;
    int vector_log2 = 0;
    for (int k = 0; k < text->ninstructions; k++) {
        if (!text->instruction[k].folds)
            continue;
        cuna__fold_guide_by(f, text->instruction[k].arg[0]);
        if (!cuna__fold_cut(f) || !cuna__fold_is_stage(f))
            return false;
        if (team >= 0 && (f->team != team || f->span != span || f->variant.vector_log2 != vector_log2))
            return false;
        team = f->team;
        span = f->span;
        vector_log2 = f->variant.vector_log2;
    }
    cuna__fold_cut_stages(f);
    return true;
}

/* The cut needs the strides of all operands, so outputs are made first. */
static cuna_status execute(cuna_staged *how, cuna_fold *f)
{
    CUNA_TRY(cuna__fold_separate(f));
    cuna__fold_split(f);
    f->variant.wide = cuna__fold_is_wide(f);
    *how = !cut(f) ? CUNA_STAGED_NEVER : is_there(f) ? CUNA_STAGED : CUNA_STAGED_LATER;
    return *how == CUNA_STAGED ? start(f) : CUNA_OK;
}

cuna_status cuna_stages(cuna_staged *how, cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, uint32_t keepdims)
{
    cuna_fold f;
    *how = CUNA_STAGED_NEVER;
    CUNA_TRY(cuna__fold_gather(&f, context, name, program, inputs, -1, NULL));
    cuna__fold_choose_axes(&f, axes);
    if (!cuna__fold_has_stages(&f))
        return CUNA_OK;
    cuna_status status = cuna__fold_make_outputs(&f, outputs, keepdims);
    if (status == CUNA_OK)
        status = execute(how, &f);
    cuna__call_end(&f.call, outputs, status == CUNA_OK && *how == CUNA_STAGED);
    return status;
}

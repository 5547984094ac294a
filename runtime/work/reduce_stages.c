/* reduce_stages.c: runs programs in stages: rows are folded, and folded again with what came out, in one kernel.
 *
 * A row is read once per stage, but from a cache: memory gives each element once, however many stages there are. */
#include "work/reduce_axes.h"

#define LONG_ROW_NBYTES 4096 /* rows whose ends do not matter */

/* As in elementwise_cut.c: large outputs of long rows, which are not an input as well, are written past the caches. */
static bool streams(const cuna_fold *f)
{
    int64_t threshold = f->device->driver->facts.streaming_nbytes;
    const cuna_array *out = f->operands[0];
    int64_t itemsize = cuna_dtype_size(out->dtype);
    if (threshold == 0 || out->size * itemsize < threshold || f->count * itemsize < LONG_ROW_NBYTES)
        return false;
    for (int k = 1; k < f->kept.noperands; k++)
        if (f->operands[k]->data == out->data)
            return false;
    return true;
}

static cuna_status start(cuna_fold *f, const cuna_operand *inputs)
{
    const cuna_kernel *kernel;
    cuna_words words;
    CUNA_TRY(cuna__kernel_get(&kernel, f->context, f->device, f->program, &f->variant));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__operands_claim(f->context, f->device, f->kept.noperands, f->operands, f->program, inputs));
    cuna__fold_pack(&words, f, inputs, 0, 0);
    cuna__words_add(&words, streams(f));
    return cuna__launch(f->context, f->device, f->name, kernel->functions[0], f->blocks, &words);
}

/* The cut asks for the strides of all operands, so outputs are made first. */
static cuna_status run(bool *ran, cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs)
{
    cuna_operand safe[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    cuna_fold_copies copies;
    cuna_status status = cuna__fold_copy_conflicts(f, safe, &copies, inputs, outputs);
    if (status == CUNA_OK) {
        cuna__fold_split(f, safe, outputs);
        f->variant.wide = cuna__fold_is_wide(f);
        *ran = cuna__fold_cut_stages(f);
    }
    if (status == CUNA_OK && *ran)
        status = start(f, safe);
    cuna__fold_release_copies(&copies);
    return status;
}

cuna_status cuna_stages(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, uint32_t keepdims)
{
    cuna_fold f;
    unsigned made = 0;
    *ran = false;
    CUNA_TRY(cuna__fold_open(&f, context, name, program, inputs, axes));
    if (!cuna__fold_has_stages(&f))
        return CUNA_OK;
    cuna_status status = cuna__fold_make_outputs(&f, outputs, keepdims, &made);
    if (status == CUNA_OK)
        status = run(ran, &f, inputs, outputs);
    if (status != CUNA_OK || !*ran)
        cuna__fold_drop_outputs(&f, outputs, made);
    return status;
}

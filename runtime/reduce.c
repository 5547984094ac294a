/* reduce.c: folds a program's values over axes.
 *
 * The walk is split into kept and reduced axes, each collapsed on its own. Runs lie along a reduced axis (FOLD_ROWS), or
 * along the innermost kept axis where that is the contiguous one (FOLD_COLUMNS). When outputs are few, the folded space
 * is cut into segments whose states a second kernel merges. All of this depends on shapes and strides only, so the same
 * call always adds in the same order. */
#include <string.h>

#include "array.h"
#include "reduce_cut.h"

static cuna_status gather(cuna_fold *f, const cuna_operand *inputs)
{
    const cuna_program_text *text = &f->program->text;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = inputs[k].array;
        if (text->input_scalar[k])
            continue;
        CUNA_TRY(cuna__array_use_device(&f->device, array, f->name));
        if (!cuna__shape_broadcast(&f->ndim, f->shape, array->ndim, cuna_array_shape(array)))
            return cuna_fail(CUNA_VALUE, "%s: the shapes of the inputs do not broadcast", f->name);
    }
    if (f->device == NULL)
        return cuna_fail(CUNA_VALUE, "%s: no array to fold", f->name);
    return cuna__raws_check(&f->device, f->program, inputs, f->name);
}

/* The result's shape; counts outputs and the elements that each folds. */
static cuna_status shape_result(cuna_fold *f, int *ndim, int64_t *shape, bool keepdims)
{
    int64_t all;
    *ndim = 0;
    CUNA_TRY(cuna__shape_size(&all, f->ndim, f->shape));
    f->outputs = f->count = 1;
    for (int axis = 0; axis < f->ndim; axis++) {
        bool reduced = (f->axes >> axis & 1) != 0;
        if (reduced)
            f->count *= f->shape[axis];
        else
            f->outputs *= f->shape[axis];
        if (!reduced || keepdims)
            shape[(*ndim)++] = reduced ? 1 : f->shape[axis];
    }
    return CUNA_OK;
}

static cuna_status check_output(const cuna_fold *f, const cuna_array *out, uint8_t dtype, int ndim,
                                const int64_t *shape)
{
    CUNA_TRY(cuna__array_check_filled(out, f->name));
    CUNA_TRY(cuna__array_check_writable(out, f->name));
    if (out->buffer->device != f->device)
        return cuna_fail(CUNA_VALUE, "%s: out is on %s and the input on %s; move one with x:to(\"%s\")", f->name,
                         out->buffer->device->name, f->device->name, f->device->name);
    if (out->dtype != dtype)
        return cuna_fail(CUNA_VALUE, "%s: out has dtype %s, but the program writes %s", f->name,
                         cuna_dtype_name(out->dtype), cuna_dtype_name(dtype));
    if (out->ndim == ndim && memcmp(cuna_array_shape(out), shape, (size_t)ndim * sizeof *shape) == 0)
        return CUNA_OK;
    char ours[256], theirs[256];
    cuna__array_describe(theirs, sizeof theirs, out);
    return cuna_fail(CUNA_VALUE, "%s: out has shape %s, but the result has shape %s", f->name, theirs,
                     cuna__shape_text(ours, sizeof ours, ndim, shape));
}

/* Strides of the array inputs over the walk's axes, behind the outputs. */
static void expand_inputs(cuna_fold *f, const cuna_operand *inputs, int64_t strides[][CUNA_MAX_NDIM])
{
    const cuna_program_text *text = &f->program->text;
    int operand = text->noutputs;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = inputs[k].array;
        if (text->input_scalar[k])
            continue;
        f->operands[operand] = array;
        cuna__shape_expand(strides[operand++], f->ndim, f->shape, array->ndim, cuna_array_shape(array),
                           cuna_array_strides(array));
    }
}

/* Strides of the outputs over the walk's axes: 0 along reduced ones. */
static void expand_outputs(cuna_fold *f, cuna_array *const *outputs, int64_t strides[][CUNA_MAX_NDIM])
{
    for (int k = 0; k < f->program->text.noutputs; k++) {
        const int64_t *own = cuna_array_strides(outputs[k]);
        bool keepdims = outputs[k]->ndim == f->ndim;
        f->operands[k] = outputs[k];
        for (int axis = 0, at = 0; axis < f->ndim; axis++) {
            bool reduced = (f->axes >> axis & 1) != 0;
            strides[k][axis] = reduced ? 0 : own[keepdims ? axis : at];
            at += !reduced;
        }
    }
}

/* Sorts the axes of the walk into kept and reduced. */
static void split_axes(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs)
{
    int64_t strides[CUNA_MAX_OPERANDS][CUNA_MAX_NDIM];
    expand_outputs(f, outputs, strides);
    expand_inputs(f, inputs, strides);
    f->kept.ndim = f->reduced.ndim = 0;
    f->kept.noperands = f->reduced.noperands = f->program->noperands;
    for (int axis = 0; axis < f->ndim; axis++) {
        cuna_layout *layout = (f->axes >> axis & 1) != 0 ? &f->reduced : &f->kept;
        int to = layout->ndim++;
        layout->shape[to] = f->shape[axis];
        for (int k = 0; k < f->program->noperands; k++)
            layout->strides[k][to] = strides[k][axis];
    }
    cuna__layout_collapse(&f->kept, true);
    cuna__layout_collapse(&f->reduced, false);
}

static void pack(cuna_words *words, const cuna_fold *f, const cuna_operand *inputs, double extra,
                 cu_deviceptr workspace)
{
    words->count = 0;
    for (int k = 0; k < f->kept.noperands; k++)
        cuna__words_add(words, (int64_t)f->operands[k]->data);
    cuna__words_add_scalars(words, f->program, inputs);
    cuna__words_add_layout(words, &f->kept);
    cuna__words_add_layout(words, &f->reduced);
    cuna__fold_add_cut(words, f);
    int64_t bits;
    memcpy(&bits, &extra, sizeof bits);
    cuna__words_add(words, bits);
    cuna__words_add(words, (int64_t)workspace);
    cuna__words_add_raws(words, f->program, inputs);
}

/* As in elementwise.c, over both layouts together. */
static bool is_wide(const cuna_fold *f)
{
    bool wide = f->count >= f->device->index_limit || f->outputs >= f->device->index_limit;
    for (int k = 0; k < f->kept.noperands && !wide; k++)
        wide = cuna__layout_reach(&f->kept, k) + cuna__layout_reach(&f->reduced, k) >= f->device->index_limit;
    return wide;
}

static cuna_status start(cuna_fold *f, const cuna_operand *inputs, double extra)
{
    const cuna_kernel *kernel;
    CUNA_TRY(cuna__kernel_get(&kernel, f->context, f->device, f->program, &f->variant));
    if (kernel == NULL)
        return CUNA_OK;
    cuna_block *workspace = NULL;
    if (f->segments > 1)
        CUNA_TRY(cuna__device_alloc(&workspace, f->device, f->outputs * f->segments * CUNA_STATE_NBYTES));
    cuna_words words;
    pack(&words, f, inputs, extra, workspace ? workspace->ptr : 0);
    cuna_status status = cuna__launch(f->context, f->device, f->name, kernel->functions[0], f->blocks, &words);
    if (status == CUNA_OK && f->segments > 1)
        status = cuna__launch(f->context, f->device, f->name, kernel->functions[1], f->merge_blocks, &words);
    cuna__pool_free(f->device->pool, workspace);
    return status;
}

static cuna_status run(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs, double extra)
{
    split_axes(f, inputs, outputs);
    f->variant.wide = is_wide(f);
    cuna__fold_cut(f);
    return start(f, inputs, extra);
}

/* Nothing to fold: every output is what finish makes of the identity. A fold over a single element of a scalar operand
 * cannot say so, hence the one-element run with a count of 0. */
static cuna_status run_empty(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs, double extra)
{
    split_axes(f, inputs, outputs);
    f->reduced.ndim = 0;
    cuna__fold_cut(f);
    return start(f, inputs, extra);
}

/* Whether an input has to be copied, since an output shares its memory. */
static bool is_overwritten(const cuna_fold *f, cuna_array *const *outputs, const cuna_array *input)
{
    for (int k = 0; k < f->program->text.noutputs; k++)
        if (cuna_array_overlaps(outputs[k], input))
            return true;
    return false;
}

static cuna_status run_checked(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs, double extra)
{
    const cuna_program_text *text = &f->program->text;
    cuna_operand safe[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    cuna_array copies[CUNA_MAX_OPERANDS];
    int ncopies = 0;
    cuna_status status = CUNA_OK;
    memcpy(safe, inputs, (size_t)(text->ninputs + text->nraws) * sizeof *safe);
    for (int k = 0; k < text->ninputs && status == CUNA_OK; k++) {
        if (text->input_scalar[k] || !is_overwritten(f, outputs, inputs[k].array))
            continue;
        memset(&copies[ncopies], 0, sizeof *copies);
        status = cuna_array_cast(&copies[ncopies], f->context, inputs[k].array, inputs[k].array->dtype);
        safe[k].array = &copies[ncopies];
        ncopies += status == CUNA_OK;
    }
    if (status == CUNA_OK && f->outputs > 0)
        status = f->count > 0 ? run(f, safe, outputs, extra) : run_empty(f, safe, outputs, extra);
    for (int k = 0; k < ncopies; k++)
        cuna_array_release(&copies[k]);
    return status;
}

/* Makes the outputs that the caller left empty and checks the others; `made` has a bit for each. */
static cuna_status make_outputs(cuna_fold *f, cuna_array *const *outputs, bool keepdims, unsigned *made)
{
    const cuna_program_text *text = &f->program->text;
    int ndim;
    int64_t shape[CUNA_MAX_NDIM];
    CUNA_TRY(shape_result(f, &ndim, shape, keepdims));
    for (int k = 0; k < text->noutputs; k++) {
        if (outputs[k]->dims == NULL)
            continue;
        CUNA_TRY(check_output(f, outputs[k], text->output_dtype[k], ndim, shape));
        for (int other = 0; other < k; other++)
            if (outputs[other]->dims != NULL && cuna_array_overlaps(outputs[k], outputs[other]))
                return cuna_fail(CUNA_VALUE, "%s: two outputs share memory", f->name);
    }
    for (int k = 0; k < text->noutputs; k++) {
        if (outputs[k]->dims != NULL)
            continue;
        CUNA_TRY(cuna_array_create_on(outputs[k], f->device, text->output_dtype[k], ndim, shape));
        *made |= 1u << k;
    }
    return CUNA_OK;
}

cuna_status cuna_reduce(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                        double extra)
{
    cuna_fold f;
    unsigned made = 0;
    memset(&f.variant, 0, sizeof f.variant);
    f.context = context;
    f.device = NULL;
    f.name = name;
    f.program = program;
    f.ndim = 0;
    f.axes = axes;
    CUNA_TRY(gather(&f, inputs));
    cuna_status status = make_outputs(&f, outputs, keepdims, &made);
    if (status == CUNA_OK)
        status = run_checked(&f, inputs, outputs, extra);
    for (int k = 0; status != CUNA_OK && k < program->text.noutputs; k++)
        if (made & 1u << k)
            cuna_array_release(outputs[k]);
    return status;
}

/* reduce_axes.c: checks, output arrays and layouts that all folds share.
 *
 * An output has one value per row, in the walk's shape without the folded axes; outputs of programs in stages may have
 * one value per element. */
#include "work/reduce_axes.h"

#include <string.h>

cuna_status cuna__fold_gather(cuna_fold *f, cuna_context *context, const char *name, const cuna_program *program,
                              const cuna_operand *inputs, int ndim, const int64_t *shape)
{
    memset(&f->variant, 0, sizeof f->variant);
    cuna__call_begin(&f->call, context, name, program, inputs);
    if (ndim >= 0) {
        f->call.ndim = ndim;
        cuna__copy_lengths(f->call.shape, shape, ndim);
    }
    CUNA_TRY(cuna__call_gather(&f->call));
    if (ndim < 0 && f->call.count == program->text.noutputs)
        return cuna_fail(CUNA_VALUE, "%s: no array to fold", name);
    return CUNA_OK;
}

void cuna__fold_choose_axes(cuna_fold *f, uint32_t axes)
{
    f->axes = axes;
    f->outputs = f->count = 1;
    for (int axis = 0; axis < f->call.ndim; axis++)
        *(cuna__fold_is_reduced(f, axis) ? &f->count : &f->outputs) *= f->call.shape[axis];
}

static bool is_row(const cuna_fold *f, int output)
{
    return f->call.program->text.kind == CUNA_PROGRAM_FOLD || f->call.program->text.output_row[output];
}

/* The shape of an output; returns its axes. */
static int shape_output(const cuna_fold *f, int64_t *shape, int output, uint32_t keepdims)
{
    int ndim = 0;
    for (int axis = 0; axis < f->call.ndim; axis++) {
        if (!is_row(f, output) || !cuna__fold_is_reduced(f, axis))
            shape[ndim++] = f->call.shape[axis];
        else if (keepdims >> output & 1)
            shape[ndim++] = 1;
    }
    return ndim;
}

cuna_status cuna__fold_make_outputs(cuna_fold *f, cuna_array *const *outputs, uint32_t keepdims)
{
    int64_t shape[CUNA_MAX_NDIM];
    int noutputs = f->call.program->text.noutputs;
    for (int k = 0; k < noutputs; k++) {
        if (outputs[k]->dims == NULL)
            continue;
        int ndim = shape_output(f, shape, k, keepdims);
        CUNA_TRY(cuna__call_check_output(&f->call, outputs[k], k, ndim, shape));
    }
    for (int k = 0; k < noutputs; k++) {
        int ndim = outputs[k]->dims == NULL ? shape_output(f, shape, k, keepdims) : 0;
        CUNA_TRY(cuna__call_take_output(&f->call, outputs[k], k, ndim, shape));
    }
    return CUNA_OK;
}

/* An output with one value per row may be written before other rows are read. */
cuna_status cuna__fold_separate(cuna_fold *f)
{
    unsigned whole = 0;
    for (int k = 0; k < f->call.program->text.noutputs; k++)
        whole |= (unsigned)is_row(f, k) << k;
    return cuna__call_separate(&f->call, whole);
}

/* Strides of the array inputs over the walk's axes, after the outputs. */
static void expand_inputs(const cuna_fold *f, int64_t strides[][CUNA_MAX_NDIM])
{
    const cuna_call *call = &f->call;
    for (int k = call->program->text.noutputs; k < call->count; k++)
        cuna__shape_expand(strides[k], call->ndim, call->shape, call->arrays[k]->ndim,
                           cuna_array_shape(call->arrays[k]), cuna_array_strides(call->arrays[k]));
}

/* Strides of the outputs over the walk's axes: 0 along those that an output does not have. */
static void expand_outputs(const cuna_fold *f, int64_t strides[][CUNA_MAX_NDIM])
{
    for (int k = 0; k < f->call.program->text.noutputs; k++) {
        const cuna_array *out = f->call.arrays[k];
        const int64_t *own = cuna_array_strides(out);
        bool whole = out->ndim == f->call.ndim;
        for (int axis = 0, at = 0; axis < f->call.ndim; axis++) {
            bool reduced = is_row(f, k) && cuna__fold_is_reduced(f, axis);
            strides[k][axis] = reduced ? 0 : own[whole ? axis : at];
            at += !reduced;
        }
    }
}

void cuna__fold_split_strides(cuna_layout *kept, cuna_layout *reduced, const cuna_fold *f, int count,
                              int64_t strides[][CUNA_MAX_NDIM])
{
    kept->ndim = reduced->ndim = 0;
    kept->noperands = reduced->noperands = count;
    for (int axis = 0; axis < f->call.ndim; axis++) {
        cuna_layout *layout = cuna__fold_is_reduced(f, axis) ? reduced : kept;
        int to = layout->ndim++;
        layout->shape[to] = f->call.shape[axis];
        for (int k = 0; k < count; k++)
            layout->strides[k][to] = strides[k][axis];
    }
    cuna__layout_collapse(kept, true);
    cuna__layout_collapse(reduced, false);
}

void cuna__fold_split(cuna_fold *f)
{
    int64_t strides[CUNA_MAX_OPERANDS][CUNA_MAX_NDIM];
    expand_outputs(f, strides);
    expand_inputs(f, strides);
    cuna__fold_split_strides(&f->kept, &f->reduced, f, f->call.count, strides);
    f->guide = &f->own;
    f->own.kept = &f->kept;
    f->own.reduced = &f->reduced;
    f->own.first = f->call.program->text.noutputs;
    for (int k = 0; k < f->call.count; k++) {
        f->own.itemsize[k] = (uint8_t)cuna_dtype_size(f->call.arrays[k]->dtype);
        f->own.address[k] = cuna__array_data(f->call.arrays[k]);
    }
}

/* As in elementwise.c, over both layouts together. */
bool cuna__fold_is_wide(const cuna_fold *f)
{
    bool wide = f->count >= f->call.device->index_limit || f->outputs >= f->call.device->index_limit;
    for (int k = 0; k < f->kept.noperands && !wide; k++)
        wide = cuna__layout_reach(&f->kept, k) + cuna__layout_reach(&f->reduced, k) >= f->call.device->index_limit;
    return wide;
}

/* What a statement finds beside its walk: raw arrays, the number of reduced axes, and the lengths of these and of the
 * others. */
static void add_statement(cuna_words *words, const cuna_fold *f)
{
    int nreduced = 0;
    cuna__words_add_raws(words, f->call.program, f->call.inputs);
    if (f->call.program->text.indexer == 0)
        return;
    for (int axis = 0; axis < f->call.ndim; axis++)
        nreduced += cuna__fold_is_reduced(f, axis);
    cuna__words_add(words, nreduced);
    for (int pass = 0; pass < 2; pass++)
        for (int axis = 0; axis < f->call.ndim; axis++)
            if (cuna__fold_is_reduced(f, axis) == (pass == 0))
                cuna__words_add(words, f->call.shape[axis]);
}

void cuna__fold_fill_words(cuna_words *words, const cuna_fold *f, double extra, cu_deviceptr workspace)
{
    int64_t bits;
    cuna__words_begin(words);
    for (int k = 0; k < f->kept.noperands; k++)
        cuna__words_add_address(words, f->call.arrays[k]);
    cuna__words_add_scalars(words, f->call.program, f->call.inputs);
    cuna__words_add_layout(words, &f->kept);
    cuna__words_add_layout(words, &f->reduced);
    cuna__fold_add_cut(words, f);
    memcpy(&bits, &extra, sizeof bits);
    cuna__words_add(words, bits);
    cuna__words_add(words, (int64_t)workspace);
    add_statement(words, f);
}

/* reduce_axes.c: what all folds check, make and lay out before they are cut.
 *
 * An output has one value per row, in the shape that is left of the walk's without the folded axes, or (programs in
 * stages) one per element. */
#include "work/reduce_axes.h"

#include <string.h>

static cuna_status gather(cuna_fold *f, const cuna_operand *inputs)
{
    const cuna_program_text *text = &f->program->text;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = inputs[k].array;
        if (text->input_scalar[k])
            continue;
        CUNA_TRY(cuna__array_use_device(&f->device, array, f->name));
        CUNA_TRY(cuna__array_broadcast(&f->ndim, f->shape, array, f->name));
    }
    if (f->device == NULL)
        return cuna_fail(CUNA_VALUE, "%s: no array to fold", f->name);
    return cuna__raws_check(&f->device, f->program, inputs, f->name);
}

static bool is_reduced(const cuna_fold *f, int axis)
{
    return (f->axes >> axis & 1) != 0;
}

cuna_status cuna__fold_open(cuna_fold *f, cuna_context *context, const char *name, const cuna_program *program,
                            const cuna_operand *inputs, uint32_t axes)
{
    int64_t all;
    memset(&f->variant, 0, sizeof f->variant);
    f->context = context;
    f->device = NULL;
    f->name = name;
    f->program = program;
    f->ndim = 0;
    f->axes = axes;
    CUNA_TRY(gather(f, inputs));
    CUNA_TRY(cuna__shape_size(&all, f->ndim, f->shape));
    f->outputs = f->count = 1;
    for (int axis = 0; axis < f->ndim; axis++)
        *(is_reduced(f, axis) ? &f->count : &f->outputs) *= f->shape[axis];
    return CUNA_OK;
}

static bool is_row(const cuna_fold *f, int output)
{
    return f->program->text.kind == CUNA_PROGRAM_FOLD || f->program->text.output_row[output];
}

/* The shape of an output; returns its axes. */
static int shape_output(const cuna_fold *f, int64_t *shape, int output, uint32_t keepdims)
{
    int ndim = 0;
    for (int axis = 0; axis < f->ndim; axis++) {
        if (!is_row(f, output) || !is_reduced(f, axis))
            shape[ndim++] = f->shape[axis];
        else if (keepdims >> output & 1)
            shape[ndim++] = 1;
    }
    return ndim;
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

static cuna_status check_apart(const cuna_fold *f, cuna_array *const *outputs, int output)
{
    for (int other = 0; other < output; other++)
        if (outputs[other]->dims != NULL && cuna__array_meets(outputs[output], outputs[other]))
            return cuna_fail(CUNA_VALUE, "%s: two outputs share memory", f->name);
    return CUNA_OK;
}

cuna_status cuna__fold_make_outputs(const cuna_fold *f, cuna_array *const *outputs, uint32_t keepdims, unsigned *made)
{
    const cuna_program_text *text = &f->program->text;
    int64_t shape[CUNA_MAX_NDIM];
    for (int k = 0; k < text->noutputs; k++) {
        if (outputs[k]->dims == NULL)
            continue;
        int ndim = shape_output(f, shape, k, keepdims);
        CUNA_TRY(check_output(f, outputs[k], text->output_dtype[k], ndim, shape));
        CUNA_TRY(check_apart(f, outputs, k));
    }
    for (int k = 0; k < text->noutputs; k++) {
        if (outputs[k]->dims != NULL)
            continue;
        int ndim = shape_output(f, shape, k, keepdims);
        CUNA_TRY(cuna_array_create_on(outputs[k], f->context, f->device, text->output_dtype[k], ndim, shape));
        *made |= 1u << k;
    }
    return CUNA_OK;
}

void cuna__fold_drop_outputs(const cuna_fold *f, cuna_array *const *outputs, unsigned made)
{
    for (int k = 0; k < f->program->text.noutputs; k++)
        if (made & 1u << k)
            cuna_array_release(outputs[k]);
}

/* An output per element is written where the same element is read last; one per row may be written before others read. */
static bool is_overwritten(const cuna_fold *f, cuna_array *const *outputs, const cuna_array *input)
{
    for (int k = 0; k < f->program->text.noutputs; k++)
        if ((is_row(f, k) ? cuna__array_meets : cuna__array_conflicts)(outputs[k], input))
            return true;
    return false;
}

cuna_status cuna__fold_copy_conflicts(const cuna_fold *f, cuna_operand *safe, cuna_fold_copies *copies,
                                      const cuna_operand *inputs, cuna_array *const *outputs)
{
    const cuna_program_text *text = &f->program->text;
    memcpy(safe, inputs, (size_t)(text->ninputs + text->nraws) * sizeof *safe);
    copies->count = 0;
    for (int k = 0; k < text->ninputs; k++) {
        if (text->input_scalar[k] || !is_overwritten(f, outputs, inputs[k].array))
            continue;
        cuna_array *copy = &copies->at[copies->count];
        memset(copy, 0, sizeof *copy);
        CUNA_TRY(cuna_array_cast(copy, f->context, inputs[k].array, inputs[k].array->dtype));
        safe[k].array = copy;
        copies->count++;
    }
    return CUNA_OK;
}

void cuna__fold_release_copies(cuna_fold_copies *copies)
{
    for (int k = 0; k < copies->count; k++)
        cuna_array_release(&copies->at[k]);
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

/* Strides of the outputs over the walk's axes: 0 along those that an output does not have. */
static void expand_outputs(cuna_fold *f, cuna_array *const *outputs, int64_t strides[][CUNA_MAX_NDIM])
{
    for (int k = 0; k < f->program->text.noutputs; k++) {
        const int64_t *own = cuna_array_strides(outputs[k]);
        bool whole = outputs[k]->ndim == f->ndim;
        f->operands[k] = outputs[k];
        for (int axis = 0, at = 0; axis < f->ndim; axis++) {
            bool reduced = is_row(f, k) && is_reduced(f, axis);
            strides[k][axis] = reduced ? 0 : own[whole ? axis : at];
            at += !reduced;
        }
    }
}

void cuna__fold_split(cuna_fold *f, const cuna_operand *inputs, cuna_array *const *outputs)
{
    int64_t strides[CUNA_MAX_OPERANDS][CUNA_MAX_NDIM];
    expand_outputs(f, outputs, strides);
    expand_inputs(f, inputs, strides);
    f->kept.ndim = f->reduced.ndim = 0;
    f->kept.noperands = f->reduced.noperands = f->program->noperands;
    for (int axis = 0; axis < f->ndim; axis++) {
        cuna_layout *layout = is_reduced(f, axis) ? &f->reduced : &f->kept;
        int to = layout->ndim++;
        layout->shape[to] = f->shape[axis];
        for (int k = 0; k < f->program->noperands; k++)
            layout->strides[k][to] = strides[k][axis];
    }
    cuna__layout_collapse(&f->kept, true);
    cuna__layout_collapse(&f->reduced, false);
}

/* As in elementwise.c, over both layouts together. */
bool cuna__fold_is_wide(const cuna_fold *f)
{
    bool wide = f->count >= f->device->index_limit || f->outputs >= f->device->index_limit;
    for (int k = 0; k < f->kept.noperands && !wide; k++)
        wide = cuna__layout_reach(&f->kept, k) + cuna__layout_reach(&f->reduced, k) >= f->device->index_limit;
    return wide;
}

void cuna__fold_pack(cuna_words *words, const cuna_fold *f, const cuna_operand *inputs, double extra,
                     cu_deviceptr workspace)
{
    int64_t bits;
    words->count = 0;
    for (int k = 0; k < f->kept.noperands; k++)
        cuna__words_add(words, (int64_t)f->operands[k]->data);
    cuna__words_add_scalars(words, f->program, inputs);
    cuna__words_add_layout(words, &f->kept);
    cuna__words_add_layout(words, &f->reduced);
    cuna__fold_add_cut(words, f);
    memcpy(&bits, &extra, sizeof bits);
    cuna__words_add(words, bits);
    cuna__words_add(words, (int64_t)workspace);
    cuna__words_add_raws(words, f->program, inputs);
}

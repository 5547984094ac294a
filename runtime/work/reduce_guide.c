/* reduce_guide.c: the operands that a fold by itself would read, which decide the order in which it adds.
 *
 * A program that computes what it folds must add as if the steps before the fold had run first. What they would have left
 * is known from the program: inputs as they are, and in place of steps that are stored arrays in row-major order, of the
 * walk's shape. Values that are the same for a row weigh nothing. The same holds for scans. */
#include "work/reduce_guide.h"

/* Marks which values a fold of `value` would find in arrays: 1, or 2 where it would read every second element of one. */
static void mark_sources(uint8_t *source, const cuna_program_text *text, int value)
{
    int first = text->ninputs + (text->uses_index != 0);
    source[value] = 1;
    for (; value >= first; value--) {
        const cuna_instruction *step = &text->instruction[value - first];
        uint8_t factor = source[value];
        if (factor == 0 || step->stored == CUNA_STORED_WHOLE)
            continue;
        source[value] = 0;
        for (int i = 0; i < step->nargs && !step->folds; i++)
            source[step->arg[i]] = step->stored == CUNA_STORED_PART ? 2 : factor;
    }
}

static cuna_dtype dtype_of(const cuna_program_text *text, int value)
{
    int first = text->ninputs + (text->uses_index != 0);
    return value < text->ninputs ? text->input_dtype[value]
           : value < first       ? CUNA_INT64
                                 : text->instruction[value - first].dtype;
}

/* Adds a value to the guide: an input as it is, or an array in row-major order. */
static void add_source(cuna_fold *f, int64_t strides[][CUNA_MAX_NDIM], int value, int input, int factor)
{
    cuna_guide *g = &f->stored;
    int k = g->count++;
    const cuna_array *array = input < 0 ? NULL : f->call.arrays[input];
    g->itemsize[k] = (uint8_t)(cuna_dtype_size(dtype_of(&f->call.program->text, value)) / factor);
    g->address[k] = array ? cuna__array_data(array) : 0;
    if (array == NULL)
        cuna__shape_strides(strides[k], f->call.ndim, f->call.shape);
    else
        cuna__shape_expand(strides[k], f->call.ndim, f->call.shape, array->ndim, cuna_array_shape(array),
                           cuna_array_strides(array));
    for (int axis = 0; axis < f->call.ndim; axis++)
        strides[k][axis] *= factor;
}

/* A result in row-major order: strides of 0 along the folded axes. A scan's has all of them. */
static void lay_result(const cuna_fold *f, int64_t *strides)
{
    int64_t step = 1;
    if (cuna__program_scans(&f->call.program->text)) {
        cuna__shape_strides(strides, f->call.ndim, f->call.shape);
        return;
    }
    for (int axis = f->call.ndim - 1; axis >= 0; axis--) {
        strides[axis] = cuna__fold_is_reduced(f, axis) ? 0 : step;
        step *= cuna__fold_is_reduced(f, axis) ? 1 : f->call.shape[axis];
    }
}

void cuna__fold_guide_by(cuna_fold *f, int value)
{
    const cuna_program_text *text = &f->call.program->text;
    uint8_t source[CUNA_MAX_OPERANDS + 1 + CUNA_MAX_INSTRUCTIONS] = {0};
    int64_t strides[CUNA_MAX_OPERANDS][CUNA_MAX_NDIM];
    mark_sources(source, text, value);
    f->guide = &f->stored;
    f->stored.kept = &f->guide_kept;
    f->stored.reduced = &f->guide_reduced;
    f->stored.first = f->stored.count = 1;
    f->stored.itemsize[0] = (uint8_t)cuna_dtype_size(text->output_dtype[0]);
    f->stored.address[0] = 0;
    lay_result(f, strides[0]);
    for (int v = 0, operand = text->noutputs; v <= value; v++) {
        bool is_array = v < text->ninputs && !text->input_scalar[v];
        if (source[v] && (v == value || !f->call.program->levels.row[v]) && f->stored.count < CUNA_MAX_OPERANDS)
            add_source(f, strides, v, is_array ? operand : -1, source[v]);
        operand += is_array;
    }
    cuna__fold_split_strides(&f->guide_kept, &f->guide_reduced, f, f->stored.count, strides);
}

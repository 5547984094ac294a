/* reduce_scan.c: scans a program's values along an axis: every element gets its fold with all before it.
 *
 * The scanned axis is the folded one, and outputs have all axes. A scan of all elements in row-major order runs over
 * operands of one axis; those that cannot be seen so without a copy are copied first. So are inputs that an output
 * overwrites other than element for element, and those that lie across the output in memory: a copy moves them in
 * squares, where a scan would fetch a cache line for each element. */
#include <string.h>

#include "work/reduce_axes.h"
#include "work/reduce_scan_cut.h"

#define ACROSS_ELEMENTS 4096 /* inputs that are large enough to be copied because they lie across */
#define ACROSS_LENGTH   8    /* along an axis that is worth it */

/* Operands of a call, in place of which others may stand that are released at its end. */
typedef struct stand_ins {
    cuna_operand at[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    int count;
    cuna_array arrays[5 * CUNA_MAX_OPERANDS];
} stand_ins;

static void begin_stand_ins(stand_ins *in, const cuna_program_text *text, const cuna_operand *inputs)
{
    memcpy(in->at, inputs, (size_t)(text->ninputs + text->nraws) * sizeof *inputs);
    in->count = 0;
}

static void end_stand_ins(stand_ins *in)
{
    for (int k = 0; k < in->count; k++)
        cuna_array_release(&in->arrays[k]);
}

static cuna_array *next_stand_in(stand_ins *in)
{
    cuna_array *array = &in->arrays[in->count++];
    memset(array, 0, sizeof *array);
    return array;
}

static cuna_status copy_input(stand_ins *in, int k, cuna_context *context)
{
    const cuna_array *array = in->at[k].array;
    in->at[k].array = next_stand_in(in);
    return cuna_array_cast(&in->arrays[in->count - 1], context, array, array->dtype);
}

/* ---- all elements as one axis ---- */

static cuna_status broadcast_shape(cuna_geometry *out, const cuna_program_text *text, const cuna_operand *inputs,
                                   const char *name)
{
    out->ndim = 0;
    out->offset = 0;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = inputs[k].array;
        if (text->input_scalar[k])
            continue;
        CUNA_TRY(cuna__array_check_filled(array, name));
        CUNA_TRY(cuna__array_broadcast(&out->ndim, out->shape, array, name));
    }
    return CUNA_OK;
}

/* Puts a view of one axis in the place of input k, after a copy where that is needed. */
static cuna_status flatten_input(stand_ins *in, int k, const cuna_geometry *whole, int64_t size, cuna_context *context)
{
    const cuna_array *array = in->at[k].array;
    cuna_geometry expanded = *whole, flat = {.ndim = 1, .shape = {size}};
    cuna__shape_expand(expanded.strides, whole->ndim, whole->shape, array->ndim, cuna_array_shape(array),
                       cuna_array_strides(array));
    if (array->size != 1 && !cuna__shape_reshape(flat.strides, 1, flat.shape, &expanded)) {
        CUNA_TRY(cuna_array_view(next_stand_in(in), array, array->dtype, &expanded));
        in->at[k].array = &in->arrays[in->count - 1];
        CUNA_TRY(copy_input(in, k, context));
        array = in->at[k].array;
        flat.strides[0] = 1;
    }
    CUNA_TRY(cuna_array_view(next_stand_in(in), array, array->dtype, &flat));
    in->at[k].array = &in->arrays[in->count - 1];
    return CUNA_OK;
}

static cuna_status flatten(stand_ins *in, const cuna_program_text *text, cuna_context *context, const char *name)
{
    cuna_geometry whole;
    int64_t size;
    CUNA_TRY(broadcast_shape(&whole, text, in->at, name));
    CUNA_TRY(cuna__shape_size(&size, whole.ndim, whole.shape));
    for (int k = 0; k < text->ninputs; k++)
        if (!text->input_scalar[k])
            CUNA_TRY(flatten_input(in, k, &whole, size, context));
    return CUNA_OK;
}

/* ---- layout ---- */

static int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Whether an operand moves in much smaller steps than `jump` along an axis that is long. */
static bool is_short_way(const cuna_layout *layout, int operand, int axis, int64_t jump)
{
    int64_t step = magnitude(layout->strides[operand][axis]);
    return layout->shape[axis] >= ACROSS_LENGTH && step > 0 && 4 * step <= jump;
}

/* Whether an operand jumps along the runs of the cut, and moves in smaller steps along another long axis. */
static bool lies_across(const cuna_scan_call *s, int operand)
{
    const cuna_fold *f = &s->fold;
    bool columns = f->variant.form == CUNA_FORM_SCAN_COLUMNS;
    int run = columns ? f->kept.ndim - 1 : 0;
    const cuna_layout *runs = columns ? &f->kept : &f->reduced;
    int64_t jump = magnitude(runs->strides[operand][run]);
    if (runs->shape[run] < ACROSS_LENGTH)
        return false;
    for (int axis = 0; axis < f->kept.ndim; axis++)
        if ((!columns || axis != run) && is_short_way(&f->kept, operand, axis, jump))
            return true;
    return columns && is_short_way(&f->reduced, operand, 0, jump);
}

/* Copies inputs that lie across the output; says whether there were any. */
static cuna_status copy_across(bool *any, const cuna_scan_call *s, stand_ins *in)
{
    const cuna_program_text *text = &s->fold.program->text;
    *any = false;
    for (int k = 0, operand = text->noutputs; k < text->ninputs; k++) {
        if (text->input_scalar[k])
            continue;
        if (in->at[k].array->size >= ACROSS_ELEMENTS && lies_across(s, operand)) {
            CUNA_TRY(copy_input(in, k, s->fold.context));
            *any = true;
        }
        operand++;
    }
    return CUNA_OK;
}

static void lay_out(cuna_scan_call *s, const stand_ins *in, cuna_array *const *outputs)
{
    cuna__fold_split(&s->fold, in->at, outputs);
    s->fold.variant.wide = cuna__fold_is_wide(&s->fold);
    cuna__scan_cut(s);
}

/* ---- launch ---- */

static cuna_status make_workspace(cuna_block **out, const cuna_scan_call *s)
{
    cuna_device *device = s->fold.device;
    *out = NULL;
    if (s->workspace_nbytes == 0)
        return CUNA_OK;
    CUNA_TRY(cuna__workspace_take(out, s->fold.context, device, s->workspace_nbytes));
    if (s->zeroed_nbytes == 0)
        return CUNA_OK;
    CUNA_TRY(cuna__device_enter(device));
    return cuna__device_check(device,
                              device->driver->memset_d8_async((*out)->ptr, 0, (size_t)s->zeroed_nbytes,
                                                              cuna__context_stream(s->fold.context, device)->handle),
                              s->fold.name);
}

static cuna_status launch(const cuna_scan_call *s, const cuna_kernel *kernel, const cuna_operand *inputs, bool totals,
                          cu_deviceptr workspace)
{
    const cuna_fold *f = &s->fold;
    cuna_words words;
    words.count = 0;
    for (int k = 0; k < f->kept.noperands; k++)
        cuna__words_add(&words, (int64_t)f->operands[k]->data);
    cuna__words_add_scalars(&words, f->program, inputs);
    cuna__words_add_layout(&words, &f->kept);
    cuna__words_add_layout(&words, &f->reduced);
    cuna__scan_add_cut(&words, s, totals, workspace);
    cuna__words_add_raws(&words, f->program, inputs);
    return cuna__launch(f->context, f->device, f->name, kernel->functions[0], s->blocks, &words);
}

static cuna_status start(const cuna_scan_call *s, const cuna_operand *inputs)
{
    const cuna_kernel *kernel;
    cuna_block *workspace;
    CUNA_TRY(cuna__kernel_get(&kernel, s->fold.context, s->fold.device, s->fold.program, &s->fold.variant));
    if (kernel == NULL)
        return CUNA_OK;
    const cuna_fold *f = &s->fold;
    CUNA_TRY(cuna__operands_claim(f->context, f->device, f->kept.noperands, f->operands, f->program, inputs));
    cuna_status status = make_workspace(&workspace, s);
    if (status == CUNA_OK && s->twice)
        status = launch(s, kernel, inputs, true, workspace->ptr);
    if (status == CUNA_OK)
        status = launch(s, kernel, inputs, false, workspace != NULL ? workspace->ptr : 0);
    cuna__workspace_give_back(f->context, f->device, workspace);
    return status;
}

static cuna_status run(cuna_scan_call *s, stand_ins *in, cuna_array *const *outputs)
{
    bool copied;
    const cuna_program_text *text = &s->fold.program->text;
    for (int k = 0; k < text->ninputs; k++)
        for (int o = 0; o < text->noutputs && !text->input_scalar[k]; o++)
            if (cuna__array_conflicts(outputs[o], in->at[k].array))
                CUNA_TRY(copy_input(in, k, s->fold.context));
    lay_out(s, in, outputs);
    CUNA_TRY(copy_across(&copied, s, in));
    if (copied)
        lay_out(s, in, outputs);
    return start(s, in->at);
}

static cuna_status run_along(cuna_context *context, const char *name, const cuna_program *program, stand_ins *in,
                             cuna_array *const *outputs, int axis)
{
    cuna_scan_call s;
    unsigned made = 0;
    CUNA_TRY(cuna__fold_open(&s.fold, context, name, program, in->at, (uint32_t)1 << axis));
    if (axis >= s.fold.ndim)
        return cuna_fail(CUNA_VALUE, "%s: axis %d of arrays with %d axes", name, axis + 1, s.fold.ndim);
    cuna_status status = cuna__fold_make_outputs(&s.fold, outputs, 0, &made);
    if (status == CUNA_OK && s.fold.outputs > 0 && s.fold.count > 0)
        status = run(&s, in, outputs);
    if (status != CUNA_OK)
        cuna__fold_drop_outputs(&s.fold, outputs, made);
    return status;
}

cuna_status cuna_scan(cuna_context *context, const char *name, const cuna_program *program, const cuna_operand *inputs,
                      cuna_array *const *outputs, int axis)
{
    const cuna_program_text *text = &program->text;
    stand_ins in;
    if (!cuna__program_scans(text))
        return cuna_fail(CUNA_VALUE, "%s: the program does not scan", name);
    begin_stand_ins(&in, text, inputs);
    cuna_status status = axis < 0 ? flatten(&in, text, context, name) : CUNA_OK;
    if (status == CUNA_OK)
        status = run_along(context, name, program, &in, outputs, axis < 0 ? 0 : axis);
    end_stand_ins(&in);
    return status;
}

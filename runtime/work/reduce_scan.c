/* reduce_scan.c: scans along an axis: each element becomes the fold of all up to it, or of all before it.
 *
 * The scanned axis is the folded one, and outputs have all axes. A scan of all elements in row-major order treats
 * operands as 1-d; operands without such a view are copied first. Inputs that overlap an output at other positions are
 * copied too, as are inputs that move in smaller steps along another axis than the runs do: the copy moves squares,
 * where the scan would fetch a cache line for each element. A program that computes what it scans, and would have to copy
 * an input, is declined: then the value is stored, which moves no more than the copy. */
#include "work/reduce_guide.h"
#include "work/reduce_scan_cut.h"

#define ACROSS_ELEMENTS 4096 /* inputs that are large enough to be copied because they lie across */
#define ACROSS_LENGTH   8    /* along an axis that is worth it */

/* ---- all elements as one axis ---- */

/* Puts a view of one axis in the place of arrays[k], after a copy where that is needed, unless the call `declines`. */
static cuna_status flatten_input(bool *declined, cuna_call *c, int k)
{
    const cuna_array *array = c->arrays[k];
    cuna_geometry expanded = {.ndim = c->ndim}, flat = {.ndim = 1, .shape = {c->size}};
    cuna__copy_lengths(expanded.shape, c->shape, c->ndim);
    cuna__shape_expand(expanded.strides, c->ndim, c->shape, array->ndim, cuna_array_shape(array),
                       cuna_array_strides(array));
    /* A single element stands for all, by the stride of 0 that `flat` has. */
    bool is_across = array->size != 1 && !cuna__shape_reshape(flat.strides, 1, flat.shape, &expanded);
    *declined |= is_across && c->program->stores;
    if (*declined)
        return CUNA_OK;
    if (is_across) {
        cuna_array *whole = cuna__call_add_stand_in(c);
        CUNA_TRY(cuna_array_view(whole, array, array->dtype, &expanded));
        c->arrays[k] = whole;
        CUNA_TRY(cuna__call_copy(c, k));
        array = c->arrays[k];
        flat.strides[0] = 1;
    }
    cuna_array *line = cuna__call_add_stand_in(c);
    CUNA_TRY(cuna_array_view(line, array, array->dtype, &flat));
    c->arrays[k] = line;
    return CUNA_OK;
}

static cuna_status flatten(bool *declined, cuna_call *c)
{
    for (int k = c->program->text.noutputs; k < c->count; k++)
        CUNA_TRY(flatten_input(declined, c, k));
    c->ndim = 1;
    c->shape[0] = c->size;
    return CUNA_OK;
}

/* ---- layout ---- */

/* Whether an operand moves in much smaller steps than `jump` along an axis that is long. */
static bool is_short_way(const cuna_layout *layout, int operand, int axis, int64_t jump)
{
    int64_t step = cuna__magnitude(layout->strides[operand][axis]);
    return layout->shape[axis] >= ACROSS_LENGTH && step > 0 && 4 * step <= jump;
}

/* Whether an operand jumps along the runs of the cut, and moves in smaller steps along another long axis. */
static bool lies_across(const cuna_scan_call *s, int operand)
{
    const cuna_fold *f = &s->fold;
    bool columns = f->variant.form == CUNA_FORM_SCAN_COLUMNS;
    int run = columns ? f->kept.ndim - 1 : 0;
    const cuna_layout *runs = columns ? &f->kept : &f->reduced;
    int64_t jump = cuna__magnitude(runs->strides[operand][run]);
    if (runs->shape[run] < ACROSS_LENGTH)
        return false;
    for (int axis = 0; axis < f->kept.ndim; axis++)
        if ((!columns || axis != run) && is_short_way(&f->kept, operand, axis, jump))
            return true;
    return columns && is_short_way(&f->reduced, operand, 0, jump);
}

/* Copies inputs that lie across the runs; *any: whether there were any. A program that stores values is declined. */
static cuna_status copy_across(bool *any, bool *declined, cuna_scan_call *s)
{
    cuna_call *c = &s->fold.call;
    *any = false;
    for (int k = c->program->text.noutputs; k < c->count; k++) {
        if (c->arrays[k]->size < ACROSS_ELEMENTS || !lies_across(s, k))
            continue;
        *any = true;
        *declined |= c->program->stores;
        if (!*declined)
            CUNA_TRY(cuna__call_copy(c, k));
    }
    return CUNA_OK;
}

static bool same_lengths(const cuna_layout *a, const cuna_layout *b)
{
    return a->ndim == b->ndim && cuna__same_lengths(a->shape, b->shape, a->ndim);
}

/* Whether the runs of the operands are those of the stored values, which decide the order. */
static bool has_runs_of_guide(const cuna_fold *f)
{
    return f->guide == &f->own ||
           (same_lengths(&f->kept, f->guide->kept) && same_lengths(&f->reduced, f->guide->reduced));
}

static void lay_out(cuna_scan_call *s)
{
    const cuna_program *program = s->fold.call.program;
    cuna__fold_split(&s->fold);
    if (program->stores)
        cuna__fold_guide_by(&s->fold, program->text.output_value[0]);
    s->fold.variant.wide = cuna__fold_is_wide(&s->fold);
    cuna__scan_cut(s);
}

/* ---- launch ---- */

static cuna_status make_workspace(cuna_block **out, const cuna_scan_call *s)
{
    cuna_device *device = s->fold.call.device;
    *out = NULL;
    if (s->workspace_nbytes == 0)
        return CUNA_OK;
    CUNA_TRY(cuna__workspace_take(out, s->fold.call.context, device, s->workspace_nbytes));
    if (s->zeroed_nbytes == 0)
        return CUNA_OK;
    CUNA_TRY(cuna__device_enter(device));
    return cuna__device_check(
        device,
        device->driver->memset_d8_async((*out)->ptr, 0, (size_t)s->zeroed_nbytes,
                                        cuna__context_stream(s->fold.call.context, device)->handle),
        s->fold.call.name);
}

static cuna_status launch(const cuna_scan_call *s, const cuna_kernel *kernel, bool totals, cu_deviceptr workspace)
{
    const cuna_fold *f = &s->fold;
    const cuna_call *c = &f->call;
    cuna_words words;
    cuna__words_begin(&words);
    for (int k = 0; k < c->count; k++)
        cuna__words_add_address(&words, c->arrays[k]);
    cuna__words_add_scalars(&words, c->program, c->inputs);
    cuna__words_add_layout(&words, &f->kept);
    cuna__words_add_layout(&words, &f->reduced);
    cuna__scan_add_cut(&words, s, totals, workspace);
    cuna__words_add_raws(&words, c->program, c->inputs);
    return cuna__launch(c->context, c->device, c->name, kernel->functions[0], s->blocks, &words);
}

static cuna_status start(const cuna_scan_call *s)
{
    const cuna_call *c = &s->fold.call;
    const cuna_kernel *kernel;
    cuna_block *workspace;
    CUNA_TRY(cuna__kernel_get(&kernel, c->context, c->device, c->program, &s->fold.variant, c->size));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__call_claim(c));
    cuna_status status = make_workspace(&workspace, s);
    if (status == CUNA_OK && s->twice)
        status = launch(s, kernel, true, workspace->ptr);
    if (status == CUNA_OK)
        status = launch(s, kernel, false, workspace != NULL ? workspace->ptr : 0);
    cuna__workspace_give_back(c->context, c->device, workspace);
    return status;
}

/* An element is written where it is read last, so an output may be an input; other overlaps take a copy. */
static cuna_status execute(bool *declined, cuna_scan_call *s)
{
    bool copied;
    CUNA_TRY(cuna__call_separate(&s->fold.call, 0));
    lay_out(s);
    *declined = !has_runs_of_guide(&s->fold);
    CUNA_TRY(copy_across(&copied, declined, s));
    if (*declined)
        return CUNA_OK;
    if (copied) /* copies have strides of their own, by which the cut is chosen */
        lay_out(s);
    return start(s);
}

static cuna_status run_along(bool *declined, cuna_scan_call *s, cuna_array *const *outputs, int axis)
{
    cuna_call *c = &s->fold.call;
    *declined = false;
    if (axis < 0)
        CUNA_TRY(flatten(declined, c));
    else if (axis >= c->ndim)
        return cuna_fail(CUNA_VALUE, "%s: axis %d of arrays with %d axes", c->name, axis + 1, c->ndim);
    if (*declined)
        return CUNA_OK;
    cuna__fold_choose_axes(&s->fold, (uint32_t)1 << cuna__max(axis, 0));
    CUNA_TRY(cuna__fold_make_outputs(&s->fold, outputs, 0));
    return s->fold.outputs > 0 && s->fold.count > 0 ? execute(declined, s) : CUNA_OK;
}

cuna_status cuna_scan(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                      const cuna_operand *inputs, cuna_array *const *outputs, int axis, int ndim, const int64_t *shape)
{
    cuna_scan_call s;
    bool declined;
    if (!cuna__program_scans(&program->text))
        return cuna_fail(CUNA_VALUE, "%s: the program does not scan", name);
    CUNA_TRY(cuna__fold_gather(&s.fold, context, name, program, inputs, ndim, shape));
    cuna_status status = run_along(&declined, &s, outputs, axis);
    *ran = !declined;
    cuna__call_end(&s.fold.call, outputs, status == CUNA_OK && *ran);
    return status;
}

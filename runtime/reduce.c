/* reduce.c: folds a program's values over axes.
 *
 * The walk is split into kept and reduced axes, each collapsed on its own. Runs lie along a reduced axis (FOLD_ROWS), or
 * along the innermost kept axis where that is the contiguous one (FOLD_COLUMNS). When outputs are few, the folded space
 * is cut into segments whose states a second kernel merges. All of this depends on shapes and strides only, so the same
 * call always adds in the same order. */
#include <string.h>

#include "array.h"
#include "launch.h"

#define SEGMENT_ELEMENTS 65536 /* elements worth a segment of their own */
#define SEGMENTED_BLOCKS 256   /* blocks that segments are cut for */

typedef struct plan {
    cuna_context *context;
    cuna_device *device;
    const char *name;
    const cuna_program *program;
    int ndim; /* of the broadcast inputs */
    int64_t shape[CUNA_MAX_NDIM];
    uint32_t axes;
    int64_t outputs, count;
    cuna_layout kept, reduced;
    int64_t tile, pieces, rows, segments, runs;
    cuna_variant variant;
} plan;

static cuna_status gather(plan *p, const cuna_operand *inputs)
{
    const cuna_program_text *text = &p->program->text;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = inputs[k].array;
        if (text->input_scalar[k])
            continue;
        CUNA_TRY(cuna__array_check_filled(array, p->name));
        if (p->device != NULL && p->device != array->buffer->device)
            return cuna_fail(CUNA_VALUE, "%s: one array is on %s and another on %s", p->name, p->device->name,
                             array->buffer->device->name);
        p->device = array->buffer->device;
        if (!cuna__shape_broadcast(&p->ndim, p->shape, array->ndim, cuna_array_shape(array)))
            return cuna_fail(CUNA_VALUE, "%s: the shapes of the inputs do not broadcast", p->name);
    }
    return CUNA_OK;
}

/* The result's shape; counts outputs and the elements that each folds. */
static cuna_status shape_result(plan *p, int *ndim, int64_t *shape, bool keepdims)
{
    int64_t all;
    *ndim = 0;
    CUNA_TRY(cuna__shape_size(&all, p->ndim, p->shape));
    p->outputs = p->count = 1;
    for (int axis = 0; axis < p->ndim; axis++) {
        bool reduced = (p->axes >> axis & 1) != 0;
        if (reduced)
            p->count *= p->shape[axis];
        else
            p->outputs *= p->shape[axis];
        if (!reduced || keepdims)
            shape[(*ndim)++] = reduced ? 1 : p->shape[axis];
    }
    return CUNA_OK;
}

static cuna_status check_output(const plan *p, const cuna_array *out, int ndim, const int64_t *shape)
{
    CUNA_TRY(cuna__array_check_filled(out, p->name));
    CUNA_TRY(cuna__array_check_writable(out, p->name));
    if (out->buffer->device != p->device)
        return cuna_fail(CUNA_VALUE, "%s: out is on %s and the input on %s", p->name, out->buffer->device->name,
                         p->device->name);
    if (out->dtype != p->program->text.output_dtype[0])
        return cuna_fail(CUNA_VALUE, "%s: out has dtype %s, but the program writes %s", p->name,
                         cuna_dtype_name(out->dtype), cuna_dtype_name(p->program->text.output_dtype[0]));
    if (out->ndim == ndim && memcmp(cuna_array_shape(out), shape, (size_t)ndim * sizeof *shape) == 0)
        return CUNA_OK;
    char ours[256], theirs[256];
    cuna__array_describe(theirs, sizeof theirs, out);
    return cuna_fail(CUNA_VALUE, "%s: out has shape %s, but the result has shape %s", p->name, theirs,
                     cuna__shape_text(ours, sizeof ours, ndim, shape));
}

/* Sorts the axes of the walk into kept and reduced; strides of the output along reduced axes are 0. */
static void split_axes(plan *p, const cuna_operand *inputs, const cuna_array *out)
{
    const cuna_program_text *text = &p->program->text;
    const int64_t *out_strides = cuna_array_strides(out);
    bool keepdims = out->ndim == p->ndim;
    int64_t strides[CUNA_MAX_OPERANDS][CUNA_MAX_NDIM];
    int operand = 1;
    for (int k = 0; k < text->ninputs; k++)
        if (!text->input_scalar[k])
            cuna__shape_expand(strides[operand++], p->ndim, p->shape, inputs[k].array->ndim,
                               cuna_array_shape(inputs[k].array), cuna_array_strides(inputs[k].array));
    p->kept.ndim = p->reduced.ndim = 0;
    p->kept.noperands = p->reduced.noperands = operand;
    for (int axis = 0, at = 0; axis < p->ndim; axis++) {
        bool reduced = (p->axes >> axis & 1) != 0;
        cuna_layout *layout = reduced ? &p->reduced : &p->kept;
        int to = layout->ndim++;
        layout->shape[to] = p->shape[axis];
        layout->strides[0][to] = reduced ? 0 : out_strides[keepdims ? axis : at];
        for (int k = 1; k < operand; k++)
            layout->strides[k][to] = strides[k][axis];
        at += !reduced;
    }
    cuna__layout_collapse(&p->kept, true);
    cuna__layout_collapse(&p->reduced, false);
}

static int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Rows so short that folding each by itself costs more than packing many into a tile. */
static bool has_short_rows(const plan *p)
{
    return p->kept.ndim > 0 && p->reduced.ndim == 1 && p->kept.noperands > 1 && p->count <= CUNA_TILE_SIDE &&
           p->kept.shape[p->kept.ndim - 1] >= CUNA_TILE_SIDE / 2 && p->reduced.strides[1][0] == 1 &&
           cuna__stride_classify(p->kept.strides[1][p->kept.ndim - 1]) == CUNA_STRIDE_ANY;
}

/* Runs lie along the kept axis when the first input is walked in smaller steps there. */
static bool prefers_columns(const plan *p)
{
    if (p->kept.ndim == 0 || p->reduced.ndim == 0 || p->kept.noperands < 2)
        return false;
    int kept = p->kept.ndim - 1, reduced = p->reduced.ndim - 1;
    return p->kept.shape[kept] >= 4 && magnitude(p->kept.strides[1][kept]) < magnitude(p->reduced.strides[1][reduced]);
}

static void add_unit_axis(cuna_layout *layout)
{
    if (layout->ndim > 0)
        return;
    layout->ndim = 1;
    layout->shape[0] = 1;
    for (int k = 0; k < layout->noperands; k++)
        layout->strides[k][0] = 0;
}

static void classify_runs(plan *p, const cuna_layout *runs)
{
    for (int k = 0; k < runs->noperands; k++)
        p->variant.stride_class[k] = (uint8_t)cuna__stride_classify(runs->strides[k][runs->ndim - 1]);
    p->variant.rank = (uint8_t)p->kept.ndim;
    p->variant.reduced_rank = (uint8_t)p->reduced.ndim;
}

/* As in elementwise.c, over both layouts together. */
static bool is_wide(const plan *p)
{
    bool wide = p->count >= p->device->index_limit || p->outputs >= p->device->index_limit;
    for (int k = 0; k < p->kept.noperands && !wide; k++)
        wide = cuna__layout_reach(&p->kept, k) + cuna__layout_reach(&p->reduced, k) >= p->device->index_limit;
    return wide;
}

/* Cuts the work of `blocks` blocks, each folding `units` of `unit` elements per output, into segments. */
static void cut_segments(plan *p, int64_t blocks, int64_t units, int64_t elements)
{
    int64_t wanted = cuna__min(cuna__ceil_div(elements, SEGMENT_ELEMENTS), cuna__ceil_div(SEGMENTED_BLOCKS, blocks));
    p->segments = cuna__max(1, cuna__min(wanted, units));
    p->runs = cuna__ceil_div(units, p->segments);
    p->segments = cuna__ceil_div(units, p->runs);
}

/* Squares of short rows: one block each. */
static int64_t cut_tiles(plan *p)
{
    int inner = p->kept.ndim - 1;
    p->variant.form = CUNA_FORM_FOLD_TILES;
    p->tile = CUNA_TILE_SIDE;
    p->pieces = cuna__ceil_div(p->kept.shape[inner], CUNA_TILE_SIDE);
    classify_runs(p, &p->kept);
    for (int k = 1; k < p->kept.noperands; k++)
        if (p->variant.stride_class[k] == CUNA_STRIDE_ANY && p->reduced.strides[k][0] == 1)
            p->variant.stride_class[k] = CUNA_STRIDE_TILED;
    return p->outputs / p->kept.shape[inner] * p->pieces;
}

/* Decides form, runs, rows and segments; returns the blocks of the first kernel. */
static int64_t cut(plan *p)
{
    add_unit_axis(&p->reduced);
    if (has_short_rows(p))
        return cut_tiles(p);
    if (prefers_columns(p)) {
        int64_t inner = p->kept.shape[p->kept.ndim - 1];
        p->variant.form = CUNA_FORM_FOLD_COLUMNS;
        p->tile = CUNA_FOLD_COLUMNS;
        p->pieces = cuna__ceil_div(inner, CUNA_FOLD_COLUMNS);
        int64_t blocks = p->outputs / inner * p->pieces;
        cut_segments(p, blocks, cuna__ceil_div(p->count, CUNA_FOLD_PASS),
                     cuna__min(inner, CUNA_FOLD_COLUMNS) * p->count);
        p->runs *= CUNA_FOLD_PASS;
        classify_runs(p, &p->kept);
        return blocks * p->segments;
    }
    int64_t inner = p->reduced.shape[p->reduced.ndim - 1];
    p->variant.form = CUNA_FORM_FOLD_ROWS;
    p->tile = p->device->driver->facts.tile_elements;
    p->pieces = cuna__ceil_div(inner, p->tile);
    p->rows = cuna__max(1, cuna__min(p->tile / p->count, 4096));
    cut_segments(p, cuna__ceil_div(p->outputs, p->rows), p->count / inner * p->pieces, p->count);
    classify_runs(p, &p->reduced);
    return cuna__ceil_div(p->outputs, p->rows) * p->segments;
}

static void pack(cuna_words *words, const plan *p, const cuna_operand *inputs, const cuna_array *out, double extra,
                 cu_deviceptr workspace)
{
    words->count = 0;
    cuna__words_add(words, (int64_t)out->data);
    for (int k = 0; k < p->program->text.ninputs; k++)
        if (!p->program->text.input_scalar[k])
            cuna__words_add(words, (int64_t)inputs[k].array->data);
    cuna__words_add_scalars(words, p->program, inputs);
    cuna__words_add_layout(words, &p->kept);
    cuna__words_add_layout(words, &p->reduced);
    int64_t bits;
    memcpy(&bits, &extra, sizeof bits);
    const int64_t rest[] = {p->outputs,  p->count, p->tile, p->pieces,         p->rows,
                            p->segments, p->runs,  bits,    (int64_t)workspace};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        cuna__words_add(words, rest[i]);
}

static cuna_status run(plan *p, const cuna_operand *inputs, const cuna_array *out, double extra)
{
    split_axes(p, inputs, out);
    p->variant.wide = is_wide(p);
    int64_t blocks = cut(p);
    const cuna_kernel *kernel;
    CUNA_TRY(cuna__kernel_get(&kernel, p->context, p->device, p->program, &p->variant));
    if (kernel == NULL)
        return CUNA_OK;
    cuna_block *workspace = NULL;
    if (p->segments > 1)
        CUNA_TRY(cuna__device_alloc(&workspace, p->device, p->outputs * p->segments * CUNA_STATE_NBYTES));
    cuna_words words;
    pack(&words, p, inputs, out, extra, workspace ? workspace->ptr : 0);
    cuna_status status = cuna__launch(p->context, p->device, p->name, kernel->functions[0], blocks, &words);
    if (status == CUNA_OK && p->segments > 1)
        status = cuna__launch(p->context, p->device, p->name, kernel->functions[1], cuna__ceil_div(p->outputs, p->tile),
                              &words);
    cuna__pool_free(p->device->pool, workspace);
    return status;
}

/* Nothing to fold: every output is what finish makes of the identity. A fold over a single element of a scalar operand
 * cannot say so, hence the one-element run with a count of 0. */
static cuna_status run_empty(plan *p, const cuna_operand *inputs, const cuna_array *out, double extra)
{
    split_axes(p, inputs, out);
    add_unit_axis(&p->reduced);
    p->reduced.ndim = 1;
    p->reduced.shape[0] = 1;
    p->variant.form = CUNA_FORM_FOLD_ROWS;
    p->tile = p->pieces = p->segments = p->rows = 1;
    classify_runs(p, &p->reduced);
    const cuna_kernel *kernel;
    CUNA_TRY(cuna__kernel_get(&kernel, p->context, p->device, p->program, &p->variant));
    if (kernel == NULL)
        return CUNA_OK;
    cuna_words words;
    pack(&words, p, inputs, out, extra, 0);
    return cuna__launch(p->context, p->device, p->name, kernel->functions[0], p->outputs, &words);
}

static cuna_status run_checked(plan *p, const cuna_operand *inputs, cuna_array *output, double extra)
{
    const cuna_program_text *text = &p->program->text;
    cuna_operand safe[CUNA_MAX_OPERANDS];
    cuna_array copies[CUNA_MAX_OPERANDS];
    int ncopies = 0;
    cuna_status status = CUNA_OK;
    memcpy(safe, inputs, text->ninputs * sizeof *safe);
    for (int k = 0; k < text->ninputs && status == CUNA_OK; k++) {
        if (text->input_scalar[k] || !cuna_array_overlaps(output, inputs[k].array))
            continue;
        memset(&copies[ncopies], 0, sizeof *copies);
        status = cuna_array_cast(&copies[ncopies], p->context, inputs[k].array, inputs[k].array->dtype);
        safe[k].array = &copies[ncopies];
        ncopies += status == CUNA_OK;
    }
    if (status == CUNA_OK && p->outputs > 0)
        status = p->count > 0 ? run(p, safe, output, extra) : run_empty(p, safe, output, extra);
    for (int k = 0; k < ncopies; k++)
        cuna_array_release(&copies[k]);
    return status;
}

cuna_status cuna_reduce(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *output, uint32_t axes, bool keepdims, double extra)
{
    plan p;
    int ndim;
    int64_t shape[CUNA_MAX_NDIM];
    memset(&p.variant, 0, sizeof p.variant);
    p.context = context;
    p.device = NULL;
    p.name = name;
    p.program = program;
    p.ndim = 0;
    p.axes = axes;
    p.rows = p.segments = p.pieces = p.runs = 1;
    CUNA_TRY(gather(&p, inputs));
    CUNA_TRY(shape_result(&p, &ndim, shape, keepdims));
    bool made = output->dims == NULL;
    if (made)
        CUNA_TRY(cuna_array_create_on(output, p.device, program->text.output_dtype[0], ndim, shape));
    else
        CUNA_TRY(check_output(&p, output, ndim, shape));
    cuna_status status = run_checked(&p, inputs, output, extra);
    if (status != CUNA_OK && made)
        cuna_array_release(output);
    return status;
}

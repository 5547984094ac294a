/* elementwise.c: runs a program over arrays that broadcast together.
 *
 * Gather, make outputs, choose how to walk, launch. The common case, contiguous operands of one shape, decides by flags
 * alone; everything else goes through a collapsed layout. Until the launch nothing is written: a call that fails leaves
 * outputs as they were. */
#include <string.h>

#include "operands/call.h"
#include "work/elementwise_cut.h"

/* Inputs broadcast to a larger output, as NumPy's do: the walk takes the output's shape then. */
static void grow_to(cuna_call *c, const cuna_array *out)
{
    int ndim = c->ndim;
    int64_t shape[CUNA_MAX_NDIM];
    cuna__copy_lengths(shape, c->shape, ndim);
    if (!cuna__shape_broadcast(&ndim, shape, out->ndim, cuna_array_shape(out)) || ndim != out->ndim ||
        !cuna__same_lengths(shape, cuna_array_shape(out), ndim))
        return;
    c->ndim = ndim;
    c->size = out->size;
    cuna__copy_lengths(c->shape, shape, ndim);
}

static cuna_status check_output(cuna_call *c, const cuna_array *out, int k)
{
    if (cuna__call_fits_output(c, out, k, c->ndim, c->shape))
        return CUNA_OK;
    grow_to(c, out);
    return cuna__call_check_output(c, out, k, c->ndim, c->shape);
}

static cuna_status make_outputs(cuna_call *c, cuna_array *const *outputs)
{
    const cuna_program_text *text = &c->program->text;
    for (int k = 0; k < text->noutputs; k++)
        if (outputs[k]->dims != NULL)
            CUNA_TRY(check_output(c, outputs[k], k));
    for (int k = 0; k + 1 < text->noutputs; k++) /* a later one may have grown the walk */
        if (outputs[k]->dims != NULL)
            CUNA_TRY(cuna__call_check_output(c, outputs[k], k, c->ndim, c->shape));
    CUNA_TRY(cuna__call_check_axes(c));
    if (c->device == NULL)
        c->device = cuna__context_device(c->context);
    for (int k = 0; k < text->noutputs; k++)
        CUNA_TRY(cuna__call_take_output(c, outputs[k], k, c->ndim, c->shape));
    return CUNA_OK;
}

static bool is_flat(const cuna_call *c, cuna_variant *variant)
{
    bool is_one = c->size == 1 && !c->program->text.together; /* to lanes past the end, addresses are the same */
    for (int k = 0; k < c->count; k++) {
        const cuna_array *array = c->arrays[k];
        bool uniform = array->size == 1 && !is_one;
        if ((array->flags & CUNA_ARRAY_CONTIGUOUS) == 0 || (!uniform && array->size != c->size))
            return false;
        variant->stride_class[k] = uniform ? CUNA_STRIDE_UNIFORM : CUNA_STRIDE_UNIT;
    }
    return true;
}

static void lay_out(const cuna_call *c, cuna_layout *layout)
{
    layout->ndim = c->ndim;
    layout->noperands = c->count;
    cuna__copy_lengths(layout->shape, c->shape, c->ndim);
    for (int k = 0; k < c->count; k++)
        cuna__shape_expand(layout->strides[k], c->ndim, c->shape, c->arrays[k]->ndim, cuna_array_shape(c->arrays[k]),
                           cuna_array_strides(c->arrays[k]));
    cuna__layout_collapse(layout, !c->program->text.uses_index && c->program->text.noutputs > 0);
}

/* The axis along which an operand that jumps on the innermost one is contiguous; -1 when there is none worth a tile. */
static int find_tile_axis(const cuna_call *c, const cuna_layout *layout)
{
    int inner = layout->ndim - 1;
    if (inner < 1 || c->count == 0 || c->program->text.noutputs == 0 || c->program->text.uses_index ||
        c->program->text.gathers || layout->strides[0][inner] != 1 || layout->shape[inner] < 8)
        return -1;
    for (int k = c->program->text.noutputs; k < layout->noperands; k++) {
        if (cuna__stride_classify(layout->strides[k][inner]) != CUNA_STRIDE_ANY)
            continue;
        for (int axis = inner - 1; axis >= 0; axis--)
            if (layout->strides[k][axis] == 1 && layout->shape[axis] >= 8)
                return axis;
    }
    return -1;
}

static void move_axis(cuna_layout *layout, int from, int to)
{
    for (int axis = from; axis < to; axis++) {
        int64_t length = layout->shape[axis];
        layout->shape[axis] = layout->shape[axis + 1];
        layout->shape[axis + 1] = length;
        for (int k = 0; k < layout->noperands; k++) {
            int64_t stride = layout->strides[k][axis];
            layout->strides[k][axis] = layout->strides[k][axis + 1];
            layout->strides[k][axis + 1] = stride;
        }
    }
}

/* Whether some operand's reach, or the walk itself, needs 64-bit positions. */
static bool is_wide(const cuna_call *c, const cuna_layout *layout)
{
    bool wide = c->size >= c->device->index_limit;
    for (int k = 0; k < layout->noperands && !wide; k++)
        wide = cuna__layout_reach(layout, k) >= c->device->index_limit;
    return wide;
}

/* Chooses rows or tiles for a collapsed layout. */
static void choose(const cuna_call *c, cuna_layout *layout, cuna_variant *variant)
{
    int tile_axis = find_tile_axis(c, layout), inner = layout->ndim - 1;
    variant->form = tile_axis >= 0 ? CUNA_FORM_TILES : CUNA_FORM_ROWS;
    if (tile_axis >= 0)
        move_axis(layout, tile_axis, inner - 1);
    for (int k = 0; k < layout->noperands; k++) {
        cuna_stride_class class = cuna__stride_classify(layout->strides[k][inner]);
        bool input = k >= c->program->text.noutputs;
        if (tile_axis >= 0 && input && class == CUNA_STRIDE_ANY && layout->strides[k][inner - 1] == 1)
            class = CUNA_STRIDE_TILED;
        variant->stride_class[k] = (uint8_t) class;
    }
    variant->rank = (uint8_t)layout->ndim;
}

static bool all_flat(const cuna_layout *layout, cuna_variant *variant)
{
    if (layout->ndim > 1)
        return false;
    for (int k = 0; k < layout->noperands; k++) {
        variant->stride_class[k] =
            (uint8_t)(layout->ndim ? cuna__stride_classify(layout->strides[k][0]) : CUNA_STRIDE_UNIT);
        if (variant->stride_class[k] > CUNA_STRIDE_UNIFORM)
            return false;
    }
    return true;
}

/* Whether blocks of many lanes add up what elements add to one table: the elements are a single run. */
static bool is_tally(const cuna_call *c, const cuna_walk *walk)
{
    return c->program->text.tally_nbytes > 0 && walk->facts->lanes > 1 && walk->layout.ndim <= 1 &&
           walk->variant.stride_class[0] == CUNA_STRIDE_UNIFORM && walk->slots > 0;
}

/* The length of a tally's table; 0: it begins before its first element. */
static int64_t slots_of(const cuna_call *c)
{
    int64_t slots[2] = {0, 0};
    if (c->program->text.tally_nbytes > 0)
        cuna_number_store(slots, CUNA_INT64, &c->inputs[c->program->text.ninputs - 1].number);
    return slots[0];
}

static void plan(const cuna_call *c, cuna_walk *walk)
{
    cuna_variant *variant = &walk->variant;
    cuna_layout *layout = &walk->layout;
    memset(variant, 0, sizeof *variant);
    walk->facts = &c->device->driver->facts;
    walk->program = c->program;
    walk->operands = c->arrays;
    walk->noperands = c->count;
    walk->size = c->size;
    layout->ndim = 0;
    layout->noperands = c->count;
    if (is_flat(c, variant)) {
        variant->wide = c->size >= c->device->index_limit;
    } else {
        lay_out(c, layout);
        /* Before tiles change the order of the axes: the reach does not depend on it. */
        variant->wide = is_wide(c, layout);
        /* What collapses to one run, as equal transposed operands do, is flat as well. */
        if (all_flat(layout, variant))
            layout->ndim = 0;
        else
            choose(c, layout, variant);
    }
    /* The width of accesses comes last: it depends on the class of every operand. */
    if (variant->form == CUNA_FORM_TILES)
        cuna__walk_limit_tiles(walk);
    walk->slots = slots_of(c);
    if (is_tally(c, walk))
        variant->form = CUNA_FORM_TALLY;
    cuna__walk_choose_vector(walk);
    cuna__walk_choose_rows(walk);
    if (variant->form == CUNA_FORM_TALLY)
        cuna__walk_choose_shares(walk);
}

/* What a statement finds beside its walk: raw arrays and the loop's shape. */
static void add_statement(cuna_words *words, const cuna_call *c)
{
    const cuna_program_text *text = &c->program->text;
    cuna__words_add_raws(words, c->program, c->inputs);
    for (int axis = 0; text->indexer > 0 && axis < c->ndim; axis++)
        cuna__words_add(words, c->shape[axis]);
}

static cuna_status launch(const cuna_call *c)
{
    cuna_walk walk;
    cuna_words words;
    const cuna_kernel *kernel;
    plan(c, &walk);
    CUNA_TRY(cuna__kernel_get(&kernel, c->context, c->device, c->program, &walk.variant, c->size));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__call_claim(c));
    /* The order of the members of struct Args, which print_shape (codegen_program.c) and kernels/walk.cuh define. */
    cuna__words_begin(&words);
    for (int k = 0; k < c->count; k++)
        cuna__words_add_address(&words, c->arrays[k]);
    cuna__words_skip(&words, c->count == 0);
    cuna__words_add_scalars(&words, c->program, c->inputs);
    cuna__words_add_layout(&words, &walk.layout);
    int64_t blocks = cuna__walk_cut(&words, &walk);
    cuna__words_add_table(&words, c->program, c->inputs);
    if (c->program->text.statement != 0)
        add_statement(&words, c);
    return cuna__launch(c->context, c->device, c->name, kernel->functions[0], blocks, &words);
}

/* Steps may write to what they have the address of. */
static cuna_status change_addressed(const cuna_call *c)
{
    const cuna_program_text *text = &c->program->text;
    for (int k = 0; k < text->ninputs; k++)
        if (text->input_address[k])
            CUNA_TRY(cuna__array_change(c->inputs[k].array));
    return CUNA_OK;
}

/* The program that fills the output of a call in one piece; NULL: there is none, or the output is not one. */
static const cuna_filler *find_filler(const cuna_call *c)
{
    const cuna_filler *filler = &c->program->filler[c->device->driver->facts.lanes > 1];
    const cuna_array *out = c->arrays[0];
    bool found = __atomic_load_n(&filler->program, __ATOMIC_ACQUIRE) != NULL &&
                 (out->flags & CUNA_ARRAY_CONTIGUOUS) != 0 && out->dtype == c->program->text.output_dtype[0];
    return found ? filler : NULL;
}

static cuna_status fill(const cuna_call *c, const cuna_filler *filler)
{
    const cuna_array *out = c->arrays[0];
    cuna_array at;
    cuna_operand inputs[2 + CUNA_MAX_OPERANDS] = {{.array = &at}, {.number = {CUNA_NUMBER_INT, .i = c->size}}};
    int64_t positions = cuna__ceil_div(c->size, filler->nelements) * filler->npositions;
    memcpy(&inputs[2], c->inputs, (size_t)c->program->text.ninputs * sizeof *inputs);
    CUNA_TRY(cuna_array_view(&at, out, out->dtype, &(cuna_geometry){.ndim = 0}));
    cuna_status status = cuna_elementwise(c->context, c->name, filler->program, inputs, NULL, 1, &positions);
    cuna_array_release(&at);
    return status;
}

static cuna_status run(const cuna_call *c)
{
    const cuna_filler *filler = find_filler(c);
    return filler != NULL ? fill(c, filler) : launch(c);
}

cuna_status cuna_elementwise(cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, int ndim, const int64_t *shape)
{
    cuna_call c;
    cuna__call_begin(&c, context, name, program, inputs);
    if (ndim >= 0) {
        c.ndim = ndim;
        cuna__copy_lengths(c.shape, shape, ndim);
    }
    cuna_status status = cuna__call_gather(&c);
    if (status == CUNA_OK && program->text.gathers == CUNA_GATHERS)
        status = change_addressed(&c);
    if (status == CUNA_OK)
        status = make_outputs(&c, outputs);
    if (status == CUNA_OK)
        status = cuna__call_separate(&c, 0);
    if (status == CUNA_OK && c.size > 0)
        status = run(&c);
    if (status == CUNA_OK && program->text.gathers && !c.device->driver->facts.asynchronous)
        status = cuna__device_check_reports(context, c.device);
    cuna__call_end(&c, outputs, status == CUNA_OK);
    return status;
}

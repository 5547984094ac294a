/* elementwise.c: runs a program over arrays that broadcast together.
 *
 * Check, make outputs, choose how to walk, launch. The common case, contiguous operands of one shape, decides by flags
 * alone; everything else goes through a collapsed layout. Inputs that an output would overwrite while they are still
 * being read are copied first, before anything is written. */
#include <string.h>

#include "array/array.h"
#include "work/elementwise_cut.h"

/* One call on its way from check to launch. */
typedef struct call {
    cuna_context *context;
    cuna_device *device;
    const char *name;
    const cuna_program *program;
    int ndim;
    int64_t shape[CUNA_MAX_NDIM];
    int64_t size;
    int noperands;
    const cuna_array *operands[CUNA_MAX_OPERANDS]; /* outputs, then array inputs */
    int ncopies;
    cuna_array copies[CUNA_MAX_OPERANDS]; /* of inputs that an output overlaps */
} call;

static bool same_shape(const call *c, const cuna_array *array)
{
    return c->ndim == array->ndim && cuna__same_lengths(c->shape, cuna_array_shape(array), c->ndim);
}

/* Whether an array broadcasts to the shape that the caller gave. */
static bool broadcasts_to(const call *c, const cuna_array *array)
{
    int64_t strides[CUNA_MAX_NDIM];
    return cuna__shape_expand(strides, c->ndim, c->shape, array->ndim, cuna_array_shape(array),
                              cuna_array_strides(array));
}

/* Gathers the array inputs behind the outputs and broadcasts their shapes. */
static cuna_status gather_inputs(call *c, const cuna_operand *inputs, bool broadcast)
{
    const cuna_program_text *text = &c->program->text;
    c->noperands = text->noutputs;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = inputs[k].array;
        if (text->input_scalar[k])
            continue;
        CUNA_TRY(cuna__array_use_device(&c->device, array, c->name));
        c->operands[c->noperands++] = array;
        if (broadcast && c->ndim < 0) {
            c->ndim = array->ndim;
            cuna__copy_lengths(c->shape, cuna_array_shape(array), array->ndim);
        } else if (broadcast && !same_shape(c, array)) {
            CUNA_TRY(cuna__array_broadcast(&c->ndim, c->shape, array, c->name));
        } else if (!broadcast && !same_shape(c, array) && !broadcasts_to(c, array)) {
            return cuna__array_refuse_shape(c->ndim, c->shape, array, c->name);
        }
    }
    CUNA_TRY(cuna__raws_check(&c->device, c->program, inputs, c->name));
    if (c->ndim < 0)
        c->ndim = 0;
    return cuna__shape_size(&c->size, c->ndim, c->shape);
}

/* Inputs broadcast to a larger output, as NumPy's do: the walk takes the output's shape then. */
static bool grow_to(call *c, const cuna_array *out)
{
    int ndim = c->ndim;
    int64_t shape[CUNA_MAX_NDIM];
    cuna__copy_lengths(shape, c->shape, ndim);
    if (!cuna__shape_broadcast(&ndim, shape, out->ndim, cuna_array_shape(out)) || ndim != out->ndim ||
        !cuna__same_lengths(shape, cuna_array_shape(out), ndim))
        return false;
    c->ndim = ndim;
    c->size = out->size;
    cuna__copy_lengths(c->shape, shape, ndim);
    return true;
}

static cuna_status wrong_shape(const call *c, const cuna_array *out)
{
    char ours[256], theirs[256];
    cuna__shape_text(ours, sizeof ours, c->ndim, c->shape);
    cuna__array_describe(theirs, sizeof theirs, out);
    return cuna_fail(CUNA_VALUE, "%s: out has shape %s, but the result has shape %s", c->name, theirs, ours);
}

static cuna_status check_output(call *c, const cuna_array *out, int k)
{
    CUNA_TRY(cuna__array_use_device(&c->device, out, c->name));
    CUNA_TRY(cuna__array_check_writable(out, c->name));
    if (!same_shape(c, out) && !grow_to(c, out))
        return wrong_shape(c, out);
    if (out->dtype != c->program->text.output_dtype[k])
        return cuna_fail(CUNA_VALUE, "%s: out has dtype %s, but the program writes %s", c->name,
                         cuna_dtype_name(out->dtype), cuna_dtype_name(c->program->text.output_dtype[k]));
    return CUNA_OK;
}

/* Makes the outputs that the caller left empty; `made` has a bit for each. */
static cuna_status make_outputs(call *c, cuna_array *const *outputs, unsigned *made)
{
    const cuna_program_text *text = &c->program->text;
    for (int k = 0; k < text->noutputs; k++)
        if (outputs[k]->dims != NULL)
            CUNA_TRY(check_output(c, outputs[k], k));
    for (int k = 0; k < text->noutputs; k++) /* a later one may have grown the walk */
        if (outputs[k]->dims != NULL && !same_shape(c, outputs[k]))
            return wrong_shape(c, outputs[k]);
    if (text->indexer > 0 && text->indexer != 1 + c->ndim)
        return cuna_fail(CUNA_VALUE, "%s: the loop has %d axes, but the program's text was made for %d", c->name,
                         c->ndim, text->indexer - 1);
    if (c->device == NULL)
        c->device = cuna__context_device(c->context);
    for (int k = 0; k < text->noutputs; k++) {
        c->operands[k] = outputs[k];
        if (outputs[k]->buffer != NULL)
            continue;
        CUNA_TRY(cuna_array_create_on(outputs[k], c->context, c->device, text->output_dtype[k], c->ndim, c->shape));
        *made |= 1u << k;
    }
    return CUNA_OK;
}

static cuna_status copy_conflicts(call *c, unsigned made)
{
    for (int out = 0; out < c->program->text.noutputs; out++) {
        if (made & 1u << out)
            continue;
        for (int k = 0; k < c->noperands; k++) {
            if (k != out && k < c->program->text.noutputs && cuna__array_meets(c->operands[out], c->operands[k]))
                return cuna_fail(CUNA_VALUE, "%s: two outputs share memory", c->name);
            if (k < c->program->text.noutputs || !cuna__array_conflicts(c->operands[out], c->operands[k]))
                continue;
            cuna_array *copy = &c->copies[c->ncopies];
            memset(copy, 0, sizeof *copy);
            CUNA_TRY(cuna_array_cast(copy, c->context, c->operands[k], c->operands[k]->dtype));
            c->operands[k] = copy;
            c->ncopies++;
        }
    }
    return CUNA_OK;
}

static bool is_flat(const call *c, cuna_variant *variant)
{
    for (int k = 0; k < c->noperands; k++) {
        const cuna_array *array = c->operands[k];
        bool uniform = array->size == 1 && c->size != 1;
        if ((array->flags & CUNA_ARRAY_CONTIGUOUS) == 0 || (!uniform && array->size != c->size))
            return false;
        variant->stride_class[k] = uniform ? CUNA_STRIDE_UNIFORM : CUNA_STRIDE_UNIT;
    }
    return true;
}

static void lay_out(const call *c, cuna_layout *layout)
{
    layout->ndim = c->ndim;
    layout->noperands = c->noperands;
    cuna__copy_lengths(layout->shape, c->shape, c->ndim);
    for (int k = 0; k < c->noperands; k++)
        cuna__shape_expand(layout->strides[k], c->ndim, c->shape, c->operands[k]->ndim,
                           cuna_array_shape(c->operands[k]), cuna_array_strides(c->operands[k]));
    cuna__layout_collapse(layout, !c->program->text.uses_index && c->program->text.noutputs > 0);
}

/* The axis along which an operand that jumps on the innermost one is contiguous; -1 when there is none worth a tile. */
static int find_tile_axis(const call *c, const cuna_layout *layout)
{
    int inner = layout->ndim - 1;
    if (inner < 1 || c->noperands == 0 || c->program->text.noutputs == 0 || c->program->text.uses_index ||
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
static bool is_wide(const call *c, const cuna_layout *layout)
{
    bool wide = c->size >= c->device->index_limit;
    for (int k = 0; k < layout->noperands && !wide; k++)
        wide = cuna__layout_reach(layout, k) >= c->device->index_limit;
    return wide;
}

/* Chooses rows or tiles for a collapsed layout. */
static void choose(const call *c, cuna_layout *layout, cuna_variant *variant)
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

static void plan(const call *c, cuna_walk *walk)
{
    cuna_variant *variant = &walk->variant;
    cuna_layout *layout = &walk->layout;
    memset(variant, 0, sizeof *variant);
    walk->facts = &c->device->driver->facts;
    walk->program = c->program;
    walk->operands = c->operands;
    walk->noperands = c->noperands;
    walk->size = c->size;
    layout->ndim = 0;
    layout->noperands = c->noperands;
    if (is_flat(c, variant)) {
        variant->wide = c->size >= c->device->index_limit;
    } else {
        lay_out(c, layout);
        variant->wide = is_wide(c, layout);
        if (all_flat(layout, variant))
            layout->ndim = 0;
        else
            choose(c, layout, variant);
    }
    if (variant->form == CUNA_FORM_TILES)
        cuna__walk_limit_tiles(walk);
    cuna__walk_choose_vector(walk);
}

/* What a statement finds beside its walk: raw arrays and the loop's shape. */
static void add_statement(cuna_words *words, const call *c, const cuna_operand *inputs)
{
    const cuna_program_text *text = &c->program->text;
    cuna__words_add_raws(words, c->program, inputs);
    for (int axis = 0; text->indexer > 0 && axis < c->ndim; axis++)
        cuna__words_add(words, c->shape[axis]);
}

static cuna_status launch(const call *c, const cuna_operand *inputs)
{
    cuna_walk walk;
    cuna_words words;
    const cuna_kernel *kernel;
    plan(c, &walk);
    CUNA_TRY(cuna__kernel_get(&kernel, c->context, c->device, c->program, &walk.variant));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__operands_claim(c->context, c->device, c->noperands, c->operands, c->program, inputs));
    words.count = 0;
    for (int k = 0; k < c->noperands; k++)
        cuna__words_add(&words, (int64_t)c->operands[k]->data);
    cuna__words_skip(&words, c->noperands == 0);
    cuna__words_add_scalars(&words, c->program, inputs);
    cuna__words_add_layout(&words, &walk.layout);
    int64_t blocks = cuna__walk_cut(&words, &walk);
    cuna__words_add_table(&words, c->program, inputs);
    add_statement(&words, c, inputs);
    return cuna__launch(c->context, c->device, c->name, kernel->functions[0], blocks, &words);
}

cuna_status cuna_elementwise(cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, int ndim, const int64_t *shape)
{
    call c;
    unsigned made = 0;
    c.context = context;
    c.device = NULL;
    c.name = name;
    c.program = program;
    c.ncopies = 0;
    c.ndim = ndim;
    if (ndim > 0)
        cuna__copy_lengths(c.shape, shape, ndim);
    CUNA_TRY(gather_inputs(&c, inputs, ndim < 0));
    cuna_status status = make_outputs(&c, outputs, &made);
    if (status == CUNA_OK)
        status = copy_conflicts(&c, made);
    if (status == CUNA_OK && c.size > 0)
        status = launch(&c, inputs);
    if (status == CUNA_OK && program->text.gathers && !c.device->driver->facts.asynchronous)
        status = cuna__device_check_reports(context, c.device);
    for (int k = 0; k < c.ncopies; k++)
        cuna_array_release(&c.copies[k]);
    for (int k = 0; status != CUNA_OK && k < program->text.noutputs; k++)
        if (made & 1u << k)
            cuna_array_release(outputs[k]);
    return status;
}

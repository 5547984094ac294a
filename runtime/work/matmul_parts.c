/* matmul_parts.c: products of floats that have few tiles, and programs some of whose steps are such products, by
 * kernels/product_parts_lanes.cuh. */
#include <math.h>
#include <stdlib.h>

#include "kernel/launch.h"
#include "work/matmul.h"

enum { OUT = CUNA_MATMUL_OUT, A = CUNA_MATMUL_A, B = CUNA_MATMUL_B, OPERANDS = CUNA_MATMUL_OPERANDS };

/* Slices that a multiprocessor gets, one after another, at most: of its tiles and of their inner axes. With more of them
 * libraries are faster. */
#define MOST_SLICES 4

#define PACK_NBYTES 16 /* of an access that has several lines */

/* ---- which products ---- */

/* 1 of a device that only compiles. */
int cuna__product_processors(const cuna_device *device)
{
    int count = 1;
    int attribute = CU_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    return device->driver->device_get_attribute(&count, attribute, device->handle) == CU_SUCCESS ? count : 1;
}

static bool has_few_tiles(const cuna_device *device, cuna_dtype dtype, int64_t m, int64_t n, int64_t k, double count)
{
    if (device->driver->facts.lanes == 1 || (dtype != CUNA_FLOAT32 && dtype != CUNA_FLOAT64))
        return false;
    double tiles = count * (double)cuna__ceil_div(m, CUNA_PART_ROWS) * (double)cuna__ceil_div(n, CUNA_PART_COLUMNS);
    double slices = (double)cuna__ceil_div(k * cuna_dtype_size(dtype), CUNA_PART_NBYTES);
    return ceil(tiles / cuna__product_processors(device)) * slices <= MOST_SLICES;
}

bool cuna__product_has_few_tiles(const cuna_product *p)
{
    double count = 1;
    for (int axis = 0; axis < p->stack.ndim; axis++)
        count *= (double)p->stack.shape[axis];
    return !p->context->tf32 && has_few_tiles(p->device, p->dtype, p->m, p->n, p->k, count);
}

/* The program of one product. */
static cuna_status find_program(const cuna_program **out, cuna_dtype dtype)
{
    static const cuna_program *cached[CUNA_DTYPES];
    *out = __atomic_load_n(&cached[dtype], __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    cuna_program_text text = {.kind = CUNA_PROGRAM_PRODUCTS, .ninputs = 2, .noutputs = 1, .ninstructions = 1};
    cuna_instruction *step = &text.instruction[0];
    CUNA_TRY(cuna_operation_define(&step->operation, "matmul", 2, "a * b"));
    step->multiplies = 1;
    step->nargs = 2;
    step->arg[1] = 1;
    step->dtype = step->arg_dtype[0] = step->arg_dtype[1] = (uint8_t)dtype;
    text.input_dtype[0] = text.input_dtype[1] = text.output_dtype[0] = (uint8_t)dtype;
    text.output_value[0] = 2;
    CUNA_TRY(cuna_program_intern(out, &text));
    __atomic_store_n(&cached[dtype], *out, __ATOMIC_RELEASE);
    return CUNA_OK;
}

cuna_status cuna_matmul_step(const cuna_program **out, const cuna_context *context, const cuna_array *a,
                             const cuna_array *b)
{
    *out = NULL;
    if (context->tf32 || a->buffer == NULL || b->buffer == NULL || a->ndim != 2 || b->ndim != 2 || a->dtype != b->dtype)
        return CUNA_OK;
    const cuna_device *device = a->buffer->device;
    int64_t m = cuna_array_shape(a)[0], k = cuna_array_shape(a)[1], n = cuna_array_shape(b)[1];
    bool suits = b->buffer->device == device && cuna_array_shape(b)[0] == k &&
                 cuna__max(m, cuna__max(n, k)) > CUNA_SMALL_PRODUCT &&
                 has_few_tiles(device, (cuna_dtype)a->dtype, m, n, k, 1);
    return suits ? find_program(out, (cuna_dtype)a->dtype) : CUNA_OK;
}

/* ---- launches ---- */

/* A factor of a product. Its lines are the rows of the first one, and the columns of the second one. */
typedef struct factor {
    const cuna_array *array; /* NULL: it is a matrix within one */
    cu_deviceptr at;
    int64_t lines, line_step, inner_step, step; /* step: from one matrix of a stack to the next */
} factor;

typedef struct parts {
    cuna_context *context;
    cuna_device *device;
    const char *name;
    const cuna_program *program;
    cuna_dtype dtype;
    int64_t m, n, count; /* of results, and how many there are */
    int nproducts;
    int64_t inner[CUNA_MAX_PRODUCTS];      /* lengths of the inner axes */
    factor factors[2 * CUNA_MAX_PRODUCTS]; /* first and second ones in turn */
} parts;

/* How far a lane goes from the first element of a block's lines of a factor, in elements. */
static int64_t reach_of(const parts *p, int k)
{
    const factor *f = &p->factors[k];
    int64_t places = cuna__max(p->inner[k / 2], CUNA_PART_NBYTES / cuna_dtype_size(p->dtype));
    return llabs(f->line_step) * cuna__max(CUNA_PART_ROWS, CUNA_PART_COLUMNS) + llabs(f->inner_step) * places;
}

/* Whether the lines of all first factors, or of all second ones, are side by side in memory, and elements of one are not. */
static bool are_beside(const parts *p, int first)
{
    bool all = true, runs = true;
    for (int k = first; k < 2 * p->nproducts; k += 2) {
        all = all && p->factors[k].line_step == 1;
        runs = runs && p->factors[k].inner_step == 1;
    }
    return all && !runs;
}

/* Whether accesses of so many bytes have several lines of a factor that are side by side. */
static bool is_aligned(const parts *p, const factor *f, int64_t nbytes)
{
    int64_t itemsize = cuna_dtype_size(p->dtype);
    return f->lines * itemsize % nbytes == 0 && f->at % (cu_deviceptr)nbytes == 0 &&
           f->inner_step * itemsize % nbytes == 0 && f->step * itemsize % nbytes == 0;
}

/* `resident`: whether lines of first and second factors are side by side; then accesses have several. */
static void choose(cuna_variant *variant, const parts *p)
{
    bool beside[2] = {are_beside(p, 0), are_beside(p, 1)}, packs = true;
    *variant = (cuna_variant){.form = CUNA_FORM_PRODUCT_PARTS,
                              .resident = (uint8_t)(beside[0] ? CUNA_PARTS_A : 0) | (beside[1] ? CUNA_PARTS_B : 0)};
    for (int k = 0; k < 2 * p->nproducts; k++) {
        variant->wide |= reach_of(p, k) >= p->device->index_limit;
        packs = packs && (!beside[k % 2] || is_aligned(p, &p->factors[k], PACK_NBYTES));
    }
    while (packs && variant->resident != 0 && cuna_dtype_size(p->dtype) << variant->vector_log2 < PACK_NBYTES)
        variant->vector_log2++;
}

static cuna_status find_kernel(const cuna_kernel **out, const parts *p)
{
    cuna_variant variant;
    choose(&variant, p);
    return cuna__kernel_get(out, p->context, p->device, p->program, &variant, 0);
}

static void add_factor(cuna_words *words, const factor *f)
{
    if (f->array != NULL)
        cuna__words_add_address(words, f->array);
    else
        cuna__words_add(words, (int64_t)f->at);
    cuna__words_add(words, f->line_step);
    cuna__words_add(words, f->inner_step);
    cuna__words_add(words, f->step);
}

/* Begins the words of struct Products (kernels/product_parts_lanes.cuh). */
static void begin_words(cuna_words *words, const parts *p)
{
    int64_t across = cuna__ceil_div(p->n, CUNA_PART_COLUMNS);
    cuna__words_begin(words);
    cuna__words_add_divisor(words, across);
    cuna__words_add(words, across);
    cuna__words_add(words, cuna__ceil_div(p->m, CUNA_PART_ROWS));
    cuna__words_add(words, p->m);
    cuna__words_add(words, p->n);
    for (int k = 0; k < p->nproducts; k++) {
        add_factor(words, &p->factors[2 * k]);
        add_factor(words, &p->factors[2 * k + 1]);
        cuna__words_add(words, p->inner[k]);
    }
}

/* A block a tile. */
static cuna_status launch(const parts *p, const cuna_kernel *kernel, cuna_words *words)
{
    int64_t tiles = cuna__ceil_div(p->m, CUNA_PART_ROWS) * cuna__ceil_div(p->n, CUNA_PART_COLUMNS);
    return cuna__launch(p->context, p->device, p->name, kernel->functions[0], p->count * tiles, words);
}

/* ---- stacks of products ---- */

static cuna_status multiply(const cuna_product *p, int axis, void *data)
{
    const cuna_kernel *kernel;
    cuna_words words;
    parts all = {.context = p->context,
                 .device = p->device,
                 .name = p->name,
                 .program = data,
                 .dtype = p->dtype,
                 .m = p->m,
                 .n = p->n,
                 .count = cuna__product_count(p, axis),
                 .nproducts = 1,
                 .inner = {p->k}};
    all.factors[0] = (factor){NULL, p->at[A], p->m, p->row[A], p->column[A], cuna__product_step(p, axis, A)};
    all.factors[1] = (factor){NULL, p->at[B], p->n, p->column[B], p->row[B], cuna__product_step(p, axis, B)};
    CUNA_TRY(find_kernel(&kernel, &all));
    if (kernel == NULL)
        return CUNA_OK;
    begin_words(&words, &all);
    cuna__words_skip(&words, 2);
    cuna__words_add(&words, (int64_t)p->at[OUT]);
    cuna__words_add(&words, p->row[OUT]);
    cuna__words_add(&words, p->column[OUT]);
    cuna__words_add(&words, cuna__product_step(p, axis, OUT));
    return launch(&all, kernel, &words);
}

cuna_status cuna__matmul_parts(cuna_product *p, const cuna_array *out, const cuna_array *a, const cuna_array *b)
{
    const cuna_array *operands[] = {out, a, b};
    const cuna_program *program;
    CUNA_TRY(find_program(&program, p->dtype));
    CUNA_TRY(cuna__arrays_claim(p->context, p->device, OPERANDS, operands));
    cuna__product_lay_out(p, out, a, b);
    return cuna__product_each(p, multiply, (void *)program);
}

/* ---- programs ---- */

static cuna_status add_factors(parts *p, const cuna_instruction *step, const cuna_operand *inputs)
{
    const cuna_array *a = inputs[step->arg[0]].array, *b = inputs[step->arg[1]].array;
    const int64_t *strides_a = cuna_array_strides(a), *strides_b = cuna_array_strides(b);
    factor *f = &p->factors[2 * p->nproducts];
    CUNA_TRY(cuna__array_use_device(&p->device, a, p->name));
    CUNA_TRY(cuna__array_use_device(&p->device, b, p->name));
    f[0] = (factor){a, cuna__array_data(a), p->m, strides_a[0], strides_a[1], 0};
    f[1] = (factor){b, cuna__array_data(b), p->n, strides_b[1], strides_b[0], 0};
    p->inner[p->nproducts++] = cuna_array_shape(b)[0];
    p->dtype = (cuna_dtype)step->dtype;
    return CUNA_OK;
}

/* Arrays of which elements are read or written, and how they lie along the result. */
typedef struct elements {
    int count;
    const cuna_array *arrays[CUNA_MAX_OPERANDS];
    int64_t strides[CUNA_MAX_OPERANDS][2];
} elements;

static cuna_status add_elements(elements *e, parts *p, const cuna_array *array)
{
    const int64_t shape[] = {p->m, p->n};
    CUNA_TRY(cuna__array_use_device(&p->device, array, p->name));
    if (!cuna__shape_expand(e->strides[e->count], 2, shape, array->ndim, cuna_array_shape(array),
                            cuna_array_strides(array)))
        return cuna_fail(CUNA_VALUE, "%s: an operand does not broadcast to the product", p->name);
    e->arrays[e->count++] = array;
    return CUNA_OK;
}

/* Outputs come first. */
static cuna_status gather(elements *e, parts *p, const cuna_operand *inputs, cuna_array *const *outputs)
{
    const cuna_program_text *text = &p->program->text;
    for (int k = 0; k < text->ninstructions; k++)
        if (text->instruction[k].multiplies)
            CUNA_TRY(add_factors(p, &text->instruction[k], inputs));
    for (int k = 0; k < text->noutputs; k++)
        CUNA_TRY(add_elements(e, p, outputs[k]));
    for (int k = 0; k < text->ninputs; k++)
        if (cuna__program_reads_elements(text, k))
            CUNA_TRY(add_elements(e, p, inputs[k].array));
    return CUNA_OK;
}

static cuna_status claim(const parts *p, const cuna_operand *inputs, cuna_array *const *outputs)
{
    const cuna_program_text *text = &p->program->text;
    const cuna_array *arrays[CUNA_MAX_OPERANDS];
    int count = 0;
    for (int k = 0; k < text->noutputs; k++)
        arrays[count++] = outputs[k];
    for (int k = 0; k < text->ninputs; k++)
        if (!text->input_scalar[k])
            arrays[count++] = inputs[k].array;
    return cuna__operands_claim(p->context, p->device, count, arrays, p->program, inputs);
}

cuna_status cuna_products(cuna_context *context, const char *name, const cuna_program *program,
                          const cuna_operand *inputs, cuna_array *const *outputs)
{
    const int64_t *shape = cuna_array_shape(outputs[0]);
    parts p = {.context = context, .name = name, .program = program, .m = shape[0], .n = shape[1], .count = 1};
    elements e = {.count = 0};
    cuna_words words;
    const cuna_kernel *kernel;
    CUNA_TRY(gather(&e, &p, inputs, outputs));
    CUNA_TRY(find_kernel(&kernel, &p));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(claim(&p, inputs, outputs));
    begin_words(&words, &p);
    cuna__words_add_scalars(&words, program, inputs);
    for (int k = 0; k < e.count; k++) {
        cuna__words_add_address(&words, e.arrays[k]);
        cuna__words_add(&words, e.strides[k][0]);
        cuna__words_add(&words, e.strides[k][1]);
        cuna__words_add(&words, 0); /* there is one result */
    }
    return launch(&p, kernel, &words);
}

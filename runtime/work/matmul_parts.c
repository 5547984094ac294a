/* matmul_parts.c: products of floats that have few tiles, and programs some of whose steps are such products, by
 * kernels/product_parts_lanes.cuh. */
#include <stdlib.h>

#include "kernel/launch.h"
#include "work/matmul.h"

enum { OUT = CUNA_MATMUL_OUT, A = CUNA_MATMUL_A, B = CUNA_MATMUL_B, OPERANDS = CUNA_MATMUL_OPERANDS };

/* Slices of a row at most. Libraries are faster where rows are longer, or tiles more than multiprocessors. */
#define MOST_SLICES 4

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
    bool suits = device->driver->facts.lanes > 1 && (dtype == CUNA_FLOAT32 || dtype == CUNA_FLOAT64) &&
                 k * cuna_dtype_size(dtype) <= MOST_SLICES * CUNA_PART_NBYTES;
    return suits && count * (double)cuna__ceil_div(m, CUNA_PART_ROWS) * (double)cuna__ceil_div(n, CUNA_PART_COLUMNS) <=
                        cuna__product_processors(device);
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

/* Adds the words behind the operands' (struct Products, kernels/product_parts_lanes.cuh), and launches a block a tile. */
static cuna_status launch(const cuna_context *context, cuna_device *device, const char *name, const cuna_kernel *kernel,
                          cuna_words *words, int64_t m, int64_t n, int64_t count)
{
    int64_t down = cuna__ceil_div(m, CUNA_PART_ROWS), across = cuna__ceil_div(n, CUNA_PART_COLUMNS);
    cuna__words_add(words, m);
    cuna__words_add(words, n);
    cuna__words_add(words, down);
    cuna__words_add(words, across);
    cuna__words_add_divisor(words, across);
    return cuna__launch(context, device, name, kernel->functions[0], count * down * across, words);
}

/* How far a lane goes from the first element of a block's lines of a factor, in elements. */
static int64_t reach_of(cuna_dtype dtype, int64_t k, int64_t line_step, int64_t inner_step)
{
    int64_t places = cuna__max(k, CUNA_PART_NBYTES / cuna_dtype_size(dtype));
    return llabs(line_step) * cuna__max(CUNA_PART_ROWS, CUNA_PART_COLUMNS) + llabs(inner_step) * places;
}

static cuna_status find_kernel(const cuna_kernel **out, cuna_context *context, cuna_device *device,
                               const cuna_program *program, int64_t reach)
{
    cuna_variant variant = {.form = CUNA_FORM_PRODUCT_PARTS, .wide = reach >= device->index_limit};
    return cuna__kernel_get(out, context, device, program, &variant, 0);
}

/* ---- stacks of products ---- */

static cuna_status multiply(const cuna_product *p, int axis, void *data)
{
    const cuna_kernel *kernel;
    cuna_words words;
    const int64_t factors[] = {A,
                               B,
                               p->k,
                               p->row[A],
                               p->column[A],
                               p->row[B],
                               p->column[B],
                               cuna__product_step(p, axis, A),
                               cuna__product_step(p, axis, B)};
    int64_t reach =
        cuna__max(reach_of(p->dtype, p->k, p->row[A], p->column[A]), reach_of(p->dtype, p->k, p->column[B], p->row[B]));
    CUNA_TRY(find_kernel(&kernel, p->context, p->device, data, reach));
    if (kernel == NULL)
        return CUNA_OK;
    cuna__words_begin(&words);
    for (int k = 0; k < OPERANDS; k++)
        cuna__words_add(&words, (int64_t)p->at[k]);
    cuna__words_skip(&words, 2);
    cuna__words_add(&words, p->row[OUT]);
    cuna__words_skip(&words, 2);
    cuna__words_add(&words, p->column[OUT]);
    cuna__words_skip(&words, 2);
    cuna__words_add(&words, cuna__product_step(p, axis, OUT));
    cuna__words_skip(&words, 2);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        cuna__words_add(&words, factors[i]);
    return launch(p->context, p->device, p->name, kernel, &words, p->m, p->n, cuna__product_count(p, axis));
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

/* The arrays of a program, outputs first. */
typedef struct operands {
    cuna_device *device;
    int count;
    const cuna_array *arrays[CUNA_MAX_OPERANDS];
    int number[CUNA_MAX_OPERANDS];                             /* of an input among them */
    int64_t row[CUNA_MAX_OPERANDS], column[CUNA_MAX_OPERANDS]; /* along the result; 0 of what elements do not read */
} operands;

static cuna_status add_operand(operands *o, const char *name, const cuna_array *array, const int64_t *shape,
                               bool is_read)
{
    int64_t strides[2] = {0, 0};
    CUNA_TRY(cuna__array_use_device(&o->device, array, name));
    if (is_read &&
        !cuna__shape_expand(strides, 2, shape, array->ndim, cuna_array_shape(array), cuna_array_strides(array)))
        return cuna_fail(CUNA_VALUE, "%s: an operand does not broadcast to the product", name);
    o->row[o->count] = strides[0];
    o->column[o->count] = strides[1];
    o->arrays[o->count++] = array;
    return CUNA_OK;
}

static cuna_status gather(operands *o, const char *name, const cuna_program_text *text, const cuna_operand *inputs,
                          cuna_array *const *outputs)
{
    const int64_t *shape = cuna_array_shape(outputs[0]);
    o->device = NULL;
    o->count = 0;
    for (int k = 0; k < text->noutputs; k++)
        CUNA_TRY(add_operand(o, name, outputs[k], shape, true));
    for (int k = 0; k < text->ninputs; k++) {
        o->number[k] = o->count;
        if (!text->input_scalar[k])
            CUNA_TRY(add_operand(o, name, inputs[k].array, shape, cuna__program_reads(text, k)));
    }
    return CUNA_OK;
}

static void add_factors(cuna_words *words, const operands *o, const cuna_instruction *step)
{
    int a = o->number[step->arg[0]], b = o->number[step->arg[1]];
    const int64_t *strides_a = cuna_array_strides(o->arrays[a]), *strides_b = cuna_array_strides(o->arrays[b]);
    const int64_t factors[] = {
        a, b, cuna_array_shape(o->arrays[b])[0], strides_a[0], strides_a[1], strides_b[0], strides_b[1], 0, 0};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        cuna__words_add(words, factors[i]);
}

static int64_t find_reach(const operands *o, const cuna_program_text *text)
{
    int64_t reach = 0;
    for (int k = 0; k < text->ninstructions; k++) {
        const cuna_instruction *step = &text->instruction[k];
        if (!step->multiplies)
            continue;
        const cuna_array *a = o->arrays[o->number[step->arg[0]]], *b = o->arrays[o->number[step->arg[1]]];
        const int64_t *of_a = cuna_array_strides(a), *of_b = cuna_array_strides(b);
        int64_t inner = cuna_array_shape(b)[0];
        reach = cuna__max(reach, reach_of((cuna_dtype)step->dtype, inner, of_a[0], of_a[1]));
        reach = cuna__max(reach, reach_of((cuna_dtype)step->dtype, inner, of_b[1], of_b[0]));
    }
    return reach;
}

static void add_words(cuna_words *words, const operands *o, const cuna_program *program, const cuna_operand *inputs)
{
    cuna__words_begin(words);
    for (int k = 0; k < o->count; k++)
        cuna__words_add_address(words, o->arrays[k]);
    cuna__words_add_scalars(words, program, inputs);
    for (int k = 0; k < o->count; k++)
        cuna__words_add(words, o->row[k]);
    for (int k = 0; k < o->count; k++)
        cuna__words_add(words, o->column[k]);
    cuna__words_skip(words, o->count); /* there is one result */
    for (int k = 0; k < program->text.ninstructions; k++)
        if (program->text.instruction[k].multiplies)
            add_factors(words, o, &program->text.instruction[k]);
}

cuna_status cuna_products(cuna_context *context, const char *name, const cuna_program *program,
                          const cuna_operand *inputs, cuna_array *const *outputs)
{
    operands o;
    cuna_words words;
    const cuna_kernel *kernel;
    CUNA_TRY(gather(&o, name, &program->text, inputs, outputs));
    CUNA_TRY(find_kernel(&kernel, context, o.device, program, find_reach(&o, &program->text)));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__operands_claim(context, o.device, o.count, o.arrays, program, inputs));
    add_words(&words, &o, program, inputs);
    const int64_t *shape = cuna_array_shape(outputs[0]);
    return launch(context, o.device, name, kernel, &words, shape[0], shape[1], 1);
}

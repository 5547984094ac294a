/* matmul.c: products of stacked matrices: checks the operands, reduces the stack's axes and chooses the engine.
 *
 * Leading axes broadcast by strides of 0. An axis along which one factor does not move becomes rows or columns of the
 * other factor, and the remaining axes are merged. The engine multiplies along the longest of those that are left in
 * one call; this file loops over the others. */
#include "work/matmul.h"

#include <string.h>

enum { OUT = CUNA_MATMUL_OUT, A = CUNA_MATMUL_A, B = CUNA_MATMUL_B, OPERANDS = CUNA_MATMUL_OPERANDS };

/* ---- layout ---- */

static int64_t length_of(const cuna_array *x, int from_end)
{
    return cuna_array_shape(x)[x->ndim - from_end];
}

static void drop_axis(cuna_layout *stack, int axis)
{
    for (int i = axis; i + 1 < stack->ndim; i++) {
        stack->shape[i] = stack->shape[i + 1];
        for (int k = 0; k < OPERANDS; k++)
            stack->strides[k][i] = stack->strides[k][i + 1];
    }
    stack->ndim--;
}

/* Whether lines of one axis, `step` apart, lie as BLAS requires: these or those across them are runs of elements, and
 * runs do not overlap. */
static bool are_regular(int64_t length, int64_t step, int64_t across, int64_t across_step)
{
    return step >= 1 && (across == 1 || (across_step == 1 && step >= across) || (step == 1 && across_step >= length));
}

/* The lines (rows or columns) of an operand, and the lines across them. */
typedef struct lines {
    int operand;
    int64_t *step;
    int64_t across, across_step;
} lines;

/* Whether a stack axis only has more lines of the same kind, after those of one matrix. */
static bool continues(const cuna_product *p, int axis, int64_t length, const lines *l)
{
    int64_t stride = p->stack.strides[l->operand][axis];
    return (length == 1 || stride == *l->step * length) &&
           are_regular(length * p->stack.shape[axis], length == 1 ? stride : *l->step, l->across, l->across_step);
}

/* Makes a stack axis along which one factor stands still lines of the output and of the other factor. */
static bool absorb(cuna_product *p, int axis, int still, int64_t *length, const lines *out, const lines *moving)
{
    int64_t old = *length;
    if (p->stack.strides[still][axis] != 0 || !continues(p, axis, old, out) || !continues(p, axis, old, moving))
        return false;
    *length *= p->stack.shape[axis];
    if (old == 1) {
        *out->step = p->stack.strides[OUT][axis];
        *moving->step = p->stack.strides[moving->operand][axis];
    }
    drop_axis(&p->stack, axis);
    return true;
}

static void absorb_axes(cuna_product *p)
{
    for (int axis = p->stack.ndim - 1; axis >= 0; axis--) {
        lines out_rows = {OUT, &p->row[OUT], p->n, p->column[OUT]}, a_rows = {A, &p->row[A], p->k, p->column[A]};
        lines out_columns = {OUT, &p->column[OUT], p->m, p->row[OUT]}, b_columns = {B, &p->column[B], p->k, p->row[B]};
        if (!absorb(p, axis, B, &p->m, &out_rows, &a_rows))
            absorb(p, axis, A, &p->n, &out_columns, &b_columns);
    }
}

void cuna__product_lay_out(cuna_product *p, const cuna_array *out, const cuna_array *a, const cuna_array *b)
{
    const cuna_array *arrays[OPERANDS] = {out, a, b};
    cuna_layout *stack = &p->stack;
    p->m = length_of(out, 2);
    p->n = length_of(out, 1);
    p->k = length_of(a, 1);
    stack->noperands = OPERANDS;
    stack->ndim = out->ndim - 2;
    memcpy(stack->shape, cuna_array_shape(out), (size_t)stack->ndim * sizeof *stack->shape);
    for (int i = 0; i < OPERANDS; i++) {
        const cuna_array *x = arrays[i];
        const int64_t *shape = cuna_array_shape(x), *strides = cuna_array_strides(x);
        p->at[i] = cuna__array_data(x);
        p->row[i] = strides[x->ndim - 2];
        p->column[i] = strides[x->ndim - 1];
        cuna__shape_expand(stack->strides[i], stack->ndim, stack->shape, x->ndim - 2, shape, strides);
    }
    /* Fewer axes of the stack are fewer calls: axes are joined with each other, then with rows or columns. */
    cuna__layout_collapse(stack, true);
    absorb_axes(p);
}

int64_t cuna__product_count(const cuna_product *p, int axis)
{
    return axis < 0 ? 1 : p->stack.shape[axis];
}

int64_t cuna__product_step(const cuna_product *p, int axis, int operand)
{
    return axis < 0 ? 0 : p->stack.strides[operand][axis];
}

static void move(cuna_product *p, int axis, int64_t places)
{
    for (int i = 0; i < OPERANDS; i++)
        p->at[i] += (cu_deviceptr)(places * p->stack.strides[i][axis] * cuna_dtype_size(p->dtype));
}

static cuna_status visit_from(cuna_product *p, int axis, int longest, cuna_product_visit visit, void *data)
{
    if (axis == longest)
        axis++;
    if (axis >= p->stack.ndim)
        return visit(p, longest, data);
    cuna_status status = CUNA_OK;
    int64_t length = p->stack.shape[axis], i = 0;
    for (; i < length && status == CUNA_OK; i++) {
        status = visit_from(p, axis + 1, longest, visit, data);
        move(p, axis, 1);
    }
    move(p, axis, -i);
    return status;
}

cuna_status cuna__product_each(cuna_product *p, cuna_product_visit visit, void *data)
{
    int longest = -1;
    for (int axis = 0; axis < p->stack.ndim; axis++)
        if (longest < 0 || p->stack.shape[axis] > p->stack.shape[longest])
            longest = axis;
    return visit_from(p, 0, longest, visit, data);
}

/* ---- checks ---- */

static cuna_status refuse_shapes(const char *name, const cuna_array *a, const cuna_array *b)
{
    char first[256], second[256];
    cuna__array_describe(first, sizeof first, a);
    cuna__array_describe(second, sizeof second, b);
    return cuna_fail(CUNA_VALUE, "%s: shapes %s and %s do not fit: a product is of (..., m, k) and (..., k, n)", name,
                     first, second);
}

/* Leading axes of both, broadcast. */
static bool broadcast_stack(int64_t *shape, int ndim, const cuna_array *a, const cuna_array *b)
{
    for (int i = 1; i <= ndim; i++) {
        int64_t of_a = i + 2 <= a->ndim ? length_of(a, i + 2) : 1, of_b = i + 2 <= b->ndim ? length_of(b, i + 2) : 1;
        if (of_a != of_b && of_a != 1 && of_b != 1)
            return false;
        shape[ndim - i] = of_a == 1 ? of_b : of_a;
    }
    return true;
}

static bool program_fits(const cuna_program *program, cuna_dtype dtype)
{
    const cuna_program_text *text = cuna_program_get_text(program);
    return text->kind == CUNA_PROGRAM_PRODUCT && text->input_dtype[0] == dtype;
}

/* Whether each element of a factor is used once. Sizes of broadcast stacks may be beyond 64 bits. */
static bool is_pass(const cuna_array *a, const cuna_array *b, int ndim, const int64_t *stack)
{
    int64_t m = length_of(a, 2), n = length_of(b, 1);
    double uses = (double)m * (double)n * (double)length_of(a, 1);
    for (int i = 0; i < ndim; i++)
        uses *= (double)stack[i];
    return (n == 1 && uses == (double)a->size) || (m == 1 && uses == (double)b->size);
}

cuna_matmul_way cuna_matmul_find_way(const cuna_array *a, const cuna_array *b)
{
    int64_t stack[CUNA_MAX_NDIM];
    int ndim = (a->ndim > b->ndim ? a->ndim : b->ndim) - 2;
    if (a->ndim == 0 || b->ndim == 0 || length_of(a, 1) != length_of(b, b->ndim > 1 ? 2 : 1))
        return CUNA_MATMUL_NONE;
    if (a->ndim == 1 || b->ndim == 1)
        return CUNA_MATMUL_VECTOR;
    if (!broadcast_stack(stack, ndim, a, b))
        return CUNA_MATMUL_NONE;
    return is_pass(a, b, ndim, stack) ? CUNA_MATMUL_PASS : CUNA_MATMUL_MATRICES;
}

/* The device, the dtype and the result's shape. */
static cuna_status describe(cuna_product *p, int *ndim, int64_t *shape, const cuna_program *program,
                            const cuna_array *a, const cuna_array *b)
{
    CUNA_TRY(cuna__array_use_device(&p->device, a, p->name));
    CUNA_TRY(cuna__array_use_device(&p->device, b, p->name));
    *ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
    if (a->ndim < 2 || b->ndim < 2 || length_of(a, 1) != length_of(b, 2) || !broadcast_stack(shape, *ndim - 2, a, b))
        return refuse_shapes(p->name, a, b);
    if (a->dtype != b->dtype)
        return cuna_fail(CUNA_VALUE, "%s: matrices of %s and %s", p->name, cuna_dtype_name(a->dtype),
                         cuna_dtype_name(b->dtype));
    p->dtype = (cuna_dtype)a->dtype;
    char kind = cuna_dtype_kind(p->dtype);
    if (program == NULL ? kind != 'f' && kind != 'c' : !program_fits(program, p->dtype))
        return cuna_fail(CUNA_VALUE, "%s: no program that multiplies %s", p->name, cuna_dtype_name(p->dtype));
    shape[*ndim - 2] = length_of(a, 2);
    shape[*ndim - 1] = length_of(b, 1);
    return CUNA_OK;
}

static cuna_status check_output(const cuna_product *p, int ndim, const int64_t *shape, const cuna_array *out)
{
    cuna_result result = {.name = p->name, .device = p->device, .dtype = p->dtype, .ndim = ndim, .shape = shape};
    return cuna_result_check(&result, out);
}

/* ---- the call ---- */

/* A factor that the output is written over while it is read is copied. */
static cuna_status separate(cuna_array *copy, const cuna_product *p, const cuna_array *out, const cuna_array **factor)
{
    if (!cuna_array_overlaps(out, *factor))
        return CUNA_OK;
    CUNA_TRY(cuna_array_cast(copy, p->context, *factor, (cuna_dtype)(*factor)->dtype));
    *factor = copy;
    return CUNA_OK;
}

/* The program that multiplies floats by cuna's own kernel. */
static cuna_status find_float_program(const cuna_program **out, cuna_dtype dtype)
{
    static const cuna_program *cached[CUNA_DTYPES];
    *out = __atomic_load_n(&cached[dtype], __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    cuna_program_text text = {.kind = CUNA_PROGRAM_PRODUCT, .ninputs = 2, .noutputs = 1};
    text.input_dtype[0] = text.input_dtype[1] = text.output_dtype[0] = (uint8_t)dtype;
    CUNA_TRY(cuna_program_intern(out, &text));
    __atomic_store_n(&cached[dtype], *out, __ATOMIC_RELEASE);
    return CUNA_OK;
}

/* Small products, and those that give few of a GPU's multiprocessors work in a library, are faster by our kernels. */
static cuna_status run_engine(cuna_product *p, const cuna_program *program, const cuna_array *out, const cuna_array *a,
                              const cuna_array *b)
{
    cuna_product laid = *p;
    bool floats = p->dtype == CUNA_FLOAT32 || p->dtype == CUNA_FLOAT64;
    bool may_be_few = program == NULL && floats && p->device->driver->facts.lanes > 1;
    if (may_be_few)
        cuna__product_lay_out(&laid, out, a, b);
    if (may_be_few && cuna__product_is_small(&laid))
        CUNA_TRY(find_float_program(&program, p->dtype));
    else if (may_be_few && cuna__product_has_few_tiles(&laid))
        return cuna__matmul_parts(p, out, a, b);
    return program == NULL ? cuna__matmul_blas(p, out, a, b) : cuna__matmul_exact(p, program, out, a, b);
}

static cuna_status multiply(cuna_product *p, const cuna_program *program, const cuna_array *out, const cuna_array *a,
                            const cuna_array *b)
{
    cuna_array copies[2] = {{0}, {0}};
    const cuna_number zero = {.kind = CUNA_NUMBER_INT};
    if (out->size == 0)
        return CUNA_OK;
    if (length_of(a, 1) == 0)
        return cuna_array_fill(p->context, out, &zero);
    cuna_status status = separate(&copies[0], p, out, &a);
    if (status == CUNA_OK)
        status = separate(&copies[1], p, out, &b);
    if (status == CUNA_OK)
        status = run_engine(p, program, out, a, b);
    for (int i = 0; i < 2; i++)
        cuna_array_release(&copies[i]);
    return status;
}

cuna_status cuna_matmul(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *a,
                        const cuna_array *b, cuna_array *out)
{
    cuna_product p = {.context = context, .name = name};
    int ndim;
    int64_t shape[CUNA_MAX_NDIM];
    bool made = out->buffer == NULL;
    CUNA_TRY(describe(&p, &ndim, shape, program, a, b));
    if (made)
        CUNA_TRY(cuna_array_create_on(out, context, p.device, p.dtype, ndim, shape));
    else
        CUNA_TRY(check_output(&p, ndim, shape, out));
    cuna_status status = multiply(&p, program, out, a, b);
    if (status != CUNA_OK && made)
        cuna_array_release(out);
    return status;
}

bool cuna_context_set_tf32(cuna_context *context, bool on)
{
    bool before = context->tf32;
    context->tf32 = on;
    return before;
}

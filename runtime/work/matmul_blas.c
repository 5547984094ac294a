/* matmul_blas.c: products of float and complex matrices by the device's BLAS.
 *
 * BLAS has column-major matrices and accepts each as it is or transposed: rows or columns must be contiguous, as in
 * row-major arrays and their transposes. The memory of a row-major product is the column-major product of the
 * transposes: out' = b' a'. A factor of another layout is copied first, an output of another layout afterwards. */
#include "kernel/launch_blas.h"
#include "work/matmul.h"

enum { OUT = CUNA_MATMUL_OUT, A = CUNA_MATMUL_A, B = CUNA_MATMUL_B };

/* Whether rows are runs of elements, far enough apart. Of a single column it does not matter how far apart these are, nor of
 * a single row how far it is from the next. */
static bool has_runs(int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    return (column == 1 || columns == 1) && (rows == 1 || row >= columns);
}

static bool fits(const cuna_array *x)
{
    const int64_t *shape = cuna_array_shape(x) + x->ndim - 2, *strides = cuna_array_strides(x) + x->ndim - 2;
    return has_runs(shape[0], shape[1], strides[0], strides[1]) || has_runs(shape[1], shape[0], strides[1], strides[0]);
}

/* A copy in another dtype (or the same) of the matrices that there are: not along axes that do not move. */
static cuna_status copy(cuna_array *out, cuna_context *context, const cuna_array *x, cuna_dtype dtype)
{
    cuna_geometry geometry;
    cuna_array view = {0};
    cuna_array_geometry(&geometry, x);
    for (int axis = 0; axis < x->ndim - 2; axis++)
        if (geometry.strides[axis] == 0)
            geometry.shape[axis] = 1;
    CUNA_TRY(cuna_array_view(&view, x, (cuna_dtype)x->dtype, &geometry));
    cuna_status status = cuna_array_cast(out, context, &view, dtype);
    cuna_array_release(&view);
    return status;
}

/* ---- the call ---- */

/* The product of the transposes. */
static void transpose(cuna_product *p)
{
    for (int i = 0; i < CUNA_MATMUL_OPERANDS; i++) {
        int64_t row = p->row[i];
        p->row[i] = p->column[i];
        p->column[i] = row;
    }
    /* (a b)^T = b^T a^T: lengths and factors change places too. */
    int64_t m = p->m;
    p->m = p->n;
    p->n = m;
    cu_deviceptr at = p->at[A];
    p->at[A] = p->at[B];
    p->at[B] = at;
    int64_t row = p->row[A], column = p->column[A];
    p->row[A] = p->row[B];
    p->column[A] = p->column[B];
    p->row[B] = row;
    p->column[B] = column;
    for (int axis = 0; axis < p->stack.ndim; axis++) {
        int64_t stride = p->stack.strides[A][axis];
        p->stack.strides[A][axis] = p->stack.strides[B][axis];
        p->stack.strides[B][axis] = stride;
    }
}

/* How BLAS takes a row-major factor's transpose: what lies there as it is, or transposed. */
static cuna_blas_op op_of(int64_t *ld, int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    bool plain = has_runs(rows, columns, row, column);
    int64_t length = plain ? columns : rows, step = plain ? row : column;
    *ld = (plain ? rows : columns) == 1 ? length : step;
    return plain ? CUNA_BLAS_N : CUNA_BLAS_T;
}

static cuna_status call(const cuna_product *p, int axis, void *data)
{
    (void)data;
    /* BLAS is column-major: row-major operands are their transposes, so the factors change places. */
    cuna_blas_gemm gemm = {.dtype = p->dtype,
                           .tf32 = p->context->tf32,
                           .m = p->n,
                           .n = p->m,
                           .k = p->k,
                           .count = cuna__product_count(p, axis),
                           .a = p->at[B],
                           .b = p->at[A],
                           .c = p->at[OUT],
                           .stride_a = cuna__product_step(p, axis, B),
                           .stride_b = cuna__product_step(p, axis, A),
                           .stride_c = cuna__product_step(p, axis, OUT),
                           .alpha = {1, 0}};
    gemm.op_a = op_of(&gemm.lda, p->k, p->n, p->row[B], p->column[B]);
    gemm.op_b = op_of(&gemm.ldb, p->m, p->k, p->row[A], p->column[A]);
    gemm.ldc = p->m == 1 ? p->n : p->row[OUT];
    return cuna__blas_gemm(p->context, p->device, p->name, &gemm);
}

static cuna_status claim(const cuna_product *p, const cuna_array *const *arrays)
{
    cuna_stream *stream = cuna__context_stream(p->context, p->device);
    CUNA_TRY(cuna__device_enter(p->device));
    for (int i = 0; i < CUNA_MATMUL_OPERANDS; i++)
        CUNA_TRY(cuna__array_claim(p->context, stream, arrays[i]));
    return CUNA_OK;
}

static cuna_status multiply(cuna_product *p, const cuna_array *out, const cuna_array *a, const cuna_array *b)
{
    const cuna_array *arrays[] = {out, a, b};
    CUNA_TRY(claim(p, arrays));
    cuna__product_lay_out(p, out, a, b);
    if (!has_runs(p->m, p->n, p->row[OUT], p->column[OUT]))
        transpose(p);
    return cuna__product_each(p, call, NULL);
}

/* ---- layouts and dtypes that BLAS has not ---- */

static cuna_status adapt(cuna_array *made, const cuna_product *p, const cuna_array **factor)
{
    if ((*factor)->dtype == p->dtype && fits(*factor))
        return CUNA_OK;
    CUNA_TRY(copy(made, p->context, *factor, p->dtype));
    *factor = made;
    return CUNA_OK;
}

static cuna_status adapt_output(cuna_array *made, const cuna_product *p, const cuna_array **out)
{
    if ((*out)->dtype == p->dtype && fits(*out))
        return CUNA_OK;
    CUNA_TRY(cuna_array_create_on(made, p->context, p->device, p->dtype, (*out)->ndim, cuna_array_shape(*out)));
    *out = made;
    return CUNA_OK;
}

cuna_status cuna__matmul_blas(cuna_product *p, const cuna_array *out, const cuna_array *a, const cuna_array *b)
{
    cuna_array made[CUNA_MATMUL_OPERANDS] = {{0}, {0}, {0}};
    const cuna_array *target = out;
    if (cuna_dtype_size(p->dtype) == 2 && !p->device->driver->facts.blas->halves)
        p->dtype = CUNA_FLOAT32;
    cuna_status status = adapt(&made[A], p, &a);
    if (status == CUNA_OK)
        status = adapt(&made[B], p, &b);
    if (status == CUNA_OK)
        status = adapt_output(&made[OUT], p, &target);
    if (status == CUNA_OK)
        status = multiply(p, target, a, b);
    if (status == CUNA_OK && target != out)
        status = cuna_array_copy(p->context, out, target);
    for (int i = 0; i < CUNA_MATMUL_OPERANDS; i++)
        cuna_array_release(&made[i]);
    return status;
}

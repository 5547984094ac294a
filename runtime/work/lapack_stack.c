/* lapack_stack.c: stacks of matrices in one call of the device's library, and what such calls want otherwise.
 *
 * A table says what it takes differently for stacks (seam/lapack.h): addresses of matrices in place of a stack without gaps,
 * pivots of 32 bits, singular vectors as v. Copies and small programs on the device make the one of the other, so that
 * nothing waits. */
#include "work/lapack.h"

#include "device/context.h"

/* A stack on its way: the call as the table wants it, and arrays that stand for others. */
typedef struct stack {
    const cuna__lapack_request *r;
    const cuna_lapack *table;
    cuna_lapack_call call;
    int count;
    cuna_array more[CUNA_LAPACK_TEMPORARIES];
    cuna_array *pivots, *u, *v; /* of these; NULL: the request's own will do */
} stack;

static cuna_status add_array(cuna_array **out, stack *s, cuna_dtype dtype, int ndim, const int64_t *shape)
{
    CUNA_TRY(cuna_array_create_on(&s->more[s->count], s->r->context, s->r->device, dtype, ndim, shape));
    *out = &s->more[s->count++];
    return CUNA_OK;
}

/* ---- addresses ---- */

static cuna_status add_pointers(stack *s, int operand)
{
    static const cuna_program *cached;
    static const uint8_t dtypes[] = {CUNA_INT64, CUNA_INT64};
    static const cuna__lapack_step step = {"matrix_address", "a + b * c", 2, dtypes, true, CUNA_INT64};
    const cuna_program *program;
    cuna_array *out;
    cuna_operand inputs[] = {{.number = {.kind = CUNA_NUMBER_INT, .i = (int64_t)s->call.at[operand]}},
                             {.number = {.kind = CUNA_NUMBER_INT, .i = s->call.nbytes[operand]}}};
    CUNA_TRY(cuna__lapack_program(&program, &cached, &step));
    CUNA_TRY(add_array(&out, s, CUNA_INT64, 1, &s->call.batch));
    CUNA_TRY(cuna_elementwise(s->r->context, s->r->name, program, inputs, &out, 1, &s->call.batch));
    s->call.pointers[operand] = cuna__array_data(out);
    return CUNA_OK;
}

/* ---- pivots ---- */

static bool has_pivots(cuna_lapack_op op)
{
    return op == CUNA_LAPACK_getrf || op == CUNA_LAPACK_getrs || op == CUNA_LAPACK_getri;
}

static cuna_status narrow_pivots(stack *s)
{
    const cuna_array *wide = s->r->arrays[1];
    CUNA_TRY(add_array(&s->pivots, s, CUNA_INT32, wide->ndim, cuna_array_shape(wide)));
    s->call.at[1] = cuna__array_data(s->pivots);
    s->call.nbytes[1] /= 2;
    return s->call.op == CUNA_LAPACK_getrf ? CUNA_OK : cuna_array_copy(s->r->context, s->pivots, wide);
}

/* ---- singular vectors ---- */

static cuna_status add_squares(cuna_array **out, stack *s, int operand, int64_t length)
{
    const cuna_array *a = s->r->arrays[0];
    int64_t shape[CUNA_MAX_NDIM];
    cuna__copy_lengths(shape, cuna_array_shape(a), a->ndim);
    shape[a->ndim - 2] = shape[a->ndim - 1] = length;
    CUNA_TRY(add_array(out, s, s->call.dtype, a->ndim, shape));
    s->call.at[operand] = cuna__array_data(*out);
    s->call.nbytes[operand] = length * length * cuna_dtype_size(s->call.dtype);
    return CUNA_OK;
}

/* Also where only values are requested: cuSOLVER writes u of matrices that are not square. */
static cuna_status stand_in_vectors(stack *s)
{
    if (s->call.k < s->call.m)
        CUNA_TRY(add_squares(&s->u, s, 2, s->call.m));
    return add_squares(&s->v, s, 3, s->call.n);
}

static cuna_status copy_columns(const stack *s)
{
    cuna_array columns = {0};
    cuna_geometry g;
    cuna_array_geometry(&g, s->u);
    g.shape[g.ndim - 2] = s->call.k;
    CUNA_TRY(cuna_array_view(&columns, s->u, s->u->dtype, &g));
    cuna_status status = cuna_array_copy(s->r->context, s->r->arrays[2], &columns);
    cuna_array_release(&columns);
    return status;
}

static cuna_status conjugate(const stack *s, const cuna_array *from, cuna_array *to)
{
    static const cuna_program *cached[CUNA_DTYPES];
    const uint8_t dtype = from->dtype;
    const cuna__lapack_step step = {"conjugated", "T(real(a), -imag(a))", 1, &dtype, false, from->dtype};
    const cuna_program *program;
    cuna_operand input = {.array = from};
    if (cuna_dtype_kind(from->dtype) == 'f')
        return cuna_array_copy(s->r->context, to, from);
    CUNA_TRY(cuna__lapack_program(&program, &cached[from->dtype], &step));
    return cuna_elementwise(s->r->context, s->r->name, program, &input, &to, -1, NULL);
}

static cuna_status transpose_v(const stack *s)
{
    cuna_array turned = {0};
    cuna_geometry g;
    cuna_array_geometry(&g, s->v);
    int64_t step = g.strides[g.ndim - 1];
    g.strides[g.ndim - 1] = g.strides[g.ndim - 2];
    g.strides[g.ndim - 2] = step;
    CUNA_TRY(cuna_array_view(&turned, s->v, s->v->dtype, &g));
    cuna_status status = conjugate(s, &turned, s->r->arrays[3]);
    cuna_array_release(&turned);
    return status;
}

/* ---- the call ---- */

static cuna_status prepare(stack *s)
{
    if (s->table->narrow_pivots && has_pivots(s->call.op))
        CUNA_TRY(narrow_pivots(s));
    if (s->table->plain_v && s->call.op == CUNA_LAPACK_gesvd && (s->call.k > 0 || s->call.m != s->call.n))
        CUNA_TRY(stand_in_vectors(s));
    for (int i = 0; i < CUNA_LAPACK_OPERANDS; i++)
        if (s->table->pointers[s->call.op] >> i & 1)
            CUNA_TRY(add_pointers(s, i));
    return CUNA_OK;
}

static cuna_status finish(const stack *s)
{
    if (s->pivots != NULL && s->call.op == CUNA_LAPACK_getrf)
        CUNA_TRY(cuna_array_copy(s->r->context, s->r->arrays[1], s->pivots));
    if (s->v == NULL || s->call.k == 0)
        return CUNA_OK;
    if (s->u != NULL)
        CUNA_TRY(copy_columns(s));
    return transpose_v(s);
}

cuna_status cuna__lapack_run_stack(const cuna__lapack_request *request)
{
    stack s = {.r = request, .table = request->device->driver->facts.lapack, .call = request->call};
    cuna_status status = prepare(&s);
    if (status == CUNA_OK)
        status = cuna__lapack_give(request, &s.call, s.count, s.more);
    if (status == CUNA_OK)
        status = finish(&s);
    for (int i = 0; i < s.count; i++)
        cuna_array_release(&s.more[i]);
    return status;
}

/* ---- identities ---- */

cuna_status cuna__lapack_identity(const cuna__lapack_request *r, cuna_array *array)
{
    static const cuna_program *cached[CUNA_DTYPES];
    static const uint8_t dtypes[] = {CUNA_INT64};
    const cuna__lapack_step step = {"identity_element", "R(b / a % a == b % a)", 1, dtypes, true, array->dtype};
    const cuna_program *program;
    cuna_operand input = {.number = {.kind = CUNA_NUMBER_INT, .i = r->call.n}};
    CUNA_TRY(cuna__lapack_program(&program, &cached[array->dtype], &step));
    return cuna_elementwise(r->context, r->name, program, &input, &array, array->ndim, cuna_array_shape(array));
}

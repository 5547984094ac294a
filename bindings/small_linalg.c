/* small_linalg.c: linalg.solve and linalg.inv of one matrix, by the calls of lua/cuna/linalg/solve.lua, whose checks and
 * views take several times as long as a few rows.
 *
 * LAPACK reads a row-major matrix as its transpose: see there. */
#include "small.h"

/* A matrix and, for solve, a vector; and what is made of them: factors, pivots and info of these. */
typedef struct equation {
    const char *name;
    const cuna_array *a, *b;
    cuna_device *device;
    cuna_array factors, pivots, info;
} equation;

static bool is_square(const cuna_array *a)
{
    const int64_t *shape = cuna_array_shape(a);
    return a->ndim == 2 && shape[0] == shape[1] && shape[0] >= 1;
}

static bool is_computed(cuna_dtype dtype)
{
    return dtype == CUNA_FLOAT32 || dtype == CUNA_FLOAT64 || dtype == CUNA_COMPLEX64 || dtype == CUNA_COMPLEX128;
}

/* Whether the host may read an array at a stack index now. */
static const cuna_array *peek_ready(lua_State *L, const cuna_lua_state *S, int index)
{
    const cuna_array *x = cuna_lua_peek_array(S, L, index);
    return x != NULL && x->buffer != NULL && cuna_array_touch(S->context, x, 0) != NULL ? x : NULL;
}

static bool read_matrix(lua_State *L, const cuna_lua_state *S, equation *e)
{
    e->a = peek_ready(L, S, 1);
    if (e->a == NULL || !is_square(e->a) || !is_computed((cuna_dtype)e->a->dtype))
        return false;
    e->device = cuna_array_device(e->a);
    return !cuna_device_is_asynchronous(e->device);
}

static bool read_side(lua_State *L, const cuna_lua_state *S, equation *e)
{
    e->b = peek_ready(L, S, 2);
    return e->b != NULL && e->b->ndim == 1 && e->b->size == cuna_array_shape(e->a)[0] && e->b->dtype == e->a->dtype &&
           cuna_array_device(e->b) == e->device;
}

static void release(equation *e)
{
    cuna_array_release(&e->factors);
    cuna_array_release(&e->pivots);
    cuna_array_release(&e->info);
}

static cuna_status create_like(cuna_array *out, cuna_context *context, const equation *e, const cuna_array *like)
{
    if (out->buffer != NULL)
        return CUNA_OK;
    return cuna_array_create_on(out, context, e->device, (cuna_dtype)like->dtype, like->ndim, cuna_array_shape(like));
}

/* The LU factors of the transpose; LINALG where the matrix is singular. */
static cuna_status factor(equation *e, cuna_context *context)
{
    cuna_array *arrays[] = {&e->factors, &e->pivots};
    CUNA_TRY(create_like(&e->factors, context, e, e->a));
    CUNA_TRY(cuna_array_create_on(&e->pivots, context, e->device, CUNA_INT64, 1, cuna_array_shape(e->a)));
    CUNA_TRY(cuna_array_create_on(&e->info, context, e->device, CUNA_INT32, 0, NULL));
    CUNA_TRY(cuna_array_copy(context, &e->factors, e->a));
    CUNA_TRY(cuna_lapack_call_stack(context, e->name, "getrf", 2, arrays, &e->info, ""));
    return cuna_lapack_check(context, e->name, CUNA_SINGULAR, &e->info, "");
}

/* Solves in place of a copy of the vector, which is a matrix of one column here. */
static cuna_status solve(equation *e, cuna_context *context, cuna_array *out)
{
    cuna_array column = {0}, *arrays[] = {&e->factors, &e->pivots, &column};
    const cuna_geometry g = {.ndim = 2, .shape = {1, e->b->size}, .strides = {e->b->size, 1}};
    CUNA_TRY(factor(e, context));
    CUNA_TRY(create_like(out, context, e, e->b));
    CUNA_TRY(cuna_array_copy(context, out, e->b));
    CUNA_TRY(cuna_array_view(&column, out, (cuna_dtype)out->dtype, &g));
    cuna_status status = cuna_lapack_call_stack(context, e->name, "getrs", 3, arrays, NULL, "T");
    cuna_array_release(&column);
    return status;
}

/* Adds 0 to each part of the elements: the inverse of a diagonal has zeros without signs. */
static void settle(void *elements, cuna_dtype dtype, int64_t size)
{
    bool is_complex = cuna_dtype_kind(dtype) == 'c';
    int64_t count = is_complex ? 2 * size : size;
    if (cuna_dtype_size(dtype) == (is_complex ? 16 : 8))
        for (int64_t i = 0; i < count; i++)
            ((double *)elements)[i] += 0.0;
    else
        for (int64_t i = 0; i < count; i++)
            ((float *)elements)[i] += 0.0f;
}

static cuna_status invert(equation *e, cuna_context *context, cuna_array *out)
{
    cuna_array *arrays[] = {&e->factors, &e->pivots, out};
    CUNA_TRY(factor(e, context));
    CUNA_TRY(create_like(out, context, e, e->a));
    CUNA_TRY(cuna_lapack_call_stack(context, e->name, "getri", 3, arrays, NULL, ""));
    void *elements = NULL;
    CUNA_TRY(cuna_array_host(&elements, context, out));
    settle(elements, (cuna_dtype)out->dtype, out->size);
    return CUNA_OK;
}

typedef cuna_status maker(equation *e, cuna_context *context, cuna_array *out);

static cuna_status make_and_release(maker *make, equation *e, cuna_context *context, cuna_array *out)
{
    cuna_status status = make(e, context, out);
    release(e);
    return status;
}

static bool push(lua_State *L, cuna_lua_state *S, equation *e, maker *make)
{
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, make_and_release(make, e, S->context, out));
    return true;
}

bool cuna_lua_serve_solve(lua_State *L, cuna_lua_state *S)
{
    equation e = {.name = "linalg.solve"};
    return lua_gettop(L) == 2 && read_matrix(L, S, &e) && read_side(L, S, &e) && push(L, S, &e, solve);
}

bool cuna_lua_serve_inv(lua_State *L, cuna_lua_state *S)
{
    equation e = {.name = "linalg.inv"};
    return lua_gettop(L) == 1 && read_matrix(L, S, &e) && push(L, S, &e, invert);
}

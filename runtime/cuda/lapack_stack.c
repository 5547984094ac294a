/* lapack_stack.c: calls of cuSOLVER and cuBLAS for stacks of matrices.
 *
 * Some take the matrices' addresses in an array on the device (the call's `pointers`), some a stack without gaps. */
#include "cuda/lapack_call.h"

static int answer(cublas_status status)
{
    return status == CUBLAS_STATUS_SUCCESS ? 0 : CUNA_CUBLAS_ANSWER + status;
}

static void *pointers(const cuna_lapack_work *w, int operand)
{
    return (void *)(uintptr_t)w->call->pointers[operand];
}

static int stack_getrf(cuna_lapack_work *w)
{
    int n = (int)w->call->n, count = (int)w->call->batch;
    if (w->asks)
        return 0;
    return answer(
        CUNA_TYPED(w, cuna__cublas_, getrf_batched, w->handle->blas, n, pointers(w, 0), n, w->at[1], w->info, count));
}

static int stack_getrs(cuna_lapack_work *w)
{
    const cuna_lapack_call *c = w->call;
    int n = (int)c->n, k = (int)c->k, count = (int)c->batch, wrong = 0;
    if (w->asks)
        return 0;
    return answer(CUNA_TYPED(w, cuna__cublas_, getrs_batched, w->handle->blas, cuna__cuda_operation(c->options[0]), n,
                             k, pointers(w, 0), n, w->at[1], pointers(w, 2), n, &wrong, count));
}

static int stack_getri(cuna_lapack_work *w)
{
    int n = (int)w->call->n, count = (int)w->call->batch;
    if (w->asks)
        return 0;
    return answer(CUNA_TYPED(w, cuna__cublas_, getri_batched, w->handle->blas, n, pointers(w, 0), n, w->at[1],
                             pointers(w, 2), n, w->info, count));
}

static int stack_trsm(cuna_lapack_work *w)
{
    const cuna_lapack_call *c = w->call;
    cuda_factor one = cuna__cuda_factor(c->dtype, (const double[2]){1, 0});
    const void *alpha = &one;
    if (w->asks)
        return 0;
    return answer(CUNA_TYPED(w, cuna__cublas_, trsm_batched, w->handle->blas, CUBLAS_SIDE_LEFT,
                             cuna__cuda_fill(c->options[0]), cuna__cuda_operation(c->options[1]),
                             cuna__cuda_diagonal(c->options[2]), c->n, c->k, alpha, pointers(w, 0), c->n,
                             pointers(w, 1), c->n, c->batch));
}

static int stack_potrf(cuna_lapack_work *w)
{
    int n = (int)w->call->n, count = (int)w->call->batch;
    if (w->asks)
        return 0;
    return CUNA_TYPED(w, cuna__cusolver_, potrf_batched, w->handle->solver, cuna__cuda_fill(w->call->options[0]), n,
                      pointers(w, 0), n, w->info, count);
}

/* Jacobi's method. Its third and fourth operands are u (m, m) and v, not transposed. */
static int stack_gesvd(cuna_lapack_work *w)
{
    const cuna_lapack_call *c = w->call;
    const cuna_lapack_handle *h = w->handle;
    int m = (int)c->m, n = (int)c->n, count = (int)c->batch, size = 0;
    cusolver_mode mode = cuna__cuda_mode(c->k > 0);
    if (w->asks) {
        int asked = CUNA_TYPED(w, cuna__cusolver_, gesvdj_batched_size, h->solver, mode, m, n, w->at[0], m, w->at[1],
                               w->at[2], m, w->at[3], n, &size, h->jacobi, count);
        w->device_nbytes = (size_t)size * (size_t)cuna_dtype_size(c->dtype);
        return asked;
    }
    size = (int)(w->device_nbytes / (size_t)cuna_dtype_size(c->dtype));
    return CUNA_TYPED(w, cuna__cusolver_, gesvdj_batched, h->solver, mode, m, n, w->at[0], m, w->at[1], w->at[2], m,
                      w->at[3], n, w->device, size, w->info, h->jacobi, count);
}

/* The same for eigenvalues; for small matrices it is twice as fast as the function that the next one calls. */
static int stack_syevj(cuna_lapack_work *w, cusolver_mode mode, cublas_fill fill)
{
    const cuna_lapack_call *c = w->call;
    const cuna_lapack_handle *h = w->handle;
    int n = (int)c->n, count = (int)c->batch, size = 0;
    if (w->asks) {
        int asked = CUNA_TYPED(w, cuna__cusolver_, syevj_batched_size, h->solver, mode, fill, n, w->at[0], n, w->at[1],
                               &size, h->eigen_jacobi, count);
        w->device_nbytes = (size_t)size * (size_t)cuna_dtype_size(c->dtype);
        return asked;
    }
    size = (int)(w->device_nbytes / (size_t)cuna_dtype_size(c->dtype));
    return CUNA_TYPED(w, cuna__cusolver_, syevj_batched, h->solver, mode, fill, n, w->at[0], n, w->at[1], w->device,
                      size, w->info, h->eigen_jacobi, count);
}

static int stack_syevd(cuna_lapack_work *w)
{
    const cuna_lapack_call *c = w->call;
    const cuna_lapack_handle *h = w->handle;
    cusolver_mode mode = cuna__cuda_mode(c->options[0] == 'V');
    cublas_fill fill = cuna__cuda_fill(c->options[1]);
    if (c->n <= CUNA_JACOBI_LENGTH)
        return stack_syevj(w, mode, fill);
    if (w->asks)
        return cuna__cusolver_syev_batched_size(h->solver, h->params, mode, fill, c->n, w->type, w->at[0], c->n,
                                                w->real, w->at[1], w->type, &w->device_nbytes, &w->host_nbytes,
                                                c->batch);
    return cuna__cusolver_syev_batched(h->solver, h->params, mode, fill, c->n, w->type, w->at[0], c->n, w->real,
                                       w->at[1], w->type, w->device, w->device_nbytes, c->host, w->host_nbytes, w->info,
                                       c->batch);
}

int cuna__cuda_call_stack(cuna_lapack_work *work)
{
    static int (*const calls[CUNA_LAPACK_OPS])(cuna_lapack_work * work) = {
        [CUNA_LAPACK_getrf] = stack_getrf, [CUNA_LAPACK_getrs] = stack_getrs, [CUNA_LAPACK_getri] = stack_getri,
        [CUNA_LAPACK_potrf] = stack_potrf, [CUNA_LAPACK_trsm] = stack_trsm,   [CUNA_LAPACK_gesvd] = stack_gesvd,
        [CUNA_LAPACK_syevd] = stack_syevd,
    };
    return calls[work->call->op](work);
}

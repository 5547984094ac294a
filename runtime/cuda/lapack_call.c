/* lapack_call.c: calls of cuSOLVER for one matrix: each operation's workspace query, and its call. */
#include "cuda/lapack_call.h"

static int call_getrf(cuna_lapack_work *w)
{
    const cuna_lapack_handle *h = w->handle;
    const cuna_lapack_call *c = w->call;
    if (w->asks)
        return cuna__cusolver_getrf_size(h->solver, h->params, c->m, c->n, w->type, w->at[0], c->m, w->type,
                                         &w->device_nbytes, &w->host_nbytes);
    return cuna__cusolver_getrf(h->solver, h->params, c->m, c->n, w->type, w->at[0], c->m, w->at[1], w->type, w->device,
                                w->device_nbytes, c->host, w->host_nbytes, w->info);
}

static int call_getrs(cuna_lapack_work *w)
{
    const cuna_lapack_handle *h = w->handle;
    const cuna_lapack_call *c = w->call;
    return w->asks ? 0
                   : cuna__cusolver_getrs(h->solver, h->params, cuna__cuda_operation(c->options[0]), c->n, c->k,
                                          w->type, w->at[0], c->n, w->at[1], w->type, w->at[2], c->n, w->info);
}

static int call_potrf(cuna_lapack_work *w)
{
    const cuna_lapack_handle *h = w->handle;
    const cuna_lapack_call *c = w->call;
    cublas_fill fill = cuna__cuda_fill(c->options[0]);
    if (w->asks)
        return cuna__cusolver_potrf_size(h->solver, h->params, fill, c->n, w->type, w->at[0], c->n, w->type,
                                         &w->device_nbytes, &w->host_nbytes);
    return cuna__cusolver_potrf(h->solver, h->params, fill, c->n, w->type, w->at[0], c->n, w->type, w->device,
                                w->device_nbytes, c->host, w->host_nbytes, w->info);
}

static int call_potrs(cuna_lapack_work *w)
{
    const cuna_lapack_handle *h = w->handle;
    const cuna_lapack_call *c = w->call;
    return w->asks ? 0
                   : cuna__cusolver_potrs(h->solver, h->params, cuna__cuda_fill(c->options[0]), c->n, c->k, w->type,
                                          w->at[0], c->n, w->type, w->at[1], c->n, w->info);
}

static int call_trtri(cuna_lapack_work *w)
{
    const cuna_lapack_call *c = w->call;
    cublas_fill fill = cuna__cuda_fill(c->options[0]);
    cublas_diagonal diagonal = cuna__cuda_diagonal(c->options[1]);
    if (w->asks)
        return cuna__cusolver_trtri_size(w->handle->solver, fill, diagonal, c->n, w->type, w->at[0], c->n,
                                         &w->device_nbytes, &w->host_nbytes);
    return cuna__cusolver_trtri(w->handle->solver, fill, diagonal, c->n, w->type, w->at[0], c->n, w->device,
                                w->device_nbytes, c->host, w->host_nbytes, w->info);
}

static int call_geqrf(cuna_lapack_work *w)
{
    const cuna_lapack_handle *h = w->handle;
    const cuna_lapack_call *c = w->call;
    if (w->asks)
        return cuna__cusolver_geqrf_size(h->solver, h->params, c->m, c->n, w->type, w->at[0], c->m, w->type, w->at[1],
                                         w->type, &w->device_nbytes, &w->host_nbytes);
    return cuna__cusolver_geqrf(h->solver, h->params, c->m, c->n, w->type, w->at[0], c->m, w->type, w->at[1], w->type,
                                w->device, w->device_nbytes, c->host, w->host_nbytes, w->info);
}

/* The next two count with 32 bits, workspaces in elements. */
static size_t nbytes_of(const cuna_lapack_work *w, int size)
{
    return (size_t)size * (size_t)cuna_dtype_size(w->call->dtype);
}

static int size_of(const cuna_lapack_work *w)
{
    return (int)(w->device_nbytes / (size_t)cuna_dtype_size(w->call->dtype));
}

static int call_orgqr(cuna_lapack_work *w)
{
    const cuna_lapack_call *c = w->call;
    int m = (int)c->m, n = (int)c->n, k = (int)c->k, size = 0;
    if (!w->asks)
        return CUNA_TYPED(w, cuna__cusolver_, orgqr, w->handle->solver, m, n, k, w->at[0], m, w->at[1], w->device,
                          size_of(w), w->info);
    int answer = CUNA_TYPED(w, cuna__cusolver_, orgqr_size, w->handle->solver, m, n, k, w->at[0], m, w->at[1], &size);
    w->device_nbytes = nbytes_of(w, size);
    return answer;
}

static int call_ormqr(cuna_lapack_work *w)
{
    const cuna_lapack_call *c = w->call;
    int m = (int)c->m, n = (int)c->n, k = (int)c->k, size = 0;
    bool real = cuna_dtype_kind(c->dtype) == 'f';
    cublas_operation op = c->options[0] == 'N' ? CUBLAS_OP_N : real ? CUBLAS_OP_T : CUBLAS_OP_C;
    if (!w->asks)
        return CUNA_TYPED(w, cuna__cusolver_, ormqr, w->handle->solver, CUBLAS_SIDE_LEFT, op, m, n, k, w->at[0], m,
                          w->at[1], w->at[2], m, w->device, size_of(w), w->info);
    int answer = CUNA_TYPED(w, cuna__cusolver_, ormqr_size, w->handle->solver, CUBLAS_SIDE_LEFT, op, m, n, k, w->at[0],
                            m, w->at[1], w->at[2], m, &size);
    w->device_nbytes = nbytes_of(w, size);
    return answer;
}

static int call_gesvd(cuna_lapack_work *w)
{
    const cuna_lapack_handle *h = w->handle;
    const cuna_lapack_call *c = w->call;
    signed char job = c->k == 0 ? 'N' : c->k == c->m ? 'A' : 'S';
    if (w->asks)
        return cuna__cusolver_gesvd_size(h->solver, h->params, job, job, c->m, c->n, w->type, w->at[0], c->m, w->real,
                                         w->at[1], w->type, w->at[2], c->m, w->type, w->at[3], c->n, w->type,
                                         &w->device_nbytes, &w->host_nbytes);
    return cuna__cusolver_gesvd(h->solver, h->params, job, job, c->m, c->n, w->type, w->at[0], c->m, w->real, w->at[1],
                                w->type, w->at[2], c->m, w->type, w->at[3], c->n, w->type, w->device, w->device_nbytes,
                                c->host, w->host_nbytes, w->info);
}

static int call_syevd(cuna_lapack_work *w)
{
    const cuna_lapack_handle *h = w->handle;
    const cuna_lapack_call *c = w->call;
    cusolver_mode mode = cuna__cuda_mode(c->options[0] == 'V');
    cublas_fill fill = cuna__cuda_fill(c->options[1]);
    if (w->asks)
        return cuna__cusolver_syevd_size(h->solver, h->params, mode, fill, c->n, w->type, w->at[0], c->n, w->real,
                                         w->at[1], w->type, &w->device_nbytes, &w->host_nbytes);
    return cuna__cusolver_syevd(h->solver, h->params, mode, fill, c->n, w->type, w->at[0], c->n, w->real, w->at[1],
                                w->type, w->device, w->device_nbytes, c->host, w->host_nbytes, w->info);
}

static int call_geev(cuna_lapack_work *w)
{
    const cuna_lapack_handle *h = w->handle;
    const cuna_lapack_call *c = w->call;
    cusolver_mode mode = cuna__cuda_mode(c->k > 0), none = CUSOLVER_EIG_MODE_NOVECTOR;
    if (w->asks)
        return cuna__cusolver_geev_size(h->solver, h->params, none, mode, c->n, w->type, w->at[0], c->n, w->complex,
                                        w->at[1], w->type, NULL, c->n, w->type, w->at[2], c->n, w->type,
                                        &w->device_nbytes, &w->host_nbytes);
    return cuna__cusolver_geev(h->solver, h->params, none, mode, c->n, w->type, w->at[0], c->n, w->complex, w->at[1],
                               w->type, NULL, c->n, w->type, w->at[2], c->n, w->type, w->device, w->device_nbytes,
                               c->host, w->host_nbytes, w->info);
}

int cuna__cuda_call(cuna_lapack_work *work)
{
    static int (*const calls[CUNA_LAPACK_OPS])(cuna_lapack_work * work) = {
        [CUNA_LAPACK_getrf] = call_getrf, [CUNA_LAPACK_getrs] = call_getrs, [CUNA_LAPACK_potrf] = call_potrf,
        [CUNA_LAPACK_potrs] = call_potrs, [CUNA_LAPACK_trtri] = call_trtri, [CUNA_LAPACK_geqrf] = call_geqrf,
        [CUNA_LAPACK_orgqr] = call_orgqr, [CUNA_LAPACK_ormqr] = call_ormqr, [CUNA_LAPACK_gesvd] = call_gesvd,
        [CUNA_LAPACK_syevd] = call_syevd, [CUNA_LAPACK_geev] = call_geev,
    };
    return calls[work->call->op](work);
}

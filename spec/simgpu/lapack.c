/* lapack.c: cuSOLVER of the simulated GPU, the calls that any type has in common: their arguments become a factor
 * (factor.c), which is checked and queued. */
#include "factor.h"

#define AT(...)     \
    {               \
        __VA_ARGS__ \
    }
#define P(pointer) (uintptr_t)(pointer)

/* The type of what a matrix has real parts in. */
static cuda_data_type real_of(cuda_data_type type)
{
    return type == CUDA_R_32F || type == CUDA_C_32F ? CUDA_R_32F : CUDA_R_64F;
}

static bool has_params(const struct simgpu_call *call, cusolver_params params)
{
    return simgpu__solver_has(call, SIMGPU_CUSOLVER_PARAMS, params);
}

static bool is_fill(cublas_fill fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}

static char fill_letter(cublas_fill fill)
{
    return fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
}

/* First lines of rows: enters, and refuses parameters of another device. */
#define ENTER(field)                                               \
    SIMGPU_ENTER_LIBRARY(field, CUSOLVER_STATUS_EXECUTION_FAILED); \
    if (!has_params(&call, params))                                \
    return CUSOLVER_STATUS_INVALID_VALUE

/* What calls with workspaces have in common. */
#define SET_WORKSPACES(f)                 \
    (f).call.info = P(info);              \
    (f).workspace = device;               \
    (f).workspace_nbytes = device_nbytes; \
    (f).host = host;                      \
    (f).host_nbytes = host_nbytes

/* ---- getrf, getrs ---- */

static struct simgpu_factor getrf(int64_t m, int64_t n, cuda_data_type type, const void *a, int64_t lda,
                                  cuda_data_type compute)
{
    return (struct simgpu_factor){.call = {.op = CUNA_LAPACK_getrf, .batch = 1, .m = m, .n = n, .at = AT(P(a))},
                                  .type = type,
                                  .other_type = real_of(type),
                                  .compute = compute,
                                  .ld = {lda},
                                  .wanted_ld = {m}};
}

cusolver_status simgpu__row_cusolver_getrf_size(cusolver_handle handle, cusolver_params params, int64_t m, int64_t n,
                                                cuda_data_type a_type, const void *a, int64_t lda,
                                                cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes)
{
    ENTER(cusolver_getrf_size);
    struct simgpu_factor f = getrf(m, n, a_type, a, lda, compute);
    return simgpu__factor_ask(&call, handle, &f, device_nbytes, host_nbytes);
}

cusolver_status simgpu__row_cusolver_getrf(cusolver_handle handle, cusolver_params params, int64_t m, int64_t n,
                                           cuda_data_type a_type, void *a, int64_t lda, int64_t *pivots,
                                           cuda_data_type compute, void *device, size_t device_nbytes, void *host,
                                           size_t host_nbytes, int *info)
{
    ENTER(cusolver_getrf);
    struct simgpu_factor f = getrf(m, n, a_type, a, lda, compute);
    f.call.at[1] = P(pivots);
    SET_WORKSPACES(f);
    return simgpu__factor_do(&call, handle, &f);
}

cusolver_status simgpu__row_cusolver_getrs(cusolver_handle handle, cusolver_params params, cublas_operation op,
                                           int64_t n, int64_t k, cuda_data_type a_type, const void *a, int64_t lda,
                                           const int64_t *pivots, cuda_data_type b_type, void *b, int64_t ldb,
                                           int *info)
{
    ENTER(cusolver_getrs);
    struct simgpu_factor f = {.call = {.op = CUNA_LAPACK_getrs,
                                       .options = {op == CUBLAS_OP_N   ? 'N'
                                                   : op == CUBLAS_OP_T ? 'T'
                                                                       : 'C'},
                                       .batch = 1,
                                       .m = n,
                                       .n = n,
                                       .k = k,
                                       .at = AT(P(a), P(pivots), P(b)),
                                       .info = P(info)},
                              .type = a_type,
                              .other_type = real_of(a_type),
                              .compute = b_type,
                              .ld = {lda, ldb},
                              .wanted_ld = {n, n}};
    return simgpu__factor_do(&call, handle, &f);
}

/* ---- potrf, potrs, trtri ---- */

static struct simgpu_factor triangular(cuna_lapack_op op, cublas_fill fill, int64_t n, cuda_data_type type,
                                       const void *a, int64_t lda)
{
    return (struct simgpu_factor){
        .call = {.op = op, .options = {fill_letter(fill)}, .batch = 1, .m = n, .n = n, .at = AT(P(a))},
        .type = is_fill(fill) ? type : -1,
        .other_type = real_of(type),
        .compute = type,
        .ld = {lda},
        .wanted_ld = {n}};
}

cusolver_status simgpu__row_cusolver_potrf_size(cusolver_handle handle, cusolver_params params, cublas_fill fill,
                                                int64_t n, cuda_data_type a_type, const void *a, int64_t lda,
                                                cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes)
{
    ENTER(cusolver_potrf_size);
    struct simgpu_factor f = triangular(CUNA_LAPACK_potrf, fill, n, a_type, a, lda);
    f.compute = compute;
    return simgpu__factor_ask(&call, handle, &f, device_nbytes, host_nbytes);
}

cusolver_status simgpu__row_cusolver_potrf(cusolver_handle handle, cusolver_params params, cublas_fill fill, int64_t n,
                                           cuda_data_type a_type, void *a, int64_t lda, cuda_data_type compute,
                                           void *device, size_t device_nbytes, void *host, size_t host_nbytes,
                                           int *info)
{
    ENTER(cusolver_potrf);
    struct simgpu_factor f = triangular(CUNA_LAPACK_potrf, fill, n, a_type, a, lda);
    f.compute = compute;
    SET_WORKSPACES(f);
    return simgpu__factor_do(&call, handle, &f);
}

cusolver_status simgpu__row_cusolver_potrs(cusolver_handle handle, cusolver_params params, cublas_fill fill, int64_t n,
                                           int64_t k, cuda_data_type a_type, const void *a, int64_t lda,
                                           cuda_data_type b_type, void *b, int64_t ldb, int *info)
{
    ENTER(cusolver_potrs);
    struct simgpu_factor f = triangular(CUNA_LAPACK_potrs, fill, n, a_type, a, lda);
    f.compute = b_type;
    f.call.k = k;
    f.call.at[1] = P(b);
    f.call.info = P(info);
    f.ld[1] = ldb;
    f.wanted_ld[1] = n;
    return simgpu__factor_do(&call, handle, &f);
}

cusolver_status simgpu__row_cusolver_trtri_size(cusolver_handle handle, cublas_fill fill, cublas_diagonal diagonal,
                                                int64_t n, cuda_data_type a_type, void *a, int64_t lda,
                                                size_t *device_nbytes, size_t *host_nbytes)
{
    SIMGPU_ENTER_LIBRARY(cusolver_trtri_size, CUSOLVER_STATUS_EXECUTION_FAILED);
    struct simgpu_factor f = triangular(CUNA_LAPACK_trtri, fill, n, a_type, a, lda);
    f.call.options[1] = diagonal == CUBLAS_DIAG_UNIT ? 'U' : 'N';
    return simgpu__factor_ask(&call, handle, &f, device_nbytes, host_nbytes);
}

cusolver_status simgpu__row_cusolver_trtri(cusolver_handle handle, cublas_fill fill, cublas_diagonal diagonal,
                                           int64_t n, cuda_data_type a_type, void *a, int64_t lda, void *device,
                                           size_t device_nbytes, void *host, size_t host_nbytes, int *info)
{
    SIMGPU_ENTER_LIBRARY(cusolver_trtri, CUSOLVER_STATUS_EXECUTION_FAILED);
    struct simgpu_factor f = triangular(CUNA_LAPACK_trtri, fill, n, a_type, a, lda);
    f.call.options[1] = diagonal == CUBLAS_DIAG_UNIT ? 'U' : 'N';
    SET_WORKSPACES(f);
    return simgpu__factor_do(&call, handle, &f);
}

/* ---- geqrf ---- */

static struct simgpu_factor geqrf(int64_t m, int64_t n, cuda_data_type type, const void *a, int64_t lda,
                                  cuda_data_type tau_type, const void *tau, cuda_data_type compute)
{
    return (struct simgpu_factor){.call = {.op = CUNA_LAPACK_geqrf, .batch = 1, .m = m, .n = n, .at = AT(P(a), P(tau))},
                                  .type = tau_type == type ? type : -1,
                                  .other_type = real_of(type),
                                  .compute = compute,
                                  .ld = {lda},
                                  .wanted_ld = {m}};
}

cusolver_status simgpu__row_cusolver_geqrf_size(cusolver_handle handle, cusolver_params params, int64_t m, int64_t n,
                                                cuda_data_type a_type, const void *a, int64_t lda,
                                                cuda_data_type tau_type, const void *tau, cuda_data_type compute,
                                                size_t *device_nbytes, size_t *host_nbytes)
{
    ENTER(cusolver_geqrf_size);
    struct simgpu_factor f = geqrf(m, n, a_type, a, lda, tau_type, tau, compute);
    return simgpu__factor_ask(&call, handle, &f, device_nbytes, host_nbytes);
}

cusolver_status simgpu__row_cusolver_geqrf(cusolver_handle handle, cusolver_params params, int64_t m, int64_t n,
                                           cuda_data_type a_type, void *a, int64_t lda, cuda_data_type tau_type,
                                           void *tau, cuda_data_type compute, void *device, size_t device_nbytes,
                                           void *host, size_t host_nbytes, int *info)
{
    ENTER(cusolver_geqrf);
    struct simgpu_factor f = geqrf(m, n, a_type, a, lda, tau_type, tau, compute);
    SET_WORKSPACES(f);
    return simgpu__factor_do(&call, handle, &f);
}

/* ---- gesvd ---- */

struct svd {
    signed char u_job, vt_job;
    int64_t m, n, lda, ldu, ldvt;
    cuda_data_type a_type, s_type, u_type, vt_type, compute;
    const void *a, *s, *u, *vt;
};

static struct simgpu_factor gesvd(const struct svd *g)
{
    bool good = g->u_job == g->vt_job && g->u_type == g->a_type && g->vt_type == g->a_type &&
                (g->u_job == 'N' || g->u_job == 'A' || g->u_job == 'S');
    return (struct simgpu_factor){.call = {.op = CUNA_LAPACK_gesvd,
                                           .batch = 1,
                                           .m = g->m,
                                           .n = g->n,
                                           .k = g->u_job == 'N'   ? 0
                                                : g->u_job == 'A' ? g->m
                                                                  : g->n,
                                           .at = AT(P(g->a), P(g->s), P(g->u), P(g->vt))},
                                  .type = good ? g->a_type : -1,
                                  .other_type = g->s_type,
                                  .compute = g->compute,
                                  .ld = {g->lda, g->ldu, g->ldvt},
                                  .wanted_ld = {g->m, g->m, g->n}};
}

cusolver_status simgpu__row_cusolver_gesvd_size(cusolver_handle handle, cusolver_params params, signed char u_job,
                                                signed char vt_job, int64_t m, int64_t n, cuda_data_type a_type,
                                                const void *a, int64_t lda, cuda_data_type s_type, const void *s,
                                                cuda_data_type u_type, const void *u, int64_t ldu,
                                                cuda_data_type vt_type, const void *vt, int64_t ldvt,
                                                cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes)
{
    ENTER(cusolver_gesvd_size);
    const struct svd g = {u_job, vt_job, m, n, lda, ldu, ldvt, a_type, s_type, u_type, vt_type, compute, a, s, u, vt};
    struct simgpu_factor f = gesvd(&g);
    return simgpu__factor_ask(&call, handle, &f, device_nbytes, host_nbytes);
}

cusolver_status simgpu__row_cusolver_gesvd(cusolver_handle handle, cusolver_params params, signed char u_job,
                                           signed char vt_job, int64_t m, int64_t n, cuda_data_type a_type, void *a,
                                           int64_t lda, cuda_data_type s_type, void *s, cuda_data_type u_type, void *u,
                                           int64_t ldu, cuda_data_type vt_type, void *vt, int64_t ldvt,
                                           cuda_data_type compute, void *device, size_t device_nbytes, void *host,
                                           size_t host_nbytes, int *info)
{
    ENTER(cusolver_gesvd);
    const struct svd g = {u_job, vt_job, m, n, lda, ldu, ldvt, a_type, s_type, u_type, vt_type, compute, a, s, u, vt};
    struct simgpu_factor f = gesvd(&g);
    SET_WORKSPACES(f);
    return simgpu__factor_do(&call, handle, &f);
}

/* ---- syevd, and its stacks ---- */

static struct simgpu_factor syevd(cusolver_mode job, cublas_fill fill, int64_t n, cuda_data_type type, const void *a,
                                  int64_t lda, cuda_data_type w_type, const void *w, cuda_data_type compute,
                                  int64_t count)
{
    struct simgpu_factor f = triangular(CUNA_LAPACK_syevd, fill, n, type, a, lda);
    f.call.options[0] = job == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    f.call.options[1] = fill_letter(fill);
    f.call.at[1] = P(w);
    f.call.batch = count;
    f.other_type = w_type;
    f.compute = compute;
    return f;
}

cusolver_status simgpu__row_cusolver_syevd_size(cusolver_handle handle, cusolver_params params, cusolver_mode job,
                                                cublas_fill fill, int64_t n, cuda_data_type a_type, const void *a,
                                                int64_t lda, cuda_data_type w_type, const void *w,
                                                cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes)
{
    ENTER(cusolver_syevd_size);
    struct simgpu_factor f = syevd(job, fill, n, a_type, a, lda, w_type, w, compute, 1);
    return simgpu__factor_ask(&call, handle, &f, device_nbytes, host_nbytes);
}

cusolver_status simgpu__row_cusolver_syevd(cusolver_handle handle, cusolver_params params, cusolver_mode job,
                                           cublas_fill fill, int64_t n, cuda_data_type a_type, void *a, int64_t lda,
                                           cuda_data_type w_type, void *w, cuda_data_type compute, void *device,
                                           size_t device_nbytes, void *host, size_t host_nbytes, int *info)
{
    ENTER(cusolver_syevd);
    struct simgpu_factor f = syevd(job, fill, n, a_type, a, lda, w_type, w, compute, 1);
    SET_WORKSPACES(f);
    return simgpu__factor_do(&call, handle, &f);
}

cusolver_status simgpu__row_cusolver_syev_batched_size(cusolver_handle handle, cusolver_params params,
                                                       cusolver_mode job, cublas_fill fill, int64_t n,
                                                       cuda_data_type a_type, const void *a, int64_t lda,
                                                       cuda_data_type w_type, const void *w, cuda_data_type compute,
                                                       size_t *device_nbytes, size_t *host_nbytes, int64_t count)
{
    ENTER(cusolver_syev_batched_size);
    struct simgpu_factor f = syevd(job, fill, n, a_type, a, lda, w_type, w, compute, count);
    return simgpu__factor_ask(&call, handle, &f, device_nbytes, host_nbytes);
}

cusolver_status simgpu__row_cusolver_syev_batched(cusolver_handle handle, cusolver_params params, cusolver_mode job,
                                                  cublas_fill fill, int64_t n, cuda_data_type a_type, void *a,
                                                  int64_t lda, cuda_data_type w_type, void *w, cuda_data_type compute,
                                                  void *device, size_t device_nbytes, void *host, size_t host_nbytes,
                                                  int *info, int64_t count)
{
    ENTER(cusolver_syev_batched);
    struct simgpu_factor f = syevd(job, fill, n, a_type, a, lda, w_type, w, compute, count);
    SET_WORKSPACES(f);
    return simgpu__factor_do(&call, handle, &f);
}

/* ---- geev ---- */

struct eig {
    cusolver_mode left, right;
    int64_t n, lda, ldvr;
    cuda_data_type a_type, w_type, vl_type, vr_type, compute;
    const void *a, *w, *vl, *vr;
};

/* Left vectors are not there yet in cuSOLVER either. */
static struct simgpu_factor geev(const struct eig *g)
{
    bool good =
        g->left == CUSOLVER_EIG_MODE_NOVECTOR && g->vl == NULL && g->vr_type == g->a_type && g->vl_type == g->a_type;
    return (struct simgpu_factor){.call = {.op = CUNA_LAPACK_geev,
                                           .batch = 1,
                                           .m = g->n,
                                           .n = g->n,
                                           .k = g->right == CUSOLVER_EIG_MODE_VECTOR ? g->n : 0,
                                           .at = AT(P(g->a), P(g->w), P(g->vr))},
                                  .type = good ? g->a_type : -1,
                                  .other_type = g->w_type,
                                  .compute = g->compute,
                                  .ld = {g->lda, g->ldvr},
                                  .wanted_ld = {g->n, g->n}};
}

cusolver_status simgpu__row_cusolver_geev_size(cusolver_handle handle, cusolver_params params, cusolver_mode left_job,
                                               cusolver_mode right_job, int64_t n, cuda_data_type a_type, const void *a,
                                               int64_t lda, cuda_data_type w_type, const void *w,
                                               cuda_data_type vl_type, const void *vl, int64_t ldvl,
                                               cuda_data_type vr_type, const void *vr, int64_t ldvr,
                                               cuda_data_type compute, size_t *device_nbytes, size_t *host_nbytes)
{
    ENTER(cusolver_geev_size);
    const struct eig g = {left_job, right_job, n, lda, ldvr, a_type, w_type, vl_type, vr_type, compute, a, w, vl, vr};
    struct simgpu_factor f = geev(&g);
    return ldvl < 1 ? CUSOLVER_STATUS_INVALID_VALUE : simgpu__factor_ask(&call, handle, &f, device_nbytes, host_nbytes);
}

cusolver_status simgpu__row_cusolver_geev(cusolver_handle handle, cusolver_params params, cusolver_mode left_job,
                                          cusolver_mode right_job, int64_t n, cuda_data_type a_type, void *a,
                                          int64_t lda, cuda_data_type w_type, void *w, cuda_data_type vl_type, void *vl,
                                          int64_t ldvl, cuda_data_type vr_type, void *vr, int64_t ldvr,
                                          cuda_data_type compute, void *device, size_t device_nbytes, void *host,
                                          size_t host_nbytes, int *info)
{
    ENTER(cusolver_geev);
    const struct eig g = {left_job, right_job, n, lda, ldvr, a_type, w_type, vl_type, vr_type, compute, a, w, vl, vr};
    struct simgpu_factor f = geev(&g);
    SET_WORKSPACES(f);
    return ldvl < 1 ? CUSOLVER_STATUS_INVALID_VALUE : simgpu__factor_do(&call, handle, &f);
}

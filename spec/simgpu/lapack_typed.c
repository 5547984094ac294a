/* lapack_typed.c: cuSOLVER and cuBLAS of the simulated GPU, the calls that each type has its own of. */
#include "factor.h"

#define P(pointer) (uintptr_t)(pointer)

static bool is_real(cuda_data_type type)
{
    return type == CUDA_R_32F || type == CUDA_R_64F;
}

static size_t nbytes_of(cuda_data_type type)
{
    return type == CUDA_R_32F ? 4 : type == CUDA_C_64F ? 16 : 8;
}

static struct simgpu_factor factor_of(cuna_lapack_op op, cuda_data_type type, int64_t m, int64_t n, int64_t k,
                                      int64_t count)
{
    bool narrow = type == CUDA_R_32F || type == CUDA_C_32F;
    return (struct simgpu_factor){.call = {.op = op, .batch = count, .m = m, .n = n, .k = k},
                                  .type = type,
                                  .other_type = narrow ? CUDA_R_32F : CUDA_R_64F,
                                  .compute = type};
}

/* ---- orthogonal matrices ---- */

static struct simgpu_factor orgqr(cuda_data_type type, int m, int n, int k, const void *a, int lda, const void *tau)
{
    struct simgpu_factor f = factor_of(CUNA_LAPACK_orgqr, m >= n && n >= k ? type : -1, m, n, k, 1);
    f.call.at[0] = P(a);
    f.call.at[1] = P(tau);
    f.ld[0] = lda;
    f.wanted_ld[0] = m;
    return f;
}

static struct simgpu_factor ormqr(cuda_data_type type, cublas_side side, cublas_operation op, int m, int n, int k,
                                  const void *a, int lda, const void *tau, const void *c, int ldc)
{
    bool good = side == CUBLAS_SIDE_LEFT && m >= k && (op == CUBLAS_OP_N || op == (is_real(type) ? 1 : 2));
    struct simgpu_factor f = factor_of(CUNA_LAPACK_ormqr, good ? type : -1, m, n, k, 1);
    f.call.options[0] = op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : 'C';
    f.call.at[0] = P(a);
    f.call.at[1] = P(tau);
    f.call.at[2] = P(c);
    f.ld[0] = lda;
    f.wanted_ld[0] = m;
    f.ld[1] = ldc;
    f.wanted_ld[1] = m;
    return f;
}

/* Workspaces are counted in elements here. */
static cusolver_status ask(const struct simgpu_call *call, cusolver_handle handle, struct simgpu_factor *f, int *size)
{
    size_t nbytes = 0, item = nbytes_of(f->type);
    cusolver_status status = simgpu__factor_ask(call, handle, f, &nbytes, NULL);
    if (status == CUSOLVER_STATUS_SUCCESS)
        *size = (int)((nbytes + item - 1) / item);
    return status;
}

static cusolver_status perform(const struct simgpu_call *call, cusolver_handle handle, struct simgpu_factor *f,
                               void *work, int size, int *info)
{
    f->workspace = work;
    f->workspace_nbytes = (size_t)size * nbytes_of(f->type);
    f->call.info = P(info);
    return simgpu__factor_do(call, handle, f);
}

#define ENTER(field) SIMGPU_ENTER_LIBRARY(field, CUSOLVER_STATUS_EXECUTION_FAILED)

#define ORTHOGONAL(letter, type, which)                                                                             \
    cusolver_status simgpu__row_cusolver_##letter##orgqr_size(cusolver_handle handle, int m, int n, int k,          \
                                                              const type *a, int lda, const type *tau, int *size)   \
    {                                                                                                               \
        ENTER(cusolver_##letter##orgqr_size);                                                                       \
        struct simgpu_factor f = orgqr(which, m, n, k, a, lda, tau);                                                \
        return ask(&call, handle, &f, size);                                                                        \
    }                                                                                                               \
    cusolver_status simgpu__row_cusolver_##letter##orgqr(cusolver_handle handle, int m, int n, int k, type *a,      \
                                                         int lda, const type *tau, type *work, int size, int *info) \
    {                                                                                                               \
        ENTER(cusolver_##letter##orgqr);                                                                            \
        struct simgpu_factor f = orgqr(which, m, n, k, a, lda, tau);                                                \
        return perform(&call, handle, &f, work, size, info);                                                        \
    }                                                                                                               \
    cusolver_status simgpu__row_cusolver_##letter##ormqr_size(                                                      \
        cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const type *a, int lda, \
        const type *tau, const type *c, int ldc, int *size)                                                         \
    {                                                                                                               \
        ENTER(cusolver_##letter##ormqr_size);                                                                       \
        struct simgpu_factor f = ormqr(which, side, op, m, n, k, a, lda, tau, c, ldc);                              \
        return ask(&call, handle, &f, size);                                                                        \
    }                                                                                                               \
    cusolver_status simgpu__row_cusolver_##letter##ormqr(                                                           \
        cusolver_handle handle, cublas_side side, cublas_operation op, int m, int n, int k, const type *a, int lda, \
        const type *tau, type *c, int ldc, type *work, int size, int *info)                                         \
    {                                                                                                               \
        ENTER(cusolver_##letter##ormqr);                                                                            \
        struct simgpu_factor f = ormqr(which, side, op, m, n, k, a, lda, tau, c, ldc);                              \
        return perform(&call, handle, &f, work, size, info);                                                        \
    }
ORTHOGONAL(s, float, CUDA_R_32F)
ORTHOGONAL(d, double, CUDA_R_64F)
ORTHOGONAL(c, cuda_complex64, CUDA_C_32F)
ORTHOGONAL(z, cuda_complex128, CUDA_C_64F)
#undef ORTHOGONAL

/* ---- stacks, of cuSOLVER ---- */

static struct simgpu_factor potrf(cuda_data_type type, cublas_fill fill, int n, const void *a, int lda, int *info,
                                  int count)
{
    struct simgpu_factor f = factor_of(CUNA_LAPACK_potrf, type, n, n, 0, count);
    f.call.options[0] = fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
    f.call.info = P(info);
    f.pointers[0] = a;
    f.ld[0] = lda;
    f.wanted_ld[0] = n;
    return f;
}

/* cuSOLVER does this one without a workspace. */
static cusolver_status perform_bare(const struct simgpu_call *call, cusolver_handle handle, struct simgpu_factor *f)
{
    if (!simgpu__solver_has(call, SIMGPU_CUSOLVER, handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    cu_result result =
        f->call.info == 0 ? CU_ERROR_INVALID_VALUE : simgpu__factor_queue(call, simgpu__solver_stream(handle), f);
    return result == CU_SUCCESS               ? CUSOLVER_STATUS_SUCCESS
           : result == CU_ERROR_OUT_OF_MEMORY ? CUSOLVER_STATUS_ALLOC_FAILED
                                              : CUSOLVER_STATUS_INVALID_VALUE;
}

struct jacobi {
    cusolver_mode job;
    int m, n, lda, ldu, ldv, count;
    const void *a, *s, *u, *v;
};

/* cuSOLVER 13 writes u of matrices that are not square even where values are all that is asked for. */
static struct simgpu_factor gesvdj(const struct simgpu_call *call, cuda_data_type type, const struct jacobi *g,
                                   cusolver_jacobi handle)
{
    bool good = g->m <= 32 && g->n <= 32 && (g->m == g->n || g->u != NULL) &&
                simgpu__solver_has(call, SIMGPU_CUSOLVER_JACOBI, handle);
    int64_t k = g->job == CUSOLVER_EIG_MODE_VECTOR ? g->n : 0;
    struct simgpu_factor f = factor_of(CUNA_LAPACK_gesvd, good ? type : -1, g->m, g->n, k, g->count);
    const void *at[] = {g->a, g->s, g->u, g->v};
    int64_t ld[] = {g->lda, g->ldu, g->ldv}, wanted[] = {g->m, g->m, g->n};
    for (int i = 0; i < 4; i++)
        f.call.at[i] = P(at[i]);
    for (int i = 0; i < 3; i++) {
        f.ld[i] = ld[i];
        f.wanted_ld[i] = wanted[i];
    }
    f.is_plain_v = true;
    return f;
}

static struct simgpu_factor syevj(const struct simgpu_call *call, cuda_data_type type, cusolver_mode job,
                                  cublas_fill fill, int n, const void *a, int lda, const void *w,
                                  cusolver_eigen_jacobi handle, int count)
{
    bool good = n <= 32 && simgpu__solver_has(call, SIMGPU_CUSOLVER_EIGEN_JACOBI, handle);
    struct simgpu_factor f = factor_of(CUNA_LAPACK_syevd, good ? type : -1, n, n, 0, count);
    f.call.options[0] = job == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    f.call.options[1] = fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
    f.call.at[0] = P(a);
    f.call.at[1] = P(w);
    f.ld[0] = lda;
    f.wanted_ld[0] = n;
    return f;
}

#define STACKS(letter, type, real, which)                                                                              \
    cusolver_status simgpu__row_cusolver_##letter##potrf_batched(cusolver_handle handle, cublas_fill fill, int n,      \
                                                                 type *a[], int lda, int *info, int count)             \
    {                                                                                                                  \
        ENTER(cusolver_##letter##potrf_batched);                                                                       \
        struct simgpu_factor f = potrf(which, fill, n, a, lda, info, count);                                           \
        return perform_bare(&call, handle, &f);                                                                        \
    }                                                                                                                  \
    cusolver_status simgpu__row_cusolver_##letter##gesvdj_batched_size(                                                \
        cusolver_handle handle, cusolver_mode job, int m, int n, const type *a, int lda, const real *s, const type *u, \
        int ldu, const type *v, int ldv, int *size, cusolver_jacobi jacobi, int count)                                 \
    {                                                                                                                  \
        ENTER(cusolver_##letter##gesvdj_batched_size);                                                                 \
        struct simgpu_factor f =                                                                                       \
            gesvdj(&call, which, &(struct jacobi){job, m, n, lda, ldu, ldv, count, a, s, u, v}, jacobi);               \
        return ask(&call, handle, &f, size);                                                                           \
    }                                                                                                                  \
    cusolver_status simgpu__row_cusolver_##letter##gesvdj_batched(                                                     \
        cusolver_handle handle, cusolver_mode job, int m, int n, type *a, int lda, real *s, type *u, int ldu, type *v, \
        int ldv, type *work, int size, int *info, cusolver_jacobi jacobi, int count)                                   \
    {                                                                                                                  \
        ENTER(cusolver_##letter##gesvdj_batched);                                                                      \
        struct simgpu_factor f =                                                                                       \
            gesvdj(&call, which, &(struct jacobi){job, m, n, lda, ldu, ldv, count, a, s, u, v}, jacobi);               \
        return perform(&call, handle, &f, work, size, info);                                                           \
    }                                                                                                                  \
    cusolver_status simgpu__row_cusolver_##letter##syevj_batched_size(                                                 \
        cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, const type *a, int lda, const real *w,     \
        int *size, cusolver_eigen_jacobi jacobi, int count)                                                            \
    {                                                                                                                  \
        ENTER(cusolver_##letter##syevj_batched_size);                                                                  \
        struct simgpu_factor f = syevj(&call, which, job, fill, n, a, lda, w, jacobi, count);                          \
        return ask(&call, handle, &f, size);                                                                           \
    }                                                                                                                  \
    cusolver_status simgpu__row_cusolver_##letter##syevj_batched(                                                      \
        cusolver_handle handle, cusolver_mode job, cublas_fill fill, int n, type *a, int lda, real *w, type *work,     \
        int size, int *info, cusolver_eigen_jacobi jacobi, int count)                                                  \
    {                                                                                                                  \
        ENTER(cusolver_##letter##syevj_batched);                                                                       \
        struct simgpu_factor f = syevj(&call, which, job, fill, n, a, lda, w, jacobi, count);                          \
        return perform(&call, handle, &f, work, size, info);                                                           \
    }
STACKS(s, float, float, CUDA_R_32F)
STACKS(d, double, double, CUDA_R_64F)
STACKS(c, cuda_complex64, float, CUDA_C_32F)
STACKS(z, cuda_complex128, double, CUDA_C_64F)
#undef STACKS
#undef ENTER

/* ---- stacks, of cuBLAS ---- */

static char operation_letter(cublas_operation op)
{
    return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : 'C';
}

/* More is not simulated. */
static bool is_one(cublas_side side, const void *alpha, cuda_data_type type)
{
    double value[2];
    return side == CUBLAS_SIDE_LEFT && simgpu__library_factor(value, type, alpha) && value[0] == 1 && value[1] == 0;
}

/* Matrices `a` and `b` by their addresses, n x n and n x k; pivots of 32 bits. */
static struct simgpu_factor stack(cuna_lapack_op op, cuda_data_type type, int64_t n, int64_t k, const void *a,
                                  int64_t lda, const void *b, int64_t ldb, int64_t count)
{
    struct simgpu_factor f = factor_of(op, type, n, n, k, count);
    f.is_narrow = true;
    f.pointers[0] = a;
    f.pointers[op == CUNA_LAPACK_trsm ? 1 : 2] = b;
    f.ld[0] = lda;
    f.wanted_ld[0] = n;
    f.ld[1] = ldb;
    f.wanted_ld[1] = b != NULL ? n : 0;
    return f;
}

static cublas_status finish(const struct simgpu_call *call, cublas_handle handle, struct simgpu_factor *f)
{
    cu_stream stream;
    if (!simgpu__cublas_find(call, handle, &stream, &f->workspace, &f->workspace_nbytes))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cu_result result = f->workspace_nbytes == 0 ? CU_ERROR_INVALID_VALUE : simgpu__factor_queue(call, stream, f);
    return result == CU_SUCCESS               ? CUBLAS_STATUS_SUCCESS
           : result == CU_ERROR_OUT_OF_MEMORY ? CUBLAS_STATUS_ALLOC_FAILED
           : result == CU_ERROR_INVALID_VALUE ? CUBLAS_STATUS_INVALID_VALUE
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

#define ENTER(field) SIMGPU_ENTER_LIBRARY(field, CUBLAS_STATUS_EXECUTION_FAILED)

#define BLAS_STACKS(letter, type, which)                                                                              \
    cublas_status simgpu__row_cublas_##letter##getrf_batched(cublas_handle handle, int n, type *const a[], int lda,   \
                                                             int *pivots, int *info, int count)                       \
    {                                                                                                                 \
        ENTER(cublas_##letter##getrf_batched);                                                                        \
        struct simgpu_factor f = stack(CUNA_LAPACK_getrf, which, n, 0, a, lda, NULL, 0, count);                       \
        f.call.at[1] = P(pivots);                                                                                     \
        f.call.info = P(info);                                                                                        \
        return info == NULL ? CUBLAS_STATUS_INVALID_VALUE : finish(&call, handle, &f);                                \
    }                                                                                                                 \
    cublas_status simgpu__row_cublas_##letter##getrs_batched(cublas_handle handle, cublas_operation op, int n, int k, \
                                                             const type *const a[], int lda, const int *pivots,       \
                                                             type *const b[], int ldb, int *info, int count)          \
    {                                                                                                                 \
        ENTER(cublas_##letter##getrs_batched);                                                                        \
        struct simgpu_factor f = stack(CUNA_LAPACK_getrs, which, n, k, a, lda, b, ldb, count);                        \
        f.call.options[0] = operation_letter(op);                                                                     \
        f.call.at[1] = P(pivots);                                                                                     \
        *info = 0; /* memory of the host */                                                                           \
        return finish(&call, handle, &f);                                                                             \
    }                                                                                                                 \
    cublas_status simgpu__row_cublas_##letter##getri_batched(cublas_handle handle, int n, const type *const a[],      \
                                                             int lda, const int *pivots, type *const c[], int ldc,    \
                                                             int *info, int count)                                    \
    {                                                                                                                 \
        ENTER(cublas_##letter##getri_batched);                                                                        \
        struct simgpu_factor f = stack(CUNA_LAPACK_getri, which, n, 0, a, lda, c, ldc, count);                        \
        f.call.at[1] = P(pivots);                                                                                     \
        f.call.info = P(info);                                                                                        \
        return info == NULL ? CUBLAS_STATUS_INVALID_VALUE : finish(&call, handle, &f);                                \
    }                                                                                                                 \
    cublas_status simgpu__row_cublas_##letter##trsm_batched(cublas_handle handle, cublas_side side, cublas_fill fill, \
                                                            cublas_operation op, cublas_diagonal diagonal, int64_t m, \
                                                            int64_t n, const type *alpha, const type *const a[],      \
                                                            int64_t lda, type *const b[], int64_t ldb, int64_t count) \
    {                                                                                                                 \
        ENTER(cublas_##letter##trsm_batched);                                                                         \
        struct simgpu_factor f = stack(CUNA_LAPACK_trsm, which, m, n, a, lda, b, ldb, count);                         \
        f.call.options[0] = fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';                                               \
        f.call.options[1] = operation_letter(op);                                                                     \
        f.call.options[2] = diagonal == CUBLAS_DIAG_UNIT ? 'U' : 'N';                                                 \
        return is_one(side, alpha, which) ? finish(&call, handle, &f) : CUBLAS_STATUS_INVALID_VALUE;                  \
    }
BLAS_STACKS(s, float, CUDA_R_32F)
BLAS_STACKS(d, double, CUDA_R_64F)
BLAS_STACKS(c, cuda_complex64, CUDA_C_32F)
BLAS_STACKS(z, cuda_complex128, CUDA_C_64F)
#undef BLAS_STACKS

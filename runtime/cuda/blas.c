/* blas.c: products and triangular systems of CUDA devices, by cuBLAS.
 *
 * A cuBLAS handle has one stream and one workspace at a time, which are set before each call, under a lock of the
 * handle. Small products have plans (blas_plan.c), whose calls take both as arguments; the lock guards the plans. */
#include "cuda/blas.h"

#include <pthread.h>
#include <stdlib.h>

#include "cuda/blas_plan.h"
#include "cuda/library.h"
#include "seam/blas.h"

#define WORKSPACE_NBYTES ((int64_t)32 << 20) /* cuBLAS's own choice on the largest GPUs */

#define ROW(symbol, field, parameters) static cublas_status(*field) parameters;
CUNA_CUBLAS_ROWS(ROW)
#undef ROW

static const cuna_symbol symbols[] = {
#define ROW(symbol, field, parameters) {symbol, &field},
    CUNA_CUBLAS_ROWS(ROW)
#undef ROW
};

typedef struct handle {
    pthread_mutex_t lock;
    cublas_handle cublas;
    cuna_blas_plans *plans;
} handle;

static int create(void **out)
{
    handle *made = calloc(1, sizeof *made);
    cuna_blas_plans *plans = cuna__blas_plans_create();
    cublas_status status = made == NULL || plans == NULL ? CUBLAS_STATUS_ALLOC_FAILED : cublas_create(&made->cublas);
    if (status == CUBLAS_STATUS_SUCCESS) {
        pthread_mutex_init(&made->lock, NULL);
        made->plans = plans;
        *out = made;
    } else {
        free(made);
        free(plans);
    }
    return status;
}

/* Setting the stream resets the workspace. */
static cublas_status set_call(cublas_handle cublas, const cuna_blas_call *call)
{
    cublas_status status = cublas_set_stream(cublas, call->stream);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : cublas_set_workspace(cublas, (void *)(uintptr_t)call->workspace, (size_t)WORKSPACE_NBYTES);
}

/* ---- gemm ---- */

static cublas_status multiply(cublas_handle cublas, const cuna_blas_call *call, const cuna_blas_gemm *p)
{
    cuda_factor alpha = cuna__cuda_factor(p->dtype, p->alpha), beta = cuna__cuda_factor(p->dtype, p->beta);
    cuda_data_type type = cuna__cuda_type(p->dtype);
    cublas_status status = set_call(cublas, call);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    return cublas_gemm_strided_batched(cublas, (cublas_operation)p->op_a, (cublas_operation)p->op_b, p->m, p->n, p->k,
                                       &alpha, (const void *)(uintptr_t)p->a, type, p->lda, p->stride_a,
                                       (const void *)(uintptr_t)p->b, type, p->ldb, p->stride_b, &beta,
                                       (void *)(uintptr_t)p->c, type, p->ldc, p->stride_c, p->count,
                                       cuna__blas_compute(p), CUBLAS_GEMM_DEFAULT);
}

static int gemm_size(void *device_handle, const cuna_blas_gemm *p, int64_t *workspace_nbytes)
{
    handle *h = device_handle;
    const cuna_blas_plan *plan;
    pthread_mutex_lock(&h->lock);
    cublas_status status = cuna__blas_plan_find(&plan, h->plans, h->cublas, p, WORKSPACE_NBYTES);
    if (status == CUBLAS_STATUS_SUCCESS)
        *workspace_nbytes = plan != NULL ? cuna__blas_plan_nbytes(plan) : WORKSPACE_NBYTES;
    pthread_mutex_unlock(&h->lock);
    return status;
}

static int gemm(const cuna_blas_call *call, const cuna_blas_gemm *p)
{
    handle *h = call->handle;
    const cuna_blas_plan *plan;
    pthread_mutex_lock(&h->lock);
    cublas_status status = cuna__blas_plan_find(&plan, h->plans, h->cublas, p, WORKSPACE_NBYTES);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = plan != NULL ? cuna__blas_plan_run(plan, h->cublas, call, p) : multiply(h->cublas, call, p);
    pthread_mutex_unlock(&h->lock);
    return status;
}

/* ---- trsm ---- */

static cublas_status solve(cublas_handle cublas, const cuna_blas_trsm *s)
{
    cublas_side side = (cublas_side)s->side;
    cublas_fill fill = (cublas_fill)s->fill;
    cublas_operation op = (cublas_operation)s->op;
    cublas_diagonal diagonal = s->unit_diagonal ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    const void *a = (const void *)(uintptr_t)s->a;
    void *b = (void *)(uintptr_t)s->b;
    cuda_factor alpha = cuna__cuda_factor(s->dtype, s->alpha);
    if (s->dtype == CUNA_FLOAT32)
        return cublas_strsm(cublas, side, fill, op, diagonal, s->m, s->n, &alpha.s, a, s->lda, b, s->ldb);
    if (s->dtype == CUNA_FLOAT64)
        return cublas_dtrsm(cublas, side, fill, op, diagonal, s->m, s->n, &alpha.d, a, s->lda, b, s->ldb);
    if (s->dtype == CUNA_COMPLEX64)
        return cublas_ctrsm(cublas, side, fill, op, diagonal, s->m, s->n, &alpha.c, a, s->lda, b, s->ldb);
    return cublas_ztrsm(cublas, side, fill, op, diagonal, s->m, s->n, &alpha.z, a, s->lda, b, s->ldb);
}

static int trsm(const cuna_blas_call *call, const cuna_blas_trsm *s)
{
    handle *h = call->handle;
    pthread_mutex_lock(&h->lock);
    cublas_status status = set_call(h->cublas, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = solve(h->cublas, s);
    pthread_mutex_unlock(&h->lock);
    return status;
}

/* ---- the table ---- */

static const struct meaning {
    cublas_status status;
    const char *words;
} meanings[] = {
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED (the library could not start)"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED (out of memory)"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH (the GPU is too old for this dtype)"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED (the GPU could not run it)"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR"},
};

static const char *describe(int result)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].status == result)
            return meanings[i].words;
    return "an error without a name";
}

static bool is_memory(int result)
{
    return result == CUBLAS_STATUS_ALLOC_FAILED;
}

static cuna_status open_library(void)
{
    const cuna_driver *driver;
    cuna_library library;
    int version = 0;
    CUNA_TRY(cuna__driver_cuda(&driver));
    driver->driver_get_version(&version);
    cuna__library_toolkit(&library, "libcublas", 0, version / 1000);
    if (library.handle == NULL)
        return cuna_fail(CUNA_DEVICE, "no cuBLAS: %s; install the CUDA toolkit or its package libcublas-%d-%d",
                         library.words, version / 1000, version % 1000 / 10);
    const char *lacking = cuna__library_bind(&library, symbols, sizeof symbols / sizeof *symbols);
    if (lacking != NULL)
        return cuna_fail(CUNA_DEVICE, "%s has no %s; install cuBLAS 12 or newer", library.name, lacking);
    return cuna__blas_plan_open(version / 1000);
}

static cuna_status open_once(void)
{
    static cuna_opening opening = CUNA_OPENING;
    return cuna__library_once(&opening, open_library);
}

const cuna_blas cuna__blas_cuda = {
    .name = "cuBLAS",
    .trsm_nbytes = WORKSPACE_NBYTES,
    .largest = INT64_MAX,
    .halves = true,
    .open = open_once,
    .describe = describe,
    .is_memory = is_memory,
    .create = create,
    .gemm_size = gemm_size,
    .gemm = gemm,
    .trsm = trsm,
};

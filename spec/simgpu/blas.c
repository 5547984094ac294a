/* blas.c: cuBLAS of the simulated GPU: arguments checked as cuBLAS checks them, the work queued, and done by the cpu
 * device's table when its turn comes.
 *
 * Stricter than cuBLAS: memory that is read or written must be the device's, and a workspace is required, because
 * without one a capture would allocate. The workspace is overwritten, so that sharing it by mistake is detected. */
#include <stdlib.h>
#include <string.h>

#include "cuda/blas.h"
#include "seam/blas.h"
#include "simgpu.h"
#include "stream.h"

#define SPOILT_NBYTES 65536 /* of a workspace */

struct cublas_handle_s {
    struct simgpu_handle handle;
    cu_stream stream;
    void *workspace;
    size_t workspace_nbytes;
};

struct system {
    cuna_blas_trsm trsm;
    void *workspace;
    size_t nbytes;
};

/* What needs no workspace has none. */
static void spoil(void *workspace, size_t nbytes)
{
    if (nbytes > 0)
        memset(workspace, 0xa5, nbytes < SPOILT_NBYTES ? nbytes : SPOILT_NBYTES);
}

/* ---- products of halves, which the cpu device's table does not know ---- */

static float read_half(const cuna_blas_gemm *p, cu_deviceptr base, int64_t index)
{
    cuna_number number;
    cuna_number_load(&number, p->dtype, (const void *)(uintptr_t)(base + (cu_deviceptr)(2 * index)));
    return (float)number.f;
}

static void write_half(const cuna_blas_gemm *p, int64_t index, float value)
{
    unsigned char bytes[16];
    cuna_number number = {.kind = CUNA_NUMBER_FLOAT, .f = value};
    cuna_number_store(bytes, p->dtype, &number);
    memcpy((void *)(uintptr_t)(p->c + (cu_deviceptr)(2 * index)), bytes, 2);
}

static float dot(const cuna_blas_gemm *p, int64_t a, int64_t a_step, int64_t b, int64_t b_step)
{
    float sum = 0;
    for (int64_t i = 0; i < p->k; i++)
        sum += read_half(p, p->a, a + i * a_step) * read_half(p, p->b, b + i * b_step);
    return sum;
}

static void multiply_halves(const cuna_blas_gemm *p, int64_t which)
{
    int64_t a_row = p->op_a == CUNA_BLAS_N ? 1 : p->lda, a_step = p->op_a == CUNA_BLAS_N ? p->lda : 1;
    int64_t b_column = p->op_b == CUNA_BLAS_N ? p->ldb : 1, b_step = p->op_b == CUNA_BLAS_N ? 1 : p->ldb;
    for (int64_t j = 0; j < p->n; j++) {
        for (int64_t i = 0; i < p->m; i++) {
            int64_t at = which * p->stride_c + i + j * p->ldc;
            float sum = (float)p->alpha[0] *
                        dot(p, which * p->stride_a + i * a_row, a_step, which * p->stride_b + j * b_column, b_step);
            if (p->beta[0] != 0)
                sum += (float)p->beta[0] * read_half(p, p->c, at);
            write_half(p, at, sum);
        }
    }
}

static cu_result do_product(const void *arguments)
{
    const struct simgpu_product *product = arguments;
    const cuna_blas_gemm *p = &product->gemm;
    spoil(product->workspace, product->nbytes);
    if (p->dtype != CUNA_FLOAT16 && p->dtype != CUNA_BFLOAT16)
        return cuna__blas_cpu_gemm(p);
    for (int64_t which = 0; which < p->count; which++)
        multiply_halves(p, which);
    return CU_SUCCESS;
}

static cu_result do_system(const void *arguments)
{
    const struct system *system = arguments;
    spoil(system->workspace, system->nbytes);
    return cuna__blas_cpu_trsm(&system->trsm);
}

/* ---- handles ---- */

/* It allocates memory, which captures forbid. */
cublas_status simgpu__row_cublas_create(cublas_handle *out)
{
    SIMGPU_ENTER_LIBRARY(cublas_create, CUBLAS_STATUS_NOT_INITIALIZED);
    if (out == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (cuna__blas_cpu.open() != CUNA_OK ||
        cuna__cpu_capture_check_context(&call.context->null_stream->capture) != CU_SUCCESS)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *out = simgpu__handle_create(SIMGPU_CUBLAS, call.context, sizeof **out);
    return *out != NULL ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

static struct cublas_handle_s *find(const struct simgpu_call *call, cublas_handle handle)
{
    return simgpu__handle_here(SIMGPU_CUBLAS, handle, call->context);
}

bool simgpu__cublas_find(const struct simgpu_call *call, cublas_handle handle, cu_stream *stream, void **workspace,
                         size_t *nbytes)
{
    const struct cublas_handle_s *found = find(call, handle);
    if (found == NULL)
        return false;
    *stream = found->stream;
    *workspace = found->workspace;
    *nbytes = found->workspace_nbytes;
    return true;
}

cublas_status simgpu__row_cublas_set_stream(cublas_handle handle, cu_stream stream)
{
    SIMGPU_ENTER_LIBRARY(cublas_set_stream, CUBLAS_STATUS_INTERNAL_ERROR);
    struct cublas_handle_s *found = find(&call, handle);
    if (found == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (simgpu__stream_find(call.context, stream) == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    found->stream = stream;
    found->workspace = NULL;
    found->workspace_nbytes = 0;
    return CUBLAS_STATUS_SUCCESS;
}

cublas_status simgpu__row_cublas_set_workspace(cublas_handle handle, void *workspace, size_t nbytes)
{
    SIMGPU_ENTER_LIBRARY(cublas_set_workspace, CUBLAS_STATUS_INTERNAL_ERROR);
    struct cublas_handle_s *found = find(&call, handle);
    if (found == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((uintptr_t)workspace % 256 != 0 || !simgpu__library_holds(&call, workspace, nbytes))
        return CUBLAS_STATUS_INVALID_VALUE;
    found->workspace = workspace;
    found->workspace_nbytes = nbytes;
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- calls ---- */

static cublas_status status_of(cu_result result)
{
    return result == CU_SUCCESS                ? CUBLAS_STATUS_SUCCESS
           : result == CU_ERROR_OUT_OF_MEMORY  ? CUBLAS_STATUS_ALLOC_FAILED
           : result == CU_ERROR_INVALID_HANDLE ? CUBLAS_STATUS_INVALID_VALUE
                                               : CUBLAS_STATUS_EXECUTION_FAILED;
}

static cuna_dtype dtype_of(cuda_data_type type)
{
    static const cuda_data_type types[] = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i] == type)
            return CUNA_FLOAT16 + (cuna_dtype)i;
    return CUNA_DTYPES;
}

static bool computes(cuna_dtype dtype, cublas_compute compute)
{
    bool wide = dtype == CUNA_FLOAT64 || dtype == CUNA_COMPLEX128;
    bool plain = dtype == CUNA_FLOAT32 || dtype == CUNA_COMPLEX64;
    return wide ? compute == CUBLAS_COMPUTE_64F
                : compute == CUBLAS_COMPUTE_32F || (plain && compute == CUBLAS_COMPUTE_32F_FAST_TF32);
}

/* Whether `count` matrices of `rows` and `columns` lie in memory that the call may use, and ld is legal. */
static bool holds(const struct simgpu_call *call, const void *at, cuna_dtype dtype, int64_t rows, int64_t columns,
                  int64_t ld, int64_t stride, int64_t count)
{
    int64_t last = (count - 1) * stride + (columns - 1) * ld + rows;
    bool empty = rows == 0 || columns == 0 || count == 0;
    return ld >= (rows > 1 ? rows : 1) &&
           (empty || (last > 0 && simgpu__library_holds(call, at, (size_t)(last * cuna_dtype_size(dtype)))));
}

static bool is_operation(cublas_operation op)
{
    return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C;
}

static bool gemm_is_legal(const struct simgpu_call *call, const cuna_blas_gemm *p)
{
    bool a_plain = p->op_a == CUNA_BLAS_N, b_plain = p->op_b == CUNA_BLAS_N;
    return is_operation((int)p->op_a) && is_operation((int)p->op_b) && p->m >= 0 && p->n >= 0 && p->k >= 0 &&
           p->count >= 0 &&
           holds(call, (void *)(uintptr_t)p->a, p->dtype, a_plain ? p->m : p->k, a_plain ? p->k : p->m, p->lda,
                 p->stride_a, p->count) &&
           holds(call, (void *)(uintptr_t)p->b, p->dtype, b_plain ? p->k : p->n, b_plain ? p->n : p->k, p->ldb,
                 p->stride_b, p->count) &&
           holds(call, (void *)(uintptr_t)p->c, p->dtype, p->m, p->n, p->ldc, p->stride_c, p->count);
}

cublas_status simgpu__cublas_multiply(const struct simgpu_call *call, cu_stream stream, struct simgpu_product *product,
                                      cuda_data_type type, cublas_compute compute, const cuda_factor *alpha,
                                      const cuda_factor *beta)
{
    cuna_dtype dtype = dtype_of(type);
    if (dtype == CUNA_DTYPES || !computes(dtype, compute))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    product->gemm.dtype = dtype;
    if (!simgpu__library_holds(call, product->workspace, product->nbytes) || !gemm_is_legal(call, &product->gemm) ||
        !simgpu__library_factor(product->gemm.alpha, type, alpha) ||
        !simgpu__library_factor(product->gemm.beta, type, beta))
        return CUBLAS_STATUS_INVALID_VALUE;
    return status_of(simgpu__library_work(call, stream, do_product, product, sizeof *product));
}

cublas_status simgpu__row_cublas_gemm_strided_batched(
    cublas_handle handle, cublas_operation op_a, cublas_operation op_b, int64_t m, int64_t n, int64_t k,
    const cuda_factor *alpha, const void *a, cuda_data_type a_type, int64_t lda, long long stride_a, const void *b,
    cuda_data_type b_type, int64_t ldb, long long stride_b, const cuda_factor *beta, void *c, cuda_data_type c_type,
    int64_t ldc, long long stride_c, int64_t count, cublas_compute compute, cublas_algorithm algorithm)
{
    SIMGPU_ENTER_LIBRARY(cublas_gemm_strided_batched, CUBLAS_STATUS_EXECUTION_FAILED);
    struct cublas_handle_s *found = find(&call, handle);
    if (found == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (a_type != b_type || a_type != c_type)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    struct simgpu_product product = {.gemm = {.op_a = (cuna_blas_op)op_a,
                                              .op_b = (cuna_blas_op)op_b,
                                              .m = m,
                                              .n = n,
                                              .k = k,
                                              .count = count,
                                              .a = (uintptr_t)a,
                                              .b = (uintptr_t)b,
                                              .c = (uintptr_t)c,
                                              .lda = lda,
                                              .ldb = ldb,
                                              .ldc = ldc,
                                              .stride_a = stride_a,
                                              .stride_b = stride_b,
                                              .stride_c = stride_c},
                                     .workspace = found->workspace,
                                     .nbytes = found->workspace_nbytes};
    if (algorithm != CUBLAS_GEMM_DEFAULT || found->workspace_nbytes == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return simgpu__cublas_multiply(&call, found->stream, &product, a_type, compute, alpha, beta);
}

/* What the four rows of trsm do after their first line. */
static cublas_status solve(const struct simgpu_call *call, cublas_handle handle, const cuna_blas_trsm *given,
                           cuda_data_type type, const void *alpha)
{
    struct cublas_handle_s *found = find(call, handle);
    bool left = given->side == CUNA_BLAS_LEFT;
    int64_t order = left ? given->m : given->n;
    if (found == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    struct system system = {.trsm = *given, .workspace = found->workspace, .nbytes = found->workspace_nbytes};
    if (found->workspace_nbytes == 0 || (int)given->side > CUBLAS_SIDE_RIGHT ||
        (int)given->fill > CUBLAS_FILL_MODE_UPPER || !is_operation((int)given->op) || given->m < 0 || given->n < 0 ||
        !holds(call, (void *)(uintptr_t)given->a, given->dtype, order, order, given->lda, 0, 1) ||
        !holds(call, (void *)(uintptr_t)given->b, given->dtype, given->m, given->n, given->ldb, 0, 1) ||
        !simgpu__library_factor(system.trsm.alpha, type, alpha))
        return CUBLAS_STATUS_INVALID_VALUE;
    return status_of(simgpu__library_work(call, found->stream, do_system, &system, sizeof system));
}

#define TRSM(field, type, which)                                                                                     \
    cublas_status simgpu__row_##field(cublas_handle handle, cublas_side side, cublas_fill fill, cublas_operation op, \
                                      cublas_diagonal diagonal, int64_t m, int64_t n, const type *alpha,             \
                                      const type *a, int64_t lda, type *b, int64_t ldb)                              \
    {                                                                                                                \
        SIMGPU_ENTER_LIBRARY(field, CUBLAS_STATUS_EXECUTION_FAILED);                                                 \
        cuna_blas_trsm given = {.dtype = dtype_of(which),                                                            \
                                .side = (cuna_blas_side)side,                                                        \
                                .fill = (cuna_blas_fill)fill,                                                        \
                                .op = (cuna_blas_op)op,                                                              \
                                .unit_diagonal = diagonal == CUBLAS_DIAG_UNIT,                                       \
                                .m = m,                                                                              \
                                .n = n,                                                                              \
                                .a = (uintptr_t)a,                                                                   \
                                .b = (uintptr_t)b,                                                                   \
                                .lda = lda,                                                                          \
                                .ldb = ldb};                                                                         \
        return solve(&call, handle, &given, which, alpha);                                                           \
    }
TRSM(cublas_strsm, float, CUDA_R_32F)
TRSM(cublas_dtrsm, double, CUDA_R_64F)
TRSM(cublas_ctrsm, cuda_complex64, CUDA_C_32F)
TRSM(cublas_ztrsm, cuda_complex128, CUDA_C_64F)
#undef TRSM

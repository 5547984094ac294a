/* blas_plan.c: small products of CUDA devices, by cuBLASLt with kept plans.
 *
 * cuBLAS looks for an algorithm at each call, which takes the host longer than such a product takes the device. A plan
 * keeps the answer, with the descriptors that cuBLASLt wants. It is found by everything that the choice depends on:
 * types, sizes, layouts and the alignment of addresses. What came before has no influence: the same call has the same
 * bits.
 *
 * Plans are in sets, by a hash of their key; a set has the one used last in front, and drops the one at its end. */
#include "cuda/blas_plan.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/library.h"

#define SETS      64
#define WAYS      8
#define ALIGNMENT 16 /* the widest vector that kernels load */

/* Multiplications up to which the host's time matters: the fastest GPUs take a few microseconds for so many. */
#define MOST_WORK ((double)(1 << 30))

enum { A, B, C, OPERANDS };

#define ROW(symbol, field, parameters) static cublas_status(*field) parameters;
CUNA_CUBLASLT_ROWS(ROW)
#undef ROW

static const cuna_symbol symbols[] = {
#define ROW(symbol, field, parameters) {symbol, &field},
    CUNA_CUBLASLT_ROWS(ROW)
#undef ROW
};

/* Without padding: keys are compared byte by byte. */
typedef struct plan_key {
    int64_t m, n, k, count;
    int64_t ld[OPERANDS], stride[OPERANDS], alignment[OPERANDS];
    int64_t type, compute, op_a, op_b;
} plan_key;

struct cuna_blas_plan {
    plan_key key;
    cublaslt_operation operation;
    cublaslt_layout layout[OPERANDS];
    cublaslt_choice choice; /* its state: whether there is an algorithm */
};

struct cuna_blas_plans {
    cuna_blas_plan *at[SETS][WAYS];
};

cuna_status cuna__blas_plan_open(int cuda_major)
{
    cuna_library library;
    cuna__library_toolkit(&library, "libcublasLt", 0, cuda_major);
    if (library.handle == NULL)
        return cuna_fail(CUNA_DEVICE, "no cuBLASLt, which cuBLAS comes with: %s", library.words);
    const char *lacking = cuna__library_bind(&library, symbols, sizeof symbols / sizeof *symbols);
    return lacking == NULL ? CUNA_OK
                           : cuna_fail(CUNA_DEVICE, "%s has no %s; install cuBLAS 12 or newer", library.name, lacking);
}

cuna_blas_plans *cuna__blas_plans_create(void)
{
    return calloc(1, sizeof(cuna_blas_plans));
}

/* ---- keys ---- */

cublas_compute cuna__blas_compute(const cuna_blas_gemm *p)
{
    bool tf32 = p->tf32 && (p->dtype == CUNA_FLOAT32 || p->dtype == CUNA_COMPLEX64);
    bool is_double = p->dtype == CUNA_FLOAT64 || p->dtype == CUNA_COMPLEX128;
    return is_double ? CUBLAS_COMPUTE_64F : tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

static int64_t alignment_of(cu_deviceptr at)
{
    return (int64_t)((at | ALIGNMENT) & -(at | ALIGNMENT));
}

static plan_key key_of(const cuna_blas_gemm *p)
{
    int64_t apart = p->count > 1;
    return (plan_key){.m = p->m,
                      .n = p->n,
                      .k = p->k,
                      .count = p->count,
                      .ld = {p->lda, p->ldb, p->ldc},
                      .stride = {apart * p->stride_a, apart * p->stride_b, apart * p->stride_c},
                      .alignment = {alignment_of(p->a), alignment_of(p->b), alignment_of(p->c)},
                      .type = cuna__cuda_type(p->dtype),
                      .compute = cuna__blas_compute(p),
                      .op_a = p->op_a,
                      .op_b = p->op_b};
}

static cuna_blas_plan **set_of(cuna_blas_plans *plans, const plan_key *key)
{
    int64_t words[sizeof *key / sizeof(int64_t)];
    uint64_t hash = 0;
    memcpy(words, key, sizeof *key);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ (uint64_t)words[i]) * 0x9e3779b97f4a7c15u;
    return plans->at[(hash >> 32) % SETS];
}

/* cuBLASLt counts with 32 bits. */
static bool is_small(const cuna_blas_gemm *p)
{
    return (double)p->m * (double)p->n * (double)p->k * (double)p->count <= MOST_WORK && p->lda <= INT32_MAX &&
           p->ldb <= INT32_MAX && p->ldc <= INT32_MAX;
}

/* ---- making plans ---- */

/* What a chain of calls has come to: those after a failure are not made. */
#define NEXT(status, call) ((status) == CUBLAS_STATUS_SUCCESS ? (call) : (status))

static cublas_status describe_matrix(cuna_blas_plan *plan, int which, int64_t rows, int64_t columns)
{
    const plan_key *key = &plan->key;
    cublaslt_layout *layout = &plan->layout[which];
    int32_t count = (int32_t)key->count;
    cublas_status status =
        cublaslt_create_layout(layout, (cuda_data_type)key->type, (uint64_t)rows, (uint64_t)columns, key->ld[which]);
    if (count == 1)
        return status;
    status = NEXT(status, cublaslt_set_layout(*layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
    return NEXT(status, cublaslt_set_layout(*layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &key->stride[which],
                                            sizeof key->stride[which]));
}

/* Factors as they lie, before they are transposed. */
static cublas_status describe_matrices(cuna_blas_plan *plan)
{
    const plan_key *key = &plan->key;
    bool a_plain = key->op_a == CUBLAS_OP_N, b_plain = key->op_b == CUBLAS_OP_N;
    cublas_status status = describe_matrix(plan, A, a_plain ? key->m : key->k, a_plain ? key->k : key->m);
    status = NEXT(status, describe_matrix(plan, B, b_plain ? key->k : key->n, b_plain ? key->n : key->k));
    return NEXT(status, describe_matrix(plan, C, key->m, key->n));
}

/* Factors of the result have the type that is computed in; cuna__cuda_factor agrees. */
static cuda_data_type scale_type(const plan_key *key)
{
    return key->type == CUDA_R_16F || key->type == CUDA_R_16BF ? CUDA_R_32F : (cuda_data_type)key->type;
}

static cublas_status describe_operation(cuna_blas_plan *plan)
{
    int32_t op_a = (int32_t)plan->key.op_a, op_b = (int32_t)plan->key.op_b;
    cublaslt_operation *operation = &plan->operation;
    cublas_status status =
        cublaslt_create_operation(operation, (cublas_compute)plan->key.compute, scale_type(&plan->key));
    status = NEXT(status, cublaslt_set_operation(*operation, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, sizeof op_a));
    return NEXT(status, cublaslt_set_operation(*operation, CUBLASLT_MATMUL_DESC_TRANSB, &op_b, sizeof op_b));
}

/* Parts of one sum are added in the type that is computed in, and in order. */
static cublas_status set_preference(cublaslt_preference preference, const plan_key *key, int64_t workspace_nbytes)
{
    static const struct {
        cublaslt_preference_attribute attribute;
        int operand;
    } alignments[] = {{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, A},
                      {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, B},
                      {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, C},
                      {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, C}};
    uint64_t most = (uint64_t)workspace_nbytes;
    uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    cublas_status status =
        cublaslt_set_preference(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most);
    status = NEXT(status, cublaslt_set_preference(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &schemes,
                                                  sizeof schemes));
    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        uint32_t alignment = (uint32_t)key->alignment[alignments[i].operand];
        status =
            NEXT(status, cublaslt_set_preference(preference, alignments[i].attribute, &alignment, sizeof alignment));
    }
    return status;
}

/* A plan without an algorithm is kept as well. */
static cublas_status choose(cuna_blas_plan *plan, cublas_handle handle, int64_t workspace_nbytes)
{
    cublaslt_preference preference;
    int count = 0;
    cublas_status status = cublaslt_create_preference(&preference);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    status = set_preference(preference, &plan->key, workspace_nbytes);
    status = NEXT(status, cublaslt_choose(handle, plan->operation, plan->layout[A], plan->layout[B], plan->layout[C],
                                          plan->layout[C], preference, 1, &plan->choice, &count));
    cublaslt_destroy_preference(preference);
    if (count == 0 || status != CUBLAS_STATUS_SUCCESS)
        plan->choice.state = CUBLAS_STATUS_NOT_SUPPORTED;
    return status == CUBLAS_STATUS_NOT_SUPPORTED ? CUBLAS_STATUS_SUCCESS : status;
}

static void destroy(cuna_blas_plan *plan)
{
    if (plan == NULL)
        return;
    if (plan->operation != NULL)
        cublaslt_destroy_operation(plan->operation);
    for (int i = 0; i < OPERANDS; i++)
        if (plan->layout[i] != NULL)
            cublaslt_destroy_layout(plan->layout[i]);
    free(plan);
}

static cublas_status make(cuna_blas_plan **out, const plan_key *key, cublas_handle handle, int64_t workspace_nbytes)
{
    cuna_blas_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return CUBLAS_STATUS_ALLOC_FAILED;
    plan->key = *key;
    cublas_status status = describe_operation(plan);
    status = NEXT(status, describe_matrices(plan));
    status = NEXT(status, choose(plan, handle, workspace_nbytes));
    if (status == CUBLAS_STATUS_SUCCESS)
        *out = plan;
    else
        destroy(plan);
    return status;
}

/* ---- keeping them ---- */

/* Puts a plan before those that were used earlier. */
static void put_first(cuna_blas_plan **set, int place, cuna_blas_plan *plan)
{
    memmove(&set[1], set, (size_t)place * sizeof *set);
    set[0] = plan;
}

cublas_status cuna__blas_plan_find(const cuna_blas_plan **out, cuna_blas_plans *plans, cublas_handle handle,
                                   const cuna_blas_gemm *product, int64_t most_workspace_nbytes)
{
    cublas_status status = CUBLAS_STATUS_SUCCESS;
    cuna_blas_plan *found = NULL;
    *out = NULL;
    if (!is_small(product))
        return status;
    plan_key key = key_of(product);
    cuna_blas_plan **set = set_of(plans, &key);
    int place = 0;
    while (place < WAYS && set[place] != NULL && memcmp(&set[place]->key, &key, sizeof key) != 0)
        place++;
    if (place < WAYS)
        found = set[place];
    if (found == NULL)
        status = make(&found, &key, handle, most_workspace_nbytes);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (place == WAYS)
        destroy(set[--place]);
    put_first(set, place, found);
    *out = found->choice.state == CUBLAS_STATUS_SUCCESS ? found : NULL;
    return status;
}

/* ---- using them ---- */

int64_t cuna__blas_plan_nbytes(const cuna_blas_plan *plan)
{
    return (int64_t)plan->choice.workspace_nbytes;
}

cublas_status cuna__blas_plan_run(const cuna_blas_plan *plan, cublas_handle handle, const cuna_blas_call *call,
                                  const cuna_blas_gemm *p)
{
    cuda_factor alpha = cuna__cuda_factor(p->dtype, p->alpha), beta = cuna__cuda_factor(p->dtype, p->beta);
    void *c = (void *)(uintptr_t)p->c;
    return cublaslt_matmul(handle, plan->operation, &alpha, (const void *)(uintptr_t)p->a, plan->layout[A],
                           (const void *)(uintptr_t)p->b, plan->layout[B], &beta, c, plan->layout[C], c,
                           plan->layout[C], &plan->choice.algorithm, (void *)(uintptr_t)call->workspace,
                           plan->choice.workspace_nbytes, call->stream);
}

/* blas_lt.c: cuBLASLt of the simulated GPU: descriptors, algorithms that fit one product, and products by blas.c.
 *
 * Stricter than cuBLASLt: an algorithm multiplies only what it was chosen for, on its device, and attributes are those
 * that the runtime sets. Some products need a workspace, and some have no algorithm. */
#include <string.h>

#include "cuda/blas_lt.h"
#include "simgpu.h"

#define LONG_SUM 4 /* times as long as the product is wide or high: cut into parts, whose sums are in the workspace */

struct cublaslt_operation_s {
    struct simgpu_handle handle;
    cublas_compute compute;
    cuda_data_type scale_type;
    int32_t op_a, op_b;
};

struct cublaslt_layout_s {
    struct simgpu_handle handle;
    cuda_data_type type;
    uint64_t rows, columns;
    int64_t ld, stride;
    int32_t count;
};

struct cublaslt_preference_s {
    struct simgpu_handle handle;
    uint64_t most_nbytes;
    uint32_t schemes, alignment[4]; /* of A, B, C and D */
};

/* What an algorithm is made of. */
struct algorithm {
    uint64_t product; /* a hash of device, operation and layouts */
    uint64_t workspace_nbytes;
    uint32_t alignment[4];
};
_Static_assert(sizeof(struct algorithm) <= sizeof(cublaslt_algorithm), "an algorithm has room");

/* An attribute that may be set, and where. */
struct attribute {
    int name;
    void *at;
    size_t nbytes;
};

static cublas_status set(const struct attribute *attributes, size_t count, int name, const void *value, size_t nbytes)
{
    for (size_t i = 0; i < count; i++)
        if (attributes[i].name == name && attributes[i].nbytes == nbytes && value != NULL) {
            memcpy(attributes[i].at, value, nbytes);
            return CUBLAS_STATUS_SUCCESS;
        }
    return CUBLAS_STATUS_INVALID_VALUE;
}

static cublas_status destroy(enum simgpu_kind kind, void *handle)
{
    if (simgpu__handle_find(kind, handle) == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    simgpu__handle_destroy(handle);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- operations ---- */

cublas_status simgpu__row_cublaslt_create_operation(cublaslt_operation *out, cublas_compute compute,
                                                    cuda_data_type scale_type)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_create_operation, CUBLAS_STATUS_NOT_INITIALIZED);
    *out = simgpu__handle_create(SIMGPU_CUBLASLT_OPERATION, call.context, sizeof **out);
    if (*out == NULL)
        return CUBLAS_STATUS_ALLOC_FAILED;
    (*out)->compute = compute;
    (*out)->scale_type = scale_type;
    return CUBLAS_STATUS_SUCCESS;
}

cublas_status simgpu__row_cublaslt_set_operation(cublaslt_operation o, cublaslt_operation_attribute attribute,
                                                 const void *value, size_t nbytes)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_set_operation, CUBLAS_STATUS_INTERNAL_ERROR);
    if (simgpu__handle_find(SIMGPU_CUBLASLT_OPERATION, o) == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    const struct attribute known[] = {{CUBLASLT_MATMUL_DESC_TRANSA, &o->op_a, sizeof o->op_a},
                                      {CUBLASLT_MATMUL_DESC_TRANSB, &o->op_b, sizeof o->op_b}};
    return set(known, sizeof known / sizeof *known, attribute, value, nbytes);
}

cublas_status simgpu__row_cublaslt_destroy_operation(cublaslt_operation operation)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_destroy_operation, CUBLAS_STATUS_INTERNAL_ERROR);
    return destroy(SIMGPU_CUBLASLT_OPERATION, operation);
}

/* ---- layouts ---- */

cublas_status simgpu__row_cublaslt_create_layout(cublaslt_layout *out, cuda_data_type type, uint64_t rows,
                                                 uint64_t columns, int64_t ld)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_create_layout, CUBLAS_STATUS_NOT_INITIALIZED);
    *out = simgpu__handle_create(SIMGPU_CUBLASLT_LAYOUT, call.context, sizeof **out);
    if (*out == NULL)
        return CUBLAS_STATUS_ALLOC_FAILED;
    cublaslt_layout made = *out;
    made->type = type;
    made->rows = rows;
    made->columns = columns;
    made->ld = ld;
    made->count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublas_status simgpu__row_cublaslt_set_layout(cublaslt_layout l, cublaslt_layout_attribute attribute, const void *value,
                                              size_t nbytes)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_set_layout, CUBLAS_STATUS_INTERNAL_ERROR);
    if (simgpu__handle_find(SIMGPU_CUBLASLT_LAYOUT, l) == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    const struct attribute known[] = {{CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &l->count, sizeof l->count},
                                      {CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &l->stride, sizeof l->stride}};
    return set(known, sizeof known / sizeof *known, attribute, value, nbytes);
}

cublas_status simgpu__row_cublaslt_destroy_layout(cublaslt_layout layout)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_destroy_layout, CUBLAS_STATUS_INTERNAL_ERROR);
    return destroy(SIMGPU_CUBLASLT_LAYOUT, layout);
}

/* ---- preferences ---- */

cublas_status simgpu__row_cublaslt_create_preference(cublaslt_preference *out)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_create_preference, CUBLAS_STATUS_NOT_INITIALIZED);
    *out = simgpu__handle_create(SIMGPU_CUBLASLT_PREFERENCE, call.context, sizeof **out);
    if (*out == NULL)
        return CUBLAS_STATUS_ALLOC_FAILED;
    (*out)->schemes = 7;
    for (int i = 0; i < 4; i++)
        (*out)->alignment[i] = 256;
    return CUBLAS_STATUS_SUCCESS;
}

cublas_status simgpu__row_cublaslt_set_preference(cublaslt_preference p, cublaslt_preference_attribute attribute,
                                                  const void *value, size_t nbytes)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_set_preference, CUBLAS_STATUS_INTERNAL_ERROR);
    if (simgpu__handle_find(SIMGPU_CUBLASLT_PREFERENCE, p) == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    const struct attribute known[] = {
        {CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &p->most_nbytes, sizeof p->most_nbytes},
        {CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &p->schemes, sizeof p->schemes},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &p->alignment[0], sizeof *p->alignment},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &p->alignment[1], sizeof *p->alignment},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &p->alignment[2], sizeof *p->alignment},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, &p->alignment[3], sizeof *p->alignment}};
    return set(known, sizeof known / sizeof *known, attribute, value, nbytes);
}

cublas_status simgpu__row_cublaslt_destroy_preference(cublaslt_preference preference)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_destroy_preference, CUBLAS_STATUS_INTERNAL_ERROR);
    return destroy(SIMGPU_CUBLASLT_PREFERENCE, preference);
}

/* ---- products ---- */

/* A product as its descriptors have it. */
struct described {
    cublaslt_operation operation;
    cublaslt_layout layout[4]; /* of A, B, C and D */
};

static bool are_live(const struct described *d)
{
    bool live = simgpu__handle_find(SIMGPU_CUBLASLT_OPERATION, d->operation) != NULL;
    for (int i = 0; i < 4; i++)
        live &= simgpu__handle_find(SIMGPU_CUBLASLT_LAYOUT, d->layout[i]) != NULL;
    return live;
}

static bool is_same_layout(const struct cublaslt_layout_s *a, const struct cublaslt_layout_s *b)
{
    return a->type == b->type && a->rows == b->rows && a->columns == b->columns && a->ld == b->ld &&
           a->stride == b->stride && a->count == b->count;
}

static cuda_data_type scale_type_of(cuda_data_type type)
{
    return type == CUDA_R_16F || type == CUDA_R_16BF ? CUDA_R_32F : type;
}

/* Whether the descriptors are of one product, whose sizes these are then. */
static bool agree(cuna_blas_gemm *p, const struct described *d)
{
    if (!are_live(d) || !is_same_layout(d->layout[2], d->layout[3]))
        return false;
    const struct cublaslt_layout_s *a = d->layout[0], *b = d->layout[1], *c = d->layout[2];
    bool a_plain = d->operation->op_a == CUBLAS_OP_N, b_plain = d->operation->op_b == CUBLAS_OP_N;
    *p = (cuna_blas_gemm){.op_a = (cuna_blas_op)d->operation->op_a,
                          .op_b = (cuna_blas_op)d->operation->op_b,
                          .m = (int64_t)c->rows,
                          .n = (int64_t)c->columns,
                          .k = (int64_t)(a_plain ? a->columns : a->rows),
                          .count = c->count,
                          .lda = a->ld,
                          .ldb = b->ld,
                          .ldc = c->ld,
                          .stride_a = a->stride,
                          .stride_b = b->stride,
                          .stride_c = c->stride};
    return (int64_t)(a_plain ? a->rows : a->columns) == p->m && (int64_t)(b_plain ? b->rows : b->columns) == p->k &&
           (int64_t)(b_plain ? b->columns : b->rows) == p->n && a->type == c->type && b->type == c->type &&
           a->count == c->count && b->count == c->count && d->operation->scale_type == scale_type_of(c->type);
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * 0x9e3779b97f4a7c15u;
}

static uint64_t hash_of(const struct simgpu_call *call, const struct described *d)
{
    uint64_t hash = mix((uint64_t)call->context->ordinal, (uint64_t)d->operation->compute);
    hash = mix(mix(hash, (uint64_t)d->operation->op_a), (uint64_t)d->operation->op_b);
    for (int i = 0; i < 3; i++) {
        const struct cublaslt_layout_s *l = d->layout[i];
        hash = mix(mix(mix(hash, (uint64_t)l->type), l->rows), l->columns);
        hash = mix(mix(mix(hash, (uint64_t)l->ld), (uint64_t)l->stride), (uint64_t)l->count);
    }
    return hash;
}

static bool is_handle(const struct simgpu_call *call, cublas_handle handle)
{
    cu_stream stream;
    void *workspace;
    size_t nbytes;
    return simgpu__cublas_find(call, handle, &stream, &workspace, &nbytes);
}

static bool are_halves(const struct described *d)
{
    return d->layout[0]->type == CUDA_R_16F || d->layout[0]->type == CUDA_R_16BF;
}

/* Halves that lie where no pair of them may have no algorithm. Sums of halves that are cut into parts have to be added
 * as they are computed: with another mask they would be rounded in between. */
static cublas_status judge(const struct described *d, const struct cublaslt_preference_s *p)
{
    if (!are_halves(d))
        return CUBLAS_STATUS_SUCCESS;
    if (p->schemes != CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE)
        return CUBLAS_STATUS_INVALID_VALUE;
    return p->alignment[0] < 4 || p->alignment[1] < 4 ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS;
}

static uint64_t workspace_of(const cuna_blas_gemm *p, uint64_t most)
{
    uint64_t parts = (uint64_t)(p->m * p->n * p->count) * LONG_SUM * sizeof(float);
    return p->k < LONG_SUM * p->m || p->k < LONG_SUM * p->n || parts > most ? 0 : parts;
}

cublas_status simgpu__row_cublaslt_choose(cublaslt_handle handle, cublaslt_operation operation, cublaslt_layout a,
                                          cublaslt_layout b, cublaslt_layout c, cublaslt_layout d,
                                          cublaslt_preference preference, int most, cublaslt_choice *choices,
                                          int *count)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_choose, CUBLAS_STATUS_INTERNAL_ERROR);
    struct described described = {operation, {a, b, c, d}};
    struct algorithm made = {0};
    cuna_blas_gemm product;
    if (!is_handle(&call, handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (most < 1 || !agree(&product, &described) || simgpu__handle_find(SIMGPU_CUBLASLT_PREFERENCE, preference) == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublas_status status = judge(&described, preference);
    *count = status == CUBLAS_STATUS_SUCCESS;
    if (*count == 0)
        return status;
    made.product = hash_of(&call, &described);
    made.workspace_nbytes = workspace_of(&product, preference->most_nbytes);
    memcpy(made.alignment, preference->alignment, sizeof made.alignment);
    *choices = (cublaslt_choice){.workspace_nbytes = made.workspace_nbytes, .state = status};
    memcpy(&choices->algorithm, &made, sizeof made);
    return status;
}

/* Whether an algorithm is for the product, and for memory as it is. */
static bool fits(const struct algorithm *algorithm, uint64_t product, const void *const *at, const void *workspace,
                 size_t nbytes)
{
    bool good = algorithm->product == product && nbytes >= algorithm->workspace_nbytes &&
                (nbytes == 0 || (uintptr_t)workspace % 256 == 0);
    for (int i = 0; i < 4; i++)
        good &= ((uintptr_t)at[i] & (algorithm->alignment[i] - 1)) == 0;
    return good;
}

cublas_status simgpu__row_cublaslt_matmul(cublaslt_handle handle, cublaslt_operation operation,
                                          const cuda_factor *alpha, const void *a, cublaslt_layout a_layout,
                                          const void *b, cublaslt_layout b_layout, const cuda_factor *beta,
                                          const void *c, cublaslt_layout c_layout, void *d, cublaslt_layout d_layout,
                                          const cublaslt_algorithm *algorithm, void *workspace, size_t workspace_nbytes,
                                          cu_stream stream)
{
    SIMGPU_ENTER_LIBRARY(cublaslt_matmul, CUBLAS_STATUS_EXECUTION_FAILED);
    struct described described = {operation, {a_layout, b_layout, c_layout, d_layout}};
    const void *const at[] = {a, b, c, d};
    struct algorithm chosen;
    cuna_blas_gemm product;
    if (!is_handle(&call, handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (algorithm == NULL || c != d || !agree(&product, &described))
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(&chosen, algorithm, sizeof chosen);
    if (!fits(&chosen, hash_of(&call, &described), at, workspace, workspace_nbytes))
        return CUBLAS_STATUS_INVALID_VALUE;
    product.a = (uintptr_t)a;
    product.b = (uintptr_t)b;
    product.c = (uintptr_t)d;
    struct simgpu_product given = {product, workspace, workspace_nbytes};
    return simgpu__cublas_multiply(&call, stream, &given, a_layout->type, operation->compute, alpha, beta);
}

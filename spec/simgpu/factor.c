/* factor.c: what calls of cuSOLVER and cuBLAS do to matrices: the cpu device's table does it, when the queue comes to
 * it.
 *
 * Stricter than cuSOLVER: everything that is read or written must be device memory, in its whole extent; workspaces
 * must have the queried size, and are overwritten. */
#include <stdlib.h>
#include <string.h>

#include "factor.h"
#include "stream.h"

#define SPOILT_NBYTES 65536 /* of a workspace */
#define HOST_NBYTES   512   /* that some operations ask for */

struct cusolver_handle_s {
    struct simgpu_handle handle;
    cu_stream stream;
};

/* ---- extents ---- */

static const char *const spellings[] = {
#define ROW(name, operands, options) operands,
    CUNA_LAPACK_ROWS(ROW)
#undef ROW
};

static cuna_dtype dtype_of(cuda_data_type type)
{
    return type == CUDA_R_32F   ? CUNA_FLOAT32
           : type == CUDA_R_64F ? CUNA_FLOAT64
           : type == CUDA_C_32F ? CUNA_COMPLEX64
           : type == CUDA_C_64F ? CUNA_COMPLEX128
                                : CUNA_DTYPES;
}

static int64_t item_nbytes(const struct simgpu_factor *f, char type)
{
    int64_t nbytes = cuna_dtype_size(f->call.dtype);
    bool is_complex = cuna_dtype_kind(f->call.dtype) == 'c';
    switch (type | 0x20) {
    case 'p':
        return f->is_narrow ? 4 : 8;
    case 'r':
        return is_complex ? nbytes / 2 : nbytes;
    case 'c':
        return is_complex || f->call.op != CUNA_LAPACK_geev ? nbytes : 2 * nbytes;
    default:
        return nbytes;
    }
}

/* Bytes of a matrix of each operand, as seam/lapack.h spells them. Vectors of geev are packed, so that they are as large as the
 * matrix; those of stacks that gesvd does are whole. */
static void set_extents(struct simgpu_factor *f)
{
    cuna_lapack_call *c = &f->call;
    const char *text = spellings[c->op];
    for (int i = 0; i < CUNA_LAPACK_OPERANDS && *text != '\0' && *text != '!'; i++) {
        text += *text == '|' ? 2 : 0;
        char type = c->op == CUNA_LAPACK_geev && i == 2 ? 't' : *text;
        int64_t nbytes = item_nbytes(f, type);
        for (text++; strchr("mnkq", *text) != NULL && *text != '\0'; text++) {
            int64_t k = f->is_plain_v && c->k > 0 ? c->m : c->k;
            nbytes *= *text == 'm' ? c->m : *text == 'n' ? c->n : *text == 'k' ? k : cuna__min(c->m, c->n);
        }
        c->nbytes[i] = nbytes;
        text += *text == ' ';
    }
}

/* ---- checks ---- */

bool simgpu__solver_has(const struct simgpu_call *call, enum simgpu_kind kind, const void *handle)
{
    return simgpu__handle_here(kind, handle, call->context) != NULL;
}

cu_stream simgpu__solver_stream(cusolver_handle handle)
{
    return handle->stream;
}

/* Types, lengths and leading dimensions. */
static cusolver_status check_shape(struct simgpu_factor *f)
{
    cuna_lapack_call *c = &f->call;
    bool narrow = f->type == CUDA_R_32F || f->type == CUDA_C_32F;
    cuda_data_type other =
        c->op == CUNA_LAPACK_geev ? (narrow ? CUDA_C_32F : CUDA_C_64F) : (narrow ? CUDA_R_32F : CUDA_R_64F);
    c->dtype = dtype_of(f->type);
    if (c->dtype == CUNA_DTYPES || f->other_type != other || f->compute != f->type)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (c->op == CUNA_LAPACK_gesvd && c->m < c->n)
        return CUSOLVER_STATUS_INVALID_VALUE;
    for (int i = 0; i < 3; i++)
        if (f->ld[i] != f->wanted_ld[i])
            return CUSOLVER_STATUS_INVALID_VALUE;
    if (c->m < 1 || c->n < 1 || c->k < 0 || c->batch < 1)
        return CUSOLVER_STATUS_INVALID_VALUE;
    set_extents(f);
    return CUSOLVER_STATUS_SUCCESS;
}

static bool is_left_out(const struct simgpu_factor *f, int operand)
{
    bool vectors = (f->call.op == CUNA_LAPACK_gesvd || f->call.op == CUNA_LAPACK_geev) && operand >= 2;
    return f->call.nbytes[operand] == 0 || (vectors && f->call.k == 0);
}

/* Memory of operands, info and workspace; matrices behind pointers are looked at when they are used. */
static bool holds_all(const struct simgpu_call *call, const struct simgpu_factor *f)
{
    const cuna_lapack_call *c = &f->call;
    bool good = simgpu__library_holds(call, f->workspace, f->workspace_nbytes);
    for (int i = 0; good && i < CUNA_LAPACK_OPERANDS; i++) {
        if (f->pointers[i] != NULL)
            good = simgpu__library_holds(call, f->pointers[i], (size_t)c->batch * sizeof(void *));
        else if (!is_left_out(f, i))
            good = simgpu__library_holds(call, (void *)(uintptr_t)c->at[i], (size_t)(c->nbytes[i] * c->batch));
    }
    return good && (c->info == 0 || simgpu__library_holds(call, (void *)(uintptr_t)c->info, (size_t)c->batch * 4));
}

static size_t wanted_nbytes(const struct simgpu_factor *f)
{
    bool none = f->call.op == CUNA_LAPACK_getrs || f->call.op == CUNA_LAPACK_potrs;
    return none ? 0 : (size_t)(f->call.nbytes[0] * f->call.batch + 48);
}

static size_t wanted_host_nbytes(const struct simgpu_factor *f)
{
    bool some = f->call.op == CUNA_LAPACK_syevd || f->call.op == CUNA_LAPACK_geev || f->call.op == CUNA_LAPACK_gesvd;
    return some ? HOST_NBYTES : 0;
}

/* ---- the work ---- */

/* One matrix, by the cpu device's table. */
static cu_result do_matrix(cuna_lapack_call *c)
{
    void *handle = NULL;
    if (cuna__lapack_cpu.open() != CUNA_OK || cuna__lapack_cpu.measure(handle, c) != 0)
        return CU_ERROR_LAUNCH_FAILED;
    void *workspace = aligned_alloc(64, (size_t)c->workspace_nbytes + 64 - (size_t)c->workspace_nbytes % 64);
    c->workspace = (uintptr_t)workspace;
    cu_result result = workspace == NULL ? CU_ERROR_OUT_OF_MEMORY : cuna__lapack_cpu_work(c);
    free(workspace);
    return result;
}

/* With the device's pivots, or those that LAPACK knows. */
static cu_result do_pivoted(const struct simgpu_factor *f, cuna_lapack_call *c)
{
    int64_t count = c->n;
    int32_t *narrow = (int32_t *)(uintptr_t)c->at[1];
    if (!f->is_narrow)
        return do_matrix(c);
    int64_t *wide = malloc((size_t)count * sizeof *wide);
    if (wide == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    for (int64_t i = 0; i < count; i++)
        wide[i] = c->op == CUNA_LAPACK_getrf ? 0 : narrow[i];
    c->at[1] = (uintptr_t)wide;
    cu_result result = do_matrix(c);
    for (int64_t i = 0; i < count; i++)
        narrow[i] = (int32_t)wide[i];
    free(wide);
    return result;
}

/* v of vt, in place: transposed, and conjugate. */
static void turn(void *at, int64_t n, size_t nbytes, bool is_complex)
{
    unsigned char spare[16], *bytes = at;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            unsigned char *a = bytes + (size_t)(i + j * n) * nbytes, *b = bytes + (size_t)(j + i * n) * nbytes;
            memcpy(spare, a, nbytes);
            memcpy(a, b, nbytes);
            memcpy(b, spare, nbytes);
        }
    for (int64_t i = 0; is_complex && i < n * n; i++)
        if (nbytes == 8)
            ((float *)at)[2 * i + 1] *= -1;
        else
            ((double *)at)[2 * i + 1] *= -1;
}

/* As cuSOLVER does: single matrices for getrf, all for gesvd, stacks of small ones for syevd. */
static void lose_nan(const struct simgpu_factor *f, const cuna_lapack_call *c)
{
    bool loses = c->op == CUNA_LAPACK_gesvd || (c->op == CUNA_LAPACK_getrf && f->pointers[0] == NULL) ||
                 (c->op == CUNA_LAPACK_syevd && f->call.batch > 1 && c->n <= 32);
    bool narrow = c->dtype == CUNA_FLOAT32 || c->dtype == CUNA_COMPLEX64;
    int64_t count = loses ? c->nbytes[0] / (narrow ? 4 : 8) : 0;
    for (int64_t i = 0; i < count; i++) {
        float *single = (float *)(uintptr_t)c->at[0] + i;
        double *twice = (double *)(uintptr_t)c->at[0] + i;
        if (narrow && *single != *single)
            *single = 0;
        else if (!narrow && *twice != *twice)
            *twice = 0;
    }
}

static cu_result do_number(const struct simgpu_factor *f, int64_t number)
{
    cuna_lapack_call c = f->call;
    c.batch = 1;
    c.info += c.info != 0 ? (uint64_t)number * 4 : 0;
    for (int i = 0; i < CUNA_LAPACK_OPERANDS; i++) {
        if (f->pointers[i] != NULL)
            c.at[i] = (uintptr_t)((void *const *)f->pointers[i])[number];
        else if (is_left_out(f, i))
            c.at[i] = 0;
        else
            c.at[i] += (uint64_t)(number * c.nbytes[i]);
        if (f->pointers[i] != NULL &&
            !simgpu__library_holds(&f->owner, (void *)(uintptr_t)c.at[i], (size_t)c.nbytes[i]))
            return CU_ERROR_ILLEGAL_ADDRESS;
    }
    /* gesvdjBatched makes all m columns of u, and v where LAPACK makes its conjugate transpose. */
    if (f->is_plain_v && c.k > 0)
        c.k = c.m;
    lose_nan(f, &c);
    bool pivoted = c.op == CUNA_LAPACK_getrf || c.op == CUNA_LAPACK_getrs || c.op == CUNA_LAPACK_getri;
    cu_result result = pivoted ? do_pivoted(f, &c) : do_matrix(&c);
    if (f->is_plain_v && c.k > 0)
        turn((void *)(uintptr_t)c.at[3], c.n, (size_t)cuna_dtype_size(c.dtype), cuna_dtype_kind(c.dtype) == 'c');
    return result;
}

static cu_result do_factor(const void *arguments)
{
    const struct simgpu_factor *f = arguments;
    cu_result result = CU_SUCCESS;
    if (f->workspace_nbytes > 0)
        memset(f->workspace, 0xa5, f->workspace_nbytes < SPOILT_NBYTES ? f->workspace_nbytes : SPOILT_NBYTES);
    for (int64_t i = 0; result == CU_SUCCESS && i < f->call.batch; i++)
        result = do_number(f, i);
    return result;
}

/* ---- the ends of rows ---- */

cu_result simgpu__factor_queue(const struct simgpu_call *call, cu_stream stream, struct simgpu_factor *f)
{
    if (check_shape(f) != CUSOLVER_STATUS_SUCCESS || !holds_all(call, f))
        return CU_ERROR_INVALID_VALUE;
    f->owner = *call;
    return simgpu__library_work(call, stream, do_factor, f, sizeof *f);
}

cusolver_status simgpu__factor_ask(const struct simgpu_call *call, cusolver_handle handle, struct simgpu_factor *f,
                                   size_t *device_nbytes, size_t *host_nbytes)
{
    if (!simgpu__solver_has(call, SIMGPU_CUSOLVER, handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    cusolver_status status = device_nbytes == NULL ? CUSOLVER_STATUS_INVALID_VALUE : check_shape(f);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    *device_nbytes = wanted_nbytes(f);
    if (host_nbytes != NULL)
        *host_nbytes = wanted_host_nbytes(f);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolver_status simgpu__factor_do(const struct simgpu_call *call, cusolver_handle handle, struct simgpu_factor *f)
{
    if (!simgpu__solver_has(call, SIMGPU_CUSOLVER, handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    cusolver_status status = check_shape(f);
    bool counts_host = f->host != NULL || f->host_nbytes > 0;
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    if (f->call.info == 0 || f->workspace_nbytes < wanted_nbytes(f))
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (counts_host && f->host_nbytes < wanted_host_nbytes(f))
        return CUSOLVER_STATUS_INVALID_VALUE;
    /* What a workspace contains is unspecified: a caller must not rely on it. */
    if (f->host_nbytes > 0)
        memset(f->host, 0xa5, f->host_nbytes);
    switch (simgpu__factor_queue(call, handle->stream, f)) {
    case CU_SUCCESS:
        return CUSOLVER_STATUS_SUCCESS;
    case CU_ERROR_INVALID_VALUE:
        return CUSOLVER_STATUS_INVALID_VALUE;
    case CU_ERROR_OUT_OF_MEMORY:
        return CUSOLVER_STATUS_ALLOC_FAILED;
    default:
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
}

/* ---- handles ---- */

/* They allocate memory, which captures forbid. */
static cusolver_status make(void **out, const struct simgpu_call *call, enum simgpu_kind kind, size_t nbytes)
{
    if (out == NULL)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (cuna__cpu_capture_check_context(&call->context->null_stream->capture) != CU_SUCCESS)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    *out = simgpu__handle_create(kind, call->context, nbytes);
    return *out != NULL ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolver_status simgpu__row_cusolver_create(cusolver_handle *handle)
{
    SIMGPU_ENTER_LIBRARY(cusolver_create, CUSOLVER_STATUS_NOT_INITIALIZED);
    return make((void **)handle, &call, SIMGPU_CUSOLVER, sizeof **handle);
}

cusolver_status simgpu__row_cusolver_create_params(cusolver_params *params)
{
    SIMGPU_ENTER_LIBRARY(cusolver_create_params, CUSOLVER_STATUS_NOT_INITIALIZED);
    return make((void **)params, &call, SIMGPU_CUSOLVER_PARAMS, sizeof(struct simgpu_handle));
}

cusolver_status simgpu__row_cusolver_create_jacobi(cusolver_jacobi *jacobi)
{
    SIMGPU_ENTER_LIBRARY(cusolver_create_jacobi, CUSOLVER_STATUS_NOT_INITIALIZED);
    return make((void **)jacobi, &call, SIMGPU_CUSOLVER_JACOBI, sizeof(struct simgpu_handle));
}

cusolver_status simgpu__row_cusolver_create_eigen_jacobi(cusolver_eigen_jacobi *jacobi)
{
    SIMGPU_ENTER_LIBRARY(cusolver_create_eigen_jacobi, CUSOLVER_STATUS_NOT_INITIALIZED);
    return make((void **)jacobi, &call, SIMGPU_CUSOLVER_EIGEN_JACOBI, sizeof(struct simgpu_handle));
}

#define DESTROY(field, type, kind)                                    \
    cusolver_status simgpu__row_##field(type handle)                  \
    {                                                                 \
        SIMGPU_ENTER_LIBRARY(field, CUSOLVER_STATUS_NOT_INITIALIZED); \
        if (!simgpu__solver_has(&call, kind, handle))                 \
            return CUSOLVER_STATUS_INVALID_VALUE;                     \
        simgpu__handle_destroy(handle);                               \
        return CUSOLVER_STATUS_SUCCESS;                               \
    }
DESTROY(cusolver_destroy, cusolver_handle, SIMGPU_CUSOLVER)
DESTROY(cusolver_destroy_params, cusolver_params, SIMGPU_CUSOLVER_PARAMS)
DESTROY(cusolver_destroy_jacobi, cusolver_jacobi, SIMGPU_CUSOLVER_JACOBI)
DESTROY(cusolver_destroy_eigen_jacobi, cusolver_eigen_jacobi, SIMGPU_CUSOLVER_EIGEN_JACOBI)
#undef DESTROY

cusolver_status simgpu__row_cusolver_set_stream(cusolver_handle handle, cu_stream stream)
{
    SIMGPU_ENTER_LIBRARY(cusolver_set_stream, CUSOLVER_STATUS_INTERNAL_ERROR);
    if (!simgpu__solver_has(&call, SIMGPU_CUSOLVER, handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (simgpu__stream_find(call.context, stream) == NULL)
        return CUSOLVER_STATUS_INVALID_VALUE;
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

/* lapack.c: factorisations of CUDA devices, by cuSOLVER, and for stacks of small matrices by cuBLAS.
 *
 * A handle of either library has one stream at a time, which is set before each call, under a lock of the handle. The
 * device workspace begins with the unused info of operations that cannot fail. */
#include "cuda/lapack_call.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/library.h"

#define UNIT         256                /* workspaces are multiples of so many bytes */
#define BLAS_NBYTES  ((int64_t)4 << 20) /* of workspace for cuBLAS, which has no query for it */
#define SHORT_LENGTH 256                /* of matrices for which cuBLAS is fast as a stack */
#define SMALL_LENGTH 16                 /* of matrices that teams of lanes have in registers */
#define POTRF_LENGTH 1024
#define SYEVD_LENGTH 1024

#define ROW(symbol, field, parameters) cusolver_status(*cuna__##field) parameters;
CUNA_CUSOLVER_ROWS(ROW)
CUNA_CUBLAS_STACK_ROWS(ROW)
#undef ROW

static cublas_status (*create_blas)(cublas_handle *handle);
static cublas_status (*set_blas_stream)(cublas_handle handle, cu_stream stream);
static cublas_status (*set_blas_workspace)(cublas_handle handle, void *workspace, size_t nbytes);

typedef struct handle {
    cuna_lapack_handle libraries;
    pthread_mutex_t lock;
} handle;

/* ---- handles ---- */

static int create_solver(cuna_lapack_handle *h)
{
    int answer = cuna__cusolver_create(&h->solver);
    if (answer == 0)
        answer = cuna__cusolver_create_params(&h->params);
    if (answer == 0)
        answer = cuna__cusolver_create_jacobi(&h->jacobi);
    if (answer == 0)
        answer = cuna__cusolver_create_eigen_jacobi(&h->eigen_jacobi);
    return answer;
}

/* Destroys the parts of a handle whose creation failed. */
static void destroy_solver(cuna_lapack_handle *h)
{
    if (h->eigen_jacobi != NULL)
        cuna__cusolver_destroy_eigen_jacobi(h->eigen_jacobi);
    if (h->jacobi != NULL)
        cuna__cusolver_destroy_jacobi(h->jacobi);
    if (h->params != NULL)
        cuna__cusolver_destroy_params(h->params);
    if (h->solver != NULL)
        cuna__cusolver_destroy(h->solver);
}

static int create(void **out)
{
    handle *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    int answer = create_solver(&made->libraries);
    if (answer == 0 && (answer = create_blas(&made->libraries.blas)) != 0)
        answer += CUNA_CUBLAS_ANSWER;
    if (answer == 0) {
        pthread_mutex_init(&made->lock, NULL);
        *out = made;
    } else {
        destroy_solver(&made->libraries);
        free(made);
    }
    return answer;
}

/* ---- calls ---- */

static bool uses_blas(const cuna_lapack_call *call)
{
    return call->batch > 1 && call->op != CUNA_LAPACK_potrf && call->op != CUNA_LAPACK_gesvd &&
           call->op != CUNA_LAPACK_syevd;
}

static int64_t align(int64_t nbytes)
{
    return cuna__ceil_div(nbytes, UNIT) * UNIT;
}

static cuna_lapack_work work_of(const handle *h, const cuna_lapack_call *call)
{
    bool narrow = call->dtype == CUNA_FLOAT32 || call->dtype == CUNA_COMPLEX64;
    cuna_lapack_work w = {.handle = &h->libraries, .call = call};
    w.real = narrow ? CUDA_R_32F : CUDA_R_64F;
    w.complex = narrow ? CUDA_C_32F : CUDA_C_64F;
    w.type = cuna_dtype_kind(call->dtype) == 'f' ? w.real : w.complex;
    w.info = (int *)(uintptr_t)(call->info != 0 ? call->info : call->workspace);
    for (int i = 0; i < CUNA_LAPACK_OPERANDS; i++)
        w.at[i] = (void *)(uintptr_t)call->at[i];
    return w;
}

static int do_work(cuna_lapack_work *w)
{
    return w->call->batch > 1 ? cuna__cuda_call_stack(w) : cuna__cuda_call(w);
}

enum { ANSWER_TOO_LARGE = 2 * CUNA_CUBLAS_ANSWER };

/* All but the calls of cuSOLVER that begin with X count with 32 bits, the elements of a matrix too. */
static bool is_too_large(const cuna_lapack_call *c)
{
    bool narrow = c->batch > 1 || c->op == CUNA_LAPACK_orgqr || c->op == CUNA_LAPACK_ormqr;
    return narrow && cuna__max(cuna__max(c->m, c->n) * cuna__max(c->n, c->k), c->batch) > INT32_MAX;
}

static int measure(void *at, cuna_lapack_call *call)
{
    handle *h = at;
    if (is_too_large(call))
        return ANSWER_TOO_LARGE;
    cuna_lapack_work w = work_of(h, call);
    w.asks = true;
    pthread_mutex_lock(&h->lock);
    int answer = do_work(&w);
    pthread_mutex_unlock(&h->lock);
    int64_t front = align(call->info != 0 ? 0 : call->batch * (int64_t)sizeof(int32_t));
    call->kept[0] = (int64_t)w.device_nbytes;
    call->workspace_nbytes = front + align(uses_blas(call) ? BLAS_NBYTES : call->kept[0]);
    call->host_nbytes = (int64_t)w.host_nbytes;
    return answer;
}

static int set_stream(const handle *h, cu_stream stream, const cuna_lapack_call *call, void *workspace)
{
    int answer;
    if (!uses_blas(call))
        return cuna__cusolver_set_stream(h->libraries.solver, stream);
    answer = set_blas_stream(h->libraries.blas, stream); /* which resets the workspace */
    if (answer == 0)
        answer = set_blas_workspace(h->libraries.blas, workspace, (size_t)BLAS_NBYTES);
    return answer == 0 ? 0 : CUNA_CUBLAS_ANSWER + answer;
}

static int run(void *at, cu_stream stream, const cuna_lapack_call *call)
{
    handle *h = at;
    cuna_lapack_work w = work_of(h, call);
    int64_t front = align(call->info != 0 ? 0 : call->batch * (int64_t)sizeof(int32_t));
    w.device = (void *)(uintptr_t)(call->workspace + (uint64_t)front);
    w.device_nbytes = (size_t)call->kept[0];
    w.host_nbytes = (size_t)call->host_nbytes;
    pthread_mutex_lock(&h->lock);
    int answer = set_stream(h, stream, call, w.device);
    if (answer == 0)
        answer = do_work(&w);
    pthread_mutex_unlock(&h->lock);
    return answer;
}

/* ---- the table ---- */

static const struct meaning {
    int answer;
    const char *words;
} meanings[] = {
    {CUSOLVER_STATUS_NOT_INITIALIZED, "CUSOLVER_STATUS_NOT_INITIALIZED (the library could not start)"},
    {CUSOLVER_STATUS_ALLOC_FAILED, "CUSOLVER_STATUS_ALLOC_FAILED (out of memory)"},
    {CUSOLVER_STATUS_INVALID_VALUE, "CUSOLVER_STATUS_INVALID_VALUE"},
    {CUSOLVER_STATUS_ARCH_MISMATCH, "CUSOLVER_STATUS_ARCH_MISMATCH (the GPU is too old for this dtype)"},
    {CUSOLVER_STATUS_EXECUTION_FAILED, "CUSOLVER_STATUS_EXECUTION_FAILED (the GPU could not run it)"},
    {CUSOLVER_STATUS_INTERNAL_ERROR, "CUSOLVER_STATUS_INTERNAL_ERROR"},
    {CUSOLVER_STATUS_NOT_SUPPORTED, "CUSOLVER_STATUS_NOT_SUPPORTED"},
    {CUNA_CUBLAS_ANSWER + CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED (the library could not start)"},
    {CUNA_CUBLAS_ANSWER + CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED (out of memory)"},
    {CUNA_CUBLAS_ANSWER + CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE"},
    {CUNA_CUBLAS_ANSWER + CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH (the GPU is too old for it)"},
    {CUNA_CUBLAS_ANSWER + CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED (the GPU could not run it)"},
    {CUNA_CUBLAS_ANSWER + CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR"},
    {CUNA_CUBLAS_ANSWER + CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED"},
    {ANSWER_TOO_LARGE, "it counts with 32 bits here, and the matrices are larger"},
};

static const char *describe(int answer)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].answer == answer)
            return meanings[i].words;
    return "an error without a name";
}

static bool is_memory(int answer)
{
    return answer == CUSOLVER_STATUS_ALLOC_FAILED || answer == CUNA_CUBLAS_ANSWER + CUBLAS_STATUS_ALLOC_FAILED;
}

static const char *where(void)
{
    static char text[1100];
    char file[500];
    cuna__library_file(file, sizeof file, (const void *)(uintptr_t)cuna__cusolver_create);
    int length = snprintf(text, sizeof text, "%s, with cuBLAS of ", file);
    cuna__library_file(text + length, sizeof text - (size_t)length, (const void *)(uintptr_t)create_blas);
    return text;
}

static cuna_status open_table(void);

/* Operations that read results of the device while they run cannot be captured. */
cuna_lapack cuna__lapack_cuda = {
    .name = "cuSOLVER",
    .open = open_table,
    .where = where,
    .is_memory = is_memory,
    .describe = describe,
    .create = create,
    .measure = measure,
    .run = run,
    .lacks = 1u << CUNA_LAPACK_getri | 1u << CUNA_LAPACK_trsm | 1u << CUNA_LAPACK_gees | 1u << CUNA_LAPACK_gehrd |
             1u << CUNA_LAPACK_trsyl,
    .waits = 1u << CUNA_LAPACK_gesvd | 1u << CUNA_LAPACK_syevd | 1u << CUNA_LAPACK_geev,
    .squares = 1u << CUNA_LAPACK_getrf,
    .loses_nan = 1u << CUNA_LAPACK_getrf | 1u << CUNA_LAPACK_gesvd,
    .stacks_lose = 1u << CUNA_LAPACK_gesvd | 1u << CUNA_LAPACK_syevd,
    .triangle = 'L',
    .narrow_pivots = true,
    .plain_v = true,
    .longest = {[CUNA_LAPACK_getrf] = SHORT_LENGTH,
                [CUNA_LAPACK_getrs] = SHORT_LENGTH,
                [CUNA_LAPACK_getri] = SHORT_LENGTH,
                [CUNA_LAPACK_trsm] = SHORT_LENGTH,
                [CUNA_LAPACK_potrf] = POTRF_LENGTH,
                [CUNA_LAPACK_gesvd] = CUNA_JACOBI_LENGTH,
                [CUNA_LAPACK_syevd] = SYEVD_LENGTH},
    .pointers = {[CUNA_LAPACK_getrf] = 1,
                 [CUNA_LAPACK_getrs] = 1 | 4,
                 [CUNA_LAPACK_getri] = 1 | 4,
                 [CUNA_LAPACK_trsm] = 1 | 2,
                 [CUNA_LAPACK_potrf] = 1},
    .small = {[CUNA_LAPACK_getrf] = SMALL_LENGTH,
              [CUNA_LAPACK_getrs] = SMALL_LENGTH,
              [CUNA_LAPACK_getri] = SMALL_LENGTH,
              [CUNA_LAPACK_potrf] = SMALL_LENGTH,
              [CUNA_LAPACK_potrs] = SMALL_LENGTH,
              [CUNA_LAPACK_trsm] = SMALL_LENGTH,
              [CUNA_LAPACK_gesvd] = SMALL_LENGTH,
              [CUNA_LAPACK_syevd] = SMALL_LENGTH},
};

/* ---- opening ---- */

static cuna_status find_library(cuna_library *out, const char *people, const char *stem, int more, int version)
{
    cuna__library_toolkit(out, stem, more, version / 1000);
    return out->handle != NULL ? CUNA_OK
                               : cuna_fail(CUNA_DEVICE, "no %s: %s; install the CUDA toolkit or its package %s-%d-%d",
                                           people, out->words, stem, version / 1000, version % 1000 / 10);
}

static cuna_status bind_all(const cuna_library *library, const cuna_symbol *symbols, size_t count, const char *package)
{
    const char *lacking = cuna__library_bind(library, symbols, count);
    return lacking == NULL ? CUNA_OK
                           : cuna_fail(CUNA_DEVICE, "%s has no %s; install %s of CUDA 12 or newer", library->name,
                                       lacking, package);
}

static bool is_optional(const char *symbol)
{
    return strncmp(symbol, "cusolverDnXgeev", 15) == 0 || strncmp(symbol, "cusolverDnXsyevBatched", 22) == 0;
}

/* Optional functions follow the others, and are bound separately. */
static cuna_status bind_solver(const cuna_library *library)
{
    static const cuna_symbol all[] = {
#define ROW(symbol, field, parameters) {symbol, &cuna__##field},
        CUNA_CUSOLVER_ROWS(ROW)
#undef ROW
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++)
        if (is_optional(all[i].name))
            cuna__library_bind(library, &all[i], 1);
        else
            CUNA_TRY(bind_all(library, &all[i], 1, "cuSOLVER"));
    if (cuna__cusolver_geev == NULL || cuna__cusolver_geev_size == NULL)
        cuna__lapack_cuda.lacks |= 1u << CUNA_LAPACK_geev;
    if (cuna__cusolver_syev_batched == NULL || cuna__cusolver_syev_batched_size == NULL)
        cuna__lapack_cuda.longest[CUNA_LAPACK_syevd] = CUNA_JACOBI_LENGTH;
    return CUNA_OK;
}

static cuna_status open_libraries(void)
{
    static const cuna_symbol symbols[] = {{"cublasCreate_v2", &create_blas},
                                          {"cublasSetStream_v2", &set_blas_stream},
                                          {"cublasSetWorkspace_v2", &set_blas_workspace},
#define ROW(symbol, field, parameters) {symbol, &cuna__##field},
                                          CUNA_CUBLAS_STACK_ROWS(ROW)
#undef ROW
    };
    const cuna_driver *driver;
    cuna_library solver, blas;
    int version = 0;
    CUNA_TRY(cuna__driver_cuda(&driver));
    driver->driver_get_version(&version);
    CUNA_TRY(find_library(&blas, "cuBLAS", "libcublas", 0, version));
    CUNA_TRY(find_library(&solver, "cuSOLVER", "libcusolver", -1, version));
    CUNA_TRY(bind_all(&blas, symbols, sizeof symbols / sizeof *symbols, "cuBLAS"));
    return bind_solver(&solver);
}

static cuna_status open_table(void)
{
    static cuna_opening opening = CUNA_OPENING;
    return cuna__library_once(&opening, open_libraries);
}

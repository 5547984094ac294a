/* blas.c: products and triangular systems of the cpu device, by OpenBLAS.
 *
 * OpenBLAS shares a product out over its threads, each of which has its part and spins until all are done: where one has
 * to wait for a processor, all do, for milliseconds. So it does that with large products only. Others cuna's threads
 * take in pieces, of which the caller does those that no other thread comes to, and of many small ones they do whole
 * ones. Where the output is small and the inner axis long, pieces are of that, and their sums are added in order. Pieces
 * depend on the product alone, not on the threads. */

#include "seam/blas.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/execute/enqueue.h"
#include "cpu/execute/threads.h"
#include "cpu/lapack/openblas.h"

#define SMALL_WORK 16777216.0 /* m n k up to which a thread does a whole product, where there are many */
#define PIECE_WORK 262144.0   /* that is worth handing to a thread */
#define PART_WORK  2097152.0  /* of a part of one product, which repeats the other factor's packing */
#define PART_LEAST 32         /* rows or columns of a part */
#define LARGE_WORK 134217728.0
#define FEW_SUMS   1024 /* of an output whose inner axis is shared out, */
#define INNER_LONG 2048 /* elements of a part of that at least, */
#define INNER_MOST 16   /* and parts at most */

/* Numbers of cblas.h. */
enum { COLUMN_MAJOR = 102, NO_TRANS = 111, UPPER = 121, NON_UNIT = 131, LEFT = 141 };

/* Factors: by value where they are real, by address where they are complex. */
#define GEMM(name, scalar, type)                                                                                  \
    static void (*name)(int order, int op_a, int op_b, int m, int n, int k, scalar alpha, const type *a, int lda, \
                        const type *b, int ldb, scalar beta, type *c, int ldc);
GEMM(sgemm, float, float)
GEMM(dgemm, double, double)
GEMM(cgemm, const float *, float)
GEMM(zgemm, const double *, double)
#undef GEMM

#define TRSM(name, scalar, type)                                                                         \
    static void (*name)(int order, int side, int fill, int op, int diagonal, int m, int n, scalar alpha, \
                        const type *a, int lda, type *b, int ldb);
TRSM(strsm, float, float)
TRSM(dtrsm, double, double)
TRSM(ctrsm, const float *, float)
TRSM(ztrsm, const double *, double)
#undef TRSM

static const cuna_symbol symbols[] = {
    {"cblas_sgemm", &sgemm}, {"cblas_dgemm", &dgemm}, {"cblas_cgemm", &cgemm}, {"cblas_zgemm", &zgemm},
    {"cblas_strsm", &strsm}, {"cblas_dtrsm", &dtrsm}, {"cblas_ctrsm", &ctrsm}, {"cblas_ztrsm", &ztrsm},
};

static void multiply(const cuna_blas_gemm *p, int64_t which)
{
    int64_t nbytes = cuna_dtype_size(p->dtype);
    int op_a = NO_TRANS + (int)p->op_a, op_b = NO_TRANS + (int)p->op_b;
    int m = (int)p->m, n = (int)p->n, k = (int)p->k, lda = (int)p->lda, ldb = (int)p->ldb, ldc = (int)p->ldc;
    const void *a = (const void *)(uintptr_t)(p->a + (cu_deviceptr)(which * p->stride_a * nbytes));
    const void *b = (const void *)(uintptr_t)(p->b + (cu_deviceptr)(which * p->stride_b * nbytes));
    void *c = (void *)(uintptr_t)(p->c + (cu_deviceptr)(which * p->stride_c * nbytes));
    float alpha[2] = {(float)p->alpha[0], (float)p->alpha[1]}, beta[2] = {(float)p->beta[0], (float)p->beta[1]};
    if (p->dtype == CUNA_FLOAT32)
        sgemm(COLUMN_MAJOR, op_a, op_b, m, n, k, alpha[0], a, lda, b, ldb, beta[0], c, ldc);
    else if (p->dtype == CUNA_FLOAT64)
        dgemm(COLUMN_MAJOR, op_a, op_b, m, n, k, p->alpha[0], a, lda, b, ldb, p->beta[0], c, ldc);
    else if (p->dtype == CUNA_COMPLEX64)
        cgemm(COLUMN_MAJOR, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    else
        zgemm(COLUMN_MAJOR, op_a, op_b, m, n, k, p->alpha, a, lda, b, ldb, p->beta, c, ldc);
}

static void multiply_some(void *data, int64_t first, int64_t last)
{
    for (int64_t which = first; which < last; which++)
        multiply(data, which);
}

/* A product that is shared out by columns of the output, or rows where it has more of these. */
struct shared {
    const cuna_blas_gemm *whole;
    int64_t length, extent; /* of all, and of a part */
    bool by_rows;
};

static cu_deviceptr step(cu_deviceptr from, int64_t elements, cuna_dtype dtype)
{
    return from + (cu_deviceptr)(elements * cuna_dtype_size(dtype));
}

static cuna_blas_gemm take_part(const struct shared *s, int64_t first, int64_t extent)
{
    cuna_blas_gemm part = *s->whole;
    if (s->by_rows) {
        part.a = step(part.a, part.op_a == CUNA_BLAS_N ? first : first * part.lda, part.dtype);
        part.c = step(part.c, first, part.dtype);
        part.m = extent;
    } else {
        part.b = step(part.b, part.op_b == CUNA_BLAS_N ? first * part.ldb : first, part.dtype);
        part.c = step(part.c, first * part.ldc, part.dtype);
        part.n = extent;
    }
    return part;
}

static void multiply_parts(void *data, int64_t first, int64_t last)
{
    const struct shared *s = data;
    for (int64_t i = first; i < last; i++) {
        cuna_blas_gemm part = take_part(s, i * s->extent, cuna__min(s->extent, s->length - i * s->extent));
        for (int64_t which = 0; which < part.count; which++)
            multiply(&part, which);
    }
}

static void share_out(const cuna_blas_gemm *p, double work)
{
    struct shared s = {.whole = p, .length = cuna__max(p->m, p->n), .by_rows = p->m > p->n};
    int64_t parts = cuna__max(cuna__min((int64_t)(work / PART_WORK), s.length / PART_LEAST), 1);
    s.extent = cuna__ceil_div(cuna__ceil_div(s.length, parts), PART_LEAST) * PART_LEAST;
    cuna__cpu_threads_run(multiply_parts, &s, cuna__ceil_div(s.length, s.extent), 1);
}

/* A product of which each part multiplies some of the inner axis; their outputs are one behind the other. */
struct inner {
    const cuna_blas_gemm *whole;
    int64_t extent;
    char *sums;
};

static void multiply_inner(void *data, int64_t first, int64_t last)
{
    const struct inner *s = data;
    for (int64_t i = first; i < last; i++) {
        cuna_blas_gemm part = *s->whole;
        int64_t from = i * s->extent;
        part.a = step(part.a, part.op_a == CUNA_BLAS_N ? from * part.lda : from, part.dtype);
        part.b = step(part.b, part.op_b == CUNA_BLAS_N ? from : from * part.ldb, part.dtype);
        part.c = step((cu_deviceptr)(uintptr_t)s->sums, i * part.m * part.n, part.dtype);
        part.ldc = part.m;
        part.k = cuna__min(s->extent, part.k - from);
        multiply(&part, 0);
    }
}

/* Adds numbers of `parts` outputs of a length to the first. */
#define ADD_PARTS(name, type)                                      \
    static void name(void *numbers, int64_t length, int64_t parts) \
    {                                                              \
        type *sums = numbers;                                      \
        for (int64_t part = 1; part < parts; part++)               \
            for (int64_t i = 0; i < length; i++)                   \
                sums[i] += sums[part * length + i];                \
    }
ADD_PARTS(add_floats, float)
ADD_PARTS(add_doubles, double)
#undef ADD_PARTS

static void add_parts(const cuna_blas_gemm *p, char *sums, int64_t parts)
{
    bool is_double = p->dtype == CUNA_FLOAT64 || p->dtype == CUNA_COMPLEX128;
    int64_t nbytes = cuna_dtype_size(p->dtype), column = p->m * nbytes;
    (is_double ? add_doubles : add_floats)(sums, column * p->n / (is_double ? 8 : 4), parts);
    for (int64_t j = 0; j < p->n; j++)
        memcpy((char *)(uintptr_t)p->c + j * p->ldc * nbytes, sums + j * column, (size_t)column);
}

static bool is_long(const cuna_blas_gemm *p)
{
    return p->count == 1 && p->m * p->n <= FEW_SUMS && p->k >= 2 * INNER_LONG && p->beta[0] == 0 && p->beta[1] == 0;
}

/* Returns false when the parts cannot be allocated. */
static bool share_inner(const cuna_blas_gemm *p)
{
    int64_t parts = cuna__min(p->k / INNER_LONG, INNER_MOST);
    struct inner s = {.whole = p, .extent = cuna__ceil_div(p->k, parts)};
    parts = cuna__ceil_div(p->k, s.extent);
    s.sums = malloc((size_t)(parts * p->m * p->n * cuna_dtype_size(p->dtype)));
    if (s.sums == NULL)
        return false;
    cuna__cpu_threads_run(multiply_inner, &s, parts, 1);
    add_parts(p, s.sums, parts);
    free(s.sums);
    return true;
}

static void share_outputs(const cuna_blas_gemm *p, double work)
{
    if (p->count >= 2 * cuna__cpu_threads_count() && work <= SMALL_WORK)
        cuna__cpu_threads_run(multiply_some, (void *)p, p->count, (int64_t)(PIECE_WORK / (work + 1)) + 1);
    else
        share_out(p, work);
}

cu_result cuna__blas_cpu_gemm(const void *product)
{
    const cuna_blas_gemm *p = product;
    double work = (double)p->m * (double)p->n * (double)p->k;
    if (work > LARGE_WORK && !is_long(p)) {
        multiply_some((void *)p, 0, p->count);
        return CU_SUCCESS;
    }
    cuna__openblas_begin_alone();
    if (!is_long(p) || !share_inner(p))
        share_outputs(p, work);
    cuna__openblas_end_alone();
    return CU_SUCCESS;
}

cu_result cuna__blas_cpu_trsm(const void *system)
{
    const cuna_blas_trsm *s = system;
    int side = LEFT + (int)s->side, fill = s->fill == CUNA_BLAS_UPPER ? UPPER : UPPER + 1;
    int op = NO_TRANS + (int)s->op, diagonal = NON_UNIT + s->unit_diagonal;
    int m = (int)s->m, n = (int)s->n, lda = (int)s->lda, ldb = (int)s->ldb;
    const void *a = (const void *)(uintptr_t)s->a;
    void *b = (void *)(uintptr_t)s->b;
    float alpha[2] = {(float)s->alpha[0], (float)s->alpha[1]};
    if (s->dtype == CUNA_FLOAT32)
        strsm(COLUMN_MAJOR, side, fill, op, diagonal, m, n, alpha[0], a, lda, b, ldb);
    else if (s->dtype == CUNA_FLOAT64)
        dtrsm(COLUMN_MAJOR, side, fill, op, diagonal, m, n, s->alpha[0], a, lda, b, ldb);
    else if (s->dtype == CUNA_COMPLEX64)
        ctrsm(COLUMN_MAJOR, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);
    else
        ztrsm(COLUMN_MAJOR, side, fill, op, diagonal, m, n, s->alpha, a, lda, b, ldb);
    return CU_SUCCESS;
}

/* ---- the table ---- */

static int create(void **handle)
{
    *handle = (void *)symbols; /* any address: there is nothing to keep */
    return CU_SUCCESS;
}

static int gemm_size(void *handle, const cuna_blas_gemm *product, int64_t *workspace_nbytes)
{
    (void)handle, (void)product;
    *workspace_nbytes = 0;
    return 0;
}

static int gemm(const cuna_blas_call *call, const cuna_blas_gemm *product)
{
    return cuna__cpu_enqueue(call->stream, cuna__blas_cpu_gemm, product, sizeof *product);
}

static int trsm(const cuna_blas_call *call, const cuna_blas_trsm *system)
{
    return cuna__cpu_enqueue(call->stream, cuna__blas_cpu_trsm, system, sizeof *system);
}

static const char *describe(int result)
{
    const char *text = NULL;
    cuna__driver_cpu()->get_error_string(result, &text);
    return text != NULL ? text : "an error without a name";
}

static bool is_memory(int result)
{
    return result == CU_ERROR_OUT_OF_MEMORY;
}

static cuna_status open_library(void)
{
    const cuna_library *library;
    CUNA_TRY(cuna__openblas(&library));
    const char *lacking = cuna__library_bind(library, symbols, sizeof symbols / sizeof *symbols);
    return lacking == NULL
               ? CUNA_OK
               : cuna_fail(CUNA_DEVICE, "%s has no %s: it is not OpenBLAS; see CUNA_OPENBLAS", library->name, lacking);
}

static cuna_status open_once(void)
{
    static cuna_opening opening = CUNA_OPENING;
    CUNA_TRY(cuna__openblas_make_room());
    return cuna__library_once(&opening, open_library);
}

const cuna_blas cuna__blas_cpu = {
    .name = "OpenBLAS",
    .largest = INT32_MAX,
    .open = open_once,
    .describe = describe,
    .is_memory = is_memory,
    .create = create,
    .gemm_size = gemm_size,
    .gemm = gemm,
    .trsm = trsm,
};

/* blas.h: the interface for products of matrices and triangular systems: one table, shaped like cuBLAS, from one list
 * of rows.
 *
 * Matrices are column-major: element (i, j) is at i + j * ld. A row takes its call (where it runs) and a plain struct
 * of arguments that can be kept: the cpu device records it in captures, the simulated GPU queues it. Sizes are those of
 * BLAS; the caller has checked shapes, dtypes and memory. blas_cuda fills the table from cuBLAS, blas_cpu from
 * OpenBLAS; call `open` before any row. Several threads may use one handle. */
#ifndef CUNA_SEAM_BLAS_H
#define CUNA_SEAM_BLAS_H

#include "base/dtype.h"
#include "seam/driver.h"

/* The numbers are cuBLAS'. */
typedef enum cuna_blas_op {
    CUNA_BLAS_N,
    CUNA_BLAS_T,
    CUNA_BLAS_C
} cuna_blas_op; /* unchanged, transposed, and conjugate transposed */
typedef enum cuna_blas_side { CUNA_BLAS_LEFT, CUNA_BLAS_RIGHT } cuna_blas_side;
typedef enum cuna_blas_fill { CUNA_BLAS_LOWER, CUNA_BLAS_UPPER } cuna_blas_fill;

/* The context of a call, besides its arguments. */
typedef struct cuna_blas_call {
    void *handle; /* of the device that is current */
    cu_stream stream;
    cu_deviceptr workspace; /* of as many bytes as the call needs; reserved for the stream until its work is done */
} cuna_blas_call;

/* C = alpha op(A) op(B) + beta C for each of `count` matrices, `stride` elements apart: op(A) is (m, k), op(B) (k, n),
 * C (m, n). Factors are real; for complex matrices, real and imaginary part. float16 and bfloat16 are accumulated in
 * float32. */
typedef struct cuna_blas_gemm {
    cuna_dtype dtype; /* a float or complex dtype */
    cuna_blas_op op_a, op_b;
    bool tf32; /* float32 may be multiplied with 10 bits of fraction, if the hardware can */
    int64_t m, n, k, count;
    cu_deviceptr a, b, c;
    int64_t lda, ldb, ldc;
    int64_t stride_a, stride_b, stride_c;
    double alpha[2], beta[2];
} cuna_blas_gemm;

/* Solves op(A) X = alpha B, or X op(A) = alpha B, where X replaces B (m, n); A is triangular. */
typedef struct cuna_blas_trsm {
    cuna_dtype dtype; /* float32 float64 complex64 complex128 */
    cuna_blas_side side;
    cuna_blas_fill fill;
    cuna_blas_op op;
    bool unit_diagonal; /* which is not read then */
    int64_t m, n;
    cu_deviceptr a, b;
    int64_t lda, ldb;
    double alpha[2];
} cuna_blas_trsm;

/* X(field, parameters); every row returns 0, or a code for `describe`. */
#define CUNA_BLAS_ROWS(X)                                                                                 \
    X(create, (void **handle)) /* for the device that is current */                                       \
    X(gemm_size, (void *handle, const cuna_blas_gemm *product, int64_t *workspace_nbytes)) /* it needs */ \
    X(gemm, (const cuna_blas_call *call, const cuna_blas_gemm *product))                                  \
    X(trsm, (const cuna_blas_call *call, const cuna_blas_trsm *system))

typedef struct cuna_blas {
    const char *name; /* of the library, for messages */
    /* Opens the library, once; DEVICE when it is missing, with a text that ends a line and says how to install it. */
    cuna_status (*open)(void);
    int64_t trsm_nbytes;                 /* of the workspace that trsm needs; 0: none */
    int64_t largest;                     /* greatest size or leading dimension that the library supports */
    bool halves;                         /* whether gemm supports float16 and bfloat16 */
    const char *(*describe)(int result); /* in words */
    bool (*is_memory)(int result);       /* whether there was none left */
#define ROW(field, parameters) int(*field) parameters;
    CUNA_BLAS_ROWS(ROW)
#undef ROW
} cuna_blas;

extern const cuna_blas cuna__blas_cpu, cuna__blas_cuda;

/* A row's work on the cpu device, with the arguments that cuna__cpu_enqueue kept. */
cu_result cuna__blas_cpu_gemm(const void *product);
cu_result cuna__blas_cpu_trsm(const void *system);

/* Gives its library, if that is open, as many threads as cuna's own work has, unless the user has asked for others. */
void cuna__blas_cpu_set_threads(void);

#endif

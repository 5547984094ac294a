/* lapack.h: the interface for factorisations: LAPACK's operations over stacks of matrices, stored column by column.
 *
 * A device's table is filled from the vendor's library, which is opened on first use. A call is a plain struct, so that
 * a table can queue a copy of it. */
#ifndef CUNA_SEAM_LAPACK_H
#define CUNA_SEAM_LAPACK_H

#include "base/dtype.h"
#include "seam/driver.h"

/* X(operation, operands, options). Operands are spelled as type and lengths: t the call's dtype, r its real one, c its
 * complex one, p pivots (int64, from 1), in capitals where they are written; rows come before columns, q is min(m, n).
 * Options are the letters that LAPACK takes for each, in its order. A bar precedes operands that may be omitted; an
 * exclamation mark follows operations that set info. */
#define CUNA_LAPACK_ROWS(X)                                                                                            \
    X(getrf, "Tmn Pq !", "")           /* a = p l u */                                                                 \
    X(getrs, "tnn pn Tnk", "NTC")      /* solves op(a) x = b by getrf's result */                                      \
    X(getri, "Tnn pn Tnn", "")         /* the inverse by getrf's result, which is overwritten */                       \
    X(potrf, "Tnn !", "LU")            /* a = l l^H or u^H u; the other triangle is unchanged */                       \
    X(potrs, "tnn Tnk", "LU")          /* solves a x = b by potrf's result */                                          \
    X(trtri, "Tnn !", "LU NU")         /* the inverse of a triangle: uplo, diag */                                     \
    X(trsm, "tnn Tnk", "LU NTC NU")    /* solves op(a) x = b for a triangle: uplo, trans, diag */                      \
    X(geqrf, "Tmn Tq", "")             /* a = q r: r and the reflectors that q is made of */                           \
    X(orgqr, "Tmn tk", "")             /* the first n columns of q from k of geqrf's reflectors, in their place */     \
    X(ormqr, "tmk tk Tmn", "NTC")      /* op(q) times the last operand */                                              \
    X(gesvd, "Tmn Rn | Tmk Tnn !", "") /* a = u s vt for m >= n; u has k = n or m columns. a is overwritten */         \
    X(syevd, "Tnn Rn !", "NV LU")      /* eigenvalues of a symmetric or Hermitian matrix; V: a gets its vectors */     \
    X(geev, "Tnn Cn | Cnn !", "")      /* eigenvalues; and vectors, which a table packs as LAPACK does for real a */   \
    X(gees, "Tnn Cn Tnn !", "NLRIO") /* a = z t z^H: t in place of a, its eigenvalues, z. First: L left half plane, */ \
                                     /* R right one, I unit circle, O outside */                                       \
    X(gehrd, "Tnn Tn", "")           /* a = q h q^H: h, and below its subdiagonal n - 1 reflectors */                  \
    X(trsyl, "tmm tnn Tmn !", "")    /* solves a x + x b = c for upper triangles; info 1: not uniquely */

typedef enum cuna_lapack_op {
#define ROW(name, operands, options) CUNA_LAPACK_##name,
    CUNA_LAPACK_ROWS(ROW)
#undef ROW
        CUNA_LAPACK_OPS
} cuna_lapack_op;

#define CUNA_LAPACK_OPERANDS 4

typedef struct cuna_lapack_call {
    cuna_lapack_op op;
    cuna_dtype dtype;                        /* float32, float64, complex64, complex128 */
    char options[4];                         /* in the row's order */
    int64_t batch, m, n, k;                  /* none is 0; k: 0 if operands are omitted */
    uint64_t at[CUNA_LAPACK_OPERANDS];       /* of the first matrix; 0: omitted */
    int64_t nbytes[CUNA_LAPACK_OPERANDS];    /* from one matrix to the next */
    uint64_t pointers[CUNA_LAPACK_OPERANDS]; /* of stacks: arrays of the matrices' addresses, of what the table names */
    uint64_t info;                           /* an int32 for each matrix, as in LAPACK: 0 is success */
    uint64_t workspace;                      /* of the device; `measure` returns the size of this and the next */
    int64_t workspace_nbytes, host_nbytes;
    void *host;      /* lives until `run` has returned */
    int64_t kept[4]; /* passed from `measure` to `run` */
} cuna_lapack_call;

typedef struct cuna_lapack {
    const char *name; /* of the library, for messages */
    /* Opens the library, once, and sets the facts below; DEVICE when it is missing, with a text that ends a line and
     * says how to install it. */
    cuna_status (*open)(void);
    const char *(*where)(void);          /* which files were opened, and what they say of themselves, for people */
    const char *(*describe)(int answer); /* as text; rows return 0 on success */
    bool (*is_memory)(int answer);       /* whether there was none left */
    int (*create)(void **handle);        /* for the device that is current */
    /* Measures the workspaces of a call; submits a call to a stream. Several threads may use one handle. */
    int (*measure)(void *handle, cuna_lapack_call *call);
    int (*run)(void *handle, cu_stream stream, const cuna_lapack_call *call);

    uint32_t lacks;                  /* operations (bits) not supported for one matrix */
    uint32_t waits;                  /* that captures cannot record */
    uint32_t squares;                /* supported only for stacks of square matrices */
    uint32_t loses_nan, stacks_lose; /* that may take NaN for a number, for one matrix and for stacks */
    char triangle;                   /* 'L', 'U': the one that potrf factors faster; 0: equally fast */
    bool narrow_pivots;              /* of stacks: int32 */
    bool plain_v; /* gesvd of stacks writes u (m, m), and v in place of vt; also unasked, unless m = n */
    int64_t longest[CUNA_LAPACK_OPS];  /* the greatest m or n of stacks done in one call; 0: none */
    uint8_t pointers[CUNA_LAPACK_OPS]; /* operands (bits) that stacks take as `pointers` */
    int64_t small[CUNA_LAPACK_OPS];    /* the greatest m or n of real matrices that own kernels do faster; 0: none */
} cuna_lapack;

/* The second one's facts are those of the newest library until it was opened. */
extern const cuna_lapack cuna__lapack_cpu;
extern cuna_lapack cuna__lapack_cuda;

/* Runs a call on the cpu device when its stream reaches it. */
cu_result cuna__lapack_cpu_work(const void *call);

#endif

/* lapack.h: what lapack*.c share: an operation of LAPACK on its way from the caller to the library. */
#ifndef CUNA_WORK_LAPACK_H
#define CUNA_WORK_LAPACK_H

#include "array/array.h"
#include "seam/lapack.h"

#define CUNA_LAPACK_TEMPORARIES 6

/* A request: arrays that were checked against the operation's row, and the call that they make. */
typedef struct cuna__lapack_request {
    cuna_context *context;
    cuna_device *device;
    const char *name; /* the user's function */
    const struct cuna__lapack_row *row;
    const char *operation;
    int narrays, nbatch; /* nbatch: axes that count matrices */
    cuna_array *const *arrays;
    cuna_array *info; /* NULL: the operation has none */
    cuna_lapack_call call;
    bool *began; /* set when the library was given something: from here on operands may be written to */
} cuna__lapack_request;

/* ---- lapack_run.c ---- */

/* Runs the request, in as few calls of the library as its table allows. In a rehearsal only kernels are noted. */
cuna_status cuna__lapack_run(const cuna__lapack_request *request);

/* Whether a table does so many m x n matrices in one call. */
bool cuna__lapack_is_stacked(const cuna_lapack *table, cuna_lapack_op op, int64_t batch, int64_t m, int64_t n);

/* Gives one call of the table to the context's stream, with its workspaces; `more` are arrays besides the request's that it
 * touches. */
cuna_status cuna__lapack_give(const cuna__lapack_request *request, cuna_lapack_call *call, int count,
                              const cuna_array *more);

/* Claims the request's arrays, and more, for the context's stream. */
cuna_status cuna__lapack_claim(const cuna__lapack_request *request, int count, const cuna_array *more);

/* ---- lapack_small.c ---- */

/* Whether own kernels do an operation over matrices of this dtype and these lengths. */
bool cuna__lapack_is_small(const cuna_lapack *table, cuna_lapack_op op, cuna_dtype dtype, int64_t m, int64_t n);

/* Does a request with them. */
cuna_status cuna__lapack_run_small(const cuna__lapack_request *request);

/* ---- lapack_stack.c ---- */

/* Does a stack in one call of the table. */
cuna_status cuna__lapack_run_stack(const cuna__lapack_request *request);

/* Fills an array, of shape (..., n, n), with identities. */
cuna_status cuna__lapack_identity(const cuna__lapack_request *request, cuna_array *array);

/* ---- lapack_eig.c ---- */

/* Fills `packed` with room for the eigenvectors of real matrices as LAPACK packs them, for complex vectors `v`, with one
 * more column before and after. MEMORY. */
cuna_status cuna__lapack_make_packed(cuna_array *packed, cuna_context *context, const cuna_array *v);

/* Writes the complex vectors of eigenvalues `w`. */
cuna_status cuna__lapack_unpack(cuna_context *context, const char *name, const cuna_array *packed, const cuna_array *w,
                                cuna_array *v);

/* ---- lapack_program.c ---- */

/* A program of one step. Its inputs are arrays, or, from the first int64 on when there are several, numbers; with
 * `uses_index` the position of the element comes after them. */
typedef struct cuna__lapack_step {
    const char *name, *expression;
    int ninputs;
    const uint8_t *dtypes; /* of inputs */
    bool uses_index;
    cuna_dtype result; /* CUNA_DTYPES: it has none, and only reports */
} cuna__lapack_step;

/* The program of a step, from `cached` after the first time. */
cuna_status cuna__lapack_program(const cuna_program **out, const cuna_program **cached, const cuna__lapack_step *step);

#endif

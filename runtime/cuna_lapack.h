/* cuna_lapack.h: the public functions for LAPACK; cuna.h includes it. */
#ifndef CUNA_LAPACK_DOOR_H
#define CUNA_LAPACK_DOOR_H

/* ---- work/lapack.c ------------------------------------------------------------------------------------------------- */

/* Runs a LAPACK operation on each matrix of a stack. seam/lapack.h lists the operations with their operands and
 * options.
 *
 * Arrays are row-major and on one device; matrices are stored column by column: a stack of m x n matrices has shape
 * (batch..., n, m), a stack of vectors (batch..., n), and all arrays have the same batch. Operands after a bar in
 * seam/lapack.h may be omitted together. `options` are LAPACK's letters for all of the row's options ("LNU"). `info`,
 * int32 of shape (batch...), receives LAPACK's info of each matrix, for operations that may fail; NULL for the others.
 * Where it is not 0 the results are unspecified. Matrices without elements are skipped. `name` is the user's function.
 * VALUE: arrays that do not fit; MEMORY: nothing happened; DEVICE: the library is missing, or failed. */
cuna_status cuna_lapack_call_stack(cuna_context *context, const char *name, const char *operation, int narrays,
                                   cuna_array *const *arrays, cuna_array *info, const char *options);

/* Whether an operation on `a` may lose a NaN; a caller that must report NaN checks for it first. */
bool cuna_lapack_loses_nan(const cuna_array *a, const char *operation);

/* Whether a device's library does not have an operation. The cpu device has all. */
bool cuna_lapack_lacks(const cuna_device *device, const char *operation);

/* The triangle, column by column, that a device's potrf factors faster: 'L' or 'U'; 0: equally fast. */
char cuna_lapack_triangle(const cuna_device *device);

/* The meaning of an info other than 0. */
typedef enum cuna_lapack_verdict { CUNA_SINGULAR, CUNA_INDEFINITE, CUNA_UNCONVERGED } cuna_lapack_verdict;

/* Reports the first matrix whose info is not 0: LINALG immediately on a synchronous device, else at the next wait, with
 * `place`, the user's line. */
cuna_status cuna_lapack_check(cuna_context *context, const char *name, cuna_lapack_verdict verdict,
                              const cuna_array *info, const char *place);

/* Opens the device's library for factorisations and returns its name and location, for display. DEVICE with the names
 * that were searched for; the name is set all the same. */
cuna_status cuna_lapack_open(const char **library, const char **where, cuna_device *device);

#endif

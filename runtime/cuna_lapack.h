/* cuna_lapack.h: the part of the door that is LAPACK; cuna.h includes it. */
#ifndef CUNA_LAPACK_DOOR_H
#define CUNA_LAPACK_DOOR_H

#include "cuna.h"

/* ---- work/linalg.c ------------------------------------------------------------------------------------------------- */

/* Does an operation of LAPACK (seam/lapack.h lists them by name, with their operands and options) on each matrix of a stack.
 *
 * Arrays are row-major, of one device, and lie column by column: a stack of m x n matrices has shape (batch..., n, m), one
 * of vectors (batch..., n), and all arrays have the same batch. Operands behind a bar in seam/lapack.h may be left out together.
 * `options` are letters as LAPACK has them, of all the row's options ("LNU"). `info`, int32 of shape (batch...), gets how
 * each matrix ended, as LAPACK says it, for the operations that may fail; NULL for the others. What is written where it is
 * not 0 is unspecified. Matrices without elements are left alone. `name` is the user's function.
 * VALUE: arrays that do not fit; MEMORY: nothing happened; DEVICE: the library is missing, or failed. */
cuna_status cuna_lapack_call_stack(cuna_context *context, const char *name, const char *operation, int narrays,
                                   cuna_array *const *arrays, cuna_array *info, const char *options);

/* Whether an operation on `a` may take NaN for a number: whoever wants them told looks for them first. */
bool cuna_lapack_loses_nan(const cuna_array *a, const char *operation);

/* Which triangle, column by column, a device's potrf does faster: 'L' or 'U'; 0: both are as fast. */
char cuna_lapack_triangle(const cuna_device *device);

/* What info other than 0 means. */
typedef enum cuna_lapack_verdict { CUNA_SINGULAR, CUNA_INDEFINITE, CUNA_UNCONVERGED } cuna_lapack_verdict;

/* Reports the first matrix whose info is not 0: LINALG at once where the device's work is done when its calls return, else
 * at the next wait, with `place`, the user's line. */
cuna_status cuna_lapack_check(cuna_context *context, const char *name, cuna_lapack_verdict verdict,
                              const cuna_array *info, const char *place);

/* Opens the library that a device has for factorisations: its name, and where it was found, for people. DEVICE with what
 * was looked for, and the name all the same. */
cuna_status cuna_lapack_open(const char **library, const char **where, cuna_device *device);

#endif

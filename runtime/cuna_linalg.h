/* cuna_linalg.h: the door's part for linear algebra; cuna.h includes it. */
#ifndef CUNA_LINALG_DOOR_H
#define CUNA_LINALG_DOOR_H

/* ---- matmul.c ------------------------------------------------------------------------------------------------- */

/* Products of matrices: a (..., m, k) and b (..., k, n) give out (..., m, n), where leading axes broadcast. All have one
 * dtype. Floats and complex numbers are multiplied by the device's BLAS, float16 and bfloat16 with sums in float32, and
 * `program` is NULL; integers, which wrap, and bool (or of ands) by the program, which `multiplies`. With `tf32` float32 may be multiplied with 10 bits of its fraction. An output with a
 * buffer is written, its shape must be the result's; an empty one is made. Arrays may have any layout and overlap. VALUE;
 * MEMORY: nothing happened; COMPILE; DEVICE, also without a BLAS. */
cuna_status cuna_matmul(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *a,
                        const cuna_array *b, cuna_array *out, bool tf32);

#endif

/* cuna_matmul.h: the public functions for products of matrices; cuna.h includes it. */
#ifndef CUNA_MATMUL_DOOR_H
#define CUNA_MATMUL_DOOR_H

/* ---- matmul.c ------------------------------------------------------------------------------------------------- */

/* Products of matrices: out (..., m, n) is a (..., m, k) times b (..., k, n), where leading axes broadcast. All have
 * one dtype. With `program` NULL the device's BLAS multiplies floats and complex numbers, float16 and bfloat16 with
 * sums in float32, where `program` is NULL; integers, which wrap, and bool (or of ands) by the program, which
 * `multiplies`, and float32 and float64 too where there is one: products are then added in order, with the same bits on
 * every device and in every layout. With `tf32` BLAS may multiply float32 with 10 bits of its fraction. An output with
 * a buffer is written, its shape must be the result's; an empty one is made. Arrays may have any layout and overlap.
 * VALUE; MEMORY: nothing happened; COMPILE; DEVICE, also without a BLAS. */
cuna_status cuna_matmul(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *a,
                        const cuna_array *b, cuna_array *out, bool tf32);

/* How two arrays multiply as matmul has it: not at all (a 0-d one, or shapes that do not fit); with a vector, whose axis is
 * not in the result; in one pass over the larger factor, since each element of it is used once; as matrices otherwise. */
typedef enum cuna_matmul_way {
    CUNA_MATMUL_NONE,
    CUNA_MATMUL_VECTOR,
    CUNA_MATMUL_PASS,
    CUNA_MATMUL_MATRICES
} cuna_matmul_way;
cuna_matmul_way cuna_matmul_find_way(const cuna_array *a, const cuna_array *b);

#endif

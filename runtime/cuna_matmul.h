/* cuna_matmul.h: the public functions for products of matrices; cuna.h includes it. */
#ifndef CUNA_MATMUL_DOOR_H
#define CUNA_MATMUL_DOOR_H

/* ---- matmul.c ------------------------------------------------------------------------------------------------- */

/* Products of matrices: out (..., m, n) is a (..., m, k) times b (..., k, n), where leading axes broadcast. All have
 * one dtype. With `program` NULL the device's BLAS multiplies floats and complex numbers, float16 and bfloat16 with
 * sums in float32, where `program` is NULL; integers, which wrap, and bool (or of ands) by the program, which
 * `multiplies`, and float32 and float64 too where there is one: products are then added in order, with the same bits on
 * every device and in every layout. With TF32 BLAS may multiply float32 with 10 bits of its fraction. An output with
 * a buffer is written, its shape must be the result's; an empty one is made. Arrays may have any layout and overlap.
 * VALUE; MEMORY: nothing happened; COMPILE; DEVICE, also without a BLAS. */
cuna_status cuna_matmul(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *a,
                        const cuna_array *b, cuna_array *out);

/* Whether a context's products may use TF32; they do not at first. Returns what it was. */
bool cuna_context_set_tf32(cuna_context *context, bool on);

/* The program of the product of two matrices that a kernel of cuna's computes in one launch of few blocks, so that it may be
 * a step of other programs; *out is NULL of all other products. Its values are those of cuna_matmul. */
cuna_status cuna_matmul_step(const cuna_program **out, const cuna_context *context, const cuna_array *a,
                             const cuna_array *b);

/* Runs a program of such steps and others over arrays that its inputs broadcast to. The outputs exist, are matrices of the
 * product's shape and overlap no input. COMPILE, DEVICE. */
cuna_status cuna_products(cuna_context *context, const char *name, const cuna_program *program,
                          const cuna_operand *inputs, cuna_array *const *outputs);

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

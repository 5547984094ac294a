/* matmul.h: products of stacked matrices, between the files of matmul. */
#ifndef CUNA_WORK_MATMUL_H
#define CUNA_WORK_MATMUL_H

#include "array/array.h"
#include "base/shape.h"

enum { CUNA_MATMUL_OUT, CUNA_MATMUL_A, CUNA_MATMUL_B, CUNA_MATMUL_OPERANDS };

/* out (m, n) = a (m, k) b (k, n) at each place of a stack. Strides are in elements. */
typedef struct cuna_product {
    cuna_context *context;
    cuna_device *device;
    const char *name;
    cuna_dtype dtype;
    int64_t m, n, k;
    cu_deviceptr at[CUNA_MATMUL_OPERANDS]; /* of the first matrices */
    int64_t row[CUNA_MATMUL_OPERANDS], column[CUNA_MATMUL_OPERANDS];
    cuna_layout stack;
} cuna_product;

/* Lays arrays out whose shapes fit: stack axes that one factor does not move along become rows or columns where strides
 * allow it, the others are collapsed. */
void cuna__product_lay_out(cuna_product *p, const cuna_array *out, const cuna_array *a, const cuna_array *b);

/* Calls visit(p, axis, data) at each place of all stack axes but the longest one, `axis`; -1 when there is none. `at` is
 * that place's. */
typedef cuna_status (*cuna_product_visit)(const cuna_product *p, int axis, void *data);
cuna_status cuna__product_each(cuna_product *p, cuna_product_visit visit, void *data);

/* Length and an operand's step along a stack axis, 1 and 0 for -1. */
int64_t cuna__product_count(const cuna_product *p, int axis);
int64_t cuna__product_step(const cuna_product *p, int axis, int operand);

/* Whether the matrices are so small that blocks of many lanes do many products each. */
#define CUNA_SMALL_PRODUCT 16
bool cuna__product_is_small(const cuna_product *p);

/* Whether the matrices are of floats, and have so few tiles that a library's leave multiprocessors without work. */
bool cuna__product_has_few_tiles(const cuna_product *p);

/* How many multiprocessors, or processors, a device has. */
int cuna__product_processors(const cuna_device *device);

/* The engines. Operands are on the device and are not empty; p says all but how they lie. By BLAS, for which layouts that
 * it does not have are copied; and by kernels of ours, which take all: one for any product, one for few tiles. */
cuna_status cuna__matmul_blas(cuna_product *p, const cuna_array *out, const cuna_array *a, const cuna_array *b);
cuna_status cuna__matmul_exact(cuna_product *p, const cuna_program *program, const cuna_array *out, const cuna_array *a,
                               const cuna_array *b);
cuna_status cuna__matmul_parts(cuna_product *p, const cuna_array *out, const cuna_array *a, const cuna_array *b);

#endif

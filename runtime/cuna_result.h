/* cuna_result.h: the part of cuna.h for outputs that a caller gives; cuna.h includes it. */
#ifndef CUNA_RESULT_H
#define CUNA_RESULT_H

/* ---- operands/output.c --------------------------------------------------------------------------------------------- */

/* A result that is to be written to an array of the caller's. */
typedef struct cuna_result {
    const char *name;          /* of the operation, for messages */
    int number;                /* among several outputs, from 1; 0 for the only one */
    const cuna_device *device; /* where the array must be; NULL: anywhere */
    cuna_dtype dtype;          /* CUNA_DTYPES: any */
    bool casts;                /* whether a dtype will do that same-kind casting reaches from the result's */
    int ndim;
    const int64_t *shape; /* NULL: any */
} cuna_result;

/* VALUE unless a result can be written to an array: "sum: out has shape (2,), but the result has shape (3,)", "sum: a
 * float64 result cannot be written to int32; cast it with astype", and where the array is on another device, is a
 * broadcast view or was freed. The two others look at a shape or a dtype alone. */
cuna_status cuna_result_check(const cuna_result *result, const cuna_array *out);
cuna_status cuna_result_check_shape(const cuna_result *result, int ndim, const int64_t *shape);
cuna_status cuna_result_check_dtype(const cuna_result *result, cuna_dtype dtype);

#endif

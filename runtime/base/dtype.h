/* dtype.h: the fifteen element types, how they promote, and how host numbers become elements.
 *
 * Pure: knows no device and allocates nothing. */
#ifndef CUNA_BASE_DTYPE_H
#define CUNA_BASE_DTYPE_H

#include "base/base.h"
#include "base/status.h"

/* enum name, public name, bytes, kind (b bool, i signed, u unsigned, f float, c complex), kernel storage type */
#define CUNA_DTYPE_ROWS(X)                         \
    X(BOOL, "bool", 1, 'b', "bool8")               \
    X(INT8, "int8", 1, 'i', "int8")                \
    X(INT16, "int16", 2, 'i', "int16")             \
    X(INT32, "int32", 4, 'i', "int32")             \
    X(INT64, "int64", 8, 'i', "int64")             \
    X(UINT8, "uint8", 1, 'u', "uint8")             \
    X(UINT16, "uint16", 2, 'u', "uint16")          \
    X(UINT32, "uint32", 4, 'u', "uint32")          \
    X(UINT64, "uint64", 8, 'u', "uint64")          \
    X(FLOAT16, "float16", 2, 'f', "float16")       \
    X(BFLOAT16, "bfloat16", 2, 'f', "bfloat16")    \
    X(FLOAT32, "float32", 4, 'f', "float32")       \
    X(FLOAT64, "float64", 8, 'f', "float64")       \
    X(COMPLEX64, "complex64", 8, 'c', "complex64") \
    X(COMPLEX128, "complex128", 16, 'c', "complex128")

typedef enum cuna_dtype {
#define ROW(name, text, nbytes, kind, type) CUNA_##name,
    CUNA_DTYPE_ROWS(ROW)
#undef ROW
        CUNA_DTYPES /* their number; also "none" where a dtype is optional */
} cuna_dtype;

/* A host number before it has a dtype. INT and UINT split the 64-bit range: UINT only for values above INT64_MAX. */
typedef enum cuna_number_kind {
    CUNA_NUMBER_BOOL,
    CUNA_NUMBER_INT,
    CUNA_NUMBER_UINT,
    CUNA_NUMBER_FLOAT,
    CUNA_NUMBER_COMPLEX,
} cuna_number_kind;

typedef struct cuna_number {
    cuna_number_kind kind;
    union {
        bool b;
        int64_t i;
        uint64_t u;
        double f; /* also the real part of COMPLEX */
    };
    double imag;
} cuna_number;

#pragma GCC visibility push(default) /* public functions */

/* Facts of a dtype: public name, bytes of one element, kind letter, storage type in kernel text. */
const char *cuna_dtype_name(cuna_dtype dtype);
int64_t cuna_dtype_size(cuna_dtype dtype);
char cuna_dtype_kind(cuna_dtype dtype);
const char *cuna_dtype_kernel_type(cuna_dtype dtype);

/* Finds a dtype by its public name; VALUE with the most similar names for an unknown one. */
cuna_status cuna_dtype_find(cuna_dtype *out, const char *name);

/* The smallest dtype that both convert to, as numpy.promote_types (bfloat16 by the same rules as float16;
 * float16 with bfloat16 is float32). */
cuna_dtype cuna_dtype_promote(cuna_dtype a, cuna_dtype b);

/* numpy.can_cast(from, to, casting) with casting "safe" or "same_kind". */
bool cuna_dtype_casts(cuna_dtype from, cuna_dtype to, bool same_kind);

/* Whether `number` is exactly representable in `dtype` when that is bool or an integer dtype; true for the others. */
bool cuna_number_fits(const cuna_number *number, cuna_dtype dtype);

/* Formats a number for messages, and returns the text; 64 bytes are enough for any. */
const char *cuna_number_text(char *text, size_t nbytes, const cuna_number *number);

/* Writes one element of `dtype`: floats round to nearest even, floats to integers saturate (NaN becomes 0), complex to
 * real drops the imaginary part. `out` has 16 bytes; unused ones become 0. */
void cuna_number_store(void *out, cuna_dtype dtype, const cuna_number *number);

/* Reads one element of `dtype` at `bytes`. */
void cuna_number_load(cuna_number *out, cuna_dtype dtype, const void *bytes);

#pragma GCC visibility pop

#endif

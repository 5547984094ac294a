/* sort_keys.h: facts of dtypes, from which the kernels of sorts and selections make keys (struct Order in
 * kernels/sort.cuh). */
#ifndef CUNA_WORK_SORT_KEYS_H
#define CUNA_WORK_SORT_KEYS_H

#include "base/dtype.h"

/* Flags of struct Sort and struct Select. */
enum {
    CUNA_KEYS_ALIASED = 1, /* sorted where they are */
    CUNA_KEYS_DESCENDING = 4,
    CUNA_KEYS_SIGNED = 8,
    CUNA_KEYS_HAS_NAN = 16,
    CUNA_KEYS_PARTS = 32,
    CUNA_KEYS_NAN = 64
};

static inline int64_t cuna__keys_flags(uint8_t dtype)
{
    char kind = cuna_dtype_kind(dtype);
    return kind == 'i' ? CUNA_KEYS_SIGNED : kind == 'f' ? CUNA_KEYS_HAS_NAN : 0;
}

/* The bits of the greatest element: of floats infinity, above which those of NaN are. */
static inline int64_t cuna__keys_greatest(uint8_t dtype)
{
    switch (dtype) {
    case CUNA_BOOL:
        return 1;
    case CUNA_FLOAT16:
        return 0x7c00;
    case CUNA_BFLOAT16:
        return 0x7f80;
    case CUNA_FLOAT32:
        return 0x7f800000;
    case CUNA_FLOAT64:
        return 0x7ff0000000000000;
    default:
        return -1;
    }
}

#endif

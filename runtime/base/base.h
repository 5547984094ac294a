/* base.h: sizes, limits and checked arithmetic, used everywhere. */
#ifndef CUNA_BASE_BASE_H
#define CUNA_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUNA_MAX_NDIM     32 /* axes of an array */
#define CUNA_MAX_OPERANDS 24 /* inputs and outputs of one program together */
#define CUNA_MAX_RAWS     8  /* arrays that only a statement indexes */

/* Products and sums that detect overflow: true is success. */
static inline bool cuna__mul(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool cuna__add(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline int64_t cuna__ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The least k with 1 << k >= value. */
static inline int cuna__ceil_log2(int64_t value)
{
    int log2 = 0;
    while ((int64_t)1 << log2 < value)
        log2++;
    return log2;
}

/* Takes one from a count of holders; whether that was the last. One that is alone needs no atomic subtraction. */
static inline bool cuna__drop_holder(int32_t *count)
{
    return __atomic_load_n(count, __ATOMIC_ACQUIRE) == 1 || __atomic_sub_fetch(count, 1, __ATOMIC_ACQ_REL) == 0;
}

/* Brings memory that is written soon into the caches. */
static inline void cuna__fetch(const void *memory, size_t nbytes)
{
    enum { LINE_NBYTES = 64 };
    for (size_t at = 0; at < nbytes; at += LINE_NBYTES)
        __builtin_prefetch((const char *)memory + at, 1);
}

static inline int64_t cuna__magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Shapes have few axes: loops that stay loops cost less than calls of memcpy and memcmp. */
static inline void cuna__copy_lengths(int64_t *dst, const int64_t *src, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = src[i];
}

static inline bool cuna__same_lengths(const int64_t *a, const int64_t *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static inline int64_t cuna__min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t cuna__max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif

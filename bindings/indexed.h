/* indexed.h: the layout of arrays that are indexed by arrays of positions. */
#ifndef CUNA_BINDINGS_INDEXED_H
#define CUNA_BINDINGS_INDEXED_H

#include "state.h"

typedef struct cuna_lua_indexed {
    cuna_geometry whole, base; /* of the array; over the result's shape, with indexed axes at their first element */
    int count;                 /* of indexed axes */
    int axes[CUNA_MAX_NDIM];   /* these, ascending */
    int ndim;                  /* the shape that positions broadcast to */
    int64_t shape[CUNA_MAX_NDIM];
    int before, after; /* axes of the result before those of the positions, and after them */
} cuna_lua_indexed;

/* Lays out `base`, with the axes of the positions at a place, from 1. False if these are too many axes: base.ndim is
 * their number then. */
bool cuna_lua_lay_out_indexed(cuna_lua_indexed *x, int place);

/* Whether axes behind those of the positions are whole, and hold enough to be copied as rows, in wide elements. */
bool cuna_lua_has_rows(const cuna_lua_indexed *x, cuna_dtype dtype);

/* The geometry of positions with an axis of length 1 for each axis of the result after theirs: they broadcast from the
 * right. */
void cuna_lua_widen_positions(cuna_geometry *out, const cuna_lua_indexed *x, const cuna_array *positions);

/* Whether a number is a whole one of int64. */
static inline bool cuna_lua_is_whole(int64_t *out, double number)
{
    bool is_near = number > -0x1p63 && number < 0x1p63;
    *out = is_near ? (int64_t)number : 0;
    return is_near && (double)*out == number;
}

/* Reads an element of positions of a dtype that is neither bool nor complex; false unless it is a whole number of int64. */
static inline bool cuna_lua_read_position(int64_t *out, cuna_dtype dtype, const char *bytes)
{
    cuna_number number;
    if (dtype == CUNA_INT64 || dtype == CUNA_INT32) {
        *out = dtype == CUNA_INT64 ? *(const int64_t *)bytes : *(const int32_t *)bytes;
        return true;
    }
    if (dtype == CUNA_FLOAT64)
        return cuna_lua_is_whole(out, *(const double *)bytes);
    cuna_number_load(&number, dtype, bytes);
    *out = number.i;
    return number.kind == CUNA_NUMBER_FLOAT ? cuna_lua_is_whole(out, number.f) : number.kind == CUNA_NUMBER_INT;
}

/* The same as a place from 0 on an axis; false, too, where it is out of range. */
static inline bool cuna_lua_read_place(int64_t *out, cuna_dtype dtype, const char *bytes, int64_t length)
{
    int64_t position;
    if (!cuna_lua_read_position(&position, dtype, bytes))
        return false;
    *out = position < 0 ? position + length : position - 1;
    return *out >= 0 && *out < length;
}

/* x indexed by arrays, for a function of this name. */
typedef struct cuna_lua_access {
    const char *name;
    const cuna_array *x, *positions[CUNA_LUA_MAX_POSITIONS];
    cuna_lua_indexed to;
} cuna_lua_access;

/* Fetches few elements into `out`, which is made where it is empty, without looking at what it is; *done is false, and
 * nothing happened, where a program has to: they are many, a position is out of range, or the host may not (few.c). */
cuna_status cuna_lua_fetch_few(cuna_context *context, const cuna_lua_access *a, cuna_array *out, bool *done);

/* Stores a number, or an array of x's dtype that broadcasts to them; false where a program has to. */
bool cuna_lua_store_few(const cuna_context *context, const cuna_lua_access *a, const cuna_operand *value);

#endif

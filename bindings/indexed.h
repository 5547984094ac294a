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

#endif

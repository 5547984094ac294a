/* shape.h: arithmetic on shapes and strides: broadcasting, views, reshaping, overlap and the layouts that engines
 * traverse.
 *
 * Pure: knows no device, no dtype and allocates nothing. Strides and offsets count elements and may be negative or
 * zero. Axes count from 0 here; messages for users count them from 1. */
#ifndef CUNA_BASE_SHAPE_H
#define CUNA_BASE_SHAPE_H

#include "base/base.h"
#include "base/status.h"

/* The geometry of one array or view. */
typedef struct cuna_geometry {
    int ndim;
    int64_t offset; /* elements from the source's first element */
    int64_t shape[CUNA_MAX_NDIM];
    int64_t strides[CUNA_MAX_NDIM];
} cuna_geometry;

/* One entry of a basic index. Positions are the contract's: from 1, negative from the end, ranges include both ends. */
typedef enum cuna_index_kind {
    CUNA_INDEX_SELECT,   /* first: the axis disappears */
    CUNA_INDEX_RANGE,    /* first, last, step: absent ends (has_* false) mean the whole axis in step's direction */
    CUNA_INDEX_NEWAXIS,  /* an axis of length 1 */
    CUNA_INDEX_ELLIPSIS, /* all axes without another entry */
} cuna_index_kind;

typedef struct cuna_index {
    cuna_index_kind kind;
    bool has_first, has_last;
    int64_t first, last, step;
} cuna_index;

/* One walk over several operands in step: the same shape, strides per operand (0 along a broadcast axis). */
typedef struct cuna_layout {
    int ndim, noperands;
    int64_t shape[CUNA_MAX_NDIM];
    int64_t strides[CUNA_MAX_OPERANDS][CUNA_MAX_NDIM];
} cuna_layout;

/* Elements of a shape; VALUE for a negative length, more than CUNA_MAX_NDIM axes or an overflowing product. */
cuna_status cuna__shape_size(int64_t *size, int ndim, const int64_t *shape);

/* Row-major strides. An axis of length 0 or 1 still gets the stride it would have. */
void cuna__shape_strides(int64_t *strides, int ndim, const int64_t *shape);

/* Whether elements follow each other in row-major (or column-major) order; axes of length 1 do not matter, size 0 is
 * always contiguous. */
bool cuna__shape_is_contiguous(int ndim, const int64_t *shape, const int64_t *strides);
bool cuna__shape_is_fortran(int ndim, const int64_t *shape, const int64_t *strides);

/* Whether two elements of the view share memory because an axis longer than 1 has stride 0. */
bool cuna__shape_is_broadcast(int ndim, const int64_t *shape, const int64_t *strides);

/* "(3, 4)", "(5,)", "()"; cut with "..." when nbytes is too small. Returns text. */
const char *cuna__shape_text(char *text, size_t nbytes, int ndim, const int64_t *shape);

/* Broadcasts shape b into the accumulated *ndim, shape (NumPy's rule, right aligned). False when they do not fit;
 * nothing is written then. */
bool cuna__shape_broadcast(int *ndim, int64_t *shape, int ndim_b, const int64_t *shape_b);

/* Strides that make (ndim_in, shape_in, strides_in) look like (ndim, shape): 0 along broadcast and new leading axes.
 * False when shape_in does not broadcast to shape. */
bool cuna__shape_expand(int64_t *strides, int ndim, const int64_t *shape, int ndim_in, const int64_t *shape_in,
                        const int64_t *strides_in);

/* Applies a basic index. Axes at the end without an entry are whole. VALUE: too many entries, several ellipses, a
 * position 0 (with the hint that positions count from 1) or out of range, a step 0. Ranges clamp; 0 is legal only as
 * the last of a forward range ({k, k - 1} is empty). */
cuna_status cuna__shape_index(cuna_geometry *out, const cuna_geometry *in, int nentries, const cuna_index *entries);

/* Resolves one -1 in a wanted shape and checks the product: VALUE "cannot reshape an array of size 6, shape (2, 3),
 * into shape (4,)". */
cuna_status cuna__shape_resolve(int64_t *shape, int ndim, const int64_t *wanted, int ndim_in, const int64_t *shape_in);

/* Strides for viewing `in` under a new shape of equal size without a copy; false when that takes a copy. */
bool cuna__shape_reshape(int64_t *strides, int ndim, const int64_t *shape, const cuna_geometry *in);

/* The least and greatest element offset a view reaches, relative to its first element (low <= 0 <= high). VALUE on
 * overflow. Size 0 reaches nothing: low = 0, high = -1. */
cuna_status cuna__shape_reach(int64_t *low, int64_t *high, int ndim, const int64_t *shape, const int64_t *strides);

/* Normalises an axis that counts from 1 (negative from the end) to one from 0. VALUE: 0 (with a hint), out of range. */
cuna_status cuna__shape_axis(int *out, int64_t axis, int ndim);

/* Simplifies the walk without changing the set of element tuples it visits: drops axes of length 1, orders axes so that
 * operand 0 (then 1, ...) has descending absolute strides, merges neighbours that every operand walks as one. The last
 * axis is the innermost. A walk of one element keeps ndim 0. `ordered` false keeps the order of the axes. */
void cuna__layout_collapse(cuna_layout *layout, bool ordered);

/* The product of |stride| and length, summed over the axes: no step of a walk, nor one past an axis, leaves this reach. */
int64_t cuna__layout_reach(const cuna_layout *layout, int operand);

#endif

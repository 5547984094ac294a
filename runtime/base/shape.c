/* shape.c: arithmetic on shapes and strides, with NumPy's semantics.
 *
 * Every shape that passed cuna__shape_size has a product of its nonzero lengths that fits in int64_t (as NumPy requires
 * of empty arrays too), so row-major strides cannot overflow. */
#include "base/shape.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_NBYTES = 256 }; /* of a shape inside a message */

static const char *axes_word(int ndim)
{
    return ndim == 1 ? "axis" : "axes";
}

cuna_status cuna__shape_size(int64_t *size, int ndim, const int64_t *shape)
{
    char text[TEXT_NBYTES];
    int64_t product = 1;
    bool empty = false, countable = true;

    if (ndim > CUNA_MAX_NDIM)
        return cuna_fail(CUNA_VALUE, "a shape of %d axes: an array has %d at most", ndim, CUNA_MAX_NDIM);
    for (int axis = 0; axis < ndim; axis++) {
        if (shape[axis] < 0)
            return cuna_fail(CUNA_VALUE, "shape %s has a negative length on axis %d",
                             cuna__shape_text(text, sizeof text, ndim, shape), axis + 1);
        /* With a length of 0 the product of the others must still not overflow, because strides are computed from
         * it. */
        if (shape[axis] == 0)
            empty = true;
        else if (countable)
            countable = cuna__mul(product, shape[axis], &product);
    }
    if (!countable)
        return cuna_fail(CUNA_VALUE, "shape %s has too many elements",
                         cuna__shape_text(text, sizeof text, ndim, shape));
    *size = empty ? 0 : product;
    return CUNA_OK;
}

static bool is_empty(int ndim, const int64_t *shape)
{
    for (int axis = 0; axis < ndim; axis++)
        if (shape[axis] == 0)
            return true;
    return false;
}

void cuna__shape_strides(int64_t *strides, int ndim, const int64_t *shape)
{
    int64_t stride = 1;
    for (int axis = ndim - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= cuna__max(shape[axis], 1);
    }
}

bool cuna__shape_is_contiguous(int ndim, const int64_t *shape, const int64_t *strides)
{
    int64_t stride = 1;
    for (int axis = ndim - 1; axis >= 0; axis--) {
        if (shape[axis] != 1 && strides[axis] != stride)
            return is_empty(ndim, shape);
        stride *= shape[axis];
    }
    return true;
}

bool cuna__shape_is_fortran(int ndim, const int64_t *shape, const int64_t *strides)
{
    int64_t stride = 1;
    for (int axis = 0; axis < ndim; axis++) {
        if (shape[axis] != 1 && strides[axis] != stride)
            return is_empty(ndim, shape);
        stride *= shape[axis];
    }
    return true;
}

bool cuna__shape_is_broadcast(int ndim, const int64_t *shape, const int64_t *strides)
{
    for (int axis = 0; axis < ndim; axis++)
        if (shape[axis] > 1 && strides[axis] == 0)
            return !is_empty(ndim, shape);
    return false;
}

const char *cuna__shape_text(char *text, size_t nbytes, int ndim, const int64_t *shape)
{
    size_t used = 0;
    for (int axis = 0; axis < ndim && used < nbytes; axis++)
        used += (size_t)snprintf(text + used, nbytes - used, "%s%lld", axis == 0 ? "(" : ", ", (long long)shape[axis]);
    if (used < nbytes)
        used += (size_t)snprintf(text + used, nbytes - used, "%s", ndim == 0 ? "()" : ndim == 1 ? ",)" : ")");
    if (used >= nbytes && nbytes >= 4)
        memcpy(text + nbytes - 4, "...", 4);
    return text;
}

/* The length on the axis that is `back` axes before the last; 1 where the shape has no such axis. */
static int64_t length_from_end(int ndim, const int64_t *shape, int back)
{
    return back < ndim ? shape[ndim - 1 - back] : 1;
}

bool cuna__shape_broadcast(int *ndim, int64_t *shape, int ndim_b, const int64_t *shape_b)
{
    int ndim_out = *ndim > ndim_b ? *ndim : ndim_b;
    for (int back = 0; back < *ndim && back < ndim_b; back++) {
        int64_t a = length_from_end(*ndim, shape, back), b = length_from_end(ndim_b, shape_b, back);
        if (a != b && a != 1 && b != 1)
            return false;
    }
    /* From the end: axes only move right, so none is overwritten before it is read. */
    for (int back = 0; back < ndim_out; back++) {
        int64_t a = length_from_end(*ndim, shape, back), b = length_from_end(ndim_b, shape_b, back);
        shape[ndim_out - 1 - back] = a == 1 ? b : a;
    }
    *ndim = ndim_out;
    return true;
}

bool cuna__shape_expand(int64_t *strides, int ndim, const int64_t *shape, int ndim_in, const int64_t *shape_in,
                        const int64_t *strides_in)
{
    int leading = ndim - ndim_in;
    if (leading < 0)
        return false;
    for (int axis = ndim - 1; axis >= leading; axis--) {
        int64_t length = shape_in[axis - leading];
        if (length != shape[axis] && length != 1)
            return false;
        strides[axis] = length == shape[axis] ? strides_in[axis - leading] : 0;
    }
    for (int axis = 0; axis < leading; axis++)
        strides[axis] = 0;
    return true;
}

static cuna_status refuse_zero(int axis)
{
    return cuna_fail(CUNA_VALUE, "index 0 on axis %d: positions count from 1 in Lua", axis + 1);
}

/* Adds an axis to a view. The product wraps where a size-1 or empty axis makes the stride meaningless. */
static void append_axis(cuna_geometry *out, int64_t length, int64_t stride, int64_t step)
{
    (void)cuna__mul(stride, step, &out->strides[out->ndim]);
    out->shape[out->ndim++] = length;
}

static cuna_status select_position(cuna_geometry *out, const cuna_geometry *in, int axis, int64_t position)
{
    int64_t length = in->shape[axis];
    long long n = length;
    if (position == 0)
        return refuse_zero(axis);
    if (length == 0)
        return cuna_fail(CUNA_VALUE, "index %lld is out of range for axis %d, which has length 0", (long long)position,
                         axis + 1);
    if (position > length || position < -length)
        return cuna_fail(CUNA_VALUE,
                         "index %lld is out of range for axis %d, which has length %lld (positions run from 1 to %lld, "
                         "or -%lld to -1)",
                         (long long)position, axis + 1, n, n, n);
    out->offset += (position > 0 ? position - 1 : length + position) * in->strides[axis];
    return CUNA_OK;
}

/* A position from 1; positions out of range stay unchanged. */
static int64_t from_start(int64_t position, int64_t length)
{
    return position < 0 ? position + length + 1 : position;
}

/* Both ends included. A range that exceeds the axis is clipped. */
static cuna_status select_range(cuna_geometry *out, const cuna_geometry *in, int axis, const cuna_index *entry)
{
    int64_t length = in->shape[axis], step = entry->step, count = 0;
    bool forward = step > 0;
    if (step == 0)
        return cuna_fail(CUNA_VALUE, "range on axis %d has step 0: a step is at least 1, or at most -1 to go backward",
                         axis + 1);
    if ((entry->has_first && entry->first == 0) || (entry->has_last && entry->last == 0 && !forward))
        return refuse_zero(axis);

    int64_t first = entry->has_first ? from_start(entry->first, length) : forward ? 1 : length;
    int64_t last = entry->has_last ? from_start(entry->last, length) : forward ? length : 1;
    if (forward) {
        first = cuna__max(first, 1);
        last = cuna__min(last, length);
        if (first <= last)
            count = (last - first) / step + 1;
    } else {
        first = cuna__min(first, length);
        last = cuna__max(last, 1);
        if (first >= last)
            count = (last - first) / step + 1;
    }
    if (count > 0) /* an empty view keeps its offset: its first position may be out of range */
        out->offset += (first - 1) * in->strides[axis];
    append_axis(out, count, in->strides[axis], step);
    return CUNA_OK;
}

/* The number of axes without an entry, after checking the number of entries of each kind: those of an ellipsis, else
 * the last ones. */
static cuna_status count_hidden(int *hidden, int ndim, int nentries, const cuna_index *entries)
{
    int counts[4] = {0};
    for (int k = 0; k < nentries; k++)
        counts[entries[k].kind]++;
    int named = counts[CUNA_INDEX_SELECT] + counts[CUNA_INDEX_RANGE];
    int ndim_out = ndim - counts[CUNA_INDEX_SELECT] + counts[CUNA_INDEX_NEWAXIS];

    if (counts[CUNA_INDEX_ELLIPSIS] > 1)
        return cuna_fail(CUNA_VALUE, "an index has one ellipsis at most, got %d", counts[CUNA_INDEX_ELLIPSIS]);
    if (named > ndim)
        return cuna_fail(CUNA_VALUE, "too many indices: %d for an array of %d %s%s", named, ndim, axes_word(ndim),
                         ndim == 1 && counts[CUNA_INDEX_SELECT] == nentries
                             ? "; positions of several elements are an array: cn.array {1, 4}"
                             : "");
    if (ndim_out > CUNA_MAX_NDIM)
        return cuna_fail(CUNA_VALUE, "index makes a view of %d axes: an array has %d at most", ndim_out, CUNA_MAX_NDIM);
    *hidden = ndim - named;
    return CUNA_OK;
}

static void append_whole(cuna_geometry *out, const cuna_geometry *in, int first, int end)
{
    for (int axis = first; axis < end; axis++)
        append_axis(out, in->shape[axis], in->strides[axis], 1);
}

cuna_status cuna__shape_index(cuna_geometry *out, const cuna_geometry *in, int nentries, const cuna_index *entries)
{
    int hidden = 0, axis = 0;
    CUNA_TRY(count_hidden(&hidden, in->ndim, nentries, entries));
    out->ndim = 0;
    out->offset = in->offset;
    /* `axis` is the next axis of the input; NEWAXIS takes none, the ellipsis all axes without an entry. */
    for (int k = 0; k < nentries; k++) {
        switch (entries[k].kind) {
        case CUNA_INDEX_SELECT:
            CUNA_TRY(select_position(out, in, axis++, entries[k].first));
            break;
        case CUNA_INDEX_RANGE:
            CUNA_TRY(select_range(out, in, axis++, &entries[k]));
            break;
        case CUNA_INDEX_NEWAXIS:
            append_axis(out, 1, 0, 1);
            break;
        case CUNA_INDEX_ELLIPSIS:
            append_whole(out, in, axis, axis + hidden);
            axis += hidden;
            break;
        }
    }
    append_whole(out, in, axis, in->ndim);
    return CUNA_OK;
}

static cuna_status refuse_reshape(int ndim, const int64_t *wanted, int64_t size, int ndim_in, const int64_t *shape_in,
                                  const char *why)
{
    char from[TEXT_NBYTES], to[TEXT_NBYTES];
    return cuna_fail(CUNA_VALUE, "cannot reshape an array of size %lld, shape %s, into shape %s%s", (long long)size,
                     cuna__shape_text(from, sizeof from, ndim_in, shape_in),
                     cuna__shape_text(to, sizeof to, ndim, wanted), why);
}

cuna_status cuna__shape_resolve(int64_t *shape, int ndim, const int64_t *wanted, int ndim_in, const int64_t *shape_in)
{
    int64_t size, known = 1;
    int unknown = -1; /* the axis whose length is left open */
    CUNA_TRY(cuna__shape_size(&size, ndim_in, shape_in));
    if (ndim > CUNA_MAX_NDIM)
        return cuna__shape_size(&known, ndim, wanted);

    for (int axis = 0; axis < ndim; axis++) {
        shape[axis] = wanted[axis];
        if (wanted[axis] != -1)
            continue;
        if (unknown >= 0)
            return refuse_reshape(ndim, wanted, size, ndim_in, shape_in, ": only one length can be -1");
        unknown = axis;
        shape[axis] = 1;
    }
    CUNA_TRY(cuna__shape_size(&known, ndim, shape));
    if (unknown >= 0 && known == 0)
        return refuse_reshape(ndim, wanted, size, ndim_in, shape_in, ": -1 has no answer beside a length 0");
    if (unknown >= 0 ? size % known != 0 : size != known)
        return refuse_reshape(ndim, wanted, size, ndim_in, shape_in, "");
    if (unknown >= 0)
        shape[unknown] = size / known;
    return CUNA_OK;
}

/* Splits `length` elements that lie `stride` apart into the axes of a shape with the same product. */
static void split_axis(int64_t *strides, int ndim, const int64_t *shape, int64_t stride)
{
    for (int axis = ndim - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= shape[axis];
    }
}

/* The axes longer than 1; returns how many. */
static int drop_ones(int64_t *shape, int64_t *strides, const cuna_geometry *in)
{
    int kept = 0;
    for (int axis = 0; axis < in->ndim; axis++) {
        if (in->shape[axis] == 1)
            continue;
        shape[kept] = in->shape[axis];
        strides[kept++] = in->strides[axis];
    }
    return kept;
}

static bool walk_as_one(int ndim, const int64_t *shape, const int64_t *strides)
{
    for (int axis = 0; axis + 1 < ndim; axis++)
        if (strides[axis] != shape[axis + 1] * strides[axis + 1])
            return false;
    return true;
}

/* Takes the shortest runs of old and new axes that have the same product: the old run must walk as one axis, which the
 * new run then splits. Ones were dropped from the old shape; in the new one they join the next run. */
bool cuna__shape_reshape(int64_t *strides, int ndim, const int64_t *shape, const cuna_geometry *in)
{
    int64_t old_shape[CUNA_MAX_NDIM], old_strides[CUNA_MAX_NDIM];
    if (is_empty(in->ndim, in->shape)) {
        cuna__shape_strides(strides, ndim, shape);
        return true;
    }
    int ndim_old = drop_ones(old_shape, old_strides, in), done = 0;
    for (int begin = 0; begin < ndim_old;) {
        int end = begin + 1, next = done + 1;
        int64_t product_old = old_shape[begin], product_new = shape[done];
        while (product_old != product_new) {
            if (product_new < product_old)
                product_new *= shape[next++];
            else
                product_old *= old_shape[end++];
        }
        if (!walk_as_one(end - begin, old_shape + begin, old_strides + begin))
            return false;
        split_axis(strides + done, next - done, shape + done, old_strides[end - 1]);
        begin = end;
        done = next;
    }
    for (; done < ndim; done++) /* ones at the end */
        strides[done] = done > 0 ? strides[done - 1] : 1;
    return true;
}

cuna_status cuna__shape_reach(int64_t *low, int64_t *high, int ndim, const int64_t *shape, const int64_t *strides)
{
    int64_t span;
    *low = 0;
    *high = -1;
    if (is_empty(ndim, shape))
        return CUNA_OK;
    *high = 0;
    for (int axis = 0; axis < ndim; axis++) {
        if (shape[axis] == 1)
            continue;
        int64_t *end = strides[axis] < 0 ? low : high;
        if (!cuna__mul(shape[axis] - 1, strides[axis], &span) || !cuna__add(*end, span, end))
            return cuna_fail(CUNA_VALUE, "a view with length %lld and stride %lld on axis %d reaches beyond any memory",
                             (long long)shape[axis], (long long)strides[axis], axis + 1);
    }
    return CUNA_OK;
}

cuna_status cuna__shape_axis(int *out, int64_t axis, int ndim)
{
    if (axis == 0)
        return cuna_fail(CUNA_VALUE, "axis 0: axes count from 1 in Lua");
    if (ndim == 0)
        return cuna_fail(CUNA_VALUE, "axis %lld is out of range: an array of 0 axes has none", (long long)axis);
    if (axis > ndim || axis < -ndim)
        return cuna_fail(CUNA_VALUE,
                         "axis %lld is out of range for an array of %d %s (axes run from 1 to %d, or -%d to -1)",
                         (long long)axis, ndim, axes_word(ndim), ndim, ndim);
    *out = (int)(axis > 0 ? axis - 1 : axis + ndim);
    return CUNA_OK;
}

/* layout.c: simplifies a walk over elements, because every axis costs index arithmetic.
 *
 * Works in place on the axes: drop, order, merge. Runs at every launch of an operation that is not contiguous. */
#include "base/shape.h"

static void copy_axis(cuna_layout *layout, int to, int from)
{
    layout->shape[to] = layout->shape[from];
    for (int k = 0; k < layout->noperands; k++)
        layout->strides[k][to] = layout->strides[k][from];
}

/* Removes axes of length 1. A walk without elements becomes one empty axis: false, because nothing is left to do. */
static bool drop_ones(cuna_layout *layout)
{
    int kept = 0;
    for (int axis = 0; axis < layout->ndim; axis++) {
        if (layout->shape[axis] == 0) {
            copy_axis(layout, 0, axis);
            layout->ndim = 1;
            return false;
        }
        if (layout->shape[axis] == 1)
            continue;
        if (kept != axis)
            copy_axis(layout, kept, axis);
        kept++;
    }
    layout->ndim = kept;
    return true;
}

/* Negative when axis a belongs outside b, positive inside, 0 when no operand cares. The first operand that moves along
 * both axes, by different distances, decides: an operand with stride 0 on an axis accepts any order. */
static int compare_axes(const cuna_layout *layout, int a, int b)
{
    for (int k = 0; k < layout->noperands; k++) {
        int64_t stride_a = layout->strides[k][a], stride_b = layout->strides[k][b];
        stride_a = stride_a < 0 ? -stride_a : stride_a;
        stride_b = stride_b < 0 ? -stride_b : stride_b;
        if (stride_a != stride_b && stride_a != 0 && stride_b != 0)
            return stride_a > stride_b ? -1 : 1;
    }
    return 0;
}

/* Moves axis `from` out to `to`; those between move in by one. */
static void rotate_axis(cuna_layout *layout, int to, int from)
{
    int64_t length = layout->shape[from];
    for (int axis = from; axis > to; axis--)
        layout->shape[axis] = layout->shape[axis - 1];
    layout->shape[to] = length;
    for (int k = 0; k < layout->noperands; k++) {
        int64_t *strides = layout->strides[k], stride = strides[from];
        for (int axis = from; axis > to; axis--)
            strides[axis] = strides[axis - 1];
        strides[to] = stride;
    }
}

/* Insertion sort, stable. The comparison is not a total order (a pair without a preference implies nothing about its
 * neighbours), so the search for an axis's position continues past such pairs, as in NumPy's iterator. */
static void order_axes(cuna_layout *layout)
{
    for (int axis = 1; axis < layout->ndim; axis++) {
        int place = axis;
        for (int other = axis - 1; other >= 0; other--) {
            int order = compare_axes(layout, other, axis);
            if (order < 0)
                break;
            if (order > 0)
                place = other;
        }
        if (place != axis)
            rotate_axis(layout, place, axis);
    }
}

static bool walk_as_one(const cuna_layout *layout, int outer, int inner)
{
    int64_t length = layout->shape[inner];
    for (int k = 0; k < layout->noperands; k++)
        if (layout->strides[k][outer] != layout->strides[k][inner] * length)
            return false;
    return true;
}

static void merge_axes(cuna_layout *layout)
{
    int last = 0;
    for (int axis = 1; axis < layout->ndim; axis++) {
        if (walk_as_one(layout, last, axis)) {
            int64_t outer_length = layout->shape[last];
            copy_axis(layout, last, axis);
            layout->shape[last] *= outer_length;
        } else if (++last != axis) {
            copy_axis(layout, last, axis);
        }
    }
    layout->ndim = last + 1;
}

void cuna__layout_collapse(cuna_layout *layout, bool ordered)
{
    if (!drop_ones(layout) || layout->ndim < 2)
        return;
    if (ordered)
        order_axes(layout);
    merge_axes(layout);
}

int64_t cuna__layout_reach(const cuna_layout *layout, int operand)
{
    int64_t reach = 0;
    for (int axis = 0; axis < layout->ndim; axis++) {
        int64_t stride = layout->strides[operand][axis];
        reach += (stride < 0 ? -stride : stride) * layout->shape[axis];
    }
    return reach;
}

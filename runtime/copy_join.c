/* copy_join.c: arrays copied one behind the other into one, along an axis.
 *
 * Each goes to its part of the output, a borrowed look at it: neither views nor their bookkeeping are made, so that many
 * small arrays cost little more than their copies. */
#include "array.h"
#include "shape.h"

/* Where the next array goes. */
typedef struct part {
    cuna_array array;
    int64_t dims[2 * CUNA_MAX_NDIM];
} part;

/* The part of `out` that has x's shape and begins at position `at` of the axis, which stacked arrays do not have. */
static void look_at(part *p, const cuna_array *out, const cuna_array *x, int axis, bool stacked, int64_t at)
{
    const int64_t *strides = cuna_array_strides(out);
    int ndim = x->ndim;
    p->array = *out;
    p->array.dims = p->dims;
    p->array.ndim = x->ndim;
    p->array.size = x->size;
    p->array.data += (uint64_t)(at * strides[axis] * cuna_dtype_size(out->dtype));
    for (int i = 0; i < ndim; i++) {
        p->dims[i] = cuna_array_shape(x)[i];
        p->dims[ndim + i] = strides[i + (stacked && i >= axis)];
    }
    p->array.flags = CUNA_ARRAY_VIEW;
    if (cuna__shape_is_contiguous(ndim, p->dims, p->dims + ndim))
        p->array.flags |= CUNA_ARRAY_CONTIGUOUS;
}

cuna_status cuna_array_join(cuna_context *context, const cuna_array *out, int axis, bool stacked, int narrays,
                            const cuna_array *const *arrays)
{
    int64_t at = 0;
    CUNA_TRY(cuna__array_check_filled(out, "join"));
    CUNA_TRY(cuna__array_check_writable(out, "join"));
    for (int k = 0; k < narrays; k++) {
        part p;
        CUNA_TRY(cuna__array_check_filled(arrays[k], "join"));
        if (arrays[k]->size > 0) {
            look_at(&p, out, arrays[k], axis, stacked, at);
            CUNA_TRY(cuna_array_copy(context, &p.array, arrays[k]));
        }
        at += stacked ? 1 : cuna_array_shape(arrays[k])[axis];
    }
    return CUNA_OK;
}

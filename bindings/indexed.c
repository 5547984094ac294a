/* indexed.c: lays out arrays that are indexed by arrays of positions: the array's axes that are not indexed, and those of
 * the positions among them. */
#include "indexed.h"

enum { LEAST_NBYTES = 1 << 16 }; /* of rows: what wider elements save of less is not worth their views */

static void add_axis(cuna_geometry *base, int64_t length, int64_t stride)
{
    base->shape[base->ndim] = length;
    base->strides[base->ndim++] = stride;
}

static void spread(cuna_lua_indexed *x)
{
    x->before = x->base.ndim;
    for (int i = 0; i < x->ndim; i++)
        add_axis(&x->base, x->shape[i], 0);
}

bool cuna_lua_lay_out_indexed(cuna_lua_indexed *x, int place)
{
    int rest = 0, next = 0, total = x->whole.ndim - x->count + x->ndim;
    x->base.ndim = total;
    x->base.offset = x->whole.offset;
    if (total > CUNA_MAX_NDIM)
        return false;
    x->base.ndim = 0;
    for (int axis = 0; axis < x->whole.ndim; axis++) {
        /* The axes of the list ascend, so one pass meets all of them. */
        if (next < x->count && x->axes[next] == axis) {
            next++;
            continue;
        }
        if (++rest == place)
            spread(x);
        add_axis(&x->base, x->whole.shape[axis], x->whole.strides[axis]);
    }
    if (rest < place)
        spread(x);
    x->after = total - x->before - x->ndim;
    return true;
}

void cuna_lua_widen_positions(cuna_geometry *out, const cuna_lua_indexed *x, const cuna_array *positions)
{
    cuna_array_geometry(out, positions);
    for (int i = 0; i < x->after; i++)
        add_axis(out, 1, 0);
}

bool cuna_lua_has_rows(const cuna_lua_indexed *x, cuna_dtype dtype)
{
    int64_t size;
    if (x->after == 0)
        return false;
    return cuna__shape_size(&size, x->base.ndim, x->base.shape) != CUNA_OK ||
           size >= LEAST_NBYTES / cuna_dtype_size(dtype);
}

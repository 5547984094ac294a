/* few.c: moves few elements at positions, in memory that the host may access: a launch takes several times as long. */
#include "indexed.h"

#include <string.h>

enum { FEW = 64 };

/* Offsets of the elements of a walk, in row-major order. */
static void list_offsets(int64_t *offsets, int64_t first, int ndim, const int64_t *shape, const int64_t *strides,
                         int64_t size)
{
    int64_t index[CUNA_MAX_NDIM];
    for (int axis = 0; axis < ndim; axis++)
        index[axis] = 0;
    for (int64_t i = 0; i < size; i++) {
        offsets[i] = first;
        for (int axis = ndim - 1; axis >= 0; axis--) {
            first += strides[axis];
            if (++index[axis] < shape[axis])
                break;
            first -= shape[axis] * strides[axis];
            index[axis] = 0;
        }
    }
}

/* Adds what the k-th array moves each of `size` elements by. False where a position is out of range, or the host cannot
 * say. */
static bool add_moves(int64_t *moves, const cuna_context *context, const cuna_lua_access *a, int k, int64_t size)
{
    int64_t offsets[FEW], strides[CUNA_MAX_NDIM];
    const cuna_lua_indexed *to = &a->to;
    const cuna_array *positions = a->positions[k];
    int64_t length = to->whole.shape[to->axes[k]], step = to->whole.strides[to->axes[k]];
    const char *at = cuna_array_touch(context, positions, 0);
    int64_t nbytes = cuna_dtype_size(positions->dtype);
    if (at == NULL)
        return false;
    cuna__shape_expand(strides, to->ndim, to->shape, positions->ndim, cuna_array_shape(positions),
                       cuna_array_strides(positions));
    list_offsets(offsets, 0, to->ndim, to->shape, strides, size);
    for (int64_t i = 0; i < size; i++) {
        int64_t place;
        if (!cuna_lua_read_place(&place, positions->dtype, at + offsets[i] * nbytes, length))
            return false;
        moves[i] += place * step;
    }
    return true;
}

/* The offsets of x's elements, in the order of the result's, if they are few and the host may access them. Returns their
 * number; -1 where a program has to. */
static int64_t find_few(int64_t *offsets, const cuna_context *context, const cuna_lua_access *a)
{
    int64_t moves[FEW] = {0}, places[FEW], strides[CUNA_MAX_NDIM], size, count, step = 1;
    const cuna_lua_indexed *to = &a->to;
    if (cuna__shape_size(&size, to->base.ndim, to->base.shape) != CUNA_OK || size > FEW ||
        cuna__shape_size(&count, to->ndim, to->shape) != CUNA_OK || count > FEW)
        return -1;
    for (int k = 0; k < to->count; k++)
        if (!add_moves(moves, context, a, k, count))
            return -1;
    for (int axis = to->base.ndim - 1; axis >= 0; axis--) {
        bool is_moved = axis >= to->before && axis < to->before + to->ndim;
        strides[axis] = is_moved ? step : 0;
        step *= is_moved ? to->base.shape[axis] : 1;
    }
    list_offsets(offsets, to->base.offset, to->base.ndim, to->base.shape, to->base.strides, size);
    list_offsets(places, 0, to->base.ndim, to->base.shape, strides, size);
    for (int64_t i = 0; i < size; i++)
        offsets[i] += moves[places[i]];
    return size;
}

/* Offsets of an array over the result's shape, to which it broadcasts. */
static void list_over(int64_t *offsets, const cuna_geometry *base, const cuna_array *array, int64_t count)
{
    int64_t strides[CUNA_MAX_NDIM];
    cuna__shape_expand(strides, base->ndim, base->shape, array->ndim, cuna_array_shape(array),
                       cuna_array_strides(array));
    list_offsets(offsets, 0, base->ndim, base->shape, strides, count);
}

/* Copies `count` elements between memory at offsets. */
static void move_elements(char *to, const int64_t *to_offsets, const char *from, const int64_t *from_offsets,
                          int64_t count, int64_t nbytes)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(to + to_offsets[i] * nbytes, from + from_offsets[i] * nbytes, (size_t)nbytes);
}

cuna_status cuna_lua_fetch_few(cuna_context *context, const cuna_lua_access *a, cuna_array *out, bool *done)
{
    int64_t offsets[FEW], places[FEW], count = find_few(offsets, context, a);
    const cuna_geometry *base = &a->to.base;
    const char *from = count < 0 ? NULL : cuna_array_touch(context, a->x, 0);
    *done = false;
    if (from == NULL)
        return CUNA_OK;
    if (out->buffer == NULL)
        CUNA_TRY(cuna_array_create_on(out, context, cuna_array_device(a->x), a->x->dtype, base->ndim, base->shape));
    char *to = cuna_array_touch_to_write(context, out, 0);
    *done = to != NULL;
    if (!*done)
        return CUNA_OK;
    list_over(places, base, out, count);
    move_elements(to, places, from, offsets, count, cuna_dtype_size(a->x->dtype));
    return CUNA_OK;
}

bool cuna_lua_store_few(const cuna_context *context, const cuna_lua_access *a, const cuna_operand *value)
{
    uint64_t number[2];
    int64_t offsets[FEW], values[FEW] = {0}, count = find_few(offsets, context, a);
    const cuna_array *array = value->array;
    char *to = count < 0 ? NULL : cuna_array_touch_to_write(context, a->x, 0);
    const char *from = (const char *)number;
    if (to == NULL || (array != NULL && (from = cuna_array_touch(context, array, 0)) == NULL))
        return false;
    if (array == NULL)
        cuna_number_store(number, a->x->dtype, &value->number);
    else
        list_over(values, &a->to.base, array, count);
    move_elements(to, offsets, from, values, count, cuna_dtype_size(a->x->dtype));
    return true;
}

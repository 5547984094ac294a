/* update.c: runs nodes that put a value into a part of an array.
 *
 * The part is a box. What is around it is copied axis by axis: the elements before and behind the box along one axis, which
 * along the axes before lie where the box lies. Faces of one size are copied together. */
#include "record/update.h"

cuna_status cuna__update_program(const cuna_program **out, cuna_dtype dtype)
{
    static const cuna_program *cached[CUNA_DTYPES];
    *out = __atomic_load_n(&cached[dtype], __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    cuna_program_text text = {.ninputs = 2, .noutputs = 1, .output_value = {1}};
    text.input_dtype[0] = text.input_dtype[1] = text.output_dtype[0] = (uint8_t)dtype;
    CUNA_TRY(cuna_program_intern(out, &text));
    __atomic_store_n(&cached[dtype], *out, __ATOMIC_RELEASE);
    return CUNA_OK;
}

/* A part of an array: from where, and how far along each axis. */
typedef struct box {
    int64_t offset; /* in elements */
    int64_t shape[CUNA_MAX_NDIM];
} box;

/* Views a box, and a second one at a distance; 0: only the first. */
static cuna_status view_boxes(cuna_array *out, const cuna_array *array, const box *b, int64_t distance)
{
    int first = distance != 0;
    cuna_geometry geometry = {.ndim = array->ndim + first, .offset = b->offset, .shape = {2}, .strides = {distance}};
    cuna__copy_lengths(geometry.shape + first, b->shape, array->ndim);
    cuna__copy_lengths(geometry.strides + first, cuna_array_strides(array), array->ndim);
    return cuna_array_view(out, array, (cuna_dtype)array->dtype, &geometry);
}

cuna_status cuna__update_view(cuna_array *out, const cuna_node *update, const cuna_array *result,
                              const cuna_space *part)
{
    box b = {.offset = update->part};
    cuna__copy_lengths(b.shape, part->shape, part->ndim);
    return view_boxes(out, result, &b, 0);
}

static cuna_status copy_boxes(cuna_context *context, const cuna_array *to, const cuna_array *from, const box *b,
                              int64_t distance)
{
    cuna_array dst, src;
    CUNA_TRY(view_boxes(&dst, to, b, distance));
    cuna_status status = view_boxes(&src, from, b, distance);
    if (status == CUNA_OK) {
        status = cuna_array_copy(context, &dst, &src);
        cuna_array_release(&src);
    }
    cuna_array_release(&dst);
    return status;
}

/* Copies what is before and behind the part along an axis. `b` is the part along the axes before, and all along this one
 * and those after; on return it is the part along this one, too. */
static cuna_status copy_faces(cuna_context *context, box *b, int axis, int64_t first, int64_t count,
                              const cuna_array *to, const cuna_array *from)
{
    int64_t stride = cuna_array_strides(to)[axis], start = b->offset, behind = b->shape[axis] - first - count;
    bool together = first == behind && first > 0 && to->ndim < CUNA_MAX_NDIM;
    b->shape[axis] = first;
    if (first > 0)
        CUNA_TRY(copy_boxes(context, to, from, b, together ? (first + count) * stride : 0));
    b->offset = start + (first + count) * stride;
    b->shape[axis] = behind;
    if (behind > 0 && !together)
        CUNA_TRY(copy_boxes(context, to, from, b, 0));
    b->offset = start + first * stride;
    b->shape[axis] = count;
    return CUNA_OK;
}

#define ALL_NBYTES       8192            /* that a device without launches copies in the time of a call; */
#define ALL_NBYTES_LANES (4 * (1 << 20)) /* one with launches, in the time of one */

bool cuna__update_copies_all(const cuna_array *old)
{
    bool many = old->buffer->device->driver->facts.lanes > 1;
    return old->size * cuna_dtype_size((cuna_dtype)old->dtype) <= (many ? ALL_NBYTES_LANES : ALL_NBYTES);
}

static cuna_status copy_around(cuna_context *context, const cuna_node *update, const cuna_array *old,
                               const cuna_array *part, const cuna_array *result)
{
    box b = {.offset = 0};
    int64_t left = update->part;
    cuna__copy_lengths(b.shape, cuna_array_shape(result), result->ndim);
    for (int axis = 0; axis < result->ndim; axis++) {
        int64_t stride = cuna_array_strides(result)[axis], first = left / stride;
        left -= first * stride;
        CUNA_TRY(copy_faces(context, &b, axis, first, cuna_array_shape(part)[axis], result, old));
    }
    return CUNA_OK;
}

cuna_status cuna__update_run(cuna_context *context, const cuna_node *update, const cuna_array *old,
                             const cuna_array *part, const cuna_array *result)
{
    cuna_array to;
    if (!update->has_old)
        CUNA_TRY(copy_around(context, update, old, part, result));
    if (part->buffer == result->buffer)
        return CUNA_OK;
    CUNA_TRY(cuna__update_view(&to, update, result, &(cuna_space){part->ndim, cuna_array_shape(part)}));
    cuna_status status = cuna_array_copy(context, &to, part);
    cuna_array_release(&to);
    return status;
}

/* array.c: arrays and views over refcounted buffers.
 *
 * An array is a struct of the caller's; only the buffer is counted, so a view costs no device memory. Shape and strides
 * lie in the struct for up to two axes and in one small allocation otherwise. */
#include "array/array.h"

#include "device/allocator.h"
#include "device/trace.h"

#include <stdlib.h>

#define EMPTY_PTR 64 /* where arrays of size 0 point: never NULL, never touched */

static cuna_status no_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for an array");
}

/* Gives `array` its axes; the strides are the caller's to write. */
static inline cuna_status set_dims(cuna_array *array, int ndim, const int64_t *shape)
{
    array->dims = array->inline_dims;
    if (2 * (size_t)ndim > sizeof array->inline_dims / sizeof *array->inline_dims)
        array->dims = malloc(2 * (size_t)ndim * sizeof *array->dims);
    if (array->dims == NULL)
        return no_memory();
    array->ndim = (uint8_t)ndim;
    cuna__copy_lengths(array->dims, shape, ndim);
    return CUNA_OK;
}

static void drop_dims(cuna_array *array)
{
    if (array->dims != array->inline_dims)
        free(array->dims);
    array->dims = NULL;
}

static cuna_status refuse_nbytes(cuna_dtype dtype, int ndim, const int64_t *shape)
{
    char text[256];
    return cuna_fail(CUNA_VALUE, "an array of shape %s and dtype %s has more bytes than 64 bits can count",
                     cuna__shape_text(text, sizeof text, ndim, shape), cuna_dtype_name(dtype));
}

/* Fills everything but the buffer of a row-major array. */
static cuna_status lay_out(cuna_array *out, int64_t *nbytes, cuna_dtype dtype, int ndim, const int64_t *shape)
{
    int64_t size;
    CUNA_TRY(cuna__shape_size(&size, ndim, shape));
    if (!cuna__mul(size, cuna_dtype_size(dtype), nbytes))
        return refuse_nbytes(dtype, ndim, shape);
    CUNA_TRY(set_dims(out, ndim, shape));
    cuna__shape_strides(out->dims + ndim, ndim, shape);
    out->size = size;
    out->dtype = (uint8_t)dtype;
    out->flags = CUNA_ARRAY_CONTIGUOUS;
    return CUNA_OK;
}

/* Gives an array of `device` a block, which is the memory of `owner`; NULL for no elements. */
static cuna_status attach_block(cuna_array *out, cuna_device *device, cuna_device *owner, cuna_block *block,
                                int64_t nbytes)
{
    out->offset = 0;
    out->buffer = cuna__buffer_create(device, owner, block, block ? block->ptr : EMPTY_PTR, nbytes);
    if (out->buffer != NULL)
        return CUNA_OK;
    cuna__block_free(owner, block);
    return no_memory();
}

cuna_status cuna_array_create_on(cuna_array *out, cuna_context *context, cuna_device *device, cuna_dtype dtype,
                                 int ndim, const int64_t *shape)
{
    int64_t nbytes;
    cuna_block *block = NULL;
    CUNA_TRY(lay_out(out, &nbytes, dtype, ndim, shape));
    cuna_status status = nbytes > 0 ? cuna__context_alloc(&block, context, device, nbytes) : CUNA_OK;
    if (status == CUNA_OK)
        status = attach_block(out, device, device, block, nbytes);
    if (status == CUNA_OK)
        out->buffer->rehearsed = context->rehearsal != NULL;
    else
        drop_dims(out);
    return status;
}

cuna_status cuna__array_create_recorded(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim,
                                        const int64_t *shape, cuna_recipe *recipe)
{
    int64_t nbytes;
    CUNA_TRY(lay_out(out, &nbytes, dtype, ndim, shape));
    out->offset = 0;
    out->buffer = cuna__buffer_create(device, device, NULL, 0, nbytes);
    if (out->buffer == NULL) {
        drop_dims(out);
        return no_memory();
    }
    cuna__buffer_set_recipe(out->buffer, recipe);
    return CUNA_OK;
}

cuna_status cuna__array_over(cuna_array *out, cuna_buffer *buffer, cuna_dtype dtype, int ndim, const int64_t *shape)
{
    int64_t nbytes;
    CUNA_TRY(lay_out(out, &nbytes, dtype, ndim, shape));
    __atomic_add_fetch(&buffer->references, 1, __ATOMIC_RELAXED);
    out->offset = 0;
    out->buffer = buffer;
    return CUNA_OK;
}

cuna_status cuna_array_create(cuna_array *out, cuna_context *context, cuna_dtype dtype, int ndim, const int64_t *shape)
{
    return cuna_array_create_on(out, context, cuna__context_device(context), dtype, ndim, shape);
}

/* The device whose transfers pinned memory of this context serves; NULL where all memory is the host's. */
static cuna_device *find_transferring(cuna_context *context)
{
    cuna_device *device = cuna__context_device(context);
    if (!device->driver->facts.host_memory)
        return device;
    bool found = cuna_device_check_cuda() == CUNA_OK && cuna_device_find(&device, "cuda:0") == CUNA_OK;
    return found ? device : NULL;
}

/* From the context's allocator where that has pinned memory. */
static cuna_status alloc_pinned(cuna_block **out, const cuna_context *context, cuna_device *device, int64_t nbytes)
{
    cuna_pool *pool;
    cuna_allocator *allocator = context->allocator;
    if (allocator == NULL || allocator->kind != CUNA_ALLOCATE_PINNED)
        allocator = cuna_allocator_default(CUNA_ALLOCATE_PINNED);
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__allocator_pool(&pool, allocator, device));
    CUNA_TRY(cuna__pool_alloc(out, pool, 0, NULL, nbytes));
    cuna__trace_block(CUNA_TRACE_ALLOC, device, (*out)->ptr, (*out)->nbytes);
    return CUNA_OK;
}

cuna_status cuna_array_create_pinned(cuna_array *out, cuna_context *context, cuna_dtype dtype, int ndim,
                                     const int64_t *shape)
{
    int64_t nbytes;
    cuna_block *block = NULL;
    cuna_device *device = find_transferring(context);
    if (device == NULL)
        return cuna_array_create_on(out, context, context->host, dtype, ndim, shape);
    CUNA_TRY(lay_out(out, &nbytes, dtype, ndim, shape));
    cuna_status status = nbytes > 0 ? alloc_pinned(&block, context, device, nbytes) : CUNA_OK;
    if (status == CUNA_OK)
        status = attach_block(out, context->host, device, block, nbytes);
    if (status != CUNA_OK)
        drop_dims(out);
    return status;
}

cuna_status cuna_array_adopt(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim, const int64_t *shape,
                             cu_deviceptr memory, void (*release)(void *owner), void *owner)
{
    int64_t nbytes;
    if (memory % (cu_deviceptr)cuna_dtype_size(dtype) != 0)
        return cuna_fail(CUNA_VALUE, "the memory is not aligned for %s; copy it", cuna_dtype_name(dtype));
    CUNA_TRY(lay_out(out, &nbytes, dtype, ndim, shape));
    out->offset = 0;
    out->buffer = cuna__buffer_create(device, device, NULL, memory != 0 ? memory : EMPTY_PTR, nbytes);
    cuna_status status = out->buffer != NULL ? cuna__value_set_owner(out->buffer->value, release, owner) : no_memory();
    if (status != CUNA_OK) {
        cuna_array_release(out);
        return status;
    }
    out->buffer->exposed = true;
    out->flags |= CUNA_ARRAY_FOREIGN;
    return CUNA_OK;
}

cuna_status cuna_array_wrap(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim, const int64_t *shape,
                            void *memory, void (*release)(void *owner), void *owner)
{
    if (!cuna_device_is_host(device))
        return cuna_fail(CUNA_VALUE, "device %s cannot share host memory; copy it", device->name);
    return cuna_array_adopt(out, device, dtype, ndim, shape, (uintptr_t)memory, release, owner);
}

/* Copies an array's fields into a struct of their own, with dims of their own. */
static cuna_status copy_fields(cuna_array *out, const cuna_array *src)
{
    *out = *src;
    CUNA_TRY(set_dims(out, src->ndim, cuna_array_shape(src)));
    cuna__copy_lengths(out->dims, src->dims, 2 * src->ndim);
    return CUNA_OK;
}

cuna_status cuna__array_share(cuna_array *out, const cuna_array *src)
{
    CUNA_TRY(copy_fields(out, src));
    __atomic_add_fetch(&out->buffer->references, 1, __ATOMIC_RELAXED);
    return CUNA_OK;
}

/* Remembers `src` as what views of its buffer are views of; the first view decides. */
static cuna_status keep_root(const cuna_array *src)
{
    cuna_buffer *buffer = src->buffer;
    if (__atomic_load_n(&buffer->root, __ATOMIC_ACQUIRE) != NULL)
        return CUNA_OK;
    cuna_array *root = calloc(1, sizeof *root), *expected = NULL;
    if (root == NULL || copy_fields(root, src) != CUNA_OK) {
        free(root);
        return no_memory();
    }
    if (!__atomic_compare_exchange_n(&buffer->root, &expected, root, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        drop_dims(root);
        free(root);
    }
    return CUNA_OK;
}

cu_deviceptr cuna__array_place(const cuna_array *array)
{
    return array->buffer->ptr + (cu_deviceptr)array->offset;
}

bool cuna_array_is_aligned(const cuna_array *array, int64_t nbytes)
{
    return cuna__array_place(array) % (cu_deviceptr)nbytes == 0;
}

/* Whether a view's elements, from low to high about the one at `offset`, lie inside the buffer of its source. */
static bool reaches_only(const cuna_array *src, int64_t offset, int64_t low, int64_t high, int64_t itemsize)
{
    int64_t start = src->offset, first, end;
    if (high < low)
        return true;
    if (!cuna__add(offset, low, &first) || !cuna__mul(first, itemsize, &first) || !cuna__add(first, start, &first))
        return false;
    if (!cuna__add(high, 1, &end) || !cuna__add(offset, end, &end))
        return false;
    if (!cuna__mul(end, itemsize, &end) || !cuna__add(end, start, &end))
        return false;
    return first >= 0 && end <= src->buffer->value->nbytes;
}

static void set_flags(cuna_array *out, const cuna_array *src)
{
    const int64_t *shape = out->dims, *strides = out->dims + out->ndim;
    out->flags = CUNA_ARRAY_VIEW | (src->flags & CUNA_ARRAY_FOREIGN);
    if (cuna__shape_is_contiguous(out->ndim, shape, strides))
        out->flags |= CUNA_ARRAY_CONTIGUOUS;
    if ((src->flags & CUNA_ARRAY_READONLY) != 0 || cuna__shape_is_broadcast(out->ndim, shape, strides))
        out->flags |= CUNA_ARRAY_READONLY;
}

static void refer(cuna_array *out, const cuna_array *src)
{
    __atomic_add_fetch(&src->buffer->references, 1, __ATOMIC_RELAXED);
    out->buffer = src->buffer;
}

/* Makes `out` a view of `src` with these axes; where it begins and what is in it is the caller's to write. */
static cuna_status share(cuna_array *out, const cuna_array *src, int ndim, const int64_t *shape, const int64_t *strides)
{
    CUNA_TRY(keep_root(src));
    CUNA_TRY(set_dims(out, ndim, shape));
    cuna__copy_lengths(out->dims + ndim, strides, ndim);
    refer(out, src);
    return CUNA_OK;
}

cuna_status cuna_array_view(cuna_array *out, const cuna_array *src, cuna_dtype dtype, const cuna_geometry *geometry)
{
    int64_t low, high, size, itemsize = cuna_dtype_size(dtype);
    CUNA_TRY(cuna__array_check_alive(src, "view"));
    CUNA_TRY(cuna__shape_size(&size, geometry->ndim, geometry->shape));
    CUNA_TRY(cuna__shape_reach(&low, &high, geometry->ndim, geometry->shape, geometry->strides));
    /* A view without elements touches nothing: it may begin anywhere, so it begins at its array. */
    int64_t offset = size == 0 ? 0 : geometry->offset;
    if (!reaches_only(src, offset, low, high, itemsize))
        return cuna_fail(CUNA_VALUE, "a view must stay inside the memory of its array");
    if (size > 0 && (cuna__array_place(src) + (cu_deviceptr)(offset * itemsize)) % (cu_deviceptr)itemsize != 0)
        return cuna_fail(CUNA_VALUE,
                         "view: elements of %s begin at multiples of %d bytes, and the array's first element does not; "
                         "copy the array first: x:copy()",
                         cuna_dtype_name(dtype), (int)itemsize);
    CUNA_TRY(share(out, src, geometry->ndim, geometry->shape, geometry->strides));
    out->size = size;
    out->offset = src->offset + offset * itemsize;
    out->dtype = (uint8_t)dtype;
    set_flags(out, src);
    return CUNA_OK;
}

/* What is inside an array needs no look at how far it reaches; what has no gaps has none inside. */
cuna_status cuna_array_row(cuna_array *out, const cuna_array *src, int64_t place)
{
    CUNA_TRY(cuna__array_check_alive(src, "view"));
    const int64_t *strides = cuna_array_strides(src);
    CUNA_TRY(share(out, src, src->ndim - 1, src->dims + 1, strides + 1));
    out->size = 1;
    for (int axis = 0; axis < out->ndim; axis++)
        out->size *= out->dims[axis];
    int64_t offset = out->size == 0 ? 0 : place * strides[0] * cuna_dtype_size(src->dtype);
    out->offset = src->offset + offset;
    out->dtype = src->dtype;
    if ((src->flags & CUNA_ARRAY_CONTIGUOUS) != 0)
        out->flags = src->flags | CUNA_ARRAY_VIEW;
    else
        set_flags(out, src);
    return CUNA_OK;
}

cuna_status cuna__array_head(cuna_array *out, const cuna_array *src)
{
    CUNA_TRY(set_dims(out, 0, NULL));
    refer(out, src);
    out->size = 1;
    out->offset = src->offset;
    out->dtype = src->dtype;
    out->flags = src->flags | CUNA_ARRAY_VIEW | CUNA_ARRAY_CONTIGUOUS;
    return CUNA_OK;
}

cuna_status cuna_array_base(cuna_array *out, const cuna_array *view)
{
    CUNA_TRY(cuna__array_check_alive(view, "base"));
    if (view->buffer->root == NULL)
        return cuna_fail(CUNA_VALUE, "the array is not a view");
    cuna_status status = copy_fields(out, view->buffer->root);
    if (status != CUNA_OK) {
        out->buffer = NULL; /* it has no share yet */
        return status;
    }
    __atomic_add_fetch(&out->buffer->references, 1, __ATOMIC_RELAXED);
    return CUNA_OK;
}

void cuna_array_free(cuna_array *array)
{
    cuna_buffer *buffer = array->buffer;
    array->buffer = NULL;
    if (buffer != NULL)
        cuna__buffer_release(buffer);
}

void cuna_array_release(cuna_array *array)
{
    cuna_array_free(array);
    drop_dims(array);
}

const int64_t *cuna_array_shape(const cuna_array *array)
{
    return array->dims;
}

const int64_t *cuna_array_strides(const cuna_array *array)
{
    return array->dims + array->ndim;
}

void cuna_array_geometry(cuna_geometry *out, const cuna_array *array)
{
    out->ndim = array->ndim;
    out->offset = 0;
    cuna__copy_lengths(out->shape, array->dims, array->ndim);
    cuna__copy_lengths(out->strides, array->dims + array->ndim, array->ndim);
}

cuna_device *cuna_array_device(const cuna_array *array)
{
    return array->buffer->device;
}

void cuna__array_describe(char *text, size_t nbytes, const cuna_array *array)
{
    cuna__shape_text(text, nbytes, array->ndim, cuna_array_shape(array));
}

bool cuna__array_same_place(const cuna_array *a, const cuna_array *b)
{
    return cuna__array_place(a) == cuna__array_place(b) && a->ndim == b->ndim &&
           cuna_dtype_size(a->dtype) == cuna_dtype_size(b->dtype) && cuna__same_lengths(a->dims, b->dims, 2 * a->ndim);
}

cuna_status cuna__array_refuse_freed(const char *name)
{
    return cuna_fail(CUNA_VALUE, "%s: an array was freed while it was in use; a finalizer must not free it", name);
}

cuna_status cuna__array_refuse_device(const cuna_device *device, const cuna_array *array, const char *name)
{
    return cuna_fail(CUNA_VALUE, "%s: one array is on %s and another on %s; move one with x:to(\"%s\")", name,
                     device->name, array->buffer->device->name, device->name);
}

const char *cuna_array_why_readonly(const cuna_array *array)
{
    if ((array->flags & CUNA_ARRAY_READONLY) == 0)
        return NULL;
    bool shares = (array->flags & CUNA_ARRAY_FOREIGN) == 0 ||
                  cuna__shape_is_broadcast(array->ndim, cuna_array_shape(array), cuna_array_strides(array));
    return shares ? "a broadcast view, whose elements share memory" : "read-only memory of another owner";
}

cuna_status cuna__array_check_writable(const cuna_array *array, const char *name)
{
    if ((array->flags & CUNA_ARRAY_READONLY) == 0)
        return cuna__array_change(array);
    char text[256];
    cuna__array_describe(text, sizeof text, array);
    return cuna_fail(CUNA_VALUE, "%s: the array of shape %s is %s; write to a copy (x:copy())", name, text,
                     cuna_array_why_readonly(array));
}

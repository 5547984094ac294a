/* dlpack.c: memory that is shared with other libraries by DLPack's structs.
 *
 * An exported tensor has a share of the array's buffer; its deleter gives that back. An imported one is the owner of a
 * buffer, which calls its deleter at the end. Until an import is complete nothing has changed hands, so a failure leaves
 * the tensor with its producer. What another library reports of its memory cannot be checked except for contradictions
 * with itself; shape and strides are multiplied with care. */
#include "array/dlpack.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"

/* DLPack's number of a kind of memory, and the devices that can use it. The first one of a kind is exported. */
static const struct {
    int32_t type;
    const char *kind;
    bool is_numbered; /* device_id counts */
} device_rows[] = {
    {1, "cpu", false},  /* CPU */
    {2, "cuda", true},  /* CUDA */
    {3, "cpu", false},  /* CUDAHost: pinned memory */
    {13, "cuda", true}, /* CUDAManaged */
};

/* DLPack's number of a kind of numbers. */
static const struct {
    char kind;
    uint8_t code;
} code_rows[] = {{'i', 0}, {'u', 1}, {'f', 2}, {'c', 5}, {'b', 6}};

#define BFLOAT_CODE 4

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static cuna_status no_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for a tensor");
}

static uint8_t code_of(cuna_dtype dtype)
{
    size_t row = 0;
    if (dtype == CUNA_BFLOAT16)
        return BFLOAT_CODE;
    while (code_rows[row].kind != cuna_dtype_kind(dtype))
        row++;
    return code_rows[row].code;
}

/* ---- out ---- */

/* What an exported tensor has: its struct, its share of the memory, its lengths. */
typedef struct share {
    union {
        cuna_dl_managed plain;
        cuna_dl_versioned versioned;
    };
    cuna_buffer *buffer;
    cuna_stream *consumer; /* made elsewhere, where the memory is used; NULL: cuna has made it, or none was named */
    int64_t lengths[];     /* shape, then strides */
} share;

/* Called by the consumer, whose own context is current again afterwards. What its stream was given is done before the
 * memory is used again. */
static void delete_share(share *s)
{
    const cuna_driver *driver = s->buffer->device->driver;
    cu_context theirs = NULL, now = NULL;
    bool is_known = driver->ctx_get_current(&theirs) == CU_SUCCESS;
    if (s->consumer != NULL) {
        cuna__stream_mark(s->consumer);
        cuna_stream_release(s->consumer);
    }
    cuna__buffer_release(s->buffer);
    if (is_known && driver->ctx_get_current(&now) == CU_SUCCESS && now != theirs)
        driver->ctx_set_current(theirs);
    free(s);
}

static void delete_plain(cuna_dl_managed *self)
{
    delete_share(self->context);
}

static void delete_versioned(cuna_dl_versioned *self)
{
    delete_share(self->context);
}

static void describe_device(cuna_dl_tensor *out, const cuna_device *device)
{
    size_t row = 0;
    while (strcmp(device_rows[row].kind, cuna_device_kind(device)) != 0)
        row++;
    out->device_type = device_rows[row].type;
    out->device_id = device_rows[row].is_numbered ? cuna_device_id(device) : 0;
}

/* An array without elements has no memory that others may know. */
static void describe(cuna_dl_tensor *out, share *s, const cuna_array *array)
{
    *out = (cuna_dl_tensor){
        .data = array->size == 0 ? NULL : (void *)(uintptr_t)cuna__array_data(array),
        .ndim = array->ndim,
        .code = code_of((cuna_dtype)array->dtype),
        .bits = (uint8_t)(8 * cuna_dtype_size((cuna_dtype)array->dtype)),
        .lanes = 1,
        .shape = s->lengths,
        .strides = s->lengths + array->ndim,
    };
    cuna__copy_lengths(s->lengths, cuna_array_shape(array), 2 * array->ndim);
    describe_device(out, cuna_array_device(array));
}

static void fill_share(share *s, const cuna_array *array, unsigned flags)
{
    uint64_t read_only = (array->flags & CUNA_ARRAY_READONLY) != 0 ? CUNA_DLPACK_READ_ONLY : 0;
    if ((flags & CUNA_DLPACK_VERSIONED) != 0) {
        s->versioned = (cuna_dl_versioned){
            .major = CUNA_DLPACK_MAJOR,
            .minor = CUNA_DLPACK_MINOR,
            .context = s,
            .deleter = delete_versioned,
            .flags = read_only | ((flags & CUNA_DLPACK_COPIED) != 0 ? CUNA_DLPACK_IS_COPIED : 0),
        };
        describe(&s->versioned.tensor, s, array);
    } else {
        s->plain = (cuna_dl_managed){.context = s, .deleter = delete_plain};
        describe(&s->plain.tensor, s, array);
    }
}

static cuna_status check_export(const cuna_array *array, unsigned flags)
{
    cu_deviceptr address; /* describe asks for it again */
    CUNA_TRY(cuna__array_use(array, "to_dlpack"));
    if ((array->flags & CUNA_ARRAY_READONLY) != 0 && (flags & CUNA_DLPACK_VERSIONED) == 0)
        return cuna_fail(CUNA_VALUE,
                         "the array is %s, and only versioned tensors can say so; pass {max_version = {1, 0}}, or "
                         "export a copy",
                         cuna_array_why_readonly(array));
    if (cuna__value_is_borrowed(array->buffer->value) && (array->flags & CUNA_ARRAY_FOREIGN) != 0)
        return cuna_fail(CUNA_VALUE, "an object of Lua's keeps the array's memory alive, which other libraries do not "
                                     "see; export a copy (x:copy())");
    return cuna__array_expose(&address, array);
}

cuna_status cuna_dlpack_export(void **out, const cuna_array *array, unsigned flags, cuna_stream *consumer)
{
    CUNA_TRY(check_export(array, flags));
    share *s = malloc(sizeof *s + 2 * (size_t)array->ndim * sizeof *s->lengths);
    if (s == NULL)
        return no_memory();
    s->buffer = array->buffer;
    s->consumer = consumer != NULL && consumer->foreign ? consumer : NULL;
    if (s->consumer != NULL)
        cuna_stream_retain(s->consumer);
    __atomic_add_fetch(&s->buffer->references, 1, __ATOMIC_RELAXED);
    fill_share(s, array, flags);
    *out = s;
    return CUNA_OK;
}

/* ---- in ---- */

/* The owner of an imported buffer. */
typedef struct holder {
    void *managed;
    unsigned flags;
    cuna_device *device;
    pthread_t thread; /* that imported it */
} holder;

void cuna_dlpack_delete(void *managed, unsigned flags)
{
    cuna_dl_managed *plain = managed;
    cuna_dl_versioned *versioned = managed;
    if ((flags & CUNA_DLPACK_VERSIONED) != 0) {
        if (versioned->deleter != NULL)
            versioned->deleter(versioned);
    } else if (plain->deleter != NULL) {
        plain->deleter(plain);
    }
}

static void give_back(void *owner)
{
    holder *h = owner;
    cuna_dlpack_delete(h->managed, h->flags);
    free(h);
}

/* What still uses the memory on this side must be done before its owner may hand it out again. Another thread, which
 * may never come here again, waits for it. */
static void release_holder(void *owner)
{
    holder *h = owner;
    bool is_behind = cuna_device_is_asynchronous(h->device) && cuna__device_enter(h->device) == CUNA_OK;
    if (is_behind && pthread_equal(h->thread, pthread_self())) {
        cuna__stream_part(h->device, give_back, h);
        return;
    }
    if (is_behind)
        cuna__streams_wait(h->device);
    give_back(h);
}

static cuna_status find_dtype(cuna_dtype *out, const cuna_dl_tensor *tensor)
{
    if (tensor->lanes != 1)
        return cuna_fail(CUNA_VALUE, "cuna has no dtype for elements of %d lanes", tensor->lanes);
    for (cuna_dtype dtype = 0; dtype < CUNA_DTYPES; dtype++) {
        *out = dtype;
        if (code_of(dtype) == tensor->code && 8 * cuna_dtype_size(dtype) == tensor->bits)
            return CUNA_OK;
    }
    return cuna_fail(CUNA_VALUE, "cuna has no dtype for type code %d with %d bits", tensor->code, tensor->bits);
}

static cuna_status find_device(cuna_device **out, const cuna_dl_tensor *tensor)
{
    char name[32];
    for (size_t row = 0; row < COUNT(device_rows); row++) {
        if (device_rows[row].type != tensor->device_type)
            continue;
        if (!device_rows[row].is_numbered)
            return cuna_device_find(out, device_rows[row].kind);
        if (tensor->device_id < 0)
            return cuna_fail(CUNA_VALUE, "there is no device with the number %d", (int)tensor->device_id);
        snprintf(name, sizeof name, "%s:%d", device_rows[row].kind, (int)tensor->device_id);
        return cuna_device_find(out, name);
    }
    return cuna_fail(CUNA_VALUE, "memory of device type %d is none that cuna knows", (int)tensor->device_type);
}

static cuna_status read_geometry(cuna_geometry *out, int64_t *size, const cuna_dl_tensor *tensor)
{
    if (tensor->ndim < 0 || tensor->ndim > CUNA_MAX_NDIM)
        return cuna_fail(CUNA_VALUE, "a tensor of %d axes; arrays have 0 to %d", (int)tensor->ndim, CUNA_MAX_NDIM);
    if (tensor->ndim > 0 && tensor->shape == NULL)
        return cuna_fail(CUNA_VALUE, "a tensor of %d axes without a shape", (int)tensor->ndim);
    *out = (cuna_geometry){.ndim = tensor->ndim};
    cuna__copy_lengths(out->shape, tensor->shape, tensor->ndim);
    CUNA_TRY(cuna__shape_size(size, out->ndim, out->shape));
    if (tensor->strides != NULL)
        cuna__copy_lengths(out->strides, tensor->strides, tensor->ndim);
    else
        cuna__shape_strides(out->strides, out->ndim, out->shape);
    return CUNA_OK;
}

/* The address of the element that lies lowest, and how many lie from it to the highest. */
static cuna_status measure(uint64_t *address, int64_t *count, cuna_geometry *geometry, const cuna_dl_tensor *tensor,
                           int64_t itemsize)
{
    int64_t low, high, nbytes, below;
    CUNA_TRY(cuna__shape_reach(&low, &high, geometry->ndim, geometry->shape, geometry->strides));
    *address = (uint64_t)(uintptr_t)tensor->data + tensor->byte_offset;
    *count = 0;
    geometry->offset = 0;
    if (high < low)
        return CUNA_OK;
    if (tensor->data == NULL)
        return cuna_fail(CUNA_VALUE, "a tensor of elements without memory");
    bool fits = low > INT64_MIN && *address >= tensor->byte_offset && cuna__mul(-low, itemsize, &below) &&
                (uint64_t)below <= *address && cuna__add(high, -low, count) && cuna__add(*count, 1, count) &&
                cuna__mul(*count, itemsize, &nbytes) && *address - (uint64_t)below <= UINT64_MAX - (uint64_t)nbytes;
    if (!fits)
        return cuna_fail(CUNA_VALUE, "the tensor's strides reach beyond any memory");
    *address -= (uint64_t)below;
    geometry->offset = -low;
    return CUNA_OK;
}

/* An array over all elements from the lowest to the highest, and a view of it with the tensor's shape and strides. */
static cuna_status build(cuna_array *out, cuna_device *device, const cuna_dl_tensor *tensor, uint8_t access)
{
    uint64_t address;
    int64_t size, count;
    cuna_dtype dtype = CUNA_DTYPES;
    cuna_geometry geometry;
    cuna_array flat = {0};
    CUNA_TRY(find_dtype(&dtype, tensor));
    CUNA_TRY(read_geometry(&geometry, &size, tensor));
    CUNA_TRY(measure(&address, &count, &geometry, tensor, cuna_dtype_size(dtype)));
    bool is_contiguous = cuna__shape_is_contiguous(geometry.ndim, geometry.shape, geometry.strides);
    /* Only contiguous memory can be adopted; the view retains the buffer of the flat array. */
    if (!is_contiguous) {
        CUNA_TRY(cuna_array_adopt(&flat, device, dtype, 1, &count, address, NULL, NULL));
        flat.flags |= access;
        cuna_status status = cuna_array_view(out, &flat, dtype, &geometry);
        cuna_array_release(&flat);
        return status;
    }
    CUNA_TRY(cuna_array_adopt(out, device, dtype, geometry.ndim, geometry.shape, address, NULL, NULL));
    out->flags |= access;
    return CUNA_OK;
}

/* The tensor inside, and the flag of arrays that are only read. */
static cuna_status open_managed(const cuna_dl_tensor **out, uint8_t *access, const void *managed, unsigned flags)
{
    const cuna_dl_managed *plain = managed;
    const cuna_dl_versioned *versioned = managed;
    bool has_version = (flags & CUNA_DLPACK_VERSIONED) != 0;
    if (has_version && versioned->major > CUNA_DLPACK_MAJOR)
        return cuna_fail(CUNA_VALUE, "a tensor of DLPack %u.%u; cuna knows versions up to %d", versioned->major,
                         versioned->minor, CUNA_DLPACK_MAJOR);
    *out = has_version ? &versioned->tensor : &plain->tensor;
    *access = has_version && (versioned->flags & CUNA_DLPACK_READ_ONLY) != 0 ? CUNA_ARRAY_READONLY : 0;
    return CUNA_OK;
}

cuna_status cuna_dlpack_import(cuna_array *out, void *managed, unsigned flags)
{
    uint8_t access = 0;
    cuna_device *device;
    const cuna_dl_tensor *tensor = NULL;
    /* Earlier imports whose work is done go back first: their producer may need the memory. */
    cuna__stream_settle_partings(false);
    CUNA_TRY(open_managed(&tensor, &access, managed, flags));
    CUNA_TRY(find_device(&device, tensor));
    holder *h = malloc(sizeof *h);
    if (h == NULL)
        return no_memory();
    *h = (holder){.managed = managed, .flags = flags, .device = device, .thread = pthread_self()};
    cuna_status status = build(out, device, tensor, access);
    /* Last, because nothing may fail after the array's memory has the tensor as its owner. */
    if (status == CUNA_OK)
        status = cuna__value_set_owner(out->buffer->value, release_holder, h);
    if (status != CUNA_OK) {
        cuna_array_release(out);
        free(h);
    }
    return status;
}

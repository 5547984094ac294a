/* copy.c: moving elements: between arrays, to and from the host, and one at a time.
 *
 * A copy is a program without instructions. When the dtype stays, elements move as unsigned integers of their size, so
 * that bits are kept and few kernels serve all dtypes. */
#include <string.h>

#include "array.h"
#include "launch.h"

/* The dtype as which elements of `dtype` move unchanged. */
static cuna_dtype carrier(cuna_dtype dtype)
{
    switch (cuna_dtype_size(dtype)) {
    case 1:
        return CUNA_UINT8;
    case 2:
        return CUNA_UINT16;
    case 4:
        return CUNA_UINT32;
    case 8:
        return CUNA_UINT64;
    default:
        return dtype;
    }
}

static cuna_status copy_program(const cuna_program **out, cuna_dtype to, cuna_dtype from, bool scalar)
{
    static const cuna_program *cached[2][CUNA_DTYPES][CUNA_DTYPES];
    const cuna_program **slot = &cached[scalar][to][from];
    *out = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    cuna_program_text text = {.ninputs = 1, .noutputs = 1};
    text.input_dtype[0] = (uint8_t)from;
    text.input_scalar[0] = scalar;
    text.output_dtype[0] = (uint8_t)to;
    CUNA_TRY(cuna_program_intern(out, &text));
    __atomic_store_n(slot, *out, __ATOMIC_RELEASE);
    return CUNA_OK;
}

static bool is_block(const cuna_array *array)
{
    return (array->flags & CUNA_ARRAY_CONTIGUOUS) != 0;
}

/* A borrowed look at an array under another dtype of the same size. */
static void look_as(cuna_array *out, const cuna_array *array, cuna_dtype dtype)
{
    *out = *array;
    out->dtype = (uint8_t)dtype;
    if (array->dims == array->inline_dims)
        out->dims = out->inline_dims;
}

static cuna_status run_copy(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    cuna_dtype to = dst->dtype, from = src->dtype;
    if (to == from)
        to = from = carrier(to);
    const cuna_program *program;
    CUNA_TRY(copy_program(&program, to, from, false));
    cuna_array out, in;
    look_as(&out, dst, to);
    look_as(&in, src, from);
    return cuna_elementwise(context, "copy", program, &(cuna_operand){.array = &in}, (cuna_array *[]){&out}, -1, NULL);
}

static cuna_status cannot_copy(const cuna_array *dst, const cuna_array *src)
{
    char to[256], from[256];
    cuna__array_describe(to, sizeof to, dst);
    cuna__array_describe(from, sizeof from, src);
    return cuna_fail(CUNA_VALUE, "copy: an array of shape %s does not broadcast into shape %s", from, to);
}

static bool broadcasts_into(const cuna_array *dst, const cuna_array *src)
{
    int64_t strides[CUNA_MAX_NDIM];
    return cuna__shape_expand(strides, dst->ndim, cuna_array_shape(dst), src->ndim, cuna_array_shape(src),
                              cuna_array_strides(src));
}

cuna_status cuna_array_copy(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    CUNA_TRY(cuna__array_check_filled(dst, "copy"));
    CUNA_TRY(cuna__array_check_filled(src, "copy"));
    CUNA_TRY(cuna__array_check_writable(dst, "copy"));
    if (!broadcasts_into(dst, src))
        return cannot_copy(dst, src);
    cuna_device *device = dst->buffer->device;
    bool plain = dst->dtype == src->dtype && dst->size == src->size && is_block(dst) && is_block(src) &&
                 src->buffer->device == device && !cuna_array_overlaps(dst, src);
    if (!plain)
        return run_copy(context, dst, src);
    CUNA_TRY(cuna__device_enter(device));
    if (dst->size == 0)
        return CUNA_OK;
    size_t nbytes = (size_t)(dst->size * cuna_dtype_size(dst->dtype));
    return cuna__device_check(
        device, device->driver->memcpy_dtod_async(dst->data, src->data, nbytes, cuna__context_stream(context, device)),
        "cuMemcpyDtoDAsync");
}

/* The unsigned integer with the bits of a packed element of up to 8 bytes. */
static cuna_number bits_of(const uint64_t *packed)
{
    return (cuna_number){.kind = CUNA_NUMBER_UINT, .u = *packed};
}

static bool all_bytes_equal(const unsigned char *bytes, int64_t nbytes)
{
    for (int64_t i = 1; i < nbytes; i++)
        if (bytes[i] != bytes[0])
            return false;
    return true;
}

cuna_status cuna_array_fill(cuna_context *context, const cuna_array *dst, const cuna_number *number)
{
    uint64_t packed[2];
    int64_t itemsize = cuna_dtype_size(dst->dtype);
    CUNA_TRY(cuna__array_check_filled(dst, "fill"));
    cuna_device *device = dst->buffer->device;
    CUNA_TRY(cuna__array_check_writable(dst, "fill"));
    if (dst->size == 0)
        return CUNA_OK;
    cuna_number_pack(packed, dst->dtype, number);
    if (is_block(dst) && all_bytes_equal((unsigned char *)packed, itemsize)) {
        CUNA_TRY(cuna__device_enter(device));
        return cuna__device_check(device,
                                  device->driver->memset_d8_async(dst->data, *(unsigned char *)packed,
                                                                  (size_t)(dst->size * itemsize),
                                                                  cuna__context_stream(context, device)),
                                  "cuMemsetD8Async");
    }
    cuna_dtype dtype = carrier(dst->dtype);
    const cuna_program *program;
    CUNA_TRY(copy_program(&program, dtype, dtype, true));
    cuna_array out;
    look_as(&out, dst, dtype);
    cuna_operand value = {.number = itemsize <= 8 ? bits_of(packed) : *number};
    return cuna_elementwise(context, "fill", program, &value, (cuna_array *[]){&out}, -1, NULL);
}

cuna_status cuna_array_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype)
{
    CUNA_TRY(cuna__array_check_filled(src, "copy"));
    CUNA_TRY(cuna_array_create_on(out, src->buffer->device, dtype, src->ndim, cuna_array_shape(src)));
    cuna_status status = cuna_array_copy(context, out, src);
    if (status != CUNA_OK)
        cuna_array_release(out);
    return status;
}

static cuna_status wait_for(cuna_device *device, cu_stream stream)
{
    return cuna__device_check(device, device->driver->stream_synchronize(stream), "cuStreamSynchronize");
}

static cuna_status set_block(cuna_context *context, const cuna_array *array, const void *host)
{
    cuna_device *device = array->buffer->device;
    cu_stream stream = cuna__context_stream(context, device);
    size_t nbytes = (size_t)(array->size * cuna_dtype_size(array->dtype));
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__device_check(device, device->driver->memcpy_htod_async(array->data, host, nbytes, stream),
                                "cuMemcpyHtoDAsync"));
    return wait_for(device, stream);
}

static cuna_status get_block(cuna_context *context, const cuna_array *array, void *host)
{
    cuna_device *device = array->buffer->device;
    cu_stream stream = cuna__context_stream(context, device);
    size_t nbytes = (size_t)(array->size * cuna_dtype_size(array->dtype));
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__device_check(device, device->driver->memcpy_dtoh_async(host, array->data, nbytes, stream),
                                "cuMemcpyDtoHAsync"));
    return wait_for(device, stream);
}

cuna_status cuna_array_set(cuna_context *context, const cuna_array *array, const void *host)
{
    CUNA_TRY(cuna__array_check_filled(array, "set"));
    CUNA_TRY(cuna__array_check_writable(array, "set"));
    if (array->size == 0)
        return CUNA_OK;
    if (is_block(array))
        return set_block(context, array, host);
    cuna_array block = {0};
    CUNA_TRY(cuna_array_create_on(&block, array->buffer->device, array->dtype, array->ndim, cuna_array_shape(array)));
    cuna_status status = set_block(context, &block, host);
    if (status == CUNA_OK)
        status = cuna_array_copy(context, array, &block);
    cuna_array_release(&block);
    return status;
}

cuna_status cuna_array_get(cuna_context *context, const cuna_array *array, void *host)
{
    CUNA_TRY(cuna__array_check_filled(array, "get"));
    if (array->size == 0)
        return CUNA_OK;
    if (is_block(array))
        return get_block(context, array, host);
    cuna_array block = {0};
    CUNA_TRY(cuna_array_cast(&block, context, array, array->dtype));
    cuna_status status = get_block(context, &block, host);
    cuna_array_release(&block);
    return status;
}

cuna_status cuna_array_read(cuna_number *out, cuna_context *context, const cuna_array *array, int64_t offset)
{
    uint64_t bytes[2];
    int64_t itemsize = cuna_dtype_size(array->dtype);
    cuna_device *device = array->buffer->device;
    cu_stream stream = cuna__context_stream(context, device);
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__device_check(device,
                                device->driver->memcpy_dtoh_async(
                                    bytes, array->data + (cu_deviceptr)(offset * itemsize), (size_t)itemsize, stream),
                                "cuMemcpyDtoHAsync"));
    CUNA_TRY(wait_for(device, stream));
    cuna_number_unpack(out, array->dtype, bytes);
    return CUNA_OK;
}

cuna_status cuna_array_write(cuna_context *context, const cuna_array *array, int64_t offset, const cuna_number *number)
{
    uint64_t bytes[2];
    int64_t itemsize = cuna_dtype_size(array->dtype);
    CUNA_TRY(cuna__array_check_filled(array, "assignment"));
    cuna_device *device = array->buffer->device;
    cu_stream stream = cuna__context_stream(context, device);
    CUNA_TRY(cuna__array_check_writable(array, "assignment"));
    CUNA_TRY(cuna__device_enter(device));
    cuna_number_pack(bytes, array->dtype, number);
    CUNA_TRY(cuna__device_check(device,
                                device->driver->memcpy_htod_async(array->data + (cu_deviceptr)(offset * itemsize),
                                                                  bytes, (size_t)itemsize, stream),
                                "cuMemcpyHtoDAsync"));
    return wait_for(device, stream);
}

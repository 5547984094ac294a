/* texture.c: arrays of texels, textures and surfaces.
 *
 * Each has a value without memory of the pool, whose uses are counted: by its owner, by objects over it, by graphs. When the
 * last use ends, the driver's object ends after the work that the device was given before (stream_parting.c). */
#include "array/texture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "device/trace.h"

#define TEXTURE_ALIGNMENT 512 /* where the device cannot tell */
#define PITCH_ALIGNMENT   32

struct cuna_texels {
    cuna_value *value;
    cuna_device *device;
    cu_array handle;
    cuna_texels_shape shape;
    pthread_t thread;
};

struct cuna_texture {
    cuna_value *value;
    cuna_value *source; /* the texels', or memory */
    cuna_device *device;
    cu_tex_object handle;
    bool is_surface;
    pthread_t thread;
};

static cuna_status no_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for a texture");
}

/* A value whose end is that of its owner. */
static cuna_status make_value(cuna_value **out, cuna_device *device, void (*release)(void *owner), void *owner)
{
    cuna_value *value = (cuna_value *)cuna__value_alloc();
    if (value == NULL)
        return no_memory();
    cuna__value_begin(value, device, NULL, 0, 0);
    cuna_status status = cuna__value_set_owner(value, release, owner);
    if (status == CUNA_OK)
        *out = value;
    else
        cuna__value_release(value);
    return status;
}

/* Calls end(owner) when the device has done its work; another thread than its own, which may never come here again, waits. */
static void part(cuna_device *device, pthread_t thread, void (*end)(void *owner), void *owner)
{
    bool is_behind = cuna_device_is_asynchronous(device) && cuna__device_enter(device) == CUNA_OK;
    if (is_behind && pthread_equal(thread, pthread_self())) {
        cuna__stream_part(device, end, owner);
        return;
    }
    if (is_behind)
        cuna__streams_wait(device);
    end(owner);
}

/* ---- texels ---- */

static int format_of(cuna_dtype dtype)
{
    switch (dtype) {
    case CUNA_UINT8:
        return CU_AD_FORMAT_UNSIGNED_INT8;
    case CUNA_UINT16:
        return CU_AD_FORMAT_UNSIGNED_INT16;
    case CUNA_UINT32:
        return CU_AD_FORMAT_UNSIGNED_INT32;
    case CUNA_INT8:
        return CU_AD_FORMAT_SIGNED_INT8;
    case CUNA_INT16:
        return CU_AD_FORMAT_SIGNED_INT16;
    case CUNA_INT32:
        return CU_AD_FORMAT_SIGNED_INT32;
    case CUNA_FLOAT16:
        return CU_AD_FORMAT_HALF;
    default:
        return CU_AD_FORMAT_FLOAT;
    }
}

static int64_t row_nbytes(const cuna_texels_shape *shape)
{
    return shape->width * shape->channels * (int64_t)cuna_dtype_size(shape->dtype);
}

static void end_texels(void *owner)
{
    cuna_texels *texels = owner;
    if (texels->handle != NULL && cuna__device_make_current(texels->device) == CUNA_OK)
        texels->device->driver->array_destroy(texels->handle);
    free(texels);
}

static void release_texels(void *owner)
{
    cuna_texels *texels = owner;
    part(texels->device, texels->thread, end_texels, texels);
}

static cuna_status make_texels(cuna_texels *texels)
{
    const cuna_texels_shape *shape = &texels->shape;
    cuna_device *device = texels->device;
    cu_array_desc desc = {
        .width = (size_t)shape->width,
        .height = (size_t)shape->height,
        .depth = (size_t)shape->depth,
        .format = format_of(shape->dtype),
        .channels = (unsigned)shape->channels,
        .flags = (shape->layered ? CUNA_ARRAY_LAYERED : 0) | (shape->surface ? CUNA_ARRAY_SURFACE : 0) |
                 (shape->gather ? CUNA_ARRAY_GATHER : 0),
    };
    CUNA_TRY(cuna__device_enter(device));
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->array_create(&texels->handle, &desc));
    if (result == CU_ERROR_INVALID_VALUE)
        return cuna_fail(CUNA_VALUE, "CUDAarray: %s makes no array of width %lld, height %lld and depth %lld%s%s",
                         device->name, (long long)shape->width, (long long)shape->height, (long long)shape->depth,
                         shape->layered ? " in layers" : "", shape->gather ? " for tex2Dgather" : "");
    return cuna__device_check(device, result, "cuArray3DCreate");
}

cuna_status cuna_texels_create(cuna_texels **out, cuna_device *device, const cuna_texels_shape *shape)
{
    cuna_texels *texels = calloc(1, sizeof *texels);
    if (texels == NULL)
        return no_memory();
    *texels = (cuna_texels){.device = device, .shape = *shape, .thread = pthread_self()};
    cuna_status status = make_texels(texels);
    if (status == CUNA_OK)
        status = make_value(&texels->value, device, release_texels, texels);
    if (status == CUNA_OK)
        *out = texels;
    else
        end_texels(texels);
    return status;
}

void cuna_texels_release(cuna_texels *texels)
{
    if (texels != NULL)
        cuna__value_release(texels->value);
}

static cuna_value *retain_texels(const cuna_texels *texels)
{
    cuna__value_retain(texels->value);
    return texels->value;
}

uint64_t cuna_texels_handle(const cuna_texels *texels)
{
    return (uintptr_t)texels->handle;
}

/* ---- copies ---- */

static cuna_status check_copy(const cuna_texels *texels, const cuna_array *array, bool out, const char *name)
{
    const cuna_texels_shape *shape = &texels->shape;
    cuna_device *device = texels->device;
    int64_t size = shape->width * shape->channels * cuna__max(shape->height, 1) * cuna__max(shape->depth, 1);
    CUNA_TRY(cuna__array_use(array, name));
    if (array->buffer->device != device)
        return cuna_fail(CUNA_VALUE, "%s: the CUDAarray is on %s, and the array on %s", name, device->name,
                         array->buffer->device->name);
    if (array->dtype != shape->dtype || array->size != size || (array->flags & CUNA_ARRAY_CONTIGUOUS) == 0)
        return cuna_fail(CUNA_VALUE, "%s: the array must be C-contiguous, of %s and have %lld elements", name,
                         cuna_dtype_name(shape->dtype), (long long)size);
    return out ? cuna__array_check_writable(array, name) : CUNA_OK;
}

static cu_copy plan_copy(const cuna_texels *texels, const cuna_array *array, bool out)
{
    const cuna_texels_shape *shape = &texels->shape;
    size_t nbytes = (size_t)row_nbytes(shape), height = (size_t)cuna__max(shape->height, 1);
    cu_copy_side memory = {
        .memory = CU_MEMORYTYPE_DEVICE, .ptr = cuna__array_data(array), .pitch_nbytes = nbytes, .height = height};
    cu_copy_side own = {.memory = CU_MEMORYTYPE_ARRAY, .array = texels->handle};
    return (cu_copy){.src = out ? own : memory,
                     .dst = out ? memory : own,
                     .width_nbytes = nbytes,
                     .height = height,
                     .depth = (size_t)cuna__max(shape->depth, 1)};
}

cuna_status cuna_texels_copy(cuna_context *context, cuna_texels *texels, const cuna_array *array, bool out)
{
    const char *name = out ? "copy_to" : "copy_from";
    cuna_device *device = texels->device;
    CUNA_TRY(check_copy(texels, array, out, name));
    if (context->rehearsal != NULL)
        return CUNA_OK;
    cuna_stream *stream = cuna__context_stream(context, device);
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__array_claim(context, stream, array));
    CUNA_TRY(cuna__value_claim(context, stream, texels->value));
    cu_copy copy = plan_copy(texels, array, out);
    int64_t nbytes = array->size * (int64_t)cuna_dtype_size(array->dtype);
    int64_t trace = cuna__trace_begin(CUNA_TRACE_COPY, name, stream, nbytes);
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->memcpy_3d_async(&copy, stream->handle));
    cuna__trace_end(trace, stream);
    return cuna__device_check(device, result, "cuMemcpy3DAsync");
}

/* ---- objects ---- */

static void end_texture(void *owner)
{
    cuna_texture *texture = owner;
    if (texture->handle != 0 && cuna__device_make_current(texture->device) == CUNA_OK) {
        const cuna_driver *driver = texture->device->driver;
        if (texture->is_surface)
            driver->surf_object_destroy(texture->handle);
        else
            driver->tex_object_destroy(texture->handle);
    }
    cuna__value_release(texture->source);
    free(texture);
}

static void release_texture(void *owner)
{
    cuna_texture *texture = owner;
    part(texture->device, texture->thread, end_texture, texture);
}

static int64_t attribute(const cuna_device *device, int number, int64_t fallback)
{
    int value = 0;
    cu_result result = device->driver->device_get_attribute(&value, number, device->handle);
    return result == CU_SUCCESS && value > 0 ? value : fallback;
}

static cuna_status check_extent(const char *name, const cuna_texture_source *source)
{
    const cuna_array *array = source->array;
    int64_t have = array->size * (int64_t)cuna_dtype_size(array->dtype);
    int64_t texel = source->channels * (int64_t)cuna_dtype_size(source->dtype);
    bool is_pitch = source->height > 0;
    if (is_pitch && source->pitch_nbytes < source->width * texel)
        return cuna_fail(CUNA_VALUE, "%s: a row of %lld texels has %lld bytes, and the pitch is %lld", name,
                         (long long)source->width, (long long)(source->width * texel), (long long)source->pitch_nbytes);
    int64_t need = is_pitch ? source->pitch_nbytes * (source->height - 1) + source->width * texel : source->nbytes;
    if (need > have || need < texel)
        return cuna_fail(CUNA_VALUE, "%s: the texture has %lld bytes, a texel %lld, and the array %lld", name,
                         (long long)need, (long long)texel, (long long)have);
    return CUNA_OK;
}

/* Kernels get addresses that CUDA wants aligned. */
static cuna_status check_memory(const char *name, const cuna_texture_source *source)
{
    const cuna_array *array = source->array;
    const cuna_device *device = array->buffer->device;
    int64_t align = attribute(device, CU_ATTRIBUTE_TEXTURE_ALIGNMENT, TEXTURE_ALIGNMENT);
    int64_t pitch_align = attribute(device, CU_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, PITCH_ALIGNMENT);
    if ((array->flags & CUNA_ARRAY_CONTIGUOUS) == 0)
        return cuna_fail(CUNA_VALUE, "%s: the array is not C-contiguous; copy it with x:copy()", name);
    CUNA_TRY(check_extent(name, source));
    if (cuna__array_data(array) % (cu_deviceptr)align != 0)
        return cuna_fail(CUNA_VALUE,
                         "%s: the array begins at an address that is not a multiple of %lld bytes, which textures need "
                         "on %s; copy it with x:copy()",
                         name, (long long)align, device->name);
    if (source->height > 0 && source->pitch_nbytes % pitch_align != 0)
        return cuna_fail(CUNA_VALUE, "%s: a pitch is a multiple of %lld bytes on %s, got %lld", name,
                         (long long)pitch_align, device->name, (long long)source->pitch_nbytes);
    return CUNA_OK;
}

static cuna_status check_sampler(const char *name, const cuna_texture_source *source, const cuna_sampler *sampler)
{
    const char *dtype = cuna_dtype_name(source->dtype);
    bool is_float = cuna_dtype_kind(source->dtype) == 'f', is_wide = cuna_dtype_size(source->dtype) == 4;
    bool is_linear = source->texels == NULL && source->height == 0;
    if (sampler->as_float && !is_float && is_wide)
        return cuna_fail(CUNA_VALUE,
                         "%s: texels of %s are not read as normalized floats, only integers of 8 and 16 bits", name,
                         dtype);
    if (sampler->filters && !is_linear && !is_float && !sampler->as_float)
        return cuna_fail(CUNA_VALUE,
                         "%s: the linear filter needs floats, and texels are %s; with integers of 8 and 16 bits set "
                         "readMode to cudaReadModeNormalizedFloat",
                         name, dtype);
    if (sampler->srgb && (source->dtype != CUNA_UINT8 || !sampler->as_float))
        return cuna_fail(CUNA_VALUE,
                         "%s: sRGB is for texels of uint8 that are read as normalized floats, and these are %s%s", name,
                         dtype, sampler->as_float ? "" : " read as they are");
    return CUNA_OK;
}

static cu_resource_desc describe_resource(const cuna_texture_source *source)
{
    cu_resource_desc desc = {.type = CU_RESOURCE_TYPE_ARRAY};
    if (source->texels != NULL) {
        desc.of.array = source->texels->handle;
    } else if (source->height == 0) {
        desc.type = CU_RESOURCE_TYPE_LINEAR;
        desc.of.linear.ptr = cuna__array_data(source->array);
        desc.of.linear.format = format_of(source->dtype);
        desc.of.linear.channels = (unsigned)source->channels;
        desc.of.linear.nbytes = (size_t)source->nbytes;
    } else {
        desc.type = CU_RESOURCE_TYPE_PITCH2D;
        desc.of.pitch.ptr = cuna__array_data(source->array);
        desc.of.pitch.format = format_of(source->dtype);
        desc.of.pitch.channels = (unsigned)source->channels;
        desc.of.pitch.width = (size_t)source->width;
        desc.of.pitch.height = (size_t)source->height;
        desc.of.pitch.pitch_nbytes = (size_t)source->pitch_nbytes;
    }
    return desc;
}

/* The border of integers are the bits of integers, in fields for floats. */
static float border_of(double value, bool as_integer)
{
    float bits = (float)value;
    uint32_t whole = (uint32_t)(int64_t)value;
    if (as_integer)
        memcpy(&bits, &whole, sizeof bits);
    return bits;
}

static cu_texture_desc describe_texture(const cuna_texture_source *source, const cuna_sampler *sampler)
{
    bool as_integer = cuna_dtype_kind(source->dtype) != 'f' && !sampler->as_float;
    cu_texture_desc desc = {
        .filter = sampler->filters ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
        .flags = (as_integer ? CUNA_TEXTURE_AS_INTEGER : 0) | (sampler->normalized ? CUNA_TEXTURE_NORMALIZED : 0) |
                 (sampler->srgb ? CUNA_TEXTURE_SRGB : 0),
        .max_anisotropy = (unsigned)sampler->max_anisotropy,
    };
    memcpy(desc.address, sampler->address, sizeof desc.address);
    for (int i = 0; i < 4; i++)
        desc.border[i] = border_of(sampler->border[i], as_integer);
    return desc;
}

static cuna_status make_object(cuna_texture *texture, const char *name, const cuna_texture_source *source,
                               const cuna_sampler *sampler)
{
    cuna_device *device = texture->device;
    const cuna_driver *driver = device->driver;
    cu_resource_desc resource = describe_resource(source);
    CUNA_TRY(cuna__device_enter(device));
    cu_result result;
    if (sampler != NULL) {
        cu_texture_desc desc = describe_texture(source, sampler);
        result = CUNA_DEVICE_CALL(device, driver->tex_object_create(&texture->handle, &resource, &desc, NULL));
    } else {
        result = CUNA_DEVICE_CALL(device, driver->surf_object_create(&texture->handle, &resource));
    }
    if (result == CU_ERROR_INVALID_VALUE)
        return cuna_fail(CUNA_VALUE, "%s: %s makes no such object (%s)", name, device->name,
                         sampler != NULL ? "cuTexObjectCreate" : "cuSurfObjectCreate");
    return cuna__device_check(device, result, sampler != NULL ? "cuTexObjectCreate" : "cuSurfObjectCreate");
}

static cuna_status check_source(const char *name, const cuna_texture_source *source, const cuna_sampler *sampler)
{
    cu_deviceptr unused;
    if (source->texels == NULL) {
        CUNA_TRY(cuna__array_use(source->array, name));
        CUNA_TRY(cuna__array_expose(&unused, source->array));
        CUNA_TRY(check_memory(name, source));
    }
    if (sampler != NULL)
        return check_sampler(name, source, sampler);
    if (source->texels == NULL || !source->texels->shape.surface)
        return cuna_fail(CUNA_VALUE, "%s: a surface is over a CUDAarray with the flag cudaArraySurfaceLoadStore (2)",
                         name);
    return CUNA_OK;
}

cuna_status cuna_texture_create(cuna_texture **out, const char *name, const cuna_texture_source *source,
                                const cuna_sampler *sampler)
{
    CUNA_TRY(check_source(name, source, sampler));
    const cuna_texels *texels = source->texels;
    cuna_texture *texture = calloc(1, sizeof *texture);
    if (texture == NULL)
        return no_memory();
    *texture = (cuna_texture){.device = texels != NULL ? texels->device : source->array->buffer->device,
                              .is_surface = sampler == NULL,
                              .thread = pthread_self()};
    texture->source = texels != NULL ? retain_texels(texels) : cuna__array_retain_value(source->array);
    cuna_status status = make_object(texture, name, source, sampler);
    if (status == CUNA_OK)
        status = make_value(&texture->value, texture->device, release_texture, texture);
    if (status == CUNA_OK)
        *out = texture;
    else
        end_texture(texture);
    return status;
}

void cuna_texture_release(cuna_texture *texture)
{
    if (texture != NULL)
        cuna__value_release(texture->value);
}

uint64_t cuna_texture_handle(const cuna_texture *texture)
{
    return texture->handle;
}

cuna_device *cuna_texture_device(const cuna_texture *texture)
{
    return texture->device;
}

bool cuna_texture_is_surface(const cuna_texture *texture)
{
    return texture->is_surface;
}

cuna_status cuna__texture_claim(const cuna_context *context, cuna_stream *stream, const cuna_texture *texture)
{
    CUNA_TRY(cuna__value_claim(context, stream, texture->source));
    return cuna__value_claim(context, stream, texture->value);
}

cuna_status cuna_texture_use(cuna_context *context, const char *name, const cuna_texture *texture, cuna_device *device)
{
    if (texture->device != device)
        return cuna_fail(CUNA_VALUE, "%s: a texture object is on %s, and the kernel runs on %s", name,
                         texture->device->name, device->name);
    CUNA_TRY(cuna__device_enter(device));
    return cuna__texture_claim(context, cuna__context_stream(context, device), texture);
}

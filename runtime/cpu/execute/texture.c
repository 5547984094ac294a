/* texture.c: arrays of texels, textures and surfaces, and copies of up to three axes. */
#include "cpu/execute/texture.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/execute/capture.h"
#include "cpu/execute/enqueue.h"
#include "cpu/execute/memory.h"

/* What GPUs of compute capability 9.0 have. */
#define MOST_1D          131072u
#define MOST_2D_WIDTH    131072u
#define MOST_2D_HEIGHT   65536u
#define MOST_3D          16384u
#define MOST_LAYERED     32768u
#define MOST_LAYERS      2048u
#define MOST_LINEAR      (1u << 28)
#define MOST_PITCH_WIDTH 131072u
#define MOST_PITCH_ROWS  65000u
#define MOST_PITCH       2097120u
#define ALIGNMENT        512
#define PITCH_ALIGNMENT  32
#define MOST_ANISOTROPY  16
#define KNOWN_FLAGS      (CUNA_ARRAY_LAYERED | CUNA_ARRAY_SURFACE | CUNA_ARRAY_GATHER)
#define TEXTURE_FLAGS    (CUNA_TEXTURE_AS_INTEGER | CUNA_TEXTURE_NORMALIZED | CUNA_TEXTURE_SRGB)

_Static_assert((int)FORMAT_U8 == CU_AD_FORMAT_UNSIGNED_INT8 && (int)FORMAT_U16 == CU_AD_FORMAT_UNSIGNED_INT16 &&
                   (int)FORMAT_U32 == CU_AD_FORMAT_UNSIGNED_INT32 && (int)FORMAT_S8 == CU_AD_FORMAT_SIGNED_INT8 &&
                   (int)FORMAT_S16 == CU_AD_FORMAT_SIGNED_INT16 && (int)FORMAT_S32 == CU_AD_FORMAT_SIGNED_INT32 &&
                   (int)FORMAT_HALF == CU_AD_FORMAT_HALF && (int)FORMAT_FLOAT == CU_AD_FORMAT_FLOAT,
               "formats are the driver's");
_Static_assert((int)ADDRESS_WRAP == CU_TR_ADDRESS_MODE_WRAP && (int)ADDRESS_CLAMP == CU_TR_ADDRESS_MODE_CLAMP &&
                   (int)ADDRESS_MIRROR == CU_TR_ADDRESS_MODE_MIRROR && (int)ADDRESS_BORDER == CU_TR_ADDRESS_MODE_BORDER,
               "address modes are the driver's");

/* ---- descriptors ---- */

/* Bytes of a channel; 0: no format. */
static unsigned size_of(int format)
{
    switch (format) {
    case FORMAT_U8:
    case FORMAT_S8:
        return 1;
    case FORMAT_U16:
    case FORMAT_S16:
    case FORMAT_HALF:
        return 2;
    case FORMAT_U32:
    case FORMAT_S32:
    case FORMAT_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static bool set_format(struct Texels *texels, int format, unsigned channels)
{
    unsigned nbytes = size_of(format);
    texels->format = (unsigned char)format;
    texels->channels = (unsigned char)channels;
    texels->nbytes = (unsigned char)(nbytes * channels);
    return nbytes > 0 && (channels == 1 || channels == 2 || channels == 4);
}

static enum Axes axes_of(const cu_array_desc *desc)
{
    if ((desc->flags & CUNA_ARRAY_LAYERED) != 0)
        return desc->height > 0 ? AXES_2D_LAYERED : AXES_1D_LAYERED;
    return desc->depth > 0 ? AXES_3D : desc->height > 0 ? AXES_2D : AXES_1D;
}

static bool is_within(const cu_array_desc *desc, size_t width, size_t height, size_t depth)
{
    return desc->width - 1 < width && desc->height <= height && desc->depth <= depth;
}

static bool is_size(const cu_array_desc *desc, enum Axes axes)
{
    switch (axes) {
    case AXES_1D:
        return is_within(desc, MOST_1D, 0, 0);
    case AXES_2D:
        return is_within(desc, MOST_2D_WIDTH, MOST_2D_HEIGHT, 0);
    case AXES_3D:
        return desc->height > 0 && is_within(desc, MOST_3D, MOST_3D, MOST_3D);
    default:
        return desc->depth > 0 && is_within(desc, MOST_LAYERED, MOST_LAYERED, MOST_LAYERS);
    }
}

static unsigned at_least_1(size_t length)
{
    return length > 0 ? (unsigned)length : 1;
}

cu_result cuna__cpu_texels_describe(cuna_cpu_texels *out, const cu_array_desc *desc)
{
    enum Axes axes = axes_of(desc);
    *out = (cuna_cpu_texels){.flags = desc->flags};
    bool only_2d = (desc->flags & CUNA_ARRAY_GATHER) == 0 || axes == AXES_2D;
    if ((desc->flags & ~(unsigned)KNOWN_FLAGS) != 0 || !only_2d || !is_size(desc, axes) ||
        !set_format(&out->texels, desc->format, desc->channels))
        return CU_ERROR_INVALID_VALUE;
    struct Texels *texels = &out->texels;
    texels->axes = (unsigned char)axes;
    texels->width = (unsigned)desc->width;
    texels->height = at_least_1(desc->height);
    texels->depth = at_least_1(desc->depth);
    texels->row_nbytes = (uint64_t)texels->width * texels->nbytes;
    texels->slice_nbytes = texels->row_nbytes * texels->height;
    out->nbytes = texels->slice_nbytes * texels->depth;
    return CU_SUCCESS;
}

/* ---- objects ---- */

static void place(struct Texels *texels, enum Axes axes, cu_deviceptr ptr, size_t width, size_t height, size_t pitch)
{
    texels->axes = (unsigned char)axes;
    texels->data = (unsigned char *)(uintptr_t)ptr;
    texels->width = (unsigned)width;
    texels->height = (unsigned)height;
    texels->depth = 1;
    texels->row_nbytes = pitch;
    texels->slice_nbytes = pitch * height;
}

static bool place_linear(struct Texels *texels, size_t *nbytes, const cu_resource_desc *resource)
{
    if (!set_format(texels, resource->of.linear.format, resource->of.linear.channels))
        return false;
    *nbytes = resource->of.linear.nbytes;
    size_t width = *nbytes / texels->nbytes;
    place(texels, AXES_LINEAR, resource->of.linear.ptr, width, 1, *nbytes);
    return width > 0 && width <= MOST_LINEAR && resource->of.linear.ptr % ALIGNMENT == 0;
}

static bool place_pitch(struct Texels *texels, size_t *nbytes, const cu_resource_desc *resource)
{
    size_t width = resource->of.pitch.width, height = resource->of.pitch.height;
    size_t pitch = resource->of.pitch.pitch_nbytes;
    if (!set_format(texels, resource->of.pitch.format, resource->of.pitch.channels) || width - 1 >= MOST_PITCH_WIDTH ||
        height - 1 >= MOST_PITCH_ROWS || pitch > MOST_PITCH || pitch % PITCH_ALIGNMENT != 0 ||
        width * texels->nbytes > pitch)
        return false;
    *nbytes = pitch * (height - 1) + width * texels->nbytes;
    place(texels, AXES_2D, resource->of.pitch.ptr, width, height, pitch);
    return resource->of.pitch.ptr % ALIGNMENT == 0;
}

static bool place_resource(cuna_cpu_texture *out, size_t *nbytes, const cu_resource_desc *resource,
                           const cuna_cpu_texels *texels)
{
    *nbytes = 0;
    if (resource->flags != 0)
        return false;
    switch (resource->type) {
    case CU_RESOURCE_TYPE_ARRAY:
        if (texels != NULL) {
            out->texels = texels->texels;
            out->gathers = (texels->flags & CUNA_ARRAY_GATHER) != 0;
        }
        return texels != NULL;
    case CU_RESOURCE_TYPE_LINEAR:
        return place_linear(&out->texels, nbytes, resource);
    case CU_RESOURCE_TYPE_PITCH2D:
        return place_pitch(&out->texels, nbytes, resource);
    default:
        return false;
    }
}

/* What a byte of sRGB is as a linear number. */
static float curve[256];

static void fill_curve(void)
{
    for (int i = 0; i < 256; i++) {
        double x = i / 255.0;
        curve[i] = (float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
    }
}

static bool is_address(int mode)
{
    return mode >= ADDRESS_WRAP && mode <= ADDRESS_BORDER;
}

static bool is_texture_desc(const cu_texture_desc *texture)
{
    return is_address(texture->address[0]) && is_address(texture->address[1]) && is_address(texture->address[2]) &&
           (texture->filter == CU_TR_FILTER_MODE_POINT || texture->filter == CU_TR_FILTER_MODE_LINEAR) &&
           (texture->flags & ~(unsigned)TEXTURE_FLAGS) == 0 && texture->max_anisotropy <= MOST_ANISOTROPY;
}

/* Integers become floats unless a flag says otherwise or they have 32 bits; only floats are filtered and have curves. For
 * linear memory filters and coordinates are ignored. Without normalized coordinates wrap and mirror are clamp. */
static bool describe_reading(cuna_cpu_texture *out, const cu_texture_desc *texture)
{
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    const struct Texels *texels = &out->texels;
    bool is_float = texels->format == FORMAT_FLOAT || texels->format == FORMAT_HALF;
    bool is_wide = texels->format == FORMAT_U32 || texels->format == FORMAT_S32;
    bool as_integer = (texture->flags & CUNA_TEXTURE_AS_INTEGER) != 0;
    bool has_curve = (texture->flags & CUNA_TEXTURE_SRGB) != 0;
    out->normalized = (texture->flags & CUNA_TEXTURE_NORMALIZED) != 0;
    out->filters = texture->filter == CU_TR_FILTER_MODE_LINEAR && texels->axes != AXES_LINEAR;
    out->reads_float = is_float || (!is_wide && !as_integer);
    for (int i = 0; i < 3; i++) {
        bool folds = texture->address[i] == ADDRESS_WRAP || texture->address[i] == ADDRESS_MIRROR;
        out->address[i] = (unsigned char)(folds && !out->normalized ? ADDRESS_CLAMP : texture->address[i]);
    }
    memcpy(out->border, texture->border, sizeof out->border);
    if (has_curve) {
        pthread_once(&filled, fill_curve);
        out->curve = curve;
    }
    return (!out->filters || out->reads_float) && (!has_curve || (out->reads_float && texels->format == FORMAT_U8));
}

cu_result cuna__cpu_texture_describe(cuna_cpu_texture *out, size_t *nbytes, const cu_resource_desc *resource,
                                     const cu_texture_desc *texture, const cuna_cpu_texels *texels)
{
    *out = (cuna_cpu_texture){.mark = texture != NULL ? CUNA_TEXTURE_MARK : CUNA_SURFACE_MARK};
    if (!place_resource(out, nbytes, resource, texels))
        return CU_ERROR_INVALID_VALUE;
    bool good = texture != NULL ? is_texture_desc(texture) && describe_reading(out, texture)
                                : texels != NULL && (texels->flags & CUNA_ARRAY_SURFACE) != 0;
    return good ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

/* ---- copies ---- */

cu_result cuna__cpu_copy_run(const void *arguments)
{
    const cuna_cpu_copy *copy = arguments;
    cu_result result = CU_SUCCESS;
    bool is_whole = copy->dst_row == copy->width_nbytes && copy->src_row == copy->width_nbytes &&
                    copy->dst_slice == copy->src_slice && copy->dst_slice == copy->width_nbytes * copy->height;
    if (is_whole)
        return cuna__cpu_memory_copy(copy->dst, copy->src, copy->dst_slice * copy->depth);
    for (size_t z = 0; z < copy->depth; z++)
        for (size_t y = 0; y < copy->height && result == CU_SUCCESS; y++)
            result = cuna__cpu_memory_copy(copy->dst + z * copy->dst_slice + y * copy->dst_row,
                                           copy->src + z * copy->src_slice + y * copy->src_row, copy->width_nbytes);
    return result;
}

static bool fits(size_t first, size_t count, size_t length)
{
    return count <= length && first <= length - count;
}

static bool describe_texels(cuna_cpu_side *out, const cu_copy *copy, const cu_copy_side *side,
                            const cuna_cpu_texels *texels)
{
    const struct Texels *t = &texels->texels;
    *out = (cuna_cpu_side){t->data, t->row_nbytes, t->slice_nbytes, 0};
    return side->x_nbytes % t->nbytes == 0 && copy->width_nbytes % t->nbytes == 0 &&
           fits(side->x_nbytes, copy->width_nbytes, t->row_nbytes) && fits(side->y, copy->height, t->height) &&
           fits(side->z, copy->depth, t->depth);
}

static bool describe_memory(cuna_cpu_side *out, const cu_copy *copy, const cu_copy_side *side)
{
    void *at = side->memory == CU_MEMORYTYPE_HOST ? (void *)side->host : (void *)(uintptr_t)side->ptr;
    *out = (cuna_cpu_side){at, side->pitch_nbytes, side->pitch_nbytes * side->height, 0};
    out->nbytes = out->slice * (side->z + copy->depth - 1) + out->row * (side->y + copy->height - 1) + side->x_nbytes +
                  copy->width_nbytes;
    return at != NULL && (copy->height == 1 || fits(side->x_nbytes, copy->width_nbytes, side->pitch_nbytes)) &&
           (copy->depth == 1 || fits(side->y, copy->height, side->height));
}

cu_result cuna__cpu_copy_side(cuna_cpu_side *out, const cu_copy *copy, const cu_copy_side *side,
                              const cuna_cpu_texels *texels)
{
    bool is_array = side->memory == CU_MEMORYTYPE_ARRAY;
    bool is_known = is_array || side->memory == CU_MEMORYTYPE_HOST || side->memory == CU_MEMORYTYPE_DEVICE;
    *out = (cuna_cpu_side){0};
    if (!is_known || side->lod != 0 || side->reserved != NULL || (is_array && texels == NULL))
        return CU_ERROR_INVALID_VALUE;
    if (copy->width_nbytes == 0 || copy->height == 0 || copy->depth == 0)
        return CU_SUCCESS;
    bool good = is_array ? describe_texels(out, copy, side, texels) : describe_memory(out, copy, side);
    if (good)
        out->at += side->x_nbytes + side->y * out->row + side->z * out->slice;
    return good ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

cuna_cpu_copy cuna__cpu_copy_between(const cu_copy *copy, const cuna_cpu_side *dst, const cuna_cpu_side *src)
{
    bool is_empty = copy->width_nbytes == 0 || copy->height == 0;
    return (cuna_cpu_copy){dst->at,
                           src->at,
                           dst->row,
                           dst->slice,
                           src->row,
                           src->slice,
                           copy->width_nbytes,
                           copy->height,
                           is_empty ? 0 : copy->depth};
}

/* ---- rows ---- */

struct cu_array_s {
    cuna_cpu_texels texels;
    cu_deviceptr memory;
};

cu_result cuna__cpu_array_create(cu_array *array, const cu_array_desc *desc)
{
    cuna_cpu_texels texels;
    cu_result result = cuna__cpu_capture_check_thread();
    if (result == CU_SUCCESS)
        result = array == NULL || desc == NULL ? CU_ERROR_INVALID_VALUE : cuna__cpu_texels_describe(&texels, desc);
    if (result != CU_SUCCESS)
        return result;
    cu_array made = calloc(1, sizeof *made);
    if (made == NULL || cuna__cpu_memory_alloc(&made->memory, texels.nbytes) != CU_SUCCESS) {
        free(made);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    made->texels = texels;
    made->texels.texels.data = (unsigned char *)(uintptr_t)made->memory;
    *array = made;
    return CU_SUCCESS;
}

cu_result cuna__cpu_array_destroy(cu_array array)
{
    cu_result result = cuna__cpu_capture_check_thread();
    if (array == NULL || result != CU_SUCCESS)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_HANDLE;
    cuna__cpu_memory_free(array->memory);
    free(array);
    return CU_SUCCESS;
}

static const cuna_cpu_texels *texels_of(const cu_copy_side *side)
{
    return side->memory == CU_MEMORYTYPE_ARRAY && side->array != NULL ? &side->array->texels : NULL;
}

cu_result cuna__cpu_memcpy_3d(const cu_copy *copy, cu_stream stream)
{
    cuna_cpu_side dst, src;
    if (copy == NULL)
        return CU_ERROR_INVALID_VALUE;
    cu_result result = cuna__cpu_copy_side(&dst, copy, &copy->dst, texels_of(&copy->dst));
    if (result == CU_SUCCESS)
        result = cuna__cpu_copy_side(&src, copy, &copy->src, texels_of(&copy->src));
    if (result != CU_SUCCESS)
        return result;
    cuna_cpu_copy known = cuna__cpu_copy_between(copy, &dst, &src);
    return cuna__cpu_enqueue(stream, cuna__cpu_copy_run, &known, sizeof known);
}

static cu_result create(cu_tex_object *object, const cu_resource_desc *resource, const cu_texture_desc *texture)
{
    size_t nbytes;
    bool has_array = resource->type == CU_RESOURCE_TYPE_ARRAY && resource->of.array != NULL;
    cuna_cpu_texture *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    cu_result result =
        cuna__cpu_texture_describe(made, &nbytes, resource, texture, has_array ? &resource->of.array->texels : NULL);
    if (result == CU_SUCCESS && made->texels.data == NULL)
        result = CU_ERROR_INVALID_VALUE;
    if (result == CU_SUCCESS)
        *object = (uintptr_t)made;
    else
        free(made);
    return result;
}

cu_result cuna__cpu_tex_create(cu_tex_object *object, const cu_resource_desc *resource, const cu_texture_desc *texture,
                               const void *view)
{
    if (object == NULL || resource == NULL || texture == NULL || view != NULL)
        return CU_ERROR_INVALID_VALUE;
    return create(object, resource, texture);
}

cu_result cuna__cpu_surf_create(cu_tex_object *object, const cu_resource_desc *resource)
{
    return object != NULL && resource != NULL ? create(object, resource, NULL) : CU_ERROR_INVALID_VALUE;
}

/* A kernel that still has the object finds that it is not one any more. */
static cu_result destroy(cu_tex_object object, uint64_t mark)
{
    cuna_cpu_texture *texture = (cuna_cpu_texture *)(uintptr_t)object;
    if (texture == NULL || texture->mark != mark)
        return CU_ERROR_INVALID_VALUE;
    *(volatile uint64_t *)&texture->mark = 0;
    free(texture);
    return CU_SUCCESS;
}

cu_result cuna__cpu_tex_destroy(cu_tex_object object)
{
    return destroy(object, CUNA_TEXTURE_MARK);
}

cu_result cuna__cpu_surf_destroy(cu_tex_object object)
{
    return destroy(object, CUNA_SURFACE_MARK);
}

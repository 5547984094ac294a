/* cuna_texture.h: the public functions for arrays of texels, textures and surfaces; cuna.h includes it. */
#ifndef CUNA_TEXTURE_DOOR_H
#define CUNA_TEXTURE_DOOR_H

/* ---- array/texture.c ------------------------------------------------------------------------------------------ */

/* An array of texels in a layout of the device's own (a CUDA array), and a texture or surface object, whose handle kernels
 * take. Both are counted by what uses them: their owner, objects over them, and graphs. Their memory goes when the device has
 * done what it was given before. */
typedef struct cuna_texels cuna_texels;
typedef struct cuna_texture cuna_texture;

/* Channels are float16, float32 or integers of up to 32 bits; there are 1, 2 or 4. Axes that the array lacks have length 0. */
typedef struct cuna_texels_shape {
    cuna_dtype dtype;
    int channels;
    int64_t width, height, depth; /* in texels; with layers the depth is their number */
    bool layered, surface, gather;
} cuna_texels_shape;

/* VALUE for sizes that the device does not make; MEMORY; DEVICE. The caller releases it. */
cuna_status cuna_texels_create(cuna_texels **out, cuna_device *device, const cuna_texels_shape *shape);
void cuna_texels_release(cuna_texels *texels);

/* Copies all texels from an array of the same device and as many elements of their dtype, or with `out` to it. The array is
 * C-contiguous. VALUE, DEVICE. */
cuna_status cuna_texels_copy(cuna_context *context, cuna_texels *texels, const cuna_array *array, bool out);

/* The driver's handle. */
uint64_t cuna_texels_handle(const cuna_texels *texels);
uint64_t cuna_texture_handle(const cuna_texture *texture);

/* What an object is over: texels, or else the memory of a C-contiguous array. Without a height that is linear memory of
 * so many bytes; else rows of `width` texels, one every so many bytes. */
typedef struct cuna_texture_source {
    const cuna_texels *texels;
    const cuna_array *array;
    cuna_dtype dtype; /* of channels */
    int channels;
    int64_t nbytes, width, height, pitch_nbytes;
} cuna_texture_source;

/* How a texture object reads. Address modes by axis: 0 wrap, 1 clamp, 2 mirror, 3 border. */
typedef struct cuna_sampler {
    int address[3], max_anisotropy;
    bool filters;    /* linearly; else the nearest texel */
    bool as_float;   /* integers of 8 and 16 bits as numbers from 0, or -1, to 1 */
    bool normalized; /* coordinates from 0 to 1 */
    bool srgb;
    double border[4]; /* whole numbers where texels are read as integers */
} cuna_sampler;

/* Makes a texture object, or with sampler NULL a surface object. It keeps its source. `name` is for messages. VALUE for what
 * CUDA does not read so; MEMORY; DEVICE. The caller releases it. */
cuna_status cuna_texture_create(cuna_texture **out, const char *name, const cuna_texture_source *source,
                                const cuna_sampler *sampler);
void cuna_texture_release(cuna_texture *texture);
cuna_device *cuna_texture_device(const cuna_texture *texture);
bool cuna_texture_is_surface(const cuna_texture *texture);

/* The next work of the context's stream on `device` uses the object. VALUE for one of another device; DEVICE. */
cuna_status cuna_texture_use(cuna_context *context, const char *name, const cuna_texture *texture, cuna_device *device);

#endif

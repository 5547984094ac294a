/* texture.h: arrays of texels, textures and surfaces, on the cpu device and on the simulated GPU.
 *
 * An object is the address of a record that kernels read (kernels/raw_texel_cpu.h). These functions check descriptors as
 * CUDA's driver does, and fill in records and copies; whose the memory is, is their callers' matter. */
#ifndef CUNA_CPU_EXECUTE_TEXTURE_H
#define CUNA_CPU_EXECUTE_TEXTURE_H

#include <stdbool.h>

#include "seam/driver.h"

#include "kernels/raw_texel_cpu.h"

typedef struct Texture cuna_cpu_texture;

/* The texels of a CUDA array. */
typedef struct cuna_cpu_texels {
    struct Texels texels; /* without data: the caller's */
    size_t nbytes;
    unsigned flags;
} cuna_cpu_texels;

/* INVALID_VALUE for what no GPU of compute capability 9.0 makes. */
cu_result cuna__cpu_texels_describe(cuna_cpu_texels *out, const cu_array_desc *desc);

/* A texture object, or with texture NULL a surface object. `texels`: those of a resource's array; else its memory is to be
 * checked by the caller: *nbytes from its address on. */
cu_result cuna__cpu_texture_describe(cuna_cpu_texture *out, size_t *nbytes, const cu_resource_desc *resource,
                                     const cu_texture_desc *texture, const cuna_cpu_texels *texels);

/* A copy whose addresses are known. Its argument is the work's (enqueue.h). */
typedef struct cuna_cpu_copy {
    unsigned char *dst;
    const unsigned char *src;
    size_t dst_row, dst_slice, src_row, src_slice; /* in bytes */
    size_t width_nbytes, height, depth;
} cuna_cpu_copy;

cu_result cuna__cpu_copy_run(const void *copy);

/* One side of a copy: its address and distances, after a check against `texels` (an array's) or else against its pitch;
 * memory without a layout has *nbytes from its address on. */
typedef struct cuna_cpu_side {
    unsigned char *at;
    size_t row, slice, nbytes;
} cuna_cpu_side;
cu_result cuna__cpu_copy_side(cuna_cpu_side *out, const cu_copy *copy, const cu_copy_side *side,
                              const cuna_cpu_texels *texels);
/* The copy between two sides; its depth is 0 when there is nothing to do. */
cuna_cpu_copy cuna__cpu_copy_between(const cu_copy *copy, const cuna_cpu_side *dst, const cuna_cpu_side *src);

/* ---- the rows of the cpu device ---- */

cu_result cuna__cpu_array_create(cu_array *array, const cu_array_desc *desc);
cu_result cuna__cpu_array_destroy(cu_array array);
cu_result cuna__cpu_memcpy_3d(const cu_copy *copy, cu_stream stream);
cu_result cuna__cpu_tex_create(cu_tex_object *object, const cu_resource_desc *resource, const cu_texture_desc *texture,
                               const void *view);
cu_result cuna__cpu_tex_destroy(cu_tex_object object);
cu_result cuna__cpu_surf_create(cu_tex_object *object, const cu_resource_desc *resource);
cu_result cuna__cpu_surf_destroy(cu_tex_object object);

#endif

/* raw_texel_cpu.h: what a texture or surface object is on the cpu device: the address of such a record.
 * C (runtime/cpu/execute/texture.h) includes it; kernels read it. */
#ifndef CUNA_RAW_TEXEL_CPU_H
#define CUNA_RAW_TEXEL_CPU_H

#ifdef __cplusplus
namespace cuna_texture {
#endif

/* What a record is; it stops being that when the object is destroyed. */
#define CUNA_TEXTURE_MARK 0x7465787475726531ull
#define CUNA_SURFACE_MARK 0x7375726661636531ull

enum Axes { AXES_LINEAR, AXES_1D, AXES_2D, AXES_3D, AXES_1D_LAYERED, AXES_2D_LAYERED };
enum Address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER };
enum Format {
    FORMAT_U8 = 1,
    FORMAT_U16,
    FORMAT_U32,
    FORMAT_S8 = 8,
    FORMAT_S16,
    FORMAT_S32,
    FORMAT_HALF = 16,
    FORMAT_FLOAT = 32
};

/* Texels in memory: rows of slices. Layers are slices. */
struct Texels {
    unsigned char *data;
    __UINT64_TYPE__ row_nbytes, slice_nbytes;
    unsigned width, height, depth; /* 1 for axes that there are not */
    unsigned char axes, format, channels, nbytes; /* of a texel */
};

struct Texture {
    __UINT64_TYPE__ mark;
    struct Texels texels;
    unsigned char address[3];
    bool filters, normalized; /* linearly; coordinates from 0 to 1 */
    bool reads_float;         /* channels are floats, or integers become floats */
    bool gathers;             /* tex2Dgather may be called */
    float border[4];          /* their bits */
    const float *curve;       /* of sRGB, by the byte; NULL: none */
};

#ifdef __cplusplus
}
#endif

#endif

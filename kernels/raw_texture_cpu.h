/* raw_texture_cpu.h: CUDA's functions of textures and surfaces, on the cpu device.
 *
 * Texels are read, filtered and addressed as the CUDA programming guide's appendix on texture fetching says, and as an
 * H100 does it: the weights of a linear filter have 8 bits after the binary point. A fetch makes four words of 32 bits,
 * as the hardware does, whose first ones are the result. Levels of detail are clamped to the only one.
 * raw_texel_cpu.h precedes this file.
 */
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

/* What host code makes textures with; kernels' texts have it in structures that both share. */
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
typedef struct cudaArray *cudaArray_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace cuna_texture {

/* The types of texels: of fetches (`type`), made of so many words, and of surfaces (`element`, `none`). Functions
 * that name these do not match another type. */
template <class T> struct Texel;
#define CUNA_TEXEL(T, n, ...)                                                                                          \
    template <> struct Texel<T> {                                                                                      \
        typedef T type, element;                                                                                       \
        typedef void none;                                                                                             \
        static constexpr int lanes = n;                                                                                \
        static CUNA_INLINE type make(const unsigned (&w)[4]) { return type{__VA_ARGS__}; }                             \
    };
#define CUNA_TEXELS(V, E)                                                                                              \
    CUNA_TEXEL(E, 1, word<E>(w[0]))                                                                                    \
    CUNA_TEXEL(V##1, 1, word<E>(w[0]))                                                                                 \
    CUNA_TEXEL(V##2, 2, word<E>(w[0]), word<E>(w[1]))                                                                  \
    CUNA_TEXEL(V##4, 4, word<E>(w[0]), word<E>(w[1]), word<E>(w[2]), word<E>(w[3]))
template <class E> CUNA_INLINE E word(unsigned bits) { return E(bits); }
template <> CUNA_INLINE float word<float>(unsigned bits) { return cuna::same_bits<float>(bits); }
CUNA_TEXELS(char, signed char)
CUNA_TEXELS(uchar, unsigned char)
CUNA_TEXELS(short, short)
CUNA_TEXELS(ushort, unsigned short)
CUNA_TEXELS(int, int)
CUNA_TEXELS(uint, unsigned)
CUNA_TEXELS(float, float)
CUNA_TEXEL(char, 1, word<char>(w[0]))
#define CUNA_WIDE(T)                                                                                                   \
    template <> struct Texel<T> {                                                                                      \
        typedef T element;                                                                                             \
        typedef void none;                                                                                             \
    };
CUNA_WIDE(long long) CUNA_WIDE(longlong1) CUNA_WIDE(longlong2)
CUNA_WIDE(unsigned long long) CUNA_WIDE(ulonglong1) CUNA_WIDE(ulonglong2)
#undef CUNA_WIDE
#undef CUNA_TEXELS
#undef CUNA_TEXEL

/* ---- textures ---- */

[[noreturn]] __attribute__((noinline, cold)) static void refuse_object(const Texture *object, unsigned long long mark)
{
    const char *words = "a texture or surface object that was destroyed, or never was one";
    if (object == nullptr)
        words = "a texture or surface object is 0";
    else if (object->mark == mark)
        words = "a texture or surface object of other axes: tex1Dfetch is for linear memory, tex2D for two axes, "
                "tex2DLayered for layers of two, and so on";
    else if (object->mark == CUNA_TEXTURE_MARK)
        words = "a texture object where a surface object is due";
    else if (object->mark == CUNA_SURFACE_MARK)
        words = "a surface object where a texture object is due";
    ::cuna_raw::trap(words);
}

CUNA_INLINE const Texture &object_of(unsigned long long handle, unsigned long long mark, Axes axes)
{
    const Texture *object = (const Texture *)handle;
    if (__builtin_expect(object == nullptr || object->mark != mark || object->texels.axes != axes, 0))
        refuse_object(object, mark);
    return *object;
}

template <class E> CUNA_INLINE E channel(const unsigned char *at, int c)
{
    E value;
    __builtin_memcpy(&value, at + c * sizeof(E), sizeof value);
    return value;
}

CUNA_INLINE unsigned bits_of_float(float x) { return cuna::same_bits<unsigned>(x); }

/* An integer of n levels above 0 as one from 0 to 1, or from -1 to 1. */
CUNA_INLINE unsigned normalize(const Texture &o, int value, float n, int c)
{
    if (o.curve != nullptr && c < 3)
        return bits_of_float(o.curve[value]);
    float x = float(value) / n;
    return bits_of_float(x < -1 ? -1 : x);
}

CUNA_INLINE unsigned read_channel(const Texture &o, const unsigned char *at, int c)
{
    bool normal = o.reads_float;
    switch (o.texels.format) {
    case FORMAT_U8: return normal ? normalize(o, at[c], 255, c) : at[c];
    case FORMAT_S8: return normal ? normalize(o, (signed char)at[c], 127, 3) : unsigned((signed char)at[c]);
    case FORMAT_U16: {
        unsigned short value = channel<unsigned short>(at, c);
        return normal ? normalize(o, value, 65535, 3) : value;
    }
    case FORMAT_S16: {
        short value = channel<short>(at, c);
        return normal ? normalize(o, value, 32767, 3) : unsigned(value);
    }
    case FORMAT_HALF: return bits_of_float(cuna::to_float(channel<cuna::float16>(at, c)));
    default: return channel<unsigned>(at, c);
    }
}

/* The place of texel i of n; -1: the border is read. */
CUNA_INLINE int place(int i, int n, int address)
{
    if (__builtin_expect(unsigned(i) < unsigned(n), 1))
        return i;
    if (address == ADDRESS_BORDER)
        return -1;
    if (address == ADDRESS_CLAMP)
        return i < 0 ? 0 : n - 1;
    int period = address == ADDRESS_WRAP ? n : 2 * n;
    i %= period;
    i += i < 0 ? period : 0;
    return i < n ? i : period - 1 - i;
}

/* A coordinate in texels, of which none is far outside: there all texels are alike. NaN is on the left. */
CUNA_INLINE float position(const Texture &o, float x, int n, int axis)
{
    float most = float(n) + 1;
    if (o.normalized) {
        if (o.address[axis] == ADDRESS_WRAP)
            x -= __builtin_floorf(x);
        if (o.address[axis] == ADDRESS_MIRROR) { /* texels are mirrored, weights are not */
            x -= 2 * __builtin_floorf(x / 2);
            most += float(n);
        }
        x *= float(n);
    }
    return x > -2 ? x < most ? x : most : -2;
}

/* The nearest multiple of 1/256. */
CUNA_INLINE float to_weight(float x) { return __builtin_floorf(x * 256 + 0.5f) * (1 / 256.0f); }

/* Along one axis: a texel, or two of which the second has the weight. */
struct Tap { int at[2]; float weight; };

CUNA_INLINE Tap tap(const Texture &o, float x, unsigned n, int axis)
{
    x = position(o, x, int(n), axis) - (o.filters ? 0.5f : 0);
    float whole = __builtin_floorf(x);
    int i = int(whole), address = o.address[axis];
    Tap taps = {{place(i, int(n), address), 0}, 0};
    if (o.filters) {
        taps.at[1] = place(i + 1, int(n), address);
        taps.weight = to_weight(x - whole);
    }
    return taps;
}

CUNA_INLINE unsigned read_word(const Texture &o, int x, int y, int z, int c)
{
    if (x < 0 || y < 0 || z < 0)
        return bits_of_float(o.border[c]);
    const Texels &t = o.texels;
    return read_channel(o, t.data + z * t.slice_nbytes + y * t.row_nbytes + unsigned(x) * (size_t)t.nbytes, c);
}

/* Divides a weight among the corners of a square: along its first axis, then each part along the second one. An H100
 * rounds so. */
CUNA_INLINE void divide(float *out, float whole, const Tap &x, const Tap &y)
{
    float right = to_weight(whole * x.weight), left = whole - right;
    out[3] = to_weight(right * y.weight);
    out[2] = -to_weight(-left * y.weight); /* a tie goes down */
    out[1] = right - out[3];
    out[0] = left - out[2];
}

/* The weights of a cell's corners, the first axis first. */
template <int axes> CUNA_INLINE void weigh(float *out, const Tap &x, const Tap &y, const Tap &z)
{
    if (axes == 1) {
        out[0] = 1 - x.weight;
        out[1] = x.weight;
    } else if (axes == 2) {
        divide(out, 1, x, y);
    } else {
        divide(out, 1 - z.weight, x, y);
        divide(out + 4, z.weight, x, y);
    }
}

template <int axes> CUNA_INLINE float blend(const Texture &o, const Tap &x, const Tap &y, const Tap &z, int c)
{
    float sum = 0, weights[8];
    weigh<axes>(weights, x, y, z);
    for (int k = 0; k < 1 << axes; k++)
        sum += weights[k] * word<float>(read_word(o, x.at[k & 1], y.at[k >> 1 & 1], z.at[k >> 2 & 1], c));
    return sum;
}

/* A layer is clamped, as the hardware does it: without a sign, so that one below 0 is the last. */
CUNA_INLINE int layer_of(const Texture &o, int layer)
{
    return unsigned(layer) < o.texels.depth ? layer : int(o.texels.depth) - 1;
}

template <class T, int axes> CUNA_INLINE T fetch(const Texture &o, float x, float y, float z, int layer)
{
    const Texels &t = o.texels;
    int first = layer_of(o, layer);
    Tap u = tap(o, x, t.width, 0), v = {{0, 0}, 0}, w = {{first, first}, 0};
    if (axes > 1)
        v = tap(o, y, t.height, 1);
    if (axes > 2)
        w = tap(o, z, t.depth, 2);
    unsigned words[4] = {0, 0, 0, 0};
    for (int c = 0; c < Texel<T>::lanes && c < t.channels; c++)
        words[c] = o.filters ? bits_of_float(blend<axes>(o, u, v, w, c)) : read_word(o, u.at[0], v.at[0], w.at[0], c);
    return Texel<T>::make(words);
}

template <class T> CUNA_INLINE T fetch_linear(const Texture &o, int i)
{
    unsigned words[4] = {0, 0, 0, 0};
    if (unsigned(i) < o.texels.width)
        for (int c = 0; c < Texel<T>::lanes && c < o.texels.channels; c++)
            words[c] = read_channel(o, o.texels.data + i * (size_t)o.texels.nbytes, c);
    return Texel<T>::make(words);
}

/* One channel of a cell's four texels, which a linear filter would blend, against the clock from below left. */
template <class T> CUNA_INLINE T gather_cell(const Texture &o, float x, float y, int c)
{
    static_assert(Texel<T>::lanes == 4, "tex2Dgather returns four lanes");
    if (!o.gathers)
        ::cuna_raw::trap("tex2Dgather is for textures of a CUDAarray that was made with cudaArrayTextureGather");
    unsigned words[4] = {0, 0, 0, 0};
    Texture cell = o;
    cell.filters = true;
    Tap u = tap(cell, x, o.texels.width, 0), v = tap(cell, y, o.texels.height, 1);
    for (int k = 0; k < 4 && unsigned(c) < o.texels.channels; k++)
        words[k] = read_word(o, u.at[k == 1 || k == 2], v.at[k < 2], 0, c);
    return Texel<T>::make(words);
}

}

/* Each fetch has two forms, and with a level of detail, given or from gradients, the same value. */
#define CUNA_OF(...) __VA_ARGS__
#define CUNA_FETCH(name, parameters, ...)                                                                              \
    template <class T>                                                                                                 \
    CUNA_INLINE typename ::cuna_texture::Texel<T>::type name(cudaTextureObject_t object, CUNA_OF parameters)           \
    {                                                                                                                  \
        return __VA_ARGS__;                                                                                            \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    CUNA_INLINE typename ::cuna_texture::Texel<T>::none name(T *out, cudaTextureObject_t object, CUNA_OF parameters)   \
    {                                                                                                                  \
        *out = __VA_ARGS__;                                                                                            \
    }
#define CUNA_FETCHES(name, gradient, parameters, ...)                                                                  \
    CUNA_FETCH(name, (CUNA_OF parameters), __VA_ARGS__)                                                                \
    CUNA_FETCH(name##Lod, (CUNA_OF parameters, float), __VA_ARGS__)                                                    \
    CUNA_FETCH(name##Grad, (CUNA_OF parameters, gradient, gradient), __VA_ARGS__)
#define CUNA_TEXTURE(axes) ::cuna_texture::object_of(object, CUNA_TEXTURE_MARK, ::cuna_texture::axes)
CUNA_FETCH(tex1Dfetch, (int x), ::cuna_texture::fetch_linear<T>(CUNA_TEXTURE(AXES_LINEAR), x))
CUNA_FETCHES(tex1D, float, (float x), ::cuna_texture::fetch<T, 1>(CUNA_TEXTURE(AXES_1D), x, 0, 0, 0))
CUNA_FETCHES(tex2D, float2, (float x, float y), ::cuna_texture::fetch<T, 2>(CUNA_TEXTURE(AXES_2D), x, y, 0, 0))
CUNA_FETCHES(tex3D, float4, (float x, float y, float z), ::cuna_texture::fetch<T, 3>(CUNA_TEXTURE(AXES_3D), x, y, z, 0))
CUNA_FETCHES(tex1DLayered, float, (float x, int layer),
             ::cuna_texture::fetch<T, 1>(CUNA_TEXTURE(AXES_1D_LAYERED), x, 0, 0, layer))
CUNA_FETCHES(tex2DLayered, float2, (float x, float y, int layer),
             ::cuna_texture::fetch<T, 2>(CUNA_TEXTURE(AXES_2D_LAYERED), x, y, 0, layer))
CUNA_FETCH(tex2Dgather, (float x, float y, int channel = 0),
           ::cuna_texture::gather_cell<T>(CUNA_TEXTURE(AXES_2D), x, y, channel))
#undef CUNA_TEXTURE
#undef CUNA_FETCHES
#undef CUNA_FETCH

/* ---- surfaces ---- */

namespace cuna_texture {

/* Whether a coordinate is inside: i of n where what is accessed has `length`, or brought there. */
CUNA_INLINE bool bound(int &i, long long n, int length, cudaSurfaceBoundaryMode mode)
{
    if (__builtin_expect(i >= 0 && i + (long long)length <= n, 1))
        return true;
    if (mode == cudaBoundaryModeTrap)
        ::cuna_raw::trap("a surface is accessed outside of it; x counts bytes");
    i = i < 0 ? 0 : int(n - length);
    return mode == cudaBoundaryModeClamp && n >= length;
}

/* The address of an element; NULL: outside, where zeros are read. `x` counts bytes. */
template <class T>
CUNA_INLINE T *element_at(unsigned long long handle, Axes axes, int x, int y, int z, cudaSurfaceBoundaryMode mode)
{
    const Texels &t = object_of(handle, CUNA_SURFACE_MARK, axes).texels;
    if (__builtin_expect(x & int(sizeof(T) - 1), 0))
        ::cuna_raw::trap("a surface is accessed at an x that is not a multiple of the element's size; x counts bytes");
    bool is_inside = bound(x, t.width * (long long)t.nbytes, sizeof(T), mode);
    is_inside = bound(y, t.height, 1, mode) && is_inside;
    is_inside = bound(z, t.depth, 1, mode) && is_inside;
    return is_inside ? (T *)(t.data + z * t.slice_nbytes + y * t.row_nbytes + x) : nullptr;
}

template <class T>
CUNA_INLINE T read_surface(unsigned long long handle, Axes axes, int x, int y, int z, cudaSurfaceBoundaryMode mode)
{
    T value;
    const T *at = element_at<T>(handle, axes, x, y, z, mode);
    if (at != nullptr)
        __builtin_memcpy((void *)&value, at, sizeof value);
    else
        __builtin_memset((void *)&value, 0, sizeof value);
    return value;
}

template <class T>
CUNA_INLINE void write_surface(T value, unsigned long long handle, Axes axes, int x, int y, int z,
                               cudaSurfaceBoundaryMode mode)
{
    T *at = element_at<T>(handle, axes, x, y, z, mode);
    if (at != nullptr)
        __builtin_memcpy((void *)at, &value, sizeof value);
}

}

#define CUNA_SURFACE(name, axes, parameters, ...)                                                                      \
    template <class T>                                                                                                 \
    CUNA_INLINE typename ::cuna_texture::Texel<T>::element name##read(                                                 \
        cudaSurfaceObject_t object, CUNA_OF parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)           \
    {                                                                                                                  \
        return ::cuna_texture::read_surface<T>(object, ::cuna_texture::axes, __VA_ARGS__, mode);                       \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    CUNA_INLINE typename ::cuna_texture::Texel<T>::none name##read(                                                    \
        T *out, cudaSurfaceObject_t object, CUNA_OF parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)   \
    {                                                                                                                  \
        *out = ::cuna_texture::read_surface<T>(object, ::cuna_texture::axes, __VA_ARGS__, mode);                       \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    CUNA_INLINE typename ::cuna_texture::Texel<T>::none name##write(                                                   \
        T value, cudaSurfaceObject_t object, CUNA_OF parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)  \
    {                                                                                                                  \
        ::cuna_texture::write_surface(value, object, ::cuna_texture::axes, __VA_ARGS__, mode);                         \
    }
CUNA_SURFACE(surf1D, AXES_1D, (int x), x, 0, 0)
CUNA_SURFACE(surf2D, AXES_2D, (int x, int y), x, y, 0)
CUNA_SURFACE(surf3D, AXES_3D, (int x, int y, int z), x, y, z)
CUNA_SURFACE(surf1DLayered, AXES_1D_LAYERED, (int x, int layer), x, 0, layer)
CUNA_SURFACE(surf2DLayered, AXES_2D_LAYERED, (int x, int y, int layer), x, y, layer)
#undef CUNA_SURFACE
#undef CUNA_OF

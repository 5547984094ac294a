/* raw_float16.cuh: the type of <cupy/float16.cuh>, for all devices: 16 bits whose values are float's. Follows
 * raw_half.cuh. */
#ifndef CUNA_RAW_FLOAT16
#define CUNA_RAW_FLOAT16

class float16 {
    __half data;

  public:
    static const unsigned short nan = 0x7e00;

    float16() = default;
    __device__ __forceinline__ float16(float v) : data(v) {}
    template <class T> explicit __device__ __forceinline__ float16(T v) : data(v) {}
    template <class T> __device__ __forceinline__ float16 &operator=(T v) { return *this = float16(v); }
    float16 &operator=(const float16 &) = default;
    __device__ __forceinline__ operator float() const { return float(data); }

    __device__ __forceinline__ unsigned short to_bits() const { return __half_as_ushort(data); }
    __device__ __forceinline__ static float16 from_bits(unsigned short bits)
    {
        float16 made;
        made.data = __ushort_as_half(bits);
        return made;
    }
    __device__ __forceinline__ bool iszero() const { return (to_bits() & 0x7fff) == 0; }
    __device__ __forceinline__ bool isnan() const { return (to_bits() & 0x7fff) > 0x7c00; }
    __device__ __forceinline__ bool isinf() const { return (to_bits() & 0x7fff) == 0x7c00; }
    __device__ __forceinline__ bool isfinite() const { return (to_bits() & 0x7c00) != 0x7c00; }
    __device__ __forceinline__ bool signbit() const { return (to_bits() & 0x8000) != 0; }

    template <class T> __device__ __forceinline__ float16 &operator+=(T v) { return *this = *this + v; }
    template <class T> __device__ __forceinline__ float16 &operator-=(T v) { return *this = *this - v; }
    template <class T> __device__ __forceinline__ float16 &operator*=(T v) { return *this = *this * v; }
    template <class T> __device__ __forceinline__ float16 &operator/=(T v) { return *this = *this / v; }
};

#endif

/* statement.cuh: what a user's statement may call besides scalar.cuh's functions: raw arrays, positions along axes, and C's
 * names of functions and types. */
#if !defined __CUDACC__ && !defined __CUDACC_RTC__
#define __device__
#define __host__
#define __forceinline__ inline
#endif

namespace cuna {

typedef decltype(sizeof(0)) size_t;
typedef int64 ptrdiff_t;
typedef int8 int8_t; typedef int16 int16_t; typedef int32 int32_t; typedef int64 int64_t;
typedef uint8 uint8_t; typedef uint16 uint16_t; typedef uint32 uint32_t; typedef uint64 uint64_t;

/* A raw array in the argument block; runtime/work/elementwise.c packs the same order. */
template <int NDIM>
struct RawWords {
    word pointer, size, contiguous;
    word shape[NDIM > 0 ? NDIM : 1];
    word stride[NDIM > 0 ? NDIM : 1];  // in bytes
};

/* An element of a raw array whose dtype is computed in another type. */
template <class S>
struct RawElement {
    typedef typename value_of<S>::type V;
    S *place;
    CUNA_INLINE operator V() const { return load(*place); }
    CUNA_INLINE V operator=(V v) const { *place = store<S>(v); return load(*place); }
    CUNA_INLINE V operator=(const RawElement &other) const { return *this = V(other); }
    CUNA_INLINE V operator+=(V v) const { return *this = V(*this) + v; }
    CUNA_INLINE V operator-=(V v) const { return *this = V(*this) - v; }
    CUNA_INLINE V operator*=(V v) const { return *this = V(*this) * v; }
    CUNA_INLINE V operator/=(V v) const { return *this = V(*this) / v; }
};

template <class A, class B> struct is_same { enum { value = 0 }; };
template <class A> struct is_same<A, A> { enum { value = 1 }; };

/* What x[i] is: a reference where elements are their own values, else a RawElement; of a constant array the value. */
template <class S, bool WRITABLE, bool OWN = is_same<S, typename value_of<S>::type>::value> struct raw_access;
template <class S, bool OWN> struct raw_access<S, false, OWN> {
    typedef typename value_of<S>::type type;
    static CUNA_INLINE type of(S *place) { return load(*place); }
};
template <class S> struct raw_access<S, false, true> {
    typedef const S &type;
    static CUNA_INLINE type of(S *place) { return *place; }
};
template <class S> struct raw_access<S, true, true> {
    typedef S &type;
    static CUNA_INLINE type of(S *place) { return *place; }
};
template <class S> struct raw_access<S, true, false> {
    typedef RawElement<S> type;
    static CUNA_INLINE type of(S *place) { RawElement<S> element = {place}; return element; }
};

/* Whether `i % 1` is written of an I, and whether a P becomes a number without being reinterpreted, as pointers would be. */
template <class I> CUNA_INLINE constexpr auto is_integer(int) -> decltype(*(const I *)0 % 1, true) { return true; }
template <class I> CUNA_INLINE constexpr bool is_integer(...) { return false; }
template <class P> CUNA_INLINE constexpr auto is_number(int) -> decltype(static_cast<int64>(*(const P *)0), true)
{
    return true;
}
template <class P> CUNA_INLINE constexpr bool is_number(...) { return false; }

/* What stands in the brackets of x[...]: a number, a pointer to one integer for each axis, or an array of them. */
#define CUNA_RAW_INTEGERS "x[i] and x[index] of a raw array count elements by integers"
template <class P> struct raw_subscript {
    static_assert(is_number<P>(0), CUNA_RAW_INTEGERS);
    template <class R> static CUNA_INLINE typename R::element of(const R &x, const P &position)
    {
        return x.at(static_cast<int64>(position));
    }
};
template <class I> struct raw_subscript<I *> {
    static_assert(is_integer<I>(0), CUNA_RAW_INTEGERS);
    template <class R> static CUNA_INLINE typename R::element of(const R &x, const I *index) { return x.along(index); }
};
template <class I, decltype(sizeof(0)) N> struct raw_subscript<I[N]> : raw_subscript<I *> {
    template <class R> static CUNA_INLINE typename R::element of(const R &x, const I *index)
    {
        static_assert(N == R::ndim, "x[index] of a raw array takes one position for each axis of x");
        return x.along(index);
    }
};

/* An array that the statement indexes: x[i] counts from 0 in C order, x[index] takes one position per axis. Positions are
 * not checked. Strides are in bytes. */
template <class S, int NDIM, bool WRITABLE>
class Raw {
    const RawWords<NDIM> *words;
    typedef raw_access<S, WRITABLE> access;

public:
    enum { ndim = NDIM };
    typedef typename access::type element;
    CUNA_INLINE explicit Raw(const RawWords<NDIM> &w) : words(&w) {}
    CUNA_INLINE int64 size() const { return words->size; }
    CUNA_INLINE const word *shape() const { return words->shape; }
    CUNA_INLINE const word *strides() const { return words->stride; }
    template <class P> CUNA_INLINE element operator[](const P &position) const
    {
        return raw_subscript<P>::of(*this, position);
    }
    template <class I> CUNA_INLINE element along(const I *index) const
    {
        char *place = (char *)words->pointer;
        for (int axis = 0; axis < NDIM; ++axis)
            place += int64(index[axis]) * words->stride[axis];
        return access::of((S *)place);
    }
    CUNA_INLINE element at(int64 i) const
    {
        if (words->contiguous)
            return access::of((S *)words->pointer + i);
        char *place = (char *)words->pointer;
        for (int axis = NDIM - 1; axis >= 0; --axis) {
            place += i % words->shape[axis] * words->stride[axis];
            i /= words->shape[axis];
        }
        return access::of((S *)place);
    }
};

/* Where the loop is, along each of its axes. */
template <int NDIM>
class Indexer {
    int64 index[NDIM > 0 ? NDIM : 1], count;

public:
    enum { ndim = NDIM };
    CUNA_INLINE Indexer(int64 i, int64 size, const word *shape) : count(size)
    {
        index[0] = 0;
        for (int axis = NDIM - 1; axis >= 0; --axis) {
            index[axis] = i % shape[axis];
            i /= shape[axis];
        }
    }
    CUNA_INLINE int64 size() const { return count; }
    CUNA_INLINE const int64 *get() const { return index; }
};

/* C's names. */
template <class A, class B> CUNA_INLINE auto min(A a, B b) -> decltype(a + b) { return b < a ? b : a; }
template <class A, class B> CUNA_INLINE auto max(A a, B b) -> decltype(a + b) { return a < b ? b : a; }
#define CUNA_FLOAT1(name) CUNA_INLINE float name##f(float x) { return name(x); }
#define CUNA_FLOAT2(name) CUNA_INLINE float name##f(float x, float y) { return name(x, y); }
CUNA_FLOAT1(sqrt) CUNA_FLOAT1(fabs) CUNA_FLOAT1(floor) CUNA_FLOAT1(ceil) CUNA_FLOAT1(trunc) CUNA_FLOAT1(rint)
CUNA_FLOAT1(sin) CUNA_FLOAT1(cos) CUNA_FLOAT1(tan) CUNA_FLOAT1(asin) CUNA_FLOAT1(acos) CUNA_FLOAT1(atan)
CUNA_FLOAT1(sinh) CUNA_FLOAT1(cosh) CUNA_FLOAT1(tanh) CUNA_FLOAT1(asinh) CUNA_FLOAT1(acosh) CUNA_FLOAT1(atanh)
CUNA_FLOAT1(exp) CUNA_FLOAT1(exp2) CUNA_FLOAT1(exp10) CUNA_FLOAT1(expm1) CUNA_FLOAT1(cbrt) CUNA_FLOAT1(erf)
CUNA_FLOAT1(erfc) CUNA_FLOAT1(log) CUNA_FLOAT1(log2) CUNA_FLOAT1(log10) CUNA_FLOAT1(log1p)
CUNA_FLOAT2(pow) CUNA_FLOAT2(atan2) CUNA_FLOAT2(hypot) CUNA_FLOAT2(fmod) CUNA_FLOAT2(copysign)
#undef CUNA_FLOAT1
#undef CUNA_FLOAT2
CUNA_INLINE float fminf(float x, float y) { return fmin(x, y); }
CUNA_INLINE float fmaxf(float x, float y) { return fmax(x, y); }
CUNA_INLINE float fmaf(float x, float y, float z) { return fma(x, y, z); }
CUNA_INLINE float rsqrt(float x) { return 1 / sqrt(x); }
CUNA_INLINE double rsqrt(double x) { return 1 / sqrt(x); }
CUNA_INLINE float rsqrtf(float x) { return rsqrt(x); }

}  // namespace cuna

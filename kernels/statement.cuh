/* statement.cuh: what a user's statement may call besides scalar.cuh's functions and the device's vocabulary of CUDA C++:
 * raw arrays, positions along axes, complex numbers by the names of <cupy/complex.cuh>. */
namespace cuna {

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

/* Where a loop or a fold is, along each of the axes from `first` on. */
template <int NDIM>
class Indexer {
    int64 index[NDIM > 0 ? NDIM : 1], count;

public:
    enum { ndim = NDIM };
    CUNA_INLINE Indexer(int64 i, int64 size, const word *shape, int first = 0) : count(size)
    {
        index[0] = 0;
        for (int axis = NDIM - 1; axis >= first; --axis) {
            index[axis - first] = i % shape[axis];
            i /= shape[axis];
        }
    }
    CUNA_INLINE int64 size() const { return count; }
    CUNA_INLINE const int64 *get() const { return index; }
};

/* Complex numbers beside real ones, and the functions of <thrust/complex.h> that rows do not need. A `scalar` does not
 * decide what T is. */
template <class T> struct scalar_of { typedef T type; };
template <class T> using scalar = typename scalar_of<T>::type;
#define CUNA_COMPLEX template <class T> CUNA_INLINE complex<T>
#define CUNA_COMPLEX_OPERATOR(op)                                                                                     \
    CUNA_COMPLEX operator op(complex<T> a, scalar<T> b) { return a op complex<T>(b); }                                \
    CUNA_COMPLEX operator op(scalar<T> a, complex<T> b) { return complex<T>(a) op b; }
CUNA_COMPLEX_OPERATOR(+) CUNA_COMPLEX_OPERATOR(-) CUNA_COMPLEX_OPERATOR(*) CUNA_COMPLEX_OPERATOR(/)
#undef CUNA_COMPLEX_OPERATOR
#define CUNA_COMPLEX_TEST(op)                                                                                         \
    template <class T> CUNA_INLINE bool operator op(complex<T> a, scalar<T> b) { return a op complex<T>(b); }         \
    template <class T> CUNA_INLINE bool operator op(scalar<T> a, complex<T> b) { return complex<T>(a) op b; }
CUNA_COMPLEX_TEST(==) CUNA_COMPLEX_TEST(!=) CUNA_COMPLEX_TEST(<) CUNA_COMPLEX_TEST(<=) CUNA_COMPLEX_TEST(>)
CUNA_COMPLEX_TEST(>=)
#undef CUNA_COMPLEX_TEST
template <class T> CUNA_INLINE bool operator>(complex<T> a, complex<T> b) { return b < a; }
template <class T> CUNA_INLINE bool operator>=(complex<T> a, complex<T> b) { return b <= a; }
CUNA_COMPLEX operator+(complex<T> a) { return a; }
CUNA_COMPLEX min(complex<T> a, complex<T> b) { return b < a ? b : a; }
CUNA_COMPLEX max(complex<T> a, complex<T> b) { return a < b ? b : a; }
CUNA_COMPLEX pow(complex<T> a, scalar<T> b) { return pow(a, complex<T>(b)); }
CUNA_COMPLEX pow(scalar<T> a, complex<T> b) { return pow(complex<T>(a), b); }
template <class T> CUNA_INLINE T arg(complex<T> z) { return angle(z); }
template <class T> CUNA_INLINE T norm(complex<T> z) { return square_length(z); }
CUNA_COMPLEX polar(T length, scalar<T> angle = 0) { return complex<T>(length * cos(angle), length * sin(angle)); }
CUNA_COMPLEX proj(complex<T> z)
{
    return isinf(z) ? complex<T>(limits<T>::infinity(), copysign(T(0), z.im)) : z;
}
#undef CUNA_COMPLEX

}  // namespace cuna

#define CUNA_RAW_COMPLEX  // <cupy/complex.cuh>
namespace thrust {
using namespace cuna;
}

/* CUDA's functions where they and cuna's have one name: a text means CUDA's. Those of complex numbers are found by the
 * type of their arguments. */
#define CUNA_TEXT_NAMES                                                                                               \
    typedef float float16, bfloat16;                                                                                  \
    using ::sqrt; using ::rsqrt; using ::cbrt; using ::fabs; using ::abs; using ::floor; using ::ceil; using ::trunc; \
    using ::rint; using ::round; using ::copysign; using ::fma; using ::sin; using ::cos; using ::tan; using ::asin;  \
    using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh;\
    using ::atanh; using ::exp; using ::exp2; using ::exp10; using ::expm1; using ::log; using ::log2; using ::log10; \
    using ::log1p; using ::pow; using ::hypot; using ::fmod; using ::remainder; using ::ldexp; using ::nextafter;     \
    using ::erf; using ::erfc; using ::min; using ::max; using ::fmin; using ::fmax; using ::isnan; using ::isinf;    \
    using ::isfinite; using ::signbit;

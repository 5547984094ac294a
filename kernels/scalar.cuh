/* scalar.cuh: what an expression may call on bool, integers and floats, equal on every device.
 *
 * Stands on the prelude alone. Nothing here has undefined behaviour: integers are computed as unsigned (they wrap),
 * divisors and shift counts are made harmless first. Where it can be, a choice is an expression without side effects
 * and without calls in its arms, so that loops over it vectorise. */
namespace cuna {

/* load: the value of a stored element. store<S>: the element for a value; float16 and bfloat16 round it. */
template <class S> CUNA_INLINE S load(S s) { return s; }
CUNA_INLINE bool load(bool8 s) { return s.v != 0; }
CUNA_INLINE float load(float16 s) { return to_float(s); }
CUNA_INLINE float load(bfloat16 s) { return from_bits(uint32(s.bits) << 16); }

template <class S> struct storing { template <class V> static CUNA_INLINE S of(V v) { return v; } };
template <> struct storing<bool8> {
    static CUNA_INLINE bool8 of(bool v) { bool8 r = {(unsigned char)v}; return r; }
};
template <> struct storing<float16> {
    static CUNA_INLINE float16 of(float v) { return to_float16(v); }
    static CUNA_INLINE float16 of(double v) { return to_float16(v); }
};
template <> struct storing<bfloat16> {
    static CUNA_INLINE bfloat16 of(float v) { return to_bfloat16(v); }
    static CUNA_INLINE bfloat16 of(double v) { return to_bfloat16(sticky_float(v)); }
};
template <class S, class V> CUNA_INLINE S store(V v) { return storing<S>::of(v); }

/* c ? a : b of bools and whole numbers; floats and complex numbers have their own. */
template <class T> CUNA_INLINE T choose(bool c, T a, T b) { return c ? a : b; }

/* arith<T>::type computes T's sums and products without overflow; quotient<T>::type divides two T's so exactly that
 * truncating gives the integer quotient. */
template <class T> struct arith { typedef uint32 type; };
template <> struct arith<int64> { typedef uint64 type; };
template <> struct arith<uint64> { typedef uint64 type; };
template <> struct arith<float> { typedef float type; };
template <> struct arith<double> { typedef double type; };
template <class T> struct quotient { typedef float type; };
template <> struct quotient<int32> { typedef double type; };
template <> struct quotient<uint32> { typedef double type; };
template <> struct quotient<int64> { typedef int64 type; };
template <> struct quotient<uint64> { typedef uint64 type; };

template <class T> CUNA_INLINE T wrap_add(T a, T b) { typedef typename arith<T>::type U; return T(U(a) + U(b)); }
template <class T> CUNA_INLINE T wrap_sub(T a, T b) { typedef typename arith<T>::type U; return T(U(a) - U(b)); }
template <class T> CUNA_INLINE T wrap_mul(T a, T b) { typedef typename arith<T>::type U; return T(U(a) * U(b)); }
template <class T> CUNA_INLINE T wrap_neg(T a) { typedef typename arith<T>::type U; return T(-U(a)); }

/* The quotient, which is stored as dtype D. Another one for divisors that many elements share is in stages_lanes.cuh. */
template <class D, class T> CUNA_INLINE T divide(T a, T b) { return a / b; }

/* ---- conversion: convert<D>(v) is v as dtype D would hold it, in D's value type ---- */

/* Floats to integers saturate, NaN is 0. `top` may be one more than the maximum, so it is excluded. */
template <class D, class F> CUNA_INLINE D saturate(F v)
{
    const F top = F(limits<D>::max()), bottom = F(limits<D>::min());
    F inside = v >= top ? F(0) : v > bottom ? v : bottom;
    D result = v >= top ? limits<D>::max() : D(inside);
    return v == v ? result : D(0);
}

template <class D, class V> CUNA_INLINE D to_number(V v) { return D(v); }
template <class D> CUNA_INLINE D to_number(bool v) { return D(int8(v)); }
template <class D> CUNA_INLINE D to_number(float v) { return D(0.5f) == D(0) ? saturate<D>(v) : D(v); }
template <class D> CUNA_INLINE D to_number(double v) { return D(0.5) == D(0) ? saturate<D>(v) : D(v); }

/* 64-bit integers round twice on their way to bfloat16, unless the bits below a double's stay visible. */
template <class V> CUNA_INLINE double sticky_double(V v) { return to_number<double>(v); }
CUNA_INLINE double sticky_double(uint64 v) { return double(v >> 53 ? (v & ~uint64(4095)) | (v & 4095 ? 2048 : 0) : v); }
CUNA_INLINE double sticky_double(int64 v)
{
    double size = sticky_double(v < 0 ? -uint64(v) : uint64(v));
    return v < 0 ? -size : size;
}

template <class V, class D> CUNA_INLINE D cast(V v, D *) { return to_number<D>(v); }
template <class V> CUNA_INLINE bool cast(V v, bool8 *) { return v != V(0); }
template <class V> CUNA_INLINE float cast(V v, float16 *) { return round_float16(to_number<float>(v)); }
CUNA_INLINE float cast(double v, float16 *) { return round_float16(v); }
template <class V> CUNA_INLINE float cast(V v, bfloat16 *) { return load(store<bfloat16>(sticky_double(v))); }
CUNA_INLINE float cast(float v, bfloat16 *) { return load(store<bfloat16>(v)); }

template <class D, class V> CUNA_INLINE typename value_of<D>::type convert(V v) { return cast(v, (D *)0); }

/* ---- integer division: by 0 gives 0, the least integer by -1 wraps ---- */

template <class T, class Q> CUNA_INLINE T divide_as(T a, T b, Q *) { return T(Q(a) / Q(b)); }

template <class T> CUNA_INLINE T trunc_divide(T a, T b)
{
    bool unit = limits<T>::is_signed && b == T(-1);
    T q = divide_as(a, b == 0 || unit ? T(1) : b, (typename quotient<T>::type *)0);
    return b == 0 ? T(0) : unit ? wrap_neg(a) : q;
}

template <class T> CUNA_INLINE T fmod(T a, T b)
{
    T rest = wrap_sub(a, wrap_mul(trunc_divide(a, b), b));
    return b == 0 ? T(0) : rest;
}

template <class T> CUNA_INLINE T remainder(T a, T b)
{
    T rest = fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? wrap_add(rest, b) : rest;
}

template <class T> CUNA_INLINE T floor_divide(T a, T b)
{
    T q = trunc_divide(a, b), rest = wrap_sub(a, wrap_mul(q, b));
    return b != 0 && rest != 0 && (rest < 0) != (b < 0) ? wrap_sub(q, T(1)) : q;
}

#ifdef __AVX512DQ__
/* Vectors have no instruction that divides 64-bit integers, but convert them: the product with b's inverse is off by some
 * thousands at most, and what is left then is so small that its quotient is rounded to the nearest integer (the sum with
 * 1.5 * 2^52 does that). So the rest is at most half of b, and differs from that of floor_divide only in its sign. */
template <bool REST> CUNA_INLINE int64 floor_part(int64 a, int64 b)
{
    const double most = 9223372036854774784.0, middle = 6755399441055744.0; /* the double before 2^63 */
    const double inverse = 1.0 / double(b == 0 ? int64(1) : b), about = double(a) * inverse;
    const int64 first = int64(about < most ? about : most), left = wrap_sub(a, wrap_mul(first, b));
    const int64 second = int64((double(left) * inverse + middle) - middle);
    const int64 q = wrap_add(first, second), rest = wrap_sub(left, wrap_mul(second, b));
    const int64 below = rest != 0 ? (rest ^ b) >> 63 : int64(0);
    return b == 0 ? int64(0) : REST ? wrap_add(rest, below & b) : wrap_add(q, below);
}

CUNA_INLINE int64 floor_divide(int64 a, int64 b) { return floor_part<false>(a, b); }
CUNA_INLINE int64 remainder(int64 a, int64 b) { return floor_part<true>(a, b); }
CUNA_INLINE int64 fmod(int64 a, int64 b)
{
    const int64 rest = floor_part<true>(a, b);
    return rest != 0 && (a ^ b) < 0 ? wrap_sub(rest, b) : rest;
}
#endif

/* Column minus row of the element at a row-major position, in rows of a length whose inverse is given too: whole numbers
 * below 2^53. The product with the inverse is off by one row at most. */
CUNA_INLINE double diagonal_of(double position, double length, double inverse)
{
    const double row = floor(position * inverse), column = position - row * length;
    return column - row + (column < 0 ? length + 1 : column < length ? 0.0 : -1 - length);
}

/* ---- float division, as NumPy's divmod ---- */

template <class T> CUNA_INLINE T float_remainder(T a, T b)
{
    T rest = fmod(a, b);
    T moved = (b < 0) != (rest < 0) ? rest + b : rest;
    return b == 0 || rest != rest ? rest : rest != 0 ? moved : copysign(T(0), b);
}

template <class T> CUNA_INLINE T float_floor_divide(T a, T b)
{
    T rest = fmod(a, b), q = (a - rest) / b;
    q = rest != 0 && (b < 0) != (rest < 0) ? q - 1 : q;
    T whole = floor(q);
    whole = q - whole > T(0.5) ? whole + 1 : whole;
    T result = q != 0 ? whole : copysign(T(0), a / b);
    return b == 0 ? a / b : result;
}

CUNA_INLINE float remainder(float a, float b) { return float_remainder(a, b); }
CUNA_INLINE double remainder(double a, double b) { return float_remainder(a, b); }
CUNA_INLINE float floor_divide(float a, float b) { return float_floor_divide(a, b); }
CUNA_INLINE double floor_divide(double a, double b) { return float_floor_divide(a, b); }

/* ---- powers, shifts, common divisors ---- */

template <class T> CUNA_INLINE T power(T base, T exponent)
{
    typedef typename arith<T>::type U;
    bool negative = exponent < 0;
    U result = 1, factor = U(base);
    if (negative)
        return base == T(1) ? T(1) : base == T(-1) ? (exponent & 1 ? T(-1) : T(1)) : T(0);
    for (U left = U(exponent); left != 0; left >>= 1, factor *= factor)
        result = left & 1 ? result * factor : result;
    return T(result);
}
CUNA_INLINE float power(float a, float b) { return pow(a, b); }
CUNA_INLINE double power(double a, double b) { return pow(a, b); }

/* Counts outside 0 .. bits - 1 shift everything out. */
template <class T> CUNA_INLINE T shift_left(T a, T count)
{
    typedef typename arith<T>::type U;
    bool inside = U(count) < 8 * sizeof(T);
    return inside ? T(U(a) << (inside ? U(count) : U(0))) : T(0);
}

template <class T> CUNA_INLINE T shift_right(T a, T count)
{
    typedef typename arith<T>::type U;
    bool inside = U(count) < 8 * sizeof(T);
    return inside ? T(a >> (inside ? U(count) : U(0))) : a < 0 ? T(-1) : T(0);
}

template <class T> CUNA_INLINE T abs(T a) { return a < 0 ? wrap_neg(a) : a; }
CUNA_INLINE bool abs(bool a) { return a; }
CUNA_INLINE float abs(float a) { return fabs(a); }
CUNA_INLINE double abs(double a) { return fabs(a); }

/* |a| as unsigned, so that the least integer has one too. */
template <class T> CUNA_INLINE typename arith<T>::type magnitude(T a)
{
    typedef typename arith<T>::type U;
    return a < 0 ? -U(a) : U(a);
}

template <class U> CUNA_INLINE U common_divisor(U a, U b)
{
    while (b != 0) {
        U rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

template <class T> CUNA_INLINE T gcd(T a, T b) { return T(common_divisor(magnitude(a), magnitude(b))); }

template <class T> CUNA_INLINE T lcm(T a, T b)
{
    auto divisor = common_divisor(magnitude(a), magnitude(b));
    return divisor == 0 ? T(0) : T(magnitude(a) / divisor * magnitude(b));
}

/* ---- order ---- */

template <class A, class B> CUNA_INLINE bool equal(A a, B b) { return a == b; }
template <class A, class B> CUNA_INLINE bool less(A a, B b) { return a < b; }
template <class A, class B> CUNA_INLINE bool less_equal(A a, B b) { return a <= b; }

/* int64 with uint64: by value, not by C's conversion. */
CUNA_INLINE bool equal(int64 a, uint64 b) { return a >= 0 && uint64(a) == b; }
CUNA_INLINE bool equal(uint64 a, int64 b) { return b >= 0 && a == uint64(b); }
CUNA_INLINE bool less(int64 a, uint64 b) { return a < 0 || uint64(a) < b; }
CUNA_INLINE bool less(uint64 a, int64 b) { return b >= 0 && a < uint64(b); }
CUNA_INLINE bool less_equal(int64 a, uint64 b) { return a < 0 || uint64(a) <= b; }
CUNA_INLINE bool less_equal(uint64 a, int64 b) { return b >= 0 && a <= uint64(b); }

template <class T> CUNA_INLINE bool isnan(T a) { return a != a; }
template <class T> CUNA_INLINE bool isinf(T) { return false; }
template <class T> CUNA_INLINE bool isfinite(T) { return true; }
template <class T> CUNA_INLINE bool signbit(T a) { return a < 0; }
CUNA_INLINE bool isinf(float a) { return fabs(a) == limits<float>::infinity(); }
CUNA_INLINE bool isinf(double a) { return fabs(a) == limits<double>::infinity(); }
CUNA_INLINE bool isfinite(float a) { return fabs(a) < limits<float>::infinity(); }
CUNA_INLINE bool isfinite(double a) { return fabs(a) < limits<double>::infinity(); }
CUNA_INLINE bool signbit(bool) { return false; }
CUNA_INLINE bool signbit(float a) { return bits_of(a) >> 31; }
CUNA_INLINE bool signbit(double a) { return bits_of(a) >> 63; }

/* maximum and minimum give NaN if there is one, fmax and fmin the other operand; of equals the first. */
template <class T> CUNA_INLINE T greater_of(T a, T b) { return a < b ? b : a; }
template <class T> CUNA_INLINE T lesser_of(T a, T b) { return b < a ? b : a; }
template <class T> CUNA_INLINE T maximum(T a, T b) { return choose(b != b, b, greater_of(a, b)); }
template <class T> CUNA_INLINE T minimum(T a, T b) { return choose(b != b, b, lesser_of(a, b)); }
template <class T> CUNA_INLINE T fmax(T a, T b) { return choose(a != a, b, greater_of(a, b)); }
template <class T> CUNA_INLINE T fmin(T a, T b) { return choose(a != a, b, lesser_of(a, b)); }
template <class T> CUNA_INLINE T clip(T a, T least, T most) { return minimum(maximum(a, least), most); }

/* ---- floats taken apart ---- */

CUNA_INLINE uint32 bits_of(float16 s) { return s.bits; }
CUNA_INLINE uint32 bits_of(bfloat16 s) { return s.bits; }
CUNA_INLINE float element(uint32 bits, float *) { return from_bits(bits); }
CUNA_INLINE double element(uint64 bits, double *) { return from_bits(bits); }
CUNA_INLINE float16 element(uint32 bits, float16 *) { float16 s = {(unsigned short)bits}; return s; }
CUNA_INLINE bfloat16 element(uint32 bits, bfloat16 *) { bfloat16 s = {(unsigned short)bits}; return s; }

/* Neighbours in D have neighbouring bits, counted away from zero. */
template <class D, class T> CUNA_INLINE T nextafter(T a, T b)
{
    auto bits = bits_of(store<D>(a)), sign = bits_of(store<D>(copysign(T(0), b)));
    auto moved = choose(a == 0, sign + 1, choose((a < b) == (a > 0), bits + 1, bits - 1));
    T next = load(element(moved, (D *)0));
    return choose((a != a) | (b != b), a + b, choose(a == b, b, next));
}

template <class D, class T> CUNA_INLINE T spacing(T a)
{
    return a == 0 ? nextafter<D>(T(0), T(1)) : nextafter<D>(a, a + a) - a;
}

/* Of the magnitude; bits are added up in pairs, fours and bytes. */
template <class T> CUNA_INLINE T bit_count(T a)
{
    uint64 x = a < 0 ? 0 - uint64(a) : uint64(a);
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return T(x * 0x0101010101010101 >> 56);
}

/* x * 2^n, rounded once: in double for float; for double by steps that lose bits only when all are lost. */
CUNA_INLINE double power_of_2(int64 n) { return from_bits(uint64(n + 1023) << 52); }
CUNA_INLINE float ldexp(float x, int64 n) { return float(x * power_of_2(clip(n, int64(-300), int64(300)))); }
CUNA_INLINE double ldexp(double x, int64 n)
{
    n = clip(n, int64(-3000), int64(3000));
    for (int step = 0; step < 2; ++step) {
        int64 part = n > 1023 ? 1023 : n < -1022 ? -969 : 0;
        x *= power_of_2(part);
        n -= part;
    }
    return x * power_of_2(clip(n, int64(-1022), int64(1023)));
}

/* frexp(x) = mantissa(x) * 2^exponent(x) with the mantissa in [0.5, 1); 0, infinities and NaN are their own. */
CUNA_INLINE bool is_plain(float x) { return x != 0 && isfinite(x); }
CUNA_INLINE bool is_plain(double x) { return x != 0 && isfinite(x); }
CUNA_INLINE float scaled_up(float x) { return fabs(x) < 1.17549435e-38f ? x * 33554432.0f : x; }
CUNA_INLINE double scaled_up(double x) { return fabs(x) < 2.2250738585072014e-308 ? x * 18014398509481984.0 : x; }
CUNA_INLINE float mantissa(float x)
{
    return is_plain(x) ? from_bits((bits_of(scaled_up(x)) & 0x807fffffu) | 0x3f000000u) : x;
}
CUNA_INLINE double mantissa(double x)
{
    return is_plain(x) ? from_bits((bits_of(scaled_up(x)) & ~(uint64(0x7ff) << 52)) | uint64(0x3fe) << 52) : x;
}
CUNA_INLINE int32 exponent(float x)
{
    int32 scaled = int32(bits_of(scaled_up(x)) >> 23 & 0xff) - 126;
    return !is_plain(x) ? 0 : fabs(x) < 1.17549435e-38f ? scaled - 25 : scaled;
}
CUNA_INLINE int32 exponent(double x)
{
    int32 scaled = int32(bits_of(scaled_up(x)) >> 52 & 0x7ff) - 1022;
    return !is_plain(x) ? 0 : fabs(x) < 2.2250738585072014e-308 ? scaled - 54 : scaled;
}

/* modf(x) = fraction(x), trunc(x); both keep the sign. */
template <class T> CUNA_INLINE T fraction(T x) { return copysign(isinf(x) ? T(0) : x - trunc(x), x); }

/* ---- the rest, in the order of the table ---- */

template <class T> CUNA_INLINE T sign(T a) { return choose(isnan(a), a, T((a > 0) - (a < 0))); }

template <class T> CUNA_INLINE T reciprocal(T a) { return trunc_divide(T(1), a); }
CUNA_INLINE float reciprocal(float a) { return 1 / a; }
CUNA_INLINE double reciprocal(double a) { return 1 / a; }
template <class T> CUNA_INLINE T rsqrt(T a) { return T(1) / sqrt(a); }
template <class T> CUNA_INLINE T deg2rad(T a) { return a * T(0.017453292519943295); }
template <class T> CUNA_INLINE T rad2deg(T a) { return a * T(57.29577951308232); }

template <class T> CUNA_INLINE T sinc(T a)
{
    T x = T(3.141592653589793) * (a == T(0) ? T(1e-20) : a);
    return sin(x) / x;
}

/* ---- numbers beside what is none ---- */

/* Whether a and b differ by at most atol + rtol |b|; infinities are close to themselves, NaN to nothing. */
template <class T> CUNA_INLINE bool isclose(T a, T b, double rtol, double atol)
{
    return equal(a, b) | (isfinite(b) & (double(abs(a - b)) <= atol + rounded(rtol * double(abs(b)))));
}

/* The greatest finite number of a float dtype, or of a complex one's parts. */
template <class D> struct most {
    static CUNA_INLINE D finite() { return limits<D>::max(); }
};
template <> struct most<float16> {
    static CUNA_INLINE float finite() { return 65504.0f; }
};
template <> struct most<bfloat16> {
    static CUNA_INLINE float finite() { return from_bits(uint32(0x7f7f0000)); }
};

template <class T> CUNA_INLINE T nan_to_num(T a, T nan, T posinf, T neginf)
{
    T number = choose(isinf(a), choose(a > 0, posinf, neginf), a);
    return choose(isnan(a), nan, number);
}
template <class D, class T> CUNA_INLINE T nan_to_num(T a)
{
    return nan_to_num(a, most<D>::finite() * 0, most<D>::finite(), -most<D>::finite());
}

/* What brings a difference of phases to at most half a period, by whole periods; of two ways that are as long, the one in
 * the difference's direction. Nothing of differences below `least`. */
template <class T> CUNA_INLINE T unwrapped_by(T gap, T period, double least)
{
    bool is_whole = T(0.5) == T(0), has_middle = !is_whole || remainder(period, T(2)) == T(0);
    T half = is_whole ? floor_divide(period, T(2)) : period / 2;
    T near = wrap_sub(remainder(wrap_add(gap, half), period), half);
    near = has_middle && near == wrap_neg(half) && gap > T(0) ? half : near;
    return double(abs(gap)) < least ? T(0) : wrap_sub(near, gap);
}

template <class T> CUNA_INLINE T logaddexp(T a, T b)
{
    T gap = fabs(a - b), more = log1p(exp(-gap));
    return greater_of(a, b) + choose(a == b, T(0.6931471805599453), more);
}

template <class T> CUNA_INLINE T logaddexp2(T a, T b)
{
    T gap = fabs(a - b), more = log1p(exp2(-gap)) * T(1.4426950408889634);
    return greater_of(a, b) + choose(a == b, T(1), more);
}

template <class T> CUNA_INLINE T heaviside(T a, T at_zero)
{
    return choose(isnan(a), a, choose(a == 0, at_zero, T(a > 0)));
}

template <class T> CUNA_INLINE T extent(T a) { return fabs(a); }
template <class T> CUNA_INLINE T real(T a) { return a; }
template <class T> CUNA_INLINE T imag(T) { return T(0); }
template <class T> CUNA_INLINE T conj(T a) { return a; }
template <class T> CUNA_INLINE T angle(T a) { return atan2(T(0), a); }

/* Rounding to a number of decimals scales, rounds to even and scales back; integers change for negative numbers. */
template <class T> CUNA_INLINE T float_round(T a, int32 decimals)
{
    T scale = T(exp10(fabs(double(decimals)))), right = rint(a * scale) / scale, left = rint(a / scale) * scale;
    return choose(decimals < 0, left, right);
}
CUNA_INLINE float round(float a, int32 decimals) { return float_round(a, decimals); }
CUNA_INLINE double round(double a, int32 decimals) { return float_round(a, decimals); }
template <class T> CUNA_INLINE T round(T a, int32 decimals)
{
    if (decimals >= 0)
        return a;
    if (decimals < -19)
        return T(0);
    uint64 scale = 1, size = a < 0 ? -uint64(a) : uint64(a);
    for (int32 i = 0; i < -decimals; ++i)
        scale *= 10;
    uint64 whole = size / scale, rest = size % scale;
    bool up = rest > scale - rest || (rest == scale - rest && (whole & 1));
    uint64 result = (whole + up) * scale;
    return T(a < 0 ? -result : result);
}
CUNA_INLINE bool round(bool a, int32) { return a; }

}

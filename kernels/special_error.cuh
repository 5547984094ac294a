/* special_error.cuh: the error function, its relatives and inverses, and the normal distribution's functions.
 *
 * Like all of namespace special they are made of own.cuh's functions and of operations that are rounded exactly, so
 * they have the same bits on every device. Polynomials are Chebyshev interpolants of what the comment above them
 * names, written as powers. spec/special/ compares all of them with mpmath.
 *   erfc, erfcx   by one series over all x >= 0: M. M. Shepherd, J. G. Laframboise, Chebyshev approximation of
 *                 (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity (Mathematics of Computation 36, 1981)
 *   erfinv        of two series in log(1 - x^2), split as by M. Giles (Approximating the erfinv function, GPU Computing
 *                 Gems, 2010), then one step of Halley's method, which float does not need */
namespace cuna {
namespace special {

using own::horner;

/* (erf(x)/x - 1) of z = x^2 in [0, 1]. */
CUNA_INLINE double erf_rest(double z)
{
    return horner(z, 0.12837916709551256, -0.37612638903183543, 0.11283791670945006, -0.02686617064323777,
                  0.0052239776071164225, -0.0008548325975389692, 0.00012055294904839707, -1.492473690741966e-05,
                  1.6447424703317362e-06, -1.6208483801871705e-07, 1.3720064546777686e-08, -7.795898827002142e-10);
}
CUNA_INLINE float erf_rest(float z)
{
    return horner(z, 0.12837917f, -0.37612626f, 0.11283594f, -0.026854211f, 0.0051890872f, -0.00080168643f,
                  7.875875e-05f);
}

/* (1 + 2x) exp(x^2) erfc(x) of x >= 0: in (x - 3) / (x + 3), of floats in (x - 2) / (x + 2). */
CUNA_INLINE double erfcx_series(double x)
{
    return horner((x - 3) / (x + 3), 1.2530080582697296, -0.13562110612458117, -0.04756229435345087,
                  0.1296451587027606, -0.11927366341530699, 0.06830802734397848, -0.023770514918645888,
                  0.002529391816066239, 0.0018886903591561553, -0.0007798322721083991, -0.00010515979981501177,
                  0.00012509935235563107, 4.949484992570595e-06, -2.0100567931289227e-05, -7.315105164159062e-07,
                  3.472414602875686e-06, 3.5683839153992204e-07, -6.166496077604353e-07, -1.4160064940265987e-07,
                  1.0187000600072885e-07, 4.180784698845582e-08, -1.3326364813003834e-08, -8.500397929772615e-09,
                  9.885798831139365e-10, 8.864219016427092e-10);
}
CUNA_INLINE float erfcx_series(float x)
{
    return horner((x - 2) / (x + 2), 1.2769784f, -0.09276376f, -0.16603039f, 0.1640494f, -0.054220185f, -0.008018636f,
                  0.008724295f, 0.0012166655f, -0.0014635117f, -0.0003571779f, 0.00022110545f, 6.310018e-05f,
                  -2.0108931e-05f);
}

/* exp(x^2) erfc(x) of x >= 0. */
template <class T> CUNA_INLINE T erfcx_of_size(T x)
{
    return x == limits<T>::infinity() ? T(0) : T(0.5) * erfcx_series(x) / (T(0.5) + x);
}

/* Sizes whose squares exp takes to 0 or infinity. */
CUNA_INLINE float great_root(float) { return 11; }
CUNA_INLINE double great_root(double) { return 28; }

/* exp(factor x^2) for a factor that is a power of two, or minus one: the square in twice the digits. */
template <class T> CUNA_INLINE T exp_of_square(T x, T factor)
{
    const T limit = great_root(x) * 2, size = fabs(x) > limit ? limit : fabs(x);
    const T high = rounded(size * size), low = fma(size, size, -high);
    return own::exp_of_sum(rounded(factor * high), rounded(factor * low));
}

template <class T> CUNA_INLINE T erfc_of_size(T x) { return exp_of_square(x, T(-1)) * erfcx_of_size(x); }

template <class T> CUNA_INLINE T erfc(T x)
{
    const T upper = erfc_of_size(T(fabs(x)));
    return x < 0 ? 2 - upper : upper;
}

template <class T> CUNA_INLINE T erfcx(T x)
{
    const T size = erfcx_of_size(T(fabs(x)));
    return x < 0 ? fma(T(2), exp_of_square(x, T(1)), -size) : size;
}

/* erf of x >= 1. Of floats 1 - exp(-p), p = -log(erfc(x)) on [1, 4.1]. */
CUNA_INLINE double erf_far(double x) { return 1 - erfc_of_size(x); }
CUNA_INLINE float erf_far(float x)
{
    const float at = (x > 4.1f ? 4.1f : x) - 2.5f;
    return 1 - own::exp(-horner(at, 7.806815f, 5.3526807f, 0.9438936f, 0.01085866f, -0.002165065f, 0.0004200066f,
                                -7.7479715e-05f, 1.3346893e-05f, -1.5917062e-06f));
}

template <class T> CUNA_INLINE T erf(T x)
{
    const T size = fabs(x);
    T near = x, far = x;
    if (is_needed(size < 1))
        near = fma(x, erf_rest(rounded(x * x)), x);
    if (is_needed(!(size < 1)))
        far = copysign(erf_far(size), x);
    return size < 1 ? near : far;
}

/* ---- inverses ---- */

/* About erfinv(x) / x of w = -log(1 - x^2): in w - 3.125 up to 6.25, in 1 / sqrt(w) beyond. */
template <class T> CUNA_INLINE T inverse_factor(T w)
{
    const bool is_near = w < T(6.25);
    T near = w, far = w;
    if (is_needed(is_near))
        near = horner(w - T(3.125), T(1.6536545680743835), T(0.24015818177853077), T(-0.006033710641958821),
                      T(-0.0007406977485896982), T(0.0001867818531635598), T(-1.3888332951186868e-05),
                      T(-1.3863968794003408e-06), T(4.2610125519443354e-07), T(-2.4902560095825105e-08),
                      T(-4.662827472240805e-09), T(6.676776081480337e-10), T(2.357528333465035e-12));
    if (is_needed(!is_near)) {
        const T root = sqrt(w);
        far = root * horner((1 / root - T(0.21875)) * T(16.0 / 3),
                            T(0.9662001155406855), T(-0.037776989176493705), T(0.000804910882842033),
                            T(0.004445358667703793), T(-0.0012951303928919308), T(0.0003849535395287556),
                            T(0.00017774749025982418), T(0.001023637352376428), T(0.0008122844741786776),
                            T(-0.0005959416340565747), T(-0.0012234268629907005), T(0.0001480203104681263),
                            T(0.0007170789604095811), T(1.3802812148862317e-05), T(-0.00018481138270918097));
    }
    return is_near ? near : far;
}

/* The u with erf(u) = x >= 0, x also given as rest = 1 - x. */
CUNA_INLINE float error_inverse(float x, float, float w) { return x * inverse_factor(w); }
CUNA_INLINE double error_inverse(double x, double rest, double w)
{
    const double u = x * inverse_factor(w), half = exp_of_square(u, -0.5); /* its square may be subnormal */
    double lacking = rest, above = u;
    if (is_needed(u < 0.5))
        lacking = choose(u < 0.5, fma(u, erf_rest(rounded(u * u)), u) - x, rest);
    if (is_needed(!(u < 0.5)))
        above = erfcx_of_size(u);
    const double gap = 0.8862269254527580136 * (lacking / half / half - choose(u < 0.5, 0.0, above));
    return u - gap / fma(u, gap, 1.0);
}

/* What an inverse is outside of 0 < rest: infinity at rest 0, NaN beyond it. */
template <class T> CUNA_INLINE T inverse_or_edge(T rest, T value)
{
    return rest > 0 ? value : rest == 0 ? limits<T>::infinity() : limits<T>::nan();
}

template <class T> CUNA_INLINE T erfinv(T x)
{
    const T size = fabs(x), rest = 1 - size, w = -own::log(rounded(rest * (1 + size)));
    const T value = inverse_or_edge(rest, error_inverse(size, rest, w));
    return x == 0 ? x : copysign(value, x);
}

template <class T> CUNA_INLINE T erfcinv(T y)
{
    const T rest = y > 1 ? 2 - y : y, size = 1 - rest, w = -own::log(rounded(rest * (1 + size)));
    const T value = inverse_or_edge(rest, error_inverse(size, rest, w));
    return y > 1 ? -value : value;
}

/* ---- the normal distribution ---- */

/* exp(-x^2/2) erfcx(|x| / sqrt(2)) / 2: the probability beyond |x|. */
template <class T> CUNA_INLINE T normal_tail(T x)
{
    const T scaled = erfcx_of_size(T(fabs(x) * T(0.7071067811865476)));
    return T(0.5) * scaled * exp_of_square(x, T(-0.5));
}

template <class T> CUNA_INLINE T ndtr(T x)
{
    const T tail = normal_tail(x);
    return x > 0 ? 1 - tail : tail;
}

template <class T> CUNA_INLINE T log_ndtr(T x)
{
    const T half = T(0.5) * erfcx_of_size(T(fabs(x) * T(0.7071067811865476)));
    const T left = fma(T(-0.5) * x, x, own::log(half)), right = own::log1p(-normal_tail(x));
    return x < -1 ? left : x > 0 ? right : own::log(normal_tail(x));
}

template <class T> CUNA_INLINE T ndtri(T p)
{
    return T(-1.4142135623730951) * erfcinv(2 * p);
}

}
}

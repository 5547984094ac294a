/* special_error.cuh: the error function, its relatives and inverses, and the normal distribution's functions.
 *
 * Like all of namespace special they are made of own.cuh's functions and of operations that are rounded exactly, so
 * they have the same bits on every device. Polynomials are Chebyshev interpolants of what the comment above them
 * names, written as powers. spec/special/ compares all of them with mpmath.
 *   erfc, erfcx   by one series over all x >= 0: M. M. Shepherd, J. G. Laframboise, Chebyshev approximation of
 *                 (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity (Mathematics of Computation 36, 1981)
 *   erfinv        of series in log(1 - x^2), split as by M. Giles (Approximating the erfinv function, GPU Computing
 *                 Gems, 2010) */
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

/* x where quotients of the middle are taken of what tends to a limit, which it has reached at 1e30. */
template <class T> CUNA_INLINE T at_most_great(T x) { return x < T(1e30) ? x : T(1e30); }

/* (1 + 2x) exp(x^2) erfc(x) of x >= 0: in (x - 3) / (x + 3), of floats in (x - 2) / (x + 2). */
CUNA_INLINE double erfcx_series(double x)
{
    const double at = at_most_great(x), t = quotient_of_middle(at - 3, at + 3);
    return horner(t, 1.2530080582697296, -0.13562110612458117, -0.04756229435345087,
                  0.1296451587027606, -0.11927366341530699, 0.06830802734397848, -0.023770514918645888,
                  0.002529391816066239, 0.0018886903591561553, -0.0007798322721083991, -0.00010515979981501177,
                  0.00012509935235563107, 4.949484992570595e-06, -2.0100567931289227e-05, -7.315105164159062e-07,
                  3.472414602875686e-06, 3.5683839153992204e-07, -6.166496077604353e-07, -1.4160064940265987e-07,
                  1.0187000600072885e-07, 4.180784698845582e-08, -1.3326364813003834e-08, -8.500397929772615e-09,
                  9.885798831139365e-10, 8.864219016427092e-10);
}
CUNA_INLINE float erfcx_series(float x)
{
    const float at = at_most_great(x), t = quotient_of_middle(at - 2, at + 2);
    return horner(t, 1.2769784f, -0.09276376f, -0.16603039f, 0.1640494f, -0.054220185f, -0.008018636f,
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
CUNA_INLINE double erf_far(double x)
{
    const double at = x > 6 ? 6.0 : x, square = rounded(at * at), below = fma(at, at, -square);
    return 1 - own::exp_of_normal(-square, -below) * quotient_of_middle(0.5 * erfcx_series(at), 0.5 + at);
}
CUNA_INLINE float erf_far(float x)
{
    const float at = (x > 4.1f ? 4.1f : x) - 2.5f;
    const float p = horner(at, 7.806815f, 5.3526807f, 0.9438936f, 0.01085866f, -0.002165065f, 0.0004200066f,
                           -7.7479715e-05f, 1.3346893e-05f, -1.5917062e-06f);
    return 1 - own::exp_of_normal(-p, 0.0f);
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

/* erfinv(x) / x of w = -log(1 - x^2) up to 6.25: of t = w - 3.125. */
CUNA_INLINE float inverse_near(float t)
{
    return horner(t, 1.6536546f, 0.24015819f, -0.006033711f, -0.0007406977f, 0.00018678185f, -1.3888333e-05f,
                  -1.386397e-06f, 4.2610125e-07f, -2.490256e-08f, -4.6628275e-09f, 6.676777e-10f, 2.3575284e-12f);
}
CUNA_INLINE double inverse_near(double t)
{
    return horner(t, 1.6536545626831027, 0.2401581824255883, -0.00603367087142785, -0.000740702534154477,
                  0.00018673420802464837, -1.3882523394405316e-05, -1.3654691850603575e-06, 4.234788173782339e-07,
                  -2.9070382262927266e-08, -4.11266082002324e-09, 1.0512181539804126e-09, -5.414287198084716e-11,
                  -1.2976885526532075e-11, 2.6304834740560442e-12, -8.118399443074353e-14, -4.001237735091896e-14,
                  6.596407712420834e-15, -4.0282154327661744e-17, -1.3016928016796445e-16, 1.557432024623325e-17,
                  1.150022252066253e-18, -3.4996044354754177e-19, -1.113483769832702e-21, 3.240704459379902e-21);
}

/* erfinv(x) / sqrt(w) of w from 6.25 on: of u = 1 / sqrt(w), of double in two parts. */
CUNA_INLINE float inverse_far(float u)
{
    return horner((u - 0.25f) * 5.3333335f, 0.9599459f, -0.0371618f, 0.0028204683f, 0.0036500243f, -0.0010783081f,
                  0.00020272411f, -0.00015471726f, -1.6550233e-05f, 6.3532457e-06f, 3.8173657e-05f, -1.3543226e-05f);
}
CUNA_INLINE double inverse_middle(double t)
{
    return horner(t, 0.953846701376089, -0.02395785956386343, 0.001988005337149922, 0.0008807496717591429,
                  -0.00019191635424444797, 6.273762665215411e-06, -1.554938935075156e-05, 5.2914456685994533e-08,
                  3.889958039255385e-06, 1.7031357677290869e-06, -1.6563901062734636e-06, -6.958942352208528e-07,
                  7.554996467948219e-07, 1.826070635812263e-07, -3.7316918776591193e-07, 2.5271078347979296e-08,
                  1.5954098431745575e-07, -6.076894049226829e-08, -5.180009343946527e-08, 3.596301981663856e-08,
                  1.0945751060611819e-08, -1.1230539740143282e-08, -1.1117633480013318e-09, 1.5488843354390535e-09);
}
CUNA_INLINE double inverse_tail(double t)
{
    return horner(t, 0.9901036362766277, -0.01028238926416336, -0.0014904228385492755, 0.0004272210029408012,
                  -7.271858568731025e-05, 1.8931731973327855e-05, -6.4267593361039325e-06, 2.4575782525762343e-06,
                  -1.023362887416633e-06, 4.544036884685537e-07, -2.119571653694493e-07, 1.0366627380657056e-07,
                  -5.1912160189767164e-08, 2.362539688765813e-08, -1.2156319984201048e-08, 1.2966077949079349e-08,
                  -7.368682367288722e-09, -5.473015228916884e-09, 3.4045212628588375e-09, 7.4253874476437104e-09,
                  -4.4503846455829344e-09, -3.317263586271362e-09, 2.0028744903782268e-09, 9.670983955215842e-10,
                  -5.796998925746012e-10);
}
CUNA_INLINE double inverse_far(double u)
{
    const bool is_tail = u < 0.15625;
    double middle = u, tail = u;
    if (is_needed(!is_tail))
        middle = inverse_middle((u - 0.28125) * 8);
    if (is_needed(is_tail))
        tail = inverse_tail((u - 0.09375) * 16);
    return is_tail ? tail : middle;
}

/* erfinv(x), x >= 0. */
template <class T> CUNA_INLINE T inverse_of_size(T x, T w)
{
    const bool is_near = w < T(6.25);
    T near = x, far = x;
    if (is_needed(is_near))
        near = x * inverse_near(w - T(3.125));
    if (is_needed(!is_near)) {
        const T root = sqrt_of_middle(w);
        far = root * inverse_far(quotient_of_middle(T(1), root));
    }
    return is_near ? near : far;
}

/* What an inverse is outside of 0 < rest: infinity at rest 0, NaN beyond it. */
template <class T> CUNA_INLINE T inverse_or_edge(T rest, T value)
{
    return rest > 0 ? value : rest == 0 ? limits<T>::infinity() : limits<T>::nan();
}

template <class T> CUNA_INLINE T erfinv(T x)
{
    const T size = fabs(x), rest = 1 - size, w = -own::log(rounded(rest * (1 + size)));
    const T value = inverse_or_edge(rest, inverse_of_size(size, w));
    return x == 0 ? x : copysign(value, x);
}

template <class T> CUNA_INLINE T erfcinv(T y)
{
    const T rest = y > 1 ? 2 - y : y, size = 1 - rest, w = -own::log(rounded(rest * (1 + size)));
    const T value = inverse_or_edge(rest, inverse_of_size(size, w));
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
    const T x = T(-1.4142135623730951) * erfcinv(2 * p);
    return p == T(0.5) ? T(0) : x;
}

}

/* Functions of special, also those of later texts, that call others which are not inlined. */
namespace calling { using namespace special; }

}

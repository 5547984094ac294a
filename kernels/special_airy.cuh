/* special_airy.cuh: Airy functions and Fresnel's integrals.
 *
 * Airy's, up to 8 from 0, are Maclaurin's series in twice the digits, which outlasts what cancels; beyond, Bessel functions
 * of the orders 1/3 and 2/3 (DLMF 9.6), where they oscillate moved by what the rounding of their argument lost. Fresnel's
 * integrals are their series up to 5, then the auxiliary functions (DLMF 7.12). Both dtypes are computed so. */
namespace cuna {
namespace airy {
using namespace special;

/* Two solutions of f'' = x f at x, or their derivatives: 1 and x at first. */
struct Solutions { twofold even, odd; };

CUNA_APART inline Solutions maclaurin(double x, bool is_slope)
{
    const twofold square = twofold(x) * twofold(x), cube = square * twofold(x);
    twofold even(1), odd(x), sum_even(is_slope ? 0 : 1), sum_odd(is_slope ? 1 : x);
    for (double k = 3; k < 240; k += 3) {
        if (is_slope) {
            sum_even = sum_even + even * square / twofold(k - 1);
            sum_odd = sum_odd + odd * square / twofold(k);
        }
        even = even * cube / twofold((k - 1) * k);
        odd = odd * cube / twofold(k * (k + 1));
        if (!is_slope) {
            sum_even = sum_even + even;
            sum_odd = sum_odd + odd;
        }
        if (fabs(even.high) < 1e-33 * fabs(sum_even.high) && fabs(odd.high) < 1e-33 * fabs(sum_odd.high))
            break;
    }
    return Solutions{sum_even, sum_odd};
}

/* Ai, Ai', Bi and Bi' near 0. */
CUNA_APART inline twofold near_0(double x, bool is_second, bool is_slope)
{
    const Solutions f = maclaurin(x, is_slope);
    const twofold even = twofold(0.3550280538878172, 2.05233632436212e-17) * f.even;
    const twofold odd = twofold(0.2588194037928068, -2.522243111610832e-17) * f.odd;
    return is_second ? twofold(1.7320508075688772, 1.0035084221806903e-16) * (even + odd) : even - odd;
}

/* 2/3 |x|^(3/2). */
CUNA_INLINE twofold zeta_of(double size)
{
    return twofold(size) * special::sqrt(twofold(size)) * twofold(2) / twofold(3);
}

CUNA_INLINE twofold root_3() { return twofold(1.7320508075688772, 1.0035084221806903e-16); }

/* Beyond 8, times exp(zeta) of Ai or exp(-zeta) of Bi. */
CUNA_APART inline twofold far_above(double x, bool is_second, bool is_slope)
{
    const twofold zeta = zeta_of(x), root = special::sqrt(twofold(x) / twofold(3));
    const twofold factor = is_slope ? twofold(x) / root_3() : root;
    const double order = is_slope ? 2.0 / 3 : 1.0 / 3;
    const modified::Scaled<twofold> k = modified::second_kind<twofold>(order, zeta.high, false);
    const twofold decay = k.factor * special::exp(k.exponent) * factor / pi<twofold>();
    if (!is_second)
        return is_slope ? -decay : decay;
    const modified::Scaled<twofold> i = modified::first_kind<twofold>(order, zeta.high);
    const twofold growth = times(i.factor * special::exp(i.exponent - twofold(zeta.high)), ldexp(1.0, i.more)) * factor;
    return times(growth, 2) + root_3() * decay * special::exp(times(twofold(zeta.high), -2));
}

/* Below -8. */
CUNA_APART inline twofold far_below(double size, bool is_second, bool is_slope)
{
    const twofold zeta = zeta_of(size), half_root = times(root_3(), 0.5);
    bessel::Cylinder<twofold> c = bessel::cylinder<twofold>(is_slope ? 2.0 / 3 : 1.0 / 3, zeta.high, true, true);
    const twofold moved = c.y * twofold(zeta.low); /* by the rounding of zeta */
    c.y = c.y + c.j * twofold(zeta.low);
    c.j = c.j - moved;
    const twofold first = times(c.j, 0.5), second = half_root * c.y;
    if (is_slope)
        return is_second ? twofold(size) / root_3() * (first - second) : twofold(size) / twofold(3) * (times(first, 3) + second);
    const twofold root = special::sqrt(twofold(size) / twofold(3));
    return is_second ? -(root * (first + second)) : root / root_3() * (times(first, 3) - second);
}

/* Beyond 1e10: the first terms. */
CUNA_INLINE double endless(double x, bool is_second, bool is_slope, bool is_scaled)
{
    const double root = sqrt(sqrt(x)), size = (is_second ? 0.5641895835477563 : 0.28209479177387814);
    const double scaled = is_slope ? size * root : size / root, sign = is_slope && !is_second ? -1 : 1;
    return is_scaled ? sign * scaled : is_second ? limits<double>::infinity() : sign * 0.0;
}

/* One of the four; `is_scaled`: times exp(zeta), of Bi exp(-zeta). */
CUNA_APART inline double of(double x, bool is_second, bool is_slope, bool is_scaled)
{
    if (x != x)
        return x;
    if (fabs(x) > 1e10)
        return x < 0 ? 0.0 : endless(x, is_second, is_slope, is_scaled);
    if (x < -8)
        return value(far_below(-x, is_second, is_slope));
    const twofold exponent = x > 0 ? (is_second ? -zeta_of(x) : zeta_of(x)) : twofold(0);
    if (x <= 8) {
        const twofold result = near_0(x, is_second, is_slope);
        return is_scaled && x > 0 ? value_times_exp(result, exponent) : value(result);
    }
    const twofold result = far_above(x, is_second, is_slope);
    return is_scaled ? value(result) : value_times_exp(result, -exponent);
}

template <class T> CUNA_INLINE T ai(T x) { return T(of(x, false, false, false)); }
template <class T> CUNA_INLINE T ai_prime(T x) { return T(of(x, false, true, false)); }
template <class T> CUNA_INLINE T bi(T x) { return T(of(x, true, false, false)); }
template <class T> CUNA_INLINE T bi_prime(T x) { return T(of(x, true, true, false)); }
/* Of negative x exp(zeta) is complex, and |exp(-zeta)| 1. */
template <class T> CUNA_INLINE T scaled_ai(T x) { return x < 0 ? limits<T>::nan() : T(of(x, false, false, true)); }
template <class T> CUNA_INLINE T scaled_ai_prime(T x) { return x < 0 ? limits<T>::nan() : T(of(x, false, true, true)); }
template <class T> CUNA_INLINE T scaled_bi(T x) { return T(of(x, true, false, true)); }
template <class T> CUNA_INLINE T scaled_bi_prime(T x) { return T(of(x, true, true, true)); }

/* ---- Fresnel's integrals of sin(pi t^2 / 2) and cos(pi t^2 / 2) from 0 to x ---- */

/* 0 <= x <= 5. */
CUNA_APART inline double fresnel_near(double x, bool is_cosine)
{
    const twofold z = times(pi<twofold>(), 0.5) * twofold(x) * twofold(x), square = z * z;
    double k = is_cosine ? 0 : 1;
    twofold term = is_cosine ? twofold(x) : twofold(x) * z, sum = term / twofold(2 * k + 1);
    for (k += 2; k < 400; k += 2) {
        term = -term * square / twofold(k * (k - 1));
        const twofold part = term / twofold(2 * k + 1);
        sum = sum + part;
        if (fabs(part.high) < 1e-33)
            break;
    }
    return value(sum);
}

/* pi x times the auxiliary functions f and g (DLMF 7.12), z = pi x^2 / 2 above 39. */
CUNA_APART inline double auxiliary(double z, double first)
{
    double term = first, sum = term;
    for (double k = first == 1 ? 0 : 1; k < 60; k += 2) {
        term *= -(k + 0.5) * (k + 1.5) / (z * z);
        sum += term;
        if (fabs(term) < 1e-18)
            break;
    }
    return sum;
}

CUNA_APART inline double fresnel_far(double x, bool is_cosine)
{
    if (x > 1e17)
        return 0.5;
    const double square = x * x, low = fma(x, x, -square), z = 1.5707963267948966 * square;
    const Angle<onefold> angle = angle_of_half_turns<onefold>(0.5 * square);
    const double turn = 1.5707963267948966 * low, sine = fma(turn, angle.cosine.high, angle.sine.high);
    const double cosine = fma(-turn, angle.sine.high, angle.cosine.high);
    const double by = 0.3183098861837907 / x, f = by * auxiliary(z, 1), g = by * auxiliary(z, 0.5 / z);
    return is_cosine ? 0.5 + fma(f, sine, -rounded(g * cosine)) : 0.5 - fma(f, cosine, rounded(g * sine));
}

template <class T> CUNA_INLINE T fresnel(T x, bool is_cosine)
{
    const double size = fabs(double(x)), result = size <= 5 ? fresnel_near(size, is_cosine) : fresnel_far(size, is_cosine);
    return x != x ? x : T(x < 0 ? -result : result);
}
template <class T> CUNA_INLINE T fresnel_sine(T x) { return fresnel(x, false); }
template <class T> CUNA_INLINE T fresnel_cosine(T x) { return fresnel(x, true); }

}
}

/* special_faddeeva.cuh: Faddeeva's function w(z) = exp(-z^2) erfc(-i z), Voigt's profile, Dawson's integral and erfi.
 *
 * w is a trapezoidal or midpoint sum over its integral with the residues at the poles that are near (M. Al Azah,
 * S. N. Chandler-Wilde, Computation of the complex error function using modified trapezoidal rules, SIAM Journal on
 * Numerical Analysis 59, 2021). Both parts of each term are quotients without a sum that cancels. On the real line series
 * of positive terms and the asymptotic one have all digits. */
namespace cuna {
namespace faddeeva {
using namespace special;

struct Plane { double re, im; };

/* i z / (z^2 - node^2) of z = x + i y, x and y not negative. */
CUNA_INLINE Plane part_of(double x, double y, double node)
{
    const double gap = (x - node) * (x + node), down = rounded(y * y), across = 2 * x * y, near = gap - down;
    const double below = fma(near, near, rounded(across * across)), square = fma(node, node, fma(x, x, down));
    return Plane{y * square / below, x * (gap + down) / below};
}

/* 2 exp(-z^2) / (1 + sign exp(-2 pi i z / h)), h the step: its exponents and angles are summed in twice the digits. */
CUNA_APART inline Plane residue(double x, double y, double sign)
{
    if ((x - y) * (x + y) > 750)
        return Plane{0, 0};
    const double by = 12.279920495357862, quotient = 1.9544100476116797 * x;
    double sine, cosine;
    own::sincospi(2 * (quotient - rint(quotient)), sine, cosine);
    const double size = own::exp(-by * y), above = fma(size, cosine, sign), up = size * sine;
    const twofold exact = (twofold(y) - twofold(x)) * (twofold(y) + twofold(x))
                          - twofold(by, -1.474456698229265e-16) * twofold(y);
    const double scale = 2 * own::exp_of_sum(exact.high, exact.low) / fma(above, above, rounded(up * up));
    const Angle<twofold> turn = angle_of(twofold(2 * x) * twofold(y));
    const double re = fma(turn.cosine.high, cosine, rounded(turn.sine.high * sine));
    const double im = fma(turn.cosine.high, sine, -rounded(turn.sine.high * cosine));
    return Plane{scale * fma(re, above, rounded(im * up)), scale * fma(im, above, -rounded(re * up))};
}

/* The sums over the nodes (k + 1/2) h, or k h. */
CUNA_APART inline Plane midpoint_sum(double x, double y)
{
    const double nodes[] = {0.2558316769866221, 0.7674950309598664, 1.2791583849331105, 1.7908217389063548,
                            2.302485092879599,  2.8141484468528435, 3.3258118008260875, 3.837475154799332,
                            4.349138508772576,  4.86080186274582,   5.372465216719065,  5.884128570692309};
    const double weights[] = {0.9366460212365959,     0.5548549101598534,     0.1947095780852903,
                              0.04047614460380574,    0.004984423132468586,   0.00036360898638930446,
                              1.571296901780048e-05,  4.022405421564814e-07,  6.0998249159121596e-09,
                              5.479650239757527e-11,  2.916031755179499e-13,  9.192541525134372e-16};
    Plane sum = {0, 0};
    for (int i = 0; i < 12; ++i) {
        const Plane part = part_of(x, y, nodes[i]);
        sum.re = fma(weights[i], part.re, sum.re);
        sum.im = fma(weights[i], part.im, sum.im);
    }
    return sum;
}
CUNA_APART inline Plane whole_sum(double x, double y)
{
    const double nodes[] = {0.5116633539732443, 1.0233267079464885, 1.5349900619197328, 2.046653415892977,
                            2.558316769866221,  3.0699801238394655, 3.5816434778127095, 4.093306831785954,
                            4.604970185759198,  5.116633539732442,  5.628296893705687};
    const double weights[] = {0.7696654124932398,     0.350919807178411,      0.09478022484215486,
                              0.01516461986454657,    0.0014373060804075317,  8.06995175703046e-05,
                              2.684086793096743e-06,  5.2884221169441576e-08, 6.17247886522431e-10,
                              4.267731135455224e-12,  1.7479879405655014e-14};
    const Plane middle = part_of(x, y, 0);
    Plane sum = {0.5 * middle.re, 0.5 * middle.im};
    for (int i = 0; i < 11; ++i) {
        const Plane part = part_of(x, y, nodes[i]);
        sum.re = fma(weights[i], part.re, sum.re);
        sum.im = fma(weights[i], part.im, sum.im);
    }
    return sum;
}

/* w of x and y not negative. */
CUNA_APART inline Plane of_quadrant(double x, double y)
{
    const double most = x > y ? x : y, far = 0.5641895835477563;
    if (most > 1e8) { /* i / (sqrt(pi) z), and Gauss' bell */
        const double a = x / most, b = y / most, size = far / (fma(a, a, rounded(b * b)) * most);
        return isinf(most) ? Plane{0, 0} : Plane{b * size, a * size};
    }
    const double factor = 0.32573500793527993, quotient = 1.9544100476116797 * x, rest = quotient - floor(quotient);
    const bool is_middle = y >= 6.14 && y >= x, is_whole = !is_middle && rest >= 0.25 && rest <= 0.75;
    const Plane sum = is_whole ? whole_sum(x, y) : midpoint_sum(x, y);
    const Plane more = is_middle ? Plane{0, 0} : residue(x, y, is_whole ? -1 : 1);
    return Plane{fma(factor, sum.re, more.re), fma(factor, sum.im, more.im)};
}

/* 2 exp(-z^2), z = x + i y. */
CUNA_APART inline Plane twice_bell(double x, double y)
{
    const twofold exponent = (twofold(y) - twofold(x)) * (twofold(y) + twofold(x));
    const double size = 2 * own::exp_of_sum(exponent.high, exponent.low);
    const Angle<twofold> turn = angle_of(twofold(2 * x) * twofold(y));
    return Plane{size * turn.cosine.high, -size * turn.sine.high};
}

CUNA_APART inline Plane of_point(double x, double y)
{
    const double nan = limits<double>::nan();
    if (x != x || y != y)
        return Plane{nan, nan};
    const double size = fabs(x);
    Plane w = of_quadrant(size, fabs(y));
    if (y < 0) { /* w(z) = 2 exp(-z^2) - w(-z) */
        const Plane bell = twice_bell(size, y);
        w = Plane{bell.re - w.re, bell.im + w.im};
    }
    return Plane{w.re, x < 0 ? -w.im : w.im};
}

template <class T> CUNA_APART inline T voigt_profile(T place, T sigma, T gamma)
{
    const double x = place, s = sigma, g = gamma, inf = limits<double>::infinity();
    if (x != x || s != s || g != g)
        return limits<T>::nan();
    if (s == 0)
        return T(g == 0 ? (x == 0 ? inf : 0.0) : 0.3183098861837907 * g / fma(x, x, rounded(g * g)));
    if (g == 0) {
        const double at = x / s;
        return T(0.3989422804014327 / s * exp_of_square(at, -0.5));
    }
    const double scale = 0.7071067811865476 / s;
    return T(of_point(x * scale, g * scale).re * (0.3989422804014327 / s));
}

/* The sum of x^(2 k) / (k! (2 k + 1)): the rounding of x^2 is made good by the derivative. */
CUNA_APART inline double growing_sum(double x)
{
    const double square = x * x, low = fma(x, x, -square);
    double term = 1, sum = 1, lost = 0;
    for (double k = 1; k < 400; k += 1) {
        term *= square / k;
        const double part = term / (2 * k + 1), more = sum + part;
        lost += part - (more - sum);
        sum = more;
        if (part < 1e-18 * sum)
            break;
    }
    const double slope = square < 1 ? 0.0 : (own::exp(square) - sum) / (2 * square);
    return sum + fma(low, slope, lost);
}

/* The sum of (2 k - 1)!! / (2 x^2)^k. */
CUNA_APART inline double falling_sum(double square)
{
    double term = 1, sum = 1;
    for (double k = 1; k < 40; k += 1) {
        term *= (k - 0.5) / square;
        sum += term;
        if (term < 1e-18)
            break;
    }
    return sum;
}

/* exp(-x^2) times the integral of exp(t^2) from 0 to x. */
CUNA_APART inline double dawsn(double x)
{
    const double size = fabs(x);
    if (size > 1e150 || !(size >= 6.5))
        return size > 1e150 ? 0.5 / x : exp_of_square(x, -1.0) * x * growing_sum(x);
    return 0.5 / x * falling_sum(x * x);
}
CUNA_INLINE float dawsn(float x) { return float(dawsn(double(x))); }

CUNA_APART inline double erfi(double x)
{
    const double factor = 1.1283791670955126, size = fabs(x), square = x * x;
    if (size > 30 || !(size >= 6.5))
        return size > 30 ? x * limits<double>::infinity() : factor * x * growing_sum(x);
    const double root = own::exp_of_sum(0.5 * square, 0.5 * fma(x, x, -square));
    return root * (0.5 * factor / x * falling_sum(square) * root);
}
CUNA_INLINE float erfi(float x) { return float(erfi(double(x))); }

}
}

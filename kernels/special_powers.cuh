/* special_powers.cuh: functions of powers and logarithms: x^y - 1, the arithmetic-geometric mean, the dilogarithm. */
namespace cuna {
namespace powers {
using namespace special;

/* x^y - 1, also exact where it is small. */
CUNA_APART inline double powm1(double x, double y)
{
    const double inf = limits<double>::infinity(), size = fabs(x);
    if (y == 0 || x == 1)
        return 0;
    if (!(size > 0 && size < inf && fabs(y) < inf) || (x < 0 && !is_whole(y)))
        return own::pow(x, y) - 1;
    Exponent exponent;
    exponent.add_log(y, size);
    const double near = exponent.value();
    if (x < 0 && is_odd(y))
        return -exponent.exp() - 1;
    return fabs(near) < 0.5 ? own::expm1(near) : exponent.exp() - 1;
}
CUNA_INLINE float powm1(float x, float y) { return float(powm1(double(x), double(y))); }

/* The common limit of arithmetic and geometric means; NaN of numbers of both signs. */
CUNA_APART inline double agm(double a, double b)
{
    const double inf = limits<double>::infinity(), nan = limits<double>::nan();
    if (a != a || b != b || (a < 0 && b > 0) || (a > 0 && b < 0) || ((a == 0 || b == 0) && (isinf(a) || isinf(b))))
        return nan;
    if (a == 0 || b == 0 || isinf(a) || isinf(b))
        return a == 0 || b == 0 ? 0.0 : a < 0 ? -inf : inf;
    double x = fabs(a), y = fabs(b);
    const double power = x > 1e150 || y > 1e150 ? power_of_2(-500) : x < 1e-150 || y < 1e-150 ? power_of_2(400) : 1.0;
    x *= power;
    y *= power;
    for (int i = 0; i < 40 && fabs(x - y) > 1e-16 * x; ++i) {
        const double mean = 0.5 * (x + y);
        y = sqrt(x) * sqrt(y);
        x = mean;
    }
    const double mean = 0.5 * (x + y) / power;
    return a < 0 ? -mean : mean;
}
CUNA_INLINE float agm(float a, float b) { return float(agm(double(a), double(b))); }

/* The integral of log(t) / (1 - t) from 1 to x, 1/2 <= x <= 2: Debye's series in u = -log(x) (DLMF 25.12, 24.2.1). */
CUNA_APART inline double dilogarithm_near_1(double x)
{
    const double u = 0 - own::log(x), square = rounded(u * u);
    const double rest = horner(square, 0.027777777777777776, -0.0002777777777777778, 4.72411186696901e-06,
                               -9.185773074661964e-08, 1.8978869988971e-09, -4.0647616451442256e-11,
                               8.921691020456452e-13, -1.9939295860721074e-14, 4.518980029619918e-16);
    return u * fma(square, rest, fma(-0.25, u, 1.0));
}

/* The same of 0 < x <= 2. */
CUNA_INLINE double dilogarithm(double x)
{
    if (x >= 0.5)
        return dilogarithm_near_1(x);
    return 1.6449340668482264 - own::log(x) * own::log1p(-x) - dilogarithm_near_1(1 - x);
}

CUNA_APART inline double spence(double x)
{
    const double inf = limits<double>::infinity();
    if (!(x > 0) || x == inf)
        return x == 0 ? 1.6449340668482264 : x == inf ? -inf : limits<double>::nan();
    if (x <= 2)
        return dilogarithm(x);
    const double log = own::log(x), inverse = 1 / x;
    return fma(-0.5 * log, log, -dilogarithm(inverse));
}
CUNA_INLINE float spence(float x) { return float(spence(double(x))); }

}
}

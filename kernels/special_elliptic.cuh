/* special_elliptic.cuh: complete elliptic integrals, by Gauss' arithmetic-geometric mean (DLMF 19.8).
 *
 * The two means of 1 and sqrt(1 - m) meet after a few steps, each of which doubles the digits. E near m = 1 is the first
 * terms of a series (DLMF 19.12.2). */
namespace cuna {
namespace special {

struct Elliptic { double first, second; }; /* K and E */

/* K and E of the parameter 1 - p, p > 0. */
CUNA_INLINE Elliptic elliptic_of(double p)
{
    double a = 1, g = sqrt(p), weight = 0.5, lost = 0.5 * (1 - p);
    for (int i = 0; i < 14; ++i) {
        const double mean = 0.5 * (a + g), half = 0.5 * (a - g);
        g = sqrt(a * g);
        a = mean;
        weight *= 2;
        lost = fma(weight, half * half, lost);
    }
    const double first = 1.5707963267948966 / a, half_log = 1.3862943611198906 - 0.5 * own::log(p);
    const double near_1 = 0.5 * p * (half_log - 0.5) + 0.1875 * p * p * (half_log - 1.0833333333333333)
                        + 0.1171875 * p * p * p * (half_log - 1.2);
    return Elliptic{first, p < 1e-4 ? 1 + near_1 : first * (1 - lost)};
}

CUNA_INLINE double ellipkm1(double p)
{
    const double inf = limits<double>::infinity(), value = elliptic_of(p).first;
    return p == 0 ? inf : p > 0 && p < inf ? value : p == inf ? 0.0 : limits<double>::nan();
}

CUNA_INLINE double ellipk(double m) { return ellipkm1(1 - m); }
CUNA_INLINE float ellipk(float m) { return float(ellipk(double(m))); }
CUNA_INLINE float ellipkm1(float p) { return float(ellipkm1(double(p))); }

/* E, of m < 0 by E(m) = sqrt(1 - m) E(m / (m - 1)). */
CUNA_INLINE double ellipe(double m)
{
    const double p = m < 0 ? 1 / (1 - m) : 1 - m, value = elliptic_of(p).second * (m < 0 ? sqrt(1 - m) : 1.0);
    const double edge = m == 1 ? 1.0 : m == -limits<double>::infinity() ? -m : limits<double>::nan();
    return m < 1 && m > -limits<double>::infinity() ? value : edge;
}
CUNA_INLINE float ellipe(float m) { return float(ellipe(double(m))); }

}
}

/* own.cc: measures the functions of kernels/own.cuh against long double's of libm.
 *
 * Prints a line per function and type: name, type, the greatest error in ulp, where, and a checksum of all results'
 * bits, which has to be the same however this is compiled. Results are computed in loops that the compiler may
 * vectorise. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "../../kernels/prelude_cpu.h"
#include "../../kernels/scalar.cuh"
#include "../../kernels/own.cuh"

using namespace cuna;

enum { COUNT = 20000 };
static const long double pi = 3.14159265358979323846264338327950288L;
static uint64_t state;

static double uniform()
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state >> 11) / 9007199254740992.0;
}

template <class T> struct Range {
    static T greatest_log() { return sizeof(T) == 4 ? 88 : 709; }
    static T any_positive() { return std::exp(T(uniform() - 0.5) * 2 * greatest_log()); }
};

/* Errors in units of the last digit of `want`; subnormal numbers have that of the least one. */
template <class T> static long double ulps(T got, long double want)
{
    const T nearest = T(want), size = std::fabs(nearest);
    if (got == nearest)
        return 0;
    const T above = std::nextafter(size, std::numeric_limits<T>::infinity());
    return std::fabs((long double)got - want) / ((long double)above - size);
}

template <class T, class F, class G, class D>
static void measure(const char *name, F own, G reference, D draw)
{
    static T x[COUNT], y[COUNT];
    state = 88172645463325252ull;
    for (int i = 0; i < COUNT; ++i)
        x[i] = T(draw());
    for (int i = 0; i < COUNT; ++i)
        y[i] = own(x[i]);
    long double worst = 0;
    T at = 0;
    uint64_t checksum = 0;
    for (int i = 0; i < COUNT; ++i) {
        const long double error = ulps(y[i], reference((long double)x[i]));
        if (!(error <= worst))
            worst = error, at = x[i];
        checksum = (checksum ^ bits_of(y[i])) * 1099511628211ull;
    }
    std::printf("%s %s %.3Lf %.17g %016llx\n", name, sizeof(T) == 4 ? "float" : "double", worst, double(at),
                (unsigned long long)checksum);
}

static long double sine(long double x) /* of pi x */
{
    const long double r = x - 2 * rintl(x / 2), size = fabsl(r);
    return copysignl(size <= 0.25L   ? sinl(pi * size)
                     : size >= 0.75L ? sinl(pi * (1 - size))
                                     : cosl(pi * (0.5L - size)),
                     r);
}

static long double cosine(long double x)
{
    const long double r = fabsl(x - 2 * rintl(x / 2));
    return r <= 0.25L ? cosl(pi * r) : r >= 0.75L ? -cosl(pi * (1 - r)) : sinl(pi * (0.5L - r));
}

template <class T> static void measure_type()
{
    typedef long double L;
    const T greatest = Range<T>::greatest_log();
    auto positive = [] { return Range<T>::any_positive(); };
    auto any = [] { const T x = Range<T>::any_positive(); return uniform() < 0.5 ? x : -x; };
    auto near_one = [] { return 0.5 + uniform(); };
    auto subnormal = [] { return std::numeric_limits<T>::min() * uniform() + std::numeric_limits<T>::denorm_min(); };
    auto log = [](T x) { return own::log(x); };
    measure<T>("log", log, logl, positive);
    measure<T>("log_near_1", log, logl, near_one);
    measure<T>("log_subnormal", log, logl, subnormal);
    auto log1p = [](T x) { return own::log1p(x); };
    measure<T>("log1p", log1p, log1pl, positive);
    measure<T>("log1p_near_0", log1p, log1pl, [] { return 2 * uniform() - 0.999; });
    measure<T>("log1p_tiny", log1p, log1pl, [] { return -std::exp(-1 - 30 * uniform()); });
    auto exp = [](T x) { return own::exp(x); };
    measure<T>("exp", exp, expl, [=] { return (2 * uniform() - 1) * greatest; });
    measure<T>("exp_near_0", exp, expl, [] { return 2 * uniform() - 1; });
    measure<T>("exp_subnormal", exp, expl, [=] { return -greatest * (1 + 0.05 * uniform()); });
    auto expm1 = [](T x) { return own::expm1(x); };
    measure<T>("expm1", expm1, expm1l, [=] { return (2 * uniform() - 1) * greatest; });
    measure<T>("expm1_near_0", expm1, expm1l, [] { return 2 * uniform() - 1; });
    measure<T>("expm1_tiny", expm1, expm1l, [=] { return std::fmod(any(), 1); });
    measure<T>("sinpi", [](T x) { T s, c; own::sincospi(x, s, c); return s; }, sine, [] { return 8 * uniform() - 4; });
    measure<T>("cospi", [](T x) { T s, c; own::sincospi(x, s, c); return c; }, cosine, [] { return 8 * uniform() - 4; });
    measure<T>("tanpi", [](T x) { return own::tanpi(x); }, [](L x) { return sine(x) / cosine(x); },
               [] { return uniform() - 0.5; });
    measure<T>("atan", [](T x) { return own::atan(x); }, atanl, any);
    measure<T>("atan_near_1", [](T x) { return own::atan(x); }, atanl, [] { return 8 * uniform() - 4; });
    measure<T>("pow_great", [](T x) { return own::pow(x, T(0.97)); }, [](L x) { return powl(x, T(0.97)); }, positive);
    measure<T>("pow_steep", [](T x) { return own::pow(x, T(-98.25)); }, [](L x) { return powl(x, -98.25L); }, near_one);
    measure<T>("pow_root", [](T x) { return own::pow(x, T(0.1)); }, [](L x) { return powl(x, T(0.1)); }, subnormal);
    measure<T>("lgamma", [](T x) { return own::lgamma(x); }, lgammal, [] { return 7 + 100 * uniform(); });
    measure<T>("lgamma_great", [](T x) { return own::lgamma(x); }, lgammal, [] { return std::exp(2 + 78 * uniform()); });
    measure<T>("lgamma_tiny", [](T x) { return own::lgamma(x); }, lgammal, [] { return std::exp(-7 - 70 * uniform()); });
    /* plus 1, so that it is the absolute error below 3, where lgamma has its zeros */
    measure<T>("lgamma_plus_1", [](T x) { return 1 + own::lgamma(x); }, [](L x) { return 1 + lgammal(x); },
               [] { return 0.6 + 2.4 * uniform(); });
}

#define CHECK(holds)                                                                                                  \
    if (!(holds))                                                                                                     \
        std::printf("%s does not hold for %s\n", #holds, sizeof(T) == 4 ? "float" : "double");

/* Zeros, infinities, NaN, and what no function is defined for. */
template <class T> static void check_edges()
{
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN(), zero = 0;
    CHECK(own::log(zero) == -inf && own::log(-zero) == -inf && own::log(inf) == inf && own::log(T(1)) == 0);
    CHECK(std::isnan(own::log(T(-1))) && std::isnan(own::log(-inf)) && std::isnan(own::log(nan)));
    CHECK(own::log1p(T(-1)) == -inf && own::log1p(inf) == inf && std::signbit(own::log1p(-zero)));
    CHECK(std::isnan(own::log1p(T(-2))) && std::isnan(own::log1p(nan)));
    CHECK(own::exp(zero) == 1 && own::exp(inf) == inf && own::exp(-inf) == 0 && std::isnan(own::exp(nan)));
    CHECK(own::exp(T(sizeof(T) == 4 ? 88.8 : 709.8)) == inf && own::exp(T(-1000)) == 0);
    CHECK(own::expm1(inf) == inf && own::expm1(-inf) == -1 && std::signbit(own::expm1(-zero)));
    CHECK(std::isnan(own::expm1(nan)));
    CHECK(own::atan(inf) == T(pi / 2) && own::atan(-inf) == -T(pi / 2) && std::isnan(own::atan(nan)));
    CHECK(std::signbit(own::atan(-zero)));
    CHECK(own::pow(zero, T(2)) == 0 && own::pow(zero, T(-2)) == inf && own::pow(zero, zero) == 1);
    CHECK(own::pow(inf, T(2)) == inf && own::pow(inf, T(-2)) == 0 && own::pow(T(1), inf) == 1);
    CHECK(own::pow(T(2), inf) == inf && own::pow(T(2), -inf) == 0 && own::pow(T(0.5), inf) == 0);
    CHECK(own::pow(T(2), T(10)) == 1024 && own::pow(T(4), T(-0.5)) == T(0.5) && own::pow(T(10), T(-5000)) == 0);
    CHECK(std::isnan(own::pow(T(-2), T(2))) && std::isnan(own::pow(nan, T(2))) && std::isnan(own::pow(T(2), nan)));
    CHECK(own::lgamma(zero) == inf && own::lgamma(inf) == inf && std::isnan(own::lgamma(nan)));
}

int main()
{
    measure_type<float>();
    measure_type<double>();
    check_edges<float>();
    check_edges<double>();
}

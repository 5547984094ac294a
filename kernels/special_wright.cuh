/* special_wright.cuh: Wright's generalised Bessel function, the sum over k of x^k / (k! gamma(a k + b)) (DLMF 10.46).
 *
 * No term is negative. The sum goes from the greatest term to both sides; logarithms of terms are in twice the digits. */
namespace cuna {
namespace parameter {

/* Term k of the sum. */
CUNA_APART inline double wright_term(double a, double b, double x, double k)
{
    const double product = rounded(a * k), lost_product = fma(a, k, -product);
    double lost;
    const double at = sum_of(product, b, lost);
    if (at == 0 || at > 1e300)
        return 0;
    lost += lost_product;
    Exponent exponent;
    exponent.add_log(k, x);
    const double of_k = add_gamma(exponent, k + 1, -1), of_at = add_gamma(exponent, at, -1);
    exponent.low -= lost == 0 ? 0.0 : rounded(lost * special::digamma(at));
    return exponent.exp() * of_k * of_at;
}

/* About the k of the greatest term: x (a k + b)^-a = k. */
CUNA_APART inline double wright_peak(double a, double b, double x)
{
    double low = 0, high = x > 1 ? x : 1.0;
    for (int i = 0; i < 60 && high - low > 0.5; ++i) {
        const double k = 0.5 * (low + high);
        const bool is_low = own::log(x) - own::log(k) > a * own::log(a * k + b > 1 ? a * k + b : 1.0);
        low = is_low ? k : low;
        high = is_low ? high : k;
    }
    return floor(low);
}

CUNA_APART inline double wright_sum(double a, double b, double x)
{
    const double peak = wright_peak(a, b, x);
    double sum = 0, lost = 0;
    for (int side = 0; side < 2; ++side)
        for (double k = side ? peak - 1 : peak; k >= 0; k += side ? -1 : 1) {
            const double term = wright_term(a, b, x, k), more = sum + term;
            lost += term - (more - sum);
            sum = more;
            if ((!(term > 1e-18 * sum) && (side || k > peak + 2)) || isinf(sum))
                break;
        }
    return isinf(sum) ? sum : sum + lost;
}

CUNA_APART inline double wright(double a, double b, double x)
{
    const double inf = limits<double>::infinity();
    if (!(a >= 0 && b >= 0 && x >= 0) || a == inf || b == inf)
        return limits<double>::nan();
    if (x == inf)
        return inf;
    if (x == 0)
        return special::rgamma(b);
    if (a > 0)
        return wright_sum(a, b, x);
    Exponent exponent;
    exponent.add(x);
    const double of_b = b == 0 ? 0.0 : add_gamma(exponent, b, -1);
    return b == 0 ? 0.0 : exponent.exp() * of_b;
}

template <class T> CUNA_INLINE T wright_bessel(T a, T b, T x) { return T(wright(a, b, x)); }

}
}

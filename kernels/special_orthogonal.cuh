/* special_orthogonal.cuh: orthogonal polynomials of whole degree (DLMF 18.9), by their recurrences, which ascend: in twice
 * the digits of float64, so that nothing is lost near zeros or by growth. */
namespace cuna {
namespace orthogonal {
using namespace special;

/* A polynomial and the one before it, times 2^exponent. */
template <class R> struct Walk {
    R before, now;
    int64 exponent;

    CUNA_APART inline void step(R next)
    {
        before = now;
        now = next;
        if (fabs(now.high) > 1e200) {
            now = times(now, power_of_2(-600));
            before = times(before, power_of_2(-600));
            exponent += 600;
        }
    }
    CUNA_INLINE double result(double degree) const { return ldexp(value(degree == 0 ? before : now), exponent); }
};

CUNA_INLINE bool is_degree(double n) { return n >= 0 && n == rint(n) && n < 1e9; }

/* Gegenbauer's; with alpha = 1/2 they are Legendre's. */
template <class R> CUNA_APART inline double gegenbauer(double n, R alpha, R x)
{
    const R twice = x + x, shift = alpha + alpha - R(2);
    Walk<R> p = {R(1), alpha * twice, 0};
    for (double k = 2; k <= n; k += 1) p.step(((alpha + R(k - 1)) * twice * p.now - (shift + R(k)) * p.before) / k);
    return p.result(n);
}

/* Chebyshev's: of the first kind from 1 and x on, of the second one from 1 and 2 x. */
template <class R> CUNA_APART inline double chebyshev(double n, R second, R x)
{
    const R twice = x + x;
    Walk<R> p = {R(1), second, 0};
    for (double k = 2; k <= n; k += 1) p.step(twice * p.now - p.before);
    return p.result(n);
}

/* Hermite's: with scale 2 those of the weight exp(-x^2), with 1 those of exp(-x^2 / 2). */
template <class R> CUNA_APART inline double hermite(double n, R x, double scale)
{
    const R along = x * R(scale);
    Walk<R> p = {R(1), along, 0};
    for (double k = 2; k <= n; k += 1) p.step(along * p.now - R(scale * (k - 1)) * p.before);
    return p.result(n);
}

template <class R> CUNA_APART inline double laguerre(double n, R alpha, R x)
{
    Walk<R> p = {R(1), alpha + R(1) - x, 0};
    for (double k = 2; k <= n; k += 1)
        p.step(((alpha + R(2 * k - 1) - x) * p.now - (alpha + R(k - 1)) * p.before) / k);
    return p.result(n);
}

template <class R> CUNA_APART inline double jacobi(double n, R a, R b, R x)
{
    const R sum = a + b, gap = (a - b) * sum;
    Walk<R> p = {R(1), a + R(1) + times((sum + R(2)) * (x - R(1)), 0.5), 0};
    for (double k = 2; k <= n; k += 1) {
        const R twice = sum + R(2 * k), less = twice - R(2);
        const R ahead = (twice - R(1)) * (twice * less * x + gap) * p.now;
        const R behind = times((a + R(k - 1)) * (b + R(k - 1)) * twice * p.before, 2);
        p.step((ahead - behind) / (times((sum + R(k)) * less, 2) * R(k)));
    }
    return p.result(n);
}

/* The binomial coefficient of a + n over n: the value of Jacobi's at 1. */
template <class R> CUNA_INLINE R jacobi_at_1(double n, R a)
{
    R product(1);
    for (double k = 1; k <= n; k += 1) product = product * (a + R(k)) / k;
    return product;
}

#define CUNA_OF_DEGREE(name, degree, call)                                                                             \
    template <class T> CUNA_INLINE T name(T n, T x)                                                                    \
    {                                                                                                                  \
        typedef typename work<T>::type R;                                                                              \
        const double k = degree;                                                                                       \
        return is_degree(k) && x == x ? T(call) : limits<T>::nan();                                                    \
    }
CUNA_INLINE double mirrored(double n) { return n < 0 ? -1 - n : n; }
CUNA_OF_DEGREE(eval_legendre, mirrored(n), gegenbauer<R>(k, R(0.5), R(x)))
CUNA_OF_DEGREE(eval_sh_legendre, mirrored(n), gegenbauer<R>(k, R(0.5), R(x) + R(x) - R(1)))
CUNA_OF_DEGREE(eval_chebyt, fabs(double(n)), chebyshev<R>(k, R(x), R(x)))
CUNA_OF_DEGREE(eval_sh_chebyt, fabs(double(n)), chebyshev<R>(k, R(x) + R(x) - R(1), R(x) + R(x) - R(1)))
CUNA_OF_DEGREE(eval_chebyc, fabs(double(n)), 2 * chebyshev<R>(k, times(R(x), 0.5), times(R(x), 0.5)))
CUNA_OF_DEGREE(eval_chebyu, n, chebyshev<R>(k, R(x) + R(x), R(x)))
CUNA_OF_DEGREE(eval_sh_chebyu, n, chebyshev<R>(k, times(R(x), 4) - R(2), R(x) + R(x) - R(1)))
CUNA_OF_DEGREE(eval_chebys, n, chebyshev<R>(k, R(x), times(R(x), 0.5)))
CUNA_OF_DEGREE(eval_hermite, n, hermite<R>(k, R(x), 2))
CUNA_OF_DEGREE(eval_hermitenorm, n, hermite<R>(k, R(x), 1))
CUNA_OF_DEGREE(eval_laguerre, n, laguerre<R>(k, R(0), R(x)))
#undef CUNA_OF_DEGREE

template <class T> CUNA_INLINE T eval_genlaguerre(T n, T alpha, T x)
{
    typedef typename work<T>::type R;
    return is_degree(n) && alpha > -1 && x == x ? T(laguerre<R>(n, R(alpha), R(x))) : limits<T>::nan();
}
template <class T> CUNA_INLINE T eval_gegenbauer(T n, T alpha, T x)
{
    typedef typename work<T>::type R;
    return is_degree(n) && alpha == alpha && x == x ? T(gegenbauer<R>(n, R(alpha), R(x))) : limits<T>::nan();
}
template <class T> CUNA_INLINE T eval_jacobi(T n, T alpha, T beta, T x)
{
    typedef typename work<T>::type R;
    return is_degree(n) && alpha == alpha && beta == beta && x == x ? T(jacobi<R>(n, R(alpha), R(beta), R(x)))
                                                                   : limits<T>::nan();
}
template <class T> CUNA_APART inline T eval_sh_jacobi(T n, T p, T q, T x)
{
    typedef typename work<T>::type R;
    if (!is_degree(n) || p != p || q != q || x != x)
        return limits<T>::nan();
    const R first = jacobi_at_1(n, R(p) + R(double(n) - 1));
    return T(jacobi<R>(n, R(p) - R(q), R(q) - R(1), R(x) + R(x) - R(1)) / value(first));
}

}
}

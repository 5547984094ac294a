/* special_spherical.cuh: spherical Bessel functions and their derivatives (DLMF 10.47, 10.51): Bessel functions of the
 * order n + 1/2 times sqrt(pi / (2 x)), without the underflow of their product at small x. */
namespace cuna {
namespace spherical {
using namespace special;

/* sqrt(pi / (2 x)). */
template <class R> CUNA_INLINE R factor_of(double x) { return sqrt(times(pi<R>(), 0.5) / x); }

/* Whether a degree is one, and an argument a number. */
CUNA_INLINE bool is_valid(double n, double x) { return n >= 0 && n == rint(n) && n < 1e15 && x == x; }

/* j_n of small x > 0 by powers, or its derivative, of n > 0: that of x^n is a term of its own. */
template <class R> CUNA_APART inline double first_near(double n, double x, bool is_slope)
{
    const R sum = bessel::power_sum<R>(n + 0.5, x, is_slope ? n : 0.0);
    const Gamma<R> gamma = gamma_parts(R(n + 1.5));
    const R root = times(sqrt(pi<R>()), 0.5), factor = sum * gamma.product * (is_slope ? times(root, 0.5) * R(n) : root);
    const double power = is_slope ? n - 1 : n;
    const R log = power == 0 ? R(0) : (special::log(R(x)) - log_2<R>()) * R(power);
    return value_times_exp(factor, log - gamma.exponent);
}

/* j_n, or with `wants_y` y_n, in all digits, x > 0. */
template <class R> CUNA_APART inline R at(double n, double x, bool wants_y)
{
    const bessel::Cylinder<R> c = bessel::cylinder<R>(n + 0.5, x, !wants_y, wants_y);
    const R factor = factor_of<R>(x);
    if (wants_y && x < 1 && !(c.y.high * factor.high > -limits<double>::infinity()))
        return R(-limits<double>::infinity());
    return (wants_y ? c.y : c.j) * factor;
}

/* The derivative f_n' = f_(n - 1) - (n + 1) / x f_n of either. */
template <class R> CUNA_APART inline R slope_at(double n, double x, bool wants_y)
{
    if (n == 0)
        return -at<R>(1, x, wants_y);
    const R now = at<R>(n, x, wants_y);
    const double part = now.high * (n + 1) / x;
    if (isinf(part))
        return R(-part);
    return at<R>(n - 1, x, wants_y) - now * R(n + 1) / x;
}

template <class T> CUNA_APART inline T spherical_jn(T degree, T argument)
{
    typedef typename work<T>::type R;
    const double n = degree, x = fabs(double(argument));
    if (!is_valid(n, x))
        return limits<T>::nan();
    if (x == 0 || x >= 1e15)
        return T(x == 0 && n == 0 ? 1 : 0);
    const bool is_near = bessel::is_short(n + 0.5, x) && !bessel::is_far(n + 0.5, x);
    const T result = T(is_near ? first_near<R>(n, x, false) : value(at<R>(n, x, false)));
    return argument < 0 && is_odd(n) ? -result : result;
}

template <class T> CUNA_APART inline T spherical_jn_prime(T degree, T argument)
{
    typedef typename work<T>::type R;
    const double n = degree, x = fabs(double(argument));
    if (!is_valid(n, x))
        return limits<T>::nan();
    if (x == 0 || x >= 1e15)
        return T(x == 0 && n == 1 ? 0.3333333333333333 : 0.0);
    if (n == 0)
        return -spherical_jn(T(1), argument);
    const bool is_near = bessel::is_short(n + 0.5, x) && !bessel::is_far(n + 0.5, x);
    const T result = T(is_near ? first_near<R>(n, x, true) : value(slope_at<R>(n, x, false)));
    return argument < 0 && !is_odd(n) ? -result : result;
}

/* y_n or its derivative: the sign changes at negative x, and the limit at 0 is infinite. */
template <class T> CUNA_APART inline T second(T degree, T argument, bool is_slope)
{
    typedef typename work<T>::type R;
    const double n = degree, x = fabs(double(argument)), inf = limits<double>::infinity();
    if (!is_valid(n, x))
        return limits<T>::nan();
    if (x == 0 || x >= 1e15)
        return x == 0 ? T(is_slope ? inf : -inf) : T(0);
    const T result = T(value(is_slope ? slope_at<R>(n, x, true) : at<R>(n, x, true)));
    return argument < 0 && is_odd(n) == is_slope ? -result : result;
}

template <class T> CUNA_INLINE T spherical_yn(T n, T x) { return second(n, x, false); }
template <class T> CUNA_INLINE T spherical_yn_prime(T n, T x) { return second(n, x, true); }

/* i_n of x > 0 times `by`. */
template <class R> CUNA_INLINE double modified_first(double n, double x, double by)
{
    modified::Scaled<R> i = modified::first_kind<R>(n + 0.5, x);
    i.factor = i.factor * factor_of<R>(x) * R(by);
    return i.value(R(0));
}

template <class T> CUNA_APART inline T spherical_in(T degree, T argument)
{
    typedef typename work<T>::type R;
    const double n = degree, x = fabs(double(argument));
    if (!is_valid(n, x))
        return limits<T>::nan();
    const double size = x == 0 ? (n == 0 ? 1.0 : 0.0) : isinf(x) ? x : modified_first<R>(n, x, 1);
    return T(argument < 0 && is_odd(n) ? -size : size);
}

/* i_n' = i_(n + 1) + n / x i_n. */
template <class T> CUNA_APART inline T spherical_in_prime(T degree, T argument)
{
    typedef typename work<T>::type R;
    const double n = degree, x = fabs(double(argument));
    if (!is_valid(n, x))
        return limits<T>::nan();
    double size = n == 0 ? x / 3 : n == 1 ? 0.3333333333333333 : n == 2 ? x / 7.5 : 0.0; /* at small x */
    if (x > 1e-160)
        size = isinf(x) ? x : modified_first<R>(n + 1, x, 1) + (n == 0 ? 0.0 : modified_first<R>(n, x, n / x));
    return T(argument < 0 && !is_odd(n) ? -size : size);
}

/* k_n of x > 0 times `by`. */
template <class R> CUNA_APART inline double modified_second(double n, double x, double by)
{
    const int64 room = x < 1e-100 ? 1000 : 0; /* k is great there */
    modified::Scaled<R> k = modified::second_kind<R>(n + 0.5, x, false);
    k.factor = times(k.factor, power_of_2(-room)) * factor_of<R>(x) * R(by);
    k.more += room;
    return k.value(R(-x));
}

template <class T> CUNA_APART inline T spherical_kn(T degree, T x)
{
    typedef typename work<T>::type R;
    const double n = degree;
    if (!is_valid(n, x) || x < 0)
        return limits<T>::nan();
    return x == 0 ? limits<T>::infinity() : isinf(x) ? T(0) : T(modified_second<R>(n, x, 1));
}

/* k_n' = -k_(n - 1) - (n + 1) / x k_n. */
template <class T> CUNA_APART inline T spherical_kn_prime(T degree, T x)
{
    typedef typename work<T>::type R;
    const double n = degree;
    if (!is_valid(n, x) || x < 0)
        return limits<T>::nan();
    if (double(x) < 1e-155 || isinf(x))
        return isinf(x) ? T(-0.0) : -limits<T>::infinity();
    return T(n == 0 ? -modified_second<R>(1, x, 1)
                    : -modified_second<R>(n - 1, x, 1) - modified_second<R>(n, x, (n + 1) / double(x)));
}

}
}

/* special_order_ik.cuh: modified Bessel functions I and K of real order and argument.
 *
 * I is its power series (DLMF 10.25.2), whose terms are positive, or Hankel's expansion (10.40). K of great x is such
 * an expansion too; of the orders mu and mu + 1, |mu| <= 1/2, the integral of exp(-x cosh t) cosh(v t) (10.32.9) by the
 * trapezoidal rule, which converges faster than any power of its step, or near x = 0 a difference of I of both signs;
 * K's recurrence ascends from there (10.29). All is computed times exp(-x), or exp(x). */
namespace cuna {
namespace modified {
using namespace special;

/* factor exp(exponent) 2^more. */
template <class R> struct Scaled {
    R factor, exponent;
    int64 more;

    /* Times exp(x). */
    CUNA_INLINE double value(R x) const { return value_times_exp(factor, exponent + x, more); }
};

/* The sum over k of sign^k a_k(v) / x^k (DLMF 10.17.1). */
template <class R> CUNA_APART inline R asymptotic(double v, double x, double sign)
{
    const R four = times(R(v) * R(v), 4), by = R(sign) / (R(8) * R(x));
    R sum(1), term(1);
    for (int k = 1; k < 4 * x + 2 * v + 100 && fabs(term.high) > R::epsilon() * fabs(sum.high) * 1e-3; ++k) {
        term = term * (four - R((2.0 * k - 1) * (2.0 * k - 1))) * by / k;
        sum = sum + term;
        if (sum.high > 1e300)
            return R(limits<double>::infinity());
        if (k > v && k > 2 * x)
            break;
    }
    return sum;
}

/* The sum of (x^2 / 4)^k / (k! (v + 1)_k), up to terms of the least share of it, divided by 2^more. */
template <class R> CUNA_APART inline R power_sum(double v, double x, double least, int64 &more)
{
    const R z = times(R(x) * R(x), 0.25);
    R sum(1), term(1);
    more = 0;
    for (int k = 1; term.high > least * sum.high; ++k) {
        term = term * z / (R(k) * (R(v) + k));
        sum = sum + term;
        if (sum.high > 1e200) {
            sum = times(sum, power_of_2(-600));
            term = times(term, power_of_2(-600));
            more += 600;
        }
    }
    return sum;
}

/* Whether the expansion of great arguments serves, or none does. */
CUNA_INLINE bool is_far(double v, double x) { return x >= 30 && x >= v * v / 16; }
CUNA_INLINE bool is_beyond(double v, double x) { return v > greatest_order() && x * x > 64 * v; }

/* I_v(x) of v > -1, x > 0. */
template <class R> CUNA_APART inline Scaled<R> first_kind(double v, double x)
{
    if (is_far(v, x))
        return Scaled<R>{asymptotic<R>(v, x, -1) / sqrt(times(pi<R>(), 2) * R(x)), R(x), 0};
    if (is_beyond(v, x))
        return Scaled<R>{R(limits<double>::nan()), R(0), 0};
    int64 more;
    const R sum = power_sum<R>(v, x, R::epsilon(), more);
    const Power<R> power = power_over_gamma<R>(v, x);
    return Scaled<R>{sum * power.factor, power.exponent, more};
}

/* exp(shift) I_v(x), v >= 0, where nothing is added to it: in the digits of a double. */
template <class R> CUNA_INLINE double first_alone(double v, double x, double shift)
{
    if (is_far(v, x) || is_beyond(v, x))
        return first_kind<R>(v, x).value(R(shift));
    Exponent exponent;
    int64 more = 0;
    const double factor = add_power(exponent, v, x), z = 0.25 * x * x;
    const double sum = is_brief(v, z) ? brief_sum(v, z) : value(power_sum<R>(v, x, least_share<R>(), more));
    const auto k = own::exponent_of(sum);
    exponent.add(shift);
    exponent.add_doublings(double(int64(k) + more));
    return own::mantissa_of(sum, k) * factor * exponent.exp();
}

template <class R> struct Pair { R first, second; };

/* exp(x) K of the orders mu and mu + 1, x up to 30. */
template <class R> CUNA_APART inline Pair<R> by_integral(double mu, double x)
{
    const double step = 0.125;
    const R up = exp(R(step)), turn = exp(R(mu) * R(step)), down = R(1) / up, turn_back = R(1) / turn, by = R(-0.5 * x);
    R first(0.5), second(0.5), grown(1), shrunk(1), power(1), back(1), weight(1);
    while (weight.high > 1e-30) {
        grown = grown * up;
        shrunk = shrunk * down;
        power = power * turn;
        back = back * turn_back;
        const R half = grown - 1;
        weight = times(exp(by * half * half * shrunk), 0.5); /* cosh t - 1 = (e^t - 1)^2 / (2 e^t) */
        first = first + weight * (power + back);
        second = second + weight * (power * grown + back * shrunk);
    }
    return Pair<R>{first * R(step), second * R(step)};
}

/* The same in about the digits of a double, x from 1/1000 on: all is positive, so that doubles of exact arguments are enough
 * for its terms. */
template <class R> CUNA_APART inline Pair<R> by_steps(double mu, double x)
{
    const bool is_great = x > 1;
    const double step = is_great ? 0.125 : 0.1875;
    const Step *const steps = is_great ? eighths : sixteenths;
    const R turn = exp(R(mu) * R(step)), turn_back = R(1) / turn;
    R power(1), back(1);
    twofold first(0.5), second(0.5);
    double weight = 1;
    for (int k = 0; weight > 1e-22; ++k) {
        const double at = -x * steps[k].high, low = fma(-x, steps[k].high, -at) - x * steps[k].low;
        weight = 0.5 * own::exp_of_normal(at, low);
        power = power * turn;
        back = back * turn_back;
        const twofold a = quick_sum(first.high, weight * (power.high + back.high));
        const twofold b = quick_sum(second.high, weight * (power.high * steps[k].up + back.high * steps[k].down));
        first = twofold(a.high, first.low + a.low);
        second = twofold(b.high, second.low + b.low);
    }
    return Pair<R>{R(first.high, first.low) * R(step), R(second.high, second.low) * R(step)};
}

/* K_0 (DLMF 10.31.2), x < 1/4. */
template <class R> CUNA_APART inline R zeroth_order(double x, R log_half)
{
    const R z = times(R(x) * R(x), 0.25), start = log_half + euler<R>();
    R sum = -start, term(1), harmonic(0);
    for (int k = 1; k < 14; ++k) {
        term = term * z / (k * k);
        harmonic = harmonic + R(1) / k;
        sum = sum + term * (harmonic - start);
    }
    return sum;
}

/* K of the orders mu and mu + 1, x < 1/4: the Wronskian (10.28.2) gives the second one. */
template <class R> CUNA_APART inline Pair<R> by_difference(double mu, double x)
{
    const Scaled<R> a = first_kind<R>(mu, x), b = first_kind<R>(-mu, x), c = first_kind<R>(mu + 1, x);
    const R low = a.factor * exp(a.exponent), mirrored = b.factor * exp(b.exponent);
    const R log_half = log(R(x)) - log_2<R>();
    /* K is an even function of the order. */
    const bool is_even = fabs(mu) * (1 + fabs(log_half.high)) < R::tiny_order();
    const R first = is_even ? zeroth_order<R>(x, log_half)
                            : times(pi<R>(), 0.5) * (mirrored - low) / angle_of_half_turns<R>(mu).sine;
    return Pair<R>{first, (R(1) / x - c.factor * exp(c.exponent) * first) / low};
}

/* exp(x) K_v(x), v >= 0, x > 0; in all digits of R, or about those of a double. */
template <class R> CUNA_APART inline Scaled<R> second_kind(double v, double x, bool in_full)
{
    if (x >= 30)
        return Scaled<R>{asymptotic<R>(v, x, 1) * sqrt(pi<R>() / (2 * x)), R(0), 0};
    const double n = floor(v + 0.5), mu = v - n;
    const Scaled<R> infinite = {R(1), R(0), 4000};
    if (n > 0 && has_no_quotient(x)) {
        const double level = 0.5 * gamma_over_power(v, x);
        return isinf(level) ? infinite : Scaled<R>{R(level), R(0), 0};
    }
    const bool is_low = x < (in_full ? 0.25 : 0.001);
    Pair<R> k = is_low ? by_difference<R>(mu, x) : in_full ? by_integral<R>(mu, x) : by_steps<R>(mu, x);
    const R step = R(2) / x;
    int64 more = 0;
    for (double i = 1; i < n && more < 3000; ++i) {
        const R next = step * (R(mu) + i) * k.second + k.first;
        k.first = k.second;
        k.second = next;
        if (!(next.high < limits<double>::infinity()))
            return infinite;
        if (next.high > 1e250) {
            k.first = times(k.first, power_of_2(-800));
            k.second = times(k.second, power_of_2(-800));
            more += 800;
        }
    }
    return Scaled<R>{n == 0 ? k.first : k.second, is_low ? R(x) : R(0), more};
}

/* I of any order times exp(-x), or without this factor. */
template <class T> CUNA_APART inline T first(T order, T argument, bool is_scaled)
{
    typedef typename work<T>::type R;
    const double v = order, x = fabs(double(argument)), inf = limits<double>::infinity();
    const bool is_whole = v == rint(v);
    if (v != v || argument != argument || isinf(v) || (argument < 0 && !is_whole))
        return limits<T>::nan();
    const T sign = argument < 0 && is_odd(v) ? T(-1) : T(1);
    if (isinf(x))
        return is_scaled ? T(0) : T(sign * inf);
    if (x == 0)
        return v == 0 ? T(1) : v > 0 || is_whole ? T(0) : T(inf);
    const R shift = R(is_scaled ? -x : 0);
    if (v >= 0 || is_whole)
        return sign * T(first_alone<R>(fabs(v), x, shift.high));
    const Scaled<R> upper = first_kind<R>(-v, x);
    const R factor = angle_of_half_turns<R>(-v).sine * R(2) / pi<R>();
    const Scaled<R> other = second_kind<R>(-v, x, true);
    const double great = factor.high * value_times_exp(other.factor, other.exponent + shift - R(x), other.more);
    if (fabs(great) > 1e280 || isinf(great))
        return T(great);
    const R low = exp(other.exponent + shift - R(x)) * other.factor * R(ldexp(1.0, other.more)) * factor;
    const R high = exp(upper.exponent + shift) * upper.factor * R(ldexp(1.0, upper.more));
    return isinf(high.high) || high.high != high.high ? T(upper.value(shift)) : T(value(high + low));
}

template <class T> CUNA_APART inline T second(T order, T argument, bool is_scaled)
{
    typedef typename work<T>::type R;
    const double v = fabs(double(order)), x = argument, inf = limits<double>::infinity();
    if (v != v || !(x >= 0) || isinf(v))
        return limits<T>::nan();
    if (x == 0 || isinf(x))
        return x == 0 ? T(inf) : T(0);
    return T(second_kind<R>(v, x, false).value(R(is_scaled ? 0 : -x)));
}

template <class T> CUNA_INLINE T iv(T v, T x) { return first(v, x, false); }
template <class T> CUNA_INLINE T ive(T v, T x) { return first(v, x, true); }
template <class T> CUNA_INLINE T kv(T v, T x) { return second(v, x, false); }
template <class T> CUNA_INLINE T kve(T v, T x) { return second(v, x, true); }

}
}

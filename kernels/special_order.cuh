/* special_order.cuh: Bessel functions J and Y of real order and argument.
 *
 * Hankel's expansion (DLMF 10.17) from x = 30 on, where it converges in spite of the order. Below, J is its power
 * series (10.2.2), or the recurrence that descends (10.74), which Neumann's expansion of a power makes absolute
 * (10.23.15). Y of an order in [-1/2, 1/2] is a difference of J of both signs, or near order 0 its value and
 * derivative there (10.8.2, 10.15); the Wronskian (10.5.2) gives the next order, from which Y's recurrence ascends. */
namespace cuna {
namespace bessel {
using namespace special;

template <class R> struct Cylinder { R j, y; };

/* The sums of Hankel's expansion over the terms a_k(v) / x^k of even and odd k. */
template <class R> CUNA_APART inline Cylinder<R> hankel(double v, double x)
{
    const R four = times(R(v) * R(v), 4), by = R(1) / (R(8) * R(x));
    R even(1), odd(0), term(1);
    for (int k = 1; k < 4 * x + 100 && fabs(term.high) > R::epsilon() * 1e-3; ++k) {
        term = term * (four - R((2.0 * k - 1) * (2.0 * k - 1))) * by / k;
        const R part = (k & 2) ? -term : term;
        if (k & 1)
            odd = odd + part;
        else
            even = even + part;
        if (k > x + v && k > 2 * x)
            break;
    }
    const Angle<R> a = angle_of(R(x)), b = angle_of_half_turns<R>(0.5 * v);
    const R c = a.cosine * b.cosine + a.sine * b.sine, s = a.sine * b.cosine - a.cosine * b.sine;
    const R size = half_root<R>() * sqrt(R(2) / (pi<R>() * R(x))), cosine = (c + s) * size, sine = (s - c) * size;
    return Cylinder<R>{cosine * even - sine * odd, sine * even + cosine * odd};
}

/* The sum of (-x^2 / 4)^k / (k! (v + 1)_k), x^2 below about 16 (v + 1), up to terms of the least share of it; if n > 0, each
 * term times 1 + 2 k / n. */
template <class R> CUNA_APART inline R power_sum(double v, double x, double n, double least = R::epsilon())
{
    const R z = times(R(x) * R(x), 0.25);
    R sum(1), term(1);
    for (int k = 1; k < 400 && fabs(term.high) > least * fabs(sum.high); ++k) {
        term = -term * z / (R(k) * (R(v) + k));
        sum = sum + (n == 0 ? term : term * (R(1) + R(2 * k) / n));
    }
    return sum;
}

/* J_v(x) by powers. */
template <class R> CUNA_INLINE R power_series(double v, double x)
{
    const R sum = power_sum<R>(v, x, 0);
    const Power<R> power = power_over_gamma<R>(v, x);
    return sum * power.factor * exp(power.exponent);
}

/* Whether the powers are few; Hankel's expansion is used where it converges. */
CUNA_INLINE bool is_far(double v, double x) { return x >= 30 && x >= v * v / 32; }
CUNA_INLINE bool is_short(double v, double x) { return x * x <= 16 * (v + 1); }

/* What the recurrence that descends finds: J of the orders mu, mu + 1 and mu + n; and the sum over k of
 * (-1)^k J_2k / k, of mu = 0. */
template <class R> struct Descent {
    R first, second, wanted, logarithmic;
    CUNA_INLINE Descent operator*(R by) const { return Descent{first * by, second * by, wanted * by, logarithmic * by}; }
};

/* The same divided by (x / 2)^mu / gamma(mu + 1). */
template <class R> CUNA_APART inline Descent<R> descend(double mu, int n, double x)
{
    const double far = x > n ? x : n;
    int k = int(far + R::descent() * own::pow(far, 1.0 / 3)) + 17;
    const R step = R(2) / x;
    R after(0), now(1e-200), wanted(0), sum(0), logarithmic(0);
    for (k |= 1; k > 0; --k) { /* now is the order mu + k */
        if (k == n)
            wanted = now;
        if ((k & 1) == 0) {
            const double half = k / 2;
            sum = now * (R(mu) + k) + sum * (R(mu) + half) / (half + 1);
            if (mu == 0)
                logarithmic = logarithmic + (k & 2 ? -now : now) / half;
        }
        const R before = step * (R(mu) + k) * now - after;
        after = now;
        now = before;
        if (fabs(now.high) > 1e200) {
            const double down = power_of_2(-600);
            now = times(now, down);
            after = times(after, down);
            wanted = times(wanted, down);
            sum = times(sum, down);
            logarithmic = times(logarithmic, down);
        }
    }
    return Descent<R>{now, after, n == 0 ? now : wanted, logarithmic} * (R(1) / (now + sum));
}
/* (x / 2)^mu / gamma(mu + 1), mu in [-1/2, 1/2]. */
template <class R> CUNA_INLINE R low_power(double mu, double x)
{
    if (mu == 0)
        return R(1);
    const Power<R> power = power_over_gamma<R>(mu, x);
    return power.factor * exp(power.exponent);
}

/* The sum of (-z)^k / (k! (v + 1)_k), v >= -1/2, z up to 4, by one quotient. */
template <class R> CUNA_APART inline R low_sum(double v, R z)
{
    int terms = 9;
    for (double most = 1.0 / 256; most < z.high; most *= 4) terms += 3;
    R sum(1), divisor(1);
    for (int k = terms; k > 0; --k) {
        divisor = divisor * ((R(v) + k) * R(k));
        sum = divisor - z * sum;
    }
    return sum / divisor;
}

/* J of the orders mu, mu + 1, and Neumann's logarithmic series of order 0, where `power` is low_power. */
template <class R> CUNA_INLINE Descent<R> low_orders(double mu, double x, R power)
{
    if (x > 4)
        return descend<R>(mu, 0, x) * power;
    const R half = times(R(x), 0.5), z = half * half;
    R sum(0), term(1), harmonic(0);
    /* The sum of (-1)^k H_k z^k / k!^2, which takes that series' place. */
    for (int k = 1; mu == 0 && fabs(term.high) > 1e-36; ++k) {
        term = -term * z / (double(k) * k);
        harmonic = harmonic + R(1) / k;
        sum = sum + term * harmonic;
    }
    const R first = low_sum<R>(mu, z) * power, second = low_sum<R>(mu + 1, z) * power * half / (R(mu) + 1);
    return Descent<R>{first, second, first, times(sum, 0.5)};
}

/* Y_mu(x) of mu in [-1/2, 1/2], where `at` has J_mu and `power` is low_power. That of -mu follows by reflection. */
template <class R> CUNA_INLINE R low_second(double mu, double x, Descent<R> at, R power)
{
    if (fabs(mu) * (1 + fabs(own::log(x))) < R::tiny_order()) {
        const R log_half = log(R(x)) - log_2<R>();
        const Descent<R> zeroth = mu == 0 ? at : low_orders<R>(0, x, R(1));
        const R rest = (log_half + euler<R>()) * zeroth.first - times(zeroth.logarithmic, 2);
        return times(rest, 2) / pi<R>() - times(pi<R>(), 0.5) * zeroth.first * R(mu);
    }
    const Angle<R> angle = angle_of_half_turns<R>(mu);
    const R other = x > 4 ? descend<R>(-mu, 0, x).first : low_sum<R>(-mu, times(R(x) * R(x), 0.25));
    return at.first * angle.cosine / angle.sine - other / (pi<R>() * R(mu) * power);
}

/* Y of the order mu + n: the exponent keeps it in range. */
template <class R> CUNA_APART inline R ascend(double mu, int n, double x)
{
    if (n > 0 && has_no_quotient(x))
        return R(gamma_over_power(mu + n, x) * -0.3183098861837907);
    const R power = low_power<R>(mu, x);
    const Descent<R> low = low_orders<R>(mu, x, power);
    R before = low_second(mu, x, low, power);
    if (n == 0)
        return before;
    const R step = R(2) / x;
    R now = (low.second * before - step / pi<R>()) / low.first;
    int64 exponent = 0;
    for (int k = 1; k < n && exponent < 3000; ++k) {
        const R after = step * (R(mu) + k) * now - before;
        before = now;
        now = after;
        if (!(fabs(now.high) < limits<double>::infinity()))
            return R(-limits<double>::infinity());
        if (fabs(now.high) > 1e250) {
            now = times(now, power_of_2(-800));
            before = times(before, power_of_2(-800));
            exponent += 800;
        }
    }
    return exponent == 0 ? now : R(ldexp(value(now), exponent));
}

/* J and Y of the order v >= 0, x > 0 finite, where they are wanted. */
template <class R> CUNA_INLINE Cylinder<R> cylinder(double v, double x, bool wants_j, bool wants_y)
{
    if (is_far(v, x))
        return hankel<R>(v, x);
    const double n = floor(v + 0.5);
    if (n > greatest_order() && !is_short(v, x))
        return Cylinder<R>{R(limits<double>::nan()), R(limits<double>::nan())};
    const R j = !wants_j         ? R(0)
                : is_short(v, x) ? power_series<R>(v, x)
                                 : descend<R>(v - n, int(n), x).wanted * low_power<R>(v - n, x);
    if (!wants_y)
        return Cylinder<R>{j, R(0)};
    return Cylinder<R>{j, n > greatest_order() ? R(-limits<double>::infinity()) : ascend<R>(v - n, int(n), x)};
}

/* J_v(x), v >= 0, where nothing is added to it: in the digits of a double. */
template <class R> CUNA_INLINE double first_alone(double v, double x)
{
    const double z = -0.25 * x * x, n = is_short(v, x) ? 0 : floor(v + 0.5);
    if (is_far(v, x) || n > greatest_order())
        return value(cylinder<R>(v, x, true, false).j);
    Exponent exponent;
    const double factor = add_power(exponent, v - n, x);
    const double sum = is_brief(v, z)    ? brief_sum(v, z)
                       : is_short(v, x) ? value(power_sum<R>(v, x, 0, least_share<R>()))
                                        : value(descend<R>(v - n, int(n), x).wanted);
    return sum * factor * exponent.exp();
}

/* first a + second b, where a factor 0 removes infinities. */
template <class R> CUNA_INLINE double mixed(R a, R first, R b, R second)
{
    const bool only_a = b.high == 0, only_b = a.high == 0;
    if (only_a || only_b || isinf(second.high))
        return only_a ? value(a * first) : value(b) * value(second);
    return value(a * first + b * second);
}

template <class T> CUNA_APART inline T jv(T order, T argument)
{
    typedef typename work<T>::type R;
    const double v = order, size = fabs(double(argument)), inf = limits<double>::infinity();
    const bool is_whole = v == rint(v), flips = is_whole && is_odd(v);
    if (v != v || argument != argument || isinf(v) || (argument < 0 && !is_whole))
        return limits<T>::nan();
    if (size == inf || size >= 1e15)
        return T(0);
    if (size == 0 && (v > 0 || is_whole))
        return v == 0 ? T(1) : v < 0 && flips ? T(-0.0) : T(0);
    if (size == 0)
        return is_odd(floor(v)) ? T(inf) : -T(inf);
    if (v >= 0 || is_whole)
        return T((flips && (argument < 0) != (v < 0) ? -1 : 1) * first_alone<R>(fabs(v), size));
    const Angle<R> angle = angle_of_half_turns<R>(-v);
    const Cylinder<R> c = cylinder<R>(-v, size, angle.cosine.high != 0, true);
    return T(mixed(angle.cosine, c.j, -angle.sine, c.y));
}

template <class T> CUNA_APART inline T yv(T order, T argument)
{
    typedef typename work<T>::type R;
    const double v = order, x = argument, inf = limits<double>::infinity();
    if (v != v || !(x >= 0) || isinf(v))
        return limits<T>::nan();
    if (x >= 1e15)
        return T(0);
    const Angle<R> angle = v < 0 ? angle_of_half_turns<R>(-v) : Angle<R>{R(0), R(1)};
    if (x == 0)
        return angle.cosine.high < 0 ? T(inf) : -T(inf);
    const Cylinder<R> c = cylinder<R>(fabs(v), x, angle.sine.high != 0, angle.cosine.high != 0);
    return T(mixed(angle.sine, c.j, angle.cosine, c.y));
}

}
}

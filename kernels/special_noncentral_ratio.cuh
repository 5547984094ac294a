/* special_noncentral_ratio.cuh: the noncentral F and t distributions and their inverses.
 *
 * F is a sum as chi square is. So is t on the side of its noncentrality (R. V. Lenth, Algorithm AS 243, Applied
 * Statistics 38, 1989; DLMF 8.17 has the central probabilities). On the other side those terms cancel: there the
 * probability is the integral of chi's density times that of the normal distribution beyond, by the trapezoidal rule
 * in the logarithm of chi around the greatest value of the product. */
namespace cuna {
namespace parameter {

/* ---- F ---- */

/* Degrees of freedom from which a mean of squares is 1. */
CUNA_INLINE double endless_degrees() { return 1e20; }

CUNA_APART inline Parts noncentral_f(double m, double n, double nc, double x)
{
    const double inf = limits<double>::infinity(), nan = limits<double>::nan();
    if (!(m > 0 && n > 0 && nc >= 0 && x >= 0 && nc <= 2 * greatest_mean() && m < inf))
        return Parts{nan, nan};
    const double product = rounded(m * x);
    if (product == 0 || product == inf)
        return product == 0 ? Parts{0, 1} : Parts{1, 0};
    if (n >= endless_degrees())
        return noncentral_chi(product, m, nc);
    return mixture(BetaFamily{0.5 * m, 0.5 * n, split_by(product, fma(m, x, -product), n)}, 0.5 * nc);
}

/* Whether the numbers of an inverse are numbers, and those that are positive so. */
CUNA_INLINE bool are_valid(double a, double b, double nc)
{
    const double inf = limits<double>::infinity();
    return a > 0 && b > 0 && a < inf && b < inf && nc >= 0 && nc <= 2 * greatest_mean();
}

struct NoncentralRatio {
    double m, n, nc;
    CUNA_INLINE bool is_valid() const { return are_valid(m, n, nc); }
    CUNA_APART Parts at(double x) const { return other(noncentral_f(m, n, nc, x)); }
};
struct DegreesBelow {
    double m, nc, x;
    CUNA_INLINE bool is_valid() const { return are_valid(m, x, nc); }
    CUNA_APART Parts at(double n) const { return other(noncentral_f(m, n, nc, x)); }
};
struct DegreesAbove {
    double n, nc, x;
    CUNA_INLINE bool is_valid() const { return are_valid(n, x, nc); }
    CUNA_APART Parts at(double m) const { return noncentral_f(m, n, nc, x); }
};
struct RatioNoncentrality {
    double m, n, x;
    CUNA_INLINE bool is_valid() const { return are_valid(m, n, 0) && x > 0 && m * x < 1e10; }
    CUNA_APART Parts at(double nc) const
    {
        return nc <= 2 * greatest_mean() ? noncentral_f(m, n, nc, x) : Parts{0, 1};
    }
};

template <class T> CUNA_INLINE T ncfdtr(T m, T n, T nc, T x) { return T(noncentral_f(m, n, nc, x).lower); }
template <class T> CUNA_INLINE T ncfdtri(T m, T n, T nc, T p)
{
    const double first = 1 + double(nc) / double(m);
    return T(solved(NoncentralRatio{double(m), double(n), double(nc)}, other(wanted(p)), first));
}
template <class T> CUNA_INLINE T ncfdtridfd(T m, T p, T nc, T x)
{
    return T(nearest(DegreesBelow{double(m), double(nc), double(x)}, other(wanted(p)), 5));
}
template <class T> CUNA_INLINE T fdtridfd(T m, T p, T x) { return ncfdtridfd(m, p, T(0), x); }
template <class T> CUNA_INLINE T ncfdtridfn(T p, T n, T nc, T x)
{
    return T(nearest(DegreesAbove{double(n), double(nc), double(x)}, wanted(p), 5));
}
template <class T> CUNA_INLINE T ncfdtrinc(T m, T n, T p, T x)
{
    return T(solved(RatioNoncentrality{double(m), double(n), double(x)}, wanted(p), double(m) * double(x)));
}

/* ---- Student's t: between a normal variable around `nc` and a root of a mean of squares ---- */

/* Beyond -t of nc = shift: the product of the densities around s = chi / sqrt(df), over its value there, at s exp(v). */
struct TailProduct {
    double part, edge, lost_edge, square, lost_square, linear, slope, scaled;

    CUNA_APART inline TailProduct(double df, double t, double shift, double s)
    {
        const double first = df * s, lost_part = fma(t, s, -(t * s));
        part = t * s;
        edge = sum_of(part, shift, lost_edge);
        lost_edge += lost_part;
        square = first * s;
        lost_square = fma(first, s, -square) + fma(df, s, -first) * s;
        linear = rounded(part * edge);
        const double lost_linear = fma(part, edge, -linear) + fma(lost_part, edge, rounded(part * lost_edge));
        double lost;
        const double rest = sum_of(square, linear, lost);
        slope = (df - rest) - (lost + lost_linear + lost_square);
        scaled = erfcx_of_size(0.7071067811865476 * edge);
    }
    CUNA_APART inline double operator()(double v) const
    {
        const double grown = own::expm1(v), more = part * grown, bend = fabs(v) < 0.5 ? exp_bend(v) : grown - v;
        const double double_bend = fabs(v) < 0.25 ? 0.5 * exp_bend(2 * v) : fma(0.5 * grown, grown + 2, -v);
        const double curve = fma(square, double_bend, fma(linear, bend, rounded(0.5 * more * more)));
        const double exponent = fma(slope, v, -curve);
        return exponent < -50 ? 0.0 : own::exp(exponent) * (erfcx_of_size(0.7071067811865476 * (edge + more)) / scaled);
    }
};

/* About the s at which the product is greatest: by Newton's method in log(s), with the rate phi / Phi nearly. */
CUNA_APART inline double greatest_product(double df, double t, double shift, double &width)
{
    const double drift = t * shift, all = fma(t, t, df);
    double s = 2 * df / (drift + sqrt(fma(drift, drift, 4 * df * all))), bend = 1;
    for (int i = 0; i < 8; ++i) {
        const double part = t * s, edge = part + shift, root = sqrt(fma(edge, edge, 2.546479089470325));
        const double rate = 0.5 * (edge + root), turn = 0.5 * (1 + edge / root), square = df * s * s;
        bend = 2 * square + part * fma(turn, part, rate);
        s *= own::exp((df - square - part * rate) / bend);
    }
    width = 1 / sqrt(bend);
    return s;
}

/* The sum of the product over v = step k, or where df is little, v = u - exp(-u) + 1, which reaches its long side. */
CUNA_APART inline double trapezoid(const TailProduct &product, double df, double step)
{
    const bool is_long = df < 8;
    double sum = is_long ? 2 : 1;
    for (int side = -1; side <= 1; side += 2)
        for (double k = 1; k < 1000; k += 1) {
            const double u = side * k * step, fall = is_long ? own::expm1(-u) : 0.0;
            const double term = product(u - fall) * (is_long ? 2 + fall : 1.0);
            sum += term;
            if (!(term > 1e-18 * sum))
                break;
        }
    return sum * step;
}

/* The probability of t' < -t where the noncentrality `shift` is not negative; t positive. */
CUNA_APART inline double opposite_tail(double df, double t, double shift)
{
    const double far = 1e100;
    if (shift > 100)
        return 0;
    if (t > far) /* the tail is a power */
        return opposite_tail(df, far, shift) * own::exp(-df * own::log(t / far));
    double width;
    const double s = greatest_product(df, t, shift, width), step = df < 8 ? 0.05 : width < 0.16 ? 0.5 * width : 0.08;
    const TailProduct product(df, t, shift, s);
    const double center = 2 * special::gamma_density(0.5 * df, 0.5 * product.square) * normal_tail(product.edge);
    const double slip = 0.5 * product.lost_square * (df / product.square - 1) - product.lost_edge * product.edge;
    return center * (1 + slip) * trapezoid(product, df, step);
}

/* Below t and beyond it, where t and nc are positive. */
CUNA_APART inline Parts near_side(double df, double t, double nc)
{
    const double square = rounded(t * t), mean = 0.5 * nc * nc;
    if (mean > greatest_mean())
        return Parts{limits<double>::nan(), limits<double>::nan()};
    if (mean < least_mean() || square == limits<double>::infinity()) {
        const double tail = student_tail(df, t);
        return Parts{1 - tail, tail};
    }
    const BetaFamily family = {0.5, 0.5 * df, split_by(square, fma(t, t, -square), df)};
    const bool is_below = t <= nc;
    const double sum = is_below ? sum_below(family, mean, 0) + sum_below(family, mean, 0.5)
                                : sum_beyond(family, mean, 0) + sum_beyond(family, mean, 0.5);
    const double part = fma(0.5, sum, is_below ? normal_tail(nc) : 0.0);
    return is_below ? Parts{part, 1 - part} : Parts{1 - part, part};
}

CUNA_INLINE Parts normal_parts(double x)
{
    const double tail = normal_tail(x);
    return x > 0 ? Parts{1 - tail, tail} : Parts{tail, 1 - tail};
}

CUNA_APART inline Parts noncentral_t(double df, double nc, double t)
{
    const double nan = limits<double>::nan(), inf = limits<double>::infinity();
    if (!(df > 0) || !(fabs(nc) < inf) || t != t)
        return Parts{nan, nan};
    if (isinf(t) || t == 0 || df >= endless_degrees())
        return isinf(t) ? (t > 0 ? Parts{1, 0} : Parts{0, 1}) : normal_parts(t == 0 ? -nc : t - nc);
    if (t > 0 ? nc < 0 : nc > 0) {
        const double tail = opposite_tail(df, fabs(t), fabs(nc));
        return t > 0 ? Parts{1 - tail, tail} : Parts{tail, 1 - tail};
    }
    const Parts parts = near_side(df, fabs(t), fabs(nc));
    return t > 0 ? parts : other(parts);
}

template <class T> CUNA_INLINE T nctdtr(T df, T nc, T t) { return T(noncentral_t(df, nc, t).lower); }

/* The probability beyond a t of the sign `sign`, or of a noncentrality of it, as its size grows. */
struct SizeOfT {
    double df, nc, sign;
    CUNA_INLINE bool is_valid() const { return df > 0 && fabs(nc) < limits<double>::infinity(); }
    CUNA_APART Parts at(double size) const
    {
        const Parts parts = noncentral_t(df, nc, sign * size);
        return sign > 0 ? other(parts) : parts;
    }
};
struct SizeOfShift {
    double df, t, sign;
    CUNA_INLINE bool is_valid() const { return df > 0 && fabs(t) < limits<double>::infinity(); }
    CUNA_APART Parts at(double size) const
    {
        if (0.5 * size * size > greatest_mean())
            return Parts{0, 1};
        const Parts parts = noncentral_t(df, sign * size, t);
        return sign > 0 ? parts : other(parts);
    }
};
struct DegreesOfT {
    double nc, t;
    CUNA_INLINE bool is_valid() const { return fabs(t) > 0 && fabs(t) + fabs(nc) < limits<double>::infinity(); }
    CUNA_APART Parts at(double df) const { return noncentral_t(df, nc, t); }
};

/* Whether p is less than `limit`, by the lesser sides. */
CUNA_INLINE bool is_less(Parts p, Parts limit) { return p.lower < p.upper ? p.lower < limit.lower : p.upper > limit.upper; }

template <class T> CUNA_APART inline T nctdtrit(T df, T nc, T p)
{
    const Parts share = wanted(p), middle = normal_parts(-double(nc));
    const bool is_negative = is_less(share, middle);
    const SizeOfT of = {double(df), double(nc), is_negative ? -1.0 : 1.0};
    if (share.lower == middle.lower)
        return of.is_valid() ? T(0) : limits<T>::nan();
    const double size = solved(of, is_negative ? share : other(share), 1 + fabs(double(nc)));
    return T(is_negative ? -size : size);
}
template <class T> CUNA_APART inline T nctdtrinc(T df, T p, T t)
{
    const Parts share = wanted(p), middle = noncentral_t(df, 0, t);
    const bool is_negative = is_less(middle, share);
    const SizeOfShift of = {double(df), double(t), is_negative ? -1.0 : 1.0};
    if (share.lower == middle.lower)
        return T(0);
    const double size = solved(of, is_negative ? other(share) : share, 1 + fabs(double(t)));
    return T(is_negative ? -size : size);
}
template <class T> CUNA_INLINE T nctdtridf(T p, T nc, T t)
{
    return T(nearest(DegreesOfT{double(nc), double(t)}, wanted(p), 5));
}

}
}

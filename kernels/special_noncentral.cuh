/* special_noncentral.cuh: noncentral distributions as sums, the noncentral chi square distribution and its inverses.
 *
 * A sum over k of Poisson's probabilities of a mean with the probabilities of central distributions, the parameter of
 * which grows with k. Of the probability below it goes from the last term that counts down, of the one beyond from the
 * first term up: there each central probability is the one before and a positive density, so that nothing cancels.
 * Student's t takes k at the halves too. */
namespace cuna {
namespace parameter {

/* The gamma distributions of parameters a + k: at(k) has their probabilities at x. */
struct GammaFamily {
    double a, x;
    CUNA_INLINE Parts at(double k) const { return Parts{special::gammainc(a + k, x), special::gammaincc(a + k, x)}; }
    /* What the probability below is more of k than of k + 1. */
    CUNA_INLINE double density(double k) const { return special::gamma_density(a + k + 1, x) / x; }
    /* The density of k - 1 over that of k, times 1 + lost(). */
    CUNA_INLINE double ratio(double k) const { return (a + k) / x; }
    CUNA_INLINE double lost() const { return 0; }
    /* What the ratios fall to as k grows; infinity where they rise. */
    CUNA_INLINE double last_ratio() const { return limits<double>::infinity(); }
    /* Where the terms mean^k / k! density(k) are greatest. */
    CUNA_INLINE double peak(double mean) const { return 2 * mean * x / (a + sqrt(fma(a, a, 4 * mean * x))); }
    CUNA_INLINE bool is_below_mean(double mean) const { return x <= a + mean; }
};

/* The beta distributions of parameters a + k and b. */
struct BetaFamily {
    double a, b;
    Split split;
    CUNA_INLINE Parts at(double k) const { return special::beta_parts(a + k, b, split); }
    CUNA_INLINE double density(double k) const { return special::beta_density(a + k, b, split) / (a + k); }
    CUNA_INLINE double ratio(double k) const { return (a + k) / (split.x * (a + k - 1 + b)); }
    CUNA_INLINE double lost() const { return -split.lost_x; }
    CUNA_INLINE double last_ratio() const { return b < 1 ? 1 / split.x : limits<double>::infinity(); }
    CUNA_INLINE double peak(double mean) const
    {
        const double all = mean * split.x, most = all - a, root = sqrt(fma(most, most, 4 * all * (a + b)));
        return most > 0 ? 0.5 * (most + root) : 2 * all * (a + b) / (root - most);
    }
    CUNA_INLINE bool is_below_mean(double mean) const { return b * split.x <= (a + mean) * split.y; }
};

/* exp(-mean) mean^k / k!. */
CUNA_INLINE double poisson(double k, double mean)
{
    return k > 0 ? special::gamma_density(k, mean) / k : own::exp(-mean);
}

/* The k beyond which terms do not count: weights change by mean / k, probabilities by less than the densities. */
template <class F> CUNA_APART inline double last_term(const F &family, double mean, double k)
{
    for (double term = 1; term > 1e-18;) {
        k += 1;
        const double ratio = family.ratio(k), last = family.last_ratio(), least = ratio < last ? ratio : last;
        term *= mean / k * (least > 1 ? 1 / least : 1.0);
    }
    return k;
}

/* The sum over k = start, start + 1, ... of the probabilities below, 0 <= start < 1. */
template <class F> CUNA_APART double sum_below(const F &family, double mean, double start)
{
    const double root = family.peak(mean), peak = root < mean ? root : mean;
    const double top = last_term(family, mean, start + floor(peak));
    double weight = poisson(top, mean), part = family.at(top).lower, sum = rounded(weight * part);
    double density = family.density(top);
    for (double k = top; k >= 1; k -= 1) {
        density *= family.ratio(k);
        density = fma(density, family.lost(), density);
        part += density;
        weight *= k / mean;
        const double term = rounded(weight * part);
        sum += term;
        if (k < peak && term < 1e-18 * sum)
            break;
    }
    return sum;
}

/* The same of the probabilities beyond. Up to the greatest term logarithms of terms bend at least as Poisson's do. */
template <class F> CUNA_APART double sum_beyond(const F &family, double mean, double start)
{
    const double root = family.peak(mean), peak = root > mean ? root : mean;
    if (!(poisson(peak, mean) > 0))
        return 0;
    const double whole = floor(peak - 9.2 * sqrt(peak) - 3), first = start + (whole > 0 ? whole : 0.0);
    double weight = poisson(first, mean), part = family.at(first).upper, sum = rounded(weight * part);
    double density = family.density(first);
    for (double k = first + 1;; k += 1) {
        part += density;
        density /= family.ratio(k);
        density = fma(-density, family.lost(), density);
        weight *= mean / k;
        const double term = rounded(weight * part);
        sum += term;
        if (k > peak + 2 && !(term > 1e-18 * sum))
            return sum;
    }
}

/* Means beyond which sums are too long, and below which they are their first term. */
CUNA_INLINE double greatest_mean() { return 5e10; }
CUNA_INLINE double least_mean() { return 1e-300; }

/* The lesser one of the two sums, and its complement. */
template <class F> CUNA_APART inline Parts mixture(const F &family, double mean)
{
    if (mean < least_mean())
        return family.at(0);
    const bool is_below = family.is_below_mean(mean);
    const double sum = is_below ? sum_below(family, mean, 0) : sum_beyond(family, mean, 0);
    const double part = sum < 1 ? sum : 1.0;
    return is_below ? Parts{part, 1 - part} : Parts{1 - part, part};
}

/* ---- chi square ---- */

CUNA_APART inline Parts noncentral_chi(double x, double df, double nc)
{
    const double inf = limits<double>::infinity(), nan = limits<double>::nan();
    if (!(x >= 0 && df > 0 && nc >= 0 && nc <= 2 * greatest_mean() && df < inf))
        return Parts{nan, nan};
    if (x == 0 || x == inf)
        return x == 0 ? Parts{0, 1} : Parts{1, 0};
    return mixture(GammaFamily{0.5 * df, 0.5 * x}, 0.5 * nc);
}

template <class T> CUNA_INLINE T chndtr(T x, T df, T nc) { return T(noncentral_chi(x, df, nc).lower); }

/* The probabilities beyond x, of df and of nc: each falls while the number grows. */
struct NoncentralArgument {
    double df, nc;
    CUNA_INLINE bool is_valid() const
    {
        return df > 0 && nc >= 0 && nc <= 2 * greatest_mean() && df < limits<double>::infinity();
    }
    CUNA_APART Parts at(double x) const { return other(noncentral_chi(x, df, nc)); }
};
struct NoncentralDegrees {
    double x, nc;
    CUNA_INLINE bool is_valid() const
    {
        return x > 0 && nc >= 0 && nc <= 2 * greatest_mean() && x < limits<double>::infinity();
    }
    CUNA_APART Parts at(double df) const { return noncentral_chi(x, df, nc); }
};
struct Noncentrality {
    double x, df;
    CUNA_INLINE bool is_valid() const { return x > 0 && df > 0 && x < 1e10 && df < limits<double>::infinity(); }
    CUNA_APART Parts at(double nc) const
    {
        return nc <= 2 * greatest_mean() ? noncentral_chi(x, df, nc) : Parts{0, 1};
    }
};

template <class T> CUNA_INLINE T chndtrix(T p, T df, T nc)
{
    return T(solved(NoncentralArgument{double(df), double(nc)}, other(wanted(p)), double(df) + double(nc)));
}
template <class T> CUNA_INLINE T chndtridf(T x, T p, T nc)
{
    return T(solved(NoncentralDegrees{double(x), double(nc)}, wanted(p), double(x)));
}
template <class T> CUNA_INLINE T chndtrinc(T x, T df, T p)
{
    return T(solved(Noncentrality{double(x), double(df)}, wanted(p), double(x)));
}

}
}

/* special_noncentral.cuh: the noncentral chi square distribution and its inverses.
 *
 * A sum over j of Poisson's probabilities of mean nc / 2 with the central probabilities of df + 2 j degrees of freedom.
 * It goes from the last term that counts down: there each central probability is the one before and a positive
 * density, so that nothing cancels. Terms are greatest where j (df / 2 + j) is nc x / 4, or at j = nc / 2. */
namespace cuna {
namespace parameter {

/* The j up from which terms do not count: weights change by mean / j, central probabilities by less than x / (a + j). */
CUNA_INLINE double last_term(double a, double mean, double x, double peak)
{
    double j = floor(peak), term = 1;
    while (term > 1e-18) {
        j += 1;
        const double of_weight = mean / j, of_part = x / (a + j);
        term *= of_weight * (of_part < 1 ? of_part : 1.0);
    }
    return j;
}

/* a = df / 2 and mean = nc / 2 positive, x half of the argument. */
CUNA_APART inline double noncentral_sum(double a, double mean, double x)
{
    const double root = 2 * mean * x / (a + sqrt(fma(a, a, 4 * mean * x))), peak = root < mean ? root : mean;
    const double top = last_term(a, mean, x, peak);
    double weight = special::gamma_density(top, mean) / top, part = special::gammainc(a + top, x);
    double density = special::gamma_density(a + top, x) / x, sum = rounded(weight * part);
    for (double j = top; j > 0; j -= 1) {
        part += density;
        density *= (a + j - 1) / x;
        weight *= j / mean;
        const double term = rounded(weight * part);
        sum += term;
        if (j < peak && term < 1e-18 * sum)
            break;
    }
    return sum;
}

CUNA_APART inline double noncentral_chi(double x, double df, double nc)
{
    const double inf = limits<double>::infinity();
    if (!(x >= 0 && df > 0 && nc >= 0 && nc <= 1e11 && df < inf))
        return limits<double>::nan();
    if (x == 0 || x == inf)
        return x == 0 ? 0.0 : 1.0;
    const double p = nc < 1e-300 ? special::gammainc(0.5 * df, 0.5 * x) : noncentral_sum(0.5 * df, 0.5 * nc, 0.5 * x);
    return p < 1 ? p : 1.0;
}

template <class T> CUNA_INLINE T chndtr(T x, T df, T nc) { return T(noncentral_chi(x, df, nc)); }

/* The probabilities beyond x, of df and of nc: each falls while the number grows. */
struct NoncentralArgument {
    double df, nc;
    CUNA_INLINE bool is_valid() const { return df > 0 && nc >= 0 && nc <= 1e11 && df < limits<double>::infinity(); }
    CUNA_APART Parts at(double x) const { return other(wanted(noncentral_chi(x, df, nc))); }
};
struct NoncentralDegrees {
    double x, nc;
    CUNA_INLINE bool is_valid() const { return x > 0 && nc >= 0 && nc <= 1e11 && x < limits<double>::infinity(); }
    CUNA_APART Parts at(double df) const { return wanted(noncentral_chi(x, df, nc)); }
};
struct Noncentrality {
    double x, df;
    CUNA_INLINE bool is_valid() const { return x > 0 && df > 0 && x < 1e10 && df < limits<double>::infinity(); }
    CUNA_APART Parts at(double nc) const { return nc <= 1e11 ? wanted(noncentral_chi(x, df, nc)) : Parts{0, 1}; }
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

/* special_kolmogorov.cuh: Kolmogorov's limiting distribution of the two-sided statistic and its inverse: its series in
 * exp(-2 k^2 y^2), and below 0.82 that of the theta function's other side (DLMF 20.7.30). */
namespace cuna {
namespace parameter {

/* The probabilities below y > 0 and beyond. */
CUNA_APART inline Parts kolmogorov_parts(double y)
{
    double sum = 0;
    if (y < 0.82) {
        const double bell = -1.2337005501361697 / (y * y); /* pi^2 / 8 */
        for (int k = 1; k < 9; k += 2) sum += own::exp(bell * (k * k));
        const double below = 2.5066282746310002 / y * sum;
        return Parts{below, 1 - below};
    }
    for (int k = 6; k > 0; --k) {
        const double term = exp_of_square(k * y, -2.0);
        sum = term - sum;
    }
    return Parts{1 - 2 * sum, 2 * sum};
}

template <class T> CUNA_INLINE T kolmogorov(T y)
{
    return y != y ? y : y > 0 ? T(kolmogorov_parts(y).upper) : T(1);
}

struct Kolmogorov {
    CUNA_INLINE bool is_valid() const { return true; }
    CUNA_APART Parts at(double y) const { return y > 0.04 ? other(kolmogorov_parts(y)) : Parts{1, 0}; }
};

template <class T> CUNA_INLINE T kolmogi(T p) { return T(solved(Kolmogorov{}, wanted(p), 0.8)); }

}
}

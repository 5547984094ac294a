/* random_counts.cuh: samplers of discrete distributions, and of distributions built on them.
 *
 * They compute in double. Invalid parameters give -1. */
namespace cuna {
namespace random {

enum { NO_COUNT = -1 };

CUNA_INLINE double below_one(Source &source) { return source.open<double>(); }

/* ---- logarithms of factorials ---- */

/* log k! = (k + 1/2) log(k + 1) - (k + 1) + log(2 pi)/2 + stirling_rest(k), whose product with k + 1 is a minimax fit (Remez)
 * in 1 / (k + 1): the rest is within 1e-14. */
CUNA_INLINE double stirling_rest(double k)
{
    const double w = 1 / (k + 1);
    return w * own::horner(w, 0.08333333333168534, 1.024624280856158e-10, -0.002777779040085902, -2.7513947266848036e-08,
                           0.0007946235165718467, -1.2975282235186497e-05, -0.0004935354373866838,
                           -0.0005242967099699143, 0.002686044394005893, -0.004361251656857721, 0.004296573562044216,
                           -0.0028128576758038254, 0.0012069198139307757, -0.00030934590170391367,
                           3.604129262486976e-05);
}

CUNA_INLINE float stirling_rest(float k) /* within 2e-6 */
{
    const float w = 1 / (k + 1);
    return w * own::horner(w * w, 0.083333336f, -0.0027195f, 0.0004477f);
}

/* log(a! / b!), without the digits that log a! and log b! have in common; d is a - b. */
template <class T> CUNA_INLINE T log_factorials(T a, T b, T d)
{
    return fma(b + T(0.5), own::log1p(d / (b + 1)), fma(d, own::log(a + 1), -d)) + (stirling_rest(a) - stirling_rest(b));
}

CUNA_INLINE double log_factorials(double a, double b) { return log_factorials(a, b, a - b); }

/* By how much a trial passes, in float: the sign is that in double where the size is above what may be rounded off, a
 * share of the sum of sizes that it is made of. A lane alone spares most of its tests in double so. */
struct Rough {
    float passes, sizes;
    CUNA_INLINE bool is_clear() const { return (passes < 0 ? -passes : passes) > fma(sizes, 1e-6f, 1e-5f); }
};

CUNA_INLINE float size_of(float x) { return x < 0 ? -x : x; }

/* ---- Poisson ---- */

/* From 10 up by transformed rejection (Hoermann, The transformed rejection method for generating Poisson random variables,
 * 1993: PTRS), below by adding up probabilities until they pass a uniform number. */
CUNA_INLINE double poisson_by_sum(Source &source, double lam, double first)
{
    for (;;) {
        double u = below_one(source), p = first;
        for (int k = 0; k < 200; ++k) {
            if (u <= p)
                return k;
            u -= p;
            p *= lam / (k + 1);
        }
    }
}

struct PoissonTrial {
    double lam, a, b, alpha, safe;
    CUNA_INLINE explicit PoissonTrial(double lam)
        : lam(lam), b(fma(sqrt(lam), 2.53, 0.931)), safe(0.9277 - 3.6224 / (b - 2))
    {
        a = fma(b, 0.02483, -0.059);
        alpha = 1.1239 + 1.1328 / (b - 3.4);
    }
    CUNA_INLINE double place(double u, double &us) const
    {
        us = 0.5 - fabs(u);
        return floor(fma(2 * a / us + b, u, lam + 0.43));
    }
    /* Whether k is one, by the ratio of its probability to the envelope's density. */
    CUNA_INLINE bool accepts(double k, double us, double v) const
    {
        const double d = k + 1 - lam, probability = fma(k, own::log1p(-d / (k + 1)), d) -
                                                    fma(0.5, own::log(k + 1), 0.9189385332046727) - stirling_rest(k);
        return (k >= 0) & ((us >= 0.013) | (v <= us)) & (own::log(v * alpha / (a / (us * us) + b)) <= probability);
    }
    CUNA_INLINE bool is_safe(double us, double v) const { return (us >= 0.07) & (v <= safe); }
    CUNA_INLINE Rough roughly(double k, double us, double v) const
    {
        const float at = float(k), d = float(k + 1 - lam), near = float(us);
        const float most = at * own::log1p(-d / (at + 1)), half = 0.5f * own::log(at + 1);
        const float limit = own::log(float(v) * float(alpha) / (float(a) / (near * near) + float(b)));
        const Rough made = {most + d - half - 0.9189385f - stirling_rest(at) - limit,
                            size_of(most) + size_of(d) + half + size_of(limit) + 1};
        return made;
    }
    /* The same as is_safe() or accepts(). */
    CUNA_INLINE bool takes(double k, double us, double v) const
    {
        if (is_safe(us, v))
            return true;
        if (k < 0 || (us < 0.013 && v > us))
            return false;
        const Rough rough = roughly(k, us, v);
        return rough.is_clear() ? rough.passes > 0 : accepts(k, us, v);
    }
};

template <class D> struct Poisson : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1, REJECTS = 1 };
    double lam, first;
    PoissonTrial trial;
    CUNA_INLINE explicit Poisson(double lam) : lam(lam), first(lam < 10 ? own::exp(-lam) : 0.0), trial(lam) {}
    CUNA_INLINE bool tries() const { return (lam >= 10) & (lam <= 9.223372006484771e18); }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Words block = unit.block(0);
        const double u = inside(word_of(block, 0, (double *)0)) - 0.5, v = inside(word_of(block, 1, (double *)0));
        double us;
        const double k = trial.place(u, us);
        to[0] = convert<D>(k);
        return unit.is_alone ? !trial.takes(k, us, v) : !(trial.is_safe(us, v) | trial.accepts(k, us, v));
    }
    CUNA_REDRAWN double draw(Source &source) const
    {
        if (!tries())
            return (lam > 0) & (lam < 10) ? poisson_by_sum(source, lam, first) : lam == 0 ? 0.0 : double(NO_COUNT);
        for (;;) {
            const double u = below_one(source) - 0.5, v = below_one(source);
            double us;
            const double k = trial.place(u, us);
            if (trial.takes(k, us, v))
                return k;
        }
    }
    CUNA_INLINE T again(Source &source) const { return convert<D>(draw(source)); }
};

CUNA_INLINE double poisson(Source &source, double lam) { return Poisson<int64>(lam).draw(source); }

/* ---- binomial ---- */

/* Where n min(p, 1 - p) is at least 10 by transformed rejection (Hoermann, The generation of binomial random variates,
 * 1993: BTRS), below by adding up probabilities. */
struct BinomialSum {
    double n, odds, first;
    CUNA_INLINE BinomialSum(double n, double p)
        : n(n), odds(p / (1 - p)), first(n * p < 10 ? own::exp(n * own::log1p(-p)) : 0.0)
    {
    }
    CUNA_REDRAWN double draw(Source &source) const
    {
        for (;;) {
            double u = below_one(source), p = first;
            for (double k = 0; k <= n && k < 200; ++k) {
                if (u <= p)
                    return k;
                u -= p;
                p *= odds * ((n - k) / (k + 1));
            }
        }
    }
};

struct BinomialTrial {
    double n, a, b, c, alpha, safe, log_odds, mode;
    CUNA_INLINE BinomialTrial(double n, double p) : n(n)
    {
        const double deviation = sqrt(n * p * (1 - p));
        b = fma(deviation, 2.53, 1.15);
        a = fma(b, 0.0248, fma(p, 0.01, -0.0873));
        c = fma(n, p, 0.5);
        alpha = (2.83 + 5.1 / b) * deviation;
        safe = 0.92 - 4.2 / b;
        log_odds = n * p < 10 ? 0.0 : own::log(p / (1 - p));
        mode = floor((n + 1) * p);
    }
    CUNA_INLINE double place(double u, double &us) const
    {
        us = 0.5 - fabs(u);
        return floor(fma(2 * a / us + b, u, c));
    }
    /* By the ratio of its probability to the mode's. */
    CUNA_INLINE bool accepts(double k, double us, double v) const
    {
        const double ratio = fma(k - mode, log_odds, -(log_factorials(k, mode) + log_factorials(n - k, n - mode)));
        return (k >= 0) & (k <= n) & (own::log(v * alpha / (a / (us * us) + b)) <= ratio);
    }
    CUNA_INLINE bool is_safe(double us, double v) const { return (us >= 0.07) & (v <= safe); }
    CUNA_INLINE Rough roughly(double k, double us, double v) const
    {
        const float at = float(k), rest = float(n - k), d = float(k - mode), near = float(us);
        const float odds = d * float(log_odds), sizes = size_of(d) * (own::log(at + 1) + own::log(rest + 1) + 4);
        const float limit = own::log(float(v) * float(alpha) / (float(a) / (near * near) + float(b)));
        const float both = log_factorials(at, float(mode), d) + log_factorials(rest, float(n - mode), -d);
        const Rough made = {odds - both - limit, size_of(odds) + sizes + size_of(limit) + 1};
        return made;
    }
    /* The same as is_safe() or accepts(). */
    CUNA_INLINE bool takes(double k, double us, double v) const
    {
        if (is_safe(us, v))
            return true;
        if (k < 0 || k > n)
            return false;
        const Rough rough = roughly(k, us, v);
        return rough.is_clear() ? rough.passes > 0 : accepts(k, us, v);
    }
    CUNA_REDRAWN double draw(Source &source) const
    {
        for (;;) {
            const double u = below_one(source) - 0.5, v = below_one(source);
            double us;
            const double k = place(u, us);
            if (takes(k, us, v))
                return k;
        }
    }
};

template <class D> struct Binomial : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1, REJECTS = 1 };
    double n, p, lesser;
    BinomialTrial trial;
    BinomialSum sum;
    CUNA_INLINE Binomial(double n, double p)
        : n(n), p(p), lesser(p <= 0.5 ? p : 1 - p), trial(n, lesser), sum(n, lesser)
    {
    }
    CUNA_INLINE bool is_known() const { return (n >= 0) & (p >= 0) & (p <= 1); }
    CUNA_INLINE bool tries() const { return is_known() & (n * lesser >= 10); }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Words block = unit.block(0);
        const double u = inside(word_of(block, 0, (double *)0)) - 0.5, v = inside(word_of(block, 1, (double *)0));
        double us;
        const double k = trial.place(u, us);
        to[0] = convert<D>(p <= 0.5 ? k : n - k);
        return unit.is_alone ? !trial.takes(k, us, v) : !(trial.is_safe(us, v) | trial.accepts(k, us, v));
    }
    CUNA_REDRAWN double draw(Source &source) const
    {
        if (!is_known())
            return NO_COUNT;
        const double made = n * lesser == 0 ? 0 : tries() ? trial.draw(source) : sum.draw(source);
        return p <= 0.5 ? made : n - made;
    }
    CUNA_INLINE T again(Source &source) const { return convert<D>(draw(source)); }
};

/* Of what is left of trials and of probabilities, those that fall to p. */
CUNA_INLINE int64 part_of(Source source, int64 left, double p, double rest)
{
    const double share = p < rest ? p / rest : p > 0 ? 1.0 : p;
    return Binomial<int64>(double(left), share).again(source);
}

/* ---- geometric ---- */

/* The first success, by inversion: an exponential number, rounded up. */
template <class D> struct Geometric : PerWord<D, double, Geometric<D> > {
    typedef typename value_of<D>::type T;
    double p, rate;
    CUNA_INLINE explicit Geometric(double p) : p(p), rate(-own::log1p(-p)) {}
    CUNA_INLINE T value(uint64 word) const
    {
        const double made = ceil(exponential_of<double>(word) / rate);
        return convert<D>(choose((p > 0) & (p <= 1), made < 1 ? 1.0 : made, double(NO_COUNT)));
    }
};

/* ---- those that need unknown numbers of words ---- */

#define CUNA_COUNT(name)                                                                                              \
    template <class D> struct name : FromSource<D> {                                                                  \
        typedef typename value_of<D>::type T;

/* Poisson numbers of a gamma number. */
CUNA_COUNT(NegativeBinomial)
    double p, odds;
    GammaTrial<double> trial;
    CUNA_INLINE NegativeBinomial(double n, double p) : p(p), odds((1 - p) / p), trial(n) {}
    CUNA_INLINE T again(Source &source) const
    {
        const bool known = trial.is_known() && p > 0 && p <= 1;
        return convert<D>(known ? poisson(source, standard_gamma(source, trial) * odds) : double(NO_COUNT));
    }
};

/* Kemp, Efficient generation of logarithmically distributed pseudo-random variables, 1981. */
template <class D> struct Logseries : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1 };
    double p, r;
    CUNA_INLINE explicit Logseries(double p) : p(p), r(own::log1p(-p)) {}
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Words block = unit.block(0);
        const double v = inside(word_of(block, 0, (double *)0)), u = inside(word_of(block, 1, (double *)0));
        const double q = -own::expm1(r * u), far = floor(1 + own::log(v) / own::log(q));
        const double made = choose((v >= p) | (v >= q), 1.0, choose(v <= q * q, far, 2.0));
        to[0] = convert<D>(choose((p >= 0) & (p < 1), made, double(NO_COUNT)));
        return 0;
    }
};

/* Devroye, Non-uniform random variate generation, 1986, X.6.1: a rounded Pareto number as an envelope. */
template <class D> struct Zipf : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1, REJECTS = 1 };
    double a, order, b;
    CUNA_INLINE explicit Zipf(double a) : a(a), order(a - 1), b(own::expm1(order * 0.6931471805599453)) {}
    CUNA_INLINE bool tries() const { return (a > 1) & (a < 1025); }
    CUNA_INLINE double value(double exponential, double v, bool &accepted) const
    {
        const double x = floor(own::exp(exponential / order)), t = own::expm1(order * own::log1p(1 / x));
        accepted = (x < 9.223372036854775807e18) & (v * x * t * (b + 1) <= b * (t + 1));
        return x;
    }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Words block = unit.block(0);
        bool accepted;
        const double v = inside(word_of(block, 1, (double *)0));
        to[0] = convert<D>(value(exponential_of<double>(word_of(block, 0, (double *)0)), v, accepted));
        return !accepted;
    }
    CUNA_INLINE T again(Source &source) const
    {
        if (!tries())
            return convert<D>(a > 1 ? 1.0 : double(NO_COUNT));
        for (;;) {
            bool accepted;
            const double rate = exponential(source), x = value(rate, below_one(source), accepted);
            if (accepted)
                return convert<D>(x);
        }
    }
    /* Where next to no values are below 2^63 only exponentials that lead there: others would always be rejected. */
    CUNA_INLINE double exponential(Source &source) const
    {
        const double most = order * 43.66827237527655;
        return most < 0.5 ? -own::log1p(own::expm1(-most) * below_one(source)) : source.exponential<double>();
    }
};

/* Few of a sample of good and bad ones are drawn one by one. */
CUNA_INLINE double hypergeometric_by_draws(Source &source, double lesser, double all, double sample)
{
    double left = lesser;
    for (double rest = all; sample > 0 && left > 0; --sample, --rest)
        left -= floor(below_one(source) + left / rest);
    return lesser - left;
}

/* Many by the ratio of uniforms (Stadlober, The ratio of uniforms approach for generating discrete random variates, 1990:
 * HRUA*). `lesser` of all are of the rarer kind, at most half of all are drawn. */
struct HypergeometricTrial {
    double lesser, sample, rest, centre, width, mode, most;
    CUNA_INLINE HypergeometricTrial(double lesser, double all, double sample)
        : lesser(lesser), sample(sample), rest(all - lesser - sample)
    {
        const double share = lesser / all;
        const double variance = fma((all - sample) / (all - 1), rounded(sample * share * (1 - share)), 0.5);
        centre = fma(sample, share, 0.5);
        width = fma(sqrt(variance), 1.7155277699214135, 0.8989161620588988);
        mode = floor((sample + 1) * ((lesser + 1) / (all + 2)));
        most = fmin(fmin(sample, lesser) + 1, floor(fma(sqrt(variance), 16.0, centre)));
    }
    /* Of two uniform numbers. */
    CUNA_INLINE double value(double x, double y, bool &accepted) const
    {
        const double w = fma(width, (y - 0.5) / x, centre), z = floor(w);
        const double t = -(log_factorials(z, mode) + log_factorials(lesser - z, lesser - mode) +
                           log_factorials(sample - z, sample - mode) + log_factorials(rest + z, rest + mode));
        accepted = (w >= 0) & (w < most) & (2 * own::log(x) <= t);
        return z;
    }
    CUNA_REDRAWN double draw(Source &source) const
    {
        for (;;) {
            bool accepted;
            const double x = below_one(source), z = value(x, below_one(source), accepted);
            if (accepted)
                return z;
        }
    }
};

template <class D> struct Hypergeometric : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1, REJECTS = 1 };
    double good, bad, sample, all, fewer;
    HypergeometricTrial trial;
    CUNA_INLINE Hypergeometric(double good, double bad, double sample)
        : good(good), bad(bad), sample(sample), all(good + bad), fewer(fmin(sample, all - sample)),
          trial(fmin(good, bad), all, fewer)
    {
    }
    CUNA_INLINE bool is_known() const { return (good >= 0) & (bad >= 0) & (sample >= 0) & (sample <= all); }
    CUNA_INLINE bool tries() const { return is_known() & (fewer > 10); }
    /* Of the rarer kind in the lesser part of all; as good ones in the sample. */
    CUNA_INLINE T counted(double made) const
    {
        made = good > bad ? fewer - made : made;
        return convert<D>(sample > fewer ? good - made : made);
    }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Words block = unit.block(0);
        bool accepted;
        const double y = inside(word_of(block, 1, (double *)0));
        to[0] = counted(trial.value(inside(word_of(block, 0, (double *)0)), y, accepted));
        return !accepted;
    }
    CUNA_INLINE T again(Source &source) const
    {
        if (!is_known())
            return convert<D>(double(NO_COUNT));
        return counted(tries() ? trial.draw(source) : hypergeometric_by_draws(source, trial.lesser, all, fewer));
    }
};
#undef CUNA_COUNT

/* ---- of numbers that a Poisson number adds to ---- */

/* A squared normal number that was moved, and the rest of a chi-square number; below one degree of freedom a chi-square
 * number with twice a Poisson number of degrees more. */
template <class D> struct NoncentralChisquare : NormalAndGamma<D, NoncentralChisquare<D> > {
    typedef typename value_of<D>::type T;
    T df, nonc;
    CUNA_INLINE NoncentralChisquare(T df, T nonc)
        : NormalAndGamma<D, NoncentralChisquare<D> >((df - 1) / 2), df(df), nonc(nonc)
    {
    }
    CUNA_INLINE bool is_known() const { return nonc >= 0; }
    CUNA_INLINE T value(T normal, T made, T less) const
    {
        const T moved = normal + sqrt(nonc);
        return fma(moved, moved, 2 * made * own::exp(less));
    }
    CUNA_INLINE T edge(Source &source) const
    {
        if (!((df > 0) & (nonc >= 0)))
            return limits<T>::nan();
        const double more = poisson(source, double(nonc) / 2);
        return more < 0 || df > 1 ? limits<T>::infinity() : 2 * standard_gamma(source, GammaTrial<T>(df / 2 + T(more)));
    }
};

template <class D> struct NoncentralF : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1, BELOW = NoncentralChisquare<D>::BLOCKS, BLOCKS = BELOW + 2, REJECTS = 1 };
    NoncentralChisquare<D> above;
    MeanSquare<T> below;
    CUNA_INLINE NoncentralF(T dfnum, T dfden, T nonc) : above(dfnum, nonc), below(dfden) {}
    CUNA_INLINE bool tries() const { return above.tries() & below.trial.is_known(); }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const unsigned none = above.make(unit, to);
        const Trial<T> of(unit.block(BELOW));
        T less = 0, margin;
        if (CUNA_BRANCHLESS || below.trial.is_below_one())
            less = below.trial.less(exponential_of<T>(word_of(unit.block(BELOW + 1), 0, to)));
        const T made = below.trial.value(of.normal[0], of.uniform[0], margin);
        to[0] = to[0] / above.df * (below.df / (2 * made)) * own::exp(-less);
        return none | unsigned(!(margin > 0));
    }
    CUNA_INLINE T again(Source &source) const
    {
        const T mean = above.again(source) / above.df;
        return mean / below.draw(source);
    }
};

}
}

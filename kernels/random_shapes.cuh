/* random_shapes.cuh: samplers of continuous distributions beyond the uniform, the normal and the exponential one.
 *
 * A sampler that needs one word a value, or a normal number and a uniform one, makes values of a block side by side; what
 * needs unknown numbers of words takes them of a Source. Parameters that have no distribution give NaN. */
namespace cuna {
namespace random {

/* ---- values of one word each ---- */

/* A word as a number of (0, 1/2] and a side, so that what is far from the middle is as fine on both sides. */
template <class T, class W> CUNA_INLINE T half_interval(W word, bool &right)
{
    right = word >> (8 * sizeof(W) - 1);
    return above_zero(W(word << 1)) * T(0.5);
}

#define CUNA_PER_WORD(name)                                                                                           \
    template <class D> struct name : PerWord<D, typename value_of<D>::type, name<D> > {                               \
        typedef typename value_of<D>::type T;

CUNA_PER_WORD(Laplace)
    T loc, scale;
    CUNA_INLINE Laplace(T loc, T scale) : loc(loc), scale(scale) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        bool right;
        const T left = own::log(2 * half_interval<T>(word, right));
        return fma(scale, choose(right, -left, left), loc);
    }
};

CUNA_PER_WORD(Logistic)
    T loc, scale;
    CUNA_INLINE Logistic(T loc, T scale) : loc(loc), scale(scale) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        bool right;
        const T u = half_interval<T>(word, right), left = own::log(u) - own::log1p(-u);
        return fma(scale, choose(right, -left, left), loc);
    }
};

CUNA_PER_WORD(Gumbel)
    T loc, scale;
    CUNA_INLINE Gumbel(T loc, T scale) : loc(loc), scale(scale) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        bool right;
        const T u = half_interval<T>(word, right), far = own::log(u), near = own::log1p(-u);
        return fma(-scale, own::log(choose(right, -near, -far)), loc);
    }
};

CUNA_PER_WORD(StandardCauchy)
    template <class W> CUNA_INLINE T value(W word) const
    {
        bool right;
        T sine, cosine;
        own::sincospi(half_interval<T>(word, right), sine, cosine);
        const T size = cosine / sine;
        return choose(right, size, -size);
    }
};

CUNA_PER_WORD(Rayleigh)
    T scale;
    CUNA_INLINE explicit Rayleigh(T scale) : scale(scale) {}
    template <class W> CUNA_INLINE T value(W word) const { return scale * sqrt(2 * exponential_of<T>(word)); }
};

CUNA_PER_WORD(Weibull)
    T shape;
    CUNA_INLINE explicit Weibull(T shape) : shape(shape) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        const T made = own::pow(exponential_of<T>(word), 1 / shape);
        return choose(shape > 0, made, shape == 0 ? T(0) : limits<T>::nan());
    }
};

CUNA_PER_WORD(Pareto)
    T shape;
    CUNA_INLINE explicit Pareto(T shape) : shape(shape) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        const T made = own::expm1(exponential_of<T>(word) / shape);
        return choose(shape > 0, made, limits<T>::nan());
    }
};

CUNA_PER_WORD(Power)
    T shape;
    CUNA_INLINE explicit Power(T shape) : shape(shape) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        const T made = own::exp(-exponential_of<T>(word) / shape);
        return choose(shape > 0, made, limits<T>::nan());
    }
};

CUNA_PER_WORD(Triangular)
    T left, mode, right;
    CUNA_INLINE Triangular(T left, T mode, T right) : left(left), mode(mode), right(right) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        const T width = right - left, before = mode - left, after = right - mode, u = inside(word);
        const T rising = left + sqrt(u * rounded(width * before)), falling = right - sqrt((1 - u) * rounded(width * after));
        const T made = choose(u <= before / width, rising, falling);
        return choose((left <= mode) & (mode <= right) & (width > 0), made, limits<T>::nan());
    }
};
#undef CUNA_PER_WORD

template <class D> struct Lognormal : Normal<D> {
    typedef typename value_of<D>::type T;
    CUNA_INLINE Lognormal(T mean, T sigma) : Normal<D>(mean, sigma) {}
    CUNA_INLINE unsigned make(const Words &block, T *to) const
    {
        Normal<D>::make(block, to);
        to[0] = own::exp(to[0]), to[1] = own::exp(to[1]);
        if (Lognormal::COUNT > 2)
            to[2 % Lognormal::COUNT] = own::exp(to[2 % Lognormal::COUNT]), to[3 % Lognormal::COUNT] = own::exp(to[3 % Lognormal::COUNT]);
        return 0;
    }
};

/* ---- values of a normal number and a uniform one ---- */

/* Of a block: two of each for float; one of each for double, whose angle and uniform number have 32 digits. */
template <class T> struct Trial;
template <> struct Trial<float> {
    enum { COUNT = 2 };
    float normal[2], uniform[2];
    CUNA_INLINE explicit Trial(const Words &block)
    {
        normal_pair(block.at[0], block.at[1], normal[0], normal[1]);
        uniform[0] = inside(block.at[2]);
        uniform[1] = inside(block.at[3]);
    }
};
template <> struct Trial<double> {
    enum { COUNT = 1 };
    double normal[1], uniform[1];
    CUNA_INLINE explicit Trial(const Words &block)
    {
        double other;
        normal_pair(joined(block.at[0], block.at[1]), joined(0, block.at[2]), normal[0], other);
        uniform[0] = inside(joined(0, block.at[3]));
    }
};

/* Standard gamma numbers of shape >= 1 (Marsaglia and Tsang, A simple method for generating gamma variables, 2000): a
 * normal number x, and a uniform one to decide whether (1 + c x)^3 d is one. */
template <class T> struct GammaTrial {
    T d, c;
    CUNA_INLINE explicit GammaTrial(T shape) : d(shape - T(0.3333333333333333)), c(1 / sqrt(9 * d)) {}
    CUNA_INLINE T value(T x, T u, bool &accepted) const
    {
        const T root = fma(c, x, T(1)), v = rounded(root * root * root);
        accepted = own::log(u) < fma(T(0.5), rounded(x * x), rounded(d * (1 - v + own::log(v))));
        return d * v;
    }
    /* Nine times of ten a bound decides, which needs no logarithm. */
    CUNA_INLINE T draw(Source &source) const
    {
        for (;;) {
            const T x = source.normal<T>(), u = source.open<T>(), square = rounded(x * x), root = fma(c, x, T(1));
            if ((root > 0) & (u < fma(T(-0.0331), rounded(square * square), T(1))))
                return d * rounded(root * root * root);
            bool accepted;
            const T made = value(x, u, accepted);
            if (accepted)
                return made;
        }
    }
};

/* Below 1 the number of the next shape is multiplied by U^(1/shape). */
template <class T> CUNA_INLINE bool has_gamma(T shape) { return shape > 0 && shape < limits<T>::infinity(); }
template <class T> CUNA_INLINE T standard_gamma(Source &source, T shape)
{
    if (!has_gamma(shape))
        return shape >= 0 ? shape : limits<T>::nan();
    const T made = GammaTrial<T>(shape < 1 ? shape + 1 : shape).draw(source);
    return shape < 1 ? made * own::exp(-source.exponential<T>() / shape) : made;
}

/* Its logarithm, which is one where the number itself is too small. */
template <class T> CUNA_INLINE T log_gamma(Source &source, T shape)
{
    if (!has_gamma(shape))
        return shape >= 0 ? own::log(shape) : limits<T>::nan();
    const T made = own::log(GammaTrial<T>(shape < 1 ? shape + 1 : shape).draw(source));
    return shape < 1 ? made - source.exponential<T>() / shape : made;
}

template <class D> struct Gamma : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = Trial<T>::COUNT, REJECTS = 1, ALL = (1 << COUNT) - 1 };
    T shape, scale;
    GammaTrial<T> trial;
    CUNA_INLINE Gamma(T shape, T scale) : shape(shape), scale(scale), trial(shape) {}
    CUNA_INLINE unsigned make_one(const Trial<T> &of, int k, T *to) const
    {
        bool accepted;
        to[k] = scale * trial.value(of.normal[k], of.uniform[k], accepted);
        return unsigned(!accepted) << k;
    }
    CUNA_INLINE unsigned make(const Words &block, T *to) const
    {
        const Trial<T> of(block);
        unsigned none = make_one(of, 0, to);
        if (COUNT > 1)
            none |= make_one(of, COUNT - 1, to);
        return none | (shape >= 1 ? 0u : unsigned(ALL));
    }
    CUNA_INLINE T again(Source &source) const
    {
        return scale >= 0 ? scale * standard_gamma(source, shape) : limits<T>::nan();
    }
};

/* Of the two roots of a quadratic equation in a squared normal number one is chosen (Michael, Schucany and Haas, Generating
 * random variates using transformations with multiple roots, 1976). */
template <class D> struct Wald : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = Trial<T>::COUNT };
    T mean, scale;
    CUNA_INLINE Wald(T mean, T scale) : mean(mean), scale(scale) {}
    CUNA_INLINE T value(T normal, T uniform) const
    {
        const T a = rounded(normal * normal * (mean / (2 * scale)));
        const T greater = 1 + a + sqrt(a) * sqrt(a + 2), lesser = 1 / greater;
        const T made = mean * choose(uniform * (1 + lesser) <= 1, lesser, greater);
        return choose((mean > 0) & (scale > 0), made, limits<T>::nan());
    }
    CUNA_INLINE unsigned make(const Words &block, T *to) const
    {
        const Trial<T> of(block);
        to[0] = value(of.normal[0], of.uniform[0]);
        if (COUNT > 1)
            to[COUNT - 1] = value(of.normal[COUNT - 1], of.uniform[COUNT - 1]);
        return 0;
    }
};

/* ---- values of unknown numbers of words: `again` makes all of them ---- */

template <class D> struct FromSource : Sampler<D> {
    enum { COUNT = 1, REJECTS = 1 };
    CUNA_INLINE unsigned make(const Words &, typename Sampler<D>::T *to) const
    {
        to[0] = 0;
        return 1;
    }
};

#define CUNA_FROM_SOURCE(name)                                                                                        \
    template <class D> struct name : FromSource<D> {                                                                  \
        typedef typename value_of<D>::type T;

CUNA_FROM_SOURCE(LogGamma)
    T shape;
    CUNA_INLINE explicit LogGamma(T shape) : shape(shape) {}
    CUNA_INLINE T again(Source &source) const { return log_gamma(source, shape); }
};

/* The share of one of two gamma numbers; of their logarithms where one may be too small. */
CUNA_FROM_SOURCE(Beta)
    T a, b;
    CUNA_INLINE Beta(T a, T b) : a(a), b(b) {}
    CUNA_INLINE T again(Source &source) const
    {
        if (!(a > 0 && b > 0))
            return limits<T>::nan();
        if (a >= 1 && b >= 1) {
            const T one = standard_gamma(source, a);
            return one / (one + standard_gamma(source, b));
        }
        const T one = log_gamma(source, a), other = log_gamma(source, b);
        return one == other ? T(0.5) : 1 / (1 + own::exp(other - one));
    }
};

/* The mean of squares of `df` normal numbers. */
template <class T> CUNA_INLINE T mean_square(Source &source, T df)
{
    return df > 0 ? (df < limits<T>::infinity() ? 2 * standard_gamma(source, df / 2) / df : T(1)) : limits<T>::nan();
}

CUNA_FROM_SOURCE(FRatio)
    T dfnum, dfden;
    CUNA_INLINE FRatio(T dfnum, T dfden) : dfnum(dfnum), dfden(dfden) {}
    CUNA_INLINE T again(Source &source) const
    {
        const T above = mean_square(source, dfnum);
        return above / mean_square(source, dfden);
    }
};

CUNA_FROM_SOURCE(StandardT)
    T df;
    CUNA_INLINE explicit StandardT(T df) : df(df) {}
    CUNA_INLINE T again(Source &source) const
    {
        const T normal = source.normal<T>();
        return normal / sqrt(mean_square(source, df));
    }
};

/* Von Mises numbers (Best and Fisher, Efficient simulation of the von Mises distribution, 1979): a wrapped Cauchy number as
 * an envelope. Beyond a million it is a wrapped normal number to all digits. Computed in double for both dtypes. */
CUNA_INLINE double vonmises_angle(Source &source, double kappa)
{
    if (kappa < 1e-8)
        return 3.141592653589793 * (2 * source.uniform<double>() - 1);
    if (kappa > 1e6)
        return source.normal<double>() / sqrt(kappa);
    const double r = 1 + sqrt(1 + 4 * rounded(kappa * kappa)), rho = (r - sqrt(2 * r)) / (2 * kappa);
    const double s = (1 + rounded(rho * rho)) / (2 * rho);
    for (;;) {
        double sine, cosine;
        own::sincospi(source.uniform<double>(), sine, cosine);
        const double y = kappa * (s - (1 + rounded(s * cosine)) / (s + cosine)), v = source.open<double>();
        if (rounded(y * (2 - y)) - v < 0 && own::log(y / v) + 1 - y < 0)
            continue;
        const double angle = 2 * own::atan(sqrt((s - 1) / (s + 1)) * (sine / (1 + cosine)));
        return source.bits32() >> 31 ? angle : -angle;
    }
}

CUNA_FROM_SOURCE(Vonmises)
    T mu, kappa;
    CUNA_INLINE Vonmises(T mu, T kappa) : mu(mu), kappa(kappa) {}
    CUNA_INLINE T again(Source &source) const
    {
        if (!(kappa >= 0))
            return limits<T>::nan();
        const double angle = double(mu) + vonmises_angle(source, double(kappa));
        return T(fma(rint(angle * 0.15915494309189535), -6.283185307179586, angle));
    }
};
#undef CUNA_FROM_SOURCE

}
}

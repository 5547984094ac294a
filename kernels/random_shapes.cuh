/* random_shapes.cuh: samplers of continuous distributions other than the uniform, normal and exponential ones.
 *
 * Samplers that need one word per value, or a normal and a uniform number, compute the values of a block side by side;
 * those that need an unknown number of words draw them from a Source. Invalid parameters give NaN. */
namespace cuna {
namespace random {

/* ---- values of one word each ---- */

/* A word as a number of (0, 1/2] and a side, so that what is far from the middle is as fine on both sides. */
template <class T, class W> CUNA_INLINE T half_interval(W word, bool &right)
{
    right = word >> (8 * sizeof(W) - 1);
    return above_zero(W(word << 1)) * T(0.5);
}

/* A parameter, NaN where it cannot be: so is then what is made of it. */
template <class T> CUNA_INLINE T positive(T parameter) { return parameter > 0 ? parameter : limits<T>::nan(); }
template <class T> CUNA_INLINE T not_negative(T parameter) { return parameter >= 0 ? parameter : limits<T>::nan(); }

#define CUNA_PER_WORD(name)                                                                                           \
    template <class D> struct name : PerWord<D, typename value_of<D>::type, name<D> > {                               \
        typedef typename value_of<D>::type T;

CUNA_PER_WORD(Laplace)
    T loc, scale;
    CUNA_INLINE Laplace(T loc, T scale) : loc(loc), scale(not_negative(scale)) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        bool right;
        const T left = own::log(2 * half_interval<T>(word, right));
        return fma(scale, choose(right, -left, left), loc);
    }
};

CUNA_PER_WORD(Logistic)
    T loc, scale;
    CUNA_INLINE Logistic(T loc, T scale) : loc(loc), scale(not_negative(scale)) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        bool right;
        const T u = half_interval<T>(word, right), left = own::log(u) - own::log1p(-u);
        return fma(scale, choose(right, -left, left), loc);
    }
};

CUNA_PER_WORD(Gumbel)
    T loc, scale;
    CUNA_INLINE Gumbel(T loc, T scale) : loc(loc), scale(not_negative(scale)) {}
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
    CUNA_INLINE explicit Rayleigh(T scale) : scale(not_negative(scale)) {}
    template <class W> CUNA_INLINE T value(W word) const { return scale * sqrt(2 * exponential_of<T>(word)); }
};

CUNA_PER_WORD(Weibull)
    T power, scale; /* all are 0 of shape 0 */
    CUNA_INLINE explicit Weibull(T shape) : power(shape == 0 ? T(1) : 1 / positive(shape)), scale(shape == 0 ? T(0) : T(1)) {}
    template <class W> CUNA_INLINE T value(W word) const { return scale * own::pow(exponential_of<T>(word), power); }
};

CUNA_PER_WORD(Pareto)
    T shape;
    CUNA_INLINE explicit Pareto(T shape) : shape(positive(shape)) {}
    template <class W> CUNA_INLINE T value(W word) const { return own::expm1(exponential_of<T>(word) / shape); }
};

CUNA_PER_WORD(Power)
    T shape;
    CUNA_INLINE explicit Power(T shape) : shape(positive(shape)) {}
    template <class W> CUNA_INLINE T value(W word) const { return own::exp(-exponential_of<T>(word) / shape); }
};

CUNA_PER_WORD(Triangular)
    T left, mode, right;
    CUNA_INLINE Triangular(T left, T mode, T right)
        : left((left <= mode) & (mode <= right) & (left < right) ? left : limits<T>::nan()), mode(mode), right(right)
    {
    }
    template <class W> CUNA_INLINE T value(W word) const
    {
        const T width = right - left, before = mode - left, after = right - mode, u = inside(word);
        const T rising = left + sqrt(u * rounded(width * before)), falling = right - sqrt((1 - u) * rounded(width * after));
        return choose(u <= before / width, rising, falling + rounded(0 * left));
    }
};
#undef CUNA_PER_WORD

template <class D> struct Lognormal : Normal<D> {
    typedef typename value_of<D>::type T;
    CUNA_INLINE Lognormal(T mean, T sigma) : Normal<D>(mean, not_negative(sigma)) {}
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        T made[Lognormal::COUNT];
        Normal<D>::make(unit, made);
        to[0] = own::exp(made[0]), to[1] = own::exp(made[1]);
        if (Lognormal::COUNT > 2) {
            to[2] = own::exp(made[2 % Lognormal::COUNT]);
            to[3] = own::exp(made[3 % Lognormal::COUNT]);
        }
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

/* Two of each, of one block or two. */
template <class T> struct TwoTrials;
template <> struct TwoTrials<float> : Trial<float> {
    enum { BLOCKS = 1 };
    CUNA_INLINE explicit TwoTrials(const Unit &unit) : Trial<float>(unit.block(0)) {}
};
template <> struct TwoTrials<double> {
    enum { BLOCKS = 2 };
    double normal[2], uniform[2];
    CUNA_INLINE explicit TwoTrials(const Unit &unit)
    {
        const Words first = unit.block(0), second = unit.block(1);
        normal_pair(word_of(first, 0, normal), word_of(first, 1, normal), normal[0], normal[1]);
        uniform[0] = inside(word_of(second, 0, normal));
        uniform[1] = inside(word_of(second, 1, normal));
    }
};

/* ---- gamma ---- */

/* Standard gamma numbers (Marsaglia and Tsang, A simple method for generating gamma variables, 2000): a normal number x, and
 * a uniform one to decide whether (1 + c x)^3 d is one. Below 1 it is a number of the next shape times U^(1/shape), whose
 * logarithm `less` is. */
template <class T> struct GammaTrial {
    T shape, d, c, steep;
    CUNA_INLINE explicit GammaTrial(T shape)
        : shape(shape), d((shape < 1 ? shape + 1 : shape) - T(0.3333333333333333)), c(1 / sqrt(9 * d)),
          steep(shape < 1 ? fmin(1 / shape, limits<T>::max()) : T(0))
    {
    }
    CUNA_INLINE bool is_known() const { return (shape > 0) & (shape < limits<T>::infinity()); }
    CUNA_INLINE bool is_below_one() const { return shape < 1; }
    CUNA_INLINE T less(T exponential) const { return -steep * exponential; }
    /* Accepted where the margin is above 0; it is NaN where the number would be below 0. */
    CUNA_INLINE T value(T x, T u, T &margin) const
    {
        const T root = fma(c, x, T(1)), v = rounded(root * root * root);
        margin = fma(T(0.5), rounded(x * x), rounded(d * (1 - v + own::log(v)))) - own::log(u);
        return d * v;
    }
    /* Nine times of ten a bound decides, which needs no logarithm. */
    CUNA_REDRAWN T draw(Source &source) const
    {
        for (;;) {
            const T x = source.normal<T>(), u = source.open<T>(), square = rounded(x * x), root = fma(c, x, T(1));
            if ((root > 0) & (u < fma(T(-0.0331), rounded(square * square), T(1))))
                return d * rounded(root * root * root);
            T margin;
            const T made = value(x, u, margin);
            if (margin > 0)
                return made;
        }
    }
    CUNA_INLINE T draw_less(Source &source) const
    {
        return is_below_one() ? less(source.exponential<T>()) : T(0);
    }
};

/* All of a number; of a shape that has none, 0 and infinity are what numbers come close to. */
template <class T> CUNA_REDRAWN T standard_gamma(Source &source, const GammaTrial<T> &trial)
{
    if (!trial.is_known())
        return trial.shape >= 0 ? trial.shape : limits<T>::nan();
    const T made = trial.draw(source);
    return trial.is_below_one() ? made * own::exp(trial.draw_less(source)) : made;
}

/* Its logarithm, which is one where the number itself is too small. */
template <class T> CUNA_REDRAWN T log_gamma(Source &source, const GammaTrial<T> &trial)
{
    if (!trial.is_known())
        return trial.shape >= 0 ? own::log(trial.shape) : limits<T>::nan();
    const T made = own::log(trial.draw(source));
    return made + trial.draw_less(source);
}

/* Self::value of a gamma number without what it is less by, and of that; Self::all makes the whole of a Source. */
template <class D, class Self> struct OneGamma : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = Trial<T>::COUNT, BLOCKS = 2, REJECTS = 1 };
    GammaTrial<T> trial;
    CUNA_INLINE explicit OneGamma(T shape) : trial(shape) {}
    CUNA_INLINE bool tries() const { return trial.is_known(); }
    CUNA_INLINE unsigned make_one(const Trial<T> &of, T less, int k, T *to) const
    {
        T margin;
        const T made = trial.value(of.normal[k], of.uniform[k], margin);
        to[k] = static_cast<const Self &>(*this).value(made, less);
        return unsigned(!(margin > 0)) << k;
    }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Trial<T> of(unit.block(0));
        T less[2] = {0, 0};
        if (CUNA_BRANCHLESS || trial.is_below_one()) {
            const Words more = unit.block(1);
            less[0] = trial.less(exponential_of<T>(word_of(more, 0, to)));
            less[1] = trial.less(exponential_of<T>(word_of(more, 1, to)));
        }
        unsigned none = make_one(of, less[0], 0, to);
        if (COUNT > 1)
            none |= make_one(of, less[COUNT - 1], COUNT - 1, to);
        return none;
    }
};

template <class D> struct Gamma : OneGamma<D, Gamma<D> > {
    typedef typename value_of<D>::type T;
    T scale;
    CUNA_INLINE Gamma(T shape, T scale) : OneGamma<D, Gamma<D> >(shape), scale(not_negative(scale)) {}
    CUNA_INLINE T value(T made, T less) const { return scale * made * own::exp(less); }
    CUNA_INLINE T again(Source &source) const { return scale * standard_gamma(source, this->trial); }
};

template <class D> struct LogGamma : OneGamma<D, LogGamma<D> > {
    typedef typename value_of<D>::type T;
    CUNA_INLINE explicit LogGamma(T shape) : OneGamma<D, LogGamma<D> >(shape) {}
    CUNA_INLINE T value(T made, T less) const { return own::log(made) + less; }
    CUNA_INLINE T again(Source &source) const { return log_gamma(source, this->trial); }
};

/* A number over the greatest beside it, of both logarithms. */
template <class T> CUNA_INLINE T share_of(T log, T greatest) { return own::exp(log - greatest); }

/* ---- of two gamma numbers ---- */

/* Self::value of both and of what they are less by. */
template <class D, class Self> struct TwoGammas : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1, LESS = TwoTrials<T>::BLOCKS, BLOCKS = LESS + 1, REJECTS = 1 };
    GammaTrial<T> one, other;
    CUNA_INLINE TwoGammas(T shape, T other_shape) : one(shape), other(other_shape) {}
    CUNA_INLINE bool tries() const { return one.is_known() & other.is_known(); }
    CUNA_INLINE const Self &self() const { return static_cast<const Self &>(*this); }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const TwoTrials<T> of(unit);
        T less = 0, other_less = 0;
        if (CUNA_BRANCHLESS || one.is_below_one() || other.is_below_one()) {
            const Words more = unit.block(LESS);
            less = one.less(exponential_of<T>(word_of(more, 0, to)));
            other_less = other.less(exponential_of<T>(word_of(more, 1, to)));
        }
        T margin, other_margin;
        const T made = one.value(of.normal[0], of.uniform[0], margin);
        to[0] = self().value(made, other.value(of.normal[1], of.uniform[1], other_margin), less, other_less);
        margin = margin > 0 ? margin : T(-1);
        return !((margin < other_margin ? margin : other_margin) > 0);
    }
    CUNA_INLINE T again(Source &source) const
    {
        if (!tries())
            return self().edge(source);
        const T made = one.draw(source), less = one.draw_less(source), other_made = other.draw(source);
        return self().value(made, other_made, less, other.draw_less(source));
    }
};

/* The share of one of both. */
template <class D> struct Beta : TwoGammas<D, Beta<D> > {
    typedef typename value_of<D>::type T;
    T a, b;
    CUNA_INLINE Beta(T a, T b) : TwoGammas<D, Beta<D> >(a, b), a(a), b(b) {}
    CUNA_INLINE T value(T made, T other, T less, T other_less) const
    {
        return 1 / fma(other / made, own::exp(other_less - less), T(1));
    }
    /* All is one's where its shape is infinite; half of it where both are. */
    CUNA_INLINE T edge(Source &) const
    {
        const T share = a < b ? T(0) : a > b ? T(1) : T(0.5);
        return (a > 0) & (b > 0) ? share : limits<T>::nan();
    }
};

/* The mean of the squares of `df` normal numbers: 1 of infinitely many. */
template <class T> struct MeanSquare {
    T df;
    GammaTrial<T> trial;
    CUNA_INLINE explicit MeanSquare(T df) : df(df), trial(df / 2) {}
    CUNA_REDRAWN T draw(Source &source) const
    {
        const T made = df < limits<T>::infinity() ? 2 * standard_gamma(source, trial) / df : T(1);
        return df > 0 ? made : limits<T>::nan();
    }
};
template <class T> CUNA_INLINE T mean_square(Source &source, T df) { return MeanSquare<T>(df).draw(source); }

/* The quotient of two such means. */
template <class D> struct FRatio : TwoGammas<D, FRatio<D> > {
    typedef typename value_of<D>::type T;
    T dfnum, dfden;
    CUNA_INLINE FRatio(T dfnum, T dfden) : TwoGammas<D, FRatio<D> >(dfnum / 2, dfden / 2), dfnum(dfnum), dfden(dfden) {}
    CUNA_INLINE T value(T made, T other, T less, T other_less) const
    {
        return made / other * own::exp(less - other_less) * (dfden / dfnum);
    }
    CUNA_INLINE T edge(Source &source) const
    {
        const T above = mean_square(source, dfnum);
        return above / mean_square(source, dfden);
    }
};

/* ---- of a normal number and a gamma number ---- */

template <class D, class Self> struct NormalAndGamma : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1, LESS = TwoTrials<T>::BLOCKS, BLOCKS = LESS + 1, REJECTS = 1 };
    GammaTrial<T> trial;
    CUNA_INLINE explicit NormalAndGamma(T shape) : trial(shape) {}
    CUNA_INLINE const Self &self() const { return static_cast<const Self &>(*this); }
    CUNA_INLINE bool tries() const { return trial.is_known() & self().is_known(); }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const TwoTrials<T> of(unit);
        T less = 0;
        if (CUNA_BRANCHLESS || trial.is_below_one())
            less = trial.less(exponential_of<T>(word_of(unit.block(LESS), 0, to)));
        T margin;
        to[0] = self().value(of.normal[0], trial.value(of.normal[1], of.uniform[1], margin), less);
        return !(margin > 0);
    }
    CUNA_INLINE T again(Source &source) const
    {
        if (!tries())
            return self().edge(source);
        const T normal = source.normal<T>(), made = trial.draw(source);
        return self().value(normal, made, trial.draw_less(source));
    }
};

template <class D> struct StandardT : NormalAndGamma<D, StandardT<D> > {
    typedef typename value_of<D>::type T;
    T df;
    CUNA_INLINE explicit StandardT(T df) : NormalAndGamma<D, StandardT<D> >(df / 2), df(df) {}
    CUNA_INLINE bool is_known() const { return true; }
    CUNA_INLINE T value(T normal, T made, T less) const
    {
        return normal * sqrt(df / (2 * made)) * own::exp(T(-0.5) * less);
    }
    CUNA_INLINE T edge(Source &source) const
    {
        const T normal = source.normal<T>();
        return normal / sqrt(mean_square(source, df));
    }
};

/* Two of the roots of a quadratic equation in a squared normal number, of which one is chosen (Michael, Schucany and Haas,
 * Generating random variates using transformations with multiple roots, 1976). */
template <class D> struct Wald : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = Trial<T>::COUNT };
    T mean, scale;
    CUNA_INLINE Wald(T mean, T scale) : mean(positive(mean)), scale(positive(scale)) {}
    CUNA_INLINE T value(T normal, T uniform) const
    {
        const T a = rounded(normal * normal * (mean / (2 * scale)));
        const T greater = 1 + a + sqrt(a) * sqrt(a + 2), lesser = 1 / greater;
        return mean * choose(rounded(uniform * (1 + lesser)) <= 1, lesser, greater);
    }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Trial<T> of(unit.block(0));
        to[0] = value(of.normal[0], of.uniform[0]);
        if (COUNT > 1)
            to[COUNT - 1] = value(of.normal[COUNT - 1], of.uniform[COUNT - 1]);
        return 0;
    }
};

/* ---- values of unknown numbers of words: `again` makes all of them ---- */

template <class D> struct FromSource : Sampler<D> {
    enum { COUNT = 1, BLOCKS = 0, REJECTS = 1 };
    CUNA_INLINE bool tries() const { return false; }
    CUNA_INLINE unsigned make(const Unit &, typename Sampler<D>::T *) const { return 1; }
};

/* Von Mises numbers (Best and Fisher, Efficient simulation of the von Mises distribution, 1979): a wrapped Cauchy number as
 * an envelope. Beyond a million it is a wrapped normal number to all digits. Computed in double for both dtypes. */
struct VonmisesTrial {
    double kappa, s, slope;
    CUNA_INLINE explicit VonmisesTrial(double kappa) : kappa(kappa)
    {
        const double r = 1 + sqrt(1 + 4 * rounded(kappa * kappa)), rho = (r - sqrt(2 * r)) / (2 * kappa);
        s = (1 + rounded(rho * rho)) / (2 * rho);
        slope = sqrt((s - 1) / (s + 1));
    }
    CUNA_INLINE bool is_known() const { return (kappa >= 1e-8) & (kappa <= 1e6); }
    /* An angle of half turns and a number to decide about it. */
    CUNA_INLINE double value(double turns, double v, bool &accepted) const
    {
        double sine, cosine;
        own::sincospi(turns, sine, cosine);
        const double y = kappa * (s - (1 + rounded(s * cosine)) / (s + cosine));
        accepted = own::log(y / v) + 1 - y >= 0;
        return 2 * own::atan(slope * (sine / (1 + cosine)));
    }
    CUNA_REDRAWN double draw(Source &source) const
    {
        if (kappa < 1e-8)
            return 3.141592653589793 * half_turns(source.bits64());
        if (kappa > 1e6)
            return source.normal<double>() / sqrt(kappa);
        for (;;) {
            bool accepted;
            const double turns = half_turns(source.bits64()), angle = value(turns, source.open<double>(), accepted);
            if (accepted)
                return angle;
        }
    }
};

template <class D> struct Vonmises : Sampler<D> {
    typedef typename value_of<D>::type T;
    enum { COUNT = 1, REJECTS = 1 };
    T mu;
    VonmisesTrial trial;
    CUNA_INLINE Vonmises(T mu, T kappa) : mu(mu), trial(double(kappa)) {}
    CUNA_INLINE T wrapped(double angle) const
    {
        angle += double(mu);
        return T(fma(rint(angle * 0.15915494309189535), -6.283185307179586, angle));
    }
    CUNA_INLINE bool tries() const { return trial.is_known(); }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Words block = unit.block(0);
        bool accepted;
        const double v = inside(word_of(block, 1, (double *)0));
        to[0] = wrapped(trial.value(half_turns(word_of(block, 0, (double *)0)), v, accepted));
        return !accepted;
    }
    CUNA_INLINE T again(Source &source) const
    {
        return trial.kappa >= 0 ? wrapped(trial.draw(source)) : limits<T>::nan();
    }
};

}
}

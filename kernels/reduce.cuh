// reduce.cuh: the states of folds: what they start from, how two of them combine, and what becomes of them.
namespace cuna {

// Largest and smallest with their positions: NaN beats everything, and ties go to the first position. `better` is exact;
// `beats` is a cheaper equivalent if the best is not NaN; `ends` is true if nothing can beat the best; `pick` is the value
// alone of the better one.
struct Greatest {
    template <class T> static CUNA_INLINE bool valid(T) { return true; }
    template <class T> static CUNA_INLINE bool better(T a, T b) { return (less(b, a) | isnan(a)) & !isnan(b); }
    template <class T> static CUNA_INLINE bool beats(T a, T b) { return !less_equal(a, b); }
    template <class T> static CUNA_INLINE bool ends(T a) { return isnan(a); }
    template <class T> static CUNA_INLINE T pick(T a, T b) { return maximum(a, b); }
};
struct Least {
    template <class T> static CUNA_INLINE bool valid(T) { return true; }
    template <class T> static CUNA_INLINE bool better(T a, T b) { return (less(a, b) | isnan(a)) & !isnan(b); }
    template <class T> static CUNA_INLINE bool beats(T a, T b) { return !less_equal(b, a); }
    template <class T> static CUNA_INLINE bool ends(T a) { return isnan(a); }
    template <class T> static CUNA_INLINE T pick(T a, T b) { return minimum(a, b); }
};
struct GreatestNumber {
    template <class T> static CUNA_INLINE bool valid(T a) { return !isnan(a); }
    template <class T> static CUNA_INLINE bool better(T a, T b) { return less(b, a); }
    template <class T> static CUNA_INLINE bool beats(T a, T b) { return less(b, a); }
    template <class T> static CUNA_INLINE bool ends(T) { return false; }
    template <class T> static CUNA_INLINE T pick(T a, T b) { return fmax(a, b); }
};
struct LeastNumber {
    template <class T> static CUNA_INLINE bool valid(T a) { return !isnan(a); }
    template <class T> static CUNA_INLINE bool better(T a, T b) { return less(a, b); }
    template <class T> static CUNA_INLINE bool beats(T a, T b) { return less(a, b); }
    template <class T> static CUNA_INLINE bool ends(T) { return false; }
    template <class T> static CUNA_INLINE T pick(T a, T b) { return fmin(a, b); }
};

// Identities of minimum, maximum and of those that ignore NaN.
template <class T> CUNA_INLINE T greatest(T * = 0) { return limits<T>::max(); }
template <class T> CUNA_INLINE T least(T * = 0) { return limits<T>::lowest(); }
template <> CUNA_INLINE bool greatest(bool *) { return true; }
template <> CUNA_INLINE bool least(bool *) { return false; }
template <> CUNA_INLINE float greatest(float *) { return limits<float>::infinity(); }
template <> CUNA_INLINE float least(float *) { return -limits<float>::infinity(); }
template <> CUNA_INLINE double greatest(double *) { return limits<double>::infinity(); }
template <> CUNA_INLINE double least(double *) { return -limits<double>::infinity(); }
template <class T> CUNA_INLINE T not_a_number() { return limits<T>::nan(); }
CUNA_INLINE double above_zero(double x) { return x > 0 ? x : 0; }
CUNA_INLINE double positive_or_nan(double x) { return x > 0 ? x : limits<double>::nan(); }

// Means: a sum of integers is divided as a float and cut back.
template <class T> CUNA_INLINE T divide_by(T a, double n) { return to_number<T>(double(a) / n); }
CUNA_INLINE float divide_by(float a, double n) { return a / float(n); }
CUNA_INLINE double divide_by(double a, double n) { return a / n; }
template <class T> CUNA_INLINE T square_length(T a) { return wrap_mul(a, a); }

// The least and the greatest element.
template <class T>
struct Range {
    T least, most;
};

template <class T>
CUNA_INLINE Range<T> combine_range(Range<T> a, Range<T> b)
{
    Range<T> both = {minimum(a.least, b.least), maximum(a.most, b.most)};
    return both;
}

// A sum and how many elements it has.
template <class T>
struct Counted {
    T value;
    int64 count;
};

template <class T>
CUNA_INLINE Counted<T> combine_counted(Counted<T> a, Counted<T> b)
{
    Counted<T> both = {wrap_add(a.value, b.value), a.count + b.count};
    return both;
}

// How many elements are true. Runs of them are counted in bytes (fold_bytes of reduce_states_runs.cuh).
struct Count {
    int64 n;
};

CUNA_INLINE Count combine_counts(Count a, Count b)
{
    const Count both = {a.n + b.n};
    return both;
}

// A product as a value times a power of 2, so that no part of it overflows or vanishes when the whole does not: products
// of two values whose squares do not are safe, and others are scaled, which is exact.
CUNA_INLINE bool squares_safely(float x) { return (x > 1.1e-19f) & (x < 1.2e19f); }
CUNA_INLINE bool squares_safely(double x) { return (x > 1.5e-154) & (x < 9e153); }

template <class T>
struct Scaled {
    T value;
    int64 power;
};

template <class T>
CUNA_INLINE Scaled<T> make_scaled(T value, int64 power)
{
    Scaled<T> made = {value, power};
    if (!squares_safely(extent(value))) {
        const int64 own = exponent(extent(value));
        made.value = ldexp(value, -own);
        made.power = power + own;
    }
    return made;
}

template <class T>
CUNA_INLINE Scaled<T> combine_scaled(Scaled<T> a, Scaled<T> b)
{
    return make_scaled(wrap_mul(a.value, b.value), a.power + b.power);
}

// Sums of the distances of elements from `base`, the first of them, and of their squares: squared distances from the mean
// in one pass. A lane's squares are at most as many times those about its mean as it has elements, and twice those where
// the first one is like the others. States combine about their means (Chan, Golub and LeVeque, Updating formulae and a
// pairwise algorithm for computing sample variances, 1979); what rounding takes from a mean stays in `sum`. Where squares
// are beyond T's range, `squares` is infinite and the state's answer, whatever `base` and `sum` have become; an infinite
// element, which has no distance from a mean, is NaN here.
template <class T>
struct Deviations {
    T base, sum, squares, count;
};

template <class T>
CUNA_INLINE Deviations<T> make_deviations(T a)
{
    const Deviations<T> made = {fma(a, T(0), a), T(0), T(0), T(1)};
    return made;
}

template <class T>
CUNA_INLINE T mean_above(Deviations<T> a)
{
    return a.count > 0 ? a.sum * quotient_of_middle(T(1), a.count) : T(0);
}

// The sum of squared distances from the mean.
template <class T>
CUNA_INLINE T squares_of(Deviations<T> a)
{
    const T squares = a.squares - a.sum * mean_above(a);
    return isinf(a.squares) ? a.squares : squares < 0 ? T(0) : squares;
}

template <class T>
CUNA_INLINE Deviations<T> combine_deviations(Deviations<T> a, Deviations<T> b)
{
    const T count = a.count + b.count, above = mean_above(a), part = b.count * quotient_of_middle(T(1), count);
    const T apart = (b.base - a.base) + (mean_above(b) - above), shift = fma(apart, part, above);
    Deviations<T> both;
    both.base = a.base + shift;
    const T rest = (a.base - both.base) + shift;
    both.sum = rest * count;
    const T within = squares_of(a) + squares_of(b), squares = fma(apart * apart, a.count * part, within);
    both.squares = isinf(within) ? within : isinf(squares) ? squares : squares + rest * both.sum;
    both.count = count;
    return b.count == 0 ? a : a.count == 0 ? b : both;
}

template <class V, class O>
struct Arg {
    typedef O Order;
    V value;
    int64 index;  // -1: nothing yet
};

template <class S, class V>
CUNA_INLINE S make_arg(V value, int64 index)
{
    S made;
    made.value = value;
    made.index = S::Order::valid(value) ? index : -1;
    return made;
}

template <class V, class O>
CUNA_INLINE Arg<V, O> combine_arg(Arg<V, O> a, Arg<V, O> b)
{
    if (b.index < 0 || (a.index >= 0 && O::better(a.value, b.value)))
        return a;
    if (a.index < 0 || O::better(b.value, a.value))
        return b;
    return a.index < b.index ? a : b;
}

// A state and the state of one more element, whose position is beyond all that went into the first.
template <class P, class S>
CUNA_INLINE S fold_in(S state, S element)
{
    return P::combine(state, element);
}

template <class P, class T>
CUNA_INLINE Deviations<T> fold_in(Deviations<T> state, Deviations<T> element)
{
    const T base = state.count > 0 ? state.base : element.base;
    const T apart = element.count > 0 ? element.base - base : T(0);
    const Deviations<T> both = {base, state.sum + apart, fma(apart, apart, state.squares), state.count + element.count};
    return both;
}

template <class P, class V, class O>
CUNA_INLINE Arg<V, O> fold_in(Arg<V, O> best, Arg<V, O> element)
{
    const bool better = O::valid(element.value) & ((best.index < 0) | O::better(element.value, best.value));
    best.value = better ? element.value : best.value;
    best.index = better ? element.index : best.index;
    return best;
}

// Which of a lane's states element k of an access goes to: its own, so that no addition waits for another one. Deviations
// have one: their states are large, and cost much to combine.
template <class S>
CUNA_INLINE int side(int k, const S &)
{
    return k;
}
template <class T>
CUNA_INLINE int side(int, const Deviations<T> &)
{
    return 0;
}

// Where the state of a segment goes: the workspace, or, when it is the only one, the output.
template <class P>
CUNA_INLINE void keep(const P &p, const typename P::Args &args, word output, word segment, typename P::State state)
{
    static_assert(sizeof(typename P::State) <= STATE_NBYTES, "the workspace has this much room for a state");
    if (args.segments > 1)
        ((typename P::State *)args.workspace)[output * args.segments + segment] = state;
    else
        p.write(state, args.count, args.extra);
}

}  // namespace cuna

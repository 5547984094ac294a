/* random.cuh: random numbers as functions of a key, the number of a draw and the position of an element.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011) maps a counter of
 * 128 bits and a key of 64 to a block of four words. The counter holds the draw's number (64 bits), a unit (40) and
 * the number of the block within the unit (24), so no two draws and no two units share a word, and a value has the
 * same bits on every device.
 *
 * A sampler makes COUNT values of the first BLOCKS blocks of a unit. Element i of a draw is value v of unit g LINE +
 * j, where i = (g COUNT + v) LINE + j: LINE units give COUNT runs of LINE elements each, which loops and lanes compute
 * side by side. A value that the sampler rejects, or whose parameters it does not support, is drawn from a Source: the
 * following blocks of the unit whose number is the element's position. Only rejected values may go to the Source: if a
 * sampler passed on values that it could have accepted, these values would become rarer. */
namespace cuna {
namespace random {

struct Words { uint32 at[4]; };

/* A counter on its way through the rounds: products are made of low halves alone. */
struct Counter {
    half_word a, b, c, d;
    uint32 left, right;
    CUNA_INLINE void round()
    {
        half_word p, q;
        const half_word above_p = high_half(0xD2511F53u, a, p), above_q = high_half(0xCD9E8D57u, c, q);
        a = above_q ^ b ^ left;
        c = above_p ^ d ^ right;
        b = q;
        d = p;
        left += 0x9E3779B9u;
        right += 0xBB67AE85u;
    }
};

CUNA_INLINE Words philox(uint64 a, uint64 b, uint64 c, uint64 d, uint64 key)
{
    Counter at = {half_word(a), half_word(b), half_word(c), half_word(d), uint32(key), uint32(key >> 32)};
    at.round(), at.round(), at.round(), at.round(), at.round();
    at.round(), at.round(), at.round(), at.round(), at.round();
    const Words block = {{uint32(at.a), uint32(at.b), uint32(at.c), uint32(at.d)}};
    return block;
}

CUNA_INLINE Words block_of(uint64 unit, uint64 block, uint64 key, uint64 call)
{
    return philox(unit, (unit >> 32) | block << 8, call, call >> 32, key);
}

CUNA_INLINE uint64 joined(uint32 low, uint32 high) { return low | uint64(high) << 32; }

/* ---- words as numbers ---- */

/* Binary digits of the numbers of [0, 1): as many as the elements hold, so that none is rounded to 1. */
template <class D> struct digits;
template <> struct digits<float16> { enum { count = 11 }; };
template <> struct digits<bfloat16> { enum { count = 8 }; };
template <> struct digits<float> { enum { count = 24 }; };
template <> struct digits<double> { enum { count = 53 }; };

template <class D> CUNA_INLINE float unit_interval(uint32 word)
{
    enum { COUNT = digits<D>::count };
    return float(int32(word >> (32 - COUNT))) * (1.0f / (1 << COUNT));
}
template <class D> CUNA_INLINE double unit_interval(uint64 word)
{
    return double(int64(word >> 11)) * 1.1102230246251565e-16;
}

/* In (0, 1]: of all bits, so that the least numbers are as far apart as they are small. */
CUNA_INLINE float above_zero(uint32 word) { return fma(float(word), 2.3283064365386963e-10f, 1.1641532182693481e-10f); }
CUNA_INLINE double above_zero(uint64 word)
{
    return fma(double(int64(word >> 11)), 1.1102230246251565e-16, 5.551115123125783e-17);
}

/* In (0, 1), evenly spaced and symmetric. */
CUNA_INLINE float inside(uint32 word) { return float(int32(word >> 8 | 1)) * 5.9604644775390625e-08f; }
CUNA_INLINE double inside(uint64 word) { return double(int64(word >> 11 | 1)) * 1.1102230246251565e-16; }

/* In [-1, 1): as half turns, all directions. */
CUNA_INLINE float half_turns(uint32 word) { return float(int32(word)) * 4.656612873077393e-10f; }
CUNA_INLINE double half_turns(uint64 word) { return double(int64(word) >> 11) * 2.220446049250313e-16; }

CUNA_INLINE uint32 word_of(const Words &block, int k, float *) { return block.at[k]; }
CUNA_INLINE uint64 word_of(const Words &block, int k, double *) { return joined(block.at[2 * k], block.at[2 * k + 1]); }

/* Two normal numbers of two words (Box and Muller, A note on the generation of random normal deviates, 1958). */
template <class T, class W> CUNA_INLINE void normal_pair(W first, W second, T &one, T &other)
{
    const T radius = sqrt_of_middle(T(-2) * own::log_of_normal(above_zero(first)));
    T sine, cosine;
    own::sincospi(half_turns(second), sine, cosine);
    one = radius * cosine;
    other = radius * sine;
}

template <class T, class W> CUNA_INLINE T exponential_of(W word) { return T(0) - own::log_of_normal(T(above_zero(word))); }

/* ---- as many words as it takes ---- */

/* The words of an element of a draw, one after the other. */
class Source {
    uint64 unit, key, call;
    uint32 block, first, second, third, fourth;
    int left;

    CUNA_INLINE void refill()
    {
        const Words words = block_of(unit, block++, key, call);
        first = words.at[0], second = words.at[1], third = words.at[2], fourth = words.at[3];
        left = 4;
    }

public:
    CUNA_INLINE Source(int64 element, uint64 key, uint64 call, uint32 block = 0)
        : unit(uint64(element)), key(key), call(call), block(block), first(0), second(0), third(0), fourth(0), left(0)
    {
    }
    /* Whose block `block` was made already. */
    CUNA_INLINE Source(int64 element, uint64 key, uint64 call, uint32 block, const Words &made)
        : unit(uint64(element)), key(key), call(call), block(block + 1), first(made.at[0]), second(made.at[1]),
          third(made.at[2]), fourth(made.at[3]), left(4)
    {
    }
    CUNA_INLINE uint32 bits32()
    {
        if (left == 0)
            refill();
        const uint32 word = first;
        first = second, second = third, third = fourth; /* no index: these stay in registers */
        --left;
        return word;
    }
    CUNA_INLINE uint64 bits64()
    {
        const uint32 low = bits32();
        return joined(low, bits32());
    }
    CUNA_INLINE uint32 word(float *) { return bits32(); }
    CUNA_INLINE uint64 word(double *) { return bits64(); }

    template <class T> CUNA_INLINE T uniform() { return unit_interval<T>(word((T *)0)); } /* in [0, 1) */
    template <class T> CUNA_INLINE T open() { return inside(word((T *)0)); }              /* in (0, 1) */
    template <class T> CUNA_INLINE T exponential() { return exponential_of<T>(word((T *)0)); }
    template <class T> CUNA_INLINE T normal()
    {
        T one, other;
        const auto word1 = word((T *)0), word2 = word((T *)0);
        normal_pair(word1, word2, one, other);
        return one;
    }
};

/* ---- samplers: `make` returns which values were rejected (bits), and `again` makes those of a Source ---- */

/* The blocks of a unit, of which a sampler takes BLOCKS. */
struct Unit {
    uint64 unit, key, call;
    bool is_alone; /* else others are made beside it, by the same instructions: samplers do not branch */
    CUNA_INLINE Unit(uint64 unit, uint64 key, uint64 call, bool is_alone = true)
        : unit(unit), key(key), call(call), is_alone(is_alone)
    {
    }
    CUNA_INLINE Words block(uint32 number) const { return block_of(unit, number, key, call); }
};

template <class D> struct Sampler {
    typedef typename value_of<D>::type T;
    enum { COUNT = sizeof(T) == 8 ? 2 : 4, BLOCKS = 1, REJECTS = 0 };
    CUNA_INLINE bool tries() const { return true; } /* whether blocks can make values, of these parameters */
    CUNA_INLINE T again(Source &) const { return T(); }
};

/* A sampler's values of a unit: a part of the loops that call it, which are vectors then, or a function that they share,
 * where CUNA_SAMPLED is CUNA_APART; then CUNA_REDRAWN, which draws what few values need, is too. */
#ifndef CUNA_SAMPLED
#define CUNA_SAMPLED CUNA_INLINE
#define CUNA_REDRAWN CUNA_INLINE
#endif
template <class S> CUNA_SAMPLED unsigned make(const S &sampler, const Unit &unit, typename S::T *to)
{
    return sampler.make(unit, to);
}

/* to[k] = sampler.value(word k) for k < COUNT, words of type W. No loop: gcc would vectorise it in place of the one over
 * blocks. */
template <int COUNT, class W> struct values {
    template <class S> static CUNA_INLINE void make(const S &sampler, const Words &block, typename S::T *to)
    {
        values<COUNT - 1, W>::make(sampler, block, to);
        to[COUNT - 1] = sampler.value(word_of(block, COUNT - 1, (W *)0));
    }
};
template <class W> struct values<0, W> {
    template <class S> static CUNA_INLINE void make(const S &, const Words &, typename S::T *) {}
};

/* A sampler whose values are made of a word of type W each, by Self::value. */
template <class D, class W, class Self> struct PerWord : Sampler<D> {
    enum { COUNT = 16 / sizeof(W) };
    CUNA_INLINE unsigned make(const Unit &unit, typename Sampler<D>::T *to) const
    {
        values<COUNT, W>::make(static_cast<const Self &>(*this), unit.block(0), to);
        return 0;
    }
};

template <class D> struct Uniform : PerWord<D, typename value_of<D>::type, Uniform<D> > {
    typedef typename value_of<D>::type T;
    T low, range;
    CUNA_INLINE Uniform(T low, T high) : low(low), range(high - low) {}
    template <class W> CUNA_INLINE T value(W word) const { return fma(range, unit_interval<D>(word), low); }
};

/* Uniform of [0, 1). */
template <class D> struct UnitInterval : PerWord<D, typename value_of<D>::type, UnitInterval<D> > {
    template <class W> CUNA_INLINE typename value_of<D>::type value(W word) const { return unit_interval<D>(word); }
};

template <class D> struct Normal : Sampler<D> {
    typedef typename Sampler<D>::T T;
    T loc, scale;
    CUNA_INLINE Normal(T loc, T scale) : loc(loc), scale(scale) {}
    CUNA_INLINE void pair(const Words &block, int k, T *to) const
    {
        T one, other;
        normal_pair(word_of(block, k, (T *)0), word_of(block, k + 1, (T *)0), one, other);
        to[k] = fma(scale, one, loc);
        to[k + 1] = fma(scale, other, loc);
    }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Words block = unit.block(0);
        pair(block, 0, to);
        if (Normal::COUNT > 2)
            pair(block, 2 % Normal::COUNT, to);
        return 0;
    }
};

template <class D> struct Exponential : PerWord<D, typename value_of<D>::type, Exponential<D> > {
    typedef typename value_of<D>::type T;
    T scale;
    CUNA_INLINE explicit Exponential(T scale) : scale(scale) {}
    template <class W> CUNA_INLINE T value(W word) const
    {
        return fma(-scale, own::log_of_normal(T(above_zero(word))), T(0)); /* + 0: never -0 */
    }
};

/* ---- whole numbers ---- */

CUNA_INLINE uint32 word_of(const Words &block, int k, uint32 *) { return block.at[k]; }
CUNA_INLINE uint64 word_of(const Words &block, int k, uint64 *) { return joined(block.at[2 * k], block.at[2 * k + 1]); }

/* The product of two words as two words. */
CUNA_INLINE uint32 wide_product(uint32 a, uint32 b, uint32 &low)
{
    const uint64 product = uint64(a) * b;
    low = uint32(product);
    return uint32(product >> 32);
}
CUNA_INLINE uint64 wide_product(uint64 a, uint64 b, uint64 &low)
{
    const uint64 a0 = uint32(a), a1 = a >> 32, b0 = uint32(b), b1 = b >> 32;
    const uint64 middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + uint32(middle);
    low = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* Uniform integers of [low, low + most] (Lemire, Fast random integer generation in an interval, 2019): the high word
 * of a word's product with how many there are, but where the low word is among the few that would make some likelier. W is
 * a word that holds `most`; a word itself where it holds no more. */
template <class D, class W> struct Integers {
    typedef typename value_of<D>::type T;
    enum { COUNT = sizeof(W) == 8 ? 2 : 4, BLOCKS = 1, REJECTS = 1 };
    uint64 low;
    W most, few;
    CUNA_INLINE bool tries() const { return true; }
    CUNA_INLINE Integers(uint64 low, uint64 most) : low(low), most(W(most)), few(0)
    {
        const W count = W(this->most + 1);
        few = count == 0 ? W(0) : W(W(-count) % count);
    }
    CUNA_INLINE T value(W word, bool &is_none) const
    {
        W rest;
        const W high = wide_product(word, W(most + 1), rest), chosen = W(most + 1) == 0 ? word : high;
        is_none = W(most + 1) != 0 && rest < few;
        return T(low + chosen);
    }
    CUNA_INLINE unsigned make(const Unit &unit, T *to) const
    {
        const Words block = unit.block(0);
        unsigned none = 0;
        for (int k = 0; k < COUNT; ++k) {
            bool is_none;
            to[k] = value(word_of(block, k, (W *)0), is_none);
            none |= unsigned(is_none) << k;
        }
        return none;
    }
    CUNA_INLINE W next(Source &source, uint32 *) const { return source.bits32(); }
    CUNA_INLINE W next(Source &source, uint64 *) const { return source.bits64(); }
    CUNA_INLINE T again(Source &source) const
    {
        for (;;) {
            bool is_none;
            const T made = value(next(source, (W *)0), is_none);
            if (!is_none)
                return made;
        }
    }
};

/* ---- elements of samplers ---- */

enum { LINE = 32 };

/* A value that the blocks did not give: from those behind, which are the element's own. */
template <class S> CUNA_APART typename S::T drawn_from(const S &sampler, Source source) { return sampler.again(source); }
template <class S> CUNA_INLINE typename S::T drawn_again(const S &sampler, int64 element, uint64 key, uint64 call)
{
    return drawn_from(sampler, Source(element, key, call, S::BLOCKS));
}

/* Element number `element` of a draw. */
template <class S> CUNA_INLINE typename S::T drawn(const S &sampler, int64 element, uint64 key, uint64 call)
{
    if (S::REJECTS && !sampler.tries())
        return drawn_again(sampler, element, key, call);
    const uint64 run = uint64(element) / LINE, group = run / S::COUNT, v = run % S::COUNT;
    typename S::T made[S::COUNT], value;
    const unsigned none = make(sampler, Unit(group * LINE + uint64(element) % LINE, key, call), made);
    value = made[0];
    CUNA_UNROLL
    for (int k = 1; k < S::COUNT; ++k)
        value = v == unsigned(k) ? made[k] : value;
    return S::REJECTS && (none >> v & 1) ? drawn_again(sampler, element, key, call) : value;
}

/* The same where all elements of a loop have one sampler: on loops each_in_line makes whole groups of them. */
template <class S> CUNA_INLINE typename S::T in_line(const S &sampler, int64 element, uint64 key, uint64 call)
{
    return drawn(sampler, element, key, call);
}

/* Tiles of a contiguous array, each of UNITS blocks, beginning where the array does. */
template <int UNITS> struct filling;

/* A lane makes UNITS units at once, LINE apart: lanes side by side store what lies side by side, and what units have in
 * common, such as keys and coefficients, is computed once. */
template <int UNITS> struct side_by_side {
    template <class S>
    static CUNA_INLINE void unit(const S &sampler, typename S::T *made, uint64 unit, int64 first, uint64 key, uint64 call)
    {
        const unsigned none = !S::REJECTS || sampler.tries() ? make(sampler, Unit(unit, key, call), made) : ~0u;
        CUNA_UNROLL
        for (int k = 0; S::REJECTS && k < S::COUNT; ++k) {
            Source source(first + k * LINE, key, call, S::BLOCKS);
            if (none >> k & 1) /* of one value in place: a call would put the sampler into memory */
                made[k] = S::COUNT == 1 ? sampler.again(source) : drawn_from(sampler, source);
        }
    }
    template <class D, class S>
    static CUNA_INLINE void tile(const S &sampler, D *out, uint64 number, int64 size, uint64 key, uint64 call)
    {
        enum { VALUES = UNITS * S::COUNT };
        typename S::T made[VALUES];
        const int64 first = int64(number / LINE * (LINE * VALUES) + number % LINE);
        CUNA_UNROLL
        for (int u = 0; u < UNITS; ++u)
            unit(sampler, made + u * S::COUNT, number / LINE * (LINE * UNITS) + number % LINE + u * LINE,
                 first + u * S::COUNT * LINE, key, call);
        D *to = out + first;
        const bool whole = first + (VALUES - 1) * LINE < size;
        CUNA_UNROLL
        for (int k = 0; whole && k < VALUES; ++k)
            to[k * LINE] = store<D>(made[k]);
        CUNA_UNROLL
        for (int k = 0; !whole && k < VALUES; ++k)
            if (first + k * LINE < size)
                to[k * LINE] = store<D>(made[k]);
    }
};
template <> struct filling<1> : side_by_side<1> {};
template <> struct filling<2> : side_by_side<2> {};

/* A lane makes groups one by one, each in loops over its blocks. What is large goes past the caches. */
template <int UNITS> struct filling {
    enum { PAST_CACHES = 8 << 20 };
    template <class D, class S>
    static CUNA_INLINE void group(const S &sampler, D *to, uint64 unit, uint64 key, uint64 call)
    {
        uint32 none[LINE]; /* as wide as what it stands beside, so that vectors are filled alike */
        unsigned any = 0;
        CUNA_IVDEP
        for (int j = 0; j < LINE; ++j) {
            typename S::T made[S::COUNT];
            const unsigned missing = make(sampler, Unit(unit + j, key, call, false), made);
            for (int k = 0; k < S::COUNT; ++k)
                to[k * LINE + j] = store<D>(made[k]);
            if (S::REJECTS)
                none[j] = missing, any |= missing;
        }
        for (int j = 0; S::REJECTS && any != 0 && j < LINE; ++j)
            for (int k = 0; k < S::COUNT; ++k)
                if (none[j] >> k & 1)
                    to[k * LINE + j] =
                        store<D>(drawn_again(sampler, int64(unit * S::COUNT + k * LINE + j), key, call));
    }
    /* Elements that are not tried: the first blocks of their sources are made side by side. */
    template <class D, class S>
    static CUNA_INLINE void sources(const S &sampler, D *to, int64 element, uint64 key, uint64 call)
    {
        uint32 words[4][LINE];
        CUNA_IVDEP
        for (int j = 0; j < LINE; ++j) {
            const Words made = block_of(uint64(element + j), S::BLOCKS, key, call);
            words[0][j] = made.at[0], words[1][j] = made.at[1], words[2][j] = made.at[2], words[3][j] = made.at[3];
        }
        for (int j = 0; j < LINE; ++j) {
            const Words made = {{words[0][j], words[1][j], words[2][j], words[3][j]}};
            to[j] = store<D>(drawn_from(sampler, Source(element + j, key, call, S::BLOCKS, made)));
        }
    }
    /* Elements from `first` on of UNITS blocks. */
    template <class D, class S>
    static CUNA_INLINE void blocks(const S &sampler, D *to, int64 first, int64 n, uint64 key, uint64 call)
    {
        if (!S::REJECTS || sampler.tries())
            for (int u = 0; u * S::COUNT < n; u += LINE)
                group(sampler, to + u * S::COUNT, uint64(first / S::COUNT + u), key, call);
        else
            for (int e = 0; e < n; e += LINE)
                sources(sampler, to + e, first + e, key, call);
    }
    template <class D, class S>
    static CUNA_INLINE void tile(const S &sampler, D *out, uint64 number, int64 size, uint64 key, uint64 call)
    {
        alignas(64) D buffer[UNITS * S::COUNT];
        const int64 first = int64(number) * UNITS * S::COUNT, left = size - first;
        const int64 n = left < UNITS * S::COUNT ? left : UNITS * S::COUNT;
        const bool direct = n == UNITS * S::COUNT && size * int64(sizeof(D)) < PAST_CACHES;
        D *to = direct ? out + first : buffer;
        blocks(sampler, to, first, n, key, call);
        if (direct)
            return;
        stream_out(out + first, buffer, n * int64(sizeof(D)));
        stream_fence();
    }
};

/* Calls put(j, value) for elements `first` + j of a draw, j < n. */
template <class S, class PUT>
CUNA_INLINE void each_in_line(const S &sampler, int64 first, int64 n, uint64 key, uint64 call, const PUT &put)
{
    enum { GROUP = LINE * S::COUNT };
    alignas(64) typename S::T made[GROUP];
    for (int64 at = first - first % GROUP; at < first + n; at += GROUP) {
        const int64 from = at < first ? first - at : 0, to = first + n - at < GROUP ? first + n - at : int64(GROUP);
        filling<LINE>::blocks(sampler, made, at, GROUP, key, call);
        for (int64 k = from; k < to; ++k)
            put(at - first + k, made[k]);
    }
}

/* Fills tile `number` of the array at an address. */
template <class D, int UNITS, class S>
CUNA_INLINE bool filled(const S &sampler, int64 at, int64 number, int64 size, uint64 key, uint64 call)
{
    filling<UNITS>::tile(sampler, (D *)at, uint64(number), size, key, call);
    return true;
}

}  // namespace random
}  // namespace cuna

// convolve_lanes.cuh: sums of products of a short vector and what of a long one it lies over, at each place of a range,
// by blocks of many lanes.
//
// A lane has STRIP neighbouring results. The long vector's elements under them move through STRIP registers, so that a
// step takes two reads of shared memory for STRIP products; STRIP is odd, so that lanes read different banks. Elements
// beyond the ends of the long vector are left out, not multiplied by 0. Products are added in the order of the short
// vector, wherever the result is.
//
// Codegen prints a struct Program with Short, Long and Out (stored types), T (that of products and sums), and
// short_of(x), long_of(x), out_of(sum), product(a, b).
namespace cuna {

enum { CONVOLVE_SLICE = 36 * CONVOLVE_STRIP };

struct Convolve {
    word out, small, large;                    // first elements
    word out_step, small_step, large_step;     // in elements
    word count, small_count, large_count;
    word shift;  // of the long vector's element under the short one's first, at the first result; may be negative
};

// The sum with one product more.
template <class P, class T> CUNA_INLINE T slide_in(T sum, T a, T b) { return wrap_add(sum, P::product(a, b)); }
template <class P> CUNA_INLINE float slide_in(float sum, float a, float b) { return fma(a, b, sum); }
template <class P> CUNA_INLINE double slide_in(double sum, double a, double b) { return fma(a, b, sum); }

template <class P>
struct Strip {
    typedef typename P::T T;
    enum { STRIP = int(CONVOLVE_STRIP) };
    T sums[STRIP];

    CUNA_INLINE Strip()
    {
        CUNA_UNROLL
        for (int r = 0; r < STRIP; ++r)
            sums[r] = wrap_neg(T(0));
    }

    // Steps in which some results may have no element: those from `low` up to `high` have one.
    CUNA_INLINE void add_tested(const T *small, const T *large, int from, int to, int low, int high)
    {
        CUNA_REPEAT
        for (int j = from; j < to; ++j)
            CUNA_UNROLL
            for (int r = 0; r < STRIP; ++r)
                if (j + r >= low && j + r < high)
                    sums[r] = slide_in<P>(sums[r], small[j], large[j + r]);
    }

    // Whole turns of the registers; returns the first step that is left.
    CUNA_INLINE int add_whole(const T *small, const T *large, int from, int to)
    {
        T window[STRIP];
        if (to - from < STRIP)
            return from;
        CUNA_UNROLL
        for (int r = 0; r < STRIP; ++r)
            window[r] = large[from + r];
        int j = from;
        CUNA_REPEAT
        for (; to - j >= STRIP; j += STRIP)
            CUNA_UNROLL
            for (int s = 0; s < STRIP; ++s) {
                const T factor = small[j + s];
                CUNA_UNROLL
                for (int r = 0; r < STRIP; ++r)
                    sums[r] = slide_in<P>(sums[r], factor, window[(s + r) % STRIP]);
                window[s] = large[j + s + STRIP];
            }
        return j;
    }

    static CUNA_INLINE int clipped(word x, int least, int most)
    {
        return x < least ? least : x < most ? int(x) : most;
    }

    // `count` steps; the element under the first one is the long vector's at `at`, of as many.
    CUNA_INLINE void add(const T *small, const T *large, int count, word at, word all)
    {
        enum { MORE = STRIP - 1 };
        const int low = clipped(-at, -MORE, count + MORE), high = clipped(all - at, -MORE, count + MORE);
        const int first = clipped(low - MORE, 0, count), from = clipped(low, 0, count);
        const int to = clipped(high - MORE, 0, count);
        add_tested(small, large, first, from, low, high);
        const int next = add_whole(small, large, from, to);
        add_tested(small, large, next, clipped(high, 0, count), low, high);
    }
};

// Reads `count` elements of the long vector from `place` on, 0 beyond its ends: a lane has several under way.
template <class P>
CUNA_INLINE void read_beside(typename P::T *to, int count, word place, const typename P::Long *longs,
                             const Convolve &args)
{
    typedef typename P::T T;
    enum { AHEAD = int(CONVOLVE_STRIP) + 1 };
    CUNA_REPEAT
    for (int from = int(lane()); from < count; from += AHEAD * int(LANES)) {
        T read[AHEAD];
        CUNA_UNROLL
        for (int r = 0; r < AHEAD; ++r) {
            const int k = from + r * int(LANES);
            const word at = place + k;
            read[r] = k < count && at >= 0 && at < args.large_count ? P::long_of(longs[at * args.large_step]) : T(0);
        }
        CUNA_UNROLL
        for (int r = 0; r < AHEAD; ++r)
            if (from + r * int(LANES) < count)
                to[from + r * int(LANES)] = read[r];
    }
}

template <class P>
CUNA_INLINE void convolve(const Convolve &args, unsigned block)
{
    typedef typename P::T T;
    enum { STRIP = CONVOLVE_STRIP, TILE = LANES * STRIP, SLICE = CONVOLVE_SLICE };
    CUNA_SHARED Room<T, SLICE> small;
    CUNA_SHARED Room<T, TILE + SLICE + STRIP> large;
    const word first = word(block) * TILE;
    const typename P::Short *const shorts = (const typename P::Short *)args.small;
    const typename P::Long *const longs = (const typename P::Long *)args.large;
    Strip<P> strip;
    for (word slice = 0; slice < args.small_count; slice += SLICE) {
        const word left = args.small_count - slice, place = first + args.shift + slice;
        const int count = int(left < SLICE ? left : word(SLICE)), own = int(lane()) * STRIP;
        for (int k = int(lane()); k < count; k += LANES)
            small.at()[k] = P::short_of(shorts[(slice + k) * args.small_step]);
        read_beside<P>(large.at(), TILE + count + STRIP, place, longs, args);
        barrier();
        strip.add(small.at(), large.at() + own, count, place + own, args.large_count);
        barrier();
    }
    // By way of shared memory, so that neighbouring lanes write neighbouring results.
    CUNA_UNROLL
    for (int r = 0; r < STRIP; ++r)
        large.at()[int(lane()) * STRIP + r] = strip.sums[r];
    barrier();
    CUNA_UNROLL
    for (int r = 0; r < STRIP; ++r) {
        const int own = r * int(LANES) + int(lane());
        if (first + own < args.count)
            ((typename P::Out *)args.out)[(first + own) * args.out_step] = P::out_of(large.at()[own]);
    }
}

}  // namespace cuna

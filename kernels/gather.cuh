// gather.cuh: reads and writes elements at positions that arrays hold, for programs whose inputs are addresses.
//
// The value of such an input is the address of the walk's current element, not the element. A step moves the address by
// positions, and the last step reads or writes there. The address 0 stands for a position out of range: nothing is
// read or written.
namespace cuna {

// What `whole` returns for numbers that are not whole, and for positions beyond any axis.
static const int64 NO_POSITION = int64(uint64(1) << 63), FAR_POSITION = CUNA_FAR_POSITION;

// Reports a position, say, and the length of its axis (report.h). The first report of a launch stays: what `whole` says
// of a position before what others say of NO_POSITION.
CUNA_INLINE void report(int64 mark, int code, uint64 value, int64 length)
{
    report_mark *own = (report_mark *)mark;
    if (get_slot(&own->taken) != 0 || take_ticket(&own->taken) != 0)
        return;
    report_slot *slot = (report_slot *)own->slot, *front = (report_slot *)(own->slot & ~uint64(REPORTS_NBYTES - 1));
    put_slot(&slot->value, value);
    put_slot(&slot->length, uint64(length));
    put_slot(&slot->code, uint64(code));
    put_slot(&front->code, 1);
}

// Answers whether what is demanded holds; if not, a value that shows it is reported.
CUNA_INLINE bool demanded(bool holds, double value, int64 mark)
{
    if (!holds)
        report(mark, REPORT_DEMAND, bits_of(value), 0);
    return holds;
}

// Answers whether a matrix, by its number in a stack, was factorised well; `info` is LAPACK's, `code` what else to report.
CUNA_INLINE bool judged(int64 info, int64 mark, int64 code, int64 number)
{
    if (info != 0)
        report(mark, int(code), uint64(number), info);
    return info == 0;
}

// `at` moved along an axis to a position that counts from 1, or from the end below 0.
CUNA_INLINE int64 displaced(int64 at, int64 position, int64 stride, int64 length, int64 mark)
{
    const int64 offset = position > 0 ? position - 1 : position + length;
    if (position != 0 && uint64(offset) < uint64(length))
        return at != 0 ? at + offset * stride : 0;
    report(mark, REPORT_RANGE, uint64(position), length);
    return 0;
}

// A position that is a float; one with a fraction is none, nor is infinity.
CUNA_INLINE int64 whole(double position, int64 mark)
{
    if (fabs(position) <= 9.2e18 && position == floor(position))
        return int64(position);
    if (fabs(position) > 9.2e18 && fabs(position) < limits<double>::infinity())
        return position > 0 ? FAR_POSITION : -FAR_POSITION;
    report(mark, REPORT_FRACTION, bits_of(position), 0);
    return NO_POSITION;
}

CUNA_INLINE int64 whole(uint64 position, int64)
{
    return position <= uint64(FAR_POSITION) ? int64(position) : FAR_POSITION;
}

CUNA_INLINE int64 whole(int64 position, int64) { return position; }

// Positions of the modes wrap, where 0 stays none, and clip, where all below 1 are 1.
CUNA_INLINE int64 wrapped(int64 position, int64 length)
{
    if (length == 0 || position == 0 || position == NO_POSITION)
        return position;
    return position > 0 ? (position - 1) % length + 1 : (position + 1) % length - 1;
}

CUNA_INLINE int64 clipped(int64 position, int64 length)
{
    if (length == 0 || position == NO_POSITION)
        return position;
    return position < 1 ? 1 : position < length ? position : length;
}

// `at` moved along an axis to a position in a mode.
enum { RAISE, WRAP, CLIP };
template <int MODE, class P>
CUNA_INLINE int64 moved(int64 at, P position, int64 stride, int64 length, int64 slot)
{
    const int64 place = whole(position, slot);
    return displaced(at, MODE == WRAP ? wrapped(place, length) : MODE == CLIP ? clipped(place, length) : place, stride,
                     length, slot);
}

template <class S>
CUNA_INLINE typename value_of<S>::type fetched(int64 at)
{
    return at != 0 ? load(*(const S *)at) : typename value_of<S>::type();
}

// An element that is there for sure.
template <class S>
CUNA_INLINE typename value_of<S>::type element_at(int64 at)
{
    return load(*(const S *)at);
}

// The quotient of two numbers that are not negative; GPUs have no division of 64 bits.
CUNA_INLINE int64 divided(int64 a, int64 b)
{
    return (a | b) >> 32 == 0 ? int64(uint32(a) / uint32(b)) : a / b;
}
CUNA_INLINE uint32 divided(uint32 a, uint32 b)
{
    return a / b;
}

// Which element is at place i, in row `at` of `length` rows of `inner` elements that were shifted. Numbers without a
// sign wrap on the way, and the place is the same.
template <class T>
CUNA_INLINE T shifted(T i, T at, T inner, T length, T shift)
{
    return i + (at < shift ? length - shift : T(0) - shift) * inner;
}

// Answers whether it was stored.
template <class S>
CUNA_INLINE bool stored(int64 at, typename value_of<S>::type value)
{
    if (at != 0)
        *(S *)at = store<S>(value);
    return at != 0;
}

// ---- updates: an element becomes a function of itself, whatever other lanes do to it meanwhile ----

template <class W, class F>
CUNA_INLINE void update_word(W *word, F f)
{
    W found = *word, before;
    do {
        before = found;
        const W after = f(before);
        if (after == before)
            return;
        found = compare_and_swap(word, before, after);
    } while (found != before);
}

template <int NBYTES> struct part_of_word;
template <> struct part_of_word<1> { typedef uint8 type; };
template <> struct part_of_word<2> { typedef uint16 type; };

// Elements of 1 or 2 bytes are part of a word.
template <int NBYTES> struct updating {
    template <class S, class F> static CUNA_INLINE void element(int64 at, F f)
    {
        typedef typename part_of_word<NBYTES>::type part;
        const unsigned shift = 8 * unsigned(at & 3);
        const uint32 others = ~(uint32(part(~part(0))) << shift);
        update_word((uint32 *)(at & ~int64(3)), [=](uint32 word) {
            const uint32 made = same_bits<part>(f(same_bits<S>(part(word >> shift))));
            return (word & others) | made << shift;
        });
    }
};

template <> struct updating<4> {
    template <class S, class F> static CUNA_INLINE void element(int64 at, F f)
    {
        update_word((uint32 *)at, [=](uint32 word) { return same_bits<uint32>(f(same_bits<S>(word))); });
    }
};

template <> struct updating<8> {
    template <class S, class F> static CUNA_INLINE void element(int64 at, F f)
    {
        update_word((uint64 *)at, [=](uint64 word) { return same_bits<uint64>(f(same_bits<S>(word))); });
    }
};

// complex128: its parts one by one, so f must keep them apart.
template <> struct updating<16> {
    template <class S, class F> static CUNA_INLINE void element(int64 at, F f)
    {
        update_word((uint64 *)at, [=](uint64 word) { return bits_of(f(S(from_bits(word), 0)).re); });
        update_word((uint64 *)at + 1, [=](uint64 word) { return bits_of(f(S(0, from_bits(word))).im); });
    }
};

// f gives an element's new value from the old one. Answers whether there was one.
template <class S, class F>
CUNA_INLINE bool updated(int64 at, F f)
{
    if (at != 0)
        updating<sizeof(S)>::template element<S>(at, [=](S s) { return store<S>(f(load(s))); });
    return at != 0;
}

// The same of a function of the old value, as E holds it, and another one.
template <class S, class E, class V, class F>
CUNA_INLINE bool updated(int64 at, V value, F combine)
{
    return updated<S>(at, [=](typename value_of<S>::type old) {
        return convert<S>(combine(convert<E>(old), value));
    });
}

// The same of a sum, which devices have for elements of 4 and 8 bytes. Where that takes subnormal floats for 0, it is right
// for values from 2^-100 on: beside those a subnormal element is too small to change the sum, and what they leave of a
// greater one is not subnormal.
template <class S> CUNA_INLINE bool adds_well(S) { return true; }
CUNA_INLINE bool adds_well(float value) { return !ATOMICS_FLUSH || fabs(value) >= 7.8886090522101181e-31f; }

template <class S> struct adding {
    static CUNA_INLINE void to(int64 at, S value)
    {
        if (adds_well(value))
            add_atomically((S *)at, value);
        else
            updating<sizeof(S)>::template element<S>(at, [=](S old) { return S(old + value); });
    }
};

// Half floats are added in float32 and rounded, by whatever does it.
template <class S> struct adding_half {
    static CUNA_INLINE void to(int64 at, float value)
    {
        if (!add_half((S *)at, value))
            updating<2>::element<S>(at, [=](S old) { return store<S>(load(old) + value); });
    }
};
template <> struct adding<float16> : adding_half<float16> {};
template <> struct adding<bfloat16> : adding_half<bfloat16> {};

template <class S>
CUNA_INLINE bool added(int64 at, typename value_of<S>::type value)
{
    if (at != 0)
        adding<S>::to(at, value);
    return at != 0;
}

// ---- where counts lead: element k of a list comes as often as its count says ----

// The first entry of an ascending list, from `low` on and before `high`, that is greater than a value.
template <class I, class L>
CUNA_INLINE I first_above(const L &list, I value, I low, I high)
{
    while (low < high) {
        const I middle = low + (high - low) / 2;
        if (list[middle] > value)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Calls f(k, element) for the results k of a tile with the element, from 0, that each repeats: `ends` counts results up to
// the last one of each element. Of every element it is called for four results at least, so that no branch depends on small
// counts: the elements after them overwrite the excess. Where many elements have no results, a search skips them.
template <int N, class F>
CUNA_INLINE bool repeat_tile(int64 ends, int64 tile, int64 elements, F f)
{
    const int64 *list = (const int64 *)ends;
    const int64 results = list[elements - 1], last = tile * N + N < results ? tile * N + N : results;
    int64 k = tile * N;
    while (k < last) {
        int64 at = first_above<int64>(list, k, 0, elements);
        for (int step = 0; step < 4 * N && k < last; ++step, ++at) {
            const int64 end = list[at] < last ? list[at] : last;
            if (k + 4 <= last)
                for (int i = 0; i < 4; ++i)
                    f(k + i, at);
            for (int64 i = k + 4 <= last ? k + 4 : k; i < end; ++i)
                f(i, at);
            k = end;
        }
    }
    return true;
}

// Writes the positions from 1 of the elements that a tile of the result repeats.
template <int N>
CUNA_INLINE bool repeated_places(int64 ends, int64 out, int64 tile, int64 elements)
{
    return repeat_tile<N>(ends, tile, elements, [=](int64 k, int64 at) { ((int64 *)out)[k] = at + 1; });
}

// The same with elements of x in place of positions.
template <class D, int N>
CUNA_INLINE bool repeated(int64 ends, int64 out, int64 tile, int64 elements, int64 x)
{
    return repeat_tile<N>(ends, tile, elements, [=](int64 k, int64 at) { ((D *)out)[k] = ((const D *)x)[at]; });
}

// Where blocks have many lanes, each has a result, and lanes side by side write side by side. First, one finds for each
// tile the element, from 0, that its first result repeats; then each result searches from there to that of the next tile.
template <int N>
CUNA_INLINE int64 first_of_tile(int64 ends, int64 tile, int64 elements)
{
    return first_above<int64>((const int64 *)ends, tile * N, 0, elements);
}
template <int N>
CUNA_INLINE int64 repeated_place(int64 ends, int64 firsts, int64 k)
{
    const int64 *first = (const int64 *)firsts + k / N;
    return first_above<int64>((const int64 *)ends, k, first[0], first[1]);
}
template <class D, int N>
CUNA_INLINE typename value_of<D>::type repeated_element(int64 ends, int64 firsts, int64 x, int64 k)
{
    return load(((const D *)x)[repeated_place<N>(ends, firsts, k)]);
}

// ---- where arrays come one after the other in each row of a whole ----

// A table has two words for each array: its address, and in the halves of the other one, in elements, where its part of a
// row ends and how far its rows are apart.
struct RowEnds {
    const int64 *table;
    CUNA_INLINE uint32 operator[](uint32 k) const { return uint32(table[2 * k + 1]); }
};

// The element at a row-major position of the whole; those of each array's row are `step` apart.
template <class S>
CUNA_INLINE typename value_of<S>::type joined(int64 table, int64 position, int64 arrays, int64 step)
{
    const RowEnds ends = {(const int64 *)table};
    const uint32 length = ends[uint32(arrays) - 1];
    int64 row = 0;
    if (position >= length)
        row = position <= limits<uint32>::max() ? int64(uint32(position) / length) : position / length;
    const uint32 place = uint32(position - row * length), k = first_above<uint32>(ends, place, 0, uint32(arrays));
    const S *first = (const S *)ends.table[2 * k];
    return load(first[row * (ends.table[2 * k + 1] >> 32) + int64(place - (k > 0 ? ends[k - 1] : 0)) * step]);
}

// A component of the cross product of vectors that lie one after the other, in each three components: a and b are the
// addresses of the same one in theirs, `position` is its place among all. Lanes read and write side by side.
template <class S>
CUNA_INLINE typename value_of<S>::type crossed(int64 a, int64 b, int64 position)
{
    const int part = position <= limits<uint32>::max() ? int(uint32(position) % 3) : int(position % 3);
    const int next = part < 2 ? 1 : -2, last = part > 0 ? -1 : 2;
    const S *x = (const S *)a, *y = (const S *)b;
    return wrap_sub(wrap_mul(load(x[next]), load(y[last])), wrap_mul(load(x[last]), load(y[next])));
}

// ---- rows whose elements combine in order (ufunc.lua) ----

// Whether what combines two values (lua/cuna/combiner.lua) is a part of the walk, or a function that it calls: then one
// walk serves all operations of a dtype.
#ifndef CUNA_COMBINER
#define CUNA_COMBINER(...) __VA_ARGS__
#define CUNA_WALKED CUNA_INLINE
#endif

struct OneRow { CUNA_DEVICE constexpr operator int64() const { return 1; } };

// Where each lane has one row, lanes are too few to hide what they wait for: an element is loaded AHEAD ones before it is
// combined, and the shared cache has those that are FAR ones behind.
enum { AHEAD = CUNA_COLUMNS > 1 ? 1 : 16, FAR = 8 * AHEAD };

// Combines elements of one row with `old`, from number k on, and returns how many: whole rounds. A lane loads each element
// AHEAD ones before it combines it.
template <class D, class S, class F>
CUNA_INLINE int64 walk_ahead(F combine, typename value_of<D>::type &old, int64 k, int64 at, int64 step, int64 count,
                             int64 out, int64 apart)
{
    S next[AHEAD];
    int64 done = 0, from = at + k * step, to = out + k * apart;
    if (k + AHEAD > count)
        return 0;
    CUNA_UNROLL
    for (int u = 0; u < AHEAD; ++u, from += step)
        next[u] = *(const S *)from;
    for (; k + done + AHEAD <= count; done += AHEAD) {
        /* At the end there is nothing more to load: the last elements are loaded again, in vain. */
        const int64 left = count - (k + done), on = left >= 2 * AHEAD ? step : 0;
        const int64 far = left >= FAR ? (FAR - 2 * AHEAD) * step : 0;
        from += on - step;
        CUNA_UNROLL
        for (int u = 0; u < AHEAD; ++u) {
            const S element = next[u];
            next[u] = *(const S *)from;
            prefetch_shared((const void *)(from + far));
            from += on;
            old = combine(old, load(element));
            if (apart != 0)
                *(D *)to = store<D>(old);
            to += apart;
        }
    }
    return done;
}

// Some rows beside each other, with the parameters of walked.
template <class D, class S, class F, class N>
CUNA_INLINE void walk(F combine, N rows, int64 at, int64 step, int64 count, int64 out, int64 initial, int64 mask,
                      int64 has, int64 apart)
{
    typename value_of<D>::type old[CUNA_COLUMNS];
    const auto put = [&](int64 address) {
        for (int64 j = 0; j < rows; ++j)
            ((D *)address)[j] = store<D>(old[j]);
    };
    for (int64 j = 0; j < rows; ++j)
        old[j] = has & 1 ? load(*(const D *)initial) : convert<D>(load(((const S *)at)[j]));
    if (apart != 0 && !(has & 1))
        put(out);
    int64 k = has & 1 ? 0 : 1;
    if (AHEAD > 1 && !(has & 2))
        k += walk_ahead<D, S>(combine, old[0], k, at, step, count, out, apart);
    for (; k < count; ++k) {
        if (has & 2 && !((const bool8 *)mask)[k].v)
            continue;
        const S *x = (const S *)(at + k * step);
        CUNA_IVDEP
        for (int64 j = 0; j < rows; ++j)
            old[j] = combine(old[j], load(x[j]));
        if (apart != 0)
            put(out + k * apart);
    }
    if (apart == 0)
        put(out);
}

// Combines row number `row` of `count` elements, `step` bytes apart from address `at` on. Its results begin at `out`, and
// are `apart` bytes apart if all of them are kept. `has` says whether there is an initial value (1) and a mask, whose byte
// k includes element k (2). If `beside` rows begin at adjacent elements, one lane takes CUNA_COLUMNS of them and the others
// return at once, so that the cpu device reads whole cache lines.
template <class D, class S, class F>
CUNA_WALKED bool walked(F combine, int64 at, int64 step, int64 count, int64 out, int64 row, int64 beside, int64 initial,
                        int64 mask, int64 has, int64 apart)
{
    const int64 ahead = beside > 0 ? row % beside : 0, rows = beside > 0 ? beside - ahead : 1;
    if (ahead % CUNA_COLUMNS != 0)
        return true;
    if (CUNA_COLUMNS == 1 || rows == 1)
        walk<D, S>(combine, OneRow(), at, step, count, out, initial, mask, has, apart);
    else
        walk<D, S>(combine, rows < CUNA_COLUMNS ? rows : int64(CUNA_COLUMNS), at, step, count, out, initial, mask, has,
                   apart);
    return true;
}

}  // namespace cuna

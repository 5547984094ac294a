// signal.cuh: sums of products along lines, recursive filters, peaks; the elements of lines are beside each other.
//
// Results that are computed side by side do not depend on each other, so that a loop over them becomes vectors.
namespace cuna {
namespace signal {

enum { ABREAST = 8, AHEAD = 8 };

// ---- sums of products ----

// Some results of a row: sums of the products of weights and the elements from `from` on. `offsets` has where each
// row of weights begins there.
template <class D, bool ALL>
CUNA_INLINE void slide_chunk(const D *from, const D *weights, const int64 *offsets, int64 rows, int64 width, D *out,
                             int64 count)
{
    typedef typename value_of<D>::type V;
    const int64 n = ALL ? int64(ABREAST) : count;
    V sums[ABREAST];
    for (int64 j = 0; j < ABREAST; ++j)
        sums[j] = V(0);
    for (int64 row = 0; row < rows; ++row, weights += width) {
        const D *line = from + offsets[row];
        for (int64 k = 0; k < width; ++k) {
            const V weight = V(load(weights[k]));
            for (int64 j = 0; j < n; ++j)
                sums[j] = wrap_add(sums[j], wrap_mul(V(load(line[k + j])), weight));
        }
    }
    for (int64 j = 0; j < n; ++j)
        out[j] = store<D>(sums[j]);
}

// Correlates an array with weights that have as many axes, where they overlap whole. `facts` has, for each axis but the
// last, the length of the result and the step in x. `length` results are in a row.
template <class D>
CUNA_INLINE bool slide(int64 x, int64 weights, int64 out, int64 offsets, int64 rows, int64 width, int64 facts,
                       int64 axes, int64 length, int64 index)
{
    const int64 chunks = (length + ABREAST - 1) / ABREAST, row = index / chunks, first = index % chunks * ABREAST;
    int64 at = first;
    for (int64 axis = axes - 1, rest = row; axis >= 0; --axis) {
        const int64 lengths = ((const int64 *)facts)[2 * axis];
        at += rest % lengths * ((const int64 *)facts)[2 * axis + 1];
        rest /= lengths;
    }
    const D *from = (const D *)x + at, *w = (const D *)weights;
    D *to = (D *)out + row * length + first;
    if (length - first >= ABREAST)
        slide_chunk<D, true>(from, w, (const int64 *)offsets, rows, width, to, ABREAST);
    else
        slide_chunk<D, false>(from, w, (const int64 *)offsets, rows, width, to, length - first);
    return true;
}

// Results of a line that is filled up with zeros, filtered and thinned out. `taps` has, for each of `up` phases,
// `width` factors.
template <class D>
CUNA_INLINE bool upfirdn(int64 x, int64 taps, int64 out, int64 n, int64 width, int64 up, int64 down, int64 length,
                         int64 index)
{
    typedef typename value_of<D>::type V;
    const int64 chunks = (length + ABREAST - 1) / ABREAST, row = index / chunks, first = index % chunks * ABREAST;
    const int64 count = length - first < ABREAST ? length - first : int64(ABREAST);
    const D *line = (const D *)x + row * n, *factors[ABREAST];
    int64 newest[ABREAST];
    V sums[ABREAST];
    for (int64 j = 0; j < ABREAST; ++j) {
        const int64 at = (first + (j < count ? j : 0)) * down;
        newest[j] = at / up;
        factors[j] = (const D *)taps + at % up * width;
        sums[j] = V(0);
    }
    if (newest[0] >= width - 1 && newest[count - 1] < n) {
        for (int64 k = 0; k < width; ++k)
            for (int64 j = 0; j < ABREAST; ++j)
                sums[j] = wrap_add(sums[j], wrap_mul(V(load(line[newest[j] - k])), V(load(factors[j][k]))));
    } else {
        for (int64 j = 0; j < count; ++j)
            for (int64 k = newest[j] < n ? 0 : newest[j] - n + 1; k < width && k <= newest[j]; ++k)
                sums[j] = wrap_add(sums[j], wrap_mul(V(load(line[newest[j] - k])), V(load(factors[j][k]))));
    }
    for (int64 j = 0; j < count; ++j)
        ((D *)out)[row * length + first + j] = store<D>(sums[j]);
    return true;
}

// ---- recursive filters ----

// Sections in a row, each in the transposed direct form II, for LINES lines side by side. A section has ORDER + 1
// coefficients b, then a without its first one, which is 1.
template <class Z, int ORDER, int SECTIONS, int LINES>
struct Filter {
    Z b[SECTIONS][ORDER + 1], a[SECTIONS][ORDER];
    Z state[SECTIONS][ORDER][LINES];

    CUNA_INLINE void read(const Z *list)
    {
        for (int s = 0; s < SECTIONS; ++s) {
            for (int k = 0; k <= ORDER; ++k)
                b[s][k] = *list++;
            for (int k = 0; k < ORDER; ++k)
                a[s][k] = *list++;
        }
    }
    CUNA_INLINE void step(Z *value, int first, int last)
    {
        CUNA_UNROLL
        for (int s = 0; s < SECTIONS; ++s) {
            Z next[LINES];
            for (int w = first; w < last; ++w)
                next[w] = state[s][0][w] + b[s][0] * value[w];
            CUNA_UNROLL
            for (int k = 0; k < ORDER - 1; ++k)
                for (int w = first; w < last; ++w)
                    state[s][k][w] = state[s][k + 1][w] + b[s][k + 1] * value[w] - a[s][k] * next[w];
            for (int w = first; w < last; ++w) {
                state[s][ORDER - 1][w] = b[s][ORDER] * value[w] - a[s][ORDER - 1] * next[w];
                value[w] = next[w];
            }
        }
    }
};

// Filters parts of lines: `length` elements each, the last part of a line fewer, `parts` in each line of n elements.
// A part begins with its state and leaves the last one there. Without `out` only the states count.
template <class D, class Z, int ORDER, int SECTIONS, int LINES>
CUNA_INLINE bool filter_parts(int64 x, int64 out, int64 coefficients, int64 states, int64 lines, int64 n, int64 length,
                              int64 parts, int64 writes, int64 index)
{
    enum { SIZE = ORDER * SECTIONS };
    Filter<Z, ORDER, SECTIONS, LINES> filter;
    filter.read((const Z *)coefficients);
    const int64 first = index * LINES, total = lines * parts;
    const D *from[LINES];
    D *to[LINES];
    int64 count[LINES], common = length;
    for (int w = 0; w < LINES; ++w) {
        const int64 p = first + w < total ? first + w : total - 1, part = p % parts;
        const int64 start = p / parts * n + part * length;
        from[w] = (const D *)x + start;
        to[w] = (D *)out + start;
        count[w] = first + w >= total ? 0 : part + 1 < parts ? length : n - part * length;
        common = count[w] < common && count[w] > 0 ? count[w] : common;
        for (int k = 0; k < SIZE; ++k)
            filter.state[k / ORDER][k % ORDER][w] = ((const Z *)states)[p * SIZE + k];
    }
    int64 begun = 0;
    if (LINES == 1) { // a lane has several loads under way, of one sector
        for (; begun + AHEAD <= common; begun += AHEAD) {
            Z values[AHEAD];
            CUNA_UNROLL
            for (int k = 0; k < AHEAD; ++k)
                values[k] = Z(load(from[0][begun + k]));
            CUNA_UNROLL
            for (int k = 0; k < AHEAD; ++k)
                filter.step(values + k, 0, 1);
            CUNA_UNROLL
            for (int k = 0; k < AHEAD; ++k)
                if (writes)
                    to[0][begun + k] = store<D>(typename value_of<D>::type(values[k]));
        }
    }
    for (int64 i = begun; i < common; ++i) {
        Z value[LINES];
        for (int w = 0; w < LINES; ++w)
            value[w] = Z(load(from[w][i]));
        filter.step(value, 0, LINES);
        if (writes)
            for (int w = 0; w < LINES; ++w)
                if (LINES == 1 || count[w] > 0)
                    to[w][i] = store<D>(typename value_of<D>::type(value[w]));
    }
    for (int w = 0; w < LINES; ++w) {
        Z value[LINES];
        for (int64 i = common; i < count[w]; ++i) {
            value[w] = Z(load(from[w][i]));
            filter.step(value, w, w + 1);
            if (writes)
                to[w][i] = store<D>(typename value_of<D>::type(value[w]));
        }
        for (int k = 0; k < SIZE && count[w] > 0; ++k)
            ((Z *)states)[(first + w) * SIZE + k] = filter.state[k / ORDER][k % ORDER][w];
    }
    return true;
}

// A state after a part: `own`, in which the part ends that begins with zeros, and what a matrix makes of the state
// before.
template <class Z, int SIZE>
CUNA_INLINE void pass_part(Z *state, const Z *own, const Z *matrix)
{
    Z next[SIZE];
    for (int k = 0; k < SIZE; ++k) {
        next[k] = own[k];
        for (int j = 0; j < SIZE; ++j)
            next[k] = next[k] + matrix[k * SIZE + j] * state[j];
    }
    for (int k = 0; k < SIZE; ++k)
        state[k] = next[k];
}

// A group of a line's parts, the last one of a line with fewer, and their states one after the other.
template <class Z>
struct Group {
    Z *list;
    int64 count;
    CUNA_INLINE Group(int64 states, int64 parts, int64 length, int64 index, int64 size)
    {
        const int64 groups = (parts + length - 1) / length, first = index % groups * length;
        list = (Z *)states + (index / groups * parts + first) * size;
        count = parts - first < length ? parts - first : length;
    }
};

// The state in which a group ends that begins with zeros, from those of its parts. `power` is the matrix that takes a
// state from the beginning of a part to its end.
template <class Z, int SIZE>
CUNA_INLINE bool end_groups(int64 states, int64 ends, int64 power, int64 parts, int64 length, int64 index)
{
    const Group<Z> group(states, parts, length, index, SIZE);
    Z state[SIZE];
    for (int k = 0; k < SIZE; ++k)
        state[k] = group.list[k];
    for (int64 part = 1; part < group.count; ++part)
        pass_part<Z, SIZE>(state, group.list + part * SIZE, (const Z *)power);
    for (int k = 0; k < SIZE; ++k)
        ((Z *)ends)[index * SIZE + k] = state[k];
    return true;
}

// The states in which the parts of a group begin, in place of those in which they would end if they began with zeros;
// `initial` has those in which groups begin.
template <class Z, int SIZE>
CUNA_INLINE bool chain_states(int64 states, int64 initial, int64 power, int64 parts, int64 length, int64 index)
{
    const Group<Z> group(states, parts, length, index, SIZE);
    Z state[SIZE], own[SIZE], next[SIZE];
    for (int k = 0; k < SIZE; ++k) {
        state[k] = ((const Z *)initial)[index * SIZE + k];
        next[k] = group.list[k];
    }
    Z *list = group.list;
    for (int64 part = 0; part < group.count; ++part, list += SIZE) {
        for (int k = 0; k < SIZE; ++k) {
            own[k] = next[k];
            if (part + 1 < group.count) // read before anything is written, so that it is under way meanwhile
                next[k] = list[SIZE + k];
        }
        for (int k = 0; k < SIZE; ++k)
            list[k] = state[k];
        pass_part<Z, SIZE>(state, own, (const Z *)power);
    }
    return true;
}

// A filter of any order; the state of a line is in memory.
template <class D, class Z>
CUNA_INLINE bool filter_line(int64 x, int64 out, int64 coefficients, int64 states, int64 order, int64 n, int64 index)
{
    const Z *b = (const Z *)coefficients, *a = b + order + 1;
    const D *from = (const D *)x + index * n;
    D *to = (D *)out + index * n;
    Z *state = (Z *)states + index * order;
    for (int64 i = 0; i < n; ++i) {
        const Z value = Z(load(from[i])), next = state[0] + b[0] * value;
        for (int64 k = 0; k < order - 1; ++k)
            state[k] = state[k + 1] + b[k + 1] * value - a[k] * next;
        state[order - 1] = b[order] * value - a[order - 1] * next;
        to[i] = store<D>(typename value_of<D>::type(next));
    }
    return true;
}

// ---- peaks: positions count from 1 ----

// The last position of a plateau that begins at a position (from 0) and is higher than its neighbours; 0 if there is
// none.
template <class D>
CUNA_INLINE int64 plateau_end(int64 x, int64 n, int64 index)
{
    const D *values = (const D *)x;
    if (index == 0 || index >= n - 1 || !(values[index - 1] < values[index]))
        return 0;
    int64 ahead = index + 1;
    while (ahead < n - 1 && values[ahead] == values[index])
        ++ahead;
    return values[ahead] < values[index] ? ahead : 0;
}

// A vector with the extremes of its runs, so that a search passes many elements at once. Level k has the greatest, then
// the least values of all whole runs of FAN^k elements: NaN if an element is.
template <class D>
struct Relief {
    enum { FAN_BITS = 5 };
    const D *values, *extremes;
    int64 n, levels;

    // The extremes of a level above 0: the greatest values, then the least ones.
    CUNA_INLINE const D *at_level(int64 level) const
    {
        const D *at = extremes;
        for (int64 k = 1; k < level; ++k)
            at += 2 * (n >> k * FAN_BITS);
        return at;
    }
    CUNA_INLINE D lowest(int64 level, int64 at) const
    {
        return level == 0 ? values[at] : at_level(level)[(n >> level * FAN_BITS) + (at >> level * FAN_BITS)];
    }
    CUNA_INLINE D highest(int64 level, int64 at) const
    {
        return level == 0 ? values[at] : at_level(level)[at >> level * FAN_BITS];
    }
    // The level of the longest run that starts at an element in direction WAY, 1 or -1, has at most `most` elements and
    // passes a test; 0 also if the element itself does not.
    template <int WAY, class Passes>
    CUNA_INLINE int64 longest(int64 at, int64 most, const Passes &passes) const
    {
        int64 level = 0;
        while (level < levels) {
            const int64 longer = int64(1) << (level + 1) * FAN_BITS;
            if (longer > most || ((WAY < 0 ? at + 1 : at) & (longer - 1)) != 0 || !passes(*this, level + 1, at))
                break;
            ++level;
        }
        return level;
    }
    // The first element from `at` on in direction WAY that does not pass a test, or the one after `most` elements.
    // `visit` sees each run that is passed.
    template <int WAY, class Passes, class Visit>
    CUNA_INLINE int64 search(int64 at, int64 most, const Passes &passes, Visit &visit) const
    {
        const int64 mask = (int64(1) << FAN_BITS) - 1;
        for (int64 i = at, left = most;;) {
            // Up to where a run may start; most searches end before the second such place.
            int64 near = (WAY < 0 ? i & mask : ~i & mask) + 1 + (i == at ? mask + 1 : 0);
            for (near = near < left ? near : left; near > 0; --near, --left, i += WAY) {
                if (!passes(*this, 0, i))
                    return i;
                visit.see(*this, 0, i);
            }
            if (left <= 0)
                return i;
            for (int64 level; (level = longest<WAY>(i, left, passes)) > 0;) {
                visit.see(*this, level, i);
                i += WAY * (int64(1) << level * FAN_BITS);
                left -= int64(1) << level * FAN_BITS;
            }
        }
    }
};

template <class D>
struct AtMost {
    D top;
    CUNA_INLINE bool operator()(const Relief<D> &relief, int64 level, int64 at) const
    {
        return relief.highest(level, at) <= top;
    }
};

template <class D>
struct Above {
    double height;
    CUNA_INLINE bool operator()(const Relief<D> &relief, int64 level, int64 at) const
    {
        return height < double(relief.lowest(level, at));
    }
};

struct Unseen {
    template <class D>
    CUNA_INLINE void see(const Relief<D> &, int64, int64)
    {
    }
};

// The lowest of the elements that are seen, the first of equal ones: in the run of a level.
template <class D, int WAY>
struct Lowest {
    D low;
    int64 at, level;
    CUNA_INLINE void see(const Relief<D> &relief, int64 seen, int64 where)
    {
        const D value = relief.lowest(seen, where);
        if (value < low) {
            low = value;
            at = where;
            level = seen;
        }
    }
    CUNA_INLINE int64 place(const Relief<D> &relief)
    {
        while (level > 0) {
            --level;
            while (relief.lowest(level, at) != low)
                at += WAY * (int64(1) << level * Relief<D>::FAN_BITS);
        }
        return at;
    }
};

// The base of a peak on one side, among `most` elements.
template <int WAY, class D>
CUNA_INLINE int64 base(const Relief<D> &relief, int64 peak, int64 most)
{
    const AtMost<D> passes = {relief.values[peak]};
    Lowest<D, WAY> lowest = {relief.values[peak], peak, 0};
    relief.template search<WAY>(peak, most, passes, lowest);
    return lowest.place(relief);
}

// The prominence of a peak, and the positions of its bases, within a window of `reach` elements on either side, or all.
template <class D>
CUNA_INLINE double prominence(int64 x, int64 extremes, int64 levels, int64 n, int64 reach, int64 lefts, int64 rights,
                              int64 peak, int64 index)
{
    const Relief<D> relief = {(const D *)x, (const D *)extremes, n, levels};
    const int64 at = peak - 1;
    const int64 first = reach > 0 && at > reach ? at - reach : 0;
    const int64 last = reach > 0 && at < n - 1 - reach ? at + reach : n - 1;
    const int64 left = base<-1>(relief, at, at - first + 1), right = base<1>(relief, at, last - at + 1);
    const D low = relief.values[left], low_right = relief.values[right];
    ((int64 *)lefts)[index] = left + 1;
    ((int64 *)rights)[index] = right + 1;
    return double(relief.values[at]) - double(low < low_right ? low_right : low);
}

// Where a line at a height meets the flanks of a peak, between its bases.
template <class D>
CUNA_INLINE bool crossings(int64 x, int64 extremes, int64 levels, int64 n, int64 lows, int64 highs, int64 peak,
                           int64 left, int64 right, double height, int64 index)
{
    const Relief<D> relief = {(const D *)x, (const D *)extremes, n, levels};
    const Above<D> passes = {height};
    const D *values = relief.values;
    Unseen none;
    const int64 i = relief.template search<-1>(peak - 1, peak - left, passes, none);
    const int64 j = relief.template search<1>(peak - 1, right - peak, passes, none);
    double low = double(i), high = double(j);
    if (i + 1 < n && double(values[i]) < height)
        low += (height - double(values[i])) / (double(values[i + 1]) - double(values[i]));
    if (j > 0 && double(values[j]) < height)
        high -= (height - double(values[j])) / (double(values[j - 1]) - double(values[j]));
    ((double *)lows)[index] = low + 1;
    ((double *)highs)[index] = high + 1;
    return true;
}

}  // namespace signal
}  // namespace cuna

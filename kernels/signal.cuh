// signal.cuh: sums of products along lines, recursive filters, peaks; the elements of lines are beside each other.
//
// Results that are computed side by side do not depend on each other, so that a loop over them becomes vectors.
namespace cuna {
namespace signal {

enum { ABREAST = 8 };

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
    for (int64 i = 0; i < common; ++i) {
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

// The states in which the parts of a line begin, from those in which they would end if they began with zeros. `power`
// is the matrix that takes a state from the beginning of a part to its end; `initial` has the states of lines.
template <class Z, int SIZE>
CUNA_INLINE bool chain_states(int64 states, int64 initial, int64 power, int64 parts, int64 index)
{
    Z state[SIZE], own[SIZE], *list = (Z *)states + index * parts * SIZE;
    const Z *matrix = (const Z *)power;
    for (int k = 0; k < SIZE; ++k)
        state[k] = ((const Z *)initial)[index * SIZE + k];
    for (int64 part = 0; part < parts; ++part, list += SIZE) {
        for (int k = 0; k < SIZE; ++k) {
            own[k] = list[k];
            list[k] = state[k];
        }
        for (int k = 0; k < SIZE; ++k)
            for (int j = 0; j < SIZE; ++j)
                own[k] = own[k] + matrix[k * SIZE + j] * list[j];
        for (int k = 0; k < SIZE; ++k)
            state[k] = own[k];
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

// The prominence of a peak, and the positions of its bases, within a window of `reach` elements on either side, or all.
template <class D>
CUNA_INLINE double prominence(int64 x, int64 n, int64 reach, int64 bases, int64 peak, int64 index)
{
    const D *values = (const D *)x;
    const int64 at = peak - 1;
    const int64 first = reach > 0 && at > reach ? at - reach : 0;
    const int64 last = reach > 0 && at < n - 1 - reach ? at + reach : n - 1;
    const D top = values[at];
    int64 left = at, right = at;
    D low = top, low_right = top;
    for (int64 i = at; i >= first && values[i] <= top; --i)
        if (values[i] < low)
            low = values[left = i];
    for (int64 i = at; i <= last && values[i] <= top; ++i)
        if (values[i] < low_right)
            low_right = values[right = i];
    ((int64 *)bases)[2 * index] = left + 1;
    ((int64 *)bases)[2 * index + 1] = right + 1;
    return double(top) - double(low < low_right ? low_right : low);
}

// Where a line at a height meets the flanks of a peak, between its bases.
template <class D>
CUNA_INLINE bool crossings(int64 x, int64 crossed, int64 peak, int64 left, int64 right, double height, int64 index)
{
    const D *values = (const D *)x;
    int64 i = peak - 1, j = peak - 1;
    while (i > left - 1 && height < double(values[i]))
        --i;
    while (j < right - 1 && height < double(values[j]))
        ++j;
    double low = double(i), high = double(j);
    if (double(values[i]) < height)
        low += (height - double(values[i])) / (double(values[i + 1]) - double(values[i]));
    if (double(values[j]) < height)
        high -= (height - double(values[j])) / (double(values[j - 1]) - double(values[j]));
    ((double *)crossed)[2 * index] = low + 1;
    ((double *)crossed)[2 * index + 1] = high + 1;
    return true;
}

}  // namespace signal
}  // namespace cuna

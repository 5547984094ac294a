// loop_signal.hh: steps of recursive filters as loops have them (lua/cuna/signal/recursion.lua).
//
// Kernels have the order and the number of sections in their text. Loops get them as arguments, so that there are few
// loops; they do the same operations in the same order, line by line.
namespace cuna {
namespace signal {

enum { MOST_STATES = 16, LINES = 8 };

// Filters the elements of a part; `state` has the states of its sections one after the other.
template <class D, class Z>
static void filter_part(const D *from, D *to, const Z *coefficients, Z *state, int64 count, int64 order, int64 sections)
{
    for (int64 i = 0; i < count; ++i) {
        Z value = Z(load(from[i])), *own = state;
        const Z *b = coefficients;
        for (int64 s = 0; s < sections; ++s, b += 2 * order + 1, own += order) {
            const Z *a = b + order + 1, next = own[0] + b[0] * value;
            for (int64 k = 0; k < order - 1; ++k)
                own[k] = own[k + 1] + b[k + 1] * value - a[k] * next;
            own[order - 1] = b[order] * value - a[order - 1] * next;
            value = next;
        }
        if (to)
            to[i] = store<D>(typename value_of<D>::type(value));
    }
}

// Where a part is, and how much there is of it.
template <class D, class Z>
struct Part {
    const D *from;
    D *to; // NULL where only states count
    Z *state;
    int64 count;

    Part() {}
    Part(int64 x, int64 out, int64 states, int64 n, int64 length, int64 parts, int64 writes, int64 p, int64 size)
    {
        const int64 part = p % parts, start = p / parts * n + part * length;
        from = (const D *)x + start;
        to = writes ? (D *)out + start : (D *)0;
        state = (Z *)states + p * size;
        count = part + 1 < parts ? length : n - part * length;
    }
    void filter_from(int64 first, const Z *coefficients, int64 order, int64 sections) const
    {
        filter_part(from + first, to ? to + first : to, coefficients, state, count - first, order, sections);
    }
};

// Filters `count` elements of LINES parts, whose states lie side by side meanwhile.
template <class D, class Z>
static void filter_lines(const Part<D, Z> *part, const Z *coefficients, int64 count, int64 order, int64 sections)
{
    Z state[MOST_STATES][LINES], value[LINES], next[LINES];
    for (int64 k = 0; k < order * sections; ++k)
        for (int w = 0; w < LINES; ++w)
            state[k][w] = part[w].state[k];
    for (int64 i = 0; i < count; ++i) {
        Z (*own)[LINES] = state;
        const Z *b = coefficients;
        for (int w = 0; w < LINES; ++w)
            value[w] = Z(load(part[w].from[i]));
        for (int64 s = 0; s < sections; ++s, b += 2 * order + 1, own += order) {
            const Z *a = b + order + 1;
            for (int w = 0; w < LINES; ++w)
                next[w] = own[0][w] + b[0] * value[w];
            for (int64 k = 0; k < order - 1; ++k)
                for (int w = 0; w < LINES; ++w)
                    own[k][w] = own[k + 1][w] + b[k + 1] * value[w] - a[k] * next[w];
            for (int w = 0; w < LINES; ++w)
                own[order - 1][w] = b[order] * value[w] - a[order - 1] * next[w];
            for (int w = 0; w < LINES; ++w)
                value[w] = next[w];
        }
        for (int w = 0; w < LINES && part[w].to; ++w)
            part[w].to[i] = store<D>(typename value_of<D>::type(value[w]));
    }
    for (int64 k = 0; k < order * sections; ++k)
        for (int w = 0; w < LINES; ++w)
            part[w].state[k] = state[k][w];
}

template <class D, class Z>
CUNA_INLINE bool filter_parts(int64 x, int64 out, int64 coefficients, int64 states, int64 lines, int64 n, int64 length,
                              int64 parts, int64 writes, int64 index, int64 order, int64 sections, int64 abreast)
{
    const int64 size = order * sections, first = index * abreast, rest = lines * parts - first;
    const int64 many = rest < abreast ? rest : abreast;
    const Z *const list = (const Z *)coefficients;
    Part<D, Z> part[LINES];
    int64 common = many == LINES && size <= MOST_STATES ? length : 0;
    for (int64 w = 0; w < many; ++w) {
        part[w] = Part<D, Z>(x, out, states, n, length, parts, writes, first + w, size);
        common = part[w].count < common ? part[w].count : common;
    }
    if (common > 0)
        filter_lines(part, list, common, order, sections);
    for (int64 w = 0; w < many; ++w)
        part[w].filter_from(common, list, order, sections);
    return true;
}

template <class Z>
CUNA_INLINE bool chain_states(int64 states, int64 initial, int64 power, int64 parts, int64 length, int64 index,
                              int64 size)
{
    const Group<Z> group(states, parts, length, index, size);
    Z state[MOST_STATES], own[MOST_STATES], *list = group.list;
    const Z *matrix = (const Z *)power;
    for (int64 k = 0; k < size; ++k)
        state[k] = ((const Z *)initial)[index * size + k];
    for (int64 part = 0; part < group.count; ++part, list += size) {
        for (int64 k = 0; k < size; ++k) {
            own[k] = list[k];
            list[k] = state[k];
        }
        for (int64 k = 0; k < size; ++k)
            for (int64 j = 0; j < size; ++j)
                own[k] = own[k] + matrix[k * size + j] * list[j];
        for (int64 k = 0; k < size; ++k)
            state[k] = own[k];
    }
    return true;
}

} // namespace signal
} // namespace cuna

// loop_signal.hh: steps of recursive filters as loops have them (lua/cuna/signal/recursion.lua).
//
// Kernels have the order and the number of sections in their text. Loops get them as arguments, so that there are few
// loops; they do the same operations in the same order, line by line.
namespace cuna {
namespace signal {

enum { MOST_STATES = 16 };

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

template <class D, class Z>
CUNA_INLINE bool filter_parts(int64 x, int64 out, int64 coefficients, int64 states, int64 lines, int64 n, int64 length,
                              int64 parts, int64 writes, int64 index, int64 order, int64 sections, int64 abreast)
{
    for (int64 p = index * abreast; p < (index + 1) * abreast && p < lines * parts; ++p) {
        const int64 part = p % parts, start = p / parts * n + part * length;
        filter_part((const D *)x + start, writes ? (D *)out + start : (D *)0, (const Z *)coefficients,
                    (Z *)states + p * order * sections, part + 1 < parts ? length : n - part * length, order, sections);
    }
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

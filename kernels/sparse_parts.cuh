// sparse_parts.cuh: some lines of a sparse matrix, some positions of lines, two matrices side by side; builds on
// sparse_lines.cuh.
namespace cuna {
namespace lines {

// ---- some lines, some positions ----

// Writes the chosen lines of a matrix, one after the other.
template <class D, class I>
CUNA_INLINE bool copy_lines(int64 chosen, int64 ends, int64 indices, int64 data, int64 new_ends, int64 rows,
                            int64 new_indices, int64 new_data, int64 part, int64 parts)
{
    const I *to = (const I *)ends, *new_to = (const I *)new_ends;
    int64 row, last;
    rows_of(new_to, rows, part, parts, row, last);
    for (; row < last; ++row) {
        const int64 from = int64(to[((const int64 *)chosen)[row] - 1]) - 1, at = int64(new_to[row]) - 1;
        const int64 count = int64(new_to[row + 1]) - 1 - at;
        for (int64 k = 0; k < count; ++k) {
            ((I *)new_indices)[at + k] = ((const I *)indices)[from + k];
            ((D *)new_data)[at + k] = ((const D *)data)[from + k];
        }
    }
    return true;
}

// Which positions stay, and what they become, from 1; 0: none. Those of an array, and `length` side by side.
template <class I>
struct Table {
    const I *become;
    CUNA_INLINE Table(int64 table, int64) : become((const I *)table - 1) {}
    CUNA_INLINE I operator()(I position) const { return become[position]; }
};

template <class I>
struct Range {
    I before, length;
    CUNA_INLINE Range(int64 first, int64 length) : before(I(first - 1)), length(I(length)) {}
    CUNA_INLINE I operator()(I position) const
    {
        const I own = I(position - before);
        return (own > 0) & (own <= length) ? own : I(0);
    }
};

// Writes how many elements of the lines of a part are in positions that stay.
template <class M, class I>
CUNA_INLINE bool count_mapped(int64 ends, int64 indices, int64 rows, int64 map, int64 length, int64 counts, int64 part,
                              int64 parts)
{
    const I *to = (const I *)ends, *column = (const I *)indices;
    const M become(map, length);
    int64 row, last;
    rows_of(to, rows, part, parts, row, last);
    for (int64 k = int64(to[row]) - 1; row < last; ++row) {
        int64 count = 0;
        for (const int64 next = int64(to[row + 1]) - 1; k < next; ++k)
            count += become(column[k]) != 0;
        ((int64 *)counts)[row] = count;
    }
    return true;
}

// Writes these elements, with their new positions. What does not stay is written too, and then written over: no branch.
template <class M, class D, class I>
CUNA_INLINE bool write_mapped(int64 ends, int64 indices, int64 data, int64 rows, int64 map, int64 length, int64 new_ends,
                              int64 new_indices, int64 new_data, int64 part, int64 parts)
{
    const I *to = (const I *)ends, *column = (const I *)indices;
    const M become(map, length);
    int64 row, last;
    rows_of(to, rows, part, parts, row, last);
    const int64 new_stop = int64(((const I *)new_ends)[last]) - 1;
    int64 at = int64(((const I *)new_ends)[row]) - 1;
    for (int64 k = int64(to[row]) - 1; at < new_stop; ++k) {
        const I own = become(column[k]);
        ((I *)new_indices)[at] = own;
        ((D *)new_data)[at] = ((const D *)data)[k];
        at += own != 0;
    }
    return true;
}

// Where a position is in a line whose elements rise, or would be, from 0.
template <class I>
CUNA_INLINE int64 place_of(const I *column, int64 low, int64 high, int64 position)
{
    enum { SHORT = 8 };
    while (high - low > SHORT) {
        const int64 middle = low + (high - low) / 2;
        if (int64(column[middle]) < position)
            low = middle + 1;
        else
            high = middle;
    }
    int64 at = low;
    for (int64 k = low; k < high; ++k)
        at += int64(column[k]) < position;
    return at;
}

// The place of a position in a line whose elements rise, from 1; 0 if it has none there.
template <class I>
CUNA_INLINE int64 place_in_line(int64 ends, int64 indices, int64 line, int64 position)
{
    const I *column = (const I *)indices;
    const int64 stop = int64(((const I *)ends)[line]) - 1;
    const int64 at = place_of(column, int64(((const I *)ends)[line - 1]) - 1, stop, position);
    return at < stop && int64(column[at]) == position ? at + 1 : 0;
}

// ---- a diagonal of a matrix whose lines rise strictly: `count` lines from `first` on, the first of which has it at `position` ----

// Writes its elements.
template <class D, class I>
CUNA_INLINE bool copy_diagonal(int64 ends, int64 indices, int64 data, int64 first, int64 count, int64 position, int64 out,
                               int64 part, int64 parts)
{
    const int64 last = part_begin(count, part + 1, parts);
    for (int64 k = part_begin(count, part, parts); k < last; ++k) {
        const int64 place = place_in_line<I>(ends, indices, first + k + 1, position + k);
        ((D *)out)[k] = place > 0 ? ((const D *)data)[place - 1] : D();
    }
    return true;
}

// Writes the places of its elements, from 1, and those where elements would be, less than 0.
template <class I>
CUNA_INLINE bool find_diagonal(int64 ends, int64 indices, int64 first, int64 count, int64 position, int64 places, int64 part,
                               int64 parts)
{
    const I *const to = (const I *)ends + first, *const column = (const I *)indices;
    const int64 last = part_begin(count, part + 1, parts);
    for (int64 k = part_begin(count, part, parts); k < last; ++k) {
        const int64 stop = int64(to[k + 1]) - 1, at = place_of(column, int64(to[k]) - 1, stop, position + k);
        ((int64 *)places)[k] = at < stop && int64(column[at]) == position + k ? at + 1 : -(at + 1);
    }
    return true;
}

template <class D, class I>
struct Lines {
    const I *indices;
    const D *data;
    I *new_indices;
    D *new_data;
    int64 at;
    CUNA_INLINE void copy(int64 from, int64 stop)
    {
        for (int64 k = from; k < stop; ++k, ++at) {
            new_indices[at] = indices[k];
            new_data[at] = data[k];
        }
    }
    CUNA_INLINE void put(int64 position, D value)
    {
        new_indices[at] = I(position);
        new_data[at++] = value;
    }
};

// Writes the lines of a part with other elements on a diagonal.
template <class D, class I>
CUNA_INLINE bool write_diagonal(int64 ends, int64 indices, int64 data, int64 rows, int64 places, int64 values, int64 first,
                                int64 count, int64 position, int64 new_ends, int64 new_indices, int64 new_data, int64 part,
                                int64 parts)
{
    const I *const to = (const I *)ends;
    int64 row, last;
    rows_of((const I *)new_ends, rows, part, parts, row, last);
    Lines<D, I> lines = {(const I *)indices, (const D *)data, (I *)new_indices, (D *)new_data,
                         int64(((const I *)new_ends)[row]) - 1};
    for (; row < last; ++row) {
        const int64 begin = int64(to[row]) - 1, stop = int64(to[row + 1]) - 1, k = row - first;
        if (k < 0 || k >= count) {
            lines.copy(begin, stop);
            continue;
        }
        const int64 place = ((const int64 *)places)[k], at = (place < 0 ? -place : place) - 1;
        lines.copy(begin, at);
        lines.put(position + k, ((const D *)values)[k]);
        lines.copy(at + (place > 0), stop);
    }
    return true;
}

// ---- lines beside others, or apart ----

// Writes lines behind what their new ones have already: `cursors` has the places where the next elements go, from 0.
template <class D, class I>
CUNA_INLINE bool append_lines(int64 ends, int64 indices, int64 data, int64 rows, int64 shift, int64 cursors,
                              int64 new_indices, int64 new_data, int64 part, int64 parts)
{
    const I *const to = (const I *)ends;
    int64 row, last;
    rows_of(to, rows, part, parts, row, last);
    for (int64 k = int64(to[row]) - 1; row < last; ++row) {
        int64 at = ((const int64 *)cursors)[row];
        for (const int64 next = int64(to[row + 1]) - 1; k < next; ++k, ++at) {
            ((I *)new_indices)[at] = I(((const I *)indices)[k] + shift);
            ((D *)new_data)[at] = ((const D *)data)[k];
        }
        ((int64 *)cursors)[row] = at;
    }
    return true;
}

// Writes the elements of lines, which rise strictly, to a dense matrix of zeros, whose elements are `line_step` and `step` apart.
template <class D, class I>
CUNA_INLINE bool scatter_lines(int64 ends, int64 indices, int64 data, int64 rows, int64 out, int64 line_step, int64 step,
                               int64 part, int64 parts)
{
    const I *const to = (const I *)ends;
    int64 row, last;
    rows_of(to, rows, part, parts, row, last);
    for (int64 k = int64(to[row]) - 1; row < last; ++row) {
        D *const line = (D *)out + row * line_step;
        for (const int64 next = int64(to[row + 1]) - 1; k < next; ++k)
            line[(int64(((const I *)indices)[k]) - 1) * step] = ((const D *)data)[k];
    }
    return true;
}

// ---- two matrices, whose lines rise ----

// Calls visit(position, value) for each position that one of two lines has, with what `combine` makes of both elements there,
// 0 where one has none.
template <class A, class B, class I, class F, class G>
CUNA_INLINE void join_line(F combine, const I *a_indices, const A *a, int64 i, int64 a_stop, const I *b_indices, const B *b,
                           int64 j, int64 b_stop, G &visit)
{
    typedef typename value_of<A>::type V;
    typedef typename value_of<B>::type W;
    if (i < a_stop && j < b_stop) { /* the next positions are under way when it is known which one is taken */
        I first = a_indices[i], second = b_indices[j];
        while (i + 1 < a_stop && j + 1 < b_stop) {
            const I next_first = a_indices[i + 1], next_second = b_indices[j + 1];
            const bool from_a = first <= second, from_b = second <= first;
            const V left = V(load(a[i]));
            const W right = W(load(b[j]));
            visit(from_a ? first : second, combine(from_a ? left : V(0), from_b ? right : W(0)));
            first = from_a ? next_first : first;
            second = from_b ? next_second : second;
            i += from_a;
            j += from_b;
        }
    }
    while (i < a_stop && j < b_stop) {
        const I first = a_indices[i], second = b_indices[j];
        const bool from_a = first <= second, from_b = second <= first;
        const V left = V(load(a[i]));
        const W right = W(load(b[j]));
        visit(from_a ? first : second, combine(from_a ? left : V(0), from_b ? right : W(0)));
        i += from_a;
        j += from_b;
    }
    for (; i < a_stop; ++i)
        visit(a_indices[i], combine(V(load(a[i])), W(0)));
    for (; j < b_stop; ++j)
        visit(b_indices[j], combine(V(0), W(load(b[j]))));
}

// Writes what is not 0. What is 0 is written too, and then written over: no branch.
template <class R, class I>
struct Joined {
    I *indices;
    R *data;
    int64 at;
    template <class V>
    CUNA_INLINE void operator()(I position, V value)
    {
        indices[at] = position;
        data[at] = store<R>(value);
        at += value != V(0);
    }
};

// Writes the elements that are not 0 of both matrices' rows of a part together, from where they would be if all stayed, and
// how many each row has.
template <class R, class A, class B, class I, class F>
CUNA_WALKED bool join_lines(F combine, int64 a_ends, int64 a_indices, int64 a, int64 b_ends, int64 b_indices, int64 b,
                            int64 rows, int64 indices, int64 data, int64 counts, int64 part, int64 parts)
{
    const BeforeInBoth<I> before = {(const I *)a_ends, (const I *)b_ends};
    int64 row, last;
    share_rows(before, rows, part, parts, row, last);
    Joined<R, I> joined = {(I *)indices, (R *)data, before(row) - row};
    for (; row < last; ++row) {
        const int64 first = joined.at;
        join_line(combine, (const I *)a_indices, (const A *)a, int64(before.ends[row]) - 1, int64(before.ends[row + 1]) - 1,
                  (const I *)b_indices, (const B *)b, int64(before.others[row]) - 1, int64(before.others[row + 1]) - 1,
                  joined);
        ((int64 *)counts)[row] = joined.at - first;
    }
    return true;
}

// Brings these elements together.
template <class D, class I>
CUNA_INLINE bool pack_lines(int64 a_ends, int64 b_ends, int64 rows, int64 indices, int64 data, int64 new_ends,
                            int64 new_indices, int64 new_data, int64 part, int64 parts)
{
    const BeforeInBoth<I> before = {(const I *)a_ends, (const I *)b_ends};
    int64 row, last;
    share_rows(before, rows, part, parts, row, last);
    const int64 from = before(row) - row, stop = int64(((const I *)new_ends)[last]) - 1;
    const int64 at = int64(((const I *)new_ends)[row]) - 1;
    for (int64 k = 0; k < stop - at; ++k)
        ((I *)new_indices)[at + k] = ((const I *)indices)[from + k];
    for (int64 k = 0; k < stop - at; ++k)
        ((D *)new_data)[at + k] = ((const D *)data)[from + k];
    return true;
}

}  // namespace lines
}  // namespace cuna

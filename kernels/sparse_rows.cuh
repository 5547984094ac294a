// sparse_rows.cuh: products of two sparse matrices, row by row (F. G. Gustavson, 1978); builds on sparse.cuh.
//
// A part has a table of slots, which keeps the columns of a row as it grows, in open addressing. A key is the number of
// a position, row * columns + column. Rows of a part come in order, so that keys of earlier rows are less than those of
// this one: slots with them are free, and nothing has to be cleared.
//
// Rows of matrices that come of grids are often those before, moved by one column, and so are those that they multiply.
// Such a row of the product has as many elements as the one before, and its products go to the same places of it, which
// a plan lists: no table is needed.
namespace cuna {
namespace sparse {

enum { LEAST_BITS = 4, LEAST_SLOTS = 1 << LEAST_BITS }; // of a table for the columns of a row
enum { MOST_PLANNED = 512, IS_FIRST = 1 << 15 };        // products of a row with a plan; a mark of the first in a place

// The slots that a row takes of a part's table: a power of two.
struct Slots {
    int64 count;
    int shift; // what leaves of 64 bits those of a slot: the highest ones spread columns that have equal gaps

    CUNA_INLINE void take(int64 products, int64 all)
    {
        count = LEAST_SLOTS;
        shift = 64 - LEAST_BITS;
        for (; count < 2 * products && count < all; count *= 2)
            --shift;
    }
    // The slot of a column, or the free one where it belongs: its own where there are more slots than columns. `base` is
    // what keys of the row are greater than.
    CUNA_INLINE int64 find(const int64 *keys, int64 columns, int64 base, int64 column) const
    {
        if (count > columns)
            return column;
        int64 at = int64((uint64(column) * 0x9E3779B97F4A7C15ull) >> shift);
        while (keys[at] > base && keys[at] != base + column)
            at = (at + 1) & (count - 1);
        return at;
    }
};

// Where two matrices have their elements, and a part its table.
template <class I>
struct Factors {
    const I *a_indices, *a_ends, *b_indices, *b_ends;
    int64 columns, stop; // the last one: the end of A's elements that are to come
    Slots slots;
    int64 *keys;

    // Calls visit(slot, whether it was free, element of A, element of B) for each product of a row.
    template <class F>
    CUNA_INLINE void each(int64 row, F &visit) const
    {
        const int64 base = row * columns, last = int64(a_ends[row + 1]) - 1;
        for (int64 i = int64(a_ends[row]) - 1; i < last; ++i) {
            // the line that a later element of A multiplies
            const int64 coming = int64(b_ends[a_indices[i + COMING < stop ? i + COMING : stop - 1] - 1]) - 1;
            prefetch(b_indices + coming);
            if (F::READS_VALUES)
                prefetch(visit.b + coming);
            const int64 line = int64(a_indices[i]) - 1, next = int64(b_ends[line + 1]) - 1;
            for (int64 j = int64(b_ends[line]) - 1; j < next; ++j) {
                const int64 column = int64(b_indices[j]), slot = slots.find(keys, columns, base, column);
                const bool is_new = keys[slot] <= base;
                if (is_new)
                    keys[slot] = base + column;
                visit(slot, is_new, i, j);
            }
        }
    }
};

// Which lines of the second matrix are those before, moved by one column. This is behind the ends of the rows' work:
// whether it is known, and a byte for each line.
struct Moved {
    int64 &known;
    uint8 *const lines;
    CUNA_INLINE Moved(int64 work, int64 rows) : known(((int64 *)work)[rows + 1]), lines((uint8 *)(&known + 1)) {}
};

// Whether a row of the product repeats the one before.
template <class I>
CUNA_INLINE bool repeats(const Factors<I> &factors, const Moved &moved, int64 row)
{
    const int64 before = int64(factors.a_ends[row - 1]) - 1, first = int64(factors.a_ends[row]) - 1;
    const int64 count = first - before;
    if (int64(factors.a_ends[row + 1]) - 1 - first != count)
        return false;
    bool is = true;
    for (int64 k = 0; is && k < count; ++k) {
        const int64 line = int64(factors.a_indices[first + k]) - 1;
        is = line == int64(factors.a_indices[before + k]) && moved.lines[line];
    }
    return is;
}

// Writes which lines of a part are those before, moved by one column; `work` is that of so many rows.
template <class I>
CUNA_INLINE bool mark_moved(int64 indices, int64 ends, int64 rows, int64 work, int64 work_rows, int64 part, int64 parts)
{
    const Moved moved(work, work_rows);
    if (part == 0)
        moved.known = 1;
    const I *const columns = (const I *)indices, *const stops = (const I *)ends;
    int64 row, last;
    rows_of(stops, rows, part, parts, row, last);
    for (; row < last; ++row) {
        const int64 first = int64(stops[row]) - 1, count = int64(stops[row + 1]) - 1 - first;
        const int64 before = row > 0 ? int64(stops[row - 1]) - 1 : first;
        bool is = row > 0 && first - before == count;
        for (int64 k = 0; is && k < count; ++k)
            is = columns[first + k] == columns[before + k] + 1;
        moved.lines[row] = is;
    }
    return true;
}

template <class I>
CUNA_INLINE Factors<I> factors_of(int64 a_indices, int64 a_ends, int64 b_indices, int64 b_ends, int64 columns,
                                  int64 *keys)
{
    Factors<I> made;
    made.a_indices = (const I *)a_indices;
    made.a_ends = (const I *)a_ends;
    made.b_indices = (const I *)b_indices;
    made.b_ends = (const I *)b_ends;
    made.columns = columns;
    made.stop = 0;
    made.keys = keys;
    return made;
}

// Writes how many products each row of a part has.
template <class I>
CUNA_INLINE bool count_work(int64 a_indices, int64 a_ends, int64 b_ends, int64 rows, int64 work, int64 part, int64 parts)
{
    const I *const lines = (const I *)a_indices, *const ends = (const I *)a_ends, *const others = (const I *)b_ends;
    int64 row, last;
    rows_of(ends, rows, part, parts, row, last);
    for (int64 i = int64(ends[row]) - 1; row < last; ++row) {
        int64 count = 0;
        for (const int64 next = int64(ends[row + 1]) - 1; i < next; ++i)
            count += int64(others[lines[i]]) - int64(others[lines[i] - 1]);
        ((int64 *)work)[row] = count;
    }
    return true;
}

struct Counting {
    enum { READS_VALUES = false };
    const char *b;
    int64 count;
    CUNA_INLINE void operator()(int64, bool is_new, int64, int64) { count += is_new; }
};

// Writes how many elements the rows of a part have. `work` has the products of all rows, as ends, and what `Moved` has.
template <class I>
CUNA_INLINE bool count_products(int64 a_indices, int64 a_ends, int64 b_indices, int64 b_ends, int64 columns, int64 slots,
                                int64 tables, int64 work, int64 rows, int64 counts, int64 part, int64 parts)
{
    int64 row, last;
    rows_of((const int64 *)work, rows, part, parts, row, last);
    Factors<I> factors = factors_of<I>(a_indices, a_ends, b_indices, b_ends, columns,
                                       (int64 *)tables + part * slots);
    factors.stop = int64(factors.a_ends[last]) - 1;
    const Moved moved(work, rows);
    for (const int64 begin = row; row < last; ++row) {
        if (moved.known && row > begin && repeats(factors, moved, row)) {
            ((int64 *)counts)[row] = ((int64 *)counts)[row - 1];
            continue;
        }
        Counting counting = {0, 0};
        factors.slots.take(((const int64 *)work)[row + 1] - ((const int64 *)work)[row], slots);
        factors.each(row, counting);
        ((int64 *)counts)[row] = counting.count;
    }
    return true;
}

// Moves the element at a position of a heap down to its place.
template <class I>
CUNA_INLINE void sift(I *x, int64 at, int64 count)
{
    const I value = x[at];
    for (int64 child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && x[child] < x[child + 1])
            ++child;
        if (!(value < x[child]))
            break;
        x[at] = x[child];
        at = child;
    }
    x[at] = value;
}

// Sorts a row's columns: short rows by insertion, others as a heap.
template <class I>
CUNA_INLINE void sort_columns(I *x, int64 count)
{
    if (count <= AHEAD) {
        for (int64 i = 1; i < count; ++i) {
            const I value = x[i];
            int64 at = i;
            for (; at > 0 && value < x[at - 1]; --at)
                x[at] = x[at - 1];
            x[at] = value;
        }
        return;
    }
    for (int64 at = count / 2 - 1; at >= 0; --at)
        sift(x, at, count);
    for (int64 last = count - 1; last > 0; --last) {
        const I greatest = x[0];
        x[0] = x[last];
        x[last] = greatest;
        sift(x, 0, last);
    }
}

// Puts the columns of a row in order. Where each has a slot of its own, and many are taken, these are in order.
template <class I>
CUNA_INLINE void order_columns(const Factors<I> &factors, int64 row, I *x, int64 count)
{
    const int64 base = row * factors.columns;
    if (factors.slots.count <= factors.columns || count <= AHEAD || count * AHEAD / 2 < factors.columns) {
        sort_columns(x, count);
        return;
    }
    int64 at = 0;
    for (int64 column = 1; column <= factors.columns; ++column)
        if (factors.keys[column] > base)
            x[at++] = I(column);
}

template <class D, class I>
struct Adding {
    enum { READS_VALUES = true };
    typedef typename value_of<D>::type V;
    const D *a, *b;
    const I *b_indices;
    D *values;
    I *columns;
    int64 count;
    CUNA_INLINE void operator()(int64 slot, bool is_new, int64 i, int64 j)
    {
        const V product = wrap_mul(V(load(a[i])), V(load(b[j])));
        if (is_new)
            columns[count++] = b_indices[j];
        values[slot] = store<D>(is_new ? product : wrap_add(V(load(values[slot])), product));
    }
};

// Where the products of a row go, counted from its first element.
struct Plan {
    uint16 places[MOST_PLANNED];
    bool is_made;

    // Makes the plan of a row whose columns are written.
    template <class I>
    CUNA_INLINE void make(const Factors<I> &factors, int64 row, const I *columns, int64 count)
    {
        const int64 last = int64(factors.a_ends[row + 1]) - 1;
        int64 n = 0;
        for (int64 i = int64(factors.a_ends[row]) - 1; i < last; ++i) {
            const int64 line = int64(factors.a_indices[i]) - 1, next = int64(factors.b_ends[line + 1]) - 1;
            for (int64 j = int64(factors.b_ends[line]) - 1; j < next; ++j)
                places[n++] = uint16(place_in(columns, count, factors.b_indices[j]));
        }
        mark_firsts(n);
        is_made = true;
    }
    template <class I>
    static CUNA_INLINE int64 place_in(const I *columns, int64 count, I column)
    {
        int64 first = 0;
        for (int64 half = count / 2; count > 1; half = count / 2) {
            first = columns[first + half] <= column ? first + half : first;
            count -= half;
        }
        return first;
    }
    CUNA_INLINE void mark_firsts(int64 n)
    {
        uint8 is_taken[MOST_PLANNED];
        for (int64 k = 0; k < n; ++k)
            is_taken[places[k]] = 0;
        for (int64 k = 0; k < n; ++k) {
            const int64 place = places[k];
            places[k] |= is_taken[place] ? 0 : IS_FIRST;
            is_taken[place] = 1;
        }
    }
};

// Writes the elements of a row of the product that repeats the one before.
template <class D, class I>
CUNA_INLINE void add_planned(const Factors<I> &factors, const Plan &plan, const D *a, const D *b, int64 row, D *values)
{
    typedef typename value_of<D>::type V;
    const int64 last = int64(factors.a_ends[row + 1]) - 1;
    const uint16 *place = plan.places;
    for (int64 i = int64(factors.a_ends[row]) - 1; i < last; ++i) {
        const int64 line = int64(factors.a_indices[i]) - 1, next = int64(factors.b_ends[line + 1]) - 1;
        const V factor = V(load(a[i]));
        for (int64 j = int64(factors.b_ends[line]) - 1; j < next; ++j, ++place) {
            const V product = wrap_mul(factor, V(load(b[j])));
            D *const at = values + (*place & (IS_FIRST - 1));
            *at = store<D>(*place & IS_FIRST ? product : wrap_add(V(load(*at)), product));
        }
    }
}

// Writes the elements of the rows of a part, in order, where `ends` says. Behind the keys of its table are their sums.
template <class D, class I>
CUNA_INLINE bool add_products(int64 a_indices, int64 a_ends, int64 b_indices, int64 b_ends, int64 columns, int64 slots,
                              int64 tables, int64 work, int64 rows, int64 a, int64 b, int64 ends, int64 indices,
                              int64 data, int64 part, int64 parts)
{
    int64 row, last;
    rows_of((const int64 *)work, rows, part, parts, row, last);
    int64 *const keys = (int64 *)tables + part * (slots + slots * int64(sizeof(D)) / 8);
    Factors<I> factors = factors_of<I>(a_indices, a_ends, b_indices, b_ends, columns, keys);
    factors.stop = int64(factors.a_ends[last]) - 1;
    Plan plan;
    plan.is_made = false;
    const Moved moved(work, rows);
    for (const int64 begin = row; row < last; ++row) {
        const int64 first = int64(((const I *)ends)[row]) - 1, count = int64(((const I *)ends)[row + 1]) - 1 - first;
        const int64 products = ((const int64 *)work)[row + 1] - ((const int64 *)work)[row];
        I *const own = (I *)indices + first;
        D *const values = (D *)data + first;
        if (moved.known && row > begin && products <= MOST_PLANNED && repeats(factors, moved, row)) {
            for (int64 k = 0; k < count; ++k)
                own[k] = own[k - count] + 1;
            if (!plan.is_made)
                plan.make(factors, row, own, count);
            add_planned(factors, plan, (const D *)a, (const D *)b, row, values);
            continue;
        }
        plan.is_made = false;
        factors.slots.take(products, slots);
        Adding<D, I> adding = {(const D *)a, (const D *)b, (const I *)b_indices, (D *)(keys + slots), own, 0};
        factors.each(row, adding);
        order_columns(factors, row, own, count);
        for (int64 k = 0; k < count; ++k)
            values[k] = adding.values[factors.slots.find(keys, columns, row * columns, int64(own[k]))];
    }
    return true;
}

}  // namespace sparse
}  // namespace cuna

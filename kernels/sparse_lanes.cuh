// sparse_lanes.cuh: products of sparse matrices by warps whose lanes work together; builds on sparse.cuh.
//
// A lane has a row, and the 32 of a warp have rows that follow each other, so that their elements lie side by side. All
// lanes load these elements, and store those of results, as neighbours, whichever row they are in; what a row's lane reads
// and writes passes through the block's own memory. A row is added up in order, as by blocks of one lane.
namespace cuna {
namespace sparse {

// What a warp has of a block's room.
template <class T, int N>
CUNA_INLINE T *of_warp(Room<T, N> &room)
{
    return room.at() + lane() / WARP * (N / (LANES / WARP));
}

// The part of a warp's lanes in an array: the places of a lane's row, and of all.
struct Span {
    int64 first, last, warp_first, warp_last;
    template <class I>
    CUNA_INLINE Span(const I *ends, int64 row, int64 rows)
        : first(int64(ends[row < rows ? row : rows]) - 1), last(int64(ends[row < rows ? row + 1 : rows]) - 1),
          warp_first(shuffle(first, 0)), warp_last(shuffle(last, WARP - 1)) {}
};

// Writes the products of rows with a vector. A lane has EACH elements under way at once.
template <class D, class I, int EACH>
CUNA_INLINE bool rows_by_vector(int64 data, int64 indices, int64 indptr, int64 x, int64 out, int64 rows, int64 row)
{
    typedef typename value_of<D>::type V;
    // A gap in each line: rows of even lengths begin in different banks.
    enum { ALL = WARP * EACH, LINE = 128 / sizeof(V), WIDE = ALL + ALL / LINE };
    CUNA_SHARED Room<V, LANES / WARP * WIDE> room;
    V *const products = of_warp(room);
    V sum = V(0);
    const Span span((const I *)indptr, row, rows);
    int64 at = span.first;
    for (int64 base = span.warp_first; base < span.warp_last; base += ALL) {
        const int64 stop = span.warp_last - base < ALL ? span.warp_last : base + ALL;
        const unsigned own = lane() % WARP, greatest = unsigned(stop - base) - 1;
        const I *const from = (const I *)indices + base;
        const D *const values = (const D *)data + base, *const line = (const D *)x - 1;
        unsigned place[EACH];
        I column[EACH];
        D value[EACH], other[EACH];
        // Lanes past the end load the last element again: no load waits for a branch.
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            place[u] = u * WARP + own < greatest ? u * WARP + own : greatest;
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            column[u] = from[place[u]];
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            value[u] = values[place[u]];
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            other[u] = line[column[u]];
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            products[place[u] + place[u] / LINE] = wrap_mul(V(load(value[u])), V(load(other[u])));
        warp_barrier();
        const int64 end = span.last < stop ? span.last : stop;
        if (at < end) {
            CUNA_UNROLL_4
            for (unsigned k = unsigned(at - base); k < unsigned(end - base); ++k)
                sum = wrap_add(sum, products[k + k / LINE]);
            at = end;
        }
        warp_barrier();
    }
    if (row < rows)
        ((D *)out)[row] = store<D>(sum);
    return true;
}

// ---- products of two sparse matrices by merging rows ----

// The elements of a row of the first matrix, and how the products of a column are added up: all elements of the second one
// are loaded before one is needed.
template <class D, class I, int LISTS, bool ONCE>
struct Merging {
    typedef typename value_of<D>::type V;
    Lists<I, LISTS, ONCE> lists;
    V factor[LISTS];
    const D *b;

    CUNA_INLINE Merging(const I *a_indices, const I *a_ends, const I *b_indices, const I *b_ends, const D *a, const D *b,
                        int64 row)
        : b(b)
    {
        const int64 first = int64(a_ends[row]) - 1, count = int64(a_ends[row + 1]) - 1 - first;
        lists.begin(a_indices, a_ends, b_indices, b_ends, row);
        CUNA_UNROLL
        for (int k = 0; k < LISTS; ++k)
            factor[k] = k < count ? V(load(a[first + k])) : V(0);
    }

    // The sum of a column, which some list has.
    CUNA_INLINE V sum_of(I column)
    {
        D found[LISTS];
        bool has[LISTS], is_first = true;
        V sum = V(0);
        CUNA_UNROLL
        for (int k = 0; k < LISTS; ++k)
            has[k] = lists.next[k] == column;
        CUNA_UNROLL
        for (int k = 0; k < LISTS; ++k)
            if (has[k]) {
                found[k] = b[lists.at[k]];
                lists.pass(k);
            }
        CUNA_UNROLL
        for (int k = 0; k < LISTS; ++k)
            if (has[k]) {
                add(sum, is_first, wrap_mul(factor[k], V(load(found[k]))));
                for (; !ONCE && lists.next[k] == column; lists.pass(k))
                    add(sum, is_first, wrap_mul(factor[k], V(load(b[lists.at[k]]))));
            }
        return sum;
    }
    static CUNA_INLINE void add(V &sum, bool &is_first, V product)
    {
        sum = V(load(store<D>(is_first ? product : wrap_add(sum, product))));
        is_first = false;
    }
};

// Writes the elements of rows of the product where `ends` says. Lanes merge what has room, ROOM elements of the product, and
// store it as neighbours, from whole lines on: a part of a sector that is written alone costs more than all of it.
template <class D, class I, int LISTS, bool ONCE, int ROOM>
CUNA_INLINE bool add_together(int64 a_indices, int64 a_ends, int64 b_indices, int64 b_ends, int64 a, int64 b, int64 ends,
                              int64 indices, int64 data, int64 rows, int64 row)
{
    CUNA_SHARED Room<D, LANES / WARP * ROOM> value_room;
    CUNA_SHARED Room<I, LANES / WARP * ROOM> column_room;
    D *const values = of_warp(value_room);
    I *const columns = of_warp(column_room);
    const Span span((const int64 *)ends, row, rows);
    Merging<D, I, LISTS, ONCE> merging((const I *)a_indices, (const I *)a_ends, (const I *)b_indices, (const I *)b_ends,
                                       (const D *)a, (const D *)b, row < rows ? row : rows - 1);
    int64 place = span.first;
    for (int64 base = span.warp_first / WARP * WARP; base < span.warp_last; base += ROOM) {
        const int64 stop = span.warp_last < base + ROOM ? span.warp_last : base + ROOM;
        const int64 last = span.last < stop ? span.last : stop;
        for (; place < last; ++place) {
            const I column = merging.lists.least();
            columns[place - base] = column;
            values[place - base] = store<D>(merging.sum_of(column));
        }
        warp_barrier();
        for (int64 k = base + lane() % WARP; k < stop; k += WARP)
            if (k >= span.warp_first) {
                ((I *)indices)[k] = columns[k - base];
                ((D *)data)[k] = values[k - base];
            }
        warp_barrier();
    }
    return true;
}

}  // namespace sparse
}  // namespace cuna

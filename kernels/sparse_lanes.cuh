// sparse_lanes.cuh: products of sparse matrices by warps whose lanes work together; builds on sparse.cuh.
//
// A lane has a row, and the 32 of a warp have rows that follow each other, so that their elements lie side by side. All
// lanes load these elements, and store those of results, as neighbours, whichever row they are in; what a row's lane reads
// and writes passes through the block's own memory. A row is added up in order, as by blocks of one lane.
namespace cuna {
namespace sparse {

// Memory of a block that holds values, whose types may have constructors: no shared variable may.
template <class T, int N>
struct Room {
    alignas(16) unsigned char bytes[N * sizeof(T)];
    CUNA_INLINE T *of_warp() { return (T *)bytes + lane() / 32 * (N / (LANES / 32)); }
};

// The part of a warp's lanes in an array: the places of a lane's row, and of all.
struct Span {
    int64 first, last, warp_first, warp_last;
    template <class I>
    CUNA_INLINE Span(const I *ends, int64 row, int64 rows)
        : first(int64(ends[row < rows ? row : rows]) - 1), last(int64(ends[row < rows ? row + 1 : rows]) - 1),
          warp_first(shuffle(first, 0)), warp_last(shuffle(last, 31)) {}
};

// Writes the products of rows with a vector. A lane has EACH elements under way at once.
template <class D, class I, int EACH>
CUNA_INLINE bool rows_by_vector(int64 data, int64 indices, int64 indptr, int64 x, int64 out, int64 rows, int64 row)
{
    typedef typename value_of<D>::type V;
    // A gap in each line: rows of even lengths begin in different banks.
    enum { ALL = 32 * EACH, LINE = 128 / sizeof(V), WIDE = ALL + ALL / LINE };
    CUNA_SHARED Room<V, LANES / 32 * WIDE> room;
    V *const products = room.of_warp();
    V sum = V(0);
    const Span span((const I *)indptr, row, rows);
    int64 at = span.first;
    for (int64 base = span.warp_first; base < span.warp_last; base += ALL) {
        const int64 stop = span.warp_last - base < ALL ? span.warp_last : base + ALL;
        const unsigned own = lane() % 32, greatest = unsigned(stop - base) - 1;
        const I *const from = (const I *)indices + base;
        const D *const values = (const D *)data + base, *const line = (const D *)x - 1;
        unsigned place[EACH];
        I column[EACH];
        D value[EACH], other[EACH];
        // Lanes past the end load the last element again: no load waits for a branch.
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            place[u] = u * 32 + own < greatest ? u * 32 + own : greatest;
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

}  // namespace sparse
}  // namespace cuna

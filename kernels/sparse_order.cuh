// sparse_order.cuh: the order in which products of sparse matrices add.
//
// All devices add the products of a row in one order, whatever their lanes. Segments of 32 products are added in order, from
// 0 on. Then 32 sums of segments are, the last segments' included, and 32 sums of these; the rest follows in order. A row
// of up to 32 products is thus added in order. Sums begin at 0 and are never -0: an empty segment changes no sum.

namespace cuna {
namespace lines {

enum { SEGMENT = SPARSE_SEGMENT, PIECE = SEGMENT * SEGMENT };

// Sums of segments, of pieces of 32 segments, and of all before, of COLUMNS columns.
template <class V, int COLUMNS>
struct Floors {
    V segments[COLUMNS], pieces[COLUMNS], all[COLUMNS];
    int64 count;

    CUNA_INLINE void clear(int64 n)
    {
        count = 0;
        for (int64 c = 0; c < n; ++c)
            segments[c] = pieces[c] = all[c] = V(0);
    }
    static CUNA_INLINE void move(V *from, V *to, int64 n)
    {
        for (int64 c = 0; c < n; ++c) {
            to[c] = wrap_add(to[c], from[c]);
            from[c] = V(0);
        }
    }
    // Adds the sums of a segment in n columns, and clears them.
    CUNA_INLINE void add(V *sums, int64 n)
    {
        move(sums, segments, n);
        ++count;
        if (count % SEGMENT == 0)
            move(segments, pieces, n);
        if (count % PIECE == 0)
            move(pieces, all, n);
    }
    CUNA_INLINE V sum(int64 c) const { return wrap_add(all[c], wrap_add(pieces[c], segments[c])); }
};

// Results to which terms come in any turn, each to be added up in that order. A byte of each counts the terms of
// its segment, and marks results that have had whole ones.
template <class V>
struct Results {
    enum { HAD = 128 };
    V *const sums;
    uint8 *const seen;
    Floors<V, 1> *const floors;

    CUNA_INLINE void clear(int64 first, int64 last) const
    {
        for (int64 k = first; k < last; ++k) {
            sums[k] = V(0);
            seen[k] = 0;
        }
    }
    CUNA_INLINE void add(int64 k, V term) const
    {
        sums[k] = wrap_add(sums[k], term);
        if ((++seen[k] & SEGMENT) == 0)
            return;
        if ((seen[k] & HAD) == 0)
            floors[k].clear(1);
        floors[k].add(sums + k, 1);
        seen[k] = HAD;
    }
    CUNA_INLINE void end(int64 first, int64 last) const
    {
        for (int64 k = first; k < last; ++k)
            if ((seen[k] & HAD) != 0) {
                floors[k].add(sums + k, 1);
                sums[k] = floors[k].sum(0);
            }
    }
};

}  // namespace lines
}  // namespace cuna

// sparse_near.cuh: other lines of a sparse matrix, where neighbours have positions near each other; builds on sparse_lines.cuh.
//
// A part has some of the new lines, as many as others, and reads those old lines whose positions reach them: `bounds` has
// the first such element and the end of them for each part. An element goes from its old line to its new one at once, and
// old lines come in order, so that nothing is left to sort.
namespace cuna {
namespace lines {

// Writes the least and the greatest position of a part's elements.
template <class I>
CUNA_INLINE bool reach_of_part(int64 keys, int64 count, int64 least, int64 greatest, int64 part, int64 parts)
{
    const I *key = (const I *)keys;
    const int64 first = part_begin(count, part, parts), last = part_begin(count, part + 1, parts);
    I low = key[first], high = key[first];
    for (int64 k = first; k < last; ++k) {
        low = key[k] < low ? key[k] : low;
        high = key[k] > high ? key[k] : high;
    }
    ((int64 *)least)[part] = int64(low);
    ((int64 *)greatest)[part] = int64(high);
    return true;
}

// The new lines of a part, and the elements that it reads.
struct Share {
    int64 first, last, begin, stop;
    CUNA_INLINE Share(int64 length, int64 bounds, int64 part, int64 parts)
        : first(part_begin(length, part, parts)), last(part_begin(length, part + 1, parts)),
          begin(((const int64 *)bounds)[2 * part]), stop(((const int64 *)bounds)[2 * part + 1]) {}
    CUNA_INLINE bool has(int64 line) const { return (line >= first) & (line < last); }
};

// Counts the elements of the new lines of a part, each and together.
template <class I>
CUNA_INLINE bool count_near(int64 keys, int64 bounds, int64 length, int64 ends, int64 totals, int64 part, int64 parts)
{
    const I *key = (const I *)keys;
    I *const count = (I *)ends + 1;
    const Share share(length, bounds, part, parts);
    for (int64 line = share.first; line < share.last; ++line)
        count[line] = 0;
    int64 total = 0;
    for (int64 k = share.begin; k < share.stop; ++k)
        if (share.has(int64(key[k]) - 1)) {
            ++count[int64(key[k]) - 1];
            ++total;
        }
    ((int64 *)totals)[part] = total;
    return true;
}

template <class D, class I>
struct Placing {
    const Share share;
    const I *keys;
    const D *data;
    I *ends, *indices;
    D *values;
    CUNA_INLINE void operator()(int64 row, int64 k)
    {
        const int64 line = int64(keys[k]) - 1;
        if (!share.has(line))
            return;
        const int64 at = int64(ends[line + 1]++) - 1;
        indices[at] = I(row + 1);
        values[at] = data[k];
    }
};

// Writes the new lines of a part, whose elements follow `before` others, and where they end.
template <class D, class I>
CUNA_INLINE bool place_near(int64 keys, int64 old_ends, int64 rows, int64 data, int64 bounds, int64 length, int64 before,
                            int64 ends, int64 indices, int64 values, int64 part, int64 parts)
{
    Placing<D, I> placing = {{length, bounds, part, parts}, (const I *)keys, (const D *)data, (I *)ends, (I *)indices,
                             (D *)values};
    int64 sum = ((const int64 *)before)[part] + 1;
    for (int64 line = placing.share.first; line < placing.share.last; ++line) {
        const int64 own = int64(placing.ends[line + 1]);
        placing.ends[line + 1] = I(sum);
        sum += own;
    }
    if (part == 0)
        placing.ends[0] = 1;
    each_between((const I *)old_ends, rows, placing.share.begin, placing.share.stop, placing);
    return true;
}

template <class D, class I>
struct SummingNear {
    typedef typename value_of<D>::type V;
    const Share share;
    const I *keys;
    const D *data, *x;
    const Results<V> results;
    CUNA_INLINE void operator()(int64 row, int64 k)
    {
        const int64 line = int64(keys[k]) - 1;
        if (share.has(line))
            results.add(line, wrap_mul(V(load(data[k])), V(load(x[row]))));
    }
};

// Adds up the products of elements and a vector's, one for each old line, in the new lines of a part, as products of rows
// do. `seen` and `floors` have room for what is known of each result.
template <class D, class I>
CUNA_INLINE bool sum_near(int64 keys, int64 ends, int64 rows, int64 data, int64 x, int64 bounds, int64 length, int64 sums,
                          int64 seen, int64 floors, int64 part, int64 parts)
{
    typedef typename value_of<D>::type V;
    SummingNear<D, I> summing = {{length, bounds, part, parts}, (const I *)keys, (const D *)data, (const D *)x,
                                 {(V *)sums, (uint8 *)seen, (Floors<V, 1> *)floors}};
    const Share &share = summing.share;
    summing.results.clear(share.first, share.last);
    each_between((const I *)ends, rows, share.begin, share.stop, summing);
    summing.results.end(share.first, share.last);
    return true;
}

}  // namespace lines
}  // namespace cuna

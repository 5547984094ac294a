// sparse.cuh: products of sparse matrices in rows (csr) with vectors and matrices; builds on gather.cuh.
//
// Positions count from 1, also in indptr, so that row r (from 0) has the elements indptr[r] - 1 up to indptr[r + 1] - 2.
// A block of one lane takes a part of the rows that has as many rows and elements, together, as the other parts. Where
// blocks have many lanes, several lanes take the elements of a row in turn.
namespace cuna {
namespace sparse {

enum { AHEAD = 32 }; // columns of a matrix that are summed side by side

// The first row of a part: that before which there are `wanted` rows and elements.
template <class I>
CUNA_INLINE int64 first_row(const I *indptr, int64 rows, int64 wanted)
{
    int64 low = 0, high = rows;
    while (low < high) {
        const int64 middle = low + (high - low) / 2;
        if (int64(indptr[middle]) - 1 + middle < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The rows of a part of `parts`.
template <class I>
CUNA_INLINE void rows_of(const I *indptr, int64 rows, int64 part, int64 parts, int64 &first, int64 &last)
{
    const int64 total = int64(indptr[rows]) - 1 + rows;
    first = first_row(indptr, rows, total / parts * part + total % parts * part / parts);
    last = part + 1 < parts ? first_row(indptr, rows, total / parts * (part + 1) + total % parts * (part + 1) / parts)
                            : rows;
}

// The sum of the products of elements first, first + step, ... below last, with those of a vector.
template <class D, class I>
CUNA_INLINE typename value_of<D>::type summed(const D *data, const I *indices, const D *x, int64 first, int64 last,
                                              int64 step)
{
    typedef typename value_of<D>::type V;
    V sum = V(0);
    for (int64 j = first; j < last; j += step)
        sum = wrap_add(sum, wrap_mul(V(load(data[j])), V(load(x[indices[j] - 1]))));
    return sum;
}

// Writes the products of the rows of a part with a vector.
template <class D, class I>
CUNA_INLINE bool by_vector(int64 data, int64 indices, int64 indptr, int64 rows, int64 x, int64 out, int64 part,
                           int64 parts)
{
    const I *ends = (const I *)indptr;
    int64 row, last;
    rows_of(ends, rows, part, parts, row, last);
    for (int64 j = int64(ends[row]) - 1; row < last; ++row) {
        const int64 next = int64(ends[row + 1]) - 1;
        ((D *)out)[row] = store<D>(summed((const D *)data, (const I *)indices, (const D *)x, j, next, 1));
        j = next;
    }
    return true;
}

// Writes the products of one row with some columns of a matrix whose rows have `width` elements.
template <class D, class I, int COUNT>
CUNA_INLINE void by_columns(const D *data, const I *indices, const D *x, int64 width, D *out, int64 first, int64 last,
                            int64 count)
{
    typedef typename value_of<D>::type V;
    V sums[AHEAD];
    const int64 n = COUNT > 0 ? COUNT : count;
    for (int64 c = 0; c < n; ++c)
        sums[c] = V(0);
    for (int64 j = first; j < last; ++j) {
        const V value = V(load(data[j]));
        const D *line = x + (int64(indices[j]) - 1) * width;
        for (int64 c = 0; c < n; ++c)
            sums[c] = wrap_add(sums[c], wrap_mul(value, V(load(line[c]))));
    }
    for (int64 c = 0; c < n; ++c)
        out[c] = store<D>(sums[c]);
}

// Writes the products of the rows of a part with a matrix.
template <class D, class I>
CUNA_INLINE bool by_matrix(int64 data, int64 indices, int64 indptr, int64 rows, int64 x, int64 out, int64 width,
                           int64 part, int64 parts)
{
    const I *ends = (const I *)indptr;
    int64 row, last;
    rows_of(ends, rows, part, parts, row, last);
    for (; row < last; ++row) {
        const int64 first = int64(ends[row]) - 1, next = int64(ends[row + 1]) - 1;
        D *to = (D *)out + row * width;
        const D *from = (const D *)x;
        int64 c = 0;
        for (; c + AHEAD <= width; c += AHEAD)
            by_columns<D, I, AHEAD>((const D *)data, (const I *)indices, from + c, width, to + c, first, next, 0);
        if (c < width)
            by_columns<D, I, 0>((const D *)data, (const I *)indices, from + c, width, to + c, first, next, width - c);
    }
    return true;
}

// The share of a lane, of `lanes`, in the product of a row with a vector.
template <class D, class I>
CUNA_INLINE typename value_of<D>::type share(int64 data, int64 indices, int64 x, int64 first, int64 next, int64 lane,
                                             int64 lanes)
{
    return summed((const D *)data, (const I *)indices, (const D *)x, first - 1 + lane, next - 1, lanes);
}

// One element of the product of a row with a matrix: `x` is the address of the first element of its column.
template <class D, class I>
CUNA_INLINE typename value_of<D>::type element(int64 data, int64 indices, int64 x, int64 stride, int64 first, int64 next)
{
    typedef typename value_of<D>::type V;
    V sum = V(0);
    for (int64 j = first - 1; j < next - 1; ++j) {
        const int64 at = x + (int64(((const I *)indices)[j]) - 1) * stride;
        sum = wrap_add(sum, wrap_mul(V(load(((const D *)data)[j])), V(load(*(const D *)at))));
    }
    return sum;
}

}  // namespace sparse
}  // namespace cuna

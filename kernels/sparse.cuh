// sparse.cuh: products of sparse matrices in rows (csr) with vectors, matrices and each other; builds on sparse_lines.cuh.
//
// Positions count from 1, also in indptr, so that row r (from 0) has the elements indptr[r] - 1 up to indptr[r + 1] - 2.
// A block of one lane takes a part of the rows that has as many rows and elements, together, as the other parts. Where
// blocks have many lanes, lanes take rows, and warps take long ones.
namespace cuna {
namespace sparse {

using lines::Floors;
using lines::PIECE;
using lines::SEGMENT;
using lines::rows_of;

enum { AHEAD = 32 }; // columns of a matrix that are summed side by side

// A vector whose elements are `stride` bytes apart.
template <class D>
struct Strided {
    int64 at, stride;
    CUNA_INLINE D operator[](int64 k) const { return *(const D *)(at + k * stride); }
};

// The sum, in order, of the products of elements with those of a vector.
template <class D, class I, class X>
CUNA_INLINE typename value_of<D>::type in_order(const D *data, const I *indices, X x, int64 first, int64 last)
{
    typedef typename value_of<D>::type V;
    V sum = V(0);
    for (int64 j = first; j < last; ++j)
        sum = wrap_add(sum, wrap_mul(V(load(data[j])), V(load(x[indices[j] - 1]))));
    return sum;
}

CUNA_INLINE int64 segment_end(int64 first, int64 last) { return last - first > SEGMENT ? first + SEGMENT : last; }

// The same of a row of more elements than a segment has.
template <class D, class I, class X>
CUNA_APART typename value_of<D>::type in_segments(const D *data, const I *indices, X x, int64 first, int64 last)
{
    typedef typename value_of<D>::type V;
    Floors<V, 1> floors;
    floors.clear(1);
    for (; first < last; first += SEGMENT) {
        V sum = in_order(data, indices, x, first, segment_end(first, last));
        floors.add(&sum, 1);
    }
    return floors.sum(0);
}

template <class D, class I>
CUNA_INLINE typename value_of<D>::type summed(const D *data, const I *indices, const D *x, int64 first, int64 last)
{
    return last - first <= SEGMENT ? in_order(data, indices, x, first, last)
                                   : in_segments(data, indices, x, first, last);
}

// ---- products with vectors and matrices ----

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
        ((D *)out)[row] = store<D>(summed((const D *)data, (const I *)indices, (const D *)x, j, next));
        j = next;
    }
    return true;
}

enum { LINE = 64, COMING = 6 }; // bytes that caches load; elements ahead whose rows of a matrix are loaded

// A matrix with rows of `width` elements, by which those of a sparse one are multiplied; of these, `stop` is past the last.
template <class D, class I>
struct Columns {
    typedef typename value_of<D>::type V;
    const D *data;
    const I *indices;
    const D *x;
    int64 width, stop;

    // Adds the products of elements with n columns, in order. The rows of elements, also of what follows these, are under
    // way before they are needed.
    CUNA_INLINE void add(V *sums, int64 first, int64 last, int64 n) const
    {
        for (int64 j = first; j < last; ++j) {
            const V value = V(load(data[j]));
            const D *line = x + (int64(indices[j]) - 1) * width;
            const D *coming = x + (int64(indices[j + COMING < stop ? j + COMING : stop - 1]) - 1) * width;
            for (int64 c = 0; c < n; c += LINE / int64(sizeof(D)))
                prefetch(coming + c);
            for (int64 c = 0; c < n; ++c)
                sums[c] = wrap_add(sums[c], wrap_mul(value, V(load(line[c]))));
        }
    }
};

// Writes the products of one row with some columns.
template <class D, class I, int COUNT>
CUNA_INLINE void by_columns(const Columns<D, I> &columns, D *out, int64 first, int64 last, int64 count)
{
    typedef typename value_of<D>::type V;
    V sums[AHEAD];
    const int64 n = COUNT > 0 ? COUNT : count;
    for (int64 c = 0; c < n; ++c)
        sums[c] = V(0);
    if (last - first <= SEGMENT) {
        columns.add(sums, first, last, n);
        for (int64 c = 0; c < n; ++c)
            out[c] = store<D>(sums[c]);
        return;
    }
    Floors<V, AHEAD> floors;
    floors.clear(n);
    for (; first < last; first += SEGMENT) {
        columns.add(sums, first, segment_end(first, last), n);
        floors.add(sums, n);
    }
    for (int64 c = 0; c < n; ++c)
        out[c] = store<D>(floors.sum(c));
}

// The same for the last columns, which may be few: their sums stay in registers.
template <class D, class I>
CUNA_INLINE void by_last_columns(const Columns<D, I> &columns, D *out, int64 first, int64 last, int64 count)
{
    switch (count) {
    case 1: return by_columns<D, I, 1>(columns, out, first, last, 0);
    case 2: return by_columns<D, I, 2>(columns, out, first, last, 0);
    case 3: return by_columns<D, I, 3>(columns, out, first, last, 0);
    case 4: return by_columns<D, I, 4>(columns, out, first, last, 0);
    case 8: return by_columns<D, I, 8>(columns, out, first, last, 0);
    default: return by_columns<D, I, 0>(columns, out, first, last, count);
    }
}

// Writes the products of the rows of a part with a matrix.
template <class D, class I>
CUNA_INLINE bool by_matrix(int64 data, int64 indices, int64 indptr, int64 rows, int64 x, int64 out, int64 width,
                           int64 part, int64 parts)
{
    const I *ends = (const I *)indptr;
    int64 row, last;
    rows_of(ends, rows, part, parts, row, last);
    Columns<D, I> columns = {(const D *)data, (const I *)indices, (const D *)x, width, int64(ends[last]) - 1};
    for (; row < last; ++row) {
        const int64 first = int64(ends[row]) - 1, next = int64(ends[row + 1]) - 1;
        D *to = (D *)out + row * width;
        int64 c = 0;
        for (; c + AHEAD <= width; c += AHEAD) {
            columns.x = (const D *)x + c;
            by_columns<D, I, AHEAD>(columns, to + c, first, next, 0);
        }
        columns.x = (const D *)x + c;
        if (c < width)
            by_last_columns(columns, to + c, first, next, width - c);
    }
    return true;
}

// ---- long rows ----
//
// Where blocks have many lanes, rows of more than a segment are listed, those of more than a piece once for each piece.
// The list may be older than indptr, of which it has a copy, `ends`. A row that is where it was is done by those that go
// through the list, another one by the lane that has it: so each is done once.

CUNA_INLINE int64 entries_of(int64 length) { return length <= SEGMENT ? 0 : (length + PIECE - 1) / PIECE; }

// A list: what its entries add up, and of which rows.
template <class I>
struct Listed {
    const I *ends, *firsts, *lasts, *rows;

    CUNA_INLINE bool has(const I *now, int64 row) const { return ends[row] == now[row] && ends[row + 1] == now[row + 1]; }
    CUNA_INLINE bool is_cut(int64 row) const { return ends[row + 1] - ends[row] > PIECE; }
    // Where the sum of a piece goes. A place stands for half a piece, so that no two rows share one.
    CUNA_INLINE int64 place(int64 entry) const
    {
        const int64 first = int64(ends[rows[entry]]) - 1;
        return first / (PIECE / 2) + (int64(firsts[entry]) - 1 - first) / PIECE;
    }
};

template <class I>
CUNA_INLINE Listed<I> listed_in(int64 list, int64 rows, int64 room)
{
    const I *const ends = (const I *)list, *const firsts = ends + rows + 1;
    const Listed<I> made = {ends, firsts, firsts + room, firsts + 2 * room};
    return made;
}

// Lists a row, behind as many entries as `before` says. A list has a copy of indptr, and room for so many entries.
template <class I>
CUNA_INLINE bool list_row(int64 before, int64 indptr, int64 list, int64 rows, int64 room, int64 row)
{
    const Listed<I> listed = listed_in<I>(list, rows, room);
    const int64 last = int64(((const I *)before)[row + 1]);
    const I end = ((const I *)indptr)[row + 1];
    I first = ((const I *)indptr)[row];
    ((I *)listed.ends)[row] = first;
    ((I *)listed.ends)[row + 1] = end;
    for (int64 k = int64(((const I *)before)[row]); k < last; ++k, first += PIECE) {
        ((I *)listed.firsts)[k] = first;
        ((I *)listed.lasts)[k] = end - first > PIECE ? first + PIECE : end;
        ((I *)listed.rows)[k] = I(row);
    }
    return true;
}

// The sum of up to a piece of a row times a column.
template <class D, class I>
CUNA_INLINE typename value_of<D>::type piece_by_column(const D *data, const I *indices, Strided<D> column, int64 first,
                                                       int64 last)
{
    typedef typename value_of<D>::type V;
    V sum = V(0);
    for (; first < last; first += SEGMENT)
        sum = wrap_add(sum, in_order(data, indices, column, first, segment_end(first, last)));
    return sum;
}

// Writes the sums of listed pieces times one of `width` columns: of each `step`th entry of the list.
template <class D, class I>
CUNA_INLINE bool pieces_by_matrix(int64 data, int64 indices, int64 indptr, int64 x, int64 stride, int64 rows, int64 count,
                                  int64 list, int64 room, int64 sums, int64 width, int64 step, int64 position)
{
    typedef typename value_of<D>::type V;
    const Strided<D> column = {x, stride};
    const Listed<I> listed = listed_in<I>(list, rows, room);
    const int64 last = int64(*(const I *)count);
    for (int64 k = position / width; k < last; k += step) {
        const int64 row = int64(listed.rows[k]);
        if (listed.is_cut(row) && listed.has((const I *)indptr, row))
            ((V *)sums)[listed.place(k) * width + position % width] =
                piece_by_column((const D *)data, (const I *)indices, column, int64(listed.firsts[k]) - 1,
                                int64(listed.lasts[k]) - 1);
    }
    return true;
}

}  // namespace sparse
}  // namespace cuna

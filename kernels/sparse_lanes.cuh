// sparse_lanes.cuh: products of sparse matrices by warps whose lanes work together; builds on sparse.cuh and
// sparse_merge.cuh.
//
// A lane has a row, and the 32 of a warp have rows that follow each other, so that their elements lie side by side. All
// lanes load these elements, and store those of results, as neighbours, whichever row they are in; what a row's lane reads
// and writes passes through the block's own memory. A warp has a long row, or a piece of it, and its lanes add segments.
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

// What a warp loads, EACH elements a lane at once, and multiplies. A gap of GAP products follows each line of them: rows of
// lengths that are even then begin in different banks.
template <class D, class I, int EACH, int GAP>
struct Products {
    typedef typename value_of<D>::type V;
    enum { ALL = WARP * EACH, LINE = 128 / sizeof(V), WIDE = ALL + ALL / LINE * GAP };
    const D *data;
    const I *indices;
    const D *x;
    V *products;

    static CUNA_INLINE unsigned place_of(unsigned k) { return k + k / LINE * GAP; }

    // Multiplies up to ALL elements, from `base` on; returns where they end.
    CUNA_INLINE I multiply(I base, I last) const
    {
        const I stop = last - base < ALL ? last : base + ALL;
        const unsigned own = lane() % WARP, greatest = unsigned(stop - base) - 1;
        const I *const from = indices + base;
        const D *const values = data + base, *const line = x - 1;
        I column[EACH];
        D value[EACH], other[EACH];
        // Lanes past the end load the last element again: no load waits for a branch.
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            column[u] = from[u * WARP + own < greatest ? u * WARP + own : greatest];
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            value[u] = values[u * WARP + own < greatest ? u * WARP + own : greatest];
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            other[u] = line[column[u]];
        CUNA_UNROLL
        for (unsigned u = 0; u < EACH; ++u)
            products[place_of(u * WARP + own)] = wrap_mul(V(load(value[u])), V(load(other[u])));
        warp_barrier();
        return stop;
    }
    CUNA_INLINE void add(V &sum, unsigned from, unsigned to) const
    {
        CUNA_UNROLL_4
        for (unsigned k = from; k < to; ++k)
            sum = wrap_add(sum, products[place_of(k)]);
    }
};

// Writes the products of rows of up to a segment; whether the lane has a longer one.
template <class D, class I, int EACH, int GAP>
CUNA_INLINE bool short_rows(const Products<D, I, EACH, GAP> &own, I first, I last, bool exists, D *out)
{
    typedef typename value_of<D>::type V;
    const bool is_long = last - first > SEGMENT;
    V sum = V(0);
    I at = is_long ? last : first, base = shuffle(first, 0);
    for (uint32 left = ballot(is_long);; left &= left - 1) {
        // The elements before the next long row, which are passed over.
        const unsigned next = left ? bits_set((left & -left) - 1) : WARP - 1;
        const I limit = shuffle(left ? first : last, next);
        for (I stop; base < limit; base = stop) {
            stop = own.multiply(base, limit);
            const I end = last < stop ? last : stop;
            if (at < end) {
                own.add(sum, unsigned(at - base), unsigned(end - base));
                at = end;
            }
            warp_barrier();
        }
        if (!left)
            break;
        base = shuffle(last, next);
    }
    if (exists && !is_long)
        *out = store<D>(sum);
    return is_long;
}

// Writes the products of 32 rows, but of long ones that are in the list, if there is one.
template <class D, class I, int EACH, int GAP>
CUNA_INLINE void group_of_rows(const Products<D, I, EACH, GAP> &own, const I *ends, int64 list, D *out, int64 rows,
                               int64 row)
{
    const bool exists = row < rows;
    const I first = ends[exists ? row : rows] - 1, last = ends[exists ? row + 1 : rows] - 1;
    if (short_rows(own, first, last, exists, out + row) &&
        (list == 0 || !listed_in<I>(list, 0, 0).has(ends, row)))
        out[row] = store<D>(in_segments(own.data, own.indices, own.x, int64(first), int64(last)));
}

// The sum of a piece: each of some lanes adds a segment.
template <class D, class I, int EACH, int GAP>
CUNA_INLINE typename value_of<D>::type piece_sum(const Products<D, I, EACH, GAP> &own, I first, I last)
{
    typedef typename value_of<D>::type V;
    const unsigned from = lane() % WARP * SEGMENT;
    V total = V(0);
    for (I base = first, stop; base < last; base = stop) {
        stop = own.multiply(base, last);
        const unsigned count = unsigned(stop - base);
        V sum = V(0);
        own.add(sum, from, from + SEGMENT < count ? from + SEGMENT : count);
        CUNA_UNROLL
        for (unsigned k = 0; k < EACH; ++k)
            total = wrap_add(total, shuffle(sum, k));
        warp_barrier();
    }
    return total;
}

// Writes the products of rows with a vector. `readers` warps, which come first as they take longest, go through the list of
// long rows, and the others have 32 rows each. The sums of pieces of rows that are cut are written to `sums`.
template <class D, class I, int EACH, int GAP>
CUNA_INLINE bool rows_by_vector(int64 data, int64 indices, int64 indptr, int64 x, int64 out, int64 rows, int64 count,
                                int64 list, int64 room_in_list, int64 sums, int64 readers, int64 position)
{
    typedef typename value_of<D>::type V;
    typedef Products<D, I, EACH, GAP> Own;
    CUNA_SHARED Room<V, LANES / WARP * Own::WIDE> room;
    const Own own = {(const D *)data, (const I *)indices, (const D *)x, of_warp(room)};
    const I *const ends = (const I *)indptr;
    const int64 reader = position / WARP;
    if (reader >= readers) {
        group_of_rows(own, ends, readers > 0 ? list : 0, (D *)out, rows, position - readers * WARP);
        return true;
    }
    const Listed<I> listed = listed_in<I>(list, rows, room_in_list);
    const int64 last = int64(*(const I *)count);
    for (int64 k = reader; k < last; k += readers) {
        const V sum = piece_sum(own, I(listed.firsts[k] - 1), I(listed.lasts[k] - 1));
        const int64 of = int64(listed.rows[k]);
        if (lane() % WARP != 0 || !listed.has(ends, of))
            continue;
        if (listed.is_cut(of))
            ((V *)sums)[listed.place(k)] = sum;
        else
            ((D *)out)[of] = store<D>(sum);
    }
    return true;
}

// The sum of a listed row's pieces in one of `width` columns: a lane has 32 of them in turn.
template <class V>
CUNA_INLINE V sum_of_pieces(const V *own, int64 entries, int64 width)
{
    V total = V(0);
    for (int64 base = 0; base < entries; base += PIECE) {
        const int64 first = base + lane() % WARP * SEGMENT, stop = segment_end(first, entries);
        V sum = V(0);
        CUNA_UNROLL_4
        for (int64 n = first; n < stop; ++n)
            sum = wrap_add(sum, own[n * width]);
        CUNA_UNROLL_4
        for (unsigned n = 0; n < WARP; ++n)
            total = wrap_add(total, shuffle(sum, n));
    }
    return total;
}

// Adds up the pieces of listed rows, in `width` columns: a warp has one column of 32 entries, `step` apart, since rows that
// are cut lie beside each other; a lane finds out whether a row begins at one of them, and all add up the pieces of one row.
template <class D, class I>
CUNA_INLINE bool add_pieces(int64 sums, int64 indptr, int64 rows, int64 count, int64 list, int64 room, int64 out,
                            int64 width, int64 step, int64 position)
{
    typedef typename value_of<D>::type V;
    const int64 warp = position / WARP, column = warp % width, last = int64(*(const I *)count);
    const Listed<I> listed = listed_in<I>(list, rows, room);
    for (int64 base = warp / width; base < last; base += step * WARP) {
        const int64 k = base + lane() % WARP * step;
        const I row = k < last ? listed.rows[k] : 0;
        const bool begins = k < last && listed.is_cut(row) && listed.firsts[k] == listed.ends[row] &&
                            listed.has((const I *)indptr, row);
        for (uint32 left = ballot(begins); left; left &= left - 1) {
            const unsigned at = bits_set((left & -left) - 1);
            const int64 own = int64(shuffle(row, at));
            const V *const from = (const V *)sums + listed.place(base + at * step) * width + column;
            const int64 entries = entries_of(int64(listed.ends[own + 1]) - int64(listed.ends[own]));
            const V total = sum_of_pieces(from, entries, width);
            if (lane() % WARP == 0)
                ((D *)out)[own * width + column] = store<D>(total);
        }
    }
    return true;
}

// ---- products with matrices ----

// COLUMNS neighbours of a matrix in rows of `width` elements, by which a lane multiplies EACH elements of a row at once.
// ALIGNED: one access loads them.
template <class D, class I, int COLUMNS, int EACH, bool ALIGNED>
struct Across {
    typedef typename value_of<D>::type V;
    typedef Pack<D, COLUMNS> Line;
    const D *data;
    const I *indices;
    const D *x;
    int64 width;

    CUNA_INLINE Line line(I row) const
    {
        const D *const from = x + (int64(row) - 1) * width;
        return ALIGNED ? load_run<COLUMNS>(from) : load_steps<COLUMNS>(from, 1);
    }
    // Adds the products of up to a segment of elements, in order.
    CUNA_INLINE void add(V *sums, int64 first, int64 last) const
    {
        for (; first < last; first += EACH) {
            const unsigned greatest = unsigned(last - first) - 1;
            I row[EACH];
            D value[EACH];
            Line other[EACH];
            // Past the end the last element is loaded again: no load waits for a branch.
            CUNA_UNROLL
            for (unsigned u = 0; u < EACH; ++u)
                row[u] = indices[first + (u < greatest ? u : greatest)];
            CUNA_UNROLL
            for (unsigned u = 0; u < EACH; ++u)
                value[u] = data[first + (u < greatest ? u : greatest)];
            CUNA_UNROLL
            for (unsigned u = 0; u < EACH; ++u)
                other[u] = line(row[u]);
            CUNA_UNROLL
            for (unsigned u = 0; u < EACH; ++u)
                if (u <= greatest)
                    add_line(sums, V(load(value[u])), other[u]);
        }
    }
    static CUNA_INLINE void add_line(V *sums, V value, const Line &line)
    {
        CUNA_UNROLL
        for (int c = 0; c < COLUMNS; ++c)
            sums[c] = wrap_add(sums[c], wrap_mul(value, V(load(line.at[c]))));
    }
    // Writes the products of a row.
    CUNA_INLINE void write(D *out, int64 first, int64 last) const
    {
        V sums[COLUMNS];
        CUNA_UNROLL
        for (int c = 0; c < COLUMNS; ++c)
            sums[c] = V(0);
        if (last - first <= SEGMENT) {
            add(sums, first, last);
        } else {
            Floors<V, COLUMNS> floors;
            floors.clear(COLUMNS);
            for (; first < last; first += SEGMENT) {
                add(sums, first, segment_end(first, last));
                floors.add(sums, COLUMNS);
            }
            CUNA_UNROLL
            for (int c = 0; c < COLUMNS; ++c)
                sums[c] = floors.sum(c);
        }
        Line made;
        CUNA_UNROLL
        for (int c = 0; c < COLUMNS; ++c)
            made.at[c] = store<D>(sums[c]);
        if (ALIGNED)
            store_run(out, made);
        else
            store_steps(out, 1, made);
    }
};

// Writes COLUMNS neighbours of the product of rows with a matrix, by their place. Rows that are cut are passed over, if they
// are in the list: it is not looked at where `cut` is 0.
template <class D, class I, int COLUMNS, int EACH>
CUNA_INLINE bool rows_by_matrix(int64 data, int64 indices, int64 indptr, int64 x, int64 out, int64 rows, int64 width,
                                int64 list, int64 cut, int64 position)
{
    const int64 lines = width / COLUMNS;
    const bool is_small = uint64(position | lines) >> 32 == 0;
    const int64 row = is_small ? int64(uint32(position) / uint32(lines)) : position / lines;
    if (row >= rows)
        return true;
    const I *const ends = (const I *)indptr;
    const int64 first = int64(ends[row]) - 1, last = int64(ends[row + 1]) - 1, column = (position - row * lines) * COLUMNS;
    if (last - first > PIECE && cut > 0 && listed_in<I>(list, 0, 0).has(ends, row))
        return true;
    const D *const from = (const D *)x + column;
    D *const to = (D *)out + row * width + column;
    if ((uint64(x) | uint64(out)) % sizeof(Pack<D, COLUMNS>) == 0) {
        const Across<D, I, COLUMNS, EACH, true> own = {(const D *)data, (const I *)indices, from, width};
        own.write(to, first, last);
    } else {
        const Across<D, I, COLUMNS, EACH, false> own = {(const D *)data, (const I *)indices, from, width};
        own.write(to, first, last);
    }
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

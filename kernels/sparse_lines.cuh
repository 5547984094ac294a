// sparse_lines.cuh: sparse matrices line by line: their order, other lines, sums; builds on gather.cuh.
//
// A line is a row of csr or a column of csc. Positions count from 1, also those where lines begin, so that line r (from 0)
// has the elements ends[r] - 1 up to ends[r + 1] - 2. A program's lane has a part of the lines, or of the elements, and what
// it writes no other lane writes or reads. Elements are moved as unsigned integers of their size.
namespace cuna {
namespace lines {

// The first row of a part: that before which there are `wanted` rows and elements; `before` counts them.
template <class F>
CUNA_INLINE int64 first_row(F before, int64 rows, int64 wanted)
{
    int64 low = 0, high = rows;
    while (low < high) {
        const int64 middle = low + (high - low) / 2;
        if (before(middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Where a part of `parts` begins among `total` things.
CUNA_INLINE int64 part_begin(int64 total, int64 part, int64 parts)
{
    return total / parts * part + total % parts * part / parts;
}

template <class I>
struct Before {
    const I *ends;
    CUNA_INLINE int64 operator()(int64 row) const { return int64(ends[row]) - 1 + row; }
};

template <class I>
struct BeforeInBoth {
    const I *ends, *others;
    CUNA_INLINE int64 operator()(int64 row) const { return int64(ends[row]) - 1 + int64(others[row]) - 1 + row; }
};

// The rows of a part of `parts`, which have as many rows and elements, together, as those of others.
template <class F>
CUNA_INLINE void share_rows(F before, int64 rows, int64 part, int64 parts, int64 &first, int64 &last)
{
    const int64 total = before(rows);
    first = first_row(before, rows, part_begin(total, part, parts));
    last = part + 1 < parts ? first_row(before, rows, part_begin(total, part + 1, parts)) : rows;
}

template <class I>
CUNA_INLINE void rows_of(const I *ends, int64 rows, int64 part, int64 parts, int64 &first, int64 &last)
{
    const Before<I> before = {ends};
    share_rows(before, rows, part, parts, first, last);
}

// ---- order ----

enum { FALLS = 1, REPEATS = 2 }; // of neighbours in a line

// Whether the indices of lines all rise: neighbours that do not are among all elements as many as where one line ends and the
// next one begins. So the loop over elements does not wait for lines.
template <class I>
CUNA_INLINE bool rise_in_lines(const I *ends, const I *column, int64 row, int64 last)
{
    const int64 first = int64(ends[row]) - 1, stop = int64(ends[last]) - 1;
    I others = 0, between = 0;
    for (int64 k = first + 1; k < stop; ++k)
        others += column[k] <= column[k - 1];
    if (others == 0)
        return true;
    for (int64 at = first; row < last; ++row) {
        const int64 begin = int64(ends[row]) - 1;
        if (begin > at && begin < stop)
            between += column[begin] <= column[begin - 1];
        at = begin;
    }
    return others == between;
}

// Writes what there is among the neighbours in the lines of a part.
template <class I>
CUNA_INLINE bool order_in_lines(int64 ends, int64 indices, int64 rows, int64 found, int64 part, int64 parts)
{
    const I *to = (const I *)ends, *column = (const I *)indices;
    int64 row, last;
    rows_of(to, rows, part, parts, row, last);
    bool falls = false, repeats = false;
    if (rise_in_lines(to, column, row, last))
        row = last;
    for (int64 k = int64(to[row]) - 1; row < last; ++row) {
        const int64 next = int64(to[row + 1]) - 1;
        for (int64 j = k + 1; j < next; ++j) {
            falls |= column[j] < column[j - 1];
            repeats |= column[j] == column[j - 1];
        }
        k = next;
    }
    ((int64 *)found)[part] = falls * FALLS + repeats * REPEATS;
    return true;
}

// The same of elements with the positions of their lines.
template <class I>
CUNA_INLINE bool order_of_pairs(int64 lines, int64 indices, int64 count, int64 found, int64 part, int64 parts)
{
    const I *line = (const I *)lines, *column = (const I *)indices;
    const int64 first = part_begin(count, part, parts), last = part_begin(count, part + 1, parts);
    bool falls = false, repeats = false;
    for (int64 k = first > 0 ? first : 1; k < last; ++k) {
        const bool same = line[k] == line[k - 1];
        falls |= (line[k] < line[k - 1]) | (same & (column[k] < column[k - 1]));
        repeats |= same & (column[k] == column[k - 1]);
    }
    ((int64 *)found)[part] = falls * FALLS + repeats * REPEATS;
    return true;
}

// Writes where lines begin, of elements whose lines rise: a part those of lines from the one of the last element before it.
template <class I>
CUNA_INLINE bool begin_lines(int64 lines, int64 count, int64 length, int64 ends, int64 part, int64 parts)
{
    const I *line = (const I *)lines;
    const int64 first = part_begin(count, part, parts), last = part_begin(count, part + 1, parts);
    int64 at = first > 0 ? int64(line[first - 1]) : 0;
    for (int64 k = first; k < last; ++k)
        for (; at < int64(line[k]); ++at)
            ((I *)ends)[at] = I(k + 1);
    for (; part + 1 == parts && at <= length; ++at)
        ((I *)ends)[at] = I(count + 1);
    return true;
}

// ---- other lines: a count of elements by buckets of lines, then by lines in each ----
//
// An element of the new matrix is in a line `key`. First all go to the bucket of their line, which has lines side by side, as
// many as fit the caches; there each finds its line. Elements of a line stay in the order that they had.

enum { MOST_BUCKETS = 1024, FEW = 32 }; // FEW: elements that are sorted by insertion

template <class D, class I>
struct Entry {
    I key, other;
    D value;
};

// An element of a sum.
template <class V, class I>
struct Term {
    I key;
    V value;
};

// Counts the elements of a part in each bucket, whose lines have the same number above `shift` bits.
template <class I>
CUNA_INLINE bool count_buckets(int64 keys, int64 count, int64 shift, int64 buckets, int64 table, int64 part, int64 parts)
{
    const I *key = (const I *)keys;
    const int64 first = part_begin(count, part, parts), last = part_begin(count, part + 1, parts);
    int64 even[MOST_BUCKETS], odd[MOST_BUCKETS]; /* neighbours are often in one bucket: no count waits for the last one */
    for (int64 b = 0; b < buckets; ++b)
        even[b] = odd[b] = 0;
    int64 k = first;
    for (; k + 1 < last; k += 2) {
        ++even[int64(key[k] - 1) >> shift];
        ++odd[int64(key[k + 1] - 1) >> shift];
    }
    if (k < last)
        ++even[int64(key[k] - 1) >> shift];
    for (int64 b = 0; b < buckets; ++b)
        ((int64 *)table)[b * parts + part] = even[b] + odd[b];
    return true;
}

// Where a part's next entry of each bucket belongs.
template <class E>
struct Cursors {
    E *entries;
    int64 shift, at[MOST_BUCKETS];
    CUNA_INLINE Cursors(int64 entries, int64 shift, int64 buckets, int64 begins, int64 part, int64 parts)
        : entries((E *)entries), shift(shift)
    {
        for (int64 b = 0; b < buckets; ++b)
            at[b] = ((const int64 *)begins)[b * parts + part];
    }
    CUNA_INLINE void put(const E &entry) { entries[at[int64(entry.key - 1) >> shift]++] = entry; }
};

// The line of an element: the first one that ends after it.
template <class I>
CUNA_INLINE int64 line_of(const I *ends, int64 rows, int64 element)
{
    int64 row = 0;
    for (int64 high = rows; row < high;) {
        const int64 middle = row + (high - row) / 2;
        if (int64(ends[middle + 1]) - 1 <= element)
            row = middle + 1;
        else
            high = middle;
    }
    return row;
}

// Calls visit(line, element) for elements `begin` to `stop`, line by line.
template <class I, class F>
CUNA_INLINE void each_between(const I *ends, int64 rows, int64 begin, int64 stop, F &visit)
{
    int64 k = begin, row = line_of(ends, rows, begin);
    for (; k < stop; ++row)
        for (const int64 next = int64(ends[row + 1]) - 1 < stop ? int64(ends[row + 1]) - 1 : stop; k < next; ++k)
            visit(row, k);
}

// The same for the elements of a part.
template <class I, class F>
CUNA_INLINE void each_in_lines(const I *ends, int64 rows, int64 count, int64 part, int64 parts, F &visit)
{
    each_between(ends, rows, part_begin(count, part, parts), part_begin(count, part + 1, parts), visit);
}

// Brings a part's elements to their buckets.
template <class D, class I>
CUNA_INLINE bool enter_pairs(int64 keys, int64 others, int64 data, int64 count, int64 shift, int64 buckets, int64 begins,
                             int64 entries, int64 part, int64 parts)
{
    Cursors<Entry<D, I>> cursors(entries, shift, buckets, begins, part, parts);
    const int64 first = part_begin(count, part, parts), last = part_begin(count, part + 1, parts);
    for (int64 k = first; k < last; ++k) {
        const Entry<D, I> entry = {((const I *)keys)[k], ((const I *)others)[k], ((const D *)data)[k]};
        cursors.put(entry);
    }
    return true;
}

// The same of elements in lines.
template <class D, class I>
struct Entering {
    Cursors<Entry<D, I>> cursors;
    const I *keys;
    const D *data;
    CUNA_INLINE void operator()(int64 row, int64 k)
    {
        const Entry<D, I> entry = {keys[k], I(row + 1), data[k]};
        cursors.put(entry);
    }
};

template <class D, class I>
CUNA_INLINE bool enter_lines(int64 keys, int64 ends, int64 rows, int64 data, int64 count, int64 shift, int64 buckets,
                             int64 begins, int64 entries, int64 part, int64 parts)
{
    Entering<D, I> entering = {{entries, shift, buckets, begins, part, parts}, (const I *)keys, (const D *)data};
    each_in_lines((const I *)ends, rows, count, part, parts, entering);
    return true;
}

// Whether an element comes after another one in a line; `key` is the order that they had.
template <class D, class I>
CUNA_INLINE bool is_less(const Entry<D, I> &a, const Entry<D, I> &b)
{
    return a.other < b.other || (a.other == b.other && a.key < b.key);
}

// Moves the element at a position of a heap down to its place.
template <class D, class I>
CUNA_INLINE void sift_entry(Entry<D, I> *x, int64 at, int64 count)
{
    const Entry<D, I> moved = x[at];
    for (int64 child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_less(x[child], x[child + 1]))
            ++child;
        if (!is_less(moved, x[child]))
            break;
        x[at] = x[child];
        at = child;
    }
    x[at] = moved;
}

// Sorts the elements of a line, those of one position as they were: long ones as a heap, which has room at `room`.
template <class D, class I>
CUNA_INLINE void sort_line(I *indices, D *data, int64 count, Entry<D, I> *room)
{
    if (count <= FEW) {
        for (int64 i = 1; i < count; ++i) {
            const I column = indices[i];
            const D value = data[i];
            int64 at = i;
            for (; at > 0 && column < indices[at - 1]; --at) {
                indices[at] = indices[at - 1];
                data[at] = data[at - 1];
            }
            indices[at] = column;
            data[at] = value;
        }
        return;
    }
    for (int64 k = 0; k < count; ++k) {
        room[k].key = I(k);
        room[k].other = indices[k];
        room[k].value = data[k];
    }
    for (int64 at = count / 2 - 1; at >= 0; --at)
        sift_entry(room, at, count);
    for (int64 last = count - 1; last >= 0; --last) {
        indices[last] = room[0].other;
        data[last] = room[0].value;
        room[0] = room[last];
        sift_entry(room, 0, last);
    }
}

// Sorts a line that falls somewhere, and returns how many positions it has.
template <class D, class I>
CUNA_INLINE int64 put_in_order(I *indices, D *data, int64 count, Entry<D, I> *room)
{
    bool falls = false;
    int64 repeats = 0;
    for (int64 k = 1; k < count; ++k) {
        falls |= indices[k] < indices[k - 1];
        repeats += indices[k] == indices[k - 1];
    }
    if (!falls)
        return count - repeats;
    sort_line(indices, data, count, room);
    repeats = 0;
    for (int64 k = 1; k < count; ++k)
        repeats += indices[k] == indices[k - 1];
    return count - repeats;
}

// Writes the lines of a bucket: their elements in order, where they end, and how many positions each has.
template <class D, class I>
CUNA_INLINE bool leave_bucket(int64 entries, int64 begins, int64 parts, int64 count, int64 shift, int64 length, int64 indices,
                              int64 data, int64 ends, int64 positions, int64 bucket, int64 buckets)
{
    Entry<D, I> *const entry = (Entry<D, I> *)entries;
    I *const column = (I *)indices, *const end = (I *)ends + 1;
    D *const value = (D *)data;
    const int64 first = bucket << shift, last = bucket + 1 < buckets ? (bucket + 1) << shift : length;
    const int64 begin = ((const int64 *)begins)[bucket * parts];
    const int64 stop = bucket + 1 < buckets ? ((const int64 *)begins)[(bucket + 1) * parts] : count;
    for (int64 line = first; line < last; ++line)
        end[line] = 0;
    for (int64 k = begin; k < stop; ++k)
        ++end[int64(entry[k].key) - 1];
    int64 sum = begin + 1;
    for (int64 line = first; line < last; ++line) {
        const int64 own = int64(end[line]);
        end[line] = I(sum);
        sum += own;
    }
    for (int64 k = begin; k < stop; ++k) {
        const int64 at = int64(end[int64(entry[k].key) - 1]++) - 1;
        column[at] = entry[k].other;
        value[at] = entry[k].value;
    }
    if (bucket == 0)
        ((I *)ends)[0] = 1;
    for (int64 line = first, at = begin; line < last; ++line) {
        const int64 next = int64(end[line]) - 1;
        ((I *)positions)[line] = I(put_in_order(column + at, value + at, next - at, entry + at));
        at = next;
    }
    return true;
}

// ---- sums ----

// Brings the products of a part's elements and a vector's, one for each line, to the buckets of the results that they are in.
template <class D, class I>
struct EnteringProducts {
    typedef typename value_of<D>::type V;
    Cursors<Term<V, I>> cursors;
    const I *keys;
    const D *data, *x;
    CUNA_INLINE void operator()(int64 row, int64 k)
    {
        const Term<V, I> term = {keys[k], wrap_mul(V(load(data[k])), V(load(x[row])))};
        cursors.put(term);
    }
};

template <class D, class I>
CUNA_INLINE bool enter_products(int64 keys, int64 ends, int64 rows, int64 data, int64 x, int64 count, int64 shift,
                                int64 buckets, int64 begins, int64 terms, int64 part, int64 parts)
{
    EnteringProducts<D, I> entering = {{terms, shift, buckets, begins, part, parts}, (const I *)keys, (const D *)data,
                                       (const D *)x};
    each_in_lines((const I *)ends, rows, count, part, parts, entering);
    return true;
}

// Adds up the terms of a bucket, those of each result from the first line to the last one, as products of rows do.
// `seen` and `floors` have room for what is known of each result.
template <class D, class I>
CUNA_INLINE bool sum_bucket(int64 terms, int64 begins, int64 parts, int64 count, int64 shift, int64 length, int64 sums,
                            int64 seen, int64 floors, int64 bucket, int64 buckets)
{
    typedef typename value_of<D>::type V;
    const Term<V, I> *const term = (const Term<V, I> *)terms;
    const Results<V> results = {(V *)sums, (uint8 *)seen, (Floors<V, 1> *)floors};
    const int64 first = bucket << shift, last = bucket + 1 < buckets ? (bucket + 1) << shift : length;
    const int64 begin = ((const int64 *)begins)[bucket * parts];
    const int64 stop = bucket + 1 < buckets ? ((const int64 *)begins)[(bucket + 1) * parts] : count;
    results.clear(first, last);
    for (int64 k = begin; k < stop; ++k)
        results.add(int64(term[k].key) - 1, term[k].value);
    results.end(first, last);
    return true;
}

// Adds up the elements of the lines of a part.
template <class D, class I>
CUNA_INLINE bool sum_lines(int64 ends, int64 data, int64 rows, int64 out, int64 part, int64 parts)
{
    typedef typename value_of<D>::type V;
    const I *to = (const I *)ends;
    int64 row, last;
    rows_of(to, rows, part, parts, row, last);
    for (int64 k = int64(to[row]) - 1; row < last; ++row) {
        V sum = V(0);
        for (const int64 next = int64(to[row + 1]) - 1; k < next; ++k)
            sum = wrap_add(sum, V(load(((const D *)data)[k])));
        ((D *)out)[row] = store<D>(sum);
    }
    return true;
}

// ---- order in lines ----

// Puts the elements of the lines of a part in order, and writes how many positions each has. `room` has an entry for each.
template <class D, class I>
CUNA_INLINE bool sort_lines(int64 ends, int64 indices, int64 data, int64 rows, int64 room, int64 positions, int64 part,
                            int64 parts)
{
    const I *to = (const I *)ends;
    int64 row, last;
    rows_of(to, rows, part, parts, row, last);
    for (int64 k = int64(to[row]) - 1; row < last; ++row) {
        const int64 next = int64(to[row + 1]) - 1;
        ((I *)positions)[row] =
            I(put_in_order((I *)indices + k, (D *)data + k, next - k, (Entry<D, I> *)room + k));
        k = next;
    }
    return true;
}

// Writes, for each position that the lines of a part have, which is `new_ends` of them, it and its first element's place.
template <class I>
CUNA_INLINE bool first_of_positions(int64 ends, int64 indices, int64 rows, int64 new_ends, int64 places, int64 firsts,
                                    int64 part, int64 parts)
{
    const I *to = (const I *)ends, *column = (const I *)indices;
    int64 row, last;
    rows_of(to, rows, part, parts, row, last);
    for (; row < last; ++row) {
        const int64 begin = int64(to[row]) - 1, stop = int64(to[row + 1]) - 1;
        int64 at = int64(((const I *)new_ends)[row]) - 1;
        for (int64 k = begin; k < stop; ++k)
            if (k == begin || column[k] != column[k - 1]) {
                ((I *)places)[at] = column[k];
                ((int64 *)firsts)[at++] = k + 1;
            }
    }
    return true;
}

}  // namespace lines
}  // namespace cuna

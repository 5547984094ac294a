// sparse_merge.cuh: products of two sparse matrices by merging rows, each by a lane; builds on sparse.cuh.
namespace cuna {
namespace sparse {

// The rows of the second matrix that a row of the first multiplies, at most LISTS, each in order: how far they are read,
// and the columns that come next. All indices are known when the text is compiled, so that these stay in registers. ONCE
// says that no row has a column twice.
template <class I, int LISTS, bool ONCE>
struct Lists {
    I next[LISTS], at[LISTS], end[LISTS];
    const I *columns;

    static CUNA_INLINE I none() { return I(~uint64(0) >> (65 - 8 * sizeof(I))); } // greater than any column
    CUNA_INLINE void begin(const I *a_indices, const I *a_ends, const I *b_indices, const I *b_ends, int64 row)
    {
        const int64 first = int64(a_ends[row]) - 1, count = int64(a_ends[row + 1]) - 1 - first;
        columns = b_indices;
        CUNA_UNROLL
        for (int k = 0; k < LISTS; ++k) {
            const int64 line = k < count ? int64(a_indices[first + k]) - 1 : 0;
            at[k] = k < count ? I(b_ends[line] - 1) : I(0);
            end[k] = k < count ? I(b_ends[line + 1] - 1) : I(0);
        }
        CUNA_UNROLL
        for (int k = 0; k < LISTS; ++k)
            next[k] = at[k] < end[k] ? columns[at[k]] : none();
    }
    CUNA_INLINE I least() const
    {
        I found = next[0];
        CUNA_UNROLL
        for (int k = 1; k < LISTS; ++k)
            found = next[k] < found ? next[k] : found;
        return found;
    }
    CUNA_INLINE void pass(int k)
    {
        ++at[k];
        next[k] = at[k] < end[k] ? columns[at[k]] : none();
    }
    // Calls visit(list, place) for each element in a column, and passes these.
    template <class F>
    CUNA_INLINE void take(I column, F &visit)
    {
        CUNA_UNROLL
        for (int k = 0; k < LISTS; ++k)
            if (next[k] == column)
                do {
                    visit(k, int64(at[k]));
                    pass(k);
                } while (!ONCE && next[k] == column);
    }
};

struct Passing {
    CUNA_INLINE void operator()(int, int64) {}
};

// How many columns a row of the product has.
template <class I, int LISTS, bool ONCE>
CUNA_INLINE int64 count_merged(int64 a_indices, int64 a_ends, int64 b_indices, int64 b_ends, int64 row)
{
    Lists<I, LISTS, ONCE> lists;
    Passing passing;
    int64 count = 0;
    lists.begin((const I *)a_indices, (const I *)a_ends, (const I *)b_indices, (const I *)b_ends, row);
    for (I column = lists.least(); column != lists.none(); column = lists.least(), ++count)
        lists.take(column, passing);
    return count;
}

template <class D>
struct Summing {
    typedef typename value_of<D>::type V;
    const D *a, *b;
    V sum;
    bool is_first;
    CUNA_INLINE void operator()(int k, int64 place)
    {
        const V product = wrap_mul(V(load(a[k])), V(load(b[place])));
        sum = V(load(store<D>(is_first ? product : wrap_add(sum, product))));
        is_first = false;
    }
};

// Two neighbours at an even place, which are written at once: lanes write to places far apart.
template <class T> struct alignas(2 * sizeof(T)) Neighbours { T first, second; };

// Writes the elements of a row of the product where `ends` says.
template <class D, class I, int LISTS, bool ONCE>
CUNA_INLINE bool add_merged(int64 a_indices, int64 a_ends, int64 b_indices, int64 b_ends, int64 a, int64 b, int64 ends,
                            int64 indices, int64 data, int64 row)
{
    Lists<I, LISTS, ONCE> lists;
    Summing<D> summing = {(const D *)a + (int64(((const I *)a_ends)[row]) - 1), (const D *)b};
    int64 place = ((const int64 *)ends)[row] - 1;
    Neighbours<I> columns;
    Neighbours<D> values;
    bool has_first = false; /* of a pair whose second element comes next */
    lists.begin((const I *)a_indices, (const I *)a_ends, (const I *)b_indices, (const I *)b_ends, row);
    for (I column = lists.least(); column != lists.none(); ++place) {
        summing.is_first = true;
        lists.take(column, summing);
        columns.second = column;
        values.second = store<D>(summing.sum);
        column = lists.least();
        if (has_first) {
            *(Neighbours<I> *)((I *)indices + place - 1) = columns;
            *(Neighbours<D> *)((D *)data + place - 1) = values;
            has_first = false;
        } else if (place % 2 != 0 || column == lists.none()) {
            ((I *)indices)[place] = columns.second;
            ((D *)data)[place] = values.second;
        } else {
            columns.first = columns.second;
            values.first = values.second;
            has_first = true;
        }
    }
    return true;
}

}  // namespace sparse
}  // namespace cuna

// sparse_incomplete.cuh: incomplete factors of a sparse matrix, row by row: ILUT with pivots (Saad, "Iterative Methods for
// Sparse Linear Systems", 2003, section 10.4).
//
// Row i of the matrix, less multiples of rows of U, becomes row i of U; the multiples are row i of L. An element counts by
// what it does to the row: of U by its size, of L by its size times the greatest element of the row of U that it
// multiplies. What counts less than drop_tol times the row's greatest element is dropped, and then the least of what would
// make L and U together larger than fill_factor times the rows so far.
namespace cuna {
namespace sparse {

CUNA_INLINE double size_of(double x) { return fabs(x); }
template <class Z> CUNA_INLINE double size_of(Z z) { return sqrt(z.re * z.re + z.im * z.im); }

// A triangle by rows: where they start, as doubles, which are exact beyond int32; places or columns; elements.
template <class D>
struct Triangle {
    double *starts;
    int *places;
    D *elements;
    int64 room, used;

    CUNA_INLINE void add(int place, D element)
    {
        places[used] = place;
        elements[used++] = element;
    }
};

// What the host knows as well: sparse/linalg/incomplete.lua declares the same. All positions count from 0.
template <class D>
struct Incomplete {
    const double *starts; // of the matrix by rows
    const int *at;
    const D *elements;
    Triangle<D> L, U;
    D *row, *factors;                // the row by columns; its multiples of rows of U,
    int *factor_places;              // which rows those are,
    double *weights;                 // and what they do to the row
    int *marks, *columns;            // the last row that has a column; the columns of the row
    int *place, *order;              // of a column; the column in a place
    int *heap;                       // rows of U that are still to be taken, the least first
    double *greatest, *sizes;        // the greatest element of each row of U; room for sizes
    double drop_tol, fill_factor, threshold;
    int64 length, current;           // rows, and the one that comes next
    int64 count, factor_count, waiting;
    int64 wanted_l, wanted_u;        // the room that the next row needs
    double least;                    // what elements of the row count at least
    int64 state;                     // what the row is: one of the next

    enum { IS_NEW, IS_ELIMINATED, IS_EMPTY, IS_INFINITE };

    // ---- the heap ----

    CUNA_INLINE void push(int value)
    {
        int64 i = waiting++;
        for (int64 parent; i > 0 && heap[parent = (i - 1) / 2] > value; i = parent)
            heap[i] = heap[parent];
        heap[i] = value;
    }
    CUNA_INLINE int pop()
    {
        const int top = heap[0], value = heap[--waiting];
        int64 i = 0;
        for (int64 child = 1; child < waiting; child = 2 * i + 1) {
            child += child + 1 < waiting && heap[child + 1] < heap[child];
            if (heap[child] >= value)
                break;
            heap[i] = heap[child];
            i = child;
        }
        heap[i] = value;
        return top;
    }

    // ---- one row ----

    // Adds a column to the pattern of the row.
    CUNA_INLINE void enter(int j, D element)
    {
        row[j] = element;
        marks[j] = int(current);
        columns[count++] = j;
        if (place[j] < current)
            push(place[j]);
    }
    // Begins with the matrix's row.
    CUNA_INLINE void begin()
    {
        double most = 0;
        count = factor_count = waiting = 0;
        for (int64 q = int64(starts[current]); q < int64(starts[current + 1]); ++q) {
            enter(at[q], elements[q]);
            const double size = size_of(elements[q]);
            most = size > most ? size : most;
        }
        least = most * drop_tol;
    }
    // Takes row k of U, times what makes the element in place k 0; nothing where that counts too little.
    CUNA_INLINE void eliminate(int k)
    {
        const int64 first = int64(U.starts[k]), last = int64(U.starts[k + 1]);
        const D factor = row[order[k]] / U.elements[first];
        const double weight = size_of(factor) * greatest[k];
        if (weight < least || weight == 0)
            return;
        factor_places[factor_count] = k;
        factors[factor_count] = factor;
        weights[factor_count++] = weight;
        const int *const places = U.places, own = int(current);
        const D *const values = U.elements;
        for (int64 q = first + 1; q < last; ++q) {
            const int j = places[q];
            const D product = factor * values[q];
            if (marks[j] == own)
                row[j] = row[j] - product;
            else
                enter(j, D(0) - product);
        }
    }
    // Puts the column of the pivot in its place: the one there, unless another has an element so much greater.
    CUNA_INLINE void pivot()
    {
        const int here = order[current];
        const double own = marks[here] == int(current) ? size_of(row[here]) : 0;
        double most = 0;
        int best = -1;
        for (int64 n = 0; n < count; ++n) {
            const int j = columns[n];
            const double size = size_of(row[j]);
            if (place[j] >= current && size > most) {
                best = j;
                most = size;
            }
        }
        state = best < 0 ? IS_EMPTY : most == limits<double>::infinity() ? IS_INFINITE : IS_ELIMINATED;
        if (state != IS_ELIMINATED)
            return;
        if (own >= threshold * most && own > 0)
            best = here;
        const int from = place[best];
        order[from] = here;
        place[here] = from;
        order[current] = best;
        place[best] = int(current);
        greatest[current] = most;
    }

    // ---- what is kept of a row ----

    // The size of an element right of the diagonal, 0 where it is dropped.
    CUNA_INLINE double kept(int j) const
    {
        const double size = place[j] > current ? size_of(row[j]) : 0;
        return size >= least ? size : 0;
    }
    // The n-th greatest of sizes, whose order this changes (C. A. R. Hoare's FIND, 1961).
    CUNA_INLINE double greatest_of(int64 all, int64 n)
    {
        for (int64 first = 0, last = all - 1; first < last;) {
            const double middle = sizes[first + (last - first) / 2];
            int64 i = first, j = last;
            while (i <= j) {
                for (; sizes[i] > middle;)
                    ++i;
                for (; middle > sizes[j];)
                    --j;
                if (i <= j) {
                    const double size = sizes[i];
                    sizes[i++] = sizes[j];
                    sizes[j--] = size;
                }
            }
            if (n <= j)
                last = j;
            else if (n >= i)
                first = i;
            else
                break;
        }
        return sizes[n];
    }
    // Raises the size from which elements are kept, so that no more are than there is left for; counts those that stay.
    CUNA_INLINE void limit()
    {
        const double end = starts[current + 1], own = end - starts[current];
        const double left = floor(fill_factor * end) - double(L.used) - double(U.used);
        const int64 most = left > double(length) ? length : int64(left > own ? left : own) - 1;
        int64 n = 0;
        for (; n < factor_count; ++n)
            sizes[n] = weights[n];
        for (int64 k = 0; k < count; ++k) {
            const double size = kept(columns[k]);
            sizes[n] = size;
            n += size > 0;
        }
        wanted_l = factor_count;
        wanted_u = n - factor_count + 1;
        if (n > most) {
            const double size = greatest_of(n, most > 0 ? most - 1 : 0);
            least = size > least ? size : least;
        }
    }
    CUNA_INLINE void store()
    {
        for (int64 n = 0; n < factor_count; ++n)
            if (weights[n] >= least)
                L.add(factor_places[n], factors[n]);
        U.add(order[current], row[order[current]]);
        for (int64 n = 0; n < count; ++n)
            if (kept(columns[n]) > 0)
                U.add(columns[n], row[columns[n]]);
        L.starts[++current] = double(L.used);
        U.starts[current] = double(U.used);
        state = IS_NEW;
    }
    CUNA_INLINE bool has_room() const { return L.used + wanted_l <= L.room && U.used + wanted_u <= U.room; }

    // Factors rows until all are done, one is singular, or there is no room for one; at most so many.
    CUNA_INLINE void run(int64 rows)
    {
        for (const int64 stop = current + rows < length ? current + rows : length; current < stop; store()) {
            if (state == IS_NEW) {
                begin();
                while (waiting > 0)
                    eliminate(pop());
                pivot();
                if (state != IS_ELIMINATED)
                    return;
                limit();
            }
            if (!has_room())
                return;
        }
    }
};

// Factors rows. One block does so, in the memory of the host; I is the type of positions. That of elements is known by an
// address, too.
template <class D, class I>
CUNA_INLINE bool factor_rows(int64 incomplete, int64, int64 rows, int64, int64)
{
    Incomplete<D> *const shared = (Incomplete<D> *)incomplete;
    Incomplete<D> own = *shared;
    own.run(rows);
    *shared = own;
    return true;
}

}  // namespace sparse
}  // namespace cuna

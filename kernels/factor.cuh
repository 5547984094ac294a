// factor.cuh: helpers of factorisations: reports of failed ones, and pivots as permutations.
namespace cuna {

// Matrices have numbers from 1 among those of a stack, and 0 where they stand alone.
CUNA_INLINE bool reported(bool good, int64 slot, int code, int64 matrix, int64 is_stack, int64 what)
{
    if (!good)
        report(slot, code, uint64(is_stack ? matrix + 1 : 0), what);
    return good;
}

// Elements at row-major positions `at` of matrices, or diagonals, with `size` elements each.
template <class T>
CUNA_INLINE bool nonzero(T element, int64 at, int64 size, int64 is_stack, int64 slot)
{
    return reported(element != T(0), slot, REPORT_SINGULAR, at / size, is_stack, at % size + 1);
}

template <class T>
CUNA_INLINE bool finite(T element, int64 at, int64 size, int64 is_stack, int64 slot)
{
    return reported(isfinite(element), slot, REPORT_ELEMENT, at / size, is_stack, 0);
}

// Writes where rows 1.. of a matrix come from, when row k was exchanged with row pivots[k] for k = 1, 2, ...
CUNA_INLINE bool permuted(int64 pivots, int64 places, int64 count, int64 rows)
{
    const int64 *pivot = (const int64 *)pivots;
    int64 *place = (int64 *)places;
    for (int64 row = 0; row < rows; ++row)
        place[row] = row + 1;
    for (int64 k = 0; k < count; ++k) {
        const int64 other = pivot[k] - 1, kept = place[k];
        place[k] = place[other];
        place[other] = kept;
    }
    return true;
}

}  // namespace cuna

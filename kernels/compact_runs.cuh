// compact_runs.cuh: the elements of an array where a mask holds, or their positions, by blocks of one lane: in tiles of N
// elements, one after the other in row-major order; builds on gather.cuh.
namespace cuna {

template <class S>
CUNA_INLINE bool holds(const S *element) { return load(*element) != typename value_of<S>::type(); }

// Calls f(i, whether element i holds) along a tile (from 0) of a mask of `size` elements, until it returns false.
template <class S, int N, class F>
CUNA_INLINE void each_of_tile(int64 mask, int64 tile, int64 size, F f)
{
    const S *p = (const S *)mask + tile * N;
    if (size - tile * N < N) {
        for (int i = 0; i < size - tile * N && f(i, holds(p + i)); ++i) {}
        return;
    }
    S own[N];
    __builtin_memcpy(own, p, sizeof own);
    CUNA_UNROLL
    for (int i = 0; i < N; ++i)
        if (!f(i, holds(own + i)))
            return;
}

// How many elements of a tile hold.
template <class S, int N>
CUNA_INLINE int64 held(int64 mask, int64 tile, int64 size)
{
    int count = 0;
    each_of_tile<S, N>(mask, tile, size, [&](int, bool has) { return count += has, true; });
    return count;
}

// Calls put(i, place) for the elements of a tile that hold: `ends` counts what holds up to each tile's end. It is called for
// each element, and what does not hold is overwritten: no branch depends on the mask, and nothing is put past the end.
template <class S, int N, class F>
CUNA_INLINE bool each_place(int64 mask, int64 ends, int64 tile, int64 size, F put)
{
    const int64 end = ((const int64 *)ends)[tile];
    int64 at = tile > 0 ? ((const int64 *)ends)[tile - 1] : 0;
    each_of_tile<S, N>(mask, tile, size, [&](int i, bool has) {
        if (at == end)
            return false;
        put(i, at);
        at += has;
        return true;
    });
    return true;
}

// Writes the elements of x where a tile of the mask holds to their places.
template <class S, class D, int N>
CUNA_INLINE bool kept(int64 mask, int64 x, int64 out, int64 ends, int64 tile, int64 size)
{
    const D *from = (const D *)x + tile * N;
    return each_place<S, N>(mask, ends, tile, size, [=](int i, int64 place) { ((D *)out)[place] = from[i]; });
}

// The same with positions from 1 in place of elements.
template <class S, int N>
CUNA_INLINE bool found(int64 mask, int64 out, int64 ends, int64 tile, int64 size)
{
    return each_place<S, N>(mask, ends, tile, size,
                            [=](int i, int64 place) { ((int64 *)out)[place] = tile * N + i + 1; });
}

}  // namespace cuna

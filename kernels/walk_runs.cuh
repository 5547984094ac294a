// walk_runs.cuh: the arguments of a walk, and how a run of elements is computed, where a block is one lane.
//
// Beside what walk.cuh lists a Program has
//   begin()                reads operands that do not move along the run
//   at_next(n)             says that element 0 is n positions further (programs that use the index)
//   redirect(to), out()    where the output goes, for runs that are written past the caches
namespace cuna {

// The pitch keeps the rows of a square in different sets of the cache.
enum { TILE_PITCH = TILE_SIDE + 16 };

// The argument block, all words of 8 bytes; runtime/kernel/launch.c packs the same order.
template <int OPERANDS, int SCALARS, int RANK>
struct Walk {
    enum { SLOTS = OPERANDS > 0 ? OPERANDS : 1 };
    word pointer[SLOTS];
    word scalar[SCALARS > 0 ? SCALARS : 1][2];
    word shape[RANK > 0 ? RANK : 1];
    word stride[SLOTS][RANK > 0 ? RANK : 1];
    word size;       // elements of the walk (outputs of a reduction)
    word tile;       // elements of a run at most
    word pieces;     // runs that a row is cut into
    word rows;       // rows (outputs of a reduction) that one block does
    word streaming;  // whether outputs go past the caches
};

template <class P>
CUNA_INLINE void run(P p, typename P::index count)
{
    typedef typename P::index index;
    p.begin();
    CUNA_IVDEP
    for (index j = 0; j < count; ++j)
        p.element(j);
}

// A run, or with `streaming` pieces of it: these are computed into a buffer that stays in the first cache and then written
// with stores that read no memory, so that an output costs its own bytes once, where an ordinary store costs them twice.
template <class P>
CUNA_INLINE void run_any(P p, typename P::index count, bool streaming)
{
    typedef typename P::index index;
    enum { BUFFERED = 4096 / sizeof(typename P::Out) };
    alignas(64) typename P::Out buffer[P::STREAMS ? int(BUFFERED) : 1];
    const bool buffered = P::STREAMS && streaming;
    while (count > 0) {
        const index n = buffered && count > BUFFERED ? index(BUFFERED) : count;
        P q = p;
        if (buffered)
            q.redirect(buffer);
        run(q, n);
        if (buffered)
            stream_out(p.out(), buffer, n * sizeof(typename P::Out));
        p.advance(n);
        p.at_next(n);
        count -= n;
    }
}

// A square of an operand that is contiguous down the square, transposed into rows; the lines below are prefetched.
template <class S>
CUNA_INLINE void prefetch_run(const S *first, int count)
{
    for (int j = 0; j < count; j += 64 / sizeof(S))
        prefetch(first + j);
}

template <class S, class I>
CUNA_INLINE void pack_tile(S (*tile)[TILE_PITCH], const S *src, I stride, int height, int width)
{
    for (int j = 0; j < width; ++j) {
        prefetch_run(src + height + j * stride, height);
        CUNA_UNROLL
        for (int i = 0; i < height; ++i)
            tile[i][j] = src[i + j * stride];
    }
}

}  // namespace cuna

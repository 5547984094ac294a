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

// Vectors of N elements of NBYTES, and the two halves of two vectors whose elements take turns.
template <int NBYTES> struct Vector;
#if defined(__clang__)
#define CUNA_TURNS(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define CUNA_TURNS(a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif
#define CUNA_VECTOR(nbytes, element, n, first_turns, second_turns)                                 \
    template <> struct Vector<nbytes> {                                                            \
        enum { N = n };                                                                            \
        typedef element type __attribute__((vector_size(n * nbytes)));                             \
        static CUNA_INLINE type first(type a, type b) { return CUNA_TURNS(a, b, first_turns); }    \
        static CUNA_INLINE type second(type a, type b) { return CUNA_TURNS(a, b, second_turns); }  \
    };
#define CUNA_LIST(...) __VA_ARGS__
CUNA_VECTOR(1, uint8, 16, CUNA_LIST(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
            CUNA_LIST(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31))
CUNA_VECTOR(2, uint16, 8, CUNA_LIST(0, 8, 1, 9, 2, 10, 3, 11), CUNA_LIST(4, 12, 5, 13, 6, 14, 7, 15))
CUNA_VECTOR(4, uint32, 8, CUNA_LIST(0, 8, 1, 9, 2, 10, 3, 11), CUNA_LIST(4, 12, 5, 13, 6, 14, 7, 15))
CUNA_VECTOR(8, uint64, 4, CUNA_LIST(0, 4, 1, 5), CUNA_LIST(2, 6, 3, 7))
#undef CUNA_LIST
#undef CUNA_VECTOR
#undef CUNA_TURNS

// Transposes N lines of N elements: in each round the lines of the first half take turns with those of the second.
template <class S, int NBYTES = sizeof(S)>
struct Block {
    typedef Vector<NBYTES> V;
    typedef typename V::type vector;
    enum { N = V::N };
    template <class I>
    static CUNA_INLINE void transpose(S (*tile)[TILE_PITCH], int row, int column, const S *src, I stride)
    {
        vector line[N], next[N];
        for (int j = 0; j < N; ++j)
            __builtin_memcpy(&line[j], src + j * stride, sizeof(vector));
        for (int round = 1; round < N; round *= 2) {
            for (int j = 0; j < N / 2; ++j) {
                next[2 * j] = V::first(line[j], line[j + N / 2]);
                next[2 * j + 1] = V::second(line[j], line[j + N / 2]);
            }
            for (int j = 0; j < N; ++j)
                line[j] = next[j];
        }
        for (int i = 0; i < N; ++i)
            __builtin_memcpy(&tile[row + i][column], &line[i], sizeof(vector));
    }
};

template <class S>
struct Block<S, 16> {
    enum { N = 1 };
    template <class I>
    static CUNA_INLINE void transpose(S (*tile)[TILE_PITCH], int row, int column, const S *src, I)
    {
        tile[row][column] = *src;
    }
};

template <class S>
CUNA_INLINE void prefetch_run(const S *first, int count)
{
    for (int j = 0; j < count; j += 64 / sizeof(S))
        prefetch(first + j);
}

// Lines of H elements, one behind the other.
template <int H, class S>
CUNA_INLINE void pack_narrow(S (*tile)[TILE_PITCH], const S *src, int width)
{
    for (int j = 0; j < width; ++j)
        for (int i = 0; i < H; ++i)
            tile[i][j] = src[j * H + i];
}

// A square of an operand that is contiguous down the square, transposed into rows; the lines below are prefetched.
template <class S, class I>
CUNA_INLINE void pack_tile(S (*tile)[TILE_PITCH], const S *src, I stride, int height, int width)
{
    enum { N = Block<S>::N };
    switch (height == stride ? height : 0) {
    case 1: return pack_narrow<1>(tile, src, width);
    case 2: return pack_narrow<2>(tile, src, width);
    case 3: return pack_narrow<3>(tile, src, width);
    case 4: return pack_narrow<4>(tile, src, width);
    }
    const int down = height - height % N, along = width - width % N;
    for (int j = 0; j < along; j += N) {
        for (int k = 0; k < N; ++k)
            prefetch_run(src + height + (j + k) * stride, height);
        for (int i = 0; i < down; i += N)
            Block<S>::transpose(tile, i, j, src + i + j * stride, stride);
    }
    for (int j = 0; j < width; ++j)
        for (int i = j < along ? down : 0; i < height; ++i)
            tile[i][j] = src[i + j * stride];
}

}  // namespace cuna

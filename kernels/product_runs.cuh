// product_runs.cuh: products of matrices by blocks of one lane (product.cuh).
//
// After Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (2008): slices of both factors are
// packed into panels of MICRO_ROWS rows or two lines of columns, which the innermost loop reads in sequence. A micro
// tile of sums stays in registers for a slice. Rows and columns past an edge are packed as 0. All sums of a tile stay
// in the workspace until the last slice.
namespace cuna {

#if defined __AVX512BW__
enum { MICRO_LINE = 64, MICRO_ROWS = 12 };
#elif defined __AVX2__
enum { MICRO_LINE = 32, MICRO_ROWS = 6 };
#elif defined __x86_64__
enum { MICRO_LINE = 16, MICRO_ROWS = 6 };
#else
enum { MICRO_LINE = 16, MICRO_ROWS = 12 };
#endif

template <class P>
struct Micro {
    typedef typename P::Word Word;
    typedef typename P::Element Element;
    typedef Word Line __attribute__((vector_size(MICRO_LINE), may_alias));
    enum { COLUMNS = 2 * MICRO_LINE / sizeof(Word), SUMS = MICRO_ROWS * COLUMNS };

    // Adds a slice of two panels to a micro tile.
    static __attribute__((noinline)) void add(Word *sums, const Word *a, const Word *b, word depth)
    {
        Line left[MICRO_ROWS], right[MICRO_ROWS], *at = (Line *)sums;
#pragma GCC unroll 16
        for (int r = 0; r < MICRO_ROWS; ++r) {
            left[r] = at[2 * r];
            right[r] = at[2 * r + 1];
        }
        for (word l = 0; l < depth; ++l) {
            const Line p = ((const Line *)b)[0], q = ((const Line *)b)[1];
#pragma GCC unroll 16
            for (int r = 0; r < MICRO_ROWS; ++r) {
                const Line x = a[r] - Line{};
                left[r] = add_product<P>(left[r], x, p);
                right[r] = add_product<P>(right[r], x, q);
            }
            a += MICRO_ROWS;
            b += COLUMNS;
        }
#pragma GCC unroll 16
        for (int r = 0; r < MICRO_ROWS; ++r) {
            at[2 * r] = left[r];
            at[2 * r + 1] = right[r];
        }
    }

    // Packs `depth` steps of `count` lines, WIDTH side by side; `along` is the stride of the lines, `step` that of the depth.
    template <int WIDTH>
    static CUNA_INLINE void pack(Word *to, const Element *from, word count, word depth, word along, word step)
    {
        for (word first = 0; first < count; first += WIDTH, to += WIDTH * depth) {
            const Element *line = from + first * along;
            const word lines = count - first < WIDTH ? count - first : word(WIDTH);
            if (lines < WIDTH)
                for (word at = 0; at < WIDTH * depth; ++at)
                    to[at] = 0;
            if (along == 1 && lines == WIDTH) {
                for (word l = 0; l < depth; ++l)
                    for (int c = 0; c < WIDTH; ++c)
                        to[l * WIDTH + c] = Word(line[l * step + c]);
            } else {
                for (word c = 0; c < lines; ++c)
                    for (word l = 0; l < depth; ++l)
                        to[l * WIDTH + c] = Word(line[c * along + l * step]);
            }
        }
    }
};

template <class P>
CUNA_INLINE word panels(word count, word width) { return (count + width - 1) / width; }

template <class P>
CUNA_INLINE void store_tile(const Product &args, const TileOf<P> &tile, const typename P::Word *sums)
{
    typedef Micro<P> M;
    for (word j = 0; j < tile.columns; j += M::COLUMNS)
        for (word i = 0; i < tile.rows; i += MICRO_ROWS, sums += M::SUMS) {
            const word rows = tile.rows - i < MICRO_ROWS ? tile.rows - i : word(MICRO_ROWS);
            const word columns = tile.columns - j < M::COLUMNS ? tile.columns - j : word(M::COLUMNS);
            for (word r = 0; r < rows; ++r) {
                typename P::Element *to = tile.out + (i + r) * args.out_row + j * args.out_column;
                if (args.out_column == 1)
                    for (word c = 0; c < columns; ++c)
                        to[c] = typename P::Element(sums[r * M::COLUMNS + c]);
                else
                    for (word c = 0; c < columns; ++c)
                        to[c * args.out_column] = typename P::Element(sums[r * M::COLUMNS + c]);
            }
        }
}

template <class P>
CUNA_INLINE void multiply_tile(const Product &args, const TileOf<P> &tile, typename P::Word *room)
{
    typedef Micro<P> M;
    typedef typename P::Word Word;
    const word down = panels<P>(tile.rows, MICRO_ROWS), across = panels<P>(tile.columns, M::COLUMNS);
    Word *const sums = room, *const b = sums + down * across * M::SUMS;
    Word *const a = b + across * M::COLUMNS * args.depth;
    for (word at = 0; at < down * across * M::SUMS; ++at)
        sums[at] = 0;
    for (word l = 0; l < args.k; l += args.depth) {
        const word depth = args.k - l < args.depth ? args.k - l : args.depth;
        M::template pack<M::COLUMNS>(b, tile.b + l * args.b_row, tile.columns, depth, args.b_column, args.b_row);
        M::template pack<MICRO_ROWS>(a, tile.a + l * args.a_column, tile.rows, depth, args.a_row, args.a_column);
        for (word j = 0; j < across; ++j)
            for (word i = 0; i < down; ++i)
                M::add(sums + (j * down + i) * M::SUMS, a + i * MICRO_ROWS * depth, b + j * M::COLUMNS * depth, depth);
    }
    store_tile<P>(args, tile, sums);
}

template <class P>
CUNA_INLINE void product(const Product &args, unsigned block)
{
    typename P::Word *room = (typename P::Word *)(args.workspace + block * args.nbytes);
    for (word tile = block; tile < args.tiles; tile += args.share)
        multiply_tile<P>(args, TileOf<P>(args, tile), room);
}

}

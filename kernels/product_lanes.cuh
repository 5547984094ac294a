// product_lanes.cuh: products of matrices by blocks of many lanes (product.cuh).
//
// A lane keeps SIDE * SIDE sums of a tile in registers, in groups of four rows and four columns: it reads four words
// of shared memory at once, and neighbouring lanes read neighbouring words. While a slice is multiplied, the next one
// is loaded into registers; it is then stored to the other half of the shared memory.
namespace cuna {

enum { PRODUCT_DEPTH = 16, PRODUCT_GROUP = 4 };

template <class P>
struct Slices {
    typedef typename P::Word Word;
    typedef typename P::Element Element;
    enum { EDGE = 16 * P::SIDE, PAD = 16 / sizeof(Word), GROUPS = P::SIDE / PRODUCT_GROUP };
    struct alignas(16) Room {
        Word at[2][PRODUCT_DEPTH][EDGE + PAD];
    };
    struct alignas(16) Quad {
        Word at[16 / sizeof(Word)];
    };

    // Elements of the next slice that this lane brings: `lines` rows or columns, `depth` steps of the inner axis.
    static CUNA_INLINE void fetch(Word (&to)[P::SIDE], const Element *from, word lines, word depth, word along, word step)
    {
        CUNA_UNROLL
        for (int q = 0; q < P::SIDE; ++q) {
            const word line = place_line(q, along), at = place_depth(q, along);
            to[q] = line < lines && at < depth ? Word(from[line * along + at * step]) : Word(0);
        }
    }
    static CUNA_INLINE void keep(Room &room, int half, const Word (&from)[P::SIDE], word along)
    {
        CUNA_UNROLL
        for (int q = 0; q < P::SIDE; ++q)
            room.at[half][place_depth(q, along)][place_line(q, along)] = from[q];
    }

    // Lanes lie side by side in memory: along the lines, or along the inner axis.
    static CUNA_INLINE word place_line(int q, word along)
    {
        const unsigned at = lane() + q * LANES;
        return along == 1 ? at % EDGE : at / PRODUCT_DEPTH;
    }
    static CUNA_INLINE word place_depth(int q, word along)
    {
        const unsigned at = lane() + q * LANES;
        return along == 1 ? at / EDGE : at % PRODUCT_DEPTH;
    }

    // Line number k of the lane's, of 16 lanes' along this edge.
    static CUNA_INLINE unsigned line(unsigned among, int k)
    {
        return k / PRODUCT_GROUP * (16 * PRODUCT_GROUP) + among * PRODUCT_GROUP + k % PRODUCT_GROUP;
    }
    static CUNA_INLINE void read(Word (&to)[P::SIDE], const Room &room, int half, int depth, unsigned among)
    {
        enum { QUAD = sizeof(Quad) / sizeof(Word) };
        CUNA_UNROLL
        for (int k = 0; k < P::SIDE; k += QUAD) {
            const Quad quad = pack_load((const Quad *)&room.at[half][depth][line(among, k)]);
            CUNA_UNROLL
            for (int i = 0; i < QUAD; ++i)
                to[k + i] = quad.at[i];
        }
    }
};

template <class P>
CUNA_INLINE void store_sums(const Product &args, const TileOf<P> &tile, const typename P::Word (&sums)[P::SIDE][P::SIDE])
{
    CUNA_UNROLL
    for (int r = 0; r < P::SIDE; ++r)
        CUNA_UNROLL
        for (int c = 0; c < P::SIDE; ++c) {
            const word i = Slices<P>::line(lane() / 16, r), j = Slices<P>::line(lane() % 16, c);
            if (i < tile.rows && j < tile.columns)
                tile.out[i * args.out_row + j * args.out_column] = typename P::Element(sums[r][c]);
        }
}

template <class P>
CUNA_INLINE void add_slice(typename P::Word (&sums)[P::SIDE][P::SIDE], const typename Slices<P>::Room &a,
                           const typename Slices<P>::Room &b, int half)
{
    CUNA_UNROLL
    for (int l = 0; l < PRODUCT_DEPTH; ++l) {
        typename P::Word x[P::SIDE], y[P::SIDE];
        Slices<P>::read(x, a, half, l, lane() / 16);
        Slices<P>::read(y, b, half, l, lane() % 16);
        CUNA_UNROLL
        for (int r = 0; r < P::SIDE; ++r)
            CUNA_UNROLL
            for (int c = 0; c < P::SIDE; ++c)
                sums[r][c] = add_product<P>(sums[r][c], x[r], y[c]);
    }
}

template <class P>
CUNA_INLINE void product(const Product &args, unsigned block)
{
    typedef Slices<P> S;
    typedef typename P::Word Word;
    CUNA_SHARED typename S::Room room_a;
    CUNA_SHARED typename S::Room room_b;
    const TileOf<P> tile(args, block);
    Word sums[P::SIDE][P::SIDE] = {}, next_a[P::SIDE], next_b[P::SIDE];
    S::fetch(next_a, tile.a, tile.rows, args.k, args.a_row, args.a_column);
    S::fetch(next_b, tile.b, tile.columns, args.k, args.b_column, args.b_row);
    int half = 0;
    for (word l = 0; l < args.k; l += PRODUCT_DEPTH, half ^= 1) {
        S::keep(room_a, half, next_a, args.a_row);
        S::keep(room_b, half, next_b, args.b_column);
        barrier();
        const word after = l + PRODUCT_DEPTH;
        if (after < args.k) {
            S::fetch(next_a, tile.a + after * args.a_column, tile.rows, args.k - after, args.a_row, args.a_column);
            S::fetch(next_b, tile.b + after * args.b_row, tile.columns, args.k - after, args.b_column, args.b_row);
        }
        add_slice<P>(sums, room_a, room_b, half);
    }
    store_sums<P>(args, tile, sums);
}

}

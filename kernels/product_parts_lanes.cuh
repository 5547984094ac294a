// product_parts_lanes.cuh: products of matrices of floats with few tiles, and what is computed of their elements, by blocks
// of many lanes. A block has a tile of the result. Tiles are small, so that all multiprocessors have some, and each warp of
// a block has a part of the inner axis, so that no sum is a long chain. Products are added without being rounded, and the
// sums of parts in the order of the warps.
//
// Codegen prints a struct Program with Element and Word (the type of stored elements, and of sums), how many PRODUCTS it
// has, whether rows of all first factors, and columns of all second ones, are side by side in memory (A_BESIDE and B_BESIDE),
// Args, and
//   fetch(args, which, i, j)   loads the elements that it reads at a place of the result
//   finish(sums)               computes and stores elements there; product k is at sums[k * TILE]
namespace cuna {

// How an array lies: its lines are rows of a first factor, columns of a second one. Strides are in elements; `step` is from one
// matrix of a stack to the next.
struct PartFactor {
    word pointer, line, inner, step;
};
struct PartElements {
    word pointer, row, column, step;
};

// Members are in the order in which work/matmul_parts.c adds words.
template <int MANY, int ELEMENTS, int SCALARS>
struct Products {
    word cut;           // for division by `across`
    word across, down;  // tiles of a result
    word m, n;          // of a result
    struct Factors {
        PartFactor a, b;
        word k;  // length of the inner axis
    } factors[MANY];
    word scalar[SCALARS > 0 ? SCALARS : 1][2];
    PartElements elements[ELEMENTS];  // outputs first
};

// The address of an element of one of the results, or of what is read there.
template <class S>
CUNA_INLINE S *at_place(const PartElements &e, word which, word i, word j)
{
    return (S *)e.pointer + which * e.step + i * e.row + j * e.column;
}

// What a block has of a factor: LINES rows or columns, and a length of the inner axis that fills its lanes' loads. BESIDE:
// elements of one place are side by side in memory; else those of a line may be.
template <class P, int LINES, bool BESIDE>
struct PartSlice {
    typedef typename P::Word Word;
    typedef typename P::Element Element;
    typedef typename P::index index;
    // Two words lie between lines of places, so that lanes side by side along the inner axis store to different banks.
    enum { DEPTH = PART_NBYTES / sizeof(Word), WIDE = LINES + 2, LOADS = LINES * DEPTH / LANES };
    // Of a lane: how many lines an access has, from one access to the next, and the same in the room.
    enum { PACK = BESIDE ? P::PACK : 1, DOWN = BESIDE ? 0 : LANES / DEPTH, ALONG = BESIDE ? LANES * PACK / LINES : 0 };
    enum { KEPT = ALONG * WIDE + DOWN, ACCESSES = LOADS / PACK };
    typedef Pack<Element, PACK> Access;
    struct alignas(2 * sizeof(Word)) Pair {
        Word at[2];
    };
    Word next[LOADS];
    Word *room;           // where this lane's first element goes
    int line, at;         // its line, and its place on the inner axis
    index step, hop;      // in memory: from one place to the next, from one access to the next
    const Element *from;  // its first element of the next slice

    // Lanes lie side by side in memory: along the lines, or along the inner axis.
    CUNA_INLINE void begin(Word *base, const Element *first, index line_step, index inner_step)
    {
        line = BESIDE ? lane() % (LINES / PACK) * PACK : lane() / DEPTH;
        at = BESIDE ? lane() / (LINES / PACK) : lane() % DEPTH;
        step = inner_step;
        hop = ALONG * inner_step + DOWN * line_step;
        from = first + line * line_step + at * inner_step;
        room = base + at * WIDE + line;
    }
    template <bool WHOLE>
    CUNA_INLINE void load(int lines, int depth)
    {
        CUNA_UNROLL
        for (int q = 0; q < ACCESSES; ++q) {
            const bool has = WHOLE || (line + q * DOWN < lines && at + q * ALONG < depth);
            const Access access = has ? pack_load((const Access *)(from + q * hop)) : Access();
            CUNA_UNROLL
            for (int v = 0; v < PACK; ++v)
                next[q * PACK + v] = access.at[v];
        }
    }
    // Of `lines` lines and `depth` places; the next slice follows.
    CUNA_INLINE void fetch(int lines, int depth)
    {
        if (lines >= LINES && depth >= DEPTH)
            load<true>(lines, depth);
        else
            load<false>(lines, depth);
        from += DEPTH * step;
    }
    CUNA_INLINE void keep() const
    {
        enum { WORDS = PACK > 1 ? 2 : 1 };  // a pair is aligned
        CUNA_UNROLL
        for (int q = 0; q < LOADS; q += WORDS) {
            Pack<Word, WORDS> pack;
            CUNA_UNROLL
            for (int v = 0; v < WORDS; ++v)
                pack.at[v] = next[q + v];
            pack_store((Pack<Word, WORDS> *)(room + q / PACK * KEPT + q % PACK), pack);
        }
    }
    static CUNA_INLINE Pair pair(const Word *base, int depth, unsigned line)
    {
        return pack_load((const Pair *)(base + depth * WIDE + line));
    }
};

// Where a block's tile is, and what it has of the factors of a product.
template <class P>
struct PartTile {
    typedef typename P::Element Element;
    typedef typename P::index index;
    typedef PartSlice<P, PART_ROWS, P::A_BESIDE> Down;
    typedef PartSlice<P, PART_COLUMNS, P::B_BESIDE> Across;
    word which, i, j;
    int rows, columns, left;  // left: of the inner axis of the product
    Down a;
    Across b;

    CUNA_INLINE PartTile(const typename P::Args &args, unsigned block)
    {
        const unsigned across = unsigned(args.across), of = unsigned(args.down) * across;
        which = block < of ? 0 : block / of;
        const unsigned place = block - unsigned(which) * of, row = over_length(int32(place), args.cut, across);
        i = row * PART_ROWS;
        j = (place - row * across) * PART_COLUMNS;
        rows = int(args.m - i < PART_ROWS ? args.m - i : word(PART_ROWS));
        columns = int(args.n - j < PART_COLUMNS ? args.n - j : word(PART_COLUMNS));
    }
    CUNA_INLINE void begin(const typename P::Args &args, int product, typename P::Word *ours, typename P::Word *theirs)
    {
        const typename P::Args::Factors &f = args.factors[product];
        left = int(f.k);
        a.begin(ours, (const Element *)f.a.pointer + which * f.a.step + i * f.a.line, index(f.a.line), index(f.a.inner));
        b.begin(theirs, (const Element *)f.b.pointer + which * f.b.step + j * f.b.line, index(f.b.line), index(f.b.inner));
        fetch();
    }
    CUNA_INLINE void fetch()
    {
        a.fetch(rows, left);
        b.fetch(columns, left);
    }
};

// Adds a place of a slice to the sums of a lane, 2 x 2.
template <class P>
CUNA_INLINE void add_place(typename P::Word (&sums)[2][2], const typename P::Word *ours, const typename P::Word *theirs,
                           int k, unsigned i, unsigned j)
{
    typedef typename PartTile<P>::Down Down;
    typedef typename PartTile<P>::Across Across;
    const typename Down::Pair x = Down::pair(ours, k, i);
    const typename Across::Pair y = Across::pair(theirs, k, j);
    CUNA_UNROLL
    for (int r = 0; r < 2; ++r)
        CUNA_UNROLL
        for (int c = 0; c < 2; ++c)
            sums[r][c] = fma(x.at[r], y.at[c], sums[r][c]);
}

// The same of a warp's part of a slice; of whole ones the compiler knows how many places there are.
template <class P>
CUNA_INLINE void add_part(typename P::Word (&sums)[2][2], const typename P::Word *ours, const typename P::Word *theirs,
                          int depth, unsigned i, unsigned j)
{
    enum { PARTS = LANES / 32, WHOLE = PartTile<P>::Down::DEPTH / PARTS };
    const int part = int(lane() / 32), share = (depth + PARTS - 1) / PARTS, first = part * share;
    const int last = first + share < depth ? first + share : depth;
    if (depth == WHOLE * PARTS) {
        CUNA_UNROLL
        for (int k = 0; k < WHOLE; ++k)
            add_place<P>(sums, ours, theirs, part * WHOLE + k, i, j);
    } else {
        CUNA_UNROLL_4
        for (int k = first; k < last; ++k)
            add_place<P>(sums, ours, theirs, k, i, j);
    }
}

// The slice that follows is loaded meanwhile: of the same product, or of the next one.
template <class P>
CUNA_INLINE void product_parts(const typename P::Args &args, unsigned block)
{
    typedef typename P::Word Word;
    typedef typename PartTile<P>::Down Down;
    typedef typename PartTile<P>::Across Across;
    enum { PARTS = LANES / 32, TILE = PART_ROWS * PART_COLUMNS, DEPTH = Down::DEPTH };
    CUNA_SHARED Room<typename Down::Pair, Down::DEPTH * Down::WIDE / 2> room_a;
    CUNA_SHARED Room<typename Across::Pair, Across::DEPTH * Across::WIDE / 2> room_b;
    CUNA_SHARED Room<Word, PARTS * TILE> room;
    CUNA_SHARED Room<Word, P::PRODUCTS * TILE> made;
    Word *const ours = (Word *)room_a.at(), *const theirs = (Word *)room_b.at();
    const unsigned part = lane() / 32, q = lane();
    const unsigned i = q % 32 / (PART_COLUMNS / 2) * 2, j = q % (PART_COLUMNS / 2) * 2;
    PartTile<P> tile(args, block);
    tile.begin(args, 0, ours, theirs);
    P p(args);
    const bool has = q / PART_COLUMNS < unsigned(tile.rows) && q % PART_COLUMNS < unsigned(tile.columns);
    if (has)
        p.fetch(args, tile.which, tile.i + q / PART_COLUMNS, tile.j + q % PART_COLUMNS);
    Word sums[2][2] = {};
    for (int product = 0; product < P::PRODUCTS;) {
        tile.a.keep();
        tile.b.keep();
        barrier();
        const bool ends = tile.left <= DEPTH;
        const int depth = ends ? tile.left : int(DEPTH);
        tile.left -= DEPTH;
        if (!ends)
            tile.fetch();
        else if (product + 1 < P::PRODUCTS)
            tile.begin(args, product + 1, ours, theirs);
        add_part<P>(sums, ours, theirs, depth, i, j);
        if (ends)
            CUNA_UNROLL
            for (int r = 0; r < 2; ++r)
                CUNA_UNROLL
                for (int c = 0; c < 2; ++c) {
                    room.at()[part * TILE + (i + r) * PART_COLUMNS + j + c] = sums[r][c];
                    sums[r][c] = 0;
                }
        barrier();
        if (!ends)
            continue;
        if (has) {
            Word sum = room.at()[q];
            CUNA_UNROLL
            for (int k = 1; k < PARTS; ++k)
                sum = Word(sum + room.at()[k * TILE + q]);
            made.at()[product * TILE + q] = sum;
        }
        ++product;
    }
    if (has)
        p.finish(made.at() + q);
}

}

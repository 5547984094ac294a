// product_parts_lanes.cuh: products of matrices of floats with few tiles, and what is computed of their elements, by blocks
// of many lanes. A block has a tile of the result. Tiles are small, so that all multiprocessors have some, and each warp of
// a block has a part of the inner axis, so that no sum is a long chain. Products are added without being rounded, and the
// sums of parts in the order of the warps.
//
// Codegen prints a struct Program with Element and Word (the type of stored elements, and of sums), how many PRODUCTS it
// has, Args, and
//   fetch(args, which, i, j)   loads the elements that it reads at a place of the result
//   finish(sums)               computes and stores elements there; product k is at sums[k * TILE]
namespace cuna {

template <int MANY, int OPERANDS, int SCALARS>
struct Products {
    word pointer[OPERANDS];
    word scalar[SCALARS > 0 ? SCALARS : 1][2];
    word row[OPERANDS], column[OPERANDS], step[OPERANDS];  // strides along the result, and from one result to the next
    struct Factors {
        word a, b;  // operands
        word k;     // length of the inner axis
        word a_row, a_column, b_row, b_column, a_step, b_step;
    } factors[MANY];
    word m, n;          // of a result
    word down, across;  // tiles of a result
    word cut;           // for division by `across`
};

// What a block has of a factor: LINES rows or columns, and a length of the inner axis that fills its lanes' loads.
template <class P, int LINES>
struct PartSlice {
    typedef typename P::Word Word;
    typedef typename P::Element Element;
    typedef typename P::index index;
    // Two words lie between lines of places, so that lanes side by side along the inner axis store to different banks.
    enum { DEPTH = PART_NBYTES / sizeof(Word), WIDE = LINES + 2, LOADS = LINES * DEPTH / LANES };
    enum { PACK = 16 / sizeof(Word), BESIDE = LINES / PACK };
    struct alignas(2 * sizeof(Word)) Pair {
        Word at[2];
    };
    Word next[LOADS];
    Word *room;           // where this lane's first element goes
    int line, at;         // its line, and its place on the inner axis
    int down, along;      // from one of its elements to the next
    int kept;             // the same in the room
    bool packs;           // an access has several lines, which are side by side in memory
    index step, hop;      // in memory: from one place to the next, from one of its elements to the next
    const Element *from;  // its first element of the next slice

    // Lanes lie side by side in memory: along the lines, or along the inner axis. Of `lines` lines.
    CUNA_INLINE void begin(Word *base, const Element *first, int lines, index line_step, index inner_step)
    {
        const bool by_line = line_step == 1;
        packs = by_line && lines >= LINES && (int64(first) % 16 | inner_step % PACK) == 0;
        line = packs ? lane() % BESIDE * PACK : by_line ? lane() % LINES : lane() / DEPTH;
        at = packs ? lane() / BESIDE : by_line ? lane() / LINES : lane() % DEPTH;
        down = by_line ? 0 : LANES / DEPTH;
        along = packs ? LANES / BESIDE : by_line ? LANES / LINES : 0;
        kept = along * WIDE + down;
        step = inner_step;
        hop = along * inner_step + down * line_step;
        from = first + line * line_step + at * inner_step;
        room = base + at * WIDE + line;
    }
    // Of `lines` lines and `depth` places; the next slice follows.
    CUNA_INLINE void fetch(int lines, int depth)
    {
        if (packs) {
            CUNA_UNROLL
            for (int q = 0; q < LOADS / PACK; ++q) {
                const bool has = at + q * along < depth;
                const Pack<Element, PACK> got = has ? *(const Pack<Element, PACK> *)(from + q * hop) : Pack<Element, PACK>();
                CUNA_UNROLL
                for (int v = 0; v < PACK; ++v)
                    next[q * PACK + v] = got.at[v];
            }
        } else if (lines >= LINES && depth >= DEPTH) {
            CUNA_UNROLL
            for (int q = 0; q < LOADS; ++q)
                next[q] = from[q * hop];
        } else {
            CUNA_UNROLL
            for (int q = 0; q < LOADS; ++q)
                next[q] = line + q * down < lines && at + q * along < depth ? from[q * hop] : Element(0);
        }
        from += DEPTH * step;
    }
    CUNA_INLINE void keep() const
    {
        if (packs) {
            CUNA_UNROLL
            for (int q = 0; q < LOADS; q += 2)
                *(Pair *)(room + q / PACK * kept + q % PACK) = Pair{{next[q], next[q + 1]}};
        } else {
            CUNA_UNROLL
            for (int q = 0; q < LOADS; ++q)
                room[q * kept] = next[q];
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
    typedef PartSlice<P, PART_ROWS> Down;
    typedef PartSlice<P, PART_COLUMNS> Across;
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
        const Element *const down = (const Element *)args.pointer[f.a] + which * f.a_step + i * f.a_row;
        const Element *const across = (const Element *)args.pointer[f.b] + which * f.b_step + j * f.b_column;
        a.begin(ours, down, rows, index(f.a_row), index(f.a_column));
        b.begin(theirs, across, columns, index(f.b_column), index(f.b_row));
        fetch();
    }
    CUNA_INLINE void fetch()
    {
        a.fetch(rows, left);
        b.fetch(columns, left);
    }
};

// Adds places [first, last) of a slice to the sums of a lane, 2 x 2.
template <class P>
CUNA_INLINE void add_places(typename P::Word (&sums)[2][2], const typename P::Word *ours,
                            const typename P::Word *theirs, int first, int last, unsigned i, unsigned j)
{
    typedef typename PartTile<P>::Down Down;
    typedef typename PartTile<P>::Across Across;
    CUNA_UNROLL_4
    for (int k = first; k < last; ++k) {
        const typename Down::Pair x = Down::pair(ours, k, i);
        const typename Across::Pair y = Across::pair(theirs, k, j);
        CUNA_UNROLL
        for (int r = 0; r < 2; ++r)
            CUNA_UNROLL
            for (int c = 0; c < 2; ++c)
                sums[r][c] = fma(x.at[r], y.at[c], sums[r][c]);
    }
}

// The same of a warp's part of a slice; of whole ones the compiler knows how many places.
template <class P>
CUNA_INLINE void add_part(typename P::Word (&sums)[2][2], const typename P::Word *ours, const typename P::Word *theirs,
                          int depth, unsigned i, unsigned j)
{
    enum { PARTS = LANES / 32, WHOLE = PartTile<P>::Down::DEPTH / PARTS };
    const int part = int(lane() / 32), share = (depth + PARTS - 1) / PARTS, first = part * share;
    if (depth == WHOLE * PARTS)
        add_places<P>(sums, ours, theirs, part * WHOLE, part * WHOLE + WHOLE, i, j);
    else
        add_places<P>(sums, ours, theirs, first, first + share < depth ? first + share : depth, i, j);
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

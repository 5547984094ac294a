// product_parts_lanes.cuh: products of matrices of floats with few tiles (product.cuh), by blocks of many lanes. Tiles are
// small, so that all multiprocessors have some, and each warp of a block has a part of the inner axis, so that no sum is a
// long chain. Products are added without being rounded, and the sums of parts in the order of the warps.
namespace cuna {

// What a block has of a factor: LINES rows or columns, and a length of the inner axis that fills its lanes' loads.
template <class P, int LINES>
struct PartSlice {
    typedef typename P::Word Word;
    typedef typename P::Element Element;
    // Two words lie between lines of places, so that lanes side by side along the inner axis store to different banks.
    enum { DEPTH = 1024 / sizeof(Word), WIDE = LINES + 2, LOADS = LINES * DEPTH / LANES };
    struct alignas(2 * sizeof(Word)) Pair {
        Word at[2];
    };
    Word next[LOADS];
    Word *room;           // where this lane's first element goes
    int line, at;         // its line, and its place on the inner axis
    int down, along;      // from one of its elements to the next
    int kept;             // the same in the room
    word step, hop;       // in memory: from one place to the next, from one of its elements to the next
    const Element *from;  // its first element of the next slice

    // Lanes lie side by side in memory: along the lines, or along the inner axis.
    CUNA_INLINE PartSlice(Word *base, const Element *first, word line_step, word inner_step)
    {
        const bool by_line = line_step == 1;
        line = by_line ? lane() % LINES : lane() / DEPTH;
        at = by_line ? lane() / LINES : lane() % DEPTH;
        down = by_line ? 0 : LANES / DEPTH;
        along = by_line ? LANES / LINES : 0;
        kept = along * WIDE + down;
        step = inner_step;
        hop = along * inner_step + down * line_step;
        from = first + line * line_step + at * inner_step;
        room = base + at * WIDE + line;
    }
    // Of `lines` lines and `depth` places; the next slice follows.
    CUNA_INLINE void fetch(int lines, int depth)
    {
        CUNA_UNROLL
        for (int q = 0; q < LOADS; ++q)
            next[q] = line + q * down < lines && at + q * along < depth ? Word(from[q * hop]) : Word(0);
        from += DEPTH * step;
    }
    CUNA_INLINE void keep() const
    {
        CUNA_UNROLL
        for (int q = 0; q < LOADS; ++q)
            room[q * kept] = next[q];
    }
    static CUNA_INLINE Pair pair(const Word *base, int depth, unsigned line)
    {
        return pack_load((const Pair *)(base + depth * WIDE + line));
    }
};

template <class P>
CUNA_INLINE void product_parts(const Product &args, unsigned block)
{
    typedef typename P::Word Word;
    enum { PARTS = LANES / 32, ROWS = PART_ROWS, COLUMNS = PART_COLUMNS, TILE = ROWS * COLUMNS };
    typedef PartSlice<P, ROWS> Down;
    typedef PartSlice<P, COLUMNS> Across;
    CUNA_SHARED Room<typename Down::Pair, Down::DEPTH * Down::WIDE / 2> room_a;
    CUNA_SHARED Room<typename Across::Pair, Across::DEPTH * Across::WIDE / 2> room_b;
    CUNA_SHARED Room<Word, PARTS * TILE> room;
    const TileOf<P> tile(args, block);
    const unsigned part = lane() / 32, i = lane() % 32 / (COLUMNS / 2) * 2, j = lane() % (COLUMNS / 2) * 2;
    Word *const ours = (Word *)room_a.at(), *const theirs = (Word *)room_b.at();
    Down a(ours, tile.a, args.a_row, args.a_column);
    Across b(theirs, tile.b, args.b_column, args.b_row);
    Word sums[2][2] = {};
    const int rows = int(tile.rows), columns = int(tile.columns), all = int(args.k);
    a.fetch(rows, all);
    b.fetch(columns, all);
    for (int left = all; left > 0; left -= Down::DEPTH) {
        a.keep();
        b.keep();
        barrier();
        if (left > Down::DEPTH) {
            a.fetch(rows, left - Down::DEPTH);
            b.fetch(columns, left - Down::DEPTH);
        }
        const int depth = left < Down::DEPTH ? left : int(Down::DEPTH), share = (depth + PARTS - 1) / PARTS;
        const int first = int(part) * share, last = first + share < depth ? first + share : depth;
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
        barrier();
    }
    CUNA_UNROLL
    for (int r = 0; r < 2; ++r)
        CUNA_UNROLL
        for (int c = 0; c < 2; ++c)
            room.at()[part * TILE + (i + r) * COLUMNS + j + c] = sums[r][c];
    barrier();
    for (unsigned q = lane(); q < TILE; q += LANES) {
        Word sum = room.at()[q];
        CUNA_UNROLL
        for (int k = 1; k < PARTS; ++k)
            sum = Word(sum + room.at()[k * TILE + q]);
        if (q / COLUMNS < tile.rows && q % COLUMNS < tile.columns)
            tile.out[q / COLUMNS * args.out_row + q % COLUMNS * args.out_column] = typename P::Element(sum);
    }
}

}

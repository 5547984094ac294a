// elementwise_lanes.cuh: three ways to visit every element of a walk by blocks of many lanes. The cost of an element
// is that of the bytes it loads and stores, once.
namespace cuna {

// What is read at positions after all of these are loaded, and before any lane stores; nothing, where programs do not.
template <class P, bool READS>
struct ReadBetween {
    typedef typename P::template Loaded<P::VECTOR> Loaded;
    typedef typename P::template Read<P::VECTOR> Read;
    Read made[P::ITEMS];
    CUNA_INLINE void put(int u, const P &p, typename P::index j, const Loaded &in)
    {
        made[u] = p.template read<P::VECTOR>(j, in);
    }
    CUNA_INLINE const Read &get(int u, const Loaded &) const { return made[u]; }
};
template <class P>
struct ReadBetween<P, false> {
    typedef typename P::template Loaded<P::VECTOR> Loaded;
    CUNA_INLINE void put(int, const P &, typename P::index, const Loaded &) {}
    CUNA_INLINE const Loaded &get(int, const Loaded &in) const { return in; }
};

// FLAT: all operands are contiguous (or one value). A lane does `pieces` accesses, at most ITEMS; lanes lie side by side,
// so that the accesses of 32 of them are whole lines. The last block does what is left as full ones do: its lanes wait
// for memory once. Elements beyond the last whole access come last, one for a lane. Where lanes do a step TOGETHER, all of a
// block come to it.
template <class P>
CUNA_INLINE void flat(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, ITEMS = P::ITEMS };
    const word tile = args.pieces * (LANES * VECTOR), first = word(block) * tile;
    const word behind = args.size - first;
    const index left = index(behind < tile ? behind : tile);
    P p(args);
    p.advance(index(first));
    p.at(first);
    typename P::template Loaded<VECTOR> in[ITEMS];
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u) {
        const index j = index((u * LANES + lane()) * VECTOR);
        if (j + VECTOR <= left)
            in[u] = p.template fetch<VECTOR>(j);
    }
    ReadBetween<P, P::READS> read;
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u) {
        const index j = index((u * LANES + lane()) * VECTOR);
        if (j + VECTOR <= left)
            read.put(u, p, j, in[u]);
    }
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u) {
        const index j = index((u * LANES + lane()) * VECTOR);
        if (P::TOGETHER || j + VECTOR <= left)
            p.template finish<VECTOR>(j, read.get(u, in[u]));
    }
    const index rest = left - left % VECTOR + index(lane());
    if (VECTOR > 1 && rest < left)
        p.element(rest);
}

// ROWS: runs along the innermost axis. The accesses of a block are a rectangle, 2^across of them side by side: one piece
// of a long row, or many short rows. Only the row is divided to find a place, once per access.
template <class P>
CUNA_INLINE void rows(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, ITEMS = P::ITEMS, OUTER = P::RANK - 1 };
    const unsigned across = unsigned(args.across), pieces = unsigned(args.pieces);
    const index inner = index(args.shape[OUTER]);
    P place[ITEMS];
    typename P::template Loaded<VECTOR> in[ITEMS];
    index left[ITEMS];
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u) {
        const unsigned unit = u * LANES + lane();
        const word row = word(block / pieces) * ((LANES * ITEMS) >> across) + (unit >> across);
        const index j = ((index(block % pieces) << across) + index(unit & ((1u << across) - 1))) * VECTOR;
        left[u] = row < args.rows ? inner - j : 0;
        if (left[u] <= 0)
            continue;
        place[u] = P(args);
        go_to<OUTER>(place[u], args, index(row));
        place[u].advance(j);
        place[u].at(row * inner + j);
        if (left[u] >= VECTOR)
            in[u] = place[u].template fetch<VECTOR>(0);
    }
    ReadBetween<P, P::READS> read;
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u)
        if (left[u] >= VECTOR)
            read.put(u, place[u], 0, in[u]);
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u) {
        if (left[u] >= VECTOR)
            place[u].template finish<VECTOR>(0, read.get(u, in[u]));
        else
            for (index k = 0; k < left[u]; ++k)
                place[u].element(k);
    }
}

// TILES: operands that are contiguous along the second innermost axis pass through squares in the block's own memory, so
// that both sides of a transposition touch whole lines.
template <class P>
CUNA_INLINE void tiles(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { DOWN = P::RANK - 2, ALONG = P::RANK - 1, SIDE = P::SIDE, STEP = LANES / SIDE, BATCH = 4 };
    CUNA_SHARED typename P::Tiles packed;
    const unsigned pieces = unsigned(args.pieces), down = unsigned(args.rows), above = block / pieces;
    const index left = index(block % pieces) * SIDE, top = index(above % down) * SIDE;
    const word right = args.shape[ALONG] - left, below = args.shape[DOWN] - top;
    const int width = right < SIDE ? int(right) : int(SIDE), height = below < SIDE ? int(below) : int(SIDE);
    const int x = int(lane() % SIDE);
    P p(args);
    go_to<DOWN>(p, args, index(above / down));
    p.step(args, DOWN, top);
    p.step(args, ALONG, left);
    P::pack(packed, p, height, width);
    barrier();
    if (x >= width)
        return;
    for (int first = int(lane() / SIDE); first < height; first += BATCH * STEP) {
        P place[BATCH];
        typename P::template Loaded<1> in[BATCH];
        CUNA_UNROLL
        for (int b = 0; b < BATCH; ++b) {
            if (first + b * STEP >= height)
                continue;
            place[b] = p;
            place[b].step(args, DOWN, first + b * STEP);
            place[b].use(packed, first + b * STEP);
            in[b] = place[b].template fetch<1>(x);
        }
        CUNA_UNROLL
        for (int b = 0; b < BATCH; ++b)
            if (first + b * STEP < height)
                place[b].template finish<1>(x, place[b].template read<1>(x, in[b]));
    }
}

}  // namespace cuna

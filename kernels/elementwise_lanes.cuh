// elementwise_lanes.cuh: four ways to visit every element of a walk by blocks of many lanes. The cost of an element
// is that of the bytes it loads and stores, once.
namespace cuna {

// What is read at positions after all of these are loaded, and before any lane stores; nothing, where programs do not.
template <class P, bool READS, int ITEMS>
struct ReadBetween {
    typedef typename P::template Loaded<P::VECTOR> Loaded;
    typedef typename P::template Read<P::VECTOR> Read;
    Read made[ITEMS];
    CUNA_INLINE void put(int u, const P &p, typename P::index j, const Loaded &in)
    {
        made[u] = p.template read<P::VECTOR>(j, in);
    }
    CUNA_INLINE const Read &get(int u, const Loaded &) const { return made[u]; }
};
template <class P, int ITEMS>
struct ReadBetween<P, false, ITEMS> {
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
    ReadBetween<P, P::READS, ITEMS> read;
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

// Accesses of a lane in rows: at(u) is the place that access u counts from, from(u) its first element there. Those of a
// row stand in the order of the elements, so that the last one exists only if all do.
template <class P>
struct AlongRow {
    enum { ITEMS = P::ITEMS, STEP = WARP * P::VECTOR };
    typedef typename P::index index;
    P place;
    index left;  // elements from the first access on
    CUNA_INLINE bool has(int u) const { return u * STEP + P::VECTOR <= left; }
    CUNA_INLINE const P &at(int) const { return place; }
    CUNA_INLINE index from(int u) const { return u * STEP; }
};
template <class P>
struct DownRows {
    enum { ITEMS = P::ITEMS };
    typedef typename P::index index;
    P place[ITEMS];
    int32 beside, left;  // rows
    CUNA_INLINE bool has(int u) const { return u * beside < left; }
    CUNA_INLINE const P &at(int u) const { return place[u]; }
    CUNA_INLINE index from(int) const { return 0; }
};

template <class P>
struct DownSquare {
    enum { ITEMS = 4, STEP = LANES / P::SIDE };
    typedef typename P::index index;
    P place[ITEMS];
    int left;  // rows
    CUNA_INLINE bool has(int u) const { return u * STEP < left; }
    CUNA_INLINE const P &at(int u) const { return place[u]; }
    CUNA_INLINE index from(int) const { return 0; }
};

// Loads, computes and stores a lane's accesses, ALL of which exist, or some.
template <bool ALL, class P, class Accesses>
CUNA_INLINE void do_accesses(const Accesses &a)
{
    enum { VECTOR = P::VECTOR, ITEMS = Accesses::ITEMS };
    typename P::template Loaded<VECTOR> in[ITEMS];
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u)
        if (ALL || a.has(u))
            in[u] = a.at(u).template fetch<VECTOR>(a.from(u));
    ReadBetween<P, P::READS, ITEMS> read;
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u)
        if (ALL || a.has(u))
            read.put(u, a.at(u), a.from(u), in[u]);
    CUNA_UNROLL
    for (int u = 0; u < ITEMS; ++u)
        if (ALL || a.has(u))
            a.at(u).template finish<VECTOR>(a.from(u), read.get(u, in[u]));
}

// Most lanes have all their accesses: those ask once. A program of which an access is long has one text for both.
template <class P, class Accesses>
CUNA_INLINE void visit(const Accesses &a)
{
    if (P::APART && a.has(Accesses::ITEMS - 1))
        do_accesses<true, P>(a);
    else
        do_accesses<false, P>(a);
}

// ROWS: runs along the innermost axis, cut into pieces; 32 lanes do a piece. A lane finds its place once: its accesses lie
// at constant distances, side by side with those of the other lanes. The pieces of a block lie in 2^down rows, one below the
// other, so that what neighbouring rows read comes from the cache of a multiprocessor. Elements of a row beyond its last
// whole access come last, one for a lane.
template <class P>
CUNA_INLINE void rows(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, OUTER = P::RANK - 1 };
    const unsigned team = block * (LANES / WARP) + lane() / WARP, down = OUTER > 0 ? unsigned(args.down) : 0;
    const int32 unit = int32(team >> down), pieces = int32(args.pieces);
    const int32 above = OUTER > 0 ? over_length(unit, args.cut, args.pieces) : 0, piece = unit - above * pieces;
    const int32 row = (above << down) + int32(team & ((1u << down) - 1));
    if (OUTER > 0 ? row >= int32(args.rows) : piece >= pieces)
        return;
    const index inner = index(args.shape[OUTER]), across = index(args.across);
    const index start = index(piece) * across, own = index(lane() % WARP) * VECTOR;
    const index count = inner - start < across ? inner - start : across;
    AlongRow<P> a = {P(args), count - own};
    go_to<OUTER>(a.place, args, index(row));
    a.place.advance(start + own);
    a.place.arrive();
    a.place.at(row * args.shape[OUTER] + start + own);
    visit<P>(a);
    const index rest = (count & ~index(VECTOR - 1)) + index(lane() % WARP);
    if (VECTOR > 1 && rest < count)
        a.place.element(rest - own);
}

// SHORT_ROWS: rows of so few accesses that a block has several beside each other. A lane keeps its access of a row and goes
// down to further rows.
template <class P>
CUNA_INLINE void short_rows(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { OUTER = P::RANK - 1 };
    const int32 y = over_length(int32(lane()), args.cut, args.across), beside = int32(args.pieces);
    const index x = index(int32(lane()) - y * int32(args.across)) * P::VECTOR;
    const word first = word(block) * args.down, below = args.rows - first;
    DownRows<P> a;
    a.beside = beside;
    a.left = y < beside ? int32(below < args.down ? below : args.down) - y : 0;
    if (a.left <= 0)
        return;
    CUNA_UNROLL
    for (int u = 0; u < P::ITEMS; ++u) {
        const index row = index(first) + index(y + u * beside);
        a.place[u] = P(args);
        go_to<OUTER>(a.place[u], args, row);
        a.place[u].advance(x);
        a.place[u].arrive();
        a.place[u].at(row * args.shape[OUTER] + x);
    }
    visit<P>(a);
}

// TILES: operands that are contiguous along the second innermost axis pass through squares in the block's own memory, so
// that both sides of a transposition touch whole lines.
template <class P>
CUNA_INLINE void tiles(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { DOWN = P::RANK - 2, ALONG = P::RANK - 1, SIDE = P::SIDE, STEP = DownSquare<P>::STEP };
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
    p.advance(x);
    for (int first = int(lane() / SIDE); first < height; first += DownSquare<P>::ITEMS * STEP) {
        DownSquare<P> a;
        a.left = height - first;
        CUNA_UNROLL
        for (int u = 0; u < DownSquare<P>::ITEMS; ++u) {
            const int y = first + u * STEP;
            a.place[u] = p;
            a.place[u].step(args, DOWN, y);
            a.place[u].arrive();
            a.place[u].use(packed, y, x);
        }
        visit<P>(a);
    }
}

}  // namespace cuna

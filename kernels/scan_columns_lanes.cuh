// scan_columns_lanes.cuh: scans of columns, which lie along the innermost kept axis, by blocks of many lanes. If there
// are many columns, a lane scans VECTOR of them from end to end. Otherwise lanes share a column, and a first launch
// computes the totals of their parts.
namespace cuna {

// Positions [from, to) of V columns: folded into `state`, or with STORE scanned and stored.
template <int V, bool STORE, class P>
CUNA_INLINE void scan_strip(typename P::State *state, const P &kept, const typename P::Args &args,
                            typename P::index from, typename P::index to, bool has)
{
    typedef typename P::index index;
    typedef typename P::State State;
    enum { ITEMS = P::ITEMS };
    for (index rest = to - from; rest > 0; rest -= ITEMS) {
        const index at = to - rest;
        typename P::template Loaded<V> in[ITEMS];
        CUNA_UNROLL
        for (int u = 0; u < ITEMS; ++u) {
            P p = kept;
            p.step_reduced(args, 0, at + u);
            if (u < rest)
                in[u] = p.template fetch<V>(0);
        }
        CUNA_UNROLL
        for (int u = 0; u < ITEMS; ++u) {
            if (u >= rest)
                break;
            State stored[V];
            CUNA_UNROLL
            for (int k = 0; k < V; ++k) {
                const State x = kept.lift(in[u], k, at + u);
                stored[k] = has ? state[k] : P::identity();
                state[k] = follow<P>(has, state[k], x);
                if (!P::EXCLUSIVE)
                    stored[k] = state[k];
            }
            has = true;
            P p = kept;
            p.step_reduced(args, 0, at + u);
            if (STORE)
                p.template put<V>(0, at + u, stored, in[u]);
        }
    }
}

// The same for what an access has of columns at the end of a row.
template <bool STORE, class P>
CUNA_INLINE void scan_strips(typename P::State *state, const P &p, const typename P::Args &args, typename P::index from,
                             typename P::index to, bool has, typename P::index left)
{
    enum { VECTOR = P::VECTOR };
    if (left >= VECTOR)
        scan_strip<VECTOR, STORE>(state, p, args, from, to, has);
    else
        CUNA_UNROLL
        for (int k = 0; k < VECTOR; ++k) {
            P q = p;
            q.step(args, P::KEPT - 1, k);
            if (k < left)
                scan_strip<1, STORE>(state + k, q, args, from, to, has);
        }
}

// Where the totals of columns are: of every lane of every block, then of every block.
template <class P>
struct Totals {
    typedef typename P::State State;
    State *lanes, *blocks;
    word columns;
    CUNA_INLINE Totals(const typename P::Args &args, word segments, word down)
    {
        static_assert(sizeof(State) <= STATE_NBYTES, "the workspace has this much room for a state");
        columns = args.rows * args.shape[P::KEPT - 1];
        lanes = (State *)args.workspace;
        blocks = lanes + segments * down * columns;
    }
};

// The states of lanes one below the other, [0, until), for column k: after `state`, when there is one.
template <class P>
CUNA_INLINE typename P::State fold_down(const typename P::State (*shared)[LANES], int k, unsigned x, unsigned across,
                                        unsigned until, bool has, typename P::State state)
{
    for (unsigned y = 0; y < until; ++y)
        state = follow<P>(has || y > 0, state, shared[k][x + (y << across)]);
    return state;
}

// Writes the totals of the lanes and of the block; `used` lanes, one below the other, have positions.
template <class P>
CUNA_INLINE void write_totals(typename P::State (*shared)[LANES], const Totals<P> &totals,
                              const typename P::State *state, word segment, word column, typename P::index left,
                              unsigned across, unsigned used)
{
    enum { VECTOR = P::VECTOR };
    const unsigned x = lane() & ((1u << across) - 1), y = lane() >> across, down = LANES >> across;
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k)
        shared[k][lane()] = state[k];
    barrier();
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k) {
        if (k >= left || y >= used)
            continue;
        totals.lanes[(segment * down + y) * totals.columns + column + k] = state[k];
        if (y == 0)
            totals.blocks[segment * totals.columns + column + k] =
                fold_down<P>(shared, k, x, across, used, false, state[k]);
    }
}

// The states before the positions of a lane, when it has any: those of the blocks before, which lanes one below the
// other fold in parts, then those of the lanes above in this block.
template <class P>
CUNA_INLINE void read_totals(typename P::State (*shared)[LANES], typename P::State *state, const Totals<P> &totals,
                             word segment, word column, typename P::index left, unsigned across, unsigned used)
{
    enum { VECTOR = P::VECTOR };
    const unsigned x = lane() & ((1u << across) - 1), y = lane() >> across, down = LANES >> across;
    const word part = (segment + down - 1) / down, from = part * y, to = from + part < segment ? from + part : segment;
    const unsigned parts = part > 0 ? unsigned((segment + part - 1) / part) : 0;
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k) {
        if (k >= left || from >= to)
            continue;
        const typename P::State *const above = totals.blocks + column + k;
        typename P::State sum = above[from * totals.columns];
        for (word s = from + 1; s < to; ++s)
            sum = P::combine(sum, above[s * totals.columns]);
        shared[k][lane()] = sum;
    }
    barrier();
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k) {
        if (k >= left)
            continue;
        state[k] = fold_down<P>(shared, k, x, across, parts, false, state[k]);
        const typename P::State *const above = totals.lanes + segment * down * totals.columns + column + k;
        for (unsigned l = 0; l < y && y < used; ++l)
            state[k] = follow<P>(parts > 0 || l > 0, state[k], above[l * totals.columns]);
    }
}

// Columns by one lane for VECTOR of them.
template <class P>
CUNA_INLINE void scan_whole_columns(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, OUTER = P::KEPT - 1 };
    const word unit = word(block) * LANES + lane(), row = unit / args.pieces;
    if (row >= args.rows)
        return;
    typename P::State state[VECTOR];
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k)
        state[k] = P::identity();
    const index column = index(unit - row * args.pieces) * VECTOR;
    P p(args);
    go_to<OUTER>(p, args, index(row));
    p.step(args, OUTER, column);
    scan_strips<true>(state, p, args, 0, index(args.count), false, index(args.shape[OUTER]) - column);
}

// Columns by several lanes each: those side by side have columns, those one below the other positions.
template <class P>
CUNA_INLINE void scan_cut_columns(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    typedef typename P::State State;
    enum { VECTOR = P::VECTOR, OUTER = P::KEPT - 1 };
    CUNA_SHARED State shared[VECTOR][LANES];
    const unsigned across = unsigned(args.team), down = LANES >> across, y = lane() >> across;
    const word strips = args.rows * args.pieces, strip = block % strips, segment = block / strips;
    const word row = strip / args.pieces, inner = args.shape[OUTER], span = args.span;
    const index column = ((index(strip % args.pieces) << across) + index(lane() & ((1u << across) - 1))) * VECTOR;
    const index left = index(inner) - column;
    const word begin = (segment * down + y) * span, first = begin < args.count ? begin : args.count;
    const word end = args.count - first < span ? args.count : first + span;
    const Totals<P> totals(args, (args.count + span * down - 1) / (span * down), down);
    State state[VECTOR];
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k)
        state[k] = P::identity();
    P p(args);
    go_to<OUTER>(p, args, index(row));
    p.step(args, OUTER, left > 0 ? column : 0);
    const word below = (args.count - segment * down * span + span - 1) / span;
    const unsigned used = below < down ? unsigned(below) : down;
    if (args.totals) {
        scan_strips<false>(state, p, args, index(first), index(end), false, left);
        write_totals(shared, totals, state, segment, row * inner + column, left, across, used);
    } else {
        read_totals(shared, state, totals, segment, row * inner + column, left, across, used);
        scan_strips<true>(state, p, args, index(first), index(end), first > 0, left);
    }
}

// SCAN_COLUMNS: the innermost kept axis, where memory is contiguous, lies along lanes. Where columns are too few, a
// first launch makes the totals of their parts.
template <class P>
CUNA_INLINE void scan_columns(const typename P::Args &args, unsigned block)
{
    if (args.workspace == 0)
        scan_whole_columns<P>(args, block);
    else
        scan_cut_columns<P>(args, block);
}

}  // namespace cuna

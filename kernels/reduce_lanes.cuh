// reduce_lanes.cuh: folds over axes by blocks of many lanes. Each input element is read once. Which lane folds what, and in
// which order states combine, depends on shapes alone, so that results are the same on every run.
//
// A generated Program gives State, identity(), lift(loaded, k, i) (element k of what fetch loaded, at position i of the
// folded space), combine(a, b), add(part, k, element) (the same into one of the states of a lane, for one element behind
// theirs), and write(state, n, extra) beside what walk.cuh and walk_lanes.cuh list; no finish. When the folded space is cut
// into segments, their states go to a workspace [output][segment] and a second kernel, merge, combines them: 32 bytes or
// less per segment of thousands of elements.
namespace cuna {

template <int OPERANDS, int SCALARS, int KEPT, int REDUCED>
struct Fold {
    word pointer[OPERANDS];
    word scalar[SCALARS > 0 ? SCALARS : 1][2];
    word shape[KEPT > 0 ? KEPT : 1];
    word stride[OPERANDS][KEPT > 0 ? KEPT : 1];
    word reduced_shape[REDUCED > 0 ? REDUCED : 1];
    word reduced_stride[OPERANDS][REDUCED > 0 ? REDUCED : 1];
    word divisor[KEPT > 0 ? KEPT : 1];
    word reduced_divisor[REDUCED > 0 ? REDUCED : 1];
    word outputs;     // results
    word count;       // elements folded into each
    word team;        // log2 of the lanes that fold one output (FOLD_ROWS) or lie side by side (FOLD_COLUMNS)
    word pieces;      // blocks side by side along the innermost kept axis (FOLD_COLUMNS)
    word segments;    // parts that the folded space is cut into
    word span;        // elements of a segment
    word merge_team;  // log2 of the lanes that merge the segments of one output
    double extra;     // a number for finish
    word workspace;   // states of segments
};

template <class P>
CUNA_INLINE void go_to_reduced(P &p, const typename P::Args &args, typename P::index rest)
{
    typedef typename P::index index;
    CUNA_UNROLL
    for (int axis = P::REDUCED - 1; axis > 0; --axis) {
        const index up = over_length(rest, args.reduced_divisor[axis], args.reduced_shape[axis]);
        p.step_reduced(args, axis, rest - up * index(args.reduced_shape[axis]));
        rest = up;
    }
    p.step_reduced(args, 0, rest);
}

// What lies at position `at` of the folded space.
template <int V, class P>
CUNA_INLINE typename P::template Loaded<V> fetch_at(const P &kept, const typename P::Args &args, typename P::index at)
{
    P p = kept;
    go_to_reduced(p, args, at);
    return p.template fetch<V>(0);
}

// Folds `times` accesses, `step` positions apart, into one state per element of an access.
template <int V, int TIMES, class P>
CUNA_INLINE void fold_accesses(typename P::State *part, const P &kept, const typename P::Args &args,
                               typename P::index at, typename P::index step, bool along)
{
    typename P::template Loaded<V> in[TIMES];
    CUNA_UNROLL
    for (int u = 0; u < TIMES; ++u)
        in[u] = fetch_at<V>(kept, args, at + u * step);
    CUNA_UNROLL
    for (int u = 0; u < TIMES; ++u)
        CUNA_UNROLL
        for (int k = 0; k < V; ++k)
            if (along)
                P::add(part, k, kept.lift(in[u], k, at + u * step + k));
            else
                P::add(part + k, 0, kept.lift(in[u], k, at + u * step));
}

template <class P>
CUNA_INLINE typename P::State combine_lanes(typename P::State state, unsigned team)
{
    for (unsigned half = team / 2; half > 0; half /= 2)
        state = P::combine(state, shuffle_down(state, half));
    return state;
}

// The state of a team's lanes in its first lane; in the first lanes of all its warps, if ALL of them shall combine. A team is
// a part of a warp, or some warps of the block. Every lane takes part; who calls again waits in between, for lanes that
// still read.
template <class P, bool ALL>
CUNA_INLINE typename P::State combine_team(typename P::State state, unsigned team)
{
    enum { WARPS = LANES / WARP };
    CUNA_SHARED Room<typename P::State, WARPS> room;
    typename P::State *part = room.at();
    if (team <= WARP)
        return combine_lanes<P>(state, team);
    const unsigned warps = team / WARP, own = lane() / WARP;
    state = combine_lanes<P>(state, WARP);
    if (lane() % WARP == 0)
        part[own] = state;
    barrier();
    if (ALL || (own & (warps - 1)) == 0)
        state = combine_lanes<P>(part[(own & ~(warps - 1)) + (lane() & (warps - 1))], warps);
    return state;
}

// Lane t of a team folds every team-th access of [from, to).
template <class P>
CUNA_INLINE typename P::State fold_span(const P &p, const typename P::Args &args, typename P::index from,
                                        typename P::index to, typename P::index t, typename P::index team)
{
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, ITEMS = P::ITEMS };
    typename P::State part[VECTOR];
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k)
        part[k] = P::identity();
    const index step = team * VECTOR;
    index at = from + t * VECTOR;
    for (; to - at >= (ITEMS - 1) * step + VECTOR; at += ITEMS * step)
        fold_accesses<VECTOR, ITEMS>(part, p, args, at, step, true);
    CUNA_ROLLED /* the ends of rows: registers of further rounds would leave room for fewer lanes */
    for (; to - at >= VECTOR; at += step)
        fold_accesses<VECTOR, 1>(part, p, args, at, step, true);
    CUNA_ROLLED
    for (; VECTOR > 1 && at < to; ++at)
        fold_accesses<1, 1>(part, p, args, at, step, true);
    CUNA_UNROLL
    for (int half = VECTOR / 2; half > 0; half /= 2)
        CUNA_UNROLL
        for (int k = 0; k < half; ++k)
            part[k] = P::combine(part[k], part[k + half]);
    return part[0];
}

// FOLD_ROWS: a team of lanes for each output, so wide that each lane has a few accesses: long rows take the whole block,
// short ones share it.
template <class P>
CUNA_INLINE void fold_rows(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    const unsigned log_team = unsigned(args.team), team = 1u << log_team, segments = unsigned(args.segments);
    const word output = word(block / segments) * (LANES >> log_team) + (lane() >> log_team);
    const word from = block % segments * args.span, to = from + args.span < args.count ? from + args.span : args.count;
    P p(args);
    typename P::State state = P::identity();
    if (output < args.outputs) {
        go_to<P::KEPT>(p, args, index(output));
        state = fold_span(p, args, index(from), index(to), index(lane() & (team - 1)), index(team));
    }
    state = combine_team<P, false>(state, team);
    if (output < args.outputs && (lane() & (team - 1)) == 0)
        keep(p, args, output, block % segments, state);
}

// Adds up the rows that the lanes of one column folded; the result is in the first of them.
template <class P>
CUNA_INLINE void combine_column(typename P::State *part, unsigned across)
{
    enum { VECTOR = P::VECTOR };
    CUNA_SHARED Room<typename P::State, VECTOR * LANES> room;
    typename P::State *shared = room.at();
    const unsigned y = lane() >> across;
    for (unsigned half = (LANES >> across) / 2; half > 0; half /= 2) {
        if (y >= half && y < 2 * half)
            for (int k = 0; k < VECTOR; ++k)
                shared[k * LANES + lane()] = part[k];
        barrier();
        if (y < half)
            for (int k = 0; k < VECTOR; ++k)
                part[k] = P::combine(part[k], shared[k * LANES + lane() + (half << across)]);
        barrier();
    }
}

// Folds every step-th row of [from, to), V columns side by side.
template <int V, class P>
CUNA_INLINE void fold_strip(typename P::State *part, const P &p, const typename P::Args &args, typename P::index from,
                            typename P::index to, typename P::index step)
{
    typedef typename P::index index;
    enum { ITEMS = P::ITEMS };
    index at = from;
    for (; to - at > (ITEMS - 1) * step; at += ITEMS * step)
        fold_accesses<V, ITEMS>(part, p, args, at, step, false);
    for (; at < to; at += step)
        fold_accesses<V, 1>(part, p, args, at, step, false);
}

// FOLD_COLUMNS: lanes lie along the innermost kept axis, where memory is contiguous, and each has VECTOR columns; what lanes
// of a block are left fold other rows of the same columns.
template <class P>
CUNA_INLINE void fold_columns(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, OUTER = P::KEPT - 1 };
    const unsigned across = unsigned(args.team), segments = unsigned(args.segments), pieces = unsigned(args.pieces);
    const word from = block % segments * args.span, to = from + args.span < args.count ? from + args.span : args.count;
    const index row = index(block / segments / pieces), inner = index(args.shape[OUTER]);
    const index x = index(lane() & ((1u << across) - 1)), y = index(lane() >> across), step = index(LANES >> across);
    const index column = ((index(block / segments % pieces) << across) + x) * VECTOR, left = inner - column;
    typename P::State part[VECTOR];
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k)
        part[k] = P::identity();
    P p(args);
    go_to<OUTER>(p, args, row);
    p.step(args, OUTER, column);
    if (left >= VECTOR)
        fold_strip<VECTOR>(part, p, args, index(from) + y, index(to), step);
    else
        CUNA_UNROLL
        for (int k = 0; k < VECTOR; ++k) {
            P q = p;
            q.step(args, OUTER, k);
            if (k < left)
                fold_strip<1>(part + k, q, args, index(from) + y, index(to), step);
        }
    combine_column<P>(part, across);
    CUNA_UNROLL
    for (int k = 0; k < VECTOR; ++k) {
        if (y == 0 && k < left)
            keep(p, args, word(row) * inner + column + k, block % segments, part[k]);
        p.step(args, OUTER, 1);
    }
}

// Combines the segments of each output.
template <class P>
CUNA_INLINE void merge(const typename P::Args &args, unsigned block)
{
    const unsigned log_team = unsigned(args.merge_team), team = 1u << log_team;
    const word output = word(block) * (LANES >> log_team) + (lane() >> log_team);
    typename P::State state = P::identity();
    if (output < args.outputs)
        for (word segment = lane() & (team - 1); segment < args.segments; segment += team)
            state = P::combine(state, ((const typename P::State *)args.workspace)[output * args.segments + segment]);
    state = combine_team<P, false>(state, team);
    if (output >= args.outputs || (lane() & (team - 1)) != 0)
        return;
    P p(args);
    go_to<P::KEPT>(p, args, typename P::index(output));
    p.write(state, args.count, args.extra);
}

}  // namespace cuna

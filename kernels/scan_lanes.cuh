// scan_lanes.cuh: prefix scans along an axis by blocks of many lanes. Which lane scans what, and in which order states
// combine, depends on shapes alone, so that results are the same on every run.
//
// A generated Program gives State, identity(), lift(loaded, k, i) (element k of what fetch loaded, at position i of the
// scanned axis), combine(a, b), and put<V>(j, i, states, loaded) (stores what fetch<V>(j) loaded from the states of its
// elements) beside what walk.cuh and walk_lanes.cuh list. Lanes keep what they loaded and lift it twice: for the total
// that others need, and after the state that they get from others. No state is combined with an identity.
namespace cuna {

template <int OPERANDS, int SCALARS, int KEPT, int REDUCED>
struct Scan {
    word pointer[OPERANDS];
    word scalar[SCALARS > 0 ? SCALARS : 1][2];
    word shape[KEPT > 0 ? KEPT : 1];
    word stride[OPERANDS][KEPT > 0 ? KEPT : 1];
    word reduced_shape[REDUCED];
    word reduced_stride[OPERANDS][REDUCED];
    word divisor[KEPT > 0 ? KEPT : 1];
    word count;      // elements of the scanned axis
    word rows;       // rows (SCAN_ROWS), or rows of the kept axes but the innermost (SCAN_COLUMNS)
    word team;       // log2 of the lanes that scan one row (SCAN_ROWS) or lie side by side (SCAN_COLUMNS)
    word pieces;     // tiles of a row (SCAN_TILES); blocks, or of whole columns accesses, side by side (SCAN_COLUMNS)
    word span;       // positions that a lane scans (SCAN_COLUMNS); tiles that are folded ahead, or 0 (SCAN_TILES)
    word totals;     // whether this launch only makes the totals of lanes (SCAN_COLUMNS)
    word workspace;  // of rows: the counter of tickets, and parcels; of columns: totals; 0: blocks are independent
};

enum { SLOT_ROOM = STATE_NBYTES / 4 };

// Turns N states of each lane into those of lanes [0, lane] of its team of `team` lanes, up to 32.
template <class P, int N>
CUNA_INLINE void scan_team(typename P::State (&state)[N], unsigned team)
{
    const unsigned at = lane() % WARP, t = at & (team - 1);
    for (unsigned distance = 1; distance < team; distance *= 2)
        CUNA_UNROLL
        for (int u = 0; u < N; ++u) {
            const typename P::State before = shuffle(state[u], t >= distance ? at - distance : at);
            state[u] = follow<P>(t >= distance, before, state[u]);
        }
}

// ---- rows ----

// What a lane has of a stretch of a row: ITEMS accesses of VECTOR elements. The team's lanes lie side by side; of a
// team of several warps each has a part of the stretch.
template <class P>
struct Stretch {
    typedef typename P::State State;
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, ITEMS = P::ITEMS };
    typename P::template Loaded<VECTOR> in[ITEMS];
    State before[ITEMS];  // of the accesses of this lane within the warp's part
    State total;          // of the warp's part
    index left[ITEMS];    // elements of the row from here on
    index first, step;    // of the lane's accesses
    unsigned t, team;     // in the warp

    CUNA_INLINE index place(int u) const { return first + u * step; }

    // p stands where the stretch begins, `rest` elements before the end of its row.
    CUNA_INLINE void load(const P &p, index rest, unsigned log_team)
    {
        team = log_team < 5 ? 1u << log_team : unsigned(WARP);
        const unsigned number = lane() & ((1u << log_team) - 1);
        t = number & (team - 1);
        step = index(team * VECTOR);
        first = index(number / WARP) * ITEMS * step + index(t) * VECTOR;
        CUNA_UNROLL
        for (int u = 0; u < ITEMS; ++u) {
            left[u] = rest - place(u);
            if (left[u] >= VECTOR)
                in[u] = p.template fetch<VECTOR>(place(u));
        }
    }

    CUNA_INLINE State fold_access(const P &p, int u, int64 i) const
    {
        if (left[u] <= 0)
            return P::identity();
        if (left[u] >= VECTOR) {
            State state = p.lift(in[u], 0, i);
            CUNA_UNROLL
            for (int k = 1; k < VECTOR; ++k)
                state = P::combine(state, p.lift(in[u], k, i + k));
            return state;
        }
        State state = p.lift(p.template fetch<1>(place(u)), 0, i);
        for (index k = 1; k < left[u]; ++k)
            state = P::combine(state, p.lift(p.template fetch<1>(place(u) + k), 0, i + k));
        return state;
    }

    // Every lane of a warp takes part.
    CUNA_INLINE void fold(const P &p, int64 position)
    {
        const unsigned at = lane() % WARP;
        total = P::identity();
        CUNA_UNROLL
        for (int u = 0; u < ITEMS; ++u)
            before[u] = fold_access(p, u, position + place(u));
        scan_team<P>(before, team);
        CUNA_UNROLL
        for (int u = 0; u < ITEMS; ++u) {
            const State all = shuffle(before[u], at | (team - 1)), earlier = shuffle(before[u], t > 0 ? at - 1 : at);
            before[u] = t == 0 ? total : follow<P>(u > 0, total, earlier);
            total = follow<P>(u > 0, total, all);
        }
    }

    template <int V>
    CUNA_INLINE void store_access(const P &p, index j, const typename P::template Loaded<V> &loaded, int64 i, bool has,
                                  State &state) const
    {
        State states[V];
        CUNA_UNROLL
        for (int k = 0; k < V; ++k) {
            const State x = p.lift(loaded, k, i + k);
            states[k] = has ? state : P::identity();
            state = follow<P>(has, state, x);
            if (!P::EXCLUSIVE)
                states[k] = state;
            has = true;
        }
        p.template put<V>(j, i, states, loaded);
    }

    // Stores the lane's elements; `ahead` is the state before the warp's part.
    CUNA_INLINE void store(const P &p, int64 position, bool has, State ahead) const
    {
        CUNA_UNROLL
        for (int u = 0; u < ITEMS; ++u) {
            const bool inner = u > 0 || t > 0;
            State state = inner ? follow<P>(has, ahead, before[u]) : ahead;
            if (left[u] >= VECTOR)
                store_access<VECTOR>(p, place(u), in[u], position + place(u), has || inner, state);
            else
                for (index k = 0; k < left[u]; ++k)
                    store_access<1>(p, place(u) + k, p.template fetch<1>(place(u) + k), position + place(u) + k,
                                    has || inner || k > 0, state);
        }
    }
};

// The totals of a block's warps: the state of warps before this one, after `ahead`, and that of all.
template <class P>
CUNA_INLINE typename P::State fold_warps(const typename P::State *part, unsigned warps, bool has,
                                         typename P::State ahead)
{
    for (unsigned w = 0; w < warps; ++w)
        ahead = follow<P>(has || w > 0, ahead, part[w]);
    return ahead;
}

// SCAN_ROWS: whole rows by teams, stretch by stretch.
template <class P>
CUNA_INLINE void scan_rows(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    typedef typename P::State State;
    enum { WARPS = LANES / WARP };
    CUNA_SHARED State part[WARPS];
    const unsigned log_team = unsigned(args.team), warp = lane() / WARP;
    const bool whole = (1 << log_team) == LANES;
    const word row = word(block) * (LANES >> log_team) + (lane() >> log_team);
    const index step = index(P::VECTOR * P::ITEMS) << log_team, count = index(args.count);
    State ahead = State();
    P p(args);
    if (row < args.rows)
        go_to<P::KEPT>(p, args, index(row));
    for (index rest = count; rest > 0; rest -= step) {
        const index at = count - rest;
        Stretch<P> stretch;
        stretch.load(p, row < args.rows ? rest : 0, log_team);
        stretch.fold(p, at);
        if (!whole) {
            stretch.store(p, at, at > 0, ahead);
            ahead = follow<P>(at > 0, ahead, stretch.total);
        } else {
            barrier();
            if (stretch.t == 0)
                part[warp] = stretch.total;
            barrier();
            stretch.store(p, at, at > 0 || warp > 0, fold_warps<P>(part, warp, at > 0, ahead));
            ahead = fold_warps<P>(part, WARPS, at > 0, ahead);
        }
        if (rest > step)
            p.advance(step);
    }
}

// ---- rows that several blocks share ----
//
// Where rows are few, a tile has two blocks: one makes its total, the other scans it. Blocks that make totals run ahead
// by as many tiles as the L2 cache holds, so that the others find their elements there and the totals before their
// tiles already published: blocks rarely wait, and each element is read from memory once. Where rows are many and take
// turns, the totals before a tile were published long before, and one block does both.
//
// 32 tiles are a group. The block that makes the total of the last of them makes the group's, looks back for the
// nearest group with a known state after its end, and combines that with the totals of the groups since, from left to
// right: the state is the same from whichever group on it was found. What is before a tile is the state after the
// group before its own, and the totals of the tiles before it in its group.
template <class State>
struct Parcels {
    enum { SLOTS = Parcel<State>::SLOTS, GROUP = 32 };
    uint64 *tiles, *totals, *behind;
    CUNA_INLINE Parcels(word workspace, word row, word pieces)
    {
        const word groups = (pieces + GROUP - 1) / GROUP;
        tiles = (uint64 *)workspace + SLOT_ROOM + row * (pieces + 2 * groups) * SLOT_ROOM;
        totals = tiles + pieces * SLOTS;
        behind = totals + groups * SLOTS;
    }
    CUNA_INLINE uint64 *tile(word n) const { return tiles + n * SLOTS; }
    CUNA_INLINE uint64 *group_total(word n) const { return totals + n * SLOTS; }
    CUNA_INLINE uint64 *behind_group(word n) const { return behind + n * SLOTS; }
};

// The least value of 32 lanes.
CUNA_INLINE unsigned least_of_warp(unsigned value)
{
    for (unsigned distance = WARP / 2; distance > 0; distance /= 2) {
        const unsigned other = shuffle(value, (lane() % WARP) ^ distance);
        value = other < value ? other : value;
    }
    return value;
}

// The state of all tiles of groups before `group` (at least one), by a warp, in all of its lanes: lane l looks at the
// group l + 1 places back. The nearest state that is there is followed by the totals since.
template <class P>
CUNA_INLINE typename P::State look_back(const Parcels<typename P::State> &parcels, word group)
{
    const unsigned at = lane() % WARP, far = unsigned(group < WARP ? group : WARP);
    typename P::State total = P::identity(), behind = P::identity();
    unsigned nearest = WARP;
    bool has_state = false, has_total = false;
    for (int tries = 0;; ++tries) {
        if (at < far && !has_state)
            has_state = receive(behind, parcels.behind_group(group - 1 - at), 1);
        if (at < far && !has_total)
            has_total = receive(total, parcels.group_total(group - 1 - at), 1);
        nearest = least_of_warp(has_state ? at : unsigned(WARP));
        const unsigned missing = least_of_warp(has_total ? unsigned(WARP) : at);
        if (nearest < WARP && nearest <= missing)
            break;
        relax(tries);
    }
    typename P::State state = shuffle(behind, nearest);
    for (unsigned l = nearest; l > 0; --l)
        state = P::combine(state, shuffle(total, l - 1));
    return state;
}

// Publishes the total of tile `piece`, and after the last tile of a group the group's. Called by the whole block.
template <class P>
CUNA_INLINE void tell_total(const Parcels<typename P::State> &parcels, word piece, typename P::State total)
{
    typedef typename P::State State;
    enum { GROUP = Parcels<State>::GROUP };
    const word group = piece / GROUP;
    const unsigned at = lane() % WARP;
    if (lane() == 0)
        publish(parcels.tile(piece), total, 1);
    if (lane() >= WARP || piece % GROUP < GROUP - 1)
        return;
    State state[1] = {at < GROUP - 1 ? await<State>(parcels.tile(group * GROUP + at), 1) : total};
    scan_team<P>(state, WARP);
    State all = shuffle(state[0], WARP - 1);
    if (at == 0 && group > 0)
        publish(parcels.group_total(group), all, 1);
    if (group > 0)
        all = P::combine(look_back<P>(parcels, group), all);
    if (at == 0)
        publish(parcels.behind_group(group), all, 1);
}

// The state before tile `piece` (not the first), in every lane of the block, which all come here. When it is there the
// block that made the tile's total has read the tile, whose elements may be overwritten.
template <class P>
CUNA_INLINE typename P::State state_before(const Parcels<typename P::State> &parcels, word piece, word pieces)
{
    typedef typename P::State State;
    enum { GROUP = Parcels<State>::GROUP };
    CUNA_SHARED State in_group, groups;
    const word group = piece / GROUP;
    const unsigned place = unsigned(piece % GROUP), at = lane() % WARP;
    if (lane() < WARP) {
        const bool published = at < place || (at == place && piece + 1 < pieces);
        State state[1] = {published ? await<State>(parcels.tile(group * GROUP + at), 1) : P::identity()};
        scan_team<P>(state, WARP);
        const State all = shuffle(state[0], place > 0 ? place - 1 : 0);
        if (at == 0)
            in_group = all;
    } else if (lane() == WARP && group > 0) {
        groups = await<State>(parcels.behind_group(group - 1), 1);
    }
    barrier();
    return group == 0 ? in_group : place == 0 ? groups : P::combine(groups, in_group);
}

// Which tile a block has, and whether it only folds it: `ahead` tiles are folded first, then the others and the scans
// take turns.
CUNA_INLINE bool take_tile(word &tile, word ticket, word tiles, word ahead)
{
    tile = ticket;
    if (ahead == 0)
        return false;
    const word turn = ticket - ahead, turns = 2 * (tiles - ahead);
    const bool folds = turn < 0 || (turn < turns && turn % 2 == 0);
    tile = turn < 0 ? ticket : turn >= turns ? ticket - tiles : folds ? ahead + turn / 2 : turn / 2;
    return folds;
}

// SCAN_TILES: rows that are cut into tiles.
template <class P>
CUNA_INLINE void scan_tiles(const typename P::Args &args, unsigned)
{
    typedef typename P::index index;
    typedef typename P::State State;
    enum { WARPS = LANES / WARP, TILE = LANES * P::VECTOR * P::ITEMS, LOG_LANES = 8 };
    static_assert(1 << LOG_LANES == LANES, "a team is the block");
    CUNA_SHARED State part[WARPS];
    CUNA_SHARED word ticket;
    if (lane() == 0)
        ticket = take_ticket((uint64 *)args.workspace);
    barrier();
    word number;
    const bool folds = take_tile(number, ticket, args.rows * args.pieces, args.span);
    const word row = number % args.rows, piece = number / args.rows, first = piece * TILE;
    const unsigned warp = lane() / WARP;
    if (folds && piece + 1 == args.pieces)
        return;
    P p(args);
    go_to<P::KEPT>(p, args, index(row));
    p.advance(index(first));
    Stretch<P> stretch;
    stretch.load(p, index(args.count - first), LOG_LANES);
    stretch.fold(p, first);
    if (stretch.t == 0)
        part[warp] = stretch.total;
    barrier();
    const Parcels<State> parcels(args.workspace, row, args.pieces);
    if (folds || (args.span == 0 && piece + 1 < args.pieces))
        tell_total<P>(parcels, piece, fold_warps<P>(part, WARPS, false, State()));
    if (folds)
        return;
    State before = State();
    if (args.pieces > 1)
        before = state_before<P>(parcels, piece, args.pieces);
    stretch.store(p, first, piece > 0 || warp > 0, fold_warps<P>(part, warp, piece > 0, before));
}

}  // namespace cuna

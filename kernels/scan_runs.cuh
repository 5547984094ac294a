// scan_runs.cuh: prefix scans along an axis by blocks of one lane. Each input element is read once, results are the
// same for any number of threads.
//
// A generated Program gives State, identity(), lift(j, i) (element j of the run, at position i of the scanned axis),
// combine(a, b), put(j, i, a) (stores element j of all outputs from its state a), kept(args) and MAX_KEPT (how many axes
// are kept, and at most) beside what walk.cuh lists. A block
// keeps the states of a tile of elements in the second cache. It combines them within short stretches, of which several
// are under way at once, since one alone would wait for each sum. When the state before the tile arrives from the block
// that has the tile before, it passes on the state after its tile, then combines and stores its elements. No state is
// combined with an identity.
//
// A block that waits for long does the other's work: that thread has lost its core, maybe for the time of a thousand
// tiles. It folds the missing tiles and publishes their states in place of their blocks, which will publish the same.
// A block publishes its state before it stores its first element, so a block that finds no state has read unchanged
// elements.
namespace cuna {

template <int OPERANDS, int SCALARS, int KEPT, int REDUCED>
struct Scan {
    word pointer[OPERANDS];
    word scalar[SCALARS > 0 ? SCALARS : 1][2];
    word shape[KEPT > 0 ? KEPT : 1];
    word stride[OPERANDS][KEPT > 0 ? KEPT : 1];
    word reduced_shape[REDUCED];
    word reduced_stride[OPERANDS][REDUCED];
    word count;      // elements of the scanned axis
    word rows;       // rows (SCAN_ROWS), or rows of the kept axes but the innermost (SCAN_COLUMNS)
    word tile;       // elements of a row (SCAN_TILES) or columns (SCAN_COLUMNS) that a block does at most
    word span;       // rows that a block does, where rows are short; positions of the axis (SCAN_COLUMNS)
    word pieces;     // tiles of a row, or pieces that the innermost kept axis is cut into
    word dense;      // rows follow each other for all operands
    word streaming;  // whether the output goes past the caches
    word workspace;  // the counter of tickets, and what blocks tell each other; 0: they do not wait for others
};

enum { SLOT_ROOM = STATE_NBYTES / 4 };  // slots for a state
enum { PATIENCE = 512 };                // tries before a block does another's work

// Moves p to position `rest` of the row-major space of the first `axes` kept axes.
template <class P>
CUNA_INLINE void go_to_row(P &p, const typename P::Args &args, int axes, word rest)
{
    for (int axis = axes - 1; axis >= 0; --axis) {
        p.step(args, axis, typename P::index(rest % args.shape[axis]));
        rest /= args.shape[axis];
    }
}

// ---- the loops over elements: an interpreter has its own in place of these ----

enum { CHAINS = 8 };  // stretches under way at once

// Lifts elements [first, first + n) of p.
template <class P>
CUNA_INLINE void lift_run(const P &p, typename P::State *to, int first, int n, int64 position)
{
    CUNA_IVDEP
    for (int j = 0; j < n; ++j)
        to[j] = p.lift(first + j, position + j);
}

// Stores n elements from their states.
template <class P>
CUNA_INLINE void put_run(const P &p, const typename P::State *s, int n)
{
    CUNA_IVDEP
    for (int j = 0; j < n; ++j)
        p.put(j, j, s[j]);
}

template <class P>
CUNA_INLINE typename P::State follow(const P &, bool has, typename P::State before, typename P::State state)
{
    return follow<P>(has, before, state);
}

// The states of a stretch: `CHAINS` parts of `length` elements, each scanned by itself.
template <class P>
CUNA_OUTLINE void scan_chains(typename P::State *s, int length, int pitch)
{
    typename P::State state[CHAINS];
    CUNA_UNROLL
    for (int l = 0; l < CHAINS; ++l)
        state[l] = s[l * pitch];
    for (int j = 1; j < length; ++j)
        CUNA_UNROLL
        for (int l = 0; l < CHAINS; ++l)
            s[l * pitch + j] = state[l] = P::combine(state[l], s[l * pitch + j]);
}

template <class P>
CUNA_INLINE void scan_chain(typename P::State *s, int length)
{
    for (int j = 1; j < length; ++j)
        s[j] = P::combine(s[j - 1], s[j]);
}

// A panel: chains that are as long, then the rest as one more.
template <class P>
CUNA_INLINE void scan_panel(const P &, typename P::State *panel, int m)
{
    const int length = m / CHAINS;
    if (length > 0)
        scan_chains<P>(panel, length, length);
    scan_chain<P>(panel + length * CHAINS, m - length * CHAINS);
}

// The state after a panel of scanned chains: they are combined one after another, as `store_panel` does it.
template <class P>
CUNA_INLINE typename P::State total_panel(const P &, const typename P::State *panel, int m, bool has,
                                          typename P::State before)
{
    const int length = m / CHAINS;
    for (int l = 0; l < CHAINS && length > 0; ++l) {
        before = follow<P>(has, before, panel[(l + 1) * length - 1]);
        has = true;
    }
    if (length * CHAINS < m)
        before = follow<P>(has, before, panel[m - 1]);
    return before;
}

template <class P>
CUNA_OUTLINE void store_chain(const P &to, const typename P::State *chain, int length, int j, int64 position, bool has,
                              typename P::State before)
{
    const P p = to;
    if (P::EXCLUSIVE) {
        p.put(j, position, has ? before : P::identity());
        ++j, ++position, --length;
    }
    if (has) {
        CUNA_IVDEP
        for (int k = 0; k < length; ++k)
            p.put(j + k, position + k, P::combine(before, chain[k]));
    } else {
        CUNA_IVDEP
        for (int k = 0; k < length; ++k)
            p.put(j + k, position + k, chain[k]);
    }
}

// Stores elements [0, m) of p from a panel after `before`, and returns the state after them.
template <class P>
CUNA_OUTLINE typename P::State store_panel(const P &p, const typename P::State *panel, int m, int64 position, bool has,
                                           typename P::State before)
{
    const int length = m / CHAINS;
    for (int l = 0; l < CHAINS && length > 0; ++l) {
        const typename P::State *const chain = panel + l * length;
        store_chain(p, chain, length, l * length, position + l * length, has, before);
        before = follow<P>(has, before, chain[length - 1]);
        has = true;
    }
    const int done = length * CHAINS;
    if (done < m) {
        store_chain(p, panel + done, m - done, done, position + done, has, before);
        before = follow<P>(has, before, panel[m - 1]);
    }
    return before;
}

// Rows of n elements, eight under way at once.
template <class P>
CUNA_INLINE void scan_packed(const P &, typename P::State *s, int rows, int n)
{
    int row = 0;
    for (; row + CHAINS <= rows; row += CHAINS)
        scan_chains<P>(s + row * n, n, n);
    for (; row < rows; ++row)
        scan_chain<P>(s + row * n, n);
}

// ---- tiles ----

// The tile of a row: its states, in panels of chains. A panel is lifted, scanned and later combined with what is before
// each chain.
template <class P>
struct RowTile {
    typedef typename P::State State;
    typedef typename P::index index;
    enum { LONG = sizeof(State) <= 4 ? 128 : 64, PANEL = CHAINS * LONG, ROOM = SCAN_TILE };
    alignas(64) State s[ROOM];

    // Lifts and scans elements [0, n) of p.
    CUNA_OUTLINE void fill(const P &from, int n, int64 position)
    {
        const P p = from;
        for (int first = 0; first < n; first += PANEL) {
            const int m = n - first < PANEL ? n - first : int(PANEL);
            lift_run(p, s + first, first, m, position + first);
            scan_panel(p, s + first, m);
        }
    }

    // The state of all n elements after `before`.
    CUNA_OUTLINE State total(const P &p, int n, bool has, State before) const
    {
        for (int first = 0; first < n; first += PANEL) {
            before = total_panel(p, s + first, n - first < PANEL ? n - first : int(PANEL), has, before);
            has = true;
        }
        return before;
    }

    // Stores elements [0, n) of p after `before`.
    CUNA_OUTLINE void store(const P &p, int n, int64 position, bool has, State before, bool streaming) const
    {
        enum { BUFFERED = P::STREAMS ? int(PANEL) : 1 };
        alignas(64) typename P::Out buffer[BUFFERED];
        const bool buffered = P::STREAMS && streaming;
        for (int first = 0; first < n; first += PANEL) {
            const int m = n - first < PANEL ? n - first : int(PANEL);
            P q = p;
            q.advance(first);
            if (!buffered) {
                before = store_panel(q, s + first, m, position + first, has, before);
            } else {
                typename P::Out *const out = q.out();
                q.redirect(buffer);
                before = store_panel(q, s + first, m, position + first, has, before);
                stream_out(out, buffer, m * int(sizeof *buffer));
            }
            has = true;
        }
    }
};

// Stores past the caches are not ordered with others by themselves.
template <class Args>
CUNA_INLINE void end_scan(const Args &args)
{
    if (args.streaming != 0)
        stream_fence();
}

// Long rows: the published states of their tiles, and how they are cut.
template <class P>
struct LongRow {
    typedef typename P::State State;
    typedef typename P::index index;
    P start;
    const typename P::Args &args;
    uint64 *parcels;

    CUNA_INLINE LongRow(const typename P::Args &a, word row) : start(a), args(a)
    {
        parcels = (uint64 *)a.workspace + SLOT_ROOM + row * a.pieces * SLOT_ROOM;
        go_to_row(start, a, P::kept(a), row);
    }
    CUNA_INLINE P at(word piece) const
    {
        P p = start;
        p.advance(index(piece * args.tile));
        p.begin();
        return p;
    }
    CUNA_INLINE bool hear(State &state, word piece) const { return receive(state, parcels + piece * SLOT_ROOM, 1); }
    CUNA_INLINE void tell(State state, word piece) const { publish(parcels + piece * SLOT_ROOM, state, 1); }

    // The state after a tile, made of the state before it in place of the block that has it.
    CUNA_OUTLINE State make(word piece, State before) const
    {
        RowTile<P> tile;
        State state;
        const P p = at(piece);
        tile.fill(p, int(args.tile), piece * args.tile);
        const State made = tile.total(p, int(args.tile), piece > 0, before);
        settle();
        if (hear(state, piece))
            return state;
        tell(made, piece);
        return made;
    }

    // The state after a tile that is not the last one.
    CUNA_INLINE State behind(word piece) const
    {
        State state = State();
        for (int tries = 0; tries < PATIENCE; ++tries) {
            if (hear(state, piece))
                return state;
            relax(tries);
        }
        word next = piece;
        while (next > 0 && !hear(state, next - 1))
            --next;
        for (; next <= piece; ++next)
            state = make(next, state);
        return state;
    }
};

// SCAN_TILES: tiles of long rows. Rows take turns, so that few blocks wait.
template <class P>
CUNA_INLINE void scan_tiles(const typename P::Args &args, unsigned)
{
    typedef typename P::State State;
    RowTile<P> tile;
    const word number = take_ticket((uint64 *)args.workspace), piece = number / args.rows, first = piece * args.tile;
    const int n = int(args.count - first < args.tile ? args.count - first : args.tile);
    const LongRow<P> row(args, number % args.rows);
    const P p = row.at(piece);
    tile.fill(p, n, first);
    State before = State();
    if (piece > 0)
        before = row.behind(piece - 1);
    if (piece + 1 < args.pieces)
        row.tell(tile.total(p, n, piece > 0, before), piece);
    settle();
    tile.store(p, n, first, piece > 0, before, args.streaming != 0);
    end_scan(args);
}

// Several short rows: their states side by side.
template <class P>
struct ShortRows {
    typedef typename P::State State;
    alignas(64) State s[SCAN_TILE];

    CUNA_INLINE void move(int rows, int n)
    {
        for (int row = 0; row < rows; ++row) {
            State *const first = s + row * n;
            for (int j = n - 1; j > 0; --j)
                first[j] = first[j - 1];
            first[0] = P::identity();
        }
    }
};

// Steps from row to row.
template <class P>
struct RowWalk {
    typedef typename P::index index;
    index position[P::MAX_KEPT > 0 ? P::MAX_KEPT : 1];
    P p;
    CUNA_INLINE RowWalk(const typename P::Args &args, word row) : p(args)
    {
        for (int axis = P::kept(args) - 1; axis >= 0; --axis) {
            position[axis] = index(row % args.shape[axis]);
            row /= args.shape[axis];
            p.step(args, axis, position[axis]);
        }
    }
    CUNA_INLINE void next(const typename P::Args &args)
    {
        for (int axis = P::kept(args) - 1; axis >= 0; --axis) {
            p.step(args, axis, 1);
            if (++position[axis] < args.shape[axis])
                break;
            p.step(args, axis, -position[axis]);
            position[axis] = 0;
        }
    }
};

template <class P>
CUNA_INLINE void scan_short_rows(const typename P::Args &args, unsigned block)
{
    ShortRows<P> packed;
    const word first = word(block) * args.span;
    const int rows = int(first + args.span < args.rows ? args.span : args.rows - first), n = int(args.count);
    const int runs = args.dense ? 1 : rows, length = args.dense ? rows * n : n;
    RowWalk<P> walk(args, first);
    RowWalk<P> again = walk;
    for (int run = 0; run < runs; ++run) {
        P p = walk.p;
        p.begin();
        lift_run(p, packed.s + run * n, 0, length, 0);
        walk.next(args);
    }
    scan_packed(walk.p, packed.s, rows, n);
    if (P::EXCLUSIVE)
        packed.move(rows, n);
    for (int run = 0; run < runs; ++run) {
        P p = again.p;
        p.begin();
        put_run(p, packed.s + run * n, length);
        again.next(args);
    }
}

// Rows that are one tile each, by stretches of their own.
template <class P>
CUNA_INLINE void scan_whole_rows(const typename P::Args &args, unsigned block)
{
    RowTile<P> tile;
    const word first = word(block) * args.span, last = first + args.span < args.rows ? first + args.span : args.rows;
    RowWalk<P> walk(args, first);
    for (word row = first; row < last; ++row) {
        P p = walk.p;
        p.begin();
        tile.fill(p, int(args.count), 0);
        tile.store(p, int(args.count), 0, false, typename P::State(), args.streaming != 0);
        walk.next(args);
    }
}

// SCAN_ROWS: rows that are one tile each, or less.
template <class P>
CUNA_INLINE void scan_rows(const typename P::Args &args, unsigned block)
{
    if (args.count <= SCAN_SHORT)
        scan_short_rows<P>(args, block);
    else
        scan_whole_rows<P>(args, block);
    end_scan(args);
}

}  // namespace cuna

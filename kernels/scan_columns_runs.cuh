// scan_columns_runs.cuh: scans of columns by blocks of one lane. Columns lie along the innermost kept axis and are the
// elements of a run. A block scans some of them from end to end; if they are few and long, blocks scan tiles and pass
// states on, as for long rows.
namespace cuna {

// One position of all columns of a run, with their states so far.
template <class P, bool FIRST>
CUNA_INLINE void scan_across(const P &p, typename P::State *s, int n, int64 i)
{
    CUNA_IVDEP
    for (int j = 0; j < n; ++j) {
        const typename P::State x = p.lift(j, i), sum = FIRST ? x : P::combine(s[j], x);
        p.put(j, i, P::EXCLUSIVE ? (FIRST ? P::identity() : s[j]) : sum);
        s[j] = sum;
    }
}

// The states after others, or as they are where there are none before.
template <class P>
CUNA_INLINE void follow_row(const P &, typename P::State *to, const typename P::State *before,
                            const typename P::State *row, int n, bool has)
{
    for (int j = 0; j < n; ++j)
        to[j] = follow<P>(has, before[j], row[j]);
}

// SCAN_COLUMNS: the innermost kept axis is the run, and each of its elements has its own state.
template <class P>
CUNA_INLINE void scan_whole_columns(P p, const typename P::Args &args, int n)
{
    enum { BUFFERED = P::STREAMS ? int(SCAN_COLUMNS) : 1 };
    alignas(64) typename P::State s[SCAN_COLUMNS];
    alignas(64) typename P::Out buffer[BUFFERED];
    const bool buffered = P::STREAMS && args.streaming != 0;
    for (word i = 0; i < args.count; ++i) {
        typename P::Out *const out = p.out();
        P q = p;
        q.begin();
        if (buffered)
            q.redirect(buffer);
        if (i == 0)
            scan_across<P, true>(q, s, n, i);
        else
            scan_across<P, false>(q, s, n, i);
        if (buffered)
            stream_out(out, buffer, n * int(sizeof *buffer));
        p.step_reduced(args, 0, 1);
    }
}

// A tile of few columns and many positions: states s[position][column].
template <class P>
struct ColumnTile {
    typedef typename P::State State;
    alignas(64) State s[SCAN_TILE], before[SCAN_COLUMNS];

    CUNA_OUTLINE void fill(P p, const typename P::Args &args, int n, int height, int64 first)
    {
        for (int i = 0; i < height; ++i) {
            State *const row = s + i * n;
            p.begin();
            if (i == 0) {
                CUNA_IVDEP
                for (int j = 0; j < n; ++j)
                    row[j] = p.lift(j, first);
            } else {
                CUNA_IVDEP
                for (int j = 0; j < n; ++j)
                    row[j] = P::combine(row[j - n], p.lift(j, first + i));
            }
            p.step_reduced(args, 0, 1);
        }
    }

    // Stores position `first + i` from the states of row `from`.
    CUNA_INLINE void store_row(const P &p, int from, int n, int64 i, bool has) const
    {
        const State *const row = s + (from < 0 ? 0 : from) * n;
        if (from < 0) {
            for (int j = 0; j < n; ++j)
                p.put(j, i, has ? before[j] : P::identity());
        } else if (has) {
            CUNA_IVDEP
            for (int j = 0; j < n; ++j)
                p.put(j, i, P::combine(before[j], row[j]));
        } else {
            CUNA_IVDEP
            for (int j = 0; j < n; ++j)
                p.put(j, i, row[j]);
        }
    }

    CUNA_INLINE void store(P p, const typename P::Args &args, int n, int height, int64 first, bool has) const
    {
        enum { BUFFERED = P::STREAMS ? int(SCAN_COLUMNS) : 1 };
        alignas(64) typename P::Out buffer[BUFFERED];
        const bool buffered = P::STREAMS && args.streaming != 0;
        for (int i = 0; i < height; ++i) {
            typename P::Out *const out = p.out();
            P q = p;
            q.begin();
            if (buffered)
                q.redirect(buffer);
            store_row(q, i - P::EXCLUSIVE, n, first + i, has);
            if (buffered)
                stream_out(out, buffer, n * int(sizeof *buffer));
            p.step_reduced(args, 0, 1);
        }
    }
};

// Long columns: a strip of them, the published states of its tiles, and how it is cut. A flag says that the states
// after a tile are published.
template <class P>
struct LongColumns {
    typedef typename P::State State;
    typedef typename P::index index;
    P start;
    const typename P::Args &args;
    uint64 *flags;
    State *states;
    int n;

    CUNA_INLINE LongColumns(const typename P::Args &a, word strip) : start(a), args(a)
    {
        const int outer = P::kept(a) - 1;
        const word strips = a.rows * a.pieces, column = strip % a.pieces * a.tile, left = a.shape[outer] - column;
        const word segments = (a.count + a.span - 1) / a.span;
        n = int(left < a.tile ? left : a.tile);
        flags = (uint64 *)a.workspace + SLOT_ROOM + strip * segments;
        const word room = (strips * segments + SLOT_ROOM - 1) / SLOT_ROOM * SLOT_ROOM;
        states = (State *)((uint64 *)a.workspace + SLOT_ROOM + room) + strip * segments * a.tile;
        go_to_row(start, a, outer, strip / a.pieces);
        start.step(a, outer, index(column));
    }
    CUNA_INLINE P at(word segment) const
    {
        P p = start;
        p.step_reduced(args, 0, index(segment * args.span));
        return p;
    }
    CUNA_OUTLINE bool hear(State *to, word segment) const
    {
        if (get_slot(flags + segment) == 0)
            return false;
        settle();
        for (int j = 0; j < n; ++j)
            to[j] = states[segment * args.tile + j];
        return true;
    }
    CUNA_OUTLINE void tell(const ColumnTile<P> &tile, int height, word segment) const
    {
        follow_row(start, states + segment * args.tile, tile.before, tile.s + (height - 1) * n, n, segment > 0);
        settle();
        put_slot(flags + segment, 1);
    }

    // The states after a tile, made of those before it in place of the block that has it.
    CUNA_OUTLINE void make(State *state, word segment) const
    {
        ColumnTile<P> tile;
        tile.fill(at(segment), args, n, int(args.span), segment * args.span);
        for (int j = 0; j < n; ++j)
            tile.before[j] = state[j];
        settle();
        if (hear(state, segment))
            return;
        tell(tile, int(args.span), segment);
        hear(state, segment);
    }

    // The states after a tile that is not the last one.
    CUNA_INLINE void behind(State *state, word segment) const
    {
        for (int tries = 0; tries < PATIENCE; ++tries) {
            if (hear(state, segment))
                return;
            relax(tries);
        }
        word next = segment;
        while (next > 0 && !hear(state, next - 1))
            --next;
        for (; next <= segment; ++next)
            make(state, next);
    }
};

// A tile of long columns. Strips take turns.
template <class P>
CUNA_INLINE void scan_long_columns(const typename P::Args &args)
{
    ColumnTile<P> tile;
    const word number = take_ticket((uint64 *)args.workspace), strips = args.rows * args.pieces;
    const word segment = number / strips;
    const word first = segment * args.span;
    const int height = int(args.count - first < args.span ? args.count - first : args.span);
    const LongColumns<P> columns(args, number % strips);
    const P p = columns.at(segment);
    tile.fill(p, args, columns.n, height, first);
    if (segment > 0)
        columns.behind(tile.before, segment - 1);
    if (first + height < args.count)
        columns.tell(tile, height, segment);
    settle();
    tile.store(p, args, columns.n, height, first, segment > 0);
}

template <class P>
CUNA_INLINE void scan_columns(const typename P::Args &args, unsigned block)
{
    if (args.workspace != 0) {
        scan_long_columns<P>(args);
    } else {
        const int outer = P::kept(args) - 1;
        const word column = block % args.pieces * args.tile, left = args.shape[outer] - column;
        P p(args);
        go_to_row(p, args, outer, block / args.pieces);
        p.step(args, outer, typename P::index(column));
        scan_whole_columns(p, args, int(left < args.tile ? left : args.tile));
    }
    end_scan(args);
}

}  // namespace cuna

// reduce_runs.cuh: folds over axes by blocks of one lane. Each input element is read once; results are the same for any
// number of threads, because the cut into segments and the order of combining depend on shapes alone.
//
// A generated Program gives State, identity(), lift(j, i) (element j of the run, at position i of the folded space),
// combine(a, b), and write(state, n, extra) beside what walk.cuh lists. One block folds a segment of the folded space of
// one output (FOLD_ROWS) or of a run of outputs (FOLD_COLUMNS); when there are several segments the states go to a
// workspace [output][segment] and a second kernel, merge, combines them.
namespace cuna {

template <int OPERANDS, int SCALARS, int KEPT, int REDUCED>
struct Fold {
    word pointer[OPERANDS];
    word scalar[SCALARS > 0 ? SCALARS : 1][2];
    word shape[KEPT > 0 ? KEPT : 1];
    word stride[OPERANDS][KEPT > 0 ? KEPT : 1];
    word reduced_shape[REDUCED > 0 ? REDUCED : 1];
    word reduced_stride[OPERANDS][REDUCED > 0 ? REDUCED : 1];
    word outputs;   // results
    word count;     // elements folded into each
    word tile;      // elements of a run at most
    word pieces;    // runs that a row is cut into
    word rows;      // outputs (FOLD_ROWS) that one block does
    word segments;  // parts that the folded space is cut into
    word runs;      // runs (FOLD_ROWS) or rows (FOLD_COLUMNS) of a segment
    word length;    // elements of a row (FOLD_ROWS), of whose pieces runs are made
    double extra;   // a number for finish
    word workspace; // states of segments
};

template <class P>
CUNA_INLINE void add_run(typename P::State &state, const P &p, typename P::index count, int64 position)
{
    state = fold_run(state, p, count, position);
}

// Moves p to position `rest` of a row-major space of the given axes.
template <class P, class S>
CUNA_INLINE void go_to(P &p, const typename P::Args &args, const S &shape, int axes, word rest, bool reduced)
{
    typedef typename P::index index;
    for (int axis = axes - 1; axis >= 0; --axis) {
        if (reduced)
            p.step_reduced(args, axis, index(rest % shape[axis]));
        else
            p.step(args, axis, index(rest % shape[axis]));
        rest /= shape[axis];
    }
}

// A run whose row has several rows of the operands: what each of them has of it.
template <class P, class PART>
CUNA_INLINE void each_part(const P &kept, const typename P::Args &args, word position, typename P::index n, const PART &part)
{
    typedef typename P::index index;
    const int outer = P::reduced(args) - 1;
    const word inner = args.reduced_shape[outer];
    for (index done = 0, m; done < n; done += m) {
        const word at = position + done, left = inner - at % inner;
        m = n - done < left ? n - done : index(left);
        P p = kept;
        go_to(p, args, args.reduced_shape, outer, at / inner, true);
        p.advance(index(at % inner));
        p.begin();
        part(p, m, at, done);
    }
}

template <class P, class State>
struct Parts {
    enum { LANES = lane_states(sizeof(State)) };
    struct Lanes {
        State *state;
        CUNA_INLINE void operator()(const P &p, typename P::index m, int64 at, int64 done) const
        {
            fold_lanes(*(State(*)[LANES])state, p, m, at, done);
        }
    };
    static CUNA_INLINE State add(State state, const P &kept, const typename P::Args &args, word position,
                                typename P::index n)
    {
        State lane_state[LANES];
        for (int l = 0; l < LANES; ++l)
            lane_state[l] = P::identity();
        const Lanes lanes = {lane_state};
        each_part(kept, args, position, n, lanes);
        return P::combine(state, Join<P, LANES>::all(lane_state));
    }
};

template <class P, class V, class O>
struct Parts<P, Arg<V, O>> {
    struct Best {
        Arg<V, O> *best;
        CUNA_INLINE void operator()(const P &p, typename P::index m, int64 at, int64) const
        {
            *best = fold_run(*best, p, m, at);
        }
    };
    static CUNA_INLINE Arg<V, O> add(Arg<V, O> state, const P &kept, const typename P::Args &args, word position,
                                     typename P::index n)
    {
        const Best best = {&state};
        each_part(kept, args, position, n, best);
        return state;
    }
};

template <class P>
CUNA_INLINE void add_parts(typename P::State &state, const P &kept, const typename P::Args &args, word position,
                           typename P::index n)
{
    state = Parts<P, typename P::State>::add(state, kept, args, position, n);
}

// As fold_runs, where rows of the operands are not rows of the fold. Apart, with a copy: a program whose address is taken
// does not stay in registers.
template <class P>
CUNA_APART typename P::State fold_parts(P kept, const typename P::Args &args, word row, word piece, word from, word to)
{
    typedef typename P::index index;
    typename P::State state = kept.identity();
    for (word at = from; at < to; ++at) {
        const word first = piece * args.tile, left = args.length - first;
        add_parts(state, kept, args, row * args.length + first, index(left < args.tile ? left : args.tile));
        if (++piece == args.pieces) {
            piece = 0;
            ++row;
        }
    }
    return state;
}

// Folds runs [from, to) of one output; a run is a piece of a row of the folded space, the first one piece `piece` of row
// `row`.
template <class P>
CUNA_INLINE typename P::State fold_runs(const P &kept, const typename P::Args &args, word row, word piece, word from, word to)
{
    typedef typename P::index index;
    typedef typename P::State State;
    const int outer = P::reduced(args) - 1;
    const word inner = args.reduced_shape[outer];
    if (args.length != inner)
        return fold_parts(kept, args, row, piece, from, to);
    State state = kept.identity();
    for (word at = from; at < to; ++at) {
        const word first = piece * args.tile;
        P p = kept;
        go_to(p, args, args.reduced_shape, outer, row, true);
        p.advance(index(first));
        p.begin();
        const index n = index(inner - first < args.tile ? inner - first : args.tile);
        add_run(state, p, n, row * inner + first);
        if (++piece == args.pieces) {
            piece = 0;
            ++row;
        }
    }
    return state;
}

// Folds runs [from, to) of each of some outputs along the innermost kept axis, at least of one and at most of `most`;
// returns of how many.
template <class P>
CUNA_INLINE word fold_outputs(const P &p, const typename P::Args &args, word output, word, word segment, word row,
                              word piece, word from, word to)
{
    keep(p, args, output, segment, fold_runs(p, args, row, piece, from, to));
    return 1;
}

template <class P>
CUNA_INLINE void fold_rows(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    const word segment = block % args.segments, first = block / args.segments * args.rows;
    const word last = first + args.rows < args.outputs ? first + args.rows : args.outputs;
    const word runs = args.count / (args.length > 0 ? args.length : 1) * args.pieces;
    const word from = segment * args.runs, to = from + args.runs < runs ? from + args.runs : runs;
    const word row = from / args.pieces, piece = from % args.pieces;
    index position[P::MAX_KEPT];
    P p(args);
    word rest = first;
    for (int axis = P::kept(args) - 1; axis >= 0; --axis) {
        position[axis] = index(rest % args.shape[axis]);
        rest /= args.shape[axis];
        p.step(args, axis, position[axis]);
    }
    const int outer = P::kept(args) - 1;
    for (word output = first, done; output < last; output += done) {
        const word left = outer >= 0 ? args.shape[outer] - position[outer] : 1;
        done = fold_outputs(p, args, output, left < last - output ? left : last - output, segment, row, piece, from, to);
        index n = index(done);
        for (int axis = outer; axis >= 0; --axis, n = 1) {
            p.step(args, axis, n);
            if ((position[axis] += n) < args.shape[axis])
                break;
            p.step(args, axis, -position[axis]);
            position[axis] = 0;
        }
    }
}

// Rows of states, one for each element of a run: what they begin with, a run added to them, other states added, and
// where they go. Walks call them with all that an interpreter needs to have its own.
template <class P>
CUNA_INLINE void begin_states(const P &p, typename P::State *state, typename P::index n)
{
    for (typename P::index j = 0; j < n; ++j)
        state[j] = p.identity();
}

template <class P>
CUNA_INLINE void fold_states(typename P::State *state, const P &p, typename P::index n, int64 position)
{
    CUNA_IVDEP
    for (typename P::index j = 0; j < n; ++j)
        state[j] = P::combine(state[j], p.lift(j, position));
}

// Positions grow from call to call.
template <class P, class V, class O>
CUNA_INLINE void fold_states(Arg<V, O> *state, const P &p, typename P::index n, int64 position)
{
    for (typename P::index j = 0; j < n; ++j)
        state[j] = fold_in<P>(state[j], p.lift(j, position));
}

// Moves p `rows` rows further, at most to the end of the innermost axis.
template <class P>
CUNA_INLINE void step_on(P &p, const typename P::Args &args, typename P::index rows, typename P::index *position)
{
    for (int axis = P::reduced(args) - 1; axis >= 0; --axis, rows = 1) {
        p.step_reduced(args, axis, rows);
        if ((position[axis] += rows) < args.reduced_shape[axis])
            break;
        p.step_reduced(args, axis, -position[axis]);
        position[axis] = 0;
    }
}

// Folds rows [from, to).
template <class P>
CUNA_INLINE void fold_pass(typename P::State *state, P &p, const typename P::Args &args, typename P::index n, word from,
                           word to, typename P::index *position)
{
    for (; from < to; ++from) {
        p.begin();
        fold_states(state, p, n, from);
        step_on(p, args, 1, position);
    }
}

template <class P>
CUNA_INLINE void join_states(const P &, typename P::State *state, const typename P::State *other, typename P::index n)
{
    for (typename P::index j = 0; j < n; ++j)
        state[j] = P::combine(state[j], other[j]);
}

template <class P>
CUNA_INLINE void keep_states(P &p, const typename P::Args &args, word output, word segment, const typename P::State *state,
                             typename P::index n)
{
    for (typename P::index j = 0; j < n; ++j) {
        keep(p, args, output + j, segment, state[j]);
        p.step(args, P::kept(args) - 1, 1);
    }
}

// The innermost kept axis is the run: each of its elements has its own state. States are combined in passes, so
// that rounding errors grow with the passes and not with the rows.
template <class P>
CUNA_INLINE void fold_columns(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    typedef typename P::State State;
    const int outer = P::kept(args) - 1;
    const word segment = block % args.segments, piece = block / args.segments % args.pieces * args.tile;
    const word inner = args.shape[outer], row = block / args.segments / args.pieces;
    const index n = index(inner - piece < args.tile ? inner - piece : args.tile);
    const word from = segment * args.runs, to = from + args.runs < args.count ? from + args.runs : args.count;
    alignas(64) State total[FOLD_COLUMNS], part[FOLD_COLUMNS];
    P kept(args);
    go_to(kept, args, args.shape, outer, row, false);
    kept.step(args, outer, index(piece));
    begin_states(kept, total, n);
    index position[P::MAX_REDUCED];
    P p = kept;
    word rest = from;
    for (int axis = P::reduced(args) - 1; axis >= 0; --axis) {
        position[axis] = index(rest % args.reduced_shape[axis]);
        rest /= args.reduced_shape[axis];
        p.step_reduced(args, axis, position[axis]);
    }
    for (word at = from; at < to;) {
        begin_states(kept, part, n);
        const word stop = at + FOLD_PASS < to ? at + FOLD_PASS : to;
        fold_pass(part, p, args, n, at, stop, position);
        at = stop;
        join_states(p, total, part, n);
    }
    keep_states(kept, args, row * inner + piece, segment, total, n);
}

// The rows of a packed square, with which states begin.
template <class P, class S>
CUNA_INLINE void fold_square(S *state, const P &kept, const typename P::Args &args, const typename P::Tiles &packed,
                             int height, int width)
{
    for (int i = 0; i < height; ++i) {
        P p = kept;
        p.step_reduced(args, 0, i);
        p.use(packed, i);
        p.begin();
        fold_states(state, p, typename P::index(width), i);
    }
}

// The same of positions: values and positions, of one width, are compared side by side.
template <class P, class V, class O>
CUNA_INLINE void fold_square(Arg<V, O> *state, const P &kept, const typename P::Args &args,
                             const typename P::Tiles &packed, int height, int width)
{
    V value[TILE_SIDE];
    int at[TILE_SIDE];
    for (int j = 0; j < width; ++j)
        value[j] = state[j].value, at[j] = -1;
    for (int i = 0; i < height; ++i) {
        P p = kept;
        p.step_reduced(args, 0, i);
        p.use(packed, i);
        p.begin();
        CUNA_IVDEP
        for (int j = 0; j < width; ++j) {
            const V element = p.lift(j, i).value;
            const bool better = O::valid(element) & ((at[j] < 0) | O::better(element, value[j]));
            value[j] = better ? element : value[j];
            at[j] = better ? i : at[j];
        }
    }
    for (int j = 0; j < width; ++j)
        state[j].value = value[j], state[j].index = at[j];
}

// Rows too short to be runs: a square of them is packed, transposed, so that its columns become runs as above. Each
// element is loaded once and passes through the cache once more.
template <class P>
CUNA_INLINE void fold_tiles(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    const int outer = P::kept(args) - 1;
    const word piece = block % args.pieces * args.tile, inner = args.shape[outer], row = block / args.pieces;
    const int width = int(inner - piece < args.tile ? inner - piece : args.tile), height = int(args.count);
    typename P::State state[TILE_SIDE];
    typename P::Tiles packed;
    P kept(args);
    go_to(kept, args, args.shape, outer, row, false);
    kept.step(args, outer, index(piece));
    P::pack(packed, kept, args, height, width);
    begin_states(kept, state, index(width));
    fold_square(state, kept, args, packed, height, width);
    keep_states(kept, args, row * inner + piece, 0, state, index(width));
}

// Combines the segments of each output in order.
template <class P>
CUNA_INLINE void merge(const typename P::Args &args, unsigned block)
{
    const word first = word(block) * args.tile;
    const word last = first + args.tile < args.outputs ? first + args.tile : args.outputs;
    for (word output = first; output < last; ++output) {
        const typename P::State *states = (const typename P::State *)args.workspace + output * args.segments;
        typename P::State state = states[0];
        P p(args);
        for (word segment = 1; segment < args.segments; ++segment)
            state = p.combine(state, states[segment]);
        go_to(p, args, args.shape, P::kept(args), output, false);
        p.write(state, args.count, args.extra);
    }
}

}  // namespace cuna

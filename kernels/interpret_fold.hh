// interpret_fold.hh: runs folds of the cpu device as steps over blocks (loop_code.h), by the walks that compiled kernels
// have (reduce_runs.cuh).
//
// Folded stands for the generated Program. Its states are bytes: what they are, only the reducer's loops know. A row of
// states, of which the walks keep arrays, holds them beside each other.
namespace cuna {

// The argument block, read by the counts in the code: the order of struct Fold.
struct FoldArgs : ReducedArgs {
    enum { CUT = 10 };
    word outputs, count, segments, runs, length, workspace;
    double extra;
    bool runs_reduced;

    // Reads the block; returns where its table is.
    CUNA_INLINE const word *read(const cuna_loop_code *c, const word *words)
    {
        const word *cut = find(c, words);
        outputs = cut[0];
        count = cut[1];
        tile = cut[2];
        pieces = cut[3];
        rows = cut[4];
        segments = cut[5];
        runs = cut[6];
        length = cut[7];
        extra = from_bits(uint64(cut[8]));
        workspace = cut[9];
        return cut + CUT;
    }

    CUNA_INLINE word run_step_of(int k) const
    {
        return runs_reduced ? reduced_step_of(k, code->reduced_rank - 1) : step_of(k, code->rank - 1);
    }
};

struct alignas(16) FoldedState {
    char bytes[STATE_NBYTES];
};

struct Folded {
    typedef int64 index;
    typedef FoldArgs Args;
    typedef FoldedState State;
    enum { MAX_KEPT = 16, MAX_REDUCED = 16 };
    struct Tiles {};
    const cuna_loop_code *code;
    Frame *frame;
    char *at_[LOOP_OPERANDS];

    static CUNA_INLINE int kept(const Args &args) { return args.code->rank; }
    static CUNA_INLINE int reduced(const Args &args) { return args.code->reduced_rank; }

    CUNA_INLINE explicit Folded(const Args &args) : code(args.code), frame(args.frame)
    {
        for (int k = 0; k < code->noperands; ++k)
            at_[k] = (char *)args.pointer[k];
    }
    CUNA_INLINE Folded(const Folded &p) : code(p.code), frame(p.frame)
    {
        for (int k = 0; k < code->noperands; ++k)
            at_[k] = p.at_[k];
    }
    CUNA_INLINE void step(const Args &args, int axis, index n)
    {
        for (int k = 0; k < code->noperands; ++k)
            at_[k] += args.step_of(k, axis) * n;
    }
    CUNA_INLINE void step_reduced(const Args &args, int axis, index n)
    {
        for (int k = 0; k < code->noperands; ++k)
            at_[k] += args.reduced_step_of(k, axis) * n;
    }
    CUNA_INLINE void advance(index n)
    {
        for (int k = 0; k < code->noperands; ++k)
            at_[k] += frame->stride[k] * n;
    }
    CUNA_INLINE void begin() {}
    static CUNA_INLINE void pack(Tiles &, const Folded &p, const Args &args, int height, int width)
    {
        pack_squares(p.at_, args, height, width);
    }
    CUNA_INLINE void use(const Tiles &, int row) { use_squares(at_, *code, *frame, row); }

    CUNA_INLINE State identity() const
    {
        State state;
        code->fold->begin(&state, 1);
        return state;
    }
    CUNA_INLINE State combine(State a, const State &b) const
    {
        code->fold->join(&a, &b, 1);
        return a;
    }
    CUNA_INLINE void write(const State &state, int64 n, double extra) const;
};

// Results of n states to memory, `stride` bytes apart.
static void convert_states(const cuna_loop_code &code, char *to, int64 stride, const char *states, int64 n, int64 count,
                           double extra)
{
    enum { BLOCK = 128, WIDEST = 16, STORED = 0, FINISHED = 1, CONVERTED = 2 };
    alignas(64) char finished[BLOCK * WIDEST], converted[BLOCK * WIDEST];
    Frame frame;
    frame.stride[STORED] = stride;
    frame.place[FINISHED] = finished;
    frame.place[CONVERTED] = converted;
    const unsigned char converts[] = {CONVERTED, FINISHED}, stores[] = {STORED, CONVERTED};
    for (int64 m; n > 0; n -= m, to += m * stride, states += m * code.fold->state_nbytes) {
        m = at_most(n, BLOCK);
        frame.place[STORED] = to;
        code.finish->run(finished, 0, states, m, count, extra);
        code.convert(&frame, converts, m);
        code.store(&frame, stores, m);
    }
}

CUNA_INLINE void write_states(const cuna_loop_code &code, char *to, int64 stride, const char *states, int64 n,
                              int64 count, double extra)
{
    if (code.convert == 0)
        code.finish->run(to, stride, states, n, count, extra);
    else
        convert_states(code, to, stride, states, n, count, extra);
}

CUNA_INLINE void Folded::write(const State &state, int64 n, double extra) const
{
    write_states(*code, at_[0], code->itemsize[0], state.bytes, 1, n, extra);
}

// Blocks of n elements from the run's first on: `fold` gets where the values are, how many, and how many came before; for
// loops of pairs, where both values of each are.
template <class FOLD>
CUNA_INLINE void fold_blocks(const Folded &p, int64 n, int64 position, const FOLD &fold)
{
    const cuna_loop_code &code = *p.code;
    Frame &frame = *p.frame;
    for (int k = 0; k < code.noperands; ++k)
        frame.place[k] = p.at_[k];
    frame.position = position;
    run_steps(code, frame, LOOP_RUN, at_most(n, code.block));
    for (int64 done = 0, m; done < n; done += m) {
        m = at_most(n - done, code.block);
        run_steps(code, frame, LOOP_BLOCK, m, code.pairs ? 1 : 0);
        if (code.pairs) {
            const unsigned char *at = code.steps[code.end[LOOP_BLOCK] - 1].at;
            fold.pairs(*code.pairs, frame.place[at[1]], frame.place[at[2]], m, done);
        } else
            fold(frame.place[code.folded], m, done);
        for (int k = 0; k < code.noperands; ++k)
            frame.place[k] += m * frame.stride[k];
        frame.position += m;
    }
}

// ---- what the walks call, beside the templates of reduce_runs.cuh ----

struct FoldRun {
    const cuna_loop_fold *loops;
    FoldedState *state;
    char *lanes;
    int64 n, position, before; // before: of the n elements, those of earlier parts
    CUNA_INLINE int ends(int64 m, int64 done) const
    {
        return (done == 0 ? LOOP_RUN_BEGINS : 0) | (done + m == n ? LOOP_RUN_ENDS : 0);
    }
    CUNA_INLINE void operator()(const char *values, int64 m, int64 at) const
    {
        const int64 done = before + at;
        loops->run(state, lanes, values, m, position + done, done, ends(m, done));
    }
    CUNA_INLINE void pairs(const cuna_loop_pairs &both, const char *first, const char *second, int64 m, int64 at) const
    {
        const int64 done = before + at;
        both.run(state, lanes, first, second, m, position + done, done, ends(m, done));
    }
};

// Whether values are folded where they lie.
CUNA_INLINE bool is_direct(const cuna_loop_code &code)
{
    return code.folded < code.noperands && code.end[LOOP_BLOCK] == code.end[LOOP_LAUNCH];
}

CUNA_INLINE void fold_part(const Folded &p, int64 m, int64 position, const FoldRun &run)
{
    if (is_direct(*p.code))
        run(p.at_[p.code->folded], m, 0);
    else
        fold_blocks(p, m, position, run);
}

// In place: a copy of a state would be read in other pieces than loops wrote it in, which processors are slow at.
CUNA_INLINE void add_run(FoldedState &state, const Folded &p, int64 n, int64 position)
{
    alignas(64) char lanes[LOOP_LANES_NBYTES];
    const FoldRun run = {p.code->fold, &state, lanes, n, position, 0};
    fold_part(p, n, position, run);
}

struct FoldParts {
    FoldRun run;
    CUNA_INLINE void operator()(const Folded &p, int64 m, int64 at, int64 done) const
    {
        FoldRun part = run;
        part.before = done;
        fold_part(p, m, at, part);
    }
};

CUNA_INLINE void add_parts(FoldedState &state, const Folded &kept, const FoldArgs &args, word position, int64 n)
{
    alignas(64) char lanes[LOOP_LANES_NBYTES];
    const FoldParts parts = {{kept.code->fold, &state, lanes, n, position, 0}};
    each_part(kept, args, position, n, parts);
}

struct FoldColumns {
    const cuna_loop_fold *loops;
    char *states;
    int64 position;
    CUNA_INLINE void operator()(const char *values, int64 m, int64 done) const
    {
        loops->columns(states + done * loops->state_nbytes, values, m, position, 1, 0);
    }
    CUNA_INLINE void pairs(const cuna_loop_pairs &both, const char *first, const char *second, int64 m, int64 done) const
    {
        both.columns(states + done * loops->state_nbytes, first, second, m, position);
    }
};

CUNA_INLINE void fold_states(FoldedState *state, const Folded &p, int64 n, int64 position)
{
    const FoldColumns columns = {p.code->fold, (char *)state, position};
    fold_blocks(p, n, position, columns);
}

// Rows that are folded where they lie go as far as the innermost axis in one call.
CUNA_INLINE void fold_pass(FoldedState *state, Folded &p, const FoldArgs &args, int64 n, word from, word to, int64 *position)
{
    const cuna_loop_code &code = *p.code;
    const int inner = code.reduced_rank - 1;
    const bool direct = is_direct(code);
    for (word rows; from < to; from += rows) {
        rows = direct ? at_most(to - from, args.reduced_shape[inner] - position[inner]) : 1;
        if (direct)
            code.fold->columns(state, p.at_[code.folded], n, from, rows, args.reduced_step_of(code.folded, inner));
        else
            fold_states(state, p, n, from);
        step_on(p, args, rows, position);
    }
}

CUNA_INLINE void begin_states(const Folded &p, FoldedState *state, int64 n) { p.code->fold->begin(state, n); }

CUNA_INLINE void join_states(const Folded &p, FoldedState *state, const FoldedState *other, int64 n)
{
    p.code->fold->join(state, other, n);
}

// States of a segment lie beside each other, which lets those of many outputs be merged at once.
CUNA_INLINE char *place_of(const FoldArgs &args, word output, word segment)
{
    return (char *)args.workspace + (segment * args.outputs + output) * args.code->fold->state_nbytes;
}

CUNA_INLINE void keep_states(Folded &p, const FoldArgs &args, word output, word segment, const FoldedState *state, int64 n)
{
    if (args.segments == 1)
        write_states(*args.code, p.at_[0], args.step_of(0, args.code->rank - 1), (const char *)state, n, args.count,
                     args.extra);
    else
        __builtin_memcpy(place_of(args, output, segment), state, n * args.code->fold->state_nbytes);
}

CUNA_INLINE void keep(const Folded &p, const FoldArgs &args, word output, word segment, const FoldedState &state)
{
    if (args.segments == 1)
        p.write(state, args.count, args.extra);
    else
        __builtin_memcpy(place_of(args, output, segment), &state, args.code->fold->state_nbytes);
}

// Outputs that lie along the innermost axis are merged side by side, at most as many as `state` holds.
CUNA_INLINE int64 merge_states(const FoldArgs &args, word first, word last)
{
    enum { MOST = 128 };
    FoldedState state[MOST];
    const cuna_loop_fold &loops = *args.code->fold;
    const int rank = args.code->rank;
    const word inner = rank > 0 ? args.shape[rank - 1] : 1;
    const int64 n = at_most(at_most(last - first, MOST), inner - first % inner);
    __builtin_memcpy(state, place_of(args, first, 0), n * loops.state_nbytes);
    for (word segment = 1; segment < args.segments; ++segment)
        loops.join(state, place_of(args, first, segment), n);
    Folded p(args);
    go_to(p, args, args.shape, rank, first, false);
    write_states(*args.code, p.at_[0], rank > 0 ? args.step_of(0, rank - 1) : 0, (const char *)state, n, args.count,
                 args.extra);
    return n;
}

CUNA_INLINE void merge_outputs(const FoldArgs &args, unsigned block)
{
    const word first = word(block) * args.tile, last = at_most(first + args.tile, args.outputs);
    for (word output = first; output < last;)
        output += merge_states(args, output, last);
}

// Computes the values of some rows of n elements beside each other; returns where they are.
CUNA_INLINE const char *compute_rows(Folded &p, const FoldArgs &args, int64 n, int64 position, int64 rows)
{
    const cuna_loop_code &code = *p.code;
    Frame &frame = *p.frame;
    char *const values = frame.place[code.folded];
    const int64 row_nbytes = n * code.steps[code.end[LOOP_BLOCK] - 1].itemsize;
    frame.position = position;
    for (int64 row = 0; row < rows; ++row) {
        for (int k = 0; k < code.noperands; ++k)
            frame.place[k] = p.at_[k];
        run_steps(code, frame, LOOP_RUN, n);
        run_steps(code, frame, LOOP_BLOCK, n);
        frame.place[code.folded] += row_nbytes;
        p.step(args, code.rank - 1, 1);
    }
    frame.place[code.folded] = values;
    return values;
}

enum { MOST_ROWS = 128 };

// How many rows of n elements are folded in a call: their values lie in memory, or they are computed by steps of which
// the last makes them, and a block has room for several.
CUNA_INLINE int64 rows_at_once(const cuna_loop_code &code, int64 n)
{
    const int last = code.end[LOOP_BLOCK] - 1;
    if (is_direct(code))
        return MOST_ROWS;
    return last >= code.end[LOOP_RUN] && code.steps[last].at[0] == code.folded ? at_most(code.block / n, MOST_ROWS) : 1;
}

// Rows of one run are folded many in a call.
CUNA_INLINE word fold_outputs(const Folded &p, const FoldArgs &args, word output, word most, word segment, word row,
                              word piece, word from, word to)
{
    const cuna_loop_code &code = *p.code;
    const word inner = args.reduced_shape[code.reduced_rank - 1], first = piece * args.tile;
    const int64 n = at_most(inner - first, args.tile);
    const bool alike = to - from == 1 && code.reduced_rank == 1 && args.length == inner &&
                       code.rank > 0 && n > 0;
    const int64 rows = alike ? at_most(most, rows_at_once(code, n)) : 1;
    if (!alike || (rows < 2 && !is_direct(code))) {
        keep(p, args, output, segment, fold_runs(p, args, row, piece, from, to));
        return 1;
    }
    FoldedState state[MOST_ROWS];
    Folded q = p;
    q.advance(first);
    begin_states(p, state, rows);
    if (is_direct(code))
        code.fold->rows(state, q.at_[code.folded], n, first, rows, args.step_of(code.folded, code.rank - 1));
    else
        code.fold->rows(state, compute_rows(q, args, n, first, rows), n, first, rows,
                        n * code.steps[code.end[LOOP_BLOCK] - 1].itemsize);
    q = p;
    keep_states(q, args, output, segment, state, rows);
    return rows;
}

// ---- entries ----

CUNA_INLINE void prepare_fold(FoldArgs &args, Frame &frame, const word *table, char *room)
{
    args.frame = &frame;
    prepare(frame, args, table, room, args.tile);
}

template <void (*WALK)(const FoldArgs &, unsigned), bool RUNS_REDUCED>
void enter_fold(void **params, unsigned first, unsigned last)
{
    const cuna_loop_code &code = *(const cuna_loop_code *)params[1];
    Frame frame;
    FoldArgs args;
    const word *table = args.read(&code, (const word *)params[0]);
    args.runs_reduced = RUNS_REDUCED;
    prepare_fold(args, frame, table, (char *)__builtin_alloca_with_align(code.room_nbytes, 8 * LOOP_ALIGN));
    for (unsigned block = first; block < last; ++block)
        WALK(args, block);
}

static void enter_merge(void **params, unsigned first, unsigned last)
{
    Frame frame;
    FoldArgs args;
    args.read((const cuna_loop_code *)params[1], (const word *)params[0]);
    args.frame = &frame;
    for (unsigned block = first; block < last; ++block)
        merge_outputs(args, block);
}

}  // namespace cuna

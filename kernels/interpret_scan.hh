// interpret_scan.hh: scans of the cpu device as steps over blocks, by the walks that compiled scans have.
//
// What a walk does with single states stands in loops of a reducer, which are compiled with cuna (ScanLoops); ScanMap
// stands for the generated Program, and to the walks a state is so many bytes. Steps of a block compute states, which
// are values of the accumulator's dtype. The first step after a block is no loop but the reducer's table, by which
// results are made of states; the steps behind it convert and store them.
namespace cuna {

enum { SCAN_BLOCK = 1024 };  // results that are computed at once: as many as a panel has at most

// The loops of a reducer; positions lie `along` the elements by 1, or by 0 where a run lies across the scanned axis.
struct ScanTable {
    int state_nbytes;
    void (*put)(void *out, const void *states, int n, int64 position, int along);
    void (*combine)(void *to, const void *a, const void *b, int n);
    void (*scan_panel)(void *panel, int m);
    void (*total_panel)(void *before, const void *panel, int m, bool has);
    void (*store_panel)(void *out, void *before, const void *panel, int m, int64 position, bool has);
    void (*scan_packed)(void *states, int rows, int n);
    void (*scan_row)(void *out, void *states, const void *values, int n, int64 i);
};

// Stands for the Program of a scan whose input and output are contiguous states and results. X has the reducer's texts.
template <class X>
struct ScanValues : X {
    typedef typename X::State State;
    typedef int64 index;
    enum { EXCLUSIVE = 0 };
    const State *values;
    State *out;

    CUNA_INLINE ScanValues(void *to, const void *from) : values((const State *)from), out((State *)to) {}
    CUNA_INLINE State lift(index j, int64) const { return values[j]; }
    CUNA_INLINE void put(index j, int64 i, State a) const
    {
        if (i < 0)
            __builtin_unreachable();
        out[j] = X::finish(a, i + 1);
    }
};

template <class X>
CUNA_OUTLINE void put_states(typename X::State *out, const typename X::State *states, int n,
                             int64 position, int along)
{
    const ScanValues<X> p(out, 0);
    CUNA_IVDEP
    for (int j = 0; j < n; ++j)
        p.put(j, position + j * along, states[j]);
}

// Chains that have nothing before them are rare: they share a loop with what else is stored so.
template <class X>
CUNA_OUTLINE void store_chain(const ScanValues<X> &to, const typename X::State *chain, int length, int j,
                              int64 position, bool has, typename X::State before)
{
    if (!has)
        return put_states<X>(to.out + j, chain, length, position, 1);
    const ScanValues<X> p = to;
    CUNA_IVDEP
    for (int k = 0; k < length; ++k)
        p.put(j + k, position + k, X::combine(before, chain[k]));
}

template <class X>
struct ScanLoops {
    typedef ScanValues<X> P;
    typedef typename X::State State;
    static void put(void *out, const void *states, int n, int64 position, int along)
    {
        put_states<X>((State *)out, (const State *)states, n, position, along);
    }
    static void combine(void *to, const void *a, const void *b, int n)
    {
        CUNA_IVDEP
        for (int j = 0; j < n; ++j)
            ((State *)to)[j] = P::combine(((const State *)a)[j], ((const State *)b)[j]);
    }
    static void panel(void *states, int m) { cuna::scan_panel(P(0, 0), (State *)states, m); }
    static void total(void *before, const void *states, int m, bool has)
    {
        *(State *)before = cuna::total_panel(P(0, 0), (const State *)states, m, has, *(const State *)before);
    }
    static void store(void *out, void *before, const void *states, int m, int64 position, bool has)
    {
        *(State *)before =
            cuna::store_panel(P(out, 0), (const State *)states, m, position, has, *(const State *)before);
    }
    static void packed(void *states, int rows, int n) { cuna::scan_packed(P(0, 0), (State *)states, rows, n); }
    static void row(void *out, void *states, const void *values, int n, int64 i)
    {
        cuna::scan_across<P, false>(P(out, values), (State *)states, n, i);
    }
    static const ScanTable table;
};

template <class X>
const ScanTable ScanLoops<X>::table = {
    sizeof(State), put, combine, panel, total, store, packed, row};

// The table of a reducer. Others than those whose results are as states are, of sizes that there are walks of, have
// none: their scans are compiled.
template <class X, bool MADE = is_same<typename X::State, decltype(X::finish(typename X::State(), 1))>::value &&
                               (sizeof(typename X::State) >= 4)>
struct ScanLoop {
    static constexpr const ScanTable *table = &ScanLoops<X>::table;
};
template <class X>
struct ScanLoop<X, false> {
    static constexpr const ScanTable *table = 0;
};

// The argument block, read by the counts in the code: the order of struct Scan.
struct ScanArgs : WalkArgs {
    enum { CUT = 8 };
    const word *reduced_stride;
    const ScanTable *table;
    unsigned char from, to;  // places of values and of results
    bool across;             // whether runs lie along a kept axis
    word count, span, dense, workspace;

    CUNA_INLINE const word *find(const cuna_loop_code *c, const word *words)
    {
        reduced_stride = WalkArgs::find(c, words) + 1;
        return reduced_stride + c->noperands;
    }
    CUNA_INLINE const word *read(const cuna_loop_code *c, const word *words, bool columns)
    {
        const cuna_loop_step &step = c->steps[c->end[LOOP_BLOCK]];
        const word *cut = find(c, words);
        table = (const ScanTable *)step.run;
        from = step.at[1];
        to = step.at[0];
        across = columns;
        count = cut[0];
        rows = cut[1];
        tile = cut[2];
        span = cut[3];
        pieces = cut[4];
        dense = cut[5];
        streaming = cut[6];
        workspace = cut[7];
        return cut + CUT;
    }
    CUNA_INLINE word reduced_step(int k) const { return reduced_stride[k] * code->itemsize[k]; }
    CUNA_INLINE word run_step_of(int k) const { return across ? step_of(k, code->rank - 1) : reduced_step(k); }
};

// Where operands are, of any state.
struct ScanWalk {
    typedef int64 index;
    typedef ScanArgs Args;
    typedef char Out;
    enum { MAX_KEPT = 16, EXCLUSIVE = 0, STREAMS = 0 };
    const Args *args;
    char *at_[LOOP_OPERANDS];

    static CUNA_INLINE int kept(const Args &a) { return a.code->rank; }
    CUNA_OUTLINE explicit ScanWalk(const Args &a) : args(&a)
    {
        for (int k = 0; k < a.code->noperands; ++k)
            at_[k] = (char *)a.pointer[k];
    }
    CUNA_OUTLINE ScanWalk(const ScanWalk &from) : args(from.args)
    {
        for (int k = 0; k < args->code->noperands; ++k)
            at_[k] = from.at_[k];
    }
    CUNA_OUTLINE void step(const Args &a, int axis, index n)
    {
        for (int k = 0; k < a.code->noperands; ++k)
            at_[k] += a.step_of(k, axis) * n;
    }
    CUNA_OUTLINE void step_reduced(const Args &a, int, index n)
    {
        for (int k = 0; k < a.code->noperands; ++k)
            at_[k] += a.reduced_step(k) * n;
    }
    CUNA_OUTLINE void advance(index n)
    {
        for (int k = 0; k < args->code->noperands; ++k)
            at_[k] += args->frame->stride[k] * n;
    }
    CUNA_INLINE void begin() {}
    CUNA_INLINE void redirect(Out *) {}
    CUNA_INLINE Out *out() const { return 0; }
    CUNA_INLINE int most() const { return int(at_most(args->code->block, SCAN_BLOCK)); }
};

// Computes elements [first, first + n) of p, as many as a block has at most; returns where they are.
static CUNA_OUTLINE const char *compute(const ScanWalk &p, int64 first, int n, int64 position)
{
    const cuna_loop_code &code = *p.args->code;
    Frame &frame = *p.args->frame;
    for (int k = 0; k < code.noperands; ++k)
        frame.place[k] = p.at_[k] + first * frame.stride[k];
    frame.position = position;
    run_steps(code, frame, LOOP_RUN, n);
    run_steps(code, frame, LOOP_BLOCK, n);
    return frame.place[p.args->from];
}

// Where results of elements from `first` on are computed: in place, in a buffer that is written past the caches later,
// or where the steps that store them look for them.
static CUNA_OUTLINE char *open_results(const ScanWalk &p, int64 first)
{
    const ScanArgs &args = *p.args;
    args.frame->place[0] = p.at_[0] + first * args.frame->stride[0];
    return args.frame->place[args.to != 0 ? args.to : args.streaming ? int(BUFFER) : 0];
}

static CUNA_OUTLINE void close_results(const ScanWalk &p, char *results, int n)
{
    const cuna_loop_code &code = *p.args->code;
    Frame &frame = *p.args->frame;
    if (p.args->to == 0) {
        if (results != frame.place[0])
            stream_out(frame.place[0], results, n * code.itemsize[0]);
        return;
    }
    for (int done = 0, m; done < n; done += m) {
        m = int(at_most(n - done, code.block));
        frame.place[p.args->to] = results + done * p.args->table->state_nbytes;
        for (int i = code.end[LOOP_BLOCK] + 1; i < code.end[LOOP_AFTER]; ++i)
            code.steps[i].run(&frame, code.steps[i].at, m);
        frame.place[0] += m * frame.stride[0];
    }
    frame.place[p.args->to] = results;
}

template <int N>
struct alignas(N < 8 ? N : 8) ScanState {
    char bytes[N];
};

// Stands for the generated Program of a scan whose states have N bytes.
template <int N>
struct ScanMap : ScanWalk {
    typedef ScanState<N> State;
    static CUNA_INLINE State identity() { return State(); }
    CUNA_INLINE explicit ScanMap(const Args &a) : ScanWalk(a) {}
};

// ---- what stands for the loops of scan_runs.cuh and scan_columns_runs.cuh ----

template <int N>
CUNA_OUTLINE void lift_some(const ScanMap<N> &p, ScanState<N> *to, int first, int n, int64 position, int along)
{
    for (int done = 0, m; done < n; done += m) {
        m = n - done < p.most() ? n - done : p.most();
        __builtin_memcpy(to + done, compute(p, first + done, m, position + done * along), m * sizeof *to);
    }
}

template <int N>
CUNA_OUTLINE void put_some(const ScanMap<N> &p, const ScanState<N> *s, int n, int64 position, int along)
{
    for (int done = 0, m; done < n; done += m) {
        m = n - done < SCAN_BLOCK ? n - done : int(SCAN_BLOCK);
        char *const results = open_results(p, done);
        p.args->table->put(results, s + done, m, position + done * along, along);
        close_results(p, results, m);
    }
}

template <int N>
CUNA_INLINE void lift_run(const ScanMap<N> &p, ScanState<N> *to, int first, int n, int64 position)
{
    lift_some(p, to, first, n, position, 1);
}

template <int N>
CUNA_INLINE void put_run(const ScanMap<N> &p, const ScanState<N> *s, int n)
{
    put_some(p, s, n, 0, 1);
}

template <int N>
CUNA_INLINE void scan_panel(const ScanMap<N> &p, ScanState<N> *panel, int m)
{
    p.args->table->scan_panel(panel, m);
}

template <int N>
CUNA_INLINE ScanState<N> total_panel(const ScanMap<N> &p, const ScanState<N> *panel, int m, bool has,
                                     ScanState<N> before)
{
    p.args->table->total_panel(&before, panel, m, has);
    return before;
}

template <int N>
CUNA_INLINE ScanState<N> store_panel(const ScanMap<N> &p, const ScanState<N> *panel, int m, int64 position, bool has,
                                     ScanState<N> before)
{
    char *const results = open_results(p, 0);
    p.args->table->store_panel(results, &before, panel, m, position, has);
    close_results(p, results, m);
    return before;
}

template <int N>
CUNA_INLINE void scan_packed(const ScanMap<N> &p, ScanState<N> *s, int rows, int n)
{
    p.args->table->scan_packed(s, rows, n);
}

template <int N>
CUNA_OUTLINE void scan_row(const ScanMap<N> &p, ScanState<N> *s, int n, int64 i)
{
    for (int done = 0, m; done < n; done += m) {
        m = n - done < p.most() ? n - done : p.most();
        const char *const values = compute(p, done, m, i);
        char *const results = open_results(p, done);
        if (i == 0) {
            __builtin_memcpy(s + done, values, m * sizeof *s);
            p.args->table->put(results, s + done, m, i, 0);
        } else {
            p.args->table->scan_row(results, s + done, values, m, i);
        }
        close_results(p, results, m);
    }
}

template <int N>
CUNA_INLINE void fill_row(const ScanMap<N> &p, ScanState<N> *row, int n, int64 i, bool has)
{
    lift_some(p, row, 0, n, i, 0);
    if (has)
        p.args->table->combine(row, row - n, row, n);
}

template <int N>
CUNA_INLINE void follow_row(const ScanMap<N> &p, ScanState<N> *to, const ScanState<N> *before, const ScanState<N> *row,
                            int n, bool has)
{
    if (has)
        p.args->table->combine(to, before, row, n);
    else
        __builtin_memcpy(to, row, n * sizeof *to);
}

template <int N>
CUNA_OUTLINE void store_row(const ScanMap<N> &p, const ScanState<N> *before, const ScanState<N> *row, int n, int64 i,
                            bool has)
{
    ScanState<N> sums[SCAN_COLUMNS];
    if (has)
        p.args->table->combine(sums, before, row, n);
    put_some(p, has ? sums : row, n, i, 0);
}

// ---- entries ----

enum { SCAN_IN_ROWS, SCAN_IN_TILES, SCAN_IN_COLUMNS };

template <int FORM, int N>
CUNA_OUTLINE void scan_blocks(const ScanArgs &args, unsigned first, unsigned last)
{
    for (unsigned block = first; block < last; ++block)
        if (FORM == SCAN_IN_ROWS)
            scan_rows<ScanMap<N>>(args, block);
        else if (FORM == SCAN_IN_TILES)
            scan_tiles<ScanMap<N>>(args, block);
        else
            scan_columns<ScanMap<N>>(args, block);
}

static CUNA_OUTLINE void prepare_scan(ScanArgs &args, Frame &frame, const word *table, char *room, char *results)
{
    args.frame = &frame;
    prepare(frame, args, table, room, args.code->block);
    frame.place[args.to != 0 ? args.to : int(BUFFER)] = results;
}

template <int FORM>
void enter_scan(void **params, unsigned first, unsigned last)
{
    const cuna_loop_code &code = *(const cuna_loop_code *)params[1];
    alignas(LOOP_ALIGN) char results[SCAN_BLOCK * sizeof(complex128)];
    Frame frame;
    ScanArgs args;
    const word *table = args.read(&code, (const word *)params[0], FORM == SCAN_IN_COLUMNS);
    prepare_scan(args, frame, table, (char *)__builtin_alloca_with_align(code.room_nbytes, 8 * LOOP_ALIGN), results);
    switch (args.table->state_nbytes) {
    case 4: return scan_blocks<FORM, 4>(args, first, last);
    case 8: return scan_blocks<FORM, 8>(args, first, last);
    case 16: return scan_blocks<FORM, 16>(args, first, last);
    }
}

static unsigned measure_scan(const cuna_loop_code *code)
{
    ScanArgs args;
    const word *const none = 0;
    return unsigned((args.find(code, none) - none + ScanArgs::CUT + code->table) * int64(sizeof(word)));
}

}  // namespace cuna

// interpret_scan.hh: scans of the cpu device as steps over blocks, by the walks that compiled scans have.
//
// What a walk does with states stands in loops of a reducer, which are compiled with cuna (ScanLoops); ScanMap stands
// for the generated Program, and to the walks a state is so many bytes. Steps of a block compute states, which are values
// of the accumulator's dtype, as results are: the host gives loops to no other scans. The first step after a block is no
// loop but the reducer's table; the steps behind it convert and store results.
namespace cuna {

enum { SCAN_BLOCK = 1024 };  // results that are made at once: as many as a panel has at most

// The loops of a reducer, over states and results that lie beside each other.
struct ScanTable {
    int state_nbytes;
    void (*combine)(void *to, const void *a, const void *b, int n);
    void (*combine_both)(void *to, void *states, const void *b, int n);  // to the states as well
    void (*scan_panel)(void *panel, int m);
    void (*total_panel)(void *before, const void *panel, int m, bool has);
    void (*store_panel)(void *to, void *before, const void *panel, int m, bool has);
    void (*scan_packed)(void *states, int rows, int n);
};

// Stands for the Program of a scan that stores states. X has the reducer's texts.
template <class X>
struct ScanStates : X {
    typedef typename X::State State;
    typedef int64 index;
    enum { EXCLUSIVE = 0 };
    State *out;

    CUNA_INLINE explicit ScanStates(void *to) : out((State *)to) {}
    CUNA_INLINE void put(index j, int64, State a) const { out[j] = a; }
};

// Chains that have nothing before them are rare.
template <class X>
CUNA_OUTLINE void store_chain(const ScanStates<X> &to, const typename X::State *chain, int length, int j, int64,
                              bool has, typename X::State before)
{
    typename X::State *const out = to.out + j;
    if (!has) {
        __builtin_memcpy(out, chain, length * sizeof *out);
        return;
    }
    CUNA_IVDEP
    for (int k = 0; k < length; ++k)
        out[k] = X::combine(before, chain[k]);
}

template <class X>
struct ScanLoops {
    typedef ScanStates<X> P;
    typedef typename X::State State;

    static void combine(void *to, const void *a, const void *b, int n)
    {
        CUNA_IVDEP
        for (int j = 0; j < n; ++j)
            ((State *)to)[j] = X::combine(((const State *)a)[j], ((const State *)b)[j]);
    }
    static void both(void *to, void *states, const void *b, int n)
    {
        CUNA_IVDEP
        for (int j = 0; j < n; ++j) {
            const State sum = X::combine(((State *)states)[j], ((const State *)b)[j]);
            ((State *)to)[j] = sum;
            ((State *)states)[j] = sum;
        }
    }
    static void panel(void *states, int m) { cuna::scan_panel(P(0), (State *)states, m); }
    static void total(void *before, const void *states, int m, bool has)
    {
        *(State *)before = cuna::total_panel(P(0), (const State *)states, m, has, *(const State *)before);
    }
    static void store(void *to, void *before, const void *states, int m, bool has)
    {
        *(State *)before = cuna::store_panel(P(to), (const State *)states, m, 0, has, *(const State *)before);
    }
    static void packed(void *states, int rows, int n) { cuna::scan_packed(P(0), (State *)states, rows, n); }
    static const ScanTable table;
};

template <class X>
const ScanTable ScanLoops<X>::table = {sizeof(State), combine, both, panel, total, store, packed};

// The argument block, read by the counts in the code: the order of struct Scan.
struct ScanArgs : ReducedArgs {
    enum { CUT = 8 };
    const ScanTable *table;
    unsigned char from, to;  // places of values and of results
    bool across;             // whether runs lie along a kept axis
    word count, span, dense, workspace;

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
    CUNA_INLINE word reduced_step(int k) const { return reduced_step_of(k, 0); }
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
    // Whether values, and results, are elements of operands as they are.
    CUNA_INLINE bool has_values() const { return args->from < args->code->noperands; }
    CUNA_INLINE bool has_results() const { return args->to == 0 && !args->streaming; }
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
CUNA_OUTLINE void lift_run(const ScanMap<N> &p, ScanState<N> *to, int first, int n, int64 position)
{
    for (int done = 0, m; done < n; done += m) {
        m = n - done < p.most() ? n - done : p.most();
        __builtin_memcpy(to + done, compute(p, first + done, m, position + done), m * sizeof *to);
    }
}

template <int N>
CUNA_OUTLINE void put_run(const ScanMap<N> &p, const ScanState<N> *s, int n)
{
    for (int done = 0, m; done < n; done += m) {
        m = n - done < SCAN_BLOCK ? n - done : int(SCAN_BLOCK);
        char *const results = open_results(p, done);
        __builtin_memcpy(results, s + done, m * sizeof *s);
        close_results(p, results, m);
    }
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
CUNA_INLINE ScanState<N> store_panel(const ScanMap<N> &p, const ScanState<N> *panel, int m, int64, bool has,
                                     ScanState<N> before)
{
    char *const results = open_results(p, 0);
    p.args->table->store_panel(results, &before, panel, m, has);
    close_results(p, results, m);
    return before;
}

template <int N>
CUNA_INLINE void scan_packed(const ScanMap<N> &p, ScanState<N> *s, int rows, int n)
{
    p.args->table->scan_packed(s, rows, n);
}

// `to` are states after others, or the others where there are none before.
template <int N>
CUNA_INLINE void follow_row(const ScanMap<N> &p, ScanState<N> *to, const ScanState<N> *before, const ScanState<N> *row,
                            int n, bool has)
{
    if (has)
        p.args->table->combine(to, before, row, n);
    else
        __builtin_memcpy(to, row, n * sizeof *to);
}

// The states s with position i of n columns, and its results.
template <int N>
CUNA_OUTLINE void scan_position(const ScanMap<N> &p, ScanState<N> *s, int n, int64 i)
{
    for (int done = 0, m; done < n; done += m) {
        m = n - done < p.most() ? n - done : p.most();
        const char *const values = compute(p, done, m, i);
        char *const results = open_results(p, done);
        if (i > 0)
            p.args->table->combine_both(results, s + done, values, m);
        else
            __builtin_memcpy(results, __builtin_memcpy(s + done, values, m * sizeof *s), m * sizeof *s);
        close_results(p, results, m);
    }
}

template <int N>
CUNA_OUTLINE void scan_whole_columns(ScanMap<N> p, const ScanArgs &args, int n)
{
    alignas(64) ScanState<N> s[SCAN_COLUMNS];
    scan_position(p, s, n, 0);
    p.step_reduced(args, 0, 1);
    if (!p.has_values() || !p.has_results()) {
        for (word i = 1; i < args.count; ++i, p.step_reduced(args, 0, 1))
            scan_position(p, s, n, i);
        return;
    }
    const word in = args.reduced_step(args.from), out = args.reduced_step(0);
    const char *from = p.at_[args.from];
    char *to = p.at_[0];
    for (word i = 1; i < args.count; ++i, from += in, to += out)
        args.table->combine_both(to, s, from, n);
}

template <int N>
struct ColumnTile<ScanMap<N>> {
    typedef ScanMap<N> P;
    typedef ScanState<N> State;
    alignas(64) State s[SCAN_TILE], before[SCAN_COLUMNS];

    // Tiles have at most as many columns as a block has elements.
    CUNA_OUTLINE void fill(P p, const ScanArgs &args, int n, int height, int64 first)
    {
        const word in = p.has_values() ? args.reduced_step(args.from) : 0;
        for (int i = 0; i < height; ++i) {
            const char *const values = p.has_values() ? p.at_[args.from] + i * in : compute(p, 0, n, first + i);
            follow_row(p, s + i * n, s + (i - 1) * n, (const State *)values, n, i > 0);
            if (!p.has_values())
                p.step_reduced(args, 0, 1);
        }
    }

    CUNA_OUTLINE void store(P p, const ScanArgs &args, int n, int height, int64, bool has) const
    {
        const word out = args.reduced_step(0);
        for (int i = 0; i < height; ++i) {
            char *const results = p.has_results() ? p.at_[0] : open_results(p, 0);
            follow_row(p, (State *)results, before, s + i * n, n, has);
            if (!p.has_results())
                close_results(p, results, n);
            p.at_[0] += out;
        }
    }
};

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

}  // namespace cuna

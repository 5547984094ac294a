// interpret_reducers.hh: the loops that folds call: those of a reducer, of a step and a reducer at once, and of what becomes
// of states. lua/cuna/tools/loops.lua writes the reducers.
namespace cuna {

// ---- loops of a reducer R: State, Slot, values, identity(), combine(a, b), lift(j, i) ----

template <class R> void begin_loop(void *states, int64 n)
{
    typename R::State *const to = (typename R::State *)states;
    for (int64 j = 0; j < n; ++j)
        to[j] = R::identity();
}

template <class R, class State>
struct RunLoop {
    static CUNA_INLINE void run(State *state, State *lanes, const R &p, int64 n, int64 position, int64 done, int ends)
    {
        enum { LANES = lane_states(sizeof(State)) };
        State lane_state[LANES];
        if (ends & LOOP_RUN_BEGINS)
            for (int l = 0; l < LANES; ++l)
                lane_state[l] = R::identity();
        else
            for (int l = 0; l < LANES; ++l)
                lane_state[l] = lanes[l];
        fold_lanes(lane_state, p, n, position, done);
        if (ends & LOOP_RUN_ENDS)
            *state = R::combine(*state, Join<R, LANES>::all(lane_state));
        else
            for (int l = 0; l < LANES; ++l)
                lanes[l] = lane_state[l];
    }
};

template <class R, class V, class O>
struct RunLoop<R, Arg<V, O>> {
    static CUNA_INLINE void run(Arg<V, O> *state, Arg<V, O> *, const R &p, int64 n, int64 position, int64, int)
    {
        *state = fold_run(*state, p, n, position);
    }
};

// Apart, so that it is compiled once.
template <class R>
CUNA_APART void run_loop(void *state, void *lanes, const void *values, int64 n, int64 position, int64 done, int ends)
{
    typedef typename R::State State;
    const R p = {(const typename R::Slot *)values};
    RunLoop<R, State>::run((State *)state, (State *)lanes, p, n, position, done, ends);
}

template <class R>
void rows_loop(void *states, const void *values, int64 n, int64 position, int64 rows, int64 stride)
{
    for (int64 k = 0; k < rows; ++k)
        run_loop<R>((typename R::State *)states + k, 0, (const char *)values + k * stride, n, position, 0,
                    LOOP_RUN_BEGINS | LOOP_RUN_ENDS);
}

template <class R> void columns_loop(void *states, const void *values, int64 n, int64 position, int64 rows, int64 stride)
{
    for (int64 k = 0; k < rows; ++k) {
        const R p = {(const typename R::Slot *)((const char *)values + k * stride)};
        fold_states((typename R::State *)states, p, n, position + k);
    }
}

template <class R> void join_loop(void *states, const void *others, int64 n)
{
    const R p = {0};
    join_states(p, (typename R::State *)states, (const typename R::State *)others, n);
}

#define CUNA_FOLD_LOOPS(R)                                                                                            \
    {                                                                                                                 \
        sizeof(R::State), begin_loop<R>, run_loop<R>, rows_loop<R>, columns_loop<R>, join_loop<R>                     \
    }

// Of pairs of values: lift(j, i) makes one of both.
template <class R>
CUNA_APART void run_pairs(void *state, void *lanes, const void *first, const void *second, int64 n, int64 position,
                          int64 done, int ends)
{
    typedef typename R::State State;
    const R p = {(const typename R::Slot *)first, (const typename R::Slot *)second};
    RunLoop<R, State>::run((State *)state, (State *)lanes, p, n, position, done, ends);
}

template <class R>
CUNA_APART void columns_pairs(void *states, const void *first, const void *second, int64 n, int64 position)
{
    const R p = {(const typename R::Slot *)first, (const typename R::Slot *)second};
    fold_states((typename R::State *)states, p, n, position);
}

#define CUNA_PAIR_LOOPS(R) {run_pairs<R>, columns_pairs<R>}

// ---- what becomes of states; F: State, R, finish(a, n, extra) ----

template <class V> struct type_name;
#define CUNA_TYPE_NAME(V, N)                                                                                          \
    template <> struct type_name<V> { static constexpr const char *text = N; };
CUNA_TYPE_NAME(bool, "bool8")
CUNA_TYPE_NAME(int8, "int8")
CUNA_TYPE_NAME(int16, "int16")
CUNA_TYPE_NAME(int32, "int32")
CUNA_TYPE_NAME(int64, "int64")
CUNA_TYPE_NAME(uint8, "uint8")
CUNA_TYPE_NAME(uint16, "uint16")
CUNA_TYPE_NAME(uint32, "uint32")
CUNA_TYPE_NAME(uint64, "uint64")
CUNA_TYPE_NAME(float, "float32")
CUNA_TYPE_NAME(double, "float64")
CUNA_TYPE_NAME(complex64, "complex64")
CUNA_TYPE_NAME(complex128, "complex128")
#undef CUNA_TYPE_NAME

// Stride 0: values lie beside each other.
template <class F> void finish_loop(void *to, int64 stride, const void *states, int64 nstates, int64 n, double extra)
{
    const typename F::State *const state = (const typename F::State *)states;
    typedef decltype(F::finish(state[0], n, extra)) V;
    for (int64 j = 0; j < nstates; ++j)
        *(V *)((char *)to + j * (stride != 0 ? stride : int64(sizeof(V)))) = F::finish(state[j], n, extra);
}

#define CUNA_FINISH_LOOPS(F)                                                                                          \
    {                                                                                                                 \
        type_name<decltype(F::finish(F::State(), 0, 0))>::text, finish_loop<F>                                        \
    }

}  // namespace cuna

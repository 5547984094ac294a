// stages_lanes.cuh: programs in stages by blocks of many lanes: a team for each row. What a stage folds is folded as
// reduce_lanes.cuh does, and told to all lanes of the team before the next one.
namespace cuna {

// The state that a team's first lane has, in all its lanes; every lane of the block takes part.
template <class State>
CUNA_INLINE State tell_team(State state, unsigned log_team)
{
    CUNA_SHARED Room<State, LANES> room;
    const unsigned mine = lane() >> log_team;
    if ((lane() & ((1u << log_team) - 1)) == 0)
        room.at()[mine] = state;
    barrier();
    state = room.at()[mine];
    barrier();
    return state;
}

template <class S>
struct StageVisit {
    typedef typename S::Walker P;
    typedef typename P::index index;
    const P &p;
    const typename S::Args &args;
    typename S::Known &row;
    bool has_row;

    template <class Stage>
    CUNA_INLINE void fold()
    {
        const unsigned log_team = unsigned(args.team), team = 1u << log_team;
        typename Stage::State state = Stage::identity();
        Stage stage(p, row);
        if (has_row)
            state = fold_span(stage, args, index(0), index(args.count), index(lane() & (team - 1)), index(team));
        state = combine_team<Stage>(state, team);
        stage.finish(row, tell_team(state, log_team), args.count);
    }
};

// `TIMES` accesses of a row's elements, `step` positions apart.
template <int V, int TIMES, class P>
CUNA_INLINE void write_accesses(const P &kept, const typename P::Args &args, typename P::index at, typename P::index step)
{
    typename P::template Loaded<V> in[TIMES];
    CUNA_UNROLL
    for (int u = 0; u < TIMES; ++u)
        in[u] = fetch_at<V>(kept, args, at + u * step);
    CUNA_UNROLL
    for (int u = 0; u < TIMES; ++u) {
        P p = kept;
        go_to_reduced(p, args, at + u * step);
        p.template finish<V>(0, in[u]);
    }
}

// Lane t of a team writes the elements that fold_span gave it to read.
template <class P>
CUNA_INLINE void write_span(const P &p, const typename P::Args &args, typename P::index t, typename P::index team)
{
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, ITEMS = P::ITEMS };
    const index step = team * VECTOR, to = index(args.count);
    index at = t * VECTOR;
    for (; to - at >= (ITEMS - 1) * step + VECTOR; at += ITEMS * step)
        write_accesses<VECTOR, ITEMS>(p, args, at, step);
    for (; to - at >= VECTOR; at += step)
        write_accesses<VECTOR, 1>(p, args, at, step);
    for (; VECTOR > 1 && at < to; ++at)
        write_accesses<1, 1>(p, args, at, step);
}

template <class S, bool ELEMENTS>
struct StageElements {
    static CUNA_INLINE void write(const typename S::Walker &p, const typename S::Known &row, const typename S::Args &args)
    {
        typedef typename S::Walker::index index;
        const unsigned team = 1u << unsigned(args.team);
        write_span(typename S::Last(p, row), args, index(lane() & (team - 1)), index(team));
    }
};
template <class S>
struct StageElements<S, false> {
    static CUNA_INLINE void write(const typename S::Walker &, const typename S::Known &, const typename S::Args &) {}
};

template <class S>
CUNA_INLINE void stages(const typename S::Args &args, unsigned block)
{
    typedef typename S::Walker P;
    typedef typename P::index index;
    const unsigned log_team = unsigned(args.team);
    const word output = word(block) * (LANES >> log_team) + (lane() >> log_team);
    const bool has_row = output < args.outputs;
    P p(args);
    if (has_row)
        go_to<P::KEPT>(p, args, index(output));
    typename S::Known row;
    typename S::First(p, row).finish(row);
    StageVisit<S> visit = {p, args, row, has_row};
    S::each(visit);
    if (has_row)
        StageElements<S, S::ELEMENTS>::write(p, row, args);
    if (has_row && (lane() & ((1u << log_team) - 1)) == 0)
        S::write(row, p);
}

}  // namespace cuna

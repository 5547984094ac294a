// stages_lanes.cuh: programs in stages by blocks of many lanes: a team for each row. A stage folds as reduce_lanes.cuh
// does, and all lanes of the team get the result before the next stage.
namespace cuna {

// Quotients by a number that is the same for all elements of a lane: the compiler computes its reciprocal once. They are
// a / b, correctly rounded: what is left of a, times the reciprocal, corrects a quotient that is nearly right (Markstein,
// IBM J. Res. Dev. 34, 1990), as CUDA's own division does.
namespace shared {

template <class D, class T>
CUNA_INLINE T divide(T a, T b) { return a / b; }

// Floats that are 0, or neither so small nor so large that a part of a quotient could leave the range of floats, by bits;
// none if the range is 0.
enum { LEAST = (127 - 60) << 24, RANGE = 120 << 24 };
CUNA_INLINE bool is_between(float x, uint32 range)
{
    const uint32 above = (bits_of(x) << 1) - LEAST, zero = 0u - LEAST;
    return above < range || above == (range ? zero : zero + 1); // all are even
}

template <class D>
struct Quotient {
    static CUNA_INLINE float of(float a, float b)
    {
        const uint32 range = b > 0 && is_between(b, RANGE) ? RANGE : 0;
        const float reciprocal = 1 / b, q = a * reciprocal;
        return is_between(a, range) ? fma(-fma(q, b, -a), reciprocal, q) : a / b;
    }
};

// Of halves: floats have more than twice their digits, and the quotient that is nearly right is right if it is rounded
// to a half, unless it is exact, or lies between two halves.
template <>
struct Quotient<float16> {
    static CUNA_INLINE float of(float a, float b)
    {
        const float reciprocal = 1 / b, q = a * reciprocal, left = fma(q, b, -a);
        return fabs(left) > 0 ? fma(-left, reciprocal, q) : q;
    }
};

template <class D>
CUNA_INLINE float divide(float a, float b) { return Quotient<D>::of(a, b); }

}  // namespace shared

// The state that combine_team left in some lanes of a team, in all of them; every lane of the block takes part.
template <class State>
CUNA_INLINE State tell_team(State state, unsigned log_team)
{
    const unsigned team = 1u << log_team;
    return shuffle(state, lane() % WARP & ~(team < WARP ? team - 1 : WARP - 1));
}

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
        p.template finish<V>(0, p.template read<V>(0, in[u]));
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

// A lane's part of its team's row: RESIDENT accesses, kept from stage to stage, or nothing: then it reads them again.
// P::take_early(to, from) copies the inputs that folds need. A lane without an access loads the row's last one, and lifts
// it, too: what all lanes compute on all ways, the compiler keeps for later stages.
template <class P, int RESIDENT>
struct LaneRow {
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR };
    typename P::template Loaded<VECTOR> in[RESIDENT];
    index at, step, count;  // of the accesses; 0 elements where the lane has no row

    template <class Stage>
    struct Lifted {
        typename Stage::State of[RESIDENT][VECTOR];
    };

    CUNA_INLINE LaneRow(const P &p, const typename P::Args &args, bool has_row)
    {
        const unsigned team = 1u << unsigned(args.team);
        const index last = index(args.count) - VECTOR;
        at = index(lane() & (team - 1)) * VECTOR;
        step = index(team) * VECTOR;
        count = has_row ? index(args.count) : 0;
        CUNA_UNROLL
        for (int u = 0; u < RESIDENT; ++u)
            in[u] = fetch_at<VECTOR>(p, args, at + u * step < last ? at + u * step : last);
    }

    template <class Stage>
    CUNA_INLINE Lifted<Stage> lift(const Stage &stage) const
    {
        Lifted<Stage> made;
        CUNA_UNROLL
        for (int u = 0; u < RESIDENT; ++u)
            CUNA_UNROLL
            for (int k = 0; k < VECTOR; ++k)
                made.of[u][k] = stage.lift(in[u], k, at + u * step + k);
        return made;
    }

    template <class Stage>
    CUNA_INLINE typename Stage::State fold(const Stage &, const Lifted<Stage> &lifted, const typename P::Args &) const
    {
        bool takes[RESIDENT];
        CUNA_UNROLL
        for (int u = 0; u < RESIDENT; ++u)
            takes[u] = at + u * step < count;
        return fold_taken<Stage>(lifted, takes);
    }

    template <class Stage>
    CUNA_INLINE typename Stage::State fold(const Stage &, const Lifted<Stage> &lifted, const typename P::Args &,
                                           index from, index to) const
    {
        bool takes[RESIDENT];
        CUNA_UNROLL
        for (int u = 0; u < RESIDENT; ++u)
            takes[u] = at + u * step >= from && at + u * step < (to < count ? to : count);
        return fold_taken<Stage>(lifted, takes);
    }

    template <class Stage>
    CUNA_INLINE typename Stage::State fold_taken(const Lifted<Stage> &lifted, const bool *takes) const
    {
        typename Stage::State part[VECTOR];
        CUNA_UNROLL
        for (int k = 0; k < VECTOR; ++k)
            part[k] = Stage::identity();
        CUNA_UNROLL
        for (int u = 0; u < RESIDENT; ++u)
            if (takes[u])
                CUNA_UNROLL
                for (int k = 0; k < VECTOR; ++k)
                    Stage::add(part, k, lifted.of[u][k]);
        CUNA_UNROLL
        for (int half = VECTOR / 2; half > 0; half /= 2)
            CUNA_UNROLL
            for (int k = 0; k < half; ++k)
                part[k] = Stage::combine(part[k], part[k + half]);
        return part[0];
    }

    // Inputs that no fold needs are loaded now, those of several accesses at a time. The compiler drops the loads of the
    // others here, and of these before.
    template <class Last>
    CUNA_INLINE void write(const Last &last, const typename P::Args &args) const
    {
        enum { TIMES = RESIDENT < 4 ? RESIDENT : 4 };
        typename P::template Loaded<VECTOR> late[TIMES];
        CUNA_UNROLL
        for (int u = 0; u < RESIDENT; ++u) {
            if (u % TIMES == 0)
                CUNA_UNROLL
                for (int v = 0; v < TIMES; ++v)
                    if (at + (u + v) * step < count)
                        late[v] = fetch_at<VECTOR>(last, args, at + (u + v) * step);
            if (at + u * step < count) {
                Last p = last;
                go_to_reduced(p, args, at + u * step);
                P::take_early(late[u % TIMES], in[u]);
                p.template finish<VECTOR>(0, p.template read<VECTOR>(0, late[u % TIMES]));
            }
        }
    }
};

template <class P>
struct LaneRow<P, 0> {
    typedef typename P::index index;
    index t, team;
    bool has_row;

    CUNA_INLINE LaneRow(const P &, const typename P::Args &args, bool has)
        : t(index(lane() & ((1u << unsigned(args.team)) - 1))), team(index(1u << unsigned(args.team))), has_row(has)
    {
    }

    template <class Stage>
    struct Lifted {};
    template <class Stage>
    CUNA_INLINE Lifted<Stage> lift(const Stage &) const
    {
        return Lifted<Stage>();
    }
    template <class Stage>
    CUNA_INLINE typename Stage::State fold(const Stage &stage, const Lifted<Stage> &, const typename P::Args &args,
                                           index from, index to) const
    {
        return has_row ? fold_span(stage, args, from, to, t, team) : Stage::identity();
    }
    template <class Stage>
    CUNA_INLINE typename Stage::State fold(const Stage &stage, const Lifted<Stage> &none,
                                           const typename P::Args &args) const
    {
        return fold(stage, none, args, index(0), index(args.count));
    }

    template <class Last>
    CUNA_INLINE void write(const Last &last, const typename P::Args &args) const
    {
        if (has_row)
            write_span(last, args, t, team);
    }
};

// The state of a row, as combine_team leaves it.
template <class Stage, bool SEGMENTED>
struct RowFold {
    template <class Row>
    static CUNA_INLINE typename Stage::State state(const Stage &stage, const Row &mine, const typename Stage::Args &args)
    {
        const unsigned team = 1u << unsigned(args.team);
        return combine_team<Stage, true>(mine.fold(stage, mine.lift(stage), args), team);
    }
};

// Where a fold by itself has several blocks for a row, each with a segment, the team, which is then the block, folds these
// one after another and combines them as `merge` does.
template <class Stage>
struct RowFold<Stage, true> {
    template <class Row>
    static CUNA_INLINE typename Stage::State state(const Stage &stage, const Row &mine, const typename Stage::Args &args)
    {
        typedef typename Stage::index index;
        const typename Row::template Lifted<Stage> lifted = mine.lift(stage);
        typename Stage::State part[STAGED_SEGMENTS];
        CUNA_UNROLL
        for (int k = 0; k < STAGED_SEGMENTS; ++k)
            part[k] = Stage::identity();
        for (word s = 0, from = 0; s < args.segments; ++s, from += args.span) {
            const word to = from + args.span < args.count ? from + args.span : args.count;
            const typename Stage::State state =
                combine_team<Stage, true>(mine.fold(stage, lifted, args, index(from), index(to)), LANES);
            CUNA_UNROLL
            for (int k = 0; k < STAGED_SEGMENTS; ++k)
                if (k == s)
                    part[k] = Stage::combine(part[k], state);
            barrier();
        }
        CUNA_UNROLL
        for (int half = STAGED_SEGMENTS / 2; half > 0; half /= 2)
            CUNA_UNROLL
            for (int s = 0; s < half; ++s)
                if (half < 1 << int(args.merge_team))
                    part[s] = Stage::combine(part[s], part[s + half]);
        return part[0];
    }
};

template <class S>
struct StageVisit {
    const typename S::Walker &p;
    const typename S::Args &args;
    typename S::Known &row;
    const LaneRow<typename S::Walker, S::RESIDENT> &mine;

    template <class Stage>
    CUNA_INLINE void fold()
    {
        const Stage stage(p, row);
        const unsigned log_team = unsigned(args.team);
        if (1u << log_team > WARP)
            barrier();
        stage.finish(row, tell_team(RowFold<Stage, S::SEGMENTED>::state(stage, mine, args), log_team), args.count);
    }
};

template <class S, bool ELEMENTS>
struct StageElements {
    template <class Row>
    static CUNA_INLINE void write(const Row &mine, const typename S::Walker &p, const typename S::Known &row,
                                  const typename S::Args &args)
    {
        mine.write(typename S::Last(p, row), args);
    }
};
template <class S>
struct StageElements<S, false> {
    template <class Row>
    static CUNA_INLINE void write(const Row &, const typename S::Walker &, const typename S::Known &,
                                  const typename S::Args &)
    {
    }
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
    const LaneRow<P, S::RESIDENT> mine(p, args, has_row);
    StageVisit<S> visit = {p, args, row, mine};
    S::each(visit);
    StageElements<S, S::ELEMENTS>::write(mine, p, row, args);
    if (has_row && (lane() & ((1u << log_team) - 1)) == 0)
        S::write(row, p);
}

}  // namespace cuna

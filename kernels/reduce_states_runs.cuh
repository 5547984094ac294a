// reduce_states_runs.cuh: how a run of elements goes into a state, on blocks of one lane: by as many independent states as
// two cache lines hold, in vectors where states allow it, and for positions by stretches.
namespace cuna {

// How many states of a size two cache lines hold, as a power of two.
constexpr int lane_states(int nbytes)
{
    int count = 1;
    while (2 * count * nbytes <= 128)
        count *= 2;
    return count;
}

// Makes COUNT independent states one: those of the second half go into those of the first, and so on. Each length is a
// constant, which lets the compiler join them in vectors.
template <class P, int COUNT>
struct Join {
    static CUNA_INLINE typename P::State all(typename P::State *state)
    {
        for (int l = 0; l < COUNT / 2; ++l)
            state[l] = P::combine(state[l], state[l + COUNT / 2]);
        return Join<P, COUNT / 2>::all(state);
    }
};

template <class P>
struct Join<P, 1> {
    static CUNA_INLINE typename P::State all(typename P::State *state) { return *state; }
};

// Where the states of lanes are while elements are added to them. Those of two parts that know nothing of each other lie in
// two columns, as vectors take them.
template <class State, int LANES>
struct LaneStates {
    enum { IN_VECTORS = !__is_class(State) };
    State (&state)[LANES];
    CUNA_INLINE explicit LaneStates(State (&lane_state)[LANES]) : state(lane_state) {}
    template <class P> CUNA_INLINE void add(int l, const State &element) { state[l] = P::combine(state[l], element); }
    CUNA_INLINE void end() {}
};

template <class State, int LANES, class A, A State::*FIRST, class B, B State::*SECOND>
struct LaneColumns {
    enum { IN_VECTORS = true };
    State (&state)[LANES];
    A first[LANES];
    B second[LANES];
    CUNA_INLINE explicit LaneColumns(State (&lane_state)[LANES]) : state(lane_state)
    {
        for (int l = 0; l < LANES; ++l)
            set(l, state[l]);
    }
    CUNA_INLINE State get(int l) const
    {
        const State made = {first[l], second[l]};
        return made;
    }
    CUNA_INLINE void set(int l, const State &made) { first[l] = made.*FIRST, second[l] = made.*SECOND; }
    template <class P> CUNA_INLINE void add(int l, const State &element) { set(l, P::combine(get(l), element)); }
    CUNA_INLINE void end()
    {
        for (int l = 0; l < LANES; ++l)
            state[l] = get(l);
    }
};

template <class T, int LANES>
struct LaneStates<Range<T>, LANES> : LaneColumns<Range<T>, LANES, T, &Range<T>::least, T, &Range<T>::most> {
    CUNA_INLINE explicit LaneStates(Range<T> (&state)[LANES])
        : LaneColumns<Range<T>, LANES, T, &Range<T>::least, T, &Range<T>::most>(state) {}
};

template <class T, int LANES>
struct LaneStates<Counted<T>, LANES> : LaneColumns<Counted<T>, LANES, T, &Counted<T>::value, int64, &Counted<T>::count> {
    CUNA_INLINE explicit LaneStates(Counted<T> (&state)[LANES])
        : LaneColumns<Counted<T>, LANES, T, &Counted<T>::value, int64, &Counted<T>::count>(state) {}
};

// Adds an element to each lane. As a loop it becomes vectors where states are numbers, or columns of them.
template <int LANES, class P, class L>
CUNA_INLINE void add_elements(L &lanes, const P &p, typename P::index j, int64 position)
{
    if (L::IN_VECTORS) {
        CUNA_ROLLED
        for (int l = 0; l < LANES; ++l)
            lanes.template add<P>(l, p.lift(j + l, position + j + l));
    } else {
        for (int l = 0; l < LANES; ++l)
            lanes.template add<P>(l, p.lift(j + l, position + j + l));
    }
}

// Counts elements that are true in bytes, as many beside each other as a vector may have, for as long as these have room
// for the counts. Returns how many elements that were.
template <class P, class State, int LANES>
CUNA_INLINE typename P::index fold_bytes(State (&)[LANES], const P &, typename P::index, int64)
{
    return 0;
}

template <class P, int LANES>
CUNA_INLINE typename P::index fold_bytes(Count (&state)[LANES], const P &p, typename P::index count, int64 position)
{
    enum { BYTES = 64, MOST = 255 };
    typedef typename P::index index;
    index j = 0;
    for (index rounds; (rounds = (count - j) / BYTES) > 0;) {
        uint8 bytes[BYTES] = {};
        const index last = j + (rounds < MOST ? rounds : index(MOST)) * BYTES;
        for (; j < last; j += BYTES) {
            CUNA_ROLLED
            for (int l = 0; l < BYTES; ++l)
                bytes[l] += uint8(p.lift(j + l, position + j + l).n);
        }
        for (int l = 0; l < BYTES; ++l)
            state[l % LANES].n += bytes[l];
    }
    return j;
}

// Adds elements to the independent states of a run, after `done` others of it.
template <class P, int LANES>
CUNA_INLINE void fold_lanes(typename P::State (&lane_state)[LANES], const P &p, typename P::index count, int64 position,
                            int64 done)
{
    typedef typename P::index index;
    index j = fold_bytes(lane_state, p, count, position);
    LaneStates<typename P::State, LANES> lanes(lane_state);
    for (int l = int((done + j) % LANES); l > 0 && l < LANES && j < count; ++l, ++j)
        lanes.template add<P>(l, p.lift(j, position + j));
    for (; j + LANES <= count; j += LANES)
        add_elements<LANES>(lanes, p, j, position);
    for (int l = 0; j + l < count; ++l)
        lanes.template add<P>(l, p.lift(j + l, position + j + l));
    lanes.end();
}

// A state and one run, by as many independent states as two cache lines hold. Apart from its callers, which would leave
// it too few registers.
template <class P, class State>
CUNA_APART State fold_run(State state, const P &p, typename P::index count, int64 position)
{
    enum { LANES = lane_states(sizeof(State)) };
    State lane_state[LANES];
    for (int l = 0; l < LANES; ++l)
        lane_state[l] = P::identity();
    fold_lanes(lane_state, p, count, position, 0);
    return P::combine(state, Join<P, LANES>::all(lane_state));
}

// How many values the best of a stretch is searched by.
template <class V> constexpr int best_lanes() { return lane_states(sizeof(V)) < 32 ? lane_states(sizeof(V)) : 32; }

template <class V> CUNA_INLINE bool are_equal(V a, V b) { return (a == b) | (isnan(a) & isnan(b)); }

// The best value of elements j to j + n, by values alone, which takes vectors.
template <class V, class O, class P>
CUNA_INLINE V best_value(const P &p, typename P::index j, typename P::index n, int64 position)
{
    enum { LANES = best_lanes<V>() };
    typedef typename P::index index;
    V best[LANES];
    index k = 0;
    for (int l = 0; l < LANES; ++l)
        best[l] = p.lift(j + (l < n ? l : 0), position + j).value;
    for (; k + LANES <= n; k += LANES) {
        CUNA_ROLLED
        for (int l = 0; l < LANES; ++l)
            best[l] = O::pick(best[l], p.lift(j + k + l, position + j + k + l).value);
    }
    for (int l = 0; k + l < n; ++l)
        best[l] = O::pick(best[l], p.lift(j + k + l, position + j + k + l).value);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l)
            best[l] = O::pick(best[l], best[l + half]);
    return best[0];
}

// The first of elements j to j + n that has a value, and its position; none: one without a position.
template <class P, class V, class O>
CUNA_INLINE Arg<V, O> find_value(V value, const P &p, typename P::index j, typename P::index n, int64 position, O)
{
    enum { GROUP = 16 };
    typedef typename P::index index;
    Arg<V, O> found = {value, -1};
    for (index k = 0; k < n && found.index < 0; k += GROUP) {
        int has = k + GROUP > n;
        if (k + GROUP <= n) {
            CUNA_ROLLED
            for (int l = 0; l < GROUP; ++l)
                has |= are_equal(p.lift(j + k + l, position + j + k + l).value, value);
        }
        for (index m = k; has && m < n && m < k + GROUP && found.index < 0; ++m) {
            const Arg<V, O> element = p.lift(j + m, position + j + m);
            if (are_equal(element.value, value))
                found = element;
        }
    }
    return found;
}

// The best element so far and one run: a stretch is searched only when some element of it beats the best so far.
template <class P, class V, class O>
CUNA_INLINE Arg<V, O> fold_run(Arg<V, O> best, const P &p, typename P::index count, int64 position)
{
    typedef typename P::index index;
    enum { STRETCH = 256, LONG = best_lanes<V>() };
    for (index j = 0; j < count && !(best.index >= 0 && O::ends(best.value)); j += STRETCH) {
        const index n = count - j < STRETCH ? count - j : index(STRETCH);
        int found = best.index < 0;
        if (!found)
            for (index k = 0; k < n; ++k)
                found |= O::beats(p.lift(j + k, position + j + k).value, best.value);
        if (found && n >= LONG)
            best = combine_arg(best, find_value(best_value<V, O>(p, j, n, position), p, j, n, position, O()));
        else
            for (index k = 0; found && k < n; ++k)
                best = fold_in<P>(best, p.lift(j + k, position + j + k));
    }
    return best;
}

}  // namespace cuna

// scan.cuh: communication between the running blocks of a scan: tickets, and states passed through a workspace.
//
// A block takes its number from a counter when it starts, so a block only waits for blocks that have started before
// it: no order of blocks leads to a deadlock, not even one after another. A state is passed in slots of 8 bytes, 4 of
// the state and a mark. A slot is written at once: a block that sees the mark has that part of the state, and slots
// may arrive in any order.
namespace cuna {

template <class S>
struct Parcel {
    enum { SLOTS = (sizeof(S) + 3) / 4 };
    struct Parts {
        uint32 at[SLOTS];
    };
    struct Whole {
        alignas(4) alignas(S) S state;
    };
};

template <class S>
CUNA_INLINE void publish(uint64 *slots, S state, uint32 mark)
{
    static_assert(sizeof(S) <= STATE_NBYTES, "the workspace has this much room for a state");
    typename Parcel<S>::Whole whole;
    whole.state = state;
    const typename Parcel<S>::Parts parts = same_bits<typename Parcel<S>::Parts>(whole);
    CUNA_UNROLL
    for (int i = 0; i < Parcel<S>::SLOTS; ++i)
        put_slot(slots + i, uint64(mark) << 32 | parts.at[i]);
}

// Whether the state with this mark is there.
template <class S>
CUNA_INLINE bool receive(S &state, const uint64 *slots, uint32 mark)
{
    typename Parcel<S>::Parts parts;
    bool arrived = true;
    CUNA_UNROLL
    for (int i = 0; i < Parcel<S>::SLOTS; ++i) {
        const uint64 slot = get_slot(slots + i);
        parts.at[i] = uint32(slot);
        arrived = arrived && uint32(slot >> 32) == mark;
    }
    state = same_bits<typename Parcel<S>::Whole>(parts).state;
    return arrived;
}

// Waits for a state.
template <class S>
CUNA_INLINE S await(const uint64 *slots, uint32 mark)
{
    S state;
    for (int tries = 0; !receive(state, slots, mark); ++tries)
        relax(tries);
    return state;
}

// The second of two states, or both combined when there is a first one: identities are never combined with elements.
template <class P>
CUNA_INLINE typename P::State follow(bool has, typename P::State before, typename P::State state)
{
    return has ? P::combine(before, state) : state;
}

}  // namespace cuna

// select_rows_lanes.cuh: selecting in rows that a block of many lanes has room for (select.cuh); builds on
// select_lanes.cuh.
//
// A row is in the registers of a team: 32 lanes, or a block; the greatest key stands where the row has none, behind all
// others. Places are found one after the other, by bytes of the keys, until few keys begin as the wanted one does: these are
// compared with each other.
namespace cuna {

#define EACH_ITEM CUNA_UNROLL for (int i = 0; i < ITEMS; ++i)

struct RowRoom {
    uint32 counts[DIGITS];
    uint32 has_nan;
    uint32 rank, size;
    unsigned digit;
    uint32 nfew;
    uint64 few[32];
};

// The sum of all lanes before this one in the team.
template <int TEAM>
CUNA_INLINE uint32 sum_team_before(uint32 value, uint32 *sums)
{
    if (TEAM != 32)
        return sum_before(value, sums);
    uint32 all = value;
    CUNA_UNROLL
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned at = lane() % 32;
        const uint32 before = shuffle(all, at >= distance ? at - distance : at);
        all += at >= distance ? before : 0;
    }
    return all - value;
}

// A row in the registers of a team.
template <class P, int TEAM, int ITEMS>
struct HeldRow {
    typedef typename P::Key Key;
    Held<P, TEAM, ITEMS> held;
    RowRoom &room;
    uint32 *const sums;

    CUNA_INLINE HeldRow(unsigned count, RowRoom &room, uint32 *sums) : held(count), room(room), sums(sums) {}

    CUNA_INLINE void load(const Key *source, const Order<P> &order)
    {
        held.load(source, order);
        EACH_ITEM held.key[i] = held.place(i) < held.count ? held.key[i] : Order<P>::last();
    }

    CUNA_INLINE bool has_nan()
    {
        bool found = false;
        EACH_ITEM found |= held.place(i) < held.count && held.key[i] == Order<P>::last();
        if (Team<TEAM>::member() == 0)
            room.has_nan = 0;
        Team<TEAM>::wait();
        if (found)
            room.has_nan = 1;
        Team<TEAM>::wait();
        return room.has_nan != 0;
    }

    // Finds the digit of the key that has a rank among those counted.
    CUNA_INLINE void find_digit(uint32 rank)
    {
        enum { EACH = DIGITS / TEAM };
        const unsigned first = Team<TEAM>::member() * EACH;
        uint32 own[EACH], sum = 0;
        CUNA_UNROLL
        for (int d = 0; d < EACH; ++d)
            sum += own[d] = room.counts[first + d];
        uint32 before = sum_team_before<TEAM>(sum, sums);
        CUNA_UNROLL
        for (int d = 0; d < EACH; ++d) {
            if (rank >= before && rank < before + own[d]) {
                room.rank = rank - before;
                room.size = own[d];
                room.digit = first + d;
            }
            before += own[d];
        }
        Team<TEAM>::wait();
    }

    // The key at a place; how many are before it, and equal to it.
    CUNA_INLINE Key find(uint32 place, uint32 &before, uint32 &equal)
    {
        Key prefix = 0;
        uint32 rank = place;
        for (int pass = P::PASSES - 1; pass >= 0; --pass) {
            const bool is_first = pass == P::PASSES - 1;
            for (unsigned d = Team<TEAM>::member(); d < DIGITS; d += TEAM)
                room.counts[d] = 0;
            Team<TEAM>::wait();
            if (is_first)
                count_first();
            else
                count_later(prefix, 8 * unsigned(pass));
            Team<TEAM>::wait();
            find_digit(rank);
            rank = room.rank;
            prefix = Key((is_first ? 0 : uint64(prefix) << 8) | room.digit);
            before = place - rank;
            equal = room.size;
            if (equal <= 32 && pass > 0) {
                prefix = find_few(prefix, 8 * unsigned(pass), rank, before, equal);
                break;
            }
        }
        if (prefix == Order<P>::last())
            equal -= TEAM * ITEMS - held.count;
        Team<TEAM>::wait();
        return prefix;
    }
    CUNA_INLINE void count_first()
    {
        EACH_ITEM add_beside(&room.counts[digit_of(held.key[i], P::PASSES - 1)], uint32(1));
    }
    CUNA_INLINE void count_later(Key prefix, unsigned shift)
    {
        EACH_ITEM {
            const Key digits = Key(held.key[i] >> shift);
            uint32 *count = &room.counts[unsigned(digits) % DIGITS];
            if (Key(digits / DIGITS) == prefix)
                add_beside(count, uint32(1));
        }
    }

    // The same of the few keys that begin alike above `shift`, of which there are `equal`; each lane of 32 has one.
    CUNA_INLINE Key find_few(Key prefix, unsigned shift, uint32 rank, uint32 &before, uint32 &equal)
    {
        const uint32 size = equal;
        if (Team<TEAM>::member() == 0)
            room.nfew = 0;
        Team<TEAM>::wait();
        EACH_ITEM if (Key(held.key[i] >> shift) == prefix) room.few[add_beside(&room.nfew, uint32(1))] = held.key[i];
        Team<TEAM>::wait();
        const Key own = Key(room.few[lane() % 32 < size ? lane() % 32 : 0]);
        uint32 less = 0, same = 0;
        for (unsigned k = 0; k < size; ++k) {
            const Key other = Key(room.few[k]);
            less += other < own;
            same += other == own;
        }
        const uint32 those = ballot(rank - less < same);
        const unsigned from = bits_set((those & (0 - those)) - 1);
        before += shuffle(less, from);
        equal = shuffle(same, from);
        return shuffle(own, from);
    }
};

template <class P, int TEAM, int ITEMS>
CUNA_INLINE void part_row(const Select &args, word row, HeldRow<P, TEAM, ITEMS> &work, PartRoom &room)
{
    const Parting<P> to(args, row);
    uint32 before, equal, warps_before = 0, warps_equal = 0, all;
    const typename P::Key pivot = work.find(uint32(select_places(args, row)[0]), before, equal);
    const unsigned start = work.held.place(0) - lane() % 32;
    if (TEAM != 32) {
        count_warps(work.held, pivot, room);
        sum_warps(room.before, warps_before, all);
        sum_warps(room.equal, warps_equal, all);
    }
    work.held.template put<uint32>(to, pivot, 0, warps_before, before + warps_equal,
                                   before + equal + start - warps_before - warps_equal);
}

template <class P, int TEAM, int ITEMS>
CUNA_INLINE void select_row(const Select &args, word row, RowRoom &own, PartRoom &room)
{
    HeldRow<P, TEAM, ITEMS> work(unsigned(args.count), own, room.before);
    const Order<P> order(args);
    work.load((const typename P::Key *)args.source + row * args.count, order);
    if (args.flags & SELECT_PARTS) {
        part_row<P, TEAM, ITEMS>(args, row, work, room);
        return;
    }
    typename P::Key *to = (typename P::Key *)args.target + row * args.limit;
    for (word j = 0; j < args.many; ++j) {
        uint32 before, equal;
        const typename P::Key key = work.find(uint32(select_places(args, row)[j]), before, equal);
        if (Team<TEAM>::member() == 0)
            to[j] = order.element_of(key);
    }
    if (!(args.flags & SELECT_NAN))
        return;
    const bool has_nan = work.has_nan();
    if (Team<TEAM>::member() == 0)
        to[args.many] = select_nan<P>(order, has_nan);
}

// One row, or as many as a block has warps.
template <class P>
CUNA_INLINE void select_rows(const Select &args, unsigned block)
{
    CUNA_SHARED RowRoom rooms[SELECT_WARPS];
    CUNA_SHARED PartRoom part;
    const unsigned warp = lane() / 32;
    if (args.tile == 1)
        select_row<P, LANES, SORT_ROW / LANES>(args, block, rooms[0], part);
    else if (word(block) * args.tile + warp < args.rows)
        select_row<P, 32, SELECT_ROW / 32>(args, word(block) * args.tile + warp, rooms[warp], part);
}

#undef EACH_ITEM

}  // namespace cuna

// sort_runs.cuh: sorting where a block is one lane (sort.cuh).
namespace cuna {

enum { INSERT_MOST = 16, MERGE_MOST = 256 };

// ---- rows that one block sorts: a few elements by insertion, some by merging, many by digits ----

// The keys of a row, and their positions in it.
template <class P>
struct RowKeys {
    typename P::Key key[SORT_ROW];
    uint32 at[P::POSITIONS ? SORT_ROW : 1];
};

template <class P>
CUNA_INLINE void move_key(RowKeys<P> &to, int place, const RowKeys<P> &from, int i)
{
    to.key[place] = from.key[i];
    if (P::POSITIONS)
        to.at[place] = from.at[i];
}

template <class P>
CUNA_INLINE void insert_run(RowKeys<P> &row, int first, int last)
{
    for (int i = first + 1; i < last; ++i) {
        const typename P::Key key = row.key[i];
        const uint32 at = P::POSITIONS ? row.at[i] : 0;
        int j = i;
        for (; j > first && row.key[j - 1] > key; --j)
            move_key<P>(row, j, row, j - 1);
        row.key[j] = key;
        if (P::POSITIONS)
            row.at[j] = at;
    }
}

// Merges [first, middle) and [middle, last).
template <class P>
CUNA_INLINE void merge_runs(RowKeys<P> &to, const RowKeys<P> &from, int first, int middle, int last)
{
    int a = first, b = middle, place = first;
    while (a < middle && b < last) {
        const bool second = from.key[b] < from.key[a];
        move_key<P>(to, place++, from, second ? b : a);
        a += !second;
        b += second;
    }
    while (a < middle)
        move_key<P>(to, place++, from, a++);
    while (b < last)
        move_key<P>(to, place++, from, b++);
}

// Sorts a row; answers which of the two has it then.
template <class P>
CUNA_OUTLINE bool merge_row(RowKeys<P> *rows, int count)
{
    bool now = false;
    for (int first = 0; first < count; first += INSERT_MOST)
        insert_run<P>(rows[0], first, first + INSERT_MOST < count ? first + INSERT_MOST : count);
    for (int width = INSERT_MOST; width < count; width *= 2, now = !now)
        for (int first = 0; first < count; first += 2 * width) {
            const int middle = first + width < count ? first + width : count;
            const int last = middle + width < count ? middle + width : count;
            merge_runs<P>(rows[!now], rows[now], first, middle, last);
        }
    return now;
}

template <class P>
CUNA_OUTLINE bool radix_row(RowKeys<P> *rows, int count)
{
    uint32 counts[P::PASSES][DIGITS] = {};
    bool now = false;
    for (int i = 0; i < count; ++i)
        CUNA_UNROLL
        for (int pass = 0; pass < P::PASSES; ++pass)
            ++counts[pass][digit_of(rows[0].key[i], pass)];
    for (int pass = 0; pass < P::PASSES; ++pass) {
        uint32 *place = counts[pass], before = 0;
        if (place[digit_of(rows[now].key[0], pass)] == uint32(count))
            continue;
        for (int d = 0; d < DIGITS; ++d) {
            const uint32 own = place[d];
            place[d] = before;
            before += own;
        }
        for (int i = 0; i < count; ++i)
            move_key<P>(rows[!now], int(place[digit_of(rows[now].key[i], pass)]++), rows[now], i);
        now = !now;
    }
    return now;
}

template <class P>
CUNA_INLINE void sort_row(const Sort &args, word row, RowKeys<P> *rows)
{
    const int count = int(args.count);
    const Passing<P> from(args, row, 0);
    const Placing<P> to(args, row);
    for (int i = 0; i < count; ++i) {
        rows[0].key[i] = from.key(i);
        if (P::POSITIONS)
            rows[0].at[i] = uint32(i);
    }
    const bool now = count > MERGE_MOST ? radix_row<P>(rows, count) : merge_row<P>(rows, count);
    for (int i = 0; i < count; ++i)
        if (P::POSITIONS)
            to.put_position(i, rows[now].at[i]);
        else
            to.put_key(i, rows[now].key[i]);
}

template <class P>
CUNA_INLINE void sort_rows(const Sort &args, unsigned block)
{
    RowKeys<P> rows[2];
    const word first = word(block) * args.tile, last = first + args.tile < args.rows ? first + args.tile : args.rows;
    for (word row = first; row < last; ++row)
        sort_row<P>(args, row, rows);
}

// ---- rows that blocks share ----

template <class P>
CUNA_INLINE void sort_count(const Sort &args, unsigned block)
{
    uint64 counts[P::PASSES][DIGITS] = {};
    const word row = block / args.tiles, first = block % args.tiles * args.tile;
    const word count = first + args.tile < args.count ? args.tile : args.count - first;
    const Passing<P> from(args, row, first);
    for (word i = 0; i < count; ++i) {
        const typename P::Key key = from.key(i);
        CUNA_UNROLL
        for (int pass = 0; pass < P::PASSES; ++pass)
            ++counts[pass][digit_of(key, pass)];
    }
    for (int pass = 0; pass < P::PASSES; ++pass)
        for (int d = 0; d < DIGITS; ++d)
            if (counts[pass][d] != 0)
                add_slot(sort_totals<P>(args, row, pass) + d, counts[pass][d]);
}

// Turns a tile's counts into the places of its first elements: behind lower digits, and behind the tiles before.
template <class P>
CUNA_INLINE void find_places(const Sort &args, word row, word tile, uint64 *counts)
{
    const uint64 *totals = sort_totals<P>(args, row, args.pass);
    uint64 *own = sort_slots(args, row, tile);
    const uint64 *before = own - DIGITS;
    uint64 lower = 0;
    for (int d = 0; d < DIGITS; ++d) {
        uint64 slot = sort_slot(args.pass, SORT_ALL, 0);
        if (tile > 0)
            for (int tries = 0; !sort_says(slot = get_slot(before + d), args.pass, SORT_ALL); ++tries)
                relax(tries);
        put_slot(own + d, slot + counts[d]);
        counts[d] = lower + sort_counted(slot);
        lower += totals[d];
    }
}

template <class P>
CUNA_INLINE void place_tile(const Sort &args, const Passing<P> &from, const Placing<P> &to, word count, uint64 *places)
{
    for (word i = 0; i < count; ++i) {
        const typename P::Key key = from.key(i);
        const word place = word(places[digit_of(key, args.pass)]++);
        if (to.takes_keys())
            to.put_key(place, key);
        if (P::POSITIONS)
            to.put_position(place, from.position(i));
    }
}

template <class P>
CUNA_INLINE void sort_place(const Sort &args, unsigned)
{
    uint64 places[DIGITS] = {};
    const word ticket = take_ticket((uint64 *)args.workspace + args.pass);
    const word row = ticket / args.tiles, tile = ticket % args.tiles, first = tile * args.tile;
    const word count = first + args.tile < args.count ? args.tile : args.count - first;
    const Passing<P> from(args, row, first);
    const Placing<P> to(args, row);
    for (word i = 0; i < count; ++i)
        ++places[digit_of(from.key(i), args.pass)];
    find_places<P>(args, row, tile, places);
    // The three kinds of pass have loops of their own.
    if (args.flags & SORT_LAST)
        place_tile<P>(args, from, to, count, places);
    else if (args.flags & SORT_FIRST)
        place_tile<P>(args, from, to, count, places);
    else
        place_tile<P>(args, from, to, count, places);
}

}  // namespace cuna

// sort_runs.cuh: sorting by blocks of one lane (sort.cuh).
namespace cuna {

// ---- short rows: side by side, by a network ----

// Where an element was fits the key's type: of the smallest keys there are 256.
enum { NETWORK_MOST = 256 };

// Bytes of a vector of the processor: compilers take wider ones apart element by element.
#if defined __AVX512BW__
enum { NETWORK_LINE = 64 };
#elif defined __AVX2__
enum { NETWORK_LINE = 32 };
#else
enum { NETWORK_LINE = 16 };
#endif

// Bytes of rows that caches do not hold.
enum { SORT_LARGE = 1 << 20 };

// Makes keys of elements where they are.
template <class P>
CUNA_OUTLINE void make_keys(const Sort &args, typename P::Key *keys, int count)
{
    const Order<P> order(args);
    for (int i = 0; i < count; ++i)
        keys[i] = order.key_of(keys[i]);
}

template <class P>
CUNA_OUTLINE void make_elements(const Sort &args, typename P::Key *keys, int count)
{
    const Order<P> order(args);
    for (int i = 0; i < count; ++i)
        keys[i] = order.element_of(keys[i]);
}

// As many rows as a line of memory has keys of: what is done with one is done with all.
template <class P>
struct Beside {
    typedef typename P::Key Key;
    enum { ROWS = 64 / sizeof(Key), PARTS = 64 / NETWORK_LINE };
    typedef Key Line __attribute__((vector_size(NETWORK_LINE), may_alias));
    Line key[NETWORK_MOST][PARTS];
    Line at[P::POSITIONS ? NETWORK_MOST : 1][PARTS];

    static CUNA_INLINE void put(Line *line, int row, Key key) { ((Key *)line)[row] = key; }
    static CUNA_INLINE Key get(const Line *line, int row) { return ((const Key *)line)[row]; }

    // Elements i and j of each row in their order; of equal ones, that of their positions.
    CUNA_INLINE void order(int i, int j)
    {
        CUNA_UNROLL
        for (int k = 0; k < PARTS; ++k) {
            const Line x = key[i][k], y = key[j][k];
            auto change = y < x;
            if (P::POSITIONS) {
                const Line x_at = at[P::POSITIONS ? i : 0][k], y_at = at[P::POSITIONS ? j : 0][k];
                change |= (y == x) & (y_at < x_at);
                at[P::POSITIONS ? i : 0][k] = change ? y_at : x_at;
                at[P::POSITIONS ? j : 0][k] = change ? x_at : y_at;
            }
            key[i][k] = change ? y : x;
            key[j][k] = change ? x : y;
        }
    }

    // Batcher's merge exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2M).
    CUNA_INLINE void sort(int count)
    {
        int top = 1;
        while (2 * top < count)
            top *= 2;
        for (int p = count > 1 ? top : 0; p > 0; p /= 2)
            for (int q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
                for (int i = 0; i < count - d; ++i)
                    if ((i & p) == r)
                        order(i, i + d);
                if (q == p)
                    break;
            }
    }
};

// Sorts rows [first, first + rows), at most Beside::ROWS.
template <class P>
CUNA_INLINE void sort_beside(const Sort &args, word first, int rows, Beside<P> &beside)
{
    typedef typename P::Key Key;
    const int count = int(args.count), room = count * Beside<P>::ROWS;
    for (int row = 0; row < rows; ++row) {
        const Passing<P> from(args, first + row, 0, Stage(args));
        for (int i = 0; i < count; ++i) {
            beside.put(beside.key[i], row, from.source[i]);
            if (P::POSITIONS)
                beside.put(beside.at[P::POSITIONS ? i : 0], row, Key(i));
        }
    }
    make_keys<P>(args, (Key *)beside.key, room);
    beside.sort(count);
    if (!P::POSITIONS)
        make_elements<P>(args, (Key *)beside.key, room);
    for (int row = 0; row < rows; ++row) {
        const Placing<P> to(args, first + row, Stage(args));
        for (int i = 0; i < count; ++i)
            if (P::POSITIONS)
                to.positions[i] = int64(beside.get(beside.at[P::POSITIONS ? i : 0], row)) + 1;
            else
                to.keys[i] = beside.get(beside.key[i], row);
    }
}

// ---- longer rows: by digits ----

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
    const Passing<P> from(args, row, 0, Stage(args));
    const Placing<P> to(args, row, Stage(args));
    for (int i = 0; i < count; ++i) {
        rows[0].key[i] = from.source[i];
        if (P::POSITIONS)
            rows[0].at[i] = uint32(i);
    }
    make_keys<P>(args, rows[0].key, count);
    const bool now = radix_row<P>(rows, count);
    if (!P::POSITIONS)
        make_elements<P>(args, rows[now].key, count);
    for (int i = 0; i < count; ++i)
        if (P::POSITIONS)
            to.positions[i] = int64(rows[now].at[i]) + 1;
        else
            to.keys[i] = rows[now].key[i];
}

template <class P>
CUNA_INLINE void sort_rows(const Sort &args, unsigned block)
{
    union {
        Beside<P> beside;
        RowKeys<P> rows[2];
    } room;
    const word first = word(block) * args.tile, last = first + args.tile < args.rows ? first + args.tile : args.rows;
    const int step = args.count > NETWORK_MOST ? 1 : int(Beside<P>::ROWS);
    for (word row = first; row < last; row += step)
        if (step == 1)
            sort_row<P>(args, row, room.rows);
        else
            sort_beside<P>(args, row, int(last - row < step ? last - row : step), room.beside);
}

// ---- rows that blocks share ----

// The block that counts a row last finds the passes whose digit all keys share.
template <class P>
CUNA_INLINE void plan_passes(const Sort &args, word row)
{
    SortPlan &plan = ((SortPlan *)args.plans)[row];
    settle();
    if (take_ticket(&plan.counted) != args.tiles - 1)
        return;
    settle();
    uint64 idle = 0;
    for (int pass = 0; pass < P::PASSES; ++pass)
        for (int d = 0; d < DIGITS; ++d)
            idle |= uint64(get_slot(sort_totals<P>(args, row, pass) + d) == uint64(args.count)) << pass;
    plan.passes = sort_plan(args, idle, P::PASSES);
}

template <class P>
CUNA_INLINE void sort_count(const Sort &args, unsigned block)
{
    uint64 counts[P::PASSES][DIGITS] = {};
    const word row = block / args.tiles, first = block % args.tiles * args.tile;
    const word count = first + args.tile < args.count ? args.tile : args.count - first;
    const Passing<P> from(args, row, first, Stage(args));
    const int lowest = int(args.skipped);
    for (word i = 0; i < count; ++i) {
        const typename P::Key key = from.key(i);
        if (lowest == 0)
            CUNA_UNROLL
            for (int pass = 0; pass < P::PASSES; ++pass)
                ++counts[pass][digit_of(key, pass)];
        else
            for (int pass = lowest; pass < P::PASSES; ++pass)
                ++counts[pass][digit_of(key, pass)];
    }
    for (int pass = lowest; pass < P::PASSES; ++pass)
        for (int d = 0; d < DIGITS; ++d)
            if (counts[pass][d] != 0)
                add_slot(sort_totals<P>(args, row, pass) + d, counts[pass][d]);
    plan_passes<P>(args, row);
}

// Turns a tile's counts into the places of its first elements: after lower digits, and after the tiles before.
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

// A tile's stores. In large rows, which caches do not hold, values are collected in lines of memory of which each digit
// has one, and whole lines are written past the caches; but not where most elements have one digit, and go side by side.
template <class T>
struct Stores {
    enum { LINE = 64 / sizeof(T) };
    T line[DIGITS][LINE] __attribute__((aligned(64)));
    T *const target;
    const bool collects;
    const word shift;  // elements from the start of a line to the target
    word first[DIGITS];

    CUNA_INLINE Stores(word target, word row, const Sort &args, const uint64 *places, bool scatters)
        : target((T *)target + row * args.count),
          collects(CUNA_STREAMS && scatters && args.count * word(sizeof(T)) > SORT_LARGE),
          shift(word(this->target) % 64 / word(sizeof(T)))
    {
        for (int d = 0; d < DIGITS; ++d)
            first[d] = word(places[d]);
    }
    CUNA_INLINE void put(unsigned digit, word place, T value)
    {
        if (!collects) {
            target[place] = value;
            return;
        }
        const uint64 at = uint64(place + shift) % LINE;
        line[digit][at] = value;
        if (at == LINE - 1)
            write_line(digit, place + 1);
    }
    // What was collected before `end`; of the first line only what is this tile's.
    CUNA_INLINE void write_line(unsigned digit, word end)
    {
        const word start = end - LINE;
        if (start >= first[digit])
            stream_line(target + start, line[digit]);
        else
            write_part(digit, first[digit], end);
    }
    CUNA_INLINE void write_part(unsigned digit, word start, word end)
    {
        for (word place = start; place < end; ++place)
            target[place] = line[digit][uint64(place + shift) % LINE];
    }
    CUNA_INLINE void finish(const uint64 *places)
    {
        for (int d = 0; collects && d < DIGITS; ++d) {
            const word end = word(places[d]), start = end - word(uint64(end + shift) % LINE);
            write_part(d, start < first[d] ? first[d] : start, end);
        }
        if (collects)
            finish_streams();
    }
};

template <class P, class F>
CUNA_INLINE void place_tile(const Passing<P> &from, word pass, word count, uint64 *places, F put)
{
    for (word i = 0; i < count; ++i) {
        const typename P::Key key = from.key(i);
        const unsigned digit = digit_of(key, pass);
        put(digit, word(places[digit]++), key, i);
    }
}

// Stores a tile's keys, as elements in the last pass. What a loop reads is copied: a store of a byte could be to anything
// that has an address.
template <class P>
CUNA_OUTLINE void place_keys(const Sort &args, word row, const Stage &stage, const Passing<P> &tile, word count,
                             uint64 *places, bool scatters)
{
    typedef typename P::Key Key;
    const Passing<P> from = tile;
    Stores<Key> keys(stage.target, row, args, places, scatters);
    const Order<P> order(args);
    if (stage.is_last)
        place_tile<P>(from, args.pass, count, places, [&keys, order](unsigned digit, word place, Key key, word) {
            keys.put(digit, place, order.element_of(key));
        });
    else
        place_tile<P>(from, args.pass, count, places,
                      [&](unsigned digit, word place, Key key, word) { keys.put(digit, place, key); });
    keys.finish(places);
}

// Stores a tile's keys and their positions, in the last pass positions from 1 alone.
template <class P>
CUNA_OUTLINE void place_positions(const Sort &args, word row, const Stage &stage, const Passing<P> &tile, word count,
                                  uint64 *places, bool scatters)
{
    typedef typename P::Key Key;
    typedef typename P::Position Position;
    const Passing<P> from = tile;
    if (stage.is_last) {
        Stores<int64> positions(stage.target, row, args, places, scatters);
        place_tile<P>(from, args.pass, count, places, [&](unsigned digit, word place, Key, word i) {
            positions.put(digit, place, int64(from.position(i)) + 1);
        });
        positions.finish(places);
        return;
    }
    Stores<Key> keys(stage.target, row, args, places, scatters);
    Stores<Position> at(stage.target_at, row, args, places, scatters);
    place_tile<P>(from, args.pass, count, places, [&](unsigned digit, word place, Key key, word i) {
        keys.put(digit, place, key);
        at.put(digit, place, from.position(i));
    });
    keys.finish(places);
    at.finish(places);
}

// Neighbours count in tables of their own: one that has the same digit need not wait for the other.
template <class P>
CUNA_INLINE void count_tile(const Passing<P> &from, word pass, word count, uint64 *counts)
{
    enum { TABLES = 4 };
    uint32 table[TABLES][DIGITS] = {};
    for (word i = 0; i + TABLES <= count; i += TABLES)
        CUNA_UNROLL
        for (int k = 0; k < TABLES; ++k)
            ++table[k][digit_of(from.key(i + k), pass)];
    for (word i = count - count % TABLES; i < count; ++i)
        ++table[0][digit_of(from.key(i), pass)];
    for (int d = 0; d < DIGITS; ++d)
        for (int k = 0; k < TABLES; ++k)
            counts[d] += table[k][d];
}

CUNA_INLINE uint64 greatest_of(const uint64 *counts)
{
    uint64 greatest = 0;
    for (int d = 0; d < DIGITS; ++d)
        greatest = counts[d] > greatest ? counts[d] : greatest;
    return greatest;
}

// Keys of one byte: what is sorted is known from the counts alone.
template <class P>
CUNA_OUTLINE void sort_fill(const Sort &args, word row, word tile)
{
    const Order<P> order(args);
    const word last = (tile + 1) * args.tile < args.count ? (tile + 1) * args.tile : args.count;
    typename P::Key *to = (typename P::Key *)args.target + row * args.count;
    word at = tile * args.tile, end = 0;
    for (int d = 0; at < last; ++d) {
        end += word(sort_totals<P>(args, row, 0)[d]);
        const typename P::Key element = order.element_of(typename P::Key(d));
        for (const word stop = end < last ? end : last; at < stop; ++at)
            to[at] = element;
    }
}

template <class P>
CUNA_INLINE void sort_place(const Sort &args, unsigned block)
{
    if (P::PASSES == 1 && !P::POSITIONS) {
        sort_fill<P>(args, block / args.tiles, block % args.tiles);
        return;
    }
    uint64 places[DIGITS] = {};
    const word ticket = take_ticket((uint64 *)args.workspace + args.pass);
    const word row = ticket / args.tiles, tile = ticket % args.tiles, first = tile * args.tile;
    const word count = first + args.tile < args.count ? args.tile : args.count - first;
    const Stage stage(args, row);
    if (!stage.runs)
        return;
    const Passing<P> from(args, row, first, stage);
    count_tile<P>(from, args.pass, count, places);
    const bool scatters = greatest_of(places) < uint64(count) / 4;
    find_places<P>(args, row, tile, places);
    if (P::POSITIONS)
        place_positions<P>(args, row, stage, from, count, places, scatters);
    else
        place_keys<P>(args, row, stage, from, count, places, scatters);
}

}  // namespace cuna

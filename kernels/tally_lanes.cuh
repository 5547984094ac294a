// tally_lanes.cuh: adding to the elements of a table, its slots, by blocks of many lanes; builds on weigh.cuh.
//
// Lanes that add to the same few slots of a table in global memory wait for each other. So a block adds up what its
// elements add in a share of its own, in shared memory, and adds the share to the table at its end. The share has several
// copies of every slot, side by side: lanes of a warp that add to one slot use different copies, in different banks.
//
// A table that has no room in a block is added to directly, in the cache of all blocks, which takes additions at one address
// one after the other: of lanes of a warp that add to one slot, the first adds for all.
//
// The functions of namespace tallying have the names and the parameters of those that add at once. They return what is to be
// added, and where; an address of 0 is none. Its type has
//   NBYTES            of a slot of the table
//   Part, PARTS       what a slot of a share has
//   COPIES            of a slot at most: one for each lane of a warp where an addition is one instruction, else one for
//                     each lane of a block, since a lane that meets another one repeats its addition
//   nothing()         a part to which nothing was added
//   join(part, apart) adds to the parts of a share, which lie `apart`
//   merge(a, b)       both added up: PARTS parts each
//   meet(lanes)       what these lanes of a warp, of which this is one, add up to; all 32 come, only the first of `lanes`
//                     needs the answer
//   store()           adds to the table
//   drain(at, parts)  adds the parts of a slot to the table
namespace cuna {
namespace tallying {

enum { FEW_COPIES = 32 };

// ---- lanes of a warp that add to the same slot ----

CUNA_INLINE uint32 lanes_below() { return (uint32(1) << lane() % 32) - 1; }

// Calls take(from, adds) until the first of some lanes has added up what all of them have: from a lane, if it adds. Each
// takes from the next one, then every second one from the next of these, and so on.
template <class F>
CUNA_INLINE void take_in_turn(uint32 lanes, F take)
{
    unsigned rank = bits_set(lanes & lanes_below());
    uint32 behind = lanes & ~(lanes_below() << 1 | 1);
    while (ballot(behind != 0) != 0) {
        take(bits_set((behind & (0 - behind)) - 1) % 32, behind != 0);
        behind &= ~ballot(rank & 1);
        rank /= 2;
    }
}

template <class V>
CUNA_INLINE void sum_of_lanes(V &value, uint32 lanes)
{
    take_in_turn(lanes, [&](unsigned from, bool adds) {
        const V other = shuffle(value, from);
        value = adds ? wrap_add(value, other) : value;
    });
}

// ---- what is added ----

// What is added as a word.
struct Word {
    typedef uint32 Part;
    enum { PARTS = 1, COPIES = FEW_COPIES };
    static CUNA_INLINE uint32 nothing() { return 0; }
    static CUNA_INLINE void merge(uint32 *a, const uint32 *b) { *a += *b; }
};

// One more element; a block has fewer than 2^32.
struct Count : Word {
    enum { NBYTES = 8 };
    int64 at, times;
    CUNA_INLINE void join(uint32 *part, unsigned) const { add_beside(part, uint32(1)); }
    CUNA_INLINE void meet(uint32 lanes) { times = bits_set(lanes); }
    CUNA_INLINE void store() const { cuna::added<int64>(at, times); }
    static CUNA_INLINE void drain(int64 at, const uint32 *part) { cuna::added<int64>(at, int64(*part)); }
};

// Adds 64 bits to two words, the low one first. The lane that makes it overflow carries.
CUNA_INLINE void add_words(uint32 *part, unsigned apart, uint64 value)
{
    const uint32 low = uint32(value), carry = low != 0 && add_beside(part, low) + low < low;
    const uint32 high = uint32(value >> 32) + carry;
    if (high != 0)
        add_beside(part + apart, high);
}
CUNA_INLINE uint64 of_words(const uint32 *part) { return uint64(part[1]) << 32 | part[0]; }
CUNA_INLINE void merge_words(uint32 *a, const uint32 *b)
{
    const uint64 sum = of_words(a) + of_words(b);
    a[0] = uint32(sum);
    a[1] = uint32(sum >> 32);
}

// A sum of integers or floats. Half floats are added up as float32. -0 added to any float is that float.
template <class S> struct Sum {
    typedef float Part;
    enum { NBYTES = sizeof(S), PARTS = 1, COPIES = LANES };
    int64 at;
    float value;
    static CUNA_INLINE Part nothing() { return Part(-0.0); }
    CUNA_INLINE void join(Part *part, unsigned) const { add_beside(part, Part(value)); }
    static CUNA_INLINE void merge(Part *a, const Part *b) { *a += *b; }
    CUNA_INLINE void meet(uint32 lanes) { sum_of_lanes(value, lanes); }
    CUNA_INLINE void store() const { cuna::added<S>(at, value); }
    static CUNA_INLINE void drain(int64 at, const Part *part) { cuna::added<S>(at, load(cuna::store<S>(*part))); }
};

template <> struct Sum<double> {
    typedef double Part;
    enum { NBYTES = 8, PARTS = 1, COPIES = LANES };
    int64 at;
    double value;
    static CUNA_INLINE double nothing() { return -0.0; }
    CUNA_INLINE void join(double *part, unsigned) const { add_beside(part, value); }
    static CUNA_INLINE void merge(double *a, const double *b) { *a += *b; }
    CUNA_INLINE void meet(uint32 lanes) { sum_of_lanes(value, lanes); }
    CUNA_INLINE void store() const { cuna::added<double>(at, value); }
    static CUNA_INLINE void drain(int64 at, const double *part) { cuna::added<double>(at, *part); }
};

template <class S> struct WordSum : Word {
    enum { NBYTES = 4 };
    int64 at;
    S value;
    CUNA_INLINE void join(uint32 *part, unsigned) const { add_beside(part, uint32(value)); }
    CUNA_INLINE void meet(uint32 lanes) { sum_of_lanes(value, lanes); }
    CUNA_INLINE void store() const { cuna::added<S>(at, value); }
    static CUNA_INLINE void drain(int64 at, const uint32 *part) { cuna::added<S>(at, S(*part)); }
};
template <> struct Sum<int32> : WordSum<int32> {};
template <> struct Sum<uint32> : WordSum<uint32> {};

template <class S> struct LongSum {
    typedef uint32 Part;
    enum { NBYTES = 8, PARTS = 2, COPIES = FEW_COPIES };
    int64 at;
    S value;
    static CUNA_INLINE uint32 nothing() { return 0; }
    CUNA_INLINE void join(uint32 *part, unsigned apart) const { add_words(part, apart, uint64(value)); }
    static CUNA_INLINE void merge(uint32 *a, const uint32 *b) { merge_words(a, b); }
    CUNA_INLINE void meet(uint32 lanes) { sum_of_lanes(value, lanes); }
    CUNA_INLINE void store() const { cuna::added<S>(at, value); }
    static CUNA_INLINE void drain(int64 at, const uint32 *part) { cuna::added<S>(at, S(of_words(part))); }
};
template <> struct Sum<int64> : LongSum<int64> {};
template <> struct Sum<uint64> : LongSum<uint64> {};

// The greatest exponent of a bin (weigh.cuh).
struct Exponent : Word {
    enum { NBYTES = 4 };
    int64 at;
    uint32 exponent;
    // A lane that sees a greater one has nothing to add: exponents only grow.
    CUNA_INLINE void join(uint32 *part, unsigned) const
    {
        if (*(volatile uint32 *)part < exponent)
            raise_beside(part, exponent);
    }
    static CUNA_INLINE void merge(uint32 *a, const uint32 *b) { *a = *a < *b ? *b : *a; }
    CUNA_INLINE void meet(uint32 lanes)
    {
        take_in_turn(lanes, [&](unsigned from, bool) {
            const uint32 other = shuffle(exponent, from);
            exponent = exponent < other ? other : exponent;
        });
    }
    CUNA_INLINE void store() const { raise_atomically((uint32 *)at, exponent); }
    static CUNA_INLINE void drain(int64 at, const uint32 *part) { raise_atomically((uint32 *)at, *part); }
};

// A weight as the two words of a bin (weigh.cuh).
struct Weight {
    typedef uint32 Part;
    enum { NBYTES = 16, PARTS = 4, COPIES = FEW_COPIES };
    int64 at;
    int64 high, low;
    static CUNA_INLINE uint32 nothing() { return 0; }
    CUNA_INLINE void join(uint32 *part, unsigned apart) const
    {
        add_words(part, apart, uint64(high));
        add_words(part + 2 * apart, apart, uint64(low));
    }
    static CUNA_INLINE void merge(uint32 *a, const uint32 *b)
    {
        merge_words(a, b);
        merge_words(a + 2, b + 2);
    }
    CUNA_INLINE void meet(uint32 lanes)
    {
        sum_of_lanes(high, lanes);
        sum_of_lanes(low, lanes);
    }
    CUNA_INLINE void store() const
    {
        if (high != 0)
            cuna::added<int64>(at, high);
        if (low != 0)
            cuna::added<int64>(at + 8, low);
    }
    static CUNA_INLINE void drain(int64 at, const uint32 *part)
    {
        Weight sum;
        sum.at = at;
        sum.high = int64(of_words(part));
        sum.low = int64(of_words(part + 2));
        sum.store();
    }
};

template <class S>
CUNA_INLINE Sum<S> added(int64 at, typename value_of<S>::type value)
{
    Sum<S> made;
    made.at = at;
    made.value = value;
    return made;
}

template <class S>
CUNA_INLINE Sum<S> tallied(int64 sums, int64 bin, S value)
{
    return tallying::added<S>(bin >= 0 ? sums + bin * int64(sizeof(S)) : 0, value);
}

template <class S>
CUNA_INLINE Count tallied(int64 counts, int64 bin, int)
{
    Count made;
    made.at = bin >= 0 ? counts + bin * 8 : 0;
    made.times = 1;
    return made;
}

CUNA_INLINE Exponent raised(int64 exponents, int64 bin, double value)
{
    Exponent made;
    made.at = bin >= 0 ? exponents + bin * 4 : 0;
    made.exponent = least_exponent_of(value);
    return made;
}

CUNA_INLINE Weight weighed(int64 sums, int64 bin, double value, int64 exponents, int64 bits)
{
    Weight made;
    made.at = bin >= 0 ? sums + bin * 16 : 0;
    made.high = made.low = 0;
    if (bin >= 0)
        in_words(value, ((const uint32 *)exponents)[bin], int(bits), made.high, made.low);
    return made;
}

// Adds to the table. All lanes of a warp come with something to add, or with nothing. They look for each other in one
// addition of LOOK, and in those after lanes have met.
template <class T>
struct Table {
    enum { LOOK = 8 };
    unsigned turn;
    bool meet;

    CUNA_INLINE Table(word, unsigned, unsigned) : turn(0), meet(false) {}
    CUNA_INLINE void add(T made)
    {
        bool is_first = true;
        if (turn++ % LOOK == 0 || meet) {
            const uint32 same = lanes_with(uint64(made.at)), lanes = made.at != 0 ? same : 0;
            meet = ballot((lanes & (lanes - 1)) != 0) != 0;
            if (meet)
                made.meet(lanes);
            is_first = (lanes & lanes_below()) == 0;
        }
        if (made.at != 0 && is_first)
            made.store();
    }
    CUNA_INLINE void open() {}
    CUNA_INLINE void close(unsigned) const {}
};

// Adds to a share of it: part p of slot s, copy c is at (s * PARTS + p) * copies + c.
template <class T>
struct Share {
    typedef typename T::Part Part;
    enum { ROOM = TALLY_NBYTES / sizeof(Part) };
    word table;
    unsigned slots, copies;
    Part *parts, *own;

    // Of a block with so many elements. Copies are a power of two, and few where each would have few elements.
    CUNA_INLINE Share(word table, unsigned slots, unsigned elements) : table(table), slots(slots), copies(1)
    {
        CUNA_SHARED Part room[ROOM];
        while (copies < T::COPIES && 2 * copies * slots * T::PARTS <= ROOM && 8 * copies * slots <= elements)
            copies *= 2;
        parts = room;
        own = room + (lane() & (copies - 1));
    }

    CUNA_INLINE void open()
    {
        for (unsigned i = lane(); i < slots * T::PARTS * copies; i += LANES)
            parts[i] = T::nothing();
        barrier();
    }

    CUNA_INLINE void add(const T &made) const
    {
        if (made.at != 0)
            made.join(own + unsigned(made.at - table) / T::NBYTES * T::PARTS * copies, copies);
    }

    // Blocks begin with different slots, and lanes with different copies, so that few meet in a slot or a bank.
    CUNA_INLINE void close(unsigned block) const
    {
        barrier();
        const unsigned first = unsigned(uint64(uint32(block * 2654435761u)) * slots >> 32);
        for (unsigned i = lane(); i < slots; i += LANES) {
            const unsigned slot = i + first < slots ? i + first : i + first - slots;
            drain(slot);
        }
    }

    CUNA_INLINE void drain(unsigned slot) const
    {
        const Part *from = parts + slot * T::PARTS * copies;
        Part sum[T::PARTS], other[T::PARTS];
        bool touched = false;
        for (int p = 0; p < T::PARTS; ++p)
            sum[p] = T::nothing();
        for (unsigned c = 0; c < copies; ++c) {
            const unsigned copy = (c + slot) & (copies - 1);
            CUNA_UNROLL
            for (int p = 0; p < T::PARTS; ++p) {
                other[p] = from[p * copies + copy];
                touched = touched || !has_bits_of(other[p], T::nothing());
            }
            T::merge(sum, other);
        }
        if (touched)
            T::drain(int64(table) + slot * T::NBYTES, sum);
    }

    static CUNA_INLINE bool has_bits_of(uint32 a, uint32 b) { return a == b; }
    static CUNA_INLINE bool has_bits_of(float a, float b) { return bits_of(a) == bits_of(b); }
    static CUNA_INLINE bool has_bits_of(double a, double b) { return bits_of(a) == bits_of(b); }
};

template <class T, bool SHARES> struct target { typedef Table<T> type; };
template <class T> struct target<T, true> { typedef Share<T> type; };

}  // namespace tallying

// Adds what V elements from j on add, if all are there. All lanes come here.
template <int V, class P, class F>
CUNA_INLINE void tally_access(const P &p, typename P::index j, typename P::index left,
                              const typename P::template Loaded<V> &in, F &to)
{
    typename P::Tally made[V];
    if (j + V <= left) {
        p.template tally<V>(j, in, made);
    } else {
        CUNA_UNROLL
        for (int k = 0; k < V; ++k)
            made[k].at = 0;
    }
    CUNA_UNROLL
    for (int k = 0; k < V; ++k)
        to.add(made[k]);
}

// TALLY: a block goes through the run in rounds, as FLAT does.
template <class P>
CUNA_INLINE void tally(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { VECTOR = P::VECTOR, ITEMS = P::ITEMS, ROUND = LANES * VECTOR * ITEMS };
    typename tallying::target<typename P::Tally, P::SHARES>::type to(args.pointer[0], unsigned(args.rows),
                                                                        unsigned(args.across));
    to.open();
    for (word first = word(block) * ROUND; first < args.size; first += args.pieces * ROUND) {
        const word behind = args.size - first;
        const index left = index(behind < ROUND ? behind : ROUND);
        P p(args);
        p.advance(index(first));
        p.at(first);
        typename P::template Loaded<VECTOR> in[ITEMS];
        CUNA_UNROLL
        for (int u = 0; u < ITEMS; ++u) {
            const index j = index((u * LANES + lane()) * VECTOR);
            if (j + VECTOR <= left)
                in[u] = p.template fetch<VECTOR>(j);
        }
        CUNA_UNROLL
        for (int u = 0; u < ITEMS; ++u)
            tally_access<VECTOR>(p, index((u * LANES + lane()) * VECTOR), left, in[u], to);
        const index rest = left - left % VECTOR + index(lane());
        if (left % VECTOR != 0)
            tally_access<1>(p, rest, left, rest < left ? p.template fetch<1>(rest) : typename P::template Loaded<1>(), to);
    }
    to.close(block);
}

}  // namespace cuna

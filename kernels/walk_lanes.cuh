// walk_lanes.cuh: the arguments of a walk, and how lanes find and move elements, where a block has many lanes.
//
// Beside what walk.cuh lists a Program has
//   fetch<V>(j)            the inputs of elements j to j + V - 1, as a Loaded<V>
//   read<V>(j, loaded)     what they read at positions that they loaded, as a Read<V>; else what they loaded
//   finish<V>(j, read)     computes these elements and stores them
//   VECTOR, ITEMS          elements that a lane moves in one access, and accesses that it has under way at once
// Loads stand before the first use of any of them, and reads before the first store, so that a lane waits for memory once
// or twice per ITEMS accesses.
namespace cuna {

template <int OPERANDS, int SCALARS, int RANK>
struct Walk {
    enum { SLOTS = OPERANDS > 0 ? OPERANDS : 1 };
    word pointer[SLOTS];
    word scalar[SCALARS > 0 ? SCALARS : 1][2];
    word shape[RANK > 0 ? RANK : 1];
    word stride[SLOTS][RANK > 0 ? RANK : 1];
    word divisor[RANK > 0 ? RANK : 1];  // for division by the shape
    word size;                          // elements of the walk
    word pieces;                        // squares side by side (TILES), pieces of a row (ROWS), rows beside each other
                                        // (SHORT_ROWS), blocks (TALLY), accesses of a lane (FLAT)
    word rows;                          // rows, squares one below the other (TILES), slots of the table (TALLY)
    word across;                        // elements of a piece (ROWS), of a block (TALLY), accesses of a row (SHORT_ROWS)
    word down;                          // rows of a block (SHORT_ROWS), of the pieces that it does at once: log2 (ROWS)
    word cut;                           // for division by `pieces` (ROWS), by `across` (SHORT_ROWS)
};

// Elements that are moved at once.
template <class S, int N>
struct alignas(sizeof(S) * N) Pack {
    S at[N];
};

// Elements of a pack that one access moves: of a pack of more than 16 bytes, a part.
template <class S, int N>
constexpr int part_of_pack()
{
    return N * int(sizeof(S)) <= 16 ? N : 16 / int(sizeof(S));
}

template <int N, class S>
CUNA_INLINE Pack<S, N> load_run(const S *first)
{
    enum { PART = part_of_pack<S, N>() };
    Pack<S, N> pack;
    CUNA_UNROLL
    for (int k = 0; k < N / PART; ++k)
        ((Pack<S, PART> *)&pack)[k] = pack_load((const Pack<S, PART> *)first + k);
    return pack;
}

template <class S, int N>
CUNA_INLINE void store_run(S *first, const Pack<S, N> &pack)
{
    enum { PART = part_of_pack<S, N>() };
    CUNA_UNROLL
    for (int k = 0; k < N / PART; ++k)
        pack_store((Pack<S, PART> *)first + k, ((const Pack<S, PART> *)&pack)[k]);
}

// The same for elements that lie `stride` apart, or are not aligned.
template <int N, class S, class I>
CUNA_INLINE Pack<S, N> load_steps(const S *first, I stride)
{
    Pack<S, N> pack;
    CUNA_UNROLL
    for (int k = 0; k < N; ++k)
        pack.at[k] = first[k * stride];
    return pack;
}

template <class S, int N, class I>
CUNA_INLINE void store_steps(S *first, I stride, const Pack<S, N> &pack)
{
    CUNA_UNROLL
    for (int k = 0; k < N; ++k)
        first[k * stride] = pack.at[k];
}

// n / by. Positions of 32 bits are multiplied by the inverse that the host prepared: the high half of a word is a shift, the
// low half a factor (Granlund and Montgomery, Division by invariant integers using multiplication, 1994).
CUNA_INLINE int32 over_length(int32 n, word divisor, word)
{
    const uint32 factor = uint32(divisor), shift = uint32(divisor >> 32);
    return int32((uint32(uint64(uint32(n)) * factor >> 32) + uint32(n)) >> shift);
}
CUNA_INLINE int64 over_length(int64 n, word, word by) { return n / by; }

// Moves p to position `rest` of the row-major space of the first AXES axes.
template <int AXES, class P>
CUNA_INLINE void go_to(P &p, const typename P::Args &args, typename P::index rest)
{
    typedef typename P::index index;
    CUNA_UNROLL
    for (int axis = AXES - 1; axis > 0; --axis) {
        const index up = over_length(rest, args.divisor[axis], args.shape[axis]);
        p.step(args, axis, rest - up * index(args.shape[axis]));
        rest = up;
    }
    if (AXES > 0)
        p.step(args, 0, rest);
}

// A square of an operand that is contiguous down the square, transposed into rows: `from` elements beyond src. Of whole
// squares no lane asks what is left.
template <bool WHOLE, int SIDE, class S, int PITCH, class I>
CUNA_INLINE void pack_part(S (*tile)[PITCH], const S *src, I from, I stride, int height, int width)
{
    enum { STEP = LANES / SIDE, BATCH = SIDE / STEP < 8 ? SIDE / STEP : 8 };
    const int i = int(lane() % SIDE);
    for (int round = 0; round < SIDE / (BATCH * STEP); ++round) {
        const int first = int(lane() / SIDE) + round * (BATCH * STEP);
        S item[BATCH];
        CUNA_UNROLL
        for (int b = 0; b < BATCH; ++b)
            if (WHOLE || (i < height && first + b * STEP < width))
                item[b] = src[from + i + (first + b * STEP) * stride];
        CUNA_UNROLL
        for (int b = 0; b < BATCH; ++b)
            if (WHOLE || (i < height && first + b * STEP < width))
                tile[i][first + b * STEP] = item[b];
    }
}

template <int SIDE, class S, int PITCH, class I>
CUNA_INLINE void pack_tile(S (*tile)[PITCH], const S *src, I from, I stride, int height, int width)
{
    if (height == SIDE && width == SIDE)
        pack_part<true, SIDE>(tile, src, from, stride, height, width);
    else
        pack_part<false, SIDE>(tile, src, from, stride, height, width);
}

// Shared memory for values, whose types may have constructors: no shared variable may.
template <class S, int N>
struct Room {
    alignas(S) unsigned char bytes[N * sizeof(S)];
    CUNA_INLINE S *at() { return (S *)bytes; }
};

}  // namespace cuna

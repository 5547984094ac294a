/* raw_cub_warp_cpu.h: further primitives of CUB's for warps and threads on the cpu device; follows raw_cub_block_cpu.h.
 *
 * Lanes of a warp see each other's values by gather (raw_block_cpu.h), one item after another. */
#ifndef CUNA_RAW_CUB_WARP
#define CUNA_RAW_CUB_WARP

namespace cub {

/* ---- threads ---- */

#define CUNA_OPERATOR(name, expression)                                                                                \
    struct name {                                                                                                      \
        template <class T, class U> CUNA_INLINE auto operator()(const T &a, const U &b) const { return expression; }   \
    };
CUNA_OPERATOR(Equality, a == b)
CUNA_OPERATOR(Inequality, a != b)
CUNA_OPERATOR(Difference, a - b)
CUNA_OPERATOR(Division, a / b)
CUNA_OPERATOR(ArgMax, b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a)
CUNA_OPERATOR(ArgMin, b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a)
#undef CUNA_OPERATOR
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    CUNA_INLINE KeyValuePair(const K &key, const V &value) : key(key), value(value) {}
    CUNA_INLINE bool operator!=(const KeyValuePair &b) const { return key != b.key || value != b.value; }
};

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier, class I> CUNA_INLINE auto ThreadLoad(I from) { return *from; }
template <CacheStoreModifier, class I, class T> CUNA_INLINE void ThreadStore(I to, T value) { *to = value; }

CUNA_INLINE unsigned LaneId() { return cuna_raw::lane(); }
CUNA_INLINE unsigned WarpId() { return unsigned(cuna_cub::rank()) / 32; }
CUNA_INLINE int RowMajorTid(int x, int y, int)
{
    return int(threadIdx.x) + x * int(threadIdx.y) + x * y * int(threadIdx.z);
}

#define CUNA_MOVES(name, at, THREADS)                                                                                  \
    template <THREADS class T, int N, class I> CUNA_INLINE void LoadDirect##name(int rank, I from, T (&items)[N])      \
    {                                                                                                                  \
        for (int i = 0; i < N; ++i)                                                                                    \
            items[i] = from[at];                                                                                       \
    }                                                                                                                  \
    template <THREADS class T, int N, class I>                                                                         \
    CUNA_INLINE void LoadDirect##name(int rank, I from, T (&items)[N], int count)                                      \
    {                                                                                                                  \
        for (int i = 0; i < N; ++i)                                                                                    \
            if (at < count)                                                                                            \
                items[i] = from[at];                                                                                   \
    }                                                                                                                  \
    template <THREADS class T, class D, int N, class I>                                                                \
    CUNA_INLINE void LoadDirect##name(int rank, I from, T (&items)[N], int count, D otherwise)                         \
    {                                                                                                                  \
        for (int i = 0; i < N; ++i)                                                                                    \
            items[i] = at < count ? T(from[at]) : T(otherwise);                                                        \
    }                                                                                                                  \
    template <THREADS class T, int N, class I> CUNA_INLINE void StoreDirect##name(int rank, I to, T (&items)[N])       \
    {                                                                                                                  \
        for (int i = 0; i < N; ++i)                                                                                    \
            to[at] = items[i];                                                                                         \
    }                                                                                                                  \
    template <THREADS class T, int N, class I>                                                                         \
    CUNA_INLINE void StoreDirect##name(int rank, I to, T (&items)[N], int count)                                       \
    {                                                                                                                  \
        for (int i = 0; i < N; ++i)                                                                                    \
            if (at < count)                                                                                            \
                to[at] = items[i];                                                                                     \
    }
#define CUNA_NONE
#define CUNA_BLOCK int BLOCK,
CUNA_MOVES(Blocked, rank * N + i, CUNA_NONE)
CUNA_MOVES(Striped, i * BLOCK + rank, CUNA_BLOCK)
#undef CUNA_NONE
#undef CUNA_BLOCK
#undef CUNA_MOVES

template <int N, class T, class F> CUNA_INLINE T ThreadReduce(const T (&items)[N], F f)
{
    T sum = items[0];
    for (int i = 1; i < N; ++i)
        sum = f(sum, items[i]);
    return sum;
}
template <int N, class T, class F> CUNA_INLINE T ThreadReduce(const T (&items)[N], F f, T before)
{
    for (int i = 0; i < N; ++i)
        before = f(before, items[i]);
    return before;
}

/* ---- warps ---- */

namespace cuna_cub {

/* What lane `from` of a logical warp shows; its own value of a lane that is none. */
template <int SIZE, class T> CUNA_INLINE T take(T value, int from)
{
    T all[32];
    unsigned seen;
    Lanes<SIZE> lanes;
    cuna_raw::gather(lanes.mask, value, all, seen);
    return from >= 0 && from < SIZE ? all[lanes.first + unsigned(from)] : value;
}

/* All items of a logical warp, N of each lane after another. */
template <int SIZE, int N, class T> struct WarpItems {
    T items[SIZE * N];
    int place;
    CUNA_INLINE WarpItems(const T (&own)[N])
    {
        Lanes<SIZE> lanes;
        place = int(lanes.place);
        for (int i = 0; i < N; ++i) {
            T all[32];
            unsigned seen;
            cuna_raw::gather(lanes.mask, own[i], all, seen);
            for (int k = 0; k < SIZE; ++k)
                items[k * N + i] = all[lanes.first + unsigned(k)];
        }
    }
};

} // namespace cuna_cub

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int N, WarpLoadAlgorithm A = WARP_LOAD_DIRECT, int SIZE = 32, int = 0> class WarpLoad {
public:
    struct TempStorage {};
    CUNA_INLINE WarpLoad() {}
    CUNA_INLINE WarpLoad(TempStorage &) {}
    template <class I, class... More> CUNA_INLINE void Load(I from, T (&items)[N], More... more)
    {
        int place = int(cuna_cub::Lanes<SIZE>().place);
        if (A == WARP_LOAD_STRIPED)
            LoadDirectStriped<SIZE>(place, from, items, more...);
        else
            LoadDirectBlocked(place, from, items, more...);
    }
};

template <class T, int N, WarpStoreAlgorithm A = WARP_STORE_DIRECT, int SIZE = 32, int = 0> class WarpStore {
public:
    struct TempStorage {};
    CUNA_INLINE WarpStore() {}
    CUNA_INLINE WarpStore(TempStorage &) {}
    template <class I, class... More> CUNA_INLINE void Store(I to, T (&items)[N], More... more)
    {
        int place = int(cuna_cub::Lanes<SIZE>().place);
        if (A == WARP_STORE_STRIPED)
            StoreDirectStriped<SIZE>(place, to, items, more...);
        else
            StoreDirectBlocked(place, to, items, more...);
    }
};

template <class T, int N, int SIZE = 32, WarpExchangeAlgorithm = WARP_EXCHANGE_SMEM> class WarpExchange {
    typedef cuna_cub::WarpItems<SIZE, N, T> Items;

public:
    struct TempStorage {};
    CUNA_INLINE WarpExchange(TempStorage &) {}
    template <class O> CUNA_INLINE void BlockedToStriped(const T (&in)[N], O (&out)[N])
    {
        Items all(in);
        for (int i = 0; i < N; ++i)
            out[i] = all.items[i * SIZE + all.place];
    }
    template <class O> CUNA_INLINE void StripedToBlocked(const T (&in)[N], O (&out)[N])
    {
        Items all(in);
        for (int i = 0, at = all.place * N; i < N; ++i, ++at)
            out[i] = all.items[at % SIZE * N + at / SIZE];
    }
    template <class R, class O> CUNA_INLINE void ScatterToStriped(const T (&in)[N], O (&out)[N], R (&ranks)[N])
    {
        Items all(in);
        cuna_cub::WarpItems<SIZE, N, R> places(ranks);
        for (int k = 0; k < SIZE * N; ++k)
            if (int(places.items[k]) % SIZE == all.place)
                out[int(places.items[k]) / SIZE] = all.items[k];
    }
    template <class R> CUNA_INLINE void ScatterToStriped(T (&items)[N], R (&ranks)[N])
    {
        ScatterToStriped(items, items, ranks);
    }
};

template <class K, int N, int SIZE = 32, class V = NullType> class WarpMergeSort {
    template <class F> CUNA_INLINE void sort(K (&keys)[N], V *values, F f, int count)
    {
        V mine[N] = {};
        for (int i = 0; i < N && values != nullptr; ++i)
            mine[i] = values[i];
        cuna_cub::WarpItems<SIZE, N, K> all(keys);
        cuna_cub::WarpItems<SIZE, N, V> others(mine);
        cuna_cub::sort_by(all.items, others.items, count, f);
        for (int i = 0; i < N; ++i) {
            keys[i] = all.items[all.place * N + i];
            if (values != nullptr)
                values[i] = others.items[all.place * N + i];
        }
    }
    CUNA_INLINE void replace(K (&keys)[N], int count, K last)
    {
        for (int i = 0; i < N; ++i)
            if (int(cuna_cub::Lanes<SIZE>().place) * N + i >= count)
                keys[i] = last;
    }

public:
    struct TempStorage {};
    CUNA_INLINE WarpMergeSort(TempStorage &) {}
    CUNA_SORTS(Sort, SIZE * N)
    CUNA_SORTS(StableSort, SIZE * N)
#undef CUNA_SORTS
};

template <int SIZE, class T> CUNA_INLINE T ShuffleIndex(T value, int from, unsigned)
{
    return cuna_cub::take<SIZE>(value, from);
}
template <int SIZE, class T> CUNA_INLINE T ShuffleUp(T value, int distance, int first, unsigned)
{
    int from = int(cuna_cub::Lanes<SIZE>().place) - distance;
    return cuna_cub::take<SIZE>(value, from >= first ? from : -1);
}
template <int SIZE, class T> CUNA_INLINE T ShuffleDown(T value, int distance, int last, unsigned)
{
    int from = int(cuna_cub::Lanes<SIZE>().place) + distance;
    return cuna_cub::take<SIZE>(value, from <= last ? from : -1);
}

} // namespace cub

#endif

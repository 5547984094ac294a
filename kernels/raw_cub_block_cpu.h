/* raw_cub_block_cpu.h: further primitives of CUB's for blocks on the cpu device; follows raw_cub_cpu.h.
 *
 * Threads put values into the temporary storage, where others find them after a barrier, or the first thread sorts. */
#ifndef CUNA_RAW_CUB_BLOCK
#define CUNA_RAW_CUB_BLOCK

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int N, int BINS, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1>
class BlockHistogram {
public:
    struct TempStorage {};
    CUNA_INLINE BlockHistogram() {}
    CUNA_INLINE BlockHistogram(TempStorage &) {}
    template <class C> CUNA_INLINE void InitHistogram(C (&counts)[BINS])
    {
        for (int i = cuna_cub::rank(); i < BINS; i += X * Y * Z)
            counts[i] = C();
    }
    template <class C> CUNA_INLINE void Composite(T (&items)[N], C (&counts)[BINS])
    {
        __syncthreads();
        for (int i = 0; i < N; ++i)
            cuna_raw::update(&counts[items[i]], [](C count) { return C(count + 1); });
        __syncthreads();
    }
    template <class C> CUNA_INLINE void Histogram(T (&items)[N], C (&counts)[BINS])
    {
        InitHistogram(counts);
        Composite(items, counts);
    }
};

namespace cuna_cub {

/* The first and the last item of every thread, from which each thread finds what stands beside its own items. */
template <class T, int THREADS> struct Edges {
    struct TempStorage {
        Room<T, THREADS> first, last;
    };
    TempStorage &storage;
    CUNA_INLINE void show(const T &first, const T &last) const
    {
        __syncthreads();
        storage.first[rank()] = first;
        storage.last[rank()] = last;
        __syncthreads();
    }
    CUNA_INLINE const T *before(const T *otherwise = nullptr) const
    {
        return rank() > 0 ? &storage.last[rank() - 1] : otherwise;
    }
    CUNA_INLINE const T *after(const T *otherwise = nullptr) const
    {
        return rank() + 1 < THREADS ? &storage.first[rank() + 1] : otherwise;
    }
};

template <class T, int N> struct Copy {
    T items[N];
    CUNA_INLINE Copy(const T (&from)[N])
    {
        for (int i = 0; i < N; ++i)
            items[i] = from[i];
    }
};

} // namespace cuna_cub

template <class T, int X, int Y = 1, int Z = 1> class BlockShuffle {
    typedef cuna_cub::Edges<T, X * Y * Z> Edges;
    Edges edges;
    static constexpr int THREADS = X * Y * Z;

public:
    typedef typename Edges::TempStorage TempStorage;
    CUNA_INLINE BlockShuffle() : edges{cuna_cub::private_storage<THREADS, TempStorage>()} {}
    CUNA_INLINE BlockShuffle(TempStorage &storage) : edges{storage} {}
    CUNA_INLINE void Offset(T in, T &out, int distance = 1)
    {
        edges.show(in, in);
        int from = cuna_cub::rank() + distance;
        if (from >= 0 && from < THREADS)
            out = edges.storage.first[from];
    }
    CUNA_INLINE void Rotate(T in, T &out, unsigned distance = 1)
    {
        edges.show(in, in);
        out = edges.storage.first[(unsigned(cuna_cub::rank()) + distance) % THREADS];
    }
    template <int N> CUNA_INLINE void Up(T (&in)[N], T (&out)[N])
    {
        edges.show(in[0], in[N - 1]);
        for (int i = N - 1; i > 0; --i)
            out[i] = in[i - 1];
        if (edges.before() != nullptr)
            out[0] = *edges.before();
    }
    template <int N> CUNA_INLINE void Up(T (&in)[N], T (&out)[N], T &suffix)
    {
        Up(in, out);
        suffix = edges.storage.last[THREADS - 1];
    }
    template <int N> CUNA_INLINE void Down(T (&in)[N], T (&out)[N])
    {
        edges.show(in[0], in[N - 1]);
        for (int i = 0; i + 1 < N; ++i)
            out[i] = in[i + 1];
        if (edges.after() != nullptr)
            out[N - 1] = *edges.after();
    }
    template <int N> CUNA_INLINE void Down(T (&in)[N], T (&out)[N], T &prefix)
    {
        Down(in, out);
        prefix = edges.storage.first[0];
    }
};

template <class T, int X, int Y = 1, int Z = 1> class BlockDiscontinuity {
    typedef cuna_cub::Edges<T, X * Y * Z> Edges;
    Edges edges;
    template <class F> static CUNA_INLINE auto flag(F f, const T &a, const T &b, int i, int) -> decltype(f(a, b, i))
    {
        return f(a, b, i);
    }
    template <class F> static CUNA_INLINE auto flag(F f, const T &a, const T &b, int, long) -> decltype(f(a, b))
    {
        return f(a, b);
    }
    /* Null: there is no such flag, or no such neighbour. */
    template <class H, class L, int N, class F>
    CUNA_INLINE void flag_all(H *heads, L *tails, const T (&items)[N], F f, const T *before, const T *after)
    {
        edges.show(items[0], items[N - 1]);
        for (int i = 0, at = cuna_cub::rank() * N; i < N; ++i, ++at) {
            const T *left = i > 0 ? &items[i - 1] : edges.before(before);
            const T *right = i + 1 < N ? &items[i + 1] : edges.after(after);
            if (heads != nullptr)
                heads[i] = left == nullptr ? H(1) : H(flag(f, *left, items[i], at, 0));
            if (tails != nullptr)
                tails[i] = right == nullptr ? L(1) : L(flag(f, items[i], *right, at + 1, 0));
        }
    }

public:
    typedef typename Edges::TempStorage TempStorage;
    CUNA_INLINE BlockDiscontinuity() : edges{cuna_cub::private_storage<X * Y * Z, TempStorage>()} {}
    CUNA_INLINE BlockDiscontinuity(TempStorage &storage) : edges{storage} {}
#define CUNA_FLAGS(name, parameters, heads, tails, before, after)                                                      \
    template <int N, class H, class F> CUNA_INLINE void name parameters                                                \
    {                                                                                                                  \
        flag_all(heads, tails, items, f, before, after);                                                               \
    }
#define CUNA_NO (int *)nullptr
    CUNA_FLAGS(FlagHeads, (H(&h)[N], T (&items)[N], F f), h, CUNA_NO, nullptr, nullptr)
    CUNA_FLAGS(FlagHeads, (H(&h)[N], T (&items)[N], F f, T b), h, CUNA_NO, &b, nullptr)
    CUNA_FLAGS(FlagTails, (H(&t)[N], T (&items)[N], F f), CUNA_NO, t, nullptr, nullptr)
    CUNA_FLAGS(FlagTails, (H(&t)[N], T (&items)[N], F f, T a), CUNA_NO, t, nullptr, &a)
    CUNA_FLAGS(FlagHeadsAndTails, (H(&h)[N], H(&t)[N], T (&items)[N], F f), h, t, nullptr, nullptr)
    CUNA_FLAGS(FlagHeadsAndTails, (H(&h)[N], H(&t)[N], T a, T (&items)[N], F f), h, t, nullptr, &a)
    CUNA_FLAGS(FlagHeadsAndTails, (H(&h)[N], T b, H(&t)[N], T (&items)[N], F f), h, t, &b, nullptr)
    CUNA_FLAGS(FlagHeadsAndTails, (H(&h)[N], T b, H(&t)[N], T a, T (&items)[N], F f), h, t, &b, &a)
#undef CUNA_NO
#undef CUNA_FLAGS
};

template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference {
    typedef cuna_cub::Edges<T, X * Y * Z> Edges;
    Edges edges;
    template <int N, class O, class F>
    CUNA_INLINE void left(T (&in)[N], O (&out)[N], F f, int count, const T *beyond)
    {
        cuna_cub::Copy<T, N> own(in);
        edges.show(in[0], in[N - 1]);
        for (int i = 0, at = cuna_cub::rank() * N; i < N; ++i, ++at) {
            const T *other = i > 0 ? &own.items[i - 1] : edges.before(beyond);
            out[i] = at < count && other != nullptr ? O(f(own.items[i], *other)) : O(own.items[i]);
        }
    }
    template <int N, class O, class F>
    CUNA_INLINE void right(T (&in)[N], O (&out)[N], F f, int count, const T *beyond)
    {
        cuna_cub::Copy<T, N> own(in);
        edges.show(in[0], in[N - 1]);
        for (int i = 0, at = cuna_cub::rank() * N; i < N; ++i, ++at) {
            const T *other = at + 1 >= count ? beyond : i + 1 < N ? &own.items[i + 1] : edges.after();
            out[i] = at < count && other != nullptr ? O(f(own.items[i], *other)) : O(own.items[i]);
        }
    }

public:
    typedef typename Edges::TempStorage TempStorage;
    CUNA_INLINE BlockAdjacentDifference() : edges{cuna_cub::private_storage<X * Y * Z, TempStorage>()} {}
    CUNA_INLINE BlockAdjacentDifference(TempStorage &storage) : edges{storage} {}
#define CUNA_SUBTRACT(name, side, parameters, count, beyond)                                                           \
    template <int N, class O, class F> CUNA_INLINE void name parameters { side(in, out, f, count, beyond); }
#define CUNA_ALL (X * Y * Z * N)
    CUNA_SUBTRACT(SubtractLeft, left, (T(&in)[N], O (&out)[N], F f), CUNA_ALL, nullptr)
    CUNA_SUBTRACT(SubtractLeft, left, (T(&in)[N], O (&out)[N], F f, T b), CUNA_ALL, &b)
    CUNA_SUBTRACT(SubtractLeftPartialTile, left, (T(&in)[N], O (&out)[N], F f, int n), n, nullptr)
    CUNA_SUBTRACT(SubtractLeftPartialTile, left, (T(&in)[N], O (&out)[N], F f, int n, T b), n, &b)
    CUNA_SUBTRACT(SubtractRight, right, (T(&in)[N], O (&out)[N], F f), CUNA_ALL, nullptr)
    CUNA_SUBTRACT(SubtractRight, right, (T(&in)[N], O (&out)[N], F f, T a), CUNA_ALL, &a)
    CUNA_SUBTRACT(SubtractRightPartialTile, right, (T(&in)[N], O (&out)[N], F f, int n), n, nullptr)
#undef CUNA_ALL
#undef CUNA_SUBTRACT
};

/* Items of all threads move to other places: those of a blocked arrangement, where a thread has N neighbours, of a
 * striped one, where neighbours are in different threads, or of one that is striped in each warp. */
template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0> class BlockExchange {
    static constexpr int THREADS = X * Y * Z, LANES = THREADS < 32 ? THREADS : 32;
    typedef cuna_cub::Row<T, THREADS, N> Row;
    Row row;

    static CUNA_INLINE int blocked(int i) { return cuna_cub::rank() * N + i; }
    static CUNA_INLINE int striped(int i) { return i * THREADS + cuna_cub::rank(); }
    static CUNA_INLINE int warp_striped(int i)
    {
        return cuna_cub::rank() / LANES * LANES * N + i * LANES + cuna_cub::rank() % LANES;
    }
    template <class O, class To, class From> CUNA_INLINE void move(const T (&in)[N], O (&out)[N], To to, From from)
    {
        __syncthreads();
        for (int i = 0; i < N; ++i)
            if (to(i) >= 0)
                row.storage.values[to(i)] = in[i];
        __syncthreads();
        for (int i = 0; i < N; ++i)
            out[i] = row.storage.values[from(i)];
    }

public:
    typedef typename Row::TempStorage TempStorage;
    CUNA_INLINE BlockExchange() : row{cuna_cub::private_storage<THREADS, TempStorage>()} {}
    CUNA_INLINE BlockExchange(TempStorage &storage) : row{storage} {}
#define CUNA_EXCHANGE(name, to, from)                                                                                  \
    template <class O> CUNA_INLINE void name(const T (&in)[N], O (&out)[N]) { move(in, out, to, from); }               \
    CUNA_INLINE void name(T (&items)[N]) { name(items, items); }
    CUNA_EXCHANGE(BlockedToStriped, blocked, striped)
    CUNA_EXCHANGE(StripedToBlocked, striped, blocked)
    CUNA_EXCHANGE(BlockedToWarpStriped, blocked, warp_striped)
    CUNA_EXCHANGE(WarpStripedToBlocked, warp_striped, blocked)
#undef CUNA_EXCHANGE
    /* Places below 0, or without a flag, get nothing. */
    template <class O, class R> CUNA_INLINE void ScatterToBlocked(const T (&in)[N], O (&out)[N], R (&ranks)[N])
    {
        move(in, out, [&](int i) { return int(ranks[i]); }, blocked);
    }
    template <class O, class R> CUNA_INLINE void ScatterToStriped(const T (&in)[N], O (&out)[N], R (&ranks)[N])
    {
        move(in, out, [&](int i) { return int(ranks[i]); }, striped);
    }
    template <class O, class R> CUNA_INLINE void ScatterToStripedGuarded(const T (&in)[N], O (&out)[N], R (&ranks)[N])
    {
        ScatterToStriped(in, out, ranks);
    }
    template <class O, class R, class V>
    CUNA_INLINE void ScatterToStripedFlagged(const T (&in)[N], O (&out)[N], R (&ranks)[N], V (&valid)[N])
    {
        move(in, out, [&](int i) { return valid[i] ? int(ranks[i]) : -1; }, striped);
    }
    template <class R> CUNA_INLINE void ScatterToBlocked(T (&items)[N], R (&ranks)[N])
    {
        ScatterToBlocked(items, items, ranks);
    }
    template <class R> CUNA_INLINE void ScatterToStriped(T (&items)[N], R (&ranks)[N])
    {
        ScatterToStriped(items, items, ranks);
    }
};

namespace cuna_cub {

/* Stable, by insertion at the place that a search by halves finds; there is room for one more behind the values. */
template <class K, class V, class F> void sort_by(K *keys, V *values, int count, F before)
{
    for (int i = 1; i < count; ++i) {
        K key = keys[i];
        V value = values[i];
        int first = 0, last = i;
        while (first < last) {
            int middle = (first + last) / 2;
            if (before(key, keys[middle]))
                last = middle;
            else
                first = middle + 1;
        }
        for (int k = i; k > first; --k) {
            keys[k] = keys[k - 1];
            values[k] = values[k - 1];
        }
        keys[first] = key;
        values[first] = value;
    }
}

} // namespace cuna_cub

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1> class BlockMergeSort {
    static constexpr int COUNT = X * Y * Z * N;

public:
    struct TempStorage {
        cuna_cub::Room<K, COUNT> keys;
        cuna_cub::Room<V, COUNT> values;
    };

private:
    TempStorage &storage;
    template <class F> CUNA_INLINE void sort(K (&keys)[N], V *values, F f, int count)
    {
        int first = cuna_cub::rank() * N;
        __syncthreads();
        for (int i = 0; i < N; ++i) {
            storage.keys[first + i] = keys[i];
            if (values != nullptr)
                storage.values[first + i] = values[i];
        }
        __syncthreads();
        if (cuna_cub::rank() == 0)
            cuna_cub::sort_by(&storage.keys[0], &storage.values[0], count, f);
        __syncthreads();
        for (int i = 0; i < N; ++i) {
            keys[i] = storage.keys[first + i];
            if (values != nullptr)
                values[i] = storage.values[first + i];
        }
    }
    /* Keys behind the first `count` are the last ones. */
    CUNA_INLINE void replace(K (&keys)[N], int count, K last)
    {
        for (int i = 0; i < N; ++i)
            if (cuna_cub::rank() * N + i >= count)
                keys[i] = last;
    }

public:
    CUNA_INLINE BlockMergeSort() : storage(cuna_cub::private_storage<COUNT, TempStorage>()) {}
    CUNA_INLINE BlockMergeSort(TempStorage &storage) : storage(storage) {}
#define CUNA_SORTS(name, all)                                                                                          \
    template <class F> CUNA_INLINE void name(K (&keys)[N], F f) { sort(keys, nullptr, f, all); }                       \
    template <class F> CUNA_INLINE void name(K (&keys)[N], V (&values)[N], F f) { sort(keys, values, f, all); }        \
    template <class F> CUNA_INLINE void name(K (&keys)[N], F f, int count, K last)                                     \
    {                                                                                                                  \
        replace(keys, count, last);                                                                                    \
        sort(keys, nullptr, f, count);                                                                                 \
    }                                                                                                                  \
    template <class F> CUNA_INLINE void name(K (&keys)[N], V (&values)[N], F f, int count, K last)                     \
    {                                                                                                                  \
        replace(keys, count, last);                                                                                    \
        sort(keys, values, f, count);                                                                                  \
    }
    CUNA_SORTS(Sort, COUNT)
    CUNA_SORTS(StableSort, COUNT)
};

template <class T, int X, int RUNS, int ITEMS, class Offset = unsigned, int Y = 1, int Z = 1>
class BlockRunLengthDecode {
    static constexpr int COUNT = X * Y * Z * RUNS;

public:
    struct TempStorage {
        cuna_cub::Room<T, COUNT> values;
        Offset begins[COUNT + 1];
    };

private:
    TempStorage &storage;
    /* Keeps the runs, and numbers of them from begins[at] on. */
    template <class L> CUNA_INLINE void keep(T (&values)[RUNS], L *numbers, int at)
    {
        int first = cuna_cub::rank() * RUNS;
        __syncthreads();
        for (int i = 0; i < RUNS; ++i) {
            storage.values[first + i] = values[i];
            storage.begins[first + i + at] = Offset(numbers[i]);
        }
        __syncthreads();
    }
    template <class L> CUNA_INLINE void begin(T (&values)[RUNS], L *lengths)
    {
        keep(values, lengths, 1);
        if (cuna_cub::rank() == 0) {
            storage.begins[0] = 0;
            for (int i = 0; i < COUNT; ++i)
                storage.begins[i + 1] += storage.begins[i];
        }
        __syncthreads();
    }

public:
    template <class L> CUNA_INLINE BlockRunLengthDecode(TempStorage &room, T (&values)[RUNS], L (&offsets)[RUNS])
        : storage(room)
    {
        keep(values, offsets, 0);
    }
    template <class L, class S>
    CUNA_INLINE BlockRunLengthDecode(TempStorage &room, T (&values)[RUNS], L (&lengths)[RUNS], S &total)
        : storage(room)
    {
        begin(values, lengths);
        total = S(storage.begins[COUNT]);
    }
    /* A run without elements has what CUB gives it: a thread that comes to one stays in it. */
    template <class P> CUNA_INLINE void RunLengthDecode(T (&items)[ITEMS], P (&places)[ITEMS], Offset from = 0)
    {
        Offset at = from + Offset(cuna_cub::rank() * ITEMS);
        int run = 0;
        while (run + 1 < COUNT && storage.begins[run + 1] <= at)
            ++run;
        for (int i = 0; i < ITEMS; ++i, ++at) {
            items[i] = storage.values[run];
            places[i] = P(at - storage.begins[run]);
            if (run + 1 < COUNT && storage.begins[run + 1] == at + 1)
                ++run;
        }
    }
    CUNA_INLINE void RunLengthDecode(T (&items)[ITEMS], Offset from = 0)
    {
        Offset places[ITEMS];
        RunLengthDecode(items, places, from);
    }
};

} // namespace cub

#endif

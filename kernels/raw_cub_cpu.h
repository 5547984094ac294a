/* raw_cub_cpu.h: CUB's primitives of blocks and warps on the cpu device.
 *
 * All threads of a block run in one thread of the system, so that nothing is gained by sharing the work: they put their
 * values into the temporary storage, and the block's first thread does it in order. Sums are therefore added from the
 * first value to the last. Lanes of a warp see each other's values and work for themselves. Storage may be used again
 * after __syncthreads(), or __syncwarp(), as in CUDA. */
#ifndef CUNA_RAW_CUB
#define CUNA_RAW_CUB

namespace cuda {
template <class T = void> struct maximum {
    template <class A> CUNA_INLINE A operator()(A a, A b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
    template <class A> CUNA_INLINE A operator()(A a, A b) const { return b < a ? b : a; }
};
}

namespace cub {

struct Sum {
    template <class T> CUNA_INLINE T operator()(T a, T b) const { return a + b; }
};
typedef cuda::maximum<> Max;
typedef cuda::minimum<> Min;
struct NullType {};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
#define CUNA_ORDERS(name) name##DIRECT, name##STRIPED, name##VECTORIZE, name##TRANSPOSE, name##WARP_TRANSPOSE
enum BlockLoadAlgorithm { CUNA_ORDERS(BLOCK_LOAD_) };
enum BlockStoreAlgorithm { CUNA_ORDERS(BLOCK_STORE_) };
#undef CUNA_ORDERS

namespace cuna_cub {

CUNA_INLINE int rank() { return int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)); }

/* Memory of a block without a constructor. */
template <class T, int N> struct Room {
    alignas(T) char bytes[N * sizeof(T)];
    CUNA_INLINE T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};

/* What collectives have in common: values of all threads, N of each, in one row. `f` gets them, alone. */
template <class T, int THREADS, int N> struct Row {
    struct TempStorage {
        Room<T, THREADS * N> values;
        Room<T, 1> total;
    };
    TempStorage &storage;
    CUNA_INLINE T &own(int i) const { return storage.values[rank() * N + i]; }
    template <class F> CUNA_INLINE void work(F f) const
    {
        __syncthreads();
        if (rank() == 0)
            f(storage.values);
        __syncthreads();
    }
};

template <int THREADS, class Storage> CUNA_INLINE Storage &private_storage()
{
    static thread_local Storage storage;
    return storage;
}

/* The lanes of this lane's logical warp, and its place there. */
template <int SIZE> struct Lanes {
    unsigned first, mask, place;
    CUNA_INLINE Lanes()
    {
        unsigned lane = cuna_raw::lane();
        first = lane / SIZE * SIZE;
        mask = (SIZE < 32 ? (1u << SIZE % 32) - 1 : ~0u) << first;
        place = lane - first;
    }
};

} // namespace cuna_cub

/* ---- blocks ---- */

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
    typedef cuna_cub::Row<T, X * Y * Z, 1> Row;
    Row row;

public:
    typedef typename Row::TempStorage TempStorage;
    CUNA_INLINE BlockReduce() : row{cuna_cub::private_storage<X * Y * Z, TempStorage>()} {}
    CUNA_INLINE BlockReduce(TempStorage &storage) : row{storage} {}

    /* Of the first `count` threads; the first thread gets the result. */
    template <class F> CUNA_INLINE T Reduce(T value, F f, int count)
    {
        row.own(0) = value;
        row.work([&](auto &values) {
            T sum = values[0];
            for (int i = 1; i < count; ++i)
                sum = f(sum, values[i]);
            row.storage.total[0] = sum;
        });
        return row.storage.total[0];
    }
    template <class F> CUNA_INLINE T Reduce(T value, F f) { return Reduce(value, f, X * Y * Z); }
    template <int N, class F> CUNA_INLINE T Reduce(T (&values)[N], F f)
    {
        T sum = values[0];
        for (int i = 1; i < N; ++i)
            sum = f(sum, values[i]);
        return Reduce(sum, f);
    }
    CUNA_INLINE T Sum(T value) { return Reduce(value, cub::Sum()); }
    CUNA_INLINE T Sum(T value, int count) { return Reduce(value, cub::Sum(), count); }
    template <int N> CUNA_INLINE T Sum(T (&values)[N]) { return Reduce(values, cub::Sum()); }
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0> class BlockScan {
    typedef cuna_cub::Row<T, X * Y * Z, 1> Row;
    Row row;

    /* Replaces each thread's value by the sum of what precedes it; the first thread's by `first` if that is not NULL.
     * The result is the sum of all values. */
    template <class F> CUNA_INLINE T scan(T &value, const T *first, F f)
    {
        row.own(0) = value;
        row.work([&](auto &values) {
            T total = values[0], before = first != nullptr ? *first : total;
            bool has = first != nullptr;
            for (int i = 0; i < X * Y * Z; ++i, has = true) {
                T own = values[i];
                values[i] = before;
                before = has ? f(before, own) : own;
                total = i > 0 ? f(total, own) : own;
            }
            row.storage.total[0] = total;
        });
        value = row.own(0);
        return row.storage.total[0];
    }

    /* Of N values each; `inclusive`: the values count for themselves. */
    template <int N, class F>
    CUNA_INLINE void scan_all(T (&in)[N], T (&out)[N], const T *first, F f, bool inclusive, T *total)
    {
        T sum = in[0];
        for (int i = 1; i < N; ++i)
            sum = f(sum, in[i]);
        T all = scan(sum, first, f);
        bool has = first != nullptr || cuna_cub::rank() > 0;
        for (int i = 0; i < N; ++i) {
            T own = in[i], next = has ? f(sum, own) : own;
            if (inclusive || has)
                out[i] = inclusive ? next : sum;
            sum = next;
            has = true;
        }
        if (total != nullptr)
            *total = all;
    }

    /* What precedes the block is known when the block's sum is. */
    template <int N, class F, class P>
    CUNA_INLINE void scan_after(T (&in)[N], T (&out)[N], F f, bool inclusive, P &prefix_of)
    {
        T total;
        scan_all(in, out, nullptr, f, inclusive, &total);
        __syncthreads();
        if (cuna_cub::rank() < 32) {
            T prefix = prefix_of(total);
            if (cuna_cub::rank() == 0)
                row.storage.total[0] = prefix;
        }
        __syncthreads();
        T prefix = row.storage.total[0];
        for (int i = 0; i < N; ++i)
            out[i] = !inclusive && cuna_cub::rank() == 0 && i == 0 ? prefix : f(prefix, out[i]);
    }

public:
    typedef typename Row::TempStorage TempStorage;
    CUNA_INLINE BlockScan() : row{cuna_cub::private_storage<X * Y * Z, TempStorage>()} {}
    CUNA_INLINE BlockScan(TempStorage &storage) : row{storage} {}

#define CUNA_SCAN(name, inclusive)                                                                                     \
    template <int N, class F> CUNA_INLINE void name##Scan(T (&in)[N], T (&out)[N], T first, F f)                       \
    {                                                                                                                  \
        scan_all(in, out, &first, f, inclusive, nullptr);                                                              \
    }                                                                                                                  \
    template <int N, class F> CUNA_INLINE void name##Scan(T (&in)[N], T (&out)[N], T first, F f, T &total)             \
    {                                                                                                                  \
        scan_all(in, out, &first, f, inclusive, &total);                                                               \
    }                                                                                                                  \
    template <int N, class F> CUNA_INLINE void name##Scan(T (&in)[N], T (&out)[N], F f)                                \
    {                                                                                                                  \
        scan_all(in, out, nullptr, f, inclusive, nullptr);                                                             \
    }                                                                                                                  \
    template <int N, class F> CUNA_INLINE void name##Scan(T (&in)[N], T (&out)[N], F f, T &total)                      \
    {                                                                                                                  \
        scan_all(in, out, nullptr, f, inclusive, &total);                                                              \
    }                                                                                                                  \
    template <class... More> CUNA_INLINE void name##Scan(T in, T &out, More &&...more)                                 \
    {                                                                                                                  \
        T ins[1] = {in}, outs[1] = {out};                                                                              \
        name##Scan(ins, outs, static_cast<More &&>(more)...);                                                          \
        out = outs[0];                                                                                                 \
    }                                                                                                                  \
    template <int N> CUNA_INLINE void name##Sum(T (&in)[N], T (&out)[N])                                               \
    {                                                                                                                  \
        T zero = T();                                                                                                  \
        scan_all(in, out, inclusive ? nullptr : &zero, cub::Sum(), inclusive, nullptr);                                \
    }                                                                                                                  \
    template <int N> CUNA_INLINE void name##Sum(T (&in)[N], T (&out)[N], T &total)                                     \
    {                                                                                                                  \
        T zero = T();                                                                                                  \
        scan_all(in, out, inclusive ? nullptr : &zero, cub::Sum(), inclusive, &total);                                 \
    }                                                                                                                  \
    template <int N, class P> CUNA_INLINE void name##Sum(T (&in)[N], T (&out)[N], P &prefix_of)                        \
    {                                                                                                                  \
        scan_after(in, out, cub::Sum(), inclusive, prefix_of);                                                         \
    }                                                                                                                  \
    template <class... More> CUNA_INLINE void name##Sum(T in, T &out, More &&...more)                                  \
    {                                                                                                                  \
        T ins[1] = {in}, outs[1] = {out};                                                                              \
        name##Sum(ins, outs, static_cast<More &&>(more)...);                                                           \
        out = outs[0];                                                                                                 \
    }
    CUNA_SCAN(Inclusive, true)
    CUNA_SCAN(Exclusive, false)
#undef CUNA_SCAN
};

template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
    static CUNA_INLINE int at(int i)
    {
        return A == BLOCK_LOAD_STRIPED ? i * X * Y * Z + cuna_cub::rank() : cuna_cub::rank() * N + i;
    }

public:
    struct TempStorage {};
    CUNA_INLINE BlockLoad() {}
    CUNA_INLINE BlockLoad(TempStorage &) {}
    template <class I> CUNA_INLINE void Load(I from, T (&items)[N])
    {
        for (int i = 0; i < N; ++i)
            items[i] = from[at(i)];
    }
    template <class I> CUNA_INLINE void Load(I from, T (&items)[N], int count)
    {
        for (int i = 0; i < N; ++i)
            if (at(i) < count)
                items[i] = from[at(i)];
    }
    template <class I, class D> CUNA_INLINE void Load(I from, T (&items)[N], int count, D otherwise)
    {
        for (int i = 0; i < N; ++i)
            items[i] = at(i) < count ? T(from[at(i)]) : T(otherwise);
    }
};

template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
public:
    struct TempStorage {};
    CUNA_INLINE BlockStore() {}
    CUNA_INLINE BlockStore(TempStorage &) {}
    template <class I> CUNA_INLINE void Store(I to, T (&items)[N]) { Store(to, items, X * Y * Z * N); }
    template <class I> CUNA_INLINE void Store(I to, T (&items)[N], int count)
    {
        for (int i = 0; i < N; ++i) {
            int at = A == BLOCK_STORE_STRIPED ? i * X * Y * Z + cuna_cub::rank() : cuna_cub::rank() * N + i;
            if (at < count)
                to[at] = items[i];
        }
    }
};

namespace cuna_cub {

/* An integer with the order of a key. */
template <class K> CUNA_INLINE unsigned long long ordered_bits(K key)
{
    const int nbits = 8 * sizeof(K);
    const unsigned long long sign = 1ull << (nbits - 1), all = sign | (sign - 1);
    unsigned long long bits = 0;
    if (key == K(0))
        key = K(0); /* not -0 */
    memcpy(&bits, &key, sizeof key);
    if (K(0.5) != K(0))
        return bits & sign ? ~bits & all : bits | sign;
    return K(-1) < K(0) ? bits ^ sign : bits;
}

/* Stable, by one digit of 8 bits after another, from one half of the memory to the other. */
template <class K, class V, int COUNT> struct Sorter {
    Room<K, 2 * COUNT> keys;
    Room<V, 2 * COUNT> values;
    CUNA_INLINE static unsigned digit(K key, int bit, int end, bool descending)
    {
        unsigned mask = end - bit < 8 ? (1u << (end - bit)) - 1 : 255;
        unsigned value = unsigned(ordered_bits(key) >> bit) & mask;
        return descending ? mask - value : value;
    }
    void pass(int from, int to, int bit, int end, bool descending)
    {
        int starts[257] = {0};
        for (int i = 0; i < COUNT; ++i)
            starts[digit(keys[from + i], bit, end, descending) + 1]++;
        for (int i = 0; i < 256; ++i)
            starts[i + 1] += starts[i];
        for (int i = 0; i < COUNT; ++i) {
            int at = to + starts[digit(keys[from + i], bit, end, descending)]++;
            keys[at] = keys[from + i];
            values[at] = values[from + i];
        }
    }
    /* Where the sorted half begins. */
    int sort(int begin, int end, bool descending)
    {
        int from = 0;
        for (int bit = begin; bit < end; bit += 8, from = COUNT - from)
            pass(from, COUNT - from, bit, end, descending);
        return from;
    }
};

} // namespace cuna_cub

template <class K, int X, int N, class V = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          int = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort {
public:
    struct TempStorage {
        cuna_cub::Sorter<K, V, X * Y * Z * N> sorter;
        int start;
    };

private:
    TempStorage &storage;
    CUNA_INLINE void sort(K (&keys)[N], V *values, int begin, int end, bool descending, bool striped)
    {
        int first = cuna_cub::rank() * N, step = striped ? X * Y * Z : 1;
        for (int i = 0; i < N; ++i) {
            storage.sorter.keys[first + i] = keys[i];
            if (values != nullptr)
                storage.sorter.values[first + i] = values[i];
        }
        __syncthreads();
        if (cuna_cub::rank() == 0)
            storage.start = storage.sorter.sort(begin, end, descending);
        __syncthreads();
        for (int i = 0; i < N; ++i) {
            int at = storage.start + (striped ? cuna_cub::rank() : first) + i * step;
            keys[i] = storage.sorter.keys[at];
            if (values != nullptr)
                values[i] = storage.sorter.values[at];
        }
    }

public:
    CUNA_INLINE BlockRadixSort() : storage(cuna_cub::private_storage<X * Y * Z, TempStorage>()) {}
    CUNA_INLINE BlockRadixSort(TempStorage &storage) : storage(storage) {}
#define CUNA_SORT(name, descending, striped)                                                                           \
    CUNA_INLINE void name(K (&keys)[N], int begin = 0, int end = 8 * sizeof(K))                                        \
    {                                                                                                                  \
        sort(keys, nullptr, begin, end, descending, striped);                                                          \
    }                                                                                                                  \
    CUNA_INLINE void name(K (&keys)[N], V (&values)[N], int begin = 0, int end = 8 * sizeof(K))                        \
    {                                                                                                                  \
        sort(keys, values, begin, end, descending, striped);                                                           \
    }
    CUNA_SORT(Sort, false, false)
    CUNA_SORT(SortDescending, true, false)
    CUNA_SORT(SortBlockedToStriped, false, true)
    CUNA_SORT(SortDescendingBlockedToStriped, true, true)
#undef CUNA_SORT
};

/* ---- warps ---- */

template <class T, int SIZE = 32, int = 0> class WarpReduce {
public:
    struct TempStorage {};
    CUNA_INLINE WarpReduce(TempStorage &) {}
    /* Of the first `count` lanes. */
    template <class F> CUNA_INLINE T Reduce(T value, F f, int count)
    {
        T all[32];
        unsigned seen;
        cuna_cub::Lanes<SIZE> lanes;
        cuna_raw::gather(lanes.mask, value, all, seen);
        T sum = all[lanes.first];
        for (int i = 1; i < count; ++i)
            sum = f(sum, all[lanes.first + i]);
        return sum;
    }
    template <class F> CUNA_INLINE T Reduce(T value, F f) { return Reduce(value, f, SIZE); }
    CUNA_INLINE T Sum(T value) { return Reduce(value, cub::Sum()); }
    CUNA_INLINE T Sum(T value, int count) { return Reduce(value, cub::Sum(), count); }

    /* From each lane to the end of its segment, which begins, or ends, where `flag` is true. */
    template <class F, class G> CUNA_INLINE T HeadSegmentedReduce(T value, G flag, F f)
    {
        return reduce_segment(value, flag, f, 1);
    }
    template <class F, class G> CUNA_INLINE T TailSegmentedReduce(T value, G flag, F f)
    {
        return reduce_segment(value, flag, f, 0);
    }
    template <class G> CUNA_INLINE T HeadSegmentedSum(T value, G flag)
    {
        return HeadSegmentedReduce(value, flag, cub::Sum());
    }
    template <class G> CUNA_INLINE T TailSegmentedSum(T value, G flag)
    {
        return TailSegmentedReduce(value, flag, cub::Sum());
    }

private:
    /* A lane is followed by another one of its segment if that, or itself with ahead = 0, has no flag. */
    template <class F> CUNA_INLINE T reduce_segment(T value, bool flag, F f, unsigned ahead)
    {
        T all[32], sum = value;
        bool flags[32];
        unsigned seen;
        cuna_cub::Lanes<SIZE> lanes;
        cuna_raw::gather(lanes.mask, value, all, seen);
        cuna_raw::gather(lanes.mask, flag, flags, seen);
        for (unsigned i = lanes.place; i + 1 < SIZE && !flags[lanes.first + i + ahead]; ++i)
            sum = f(sum, all[lanes.first + i + 1]);
        return sum;
    }
};

template <class T, int SIZE = 32, int = 0> class WarpScan {
    template <class F> CUNA_INLINE void scan(T in, T *inclusive, T *exclusive, const T *first, F f, T *total)
    {
        T all[32];
        unsigned seen;
        cuna_cub::Lanes<SIZE> lanes;
        cuna_raw::gather(lanes.mask, in, all, seen);
        T sum = first != nullptr ? *first : in;
        bool has = first != nullptr;
        for (unsigned i = 0; i < SIZE; ++i, has = true) {
            if (i == lanes.place && exclusive != nullptr && has)
                *exclusive = sum;
            sum = has ? f(sum, all[lanes.first + i]) : all[lanes.first + i];
            if (i == lanes.place && inclusive != nullptr)
                *inclusive = sum;
        }
        if (total == nullptr)
            return;
        *total = all[lanes.first];
        for (unsigned i = 1; i < SIZE; ++i)
            *total = f(*total, all[lanes.first + i]);
    }

public:
    struct TempStorage {};
    CUNA_INLINE WarpScan(TempStorage &) {}
    template <class F> CUNA_INLINE void InclusiveScan(T in, T &out, F f)
    {
        scan(in, &out, nullptr, nullptr, f, nullptr);
    }
    template <class F> CUNA_INLINE void InclusiveScan(T in, T &out, F f, T &total)
    {
        scan(in, &out, nullptr, nullptr, f, &total);
    }
    template <class F> CUNA_INLINE void ExclusiveScan(T in, T &out, F f)
    {
        scan(in, nullptr, &out, nullptr, f, nullptr);
    }
    template <class F> CUNA_INLINE void ExclusiveScan(T in, T &out, T first, F f)
    {
        scan(in, nullptr, &out, &first, f, nullptr);
    }
    template <class F> CUNA_INLINE void ExclusiveScan(T in, T &out, T first, F f, T &total)
    {
        scan(in, nullptr, &out, &first, f, &total);
    }
    CUNA_INLINE void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
    CUNA_INLINE void InclusiveSum(T in, T &out, T &total) { InclusiveScan(in, out, cub::Sum(), total); }
    CUNA_INLINE void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), cub::Sum()); }
    CUNA_INLINE void ExclusiveSum(T in, T &out, T &total) { ExclusiveScan(in, out, T(), cub::Sum(), total); }
    CUNA_INLINE T Broadcast(T in, unsigned place)
    {
        T all[32];
        unsigned seen;
        cuna_cub::Lanes<SIZE> lanes;
        cuna_raw::gather(lanes.mask, in, all, seen);
        return all[lanes.first + place];
    }
};

} // namespace cub

#endif

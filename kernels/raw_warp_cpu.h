/* raw_warp_cpu.h: CUDA's functions of cooperating threads on the cpu device: barriers, votes, shuffles.
 *
 * All warp functions are one step: the lanes of the mask that have not ended meet and read each other's values (gather
 * in raw_block_cpu.h). A shuffle from a lane that takes no part gives 0: CUDA does not define it, but GPUs return 0,
 * and reductions of a part of a warp rely on that. Between these steps lanes run independently, as on GPUs since
 * Volta, but lanes that query the active mask wait for each other, so that as many as possible are active. */
CUNA_INLINE void __syncthreads() { cuna_raw::sync_block(); }
CUNA_INLINE int __syncthreads_count(int p) { return cuna_raw::sync_count(p != 0); }
CUNA_INLINE int __syncthreads_and(int p) { return cuna_raw::sync_count(p == 0) == 0; }
CUNA_INLINE int __syncthreads_or(int p) { return cuna_raw::sync_count(p != 0) != 0; }
CUNA_INLINE void __nanosleep(unsigned) { cuna_raw::yield(); }
CUNA_INLINE unsigned __activemask() { return cuna_raw::active_lanes(); }

namespace cuna_raw {

template <int NBYTES> struct word {};
template <> struct word<1> { typedef unsigned type; };
template <> struct word<2> { typedef unsigned type; };
template <> struct word<4> { typedef unsigned type; };
template <> struct word<8> { typedef unsigned long long type; };

/* What the lanes of a warp have shown, as words. */
template <class T> struct Shown {
    typedef typename word<sizeof(T)>::type Word;
    Word words[32];
    unsigned lanes;
    static CUNA_INLINE Word pack(T value)
    {
        Word packed = 0;
        __builtin_memcpy(&packed, &value, sizeof value);
        return packed;
    }
    CUNA_INLINE Shown(unsigned mask, T value) { gather(mask, pack(value), words, lanes); }
    CUNA_INLINE bool has(unsigned lane) const { return lane < 32 && lanes >> lane & 1; }
    CUNA_INLINE T operator[](unsigned lane) const
    {
        T value;
        __builtin_memcpy(&value, &words[lane], sizeof value);
        return value;
    }
};

template <class T> CUNA_INLINE T shuffle(unsigned mask, T value, unsigned source)
{
    Shown<T> shown(mask, value);
    return shown.has(source) ? shown[source] : T();
}

CUNA_INLINE unsigned vote(unsigned mask, unsigned value)
{
    unsigned votes = 0;
    Shown<unsigned> shown(mask, value);
    for (unsigned i = 0; i < 32; ++i)
        votes |= unsigned(shown.has(i) && shown.words[i]) << i;
    return votes;
}

template <class T, class F> CUNA_INLINE T reduce(unsigned mask, T value, F f)
{
    Shown<T> shown(mask, value);
    unsigned left = shown.lanes;
    T result = value;
    for (bool first = true; left != 0; left &= left - 1, first = false)
        result = first ? shown[__builtin_ctz(left)] : f(result, shown[__builtin_ctz(left)]);
    return result;
}

}

/* Groups of `width` lanes, a power of two, shuffle each for itself. */
template <class T> CUNA_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    unsigned lane = cuna_raw::lane(), group = unsigned(width) - 1;
    return cuna_raw::shuffle(mask, value, (lane & ~group) | (unsigned(source) & group));
}
template <class T> CUNA_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32)
{
    unsigned lane = cuna_raw::lane(), place = lane & (unsigned(width) - 1);
    return cuna_raw::shuffle(mask, value, place < distance ? lane : lane - distance);
}
template <class T> CUNA_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32)
{
    unsigned lane = cuna_raw::lane(), place = lane & (unsigned(width) - 1);
    return cuna_raw::shuffle(mask, value, distance >= unsigned(width) - place ? lane : lane + distance);
}
template <class T> CUNA_INLINE T __shfl_xor_sync(unsigned mask, T value, int distance, int width = 32)
{
    unsigned lane = cuna_raw::lane(), source = lane ^ unsigned(distance), last = lane | (unsigned(width) - 1);
    return cuna_raw::shuffle(mask, value, source > last ? lane : source);
}

CUNA_INLINE void __syncwarp(unsigned mask = ~0u) { cuna_raw::Shown<unsigned> shown(mask, 0); }
CUNA_INLINE unsigned __ballot_sync(unsigned mask, int p) { return cuna_raw::vote(mask, unsigned(p != 0)); }
CUNA_INLINE int __any_sync(unsigned mask, int p) { return cuna_raw::vote(mask, unsigned(p != 0)) != 0; }
CUNA_INLINE int __all_sync(unsigned mask, int p) { return cuna_raw::vote(mask, unsigned(p == 0)) == 0; }

template <class T> CUNA_INLINE unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned equal = 0;
    cuna_raw::Shown<T> shown(mask, value);
    for (unsigned i = 0; i < 32; ++i)
        equal |= unsigned(shown.has(i) && shown.words[i] == shown.pack(value)) << i;
    return equal;
}
template <class T> CUNA_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    cuna_raw::Shown<T> shown(mask, value);
    *all = 1;
    for (unsigned i = 0; i < 32; ++i)
        *all &= !shown.has(i) || shown.words[i] == shown.pack(value);
    return *all ? shown.lanes : 0;
}

#define CUNA_REDUCE(name, T, expression)                                                                               \
    CUNA_INLINE T __reduce_##name##_sync(unsigned mask, T value)                                                       \
    {                                                                                                                  \
        return cuna_raw::reduce(mask, value, [](T a, T b) -> T { return expression; });                                \
    }
CUNA_REDUCE(add, unsigned, a + b)
CUNA_REDUCE(min, unsigned, a < b ? a : b)
CUNA_REDUCE(max, unsigned, a > b ? a : b)
CUNA_REDUCE(and, unsigned, a & b)
CUNA_REDUCE(or, unsigned, a | b)
CUNA_REDUCE(xor, unsigned, a ^ b)
CUNA_REDUCE(add, int, int(unsigned(a) + unsigned(b)))
CUNA_REDUCE(min, int, a < b ? a : b)
CUNA_REDUCE(max, int, a > b ? a : b)
#undef CUNA_REDUCE

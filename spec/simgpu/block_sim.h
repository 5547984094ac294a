/* block_sim.h: what a block is on the simulated GPU: 256 lanes in one thread, run by spec/simgpu/team.c. The text of
 * services_sim.h precedes this one. */

/* gcc guards shared variables of class types, whose constructors do nothing. */
extern "C" __attribute__((visibility("hidden"))) int __cxa_guard_acquire(long long *)
{
    return 0;
}
extern "C" __attribute__((visibility("hidden"))) void __cxa_guard_release(long long *)
{
}

namespace cuna {

enum { LANES = 256 };

static const simgpu_services *sim_services;

CUNA_INLINE unsigned lane()
{
    return sim_services->lane();
}

/* Blocks whose lanes work together run one after another. */
#define CUNA_SHARED static

CUNA_INLINE void barrier()
{
    sim_services->barrier();
}

template <class T> CUNA_INLINE T shuffle_down(T value, unsigned distance)
{
    T other;
    sim_services->shuffle(&other, &value, sizeof(T), distance);
    return other;
}

/* A distance below 0 wraps around to lanes before this one. */
template <class T> CUNA_INLINE T shuffle(T value, unsigned from)
{
    T other;
    sim_services->shuffle(&other, &value, sizeof(T), from - lane() % 32);
    return other;
}

template <int BITS> CUNA_INLINE uint32 alike(unsigned value)
{
    return sim_services->alike(value & ((1u << BITS) - 1));
}

CUNA_INLINE uint32 lanes_with(uint64 value)
{
    return sim_services->alike(uint32(value)) & sim_services->alike(uint32(value >> 32));
}

CUNA_INLINE uint32 ballot(bool is_true)
{
    const uint32 same = sim_services->alike(is_true);
    return is_true ? same : ~same;
}

CUNA_INLINE unsigned bits_set(uint32 word)
{
    return unsigned(__builtin_popcount(word));
}

CUNA_INLINE void warp_barrier()
{
    shuffle_down(0, 1);
}

template <class T> CUNA_INLINE void check_pack(const T *p)
{
    static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "no access has this size");
    if ((__UINTPTR_TYPE__)p % sizeof(T) != 0)
        sim_services->misaligned(p);
}

template <class T> CUNA_INLINE T pack_load(const T *p)
{
    check_pack(p);
    return *p;
}

template <class T> CUNA_INLINE void pack_store(T *p, T v)
{
    check_pack(p);
    *p = v;
}

/* What blocks tell each other: in this thread a block that is waited for has ended. */
CUNA_INLINE int64 take_ticket(uint64 *counter)
{
    return (int64)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

CUNA_INLINE int64 take_tickets(uint64 *counter, uint64 count)
{
    return (int64)__atomic_fetch_add(counter, count, __ATOMIC_RELAXED);
}

CUNA_INLINE void put_slot(uint64 *slot, uint64 value)
{
    *(volatile uint64 *)slot = value;
}

CUNA_INLINE uint64 get_slot(const uint64 *slot)
{
    return *(const volatile uint64 *)slot;
}

CUNA_INLINE uint64 add_slot(uint64 *slot, uint64 v)
{
    const uint64 before = *(volatile uint64 *)slot;
    *(volatile uint64 *)slot = before + v;
    return before;
}

CUNA_INLINE void settle()
{
}

/* No other lane is there in between. */
template <class W> CUNA_INLINE W compare_and_swap(W *word, W expected, W desired)
{
    __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

enum { ATOMICS_FLUSH = true };

template <class T> CUNA_INLINE T flushed(T x)
{
    return x;
}
CUNA_INLINE float flushed(float x)
{
    return fabs(x) < __FLT_MIN__ ? copysign(0.0f, x) : x;
}

/* A block's own memory is that of an image, from the one symbol of the linker to the other. */
extern "C" __attribute__((visibility("hidden"))) char __bss_start[], _end[];
CUNA_INLINE void must_be_global(const void *p)
{
    if ((const char *)p >= __bss_start && (const char *)p < _end)
        __builtin_trap(); /* GPUs add there by other instructions */
}

/* Adds to an element of global memory that others add to as well, blocks that run in other threads too. */
template <class T> CUNA_INLINE void add_atomically(T *p, T v)
{
    T found, sum;
    must_be_global(p);
    __atomic_load(p, &found, __ATOMIC_RELAXED);
    do
        sum = flushed(T(flushed(found) + flushed(v)));
    while (!__atomic_compare_exchange(p, &found, &sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Raises an element to v, if it is less. */
template <class T> CUNA_INLINE void raise_atomically(T *p, T v)
{
    must_be_global(p);
    T found = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (found < v && !__atomic_compare_exchange_n(p, &found, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* As a GPU without atomic additions of half floats. */
template <class S> CUNA_INLINE bool add_half(S *, float)
{
    return false;
}

/* The same of the block's own memory, where subnormal floats are not 0. Its lanes take turns. */
template <class T> CUNA_INLINE T add_beside(T *p, T v)
{
    const T before = *p;
    *(volatile T *)p = before + v;
    return before;
}
template <class T> CUNA_INLINE void raise_beside(T *p, T v)
{
    *(volatile T *)p = *p < v ? v : *p;
}

CUNA_INLINE void relax(int)
{
}

} // namespace cuna

extern "C" __attribute__((visibility("default"))) void simgpu_connect(const simgpu_services *services)
{
    cuna::sim_services = services;
}

/* An entry runs blocks [first, last) of a launch. Nothing of a lane may be taken for another's: no inlining. */
#define CUNA_ENTRY(name, Args, body, team)                                                                        \
    extern "C" __attribute__((visibility("default"), used)) const unsigned name##_nbytes = sizeof(Args);          \
    extern "C" __attribute__((visibility("default"), used)) const unsigned name##_team = team;                    \
    static __attribute__((noinline)) void name##_lane(const void *args, unsigned block)                           \
    {                                                                                                             \
        body(*(const Args *)args, block);                                                                         \
    }                                                                                                             \
    extern "C" __attribute__((visibility("default"))) void name(void **params, unsigned first, unsigned last)     \
    {                                                                                                             \
        for (unsigned block = first; block < last; ++block)                                                       \
            (team ? cuna::sim_services->run_team : cuna::sim_services->run_lanes)(name##_lane, params[0], block); \
    }

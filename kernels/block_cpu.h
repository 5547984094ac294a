/* block_cpu.h: a block on the cpu device: one lane, which never waits for another. */

/* An entry runs blocks [first, last) of a launch; the constant beside it is the size of its arguments, for the
 * caller that copies them. `team` says whether the lanes of a block work together. */
#define CUNA_ENTRY(name, Args, body, team)                                                                            \
    extern "C" __attribute__((visibility("default"), used)) const unsigned name##_nbytes = sizeof(Args);              \
    extern "C" __attribute__((visibility("default"))) void name(void **params, unsigned first, unsigned last)         \
    {                                                                                                                 \
        const Args &args = *(const Args *)params[0];                                                                  \
        for (unsigned block = first; block < last; ++block)                                                           \
            body(args, block);                                                                                        \
    }

extern "C" int sched_yield(); // of the C library, which is there: no header is read

/* Functions that several paths of a kernel share: compiling takes longer than calling. */
#define CUNA_OUTLINE __attribute__((noinline))

namespace cuna {

/* ---- what blocks tell each other while they run (scan.cuh) ---- */

/* The next number of a counter. */
CUNA_INLINE int64 take_ticket(uint64 *counter) { return int64(__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED)); }

/* The next `count` numbers of a counter: the first of them. */
CUNA_INLINE int64 take_tickets(uint64 *counter, uint64 count)
{
    return int64(__atomic_fetch_add(counter, count, __ATOMIC_RELAXED));
}

/* 8 bytes that are written and read at once, and are seen by all blocks in time. */
CUNA_INLINE void put_slot(uint64 *slot, uint64 value) { __atomic_store_n(slot, value, __ATOMIC_RELAXED); }
CUNA_INLINE uint64 get_slot(const uint64 *slot) { return __atomic_load_n(slot, __ATOMIC_RELAXED); }

/* Puts `desired` into a word that is `expected`; returns the previous value. Programs that do this run in one block,
 * and their loop is not vectorised, because two elements may be the same word. */
template <class W> CUNA_INLINE W compare_and_swap(W *word, W expected, W desired)
{
    __asm__ volatile("" : : : "memory");
    const W found = *word;
    if (found == expected)
        *word = desired;
    return found;
}

/* Adds to an element that others add to as well, of this thread. */
enum { ATOMICS_FLUSH = false }; /* whether subnormal floats are 0 to add_atomically */
template <class T> CUNA_INLINE void add_atomically(T *p, T v)
{
    __asm__ volatile("" : : : "memory");
    *p = T(*p + v);
}

/* Raises an element to v, if it is less. */
template <class T> CUNA_INLINE void raise_atomically(T *p, T v)
{
    __asm__ volatile("" : : : "memory");
    *p = *p < v ? v : *p;
}

/* Half floats are added to as parts of words. */
template <class S> CUNA_INLINE bool add_half(S *, float) { return false; }

/* Adds to 8 bytes that other threads add to as well; returns what was there before. */
CUNA_INLINE uint64 add_slot(uint64 *slot, uint64 v) { return __atomic_fetch_add(slot, v, __ATOMIC_RELAXED); }

/* What this thread reads and writes next comes after what it read and wrote so far, in the eyes of others too. */
CUNA_INLINE void settle() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }

/* Writes a line of memory, 64 aligned bytes, past the caches; others see it after finish_streams. */
#if defined __x86_64__
#define CUNA_STREAMS true
typedef long long stream_word __attribute__((vector_size(16), may_alias));
CUNA_INLINE void stream_line(void *to, const void *from)
{
    for (int i = 0; i < 4; ++i)
#if defined __clang__
        __builtin_nontemporal_store(((const stream_word *)from)[i], (stream_word *)to + i);
#else
        __builtin_ia32_movntdq((stream_word *)to + i, ((const stream_word *)from)[i]);
#endif
}
CUNA_INLINE void finish_streams() { __builtin_ia32_sfence(); }
#else
#define CUNA_STREAMS false
CUNA_INLINE void stream_line(void *, const void *) {}
CUNA_INLINE void finish_streams() {}
#endif

/* Lets a moment pass. */
CUNA_INLINE void relax(int tries)
{
    if (tries > 200) { // the block that this one waits for may have lost its core to this thread
        sched_yield();
        return;
    }
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

}

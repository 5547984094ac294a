/* raw_libcu_cpu.h: <cuda/atomic>, <cuda/barrier>, <cuda/latch> and <cuda/semaphore> on the cpu device.
 *
 * All scopes and orders are the strongest. A thread that waits lets the others of its block run, and so does one that
 * reads an atomic object repeatedly. Barriers count phases: a token is the phase that was not complete. */
#ifndef CUNA_RAW_LIBCU
#define CUNA_RAW_LIBCU

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };

namespace std {
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
} // namespace std
using std::memory_order;
using std::memory_order_relaxed;
using std::memory_order_consume;
using std::memory_order_acquire;
using std::memory_order_release;
using std::memory_order_acq_rel;
using std::memory_order_seq_cst;

namespace cuna_libcu {

CUNA_INLINE void breathe()
{
    static thread_local unsigned count;
    if (++count % 64 == 0)
        cuna_raw::yield();
}

template <class T> CUNA_INLINE T read(const T *p)
{
    T value;
    __atomic_load(p, &value, __ATOMIC_SEQ_CST);
    return value;
}
template <class T> CUNA_INLINE void write(T *p, T value) { __atomic_store(p, &value, __ATOMIC_SEQ_CST); }

/* Of an object with scope S, which the threads of a block may have for themselves. */
template <thread_scope S, class P> CUNA_INLINE void wait_until(P done)
{
    for (bool again = false; !done(); again = true)
        cuna_raw::yield(S < thread_scope_block ? cuna_raw::WAIT_FOR_ANY
                                               : again ? cuna_raw::WAIT_IN_VAIN : cuna_raw::WAIT_FOR_OWN);
}

/* An attempt, after which the others run if it fails: a thread may repeat it until it succeeds. */
template <thread_scope S, class P> CUNA_INLINE bool attempt(P done)
{
    if (done())
        return true;
    cuna_raw::yield(S < thread_scope_block ? cuna_raw::WAIT_FOR_ANY : cuna_raw::WAIT_BETWEEN);
    return done();
}

template <class T> struct step { typedef T type; };
template <class T> struct step<T *> { typedef ptrdiff_t type; };

/* What atomic objects and references have in common; Self knows where the value is. */
template <class Self, class T, thread_scope S> class Atomic {
    typedef typename step<T>::type Step;
    CUNA_INLINE T *place() const { return static_cast<const Self *>(this)->cuna_place(); }
    template <class F> CUNA_INLINE T update(F f) const
    {
        T before = read(place()), after;
        do
            after = f(before);
        while (!__atomic_compare_exchange(place(), &before, &after, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
        return before;
    }

public:
    typedef T value_type;
    static constexpr bool is_always_lock_free = true;
    CUNA_INLINE bool is_lock_free() const { return true; }
    CUNA_INLINE T load(memory_order = memory_order_seq_cst) const
    {
        breathe();
        return read(place());
    }
    CUNA_INLINE operator T() const { return load(); }
    CUNA_INLINE void store(T value, memory_order = memory_order_seq_cst) const { write(place(), value); }
    CUNA_INLINE T exchange(T value, memory_order = memory_order_seq_cst) const
    {
        breathe();
        return update([&](T) { return value; });
    }
    CUNA_INLINE bool compare_exchange_strong(T &expected, T value, memory_order, memory_order) const
    {
        breathe();
        return __atomic_compare_exchange(place(), &expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    CUNA_INLINE bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, value, order, order);
    }
    template <class... More> CUNA_INLINE bool compare_exchange_weak(T &expected, T value, More... orders) const
    {
        return compare_exchange_strong(expected, value, orders...);
    }
    CUNA_INLINE void wait(T old, memory_order = memory_order_seq_cst) const
    {
        wait_until<S>([&] { return read(place()) != old; });
    }
    CUNA_INLINE void notify_one() const {}
    CUNA_INLINE void notify_all() const {}

#define CUNA_FETCH(name, V, expression)                                                                                \
    CUNA_INLINE T fetch_##name(V b, memory_order = memory_order_seq_cst) const                                         \
    {                                                                                                                  \
        return update([&](T a) -> T { return expression; });                                                           \
    }
    CUNA_FETCH(add, Step, a + b)
    CUNA_FETCH(sub, Step, a - b)
    CUNA_FETCH(and, T, a & b)
    CUNA_FETCH(or, T, a | b)
    CUNA_FETCH(xor, T, a ^ b)
    CUNA_FETCH(min, T, b < a ? b : a)
    CUNA_FETCH(max, T, a < b ? b : a)
#undef CUNA_FETCH
    CUNA_INLINE T operator++() const { return fetch_add(1) + 1; }
    CUNA_INLINE T operator--() const { return fetch_sub(1) - 1; }
    CUNA_INLINE T operator++(int) const { return fetch_add(1); }
    CUNA_INLINE T operator--(int) const { return fetch_sub(1); }
    CUNA_INLINE T operator+=(Step b) const { return fetch_add(b) + b; }
    CUNA_INLINE T operator-=(Step b) const { return fetch_sub(b) - b; }
    CUNA_INLINE T operator&=(T b) const { return fetch_and(b) & b; }
    CUNA_INLINE T operator|=(T b) const { return fetch_or(b) | b; }
    CUNA_INLINE T operator^=(T b) const { return fetch_xor(b) ^ b; }
};

} // namespace cuna_libcu

template <class T, thread_scope S = thread_scope_system> class atomic : public cuna_libcu::Atomic<atomic<T, S>, T, S> {
    static_assert(sizeof(T) <= 8, "an atomic object has at most 8 bytes on the cpu device");
    alignas(sizeof(T) < 8 && sizeof(T) & (sizeof(T) - 1) ? alignof(T) : sizeof(T)) mutable T value;

public:
    atomic() = default;
    constexpr atomic(T value) : value(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    CUNA_INLINE T operator=(T v)
    {
        this->store(v);
        return v;
    }
    CUNA_INLINE T *cuna_place() const { return &value; }
};

template <class T, thread_scope S = thread_scope_system>
class atomic_ref : public cuna_libcu::Atomic<atomic_ref<T, S>, T, S> {
    static_assert(sizeof(T) <= 8, "an atomic object has at most 8 bytes on the cpu device");
    T *at;

public:
    static constexpr size_t required_alignment = sizeof(T);
    CUNA_INLINE explicit atomic_ref(T &object) : at(&object) {}
    CUNA_INLINE T operator=(T v) const
    {
        this->store(v);
        return v;
    }
    CUNA_INLINE T *cuna_place() const { return at; }
};

CUNA_INLINE void atomic_thread_fence(memory_order, thread_scope = thread_scope_system)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
CUNA_INLINE void atomic_signal_fence(memory_order) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

namespace cuna_libcu {
struct Nothing {
    CUNA_INLINE void operator()() const {}
};
} // namespace cuna_libcu

template <thread_scope S, class F = cuna_libcu::Nothing> class barrier {
    unsigned expected, left, phase;
    F complete;

public:
    typedef unsigned arrival_token;
    constexpr barrier() : expected(0), left(0), phase(0), complete() {}
    constexpr explicit barrier(ptrdiff_t count, F f = F())
        : expected(unsigned(count)), left(unsigned(count)), phase(0), complete(f)
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    static constexpr ptrdiff_t max() { return (1 << 20) - 1; }

    CUNA_INLINE arrival_token arrive(ptrdiff_t count = 1)
    {
        arrival_token token = cuna_phase();
        if (__atomic_sub_fetch(&left, unsigned(count), __ATOMIC_SEQ_CST) == 0) {
            complete();
            cuna_libcu::write(&left, cuna_libcu::read(&expected));
            cuna_libcu::write(&phase, token + 1);
        }
        return token;
    }
    CUNA_INLINE bool try_wait(arrival_token token) const
    {
        return cuna_libcu::attempt<S>([&] { return cuna_phase() != token; });
    }
    CUNA_INLINE bool try_wait_parity(bool parity) const
    {
        return cuna_libcu::attempt<S>([&] { return (cuna_phase() & 1) != parity; });
    }
    CUNA_INLINE void wait(arrival_token token) const
    {
        cuna_libcu::wait_until<S>([&] { return cuna_phase() != token; });
    }
    CUNA_INLINE void wait_parity(bool parity) const
    {
        cuna_libcu::wait_until<S>([&] { return (cuna_phase() & 1) != parity; });
    }
    CUNA_INLINE void arrive_and_wait() { wait(arrive()); }
    CUNA_INLINE void arrive_and_drop()
    {
        __atomic_sub_fetch(&expected, 1u, __ATOMIC_SEQ_CST);
        arrive();
    }
    friend CUNA_INLINE void init(barrier *b, ptrdiff_t count) { new (b) barrier(count); }
    friend CUNA_INLINE void init(barrier *b, ptrdiff_t count, F f) { new (b) barrier(count, f); }

    /* How many phases are complete: for this file's functions. */
    CUNA_INLINE unsigned cuna_phase() const { return cuna_libcu::read(&phase); }
};

template <thread_scope S> class latch {
    ptrdiff_t left;

public:
    constexpr explicit latch(ptrdiff_t count) : left(count) {}
    CUNA_INLINE void count_down(ptrdiff_t count = 1) { __atomic_sub_fetch(&left, count, __ATOMIC_SEQ_CST); }
    CUNA_INLINE bool try_wait() const
    {
        return cuna_libcu::attempt<S>([&] { return cuna_libcu::read(&left) == 0; });
    }
    CUNA_INLINE void wait() const
    {
        cuna_libcu::wait_until<S>([&] { return cuna_libcu::read(&left) == 0; });
    }
    CUNA_INLINE void arrive_and_wait(ptrdiff_t count = 1)
    {
        count_down(count);
        wait();
    }
    friend CUNA_INLINE void init(latch *l, ptrdiff_t count) { new (l) latch(count); }
};

template <thread_scope S, ptrdiff_t MOST = 0x7fffffff> class counting_semaphore {
    ptrdiff_t free;
    CUNA_INLINE bool take()
    {
        ptrdiff_t count = cuna_libcu::read(&free);
        while (count > 0)
            if (__atomic_compare_exchange_n(&free, &count, count - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
                return true;
        return false;
    }

public:
    constexpr explicit counting_semaphore(ptrdiff_t count) : free(count) {}
    static constexpr ptrdiff_t max() { return MOST; }
    CUNA_INLINE void release(ptrdiff_t count = 1) { __atomic_add_fetch(&free, count, __ATOMIC_SEQ_CST); }
    CUNA_INLINE bool try_acquire()
    {
        return cuna_libcu::attempt<S>([&] { return take(); });
    }
    CUNA_INLINE void acquire()
    {
        cuna_libcu::wait_until<S>([&] { return take(); });
    }
};
template <thread_scope S> using binary_semaphore = counting_semaphore<S, 1>;

namespace std {
template <class T> using atomic = cuda::atomic<T>;
template <class T> using atomic_ref = cuda::atomic_ref<T>;
template <class F = cuna_libcu::Nothing> using barrier = cuda::barrier<thread_scope_system, F>;
typedef cuda::latch<thread_scope_system> latch;
template <ptrdiff_t MOST = 0x7fffffff> using counting_semaphore = cuda::counting_semaphore<thread_scope_system, MOST>;
typedef counting_semaphore<1> binary_semaphore;
typedef atomic<bool> atomic_bool;
typedef atomic<int> atomic_int;
typedef atomic<unsigned> atomic_uint;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
using cuda::atomic_signal_fence;
using cuda::atomic_thread_fence;

class atomic_flag {
    atomic<bool> flag;

public:
    constexpr atomic_flag(bool value = false) : flag(value) {}
    CUNA_INLINE bool test(memory_order = memory_order_seq_cst) const { return flag.load(); }
    CUNA_INLINE bool test_and_set(memory_order = memory_order_seq_cst) { return flag.exchange(true); }
    CUNA_INLINE void clear(memory_order = memory_order_seq_cst) { flag.store(false); }
    CUNA_INLINE void wait(bool old, memory_order = memory_order_seq_cst) const { flag.wait(old); }
    CUNA_INLINE void notify_one() const {}
    CUNA_INLINE void notify_all() const {}
};
} // namespace std

} // namespace cuda

#endif

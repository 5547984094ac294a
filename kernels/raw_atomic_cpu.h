/* raw_atomic_cpu.h: CUDA's memory accesses on the cpu device: atomics, fences, loads and stores with hints.
 *
 * Blocks run on several cores, so atomics are the processor's, in relaxed order as in CUDA. They are templates, so
 * that a user's own atomicAdd of doubles or atomicMin of floats is preferred. 64-bit integers may be signed, for which
 * CUDA lacks some operations (raw_cuda.h adds them). */
namespace cuna_raw {

template <class T> struct same { typedef T type; };
template <class T> using value = typename same<T>::type; /* a parameter that does not decide what T is */
template <class T> using integer_t = decltype(typename integer<T>::type(), T());

/* *p = f(*p), repeated until no other thread interfered. */
template <class T, class F> CUNA_INLINE T update(T *p, F f)
{
    T before, after;
    __atomic_load(p, &before, __ATOMIC_RELAXED);
    do
        after = f(before);
    while (!__atomic_compare_exchange(p, &before, &after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return before;
}

template <class T> CUNA_INLINE integer_t<T> fetch_add(T *p, T v, int)
{
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
template <class T> CUNA_INLINE T fetch_add(T *p, T v, long)
{
    return update(p, [v](T x) -> T { return x + v; });
}

/* CUDA adds the parts of a vector one by one. */
CUNA_INLINE float2 fetch_add(float2 *p, float2 v, int)
{
    return {fetch_add(&p->x, v.x, 0), fetch_add(&p->y, v.y, 0)};
}
CUNA_INLINE float4 fetch_add(float4 *p, float4 v, int)
{
    return {fetch_add(&p->x, v.x, 0), fetch_add(&p->y, v.y, 0), fetch_add(&p->z, v.z, 0), fetch_add(&p->w, v.w, 0)};
}

}

#define CUNA_ATOMIC_SCOPES(ROWS) ROWS() ROWS(_block) ROWS(_system)
#define CUNA_ATOMIC(scope)                                                                                             \
    template <class T> CUNA_INLINE T atomicAdd##scope(T *p, cuna_raw::value<T> v)                                      \
    {                                                                                                                  \
        return cuna_raw::fetch_add(p, v, 0);                                                                           \
    }                                                                                                                  \
    template <class T> CUNA_INLINE cuna_raw::integer_t<T> atomicSub##scope(T *p, cuna_raw::value<T> v)                 \
    {                                                                                                                  \
        return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);                                                             \
    }                                                                                                                  \
    template <class T> CUNA_INLINE T atomicExch##scope(T *p, cuna_raw::value<T> v)                                     \
    {                                                                                                                  \
        T before;                                                                                                      \
        static_assert(sizeof(T) <= 8, "atomicExch: at most 8 bytes");                                                  \
        __atomic_exchange(p, &v, &before, __ATOMIC_RELAXED);                                                           \
        return before;                                                                                                 \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    CUNA_INLINE cuna_raw::integer_t<T> atomicCAS##scope(T *p, cuna_raw::value<T> expected, cuna_raw::value<T> v)       \
    {                                                                                                                  \
        __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                        \
        return expected;                                                                                               \
    }                                                                                                                  \
    template <class T> CUNA_INLINE cuna_raw::integer_t<T> atomicMin##scope(T *p, cuna_raw::value<T> v)                 \
    {                                                                                                                  \
        return cuna_raw::update(p, [v](T x) { return x < v ? x : v; });                                                \
    }                                                                                                                  \
    template <class T> CUNA_INLINE cuna_raw::integer_t<T> atomicMax##scope(T *p, cuna_raw::value<T> v)                 \
    {                                                                                                                  \
        return cuna_raw::update(p, [v](T x) { return x > v ? x : v; });                                                \
    }                                                                                                                  \
    template <class T> CUNA_INLINE cuna_raw::integer_t<T> atomicAnd##scope(T *p, cuna_raw::value<T> v)                 \
    {                                                                                                                  \
        return __atomic_fetch_and(p, v, __ATOMIC_RELAXED);                                                             \
    }                                                                                                                  \
    template <class T> CUNA_INLINE cuna_raw::integer_t<T> atomicOr##scope(T *p, cuna_raw::value<T> v)                  \
    {                                                                                                                  \
        return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);                                                              \
    }                                                                                                                  \
    template <class T> CUNA_INLINE cuna_raw::integer_t<T> atomicXor##scope(T *p, cuna_raw::value<T> v)                 \
    {                                                                                                                  \
        return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED);                                                             \
    }                                                                                                                  \
    CUNA_INLINE unsigned atomicInc##scope(unsigned *p, unsigned last)                                                  \
    {                                                                                                                  \
        return cuna_raw::update(p, [last](unsigned x) { return x >= last ? 0 : x + 1; });                              \
    }                                                                                                                  \
    CUNA_INLINE unsigned atomicDec##scope(unsigned *p, unsigned last)                                                  \
    {                                                                                                                  \
        return cuna_raw::update(p, [last](unsigned x) { return x == 0 || x > last ? last : x - 1; });                  \
    }
CUNA_ATOMIC_SCOPES(CUNA_ATOMIC)
#undef CUNA_ATOMIC_SCOPES
#undef CUNA_ATOMIC

CUNA_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CUNA_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CUNA_INLINE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); } /* a block has one thread */

#define CUNA_LOAD(name)                                                                                                \
    template <class T> CUNA_INLINE T name(const T *p) { return *p; }
CUNA_LOAD(__ldg) CUNA_LOAD(__ldca) CUNA_LOAD(__ldcg) CUNA_LOAD(__ldcs) CUNA_LOAD(__ldlu)
#undef CUNA_LOAD
template <class T> CUNA_INLINE T __ldcv(const T *p)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return *p;
}
#define CUNA_STORE(name)                                                                                               \
    template <class T> CUNA_INLINE void name(T *p, cuna_raw::value<T> v) { *p = v; }
CUNA_STORE(__stwb) CUNA_STORE(__stcg) CUNA_STORE(__stcs) CUNA_STORE(__stwt)
#undef CUNA_STORE

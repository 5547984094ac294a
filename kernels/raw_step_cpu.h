/* raw_step_cpu.h: accesses to volatile memory by which the lanes of a warp go in step, on the cpu device.
 *
 * runtime/cpu/compile/step.c writes these calls into sources that rely on warps in lock step, around expressions that
 * may be volatile; all other ones pass through. Before each load and each store a lane waits for the lanes of its warp
 * that have not come as far: `place` and `end` grow along the source (runtime/cpu/execute/lanes.c). */
namespace cuna_raw {

CUNA_INLINE void step(unsigned place, const volatile void *from, unsigned nbytes)
{
    if (!has_team)
        return;
    cuna_raw_services->step(self(), place, (const void *)from, nbytes);
    go_on(self());
}

template <class T> struct IsNumber { static constexpr bool value = !__is_class(T) && !__is_union(T); };
template <class T, bool = IsNumber<T>::value> struct StepNumber {};
template <class T> struct StepNumber<T, true> { typedef T type; };

template <unsigned place, class T> CUNA_INLINE T &&step_load(T &&x) { return static_cast<T &&>(x); }
template <unsigned place, class T> CUNA_INLINE typename StepNumber<T>::type step_load(volatile T &x)
{
    step(place, &x, sizeof x);
    return x;
}

/* A volatile number that an expression changes at `place`; the expression ends at `end`. */
template <unsigned place, unsigned end, class T> struct Stepped {
    volatile T &x;
    CUNA_INLINE T put(T value) const
    {
        step(end, nullptr, sizeof x);
        x = value;
        return value;
    }
    template <class U> CUNA_INLINE T operator=(const U &value) const { return put(T(value)); }
#define CUNA_STEP_CHANGE(op)                                                                                           \
    template <class U> CUNA_INLINE T operator op(const U &value) const                                                 \
    {                                                                                                                  \
        T changed = step_load<place>(x);                                                                               \
        changed op value;                                                                                              \
        return put(changed);                                                                                           \
    }
    CUNA_STEP_CHANGE(+=)
    CUNA_STEP_CHANGE(-=)
    CUNA_STEP_CHANGE(*=)
    CUNA_STEP_CHANGE(/=)
    CUNA_STEP_CHANGE(%=)
    CUNA_STEP_CHANGE(&=)
    CUNA_STEP_CHANGE(|=)
    CUNA_STEP_CHANGE(^=)
    CUNA_STEP_CHANGE(<<=)
    CUNA_STEP_CHANGE(>>=)
#undef CUNA_STEP_CHANGE
    CUNA_INLINE T operator++() const { return *this += 1; }
    CUNA_INLINE T operator--() const { return *this -= 1; }
    CUNA_INLINE T operator++(int) const { return (*this += 1) - 1; }
    CUNA_INLINE T operator--(int) const { return (*this -= 1) + 1; }
};

template <unsigned place, unsigned end, class T> CUNA_INLINE T &&step_store(T &&x) { return static_cast<T &&>(x); }
template <unsigned place, unsigned end, class T>
CUNA_INLINE Stepped<place, end, typename StepNumber<T>::type> step_store(volatile T &x)
{
    return {x};
}

/* At the beginning of a function's or loop's body: lanes that leave it, or begin it again, wait at its end. */
template <unsigned place> struct AtEnd {
    CUNA_INLINE AtEnd() {}
    CUNA_INLINE ~AtEnd() { step(place, nullptr, 0); }
    CUNA_INLINE explicit operator bool() const { return false; }
};

}

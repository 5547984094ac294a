// segment.cuh: what segments of a row combine to, from left to right (segments.lua); builds on gather.cuh.
//
// Where order does not matter, there may be levels of parts: a value for each 64 elements side by side, one for each 64
// of these, and so on. A segment then takes elements up to the first bound of a part inside, parts up to the first bound
// of greater ones, and at its end the same downwards: at most 126 values of each level. What is combined with what depends
// on positions alone.
namespace cuna {

enum { SEGMENT_PART = 64, SEGMENT_LEVELS = 3, SEGMENT_AHEAD = 8 };

// Combines `count` values, `step` bytes apart; some are loaded before the first one is needed.
template <class E, class T, class V, class F>
CUNA_INLINE T combine_stretch(F combine, T old, int64 at, int64 step, int64 count)
{
    int64 k = 0;
    for (; k + SEGMENT_AHEAD <= count; k += SEGMENT_AHEAD) {
        V ahead[SEGMENT_AHEAD];
        CUNA_UNROLL
        for (int i = 0; i < SEGMENT_AHEAD; ++i)
            ahead[i] = V(load(*(const E *)(at + (k + i) * step)));
        CUNA_UNROLL
        for (int i = 0; i < SEGMENT_AHEAD; ++i)
            old = combine(old, ahead[i]);
    }
    for (; k < count; ++k)
        old = combine(old, V(load(*(const E *)(at + k * step))));
    return old;
}

// Combines elements [first, next) of the row at address `at`, or element `first` alone where next is not above it. Each
// level has an address, 0 if there is none, and a step in bytes.
template <class D, class S, class F>
CUNA_WALKED typename value_of<D>::type combined(F combine, int64 at, int64 step, int64 first, int64 next, int64 level1,
                                                int64 step1, int64 level2, int64 step2, int64 level3, int64 step3)
{
    typedef typename value_of<D>::type T;
    typedef typename value_of<S>::type V;
    const int64 address[] = {at, level1, level2, level3}, steps[] = {step, step1, step2, step3};
    const int levels = level1 == 0 ? 0 : level2 == 0 ? 1 : level3 == 0 ? 2 : 3;
    T old = convert<D>(load(*(const S *)(at + first * step)));
    for (int64 i = first + 1; i < next;) {
        int level = 0;
        int64 size = 1;
        while (level < levels && i % (SEGMENT_PART * size) == 0 && next - i >= SEGMENT_PART * size) {
            size *= SEGMENT_PART;
            ++level;
        }
        const int64 whole = SEGMENT_PART * size, bound = level < levels ? i - i % whole + whole : next;
        const int64 count = ((bound < next ? bound : next) - i) / size;
        if (level == 0)
            old = combine_stretch<S, T, V>(combine, old, at + i * step, step, count);
        else
            old = combine_stretch<D, T, V>(combine, old, address[level] + i / size * steps[level], steps[level], count);
        i += count * size;
    }
    return old;
}

}  // namespace cuna

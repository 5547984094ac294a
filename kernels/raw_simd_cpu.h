/* raw_simd_cpu.h: CUDA's SIMD intrinsics on the cpu device, which work on the halves or bytes of a word.
 *
 * A row's value is of x and y, the lanes of both words as int, of type T; what is beyond a lane's bits is cut off. */
namespace cuna_raw {

/* The least and the greatest value of a lane of type T. */
template <class T> struct Lane {
    static constexpr bool is_signed = T(-1) < T(0);
    static constexpr int bits = 8 * sizeof(T), least = is_signed ? -(1 << (bits - 1)) : 0;
    static constexpr int greatest = least + (1 << bits) - 1;
};

template <class T> CUNA_INLINE unsigned fit(int value)
{
    return unsigned(value < Lane<T>::least ? Lane<T>::least : value > Lane<T>::greatest ? Lane<T>::greatest : value);
}

CUNA_INLINE int distance(int x, int y)
{
    return x > y ? x - y : y - x;
}

} // namespace cuna_raw

#define CUNA_EACH_LANE(name, Type, parameters, other, value)         \
    CUNA_INLINE unsigned name parameters                             \
    {                                                                \
        typedef Type T;                                              \
        unsigned result = 0;                                         \
        for (int at = 0; at < 32; at += cuna_raw::Lane<T>::bits) {   \
            [[maybe_unused]] int x = T(a >> at), y = T(other >> at); \
            value;                                                   \
        }                                                            \
        return result;                                               \
    }
#define CUNA_LANE(v) result |= (unsigned(v) & ~0u >> (32 - cuna_raw::Lane<T>::bits)) << at
#define CUNA_ONE(name, Half, Byte, v)                            \
    CUNA_EACH_LANE(name##2, Half, (unsigned a), a, CUNA_LANE(v)) \
    CUNA_EACH_LANE(name##4, Byte, (unsigned a), a, CUNA_LANE(v))
#define CUNA_TWO(name, Half, Byte, v)                                        \
    CUNA_EACH_LANE(name##2, Half, (unsigned a, unsigned b), b, CUNA_LANE(v)) \
    CUNA_EACH_LANE(name##4, Byte, (unsigned a, unsigned b), b, CUNA_LANE(v))
#define CUNA_SUM(name, Half, Byte, v)                                                 \
    CUNA_EACH_LANE(name##2, Half, (unsigned a, unsigned b), b, result += unsigned(v)) \
    CUNA_EACH_LANE(name##4, Byte, (unsigned a, unsigned b), b, result += unsigned(v))
#define CUNA_SIGNED(ROW, name, v)   ROW(name, short, signed char, v)
#define CUNA_UNSIGNED(ROW, name, v) ROW(name, unsigned short, unsigned char, v)

CUNA_UNSIGNED(CUNA_TWO, __vadd, x + y)
CUNA_SIGNED(CUNA_TWO, __vaddss, cuna_raw::fit<T>(x + y))
CUNA_UNSIGNED(CUNA_TWO, __vaddus, cuna_raw::fit<T>(x + y))
CUNA_UNSIGNED(CUNA_TWO, __vsub, x - y)
CUNA_SIGNED(CUNA_TWO, __vsubss, cuna_raw::fit<T>(x - y))
CUNA_UNSIGNED(CUNA_TWO, __vsubus, cuna_raw::fit<T>(x - y))
CUNA_SIGNED(CUNA_ONE, __vneg, -x)
CUNA_SIGNED(CUNA_ONE, __vnegss, cuna_raw::fit<T>(-x))
CUNA_SIGNED(CUNA_ONE, __vabs, x < 0 ? -x : x)
CUNA_SIGNED(CUNA_ONE, __vabsss, cuna_raw::fit<T>(x < 0 ? -x : x))
CUNA_SIGNED(CUNA_TWO, __vabsdiffs, cuna_raw::distance(x, y))
CUNA_UNSIGNED(CUNA_TWO, __vabsdiffu, cuna_raw::distance(x, y))
CUNA_SIGNED(CUNA_SUM, __vsads, cuna_raw::distance(x, y))
CUNA_UNSIGNED(CUNA_SUM, __vsadu, cuna_raw::distance(x, y))
CUNA_SIGNED(CUNA_TWO, __vavgs, (x + y + (x + y >= 0)) >> 1)
CUNA_UNSIGNED(CUNA_TWO, __vavgu, (x + y + 1) >> 1)
CUNA_UNSIGNED(CUNA_TWO, __vhaddu, (x + y) >> 1)
CUNA_SIGNED(CUNA_TWO, __vmaxs, x > y ? x : y)
CUNA_UNSIGNED(CUNA_TWO, __vmaxu, x > y ? x : y)
CUNA_SIGNED(CUNA_TWO, __vmins, x < y ? x : y)
CUNA_UNSIGNED(CUNA_TWO, __vminu, x < y ? x : y)

/* Comparisons give all bits of a lane, or 1. */
#define CUNA_COMPARE(SIGN, word, condition) \
    SIGN(CUNA_TWO, __vcmp##word, condition ? -1 : 0) SIGN(CUNA_TWO, __vset##word, condition)
CUNA_COMPARE(CUNA_UNSIGNED, eq, (x == y))
CUNA_COMPARE(CUNA_UNSIGNED, ne, (x != y))
CUNA_COMPARE(CUNA_SIGNED, gts, (x > y))
CUNA_COMPARE(CUNA_UNSIGNED, gtu, (x > y))
CUNA_COMPARE(CUNA_SIGNED, ges, (x >= y))
CUNA_COMPARE(CUNA_UNSIGNED, geu, (x >= y))
CUNA_COMPARE(CUNA_SIGNED, lts, (x < y))
CUNA_COMPARE(CUNA_UNSIGNED, ltu, (x < y))
CUNA_COMPARE(CUNA_SIGNED, les, (x <= y))
CUNA_COMPARE(CUNA_UNSIGNED, leu, (x <= y))
#undef CUNA_COMPARE
#undef CUNA_UNSIGNED
#undef CUNA_SIGNED
#undef CUNA_SUM
#undef CUNA_TWO
#undef CUNA_ONE
#undef CUNA_LANE
#undef CUNA_EACH_LANE

/* ---- of three words, as dynamic programming needs them: each the word itself, or its halves ---- */

namespace cuna_raw {
template <class T> CUNA_INLINE T greater_of(T x, T y)
{
    return x > y ? x : y;
}
template <class T> CUNA_INLINE T lesser_of(T x, T y)
{
    return x < y ? x : y;
}
} // namespace cuna_raw

#define CUNA_WORD(name, Type, v)                  \
    CUNA_INLINE Type name(Type a, Type b, Type c) \
    {                                             \
        typedef Type T;                           \
        return v;                                 \
    }
#define CUNA_HALVES(name, Type, v)                                             \
    CUNA_INLINE unsigned name(unsigned first, unsigned second, unsigned third) \
    {                                                                          \
        typedef Type T;                                                        \
        unsigned result = 0;                                                   \
        for (int at = 0; at < 32; at += 16) {                                  \
            T a = T(first >> at), b = T(second >> at), c = T(third >> at);     \
            result |= unsigned((unsigned short)(v)) << at;                     \
        }                                                                      \
        return result;                                                         \
    }
#define CUNA_THREE(name, v)                                        \
    CUNA_WORD(name##_s32, int, v)                                  \
    CUNA_WORD(name##_u32, unsigned, v)                             \
    CUNA_HALVES(name##_s16x2, short, v)                            \
    CUNA_HALVES(name##_u16x2, unsigned short, v)                   \
    CUNA_WORD(name##_s32_relu, int, cuna_raw::greater_of<T>(v, 0)) \
    CUNA_HALVES(name##_s16x2_relu, short, cuna_raw::greater_of<T>(v, 0))
CUNA_THREE(__vimax3, cuna_raw::greater_of<T>(cuna_raw::greater_of<T>(a, b), c))
CUNA_THREE(__vimin3, cuna_raw::lesser_of<T>(cuna_raw::lesser_of<T>(a, b), c))
CUNA_THREE(__viaddmax, cuna_raw::greater_of<T>(T(unsigned(a) + unsigned(b)), c))
CUNA_THREE(__viaddmin, cuna_raw::lesser_of<T>(T(unsigned(a) + unsigned(b)), c))
#undef CUNA_THREE
#undef CUNA_HALVES
#undef CUNA_WORD

/* random_legacy.cuh: the numbers of cuRAND's PHILOX4_32_10 generators, in the order of cuRAND's host API.
 *
 * 65536 sequences, each with its own counter (in the counter's third word), take turns: each gives four words at a
 * time, or the words of four doubles. `i` counts the numbers of one kind since the seed. Words and numbers in (0, 1]
 * equal cuRAND's bit for bit; normal numbers are made of the same words, and differ in the last digits. */
namespace cuna {
namespace random {
namespace legacy {

enum { TURN = 65536 * 4 };

CUNA_INLINE uint32 bits(uint64 i, uint64 seed)
{
    const uint64 turn = i / TURN;
    const Words block = philox(turn, turn >> 32, i % TURN / 4, 0, seed);
    const uint32 low = i & 1 ? block.at[1] : block.at[0], high = i & 1 ? block.at[3] : block.at[2];
    return i & 2 ? high : low;
}

CUNA_INLINE float uniform(uint64 i, uint64 seed, float) { return above_zero(bits(i, seed)); }

/* 53 bits of two words. */
CUNA_INLINE double uniform(uint64 i, uint64 seed, double)
{
    const uint64 turn = 2 * (i / TURN) + (i & 2) / 2;
    const Words block = philox(turn, turn >> 32, i % TURN / 4, 0, seed);
    const uint32 first = i & 1 ? block.at[2] : block.at[0], second = i & 1 ? block.at[3] : block.at[1];
    const uint64 mixed = first ^ uint64(second) << 21;
    return fma(double(int64(mixed)), 1.1102230246251565e-16, 5.551115123125783e-17);
}

/* Box and Muller's pair of numbers 2k and 2k + 1: sine and cosine. */
template <class T> CUNA_INLINE T normal(uint64 i, uint64 seed, T)
{
    const T radius = sqrt(T(-2) * own::log(uniform(i & ~uint64(1), seed, T())));
    T sine, cosine;
    own::sincospi(T(2) * uniform(i | 1, seed, T()), sine, cosine);
    return radius * (i & 1 ? cosine : sine);
}

/* low + the high word of the word's product with most + 1: all of [low, low + most]. */
CUNA_INLINE uint64 scaled(uint64 word, uint64 low, uint64 most)
{
    uint64 rest;
    const uint64 high = wide_product(word, most + 1, rest);
    return low + (most + 1 == 0 ? word : high);
}

}  // namespace legacy
}  // namespace random
}  // namespace cuna

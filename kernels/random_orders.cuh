/* random_orders.cuh: random orders, of words that carry random bits above the numbers of elements, and few of many.
 *
 * Words whose bits are alike are ordered by more bits of their elements. A few elements of very many need no order of
 * all: a keyed permutation of the numbers of as many bits takes each position to its element. */
namespace cuna {
namespace random {

/* What decides among words that are alike: more bits of the element. */
CUNA_INLINE uint64 more_bits(uint64 word, uint64 key, uint64 call)
{
    Source source(uint32(word), key, call, 1);
    return source.bits64();
}

/* Whether the bits from `low` on are. */
CUNA_INLINE bool are_alike(uint64 a, uint64 b, int64 low) { return (a ^ b) >> low == 0; }

CUNA_INLINE bool is_before(uint64 a, uint64 b, bool stands_before, uint64 key, uint64 call)
{
    if (!are_alike(a, b, 32))
        return a < b;
    const uint64 more_of_a = more_bits(a, key, call), more_of_b = more_bits(b, key, call);
    return more_of_a < more_of_b || (more_of_a == more_of_b && stands_before);
}

/* Stores the number, from 1, of the word at a place among n, which are ordered by the bits from `low` on, where it
 * belongs. Most words are alone: the loop stands apart for them, because compilers make more bits of `own` before it. */
CUNA_INLINE bool untied(int64 words_at, int64 target_at, int64 place, int64 n, uint64 key, uint64 call, int64 low)
{
    const uint64 *words = (const uint64 *)words_at, own = words[place];
    int64 first = place, last = place + 1, before = 0;
    while (first > 0 && are_alike(words[first - 1], own, low))
        --first;
    while (last < n && are_alike(words[last], own, low))
        ++last;
    if (last - first > 1)
        for (int64 k = first; k < last; ++k)
            before += k != place && is_before(words[k], own, k < place, key, call);
    ((int64 *)target_at)[first + before] = int64(uint32(own)) + 1;
    return true;
}

/* Bits of a number of which each depends on all bits of x (the last steps of MurmurHash3). */
CUNA_INLINE uint64 mixed(uint64 x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}

/* A keyed permutation of the numbers of low + high bits: a Feistel network, whose rounds change one part of a number by
 * bits that depend on the other, and exchange the parts. An even number of rounds gives each part its length back. */
CUNA_INLINE uint64 permuted(uint64 x, int low, int high, uint64 key)
{
    const int rounds = 12;
    for (int round = 0; round < rounds; ++round) {
        const int own = round % 2 == 0 ? low : high, other = low + high - own;
        const uint64 part = x & ((uint64(1) << own) - 1), rest = x >> own;
        const uint64 bits = mixed(part + (key += 0x9e3779b97f4a7c15ull)) & ((uint64(1) << other) - 1);
        x = part << other | (rest ^ bits);
    }
    return x;
}

/* The element, from 1 to n, at a position of an order: numbers from n on are permuted again, until one is below n. The
 * permuted numbers are fewer than 2 n. */
CUNA_INLINE int64 chosen(int64 place, uint64 key, uint64 call, int64 n)
{
    int bits = 2;
    while (bits < 63 && int64(1) << bits < n)
        ++bits;
    const uint64 seed = Source(0, key, call).bits64();
    uint64 x = uint64(place);
    do
        x = permuted(x, bits / 2, bits - bits / 2, seed);
    while (x >= uint64(n));
    return int64(x) + 1;
}

}
}

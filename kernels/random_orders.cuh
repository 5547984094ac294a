/* random_orders.cuh: random orders, of words that carry random bits above the numbers of elements.
 *
 * Words whose bits are alike are ordered by more bits of their elements. */
namespace cuna {
namespace random {

/* 32 random bits above an element's own number: words in order have the numbers in a random one, but where bits are alike. */
CUNA_INLINE uint64 tagged(int64 element, uint64 key, uint64 call)
{
    const uint32 bits = drawn(Integers<uint32, uint32>(0, ~uint32(0)), element, key, call);
    return uint64(bits) << 32 | uint64(element);
}

/* What decides among words that are alike: more bits of the element. */
CUNA_INLINE uint64 more_bits(uint64 word, uint64 key, uint64 call)
{
    Source source(uint32(word), key, call, 1);
    return source.bits64();
}

CUNA_INLINE bool are_alike(uint64 a, uint64 b) { return (a ^ b) >> 32 == 0; }

/* Stores the number, from 1, of the word at a place among n ordered ones where it belongs. */
CUNA_INLINE bool untied(int64 words_at, int64 target_at, int64 place, int64 n, uint64 key, uint64 call)
{
    const uint64 *words = (const uint64 *)words_at, own = words[place];
    int64 first = place, last = place + 1, before = 0;
    while (first > 0 && are_alike(words[first - 1], own))
        --first;
    while (last < n && are_alike(words[last], own))
        ++last;
    for (int64 k = first; k < last && last - first > 1; ++k) {
        const uint64 other = more_bits(words[k], key, call), mine = more_bits(own, key, call);
        before += other < mine || (other == mine && k < place);
    }
    ((int64 *)target_at)[first + before] = int64(uint32(own)) + 1;
    return true;
}

}
}

/* digest.c: SHA-256 by the instructions that x86 processors have for it, in a fifth of the time of libmd, which others
 * have.
 *
 * The key of a kernel in the disk cache is the digest of its whole text, up to 200 KB, for which libmd takes half a
 * millisecond. */
#include "base/digest.h"

#include <sha2.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

void cuna__digest_take_plainly(uint32_t state[8], const uint8_t *bytes, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++)
        SHA256Transform(state, bytes + i * CUNA_DIGEST_BLOCK);
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define WITH_SHA __attribute__((target("sha,sse4.1")))

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* The instructions have the state's words as ABEF and CDGH. */
typedef struct halves {
    __m128i abef, cdgh;
} halves;

WITH_SHA static halves load_state(const uint32_t state[8])
{
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    return (halves){_mm_alignr_epi8(badc, hgfe, 8), _mm_blend_epi16(hgfe, badc, 0xf0)};
}

WITH_SHA static void store_state(uint32_t state[8], halves h)
{
    __m128i feba = _mm_shuffle_epi32(h.abef, 0x1b), dchg = _mm_shuffle_epi32(h.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/* Four rounds with four words of the schedule. */
WITH_SHA static inline halves do_rounds(halves h, __m128i words, const uint32_t *constant)
{
    __m128i sums = _mm_add_epi32(words, _mm_loadu_si128((const __m128i *)constant));
    h.cdgh = _mm_sha256rnds2_epu32(h.cdgh, h.abef, sums);
    h.abef = _mm_sha256rnds2_epu32(h.abef, h.cdgh, _mm_shuffle_epi32(sums, 0x0e));
    return h;
}

WITH_SHA static void take_block(halves *state, const uint8_t *bytes)
{
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    halves h = *state;
    __m128i words[4];
    for (int i = 0; i < 4; i++)
        words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + i), swapped);
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) {
        __m128i last = words[(i + 3) % 4];
        h = do_rounds(h, words[i % 4], constants + 4 * i);
        __m128i sums = _mm_add_epi32(_mm_sha256msg1_epu32(words[i % 4], words[(i + 1) % 4]),
                                     _mm_alignr_epi8(last, words[(i + 2) % 4], 4));
        words[i % 4] = _mm_sha256msg2_epu32(sums, last); /* of the last rounds nobody reads them */
    }
    state->abef = _mm_add_epi32(state->abef, h.abef);
    state->cdgh = _mm_add_epi32(state->cdgh, h.cdgh);
}

WITH_SHA static void take_by_instructions(uint32_t state[8], const uint8_t *bytes, size_t nblocks)
{
    halves h = load_state(state);
    for (size_t i = 0; i < nblocks; i++)
        take_block(&h, bytes + i * CUNA_DIGEST_BLOCK);
    store_state(state, h);
}

cuna_digest_take *cuna__digest_instructions(void)
{
    unsigned a, b, c, d;
    bool has = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0 && __builtin_cpu_supports("sse4.1");
    return has ? take_by_instructions : NULL;
}
#else
cuna_digest_take *cuna__digest_instructions(void)
{
    return NULL;
}
#endif

static void take(uint32_t state[8], const uint8_t *bytes, size_t nblocks)
{
    static _Atomic(cuna_digest_take *) chosen;
    cuna_digest_take *way = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (way == NULL) {
        way = cuna__digest_instructions();
        way = way != NULL ? way : cuna__digest_take_plainly;
        atomic_store_explicit(&chosen, way, memory_order_relaxed);
    }
    way(state, bytes, nblocks);
}

void cuna__digest_begin(cuna_digest *digest)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(digest->state, first, sizeof first);
    digest->nbytes = 0;
}

void cuna__digest_add(cuna_digest *digest, const void *bytes, size_t nbytes)
{
    const uint8_t *at = bytes;
    size_t begun = digest->nbytes % CUNA_DIGEST_BLOCK;
    digest->nbytes += nbytes;
    if (begun > 0) {
        size_t part = nbytes < CUNA_DIGEST_BLOCK - begun ? nbytes : CUNA_DIGEST_BLOCK - begun;
        memcpy(digest->rest + begun, at, part);
        if (begun + part < CUNA_DIGEST_BLOCK)
            return;
        take(digest->state, digest->rest, 1);
        at += part;
        nbytes -= part;
    }
    size_t nblocks = nbytes / CUNA_DIGEST_BLOCK;
    if (nblocks > 0)
        take(digest->state, at, nblocks);
    if (nbytes % CUNA_DIGEST_BLOCK > 0)
        memcpy(digest->rest, at + nblocks * CUNA_DIGEST_BLOCK, nbytes % CUNA_DIGEST_BLOCK);
}

static void put_big_endian(uint8_t *out, uint64_t value, int nbytes)
{
    for (int i = 0; i < nbytes; i++)
        out[i] = (uint8_t)(value >> 8 * (nbytes - 1 - i));
}

void cuna__digest_end(uint8_t out[CUNA_DIGEST_NBYTES], cuna_digest *digest)
{
    static const uint8_t fill[CUNA_DIGEST_BLOCK] = {0x80};
    uint8_t nbits[8];
    put_big_endian(nbits, digest->nbytes * 8, 8);
    size_t begun = digest->nbytes % CUNA_DIGEST_BLOCK;
    cuna__digest_add(digest, fill, (begun < 56 ? 56 : 56 + CUNA_DIGEST_BLOCK) - begun);
    cuna__digest_add(digest, nbits, sizeof nbits);
    for (int i = 0; i < 8; i++)
        put_big_endian(out + 4 * i, digest->state[i], 4);
}

void cuna__digest_print(char out[CUNA_DIGEST_LENGTH + 1], const uint8_t digest[CUNA_DIGEST_NBYTES])
{
    for (int i = 0; i < CUNA_DIGEST_LENGTH; i++)
        out[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 ? 0 : 4) & 15];
    out[CUNA_DIGEST_LENGTH] = '\0';
}

void cuna__digest_text(char out[CUNA_DIGEST_LENGTH + 1], const void *bytes, size_t nbytes)
{
    uint8_t found[CUNA_DIGEST_NBYTES];
    cuna_digest digest;
    cuna__digest_begin(&digest);
    cuna__digest_add(&digest, bytes, nbytes);
    cuna__digest_end(found, &digest);
    cuna__digest_print(out, found);
}

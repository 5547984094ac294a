/* compile_hash.c: each 16 bytes are mixed into two words by products of 128 bits whose halves are folded.
 *
 * A text of kernels is 200 KB, and named twice: SHA-256 took as long as starting the linker. */
#include "compile_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static void mix(struct hash *hash, uint64_t first, uint64_t second)
{
    uint64_t *words = hash->words;
    words[0] = fold(words[0] ^ first ^ 0x9e3779b97f4a7c15u, second ^ 0xd1b54a32d192ed03u) + words[0];
    words[1] = fold(words[1] ^ second ^ 0x8cb92ba72f3d8dd7u, first ^ 0xabc98388fb8fac03u) + words[1] * 3;
}

void hash_add(struct hash *hash, const void *bytes, size_t nbytes)
{
    const char *at = bytes;
    uint64_t pair[2];
    for (size_t left = nbytes; left > 0;) {
        size_t part = left < sizeof pair ? left : sizeof pair;
        memset(pair, 0, sizeof pair);
        memcpy(pair, at, part);
        mix(hash, pair[0], pair[1]);
        at += part;
        left -= part;
    }
    hash->nbytes += nbytes;
    mix(hash, nbytes, hash->nbytes);
}

void hash_name(char out[HASH_NAME_NBYTES], const struct hash *hash)
{
    struct hash end = *hash;
    mix(&end, end.nbytes, ~end.nbytes);
    mix(&end, end.words[0], end.words[1]);
    snprintf(out, HASH_NAME_NBYTES, "%016" PRIx64 "%016" PRIx64, end.words[0], end.words[1]);
}

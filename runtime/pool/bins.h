/* bins.h: the pool's free blocks by size, for pool*.c alone.
 *
 * One bin per size below 1 MiB and 64 bins per power of two above, with a bitmap of occupied bins and a bitmap of its
 * words: finding the smallest block that fits is two bit scans, and a walk through one bin for the large sizes. Inline,
 * because an allocation from the cache costs little more than its two locks. */
#ifndef CUNA_POOL_BINS_H
#define CUNA_POOL_BINS_H

#include "pool/pool.h"

#define POOL_UNIT_NBYTES ((int64_t)512)
#define POOL_EXACT_BINS  2048 /* bins of one size each; the smallest inexact size is 2^11 units */
#define POOL_BIN_COUNT   4096 /* enough for blocks below 2^43 units */

typedef cuna_block block;

typedef struct bins {
    uint64_t words;                         /* bit w: occupied[w] is not 0 */
    uint64_t occupied[POOL_BIN_COUNT / 64]; /* bit b of word w: bin 64 w + b is not empty */
    block *heads[POOL_BIN_COUNT];
} bins;

static inline int bin_index(int64_t nbytes)
{
    uint64_t units = (uint64_t)nbytes / POOL_UNIT_NBYTES;
    if (units < POOL_EXACT_BINS)
        return (int)units;
    int exponent = 63 - __builtin_clzll(units);
    return POOL_EXACT_BINS + (exponent - 11) * 64 + (int)(units >> (exponent - 6) & 63);
}

/* The first occupied bin from `index` on, or -1. */
static inline int next_bin(const bins *b, int index)
{
    int word = index >> 6;
    uint64_t bits = b->occupied[word] & ~(uint64_t)0 << (index & 63);
    if (!bits) {
        uint64_t words = b->words & ~(uint64_t)1 << word;
        if (!words)
            return -1;
        word = __builtin_ctzll(words);
        bits = b->occupied[word];
    }
    return word * 64 + __builtin_ctzll(bits);
}

/* The smallest block of an inexact bin that holds nbytes. */
static inline block *smallest_fit(block *head, int64_t nbytes)
{
    block *best = NULL;
    for (block *b = head; b; b = b->bin_next)
        if (b->nbytes >= nbytes && (!best || b->nbytes < best->nbytes))
            best = b;
    return best;
}

static inline block *bins_best(const bins *b, int64_t nbytes)
{
    int index = next_bin(b, bin_index(nbytes));
    if (index < 0)
        return NULL;
    if (index < POOL_EXACT_BINS)
        return b->heads[index];
    block *best = smallest_fit(b->heads[index], nbytes);
    if (!best && (index = next_bin(b, index + 1)) >= 0)
        best = smallest_fit(b->heads[index], nbytes);
    return best;
}

static inline int64_t bins_largest(const bins *b)
{
    if (!b->words)
        return 0;
    int word = 63 - __builtin_clzll(b->words);
    int64_t largest = 0;
    for (block *each = b->heads[word * 64 + 63 - __builtin_clzll(b->occupied[word])]; each; each = each->bin_next)
        largest = cuna__max(largest, each->nbytes);
    return largest;
}

/* Streams do not use blocks in bins: the field `streams` holds the address of the previous block there. */
static inline block *bin_prev(const block *b)
{
    return (block *)(uintptr_t)b->streams;
}

static inline void set_bin_prev(block *b, block *prev)
{
    b->streams = (uintptr_t)prev;
}

static inline void bins_enter(bins *home, block *b)
{
    int index = bin_index(b->nbytes);
    set_bin_prev(b, NULL);
    b->bin_next = home->heads[index];
    if (b->bin_next)
        set_bin_prev(b->bin_next, b);
    home->heads[index] = b;
    home->occupied[index >> 6] |= (uint64_t)1 << (index & 63);
    home->words |= (uint64_t)1 << (index >> 6);
}

static inline void bins_leave(bins *home, block *b)
{
    block *prev = bin_prev(b);
    set_bin_prev(b, NULL);
    if (b->bin_next)
        set_bin_prev(b->bin_next, prev);
    if (prev) {
        prev->bin_next = b->bin_next;
        return;
    }
    int index = bin_index(b->nbytes);
    home->heads[index] = b->bin_next;
    if (b->bin_next)
        return;
    home->occupied[index >> 6] &= ~((uint64_t)1 << (index & 63));
    if (!home->occupied[index >> 6])
        home->words &= ~((uint64_t)1 << (index >> 6));
}

#endif

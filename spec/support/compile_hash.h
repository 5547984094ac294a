/* compile_hash.h: a name of 128 bits for bytes, where nobody looks for two that have the same. */
#ifndef COMPILE_HASH_H
#define COMPILE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_NAME_NBYTES 33

/* Zeros at first. */
struct hash {
    uint64_t words[2], nbytes;
};

/* Bytes that are added in two calls are others than the same in one. */
void hash_add(struct hash *hash, const void *bytes, size_t nbytes);

/* As digits. */
void hash_name(char out[HASH_NAME_NBYTES], const struct hash *hash);

#endif

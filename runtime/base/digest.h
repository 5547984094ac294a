/* digest.h: SHA-256 of bytes. */
#ifndef CUNA_BASE_DIGEST_H
#define CUNA_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define CUNA_DIGEST_NBYTES 32
#define CUNA_DIGEST_LENGTH 64 /* as hexadecimal digits */

enum { CUNA_DIGEST_BLOCK = 64 };

typedef struct cuna_digest {
    uint32_t state[8];
    uint64_t nbytes; /* so far; those after the last whole block: */
    uint8_t rest[CUNA_DIGEST_BLOCK];
} cuna_digest;

void cuna__digest_begin(cuna_digest *digest);
void cuna__digest_add(cuna_digest *digest, const void *bytes, size_t nbytes);
void cuna__digest_end(uint8_t out[CUNA_DIGEST_NBYTES], cuna_digest *digest);

/* Of `nbytes` bytes, as text. */
void cuna__digest_text(char out[CUNA_DIGEST_LENGTH + 1], const void *bytes, size_t nbytes);

/* Lower-case digits. */
void cuna__digest_print(char out[CUNA_DIGEST_LENGTH + 1], const uint8_t digest[CUNA_DIGEST_NBYTES]);

/* Takes whole blocks into the state. */
typedef void cuna_digest_take(uint32_t state[8], const uint8_t *bytes, size_t nblocks);

/* By libmd, and by the instructions of this processor; NULL: it has none. */
void cuna__digest_take_plainly(uint32_t state[8], const uint8_t *bytes, size_t nblocks);
cuna_digest_take *cuna__digest_instructions(void);

#endif

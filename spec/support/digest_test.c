/* digest_test.c: digests of runtime/base/digest.h beside libmd's, of every length and in pieces; and the blocks that a
 * processor's instructions take. Says nothing if all agree. */
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"

static uint8_t bytes[4096];

static void fill(void)
{
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 131 + i / 7 + (i >> 3) * 29);
}

static int check_length(size_t nbytes)
{
    char expected[SHA256_DIGEST_STRING_LENGTH], got[CUNA_DIGEST_LENGTH + 1], in_pieces[CUNA_DIGEST_LENGTH + 1];
    uint8_t found[CUNA_DIGEST_NBYTES];
    cuna_digest digest;
    SHA256Data(bytes, nbytes, expected);
    cuna__digest_text(got, bytes, nbytes);
    cuna__digest_begin(&digest);
    for (size_t done = 0, part = 0; done < nbytes; done += part) {
        part = 1 + (done * 5 + nbytes) % 150;
        part = part < nbytes - done ? part : nbytes - done;
        cuna__digest_add(&digest, bytes + done, part);
    }
    cuna__digest_end(found, &digest);
    cuna__digest_print(in_pieces, found);
    if (strcmp(expected, got) == 0 && strcmp(expected, in_pieces) == 0)
        return 0;
    printf("%zu bytes: %s, in pieces %s, expected %s\n", nbytes, got, in_pieces, expected);
    return 1;
}

static int check_ways(void)
{
    cuna_digest_take *way = cuna__digest_instructions();
    uint32_t plain[8] = {1, 2, 3, 4, 5, 6, 7, 8}, own[8];
    memcpy(own, plain, sizeof own);
    cuna__digest_take_plainly(plain, bytes + 3, 20);
    if (way != NULL)
        way(own, bytes + 3, 20);
    if (way == NULL || memcmp(own, plain, sizeof own) == 0)
        return 0;
    puts("the ways differ");
    return 1;
}

int main(void)
{
    int failed = 0;
    fill();
    for (size_t nbytes = 0; nbytes < 1000; nbytes++)
        failed += check_length(nbytes);
    failed += check_length(sizeof bytes) + check_ways();
    return failed > 0;
}

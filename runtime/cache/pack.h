/* pack.h: where the kernel pack lies, for cache.c alone. */
#ifndef CUNA_CACHE_PACK_H
#define CUNA_CACHE_PACK_H

#include <stdbool.h>
#include <sys/stat.h>

/* A descriptor of the pack's folder of entries whose keys start like `key`; -1 when there is none that can be trusted.
 * The caller closes it. */
int cuna__cache_pack_open(const char *key);

/* Whether a file or folder belongs to the user, to root or to the owner of cuna's own library, and nobody else may write
 * it. */
bool cuna__cache_pack_trusts(const struct stat *facts);

#endif

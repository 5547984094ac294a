/* cache.h: compiled images on disk, by content.
 *
 * An entry is the image followed by a 128-byte trailer (magic, schema, length, SHA-256 of the image and of the key).
 * Files are written to a temporary name, synced and renamed, in folders that belong to the user alone. Any defect of an
 * entry or a folder is a miss, never an error: the cache may be deleted, damaged, full, read-only or shared by any
 * number of processes at any moment, and only speed changes. The kernel pack of the installation is a second, read-only
 * folder of the same form (pack.c). */
#ifndef CUNA_CACHE_CACHE_H
#define CUNA_CACHE_CACHE_H

#include <stddef.h>

#include "base/status.h"

#define CUNA_KEY_LENGTH 64 /* hexadecimal digits of a SHA-256 */

/* SHA-256 over length-prefixed parts (so that no two lists of parts collide) as hexadecimal text. */
void cuna__cache_key(char key[CUNA_KEY_LENGTH + 1], int nparts, const char *const *parts);

/* Reads an image (malloc'd, the caller frees it) from the user's folder or else the pack; NULL is a miss. */
void *cuna__cache_load(size_t *nbytes, const char *key);

/* Stores an image. VALUE with the reason when it is not stored, except where the user turned the disk cache off; only
 * speed depends on it. */
cuna_status cuna__cache_store(const char *key, const void *image, size_t nbytes);

#endif

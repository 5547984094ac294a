/* failed.h: keeps sources whose compilation failed, for inspection. */
#ifndef CUNA_CACHE_FAILED_H
#define CUNA_CACHE_FAILED_H

#include <stddef.h>

/* Keeps a text under its program's name in the folder "failed" of the disk cache, or of $TMPDIR or /tmp where there is
 * no cache; the eight newest texts stay. `path` is the file's path, "" when it cannot be stored. */
void cuna__cache_keep_failed(char *path, size_t nbytes, const char *name, const char *text, size_t length);

#endif

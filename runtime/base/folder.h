/* folder.h: a private folder that lives as long as one compilation or one load. */
#ifndef CUNA_BASE_FOLDER_H
#define CUNA_BASE_FOLDER_H

#include "base/base.h"

#define CUNA_FOLDER_NBYTES 512 /* a folder's path, with room for a short file name */

/* A callback that uses a private folder; returns NULL on success, else what its place lacks, as text. */
typedef const char *cuna_folder_use(void *data, const char *folder);

/* Calls use(data, folder) with a new folder that only this user may enter, in the first place that works: $TMPDIR,
 * /tmp, $XDG_RUNTIME_DIR, the cache folder, /dev/shm, /var/tmp, ~/.cache. With `maps` only in places from which code
 * can be mapped. The folder is removed when `use` returns. Returns NULL on success, else each place and what it lacks;
 * the caller frees the text. */
char *cuna__folder_with(bool maps, cuna_folder_use *use, void *data);

/* What a folder's place lacks, judged by the output of a failed program or by the free space; NULL: nothing. */
const char *cuna__folder_lack(const char *folder, const char *log);

/* Makes a folder in it. */
bool cuna__folder_make(const char *folder, const char *name);

/* Writes a new file; on failure errno is set. */
bool cuna__folder_write(const char *folder, const char *name, const void *data, size_t nbytes);

/* Writes to an open file; on failure errno is set. */
bool cuna__folder_fill(int fd, const void *data, size_t nbytes);

/* The whole file (malloc'd, a NUL follows the last byte), or NULL. */
void *cuna__folder_read(size_t *nbytes, const char *folder, const char *name);

#endif

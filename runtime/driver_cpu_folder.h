/* driver_cpu_folder.h: a private folder that lives as long as one compilation or one load. */
#ifndef CUNA_DRIVER_CPU_FOLDER_H
#define CUNA_DRIVER_CPU_FOLDER_H

#include "base.h"

#define CUNA_FOLDER_NBYTES 512 /* a folder's path, with room for a short file name */

/* Makes a folder that only this user may enter, where libraries may be loaded from: in $TMPDIR, /tmp,
 * $XDG_RUNTIME_DIR or ~/.cache. False when none of them will do. */
bool cuna__folder_create(char folder[CUNA_FOLDER_NBYTES]);

/* Removes the folder with all that is in it. */
void cuna__folder_remove(const char *folder);

/* Makes a folder in it. */
bool cuna__folder_make(const char *folder, const char *name);

bool cuna__folder_write(const char *folder, const char *name, const void *data, size_t nbytes);

/* The whole file (malloc'd, a NUL follows the last byte), or NULL. */
void *cuna__folder_read(size_t *nbytes, const char *folder, const char *name);

#endif

/* folder.h: where the disk cache lies, for files of cache/ alone.
 *
 * An entry lies in <folder>/v1/<first 2 digits of its key>/<key>. Paths below the folder are never resolved by name:
 * every step is opened from the one above and checked on its descriptor. */
#ifndef CUNA_CACHE_FOLDER_H
#define CUNA_CACHE_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

/* The folder's path, from the environment at the first call; NULL and a reason when the disk cache is off. */
const char *cuna__cache_folder_path(const char **reason);

/* Whether the user turned the disk cache off. */
bool cuna__cache_folder_is_off(void);

/* A descriptor of the folder of entries whose keys start like `key`, made on demand; -1 when it cannot be had or
 * trusted. The caller closes it. */
int cuna__cache_folder_open(const char *key, bool make);

/* Whether a file or folder is the user's own, writable by nobody else. */
bool cuna__cache_folder_trusts(const struct stat *facts);

/* Deletes the entries used longest ago until the size limit holds, and temporary and lock files that a killed process
 * left. Does nothing when another process did it within the hour, unless `now`. */
void cuna__cache_folder_sweep(bool now);

#endif

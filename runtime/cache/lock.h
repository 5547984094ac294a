/* lock.h: one compilation per key among processes and threads.
 *
 * A thread that has missed an image takes the key's lock, looks for the image again, and only then compiles it and stores
 * it. So threads that miss the same image at the same time wait for the first of them and load what it stored. A lock
 * saves time, nothing depends on it: where none can be had, the caller compiles as if it were alone. */
#ifndef CUNA_CACHE_LOCK_H
#define CUNA_CACHE_LOCK_H

#include <stdbool.h>

#include "base/status.h"
#include "cache/cache.h"

typedef struct cuna_cache_lock {
    struct cuna_cache_lock *next, **link; /* in the list of all locks of the process */
    int folder, file;                     /* descriptors; -1: without a lock */
    char name[CUNA_KEY_LENGTH + sizeof ".lock"];
} cuna_cache_lock;

/* Takes the lock of a key, or returns without it: where the disk cache cannot be written or its file system has no
 * locks, after the holder has given up the key, or after a wait that is longer than a compilation. INTERRUPTED. The
 * caller holds no other key's lock, and calls cuna__cache_unlock after CUNA_OK. */
cuna_status cuna__cache_lock(cuna_cache_lock *lock, const char *key);

/* The same without a wait, by callers that may hold others; false, and nothing to unlock, while another thread or
 * process holds the lock. */
bool cuna__cache_try_lock(cuna_cache_lock *lock, const char *key);
void cuna__cache_unlock(cuna_cache_lock *lock);

/* Whether a file of the cache is one of a lock. */
bool cuna__cache_lock_is(const char *name);

/* Removes the file of a lock that no thread holds. */
void cuna__cache_lock_remove(int folder, const char *name);

#endif

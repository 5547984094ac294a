/* module.h: kernel text in, launchable functions out; compiled once per content. */
#ifndef CUNA_MODULE_H
#define CUNA_MODULE_H

#include "cache.h"
#include "device.h"

/* A translation unit that is wanted. The module and its functions live as long as the process; whoever keeps a function
 * keeps the module too, so that it stays reachable. */
typedef struct cuna_unit {
    cuna_device *device;
    const char *name;   /* what messages call it */
    const char *source; /* without the device's prelude */
    int nentries;
    const char *const *entries;    /* names of its functions */
    char key[CUNA_KEY_LENGTH + 1]; /* of its image on disk */
    cu_module module;
    cu_function *functions; /* one per entry, in the caller's room */
} cuna_unit;

/* Fills the key in, for which a compiler must be known. COMPILE, DEVICE. */
cuna_status cuna__module_identify(cuna_unit *unit);

/* Fills module and functions in from the disk cache, where the unit's own image is or an alias; `found` says whether.
 * Thread-safe. */
cuna_status cuna__module_find(bool *found, cuna_unit *unit);

/* Fills module and functions in by the device's compiler, and keeps the image on disk. COMPILE with the compiler's first
 * error, the lines around it and the file that holds the whole source. Thread-safe; compiles outside any lock. */
cuna_status cuna__module_make(cuna_unit *unit);

/* Keeps on disk that the functions of the unit `key` are `entries` of another unit, whose image was kept before. */
void cuna__module_alias(const char *key, const char *other_key, int nentries, const char *const *entries);

#endif

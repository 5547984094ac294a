/* module.h: kernel text in, launchable functions out; compiled once per content. */
#ifndef CUNA_DEVICE_MODULE_H
#define CUNA_DEVICE_MODULE_H

#include "base/strbuf.h"
#include "cache/cache.h"
#include "cache/lock.h"
#include "device/device.h"
#include "device/loaded.h"

/* A translation unit that is wanted. What is filled in has a reference to the module; a caller that keeps a function
 * keeps a reference too. */
typedef struct cuna_unit {
    cuna_device *device;
    const char *name;   /* what messages call it */
    const char *source; /* without the device's prelude */
    int nkernels, nentries;
    bool has_users_text;
    const char *const *entries;    /* names of its functions */
    char key[CUNA_KEY_LENGTH + 1]; /* of its image on disk */
    cuna_loaded *loaded;
    cu_function *functions; /* one per entry, in the caller's room */
} cuna_unit;

/* Fills the key in, for which a compiler must be known. COMPILE, DEVICE. */
cuna_status cuna__module_identify(cuna_unit *unit);

/* Fills module and functions in from what is loaded, or from the disk cache, where the unit's own image is or an alias;
 * `found` says whether. Thread-safe. */
cuna_status cuna__module_find(bool *found, cuna_unit *unit);

/* Fills module and functions in by the device's compiler, and keeps the image on disk. COMPILE with the compiler's first
 * error, the lines around it and the file that holds the whole source; INTERRUPTED. Thread-safe; the caller holds the
 * locks of the kernels. */
cuna_status cuna__module_make(cuna_unit *unit);

/* The same, in one thread of all processes: takes the lock of the unit's key, and finds what another thread made
 * meanwhile. The caller holds no lock. */
cuna_status cuna__module_make_once(cuna_unit *unit);

/* Keeps on disk that the functions of the unit `key` are `entries` of another unit, whose image was kept before. */
void cuna__module_alias(const char *key, const char *other_key, int nentries, const char *const *entries);

/* A text for the compiler, and what it makes of it. */
typedef struct cuna_translation {
    cuna_device *device;
    const char *name;            /* what messages call it */
    const char *const *preludes; /* texts that come first; NULL ends them */
    const char *source;
    int nkernels, noptions, nexpressions;
    const char *const *options;
    const char *const *expressions; /* what is wanted of a user's own source, as nvrtcAddNameExpression takes it */
    int nheaders;                   /* as nvrtcCreateProgram takes them */
    const char *const *headers, *const *include_names;
    char *image;
    size_t nbytes;
    cuna_strbuf lowered; /* the symbols of the expressions, with '\n' after each */
} cuna_translation;

/* Lets a compiler that works inside of this process compile something, if it has not: at its first compilation it registers
 * functions that run at exit. */
void cuna__module_start_compiler(cuna_device *device);

/* Fills image and lowered in, which the caller frees; the target of the device must be known. COMPILE as above, where
 * only `source` is quoted when there are expressions. Thread-safe. */
cuna_status cuna__module_translate(cuna_translation *t);
void cuna__translation_free(cuna_translation *t);

/* Whether an image does not suit the device, or does not have what it should: the device itself is well. */
bool cuna__module_is_unfit(cu_result result);

#endif

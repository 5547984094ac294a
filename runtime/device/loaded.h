/* loaded.h: modules that devices have loaded, and whether anybody needs them. */
#ifndef CUNA_DEVICE_LOADED_H
#define CUNA_DEVICE_LOADED_H

#include "cache/cache.h"
#include "device/device.h"

/* A module, known by its device and key. It may be the beginning of a larger struct in one block of malloc. */
typedef struct cuna_loaded {
    struct cuna_loaded *newer, *older;
    cuna_device *device;
    cu_module module;
    int64_t references;
    char key[CUNA_KEY_LENGTH + 1];
} cuna_loaded;

/* A module that is loaded, with a reference for the caller; NULL when there is none. */
cuna_loaded *cuna__loaded_find(const cuna_device *device, const char *key);

/* Loads an image into the device, which is current. Unused modules make room for it: those beyond the spare
 * ones, and all when the device has no memory. */
cu_result cuna__loaded_load(cu_module *out, cuna_device *device, const void *image);

/* Makes a module known, whose device, module and key are filled in; the caller has a reference. Where an equal one is
 * known, the caller gets that one, and this one goes. */
cuna_loaded *cuna__loaded_add(cuna_loaded *loaded);

/* Both in one, for a module that has nothing beside it. */
cu_result cuna__loaded_open(cuna_loaded **out, cuna_device *device, const char *key, const void *image);

void cuna__loaded_retain(cuna_loaded *loaded);

/* Work of the module may still be under way on its device. */
void cuna__loaded_release(cuna_loaded *loaded);

#endif

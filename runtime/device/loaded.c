/* loaded.c: modules that devices have loaded, and whether anybody needs them.
 *
 * All are in one list under one lock, those that were added or given up last in front. An unused one stays: its
 * kernel may be wanted again. When a device has more of these than are spared, the next load unloads those that were
 * given up first, down to half as many, after waiting for the device, which may be at work with them still. */
#include "device/loaded.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuna_loaded *newest, *oldest;
static _Atomic int spared = 32; /* unused modules of a device that stay loaded */

/* ---- the list, with the lock ---- */

static void put_in_front(cuna_loaded *loaded)
{
    loaded->newer = NULL;
    loaded->older = newest;
    *(newest != NULL ? &newest->newer : &oldest) = loaded;
    newest = loaded;
}

static void take_out(cuna_loaded *loaded)
{
    *(loaded->newer != NULL ? &loaded->newer->older : &newest) = loaded->older;
    *(loaded->older != NULL ? &loaded->older->newer : &oldest) = loaded->newer;
}

static cuna_loaded *find(const cuna_device *device, const char *key)
{
    cuna_loaded *loaded = newest;
    while (loaded != NULL && (loaded->device != device || strcmp(loaded->key, key) != 0))
        loaded = loaded->older;
    if (loaded != NULL)
        loaded->references++;
    return loaded;
}

static int count_spare(const cuna_device *device)
{
    int count = 0;
    for (const cuna_loaded *loaded = newest; loaded != NULL; loaded = loaded->older)
        count += loaded->device == device && loaded->references == 0;
    return count;
}

/* Takes all but `spare` of a device's unused modules out of the list; linked by `older`. */
static cuna_loaded *take_unneeded(const cuna_device *device, int spare)
{
    cuna_loaded *taken = NULL, *newer;
    int count = count_spare(device) - spare;
    for (cuna_loaded *loaded = oldest; loaded != NULL && count > 0; loaded = newer) {
        newer = loaded->newer;
        if (loaded->device != device || loaded->references > 0)
            continue;
        take_out(loaded);
        loaded->older = taken;
        taken = loaded;
        count--;
    }
    return taken;
}

/* ---- unloading ---- */

/* What a device has that is dead or lost is never given back. */
static void unload(cuna_loaded *loaded)
{
    if (cuna__device_make_current(loaded->device) == CUNA_OK)
        loaded->device->driver->module_unload(loaded->module);
    free(loaded);
}

static void put_back(cuna_loaded *loaded)
{
    pthread_mutex_lock(&lock);
    put_in_front(loaded);
    pthread_mutex_unlock(&lock);
}

/* Modules that were taken can no longer be found, so none of their work comes after the wait. Returns whether any was
 * unloaded. */
static bool sweep(cuna_device *device, int spare)
{
    pthread_mutex_lock(&lock);
    cuna_loaded *taken = take_unneeded(device, spare), *next;
    pthread_mutex_unlock(&lock);
    bool any = taken != NULL;
    bool idle = any && (!device->driver->facts.asynchronous || cuna__streams_wait(device) == CUNA_OK);
    for (; taken != NULL; taken = next) {
        next = taken->older;
        (idle ? unload : put_back)(taken);
    }
    return idle;
}

static bool has_too_many(const cuna_device *device)
{
    pthread_mutex_lock(&lock);
    int count = count_spare(device);
    pthread_mutex_unlock(&lock);
    return count > spared;
}

/* ---- functions for other files ---- */

cuna_loaded *cuna__loaded_find(const cuna_device *device, const char *key)
{
    pthread_mutex_lock(&lock);
    cuna_loaded *found = find(device, key);
    pthread_mutex_unlock(&lock);
    return found;
}

cu_result cuna__loaded_load(cu_module *out, cuna_device *device, const void *image)
{
    if (has_too_many(device))
        sweep(device, spared / 2);
    const cuna_driver *driver = device->driver;
    cu_result result = CUNA_DEVICE_CALL(device, driver->module_load_data(out, image));
    return result == CU_ERROR_OUT_OF_MEMORY && sweep(device, 0) ? driver->module_load_data(out, image) : result;
}

cuna_loaded *cuna__loaded_add(cuna_loaded *loaded)
{
    pthread_mutex_lock(&lock);
    cuna_loaded *other = find(loaded->device, loaded->key);
    if (other == NULL) {
        loaded->references = 1;
        put_in_front(loaded);
    }
    pthread_mutex_unlock(&lock);
    if (other == NULL)
        return loaded;
    unload(loaded);
    return other;
}

cu_result cuna__loaded_open(cuna_loaded **out, cuna_device *device, const char *key, const void *image)
{
    cuna_loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    loaded->device = device;
    strcpy(loaded->key, key);
    cu_result result = cuna__loaded_load(&loaded->module, device, image);
    if (result == CU_SUCCESS)
        *out = cuna__loaded_add(loaded);
    else
        free(loaded);
    return result;
}

void cuna__loaded_retain(cuna_loaded *loaded)
{
    pthread_mutex_lock(&lock);
    loaded->references++;
    pthread_mutex_unlock(&lock);
}

void cuna__loaded_release(cuna_loaded *loaded)
{
    pthread_mutex_lock(&lock);
    if (--loaded->references == 0) {
        take_out(loaded);
        put_in_front(loaded);
    }
    pthread_mutex_unlock(&lock);
}

int cuna_set_spare_modules(int count)
{
    return atomic_exchange(&spared, count);
}

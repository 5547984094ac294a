/* module_alias.c: entries of the disk cache that stand for functions in another unit's image.
 *
 * Kernels that were compiled together lie in one image. A process that needs one of them asks for the unit that this
 * kernel alone would be, and finds under its key a text: a first line that says what it is, the key of the image, and
 * the names there of the functions. An image that aliases lead to is loaded once per process and device, into a list
 * that only grows: it is read without a lock, and a fork cannot break it. Two threads may both load one, and the list
 * has it twice. */
#define _GNU_SOURCE 1
#include "module_alias.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "strbuf.h"

#define FIRST_LINE "cuna alias 1\n"

struct opened {
    struct opened *next;
    const cuna_device *device;
    char key[CUNA_KEY_LENGTH + 1];
    cu_module module;
};

static _Atomic(struct opened *) opened;

static struct opened *find_opened(const cuna_device *device, const char *key)
{
    struct opened *at = atomic_load(&opened);
    while (at != NULL && (at->device != device || strcmp(at->key, key) != 0))
        at = at->next;
    return at;
}

static void keep_opened(const cuna_device *device, const char *key, cu_module module)
{
    struct opened *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return;
    entry->device = device;
    strcpy(entry->key, key);
    entry->module = module;
    entry->next = atomic_load(&opened);
    while (!atomic_compare_exchange_weak(&opened, &entry->next, entry))
        continue;
}

static cu_result load_image(const char **call, cuna_unit *unit, const char *key)
{
    size_t nbytes;
    void *image = cuna__cache_load(&nbytes, key);
    if (image == NULL)
        return CU_ERROR_NOT_FOUND;
    *call = "cuModuleLoadData";
    cu_result result = CUNA_DEVICE_CALL(unit->device, unit->device->driver->module_load_data(&unit->module, image));
    free(image);
    if (result == CU_SUCCESS)
        keep_opened(unit->device, key, unit->module);
    return result;
}

static cu_result open_module(const char **call, cuna_unit *unit, const char *key)
{
    const struct opened *known = find_opened(unit->device, key);
    if (known == NULL)
        return load_image(call, unit, key);
    unit->module = known->module;
    return CU_SUCCESS;
}

bool cuna__alias_is(const void *image, size_t nbytes)
{
    const char *text = image;
    return nbytes > strlen(FIRST_LINE) && memcmp(text, FIRST_LINE, strlen(FIRST_LINE)) == 0 && text[nbytes - 1] == '\0';
}

cu_result cuna__alias_load(const char **call, cuna_unit *unit, char *text)
{
    text += strlen(FIRST_LINE);
    const char *key = strsep(&text, "\n");
    cu_result result = strlen(key) == CUNA_KEY_LENGTH ? open_module(call, unit, key) : CU_ERROR_NOT_FOUND;
    for (int i = 0; i < unit->nentries && result == CU_SUCCESS; i++) {
        const char *entry = strsep(&text, "\n");
        *call = "cuModuleGetFunction";
        result = entry == NULL ? CU_ERROR_NOT_FOUND
                               : CUNA_DEVICE_CALL(unit->device, unit->device->driver->module_get_function(
                                                                    &unit->functions[i], unit->module, entry));
    }
    return result;
}

void cuna__module_alias(const char *key, const char *other_key, int nentries, const char *const *entries)
{
    cuna_strbuf text = {0};
    cuna__strbuf_printf(&text, FIRST_LINE "%s", other_key);
    for (int i = 0; i < nentries; i++)
        cuna__strbuf_printf(&text, "\n%s", entries[i]);
    if (!text.failed)
        cuna__cache_store(key, text.text, text.length + 1);
    cuna__strbuf_free(&text);
}

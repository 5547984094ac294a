/* module_alias.c: entries of the disk cache that stand for functions in another unit's image.
 *
 * Kernels that were compiled together lie in one image. A process that needs one of them looks up the unit that this
 * kernel alone would be, and finds under its key a text: a first line that identifies it, the key of the image, and
 * the names there of the functions. An image that aliases lead to is loaded once per process and device (loaded.c). */
#define _GNU_SOURCE 1
#include "device/module_alias.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

#define FIRST_LINE "cuna alias 1\n"

static cu_result load_image(const char **call, cuna_unit *unit, const char *key)
{
    size_t nbytes;
    void *image = cuna__cache_load(&nbytes, key);
    if (image == NULL)
        return CU_ERROR_NOT_FOUND;
    *call = "cuModuleLoadData";
    cu_result result = cuna__loaded_open(&unit->loaded, unit->device, key, image);
    free(image);
    return result;
}

static cu_result open_module(const char **call, cuna_unit *unit, const char *key)
{
    unit->loaded = cuna__loaded_find(unit->device, key);
    return unit->loaded != NULL ? CU_SUCCESS : load_image(call, unit, key);
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
                                                                    &unit->functions[i], unit->loaded->module, entry));
    }
    if (result != CU_SUCCESS && unit->loaded != NULL) {
        cuna__loaded_release(unit->loaded);
        unit->loaded = NULL;
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

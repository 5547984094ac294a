/* module.c: kernel text in, launchable functions out.
 *
 * The image of a unit is found on disk by the SHA-256 of everything that decides its meaning (schema, device kind and
 * target, prelude, source, options); anything else goes through the driver's NVRTC rows. A failed compilation leaves the
 * whole source in a file that the message names. */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"
#include "strbuf.h"

#define SCHEMA    "cuna kernel 1"
#define LOG_LINES 8 /* of the compiler's messages that an error shows */

static cuna_module_stats stats;

void cuna_module_get_stats(cuna_module_stats *out)
{
    out->compiled = __atomic_load_n(&stats.compiled, __ATOMIC_RELAXED);
    out->loaded = __atomic_load_n(&stats.loaded, __ATOMIC_RELAXED);
}

/* Keeps the source of a failed unit where the user can read it; "" when no file can be written. */
static void keep_source(char *path, size_t nbytes, const char *source)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, nbytes, "%s/cuna-failed-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0) {
        path[0] = '\0';
        return;
    }
    size_t length = strlen(source);
    if (write(file, source, length) != (ssize_t)length)
        path[0] = '\0';
    close(file);
}

/* Cuts a compiler log after its first lines; the last one loses its line break. */
static void cut_log(char *log)
{
    for (int line = 0; *log != '\0'; log++) {
        if (*log == '\n' && (++line == LOG_LINES || log[1] == '\0')) {
            *log = '\0';
            return;
        }
    }
}

static cuna_status report(const cuna_driver *driver, nvrtc_program unit, const char *name, const char *source)
{
    size_t nbytes = 0;
    driver->nvrtc_get_program_log_size(unit, &nbytes);
    char *log = calloc(1, nbytes + 1);
    if (log != NULL && nbytes > 0)
        driver->nvrtc_get_program_log(unit, log);
    if (log != NULL)
        cut_log(log);
    char path[512];
    keep_source(path, sizeof path, source);
    cuna_status status = cuna_fail(CUNA_COMPILE, "%s: %s%s%s", name, log && *log ? log : "the compiler failed silently",
                                   *path ? "; whole source: " : "", path);
    free(log);
    return status;
}

static cuna_status read_image(char **image, size_t *nbytes, const cuna_device *device, nvrtc_program unit)
{
    const cuna_driver *driver = device->driver;
    CUNA_TRY(cuna__device_check(device, driver->nvrtc_get_cubin_size(unit, nbytes), "nvrtcGetCUBINSize"));
    *image = malloc(*nbytes);
    if (*image == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel image");
    cuna_status status = cuna__device_check(device, driver->nvrtc_get_cubin(unit, *image), "nvrtcGetCUBIN");
    if (status != CUNA_OK) {
        free(*image);
        *image = NULL;
    }
    return status;
}

static cuna_status compile(char **image, size_t *nbytes, const cuna_device *device, const char *name,
                           const char *source)
{
    const cuna_driver *driver = device->driver;
    nvrtc_program unit = NULL;
    CUNA_TRY(cuna__device_check(device, driver->nvrtc_create_program(&unit, source, name, 0, NULL, NULL),
                                "nvrtcCreateProgram"));
    __atomic_fetch_add(&stats.compiled, 1, __ATOMIC_RELAXED);
    cuna_status status = driver->nvrtc_compile_program(unit, 0, NULL) == CU_SUCCESS
                             ? read_image(image, nbytes, device, unit)
                             : report(driver, unit, name, source);
    driver->nvrtc_destroy_program(&unit);
    return status;
}

static cuna_status find_functions(cu_module *module, cu_function *out, const cuna_device *device, const void *image,
                                  int nentries, const char *const *entries)
{
    cuna_status status =
        cuna__device_check(device, device->driver->module_load_data(module, image), "cuModuleLoadData");
    if (status != CUNA_OK)
        return status;
    for (int i = 0; i < nentries && status == CUNA_OK; i++)
        status = cuna__device_check(device, device->driver->module_get_function(&out[i], *module, entries[i]),
                                    "cuModuleGetFunction");
    if (status != CUNA_OK)
        device->driver->module_unload(*module);
    return status;
}

/* Whether the disk cache has an image that loads: one whose libraries went since is as good as none. */
static bool find_kept(cu_module *module, cu_function *out, const cuna_device *device, const char *key, int nentries,
                      const char *const *entries)
{
    size_t nbytes;
    void *image = cuna__cache_load(&nbytes, key);
    bool found = image != NULL && find_functions(module, out, device, image, nentries, entries) == CUNA_OK;
    if (found)
        __atomic_fetch_add(&stats.loaded, 1, __ATOMIC_RELAXED);
    free(image);
    return found;
}

static cuna_status find_or_make(cu_module *module, cu_function *out, cuna_device *device, const char *name,
                                const char *source, int nentries, const char *const *entries)
{
    const char *target, *kind = device->driver->facts.kind;
    CUNA_TRY(cuna__device_target(&target, device));
    char key[CUNA_KEY_LENGTH + 1];
    cuna__cache_key(key, 4, (const char *const[]){SCHEMA, kind, target, source});
    if (find_kept(module, out, device, key, nentries, entries))
        return CUNA_OK;
    char *image = NULL;
    size_t nbytes = 0;
    CUNA_TRY(compile(&image, &nbytes, device, name, source));
    cuna_status status = find_functions(module, out, device, image, nentries, entries);
    if (status == CUNA_OK)
        cuna__cache_store(key, image, nbytes);
    free(image);
    return status;
}

cuna_status cuna__module_functions(cu_module *module, cu_function *out, cuna_device *device, const char *name,
                                   const char *source, int nentries, const char *const *entries)
{
    CUNA_TRY(cuna__device_enter(device));
    cuna_strbuf whole = {0};
    cuna__strbuf_add(&whole, device->driver->facts.prelude);
    cuna__strbuf_add(&whole, source);
    cuna_status status = cuna__strbuf_status(&whole);
    if (status == CUNA_OK)
        status = find_or_make(module, out, device, name, whole.text, nentries, entries);
    cuna__strbuf_free(&whole);
    return status;
}

/* raw_module.c: makes modules of users' sources and images, one per content and device.
 *
 * A module is used by its Lua objects, by arrays over its variables and by graphs that recorded its launches;
 * device/loaded.c unloads unused ones. If two threads load the same module, the second one discards its copy. An entry
 * of the disk cache holds the symbols of the expressions before the image. The included files are part of a source's
 * content (device/module_include.c); if they are unknown, no other module is equal. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "device/compile_log.h"
#include "device/compile_wait.h"
#include "device/module.h"
#include "device/module_include.h"
#include "seam/driver_image.h"
#include "work/raw.h"

#define SCHEMA      "cuna raw 1"
#define FIRST_LINE  SCHEMA "\n"
#define IMAGE_ALIGN 64

static const cuna_raw_module *find(const cuna_device *device, const char *key)
{
    return (const cuna_raw_module *)cuna__loaded_find(device, key);
}

void cuna_raw_module_retain(const cuna_raw_module *module)
{
    cuna__loaded_retain((cuna_loaded *)&module->loaded);
}

void cuna_raw_module_release(const cuna_raw_module *module)
{
    cuna__loaded_release((cuna_loaded *)&module->loaded);
}

/* ---- options ---- */

/* What an option is about: "std" of "--std=c++17". */
static int find_subject(const char **subject, const char *option)
{
    *subject = option + strspn(option, "-");
    return (int)strcspn(*subject, "= ");
}

static bool is_about(const char *option, const char *subject)
{
    const char *own;
    int length = find_subject(&own, option);
    return *option == '-' && strlen(subject) == (size_t)length && memcmp(own, subject, (size_t)length) == 0;
}

/* Users' products may be fused with sums, as NVRTC has it; any number of warnings may be turned off. */
static bool is_replaced(const char *option, const cuna_raw_source *source)
{
    const char *subject;
    char text[64];
    int length = find_subject(&subject, option);
    snprintf(text, sizeof text, "%.*s", length, subject);
    if (strcmp(option, "--fmad=false") == 0)
        return true;
    for (int i = 0; i < source->noptions && strcmp(text, "diag-suppress") != 0; i++)
        if (is_about(source->options[i], text))
            return true;
    return false;
}

static cuna_status check_options(const cuna_device *device, const cuna_raw_source *source)
{
    static const char *const owned[] = {"gpu-architecture", "arch", "gpu-code", "code"};
    for (int i = 0; i < source->noptions; i++)
        for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
            if (is_about(source->options[i], owned[k]))
                return cuna_fail(CUNA_VALUE, "%s: the option '%s' is not the user's: kernels are compiled for %s",
                                 source->name, source->options[i], device->name);
    return CUNA_OK;
}

/* ---- keys ---- */

/* Fills in what decides the meaning of a module; `parts` NULL: only counts it. */
static int list_parts(const char **parts, const char *counts, const cuna_device *device, const cuna_raw_source *source,
                      const cuna_module_include *include)
{
    const char *first[] = {SCHEMA,
                           device->driver->facts.kind,
                           counts,
                           device->target.text,
                           source->text,
                           source->name /* the text may print its file's name */,
                           include->text.text};
    const struct {
        int count;
        const char *const *texts;
    } lists[] = {{sizeof first / sizeof *first, first},
                 {INT_MAX, device->driver->facts.raw_preludes},
                 {source->noptions, source->options},
                 {source->nexpressions, source->expressions}};
    int count = 0;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (int i = 0; i < lists[k].count && lists[k].texts[i] != NULL; i++, count++)
            if (parts != NULL)
                parts[count] = lists[k].texts[i];
    return count;
}

static cuna_status identify(char key[CUNA_KEY_LENGTH + 1], const cuna_device *device, const cuna_raw_source *source,
                            const cuna_module_include *include)
{
    static unsigned long long number;
    unsigned long long own = include->is_unknown ? __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED) : 0;
    char counts[96];
    snprintf(counts, sizeof counts, "%d options, %d expressions, %llu", source->noptions, source->nexpressions, own);
    const char **parts = malloc((size_t)list_parts(NULL, counts, device, source, include) * sizeof *parts);
    if (parts == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
    cuna__cache_key(key, list_parts(parts, counts, device, source, include), parts);
    free(parts);
    return CUNA_OK;
}

/* ---- modules ---- */

/* Bytes of the expressions and their symbols. `lowered` has a symbol per line; one that ends early belongs to another
 * source: 0. */
static size_t measure_names(const cuna_raw_source *source, const char *lowered)
{
    size_t nbytes = 1;
    for (int i = 0; i < source->nexpressions; i++) {
        size_t length = strcspn(lowered, "\n");
        if (lowered[length] != '\n')
            return 0;
        nbytes += strlen(source->expressions[i]) + 1 + length + 1;
        lowered += length + 1;
    }
    return nbytes;
}

static void pair_names(char *names, const cuna_raw_source *source, const char *lowered)
{
    for (int i = 0; i < source->nexpressions; i++) {
        size_t length = strcspn(lowered, "\n");
        names = stpcpy(names, source->expressions[i]) + 1;
        memcpy(names, lowered, length);
        names[length] = '\0';
        names += length + 1;
        lowered += length + 1;
    }
}

const char *cuna__raw_symbol(const cuna_raw_module *module, const char *expression)
{
    const char *at = module->names;
    for (int i = 0; i < module->nexpressions; i++) {
        const char *symbol = at + strlen(at) + 1;
        if (strcmp(at, expression) == 0 || (*at == '&' && strcmp(at + 1, expression) == 0))
            return symbol;
        at = symbol + strlen(symbol) + 1;
    }
    return expression;
}

/* The names are followed by what messages call it. */
static cuna_raw_module *make_module(cuna_device *device, const char *key, const cuna_raw_source *source,
                                    const char *lowered)
{
    size_t nbytes = measure_names(source, lowered);
    cuna_raw_module *module = nbytes > 0 ? calloc(1, sizeof *module + nbytes + strlen(source->name) + 1) : NULL;
    if (module == NULL)
        return NULL;
    pair_names(module->names, source, lowered);
    module->name = strcpy(module->names + nbytes, source->name);
    module->nexpressions = source->nexpressions;
    module->loaded.device = device;
    strcpy(module->loaded.key, key);
    return module;
}

/* Loads an image whose symbols are known; `result` is the driver's. */
static cuna_status open_image(const cuna_raw_module **out, cu_result *result, cuna_device *device, const char *key,
                              const cuna_raw_source *source, const char *lowered, const void *image)
{
    cuna_raw_module *module = make_module(device, key, source, lowered);
    if (module == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a module");
    *result = cuna__loaded_load(&module->loaded.module, device, image);
    if (*result == CU_SUCCESS)
        *out = (const cuna_raw_module *)cuna__loaded_add(&module->loaded);
    else
        free(module);
    return CUNA_OK;
}

/* ---- the disk cache ---- */

static size_t image_place(size_t text_nbytes)
{
    return (text_nbytes + IMAGE_ALIGN - 1) / IMAGE_ALIGN * IMAGE_ALIGN;
}

static void store(const char *key, const cuna_translation *t)
{
    size_t text_nbytes = strlen(FIRST_LINE) + t->lowered.length + 1, at = image_place(text_nbytes);
    char *entry = calloc(1, at + t->nbytes);
    if (entry == NULL)
        return;
    memcpy(stpcpy(entry, FIRST_LINE), t->lowered.text, t->lowered.length);
    memcpy(entry + at, t->image, t->nbytes);
    cuna__compile_log_store(key, entry, at + t->nbytes);
    free(entry);
}

/* An image that is unfit, because its libraries went since, is as good as none. */
static cuna_status load(const cuna_raw_module **out, cuna_device *device, const char *key,
                        const cuna_raw_source *source)
{
    size_t nbytes;
    char *entry = cuna__cache_load(&nbytes, key);
    size_t length = entry != NULL ? strnlen(entry, nbytes) : 0, at = image_place(length + 1);
    cu_result result = CU_ERROR_NOT_FOUND;
    cuna_status status = CUNA_OK;
    if (entry != NULL && at < nbytes && strncmp(entry, FIRST_LINE, strlen(FIRST_LINE)) == 0)
        status = open_image(out, &result, device, key, source, entry + strlen(FIRST_LINE), entry + at);
    free(entry);
    if (status == CUNA_OK && *out != NULL)
        cuna__compile_log_loaded();
    if (status != CUNA_OK || *out != NULL || cuna__module_is_unfit(result))
        return status;
    return cuna__device_check(device, result, "cuModuleLoadData");
}

/* ---- compiling ---- */

/* A text after a line that gives it its name and line numbers. */
static cuna_status name_lines(cuna_strbuf *out, const cuna_raw_source *source)
{
    cuna__strbuf_add(out, "#line 1 \"");
    for (const char *at = source->name; *at != '\0'; at++)
        cuna__strbuf_printf(out, "%c", *at == '"' || *at == '\\' || (unsigned char)*at < ' ' ? '_' : *at);
    cuna__strbuf_printf(out, "\"\n%s\n", source->text);
    return cuna__strbuf_status(out);
}

static cuna_status translate(cuna_translation *t, cuna_device *device, const cuna_raw_source *source,
                             const cuna_module_include *include)
{
    const cuna_target *target = &device->target;
    cuna_strbuf text = {0};
    const char **options =
        malloc((size_t)(target->noptions + source->noptions + 2 * include->nfolders + 1) * sizeof *options);
    cuna_status status = options != NULL ? name_lines(&text, source)
                                         : cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
    *t = (cuna_translation){.device = device,
                            .name = source->name,
                            .preludes = device->driver->facts.raw_preludes,
                            .source = text.text,
                            .options = options,
                            .nkernels = source->nexpressions,
                            .nexpressions = source->nexpressions,
                            .expressions = source->expressions,
                            .nheaders = include->nheaders,
                            .headers = (const char *const *)include->headers,
                            .include_names = include->names};
    for (int i = 0; i < target->noptions && status == CUNA_OK; i++)
        if (!is_replaced(target->options[i], source))
            options[t->noptions++] = target->options[i];
    for (int i = 0; i < source->noptions && status == CUNA_OK; i++)
        options[t->noptions++] = source->options[i];
    if (status == CUNA_OK) {
        t->noptions = cuna__module_include_options(options, t->noptions, include);
        status = cuna__module_translate(t);
    }
    cuna__strbuf_free(&text);
    free(options);
    return status;
}

static cuna_status make(const cuna_raw_module **out, cuna_device *device, const char *key,
                        const cuna_raw_source *source, const cuna_module_include *include)
{
    cuna_translation t;
    cu_result result = CU_SUCCESS;
    CUNA_TRY(translate(&t, device, source, include));
    cuna_status status = open_image(out, &result, device, key, source, t.lowered.text, t.image);
    if (status == CUNA_OK)
        status = cuna__device_check(device, result, "cuModuleLoadData");
    if (status == CUNA_OK && !include->is_unknown)
        store(key, &t);
    cuna__translation_free(&t);
    return status;
}

/* Finds a module among those that are loaded or on disk; NULL: neither. */
static cuna_status look(const cuna_raw_module **out, cuna_device *device, const char *key,
                        const cuna_raw_source *source)
{
    *out = find(device, key);
    return *out != NULL ? CUNA_OK : load(out, device, key, source);
}

/* Another thread or process may have made the module since it was looked for. */
static cuna_status make_once(const cuna_raw_module **out, cuna_device *device, const char *key,
                             const cuna_raw_source *source, const cuna_module_include *include)
{
    cuna_cache_lock lock;
    CUNA_TRY(cuna__cache_lock(&lock, key));
    cuna_status status = look(out, device, key, source);
    if (status == CUNA_OK && *out == NULL)
        status = make(out, device, key, source, include);
    cuna__cache_unlock(&lock);
    return status;
}

static cuna_status compile(const cuna_raw_module **out, cuna_device *device, const cuna_raw_source *source,
                           const cuna_module_include *include)
{
    char key[CUNA_KEY_LENGTH + 1];
    CUNA_TRY(identify(key, device, source, include));
    *out = NULL;
    if (!include->is_unknown)
        CUNA_TRY(look(out, device, key, source));
    if (*out != NULL)
        return CUNA_OK;
    cuna__compile_wait_begin(device, source->nexpressions);
    cuna_status status =
        include->is_unknown ? make(out, device, key, source, include) : make_once(out, device, key, source, include);
    cuna__compile_wait_end(source->nexpressions);
    return status;
}

cuna_status cuna_raw_compile(const cuna_raw_module **out, cuna_device *device, const cuna_raw_source *source)
{
    cuna_module_include include;
    const cuna_target *target;
    if (source->nexpressions == 0)
        return cuna_fail(CUNA_VALUE, "%s: no kernel of the source is requested; name at least one", source->name);
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__device_target(&target, device));
    CUNA_TRY(check_options(device, source));
    const cuna_module_text text = {source->name, source->text, source->noptions, source->options};
    cuna_status status = cuna__module_include_read(&include, device, &text);
    if (status == CUNA_OK)
        status = compile(out, device, source, &include);
    cuna__module_include_free(&include);
    return status;
}

/* ---- images from elsewhere ---- */

static cuna_status refuse_image(cuna_device *device, cu_result result, const char *name)
{
    char words[256];
    if (!cuna__module_is_unfit(result))
        return cuna__device_check(device, result, "cuModuleLoadData");
    cuna__device_describe_result(words, sizeof words, device->driver, result);
    return cuna_fail(CUNA_VALUE,
                     "%s: %s cannot load the image: %s; an image is a cubin, a fatbin or PTX for the device's "
                     "architecture; elsewhere compile the source",
                     name, device->name, words);
}

cuna_status cuna_raw_load(const cuna_raw_module **out, cuna_device *device, const char *name, const void *image,
                          size_t nbytes)
{
    const cuna_raw_source source = {.name = name};
    char key[CUNA_DIGEST_LENGTH + 1];
    cu_result result = CU_SUCCESS;
    if (!cuna__image_is_whole(image, nbytes))
        return cuna_fail(CUNA_VALUE, "%s: %s cannot load the image: its headers do not fit its %zu bytes", name,
                         device->name, nbytes);
    CUNA_TRY(cuna__device_enter(device));
    cuna__digest_text(key, image, nbytes);
    *out = find(device, key);
    if (*out != NULL)
        return CUNA_OK;
    CUNA_TRY(open_image(out, &result, device, key, &source, "", image));
    return result == CU_SUCCESS ? CUNA_OK : refuse_image(device, result, name);
}

/* ---- variables ---- */

static cuna_status find_variable(cu_deviceptr *ptr, size_t *nbytes, const cuna_raw_module *module, const char *variable)
{
    cuna_device *device = module->loaded.device;
    CUNA_TRY(cuna__device_enter(device));
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->module_get_global(ptr, nbytes, module->loaded.module,
                                                                                  cuna__raw_symbol(module, variable)));
    if (result == CU_ERROR_NOT_FOUND)
        return cuna_fail(CUNA_VALUE, "%s: the module has no variable '%s'", module->name, variable);
    return cuna__device_check(device, result, "cuModuleGetGlobal");
}

static void release_module(void *module)
{
    cuna_raw_module_release(module);
}

cuna_status cuna_raw_global(cuna_array *out, const cuna_raw_module *module, const char *variable, cuna_dtype dtype,
                            int64_t size)
{
    cu_deviceptr ptr = 0;
    size_t nbytes = 0;
    int64_t itemsize = cuna_dtype_size(dtype), wanted;
    CUNA_TRY(find_variable(&ptr, &nbytes, module, variable));
    if (size < 0 && (int64_t)nbytes % itemsize != 0)
        return cuna_fail(CUNA_VALUE, "%s: variable '%s' has %lld bytes, no multiple of the %lld of %s", module->name,
                         variable, (long long)nbytes, (long long)itemsize, cuna_dtype_name(dtype));
    size = size < 0 ? (int64_t)nbytes / itemsize : size;
    if (!cuna__mul(size, itemsize, &wanted) || wanted > (int64_t)nbytes)
        return cuna_fail(CUNA_VALUE, "%s: variable '%s' has %lld bytes, and %lld elements of %s are more", module->name,
                         variable, (long long)nbytes, (long long)size, cuna_dtype_name(dtype));
    if (ptr % (cu_deviceptr)itemsize != 0)
        return cuna_fail(CUNA_VALUE, "%s: variable '%s' is not aligned for %s", module->name, variable,
                         cuna_dtype_name(dtype));
    CUNA_TRY(cuna_array_adopt(out, module->loaded.device, dtype, 1, &size, ptr, release_module, (void *)module));
    cuna_raw_module_retain(module);
    return CUNA_OK;
}

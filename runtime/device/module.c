/* module.c: kernel text in, launchable functions out.
 *
 * The image of a unit is found on disk by the SHA-256 of everything that decides its meaning (schema, device kind and
 * target, preludes, source, options), or by an alias that stands there (module_alias.c); anything else goes through the
 * driver's NVRTC rows, in one thread of all processes for each kernel. module_report.c writes the message of a failed
 * compilation. */
#include "device/module.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "device/compile_log.h"
#include "device/compile_wait.h"
#include "device/module_alias.h"
#include "device/module_include.h"
#include "device/module_report.h"

#define SCHEMA       "cuna kernel 1"
#define MAX_PRELUDES 24

enum { NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10 };

static const char *nvrtc_name(cu_result result)
{
    static const char *const names[] = {
        "NVRTC_SUCCESS",
        "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT",
        "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION",
        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR",
        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
        "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
        "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
        "NVRTC_ERROR_PCH_CREATE",
        "NVRTC_ERROR_CANCELLED",
        "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
    };
    return (size_t)result < sizeof names / sizeof *names ? names[result] : "an unknown error";
}

/* The compiler's results are not the device's: they say nothing about its health. */
static cuna_status check_compiler(const cuna_translation *t, cu_result result, const char *call)
{
    if (result == CU_SUCCESS)
        return CUNA_OK;
    return cuna_fail(CUNA_COMPILE, "%s: %s failed with %s", t->name, call, nvrtc_name(result));
}

/* `source` is the text that the log's places are looked up in. */
static cuna_status report(const cuna_translation *t, const char *source, nvrtc_program program, cu_result result)
{
    const cuna_driver *driver = t->device->driver;
    size_t nbytes = 0;
    driver->nvrtc_get_program_log_size(program, &nbytes);
    char *log = calloc(1, nbytes + 1);
    if (log != NULL && nbytes > 0)
        driver->nvrtc_get_program_log(program, log);
    cuna_status status = log != NULL && *log != '\0' ? cuna__module_report(t->name, source, log)
                                                     : check_compiler(t, result, "nvrtcCompileProgram");
    free(log);
    return status;
}

/* PTX ends with a NUL, which belongs to the image. */
static cuna_status read_image(cuna_translation *t, nvrtc_program program)
{
    const cuna_driver *driver = t->device->driver;
    bool is_ptx = t->device->target.is_ptx;
    CUNA_TRY(check_compiler(
        t, is_ptx ? driver->nvrtc_get_ptx_size(program, &t->nbytes) : driver->nvrtc_get_cubin_size(program, &t->nbytes),
        is_ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize"));
    t->image = malloc(t->nbytes);
    if (t->image == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel image");
    return check_compiler(
        t, is_ptx ? driver->nvrtc_get_ptx(program, t->image) : driver->nvrtc_get_cubin(program, t->image),
        is_ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN");
}

static cuna_status read_lowered(cuna_translation *t, nvrtc_program program)
{
    for (int i = 0; i < t->nexpressions; i++) {
        const char *name = NULL;
        cu_result result = t->device->driver->nvrtc_get_lowered_name(program, t->expressions[i], &name);
        if (result == NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
            return cuna_fail(CUNA_COMPILE, "%s: '%s' names no function or variable of the source", t->name,
                             t->expressions[i]);
        CUNA_TRY(check_compiler(t, result, "nvrtcGetLoweredName"));
        cuna__strbuf_printf(&t->lowered, "%s\n", name);
    }
    return cuna__strbuf_status(&t->lowered);
}

static bool has_compiled; /* something, in this process */

/* For NVRTC, which calls it now and then, also from threads of its own. */
static int is_ended(void *flag, void *reserved)
{
    (void)reserved;
    return cuna_is_interrupted() || (flag != NULL && __atomic_load_n((const bool *)flag, __ATOMIC_RELAXED));
}

static cuna_status run_compiler(cuna_translation *t, nvrtc_program program, const char *whole)
{
    const cuna_driver *driver = t->device->driver;
    driver->nvrtc_set_flow_callback(program, is_ended, (void *)cuna_cancel_flag()); /* else it ends when it is done */
    for (int i = 0; i < t->nexpressions; i++)
        CUNA_TRY(
            check_compiler(t, driver->nvrtc_add_name_expression(program, t->expressions[i]), "nvrtcAddNameExpression"));
    cu_result result = driver->nvrtc_compile_program(program, t->noptions, t->options);
    __atomic_store_n(&has_compiled, true, __ATOMIC_RELAXED);
    if (result != CU_SUCCESS && cuna_is_cancelled())
        return cuna_interrupt_fail(); /* the log only reports that the compiler ended */
    if (result != CU_SUCCESS)
        return report(t, t->nexpressions > 0 ? t->source : whole, program, result);
    CUNA_TRY(read_lowered(t, program));
    return read_image(t, program);
}

static cuna_status compile_text(cuna_translation *t, const char *whole)
{
    const cuna_driver *driver = t->device->driver;
    nvrtc_program program = NULL;
    cu_result result =
        driver->nvrtc_create_program(&program, whole, t->name, t->nheaders, t->headers, t->include_names);
    CUNA_TRY(check_compiler(t, result, "nvrtcCreateProgram"));
    cuna_status status = run_compiler(t, program, whole);
    driver->nvrtc_destroy_program(&program);
    return status;
}

void cuna__module_start_compiler(cuna_device *device)
{
    const cuna_driver *driver = device->driver;
    const cuna_target *target;
    nvrtc_program program;
    if (__atomic_load_n(&has_compiled, __ATOMIC_RELAXED) || cuna__device_target(&target, device) != CUNA_OK)
        return;
    if (driver->nvrtc_create_program(&program, "__global__ void start() {}", "start", 0, NULL, NULL) != CU_SUCCESS)
        return;
    driver->nvrtc_compile_program(program, target->nown_options, target->options);
    driver->nvrtc_destroy_program(&program);
    __atomic_store_n(&has_compiled, true, __ATOMIC_RELAXED);
}

cuna_status cuna__module_translate(cuna_translation *t)
{
    cuna_strbuf whole = {0};
    cuna_compilation compilation;
    for (const char *const *text = t->preludes; *text != NULL; text++)
        cuna__strbuf_add(&whole, *text);
    cuna__strbuf_add(&whole, t->source);
    cuna_status status = cuna__strbuf_status(&whole);
    if (status == CUNA_OK) {
        cuna__compile_log_begin(&compilation, t->device, t->name, t->nkernels);
        status = compile_text(t, whole.text);
        cuna__compile_log_end(&compilation, status);
    }
    cuna__strbuf_free(&whole);
    if (status != CUNA_OK)
        cuna__translation_free(t);
    return status;
}

void cuna__translation_free(cuna_translation *t)
{
    free(t->image);
    t->image = NULL;
    cuna__strbuf_free(&t->lowered);
}

/* Finds the functions of the unit's module; a module without them is given up. */
static cu_result find_functions(cuna_unit *unit)
{
    cu_result result = CU_SUCCESS;
    for (int i = 0; i < unit->nentries && result == CU_SUCCESS; i++)
        result = CUNA_DEVICE_CALL(unit->device, unit->device->driver->module_get_function(
                                                    &unit->functions[i], unit->loaded->module, unit->entries[i]));
    if (result != CU_SUCCESS) {
        cuna__loaded_release(unit->loaded);
        unit->loaded = NULL;
    }
    return result;
}

/* Makes functions of an image; `call` is the one that failed. */
static cu_result load(const char **call, cuna_unit *unit, const void *image)
{
    *call = "cuModuleLoadData";
    cu_result result = cuna__loaded_open(&unit->loaded, unit->device, unit->key, image);
    if (result != CU_SUCCESS)
        return result;
    *call = "cuModuleGetFunction";
    return find_functions(unit);
}

bool cuna__module_is_unfit(cu_result result)
{
    return result == CU_ERROR_INVALID_IMAGE || result == CU_ERROR_NO_BINARY_FOR_GPU ||
           result == CU_ERROR_UNSUPPORTED_PTX_VERSION || result == CU_ERROR_NOT_FOUND;
}

/* An image that is unfit, because its libraries went since, is as good as none. */
cuna_status cuna__module_find(bool *found, cuna_unit *unit)
{
    size_t nbytes;
    const char *call = "reading the cache";
    CUNA_TRY(cuna__device_enter(unit->device));
    unit->loaded = cuna__loaded_find(unit->device, unit->key);
    *found = unit->loaded != NULL && find_functions(unit) == CU_SUCCESS;
    if (*found)
        return CUNA_OK;
    void *image = cuna__cache_load(&nbytes, unit->key);
    cu_result result = CU_ERROR_NOT_FOUND;
    if (image != NULL)
        result = cuna__alias_is(image, nbytes) ? cuna__alias_load(&call, unit, image) : load(&call, unit, image);
    free(image);
    *found = result == CU_SUCCESS;
    if (*found)
        cuna__compile_log_loaded();
    return *found || cuna__module_is_unfit(result) ? CUNA_OK : cuna__device_check(unit->device, result, call);
}

static const char *const *preludes_of(const cuna_unit *unit)
{
    const cuna_driver_facts *facts = &unit->device->driver->facts;
    return unit->has_users_text ? facts->text_preludes : facts->preludes;
}

/* Only users' texts include headers; most of them include none. */
static bool includes(const cuna_unit *unit)
{
    return unit->has_users_text && strstr(unit->source, "\n#include <") != NULL;
}

static cuna_status find_headers(cuna_module_include *out, const cuna_unit *unit)
{
    *out = (cuna_module_include){0};
    const cuna_module_text text = {.name = unit->name, .text = unit->source};
    return includes(unit) ? cuna__module_include_read(out, unit->device, &text) : CUNA_OK;
}

static cuna_status translate(cuna_translation *t, const cuna_unit *unit, const cuna_module_include *include)
{
    const cuna_target *target = &unit->device->target;
    int noptions = unit->has_users_text ? target->noptions : target->nown_options;
    const char **options = malloc((size_t)(noptions + 2 * include->nfolders + 1) * sizeof *options);
    if (options == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
    memcpy(options, target->options, (size_t)noptions * sizeof *options);
    *t = (cuna_translation){.device = unit->device,
                            .name = unit->name,
                            .nkernels = unit->nkernels,
                            .preludes = preludes_of(unit),
                            .source = unit->source,
                            .noptions = cuna__module_include_options(options, noptions, include),
                            .options = options,
                            .nheaders = include->nheaders,
                            .headers = (const char *const *)include->headers,
                            .include_names = include->names};
    cuna_status status = cuna__module_translate(t);
    free(options);
    return status;
}

static cuna_status make(cuna_unit *unit)
{
    cuna_module_include include;
    cuna_translation t;
    const char *call;
    CUNA_TRY(cuna__device_enter(unit->device));
    cuna_status found = find_headers(&include, unit);
    if (found == CUNA_OK)
        found = translate(&t, unit, &include);
    cuna__module_include_free(&include);
    CUNA_TRY(found);
    cu_result result = load(&call, unit, t.image);
    cuna_status status = cuna__device_check(unit->device, result, call);
    if (status == CUNA_OK)
        cuna__compile_log_store(unit->key, t.image, t.nbytes);
    cuna__translation_free(&t);
    return status;
}

/* Another thread or process may have made the unit since the caller looked for it. */
static cuna_status find_or_make(cuna_unit *unit)
{
    cuna_cache_lock lock;
    bool found;
    CUNA_TRY(cuna__cache_lock(&lock, unit->key));
    cuna_status status = cuna__module_find(&found, unit);
    if (status == CUNA_OK && !found)
        status = make(unit);
    cuna__cache_unlock(&lock);
    return status;
}

static cuna_status wait_for(cuna_unit *unit, cuna_status (*work)(cuna_unit *unit))
{
    cuna__compile_wait_begin(unit->device, unit->nkernels);
    cuna_status status = work(unit);
    cuna__compile_wait_end(unit->nkernels);
    return status;
}

cuna_status cuna__module_make(cuna_unit *unit)
{
    return wait_for(unit, make);
}

cuna_status cuna__module_make_once(cuna_unit *unit)
{
    return wait_for(unit, find_or_make);
}

cuna_status cuna__module_identify(cuna_unit *unit)
{
    const cuna_driver_facts *facts = &unit->device->driver->facts;
    const cuna_target *target;
    const char *parts[5 + MAX_PRELUDES];
    cuna_module_include include;
    int count = 0;
    CUNA_TRY(cuna__device_enter(unit->device));
    CUNA_TRY(cuna__device_target(&target, unit->device));
    parts[count++] = SCHEMA;
    parts[count++] = facts->kind;
    parts[count++] = target->text;
    const char *const *preludes = preludes_of(unit);
    for (int i = 0; preludes[i] != NULL; i++) {
        assert(i < MAX_PRELUDES); /* a key without one of them would be another kernel's */
        parts[count++] = preludes[i];
    }
    parts[count++] = unit->source;
    cuna_status status = find_headers(&include, unit);
    if (status == CUNA_OK && includes(unit))
        parts[count++] = include.text.text;
    if (status == CUNA_OK)
        cuna__cache_key(unit->key, count, parts);
    cuna__module_include_free(&include);
    return status;
}

/* launch_loops.c: programs that run on loops which are there already, instead of a kernel that is not.
 *
 * Values are the same: loops and kernels are made of the same texts with the same flags. */
#include "kernel/launch_loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "kernel/codegen_loops.h"
#include "kernel/heat.h"

/* What CUNA_COMPILE says of programs for which there is no kernel. */
typedef enum mode { UNKNOWN, LOOPS, WAIT, NEVER } mode;

static mode read_mode(void)
{
    static int known; /* a mode; threads may read it twice */
    int found = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (found != UNKNOWN)
        return (mode)found;
    const char *text = cuna__environment_text("CUNA_COMPILE");
    found = text == NULL ? LOOPS : strcmp(text, "wait") == 0 ? WAIT : strcmp(text, "never") == 0 ? NEVER : LOOPS;
    __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    return (mode)found;
}

bool cuna__always_compiles(void)
{
    return read_mode() == WAIT;
}

bool cuna__loops_are_wanted(const cuna_device *device, const cuna_program *program)
{
    return device->driver->facts.interprets && program->text.statement == 0 && read_mode() != WAIT;
}

/* Bytes of the widest value: the length of a block depends on it. */
static int element_nbytes(const cuna_loop_image *image)
{
    int most = 1;
    for (int i = 0; i < image->nlines; i++)
        most = image->line[i].itemsize > most ? image->line[i].itemsize : most;
    return most;
}

/* Programs are shared by threads: two may begin the heat, alike. */
static void begin_lack(cuna_heat *lack, const cuna_program_text *text)
{
    int64_t widest = 1;
    for (int k = 0; k < text->ninputs; k++)
        widest = cuna__max(widest, cuna_dtype_size((cuna_dtype)text->input_dtype[k]));
    cuna__heat_begin(lack, text->ninstructions, (int)widest, read_mode() == LOOPS);
}

void cuna__loops_stand_in(cuna_device *device, const cuna_program *program, const cuna_variant *variant,
                          int64_t elements)
{
    cuna_heat *lack = (cuna_heat *)&program->lack;
    if (!lack->is_code)
        begin_lack(lack, &program->text);
    cuna__heat_add(device, program, variant, lack, elements);
}

/* Steps by which loops lose time: those of a sum of products are one loop, which still is not as fast as its kernel. */
static int lost_steps(const cuna_program_text *text, const cuna_loop_image *image)
{
    return (int)cuna__max(image->nlines, text->ninstructions + cuna__program_combines(text));
}

/* Adds the code to its program, which runs it as a kernel. */
static cuna_status add_code(cuna_device *device, const cuna_codegen_item *item, const cuna_loop_image *image,
                            cuna_loaded *loaded)
{
    cuna_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
    kernel->key = cuna__variant_key(item->variant, item->program->noperands);
    kernel->device = device->number;
    kernel->loaded = loaded;
    if (image->form != LOOP_WHOLE)
        cuna__heat_begin(&kernel->heat, lost_steps(&item->program->text, image), element_nbytes(image),
                         read_mode() == LOOPS);
    kernel->functions[0].index_bits = item->variant->wide ? 64 : 32;
    kernel->functions[1].index_bits = kernel->functions[0].index_bits;
    cu_result result =
        device->driver->module_get_function(&kernel->functions[0].function, loaded->module, CUNA_LOOP_ENTRY);
    if (result == CU_SUCCESS && item->program->text.kind == CUNA_PROGRAM_FOLD)
        result = device->driver->module_get_function(&kernel->functions[1].function, loaded->module, CUNA_LOOP_MERGE);
    if (result != CU_SUCCESS) {
        free(kernel);
        return cuna__device_check(device, result, "cuModuleGetFunction");
    }
    cuna__loaded_retain(loaded);
    cuna__program_add_kernel(item->program, kernel);
    return CUNA_OK;
}

/* Nobody else finds such a module by its key: equal programs are one program. */
static cu_result open_code(cuna_loaded **out, cuna_device *device, const cuna_loop_image *image)
{
    static int64_t count;
    char key[CUNA_KEY_LENGTH + 1];
    snprintf(key, sizeof key, "loops %lld", (long long)__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED));
    return cuna__loaded_open(out, device, key, image);
}

static cuna_status fail_missing(cuna_device *device, const cuna_codegen_item *item)
{
    const char *text = "";
    device->driver->get_error_string(CU_ERROR_NOT_FOUND, &text);
    return cuna_fail(CUNA_COMPILE, "%s: no kernel is there, and CUNA_COMPILE is 'never': %s", item->entry, text);
}

cuna_status cuna__loops_make(bool *made, cuna_device *device, const cuna_codegen_item *item)
{
    cuna_loop_image *image;
    cuna_loaded *loaded = NULL;
    CUNA_TRY(cuna__codegen_loops(&image, item->program, item->variant));
    cu_result result = image != NULL ? open_code(&loaded, device, image) : CU_ERROR_NOT_FOUND;
    cuna_status status = CUNA_OK;
    *made = result == CU_SUCCESS;
    if (*made)
        status = add_code(device, item, image, loaded);
    else if (result != CU_ERROR_NOT_FOUND)
        status = cuna__device_check(device, result, "cuModuleLoadData");
    else if (read_mode() == NEVER)
        status = fail_missing(device, item);
    if (*made)
        cuna__loaded_release(loaded);
    free(image);
    return status;
}

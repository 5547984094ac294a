/* launch.c: kernels made on demand, arguments packed, grids started.
 *
 * A kernel is looked up on its program without a lock; when it is missing it is compiled outside any lock, so two
 * threads may both compile it, which is harmless: the first in the list wins. */
#include "launch.h"

#include <stdlib.h>
#include <string.h>

#include "codegen.h"
#include "module.h"
#include "prepare.h"

void cuna__words_add_scalars(cuna_words *words, const cuna_program *program, const cuna_operand *inputs)
{
    const cuna_program_text *text = &program->text;
    for (int k = 0; k < text->ninputs; k++) {
        if (!text->input_scalar[k])
            continue;
        cuna_number_pack(&words->at[words->count], text->input_dtype[k], &inputs[k].number);
        words->count += 2;
    }
    if (program->nscalars == 0)
        words->count += 2;
}

void cuna__words_add_layout(cuna_words *words, const cuna_layout *layout)
{
    if (layout->ndim == 0) {
        words->count += 1 + layout->noperands;
        return;
    }
    int axes = layout->ndim;
    cuna__copy_lengths(&words->at[words->count], layout->shape, axes);
    words->count += axes;
    for (int k = 0; k < layout->noperands; k++) {
        cuna__copy_lengths(&words->at[words->count], layout->strides[k], axes);
        words->count += axes;
    }
}

/* The factor and the shift (high half) of a division of 31-bit numbers by `by`: n / by == (high(n * factor) + n) >> shift
 * (Granlund and Montgomery, 1994). Longer axes are met by 64-bit kernels only, which divide. */
static int64_t make_divisor(int64_t by)
{
    if (by > INT32_MAX)
        return 0;
    int shift = 0;
    while ((int64_t)1 << shift < by)
        shift++;
    uint64_t factor = (((uint64_t)1 << 32) * (((uint64_t)1 << shift) - (uint64_t)by)) / (uint64_t)by + 1;
    return (int64_t)((uint64_t)shift << 32 | factor);
}

void cuna__words_add_divisors(cuna_words *words, const cuna_layout *layout)
{
    for (int axis = 0; axis < layout->ndim; axis++)
        words->at[words->count++] = make_divisor(cuna__max(layout->shape[axis], 1));
    words->count += layout->ndim == 0;
}

bool cuna__operands_are_aligned(const cuna_array *const *operands, const cuna_variant *variant, int first, int count,
                                const cuna_layout *layout, int run)
{
    int64_t mask = ((int64_t)1 << variant->vector_log2) - 1;
    for (int k = first; k < count; k++) {
        if (variant->stride_class[k] != CUNA_STRIDE_UNIT)
            continue;
        uint64_t nbytes = (uint64_t)cuna_dtype_size(operands[k]->dtype) << variant->vector_log2;
        if (operands[k]->data % nbytes != 0)
            return false;
        for (int axis = 0; axis < layout->ndim; axis++)
            if (axis != run && (layout->strides[k][axis] & mask) != 0)
                return false;
    }
    return true;
}

/* Compiles one unit with all the items and hangs their kernels on their programs. */
static cuna_status build_unit(cuna_device *device, const char *source, int nitems, const cuna_codegen_item *items)
{
    const char **entries = calloc(2 * (size_t)nitems, sizeof *entries);
    char(*merges)[112] = calloc((size_t)nitems, sizeof *merges);
    cu_function *functions = calloc(2 * (size_t)nitems, sizeof *functions);
    cuna_status status = CUNA_OK;
    cu_module module = NULL;
    int count = 0;
    if (!entries || !merges || !functions)
        status = cuna_fail(CUNA_MEMORY, "the host has no memory left for kernels");
    for (int i = 0; status == CUNA_OK && i < nitems; i++) {
        entries[count++] = items[i].entry;
        if (!items[i].program->text.reduces)
            continue;
        strcpy(merges[i], items[i].entry);
        entries[count++] = strcat(merges[i], "_merge");
    }
    if (status == CUNA_OK)
        status = cuna__module_functions(&module, functions, device, items[0].entry, source, count, entries);
    for (int i = 0, at = 0; status == CUNA_OK && i < nitems; i++) {
        cuna_kernel *kernel = calloc(1, sizeof *kernel);
        if (kernel == NULL) {
            status = cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
            break;
        }
        kernel->key = cuna__variant_key(items[i].variant, items[i].program->noperands);
        kernel->device = device->number;
        kernel->module = module;
        kernel->functions[0] = functions[at++];
        if (items[i].program->text.reduces)
            kernel->functions[1] = functions[at++];
        cuna__program_add_kernel(items[i].program, kernel);
    }
    free(entries);
    free(merges);
    free(functions);
    return status;
}

static cuna_status make_kernels(cuna_device *device, int nitems, cuna_codegen_item *items)
{
    cuna_strbuf source = {0};
    for (int i = 0; i < nitems; i++)
        cuna__codegen_name(&items[i], i);
    cuna_status status = cuna__codegen_unit(&source, nitems, items, device->driver->facts.lanes > 1);
    if (status == CUNA_OK)
        status = build_unit(device, source.text, nitems, items);
    cuna__strbuf_free(&source);
    return status;
}

cuna_status cuna__kernel_get(const cuna_kernel **out, const cuna_context *context, cuna_device *device,
                             const cuna_program *program, const cuna_variant *variant)
{
    if (__builtin_expect(context->rehearsal != NULL, 0)) {
        *out = NULL;
        return cuna__rehearsal_note(context->rehearsal, device, program, variant);
    }
    uint64_t key = cuna__variant_key(variant, program->noperands);
    *out = cuna__program_find_kernel(program, device->number, key);
    if (__builtin_expect(*out != NULL, 1))
        return CUNA_OK;
    cuna_codegen_item item = {.program = program, .variant = variant};
    CUNA_TRY(make_kernels(device, 1, &item));
    *out = cuna__program_find_kernel(program, device->number, key);
    return CUNA_OK;
}

cuna_status cuna__kernel_prepare(cuna_device *device, int nrequests, const cuna_kernel_request *requests)
{
    cuna_codegen_item *items = calloc((size_t)nrequests + 1, sizeof *items);
    int count = 0;
    if (items == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for kernels");
    for (int i = 0; i < nrequests; i++) {
        const cuna_program *program = requests[i].program;
        uint64_t key = cuna__variant_key(&requests[i].variant, program->noperands);
        if (cuna__program_find_kernel(program, device->number, key) == NULL)
            items[count++] = (cuna_codegen_item){.program = program, .variant = &requests[i].variant};
    }
    cuna_status status = count > 0 ? make_kernels(device, count, items) : CUNA_OK;
    free(items);
    return status;
}

cuna_status cuna__launch(const cuna_context *context, cuna_device *device, const char *name, cu_function function,
                         int64_t blocks, cuna_words *words)
{
    if (__builtin_expect(blocks > INT32_MAX, 0))
        return cuna_fail(CUNA_VALUE, "%s: the arrays are too large for one launch", name);
    CUNA_TRY(cuna__device_enter(device));
    void *params[] = {words->at};
    cu_stream stream = cuna__context_stream(context, device);
    cu_result result = device->driver->launch_kernel(
        function, (unsigned)blocks, 1, 1, (unsigned)device->driver->facts.lanes, 1, 1, 0, stream, params, NULL);
    if (__builtin_expect(result != CU_SUCCESS, 0))
        return cuna__device_check(device, result, name);
    return cuna__device_note_launch(device, stream, name);
}

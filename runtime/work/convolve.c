/* convolve.c: sums of products of a short vector and what of a long one it lies over, on devices whose blocks have many
 * lanes. kernels/convolve_lanes.cuh describes the algorithm. */
#include "array/array.h"
#include "kernel/launch.h"

static cuna_status check(const char *name, const cuna_program *program, const cuna_array *const *arrays)
{
    const cuna_program_text *text = cuna_program_get_text(program);
    const uint8_t dtypes[] = {text->output_dtype[0], text->input_dtype[0], text->input_dtype[1]};
    bool good = text->kind == CUNA_PROGRAM_CONVOLVE;
    for (int k = 0; good && k < 3; k++)
        good = arrays[k]->dtype == dtypes[k] && arrays[k]->ndim == 1 && arrays[k]->size > 0;
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "%s: expected vectors of the program's dtypes, not empty ones", name);
}

cuna_status cuna_convolve(cuna_context *context, const char *name, const cuna_program *program, cuna_array *out,
                          const cuna_array *small, const cuna_array *large, int64_t shift)
{
    enum { OPERANDS = 3 };
    const cuna_array *arrays[OPERANDS] = {out, small, large};
    cuna_device *device = NULL;
    const cuna_kernel *kernel;
    cuna_words words;
    CUNA_TRY(check(name, program, arrays));
    for (int k = 0; k < OPERANDS; k++)
        CUNA_TRY(cuna__array_use_device(&device, arrays[k], name));
    CUNA_TRY(cuna__array_check_writable(out, name));
    const cuna_variant variant = {.form = CUNA_FORM_CONVOLVE};
    CUNA_TRY(cuna__kernel_get(&kernel, context, device, program, &variant, out->size));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__arrays_claim(context, device, OPERANDS, arrays));
    /* The order of the members of struct Convolve. */
    cuna__words_begin(&words);
    for (int k = 0; k < OPERANDS; k++)
        cuna__words_add_address(&words, arrays[k]);
    for (int k = 0; k < OPERANDS; k++)
        cuna__words_add(&words, cuna_array_strides(arrays[k])[0]);
    for (int k = 0; k < OPERANDS; k++)
        cuna__words_add(&words, arrays[k]->size);
    cuna__words_add(&words, shift);
    int64_t tile = (int64_t)device->driver->facts.lanes * CUNA_CONVOLVE_STRIP;
    return cuna__launch(context, device, name, kernel->functions[0], cuna__ceil_div(out->size, tile), &words);
}

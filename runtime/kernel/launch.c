/* launch.c: arguments filled in, grids started. */
#include "kernel/launch.h"

#include <string.h>

#include "array/graph.h"
#include "device/context.h"
#include "device/trace.h"

void cuna__words_add_numbers(cuna_words *words, const cuna_program *program, const cuna_operand *inputs)
{
    const cuna_program_text *text = &program->text;
    for (int k = 0; k < text->ninputs; k++) {
        if (!text->input_scalar[k])
            continue;
        int64_t *at = &words->at[words->count];
        cuna__words_skip(words, 2);
        if (text->input_scalar[k] == CUNA_SCALAR_NUMBER)
            cuna_number_store(at, text->input_dtype[k], &inputs[k].number);
    }
}

void cuna__words_copy_table(cuna_words *words, const cuna_program *program, const cuna_operand *inputs)
{
    const cuna_program_text *text = &program->text;
    for (int k = 0; k < text->ninputs; k++) {
        if (text->input_scalar[k] != CUNA_SCALAR_TABLE)
            continue;
        memcpy(&words->at[words->count], inputs[k].table, text->table * sizeof *words->at);
        words->count += text->table;
    }
}

void cuna__words_add_layout(cuna_words *words, const cuna_layout *layout)
{
    if (layout->ndim == 0) {
        cuna__words_skip(words, 1 + (int)cuna__max(layout->noperands, 1));
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

void cuna__words_add_divisor(cuna_words *words, int64_t by)
{
    cuna__words_add(words, make_divisor(by));
}

void cuna__words_add_divisors(cuna_words *words, const cuna_layout *layout)
{
    for (int axis = 0; axis < layout->ndim; axis++)
        cuna__words_add_divisor(words, cuna__max(layout->shape[axis], 1));
    cuna__words_skip(words, layout->ndim == 0);
}

void cuna__words_add_raws(cuna_words *words, const cuna_program *program, const cuna_operand *inputs)
{
    const cuna_program_text *text = &program->text;
    for (int r = 0; r < text->nraws; r++) {
        const cuna_array *raw = inputs[text->ninputs + r].array;
        const int64_t *shape = cuna_array_shape(raw), *strides = cuna_array_strides(raw);
        cuna__words_add_address(words, raw);
        cuna__words_add(words, raw->size);
        cuna__words_add(words, (raw->flags & CUNA_ARRAY_CONTIGUOUS) != 0);
        for (int axis = 0; axis < raw->ndim; axis++)
            cuna__words_add(words, shape[axis]);
        cuna__words_skip(words, raw->ndim == 0);
        for (int axis = 0; axis < raw->ndim; axis++)
            cuna__words_add(words, strides[axis] * cuna_dtype_size(raw->dtype));
        cuna__words_skip(words, raw->ndim == 0);
    }
}

bool cuna__operands_are_aligned(const cuna_array *const *operands, const cuna_variant *variant, int first, int count,
                                const cuna_layout *layout, int run)
{
    int64_t mask = ((int64_t)1 << variant->vector_log2) - 1;
    for (int k = first; k < count; k++) {
        if (variant->stride_class[k] != CUNA_STRIDE_UNIT)
            continue;
        uint64_t nbytes = (uint64_t)cuna_dtype_size(operands[k]->dtype) << variant->vector_log2;
        if (cuna__array_data(operands[k]) % nbytes != 0)
            return false;
        for (int axis = 0; axis < layout->ndim; axis++)
            if (axis != run && (layout->strides[k][axis] & mask) != 0)
                return false;
    }
    return true;
}

cuna_status cuna__workspace_take(cuna_block **out, cuna_context *context, cuna_device *device, int64_t nbytes)
{
    bool kept = false;
    cuna_stream *stream = cuna__context_stream(context, device);
    *out = stream->capture != NULL ? cuna__graph_lend(stream->capture, stream, nbytes) : NULL;
    if (*out != NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__context_alloc(out, context, device, nbytes));
    /* With a single stream all work is in order, and uses of memory are not noted. */
    if (!device->streams.tracked)
        return CUNA_OK;
    cuna_status status = CUNA_OK;
    if (stream->capture != NULL)
        status = cuna__graph_keep_block(&kept, stream->capture, stream, *out);
    if (status == CUNA_OK && !kept)
        status = cuna__stream_claim(stream, *out);
    if (status == CUNA_OK)
        return CUNA_OK;
    /* A block that the graph keeps is freed with the graph. */
    if (!kept)
        cuna__block_free(device, *out);
    *out = NULL;
    return status;
}

void cuna__workspace_give_back(const cuna_context *context, cuna_device *device, cuna_block *workspace)
{
    const cuna_stream *stream = cuna__context_stream(context, device);
    if (stream->capture == NULL || !cuna__graph_take_back(stream->capture, workspace))
        cuna__block_free(device, workspace);
}

cuna_status cuna__operands_claim_slowly(const cuna_context *context, cuna_device *device, int noperands,
                                        const cuna_array *const *operands, const cuna_program *program,
                                        const cuna_operand *inputs)
{
    const cuna_program_text *text = &program->text;
    cuna_stream *stream = cuna__context_stream(context, device);
    CUNA_TRY(cuna__device_enter(device));
    for (int k = 0; k < text->noutputs; k++)
        CUNA_TRY(cuna__array_claim_operand(context, stream, operands[k], true));
    for (int i = 0, k = text->noutputs; i < text->ninputs && k < noperands; i++)
        if (!text->input_scalar[i])
            CUNA_TRY(cuna__array_claim_operand(context, stream, operands[k++], text->input_address[i]));
    for (int r = 0; r < text->nraws; r++)
        CUNA_TRY(cuna__array_claim_operand(context, stream, inputs[text->ninputs + r].array, text->raw_writable[r]));
    return CUNA_OK;
}

cuna_status cuna__arrays_claim(const cuna_context *context, cuna_device *device, int count,
                               const cuna_array *const *arrays)
{
    CUNA_TRY(cuna__device_enter(device));
    for (int k = 0; k < count; k++)
        CUNA_TRY(cuna__array_claim(context, cuna__context_stream(context, device), arrays[k]));
    return CUNA_OK;
}

/* The graph that the launch is recorded in knows its addresses. */
static cuna_status note_launch(cuna_stream *stream, cu_function function, unsigned blocks, const cuna_words *words)
{
    return cuna__graph_note_launch(stream->capture, stream, function, blocks, words->count, words->at,
                                   words->naddresses, words->addresses);
}

cuna_status cuna__launch(const cuna_context *context, cuna_device *device, const char *name, cuna_kernel_entry entry,
                         int64_t blocks, cuna_words *words)
{
    if (__builtin_expect(blocks > INT32_MAX, 0))
        return cuna_fail(CUNA_VALUE, "%s: the arrays are too large for one launch", name);
    int most = device->driver->facts.parameter_nbytes, nbytes = words->count * (int)sizeof *words->at;
    if (__builtin_expect(most > 0 && nbytes > most, 0))
        return cuna_fail(CUNA_VALUE,
                         "%s: the arrays' shapes and strides take %d bytes of arguments, and %s takes %d; "
                         "pass fewer arrays, or arrays of fewer axes",
                         name, nbytes, device->name, most);
    CUNA_TRY(cuna__device_enter(device));
    void *params[] = {words->at};
    cuna_stream *stream = cuna__context_stream(context, device);
    int64_t trace = cuna__trace_begin_kernel(name, stream, entry.index_bits);
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->launch_kernel(entry.function, (unsigned)blocks, 1, 1,
                                                                              (unsigned)device->driver->facts.lanes, 1,
                                                                              1, 0, stream->handle, params, NULL));
    cuna__trace_end(trace, stream);
    if (__builtin_expect(result != CU_SUCCESS, 0))
        return cuna__device_fail(device, result, name);
    if (__builtin_expect(stream->capture != NULL, 0))
        CUNA_TRY(note_launch(stream, entry.function, (unsigned)blocks, words));
    return cuna__device_note_launch(context, stream, name);
}

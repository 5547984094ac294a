/* call.c: what few calls of an engine need, and the errors for arrays that do not fit. */
#include "operands/call.h"

#include <stdio.h>
#include <string.h>

/* Adds a shape to a list in words: "(2,)", "(2,) and (3,)", "(2,), (3,) and (4,)". Returns the list's length. */
static size_t list_shape(char *list, size_t nbytes, size_t length, const char *before, const cuna_array *array)
{
    char shape[256];
    cuna__array_describe(shape, sizeof shape, array);
    int added = snprintf(list + length, nbytes - length, "%s%s", before, shape);
    return (size_t)added < nbytes - length ? length + (size_t)added : nbytes - 1;
}

/* Shapes as the user gave them, not as far as they broadcast: that shape may be no argument's. */
static cuna_status refuse_shapes(const cuna_call *call)
{
    const cuna_program_text *text = &call->program->text;
    char shapes[1024];
    size_t length = 0;
    int count = call->program->noperands - text->noutputs;
    for (int k = 0, number = 0; k < text->ninputs; k++) {
        if (text->input_scalar[k])
            continue;
        CUNA_TRY(cuna__array_check_alive(call->inputs[k].array, call->name));
        const char *before = number == 0 ? "" : number + 1 < count ? ", " : " and ";
        length = list_shape(shapes, sizeof shapes, length, before, call->inputs[k].array);
        number++;
    }
    return cuna_fail(CUNA_VALUE, "%s: shapes %s do not broadcast", call->name, shapes);
}

/* For the shape of a walk that the caller gave. */
static cuna_status refuse_shape(const cuna_call *call, const cuna_array *array)
{
    char ours[256], theirs[256];
    cuna__array_describe(theirs, sizeof theirs, array);
    return cuna_fail(CUNA_VALUE, "%s: shapes %s and %s do not broadcast", call->name,
                     cuna__shape_text(ours, sizeof ours, call->ndim, call->shape), theirs);
}

cuna_status cuna__call_broadcast(cuna_call *call, const cuna_array *array, bool given)
{
    int64_t strides[CUNA_MAX_NDIM];
    if (!given)
        return cuna__shape_broadcast(&call->ndim, call->shape, array->ndim, cuna_array_shape(array))
                   ? CUNA_OK
                   : refuse_shapes(call);
    return cuna__shape_expand(strides, call->ndim, call->shape, array->ndim, cuna_array_shape(array),
                              cuna_array_strides(array))
               ? CUNA_OK
               : refuse_shape(call, array);
}

cuna_status cuna__call_check_axes(const cuna_call *call)
{
    int indexer = call->program->text.indexer;
    if (indexer > 0 && indexer != 1 + call->ndim)
        return cuna_fail(CUNA_VALUE, "%s: the loop has %d axes, but the program's text was made for %d", call->name,
                         call->ndim, indexer - 1);
    return CUNA_OK;
}

cuna_status cuna__call_check_raws(cuna_call *call)
{
    const cuna_program_text *text = &call->program->text;
    for (int r = 0; r < text->nraws; r++) {
        const cuna_array *raw = call->inputs[text->ninputs + r].array;
        CUNA_TRY(cuna__array_use_device(&call->device, raw, call->name));
        if (text->raw_writable[r])
            CUNA_TRY(cuna__array_check_writable(raw, call->name));
    }
    return CUNA_OK;
}

cuna_status cuna__call_check_output(cuna_call *call, const cuna_array *out, int k, int ndim, const int64_t *shape)
{
    const cuna_program_text *text = &call->program->text;
    CUNA_TRY(cuna__array_use_device(&call->device, out, call->name));
    cuna_result result = {.name = call->name,
                          .number = text->noutputs > 1 ? k + 1 : 0,
                          .device = call->device,
                          .dtype = text->output_dtype[k],
                          .ndim = ndim,
                          .shape = shape};
    return cuna_result_check(&result, out);
}

cuna_array *cuna__call_add_stand_in(cuna_call *call)
{
    cuna_array *array = &call->stand_ins[call->nstand_ins++];
    memset(array, 0, sizeof *array);
    return array;
}

cuna_status cuna__call_take_head(cuna_call *call, const cuna_array *array)
{
    cuna_array *head = cuna__call_add_stand_in(call);
    call->arrays[call->count++] = head;
    return cuna__array_head(head, array);
}

cuna_status cuna__call_copy(cuna_call *call, int k)
{
    const cuna_array *array = call->arrays[k];
    cuna_array *copy = cuna__call_add_stand_in(call);
    CUNA_TRY(cuna_array_cast(copy, call->context, array, array->dtype));
    call->arrays[k] = copy;
    return CUNA_OK;
}

cuna_status cuna__call_separate_slowly(cuna_call *call, unsigned whole)
{
    int noutputs = call->program->text.noutputs;
    for (int out = 0; out < noutputs; out++) {
        /* Memory of an output that the call made is not shared. */
        if (call->made & 1u << out)
            continue;
        const cuna_array *output = call->arrays[out];
        for (int other = 0; other < noutputs; other++)
            if (other != out && cuna__array_meets(output, call->arrays[other]))
                return cuna_fail(CUNA_VALUE, "%s: two outputs share memory", call->name);
        for (int k = noutputs; k < call->count; k++)
            if ((whole & 1u << out ? cuna__array_meets : cuna__array_conflicts)(output, call->arrays[k]))
                CUNA_TRY(cuna__call_copy(call, k));
    }
    return CUNA_OK;
}

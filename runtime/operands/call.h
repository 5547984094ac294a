/* call.h: the arrays of one call of an engine, from the check to the launch: gathered, broadcast, made, and kept apart.
 *
 * An engine begins a call, gathers its inputs, makes its outputs, separates the two and launches; then it ends the call.
 * `arrays` is what kernels see, outputs first: a stand-in (a copy or a view) takes an input's place there and nowhere
 * else, so numbers, tables and raw arrays are always read from `inputs`. What the common call needs is inline; it costs
 * no call. */
#ifndef CUNA_OPERANDS_CALL_H
#define CUNA_OPERANDS_CALL_H

#include "array/array.h"
#include "kernel/launch.h"

/* Of one input at most: a scan of all elements views it, copies that, and views the copy; then an overlap takes a copy, and
 * a layout across the output's another one. */
#define CUNA_STAND_INS 5

typedef struct cuna_call {
    cuna_context *context;
    cuna_device *device; /* of all arrays; NULL while there is none */
    const char *name;    /* of the operation, for messages */
    const cuna_program *program;
    const cuna_operand *inputs; /* as they were given */
    int ndim;                   /* of the walk; -1 until an input has axes to broadcast */
    int64_t shape[CUNA_MAX_NDIM];
    int64_t size;
    int count;                                   /* of arrays */
    const cuna_array *arrays[CUNA_MAX_OPERANDS]; /* outputs, then array inputs */
    unsigned made;                               /* bit k: output k is ours until the call succeeds */
    int nstand_ins;
    cuna_array stand_ins[CUNA_STAND_INS * CUNA_MAX_OPERANDS];
} cuna_call;

/* Begins a call whose walk has the shape that its inputs broadcast to. */
static inline void cuna__call_begin(cuna_call *call, cuna_context *context, const char *name,
                                    const cuna_program *program, const cuna_operand *inputs)
{
    call->context = context;
    call->device = NULL;
    call->name = name;
    call->program = program;
    call->inputs = inputs;
    call->ndim = -1;
    call->made = 0;
    call->nstand_ins = 0;
}

static inline bool cuna__call_has_shape(const cuna_call *call, const cuna_array *array)
{
    return call->ndim == array->ndim && cuna__same_lengths(call->shape, cuna_array_shape(array), call->ndim);
}

/* Puts a view of the first element in the place of an input, of which the walk knows nothing. */
cuna_status cuna__call_take_head(cuna_call *call, const cuna_array *array);

/* Broadcasts an input of another shape than the walk's into it, or, when the caller gave the walk's shape, to it. VALUE
 * with all shapes where that fails. */
cuna_status cuna__call_broadcast(cuna_call *call, const cuna_array *array, bool given);

/* Checks the raw arrays, which follow the inputs: their device, and that those which the statement writes to may be. */
cuna_status cuna__call_check_raws(cuna_call *call);

/* Whether a text that names positions along axes was made for as many. */
cuna_status cuna__call_check_axes(const cuna_call *call);

/* Gathers the array inputs and broadcasts their shapes, unless the walk has a shape already, to which they must broadcast.
 * VALUE: arrays of several devices, freed ones, shapes; the call must be ended then, too, if its program takes heads. */
static inline cuna_status cuna__call_gather(cuna_call *call)
{
    const cuna_program_text *text = &call->program->text;
    bool given = call->ndim >= 0;
    /* Outputs come first, but are made last: their shape is that of the inputs. */
    call->count = text->noutputs;
    for (int k = 0; k < text->ninputs; k++) {
        const cuna_array *array = call->inputs[k].array;
        if (text->input_scalar[k])
            continue;
        CUNA_TRY(cuna__array_use_device(&call->device, array, call->name));
        if (text->input_address[k] == CUNA_ADDRESS_HEAD) {
            CUNA_TRY(cuna__call_take_head(call, array));
            continue;
        }
        call->arrays[call->count++] = array;
        if (call->ndim < 0) {
            call->ndim = array->ndim;
            cuna__copy_lengths(call->shape, cuna_array_shape(array), array->ndim);
        } else if (!cuna__call_has_shape(call, array)) {
            CUNA_TRY(cuna__call_broadcast(call, array, given));
        }
    }
    if (text->nraws > 0)
        CUNA_TRY(cuna__call_check_raws(call));
    if (call->ndim < 0)
        call->ndim = 0;
    return cuna__shape_size(&call->size, call->ndim, call->shape);
}

/* Whether an array can take output k, of a shape, as it is. */
static inline bool cuna__call_fits_output(const cuna_call *call, const cuna_array *out, int k, int ndim,
                                          const int64_t *shape)
{
    return out->buffer != NULL && out->buffer->device == call->device && (out->flags & CUNA_ARRAY_READONLY) == 0 &&
           !cuna__buffer_is_read(out->buffer) && out->ndim == ndim &&
           cuna__same_lengths(cuna_array_shape(out), shape, ndim) && out->dtype == call->program->text.output_dtype[k];
}

/* VALUE with the facts unless it can. The first array of a call decides its device. */
cuna_status cuna__call_check_output(cuna_call *call, const cuna_array *out, int k, int ndim, const int64_t *shape);

/* Takes an array for output k, and makes it when the caller left it empty. Those that were given are checked before the
 * first one is made, so that a call that fails makes nothing. MEMORY. */
static inline cuna_status cuna__call_take_output(cuna_call *call, cuna_array *out, int k, int ndim,
                                                 const int64_t *shape)
{
    call->arrays[k] = out;
    if (out->buffer != NULL)
        return cuna__array_ready(out);
    CUNA_TRY(cuna_array_create_on(out, call->context, call->device, call->program->text.output_dtype[k], ndim, shape));
    call->made |= 1u << k;
    return CUNA_OK;
}

/* A zeroed stand-in, to be filled; an array filled there is released at the call's end. */
cuna_array *cuna__call_add_stand_in(cuna_call *call);

/* Puts a copy in the place of arrays[k]. */
cuna_status cuna__call_copy(cuna_call *call, int k);

/* Copies inputs that an output would overwrite while they are still being read. An output with an element for each of the
 * walk's is written where the same elements are read last; bit k of `whole` is set for an output k of which that is not
 * true, so that it may share no byte with an input. VALUE where two outputs share memory. */
cuna_status cuna__call_separate_slowly(cuna_call *call, unsigned whole);
static inline cuna_status cuna__call_separate(cuna_call *call, unsigned whole)
{
    bool all_made = call->made + 1 == 1u << call->program->text.noutputs; /* nothing else has their memory */
    return all_made ? CUNA_OK : cuna__call_separate_slowly(call, whole);
}

/* Notes that a launch, which comes next, uses the call's arrays. */
static inline cuna_status cuna__call_claim(const cuna_call *call)
{
    return cuna__operands_claim(call->context, call->device, call->count, call->arrays, call->program, call->inputs);
}

/* Releases what stood in, and, unless `keep`, outputs that the call made. */
static inline void cuna__call_end(cuna_call *call, cuna_array *const *outputs, bool keep)
{
    for (int k = 0; k < call->nstand_ins; k++)
        cuna_array_release(&call->stand_ins[k]);
    for (int k = 0; !keep && k < call->program->text.noutputs; k++)
        if (call->made & 1u << k)
            cuna_array_release(outputs[k]);
}

#endif

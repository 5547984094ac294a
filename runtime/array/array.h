/* array.h: the buffer that arrays share, the gate to their bytes, and the facts of arrays that the engines need. */
#ifndef CUNA_ARRAY_ARRAY_H
#define CUNA_ARRAY_ARRAY_H

#include <assert.h>

#include "array/value.h"

/* What an array and its views share; freed with the last of them. */
struct cuna_buffer {
    int32_t references;
    bool rehearsed; /* made in a rehearsal, where others are not written to */
    bool exposed;   /* others know its address, and may use the memory at any time; once set, never cleared */
    cuna_value *value;
    cuna_array *root; /* the array the first view was made of; made with that view */
    cuna_device *device;
    cu_deviceptr ptr; /* the value's; 0 while that is not ready to be touched (without elements it is not 0 either) */
};

/* A buffer with one share, for arrays of `device`, and its value: memory of `owner`. NULL when the host has no memory
 * left. */
cuna_buffer *cuna__buffer_create(cuna_device *device, cuna_device *owner, cuna_block *block, cu_deviceptr ptr,
                                 int64_t nbytes);
void cuna__buffer_release(cuna_buffer *buffer);

/* Writes an array's shape as text, for messages. */
void cuna__array_describe(char *text, size_t nbytes, const cuna_array *array);

/* Whether both have the same elements in the same places, so that an in-place operation is safe. */
bool cuna__array_same_place(const cuna_array *a, const cuna_array *b);

/* Whether elements of both may share memory: their bytes overlap, and none lie in the gaps of the other. */
bool cuna__array_meets(const cuna_array *a, const cuna_array *b);

/* Whether writing `out` could spoil elements of `in` before they are read: bytes are shared, and not by the same
 * elements in the same places. */
bool cuna__array_conflicts(const cuna_array *out, const cuna_array *in);

/* VALUE unless the array is filled: between the bindings' check and this call a finalizer may have freed it. Enough for
 * what looks at shapes, dtypes and devices only. */
cuna_status cuna__array_refuse_freed(const char *name);
static inline cuna_status cuna__array_check_alive(const cuna_array *array, const char *name)
{
    return __builtin_expect(array->buffer != NULL, 1) ? CUNA_OK : cuna__array_refuse_freed(name);
}

/* ---- the gate: the address of elements is asked for after cuna__array_use or cuna__array_use_device ---- */

/* Lets the content be touched. */
static inline cuna_status cuna__array_ready(const cuna_array *array)
{
    if (CUNA_HIDES_CONTENT)
        array->buffer->ptr = array->buffer->value->ptr;
    return CUNA_OK;
}

/* VALUE as cuna__array_check_alive. After it the array's bytes may be touched. */
static inline cuna_status cuna__array_use(const cuna_array *array, const char *name)
{
    CUNA_TRY(cuna__array_check_alive(array, name));
    return cuna__array_ready(array);
}

static inline void cuna__array_assert_ready(const cuna_array *array)
{
    if (CUNA_HIDES_CONTENT)
        assert(array->buffer->ptr != 0);
}

/* The address of the first element. */
static inline cu_deviceptr cuna__array_data(const cuna_array *array)
{
    cuna__array_assert_ready(array);
    return array->buffer->ptr + (cu_deviceptr)array->offset;
}

/* The same for use outside of cuna. */
static inline cu_deviceptr cuna__array_expose(const cuna_array *array)
{
    __atomic_store_n(&array->buffer->exposed, true, __ATOMIC_RELAXED);
    return cuna__array_data(array);
}

/* Notes that work on `stream`, which comes next, uses the array (cuna__value_claim). */
static inline cuna_status cuna__array_claim(const cuna_context *context, cuna_stream *stream, const cuna_array *array)
{
    cuna__array_assert_ready(array);
    return cuna__value_claim(context, stream, array->buffer->value);
}

/* Between these two, a copy from or to an array of the host is given to `stream` (cuna__value_begin_copy). */
static inline cuna_status cuna__array_begin_copy(const cuna_array *array, cuna_stream *stream)
{
    cuna__array_assert_ready(array);
    return cuna__value_begin_copy(array->buffer->value, array->buffer->device, stream);
}
static inline cuna_status cuna__array_end_copy(const cuna_array *array, cuna_stream *stream)
{
    return cuna__value_end_copy(array->buffer->value, stream);
}

/* Takes the device of the first array of an operation over into *device (NULL before); VALUE when a later array is on
 * another one, or the array was freed. */
cuna_status cuna__array_refuse_device(const cuna_device *device, const cuna_array *array, const char *name);
static inline cuna_status cuna__array_use_device(cuna_device **device, const cuna_array *array, const char *name)
{
    CUNA_TRY(cuna__array_use(array, name));
    if (*device == NULL)
        *device = array->buffer->device;
    return __builtin_expect(*device == array->buffer->device, 1) ? CUNA_OK
                                                                 : cuna__array_refuse_device(*device, array, name);
}

/* VALUE unless the array may be written ("name: the output is a broadcast view ..."). */
cuna_status cuna__array_check_writable(const cuna_array *array, const char *name);

#endif

/* array.h: the buffer that arrays share, and the facts of arrays that the engines need. */
#ifndef CUNA_ARRAY_ARRAY_H
#define CUNA_ARRAY_ARRAY_H

#include "cuna.h"
#include "device/context.h"

/* Memory shared by an array and its views; freed with the last of them. */
struct cuna_buffer {
    int32_t references;
    bool rehearsed; /* made in a rehearsal, where others are not written to */
    cuna_device *device;
    cuna_block *block;                /* NULL: foreign memory, or none (size 0) */
    struct cuna_host_part *host_part; /* of memory of the host that a device copies from and to by itself; NULL: none */
    cu_deviceptr ptr;
    int64_t nbytes;
    void (*release)(void *owner); /* foreign memory: called once at the end */
    void *owner;
    cuna_array *root; /* the array the first view was made of; made with that view */
};

/* A buffer with one share; NULL when the host has no memory left. Releasing the last share gives the memory back. */
cuna_buffer *cuna__buffer_create(cuna_device *device, cuna_block *block, cu_deviceptr ptr, int64_t nbytes);
void cuna__buffer_release(cuna_buffer *buffer);

/* Notes that the block of an array of the host is pinned memory of a device. MEMORY. */
cuna_status cuna__buffer_pin(cuna_buffer *buffer, cuna_device *owner);

/* Writes an array's shape as text, for messages. */
void cuna__array_describe(char *text, size_t nbytes, const cuna_array *array);

/* Whether both have the same elements in the same places, so that an in-place operation is safe. */
bool cuna__array_same_place(const cuna_array *a, const cuna_array *b);

/* Whether elements of both may share memory: their bytes overlap, and none lie in the gaps of the other. */
bool cuna__array_meets(const cuna_array *a, const cuna_array *b);

/* Whether writing `out` could spoil elements of `in` before they are read: bytes are shared, and not by the same
 * elements in the same places. */
bool cuna__array_conflicts(const cuna_array *out, const cuna_array *in);

/* VALUE unless the array is filled: between the bindings' check and this call a finalizer may have freed it. */
cuna_status cuna__array_refuse_freed(const char *name);
static inline cuna_status cuna__array_check_filled(const cuna_array *array, const char *name)
{
    return __builtin_expect(array->buffer != NULL, 1) ? CUNA_OK : cuna__array_refuse_freed(name);
}

/* Notes that work on `stream`, which comes next, uses the array, and lets it wait for what is still at work on its memory
 * (cuna__stream_claim; copies beside the host). The stream's device, which is the array's, is current. DEVICE. */
cuna_status cuna__array_claim_slowly(const cuna_context *context, cuna_stream *stream, const cuna_array *array);
static inline cuna_status cuna__array_claim(const cuna_context *context, cuna_stream *stream, const cuna_array *array)
{
    return __builtin_expect(!cuna__context_claims(context, stream->device), 1)
               ? CUNA_OK
               : cuna__array_claim_slowly(context, stream, array);
}

/* Between these two, a copy on `stream` from or to the memory of an array of the host is given to the stream. The next
 * user of the memory waits for it. */
cuna_status cuna__array_begin_copy(const cuna_array *array, cuna_stream *stream);
cuna_status cuna__array_end_copy(const cuna_array *array, cuna_stream *stream);

/* Takes the device of the first array of an operation over into *device (NULL before); VALUE when a later array is on
 * another one, or the array was freed. */
cuna_status cuna__array_refuse_device(const cuna_device *device, const cuna_array *array, const char *name);
static inline cuna_status cuna__array_use_device(cuna_device **device, const cuna_array *array, const char *name)
{
    CUNA_TRY(cuna__array_check_filled(array, name));
    if (*device == NULL)
        *device = array->buffer->device;
    return __builtin_expect(*device == array->buffer->device, 1) ? CUNA_OK
                                                                 : cuna__array_refuse_device(*device, array, name);
}

/* VALUE unless the array may be written ("name: the output is a broadcast view ..."). */
cuna_status cuna__array_check_writable(const cuna_array *array, const char *name);

#endif

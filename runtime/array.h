/* array.h: the buffer behind arrays, and what the engines ask of arrays. */
#ifndef CUNA_ARRAY_H
#define CUNA_ARRAY_H

#include "context.h"
#include "cuna.h"

/* Memory shared by an array and its views; freed with the last of them. */
struct cuna_buffer {
    int32_t references;
    cuna_device *device;
    cuna_block *block; /* NULL: foreign memory, or none (size 0) */
    cu_deviceptr ptr;
    int64_t nbytes;
    void (*release)(void *owner); /* foreign memory: called once at the end */
    void *owner;
    cuna_array *root; /* the array the first view was made of; made with that view */
};

/* cuna_array_wrap for memory of any device, which must be reachable for its copies. */
cuna_status cuna__array_adopt(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim, const int64_t *shape,
                              cu_deviceptr memory, void (*release)(void *owner), void *owner);

/* Writes an array's shape as text, for messages. */
void cuna__array_describe(char *text, size_t nbytes, const cuna_array *array);

/* Whether both have the same elements in the same places, so that an in-place operation is safe. */
bool cuna__array_same_place(const cuna_array *a, const cuna_array *b);

/* Whether writing `out` could spoil elements of `in` before they are read: bytes are shared, and not by the same
 * elements in the same places. */
bool cuna__array_conflicts(const cuna_array *out, const cuna_array *in);

/* VALUE unless the array is filled: between the bindings' check and this call a finalizer may have freed it. */
cuna_status cuna__array_refuse_freed(const char *name);
static inline cuna_status cuna__array_check_filled(const cuna_array *array, const char *name)
{
    return __builtin_expect(array->buffer != NULL, 1) ? CUNA_OK : cuna__array_refuse_freed(name);
}

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

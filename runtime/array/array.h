/* array.h: the buffer that arrays share, the gate to their bytes, and the facts of arrays that the engines need. */
#ifndef CUNA_ARRAY_ARRAY_H
#define CUNA_ARRAY_ARRAY_H

#include <assert.h>

#include "array/value.h"

/* What an array and its views share; freed with the last of them. */
struct cuna_buffer {
    int32_t references;
    bool rehearsed;  /* made in a rehearsal, where others are not written to */
    bool exposed;    /* others know its address, and may use the memory at any time; once set, never cleared */
    int32_t readers; /* recipes of arrays that would read the memory once more */
    cuna_value *value;
    cuna_array *root; /* the array the first view was made of; made with that view */
    cuna_device *device;
    cu_deviceptr ptr; /* the value's; 0 while that is not ready to be touched (without elements it is not 0 either) */
};

/* A buffer and its value are one allocation, freed as the value: the buffer uses that to its own end. */
typedef struct cuna_value_room {
    cuna_value value;
    cuna_buffer buffer;
} cuna_value_room;

/* Begins another life of an array's memory, if it has any, for the order of streams (cuna__block_begin_life). */
static inline void cuna__array_begin_life(const cuna_array *array)
{
    if (array->buffer != NULL && array->buffer->value->block != NULL)
        cuna__block_begin_life(array->buffer->value->block);
}

/* Brings both into the caches. */
static inline void cuna__buffer_fetch(const cuna_buffer *buffer)
{
    cuna__fetch((const char *)buffer - offsetof(cuna_value_room, buffer), sizeof(cuna_value_room));
}

/* Room for both; NULL when the host has no memory left. */
cuna_value_room *cuna__value_alloc(void);

/* A buffer with one share, for arrays of `device`, and its value: memory of `owner`. NULL when the host has no memory
 * left. */
cuna_buffer *cuna__buffer_create(cuna_device *device, cuna_device *owner, cuna_block *block, cu_deviceptr ptr,
                                 int64_t nbytes);
void cuna__buffer_release(cuna_buffer *buffer);

/* Writes an array's shape as text, for messages. */
void cuna__array_describe(char *text, size_t nbytes, const cuna_array *array);

/* Where an array begins, to be compared with others. Arrays of one buffer compare by their offsets. */
cu_deviceptr cuna__array_place(const cuna_array *array);

/* Whether both have the same elements in the same places, so that an in-place operation is safe. */
bool cuna__array_same_place(const cuna_array *a, const cuna_array *b);

/* Whether elements of both may share memory: false for those that lie in the gaps, or beside rows, of the other. */
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
static inline bool cuna__array_is_ready(const cuna_array *array)
{
    return array->buffer->ptr != 0;
}
cuna_status cuna__array_evaluate(const cuna_array *array);
static inline cuna_status cuna__array_ready(const cuna_array *array)
{
    return __builtin_expect(cuna__array_is_ready(array), 1) ? CUNA_OK : cuna__array_evaluate(array);
}

/* What will compute a buffer's memory; NULL: that is there. */
static inline cuna_recipe *cuna__buffer_recipe(const cuna_buffer *buffer)
{
    return buffer->value->recipe;
}
static inline void cuna__buffer_set_recipe(cuna_buffer *buffer, cuna_recipe *recipe)
{
    buffer->value->recipe = recipe;
}

/* Whether nothing but calls of cuna and launches of graphs read or write the memory, which is of a plain pool or not there
 * yet. Others may use what they know, and what the host reaches, at any time. */
bool cuna__buffer_is_private(const cuna_buffer *buffer);

/* Whether a graph keeps the memory; whether that is there, in the device's own pool. */
static inline bool cuna__buffer_is_kept(const cuna_buffer *buffer)
{
    return buffer->value->is_kept;
}
bool cuna__buffer_is_pooled(const cuna_buffer *buffer);

/* Whether no other buffer shares the memory. */
bool cuna__buffer_has_own_memory(const cuna_buffer *buffer);

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

/* Before an array is written to, or exposed: it is evaluated, and so are recipes that read it. Memory that its own recipe
 * fills just now holds nothing that these could read. MEMORY, DEVICE, COMPILE. */
cuna_status cuna__array_change_slowly(const cuna_array *array);
static inline bool cuna__buffer_is_read(const cuna_buffer *buffer)
{
    return buffer->value->recipe != NULL ? buffer->ptr == 0 : buffer->readers > 0;
}
static inline cuna_status cuna__array_change(const cuna_array *array)
{
    return __builtin_expect(!cuna__buffer_is_read(array->buffer), 1) ? CUNA_OK : cuna__array_change_slowly(array);
}

/* The address of the first element, for use outside of cuna. MEMORY, DEVICE, COMPILE as cuna__array_change. */
static inline cuna_status cuna__array_expose(cu_deviceptr *address, const cuna_array *array)
{
    CUNA_TRY(cuna__array_change(array));
    __atomic_store_n(&array->buffer->exposed, true, __ATOMIC_RELAXED);
    *address = cuna__array_data(array);
    return CUNA_OK;
}

/* The array's content, which is ready and exposed, with one more use that the caller ends (cuna__value_release). */
static inline cuna_value *cuna__array_retain_value(const cuna_array *array)
{
    cuna__array_assert_ready(array);
    cuna__value_retain(array->buffer->value);
    return array->buffer->value;
}

/* A buffer as large as an array's, without memory; NULL when the host has none left. Takes the content of another one,
 * which is private, and gets a recipe next. */
cuna_buffer *cuna__buffer_create_empty(const cuna_array *array);
void cuna__buffer_hand_over(cuna_buffer *to, cuna_buffer *from);

/* The address of a content that is in memory: contents that move to other buffers keep it. */
uint64_t cuna__buffer_content(const cuna_buffer *buffer);

/* Exchanges the contents of two buffers that are as large as each other. */
void cuna__buffer_exchange(cuna_buffer *a, cuna_buffer *b);

/* Lets an array, which is not the last one of its buffer, be one of another buffer. */
void cuna__array_move(cuna_array *array, cuna_buffer *to);

/* Whether an array is all of its buffer, in order. */
bool cuna__array_is_all(const cuna_array *array);

/* Fills `out` with a row-major array whose memory a recipe will make. MEMORY. */
cuna_status cuna__array_create_recorded(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim,
                                        const int64_t *shape, cuna_recipe *recipe);

/* Fills `out` with the row-major array whose elements a buffer has. MEMORY. */
cuna_status cuna__array_over(cuna_array *out, cuna_buffer *buffer, cuna_dtype dtype, int ndim, const int64_t *shape);

/* Gives a buffer without memory its memory, and takes it away again. MEMORY, DEVICE. */
cuna_status cuna__buffer_take_memory(cuna_buffer *buffer, cuna_context *context);
void cuna__buffer_give_back(cuna_buffer *buffer);

/* Fills `out` with an array of the same elements in the same memory. MEMORY. */
cuna_status cuna__array_share(cuna_array *out, const cuna_array *src);

/* Notes that work on `stream`, which comes next, uses the array (cuna__value_claim). */
static inline cuna_status cuna__array_claim(const cuna_context *context, cuna_stream *stream, const cuna_array *array)
{
    cuna__array_assert_ready(array);
    return cuna__value_claim(context, stream, array->buffer->value);
}

/* The same for a launch whose words contain the array's address (cuna__words_add_address). */
static inline cuna_status cuna__array_claim_operand(const cuna_context *context, cuna_stream *stream,
                                                    const cuna_array *array, bool changes)
{
    cuna__array_assert_ready(array);
    return cuna__value_claim_slowly(context, stream, array->buffer->value, changes ? CUNA_USE_CHANGES : CUNA_USE_READS);
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

/* Fills `out` with a 0-d view of the place where an array's elements begin, even if there are none. MEMORY. */
cuna_status cuna__array_head(cuna_array *out, const cuna_array *src);

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

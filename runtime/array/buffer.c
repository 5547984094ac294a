/* buffer.c: what an array shares with its views: the identity that outlives a content. */
#include "array/array.h"

#include <stdlib.h>

#include "device/allocator.h"

cuna_buffer *cuna__buffer_create(cuna_device *device, cuna_device *owner, cuna_block *block, cu_deviceptr ptr,
                                 int64_t nbytes)
{
    cuna_value_room *made = cuna__value_alloc();
    if (made == NULL)
        return NULL;
    cuna__value_begin(&made->value, owner, block, ptr, nbytes);
    made->buffer = (cuna_buffer){.references = 1, .device = device, .value = &made->value, .ptr = ptr};
    return &made->buffer;
}

void cuna__buffer_release(cuna_buffer *buffer)
{
    if (!cuna__drop_holder(&buffer->references))
        return;
    if (buffer->root != NULL && buffer->root->dims != buffer->root->inline_dims)
        free(buffer->root->dims);
    free(buffer->root);
    cuna__value_release(buffer->value);
}

bool cuna__buffer_is_private(const cuna_buffer *buffer)
{
    const cuna_value *value = buffer->value;
    if (buffer->exposed || value->block == NULL)
        return !buffer->exposed && value->recipe != NULL;
    return cuna__buffer_is_pooled(buffer) || cuna__pool_is_plain(value->block->pool);
}

bool cuna__buffer_is_pooled(const cuna_buffer *buffer)
{
    const cuna_block *block = buffer->value->block;
    return block != NULL && block->pool == buffer->device->pool;
}

cuna_status cuna__buffer_take_memory(cuna_buffer *buffer, cuna_context *context)
{
    cuna_value *value = buffer->value;
    CUNA_TRY(cuna__context_alloc(&value->block, context, buffer->device, value->nbytes));
    buffer->ptr = value->ptr = value->block->ptr;
    return CUNA_OK;
}

cuna_buffer *cuna__buffer_create_empty(const cuna_array *array)
{
    const cuna_buffer *like = array->buffer;
    return cuna__buffer_create(like->device, like->value->device, NULL, 0, like->value->nbytes);
}

void cuna__buffer_hand_over(cuna_buffer *to, cuna_buffer *from)
{
    cuna_value *old = from->value, *new = to->value;
    new->ptr = old->ptr;
    new->outside = old->outside;
    new->recipe = old->recipe;
    new->block = old->block;
    to->ptr = from->ptr;
    from->ptr = old->ptr = 0;
    old->outside = NULL;
    old->recipe = NULL;
    old->block = NULL;
}

bool cuna__buffer_has_own_memory(const cuna_buffer *buffer)
{
    return buffer->value->block != NULL || cuna__buffer_recipe(buffer) != NULL;
}

uint64_t cuna__buffer_content(const cuna_buffer *buffer)
{
    return buffer->value->ptr;
}

void cuna__buffer_exchange(cuna_buffer *a, cuna_buffer *b)
{
    cuna_value *x = a->value, *y = b->value, old = *x;
    x->ptr = a->ptr = y->ptr;
    x->outside = y->outside;
    x->recipe = y->recipe;
    x->block = y->block;
    y->ptr = b->ptr = old.ptr;
    y->outside = old.outside;
    y->recipe = old.recipe;
    y->block = old.block;
}

void cuna__array_move(cuna_array *array, cuna_buffer *to)
{
    __atomic_add_fetch(&to->references, 1, __ATOMIC_RELAXED);
    cuna__buffer_release(array->buffer);
    array->buffer = to;
}

bool cuna__array_is_all(const cuna_array *array)
{
    return array->offset == 0 && (array->flags & CUNA_ARRAY_CONTIGUOUS) != 0 &&
           array->size * cuna_dtype_size((cuna_dtype)array->dtype) == array->buffer->value->nbytes;
}

void cuna__buffer_give_back(cuna_buffer *buffer)
{
    cuna__block_free(buffer->device, buffer->value->block);
    buffer->value->block = NULL;
    buffer->ptr = buffer->value->ptr = 0;
}

cuna_status cuna__array_evaluate(const cuna_array *array)
{
    cuna_buffer *buffer = array->buffer;
    if (buffer->value->recipe != NULL)
        CUNA_TRY(buffer->value->recipe->evaluate(buffer->value->recipe));
    buffer->ptr = buffer->value->ptr;
    return CUNA_OK;
}

cuna_status cuna__array_change_slowly(const cuna_array *array)
{
    cuna_buffer *buffer = array->buffer;
    CUNA_TRY(cuna__array_ready(array));
    return buffer->readers > 0 ? buffer->device->recorder->evaluate_readers(buffer) : CUNA_OK;
}

cuna_status cuna_array_expose(uint64_t *address, const cuna_array *array, const char *name)
{
    CUNA_TRY(cuna__array_use(array, name));
    return cuna__array_expose(address, array);
}

bool cuna_array_is_exposed(const cuna_array *array)
{
    return __atomic_load_n(&array->buffer->exposed, __ATOMIC_RELAXED);
}

void cuna_array_hide(const cuna_array *array)
{
    if (array->buffer != NULL && !cuna_array_is_exposed(array))
        array->buffer->ptr = 0;
}

cuna_status cuna_array_claim(cuna_context *context, cuna_stream *stream, const cuna_array *array)
{
    CUNA_TRY(cuna__array_use(array, "claim"));
    CUNA_TRY(cuna__device_enter(array->buffer->device));
    return cuna__array_claim(context, stream, array);
}

cuna_status cuna_array_settle(const cuna_context *context, const cuna_array *array)
{
    return cuna__value_settle(context, array->buffer->device, array->buffer->value);
}

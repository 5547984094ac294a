/* copy_element.c: reads and writes one element.
 *
 * If the element is in the host's memory, and no second stream, graph, trace, rehearsal or cn.no_sync has to note or
 * forbid the access, the host reads or writes it directly. Otherwise its bytes are copied as all others (copy.c). */
#include "array/array.h"
#include "device/trace.h"

#include <string.h>

/* Whether work on the device ends before its call does, and nothing notes, records, traces or forbids what comes next. */
static bool is_quiet(const cuna_context *context, const cuna_device *device)
{
    bool is_noted = cuna__context_claims(context, device) | (context->rehearsal != NULL) |
                    (context->waits_forbidden != NULL) | (context->capturing != NULL) | context->is_watched;
    return device->driver->facts.host_memory && !is_noted && !__atomic_load_n(&cuna__trace_works, __ATOMIC_RELAXED) &&
           !__atomic_load_n(&device->barred, __ATOMIC_RELAXED);
}

static void *address_of(const cuna_array *array, int64_t offset)
{
    return (void *)(uintptr_t)(cuna__array_data(array) + (cu_deviceptr)(offset * cuna_dtype_size(array->dtype)));
}

const void *cuna_array_touch(const cuna_context *context, const cuna_array *array, int64_t offset)
{
    if (array->buffer == NULL || !is_quiet(context, array->buffer->device) || cuna__array_ready(array) != CUNA_OK)
        return NULL;
    return address_of(array, offset);
}

void *cuna_array_touch_to_write(const cuna_context *context, const cuna_array *array, int64_t offset)
{
    if ((array->flags & CUNA_ARRAY_READONLY) != 0 || cuna_array_touch(context, array, offset) == NULL ||
        cuna__array_change(array) != CUNA_OK)
        return NULL;
    return address_of(array, offset);
}

cuna_status cuna_array_read(cuna_number *out, cuna_context *context, const cuna_array *array, int64_t offset)
{
    uint64_t bytes[2];
    int64_t itemsize = cuna_dtype_size(array->dtype);
    const void *memory = cuna_array_touch(context, array, offset);
    if (memory == NULL) {
        CUNA_TRY(cuna_array_get_bytes(context, array, offset * itemsize, bytes, itemsize));
        memory = bytes;
    }
    cuna_number_load(out, array->dtype, memory);
    return CUNA_OK;
}

/* As a kernel, which has the number in its arguments: so it can be recorded. */
static cuna_status fill_element(cuna_context *context, const cuna_array *array, int64_t offset,
                                const cuna_number *number)
{
    cuna_array element = *array;
    element.dims = element.inline_dims;
    element.ndim = 0;
    element.size = 1;
    element.offset += offset * cuna_dtype_size(array->dtype);
    element.flags = CUNA_ARRAY_CONTIGUOUS | CUNA_ARRAY_VIEW;
    return cuna_array_fill(context, &element, number);
}

cuna_status cuna_array_write(cuna_context *context, const cuna_array *array, int64_t offset, const cuna_number *number)
{
    uint64_t bytes[2];
    int64_t itemsize = cuna_dtype_size(array->dtype);
    CUNA_TRY(cuna__array_check_alive(array, "assignment"));
    CUNA_TRY(cuna__array_check_writable(array, "assignment"));
    if (cuna__context_stream(context, array->buffer->device)->capture != NULL)
        return fill_element(context, array, offset, number);
    void *memory = cuna_array_touch_to_write(context, array, offset);
    cuna_number_store(bytes, array->dtype, number);
    if (memory == NULL)
        return cuna_array_set_bytes(context, array, offset * itemsize, bytes, itemsize);
    memcpy(memory, bytes, (size_t)itemsize);
    return CUNA_OK;
}

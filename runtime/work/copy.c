/* copy.c: moving elements: between arrays and devices, to and from the host.
 *
 * A copy is a program without instructions. When the dtype stays, elements move as unsigned integers of their size, so
 * that bits are kept and few kernels serve all dtypes. Between devices only contiguous blocks of one dtype move; before
 * and after, each device converts on its own side. */
#include <stdatomic.h>
#include <string.h>

#include "array/array.h"
#include "device/staging.h"
#include "device/trace.h"
#include "kernel/launch.h"

/* The dtype as which elements of `dtype` move unchanged. */
static cuna_dtype carrier(cuna_dtype dtype)
{
    switch (cuna_dtype_size(dtype)) {
    case 1:
        return CUNA_UINT8;
    case 2:
        return CUNA_UINT16;
    case 4:
        return CUNA_UINT32;
    case 8:
        return CUNA_UINT64;
    default:
        return dtype;
    }
}

static cuna_status copy_program(const cuna_program **out, cuna_dtype to, cuna_dtype from, bool scalar)
{
    static const cuna_program *cached[2][CUNA_DTYPES][CUNA_DTYPES];
    const cuna_program **slot = &cached[scalar][to][from];
    *out = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    cuna_program_text text = {.ninputs = 1, .noutputs = 1};
    text.input_dtype[0] = (uint8_t)from;
    text.input_scalar[0] = scalar;
    text.output_dtype[0] = (uint8_t)to;
    CUNA_TRY(cuna_program_intern(out, &text));
    __atomic_store_n(slot, *out, __ATOMIC_RELEASE);
    return CUNA_OK;
}

static bool is_block(const cuna_array *array)
{
    return (array->flags & CUNA_ARRAY_CONTIGUOUS) != 0;
}

/* A borrowed look at an array under another dtype of the same size. */
static void look_as(cuna_array *out, const cuna_array *array, cuna_dtype dtype)
{
    *out = *array;
    out->dtype = (uint8_t)dtype;
    if (array->dims == array->inline_dims)
        out->dims = out->inline_dims;
}

static cuna_status run_copy(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    cuna_dtype to = dst->dtype, from = src->dtype;
    if (to == from)
        to = from = carrier(to);
    const cuna_program *program;
    CUNA_TRY(copy_program(&program, to, from, false));
    cuna_array out, in;
    look_as(&out, dst, to);
    look_as(&in, src, from);
    return cuna_elementwise(context, "copy", program, &(cuna_operand){.array = &in}, (cuna_array *[]){&out}, -1, NULL);
}

static cuna_status cannot_copy(const cuna_array *dst, const cuna_array *src)
{
    char to[256], from[256];
    cuna__array_describe(to, sizeof to, dst);
    cuna__array_describe(from, sizeof from, src);
    return cuna_fail(CUNA_VALUE, "copy: an array of shape %s does not broadcast into shape %s", from, to);
}

static bool broadcasts_into(const cuna_array *dst, const cuna_array *src)
{
    int64_t strides[CUNA_MAX_NDIM];
    return cuna__shape_expand(strides, dst->ndim, cuna_array_shape(dst), src->ndim, cuna_array_shape(src),
                              cuna_array_strides(src));
}

static int64_t count_bytes(const cuna_array *array)
{
    return array->size * cuna_dtype_size(array->dtype);
}

/* Makes the device of an array current and notes that its stream uses the array. */
static cuna_status enter_and_claim(const cuna_context *context, cuna_stream *stream, const cuna_array *array)
{
    CUNA_TRY(cuna__device_enter(stream->device));
    return cuna__array_claim(context, stream, array);
}

/* Whether a rehearsal keeps its hands off an array: it only writes to those that it made itself. */
static bool is_spared(const cuna_context *context, const cuna_array *array)
{
    return __builtin_expect(context->rehearsal != NULL, 0) && !array->buffer->rehearsed;
}

static cuna_stream *stream_of(const cuna_context *context, const cuna_array *array)
{
    return cuna__context_stream(context, array->buffer->device);
}

/* Lets the current device read the peer's memory, where the hardware can. Where it cannot, or has done so before, and
 * whatever the driver returns, copies work: the driver stages them. */
static void open_peer(cuna_device *device, cuna_device *peer)
{
    static atomic_bool asked[CUNA_MAX_DEVICES][CUNA_MAX_DEVICES];
    int answer = 0;
    if (atomic_exchange(&asked[device->number][peer->number], true))
        return;
    if (device->driver->device_can_access_peer(&answer, device->handle, peer->handle) == CU_SUCCESS && answer)
        device->driver->ctx_enable_peer_access(peer->primary, 0);
}

/* A block on its way between two devices of one driver. */
typedef struct passage {
    const cuna_context *context;
    cuna_device *to, *from;
    cuna_stream *to_stream, *from_stream;
    cu_event ready, done; /* of `from`: the block is there; of `to`: it was read */
} passage;

static cuna_status copy_peer(const passage *p, const cuna_array *dst, const cuna_array *src)
{
    const cuna_driver *driver = p->to->driver;
    CUNA_TRY(enter_and_claim(p->context, p->from_stream, src));
    CUNA_TRY(cuna__device_check(p->from, driver->event_record(p->ready, p->from_stream->handle), "cuEventRecord"));
    CUNA_TRY(enter_and_claim(p->context, p->to_stream, dst));
    open_peer(p->to, p->from);
    CUNA_TRY(
        cuna__device_check(p->to, driver->stream_wait_event(p->to_stream->handle, p->ready, 0), "cuStreamWaitEvent"));
    int64_t trace = cuna__trace_begin(CUNA_TRACE_COPY, "peer copy", p->to_stream, count_bytes(src));
    cu_result result = CUNA_DEVICE_CALL(
        p->to, driver->memcpy_peer_async(cuna__array_data(dst), p->to->primary, cuna__array_data(src), p->from->primary,
                                         (size_t)count_bytes(src), p->to_stream->handle));
    cuna__trace_end(trace, p->to_stream);
    return cuna__device_check(p->to, result, "cuMemcpyPeerAsync");
}

/* What `from` is given next may write over the block, or over its memory when it was freed. */
static cuna_status hold_source(const passage *p)
{
    const cuna_driver *driver = p->to->driver;
    CUNA_TRY(cuna__device_check(p->to, driver->event_record(p->done, p->to_stream->handle), "cuEventRecord"));
    CUNA_TRY(cuna__device_enter(p->from));
    return cuna__device_check(p->from, driver->stream_wait_event(p->from_stream->handle, p->done, 0),
                              "cuStreamWaitEvent");
}

static cuna_status make_passage(const passage *p, const cuna_array *dst, const cuna_array *src)
{
    CUNA_TRY(copy_peer(p, dst, src));
    cuna_status status = hold_source(p);
    if (status != CUNA_OK && cuna__device_enter(p->to) == CUNA_OK)
        p->to->driver->stream_synchronize(p->to_stream->handle);
    return status;
}

static cuna_status make_event(cu_event *out, cuna_device *device)
{
    CUNA_TRY(cuna__device_enter(device));
    return cuna__device_check(device, device->driver->event_create(out, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
}

static void destroy_event(cu_event event, cuna_device *device)
{
    if (event != NULL && cuna__device_make_current(device) == CUNA_OK)
        device->driver->event_destroy(event);
}

static cuna_status move_to_peer(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    passage p = {.context = context,
                 .to = dst->buffer->device,
                 .from = src->buffer->device,
                 .to_stream = stream_of(context, dst),
                 .from_stream = stream_of(context, src)};
    if (p.from->driver != p.to->driver)
        return cuna_fail(CUNA_VALUE, "copy: there is no way from %s to %s; go by x:to(\"cpu\")", p.from->name,
                         p.to->name);
    CUNA_TRY(cuna__staging_check_capture(p.from_stream));
    CUNA_TRY(cuna__staging_check_capture(p.to_stream));
    /* Events order the two streams: the copy waits for the source, and later work of the source for the copy. The
     * driver keeps a destroyed event until recorded work has passed it. */
    cuna_status status = make_event(&p.ready, p.from);
    if (status == CUNA_OK)
        status = make_event(&p.done, p.to);
    if (status == CUNA_OK)
        status = make_passage(&p, dst, src);
    destroy_event(p.ready, p.from);
    destroy_event(p.done, p.to);
    return status;
}

/* Moves a block between devices. Both arrays are contiguous, with the same dtype and size. */
static cuna_status move_block(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    cuna_device *to = dst->buffer->device, *from = src->buffer->device;
    if (src->size == 0)
        return CUNA_OK;
    if (!from->driver->facts.host_memory && !to->driver->facts.host_memory)
        return move_to_peer(context, dst, src);
    CUNA_TRY(enter_and_claim(context, stream_of(context, src), src));
    CUNA_TRY(enter_and_claim(context, stream_of(context, dst), dst));
    if (from->driver->facts.host_memory)
        return cuna__staging_upload(context, to, cuna__array_data(dst), (const void *)(uintptr_t)cuna__array_data(src),
                                    count_bytes(src));
    return cuna__staging_download(context, from, (void *)(uintptr_t)cuna__array_data(dst), cuna__array_data(src),
                                  count_bytes(src));
}

/* Moves a block into an array of any layout and dtype that it broadcasts into. */
static cuna_status move_into(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    if (is_block(dst) && dst->dtype == src->dtype && dst->size == src->size)
        return move_block(context, dst, src);
    cuna_array moved = {0};
    CUNA_TRY(cuna_array_to(&moved, context, src, dst->buffer->device));
    cuna_status status = cuna_array_copy(context, dst, &moved);
    cuna_array_release(&moved);
    return status;
}

/* Whichever dtype is smaller travels. */
static cuna_status copy_across(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    bool shrinks = cuna_dtype_size(dst->dtype) < cuna_dtype_size(src->dtype);
    cuna_dtype dtype = shrinks ? dst->dtype : src->dtype;
    if (is_block(src) && dtype == src->dtype)
        return move_into(context, dst, src);
    cuna_array block = {0};
    CUNA_TRY(cuna_array_cast(&block, context, src, dtype));
    cuna_status status = move_into(context, dst, &block);
    cuna_array_release(&block);
    return status;
}

cuna_status cuna_array_copy(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    CUNA_TRY(cuna__array_use(dst, "copy"));
    CUNA_TRY(cuna__array_use(src, "copy"));
    CUNA_TRY(cuna__array_check_writable(dst, "copy"));
    if (!broadcasts_into(dst, src))
        return cannot_copy(dst, src);
    cuna_device *device = dst->buffer->device;
    bool spared = is_spared(context, dst);
    if (src->buffer->device != device)
        return spared ? CUNA_OK : copy_across(context, dst, src);
    /* The driver moves bytes only where nothing is converted, reordered or overwritten while it is read. All other copies
     * are programs, which handle overlaps themselves. */
    bool plain = dst->dtype == src->dtype && dst->size == src->size && is_block(dst) && is_block(src) &&
                 !cuna_array_overlaps(dst, src);
    if (!plain)
        return run_copy(context, dst, src);
    cuna_stream *stream = cuna__context_stream(context, device);
    if (dst->size == 0 || spared)
        return CUNA_OK;
    CUNA_TRY(enter_and_claim(context, stream, dst));
    CUNA_TRY(cuna__array_claim(context, stream, src));
    int64_t trace = cuna__trace_begin(CUNA_TRACE_COPY, "copy", stream, count_bytes(dst));
    cu_result result =
        CUNA_DEVICE_CALL(device, device->driver->memcpy_dtod_async(cuna__array_data(dst), cuna__array_data(src),
                                                                   (size_t)count_bytes(dst), stream->handle));
    cuna__trace_end(trace, stream);
    return cuna__device_check(device, result, "cuMemcpyDtoDAsync");
}

cuna_status cuna_array_to(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_device *device)
{
    CUNA_TRY(cuna__array_check_alive(src, "to"));
    CUNA_TRY(cuna_array_create_on(out, context, device, src->dtype, src->ndim, cuna_array_shape(src)));
    cuna_status status = cuna_array_copy(context, out, src);
    if (status != CUNA_OK)
        cuna_array_release(out);
    return status;
}

/* The unsigned integer with the bits of an element of up to 8 bytes. */
static cuna_number bits_of(const uint64_t *element)
{
    return (cuna_number){.kind = CUNA_NUMBER_UINT, .u = *element};
}

static bool all_bytes_equal(const unsigned char *bytes, int64_t nbytes)
{
    for (int64_t i = 1; i < nbytes; i++)
        if (bytes[i] != bytes[0])
            return false;
    return true;
}

cuna_status cuna_array_fill(cuna_context *context, const cuna_array *dst, const cuna_number *number)
{
    uint64_t element[2];
    int64_t itemsize = cuna_dtype_size(dst->dtype);
    CUNA_TRY(cuna__array_use(dst, "fill"));
    cuna_device *device = dst->buffer->device;
    CUNA_TRY(cuna__array_check_writable(dst, "fill"));
    if (dst->size == 0)
        return CUNA_OK;
    cuna_number_store(element, dst->dtype, number);
    /* 0, the most common value, needs no kernel: neither a compiler's time nor a launch. */
    if (is_block(dst) && all_bytes_equal((unsigned char *)element, itemsize)) {
        cuna_stream *stream = cuna__context_stream(context, device);
        if (is_spared(context, dst))
            return CUNA_OK;
        CUNA_TRY(enter_and_claim(context, stream, dst));
        int64_t trace = cuna__trace_begin(CUNA_TRACE_SET, "fill", stream, count_bytes(dst));
        cu_result result =
            CUNA_DEVICE_CALL(device, device->driver->memset_d8_async(cuna__array_data(dst), *(unsigned char *)element,
                                                                     (size_t)count_bytes(dst), stream->handle));
        cuna__trace_end(trace, stream);
        return cuna__device_check(device, result, "cuMemsetD8Async");
    }
    /* As bits, so that a NaN keeps its payload; no integer is as wide as complex128, which goes as the number. */
    cuna_dtype dtype = carrier(dst->dtype);
    const cuna_program *program;
    CUNA_TRY(copy_program(&program, dtype, dtype, true));
    cuna_array out;
    look_as(&out, dst, dtype);
    cuna_operand value = {.number = itemsize <= 8 ? bits_of(element) : *number};
    return cuna_elementwise(context, "fill", program, &value, (cuna_array *[]){&out}, -1, NULL);
}

cuna_status cuna_fill_program(const cuna_program **out, cuna_dtype dtype)
{
    return copy_program(out, dtype, dtype, true);
}

cuna_status cuna_cast_program(const cuna_program **out, cuna_dtype to, cuna_dtype from)
{
    return copy_program(out, to, from, false);
}

cuna_status cuna_array_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype)
{
    CUNA_TRY(cuna__array_check_alive(src, "copy"));
    CUNA_TRY(cuna_array_create_on(out, context, src->buffer->device, dtype, src->ndim, cuna_array_shape(src)));
    cuna_status status = cuna_array_copy(context, out, src);
    if (status != CUNA_OK)
        cuna_array_release(out);
    return status;
}

static cuna_status set_bytes(const cuna_context *context, const cuna_array *array, int64_t offset, const void *host,
                             int64_t nbytes)
{
    if (is_spared(context, array))
        return CUNA_OK;
    CUNA_TRY(enter_and_claim(context, stream_of(context, array), array));
    return cuna__staging_upload(context, array->buffer->device, cuna__array_data(array) + (cu_deviceptr)offset, host,
                                nbytes);
}

static cuna_status get_bytes(const cuna_context *context, const cuna_array *array, int64_t offset, void *host,
                             int64_t nbytes)
{
    CUNA_TRY(enter_and_claim(context, stream_of(context, array), array));
    return cuna__staging_download(context, array->buffer->device, host, cuna__array_data(array) + (cu_deviceptr)offset,
                                  nbytes);
}

cuna_status cuna_array_set(cuna_context *context, const cuna_array *array, const void *host)
{
    CUNA_TRY(cuna__array_use(array, "set"));
    CUNA_TRY(cuna__array_check_writable(array, "set"));
    if (array->size == 0)
        return CUNA_OK;
    if (is_block(array))
        return set_bytes(context, array, 0, host, count_bytes(array));
    cuna_array block = {0};
    CUNA_TRY(cuna_array_create_on(&block, context, array->buffer->device, array->dtype, array->ndim,
                                  cuna_array_shape(array)));
    cuna_status status = set_bytes(context, &block, 0, host, count_bytes(&block));
    if (status == CUNA_OK)
        status = cuna_array_copy(context, array, &block);
    cuna_array_release(&block);
    return status;
}

cuna_status cuna_array_get(cuna_context *context, const cuna_array *array, void *host)
{
    CUNA_TRY(cuna__array_use(array, "get"));
    if (array->size == 0)
        return CUNA_OK;
    if (is_block(array))
        return get_bytes(context, array, 0, host, count_bytes(array));
    cuna_array block = {0};
    CUNA_TRY(cuna_array_cast(&block, context, array, array->dtype));
    cuna_status status = get_bytes(context, &block, 0, host, count_bytes(&block));
    cuna_array_release(&block);
    return status;
}

cuna_status cuna_array_set_bytes(cuna_context *context, const cuna_array *array, int64_t offset, const void *host,
                                 int64_t nbytes)
{
    CUNA_TRY(cuna__array_use(array, "set"));
    return set_bytes(context, array, offset, host, nbytes);
}

cuna_status cuna_array_get_bytes(cuna_context *context, const cuna_array *array, int64_t offset, void *host,
                                 int64_t nbytes)
{
    CUNA_TRY(cuna__array_use(array, "get"));
    return get_bytes(context, array, offset, host, nbytes);
}

cuna_status cuna_array_host(void **out, cuna_context *context, const cuna_array *array)
{
    *out = NULL;
    CUNA_TRY(cuna__array_use(array, "get"));
    if (!array->buffer->device->driver->facts.host_memory)
        return CUNA_OK;
    CUNA_TRY(cuna__staging_check_capture(stream_of(context, array)));
    CUNA_TRY(enter_and_claim(context, stream_of(context, array), array));
    *out = (void *)(uintptr_t)cuna__array_data(array);
    return CUNA_OK;
}

/* ---- beside the host ---- */

static cuna_status check_async(const cuna_array *dst, const cuna_array *src)
{
    CUNA_TRY(cuna__array_use(dst, "copy"));
    CUNA_TRY(cuna__array_use(src, "copy"));
    CUNA_TRY(cuna__array_check_writable(dst, "copy"));
    bool same = dst->dtype == src->dtype && dst->size == src->size && is_block(dst) && is_block(src);
    return same ? CUNA_OK
                : cuna_fail(CUNA_VALUE,
                            "copy: a copy beside the host is between contiguous arrays of one dtype and size");
}

/* Gives a copy between pinned memory of the host and a device to the device's stream. */
static cuna_status copy_pinned(cuna_stream *stream, const cuna_array *dst, const cuna_array *src, bool up)
{
    const cuna_array *host = up ? src : dst;
    const cuna_driver *driver = stream->device->driver;
    size_t nbytes = (size_t)count_bytes(src);
    CUNA_TRY(cuna__array_begin_copy(host, stream));
    int64_t trace = cuna__trace_begin(CUNA_TRACE_COPY, up ? "to device" : "to host", stream, count_bytes(src));
    cu_result result =
        CUNA_DEVICE_CALL(stream->device, up ? driver->memcpy_htod_async(cuna__array_data(dst),
                                                                        (const void *)(uintptr_t)cuna__array_data(src),
                                                                        nbytes, stream->handle)
                                            : driver->memcpy_dtoh_async((void *)(uintptr_t)cuna__array_data(dst),
                                                                        cuna__array_data(src), nbytes, stream->handle));
    cuna__trace_end(trace, stream);
    cuna_status status = cuna__array_end_copy(host, stream);
    CUNA_TRY(cuna__device_check(stream->device, result, up ? "cuMemcpyHtoDAsync" : "cuMemcpyDtoHAsync"));
    return status;
}

cuna_status cuna_array_copy_async(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    CUNA_TRY(check_async(dst, src));
    bool up = src->buffer->device->driver->facts.host_memory, down = dst->buffer->device->driver->facts.host_memory;
    const cuna_array *host = up ? src : dst, *other = up ? dst : src;
    cuna_stream *stream = stream_of(context, other);
    if (up == down || src->size == 0 ||
        !cuna__staging_is_pinned(stream->device, (void *)(uintptr_t)cuna__array_data(host)))
        return cuna_array_copy(context, dst, src);
    if (is_spared(context, dst))
        return CUNA_OK;
    CUNA_TRY(cuna__staging_check_capture(stream));
    CUNA_TRY(enter_and_claim(context, stream, other));
    return copy_pinned(stream, dst, src, up);
}

/* life.c: whether a device can be used: made current, its results checked, its death reported.
 *
 * A device is dead after an error that CUDA keeps returning ("sticky"), and lost in the child of a fork: then it is
 * barred. Every call first enters the device: it queries the thread's context from the driver, because other libraries
 * of the process set theirs between any two calls. Asking costs a few nanoseconds, setting a hundred. Finalizers may
 * run other libraries too, so what calls Lua enters once more. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "device/context.h"
#include "device/device.h"

#define SHOWN_LAUNCHES 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the writing of `dead` */

static bool is_dead(const cuna_device *device)
{
    return __atomic_load_n(&device->dead[0], __ATOMIC_ACQUIRE) != '\0';
}

static cuna_status refuse(const cuna_device *device)
{
    if (device->lost)
        return cuna_fail(CUNA_DEVICE,
                         "%s was in use before this process was forked; CUDA cannot be used in the child: start a new "
                         "process (exec), or fork before the first use of the device",
                         device->name);
    return cuna_fail(CUNA_DEVICE, "%s is dead since %s; restart the process; other devices go on working", device->name,
                     device->dead);
}

cuna_status cuna__device_enter_slowly(cuna_device *device)
{
    if (device->lost || is_dead(device))
        return refuse(device);
    cu_result result = device->driver->ctx_set_current(device->primary); /* making room enters the device too */
    return result == CU_SUCCESS ? CUNA_OK : cuna__device_fail(device, result, "cuCtxSetCurrent");
}

void cuna__device_abandon(cuna_device *device)
{
    device->lost = device->barred = true;
    cuna__device_abandon_pools(device);
    cuna__streams_abandon(device);
}

/* Whether every later call on the context will return the same error. */
static bool is_sticky(cu_result result)
{
    switch (result) {
    case CU_ERROR_ECC_UNCORRECTABLE:
    case CU_ERROR_CONTAINED:
    case CU_ERROR_ILLEGAL_ADDRESS:
    case CU_ERROR_LAUNCH_TIMEOUT:
    case CU_ERROR_CONTEXT_IS_DESTROYED:
    case CU_ERROR_ASSERT:
    case CU_ERROR_HARDWARE_STACK_ERROR:
    case CU_ERROR_ILLEGAL_INSTRUCTION:
    case CU_ERROR_MISALIGNED_ADDRESS:
    case CU_ERROR_INVALID_ADDRESS_SPACE:
    case CU_ERROR_INVALID_PC:
    case CU_ERROR_LAUNCH_FAILED:
    case CU_ERROR_TENSOR_MEMORY_LEAK:
    case CU_ERROR_MPS_CLIENT_TERMINATED:
    case CU_ERROR_EXTERNAL_DEVICE:
        return true;
    default:
        return false;
    }
}

static bool is_suspect(const cuna_ring *ring, uint64_t launch)
{
    bool beside = ring->at[launch % CUNA_RING_LAUNCHES].beside;
    return launch >= __atomic_load_n(beside ? &ring->good : &ring->good_blocking, __ATOMIC_RELAXED);
}

/* The newest launches that nothing was heard of yet, up to `most`; *more: whether there may be others. */
static int find_suspects(uint64_t *found, bool *more, const cuna_ring *ring, int most)
{
    int nfound = 0;
    uint64_t count = __atomic_load_n(&ring->count, __ATOMIC_RELAXED);
    uint64_t oldest = count > CUNA_RING_LAUNCHES ? count - CUNA_RING_LAUNCHES : 0;
    *more = oldest > (ring->beside > ring->good ? ring->good : ring->good_blocking);
    for (uint64_t i = count; i-- > oldest;) {
        if (is_suspect(ring, i) && nfound == most)
            *more = true;
        else if (is_suspect(ring, i))
            found[nfound++] = i;
    }
    return nfound;
}

/* Lists the launches that nothing was heard of yet, oldest first; "" when there are none. */
static void list_suspects(char *text, size_t nbytes, const cuna_device *device)
{
    const cuna_ring *ring = &device->ring;
    uint64_t found[SHOWN_LAUNCHES];
    bool more;
    int count = find_suspects(found, &more, ring, SHOWN_LAUNCHES);
    text[0] = '\0';
    if (count == 0 || device->always_waits) /* then the call itself names the kernel */
        return;
    size_t length = (size_t)snprintf(text, nbytes, " after one of these launches: %s", more ? "..., " : "");
    for (int i = count; i-- > 0 && length < nbytes;)
        length += (size_t)snprintf(text + length, nbytes - length, "%s%s", ring->at[found[i] % CUNA_RING_LAUNCHES].name,
                                   i > 0 ? ", " : " (newest last); run with CUNA_SYNC=1 to find the line");
}

/* The first failure is the one that is remembered: later ones are its consequence. */
static cuna_status mark_dead(cuna_device *device, const char *failure)
{
    char suspects[SHOWN_LAUNCHES * CUNA_LAUNCH_NAME + 128], text[sizeof device->dead];
    pthread_mutex_lock(&lock);
    bool first = !is_dead(device);
    if (first) {
        list_suspects(suspects, sizeof suspects, device);
        snprintf(text, sizeof text, "%.320s%s", failure, suspects);
        memcpy(device->dead + 1, text + 1, strlen(text));
        __atomic_store_n(&device->dead[0], text[0], __ATOMIC_RELEASE);
        __atomic_store_n(&device->barred, true, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    if (!first)
        return refuse(device);
    return cuna_fail(CUNA_DEVICE, "%s: %s; the device is dead: restart the process; other devices go on working",
                     device->name, device->dead);
}

void cuna__device_describe_result(char *text, size_t nbytes, const cuna_driver *driver, cu_result result)
{
    const char *name = NULL, *words = NULL;
    if (driver->get_error_name(result, &name) != CU_SUCCESS || name == NULL)
        snprintf(text, nbytes, "unknown error %d", result);
    else if (driver->get_error_string(result, &words) != CU_SUCCESS || words == NULL)
        snprintf(text, nbytes, "%s", name);
    else
        snprintf(text, nbytes, "%s (%s)", name, words);
}

cuna_status cuna__device_fail(cuna_device *device, cu_result result, const char *call)
{
    char description[900], failure[960]; /* a message has about a thousand bytes */
    if (result == CUNA_ERROR_INTERRUPTED)
        return cuna_interrupt_fail();
    if (device->lost || is_dead(device)) /* a child's driver returns that it was not initialised */
        return refuse(device);
    cuna__device_describe_result(description, sizeof description, device->driver, result);
    snprintf(failure, sizeof failure, "%s failed with %s", call, description);
    if (result == CU_ERROR_STREAM_CAPTURE_IMPLICIT)
        return cuna_fail(CUNA_VALUE,
                         "%s: the default stream waits for a stream that captures: end that capture, or capture a "
                         "non-blocking stream (the driver says %s)",
                         call, description);
    if (is_sticky(result))
        return mark_dead(device, failure);
    return cuna_fail(result == CU_ERROR_OUT_OF_MEMORY ? CUNA_MEMORY : CUNA_DEVICE, "%s: %s", device->name, failure);
}

/* Raises `mark`: launches up to `count` have ended, and well. */
static void note_good(uint64_t *mark, uint64_t count)
{
    uint64_t good = __atomic_load_n(mark, __ATOMIC_RELAXED);
    while (good < count && !__atomic_compare_exchange_n(mark, &good, count, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

cuna_status cuna__device_wait(cuna_device *device, cu_stream stream, const char *call)
{
    uint64_t count = __atomic_load_n(&device->ring.count, __ATOMIC_RELAXED);
    CUNA_TRY(cuna__device_check(device, device->driver->stream_synchronize(stream), call));
    if (stream == NULL) /* the legacy default stream waits for all that are blocking */
        note_good(&device->ring.good_blocking, count);
    return CUNA_OK;
}

cuna_status cuna__device_synchronize(cuna_device *device)
{
    CUNA_TRY(cuna__device_enter(device));
    uint64_t count = __atomic_load_n(&device->ring.count, __ATOMIC_RELAXED);
    CUNA_TRY(cuna__streams_wait(device));
    note_good(&device->ring.good_blocking, count);
    note_good(&device->ring.good, count);
    return CUNA_OK;
}

/* What is recorded is not done, so there is nothing to wait for. */
cuna_status cuna__device_keep_launch(const cuna_context *context, const cuna_stream *stream, const char *name)
{
    cuna_device *device = stream->device;
    cuna_ring *ring = &device->ring;
    uint64_t launch = __atomic_fetch_add(&ring->count, 1, __ATOMIC_RELAXED);
    cuna_launch *entry = ring->at + launch % CUNA_RING_LAUNCHES;
    entry->beside = stream->non_blocking;
    strncpy(entry->name, name, CUNA_LAUNCH_NAME - 1); /* the last byte is 0 for ever */
    if (stream->non_blocking)
        __atomic_store_n(&ring->beside, launch + 1, __ATOMIC_RELAXED);
    bool waits = device->always_waits && stream->capture == NULL;
    if (__builtin_expect(!waits, 1))
        return CUNA_OK;
    CUNA_TRY(cuna__device_wait(device, stream->handle, name));
    return cuna__device_check_reports(context, device);
}

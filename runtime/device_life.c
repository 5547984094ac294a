/* device_life.c: whether a device can be used: made current, its answers judged, its death told.
 *
 * A device is dead after an answer that CUDA gives for ever ("sticky"), and lost in the child of a fork. Both are seen
 * where a thread makes it current, which every call does first: what makes a device unusable also makes this thread
 * forget that it is current, so that its next call takes the slow way and finds out. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "device.h"

#define SHOWN_LAUNCHES 8

static _Thread_local cuna_device *current __attribute__((tls_model("initial-exec")));
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

static cuna_status enter_slowly(cuna_device *device)
{
    if (device->lost || is_dead(device))
        return refuse(device);
    cu_result result = device->driver->ctx_set_current(device->primary); /* making room enters the device too */
    if (result != CU_SUCCESS)
        return cuna__device_fail(device, result, "cuCtxSetCurrent");
    current = device;
    return CUNA_OK;
}

cuna_status cuna__device_enter(cuna_device *device)
{
    return __builtin_expect(current == device, 1) ? CUNA_OK : enter_slowly(device);
}

void cuna__device_leave(void)
{
    current = NULL;
}

void cuna__device_abandon(cuna_device *device)
{
    device->lost = true;
    cuna__device_abandon_pools(device);
    cuna__streams_abandon(device);
}

/* Whether every later call on the context will answer the same. */
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

/* Lists the launches that nothing was heard of yet, oldest first; "" when there are none. */
static void list_suspects(char *text, size_t nbytes, const cuna_device *device)
{
    const cuna_ring *ring = &device->ring;
    uint64_t count = __atomic_load_n(&ring->count, __ATOMIC_RELAXED);
    uint64_t good = __atomic_load_n(&ring->good, __ATOMIC_RELAXED);
    text[0] = '\0';
    if (count <= good || device->always_waits) /* then the call itself names the kernel */
        return;
    uint64_t first = count - good > SHOWN_LAUNCHES ? count - SHOWN_LAUNCHES : good;
    size_t length = (size_t)snprintf(text, nbytes, " after one of these launches: %s", first > good ? "..., " : "");
    for (uint64_t i = first; i < count && length < nbytes; i++)
        length += (size_t)snprintf(text + length, nbytes - length, "%s%s", ring->name[i % CUNA_RING_LAUNCHES],
                                   i + 1 < count ? ", " : " (newest last); run with CUNA_SYNC=1 to find the line");
}

/* The first failure is the one that is remembered: later ones are its consequence. */
static cuna_status mark_dead(cuna_device *device, const char *failure)
{
    char suspects[SHOWN_LAUNCHES * CUNA_LAUNCH_NAME + 128], text[sizeof device->dead];
    cuna__device_leave();
    pthread_mutex_lock(&lock);
    bool first = !is_dead(device);
    if (first) {
        list_suspects(suspects, sizeof suspects, device);
        snprintf(text, sizeof text, "%s%s", failure, suspects);
        memcpy(device->dead + 1, text + 1, strlen(text));
        __atomic_store_n(&device->dead[0], text[0], __ATOMIC_RELEASE);
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
    char description[256], failure[320];
    if (device->lost || is_dead(device)) { /* a child's driver answers that it was not initialised */
        cuna__device_leave();
        return refuse(device);
    }
    cuna__device_describe_result(description, sizeof description, device->driver, result);
    snprintf(failure, sizeof failure, "%s failed with %s", call, description);
    if (is_sticky(result))
        return mark_dead(device, failure);
    return cuna_fail(result == CU_ERROR_OUT_OF_MEMORY ? CUNA_MEMORY : CUNA_DEVICE, "%s: %s", device->name, failure);
}

/* Launches up to `count` have ended, and well. */
static void note_good(cuna_device *device, uint64_t count)
{
    uint64_t good = __atomic_load_n(&device->ring.good, __ATOMIC_RELAXED);
    while (good < count &&
           !__atomic_compare_exchange_n(&device->ring.good, &good, count, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

cuna_status cuna__device_wait(cuna_device *device, cu_stream stream, const char *call)
{
    uint64_t count = __atomic_load_n(&device->ring.count, __ATOMIC_RELAXED);
    CUNA_TRY(cuna__device_check(device, device->driver->stream_synchronize(stream), call));
    if (stream == NULL) /* the legacy default stream waits for the others */
        note_good(device, count);
    return cuna__device_check_reports(device);
}

cuna_status cuna_device_synchronize(cuna_device *device)
{
    CUNA_TRY(cuna__device_enter(device));
    uint64_t count = __atomic_load_n(&device->ring.count, __ATOMIC_RELAXED);
    CUNA_TRY(cuna__streams_wait(device));
    note_good(device, count);
    return cuna__device_check_reports(device);
}

/* What is recorded is not done, so there is nothing to wait for. */
cuna_status cuna__device_keep_launch(cuna_device *device, const cuna_stream *stream, const char *name)
{
    cuna_ring *ring = &device->ring;
    uint64_t place = __atomic_fetch_add(&ring->count, 1, __ATOMIC_RELAXED) % CUNA_RING_LAUNCHES;
    strncpy(ring->name[place], name, CUNA_LAUNCH_NAME - 1); /* the last byte is 0 for ever */
    bool waits = device->always_waits && stream->capture == NULL;
    return __builtin_expect(waits, 0) ? cuna__device_wait(device, stream->handle, name) : CUNA_OK;
}

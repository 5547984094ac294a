/* stream_mark.c: marks after the work of streams that were made elsewhere.
 *
 * The maker of such a stream may destroy it once it is not used here any more, and memory may remember it longer. So it
 * is marked by an event while it is there for sure: where it ceases to be current, and where a consumer gives back what
 * was exported for it. The stream's owners write the mark; when none is left, others read it (stream.c). */
#include <pthread.h>

#include "device/device.h"
#include "device/stream.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* writing a mark */

/* None where the stream captures: an event would be part of that. */
static void mark(cuna_stream *stream)
{
    const cuna_driver *driver = stream->device->driver;
    int status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (stream->mark == NULL && driver->event_create(&stream->mark, CU_EVENT_DISABLE_TIMING) != CU_SUCCESS) {
        stream->mark = NULL;
        return;
    }
    if (driver->stream_is_capturing(stream->handle, &status) == CU_SUCCESS && status == CU_STREAM_CAPTURE_STATUS_NONE &&
        driver->event_record(stream->mark, stream->handle) == CU_SUCCESS)
        return;
    driver->event_destroy(stream->mark);
    stream->mark = NULL;
}

void cuna__stream_mark(cuna_stream *stream)
{
    if (!stream->foreign || cuna__device_enter(stream->device) != CUNA_OK)
        return;
    pthread_mutex_lock(&lock);
    mark(stream);
    pthread_mutex_unlock(&lock);
}

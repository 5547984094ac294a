/* staging.h: bytes between the host's memory and a device's.
 *
 * What the host gives or takes lies in any memory; while the host goes on, a device transfers only from and to pinned
 * memory. A ring of pinned memory per device lies between the two. */
#ifndef CUNA_DEVICE_STAGING_H
#define CUNA_DEVICE_STAGING_H

#include "device/context.h"
#include "device/device.h"

/* Copies host memory to the device, on the context's stream. Returns when `src` was read and may be reused; the device
 * may still be at work. VALUE while the stream captures. */
cuna_status cuna__staging_upload(const cuna_context *context, cuna_device *device, cu_deviceptr dst, const void *src,
                                 int64_t nbytes);

/* Copies device memory to the host, on the context's stream. Returns when all of it is there. VALUE while the stream
 * captures, or waiting is forbidden. */
cuna_status cuna__staging_download(const cuna_context *context, cuna_device *device, void *dst, cu_deviceptr src,
                                   int64_t nbytes);

/* VALUE while the stream captures: a graph does not record what the host's memory holds. */
cuna_status cuna__staging_check_capture(const cuna_stream *stream);

/* Whether the device may transfer from and to this memory by itself. */
bool cuna__staging_is_pinned(cuna_device *device, const void *memory);

/* How much pinned memory the ring has, in bytes and in slots; gives it back when the copies in it are done. */
int64_t cuna__staging_idle(int64_t *slots, const cuna_device *device);
cuna_status cuna__staging_release(cuna_device *device);

#endif

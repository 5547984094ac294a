/* staging.h: bytes between the host's memory and a device's.
 *
 * What the host gives or takes lies in any memory; while the host goes on, a device transfers only from and to pinned
 * memory. A ring of pinned memory per device lies between the two. */
#ifndef CUNA_STAGING_H
#define CUNA_STAGING_H

#include "device.h"

/* Copies host memory to the device, in the order of `stream`. Returns when `src` was read and may be reused; the device
 * may still be at work. */
cuna_status cuna__staging_upload(cuna_device *device, cu_stream stream, cu_deviceptr dst, const void *src,
                                 int64_t nbytes);

/* Copies device memory to the host, in the order of `stream`. Returns when all of it is there. */
cuna_status cuna__staging_download(cuna_device *device, cu_stream stream, void *dst, cu_deviceptr src, int64_t nbytes);

#endif

/* compile_log.h: counts of compilations and of cache hits, and what is said about them on stderr. */
#ifndef CUNA_DEVICE_COMPILE_LOG_H
#define CUNA_DEVICE_COMPILE_LOG_H

#include "device/device.h"

/* A call of a compiler. */
typedef struct cuna_compilation {
    const cuna_device *device;
    const char *name; /* of the first kernel, or of the source */
    int nkernels;
    int64_t begin_ns;
} cuna_compilation;

/* Around the call; `status` is what it came to, whose message is the thread's last. CUNA_LOG=compile writes a line. */
void cuna__compile_log_begin(cuna_compilation *compilation, const cuna_device *device, const char *name, int nkernels);
void cuna__compile_log_end(const cuna_compilation *compilation, cuna_status status);

/* Counts an image that was found on disk. */
void cuna__compile_log_loaded(void);

/* Stores an image on disk. A line on stderr reports the first one that cannot be stored, unless the user turned the disk
 * cache off. */
void cuna__compile_log_store(const char *key, const void *image, size_t nbytes);

#endif

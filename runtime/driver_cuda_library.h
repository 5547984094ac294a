/* driver_cuda_library.h: CUDA's libraries, found and opened. */
#ifndef CUNA_DRIVER_CUDA_LIBRARY_H
#define CUNA_DRIVER_CUDA_LIBRARY_H

#include "base.h"

/* A library that stays open as long as the process. */
typedef struct cuna_library {
    void *handle;     /* for dlsym; NULL when no such library can be opened */
    char name[512];   /* as it was opened: a bare name, found on the loader's path, or a path */
    char words[1024]; /* without a handle: what was looked for, and what the loader said */
} cuna_library;

/* Opens the CUDA driver's library. */
void cuna__library_driver(cuna_library *out);

/* Opens NVRTC, best of the driver's own major version: a newer one makes images that the driver need not know. */
void cuna__library_nvrtc(cuna_library *out, int major);

/* Opens NVTX, of CUDA 12 or 13: the marks of NVIDIA's profilers. */
void cuna__library_nvtx(cuna_library *out);

#endif

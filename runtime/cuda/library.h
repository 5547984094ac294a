/* library.h: finds and opens CUDA's libraries. */
#ifndef CUNA_CUDA_LIBRARY_H
#define CUNA_CUDA_LIBRARY_H

#include "seam/library.h"

/* What a toolkit has for this processor lies in this folder of it. */
#if defined(__aarch64__)
#define CUNA_TARGET_FOLDER "targets/sbsa-linux"
#else
#define CUNA_TARGET_FOLDER "targets/x86_64-linux"
#endif

enum { CUNA_LIBRARY_ROOTS = 3 };

/* The folder of a toolkit that may be there; NULL: its variable is not set. */
const char *cuna__library_root(int i);

/* Opens the CUDA driver's library. */
void cuna__library_driver(cuna_library *out);

/* Opens NVRTC, preferably of the driver's major version: the driver may not support images of a newer one. */
void cuna__library_nvrtc(cuna_library *out, int major);

/* Opens a library of the toolkit, such as "libcusolver", preferably of the driver's major version of CUDA, `major`. The
 * library's major version is `more` above that: -1 for libcusolver.so.11 of CUDA 12 and libcusolver.so.12 of CUDA
 * 13. */
void cuna__library_toolkit(cuna_library *out, const char *stem, int more, int major);

/* Opens NVTX, of CUDA 12 or 13: the marks of NVIDIA's profilers. */
void cuna__library_nvtx(cuna_library *out);

/* Opens NCCL, or the library that CUNA_NCCL names. */
void cuna__library_nccl(cuna_library *out);

#endif

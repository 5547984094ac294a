/* header.h: finds the folders of the toolkit's headers, which NVRTC does not have. */
#ifndef CUNA_CUDA_HEADER_H
#define CUNA_CUDA_HEADER_H

#include "seam/driver.h"
#include "seam/library.h"

/* Real paths, ended by NULL; empty before cuna__header_find, or without a toolkit. */
extern const char *cuna__header_folders[];

/* Headers that users' texts have without files, ended by NULL. */
extern const cuna_header *const cuna__header_lists_gpu[];

/* Fills the folders in: the toolkit of this NVRTC, or else the first that is found. */
void cuna__header_find(const cuna_library *nvrtc);

#endif

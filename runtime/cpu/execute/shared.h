/* shared.h: the size of a block's `__shared__` variables, in an image of the cpu device. */
#ifndef CUNA_CPU_EXECUTE_SHARED_H
#define CUNA_CPU_EXECUTE_SHARED_H

#include <stddef.h>

/* Bytes of the `__shared__` variables of all kernels of an image for which cuna__image_measure returned `nbytes`. */
unsigned cuna__cpu_shared_nbytes(const void *image, size_t nbytes);

#endif

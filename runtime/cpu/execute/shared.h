/* shared.h: how much memory the threads of a block share by name, in an image of the cpu device. */
#ifndef CUNA_CPU_EXECUTE_SHARED_H
#define CUNA_CPU_EXECUTE_SHARED_H

#include <stddef.h>

/* Bytes of the `__shared__` variables of all kernels of an image that cuna__image_measure answered `nbytes` for. */
unsigned cuna__shared_nbytes(const void *image, size_t nbytes);

#endif

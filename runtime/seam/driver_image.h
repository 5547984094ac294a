/* driver_image.h: finds the ends of kernel images, because CUDA takes them without a length. */
#ifndef CUNA_SEAM_DRIVER_IMAGE_H
#define CUNA_SEAM_DRIVER_IMAGE_H

#include "base/base.h"

/* Bytes of an ELF image of this machine's word size and byte order: up to the farthest byte that its tables refer to. 0
 * for anything else, and when that is more than `limit`, beyond which nothing is read. */
size_t cuna__image_measure(const void *image, size_t limit);

/* Whether an image of `nbytes` bytes is complete: a driver would read past the end of a truncated one. Text is always
 * complete. */
bool cuna__image_is_whole(const void *image, size_t nbytes);

#endif

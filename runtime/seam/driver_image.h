/* driver_image.h: where images of kernels end, for CUDA takes them without a length. */
#ifndef CUNA_SEAM_DRIVER_IMAGE_H
#define CUNA_SEAM_DRIVER_IMAGE_H

#include "base/base.h"

/* Bytes of an ELF image of this machine's word size and byte order: the farthest that its tables name. 0 for anything
 * else, and when that is more than `limit`, beyond which nothing is read. */
size_t cuna__image_measure(const void *image, size_t limit);

/* Whether an image of `nbytes` bytes is not cut off: a driver would read on behind its end. Text is whole. */
bool cuna__image_is_whole(const void *image, size_t nbytes);

#endif

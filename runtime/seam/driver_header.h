/* driver_header.h: headers that raw kernels may include on every device. */
#ifndef CUNA_SEAM_DRIVER_HEADER_H
#define CUNA_SEAM_DRIVER_HEADER_H

#include "seam/driver.h"

/* Ended by a row without a name. */
extern const cuna_header cuna__headers[];

/* Texts that several of them share. */
extern const char *const cuna__header_half[], *const cuna__header_cucomplex[],
                                                  *const cuna__header_complex[], *const cuna__header_groups[],
                                                                                     *const cuna__header_curand[],
                                                                                         *const cuna__header_pipeline[];

#endif

/* driver_header.h: headers that users' texts may include on every device. */
#ifndef CUNA_SEAM_DRIVER_HEADER_H
#define CUNA_SEAM_DRIVER_HEADER_H

#include "seam/driver.h"

/* Ended by a row without a name. */
extern const cuna_header cuna__headers[];

/* The header with a name; NULL: another one. */
const cuna_header *cuna__header_get(const char *name);

/* Texts that several of them share. */
extern const char *const cuna__header_half[], *const cuna__header_cucomplex[],
                                                  *const cuna__header_complex[], *const cuna__header_groups[],
                                                                                     *const cuna__header_curand[],
                                                                                         *const cuna__header_pipeline[];

#endif

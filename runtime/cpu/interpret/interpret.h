/* interpret.h: images that name loops (seam/loop_image.h), as modules of the cpu device. */
#ifndef CUNA_CPU_INTERPRET_INTERPRET_H
#define CUNA_CPU_INTERPRET_INTERPRET_H

#include "seam/driver.h"

/* Whether bytes are such an image. */
bool cuna__cpu_interpret_accepts(const void *image);

/* Loads one. NOT_FOUND, with a message that names it, if a loop is missing. */
cu_result cuna__cpu_interpret_load(cu_module *module, const void *image);

#endif

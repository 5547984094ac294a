/* shortest.h: the least decimal digits of a number that read back as the same number. */
#ifndef CUNA_TEXT_SHORTEST_H
#define CUNA_TEXT_SHORTEST_H

#include <stddef.h>

#include "base/dtype.h"

#define CUNA__SHORTEST_ROOM 40

/* Prints a value of a dtype (of complex ones, of their halves) as Python does: 0.1, 2.0, 1e-05, 1e+16, inf, nan. Returns
 * the length. The locale of the thread must be C's. */
size_t cuna__shortest_print(char out[static CUNA__SHORTEST_ROOM], double value, cuna_dtype dtype);

#endif

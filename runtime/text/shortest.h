/* shortest.h: the least decimal digits of a number that read back as the same number. */
#ifndef CUNA_TEXT_SHORTEST_H
#define CUNA_TEXT_SHORTEST_H

#include <stddef.h>

#include "base/dtype.h"

#define CUNA__SHORTEST_ROOM   40
#define CUNA__SHORTEST_DIGITS 17

/* Prints a value of a dtype (of complex ones, of their halves) as Python does: 0.1, 2.0, 1e-05, 1e+16, inf, nan. Returns
 * the length. */
size_t cuna__shortest_print(char out[static CUNA__SHORTEST_ROOM], double value, cuna_dtype dtype);

/* The digits of a finite value from 0 on, without zeros at the end, and the exponent of the first: 15 and 2 for 150.
 * Returns how many there are. */
int cuna__shortest_digits(char out[static CUNA__SHORTEST_DIGITS], int *exponent, double value, cuna_dtype dtype);

#endif

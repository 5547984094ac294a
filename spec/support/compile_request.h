/* compile_request.h: asks a compiler that has read the beginning of a text ahead (compile_ahead.c). */
#ifndef COMPILE_REQUEST_H
#define COMPILE_REQUEST_H

#include <stdbool.h>

/* Whether it made the output of this call, after how many microseconds of processor time. `own` is the folder of
 * ahead.so, and of the folder kept/ in which such compilers live. */
bool compile_request(long *microseconds, const char *own, char *const *words);

#endif

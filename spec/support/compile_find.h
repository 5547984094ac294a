/* compile_find.h: finds the program that one of the suite's compilers stands before. */
#ifndef COMPILE_FIND_H
#define COMPILE_FIND_H

#include <limits.h>
#include <stdbool.h>

/* The folder of this program, without links. */
bool compile_find_own_folder(char out[PATH_MAX]);

/* The next program on PATH that has the name by which this one was called, outside its folder `own`. Specs change PATH,
 * and the device still has its compiler: the system's. */
bool compile_find_next(char out[PATH_MAX], const char *own, const char *called);

#endif

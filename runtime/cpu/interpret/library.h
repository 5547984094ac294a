/* library.h: the loops that were compiled with cuna for this processor. */
#ifndef CUNA_CPU_INTERPRET_LIBRARY_H
#define CUNA_CPU_INTERPRET_LIBRARY_H

#include "base/base.h"
#include "kernels/loop_code.h"

/* NULL if there is no such library, or one of another version. Opened by the first call, for good. */
const cuna_loop_library *cuna__cpu_library_get(void);

/* The loop of a name, or NULL. */
void *cuna__cpu_library_find(const cuna_loop_library *library, const char *name);

#endif

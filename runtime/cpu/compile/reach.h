/* reach.h: which kernels of a source can come to a function that waits for other threads. */
#ifndef CUNA_CPU_COMPILE_REACH_H
#define CUNA_CPU_COMPILE_REACH_H

#include <stdbool.h>

typedef struct cuna_reach cuna_reach;

/* Reads lines that stand before a source, and the source. NULL: there is no memory. */
cuna_reach *cuna__reach_create(int nlines, char *const *lines, const char *source);
void cuna__reach_free(cuna_reach *reach);

/* Whether a function that waits can be reached from what an expression names; true in doubt. */
bool cuna__reach_waits(const cuna_reach *reach, const char *expression);

#endif

/* reach.h: finds the kernels of a source that may call a function that waits for other threads. */
#ifndef CUNA_CPU_COMPILE_REACH_H
#define CUNA_CPU_COMPILE_REACH_H

#include <stdbool.h>

typedef struct cuna_reach cuna_reach;

/* Reads the lines before a source, and the source. NULL: out of memory. */
cuna_reach *cuna__cpu_reach_create(int nlines, char *const *lines, const char *source);
void cuna__cpu_reach_free(cuna_reach *reach);

/* Whether an expression's names may reach a function that waits; or both volatile and shared memory. True in doubt. */
bool cuna__cpu_reach_waits(const cuna_reach *reach, const char *expression);
bool cuna__cpu_reach_shares(const cuna_reach *reach, const char *expression);

#endif

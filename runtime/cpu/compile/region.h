/* region.h: kernels that are rewritten so that loops run their threads from barrier to barrier. */
#ifndef CUNA_CPU_COMPILE_REGION_H
#define CUNA_CPU_COMPILE_REGION_H

#include "cpu/compile/reach.h"

typedef struct cuna_regions cuna_regions;

/* Rewrites those kernels of a source that wait, that the expressions name, and that the rules understand. NULL: out of
 * memory. `steps`: its lanes go in step, if they share volatile
 * memory; `lines`: those before the source. */
cuna_regions *cuna__cpu_regions_create(const cuna_reach *reach, const char *source, bool steps, int nlines,
                                       char *const *lines, int nexpressions, char *const *expressions);
void cuna__cpu_regions_free(cuna_regions *regions);

/* The rewritten source; NULL: no kernel is. */
const char *cuna__cpu_regions_text(const cuna_regions *regions);

/* How many points the kernels have that an expression may name; 0: they are as they were. */
int cuna__cpu_regions_points(const cuna_regions *regions, const char *expression);

#endif

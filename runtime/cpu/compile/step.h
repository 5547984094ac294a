/* step.h: sources that rely on the lanes of a warp running in lock step. */
#ifndef CUNA_CPU_COMPILE_STEP_H
#define CUNA_CPU_COMPILE_STEP_H

/* The source with calls of raw_step_cpu.h around accesses to volatile memory (malloc'd), if lanes that access it do not
 * wait for each other; NULL otherwise, or when out of memory. Line numbers stay the same. */
char *cuna__cpu_step_rewrite(const char *source);

#endif

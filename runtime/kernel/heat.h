/* heat.h: the time that programs lose because they run on loops, and when that pays for a kernel. */
#ifndef CUNA_KERNEL_HEAT_H
#define CUNA_KERNEL_HEAT_H

#include "kernel/program.h"

/* Adds the loss of a launch over so many elements. Where the sum pays for it the
 * program gets a compiled kernel: from disk at once, or later, from a compiler in the background. */
void cuna__heat_add_slowly(cuna_device *device, const cuna_program *program, const cuna_variant *variant,
                           cuna_heat *heat);

static inline void cuna__heat_add(cuna_device *device, const cuna_program *program, const cuna_variant *variant,
                                  cuna_heat *heat, int64_t elements)
{
    int64_t loss_ps = heat->launch_ps + elements * heat->element_ps;
    if (__atomic_add_fetch(&heat->loss_ps, loss_ps, __ATOMIC_RELAXED) >=
        __atomic_load_n(&heat->due_ps, __ATOMIC_RELAXED))
        cuna__heat_add_slowly(device, program, variant, heat);
}

/* The first thresholds of code on loops, whose steps per block and bytes per element are given. */
void cuna__heat_begin(cuna_heat *heat, int nsteps, int element_nbytes, bool compiles);

#endif

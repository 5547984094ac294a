/* heat.c: the time that programs lose because they run on loops, and when that pays for a kernel.
 *
 * No clock is read: the loss of a launch is estimated from its elements and steps. A kernel is loaded from disk when its
 * program has lost as much as loading takes, and compiled when it has lost as much as compiling takes: whatever comes
 * next, at most half of the time is lost (the rule of a skier who rents until the price of skis is spent). */
#include "kernel/heat.h"

#include "kernel/background.h"
#include "kernel/launch.h"

#define STEP_LAUNCH_PS 8000                       /* of a step in a launch */
#define STEP_NBYTE_PS  20                         /* of a step after the first, for each byte of an element */
#define LOAD_PS        ((int64_t)1000000000)      /* a kernel from disk: 1 ms */
#define COMPILE_PS     ((int64_t)60 * 1000000000) /* a kernel from the compiler: 60 ms */

void cuna__heat_begin(cuna_heat *heat, int nsteps, int element_nbytes, bool compiles)
{
    heat->launch_ps = nsteps * STEP_LAUNCH_PS;
    heat->element_ps = (nsteps - 1) * element_nbytes * STEP_NBYTE_PS + 1;
    heat->due_ps = compiles ? LOAD_PS : INT64_MAX;
    heat->is_code = true;
}

/* One caller passes a threshold; others go on with the code. */
static bool claim(cuna_heat *heat, int64_t *due_ps)
{
    *due_ps = __atomic_load_n(&heat->due_ps, __ATOMIC_RELAXED);
    return __atomic_load_n(&heat->loss_ps, __ATOMIC_RELAXED) >= *due_ps &&
           __atomic_compare_exchange_n(&heat->due_ps, due_ps, INT64_MAX, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* A failure is not the script's business: it has code that works. */
void cuna__heat_add_slowly(cuna_device *device, const cuna_program *program, const cuna_variant *variant,
                           cuna_heat *heat)
{
    int64_t due_ps;
    bool found = false;
    cuna_kernel_request request = {.device = device, .program = program, .variant = *variant};
    if (!claim(heat, &due_ps))
        return;
    if (due_ps >= COMPILE_PS)
        (void)cuna__background_request(&request, heat);
    else if (cuna__kernel_find(&found, &request) == CUNA_OK && !found)
        __atomic_store_n(&heat->due_ps, COMPILE_PS, __ATOMIC_RELAXED);
}

/* background.h: kernels that are compiled while the script goes on. */
#ifndef CUNA_KERNEL_BACKGROUND_H
#define CUNA_KERNEL_BACKGROUND_H

#include "kernel/launch.h"

/* Asks for a kernel whose program runs on code that loses time, as `heat` counts; NULL: it comes before those. False: there
 * is neither room nor a thread. */
bool cuna__background_request(const cuna_kernel_request *request, const cuna_heat *heat);

/* How many units the threads have finished. */
uint64_t cuna__background_done(void);

/* Waits until that number changes, the threads have nothing to do, the user interrupts, or the seconds are over;
 * returns what is left of them, 0 in the last two cases. */
double cuna__background_wait(uint64_t done, double seconds);

#endif

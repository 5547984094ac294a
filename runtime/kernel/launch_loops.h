/* launch_loops.h: programs that run on loops which are there already, instead of a kernel that is not. */
#ifndef CUNA_KERNEL_LAUNCH_LOOPS_H
#define CUNA_KERNEL_LAUNCH_LOOPS_H

#include "kernel/codegen.h"

/* Whether a program may run on loops on a device: what the device and CUNA_COMPILE say. */
bool cuna__loops_are_wanted(const cuna_device *device, const cuna_program *program);

/* Gives the program code for a variant. *made is false when loops cannot do it. COMPILE when they cannot and the user
 * wants nothing compiled. */
cuna_status cuna__loops_make(bool *made, cuna_device *device, const cuna_codegen_item *item);

#endif

/* launch_loops.h: programs that run on loops which are there already, instead of a kernel that is not. */
#ifndef CUNA_KERNEL_LAUNCH_LOOPS_H
#define CUNA_KERNEL_LAUNCH_LOOPS_H

#include "kernel/codegen.h"

/* Whether CUNA_COMPILE says that every program waits for its kernel. */
bool cuna__always_compiles(void);

/* Whether a program may run on loops on a device: what the device and CUNA_COMPILE say. */
bool cuna__loops_are_wanted(const cuna_device *device, const cuna_program *program);

/* Notes that a program in stages ran over so many elements by other programs, since it has no kernel, for which that may
 * pay. */
void cuna__loops_stand_in(cuna_device *device, const cuna_program *program, const cuna_variant *variant,
                          int64_t elements);

/* Gives the program code for a variant. *made is false when loops cannot do it. COMPILE when they cannot and the user
 * wants nothing compiled. */
cuna_status cuna__loops_make(bool *made, cuna_device *device, const cuna_codegen_item *item);

#endif

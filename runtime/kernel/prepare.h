/* prepare.h: kernels noted while work is only rehearsed, to be compiled together. */
#ifndef CUNA_KERNEL_PREPARE_H
#define CUNA_KERNEL_PREPARE_H

#include "device/context.h"
#include "kernel/program.h"

/* While a context has one of these, launches are noted and not done. */
typedef struct cuna_rehearsal cuna_rehearsal;

/* Opens a rehearsal that no script sees; cuna_prepare_end ends it. VALUE when one is open; MEMORY. */
cuna_status cuna__rehearsal_open(cuna_context *context);

/* Notes a kernel; MEMORY. */
cuna_status cuna__rehearsal_note(cuna_rehearsal *rehearsal, cuna_device *device, const cuna_program *program,
                                 const cuna_variant *variant);

/* Loads those kernels of the open rehearsal that are on disk, and drops what is in memory then; returns how many are left.
 * MEMORY, DRIVER. */
cuna_status cuna__rehearsal_keep_missing(int *nleft, cuna_rehearsal *rehearsal);

/* Asks the background thread for the kernels of the open rehearsal; false if it does not take all of them. */
bool cuna__rehearsal_request(const cuna_rehearsal *rehearsal);

/* How many of so many kernels one thread compiles, while others compile as many. */
int cuna__rehearsal_rounds(const cuna_device *device, int nkernels);

#endif

/* codegen_loops.h: programs as images that name loops (seam/loop_image.h), for devices that interpret. */
#ifndef CUNA_KERNEL_CODEGEN_LOOPS_H
#define CUNA_KERNEL_CODEGEN_LOOPS_H

#include "kernel/program.h"
#include "seam/loop_image.h"

/* *out: the image, malloc'd; NULL if loops cannot do what the program does. */
cuna_status cuna__codegen_loops(cuna_loop_image **out, const cuna_program *program, const cuna_variant *variant);

#endif

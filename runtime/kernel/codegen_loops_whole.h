/* codegen_loops_whole.h: programs that are not interpreted, as images that name a kernel of the library of loops. */
#ifndef CUNA_KERNEL_CODEGEN_LOOPS_WHOLE_H
#define CUNA_KERNEL_CODEGEN_LOOPS_WHOLE_H

#include "kernel/program.h"
#include "seam/loop_image.h"

/* Whether a program has such images: it sorts, or multiplies matrices. */
bool cuna__codegen_is_whole(const cuna_program_text *text);

/* *out: the image, malloc'd. */
cuna_status cuna__codegen_loops_whole(cuna_loop_image **out, const cuna_program *program, const cuna_variant *variant);

#endif

/* codegen_loops.h: programs as images that name loops (seam/loop_image.h), for devices that interpret. */
#ifndef CUNA_KERNEL_CODEGEN_LOOPS_H
#define CUNA_KERNEL_CODEGEN_LOOPS_H

#include "base/strbuf.h"
#include "kernel/program.h"
#include "seam/loop_image.h"

/* *out: the image, malloc'd; NULL if loops cannot do what the program does. */
cuna_status cuna__codegen_loops(cuna_loop_image **out, const cuna_program *program, const cuna_variant *variant);

/* What follows is for codegen_loops.c. */

#define CUNA_NAME_END "\037" /* of a name while names are printed: they may have several lines */

/* Whether loops can fold what a program does. */
bool cuna__codegen_loops_folds(const cuna_program_text *text);

/* Prints the names of a fold's loops, and where they begin among `names` into the head. `value` is the type of what is
 * folded, `stored` the one that results are moved by. */
void cuna__codegen_loops_fold(cuna_loop_image *head, cuna_strbuf *names, const cuna_program_text *text,
                              const char *value, const char *stored);

/* Whether loops can scan what a program does. */
bool cuna__codegen_loops_scans(const cuna_program_text *text, const cuna_variant *variant);

/* The dtype that loops scan in. */
uint8_t cuna__codegen_loops_scanned(const cuna_program_text *text);

/* Prints the name of a scan's loops. */
void cuna__codegen_loops_scan(cuna_strbuf *names, const cuna_program_text *text);

#endif

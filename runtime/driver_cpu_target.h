/* driver_cpu_target.h: what besides source and options decides the meaning of a cpu image. */
#ifndef CUNA_DRIVER_CPU_TARGET_H
#define CUNA_DRIVER_CPU_TARGET_H

#include "driver.h"
#include "driver_cpu_compiler.h"

/* Writes compiler, processor, vector math archive and flags as text. NOT_FOUND without a compiler, INVALID_VALUE when
 * the text does not fit. The first call for a compiler starts it for its version; later ones only look at files. */
cu_result cuna__target_describe(char *text, size_t nbytes);

/* The first line that a compiler says of its version; NULL when it does not answer. Asked once per compiler. */
const char *cuna__target_version(const cuna_compiler *compiler);

#endif

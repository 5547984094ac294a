/* target.h: what besides source and options decides the meaning of a cpu image. */
#ifndef CUNA_CPU_COMPILE_TARGET_H
#define CUNA_CPU_COMPILE_TARGET_H

#include "cpu/compile/compiler.h"
#include "seam/driver.h"

/* Writes compiler, processor, vector math archive and flags as text. NOT_FOUND without a compiler, OPERATING_SYSTEM when
 * there is no place where it could be asked, INVALID_VALUE when the text does not fit. The first call for a compiler may
 * start it for its version; later ones only look at files. */
cu_result cuna__target_describe(char *text, size_t nbytes);

/* The first line that a compiler says of its version. NOT_FOUND when it does not answer, OPERATING_SYSTEM as above. Asked
 * once per compiler; the answer is kept in the disk cache, but that of a script or a launcher. */
cu_result cuna__target_version(const char **out, const cuna_compiler *compiler);

#endif

/* target.h: everything besides source and options that determines a cpu image. */
#ifndef CUNA_CPU_COMPILE_TARGET_H
#define CUNA_CPU_COMPILE_TARGET_H

#include "cpu/compile/compiler.h"
#include "seam/driver.h"

/* Writes compiler, processor, vector math archive and flags as text. NOT_FOUND without a compiler, OPERATING_SYSTEM
 * when no folder is available to run it in, INVALID_VALUE when the text does not fit. The first call for a compiler may
 * start it for its version; later ones only read files. */
cu_result cuna__cpu_target_describe(char *text, size_t nbytes);

/* The first line of a compiler's version output. NOT_FOUND when it fails, OPERATING_SYSTEM as above. Queried once per
 * compiler; the disk cache keeps the result, except that of a script or a launcher. */
cu_result cuna__cpu_target_version(const char **out, const cuna_compiler *compiler);

#endif

/* source.h: translates a raw kernel's CUDA C++ source for a C++ compiler. */
#ifndef CUNA_CPU_COMPILE_SOURCE_H
#define CUNA_CPU_COMPILE_SOURCE_H

#include "cpu/compile/options.h"

#define CUNA_SOURCE_VERSION 8 /* changes when the translation of a source changes */

/* The translation (malloc'd, NULL when out of memory) of a source that may begin with the cpu device's raw_preludes,
 * after which it inserts the options' lines. Line numbers stay the same. Appended code exports each expression k as
 * cuna_raw_<k>, and whether its threads may wait for each other (reach.h). */
char *cuna__cpu_source_translate(const char *source, const cuna_options *options, int nexpressions,
                                 char *const *expressions);

/* Whether a program with CUDA's vocabulary may use textures or surfaces: whether what follows their text, which the
 * macro CUNA_WITH_TEXTURE enables, has their names or other files. */
bool cuna__cpu_source_names_textures(const char *source);

#endif

/* source.h: translates a raw kernel's CUDA C++ source for a C++ compiler. */
#ifndef CUNA_CPU_COMPILE_SOURCE_H
#define CUNA_CPU_COMPILE_SOURCE_H

#include <stdbool.h>

#include "cpu/compile/options.h"

#define CUNA_SOURCE_VERSION 12 /* changes when the translation of a source changes */

/* The translation (malloc'd, NULL when out of memory) of a source that may begin with the cpu device's raw_preludes,
 * after which it inserts the options' lines. Line numbers stay the same. Appended code exports each expression k as
 * cuna_raw_<k>, and how its threads may wait for each other (reach.h). `has_regions`: whether kernels may be rewritten
 * (region.h), and whether some were; then C++ may refuse the text of a source that is right. */
char *cuna__cpu_source_translate(bool *has_regions, const char *source, const cuna_options *options, int nexpressions,
                                 char *const *expressions);

/* Whether a program with CUDA's vocabulary may use textures or surfaces: whether what follows their text, which the
 * macro CUNA_WITH_TEXTURE enables, has their names or other files. */
bool cuna__cpu_source_names_textures(const char *source);

#endif

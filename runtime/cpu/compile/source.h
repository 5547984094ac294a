/* source.h: CUDA C++ that users wrote whole, as text for a C++ compiler. */
#ifndef CUNA_CPU_COMPILE_SOURCE_H
#define CUNA_CPU_COMPILE_SOURCE_H

#include "cpu/compile/options.h"

#define CUNA_SOURCE_VERSION 5 /* changes when the same source becomes another text */

/* The text (malloc'd, NULL when there is no memory) of a source that may begin with the cpu device's raw_preludes;
 * behind those stand the options' lines. Lines keep their numbers. Behind it stands what exports each expression k as
 * cuna_raw_<k>, and says whether its threads may wait for each other (reach.h). */
char *cuna__source_translate(const char *source, const cuna_options *options, int nexpressions,
                             char *const *expressions);

#endif

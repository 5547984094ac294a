/* options.h: NVRTC's options in the C++ compiler's words. */
#ifndef CUNA_CPU_COMPILE_OPTIONS_H
#define CUNA_CPU_COMPILE_OPTIONS_H

#include <stdbool.h>

/* The compiler's word for an option of cuna's own kernels, NULL for none; false when it is unknown. */
bool cuna__options_find(const char **word, const char *option);

#define CUNA_OPTIONS_WORDS 192

/* Those of a source that a user wrote whole. */
typedef struct cuna_options {
    int count, nlines;
    char *words[CUNA_OPTIONS_WORDS]; /* for the compiler; malloc'd, as are the lines */
    char *lines[CUNA_OPTIONS_WORDS]; /* to stand before the source */
} cuna_options;

/* Returns NULL, or the option that is unknown, lacks its value or is one too many. What says nothing on the cpu device is dropped.
 * Folders and files that are not absolute belong to the current directory, where quoted includes are looked for too. */
const char *cuna__options_translate(cuna_options *out, int noptions, const char *const *options);

void cuna__options_free(cuna_options *options);

#endif

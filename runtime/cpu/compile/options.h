/* options.h: translates NVRTC's options to the C++ compiler's. */
#ifndef CUNA_CPU_COMPILE_OPTIONS_H
#define CUNA_CPU_COMPILE_OPTIONS_H

#include <stdbool.h>

/* The compiler's option for an option of cuna's kernels, NULL for none; false when it is unknown. */
bool cuna__cpu_options_find(const char **word, const char *option);

#define CUNA_OPTIONS_WORDS 192

/* The options of a raw kernel's source. */
typedef struct cuna_options {
    int count, nlines;
    char *words[CUNA_OPTIONS_WORDS]; /* for the compiler; malloc'd, as are the lines */
    char *lines[CUNA_OPTIONS_WORDS]; /* to precede the source */
} cuna_options;

/* Returns NULL, or the option that is unknown, lacks its value or exceeds the limit. Options without meaning on the cpu
 * device are dropped. Relative folders and files belong to the current directory, where quoted includes are searched
 * for too. */
const char *cuna__cpu_options_translate(cuna_options *out, int noptions, const char *const *options);

void cuna__cpu_options_free(cuna_options *options);

#endif

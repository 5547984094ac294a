/* include.h: which headers users' kernels may include on the cpu device. */
#ifndef CUNA_CPU_COMPILE_INCLUDE_H
#define CUNA_CPU_COMPILE_INCLUDE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cuna_include {
    CUNA_INCLUDE_NONE,     /* no #include, or one of a macro */
    CUNA_INCLUDE_KNOWN,    /* its names are there without it */
    CUNA_INCLUDE_STANDARD, /* of C++, and nothing in it waits */
    CUNA_INCLUDE_USER,
    CUNA_INCLUDE_REFUSED, /* of CUDA's, for GPUs only: `words` say so */
} cuna_include;

/* Judges a line that begins with '#'. */
cuna_include cuna__include_judge(char *words, size_t nbytes, const char *line);

/* Some known headers' names are there only with them: the compiler's option that the next one in a source asks for,
 * NULL when there is none left. *source moves on behind it. */
const char *cuna__include_option(const char **source);

/* Whether a source includes more than what is known: files, which may include the same. */
bool cuna__include_reads(const char *source);

#define CUNA_INCLUDE_FOLDER "include~" /* no source can have this name */

/* Puts CUDA's headers into a folder below `folder`, for files that include them. */
bool cuna__include_write(const char *folder);

#endif

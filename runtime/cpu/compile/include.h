/* include.h: the headers that raw kernels may include on the cpu device. */
#ifndef CUNA_CPU_COMPILE_INCLUDE_H
#define CUNA_CPU_COMPILE_INCLUDE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cuna_include {
    CUNA_INCLUDE_NONE,     /* not an #include, or one of a macro */
    CUNA_INCLUDE_KNOWN,    /* its names are always declared */
    CUNA_INCLUDE_STANDARD, /* of C++; no function in it waits */
    CUNA_INCLUDE_USER,
    CUNA_INCLUDE_REFUSED, /* of CUDA, for GPUs only: `words` is the error */
} cuna_include;

/* Classifies a line that begins with '#'. */
cuna_include cuna__cpu_include_judge(char *words, size_t nbytes, const char *line);

/* Some known headers declare their names only if included: the compiler option for the next such header in a source,
 * NULL after the last. *source moves past it. */
const char *cuna__cpu_include_option(const char **source);

/* Whether a source includes other files, which may include the same headers. */
bool cuna__cpu_include_reads(const char *source);

/* Whether a source includes a header that kernels cannot have; `words` says which one. */
bool cuna__cpu_include_refuses(char *words, size_t nbytes, const char *source);

/* Whether a source includes anything. */
bool cuna__cpu_include_has_any(const char *source);

#define CUNA_INCLUDE_FOLDER "include~" /* no source can have this name */

/* Puts CUDA's headers into a folder below `folder`, for files that include them. */
bool cuna__cpu_include_write(const char *folder);

#endif

/* compiled.h: a program of NVRTC's rows on the cpu device, and the results of its compilation. */
#ifndef CUNA_CPU_COMPILE_COMPILED_H
#define CUNA_CPU_COMPILE_COMPILED_H

#include <stdbool.h>

#include "cpu/compile/compile.h"
#include "cpu/compile/options.h"

#define CUNA_COMPILED_NAME 65 /* bytes of a program's name */

/* nvrtcResult values. */
enum {
    NVRTC_SUCCESS = 0,
    NVRTC_OUT_OF_MEMORY = 1,
    NVRTC_INVALID_INPUT = 3,
    NVRTC_INVALID_PROGRAM = 4,
    NVRTC_INVALID_OPTION = 5,
    NVRTC_COMPILATION = 6,
    NVRTC_EXPRESSIONS_CLOSED = 8,
    NVRTC_NOT_COMPILED = 9,
    NVRTC_INVALID_EXPRESSION = 10,
    NVRTC_INTERNAL_ERROR = 11,
};

struct nvrtc_program_s {
    char *source, *text, *log, *image; /* text: a user's source as passed to the compiler */
    size_t image_nbytes;
    char name[CUNA_COMPILED_NAME];
    char **expressions; /* each is followed by its symbol */
    int nexpressions;
    cuna_options options; /* the user's, for the compiler */
    bool has_regions;     /* kernels may be rewritten; then: some were (source.h) */
};

/* "" where there is none. */
const char *cuna__cpu_compiled_log(nvrtc_program program);

#endif

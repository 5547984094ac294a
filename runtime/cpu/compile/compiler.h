/* compiler.h: finds and starts the system's C++ compiler. */
#ifndef CUNA_CPU_COMPILE_COMPILER_H
#define CUNA_CPU_COMPILE_COMPILER_H

#include <limits.h>

#include "base/folder.h"
#include "seam/driver.h"

#define CUNA_COMPILER_WORDS 8 /* words of a command such as "ccache g++" */
#define CUNA_COMPILER_LOG   "log~"

typedef struct cuna_compiler {
    int nwords;
    const char *words[CUNA_COMPILER_WORDS + 1]; /* point into text; the first is an absolute path, NULL ends them */
    char text[2048];
} cuna_compiler;

/* Finds the compiler on every call: $CUNA_CXX, else $CXX, else g++, c++, clang++ on PATH. If CUNA_CXX is set and cannot
 * be found, there is no fallback. */
bool cuna__cpu_compiler_find(cuna_compiler *out);

/* The path of a program that is named by path or found on PATH. */
bool cuna__cpu_compiler_program(char path[PATH_MAX], const char *name);

/* Runs it in `folder` with standard output and error in the file CUNA_COMPILER_LOG there, and waits. Returns the exit
 * status; -1 when it could not be started (errno says why) or died (errno is 0); 0 also when the program collects its
 * children itself and the status is lost: the caller then judges by what was made. A compiler that may be interrupted
 * is killed on a user interrupt (base/interrupt.h). */
int cuna__cpu_compiler_run(const char *folder, const char *const *argv, bool may_end);

/* The archive of vector math functions for this processor, beside this library; false when it is missing. */
bool cuna__cpu_compiler_lanes(char path[CUNA_FOLDER_NBYTES]);

#endif

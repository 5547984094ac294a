/* compile_gcc.h: what g++ does, in parts (compile_gcc.c). */
#ifndef COMPILE_GCC_H
#define COMPILE_GCC_H

#include <stdbool.h>

#define GCC_ASSEMBLY   "assembly~"
#define GCC_MOST_WORDS 500

/* The words of the compiler proper for a call of g++ that makes GCC_ASSEMBLY; they live as long as the process. False:
 * g++ does not say. `own` is the folder of kept/, in which they are kept. */
bool compile_gcc_words(char *out[GCC_MOST_WORDS + 1], const char *own, char *const *words);

/* Runs the assembler, which makes an object of GCC_ASSEMBLY. */
bool compile_gcc_assemble(const char *object);

#endif

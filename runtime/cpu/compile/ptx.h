/* ptx.h: inline PTX for a C++ compiler. */
#ifndef CUNA_CPU_COMPILE_PTX_H
#define CUNA_CPU_COMPILE_PTX_H

#include <stdbool.h>
#include <stdio.h>

/* Handles an asm statement, at its first word, if there is one: writes its C++, with as many lines, and moves *at past
 * the parenthesis that ends it; of a statement that cannot be translated writes an error, and moves past the word. */
bool cuna__cpu_ptx_take(FILE *out, const char **at);

/* The source of a program in which a user's text is, with its asm statements translated (malloc'd); NULL: there are none,
 * or there is no memory. */
char *cuna__cpu_ptx_translate(const char *source);

#endif

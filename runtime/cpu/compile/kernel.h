/* kernel.h: the definitions of kernels in a source. */
#ifndef CUNA_CPU_COMPILE_KERNEL_H
#define CUNA_CPU_COMPILE_KERNEL_H

#include "cpu/compile/code.h"

/* The parenthesis of the kernel whose `__global__` is token i; 0: it is not a plain definition. */
int cuna__cpu_kernel_params(const cuna_code *code, int i);

/* The length of an expression's name without its template arguments, and where it begins; 0: it is a cast. */
size_t cuna__cpu_kernel_word(const char **out, const char *expression);

/* Whether a token is a word; whether one of the expressions may name a kernel. */
bool cuna__cpu_kernel_is(const cuna_code_token *token, const char *word, size_t length);
bool cuna__cpu_kernel_is_wanted(const cuna_code_token *name, int nexpressions, char *const *expressions);

/* How many definitions a kernel has; a template's specialisation counts as several. */
int cuna__cpu_kernel_count(const cuna_code *code, const cuna_code_token *name);

#endif

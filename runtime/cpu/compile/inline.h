/* inline.h: device functions with barriers, written into the kernels that call them. */
#ifndef CUNA_CPU_COMPILE_INLINE_H
#define CUNA_CPU_COMPILE_INLINE_H

#include <stdio.h>

#include "cpu/compile/region_plan.h"

/* Tokens of a call: the function's name, its template arguments (0: none), its arguments' parentheses; the statement
 * that it is in. */
typedef struct cuna_call {
    int name, angle, angle_end, paren, close;
    int first, last;
    bool is_alone;    /* the statement is the call */
    bool is_declared; /* the statement declares a variable */
} cuna_call;

/* Tokens of a function's definition: its template parameters (0: none), the type that it returns, its name, its
 * parameters' parenthesis, its body. */
typedef struct cuna_callee {
    int angle, type, name, paren, brace, end;
} cuna_callee;

/* Prints the statements that do what the call does, and leave its value in cuna_r<number>; false: the rules do not
 * understand the function. Whether it returns a value goes to `has_value`. */
bool cuna__cpu_inline_print(FILE *out, const cuna_plan *plan, const cuna_callee *callee, const cuna_call *call,
                            int number, bool *has_value);

/* The source whose kernels have in them what they call, as far as plans (like `plan`) of such kernels succeed
 * (malloc'd); NULL: none has, or out of memory. */
char *cuna__cpu_inline_rewrite(cuna_plan *plan, const char *source, int nexpressions, char *const *expressions);

#endif

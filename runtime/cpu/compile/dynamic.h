/* dynamic.h: the declaration of `__shared__` memory whose size the launch says. */
#ifndef CUNA_CPU_COMPILE_DYNAMIC_H
#define CUNA_CPU_COMPILE_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CUNA_DYNAMIC_NAME 64 /* more than the bytes of a name that can be read */

typedef struct cuna_dynamic {
    const char *name, *end;      /* end: after the semicolon */
    const char *type, *type_end; /* with attributes and the word itself in it */
    const char *lengths;         /* after the first pair of brackets: s[][4] */
    size_t name_length;
    bool is_shared;
} cuna_dynamic;

/* Reads from after `extern` to `name[];`. `is_shared`: `__shared__` precedes it. */
bool cuna__cpu_dynamic_parse(cuna_dynamic *out, const char *at, bool is_shared);

/* The type of an element, which may be an array. */
void cuna__cpu_dynamic_print_type(FILE *out, const cuna_dynamic *shared);

/* The end of an attribute and its parentheses: __align__(16), alignas(T), __attribute__((aligned(8))). NULL: the word
 * at `at` begins none. */
const char *cuna__cpu_dynamic_skip_attribute(const char *at, size_t length);

#endif

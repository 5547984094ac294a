/* edit.h: replacements in a text. */
#ifndef CUNA_CPU_COMPILE_EDIT_H
#define CUNA_CPU_COMPILE_EDIT_H

#include <stdbool.h>
#include <stddef.h>

/* Of zeros. */
typedef struct cuna_edits {
    struct cuna_edit *list;
    int count;
    bool failed; /* out of memory */
} cuna_edits;

/* Replaces characters of a text, from `at` on, by another one, which is printed as by printf. Texts of one place
 * stand in the order of the calls; the one that replaces characters comes last. The ends of lines among these stay. */
void cuna__cpu_edit(cuna_edits *edits, const char *at, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The edited text (malloc'd; NULL: out of memory), without edits the text itself; frees the edits. */
char *cuna__cpu_edit_finish(cuna_edits *edits, const char *text);

#endif

/* compile_split.h: a call of a compiler that compiles and links, in two parts (compile_split.c). */
#ifndef COMPILE_SPLIT_H
#define COMPILE_SPLIT_H

#include <stdbool.h>

#define SPLIT_MOST_WORDS 160

/* Calls of a compiler and of a linker, which makes a library of the compiler's object; both in place of a call that
 * makes the library. */
struct split {
    char *compile[SPLIT_MOST_WORDS + 1];
    char *link[SPLIT_MOST_WORDS + 1];
};

/* Takes a call apart; the words of the parts are those of the call, or live as long as the process. False: the call
 * makes no library, or has too many words. */
bool compile_split(struct split *out, char *const *words);

/* Runs the linker in the folder `own`, without its messages; false: it failed. */
bool compile_split_link(const struct split *split, const char *own);

#endif

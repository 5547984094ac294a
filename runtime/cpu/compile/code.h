/* code.h: the tokens of a C++ source, with their brackets. */
#ifndef CUNA_CPU_COMPILE_CODE_H
#define CUNA_CPU_COMPILE_CODE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cuna_code_token {
    const char *at;
    size_t length;
    char mark;        /* 'a': a word, '0': a number, '"': a string, 0: the end of a text, else the character */
    int match;        /* of a bracket: the token that closes or opens it; -1: none */
    int parent;       /* the innermost open brace; -1: none */
    int line, column; /* in a macro the line of its definition, and the column in all of it */
} cuna_code_token;

/* The tokens outside of directives, and those of each macro's body after them. A token with mark 0 is before the first
 * one and after each text, so that every other token has neighbours. */
typedef struct cuna_code {
    cuna_code_token *tokens;
    int count, max, nplain; /* nplain: of tokens outside of directives */
    bool failed;            /* out of memory */
} cuna_code;

/* Of a code of zeros. */
void cuna__cpu_code_read(cuna_code *code, const char *text);
void cuna__cpu_code_free(cuna_code *code);

bool cuna__cpu_code_is(const cuna_code_token *token, const char *word);
bool cuna__cpu_code_is_in(const cuna_code_token *token, const char *const *words);

/* Whether the text has these characters from the token on. */
bool cuna__cpu_code_touches(const cuna_code_token *token, const char *marks);

/* The last token of the statement that begins with a token. */
int cuna__cpu_code_end(const cuna_code *code, int first);

#endif

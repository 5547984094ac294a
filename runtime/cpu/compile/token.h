/* token.h: finds the ends of tokens in C++ text. */
#ifndef CUNA_CPU_COMPILE_TOKEN_H
#define CUNA_CPU_COMPILE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

/* Lengths of the token at `at`: a comment (0: none), a string or character, R"delimiter( ... )delimiter" from the quote
 * on, a number, a word (0: none). */
size_t cuna__cpu_token_comment(const char *at);
size_t cuna__cpu_token_quoted(const char *at);
size_t cuna__cpu_token_raw_string(const char *at);
size_t cuna__cpu_token_number(const char *at);
size_t cuna__cpu_token_word(const char *at);

/* The position after blanks and comments. */
const char *cuna__cpu_token_skip_blank(const char *at);

/* Of a letter, a digit or an underscore. */
bool cuna__cpu_token_is_letter(char c);

/* Whether a word is `text`; or one in the list, which ends with NULL, and whose entries that end in '*' are prefixes of
 * words. */
bool cuna__cpu_token_is(const char *word, size_t length, const char *text);
bool cuna__cpu_token_is_in(const char *word, size_t length, const char *const *list);

#endif

/* token.h: where the tokens of C++ text end. */
#ifndef CUNA_CPU_COMPILE_TOKEN_H
#define CUNA_CPU_COMPILE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

/* Lengths of what begins at `at`: a comment (0: there is none), a string or character, R"delimiter( ... )delimiter"
 * from the quote on, a number, a word (0: there is none). */
size_t cuna__token_comment(const char *at);
size_t cuna__token_quoted(const char *at);
size_t cuna__token_raw_string(const char *at);
size_t cuna__token_number(const char *at);
size_t cuna__token_word(const char *at);

/* Behind blanks and comments. */
const char *cuna__token_skip_blank(const char *at);

/* Of a letter, a digit or an underscore. */
bool cuna__token_is_letter(char c);

/* Whether a word is `text`; or one in the list, which ends with NULL, and whose entries that end in '*' are beginnings
 * of words. */
bool cuna__token_is(const char *word, size_t length, const char *text);
bool cuna__token_is_in(const char *word, size_t length, const char *const *list);

#endif

/* token.c: finds the ends of tokens in C++ text.
 *
 * A token is read from its first character; an unterminated token ends with the line or the text. Two other files read
 * C++ without these functions: lua/cuna/kernel/raw_text.lua, whose head has the figures, and raw_include.c. */
#define _GNU_SOURCE 1
#include "cpu/compile/token.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool cuna__cpu_token_is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

size_t cuna__cpu_token_comment(const char *at)
{
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
        return 0;
    if (at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end != NULL ? (size_t)(end + 2 - at) : strlen(at);
    }
    const char *end = at;
    while (*end != 0 && (*end != '\n' || end[-1] == '\\'))
        end++;
    return (size_t)(end - at);
}

size_t cuna__cpu_token_quoted(const char *at)
{
    const char *end = at + 1;
    while (*end != 0 && *end != *at && *end != '\n')
        end += *end == '\\' && end[1] != 0 ? 2 : 1;
    return (size_t)(end - at) + (*end == *at);
}

/* R"delimiter( ... )delimiter", from the quote on. */
size_t cuna__cpu_token_raw_string(const char *at)
{
    char closing[32];
    size_t length = strcspn(at + 1, "(\n");
    if (at[1 + length] != '(' || length > 16)
        return cuna__cpu_token_quoted(at);
    snprintf(closing, sizeof closing, ")%.*s\"", (int)length, at + 1);
    const char *end = strstr(at + 1 + length, closing);
    return end != NULL ? (size_t)(end - at) + strlen(closing) : strlen(at);
}

/* A number with its prefix and suffix: 0x1p-3f, 1'000u. */
size_t cuna__cpu_token_number(const char *at)
{
    size_t length = 1;
    while (cuna__cpu_token_is_letter(at[length]) || at[length] == '.' ||
           (at[length] == '\'' && cuna__cpu_token_is_letter(at[length + 1])) ||
           ((at[length] == '+' || at[length] == '-') && strchr("eEpP", at[length - 1]) != NULL))
        length++;
    return length;
}

size_t cuna__cpu_token_word(const char *at)
{
    size_t length = 0;
    while (cuna__cpu_token_is_letter(at[length]))
        length++;
    return length;
}

const char *cuna__cpu_token_skip_blank(const char *at)
{
    for (size_t length = 0; isspace((unsigned char)*at) || (length = cuna__cpu_token_comment(at)) > 0;)
        at += isspace((unsigned char)*at) ? 1 : length;
    return at;
}

bool cuna__cpu_token_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

/* Whether a word is in the list; an entry that ends in '*' is a prefix of words. */
bool cuna__cpu_token_is_in(const char *word, size_t length, const char *const *list)
{
    for (; *list != NULL; list++) {
        size_t own = strcspn(*list, "*");
        if ((*list)[own] == '*' ? own <= length && memcmp(word, *list, own) == 0
                                : cuna__cpu_token_is(word, length, *list))
            return true;
    }
    return false;
}

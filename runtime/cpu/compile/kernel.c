/* kernel.c: finds the definitions of kernels in a source. */
#define _GNU_SOURCE 1
#include "cpu/compile/kernel.h"

#include <string.h>

#include "cpu/compile/token.h"

int cuna__cpu_kernel_params(const cuna_code *code, int i)
{
    static const char *const attributes[] = {"__launch_bounds__", "__attribute__", "__align__", "__maxnreg__", NULL};
    for (i++; code->tokens[i].mark != 0 && strchr(";{}=\"", code->tokens[i].mark) == NULL; i++) {
        if (code->tokens[i].mark != '(')
            continue;
        if (code->tokens[i].match < 0 || code->tokens[i - 1].mark != 'a')
            return 0;
        if (!cuna__cpu_code_is_in(&code->tokens[i - 1], attributes))
            return code->tokens[code->tokens[i].match + 1].mark == '{' ? i : 0;
        i = code->tokens[i].match;
    }
    return 0;
}

size_t cuna__cpu_kernel_word(const char **out, const char *expression)
{
    const char *at = cuna__cpu_token_skip_blank(expression);
    size_t length = 0;
    at += *at == '&';
    while (*(at = cuna__cpu_token_skip_blank(at)) != 0 && *at != '<') {
        size_t word = cuna__cpu_token_word(at);
        if (word == 0 && *at != ':')
            return 0;
        *out = word > 0 ? at : *out;
        length = word > 0 ? word : length;
        at += word > 0 ? word : 1;
    }
    return length;
}

bool cuna__cpu_kernel_is(const cuna_code_token *token, const char *word, size_t length)
{
    return token->mark == 'a' && token->length == length && memcmp(token->at, word, length) == 0;
}

bool cuna__cpu_kernel_is_wanted(const cuna_code_token *name, int nexpressions, char *const *expressions)
{
    bool wanted = false;
    for (int i = 0; i < nexpressions; i++) {
        const char *word;
        size_t length = cuna__cpu_kernel_word(&word, expressions[i]);
        if (length == 0)
            return false;
        wanted |= cuna__cpu_kernel_is(name, word, length);
    }
    return wanted;
}

int cuna__cpu_kernel_count(const cuna_code *code, const cuna_code_token *name)
{
    int count = 0;
    for (int i = 1; i < code->nplain; i++) {
        int paren = cuna__cpu_code_is(&code->tokens[i], "__global__") ? cuna__cpu_kernel_params(code, i) : -1;
        count += paren > 0 && cuna__cpu_kernel_is(&code->tokens[paren - 1], name->at, name->length);
        for (int at = i; paren == 0 && code->tokens[at].mark != 0 && strchr("{;(", code->tokens[at].mark) == NULL; at++)
            count += cuna__cpu_kernel_is(&code->tokens[at], name->at, name->length) && code->tokens[at + 1].mark == '<'
                         ? 2
                         : 0;
    }
    return count;
}
